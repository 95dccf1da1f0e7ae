"""Undo and redo: each change from Python is a step, and each gesture of the hand is one."""

import pytest
import traitlets
from hypothesis import given
from hypothesis import strategies as st

from rocviz import LexicographicExplorer
from rocviz.widgets.base import history
from rocviz.widgets.base.history import Gesture, History
from rocviz.widgets.roc.state import ROCState


@pytest.fixture
def state():
    return ROCState(n_samples=60, show_band=False)


@given(st.lists(st.one_of(st.integers(0, 5), st.sampled_from(["undo", "redo"])), max_size=20))
def test_any_order_of_changes_agrees_with_two_stacks(actions):
    noted = History()
    noted.note({"value": -1})
    past, present, future = [], -1, []
    for action in actions:
        if action == "undo":
            assert noted.can_undo == bool(past)
            if past:
                future.append(present)
                present = past.pop()
                with noted.moving(-1) as inputs:
                    assert inputs == {"value": present}
        elif action == "redo":
            assert noted.can_redo == bool(future)
            if future:
                past.append(present)
                present = future.pop()
                with noted.moving(1) as inputs:
                    assert inputs == {"value": present}
        else:
            noted.note({"value": action})
            if action != present:
                past.append(present)
                present, future = action, []


def test_a_fresh_state_has_nothing_to_undo(state):
    before = state.inputs()
    assert not state.undo()
    assert not state.redo()
    assert state.inputs() == before


def test_changes_are_undone_and_redone_in_order(state):
    opening = state.inputs()
    state.threshold = 0.3
    point = state.result.operating_point
    state.update(cost_fn=2.0, prevalence=0.2, threshold=0.8)
    assert state.result.operating_point != point
    changed = state.inputs()
    assert state.undo()
    assert (state.cost_fn, state.threshold) == (opening["cost_fn"], 0.3)
    assert state.result.operating_point == point
    assert state.undo()
    assert state.inputs() == opening
    assert not state.undo()
    assert state.redo()
    assert state.redo()
    assert state.inputs() == changed
    assert not state.redo()


def test_a_change_after_an_undo_ends_what_can_be_redone(state):
    state.threshold = 0.3
    state.undo()
    state.threshold = 0.4
    assert not state.redo()
    assert state.threshold == 0.4


def test_reset_and_presets_can_be_undone(state):
    state.threshold = 0.3
    changed = state.inputs()
    state.preset = state.preset_names[1]
    of_preset = state.inputs()
    area = state.result.segments.auc
    state.undo()
    assert state.inputs() == changed
    state.redo()
    assert state.inputs() == of_preset
    assert state.result.segments.auc == area
    state.undo()
    assert state.inputs() == changed
    state.reset()
    state.undo()
    assert state.inputs() == changed


def test_one_gesture_is_one_step(state, monkeypatch):
    opening = state.inputs()
    state._gesture = Gesture("the threshold")
    for threshold in (0.3, 0.35, 0.4):
        state.threshold = threshold
    state._gesture = None
    state.threshold = 0.7
    state.undo()
    assert state.threshold == 0.4
    state.undo()
    assert state.inputs() == opening


def test_a_pause_begins_another_step(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(history.time, "monotonic", lambda: clock[0])
    noted = History()
    for value, seconds in ((0, 0), (1, 0), (2, history.PAUSE_SECONDS / 2), (3, 60)):
        clock[0] += seconds
        noted.note({"value": value}, Gesture("the slider"))
    with noted.moving(-1) as inputs:
        assert inputs == {"value": 2}
    with noted.moving(-1) as inputs:
        assert inputs == {"value": 0}


def test_a_hand_that_rests_goes_on_with_its_step_until_it_lets_go(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(history.time, "monotonic", lambda: clock[0])
    noted = History()
    for value, press in ((0, 1), (1, 2), (2, 2), (3, 3), (4, 3)):
        clock[0] += 60
        noted.note({"value": value}, Gesture("the slider", press))
    steps = []
    for _ in range(2):
        with noted.moving(-1) as inputs:
            steps.append(inputs["value"])
    assert steps == [2, 0]
    assert not noted.can_undo


def test_a_change_that_fails_is_no_step(state):
    state.threshold = 0.3
    before = state.inputs()

    def refuse(_change):
        if state.threshold == 0.6:
            raise RuntimeError("the observer is broken")

    state.observe(refuse, "result")
    with pytest.raises(RuntimeError, match="broken"):
        state.threshold = 0.6
    with pytest.raises(traitlets.TraitError):
        state.update(cost_fn=2.0, threshold="high")
    assert state.inputs() == before
    state.undo()
    assert state.threshold != 0.3
    state.redo()
    assert state.inputs() == before


def test_an_undo_that_fails_changes_nothing(state):
    state.threshold = 0.6
    state.threshold = 0.3
    before = state.inputs()

    def refuse(_change):
        if state.threshold == 0.6:
            raise RuntimeError("the observer is broken")

    state.observe(refuse, "result")
    with pytest.raises(RuntimeError, match="broken"):
        state.undo()
    assert state.inputs() == before
    state.unobserve(refuse, "result")
    assert state.undo()
    assert state.threshold == 0.6


def test_steps_are_limited():
    noted = History()
    for value in range(2 * history.MAX_STEPS):
        noted.note({"value": value})
    count = 0
    while noted.can_undo:
        with noted.moving(-1):
            count += 1
    assert count == history.MAX_STEPS - 1


def test_a_drag_is_one_step_whatever_is_dragged(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(history.time, "monotonic", lambda: clock[0])
    explorer = LexicographicExplorer()
    opening = explorer.inputs()

    def receive(**content):
        clock[0] += 60
        explorer._received(content)

    # a card past two others
    for _ in range(2):
        receive(control="attributes", key=2, value="up", press=1)
    assert explorer.order == (2, 0, 1)
    receive(control="attributes", key=1, value="up", press=2)
    assert explorer.undo()
    assert explorer.order == (2, 0, 1)
    assert explorer.undo()
    assert explorer.inputs() == opening
    # each press of a button
    for _ in range(2):
        receive(control="attributes", key=2, value="up")
    assert explorer.undo()
    assert explorer.order == (0, 2, 1)
    assert explorer.undo()
    # a slider, and a handle that is taken twice
    for position in (0, 1, 4):
        receive(control="leaves", position=position, press=3)
    assert explorer.undo()
    assert explorer.inputs() == opening
    for heights in ((0.9, 0.7), (0.5, 0.3)):
        receive(picture="tree", mark="leaves", event="drag_start", x=40.0, y=0.6)
        for y in heights:
            receive(picture="tree", mark="leaves", event="drag", x=40.0, y=y)
        receive(picture="tree", mark="leaves", event="drag_end", x=40.0, y=heights[-1])
    leaves = explorer.leaves
    assert explorer.undo()
    assert explorer.leaves not in (leaves, opening["leaves"])
    assert explorer.undo()
    assert explorer.inputs() == opening
    explorer.close()
