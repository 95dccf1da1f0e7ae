"""Several classifiers drawn: intervals, differences of pairs, the hull over all."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from rocviz import ModelComparisonDisplay, compare_classifiers, hand_till_auc
from rocviz.core.comparison import hull_over_models


@pytest.mark.parametrize("kind", ["auc", "differences", "hull"])
def test_comparisons_are_legible(kind, data, models, legible):
    display = ModelComparisonDisplay.from_predictions(data[0], models, kind=kind)
    assert len(display.lines_) == 3
    legible(display.figure_, display.ax_)
    with_longer_name = {f"{name} of a long name": score for name, score in models.items()}
    display = ModelComparisonDisplay.from_predictions(
        data[0], with_longer_name, kind=kind, theme="lecture"
    )
    legible(display.figure_, display.ax_)


def test_rows_are_the_comparison(data, models, words):
    display = ModelComparisonDisplay.from_predictions(data[0], models)
    comparison = compare_classifiers(data[0], models, n_resamples=0)
    table = comparison.to_frame()
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels == list(table.index)
    for line, low, high in zip(display.lines_, table["auc_low"], table["auc_high"], strict=True):
        np.testing.assert_array_equal(line.get_xdata(), [low, high])
    assert f"{table['auc'].iloc[0]:.3f}" in words(display.ax_)


def test_significant_differences_are_emphasised(data, models, words):
    display = ModelComparisonDisplay.from_predictions(data[0], models, kind="differences")
    pairs = display.results.pairs()
    sure = list(pairs["p_holm"] <= 0.05)
    assert True in sure
    inks = [line.get_color() for line in display.lines_]
    assert len(set(inks)) == len(set(sure))
    for ink, other, same in zip(inks[1:], inks, np.equal(sure[1:], sure[:-1]), strict=False):
        assert (ink == other) == same
    ends = [line.get_xdata() for line in display.lines_]
    np.testing.assert_allclose(ends, pairs[["lower", "upper"]], atol=1e-12)
    assert "p " in words(display.ax_)


def test_more_rows_than_memory_holds_are_refused_before_a_figure_is_made(data, models, monkeypatch):
    results = compare_classifiers(data[0], models, n_resamples=0)
    monkeypatch.setattr("rocviz.core.base.effort.MAX_BYTES", 2**18)
    figures = plt.get_fignums()
    with pytest.raises(ValueError, match=r"^results of 3 classifiers in 3 rows would take about"):
        ModelComparisonDisplay(results).plot(kind="differences")
    assert plt.get_fignums() == figures


def test_the_hull_over_all_models_is_drawn(data, models):
    display = ModelComparisonDisplay.from_predictions(data[0], models, kind="hull")
    hull = hull_over_models(display.models)
    assert display.hull_.auc == hull.auc
    np.testing.assert_allclose(display.hull_line_.get_xdata(), hull.fpr, atol=1e-12)
    assert display.plot(kind="auc").hull_line_ is None


def test_from_classifiers_with_weights_and_clusters(data):
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    y, p = data
    X = np.column_stack((p, np.random.default_rng(0).random(y.size)))
    fitted = {"logistic": LogisticRegression().fit(X, y), "bayes": GaussianNB().fit(X, y)}
    weight = 1.0 + (np.arange(y.size) % 3)
    patient = np.arange(y.size) // 2
    display = ModelComparisonDisplay.from_estimator(
        fitted, X, y, sample_weight=weight, clusters=patient, kind="differences"
    )
    scores = {name: model.predict_proba(X)[:, 1] for name, model in fitted.items()}
    comparison = compare_classifiers(
        y, scores, sample_weight=weight, clusters=patient, n_resamples=0
    )
    assert display.results.pairs().equals(comparison.pairs())


def test_bad_input_makes_no_figure(data, models):
    results = compare_classifiers(data[0], models, n_resamples=0)
    with pytest.raises(ValueError, match="kind='hull' needs models"):
        ModelComparisonDisplay(results).plot(kind="hull")
    alone = {"first": models["first"]}
    with pytest.raises(ValueError, match="at least two models"):
        ModelComparisonDisplay.from_predictions(data[0], alone, kind="differences")


@pytest.mark.parametrize("kind", ["auc", "differences", "hull"])
def test_long_names_leave_room_and_stay_distinct(data, models, words, kind):
    long = {5000 * "n" + name: score for name, score in models.items()}
    display = ModelComparisonDisplay.from_predictions(data[0], long, kind=kind)
    display.figure_.canvas.draw()
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert len(set(labels)) == len(labels)
    written = words(display.ax_) if kind == "hull" else "".join(labels)
    assert all(f"n…{name}" in written for name in models)


RNG = np.random.default_rng(0)
KINDS_OF_THREE = np.resize(["x", "y", "z"], 90)
FEATURES = RNG.normal(size=(90, 2)) + 1.5 * (np.arange(90) % 3)[:, None]


@pytest.mark.parametrize("kind", ["auc", "differences"])
def test_models_of_several_classes_are_compared_by_m(kind):
    models = {
        "logistic": LogisticRegression().fit(FEATURES, KINDS_OF_THREE),
        "one feature": make_pipeline(
            FunctionTransformer(lambda X: X[:, :1]), LogisticRegression()
        ).fit(FEATURES, KINDS_OF_THREE),
    }
    display = ModelComparisonDisplay.from_estimator(models, FEATURES, KINDS_OF_THREE, kind=kind)
    expected = [
        hand_till_auc(KINDS_OF_THREE, model.predict_proba(FEATURES), classes=model.classes_).auc
        for model in models.values()
    ]
    np.testing.assert_allclose(display.results.auc, expected)
    assert display.results.classes == ("x", "y", "z")
    with pytest.raises(ValueError, match="kind='hull' is for two classes"):
        display.plot(kind="hull")
    with pytest.raises(ValueError, match="response_method must be predict_proba"):
        ModelComparisonDisplay.from_estimator(
            models, FEATURES, KINDS_OF_THREE, response_method="decision_function"
        )
    models["two"] = LogisticRegression().fit(FEATURES[:60], np.resize(["x", "y"], 60))
    with pytest.raises(ValueError, match="classifiers of the same classes"):
        ModelComparisonDisplay.from_estimator(models, FEATURES, KINDS_OF_THREE)
