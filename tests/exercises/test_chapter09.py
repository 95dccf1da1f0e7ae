"""Exercises of the chapter on probabilities from rankings, with answers found in other ways."""

import re
from itertools import product

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_auc_score

from rocviz.exercises import check, names

TESTED = {
    "hinge_by_pairs",
    "pooled_by_hand",
    "stretched",
    "top_pulled",
    "refuted",
    "unlabelled_case",
}


def test_each_exercise_of_the_chapter_is_tested_here():
    assert set(names(9)) == TESTED


def test_hinge_pair_by_pair():
    cost = [max(0, 1 - (p - n)) ** 2 for p, n in product([2.0, 0.5], [1.5, -1.0])]
    assert cost == [0.25, 0, 4, 0]
    assert check("hinge_by_pairs", np.mean(cost)).correct


def test_pooled_by_the_one_in_scikit_learn():
    fitted = IsotonicRegression().fit_transform(np.arange(8), [0, 1, 1, 0, 1, 0, 1, 1])
    assert check("pooled_by_hand", fitted[3]).correct
    assert check("pooled_by_hand", 3 / 5).correct


def test_stretched_scores_by_the_one_in_scikit_learn():
    score, new = np.arange(8.0), np.arange(7) + 0.5
    y = [0, 1, 1, 0, 1, 0, 1, 1]
    plain, stretched = IsotonicRegression(), IsotonicRegression()
    np.testing.assert_allclose(
        plain.fit_transform(score, y), stretched.fit_transform(np.exp(score), y)
    )
    assert not np.allclose(plain.predict(new), stretched.predict(np.exp(new)))
    assert check("stretched", "probabilities of new samples").correct


def test_top_by_pooling_by_hand():
    assert 2 / 3 < 9 / 12
    assert check("top_pulled", (2 + 9) / (3 + 12)).correct


def refutes(labels):
    """Say whether a ranking refutes the printed bound, by scikit-learn."""
    place = np.arange(len(labels))
    auc = roc_auc_score(labels, place)
    fitted = IsotonicRegression().fit_transform(place, labels)
    share = np.mean(labels)
    loss = np.mean((fitted - labels) ** 2)
    return auc >= 0.5 and loss > 0.5 * np.sqrt(share * (1 - share) * (1 - auc)) + 1e-9


def test_exactly_the_refutations_are_accepted():
    found = 0
    for n in range(2, 7):
        for labels in product((0, 1), repeat=n):
            if 0 < sum(labels) < n:
                right = refutes(labels)
                assert check("refuted", labels).correct == right, labels
                found += right
    assert found > 5
    assert not check("refuted", (0, 1, 0, 1, 0, 0, 1, 0, 1)).correct


def test_unlabelled_by_counting_a_hundred():
    labelled, positive = 20, 20 / 0.25
    assert check("unlabelled_case", (positive - labelled) / (100 - labelled)).correct


def test_unlabelled_by_drawing():
    rng = np.random.default_rng(0)
    positive = rng.random(400_000) < 0.8
    unlabelled = ~(positive & (rng.random(positive.size) < 0.25))
    assert abs(positive[unlabelled].mean() - 0.75) < 0.004


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("hinge_by_pairs", 4.25, "mean over pairs"),
        ("hinge_by_pairs", 0.625, "without the squares"),
        ("hinge_by_pairs", 0.25, "wrong order"),
        ("hinge_by_pairs", 2.125, "cost nothing"),
        ("hinge_by_pairs", 1.0, "far enough apart"),
        ("hinge_by_pairs", np.log1p(np.exp([-0.5, -3, 1, -1.5])).mean(), "logistic"),
        ("hinge_by_pairs", 1.06, "three decimals"),
        ("hinge_by_pairs", 7, "four pairs"),
        ("pooled_by_hand", 2 / 3, "block that comes after"),
        ("pooled_by_hand", 0.5, "Go on"),
        ("pooled_by_hand", 0.625, "share of positives"),
        ("pooled_by_hand", 0, "That is its label"),
        ("pooled_by_hand", 4 / 7, "plain isotonic"),
        ("pooled_by_hand", 60, "per cent"),
        ("stretched", "AUC", "order of any two"),
        ("stretched", "probabilities of training samples", "other neighbours"),
        ("top_pulled", 2 / 3, "Pool them"),
        ("top_pulled", 1, "without the correction"),
        ("top_pulled", 0.75, "sample above it"),
        ("top_pulled", 9 / 11, "nothing added"),
        ("top_pulled", 10 / 13, "Two steps were pooled"),
        ("refuted", (1, 0, 1, 0), "in the text"),
        ("refuted", (0, 1, 0, 1), "equal"),
        ("refuted", (0, 1, 1, 0), "one block"),
        ("refuted", (1, 1, 0, 0), "below one half"),
        ("refuted", (0, 0, 1, 1), "nothing is lost"),
        ("refuted", (0, 0, 1, 0, 1), "less than the printed|exactly the printed"),
        ("refuted", (1, 1), "Both classes"),
        ("refuted", (0, 0.5, 1), "zeros and ones only"),
        ("refuted", (0, 1) * 5, "Eight samples at most"),
        ("refuted", 1, "a list of zeros and ones"),
        ("unlabelled_case", 0.8, "no label"),
        ("unlabelled_case", 0.2, "probability of a label"),
        ("unlabelled_case", 0.05, "do not multiply"),
        ("unlabelled_case", 0.6, "among the unlabelled"),
        ("unlabelled_case", 1.0, "above the line"),
        ("unlabelled_case", 0.25, "odds of a label"),
        ("unlabelled_case", 0.9, "a hundred such"),
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
