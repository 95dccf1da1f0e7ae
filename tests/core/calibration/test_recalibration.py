"""Shift, intercept and slope of log-odds: score and likelihood intervals, moved predictions."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logit

from rocviz.core.calibration.summary import calibration_summary
from rocviz.core.roc.segments import RankedSegments


def summary_of(y, prob, **options):
    return calibration_summary(y, prob, n_resamples=0, **options)


def likelihood(y, x, intercept, slope):
    log_odds = intercept + slope * x
    return np.sum(np.where(y, log_expit(log_odds), log_expit(-log_odds)))


def share_separated(y, prob, slope):
    """Add up the probabilities of all separated outcomes among those with both classes."""
    x = logit(prob)
    best = minimize(lambda a: -likelihood(y, x, a[0], slope), [0.0], method="BFGS", tol=1e-12)
    p = expit(best.x[0] + slope * x)
    both = separated = 0.0
    for outcome in product([False, True], repeat=y.size):
        of_pos = x[np.array(outcome)]
        of_neg = x[~np.array(outcome)]
        if of_pos.size and of_neg.size:
            share = np.prod(np.where(outcome, p, 1 - p))
            both += share
            separated += share * (of_pos.min() >= of_neg.max())
    return separated / both


# ---------------------------------------------------------------------- observed over expected


def test_of_equal_predictions_the_ratio_has_wilsons_interval():
    # Wilson (1927) for 12 of 40: 0.1807 to 0.4543
    ratio = summary_of(np.arange(40) < 12, np.full(40, 0.2)).observed_expected
    z = 1.959963984540054
    centre = (12 + z**2 / 2) / (40 + z**2)
    half = z / (40 + z**2) * np.sqrt(12 * 28 / 40 + z**2 / 4)
    ends = (centre - half, centre + half)
    assert ends == pytest.approx((0.1807, 0.4543), abs=1e-4)
    assert (ratio.lower, ratio.upper) == pytest.approx(np.divide(ends, 0.2), rel=1e-9)


def test_perfect_samples_do_not_make_the_ratio_certain():
    ratio = summary_of([0, 0, 1, 1], [0.0, 0.0, 1.0, 1.0]).observed_expected
    assert (ratio.value, ratio.lower, ratio.upper) == pytest.approx((1, 0.336, 1.664), abs=1e-3)
    assert "within a factor only" in ratio.reason
    assert summary_of([0, 1] * 5, [0.1, 0.9] * 5).observed_expected.reason == ""


@pytest.mark.parametrize(
    ("far", "share", "n"), [(0.001, 0.2, 50), (0.01, 0.2, 100), (0.02, 0.1, 100)]
)
def test_the_ratio_of_strong_calibrated_predictions_is_covered(far, share, n):
    # residual variances covered .19, .61 and .84; of 200 sets 190 are expected
    rng = np.random.default_rng(3)
    covered = []
    while len(covered) < 200:
        prob = np.where(rng.random(n) < share, 1 - far, far)
        y = rng.random(n) < prob
        if 0 < y.sum() < n:
            ratio = summary_of(y, prob).observed_expected
            covered.append(ratio.lower <= 1 <= ratio.upper)
    assert sum(covered) >= 182


def test_the_shift_of_predictions_that_are_too_steep_is_covered():
    # Fisher's variance alone covered .86
    rng = np.random.default_rng(0)
    many = rng.normal(size=10**5)
    grid = np.linspace(-0.5, 0.5, 1001)
    expected = [expit(3 * many[:20000] + shift).mean() for shift in grid[::50]]
    true = np.interp(expit(many).mean(), expected, grid[::50])
    covered = []
    for _ in range(200):
        x = rng.normal(size=100)
        shift = summary_of(rng.random(100) < expit(x), expit(3 * x)).in_the_large
        covered.append(shift.lower <= true <= shift.upper)
    assert sum(covered) >= 181


def test_ratio_and_shift_agree():
    rng = np.random.default_rng(1)
    prob = rng.beta(1, 3, 150)
    y = rng.random(150) < prob
    summary = summary_of(y, prob)
    ends = [summary.in_the_large.lower, summary.in_the_large.upper]
    expected = [expit(logit(prob) + end).sum() / prob.sum() for end in ends]
    ratio = summary.observed_expected
    # calibrated predictions: no dispersion beyond the binomial, so the ends are the same
    assert (ratio.lower, ratio.upper) == pytest.approx(expected, rel=0.02)


def test_the_score_interval_is_where_the_statistic_is_at_its_bound():
    rng = np.random.default_rng(2)
    prob = rng.beta(1, 3, 80)
    y = rng.random(80) < prob**2
    shift = summary_of(y, prob).in_the_large
    fitted = expit(logit(prob) + shift.value)
    factor = max(1, np.sum((y - fitted) ** 2) / np.sum(fitted * (1 - fitted)))
    for end in (shift.lower, shift.upper):
        fitted = expit(logit(prob) + end)
        z = (y.sum() - fitted.sum()) / np.sqrt(factor * np.sum(fitted * (1 - fitted)))
        assert abs(z) == pytest.approx(1.959963984540054, rel=1e-8)


def test_errors_of_saturated_predictions_make_wide_intervals_and_are_said():
    prob = np.repeat([1e-9, 1 - 1e-9], 50)
    y = np.arange(100) >= 50
    y[:3] = True
    y[-3:] = False
    summary = summary_of(y, prob)
    assert summary.observed_expected.lower < 0.1
    assert summary.observed_expected.upper > 1.9
    assert summary.observed_expected.reason.startswith("The outcomes vary far more")
    assert summary.reasons[0] == summary.observed_expected.reason
    rows = summary_of(y, prob, clusters=np.arange(100))
    assert rows.observed_expected.reason == ""


def test_predictions_that_are_all_0_have_no_ratio():
    ratio = summary_of([0, 1, 1], [0.0] * 3).observed_expected
    assert ratio.value == np.inf
    assert np.isnan([ratio.lower, ratio.upper]).all()
    assert ratio.reason.startswith("All predictions are 0")


# ---------------------------------------------------------------------- log-odds as they are


def small_risks():
    """Draw 1,000 risks below 4.9e-4, all of them below half a sample, and two events."""
    prob = np.geomspace(1e-6, 4.9e-4, 1000)
    y = np.zeros(1000, dtype=bool)
    y[[700, 930]] = True
    return y, prob


def test_small_risks_are_taken_as_they_are():
    # moved to half a sample the slope was 1.5e14
    y, prob = small_risks()
    summary = summary_of(y, prob)
    assert summary.moved == 0
    best = minimize(
        lambda c: -likelihood(y, logit(prob), *c), [0.0, 1.0], method="BFGS", tol=1e-9
    ).x
    assert (summary.intercept.value, summary.slope.value) == pytest.approx(best, abs=1e-3)
    assert summary.slope.lower < summary.slope.value < summary.slope.upper


def test_a_ratio_of_1_is_a_shift_of_0():
    y, prob = small_risks()
    summary = summary_of(y, prob * 2 / prob.sum())
    assert summary.observed_expected.value == pytest.approx(1)
    assert summary.in_the_large.value == pytest.approx(0, abs=1e-9)


def test_slopes_of_rare_and_steep_predictions_are_covered():
    # moved by half a sample: mean slope .57 for .50
    rng = np.random.default_rng(0)
    slopes = []
    for _ in range(60):
        x = rng.normal(logit(0.044) * 1.15, 1.2, 600)
        slopes.append(summary_of(rng.random(600) < expit(x), expit(2 * x)).slope)
    assert np.mean([slope.value for slope in slopes]) == pytest.approx(0.5, abs=0.04)
    assert sum(slope.lower <= 0.5 <= slope.upper for slope in slopes) >= 53


@pytest.mark.parametrize("scale", [0.1, 0.01])
def test_scaled_weights_leave_the_estimates(scale):
    rng = np.random.default_rng(0)
    prob = rng.beta(0.3, 0.6, 400)
    y = rng.random(400) < prob
    whole = summary_of(y, prob)
    scaled = summary_of(y, prob, sample_weight=np.full(400, scale))
    for name in ("observed_expected", "in_the_large", "intercept", "slope"):
        assert getattr(scaled, name).value == pytest.approx(getattr(whole, name).value, rel=1e-6)
    with pytest.raises(ValueError, match="sample_weight must sum to at least 1 in each class"):
        summary_of(y, prob, sample_weight=np.full(400, 1 / 400))


def test_predictions_of_exactly_0_and_1_are_moved_and_counted():
    rng = np.random.default_rng(0)
    prob = rng.uniform(0.01, 0.99, 100)
    y = rng.random(100) < prob
    prob[:4] = [0, 0, 1, 1]
    y[:4] = [0, 1, 1, 0]
    summary = summary_of(y, prob)
    assert summary.moved == 4
    moved = expit(np.log(199))
    same = summary_of(y, np.clip(prob, 1 - moved, moved))
    assert summary.slope.value == pytest.approx(same.slope.value, rel=1e-9)
    assert summary.slope.reason.startswith("4 predictions of exactly 0 or 1 were moved")
    assert "exactly 0 and one of exactly 1 proved wrong" in summary.in_the_large.reason
    # farther out where another prediction is
    prob[5] = 1e-9
    assert "20.7" in summary_of(y, prob).slope.reason
    y[:4] = [0, 0, 1, 1]
    assert summary_of(y, prob).in_the_large.reason == ""
    single = np.where(prob == 1, 0.99, prob)
    single[0] = 0.3
    assert "1 prediction of exactly" in summary_of(y, single).slope.reason


# ---------------------------------------------------------------------- separation


def test_separated_predictions_bound_the_slope_on_one_side():
    y = np.array([0, 0, 0, 1, 1, 1], dtype=bool)
    prob = np.array([0.1, 0.2, 0.4, 0.6, 0.8, 0.9])
    summary = summary_of(y, prob)
    assert (summary.slope.value, summary.slope.upper) == (np.inf, np.inf)
    assert np.isnan(summary.intercept.value)
    # at the bound, with the likelihood's intercept, 2.5 % of outcomes of both classes are separated
    assert share_separated(y, prob, summary.slope.lower) == pytest.approx(0.025, rel=1e-6)
    assert f"at least {summary.slope.lower:.3g}".replace("-", "−") in summary.slope.reason
    falling = summary_of(~y, prob).slope
    assert (falling.value, falling.lower) == (-np.inf, -np.inf)
    assert falling.upper == pytest.approx(-summary.slope.lower)
    assert f"at most {falling.upper:.3g}".replace("-", "−") in falling.reason
    assert summary.reasons == [
        "Fewer than five of the rarer class: observed over expected is known within a factor only.",
        summary.slope.reason,
        summary.ici.reason,
    ]
    assert "at least" in summary._repr_html_()


def test_a_tie_where_the_classes_meet_counts_as_separated():
    y = np.array([0, 0, 0, 1, 1, 0, 1, 1], dtype=bool)
    prob = np.array([0.1, 0.2, 0.4, 0.4, 0.4, 0.4, 0.8, 0.9])
    slope = summary_of(y, prob).slope
    assert slope.value == np.inf
    assert share_separated(y, prob, slope.lower) == pytest.approx(0.025, rel=1e-6)


def test_strong_predictions_that_are_calibrated_are_not_refused_where_they_separate():
    rng = np.random.default_rng(7)
    separated = []
    for _ in range(150):
        y = rng.random(50) < 0.5
        prob = expit(3.64 * rng.normal(3.64 * y - 1.82))
        slope = summary_of(y, prob).slope
        if np.isinf(slope.value):
            separated.append(slope.lower <= 1)
    assert len(separated) > 30
    # the interval of the likelihood ratio covers 56 %
    assert np.mean(separated) >= 0.95


def test_few_separated_samples_do_not_refuse_a_falling_slope():
    slope = summary_of([0, 1], [0.4, 0.6]).slope
    assert slope.value == np.inf
    assert -np.inf < slope.lower < 0


def test_separation_is_that_of_the_log_odds_that_are_fitted():
    # 0 is moved to the log-odds of the smallest prediction: a tie, and no more
    prob = np.array([0.0, 1e-9, 1e-9, 0.5, 0.6])
    slope = summary_of([1, 0, 1, 1, 1], prob).slope
    assert slope.value == np.inf


def test_saturated_predictions_with_a_miss_have_a_finite_slope():
    # 50 negatives and a missed positive from 1e-9 to 1e-4, 49 positives near 1: it was 7.7
    # with an interval from 7.3 to 8.0
    prob = np.append(np.geomspace(1e-9, 1e-4, 51), 1 - np.geomspace(1e-6, 1e-3, 49))
    y = np.arange(100) >= 51
    y[40] = True
    slope = summary_of(y, prob).slope
    best = minimize(
        lambda c: -likelihood(y, logit(prob), *c), [0.0, 0.5], method="BFGS", tol=1e-9
    ).x
    assert slope.value == pytest.approx(best[1], rel=1e-4)
    assert slope.lower < 0.5 < slope.upper
    y[40] = False
    y[50] = True  # the highest of the low predictions: a threshold separates the classes
    assert summary_of(y, prob).slope.value == np.inf


# ---------------------------------------------------------------------- clusters


def clustered(n_clusters, rng):
    """Draw clusters of six rows that share their outcome."""
    unit = np.repeat(np.arange(n_clusters), 6)
    own = rng.normal(size=n_clusters)
    y = (rng.random(n_clusters) < expit(own))[unit]
    return y, expit(own[unit] + 0.3 * rng.normal(size=unit.size)), unit


def test_clusters_vary_as_a_whole():
    rng = np.random.default_rng(0)
    covered = []
    of_rows = []
    for _ in range(100):
        y, prob, unit = clustered(30, rng)
        if not 0 < y.sum() < y.size:
            continue
        ratio = summary_of(y, prob, clusters=unit).observed_expected
        covered.append(ratio.lower <= 1 <= ratio.upper)
        ratio = summary_of(y, prob).observed_expected
        of_rows.append(ratio.lower <= 1 <= ratio.upper)
    # 95 % against less than 70 % of rows that are taken as independent
    assert np.mean(covered) >= 0.89
    assert np.mean(of_rows) < 0.8


def test_few_clusters_have_students_quantile():
    y, prob, unit = clustered(12, np.random.default_rng(5))
    slope = summary_of(y, prob, clusters=unit).slope
    x = np.column_stack((np.ones(y.size), logit(prob)))
    fitted = expit(x @ [summary_of(y, prob).intercept.value, slope.value])
    inverse = np.linalg.inv((x * (fitted * (1 - fitted))[:, np.newaxis]).T @ x)
    score = np.array([np.bincount(unit, column * (y - fitted)) for column in x.T])
    variance = (inverse @ (12 / 11 * score @ score.T) @ inverse)[1, 1]
    n_pos = np.unique(unit[y]).size
    # Student's 97.5 % quantile, with one degree less than there are clusters of the rarer class
    steps = stats.t.ppf(0.975, min(n_pos, 12 - n_pos) - 1)
    assert slope.upper - slope.value == pytest.approx(steps * np.sqrt(variance), rel=1e-5)


@pytest.mark.slow  # a simulation
def test_slopes_of_few_positive_clusters_cover():
    rng = np.random.default_rng(6)
    unit = np.repeat(np.arange(60), 4)
    covered = []
    while len(covered) < 150:
        of_unit = rng.random(60) < 0.07
        if not 2 <= of_unit.sum() <= 58:
            continue
        y = of_unit[unit]
        own = np.sqrt(0.6) * rng.normal(size=60)[unit] + np.sqrt(0.4) * rng.normal(size=unit.size)
        prob = expit(logit(0.07) + 1.5 * (own + 1.5 * y - 0.75))
        slope = summary_of(y, prob, clusters=unit).slope
        if np.isfinite(slope.value):
            covered.append(slope.lower <= 1 <= slope.upper)
    # with one degree less than there are clusters it is 82 %
    assert np.mean(covered) >= 0.92


def test_one_cluster_of_a_class_gives_a_slope_no_interval():
    y = np.arange(30) < 3
    prob = expit(np.random.default_rng(0).normal(y))
    summary = summary_of(y, prob, clusters=np.arange(30) // 3)
    assert np.isfinite([summary.slope.value, summary.intercept.value]).all()
    assert np.isnan([summary.slope.lower, summary.intercept.upper]).all()
    assert "one cluster" in summary.slope.reason


def test_clusters_that_are_separated_have_no_bound():
    slope = summary_of([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], clusters=[0, 1, 2, 3]).slope
    assert slope.value == np.inf
    assert np.isnan(slope.lower)
    assert "clusters" in slope.reason


def test_clusters_need_labels_and_two_values():
    segments = RankedSegments.from_scores([0, 1], [0.1, 0.9])
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        summary_of(segments, None, clusters=[0, 1])
    y, prob, unit = clustered(12, np.random.default_rng(5))
    with pytest.raises(ValueError, match="clusters must have at least two different values"):
        summary_of(y, prob, clusters=np.zeros(y.size))
    missing = unit.astype(float)
    missing[3] = np.nan
    for column in (missing, list(missing), np.where(unit == 3, None, unit)):
        with pytest.raises(ValueError, match="clusters must name the cluster of every sample"):
            summary_of(y, prob, clusters=column)
