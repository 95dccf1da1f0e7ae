"""Predictive values at a stated prevalence: worked numbers, limits, and coverage."""

import numpy as np
import pytest

from rocviz import ConfusionTable
from rocviz.core.roc import binomial_interval, predictive_values
from rocviz.core.roc.predictive_values import ratio_ends


def by_equation_9(a, a_ends, b, b_ends):
    """Donner and Zou's equation, as printed."""
    (low_a, high_a), (low_b, high_b) = a_ends, b_ends
    d = high_b * (2 * b - high_b)
    lower = (a * b - np.sqrt((a * b) ** 2 - low_a * (2 * a - low_a) * d)) / d
    d = low_b * (2 * b - low_b)
    upper = (a * b + np.sqrt((a * b) ** 2 - high_a * (2 * a - high_a) * d)) / d
    return lower, upper


def test_the_interval_is_that_of_the_ratio_of_both_rates():
    table = ConfusionTable(tp=40, fp=12, fn=10, tn=88)
    values = predictive_values(table, prevalence=0.1, confidence=0.9)
    assert values.ppv == pytest.approx(0.1 * 0.8 / (0.1 * 0.8 + 0.9 * 0.12))
    assert values.npv == pytest.approx(0.9 * 0.88 / (0.9 * 0.88 + 0.1 * 0.2))
    tpr = binomial_interval(40, 50, confidence=0.9)
    fpr = binomial_interval(12, 100, confidence=0.9)
    low, high = by_equation_9(0.8, tpr, 0.12, fpr)
    odds = np.array([low, high]) / 9
    assert (values.ppv_lower, values.ppv_upper) == pytest.approx(tuple(odds / (1 + odds)))
    tnr = binomial_interval(88, 100, confidence=0.9)
    fnr = binomial_interval(10, 50, confidence=0.9)
    odds = 9 * np.array(by_equation_9(0.88, tnr, 0.2, fnr))
    assert (values.npv_lower, values.npv_upper) == pytest.approx(tuple(odds / (1 + odds)))
    assert (values.prevalence, values.confidence) == (0.1, 0.9)


def test_rates_of_0_and_1_have_intervals():
    perfect = predictive_values(ConfusionTable(tp=30, fp=0, fn=0, tn=30), prevalence=0.2)
    assert perfect.ppv == perfect.ppv_upper == perfect.npv == perfect.npv_upper == 1
    assert 0 < perfect.ppv_lower < 1
    assert 0.2 < perfect.npv_lower < 1
    nobody = predictive_values(ConfusionTable(tp=0, fp=0, fn=5, tn=90), prevalence=0.2)
    assert np.isnan(nobody.ppv)
    assert (nobody.ppv_lower, nobody.ppv_upper) == (0, 1)
    assert nobody.npv == pytest.approx(0.8)
    wrong = predictive_values(ConfusionTable(tp=0, fp=20, fn=20, tn=0), prevalence=0.2)
    assert wrong.ppv == wrong.ppv_lower == wrong.npv == 0
    assert 0 < wrong.ppv_upper < 1
    # nothing is known of either
    assert ratio_ends(0.5, (0.0, 1.0), 0.5, (0.0, 1.0)) == (0, np.inf)


def test_what_is_refused():
    with pytest.raises(ValueError, match="table must be a ConfusionTable; got 3"):
        predictive_values(3, prevalence=0.1)
    with pytest.raises(ValueError, match="table must have samples of both classes"):
        predictive_values(ConfusionTable(tp=1, fp=0, fn=1, tn=0), prevalence=0.1)
    with pytest.raises(ValueError, match="prevalence must be"):
        predictive_values(ConfusionTable(tp=1, fp=1, fn=1, tn=1), prevalence=0)


def test_intervals_cover():
    # those on the scale of log odds cover 20 % here, as one rate is 1 in most samples
    rng = np.random.default_rng(0)
    n_ppv = n_npv = 0
    for _ in range(300):
        tp, tn = rng.binomial(25, 0.99, 2)
        values = predictive_values(
            ConfusionTable(tp=tp, fp=25 - tn, fn=25 - tp, tn=tn), prevalence=0.1
        )
        n_ppv += values.ppv_lower <= 0.099 / (0.099 + 0.009) <= values.ppv_upper
        n_npv += values.npv_lower <= 0.891 / (0.891 + 0.001) <= values.npv_upper
    assert min(n_ppv, n_npv) >= 0.93 * 300
