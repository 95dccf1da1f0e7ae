"""One stage of a scoring list: reachable total scores, the probability of each, their counts.

Knows totals and counts; nothing of features, scores or the list it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_number,
    check_numbers,
    check_probabilities,
    check_vector,
    describe,
)
from rocviz.core.calibration.binarize import binary_entropy
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.stage_band import IntervalOptions, StageBand, stage_band
from rocviz.core.scoring_lists.stage_probability import (
    StageCalibration,
    check_counts,
    check_totals,
    fit_checked,
    in_unit,
)

# Differences of costs smaller than this, relative to the costs, are rounding.
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class ScoringStage(Frozen):
    """What a scoring list says after some of its features: a probability for each total score.

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
        If the arrays differ in length, or one is not as said above.

    References
    ----------
    Hanselle et al. (2024).

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
        totals = check_totals(self.totals)
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
            pos, neg = check_counts(totals, self.pos, self.neg)
            object.__setattr__(self, "pos", pos)
            object.__setattr__(self, "neg", neg)
        super().__post_init__()

    @classmethod
    def fit(
        cls, totals: ArrayLike, pos: ArrayLike, neg: ArrayLike, **options: Unpack[StageCalibration]
    ) -> ScoringStage:
        """Return the stage whose probabilities are fitted to its counts.

        Takes what :func:`rocviz.core.scoring_lists.stage_probability.fit_stage_probability` takes.

        Raises
        ------
        ValueError
            If an argument is not as said there.
        """
        how: Any = {"method": "isotonic", "m": 2.0, "prior": None, **options}
        reachable = check_totals(totals)
        counts = check_counts(reachable, pos, neg)
        fitted = fit_checked(reachable, *counts, **how)
        made = object.__new__(cls)  # all is checked, and checking takes longer than fitting
        fields = (reachable.astype(np.int64), fitted, *(side.copy() for side in counts))
        for name, values in zip(("totals", "probability", "pos", "neg"), fields, strict=True):
            object.__setattr__(made, name, read_only(values))
        return made

    def __len__(self) -> int:
        return int(self.totals.size)

    # ------------------------------------------------------------------ counts

    @property
    def has_counts(self) -> bool:
        """Whether the stage knows how many samples had each total."""
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
        some = pos + neg > 0
        return RankedSegments(self.totals[some].astype(np.float64), pos[some], neg[some])

    def with_counts(self, pos: ArrayLike, neg: ArrayLike) -> ScoringStage:
        """Return the same probabilities with the counts of other data.

        Parameters
        ----------
        pos, neg : array-like of float, shape (n_totals,)

        Raises
        ------
        ValueError
            If these are no counts, or not one for each total.
        """
        counts = (check_numbers(values, name) for name, values in (("pos", pos), ("neg", neg)))
        return ScoringStage(self.totals, self.probability, *counts)

    # ------------------------------------------------------------------ what it says

    def probability_at(self, totals: ArrayLike) -> Floats:
        """Return the probability at some totals.

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
        asked = check_vector(totals, "totals")
        return np.asarray(np.interp(asked, self.totals[::-1], self.probability[::-1]))

    def band(self, confidence: float = 0.95, **how: Unpack[IntervalOptions]) -> StageBand:
        """Return an interval of the probability for every reachable total.

        Takes what :func:`rocviz.core.scoring_lists.stage_band.stage_band` takes.

        Raises
        ------
        ValueError
            If the list was written by hand, or an argument is unknown.
        """
        pos, neg = self.counts
        return stage_band(self.totals, pos, neg, self.probability, confidence=confidence, **how)

    # ------------------------------------------------------------------ how good it is

    @property
    def entropy(self) -> float:
        """Expected entropy of the probabilities in bits, weighted by the counts; in [0, 1]."""
        p = self.probability
        return self._mean(binary_entropy(p))

    @property
    def brier(self) -> float:
        """Mean squared difference of probability and class (1 or 0); in [0, 1]."""
        pos, neg = in_unit(*self.counts)
        p = self.probability
        return float((pos @ (1 - p) ** 2 + neg @ p**2) / (pos + neg).sum())

    @cached_property
    def auc(self) -> float:
        """Area under the ROC curve of the probabilities; ties count one half.

        Raises what :attr:`segments` raises.
        """
        # probabilities never rise along the totals, so what is tied stands together
        some, (pos, neg) = self.n > 0, self.counts
        p = self.probability[some]
        start = np.flatnonzero(np.diff(p, prepend=2.0))
        tied = (np.add.reduceat(side[some], start) for side in (pos, neg))
        return RankedSegments(p[start], *tied).auc

    def expected_loss(self, cost_fn: float = 1.0) -> float:
        """Return the mean loss that the probabilities themselves expect of the best decisions.

        Parameters
        ----------
        cost_fn : float, default=1
            Cost M of a miss, in false alarms; positive.

        Returns
        -------
        float
            Mean of ``min(1 - q, M q)``.

        Raises
        ------
        ValueError
            If ``cost_fn`` is not above 0.
        """
        miss = check_number(cost_fn, "cost_fn", above=0.0)
        return self._mean(np.minimum(1 - self.probability, miss * self.probability))

    def _mean(self, values: Floats) -> float:
        (n,) = in_unit(self.n)
        return float(n @ values / n.sum())

    def to_frame(self) -> DataFrame:
        """Return one row per reachable total.

        Columns ``total, probability`` and, where there are counts, ``pos, neg``.
        """
        columns = {"total": self.totals, "probability": self.probability}
        if self.has_counts:
            columns["pos"], columns["neg"] = self.counts
        return to_frame(columns)


def calls_positive(probability: ArrayLike, cost_fn: float = 1.0) -> Bools:
    """Return which class the lower expected loss asks for.

    Parameters
    ----------
    probability : array-like of float
        Probability of the positive class; or its upper bound, for risk-averse decisions.
    cost_fn : float, default=1
        Cost M of a miss, in false alarms; positive.

    Returns
    -------
    ndarray of bool
        False where ``1 - p >= M p``: the negative class is at least M times as probable.

    Raises
    ------
    ValueError
        If ``cost_fn`` is not above 0, or a probability is not within [0, 1].

    References
    ----------
    Hanselle et al. (2024), section 5.4.

    Examples
    --------
    >>> calls_positive([1 / 11, 0.1], cost_fn=10)
    array([False,  True])
    """
    miss = check_number(cost_fn, "cost_fn", above=0.0)
    p = check_numbers(probability, "probability")
    if ((p < 0) | (p > 1)).any():
        raise ValueError(f"probability must lie within [0, 1]; got {describe(probability)}.")
    return np.asarray(miss * p - (1 - p) > _TIE * (miss * p + (1 - p)), dtype=np.bool_)


def check_stage(stage: ScoringStage, name: str = "stage") -> ScoringStage:
    """Return ``stage`` if it is one."""
    if not isinstance(stage, ScoringStage):
        raise ValueError(f"{name} must be ScoringStage; got {type(stage).__name__}.")
    return stage
