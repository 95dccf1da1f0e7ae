"""Distinct rows add up, and the list learned from them is that of all data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.scoring_lists.row_counts import RowCounts
from rocviz.core.scoring_lists.search.search import learn_scoring_list


def draw(seed, n_features=5, n=400, gaps=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, n_features)).astype(float)
    y = rng.random(n) < 1 / (1 + np.exp(1 - X @ np.linspace(2, -1, n_features)))
    if gaps:
        is_missing = rng.random(X.shape) < 0.1
        X[is_missing] = np.nan
    return X, y, rng.integers(0, 4, n).astype(float)


def split(data, bounds):
    X, y, weight = data
    return zip(np.split(X, bounds), np.split(y, bounds), np.split(weight, bounds), strict=True)


def count(X, y, weight):
    return RowCounts.from_rows(X, y, sample_weight=weight)


@given(st.integers(0, 99), st.lists(st.integers(0, 400), max_size=5), st.sampled_from([1, 5, 40]))
def test_pieces_are_the_whole(seed, bounds, n_features):
    data = draw(seed, n_features, gaps=True)
    bounds = sorted(bounds)
    whole = count(*data)
    pieces = [count(*piece) for piece in split(data, bounds)]
    for counts in (
        RowCounts.from_partitions(split(data, bounds)),
        RowCounts.from_partitions(pieces[::-1]),
    ):
        np.testing.assert_array_equal(counts.X, whole.X)
        np.testing.assert_array_equal(counts.y, whole.y)
        np.testing.assert_array_equal(counts.weight, whole.weight)
    known = {}
    for row, label, weight in zip(*data, strict=True):
        if weight:
            key = (*np.where(np.isnan(row), 2, row), label)
            known[key] = known.get(key, 0) + weight
    rows = np.column_stack((np.where(np.isnan(whole.X), 2, whole.X), whole.y))
    assert known == dict(zip(map(tuple, rows), whole.weight, strict=True))
    assert len(whole) == len(known)


@pytest.mark.parametrize("seed", range(3))
def test_the_list_is_that_of_all_data(seed):
    X, y, weight = draw(seed)
    counts = RowCounts.from_partitions(split((X, y, weight), [100, 250]))
    assert len(counts) < 70
    whole = learn_scoring_list(X, y, sample_weight=weight)
    scoring_list = learn_scoring_list(counts.X, counts.y, sample_weight=counts.weight)
    np.testing.assert_array_equal(scoring_list.features, whole.features)
    np.testing.assert_array_equal(scoring_list.scores, whole.scores)
    np.testing.assert_allclose(scoring_list.stage_losses, whole.stage_losses, rtol=1e-12)


def test_thresholds_make_the_answers():
    X = [[1.0, 1], [2.0, 0], [3.0, np.nan]]
    counts = RowCounts.from_rows(X, [1, 0, 1], thresholds=[1.5, np.nan])
    np.testing.assert_array_equal(counts.X, [[0, 1], [1, 0], [1, np.nan]])
    np.testing.assert_array_equal(counts.y, [True, False, True])
    assert repr(counts) == "<RowCounts: 3 distinct rows, n_features=2, weight 3>"


def test_mismatched_data_are_refused():
    counts = RowCounts.from_rows([[0, 1]], ["a"], pos_label="b")
    with pytest.raises(ValueError, match="X has 1 columns in one piece and 2 in another"):
        counts.add(RowCounts.from_rows([[0]], ["a"], pos_label="b"))
    with pytest.raises(ValueError, match="y holds more than one label besides pos_label: 'a' and"):
        counts.add(RowCounts.from_rows([[0, 1]], ["c"], pos_label="b"))
    with pytest.raises(ValueError, match=r"partitions\[1\]: sample_weight must not be negative"):
        RowCounts.from_partitions([([[1]], [1]), ([[1]], [1], [-1])])
    with pytest.raises(ValueError, match="sample_weight must have positive values within"):
        RowCounts.from_rows([[1], [0]], [1, 0], sample_weight=[1e-7, 1e7])
    with pytest.raises(ValueError, match="partitions is empty"):
        RowCounts.from_partitions([])
    with pytest.raises(ValueError, match="column 1 holds 2 other values"):
        RowCounts.from_rows([[0, 3], [1, 2]], [0, 1])
    with pytest.raises(ValueError, match="thresholds must be one per column of X, 2; got shape"):
        RowCounts.from_rows([[0, 3], [1, 2]], [0, 1], thresholds=[1])
    X, y, _ = draw(0)
    with pytest.raises(ValueError, match=r"distinct rows.*more than max_rows=20, and 5 features"):
        RowCounts.from_rows(X, y, max_rows=20)
    assert len(RowCounts.from_rows(np.empty((0, 2)), [])) == 0
