"""The curve of few of the rarer class: logistic recalibration, ellipse, range of the indices."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from rocviz.core.calibration import curve_distance
from rocviz.core.calibration.curve_distance import distance_indices, weighted_quantiles
from rocviz.core.calibration.flexible import flexible_calibration
from rocviz.core.calibration.summary import calibration_summary


def rare(n, seed, steep=1.0):
    """Draw outcomes of a prevalence of about .044, and predictions as steep as given."""
    rng = np.random.default_rng(seed)
    x = rng.normal(logit(0.044) * 1.15, 1.2, n)
    return rng.random(n) < expit(x), expit(logit(0.044) + steep * (x - logit(0.044)))


def test_below_thirty_of_the_rarer_class_the_curve_is_logistic():
    y = np.arange(400) % 14 == 0
    prob = np.linspace(0.01, 0.2, 400)[np.random.default_rng(0).permutation(400)]
    assert y.sum() == 29
    curve = flexible_calibration(y, prob)
    summary = calibration_summary(y, prob)
    assert curve.method == "logistic"
    assert curve.knots.size == 0
    log_odds = summary.intercept.value + summary.slope.value * logit(curve.predicted)
    assert curve.observed == pytest.approx(expit(log_odds), rel=1e-9)
    assert curve.reason.startswith("With 29 samples of the rarer class only a shift and a slope")
    assert curve.ici.reason == curve.reason
    y[1] = True
    spline = flexible_calibration(y, prob, n_resamples=0)
    assert (spline.method, spline.reason, spline.knots.size) == ("spline", "", 5)
    # the other class may be the rarer one
    assert flexible_calibration(np.arange(400) >= 20, prob).method == "logistic"


def test_the_interval_is_the_range_over_the_ellipse():
    y, prob = rare(300, 0, steep=2.0)
    x = logit(prob)
    columns = np.column_stack((np.ones(x.size), x))

    def loss(c):
        return np.sum(np.logaddexp(0, columns @ c) - y * (columns @ c))

    best = minimize(loss, [0.0, 1.0], method="BFGS", tol=1e-10).x
    fitted = expit(columns @ best)
    information = (columns * (fitted * (1 - fitted))[:, np.newaxis]).T @ columns
    root = np.linalg.cholesky(np.linalg.inv(information)) * np.sqrt(5.991464547)
    rng = np.random.default_rng(1)
    step = rng.normal(size=(4000, 2))
    step *= np.sqrt(rng.random(4000))[:, np.newaxis] / np.linalg.norm(step, axis=1, keepdims=True)
    gaps = np.abs(prob - expit((best + step @ root.T) @ columns.T))
    low, high = gaps.mean(axis=1).min(), gaps.mean(axis=1).max()
    ideal = np.linalg.norm(np.linalg.solve(root, [0, 1] - best)) <= 1
    ici = flexible_calibration(y, prob).ici
    assert ici.value == pytest.approx(np.abs(prob - fitted).mean(), rel=1e-4)
    assert ici.upper == pytest.approx(high, rel=0.02)
    assert ici.lower == pytest.approx(0 if ideal else low, rel=0.1, abs=1e-3)
    # the band is that of the same ellipse
    curve = flexible_calibration(y, prob)
    at = logit(curve.predicted[50])
    half = np.sqrt(5.991464547 * np.array([1, at]) @ np.linalg.inv(information) @ [1, at])
    assert logit(curve.upper[50]) - logit(curve.observed[50]) == pytest.approx(half, rel=1e-3)
    assert curve.simultaneous


def test_intervals_of_few_positives_cover():
    # the spline's covered .63 with 9 and .83 with 14 positives; of 60 sets 57 are expected
    covered = []
    for seed in range(60):
        ici = flexible_calibration(*rare(200, seed)).ici
        covered.append(ici.lower == 0 or np.isnan(ici.lower))
    assert sum(covered) >= 53


def test_no_random_numbers_are_needed():
    y, prob = rare(200, 1)
    plain = flexible_calibration(y, prob, n_resamples=0)
    assert plain.ici == flexible_calibration(y, prob, n_resamples=60, random_state=7).ici
    assert plain.ici.upper > plain.ici.value


def test_separated_classes_have_no_curve():
    curve = flexible_calibration([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])
    assert np.isnan([curve.ici.value, curve.ici.upper, *curve.observed, *curve.lower]).all()
    assert "separates both classes" in curve.ici.reason


def test_resamples_of_separated_classes_are_no_interval():
    prob = np.linspace(0.01, 0.99, 80)
    curve = flexible_calibration(prob > 0.5, prob)
    assert curve.method == "spline"
    assert curve.ici.value > 0.2
    assert np.isnan([curve.ici.lower, curve.e90.upper]).all()
    assert "resamples cannot show" in curve.ici.reason


def test_equal_predictions_have_the_range_of_the_shift():
    y = np.arange(40) < 12
    curve = flexible_calibration(y, np.full(40, 0.4))
    # Wilson's interval of 12 of 40 is .1807 to .4543
    assert (curve.observed[0], curve.lower[0], curve.upper[0]) == pytest.approx(
        (0.3, 0.1807, 0.4543), abs=1e-4
    )
    assert (curve.ici.value, curve.ici.lower) == (pytest.approx(0.1), 0)
    assert curve.ici.upper == pytest.approx(0.4 - 0.1807, abs=1e-4)
    far = flexible_calibration(y, np.full(40, 0.6)).ici
    assert (far.lower, far.upper) == pytest.approx((0.6 - 0.4543, 0.6 - 0.1807), abs=1e-4)


def test_predictions_of_exactly_0_and_1_are_at_the_ends_of_the_curve():
    y = [0, 0, 0, 1, 0, 1, 1, 1]
    curve = flexible_calibration(y, [0, 0.2, 0.3, 0.4, 0.5, 0.7, 0.8, 1])
    assert (curve.predicted[0], curve.predicted[-1]) == (0, 1)
    assert (np.diff(curve.observed) >= 0).all()
    assert 0 < curve.observed[0] < curve.observed[-1] < 1


def test_clusters_have_hotellings_ellipse():
    y, prob = rare(300, 3)
    rows = flexible_calibration(y, prob)
    single = flexible_calibration(y, prob, clusters=np.arange(300))
    assert single.method == "logistic"
    assert "clusters with samples of the rarer class" in single.reason
    assert single.ici.value == rows.ici.value
    assert single.ici.upper == pytest.approx(rows.ici.upper, rel=0.3)
    # ten copies of a row say no more than one, if they are known to belong together
    unit = np.tile(np.arange(300), 10)
    copies = flexible_calibration(np.tile(y, 10), np.tile(prob, 10), clusters=unit)
    assert copies.ici.upper == pytest.approx(single.ici.upper, rel=1e-9)
    # two clusters do not bound two coefficients
    two = flexible_calibration(y, prob, clusters=np.arange(300) % 2)
    assert two.ici.value == rows.ici.value
    assert np.isnan([two.ici.lower, two.lower[0]]).all()
    assert "no interval" in two.ici.reason
    # nor do three of which two are copies
    parts = [np.arange(300) % 2 == 0, np.arange(300) % 2 == 1, np.arange(300) % 2 == 0]
    three = flexible_calibration(
        np.concatenate([y[part] for part in parts]),
        np.concatenate([prob[part] for part in parts]),
        clusters=np.repeat(["a", "b", "c"], 150),
    )
    assert np.isnan(three.ici.upper)


def test_neighbours_that_share_a_cell_change_little(monkeypatch):
    y, prob = rare(400, 4)
    exact = flexible_calibration(y, prob)
    monkeypatch.setattr(curve_distance, "_MAX_CELLS", 150)
    joined = flexible_calibration(y, prob)
    assert joined.ici.upper == pytest.approx(exact.ici.upper, rel=0.01)
    assert joined.e90.upper == pytest.approx(exact.e90.upper, rel=0.05)


def test_indices_are_weighted_quantiles_of_each_curve():
    rng = np.random.default_rng(0)
    gaps = rng.random((3, 7))
    n = np.array([0.0, 2, 1, 0, 3, 1, 1])
    for row, gap in zip(distance_indices(gaps, n), gaps, strict=True):
        repeated = np.repeat(gap, n.astype(int))
        assert row == pytest.approx([repeated.mean(), *np.quantile(repeated, [0.5, 0.9])])
        order = np.argsort(gap[n > 0])
        quantiles = weighted_quantiles(gap[n > 0][order], n[n > 0][order], (0.5, 0.9))
        assert row[1:] == pytest.approx(quantiles)
