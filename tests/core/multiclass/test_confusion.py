"""Confusion matrices of several classes, against scikit-learn and tables of two classes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.naive_bayes import GaussianNB

from rocviz import MulticlassExplorer, SimplexThresholdClassifier, best_simplex_point
from rocviz.core.multiclass import ConfusionMatrix, confusion_matrix
from rocviz.core.roc import binomial_interval
from rocviz.core.roc.metrics import METRICS


def draw_labels(seed, n_classes=4, n=60):
    rng = np.random.default_rng(seed)
    true = np.append(np.arange(n_classes), rng.integers(0, n_classes, n))
    predicted = np.where(rng.random(true.size) < 0.5, true, rng.integers(0, n_classes, true.size))
    return true, predicted


SCIKIT_LEARN_METRICS = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "macro_f1": partial(metrics.f1_score, average="macro"),
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
}


@pytest.mark.parametrize("metric", SCIKIT_LEARN_METRICS)
@pytest.mark.parametrize("weighted", [False, True])
@given(seed=st.integers(0, 10**6))
def test_metrics_are_those_of_scikit_learn(metric, weighted, seed):
    true, predicted = draw_labels(seed)
    weight = np.random.default_rng(seed).uniform(0.5, 2, true.size) if weighted else None
    ours = confusion_matrix(true, predicted, sample_weight=weight)
    theirs = SCIKIT_LEARN_METRICS[metric](true, predicted, sample_weight=weight)
    assert ours.metric(metric) == pytest.approx(theirs, abs=1e-12)


def test_metrics_that_two_classes_have_too_have_the_same_names():
    matrix = ConfusionMatrix(tuple("abc"), np.array([[8.0, 2, 0], [3, 4, 3], [1, 0, 5]]))
    for row in (METRICS[name] for name in ("accuracy", "balanced_accuracy", "mcc", "cost")):
        for alias in row.aliases:
            assert matrix.metric(alias) == matrix.metric(row.name)
    y = np.arange(12) % 3
    prob = np.eye(3)[np.arange(12) % 3] * 0.7 + 0.1
    best = best_simplex_point(y, prob, metric="matthews_corrcoef")
    assert (best.metric, best.value) == ("mcc", pytest.approx(1))
    model = SimplexThresholdClassifier(GaussianNB(), metric="am").fit(prob, y)
    np.testing.assert_array_equal(model.predict(prob), y)
    explorer = MulticlassExplorer(metric="am")
    assert explorer.metric == "balanced_accuracy"
    explorer.close()


def test_cost_is_a_mean_over_the_samples():
    true, predicted = draw_labels(0, 3)
    cost = np.array([[0, 2, 5], [1, 0, 1], [4, 3, 0.5]])
    matrix = confusion_matrix(true, predicted)
    assert matrix.metric("cost", cost_matrix=cost) == pytest.approx(cost[true, predicted].mean())
    assert matrix.metric("cost") == pytest.approx(1 - matrix.accuracy)


@given(st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any))
def test_two_classes_are_a_confusion_table(cells):
    tn, fp, fn, tp = cells
    matrix = ConfusionMatrix((0, 1), np.array([[tn, fp], [fn, tp]]))
    table = matrix.table(1)
    assert (table.tp, table.fp, table.fn, table.tn) == (tp, fp, fn, tn)
    for name in ("accuracy", "balanced_accuracy"):
        assert matrix.metric(name) == pytest.approx(getattr(table, name), nan_ok=True)
    # 0/0 is NaN in a table, and 0 for decisions
    assert matrix.metric("mcc") == pytest.approx(np.nan_to_num(table.mcc))
    low, high = matrix.interval()
    if tp + fn:
        assert (low[1, 1], high[1, 1]) == pytest.approx(table.interval("tpr"))


def test_light_samples_beside_heavy_ones_keep_their_weight():
    weight = [1e6, 1, 1e-6, 1e6, 1e6]
    matrix = confusion_matrix([0, 0, 1, 1, 2], [0, 1, 1, 0, 1], sample_weight=weight)
    table = matrix.table(0)
    assert (table.fn, table.tn) == (1, 1e6 + 1e-6)
    assert confusion_matrix([0, 1, 2], [0, 1, 0], sample_weight=[1e6, 1, 1e-6]).table(0).fp == 1e-6


def test_shares_and_intervals_are_of_rows():
    matrix = ConfusionMatrix(tuple("abc"), np.array([[8.0, 2, 0], [3, 4, 3], [0, 0, 0]]))
    assert matrix.shares[:2].tolist() == [[0.8, 0.2, 0.0], [0.3, 0.4, 0.3]]
    assert np.isnan(matrix.shares[2]).all()
    assert np.isnan(matrix.metric("balanced_accuracy"))
    low, high = matrix.interval(confidence=0.9, method="jeffreys")
    lower, upper = binomial_interval(4, 10, confidence=0.9, method="jeffreys")
    assert (low[1, 1], high[1, 1]) == pytest.approx((float(lower), float(upper)))
    assert low[2].tolist() == [0, 0, 0]
    assert high[2].tolist() == [1, 1, 1]
    assert (matrix.true.tolist(), matrix.predicted.tolist()) == ([10, 10, 0], [11, 6, 3])
    assert matrix.n_samples == 20
    assert matrix.table("b").to_frame().loc["tpr", "value"] == 0.4


def test_predicting_one_class_for_all_samples_has_no_agreement_beyond_chance():
    matrix = ConfusionMatrix(("a", "b"), np.array([[3.0, 0], [5, 0]]))
    assert matrix.metric("mcc") == matrix.metric("kappa") == 0
    assert ConfusionMatrix(("a", "b"), np.array([[3.0, 0], [0, 0]])).metric("kappa") == 0


def test_predicted_labels_without_samples_get_a_row():
    matrix = confusion_matrix(["a", "b"], ["c", "b"])
    assert matrix.classes == ("a", "b", "c")
    assert matrix.true.tolist() == [1, 1, 0]


def test_the_table_has_true_classes_in_rows():
    table = confusion_matrix(["a", "a", "b"], ["a", "b", "b"]).to_frame()
    assert table.loc["a"].tolist() == [1, 1]
    assert (table.index.name, table.columns.name) == ("true", "predicted")
