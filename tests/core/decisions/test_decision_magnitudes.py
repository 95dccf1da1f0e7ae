"""Utilities of probabilities, weights, costs and coefficients of any size, typed in by hand."""

import numpy as np
import pytest

from rocviz.core.decisions.decision import optimal_decision, plug_in_utilities, prefix_utilities
from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.label_utility import expected_utility, utility_distribution
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.monotonicity import is_tp_monotonic, is_tpr_tnr_monotonic
from rocviz.core.decisions.poisson_binomial import poisson_binomial_pmf
from rocviz.core.decisions.utility import resolve_metric

MANY = 50  # samples, more than are counted out


@pytest.mark.parametrize(
    ("metric", "weight", "options", "cut", "expected"),
    [
        # a false alarm that weighs 1e-28 of all is not lost in the sum of those called positive
        ("cost", [1e14, 1e-14, 1.0, 1.0], {"cost_fn": 0.0}, 2, -1e-28),
        ("sec", [1e14, 1e-14, 1e-30, 1.0], {}, 2, -1e-56),
        ("accuracy", [1e-30, 1.0, 1.0, 1e-30], {}, 2, 1e-30),
        ("g_mean", [1e-200, 1.0, 1.0, 1e-200], {}, 2, 1e-200),
        ("h_mean", [1e-200, 1.0, 1.0, 1e-200], {}, 2, 1e-200),
        ("g_tp_pr", [1e-200, 1.0, 1.0, 1e-200], {}, 2, 1e-200),
    ],
)
def test_cuts_of_weights_far_apart(metric, weight, options, cut, expected):
    found = best_empirical_threshold(
        [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], metric, sample_weight=weight, **options
    )
    assert found.utilities[cut] == pytest.approx(expected, rel=1e-12, abs=0)


def test_a_correlation_of_weights_far_apart():
    found = best_empirical_threshold(
        [0, 1, 0], [0.9, 0.8, 0.7], "mcc", sample_weight=[1e-200, 1e-200, 1.0]
    )
    assert found.utilities[1] == pytest.approx(-1e-200, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("metric", "probability", "options", "k", "expected"),
    [
        ("cost", 1 - 2.0**-53, {}, MANY, -(2.0**-53)),
        ("accuracy", 1 - 2.0**-53, {}, 0, 2.0**-53),
        ("cost", 0.25, {"cost_fp": 1e-20, "cost_fn": 1e9}, MANY, -0.75e-20),
        # recall counts nearly alone, but nothing over something is 0
        ("f", 1e-20, {"beta": 1e9, "zero_division": 0.5}, 1, 1e-20),
    ],
)
def test_next_to_nothing_in_large_batches(metric, probability, options, k, expected):
    found = optimal_decision([probability] * MANY, metric, **options)
    assert found.utilities[k] == pytest.approx(expected, rel=1e-12, abs=0)


def test_the_table_expected_of_probabilities_next_to_one():
    sure = [1 - 2.0**-53] * 4
    assert plug_in_utilities(sure, "am") == pytest.approx(
        [0.5, 0.5 * (1 / 4 + 3 / 4), 0.5, 0.5, 0.5], rel=1e-12
    )
    assert plug_in_utilities(sure, "cost")[4] == pytest.approx(-(2.0**-53), rel=1e-12, abs=0)


@pytest.mark.parametrize("unit", [1e-150, 1e-20, 1.0, 1e150])
def test_the_law_of_a_cost_does_not_depend_on_its_unit(unit):
    law = utility_distribution([1, 1], [1e-20, 0.5], "cost", cost_fp=unit, cost_fn=0.0)
    assert law.values / unit == pytest.approx([-1.0, -0.5, 0.0])
    assert law.mean == pytest.approx(-0.75 * unit, abs=0)
    assert law.std == pytest.approx(0.25 * unit, abs=0)
    rare = utility_distribution([0], [1e-20], "cost", cost_fp=1e150, cost_fn=unit)
    assert rare.std == pytest.approx(1e-10 * unit, abs=0)


@pytest.mark.parametrize("beta", [1e-101, 1e101])
def test_a_beta_whose_square_leaves_no_room_for_counts_is_refused(beta):
    with pytest.raises(ValueError, match=r"^beta must be from 1e-100 to 1e\+100; got 1e"):
        resolve_metric("f", beta=beta)


def test_a_ratio_that_is_large_only_where_nothing_is_predicted():
    # 1 / (1e-20 + v): nodes that matter to no other cut matter to this one
    ratio = LinearFractional((1, 0, 0, 0), (1e-20, -0.5, 1, 0))
    found = prefix_utilities([1e-15] * MANY, ratio)
    assert found[[0, MANY]] == pytest.approx([1e20, 1.0], rel=1e-12)


@pytest.mark.parametrize(
    ("c", "d", "message"),
    [
        ((0, 1e161, 0), (1, 0, 0), r"^c must be at most 1e\+160 in size; got \(0, 1e\+161, 0\)"),
        ((0, 1, 0), (1, 0, -1e161), r"^d must be at most 1e\+160 in size"),
        ((0, 1, 0), (1, 0, -1e-101), "^d must be 0 or at least 1e-100 in size; got 1e-101"),
    ],
)
def test_coefficients_whose_ratio_may_be_no_number_are_refused(c, d, message):
    with pytest.raises(ValueError, match=message):
        LinearFractional(c, d)


@pytest.mark.parametrize("unit", [1e-150, 1e-13, 1e100])
def test_the_unit_of_a_formula_matters_to_nothing(unit):
    probability = np.linspace(0.02, 0.98, 200)
    plain = "u*(1-v-p+u)/(p+0.1)"
    expected = prefix_utilities(probability, parse_formula(plain))
    found = prefix_utilities(probability, parse_formula(f"{unit!r}*{plain}"))
    np.testing.assert_allclose(found / unit, expected, rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-150, 1e-13, 1.0, 1e150])
def test_a_metric_that_falls_a_little_falls(unit):
    fall = is_tp_monotonic(lambda u, v, p: -unit * u, n=4)
    assert not fall
    assert fall.before - fall.after == pytest.approx(unit / 4, rel=1e-12, abs=0)
    assert not is_tpr_tnr_monotonic(lambda u, v, p: -unit * u, n=4)
    assert is_tpr_tnr_monotonic("cost", n=4, cost_fp=unit, cost_fn=unit / 3)


def test_rates_that_are_tiny_where_all_negatives_are_called():
    recall = parse_formula("u / p")
    found = best_empirical_threshold(
        [1, 0, 1], [0.9, 0.8, 0.7], recall, sample_weight=[1e-9, 1.0, 3e-9]
    )
    assert found.utilities == pytest.approx([0.0, 0.25, 0.25, 1.0], rel=1e-12)
    # 3 of 10 among a million
    table = resolve_metric(recall).at_counts(3, 10**6 - 7, 10, 10**6)
    assert table == pytest.approx(0.3, rel=1e-14)


@pytest.mark.parametrize("labels", [[1, 0], [0, 1]])
def test_a_function_of_rates_that_floats_do_not_tell_from_one_is_refused(labels):
    share = parse_formula("(p-u) / (1-v)")
    with pytest.raises(
        ValueError, match=r"sample_weight.* a function of rates: floats do not tell"
    ):
        best_empirical_threshold(labels, [0.9, 0.8], share, sample_weight=[1.0, 1e-20])


@pytest.mark.parametrize("probability", [1e-30, 1e-250])
def test_what_hardly_ever_happens_in_large_batches(probability):
    # at most one is positive: half of the time it is called so, and then 50 of 99 others are not
    tnr = 50 / 99
    g_mean, h_mean = (prefix_utilities([probability] * 100, name) for name in ("g_mean", "h_mean"))
    assert g_mean[50] == pytest.approx(50 * probability * tnr**0.5, rel=1e-12, abs=0)
    assert h_mean[50] == pytest.approx(50 * probability * 2 * tnr / (1 + tnr), rel=1e-12, abs=0)


def test_rare_outcomes_of_many_samples():
    law = poisson_binomial_pmf([1e-200] * MANY * 2)
    assert law[:2] == pytest.approx([1.0, 1e-198], rel=1e-12, abs=0)
    assert expected_utility([1] + [0] * 99, [1e-200] * 100) == pytest.approx(
        1e-200, rel=1e-12, abs=0
    )


def test_a_metric_that_is_all_but_certain_has_a_standard_deviation():
    # a false alarm is certain but for 1e-100, and costs 1e150
    law = utility_distribution([1], [1e-100], "cost", cost_fp=1e150, cost_fn=1e-150)
    assert law.std == pytest.approx(1e100, rel=1e-12)


@pytest.mark.parametrize("rates", [(0, 1e300, 1), (-0.1, 0, 0), (np.nan, 1, 1), (0.5, 5e-324, 1)])
@pytest.mark.parametrize("metric", ["cost", "mcc"])
def test_rates_of_no_table_are_refused(metric, rates):
    with pytest.raises(ValueError, match=r"^[uvp] must be (within \[0, 1\]|at most v and p); got"):
        resolve_metric(metric)(*rates)


def test_a_formula_with_a_pole_between_counts_is_summed_at_counts():
    # expected, half a positive is found among one that is called: there is the pole
    pole = parse_formula("1 / (u - 1 / 128)")
    found = prefix_utilities([0.5] * 64, pole)[:3]
    np.testing.assert_allclose(found, [-128, 0, 128 / 3], rtol=1e-12, atol=1e-12)


def test_plug_in_utilities_of_a_formula():
    np.testing.assert_allclose(
        plug_in_utilities([0.9, 0.5, 0.1], parse_formula("2 * u")), [0, 0.6, 2.8 / 3, 1], rtol=1e-14
    )
