"""What several classifiers have shown on validation data, and where new scores rank among them.

The base of ``RankEnsemble``, which adds how evidence is weighed and summed. Knows score matrices;
nothing of how they are combined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Bools, Floats, check_choice
from rocviz.core.ensembles.score_matrix import decreasing_ranks, score_matrix

CONTEXTS = ("validation", "batch")


@dataclass(frozen=True, eq=False)
class RankedClassifiers(Frozen):
    """Ranks that classifiers gave to validation data; the fields are those of ``RankEnsemble``."""

    names: tuple[str, ...]
    n_pos: int
    n_neg: int
    auc: Floats
    beta: Floats
    threshold_rank: Floats
    scatter: Floats
    sorted_scores: Floats
    positive: Bools
    validation_ranks: Floats

    @property
    def n_samples(self) -> int:
        """How many validation samples there are, N."""
        return self.n_pos + self.n_neg

    @property
    def prevalence(self) -> float:
        """Share of positives in the validation data."""
        return self.n_pos / self.n_samples

    @property
    def correlation(self) -> Floats:
        """Class-conditioned rank correlation, shape (M, M).

        Pearson's correlation of the ranks around their class means; 0 where a classifier's
        ranks do not vary within the classes. The diagonal is 1.
        """
        spread = np.sqrt(np.diag(self.scatter))
        unit = np.where(spread > 0, spread, 1.0)
        correlation: Floats = np.clip(self.scatter / np.outer(unit, unit), -1.0, 1.0)
        np.fill_diagonal(correlation, 1.0)
        return correlation

    @property
    def mean_correlation(self) -> float:
        """Mean of :attr:`correlation` over the pairs of classifiers; 0 for a single one."""
        pairs = self.correlation[np.triu_indices(len(self.names), 1)]
        return float(pairs.mean()) if pairs.size else 0.0

    @property
    def design_effect(self) -> float:
        """How many times too large FiDEL's summed evidence is because errors are alike.

        The variance of the sum within the classes, over what it would be were the ranks of
        different classifiers uncorrelated there: 1 if they are, M for M copies of one
        classifier, ``1 + (M - 1) c`` for M equally good ones that correlate by c.
        """
        part = self.beta * np.sqrt(np.diag(self.scatter))
        alone = float(part @ part)
        return float(part @ self.correlation @ part) / alone if alone else 1.0

    @property
    def shrinkage(self) -> float:
        """What ``shrinkage="auto"`` stands for, from ``1 / N`` to 1.

        The summed sampling variance of the correlations, ``(1 - c^2)^2 / N`` each, over the sum
        of their squares: near 1 where the correlations are no larger than chance makes them.
        """
        c = self.correlation[np.triu_indices(len(self.names), 1)]
        squares = float((c**2).sum())
        noise = float(((1 - c**2) ** 2).sum()) / self.n_samples
        if noise >= squares:
            return 1.0
        return max(noise / squares, 1 / self.n_samples)

    def ranks(self, new_scores: Any, *, rank_context: str = "validation") -> Floats:
        """Return the ranks of new items among the validation samples, or within their batch.

        Parameters
        ----------
        new_scores : array-like of float, shape (n_items, M), or table, or mapping
            In the order of ``names``, or under these names.
        rank_context : {"validation", "batch"}, default="validation"
            See :func:`fidel_combine`.

        Returns
        -------
        ndarray, shape (n_items, M)
            From 1/2 (above all validation samples) to ``N + 1/2`` (below all). A validation
            sample gets its own rank.

        Raises
        ------
        ValueError
            If ``rank_context`` is unknown.
        """
        check_choice(rank_context, "rank_context", CONTEXTS)
        new = self._in_order(new_scores)
        n = self.n_samples
        if rank_context == "batch":
            return (decreasing_ranks(new) - 0.5) * (n / max(len(new), 1)) + 0.5
        ranks = np.empty(new.shape)
        for k, known in enumerate(self.sorted_scores.T):
            # in order, so that a search finds the memory that the one before has read
            order = np.argsort(new[:, k])
            sorted_ = new[order, k]
            below = np.searchsorted(known, sorted_, side="left")
            not_above = np.searchsorted(known, sorted_, side="right")
            ranks[order, k] = n - (below + not_above) / 2 + 0.5
        return ranks

    def to_frame(self) -> DataFrame:
        """Return one row per classifier.

        Columns ``classifier, auc, beta, temperature, threshold_rank``; the temperature of a
        classifier with AUC 1/2 is infinite.
        """
        cold = self.beta != 0
        return to_frame(
            {
                "classifier": self.names,
                "auc": self.auc,
                "beta": self.beta,
                "temperature": np.where(cold, 1 / np.where(cold, self.beta, 1.0), np.inf),
                "threshold_rank": self.threshold_rank,
            }
        )

    def _in_order(self, new_scores: Any) -> Floats:
        """Return new scores as a matrix whose columns are in the order of ``names``."""
        names, matrix = score_matrix(new_scores, "new_scores")
        if names is not None and sorted(names) == sorted(self.names):
            matrix = matrix[:, [names.index(name) for name in self.names]]
        elif isinstance(new_scores, Mapping):
            raise ValueError(
                f"new_scores must have the classifiers {', '.join(self.names)}; "
                f"got {', '.join(names or ())}."
            )
        if matrix.shape[1] != len(self.names):
            raise ValueError(
                f"new_scores must have one column per classifier, {len(self.names)}; "
                f"got {matrix.shape[1]}."
            )
        return matrix
