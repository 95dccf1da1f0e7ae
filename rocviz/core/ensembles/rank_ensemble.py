"""What several classifiers have shown on validation data, and what they say of new items.

Knows labels and score matrices; nothing of how scores were made, of drawing or widgets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_labels,
    check_same_length,
)
from rocviz.core.ensembles.ensemble_scores import EnsembleScores
from rocviz.core.ensembles.score_matrix import (
    check_names,
    decreasing_ranks,
    misordered,
    score_matrix,
)
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RankEnsemble"]

METHODS = ("fidel", "woc", "correlation-aware")
CONTEXTS = ("validation", "batch")


@dataclass(frozen=True, eq=False)
class RankEnsemble(Frozen):
    """What a set of classifiers has shown on validation data, ready to combine their scores.

    Usually made by :meth:`from_scores`. Ranks are in decreasing order of score: 1 is the most
    positive of the ``N = n_pos + n_neg`` validation samples; ties share the mean of their ranks.

    Parameters
    ----------
    names : tuple of str
        Of the M classifiers.
    n_pos, n_neg : int
        Validation samples of each class.
    auc : ndarray, shape (M,)
        On the validation data.
    beta : ndarray, shape (M,)
        Inverse temperatures, per rank: how much evidence one rank is. Negative where the AUC
        is below 1/2, 0 where it is 1/2.
    threshold_rank : ndarray, shape (M,)
        The rank r* that speaks for neither class.
    scatter : ndarray, shape (M, M)
        Covariance of the ranks around their class means, over all validation samples.
    sorted_scores : ndarray, shape (N, M)
        Each classifier's validation scores in increasing order: the context of new scores.

    Notes
    -----
    A classifier that ranks the validation data perfectly would have an infinite ``beta`` and
    outvote all others together. It counts as if half a pair were in the wrong order,
    ``1 - AUC = 1 / (2 n_pos n_neg)``: the least a ranking with ties can be wrong by. So does a
    ranking that is perfectly reversed. Of a single pair that leaves no evidence at all.

    References
    ----------
    Kim et al. (2021), "The Fermi-Dirac distribution provides a calibrated probabilistic output
    for binary classifiers", PNAS 118(34).

    Examples
    --------
    >>> y = [1, 1, 0, 1, 0, 0]
    >>> scores = {"sharp": [9, 8, 7, 6, 5, 4], "blunt": [3, 1, 2, 2, 3, 1]}
    >>> ensemble = RankEnsemble.from_scores(y, scores)
    >>> ensemble.names, ensemble.auc.round(3).tolist()
    (('sharp', 'blunt'), [0.889, 0.5])
    >>> ensemble.combine(scores).contributions.round(2)[:, 1].tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """

    names: tuple[str, ...]
    n_pos: int
    n_neg: int
    auc: Floats
    beta: Floats
    threshold_rank: Floats
    scatter: Floats
    sorted_scores: Floats

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        scores: Any,
        *,
        names: Sequence[str] | None = None,
        pos_label: Any = None,
    ) -> RankEnsemble:
        """Fit to the scores that classifiers gave to validation data they were not trained on.

        Parameters
        ----------
        y_true : array-like, shape (N,)
            Labels of exactly two classes.
        scores : array-like of float, shape (N, M), or table, or mapping of str to array-like
            One column per classifier; higher means more positive. Only the order matters.
        names : sequence of str, optional
            Of the classifiers; by default the names of the columns, or "classifier 1" and so on.
        pos_label : label, optional
            The positive class; by default the larger label in sorted order.

        Returns
        -------
        RankEnsemble

        Raises
        ------
        ValueError
            If the input is not as said above.
        """
        positive = check_labels(y_true, pos_label)
        own_names, matrix = score_matrix(scores, "scores")
        check_same_length(positive.size, scores=matrix)
        named = check_names(own_names if names is None else names, matrix.shape[1])
        n_pos, n_neg = int(positive.sum()), int((~positive).sum())
        ranks = decreasing_ranks(matrix)
        wrong = misordered(positive, ranks)
        beta, threshold_rank = _fermi_dirac(wrong, n_pos, n_neg)
        residual = ranks - np.where(
            positive[:, None], ranks[positive].mean(axis=0), ranks[~positive].mean(axis=0)
        )
        return cls(
            names=named,
            n_pos=n_pos,
            n_neg=n_neg,
            auc=1 - wrong / (n_pos * n_neg),
            beta=beta,
            threshold_rank=threshold_rank,
            scatter=residual.T @ residual / positive.size,
            sorted_scores=np.sort(matrix, axis=0),
        )

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

    def weights(
        self, method: str = "fidel", *, shrinkage: float | str = "auto"
    ) -> tuple[Floats, Floats]:
        """Return the weight and the neutral rank of every classifier.

        A classifier contributes ``weight * (neutral - rank)`` to the log-likelihood ratio of an
        item.

        Parameters
        ----------
        method : {"fidel", "woc", "correlation-aware"}, default="fidel"
            See :func:`fidel_combine`.
        shrinkage : float or "auto", default="auto"
            Used by "correlation-aware", see :func:`fidel_combine`.

        Returns
        -------
        weight, neutral : ndarray, shape (M,)
            Evidence per rank, and the rank that speaks for neither class.

        Raises
        ------
        ValueError
            If ``method`` is unknown or ``shrinkage`` is not from 0 to 1.
        """
        check_choice(method, "method", METHODS)
        amount = check_shrinkage(shrinkage)
        if method == "fidel":
            return self.beta.copy(), self.threshold_rank.copy()
        n, edge = self.n_samples, self.auc - 0.5
        neutral = (n + 1) / 2 + (self.n_pos - self.n_neg) / 2 * edge
        # a rank stands for an interval of width one, so no combination is free of variance
        scatter: Floats = self.scatter + np.eye(edge.size) / 12
        direction: Floats = np.ones(edge.size)
        if method == "correlation-aware":
            amount = self.shrinkage if amount is None else amount
            shrunk = (1 - amount) * self.correlation + amount * np.eye(edge.size)
            direction = np.asarray(np.linalg.lstsq(shrunk, edge, rcond=None)[0], np.float64)
            scatter = scatter * (1 - amount * (1 - np.eye(edge.size)))
        separation = n * float(direction @ edge)
        if separation == 0:
            return np.zeros(edge.size), neutral
        return direction * (separation / float(direction @ scatter @ direction)), neutral

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
            If the input is not as said above.
        """
        check_choice(rank_context, "rank_context", CONTEXTS)
        new = self._in_order(new_scores)
        n = self.n_samples
        if rank_context == "batch":
            return (decreasing_ranks(new) - 0.5) * (n / max(len(new), 1)) + 0.5
        ranks = np.empty(new.shape)
        for k, known in enumerate(self.sorted_scores.T):
            below = np.searchsorted(known, new[:, k], side="left")
            not_above = np.searchsorted(known, new[:, k], side="right")
            ranks[:, k] = n - (below + not_above) / 2 + 0.5
        return ranks

    def combine(
        self,
        new_scores: Any,
        *,
        method: str = "fidel",
        rank_context: str = "validation",
        shrinkage: float | str = "auto",
    ) -> EnsembleScores:
        """Combine the scores of new items.

        Parameters
        ----------
        new_scores : array-like of float, shape (n_items, M), or table, or mapping
            In the order of ``names``, or under these names.
        method, rank_context, shrinkage
            See :func:`fidel_combine`.

        Returns
        -------
        EnsembleScores

        Raises
        ------
        ValueError
            If the input is not as said above.
        """
        weight, neutral = self.weights(method, shrinkage=shrinkage)
        ranks = self.ranks(new_scores, rank_context=rank_context)
        contributions = weight * (neutral - ranks) + 0.0  # no negative zeros
        evidence = tidy_ties(contributions.sum(axis=1), weight, self.n_samples)
        return EnsembleScores(
            method=method,
            rank_context=rank_context,
            score=(self.n_samples + 1) / 2 - ranks.mean(axis=1) if method == "woc" else evidence,
            log_likelihood_ratio=evidence,
            probability=expit(evidence + np.log(self.n_pos / self.n_neg)),
            contributions=contributions,
            ranks=ranks,
            weight=weight,
            neutral_rank=neutral,
            ensemble=self,
        )

    def select(self, members: Sequence[str | int]) -> RankEnsemble:
        """Return the ensemble of some of the classifiers; nothing is fitted anew.

        Parameters
        ----------
        members : sequence of str or int
            Names, or places counted from 0; each once.

        Returns
        -------
        RankEnsemble

        Raises
        ------
        ValueError
            If there is none, one is unknown, or one occurs twice.
        """
        known = {name: k for k, name in enumerate(self.names)}
        places = dict(enumerate(range(len(self.names))))
        kept = []
        for member in members:
            place = known.get(member) if isinstance(member, str) else places.get(member)
            if place is None or place in kept:
                what = "given twice" if place in kept else f"none of {', '.join(self.names)}"
                raise ValueError(f"members: {member!r} is {what}.")
            kept.append(place)
        if not kept:
            raise ValueError("members is empty; at least one classifier is needed.")
        return RankEnsemble(
            names=tuple(self.names[k] for k in kept),
            n_pos=self.n_pos,
            n_neg=self.n_neg,
            auc=self.auc[kept],
            beta=self.beta[kept],
            threshold_rank=self.threshold_rank[kept],
            scatter=self.scatter[np.ix_(kept, kept)],
            sorted_scores=self.sorted_scores[:, kept],
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row per classifier.

        Returns
        -------
        pandas.DataFrame
            Columns ``classifier, auc, beta, temperature, threshold_rank``; the temperature of
            a classifier with AUC 1/2 is infinite.
        """
        import pandas as pd

        cold = self.beta != 0
        return pd.DataFrame(
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


def _fermi_dirac(wrong: Floats, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
    """Return beta and threshold rank for each number of misordered pairs."""
    pairs = n_pos * n_neg
    halves = np.rint(2 * np.clip(wrong, 0.5, pairs - 0.5)).astype(np.int64).tolist()
    fits = [FermiDirac.from_auc(1 - Fraction(u, 2 * pairs), n_pos, n_neg) for u in halves]
    return np.array([f.beta for f in fits]), np.array([f.threshold_rank for f in fits])


def check_shrinkage(shrinkage: float | str) -> float | None:
    """Return a number from 0 to 1, or ``None`` for "auto"."""
    if isinstance(shrinkage, str):
        check_choice(shrinkage, "shrinkage", ("auto",))
        return None
    return check_fraction(shrinkage, "shrinkage", ends=True)


def tidy_ties(total: Floats, weight: Floats, n_samples: int) -> Floats:
    """Return sums of evidence without their last digits, so that what is tied stays tied.

    Parameters
    ----------
    total : ndarray of float, shape (n_items,)
        Sums over the members that rounding may have told apart.
    weight : ndarray of float, shape (M,)
        Evidence per rank; with the number of ranks it says how large a sum can be. The grid
        hangs on nothing else, so that an item alone gets what it gets among others.
    n_samples : int
        Number of ranks.

    Returns
    -------
    ndarray of float, shape (n_items,)
        Rounded to at most 1e-12 of the largest possible sum.
    """
    largest = float(np.abs(weight).sum()) * n_samples
    grid = 2.0 ** (np.ceil(np.log2(largest)) - 41) if largest > 0 else 1.0
    return np.asarray(np.round(total / grid) * grid + 0.0)
