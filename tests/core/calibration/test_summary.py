"""Intercept, slope, O/E, and the smooth curve: R's numbers, repetitions, clusters, coverage."""

import re
from functools import cache

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import expit, logit

from rocviz.core.calibration import curve_distance
from rocviz.core.calibration._logistic import fit_logistic
from rocviz.core.calibration.flexible import (
    flexible_calibration,
    refit,
    spline_columns,
    spline_knots,
)
from rocviz.core.calibration.summary import calibration_summary
from rocviz.core.roc.segments import RankedSegments


def example():
    """Draw the 200 samples that R was given too."""
    i = np.arange(1, 201)
    prob = (i - 0.5) / 200
    return ((i * 37) % 101) / 101 < prob**1.3 * 0.9 + 0.02, prob


def drawn(n=300, seed=0, steep=1.0, shift=0.0):
    rng = np.random.default_rng(seed)
    prob = rng.beta(1, 2, n)
    return rng.random(n) < prob, expit(steep * logit(prob) + shift)


def ends(estimate):
    return estimate.value, estimate.lower, estimate.upper


def test_intercept_and_slope_are_those_of_r():
    # R 4.2.2: glm(y ~ lp, binomial), glm(y ~ 1, binomial, offset = lp), confint.default of both
    summary = calibration_summary(*example(), n_resamples=0)
    assert summary.in_the_large.value == pytest.approx(-0.4837355652, rel=1e-7)
    assert ends(summary.intercept) == pytest.approx(
        (-0.4496223040, -0.7864769375, -0.1127676704), rel=1e-6
    )
    assert ends(summary.slope) == pytest.approx(
        (0.8554080042, 0.5859624550, 1.1248535533), rel=1e-6
    )
    assert (summary.n_samples, summary.n_pos) == (200, 84)


def test_the_curve_and_its_indices_are_those_of_r():
    # rms 6.5-0: rcspline.eval(lp, nk = 5), lrm(y ~ rcs(lp, 5)), predict(..., se.fit = TRUE)
    y, prob = example()
    curve = flexible_calibration(y, prob, n_resamples=0)
    assert logit(curve.knots) == pytest.approx(
        [-2.898281099, -0.9637931838, 0, 0.9637931838, 2.898281099], abs=1e-8
    )
    predicted = [0.1, 0.3, 0.5, 0.9]
    observed = [0.09083112027, 0.21949722478, 0.39877343956, 0.80261571676]
    height = np.interp(predicted, curve.predicted, curve.observed)
    assert height == pytest.approx(observed, abs=3e-5)
    half = 1.959963985 * np.array([0.4970233573, 0.3192742772, 0.2976877862, 0.3827317336])
    for side, sign in ((curve.lower, -1), (curve.upper, 1)):
        want = expit(logit(observed) + sign * half)
        assert np.interp(predicted, curve.predicted, side) == pytest.approx(want, abs=1e-4)
    indices = [curve.ici.value, curve.e50.value, curve.e90.value]
    assert indices == pytest.approx([0.08177007261, 0.09424955487, 0.1229750522], rel=1e-6)
    # loess(y ~ p), as Austin and Steyerberg (2019) define them: nearly the same
    assert indices == pytest.approx([0.08148105564, 0.09189726145, 0.1191386228], abs=0.004)


@pytest.mark.parametrize(("distinct", "knots"), [(2, 0), (3, 3), (4, 4), (9, 5)])
def test_few_distinct_predictions_have_fewer_knots(distinct, knots):
    rng = np.random.default_rng(0)
    prob = (1 + np.arange(distinct * 30) % distinct) / (distinct + 1)
    curve = flexible_calibration(rng.random(prob.size) < prob, prob, n_resamples=0)
    assert curve.knots.size == knots


def test_knots_that_would_coincide_are_left_out():
    prob = np.array([0.2] * 180 + [0.1 * k for k in range(1, 10)])
    y = np.arange(prob.size) % 4 == 0
    assert flexible_calibration(y, prob, n_resamples=0).knots.size == 0
    prob[:100] = np.linspace(0.3, 0.6, 100)
    assert flexible_calibration(y, prob, n_resamples=0).knots.size == 3


def test_resamples_are_fitted_one_by_one():
    rng = np.random.default_rng(0)
    x = np.sort(rng.normal(size=40))
    columns = spline_columns(x, spline_knots(x, np.ones(40), 4))
    pos, neg = rng.integers(0, 4, (2, 5, 40)).astype(float)
    pos[:, :2] += 1  # no cell is empty where the other fit divides
    neg[:, 2:] += 1
    design = np.column_stack((np.ones(40), columns))
    coefficients = refit(design, pos, neg, np.zeros(4), 1e-9)
    for row, p, n in zip(coefficients, pos, neg, strict=True):
        slope, intercept, _ = fit_logistic(columns, p / (p + n), n / (p + n), p + n, 1e-9)
        assert row == pytest.approx(np.append(intercept, slope), rel=1e-5, abs=1e-6)


def test_a_resample_of_one_class_has_a_curve_too():
    design = np.column_stack((np.ones(3), [-1.0, 0.0, 1.0]))
    coefficients = refit(design, np.ones((1, 3)), np.zeros((1, 3)), np.zeros(2), 1e-9)
    assert expit(coefficients @ design.T) == pytest.approx(1)


@pytest.mark.parametrize("n_resamples", [0, 60])
def test_weights_are_repetitions(n_resamples):
    y, prob = drawn(80)
    weight = np.random.default_rng(1).integers(0, 4, 80)
    weighted = calibration_summary(y, prob, sample_weight=weight, n_resamples=n_resamples)
    repeated = calibration_summary(
        np.repeat(y, weight), np.repeat(prob, weight), n_resamples=n_resamples
    )
    np.testing.assert_allclose(weighted.to_frame(), repeated.to_frame(), rtol=1e-7)


def test_segments_stand_for_labels():
    y, prob = drawn(200)
    summary = calibration_summary(RankedSegments.from_scores(y, prob), n_resamples=50)
    assert summary.to_frame().equals(calibration_summary(y, prob, n_resamples=50).to_frame())


def test_clusters_of_one_vary_about_as_samples_do_and_copies_as_one():
    y, prob = drawn(600, steep=1.3)
    prob = prob.clip(0.01, 0.99)  # none is moved by half a sample
    alone = calibration_summary(y, prob, n_resamples=300).to_frame()
    single = calibration_summary(y, prob, clusters=np.arange(600), n_resamples=300).to_frame()
    width = (single["upper"] - single["lower"]) / (alone["upper"] - alone["lower"])
    assert width.between(0.8, 1.25).all()
    # ten copies of each sample say no more than one, if the copies are known to belong together
    copies = calibration_summary(
        np.tile(y, 10), np.tile(prob, 10), clusters=np.tile(np.arange(600), 10), n_resamples=50
    ).to_frame()
    exact = ["observed_expected", "in_the_large", "intercept", "slope"]
    np.testing.assert_allclose(copies.loc[exact], single.loc[exact], rtol=1e-9)


def test_clusters_leave_out_samples_of_weight_zero():
    y, prob = drawn(300)
    weight = (np.arange(300) % 3 > 0).astype(float)
    group = np.arange(300) // 3
    weighted = calibration_summary(y, prob, sample_weight=weight, clusters=group, n_resamples=50)
    rows = np.flatnonzero(weight)
    left = calibration_summary(y[rows], prob[rows], clusters=group[rows], n_resamples=50)
    assert weighted.to_frame().equals(left.to_frame())


def test_predictions_that_are_all_the_same_have_no_slope():
    summary = calibration_summary([0, 1, 1, 0, 1], [0.3] * 5, n_resamples=50)
    assert np.isnan(summary.slope.value)
    assert summary.in_the_large.value == pytest.approx(logit(0.6) - logit(0.3))
    assert summary.ici.value == pytest.approx(0.3)
    assert calibration_summary([0, 1, 1], [0.0] * 3, n_resamples=0).observed_expected.value == (
        np.inf
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**20), st.integers(6, 60), st.booleans())
def test_intervals_hold_their_values(seed, n, coarse):
    rng = np.random.default_rng(seed)
    prob = rng.random(n).round(1 if coarse else 6)
    y = rng.random(n) < 0.2 + 0.5 * prob
    y[:2] = 0, 1
    curve = flexible_calibration(y, prob, n_resamples=50)
    if np.isnan(curve.ici.value):
        assert "separates" in curve.reason
        return
    for index in (curve.ici, curve.e50, curve.e90):
        assert 0 <= index.lower <= index.value <= index.upper <= 1
    assert (curve.lower <= curve.observed).all()
    assert (curve.observed <= curve.upper).all()


def test_neighbours_that_share_a_cell_in_resamples_change_little(monkeypatch):
    y, prob = drawn(900, steep=1.6)
    exact = flexible_calibration(y, prob, n_resamples=400)
    monkeypatch.setattr(curve_distance, "_MAX_CELLS", 300)
    for clusters in (None, np.arange(900)):
        joined = flexible_calibration(y, prob, clusters=clusters, n_resamples=400)
        assert ends(joined.ici) == pytest.approx(ends(exact.ici), abs=0.004)


@cache
def summaries(steep, shift):
    results = []
    for seed in range(60):
        y, prob = drawn(seed=seed, steep=steep, shift=shift)
        results.append(calibration_summary(y, prob, n_resamples=100))
    return results


@pytest.mark.parametrize(
    ("measure", "true", "steep", "shift"),
    [
        ("ici", 0.0, 1, 0),
        ("e50", 0.0, 1, 0),
        ("e90", 0.0, 1, 0),
        ("observed_expected", 1.0, 1, 0),
        ("ici", 0.0966, 2, 0),
        ("slope", 0.5, 2, 0),
        ("in_the_large", -1.0, 1, 1),
    ],
)
def test_intervals_cover_as_stated(measure, true, steep, shift):
    # of 60 sets 57 are expected; 52 or fewer of 95 % happen once in 70 times
    estimates = [getattr(summary, measure) for summary in summaries(steep, shift)]
    assert sum(estimate.lower <= true <= estimate.upper for estimate in estimates) >= 53


def test_bands_cover_as_stated():
    n_points_covered = np.zeros(3)
    n_curves_covered = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        prob = rng.beta(1, 2, 300)
        y = rng.random(300) < prob
        predicted = expit(2 * logit(prob))
        for simultaneous in (False, True):
            curve = flexible_calibration(y, predicted, simultaneous=simultaneous, n_resamples=0)
            true = expit(logit(np.clip(curve.predicted, 0.5 / 1000, 1 - 0.5 / 1000)) / 2)
            inside = (curve.lower <= true) & (true <= curve.upper)
            if simultaneous:
                n_curves_covered += inside.all()
            else:
                points = np.searchsorted(curve.predicted, np.quantile(predicted, [0.1, 0.5, 0.9]))
                n_points_covered += inside[points]
    assert n_points_covered.min() >= 53
    assert n_curves_covered >= 57


def test_the_text_has_every_number_with_its_interval():
    text = repr(calibration_summary(*drawn(100), n_resamples=50))
    assert re.search(r"slope=<[\d.]+, [\d.]+ to [\d.]+>", text)
    assert re.search(r"ici=<[\d.]+, [\d.]+ to [\d.]+>", text)
    assert len(text.splitlines()) <= 8


def test_the_table_gives_the_ideal_values():
    table = calibration_summary(*drawn(100), n_resamples=0)
    frame = table.to_frame()
    assert frame["ideal"].to_dict()["slope"] == 1
    assert frame["ideal"].to_dict()["ici"] == 0
    assert "in_the_large" in table._repr_html_()
    assert list(table.curve.to_frame()) == ["predicted", "observed", "lower", "upper"]


def strong(n, rng):
    """Draw calibrated predictions of an AUC of .995, many within half a sample of 0 or 1."""
    y = rng.random(n) < 0.5
    return y, expit(3.64 * rng.normal(3.64 * y - 1.82))


def test_a_band_goes_on_to_the_ends_beyond_half_a_sample():
    y, prob = strong(1000, np.random.default_rng(0))
    curve = flexible_calibration(y, prob, n_resamples=0)
    assert curve.method == "spline"
    is_low = curve.predicted < 0.5 / 1000
    is_high = curve.predicted > 1 - 0.5 / 1000
    assert is_low.any()
    assert is_high.any()
    assert (curve.lower[is_low] == 0).all()
    assert (curve.upper[is_high] == 1).all()
    is_inside = (curve.predicted > 0.1) & (curve.predicted < 0.9)
    assert (curve.lower[is_inside] > 0).all()
    assert (curve.upper[is_inside] < 1).all()


def test_distances_of_strong_calibrated_predictions_may_be_zero():
    rng = np.random.default_rng(1)
    lower = []
    for _ in range(40):
        curve = flexible_calibration(*strong(200, rng), n_resamples=100, random_state=rng)
        if np.isfinite(curve.e50.lower):
            lower.append(curve.e50.lower)
    # without an allowance for half a sample it is 60 %
    assert np.mean(np.array(lower) == 0) >= 0.9


def test_predictions_of_one_value_are_not_called_separated():
    y = np.arange(200) < 60
    curve = flexible_calibration(y, np.full(200, 0.3))
    assert "All predictions are the same" in curve.reason
    assert np.isnan(curve.ici.lower)
    assert not any("separates" in reason for reason in calibration_summary(y, [0.3] * 200).reasons)
