"""Classifiers that learn nothing, and data to learn from, for the tests of all estimators."""

from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

# with few columns this solver takes a tenth of the default's time
logistic = partial(LogisticRegression, solver="newton-cholesky")


class ByScore(ClassifierMixin, BaseEstimator):
    """Scores by its first column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.asarray(X, dtype=float)[:, 0]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


class ByProbability(ByScore):
    """Its first column is the probability."""

    @property
    def decision_function(self):
        raise AttributeError

    def predict_proba(self, X):
        prob = np.asarray(X, dtype=float)[:, 0]
        return np.column_stack((1 - prob, prob))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def column(values):
    """Make a table of one column."""
    return np.asarray(values, dtype=float)[:, None]


def noisy(n_samples=300, **changes):
    """Draw two classes that overlap."""
    options = {"n_features": 6, "flip_y": 0.2, "class_sep": 0.7, "random_state": 1}
    return make_classification(n_samples, **{**options, **changes})
