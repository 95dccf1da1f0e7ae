"""Answers of chapter 08, each by another way than the exercise takes; hints for likely mistakes."""

import re
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from rocviz import LexProb, LexRank
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises import check, names


def test_the_chapter_has_these_exercises():
    assert names(8) == [
        "better_flights",
        "rare_value",
        "same_isometric",
        "joined_leaves",
        "smallest_weight",
        "unseen_pattern",
    ]


def test_better_flights_by_python_s_own_comparison():
    better = [flight for flight in product((0, 1), repeat=4) if flight > (0, 0, 1, 1)]
    assert check("better_flights", len(better)).correct
    assert check("better_flights", 0b1111 - 0b0011).correct


def test_rare_value_by_fractions_and_by_fitting():
    def ratio(pos, neg):
        return Fraction(pos + 1, 40 - pos + 1) / Fraction(neg + 1, 60 - neg + 1)

    assert ratio(8, 1) > ratio(24, 12) > 1
    assert check("rare_value", "coughs").correct
    X = np.zeros((100, 2), dtype=int)
    X[:24, 0] = X[40:52, 0] = X[:8, 1] = X[40, 1] = 1
    y = np.arange(100) < 40
    assert LexRank().fit(X, y).order_.order.tolist() == [1, 0]
    assert LexRank(smoothing=10).fit(X, y).order_.order.tolist() == [0, 1]


def test_same_isometric_by_fractions():
    odds = Fraction(3, 2) / Fraction(1, 4)
    assert check("same_isometric", odds / (1 + odds)).correct
    assert check("same_isometric", 0.857).correct


def test_joined_leaves_by_isotonic_regression():
    from sklearn.isotonic import IsotonicRegression

    X, y = load_flach_matsubara(return_X_y=True)
    place = 2 * (X[:, 1] == 1) + (X[:, 0] == 1)
    pooled = IsotonicRegression().fit(place, y).predict([3, 2, 1, 0])
    assert [Fraction(p).limit_denominator(20) for p in pooled] == [
        Fraction(3, 4),
        *[Fraction(7, 16)] * 3,
    ]
    assert check("joined_leaves", [4 / 6, 8 / 18, 8 / 18, 8 / 18]).correct


def test_smallest_weight_by_sorting():
    def ranks_alike(weight):
        patterns = list(product((0, 1), repeat=4))
        sums = [np.dot(pattern, (weight, 5, 3, 1)) for pattern in patterns]
        return all(low < high for low, high in pairwise(sums))

    assert check("smallest_weight", min(filter(ranks_alike, range(1, 30)))).correct


def test_unseen_pattern_by_fitting():
    counts = {(1, 1, 1): (6, 1), (1, 1, 0): (3, 1), (0, 1, 0): (2, 4), (0, 0, 0): (0, 5)}
    X = [pattern for pattern, both in counts.items() for _ in range(sum(both))]
    y = [label for pos, neg in counts.values() for label in [1] * pos + [0] * neg]
    model = LexProb().fit(X, y)
    assert model.order_.order.tolist() == [0, 1, 2]
    assert model.segments_.is_convex
    assert check("unseen_pattern", model.predict_proba([[1, 0, 0]])[0, 1]).correct
    assert check("unseen_pattern", Fraction(3, 8)).correct


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("better_flights", 3, "are worse"),
        ("better_flights", 13, "its place"),
        ("better_flights", 8, "direct flights"),
        ("better_flights", 5, "does not count wishes"),
        ("better_flights", 4, "flights of the table"),
        ("better_flights", 7, "zeros and ones"),
        ("rare_value", "Smokes", "More people"),
        ("same_isometric", 0.9, "no straight line"),
        ("same_isometric", 1.5, "likelihood ratio of the preferred"),
        ("same_isometric", 0.75, "other value"),
        ("same_isometric", 6, "Those are the odds"),
        ("same_isometric", 85.7, "per cent"),
        ("same_isometric", 0.3, "share to rest"),
        ("joined_leaves", [3 / 4, 7 / 16, 7 / 16, 7 / 16], "correction is missing"),
        ("joined_leaves", [4 / 6, 2 / 8, 3 / 7, 5 / 7], "do not fall"),
        ("joined_leaves", [4 / 6, 4 / 13, 4 / 13, 5 / 7], "go on"),
        ("joined_leaves", [0.5] * 4, "joined all leaves"),
        ("joined_leaves", [4 / 6, 8 / 18], "each of the four leaves"),
        ("joined_leaves", [4 / 6, 8 / 18, 8 / 18], "Give four probabilities"),
        ("joined_leaves", [0.1, 0.2, 0.3, 0.4], "Write down the counts"),
        ("smallest_weight", 9, "ties with all the others"),
        ("smallest_weight", 6, "agree against it"),
        ("smallest_weight", 8, "four, two and one"),
        ("smallest_weight", 11, "say together"),
        ("unseen_pattern", 2 / 3, "segment above"),
        ("unseen_pattern", 1 / 3, "Add one to both"),
        ("unseen_pattern", 0.5, "neighbours in the order"),
        ("unseen_pattern", (2 / 3 + 3 / 8) / 2, "no mean of two segments"),
        ("unseen_pattern", 0.9, "Between which two"),
    ],
)
def test_hints_fit_the_mistake(name, answer, words):
    feedback = check(name, answer)
    assert not feedback.correct
    assert re.search(words, feedback.message)
