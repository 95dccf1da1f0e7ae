"""The large picture is the first of the panels, unless the user chose another one."""

import copy
import pickle

import pytest
import traitlets
from page import Page

from rocviz import FermiDiracExplorer, ROCExplorer, Step, Story
from rocviz.widgets.roc.state import ROCState

PAIR_OF_PANELS = ("scores", "roc")
THREE_PANELS = ("roc", "scores", "reliability")


@pytest.fixture
def explorer():
    opened = ROCExplorer(panels=PAIR_OF_PANELS)
    yield opened
    opened.close()


def large(explorer):
    """Names of the pictures that the page shows large."""
    return Page(explorer).large_pictures()


def test_new_panels_make_their_first_the_large_one(explorer):
    explorer.panels = THREE_PANELS
    assert explorer.focus == "roc"
    assert large(explorer) == ["roc"]
    explorer.update(panels=("brier", *THREE_PANELS), threshold=0.4)
    assert explorer.focus == "brier"
    assert large(explorer) == ["brier"]


CHOICES = {
    "in the constructor": lambda: ROCState(panels=PAIR_OF_PANELS, focus="scores"),
    "as an attribute": lambda: chosen_by(lambda state: setattr(state, "focus", "scores")),
    "together with panels": lambda: chosen_by(
        lambda state: state.update(panels=PAIR_OF_PANELS[::-1], focus="scores")
    ),
    "before panels": lambda: chosen_by(
        lambda state: state.update(focus="reliability", panels=("reliability", "scores")),
        lambda state: state.update(focus="scores"),
    ),
}


def chosen_by(*acts):
    state = ROCState(panels=PAIR_OF_PANELS)
    for act in acts:
        act(state)
    return state


@pytest.mark.parametrize("choose", CHOICES.values(), ids=CHOICES.keys())
def test_a_focus_set_by_hand_stays(choose):
    state = choose()
    assert state.focus == "scores"
    state.panels = THREE_PANELS
    assert state.focus == "scores"
    state.preset = "a concavity"
    state.panels = ("brier", *THREE_PANELS)
    assert state.focus == "scores"


def test_a_picture_enlarged_by_a_click_stays(explorer):
    explorer.panels = THREE_PANELS
    Page(explorer).send(focus=1)
    explorer.panels = ("brier", *THREE_PANELS)
    assert (explorer.focus, large(explorer)) == ("scores", ["scores"])


def test_none_and_panels_without_it_give_a_choice_up():
    state = ROCState(panels=PAIR_OF_PANELS, focus="roc")
    state.focus = None
    assert state.focus == "scores"
    state.panels = THREE_PANELS
    assert state.focus == "roc"
    state.update(focus="scores")
    state.panels = ("brier", "reliability")
    assert state.focus == "brier"
    state.panels = THREE_PANELS
    assert state.focus == "roc"


@pytest.mark.parametrize("focus", [None, "roc"])
def test_reset_returns_to_the_opening_choice(focus):
    state = ROCState(panels=PAIR_OF_PANELS, focus=focus)
    state.update(panels=THREE_PANELS, focus="reliability" if focus is None else None)
    state.reset()
    assert (state.panels, state.focus) == (PAIR_OF_PANELS, focus or "scores")
    state.panels = ("brier", *THREE_PANELS)
    assert state.focus == (focus or "brier")


@pytest.mark.parametrize("focus", [None, "scores"])
@pytest.mark.parametrize(
    "how", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))]
)
def test_copies_keep_the_choice(how, focus):
    state = ROCState(panels=PAIR_OF_PANELS)
    state.focus = focus
    copied = how(state)
    copied.panels = THREE_PANELS
    assert copied.focus == (focus or "roc")
    copied.reset()
    copied.panels = THREE_PANELS
    assert copied.focus == "roc"


@pytest.mark.parametrize("focus", [None, "scores"])
@pytest.mark.parametrize("watched", ["panels", "focus", "result"])
def test_an_exception_restores_the_choice(focus, watched):
    state = ROCState(panels=PAIR_OF_PANELS)
    state.focus = focus
    other = None if focus else "roc"

    def refuse(_change):
        raise RuntimeError("no")

    state.observe(refuse, names=[watched])
    with pytest.raises(RuntimeError, match="no"):
        state.update(panels=("roc", "brier"), focus=other, threshold=0.3)
    state.unobserve(refuse, names=[watched])
    with pytest.raises(traitlets.TraitError, match="focus must be one of"):
        state.update(panels=THREE_PANELS, focus="brier")
    assert (state.panels, state.focus) == (PAIR_OF_PANELS, "scores")
    state.panels = THREE_PANELS
    assert state.focus == (focus or "roc")


def test_observers_see_a_focus_among_the_panels():
    state = ROCState(panels=PAIR_OF_PANELS)
    seen = []
    state.observe(lambda change: seen.append((change["name"], state.panels, state.focus)))
    state.panels = ("brier", "reliability")
    assert seen == [
        ("panels", ("brier", "reliability"), "brier"),
        ("focus", ("brier", "reliability"), "brier"),
    ]


@pytest.mark.parametrize("names", [("panels", "focus"), ("focus", "panels")])
def test_linked_explorers_change_their_pictures_together(names):
    state = ROCState(panels=PAIR_OF_PANELS)
    other = ROCState(panels=PAIR_OF_PANELS)
    links = [traitlets.link((state, name), (other, name)) for name in names]
    for source, panels in ((state, ("brier", "roc")), (other, ("reliability", "scores"))):
        source.panels = panels
        assert state.panels == other.panels == panels
        assert state.focus == other.focus == panels[0]
    state.focus = "scores"
    other.panels = THREE_PANELS
    assert state.focus == other.focus == "scores"
    for link in links:
        link.unlink()


def test_panels_and_focus_are_rendered_once(explorer, monkeypatch):
    rendered = []
    render = explorer._render

    def count():
        rendered.append(explorer.focus)
        render()

    monkeypatch.setattr(explorer, "_render", count)
    explorer.panels = THREE_PANELS
    assert rendered == ["roc"]


def test_the_steps_of_a_story_are_no_choice_of_the_user():
    steps = [
        Step("one", "", panels=PAIR_OF_PANELS),
        Step("two", "", panels=THREE_PANELS),
        Step("three", "", focus="reliability"),
    ]
    with_steps = Story(ROCExplorer(), steps)
    explorer = with_steps.explorer
    explorer.panels = THREE_PANELS
    assert explorer.focus == "roc"
    with_steps.go(0)
    Page(explorer).send(focus=1)
    with_steps.go(1)
    explorer.panels = ("brier", *THREE_PANELS)
    assert explorer.focus == "brier"
    with_steps.go(2)
    explorer.panels = ("brier", *THREE_PANELS)
    assert explorer.focus == "reliability"  # the step names it
    with_steps.close()


def test_a_recording_leaves_the_choice_alone():
    explorer = FermiDiracExplorer()
    explorer.record(temperature=3)
    explorer.panels = explorer.panels[::-1]
    assert explorer.focus == explorer.panels[0]
    explorer.close()
