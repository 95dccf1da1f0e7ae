"""The ranking tree: counts of leaves, hull segments, words; the same ranking as without it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.lexicographic.lexicographic import lex_order
from rocviz.core.lexicographic.tree import LexicographicTree, lexicographic_tree
from rocviz.datasets import load_flach_matsubara

X20, Y20 = load_flach_matsubara(return_X_y=True)


def test_tree_of_the_example():
    tree = lexicographic_tree(X20, Y20, lex_order(X20, Y20))
    assert (tree.order.tolist(), tree.preferred.tolist()) == ([1, 0], [0, 1])
    assert tree.values.tolist() == [[0, 1], [0, 0], [1, 1], [1, 0]]
    assert (tree.pos.tolist(), tree.neg.tolist()) == ([2, 4, 3, 1], [3, 1, 1, 5])
    assert [side.tolist() for side in tree.counts(1)] == [[6, 4], [4, 6]]
    assert [side.tolist() for side in tree.counts(0)] == [[10], [10]]
    assert tree.hull_segment.tolist() == [0, 0, 0, 1]
    assert tree.probability().tolist() == [10 / 16] * 3 + [2 / 8]
    assert tree.probability(m=0).tolist() == [9 / 14] * 3 + [1 / 6]
    frame = tree.to_frame(["A1", "A2"])
    assert list(frame) == ["A2", "A1", "pos", "neg", "hull_segment", "probability"]
    assert frame["A2"].tolist() == [0, 0, 1, 1]


@given(seed=st.integers(0, 2**32 - 1), k=st.integers(0, 6))
def test_tree_and_ranks_agree(seed, k):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (40, 7))
    y = np.r_[1, 0, rng.integers(0, 2, 38)]
    order = lex_order(X, y, order=rng.permutation(7)[:k])
    tree = lexicographic_tree(X, y, order, max_levels=6)
    segments = order.segments(X, y)
    np.testing.assert_array_equal(tree.segments.pos, segments.pos)
    np.testing.assert_array_equal(tree.segments.neg, segments.neg)
    # every leaf holds the rows with its values
    for leaf, row in enumerate(tree.values):
        here = (X[:, tree.order] == row).all(axis=1)
        assert (tree.pos[leaf], tree.neg[leaf]) == (y[here].sum(), (1 - y[here]).sum())
    # hull segments are contiguous, and sum to the hull's counts
    assert (np.diff(tree.hull_segment) >= 0).all()
    hull = segments.hull()
    np.testing.assert_array_equal(np.bincount(tree.hull_segment, weights=tree.pos), hull.pos)
    assert tree.hull_segment.max() < len(hull)


def test_empty_leaves_belong_to_the_hull_segment_below():
    tree = LexicographicTree(
        order=np.array([0, 1, 2]),
        preferred=np.ones(3, np.uint8),
        pos=np.array([0, 3, 0, 1, 0, 0, 1, 0.0]),
        neg=np.array([0, 1, 0, 1, 0, 0, 2, 0.0]),
        n_attributes=3,
    )
    assert len(tree.segments.hull()) == 3
    assert tree.hull_segment.tolist() == [0, 0, 1, 1, 2, 2, 2, 2]
    assert tree.probability().tolist() == [4 / 6] * 2 + [1 / 2] * 2 + [2 / 5] * 4


def test_fewer_levels_than_attributes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (50, 9))
    y = rng.integers(0, 2, 50)
    tree = lexicographic_tree(X, y, lex_order(X, y))
    assert tree.pos.size == 32
    assert lexicographic_tree(X, y, lex_order(X, y), max_levels=0).pos.tolist() == [y.sum()]


def test_tree_as_text():
    tree = lexicographic_tree(X20, Y20, lex_order(X20, Y20))
    text = tree.to_text(["A1", "A2"], [("no", "yes"), ("≤ 3", "> 3")])
    assert text.splitlines() == [
        "A2 ≤ 3",
        "|   A1 yes: 2 positive, 3 negative",
        "|   A1 no: 4 positive, 1 negative",
        "A2 > 3",
        "|   A1 yes: 3 positive, 1 negative",
        "|   A1 no: 1 positive, 5 negative",
    ]
    root = lexicographic_tree(X20, Y20, lex_order(X20, Y20), max_levels=0)
    assert root.to_text() == "all: 10 positive, 10 negative"
    deep = lexicographic_tree(np.tile(X20, 2), Y20, lex_order(np.tile(X20, 2), Y20, order=range(3)))
    assert [line.count("|   ") for line in deep.to_text().splitlines()] == [
        0, 1, 2, 2, 1, 2, 2, 0, 1, 2, 2, 1, 2, 2,
    ]  # fmt: skip
