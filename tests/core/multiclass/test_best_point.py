"""The best point: no entry gains, two classes are exact, and steps are counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocviz import RankedSegments
from rocviz.core.multiclass import best_simplex_point, confusion_matrix, label_at_point

SEARCHED_METRICS = ("accuracy", "balanced_accuracy", "macro_f1", "mcc", "kappa")
SEEDS = st.integers(0, 10**6)


def draw(seed, n_classes=3, n=15):
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n))
    prob = rng.dirichlet(np.ones(n_classes), y.size) + 0.4 * np.eye(n_classes)[y]
    # hundredths, so that some are tied
    prob = np.floor(100 * prob / prob.sum(axis=1, keepdims=True)) / 100
    prob[:, -1] = 1 - prob[:, :-1].sum(axis=1)
    return y, prob.clip(0, 1), rng


def evaluate(y, prob, point, metric, cost=None, weight=None):
    predicted = label_at_point(prob, point)
    matrix = confusion_matrix(y, predicted, classes=range(prob.shape[1]), sample_weight=weight)
    return matrix.metric(metric, cost_matrix=cost)


@pytest.mark.parametrize("metric", [*SEARCHED_METRICS, "cost"])
@pytest.mark.parametrize("n_classes", [3, 4])
@settings(max_examples=8)
@given(seed=SEEDS)
def test_no_change_of_one_entry_gains(metric, n_classes, seed):
    y, prob, rng = draw(seed, n_classes)
    weight = None if seed % 2 else rng.uniform(0.5, 2, y.size)
    cost = rng.integers(1, 6, (n_classes, n_classes)) * (1.0 - np.eye(n_classes))
    cost = cost if metric == "cost" else None
    options = {"cost_matrix": cost} if metric == "cost" else {"metric": metric}
    best = best_simplex_point(y, prob, sample_weight=weight, **options)
    sign = -1 if metric == "cost" else 1

    def value(point):
        return evaluate(y, prob, point, metric, cost, weight)

    assert best.value == pytest.approx(value(best.point), abs=1e-12)
    assert best.value == pytest.approx(best.matrix.metric(metric, cost_matrix=cost), abs=1e-12)
    assert best.argmax_value == pytest.approx(value(np.full(n_classes, 1 / n_classes)), abs=1e-12)
    assert sign * best.value >= sign * best.argmax_value
    assert best.point.sum() == pytest.approx(1)
    assert best.point.min() > 0
    for k in range(n_classes):
        rest = np.delete(best.point, k)
        with np.errstate(divide="ignore"):
            change = prob[:, k] / (np.delete(prob, k, axis=1) / rest).max(axis=1)
        change = np.unique(change[(change > 0) & np.isfinite(change)])
        between = np.sqrt(change[1:] * change[:-1])
        for entry in [change[0] / 2, *between, change[-1] * 2]:
            other = np.insert(rest, k, entry)
            assert sign * value(other / other.sum()) <= sign * best.value + 1e-9


@pytest.mark.parametrize("metric", SEARCHED_METRICS)
@given(seed=SEEDS)
def test_two_classes_have_the_best_threshold(metric, seed):
    y, prob, _ = draw(seed, 2, 20)
    prob = 0.98 * prob + 0.01  # a class of probability 1 is predicted whatever the point
    best = best_simplex_point(y, prob, metric=metric)
    assert best.is_exact
    scores = np.unique(prob[:, 1])
    thresholds = [scores[0] / 2, *(scores[1:] + scores[:-1]) / 2, (1 + scores[-1]) / 2]
    values = [evaluate(y, prob, [1 - t, t], metric) for t in thresholds]
    assert best.value == pytest.approx(max(values))


@given(seed=SEEDS, miss=st.floats(0.2, 5))
def test_two_classes_have_the_cost_of_the_optimal_point(seed, miss):
    y, prob, _ = draw(seed, 2, 20)
    prob = 0.98 * prob + 0.01
    best = best_simplex_point(y, prob, cost_matrix=[[0, 1], [miss, 0]])
    optimum = RankedSegments.from_scores(y, prob[:, 1]).optimal_point(1, miss)
    assert best.value == pytest.approx(optimum.expected_cost(1, miss))
    assert best.metric == "cost"


def test_steps_lead_from_a_start_to_a_local_optimum():
    y, prob, _ = draw(2, 3, 60)
    best = best_simplex_point(y, prob, metric="macro_f1")
    again = best_simplex_point(y, prob, metric="macro_f1", start=best.point)
    assert best.n_steps > 0
    assert best.start in ("argmax", "priors")
    assert not best.is_exact
    assert again.value >= best.value
    certain = np.eye(3)[[0, 1, 2, 0]]
    stuck = best_simplex_point([0, 1, 2, 1], certain)
    assert (stuck.n_steps, stuck.value, stuck.argmax_value) == (0, 0.75, 0.75)


def test_the_costs_are_a_start():
    y, prob, rng = draw(2, 5, 200)
    cost = rng.integers(1, 30, (5, 5)) * (1.0 - np.eye(5))
    assert best_simplex_point(y, prob, cost_matrix=cost).start == "costs"
    y, prob, _ = draw(0)
    # a class whose errors cost nothing gives no start
    free = best_simplex_point(y, prob, cost_matrix=[[0, 0, 0], [1, 0, 1], [1, 1, 0]])
    assert free.start in ("argmax", "priors")


def test_extreme_probabilities_stay_in_bounds():
    p = np.array([1e-150, 1e-120, 0.3, 1 - 1e-16])
    prob = np.column_stack((p, 1 - p))
    best = best_simplex_point([1, 0, 0, 1], prob, metric="accuracy")
    assert best.point.min() >= 1e-100
    assert best.value >= best.argmax_value
