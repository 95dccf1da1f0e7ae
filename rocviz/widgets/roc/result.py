"""The result that the ROC explorer shows at one setting."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.frozen import DataFrame, to_frame
from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.auc_test import AUCTest
from rocviz.core.roc.bands import ROCBand
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.isometrics import metric_value
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.roc.summary import ReliabilityPoints
from rocviz.widgets.roc.data import Calibrated, Curve, Scored
from rocviz.widgets.roc.spaces import SpaceView, views


@dataclass(frozen=True, eq=False)
class ROCResult:
    """Everything the ROC explorer shows at one setting.

    Parameters
    ----------
    model : str
        Name of the model in front.
    space : str
        The space chosen.
    curve : Curve
        Its segments, hull and what is drawn of them.
    table : ConfusionTable
        At the threshold held.
    optimum : ConfusionTable
        At the threshold with the lowest expected cost.
    cost : float
        Expected cost at the threshold held, in units of a false alarm.
    metric : str
        The chosen metric, or ``"none"``.
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
        What that costs, in units of a false alarm.
    costs : dict of str to float
        The stated costs and the prevalence where the model is used.
    confidence : float
        Confidence level of intervals.
    views : dict of str to SpaceView
        What is shown in ROC space and in the space chosen, by its name: curve, hull and areas,
        the points held and best, isometric and tangent.
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
        """The chosen metric at the current threshold; accuracy if none is chosen."""
        conditions: Any = self.conditions
        metric = "accuracy" if self.metric == "none" else self.metric
        return float(metric_value(metric, *self.operating_point, **conditions))

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
            # weights in other units than samples say nothing of how sure an AUC is
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
    costs = {**use, "cost_fp": 1.0, "cost_fn": given.cost_ratio}
    optimum, best_cost = data.best_cut(
        given.model, given.joined, given.cost_ratio, given.deployment_prevalence
    )
    calibrated = data.calibrated(given.model, given.joined, given.calibration, given.held_out)
    conditions = {**costs, "beta": given.beta}
    by_hull = given.reliability_by == "hull"
    union, best_model, best_cut = None, given.model, optimum
    if len(data.scores) > 1 and given.hull_over == "all":
        union = data.hull_over(given.model, given.joined)
        best_model, best_cut = union.best_cut(1.0, given.cost_ratio, **use)
        best_cost = best_cut.expected_cost(**costs)
    return ROCResult(
        model=given.model,
        space=given.space,
        curve=front,
        table=table,
        optimum=optimum,
        cost=table.expected_cost(**costs),
        metric=given.metric,
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
        views=views(given, data, front, calibrated, (table, best_cut), union, conditions),
    )
