"""Exercises of the chapter on scoring lists, with answers found in other ways."""

import re

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from rocviz import ProbabilisticScoringList
from rocviz.core.scoring_lists import ScoringStage
from rocviz.datasets import make_chest_pain
from rocviz.exercises import check, names

TESTED = {"card_after_three", "mean_minutes", "none_ill", "nothing_left"}


def test_each_exercise_of_the_chapter_is_tested_here():
    assert set(names(5)) == TESTED


def test_the_card():
    assert check("card_after_three", 0.6).correct


@pytest.fixture(scope="module")
def doctor():
    cohort = make_chest_pain(as_frame=True)
    model = ProbabilisticScoringList(score_set=(-1, 1), feature_costs=cohort.feature_costs, tol=0.0)
    return model.fit(cohort.data, cohort.target), cohort


def test_minutes_as_the_hint_says(doctor):
    model, cohort = doctor
    walked = model.decide(cohort.data, lower=0.03, upper=0.5)
    assert check("mean_minutes", walked.cost.mean()).correct
    assert check("mean_minutes", round(float(walked.cost.mean()), 2)).correct
    assert "has 1199 numbers" in check("mean_minutes", walked.cost).message


def test_minutes_by_walking_each_patient(doctor):
    model, cohort = doctor
    spent = []
    for _, patient in cohort.data.iterrows():
        total, minutes = 0, 0.0
        for k, stage in enumerate(model.scoring_list_.stages):
            said = dict(zip(stage.totals.tolist(), stage.probability.tolist(), strict=True))
            if said[total] <= 0.03 or said[total] >= 0.5 or k == len(model.scores_):
                break
            name = model.scoring_list_.feature_names[k]
            total += int(patient[name] * model.scores_[k])
            minutes += cohort.feature_costs[name]
        spent.append(minutes)
    assert check("mean_minutes", np.mean(spent)).correct


def upper_end(n, side):
    """Compute the probability with which none of n is positive just as often as a side may err."""
    return brentq(lambda p: binom.pmf(0, n, p) - side, 0, 1, xtol=1e-14)


def test_none_ill_by_trying_probabilities():
    answer = upper_end(40, 0.05 / 2 / 6)
    assert check("none_ill", answer).correct
    assert check("none_ill", round(answer, 3)).correct


def test_empty_intervals_are_those_that_contradict():
    assert check("nothing_left", "contradicted").correct
    for pos, neg, empty in (
        ([0.0, 90.0], [90.0, 0.0], True),
        ([900.0, 0.0], [0.0, 900.0], False),
        ([5.0, 0.0], [5.0, 0.0], False),
    ):
        stage = ScoringStage([1, 0], [0.5, 0.5], pos, neg)
        assert stage.band().is_empty.any() == empty


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("card_after_three", 0.2, "asked last"),
        ("card_after_three", 0.1, "points of f1 alone"),
        ("card_after_three", 0.7, "total of 1"),
        ("card_after_three", 0.5, "row of f1"),
        ("card_after_three", 0.9, "takes points away"),
        ("card_after_three", 60, "per cent"),
        ("card_after_three", 0.35, "Add the points"),
        ("mean_minutes", 3.649, "Those are questions"),
        ("mean_minutes", 4.768, "first doctor's limits"),
        ("mean_minutes", 7, "everything asked of everybody"),
        ("mean_minutes", 4327, "all patients together"),
        ("mean_minutes", 3.6, "Very close"),
        ("mean_minutes", 3.63, "Let doctor.decide walk"),
        ("mean_minutes", 2, "Let doctor.decide walk"),
        ("none_ill", 0, "Does that mean that nobody can be"),
        ("none_ill", 0.0881, "single interval"),
        ("none_ill", 0.1128, "two sides"),
        ("none_ill", 0.0722, "share it out"),
        ("none_ill", 0.075, "rule of thumb"),
        ("none_ill", 0.13, "three decimals"),
        ("nothing_left", "settled", "make an interval narrow"),
        ("nothing_left", "unseen", "What cuts that away"),
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


def test_a_further_question_may_undo_what_was_known():
    X, y = make_chest_pain(return_X_y=True)
    stages = ProbabilisticScoringList(score_set=(-1, 1)).fit(X, y).scoring_list_.stages
    assert [round(stage.entropy, 3) for stage in (stages[6], stages[10])] == [0.331, 0.352]
    assert [round(stage.auc, 3) for stage in (stages[6], stages[10])] == [0.885, 0.868]
