"""Steps kept by hand restore their state, and a file of them opens as a story."""

from contextlib import suppress

import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st
from page import send_message

from rocviz import Question, ROCExplorer, Step, Story, read_steps
from rocviz.stories import StoryMaker, story_fields, write_steps
from rocviz.stories.maker import leading
from rocviz.widgets.base.stories.rehearsal import same, set_up, view_of
from rocviz.widgets.fermi_dirac import FermiDiracState
from rocviz.widgets.groups import GroupsState


@pytest.fixture
def maker():
    opened = StoryMaker(ROCExplorer(panels=["roc"], show_band=False))
    yield opened
    opened.close()


def press(maker, **content):
    """Send the message of a press of a button."""
    send_message(maker.comm, content)
    return maker._message


def test_the_present_state_becomes_a_step(maker, tmp_path):
    explorer = maker.explorer
    assert "keep a step first" in press(maker, save="story.toml")
    assert (
        press(maker, keep={"title": "A", "text": "At {state.threshold:.1f}."}) == "Kept as step 1."
    )
    explorer.update(threshold=0.3, cost_fn=5.0)
    explorer.panels = ["roc", "scores"]
    content = {"title": "B", "text": "x", "question": "Which?", "choices": "this\n\n* that "}
    assert press(maker, keep=content) == "Kept as step 2."
    explorer.preset = "a concavity"
    explorer.focus = "scores"
    maker.keep("C", "A dent.")
    first, second, third = maker.steps
    assert (first.inputs, first.panels) == ({}, ("roc",))
    assert second.inputs == {"threshold": 0.3, "cost_fn": 5.0}
    assert second.panels == ("roc", "scores")
    assert set(second.move) == {"threshold", "cost_fn"}
    assert second.ask == Question("Which?", ["this", "that"], 1)
    assert (third.inputs, third.panels, third.focus) == ({"preset": "a concavity"}, None, "scores")
    assert maker._titles == ["A", "B", "C"]
    # what cannot be said is said at once, and nothing is kept
    assert "did you mean 'table'" in press(maker, keep={"title": "D", "text": "{result.tabel.tp}"})
    wrong = {**content, "choices": "this\nthat"}
    assert "a * before the right one" in press(maker, keep=wrong)
    assert "path must end in .toml" in press(maker, save="story.txt")
    assert len(maker.steps) == 3
    # a step is a place to go on from
    press(maker, show=1)
    assert (explorer.threshold, explorer.cost_fn, explorer.focus) == (0.3, 5.0, "roc")
    path = tmp_path / "story.toml"
    assert press(maker, save=str(path)).startswith("Saved as ")
    assert [step.title for step in read_steps(path)] == ["A", "B", "C"]
    story = maker.to_story()
    maker.close()
    assert story.explorer.comm is not None
    assert story.text == "At 0.5."
    story.show(1)
    assert (story.explorer.threshold, story.explorer.panels) == (0.3, ("roc", "scores"))
    story.close()


def test_removing_a_step_keeps_the_later_ones(maker):
    explorer = maker.explorer
    shown = []
    for threshold, preset in ((0.3, "good"), (0.7, "good"), (0.7, "random")):
        explorer.update(threshold=threshold, cost_fn=10 * threshold, preset=preset)
        maker.keep(preset, "x")
        shown.append(view_of(explorer))
    press(maker, drop=0)
    for place, expected in enumerate(shown[1:]):
        maker.show(place)
        assert view_of(explorer) == expected
    for wrong in (-1, 2, 1.5, "0"):
        with pytest.raises(ValueError, match="index must be an integer"):
            maker.drop(wrong)
    with pytest.raises(ValueError, match="explorer must be an open explorer"):
        StoryMaker(None)


def test_conflicting_inputs_are_left_out():
    before = view_of(FermiDiracState())
    state = FermiDiracState()
    for name, place in (("auc", 0), ("n_samples", 0)):
        control = state.controls()[name]
        control.assign(state, name, control.grid_of(state).value(place))
    inputs = leading(FermiDiracState(), before, view_of(state))
    assert inputs == {"auc": 0.0, "n_samples": 20}


@settings(max_examples=8, deadline=None)
@given(st.sampled_from([FermiDiracState, GroupsState]), st.data())
def test_few_inputs_lead_from_any_state_to_another(kind, data):
    """Inputs that follow each other are not all needed, and those that are kept lead there."""
    state = kind()
    before = view_of(state)
    sliders = {name: c for name, c in state.controls().items() if c.grid_of(state)}
    for _ in range(data.draw(st.integers(0, 3))):
        name = data.draw(st.sampled_from(sorted(sliders)))
        grid = sliders[name].grid_of(state)
        value = grid.value(data.draw(st.integers(0, grid.steps)))
        with suppress(ValueError, traitlets.TraitError):
            sliders[name].assign(state, name, value)
    expected = view_of(state)
    inputs = leading(kind(), before, expected)
    other = kind()
    set_up(other, Step("a", "b", inputs))
    assert all(same(value, expected[name]) for name, value in other.inputs().items())


def test_values_that_toml_lacks_are_refused(tmp_path):
    path = tmp_path / "story.toml"
    for step, name in (
        (Step("a", lambda _explorer: "b"), "text"),
        (Step("a", "b", {"threshold": object()}), "threshold"),
    ):
        with pytest.raises(ValueError, match=f"{name} cannot be written"):
            write_steps(path, [step])
    assert not path.exists()
    hostile = 'a"]\n[[step]]\ntitle = "b" \\ \u2028 {x}'
    write_steps(path, [Step(hostile, "t", {"answers": (1, None, 0)}, notes=hostile)])
    (read,) = read_steps(path)
    assert (read.title, read.notes, read.inputs) == (hostile, hostile, {"answers": (1, None, 0)})


def test_the_fields_of_a_text_are_listed():
    explorer = ROCExplorer(panels=["roc"], n_samples=100)
    fields = story_fields(explorer)
    assert fields["result.table.tp"] == explorer.result.table.tp
    assert fields["state.threshold"] == 0.5
    assert not [name for name in fields if "._" in name or "words" in name]
    some = sorted(fields)[:: len(fields) // 15]
    story = Story(explorer, [Step("a", " ".join(f"{{{name}}}" for name in some))])
    story.close()
