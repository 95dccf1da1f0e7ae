"""The ROC explorer's state: rules, results, words and code, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
import traitlets

from rocviz import RankedSegments, brier_decomposition, calibration_map
from rocviz.core.roc import auc_test
from rocviz.widgets.base.own_data import data_of
from rocviz.widgets.roc.data import CALIBRATIONS, Scored
from rocviz.widgets.roc.state import ROCState

Y = np.array([0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0])
P = np.array([0.1, 0.4, 0.3, 0.8, 0.9, 0.4, 0.6, 0.8, 0.6, 0.2, 0.2, 0.1])


@pytest.fixture
def state():
    return ROCState(Scored(Y, {"model": P}))


def test_own_data_choose_suitable_inputs(state):
    assert state.preset == "own data"
    assert state.threshold == 0.5
    assert state.deployment_prevalence == 0.5
    assert state.result.segments.auc == RankedSegments.from_scores(Y, P).auc


def test_the_explorer_opens_on_other_scores():
    state = ROCState(Scored(Y, {"model": 10 * P - 5}))
    assert state.calibration == "isotonic"
    assert state.bounds == (-4.0, 4.0)
    best = state.result.segments.optimal_point()
    assert state.threshold == best.threshold
    with pytest.raises(traitlets.TraitError, match="needs scores in"):
        state.calibration = "raw"
    assert state.calibration == "isotonic"


@pytest.mark.parametrize(
    ("y", "score"), [([1, 0, 0, 0, 0, 0], [-3.0, 1, 2, 3, 4, 5]), ([0, 1, 0], [3.0, 3.0, 3.0])]
)
def test_the_explorer_opens_if_predicting_no_positives_is_best(y, score):
    state = ROCState(Scored(y, {"m": score}))
    assert np.isfinite(state.threshold)
    assert state.bounds[0] <= state.threshold <= state.bounds[1]


def test_names_of_models_may_be_numbers_but_must_differ():
    state = ROCState(Scored(Y, {1: P, 2: P**2}))
    assert state.model == "1"
    assert "y_score" in state.code()
    with pytest.raises(ValueError, match="same name"):
        Scored(Y, {1: P, "1": P})


def test_a_threshold_gives_the_table_of_the_core(state):
    state.threshold = 0.4
    table = RankedSegments.from_scores(Y, P).at_threshold(0.4)
    assert state.result.table == table
    assert state.to_frame().loc["tpr", "value"] == table.tpr
    assert "5 of 6" in state.sentence
    assert "2 false alarms" in state.sentence


def test_a_batch_gives_one_result(state):
    seen = []
    state.observe(lambda change: seen.append(change["new"]), "result")
    state.update(threshold=0.3, cost_fn=5.0, metric="precision")
    assert len(seen) == 1
    assert seen[0] is state.result
    state.threshold = 0.3
    assert len(seen) == 1


def test_the_operating_point_snaps_to_vertices_and_finds_ties(state):
    segments = state.result.segments
    for i in range(len(segments)):
        x, y = segments.fpr[i + 1], segments.tpr[i + 1]
        state.move_to(x + 0.001, y - 0.001)
        assert state.result.operating_point == pytest.approx((x, y))
        assert state.threshold == segments.score[i]
    i = int(np.flatnonzero(segments.score == 0.4)[0])
    middle = (segments.fpr[i : i + 2].mean(), segments.tpr[i : i + 2].mean())
    state.move_to(*middle)
    assert state.threshold == 0.4
    assert state.random_part == pytest.approx(0.5)
    assert state.result.operating_point == pytest.approx(middle)
    assert (
        "Of the samples tied at the threshold 50 % are predicted positive"
        in state.sentences[2].text
    )
    state.move_to(-1, -1)
    assert state.result.operating_point == (0, 0)


def test_joining_neighbours_is_a_coarser_ranking(state):
    before = state.result
    state.coarsen(1)
    after = state.result
    coarse = before.segments.coarsen(1)
    assert np.array_equal(after.segments.pos, coarse.pos)
    assert np.array_equal(after.segments.neg, coarse.neg)
    assert after.segments.score[1] == pytest.approx((2 * 0.8 + 2 * 0.6) / 4)
    refinement = before.calibrated.after.refinement_loss
    assert after.calibrated.after.refinement_loss >= refinement
    assert after.segments.auc == coarse.auc
    state.coarsen(0)
    assert len(state.result.segments) == len(before.segments) - 2
    with pytest.raises(ValueError, match="segment must be from 0 to"):
        state.coarsen(17)
    state.joined = ()
    assert len(state.result.segments) == len(before.segments)


@pytest.mark.parametrize("method", list(CALIBRATIONS))
@pytest.mark.parametrize("held_out", [False, True])
def test_calibrations_are_those_of_the_core(method, held_out):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    p = np.clip(0.5 + 0.2 * (y - 0.5) + rng.normal(0, 0.2, 200), 0, 1)
    state = ROCState(Scored(y, {"m": p}), calibration=method, held_out=held_out)
    after = state.result.calibrated.after
    if method == "raw" and not held_out:
        assert after.brier == pytest.approx(brier_decomposition(y, p).brier)
    if method == "hull" and not held_out:
        segments = RankedSegments.from_scores(y, p)
        expected = brier_decomposition(y, calibration_map(segments)(p)).brier
        assert after.brier == pytest.approx(expected)
        assert after.miscalibration == pytest.approx(0, abs=1e-12)
    if held_out:
        assert state.result.calibrated.segments.n_samples == 100


def test_held_out_needs_two_of_each_class():
    data = Scored([0, 0, 1], {"m": [0.1, 0.2, 0.3]})
    with pytest.raises(traitlets.TraitError, match="held_out needs"):
        ROCState(data, held_out=True)


@pytest.mark.parametrize("preset", list(ROCState.presets))
def test_presets_match_their_names(preset):
    state = ROCState(preset=preset)
    result = state.result
    expected = {
        "good": result.segments.auc > 0.85,
        "perfect": result.segments.auc > 0.99,
        "random": 0.42 < result.segments.auc < 0.58 and len(result.segments) > 400,
        "worse than random": result.segments.auc < 0.4,
        "a concavity": result.curve.hull.auc - result.segments.auc > 0.05,
        "many ties": len(result.segments) <= 11,
        "over-confident": result.calibrated.after.miscalibration > 0.02,
        "under-confident": result.calibrated.after.miscalibration > 0.01,
        "imbalanced": result.segments.prevalence == 0.03,
        "few samples": result.segments.n_samples == 40,
    }
    assert expected[preset]


def test_weights_count():
    weight = np.arange(1.0, 13.0)
    state = ROCState(Scored(Y, {"a": P, "b": np.roll(P, 3)}, sample_weight=weight))
    weighted = RankedSegments.from_scores(Y, P, sample_weight=weight)
    assert state.result.segments.auc == weighted.auc
    paired = auc_test(Y, P, np.roll(P, 3), sample_weight=weight)
    assert state.result.others[0][2].p_value == pytest.approx(paired.p_value)
    assert state.sentences[3].text.startswith("b has AUC")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ROCState(threshold=0.31, cost_fn=4.0),
        lambda: ROCState(preset="many ties", calibration="beta", held_out=True),
        lambda: ROCState(Scored(Y, {"m": P}), calibration="hull + Laplace", joined=(2, 3)),
        lambda: ROCState(
            Scored(np.where(Y == 1, "a", "b"), {"m": P}, pos_label="a", sample_weight=1 + P),
            calibration="isotonic",
            held_out=True,
            random_part=0.25,
            threshold=0.4,
        ),
        lambda: ROCState(Scored(np.tile(Y, 9), {"m": np.tile(P, 9)}), calibration="sigmoid"),
    ],
)
def test_the_code_shown_gives_the_numbers_shown(make, run_code):
    state = make()
    result = state.result
    names, printed = run_code(state.code())
    assert names["segments"].auc == pytest.approx(result.segments.auc, abs=1e-12)
    assert (names["table"].tp, names["table"].fp) == (result.table.tp, result.table.fp)
    assert names["best"].threshold == result.optimum.threshold
    assert names["brier"].brier == pytest.approx(result.calibrated.after.brier, abs=1e-12)
    assert printed


def test_the_code_uses_the_names_of_the_session(monkeypatch):
    y = np.tile(Y, 9)
    p = np.tile(P, 9)
    monkeypatch.setattr("__main__.labels", y, raising=False)
    monkeypatch.setattr("__main__.bunch", {"p": p}, raising=False)
    code = ROCState(Scored(y, {"m": p})).code()
    assert "y_true = np.asarray(labels)" in code
    assert "y_score = np.asarray(bunch['p'])" in code
    with pytest.raises(KeyError, match="No explorer with data"):
        data_of(10**9, "model")


def test_the_arrays_of_the_caller_stay_writable():
    y = Y.copy()
    p = P.copy()
    state = ROCState(Scored(y, {"m": p}))
    auc = state.result.segments.auc
    p[:] = 0.5
    state.threshold = 0.2
    assert state.result.segments.auc == auc
    assert y.flags.writeable
    assert p.flags.writeable


def test_a_brier_score_written_as_zero_has_no_share():
    text = ROCState(preset="perfect").sentences[2].text
    assert text.startswith("Its Brier score is below 0.001, so calibration has nothing to repair.")
    assert "%" not in text
