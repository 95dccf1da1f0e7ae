"""Segments of several scores in displays: numbers are written with their bounds."""

import re

import numpy as np
import pytest
from matplotlib.text import Text

import rocviz
from rocviz import RankedSegments, space_curve
from rocviz.core.calibration import brier_bounds
from rocviz.words import between, number


@pytest.fixture(scope="module")
def joined():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.4
    prob = 1 / (1 + np.exp(-rng.normal(1.3 * y - 0.6)))
    segments = RankedSegments.from_partitions([(y, prob)], max_segments=20)
    return segments, RankedSegments.from_scores(y, prob)


def words(display):
    return " | ".join(text.get_text() for text in display.figure_.findobj(Text))


def test_areas_are_written_with_their_bounds(joined):
    segments, exact = joined
    text = words(rocviz.ROCHullDisplay(segments).plot())
    low, high = map(number, segments.auc_bounds)
    assert low < number(exact.auc) < high
    assert f"AUC {low} to {high}" in text
    assert f"AUC {low} to {high}" in words(rocviz.FermiDiracDisplay(segments).plot())
    hull = f"{number(segments.hull().auc)} to {number(segments.best_order().hull().auc)}"
    assert f"convex hull, AUC {hull}" in text


@pytest.mark.parametrize("space", ["precision_recall", "pr_gain", "lift", "cost", "brier"])
def test_areas_in_every_space_hold_those_of_the_data(joined, space):
    segments, exact = joined
    text = words(rocviz.CurveSpaceDisplay(segments).plot(space=space))
    matches = re.findall(r"(\d\.\d+) to (\d\.\d+)", text)
    curves = [space_curve(exact, space=space, hull=hull).area for hull in (False, True)]
    assert len(matches) == (1 if space == "cost" else 2)
    for (low, high), area in zip(matches, curves, strict=False):
        assert float(low) - 0.001 <= area <= float(high) + 0.001
    pictured = space_curve(segments.worst_order(), space=space).area
    assert space == "brier" or number(pictured) in text


def test_brier_scores_and_shares_say_that_scores_are_joined(joined):
    segments, exact = joined
    low, high = (bound.brier for bound in brier_bounds(segments))
    title = words(rocviz.BrierDisplay(segments).plot())
    assert f"Brier score {between(low, high)}, of joined scores" in title
    assert "joined" not in words(rocviz.BrierDisplay(exact).plot())
    assert "some joined" in words(rocviz.ReliabilityDisplay(segments, by="score").plot())
    assert between(0.12341, 0.12339) == "0.123"
