"""The state of the ROC explorer: its inputs, and the result computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.validation import describe
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.core.roc.bands import METHODS as BAND_METHODS
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.metrics import ConfusionTable, metric_label
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.roc.pairs_picture import pairs_title
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Log,
    Slider,
    Switch,
    Text,
    ValidatedTuple,
    Values,
    in_sandbox,
    real,
    whole,
)
from rocviz.widgets.base.state import (
    OTHER_DATA,
    WHO_IS_PREDICTED,
    DrawnState,
    MetricName,
    metric_option_inputs,
    miss_cost,
)
from rocviz.widgets.roc import words as wording
from rocviz.widgets.roc.data import (
    CALIBRATIONS,
    N_PREVIEW_RESAMPLES,
    UNNAMED,
    Scored,
)
from rocviz.widgets.roc.result import ROCResult, result_of
from rocviz.words import amount, percent, score_text, short_names

MAX_CLICKABLE_SEGMENTS = 250  # segments that can still be distinguished and clicked
SAMPLE_SIZES = (20, 40, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000)


def threshold_grid(state: Any) -> Linear:
    """Divide the range of thresholds into a thousand steps."""
    low, high = state.bounds
    return Linear(low, high, (high - low) / 1000 or 0.001)


METRIC = MetricName(
    {"none": "none"},
    attrgetter("has_isometrics"),
    "none",
    help="Metric whose isometric runs through the operating point, by any of its names; "
    "``'none'`` draws none.",
)


def drawn_words(state: Any) -> str:
    """Name what is drawn beside the curve."""
    names = []
    if state.show_hull:
        names.append("hull")
    if state.show_band:
        names.append("band")
    if state.metric != "none":
        names.append(metric_label(state.metric, state.metric_options))
    return ", ".join(names)


def cost_words(state: Any) -> str:
    """Write the costs and the prevalence in use, and what a referral costs."""
    text = f"{state.cost_fn:.3g} : 1, {percent(state.deployment_prevalence)}"
    return f"{text}, refer {state.cost_referral:.2g}" if state.refer else text


def unit_number(value: Any) -> float:
    """Convert a number from 0 to 1."""
    return real(value, 0.0, 1.0)


def _drawn_name(*, positive: bool) -> str:
    """Name the input with the scores of a class that are drawn by hand."""
    return "drawn_positives" if positive else "drawn_negatives"


def end_grid(state: Any) -> Linear:
    """Divide the range of two thresholds, which ends above the highest score."""
    low, high = state.end_bounds
    return Linear(low, high, (high - low) / 1000 or 0.001)


def calibration_words(state: Any) -> str:
    """Name the calibration map, and where it is fitted."""
    return f"{state.calibration}, held out" if state.held_out else str(state.calibration)


MIN_SAMPLES_OF_PREVIEW = 200_000  # from here on a new curve takes longer than a step may
MAX_SAMPLES_OF_FIRST_CURVES = 20_000  # up to here all curves of a model take no longer than a step
MAX_DRAWN = 300  # samples drawn by hand, each a dot of its own
N_RESAMPLES = 500  # of a band, unless it is a preview's
SNAP_DISTANCE = 0.012  # a point this close to a vertex (in units of the axes) means the vertex


class ROCState(DrawnState):
    """State of the ROC explorer, on given labels and scores or the sandbox."""

    result: ROCResult
    data: Scored
    _own: Scored
    sketched = 2000

    pictures: ClassVar[Mapping[str, str]] = {
        "people": WHO_IS_PREDICTED,
        "roc": "ROC curve",
        "scores": "Scores",
        "reliability": "Predicted and observed",
        "brier": "Brier score",
        "pairs": "Pairs",
        "space": "Another space",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "costs": cost_words,
        "show": drawn_words,
        "calibrate": calibration_words,
        **OTHER_DATA,
        "other data": lambda state: "by hand" if state.is_drawn_by_hand else str(state.preset),
    }

    threshold = Slider(
        "threshold",
        threshold_grid,
        score_text,
        role="selected",
        shown=lambda state: not state.refer,
        set=lambda state, value: state.update(threshold=float(value), random_part=1.0),
    ).as_float(0.5, "Samples that score at least this are predicted positive.")
    random_part = Slider(
        "part of the tie",
        Linear(0.0, 1.0, 0.01),
        ".0%",
        role="selected",
        shown=lambda state: state.is_tied_at_threshold and not state.refer,
    ).as_float(
        1.0, "Share of the samples tied exactly at the threshold that is predicted positive."
    )
    lower_threshold = Slider(
        "rule out below",
        end_grid,
        score_text,
        role="selected",
        shown=lambda state: state.refer,
        set=lambda state, value: state.move_end("lower", float(value)),
    ).as_float(
        0.5,
        "Samples that score less are ruled out, if the rest is referred. Referring puts both "
        "thresholds where they cost least, unless they are given with it.",
    )
    upper_threshold = Slider(
        "rule in from",
        end_grid,
        score_text,
        role="selected",
        shown=lambda state: state.refer,
        set=lambda state, value: state.move_end("upper", float(value)),
    ).as_float(0.5, "Samples that score at least this are ruled in, if the rest is referred.")
    space = Choice(
        "space",
        {name: space.label for name, space in SPACES.items()},
        hint="The same ranking in another space; its points and lines move together",
    ).as_enum(
        "roc",
        "Space in which the curve is drawn; with ``'space'`` among the panels, beside ROC space.",
    )
    model = Choice(
        "model",
        lambda state: short_names(state.data.scores, 17),
        shown=lambda state: len(state.data.scores) > 1,
    ).of(Text(help="Name of the model in front, if there are several."))
    cost_fn = miss_cost(Log(0.01, 100.0, per_decade=10), group="costs")
    deployment_prevalence = Slider(
        "prevalence in use",
        Linear(0.001, 0.999, 0.001),
        percent,
        group="costs",
        role="reference",
    ).as_float(0.5, "Share of positives where the classifier is to be used.")
    refer = Switch("refer the rest", group="costs").as_bool(
        False,
        "Give three answers: rule out below a lower threshold, rule in from an upper one on, and "
        "refer the samples between.",
    )
    cost_referral = Slider(
        "price of a referral",
        Linear(0.0, 1.0, 0.01),
        ".2f",
        group="costs",
        role="optimum",
        shown=lambda state: state.refer,
    ).as_float(0.2, "Cost of a referral, if a false alarm costs 1.", high=100.0)
    metric = Choice(
        "isometric", METRIC.labels, group="show", shown=lambda state: not state.refer
    ).of(METRIC)
    # one trait for each option of metrics
    vars().update(
        metric_option_inputs(lambda state: () if state.refer else (state.metric,), group="show")
    )
    show_hull = Switch("convex hull", group="show").as_bool(
        True, "Draw the convex hull of the curve."
    )
    show_best = Switch("cost-optimal point", group="show").as_bool(
        True, "Mark the point with the lowest expected cost, and say how much it saves."
    )
    hull_over = Choice(
        "hull over",
        {"all": "all models", "model": "this model"},
        group="show",
        shown=lambda state: len(state.data.scores) > 1,
    ).as_enum(
        "all",
        "Whether the hull and the cost-optimal point are those of all models or of the model in "
        "front.",
    )
    show_band = Switch("confidence band", group="show").as_bool(
        True, "Draw a band that contains the whole true curve with the stated confidence."
    )
    band_method = Choice(
        "band by", tuple(BAND_METHODS), group="show", enabled=lambda state: state.show_band
    ).as_enum("bootstrap", "Method of the confidence band.")
    confidence = Slider("confidence", Linear(0.5, 0.99, 0.01), percent, group="show").as_float(
        0.95, "Confidence of the band and of the intervals.", high=0.999
    )
    calibration = Choice("probabilities", tuple(CALIBRATIONS), group="calibrate").as_enum(
        "raw", "Map from scores to probabilities."
    )
    held_out = Switch("judge on the other half", group="calibrate").as_bool(
        False, "Fit the calibration on one half of the samples and judge it on the other."
    )
    reliability_by = Choice(
        "a circle for each", {"hull": "hull segment", "score": "score"}, group="calibrate"
    ).as_enum(
        "hull", "Whether a circle of the reliability diagram is a segment of the hull or a score."
    )
    joined = ValidatedTuple(
        "whole numbers",
        whole,
        help="Boundaries (between original segments i - 1 and i) that were removed by joining.",
    ).tag(input=True)
    separation = Slider("separation", Linear(-3.0, 8.0, 0.05), ".2f", sandbox=True).as_float(
        1.5, "Distance of the classes' means, in standard deviations."
    )
    spread_ratio = Slider(
        "spread of positives", Linear(0.2, 5.0, 0.1), ".1f", sandbox=True
    ).as_float(1.0, "Standard deviation of the positives' scores.")
    prevalence = Slider("prevalence", Linear(0.01, 0.99, 0.01), ".0%", sandbox=True).as_float(
        0.4, "Share of positives drawn."
    )
    n_samples = Slider("samples", Values(SAMPLE_SIZES), sandbox=True).as_int(
        500, "Number of samples drawn.", high=1_000_000
    )
    over_confidence = Slider(
        "over-confidence", Log(0.2, 20.0), "× {:.3g}".format, sandbox=True
    ).as_float(
        1.0, "Factor of the log odds of the scores; above 1 they are overconfident.", low=0.19
    )
    decimals = Slider("decimals kept", Linear(1, 6, 1), sandbox=True).as_int(
        6, "Decimals to which scores are rounded."
    )
    draw = (
        Switch(
            "draw your own",
            group="other data",
            shown=in_sandbox,
            needs_python=True,
            hint="Press on the picture of people to add one, sweep for a cloud, drag one elsewhere "
            "or out of the picture",
        )
        .as_bool(False, "Show the scores drawn by hand in place of simulated ones.")
        .tag(sandbox=True)
    )
    drawn_positives = ValidatedTuple(
        "numbers from 0 to 1",
        unit_number,
        default_value=(0.85, 0.7, 0.45),
        help="Scores of the positives drawn by hand.",
    ).tag(input=True, sandbox=True)
    drawn_negatives = ValidatedTuple(
        "numbers from 0 to 1",
        unit_number,
        default_value=(0.6, 0.35, 0.2),
        help="Scores of the negatives drawn by hand.",
    ).tag(input=True, sandbox=True)

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "use_best_thresholds": Action(
            "best thresholds",
            "use_best_thresholds",
            hint="Move both thresholds to where the expected cost is lowest",
            group="costs",
            shown=lambda state: state.refer,
        ),
        "join_next": Action(
            "join the next segment",
            "join_next",
            hint="Join the selected segment with the next one of the ranking",
            group="calibrate",
            shown=lambda state: (
                not state.refer and 1 < len(state.result.segments) <= MAX_CLICKABLE_SEGMENTS
            ),
        ),
        "undo_joins": Action(
            "undo joins", "undo_joins", group="calibrate", shown=lambda state: bool(state.joined)
        ),
        "clear_drawing": Action(
            "clear",
            "clear_drawing",
            hint="Begin the drawing again with three of each class",
            group="other data",
            shown=lambda state: state.is_drawn_by_hand,
            needs_python=True,
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

    words = wording
    main_controls = ("threshold", "lower_threshold")

    # ------------------------------------------------------------------ data

    def drawn(self, settings: dict[str, Any], rough: bool = False) -> Scored:
        """Simulate data by the settings of the sandbox, with few resamples if they may be rough."""
        arguments = dict(settings)
        by_hand = [arguments.pop(f"drawn_{name}") for name in ("positives", "negatives")]
        if arguments.pop("draw"):
            y_true = np.repeat([1, 0], [len(scores) for scores in by_hand])
            return Scored(y_true, {UNNAMED: np.concatenate(by_hand)}, n_resamples=N_RESAMPLES)
        seed = arguments.pop("seed")
        sample = binormal_scores(random_state=seed, **arguments)
        n_resamples = N_PREVIEW_RESAMPLES if rough else N_RESAMPLES
        return Scored(sample.y_true, {UNNAMED: sample.y_prob}, n_resamples=n_resamples)

    @property
    def size(self) -> int:
        """Number of samples; a preview may use fewer."""
        if self.is_drawn_by_hand:
            return self.n_drawn
        return self.n_samples if self.is_sandbox else int(self._own.positive.size)

    @property
    def is_drawn_by_hand(self) -> bool:
        """Whether the scores are drawn by the user's hand."""
        return bool(self.draw and self.is_sandbox)

    @property
    def has_drawing(self) -> bool:
        """Whether anything has been drawn by hand yet."""
        names = ("drawn_positives", "drawn_negatives")
        return any(getattr(self, name) != self.traits()[name].default(self) for name in names)

    @property
    def n_drawn(self) -> int:
        """Number of samples drawn by hand."""
        return len(self.drawn_positives) + len(self.drawn_negatives)

    @property
    def _computed_data(self) -> Scored:
        """The samples from which the result is computed: few of very many in a preview."""
        data = self.data
        limit = MIN_SAMPLES_OF_PREVIEW if self.is_sandbox else MAX_SAMPLES_OF_FIRST_CURVES
        if self.is_preview and data.positive.size > limit:
            return data.sketch
        return data

    @property
    def bounds(self) -> tuple[float, float]:
        """Range of the threshold: [0, 1] for probabilities, else the range of the scores."""
        return self.data.bounds(self.model)

    @property
    def end_bounds(self) -> tuple[float, float]:
        """Range of two thresholds: to just above the highest score, where nobody is ruled in."""
        low, high = self.bounds
        return low, float(np.nextafter(high, np.inf))

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether scores are simulated again, or too many samples have to be ranked again."""
        redrawn = self._has_other_data(changed)
        if self.is_sandbox and (redrawn or not self._is_drawn()):
            return self.show_band or self.size > self.sketched
        data = self.data
        if self.joined or self._slow_inputs() in data.exact_settings:
            return False
        limit = MIN_SAMPLES_OF_PREVIEW
        # several models may have to be drawn in a space for the first time
        if len(data.scores) > 1 and not {self.model, self.space} <= data.drawn_names:
            limit = MAX_SAMPLES_OF_FIRST_CURVES
        return data.positive.size > limit

    def finishes_late(self) -> bool:
        """Whether computing the exact result takes long, because of very many samples."""
        return self.size >= MIN_SAMPLES_OF_PREVIEW

    def _slow_inputs(self) -> tuple[Any, ...]:
        """List the inputs that take time in proportion to the number of samples."""
        prevalence = self.deployment_prevalence if SPACES[self.space].follows_prevalence else None
        band = (self.band_method, self.confidence) if self.show_band else None
        return (
            self.model,
            self.calibration,
            self.held_out,
            self.hull_over,
            self.joined,
            self.space,
            prevalence,
            band,
        )

    # ------------------------------------------------------------------ rules

    @traitlets.default("panels")
    def _four_panels(self) -> tuple[str, ...]:
        """Open a sandbox on people, and the user's own scores on their curve."""
        first = ("people", "roc") if self.is_sandbox else ("roc", "scores")
        return (*first, "reliability", "brier")

    @traitlets.validate("joined")
    def _sorted_joined(self, proposal: Any) -> tuple[int, ...]:
        return tuple(sorted(set(proposal["value"])))

    def adjust(self, changed: set[str]) -> None:
        """Adjust dependent inputs to the data; refuse contradictions."""
        super().adjust(changed)
        self._check_drawing()
        if "draw" in changed and self.draw and self.settled_inputs:
            self._show_people()
        data = self.data
        names = tuple(data.scores)
        new_data = self._has_other_data(changed)
        self._keep_known("model", names, names[0], changed, follows=new_data)
        if new_data or "model" in changed:
            self._follow_data(changed, are_probabilities=data.are_probabilities(self.model))
        low, high = data.bounds(self.model)
        if not low <= self.threshold <= high:
            raise traitlets.TraitError(
                f"threshold must be from {low:.17g} to {high:.17g}, the range of the scores; "
                f"got {self.threshold:.17g}."
            )
        if self.calibration in ("raw", "beta") and not data.are_probabilities(self.model):
            raise traitlets.TraitError(
                f"calibration {describe(self.calibration)} needs scores in [0, 1]; those of "
                f"{describe(self.model)} are not: choose hull, isotonic or sigmoid."
            )
        if self.held_out and not data.can_hold_out():
            raise traitlets.TraitError(
                "held_out needs at least two samples of each class, one for either half."
            )
        if data.unit is not None and self.band_method != "bootstrap":
            raise traitlets.TraitError(
                f"band_method {describe(self.band_method)} knows no clusters: choose bootstrap."
            )
        n = len(data.curve(self.model, ()).segments)
        if self.joined and not 1 <= self.joined[0] <= self.joined[-1] < n:
            raise traitlets.TraitError(
                f"joined must be boundaries from 1 to {n - 1}; got {describe(self.joined)}."
            )
        if self.refer:
            self._adjust_ends(changed, follows=new_data or "model" in changed)

    def _show_people(self) -> None:
        """Make the picture that can be drawn on the large one, with the pairs beside it."""
        others = [name for name in self.panels if name not in ("people", "pairs")]
        self.panels = ("people", *others[:1], "pairs", *others[1:2])
        self.focus = "people"

    def _check_drawing(self) -> None:
        """Refuse a drawing without a class, or with too many samples to be drawn."""
        for name in ("drawn_positives", "drawn_negatives"):
            if not getattr(self, name):
                raise traitlets.TraitError(
                    f"{name} must have at least one score: a curve needs both classes."
                )
        if self.n_drawn > MAX_DRAWN:
            raise traitlets.TraitError(
                f"drawn_positives and drawn_negatives must have at most {MAX_DRAWN} scores "
                f"together; got {self.n_drawn}."
            )

    def _follow_data(self, changed: set[str], *, are_probabilities: bool) -> None:
        """Give new data a threshold, a prevalence and a calibration that suit it."""
        segments = self.data.curve(self.model, ()).segments
        threshold = 0.5 if are_probabilities else self._best_finite_threshold(segments)
        opening: dict[str, Any] = {"joined": (), "random_part": 1.0, "threshold": threshold}
        low, high = self.bounds
        if self.settled_inputs and "preset" not in changed and low <= self.threshold <= high:
            del opening["threshold"]
        if changed & {"preset", "prevalence"}:
            rounded = round(segments.prevalence, 3)  # to a step of its slider
            opening["deployment_prevalence"] = float(np.clip(rounded, 0.001, 0.999))
        if self.calibration in ("raw", "beta") and not are_probabilities:
            opening["calibration"] = "isotonic"
        if not self.data.can_hold_out():
            opening["held_out"] = False
        for name, value in opening.items():
            if name not in changed:
                setattr(self, name, value)

    def _adjust_ends(self, changed: set[str], *, follows: bool) -> None:
        """Put two thresholds where they cost least if they are new, or new data ask for it."""
        low, high = self.end_bounds
        names = ("lower_threshold", "upper_threshold")
        are_kept = bool(self.settled_inputs) and "refer" not in changed and "preset" not in changed
        if follows and not all(low <= getattr(self, name) <= high for name in names):
            are_kept = False
        if not are_kept and (follows or "refer" in changed):
            for name, value in zip(names, self._best_ends(), strict=True):
                if name not in changed:
                    setattr(self, name, value)
        for name in names:
            value = getattr(self, name)
            if not low <= value <= high:
                raise traitlets.TraitError(
                    f"{name} must be from {low:.17g} to {high:.17g}, the range of the scores; "
                    f"got {value:.17g}."
                )
        self._keep_order(*names, changed)

    def _best_ends(self) -> tuple[float, float]:
        """Find both thresholds with the lowest expected cost, within the range of the scores."""
        best = self.data.curve(self.model, self.joined).best_referral(
            cost_fp=1.0,
            cost_fn=self.cost_fn,
            cost_referral=self.cost_referral,
            prevalence=self.deployment_prevalence,
        )
        low, high = np.clip((best.lower_threshold, best.upper_threshold), *self.end_bounds)
        return float(low), float(high)

    @staticmethod
    def _best_finite_threshold(segments: RankedSegments) -> float:
        """Find the best threshold for equal costs, or the top score if there is none."""
        best = segments.optimal_point().threshold
        return best if np.isfinite(best) else float(segments.score[0])

    # ------------------------------------------------------------------ acts

    def add_sample(self, score: float, *, positive: bool) -> None:
        """Add a sample to those drawn by hand.

        Parameters
        ----------
        score : float
            From 0 to 1.
        positive : bool
            Its class.
        """
        name = _drawn_name(positive=positive)
        setattr(self, name, (*getattr(self, name), score))

    def remove_sample(self, score: float, *, positive: bool) -> None:
        """Remove a sample with this score from those drawn by hand.

        Parameters
        ----------
        score : float
        positive : bool
            Its class, whose last sample cannot be removed.

        Raises
        ------
        ValueError
            If no sample of this class has the score.
        """
        name = _drawn_name(positive=positive)
        scores = list(getattr(self, name))
        if score not in scores:
            raise ValueError(f"score must be one of {name}; got {describe(score)}.")
        scores.remove(score)
        setattr(self, name, tuple(scores))

    def move_sample(
        self, score: float, to: float, *, positive: bool, becomes_positive: bool | None = None
    ) -> None:
        """Give another score to a sample that was drawn by hand.

        Parameters
        ----------
        score : float
            Its score before.
        to : float
            Its new score, from 0 to 1.
        positive : bool
            Its class.
        becomes_positive : bool, optional
            Its new class; by default it keeps its class.
        """
        if becomes_positive is None:
            becomes_positive = positive
        with self.batch():
            self.add_sample(to, positive=becomes_positive)
            self.remove_sample(score, positive=positive)

    def clear_drawing(self) -> None:
        """Begin the drawing again with three samples of each class."""
        names = ("drawn_positives", "drawn_negatives")
        self.update(**{name: self.traits()[name].default(self) for name in names})

    def join_next(self) -> None:
        """Join the segment at the threshold with the next one of the ranking."""
        self.finish()
        segments = self.result.segments
        selected = int((segments.score >= self.threshold).sum()) - 1
        if len(segments) > 1:
            self.coarsen(min(max(selected, 0), len(segments) - 2))

    def undo_joins(self) -> None:
        """Undo all joins."""
        self.joined = ()

    def use_best_thresholds(self) -> None:
        """Move both thresholds to where the expected cost is lowest."""
        self.finish()
        lower, upper = self._best_ends()
        self.update(lower_threshold=lower, upper_threshold=upper)

    def move_end(self, end: str, threshold: float) -> None:
        """Move one of two thresholds, and stop at the other.

        Parameters
        ----------
        end : {"lower", "upper"}
        threshold : float
            Clipped to the range of the scores.
        """
        low, high = self.end_bounds
        threshold = min(max(threshold, low), high)
        if end == "lower":
            self.lower_threshold = min(threshold, self.upper_threshold)
        else:
            self.upper_threshold = max(threshold, self.lower_threshold)

    def move_end_to(self, end: str, x: float, y: float, space: str = "roc") -> None:
        """Move one of two thresholds to the vertex of the curve nearest to a point.

        Parameters
        ----------
        end : {"lower", "upper"}
        x, y : float
            Any point, on the curve or beside it.
        space : str, default="roc"
            A space of points in which the curve is shown at present.
        """
        vertex = round(self._nearest_index(x, y, space))
        score = self.result.segments.score
        self.move_end(end, float(score[vertex - 1]) if vertex else self.end_bounds[1])

    def _nearest_index(self, x: float, y: float, space: str) -> float:
        """Count the segments before the point of the curve that is nearest to a given point."""
        view = self.result.views[space]
        width = view.limits[0][1] - view.limits[0][0]
        height = max(view.limits[1][1] - view.limits[1][0], 1e-9)
        return view.curve.nearest_threshold_index(
            float(x), float(y), unit_y=height / width, limits=view.limits
        )

    def coarsen(self, segment: int) -> None:
        """Join a segment of the present ranking and the next one.

        Parameters
        ----------
        segment : int
            From 0 to the number of segments minus 2.

        Raises
        ------
        ValueError
            If there is no such pair of neighbours.
        """
        self.finish()
        n = len(self.result.segments)
        if not 0 <= segment < n - 1:
            raise ValueError(f"segment must be from 0 to {n - 2}; got {describe(segment)}.")
        original = len(self.data.curve(self.model, ()).segments)
        boundaries = np.setdiff1d(np.arange(1, original), np.asarray(self.joined, dtype=np.intp))
        self.joined = (*self.joined, int(boundaries[segment]))

    def move_to(self, x: float, y: float, space: str = "roc") -> None:
        """Move the operating point to the point of the curve that is nearest to a given point.

        It is a vertex, or, on an edge long enough to be seen, a random part of its segment. In a
        space over probabilities, x is the threshold itself.

        Parameters
        ----------
        x, y : float
            Any point, on the curve or beside it.
        space : str, default="roc"
            A space in which the curve is shown at present, or "roc".
        """
        result = self.result
        if SPACES[space].needs_probabilities:
            self.update(threshold=self.threshold_at(float(x)), random_part=1.0)
            return
        view = result.views[space]
        curve = view.curve
        segments = result.segments
        width = view.limits[0][1] - view.limits[0][0]
        height = max(view.limits[1][1] - view.limits[1][0], 1e-9)
        index = self._nearest_index(x, y, space)
        curve_x, curve_y = SPACES[space].within(curve.x, curve.y, view.limits)
        vertex_x, vertex_y = SPACES[space].within(curve.threshold_x, curve.threshold_y, view.limits)
        nearest_x = np.interp(index, curve.threshold_index, curve_x)
        nearest_y = np.interp(index, curve.threshold_index, curve_y)
        for vertex in (int(index), int(np.ceil(index))):
            distance_x = (vertex_x[vertex] - nearest_x) / width
            distance_y = (vertex_y[vertex] - nearest_y) / height
            if np.hypot(distance_x, distance_y) < SNAP_DISTANCE:
                index = float(vertex)
        last = max(int(np.ceil(index)) - 1, 0)
        self.update(threshold=float(segments.score[last]), random_part=index - last)

    def threshold_at(self, probability: float) -> float:
        """Find the threshold of the scores with at least this probability.

        Parameters
        ----------
        probability : float
            Clipped to [0, 1].
        """
        low, high = self.bounds
        probability = min(max(probability, 0.0), 1.0)
        if self.calibration == "raw":
            return min(max(probability, low), high)
        score = self.result.segments.score
        is_enough = self.result.calibrated.calibration(score) >= probability
        return float(score[is_enough][-1]) if is_enough.any() else high

    def space_of(self, picture: str) -> str:
        """Get the space of a picture; beside another space, "roc" shows ROC space.

        Parameters
        ----------
        picture : {"roc", "space"}
        """
        if picture == "roc" and "space" in self.panels:
            return "roc"
        # in a batch, pictures may be rearranged before the result has the new space
        return str(self.result.space)

    def title(self, name: str) -> str:
        """Write the title of a picture."""
        if name in ("roc", "space"):
            return SPACES[self.space_of(name)].title
        if name == "pairs":
            return pairs_title(self.result.segments)
        return super().title(name)

    # ------------------------------------------------------------------ result

    def compute(self) -> ROCResult:
        """Compute everything the explorer shows, for the present inputs."""
        data = self._computed_data
        result = result_of(self, data)
        if not self.is_preview:
            data.exact_settings.append(self._slow_inputs())
            data.drawn_names |= {self.model, self.space}
        return result

    @property
    def is_tied_at_threshold(self) -> bool:
        """Whether several samples score exactly the threshold, in a curve of few segments."""
        segments = self.result.segments
        if len(segments) >= 1000:
            return False
        tied = np.flatnonzero(segments.score == self.threshold)
        return bool(tied.size and segments.n[tied[0]] > 1)

    @property
    def about(self) -> str:
        """Source of the data, and the number of samples of each class."""
        segments = self.result.segments
        source = "drawn by hand · " if self.is_drawn_by_hand else f"{self.preset} · "
        if self.is_preview:
            data = self._computed_data
            n_samples = data.positive.size
            preview = "preview · "
            if data.counted is not None:
                preview = f"preview from {amount(len(segments))} segments · "
            elif n_samples < self.size:
                preview = f"preview from {amount(n_samples)} samples · "
            source = preview + source
        classes = self.class_names.shortened()
        counts = (
            f"{amount(segments.n_pos)} {classes.positives}, "
            f"{amount(segments.n_neg)} {classes.negatives}"
        )
        n_clusters = self._computed_data.n_clusters
        if n_clusters is not None:
            counts = f"{counts} in {amount(n_clusters)} clusters"
        return f"{source}{counts}"

    def to_frame(self) -> DataFrame:
        """Make a table of the rates at the threshold, or of three zones; see ``refer``."""
        if not self._is_by_hand:
            self.finish()
        if self.result.referral is not None:
            return self._named(self.result.referral.policy.to_frame().set_index("zone"))
        rates = _rates(self.result.table, self.confidence).copy()
        curve = self.result.curve
        if curve.samples is not None:
            about = (self.confidence, self.random_part)
            ends = [curve.rate_interval(self.result.table, rate, *about) for rate in rates.index]
            rates[["lower", "upper"]] = ends
        return self._named(rates)

    @property
    def table_names(self) -> dict[str, str]:
        """What the data call the classes, the score and the model, for ``attrs`` of tables."""
        names = super().table_names
        if self.data.axis_name != "score":
            names["score"] = self.data.axis_name
        if self.model != UNNAMED:
            names["model"] = self.model
        return names


@lru_cache(maxsize=64)  # a control that leaves the threshold alone leaves the rates alone
def _rates(table: ConfusionTable, confidence: float) -> DataFrame:
    """Tabulate the rates of a confusion table."""
    return table.to_frame(confidence=confidence)
