"""The state of the decision explorer: a batch of probabilities, a metric, and a cut that is held.

Works without a browser. It asks the core for every number and draws nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.base.log_odds import miscalibrated
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.utility import METRICS, Metric, resolve_metric
from rocviz.widgets.base.state import ExplorerState, Sentence
from rocviz.widgets.decisions.data import TRIED, Batch, monotonicity, simulated
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.words import code, sentences
from rocviz.words import metric_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import NDArray

    from rocviz.widgets.decisions.data import OwnBatch

__all__ = ["CHOICES", "DecisionState"]

#: What :attr:`DecisionState.metric` may be.
CHOICES = (*METRICS, "formula")

BY_HAND = 30  # samples up to which single probabilities can be changed
MOST = 100_000  # samples of the sandbox
MOST_FORMULA = 10_000  # samples up to which a formula is quick enough to play with
F1 = "2*u / (p + v)"
# the metrics whose thresholds are shown beside the one that is held, by size of the batch
BESIDE = (
    (500, tuple(m for m in METRICS if m != "cost")),
    (10_000, ("accuracy", "am", "f", "jaccard", "g_tp_pr")),
    (np.inf, ("accuracy",)),
)


class DecisionState(ExplorerState):
    """State of the decision explorer.

    Parameters
    ----------
    data : OwnBatch, optional
        One's own probabilities; without them, the sandbox.
    **inputs
        Initial values of the traits below.
    """

    #: What is maximised: a name of :data:`rocviz.METRICS`, or "formula".
    metric = traitlets.Enum(CHOICES, "f").tag(input=True, sandbox=True)
    #: Of the F measure: how many times recall counts as much as precision.
    beta = traitlets.Float(1.0, min=0.01, max=100.0).tag(input=True, sandbox=True)
    #: Of "cost": what a miss costs, in false alarms.
    cost_fn = traitlets.Float(1.0, min=0.001, max=1000.0).tag(input=True, sandbox=True)
    #: A metric of one's own in u, v and p; to set it is to choose it.
    formula = traitlets.Unicode(F1).tag(input=True, sandbox=True)
    #: Metrics whose curves are drawn beside the one held.
    compared = traitlets.Tuple().tag(input=True, sandbox=True)
    #: How many are called positive; -1 means the best number, which it then keeps to.
    k = traitlets.Int(-1, min=-1).tag(input=True, sandbox=True)
    #: Samples of the sandbox.
    n_samples = traitlets.Int(12, min=1).tag(input=True, sandbox=True)
    #: Their mean probability, about.
    prevalence = traitlets.Float(0.35, min=0.01, max=0.99).tag(input=True, sandbox=True)
    #: How their probabilities come about: "beta", or "plane", points with a direction.
    source = traitlets.Enum(("beta", "plane"), "beta").tag(input=True, sandbox=True)
    #: Which of these batches.
    seed = traitlets.Int(45, min=0).tag(input=True, sandbox=True)
    #: Probabilities by hand, for at most 30 samples; empty means as they came.
    probabilities = traitlets.Tuple().tag(input=True, sandbox=True)
    #: The sample whose probability the slider moves, counted from 1.
    item = traitlets.Int(1, min=1).tag(input=True, sandbox=True)
    #: What log-odds are multiplied with before they are believed; above 1 is overconfident.
    sharpen = traitlets.Float(1.0, min=0.1, max=10.0).tag(input=True, sandbox=True)
    #: What is added to them.
    shift = traitlets.Float(0.0, min=-10.0, max=10.0).tag(input=True, sandbox=True)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "twelve samples": {},
        "two peaks: F1 is not unimodal": {"probabilities": (1.0, 0.3, 0.3, 0.3, 0.3, 0.3)},
        "rare positives": {"n_samples": 30, "prevalence": 0.06, "seed": 3},
        "overconfident": {"n_samples": 100, "prevalence": 0.25, "sharpen": 3.0},
        "biased upwards": {"n_samples": 100, "prevalence": 0.2, "shift": 1.5},
        "ten points in the plane": {"n_samples": 10, "source": "plane", "metric": "jaccard"},
        "no prefix: a ratio that falls": {
            "probabilities": (0.923, 0.815, 0.257),
            "metric": "formula",
            "formula": "(1.9 + 2*u + 1.5*v) / (0.8 + 1.3*u - 0.7*v - 0.7*p)",
        },
        "large": {"n_samples": 10_000, "prevalence": 0.1},
        "very large": {"n_samples": 100_000, "prevalence": 0.1},
    }

    def __init__(self, data: OwnBatch | None = None, **inputs: Any) -> None:
        self._own = data
        self._batch = lru_cache(maxsize=16)(self._make_batch)
        self._believed = lru_cache(maxsize=16)(_make_believed)
        self._check_names(inputs)
        super().__init__(**inputs)

    # ------------------------------------------------------------------ data

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on probabilities of one's own."""
        return self._own is not None

    @property
    def is_own(self) -> bool:
        """Whether one's own probabilities are looked at."""
        return self._own is not None and self.preset == self.own

    @property
    def size(self) -> int:
        """Samples looked at."""
        if self.is_own and self._own is not None:
            return int(self._own.prob.size)
        return len(self.probabilities) or self.n_samples

    @property
    def y_prob(self) -> NDArray[np.float64]:
        """The true probabilities, in the order of the input."""
        return self._truth().given

    @property
    def can_edit(self) -> bool:
        """Whether there are few enough samples to change single ones."""
        return self.size <= BY_HAND

    def _make_batch(self, own: bool, by_hand: tuple[float, ...], *sandbox: Any) -> Batch:
        prob = np.array(by_hand) if by_hand else None
        if own:
            assert self._own is not None
            return Batch(self._own.prob if prob is None else prob, self._own.positive)
        return Batch(simulated(*sandbox) if prob is None else prob)

    def _truth(self) -> Batch:
        sandbox = (self.source, self.n_samples, self.prevalence, self.seed)
        plain = self.is_own or self.probabilities
        return self._batch(self.is_own, self.probabilities, *(() if plain else sandbox))

    def _belief(self) -> Batch:
        return self._believed(self._truth(), self.sharpen, self.shift)

    @property
    def phi(self) -> Metric:
        """The metric that is held, with its options."""
        return self.phi_of(self.metric)

    def phi_of(self, name: str) -> Metric:
        """Return a metric with the options held."""
        if name == "formula":
            return _formula_metric(self.formula)
        return resolve_metric(name, beta=self.beta, cost_fn=self.cost_fn)

    # ------------------------------------------------------------------ rules

    @traitlets.validate("formula")
    def _readable(self, proposal: Any) -> str:
        try:
            return str(parse_formula(proposal["value"]).text)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None

    @traitlets.validate("compared")
    def _known_metrics(self, proposal: Any) -> tuple[str, ...]:
        for name in proposal["value"]:
            if name not in CHOICES:
                raise traitlets.TraitError(
                    f"compared must be names of {', '.join(CHOICES)}; got {name!r}."
                )
        return tuple(name for name in CHOICES if name in proposal["value"])

    @traitlets.validate("probabilities")
    def _are_probabilities(self, proposal: Any) -> tuple[float, ...]:
        values = proposal["value"]
        if len(values) > BY_HAND:
            raise traitlets.TraitError(
                f"probabilities by hand are for at most {BY_HAND} samples; got {len(values)}. "
                f"Open the explorer on your own with DecisionExplorer(y_prob=...)."
            )
        for p in values:
            if isinstance(p, bool) or not isinstance(p, int | float | np.number) or not 0 <= p <= 1:
                raise traitlets.TraitError(f"probabilities must be from 0 to 1; got {p!r}.")
        return tuple(float(p) for p in values)

    def adjust(self, changed: set[str]) -> None:
        """Let what hangs on the batch follow it; refuse what cannot go together."""
        super().adjust(changed)
        if "preset" in changed and self.is_own:
            for name, value in self._preset_defaults().items():
                if name not in changed:
                    setattr(self, name, value)
        if "formula" in changed and "metric" not in changed:
            self.metric = "formula"
        self._fit_size(changed)
        self._fit_item(changed)
        if self.metric == "formula" and self.size > MOST_FORMULA:
            raise traitlets.TraitError(
                f"A formula takes too long to play with above {MOST_FORMULA:,} samples; there "
                f"are {self.size:,}. rocviz.optimal_decision has no such limit."
            )
        self._fit_k(changed)

    def _fit_size(self, changed: set[str]) -> None:
        drawn = changed & {"n_samples", "prevalence", "source", "seed"}
        if self.is_own:
            n = self.size
            if "n_samples" in changed and "preset" not in changed and self.n_samples != n:
                raise traitlets.TraitError(
                    f"n_samples is that of your data, {n}; got {self.n_samples}."
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
        if not self.is_own and self.n_samples > MOST:
            raise traitlets.TraitError(
                f"n_samples must be at most {MOST:,} in the sandbox; got {self.n_samples}."
            )

    def _fit_item(self, changed: set[str]) -> None:
        if self.item > self.size:
            if "item" in changed:
                raise traitlets.TraitError(f"item must be from 1 to {self.size}; got {self.item}.")
            self.item = 1

    def _fit_k(self, changed: set[str]) -> None:
        """Keep to the best cut if that is where one is; stay within the batch."""
        star = self._belief().decision(self.phi).k_star
        before = self.result
        if ("k" not in changed and before is not None and before.k == before.k_star) or self.k < 0:
            self.k = star
        elif self.k > self.size:
            if "k" in changed:
                raise traitlets.TraitError(f"k must be from 0 to {self.size}; got {self.k}.")
            self.k = self.size

    # ------------------------------------------------------------------ acts

    def give(self, item: int, probability: float) -> None:
        """Change the probability of one sample.

        Parameters
        ----------
        item : int
            Counted from 1, in the order of the input.
        probability : float
            From 0 to 1.

        Raises
        ------
        ValueError
            If there is no such sample, or there are more than 30.
        traitlets.TraitError
            If it is no probability.
        """
        if not self.can_edit:
            raise ValueError(
                f"Single probabilities can be changed for at most {BY_HAND} samples; there are "
                f"{self.size:,}."
            )
        if not 1 <= item <= self.size:
            raise ValueError(f"item must be from 1 to {self.size}; got {item!r}.")
        values = [float(p) for p in self.y_prob]
        values[item - 1] = probability
        self.update(probabilities=tuple(values), item=item)

    def draw(self) -> None:
        """Draw another batch of the same kind."""
        self.seed += 1

    # ------------------------------------------------------------------ result

    @property
    def shown(self) -> list[str]:
        """The metrics that are shown, the held one first."""
        n = self.size
        beside = next(names for most, names in BESIDE if n <= most)
        wanted = {*beside, *self.compared} - {self.metric}
        return [self.metric, *(name for name in CHOICES if name in wanted)]

    def compute(self) -> DecisionResult:
        """Return everything the explorer shows, for the inputs as they stand."""
        truth, belief, phi = self._truth(), self._belief(), self.phi
        decision = belief.decision(phi)
        true = truth.decision(phi)
        shown = [(name, self.phi_of(name)) for name in self.shown]
        return DecisionResult(
            truth=truth,
            believed=belief,
            metric=phi,
            decisions={metric_name(each): belief.decision(each) for _, each in shown},
            paid=true.utilities,
            plug_in=belief.plug_in(phi),
            k=self.k,
            k_star=decision.k_star,
            k_eum=(truth if truth.positive is not None else belief).empirical_k(phi),
            k_half=belief.k_half,
            k_best=true.k_star,
            outcomes=truth.outcomes(phi, self.k),
            search=belief.search(phi) if truth.n_samples <= TRIED else None,
            monotonic=monotonicity(phi, min(truth.n_samples, 12)),
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows at this setting, in words."""
        return sentences(self)

    def code(self) -> str:
        """Return the lines of Python that reproduce the numbers on screen."""
        return code(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per cut: threshold, utility as believed, plug-in, and what it really is.

        "realised" is what the cut gave on the labels, where there are any.
        """
        import pandas as pd

        result = self.result
        columns = {
            "threshold": np.concatenate(([np.inf], result.believed.prob)),
            "utility": result.decision.utilities,
            "plug_in": result.plug_in,
        }
        if result.is_miscalibrated:
            columns["paid"] = result.paid
        if result.realised is not None:
            columns["realised"] = result.realised
        return pd.DataFrame(columns).rename_axis("k")


@lru_cache(maxsize=64)
def _formula_metric(text: str) -> Metric:
    return resolve_metric(parse_formula(text))


def _make_believed(truth: Batch, sharpen: float, shift: float) -> Batch:
    if sharpen == 1 and shift == 0:
        return truth
    # of the sorted ones, so that what is rounded to a tie stays in the order of the truth
    return Batch(miscalibrated(truth.prob, sharpen, shift))
