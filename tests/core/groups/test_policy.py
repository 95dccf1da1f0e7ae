"""The cheapest policy for each criterion, against linear programs and fine grids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from rocviz import RankedSegments
from rocviz.core.groups import (
    common_region,
    cost_optimal_policy,
    criterion_curve,
    fpr_of_precision,
    policy_at,
    policy_through,
)
from rocviz.core.groups.policy import CRITERIA

LINEAR = (
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
    some = pos + neg > 0
    score = np.arange(len(counts), 0, -1.0)
    return RankedSegments(score=score[some], pos=pos[some], neg=neg[some])


RANKINGS = st.lists(COUNTS.map(ranking), min_size=2, max_size=4).map(
    lambda many: dict(zip("abcd", many, strict=False))
)
TOLERANCES = st.sampled_from([0.0, 0.01, 0.05, 0.3])


def settings_of(rankings, population=None, prevalence=None):
    share = population or {name: one.n_samples for name, one in rankings.items()}
    total = sum(share.values())
    pi = {name: one.prevalence for name, one in rankings.items()} | (prevalence or {})
    return {name: share[name] / total for name in rankings}, pi


def cost_of(points, share, pi, cost_fp, cost_fn):
    return sum(
        share[name] * (cost_fn * pi[name] * (1 - tpr) + cost_fp * (1 - pi[name]) * fpr)
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


def program(rankings, criterion, cost_fp, cost_fn, tolerance=0.0, held=None, **more):
    """Find the least cost by a linear program over draws of all vertices of all ROC curves.

    ``held`` fixes weighted sums over the first group's vertices: the weights and each sum.
    """
    share, pi = settings_of(rankings, **more)
    sizes = [one.fpr.size for one in rankings.values()]
    n = sum(sizes)
    n_rates = len(rates_of(criterion, 0.0, 0.0, 0.5))
    at = np.cumsum([0, *sizes])
    cost = np.zeros(n + n_rates)
    equal = np.zeros((len(sizes), n + n_rates))
    rows = []
    limits = []
    for k, (name, one) in enumerate(rankings.items()):
        here = slice(at[k], at[k + 1])
        p = pi[name]
        cost[here] = share[name] * (cost_fn * p * (1 - one.tpr) + cost_fp * (1 - p) * one.fpr)
        equal[k, here] = 1
        for j, rate in enumerate(rates_of(criterion, one.fpr, one.tpr, p)):
            row = np.zeros(n + n_rates)
            row[here] = rate
            row[n + j] = -1
            rows += [row, -row]
            limits += [tolerance, 0.0]
    bound = {"A_ub": np.array(rows), "b_ub": limits} if rows else {}
    sums = np.ones(len(sizes))
    for weights, total in held or ():
        row = np.zeros(n + n_rates)
        row[: sizes[0]] = weights
        equal = np.vstack([equal, row])
        sums = np.append(sums, total)
    return linprog(cost, A_eq=equal, b_eq=sums, **bound).fun


@pytest.mark.parametrize("criterion", LINEAR)
@given(rankings=RANKINGS, cost_fp=COSTS, cost_fn=COSTS, tolerance=TOLERANCES)
def test_no_policy_is_cheaper(criterion, rankings, cost_fp, cost_fn, tolerance):
    tolerance = 0.0 if criterion == "none" else tolerance
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    policy = cost_optimal_policy(rankings, criterion=criterion, tolerance=tolerance, **costs)
    assert policy.cost == pytest.approx(
        program(rankings, criterion, tolerance=tolerance, **costs), abs=1e-9
    )
    assert policy.cost == pytest.approx(
        cost_of(policy.points, *settings_of(rankings), **costs), abs=1e-12
    )
    for name, (fpr, tpr) in policy.points.items():  # on or below the hull
        hull = rankings[name].hull()
        assert tpr <= np.interp(fpr, hull.fpr, hull.tpr) + 1e-9
    _, pi = settings_of(rankings)
    rates = np.array([rates_of(criterion, *policy.points[n], pi[n]) for n in rankings])
    if rates.size:
        assert (np.ptp(rates, axis=0) <= tolerance + 1e-9).all()


@pytest.mark.parametrize("criterion", LINEAR)
@given(rankings=RANKINGS, data=st.data())
def test_population_and_prevalence_weigh_the_errors(criterion, rankings, data):
    number = st.floats(0.05, 0.95)
    population = {name: data.draw(number) for name in rankings}
    prevalence = {name: data.draw(number) for name in rankings}
    use = {"population": population, "prevalence": prevalence}
    policy = cost_optimal_policy(rankings, criterion=criterion, cost_fn=2.0, **use)
    assert policy.cost == pytest.approx(program(rankings, criterion, 1.0, 2.0, **use), abs=1e-9)


@given(rankings=RANKINGS, cost_fp=COSTS, cost_fn=COSTS)
def test_one_threshold_is_the_best_of_all(rankings, cost_fp, cost_fn):
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    policy = cost_optimal_policy(rankings, criterion="single_threshold", **costs)
    tried = []
    for cut in [np.inf, *np.unique(np.concatenate([one.score for one in rankings.values()]))]:
        tables = {name: one.at_threshold(cut) for name, one in rankings.items()}
        points = {name: (table.fpr, table.tpr) for name, table in tables.items()}
        tried.append(cost_of(points, *settings_of(rankings), **costs))
    assert policy.cost == pytest.approx(min(tried), abs=1e-12)
    (cut,) = {rule.high for rule in policy.rules.values()}
    assert policy_at(rankings, points=cut, **costs).cost == policy.cost


def ray(one, q):
    """Find the farthest point of a hull with a precision: brute force along its edges."""
    at = one.hull_vertices
    pi = one.prevalence
    fpr = one.fpr[at]
    tpr = one.tpr[at]
    above = (1 - q) * pi * tpr - q * (1 - pi) * fpr  # not negative where precision is at least q
    k = int(np.flatnonzero(above >= -1e-12)[-1])
    if k == len(at) - 1:
        return fpr[k], tpr[k]
    part = max(above[k], 0.0) / (max(above[k], 0.0) - above[k + 1])
    return fpr[k] + part * (fpr[k + 1] - fpr[k]), tpr[k] + part * (tpr[k + 1] - tpr[k])


def first_precision(one):
    at = one.hull_vertices[1]
    pi = one.prevalence
    return pi * one.tpr[at] / (pi * one.tpr[at] + (1 - pi) * one.fpr[at])


def have_a_common_precision(rankings):
    least = max(one.prevalence for one in rankings.values())
    return least <= min(map(first_precision, rankings.values())) + 1e-12


@given(rankings=RANKINGS, cost_fp=COSTS, cost_fn=COSTS)
def test_no_equal_precision_is_cheaper(rankings, cost_fp, cost_fn):
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    share, pi = settings_of(rankings)
    low = max(pi.values())
    high = min(map(first_precision, rankings.values()))
    if not have_a_common_precision(rankings):
        with pytest.raises(ValueError, match="'predictive_parity' cannot be met"):
            cost_optimal_policy(rankings, criterion="predictive_parity", **costs)
        return
    policy = cost_optimal_policy(rankings, criterion="predictive_parity", **costs)
    nobody = cost_of(dict.fromkeys(rankings, (0.0, 0.0)), share, pi, **costs)
    tried = [nobody if cost_fp >= high * (cost_fp + cost_fn) else np.inf]
    for q in np.linspace(low, high, 301):
        points = {name: ray(one, q) for name, one in rankings.items()}
        tried.append(cost_of(points, share, pi, **costs))
    # it is below all that were tried, and no lower than the finest of them can tell
    assert policy.cost <= min(tried) + 1e-9
    called = {n: c for n, c in policy.called.items() if c > 1e-9}
    known = [policy.precision[name] for name in called]
    assert np.ptp(known or [0.0]) < 1e-9
    assert policy.cost == pytest.approx(cost_of(policy.points, share, pi, **costs), abs=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA[1:])
@given(rankings=RANKINGS, cost_fn=COSTS)
def test_the_curve_has_its_least_at_the_cheapest_policy(criterion, rankings, cost_fn):
    try:
        policy = cost_optimal_policy(rankings, criterion=criterion, cost_fn=cost_fn)
    except ValueError:
        with pytest.raises(ValueError, match="cannot be met"):
            criterion_curve(rankings, criterion=criterion, cost_fn=cost_fn)
        return
    curve = criterion_curve(rankings, criterion=criterion, cost_fn=cost_fn)
    least = min(curve.best_cost, curve.cost.min())
    if criterion == "single_threshold":  # whose threshold may be above all scores
        least = min(least, policy.cost)
    assert policy.cost == pytest.approx(least, abs=1e-9)
    assert (
        (np.diff(curve.value) > 0).all() or curve.value.size == 1 or criterion == "equalized_odds"
    )


@pytest.mark.parametrize("criterion", CRITERIA)
@given(rankings=RANKINGS, x=st.floats(0, 1), y=st.floats(0, 1))
def test_the_others_follow_a_point(criterion, rankings, x, y):
    _, pi = settings_of(rankings)
    if criterion == "predictive_parity" and not have_a_common_precision(rankings):
        with pytest.raises(ValueError, match="cannot be met"):
            policy_through(rankings, group="a", fpr=x, tpr=y, criterion=criterion)
        return
    policy = policy_through(rankings, group="a", fpr=x, tpr=y, criterion=criterion)
    points = policy.points
    if criterion in LINEAR[1:]:
        rates = np.array([rates_of(criterion, *points[n], pi[n]) for n in rankings])
        assert (np.ptp(rates, axis=0) < 1e-9).all()
    if criterion == "predictive_parity":
        called = [policy.precision[n] for n in rankings if policy.called[n] > 1e-9]
        assert np.ptp(called or [0]) < 1e-9
    hull = rankings["a"].hull()
    expected = min(max(y, x), float(np.interp(x, hull.fpr, hull.tpr)))
    if criterion in ("none", "demographic_parity", "equal_opportunity", "predictive_equality"):
        assert points["a"][0] == x
        assert points["a"][1] == pytest.approx(expected, abs=1e-12) or x == 0


@pytest.mark.parametrize("criterion", LINEAR[1:])
@given(rankings=RANKINGS, x=st.floats(0, 1), y=st.floats(0, 1), cost_fn=COSTS)
def test_the_others_follow_a_point_as_cheaply_as_a_tolerance_allows(
    criterion, rankings, x, y, cost_fn
):
    tolerance = 0.1
    use = {"cost_fp": 1.0, "cost_fn": cost_fn}
    policy = policy_through(
        rankings, group="a", fpr=x, tpr=y, criterion=criterion, tolerance=tolerance, **use
    )
    _, pi = settings_of(rankings)
    rates = np.array([rates_of(criterion, *policy.points[n], pi[n]) for n in rankings])
    assert (np.ptp(rates, axis=0) <= tolerance + 1e-9).all()
    one, (fpr, tpr) = rankings["a"], policy.points["a"]
    called = pi["a"] * one.tpr + (1 - pi["a"]) * one.fpr
    held = [(called, pi["a"] * tpr + (1 - pi["a"]) * fpr)]
    if criterion != "equalized_odds":
        held = [(one.fpr, fpr), (one.tpr, tpr)]
    least = program(rankings, criterion, tolerance=tolerance, held=held, **use)
    assert policy.cost == pytest.approx(least, abs=1e-7)


@given(rankings=RANKINGS, x=st.floats(0, 1), cost_fn=COSTS)
def test_almost_the_same_precision_is_as_cheap_as_on_a_grid(rankings, x, cost_fn):
    tolerance = 0.15
    use = {"criterion": "predictive_parity", "cost_fn": cost_fn}
    try:
        policy = policy_through(rankings, group="a", fpr=x, tpr=1.0, tolerance=tolerance, **use)
    except ValueError as error:
        assert "cannot be met" in str(error)  # noqa: PT017
        return
    precision = policy.precision
    known = [q for q in precision.values() if np.isfinite(q)]
    assert np.ptp(known) <= tolerance + 1e-9
    if len(known) < len(precision):  # nobody is called in a group, which has no precision
        return
    share, pi = settings_of(rankings)
    others = 0.0
    for name, one in rankings.items():
        if name != "a":
            hull = one.hull()
            # along the first edge precision is the same, and at its start, which may cost least, it
            # is undefined: where that is so, there is no cheapest point before the edge's end
            fpr = np.linspace(hull.fpr[1], 1, 2001)
            tpr = np.interp(fpr, hull.fpr, hull.tpr)
            with np.errstate(invalid="ignore"):
                own = pi[name] * tpr / (pi[name] * tpr + (1 - pi[name]) * fpr)
            cost = share[name] * (cost_fn * pi[name] * (1 - tpr) + (1 - pi[name]) * fpr)
            near = np.abs(own - precision["a"]) <= tolerance / 2
            others += cost[near].min() if near.any() else np.inf
    fpr, tpr = policy.points["a"]
    held = share["a"] * (cost_fn * pi["a"] * (1 - tpr) + (1 - pi["a"]) * fpr)
    # halves of the tolerance either way are one of the ways to keep it
    assert policy.cost <= held + others + 1e-9


@given(rankings=RANKINGS, x=st.floats(0, 1), y=st.floats(0, 1), seed=st.integers(0, 99))
def test_the_rules_reach_the_points(rankings, x, y, seed):
    policy = policy_at(rankings, points=dict.fromkeys(rankings, (x, y)))
    for name, one in rankings.items():
        chance = policy.rules[name].probability(one.score)
        fpr, tpr = policy.points[name]
        assert chance @ one.pos / one.n_pos == pytest.approx(tpr, abs=1e-9)
        assert chance @ one.neg / one.n_neg == pytest.approx(fpr, abs=1e-9)
    y_true, score, weight = rankings["a"].to_samples()
    again = policy.probability(np.repeat(score, 2), np.repeat("a", 2 * len(score)))
    assert np.array_equal(again[::2], policy.rules["a"].probability(score))
    assert len(y_true) == len(weight)


@given(rankings=RANKINGS)
def test_the_common_region_is_below_every_hull(rankings):
    fpr, tpr = common_region(rankings)
    at = np.linspace(0.001, 1, 97)
    hulls = [one.hull() for one in rankings.values()]
    lowest = np.min([np.interp(at, hull.fpr, hull.tpr) for hull in hulls], axis=0)
    assert np.interp(at, fpr, tpr) == pytest.approx(lowest, abs=1e-9)


def test_samples_and_segments_are_the_same():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    score = rng.integers(0, 9, 200).astype(float)
    groups = rng.choice(["x", "y"], 200)
    weight = rng.integers(1, 4, 200)
    whole = cost_optimal_policy(
        y, score, groups, criterion="equal_opportunity", sample_weight=weight
    )
    segments = {
        name: RankedSegments.from_scores(
            y[groups == name], score[groups == name], sample_weight=weight[groups == name]
        )
        for name in ("x", "y")
    }
    parts = cost_optimal_policy(segments, criterion="equal_opportunity")
    assert whole.points == parts.points
    assert whole.to_frame().equals(parts.to_frame())
    assert whole.to_frame()["cost"] @ whole.to_frame()["population"] == pytest.approx(whole.cost)


def test_precision_follows_from_prevalence_and_rates():
    # Chouldechova (2017), equation 2.6, on counts: 30 of 50 found, 10 false alarms of 450
    assert fpr_of_precision(30 / 40, 30 / 50, 50 / 500) == pytest.approx(10 / 450)
    assert np.isinf(fpr_of_precision(0.0, 0.5, 0.5))
    assert np.isnan(fpr_of_precision(0.0, 0.0, 0.5))


A = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
SURE = RankedSegments(score=[2, 1], pos=[9, 1], neg=[0, 1])  # precision from 10/11
Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.35, 0.8]
G = ["x", "x", "y", "y"]

BAD = {
    "one class": (
        lambda: cost_optimal_policy([0, 1, 1, 1], S, G),
        "Group 'y' of groups has no neg",
    ),
    "missing": (lambda: cost_optimal_policy(Y, S, ["x", "x", None, "y"]), "groups"),
    "no groups": (lambda: cost_optimal_policy(Y, S), "groups"),
    "groups twice": (lambda: cost_optimal_policy({"a": A}, S), "go with labels"),
    "empty": (lambda: cost_optimal_policy({}), "at least one group"),
    "no segments": (lambda: cost_optimal_policy({"a": 1}), r"y_true\['a'\]"),
    "no tolerance": (lambda: cost_optimal_policy({"a": A}, tolerance=0.1), "tolerance must be 0"),
    "no common precision": (
        lambda: cost_optimal_policy(
            {"a": A, "b": SURE}, criterion="predictive_parity", tolerance=0.01
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
    "unknown at use": (
        lambda: cost_optimal_policy({"a": A}).probability([1.0], ["z"]),
        "groups holds 'z'",
    ),
    "two dimensions": (lambda: cost_optimal_policy(Y, S, [[1], [1], [2], [2]]), "one-dimensional"),
    "an array of two": (lambda: cost_optimal_policy(Y, S, np.ones((4, 1))), "shape .4, 1."),
    "weightless": (
        lambda: cost_optimal_policy(Y, S, G, sample_weight=[1, 1, 0, 0]),
        "Group 'y' of groups has no samples of weight",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    act, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        act()
