"""Curves over folds: the average is exact, and bands match their names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.stats import t as student

from rocviz.core.comparison.fold_average import fold_average
from rocviz.core.roc.segments import RankedSegments


@st.composite
def fold(draw):
    """A few tied segments with both classes."""
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda row: sum(row) > 0),
            min_size=1,
            max_size=6,
        )
    )
    pos = np.array([row[0] for row in rows], dtype=float)
    neg = np.array([row[1] for row in rows], dtype=float)
    pos[draw(st.integers(0, len(rows) - 1))] += 1
    neg[draw(st.integers(0, len(rows) - 1))] += 1
    return RankedSegments(-np.arange(len(rows), dtype=float), pos, neg)


@given(st.lists(fold(), min_size=2, max_size=5))
def test_the_area_under_the_average_is_the_mean_auc(folds):
    average = fold_average(folds)
    assert trapezoid(average.tpr, average.fpr) == pytest.approx(average.auc.mean(), abs=1e-12)
    assert (np.diff(average.tpr) >= -1e-12).all()
    assert (average.tpr[0], average.tpr[-1]) == (0, 1)


@given(st.lists(fold(), min_size=2, max_size=4), st.floats(0.001, 0.999))
def test_the_average_is_that_of_the_curves_read_one_by_one(folds, fpr):
    average = fold_average(folds)
    if np.isclose(average.fpr, fpr).any():
        return
    read = [np.interp(fpr, segments.fpr, segments.tpr) for segments in folds]
    assert np.interp(fpr, average.fpr, average.tpr) == pytest.approx(np.mean(read), abs=1e-9)
    # a standard deviation is no straight line between two rates; it is at their ends
    k = int(np.flatnonzero(average.fpr <= fpr)[-1])
    end = average.fpr[k] + 1e-12
    ends = [np.interp(end, segments.fpr, segments.tpr) for segments in folds]
    assert average.spread[k] == pytest.approx(np.std(ends, ddof=1), abs=1e-6)


def test_bands_match_their_names():
    rng = np.random.default_rng(0)
    folds = []
    for _ in range(5):
        y = rng.random(60) < 0.4
        folds.append(RankedSegments.from_scores(y, y + rng.normal(size=60)))
    average = fold_average(folds)
    mean, low, high = average.auc_band()
    assert (mean - low, high - mean) == pytest.approx([average.auc.std(ddof=1)] * 2)
    mean, low, high = average.auc_band("interval", confidence=0.9)
    half = student.ppf(0.95, 4) * average.auc.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4)
    assert (low, high) == pytest.approx((mean - half, min(mean + half, 1)))
    lower, upper = average.band("interval")
    assert ((lower >= 0) & (lower <= average.tpr) & (average.tpr <= upper) & (upper <= 1)).all()
    wider = fold_average(folds, test_train_ratio=1.0).band("interval")
    assert (wider[1] >= upper).all()
    assert average.pooled.n_samples == 300


def test_labels_with_folds_give_the_same_as_segments():
    rng = np.random.default_rng(2)
    y = rng.random(90) < 0.5
    score = rng.normal(size=90) + y
    weight = rng.integers(1, 4, 90)
    fold = np.repeat(["a", "c", "b"], 30)
    folds = []
    for name in "abc":
        rows = np.flatnonzero(fold == name)
        folds.append(RankedSegments.from_scores(y[rows], score[rows], sample_weight=weight[rows]))
    by_labels = fold_average(y, score, fold, sample_weight=weight, test_train_ratio=0.5)
    by_segments = fold_average(folds, test_train_ratio=0.5)
    np.testing.assert_array_equal(by_labels.tpr, by_segments.tpr)
    np.testing.assert_array_equal(by_labels.auc, by_segments.auc)
    unweighted = fold_average(np.where(y, "x", "o"), score, fold, pos_label="x")
    assert unweighted.auc[0] == RankedSegments.from_scores(y[:30], score[:30]).auc


def test_folds_without_an_error_leave_room_for_one():
    folds = [RankedSegments(score=[2, 1], pos=[3, 0], neg=[0, 4]) for _ in range(5)]
    average = fold_average(folds)
    assert average.auc_band() == (1.0, 1.0, 1.0)
    mean, lower, upper = average.auc_band("interval")
    assert (mean, upper) == (1.0, 1.0)
    # Clopper and Pearson's of 15 in 15
    assert lower == pytest.approx(0.025 ** (1 / 15))
