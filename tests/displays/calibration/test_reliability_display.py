import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from rocviz import RankedSegments, ReliabilityDisplay, calibration_map
from rocviz.core.calibration import flexible_calibration
from rocviz.core.roc import binomial_interval
from rocviz.core.roc.segments import score_histogram


def test_step_function_is_the_calibration_map(data):
    segments = RankedSegments.from_scores(*data)
    display = ReliabilityDisplay.from_predictions(*data)
    x, y = display.line_.get_data()
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= 0).all()
    assert (x[0], x[-1]) == (0, 1)
    middle = (x[:-1:2] + x[1::2]) / 2
    np.testing.assert_array_equal(calibration_map(segments)(middle), y[::2])
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(data[1], data[0])
    np.testing.assert_allclose(np.unique(y), np.unique(isotonic.predict(data[1])))


def test_points_of_the_hull(data):
    display = ReliabilityDisplay.from_predictions(*data)
    hull = display.segments.hull()
    np.testing.assert_array_equal(display.prob_true, hull.empirical_probability)
    order = np.argsort(-hull.n, kind="stable")  # small ones on top
    points = np.column_stack((display.prob_pred, display.prob_true))
    np.testing.assert_array_equal(display.points_.get_offsets(), points[order])
    assert np.average(display.prob_pred, weights=hull.n) == pytest.approx(data[1].mean())
    area = display.points_.get_sizes()
    n = hull.n[order]
    large = n > n.sum() / 20
    np.testing.assert_allclose(area[large] / area.max(), n[large] / n.max())


def test_few_scores_are_drawn_one_by_one(data):
    y = data[0]
    p = data[1].round(1)
    display = ReliabilityDisplay.from_predictions(y, p)
    np.testing.assert_array_equal(display.prob_pred, np.unique(p)[::-1])
    np.testing.assert_allclose(
        display.prob_true, [y[p == value].mean() for value in np.unique(p)[::-1]]
    )
    assert display.line_.get_linestyle() == "None"
    by_hull = ReliabilityDisplay.from_predictions(y, p, by="hull")
    assert len(by_hull.prob_pred) == len(by_hull.segments.hull())


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys"])
def test_intervals_are_binomial(data, words, method):
    y = data[0]
    p = data[1].round(1)
    display = ReliabilityDisplay.from_predictions(y, p, interval=method, confidence=0.8)
    segments = display.segments
    lower, upper = binomial_interval(segments.pos, segments.n, confidence=0.8, method=method)
    for (low, high), ends in zip(
        zip(lower, upper, strict=True), display.intervals_.get_segments(), strict=True
    ):
        np.testing.assert_allclose(ends[:, 1], [low, high])
    assert f"80 % intervals, {method.title()}" in words(display.ax_)


def test_scores_and_counts_below(data, words):
    display = ReliabilityDisplay.from_predictions(*data)
    strip = display.histogram_ax_
    display.figure_.draw_without_rendering()
    assert strip.get_xlim() == display.ax_.get_xlim()
    assert strip.get_position().y1 < display.ax_.get_position().y0
    assert f"{data[0].sum()} positives" in words(strip)
    assert f"{(1 - data[0]).sum()} negatives" in words(strip)
    up, down = strip.containers
    counted = score_histogram(display.segments, len(up))
    pos, neg = counted.pos, counted.neg
    np.testing.assert_allclose([bar.get_height() for bar in up], pos / pos.max())
    np.testing.assert_allclose([bar.get_height() for bar in down], -neg / neg.max())
    assert [t.get_text() for t in strip.get_yticklabels()] == [
        f"{neg.max():.0f}",
        f"{pos.max():.0f}",
    ]
    assert strip.get_xlabel() == "predicted probability"
    assert display.ax_.get_xlabel() == ""


def test_every_model_has_its_own_strip(data, models, words):
    display = ReliabilityDisplay.from_predictions(data[0], models)
    assert len(display.histogram_ax_) == len(display.line_) == 3
    display.figure_.draw_without_rendering()
    tops = [strip.get_position().y1 for strip in display.histogram_ax_]
    assert tops == sorted(tops, reverse=True)
    bottoms = [strip.get_position().y0 for strip in display.histogram_ax_]
    assert all(low >= high for low, high in zip(bottoms, tops[1:], strict=False))
    for name, strip in zip(models, display.histogram_ax_, strict=True):
        assert f"{name}: " in words(strip)
        assert name in words(display.ax_)
    assert display.intervals_ == [None] * 3
    assert [strip.get_xlabel() != "" for strip in display.histogram_ax_] == [False, False, True]


def test_a_second_display_joins_the_first(data, models, words):
    first = ReliabilityDisplay.from_predictions(data[0], models["first"], name="first")
    second = ReliabilityDisplay.from_predictions(
        data[0], models["second"], name="second", ax=first.ax_
    )
    assert second.intervals_ is None
    assert second.ref_line_ is None
    assert first.line_.get_color() != second.line_.get_color()
    first.figure_.draw_without_rendering()
    assert first.histogram_ax_.get_position().y0 > second.histogram_ax_.get_position().y1
    assert words(first.ax_).count("first") == 1
    assert words(first.ax_).count("second") == 1


def test_unnamed_models_are_numbered(data, words):
    segments = RankedSegments.from_scores(*data)
    first = ReliabilityDisplay(segments).plot()
    ReliabilityDisplay(segments).plot(first.ax_)
    assert "model 1" in words(first.ax_)
    assert "model 2" in words(first.ax_)


def test_a_flexible_curve_is_drawn_with_its_band(data, models, words, legible):
    y, p = data
    display = ReliabilityDisplay.from_predictions(y, p, flexible=True, confidence=0.9)
    curve = flexible_calibration(y, p, confidence=0.9, n_resamples=0)
    np.testing.assert_array_equal(display.flexible_line_.get_xdata(), curve.predicted)
    np.testing.assert_array_equal(display.flexible_line_.get_ydata(), curve.observed)
    (path,) = display.band_.get_paths()
    for side in (curve.lower, curve.upper):
        assert np.isin(side.round(9), path.vertices[:, 1].round(9)).all()
    assert f"flexible curve, ICI {curve.ici.value:.3f}" in words(display.ax_)
    assert "90 % band, pointwise" in words(display.ax_)
    legible(display.figure_, display.ax_)
    several = ReliabilityDisplay.from_predictions(y, models, flexible=True)
    assert len(several.flexible_line_) == len(several.band_) == 3
    assert "flexible curves, 95 % bands" in words(several.ax_)
    plain = ReliabilityDisplay.from_predictions(y, p)
    assert plain.flexible_line_ is plain.band_ is None


def test_the_curve_of_few_of_the_rarer_class_is_called_logistic(words, legible):
    rng = np.random.default_rng(0)
    p = rng.beta(1, 6, 120)
    y = rng.random(120) < p
    display = ReliabilityDisplay.from_predictions(y, p, flexible=True)
    curve = flexible_calibration(y, p)
    assert curve.method == "logistic"
    np.testing.assert_array_equal(display.flexible_line_.get_ydata(), curve.observed)
    assert f"logistic curve, ICI {curve.ici.value:.3f}" in words(display.ax_)
    assert "95 % band, of the whole curve" in words(display.ax_)
    legible(display.figure_, display.ax_)


def test_separated_classes_have_no_curve_and_the_legend_says_so(words, legible):
    p = np.array([0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
    display = ReliabilityDisplay.from_predictions(p > 0.5, p, flexible=True)
    assert display.flexible_line_ is display.band_ is None
    assert "no smooth curve: the classes are separated" in words(display.ax_)
    legible(display.figure_, display.ax_)
