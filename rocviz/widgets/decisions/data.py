"""A batch of the decision explorer with cached results for every number of predicted positives.

While that number moves, a hundred thousand utilities must not be computed again.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import positive_column
from rocviz.core.base.frozen import read_only
from rocviz.core.base.log_odds import sigmoid
from rocviz.core.base.validation import (
    check_aligned,
    check_labels_of_classes,
    check_probabilities,
    check_same_length,
)
from rocviz.core.decisions.decision import Decision, optimal_decision, plug_in_utilities
from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.label_utility import utilities_of_all_labels, utility_distribution
from rocviz.core.decisions.monotonicity import Monotonicity, is_monotonic
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.roc.crowd import Queue, crowd_of, people_per_dot
from rocviz.widgets.base.background import each
from rocviz.widgets.base.own_data import ClearsCaches, OwnData, remembered
from rocviz.words import ClassNames

#: Samples up to which every outcome is weighed; of more, outcomes are drawn.
MAX_SAMPLES_OF_EXACT_OUTCOMES = 500
N_DRAWS = 1000
N_BLOCKS = 400  # of a large batch; positives drawn are summed at the ends of blocks
MAX_SAMPLES_OF_SEARCH = 12  # samples up to which all labels are tried
MAX_STEMS = 60  # values that can be distinguished in a picture; more are put into bins
N_BINS = 40
BETA_CONCENTRATION = 3.0  # a + b of the beta law that the sandbox draws from
N_PREVIEW_SAMPLES = 2000  # samples that stand in for many while the user draws others
MAX_COUNTED_SAMPLES = 1_000_000  # samples of segments, of which each becomes a probability again
TIE_TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Distribution of a metric at one number of predicted positives."""

    # values, or the middles of bins, increasing, and their probabilities
    values: NDArray[np.float64]
    chances: NDArray[np.float64]
    # mean and standard deviation of the metric
    mean: float
    std: float
    n_draws: int = 0  # how many outcomes were drawn; 0 if all were weighed


@dataclass(frozen=True, eq=False)
class Search:
    """Result of trying all labellings of a batch."""

    positive: NDArray[np.bool_]  # (n_samples,): the best labels, the most probable sample first
    utility: float  # of these labels
    prefix_utility: float  # of the best prefix

    @property
    def is_prefix(self) -> bool:
        """Whether no labels beat the best prefix."""
        tolerance = TIE_TOLERANCE * max(1.0, abs(self.utility))
        return abs(self.utility - self.prefix_utility) <= tolerance


class Batch(ClearsCaches):
    """Probabilities in decreasing order; every result is computed once.

    ``positive`` is what became of the samples; ``is_sketch``, whether fewer samples stand behind it
    than it has.
    """

    def __init__(
        self,
        prob: NDArray[np.float64],
        positive: NDArray[np.bool_] | None = None,
        *,
        is_sketch: bool = False,
    ) -> None:
        self.is_sketch = is_sketch
        self.unsorted_prob = prob
        is_sorted = bool((prob[1:] <= prob[:-1]).all())
        self.order = np.arange(prob.size) if is_sorted else np.argsort(-prob, kind="stable")
        self.prob = read_only(prob[self.order])
        self.positive = None if positive is None else positive[self.order]

    @classmethod
    def stretched(cls, prob: NDArray[np.float64], n: int) -> Batch:
        """Interpolate n decreasing probabilities from those of fewer samples, if they are fewer."""
        if n == prob.size:
            return cls(prob)
        rank = (np.arange(n) + 0.5) / n * prob.size - 0.5
        return cls(np.interp(rank, np.arange(prob.size), prob), is_sketch=True)

    @property
    def n_samples(self) -> int:
        """Size of the batch."""
        return int(self.prob.size)

    @cached_property
    def queue(self) -> Queue:
        """The samples in columns by probability, and by what became of them where that is known."""
        n = self.prob.size
        weights = [np.ones(n)]
        if self.positive is not None:
            weights = [self.positive.astype(float), (~self.positive).astype(float)]
        per_dot = people_per_dot(n)
        crowds = tuple(crowd_of(self.prob, weight, per_dot) for weight in weights)
        return Queue(crowds, (0.0, 1.0), per_dot)

    @cached_property
    def k_half(self) -> int:
        """Number of probabilities of one half or more."""
        return int(np.count_nonzero(self.prob >= 0.5))

    def threshold(self, k: int) -> float:
        """Compute the lowest probability among the first k; infinite for none."""
        return float(self.prob[k - 1]) if k else float("inf")

    def decision(self, phi: Metric, rough: bool = False) -> Decision:
        """Compute the expected metric for every k; on expected counts if it may be rough.

        On expected counts a thousand utilities are right to about 0.001, a hundred thousand to
        about 0.00001.
        """
        return self._rough_decision(phi) if rough else self._exact_decision(phi)

    def outcomes(self, phi: Metric, k: int, rough: bool = False) -> Outcomes:
        """Compute the distribution of a metric at k; with normal counts if it may be rough."""
        return self._rough_outcomes(phi, k) if rough else self._exact_outcomes(phi, k)

    @remembered(32)
    def _exact_decision(self, phi: Metric) -> Decision:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # said on the screen, in words
            progress = partial(each, text="the best threshold")
            return optimal_decision(self.prob, phi, progress=progress)

    @remembered(32)
    def _rough_decision(self, phi: Metric) -> Decision:
        n = self.n_samples
        tp = self._means
        utilities = phi.at_counts(np.minimum(tp, n), np.arange(n + 1.0), tp[-1], float(n))
        k = int(np.argmax(phi.best(utilities)))
        order = np.arange(n)
        labels = (order < k).astype(np.int64)
        return Decision(k, self.threshold(k), labels, utilities, order, self.prob, phi)

    @remembered(32)
    def plug_in(self, phi: Metric) -> NDArray[np.float64]:
        """Compute the metric for each k at the expected counts."""
        return plug_in_utilities(self.prob, phi)

    @remembered(32)
    def realised(self, phi: Metric) -> NDArray[np.float64] | None:
        """Compute the metric for each k on the true labels."""
        if self.positive is None:
            return None
        tp = np.concatenate(([0.0], np.cumsum(self.positive, dtype=np.float64)))
        n = self.n_samples
        return read_only(phi.at_counts(tp, np.arange(n + 1.0), tp[-1], float(n)))

    def empirical_k(self, phi: Metric, rough: bool = False) -> int:
        """Find the best k on the labels; a rough one may divide a tie."""
        if rough:
            realised = self.realised(phi)
            if realised is None:
                return self.decision(phi, True).n_predicted_positive
            return int((phi.sign * realised).argmax())
        return self._exact_k(phi)

    @remembered(32)
    def _exact_k(self, phi: Metric) -> int:
        """Find the best k on the true labels; without labels, on the expected counts."""
        if self.positive is None:
            return int(np.argmax(phi.best(self.plug_in(phi))))
        best = best_empirical_threshold(self.positive, self.prob, phi, pos_label=True)
        return int(np.count_nonzero(self.prob >= best.threshold))

    @remembered(32)
    def search(self, phi: Metric) -> Search | None:
        """Find the best of all labellings of few samples."""
        n = self.n_samples
        if n > MAX_SAMPLES_OF_SEARCH:
            return None
        utilities = utilities_of_all_labels(self.prob, phi)
        best = phi.sign * float((phi.sign * utilities).max())
        decision = self.decision(phi)
        prefix = Search(np.arange(n) < decision.n_predicted_positive, best, decision.utility)
        if prefix.is_prefix:
            return prefix
        codes = np.flatnonzero(phi.best(utilities))
        labels = (codes[:, None] >> np.arange(n)[::-1]) & 1
        # of equally good labels the fewest positives, of these the most probable ones
        n_positives = labels.sum(axis=1)
        has_fewest = n_positives == n_positives.min()
        return Search(labels[has_fewest][-1].astype(np.bool_), best, decision.utility)

    @remembered(64)
    def _exact_outcomes(self, phi: Metric, k: int) -> Outcomes:
        n = self.n_samples
        if n <= MAX_SAMPLES_OF_EXACT_OUTCOMES:
            law = utility_distribution(np.arange(n) < k, self.prob, phi)
            return _summed(law.values, law.probabilities)
        tp, positives = self._draws(k)
        values = phi.at_counts(tp, float(k), positives, float(n))
        return _summed(values, np.full(N_DRAWS, 1 / N_DRAWS), N_DRAWS)

    def _rough_outcomes(self, phi: Metric, k: int) -> Outcomes:
        n = self.n_samples
        mean, total = self._means[[k, -1]]
        variance, all_variance = _running(self.prob * (1 - self.prob))[[k, -1]]
        noise = np.random.default_rng(0).normal(size=(2, N_DRAWS))
        tp = np.clip(np.rint(mean + np.sqrt(variance) * noise[0]), 0, k)
        fn = np.rint(total - mean + np.sqrt(max(all_variance - variance, 0.0)) * noise[1])
        values = phi.at_counts(tp, float(k), tp + np.clip(fn, 0, n - k), float(n))
        return _summed(values, np.full(N_DRAWS, 1 / N_DRAWS), N_DRAWS)

    @cached_property
    def _means(self) -> NDArray[np.float64]:
        """Positives that are expected among the first k."""
        return _running(self.prob)

    # ------------------------------------------------------------------ drawn outcomes

    def _block(self, b: int) -> NDArray[np.bool_]:
        """Draw the outcomes of one block's samples, a column each; always the same."""
        first = self._edges[b]
        last = self._edges[b + 1]
        rng = np.random.default_rng((b, last))
        uniform = rng.random((N_DRAWS, last - first), dtype=np.float32)
        return uniform < self.prob[first:last]

    @cached_property
    def _edges(self) -> NDArray[np.int64]:
        return np.linspace(0, self.n_samples, min(N_BLOCKS, self.n_samples) + 1).astype(np.int64)

    @cached_property
    def _sums(self) -> NDArray[np.float64]:
        """Positives among the samples before each edge, for each draw."""
        sums = np.zeros((N_DRAWS, self._edges.size))
        for b in each(range(self._edges.size - 1), "drawing outcomes"):
            sums[:, b + 1] = sums[:, b] + self._block(b).sum(axis=1)
        return sums

    def _draws(self, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw the true positives among the first k, and all positives."""
        b = int(np.searchsorted(self._edges, k, side="right")) - 1
        tp = self._sums[:, b]
        if k > self._edges[b]:
            tp = tp + self._block(b)[:, : k - self._edges[b]].sum(axis=1)
        return tp, self._sums[:, -1]


def _running(values: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = np.zeros(values.size + 1)
    np.cumsum(values, out=sums[1:])
    return sums


def _summed(
    values: NDArray[np.float64], chances: NDArray[np.float64], n_draws: int = 0
) -> Outcomes:
    """Thin many values to bins."""
    mean = float(values @ chances)
    std = float(np.sqrt((values - mean) ** 2 @ chances))
    if values.size > MAX_STEMS:
        is_probable = chances > 1e-6 * chances.max()
        low = float(values[is_probable].min())
        high = float(values[is_probable].max())
        if high > low:
            edges = np.linspace(low, high, N_BINS + 1)
            chances, _ = np.histogram(values, edges, weights=chances)
            values = (edges[1:] + edges[:-1]) / 2
        else:
            values = np.array([low])
            chances = np.array([1.0])
    return Outcomes(read_only(values.copy()), read_only(chances.copy()), mean, std, n_draws)


@lru_cache(maxsize=64)
def monotonicity(phi: Metric, n: int) -> Monotonicity | str:
    """Test whether more true positives can make a metric worse, or say why that is unknown."""
    try:
        return is_monotonic(phi, n)
    except ValueError as error:
        return str(error)


@lru_cache(maxsize=16)
def simulate_probabilities(
    n_samples: int, prevalence: float, source: str, seed: int
) -> NDArray[np.float64]:
    """Draw decreasing probabilities of a sandbox; those of few samples have two decimals."""
    rng = np.random.default_rng(seed)
    if source == "plane":
        points = rng.normal(size=(n_samples, 2))
        direction = rng.normal(size=2)
        prob = sigmoid(points @ direction)
    else:
        a = BETA_CONCENTRATION * prevalence
        b = BETA_CONCENTRATION * (1 - prevalence)
        prob = rng.beta(a, b, n_samples)
    prob = np.sort(prob)[::-1]
    return read_only(prob.round(2) if n_samples <= 30 else prob)


@lru_cache(maxsize=64)
def formula_metric(text: str) -> Metric:
    """Parse a formula as a metric."""
    return resolve_metric(parse_formula(text))


class OwnBatch(OwnData):
    """A user's own probabilities, with labels of two classes or without."""

    score_name = "y_prob"

    def __init__(
        self,
        y_true: ArrayLike | None,
        y_prob: ArrayLike,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        check_aligned(y_true=y_true, y_prob=y_prob)
        if y_true is not None:
            y_prob = positive_column(y_prob, y_true, pos_label, "y_prob")
        prob = check_probabilities(y_prob)
        if not prob.size:
            raise ValueError("y_prob is empty; at least one sample is needed.")
        self.prob = read_only(prob.copy())
        self.positive = None
        neg_label: Any = 0
        own_pos_label: Any = 1
        if y_true is not None:
            self.positive, neg_label, own_pos_label = check_labels_of_classes(y_true, pos_label)
            check_same_length(self.positive.size, y_prob=prob)
        self.class_names = ClassNames.of(neg_label, own_pos_label, labels)
        super().__init__(pos_label, y_true=y_true, y_prob=y_prob)

    @classmethod
    def from_segments(cls, segments: RankedSegments, labels: Any = None) -> OwnBatch:
        """Open on counts instead of samples; their scores are probabilities."""
        if not segments.is_exact or segments.n_samples > MAX_COUNTED_SAMPLES:
            kind = "" if segments.is_exact else ", and some different scores share a segment"
            raise ValueError(
                f"y_true may be segments of up to {MAX_COUNTED_SAMPLES:,} samples, because each "
                f"sample is decided by its own probability; these have {segments.n_samples:,.0f}"
                f"{kind}."
            )
        label, prob, count = segments.to_samples()
        if (count % 1).any():
            raise ValueError(
                "y_true must have whole numbers of samples: there is one decision for each."
            )
        n_samples = count.astype(np.int64)
        batch = cls(np.repeat(label, n_samples), np.repeat(prob, n_samples), labels=labels)
        batch.counted = segments
        return batch

    def code_lines(self, name: str = "") -> list[str]:
        """Write Python that loads labels and probabilities, each sample by itself."""
        lines = super().code_lines(name)
        if self.counted is not None:
            lines.append(
                "y_true, y_prob = np.repeat([y_true, y_prob], sample_weight.astype(int), axis=1)"
            )
        return lines
