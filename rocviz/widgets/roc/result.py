"""The result that the ROC explorer shows at one setting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from rocviz.core.base.frozen import DataFrame, Frozen
from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.curve_spaces.space_curve import (
    cost_lines,
    map_isometric,
    map_operating_point,
)
from rocviz.core.curve_spaces.spaces import SPACES, SpaceCurve
from rocviz.core.practice.referral import ReferralPolicy, referral_policy
from rocviz.core.roc.bands import ROCBand
from rocviz.core.roc.delong_test import AUCTest
from rocviz.core.roc.isometrics import isometric_through, metric_value
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.pairs import RankedPairs
from rocviz.core.roc.segments import RankedSegments, ReliabilityPoints
from rocviz.widgets.roc.data import (
    Calibrated,
    Curve,
    Floats,
    Line,
    Scored,
    SpaceCurves,
)

NO_LINE: Line = (np.empty(0), np.empty(0))
MAX_COST_LINES = 40  # lines of single thresholds that are drawn in cost space
MAX_POINTS_REFERRED = 200  # points of the line along those that are referred


@dataclass(frozen=True, eq=False)
class Referral(Frozen):
    """Two thresholds, between which the answer is left to somebody else.

    Parameters
    ----------
    policy : ReferralPolicy
        Of the present thresholds.
    best : ReferralPolicy
        Of those with the lowest expected cost; above the price up to which referring pays it has
        one threshold.
    """

    policy: ReferralPolicy
    best: ReferralPolicy


class ReferralLines(NamedTuple):
    """Two thresholds in one picture of a ranking.

    ``lower`` and ``upper`` are their points, and ``between`` is the part of the curve between. The
    best ones have a point and an isometric each; both are the same where nobody is referred.
    """

    lower: tuple[float, float]
    upper: tuple[float, float]
    between: Line
    best_lower: tuple[float, float]
    best_upper: tuple[float, float]
    best_lower_line: Line
    best_upper_line: Line


@dataclass(frozen=True, eq=False)
class SpaceView(Frozen):
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
    cost_lines : Line
        Lines of single thresholds in cost space.
    selected, selected_line : tuple of float, Line
        Operating point at the current threshold, and its line where thresholds are lines.
    isometric : Line
        Isometric of the chosen metric through the operating point; a line, or one point.
    best, best_line : tuple of float, Line
        Best point for the stated costs, with the tangent, or the place of these costs on the axis.
    union : SpaceCurve, optional
        Hull over all models.
    stretches : tuple of (int, Line)
        Number of a model, and a stretch of that hull where it alone is best.
    owners : tuple of int
        Number of the model of each vertex of that hull.
    referral : ReferralLines or None
        Two thresholds, where some samples are referred and thresholds are points.
    """

    space: str
    prevalence: float
    curve: SpaceCurve
    hull: SpaceCurve
    others: tuple[SpaceCurve | None, ...]
    limits: tuple[tuple[float, float], tuple[float, float]]
    cost_lines: Line
    selected: tuple[float, float]
    selected_line: Line
    isometric: Line
    best: tuple[float, float]
    best_line: Line
    union: SpaceCurve | None
    stretches: tuple[tuple[int, Line], ...]
    owners: tuple[int, ...]
    referral: ReferralLines | None = None


@dataclass(frozen=True, eq=False)
class ROCResult(Frozen):
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
        Its conditions: prevalence, costs and options of metrics.
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
    best_table : ConfusionTable
        Its confusion table at the threshold with the lowest expected cost, on its own data.
    best_cost : float
        Its expected cost, in units of a false alarm.
    costs : dict of str to float
        The stated costs and the prevalence where the model is used.
    confidence : float
        Confidence level of intervals.
    views : dict of str to SpaceView
        Contents of ROC space and of the chosen space, by name: curve, hull and areas, the
        operating point and the best point, isometric and tangent.
    referral : Referral or None
        What two thresholds give, if the rest is referred.
    pairs : RankedPairs or None
        Every pair of a positive and a negative, of at most 120 samples of each class.
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
    best_table: ConfusionTable
    best_cost: float
    costs: dict[str, float]
    confidence: float
    views: dict[str, SpaceView]
    referral: Referral | None = None
    pairs: RankedPairs | None = None

    def thin(self) -> None:
        """Take the few points that are drawn of each curve, which are then remembered."""
        others = [curve for _, curve, _ in self.others]
        for curve in (self.curve, *others):
            _ = curve.thinned, curve.hull_thinned
        _ = self.curve.histogram, self.curve.queue.per_dot, self.calibrated.by_hull
        for view in self.views.values():
            for drawn in (view.curve, view.hull, view.union, *view.others):
                if drawn is not None:
                    drawn.thin()

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
            the model in front and the p-value of that, and the threshold with its lowest expected
            cost at the stated costs: threshold, rates and expected cost.
        """
        front = self.model, self.curve, None
        return self.curve.models_frame((front, *self.others), self.confidence, **self.costs).copy()


def result_of(inputs: Any, data: Scored) -> ROCResult:
    """Compute everything the explorer shows; ``inputs`` has all inputs as attributes."""
    curve = data.curve(inputs.model, inputs.joined)
    table = curve.segments.at_threshold(inputs.threshold, random_part=inputs.random_part)
    prevalence = inputs.deployment_prevalence
    costs: dict[str, Any] = {
        "prevalence": prevalence,
        "cost_fp": 1.0,
        "cost_fn": inputs.cost_fn,
    }
    optimum, best_cost = curve.optimal_point(**costs)
    calibrated = data.calibrated(inputs.model, inputs.joined, inputs.calibration, inputs.held_out)
    conditions = {**costs, **inputs.metric_options}
    model_hull = None
    best_model = inputs.model
    best_table = optimum
    if len(data.scores) > 1 and inputs.hull_over == "all":
        model_hull = data.hull_over(inputs.model, inputs.joined)
        best_model, best_table = model_hull.optimal_point(
            1.0, inputs.cost_fn, prevalence=prevalence
        )
        best_cost = best_table.expected_cost(**costs)
    referral = None
    if inputs.refer:
        prices: dict[str, Any] = {**costs, "cost_referral": inputs.cost_referral}
        thresholds = (inputs.lower_threshold, inputs.upper_threshold)
        referral = Referral(
            policy=referral_policy(curve.segments, thresholds=thresholds, **prices),
            best=curve.best_referral(**prices),
        )
    views = {}
    for space in {"roc", inputs.space}:
        view = _view(space, inputs, data, calibrated, table, best_table, model_hull, conditions)
        if referral is not None and SPACES[space].has_points:
            lines = _referral_lines(view, curve.segments, referral)
            view = replace(view, referral=lines)
        views[space] = view
    others = []
    for name in data.scores:
        if name != inputs.model:
            others.append((name, data.curve(name, ()), data.test(inputs.model, name)))
    return ROCResult(
        model=inputs.model,
        space=inputs.space,
        curve=curve,
        table=table,
        optimum=optimum,
        cost=table.expected_cost(**costs),
        metric="accuracy" if inputs.metric == "none" else inputs.metric,
        conditions=conditions,
        calibrated=calibrated,
        reliability=calibrated.by_hull if inputs.reliability_by == "hull" else calibrated.by_score,
        band=curve.band(inputs.band_method, inputs.confidence) if inputs.show_band else None,
        others=tuple(others),
        model_hull=model_hull,
        best_model=best_model,
        best_table=best_table,
        best_cost=best_cost,
        costs=costs,
        confidence=inputs.confidence,
        views=views,
        referral=referral,
        pairs=data.pairs(inputs.model, inputs.joined),
    )


def _referral_lines(view: SpaceView, segments: RankedSegments, referral: Referral) -> ReferralLines:
    """Map two thresholds, the best ones, and their isometrics to a space."""
    now = referral.policy
    best = referral.best
    tables = {}
    for name, policy in (("now", now), ("best", best)):
        tables[name, "lower"] = segments.at_threshold(policy.lower_threshold)
        tables[name, "upper"] = segments.at_threshold(policy.upper_threshold)
    points = {key: _point(view.curve, table, view.prevalence) for key, table in tables.items()}
    # slopes of both isometrics, as the costs of a false alarm and of a miss that have these
    costs = {"lower": (best.cost_fp, best.cost_fn), "upper": (best.cost_fp, best.cost_fn)}
    if best.is_referring:
        price = best.cost_referral or 0.0
        of_miss, of_alarm = (max(cost - price, 0.0) for cost in (best.cost_fn, best.cost_fp))
        costs = {"lower": (price, of_miss), "upper": (of_alarm, price)}
    lines = {}
    for name, (cost_fp, cost_fn) in costs.items():
        table = tables["best", name]
        conditions = {"prevalence": best.prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn}
        tangent = _tangent(table.fpr, table.tpr, **conditions)
        lines[name] = map_isometric(view.space, *tangent, prevalence=view.prevalence)
    return ReferralLines(
        lower=points["now", "lower"],
        upper=points["now", "upper"],
        between=_between(view.curve, segments, now),
        best_lower=points["best", "lower"],
        best_upper=points["best", "upper"],
        best_lower_line=lines["lower"],
        best_upper_line=lines["upper"],
    )


def _between(curve: SpaceCurve, segments: RankedSegments, policy: ReferralPolicy) -> Line:
    """Cut a few points out of a curve, between two thresholds."""
    ends = []
    for threshold in (policy.upper_threshold, policy.lower_threshold):
        ends.append(_threshold_index(segments, threshold, 1.0))
    first = int(np.searchsorted(curve.threshold_index, ends[0], side="left"))
    last = int(np.searchsorted(curve.threshold_index, ends[1], side="right"))
    if last - first < 2:
        return NO_LINE
    n_points = min(last - first, MAX_POINTS_REFERRED)
    rows = np.linspace(first, last - 1, n_points).round().astype(np.intp)
    return curve.x[rows], curve.y[rows]


def _view(
    space: str,
    inputs: Any,
    data: Scored,
    calibrated: Calibrated,
    table: ConfusionTable,
    best_table: ConfusionTable,
    model_hull: ModelHull | None,
    conditions: dict[str, float],
) -> SpaceView:
    """Compute the view of the rankings in a space.

    ``table`` is the current one, ``conditions`` are those of the chosen metric. Where the space
    asks for probabilities, curves are those of calibrated scores, at the prevalence of the data.
    """
    drawn_space = SPACES[space]
    curves = data.curve(inputs.model, inputs.joined).spaces
    threshold = inputs.threshold
    if drawn_space.needs_probabilities:
        curves = calibrated.spaces
        threshold = float(np.clip(calibrated.calibration([threshold]), 0.0, 1.0)[0])
        table = curves.segments.at_threshold(threshold, random_part=inputs.random_part)
    own_prevalence = curves.segments.prevalence
    pi = conditions["prevalence"]
    if drawn_space.needs_probabilities or abs(pi - own_prevalence) < 5e-4:
        pi = own_prevalence
    # curves of other spaces are not computed again for another prevalence
    curve_prevalence = pi if drawn_space.follows_prevalence else None
    curve = curves.curve(space, curve_prevalence)
    others: list[SpaceCurve | None] = []
    for curves_of_other in _other_curves(space, inputs, data):
        if curves_of_other is None:
            others.append(None)
        else:
            others.append(curves_of_other.curve(space, curve_prevalence))
    hull_curves = None
    union = None
    stretches: tuple[tuple[int, Line], ...] = ()
    owners: tuple[int, ...] = ()
    if model_hull is not None:
        hull_curves = data.model_hull_curves(model_hull, own_prevalence)
        union = hull_curves.curve(space, curve_prevalence)
        stretches = hull_curves.stretches(union)
        owners = tuple(hull_curves.owner.tolist())
    drawn = [curve, *(other for other in others if other is not None)]
    x_limits, (bottom, top) = drawn_space.limits(drawn, pi)
    isometric = NO_LINE
    if inputs.metric != "none":
        options: Any = conditions
        line = isometric_through(inputs.metric, table.fpr, table.tpr, **options)
        isometric = map_isometric(space, *line, prevalence=pi)
    cost_lines = selected_line = NO_LINE
    if drawn_space.has_points:
        selected = _point(curve, table, pi)
        best = _point(curve, best_table, pi)
        tangent = _tangent(best_table.fpr, best_table.tpr, **conditions)
        best_line = map_isometric(space, *tangent, prevalence=pi)
    else:
        selected_line = map_operating_point(space, table.fpr, table.tpr, prevalence=pi)
        odds = (1 / conditions["prevalence"] - 1) * conditions["cost_fp"] / conditions["cost_fn"]
        if drawn_space.is_lower_envelope:
            top = max(top, 1.04 * float(curve.threshold_y.max()))
            cost_lines = _some_cost_lines(curves.segments)
            lower_envelope = curve if union is None else union
            best = _on_line(1 / (1 + odds), lower_envelope.x, lower_envelope.y)
            index = _threshold_index(curves.segments, threshold, inputs.random_part)
            x = float(np.interp(index, np.arange(curve.threshold_x.size), curve.threshold_x))
            selected = _on_line(x, *selected_line)
        else:
            if hull_curves is None:
                lower_envelope = curves.curve("brier", hull=True)
            else:
                lower_envelope = hull_curves.curve("brier", None)
            best = _on_line(pi * odds / (pi * odds + 1 - pi), lower_envelope.x, lower_envelope.y)
            selected = _on_line(threshold, *selected_line)
        if space == "decision":
            top += (top - bottom) / 4  # room for words
            best = best[0], pi - best[1] / (2 * max(1 - best[0], 1e-9))
            selected = threshold, _net_benefit(table, pi, threshold)
        best_line = np.repeat(best[0], 2), np.array([bottom, top])
    return SpaceView(
        space=space,
        prevalence=pi,
        curve=curve,
        hull=curves.curve(space, curve_prevalence, hull=True),
        others=tuple(others),
        limits=(x_limits, (bottom, top)),
        cost_lines=cost_lines,
        selected=selected,
        selected_line=selected_line,
        isometric=isometric,
        best=best,
        best_line=best_line,
        union=union,
        stretches=stretches,
        owners=owners,
    )


def _other_curves(space: str, inputs: Any, data: Scored) -> list[SpaceCurves | None]:
    """List the curves of the models behind; None for one without probabilities it would need."""
    names = [name for name in data.scores if name != inputs.model]
    if not SPACES[space].needs_probabilities:
        return [data.curve(name, ()).spaces for name in names]
    maps_all_scores = inputs.calibration not in ("raw", "beta")
    curves: list[SpaceCurves | None] = []
    for name in names:
        if maps_all_scores or data.are_probabilities(name):
            calibrated = data.calibrated(name, (), inputs.calibration, inputs.held_out)
            curves.append(calibrated.spaces)
        else:
            curves.append(None)
    return curves


def _point(curve: SpaceCurve, table: ConfusionTable, prevalence: float) -> tuple[float, float]:
    """Map an operating point; without predicted positives it is the start of the curve."""
    (x,), (y,) = map_operating_point(curve.space, table.fpr, table.tpr, prevalence=prevalence)
    if np.isnan(y):
        return float(curve.x[0]), float(curve.y[0])
    return float(x), float(y)


def _on_line(at_x: float, x: Floats, y: Floats) -> tuple[float, float]:
    """Find the point of a line above a place of the x axis."""
    return at_x, float(np.interp(at_x, x, y))


def _net_benefit(table: ConfusionTable, prevalence: float, threshold: float) -> float:
    """Compute the net benefit of an operating point at a threshold probability."""
    gain = prevalence * table.tpr
    return gain - (1 - prevalence) * table.fpr * threshold / max(1 - threshold, 1e-9)


def _threshold_index(segments: RankedSegments, threshold: float, random_part: float) -> float:
    """Count the segments above a threshold, as in :attr:`.SpaceCurve.threshold_index`."""
    index = float(len(segments) - np.searchsorted(segments.score[::-1], threshold))
    if index and segments.score[int(index) - 1] == threshold:
        index -= 1 - random_part
    return index


@lru_cache(maxsize=64)
def _tangent(fpr: float, tpr: float, **conditions: float) -> Line:
    """Trace the line of equal cost through the best point, which most moves leave alone."""
    options: Any = conditions
    return isometric_through("cost", fpr, tpr, **options)


def _some_cost_lines(segments: RankedSegments) -> Line:
    """Compute the cost lines of a few thresholds, those of the hull among them."""
    left, right = cost_lines(segments)
    n_lines = min(len(segments) + 1, MAX_COST_LINES)
    rows = np.linspace(0, len(segments), n_lines).round().astype(np.intp)
    lines = np.column_stack((left[rows], right[rows]))
    return np.tile([0.0, 1.0], (rows.size, 1)), lines
