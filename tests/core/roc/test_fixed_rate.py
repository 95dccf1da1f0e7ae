"""One rate where the other is fixed: by hand, in the mirror, and how often intervals hold it."""

import numpy as np
import pytest
from scipy.stats import norm

from rocviz.core.roc import (
    RankedSegments,
    binomial_interval,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
)


def drawn(n_pos, n_neg, auc, rng):
    y = np.arange(n_pos + n_neg) < n_pos
    return y, rng.normal(size=y.size) + np.sqrt(2) * norm.ppf(auc) * y


def test_the_quantile_of_the_negatives_sets_the_threshold():
    y = np.r_[np.zeros(9), np.ones(4)].astype(bool)
    score = np.r_[np.arange(1.0, 10), 5.5, 8.5, 9.0, 11]
    # 0.85 * 10 = 8.5: between the eighth and the ninth negative, in the middle
    result = sensitivity_at_specificity(y, score, specificity=0.85)
    assert result.threshold == pytest.approx(8.5)
    assert result.rate == pytest.approx((3 / 4 + 1.5 / 4) / 2)
    # 0.75 * 10: between the seventh and the eighth
    assert sensitivity_at_specificity(y, score, specificity=0.75).rate == pytest.approx(3 / 4)
    # below the lowest negative nine tenths of the positives are above
    assert sensitivity_at_specificity(y, score, specificity=0.05).rate == 1


def test_the_effective_number_is_that_of_the_bootstrap():
    rng = np.random.default_rng(0)
    y, score = drawn(60, 80, 0.8, rng)
    result = sensitivity_at_specificity(y, score, specificity=0.9)
    neg = np.sort(score[~y])
    k = 0.9 * 81
    # the quantile of a resample: an order statistic of uniform numbers, rounded up to a sample
    place = np.ceil(80 * rng.beta(k, 81 - k, 200_000)).astype(int) - 1
    shares = (score[y] > neg[place][:, None]).mean(axis=1)
    z2 = norm.ppf(0.975) ** 2
    centre = (60 * result.rate + z2 / 2) / (60 + z2)
    binomial = centre * (1 - centre)
    expected = binomial / (binomial / 60 + shares.var())
    assert result.n_effective == pytest.approx(expected, rel=0.02)
    ends = binomial_interval(result.rate * result.n_effective, result.n_effective)
    assert (result.lower, result.upper) == pytest.approx(tuple(map(float, ends)))
    assert result.n_effective < 60


def test_the_interval_holds_what_resamples_of_the_threshold_give():
    # where the highest negative is left out of a resample, all positives are above the threshold
    y = np.r_[np.zeros(10), np.ones(20)].astype(bool)
    score = np.r_[np.arange(9.0), 50, np.arange(20.0, 40)]
    result = sensitivity_at_specificity(y, score, specificity=0.9)
    assert result.rate == pytest.approx(0.1)
    assert result.upper == 1
    mirrored = specificity_at_sensitivity(~y, -score, sensitivity=0.9)
    assert (mirrored.rate, mirrored.upper) == (result.rate, 1)


def test_a_perfect_ranking_needs_no_allowance_for_the_quantile():
    result = sensitivity_at_specificity([0] * 40 + [1] * 20, range(60), specificity=0.9)
    assert (result.rate, result.n_effective) == (1, 20)
    lower, upper = binomial_interval(20, 20)
    assert (result.lower, result.upper) == pytest.approx((float(lower), float(upper)))


def test_both_rates_are_mirror_images():
    y, score = drawn(40, 50, 0.85, np.random.default_rng(1))
    there = specificity_at_sensitivity(y, score, sensitivity=0.9, confidence=0.9)
    back = sensitivity_at_specificity(~y, -score, specificity=0.9, confidence=0.9)
    assert (there.rate, there.lower, there.upper) == (back.rate, back.lower, back.upper)
    assert there.threshold == -back.threshold
    assert (there.fixed_rate, there.confidence) == (0.9, 0.9)
    kept = score >= there.threshold
    assert kept[y].mean() == pytest.approx(0.9, abs=0.03)


def test_weights_are_repetitions():
    y, score = drawn(30, 40, 0.8, np.random.default_rng(2))
    times = np.arange(70) % 3 + 1
    weighted = sensitivity_at_specificity(y, score, specificity=0.8, sample_weight=times)
    repeated = sensitivity_at_specificity(
        np.repeat(y, times), np.repeat(score, times), specificity=0.8
    )
    assert weighted == repeated
    segments = RankedSegments.from_scores(y, score, sample_weight=times)
    assert sensitivity_at_specificity(segments, specificity=0.8) == repeated


def test_too_few_negatives_fix_no_high_specificity():
    y, score = drawn(20, 30, 0.8, np.random.default_rng(3))
    assert not sensitivity_at_specificity(y, score, specificity=0.9).is_doubtful
    doubtful = sensitivity_at_specificity(y, score, specificity=0.95)
    assert doubtful.is_doubtful
    assert 0 <= doubtful.lower < doubtful.upper <= 1
    none = sensitivity_at_specificity(y, score, specificity=0.99)
    assert np.isnan([none.rate, none.lower, none.upper, none.threshold]).all()
    assert none.is_doubtful
    edge = sensitivity_at_specificity([0] * 9 + [1] * 5, range(14), specificity=0.9)
    assert edge.threshold == 8  # 0.9 * 10: the highest negative
    with pytest.raises(ValueError, match="specificity must be strictly between 0 and 1"):
        sensitivity_at_specificity(y, score, specificity=1.0)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "auc"), [(25, 25, 0.8), (10, 190, 0.5), (25, 25, 0.998)]
)
def test_the_interval_covers(n_pos, n_neg, auc):
    rng = np.random.default_rng(4)
    truth = norm.sf(norm.ppf(0.9) - np.sqrt(2) * norm.ppf(auc))
    n_covered = n_covered_by_wilson = 0
    for _ in range(300):
        result = sensitivity_at_specificity(*drawn(n_pos, n_neg, auc, rng), specificity=0.9)
        n_covered += result.lower <= truth <= result.upper
        low, high = binomial_interval(result.rate * n_pos, n_pos)
        n_covered_by_wilson += low <= truth <= high
    assert n_covered >= 0.91 * 300
    assert n_covered_by_wilson < n_covered
