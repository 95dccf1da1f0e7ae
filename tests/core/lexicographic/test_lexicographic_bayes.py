"""LexRank beside naive Bayes: the same on two attributes, a special case on more."""

from fractions import Fraction as F
from itertools import combinations, permutations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.lexicographic.lexicographic import lex_order, lexicographic_rank


def all_patterns(k):
    return np.array(list(product((0, 1), repeat=k)), dtype=np.uint8).reshape(2**k, k)


def bayes_scores(pos, neg, n_pos, n_neg, patterns):
    """Products of likelihood ratios of the values with Laplace's correction, exact."""
    both = list(zip(pos, neg, strict=True))
    ratio = [
        [F((n_pos - p + 1) * (n_neg + 2), (n_neg - n + 1) * (n_pos + 2)) for p, n in both],
        [F((p + 1) * (n_neg + 2), (n + 1) * (n_pos + 2)) for p, n in both],
    ]
    return [ratio[row[0]][0] * ratio[row[1]][1] for row in patterns]


def test_lexrank_is_naive_bayes_on_two_attributes():
    """All tables of up to two positives and two negatives per cell, empty cells included."""
    patterns = all_patterns(2)
    rows = np.tile(patterns, (2, 1))
    labels = np.repeat([1, 0], 4)
    compared = tied = 0
    for counts in product(range(3), repeat=8):
        if counts[:4] > counts[4:] or counts > tuple(counts[i] for i in (0, 2, 1, 3, 4, 6, 5, 7)):
            continue  # the same with the classes or the attributes swapped
        pos, neg = np.array(counts[:4]), np.array(counts[4:])
        both = (pos + neg) @ patterns
        if not (pos.any() and neg.any()) or both.min() == 0 or both.max() == sum(counts):
            continue  # naive Bayes would judge a value that never came by the class sizes
        order = lex_order(rows, labels, sample_weight=counts)
        place = (-order.rank(patterns)).tolist()
        ones = [(side @ patterns).tolist() for side in (pos, neg)]
        scores = bayes_scores(*ones, int(pos.sum()), int(neg.sum()), patterns.tolist())
        equal = len(order) == 2 and np.isclose(*order.odds_ratio, rtol=1e-12)
        for a, b in combinations(range(4), 2):
            if scores[a] != scores[b]:
                assert (scores[a] > scores[b]) == (place[a] > place[b])
                assert place[a] != place[b]
            elif not equal:
                assert place[a] == place[b]
            tied += scores[a] == scores[b] and place[a] != place[b]
        compared += 1
    assert compared > 1500
    # where the odds ratios are equal, naive Bayes ties two cells that LexRank orders
    assert tied > 0


@given(k=st.integers(1, 9), seed=st.integers(0, 2**32 - 1))
def test_every_lexicographic_ranking_is_one_of_naive_bayes(k, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(k)
    preferred = rng.integers(0, 2, k)
    patterns = all_patterns(k)
    # conditionals with odds ratios 2^(2^(k-1)), ..., 2^4, 2^2, 2: their logs are powers of two
    score = np.array([F(1)] * 2**k)
    for depth, (column, value) in enumerate(zip(order, preferred, strict=True)):
        root = 2**2 ** (k - 1 - depth)
        p_pos = F(root, root + 1)
        p_neg = F(1, 2)
        has = patterns[:, column] == value
        score = score * np.where(has, p_pos / p_neg, (1 - p_pos) / (1 - p_neg))
    bayes = {s: i + 1 for i, s in enumerate(sorted(set(score.tolist()), reverse=True))}
    assert len(bayes) == 2**k
    np.testing.assert_array_equal(
        lexicographic_rank(patterns, order, preferred), [bayes[s] for s in score.tolist()]
    )


def test_not_every_ranking_of_naive_bayes_is_lexicographic():
    patterns = all_patterns(3)
    # log odds ratios 3, 2, 2: the two weaker attributes together outdo the strongest
    score = patterns @ np.array([3, 2, 2])
    bayes = [sorted(set(score.tolist()), reverse=True).index(s) + 1 for s in score]
    outranked = patterns.tolist().index([1, 0, 0]), patterns.tolist().index([0, 1, 1])
    assert bayes[outranked[0]] > bayes[outranked[1]]
    for k in range(4):
        for order, preferred in product(permutations(range(3), k), product((0, 1), repeat=k)):
            assert lexicographic_rank(patterns, order, preferred).tolist() != bayes
