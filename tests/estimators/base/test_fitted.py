"""Wrappers of a classifier that has been fitted already take it as it is."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from stand_ins import logistic, noisy

import rocviz
from rocviz.estimators.practice import ReferralClassifier, UpdatedClassifier

X, Y = noisy()


@pytest.mark.parametrize(
    "kind",
    [
        rocviz.DecisionTheoreticClassifier,
        rocviz.EmpiricalUtilityClassifier,
        rocviz.GroupThresholdClassifier,
        rocviz.HullCalibratedClassifier,
        ReferralClassifier,
        UpdatedClassifier,
        rocviz.SimplexCalibratedClassifier,
        rocviz.SimplexThresholdClassifier,
    ],
)
def test_a_fitted_classifier_is_taken_as_it_is(kind):
    inside = logistic().fit(X[:100], Y[:100])
    frozen = kind(FrozenEstimator(inside)).fit(X[100:], Y[100:])
    np.testing.assert_array_equal(frozen.estimator_.predict_proba(X), inside.predict_proba(X))
    again = clone(frozen).fit(X[100:], Y[100:])
    np.testing.assert_array_equal(again.predict(X), frozen.predict(X))
    fresh = [kind(FrozenEstimator(GaussianNB()))]
    if "cv" in inspect.signature(kind).parameters:
        prefit = kind(inside, cv="prefit").fit(X[100:], Y[100:])
        assert prefit.estimator_ is inside
        np.testing.assert_array_equal(prefit.predict(X), frozen.predict(X))
        fresh.append(kind(GaussianNB(), cv="prefit"))
    for unfitted in fresh:
        with pytest.raises(NotFittedError, match="is not fitted"):
            unfitted.fit(X, Y)
    with pytest.raises(ValueError, match="was fitted on"):
        kind(FrozenEstimator(inside)).fit(X, Y + 1)
