"""What several classifiers have shown on validation data, and what they say of new items.

Knows labels and score matrices; nothing of how scores were made, of drawing or widgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.logistic_levels import levels_of_auc
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_samples,
    check_sequence,
    describe,
)
from rocviz.core.calibration.calibration import sigmoid_map
from rocviz.core.ensembles._classifiers import CONTEXTS as CONTEXTS
from rocviz.core.ensembles._classifiers import RankedClassifiers
from rocviz.core.ensembles.score_matrix import (
    check_names,
    decreasing_ranks,
    misordered,
    score_matrix,
)
from rocviz.core.roc.segments import RankedSegments

METHODS = ("fidel", "woc", "correlation-aware")

# Evidence that differs by less than this is none; a slope that would turn the ranking is this.
_NO_EVIDENCE, _FLATTEST = 1e-9, 1e-3


@dataclass(frozen=True, eq=False)
class EnsembleScores(Frozen):
    """Score, evidence and probability that an ensemble gives to each item.

    Parameters
    ----------
    method, rank_context : str
        How the scores were combined and the items ranked, see :func:`fidel_combine`.
    score : ndarray, shape (n_items,)
        What ranks the items; higher means more positive. The log-likelihood ratio, but for
        "woc" how far the mean rank is above the middle.
    log_likelihood_ratio : ndarray, shape (n_items,)
        Evidence for the positive class; above 0 an item is more likely positive than the
        prevalence says. The sum of ``contributions`` along the classifiers.
    probability : ndarray, shape (n_items,)
        Of the positive class: its log odds are ``slope * log_likelihood_ratio + intercept``.
    contributions : ndarray, shape (n_items, M)
        Each classifier's part, ``weight * (neutral_rank - ranks)``.
    ranks : ndarray, shape (n_items, M)
        On the scale of the N validation samples; small means positive.
    weight, neutral_rank : ndarray, shape (M,)
        Evidence per rank, and the rank that is evidence for neither class.
    slope, intercept : float
        From evidence to log odds: 1 and the log odds of the validation data's classes where
        ``calibration`` is ``None``.
    ensemble : RankEnsemble
        The classifiers.
    """

    method: str
    rank_context: str
    score: Floats
    log_likelihood_ratio: Floats
    probability: Floats
    contributions: Floats
    ranks: Floats
    weight: Floats
    neutral_rank: Floats
    slope: float
    intercept: float
    ensemble: RankEnsemble

    def to_frame(self) -> DataFrame:
        """Return one row per item.

        Columns ``score, log_likelihood_ratio, probability``, then ``contribution_`` and the name of
        each classifier.
        """
        columns = {
            "score": self.score,
            "log_likelihood_ratio": self.log_likelihood_ratio,
            "probability": self.probability,
        }
        for name, part in zip(self.ensemble.names, self.contributions.T, strict=True):
            columns[f"contribution_{name}"] = part
        return to_frame(columns)


@dataclass(frozen=True, eq=False)
class RankEnsemble(RankedClassifiers):
    """What a set of classifiers has shown on validation data, ready to combine their scores.

    Usually made by :meth:`from_scores`. Ranks are in decreasing order of score: 1 is the most
    positive of the ``N = n_pos + n_neg`` validation samples; ties share the mean of their ranks.

    Parameters
    ----------
    names : tuple of str
        Names of the M classifiers.
    n_pos, n_neg : int
        Validation samples of each class.
    auc : ndarray, shape (M,)
        On the validation data.
    beta : ndarray, shape (M,)
        Inverse temperatures, per rank: how much evidence one rank is. Negative where the AUC
        is below 1/2, 0 where it is 1/2.
    threshold_rank : ndarray, shape (M,)
        The rank r* that is evidence for neither class.
    scatter : ndarray, shape (M, M)
        Covariance of the ranks around their class means, over all validation samples.
    sorted_scores : ndarray, shape (N, M)
        Each classifier's validation scores in increasing order: the context of new scores.
    positive : ndarray of bool, shape (N,)
        Which validation samples are positive.
    validation_ranks : ndarray, shape (N, M)
        Their ranks.

    Notes
    -----
    A classifier that ranks the validation data perfectly would have an infinite ``beta`` and
    outvote all others together. It counts as if half a pair were in the wrong order,
    ``1 - AUC = 1 / (2 n_pos n_neg)``: the least a ranking with ties can be wrong by. The same holds
    for a ranking that is perfectly reversed. For a single pair this leaves no evidence at all.

    References
    ----------
    Kim et al. (2021), section on ensemble classification.

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
        y_true, scores, names, pos_label
            As for :func:`rocviz.fidel_combine`.

        Raises
        ------
        ValueError
            If there is not a row per label, or a name is missing or there twice.
        """
        own_names, matrix = score_matrix(scores, "scores")
        positive, _ = check_samples(y_true, None, pos_label, scores=matrix)
        named = check_names(own_names if names is None else names, matrix.shape[1])
        n_pos, n_neg = int(positive.sum()), int((~positive).sum())
        many = matrix.shape[1]
        check_effort(numbers=6 * (matrix.size + many**2), scores=f"{many} classifiers")
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
            positive=positive,
            validation_ranks=ranks,
        )

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
            Evidence per rank, and the rank that is evidence for neither class.

        Raises
        ------
        ValueError
            If the method is unknown, or ``shrinkage`` not from 0 to 1.
        """
        check_choice(method, "method", METHODS)
        amount = check_shrinkage(shrinkage)
        if method == "fidel":
            return self.beta.copy(), self.threshold_rank.copy()
        n, pairs = self.n_samples, self.n_pos * self.n_neg
        # counted in halves of pairs, so that a crowd that is wrong as often as right has no edge
        halves = np.rint(2 * pairs * (self.auc - 0.5))
        edge = halves / (2 * pairs)
        neutral = (n + 1) / 2 + (self.n_pos - self.n_neg) / 2 * edge
        # a rank stands for an interval of width one, so no combination is free of variance
        scatter: Floats = self.scatter + np.eye(edge.size) / 12
        direction: Floats = np.ones(edge.size)
        if method == "correlation-aware":
            amount = self.shrinkage if amount is None else amount
            shrunk = (1 - amount) * self.correlation + amount * np.eye(edge.size)
            direction = np.asarray(np.linalg.lstsq(shrunk, edge, rcond=None)[0], np.float64)
            scatter = scatter * (1 - amount * (1 - np.eye(edge.size)))
        separation = n * float(direction @ halves) / (2 * pairs)
        if separation == 0:
            return np.zeros(edge.size), neutral
        return direction * (separation / float(direction @ scatter @ direction)), neutral

    def combine(
        self,
        new_scores: Any,
        *,
        method: str = "fidel",
        rank_context: str = "validation",
        shrinkage: float | str = "auto",
        calibration: str | None = "sigmoid",
    ) -> EnsembleScores:
        """Combine the scores of new items.

        Parameters
        ----------
        new_scores : array-like of float, shape (n_items, M), or table, or mapping
            In the order of ``names``, or under these names.
        method, rank_context, shrinkage, calibration
            See :func:`fidel_combine`.

        Raises
        ------
        ValueError
            If one of them is not as said there.
        """
        check_calibration(calibration)
        weight, neutral = self.weights(method, shrinkage=shrinkage)
        slope, intercept = 1.0, float(np.log(self.n_pos / self.n_neg))
        if calibration:
            slope, intercept = self._log_odds(weight, neutral, intercept)
        ranks = self.ranks(new_scores, rank_context=rank_context)
        contributions = weight * (neutral - ranks) + 0.0  # no negative zeros
        evidence = tidy_ties(contributions.sum(axis=1), weight, self.n_samples)
        return EnsembleScores(
            method=method,
            rank_context=rank_context,
            ranks=ranks,
            contributions=contributions,
            score=(self.n_samples + 1) / 2 - ranks.mean(axis=1) if method == "woc" else evidence,
            log_likelihood_ratio=evidence,
            weight=weight,
            neutral_rank=neutral,
            probability=expit(slope * evidence + intercept),
            slope=slope,
            intercept=intercept,
            ensemble=self,
        )

    def _log_odds(self, weight: Floats, neutral: Floats, prior: float) -> tuple[float, float]:
        """Return slope and intercept from evidence to log odds, of the validation samples."""
        parts = weight * (neutral - self.validation_ranks)
        evidence = tidy_ties(parts.sum(axis=1), weight, self.n_samples)
        if np.ptp(evidence) < _NO_EVIDENCE:
            return 1.0, prior
        fitted = sigmoid_map(RankedSegments.from_scores(self.positive, evidence))
        return max(fitted.slope, _FLATTEST), fitted.intercept - fitted.slope * fitted.origin

    def select(self, members: Sequence[str | int]) -> RankEnsemble:
        """Return the ensemble of some of the classifiers; nothing is fitted anew.

        Parameters
        ----------
        members : sequence of str or int
            Names, or places counted from 0; each once.

        Raises
        ------
        ValueError
            If there is none, one is unknown, or one occurs twice.
        """
        known = {name: k for k, name in enumerate(self.names)}
        places = dict(enumerate(range(len(self.names))))
        kept = []
        for member in check_sequence(members, "members", "names or places"):
            if not isinstance(member, str | Integral):
                raise ValueError(f"members must be names or places; got {describe(member)}.")
            place = known.get(member) if isinstance(member, str) else places.get(int(member))
            if place is None or place in kept:
                what = "given twice" if place in kept else f"none of {', '.join(self.names)}"
                raise ValueError(f"members: {describe(member)} is {what}.")
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
            positive=self.positive,
            validation_ranks=self.validation_ranks[:, kept],
        )


def _fermi_dirac(wrong: Floats, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
    """Solve for beta and threshold rank for each number of misordered pairs."""
    pairs = n_pos * n_neg
    levels = [
        levels_of_auc((pairs - u) / pairs, u / pairs, n_pos, n_neg)
        for u in np.clip(wrong, 0.5, pairs - 0.5).tolist()
    ]
    beta, threshold = np.array(levels).T
    return beta, threshold


def check_shrinkage(shrinkage: float | str) -> float | None:
    """Return a number from 0 to 1, or ``None`` for "auto"."""
    if isinstance(shrinkage, str):
        check_choice(shrinkage, "shrinkage", ("auto",))
        return None
    return check_fraction(shrinkage, "shrinkage", ends=True)


def check_calibration(calibration: str | None) -> None:
    """Raise unless it is "sigmoid" or ``None``."""
    if calibration is not None:
        check_choice(calibration, "calibration", ("sigmoid",))


def tidy_ties(total: Floats, weight: Floats, n_samples: int) -> Floats:
    """Return sums of evidence without their last digits, so that what is tied stays tied.

    Rounding may have told the sums over members apart; they are rounded to at most 1e-12 of the
    largest possible sum, which the evidence per rank and the number of ranks say. The grid hangs on
    nothing else, so that an item alone gets what it gets among others.
    """
    largest = float(np.abs(weight).sum()) * n_samples
    grid = 2.0 ** (np.ceil(np.log2(largest)) - 41) if largest > 0 else 1.0
    return np.asarray(np.round(total / grid) * grid + 0.0)
