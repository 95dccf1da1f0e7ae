"""Classifiers of several classes learn maps and points of the core from held-out samples."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_digits, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from rocviz import SimplexCalibratedClassifier, SimplexThresholdClassifier, best_simplex_point
from rocviz.core.multiclass import label_at_point, multiclass_brier, simplex_map

WINE = load_wine()
X = WINE.data[:, [0, 10]]
Y = WINE.target
NAMES = WINE.target_names[Y]
BAYES = GaussianNB()
OUT_OF_FOLD = cross_val_predict(BAYES, X, Y, method="predict_proba", cv=StratifiedKFold(5))


@pytest.mark.parametrize("method", ["dirichlet", "vector", "temperature", "hull", "identity"])
def test_the_map_is_fitted_to_samples_kept_apart(method):
    model = SimplexCalibratedClassifier(BAYES, method, penalty=0.01).fit(X, NAMES)
    expected = simplex_map(Y, OUT_OF_FOLD, method=method, penalty=0.01)
    raw = BAYES.fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X), expected(raw), atol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.classes_.tolist() == WINE.target_names.tolist()
    best = model.classes_[model.predict_proba(X).argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(X), best)


def test_calibration_helps_where_it_is_needed():
    digits = load_digits(n_class=5)
    half = np.arange(len(digits.target)) % 2 == 0
    losses = {}
    for method in ("identity", "temperature", "vector", "dirichlet", "hull"):
        model = SimplexCalibratedClassifier(BAYES, method, cv=3)
        model.fit(digits.data[half] + 1e-2, digits.target[half])
        prob = model.predict_proba(digits.data[~half] + 1e-2)
        losses[method] = multiclass_brier(digits.target[~half], prob).brier
    assert all(losses[name] < losses["identity"] for name in losses if name != "identity")


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "macro_f1", "mcc", "kappa"])
def test_the_point_is_the_best_of_samples_kept_apart(metric):
    model = SimplexThresholdClassifier(BAYES, metric).fit(X, NAMES)
    expected = best_simplex_point(Y, OUT_OF_FOLD, metric=metric)
    np.testing.assert_allclose(model.point_, expected.point)
    assert model.best_.value == pytest.approx(expected.value)
    raw = BAYES.fit(X, Y).predict_proba(X)
    expected_labels = label_at_point(raw, model.point_, classes=WINE.target_names)
    np.testing.assert_array_equal(model.predict(X), expected_labels)
    best = model.classes_[model.decision_function(X).argmax(axis=1)]
    np.testing.assert_array_equal(best, expected_labels)


def test_costs_take_the_place_of_the_metric():
    cost = [[0, 1, 1], [9, 0, 9], [1, 1, 0]]
    model = SimplexThresholdClassifier(BAYES, cost_matrix=cost).fit(X, Y)
    assert model.best_.metric == "cost"
    expected = best_simplex_point(Y, OUT_OF_FOLD, cost_matrix=cost)
    np.testing.assert_allclose(model.point_, expected.point)
    # a class whose misses cost more is predicted more often
    plain = SimplexThresholdClassifier(BAYES, "accuracy").fit(X, Y)
    assert (model.predict(X) == 1).sum() > (plain.predict(X) == 1).sum()


def test_rare_classes_are_predicted_for_balanced_accuracy():
    rng = np.random.default_rng(0)
    y = rng.choice(3, 1500, p=[0.9, 0.06, 0.04])
    features = rng.normal(size=(1500, 2)) + 1.2 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    half = np.arange(1500) % 2 == 0
    inside = LogisticRegression()
    model = SimplexThresholdClassifier(inside).fit(features[half], y[half])
    plain = inside.fit(features[half], y[half])
    for_point = balanced_accuracy_score(y[~half], model.predict(features[~half]))
    most_probable = balanced_accuracy_score(y[~half], plain.predict(features[~half]))
    assert for_point > most_probable + 0.15


class FixedProbabilities(ClassifierMixin, BaseEstimator):
    """Give every sample the same probabilities."""

    def __init__(self, prob):
        self.prob = prob

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.tile(self.prob, (len(X), 1))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_of_tied_classes_the_last_is_predicted():
    for prob, last in (([0.4, 0.4, 0.2], 1), ([0.4, 0.2, 0.4], 2), ([1.0, 0.0, 0.0], 0)):
        model = SimplexThresholdClassifier(FixedProbabilities(prob)).fit(X, Y)
        model.point_ = np.full(3, 1 / 3)
        assert model.predict(X[:1])[0] == last
        assert model.decision_function(X[:1]).argmax() == last
    for prob, label in (([0.5, 0.5], 1), ([0.6, 0.4], 0), ([0.0, 1.0], 1)):
        model = SimplexThresholdClassifier(FixedProbabilities(prob)).fit(X, Y > 0)
        model.point_ = np.array([0.5, 0.5])
        assert model.predict(X[:1])[0] == label
        assert (model.decision_function(X[:1])[0] > 0) == label


BAD = {
    "costs": (
        lambda: SimplexThresholdClassifier(BAYES, cost_matrix=np.eye(2)).fit(X, Y),
        "cost_matrix must have a row for each true class",
    ),
    "a class that is missing in training": (
        lambda: SimplexCalibratedClassifier(
            BAYES, cv=[(np.flatnonzero(Y > 0), np.flatnonzero(Y == 0))]
        ).fit(X, Y),
        "cv leaves no sample of the class 0 to train on in split 0",
    ),
    "a class without weight": (
        lambda: SimplexThresholdClassifier(BAYES).fit(X, Y, sample_weight=np.sign(Y)),
        "cv leaves no sample of the class 0",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    act, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        act()
