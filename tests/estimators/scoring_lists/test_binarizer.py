"""EntropyBinarizer: the core's thresholds as a scikit-learn transformer."""

import numpy as np
import pandas as pd
import pytest

from rocviz import EntropyBinarizer, ProbabilisticScoringList
from rocviz.core.calibration.binarize import entropy_thresholds


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 3)), columns=["age", "glucose", "bmi"])
    y = np.where(X["glucose"] + rng.normal(size=80) > 0.3, "ill", "well")
    return X, y


def test_values_above_the_threshold_become_one(table):
    X, y = table
    binarizer = EntropyBinarizer(pos_label="ill").fit(X, y)
    np.testing.assert_array_equal(binarizer.thresholds_, entropy_thresholds(X, y, pos_label="ill"))
    np.testing.assert_array_equal(binarizer.transform(X), X.to_numpy() > binarizer.thresholds_)
    assert binarizer.classes_.tolist() == ["ill", "well"]


def test_a_scoring_list_takes_the_same_thresholds_before_its_search(table):
    X, y = table
    for how in ("brute", "bisect"):
        binarizer = EntropyBinarizer(thresholds=how, pos_label="ill").fit(X, y)
        model = ProbabilisticScoringList(
            binarize="preprocess", thresholds=how, pos_label="ill"
        ).fit(X, y)
        np.testing.assert_array_equal(model.thresholds_, binarizer.thresholds_[model.features_])


def test_a_column_without_a_threshold_becomes_zero():
    X = np.array([[2.0, 1], [2, 2], [2, 3]])
    y = [0, 0, 1]
    binarizer = EntropyBinarizer().fit(X, y)
    assert binarizer.thresholds_.tolist() == [np.inf, 2.5]
    np.testing.assert_array_equal(binarizer.transform([[9.0, 9.0]]), [[0, 1]])


def test_missing_values_stay_missing_if_they_may():
    X = np.array([[1.0, 5], [2, np.nan], [3, 7], [np.nan, 8]])
    y = [0, 0, 1, 1]
    with pytest.raises(ValueError, match="NaN"):
        EntropyBinarizer().fit(X, y)
    binarizer = EntropyBinarizer(missing="keep").fit(X, y)
    assert binarizer.thresholds_.tolist() == [2.5, 6.0]
    np.testing.assert_array_equal(
        binarizer.transform(X), [[0, 0], [0, np.nan], [1, 1], [np.nan, 1]]
    )
    strict = EntropyBinarizer().fit(X[[0, 2]], [0, 1])
    with pytest.raises(ValueError, match="NaN"):
        strict.transform(X)


def test_names_say_the_threshold(table):
    X, y = table
    binarizer = EntropyBinarizer(pos_label="well").set_output(transform="pandas").fit(X, y)
    binarizer.thresholds_ = np.array([61.5, np.inf, -0.25])
    expected = ["age > 61.5", "glucose > inf", "bmi > -0.25"]
    assert binarizer.get_feature_names_out().tolist() == expected
    assert binarizer.transform(X).columns.tolist() == expected


def test_numbers_as_large_as_floats_are():
    # scikit-learn adds them up, and lists take differences of neighbours
    X = np.array([[-1.6e308], [-8e307], [8e307], [1.6e308]])
    y = [0, 0, 1, 1]
    assert EntropyBinarizer().fit(X, y).thresholds_.tolist() == [0.0]
    assert ProbabilisticScoringList().fit(X, y).thresholds_.tolist() == [0.0]
