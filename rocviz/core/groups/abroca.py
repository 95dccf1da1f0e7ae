"""The area between the ROC curves of two groups, and a test of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.blocks import totals_below
from rocviz.core.base.effort import MAX_SECONDS_OF_DRAWS, check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Floats, Seed, check_integer, check_random_state, describe
from rocviz.core.comparison.auc_covariance import holm
from rocviz.core.groups.ranking import rank_groups
from rocviz.core.roc.segments import RankedSegments

# Places that differ by less are equal up to rounding.
_PLACE_DECIMALS = 12
# of one permutation
_SECONDS_PER_PAIR = 3e-4
_SECONDS_PER_SCORE = 8e-7


@dataclass(frozen=True, eq=False)
class ABROCA(Frozen):
    """Areas between the ROC curves of all pairs of groups.

    Parameters
    ----------
    pairs : tuple of (label, label)
    area : ndarray of float, shape (n_pairs,)
        Integral of the absolute difference of the two curves over the false positive rate.
    p_value : ndarray of float, shape (n_pairs,)
        How often groups drawn at random within each class have an area as large; above 0.
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

    The area is hardly ever 0 on data, even where both groups have the same true curve; only the
    test says whether it can be chance. It tests whether the curves are equal: groups may differ in
    how high they score and in their prevalence.

    Parameters
    ----------
    y_true, y_score, groups, pos_label
        As for :func:`cost_optimal_policy`; samples are counted, so segments must have whole
        numbers.
    n_permutations : int, default=1000
        From 100. In each, the samples of either class are dealt to the two groups at random, as
        many as these have, on the scale of their places in their own group; the p-value counts the
        data themselves as one more.
    random_state : int, RandomState, Generator or None, default=None
        Source of the random numbers.

    Raises
    ------
    ValueError
        If an argument is invalid, there are fewer than two groups, or so many that testing all
        pairs would take too long.

    Notes
    -----
    Scores of two groups with equal curves can be exchanged only if they have the same laws. So each
    score is replaced by its place in its own group, weighted so that both groups have the same
    class mix, which changes no curve. In simulations of equal curves with other laws (shifts,
    scales, prevalences; 10 to 120 samples of a class), the test at a level of 5 % rejects 2 to 8 %;
    it would reject 2 to 20 % on the scale of the scores. Only scores without ties were simulated.
    Samples are dealt one by one. No such test is known for samples that come in clusters, such as a
    patient's rows; with these, this test rejects too often.

    References
    ----------
    Gardner, Brooks and Baker (2019). Venkatraman (2000).

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
    for name, segments in rankings.items():
        counts = np.stack((segments.pos, segments.neg))
        if (counts != np.rint(counts)).any():
            raise ValueError(f"y_true[{describe(name)}] must have whole numbers of samples.")
    n_groups = len(rankings)
    n_pairs = n_groups * (n_groups - 1) // 2
    n_scores = sum(segments.score.size for segments in rankings.values())
    # each group is in a pair with every other one
    seconds = _SECONDS_PER_PAIR * n_pairs + _SECONDS_PER_SCORE * (n_groups - 1) * n_scores
    check_effort(
        seconds=n * seconds,
        numbers=8 * n_scores + 10 * n_pairs,
        max_seconds=MAX_SECONDS_OF_DRAWS,
        advice="ask for fewer permutations, or join groups",
        n_permutations=n,
        groups=f"{n_groups} values",
    )
    pairs = tuple(combinations(rankings, 2))
    area = np.empty(len(pairs))
    p_value = np.empty(len(pairs))
    for i, (a, b) in enumerate(pairs):
        area[i], p_value[i] = _test_pair(rankings[a], rankings[b], n, rng)
    return ABROCA(pairs, area, p_value, holm(p_value))


def _test_pair(
    a: RankedSegments, b: RankedSegments, n_permutations: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Compute the area between two curves, and its p-value by permutation."""
    place_a, place_b = _places(a, b, rng)
    place = np.union1d(place_a, place_b)
    pos_a = _align(a.pos, place_a, place)
    neg_a = _align(a.neg, place_a, place)
    pos_b = _align(b.pos, place_b, place)
    neg_b = _align(b.neg, place_b, place)
    area = _area_between(pos_a, neg_a, pos_b, neg_b)
    pos = (pos_a + pos_b).astype(np.int64)
    neg = (neg_a + neg_b).astype(np.int64)
    n_pos = int(pos_a.sum())
    n_neg = int(neg_a.sum())
    n_as_large = 1
    for _ in range(n_permutations):
        drawn_pos = rng.multivariate_hypergeometric(pos, n_pos, method="marginals")
        drawn_neg = rng.multivariate_hypergeometric(neg, n_neg, method="marginals")
        drawn_area = _area_between(drawn_pos, drawn_neg, pos - drawn_pos, neg - drawn_neg)
        if drawn_area >= area * (1 - 1e-12):
            n_as_large += 1
    return area, n_as_large / (n_permutations + 1)


def _places(
    a: RankedSegments, b: RankedSegments, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Replace each score by its place in its own group, if both had the same class mix.

    Where both curves are equal, places have one law for each class in both groups, whatever the
    laws of the scores are. Places that both groups have are put in a random order.

    References
    ----------
    Venkatraman (2000).
    """
    pos_share = (a.n_pos + b.n_pos) / (a.n_samples + b.n_samples)
    places = []
    for group in (a, b):
        below_pos = (totals_below(group.pos)[:-1] - group.pos / 2) / group.n_pos
        below_neg = (totals_below(group.neg)[:-1] - group.neg / 2) / group.n_neg
        place = pos_share * below_pos + (1 - pos_share) * below_neg
        places.append(np.round(place, _PLACE_DECIMALS))
    distinct = np.unique(np.concatenate(places))
    gap = float(np.diff(distinct).min()) if distinct.size > 1 else 1.0
    place_a, place_b = (place + gap / 2 * rng.random(place.size) for place in places)
    return place_a, place_b


def _align(counts: Floats, place: Floats, common_places: Floats) -> Floats:
    """Align the counts of a group's segments on increasing common places, and reverse them."""
    aligned = np.zeros(common_places.size)
    aligned[np.searchsorted(common_places, place)] = counts
    return aligned[::-1]


def _area_between(pos_a: Any, neg_a: Any, pos_b: Any, neg_b: Any) -> float:
    """Integrate the absolute difference of two curves, straight between their vertices."""
    curve_a = _curve(pos_a, neg_a)
    curve_b = _curve(pos_b, neg_b)
    x = np.union1d(curve_a[0], curve_b[0])
    lowest_a, highest_a = _heights(curve_a, x)
    lowest_b, highest_b = _heights(curve_b, x)
    # a stretch starts at the greatest height where a curve is vertical, and ends at the least
    start = (highest_a - highest_b)[:-1]
    end = (lowest_a - lowest_b)[1:]
    width = np.diff(x)
    size = np.abs(start) + np.abs(end)
    crosses = start * end < 0
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(crosses, (start**2 + end**2) / (2 * size), size / 2)
    return float(width @ mean)


def _heights(curve: tuple[Floats, Floats, Floats], x: Floats) -> tuple[Floats, Floats]:
    """Compute the least and the greatest height of a curve at increasing rates ``x``."""
    fpr, low, high = curve
    k = np.minimum(np.searchsorted(fpr, x), fpr.size - 1)
    is_vertex = fpr[k] == x
    between = np.interp(x, np.repeat(fpr, 2), np.column_stack((low, high)).ravel())
    return np.where(is_vertex, low[k], between), np.where(is_vertex, high[k], between)


def _curve(pos: Any, neg: Any) -> tuple[Floats, Floats, Floats]:
    """List a curve's distinct false positive rates, with its least and greatest height at each."""
    fpr = np.concatenate(([0.0], np.cumsum(neg))) / neg.sum()
    tpr = np.concatenate(([0.0], np.cumsum(pos))) / pos.sum()
    first = np.concatenate(([True], fpr[1:] > fpr[:-1]))
    last = np.concatenate((first[1:], [True]))
    return fpr[first], tpr[first], tpr[last]
