"""Undo and redo: each change from Python is a step, and each gesture of the hand is one."""

import pytest
import traitlets
from hypothesis import given
from hypothesis import strategies as st

from rocviz.widgets.base import history
from rocviz.widgets.base.history import History
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
    state.undo()
    assert state.inputs() == changed
    state.reset()
    state.undo()
    assert state.inputs() == changed


def test_one_gesture_is_one_step(state, monkeypatch):
    opening = state.inputs()
    state._gesture = "drag of the threshold"
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
        noted.note({"value": value}, "the slider")
    with noted.moving(-1) as inputs:
        assert inputs == {"value": 2}
    with noted.moving(-1) as inputs:
        assert inputs == {"value": 0}


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
