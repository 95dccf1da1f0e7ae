"""One ranking drawn in every space, with what no skill gives."""

import numpy as np
import pytest

from rocviz import CurveSpaceDisplay, RankedSegments, space_curve
from rocviz.core.curve_spaces.space_curve import SPACES


@pytest.mark.parametrize("space", SPACES)
def test_the_curve_is_that_of_the_core(space, data, words, legible):
    y, p = data
    display = CurveSpaceDisplay.from_predictions(y, p, space=space)
    segments = RankedSegments.from_scores(y, p)
    curve = space_curve(segments, space)
    low, high = display.ax_.get_xlim()
    seen = (low <= curve.x) & (curve.x <= high)
    np.testing.assert_array_equal(display.line_.get_xdata(), curve.x[seen])
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.y[seen])
    assert display.curve_.area == curve.area
    assert "ranking" in words(display.ax_)
    assert (display.hull_line_ is None) == (space == "cost")
    if space != "cost":
        assert display.hull_curve_.area == space_curve(segments, space, hull=True).area
    if space != "decision":  # its area is over more than is shown
        assert f"{curve.area:.3f}" in words(display.ax_)
    legible(display.figure_, display.ax_)


@pytest.mark.parametrize("space", SPACES)
def test_several_models_have_their_lines_before_their_names(space, data, models, legible):
    display = CurveSpaceDisplay.from_predictions(data[0], models, space=space)
    assert len(display.line_) == 3
    assert display.hull_line_ == [None] * 3
    legible(display.figure_, display.ax_)
    with_hulls = CurveSpaceDisplay.from_predictions(data[0], models, space=space, hull=True)
    assert (with_hulls.hull_line_ == [None] * 3) == (space == "cost")


def test_prevalence_and_limits(data):
    y, p = data
    display = CurveSpaceDisplay.from_predictions(
        y, p, space="decision", prevalence=0.1, limits=(0.05, 0.2)
    )
    assert display.ax_.get_xlim() == (0.05, 0.2)
    assert display.curve_.y[0] == pytest.approx(0.1)
    assert display.line_.get_xdata().min() >= 0.05


def test_from_a_classifier(data):
    from sklearn.linear_model import LogisticRegression

    X = np.asarray(data[1])[:, None]
    model = LogisticRegression().fit(X, data[0])
    display = CurveSpaceDisplay.from_estimator(model, X, data[0], space="lift")
    assert display.name == "LogisticRegression"


@pytest.mark.parametrize(
    ("look", "message"),
    [
        ({"space": "roe"}, "space must be one of roc"),
        ({"prevalence": 1.0}, "prevalence must be strictly"),
        ({"limits": 3}, "limits must be two numbers"),
        ({"limits": (0.4, 0.4)}, "limits must rise"),
        ({"limits": (0, 2)}, "limits must be from 0 to 1"),
    ],
)
def test_bad_looks_are_refused(look, message, data):
    with pytest.raises(ValueError, match=message):
        CurveSpaceDisplay.from_predictions(*data, **look)
