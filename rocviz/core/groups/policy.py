"""The cheapest policy for several groups that meets a fairness criterion, from their hulls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_costs,
    check_fraction,
    check_number,
    check_prevalence,
    check_probabilities,
    check_vector,
    describe,
    list_labels,
)
from rocviz.core.groups.ranking import (
    Side,
    group_codes,
    make_sides,
    rank_groups,
)
from rocviz.core.roc.segments import RankedSegments

#: The fairness criteria, in the order of the documentation.
CRITERIA = (
    "none",
    "single_threshold",
    "demographic_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
    "predictive_parity",
)

# Tolerance for the rounding of costs, which are sums of products, and of shares.
_TIE = 16 * np.finfo(np.float64).eps
_ROUNDING = 1e-12


@dataclass(frozen=True)
class GroupRule(Frozen):
    """The rule that calls the members of a group positive.

    Parameters
    ----------
    high, low : float
        All who score at least ``high`` are called, and of those from ``low`` up to below it the
        share ``draw``, drawn at random.
    draw : float
        From 0 to 1.
    coin : float
        Share of the group, drawn at random, whose score is ignored: ``heads`` of them are called.
        Only equalized odds (and points below a hull) need it.
    heads : float
        From 0 to 1.
    """

    high: float
    low: float
    draw: float = 0.0
    coin: float = 0.0
    heads: float = 0.0

    def probability(self, y_score: ArrayLike) -> Floats:
        """Compute the probability that each score is called positive.

        Parameters
        ----------
        y_score : array-like of float, shape (n_samples,)
            Finite.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            From 0 to 1.

        Raises
        ------
        ValueError
            If the scores are invalid.

        Examples
        --------
        >>> GroupRule(high=0.7, low=0.4, draw=0.25).probability([0.8, 0.5, 0.3])
        array([1.  , 0.25, 0.  ])
        """
        score = check_vector(y_score, "y_score")
        by_score = np.where(score >= self.high, 1.0, np.where(score >= self.low, self.draw, 0.0))
        return np.asarray((1 - self.coin) * by_score + self.coin * self.heads)


@dataclass(frozen=True, eq=False)
class GroupPolicy(Frozen):
    """An operating point for each group, with the thresholds and random draws that reach it.

    Parameters
    ----------
    criterion : str
        What is promised.
    cost : float
        Expected cost per sample of the population.
    points : dict of label to (float, float)
        False and true positive rate of each group.
    rules : dict of label to GroupRule
    prevalence, population : dict of label to float
        Of each group, and its share of all people.
    cost_fp, cost_fn, tolerance : float
    """

    criterion: str
    cost: float
    points: dict[Any, tuple[float, float]]
    rules: dict[Any, GroupRule]
    prevalence: dict[Any, float]
    population: dict[Any, float]
    cost_fp: float
    cost_fn: float
    tolerance: float

    @property
    def called(self) -> dict[Any, float]:
        """Share of each group that is called positive."""
        return {
            name: self.prevalence[name] * tpr + (1 - self.prevalence[name]) * fpr
            for name, (fpr, tpr) in self.points.items()
        }

    @property
    def precision(self) -> dict[Any, float]:
        """Precision in each group; NaN for a group without positive calls."""
        return {
            name: self.prevalence[name] * self.points[name][1] / called if called > 0 else np.nan
            for name, called in self.called.items()
        }

    def probability(self, y_score: ArrayLike, groups: ArrayLike) -> Floats:
        """Compute the probability that each sample is called positive.

        Parameters
        ----------
        y_score : array-like of float, shape (n_samples,)
        groups : array-like, shape (n_samples,)

        Returns
        -------
        ndarray of float, shape (n_samples,)
            From 0 to 1.

        Raises
        ------
        ValueError
            If a group is missing or has no rule, or lengths differ.
        """
        check_aligned(y_score=y_score, groups=groups)
        score = check_vector(y_score, "y_score")
        names, code = group_codes(groups, score.size)
        unknown = [name for name in names if name not in self.rules]
        if unknown:
            raise ValueError(
                f"groups holds {list_labels(unknown)}, for which the policy has no rule; it knows "
                f"{list_labels(list(self.rules))}."
            )
        chance = np.empty(score.size)
        for i, name in enumerate(names):
            chance[code == i] = self.rules[name].probability(score[code == i])
        return chance

    def to_frame(self) -> DataFrame:
        """Tabulate one row per group: rates, cost, thresholds and draws."""
        called = self.called
        precision = self.precision
        rows = []
        for name, (fpr, tpr) in self.points.items():
            pi = self.prevalence[name]
            rule = self.rules[name]
            rows.append(
                {
                    "group": name,
                    "population": self.population[name],
                    "prevalence": pi,
                    "fpr": fpr,
                    "tpr": tpr,
                    "called": called[name],
                    "precision": precision[name],
                    "cost": self.cost_fn * pi * (1 - tpr) + self.cost_fp * (1 - pi) * fpr,
                    "high": rule.high,
                    "low": rule.low,
                    "draw": rule.draw,
                    "coin": rule.coin,
                    "heads": rule.heads,
                }
            )
        return to_frame(rows)


@dataclass(frozen=True, eq=False)
class CriterionCurve(Frozen):
    """The cost of meeting a criterion by the value that is equal in all groups.

    Parameters
    ----------
    criterion : str
    value : ndarray of float, shape (n_values,)
        Rising: the share called, the true or false positive rate, the precision, or the threshold.
    cost : ndarray of float, shape (n_values,)
        Least cost per sample of the population. Straight between neighbours, but for
        ``"predictive_parity"``, where the curve is bent, and ``"single_threshold"``, a step.
    best_value, best_cost : float
        Where it is least.
    """

    criterion: str
    value: Floats
    cost: Floats
    best_value: float
    best_cost: float


class _Equal:
    """Costs and points of groups that share one value (share called, t, f or precision).

    Along a hull the cost falls and then rises in any of these values, so that a group takes
    the value nearest to its own cheapest one within the tolerance. Over the common value the sum of
    costs is straight between vertices of hulls, or, for precision q, a sum of terms
    ``c / (q - g)`` of which at most one interior extremum is a maximum: a minimum is at a vertex.
    """

    def __init__(self, sides: list[Side], criterion: str, cost_fp: float, cost_fn: float) -> None:
        self.sides = sides
        self.criterion = criterion
        self.worth = cost_fp / (cost_fp + cost_fn)  # least precision at which a call pays
        self.value: list[Floats] = []
        self.index: list[np.ndarray[Any, Any]] = []
        for side in sides:
            pi = side.prevalence
            at = np.arange(side.fpr.size)
            if criterion == "equal_opportunity":
                value = side.tpr
                at = at[:-1] if value[-2] == value[-1] else at
            elif criterion == "predictive_equality":
                value = side.fpr
                at = at[1:] if value[0] == value[1] else at
            else:
                value = pi * side.tpr + (1 - pi) * side.fpr
                value[-1] = 1.0
                if criterion == "predictive_parity":
                    value[1:] = pi * side.tpr[1:] / value[1:]
                    at = at[:0:-1]
            self.value.append(value[at])
            self.index.append(at)
        self.best = [
            float(value[np.argmin(side.cost[at])])
            for side, value, at in zip(sides, self.value, self.index, strict=True)
        ]

    def candidates(self, tolerance: float) -> Floats:
        """List the values at which the cost may be least."""
        low = max(value[0] for value in self.value) - tolerance
        high = min(value[-1] for value in self.value)
        if low > high + _ROUNDING:
            ends = [(value[0], value[-1], side.name) for value, side in self._pairs()]
            most = max(ends, key=lambda end: end[0])
            least = min(ends, key=lambda end: end[1])
            raise ValueError(
                f"criterion={self.criterion!r} cannot be met within tolerance={tolerance:g}: "
                f"precision is at least {most[0]:.6g} in group {most[2]!r}, and at most "
                f"{least[1]:.6g} in group {least[2]!r}."
            )
        every = np.concatenate(self.value)
        every = np.unique(np.concatenate((every, every - tolerance, [low, high])))
        return np.asarray(every[(every >= min(low, high)) & (every <= high)])

    def _pairs(self) -> Any:
        return zip(self.value, self.sides, strict=True)

    def point(self, i: int, common: ArrayLike, tolerance: float) -> tuple[Floats, Floats, Floats]:
        """Compute fpr, tpr and fnr of a group for common values that start at ``common``."""
        side = self.sides[i]
        value = self.value[i]
        at = self.index[i]
        low = np.asarray(common, dtype=np.float64)
        own = np.clip(np.clip(self.best[i], low, low + tolerance), value[0], value[-1])
        k = np.clip(np.searchsorted(value, own, side="right") - 1, 0, value.size - 2)
        if value.size == 1:  # the precision of a hull without any skill
            k = np.zeros(own.shape, np.intp)
            start = at[:1]
            end = at[:1]
        else:
            start = at[:-1]
            end = at[1:]
        a = start[k]
        b = end[k]
        if self.criterion == "predictive_parity":
            # (1 - q) pi t = q (1 - pi) f, along the edge
            pos = (1 - own) * side.prevalence
            neg = own * (1 - side.prevalence)
            above = pos * side.tpr[a] - neg * side.fpr[a]
            slope = above - (pos * side.tpr[b] - neg * side.fpr[b])
            part = np.divide(above, slope, out=np.zeros(own.shape), where=slope != 0)
            part = np.clip(part, 0.0, 1.0)
        else:
            part = (own - value[k]) / (value[k + 1] - value[k])
        rates = [(1 - part) * rate[a] + part * rate[b] for rate in (side.fpr, side.tpr, side.fnr)]
        if self.criterion == "predictive_parity":
            pays = own > self.worth
            rates = [
                np.where(pays, rate, rest) for rate, rest in zip(rates, (0, 0, 1), strict=True)
            ]
        return rates[0], rates[1], rates[2]

    def cost(self, common: Floats, tolerance: float) -> Floats:
        """Compute the cost of each common value."""
        total = np.zeros(common.size)
        for i, side in enumerate(self.sides):
            fpr, _, fnr = self.point(i, common, tolerance)
            total += side.miss * fnr + side.alarm * fpr
        return total

    def around(self, i: int, value: float, tolerance: float) -> tuple[float, float]:
        """Find the feasible value nearest to ``value`` for group i, and the lowest common value.

        Common values from there on are the cheapest for the other groups.
        """
        lowest = max(each[0] for each in self.value) - tolerance
        highest = min(each[-1] for each in self.value)
        own = float(np.clip(value, lowest, highest + tolerance))
        every = self.candidates(tolerance)
        if not tolerance:
            return own, own
        low = max(own - tolerance, min(lowest, highest))
        high = min(own, highest)
        every = np.append(every[(every > low) & (every < high)], [low, high])
        total = np.zeros(every.size)
        for k, side in enumerate(self.sides):
            if k != i:
                fpr, _, fnr = self.point(k, every, tolerance)
                total += side.miss * fnr + side.alarm * fpr
        return own, float(every[_first_least(total)])

    def points(self, common: float, tolerance: float) -> list[tuple[float, float]]:
        """List fpr and tpr of all groups."""
        rates = [self.point(i, [common], tolerance) for i in range(len(self.sides))]
        return [(float(fpr[0]), float(tpr[0])) for fpr, tpr, _ in rates]


def _first_least(cost: Floats) -> int:
    return int(np.flatnonzero(cost <= cost.min() * (1 + _TIE))[0])


def _lower_envelope(sides: list[Side]) -> tuple[Floats, Floats]:
    """Compute the vertices of the lower envelope of all hulls: their own and their crossings."""
    fpr = np.array([0.0, 1.0])
    tpr = np.array([1.0, 1.0])
    for side in sides:
        every = np.unique(np.concatenate((fpr, side.fpr)))
        one = np.interp(every, fpr, tpr)
        other = side.height(every)
        gap = one - other
        cross = np.flatnonzero(gap[:-1] * gap[1:] < 0)
        part = gap[cross] / (gap[cross] - gap[cross + 1])
        x = every[cross] + part * (every[cross + 1] - every[cross])
        y = one[cross] + part * (one[cross + 1] - one[cross])
        fpr = np.concatenate((every, x))
        order = np.argsort(fpr, kind="stable")
        fpr = fpr[order]
        tpr = np.concatenate((np.minimum(one, other), y))[order]
    return fpr, tpr


def _almost_equal_odds(
    sides: list[Side], tolerance: float, held: tuple[int, float] | None = None
) -> list[tuple[float, float]]:
    """Solve the linear program over draws of hull vertices, rates within the tolerance.

    ``held`` is the place of a group and the share of it that is called.
    """
    from scipy.optimize import linprog  # slow to import
    from scipy.sparse import block_diag, csr_array, hstack, vstack

    sizes = [side.fpr.size for side in sides]
    ones = csr_array(block_diag([np.ones((1, size)) for size in sizes]))
    cost = np.concatenate([*(side.cost for side in sides), [0.0, 0.0]])
    rows = []
    for j, name in enumerate(("fpr", "tpr")):
        rate = block_diag([getattr(side, name)[None, :] for side in sides])
        low = np.zeros((len(sides), 2))
        low[:, j] = 1.0
        rows += [hstack([rate, csr_array(-low)]), hstack([-rate, csr_array(low)])]
    bound = np.tile(np.repeat([tolerance, 0.0], len(sides)), 2)
    equal = hstack([ones, csr_array((len(sides), 2))])
    sums = np.ones(len(sides))
    if held is not None:
        i, share = held
        own = sides[i]
        row = np.zeros((1, cost.size))
        called = own.prevalence * own.tpr + (1 - own.prevalence) * own.fpr
        start = sum(sizes[:i])
        row[0, start : start + sizes[i]] = called
        equal = vstack([equal, csr_array(row)])
        sums = np.append(sums, np.clip(share, called[0], called[-1]))
    program = linprog(cost, vstack(rows), bound, equal, sums, method="highs")
    parts = np.split(program.x, np.cumsum(sizes))
    return [
        (float(np.clip(part @ side.fpr, 0, 1)), float(np.clip(part @ side.tpr, 0, 1)))
        for part, side in zip(parts, sides, strict=False)
    ]


def _one_threshold(sides: list[Side]) -> tuple[Floats, Floats]:
    """List all thresholds in decreasing order, with their costs."""
    threshold = np.unique(np.concatenate([side.segments.score for side in sides]))[::-1]
    threshold = np.concatenate(([np.inf], threshold))
    cost = np.zeros(threshold.size)
    for side in sides:
        at = _cuts(side, threshold)
        cost += side.miss * side.segments.fnr[at] + side.alarm * side.segments.fpr[at]
    return threshold, cost


def _cuts(side: Side, threshold: ArrayLike) -> Any:
    """Find the vertices of a curve that belong to thresholds."""
    score = side.segments.score
    return score.size - np.searchsorted(score[::-1], threshold, side="left")


def _rule(side: Side, fpr: float, tpr: float) -> GroupRule:
    """Find the random choice of thresholds that reaches a point between hull and diagonal."""
    top = float(side.height(fpr))
    coin = 0.0
    if tpr < top - _ROUNDING and fpr > 0:
        coin = min((top - tpr) / (top - fpr), 1.0)
        tpr = top
    # along both axes at once, so that edges may be vertical or horizontal
    place = side.fpr + side.tpr
    here = np.clip(fpr + tpr, 0.0, 2.0)
    k = int(np.clip(np.searchsorted(place, here, side="right") - 1, 0, place.size - 2))
    part = float((here - place[k]) / (place[k + 1] - place[k]))
    heads = fpr if coin else 0.0
    for end, at in ((0.0, k), (1.0, k + 1)):
        if abs(part - end) < _ROUNDING:
            cut = float(side.threshold[at])
            return GroupRule(cut, cut, 0.0, coin, heads)
    high = float(side.threshold[k])
    low = float(side.threshold[k + 1])
    return GroupRule(high, low, part, coin, heads)


def _policy(
    sides: list[Side],
    points: list[tuple[float, float]],
    rules: list[GroupRule] | None,
    criterion: str,
    costs: tuple[float, float],
    tolerance: float,
) -> GroupPolicy:
    if rules is None:
        rules = [_rule(side, *point) for side, point in zip(sides, points, strict=True)]
    return GroupPolicy(
        criterion=criterion,
        cost=float(
            sum(
                side.miss * (1 - tpr) + side.alarm * fpr
                for side, (fpr, tpr) in zip(sides, points, strict=True)
            )
        ),
        points={side.name: point for side, point in zip(sides, points, strict=True)},
        rules={side.name: rule for side, rule in zip(sides, rules, strict=True)},
        prevalence={side.name: side.prevalence for side in sides},
        population={side.name: side.share for side in sides},
        cost_fp=costs[0],
        cost_fn=costs[1],
        tolerance=tolerance,
    )


def _at_threshold(sides: list[Side], threshold: float) -> tuple[list[Any], list[GroupRule]]:
    cuts = [int(_cuts(side, threshold)) for side in sides]
    points = [
        (float(side.segments.fpr[at]), float(side.segments.tpr[at]))
        for side, at in zip(sides, cuts, strict=True)
    ]
    return points, [GroupRule(threshold, threshold) for _ in sides]


def _cheapest_vertices(sides: list[Side]) -> list[tuple[float, float]]:
    at = [_first_least(side.cost) for side in sides]
    return [(float(side.fpr[k]), float(side.tpr[k])) for side, k in zip(sides, at, strict=True)]


def cost_optimal_policy(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    criterion: str = "none",
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    tolerance: float = 0.0,
    sample_weight: Weights = None,
    pos_label: Any = None,
    population: Mapping[Any, float] | None = None,
    prevalence: Mapping[Any, float] | None = None,
) -> GroupPolicy:
    """Find the cheapest policy that meets a fairness criterion.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or mapping of label to RankedSegments
        Labels of exactly two classes, both in every group. Segments by group stand for labels,
        scores, groups and weights.
    y_score : array-like of float, shape (n_samples,)
        Finite; higher means more positive.
    groups : array-like, shape (n_samples,)
        Group of each sample; none may be missing.
    criterion : str, default="none"
        - ``"none"``: nothing is promised; each group has its own cheapest threshold.
        - ``"single_threshold"``: one threshold for all.
        - ``"demographic_parity"``: the same share of each group is called.
        - ``"equal_opportunity"``: the same true positive rate.
        - ``"predictive_equality"``: the same false positive rate.
        - ``"equalized_odds"``: the same true and false positive rates.
        - ``"predictive_parity"``: the same precision. Where calls do not pay at that precision,
          nobody is called, which is what ever fewer calls of that precision come to.
    cost_fp, cost_fn : float, default=1.0
        Costs of a false alarm and of a miss; not negative and not both zero.
    tolerance : float, default=0.0
        By how much rates that are promised to be equal may differ, from 0 to 1. It has no meaning
        for the first two criteria.
    sample_weight : array-like of float, shape (n_samples,), optional
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    population : mapping of label to float, optional
        Share of each group where the policy is used, in any unit; by default that of the data.
    prevalence : mapping of label to float, optional
        Prevalence of groups where the policy is used; by default that of the data.

    Raises
    ------
    ValueError
        If an argument is invalid, a group lacks a class, or no policy has the same
        precision in all groups within the tolerance.

    Notes
    -----
    A policy gives each group a point between its hull and the diagonal; its cost is linear in
    them. Criteria of one rate need the vertices of all hulls once, and so does a tolerance; with
    precision ``q``, the cost between vertices has no minimum inside. Equalized odds need the
    vertices of the least of all hulls, and with a tolerance a linear program.

    References
    ----------
    Hardt, Price and Srebro (2016), section 4. Kleinberg, Mullainathan and Raghavan (2017).
    Chouldechova (2017), equation 2.6.

    Examples
    --------
    >>> a = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    >>> b = RankedSegments(score=[3, 2, 1], pos=[3, 1, 1], neg=[1, 4, 10])
    >>> round(cost_optimal_policy({"a": a, "b": b}).cost, 4)
    0.175
    >>> policy = cost_optimal_policy({"a": a, "b": b}, criterion="equal_opportunity")
    >>> round(policy.cost, 4), policy.rules["a"]
    (0.2, GroupRule(high=3.0, low=3.0, draw=0.0, coin=0.0, heads=0.0))
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    check_choice(criterion, "criterion", CRITERIA)
    costs = check_costs(cost_fp, cost_fn)
    tolerance = _check_tolerance(tolerance, criterion)
    sides = make_sides(rankings, *costs, population, prevalence)
    rules = None
    if criterion == "none":
        points = _cheapest_vertices(sides)
    elif criterion == "single_threshold":
        threshold, cost = _one_threshold(sides)
        points, rules = _at_threshold(sides, float(threshold[_first_least(cost)]))
    elif criterion != "equalized_odds":
        equal = _Equal(sides, criterion, *costs)
        common = equal.candidates(tolerance)
        best = common[_first_least(equal.cost(common, tolerance))]
        points = equal.points(float(best), tolerance)
    elif tolerance:
        points = _almost_equal_odds(sides, tolerance)
    else:
        fpr, tpr, cost = _equal_odds(sides)
        at = _first_least(cost)
        points = [(float(fpr[at]), float(tpr[at]))] * len(sides)
    return _policy(sides, points, rules, criterion, costs, tolerance)


def _check_tolerance(tolerance: float, criterion: str) -> float:
    tolerance = check_fraction(tolerance, "tolerance", ends=True)
    if tolerance and criterion in CRITERIA[:2]:
        raise ValueError(
            f"tolerance must be 0 with criterion={criterion!r}, which equalises no rate."
        )
    return tolerance


def _equal_odds(sides: list[Side]) -> tuple[Floats, Floats, Floats]:
    fpr, tpr = _lower_envelope(sides)
    miss = sum(side.miss for side in sides)
    alarm = sum(side.alarm for side in sides)
    return fpr, tpr, miss * (1 - tpr) + alarm * fpr


def criterion_curve(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    criterion: str = "equal_opportunity",
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    sample_weight: Weights = None,
    pos_label: Any = None,
    population: Mapping[Any, float] | None = None,
    prevalence: Mapping[Any, float] | None = None,
) -> CriterionCurve:
    """Compute the cost of meeting a criterion by the equalised value.

    Parameters
    ----------
    criterion : str, default="equal_opportunity"
        Any but ``"none"``. Over the share called, the true positive rate, the false positive rate
        (of equalized odds too), the precision, or the threshold.
    y_true, y_score, groups, cost_fp, cost_fn, sample_weight, pos_label, population, prevalence
        As for :func:`cost_optimal_policy`.

    Raises
    ------
    ValueError
        As :func:`cost_optimal_policy` does.

    Examples
    --------
    >>> a = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    >>> b = RankedSegments(score=[3, 2, 1], pos=[3, 1, 1], neg=[1, 4, 10])
    >>> curve = criterion_curve({"a": a, "b": b})
    >>> curve.value, curve.best_value
    (array([0. , 0.6, 0.8, 0.9, 1. ]), 0.6)
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    check_choice(criterion, "criterion", CRITERIA[1:])
    costs = check_costs(cost_fp, cost_fn)
    sides = make_sides(rankings, *costs, population, prevalence)
    if criterion == "single_threshold":
        value, cost = (column[:0:-1] for column in _one_threshold(sides))
    elif criterion == "equalized_odds":
        value, _, cost = _equal_odds(sides)
    else:
        equal = _Equal(sides, criterion, *costs)
        value = equal.candidates(0.0)
        if criterion == "predictive_parity":
            value = np.unique(np.concatenate((value, np.linspace(value[0], value[-1], 201))))
        cost = equal.cost(value, 0.0)
    at = _first_least(cost)
    return CriterionCurve(criterion, value, cost, float(value[at]), float(cost[at]))


def policy_through(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    group: Any,
    fpr: float,
    tpr: float,
    criterion: str = "equal_opportunity",
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    tolerance: float = 0.0,
    sample_weight: Weights = None,
    pos_label: Any = None,
    population: Mapping[Any, float] | None = None,
    prevalence: Mapping[Any, float] | None = None,
) -> GroupPolicy:
    """Move all groups with one of them, so that the criterion is met.

    Parameters
    ----------
    y_true, y_score, groups, sample_weight, pos_label
        As for :func:`cost_optimal_policy`.
    group : label
        The group whose point is given.
    fpr, tpr : float
        Its point. One above its hull, or below the diagonal, is moved there straight down or up;
        with one threshold for all, to the nearest cut.
    criterion, cost_fp, cost_fn, tolerance, population, prevalence
        As for :func:`cost_optimal_policy`.

    Returns
    -------
    GroupPolicy
        The other groups are at their cheapest points that keep the promise. With equalized odds
        all are as high as the lowest hull allows; with a tolerance of these, all are at their
        cheapest points at which as many of this group are called as at its point.

    Raises
    ------
    ValueError
        If an argument is invalid, or a group cannot have the precision of this one.

    Examples
    --------
    >>> a = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    >>> b = RankedSegments(score=[3, 2, 1], pos=[3, 1, 1], neg=[1, 4, 10])
    >>> policy_through({"a": a, "b": b}, group="a", fpr=0.3, tpr=0.9).points["b"][1]
    0.9
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    check_choice(criterion, "criterion", CRITERIA)
    costs = check_costs(cost_fp, cost_fn)
    try:
        known = group in rankings
    except TypeError:  # such as a list
        known = False
    if not known:
        raise ValueError(
            f"group must be one of {list_labels(list(rankings))}; got {describe(group)}."
        )
    fpr = check_fraction(fpr, "fpr", ends=True)
    tpr = check_fraction(tpr, "tpr", ends=True)
    tolerance = _check_tolerance(tolerance, criterion)
    sides = make_sides(rankings, *costs, population, prevalence)
    i = list(rankings).index(group)
    own = sides[i]
    rules = None
    if criterion == "single_threshold":
        one = own.segments
        at = int(np.argmin((one.fpr - fpr) ** 2 + (one.tpr - tpr) ** 2))
        points, rules = _at_threshold(sides, float(one.thresholds[at]))
        return _policy(sides, points, rules, criterion, costs, 0.0)
    tpr = min(max(tpr, fpr), float(own.height(fpr)))
    if criterion == "none":
        points = _cheapest_vertices(sides)
    elif criterion == "equalized_odds" and tolerance:
        share = own.prevalence * tpr + (1 - own.prevalence) * fpr
        points = _almost_equal_odds(sides, tolerance, (i, share))
        fpr, tpr = points[i]
    elif criterion == "equalized_odds":
        tpr = min(tpr, *(float(side.height(fpr)) for side in sides))
        points = [(fpr, tpr)] * len(sides)
    else:
        pi = own.prevalence
        common = {"equal_opportunity": tpr, "predictive_equality": fpr}.get(
            criterion, pi * tpr + (1 - pi) * fpr
        )
        equal = _Equal(sides, criterion, *costs)
        if criterion == "predictive_parity":
            common = pi * tpr / common if common > 0 else float(equal.value[i][-1])
            equal.worth = -1.0  # the other groups follow this one, even if calls do not pay
        held, low = equal.around(i, common, tolerance)  # raises with the groups that cannot meet
        if held != common:
            fpr, tpr = equal.points(held, 0.0)[i]
        points = equal.points(low, tolerance)
    points[i] = (fpr, tpr)
    return _policy(sides, points, rules, criterion, costs, tolerance)


def policy_at(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    points: Mapping[Any, tuple[float, float]] | float,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    sample_weight: Weights = None,
    pos_label: Any = None,
    population: Mapping[Any, float] | None = None,
    prevalence: Mapping[Any, float] | None = None,
) -> GroupPolicy:
    """Make the policy that reaches a chosen point in each group.

    Parameters
    ----------
    y_true, y_score, groups, sample_weight, pos_label
        As for :func:`cost_optimal_policy`.
    points : mapping of label to (float, float), or float
        False and true positive rate of every group. A point above its hull, or below the
        diagonal, is moved there straight down or up. A number is one threshold for all.
    cost_fp, cost_fn, population, prevalence
        As for :func:`cost_optimal_policy`.

    Returns
    -------
    GroupPolicy
        Its criterion is ``"none"``, or ``"single_threshold"``.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> a = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    >>> policy_at({"a": a}, points={"a": (0.2, 0.75)}).rules["a"]
    GroupRule(high=3.0, low=2.0, draw=0.5, coin=0.0, heads=0.0)
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    costs = check_costs(cost_fp, cost_fn)
    sides = make_sides(rankings, *costs, population, prevalence)
    if not isinstance(points, Mapping):
        cut = check_number(points, "points", finite=False)
        return _policy(sides, *_at_threshold(sides, cut), "single_threshold", costs, 0.0)
    missing = [name for name in rankings if name not in points]
    if missing:
        raise ValueError(f"points must have a point for group {missing[0]!r} too.")
    reached = []
    for side in sides:
        fpr, tpr = (check_fraction(rate, "points", ends=True) for rate in points[side.name])
        reached.append((fpr, min(max(tpr, fpr), float(side.height(fpr)))))
    return _policy(sides, reached, None, "none", costs, 0.0)


def common_region(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> tuple[Floats, Floats]:
    """Compute the border of the points that all groups can reach: the lower envelope of the hulls.

    Parameters
    ----------
    y_true, y_score, groups, sample_weight, pos_label
        As for :func:`cost_optimal_policy`.

    Returns
    -------
    fpr, tpr : ndarray of float, shape (n_vertices,)
        From the left; vertices of hulls and crossings of theirs.

    Raises
    ------
    ValueError
        If the data are invalid.

    References
    ----------
    Hardt, Price and Srebro (2016), section 4.

    Examples
    --------
    >>> a = RankedSegments(score=[2, 1], pos=[3, 1], neg=[1, 3])
    >>> b = RankedSegments(score=[2, 1], pos=[2, 2], neg=[0, 4])
    >>> common_region({"a": a, "b": b})
    (array([0.  , 0.2 , 0.25, 1.  ]), array([0.   , 0.6  , 0.625, 1.   ]))
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    sides = make_sides(rankings, 1.0, 1.0, None, None)
    return _lower_envelope(sides)


def fpr_of_precision(precision: ArrayLike, tpr: ArrayLike, prevalence: float) -> Floats:
    """Compute the false positive rate that a precision and a true positive rate imply.

    With ``pi`` the prevalence, ``fpr = pi / (1 - pi) * (1 - precision) / precision * tpr``. Groups
    of different prevalence cannot share all three rates, unless nobody is called or precision is 1.

    Parameters
    ----------
    precision, tpr : array-like of float, in [0, 1]
        They broadcast. A precision of 0 gives infinity, and NaN for a ``tpr`` of 0.
    prevalence : float
        From 1e-9 to 1 - 1e-9.

    Returns
    -------
    ndarray of float
        Above 1 where no classifier has these rates.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Chouldechova (2017), equation 2.6.

    Examples
    --------
    >>> fpr_of_precision(0.75, [0.6], 0.5), fpr_of_precision(0.75, [0.6], 0.2)
    (array([0.2]), array([0.05]))
    """
    pi = check_prevalence(prevalence)
    ppv, rate = (
        check_probabilities(np.ravel(value), name).reshape(np.shape(value))
        for value, name in ((precision, "precision"), (tpr, "tpr"))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(pi / (1 - pi) * ((1 - ppv) / ppv) * rate)
