"""AUCs of several classes: against pairs counted one by one, two classes, and repeated samples."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit, softmax
from sklearn.metrics import roc_auc_score

from rocviz import auc_interval
from rocviz.core.base.classes import check_class_samples
from rocviz.core.comparison.auc_covariance import auc_covariance
from rocviz.core.comparison.hand_till import (
    AVERAGES,
    area_covariance,
    class_areas,
    influence_covariance,
    min_variance,
)
from rocviz.core.multiclass import hand_till_auc, hand_till_covariance
from rocviz.core.roc.delong_test import auc_test


def draw(seed, n_classes=3, n=60, pull=1.0, digits=None):
    """Draw labels, of each class some, and probabilities, with ties if digits are few."""
    rng = np.random.default_rng(seed)
    y = np.append(np.tile(np.arange(n_classes), 2), rng.integers(0, n_classes, n - 2 * n_classes))
    score = rng.normal(size=(n, n_classes)) + pull * np.eye(n_classes)[y]
    prob = softmax(score, axis=1)
    if digits is not None:
        counts = np.round(prob * digits)
        counts[np.arange(n), counts.argmax(1)] += digits - counts.sum(axis=1)
        prob = counts / digits
    return y, prob


CASES = st.builds(
    draw,
    st.integers(0, 10**6),
    st.integers(2, 5),
    st.integers(15, 40),
    st.floats(-1, 4),
    st.sampled_from([None, 3, 10]),
)


def share_above(a, b):
    """Share of the pairs in which the first is larger, ties counted one half."""
    return (np.sign(np.subtract.outer(a, b)) / 2 + 0.5).mean()


def areas_of_pairs(y, prob):
    """Count for each pair of classes how often the first has more of its probability."""
    n_classes = prob.shape[1]
    pairs = np.full((n_classes, n_classes), np.nan)
    for i, j in permutations(range(n_classes), 2):
        pairs[i, j] = share_above(prob[y == i, i], prob[y == j, i])
    return pairs


@given(CASES)
def test_areas_of_pairs_are_counted(case):
    y, prob = case
    result = hand_till_auc(y, prob)
    np.testing.assert_allclose(result.pairs, areas_of_pairs(y, prob), rtol=1e-12)
    assert result.auc == pytest.approx(np.nanmean(result.pairs), abs=1e-13)
    assert result.lower <= result.auc <= result.upper


@given(CASES)
def test_means_are_those_of_scikit_learn(case):
    y, prob = case
    if prob.shape[1] == 2:
        return
    for average, options in (
        ("hand-till", {"multi_class": "ovo"}),
        ("ovr-macro", {"multi_class": "ovr"}),
        ("ovr-weighted", {"multi_class": "ovr", "average": "weighted"}),
    ):
        ours = hand_till_auc(y, prob, average=average).auc
        assert ours == pytest.approx(roc_auc_score(y, prob, **options), abs=1e-9)


def contributions(y, prob):
    """Compute V_k(x) of the specification from all pairs."""
    n_classes = prob.shape[1]
    value = np.zeros(y.size)
    for s, k in enumerate(y):
        for j in set(range(n_classes)) - {k}:
            value[s] += share_above(prob[s, k], prob[y == j, k])
            value[s] += share_above(prob[y == j, j], prob[s, j])
    return value / n_classes / (n_classes - 1)


def variance_of_mean(value, y):
    """Add up the variances of the means of the classes."""
    return sum(np.var(value[y == k], ddof=1) / np.count_nonzero(y == k) for k in np.unique(y))


@given(CASES)
def test_the_variance_follows_from_the_contributions(case):
    y, prob = case
    expected = variance_of_mean(contributions(y, prob), y)
    result = hand_till_auc(y, prob, method="delong")
    if not result.is_fallback:
        assert result.standard_error**2 == pytest.approx(expected, rel=1e-9)
    else:
        assert expected == pytest.approx(0, abs=1e-20)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("method", ["logit-delong", "delong"])
@given(case=CASES, data=st.data())
def test_two_classes_are_auc_interval(average, method, case, data):
    y, prob = case
    y = np.minimum(y, 1)
    p = prob[:, -1]
    weight = data.draw(st.none() | st.just(1.0 + np.arange(y.size) % 3 / 2))
    ours = hand_till_auc(
        y, np.column_stack((1 - p, p)), average=average, method=method, sample_weight=weight
    )
    theirs = auc_interval(y, p, method=method, sample_weight=weight)
    for name in ("auc", "lower", "upper", "standard_error"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-9, nan_ok=True)
    assert ours.is_fallback == theirs.is_fallback
    assert ours.one_vs_rest == pytest.approx([theirs.auc] * 2)


@pytest.mark.parametrize("average", AVERAGES)
@given(case=CASES, seed=st.integers(0, 99))
def test_weights_repeat_samples(average, case, seed):
    y, prob = case
    weight = np.random.default_rng(seed).integers(0, 4, y.size)
    weight[: 2 * prob.shape[1]] = 2
    rows = np.repeat(np.arange(y.size), weight)
    weighted = hand_till_auc(y, prob, average=average, sample_weight=weight)
    repeated = hand_till_auc(y[rows], prob[rows], average=average)
    for name in ("auc", "lower", "upper"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name))


@pytest.mark.parametrize("average", AVERAGES)
def test_the_influence_is_the_derivative_of_the_mean(average):
    y, prob = draw(3, n=40)
    weight = np.random.default_rng(0).uniform(1, 3, y.size)
    samples = check_class_samples(y, prob, None, weight)
    areas = class_areas(samples, average)
    step = 1e-6
    for s in range(y.size):
        changed = weight.copy()
        changed[s] += step
        changed_areas = class_areas(check_class_samples(y, prob, None, changed), average)
        slope = (changed_areas.auc - areas.auc) / step
        assert slope == pytest.approx(areas.influence[s], abs=1e-5)


def test_perfect_and_tied_rankings_fall_back():
    y = np.repeat([0, 1, 2], [4, 5, 6])
    perfect = hand_till_auc(y, np.eye(3)[y])
    assert (perfect.auc, perfect.upper, perfect.is_fallback) == (1.0, 1.0, True)
    assert perfect.lower == pytest.approx(0.025 ** (1 / 4))
    wrong = hand_till_auc(y, np.eye(3)[(y + 1) % 3][:, [1, 0, 2]])
    assert np.isnan(wrong.standard_error)
    assert wrong.lower >= 0
    tied = hand_till_auc(y, np.full((15, 3), 1 / 3), sample_weight=np.full(15, 0.7))
    assert (tied.auc, tied.is_fallback) == (pytest.approx(0.5), True)
    prob = np.repeat([[0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.2, 0.4, 0.4]], [1, 2, 2], axis=0)
    single = hand_till_auc([0, 1, 1, 2, 2], prob)
    assert single.is_fallback


@pytest.mark.parametrize(
    ("shares", "pull", "average"),
    [
        ([1 / 3, 1 / 3, 1 / 3], 1.2, "hand-till"),
        ([1 / 3, 1 / 3, 1 / 3], 2.0, "hand-till"),  # M is .97
        ([0.6, 0.3, 0.1], 1.2, "hand-till"),
        ([0.6, 0.3, 0.1], 1.2, "ovr-macro"),
        ([0.6, 0.3, 0.1], 1.2, "ovr-weighted"),
        ([0.25] * 4, 1.5, "hand-till"),
    ],
)
def test_the_interval_covers(shares, pull, average):
    rng = np.random.default_rng(8)
    n_classes = len(shares)

    def draw_samples(n):
        y = rng.choice(n_classes, n, p=shares)
        y[: 2 * n_classes] = np.tile(np.arange(n_classes), 2)
        score = rng.normal(size=(n, n_classes)) + pull * np.eye(n_classes)[y]
        return y, softmax(score + np.log(shares), axis=1)

    truth = hand_till_auc(*draw_samples(30_000), average=average).auc
    n_covered = {"widened-delong": 0, "logit-delong": 0}
    for _ in range(150):
        samples = draw_samples(150)
        for method in n_covered:
            result = hand_till_auc(*samples, average=average, method=method)
            n_covered[method] += result.lower <= truth <= result.upper
    assert 0.90 <= n_covered["logit-delong"] / 150 <= 0.99
    assert n_covered["widened-delong"] >= n_covered["logit-delong"]


@given(st.integers(0, 10**6))
def test_tests_of_two_classes_are_delongs(seed):
    rng = np.random.default_rng(seed)
    y = np.append([0, 0, 1, 1], rng.integers(0, 2, 30))
    a, b = rng.integers(0, 10, (2, y.size)) / 10
    tested = hand_till_covariance(
        y, {"a": np.column_stack((1 - a, a)), "b": np.column_stack((1 - b, b))}
    )
    theirs = auc_test(y, a, b)
    row = tested.pairs().iloc[0]
    assert row["difference"] == pytest.approx(theirs.difference, abs=1e-12)
    assert row["standard_error"] == pytest.approx(theirs.standard_error, rel=1e-9)
    assert row["p_value"] == pytest.approx(theirs.p_value, rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_clusters_of_two_classes_are_obuchowskis(weighted):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 50)
    a = rng.random(50)
    b = rng.random(50)
    clusters = rng.integers(0, 12, 50)
    weight = rng.integers(1, 4, 50).astype(float) if weighted else None
    theirs = auc_covariance(y == 1, {"a": a, "b": b}, weight, clusters)
    models = {
        "a": check_class_samples(y, np.column_stack((1 - a, a)), None, weight),
        "b": check_class_samples(y, np.column_stack((1 - b, b)), None, weight),
    }
    ours, _ = area_covariance(models, "hand-till", clusters)
    np.testing.assert_allclose(ours.covariance, theirs.covariance, rtol=1e-9)
    np.testing.assert_allclose(ours.difference_error, theirs.difference_error, rtol=1e-9)


def test_a_difference_of_models_has_the_error_of_its_contributions():
    y, a = draw(1, n=90)
    _, b = draw(2, n=90)
    models = {"a": a, "b": b, "a again": a}
    tested = hand_till_covariance(y, models)
    variance = np.diag(tested.covariance)
    for i, j in combinations(range(3), 2):
        expected = variance[i] + variance[j] - 2 * tested.covariance[i, j]
        assert tested.difference_error[i, j] ** 2 == pytest.approx(expected, abs=1e-15)
    assert tested.difference_error[0, 2] == tested.difference[0, 2] == 0
    table = tested.pairs()
    assert table["p_value"][1] == 1
    assert (table["p_holm"] >= table["p_value"]).all()


def test_tables_may_name_the_classes_in_different_orders():
    y, a = draw(1, n=90)
    _, b = draw(2, n=90)
    classes = ["x", "y", "z"]
    labels = np.array(classes)[y]
    first, second = (pd.DataFrame(prob, columns=classes) for prob in (a, b))
    alike = hand_till_covariance(labels, {"a": first, "b": second})
    mixed = hand_till_covariance(labels, {"a": first, "b": second[["z", "x", "y"]]})
    np.testing.assert_array_equal(mixed.auc, alike.auc)
    np.testing.assert_allclose(mixed.covariance, alike.covariance, rtol=1e-12)


def test_bad_input_is_refused_by_name():
    y, prob = draw(0, n=12)
    with pytest.raises(ValueError, match=r"sample_weight must sum to at least 1 in each class.*2"):
        hand_till_auc(y, prob, sample_weight=np.where(y == 2, 1e-3, 1.0))
    with pytest.raises(ValueError, match="y_probs must map"):
        hand_till_covariance(y, prob)
    with pytest.raises(ValueError, match="y_true and sample_weight must give each class"):
        hand_till_covariance([0, 1, 1, 2, 2], {"a": prob[:5]})
    samples = check_class_samples(y, prob)
    with pytest.raises(ValueError, match="clusters must give each class at least two clusters"):
        area_covariance({"a": samples}, "hand-till", np.zeros(12, dtype=int))
    covariance, _ = influence_covariance(samples, np.ones((1, 12)), np.zeros(12, dtype=int))
    assert np.isnan(covariance)


def test_the_table_has_each_class_against_each():
    result = hand_till_auc(
        np.array(["b", "a", "a", "b"]), np.eye(2)[[0, 1, 1, 0]], classes=["b", "a"]
    )
    table = result.to_frame()
    assert list(table.index) == ["b", "a"]
    assert list(table.columns) == ["b", "a", "one_vs_rest"]
    assert table.loc["b", "a"] == 1


def draw_rare(rng, pull=2.6, n=200):
    """Draw three classes of 80, 15 and 5 %, which are distinguished almost without an error."""
    y = np.repeat([0, 1, 2], [n * 80 // 100, n * 15 // 100, n * 5 // 100])
    score = rng.normal(size=(n, 3)) + pull * np.eye(3)[y]
    return y, softmax(score, axis=1)


def test_few_errors_of_the_smallest_class_widen_the_interval():
    y, prob = draw_rare(np.random.default_rng(0), 3.0)
    result = hand_till_auc(y, prob)
    alone = hand_till_auc(y, prob, method="logit-delong")
    assert result.method == "widened-delong"
    assert result.is_widened
    assert not alone.is_widened
    assert result.lower < alone.lower
    assert result.upper > alone.upper
    # placements of exponential scores, the smallest class on the heavy side
    m = result.auc
    heavy = m**2 * (1 - m) / (1 + m) / 10
    light = m * (1 - m) ** 2 / (2 - m) * (1 / 160 + 1 / 30)
    samples = check_class_samples(y, prob)
    least = min_variance(m, 1 - m, samples.size)
    assert least == pytest.approx(2 / 9 * (heavy + light))
    assert least > result.standard_error**2
    ends = logit(np.array([result.lower, result.upper]))
    assert ends.mean() == pytest.approx(logit(m))
    steps = (ends[1] - ends[0]) / 2 * m * (1 - m) / np.sqrt(least)
    assert steps > 1.96  # Student's quantile
    # with enough errors, and for two classes, there is no floor
    assert min_variance(0.5, 0.5, samples.size) == 0
    two = check_class_samples(np.minimum(y, 1), np.column_stack((prob[:, 0], 1 - prob[:, 0])))
    assert min_variance(0.99, 0.01, two.size) == 0


def test_the_widened_interval_covers_where_a_class_is_small():
    rng = np.random.default_rng(1)
    truth = np.mean([hand_till_auc(*draw_rare(rng, n=4000)).auc for _ in range(20)])
    assert truth > 0.99
    n_covered = {"widened-delong": 0, "logit-delong": 0}
    for _ in range(120):
        samples = draw_rare(rng)
        for method in n_covered:
            result = hand_till_auc(*samples, method=method)
            n_covered[method] += result.lower <= truth <= result.upper
    assert n_covered["logit-delong"] < 0.93 * 120
    assert n_covered["widened-delong"] >= 0.95 * 120
