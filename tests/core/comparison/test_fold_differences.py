"""Differences over folds: Nadeau and Bengio's test, and folds that are too small."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t, ttest_1samp

from rocviz.core.comparison import compare_classifiers, compare_folds, fold_average
from rocviz.core.roc import RankedSegments


def drawn(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    scores = {"a": y + rng.normal(size=n), "b": y + 1.5 * rng.normal(size=n)}
    scores["c"] = scores["a"] + 0.1 * rng.normal(size=n)
    return y, scores, np.arange(n) % 10


def test_the_test_is_nadeau_and_bengios():
    y, scores, fold = drawn()
    comparison = compare_folds(y, scores, fold, confidence=0.9)
    aucs = np.empty((3, 10))
    for i, score in enumerate(scores.values()):
        for k in range(10):
            own = fold == k
            aucs[i, k] = RankedSegments.from_scores(y[own], score[own]).auc
    assert comparison.value == pytest.approx(aucs)
    assert comparison.to_frame()["mean"].tolist() == pytest.approx(aucs.mean(axis=1).tolist())
    pairs = comparison.pairs()
    row = pairs.iloc[0]
    difference = aucs[0] - aucs[1]
    error = difference.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9)
    assert row["difference"] == pytest.approx(difference.mean())
    assert row["standard_error"] == pytest.approx(error)
    half = t.ppf(0.95, 9) * error
    assert (row["lower"], row["upper"]) == pytest.approx(
        (difference.mean() - half, difference.mean() + half)
    )
    assert row["p_value"] == pytest.approx(2 * t.sf(abs(difference.mean()) / error, 9))
    # without the correction it is the usual t-test, which is too sure
    assert row["p_value"] > ttest_1samp(difference, 0).pvalue
    assert (pairs["p_holm"] >= pairs["p_value"]).all()


def test_the_ratio_of_sizes_can_be_given():
    y, scores, fold = drawn()
    narrow = compare_folds(y, scores, fold, test_train_ratio=0.01).pairs()
    wide = compare_folds(y, scores, fold, test_train_ratio=1.0).pairs()
    ratio = wide["standard_error"] / narrow["standard_error"]
    assert ratio.tolist() == pytest.approx(3 * [np.sqrt(1.1 / 0.11)])


def test_another_statistic():
    y, scores, fold = drawn()
    comparison = compare_folds(y, scores, fold, lambda s: s.at_threshold(0.5).tpr)
    own = fold == 3
    assert comparison.value[0, 3] == (scores["a"][own & y] >= 0.5).mean()
    with pytest.raises(ValueError, match="statistic must be callable; got int"):
        compare_folds(y, scores, fold, 3)


def test_folds_with_few_of_a_class_are_joined_with_the_next():
    y, scores, fold = drawn()
    y = y.copy()
    y[fold == 4] = False
    y[fold == 9] = True
    comparison = compare_folds(y, scores, fold)
    assert comparison.value.shape == (3, 8)
    joined = (fold == 4) | (fold == 5)
    auc = RankedSegments.from_scores(y[joined], scores["a"][joined]).auc
    assert comparison.value[0, 4] == auc
    joined = fold >= 8
    auc = RankedSegments.from_scores(y[joined], scores["a"][joined]).auc
    assert comparison.value[0, 7] == auc
    assert comparison.test_train_ratio == 1 / 7


def test_few_folds_or_equal_differences_show_no_variation():
    y, scores, fold = drawn()
    table = compare_folds(y, scores, fold % 4).pairs()
    assert table["difference"].notna().all()
    assert table[["standard_error", "lower", "upper", "p_value", "p_holm"]].isna().all(axis=None)
    same = compare_folds(y, {"a": scores["a"], "again": scores["a"]}, fold).pairs()
    assert same.loc[0, "difference"] == 0
    assert np.isnan(same.loc[0, "p_value"])
    with pytest.raises(ValueError, match=r"fold must give at least two folds .*; got 1"):
        compare_folds(y, scores, np.zeros(y.size))


def test_weights_of_zero_are_left_out():
    y, scores, fold = drawn()
    weight = 1.0 + np.arange(y.size) % 2
    weight[:30] = 0
    weighted = compare_folds(y, scores, fold, sample_weight=weight)
    rows = np.repeat(np.arange(y.size), weight.astype(int))
    repeated = compare_folds(
        y[rows], {name: score[rows] for name, score in scores.items()}, fold[rows]
    )
    assert weighted.value == pytest.approx(repeated.value)


def fitted(X, y, train):
    """Scores of least squares that are fitted without the other samples."""
    design = np.column_stack((np.ones(len(X)), X))
    return design @ np.linalg.lstsq(design[train], y[train], rcond=None)[0]


@pytest.mark.slow  # a simulation
def test_equally_good_learners_seldom_differ_by_the_test():
    # disjoint features that say the same: the paired test of all samples rejects 13 %
    rng = np.random.default_rng(9)
    n = 100
    fold = np.arange(n) % 10
    by_folds = by_samples = 0
    for _ in range(200):
        y = rng.permutation(n) < n / 2
        scores = {}
        for name in "ab":
            X = rng.normal(size=(n, 20)) + 0.2 * y[:, None]
            scores[name] = np.empty(n)
            for k in range(10):
                scores[name][fold == k] = fitted(X, y, fold != k)[fold == k]
        by_folds += compare_folds(y, scores, fold).pairs()["p_value"][0] < 0.05
        pairs = compare_classifiers(y, scores, n_resamples=0).pairs(method="delong")
        by_samples += pairs["p_value"][0] < 0.05
    assert by_folds <= 16
    assert by_samples > by_folds


@pytest.mark.parametrize("missing", [None, float("nan"), "", " ", pd.NA])
def test_folds_that_are_missing_are_refused_whatever_their_type(missing):
    y, scores, fold = drawn()
    names = [f"fold {number}" for number in fold]
    names[7] = missing
    for function, score in ((compare_folds, scores), (fold_average, scores["a"])):
        with pytest.raises(ValueError, match="fold must not hold missing labels; 1 do"):
            function(y, score, names)
        with pytest.raises(ValueError, match="fold mixes labels of types"):
            function(y, score, [1, *names[1:7], *names[8:], "fold 0"])


def test_weights_may_be_a_table_of_one_column():
    y, scores, fold = drawn()
    weight = (np.arange(y.size) % 7 > 0).astype(float)
    expected = compare_folds(y, scores, fold, sample_weight=weight).value
    names = np.array([f"fold {number}" for number in fold])
    of_table = compare_folds(y, scores, names, sample_weight=pd.DataFrame({"w": weight})).value
    assert of_table == pytest.approx(expected)
