import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.metrics import RocCurveDisplay

from rocviz import RankedSegments, ROCHullDisplay, roc_band
from rocviz.core.roc.isometrics import isometric_through


def test_lines_are_what_the_core_computed(data):
    segments = RankedSegments.from_scores(*data)
    display = ROCHullDisplay.from_predictions(*data, name="model")
    thin = segments.thin(size=2000.0)
    np.testing.assert_array_equal(display.line_.get_xdata(), thin.fpr)
    np.testing.assert_array_equal(display.line_.get_ydata(), thin.tpr)
    np.testing.assert_array_equal(display.hull_line_.get_xdata(), segments.hull().fpr)
    np.testing.assert_array_equal(display.hull_line_.get_ydata(), segments.hull().tpr)
    np.testing.assert_array_equal(display.chance_level_.get_xydata(), [[0, 0], [1, 1]])


def test_band_is_what_the_core_computed(data):
    segments = RankedSegments.from_scores(*data)
    expected = roc_band(segments, confidence=0.9, method="kolmogorov-smirnov")
    display = ROCHullDisplay.from_predictions(*data, band="kolmogorov-smirnov", confidence=0.9)
    vertices = display.band_.get_paths()[0].vertices
    for edge in (expected.lower, expected.upper):
        for point in zip(expected.fpr, edge, strict=True):
            assert np.isclose(vertices, point).all(axis=1).any()


def test_the_curve_is_drawn_to_half_a_pixel():
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.3
    score = rng.normal(size=y.size) + y
    display = ROCHullDisplay.from_predictions(y, score, band="none")
    x, t = display.line_.get_data()
    assert len(x) < 2000
    across = display.ax_.get_window_extent().width
    off = np.abs(np.interp(display.fpr, x, t) - display.tpr)
    steep = np.interp(display.tpr, t, x)
    assert np.minimum(off, np.abs(steep - display.fpr)).max() * across <= 0.75


def test_names_are_those_of_scikit_learn(data):
    ours = ROCHullDisplay.from_predictions(*data, name="model", pos_label=1)
    theirs = RocCurveDisplay.from_predictions(
        *data, name="model", pos_label=1, plot_chance_level=True, drop_intermediate=False
    )
    for name in ("ax_", "figure_", "line_", "chance_level_", "name", "pos_label"):
        assert hasattr(theirs, name)
        assert hasattr(ours, name)
    np.testing.assert_allclose(ours.fpr, theirs.fpr)
    np.testing.assert_allclose(ours.tpr, theirs.tpr)
    assert ours.roc_auc == pytest.approx(theirs.roc_auc)
    assert ours.line_.get_label() == theirs.line_.get_label()


def test_labels_say_areas_counts_and_the_method_of_the_band(data, words):
    display = ROCHullDisplay.from_predictions(*data, name="model")
    text = words(display.ax_)
    assert f"model, AUC {display.roc_auc:.3f}" in text
    assert f"convex hull, AUC {display.segments.hull().auc:.3f}" in text
    assert "95 % band, bootstrap" in text
    assert f"n = {data[0].sum()} positive + {(1 - data[0]).sum()} negative" in text


def test_several_models_in_one_call(data, models, words):
    display = ROCHullDisplay.from_predictions(data[0], models)
    assert len(display.line_) == 3
    assert display.hull_line_ == [None] * 3
    assert display.band_ == [None] * 3
    assert len({line.get_color() for line in display.line_}) == 3
    assert len({str(line.get_linestyle()) + str(line._dash_pattern) for line in display.line_}) == 3
    for name, auc in zip(models, display.roc_auc, strict=True):
        assert f"{name}, AUC {auc:.3f}" in words(display.ax_)
    for curve, name in zip(display.fpr, models, strict=True):
        np.testing.assert_array_equal(curve, RankedSegments.from_scores(data[0], models[name]).fpr)


def test_a_second_display_joins_the_first(data, models, words):
    first = ROCHullDisplay.from_predictions(data[0], models["first"], name="first")
    second = ROCHullDisplay.from_predictions(data[0], models["second"], name="second", ax=first.ax_)
    assert second.ax_ is first.ax_
    assert plt.get_fignums() == [1]
    assert second.chance_level_ is None
    assert second.band_ is None
    assert first.line_.get_color() != second.line_.get_color()
    texts = words(first.ax_).splitlines()
    assert texts[0].startswith("first, AUC")
    assert texts[1] == f"second, AUC {second.roc_auc:.3f}"
    assert texts[2] == f"convex hull, AUC {first.segments.hull().auc:.3f}"
    assert texts[3] == "95 % band, bootstrap of first"
    assert first.line_.axes is first.ax_
    assert sum(line.startswith("n = ") for line in texts) == 1
    # models of other data say their own counts
    ROCHullDisplay.from_predictions(data[0][:100], data[1][:100], ax=first.ax_)
    assert words(first.ax_).count("n = ") == 3


def test_cleared_axes_start_again(data):
    first = ROCHullDisplay.from_predictions(*data)
    first.ax_.clear()
    again = ROCHullDisplay.from_predictions(*data, ax=first.ax_)
    assert again.chance_level_ is not None
    assert again.line_.get_color() == first.line_.get_color()


def test_best_threshold_for_costs(data, words):
    display = ROCHullDisplay.from_predictions(*data, cost_fp=1, cost_fn=5, prevalence=0.2)
    expected = display.segments.optimal_point(1, 5, 0.2)
    assert display.optimal_point_ == expected
    ((x, y),) = display.optimal_marker_.get_offsets()
    assert (x, y) == (expected.fpr, expected.tpr)
    line = isometric_through(
        "cost", expected.fpr, expected.tpr, prevalence=0.2, cost_fp=1, cost_fn=5
    )
    np.testing.assert_array_equal(display.optimal_line_.get_data(), line)
    assert f"threshold {expected.threshold:g}" in words(display.ax_)
    y = [1, 0, 0, 0, 0, 0]
    score = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    display = ROCHullDisplay.from_predictions(y, score, cost_fp=1, band="none")
    assert display.optimal_point_.threshold == np.inf
    assert "never positive" in words(display.ax_)


def test_the_optimal_point_of_several_models_has_the_lowest_cost(data, words):
    y, p = data
    display = ROCHullDisplay.from_predictions(
        y, {"coin": np.tile([0.1, 0.2], 150), "good": p}, cost_fn=1
    )
    assert display.optimal_name_ == "good"
    assert "good, threshold" in words(display.ax_)


def test_constructor_takes_results(data):
    segments = RankedSegments.from_scores(*data)
    band = roc_band(segments, method="kolmogorov-smirnov")
    display = ROCHullDisplay(segments, name="one", band=band).plot(name="other", hull=False)
    assert display.hull_line_ is None
    assert display.band_ is not None
    assert display.line_.get_label().startswith("other")
    two = ROCHullDisplay({"a": segments, "b": segments}, band={"b": band}).plot(hull=True)
    assert two.band_[0] is None
    assert two.band_[1] is not None
    assert all(line is not None for line in two.hull_line_)
    assert ROCHullDisplay(segments).plot(two.ax_).line_.get_label().startswith("curve 3")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "x"}, "name must not be given"),
        ({"band": 3.0}, "mapping"),
        ({"band": {"c": 3.0}}, "names that segments does not have"),
    ],
)
def test_constructor_refuses(data, change, message):
    segments = RankedSegments.from_scores(*data)
    if change.get("band") == 3.0:
        change = {"band": roc_band(segments, method="kolmogorov-smirnov")}
    with pytest.raises(ValueError, match=message):
        ROCHullDisplay({"a": segments, "b": segments}, **change)
