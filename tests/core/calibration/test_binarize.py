"""Thresholds of least entropy, against all midpoints."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given
from scipy.stats import entropy

from rocviz.core.calibration.binarize import entropy_thresholds, midpoints


def entropy_at(x, y, w, threshold):
    """Expected entropy in bits of the two sides."""
    total = 0.0
    for side in (x > threshold, x <= threshold):
        weights = w[side & (y == 0)].sum(), w[side & (y == 1)].sum()
        if sum(weights):
            total += sum(weights) * entropy(weights, base=2)
    return total / w.sum()


def threshold(x, y, **options):
    return entropy_thresholds(x, y, **options)[0]


samples = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=15
).filter(lambda rows: {y for _, y, w in rows if w} == {0, 1})


@given(samples)
@example([(0, 0, 1), (0, 1, 1)])
def test_the_best_of_all_thresholds_and_of_tied_ones_the_smallest(rows):
    x, y, w = map(np.array, zip(*rows, strict=True))
    middles = midpoints(x[w > 0])
    best = threshold(x, y, sample_weight=w)
    if not middles.size:
        assert best == np.inf
        return
    losses = np.array([entropy_at(x, y, w, middle) for middle in middles])
    assert best == middles[np.flatnonzero(losses <= losses.min() + 1e-12)[0]]


def looked_at(losses, prior):
    """List the midpoints that bisection tries, computed directly; none is beyond either end."""
    known = [prior, *losses, prior]
    seen = {0, len(known) - 1}
    while True:
        least = min(known[k] for k in seen)
        new = set()
        for k in [k for k in seen if known[k] <= least + 1e-12]:
            if k > 0:
                new.add(k + (max(i for i in seen if i < k) - k) // 2)
            if k < len(known) - 1:
                new.add(k + (min(i for i in seen if i > k) - k) // 2)
        if new <= seen:
            return sorted(k - 1 for k in seen - {0, len(known) - 1})
        seen |= new


@given(samples)
def test_bisection_takes_the_best_threshold_that_it_tried(rows):
    x, y, w = map(np.array, zip(*rows, strict=True))
    middles = midpoints(x[w > 0])
    best = threshold(x, y, sample_weight=w, thresholds="bisect")
    if not middles.size:
        assert best == np.inf
        return
    losses = np.array([entropy_at(x, y, w, middle) for middle in middles])
    seen = looked_at(losses, entropy_at(x, y, w, np.inf))
    assert best == next(middles[k] for k in seen if losses[k] <= losses[seen].min() + 1e-12)


def test_bisection_need_not_find_the_best_threshold():
    # the entropy falls, rises and falls again: seen from the ends, the first valley is nearer
    x = np.arange(8.0)
    y = [0, 0, 0, 1, 0, 0, 0, 1]
    assert threshold(x, y, thresholds="brute") == 6.5
    assert threshold(x, y, thresholds="bisect") == 2.5
    x = np.arange(64.0)
    one_sided = x > 20
    assert threshold(x, one_sided, thresholds="bisect") == 20.5


def test_columns_one_by_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = rng.integers(0, 2, 60)
    expected = [threshold(column, y) for column in X.T]
    np.testing.assert_array_equal(entropy_thresholds(X, y), expected)
    w = rng.integers(0, 3, 60)
    expected = [threshold(column, y, sample_weight=w) for column in X.T]
    np.testing.assert_array_equal(entropy_thresholds(X, y, sample_weight=w), expected)


def test_missing_values_are_left_out_when_asked():
    X = np.array([[1.0, 1], [2, np.nan], [np.nan, 2], [3, 3], [4, np.nan]])
    y = [0, 0, 1, 1, 1]
    middles = entropy_thresholds(X, y, missing="ignore")
    np.testing.assert_array_equal(middles, [2.5, 1.5])
    with pytest.raises(ValueError, match=r"X holds 3 NaN or infinite values out of 10"):
        entropy_thresholds(X, y)


def test_a_midpoint_lies_below_the_upper_value_even_between_neighbours():
    above = np.nextafter(1.0, 2)
    middles = midpoints([1.0, above])
    assert 1.0 <= middles[0] < above
    largest = np.finfo(float).max
    middles = midpoints([largest, largest * 0.9])
    assert largest * 0.9 <= middles[0] < largest
