"""The decision explorer's rules and numbers, without a front end."""

from __future__ import annotations

import asyncio
import warnings

import numpy as np
import pytest
import traitlets

from rocviz import optimal_decision
from rocviz.core.decisions import (
    best_empirical_threshold,
    plug_in_utilities,
    prefix_utilities,
    utility_distribution,
)
from rocviz.core.decisions.reference import exhaustive_decision
from rocviz.core.decisions.utility import resolve_metric
from rocviz.core.roc.metrics import METRICS
from rocviz.widgets.decisions.data import MAX_SAMPLES_OF_EXACT_OUTCOMES, Batch, OwnBatch
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.words import peaks, utility_text

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]

RNG = np.random.default_rng(5)
P = RNG.random(40).round(2)
Y = (RNG.random(40) < P).astype(int)
RATIO_FORMULA = "(1.9 + 2*u + 1.5*v) / (0.8 + 1.3*u - 0.7*v - 0.7*p)"


@pytest.fixture
def state():
    return DecisionState()


def all_sentences(state):
    """Join all sentences in one line."""
    return " ".join(sentence.text for sentence in state.sentences)


@pytest.mark.parametrize("metric", OBJECTIVES)
def test_numbers_are_those_of_the_core(state, metric):
    state.update(metric=metric, beta=2.0, cost_fn=3.0, n_samples=8)
    options = {"beta": 2.0, "cost_fn": 3.0}
    expected = optimal_decision(state.y_prob, metric, **options)
    result = state.result
    assert result.n_predicted_positive == state.k == expected.n_predicted_positive
    np.testing.assert_array_equal(result.true_utilities, expected.utilities)
    np.testing.assert_array_equal(
        result.plug_in, plug_in_utilities(state.y_prob, metric, **options)
    )
    state.k = 3
    law = utility_distribution(np.arange(8) < 3, state.y_prob, metric, **options)
    assert state.result.outcomes.mean == pytest.approx(law.mean, abs=1e-12)
    assert state.result.outcomes.mean == pytest.approx(state.result.true_utilities[3], abs=1e-12)
    assert state.result.search.utility == pytest.approx(
        exhaustive_decision(state.y_prob, metric, **options).utility, abs=1e-12
    )
    assert state.result.search.is_prefix


def test_a_best_k_stays_best_and_any_other_is_kept(state):
    state.metric = "g_tp_pr"
    assert state.k == state.result.n_predicted_positive == 6
    state.k = 2
    state.metric = "accuracy"
    assert state.k == 2
    state.n_samples = 100
    assert state.k == 2
    state.k = 90
    state.n_samples = 10
    assert state.k == 10
    state.k = -1
    assert state.k == state.result.n_predicted_positive


def test_one_probability_is_changed_by_hand(state):
    before = state.y_prob.copy()
    state.set_probability(12, 0.99)
    assert state.probabilities[11] == 0.99
    assert state.sample == 12
    np.testing.assert_array_equal(state.y_prob[:11], before[:11])
    assert state.result.truth.order[0] == 11
    state.prevalence = 0.2
    assert state.probabilities == ()
    state.probabilities = (0.2, 0.9)
    assert state.n_samples == state.size == 2
    state.n_samples = 20
    assert state.probabilities == ()
    assert state.size == 20


def test_wrong_probabilities_cost_utility(state):
    state.update(n_samples=100, prevalence=0.25, over_confidence=3.0)
    result = state.result
    odds = result.truth.prob / (1 - result.truth.prob)
    np.testing.assert_allclose(result.believed.prob, odds**3 / (1 + odds**3), rtol=1e-9)
    assert (
        result.n_predicted_positive
        == optimal_decision(result.believed.prob, "f").n_predicted_positive
    )
    assert result.k_best == optimal_decision(result.truth.prob, "f").n_predicted_positive
    np.testing.assert_array_equal(result.true_utilities, prefix_utilities(result.truth.prob, "f"))
    assert (
        result.true_utilities[result.n_predicted_positive]
        < result.true_utilities[result.k_best] - 0.01
    )
    assert "The wrong probabilities lead to" in state.sentences[1].text
    state.over_confidence = 1.0
    assert state.result.believed is state.result.truth


def test_the_curve_that_is_not_unimodal():
    state = DecisionState(preset="two peaks: F1 is not unimodal")
    published = [0.6256, 0.5874, 0.5741, 0.5693, 0.56788, 0.56794]
    np.testing.assert_allclose(state.result.true_utilities[1:], published, atol=5e-5)
    assert peaks(state.result.true_utilities) == 2
    plateaus = ([2, 2, 2], [0, 1, 1, 0], [1, 0, 1])
    assert [peaks(np.array(curve, dtype=float)) for curve in plateaus] == [1, 1, 2]
    assert "2 peaks" in all_sentences(state)


def test_the_counterexample_has_labels_that_beat_every_prefix():
    state = DecisionState(preset="best labels are not a prefix")
    search = state.result.search
    assert search.positive.tolist() == [False, False, True]
    assert search.utility == pytest.approx(17.04, abs=0.005)
    assert search.prefix_utility == pytest.approx(10.11, abs=0.005)
    assert not state.result.monotonic
    text = all_sentences(state)
    assert "the best is not a prefix of the ranking. It predicts rank 3 positive" in text
    assert state.sentence.endswith(
        "the best of all thresholds; the best labels, which no threshold gives, have 17.044."
    )


def test_a_formula_is_chosen_by_being_typed(state):
    state.formula = " u / (p + v - u) "
    assert (state.metric, state.formula) == ("formula", "u / (p + v - u)")
    expected = optimal_decision(state.y_prob, "jaccard")
    np.testing.assert_allclose(state.result.true_utilities, expected.utilities, atol=1e-13)
    assert state.result.monotonic


@pytest.mark.parametrize(("sample", "p"), [(0, 0.5), (13, 0.5)])
def test_only_existing_samples_can_be_changed(state, sample, p):
    with pytest.raises(ValueError, match="sample must be from 1 to 12"):
        state.set_probability(sample, p)
    state.n_samples = 100
    with pytest.raises(ValueError, match="at most 30 samples"):
        state.set_probability(1, 0.5)


# ---------------------------------------------------------------------- own data


def test_own_data_with_labels():
    state = DecisionState(OwnBatch(Y, P))
    assert (state.preset, state.n_samples) == ("own data", 40)
    best = best_empirical_threshold(Y, P, "f")
    assert state.result.k_eum == np.count_nonzero(best.threshold <= P)
    assert state.result.realised[state.result.k_eum] == best.utility
    assert "on the labels" in all_sentences(state)
    assert "realised" in state.to_frame().columns
    with pytest.raises(traitlets.TraitError, match="fixed by your data at 40"):
        state.n_samples = 30
    with pytest.raises(traitlets.TraitError, match="one entry per sample of your data"):
        state.probabilities = (0.5,)
    state.metric = "am"
    state.preset = "rare positives"
    assert (state.size, state.metric) == (30, "f")
    state.preset = "own data"
    assert state.size == 40
    np.testing.assert_array_equal(state.y_prob, P)


def test_own_data_without_labels_is_edited(run_code):
    state = DecisionState(OwnBatch(None, P[:5]))
    assert state.result.realised is None
    state.set_probability(2, 0.5)
    assert state.y_prob[1] == 0.5
    assert P[1] != 0.5
    check_code(state, run_code)
    state.reset()
    np.testing.assert_array_equal(state.y_prob, P[:5])


# ---------------------------------------------------------------------- large batches


def test_drawn_outcomes_have_the_exact_mean_and_are_the_same_each_time():
    prob = RNG.beta(1, 3, 5 * MAX_SAMPLES_OF_EXACT_OUTCOMES)
    batch = Batch(prob)
    same_batch = Batch(prob)
    f1 = resolve_metric("f1")
    exact = utility_distribution(np.arange(prob.size) < 700, batch.prob, "f")
    outcomes = batch.outcomes(f1, 700)
    assert outcomes.n_draws == 1000
    assert outcomes.mean == pytest.approx(exact.mean, abs=5 * exact.std / np.sqrt(1000))
    assert outcomes.std == pytest.approx(exact.std, rel=0.15)
    assert outcomes.chances.sum() == pytest.approx(1)
    np.testing.assert_array_equal(outcomes.chances, same_batch.outcomes(f1, 700).chances)
    # at the ends of a batch no positive, or every one, is found
    sensitivity = resolve_metric("tpr")
    for k, expected in ((0, 0.0), (prob.size, 1.0)):
        at_end = batch.outcomes(sensitivity, k)
        assert (at_end.mean, at_end.std) == (pytest.approx(expected), pytest.approx(0, abs=1e-12))


def test_moving_k_recomputes_nothing():
    state = DecisionState(n_samples=2000)
    utilities = state.result.true_utilities
    state.k = 700
    assert state.result.true_utilities is utilities


# ---------------------------------------------------------------------- words


@pytest.mark.parametrize("preset", list(DecisionState.presets))
@pytest.mark.parametrize("over_confidence", [None, 2.0])
def test_the_code_gives_the_numbers_on_screen(preset, over_confidence, run_code):
    state = DecisionState(preset=preset)
    if over_confidence:
        state.over_confidence = over_confidence
    state.k = max(state.k - 1, 0)
    check_code(state, run_code)


@pytest.mark.parametrize("labels", [Y, None])
@pytest.mark.parametrize("metric", ["f", "cost", "g_mean"])
def test_the_code_of_own_data(labels, metric, run_code):
    check_code(DecisionState(OwnBatch(labels, P), metric=metric, beta=2.0, cost_fn=2.0), run_code)


def check_code(state, run_code):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Labels that are not a prefix")
        names, printed = run_code(state.code())
    result = state.result
    assert names["decision"].n_predicted_positive == result.n_predicted_positive
    assert names["decision"].utility == pytest.approx(result.decision.utility, rel=1e-12)
    assert ("true" in names) == result.is_miscalibrated
    if result.is_miscalibrated:
        np.testing.assert_allclose(names["true"], result.true_utilities, rtol=1e-12, atol=1e-12)
    assert state.code().count("parse_formula(") == (state.metric == "formula")
    if "plug_in" in names:
        assert result.metric.best(names["plug_in"]).argmax() == result.k_eum
    else:
        assert names["eum"].utility == result.realised[result.k_eum]
    if "law" in names:
        assert names["law"].mean == pytest.approx(result.outcomes.mean, abs=1e-12)
    assert printed


def test_the_sentence_distinguishes_reported_and_true_thresholds():
    state = DecisionState(preset="overconfident")
    k = state.result.k
    believed = state.result.believed.threshold(k)
    true = state.result.truth.threshold(k)
    assert f"(believed probability at least {believed:.3f}, truly {true:.3f})" in state.sentence
    assert "its true mean is" in state.sentence
    state.over_confidence = 1.0
    assert f"(probability at least {state.result.truth.threshold(state.k):.3f})" in state.sentence


def test_ties_at_the_threshold_are_reported():
    state = DecisionState(OwnBatch(None, [0.9] + [0.3] * 11), k=5)
    assert (
        "(probability at least 0.300; 7 more with 0.300 are predicted negative)" in state.sentence
    )
    state.k = 11
    assert "; 1 more with 0.300 is predicted negative)" in state.sentence
    state.k = 1
    assert "more with" not in state.sentence
    state.update(k=5, over_confidence=2.0)
    assert "7 more with 0.300 are predicted negative." in all_sentences(state)


def test_nearly_equal_thresholds_are_reported():
    state = DecisionState(preset="large")
    state.k = state.result.n_predicted_positive - 1
    assert "within 0.00001 of the best, the top " in state.sentence
    state = DecisionState(metric="g_tp_pr", k=5)  # which differ in the fourth digit
    worth, best = state.result.true_utilities[[5, 6]]
    assert f"{worth:.4f}; best is the top 6 with {best:.4f}." in state.sentence
    state = DecisionState(probabilities=(0.5, 0.5), metric="accuracy", k=1)
    assert state.result.n_predicted_positive == 0
    assert state.sentence.endswith("as good as the best, none.")


def test_values_within_rounding_of_one_are_written_as_one(state):
    state.update(formula="max(u, v)", k=12)
    assert "of 1.000" in state.sentence
    assert utility_text(1 - 1e-15) == "1.000"
    assert utility_text(0.9999) == "> 0.999"


def test_the_best_threshold_on_labels_is_worth_what_it_gave_and_what_is_expected():
    y = np.array([1, 1, 0, 0, 0])
    p = np.array([0.9, 0.6, 0.5, 0.4, 0.2])
    state = DecisionState(OwnBatch(y, p))
    expected = prefix_utilities(p, "f")[2]
    assert (
        f"predicts 2 positives: it gives 1.000 there, and {expected:.3f} on average."
        in all_sentences(state)
    )


# ---------------------------------------------------------------------- previews


def by_hand(state, **inputs):
    """Move inputs as a user does; return the preview and its sentence."""

    async def kernel():
        with state.by_hand():
            state.update(**inputs)
        return state.result, state.sentence, state.about

    return asyncio.run(kernel())


def test_a_preview_is_near_the_exact_result():
    state = DecisionState(n_samples=3000)
    result, sentence, about = by_hand(state, over_confidence=2.5)
    assert sentence.startswith("Preview: predicting ")
    assert about.startswith("preview on expected counts")
    assert state.k == result.n_predicted_positive
    assert "This is a preview" in all_sentences(state)
    exact = prefix_utilities(result.believed.prob, "f")
    np.testing.assert_allclose(result.decision.utilities[1:], exact[1:], atol=2e-3)
    state.finish()
    np.testing.assert_array_equal(state.result.decision.utilities, exact)
    assert state.k == state.result.n_predicted_positive == np.argmax(exact)
    assert "review" not in state.about + all_sentences(state)


def test_a_preview_of_other_samples_is_drawn_from_fewer():
    state = DecisionState(n_samples=50_000)
    result, _, about = by_hand(state, prevalence=0.2)
    assert about.startswith("preview from 2,000 samples")
    assert result.truth.n_samples == 50_000
    rough = result.decision.utility
    # a k that moves meanwhile does not wait either
    moved, _, _ = by_hand(state, k=100)
    assert moved.is_preview
    assert moved.decision is result.decision
    state.finish()
    assert state.k == 100
    assert state.result.decision.utility == pytest.approx(rough, abs=0.02)
    np.testing.assert_array_equal(
        state.y_prob, DecisionState(n_samples=50_000, prevalence=0.2).y_prob
    )


@pytest.mark.parametrize("metric", ["f", "g_mean", "cost"])
def test_rough_outcomes_are_near_those_of_all(metric):
    batch = Batch(np.sort(RNG.beta(1, 3, 450))[::-1])
    phi = DecisionState(metric=metric).phi
    exact = batch.outcomes(phi, 120)
    rough = batch.outcomes(phi, 120, rough=True)
    assert rough.mean == pytest.approx(exact.mean, abs=5 * exact.std / np.sqrt(1000))
    assert rough.std == pytest.approx(exact.std, rel=0.15)


# ---------------------------------------------------------------------- other names of metrics


def test_metrics_may_have_names_of_scikit_learn():
    state = DecisionState(metric="matthews_corrcoef", compared_metrics=("balanced_accuracy", "f"))
    assert (state.metric, state.compared_metrics) == ("mcc", ("f", "balanced_accuracy"))
    assert "expected MCC of" in state.sentence
    assert state.k == optimal_decision(state.result.believed.prob, "mcc").n_predicted_positive


def test_a_name_that_implies_beta_sets_it():
    state = DecisionState(metric="f2")
    assert (state.metric, state.beta) == ("f", 2.0)
    state.update(metric="f1", k=2)
    assert (state.metric, state.beta, state.k) == ("f", 1.0, 2)
    with pytest.raises(traitlets.TraitError, match=r"metric must be one of .* got 'odds_ratio'"):
        state.metric = "odds_ratio"
    state.metric = "f0.5"
    with pytest.raises(traitlets.TraitError, match=r"accuracy.*mcc.*got 'f3'"):
        state.metric = "f3"
    assert (state.metric, state.beta) == ("f", 0.5)
