import re

import numpy as np
import pytest
from scipy.optimize import linprog

from rocviz.exercises import check, names

TESTED = {"by_lot", "coin_share", "forced_alarms", "four_fifths", "same_cut", "way_out"}


def test_each_exercise_of_the_chapter_is_tested_here():
    assert set(names(11)) == TESTED


def test_shares_invited_person_by_person():
    town = np.repeat(["A", "B"], [1000, 500])
    invited = np.r_[np.arange(400) < 300, np.arange(600) < 120, np.arange(100) < 50]
    invited = np.r_[invited, np.arange(400) < 40]
    assert check("four_fifths", invited[town == "B"].mean() / invited[town == "A"].mean()).correct


def test_the_threshold_is_where_both_choices_cost_the_same():
    p = np.linspace(0, 1, 1_000_001)
    assert check("same_cut", p[np.argmin(np.abs((1 - p) - 3 * p))]).correct


def test_the_draw_by_a_linear_program():
    # shares of the town that use the rules "nobody", "high", "low" and "everybody"
    fpr, tpr = np.array([0, 0.2, 0.5, 1]), np.array([0, 0.6, 0.85, 1])
    program = linprog(fpr, A_eq=[np.ones(4), tpr], b_eq=[1, 0.7])
    assert check("by_lot", program.fun).correct


def test_the_coin_person_by_person():
    n = 1_000_000
    coin = np.arange(n) < n * 18 / 65
    found = np.where(coin, 0.25, 0.9).mean()
    assert found == pytest.approx(0.72, abs=1e-5)
    assert check("coin_share", coin.mean()).correct


def test_false_alarms_by_counting():
    ill, healthy = 300, 700
    found = 0.6 * ill
    others = next(n for n in np.arange(0, healthy, 0.5) if found / (found + n) <= 0.8)
    assert check("forced_alarms", others / healthy).correct


def test_a_perfect_score_alone_keeps_all_promises():
    assert check("way_out", "a perfect score").correct
    for other in "more data", "another threshold for each town", "a coin":
        assert not check("way_out", other).correct


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("four_fifths", 0.42 / 0.18, "other way round"),
        ("four_fifths", 0.5 / 0.75, "the ill alone"),
        ("four_fifths", 0.24, "difference"),
        ("four_fifths", 90 / 420, "shares of each town"),
        ("same_cut", 0.75, "wrong way round"),
        ("same_cut", 1 / 3, "invitation in vain"),
        ("same_cut", 0.8 / 1.4, "a second time"),
        ("by_lot", 0.4, "people who are drawn"),
        ("by_lot", 0.35, "half the way"),
        ("by_lot", 0.12, "forgot the healthy"),
        ("coin_share", 0.18, "finds some of its part"),
        ("coin_share", 0.2, "inviting nobody"),
        ("coin_share", 47 / 65, "the score decides"),
        ("forced_alarms", 0.15, "town A"),
        ("forced_alarms", 0.045, "everybody in B"),
        ("forced_alarms", 0.225, "who is invited"),
        ("way_out", "a coin", "below its curve"),
    ],
)
def test_hints(name, answer, words):
    feedback = check(name, answer)
    assert not feedback.correct
    assert re.search(words, feedback.message)
