"""Three answers in the ROC explorer: two thresholds, their zones, costs and code."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import traitlets

from rocviz import RankedSegments, ROCExplorer
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.core.practice import referral_policy
from rocviz.widgets.roc.data import Scored
from rocviz.widgets.roc.state import ROCState
from rocviz.widgets.roc.words import MAX_SENTENCE_LENGTH

RNG = np.random.default_rng(5)
Y = RNG.random(300) < 0.4
P = np.round(1 / (1 + np.exp(-1.5 * (2 * Y - 1) - RNG.normal(size=300))), 3)
SEGMENTS = RankedSegments.from_scores(Y, P)
ENDS = ("lower_threshold", "upper_threshold")


def own(**inputs):
    return ROCState(Scored(Y, {"model": P}), **inputs)


def ends(state):
    return state.lower_threshold, state.upper_threshold


def costs(state):
    return {
        "cost_fn": state.cost_fn,
        "cost_referral": state.cost_referral,
        "prevalence": state.deployment_prevalence,
    }


def test_nothing_is_referred_at_first():
    state = own()
    assert not state.refer
    assert state.result.referral is None
    assert all(view.referral is None for view in state.result.views.values())
    assert "referred" not in " ".join(sentence.text for sentence in state.sentences)
    assert "referral" not in state.code()


def test_referring_puts_both_thresholds_where_they_cost_least():
    state = own(cost_fn=3.0, cost_referral=0.3)
    state.refer = True
    best = referral_policy(SEGMENTS, **costs(state))
    assert best.is_referring
    assert ends(state) == (best.lower_threshold, best.upper_threshold)
    assert state.result.referral.best.cost == pytest.approx(best.cost)
    assert state.result.referral.policy.cost == pytest.approx(best.cost)


def test_a_threshold_moves_alone_and_stops_at_the_other():
    state = own(refer=True)
    lower, upper = ends(state)
    state.move_end("lower", 0.5)
    assert ends(state) == (0.5, upper)
    state.move_end("lower", 0.99)
    assert ends(state) == (upper, upper)
    state.move_end("lower", -7.0)
    assert ends(state) == (0.0, upper)
    state.move_end("lower", 0.4)
    state.move_end("upper", 0.1)
    assert ends(state) == (0.4, 0.4)
    state.move_end("upper", 7.0)
    assert state.result.referral.policy.n_pos[2] == 0
    # what belongs to one threshold alone is as it was
    assert state.threshold == 0.5
    assert lower < upper


def test_points_of_the_curve_are_dragged_to_vertices():
    state = own(refer=True)
    upper = state.upper_threshold
    for i in (200, 150):
        state.move_end_to("lower", SEGMENTS.fpr[i] + 1e-4, SEGMENTS.tpr[i] - 1e-4)
        assert ends(state) == (SEGMENTS.score[i - 1], upper)
    state.move_end_to("upper", 0.0, 0.0)
    assert state.result.referral.policy.n_pos[2] + state.result.referral.policy.n_neg[2] == 0
    view = state.result.views["roc"]
    assert view.referral.upper == (0.0, 0.0)
    assert view.referral.lower == (SEGMENTS.fpr[150], SEGMENTS.tpr[150])
    x, y = view.referral.between
    assert (x[0], y[0]) == view.referral.upper
    assert (x[-1], y[-1]) == view.referral.lower


def test_the_two_isometrics_touch_the_hull_with_their_own_slopes():
    state = own(refer=True, cost_fn=2.0, cost_referral=0.25, deployment_prevalence=0.3)
    lines = state.result.views["roc"].referral
    odds = 0.7 / 0.3
    slopes = {"lower": odds * 0.25 / (2.0 - 0.25), "upper": odds * (1 - 0.25) / 0.25}
    hull = SEGMENTS.hull()
    for (x0, y0), (x, y), slope in (
        (lines.best_lower, lines.best_lower_line, slopes["lower"]),
        (lines.best_upper, lines.best_upper_line, slopes["upper"]),
    ):
        assert np.polyfit(x, y, 1)[0] == pytest.approx(slope)
        assert (hull.tpr - y0 <= slope * (hull.fpr - x0) + 1e-12).all()


def test_python_may_set_both_at_once_or_push_one():
    state = own(refer=True, lower_threshold=0.2, upper_threshold=0.6)
    assert ends(state) == (0.2, 0.6)
    state.lower_threshold = 0.7
    assert ends(state) == (0.7, 0.7)
    state.upper_threshold = 0.3
    assert ends(state) == (0.3, 0.3)
    with pytest.raises(traitlets.TraitError, match="lower_threshold must not exceed"):
        state.update(lower_threshold=0.7, upper_threshold=0.6)
    with pytest.raises(traitlets.TraitError, match="upper_threshold must be from 0 to 1"):
        state.upper_threshold = 1.5
    assert ends(state) == (0.3, 0.3)


def test_thresholds_stay_while_costs_move_until_asked():
    state = own(refer=True)
    before = ends(state)
    state.update(cost_fn=9.0, cost_referral=0.4)
    assert ends(state) == before
    assert state.result.referral.policy.cost > state.result.referral.best.cost
    state.use_best_thresholds()
    best = referral_policy(SEGMENTS, **costs(state))
    assert ends(state) == (best.lower_threshold, best.upper_threshold)
    assert "cost the same" in state.sentences[1].text


def test_a_referral_that_is_too_dear_leaves_one_threshold():
    state = own(refer=True, cost_referral=0.51)
    policy = state.result.referral.best
    assert policy.break_even_price == 0.5
    assert not policy.is_referring
    assert state.lower_threshold == state.upper_threshold == policy.threshold_without
    assert "Referring does not pay: one threshold" in state.sentence
    state.lower_threshold = 0.0
    assert " %) referred" in state.sentence.replace("\u202f", " ")
    assert "Referring does not pay: one threshold" in state.sentence
    lines = state.result.views["roc"].referral
    assert lines.best_lower == lines.best_upper


def test_other_data_get_thresholds_within_their_range():
    state = ROCState(refer=True)
    for preset in state.presets:
        state.preset = preset
        best = state.result.referral.best
        low, high = state.end_bounds
        assert ends(state) == (max(best.lower_threshold, low), min(best.upper_threshold, high))
    state.preset = "good"
    state.lower_threshold = 0.05
    state.separation = 1.9
    assert state.lower_threshold == 0.05
    other = ROCState(Scored(Y, {"model": 10 * P - 4}), refer=True)
    assert -4 <= other.lower_threshold < other.upper_threshold <= 6


def test_all_may_be_referred():
    state = ROCState(preset="worse than random", refer=True)
    policy = state.result.referral.policy
    assert policy.share_referred == 1
    assert policy.cost == pytest.approx(state.cost_referral)
    assert state.sentence.startswith("Nobody is ruled out; nobody ruled in; 500 (100")


@pytest.mark.parametrize("space", list(SPACES))
@pytest.mark.parametrize("cost_referral", [0.0, 0.2, 1.0])
def test_every_space_of_points_shows_both(space, cost_referral):
    state = own(refer=True, space=space, cost_referral=cost_referral)
    lines = state.result.views[space].referral
    assert (lines is not None) == SPACES[space].has_points
    assert state.sentences
    if lines is not None:
        assert len(lines.between[0]) == len(lines.between[1])
        assert np.isfinite(lines.lower + lines.upper).all() or SPACES[space].has_infinite_ends


def test_the_sentence_has_the_size_and_the_errors_of_the_zones():
    state = own(refer=True, lower_threshold=0.3, upper_threshold=0.7)
    out = P < 0.3
    into = P >= 0.7
    for text in (
        f"{out.sum()} are ruled out ({(out & Y).sum()} positive, ",
        f"{into.sum()} ruled in ({(into & ~Y).sum()} negative, ",
        f"{(~out & ~into).sum()} (",
    ):
        assert text in state.sentence
    assert "up to a price of 0.500" in state.sentences[1].text
    state = ROCState(preset="good", n_samples=100_000, refer=True)
    assert len(state.sentence) <= MAX_SENTENCE_LENGTH
    assert " % referred" in state.sentence.replace("\u202f", " ")


def test_the_table_and_the_code_have_the_zones():
    state = ROCState(preset="good", refer=True, cost_fn=4.0)
    state.lower_threshold = 0.07
    frame = state.to_frame()
    policy = state.result.referral.policy
    pd.testing.assert_frame_equal(frame, policy.to_frame().set_index("zone"))
    namespace = {}
    exec(state.code(), namespace)
    assert namespace["policy"].cost == policy.cost
    assert namespace["best"].cost == state.result.referral.best.cost
    state.refer = False
    assert "tpr" in state.to_frame().index


def test_handles_and_controls_are_those_of_two_thresholds():
    explorer = ROCExplorer(Y, P, refer=True)
    controls = explorer.controls()
    shown = {name for name, control in controls.items() if control.is_shown(explorer)}
    assert {*ENDS, "cost_referral", "use_best_thresholds"} <= shown
    assert not {"threshold", "random_part", "metric", "join_next"} & shown
    assert explorer.main_control == "lower_threshold"
    explorer.refer = False
    assert not {*ENDS, "cost_referral", "use_best_thresholds"} & {
        name for name, control in controls.items() if control.is_shown(explorer)
    }
    explorer.close()


def test_sliders_stop_at_each_other_too():
    state = own(refer=True, lower_threshold=0.2, upper_threshold=0.6)
    control = state.controls()["lower_threshold"]
    control.apply(state, "lower_threshold", {"position": 900})
    assert ends(state) == (0.6, 0.6)
    control = state.controls()["upper_threshold"]
    control.apply(state, "upper_threshold", {"position": 1000})
    assert ends(state) == (0.6, np.nextafter(1.0, 2.0))
    control.apply(state, "upper_threshold", {"typed": "0.65"})
    assert ends(state) == (0.6, 0.65)


def test_several_models_take_turns():
    state = ROCState(Scored(Y, {"a": P, "b": 1 - P}), refer=True)
    first = state.result.referral.policy
    state.model = "b"
    assert state.result.referral.policy.cost != first.cost
    explorer = ROCExplorer(Y, {"a": P, "b": P**2}, refer=True)
    assert list(explorer.tables()["a"].index) == ["rule_out", "refer", "rule_in"]
    explorer.close()


def test_both_thresholds_and_the_switch_are_recorded():
    explorer = ROCExplorer(Y, P, refer=True, lower_threshold=0.2, upper_threshold=0.6)
    recording = explorer.record(lower_threshold=[0.1, 0.2, 0.9], upper_threshold=[0.5, 0.6])
    # the page takes the third for the upper threshold, at which the lower one stops
    assert recording.n_states % 6 == 0
    assert ends(explorer) == (0.2, 0.6)
    assert explorer.record(refer=...).n_states >= 2
    explorer.close()
