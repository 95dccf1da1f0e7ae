"""The area between the ROC curves of two groups, and a test of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Floats, Seed, check_integer, check_random_state
from rocviz.core.comparison.auc_covariance import holm
from rocviz.core.groups.ranking import rank_groups
from rocviz.core.roc.segments import RankedSegments


@dataclass(frozen=True, eq=False)
class ABROCA(Frozen):
    """Areas between the ROC curves of all pairs of groups.

    Parameters
    ----------
    pairs : tuple of (label, label)
    area : ndarray of float, shape (n_pairs,)
        Integral of the absolute difference of the two curves over the false positive rate.
    p_value : ndarray of float, shape (n_pairs,)
        How often groups drawn at random within each class have an area as large.
    p_holm : ndarray of float, shape (n_pairs,)
        Holm's correction for the number of pairs.
    """

    pairs: tuple[tuple[Any, Any], ...]
    area: Floats
    p_value: Floats
    p_holm: Floats

    def to_frame(self) -> DataFrame:
        """Tabulate one row per pair of groups."""
        return to_frame(
            {
                "group_a": [a for a, _ in self.pairs],
                "group_b": [b for _, b in self.pairs],
                "area": self.area,
                "p_value": self.p_value,
                "p_holm": self.p_holm,
            }
        )


def abroca(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    n_permutations: int = 1000,
    pos_label: Any = None,
    random_state: Seed = None,
) -> ABROCA:
    """Compute the area between ROC curves of every pair of groups, and test it by permutation.

    The area is never 0 on data, even where both groups have the same true curve; only the test says
    whether it can be chance.

    Parameters
    ----------
    y_true, y_score, groups, pos_label
        As for :func:`cost_optimal_policy`; samples are counted, so segments must have whole
        numbers.
    n_permutations : int, default=1000
        From 100. In each, the samples of either class are dealt to the two groups at random, as
        many as these have; the p-value counts the data themselves as one more.
    random_state : int, RandomState, Generator or None, default=None
        Source of the random numbers.

    Raises
    ------
    ValueError
        If an argument is invalid, or there are fewer than two groups.

    References
    ----------
    Gardner, Brooks and Baker (2019).

    Examples
    --------
    >>> a = RankedSegments(score=[3, 2, 1], pos=[60, 30, 10], neg=[10, 20, 70])
    >>> b = RankedSegments(score=[3, 2, 1], pos=[30, 10, 10], neg=[10, 40, 100])
    >>> result = abroca({"a": a, "b": b}, n_permutations=200, random_state=0)
    >>> result.area.round(4), bool(result.p_value[0] > 0.05)
    (array([0.06]), True)
    """
    rankings = rank_groups(y_true, y_score, groups, None, pos_label)
    n = check_integer(n_permutations, "n_permutations", minimum=100)
    rng = check_random_state(random_state)
    if len(rankings) < 2:
        raise ValueError("groups must hold at least two groups.")
    for name, one in rankings.items():
        if not all(np.array_equal(side, np.rint(side)) for side in (one.pos, one.neg)):
            raise ValueError(f"y_true[{name!r}] must hold whole numbers of samples.")
    pairs = tuple(combinations(rankings, 2))
    n_scores = sum(one.score.size for one in rankings.values())
    check_draws(n * len(pairs), n_scores, 8 * n_scores, n_permutations=n)
    area = np.empty(len(pairs))
    p_value = np.empty(len(pairs))
    for i, (a, b) in enumerate(pairs):
        score = np.union1d(rankings[a].score, rankings[b].score)
        counts = [
            _aligned(getattr(rankings[name], side), rankings[name].score, score)
            for name in (a, b)
            for side in ("pos", "neg")
        ]
        area[i] = _area_between(*counts)
        pos = counts[0] + counts[2]
        neg = counts[1] + counts[3]
        as_large = 1
        for _ in range(n):
            one_pos, one_neg = (
                rng.multivariate_hypergeometric(
                    side.astype(np.int64), int(own.sum()), method="marginals"
                )
                for side, own in ((pos, counts[0]), (neg, counts[1]))
            )
            drawn = _area_between(one_pos, one_neg, pos - one_pos, neg - one_neg)
            as_large += drawn >= area[i] * (1 - 1e-12)
        p_value[i] = as_large / (n + 1)
    return ABROCA(pairs, area, p_value, holm(p_value))


def _aligned(count: Floats, score: Floats, every: Floats) -> Floats:
    """Align the counts of two groups' segments on their common decreasing scores."""
    aligned = np.zeros(every.size)
    aligned[np.searchsorted(every, score)] = count
    return aligned[::-1]


def _area_between(pos_a: Any, neg_a: Any, pos_b: Any, neg_b: Any) -> float:
    """Integrate the absolute difference of two curves, straight between their vertices."""
    curves = [_curve(pos_a, neg_a), _curve(pos_b, neg_b)]
    x = np.union1d(curves[0][0], curves[1][0])
    # heights from the left and from the right, which differ where a curve is vertical
    starts = []
    ends = []
    for fpr, low, high in curves:
        k = np.searchsorted(fpr, x)
        on = fpr[np.minimum(k, fpr.size - 1)] == x
        between = np.interp(x, np.repeat(fpr, 2), np.column_stack((low, high)).ravel())
        starts.append(np.where(on, high[np.minimum(k, fpr.size - 1)], between))
        ends.append(np.where(on, low[np.minimum(k, fpr.size - 1)], between))
    d0 = (starts[0] - starts[1])[:-1]
    d1 = (ends[0] - ends[1])[1:]
    width = np.diff(x)
    size = np.abs(d0) + np.abs(d1)
    crossing = d0 * d1 < 0
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(crossing, (d0**2 + d1**2) / (2 * size), size / 2)
    return float(width @ mean)


def _curve(pos: Any, neg: Any) -> tuple[Floats, Floats, Floats]:
    """List a curve's distinct false positive rates, with its least and greatest height at each."""
    fpr = np.concatenate(([0.0], np.cumsum(neg))) / neg.sum()
    tpr = np.concatenate(([0.0], np.cumsum(pos))) / pos.sum()
    first = np.concatenate(([True], fpr[1:] > fpr[:-1]))
    last = np.concatenate((first[1:], [True]))
    return fpr[first], tpr[first], tpr[last]
