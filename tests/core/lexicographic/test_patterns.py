"""Numbers for bit patterns: exact up to 52 bits, never in the wrong order beyond."""

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.lexicographic.lexicographic import lexicographic_rank
from rocviz.core.lexicographic.patterns import PatternScale, pack


@pytest.mark.parametrize("k", [0, 1, 8, 13, 51, 52])
def test_short_patterns_have_their_own_number(k):
    rng = np.random.default_rng(k)
    X = rng.integers(0, 2, (200, k)).astype(np.uint8)
    X[0] = 0
    X[1] = 1
    columns = np.arange(k)
    ones = np.ones(k, np.uint8)
    patterns = pack(X, columns, ones)
    scale = PatternScale.of(k, patterns[:3])
    number = scale.number(patterns)
    exact = [int("0" + "".join(map(str, row)), 2) for row in X.tolist()]
    assert number.tolist() == exact
    assert (number.min(), number.max()) == scale.ends
    assert scale.known.size == 0
    # half steps are exact too
    half_above = number - (number[5] + scale.resolution / 2)
    assert (half_above > 0).tolist() == [value > exact[5] for value in exact]


def _long(rng, n, k, known):
    """Patterns that share long parts with known ones, and depart from them anywhere."""
    X = known[rng.integers(0, len(known), n)].copy()
    for row in X:
        row[rng.integers(0, k) :] ^= rng.integers(0, 2, dtype=np.uint8)
        row[rng.integers(0, k)] ^= 1
    return X


@given(
    k=st.sampled_from([53, 64, 65, 71, 128, 150, 300]),
    n=st.integers(1, 60),
    density=st.sampled_from([0.0, 0.02, 0.5, 0.98, 1.0]),
    seed=st.integers(0, 2**32 - 1),
)
def test_long_patterns_are_never_in_the_wrong_order(k, n, density, seed):
    rng = np.random.default_rng(seed)
    columns = np.arange(k)
    ones = np.ones(k, np.uint8)
    train = (rng.random((n, k)) < density).astype(np.uint8)
    new = np.vstack((train, _long(rng, 60, k, train), rng.integers(0, 2, (9, k), dtype=np.uint8)))
    known = pack(train, columns, ones)
    patterns = pack(new, columns, ones)
    scale = PatternScale.of(k, known)
    number = scale.number(patterns)
    assert scale.known.size == len({tuple(row) for row in train.tolist()})
    keys = [tuple(row) for row in new.tolist()]
    seen = {tuple(row) for row in train.tolist()}
    order = sorted(range(len(keys)), key=keys.__getitem__)
    for i, j in pairwise(order):
        assert number[i] <= number[j]
        if keys[i] == keys[j]:
            assert number[i] == number[j]
        elif keys[i] in seen or keys[j] in seen:
            assert number[i] < number[j]
    # whole for known patterns, and the same alone as in company
    whole = np.array([key in seen for key in keys])
    np.testing.assert_array_equal(number % 1 == 0, whole)
    alone = np.concatenate([scale.number(patterns[i : i + 1]) for i in range(len(keys))])
    np.testing.assert_array_equal(number, alone)
    low, high = scale.ends
    assert low < number.min()
    assert number.max() < high
    # multiples of the resolution, so that differences with half steps are exact
    assert ((number / scale.resolution) % 1 == 0).all()
    threshold = number[0] - scale.resolution / 2
    exact_threshold = F(number[0]) - F(scale.resolution) / 2
    assert [v - threshold > 0 for v in number] == [F(v) > exact_threshold for v in number]


def test_new_long_patterns_tie_only_if_many_deciding_bits_agree():
    k = 200
    n = 1000
    rng = np.random.default_rng(1)
    columns = np.arange(k)
    ones = np.ones(k, np.uint8)
    train = np.unique(rng.integers(0, 2, (n, k), dtype=np.uint8), axis=0)
    scale = PatternScale.of(k, pack(train, columns, ones))
    compared = 0
    for i in range(0, n - 1, 20):
        first = int(np.flatnonzero(train[i] != train[i + 1])[0])
        if train[i][first + 30]:
            continue
        between = train[i].copy()
        between[first + 30] = 1  # of all 51 bits, 10 are for the thousand numbers
        between[first + 31 :] = 0
        pairs = [between.copy() for _ in range(3)]
        pairs[1][first + 40] = 1
        pairs[2][first + 41] = 1
        a, b, c = scale.number(pack(np.stack(pairs), columns, ones))
        assert a < b
        assert a == c
        assert int(np.ceil(a)) == i + 1
        compared += 1
    assert compared > 10


def test_empty_batches():
    scale = PatternScale.of(
        60, pack(np.eye(3, 60, dtype=np.uint8), np.arange(60), np.ones(60, int))
    )
    assert scale.number(scale.known[:0]).size == 0
    assert PatternScale.of(2, scale.known[:0]).number(scale.known[:0]).size == 0
    assert lexicographic_rank(np.empty((0, 2)), [0], [1]).size == 0
