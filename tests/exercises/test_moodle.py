"""The file for Moodle, read by xml.etree and marked by the rules of Moodle's question types."""

import re
from collections import Counter
from html import unescape
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from rocviz import cli
from rocviz.exercises import export_moodle, names
from rocviz.exercises._base import Choice
from rocviz.exercises._registry import EXERCISES


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    """All questions by name, each with its category."""
    path = export_moodle(tmp_path_factory.mktemp("moodle") / "moodle.xml")
    found = {}
    category = None
    for question in ET.parse(path).getroot():
        if question.get("type") == "category":
            category = text_of(question, "category")
        else:
            found[text_of(question, "name")] = (question, category)
    return found


def text_of(element, path):
    """The text of an element, without the paragraphs of HTML."""
    return unescape(re.sub("</?p>", "", element.findtext(f"{path}/text")))


def accepted(answer):
    """Middle and tolerance of a numerical answer."""
    return float(answer.findtext("text")), float(answer.findtext("tolerance"))


def mark(question, value):
    """Mark a number as Moodle does: the first answer that it is near enough to counts."""
    for answer in question.findall("answer"):
        middle, tolerance = accepted(answer)
        if abs(value - middle) <= tolerance:
            return int(answer.get("fraction")), text_of(answer, "feedback")
    return 0, ""


def of_type(kind, questions):
    return {name: one for name, (one, _) in questions.items() if one.get("type") == kind}


def test_every_exercise_is_a_question_of_a_known_type(questions):
    assert list(questions) == names()
    kinds = Counter(question.get("type") for question, _ in questions.values())
    assert set(kinds) == {"cloze", "multichoice", "numerical", "shortanswer"}
    assert len({question.findtext("idnumber") for question, _ in questions.values()}) == len(
        questions
    )
    for name, (question, category) in questions.items():
        exercise = EXERCISES[name]
        assert text_of(question, "questiontext").startswith(" ".join(exercise.question.split()))
        assert text_of(question, "hint") == exercise.hint
        assert text_of(question, "generalfeedback") == exercise.why
        title = "Exam" if name.startswith("exam_") else r"Chapter \d\d"
        assert re.fullmatch(rf"\$course\$/top/rocviz/{title}", category)


#: What Moodle's importer reads of every question, and of each type besides; it ignores the rest.
READ = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "idnumber", "hint"}
READ_OF_TYPE = {
    "multichoice": {"single", "shuffleanswers", "answernumbering", "answer"},
    "shortanswer": {"usecase", "answer"},
    "numerical": {"answer", "unitgradingtype", "unitpenalty", "showunits", "unitsleft"},
    "cloze": set(),
}
#: As its question types take numbers.
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def test_the_importer_reads_everything_that_is_written(questions):
    for name, (question, _) in questions.items():
        kind = question.get("type")
        assert {one.tag for one in question} == READ | READ_OF_TYPE[kind], name
        assert 0 < len(question.findtext("idnumber")) <= 100
        for answer in question.findall("answer"):
            assert {one.tag for one in answer} <= {"text", "feedback", "tolerance"}
            assert answer.get("fraction") in ("0", "100")
            number = answer.findtext("text")
            assert kind != "numerical" or NUMBER.fullmatch(number), (name, number)
        # what is HTML for it is well formed, and what is chosen is HTML
        for element in question.iter():
            if element.get("format") == "html":
                ET.fromstring(element.findtext("text"))
            assert kind != "multichoice" or element.get("format") in ("html", None)
        for field in re.findall(r"\{[^}]*\}", question.findtext("questiontext/text")):
            assert kind == "cloze"
            middle, tolerance = field.removeprefix("{1:NUMERICAL:=").removesuffix("}").split(":")
            assert NUMBER.fullmatch(middle), name
            assert NUMBER.fullmatch(tolerance), name


def test_numbers_are_right_exactly_where_the_course_says_so(questions):
    for name, question in of_type("numerical", questions).items():
        exercise = EXERCISES[name]
        right, wrong = exercise.solution
        assert mark(question, float(right)) == (100, exercise.why)
        middle, tolerance = accepted(question.find("answer"))
        for side in (-1, 1):
            assert exercise.mark(middle + side * 0.999 * tolerance).correct, name
            assert not exercise.mark(middle + side * 1.001 * tolerance).correct, name
        for mistake, value in wrong.items():
            if not exercise.same(float(value), right):
                fraction, feedback = mark(question, float(value))
                assert fraction == 0
                assert feedback in exercise.mistakes.values(), (name, mistake)


def test_one_choice_is_right_and_the_others_say_why_not(questions):
    for name, question in of_type("multichoice", questions).items():
        exercise = EXERCISES[name]
        assert isinstance(exercise, Choice)
        assert question.findtext("single") == "true"
        answers = {text_of(one, "."): one for one in question.findall("answer")}
        assert list(answers) == list(exercise.choices)
        for choice, answer in answers.items():
            feedback = exercise.mark(choice)
            assert int(answer.get("fraction")) == (100 if feedback.correct else 0)
            assert text_of(answer, "feedback") == feedback.message


def test_several_numbers_have_a_field_each(questions):
    for name, question in of_type("cloze", questions).items():
        text = text_of(question, "questiontext")
        fields = re.findall(r"\{1:NUMERICAL:=([^:}]+):([^}]+)\}", text)
        values, tolerances = np.array(fields, float).T
        assert EXERCISES[name].mark(values).correct
        assert EXERCISES[name].mark(values + 0.999 * tolerances).correct
        assert not EXERCISES[name].mark(values + 1.001 * tolerances).correct


def test_lists_are_compared_as_they_are_written(questions):
    written = of_type("shortanswer", questions)
    right = {}
    for name, question in written.items():
        answers = question.findall("answer")
        assert not any("*" in one.findtext("text") for one in answers)  # Moodle's wildcard
        right[name] = [one.findtext("text") for one in answers if one.get("fraction") == "100"]
    assert right["hull_segments"] == ["[(8, 4), (3, 12)]", "[(8,4),(3,12)]"]
    rankings = right["refuted"]
    assert len(rankings) == len(set(rankings)) > 10
    assert all(EXERCISES["refuted"].mark([int(one) for one in text]).correct for text in rankings)
    assert not EXERCISES["refuted"].mark([1, 0, 1, 0]).correct
    assert "1010" not in rankings


def test_chapters_are_chosen_and_an_existing_file_is_replaced(tmp_path, capsys):
    path = tmp_path / "moodle.xml"
    path.write_text("old")
    assert cli.main(["exercises", "--export", str(path), "--chapters", "12", "11"]) == 0
    assert f"The exercises are in {path}" in capsys.readouterr().out
    found = [one.findtext("name/text") for one in ET.parse(path).getroot() if one.find("name")]
    assert found == [*names(12), *names(11)]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (("moodle.qti",), "path must end in .xml; got 'moodle.qti'"),
        (("moodle.xml", 99), "chapter must be one of"),
        (("moodle.xml", "1"), "chapter must be one of"),
        (("moodle.xml", 1.5), "chapter must be one of"),
    ],
)
def test_other_files_and_chapters_are_refused(tmp_path, values, words):
    name, *chapters = values
    with pytest.raises(ValueError, match=re.escape(words)):
        export_moodle(tmp_path / name, **dict(zip(["chapters"], chapters, strict=False)))
    assert not list(tmp_path.iterdir())


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert cli.main(["exercises", "--export", str(tmp_path / "moodle.zip")]) == 1
    assert "must end in .xml" in capsys.readouterr().err
    assert cli.main(["exercises", "--export", str(tmp_path / "none" / "moodle.xml")]) == 1
    assert "there is no folder" in capsys.readouterr().err
