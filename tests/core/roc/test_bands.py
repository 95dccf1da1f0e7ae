"""Simultaneous bands: shape, coverage by simulation, and speed-independent facts."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.special import ndtr, ndtri
from scipy.stats import kstwo

from rocviz.core.roc.bands import METHODS, roc_band
from rocviz.core.roc.segments import RankedSegments


def ranking(n_pos, n_neg, seed, separation=1.5, spread=1.0, decimals=None):
    rng = np.random.default_rng(seed)
    y = np.repeat([True, False], [n_pos, n_neg])
    score = np.concatenate((rng.normal(separation, spread, n_pos), rng.normal(size=n_neg)))
    return RankedSegments.from_scores(y, score if decimals is None else score.round(decimals))


@given(
    st.integers(1, 80),
    st.integers(1, 80),
    st.integers(0, 9),
    st.sampled_from([-1.0, 0.0, 2.0, 9.0]),
    st.sampled_from([None, 0]),
    st.sampled_from(METHODS),
)
def test_the_band_contains_the_curve(n_pos, n_neg, seed, separation, decimals, method):
    segments = ranking(n_pos, n_neg, seed, separation, decimals=decimals)
    band = roc_band(segments, method=method, n_resamples=60)
    assert band.fpr[0] == 0
    assert band.fpr[-1] == 1
    assert (np.diff(band.fpr) > 0).all()
    for side in (band.lower, band.upper):
        assert (side >= 0).all()
        assert (side <= 1).all()
        assert (np.diff(side) >= -1e-12).all()
    # both ends of every vertical piece of the curve are inside
    low = np.interp(segments.fpr, band.fpr, band.lower)
    high = np.interp(segments.fpr, band.fpr, band.upper)
    assert (low <= segments.tpr + 1 / 1200).all()
    assert (high >= segments.tpr - 1 / 1200).all()
    assert band.lower[0] == 0
    assert band.upper[-1] == 1
    assert band.method == method or method == "bootstrap"
    assert band.confidence == 0.95


def test_a_bootstrap_band_states_its_method():
    assert roc_band(ranking(30, 30, 0, 9.0)).method == "binomial"
    # of few samples no resample shows how the curve may differ
    few = ranking(19, 100, 0, 2.0)
    exact = roc_band(few, method="kolmogorov-smirnov")
    assert roc_band(few).method == exact.method == "kolmogorov-smirnov"
    np.testing.assert_array_equal(roc_band(few).lower, exact.lower)
    band = roc_band(ranking(60, 60, 0, 1.0))
    assert band.method == "bootstrap"
    assert band.to_frame().columns.tolist() == ["fpr", "lower", "upper"]


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "separation", "spread", "method"),
    [
        (40, 40, 1.5, 1.0, "bootstrap"),
        (30, 150, 1.0, 2.0, "bootstrap"),
        (50, 50, 3.0, 1.0, "bootstrap"),
        (10, 190, 3.64, 1.0, "bootstrap"),
        (30, 150, 1.0, 2.0, "kolmogorov-smirnov"),
    ],
)
def test_it_covers_the_whole_true_curve_as_often_as_stated(
    n_pos, n_neg, separation, spread, method
):
    fpr = np.linspace(0, 1, 401)
    with np.errstate(all="ignore"):
        true = ndtr((separation + ndtri(fpr)) / spread)
    true[[0, -1]] = 0, 1
    runs = 120
    confidence = 0.9
    covered = 0
    for seed in range(runs):
        segments = ranking(n_pos, n_neg, seed, separation, spread)
        band = roc_band(
            segments, confidence=confidence, method=method, n_resamples=150, random_state=seed
        )
        low = np.interp(fpr, band.fpr, band.lower)
        high = np.interp(fpr, band.fpr, band.upper)
        covered += bool((low <= true + 1e-12).all() and (true <= high + 1e-12).all())
    # two standard errors of 120 runs are 0.055
    assert covered / runs >= confidence - 0.055


def test_kolmogorov_smirnov_moves_the_curve_by_exact_quantiles():
    segments = ranking(50, 80, 0)
    band = roc_band(segments, confidence=0.9, method="kolmogorov-smirnov")
    right = kstwo.ppf(np.sqrt(0.9), 80)
    up = kstwo.ppf(np.sqrt(0.9), 50)
    for f, t in zip(segments.fpr, segments.tpr, strict=True):
        if f >= right and t + up <= 1:
            i = np.flatnonzero(np.isclose(band.fpr, f - right, atol=1e-15))
            assert i.size == 1
            assert band.upper[i[0]] >= t + up - 1e-12
        if f + right <= 1 and t >= up:
            i = np.flatnonzero(np.isclose(band.fpr, f + right, atol=1e-15))
            assert band.lower[i[0]] <= t - up + 1e-12


@pytest.mark.parametrize("confidence", [1 - 1e-12, 1 - 2.0**-53])
def test_a_band_of_nearly_full_confidence_is_proper(confidence):
    segments = RankedSegments([2, 1], [1e15, 0], [0, 1e15])
    band = roc_band(segments, method="kolmogorov-smirnov", confidence=confidence)
    # Massart: 2 exp(-2 n d²) of the chance that either class may miss
    width = np.sqrt(np.log(4 / (1 - confidence)) / 2e15)
    assert band.lower[-1] == pytest.approx(1 - width, rel=1e-12)
    assert np.interp(width / 2, band.fpr, band.lower) == 0
    less = roc_band(segments, method="kolmogorov-smirnov", confidence=0.9997)
    assert less.lower[-1] > band.lower[-1]


def test_the_bootstrap_is_reproducible_and_narrower():
    segments = ranking(100, 100, 0)
    band = roc_band(segments, random_state=3)
    np.testing.assert_array_equal(roc_band(segments, random_state=3).lower, band.lower)
    of_generator = roc_band(segments, random_state=np.random.default_rng(3))
    np.testing.assert_array_equal(of_generator.upper, band.upper)
    exact = roc_band(segments, method="kolmogorov-smirnov")
    assert (band.upper - band.lower).mean() < (exact.upper - exact.lower).mean()


def test_a_band_of_many_samples_is_narrow_and_has_few_points():
    band = roc_band(ranking(200_000, 200_000, 0))
    assert band.fpr.size < 2_000
    middle = (band.fpr > 0.1) & (band.fpr < 0.9)
    assert (band.upper - band.lower)[middle].max() < 0.03


def test_perfect_separation_is_not_certainty():
    segments = RankedSegments([2, 1], [20, 0], [0, 20])
    for method in METHODS:
        band = roc_band(segments, method=method)
        assert np.interp(0.01, band.fpr, band.lower) < 0.9
        assert band.lower.max() < 1


def test_bands_of_clusters_draw_whole_clusters():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(40), 5)
    y = patient % 2 == 1
    score = rng.normal(size=40)[patient] + 0.5 * rng.normal(size=200) + y
    rows = roc_band(y, score)
    band = roc_band(y, score, clusters=patient)
    assert (band.upper - band.lower).mean() > 1.2 * (rows.upper - rows.lower).mean()
    segments = RankedSegments.from_scores(y, score)
    curve = np.interp(band.fpr, segments.fpr, segments.tpr)
    assert (band.lower <= curve + 1e-9).all()
    single = roc_band(y, score, clusters=np.arange(200))
    assert (single.upper - single.lower).mean() == pytest.approx(
        (rows.upper - rows.lower).mean(), rel=0.1
    )
    # copies of rows say no more
    again = np.tile(np.arange(200), 3)
    copies = roc_band(y[again], score[again], clusters=again)
    assert (copies.upper - copies.lower).mean() == pytest.approx(
        (single.upper - single.lower).mean(), rel=0.1
    )


def test_few_clusters_have_the_band_of_as_many_samples():
    segments = ranking(19, 100, 0, 2.0)
    score = np.repeat(segments.score, (segments.pos + segments.neg).astype(int))
    is_pos = np.repeat(segments.pos > 0, (segments.pos + segments.neg).astype(int))
    again = np.tile(np.arange(119), 3)
    band = roc_band(is_pos[again], score[again], clusters=again)
    exact = roc_band(is_pos, score, method="kolmogorov-smirnov")
    assert band.method == "kolmogorov-smirnov"
    assert is_pos.sum() == 19
    np.testing.assert_allclose(band.lower, exact.lower, atol=1e-12)


def test_clusters_of_bands_that_are_refused():
    y = np.array([0, 1] * 10)
    score = np.arange(20.0)
    with pytest.raises(ValueError, match="clusters need method='bootstrap'"):
        roc_band(y, score, clusters=np.arange(20), method="kolmogorov-smirnov")
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        roc_band(RankedSegments.from_scores(y, score), clusters=np.arange(20))
    with pytest.raises(ValueError, match="at least two clusters with samples of each class"):
        roc_band(y, score, clusters=np.where(y == 1, 0, np.arange(20)))

    class Stubborn(np.random.Generator):
        """A source that draws the first cluster only."""

        def integers(self, high, size=None):
            return np.zeros(size, dtype=int)

    with pytest.raises(ValueError, match="resamples hold one class only"):
        roc_band(y, score, clusters=np.arange(20), random_state=Stubborn(np.random.PCG64(0)))
