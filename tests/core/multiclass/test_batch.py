"""Labels for a batch: all labellings and all outcomes of small ones, and bounds that hold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import expected_utility
from rocviz.core.multiclass import batch_labels, confusion_matrix

SEEDS = st.integers(0, 10**6)


def all_labellings(prob):
    """List all labellings, which are all outcomes too, with their probabilities as outcomes."""
    n, n_classes = prob.shape
    labels = np.array(list(product(range(n_classes), repeat=n)))
    return labels, np.prod(prob[np.arange(n), labels], axis=1)


def count_correct(labels, n_classes):
    """Count for each labelling and outcome the correct predictions of each class, and its size."""
    one_hot = np.eye(n_classes)[labels]
    return np.einsum("anc,bnc->abc", one_hot, one_hot), one_hot.sum(axis=1)


def expected_macro_f1(labels, prob):
    """Average the expected F1 of each class against the others."""
    return np.mean(
        [
            expected_utility(labels == k, prob[:, k], "f", zero_division=0.0)
            for k in range(prob.shape[1])
        ]
    )


@given(SEEDS)
def test_small_batches_are_labelled_as_well_as_possible(seed):
    prob = np.random.default_rng(seed).dirichlet([0.7, 1, 1.3], 4)
    labels, chance = all_labellings(prob)
    correct, size = count_correct(labels, 3)
    with np.errstate(invalid="ignore"):
        f1 = np.nan_to_num(2 * correct / (size[:, None] + size))
    values = f1.mean(axis=2) @ chance
    batch = batch_labels(prob)
    assert batch.expected == pytest.approx(values.max(), abs=1e-12)
    assert values.max() <= batch.bound + 1e-12
    row = (labels == batch.labels).all(axis=1)
    assert values[row] == pytest.approx(batch.expected)
    row = (labels == prob.argmax(axis=1)).all(axis=1)
    assert values[row] == pytest.approx(batch.argmax_expected)


@given(SEEDS)
def test_no_other_labels_are_above_the_bound(seed):
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet([0.3, 0.5, 1], 30)
    batch = batch_labels(prob, n_steps=seed % 60)
    for labels in rng.integers(0, 3, (20, 30)):
        assert expected_macro_f1(labels, prob) <= batch.bound + 1e-12
    assert batch.argmax_expected <= batch.expected <= batch.bound
    assert batch.expected == pytest.approx(expected_macro_f1(batch.labels, prob))


@pytest.mark.parametrize("n_classes", [3, 5])
def test_the_gap_is_small(n_classes):
    for seed in range(6):
        prob = np.random.default_rng(seed).dirichlet(np.linspace(0.3, 1.5, n_classes), 60)
        assert batch_labels(prob).gap < 1e-5


def test_prices_improve_on_changes_of_one_or_two_labels():
    prob = np.random.default_rng(2).dirichlet(np.linspace(0.4, 4, 12), 60)
    batch = batch_labels(prob)
    local = batch_labels(prob, n_steps=0)
    assert batch.expected >= local.expected
    assert 0 < batch.gap < 1e-3 < local.gap


def test_rare_classes_are_predicted_more_often_than_by_the_most_probable():
    prob = np.random.default_rng(0).dirichlet([4, 1, 0.6], 60)
    batch = batch_labels(prob, classes=["common", "rare", "rarer"])
    assert batch.expected > batch.argmax_expected + 0.03
    assert (batch.labels == "rarer").sum() > (prob.argmax(axis=1) == 2).sum()


@given(SEEDS)
def test_two_classes_have_the_expected_utility_of_two(seed):
    prob = np.random.default_rng(seed).random(12)
    both = np.column_stack((1 - prob, prob))
    batch = batch_labels(both)
    assert batch.expected == pytest.approx(expected_macro_f1(batch.labels, both))


def test_the_mean_of_drawn_labels_is_as_expected():
    rng = np.random.default_rng(2)
    prob = rng.dirichlet([1, 1, 2], 40)
    batch = batch_labels(prob)
    drawn = (rng.random((2000, 40, 1)) > prob.cumsum(axis=1)).sum(axis=2)
    scores = [
        confusion_matrix(y, batch.labels, classes=[0, 1, 2]).metric("macro_f1") for y in drawn
    ]
    assert np.mean(scores) == pytest.approx(batch.expected, abs=4 * np.std(scores) / 45)


def test_the_best_labels_for_recall_are_found_directly():
    prob = np.random.default_rng(4).dirichlet([1, 0.5, 0.5], 5)
    batch = batch_labels(prob, metric="balanced_accuracy")
    labels, chance = all_labellings(prob)
    correct, size = count_correct(labels, 3)
    with np.errstate(invalid="ignore"):
        recall = np.nan_to_num(correct / size)
    values = recall.mean(axis=2) @ chance
    assert batch.expected == pytest.approx(values.max())
    assert batch.gap == 0
    assert batch.argmax_expected <= batch.expected


def test_certain_and_single_samples():
    certain = batch_labels(np.eye(3)[[0, 1, 2, 2]])
    assert certain.labels.tolist() == [0, 1, 2, 2]
    assert certain.expected == pytest.approx(1)
    assert batch_labels([[0.2, 0.8]]).labels.tolist() == [1]
    assert batch_labels(np.full((4, 2), 0.5), n_steps=0).gap >= 0
