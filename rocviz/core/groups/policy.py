"""The cost-optimal policy for several groups that meets a fairness criterion, from their hulls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_costs,
    check_fraction,
    check_number,
    check_numbers,
    check_prevalence,
    check_probabilities,
    check_sequence,
    check_vector,
    describe,
    list_labels,
    number_categories,
)
from rocviz.core.groups.ranking import (
    GroupHull,
    rank_groups,
    weighted_hulls,
)
from rocviz.core.roc.metrics import find_metric
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

#: The rates that a criterion makes equal, by the names of metrics; other criteria equalise none.
EQUALISED_RATES = {
    "demographic_parity": ("predicted_positive_rate",),
    "equal_opportunity": ("tpr",),
    "predictive_equality": ("fpr",),
    "equalized_odds": ("tpr", "fpr"),
    "predictive_parity": ("precision",),
}

#: False and true positive rate.
Point: TypeAlias = tuple[float, float]

_COST_TOLERANCE = 16 * np.finfo(np.float64).eps  # of the rounding of costs, sums of products
_ROUNDING_TOLERANCE = 1e-12  # of shares


@dataclass(frozen=True)
class GroupRule(Frozen):
    """The rule that predicts which members of a group are positive.

    Parameters
    ----------
    upper_threshold, lower_threshold : float
        All who score at least the upper one are predicted positive, and of those from the lower
        one up to below it a share that is drawn at random.
    share_between : float
        That share, from 0 to 1.
    ignored_share : float
        Share of the group, drawn at random, whose score is ignored, from 0 to 1. Only equalized
        odds (and points below a hull) need it.
    ignored_positive_share : float
        Share of these, drawn at random, that is predicted positive, from 0 to 1.

    Raises
    ------
    ValueError
        If a value is out of its range, or the upper threshold is below the lower one.
    """

    upper_threshold: float
    lower_threshold: float
    share_between: float = 0.0
    ignored_share: float = 0.0
    ignored_positive_share: float = 0.0

    def __post_init__(self) -> None:
        for name in ("upper_threshold", "lower_threshold"):
            threshold = check_number(getattr(self, name), name, finite=False)
            object.__setattr__(self, name, threshold)
        for name in ("share_between", "ignored_share", "ignored_positive_share"):
            share = check_fraction(getattr(self, name), name, ends=True)
            object.__setattr__(self, name, share)
        if self.upper_threshold < self.lower_threshold:
            raise ValueError(
                f"upper_threshold must be at least lower_threshold, {self.lower_threshold:g}; got "
                f"{self.upper_threshold:g}."
            )

    def probability(self, y_score: ArrayLike) -> Floats:
        """Compute the probability that each score is predicted positive.

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
        >>> rule = GroupRule(upper_threshold=0.7, lower_threshold=0.4, share_between=0.25)
        >>> rule.probability([0.8, 0.5, 0.3])
        array([1.  , 0.25, 0.  ])
        """
        score = check_vector(y_score, "y_score")
        by_score = np.where(score >= self.lower_threshold, self.share_between, 0.0)
        by_score[score >= self.upper_threshold] = 1.0
        ignored = self.ignored_share * self.ignored_positive_share
        return np.asarray((1 - self.ignored_share) * by_score + ignored)


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
    points: dict[Any, Point]
    rules: dict[Any, GroupRule]
    prevalence: dict[Any, float]
    population: dict[Any, float]
    cost_fp: float
    cost_fn: float
    tolerance: float

    @property
    def predicted_positive_rate(self) -> dict[Any, float]:
        """Share of each group that is predicted positive."""
        rates = {}
        for name, (fpr, tpr) in self.points.items():
            prevalence = self.prevalence[name]
            rates[name] = prevalence * tpr + (1 - prevalence) * fpr
        return rates

    @property
    def precision(self) -> dict[Any, float]:
        """Precision in each group; NaN for a group of which nobody is predicted positive."""
        precision = {}
        for name, rate in self.predicted_positive_rate.items():
            _, tpr = self.points[name]
            precision[name] = self.prevalence[name] * tpr / rate if rate > 0 else np.nan
        return precision

    def rate(self, metric: str) -> dict[Any, float]:
        """Compute a metric in each group.

        Parameters
        ----------
        metric : str
            Any name of a metric, see :data:`rocviz.core.roc.metrics.METRICS`.

        Returns
        -------
        dict of label to float

        Raises
        ------
        ValueError
            If no metric has that name.
        """
        row, options = find_metric(metric)
        rates = {}
        for name, (fpr, tpr) in self.points.items():
            pi = self.prevalence[name]
            cells = pi * tpr, (1 - pi) * fpr, pi * (1 - tpr), (1 - pi) * (1 - fpr)
            rates[name] = float(row(*cells, **options))
        return rates

    def probability(self, y_score: ArrayLike, groups: ArrayLike) -> Floats:
        """Compute the probability that each sample is predicted positive.

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
        names, code = number_categories(groups, score.size, "groups")
        unknown = [name for name in names if name not in self.rules]
        if unknown:
            raise ValueError(
                f"groups holds {list_labels(unknown)}, for which the policy has no rule; it knows "
                f"{list_labels(list(self.rules))}."
            )
        probability = np.empty(score.size)
        for i, name in enumerate(names):
            members = code == i
            probability[members] = self.rules[name].probability(score[members])
        return probability

    def to_frame(self) -> DataFrame:
        """Tabulate one row per group: rates, cost, thresholds and draws."""
        predicted_positive_rate = self.predicted_positive_rate
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
                    "predicted_positive_rate": predicted_positive_rate[name],
                    "precision": precision[name],
                    "cost": self.cost_fn * pi * (1 - tpr) + self.cost_fp * (1 - pi) * fpr,
                    "upper_threshold": rule.upper_threshold,
                    "lower_threshold": rule.lower_threshold,
                    "share_between": rule.share_between,
                    "ignored_share": rule.ignored_share,
                    "ignored_positive_share": rule.ignored_positive_share,
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
        Rising: the share predicted positive, the true or false positive rate, the precision, or
        the threshold, of which the last is infinite: it predicts that nobody is positive.
    cost : ndarray of float, shape (n_values,)
        Lowest cost per sample of the population. Straight between neighbours, but for
        ``"predictive_parity"``, where the curve is bent, and ``"single_threshold"``, a step.
    best_value, best_cost : float
        Where it is lowest.
    """

    criterion: str
    value: Floats
    cost: Floats
    best_value: float
    best_cost: float


class _EqualValues:
    """Costs and points of groups that share one value: predicted share, TPR, FPR or precision.

    Along a hull the cost falls and then rises in any of these values, so that a group takes
    the value nearest to its own cost-optimal one within the tolerance. Over the common value the
    sum of costs is straight between vertices of hulls, or, for precision q, a sum of terms
    ``c / (q - g)`` of which at most one interior extremum is a maximum: a minimum is at a vertex.
    """

    def __init__(
        self, hulls: list[GroupHull], criterion: str, cost_fp: float, cost_fn: float
    ) -> None:
        self.hulls = hulls
        self.criterion = criterion
        # least precision at which positive predictions lower the cost
        self.break_even_precision = cost_fp / (cost_fp + cost_fn)
        self.values: list[Floats] = []  # rising along the vertices of each hull
        self.vertices: list[NDArray[np.intp]] = []
        self.best_values: list[float] = []
        for hull in hulls:
            values, vertices = _values_along(hull, criterion)
            self.values.append(values)
            self.vertices.append(vertices)
            self.best_values.append(float(values[np.argmin(hull.cost[vertices])]))

    @property
    def lowest(self) -> float:
        """Lowest value that every group can have."""
        return max(float(values[0]) for values in self.values)

    @property
    def highest(self) -> float:
        """Highest value that every group can have."""
        return min(float(values[-1]) for values in self.values)

    def candidates(self, tolerance: float) -> Floats:
        """List the common values at which the cost may be lowest."""
        low = self.lowest - tolerance
        high = self.highest
        if low > high + _ROUNDING_TOLERANCE:
            first = int(np.argmax([values[0] for values in self.values]))
            last = int(np.argmin([values[-1] for values in self.values]))
            raise ValueError(
                f"criterion={describe(self.criterion)} cannot be met within "
                f"tolerance={tolerance:g}: precision is at least {self.values[first][0]:.6g} in "
                f"group {describe(self.hulls[first].name)}, and at most "
                f"{self.values[last][-1]:.6g} in group {describe(self.hulls[last].name)}."
            )
        values = np.concatenate(self.values)
        values = np.unique(np.concatenate((values, values - tolerance, [low, high])))
        return np.asarray(values[(values >= min(low, high)) & (values <= high)])

    def rates(self, i: int, common: ArrayLike, tolerance: float) -> tuple[Floats, Floats, Floats]:
        """Compute fpr, tpr and fnr of a group for common values that start at ``common``."""
        hull = self.hulls[i]
        values = self.values[i]
        vertices = self.vertices[i]
        low = np.asarray(common, dtype=np.float64)
        own = np.clip(self.best_values[i], low, low + tolerance)
        own = np.clip(own, values[0], values[-1])
        if values.size == 1:  # the precision of a hull without any skill
            edge = np.zeros(own.shape, np.intp)
            starts = vertices
            ends = vertices
        else:
            edge = np.clip(np.searchsorted(values, own, side="right") - 1, 0, values.size - 2)
            starts = vertices[:-1]
            ends = vertices[1:]
        start = starts[edge]
        end = ends[edge]
        if self.criterion == "predictive_parity":
            position = _position_of_precision(hull, own, start, end)
        else:
            position = (own - values[edge]) / (values[edge + 1] - values[edge])
        fpr = (1 - position) * hull.fpr[start] + position * hull.fpr[end]
        tpr = (1 - position) * hull.tpr[start] + position * hull.tpr[end]
        fnr = (1 - position) * hull.fnr[start] + position * hull.fnr[end]
        if self.criterion == "predictive_parity":
            pays = own > self.break_even_precision
            fpr = np.where(pays, fpr, 0)
            tpr = np.where(pays, tpr, 0)
            fnr = np.where(pays, fnr, 1)
        return fpr, tpr, fnr

    def cost_of_group(self, i: int, common: Floats, tolerance: float) -> Floats:
        """Compute the cost of a group for each common value."""
        fpr, _, fnr = self.rates(i, common, tolerance)
        return self.hulls[i].miss_cost * fnr + self.hulls[i].false_alarm_cost * fpr

    def cost(self, common: Floats, tolerance: float) -> Floats:
        """Compute the cost of each common value."""
        total = np.zeros(common.size)
        for i in range(len(self.hulls)):
            total += self.cost_of_group(i, common, tolerance)
        return total

    def nearest(self, i: int, value: float, tolerance: float) -> tuple[float, float]:
        """Find the feasible value nearest to ``value`` for group i, and the lowest common value.

        Common values from there on are cost-optimal for the other groups.
        """
        lowest = self.lowest - tolerance
        highest = self.highest
        own = float(np.clip(value, lowest, highest + tolerance))
        common = self.candidates(tolerance)
        if not tolerance:
            return own, own
        low = max(own - tolerance, min(lowest, highest))
        high = min(own, highest)
        common = np.append(common[(common > low) & (common < high)], [low, high])
        total = np.zeros(common.size)
        for k in range(len(self.hulls)):
            if k != i:
                total += self.cost_of_group(k, common, tolerance)
        return own, float(common[_first_lowest(total)])

    def points(self, common: float, tolerance: float) -> list[Point]:
        """List fpr and tpr of all groups."""
        points = []
        for i in range(len(self.hulls)):
            fpr, tpr, _ = self.rates(i, [common], tolerance)
            points.append((float(fpr[0]), float(tpr[0])))
        return points


def _values_along(hull: GroupHull, criterion: str) -> tuple[Floats, NDArray[np.intp]]:
    """Compute the value that a criterion equalises at vertices of a hull, rising, and list these.

    A vertex with the same rate as another one, which is better, is left out.
    """
    vertices = np.arange(hull.fpr.size)
    if criterion == "equal_opportunity":
        values = hull.tpr
        if values[-2] == values[-1]:
            vertices = vertices[:-1]
    elif criterion == "predictive_equality":
        values = hull.fpr
        if values[0] == values[1]:
            vertices = vertices[1:]
    else:
        values = hull.prevalence * hull.tpr + (1 - hull.prevalence) * hull.fpr
        values[-1] = 1.0
        if criterion == "predictive_parity":
            values[1:] = hull.prevalence * hull.tpr[1:] / values[1:]
            vertices = vertices[:0:-1]
    return values[vertices], vertices


def _position_of_precision(
    hull: GroupHull, precision: Floats, start: NDArray[np.intp], end: NDArray[np.intp]
) -> Floats:
    """Compute where on edges of a hull, from 0 to 1, the precision is as given."""
    # (1 - q) pi t = q (1 - pi) f
    pos = (1 - precision) * hull.prevalence
    neg = precision * (1 - hull.prevalence)
    excess = pos * hull.tpr[start] - neg * hull.fpr[start]
    slope = excess - (pos * hull.tpr[end] - neg * hull.fpr[end])
    position = np.divide(excess, slope, out=np.zeros(precision.shape), where=slope != 0)
    return np.clip(position, 0.0, 1.0)


def _first_lowest(cost: Floats) -> int:
    """Find the first of the lowest costs, up to rounding."""
    return int(np.flatnonzero(cost <= cost.min() * (1 + _COST_TOLERANCE))[0])


def _lower_envelope(hulls: list[GroupHull]) -> tuple[Floats, Floats]:
    """Compute the vertices of the lower envelope of all hulls: their own and their crossings."""
    fpr = np.array([0.0, 1.0])
    tpr = np.array([1.0, 1.0])
    for hull in hulls:
        x = np.unique(np.concatenate((fpr, hull.fpr)))
        envelope = np.interp(x, fpr, tpr)
        height = hull.height(x)
        gap = envelope - height
        k = np.flatnonzero(gap[:-1] * gap[1:] < 0)
        position = gap[k] / (gap[k] - gap[k + 1])
        crossing_x = x[k] + position * (x[k + 1] - x[k])
        crossing_y = envelope[k] + position * (envelope[k + 1] - envelope[k])
        fpr = np.concatenate((x, crossing_x))
        tpr = np.concatenate((np.minimum(envelope, height), crossing_y))
        order = np.argsort(fpr, kind="stable")
        fpr = fpr[order]
        tpr = tpr[order]
    return fpr, tpr


def _almost_equal_odds(
    hulls: list[GroupHull], tolerance: float, fixed: tuple[int, float] | None = None
) -> list[Point]:
    """Solve the linear program over draws of hull vertices, rates within the tolerance.

    ``fixed`` is the index of a group and the share of it that is predicted positive.
    """
    from scipy.optimize import linprog  # slow to import
    from scipy.sparse import block_diag, csr_array, hstack, vstack

    n_groups = len(hulls)
    sizes = [hull.fpr.size for hull in hulls]
    # the last two variables are the lowest of all false and of all true positive rates
    cost = np.concatenate([*(hull.cost for hull in hulls), [0.0, 0.0]])
    differences = []
    for column, name in enumerate(("fpr", "tpr")):
        rate = block_diag([getattr(hull, name)[None, :] for hull in hulls])
        lowest = np.zeros((n_groups, 2))
        lowest[:, column] = 1.0
        differences.append(hstack([rate, csr_array(-lowest)]))
        differences.append(hstack([-rate, csr_array(lowest)]))
    bounds = np.tile(np.repeat([tolerance, 0.0], n_groups), 2)
    sums = csr_array(block_diag([np.ones((1, size)) for size in sizes]))
    equalities = hstack([sums, csr_array((n_groups, 2))])
    totals = np.ones(n_groups)
    if fixed is not None:
        i, share = fixed
        predicted = hulls[i].prevalence * hulls[i].tpr + (1 - hulls[i].prevalence) * hulls[i].fpr
        row = np.zeros((1, cost.size))
        start = sum(sizes[:i])
        row[0, start : start + sizes[i]] = predicted
        equalities = vstack([equalities, csr_array(row)])
        totals = np.append(totals, np.clip(share, predicted[0], predicted[-1]))
    program = linprog(cost, vstack(differences), bounds, equalities, totals, method="highs")
    draws = np.split(program.x, np.cumsum(sizes))
    points = []
    for draw, hull in zip(draws, hulls, strict=False):
        fpr = float(np.clip(draw @ hull.fpr, 0, 1))
        tpr = float(np.clip(draw @ hull.tpr, 0, 1))
        points.append((fpr, tpr))
    return points


def _costs_of_thresholds(hulls: list[GroupHull]) -> tuple[Floats, Floats]:
    """List all thresholds in decreasing order, with their costs."""
    scores = np.unique(np.concatenate([hull.segments.score for hull in hulls]))
    thresholds = np.append(np.inf, scores[::-1])
    cost = np.zeros(thresholds.size)
    for hull in hulls:
        index = _threshold_index(hull, thresholds)
        cost += hull.miss_cost * hull.segments.fnr[index]
        cost += hull.false_alarm_cost * hull.segments.fpr[index]
    return thresholds, cost


def _threshold_index(hull: GroupHull, threshold: ArrayLike) -> Any:
    """Find the vertices of a curve that belong to thresholds."""
    score = hull.segments.score
    return score.size - np.searchsorted(score[::-1], threshold, side="left")


def _rule(hull: GroupHull, fpr: float, tpr: float) -> GroupRule:
    """Find the random choice of thresholds that reaches a point between hull and diagonal."""
    top = float(hull.height(fpr))
    ignored_share = 0.0
    ignored_positive_share = 0.0
    if tpr < top - _ROUNDING_TOLERANCE and fpr > 0:
        ignored_share = min((top - tpr) / (top - fpr), 1.0)
        ignored_positive_share = fpr
        tpr = top
    # along both axes at once, so that edges may be vertical or horizontal
    distances = hull.fpr + hull.tpr
    distance = np.clip(fpr + tpr, 0.0, 2.0)
    k = np.searchsorted(distances, distance, side="right") - 1
    k = int(np.clip(k, 0, distances.size - 2))
    position = float((distance - distances[k]) / (distances[k + 1] - distances[k]))
    upper = float(hull.threshold[k])
    lower = float(hull.threshold[k + 1])
    if abs(position) < _ROUNDING_TOLERANCE:
        lower = upper
        position = 0.0
    elif abs(position - 1) < _ROUNDING_TOLERANCE:
        upper = lower
        position = 0.0
    return GroupRule(upper, lower, position, ignored_share, ignored_positive_share)


def _policy(
    hulls: list[GroupHull],
    points: list[Point],
    rules: list[GroupRule] | None,
    criterion: str,
    costs: tuple[float, float],
    tolerance: float,
) -> GroupPolicy:
    """Collect the points and rules of all groups; by default rules are made from points."""
    names = [hull.name for hull in hulls]
    if rules is None:
        rules = [_rule(hull, *point) for hull, point in zip(hulls, points, strict=True)]
    cost = 0.0
    for hull, (fpr, tpr) in zip(hulls, points, strict=True):
        cost += hull.miss_cost * (1 - tpr) + hull.false_alarm_cost * fpr
    cost_fp, cost_fn = costs
    return GroupPolicy(
        criterion=criterion,
        cost=cost,
        points=dict(zip(names, points, strict=True)),
        rules=dict(zip(names, rules, strict=True)),
        prevalence={hull.name: hull.prevalence for hull in hulls},
        population={hull.name: hull.share for hull in hulls},
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        tolerance=tolerance,
    )


def _at_threshold(hulls: list[GroupHull], threshold: float) -> tuple[list[Point], list[GroupRule]]:
    """List the points and rules of all groups at one threshold."""
    points = []
    for hull in hulls:
        index = int(_threshold_index(hull, threshold))
        points.append((float(hull.segments.fpr[index]), float(hull.segments.tpr[index])))
    return points, [GroupRule(threshold, threshold) for _ in hulls]


def _cost_optimal_vertices(hulls: list[GroupHull]) -> list[Point]:
    """List the cost-optimal point of each group."""
    points = []
    for hull in hulls:
        k = _first_lowest(hull.cost)
        points.append((float(hull.fpr[k]), float(hull.tpr[k])))
    return points


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
    """Find the cost-optimal policy that meets a fairness criterion.

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
        - ``"none"``: nothing is promised; each group has its own cost-optimal threshold.
        - ``"single_threshold"``: one threshold for all.
        - ``"demographic_parity"``: the same share of each group is predicted positive.
        - ``"equal_opportunity"``: the same true positive rate.
        - ``"predictive_equality"``: the same false positive rate.
        - ``"equalized_odds"``: the same true and false positive rates.
        - ``"predictive_parity"``: the same precision. Where positive predictions of that precision
          raise the cost, nobody is predicted positive: the limit of ever fewer such predictions.
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
    vertices of the lower envelope of all hulls, and with a tolerance a linear program.

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
    >>> rule = policy.rules["a"]
    >>> round(policy.cost, 4), rule.upper_threshold, rule.lower_threshold
    (0.2, 3.0, 3.0)
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    check_choice(criterion, "criterion", CRITERIA)
    costs = check_costs(cost_fp, cost_fn)
    tolerance = _check_tolerance(tolerance, criterion)
    hulls = weighted_hulls(rankings, *costs, population, prevalence)
    rules = None
    if criterion == "none":
        points = _cost_optimal_vertices(hulls)
    elif criterion == "single_threshold":
        thresholds, cost = _costs_of_thresholds(hulls)
        points, rules = _at_threshold(hulls, float(thresholds[_first_lowest(cost)]))
    elif criterion != "equalized_odds":
        equal_values = _EqualValues(hulls, criterion, *costs)
        common = equal_values.candidates(tolerance)
        best = common[_first_lowest(equal_values.cost(common, tolerance))]
        points = equal_values.points(float(best), tolerance)
    elif tolerance:
        points = _almost_equal_odds(hulls, tolerance)
    else:
        fpr, tpr, cost = _equal_odds(hulls)
        k = _first_lowest(cost)
        points = [(float(fpr[k]), float(tpr[k]))] * len(hulls)
    return _policy(hulls, points, rules, criterion, costs, tolerance)


def _check_tolerance(tolerance: float, criterion: str) -> float:
    """Check a tolerance, which is 0 where a criterion equalises no rate."""
    tolerance = check_fraction(tolerance, "tolerance", ends=True)
    if tolerance and criterion in CRITERIA[:2]:
        raise ValueError(
            f"tolerance must be 0 with criterion={describe(criterion)}, which equalises no rate."
        )
    return tolerance


def _equal_odds(hulls: list[GroupHull]) -> tuple[Floats, Floats, Floats]:
    """Compute fpr, tpr and cost where all groups have the same rates."""
    fpr, tpr = _lower_envelope(hulls)
    miss_cost = sum(hull.miss_cost for hull in hulls)
    false_alarm_cost = sum(hull.false_alarm_cost for hull in hulls)
    return fpr, tpr, miss_cost * (1 - tpr) + false_alarm_cost * fpr


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
        Any but ``"none"``. Over the share predicted positive, the true positive rate, the false
        positive rate (of equalized odds too), the precision, or the threshold.
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
    hulls = weighted_hulls(rankings, *costs, population, prevalence)
    if criterion == "single_threshold":
        thresholds, cost_of_thresholds = _costs_of_thresholds(hulls)
        value = thresholds[::-1]
        cost = cost_of_thresholds[::-1]
    elif criterion == "equalized_odds":
        value, _, cost = _equal_odds(hulls)
    else:
        equal_values = _EqualValues(hulls, criterion, *costs)
        value = equal_values.candidates(0.0)
        if criterion == "predictive_parity":
            value = np.unique(np.concatenate((value, np.linspace(value[0], value[-1], 201))))
        cost = equal_values.cost(value, 0.0)
    k = _first_lowest(cost)
    return CriterionCurve(criterion, value, cost, float(value[k]), float(cost[k]))


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
        with one threshold for all, to the point of the nearest threshold.
    criterion, cost_fp, cost_fn, tolerance, population, prevalence
        As for :func:`cost_optimal_policy`.

    Returns
    -------
    GroupPolicy
        The other groups are at their cost-optimal points that keep the promise. With equalized odds
        all are as high as the lowest hull allows; with a tolerance of these, all are at their
        cost-optimal points at which as many of this group are predicted positive as at its point.

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
    hulls = weighted_hulls(rankings, *costs, population, prevalence)
    i = list(rankings).index(group)
    hull = hulls[i]
    if criterion == "single_threshold":
        segments = hull.segments
        nearest = int(np.argmin((segments.fpr - fpr) ** 2 + (segments.tpr - tpr) ** 2))
        points, rules = _at_threshold(hulls, float(segments.thresholds[nearest]))
        return _policy(hulls, points, rules, criterion, costs, 0.0)
    tpr = min(max(tpr, fpr), float(hull.height(fpr)))
    predicted_share = hull.prevalence * tpr + (1 - hull.prevalence) * fpr
    if criterion == "none":
        points = _cost_optimal_vertices(hulls)
    elif criterion == "equalized_odds" and tolerance:
        points = _almost_equal_odds(hulls, tolerance, (i, predicted_share))
        fpr, tpr = points[i]
    elif criterion == "equalized_odds":
        tpr = min(tpr, *(float(other.height(fpr)) for other in hulls))
        points = [(fpr, tpr)] * len(hulls)
    else:
        equal_values = _EqualValues(hulls, criterion, *costs)
        if criterion == "equal_opportunity":
            requested = tpr
        elif criterion == "predictive_equality":
            requested = fpr
        elif criterion == "demographic_parity":
            requested = predicted_share
        else:
            requested = float(equal_values.values[i][-1])
            if predicted_share > 0:
                requested = hull.prevalence * tpr / predicted_share
            # the other groups follow this one, even if positive predictions raise the cost
            equal_values.break_even_precision = -1.0
        # raises with the groups that cannot meet
        feasible, common = equal_values.nearest(i, requested, tolerance)
        if feasible != requested:
            fpr, tpr = equal_values.points(feasible, 0.0)[i]
        points = equal_values.points(common, tolerance)
    points[i] = (fpr, tpr)
    return _policy(hulls, points, None, criterion, costs, tolerance)


def policy_at(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    points: Mapping[Any, Point] | float,
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
    >>> rule = policy_at({"a": a}, points={"a": (0.2, 0.75)}).rules["a"]
    >>> rule.upper_threshold, rule.lower_threshold, rule.share_between
    (3.0, 2.0, 0.5)
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    costs = check_costs(cost_fp, cost_fn)
    hulls = weighted_hulls(rankings, *costs, population, prevalence)
    if not isinstance(points, Mapping):
        threshold = check_number(points, "points", finite=False)
        return _policy(hulls, *_at_threshold(hulls, threshold), "single_threshold", costs, 0.0)
    missing = [name for name in rankings if name not in points]
    if missing:
        raise ValueError(f"points must have a point for group {describe(missing[0])} too.")
    reachable = []
    for hull in hulls:
        argument = f"points[{hull.name!r}]"
        rates = check_sequence(points[hull.name], argument, "a false and a true positive rate")
        if len(rates) != 2:
            raise ValueError(
                f"{argument} must be a false and a true positive rate; got {len(rates)} numbers."
            )
        fpr = check_fraction(rates[0], argument, ends=True)
        tpr = check_fraction(rates[1], argument, ends=True)
        reachable.append((fpr, min(max(tpr, fpr), float(hull.height(fpr)))))
    return _policy(hulls, reachable, None, "none", costs, 0.0)


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
    return _lower_envelope(weighted_hulls(rankings, 1.0, 1.0, None, None))


def fpr_of_precision(precision: ArrayLike, tpr: ArrayLike, prevalence: float) -> Floats:
    """Compute the false positive rate that a precision and a true positive rate imply.

    With ``pi`` the prevalence, ``fpr = pi / (1 - pi) * (1 - precision) / precision * tpr``. Groups
    of different prevalence cannot share all three rates, unless nobody is predicted positive or
    precision is 1.

    Parameters
    ----------
    precision, tpr : array-like of float, in [0, 1]
        They broadcast. A precision of 0 gives infinity, and NaN for a ``tpr`` of 0; one so small
        that the rate is beyond floats gives infinity too.
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
    ppv = _check_shares(precision, "precision")
    rate = _check_shares(tpr, "tpr")
    try:
        np.broadcast_shapes(ppv.shape, rate.shape)
    except ValueError:
        raise ValueError(
            f"precision and tpr must have shapes that broadcast; got {ppv.shape} and {rate.shape}."
        ) from None
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(pi / (1 - pi) * ((1 - ppv) * rate / ppv))


def _check_shares(values: ArrayLike, name: str) -> Floats:
    """Check probabilities of any shape."""
    table = check_numbers(values, name)
    return check_probabilities(table.ravel(), name).reshape(table.shape)
