"""Calls for a batch: all labellings and all outcomes of small ones, and bounds that hold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import expected_utility
from rocviz.core.multiclass import batch_labels, confusion_matrix
from rocviz.core.multiclass.batch import _expected, _worth

SEEDS = st.integers(0, 10**6)


def every_value(prob):
    """Compute the expected macro F1 of all labellings from all outcomes."""
    n, many = prob.shape
    labels = np.array(list(product(range(many), repeat=n)))
    chance = np.prod(prob[np.arange(n), labels], axis=1)
    one_hot = np.eye(many)[labels]
    size = one_hot.sum(axis=1)
    right = np.einsum("anc,bnc->abc", one_hot, one_hot)
    with np.errstate(invalid="ignore"):
        f1 = np.nan_to_num(2 * right / (size[:, None] + size))
    return labels, f1.mean(axis=2) @ chance


@given(SEEDS)
def test_small_batches_are_called_as_well_as_any(seed):
    prob = np.random.default_rng(seed).dirichlet([0.7, 1, 1.3], 4)
    labels, values = every_value(prob)
    calls = batch_labels(prob)
    assert calls.expected == pytest.approx(values.max(), abs=1e-12)
    assert values.max() <= calls.bound + 1e-12
    at = np.flatnonzero((labels == calls.calls).all(axis=1))[0]
    assert values[at] == pytest.approx(calls.expected)
    at = np.flatnonzero((labels == prob.argmax(axis=1)).all(axis=1))[0]
    assert values[at] == pytest.approx(calls.argmax_expected)


@given(SEEDS)
def test_no_other_calls_are_above_the_bound(seed):
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet([0.3, 0.5, 1], 30)
    found = batch_labels(prob, n_steps=seed % 60)
    worth = np.array([_worth(column) for column in prob.T]) / 3
    for calls in rng.integers(0, 3, (50, 30)):
        assert _expected(worth, calls) <= found.bound + 1e-12
    assert found.argmax_expected <= found.expected <= found.bound
    assert found.expected == pytest.approx(_expected(worth, found.calls))


@pytest.mark.parametrize("many", [3, 5])
def test_the_gap_is_small(many):
    for seed in range(6):
        prob = np.random.default_rng(seed).dirichlet(np.linspace(0.3, 1.5, many), 60)
        calls = batch_labels(prob)
        assert calls.gap < 1e-5


def test_prices_improve_on_changes_of_one_or_two_calls():
    prob = np.random.default_rng(2).dirichlet(np.linspace(0.4, 4, 12), 60)
    found = batch_labels(prob)
    local = batch_labels(prob, n_steps=0)
    assert found.expected >= local.expected
    assert 0 < found.gap < 1e-3 < local.gap


def test_rare_classes_are_called_more_often_than_the_most_probable():
    prob = np.random.default_rng(0).dirichlet([4, 1, 0.6], 60)
    calls = batch_labels(prob, classes=["common", "rare", "rarer"])
    assert calls.expected > calls.argmax_expected + 0.03
    assert (calls.calls == "rarer").sum() > (prob.argmax(axis=1) == 2).sum()


@given(SEEDS)
def test_two_classes_have_the_expected_utility_of_two(seed):
    prob = np.random.default_rng(seed).random(12)
    calls = batch_labels(np.column_stack((1 - prob, prob)))
    of_class = [
        expected_utility(calls.calls == k, p, "f", zero_division=0.0)
        for k, p in ((1, prob), (0, 1 - prob))
    ]
    assert calls.expected == pytest.approx(np.mean(of_class))


def test_the_mean_of_drawn_labels_is_as_expected():
    rng = np.random.default_rng(2)
    prob = rng.dirichlet([1, 1, 2], 40)
    calls = batch_labels(prob)
    drawn = (rng.random((2000, 40, 1)) > prob.cumsum(axis=1)).sum(axis=2)
    scores = [confusion_matrix(y, calls.calls, classes=[0, 1, 2]).metric("macro_f1") for y in drawn]
    assert np.mean(scores) == pytest.approx(calls.expected, abs=4 * np.std(scores) / 45)


def test_the_best_calls_for_recall_are_found_directly():
    prob = np.random.default_rng(4).dirichlet([1, 0.5, 0.5], 5)
    calls = batch_labels(prob, metric="balanced_accuracy")
    labels = np.array(list(product(range(3), repeat=5)))
    chance = np.prod(prob[np.arange(5), labels], axis=1)
    one_hot = np.eye(3)[labels]
    right = np.einsum("anc,bnc->abc", one_hot, one_hot)
    with np.errstate(invalid="ignore"):
        recall = np.nan_to_num(right / one_hot.sum(axis=1)).mean(axis=2)
    values = recall @ chance
    assert calls.expected == pytest.approx(values.max())
    assert calls.gap == 0
    assert calls.argmax_expected <= calls.expected


def test_certain_and_single_samples():
    sure = batch_labels(np.eye(3)[[0, 1, 2, 2]])
    assert sure.calls.tolist() == [0, 1, 2, 2]
    assert sure.expected == pytest.approx(1)
    assert batch_labels([[0.2, 0.8]]).calls.tolist() == [1]
    assert batch_labels(np.full((4, 2), 0.5), n_steps=0).gap >= 0
