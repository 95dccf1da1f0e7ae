"""Stories: steps in order and out of order, questions, and what a page of one holds."""

import asyncio
import json
import zlib

import numpy as np
import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st

from rocviz import Question, ROCExplorer, Step, Story, read_steps, stories
from rocviz.widgets.base.stories.steps import words_of
from rocviz.widgets.roc import ROCState

SHOWN = ROCState(n_samples=100, show_band=False)

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
    made = Story(ROCExplorer(panels=["roc"], n_samples=200, show_band=False), STEPS)
    yield made
    made.close()


def test_next_and_back(story, no_model_left):
    with no_model_left():
        again = Story(ROCExplorer(panels=["roc"]), STEPS)
        again.show(3)
        again.close()
    explorer = story.explorer
    assert story.text == f"At 0.50 {explorer.result.table.tp:.0f} of 80 are found."
    story.next()
    assert (story.at, explorer.threshold) == (1, 0.3)
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
    assert story.at == 3
    # a situation that holds already is set as it ships, and what was asked for after it
    assert (explorer.n_samples, explorer.threshold) == (100, 0.4)
    story.back()
    assert (story.at, explorer.n_samples, story.is_asking) == (2, 500, False)
    assert repr(story) == "Story of 4 steps, at 3: three"


def test_a_step_looks_the_same_whatever_came_before(story):
    explorer, seen = story.explorer, []
    for at in (3, 0, 1, 3, 2, 3):
        explorer.update(threshold=0.77, cost_ratio=3.0)
        story.show(at)
        seen.append((at, explorer.inputs(), explorer.panels))
    assert seen[0] == seen[3] == seen[5]
    assert seen[0][1]["cost_ratio"] == 1.0


def test_a_hand_asks_the_bar(story):
    story.bar._handle_custom_msg({"go": 2, "still": True}, [])
    assert (story.at, story.is_asking) == (2, True)
    # what comes before was shown meanwhile
    assert story.explorer.threshold == 0.3
    story.bar._handle_custom_msg({"show": 2, "still": True}, [])
    assert not story.is_asking
    story.explorer.panels = ("roc", "scores", "brier")
    story.bar._handle_custom_msg({"focus": 1, "still": True}, [])
    story.bar._handle_custom_msg({"focus": 8, "still": True}, [])
    assert story.explorer.focus == "scores"


def test_a_glide_goes_through_the_values_in_between_and_ends_where_it_should(story):
    async def glide():
        story.explorer.observe(lambda c: values.append(c["new"]), names=["threshold"])
        story.go(1, still=False)
        while (story._timer is not None and story.explorer.threshold != 0.3) or len(values) < 20:
            await asyncio.sleep(0.01)

    values = []
    story.show(1)
    way = story.way(1)
    assert (way[0], way[-1]) == (0.5, 0.3)
    assert way == sorted(way, reverse=True)
    story.show(0)
    asyncio.run(glide())
    assert values[-1] == 0.3
    # nobody waits for a glide: the next step ends it
    story._stop()


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([], "steps must be one Step or more"),
        ([1], "steps must be one Step or more"),
        (5, "steps must be one Step or more, or the path"),
        ([Step("a", "b", {"treshold": 1})], "Step 1, 'a': no input 'treshold'"),
        ([Step("a", "b", panels=("rok",))], "Step 1, 'a': no picture 'rok'"),
        ([Step("a", "b", focus="rok")], "Step 1, 'a': no picture 'rok'"),
        ([Step("a", "b", move=("all",))], "Step 1, 'a': no input 'all'"),
        # before a hall sees the step: what no state could fill in
        ([Step("a", "b"), Step("c", "{result.tabel.tp}")], "Step 2, 'c': .*result.tabel.tp"),
        ([Step("a", "{state.treshold}")], "Step 1, 'a': .*state.treshold"),
        ([Step("a", "{state.threshold")], "Step 1, 'a': text cannot be filled in"),
        ([Step("a", "{state.threshold!x}")], "Step 1, 'a': text cannot be filled in"),
        ([Step("a", "{state.preset:.2f}")], "Step 1, 'a': .*'{state.preset:.2f}' cannot be"),
        ([Step("a", "{state.about:n}")], "Step 1, 'a': .*'{state.about:n}' cannot be"),
    ],
)
def test_a_step_that_cannot_be_is_refused_at_once(steps, words):
    explorer = ROCExplorer(panels=["roc"])
    with pytest.raises(ValueError, match=words):
        Story(explorer, steps)
    explorer.close()
    with pytest.raises(ValueError, match="explorer must be an open explorer"):
        Story(explorer, STEPS)


def test_what_another_step_shows_waits_for_it():
    """A band that is not there yet, a place in a list: only the step itself can tell."""
    steps = [
        Step("a", "Without a band.", {"show_band": False}),
        Step("b", "{result.band.confidence:%}", {"show_band": True}),
        Step("c", "{result.costs[price]}"),
    ]
    story = Story(ROCExplorer(panels=["roc"], n_samples=100), steps)
    story.next()
    assert story.text.startswith("95")
    with pytest.raises(ValueError, match=r"result\.costs\[price\]"):
        story.next()
    assert story.at == 1
    assert story.text.startswith("95")
    story.close()


@pytest.mark.parametrize("at", [-1, 2, 99, 1.0, "1", None, True])
def test_a_step_that_is_none_leaves_the_story_where_it_was(at):
    story = Story(ROCExplorer(panels=["roc"], n_samples=100), STEPS[:2])
    for go in (story.go, story.show, story.way):
        with pytest.raises(ValueError, match="at must be an integer"):
            go(at)
    assert story.at == 0
    with pytest.raises(ValueError, match="most must be an integer of at least 2"):
        story.record(most=1)
    story.close()


def test_questions_and_steps_are_checked():
    with pytest.raises(ValueError, match="choices must be two or more texts"):
        Question("?", ("only",), 0)
    with pytest.raises(ValueError, match=r"answer must be an integer of .* at most 1; got 2"):
        Question("?", ("a", "b"), 2)
    with pytest.raises(ValueError, match="glide must name one of the inputs set"):
        Step("a", "b", {"threshold": 0.3}, glide="cost_ratio")
    with pytest.raises(ValueError, match="move must be a list"):
        Step("a", "b", move="threshold")


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


@pytest.mark.parametrize(
    "field",
    [
        "state.__class__.__init__.__globals__",
        "state._own",
        "result.segments[__class__]",
        "state.threshold:{state.__class__}",
        "state.words.np.f2py.os.environ[PATH]",
        "state.words.np.f2py.os.environ",
        "state.comm.kernel.session.key",
        "state.update",
        "state.data.positive.sum",
        "state.traits",
        "state.keys[0]",
        "state",
        "result",
        "result.thin",
        "result.segments.from_scores",
        "result.segments.score",
        "result.segments.score.dtype",
        "result.segments.score.base",
        "result.table.threshold.real",
        "result.others[0][1]",
        "0",
        "",
        "os",
    ],
)
def test_a_text_from_a_file_names_nothing_that_is_private(field):
    explorer = ROCExplorer(panels=["roc"])
    with pytest.raises(ValueError, match="may name inputs"):
        Story(explorer, [Step("a", f"{{{field}}}")])
    explorer.close()


@settings(max_examples=300)
@given(data=st.data())
def test_no_path_through_a_state_leads_out_of_it(data):
    """Whatever a text names, one step after the other, it gets a number, a word or a refusal."""
    place, path = SHOWN, data.draw(st.sampled_from(["state", "result"]))
    place = SHOWN if path == "state" else SHOWN.result
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
            path, place = f"{path}[{key}]", place[key]
    text = Step("a", f"{{{path}}}")
    refused = ""
    try:
        words = words_of(text, SHOWN)
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
        ({"move": None}, "move must be a list"),
        ({"panels": "roc"}, "panels must be a list"),
        ({"panels": []}, "panels must name one"),
        ({"move": [["a"]]}, "move must be a list"),
        ({"move": None, "panels": [1]}, "panels must be a list"),
        ({"focus": 3}, "focus must be a name"),
        ({"glide": 3}, "glide must be a name"),
        ({"ask": "why?"}, "ask must be a Question"),
        ({"inputs": {1: 2}}, "inputs must be a mapping"),
    ],
)
def test_a_wrong_value_in_a_step_is_named(wrong, named):
    with pytest.raises(ValueError, match=named):
        Step(**{"title": "a", "text": "b", **wrong})


def test_a_misspelt_field_leaves_the_story_where_it_was():
    steps = [STEPS[0], Step("b", "{result.costs[price]}", {"threshold": 0.7})]
    story = Story(ROCExplorer(panels=["roc"]), steps)
    held, text = story.explorer.inputs(), story.text
    with pytest.raises(ValueError, match=r"result\.costs\[price\]"):
        story.next()
    assert (story.at, story.text, story.explorer.inputs()) == (0, text, held)
    story.close()


def test_a_value_that_cannot_be_leaves_the_story_where_it_was():
    steps = [
        STEPS[0],
        Step("between", "c", {"threshold": 0.4}),
        # the situation is set before the value that cannot be
        Step("b", "c", {"preset": "random", "threshold": 7.0}, ask=QUESTION),
        Step("d", "e"),
    ]
    bad = Story(ROCExplorer(panels=["roc"]), steps)
    held, text = bad.explorer.inputs(), bad.text
    for at in (2, 3):
        with pytest.raises(traitlets.TraitError, match="threshold must be from"):
            bad.show(at)
        assert (bad.at, bad.text, bad.explorer.inputs()) == (0, text, held)
    bad.go(2)
    with pytest.raises(traitlets.TraitError, match="threshold must be from"):
        bad.next()
    assert (bad.at, bad.is_asking, bad.explorer.threshold) == (2, True, 0.4)
    bad.close()


def test_a_saved_notebook_keeps_a_picture_of_the_step(story):
    story.show(1)
    bundle, told = story._picture._bundle()
    assert told["image/png"]["alt"] == f"two. {story.text}"
    assert bundle["text/plain"] == "Story as it last stood"
    (words,) = story.static_figure().texts
    assert words.get_text().startswith("two. Now")
    assert not story._picture._stale
    story.explorer.threshold = 0.6
    assert story._picture._stale


def test_a_recorded_story_has_a_scene_for_every_step(story, tmp_path):
    story.show(1)
    recording = story.record(most=3)
    assert (story.at, recording.title) == (1, "one")
    player = json.loads(zlib.decompress(recording.packed))["player"]
    assert len(player["scenes"]) == 4
    assert [bool(asked) for asked in player["story"]["asked"]] == [False, False, True, False]
    axis, glide = player["scenes"][1]["axes"][0], player["scenes"][1]["glide"]
    assert axis["values"][glide[1]] == 0.5
    assert axis["values"][player["scenes"][1]["start"][0]] == 0.3
    # a step without a control that moves is one state
    assert player["scenes"][3]["axes"] == []
    with pytest.raises(ValueError, match="path must end in"):
        story.to_html(tmp_path / "story.txt")


def test_the_gallery_opens_one_thing_at_a_time(no_model_left):
    with no_model_left():
        gallery = stories.Gallery()
        assert len(gallery.menu.items) == len(stories.NAMES) + 8
        gallery.choose(1)
        first = gallery.shown
        assert first.steps[0].title == "A ranking and its curve"
        gallery.menu._handle_custom_msg({"open": len(stories.NAMES) + 1}, [])
        assert type(gallery.shown).__name__ == "FermiDiracExplorer"
        assert gallery.children == (gallery.menu, gallery.shown)
        assert first.comm is None
        gallery.choose(-1)
        assert (gallery.shown, gallery.children) == (None, (gallery.menu,))
        gallery.choose(0)
        del first
        gallery.close()
