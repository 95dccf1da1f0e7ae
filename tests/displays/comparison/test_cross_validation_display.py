"""Folds drawn: one line each, their average, and a band that says what it is."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_validate

from rocviz import CrossValidationDisplay, RankedSegments, fold_average


@pytest.fixture(scope="module")
def done():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + rng.normal(size=200) > 0.4, "ill", "well")
    kept = {"return_estimator": True, "return_indices": True}
    return cross_validate(LogisticRegression(), X, y, cv=5, **kept), X, y


@pytest.mark.parametrize("band", ["spread", "interval", "none"])
def test_the_band_says_what_it_is(band, done, words, legible):
    for theme in ("light", "lecture"):
        display = CrossValidationDisplay.from_cv_results(
            *done, pos_label="ill", band=band, pooled=True, theme=theme
        )
        legible(display.figure_, display.ax_)
    said = words(display.ax_)
    assert ("standard deviation over folds" in said) == (band == "spread")
    assert ("95 % interval of the mean" in said) == (band == "interval")
    assert (display.band_ is None) == (band == "none")
    assert f"AUC {display.average.auc.mean():.3f}" in said
    assert f"AUC {display.average.pooled.auc:.3f}" in said
    np.testing.assert_array_equal(display.line_.get_ydata(), display.average.tpr)


def test_each_fold_is_judged_by_its_own_model(done):
    results, X, y = done
    weight = 1.0 + np.arange(200) % 2
    display = CrossValidationDisplay.from_cv_results(
        results, X, y, pos_label="ill", sample_weight=weight, folds=False
    )
    assert display.fold_lines_ == []
    for one, rows, fold in zip(
        results["estimator"], results["indices"]["test"], display.average.folds, strict=True
    ):
        score = one.predict_proba(X.iloc[rows])[:, 0]
        want = RankedSegments.from_scores(
            y[rows], score, sample_weight=weight[rows], pos_label="ill"
        )
        assert fold.auc == want.auc
    assert display.average.test_train_ratio == pytest.approx(1 / 4)


def test_scores_of_cross_val_predict(done):
    results, X, y = done
    score = cross_val_predict(LogisticRegression(), X, y, cv=5, method="decision_function")
    fold = np.empty(200, dtype=int)
    for i, rows in enumerate(results["indices"]["test"]):
        fold[rows] = i
    display = CrossValidationDisplay.from_predictions(y, score, fold, pos_label="well")
    same = CrossValidationDisplay.from_cv_results(
        results, X, y, pos_label="well", response_method="decision_function"
    )
    np.testing.assert_allclose(display.average.auc, same.average.auc)
    assert len(display.fold_lines_) == 5


def test_bad_input_makes_no_figure(done):
    results, X, y = done
    with pytest.raises(ValueError, match="cv_results has no 'indices'"):
        CrossValidationDisplay.from_cv_results({"estimator": []}, X, y)
    with pytest.raises(ValueError, match="band must be one of spread, interval, none"):
        CrossValidationDisplay.from_cv_results(results, X, y, pos_label="ill", band="sd")
    with pytest.raises(ValueError, match="fold 1: "):
        CrossValidationDisplay.from_predictions([0, 1, 1, 1], [1, 2, 3, 4], [0, 0, 1, 1])
    several = {"a": [1, 2], "b": [2, 1]}
    for scores in (several, pd.DataFrame(several)):
        with pytest.raises(ValueError, match="y_score must be of one model; make one display for"):
            CrossValidationDisplay.from_predictions([0, 1], scores, [0, 1])
    with pytest.raises(ValueError, match="fold must be one-dimensional"):
        CrossValidationDisplay.from_predictions([0, 1], [1, 2], [[0], [1]])
    with pytest.raises(ValueError, match="average must be a FoldAverage"):
        CrossValidationDisplay(3)
    one = RankedSegments([2, 1], [1, 0], [0, 1])
    with pytest.raises(ValueError, match="pooled"):
        CrossValidationDisplay(fold_average([one, one])).plot(pooled="yes")
