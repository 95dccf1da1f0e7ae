"""One ranking drawn in every space, with the curve of no skill."""

import numpy as np
import pytest

from rocviz import CurveSpaceDisplay, RankedSegments, space_curve
from rocviz.core.curve_spaces import net_benefit_band
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.core.roc import metric_value


@pytest.mark.parametrize("space", SPACES)
def test_the_curve_is_that_of_the_core(space, data, words, legible):
    y, p = data
    display = CurveSpaceDisplay.from_predictions(y, p, space=space)
    segments = RankedSegments.from_scores(y, p)
    curve = space_curve(segments, space=space)
    low, high = display.picture_.x.low, display.picture_.x.high
    seen = (low <= curve.x) & (curve.x <= high)
    x, y = curve.x[seen], curve.y[seen]
    if SPACES[space].has_infinite_ends:  # they lie on the border
        x, y = np.clip((curve.x, curve.y), low, high)
    np.testing.assert_array_equal(display.line_.get_xdata(), x)
    np.testing.assert_array_equal(display.line_.get_ydata(), y)
    np.testing.assert_array_equal(display.curve_.area, curve.area)
    assert "ranking" in words(display.ax_)
    assert (display.hull_line_ is None) == (space == "cost")
    if space != "cost":
        hull = space_curve(segments, space=space, hull=True)
        np.testing.assert_array_equal(display.hull_curve_.area, hull.area)
    if SPACES[space].area_name:
        assert f"{curve.area:.3f}" in words(display.ax_)
    legible(display.figure_, display.ax_)


@pytest.mark.parametrize("space", SPACES)
def test_several_models_have_their_lines_before_their_names(space, data, models, legible):
    display = CurveSpaceDisplay.from_predictions(data[0], models, space=space)
    assert len(display.line_) == 3
    assert display.hull_line_ == [None] * 3
    legible(display.figure_, display.ax_)


@pytest.mark.parametrize("space", ["gain", "cost"])
def test_hulls_of_several_models_are_drawn_when_asked_for(space, data, models):
    display = CurveSpaceDisplay.from_predictions(data[0], models, space=space, hull=True)
    assert (display.hull_line_ == [None] * 3) == (space == "cost")


@pytest.mark.parametrize(
    ("space", "metric"),
    [
        ("precision_recall", "f"),
        ("lift", "cost"),
        ("roc", "odds_ratio"),
        ("det", "cost"),
        ("cost", "cost"),
        ("brier", "cost"),
        ("decision", "odds_ratio"),
    ],
)
def test_the_isometric_of_the_best_threshold_is_drawn(space, metric, data, words):
    y, p = data
    costs = {"prevalence": 0.3, "cost_fp": 1.0, "cost_fn": 3.0}
    display = CurveSpaceDisplay.from_predictions(y, p, space=space, metric=metric, **costs)
    segments = RankedSegments.from_scores(y, p)
    worth = metric_value(metric, segments.fpr, segments.tpr, **costs)
    worth = worth[np.isfinite(worth)]
    value = worth.min() if metric == "cost" else worth.max()
    assert f"{value:.3f}" in words(display.ax_)
    marks = display.picture_
    x = marks["cost line"].x
    height = marks["cost line"].y
    ring = marks["ring"]
    assert sum(mark.name.startswith("isometric ") for mark in marks.marks) >= 6
    if space not in ("cost", "brier", "decision"):
        shown = np.isfinite(height)  # it gives way to words
        between = np.interp(ring.x, x[shown], height[shown])
        assert between == pytest.approx(ring.y, abs=0.05)
    elif metric == "cost":
        # at the place of these costs it is the best there is
        curve = display.hull_curve_ or display.curve_
        assert np.interp(x, curve.x, curve.y) == pytest.approx(height, abs=0.01)


def test_prevalence_and_limits(data):
    y, p = data
    display = CurveSpaceDisplay.from_predictions(
        y, p, space="decision", prevalence=0.1, limits=(0.05, 0.2)
    )
    assert (display.picture_.x.low, display.picture_.x.high) == (0.05, 0.2)
    assert display.curve_.y[0] == pytest.approx(0.1)
    assert display.line_.get_xdata().min() >= 0.05


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_a_decision_curve_has_the_band_of_the_core(kind, data, models, words, legible):
    y, p = data
    display = CurveSpaceDisplay.from_predictions(y, p, space="decision", band=kind, confidence=0.9)
    (path,) = display.band_.get_paths()
    low, high = display.picture_.x.low, display.picture_.x.high
    expected = net_benefit_band(
        RankedSegments.from_scores(y, p),
        thresholds=np.linspace(max(low, 1e-3), high, 201),
        simultaneous=kind == "simultaneous",
        confidence=0.9,
    )
    x, drawn = path.vertices.T
    for side in (expected.lower, expected.upper):
        assert np.isin(side.round(9), drawn.round(9)).all()
    assert x.max() == pytest.approx(high)
    assert display.picture_.y.high > expected.upper[0]
    assert f"90 % band, {kind}" in words(display.ax_)
    legible(display.figure_, display.ax_)
    several = CurveSpaceDisplay.from_predictions(y, models, space="decision", band=kind)
    assert len(several.band_) == 3
    assert "95 % bands" in words(several.ax_)
    assert CurveSpaceDisplay.from_predictions(y, p, space="decision").band_ is None


def test_bands_are_of_decision_curves(data):
    with pytest.raises(ValueError, match="band must be 'none' in the space 'precision_recall'"):
        CurveSpaceDisplay.from_predictions(*data, band="pointwise")


def test_isometrics_have_the_options_of_the_metric(data):
    by_name = CurveSpaceDisplay.from_predictions(*data, space="roc", metric="f2")
    by_option = CurveSpaceDisplay.from_predictions(*data, space="roc", metric="f", beta=2.0)
    of_f1 = CurveSpaceDisplay.from_predictions(*data, space="roc", metric="f")

    def isometrics(display):
        marks = [mark for mark in display.picture_.marks if mark.name.startswith("isometric ")]
        return np.concatenate([mark.y for mark in marks])

    np.testing.assert_array_equal(isometrics(by_name), isometrics(by_option))
    assert not np.array_equal(isometrics(by_name), isometrics(of_f1))
    assert any("best F2" in text.get_text() for text in by_option.ax_.texts)


def test_a_second_display_joins_the_first_in_the_same_space(data, models, words):
    y, _ = data
    first = CurveSpaceDisplay.from_predictions(y, models["first"], name="first", space="gain")
    second = CurveSpaceDisplay.from_predictions(
        y, {"second": models["second"], "third": models["third"]}, space="gain", ax=first.ax_
    )
    assert first.line_.axes is first.hull_line_.axes is first.ax_
    assert len({line.get_color() for line in (first.line_, *second.line_)}) == 3
    texts = words(first.ax_).splitlines()
    assert [row.split(",")[0] for row in texts[:3]] == ["first", "second", "third"]
    assert len([row for row in texts if "at random" in row]) == 1
    other = CurveSpaceDisplay.from_predictions(y, models["third"], space="lift", ax=first.ax_)
    assert first.line_.axes is other.line_.axes is first.ax_  # nothing of another space goes
