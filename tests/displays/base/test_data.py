"""From labels, scores and classifiers to named segments, before any figure is made."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier

from rocviz import RankedSegments
from rocviz.displays.base.data import estimator_scores, named_segments, response_values


@pytest.mark.parametrize("container", [list, np.asarray, pd.Series, pl.Series])
def test_containers_and_labels_of_every_kind(data, container):
    y, p = data
    plain = RankedSegments.from_scores(y, p)
    labels = np.where(y == 1, "ill", "well")
    for given in (y.tolist(), (y == 1).tolist(), labels.tolist()):
        made = named_segments(
            container(given),
            container(p.tolist()),
            pos_label="ill" if isinstance(given[0], str) else None,
            sample_weight=container([1.0] * 300),
        )[None]
        np.testing.assert_array_equal(made.pos, plain.pos)
        np.testing.assert_array_equal(made.neg, plain.neg)


def test_unsuitable_estimators_are_refused():
    X = np.arange(12.0).reshape(-1, 1)
    two, three = X[:, 0] > 5, (X[:, 0] // 4).astype(int)
    for estimator, how, message in (
        (LinearRegression().fit(X, X[:, 0]), {}, "must be a fitted classifier"),
        (LogisticRegression(), {}, "not fitted"),
        (LogisticRegression().fit(X, three), {}, "has 3"),
        (RidgeClassifier().fit(X, two), {"response_method": "predict_proba"}, "predict_proba"),
    ):
        with pytest.raises(ValueError, match=message):
            response_values(estimator, X, **how)


def test_estimators_give_names_and_the_class_they_score():
    X = np.arange(12.0).reshape(-1, 1)
    y = np.where(X[:, 0] > 5, "high", "low")
    model = LogisticRegression().fit(X, y)
    asked = {"response_method": "auto", "pos_label": None, "name": None}
    with pytest.raises(ValueError, match=r"LogisticRegression.classes_ .*'high' and 'low'"):
        estimator_scores(model, X, **asked)
    scores, pos_label, name = estimator_scores(model, X, **{**asked, "pos_label": "low"})
    assert (pos_label, name) == ("low", "LogisticRegression")
    np.testing.assert_array_equal(scores, model.predict_proba(X)[:, 1])
    several, pos_label, name = estimator_scores(
        {"a": model, "b": model}, X, **{**asked, "pos_label": "high"}
    )
    assert (list(several), pos_label, name) == (["a", "b"], "high", None)
    np.testing.assert_array_equal(several["b"], model.predict_proba(X)[:, 0])
