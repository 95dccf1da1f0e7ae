"""The exercises as a question bank for Moodle, in its XML format.

Moodle's importer (``question/format/xml/format.php``) defines the format. A number is right within
a tolerance, words are chosen, several numbers have a field each, and a list is written down. Likely
mistakes are answers without marks, whose feedback is the hint that the course gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import product
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from rocviz.exercises._base import Choice, Exercise, Vector
from rocviz.exercises._chapter01 import Segments
from rocviz.exercises._chapter09 import Refutation
from rocviz.exercises._course import CHAPTERS
from rocviz.exercises._registry import names
from rocviz.files import output_path, write_file

#: Of the mark that each further attempt costs in quizzes with several attempts.
PENALTY = "0.3333333"
#: At least this much, so that a number that is written with fifteen digits is itself.
MIN_TOLERANCE = 1e-9
#: The most labels of a ranking that is written down.
MAX_LABELS = 8


def export_moodle(
    path: str | PathLike[str], *, chapters: int | Iterable[int] | None = None
) -> Path:
    """Write the exercises as a file that Moodle imports into its question bank.

    Each question has its answer with the tolerance of :func:`check`, the hint for a second attempt,
    the hints for likely mistakes as feedback, and the lesson as general feedback. There is a
    category for each chapter, and one for the exam.

    Parameters
    ----------
    path : str or path-like
        Ending in ``.xml``; an existing file is replaced.
    chapters : int or iterable of int, optional
        Numbers of notebooks, to have only their exercises.

    Returns
    -------
    Path

    Raises
    ------
    TypeError
        If the path is none.
    ValueError
        If it has another ending, or there is no such chapter.
    OSError
        If the file cannot be written; an existing one is then as it was.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = export_moodle(f"{folder}/moodle.xml", chapters=1)
    ...     path.read_text().count("<question type=")
    7
    """
    path = output_path(path, (".xml",))
    quiz = ET.Element("quiz")
    category = ""
    for chapter in _numbers(chapters):
        names(chapter)  # raises where there is none
        for exercise in CHAPTERS[chapter]:
            is_exam = exercise.name.startswith("exam_")
            title = "Exam" if is_exam else f"Chapter {chapter:02}"
            if title != category:
                _add_category(quiz, title)
                category = title
            _add_question(quiz, exercise, chapter)
    ET.indent(quiz)
    return write_file(path, ET.tostring(quiz, encoding="unicode", xml_declaration=False) + "\n")


def _numbers(chapters: Any) -> list[Any]:
    """List the numbers of the chapters that are asked for."""
    if chapters is None:
        return list(CHAPTERS)
    if isinstance(chapters, Integral | str) or not isinstance(chapters, Iterable):
        return [chapters]
    return list(chapters)


def _add_category(quiz: ET.Element, title: str) -> None:
    """Let the questions that follow go into a category."""
    question = ET.SubElement(quiz, "question", type="category")
    _add_text(question, "category", f"$course$/top/rocviz/{title}")


def _add_text(parent: ET.Element, tag: str, text: str, *, html: bool = False) -> ET.Element:
    """Add an element that has a text, as HTML if it is to be read."""
    element = ET.SubElement(parent, tag, {"format": "html"} if html else {})
    ET.SubElement(element, "text").text = f"<p>{escape(text, quote=False)}</p>" if html else text
    return element


def _add_question(quiz: ET.Element, exercise: Exercise, chapter: int) -> None:
    """Add a question of the type that fits the kind of its answer."""
    text = " ".join(exercise.question.split())
    source = f"(rocviz, chapter {chapter})"
    if isinstance(exercise, Choice):
        question = _begin(quiz, "multichoice", exercise, f"{text} {source}")
        _add_choices(question, exercise)
    elif isinstance(exercise, Refutation):
        form = f"{text} Write the labels without spaces or commas, as in 0110. {source}"
        question = _begin(quiz, "shortanswer", exercise, form)
        _add_written(question, _right_rankings(exercise), _wrong_rankings(exercise))
    elif isinstance(exercise, Segments):
        form = f"{text} Write them as [(1, 2), (3, 4)]. {source}"
        question = _begin(quiz, "shortanswer", exercise, form)
        right, wrong = exercise.solution
        written = {exercise.mistakes[name]: _written_pairs(pairs) for name, pairs in wrong.items()}
        _add_written(question, _written_pairs(right), written)
    elif isinstance(exercise, Vector):
        right = np.asarray(exercise.solution[0]).ravel().tolist()
        fields = " ".join(f"{{1:NUMERICAL:={_cloze_number(exercise, one)}}}" for one in right)
        _begin(quiz, "cloze", exercise, f"{text} In this order: {fields} {source}")
    else:
        question = _begin(quiz, "numerical", exercise, f"{text} {source}")
        _add_number(question, exercise)


def _begin(quiz: ET.Element, kind: str, exercise: Exercise, text: str) -> ET.Element:
    """Add what every question has."""
    question = ET.SubElement(quiz, "question", type=kind)
    _add_text(question, "name", exercise.name)
    _add_text(question, "questiontext", text, html=True)
    _add_text(question, "generalfeedback", exercise.why, html=True)
    ET.SubElement(question, "defaultgrade").text = "1"
    ET.SubElement(question, "penalty").text = PENALTY
    ET.SubElement(question, "idnumber").text = f"rocviz_{exercise.name}"
    _add_text(question, "hint", exercise.hint, html=True)
    return question


def _add_answer(question: ET.Element, text: str, fraction: int, feedback: str) -> ET.Element:
    """Add an answer and the share of the mark that it gets, in per cent.

    Numbers and words that are typed are plain text for the importer, whatever their format says.
    """
    answer = ET.SubElement(question, "answer", fraction=str(fraction), format="moodle_auto_format")
    ET.SubElement(answer, "text").text = text
    _add_text(answer, "feedback", feedback, html=True)
    return answer


def _add_choices(question: ET.Element, exercise: Choice) -> None:
    """Add the choices; each wrong one has its hint."""
    ET.SubElement(question, "single").text = "true"
    ET.SubElement(question, "shuffleanswers").text = "false"
    ET.SubElement(question, "answernumbering").text = "none"
    right = exercise.solution[0]
    for choice in exercise.choices:
        is_right = choice == right
        feedback = exercise.why if is_right else exercise.mistakes[choice]
        answer = _add_text(question, "answer", choice, html=True)
        answer.set("fraction", "100" if is_right else "0")
        _add_text(answer, "feedback", feedback, html=True)


def _add_number(question: ET.Element, exercise: Exercise) -> None:
    """Add a number and likely wrong ones; the first that fits counts."""
    right, wrong = exercise.solution
    for value, fraction, feedback in [
        (right, 100, exercise.why),
        *((value, 0, exercise.mistakes[name]) for name, value in wrong.items()),
    ]:
        middle, tolerance = _accepted(exercise, float(value))
        answer = _add_answer(question, _number(middle), fraction, feedback)
        ET.SubElement(answer, "tolerance").text = _tolerance(tolerance)
    ET.SubElement(question, "unitgradingtype").text = "0"
    ET.SubElement(question, "unitpenalty").text = "0.1000000"
    ET.SubElement(question, "showunits").text = "3"  # no units
    ET.SubElement(question, "unitsleft").text = "0"


def _accepted(exercise: Exercise, value: float) -> tuple[float, float]:
    """Find the middle and half of the width of the interval that counts as a value."""
    ends = []
    for away in (-1.0, 1.0):
        inside, outside = value, value + away
        while abs(outside - inside) > 1e-12 * max(1.0, abs(value)):
            middle = (inside + outside) / 2
            if exercise.same(middle, value):
                inside = middle
            else:
                outside = middle
        ends.append(inside)
    low, high = ends
    middle, tolerance = (low + high) / 2, max((high - low) / 2, MIN_TOLERANCE)
    return (value if abs(middle - value) < 1e-9 * max(1.0, abs(value)) else middle), tolerance


def _number(value: float) -> str:
    """Write a number without the noise of its last digit."""
    return f"{value:.15g}"


def _tolerance(value: float) -> str:
    """Write half of the width of an interval, rounded so that its ends stay in it."""
    short = f"{value:.6g}"
    return short if float(short) >= value else f"{value * (1 + 1e-8):.12g}"


def _cloze_number(exercise: Exercise, value: float) -> str:
    """Write a number of several, and its tolerance, as Moodle's embedded answers have it."""
    middle, tolerance = _accepted(exercise, value)
    return f"{_number(middle)}:{_tolerance(tolerance)}"


def _add_written(
    question: ET.Element, right: Iterable[str], wrong: Mapping[str, Iterable[str]]
) -> None:
    """Add answers that are compared letter by letter, and wrong ones by their hints."""
    ET.SubElement(question, "usecase").text = "0"
    for text in right:
        _add_answer(question, text, 100, "")
    for hint, texts in wrong.items():
        for text in texts:
            _add_answer(question, text, 0, hint)


def _written_pairs(pairs: Any) -> list[str]:
    """Write pairs of counts, with spaces and without."""
    written = [(int(pos), int(neg)) for pos, neg in np.asarray(pairs).tolist()]
    return [str(written), str(written).replace(" ", "")]


def _right_rankings(exercise: Refutation) -> list[str]:
    """List all rankings that are right answers."""
    expected = exercise.solution[0]
    found = []
    for size in range(2, MAX_LABELS + 1):
        for labels in product((0, 1), repeat=size):
            if exercise.same(np.array(labels), expected):
                found.append("".join(map(str, labels)))
    return found


def _wrong_rankings(exercise: Refutation) -> dict[str, list[str]]:
    """List likely wrong rankings by their hints."""
    wrong = exercise.solution[1]
    return {exercise.mistakes[name]: ["".join(map(str, wrong[name]))] for name in wrong}
