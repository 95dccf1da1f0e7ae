"""What the ROC explorer shows at one setting."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, to_frame
from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.roc.auc_intervals import auc_interval_of_segments
from rocviz.core.roc.auc_test import AUCTest
from rocviz.core.roc.bands import ROCBand
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.roc.summary import ReliabilityPoints
from rocviz.widgets.roc.data import Calibrated, Curve
from rocviz.widgets.roc.spaces import SpaceView


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
    operating_point, optimal_point : tuple of float
        (fpr, tpr) of the two.
    cost, optimal_cost : float
        Expected costs of the two, in units of a false alarm.
    isometric : tuple of ndarray
        (fpr, tpr) of the curve of equal metric through the operating point.
    optimum_line : tuple of ndarray
        (fpr, tpr) of the line of equal cost that touches the hull at the optimal point.
    metric_value : float
        The chosen metric at the operating point.
    calibrated : Calibrated
        Probabilities and their Brier score, before and after.
    reliability : ReliabilityPoints
        The points of the reliability diagram.
    band : ROCBand or None
        The band, when it is shown.
    others : tuple of (str, Curve, AUCTest or None)
        The models behind, with the paired test of the front model against each.
    deployed : ConfusionTable
        Per 1000 at the deployment prevalence.
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
    operating_point: tuple[float, float]
    optimal_point: tuple[float, float]
    cost: float
    optimal_cost: float
    isometric: tuple[NDArray[np.float64], NDArray[np.float64]]
    optimum_line: tuple[NDArray[np.float64], NDArray[np.float64]]
    metric_value: float
    calibrated: Calibrated
    reliability: ReliabilityPoints
    band: ROCBand | None
    others: tuple[tuple[str, Curve, AUCTest | None], ...]
    deployed: ConfusionTable
    model_hull: ModelHull | None
    best_model: str
    best_cut: ConfusionTable
    best_cost: float
    costs: dict[str, float]
    confidence: float
    views: dict[str, SpaceView]

    @property
    def segments(self) -> RankedSegments:
        """Segments of the model in front."""
        return self.curve.segments

    def to_frame(self) -> DataFrame:
        """Return one row per model, the one in front first.

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
                found = auc_interval_of_segments(curve.segments, confidence=self.confidence)
                ends = found.lower, found.upper
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
