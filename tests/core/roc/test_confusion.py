"""The confusion table: every rate against scikit-learn, and undefined rates."""

import math
import pickle

import hypothesis.strategies as st
import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import given, settings

from rocviz.core.roc.metrics import ConfusionTable, binomial_interval

CELL = st.integers(1, 40)
COST = st.one_of(st.just(0.0), st.floats(1e-6, 10))
PROPORTIONS = {
    "tpr": lambda t: t.tp / (t.tp + t.fn),
    "fpr": lambda t: t.fp / (t.fp + t.tn),
    "tnr": lambda t: t.tn / (t.fp + t.tn),
    "fnr": lambda t: t.fn / (t.tp + t.fn),
    "precision": lambda t: t.tp / (t.tp + t.fp),
    "npv": lambda t: t.tn / (t.tn + t.fn),
    "false_discovery_rate": lambda t: t.fp / (t.tp + t.fp),
    "false_omission_rate": lambda t: t.fn / (t.tn + t.fn),
    "accuracy": lambda t: (t.tp + t.tn) / t.n_samples,
    "error_rate": lambda t: (t.fp + t.fn) / t.n_samples,
    "prevalence": lambda t: t.n_pos / t.n_samples,
    "predicted_positive_rate": lambda t: t.predicted_pos / t.n_samples,
    "jaccard": lambda t: t.tp / (t.tp + t.fp + t.fn),
}


def samples(table):
    counts = [table.tp, table.fp, table.fn, table.tn]
    return np.repeat([1, 0, 1, 0], counts), np.repeat([1, 1, 0, 0], counts)


@settings(max_examples=10)
@given(CELL, CELL, CELL, CELL)
def test_rates_are_those_of_scikit_learn(tp, fp, fn, tn):
    table = ConfusionTable(tp, fp, fn, tn)
    y, predicted = samples(table)
    assert table.tpr == pytest.approx(sk.recall_score(y, predicted))
    assert table.precision == pytest.approx(sk.precision_score(y, predicted))
    assert table.accuracy == pytest.approx(sk.accuracy_score(y, predicted))
    assert table.balanced_accuracy == pytest.approx(sk.balanced_accuracy_score(y, predicted))
    assert table.f1 == pytest.approx(sk.f1_score(y, predicted))
    assert table.metric("f", beta=2) == pytest.approx(sk.fbeta_score(y, predicted, beta=2))
    assert table.jaccard == pytest.approx(sk.jaccard_score(y, predicted))
    assert table.metric("g_tp_pr") == pytest.approx(np.sqrt(table.precision * table.tpr))
    assert table.mcc == pytest.approx(sk.matthews_corrcoef(y, predicted), abs=1e-14)
    positive, negative = sk.class_likelihood_ratios(y, predicted)
    assert table.lr_positive == pytest.approx(positive)
    assert table.lr_negative == pytest.approx(negative)
    assert table.odds_ratio == pytest.approx(positive / negative)
    assert table.youden_j == pytest.approx(table.tpr + table.tnr - 1, abs=1e-14)
    assert table.n_samples == tp + fp + fn + tn


@given(CELL, CELL, CELL, CELL, st.sampled_from(sorted(PROPORTIONS)))
def test_proportions_and_their_intervals(tp, fp, fn, tn, name):
    table = ConfusionTable(tp, fp, fn, tn)
    for proportion, share in PROPORTIONS.items():
        assert getattr(table, proportion) == share(table)
    yes, of = table.proportion(name)
    assert yes / of == getattr(table, name)
    for method in ("wilson", "jeffreys", "clopper-pearson"):
        interval = table.interval(name, confidence=0.8, method=method)
        want = binomial_interval(yes, of, confidence=0.8, method=method)
        assert interval == tuple(map(float, want))


@given(CELL, CELL, CELL, CELL, COST, st.floats(0.1, 10))
def test_expected_cost(tp, fp, fn, tn, cost_fp, cost_fn):
    table = ConfusionTable(tp, fp, fn, tn)
    mean = (fp * cost_fp + fn * cost_fn) / table.n_samples
    assert table.expected_cost(cost_fp, cost_fn) == pytest.approx(mean)
    assert table.expected_cost(cost_fp, cost_fn, prevalence=1) == pytest.approx(cost_fn * table.fnr)


@given(CELL, CELL, CELL, CELL, st.one_of(st.just(0.0), st.just(1.0), st.floats(1e-9, 1 - 1e-9)))
def test_other_prevalence_keeps_the_rates_of_both_classes(tp, fp, fn, tn, pi):
    table = ConfusionTable(tp, fp, fn, tn, threshold=0.3)
    there = table.at_prevalence(pi, total=500)
    assert there.n_samples == pytest.approx(500)
    assert there.n_pos == pytest.approx(500 * pi)
    assert there.tp == pytest.approx(500 * pi * table.tpr)
    assert there.fp == pytest.approx(500 * (1 - pi) * table.fpr)
    assert there.threshold == 0.3


def test_counts_that_are_expected_have_no_intervals():
    table = ConfusionTable(40, 10, 10, 40)
    there = table.at_prevalence(0.01, total=1e6)
    with pytest.raises(ValueError, match="an interval needs observed counts"):
        there.interval("tpr")
    frame = there.to_frame()
    assert frame[["lower", "upper"]].isna().all(axis=None)
    assert frame.loc["tpr", "value"] == pytest.approx(table.tpr)
    assert frame.columns.equals(table.to_frame().columns)
    assert table.to_frame().notna().all(axis=None)


def test_expected_tables_may_hold_cells_far_apart():
    table = ConfusionTable(tp=1e6, fp=1, fn=1, tn=1e6)
    there = table.at_prevalence(1e-9)
    assert there.fn == pytest.approx(1e-6 / (1e6 + 1), rel=1e-9)
    assert there.fnr == pytest.approx(table.fnr, rel=1e-9)
    with pytest.raises(ValueError, match=r"^total must have positive values between 1e-50 and"):
        table.at_prevalence(0.5, total=1e60)


def test_zero_over_zero():
    none = ConfusionTable(0, 0, 5, 5)
    assert math.isnan(none.precision)
    assert none.tpr == 0
    assert none.f1 == 0
    assert math.isnan(none.mcc)
    assert none.interval("precision") == (0, 1)
    assert ConfusionTable(3, 0, 1, 4).lr_positive == math.inf
    assert ConfusionTable(3, 0, 0, 4).odds_ratio == math.inf
    empty = ConfusionTable(0, 0, 0, 0)
    assert math.isnan(empty.accuracy)
    assert math.isnan(empty.jaccard)


def test_table_and_html():
    table = ConfusionTable(3.25, 2, 1, 4)
    frame = table.to_frame(confidence=0.9, method="jeffreys")
    assert sorted(frame.index) == sorted(PROPORTIONS)
    assert frame.columns.tolist() == ["value", "count", "of", "lower", "upper"]
    assert (frame["lower"] <= frame["value"]).all()
    assert (frame["value"] <= frame["upper"]).all()
    assert "<td>3.25</td>" in table._repr_html_()


def test_one_class_has_no_other_prevalence():
    with pytest.raises(ValueError, match="samples of both classes"):
        ConfusionTable(0, 1, 0, 1).at_prevalence(0.5)


def test_metrics_are_attributes():
    table = ConfusionTable(3, 2, 1, 4)
    assert table.recall == table.tpr == table.metric("sensitivity")
    assert "h_mean" in dir(table)
    assert not hasattr(table, "auc")
    assert pickle.loads(pickle.dumps(table)).f2 == table.metric("f", beta=2)
