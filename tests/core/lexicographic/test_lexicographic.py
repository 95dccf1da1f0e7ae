"""Lexicographic orders and ranks: the example, brute force, exact ratios, many attributes."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.lexicographic.lexicographic import lex_order, lexicographic_rank, odds_ratios
from rocviz.core.lexicographic.tree import lexicographic_tree
from rocviz.core.roc.isometrics import metric_value
from rocviz.datasets import load_flach_matsubara

X20, Y20 = load_flach_matsubara(return_X_y=True)


def brute_rank(X, order, preferred):
    """Dense ranks by comparing tuples."""
    has_preferred = np.asarray(X)[:, order] == np.asarray(preferred)
    keys = [tuple(row) for row in has_preferred.tolist()]
    place = {key: i + 1 for i, key in enumerate(sorted(set(keys), reverse=True))}
    return np.array([place[key] for key in keys])


# ---------------------------------------------------------------------- the worked example


def test_ratios_and_order_of_the_example():
    order = lex_order(X20, Y20, smoothing=0)
    assert order.order.tolist() == [1, 0]
    assert order.preferred.tolist() == [0, 1]
    assert order.likelihood_ratio.tolist() == [1.5, 1.25]
    assert order.odds_ratio.tolist() == [2.25, 1.5]
    assert (order.tpr.tolist(), order.fpr.tolist()) == ([0.6, 0.5], [0.4, 0.4])
    np.testing.assert_allclose(odds_ratios(X20, Y20, smoothing=0), [3 / 2, 4 / 9], rtol=1e-15)


def test_smoothing_adds_to_each_count():
    # A1 = 1 in 5 of 10 positives and 4 of 10 negatives; A2 = 0 in 6 and 4
    order = lex_order(X20, Y20)
    np.testing.assert_allclose(order.likelihood_ratio, [7 / 5, 6 / 5], rtol=1e-15)
    np.testing.assert_allclose(order.odds_ratio, [49 / 25, 42 / 30], rtol=1e-15)
    np.testing.assert_allclose(order.tpr / order.fpr, order.likelihood_ratio, rtol=1e-15)
    np.testing.assert_allclose(
        metric_value("odds_ratio", order.fpr, order.tpr), order.odds_ratio, rtol=1e-14
    )
    half = odds_ratios(X20, Y20, smoothing=0.5)
    np.testing.assert_allclose(half, [(5.5 * 6.5) / (4.5 * 5.5), (4.5 * 4.5) / (6.5 * 6.5)])


def test_smoothing_is_at_most_the_largest_weight():
    with pytest.raises(ValueError, match=r"^smoothing must be at most"):
        odds_ratios(X20, Y20, smoothing=1e300)


def test_smoothing_raises_rare_values_of_the_smaller_class():
    y = np.repeat([1, 0], [100, 10_000])
    for n_pos, expected in ((1, [1, 1.96, 9.09]), (2, [2.02, 2.97, 10.01])):
        X = np.r_[np.arange(100) < n_pos, np.arange(10_000) < 100][:, None].astype(int)
        ratios = [odds_ratios(X, y, smoothing=k)[0] for k in (0, 1, 10)]
        assert ratios == pytest.approx(expected, abs=0.005)


def test_none_of_the_eight_rankers_is_convex():
    rankers = []
    for order, preferred in product(permutations(range(2)), product((0, 1), repeat=2)):
        ranker = lex_order(X20, Y20, order=order, preferred=preferred)
        rankers.append(ranker.segments(X20, Y20))
    assert not any(ranker.is_convex for ranker in rankers)
    areas = [round(ranker.auc, 10) for ranker in rankers]
    assert (len(set(areas)), min(areas), max(areas)) == (8, 0.38, 0.62)


# ---------------------------------------------------------------------- ranks


@given(
    n=st.integers(1, 40),
    d=st.integers(1, 90),
    density=st.sampled_from([0.03, 0.5, 0.97]),
    seed=st.integers(0, 2**32 - 1),
)
def test_ranks_are_those_of_comparing_tuples(n, d, density, seed):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, d)) < density).astype(int)
    order = rng.permutation(d)[: rng.integers(0, d + 1)]
    preferred = rng.integers(0, 2, order.size)
    before = X.copy()
    np.testing.assert_array_equal(
        lexicographic_rank(X, order, preferred), brute_rank(X, order, preferred)
    )
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("k", [8, 9, 16, 17, 63, 64, 65, 130])
def test_patterns_that_end_in_zeros_or_ones_stay_distinct(k):
    # byte strings of unequal length, or that end at a zero byte, would tie or swap these
    X = np.zeros((k + 2, k), np.uint8)
    for i in range(k + 1):
        X[i, :i] = 1
    X[k + 1, k - 1] = 1
    order = np.arange(k)
    ones = np.ones(k, int)
    ranks = lexicographic_rank(X, order, ones)
    np.testing.assert_array_equal(ranks, brute_rank(X, order, ones))
    assert ranks.max() == k + 2


def test_no_attributes_tie_everything():
    assert lexicographic_rank(X20, [], []).tolist() == [1] * 20
    empty = lex_order([[1], [1], [1]], [0, 1, 1])
    assert len(empty) == 0
    assert empty.dropped.tolist() == [0]
    assert len(empty.segments([[1], [0]], [0, 1])) == 1


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int64, np.float32, float, list])
def test_zeros_and_ones_of_every_type(kind):
    X = X20.tolist() if kind is list else X20.astype(kind)
    order = lex_order(X, Y20)
    assert order.order.tolist() == [1, 0]
    np.testing.assert_array_equal(order.rank(X), lexicographic_rank(X20, [1, 0], [0, 1]))


# ---------------------------------------------------------------------- order and ratios


def test_equal_odds_ratios_keep_the_order_of_columns_exactly():
    # the ratios 6/1, 24/4 and 54/9 are equal as fractions, made of different counts
    pos = np.array([[1] * 6 + [0] * 6]).T
    X = np.hstack((pos, 1 - pos, pos))
    y = [1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1]
    order = lex_order(X, y)
    assert order.order.tolist() == [0, 1, 2]
    assert order.preferred.tolist() == [1, 0, 1]
    assert len(set(order.odds_ratio.tolist())) == 1


def test_likelihood_ratio_of_one_is_dropped():
    X = [[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]]
    order = lex_order(X, [1, 1, 0, 0], smoothing=0)
    assert order.order.tolist() == [1]
    assert order.dropped.tolist() == [0, 2]
    assert order.odds_ratio.tolist() == [np.inf]
    # with classes of different size as well: 2 of 4 and 1 of 2, which smoothing would part
    X = [[1], [1], [0], [0], [1], [0]]
    assert len(lex_order(X, [1, 1, 1, 1, 0, 0], smoothing=0)) == 0
    assert odds_ratios(X, [1, 1, 1, 1, 0, 0], smoothing=0).tolist() == [1.0]


@pytest.mark.parametrize("smoothing", [0, 1])
def test_a_constant_column_has_no_weight(smoothing):
    X = [[0, 1, 1], [0, 1, 1], [0, 1, 0], [0, 1, 0]]
    y = [1, 1, 1, 0]
    assert odds_ratios(X, y, smoothing=smoothing)[:2].tolist() == [1, 1]
    assert lex_order(X, y, smoothing=smoothing).order.tolist() == [2]


def test_infinite_odds_ratios_come_first_in_the_order_of_columns():
    y = np.array([1, 1, 1, 0, 0, 0])
    finite = [1, 1, 0, 0, 0, 1]
    some = [1, 0, 0, 0, 0, 0]
    never = [0, 0, 0, 1, 0, 0]
    whole = [1, 1, 1, 0, 0, 0]
    X = np.column_stack((finite, some, never, whole))
    order = lex_order(X, y, smoothing=0)
    assert order.order.tolist() == [1, 2, 3, 0]
    assert order.preferred.tolist() == [1, 0, 1, 1]
    assert order.odds_ratio.tolist() == [np.inf, np.inf, np.inf, 4]
    assert order.likelihood_ratio.tolist() == [np.inf, 1.5, np.inf, 2]
    assert odds_ratios(X, y, smoothing=0).tolist() == [4, np.inf, 0, np.inf]


def test_orders_by_hand():
    by_hand = lex_order(X20, Y20, smoothing=0, order=[0], preferred=[0, 1])
    assert (by_hand.order.tolist(), by_hand.preferred.tolist()) == ([0], [0])
    assert by_hand.dropped.tolist() == [1]
    np.testing.assert_allclose(by_hand.odds_ratio, [2 / 3])
    np.testing.assert_allclose(by_hand.likelihood_ratio, [5 / 6])
    flipped = lex_order(X20, Y20, smoothing=0, preferred=[0, 1])
    assert flipped.order.tolist() == [1, 0]
    np.testing.assert_allclose(flipped.odds_ratio, [4 / 9, 2 / 3])
    sure = lex_order([[1], [1], [0]], [1, 1, 0], smoothing=0, preferred=[0])
    assert (sure.odds_ratio.tolist(), sure.likelihood_ratio.tolist()) == ([0], [0])
    against = lex_order([[1], [1], [0]], [0, 0, 1], smoothing=0, preferred=[0])
    assert (against.odds_ratio.tolist(), against.likelihood_ratio.tolist()) == ([np.inf],) * 2
    # in neither class: 0 / 0 says nothing
    nothing = lex_order([[1], [1]], [0, 1], smoothing=0, order=[0], preferred=[0])
    assert (nothing.odds_ratio.tolist(), nothing.likelihood_ratio.tolist()) == ([1], [1])


@given(seed=st.integers(0, 2**32 - 1), smoothing=st.sampled_from([0, 0.5, 1]))
def test_weights_are_repetitions(seed, smoothing):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (30, 6))
    y = np.r_[1, 0, rng.integers(0, 2, 28)]
    weight = np.r_[1, 1, rng.integers(0, 4, 28)]
    weighted = lex_order(X, y, sample_weight=weight, smoothing=smoothing)
    repeated = lex_order(np.repeat(X, weight, 0), np.repeat(y, weight), smoothing=smoothing)
    for name in ("order", "preferred", "odds_ratio", "likelihood_ratio", "tpr", "fpr", "dropped"):
        np.testing.assert_array_equal(getattr(weighted, name), getattr(repeated, name))
    segments = weighted.segments(X, y, sample_weight=weight)
    again = repeated.segments(np.repeat(X, weight, 0), np.repeat(y, weight))
    np.testing.assert_array_equal(segments.pos, again.pos)
    tree = lexicographic_tree(X, y, weighted, sample_weight=weight)
    plain = lexicographic_tree(np.repeat(X, weight, 0), np.repeat(y, weight), repeated)
    np.testing.assert_array_equal(tree.pos, plain.pos)
    np.testing.assert_array_equal(tree.neg, plain.neg)


def test_a_common_factor_of_the_weights_changes_nothing_without_smoothing():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 12))
    X[:, 7] = X[:, 2]  # equal ratios
    X[:, 8] = 0  # one value only
    y = rng.integers(0, 2, 60)
    weight = rng.integers(1, 5, 60)
    for factor in (0.1, 1 / 3, 1e-9):
        scaled = lex_order(X, y, sample_weight=weight * factor, smoothing=0)
        whole = lex_order(X, y, sample_weight=weight, smoothing=0)
        np.testing.assert_array_equal(scaled.order, whole.order)
        np.testing.assert_allclose(scaled.odds_ratio, whole.odds_ratio, rtol=1e-11)
        assert 8 in scaled.dropped
        ones = lex_order(1 - X, y, sample_weight=weight * factor, smoothing=0)
        np.testing.assert_array_equal(ones.order, whole.order)


def test_labels_and_positive_class():
    names = np.where(Y20 == 1, "ill", "well")
    order = lex_order(X20, names, pos_label="ill", smoothing=0)
    assert order.preferred.tolist() == [0, 1]
    other = lex_order(X20, names, pos_label="well", smoothing=0)
    assert other.preferred.tolist() == [1, 0]
    np.testing.assert_allclose(other.odds_ratio, order.odds_ratio)
    segments = order.segments(X20, names, pos_label="ill")
    assert segments.pos.tolist() == [2, 4, 3, 1]
    assert lexicographic_tree(X20, names, order, pos_label="ill").pos.tolist() == [2, 4, 3, 1]


def test_table_of_the_order():
    frame = lex_order(X20, Y20, smoothing=0).to_frame(["A1", "A2"])
    assert frame["attribute"].tolist() == ["A2", "A1"]
    assert frame["preferred"].tolist() == [0, 1]
    assert frame["odds_ratio"].tolist() == [2.25, 1.5]
    assert lex_order(X20, Y20).to_frame()["attribute"].tolist() == ["x1", "x0"]


# ---------------------------------------------------------------------- size


def test_many_rows_of_a_hundred_attributes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (100_000, 100), dtype=np.uint8)
    y = rng.random(100_000) < 0.3 + 0.3 * X[:, 60]
    order = lex_order(X, y)
    assert order.order[0] == 60
    segments = order.segments(X, y)
    assert len(segments) == len(np.unique(np.packbits(X[:, order.order], axis=1), axis=0))
    assert segments.n_samples == 100_000
    assert segments.auc > 0.6


def test_other_bad_arguments():
    order = lex_order(X20, Y20)
    with pytest.raises(ValueError, match="X must have the 2 columns of this order; got 1"):
        lexicographic_tree(X20[:, :1], Y20, order)
    with pytest.raises(ValueError, match="names must be 2 names"):
        order.to_frame("A1")
