"""The ROC explorer's view of a ranking in one space: points and lines in that space's units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.curve_spaces.mapping import POINT_SPACES, map_cut, map_isometric
from rocviz.core.curve_spaces.space_curve import SpaceCurve, cost_lines, space_curve
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.isometrics import isometric_through
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.curve_spaces.spaces import heights, widths, without_skill

Line = tuple[NDArray[np.float64], NDArray[np.float64]]

#: Spaces whose curve is that of probabilities, at the prevalence of the data.
BY_PROBABILITY = ("brier", "decision")

#: Spaces whose curve is recomputed for another prevalence in use.
BY_PREVALENCE = ("precision_recall", "pr_gain", "gain", "lift")

MOST_CUTS = 40  # lines of cuts that are drawn in cost space
MOST_CURVES = 24  # that are remembered


class SpaceCurves:
    """The curves of one ranking in all spaces, each made once."""

    def __init__(self, segments: RankedSegments, hull: RankedSegments | None = None) -> None:
        self.segments, self._hull = segments, hull
        self._made: dict[tuple[str, float | None, bool], SpaceCurve] = {}

    def curve(self, space: str, prevalence: float | None = None, hull: bool = False) -> SpaceCurve:
        """Compute the curve in a space, or its hull."""
        # what does not change with the prevalence is not made again for another one
        key = (space, None if space in ("roc", "cost") else prevalence, hull)
        if key not in self._made:
            if len(self._made) >= MOST_CURVES:
                self._made.clear()
            base = self._hull if hull and space in POINT_SPACES else None
            self._made[key] = (
                space_curve(self.segments, space, prevalence=key[1], hull=hull)
                if base is None
                else space_curve(base, space, prevalence=key[1])
            )
        return self._made[key]


@dataclass(frozen=True, eq=False)
class SpaceView:
    """The contents of one picture of a ranking."""

    space: str  # one of `SPACES`
    prevalence: float  # prevalence of the curves
    curve: SpaceCurve
    hull: SpaceCurve
    # of the models behind; None where one has no probabilities
    others: tuple[SpaceCurve | None, ...]
    limits: tuple[tuple[float, float], tuple[float, float]]  # what the axes show
    chance: tuple[Line, ...]  # lines of what no skill gives
    cuts: Line  # lines of single cuts in cost space; elsewhere empty
    # the point held, and the best one for the stated costs
    held: tuple[float, float]
    held_line: Line  # what the cut held is where a cut is a line; elsewhere empty
    # isometric of the chosen metric through the point held: a line, or one point; or empty
    isometric: Line
    best: tuple[float, float]
    best_line: Line  # the tangent for the stated costs, or the place of these costs on the axis
    union: SpaceCurve | None  # the hull over all models
    # number of a model, and the line along which it alone is best
    stretches: tuple[tuple[int, Line], ...]
    # number of the model of each vertex of that hull, where it is drawn by points
    owners: tuple[int, ...]


class Union:
    """The hull over all models as a curve, and which model each of its vertices belongs to."""

    def __init__(self, hull: ModelHull, prevalence: float) -> None:
        self.curves = SpaceCurves(hull.segments(prevalence))
        order = list(hull.models)
        self.owner = np.array([order.index(name) for name in hull.model], dtype=np.intp)

    def curve(self, space: str, prevalence: float) -> SpaceCurve:
        """Compute the hull in a space."""
        return self.curves.curve(space, prevalence, hull=space in BY_PROBABILITY)

    def stretches(self, curve: SpaceCurve) -> tuple[tuple[int, Line], ...]:
        """List the model and the line of each stretch where a single model is best."""
        owner = self.owner
        if curve.space in BY_PROBABILITY:  # cuts are those of the hull of the hull
            owner = owner[self.curves.segments.hull_vertices]
        first = owner[np.floor(curve.cut[:-1]).astype(np.intp)]
        last = owner[np.ceil(curve.cut[1:]).astype(np.intp)]
        alone = (first == last) | (curve.space == "cost")
        if curve.space in BY_PROBABILITY:
            alone = curve.cut[:-1] == curve.cut[1:]
        whose = np.where(alone, first, -1)
        ends = np.flatnonzero(np.diff(whose, prepend=-2, append=-2))
        return tuple(
            (int(whose[a]), (curve.x[a : b + 1], curve.y[a : b + 1]))
            for a, b in pairwise(ends)
            if whose[a] >= 0 and np.ptp(curve.x[a : b + 1]) + np.ptp(curve.y[a : b + 1]) > 0
        )


def view_in_space(
    space: str,
    front: SpaceCurves,
    others: list[SpaceCurves | None],
    *,
    prevalence: float,
    held: tuple[float, float],
    cut: float,
    abscissa: float,
    best: tuple[float, float],
    tangent: Line,
    union: Union | None,
    slope: float,
    metric: tuple[str, dict[str, Any]],
) -> SpaceView:
    """Compute the view of a ranking in a space.

    ``front`` and ``others`` are of probabilities where the space asks for them; ``prevalence`` is
    where the classifier is used. The cut ``held`` and the ``best`` one are (fpr, tpr); ``cut`` is
    counted as in :attr:`.SpaceCurve.cut`, and ``abscissa`` the probability at which the cut held
    lies. ``tangent`` is the line of equal cost through the best one, in ROC space, of this
    ``slope``. ``metric`` is the one whose isometric is drawn, with its conditions.
    """
    own = front.segments.prevalence
    pi = own if space in BY_PROBABILITY or abs(prevalence - own) < 5e-4 else prevalence
    curve, hull = front.curve(space, pi), front.curve(space, pi, hull=True)
    behind = tuple(None if one is None else one.curve(space, pi) for one in others)
    nothing = (np.empty(0), np.empty(0))
    x_ends = widths(space, pi)
    over_all = None if union is None else union.curve(space, pi)
    least = curve if over_all is None else over_all
    shown = [one for one in (curve, *behind) if one is not None]
    bottom, top = heights(shown, pi, x_ends)
    if space == "decision":
        top += (top - bottom) / 4  # room for words
    if space == "cost":
        top = max(top, 1.04 * float(curve.at_y.max()))
    x, y = map_cut(space, *held, prevalence=pi)
    cuts = held_line = isometric = nothing
    if metric[0] != "none":
        line = isometric_through(metric[0], *held, **metric[1])
        isometric = map_isometric(space, *line, prevalence=pi)
    if space in ("cost", *BY_PROBABILITY):
        held_line = (x, y)
        if space == "cost":
            at = np.array([1 / (1 + slope)])
            height = np.interp(at, least.x, least.y)
            here = float(np.interp(cut, np.arange(curve.at_x.size), curve.at_x))
            cuts = _some_cuts(front.segments)
        else:
            at = np.array([pi * slope / (pi * slope + 1 - pi)])
            loss = (
                front.curve("brier", pi, hull=True) if union is None else union.curve("brier", pi)
            )
            height = np.interp(at, loss.x, loss.y)
            if space == "decision":
                height = pi - height / (2 * np.maximum(1 - at, 1e-9))
            here = abscissa
        if space == "decision":
            fpr, tpr = held
            value = pi * tpr - (1 - pi) * fpr * here / max(1 - here, 1e-9)
        else:
            value = float(np.interp(here, x, y))
        point, best_point = (here, value), (float(at[0]), float(height[0]))
        best_line = (np.repeat(at, 2), np.array([bottom, top]))
    else:
        best_line = map_isometric(space, *tangent, prevalence=pi)
        point = (float(x[0]), float(y[0]))
        bx, by = map_cut(space, *best, prevalence=pi)
        best_point = (float(bx[0]), float(by[0]))
        # nothing called positive: where the curve begins
        start = (float(curve.x[0]), float(curve.y[0]))
        point = start if np.isnan(point[1]) else point
        best_point = start if np.isnan(best_point[1]) else best_point
    return SpaceView(
        space=space,
        prevalence=pi,
        curve=curve,
        hull=hull,
        others=behind,
        limits=(x_ends, (bottom, top)),
        chance=tuple(without_skill(space, pi, x_ends)),
        cuts=cuts,
        held=point,
        held_line=held_line,
        isometric=isometric,
        best=best_point,
        best_line=best_line,
        union=over_all,
        stretches=() if union is None or over_all is None else union.stretches(over_all),
        owners=() if union is None else tuple(union.owner.tolist()),
    )


def views(
    state: Any,
    data: Any,
    front: Any,
    calibrated: Any,
    cuts: tuple[ConfusionTable, ConfusionTable],
    union: ModelHull | None,
    conditions: dict[str, Any],
) -> dict[str, SpaceView]:
    """Compute the views in ROC space and in the chosen space.

    ``state`` holds the inputs, ``data`` the curves of all; ``front`` is the curve of the model in
    front and ``calibrated`` its probabilities; ``cuts`` are the one held and the best one;
    ``conditions`` are those of the chosen metric.
    """
    segments = front.segments
    behind = [name for name in data.scores if name != state.model]
    cut = float(len(segments) - np.searchsorted(segments.score[::-1], state.threshold))
    if cut and segments.score[int(cut) - 1] == state.threshold:
        cut -= 1 - state.random_part
    made = {}
    for space in {"roc", state.space}:
        (held, best), c = cuts, 0.0
        curves: SpaceCurves = front.spaces
        others: list[SpaceCurves | None] = [data.curve(name, ()).spaces for name in behind]
        if space in BY_PROBABILITY:
            curves = calibrated.spaces
            c = float(np.clip(calibrated.calibration([state.threshold]), 0.0, 1.0)[0])
            held = curves.segments.at_threshold(c, random_part=state.random_part)
            others = [
                data.calibrated(name, (), state.calibration, state.held_out).spaces
                if state.calibration not in ("raw", "beta") or data.are_probabilities(name)
                else None
                for name in behind
            ]
        made[space] = view_in_space(
            space,
            curves,
            others,
            prevalence=conditions["prevalence"],
            held=(held.fpr, held.tpr),
            cut=cut,
            abscissa=c,
            best=(best.fpr, best.tpr),
            tangent=_tangent(best.fpr, best.tpr, **conditions),
            union=None if union is None else data.union(union, curves.segments.prevalence),
            slope=(1 / conditions["prevalence"] - 1)
            * conditions["cost_fp"]
            / conditions["cost_fn"],
            metric=(state.metric, conditions),
        )
    return made


@lru_cache(maxsize=64)
def _tangent(fpr: float, tpr: float, **conditions: float) -> Line:
    """Trace the line of equal cost through the best point, which most moves leave alone."""
    given: Any = conditions
    return isometric_through("cost", fpr, tpr, **given)


def _some_cuts(segments: RankedSegments) -> Line:
    """Compute the cost lines of a few cuts, those of the hull among them."""
    left, right = cost_lines(segments)
    few = np.linspace(0, len(segments), min(len(segments) + 1, MOST_CUTS)).round().astype(np.intp)
    lines = np.column_stack((left[few], right[few]))
    return np.tile([0.0, 1.0], (len(few), 1)), lines
