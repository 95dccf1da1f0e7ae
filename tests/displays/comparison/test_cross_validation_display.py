"""Folds drawn: one line each, their average, and a labelled band."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_validate
from sklearn.tree import DecisionTreeClassifier

from rocviz import CrossValidationDisplay, RankedSegments


@pytest.fixture(scope="module")
def done():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + rng.normal(size=200) > 0.4, "ill", "well")
    kept = {"return_estimator": True, "return_indices": True}
    return cross_validate(LogisticRegression(), X, y, cv=5, **kept), X, y


@pytest.mark.parametrize("band", ["spread", "interval", "none"])
def test_the_band_is_labelled(band, done, words, legible):
    for theme in ("light", "lecture"):
        display = CrossValidationDisplay.from_cv_results(
            *done, pos_label="ill", band=band, pooled=True, theme=theme
        )
        legible(display.figure_, display.ax_)
    text = words(display.ax_)
    assert ("standard deviation over folds" in text) == (band == "spread")
    assert ("95 % interval of the mean" in text) == (band == "interval")
    assert (display.band_ is None) == (band == "none")
    assert f"AUC {display.average.auc.mean():.3f}" in text
    assert f"AUC {display.average.pooled.auc:.3f}" in text
    np.testing.assert_array_equal(display.line_.get_ydata(), display.average.tpr)


def test_each_fold_is_judged_by_its_own_model(done):
    results, X, y = done
    weight = 1.0 + np.arange(200) % 2
    display = CrossValidationDisplay.from_cv_results(
        results, X, y, pos_label="ill", sample_weight=weight, folds=False
    )
    assert display.fold_lines_ == []
    for model, rows, fold in zip(
        results["estimator"], results["indices"]["test"], display.average.folds, strict=True
    ):
        score = model.predict_proba(X.iloc[rows])[:, 0]
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


def test_several_models_agree_with_single_ones(done):
    results, X, y = done
    fold = np.empty(200, dtype=int)
    for i, rows in enumerate(results["indices"]["test"]):
        fold[rows] = i
    weight = 1.0 + np.arange(200) % 2
    scores = {"first": X["a"].to_numpy(), "second": X["b"].to_numpy()}
    about = {"pos_label": "ill", "sample_weight": weight, "band": "interval"}
    alone = [
        CrossValidationDisplay.from_predictions(y, score, fold, **about)
        for score in scores.values()
    ]
    for kind in (dict, pd.DataFrame, pl.DataFrame):
        display = CrossValidationDisplay.from_predictions(y, kind(scores), fold, **about)
        assert list(display.average) == list(scores)
        for single, line, band in zip(alone, display.line_, display.band_, strict=True):
            np.testing.assert_array_equal(line.get_xydata(), single.line_.get_xydata())
            edges = [shade.get_paths()[0].vertices for shade in (band, single.band_)]
            np.testing.assert_array_equal(*edges)
        assert len({line.get_color() for line in display.line_}) == 2
        assert display.fold_lines_ == [[], []]


def test_results_of_several_models_may_have_other_folds(done, words):
    results, X, y = done
    kept = {"return_estimator": True, "return_indices": True}
    tree = cross_validate(DecisionTreeClassifier(max_depth=2, random_state=0), X, y, cv=3, **kept)
    display = CrossValidationDisplay.from_cv_results(
        {"logistic": results, "tree": tree}, X, y, pos_label="ill", folds=True, pooled=True
    )
    assert [len(lines) for lines in display.fold_lines_] == [5, 3]
    same = CrossValidationDisplay.from_cv_results(tree, X, y, pos_label="ill", theme="light")
    np.testing.assert_array_equal(display.average["tree"].auc, same.average.auc)
    for name, average in display.average.items():
        mean = average.auc.mean()
        spread = average.auc.std(ddof=1)
        text = f"{name}, AUC {mean:.3f} ± {spread:.3f}, in one {average.pooled.auc:.3f}"
        assert text in words(display.ax_)
    display.plot(band="interval", confidence=0.9)
    low, high = display.average["tree"].auc_band("interval", confidence=0.9)[1:]
    assert f"({low:.3f} to {high:.3f})" in words(display.ax_)
    assert "bands: 90 % interval of the mean" in words(display.ax_)
    display.plot(band="none")
    assert display.band_ == [None, None]
    assert "±: standard deviation over folds" in words(display.ax_)


@pytest.mark.parametrize("theme", ["dark", "lecture"])
def test_names_of_eight_models_are_apart(theme, legible, words):
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.4
    scores = {f"model number {i}": y * (0.5 + 0.3 * i) + rng.normal(size=200) for i in range(8)}
    display = CrossValidationDisplay.from_predictions(y, scores, np.arange(200) % 5, theme=theme)
    legible(display.figure_, display.ax_)
    assert "bands: standard deviation over folds" in words(display.ax_)


def test_bad_input_makes_no_figure(done):
    results, X, y = done
    with pytest.raises(ValueError, match=r"cv_results\['b'\] has no 'estimator' and no 'indices'"):
        CrossValidationDisplay.from_cv_results({"a": results, "b": {}}, X, y)
    for scores, message in (
        ([1, 2], "fold 0: "),
        ({"a": [1, 2], "b": [2, 1]}, "model 'a': fold 0: "),
        ({}, "y_score is empty; at least one model"),
        ({"a": [1, 2], "b": [2]}, r"y_score\['b'\]"),
    ):
        with pytest.raises(ValueError, match=message):
            CrossValidationDisplay.from_predictions([0, 1], scores, [0, 1])
    for average, message in (
        ({}, "average must be FoldAverage .* or a mapping of names"),
        ({"a": 3}, r"average\['a'\] must be a FoldAverage"),
    ):
        with pytest.raises(ValueError, match=message):
            CrossValidationDisplay(average)
