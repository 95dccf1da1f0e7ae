"""The picture of pairs in the ROC explorer: its title, its threshold, and the people of a cell."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rocviz import ROCExplorer
from rocviz.core.roc import RankedSegments
from rocviz.words import short_score

RNG = np.random.default_rng(3)
Y = np.repeat([1, 0], [40, 60])
SCORE = (np.where(Y == 1, 1.0, 0.0) + RNG.normal(size=Y.size)).round(1)


@pytest.fixture
def explorer():
    made = ROCExplorer(Y, SCORE, panels=["pairs", "scores"])
    yield made
    made.close()


def picture(explorer, name):
    panel = explorer._panels[name]
    panel.shown(explorer, explorer.result, explorer._theme)
    return panel.picture


def test_the_title_is_the_auc(explorer):
    auc = explorer.result.segments.auc
    assert explorer.title("pairs") == f"2,400 pairs, {100 * auc:.0f} % in order"


def test_the_handle_is_on_the_border_and_moves_the_threshold(explorer):
    panel = explorer._panels["pairs"]
    handle = picture(explorer, "pairs")["point"]
    table = explorer.result.table
    assert (handle.x[0], handle.y[0]) == (table.fp, table.tp)
    panel.on_event("point", "drag_start", x=0, y=0)
    panel.on_event("point", "drag", x=30.0, y=38.0)
    moved = explorer.result.table
    assert moved.threshold != table.threshold
    assert_allclose([moved.fp, moved.tp], [30, 38], atol=4)
    handle = picture(explorer, "pairs")["point"]
    assert (handle.x[0], handle.y[0]) == (moved.fp, moved.tp)


def test_two_thresholds_stand_on_the_border_too(explorer):
    explorer.refer = True
    shown = picture(explorer, "pairs")
    policy = explorer.result.referral.policy
    assert shown["lower"].x[0] == policy.n_neg[1:].sum()
    assert shown["upper"].y[0] == policy.n_pos[2]
    panel = explorer._panels["pairs"]
    panel.on_event("upper", "drag_start")
    panel.on_event("upper", "drag", x=0.0, y=5.0)
    assert explorer.result.referral.policy.n_pos[2] < policy.n_pos[2]


def test_the_people_of_a_cell_are_among_the_scores(explorer):
    cells = picture(explorer, "pairs")["cells"]
    lit = picture(explorer, "scores")["pair"]
    assert lit.of == ("pairs", "cells")
    assert_allclose(lit.x, np.concatenate((cells.column_values, cells.row_values)))
    assert cells.row_names[0] == f"positive {short_score(SCORE[Y == 1].max())}"


def test_the_people_of_a_cell_are_among_the_dots(explorer):
    explorer.panels = ["pairs", "people"]
    shown = picture(explorer, "people")
    cells = picture(explorer, "pairs")["cells"]
    lit = shown["pair"]
    assert lit.x.size == cells.column_values.size + cells.row_values.size
    assert_allclose(lit.x[60:], shown["positive people"].x)
    # each near its score, as far as columns tell
    width = shown["positive people"].pitch[0]
    assert np.abs(lit.x[:60] - cells.column_values).max() < 4 * width


def test_joined_segments_are_ties():
    y = [1, 0, 1, 0]
    explorer = ROCExplorer(y, [0.9, 0.7, 0.4, 0.2], panels=["pairs", "roc"])
    assert explorer.result.pairs.cells().tolist() == [[1, 1], [0, 1]]
    explorer.coarsen(1)
    assert explorer.result.pairs.cells().tolist() == [[1, 1], [0.5, 1]]
    assert explorer.result.pairs.auc == explorer.result.segments.auc
    explorer.close()


def test_many_samples_and_segments_have_pictures_too():
    with_counts = RankedSegments([3, 2, 1], [50, 30, 20], [5, 100, 900])
    for explorer in (ROCExplorer(panels=["pairs"]), ROCExplorer(with_counts, panels=["pairs"])):
        shown = picture(explorer, "pairs")
        assert shown["curve"].x[-1] == explorer.result.segments.n_neg
        explorer.close()


@pytest.mark.parametrize(("space", "snaps_from"), [("roc", "curve"), ("gain", "")])
def test_a_hull_is_a_rubber_band_over_its_curve_in_roc_space(space, snaps_from):
    explorer = ROCExplorer(space=space, panels=["roc"], n_samples=50, show_band=False)
    assert picture(explorer, "roc")["hull"].snaps_from == snaps_from
    explorer.close()
