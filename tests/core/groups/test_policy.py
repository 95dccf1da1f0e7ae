"""The cost-optimal policy for each criterion, against linear programs and fine grids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from rocviz import RankedSegments
from rocviz.core.groups import (
    GroupRule,
    common_region,
    cost_optimal_policy,
    criterion_curve,
    fpr_of_precision,
    policy_at,
    policy_through,
)
from rocviz.core.groups.policy import CRITERIA

LINEAR_CRITERIA = (
    "none",
    "demographic_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
)
COUNTS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=8)
COSTS = st.floats(0.1, 5.0)


def ranking(counts):
    pos, neg = np.array(counts, dtype=float).T
    pos[0] += 1.0
    neg[-1] += 1.0
    occupied = pos + neg > 0
    score = np.arange(len(counts), 0, -1.0)
    return RankedSegments(score=score[occupied], pos=pos[occupied], neg=neg[occupied])


RANKINGS = st.lists(COUNTS.map(ranking), min_size=2, max_size=4).map(
    lambda groups: dict(zip("abcd", groups, strict=False))
)
TOLERANCES = st.sampled_from([0.0, 0.01, 0.05, 0.3])


def shares_and_prevalences(rankings, population=None, prevalence=None):
    share = population or {name: segments.n_samples for name, segments in rankings.items()}
    total = sum(share.values())
    pi = {name: segments.prevalence for name, segments in rankings.items()}
    pi.update(prevalence or {})
    return {name: share[name] / total for name in rankings}, pi


def cost_of_group(fpr, tpr, share, pi, cost_fp, cost_fn):
    return share * (cost_fn * pi * (1 - tpr) + cost_fp * (1 - pi) * fpr)


def cost_of(points, share, pi, cost_fp, cost_fn):
    return sum(
        cost_of_group(fpr, tpr, share[name], pi[name], cost_fp, cost_fn)
        for name, (fpr, tpr) in points.items()
    )


def rates_of(criterion, fpr, tpr, pi):
    return {
        "none": [],
        "demographic_parity": [pi * tpr + (1 - pi) * fpr],
        "equal_opportunity": [tpr],
        "predictive_equality": [fpr],
        "equalized_odds": [fpr, tpr],
    }[criterion]


def lowest_cost(
    rankings, criterion, cost_fp, cost_fn, tolerance=0.0, fixed=(), population=None, prevalence=None
):
    """Find the lowest cost by a linear program over draws of all vertices of all ROC curves.

    ``fixed`` are weighted sums over the first group's vertices: the weights and each sum.
    """
    share, pi = shares_and_prevalences(rankings, population, prevalence)
    sizes = [segments.fpr.size for segments in rankings.values()]
    n = sum(sizes)
    n_rates = len(rates_of(criterion, 0.0, 0.0, 0.5))
    starts = np.cumsum([0, *sizes])
    cost = np.zeros(n + n_rates)
    equal = np.zeros((len(sizes), n + n_rates))
    rows = []
    limits = []
    for k, (name, segments) in enumerate(rankings.items()):
        vertices = slice(starts[k], starts[k + 1])
        fpr = segments.fpr
        tpr = segments.tpr
        cost[vertices] = cost_of_group(fpr, tpr, share[name], pi[name], cost_fp, cost_fn)
        equal[k, vertices] = 1
        for j, rate in enumerate(rates_of(criterion, fpr, tpr, pi[name])):
            row = np.zeros(n + n_rates)
            row[vertices] = rate
            row[n + j] = -1
            rows += [row, -row]
            limits += [tolerance, 0.0]
    bound = {"A_ub": np.array(rows), "b_ub": limits} if rows else {}
    sums = np.ones(len(sizes))
    for weights, total in fixed:
        row = np.zeros(n + n_rates)
        row[: sizes[0]] = weights
        equal = np.vstack([equal, row])
        sums = np.append(sums, total)
    return linprog(cost, A_eq=equal, b_eq=sums, **bound).fun


def spread_of_rates(criterion, policy, rankings):
    """Compute the differences of the rates that a criterion equalises, over all groups."""
    rates = [
        rates_of(criterion, *policy.points[name], segments.prevalence)
        for name, segments in rankings.items()
    ]
    return np.ptp(np.array(rates), axis=0)


@pytest.mark.parametrize("criterion", LINEAR_CRITERIA)
@given(rankings=RANKINGS, cost_fp=COSTS, cost_fn=COSTS, tolerance=TOLERANCES)
def test_no_policy_has_a_lower_cost(criterion, rankings, cost_fp, cost_fn, tolerance):
    tolerance = 0.0 if criterion == "none" else tolerance
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    policy = cost_optimal_policy(rankings, criterion=criterion, tolerance=tolerance, **costs)
    assert policy.cost == pytest.approx(
        lowest_cost(rankings, criterion, tolerance=tolerance, **costs), abs=1e-9
    )
    assert policy.cost == pytest.approx(
        cost_of(policy.points, *shares_and_prevalences(rankings), **costs), abs=1e-12
    )
    for name, (fpr, tpr) in policy.points.items():  # on or below the hull
        hull = rankings[name].hull()
        assert tpr <= np.interp(fpr, hull.fpr, hull.tpr) + 1e-9
    assert (spread_of_rates(criterion, policy, rankings) <= tolerance + 1e-9).all()


@pytest.mark.parametrize("criterion", LINEAR_CRITERIA)
@given(rankings=RANKINGS, data=st.data())
def test_population_and_prevalence_weigh_the_errors(criterion, rankings, data):
    number = st.floats(0.05, 0.95)
    population = {name: data.draw(number) for name in rankings}
    prevalence = {name: data.draw(number) for name in rankings}
    weights = {"population": population, "prevalence": prevalence}
    policy = cost_optimal_policy(rankings, criterion=criterion, cost_fn=2.0, **weights)
    expected = lowest_cost(rankings, criterion, 1.0, 2.0, **weights)
    assert policy.cost == pytest.approx(expected, abs=1e-9)


@given(rankings=RANKINGS, cost_fp=COSTS, cost_fn=COSTS)
def test_one_threshold_is_the_best_of_all(rankings, cost_fp, cost_fn):
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    policy = cost_optimal_policy(rankings, criterion="single_threshold", **costs)
    costs_of_thresholds = []
    scores = np.concatenate([segments.score for segments in rankings.values()])
    for threshold in [np.inf, *np.unique(scores)]:
        points = {}
        for name, segments in rankings.items():
            table = segments.at_threshold(threshold)
            points[name] = (table.fpr, table.tpr)
        costs_of_thresholds.append(cost_of(points, *shares_and_prevalences(rankings), **costs))
    assert policy.cost == pytest.approx(min(costs_of_thresholds), abs=1e-12)
    (threshold,) = {rule.upper_threshold for rule in policy.rules.values()}
    assert policy_at(rankings, points=threshold, **costs).cost == policy.cost


def farthest_point(segments, q):
    """Find the farthest point of a hull with a precision: brute force along its edges."""
    vertices = segments.hull_vertices
    pi = segments.prevalence
    fpr = segments.fpr[vertices]
    tpr = segments.tpr[vertices]
    excess = (1 - q) * pi * tpr - q * (1 - pi) * fpr  # not negative where precision is at least q
    k = int(np.flatnonzero(excess >= -1e-12)[-1])
    if k == len(vertices) - 1:
        return fpr[k], tpr[k]
    position = max(excess[k], 0.0) / (max(excess[k], 0.0) - excess[k + 1])
    return fpr[k] + position * (fpr[k + 1] - fpr[k]), tpr[k] + position * (tpr[k + 1] - tpr[k])


def first_precision(segments):
    k = segments.hull_vertices[1]
    pos = segments.prevalence * segments.tpr[k]
    return pos / (pos + (1 - segments.prevalence) * segments.fpr[k])


def have_a_common_precision(rankings):
    lowest = max(segments.prevalence for segments in rankings.values())
    return lowest <= min(map(first_precision, rankings.values())) + 1e-12


@given(rankings=RANKINGS, cost_fp=COSTS, cost_fn=COSTS)
def test_no_equal_precision_has_a_lower_cost(rankings, cost_fp, cost_fn):
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    share, pi = shares_and_prevalences(rankings)
    low = max(pi.values())
    high = min(map(first_precision, rankings.values()))
    if not have_a_common_precision(rankings):
        with pytest.raises(ValueError, match="'predictive_parity' cannot be met"):
            cost_optimal_policy(rankings, criterion="predictive_parity", **costs)
        return
    policy = cost_optimal_policy(rankings, criterion="predictive_parity", **costs)
    if cost_fp >= high * (cost_fp + cost_fn):
        nobody = dict.fromkeys(rankings, (0.0, 0.0))
        assert policy.cost <= cost_of(nobody, share, pi, **costs) + 1e-9
    for q in np.linspace(low, high, 301):
        points = {name: farthest_point(segments, q) for name, segments in rankings.items()}
        assert policy.cost <= cost_of(points, share, pi, **costs) + 1e-9
    assert spread_of_precision(policy) < 1e-9
    assert policy.cost == pytest.approx(cost_of(policy.points, share, pi, **costs), abs=1e-12)


def spread_of_precision(policy):
    """Compute the difference of the precisions of groups that have positive predictions."""
    precision = [
        policy.precision[name]
        for name, rate in policy.predicted_positive_rate.items()
        if rate > 1e-9
    ]
    return np.ptp(precision) if precision else 0.0


@pytest.mark.parametrize("criterion", CRITERIA[1:])
@given(rankings=RANKINGS, cost_fn=COSTS)
def test_the_curve_is_lowest_at_the_cost_optimal_policy(criterion, rankings, cost_fn):
    try:
        policy = cost_optimal_policy(rankings, criterion=criterion, cost_fn=cost_fn)
    except ValueError:
        with pytest.raises(ValueError, match="cannot be met"):
            criterion_curve(rankings, criterion=criterion, cost_fn=cost_fn)
        return
    curve = criterion_curve(rankings, criterion=criterion, cost_fn=cost_fn)
    assert policy.cost == pytest.approx(curve.best_cost, abs=1e-9)
    assert curve.best_cost == curve.cost.min()
    if criterion != "equalized_odds":
        assert (np.diff(curve.value) > 0).all()


def test_a_threshold_above_all_scores_may_be_the_best():
    rankings = {"a": ranking([(1, 9), (3, 27)]), "b": ranking([(2, 8), (1, 29)])}
    curve = criterion_curve(rankings, criterion="single_threshold", cost_fp=5.0)
    policy = cost_optimal_policy(rankings, criterion="single_threshold", cost_fp=5.0)
    assert curve.best_value == curve.value[-1] == np.inf
    # a miss of each of the 9 positives among 84 people
    assert curve.best_cost == policy.cost == pytest.approx(9 / 84)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(rankings=RANKINGS, x=st.floats(0, 1), y=st.floats(0, 1))
def test_the_others_follow_a_point(criterion, rankings, x, y):
    if criterion == "predictive_parity" and not have_a_common_precision(rankings):
        with pytest.raises(ValueError, match="cannot be met"):
            policy_through(rankings, group="a", fpr=x, tpr=y, criterion=criterion)
        return
    policy = policy_through(rankings, group="a", fpr=x, tpr=y, criterion=criterion)
    if criterion in LINEAR_CRITERIA[1:]:
        assert (spread_of_rates(criterion, policy, rankings) < 1e-9).all()
    if criterion == "predictive_parity":
        assert spread_of_precision(policy) < 1e-9
    if criterion in ("none", "demographic_parity", "equal_opportunity", "predictive_equality"):
        hull = rankings["a"].hull()
        expected = min(max(y, x), float(np.interp(x, hull.fpr, hull.tpr)))
        fpr, tpr = policy.points["a"]
        assert fpr == x
        assert tpr == pytest.approx(expected, abs=1e-12) or x == 0


@pytest.mark.parametrize("criterion", LINEAR_CRITERIA[1:])
@given(rankings=RANKINGS, x=st.floats(0, 1), y=st.floats(0, 1), cost_fn=COSTS)
def test_the_others_follow_a_point_at_the_lowest_cost_that_a_tolerance_allows(
    criterion, rankings, x, y, cost_fn
):
    tolerance = 0.1
    costs = {"cost_fp": 1.0, "cost_fn": cost_fn}
    policy = policy_through(
        rankings, group="a", fpr=x, tpr=y, criterion=criterion, tolerance=tolerance, **costs
    )
    assert (spread_of_rates(criterion, policy, rankings) <= tolerance + 1e-9).all()
    segments = rankings["a"]
    pi = segments.prevalence
    fpr, tpr = policy.points["a"]
    if criterion == "equalized_odds":
        predicted = pi * segments.tpr + (1 - pi) * segments.fpr
        fixed = [(predicted, pi * tpr + (1 - pi) * fpr)]
    else:
        fixed = [(segments.fpr, fpr), (segments.tpr, tpr)]
    expected = lowest_cost(rankings, criterion, tolerance=tolerance, fixed=fixed, **costs)
    assert policy.cost == pytest.approx(expected, abs=1e-7)


@given(rankings=RANKINGS, x=st.floats(0, 1), cost_fn=COSTS)
def test_almost_the_same_precision_costs_no_more_than_on_a_grid(rankings, x, cost_fn):
    tolerance = 0.15
    options = {"criterion": "predictive_parity", "cost_fn": cost_fn}
    try:
        policy = policy_through(rankings, group="a", fpr=x, tpr=1.0, tolerance=tolerance, **options)
    except ValueError as error:
        assert "cannot be met" in str(error)  # noqa: PT017
        return
    precision = policy.precision
    known = [q for q in precision.values() if np.isfinite(q)]
    assert np.ptp(known) <= tolerance + 1e-9
    if len(known) < len(precision):  # a group without positive predictions has no precision
        return
    share, pi = shares_and_prevalences(rankings)
    fpr, tpr = policy.points["a"]
    total = cost_of_group(fpr, tpr, share["a"], pi["a"], 1.0, cost_fn)
    for name, segments in rankings.items():
        if name != "a":
            hull = segments.hull()
            # along the first edge precision is the same, and at its start, which may cost least, it
            # is undefined: where that is so, there is no optimum before the edge's end
            fpr = np.linspace(hull.fpr[1], 1, 2001)
            tpr = np.interp(fpr, hull.fpr, hull.tpr)
            with np.errstate(invalid="ignore"):
                own = pi[name] * tpr / (pi[name] * tpr + (1 - pi[name]) * fpr)
            cost = cost_of_group(fpr, tpr, share[name], pi[name], 1.0, cost_fn)
            near = np.abs(own - precision["a"]) <= tolerance / 2
            total += cost[near].min(initial=np.inf)
    # halves of the tolerance either way are one of the ways to keep it
    assert policy.cost <= total + 1e-9


@given(rankings=RANKINGS, x=st.floats(0, 1), y=st.floats(0, 1), seed=st.integers(0, 99))
def test_the_rules_reach_the_points(rankings, x, y, seed):
    policy = policy_at(rankings, points=dict.fromkeys(rankings, (x, y)))
    for name, segments in rankings.items():
        probability = policy.rules[name].probability(segments.score)
        fpr, tpr = policy.points[name]
        assert probability @ segments.pos / segments.n_pos == pytest.approx(tpr, abs=1e-9)
        assert probability @ segments.neg / segments.n_neg == pytest.approx(fpr, abs=1e-9)
    score = rankings["a"].score
    probability = policy.probability(np.repeat(score, 2), np.repeat("a", 2 * len(score)))
    assert np.array_equal(probability[::2], policy.rules["a"].probability(score))


@given(rankings=RANKINGS)
def test_the_common_region_is_below_every_hull(rankings):
    fpr, tpr = common_region(rankings)
    x = np.linspace(0.001, 1, 97)
    hulls = [segments.hull() for segments in rankings.values()]
    lowest = np.min([np.interp(x, hull.fpr, hull.tpr) for hull in hulls], axis=0)
    assert np.interp(x, fpr, tpr) == pytest.approx(lowest, abs=1e-9)


def test_samples_and_segments_are_the_same():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    score = rng.integers(0, 9, 200).astype(float)
    groups = rng.choice(["x", "y"], 200)
    weight = rng.integers(1, 4, 200)
    of_samples = cost_optimal_policy(
        y, score, groups, criterion="equal_opportunity", sample_weight=weight
    )
    rankings = {}
    for name in ("x", "y"):
        own = groups == name
        rankings[name] = RankedSegments.from_scores(y[own], score[own], sample_weight=weight[own])
    of_segments = cost_optimal_policy(rankings, criterion="equal_opportunity")
    assert of_samples.points == of_segments.points
    frame = of_samples.to_frame()
    assert frame.equals(of_segments.to_frame())
    assert frame["cost"] @ frame["population"] == pytest.approx(of_samples.cost)


def test_precision_follows_from_prevalence_and_rates():
    # Chouldechova (2017), equation 2.6, on counts: 30 of 50 found, 10 false alarms of 450
    assert fpr_of_precision(30 / 40, 30 / 50, 50 / 500) == pytest.approx(10 / 450)
    assert np.isinf(fpr_of_precision(0.0, 0.5, 0.5))
    assert np.isnan(fpr_of_precision(0.0, 0.0, 0.5))
    assert fpr_of_precision(5e-324, [0.0, 0.5], 0.5).tolist() == [0.0, np.inf]


A = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
PRECISE = RankedSegments(score=[2, 1], pos=[9, 1], neg=[0, 1])  # precision from 10/11
Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.35, 0.8]
G = ["x", "x", "y", "y"]

BAD_INPUT = {
    "one class": (
        lambda: cost_optimal_policy([0, 1, 1, 1], S, G),
        "Group 'y' of groups has no negative samples",
    ),
    "the other class": (
        lambda: cost_optimal_policy([0, 1, 0, 0], S, G),
        "Group 'y' of groups has no positive samples",
    ),
    "missing": (lambda: cost_optimal_policy(Y, S, ["x", "x", None, "y"]), "groups"),
    "no groups": (lambda: cost_optimal_policy(Y, S), "groups"),
    "groups twice": (lambda: cost_optimal_policy({"a": A}, S), "go with labels"),
    "empty": (lambda: cost_optimal_policy({}), "at least one group"),
    "no segments": (lambda: cost_optimal_policy({"a": 1}), r"y_true\['a'\]"),
    "no tolerance": (lambda: cost_optimal_policy({"a": A}, tolerance=0.1), "tolerance must be 0"),
    "no common precision": (
        lambda: cost_optimal_policy(
            {"a": A, "b": PRECISE}, criterion="predictive_parity", tolerance=0.01
        ),
        "'predictive_parity' cannot be met within tolerance=0.01.*in group 'b'.*in group 'a'",
    ),
    "unknown population": (
        lambda: cost_optimal_policy({"a": A}, population={"b": 1}),
        "population",
    ),
    "population": (lambda: cost_optimal_policy({"a": A, "b": A}, population={"a": 1}), "'b'"),
    "prevalence": (lambda: cost_optimal_policy({"a": A}, prevalence={"a": 2}), "prevalence"),
    "unknown group": (
        lambda: policy_through({"a": A}, group="z", fpr=0, tpr=0),
        "group must be one of 'a'",
    ),
    "no group": (
        lambda: policy_through({"a": A}, group=["a"], fpr=0, tpr=0),
        "group must be one of 'a'",
    ),
    "no point": (lambda: policy_at({"a": A, "b": A}, points={"a": (0, 0)}), "points.*'b'"),
    "shapes": (
        lambda: fpr_of_precision([0.5, 0.6], [0.1, 0.2, 0.3], 0.5),
        "precision and tpr must have shapes that broadcast",
    ),
    "thresholds of a rule": (lambda: GroupRule(0.4, 0.7), "upper_threshold must be at least"),
    "three rates": (
        lambda: policy_at({"a": A}, points={"a": (0, 0.5, 1)}),
        r"points\['a'\] must be a false and a true positive rate; got 3 numbers",
    ),
    "a rate above 1": (lambda: policy_at({"a": A}, points={"a": (0, 2)}), r"points\['a'\]"),
    "unknown at use": (
        lambda: cost_optimal_policy({"a": A}).probability([1.0], ["z"]),
        "groups holds 'z'",
    ),
    "thresholds in the wrong order": (
        lambda: GroupRule(0.4, 0.7),
        "upper_threshold must be at least lower_threshold",
    ),
    "other shapes": (
        lambda: fpr_of_precision([0.5, 0.6], [0.1, 0.2, 0.3], 0.5),
        "precision and tpr must have shapes that broadcast",
    ),
    "two dimensions": (
        lambda: cost_optimal_policy(Y, S, [[1, 1], [1, 1], [2, 2], [2, 2]]),
        "one-dimensional",
    ),
    "an array of two": (lambda: cost_optimal_policy(Y, S, np.ones((4, 2))), "shape .4, 2."),
    "weightless": (
        lambda: cost_optimal_policy(Y, S, G, sample_weight=[1, 1, 0, 0]),
        "Group 'y' of groups has no samples of weight",
    ),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_refused_by_name(case):
    function, message = BAD_INPUT[case]
    with pytest.raises(ValueError, match=message):
        function()


@given(RANKINGS)
def test_any_metric_is_that_of_the_groups_points(rankings):
    policy = cost_optimal_policy(rankings, criterion="equal_opportunity")
    rates = {name: tpr for name, (_, tpr) in policy.points.items()}
    assert policy.rate("recall") == pytest.approx(rates, abs=1e-12)
    for name in ("precision", "predicted_positive_rate"):
        by_property = getattr(policy, name)
        assert policy.rate(name) == pytest.approx(by_property, abs=1e-12, nan_ok=True)
