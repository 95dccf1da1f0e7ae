"""Exercises of the chapter on scoring lists from data, with answers found in other ways."""

import re
from itertools import product

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from rocviz import ProbabilisticScoringList
from rocviz.datasets import make_chest_pain
from rocviz.exercises import check, names

TESTED = {"how_many_healthy", "three_or_ten", "two_questions_auc"}


def test_each_exercise_of_the_chapter_is_tested_here():
    assert set(names(6)) == TESTED


def upper_end(n):
    """Compute the probability with which none of n is positive as often as a side may err."""
    return brentq(lambda p: binom.pmf(0, n, p) - 0.5 / 2 / 6, 0, 1, xtol=1e-14)


def test_how_many_by_trying_numbers():
    enough = [n for n in range(1, 100) if 11 * upper_end(n) <= 1]
    assert check("how_many_healthy", enough[0]).correct
    assert check("how_many_healthy", np.log(0.25 / 6) / np.log(10 / 11) // 1 + 1).correct


def test_three_or_ten_on_patients_who_come_later():
    X, y = make_chest_pain(20_000, random_state=1, return_X_y=True)
    brier = []
    for seed in range(12):
        model = ProbabilisticScoringList(score_set=(-1, 1))
        model.fit(*make_chest_pain(120, random_state=500 + seed, return_X_y=True))
        brier.append(model.evaluate(X, y).brier[[3, 10]])
    three, ten = np.mean(brier, axis=0)
    assert check("three_or_ten", "lower" if ten < three else "higher").correct


def test_two_questions_by_all_pairs():
    ill = [2] * 12 + [1] * 6 + [0] * 2
    well = [2] * 20 + [1] * 15 + [0] * 45
    won = [(a > b) + (a == b) / 2 for a, b in product(ill, well)]
    assert check("two_questions_auc", np.mean(won)).correct


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("how_many_healthy", 33, "Nearly"),
        ("how_many_healthy", 33.34, "first whole number"),
        ("how_many_healthy", 15, "six hold together"),
        ("how_many_healthy", 58, "95 % band"),
        ("how_many_healthy", 31, "not one in M"),
        ("how_many_healthy", 27, "Each side has half"),
        ("three_or_ten", "higher", "a threshold was chosen"),
        ("three_or_ten", "equal", "are informative"),
        ("two_questions_auc", 0.675, "after the first question"),
        ("two_questions_auc", 0.61875, "gave tied pairs nothing"),
        ("two_questions_auc", 0.88125, "counted tied pairs as won"),
        ("two_questions_auc", 0.25, "upside down"),
    ],
)
def test_hints(name, answer, words):
    feedback = check(name, answer)
    assert not feedback.correct
    assert re.search(words, feedback.message)


@pytest.mark.parametrize("name", sorted(TESTED))
def test_the_dots_are_no_answer(name):
    feedback = check(name, ...)
    assert not feedback.correct
    assert "where the dots are" in feedback.message


# ---------------------------------------------------------------------- what the course claims


def test_caution_costs_where_estimates_are_good_and_saves_where_they_are_too_sure():
    marginals = make_chest_pain().marginals.values()
    p = np.array([[m["no_chd"], m["chd"]] for m in marginals])
    X = np.array(list(product((0, 1), repeat=len(p))))

    def judged(n_samples, prevalence):
        """Compute the share of the ill that is overlooked, and the cost: estimate, upper end."""
        ill = prevalence * np.where(X, p[:, 1], 1 - p[:, 1]).prod(axis=1)
        well = (1 - prevalence) * np.where(X, p[:, 0], 1 - p[:, 0]).prod(axis=1)
        rows = []
        for seed in range(100, 150):
            drawn = make_chest_pain(
                n_samples, prevalence=prevalence, random_state=seed, return_X_y=True
            )
            model = ProbabilisticScoringList(score_set=(-1, 1), max_stages=6).fit(*drawn)
            for called in (
                model.scoring_list_.predict(X, cost_fn=10),
                model.scoring_list_.risk_averse(X, cost_fn=10, confidence=0.5),
            ):
                missed = ill[~called].sum()
                rows.append((missed / ill.sum(), 10 * missed + well[called].sum()))
        return np.array(rows).reshape(50, 2, 2)

    missed, cost = judged(120, 135 / 1199).mean(axis=0).T.round(2)
    assert missed.tolist() == [0.24, 0.09]
    assert cost.tolist() == [0.49, 0.62]
    few = judged(30, 0.5)
    missed, cost = few.mean(axis=0).T.round(2)
    assert missed[1] < missed[0]
    more = few[:, 1, 1] - few[:, 0, 1]
    assert more.mean() < -2 * more.std(ddof=1) / 50**0.5
    assert cost.tolist() == [0.77, 0.5]


def test_bands_of_other_lists_hold_less_often_than_those_of_new_data():
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    held = {"train": 0, 0.5: 0, 5: 0}
    for seed in range(6):
        X_fit, X_new, y_fit, y_new = train_test_split(
            X[:, :10], 1 - y, train_size=60, stratify=y, random_state=seed
        )
        for data in held:
            model = ProbabilisticScoringList(
                max_stages=4, calibration_data=data, random_state=seed
            ).fit(X_fit, y_fit)
            stage, (pos, neg) = model.stage(-1), model.scoring_list_.count(X_new, y_new)[-1]
            band, many = stage.band(), pos + neg >= 30
            share = pos[many] / (pos + neg)[many]
            held[data] += int(((band.lower[many] <= share) & (share <= band.upper[many])).all())
    assert held[0.5] == 6
    assert held[5] < held[0.5] - 1
