"""Average precision: another package's values, influences, and how often intervals hold it."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm, t
from sklearn.metrics import average_precision_score

from rocviz.core.curve_spaces import average_precision
from rocviz.core.roc import RankedSegments


def drawn(n, prevalence, auc, rng):
    y = rng.random(n) < prevalence
    y[:2] = True, False
    return y, rng.normal(size=n) + np.sqrt(2) * norm.ppf(auc) * y


@pytest.mark.parametrize("decimals", [0, 8])
def test_the_value_is_scikit_learns_and_the_error_that_of_its_influences(decimals):
    y, score = drawn(80, 0.3, 0.8, np.random.default_rng(0))
    score = score.round(decimals)
    result = average_precision(y, score, confidence=0.9)
    assert result.value == pytest.approx(average_precision_score(y, score))
    assert result.prevalence == y.mean()
    # a sample's influence: how much a little more weight of it moves the value
    weight = np.ones(80)
    influence = np.empty(80)
    step = 1e-6
    for i in range(80):
        weight[i] = 1 + step
        influence[i] = average_precision_score(y, score, sample_weight=weight) - result.value
        weight[i] = 1
    variance = 80 / 79 * ((influence / step) ** 2).sum()
    assert result.standard_error**2 == pytest.approx(variance, rel=1e-4)
    half = t.ppf(0.95, y.sum() - 1) * result.standard_error
    half /= result.value * (1 - result.value)
    ends = expit(logit(result.value) - half), expit(logit(result.value) + half)
    assert (result.lower, result.upper) == pytest.approx(ends)


def test_weights_are_repetitions_and_segments_are_samples():
    y, score = drawn(60, 0.3, 0.8, np.random.default_rng(1))
    times = np.arange(60) % 3 + 1
    weighted = average_precision(y, score, sample_weight=times)
    assert weighted == average_precision(np.repeat(y, times), np.repeat(score, times))
    segments = RankedSegments.from_scores(y, score, sample_weight=times)
    assert average_precision(segments) == weighted


def test_clusters():
    y, score = drawn(60, 0.3, 0.8, np.random.default_rng(2))
    plain = average_precision(y, score)
    single = average_precision(y, score, clusters=np.arange(60))
    assert single.standard_error == pytest.approx(plain.standard_error)
    assert (single.lower, single.upper) == pytest.approx((plain.lower, plain.upper))
    rows = np.repeat(np.arange(60), 4)
    copies = average_precision(y[rows], score[rows], clusters=rows)
    assert copies.standard_error == pytest.approx(plain.standard_error)
    assert copies.n_pos == y.sum()
    few = average_precision(y, score, clusters=np.where(y, 0, np.arange(60)))
    assert few.is_fallback
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        average_precision(RankedSegments.from_scores(y, score), clusters=np.arange(60))


def test_what_shows_no_variation_has_clopper_and_pearsons_interval():
    perfect = average_precision([0] * 20 + [1] * 8, range(28))
    assert perfect.is_fallback
    assert np.isnan(perfect.standard_error)
    assert (perfect.value, perfect.upper) == (1, 1)
    assert perfect.lower == pytest.approx(0.025 ** (1 / 8))
    one = average_precision([0, 1, 0], [3, 2, 1])
    assert one.is_fallback
    assert one.value == 0.5


@pytest.mark.parametrize(("prevalence", "auc"), [(0.5, 0.95), (0.05, 0.8)])
def test_the_interval_covers(prevalence, auc):
    rng = np.random.default_rng(3)
    truth = average_precision_score(*drawn(500_000, prevalence, auc, rng))
    n_covered = 0
    for _ in range(200):
        result = average_precision(*drawn(200, prevalence, auc, rng))
        n_covered += result.lower <= truth <= result.upper
    assert n_covered >= 0.89 * 200
