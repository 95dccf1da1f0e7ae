"""How large the squared loss of a ranking can be after isotonic regression, given its AUC.

The sharp bound, the one that was printed, and rankings that refute the latter. Knows nothing of
models or plots.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import check_fraction, check_integer
from rocviz.core.roc.segments import RankedSegments, check_segments

__all__ = [
    "RankingBoundExample",
    "isotonic_loss",
    "printed_ranking_bound",
    "ranking_bound",
    "ranking_bound_examples",
    "worst_ranking",
]


def ranking_bound(auc: float, prevalence: float) -> float:
    r"""Return the most that the squared loss can be after isotonic regression, given the AUC.

    .. math:: \sqrt{\tfrac23\,\pi(1-\pi)(1-A)}

    Parameters
    ----------
    auc : float
        AUC of the ranking, ties counted one half, from 0 to 1.
    prevalence : float
        Fraction of positives, strictly between 0 and 1.

    Returns
    -------
    float
        No ranking with this AUC and prevalence has a larger mean squared difference between its
        isotonic probabilities and the labels, on the data at hand.

    See Also
    --------
    worst_ranking : A ranking that reaches the bound.
    printed_ranking_bound : As printed; false.

    Notes
    -----
    It is reached, in the limit of many samples, as long as ``1 - auc`` is at most
    ``m / (6 (1 - m))`` with ``m`` the smaller of both classes' shares: for equal classes from
    AUC 5/6 up. For low AUCs the plain ``prevalence * (1 - prevalence)``, which no isotonic fit
    exceeds, is less than this bound.

    References
    ----------
    Corrects Menon et al. (2012), Proposition 2.

    Examples
    --------
    >>> round(ranking_bound(5 / 6, 0.5), 12) == round(1 / 6, 12)
    True
    """
    return float(np.sqrt(2 / 3) * _root(auc, prevalence))


def printed_ranking_bound(auc: float, prevalence: float) -> float:
    r"""Return the bound as printed in the paper, which is false.

    .. math:: \tfrac12\sqrt{\pi(1-\pi)(1-A)}

    Its proof takes it that all pairs in the wrong order come from one complete block, positives
    all below negatives. Two rankings that refute it are in :func:`ranking_bound_examples`.

    Parameters
    ----------
    auc : float
        From 0 to 1.
    prevalence : float
        Strictly between 0 and 1.

    References
    ----------
    Menon et al. (2012), Proposition 2.

    Examples
    --------
    Scores in increasing order with the labels 1, 0, 1, 0 have AUC 1/4 and isotonic loss 1/4:

    >>> round(printed_ranking_bound(1 / 4, 1 / 2), 4)
    0.2165
    """
    return float(_root(auc, prevalence) / 2)


def isotonic_loss(segments: RankedSegments) -> float:
    """Return the mean squared difference of label and isotonic probability on the data at hand.

    Parameters
    ----------
    segments : RankedSegments

    Returns
    -------
    float
        At most ``prevalence * (1 - prevalence)``. It is the refinement loss of the hull.

    Raises
    ------
    ValueError
        If ``segments`` is no RankedSegments.

    Examples
    --------
    >>> isotonic_loss(RankedSegments.from_scores([1, 0, 1, 0], [1, 2, 3, 4]))
    0.25
    """
    hull = check_segments(segments).hull()
    return float((hull.pos * hull.neg / hull.n).sum() / hull.n_samples)


def _root(auc: float, prevalence: float) -> float:
    area = check_fraction(auc, "auc", ends=True)
    pi = check_fraction(prevalence, "prevalence")
    return float(np.sqrt(pi * (1 - pi) * (1 - area)))


@dataclass(frozen=True, eq=False)
class RankingBoundExample(Frozen):
    """A ranking, beside what both bounds say of it.

    Parameters
    ----------
    name : str
    segments : RankedSegments

    Raises
    ------
    ValueError
        If ``segments`` is no RankedSegments.
    """

    name: str
    segments: RankedSegments

    def __post_init__(self) -> None:
        check_segments(self.segments)
        super().__post_init__()

    @property
    def auc(self) -> float:
        """Area under the curve; ties count one half."""
        return self.segments.auc

    @property
    def prevalence(self) -> float:
        """Fraction of positives."""
        return self.segments.prevalence

    @cached_property
    def loss(self) -> float:
        """Squared loss of isotonic regression on these very data."""
        return isotonic_loss(self.segments)

    @property
    def bound(self) -> float:
        """Of :func:`ranking_bound`: never below the loss."""
        return ranking_bound(self.auc, self.prevalence)

    @property
    def printed_bound(self) -> float:
        """Of :func:`printed_ranking_bound`."""
        return printed_ranking_bound(self.auc, self.prevalence)


def worst_ranking(auc: float, prevalence: float, n_segments: int = 1000) -> RankedSegments:
    """Return a ranking whose isotonic loss comes as near to the bound as so many segments allow.

    In the middle of a perfect ranking lies a part with as many positives as negatives, whose
    probability falls evenly from 1 to 0.

    Parameters
    ----------
    auc : float
        Below 1, and ``1 - auc`` at most ``m / (6 (1 - m))`` with ``m`` the smaller of both
        classes' shares.
    prevalence : float
        Strictly between 0 and 1.
    n_segments : int, default=1000
        Of the part in the middle; at least 1. Its AUC is less than what was asked for by
        ``2 (1 - auc) / n_segments**2``.

    Returns
    -------
    RankedSegments
        Scores from 1 to 0, weights that add up to 1.

    Raises
    ------
    ValueError
        If no ranking of this prevalence has that AUC, or ``n_segments`` is below 1.

    Examples
    --------
    >>> example = RankingBoundExample("worst", worst_ranking(0.95, 0.3))
    >>> round(example.auc, 4), round(example.loss, 4), round(example.bound, 4)
    (0.95, 0.0837, 0.0837)
    """
    area = check_fraction(auc, "auc", ends=True)
    pi = check_fraction(prevalence, "prevalence")
    n = check_integer(n_segments, "n_segments", minimum=1)
    least = min(pi, 1 - pi)
    # a hair of room, so that 5/6 passes for equal classes
    lowest = 1 - least / (6 * (1 - least))
    if not lowest - 1e-12 <= area < 1:
        raise ValueError(
            f"auc must be at least {lowest:.6g} for this prevalence, and below 1; got {auc!r}."
        )
    mixed = min(np.sqrt(6 * pi * (1 - pi) * (1 - area)), least)
    down = (2 * np.arange(n, 0, -1) - 1) / n**2 * mixed
    pos, neg = [pi - mixed, *down, 0.0], [0.0, *down[::-1], 1 - pi - mixed]
    weight = np.add(pos, neg)
    some = weight > 1e-12
    score = np.linspace(1, 0, n + 2)
    return RankedSegments(score=score[some], pos=np.array(pos)[some], neg=np.array(neg)[some])


def ranking_bound_examples() -> tuple[RankingBoundExample, RankingBoundExample]:
    """Return two rankings whose isotonic loss exceeds the printed bound.

    Returns
    -------
    tuple of RankingBoundExample
        Four samples, in increasing order of score labelled 1, 0, 1, 0: AUC 1/4, loss 1/4. And
        probabilities spread evenly from 0 to 1 and calibrated, 5000 distinct ones: AUC 5/6 and
        loss 1/6, which the sharp bound allows and not more.

    Examples
    --------
    >>> for example in ranking_bound_examples():
    ...     print(f"{example.auc:.4f} {example.loss:.4f} {example.printed_bound:.4f}")
    0.2500 0.2500 0.2165
    0.8333 0.1667 0.1021
    """
    four = RankedSegments.from_scores([1, 0, 1, 0], [1, 2, 3, 4])
    even = worst_ranking(5 / 6, 0.5, 5000)
    return (
        RankingBoundExample("labels 1, 0, 1, 0", four),
        RankingBoundExample("evenly spread probabilities", even),
    )
