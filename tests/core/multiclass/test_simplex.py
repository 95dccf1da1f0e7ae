"""Points of the simplex: labels, costs, priors and regions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import RankedSegments
from rocviz.core.curve_spaces import at_prevalence
from rocviz.core.multiclass import (
    cost_optimal_labels,
    label_at_point,
    label_regions,
    one_vs_rest,
    point_of_costs,
    shift_point,
    shift_priors,
)
from rocviz.core.multiclass.simplex import costs_of_misses

SEEDS = st.integers(0, 10**6)


def simplex(rng, n, k=3):
    return rng.dirichlet(np.ones(k), n)


@given(SEEDS)
def test_two_classes_have_a_threshold(seed):
    rng = np.random.default_rng(seed)
    p = rng.integers(0, 17, 50) / 16
    for t in (0.25, 0.5, 0.75, rng.uniform(0.01, 0.99)):
        labels = label_at_point(np.column_stack((1 - p, p)), [1 - t, t])
        np.testing.assert_array_equal(labels, p >= t)


@given(SEEDS)
def test_two_classes_have_the_costs_and_the_prevalence_of_two(seed):
    rng = np.random.default_rng(seed)
    y = np.append(rng.random(40) < 0.4, [True, False])
    score = rng.integers(0, 8, 42)
    hull = RankedSegments.from_scores(y, score).hull()
    probability = hull.pos / hull.n  # calibrated
    prob = np.column_stack((1 - probability, probability))
    cost_fp, cost_fn = rng.uniform(0.5, 4, 2)
    labels = label_at_point(prob, point_of_costs([cost_fp, cost_fn])).astype(bool)
    cost = cost_fp * hull.neg[labels].sum() + cost_fn * hull.pos[~labels].sum()
    best = hull.optimal_point(cost_fp=cost_fp, cost_fn=cost_fn)
    assert cost == pytest.approx(cost_fp * best.fp + cost_fn * best.fn)
    np.testing.assert_array_equal(cost_optimal_labels(prob, [[0, cost_fp], [cost_fn, 0]]), labels)
    old = hull.prevalence
    new = rng.uniform(0.05, 0.95)
    shifted = at_prevalence(hull, prevalence=new)
    priors = [1 - old, old], [1 - new, new]
    np.testing.assert_allclose(shift_priors(prob, *priors)[:, 1], shifted.pos / shifted.n)
    t = rng.uniform(0.05, 0.95)
    np.testing.assert_array_equal(
        label_at_point(prob, shift_point([1 - t, t], *priors)), shifted.pos / shifted.n >= t
    )
    segments = RankedSegments.from_scores(y, score / 8)
    by_class = one_vs_rest(y.astype(int), np.column_stack((1 - score / 8, score / 8)))
    assert by_class[0].auc == pytest.approx(segments.auc)
    assert by_class[1].auc == pytest.approx(segments.auc)
    np.testing.assert_array_equal(by_class[1].pos, segments.pos)


@given(SEEDS)
def test_a_point_weighs_probabilities(seed):
    rng = np.random.default_rng(seed)
    prob = simplex(rng, 40, 4)
    point = simplex(rng, 1, 4)[0] * 0.9 + 0.025
    labels = label_at_point(prob, point, classes=list("wxyz"))
    assert labels.tolist() == ["wxyz"[k] for k in np.argmax(prob / point, axis=1)]
    np.testing.assert_array_equal(label_at_point(prob, [0.25] * 4), prob.argmax(axis=1))


def test_ties_go_to_the_last_class():
    assert label_at_point([[0.4, 0.4, 0.2], [0.4, 0.2, 0.4]], [1 / 3] * 3).tolist() == [1, 2]
    assert cost_optimal_labels([[0.4, 0.4, 0.2]], 1 - np.eye(3)).tolist() == [1]


@given(SEEDS)
def test_cost_optimal_labels_have_the_lowest_expected_cost(seed):
    rng = np.random.default_rng(seed)
    prob = simplex(rng, 30)
    cost = rng.integers(0, 9, (3, 3)) + 9 * (1 - np.eye(3))
    labels = cost_optimal_labels(prob, cost)
    for row, label in zip(prob, labels, strict=True):
        assert row @ cost[:, label] == pytest.approx(min(row @ cost[:, a] for a in range(3)))
    miss_costs = rng.uniform(0.5, 4, 3)
    by_point = label_at_point(prob, point_of_costs(miss_costs))
    by_cost = cost_optimal_labels(prob, (1 - np.eye(3)) * miss_costs[:, None])
    np.testing.assert_array_equal(by_point, by_cost)


@given(SEEDS)
def test_other_priors_move_the_point_not_the_samples(seed):
    rng = np.random.default_rng(seed)
    prob = simplex(rng, 30)
    old, new, point = 0.9 * simplex(rng, 3) + 1 / 30
    shifted = shift_priors(prob, old, new)
    np.testing.assert_allclose(shifted.sum(axis=1), 1)
    np.testing.assert_array_equal(
        label_at_point(shifted, point), label_at_point(prob, shift_point(point, old, new))
    )
    np.testing.assert_allclose(shift_priors(shifted, new, old), prob)


def test_costs_of_misses_are_those_of_a_point():
    cost = (1 - np.eye(3)) * [[1], [2], [5]]
    np.testing.assert_array_equal(costs_of_misses(cost), [1, 2, 5])
    assert costs_of_misses(cost + np.eye(3)) is None
    assert costs_of_misses(cost * np.array([1, 1, 2])) is None
    assert costs_of_misses(cost * np.array([[1], [0], [1]])) is None


def is_inside(corners, point):
    """Whether a point of the triangle lies in a convex polygon, whichever way it runs.

    Two corners that differ by rounding have an edge of any direction, hence the tolerance.
    """
    xy = corners @ [[0, 0], [1, 0], [0, 1]]
    edge = np.roll(xy, -1, axis=0) - xy
    to_point = point @ [[0, 0], [1, 0], [0, 1]] - xy
    cross_product = edge[:, 0] * to_point[:, 1] - edge[:, 1] * to_point[:, 0]
    return (cross_product >= -1e-12).all() or (cross_product <= 1e-12).all()


@given(SEEDS)
def test_regions_agree_with_the_labels(seed):
    rng = np.random.default_rng(seed)
    point = 0.9 * simplex(rng, 1)[0] + 1 / 30
    cost = rng.integers(0, 9, (3, 3)) + 4 * (1 - np.eye(3))
    prob = simplex(rng, 60)
    for labels, regions in (
        (label_at_point(prob, point), label_regions(point)),
        (cost_optimal_labels(prob, cost), label_regions(cost_matrix=cost)),
    ):
        for row, k in zip(prob, labels, strict=True):
            assert is_inside(regions[k], row)


def test_three_regions_meet_at_the_point():
    point = [0.2, 0.3, 0.5]
    for region in label_regions(point):
        assert np.isclose(region, point).all(axis=1).any()
    # a class that is never best has no region
    never = label_regions(cost_matrix=[[0, 1, 1], [1, 0, 1], [1, 1, 1]])
    assert [len(region) for region in never] == [3, 3, 0]
    # of two classes that always cost the same the last has the region
    assert len(label_regions(cost_matrix=[[0, 0, 1], [0, 0, 1], [1, 1, 0]])[0]) == 0


def test_each_class_is_ranked_against_the_rest():
    rng = np.random.default_rng(0)
    y = np.arange(30) % 3
    prob = simplex(rng, 30).round(1)
    weight = rng.uniform(0, 2, 30)
    prob[:, 2] = 1 - prob[:, 0] - prob[:, 1]
    rankings = one_vs_rest(y, prob.clip(0, 1), sample_weight=weight)
    assert list(rankings) == [0, 1, 2]
    for k, segments in rankings.items():
        expected = RankedSegments.from_scores(y == k, prob[:, k].clip(0, 1), sample_weight=weight)
        assert segments.auc == expected.auc
        assert len(segments) == len(expected)
