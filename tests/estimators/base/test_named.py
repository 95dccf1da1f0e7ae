"""Refusals of scikit-learn name the argument."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import rocviz
from rocviz.estimators.decisions import compare_decisions
from rocviz.estimators.ensembles import compare_strategies
from rocviz.estimators.practice import ReferralClassifier, UpdatedClassifier
from rocviz.estimators.ranking_loss import compare_ranking_methods

Y = np.arange(12) % 2
X = np.column_stack((np.arange(12.0) % 5, np.arange(12.0)))
MODEL = LogisticRegression().fit(X, Y)
TWO = [("one", GaussianNB()), ("two", GaussianNB())]


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("X", lambda: rocviz.RankIsotonicClassifier().fit(X[:, 0], Y)),
        ("X", lambda: rocviz.RankIsotonicClassifier().fit(X, Y).predict(0.5)),
        ("X", lambda: rocviz.LexRank().fit([None], Y)),
        ("X", lambda: rocviz.ROCHullDisplay.from_estimator(MODEL, X[:, 0], Y)),
        ("X", lambda: rocviz.HullCalibratedClassifier(GaussianNB()).fit(np.inf, Y)),
        ("X", lambda: rocviz.DecisionTheoreticClassifier(GaussianNB()).fit(X[:, 0], Y)),
        ("X", lambda: rocviz.DecisionTheoreticClassifier(GaussianNB()).fit(X, Y).predict([])),
        ("X", lambda: rocviz.FiDELClassifier(TWO).fit(X[:, 0], Y)),
        ("X", lambda: rocviz.EmpiricalUtilityClassifier(GaussianNB()).fit(None, Y)),
        ("y", lambda: rocviz.ScoringListRanker().fit(X, Y).score(X, ["a", "b"] * 6)),
        ("X", lambda: rocviz.ScoringListRanker().fit(X, Y).score(X[:6], Y)),
        ("estimator", lambda: rocviz.ROCHullDisplay.from_estimator({}, X, Y)),
        ("X", lambda: compare_ranking_methods(0.5, Y)),
        ("y", lambda: compare_strategies(TWO, X, Y[:3])),
        ("y", lambda: rocviz.EntropyBinarizer().fit(X, len)),
        ("y", lambda: rocviz.LexProb().fit(X, np.arange(12, dtype=np.float16))),
        ("methods", lambda: compare_decisions(GaussianNB(), X, Y, methods=0.5)),
        (
            "calibration_data",
            lambda: rocviz.ProbabilisticScoringList(calibration_data=[1]).fit(X, Y),
        ),
    ],
)
def test_refusals_name_the_argument(name, call):
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}\b"):
        call()


ESTIMATORS = (
    rocviz.LexRank(),
    rocviz.LexProb(),
    rocviz.RankIsotonicClassifier(),
    rocviz.ProbabilisticScoringList(),
    rocviz.ScoringListRanker(),
    rocviz.HullCalibrator(),
    rocviz.CombinedRegressionRanking(),
    rocviz.EntropyBinarizer(),
    rocviz.FiDELClassifier(TWO),
    rocviz.HullCalibratedClassifier(GaussianNB()),
    rocviz.DecisionTheoreticClassifier(GaussianNB()),
    rocviz.EmpiricalUtilityClassifier(GaussianNB()),
    rocviz.GroupThresholdClassifier(GaussianNB()),
    ReferralClassifier(GaussianNB()),
    UpdatedClassifier(GaussianNB()),
)
SOME_MISSING = {
    "string": pd.Series(["a", "b", None] * 4, dtype="string"),
    "boolean": pd.Series([True, False, None] * 4, dtype="boolean"),
    "Int64": pd.Series([0, 1, None] * 4, dtype="Int64"),
    "category": pd.Series(["a", "b", None] * 4, dtype="category"),
    "list": ["a", "b", None] * 4,
    "NA": np.array([0, 1, pd.NA] * 4, dtype=object),
    "words and NaN": np.array(["a", "b", np.nan] * 4, dtype=object),
}


@pytest.mark.parametrize("labels", SOME_MISSING)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_missing_labels_are_reported_as_missing(estimator, labels):
    with pytest.raises(ValueError, match="y must not hold missing labels"):
        clone(estimator).fit(X, SOME_MISSING[labels])
