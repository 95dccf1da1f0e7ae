"""DecisionDisplay: numbers on the artists, words apart, bad input before any figure."""

import numpy as np
import pytest
from matplotlib import colors as mcolors
from matplotlib import pyplot as plt
from scipy.integrate import trapezoid
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from rocviz import DecisionDisplay, DecisionTheoreticClassifier, optimal_decision
from rocviz.core.decisions import parse_formula, plug_in_utilities
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.utility import resolve_metric
from rocviz.displays.decisions.pictures import width_between
from rocviz.words import metric_name

make = DecisionDisplay.from_predictions
FOUR = {"F1": "f", "Jaccard": "jaccard", "balanced accuracy": "am", "G-Mean": "g_mean"}


def prob(n, a=0.6, b=1.4, seed=0):
    return np.random.default_rng(seed).beta(a, b, n)


BATCHES = {
    "one": [0.3],
    "two": [0.2, 0.9],
    "not unimodal": [1.0, 0.3, 0.3, 0.3, 0.3, 0.3],
    "all certain": [1.0] * 8,
    "all hopeless": [0.0] * 8,
    "one half": [0.5] * 50,
    "forty": prob(40),
    "rare": prob(400, 0.3, 9),
    "common": prob(400, 9, 0.5),
}


def test_numbers_are_those_of_the_core():
    y_prob = prob(60)
    display = make(y_prob)
    assert list(display.decisions) == list(FOUR)
    best = [optimal_decision(y_prob, metric) for metric in FOUR.values()]
    drawn = display.pictures_["utilities"]
    np.testing.assert_array_equal(drawn["curve"].x, np.arange(61))
    np.testing.assert_array_equal(drawn["curve"].y, best[0].utilities)
    for i, decision in enumerate(best[1:], 1):
        np.testing.assert_array_equal(drawn[f"curve:{i}"].y, decision.utilities)
    plug_in = [plug_in_utilities(y_prob, metric) for metric in FOUR.values()]
    np.testing.assert_allclose(drawn["plug-in"].y, plug_in)
    np.testing.assert_array_equal(drawn["rings"].y, [decision.utility for decision in best[1:]])
    assert (drawn["best"].x, drawn["best"].y) == (best[0].n_predicted_positive, best[0].utility)
    thresholds = display.pictures_["thresholds"]["rings"].x
    np.testing.assert_array_equal(thresholds, [decision.threshold for decision in best])
    (line,) = display.artists_["utilities"]["curve"]
    np.testing.assert_array_equal(line.get_ydata(), best[0].utilities)


@pytest.mark.parametrize(("n", "columns", "points"), [(60, 60, 60), (9000, 200, 300)])
def test_columns_and_curves_are_those_of_all_samples_or_of_some(n, columns, points):
    y_prob = prob(n, 0.3, 6)
    display = make(y_prob, "f")
    best = display.decisions["F1"]
    count = best.n_predicted_positive
    line = display.pictures_["utilities"]["curve"]
    k = line.x.astype(int)
    assert k.size <= points + 2
    assert {0, count, n} <= set(k)
    np.testing.assert_array_equal(line.y, best.utilities[k])
    parts = np.split(np.sort(y_prob)[::-1], [count])
    for name, part in zip(("positive", "negative"), parts, strict=True):
        band = display.pictures_["probabilities"][name]
        area = trapezoid(band.y[0], band.x)
        gaps = 0.84 if n == 60 else 1.0
        assert area == pytest.approx(gaps * part.sum())
        assert len(band.x) <= 4 * columns


def test_labels_describe_the_decision(words):
    y_prob = prob(40)
    display = make(y_prob, ["f", "cost"], cost_fp=2.0)
    decision = display.decisions["F1"]
    text = words(display.axes_["probabilities"])
    assert f"{decision.n_predicted_positive} positive" in text
    assert f"{40 - decision.n_predicted_positive} negative" in text
    assert f"threshold {decision.threshold:.3f}" in text
    rows = words(display.axes_["thresholds"]).split("\n")
    for name, optimum in display.decisions.items():
        value = f"{optimum.utility:.3f}".replace("-", "−")
        many = str(optimum.n_predicted_positive)
        assert {name, f"{optimum.threshold:.3f}", many, value} <= set(rows)
    few = make(prob(20), ["f", "g_mean"])
    assert "dashed: on expected counts" in words(few.axes_["utilities"])


def test_labels_without_positives_or_differences(words):
    none = make([0.2, 0.1, 0.3], "accuracy")
    assert none.decisions["accuracy"].n_predicted_positive == 0
    assert "nothing is predicted positive" in words(none.axes_["probabilities"])
    assert none.artists_["probabilities"]["positive"] == []
    assert {"none", "0", "0.800"} <= set(words(none.axes_["thresholds"]).split("\n"))
    assert "expected counts" not in words(none.axes_["utilities"])
    assert make([0.9, 0.8], "accuracy").artists_["probabilities"]["negative"] == []


def test_one_metric_names_its_best_threshold(words):
    display = make([1.0, 0.3, 0.3, 0.3, 0.3, 0.3], "f", kind="utilities")
    assert "0.626 at k = 1" in words(display.axes_["utilities"])
    assert display.axes_["utilities"].get_ylabel() == "expected F1"
    assert display.pictures_["utilities"]["points"].is_shown
    assert list(display.axes_) == ["utilities"]
    assert make(prob(90), kind="utilities").axes_["utilities"].get_ylabel() == "expected utility"


def test_steep_curves_are_distinct_horizontally():
    x = np.linspace(0, 1, 101)
    assert width_between(x, 100 * x, 100 * x + 1) == pytest.approx(0.01, rel=1e-3)
    assert width_between(x, 0 * x, 0 * x + 1) == 1.0


def test_without_the_plug_in_rule(words):
    display = make(prob(30), "am", plug_in=False)
    assert display.artists_["utilities"]["plug-in"] == []
    assert "expected counts" not in words(display.axes_["utilities"])


@pytest.mark.parametrize("kind", ["probabilities", "utilities", "thresholds"])
def test_one_picture_on_axes_of_the_user(kind):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    display = DecisionDisplay([optimal_decision(prob(30), "am")])
    assert display.plot(right, kind=kind) is display
    assert display.axes_ == {kind: right}
    assert display.figure_ is figure
    assert not left.lines
    assert list(display.plot(left).axes_) == ["utilities"]
    assert plt.get_fignums() == [figure.number]
    _, axes = plt.subplots(1, 3, figsize=(15, 5))
    assert list(display.plot(axes).axes_.values()) == list(axes)
    assert len(plt.get_fignums()) == 2


def test_from_estimator():
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 0.5, "ill", "well")
    model = LogisticRegression().fit(X, y)
    well = DecisionDisplay.from_estimator(model, X[:20], ["f2", "am"], pos_label="well")
    np.testing.assert_array_equal(well.decisions["F2"].y_prob, model.predict_proba(X[:20])[:, 1])
    ill = DecisionDisplay.from_estimator(model, X[:20], "f", beta=0.5, pos_label="ill")
    np.testing.assert_array_equal(ill.decisions["F0.5"].y_prob, model.predict_proba(X[:20])[:, 0])
    with pytest.raises(ValueError, match="predict_proba"):
        DecisionDisplay.from_estimator(LinearSVC().fit(X, y), X, pos_label="ill")
    own = DecisionTheoreticClassifier(LogisticRegression(), pos_label="ill").fit(X, y)
    again = DecisionDisplay.from_estimator(own, X[:20], "f", beta=0.5)
    np.testing.assert_array_equal(again.decisions["F0.5"].y_prob, ill.decisions["F0.5"].y_prob)


def test_metrics_and_decisions_in_any_form():
    y_prob = prob(12)
    recall = LinearFractional((0, 1, 0, 0), (0, 0, 0, 1))
    display = make(y_prob, {"mine": parse_formula("u/p"), "yours": recall})
    assert list(display.decisions) == ["mine", "yours"]
    for form in (recall, resolve_metric("f"), parse_formula("u/p"), lambda u, v, p: u):
        assert len(make(y_prob, form).decisions) == 1
    first = optimal_decision(y_prob, "f")
    second = optimal_decision(y_prob, "am")
    assert list(DecisionDisplay(first).decisions) == ["F1"]
    assert list(DecisionDisplay([first, second]).decisions) == ["F1", "balanced accuracy"]
    assert list(DecisionDisplay({"a": first, "b": second}).decisions) == ["a", "b"]


def test_names():
    recall = LinearFractional((0, 1, 0), (1, 0, 0))
    for metric, name in (
        ("f0.5", "F0.5"),
        ("g_tp_pr", "G-TP/PR"),
        (recall, "linear fractional"),
        (parse_formula("u" + "+u" * 40), "u" + "+u" * 14 + "…"),
        (prob, "prob"),
    ):
        assert metric_name(resolve_metric(metric)) == name


@pytest.mark.parametrize("theme", ["light", "lecture"])
@pytest.mark.parametrize("batch", BATCHES.values(), ids=BATCHES)
def test_nothing_is_cut_off_and_no_texts_overlap(batch, theme, legible):
    display = make(batch, theme=theme)
    legible(display.figure_, *display.axes_.values())


def test_each_name_stands_at_the_end_of_its_curve_by_a_line_of_its_colour(words):
    metrics = ["f", "am", "g_tp_pr", "accuracy"]
    styles = [{"color": "C1", "label": "mine", "linewidth": 5}, {}, {}, {}]
    display = make(prob(12), metrics, kind="utilities", curve_kwargs=styles)
    artists = display.artists_["utilities"]
    picture = display.pictures_["utilities"]
    curves = [artists[name][0] for name in ("curve:1", "curve:2", "curve:3", "curve")]
    (ends,) = artists["ends"]
    assert mcolors.same_color(curves[-1].get_color(), "C1")
    assert curves[-1].get_linewidth() == 5
    names = [*list(display.decisions)[1:], "mine"]
    assert list(picture["names"].text) == names
    ties = zip(ends.get_segments(), ends.get_colors(), strict=True)
    for curve, (tie, colour), y in zip(curves, ties, picture["names"].y, strict=True):
        assert mcolors.same_color(curve.get_color(), colour)
        np.testing.assert_array_equal(tie[:, 1], [curve.get_ydata()[-1], y])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make([]), "y_prob is empty"),
        (lambda: make([0.1], "g"), "metric must be one of"),
        (lambda: make([0.1], ["f", "f1"]), "same name"),
        (lambda: make([0.1], ax=[1, 2]), "ax must be 1 or 3 Axes; got 2"),
        (lambda: make([0.1], kind="utilities", ax=[1, 2, 3]), "ax must be 1 Axes; got 3"),
        (lambda: DecisionDisplay([3]), "must be a Decision .* got int"),
        (
            lambda: DecisionDisplay(
                {c: optimal_decision([p]) for c, p in (("a", 0.1), ("b", 0.2))}
            ),
            "same probabilities",
        ),
    ],
)
def test_bad_input_makes_no_figure(call, message):
    with pytest.raises(ValueError, match=message):
        call()
    assert plt.get_fignums() == []
