"""A band of intervals over the total scores of one stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_choice,
    check_fraction,
    check_vector,
    describe,
)
from rocviz.core.roc.metrics import INTERVAL_METHODS, interval_of_counts


class IntervalOptions(TypedDict, total=False):
    """Options of intervals besides their confidence, see :meth:`ScoringStage.band`."""

    method: str
    correction: str | None


@dataclass(frozen=True, eq=False)
class StageBand(Frozen):
    """Interval of the probability at every reachable total of a stage.

    Arrays have an entry for each total.

    Parameters
    ----------
    totals : ndarray of int, shape (n_totals,)
        Reachable totals in decreasing order.
    lower, upper : ndarray of float, shape (n_totals,)
        Ends of the intervals; neither rises along ``totals``, and the stage's probability
        lies between them.
    is_empty : ndarray of bool, shape (n_totals,)
        Where the monotone correction left no probability at all: the counts contradict the
        order of the totals. The interval was then widened, perhaps to the bare
        probability, and does not say how sure that is.
    confidence : float
        That all intervals hold the truth together ("bonferroni"), or each by itself (None).
    method : {"clopper-pearson", "wilson", "jeffreys"}
        Interval of a single total.
    correction : {"bonferroni", None}
        How many intervals at once were allowed for.
    """

    totals: NDArray[np.int64]
    lower: Floats
    upper: Floats
    is_empty: Bools
    confidence: float
    method: str
    correction: str | None

    def at(self, totals: ArrayLike) -> tuple[Floats, Floats]:
        """Find the intervals at some totals.

        Parameters
        ----------
        totals : array-like of float, shape (n,)
            A total that is not reachable is bounded by the order: at least the lower
            end of the next lower total, at most the upper end of the next higher one.

        Returns
        -------
        lower, upper : ndarray of float, shape (n,)

        Raises
        ------
        ValueError
            If a total is not finite.
        """
        values = check_vector(totals, "totals")
        rising = self.totals[::-1]
        n_not_above = np.searchsorted(rising, values, side="right")
        n_below = np.searchsorted(rising, values, side="left")
        lower = np.concatenate(([0.0], self.lower[::-1]))[n_not_above]
        upper = np.append(self.upper[::-1], 1.0)[n_below]
        return lower, upper

    def to_frame(self) -> DataFrame:
        """Tabulate the totals, one row each: columns ``total, lower, upper, is_empty``."""
        return to_frame(
            total=self.totals, lower=self.lower, upper=self.upper, is_empty=self.is_empty
        )


def band_of_counts(
    totals: NDArray[np.int64],
    pos: Floats,
    neg: Floats,
    probability: Floats,
    confidence: float,
    method: str = "clopper-pearson",
    correction: str | None = "bonferroni",
) -> StageBand:
    """Compute the band of a stage as described at :meth:`ScoringStage.band`."""
    level = check_fraction(confidence, "confidence")
    check_choice(method, "method", INTERVAL_METHODS)
    if correction is not None and not (isinstance(correction, str) and correction == "bonferroni"):
        raise ValueError(f"correction must be 'bonferroni' or None; got {describe(correction)}.")
    outside = (1 - level) / (totals.size if correction else 1)
    if correction and totals.size > 1:
        level = 1 - outside
    names = "the sums of the stage's pos and neg (sample_weight) at each total"
    lower, upper = interval_of_counts(pos, pos + neg, level, outside, method, names)
    # a probability is at least every lower bound at lower totals, at most every upper one above
    lower = np.maximum.accumulate(lower[::-1])[::-1]
    upper = np.minimum.accumulate(upper)
    return StageBand(
        totals=totals,
        lower=np.minimum(lower, probability),
        upper=np.maximum(upper, probability),
        is_empty=lower > upper,
        confidence=float(confidence),
        method=method,
        correction=correction,
    )
