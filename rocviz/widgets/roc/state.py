"""The state of the ROC explorer: what one may set, and the result that follows.

Works without a browser. It asks the core for every number and draws nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.roc.bands import METHODS as BAND_METHODS
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.isometrics import METRICS, isometric_through, metric_value
from rocviz.widgets.base.state import ExplorerState, Sentence
from rocviz.widgets.roc.data import CALIBRATIONS, Scored
from rocviz.widgets.roc.words import code, sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import NDArray

    from rocviz.core.roc.auc_test import AUCTest
    from rocviz.core.roc.bands import ROCBand
    from rocviz.core.roc.confusion import ConfusionTable
    from rocviz.core.roc.segments import RankedSegments
    from rocviz.core.roc.summary import ReliabilityPoints
    from rocviz.widgets.roc.data import Calibrated, Curve

__all__ = ["ROCResult", "ROCState"]

SNAP = 0.012  # a point this close to a vertex (in units of the axes) means the vertex


@dataclass(frozen=True, eq=False)
class ROCResult:
    """Everything the ROC explorer shows at one setting.

    Parameters
    ----------
    model : str
        Name of the model in front.
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
    """

    model: str
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

    @property
    def segments(self) -> RankedSegments:
        """Segments of the model in front."""
        return self.curve.segments


class ROCState(ExplorerState):
    """State of the ROC explorer.

    Parameters
    ----------
    data : Scored, optional
        One's own labels and scores; without it, the teaching sandbox.
    **inputs
        Initial values of the traits below.
    """

    #: Samples that score at least this are called positive.
    threshold = traitlets.Float(0.5).tag(input=True)
    #: Share of the samples tied exactly at the threshold that is called positive.
    random_part = traitlets.Float(1.0, min=0.0, max=1.0).tag(input=True)
    #: Cost of a miss, in units of a false alarm.
    cost_ratio = traitlets.Float(1.0, min=0.01, max=100.0).tag(input=True)
    #: Prevalence where the classifier is to be used.
    deployment_prevalence = traitlets.Float(0.5, min=0.001, max=0.999).tag(input=True)
    #: Which metric's isometric runs through the operating point; "none" draws none.
    metric = traitlets.Enum(("none", *METRICS), "none").tag(input=True)
    show_hull = traitlets.Bool(True).tag(input=True)
    show_band = traitlets.Bool(True).tag(input=True)
    band_method = traitlets.Enum(tuple(BAND_METHODS), "bootstrap").tag(input=True)
    #: Confidence of the band and of the intervals.
    confidence = traitlets.Float(0.95, min=0.5, max=0.999).tag(input=True)
    #: How scores become probabilities.
    calibration = traitlets.Enum(tuple(CALIBRATIONS), "raw").tag(input=True)
    #: Fit the calibration on one half and judge it on the other.
    held_out = traitlets.Bool(False).tag(input=True)
    #: Points of the reliability diagram.
    reliability_by = traitlets.Enum(("hull", "score"), "hull").tag(input=True)
    #: Boundaries (between original segments i - 1 and i) that were joined away.
    joined = traitlets.Tuple().tag(input=True)
    #: The model in front, where there are several.
    model = traitlets.Unicode().tag(input=True)
    #: The sandbox: two normal densities of scores.
    separation = traitlets.Float(1.5, min=-3.0, max=5.0).tag(input=True, sandbox=True)
    spread_ratio = traitlets.Float(1.0, min=0.2, max=5.0).tag(input=True, sandbox=True)
    prevalence = traitlets.Float(0.4, min=0.01, max=0.99).tag(input=True, sandbox=True)
    n_samples = traitlets.Int(500, min=20, max=1_000_000).tag(input=True, sandbox=True)
    over_confidence = traitlets.Float(1.0, min=0.19, max=20.0).tag(input=True, sandbox=True)
    decimals = traitlets.Int(6, min=1, max=6).tag(input=True, sandbox=True)
    seed = traitlets.Int(0, min=0).tag(input=True, sandbox=True)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "good": {"separation": 2.0},
        "perfect": {"separation": 5.0, "n_samples": 200},
        "random": {"separation": 0.05, "over_confidence": 20.0, "prevalence": 0.5},
        "worse than random": {"separation": -1.0},
        "a concavity": {"separation": 0.8, "spread_ratio": 2.5},
        "many ties": {"separation": 1.5, "decimals": 1, "reliability_by": "score"},
        "over-confident": {"separation": 1.2, "over_confidence": 2.5},
        "under-confident": {"separation": 2.0, "over_confidence": 0.4},
        "imbalanced": {"separation": 1.8, "prevalence": 0.03, "n_samples": 2000},
        "few samples": {"separation": 1.2, "n_samples": 40},
    }

    def __init__(self, data: Scored | None = None, **inputs: Any) -> None:
        self._own = data
        self._sandbox: tuple[tuple[Any, ...], Scored] | None = None
        self._check_names(inputs)
        super().__init__(**inputs)

    # ------------------------------------------------------------------ data

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on data of one's own."""
        return self._own is not None

    @property
    def data(self) -> Scored:
        """The data now looked at."""
        if self.preset == self.own and self._own is not None:
            return self._own
        settings = {name: getattr(self, name) for name in self.trait_names(sandbox=True)}
        key = tuple(settings.values())
        if self._sandbox is None or self._sandbox[0] != key:
            drawn = binormal_scores(random_state=settings.pop("seed"), **settings)
            self._sandbox = (key, Scored(drawn.y_true, {"scores": drawn.y_prob}))
        return self._sandbox[1]

    @property
    def bounds(self) -> tuple[float, float]:
        """Range of the threshold: [0, 1] for probabilities, else the range of the scores."""
        return self.data.bounds(self.model)

    # ------------------------------------------------------------------ rules

    @traitlets.validate("threshold")
    def _finite_threshold(self, proposal: Any) -> float:
        if not np.isfinite(proposal["value"]):
            raise traitlets.TraitError(f"threshold must be finite; got {proposal['value']!r}.")
        return float(proposal["value"])

    @traitlets.validate("joined")
    def _sorted_joined(self, proposal: Any) -> tuple[int, ...]:
        return tuple(sorted({int(i) for i in proposal["value"]}))

    def adjust(self, changed: set[str]) -> None:
        """Let what hangs on the data follow the data; refuse contradictions."""
        super().adjust(changed)
        names = tuple(self.data.scores)
        new_data = bool(changed & {"preset", *self.trait_names(sandbox=True)})
        if self.model not in names:
            if "model" in changed and self.model and not new_data:
                raise traitlets.TraitError(
                    f"model must be one of {', '.join(names)}; got {self.model!r}."
                )
            self.model = names[0]
        likely = self.data.are_probabilities(self.model)
        if new_data or "model" in changed:
            self._follow_data(changed, likely)
        low, high = self.bounds
        if not low <= self.threshold <= high:
            raise traitlets.TraitError(
                f"threshold must be from {low:.6g} to {high:.6g}, the range of the scores; "
                f"got {self.threshold:.6g}."
            )
        if self.calibration in ("raw", "beta") and not likely:
            raise traitlets.TraitError(
                f"calibration {self.calibration!r} needs scores in [0, 1]; those of "
                f"{self.model!r} are not: choose hull, isotonic or sigmoid."
            )
        if self.held_out and not self.data.can_hold_out():
            raise traitlets.TraitError(
                "held_out needs at least two samples of each class, one for either half."
            )
        n = len(self.data.curve(self.model, ()).segments)
        if self.joined and not 1 <= self.joined[0] <= self.joined[-1] < n:
            raise traitlets.TraitError(
                f"joined must hold boundaries from 1 to {n - 1}; got {self.joined}."
            )

    def _follow_data(self, changed: set[str], likely: bool) -> None:
        """Give new data a threshold, a prevalence and a calibration that suit it."""
        segments = self.data.curve(self.model, ()).segments
        opening = {
            "joined": (),
            "random_part": 1.0,
            "threshold": 0.5 if likely else self._best_finite(segments),
        }
        low, high = self.bounds
        if self._settled and "preset" not in changed and low <= self.threshold <= high:
            del opening["threshold"]
        if changed & {"preset", "prevalence"}:
            rounded = round(segments.prevalence, 3)  # to a step of its slider
            opening["deployment_prevalence"] = float(np.clip(rounded, 0.001, 0.999))
        if self.calibration in ("raw", "beta") and not likely:
            opening["calibration"] = "isotonic"
        if not self.data.can_hold_out():
            opening["held_out"] = False
        for name, value in opening.items():
            if name not in changed:
                setattr(self, name, value)

    @staticmethod
    def _best_finite(segments: RankedSegments) -> float:
        """Return the best threshold for equal costs, or the top score where that is none at all."""
        best = segments.optimal_point().threshold
        return best if np.isfinite(best) else float(segments.score[0])

    # ------------------------------------------------------------------ acts

    def coarsen(self, i: int) -> None:
        """Join segment ``i`` and the next one of the ranking as it stands.

        Parameters
        ----------
        i : int
            From 0 to the number of segments minus 2.

        Raises
        ------
        ValueError
            If there is no such pair of neighbours.
        """
        n = len(self.result.segments)
        if not 0 <= i < n - 1:
            raise ValueError(f"i must be from 0 to {n - 2}; got {i!r}.")
        original = len(self.data.curve(self.model, ()).segments)
        left = np.setdiff1d(np.arange(1, original), np.asarray(self.joined, dtype=np.intp))
        self.joined = (*self.joined, int(left[i]))

    def hold_point(self, fpr: float, tpr: float) -> None:
        """Hold the point of the curve that is nearest to a point of the square.

        It is a vertex, or, on an edge long enough to be seen, the random part of its segment.

        Parameters
        ----------
        fpr, tpr : float
            Any point; it need not lie on the curve.
        """
        segments = self.result.segments
        x, y = segments.fpr, segments.tpr
        dx, dy = np.diff(x), np.diff(y)
        along = np.clip(((fpr - x[:-1]) * dx + (tpr - y[:-1]) * dy) / (dx**2 + dy**2), 0.0, 1.0)
        off = (x[:-1] + along * dx - fpr) ** 2 + (y[:-1] + along * dy - tpr) ** 2
        i = int(off.argmin())
        part = float(along[i])
        end = SNAP / float(np.hypot(dx[i], dy[i]))
        if part < end and i > 0:
            i, part = i - 1, 1.0
        elif part < end:
            part = 0.0
        elif part > 1 - end:
            part = 1.0
        self.update(threshold=float(segments.score[i]), random_part=part)

    # ------------------------------------------------------------------ result

    def compute(self) -> ROCResult:
        """Return everything the explorer shows, for the inputs as they stand."""
        data, front = self.data, self.data.curve(self.model, self.joined)
        segments = front.segments
        table = segments.at_threshold(self.threshold, random_part=self.random_part)
        use: dict[str, Any] = {"prevalence": self.deployment_prevalence}
        costs = {**use, "cost_fp": 1.0, "cost_fn": self.cost_ratio}
        optimum = segments.optimal_point(**costs)
        calibrated = data.calibrated(self.model, self.joined, self.calibration, self.held_out)
        metric = "accuracy" if self.metric == "none" else self.metric
        settings = costs if metric == "cost" else use
        point, best = (table.fpr, table.tpr), (optimum.fpr, optimum.tpr)
        by_hull = self.reliability_by == "hull"
        return ROCResult(
            model=self.model,
            curve=front,
            table=table,
            optimum=optimum,
            operating_point=point,
            optimal_point=best,
            cost=table.expected_cost(**costs),
            optimal_cost=optimum.expected_cost(**costs),
            isometric=isometric_through(metric, *point, **settings),
            optimum_line=isometric_through("cost", *best, **costs),
            metric_value=float(metric_value(metric, *point, **settings)),
            calibrated=calibrated,
            reliability=calibrated.by_hull if by_hull else calibrated.by_score,
            band=front.band(self.band_method, self.confidence) if self.show_band else None,
            others=tuple(
                (name, data.curve(name, ()), data.test(self.model, name))
                for name in data.scores
                if name != self.model
            ),
            deployed=table.at_prevalence(self.deployment_prevalence, 1000.0),
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows at this setting, in words."""
        return sentences(self)

    def code(self) -> str:
        """Return the lines of Python that reproduce the numbers on screen."""
        return code(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the rates at the threshold held, with counts and intervals."""
        return self.result.table.to_frame(confidence=self.confidence)
