"""Maps of several classes: two classes, scikit-learn, truth found again, derivatives that are 0."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version
from scipy.special import softmax
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from rocviz import calibration_map
from rocviz.core.multiclass import multiclass_brier, simplex_map
from rocviz.core.multiclass.calibration import METHODS


def draw(seed, n_classes=3, n=300, power=2.0):
    """Draw probabilities, and labels by powers of them."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(n_classes), n)
    truth = prob**power / (prob**power).sum(axis=1, keepdims=True)
    y = (rng.random(n)[:, None] > truth.cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    y[:n_classes] = np.arange(n_classes)
    return y, prob


@pytest.mark.parametrize("method", METHODS)
@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 5))
def test_rows_sum_to_one_and_maps_are_kept(method, seed, n_classes):
    y, prob = draw(seed, n_classes, 60)
    fitted = simplex_map(y, prob, method=method)
    assert fitted.kind == method
    corners = np.vstack((prob, np.eye(n_classes)))
    mapped = fitted(corners)
    np.testing.assert_allclose(mapped.sum(axis=1), 1)
    assert mapped.min() >= 0
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted))(corners), mapped)


@given(st.integers(0, 10**6))
def test_two_classes_are_maps_of_two(seed):
    y, prob = draw(seed, 2, 200, power=1.5)
    prob = 0.98 * prob + 0.01
    hull = simplex_map(y, prob, method="hull")
    expected = calibration_map(y, prob[:, 1], interpolation="linear")(prob[:, 1])
    np.testing.assert_allclose(hull(prob)[:, 1], expected, atol=1e-12)
    beta = calibration_map(y, prob[:, 1], method="beta")
    if min(beta.a, beta.b) > 0:
        for options in ({"method": "vector"}, {"method": "dirichlet", "penalty": 0}):
            fitted = simplex_map(y, prob, **options)
            np.testing.assert_allclose(fitted(prob)[:, 1], beta(prob[:, 1]), atol=1e-5)


@pytest.mark.skipif(Version(sklearn.__version__) < Version("1.8"), reason="has no temperature")
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_the_temperature_is_that_of_scikit_learn(n_classes):
    y, prob = draw(0, n_classes, 500)
    inside = LogisticRegression().fit(np.log(prob), y)
    values = inside.predict_proba(np.log(prob))
    theirs = CalibratedClassifierCV(FrozenEstimator(inside), method="temperature", ensemble=False)
    expected = theirs.fit(np.log(prob), y).predict_proba(np.log(prob))
    fitted = simplex_map(y, values, method="temperature")
    np.testing.assert_allclose(fitted(values), expected, atol=1e-4)


def loss(y, prob, weights, intercept, penalty):
    mapped = softmax(np.log(prob) @ weights.T + intercept, axis=1)
    log_loss = -np.log(mapped[np.arange(y.size), y]).mean()
    off_diagonal = weights[~np.eye(prob.shape[1], dtype=bool)]
    return log_loss + penalty * (off_diagonal**2).mean() + penalty * (intercept**2).mean()


@pytest.mark.parametrize("penalty", [0.0, 1e-3, 0.1])
def test_the_fit_is_a_minimum(penalty):
    y, prob = draw(3)
    prob = 0.97 * prob + 0.01
    fitted = simplex_map(y, prob, penalty=penalty)
    least = loss(y, prob, fitted.weights, fitted.intercept, penalty)
    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-2, 0.1):
        for _ in range(20):
            weights = fitted.weights + rng.normal(size=(3, 3)) * size
            intercept = fitted.intercept + rng.normal(size=3) * size
            assert loss(y, prob, weights, intercept, penalty) >= least - 1e-9


def test_the_true_map_is_recovered():
    y, prob = draw(1, 4, 40_000)
    temperature = simplex_map(y, prob, method="temperature")
    np.testing.assert_allclose(temperature.weights, 2 * np.eye(4), atol=0.06)
    weights = np.array([[1.5, 0.5, 0], [0, 1, 0.2], [0.3, 0, 0.8]])
    rng = np.random.default_rng(0)
    prob = rng.dirichlet(np.ones(3), 40_000)
    truth = softmax(np.log(prob) @ weights.T + [0.5, 0, -0.5], axis=1)
    y = (rng.random(40_000)[:, None] > truth.cumsum(axis=1)).sum(axis=1)
    mapped = simplex_map(y, prob, penalty=0)(prob)
    assert np.abs(mapped - truth).mean() < 0.01
    before = multiclass_brier(y, prob).miscalibration
    assert multiclass_brier(y, mapped).miscalibration < before / 10


def test_monotone_maps_keep_the_order():
    y, prob = draw(1)
    upside_down = prob[:, ::-1]
    flat = simplex_map(y, upside_down, method="temperature")
    if flat.weights[0, 0] == 0:
        np.testing.assert_allclose(flat(prob), 1 / 3)
    reverse = simplex_map((prob.argmin(axis=1)), prob, method="temperature")
    assert not reverse.weights.any()


def test_separated_classes_get_a_finite_map():
    y = np.repeat([0, 1, 2], 20)
    prob = 0.1 + 0.7 * np.eye(3)[y]
    for method in ("temperature", "vector", "dirichlet"):
        fitted = simplex_map(y, prob, method=method)
        assert np.isfinite(fitted.weights).all()
        assert fitted(prob)[np.arange(60), y].min() > 0.95


def test_weights_repeat_samples():
    y, prob = draw(2, n=80)
    times = 1 + np.arange(80) % 3
    rows = np.repeat(np.arange(80), times)
    for method in METHODS:
        weighted = simplex_map(y, prob, method=method, sample_weight=times)
        repeated = simplex_map(y[rows], prob[rows], method=method)
        np.testing.assert_allclose(weighted(prob), repeated(prob), atol=1e-7)


def test_rows_without_any_hull_probability_are_unchanged():
    prob = np.array([[0.5, 0.4, 0.1], [0.1, 0.5, 0.4], [0.4, 0.1, 0.5]])
    fitted = simplex_map([0, 1, 2], prob, method="hull")
    thirds = np.full((1, 3), 1 / 3)
    # no class has a positive sample below a probability of one half
    for class_map in fitted.maps:
        assert class_map([1 / 3]) == 0
    np.testing.assert_array_equal(fitted(thirds), thirds)
    np.testing.assert_array_equal(fitted(prob), np.eye(3))
    assert fitted([[0.48, 0.42, 0.1]])[0] == pytest.approx([0.8, 0.2, 0])


def test_a_map_refuses_invalid_rows():
    fitted = simplex_map(*draw(0))
    for rows, message in (
        ([[0.5, 0.5]], "one column per class; got 2 for 3"),
        ([[0.5, 0.1, 0.1]], "rows that sum to 1"),
    ):
        with pytest.raises(ValueError, match=message):
            fitted(rows)


def test_unbounded_work_is_refused_before_it_begins(monkeypatch):
    monkeypatch.setattr("rocviz.core.multiclass.calibration._SECONDS_PER_COEFFICIENT", 1.0)
    with pytest.raises(ValueError, match=r"y_prob of 300 rows of 3 classes would take"):
        simplex_map(*draw(0))
