"""LexRank beside naive Bayes: the same on two attributes, a special case on more."""

from fractions import Fraction as F
from itertools import permutations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rocviz.core.lexicographic import lex_order, lexicographic_rank


def data_of(cells):
    """Return one row per sample of a table of counts."""
    rows = [(*cell, label) for cell, (pos, neg) in cells.items() for label in [1] * pos + [0] * neg]
    table = np.array(rows, dtype=int)
    return table[:, :-1], table[:, -1]


def all_patterns(k):
    return np.array(list(product((0, 1), repeat=k)), dtype=np.uint8).reshape(2**k, k)


def bayes_scores(X, pos, neg, n_pos, n_neg, smoothing, patterns):
    """Products of likelihood ratios of the values, as exact fractions."""
    scores = []
    for row in patterns:
        score = F(1)
        for j, value in enumerate(row):
            over = (pos[j] if value else n_pos - pos[j]) + smoothing
            under = (neg[j] if value else n_neg - neg[j]) + smoothing
            score *= F(over * (n_neg + 2 * smoothing), under * (n_pos + 2 * smoothing))
        scores.append(score)
    return scores


def test_lexrank_is_naive_bayes_on_two_attributes():
    """All tables of up to three positives and three negatives per cell, some cells empty."""
    patterns = all_patterns(2)
    compared = tied = 0
    for pos in product(range(4), repeat=4):
        for neg in ((1, 2, 3, 1), (0, 1, 1, 2), (3, 0, 1, 0), (2, 2, 2, 2), (1, 1, 0, 0)):
            if not sum(pos):
                continue
            cells = dict(
                zip(map(tuple, patterns.tolist()), zip(pos, neg, strict=True), strict=True)
            )
            X, y = data_of(cells)
            if (X.min(axis=0) == X.max(axis=0)).any():
                continue  # naive Bayes would judge a value that never came by the class sizes
            found = lex_order(X, y)
            place = -found.rank(patterns)
            ones = [[int(X[y == c, j].sum()) for j in (0, 1)] for c in (1, 0)]
            scores = bayes_scores(X, *ones, int(y.sum()), int((1 - y).sum()), 1, patterns)
            equal_ratios = len(found) == 2 and found.odds_ratio[0] == found.odds_ratio[1]
            for a, b in product(range(4), repeat=2):
                if scores[a] > scores[b]:
                    assert place[a] > place[b]
                elif scores[a] == scores[b] and not equal_ratios:
                    assert place[a] == place[b]
                tied += scores[a] == scores[b] and place[a] != place[b]
            compared += 1
    assert compared > 1000
    # where the odds ratios are equal, naive Bayes ties two cells that LexRank orders
    assert tied > 0


@given(k=st.integers(1, 9), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_every_lexicographic_ranking_is_one_of_naive_bayes(k, seed):
    rng = np.random.default_rng(seed)
    order, preferred = rng.permutation(k), rng.integers(0, 2, k)
    patterns = all_patterns(k)
    # conditionals with odds ratios 2^(2^(k-1)), ..., 2^4, 2^2, 2: their logs are powers of two
    score = np.array([F(1)] * 2**k)
    for depth, (column, value) in enumerate(zip(order, preferred, strict=True)):
        root = 2**2 ** (k - 1 - depth)
        p_pos, p_neg = F(root, root + 1), F(1, 2)
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
