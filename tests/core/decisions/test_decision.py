"""Optimal labels: against every labelling, and the edges of the definition."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.decisions.decision import optimal_decision, plug_in_utilities, prefix_utilities
from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.label_utility import expected_utility
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.core.decisions.reference import exhaustive_decision
from rocviz.core.roc.metrics import METRICS

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]
nan = float("nan")
inf = float("inf")

CONVENTIONS = [
    (metric, spare) for metric in (*OBJECTIVES, "f1", "f2", "f0.5") for spare in (0.0, 1.0)
]
PROBABILITIES = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1, allow_subnormal=False)
)


def oracle(metric, tp, fp, fn, tn, spare):
    """Compute a metric from the four cells as its definition says."""
    if metric in ("accuracy", "cost"):
        return (
            (tp + tn) / (tp + fp + fn + tn)
            if metric == "accuracy"
            else (fp + fn) / (tp + fp + fn + tn)
        )
    if metric == "sec":
        return -(((fn - fp) / (tp + fp + fn + tn)) ** 2)
    if metric.startswith("f"):
        b2 = float(metric[1:] or 1) ** 2
        whole = (1 + b2) * tp + b2 * fn + fp
        return (1 + b2) * tp / whole if whole else spare
    if metric == "jaccard":
        return tp / (tp + fp + fn) if tp + fp + fn else spare
    if metric == "g_tp_pr":
        if tp + fp == tp + fn == 0:
            return spare
        return tp / ((tp + fp) * (tp + fn)) ** 0.5 if tp else 0.0
    if metric == "mcc":
        root = ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
        return (tp * tn - fp * fn) / root if root else 0.0
    if not (tp + fn and tn + fp):
        return spare
    rates = tp / (tp + fn), tn / (tn + fp)
    if metric == "q_mean":
        return 1 - np.mean([(1 - rate) ** 2 for rate in rates])
    if metric == "balanced_accuracy":
        return np.mean(rates)
    if metric == "g_mean":
        return np.prod(rates) ** 0.5
    return 2 / sum(1 / rate for rate in rates) if all(rates) else 0.0


def by_hand(labels, prob, metric, spare):
    """Compute the expected metric as a sum over all outcomes."""
    total = 0.0
    for y in product((0, 1), repeat=len(prob)):
        chance = np.prod([p if yes else 1 - p for p, yes in zip(prob, y, strict=True)])
        cells = [sum((s, t) == cell for s, t in zip(labels, y, strict=True)) for cell in CELLS]
        total += chance * oracle(metric, *cells, spare)
    return total


CELLS = ((1, 1), (1, 0), (0, 1), (0, 0))


@pytest.mark.parametrize(("metric", "spare"), CONVENTIONS)
def test_every_labelling_and_every_outcome(metric, spare):
    prob = [0.3, 0.9, 0.3, 1.0]
    for labels in product((0, 1), repeat=len(prob)):
        want = by_hand(labels, prob, metric, spare)
        utility = expected_utility(labels, prob, metric, zero_division=spare)
        assert utility == pytest.approx(want, abs=1e-14)
    decision = exhaustive_decision(prob, metric, zero_division=spare)
    best = min if metric == "cost" else max
    assert decision.utility == pytest.approx(
        best(by_hand(labels, prob, metric, spare) for labels in product((0, 1), repeat=4)),
        abs=1e-14,
    )


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize(("metric", "spare"), CONVENTIONS)
def test_no_labelling_is_better(metric, spare, n):
    rng = np.random.default_rng(n)
    for prob in (rng.random(n), rng.beta(0.3, 1, n), rng.choice([0, 0.2, 0.5, 1], n)):
        decision = optimal_decision(prob, metric, zero_division=spare)
        found = exhaustive_decision(prob, metric, zero_division=spare)
        assert decision.utility == pytest.approx(found.utility, abs=1e-12)
        if metric != "sec":  # two numbers may be equally near to the expected one
            assert decision.n_predicted_positive == found.labels.sum()
        for k in range(n + 1):
            chosen = np.isin(np.arange(n), decision.order[:k])
            row = (found.all_labels == chosen).all(axis=1)
            assert decision.utilities[k] == pytest.approx(found.utilities[row][0], abs=1e-13)


@given(st.sampled_from(CONVENTIONS), st.lists(PROBABILITIES, min_size=2, max_size=12), st.data())
def test_exchanging_a_label_for_one_of_a_more_probable_sample_never_hurts(convention, prob, data):
    metric, spare = convention
    labels = np.array(data.draw(st.lists(st.booleans(), min_size=len(prob), max_size=len(prob))))
    i, j = data.draw(st.permutations(range(len(prob))))[:2]
    i, j = (i, j) if prob[i] >= prob[j] else (j, i)
    labels[[i, j]] = False, True
    better = labels.copy()
    better[[i, j]] = True, False
    before, after = (
        expected_utility(x, prob, metric, zero_division=spare) for x in (labels, better)
    )
    assert (before - after if metric == "cost" else after - before) >= -1e-13


def test_a_ratio_that_is_not_monotonic_has_no_prefix_as_optimum():
    # the paper's proposition 8 would have it one: c[1] > d[1]
    ratio = LinearFractional(c=(1.9, 2, 1.5), d=(0.8, 1.3, -0.7, -0.7))
    prob = [0.923, 0.815, 0.257]
    found = exhaustive_decision(prob, ratio)
    np.testing.assert_array_equal(found.labels, [0, 0, 1])
    assert round(found.utility, 2) == 17.04
    with pytest.warns(UserWarning, match=r"not a prefix .* may be better than these\. With 2"):
        decision = optimal_decision(prob, ratio)
    assert round(decision.utility, 2) == 10.11
    assert not is_monotonic(ratio, n=3)


def test_functions_that_fall_or_fail_cause_warnings():
    with pytest.warns(UserWarning, match=r"these\. With .* the metric falls from"):
        optimal_decision([0.2, 0.4], lambda u, v, p: -u)
    # no pole with 13 samples, but one with the 12 that are looked at
    ratio = LinearFractional((0, 1, 0), (-0.5, 0, 0, 1))
    with pytest.warns(UserWarning, match=r"these\. The metric is infinite for some"):
        decision = optimal_decision(np.linspace(0.1, 0.9, 13), ratio)
    assert np.isfinite(decision.utilities).all()


@pytest.mark.parametrize(("metric", "spare"), CONVENTIONS)
@pytest.mark.parametrize("n", [1, 2, 60])
@pytest.mark.parametrize("p", [0.0, 1.0])
def test_certain_outcomes(metric, spare, n, p):
    decision = optimal_decision(np.full(n, p), metric, zero_division=spare)
    for k in (0, n // 2, n):
        cells = (k, 0, n - k, 0) if p else (0, k, 0, n - k)
        assert decision.utilities[k] == pytest.approx(oracle(metric, *cells, spare), abs=1e-14)


@given(st.lists(PROBABILITIES, min_size=1, max_size=60))
def test_the_best_number_for_the_squared_error_of_counts_is_the_expected_one(prob):
    # Proposition 7: it does not matter which samples are called positive
    decision = optimal_decision(prob, "sec")
    mean = float(np.sum(prob))
    assert abs(decision.n_predicted_positive - mean) <= 0.5 + 1e-9
    spread = float(np.sum(np.multiply(prob, np.subtract(1, prob))))
    expected = -((decision.n_predicted_positive - mean) ** 2 + spread) / len(prob) ** 2
    assert decision.utility == pytest.approx(expected, abs=1e-13)
    least = np.argsort(prob, kind="stable")[: decision.n_predicted_positive]
    labels = np.isin(np.arange(len(prob)), least)
    assert expected_utility(labels, prob, "sec") == pytest.approx(decision.utility, abs=1e-13)


def test_equal_probabilities_go_in_the_order_of_the_input():
    prob = [0.4, 0.7, 0.4, 0.7, 0.4]
    decision = optimal_decision(prob, "f2")
    np.testing.assert_array_equal(decision.order, [1, 3, 0, 2, 4])
    assert decision.n_predicted_positive == 5
    decision = optimal_decision([0.5, 0.5, 0.5, 0.5], "q_mean")
    assert decision.threshold == 0.5
    np.testing.assert_array_equal(decision.labels, [1, 1, 0, 0])


def test_of_equally_good_cuts_the_one_with_fewest_positives():
    # a half is as good as not for accuracy; all cuts are for a constant
    assert optimal_decision([0.5, 0.9, 0.5], "accuracy").n_predicted_positive == 1
    constant = optimal_decision([0.5, 0.9], lambda u, v, p: 1e6)
    assert constant.n_predicted_positive == 0
    assert constant.threshold == inf
    np.testing.assert_array_equal(constant.labels, [0, 0])


@given(st.lists(PROBABILITIES, min_size=1, max_size=60), st.randoms())
def test_order_of_the_input_does_not_matter(prob, random):
    shuffled = random.sample(prob, len(prob))
    one = optimal_decision(prob, "jaccard")
    two = optimal_decision(shuffled, "jaccard")
    np.testing.assert_array_equal(one.utilities, two.utilities)
    assert one.threshold == two.threshold
    assert sorted(np.array(prob)[one.labels == 1]) == sorted(np.array(shuffled)[two.labels == 1])


def test_the_result_has_its_arguments():
    prob = np.array([0.1, 0.9, 0.5])
    decision = optimal_decision(prob, "f", beta=2.0, zero_division=1.0)
    assert decision.metric.beta == 2.0
    assert decision.metric.zero_division == 1.0
    assert decision.n_samples == 3
    assert decision.error == 0
    assert decision.utility == decision.utilities[decision.n_predicted_positive]
    np.testing.assert_array_equal(decision.y_prob, prob)
    prob[0] = 0.2
    assert decision.y_prob[0] == 0.1


def test_the_table_has_one_row_per_cut():
    frame = optimal_decision([0.1, 0.9, 0.5], "f1").to_frame()
    assert list(frame) == ["k", "threshold", "utility", "plug_in"]
    assert frame["threshold"].tolist() == [inf, 0.9, 0.5, 0.1]
    assert frame["utility"].round(4).tolist() == [0, 0.7275, 0.766, 0.6365]
    assert frame["plug_in"].round(4).tolist() == [0, 0.72, 0.8, 0.6667]


def test_plug_in_is_exact_where_the_metric_is_linear_and_near_for_many():
    rng = np.random.default_rng(0)
    prob = rng.random(2000)
    np.testing.assert_allclose(
        plug_in_utilities(prob, "accuracy"), prefix_utilities(prob, "accuracy"), atol=1e-13
    )
    for metric in ("f1", "jaccard", "am", "g_mean"):
        apart = plug_in_utilities(prob, metric) - prefix_utilities(prob, metric)
        assert 1e-9 < np.abs(apart[20:-20]).max() < 2e-3
    np.testing.assert_array_equal(plug_in_utilities([1.0, 1.0], "g_mean"), [0, 0, 0])


def test_plug_in_takes_functions_at_expected_tables():
    utilities = plug_in_utilities([0.9, 0.5, 0.1], lambda u, v, p: u - (v - u))
    np.testing.assert_allclose(utilities, np.array([0, 0.8, 0.8, 0]) / 3, atol=1e-15)


@pytest.mark.parametrize("function", [optimal_decision, prefix_utilities, plug_in_utilities])
def test_empty_batches_are_refused(function):
    with pytest.raises(ValueError, match=r"^y_prob is empty; at least one sample is needed"):
        function([])


@pytest.mark.parametrize("unit", [1e-40, 1e-13, 1e40])
def test_the_unit_of_cost_does_not_change_a_decision(unit):
    prob = [0.2, 0.7, 0.6, 0.9, 0.4]
    y = [0, 1, 0, 1, 1]
    plain = {"cost_fp": 1, "cost_fn": 3}
    other = {"cost_fp": unit, "cost_fn": 3 * unit}
    for call in (optimal_decision, exhaustive_decision):
        assert (
            call(prob, "cost", **other).labels.tolist()
            == call(prob, "cost", **plain).labels.tolist()
        )
    decisions = [best_empirical_threshold(y, prob, "cost", **costs) for costs in (plain, other)]
    assert decisions[0].threshold == decisions[1].threshold


def test_a_tiny_weight_of_recall_stays_in_the_denominator():
    # a certain positive: without a call F is 0, not the value of 0/0
    prob = np.append(np.full(44, 0.3), 1.0)
    decision = optimal_decision(prob, "f", beta=1e-6, zero_division=1.0)
    assert decision.utilities[0] == 0
    np.testing.assert_allclose(decision.utilities[1], 1.0, rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-40, 1e-13, 1e40])
def test_the_best_cut_does_not_depend_on_the_unit_of_a_function(unit):
    prob = [0.9, 0.7, 0.4, 0.2]
    ratio = LinearFractional((0, 2 * unit, 0), (0, 0, 1, 1))
    formula = parse_formula(f"{unit!r} * 2*u / (v + p)")
    y = [1, 0, 1, 1, 0]
    score = [0.9, 0.8, 0.7, 0.6, 0.1]
    expected = optimal_decision(prob, "f1").n_predicted_positive
    threshold = best_empirical_threshold(y, score, "f1").threshold
    assert expected > 0
    assert threshold == 0.6
    for metric in (ratio, formula):
        assert optimal_decision(prob, metric).n_predicted_positive == expected
        assert exhaustive_decision(prob, metric).labels.sum() == expected
        assert best_empirical_threshold(y, score, metric).threshold == threshold


def test_an_extreme_cut_hides_no_other_differences():
    # no predicted positives are worth about -1e12, and of the other cuts two differ by a little
    ratio = LinearFractional((-1, 0.5, 0.1), (1e-12, 0, 1))
    utilities = prefix_utilities([0.6, 0.5], ratio)
    assert utilities[0] < -1e11
    assert 0.1 < utilities[2] - utilities[1] < 1
    assert optimal_decision([0.6, 0.5], ratio).n_predicted_positive == 2
