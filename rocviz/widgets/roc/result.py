"""The result that the ROC explorer shows at one setting."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from rocviz.core.base.frozen import DataFrame, to_frame
from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.curve_spaces.space_curve import (
    POINT_SPACES,
    SpaceCurve,
    cost_lines,
    map_cut,
    map_isometric,
)
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.bands import ROCBand
from rocviz.core.roc.delong_test import AUCTest
from rocviz.core.roc.isometrics import isometric_through, metric_value
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.segments import RankedSegments, ReliabilityPoints
from rocviz.displays.roc.curves import heights, widths
from rocviz.widgets.roc.data import (
    BY_PREVALENCE,
    BY_PROBABILITY,
    Calibrated,
    Curve,
    Line,
    Scored,
    SpaceCurves,
)

MOST_CUTS = 40  # lines of cuts that are drawn in cost space


@dataclass(frozen=True, eq=False)
class SpaceView:
    """The contents of one picture of a ranking.

    Lines are pairs of x and y; a line that the space does not have is empty.

    Parameters
    ----------
    space : str
    prevalence : float
        Prevalence of the curves.
    curve, hull : SpaceCurve
        Of the selected model.
    others : tuple of (SpaceCurve or None)
        Of the other models; None for a model without probabilities where these are needed.
    limits : tuple of (float, float)
        Limits of both axes.
    cuts : Line
        Lines of single cuts in cost space.
    held, held_line : tuple of float, Line
        Point of the current cut, and its line where cuts are lines.
    isometric : Line
        Isometric of the chosen metric through the current point; a line, or one point.
    best, best_line : tuple of float, Line
        Best point for the stated costs, with the tangent, or the place of these costs on the axis.
    union : SpaceCurve, optional
        Hull over all models.
    stretches : tuple of (int, Line)
        Number of a model, and a stretch of that hull where it alone is best.
    owners : tuple of int
        Number of the model of each vertex of that hull.
    """

    space: str
    prevalence: float
    curve: SpaceCurve
    hull: SpaceCurve
    others: tuple[SpaceCurve | None, ...]
    limits: tuple[tuple[float, float], tuple[float, float]]
    cuts: Line
    held: tuple[float, float]
    held_line: Line
    isometric: Line
    best: tuple[float, float]
    best_line: Line
    union: SpaceCurve | None
    stretches: tuple[tuple[int, Line], ...]
    owners: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ROCResult:
    """Everything the ROC explorer shows at one setting.

    Parameters
    ----------
    model : str
        Name of the selected model.
    space : str
        The chosen space.
    curve : Curve
        Its segments and hull.
    table : ConfusionTable
        The confusion table at the current threshold.
    optimum : ConfusionTable
        The confusion table at the threshold with the lowest expected cost.
    cost : float
        Expected cost at the current threshold, in units of a false alarm.
    metric : str
        The chosen metric; accuracy if none is chosen.
    conditions : dict of str to float
        Its conditions: prevalence, costs and beta.
    calibrated : Calibrated
        Probabilities and their Brier score, before and after.
    reliability : ReliabilityPoints
        The points of the reliability diagram.
    band : ROCBand or None
        The band, when it is shown.
    others : tuple of (str, Curve, AUCTest or None)
        The models behind, with the paired test of the front model against each.
    model_hull : ModelHull or None
        Hull over all models, where there are several and it was asked for.
    best_model : str
        The model to use at the stated costs: of all under such a hull, else the one in front.
    best_cut : ConfusionTable
        Its best cut, on its own data.
    best_cost : float
        Its expected cost, in units of a false alarm.
    costs : dict of str to float
        The stated costs and the prevalence where the model is used.
    confidence : float
        Confidence level of intervals.
    views : dict of str to SpaceView
        Contents of ROC space and of the chosen space, by name: curve, hull and areas, the
        current and the best point, isometric and tangent.
    """

    model: str
    space: str
    curve: Curve
    table: ConfusionTable
    optimum: ConfusionTable
    cost: float
    metric: str
    conditions: dict[str, float]
    calibrated: Calibrated
    reliability: ReliabilityPoints
    band: ROCBand | None
    others: tuple[tuple[str, Curve, AUCTest | None], ...]
    model_hull: ModelHull | None
    best_model: str
    best_cut: ConfusionTable
    best_cost: float
    costs: dict[str, float]
    confidence: float
    views: dict[str, SpaceView]

    def thin(self) -> None:
        """Take the few points that are drawn of each curve, which are then remembered."""
        for curve in (self.curve, *(curve for _, curve, _ in self.others)):
            _ = curve.thinned, curve.hull_thinned
        _ = self.curve.histogram, self.calibrated.by_hull
        for view in self.views.values():
            for one in (view.curve, view.hull, view.union, *view.others):
                if one is not None:
                    one.thin()

    @property
    def segments(self) -> RankedSegments:
        """Segments of the model in front."""
        return self.curve.segments

    @property
    def operating_point(self) -> tuple[float, float]:
        """FPR and TPR at the current threshold."""
        return self.table.fpr, self.table.tpr

    @property
    def optimal_cost(self) -> float:
        """Expected cost at the threshold where it is lowest, in units of a false alarm."""
        return self.optimum.expected_cost(**self.costs)

    @property
    def metric_value(self) -> float:
        """The chosen metric at the current threshold."""
        conditions: Any = self.conditions
        return float(metric_value(self.metric, *self.operating_point, **conditions))

    @property
    def deployed(self) -> ConfusionTable:
        """The table per 1000 samples at the deployment prevalence."""
        return self.table.at_prevalence(self.costs["prevalence"], 1000.0)

    def to_frame(self) -> DataFrame:
        """Make a table with one row per model, the one in front first.

        Returns
        -------
        pandas.DataFrame
            Indexed by model: AUC with its interval, AUC of the hull, what its AUC is above that of
            the model in front and the p-value of that, and its best cut at the stated costs:
            threshold, rates and expected cost.
        """
        rows = []
        for name, curve, test in ((self.model, self.curve, None), *self.others):
            cut = curve.segments.optimal_point(**self.costs)
            auc = curve.segments.auc
            # weights in other units than samples do not tell how certain an AUC is
            ends = (np.nan, np.nan)
            with suppress(ValueError):
                interval = auc_interval(curve.segments, confidence=self.confidence)
                ends = interval.lower, interval.upper
            rows.append(
                {
                    "model": name,
                    "auc": auc,
                    "auc_low": ends[0],
                    "auc_high": ends[1],
                    "hull": curve.hull.auc,
                    "above_front": auc - self.segments.auc,
                    "p_value": np.nan if test is None else test.p_value,
                    "best_threshold": cut.threshold,
                    "tpr": cut.tpr,
                    "fpr": cut.fpr,
                    "cost": cut.expected_cost(**self.costs),
                }
            )
        columns = {key: [row[key] for row in rows] for key in rows[0]}
        return to_frame(columns).set_index("model")


def result_of(given: Any, data: Scored) -> ROCResult:
    """Compute everything the explorer shows; ``given`` has all inputs as attributes."""
    front = data.curve(given.model, given.joined)
    segments = front.segments
    table = segments.at_threshold(given.threshold, random_part=given.random_part)
    use: dict[str, Any] = {"prevalence": given.deployment_prevalence}
    costs = {**use, "cost_fp": 1.0, "cost_fn": given.cost_fn}
    optimum, best_cost = data.best_cut(
        given.model, given.joined, given.cost_fn, given.deployment_prevalence
    )
    calibrated = data.calibrated(given.model, given.joined, given.calibration, given.held_out)
    conditions = {**costs, "beta": given.beta}
    by_hull = given.reliability_by == "hull"
    union = None
    best_model = given.model
    best_cut = optimum
    if len(data.scores) > 1 and given.hull_over == "all":
        union = data.hull_over(given.model, given.joined)
        best_model, best_cut = union.best_cut(1.0, given.cost_fn, **use)
        best_cost = best_cut.expected_cost(**costs)
    return ROCResult(
        model=given.model,
        space=given.space,
        curve=front,
        table=table,
        optimum=optimum,
        cost=table.expected_cost(**costs),
        metric="accuracy" if given.metric == "none" else given.metric,
        conditions=conditions,
        calibrated=calibrated,
        reliability=calibrated.by_hull if by_hull else calibrated.by_score,
        band=front.band(given.band_method, given.confidence) if given.show_band else None,
        others=tuple(
            (name, data.curve(name, ()), data.test(given.model, name))
            for name in data.scores
            if name != given.model
        ),
        model_hull=union,
        best_model=best_model,
        best_cut=best_cut,
        best_cost=best_cost,
        costs=costs,
        confidence=given.confidence,
        views={
            space: _view(space, given, data, calibrated, (table, best_cut), union, conditions)
            for space in {"roc", given.space}
        },
    )


def _view(
    space: str,
    given: Any,
    data: Scored,
    calibrated: Calibrated,
    cuts: tuple[ConfusionTable, ConfusionTable],
    model_hull: ModelHull | None,
    conditions: dict[str, float],
) -> SpaceView:
    """Compute the view of the rankings in a space.

    ``cuts`` are the current one and the best one, ``conditions`` those of the chosen metric. Where
    the space asks for probabilities, curves are those of calibrated scores, at the prevalence of
    the data.
    """
    held, best = cuts
    curves = data.curve(given.model, given.joined).spaces
    behind = [name for name in data.scores if name != given.model]
    others: list[SpaceCurves | None] = [data.curve(name, ()).spaces for name in behind]
    if space in BY_PROBABILITY:
        curves = calibrated.spaces
        cutoff = float(np.clip(calibrated.calibration([given.threshold]), 0.0, 1.0)[0])
        held = curves.segments.at_threshold(cutoff, random_part=given.random_part)
        are_all = given.calibration not in ("raw", "beta")
        others = [
            data.calibrated(name, (), given.calibration, given.held_out).spaces
            if are_all or data.are_probabilities(name)
            else None
            for name in behind
        ]
    own = curves.segments.prevalence
    pi = conditions["prevalence"]
    if space in BY_PROBABILITY or abs(pi - own) < 5e-4:
        pi = own
    # curves of other spaces are not computed again for another prevalence
    use = pi if space in BY_PREVALENCE else None
    curve = curves.curve(space, use)
    hull = curves.curve(space, use, hull=True)
    drawn = tuple(None if one is None else one.curve(space, use) for one in others)
    union = None if model_hull is None else data.union(model_hull, own)
    over_all = None if union is None else union.curve(space, use)
    x_ends = widths(space, pi)
    bottom, top = heights([one for one in (curve, *drawn) if one is not None], pi, x_ends)
    cut_lines = held_line = isometric = (np.empty(0), np.empty(0))
    if given.metric != "none":
        options: Any = conditions
        line = isometric_through(given.metric, held.fpr, held.tpr, **options)
        isometric = map_isometric(space, *line, prevalence=pi)
    if space in POINT_SPACES:
        point, best_point = (_point(curve, cut, pi) for cut in (held, best))
        tangent = _tangent(best.fpr, best.tpr, **conditions)
        best_line = map_isometric(space, *tangent, prevalence=pi)
    else:
        held_line = map_cut(space, held.fpr, held.tpr, prevalence=pi)
        odds = (1 / conditions["prevalence"] - 1) * conditions["cost_fp"] / conditions["cost_fn"]
        if space == "cost":
            top = max(top, 1.04 * float(curve.at_y.max()))
            cut_lines = _some_cuts(curves.segments)
            at = 1 / (1 + odds)
            least = curve if over_all is None else over_all
            cut = _cut(curves.segments, given.threshold, given.random_part)
            here = float(np.interp(cut, np.arange(curve.at_x.size), curve.at_x))
        else:
            at = pi * odds / (pi * odds + 1 - pi)
            here = cutoff
            of_hull = partial(curves.curve, hull=True) if union is None else union.curve
            least = of_hull("brier", None)
        height = float(np.interp(at, least.x, least.y))
        value = float(np.interp(here, *held_line))
        if space == "decision":
            top += (top - bottom) / 4  # room for words
            height = pi - height / (2 * max(1 - at, 1e-9))
            value = pi * held.tpr - (1 - pi) * held.fpr * here / max(1 - here, 1e-9)
        point = (here, value)
        best_point = (at, height)
        best_line = np.repeat(at, 2), np.array([bottom, top])
    return SpaceView(
        space=space,
        prevalence=pi,
        curve=curve,
        hull=hull,
        others=drawn,
        limits=(x_ends, (bottom, top)),
        cuts=cut_lines,
        held=point,
        held_line=held_line,
        isometric=isometric,
        best=best_point,
        best_line=best_line,
        union=over_all,
        stretches=() if union is None or over_all is None else union.stretches(over_all),
        owners=() if union is None else tuple(union.owner.tolist()),
    )


def _point(curve: SpaceCurve, cut: ConfusionTable, prevalence: float) -> tuple[float, float]:
    """Map a cut to its point; one without positive calls to the start of the curve."""
    (x,), (y,) = map_cut(curve.space, cut.fpr, cut.tpr, prevalence=prevalence)
    return (float(curve.x[0]), float(curve.y[0])) if np.isnan(y) else (float(x), float(y))


def _cut(segments: RankedSegments, threshold: float, random_part: float) -> float:
    """Count the segments above a threshold, as in :attr:`.SpaceCurve.cut`."""
    cut = float(len(segments) - np.searchsorted(segments.score[::-1], threshold))
    if cut and segments.score[int(cut) - 1] == threshold:
        cut -= 1 - random_part
    return cut


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
