"""One stage of a scoring list: reachable total scores, the probability of each, their counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    MAX_EXACT_INTEGER,
    Bools,
    Floats,
    check_choice,
    check_costs,
    check_number,
    check_numbers,
    check_probabilities,
    check_share,
    check_spread,
    check_vector,
    describe,
)
from rocviz.core.calibration.binarize import binary_entropy
from rocviz.core.calibration.calibration import fit_beta, fit_sigmoid
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.stage_band import IntervalOptions, StageBand, band_of_counts

STAGE_CALIBRATIONS = ("isotonic", "beta", "sigmoid", "m-estimate")

# Differences of costs smaller than this, relative to the costs, are rounding.
_COST_TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class ScoringStage(Frozen):
    """A stage of a scoring list, after some of its features: a probability for each total score.

    Parameters
    ----------
    totals : array-like of int, shape (n_totals,)
        Every total that the scores of the stage can add up to, observed or not; strictly
        decreasing, so index 0 is the most positive end.
    probability : array-like of float, shape (n_totals,)
        Probability of the positive class, within [0, 1]; never rises along ``totals``.
    pos, neg : array-like of float, shape (n_totals,), optional
        Weight of positives and negatives that had each total; zero where none had. Both are
        left out for a list written by hand, which then has no bands and no losses.

    Raises
    ------
    ValueError
        If the arrays differ in length, or one is invalid.

    References
    ----------
    Hanselle et al. (2024), Definition 2.

    Examples
    --------
    >>> stage = ScoringStage([1, 0], [0.8, 0.2], [8, 2], [2, 8])
    >>> stage.auc
    0.8
    >>> round(stage.brier, 3)
    0.16
    """

    totals: NDArray[np.int64]
    probability: Floats
    pos: Floats | None = None
    neg: Floats | None = None

    def __post_init__(self) -> None:
        totals = _check_totals(self.totals)
        probability = check_probabilities(self.probability, "probability")
        if probability.size != totals.size:
            raise ValueError(
                f"probability must have one entry per total; got {probability.size} for "
                f"{totals.size} totals."
            )
        if (np.diff(probability) > 0).any():
            raise ValueError("probability must not fall when the total rises.")
        object.__setattr__(self, "totals", totals.astype(np.int64))
        object.__setattr__(self, "probability", probability)
        if (self.pos is None) != (self.neg is None):
            raise ValueError("pos and neg belong together: give both, or neither.")
        if self.pos is not None and self.neg is not None:
            pos, neg = _check_counts(totals, self.pos, self.neg)
            object.__setattr__(self, "pos", pos)
            object.__setattr__(self, "neg", neg)
        super().__post_init__()

    @classmethod
    def fit(
        cls,
        totals: ArrayLike,
        pos: ArrayLike,
        neg: ArrayLike,
        *,
        method: str = "isotonic",
        m: float = 2.0,
        prior: float | None = None,
    ) -> ScoringStage:
        """Fit the probability of every reachable total to the counts of observed totals.

        Parameters
        ----------
        totals : array-like of int, shape (n_totals,)
            Reachable totals, strictly decreasing.
        pos, neg : array-like of float, shape (n_totals,)
            Weight of positives and negatives with each total; zero where none occurred.
        method : {"isotonic", "beta", "sigmoid", "m-estimate"}, default="isotonic"
            "beta" is beta calibration of the total, scaled linearly from the lowest and highest
            reachable total to [0, 1] and kept half a sample away from both ends. "m-estimate"
            pulls every proportion to ``prior`` and then pools violations of the order.
        m : float, default=2
            For "m-estimate" only: weight of the prior, in samples; not negative.
        prior : float, optional
            For "m-estimate" only: probability that proportions are pulled to, in [0, 1]; by
            default the proportion of positives.

        Returns
        -------
        ScoringStage
            "isotonic" and "m-estimate" give a total that did not occur the straight line between
            its neighbours that did, and beyond the last of them its value. With one class only, or
            one total only, there is nothing to fit: all get the proportion of positives (pulled to
            the prior for "m-estimate").

        Raises
        ------
        ValueError
            If totals do not strictly decrease, counts are not one per total, or the method is
            unknown.

        References
        ----------
        Hanselle et al. (2024), equations 8 and 9. Kull, Silva Filho and Flach (2017).

        Examples
        --------
        >>> ScoringStage.fit([3, 2, 1, 0], [6, 0, 1, 2], [2, 0, 4, 3]).probability
        array([0.75 , 0.525, 0.3  , 0.3  ])
        """
        check_choice(method, "method", STAGE_CALIBRATIONS)
        m = check_number(m, "m", minimum=0.0)
        reachable = _check_totals(totals)
        all_pos, all_neg = _check_counts(reachable, pos, neg)
        prevalence = float(all_pos.sum() / (all_pos.sum() + all_neg.sum()))
        center = prevalence if prior is None else check_share(prior, "prior", ends=True)
        has_samples = all_pos + all_neg > 0
        observed = reachable[has_samples]
        observed_pos = all_pos[has_samples]
        observed_neg = all_neg[has_samples]
        if method in ("isotonic", "m-estimate"):
            prior_weight = m if method == "m-estimate" else 0.0
            weight = observed_pos + observed_neg + prior_weight
            check_spread("m, pos and neg", weight, sums=True)
            shrunk = (observed_pos + prior_weight * center) / weight
            pooled = isotonic_regression(shrunk, weights=weight, increasing=False).x
            fitted = np.interp(reachable, observed[::-1], pooled[::-1])
        elif observed.size == 1 or not (observed_pos.any() and observed_neg.any()):
            fitted = np.full(reachable.size, prevalence)
        elif method == "beta":
            low = reachable[-1]
            span = reachable[0] - low
            scaled = (observed - low) / span
            calibrate = fit_beta(RankedSegments(scaled, observed_pos, observed_neg))
            fitted = calibrate((reachable - low) / span)
        else:
            segments = RankedSegments(observed, observed_pos, observed_neg)
            fitted = fit_sigmoid(segments)(reachable)
        # rounding must not reverse neighbours
        fitted = np.minimum.accumulate(np.clip(fitted, 0.0, 1.0))
        return cls(reachable.astype(np.int64), fitted, all_pos, all_neg)

    def __len__(self) -> int:
        return int(self.totals.size)

    # ------------------------------------------------------------------ counts

    @property
    def has_counts(self) -> bool:
        """Whether the stage has the number of samples at each total."""
        return self.pos is not None

    @property
    def counts(self) -> tuple[Floats, Floats]:
        """The weights ``(pos, neg)``.

        Raises
        ------
        ValueError
            If the list was written by hand.
        """
        if self.pos is None or self.neg is None:
            raise ValueError(
                "this stage was written by hand and has no counts; bands, losses and segments "
                "need pos and neg."
            )
        return self.pos, self.neg

    @property
    def n(self) -> Floats:
        """Weight of the samples that had each total, shape (n_totals,)."""
        pos, neg = self.counts
        return pos + neg

    @property
    def n_samples(self) -> float:
        """Weight of all samples."""
        return float(self.n.sum())

    @cached_property
    def segments(self) -> RankedSegments:
        """The observed totals with their counts, as a ranking.

        It raises ``ValueError`` if there are no counts, or of one class only.
        """
        pos, neg = self.counts
        has_samples = pos + neg > 0
        observed = self.totals[has_samples].astype(np.float64)
        return RankedSegments(observed, pos[has_samples], neg[has_samples])

    def with_counts(self, pos: ArrayLike, neg: ArrayLike) -> ScoringStage:
        """Replace the counts by those of other data, and keep the probabilities.

        Parameters
        ----------
        pos, neg : array-like of float, shape (n_totals,)

        Raises
        ------
        ValueError
            If these are no counts, or not one for each total.
        """
        pos = check_numbers(pos, "pos")
        neg = check_numbers(neg, "neg")
        return ScoringStage(self.totals, self.probability, pos, neg)

    # ------------------------------------------------------------------ probabilities

    def probability_at(self, totals: ArrayLike) -> Floats:
        """Interpolate the probability at some totals.

        Parameters
        ----------
        totals : array-like of float, shape (n,)
            One that is not reachable gets the straight line between its neighbours, beyond
            the ends the value there.

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ValueError
            If a total is not finite.
        """
        values = check_vector(totals, "totals")
        return np.asarray(np.interp(values, self.totals[::-1], self.probability[::-1]))

    def band(self, confidence: float = 0.95, **options: Unpack[IntervalOptions]) -> StageBand:
        """Compute an interval of the probability for every reachable total.

        First an interval per reachable total from its own counts, [0, 1] where none occurred,
        at the level that Bonferroni's correction asks for. Then the order of the totals is used:
        a probability is at least every lower bound below it and at most every upper bound above.
        Last, intervals are widened to hold the stage's probability.

        Parameters
        ----------
        confidence : float, default=0.95
            Strictly between 0 and 1.
        method : {"clopper-pearson", "wilson", "jeffreys"}, default="clopper-pearson"
            See :func:`rocviz.core.roc.binomial_interval`.
        correction : {"bonferroni", None}, default="bonferroni"
            Without a correction an interval may miss because that of another total does, as the
            order passes bounds on. In simulations of six totals with 50 to 1,000 samples, 95 %
            intervals by Clopper and Pearson then cover 88 to 100 %, those by Wilson 82 to 98 %,
            least where all totals have one probability; with the correction all totals are
            covered together in 96 to 100 % of the data sets.

        Raises
        ------
        ValueError
            If the list was written by hand, the method or the correction is unknown, or
            ``confidence`` not between 0 and 1.

        References
        ----------
        Hanselle et al. (2024), section 4.4, equations 10 to 13.

        Examples
        --------
        >>> band = ScoringStage([1, 0], [0.8, 0.2], [8, 2], [2, 8]).band()
        >>> band.lower.round(3), band.upper.round(3)
        (array([0.401, 0.017]), array([0.983, 0.599]))
        """
        pos, neg = self.counts
        return band_of_counts(self.totals, pos, neg, self.probability, confidence, **options)

    # ------------------------------------------------------------------ performance

    @property
    def entropy(self) -> float:
        """Expected entropy of the probabilities in bits, weighted by the counts; in [0, 1]."""
        return float(np.average(binary_entropy(self.probability), weights=self.n))

    @property
    def brier(self) -> float:
        """Mean squared difference of probability and class (1 or 0); in [0, 1]."""
        pos, neg = self.counts
        p = self.probability
        return float((pos @ (1 - p) ** 2 + neg @ p**2) / (pos + neg).sum())

    @property
    def auc(self) -> float:
        """Area under the ROC curve of the probabilities; ties count one half.

        NaN if there is one class only.
        """
        pos, neg = self.counts
        # probabilities never rise along the totals, so tied ones are neighbours
        start = np.flatnonzero(np.diff(self.probability, prepend=2.0))
        pos = np.add.reduceat(pos, start)
        neg = np.add.reduceat(neg, start)
        n_pairs = pos.sum() * neg.sum()
        if not n_pairs:
            return np.nan
        return min(float(neg @ (np.cumsum(pos) - pos / 2) / n_pairs), 1.0)

    def expected_loss(self, cost_fn: float = 1.0) -> float:
        """Compute the expected loss of the best decisions under the probabilities themselves.

        Parameters
        ----------
        cost_fn : float, default=1
            Cost M of a miss, in false alarms; not negative.

        Returns
        -------
        float
            Mean of ``min(1 - q, M q)``.

        Raises
        ------
        ValueError
            If ``cost_fn`` is negative.
        """
        _, miss = check_costs(1.0, cost_fn)
        loss = np.minimum(1 - self.probability, miss * self.probability)
        return float(np.average(loss, weights=self.n))

    def to_frame(self) -> DataFrame:
        """Tabulate the reachable totals, one row each.

        Columns ``total, probability`` and, where there are counts, ``pos, neg``.
        """
        columns = {"total": self.totals, "probability": self.probability}
        if self.has_counts:
            pos, neg = self.counts
            columns |= {"pos": pos, "neg": neg}
        return to_frame(columns)


def predicts_positive(probability: ArrayLike, cost_fn: float = 1.0) -> Bools:
    """Predict the class of lower expected loss.

    Parameters
    ----------
    probability : array-like of float
        Probability of the positive class; or its upper bound, for risk-averse decisions.
    cost_fn : float, default=1
        Cost M of a miss, in false alarms; not negative.

    Returns
    -------
    ndarray of bool
        False where ``1 - p >= M p``: the negative class is at least M times as probable.

    Raises
    ------
    ValueError
        If ``cost_fn`` is negative, or a probability is not within [0, 1].

    References
    ----------
    Hanselle et al. (2024), section 5.4.

    Examples
    --------
    >>> predicts_positive([1 / 11, 0.1], cost_fn=10)
    array([False,  True])
    """
    _, miss = check_costs(1.0, cost_fn)
    p = check_numbers(probability, "probability")
    if ((p < 0) | (p > 1)).any():
        raise ValueError(f"probability must lie within [0, 1]; got {describe(probability)}.")
    return np.asarray(miss * p - (1 - p) > _COST_TOLERANCE * (miss * p + (1 - p)), dtype=np.bool_)


def _check_totals(totals: ArrayLike) -> Floats:
    """Check whole numbers, strictly decreasing, at least one."""
    values = check_vector(totals, "totals")
    if values.size == 0:
        raise ValueError("totals is empty; stage 0 has the one total 0.")
    if (values != np.round(values)).any() or np.abs(values).max() > MAX_EXACT_INTEGER:
        raise ValueError(
            "totals must be whole numbers up to 2**53: they are sums of integer scores."
        )
    if (values[1:] >= values[:-1]).any():
        raise ValueError("totals must strictly decrease: the most positive total comes first.")
    return values


def check_counts(pos: ArrayLike, neg: ArrayLike) -> tuple[Floats, Floats]:
    """Check the weights of both classes, an entry for each total along the last axis."""
    pos = check_numbers(pos, "pos")
    neg = check_numbers(neg, "neg")
    for name, weight in (("pos", pos), ("neg", neg)):
        if weight.ndim == 0 or weight.shape[-1] == 0:
            raise ValueError(f"{name} must have one entry per total; got shape {weight.shape}.")
        if not (np.isfinite(weight).all() and (weight >= 0).all()):
            raise ValueError(f"{name} must be finite and not negative; got {describe(weight)}.")
    if pos.shape != neg.shape:
        raise ValueError(f"pos and neg must have the same shape; got {pos.shape} and {neg.shape}.")
    check_spread("pos and neg", pos, neg, sums=True)
    return pos, neg


def _check_counts(totals: Floats, pos: ArrayLike, neg: ArrayLike) -> tuple[Floats, Floats]:
    """Check the weights of both classes with each of the totals, which are not all zero."""
    pos, neg = check_counts(pos, neg)
    if pos.shape != totals.shape:
        raise ValueError(
            f"pos and neg must have one entry per total; got shape {pos.shape} for "
            f"{totals.size} totals."
        )
    if not (pos.any() or neg.any()):
        raise ValueError("pos and neg are zero everywhere; at least one sample is needed.")
    return pos, neg
