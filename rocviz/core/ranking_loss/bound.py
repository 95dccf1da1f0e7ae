"""Bounds of a ranking's squared loss after isotonic regression, given its AUC.

The largest loss there is, a simpler bound, the printed one, and rankings that reach the first or
refute the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_choice,
    check_fraction,
    check_integer,
    check_prevalence,
)
from rocviz.core.calibration.brier import refinement
from rocviz.core.roc.segments import RankedSegments, check_segments, ranked

_MIN_SHARE = 1e-14  # a smaller share of a class is rounding


def ranking_bound(auc: float, prevalence: float, *, method: str = "sharp") -> float:
    r"""Bound the squared loss after isotonic regression, given AUC and prevalence.

    With :math:`p` the share of the rarer class, :math:`q = 1 - p` and :math:`\delta = 1 - A` the
    largest loss is

    .. math::

        \begin{cases}
        \sqrt{\tfrac23\,pq\,\delta} & \delta \le \frac{p}{6q} \\
        p\,\frac{18q\delta + p}{18q\delta + 9p}
        & \frac{p}{6q} \le \delta \le \frac13 - \frac{p}{6q} \\
        pq\left(1 - 3pq(1 - 2\delta)^2\right) & \frac13 - \frac{p}{6q} \le \delta \le \frac12 \\
        pq & \delta \ge \frac12
        \end{cases}

    Parameters
    ----------
    auc : float
        AUC of the ranking, ties counted one half, from 0 to 1.
    prevalence : float
        Fraction of positives, from 1e-9 to 1 - 1e-9.
    method : {"sharp", "simple", "printed"}, default="sharp"
        ``"sharp"``: the largest loss there is. ``"simple"``: its first case by itself,
        :math:`\sqrt{\tfrac23\,pq\,\delta}`, which holds for every AUC and is reached from the one
        that :func:`simple_bound_reach` gives. ``"printed"``: the bound of the paper,
        :math:`\tfrac12\sqrt{pq\,\delta}`, which is false: its proof assumes that all pairs in the
        wrong order come from one complete block, positives all below negatives.

    Returns
    -------
    float
        The largest loss is from 0 to ``prevalence * (1 - prevalence)``. No ranking with this AUC
        and prevalence has a larger mean squared difference between its isotonic probabilities
        and the labels on the data at hand, and :func:`worst_ranking` comes as close to it as
        wanted.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    worst_ranking : A ranking that reaches the largest loss.
    ranking_bound_examples : Two rankings that refute the printed bound.
    ranking_regret : The same for true probabilities, where they are known.

    Notes
    -----
    The largest loss is derived for rocviz; the proof is in the documentation, "How much an AUC
    allows". Ties must count one half: a ranking that ties all samples would have AUC 1 if they
    counted as right, and its loss is ``prevalence * (1 - prevalence)``.

    References
    ----------
    Corrects Menon et al. (2012), Proposition 2.

    Examples
    --------
    >>> round(ranking_bound(5 / 6, 0.5), 12) == round(1 / 6, 12)
    True
    >>> [round(ranking_bound(auc, 0.2), 4) for auc in (1.0, 0.97, 0.8, 0.6, 0.5)]
    [0.0, 0.0566, 0.1316, 0.1569, 0.16]

    Scores in increasing order with the labels 1, 0, 1, 0 have AUC 1/4 and isotonic loss 1/4:

    >>> round(ranking_bound(1 / 4, 1 / 2, method="printed"), 4)
    0.2165
    """
    check_choice(method, "method", tuple(_BOUNDS))
    area = check_fraction(auc, "auc", ends=True)
    pi = check_prevalence(prevalence)
    return _BOUNDS[method](1 - area, min(pi, 1 - pi), max(pi, 1 - pi))


def simple_bound_reach(prevalence: float) -> float:
    """Find the least AUC from which on the simple bound is sharp.

    Parameters
    ----------
    prevalence : float
        Strictly between 0 and 1.

    Returns
    -------
    float
        ``1 - p / (6 (1 - p))`` with ``p`` the share of the rarer class.

    Raises
    ------
    ValueError
        If the prevalence is not from 1e-9 to 1 - 1e-9.

    Examples
    --------
    >>> round(simple_bound_reach(0.5), 4), round(simple_bound_reach(0.1), 4)
    (0.8333, 0.9815)
    """
    pi = check_prevalence(prevalence)
    no_jump, _ = _form_changes(min(pi, 1 - pi))
    return 1 - no_jump


def isotonic_loss(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> float:
    """Compute the mean squared difference of label and isotonic probability on the same data.

    It is the refinement loss of the hull, at most ``prevalence * (1 - prevalence)``.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.

    Raises
    ------
    ValueError
        If the data are invalid.

    Examples
    --------
    >>> isotonic_loss([1, 0, 1, 0], [1, 2, 3, 4])
    0.25
    """
    return refinement(ranked(y_true, y_score, sample_weight, pos_label).hull())


def largest_loss(delta: float, p: float, q: float) -> float:
    """Compute the largest loss; ``p`` is the share of the rarer class, ``delta`` is 1 - AUC."""
    if delta >= 0.5:
        return p * q
    no_jump, no_flat_end = _form_changes(p)
    if delta <= no_jump:
        return _simple_bound(delta, p, q)
    if delta <= no_flat_end:
        return p * (18 * q * delta + p) / (18 * q * delta + 9 * p)
    return p * q * (1 - 3 * p * q * (1 - 2 * delta) ** 2)


def _simple_bound(delta: float, p: float, q: float) -> float:
    return sqrt(2 / 3 * p * q * delta)


def _printed_bound(delta: float, p: float, q: float) -> float:
    return sqrt(p * q * delta) / 2


_BOUNDS = {"sharp": largest_loss, "simple": _simple_bound, "printed": _printed_bound}


def _form_changes(p: float) -> tuple[float, float]:
    """Find where the form of the worst curve changes, as ``1 - auc``; ``p`` is the rarer share.

    Up to the first it begins with a jump, up to the second it ends flat.
    """
    odds = p / (1 - p)
    return odds / 6, 1 / 3 - odds / 6


@dataclass(frozen=True, eq=False)
class RankingBoundExample(Frozen):
    """A ranking with the bounds on its loss.

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
        """Squared loss of isotonic regression on the same data."""
        return isotonic_loss(self.segments)

    @property
    def bound(self) -> float:
        """Sharp bound (:func:`ranking_bound`), never below the loss."""
        return ranking_bound(self.auc, self.prevalence)

    @property
    def simple_bound(self) -> float:
        """Simple bound (:func:`ranking_bound`), never below the sharp one."""
        return ranking_bound(self.auc, self.prevalence, method="simple")

    @property
    def printed_bound(self) -> float:
        """Bound as printed in the paper (:func:`ranking_bound`)."""
        return ranking_bound(self.auc, self.prevalence, method="printed")


def worst_ranking(auc: float, prevalence: float, n_segments: int = 1000) -> RankedSegments:
    """Construct a ranking whose isotonic loss is as near to the sharp bound as its segments allow.

    For AUCs above one half the probability of the more frequent class grows along the curve in
    proportion to the root of that class's rate, counted from some point before the curve begins.
    Where the AUC is high, a part of the rarer class is ranked before all that and a part of the
    other class after it, without a mistake. For AUCs up to one half the loss is that of
    predicting the prevalence, and two segments are enough.

    Parameters
    ----------
    auc, prevalence
        As for :func:`ranking_bound`.
    n_segments : int, default=1000
        Of the curved part; at least 1. The AUC is less than what was asked for by at most
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
    >>> for auc in (0.95, 0.8, 0.6):
    ...     example = RankingBoundExample("worst", worst_ranking(auc, 0.3))
    ...     print(f"{example.auc:.4f} {example.loss:.4f} {example.bound:.4f}")
    0.9500 0.0837 0.0837
    0.8000 0.1621 0.1621
    0.6000 0.2047 0.2047
    """
    delta = 1 - check_fraction(auc, "auc", ends=True)
    p = min(check_prevalence(prevalence), 1 - prevalence)
    n = check_integer(n_segments, "n_segments", minimum=1)
    check_effort(numbers=20 * n, n_segments=n)
    rare, other = _worst_curve(delta, p, n) if delta < 0.5 else _all_pooled(float(auc), p)
    if prevalence <= 0.5:
        pos = rare
        neg = other
    else:
        pos = other[::-1]
        neg = rare[::-1]
    occupied = pos + neg > 0
    score = np.linspace(1, 0, pos.size)
    with prefix_error_with("prevalence"):
        return RankedSegments(score=score[occupied], pos=pos[occupied], neg=neg[occupied])


def _all_pooled(area: float, p: float) -> tuple[Floats, Floats]:
    """Build two segments with this area whose hull is the diagonal; ``p`` is the rarer share."""
    return p * np.array([area, 1 - area]), (1 - p) * np.array([1 - area, area])


def _worst_curve(delta: float, p: float, n: int) -> tuple[Floats, Floats]:
    """Compute both classes' segment weights along the extremal curve, the rarer class first.

    The rarer class has the share ``p``, and the curve lacks ``delta`` of an area of 1. Along the
    curve, ``u`` is the root of ``f + a``, with ``f`` the rate of the other class, and the curve's
    mixed weight per unit of ``f`` is ``k / u``.
    """
    q = 1 - p
    odds = p / q
    no_jump, no_flat_end = _form_changes(p)
    jump = first = 0.0
    if delta <= no_jump:
        length = top = (6 * odds * delta) ** 0.25
        jump = 1 - sqrt(6 * (delta / odds))
    elif delta <= no_flat_end:
        length = top = sqrt(odds)
        first = (6 * delta / length - length) / 4
    else:
        length = sqrt(6 * p * (0.5 - delta))
        first = (1 / length - length) / 2
        top = (odds / length + length) / 2
    # where u is half-way between two points of the curve; k is q times first + top
    middle = length * (np.arange(n) + 0.5) / n
    other = 2 * q * length / n * (first + middle)
    rare = 2 * q * length / n * np.maximum(top - middle, 0)
    flat_end = 1 - length * (2 * first + length)
    if jump <= _MIN_SHARE:
        jump = 0.0
    if flat_end <= _MIN_SHARE:
        flat_end = 0.0
    return np.concatenate(([p * jump], rare, [0.0])), np.concatenate(([0.0], other, [q * flat_end]))


def ranking_bound_examples() -> tuple[RankingBoundExample, RankingBoundExample]:
    """Construct two rankings whose isotonic loss exceeds the printed bound.

    Returns
    -------
    tuple of RankingBoundExample
        Four samples, in increasing order of score labelled 1, 0, 1, 0: AUC 1/4, loss 1/4. And
        probabilities spread evenly from 0 to 1 and calibrated, 5000 distinct ones: AUC 5/6 and
        loss 1/6, which is all that the true bound allows.

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
