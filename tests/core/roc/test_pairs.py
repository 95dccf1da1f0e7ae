"""Pairs of a positive and a negative: their share in order is the AUC, with ties and weights."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rocviz import RankedSegments
from rocviz.core.roc import RankedPairs, rank_pairs

SAMPLES = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4), st.sampled_from([0.5, 1.0, 3.0])),
    min_size=2,
    max_size=12,
).filter(lambda rows: len({positive for positive, *_ in rows}) == 2)


@given(SAMPLES)
def test_the_share_in_order_is_the_auc_of_the_weighted_samples(rows):
    positive, score, weight = map(np.array, zip(*rows, strict=True))
    pairs = rank_pairs(positive, score, sample_weight=weight)
    segments = RankedSegments.from_scores(positive, score, sample_weight=weight)
    products = np.outer(pairs.pos_weight, pairs.neg_weight)
    in_order = (products * pairs.cells()).sum() / products.sum()
    assert_allclose(in_order, segments.auc)
    assert_allclose(pairs.auc, segments.auc)
    assert_allclose(pairs.n_pairs, products.sum())
    table = pairs.to_frame()
    assert_allclose(table["share"].sum(), 1.0)
    assert_allclose(table["share"].to_numpy() @ [1.0, 0.5, 0.0], segments.auc)


def test_a_cell_for_each_pair_by_hand():
    pairs = rank_pairs(
        ["ill", "well", "ill", "well", "well"],
        [0.4, 0.1, 0.9, 0.6, 0.4],
        sample_weight=[2, 1, 1, 3, 0],
        pos_label="ill",
    )
    # the sample without weight is no column
    assert_array_equal(pairs.cells(), [[1.0, 1.0], [0.0, 1.0]])
    assert_array_equal(pairs.rows, [0, 1, 3])
    assert_array_equal(pairs.columns, [0, 3, 4])
    assert pairs.to_frame()["pairs"].tolist() == [6.0, 0.0, 6.0]
    assert_array_equal(pickle.loads(pickle.dumps(pairs)).cells(), pairs.cells())


def test_the_border_of_the_cells_is_the_curve():
    y = [1, 0, 1, 1, 0, 0, 1]
    score = [0.9, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2]
    pairs = rank_pairs(y, score)
    segments = RankedSegments.from_scores(y, score)
    # of each negative: how many positives score higher, which is the height of the curve there
    heights = pairs.cells().sum(axis=0)
    is_negative = segments.neg > 0
    assert_array_equal(heights, segments.cumulative_pos[1:][is_negative])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [1], [], [1]), "pos_score is empty"),
        (([1], [], [1], []), "neg_score is empty"),
        (([1], [1], [1, 2], [1]), "pos_weight must have one entry per score; got 2 for 1"),
        (([1, 2], [1], [1, 1], [1]), "pos_score must not increase"),
        (([1], [1], [1], [0]), "neg_weight must be above 0"),
        (([np.nan], [1], [1], [1]), "pos_score"),
    ],
)
def test_bad_pairs_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        RankedPairs(*arguments)


def test_a_table_too_large_for_memory_is_refused():
    scores = np.zeros(40_000)
    ones = np.ones(40_000)
    with pytest.raises(ValueError, match=r"would take about .* GiB of memory"):
        RankedPairs(scores, scores, ones, ones).cells()
