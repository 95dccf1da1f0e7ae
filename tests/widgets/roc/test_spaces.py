"""The ROC explorer in every space: one ranking, and one point that two traits move."""

import numpy as np
import pytest
import traitlets
from page import Page

from rocviz import RankedSegments, ROCExplorer, calibration_map
from rocviz import space_curve as core_curve
from rocviz.core.calibration import brier_decomposition
from rocviz.core.curve_spaces import map_from_roc
from rocviz.core.curve_spaces.spaces import POINT_SPACES, SPACES
from rocviz.widgets.roc.data import Scored, SpaceCurves
from rocviz.widgets.roc.state import ROCState
from rocviz.words import letters

Y = np.array([0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0])
P = np.array([0.1, 0.4, 0.3, 0.8, 0.9, 0.4, 0.6, 0.8, 0.6, 0.2, 0.2, 0.1])


def test_every_space_but_roc_has_a_sentence():
    assert [name for name, space in SPACES.items() if not space.sentence] == ["roc"]


@pytest.fixture
def state():
    return ROCState(Scored(Y, {"model": P}))


@pytest.mark.parametrize("space", SPACES)
def test_the_curve_is_that_of_the_core_and_its_area_is_stated(state, space):
    state.space = space
    view = state.result.views[space]
    segments = RankedSegments.from_scores(Y, P)
    assert view.curve.area == pytest.approx(
        core_curve(segments, space=space).area, rel=0, abs=0, nan_ok=True
    )
    assert set(state.result.views) == {"roc", space}
    if SPACES[space].area_name and space != "roc":
        assert f"{view.curve.area:.3f}" in state.sentences[-1].text
    names = {}
    exec(state.code(), names)
    if space != "roc":
        assert names["curve"].area == pytest.approx(view.curve.area, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("space", SPACES)
def test_a_dragged_point_moves_in_all_spaces(state, space):
    state.space = space
    for k in range(1, len(state.result.segments) + 1):
        curve = state.result.views[space].curve
        place = curve.threshold_x[k], curve.threshold_y[k]
        if place[0] < 0 or not np.isfinite(place).all():
            continue
        if space == "cost" and place in ((0, 0), (1, 0)):
            continue  # without false alarms, or misses, several lines begin there
        state.threshold = 0.05
        state.move_to(*place, space)
        assert state.threshold == state.result.segments.score[k - 1]
        assert state.result.views[space].selected == pytest.approx(place)
        point = state.result.segments.fpr[k], state.result.segments.tpr[k]
        assert state.result.operating_point == pytest.approx(point)
        assert state.result.views["roc"].selected == pytest.approx(point)


def test_a_curved_edge_is_dragged_along_its_points(state):
    state.space = "precision_recall"
    tied = state.result.segments
    i = int(np.flatnonzero(tied.score == 0.4)[0])
    middle = (tied.fpr[i : i + 2].mean(), tied.tpr[i : i + 2].mean())
    x, y = map_from_roc("precision_recall", [middle[0]], [middle[1]], prevalence=0.5)
    state.move_to(x[0], y[0], "precision_recall")
    assert (state.threshold, state.random_part) == (0.4, pytest.approx(0.5, abs=0.02))
    state.move_to(0.0, 1.0, "precision_recall")
    assert state.result.operating_point == (0, 0)
    assert state.result.views["precision_recall"].selected == (0.0, 1.0)


def test_the_best_point_touches_its_tangent_in_every_space(state):
    state.update(cost_fn=2.5, deployment_prevalence=0.3, metric="cost")
    best = state.result.optimum.fpr, state.result.optimum.tpr
    for space in SPACES:
        state.space = space
        view = state.result.views[space]
        if space in POINT_SPACES:
            x, y = map_from_roc(space, [best[0]], [best[1]], prevalence=view.prevalence)
            assert view.best == pytest.approx((x[0], y[0]))
            assert np.interp(x, *view.best_line) == pytest.approx(y, abs=0.02)
        else:
            # the place of these costs on the axis, and the least there
            assert set(view.best_line[0]) == {view.best[0]}
            height = np.interp(view.best[0], view.hull.x, view.hull.y)
            assert view.best[1] == pytest.approx(height, abs=2e-3)
            # the lines of thresholds of the same cost meet at that place
            assert view.isometric[0] == pytest.approx(view.best[0])
            assert np.interp(view.isometric[0], *view.selected_line) == pytest.approx(
                view.isometric[1], abs=2e-3
            )
    cost = state.result.views["roc"]
    assert cost.cost_lines[0].size == 0


def test_expected_costs_are_heights_of_the_cost_curve(state):
    state.update(space="cost", cost_fn=4.0, deployment_prevalence=0.2)
    result = state.result
    view = result.views["cost"]
    scale = 0.2 * 4 + 0.8
    assert view.best[0] == pytest.approx(0.2 * 4 / scale)
    assert view.best[1] * scale == pytest.approx(result.optimal_cost)
    assert np.interp(view.best[0], *view.selected_line) * scale == pytest.approx(result.cost)


def test_prevalence_in_use_bends_precision_but_not_the_brier_curve(state):
    state.update(space="precision_recall", deployment_prevalence=0.1)
    view = state.result.views["precision_recall"]
    assert view.selected[1] == pytest.approx(state.result.deployed.precision)
    state.space = "brier"
    assert state.result.views["brier"].curve.area == pytest.approx(
        brier_decomposition(state.result.segments).brier
    )


def test_calibrated_probabilities_have_the_brier_curve_of_their_score():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    state = ROCState(Scored(y, {"margin": 3 * y + rng.normal(size=300) * 2}), space="brier")
    view = state.result.views["brier"]
    assert view.curve.area == pytest.approx(state.result.calibrated.after.brier)
    state.move_to(0.4, 0.1, "brier")
    selected = state.result.calibrated.calibration([state.threshold])[0]
    vertices = view.curve.threshold_x[1:]
    assert selected == pytest.approx(min(x for x in vertices if x >= 0.4))
    state.calibration = "hull + Laplace"
    assert state.threshold_at(2.0) == state.bounds[1]
    state.update(calibration="hull", held_out=True)
    assert state.result.views["brier"].curve.area == pytest.approx(
        state.result.calibrated.after.brier
    )


def test_a_model_without_probabilities_has_no_brier_curve():
    state = ROCState(Scored(Y, {"a": P, "margin": 9 * P}), space="brier")
    assert state.result.views["brier"].others == (None,)
    state.space = "lift"
    assert state.result.views["lift"].others[0].area == pytest.approx(
        state.result.views["lift"].curve.area
    )


def test_curves_are_made_once():
    state = ROCState(Scored(Y, {"a": P}))
    before = state.result.views["roc"].curve
    state.deployment_prevalence = 0.3
    assert state.result.views["roc"].curve is before
    curves = SpaceCurves(RankedSegments.from_scores(Y, P))
    first = curves.curve("lift", 0.3)
    assert curves.curve("lift", 0.3) is first
    for k in range(1, 40):
        curves.curve("lift", k / 41)
    assert curves.curve("lift", 0.3) is not first


def test_the_picture_is_drawn_in_the_space():
    explorer = ROCExplorer(Y, P, metric="f", space="cost", panels=["roc"])
    page = Page(explorer)
    for space in SPACES:
        explorer.space = space
        view = explorer.result.views[space]
        marks = page.marks("roc")
        assert marks["point"].x[0] == pytest.approx(view.selected[0])
        assert "curve" in marks
        assert ("band" in marks) == (space == "roc")
        page.drag("roc", "point", view.selected[0] + 0.2, view.selected[1])
        assert explorer.result.views[space].selected != view.selected
        explorer.reset()
        explorer.update(metric="odds_ratio")
    explorer.update(panels=["space", "scores", "roc"], space="lift", focus="space")
    across, _ = page.axes("space")
    assert "positive" in across["label"]
    explorer.close()


def test_roc_space_stays_beside_another_space():
    state = ROCState(Scored(Y, {"model": P}), space="lift")
    assert state.panels == ("roc", "scores", "reliability", "brier")
    assert (state.title("roc"), state.space_of("roc")) == ("Lift", "lift")
    state.panels = ("roc", "space")
    assert (state.title("roc"), state.title("space")) == ("ROC curve", "Lift")
    with pytest.raises(traitlets.TraitError, match="space"):
        state.space = "lifts"


def test_a_ranking_worse_than_random_is_drawn_too():
    explorer = ROCExplorer(Y, 1 - P)
    page = Page(explorer)
    for space in SPACES:
        explorer.space = space
        _, upright = page.axes("roc")
        assert np.isfinite(upright["limits"]).all()
        line = page.marks("roc")["cost line"]
        legend = page.marks("roc")["words"]
        if space in ("roc", "gain"):  # words stand where that line does not come by
            width = 0.033 * max(map(letters, legend.text))
            beside = (line.x > legend.x.max() - width) & (line.x < legend.x.max())
            close = abs(line.y[beside][:, None] - legend.y) < 0.03
            assert legend.align == "end"
            assert beside.any()
            assert not close.any()
    hull = calibration_map(explorer.result.segments)
    assert hull([0.5]).size == 1
    explorer.close()
