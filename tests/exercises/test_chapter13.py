import re
from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, multivariate_normal, norm
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, f1_score, precision_score, roc_auc_score

from rocviz.core.fermi_dirac import auc_sample_size
from rocviz.exercises import check, names

TESTED = {
    *("rare_precision", "what_may_come_first", "best_of_twenty", "enough_patients"),
    *("moved_prior", "what_is_missing"),
    *("exam_auc", "exam_hull", "exam_calibration", "exam_interval", "exam_crowd"),
    *("exam_none_ill", "exam_f1", "exam_order", "exam_fair", "exam_threshold"),
}


def test_each_exercise_of_the_chapter_is_tested_here():
    assert set(names(13)) == TESTED


def people(*cells):
    """List labels and scores of groups of (positives, negatives), the best first."""
    y = np.concatenate([np.repeat([1, 0], cell) for cell in cells])
    return y, np.repeat(-np.arange(len(cells)), [sum(cell) for cell in cells])


def test_precision_person_by_person():
    ill = np.arange(20_000) < 100
    alarm = np.r_[np.arange(100) < 90, np.arange(19_900) < 597]
    assert check("rare_precision", precision_score(ill, alarm)).correct


def test_the_best_of_twenty_by_simulation():
    aucs = np.random.default_rng(0).normal(0.5, 0.05, (200_000, 20))
    assert check("best_of_twenty", aucs.max(axis=1).mean()).correct
    assert not check("best_of_twenty", 0.6).correct


def test_patients_are_enough_and_one_fewer_is_not():
    # by Hanley and McNeil's formula, for normal scores of equal variance
    both_above = multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([norm.ppf(0.8)] * 2)

    def width(n_samples):
        n_pos = round(0.05 * n_samples)
        n_neg = n_samples - n_pos
        spread = 0.8 * 0.2 + (n_pos + n_neg - 2) * (both_above - 0.8**2)
        return 2 * norm.ppf(0.975) * np.sqrt(spread / (n_pos * n_neg))

    n = next(n for n in range(100, 9000) if width(n) <= 0.1)
    assert check("enough_patients", n).correct


def test_a_moved_prior_patient_by_patient():
    # of 1000 patients there, 400 are ill; this measurement is found in 60 ill and 60 healthy ones
    measured_in_ill, measured_in_healthy = 60 / 400, 60 / 600
    ill, healthy = 1000 * measured_in_ill, 9000 * measured_in_healthy  # of 10,000 in the practice
    assert check("moved_prior", ill / (ill + healthy)).correct


def test_choices():
    for name, right in (
        ("what_may_come_first", "a body mass index"),
        ("what_is_missing", "how the best was judged after it was chosen"),
        ("exam_interval", "Fermi-Dirac"),
    ):
        assert check(name, right).correct


def test_auc_and_hull_by_scikit_learn():
    assert check("exam_auc", roc_auc_score(*people((5, 1), (3, 3), (2, 6)))).correct
    y, score = people((3, 3), (5, 1), (1, 7))
    pooled = IsotonicRegression().fit_transform(score, y)
    first = pooled == pooled.max()
    assert first.sum() > 6  # more than the first group
    assert check("exam_hull", (y[first].sum() + 1) / (first.sum() + 2)).correct


def test_calibration_loss_as_what_better_probabilities_save():
    y = np.repeat([1, 0, 1, 0], [6, 4, 2, 8])
    said, happens = np.repeat([0.8, 0.3], 10), np.repeat([0.6, 0.2], 10)
    saved = brier_score_loss(y, said) - brier_score_loss(y, happens)
    assert check("exam_calibration", saved).correct


def test_a_crowd_of_two_by_counting():
    # evidence is a ratio of two likelihoods; independent ones multiply
    ill, healthy = 0.2 * np.exp(1.0) * np.exp(0.5), 0.8
    assert check("exam_crowd", ill / (ill + healthy)).correct


def test_clopper_pearson_as_a_quantile_of_beta():
    assert check("exam_none_ill", beta.ppf(0.975, 1, 30)).correct


def test_the_best_threshold_is_half_of_the_best_f1():
    p = np.random.default_rng(1).beta(0.5, 1.5, 200_000)
    order = np.sort(p)[::-1]
    f1 = 2 * np.cumsum(order) / (np.arange(1, len(p) + 1) + p.sum())
    assert order[f1.argmax()] == pytest.approx(f1.max() / 2, abs=1e-3)
    y = np.random.default_rng(2).random(len(p)) < p
    assert f1_score(y, p >= f1.max() / 2) == pytest.approx(f1.max(), abs=0.01)
    assert check("exam_f1", 0.46 / 2).correct


@pytest.mark.parametrize("answer", ["5, 2, 1", "4, 3, 2", "3, 2, 1"])
def test_a_dictionary_pair_by_pair(answer):
    weights = [float(x) for x in answer.split(", ")]
    patterns = list(product((0, 1), repeat=3))
    alike = all(
        (sum(np.multiply(one, weights)) > sum(np.multiply(other, weights))) == (one > other)
        for one in patterns
        for other in patterns
    )
    assert check("exam_order", answer).correct == alike


def test_false_alarms_person_by_person():
    ill = np.arange(1000) < 200
    found = 140
    invited_healthy = next(n for n in np.arange(0, 800, 1 / 3) if found / (found + n) <= 0.6 + 1e-9)
    assert check("exam_fair", invited_healthy / (~ill).sum()).correct


def test_the_threshold_is_where_both_choices_cost_the_same():
    said = np.linspace(0.001, 0.999, 998_001)
    ill, healthy = 0.1 * said / 0.5, 0.9 * (1 - said) / 0.5
    assert check("exam_threshold", said[np.argmin(np.abs(healthy - 4 * ill))]).correct


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("rare_precision", 0.9, "other way round"),
        ("rare_precision", 0.968, "199 are healthy"),
        ("rare_precision", 0.151, "ratio of right to false"),
        ("what_may_come_first", "calibrating", "fitted to labels"),
        ("best_of_twenty", 0.5, "mean of all twenty"),
        ("best_of_twenty", 0.598, "one in forty"),
        ("what_is_missing", "the accuracy", "0.905"),
        ("moved_prior", 0.125, "odds, not probabilities"),
        ("moved_prior", 0.1, "added evidence"),
        ("moved_prior", 6 / 7, "wrong way"),
        ("exam_auc", 0.63, "nothing"),
        ("exam_auc", 0.89, "as right"),
        ("exam_hull", 2 / 3, "Laplace"),
        ("exam_hull", 0.75, "second group alone"),
        ("exam_calibration", 0.15, "square"),
        ("exam_calibration", 0.05, "mean over patients"),
        ("exam_crowd", 0.818, "prior"),
        ("exam_crowd", 0.346, "took the mean"),
        ("exam_none_ill", 0.095, "half of it"),
        ("exam_none_ill", 0.1, "rule of three"),
        ("exam_f1", 0.5, "accuracy"),
        ("exam_order", "3, 2, 1", "tie with 3"),
        ("exam_fair", 0.4, "invited who are healthy"),
        ("exam_fair", 0.0933, "not by everybody"),
        ("exam_threshold", 0.2, "corrected probabilities"),
        ("exam_threshold", 0.027, "wrong way"),
        ("exam_threshold", 0.75, r"1 / 4"),
    ],
)
def test_hints(name, answer, words):
    feedback = check(name, answer)
    assert not feedback.correct
    assert re.search(words, feedback.message)


def test_asking_for_the_ill_alone_or_for_half_the_width_is_recognised():
    size = auc_sample_size(0.8, 0.05, width=0.1)
    assert "of them are ill" in check("enough_patients", size.n_pos).message
    wide = auc_sample_size(0.8, 0.05, width=0.2).n_samples
    assert "end to end" in check("enough_patients", wide).message
