"""Net benefit with a band: another package's numbers, sample by sample, and coverage."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from rocviz.core.comparison import compare_net_benefit
from rocviz.core.curve_spaces.net_benefit import ClusterCounts, net_benefit_band
from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.roc.segments import RankedSegments


def example():
    """Draw the 200 samples that the other package was given too."""
    i = np.arange(1, 201)
    prob = (i - 0.5) / 200
    return RankedSegments.from_scores(((i * 37) % 101) / 101 < prob**1.3 * 0.9 + 0.02, prob)


@pytest.mark.parametrize(
    ("prevalence", "model", "everybody"),
    [
        # dcurves 1.1.7: dca(..., thresholds=[.1, .3, .5, .8]), with prevalence=.1 below
        (None, [0.3611111, 0.25, 0.15, 0.0], [0.3555556, 0.1714286, -0.16, -1.9]),
        (0.1, [0.015189, -0.117816, -0.194171, -0.210181], [0.0, -0.285714, -0.8, -3.5]),
    ],
)
def test_net_benefit_is_that_of_dcurves(prevalence, model, everybody):
    band = net_benefit_band(example(), thresholds=[0.1, 0.3, 0.5, 0.8], prevalence=prevalence)
    assert band.net_benefit == pytest.approx(model, abs=1e-6)
    assert band.treat_all == pytest.approx(everybody, abs=1e-6)
    share = 0.42 if prevalence is None else prevalence
    assert band.standardised == pytest.approx(band.net_benefit / share)


def test_thresholds_are_those_of_each_percent_and_on_the_decision_curve():
    segments = example()
    band = net_benefit_band(segments)
    curve = space_curve(segments, space="decision")
    assert band.threshold == pytest.approx(np.arange(1, 100) / 100)
    inside = ~np.isin(band.threshold, segments.score)  # where the curve jumps it has both values
    height = np.interp(band.threshold, curve.x, curve.y)
    assert band.net_benefit[inside] == pytest.approx(height[inside], abs=1e-4)


def test_its_error_is_that_of_a_mean_and_one_sample_of_each_class():
    segments = RankedSegments(score=[0.8, 0.4, 0.1], pos=[3, 2, 1], neg=[1, 2, 11])
    prob = np.repeat([0.8, 0.4, 0.1], [4, 4, 12])
    y = np.r_[[1] * 3, 0, 1, 1, 0, 0, 1, [0] * 11]
    t = np.array([0.2, 0.5, 0.9])
    band = net_benefit_band(segments, thresholds=t)
    odds = t / (1 - t)
    benefit = np.where(prob[:, None] >= t, np.where(y[:, None] == 1, 1.0, -odds), 0.0)
    assert band.net_benefit == pytest.approx(benefit.mean(axis=0))
    variance = benefit.var(axis=0) / 20 + (1 + odds**2) / 20**2
    assert band.standard_error == pytest.approx(np.sqrt(variance))
    # of a known prevalence the rates vary within their classes
    known = net_benefit_band(segments, thresholds=t, prevalence=0.1)
    predicted = prob[:, None] >= t
    of_pos = predicted[y == 1].var(axis=0) / (y == 1).sum()
    of_neg = predicted[y == 0].var(axis=0) / (y == 0).sum()
    variance = (0.1**2) * of_pos + (0.9 * odds) ** 2 * of_neg
    variance += 0.1**2 / 6**2 + (0.9 * odds) ** 2 / 14**2
    assert known.standard_error == pytest.approx(np.sqrt(variance))


def population(n, rng):
    y = rng.random(n) < 0.2
    return y, expit(1.2 * rng.normal(1.2 * y) - 0.72 + np.log(0.25))


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_bands_cover_as_stated(prevalence):
    rng = np.random.default_rng(0)
    t = np.array([0.05, 0.2, 0.5, 0.8, 0.95])
    y, prob = population(10**5, rng)
    true = net_benefit_band(y, prob, thresholds=t).net_benefit
    n_points_covered = np.zeros(t.size)
    n_curves_covered = 0
    for _ in range(120):
        segments = RankedSegments.from_scores(*population(300, rng))
        band = net_benefit_band(segments, thresholds=t, prevalence=prevalence)
        n_points_covered += (band.lower <= true) & (true <= band.upper)
        all_at_once = net_benefit_band(
            segments, thresholds=t, prevalence=prevalence, simultaneous=True, n_resamples=100
        )
        assert (all_at_once.upper >= band.upper).all()
        n_curves_covered += ((all_at_once.lower <= true) & (true <= all_at_once.upper)).all()
    # of 120 bands 114 are expected; 105 or fewer of 95 % happen once in 2000 times
    assert n_points_covered.min() > 105
    assert n_curves_covered > 105


def test_one_threshold_is_enough():
    frame = net_benefit_band(example(), thresholds=0.5).to_frame()
    assert frame["net_benefit"].to_list() == pytest.approx([0.15])
    assert next(iter(frame)) == "threshold"


def rare(n, rng):
    """Draw calibrated probabilities at a prevalence of about 0.04."""
    log_odds = rng.normal(-4, 1.3, n)
    return rng.random(n) < expit(log_odds), expit(log_odds)


def test_the_band_covers_with_few_positives():
    # the largest deviation in errors of the data covers 85 of 100
    rng = np.random.default_rng(1)
    t = np.arange(1, 100) / 100
    true = net_benefit_band(*rare(10**6, rng), thresholds=t).net_benefit
    n_covered = 0
    for _ in range(100):
        y, prob = rare(200, rng)
        if y.sum() > 0:
            band = net_benefit_band(y, prob, simultaneous=True, n_resamples=200)
            n_covered += ((band.lower <= true) & (true <= band.upper)).all()
        else:
            n_covered += 1
    assert n_covered >= 90


def test_below_twenty_positives_the_band_is_at_least_bonferronis():
    y = np.arange(100) < 10
    prob = np.where(np.arange(100) % 4 == 0, 0.4, 0.2)
    t = np.array([0.1, 0.15, 0.3, 0.35, 0.5])  # three different tables
    band = net_benefit_band(y, prob, thresholds=t, simultaneous=True, n_resamples=50)
    width = norm.isf(0.025 / 3)
    assert (band.upper - band.net_benefit >= (width - 1e-9) * band.standard_error).all()
    assert (band.net_benefit - band.lower >= (width - 1e-9) * band.standard_error).all()
    more = net_benefit_band(
        np.tile(y, 2), np.tile(prob, 2), thresholds=t, simultaneous=True, n_resamples=50
    )
    steps = (more.upper - more.net_benefit) / more.standard_error
    assert steps.max() < width


def test_bands_of_clusters():
    rng = np.random.default_rng(2)
    y, prob = population(120, rng)
    t = np.array([0.1, 0.2, 0.4])
    plain = {"thresholds": t}
    for prevalence in (None, 0.3):
        plain["prevalence"] = prevalence
        alone = net_benefit_band(y, prob, **plain)
        single = net_benefit_band(y, prob, clusters=np.arange(120), **plain)
        # but for the correction for a small number of clusters
        ratio = single.standard_error / alone.standard_error
        assert ratio == pytest.approx(np.ones(3), abs=0.01)
        rows = np.repeat(np.arange(120), 3)
        copies = net_benefit_band(y[rows], prob[rows], clusters=rows, **plain)
        assert copies.standard_error == pytest.approx(single.standard_error)
        assert copies.lower == pytest.approx(single.lower)
        compared = compare_net_benefit(
            y, {"m": prob}, t, clusters=np.arange(120), prevalence=prevalence
        ).to_frame()
        assert compared["upper"][:3].to_numpy() == pytest.approx(single.upper)
        whole = net_benefit_band(
            y, prob, clusters=np.arange(120) // 2, simultaneous=True, n_resamples=60, **plain
        )
        points = net_benefit_band(y, prob, clusters=np.arange(120) // 2, **plain)
        assert (whole.upper >= points.upper).all()
        assert (whole.lower <= points.lower).all()


def test_clusters_of_bands_that_say_too_little():
    y = np.array([1, 1, 0, 0, 0])
    prob = np.array([0.5, 0.4, 0.3, 0.2, 0.1])
    with pytest.raises(ValueError, match="at least two clusters with samples of each class"):
        net_benefit_band(y, prob, clusters=[1, 1, 2, 3, 4])
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        net_benefit_band(example(), clusters=np.arange(200))

    class Stubborn:
        """A source that draws the first cluster only."""

        def integers(self, high, size):
            return np.zeros(size, dtype=int)

    counts = np.array([[1.0], [0.0]])
    table = ClusterCounts(counts, counts, counts, 1 - counts)
    with pytest.raises(ValueError, match="clusters are so few that resamples hold one class"):
        table.resampled(np.array([0.5]), None, 1, Stubborn())
