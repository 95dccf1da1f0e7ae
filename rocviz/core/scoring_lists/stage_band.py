"""How sure the probabilities of one stage are: a band over its total scores.

Knows totals, counts and probabilities; nothing of features, scores or lists.
"""

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
from rocviz.core.roc.binomial_interval import METHODS, interval_of_counts


class IntervalOptions(TypedDict, total=False):
    """How intervals are made besides their confidence, see :func:`stage_band`."""

    method: str
    correction: str | None


@dataclass(frozen=True, eq=False)
class StageBand(Frozen):
    """Interval of the probability at every reachable total of a stage.

    What :func:`stage_band` returns; arrays have an entry for each total.

    Parameters
    ----------
    totals : ndarray of int, shape (n_totals,)
        Reachable totals in decreasing order.
    lower, upper : ndarray of float, shape (n_totals,)
        Ends of the intervals; neither rises along ``totals``, and the stage's probability
        lies between them.
    is_empty : ndarray of bool, shape (n_totals,)
        Where the monotone correction left no probability at all: the counts contradict the
        order of the totals. The interval is then what it was widened to, perhaps the bare
        probability, and says nothing of how sure that is.
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
        """Return the intervals at some totals.

        Parameters
        ----------
        totals : array-like of float, shape (n,)
            A total that is not reachable gets what the order says of it: at least the lower
            end of the next lower total, at most the upper end of the next higher one.

        Returns
        -------
        lower, upper : ndarray of float, shape (n,)

        Raises
        ------
        ValueError
            If a total is not finite.
        """
        asked = check_vector(totals, "totals")
        rising = self.totals[::-1]
        below = np.searchsorted(rising, asked, side="right")
        above = np.searchsorted(rising, asked, side="left")
        return (
            np.concatenate(([0.0], self.lower[::-1]))[below],
            np.append(self.upper[::-1], 1.0)[above],
        )

    def to_frame(self) -> DataFrame:
        """Return one row per total: columns ``total, lower, upper, is_empty``."""
        return to_frame(
            {
                "total": self.totals,
                "lower": self.lower,
                "upper": self.upper,
                "is_empty": self.is_empty,
            }
        )


def stage_band(
    totals: NDArray[np.int64],
    pos: Floats,
    neg: Floats,
    probability: Floats,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
    correction: str | None = "bonferroni",
) -> StageBand:
    """Return the band of a stage in the three steps of the paper.

    First an interval per reachable total from its own counts, [0, 1] where none occurred,
    at the level that Bonferroni's correction asks for. Then the order of the totals is used:
    a probability is at least every lower bound below it and at most every upper bound above.
    Last, intervals are widened to hold the stage's probability.

    Parameters
    ----------
    totals : ndarray of int, shape (n_totals,)
        All reachable totals, decreasing.
    pos, neg, probability : ndarray of float, shape (n_totals,)
    confidence : float, default=0.95
        Strictly between 0 and 1.
    method : {"clopper-pearson", "wilson", "jeffreys"}, default="clopper-pearson"
        See :func:`rocviz.core.roc.binomial_interval`.
    correction : {"bonferroni", None}, default="bonferroni"

    Raises
    ------
    ValueError
        If the method or the correction is unknown, or ``confidence`` not between 0 and 1.

    References
    ----------
    Hanselle et al. (2024), section 4.4, equations 10 to 13.

    Examples
    --------
    >>> import numpy as np
    >>> band = stage_band(np.array([1, 0]), np.array([8.0, 2]), np.array([2.0, 8]),
    ...                   np.array([0.8, 0.2]))
    >>> band.lower.round(3), band.upper.round(3)
    (array([0.401, 0.017]), array([0.983, 0.599]))
    """
    level = check_fraction(confidence, "confidence")
    check_choice(method, "method", METHODS)
    if correction is not None and not (isinstance(correction, str) and correction == "bonferroni"):
        raise ValueError(f"correction must be 'bonferroni' or None; got {describe(correction)}.")
    outside = (1 - level) / (totals.size if correction else 1)
    if correction and totals.size > 1:
        level = 1 - outside
    names = "the sums of the stage's pos and neg (sample_weight) at each total"
    lower, upper = interval_of_counts(pos, pos + neg, level, outside, method, names)
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
