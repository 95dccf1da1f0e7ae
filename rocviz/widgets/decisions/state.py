"""The state of the decision explorer: a batch of probabilities, a metric, and a threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from typing import Any, ClassVar

import numpy as np
import traitlets
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, to_frame
from rocviz.core.base.log_odds import miscalibrated
from rocviz.core.base.validation import describe
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.core.roc.metrics import ordered_metrics
from rocviz.widgets.base.background import each
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Entry,
    Linear,
    Row,
    Rows,
    Slider,
    Text,
    ValidatedTuple,
    Values,
    Whole,
    real,
)
from rocviz.widgets.base.own_data import remembered
from rocviz.widgets.base.state import (
    OTHER_DATA,
    WHO_IS_PREDICTED,
    DrawnState,
    MetricName,
    canonical_name,
    metric_option_inputs,
    miss_cost,
)
from rocviz.widgets.decisions import words as wording
from rocviz.widgets.decisions.data import (
    MAX_SAMPLES_OF_EXACT_OUTCOMES,
    MAX_SAMPLES_OF_SEARCH,
    N_PREVIEW_SAMPLES,
    Batch,
    OwnBatch,
    formula_metric,
    monotonicity,
    simulate_probabilities,
)
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.words import verdict
from rocviz.words import amount, metric_name, signed

MAX_EDITABLE_SAMPLES = 30  # samples up to which single probabilities can be changed
DEFAULT_FORMULA = "2*u / (p + v)"
SAMPLE_SIZES = (3, 6, 8, 10, 12, 20, 30, 100, 300, 1000, 10_000, 100_000)
OVER_CONFIDENCES = (
    0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
    1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0,
)  # fmt: skip
MISS_COSTS = (0.1, 0.2, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 50.0, 100.0)


METRIC = MetricName(
    {"formula": "your formula"},
    lambda row: row.is_bounded,
    "f",
    help="Metric that is maximised, or minimised if it is a cost or an error, by any of its names; "
    "or ``'formula'``.",
)


def compared_rows(state: Any) -> list[Row]:
    """Make a row for every metric that can be drawn beside the chosen one."""
    rows = []
    for metric in ordered_metrics():
        is_compared = metric.name in state.compared_metrics
        if metric.name != state.metric and (metric.is_objective or is_compared):
            rows.append(Row(key=metric.name, label=metric.label, value=is_compared))
    return rows


def compared_words(state: Any) -> str:
    """Name the metrics that are drawn beside the chosen one."""
    labels = METRIC.labels()
    return (
        ", ".join(labels[name] for name in state.compared_metrics if name != state.metric) or "none"
    )


def belief_words(state: Any) -> str:
    """Write how the reported probabilities differ from the true ones."""
    changes = []
    if state.over_confidence != 1:
        changes.append(f"× {state.over_confidence:g}")
    if state.shift != 0:
        changes.append(f"{state.shift:+g}".replace("-", "−"))
    if changes:
        return ", ".join(changes)
    return "by hand" if state.probabilities else "true"


MAX_SAMPLES = 100_000  # samples of the sandbox
MAX_EXACT_SAMPLES_IN_DRAG = 100  # samples up to which everything is exact during a drag
MAX_SAMPLES_WITH_FAST_OUTCOMES = 250  # samples up to which all outcomes are weighed during a drag
#: Metrics whose thresholds are shown beside the chosen one in large batches; in small ones all that
#: weigh both errors, except means whose threshold the user states.
FIVE_METRICS = ("accuracy", "balanced_accuracy", "f", "jaccard", "g_tp_pr")
MAX_SAMPLES_OF_FIVE_METRICS = 10_000


class DecisionState(DrawnState):
    """State of the decision explorer, on given probabilities or the sandbox."""

    result: DecisionResult
    data: Batch
    _own: OwnBatch
    sketched = N_PREVIEW_SAMPLES

    pictures: ClassVar[Mapping[str, str]] = {
        "probabilities": WHO_IS_PREDICTED,
        "utilities": "What each threshold is worth",
        "thresholds": "Each metric has its threshold",
        "outcomes": "What may happen",
        "people": "Each sample in its cell",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "compare": compared_words,
        "probabilities": belief_words,
        **OTHER_DATA,
    }

    @traitlets.default("panels")
    def _four_panels(self) -> tuple[str, ...]:
        return tuple(name for name in self.pictures if name != "people")

    kept = ()

    metric = Choice("metric", METRIC.labels).of(METRIC)
    vars().update(
        metric_option_inputs(lambda state: (state.metric, *state.compared_metrics))
    )  # one trait for each option
    cost_fn = miss_cost(
        Values(MISS_COSTS),
        limits=(0.001, 1000.0),
        text="g",
        shown=lambda state: state.metric == "cost" or "cost" in state.compared_metrics,
    )
    formula = Entry(
        "in u, v and p",
        set=lambda state, text: state.update(formula=text, metric="formula"),
        note=lambda state: verdict(state.result)[0],
        shown=lambda state: state.metric == "formula",
    ).of(
        Text(
            DEFAULT_FORMULA,
            help="Formula of a user-defined metric in u, v and p, the shares of true positives, "
            "of predicted positives and of positives; setting it selects ``'formula'``.",
        )
    )
    k = Slider(
        "predicted positive",
        lambda state: Linear(0, state.size, 1),
        amount,
        role="selected",
    ).as_int(
        -1,
        "The k most probable samples are predicted positive; -1 means the best number, and k then "
        "follows it until it is moved.",
        low=-1,
    )
    compared_metrics = Rows(
        "metrics drawn beside it",
        compared_rows,
        lambda state, name, on: state.compare(name, on),
        group="compare",
        choices=((True, "", "draw its curve too"),),
    ).of(
        traitlets.Tuple(
            help="Names of metrics whose curves are drawn beside that of the chosen metric."
        )
    )
    over_confidence = Slider(
        "over-confidence",
        Values(OVER_CONFIDENCES),
        "× {:g}".format,
        group="probabilities",
    ).as_float(1.0, "Factor of the reported log odds; above 1 they are overconfident.", 0.1, 10.0)
    shift = Slider(
        "shift log-odds, +",
        Linear(-3.0, 3.0, 0.25),
        signed,
        group="probabilities",
    ).as_float(
        0.0, "Shift of the reported log odds; above 0 all of them are too high.", -10.0, 10.0
    )
    sample = Slider(
        "one sample, number",
        lambda state: Linear(1, state.size, 1),
        group="probabilities",
        shown=lambda state: state.can_edit,
    ).as_int(1, "The sample whose probability the slider moves, counted from 1.", low=1)
    probabilities = ValidatedTuple(
        "from 0 to 1",
        partial(real, low=0, high=1),
        help="Probabilities set by hand, for at most 30 samples; empty means the original ones.",
    ).tag(input=True)
    n_samples = Slider("samples", Values(SAMPLE_SIZES), amount, sandbox=True).as_int(
        12, "Number of samples in the sandbox.", 1, inf
    )
    prevalence = Slider(
        "prevalence, about",
        Linear(0.01, 0.98, 0.01),
        ".0%",
        role="reference",
        sandbox=True,
        enabled=lambda state: state.source == "beta",
    ).as_float(0.35, "Mean probability of the simulated samples, approximately.", high=0.99)
    source = Choice(
        "drawn as", {"beta": "a beta law", "plane": "points in a plane"}, sandbox=True
    ).as_enum(
        "beta",
        "Source of the simulated probabilities: a beta distribution, or points of the plane, whose "
        "probability rises in a random direction.",
    )
    seed = Whole(45, min=0, help="Seed of the samples drawn.").tag(input=True, sandbox=True)

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "select_best": Action(
            "to the best threshold",
            "select_best",
            hint="Predict as many positives as is best for the metric",
            enabled=lambda state: state.k != state.result.n_predicted_positive,
        ),
        "sample_probability": Slider(
            "its probability",
            Linear(0.0, 1.0, 0.01),
            ".2f",
            group="probabilities",
            get=lambda state: float(state.y_prob[state.sample - 1]),
            set=lambda state, value: state.set_probability(state.sample, value),
            shown=lambda state: state.can_edit,
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "twelve samples": {},
        "two peaks: F1 is not unimodal": {"probabilities": (1.0, 0.3, 0.3, 0.3, 0.3, 0.3)},
        "rare positives": {"n_samples": 30, "prevalence": 0.06, "seed": 3},
        "overconfident": {"n_samples": 100, "prevalence": 0.25, "over_confidence": 3.0},
        "biased upwards": {"n_samples": 100, "prevalence": 0.2, "shift": 1.5},
        "ten points in the plane": {"n_samples": 10, "source": "plane", "metric": "jaccard"},
        "best labels are not a prefix": {
            "probabilities": (0.923, 0.815, 0.257),
            "metric": "formula",
            "formula": "(1.9 + 2*u + 1.5*v) / (0.8 + 1.3*u - 0.7*v - 0.7*p)",
        },
        "large": {"n_samples": 10_000, "prevalence": 0.1},
        "very large": {"n_samples": 100_000, "prevalence": 0.1},
    }

    # ------------------------------------------------------------------ rules for single inputs

    @traitlets.validate("formula")
    def _readable(self, proposal: Any) -> str:
        try:
            return str(parse_formula(proposal["value"]).text)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None

    @traitlets.validate("compared_metrics")
    def _known_metrics(self, proposal: Any) -> tuple[str, ...]:
        names = [canonical_name(name) for name in proposal["value"]]
        choices = METRIC.values
        for name in names:
            if name not in choices:
                raise traitlets.TraitError(
                    f"compared_metrics must be names of {', '.join(choices)}; got {describe(name)}."
                )
        return tuple(name for name in choices if name in names)

    @traitlets.validate("probabilities")
    def _few(self, proposal: Any) -> tuple[float, ...]:
        values: tuple[float, ...] = proposal["value"]
        if len(values) > MAX_EDITABLE_SAMPLES:
            raise traitlets.TraitError(
                f"probabilities can be set by hand for at most {MAX_EDITABLE_SAMPLES} samples; got "
                f"{len(values)}. Open the explorer on your own data with "
                "DecisionExplorer(y_prob=...)."
            )
        return values

    words = wording
    main_controls = ("k",)

    # ------------------------------------------------------------------ data

    @property
    def size(self) -> int:
        """Number of samples."""
        if not self.is_sandbox:
            return int(self._own.prob.size)
        return len(self.probabilities) or self.n_samples

    @property
    def y_prob(self) -> NDArray[np.float64]:
        """The true probabilities, in the order of the input."""
        return self.truth.unsorted_prob

    @property
    def can_edit(self) -> bool:
        """Whether there are few enough samples to change single ones."""
        return self.size <= MAX_EDITABLE_SAMPLES

    def drawn(self, settings: dict[str, Any], rough: bool = False) -> Batch:
        """Simulate probabilities by the settings of the sandbox, from few samples if rough."""
        return Batch.stretched(simulate_probabilities(**settings), self.n_samples)

    @property
    def truth(self) -> Batch:
        """The batch with its true probabilities."""
        if self.is_sandbox and not self.probabilities:
            return self.data
        return self._given(self.is_sandbox, self.probabilities)

    @remembered(16)
    def _given(self, sandbox: bool, by_hand: tuple[float, ...]) -> Batch:
        prob = np.array(by_hand) if by_hand else self._own.prob
        return Batch(prob, None if sandbox else self._own.positive)

    @remembered(16)
    def _believed(self, truth: Batch, over_confidence: float, shift: float) -> Batch:
        if over_confidence == 1 and shift == 0:
            return truth
        # of sorted probabilities, so that ties by rounding keep the order of the true ones
        return Batch(miscalibrated(truth.prob, over_confidence, shift), is_sketch=truth.is_sketch)

    @property
    def belief(self) -> Batch:
        """The batch with the reported probabilities."""
        return self._believed(self.truth, self.over_confidence, self.shift)

    @property
    def phi(self) -> Metric:
        """The current metric, with its options."""
        return self.phi_of(self.metric)

    def phi_of(self, name: str) -> Metric:
        """Resolve a metric with the present options."""
        if name == "formula":
            return formula_metric(self.formula)
        return resolve_metric(name, **self.metric_options)

    # ------------------------------------------------------------------ rules across inputs

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether utilities of very many thresholds have to be computed again."""
        size = self.size
        if "preset" in changed and self.preset in self.presets:
            size = self.presets[self.preset].get("n_samples", 0)
        if size <= MAX_EXACT_SAMPLES_IN_DRAG:
            return False
        if MAX_SAMPLES_WITH_FAST_OUTCOMES < size <= MAX_SAMPLES_OF_EXACT_OUTCOMES:
            return True
        # once there is a preview, a k that moves must not wait for the exact result either
        return self.is_preview or bool(changed - {"k", "sample"})

    def adjust(self, changed: set[str]) -> None:
        """Adjust dependent inputs to the batch; refuse contradictions."""
        super().adjust(changed)
        if "formula" in changed and "metric" not in changed:
            self.metric = "formula"
        self._fit_size(changed)
        self._fit_sample(changed)
        self._fit_k(changed)

    def _fit_size(self, changed: set[str]) -> None:
        drawn = changed & {"n_samples", "prevalence", "source", "seed"}
        if not self.is_sandbox:
            n = self.size
            if "n_samples" in changed and "preset" not in changed and self.n_samples != n:
                raise traitlets.TraitError(
                    f"n_samples is fixed by your data at {n}; got {self.n_samples}."
                )
            if self.probabilities and len(self.probabilities) != n:
                raise traitlets.TraitError(
                    f"probabilities must have one entry per sample of your data, {n}; got "
                    f"{len(self.probabilities)}."
                )
            self.n_samples = n
        elif drawn and not changed & {"probabilities", "preset"}:
            self.probabilities = ()
        elif self.probabilities:
            self.n_samples = len(self.probabilities)
        if self.is_sandbox and self.n_samples > MAX_SAMPLES:
            raise traitlets.TraitError(
                f"n_samples must be at most {MAX_SAMPLES:,} in the sandbox; got {self.n_samples}."
            )

    def _fit_sample(self, changed: set[str]) -> None:
        if self.sample > self.size:
            if "sample" in changed:
                raise traitlets.TraitError(
                    f"sample must be from 1 to {self.size}; got {self.sample}."
                )
            self.sample = 1

    def _fit_k(self, changed: set[str]) -> None:
        """Follow the best k if k was the best one; stay within the batch."""
        best = self.belief.decision(self.phi, self.is_preview).n_predicted_positive
        before = self.result
        was_best = isinstance(before, DecisionResult) and before.k == before.n_predicted_positive
        if ("k" not in changed and was_best) or self.k < 0:
            self.k = best
        elif self.k > self.size:
            if "k" in changed:
                raise traitlets.TraitError(f"k must be from 0 to {self.size}; got {self.k}.")
            self.k = self.size

    # ------------------------------------------------------------------ actions of the user

    def set_probability(self, sample: int, probability: float) -> None:
        """Change the probability of one sample.

        Parameters
        ----------
        sample : int
            Counted from 1, in the order of the input.
        probability : float
            From 0 to 1.

        Raises
        ------
        ValueError
            If there is no such sample, or there are more than 30.
        traitlets.TraitError
            If ``probability`` is not from 0 to 1.
        """
        if not self.can_edit:
            raise ValueError(
                f"Single probabilities can be changed for at most {MAX_EDITABLE_SAMPLES} samples; "
                f"there are {self.size:,}."
            )
        if not 1 <= sample <= self.size:
            raise ValueError(f"sample must be from 1 to {self.size}; got {describe(sample)}.")
        values = [float(p) for p in self.y_prob]
        values[sample - 1] = probability
        self.update(probabilities=tuple(values), sample=sample)

    def compare(self, name: str, on: bool) -> None:
        """Add the curve of another metric to that of the current one, or remove it.

        Parameters
        ----------
        name : str
            Any value of ``metric``.
        on : bool
            Whether it is drawn.

        Raises
        ------
        traitlets.TraitError
            If there is no such metric.
        """
        rest = tuple(other for other in self.compared_metrics if other != name)
        self.compared_metrics = (*rest, name) if on else rest

    def select_best(self) -> None:
        """Predict the best number of positives."""
        self.k = self.result.n_predicted_positive

    # ------------------------------------------------------------------ result

    @property
    def shown(self) -> list[str]:
        """The metrics shown, the current one first."""
        shown = {*self._metrics_of_size(), *self.compared_metrics} - {self.metric}
        return [self.metric, *(name for name in METRIC.values if name in shown)]

    def _metrics_of_size(self) -> tuple[str, ...]:
        """List the metrics whose thresholds are always shown: the fewer, the larger the batch."""
        if self.size <= MAX_SAMPLES_OF_EXACT_OUTCOMES:
            metrics = ordered_metrics()
            return tuple(
                m.name for m in metrics if m.is_objective and not (m.is_mean and m.options)
            )
        if self.size <= MAX_SAMPLES_OF_FIVE_METRICS:
            return FIVE_METRICS
        return ("accuracy",)

    def compute(self) -> DecisionResult:
        """Compute everything the explorer shows, for the present inputs."""
        truth = self.truth
        belief = self.belief
        phi = self.phi
        rough = self.is_preview
        decision = belief.decision(phi, rough)
        true = truth.decision(phi, rough)
        decisions = {}
        for other in each(map(self.phi_of, self.shown), "the best thresholds"):
            decisions[metric_name(other)] = belief.decision(other, rough)
        labelled = belief if truth.positive is None else truth
        return DecisionResult(
            truth=truth,
            believed=belief,
            metric=phi,
            decisions=decisions,
            true_utilities=true.utilities,
            plug_in=decision.utilities if rough else belief.plug_in(phi),
            k=self.k,
            n_predicted_positive=decision.n_predicted_positive,
            k_eum=labelled.empirical_k(phi, rough),
            k_half=belief.k_half,
            k_best=true.n_predicted_positive,
            outcomes=truth.outcomes(phi, self.k, rough),
            search=belief.search(phi) if truth.n_samples <= MAX_SAMPLES_OF_SEARCH else None,
            monotonic=monotonicity(phi, min(truth.n_samples, 12)),
            is_preview=rough,
        )

    # ------------------------------------------------------------------ words

    @property
    def about(self) -> str:
        """Source of the probabilities, and the number of samples."""
        result = self.result
        n = self.size
        samples = "1 sample" if n == 1 else f"{amount(n)} samples"
        text = f"{self.preset} · {samples}"
        if result.truth.positive is not None:
            kind = self.class_names.shortened().are_positive
            text += f", {amount(float(result.truth.positive.sum()))} of them {kind}"
        if self.is_preview and result.truth.is_sketch:
            return f"preview from {N_PREVIEW_SAMPLES:,} samples · {text}"
        return f"preview on expected counts · {text}" if self.is_preview else text

    def to_frame(self) -> DataFrame:
        """Make a table with one row per k: threshold; believed, plug-in and true utility.

        "realised" is the utility on the labels, if there are any.
        """
        if not self._is_by_hand:
            self.finish()
        result = self.result
        columns = {
            "threshold": np.concatenate(([np.inf], result.believed.prob)),
            "utility": result.decision.utilities,
            "plug_in": result.plug_in,
        }
        if result.is_miscalibrated:
            columns["true"] = result.true_utilities
        if result.realised is not None:
            columns["realised"] = result.realised
        return self._named(to_frame(columns).rename_axis("k"))
