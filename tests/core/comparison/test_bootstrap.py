"""Resampling whole clusters: brute force, and the effect of clusters."""

import numpy as np
import pytest

from rocviz.core.comparison.auc_covariance import auc_covariance
from rocviz.core.comparison.bootstrap import bootstrap_interval
from rocviz.core.roc.segments import RankedSegments


def clustered(n_clusters=60, seed=0):
    """Samples in clusters of five whose scores vary together."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_clusters), 5)
    shared = rng.normal(size=n_clusters)[group]
    y = rng.random(group.size) < 0.4
    return y, y + shared + 0.3 * rng.normal(size=group.size), group


def test_every_resample_is_a_data_set_of_whole_clusters():
    y, score, group = clustered(6)
    interval = bootstrap_interval(y, score, clusters=group, n_resamples=50, random_state=3)
    # the same draws by hand, one data set after the other
    rng = np.random.default_rng(3)
    for value in interval.resampled:
        while True:
            drawn = rng.integers(6, size=6)
            rows = np.concatenate([np.flatnonzero(group == g) for g in drawn])
            if 0 < y[rows].sum() < rows.size:
                break
        assert value == pytest.approx(RankedSegments.from_scores(y[rows], score[rows]).auc)
    assert interval.value == RankedSegments.from_scores(y, score).auc
    assert (interval.lower, interval.upper) == tuple(
        np.quantile(interval.resampled, [0.025, 0.975])
    )


def test_clusters_make_intervals_as_wide_as_obuchowski_does():
    y, score, group = clustered(200)
    together = bootstrap_interval(y, score, clusters=group, n_resamples=600)
    error = auc_covariance(y, {"m": score}, None, group).standard_error[0]
    assert together.standard_error == pytest.approx(error, rel=0.15)


def test_any_number_of_a_ranking_has_an_interval():
    y, score, group = clustered(20)
    interval = bootstrap_interval(
        y, score, lambda s: s.at_threshold(0.5).tpr, clusters=group, sample_weight=1.0 + y
    )
    assert interval.value == pytest.approx(np.mean(score[y] >= 0.5))
    assert interval.lower < interval.value < interval.upper
    again = bootstrap_interval(y, score, n_resamples=50, random_state=1)
    assert again.resampled.size == 50


def test_samples_of_no_weight_are_as_if_left_out():
    y, _, group = clustered(6)
    score = np.random.default_rng(0).random(y.size)
    weight = 1.0 + np.arange(y.size) % 3
    weight[group == 2] = 0
    kept = weight > 0
    interval = bootstrap_interval(y, score, clusters=group, sample_weight=weight, n_resamples=50)
    without = bootstrap_interval(
        y[kept], score[kept], clusters=group[kept], sample_weight=weight[kept], n_resamples=50
    )
    assert interval.resampled.tolist() == without.resampled.tolist()


def test_resamples_of_one_class_alone_are_refused():
    with pytest.raises(ValueError, match="resamples hold one class only"):
        bootstrap_interval([1, 0], [1.0, 2.0], clusters=["a", "b"], random_state=_Stubborn())


class _Stubborn(np.random.Generator):
    """Draws the first group, always."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))

    def integers(self, high, size=None):
        return np.zeros(size, dtype=int)


def test_resamples_that_agree_are_no_certainty():
    y = np.arange(12) >= 6
    interval = bootstrap_interval(y, np.arange(12.0), n_resamples=50)
    assert interval.is_degenerate
    assert np.isnan(interval.standard_error)
    # six pairs that share no sample
    assert (interval.lower, interval.upper) == pytest.approx((0.025 ** (1 / 6), 1))
    by_pairs = bootstrap_interval(y, np.arange(12.0), clusters=np.arange(12) // 2, n_resamples=50)
    assert by_pairs.lower == pytest.approx(0.025 ** (1 / 3))
    other = bootstrap_interval(y, np.arange(12.0), lambda s: s.auc, n_resamples=50)
    assert other.is_degenerate
    assert np.isnan([other.lower, other.upper]).all()
    usual = bootstrap_interval(y, np.arange(12.0) % 5, n_resamples=50)
    assert not usual.is_degenerate
