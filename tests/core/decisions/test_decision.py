"""Optimal labels: against every labelling, and the edges of the definition."""

from collections import Counter
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
from rocviz.core.roc.metrics import METRICS, find_metric

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]
nan = float("nan")
inf = float("inf")

CONVENTIONS = list(product((*OBJECTIVES, "f1", "f2", "f0.5"), (0.0, 1.0)))
PROBABILITIES = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1, allow_subnormal=False)
)


def oracle(metric, tp, fp, fn, tn, zero_division):
    """Compute a metric at one table by its row; 0/0 is what the convention says."""
    row, options = find_metric(metric)
    value = float(row(tp, fp, fn, tn, **options))
    if np.isnan(value):
        return zero_division if row.undefined is None else row.undefined
    return value


def by_hand(labels, prob, metric, zero_division):
    """Compute the expected metric as a sum over all outcomes."""
    total = 0.0
    for y in product((0, 1), repeat=len(prob)):
        chance = np.prod([p if outcome else 1 - p for p, outcome in zip(prob, y, strict=True)])
        table = Counter(zip(labels, y, strict=True))
        cells = table[1, 1], table[1, 0], table[0, 1], table[0, 0]
        total += chance * oracle(metric, *cells, zero_division)
    return total


@pytest.mark.parametrize(("metric", "zero_division"), CONVENTIONS)
def test_every_labelling_and_every_outcome(metric, zero_division):
    prob = [0.3, 0.9, 0.3, 1.0]
    for labels in product((0, 1), repeat=len(prob)):
        want = by_hand(labels, prob, metric, zero_division)
        utility = expected_utility(labels, prob, metric, zero_division=zero_division)
        assert utility == pytest.approx(want, abs=1e-14)
    decision = exhaustive_decision(prob, metric, zero_division=zero_division)
    best = max if find_metric(metric)[0].higher_is_better else min
    assert decision.utility == pytest.approx(
        best(by_hand(labels, prob, metric, zero_division) for labels in product((0, 1), repeat=4)),
        abs=1e-14,
    )


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize(("metric", "zero_division"), CONVENTIONS)
def test_no_labelling_is_better(metric, zero_division, n):
    rng = np.random.default_rng(n)
    for prob in (rng.random(n), rng.beta(0.3, 1, n), rng.choice([0, 0.2, 0.5, 1], n)):
        decision = optimal_decision(prob, metric, zero_division=zero_division)
        exhaustive = exhaustive_decision(prob, metric, zero_division=zero_division)
        assert decision.utility == pytest.approx(exhaustive.utility, abs=1e-12)
        if metric != "sec":  # two numbers may be equally near to the expected one
            assert decision.n_predicted_positive == exhaustive.labels.sum()
        for k in range(n + 1):
            prefix = np.isin(np.arange(n), decision.order[:k])
            row = (exhaustive.all_labels == prefix).all(axis=1)
            assert decision.utilities[k] == pytest.approx(exhaustive.utilities[row][0], abs=1e-13)


@given(st.sampled_from(CONVENTIONS), st.lists(PROBABILITIES, min_size=2, max_size=12), st.data())
def test_exchanging_a_label_for_one_of_a_more_probable_sample_never_hurts(convention, prob, data):
    metric, zero_division = convention
    labels = np.array(data.draw(st.lists(st.booleans(), min_size=len(prob), max_size=len(prob))))
    i, j = data.draw(st.permutations(range(len(prob))))[:2]
    i, j = (i, j) if prob[i] >= prob[j] else (j, i)
    labels[[i, j]] = False, True
    better = labels.copy()
    better[[i, j]] = True, False
    before = expected_utility(labels, prob, metric, zero_division=zero_division)
    after = expected_utility(better, prob, metric, zero_division=zero_division)
    gain = after - before if find_metric(metric)[0].higher_is_better else before - after
    assert gain >= -1e-13


def test_a_ratio_that_is_not_monotonic_has_no_prefix_as_optimum():
    # the paper's proposition 8 would have it one: c[1] > d[1]
    ratio = LinearFractional(c=(1.9, 2, 1.5), d=(0.8, 1.3, -0.7, -0.7))
    prob = [0.923, 0.815, 0.257]
    exhaustive = exhaustive_decision(prob, ratio)
    np.testing.assert_array_equal(exhaustive.labels, [0, 0, 1])
    assert round(exhaustive.utility, 2) == 17.04
    with pytest.warns(UserWarning, match=r"not a prefix .* may be better than these\. With 2"):
        decision = optimal_decision(prob, ratio)
    assert round(decision.utility, 2) == 10.11
    assert not is_monotonic(ratio, n=3)


def test_functions_that_fall_or_fail_cause_warnings():
    with pytest.warns(UserWarning, match=r"these\. With .* the metric falls from"):
        optimal_decision([0.2, 0.4], lambda u, v, p: -u)
    # no pole with 13 samples, but one with the 12 that are examined
    ratio = LinearFractional((0, 1, 0), (-0.5, 0, 0, 1))
    with pytest.warns(UserWarning, match=r"these\. The metric is infinite for some"):
        decision = optimal_decision(np.linspace(0.1, 0.9, 13), ratio)
    assert np.isfinite(decision.utilities).all()


@pytest.mark.parametrize(("metric", "zero_division"), CONVENTIONS)
@pytest.mark.parametrize("n", [1, 2, 60])
@pytest.mark.parametrize("p", [0.0, 1.0])
def test_certain_outcomes(metric, zero_division, n, p):
    decision = optimal_decision(np.full(n, p), metric, zero_division=zero_division)
    for k in (0, n // 2, n):
        cells = (k, 0, n - k, 0) if p else (0, k, 0, n - k)
        assert decision.utilities[k] == pytest.approx(
            oracle(metric, *cells, zero_division), abs=1e-14
        )


@given(st.lists(PROBABILITIES, min_size=1, max_size=60))
def test_the_best_number_for_the_squared_error_of_counts_is_the_expected_one(prob):
    # Proposition 7: it does not matter which samples are predicted positive
    decision = optimal_decision(prob, "sec")
    mean = float(np.sum(prob))
    assert abs(decision.n_predicted_positive - mean) <= 0.5 + 1e-9
    variance = float(np.sum(np.multiply(prob, np.subtract(1, prob))))
    expected = -((decision.n_predicted_positive - mean) ** 2 + variance) / len(prob) ** 2
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


def test_of_equally_good_prefixes_the_shortest():
    # a half is as good as not for accuracy; all prefixes are for a constant
    assert optimal_decision([0.5, 0.9, 0.5], "accuracy").n_predicted_positive == 1
    constant = optimal_decision([0.5, 0.9], lambda u, v, p: 1e6)
    assert constant.n_predicted_positive == 0
    assert constant.threshold == inf
    np.testing.assert_array_equal(constant.labels, [0, 0])


@given(st.lists(PROBABILITIES, min_size=1, max_size=60), st.randoms())
def test_order_of_the_input_does_not_matter(prob, random):
    shuffled = random.sample(prob, len(prob))
    decision = optimal_decision(prob, "jaccard")
    decision_of_shuffled = optimal_decision(shuffled, "jaccard")
    np.testing.assert_array_equal(decision.utilities, decision_of_shuffled.utilities)
    assert decision.threshold == decision_of_shuffled.threshold
    selected = sorted(np.compress(decision.labels, prob))
    assert selected == sorted(np.compress(decision_of_shuffled.labels, shuffled))


def test_the_result_has_its_arguments():
    prob = np.array([0.1, 0.9, 0.5])
    decision = optimal_decision(prob, "f", beta=2.0, zero_division=1.0)
    assert decision.metric.options == {"beta": 2.0}
    assert decision.metric.zero_division == 1.0
    assert decision.n_samples == 3
    assert decision.error == 0
    assert decision.utility == decision.utilities[decision.n_predicted_positive]
    np.testing.assert_array_equal(decision.y_prob, prob)
    prob[0] = 0.2
    assert decision.y_prob[0] == 0.1


def test_the_table_has_one_row_per_prefix():
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
        difference = plug_in_utilities(prob, metric) - prefix_utilities(prob, metric)
        assert 1e-9 < np.abs(difference[20:-20]).max() < 2e-3
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
    for decide in (optimal_decision, exhaustive_decision):
        labels = decide(prob, "cost", **other).labels
        np.testing.assert_array_equal(labels, decide(prob, "cost", **plain).labels)
    threshold = best_empirical_threshold(y, prob, "cost", **other).threshold
    assert threshold == best_empirical_threshold(y, prob, "cost", **plain).threshold


def test_a_tiny_weight_of_recall_stays_in_the_denominator():
    # a certain positive: if nothing is predicted positive F is 0, not the value of 0/0
    prob = np.append(np.full(44, 0.3), 1.0)
    decision = optimal_decision(prob, "f", beta=1e-6, zero_division=1.0)
    assert decision.utilities[0] == 0
    np.testing.assert_allclose(decision.utilities[1], 1.0, rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-40, 1e-13, 1e40])
def test_the_best_prefix_does_not_depend_on_the_unit_of_a_function(unit):
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


def test_an_extreme_utility_hides_no_other_differences():
    # no predicted positives are worth about -1e12, and the other two prefixes differ by a little
    ratio = LinearFractional((-1, 0.5, 0.1), (1e-12, 0, 1))
    utilities = prefix_utilities([0.6, 0.5], ratio)
    assert utilities[0] < -1e11
    assert 0.1 < utilities[2] - utilities[1] < 1
    assert optimal_decision([0.6, 0.5], ratio).n_predicted_positive == 2
