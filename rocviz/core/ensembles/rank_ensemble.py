"""Ensembles of ranks: classifiers measured on validation data, and their joint evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from rocviz.core.base.classes import positive_columns
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.logistic_levels import levels_of_auc
from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_aligned,
    check_choice,
    check_fraction,
    check_integer,
    check_samples,
    check_sequence,
    list_labels,
)
from rocviz.core.calibration.calibration import fit_sigmoid
from rocviz.core.ensembles.score_matrix import (
    check_names,
    decreasing_ranks,
    misordered,
    score_matrix,
)
from rocviz.core.roc.segments import RankedSegments

METHODS = ("fidel", "woc", "correlation-aware")
RANK_CONTEXTS = ("validation", "batch")

# Evidence that varies by less is none; a slope that is less would reverse the ranking.
_MIN_EVIDENCE_RANGE = 1e-9
_MIN_SLOPE = 1e-3


@dataclass(frozen=True, eq=False)
class EnsembleScores(Frozen):
    """Score, evidence and probability that an ensemble gives to each item.

    Parameters
    ----------
    method, rank_context : str
        Ways to combine scores and to rank items, see :func:`fidel_combine`.
    score : ndarray, shape (n_items,)
        Score that ranks the items; higher means more positive. The log-likelihood ratio, but for
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
        """Tabulate one row per item.

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
class RankEnsemble(Frozen):
    """Classifiers measured on validation data, ready to combine their scores.

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
        Mark of the positive validation samples.
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
        scores = positive_columns(scores, y_true, pos_label, "scores")
        column_names, matrix = score_matrix(scores, "scores")
        check_aligned(y_true=y_true, scores=scores)
        positive, _ = check_samples(y_true, None, pos_label, scores=matrix)
        n_classifiers = matrix.shape[1]
        texts = check_names(column_names if names is None else names, n_classifiers)
        n_pos = int(positive.sum())
        n_neg = int((~positive).sum())
        check_effort(
            numbers=6 * (matrix.size + n_classifiers**2), scores=f"{n_classifiers} classifiers"
        )
        ranks = decreasing_ranks(matrix)
        wrong = misordered(positive, ranks)
        pairs = n_pos * n_neg
        levels = []
        for u in np.clip(wrong, 0.5, pairs - 0.5).tolist():
            levels.append(levels_of_auc((pairs - u) / pairs, u / pairs, n_pos, n_neg))
        beta, threshold_rank = np.array(levels).T
        pos_mean = ranks[positive].mean(axis=0)
        neg_mean = ranks[~positive].mean(axis=0)
        residual = ranks - np.where(positive[:, None], pos_mean, neg_mean)
        return cls(
            names=texts,
            n_pos=n_pos,
            n_neg=n_neg,
            auc=1 - wrong / pairs,
            beta=beta,
            threshold_rank=threshold_rank,
            scatter=residual.T @ residual / positive.size,
            sorted_scores=np.sort(matrix, axis=0),
            positive=positive,
            validation_ranks=ranks,
        )

    @property
    def n_samples(self) -> int:
        """Number N of validation samples."""
        return self.n_pos + self.n_neg

    @property
    def prevalence(self) -> float:
        """Share of positives in the validation data."""
        return self.n_pos / self.n_samples

    @property
    def temperature(self) -> Floats:
        """1 / :attr:`beta` of each classifier; infinite where its AUC is 1/2."""
        out = np.full(self.beta.size, np.inf)
        return np.asarray(np.divide(1.0, self.beta, out=out, where=self.beta != 0))

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
        """Factor by which correlated errors inflate FiDEL's summed evidence.

        The variance of the sum within the classes, over what it would be were the ranks of
        different classifiers uncorrelated there: 1 if they are, M for M copies of one
        classifier, ``1 + (M - 1) c`` for M equally good ones that correlate by c.
        """
        deviation = self.beta * np.sqrt(np.diag(self.scatter))
        independent = float(deviation @ deviation)
        if not independent:
            return 1.0
        return float(deviation @ self.correlation @ deviation) / independent

    @property
    def shrinkage(self) -> float:
        """Value of ``shrinkage="auto"``, from ``1 / N`` to 1.

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
        """Compute the weight and the neutral rank of every classifier.

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
        n = self.n_samples
        pairs = self.n_pos * self.n_neg
        # counted in half pairs, so that an ensemble at chance level has exactly no advantage
        half_pairs = np.rint(2 * pairs * (self.auc - 0.5))
        advantage = half_pairs / (2 * pairs)
        neutral = (n + 1) / 2 + (self.n_pos - self.n_neg) / 2 * advantage
        # a rank represents an interval of width one, so that every combination has some variance
        identity = np.eye(advantage.size)
        scatter: Floats = self.scatter + identity / 12
        direction: Floats = np.ones(advantage.size)
        if method == "correlation-aware":
            amount = self.shrinkage if amount is None else amount
            shrunk = (1 - amount) * self.correlation + amount * identity
            solution, *_ = np.linalg.lstsq(shrunk, advantage, rcond=None)
            direction = np.asarray(solution, np.float64)
            scatter = scatter * (1 - amount * (1 - identity))
        separation = n * float(direction @ half_pairs) / (2 * pairs)
        if separation == 0:
            return np.zeros(advantage.size), neutral
        return direction * (separation / float(direction @ scatter @ direction)), neutral

    def ranks(self, new_scores: Any, *, rank_context: str = "validation") -> Floats:
        """Rank new items among the validation samples, or within their batch.

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
        check_choice(rank_context, "rank_context", RANK_CONTEXTS)
        new = self._in_order(new_scores)
        n = self.n_samples
        if rank_context == "batch":
            return (decreasing_ranks(new) - 0.5) * (n / max(len(new), 1)) + 0.5
        ranks = np.empty(new.shape)
        for k, validation_scores in enumerate(self.sorted_scores.T):
            # sorted, so that consecutive searches find their data in the cache
            order = np.argsort(new[:, k])
            new_scores = new[order, k]
            below = np.searchsorted(validation_scores, new_scores, side="left")
            not_above = np.searchsorted(validation_scores, new_scores, side="right")
            ranks[order, k] = n - (below + not_above) / 2 + 0.5
        return ranks

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
            If one of them is invalid.
        """
        check_calibration(calibration)
        weight, neutral = self.weights(method, shrinkage=shrinkage)
        slope = 1.0
        intercept = float(np.log(self.n_pos / self.n_neg))
        if calibration:
            slope, intercept = self._calibrate(weight, neutral, intercept)
        ranks = self.ranks(new_scores, rank_context=rank_context)
        contributions = weight * (neutral - ranks) + 0.0  # no negative zeros
        evidence = round_evidence(contributions.sum(axis=1), weight, self.n_samples)
        score = evidence
        if method == "woc":
            score = (self.n_samples + 1) / 2 - ranks.mean(axis=1)
        return EnsembleScores(
            method=method,
            rank_context=rank_context,
            ranks=ranks,
            contributions=contributions,
            score=score,
            log_likelihood_ratio=evidence,
            weight=weight,
            neutral_rank=neutral,
            probability=expit(slope * evidence + intercept),
            slope=slope,
            intercept=intercept,
            ensemble=self,
        )

    def _calibrate(
        self, weight: Floats, neutral: Floats, prior_log_odds: float
    ) -> tuple[float, float]:
        """Fit slope and intercept from evidence to log odds on the validation samples."""
        contributions = weight * (neutral - self.validation_ranks)
        evidence = round_evidence(contributions.sum(axis=1), weight, self.n_samples)
        if np.ptp(evidence) < _MIN_EVIDENCE_RANGE:
            return 1.0, prior_log_odds
        fitted = fit_sigmoid(RankedSegments.from_scores(self.positive, evidence))
        return max(fitted.slope, _MIN_SLOPE), fitted.intercept - fitted.slope * fitted.origin

    def select(self, members: Sequence[int]) -> RankEnsemble:
        """Select some of the classifiers as an ensemble, without fitting again.

        Parameters
        ----------
        members : sequence of int
            Places in ``names``, counted from 0; each once.

        Raises
        ------
        ValueError
            If there is none, one is out of range, or one occurs twice.
        """
        last = len(self.names) - 1
        indices = check_sequence(members, "members", "places")
        indices = [check_integer(index, "members", 0, last) for index in indices]
        if not indices or len(set(indices)) < len(indices):
            raise ValueError(f"members must be one or more different places; got {indices}.")
        return replace(
            self,
            names=tuple(self.names[k] for k in indices),
            auc=self.auc[indices],
            beta=self.beta[indices],
            threshold_rank=self.threshold_rank[indices],
            scatter=self.scatter[np.ix_(indices, indices)],
            sorted_scores=self.sorted_scores[:, indices],
            validation_ranks=self.validation_ranks[:, indices],
        )

    def to_frame(self) -> DataFrame:
        """Tabulate one row per classifier.

        Columns ``classifier, auc, beta, temperature, threshold_rank``; the temperature of a
        classifier with AUC 1/2 is infinite.
        """
        return to_frame(
            classifier=self.names,
            auc=self.auc,
            beta=self.beta,
            temperature=self.temperature,
            threshold_rank=self.threshold_rank,
        )

    def _in_order(self, new_scores: Any) -> Floats:
        """Arrange new scores in a matrix whose columns are in the order of ``names``."""
        names, matrix = score_matrix(new_scores, "new_scores")
        if names is not None and sorted(names) == sorted(self.names):
            matrix = matrix[:, [names.index(name) for name in self.names]]
        elif isinstance(new_scores, Mapping):
            raise ValueError(
                f"new_scores must have the classifiers {list_labels(self.names)}; "
                f"got {list_labels(names or ())}."
            )
        if matrix.shape[1] != len(self.names):
            raise ValueError(
                f"new_scores must have one column per classifier, {len(self.names)}; "
                f"got {matrix.shape[1]}."
            )
        return matrix


def check_shrinkage(shrinkage: float | str) -> float | None:
    """Check a number from 0 to 1; "auto" becomes ``None``."""
    if isinstance(shrinkage, str):
        check_choice(shrinkage, "shrinkage", ("auto",))
        return None
    return check_fraction(shrinkage, "shrinkage", ends=True)


def check_calibration(calibration: str | None) -> None:
    """Check for "sigmoid" or ``None``."""
    if calibration is not None:
        check_choice(calibration, "calibration", ("sigmoid",))


def round_evidence(total: Floats, weight: Floats, n_samples: int) -> Floats:
    """Round sums of evidence, so that tied samples stay tied.

    Sums over members in another order may differ in their last digits; they are rounded to at most
    1e-12 of the largest possible sum, which follows from the evidence per rank and the number of
    ranks alone, so that a sample by itself gets what it gets among others.
    """
    largest = float(np.abs(weight).sum()) * n_samples
    grid = 2.0 ** (np.ceil(np.log2(largest)) - 41) if largest > 0 else 1.0
    return np.asarray(np.round(total / grid) * grid + 0.0)
