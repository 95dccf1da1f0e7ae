"""Common behaviour of the displays of named models."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier

from rocviz import (
    AUCIntervalDisplay,
    BrierDisplay,
    CalibrationMapDisplay,
    CurveSpaceDisplay,
    FermiDiracDisplay,
    RankedSegments,
    RankingBoundDisplay,
    ReliabilityDisplay,
    ROCHullDisplay,
)

DISPLAYS = [ROCHullDisplay, ReliabilityDisplay, BrierDisplay, CurveSpaceDisplay]
PROBABILITIES = [ReliabilityDisplay, BrierDisplay]


@pytest.fixture(params=DISPLAYS, ids=lambda display: display.__name__)
def display(request):
    return request.param


@pytest.mark.parametrize("kind", PROBABILITIES)
def test_probabilities_only(kind):
    with pytest.raises(ValueError, match="probabilities"):
        kind(RankedSegments([3, 0.5], [1, 1], [1, 0]))
    X = np.arange(12.0).reshape(-1, 1)
    with pytest.raises(ValueError, match="predict_proba"):
        kind.from_estimator(RidgeClassifier().fit(X, X[:, 0] > 5), X, X[:, 0] > 5)
    assert plt.get_fignums() == []


def test_unsuitable_estimators_are_refused(display):
    X = np.arange(12.0).reshape(-1, 1)
    two = np.where(X[:, 0] > 5, "high", "low")
    three = X[:, 0] // 4
    for estimator, y, message in (
        (LinearRegression().fit(X, X[:, 0]), two, "must be a fitted classifier"),
        (LogisticRegression(), two, "not fitted"),
        (LogisticRegression().fit(X, three), three, "has 3"),
        (LogisticRegression().fit(X, two), two, r"LogisticRegression.classes_ .*'high' and 'low'"),
    ):
        with pytest.raises(ValueError, match=message):
            display.from_estimator(estimator, X, y)
    assert plt.get_fignums() == []


ONE_AT_A_TIME = [CalibrationMapDisplay, FermiDiracDisplay]


@pytest.mark.parametrize(
    "kind", [*DISPLAYS, *ONE_AT_A_TIME, AUCIntervalDisplay, RankingBoundDisplay]
)
def test_an_estimator_is_drawn_by_its_scores(kind):
    def pictures(display):
        return getattr(display, "pictures_", None) or display.picture_

    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.where(X[:, 0] + rng.normal(size=120) > 0, "yes", "no")
    model = LogisticRegression().fit(X, y)
    ridge = RidgeClassifier().fit(X, y)
    cases = [({}, model, model.predict_proba(X)[:, 0])]
    if kind not in PROBABILITIES:
        cases += [
            ({"response_method": "decision_function"}, model, -model.decision_function(X)),
            ({}, ridge, -ridge.decision_function(X)),
        ]
    for how, estimator, score in cases:
        drawn = kind.from_estimator(estimator, X, y, pos_label="no", **how)
        name = type(estimator).__name__
        same = kind.from_predictions(y, score, pos_label="no", name=name)
        assert pictures(drawn) == pictures(same)
    if kind not in ONE_AT_A_TIME:
        of_yes = model.predict_proba(X)[:, 1]
        both = kind.from_estimator({"a": model, "b": model}, X, y, pos_label="yes")
        same = kind.from_predictions(y, {"a": of_yes, "b": of_yes}, pos_label="yes")
        assert pictures(both) == pictures(same)


def test_a_name_is_for_a_single_model(display, data, models):
    segments = {k: RankedSegments.from_scores(data[0], p) for k, p in models.items()}
    with pytest.raises(ValueError, match="name must not be given"):
        display(segments, name="x")
    with pytest.raises(ValueError, match="name must not be given"):
        display(segments).plot(name="x")
    assert plt.get_fignums() == []


def test_string_label_is_used_in_the_counts(data, words):
    y = np.where(data[0] == 1, "ill", "well")
    roc = ROCHullDisplay.from_predictions(y, 1 - data[1], pos_label="well")
    assert f"{(data[0] == 0).sum()} well + {data[0].sum()} ill" in words(roc.ax_)
    strip = ReliabilityDisplay.from_predictions(y, data[1], pos_label="ill").histogram_ax_
    assert f"{data[0].sum()} ill" in words(strip)
    assert f"{(data[0] == 0).sum()} well" in words(strip)
    segments = RankedSegments.from_scores(y, data[1], pos_label="ill")
    alone = ROCHullDisplay(segments, pos_label="ill").plot()
    assert f"{data[0].sum()} ill + {(data[0] == 0).sum()} other" in words(alone.ax_)


def test_lectures_have_larger_type_and_strokes_and_can_be_saved(data, tmp_path):
    plain = ROCHullDisplay.from_predictions(*data, theme=None)
    hall = ROCHullDisplay.from_predictions(*data, theme="lecture")
    assert hall.ax_.xaxis.label.get_size() == pytest.approx(1.5 * plain.ax_.xaxis.label.get_size())
    assert hall.line_.get_linewidth() == pytest.approx(1.6 * plain.line_.get_linewidth())
    for kind in ("svg", "pdf"):
        hall.figure_.savefig(tmp_path / f"figure.{kind}", bbox_inches="tight")
        assert (tmp_path / f"figure.{kind}").stat().st_size > 5000


def test_unit_axes(data):
    for kind in (ROCHullDisplay, ReliabilityDisplay):
        ax = kind.from_predictions(*data).ax_
        assert ax.get_aspect() == 1
        assert [t.get_text() for t in ax.get_yticklabels()] == ["0", ".25", ".5", ".75", "1"]
        box = ax.get_window_extent()
        assert box.width == pytest.approx(box.height)


@pytest.mark.parametrize("kind", DISPLAYS[1:])  # of the first it is asked below, in two sizes
def test_nothing_is_cut_off(kind, situation, legible):
    display = kind.from_predictions(*situation, name="a model")
    legible(display.figure_, display.ax_, *display.ax_.child_axes)


def _touched(display, lines):
    """List the texts whose middle band of ink a line passes through."""
    results = []
    for line in lines:
        xy = display.ax_.transData.transform(line.get_xydata())
        along = np.concatenate(([0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))))
        steps = np.linspace(0, along[-1], 3000)
        x, y = (np.interp(steps, along, column) for column in xy.T)
        legend = display.ax_.get_legend()
        for text in (*display.ax_.texts, *(legend.get_texts() if legend else ())):
            box = text.get_window_extent()
            if ((x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1)).any():
                results.append(text.get_text())
    return results


def test_roc_labels_do_not_touch_the_curve_or_each_other(situation, legible):
    for size in ((4, 4), (12, 5)):
        _, ax = plt.subplots(figsize=size)
        display = ROCHullDisplay.from_predictions(
            *situation, ax=ax, band="kolmogorov-smirnov", cost_fn=3
        )
        legible(display.figure_, ax)
        assert _touched(display, [display.line_]) == []


def test_names_of_eight_models_touch_no_curve_and_nothing_else(data, legible):
    y, p = data
    rng = np.random.default_rng(1)
    many = {
        f"model {k}": np.clip(p + rng.normal(0, 0.06 * k, y.size), 0.01, 0.99) for k in range(2, 10)
    }
    for space in ("roc", "pr_gain"):
        display = CurveSpaceDisplay.from_predictions(y, many, space=space)
        legible(display.figure_, display.ax_)
        assert _touched(display, display.line_) == [], space
        first, *_ = display.ax_.texts
        edge = display.ax_.get_window_extent().x1
        assert (first.get_window_extent().x0 > edge) == (space != "roc")
        lines = {line.get_label(): line for line in display.ax_.lines}
        for line, name in zip(
            display.line_, ["curve", *(f"model:{i}" for i in range(1, 8))], strict=True
        ):
            sample = lines[f"_key:{name}"]
            assert sample.get_color() == line.get_color()
            assert sample._unscaled_dash_pattern == line._unscaled_dash_pattern
    every = {"hull": True, "band": "kolmogorov-smirnov"}
    for how in ({}, every):
        display = ROCHullDisplay.from_predictions(y, many, **how)
        legible(display.figure_, display.ax_)
        assert _touched(display, display.line_) == []
        texts = [text.get_text() for text in display.ax_.texts]
        assert len(texts) == (11 if how else 9)
        areas = f"AUC {display.roc_auc[0]:.3f}"
        areas += f", of its hull {display.segments['model 2'].hull().auc:.3f}" if how else ""
        assert f"model 2, {areas}" in texts
    _, ax = plt.subplots(figsize=(9, 6), layout="constrained")
    display = ReliabilityDisplay.from_predictions(y, many, ax=ax)
    assert display.histogram_ax_ == []
    assert ax.get_xlabel() == "predicted probability"
    assert ax.get_window_extent().height > 400
    display = ReliabilityDisplay.from_predictions(y, many, theme="lecture")
    assert len(display.histogram_ax_) == 8
    display.figure_.draw_without_rendering()
    box = display.ax_.get_window_extent()
    assert box.height > 0.8 * box.width


def test_layout_engines_make_room_for_the_strip(data):
    figure, axes = plt.subplots(1, 2, figsize=(9, 5), layout="constrained")
    displays = [ReliabilityDisplay.from_predictions(*data, ax=ax) for ax in axes]
    figure.draw_without_rendering()
    for display in displays:
        label = display.histogram_ax_.xaxis.label.get_window_extent()
        assert label.y0 >= 0
        assert display.ax_.get_window_extent().y0 > display.histogram_ax_.get_window_extent().y1


@pytest.mark.parametrize("kind", DISPLAYS)
def test_axes_may_be_those_of_subfigures(kind, data):
    figure = plt.figure(figsize=(10, 5), layout="constrained")
    for subfigure in figure.subfigures(1, 2):
        ax = subfigure.subplots()
        assert kind.from_predictions(*data, ax=ax).ax_ is ax
    figure.draw_without_rendering()
