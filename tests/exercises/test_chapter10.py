import re
from itertools import product

import numpy as np
import pytest

from rocviz.exercises import check, names

TESTED = {
    "abstract_error",
    "cost_of_list",
    "five_agree",
    "invite_from",
    "january",
    "other_clinic",
}


def test_each_exercise_of_the_chapter_is_tested_here():
    assert set(names(10)) == TESTED


def test_the_threshold_is_where_both_choices_cost_the_same():
    p = np.linspace(0, 1, 1_000_001)
    assert check("invite_from", p[np.argmin(np.abs((1 - p) - 5 * p))]).correct


def test_costs_patient_by_patient():
    y = np.repeat([1, 0], [75, 225])
    invited = np.r_[np.arange(75) < 60, np.arange(225) < 45]
    each = np.where(y == 1, 5 * ~invited, invited)
    assert check("cost_of_list", each.mean()).correct
    elsewhere = np.where(y == 1, 0.1 / 75, 0.9 / 225)
    assert check("other_clinic", elsewhere @ each).correct


def test_january_by_all_outcomes_of_all_lists():
    p = np.array([0.6, 0.4, 0.3, 0.2, 0.1, 0.1])
    y = np.array(list(product((0, 1), repeat=6)))
    weight = np.where(y == 1, p, 1 - p).prod(axis=1)
    expected = {
        labels: weight @ (2 * (y @ labels) / np.maximum(sum(labels) + y.sum(axis=1), 1))
        for labels in product((0, 1), repeat=6)
    }
    assert check("january", sum(max(expected, key=expected.get))).correct


def test_the_abstract_s_error_by_drawing_from_the_law():
    from scipy.optimize import root
    from scipy.special import expit

    rank = np.arange(1, 151)
    energy = 40 * (110 * 0.15 + 41 / 2)

    def excess(parameters):
        p = expit(parameters[0] + parameters[1] * rank / 150)
        return [p.sum() - 40, (rank @ p - energy) / 150]

    a, b = root(excess, [0.0, -1.0], tol=1e-12).x
    p = expit(a + b * rank / 150)
    # scores of the classes follow the ranks' shares of positives and of negatives
    pos, neg = p / p.sum(), (1 - p) / (1 - p).sum()
    beats = np.tril(np.ones((150, 150)), -1).T + np.eye(150) / 2
    auc = pos @ beats @ neg
    by_pos, by_neg = beats @ neg, pos @ beats
    variance = (
        auc * (1 - auc) + 39 * (neg @ by_neg**2 - auc**2) + 109 * (pos @ by_pos**2 - auc**2)
    ) / (40 * 110)
    assert check("abstract_error", variance**0.5).correct


def test_five_models_multiply_odds():
    odds = (1 / 3) * ((0.6 / 0.4) / (1 / 3)) ** 5
    assert check("five_agree", odds / (1 + odds)).correct


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("invite_from", 0.2, "wasted only if the patient stays well"),
        ("invite_from", 0.5, "cost the same"),
        ("cost_of_list", 0.25, "left out the false alarms"),
        ("cost_of_list", 0.2, "five times as much"),
        ("cost_of_list", 1.2, "rates of two classes"),
        ("cost_of_list", 120, "Divide it by their number"),
        ("cost_of_list", 1.15, "who were found for those"),
        ("other_clinic", 0.92, "swapped the two costs"),
        ("other_clinic", 0.2, "five times as much"),
        ("other_clinic", 0.4, "Dr. Noor's clinic"),
        ("january", 4, "own costs"),
        ("january", 1, "accuracy"),
        ("abstract_error", 0.0401, "Hanley and McNeil|Make the law"),
        ("five_agree", 0.884, "minus the prior"),
        ("five_agree", 0.6, "copies"),
    ],
)
def test_hints(name, answer, words):
    feedback = check(name, answer)
    assert not feedback.correct
    assert re.search(words, feedback.message)
