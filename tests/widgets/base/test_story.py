"""Stories: steps in order and out of order, questions, and their pages."""

import asyncio
import json
import re
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from page import Page, classes_of, send_message
from traitlets import TraitError

import rocviz
from rocviz import FermiDiracExplorer, Question, ROCExplorer, Step, Story, read_steps, stories
from rocviz.stories.writing import write_steps
from rocviz.widgets.base import widget
from rocviz.widgets.base.stories.steps import prose_of
from rocviz.widgets.base.widget import reference
from rocviz.widgets.roc import ROCState

SHOWN_STATE = ROCState(n_samples=100, show_band=False)

QUESTION = Question("What happens?", ("nothing", "something"), 1)
STEPS = (
    Step(
        "one",
        "At {state.threshold:.2f} {result.table.tp:n} of {result.table.n_pos:n} are found.",
    ),
    Step("two", "Now {result.table.tpr:.0%}.", {"threshold": 0.3}, glide="threshold"),
    Step("three", lambda e: e.sentence, {"preset": "random"}, panels=("scores",), ask=QUESTION),
    Step("four", "Again.", {"preset": "random", "n_samples": 100, "threshold": 0.4}),
)


@pytest.fixture
def story():
    opened = Story(ROCExplorer(panels=["roc"], n_samples=200, show_band=False), STEPS)
    yield opened
    opened.close()


def test_next_and_back(story, no_model_left):
    with no_model_left():
        again = Story(ROCExplorer(panels=["roc"]), STEPS)
        again.show(3)
        again.close()
    explorer = story.explorer
    assert story.text == f"At 0.50 {explorer.result.table.tp:.0f} of 80 are found."
    story.next()
    assert (story.index, explorer.threshold) == (1, 0.3)
    assert story.text.endswith("\u202f%.")
    story.next()
    assert story.is_asking
    assert story.text == "What happens?"
    assert (explorer.preset, explorer.panels) == ("good", ("roc",))
    story.next()
    assert not story.is_asking
    assert (explorer.preset, explorer.panels) == ("random", ("scores",))
    assert story.text == explorer.sentence
    story.next()
    story.next()
    assert story.index == 3
    # a situation that holds already is set as it ships, and what was asked for after it
    assert (explorer.n_samples, explorer.threshold) == (100, 0.4)
    story.back()
    assert (story.index, explorer.n_samples, story.is_asking) == (2, 500, False)
    assert repr(story) == "Story of 4 steps, at 3: three"


def test_a_step_does_not_depend_on_earlier_states(story):
    explorer = story.explorer
    seen = []
    for place in (3, 0, 1, 3, 2, 3):
        explorer.update(threshold=0.77, cost_fn=3.0)
        story.show(place)
        seen.append((place, explorer.inputs(), explorer.panels))
    assert seen[0] == seen[3] == seen[5]
    assert seen[0][1]["cost_fn"] == 1.0


def press(story, **content):
    """Send what the bar sends when a button is pressed, where nothing may glide."""
    send_message(story.comm, {**content, "still": True})


def test_the_bar_handles_presses(story):
    press(story, go=2)
    assert (story.index, story.is_asking) == (2, True)
    # what comes before was shown meanwhile
    assert story.explorer.threshold == 0.3
    press(story, show=2)
    assert not story.is_asking
    story.explorer.panels = ("roc", "scores", "brier")
    press(story, focus=1)
    press(story, focus=8)
    assert story.explorer.focus == "scores"


def test_a_glide_passes_intermediate_values(story):
    async def glide():
        story.explorer.observe(lambda c: values.append(c["new"]), names=["threshold"])
        story.go(1, still=False)
        while story.explorer.threshold != 0.3 or len(values) < 20:
            await asyncio.sleep(0.01)

    values = []
    story.show(1)
    way = story.frames(1)
    assert (way[0], way[-1]) == (0.5, 0.3)
    assert way == sorted(way, reverse=True)
    story.show(0)
    asyncio.run(glide())
    assert values[-1] == 0.3


def test_words_wait_for_the_end_of_a_glide(story):
    async def glide():
        story.go(1, still=False)
        while "waits" in story.explorer._values["sentence"]:
            said.add(story.explorer._values["sentence"])
            thresholds.add(story.explorer.threshold)
            await asyncio.sleep(0.01)

    story.show(1)
    text = story.text
    story.show(0)
    said = set()
    thresholds = set()
    asyncio.run(glide())
    # the numbers in between are not shown: the step's own are, out of sight
    assert said == {f'<div class="waits"><p>{text}</p></div>'}
    assert len(thresholds) > 2
    assert thresholds <= {0.5, *story.frames(1)}
    assert story.explorer._values["sentence"] == f"<p>{text}</p>"


def test_a_move_of_the_user_ends_a_glide(story):
    async def glide():
        story.go(1, still=False)
        while story.explorer.threshold > 0.45:
            await asyncio.sleep(0.01)
        story.explorer.update(cost_fn=3.0)
        stood.append(story.explorer.threshold)
        while "waits" in story.explorer._values["sentence"]:
            await asyncio.sleep(0.01)

    stood = []
    asyncio.run(glide())
    assert (story.explorer.threshold, story.explorer.cost_fn) == (stood[0], 3.0)
    assert "threshold. Escape leads back" in story.explorer._values["sentence"]


def test_the_step_can_be_observed(story):
    seen = []

    def note(change):
        seen.append((change["name"], story.index, story.is_asking, story.explorer.threshold))

    story.observe(note, names=["index", "is_asking"])
    story.next()
    assert seen == [("index", 1, False, 0.3)]
    story.next()  # what is asked stands above the step before, which is no step of its own
    assert sorted(seen[1:]) == [("index", 2, True, 0.3), ("is_asking", 2, True, 0.3)]
    with pytest.raises(TraitError, match="read-only"):
        story.index = 0


def test_a_page_may_set_the_step(story):
    """As a slider does that is linked to it in the page."""

    def set_by_page(index):
        data = {"method": "update", "state": {"index": index, "is_asking": True}}
        story.comm.handle_msg({"content": {"data": data}, "buffers": []})

    set_by_page(1)
    assert (story.index, story.is_asking, story.explorer.threshold) == (1, False, 0.3)
    for index in (len(STEPS), -1, "far", None):
        set_by_page(index)
        assert (story.index, story.is_asking) == (1, False)


def test_a_page_is_told_when_nothing_moves_any_more(story, monkeypatch):
    """Its host may run code again then; while a threshold glides, it waits."""
    told = []
    monkeypatch.setattr(
        story, "send", lambda content: told.append((content, story.explorer.threshold))
    )
    story.show(3)
    assert told == []
    press(story, show=0)
    assert told == [({"rests": True}, 0.5)]

    async def glide():
        send_message(story.comm, {"go": 1, "still": False})
        while story.explorer.threshold == 0.5:
            await asyncio.sleep(0.01)
        assert len(told) == 1
        while len(told) == 1:
            await asyncio.sleep(0.01)

    asyncio.run(glide())
    assert told[1:] == [({"rests": True}, 0.3)]


def test_a_question_about_other_data_hides_the_picture_before_it():
    asked = Question("And now?", ["Up", "Down"], 0)
    steps = [
        Step("one", "First.", panels=("roc",), ask=asked),
        Step("two", "Lower.", {"threshold": 0.3}, ask=asked),
        Step("three", "Chance.", {"preset": "random"}, ask=asked),
    ]
    story = Story(ROCExplorer(panels=["roc"]), steps)
    assert [step["ask"]["hides"] for step in story._steps] == [True, False, True]
    story.close()
    # and one that begins a part, or whose answer has no picture
    steps = [
        Step("one", "First.", panels=("roc",)),
        Step("two", "Lower.", {"threshold": 0.3}, part="Part", ask=asked),
        Step("three", "Words.", panels=(), ask=asked),
    ]
    story = Story(ROCExplorer(panels=["roc"]), steps)
    assert [step["ask"]["hides"] for step in story._steps[1:]] == [True, True]
    story.close()
    steps = [Step("a", "", explorer="a"), Step("b", "", explorer="b", ask=asked)]
    explorers = {"a": ROCExplorer(panels=["roc"]), "b": ROCExplorer(panels=["roc"])}
    story = Story(explorers, steps)
    assert story._steps[1]["ask"]["hides"]
    story.close()


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([], "steps must be one Step or more"),
        ([1], "steps must be one Step or more"),
        (5, "steps must be one Step or more, or the path"),
        ([Step("a", "b", {"treshold": 1})], "Step 1, 'a', inputs: no input 'treshold'"),
        ([Step("a", "b", panels=("rok",))], "Step 1, 'a', panels: no picture 'rok'"),
        ([Step("a", "b", focus="rok")], "Step 1, 'a', focus: no picture 'rok'"),
        ([Step("a", "b", focus="roc", panels=("scores",))], "Step 1, 'a', inputs: focus must be"),
        ([Step("a", "b", move=("all",))], "Step 1, 'a', move: no input 'all'"),
        ([Step("a", "b", explorer="x")], "Step 1, 'a', explorer: must be one of"),
        # before a hall sees the step: values, and what is filled in
        ([STEPS[0], Step("b", "c", {"threshold": 7.0})], "Step 2, 'b', inputs: threshold must be"),
        ([STEPS[0], Step("b", "c", {"threshold": "7"})], "Step 2, 'b', inputs: .*threshold"),
        ([Step("a", "b"), Step("c", "{result.tabel.tp}")], "Step 2, 'c', text: .*result.tabel.tp"),
        ([Step("a", "{result.costs[price]}")], "Step 1, 'a', text: .*result.costs"),
        ([Step("a", "{state.treshold}")], "Step 1, 'a', text: .*state.treshold"),
        ([Step("a", "{state.threshold")], "Step 1, 'a', text: expected '}'"),
        ([Step("a", "{state.threshold!x}")], "Step 1, 'a', text: Unknown conversion"),
        ([Step("a", "{state.preset:.2f}")], "Step 1, 'a', text: '{state.preset:.2f}' cannot be"),
        ([Step("a", "{state.about:n}")], "Step 1, 'a', text: '{state.about:n}' cannot be"),
        ([Step("a", "$\\frac{1$")], "Step 1, 'a', text: the formula .* cannot be read"),
        ([Step("a", "b", moved="{state.x}")], "Step 1, 'a', moved: .*state.x"),
        ([Step("a", "b", notes="{state.x}")], "Step 1, 'a', notes: .*state.x"),
        ([Step("a", "b", ask=Question("{state.x}", ["b", "c"], 0))], "Step 1, 'a', ask: "),
    ],
)
def test_an_impossible_step_is_refused_at_once(steps, words):
    explorer = ROCExplorer(panels=["roc"])
    with pytest.raises(ValueError, match=words):
        Story(explorer, steps)
    explorer.close()
    with pytest.raises(ValueError, match="explorer must be an open explorer"):
        Story(explorer, STEPS)


def test_texts_that_need_their_step_wait_for_it():
    """Without a band, its text can only be checked by the step itself."""
    steps = [
        Step("a", "Without a band.", {"show_band": False}),
        Step("b", "{result.band.confidence:%}", {"show_band": True}),
    ]
    story = Story(ROCExplorer(panels=["roc"], n_samples=100), steps)
    story.next()
    assert story.text.startswith("95")
    story.close()


@pytest.mark.parametrize("place", [-1, 2, 99, 1.0, "1", None, True])
def test_an_unknown_step_changes_nothing(place):
    story = Story(ROCExplorer(panels=["roc"], n_samples=100), STEPS[:2])
    for go in (story.go, story.show, story.frames):
        with pytest.raises(ValueError, match="index must be an integer"):
            go(place)
    assert story.index == 0
    with pytest.raises(ValueError, match="most must be an integer of at least 2"):
        story.record(most=1)
    story.close()


def test_steps_are_checked_again():
    texts = {"first": "b"}
    explorer = ROCExplorer(panels=["roc"], n_samples=100)
    story = Story(explorer, [Step("a", lambda _explorer: texts.get("first"))])
    story.check()
    texts.clear()
    with pytest.raises(ValueError, match="Step 1, 'a', text: text must be"):
        story.check()
    story.close()


def test_questions_and_steps_are_checked():
    with pytest.raises(ValueError, match="choices must be two to 20 texts"):
        Question("?", ("only",), 0)
    with pytest.raises(ValueError, match=r"answer must be an integer of .* at most 1; got 2"):
        Question("?", ("a", "b"), 2)
    with pytest.raises(ValueError, match="glide must name one of the inputs set"):
        Step("a", "b", {"threshold": 0.3}, glide="cost_fn")


def test_a_story_in_a_file(tmp_path):
    path = tmp_path / "story.toml"
    path.write_text(
        '[[step]]\ntitle = "A"\ntext = "Area {result.segments.auc:.2f}"\n'
        'inputs = { threshold = 0.3 }\nglide = "threshold"\n'
        '[step.ask]\ntext = "?"\nchoices = ["a", "b"]\nanswer = 0\n'
    )
    (step,) = read_steps(path)
    assert step == Step("A", step.text, {"threshold": 0.3}, glide="threshold", ask=step.ask)
    assert step.ask == Question("?", ["a", "b"], 0)
    story = Story(ROCExplorer(panels=["roc"]), path)
    assert story.text == "?"
    story.next()
    assert story.text == "Area 0.91"
    story.close()
    for text, words in (
        ("", r"has no \[\[step\]\]"),
        ('[[step]]\ntitle = "A"\n', "Step 1 of .*: step has no text"),
        ('[[step]]\ntitle = "A"\ntext = "b"\nmovie = 3\n', "step has unknown entries: 'movie'"),
        ('[[step]]\ntitle = "A"\ntext = "b"\nask = 3\n', "ask must be a table of text, choices"),
        ('[[step]]\ntitle = "A"\ntext = "b"\nask = { text = "c" }\n', "ask has no choices and no"),
        (f"step = {'[' * 5000}{']' * 5000}", "steps cannot be read from .*recursion"),
        ("[[step", "steps cannot be read from .*story.toml"),
        ("step = 3", r"has no \[\[step\]\]"),
        ('[[step]]\ntitle = 1\ntext = "b"\n', "Step 1 of .*title must be text"),
        ('[[step]]\ntitle = "A"\ntext = "b"\ninputs = 3\n', "Step 1 of .*inputs must be a mapping"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=words):
            read_steps(path)


#: A part of a dotted key in quotation marks, with one among its letters.
QUOTED_TEXT = r'"\"" . '


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("[[step]]\n" + "# a comment\n" * 90_000, "it must have at most 1,000,000 bytes"),
        ("[[step]]\ntitle = 'a'\ntext = 'b'\n" * 301, "at most 300 steps; it has 301"),
        (f"{'a.' * 20}a = 1", "a key has more than 20 parts"),
        (f"[{'a . ' * 20}a]", "a key has more than 20 parts"),
        (f"x = {{ {QUOTED_TEXT * 20}a = 1 }}", "a key has more than 20 parts"),
        (f"[[step]]\ntitle = 'a'\ntext = '{'$x_1$ ' * 2001}'", "at most 10,000 letters together"),
    ],
)
def test_files_that_would_take_long_are_refused_before_they_are_parsed(
    tmp_path, monkeypatch, text, refused
):
    path = tmp_path / "story.toml"
    path.write_text(text)
    if "300 steps" not in refused:
        monkeypatch.setattr("tomllib.loads", None)
    with pytest.raises(ValueError, match=refused):
        read_steps(path)


MANY_LETTERS = "a" * 700_000


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"title": MANY_LETTERS}, "title must have at most 200 letters; got 700,000: 'aaa"),
        ({"text": MANY_LETTERS}, "text must have at most 5,000 letters"),
        ({"moved": MANY_LETTERS}, "moved must have at most 5,000 letters"),
        ({"notes": MANY_LETTERS}, "notes must have at most 5,000 letters"),
        ({"explorer": MANY_LETTERS}, "explorer must have at most 100 letters"),
        ({"focus": MANY_LETTERS}, "focus must have at most 100 letters"),
        ({"panels": [MANY_LETTERS]}, "a name in panels must have at most 100 letters"),
        ({"panels": ["a"] * 101}, "panels must be at most 100 names; got 101"),
        ({"move": [MANY_LETTERS]}, "a name in move must have at most 100 letters"),
        ({"move": ["a"] * 101}, "move must be at most 100 names"),
        ({"inputs": {MANY_LETTERS: 1}}, "a name in inputs must have at most 100 letters"),
        ({"inputs": {str(i): i for i in range(101)}}, "inputs must be at most 100 names"),
        ({"inputs": {"model": MANY_LETTERS}}, "inputs, model must have at most 5,000 letters"),
        ({"inputs": {"order": [0] * 10_001}}, "inputs, order must have at most 10,000 values"),
        ({"glide": MANY_LETTERS}, "glide must have at most 100 letters"),
        ({"panels": MANY_LETTERS}, "panels must be a list of names; got 'aaa"),
        ({"ask": MANY_LETTERS}, "ask must be a Question; got 'aaa"),
        ({"glide": "a"}, "glide must name one of the inputs"),
    ],
)
def test_no_part_of_a_step_is_long(wrong, named):
    with pytest.raises(ValueError, match=named) as refused:
        Step(**{"title": "a", "text": "b", **wrong})
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"text": MANY_LETTERS}, "text must have at most 5,000 letters"),
        ({"choices": ["a", MANY_LETTERS]}, "choices must have at most 1,000 letters"),
        ({"choices": ["a"] * 21}, "choices must be two to 20 texts"),
        ({"why": ["", MANY_LETTERS]}, "why must have at most 5,000 letters"),
        ({"answer": MANY_LETTERS}, "answer must be an integer"),
    ],
)
def test_no_part_of_a_question_is_long(wrong, named):
    with pytest.raises(ValueError, match=named) as refused:
        Question(**{"text": "a", "choices": ["b", "c"], "answer": 0, **wrong})
    assert len(str(refused.value)) < 200


def test_messages_about_a_file_are_short(tmp_path):
    path = tmp_path / "story.toml"
    step = "[[step]]\ntitle = 'a'\ntext = 'b'\n"
    many = "".join(f"{MANY_LETTERS[:2000]}{i} = 1\n" for i in range(400))
    for text in (
        f"{step}{MANY_LETTERS} = 1",
        f"{step}{many}",
        f"{MANY_LETTERS} == 1",
        f"{step}ask = {MANY_LETTERS}",
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"story\.toml") as refused:
            read_steps(path)
        assert len(str(refused.value)) < 1000
    with pytest.raises(OSError, match="steps cannot be read") as missing:
        read_steps(tmp_path / MANY_LETTERS)
    assert len(str(missing.value)) < 1000


def test_very_many_steps_are_refused(tmp_path):
    explorer = ROCExplorer(panels=["roc"], n_samples=100)
    steps = [Step("a", "b")] * 301
    with pytest.raises(ValueError, match="steps must be at most 300; got 301"):
        Story(explorer, steps)
    with pytest.raises(ValueError, match="steps must be at most 300; got 301"):
        write_steps(tmp_path / "story.toml", steps)
    assert not any(tmp_path.iterdir())
    explorer.close()


@pytest.mark.parametrize(
    "tex", [r"\frac", r"\text{}", r"\left.\right.", r"\genfrac{(}{)}{99999999}{0}{a}{b}"]
)
def test_whatever_a_formula_raises_names_the_step(tex):
    explorer = ROCExplorer(panels=["roc"], n_samples=100)
    steps = [STEPS[0], Step("second", "b", ask=Question("?", ["c", f"${tex}$"], 0))]
    with pytest.raises(ValueError, match=r"Step 2, 'second', ask: the formula "):
        Story(explorer, steps)
    explorer.close()


def test_signs_that_the_font_lacks_cause_no_warning():
    explorer = ROCExplorer(panels=["roc"], n_samples=100)
    story = Story(explorer, [Step("\u4e00\0", "\u4e00 $x$")])
    story.close()


@pytest.mark.parametrize(
    "field",
    [
        "state.words.np.f2py.os.environ[PATH]",
        "state.threshold:{state.__class__}",
        "result.segments[__class__]",
        "state.keys[0]",
        "result",
        "0",
        "",
        "os",
    ],
)
def test_texts_from_files_cannot_name_private_fields(field):
    explorer = ROCExplorer(panels=["roc"])
    with pytest.raises(ValueError, match="may name inputs"):
        Story(explorer, [Step("a", f"{{{field}}}")])
    explorer.close()


@settings(max_examples=300)
@given(data=st.data())
def test_fields_cannot_leave_the_state(data):
    """Every field of a text gives a number, a word or a refusal."""
    place = SHOWN_STATE
    path = data.draw(st.sampled_from(["state", "result"]))
    place = SHOWN_STATE if path == "state" else SHOWN_STATE.result
    for _ in range(data.draw(st.integers(1, 5))):
        names = [name for name in dir(place) if name.isidentifier()]
        name = data.draw(st.sampled_from(names))
        path += f".{name}"
        try:
            place = getattr(place, name)
        except Exception:
            break
        if isinstance(place, dict) and place:
            key = data.draw(st.sampled_from(list(place)))
            path = f"{path}[{key}]"
            place = place[key]
    text = Step("a", f"{{{path}}}")
    refused = ""
    try:
        words = prose_of(text.text, SHOWN_STATE).plain
    except ValueError as error:
        refused = str(error)
    if refused:
        assert "may name inputs" in refused
    else:
        assert isinstance(place, str | int | float | np.number | bool | None)
        assert "._" not in path
        assert len(words) < 1000


@pytest.mark.parametrize("wide", ["300000000.2f", "3.999f", "{state.n_samples}00000f", ">100", "c"])
def test_a_format_makes_no_long_text(wide):
    explorer = ROCExplorer(panels=["roc"])
    with pytest.raises(ValueError, match="a format may have two digits"):
        Story(explorer, [Step("a", f"{{state.threshold:{wide}}}")])
    explorer.close()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"title": 5}, "title must be text"),
        ({"text": None}, "text must be text"),
        ({"panels": 5}, "panels must be a list"),
        ({"panels": "roc"}, "panels must be a list"),
        ({"moved": 3}, "moved must be text"),
        ({"explorer": None}, "explorer must be text"),
        ({"notes": 3}, "notes must be text"),
        ({"move": [["a"]]}, "move must be a list"),
        ({"focus": 3}, "focus must be a name"),
        ({"glide": 3}, "glide must be a name"),
        ({"ask": "why?"}, "ask must be a Question"),
        ({"inputs": {1: 2}}, "inputs must be a mapping"),
    ],
)
def test_a_wrong_value_in_a_step_is_named(wrong, named):
    with pytest.raises(ValueError, match=named):
        Step(**{"title": "a", "text": "b", **wrong})


def test_a_text_that_raises_changes_nothing():
    def text(explorer):
        if isinstance(explorer, ROCExplorer):  # not the state that it is tried on
            raise RuntimeError("not now")
        return "Something."

    steps = [
        STEPS[0],
        Step("between", "c", {"threshold": 0.4}),
        Step("b", text, {"threshold": 0.7}),
    ]
    story = Story(ROCExplorer(panels=["roc"]), steps)
    inputs = story.explorer.inputs()
    text_before = story.text
    with pytest.raises(RuntimeError, match="not now"):
        story.show(2)
    assert (story.index, story.text) == (0, text_before)
    assert story.explorer.inputs() == inputs
    story.close()


def test_texts_follow_the_state_or_name_the_moved_input():
    def sentence_of(story):
        return re.sub(r"<[^>]*>", " ", Page(story.explorer).sentence)

    steps = [
        Step("a", "At {state.threshold:.2f}."),
        Step(
            "b",
            "Fewer, at {state.threshold:.2f}.",
            {"threshold": 0.7},
            moved="At {state.threshold:.1f}.",
        ),
    ]
    story = Story(ROCExplorer(panels=["roc"]), steps)
    assert "At 0.50." in sentence_of(story)
    assert "Moved" not in sentence_of(story)
    story.explorer.threshold = 0.21
    assert "At 0.21." in sentence_of(story)
    assert "Moved: threshold." in sentence_of(story)
    story.show(1)
    assert "Fewer, at 0.70." in sentence_of(story)
    story.explorer.update(threshold=0.3, cost_fn=2.0)
    assert story.text == "At 0.3."
    assert "Moved: cost of a miss (in false alarms), threshold." in sentence_of(story)
    story.show(1)
    assert "Moved" not in sentence_of(story)
    story.close()


def test_rounding_does_not_count_as_a_move():
    """A control that is put back to its own value leads to nearly the same point."""
    explorer = rocviz.MulticlassExplorer(panels=["triangle"])
    third = 1 / 3
    story = Story(explorer, [Step("a", "b", {"point": (third, third, third)}, move=["point"])])
    control = explorer.controls()["point"]
    control.assign(explorer, "point", control.value_of(explorer, "point"))
    assert explorer.point != (third, third, third)
    assert "Moved" not in Page(explorer).sentence
    explorer.point = (0.2, 0.3, 0.5)
    assert "Moved" in Page(explorer).sentence
    story.close()


def test_texts_without_a_value_on_a_detour_stay():
    explorer = rocviz.ScoringListExplorer(panels=["list"])
    (preset,) = [name for name in explorer.presets if name == "worked example"]
    answers = (1, 0, 1, None)
    text = "After three answers {result.walk.totals[3]}."
    story = Story(explorer, [Step("a", text, {"preset": preset, "answers": answers})])
    before = story.text
    explorer.answers = (1, None, None, None)
    assert story.text == before
    assert "Moved" in Page(explorer).sentence
    story.close()


def test_a_question_is_asked_over_the_picture_of_the_step_before(story):
    story.show(1)
    story.explorer.update(threshold=0.21, cost_fn=4.0)
    story.next()
    assert story.is_asking
    assert (story.explorer.threshold, story.explorer.cost_fn) == (0.3, 1.0)
    # from anywhere
    story.show(3)
    story.go(2)
    assert story.is_asking
    assert story.explorer.threshold == 0.3
    assert story.sentence == "What happens?"


def test_a_question_has_the_numbers_of_the_step_that_answers_it():
    ask = Question("At {state.threshold:.1f}, what happens?", ["a", "b"], 0)
    steps = [STEPS[0], Step("b", "c", {"threshold": 0.3}, ask=ask)]
    story = Story(ROCExplorer(panels=["roc"], n_samples=100), steps)
    story.next()
    assert story.text == "At 0.3, what happens?"
    assert story._steps[1]["ask"]["text"] == "<p>At 0.3, what happens?</p>"
    assert story.explorer.threshold == 0.5
    story.close()


def test_a_story_may_begin_with_a_question_and_have_steps_of_words_alone():
    steps = [
        Step("Start", "Now **we** begin.", panels=[], ask=QUESTION),
        Step("one", "A picture.", {"threshold": 0.3}, panels=["roc"]),
        Step("picture", "", panels=["scores"]),
    ]
    story = Story(ROCExplorer(panels=["roc", "scores"]), steps)
    assert (story.index, story.is_asking) == (0, True)
    story.next()
    assert story.text == "Now we begin."
    assert [step["kind"] for step in story._steps] == ["words", "", "picture"]
    assert story.explorer.panels == ("roc", "scores")
    story.show(2)
    assert story.text == ""
    story.close()


def test_several_explorers_take_turns():
    named = {
        "roc": ROCExplorer(panels=["roc"]),
        "decisions": rocviz.DecisionExplorer(panels=["utilities"]),
    }
    steps = [
        Step("a", "At {state.threshold:.2f}.", {"threshold": 0.3}),
        Step("b", "Threshold {result.k:n}.", {"preset": "twelve samples"}, explorer="decisions"),
        Step("c", "Threshold {state.metric}.", {"metric": "accuracy"}),
        Step("d", "At {state.threshold:.2f}.", {"cost_fn": 2.0}, explorer="roc"),
    ]
    story = Story(named, steps)
    assert story.explorer is named["roc"]
    story.show(2)
    assert story.explorer is named["decisions"]
    assert story._explorer == reference(named["decisions"])
    assert story.text == "Threshold accuracy."
    story.next()
    # as the last step about this explorer left it
    assert (named["roc"].threshold, named["roc"].cost_fn) == (0.3, 2.0)
    story.close()
    assert named["decisions"].comm is None


def test_a_story_takes_a_theme(story):
    rocviz.set_theme(lecture=True, dark=True)
    assert {"rocviz-lecture", "rocviz-dark"} <= classes_of(story)
    rocviz.set_theme(lecture=False)
    assert not {"rocviz-lecture", "rocviz-dark"} & classes_of(story)


def test_a_saved_notebook_keeps_a_picture_of_the_step(story, monkeypatch):
    shown = []
    monkeypatch.setattr(widget, "display", lambda bundle, **about: shown.append((bundle, about)))
    story.show(1)
    story._ipython_display_()
    ((bundle, about),) = shown
    assert about["metadata"]["image/png"]["alt"] == f"two. {story.text}"
    assert bundle["text/plain"] == "Story as it last stood"
    written = story.static_figure().findobj(Text)
    assert any(words.get_text().startswith("two. Now") for words in written)
    assert not story._picture._stale
    story.explorer.threshold = 0.6
    assert story._picture._stale


def test_a_glide_through_infinity_is_recorded():
    steps = [
        Step("hot", "A coin.", {"temperature": np.inf}),
        Step("cold", "Sure.", {"temperature": 0.2}, glide="temperature"),
    ]
    story = Story(FermiDiracExplorer(panels=["levels"]), steps)
    (part,) = json.loads(zlib.decompress(story.record(most=3).packed))["parts"].values()
    (axis,) = part["scenes"][1]["axes"]
    glide = part["scenes"][1]["glide"]
    assert axis["values"] is None  # JSON has no infinity
    assert axis["size"] > 2
    assert (glide["axis"], glide["frames"][0]) == (0, axis["size"] - 1)
    story.close()


def test_a_recorded_story_has_a_scene_for_every_step(story, tmp_path):
    story.show(1)
    recording = story.record(most=3)
    assert (story.index, recording.title) == (1, "one")
    player = json.loads(zlib.decompress(recording.packed))
    assert player["story"]["asks"] == [False, False, True, False]
    assert player["story"]["scenes"] == [["", 0], ["", 1], ["", 2], ["", 3]]
    scenes = player["parts"][""]["scenes"]
    axis = scenes[1]["axes"][0]
    glide = scenes[1]["glide"]
    shown = [axis["values"][place] for place in glide["frames"]]
    assert shown == story.frames(1)
    assert (shown[0], shown[-1]) == (0.5, 0.3)
    # slowly at first and at the end
    assert shown[0] - shown[4] < shown[18] - shown[22] > shown[-5] - shown[-1]
    assert glide["words"] == f'<div class="waits"><p>{story.text}</p></div>'
    assert axis["values"][scenes[1]["start"][0]] == 0.3
    # a step without a control that moves is one state
    assert scenes[3]["axes"] == []
    with pytest.raises(ValueError, match="path must end in"):
        story.to_html(tmp_path / "story.txt")


def test_the_gallery_opens_one_card_at_a_time(no_model_left):
    with no_model_left():
        gallery = stories.Gallery()
        assert len(gallery._cards) == len(stories.NAMES) + 1 + 9
        gallery.choose(1)
        first = gallery.shown
        assert first.title == "One test, two hospitals"
        lecture = gallery._cards[len(stories.NAMES)]
        assert (lecture["group"], lecture["about"][-11:]) == ("Stories", "90 minutes.")
        gallery.choose(len(stories.NAMES))
        assert gallery.shown.steps[0].part == "A threshold and the ROC curve"
        send_message(gallery.comm, {"open": len(stories.NAMES) + 2})
        assert type(gallery.shown).__name__ == "FermiDiracExplorer"
        assert gallery._opened == reference(gallery.shown)
        assert first.comm is None
        gallery.choose(-1)
        assert (gallery.shown, gallery._opened) == (None, "")
        gallery.choose(0)
        del first
        gallery.close()


def test_the_gallery_says_why_a_card_was_not_opened(monkeypatch):
    """As in marimo, which allows new widgets only while a cell runs."""

    def refuse(_name):
        raise AssertionError

    gallery = stories.Gallery()
    place = len(stories.NAMES) + 1
    gallery.choose(place)
    shown = gallery.shown
    with monkeypatch.context() as patch:
        patch.setattr("rocviz.stories.gallery.open_story", refuse)
        send_message(gallery.comm, {"open": 0})
        assert "AssertionError" in gallery._message
        # what was open is open
        assert (gallery.shown, gallery._place) == (shown, place)
        assert shown.comm is not None
    send_message(gallery.comm, {"open": 0})
    assert (gallery._message, gallery._place, shown.comm) == ("", 0, None)
    gallery.close()


def test_parts_of_a_lecture_are_sent_to_the_bar():
    steps = [
        Step("one", "", part="Begin", minutes=12.5),
        Step("two", "", is_optional=True),
        Step("three", "", part="End"),
    ]
    opened = Story(ROCExplorer(panels=["roc"]), steps)
    first, second, third = opened._steps
    assert first["part"] == {"title": "Begin", "minutes": 12.5}
    assert second["optional"]
    assert third["part"] == {"title": "End", "minutes": 0}
    # a story without a plan has none
    assert "part" not in second
    assert "optional" not in first
    opened.close()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"part": 3}, "part must be"),
        ({"part": "x" * 201}, "part must have at most 200 letters"),
        ({"part": "a", "minutes": -1}, "minutes must be at least 0"),
        ({"part": "a", "minutes": float("inf")}, "minutes must be a finite number"),
        ({"minutes": 5}, "minutes are planned for a part, and this step begins none; got 5"),
        ({"is_optional": "yes"}, "is_optional must be True or False"),
    ],
)
def test_an_invalid_plan_is_refused(values, words):
    with pytest.raises(ValueError, match=words):
        Step("one", "text", **values)


def test_the_plan_of_a_lecture_is_written_to_a_file(tmp_path):
    steps = (Step("one", "a", part="Begin", minutes=5), Step("two", "b", is_optional=True))
    assert tuple(read_steps(write_steps(tmp_path / "lecture.toml", steps))) == steps
