"""PairsDisplay: the coloured area is the AUC, its border the ROC curve."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import trapezoid
from sklearn.linear_model import LogisticRegression

from rocviz import RankedSegments, binormal_scores
from rocviz.core.roc import rank_pairs
from rocviz.displays.roc import PairsDisplay

RNG = np.random.default_rng(2)
Y = np.repeat([1, 0], [30, 50])
SCORE = (np.where(Y == 1, 1.0, 0.0) + RNG.normal(size=Y.size)).round(1)
WEIGHT = RNG.uniform(0.5, 3.0, 80)


def coloured_share(picture):
    """Measure the coloured share of the square, a tie half."""
    (x, (_, heights)) = picture["in order"].x, picture["in order"].y
    area = trapezoid(heights, x)
    tied = picture["tied"]
    if tied.is_shown:
        wide = tied.x[:, 1] - tied.x[:, 0]
        high = tied.y[:, 2] - tied.y[:, 1]
        area += 0.5 * (wide * high).sum()
    return area / (picture["curve"].x[-1] * picture["curve"].y[-1])


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["all alike", "weighted"])
def test_the_coloured_share_is_the_auc(weight):
    segments = RankedSegments.from_scores(Y, SCORE, sample_weight=weight)
    display = PairsDisplay.from_predictions(Y, SCORE, sample_weight=weight)
    assert_allclose(coloured_share(display.picture_), segments.auc)
    x, y = display.line_.get_data()
    assert_allclose(x / x[-1], segments.fpr)
    assert_allclose(y / y[-1], segments.tpr)
    # a row and a column for each sample, as high and as wide as it weighs
    cells = display.picture_["cells"]
    of_negatives = np.ones(50) if weight is None else weight[Y == 0]
    assert_allclose(np.sort(np.diff(cells.x)), np.sort(of_negatives))
    assert cells.y.size == 31


def test_the_title_counts_pairs_and_names_the_model():
    pairs = rank_pairs(Y, SCORE)
    display = PairsDisplay(pairs, name="a model").plot()
    title = display.ax_.get_title(loc="left")
    assert title == f"a model: 1,500 pairs, {100 * pairs.auc:.0f} % in order"


def test_more_samples_have_an_area_without_cells():
    data = binormal_scores(5000, random_state=0)
    display = PairsDisplay.from_predictions(data.y_true, data.y_prob)
    segments = RankedSegments.from_scores(data.y_true, data.y_prob)
    names = [mark.name for mark in display.picture_.marks]
    assert "cells" not in names
    assert_allclose(coloured_share(display.picture_), segments.auc, atol=1e-3)


def test_the_hull_is_drawn_if_it_is_asked_for():
    assert PairsDisplay.from_predictions(Y, SCORE).hull_line_ is None
    hull = RankedSegments.from_scores(Y, SCORE).hull()
    x, y = PairsDisplay.from_predictions(Y, SCORE, hull=True).hull_line_.get_data()
    assert_allclose(x, 50 * hull.fpr)
    assert_allclose(y, 30 * hull.tpr)


def test_an_estimator_is_drawn_by_its_scores():
    X = SCORE.reshape(-1, 1)
    model = LogisticRegression().fit(X, Y)
    display = PairsDisplay.from_estimator(model, X, Y)
    assert display.name == "LogisticRegression"
    assert_allclose(display.pairs.auc, RankedSegments.from_scores(Y, SCORE).auc)
    with pytest.raises(ValueError, match="must be one classifier"):
        PairsDisplay.from_estimator({"one": model}, X, Y)
    with pytest.raises(ValueError, match="scores of one model"):
        PairsDisplay.from_predictions(Y, {"one": SCORE})
    with pytest.raises(ValueError, match="pairs must be a RankedPairs"):
        PairsDisplay(RankedSegments.from_scores(Y, SCORE))


@pytest.mark.parametrize(
    ("share", "is_named"),
    [(0.98, (True, False)), (0.6, (True, True)), (0.05, (False, True))],
)
def test_the_meaning_of_a_colour_stands_in_its_own_area(share, is_named):
    y = np.repeat([1, 0], 50)
    score = np.where(y == 1, 4 * (share - 0.5), 0.0) + np.random.default_rng(0).normal(size=100)
    picture = PairsDisplay.from_predictions(y, score).picture_
    in_order, out_of_order = (
        picture[f"meaning of {area}"] for area in ("in order", "out of order")
    )
    assert (in_order.is_shown, out_of_order.is_shown) == is_named
