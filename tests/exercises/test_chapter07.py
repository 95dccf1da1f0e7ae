"""Exercises of the chapter on decisions, with answers from all outcomes, one by one."""

import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from rocviz.exercises import check, names

TESTED = {
    "first_of_two",
    "alone",
    "how_many_cuts",
    "climber",
    "tripled",
    "which_breaks",
}


def f1(labels, outcome):
    hits = sum(a and b for a, b in zip(labels, outcome, strict=True))
    both = sum(labels) + sum(outcome)
    return Fraction(2 * hits, both) if both else Fraction(0)


def expected(labels, y_prob, metric=f1):
    """Compute the mean of a metric over all outcomes, as a fraction."""
    total = Fraction(0)
    for outcome in product((0, 1), repeat=len(y_prob)):
        chance = Fraction(1)
        for happened, p in zip(outcome, y_prob, strict=True):
            chance *= p if happened else 1 - p
        total += chance * metric(labels, outcome)
    return total


def prefix(k, n):
    return (1,) * k + (0,) * (n - k)


def test_each_exercise_of_the_chapter_is_tested_here():
    assert set(names(7)) == TESTED


def test_two_samples_by_four_outcomes():
    answer = expected((1, 0), (Fraction(4, 5), Fraction(3, 10)))
    assert answer == Fraction(18, 25)
    assert check("first_of_two", answer).correct
    assert check("first_of_two", 0.72).correct


def test_alone_by_two_outcomes():
    rare = (Fraction(1, 50),)
    assert expected((1,), rare) > expected((0,), rare) == 0
    assert check("alone", "yes").correct
    assert check("alone", " Yes ").correct


def test_cuts_from_nobody_to_everybody():
    assert check("how_many_cuts", len(range(20 + 1))).correct


def test_climber_by_hits_and_misses():
    """Of m samples alike, labels matter by their number only, so outcomes are binomial."""
    from math import comb

    m, q = 14, Fraction(1, 4)

    def chance(n, j):
        return comb(n, j) * q**j * (1 - q) ** (n - j)

    curve = [
        sum(
            chance(k - 1, a) * chance(m + 1 - k, b) * Fraction(2 * (1 + a), k + 1 + a + b)
            for a in range(k)
            for b in range(m + 2 - k)
        )
        for k in range(1, m + 2)
    ]
    assert curve[0] > curve[1] < curve[2]
    assert check("climber", max(curve) - curve[0]).correct
    assert check("climber", round(float(max(curve) - curve[0]), 4)).correct


def test_tripled_by_all_outcomes():
    y_prob = np.array([0.7, 0.6, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1])
    odds = (y_prob / (1 - y_prob)) ** 3
    said = odds / (1 + odds)
    outcomes = np.array(list(product((0, 1), repeat=10)))

    def mean_f1(k, probabilities):
        chance = np.where(outcomes, probabilities, 1 - probabilities).prod(axis=1)
        both = k + outcomes.sum(axis=1)
        return chance @ (2 * outcomes[:, :k].sum(axis=1) / np.where(both, both, 1))

    believed = [mean_f1(k, said) for k in range(11)]
    stop = int(np.argmax(believed))
    assert check("tripled", mean_f1(stop, y_prob)).correct
    assert not check("tripled", believed[stop]).correct
    assert stop < int(np.argmax([mean_f1(k, y_prob) for k in range(11)]))


def test_which_breaks_by_finding_labels_that_are_no_prefix():
    n = 3
    y_prob = (Fraction(9, 10), Fraction(1, 2), Fraction(1, 10))

    def rates(labels, outcome):
        hits = sum(a and b for a, b in zip(labels, outcome, strict=True))
        return Fraction(hits, n), Fraction(sum(labels), n)

    metrics = {
        "first": lambda u, v: u + v,
        "second": lambda u, v: (1 + 2 * u) / (1 + u),
        "third": lambda u, v: (3 + 2 * u) / (1 + u),
    }
    for name, metric in metrics.items():
        value = {
            labels: expected(labels, y_prob, lambda s, y, phi=metric: phi(*rates(s, y)))
            for labels in product((0, 1), repeat=n)
        }
        # of labellings of one size, is the most probable one the best?
        ranks = all(
            value[prefix(k, n)] == max(v for s, v in value.items() if sum(s) == k)
            for k in range(n + 1)
        )
        assert check("which_breaks", name).correct is not ranks


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("first_of_two", 1.6 / 2.1, "expected counts"),
        ("first_of_two", 0.8, "other sample is positive too"),
        ("first_of_two", 0.68, "Jaccard"),
        ("first_of_two", 0.56, "both are positive"),
        ("first_of_two", 72, "per cent"),
        ("first_of_two", 0.5, "four outcomes"),
        ("alone", "no", "negative and not called"),
        ("alone", "it does not matter", "if it is positive"),
        ("how_many_cuts", 20, "one of the two ends"),
        ("how_many_cuts", 2**20, "most probable samples"),
        ("how_many_cuts", 190, "pairs that could be swapped"),
        ("how_many_cuts", 7, "Rank the samples"),
        ("climber", 0, "after the first step"),
        ("climber", 0.4013, "How much is lost"),
        ("climber", 0.1237, "share of what they have"),
        ("tripled", 0.7835, "what they expect"),
        ("tripled", 0.5607, "with the true"),
        ("tripled", 0.0744, "what they lose"),
        ("which_breaks", "first", "does it fall with u"),
        ("which_breaks", "second", "u = 0 and u = 1"),
    ],
)
def test_hints_fit_the_mistake(name, answer, words):
    feedback = check(name, answer)
    assert not feedback.correct
    assert re.search(words, feedback.message)
