"""The state of the ROC explorer: what one may set, and the result that follows.

Works without a browser. It asks the core for every number and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

import numpy as np
import traitlets

from rocviz.core.roc.bands import METHODS as BAND_METHODS
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.isometrics import METRICS, isometric_through, metric_value
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Log,
    Slider,
    Switch,
    Values,
)
from rocviz.widgets.base.state import ExplorerState, Sentence
from rocviz.widgets.roc.data import CALIBRATIONS, Scored
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.words import METRIC_NAMES, code, sentences
from rocviz.words import amount, number, percent, shorten

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    import pandas as pd

    from rocviz.core.roc.segments import RankedSegments

__all__ = ["ROCInputs", "ROCResult", "ROCState"]

PREVIEW = 2000  # samples that are drawn while a hand moves the sandbox
FEW = 250  # segments that can still be told apart and clicked
SNAP = 0.012  # a point this close to a vertex (in units of the axes) means the vertex


def is_sandbox(state: Any) -> bool:
    """Whether the data are drawn, so that their generator can be set."""
    return bool(state.preset != state.own)


def threshold_grid(low: float, high: float) -> Linear:
    """Return a thousand steps from the lowest to the highest threshold."""
    return Linear(low, high, (high - low) / 1000 or 0.001)


class ROCInputs(TypedDict, total=False):
    """Inputs of the ROC explorer, for type checkers."""

    threshold: float
    random_part: float
    model: str
    cost_ratio: float
    deployment_prevalence: float
    metric: str
    show_hull: bool
    show_band: bool
    band_method: str
    confidence: float
    calibration: str
    held_out: bool
    reliability_by: str
    joined: tuple[int, ...]
    separation: float
    spread_ratio: float
    prevalence: float
    n_samples: int
    over_confidence: float
    decimals: int
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str


class ROCState(ExplorerState):
    """State of the ROC explorer.

    Parameters
    ----------
    data : Scored, optional
        One's own labels and scores; without it, the teaching sandbox.
    **inputs
        Initial values of the traits below.
    """

    pictures: ClassVar[Mapping[str, str]] = {
        "roc": "ROC curve",
        "scores": "Scores",
        "reliability": "What it says, what happens",
        "brier": "Brier score",
    }
    groups: ClassVar[tuple[str, ...]] = ("costs", "show", "calibrate", "other data")

    threshold = traitlets.Float(
        0.5, help="Samples that score at least this are called positive."
    ).tag(
        input=True,
        control=Slider(
            label="threshold",
            grid=lambda state: threshold_grid(*state.bounds),
            text=number,
            thing="held",
            set=lambda state, value: state.update(threshold=float(value), random_part=1.0),
        ),
    )
    random_part = traitlets.Float(
        1.0,
        min=0.0,
        max=1.0,
        help="Share of the samples tied exactly at the threshold that is called positive.",
    ).tag(
        input=True,
        control=Slider(
            label="random part of the tie",
            hint="The share of the samples tied at the threshold that is called positive",
            grid=Linear(0.0, 1.0, 0.01),
            text=".0%",
            thing="held",
            shown=lambda state: state.holds_a_tie,
        ),
    )
    model = traitlets.Unicode(help="Name of the model in front, where there are several.").tag(
        input=True,
        control=Choice(
            label="model",
            options=lambda state: {name: shorten(name, 20) for name in state.data.scores},
            shown=lambda state: len(state.data.scores) > 1,
        ),
    )
    cost_ratio = traitlets.Float(
        1.0, min=0.01, max=100.0, help="Cost of a miss, in units of a false alarm."
    ).tag(
        input=True,
        control=Slider(
            label="a miss, in false alarms",
            hint="What one missed positive costs, when a false alarm costs 1",
            group="costs",
            grid=Log(0.01, 100.0, per_decade=10),
            thing="optimum",
        ),
    )
    deployment_prevalence = traitlets.Float(
        0.5, min=0.001, max=0.999, help="Prevalence where the classifier is to be used."
    ).tag(
        input=True,
        control=Slider(
            label="prevalence in use",
            hint="The share of positives where the classifier is to be used",
            group="costs",
            grid=Linear(0.001, 0.999, 0.001),
            text=percent,
            thing="reference",
        ),
    )
    metric = traitlets.Enum(
        ("none", *METRICS),
        "none",
        help="Whose isometric runs through the operating point; none is drawn for ``'none'``.",
    ).tag(
        input=True,
        control=Choice(label="isometric", group="show", options=METRIC_NAMES),
    )
    show_hull = traitlets.Bool(True, help="Draw the convex hull of the curve.").tag(
        input=True, control=Switch(label="convex hull", group="show")
    )
    show_band = traitlets.Bool(True, help="Draw a confidence band of the curve.").tag(
        input=True,
        control=Switch(
            label="confidence band",
            group="show",
            hint="A band that holds the whole true curve, so often as its confidence says",
        ),
    )
    band_method = traitlets.Enum(
        tuple(BAND_METHODS), "bootstrap", help="How the band is computed."
    ).tag(
        input=True,
        control=Choice(
            label="band by",
            group="show",
            options=tuple(BAND_METHODS),
            enabled=lambda state: state.show_band,
        ),
    )
    confidence = traitlets.Float(
        0.95, min=0.5, max=0.999, help="Confidence of the band and of the intervals."
    ).tag(
        input=True,
        control=Slider(
            label="confidence", group="show", grid=Linear(0.5, 0.99, 0.01), text=percent
        ),
    )
    calibration = traitlets.Enum(
        tuple(CALIBRATIONS), "raw", help="How scores become probabilities."
    ).tag(
        input=True,
        control=Choice(label="probabilities", group="calibrate", options=tuple(CALIBRATIONS)),
    )
    held_out = traitlets.Bool(
        False, help="Fit the calibration on one half and judge it on the other."
    ).tag(
        input=True,
        control=Switch(
            label="judge on the other half",
            group="calibrate",
            hint="Fit the calibration on one half of the samples and judge it on the other",
        ),
    )
    reliability_by = traitlets.Enum(
        ("hull", "score"), "hull", help="What one circle of the reliability diagram stands for."
    ).tag(
        input=True,
        control=Choice(
            label="a circle for each",
            group="calibrate",
            options={"hull": "hull segment", "score": "score"},
        ),
    )
    joined = traitlets.Tuple(
        help="Boundaries (between original segments i - 1 and i) that were joined away."
    ).tag(input=True)
    separation = traitlets.Float(
        1.5, min=-3.0, max=8.0, help="Distance of the classes' means, in standard deviations."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="separation",
            group="other data",
            grid=Linear(-3.0, 8.0, 0.05),
            text=".2f",
            shown=is_sandbox,
        ),
    )
    spread_ratio = traitlets.Float(
        1.0, min=0.2, max=5.0, help="Standard deviation of the positives' scores."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="spread of positives",
            group="other data",
            grid=Linear(0.2, 5.0, 0.1),
            text=".1f",
            shown=is_sandbox,
        ),
    )
    prevalence = traitlets.Float(0.4, min=0.01, max=0.99, help="Share of positives drawn.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="prevalence",
            group="other data",
            grid=Linear(0.01, 0.99, 0.01),
            text=".0%",
            shown=is_sandbox,
        ),
    )
    n_samples = traitlets.Int(500, min=20, max=1_000_000, help="Number of samples drawn.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="samples",
            group="other data",
            grid=Values((20, 40, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000)),
            shown=is_sandbox,
        ),
    )
    over_confidence = traitlets.Float(
        1.0, min=0.19, max=20.0, help="Factor on the log-odds that the scores claim."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="over-confidence",
            group="other data",
            grid=Log(0.2, 20.0),
            text="× {:.3g}".format,
            shown=is_sandbox,
        ),
    )
    decimals = traitlets.Int(6, min=1, max=6, help="Decimals that are kept of a score.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="decimals kept", group="other data", grid=Linear(1, 6, 1), shown=is_sandbox
        ),
    )
    seed = traitlets.Int(0, min=0, help="Which sample of this kind is drawn.").tag(
        input=True, sandbox=True
    )

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "draw_anew": Action(
            label="draw anew", group="other data", act="draw_anew", shown=is_sandbox
        ),
        "join_next": Action(
            label="join the next segment",
            hint="Tie the segment held with the next one of the ranking",
            group="calibrate",
            act="join_next",
            shown=lambda state: 1 < len(state.result.segments) <= FEW,
        ),
        "undo_joins": Action(
            label="undo joins",
            group="calibrate",
            act="undo_joins",
            shown=lambda state: bool(state.joined),
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "good": {"separation": 2.0},
        "perfect": {"separation": 8.0, "n_samples": 200},
        "random": {"separation": 0.05, "over_confidence": 20.0, "prevalence": 0.5},
        "worse than random": {"separation": -1.0},
        "a concavity": {"separation": 0.8, "spread_ratio": 2.5},
        "many ties": {"separation": 1.5, "decimals": 1, "reliability_by": "score"},
        "over-confident": {"separation": 1.2, "over_confidence": 2.5},
        "under-confident": {"separation": 2.0, "over_confidence": 0.4},
        "imbalanced": {"separation": 1.8, "prevalence": 0.03, "n_samples": 2000},
        "few samples": {"separation": 1.2, "n_samples": 40},
    }

    if TYPE_CHECKING:
        result: ROCResult

    def __init__(self, data: Scored | None = None, **inputs: Unpack[ROCInputs]) -> None:
        self._own = data
        self._sandbox: tuple[tuple[Any, ...], Scored] | None = None
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
        if self.is_preview:
            settings["n_samples"] = min(PREVIEW, self.n_samples)
        key = tuple(settings.values())
        if self._sandbox is None or self._sandbox[0] != key:
            drawn = binormal_scores(random_state=settings.pop("seed"), **settings)
            self._sandbox = (key, Scored(drawn.y_true, {"scores": drawn.y_prob}))
        return self._sandbox[1]

    @property
    def bounds(self) -> tuple[float, float]:
        """Range of the threshold: [0, 1] for probabilities, else the range of the scores."""
        return self.data.bounds(self.model)

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether many scores have to be drawn anew."""
        drawn = bool(changed & {"preset", *self.trait_names(sandbox=True)})
        return drawn and is_sandbox(self) and self.n_samples > PREVIEW

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

    def draw_anew(self) -> None:
        """Draw another sample of the same kind."""
        self.seed += 1

    def join_next(self) -> None:
        """Join the segment held with the next one of the ranking."""
        segments = self.result.segments
        held = int((segments.score >= self.threshold).sum()) - 1
        if len(segments) > 1:
            self.coarsen(min(max(held, 0), len(segments) - 2))

    def undo_joins(self) -> None:
        """Take every join back."""
        self.joined = ()

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
    def holds_a_tie(self) -> bool:
        """Whether several samples score exactly the threshold, in a curve of few segments."""
        segments = self.result.segments
        at = np.flatnonzero(segments.score == self.threshold)
        return bool(at.size and segments.n[at[0]] > 1 and len(segments) < 1000)

    @property
    def about(self) -> str:
        """Whose data, and how many of either class."""
        segments = self.result.segments
        preview = f"preview from {amount(segments.n_samples)} samples · " * self.is_preview
        return (
            f"{preview}{self.preset} · {amount(segments.n_pos)} positives, "
            f"{amount(segments.n_neg)} negatives"
        )

    def summary(self, group: str) -> str:
        """Return the present setting of a fold of the rail."""
        if group == "costs":
            return f"{self.cost_ratio:.3g} : 1, {percent(self.deployment_prevalence)}"
        if group == "show":
            shown = {"hull": self.show_hull, "band": self.show_band}
            names = [name for name, on in shown.items() if on]
            return ", ".join(names + ([METRIC_NAMES[self.metric]] * (self.metric != "none")))
        if group == "calibrate":
            return self.calibration + ", held out" * self.held_out
        return super().summary(group)

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
