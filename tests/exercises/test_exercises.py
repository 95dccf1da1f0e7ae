import re
import warnings
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises import Feedback, check, hint, names, question
from rocviz.exercises._base import Choice, Quantity
from rocviz.exercises._registry import _BY_NAME, CHAPTERS

EXERCISES = list(_BY_NAME.values())
RIGHT = {
    "operating_point": (2 / 10, 7 / 10),
    "tree_auc": 79 / 100,
    "lexicographic_auc": 62 / 100,
    "hull_segments": [(8, 4), (3, 12)],
    "hull_auc": 130 / 176,
    "hull_probabilities": [10 / 16, 2 / 8],
    "tree_refinement_loss": 43 / 240,
    "tree_auc_calibrated": "stay",
    "cubed_probabilities": "Brier score",
    "ladder_auc": Fraction(10, 12),
    "between_marks": "only the second",
    "rare_positives": "fermi-dirac",
    "reversed_witness": "raises",
    "equal_and_few": "the mean rank",
    "three_against_one": "the best classifier",
}
by_name = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)


def cancer():
    scores = load_breast_cancer_scores()
    return scores.y_true, scores.y_prob


# ---------------------------------------------------------------------- right answers


@pytest.mark.parametrize("name", RIGHT)
def test_answers_of_the_worked_example(name):
    feedback = check(name, RIGHT[name])
    assert feedback.correct
    assert str(feedback).startswith("Right. ")


def test_miscalibration_by_isotonic_regression():
    from sklearn.isotonic import IsotonicRegression
    from sklearn.metrics import brier_score_loss

    y, prob = cancer()
    pooled = IsotonicRegression().fit_transform(prob, y)
    answer = brier_score_loss(y, prob**3) - brier_score_loss(y, pooled)
    assert check("cubed_miscalibration", answer).correct
    assert check("cubed_miscalibration", round(answer, 3)).correct


def test_threshold_by_trying_all():
    y, prob = cancer()
    costs = {
        t: 0.95 * (prob[y == 0] >= t).mean() + 5 * 0.05 * (prob[y == 1] < t).mean() for t in prob
    }
    best = min(costs, key=costs.get)
    assert check("cancer_threshold", best).correct
    below = max(p for p in prob if p < best)
    assert check("cancer_threshold", (below + best) / 2).correct
    assert not check("cancer_threshold", below).correct
    segments = RankedSegments.from_scores(y, prob)
    assert check("cancer_threshold", segments.optimal_point(1, 5, 0.05)).correct


def logistic(rank, positive):
    """Compute intercept and slope of logistic regression on ranks, by scipy alone."""
    from scipy.optimize import root
    from scipy.special import expit

    def score(parameters):
        residual = positive - expit(parameters[0] + parameters[1] * rank / len(rank))
        return [residual.sum(), residual @ rank / len(rank)]

    found = root(score, [0.0, -1.0], tol=1e-13)
    assert found.success
    return found.x[0], found.x[1] / len(rank)


def test_temperature_and_potential_by_logistic_regression():
    from scipy.stats import rankdata

    y, prob = cancer()
    intercept, slope = logistic(rankdata(-prob), y)
    assert check("cancer_temperature", -1 / slope / len(y)).correct
    assert check("nine_in_ten", (np.log(9) - intercept) / slope).correct


def test_mean_balanced_accuracy_by_cutting_everywhere():
    from sklearn.metrics import balanced_accuracy_score

    y, prob = cancer()
    order = np.argsort(-prob, kind="stable")
    cuts = [balanced_accuracy_score(y[order], np.arange(y.size) < r) for r in range(1, y.size + 1)]
    assert check("cancer_mean_bac", np.mean(cuts)).correct


def test_lower_end_by_all_pairs():
    from scipy.special import expit, logit
    from scipy.stats import norm

    y, prob = cancer()
    wins = np.subtract.outer(prob[y == 1], prob[y == 0])
    wins = (wins > 0) + (wins == 0) / 2
    auc = wins.mean()
    variance = sum(wins.mean(axis=a).var(ddof=1) / wins.shape[1 - a] for a in (0, 1))
    half = norm.ppf(0.95) * np.sqrt(variance) / (auc * (1 - auc))
    assert check("cancer_lower_end", expit(logit(auc) - half)).correct


def test_an_interval_of_an_auc_is_understood_by_its_lower_end():
    y, prob = cancer()
    right = auc_interval(y, prob, method="logit-delong", confidence=0.9)
    assert check("cancer_lower_end", right).correct
    other = auc_interval(y, prob, method="hanley-mcneil", confidence=0.9)
    assert "Hanley" in check("cancer_lower_end", other).message


def law_of(auc):
    """Compute intercept and slope of the law with an AUC, 40 positives and 60 negatives."""
    from scipy.optimize import root
    from scipy.special import expit

    rank = np.arange(1, 101)
    energy = 40 * (60 * (1 - auc) + 41 / 2)

    def excess(parameters):
        p = expit(parameters[0] + parameters[1] * rank / 100)
        return [p.sum() - 40, (rank @ p - energy) / 100]

    found = root(excess, [0.0, -1.0], tol=1e-13)
    assert found.success
    return found.x[0], found.x[1] / 100


def test_evidence_by_solving_both_sums():
    from scipy.special import expit

    prior = np.log(40 / 60)
    (a, b), (c, d) = law_of(0.8), law_of(0.6)
    evidence = a + b * 30 + c + d * 85 - 2 * prior
    assert check("two_witnesses", evidence).correct
    assert check("prior_term", expit(evidence + prior)).correct
    assert check("same_witness_thrice", expit(3 * (a + b * 10 - prior) + prior)).correct


def test_a_quantity_need_not_lie_between_0_and_1():
    exercise = Quantity("a", "A?", lambda: -30.0, "Think.", "So it is.", tolerance=0.1)
    assert exercise.mark(-30.09).correct
    assert exercise.mark(30).message.startswith("The size is right")
    assert exercise.mark(-31).message == "Think."
    assert exercise.mark(-32).message == "Think."


def test_every_exercise_is_tested_for_its_answer():
    elsewhere = {
        "cubed_miscalibration",
        "cancer_threshold",
        "cancer_temperature",
        "nine_in_ten",
        "cancer_mean_bac",
        "cancer_lower_end",
        "two_witnesses",
        "prior_term",
        "same_witness_thrice",
    }
    assert {*names(1), *names(2), *names(3), *names(4)} == set(RIGHT) | elsewhere


@by_name
def test_the_computed_answer_is_right(exercise):
    assert exercise.mark(exercise.solve()) == Feedback(True, exercise.why)


@pytest.mark.parametrize(
    "answer",
    [
        Fraction(79, 100),
        Decimal("0.79"),
        np.float32(0.79),
        np.array(0.79),
        np.array([0.79]),
        [0.79],
        pd.Series([0.79]),
        0.7899999,
        0.7903,
    ],
    ids=repr,
)
def test_kinds_of_numbers(answer):
    assert check("tree_auc", answer).correct


def test_kinds_of_segments():
    hull = RankedSegments([4, 3, 2, 1], [2, 6, 1, 2], [2, 2, 6, 6]).hull()
    for answer in (
        hull,
        hull.to_frame()[["pos", "neg"]],
        np.array([[8, 4], [3, 12]]),
        ((8.0, 4.0), [3, 12]),
    ):
        assert check("hull_segments", answer).correct


def test_an_answer_is_close_only_if_it_is_the_solution_rounded():
    exercise = Quantity("a", "A?", lambda: 12.3456, "Think.", "So it is.", lambda: {"Half.": 0.626})
    for close in (12, 12.3, 12.35):
        assert exercise.mark(close).message.startswith("Very close")
    for other in (10, 12.4, 12.34, 12.347):
        assert exercise.mark(other).message == "Think."
    assert exercise.mark(0.63).message == "Half."
    assert exercise.mark(0.6).message == "Think."


def test_choices_forgive_case_and_spaces():
    assert check("tree_auc_calibrated", " Stay ").correct
    assert check("cubed_probabilities", "brier score").correct


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("cubed_probabilities", "Brier"),
        ("tree_auc_calibrated", "stay"),
        ("reversed_witness", "raise"),
        ("equal_and_few", "mean rank"),
        ("rare_positives", "fermi dirac"),
        ("stretched", "new samples"),
        ("which_breaks", 3),
        ("alone", True),
    ],
)
def test_choices_may_be_given_as_one_would_say_them(name, answer):
    assert check(name, answer).correct


def test_words_that_fit_two_choices_are_not_guessed():
    assert "in quotation marks" in check("stretched", "probabilities").message
    assert "in quotation marks" in check("alone", 1).message


# ---------------------------------------------------------------------- wrong answers


@by_name
def test_every_known_mistake_gets_its_own_hint(exercise):
    assert exercise.mistakes()
    for message, wrong in exercise.mistakes().items():
        assert exercise.mark(wrong) == Feedback(False, message)


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("tree_auc", 0.70, "gave tied pairs nothing"),
        ("tree_auc", 0.88, "counted tied pairs as won"),
        ("tree_auc", 0.21, "come before a negative, not after"),
        ("tree_auc", 79, "per cent"),
        ("tree_auc", 0.62, "best leaf first"),
        ("tree_auc", 0.793, "Take every pair"),
        ("tree_auc", 0.785, "Take every pair"),
        ("tree_auc", 1.2, "between 0 and 1"),
        ("tree_auc", 0.3, "Take every pair"),
        ("lexicographic_auc", 0.79, "A2 decides first"),
        ("lexicographic_auc", 0.70, "under the convex hull"),
        ("operating_point", (0.7, 0.2), "wrong order"),
        ("operating_point", (20, 70), "per cent"),
        ("operating_point", (2, 7), "counts"),
        ("operating_point", (2 / 9, 7 / 9), "shares of the people called positive"),
        ("operating_point", (0.2, 0.7, 0.1), "Give two numbers"),
        ("operating_point", (0.3, 0.6), "Add up the counts"),
        ("hull_segments", [(2, 2), (6, 2), (1, 6), (2, 6)], "not convex yet"),
        ("hull_segments", [(8, 4), (1, 6), (2, 6)], "good start"),
        ("hull_segments", [(9, 10), (2, 6)], "stays apart"),
        ("hull_segments", [(2, 2), (7, 8), (2, 6)], "second and the third"),
        ("hull_segments", [(6, 2), (2, 2), (2, 6), (1, 6)], "only joins neighbours"),
        ("hull_segments", [2 / 3, 0.2], "Give counts"),
        ("hull_auc", 0.5455, "pairs within a segment nothing"),
        ("tree_auc", 0.58, "order of their numbers"),
        ("lexicographic_auc", 0.61, "looked at A1 first"),
        ("tree_refinement_loss", 0.3583, "Gini"),
        ("nine_in_ten", 216.4, "logarithm of the probability"),
        ("two_witnesses", 0.579, "before it becomes one"),
        ("prior_term", 0.3198, "That is the evidence"),
        ("hull_segments", [(4, 8), (12, 3)], "Positives come first"),
        ("hull_segments", [(8, 4)], "everybody once"),
        ("hull_auc", 123 / 176, "as it stands"),
        ("hull_auc", 127 / 176, "Another pair of neighbours"),
        ("hull_segments", [(11, 16)], "diagonal"),
        ("hull_segments", (11, 16), "diagonal"),
        ("hull_segments", [(8.5, 4), (2.5, 12)], "Walk along the ranking"),
        ("hull_probabilities", [9 / 14, 1 / 6], "proportions as they are"),
        ("hull_probabilities", [0.63, 0.25], "at least three decimals"),
        ("hull_probabilities", [62.5, 25], "per cent"),
        ("hull_probabilities", [0.5, 0.5], "add one to both"),
        ("tree_refinement_loss", 0.18, "at least three decimals"),
        ("tree_refinement_loss", 0.25, "always predicting"),
        ("tree_refinement_loss", 17.9, "per cent"),
        ("tree_auc_calibrated", "fall", "never below|never lies below"),
        ("cubed_miscalibration", 0.16678, "whole Brier score"),
        ("cancer_threshold", 0.5, "None of the three"),
        ("cancer_threshold", 93.1, "between 0 and 1"),
        ("cancer_threshold", 0.932, "rounding moved a tumour"),
        ("cancer_threshold", 0.7, "optimal_point"),
        ("ladder_auc", 1 / 6, "wrong order"),
        ("ladder_auc", 2 / 3, "lowest possible sum"),
        ("cancer_temperature", 75.9, "Divide by how many ranks"),
        ("nine_in_ten", 208.4, "one half"),
        ("nine_in_ten", 375.1, "benign"),
        ("nine_in_ten", 140.1, "odds first"),
        ("between_marks", "both", "smaller than the"),
        ("cancer_lower_end", 0.87193, "DeLong's interval of 95 %"),
        ("cancer_lower_end", 0.87159, "Hanley"),
        ("cancer_mean_bac", 0.809, "highest"),
        ("cancer_lower_end", 0.8692, "less confidence"),
        ("rare_positives", "Hanley-McNeil", "long rather than short"),
        ("prior_term", 0.579, "prior term is missing"),
        ("same_witness_thrice", 0.774, "what it should say"),
        ("same_witness_thrice", 0.98844, "at least one of three"),
        ("first_of_two", 0.76, "the ratio of the means"),
        ("joined_leaves", [0.667, 0.5, 0.5, 0.5], "The first is right. Add up"),
        ("joined_leaves", [0.667, 10 / 22, 10 / 22, 10 / 22], "correct the segment once"),
        ("joined_leaves", [0.667, 0.3, 0.3, 0.3], "Number 1 is right"),
        ("unlabelled_case", 0.15, "For each labelled positive"),
        ("equal_and_few", "fidel", "measured AUCs"),
    ],
)
def test_hints_fit_the_mistake(name, answer, words):
    feedback = check(name, answer)
    assert not feedback.correct
    assert re.search(words, feedback.message)
    assert str(feedback) == f"Not yet. {feedback.message}"


class Mischief:
    """Refuses every question."""

    def __array__(self, *_, **__):
        raise RuntimeError("no")

    def __float__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


NONSENSE = [
    None,
    ...,
    "...",
    "",
    "0.79",
    b"x",
    True,
    np.array([True, False]),
    float("nan"),
    float("inf"),
    [np.nan, 1],
    [None, 1],
    1j,
    np.complex128(1),
    [],
    (),
    {},
    {"a": 1},
    {1, 2},
    object(),
    Mischief(),
    [Mischief()],
    print,
    10**400,
    [[1, 2], [3]],
    [["a", "b"]],
    np.zeros((2, 2, 2)),
    np.zeros((3, 3)),
    np.zeros((0, 2)),
    np.datetime64("2007-01-01"),
    pd.DataFrame({"a": ["x"]}),
    range(7),
    -1,
    10**9,
]


@by_name
def test_nonsense_gets_a_friendly_hint(exercise):
    for answer in NONSENSE:
        if exercise.name == "alone" and answer is True:
            continue  # it says yes there
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            feedback = check(exercise.name, answer)
        assert not feedback.correct, type(answer)
        assert feedback.message.endswith((".", "?")), type(answer)
        assert "Traceback" not in str(feedback), type(answer)


@by_name
def test_the_cell_as_it_came_asks_for_an_answer(exercise):
    for untouched in (None, ...):
        assert "where the dots are" in check(exercise.name, untouched).message


@by_name
def test_text_and_numbers_are_told_apart(exercise):
    if isinstance(exercise, Choice):
        assert "in quotation marks" in check(exercise.name, 0.5).message
    else:
        assert "without quotation marks" in check(exercise.name, "0.5").message


# ---------------------------------------------------------------------- nothing is given away


def numbers_in(text):
    """Every number, fraction and percentage written in a text."""
    for written in re.findall(r"\d+(?:\.\d+)?(?:\s*/\s*\d+)?\s*%?", text):
        value = float(Fraction(written.rstrip("% ").replace(" ", "")))
        yield value / 100 if written.endswith("%") else value


def told(exercise):
    """All that somebody with a wrong answer may be told, and what is said of the right one."""
    answers = [*NONSENSE, 0.33, 0.123, [0.4, 0.6], [(5, 5), (5, 5)], *range(2, 100, 9)]
    texts = {exercise.mark(answer).message for answer in answers}
    texts |= set(exercise.mistakes())
    return texts | {exercise.hint, exercise.why}


def test_numbers_are_found():
    assert list(numbers_in("from 0.62 or 43/240, at 5% of 9")) == [0.62, 43 / 240, 0.05, 9]


@by_name
def test_no_text_holds_the_answer(exercise):
    texts = {*told(exercise), exercise.question}
    if isinstance(exercise, Choice):
        texts -= {text for text in texts if f"one of '{exercise.choices[0]}'" in text}
        texts -= {exercise.question}
        for text in texts:
            assert not re.search(rf"\b{exercise.solve()}\b", text, re.IGNORECASE)
        return
    expected = np.ravel(exercise.solve())
    for text in texts:
        for number in numbers_in(re.sub(r"A[12]( = [01])?|0 and 1|prefer 0", "", text)):
            assert np.abs(expected - number).min() > 0.005, text
            assert np.abs(100 * expected - number).min() > 0.5, text


@by_name
def test_what_is_told_can_be_read_aloud(exercise):
    for text in (*told(exercise), exercise.question):
        assert text[0].isupper() or text.startswith(("brier_", "cancer_ranking."))
        assert text[-1] in ".?"
        assert "  " not in text
        assert len(text) < 280


# ---------------------------------------------------------------------- feedback and registry


def test_feedback_shows_the_same_text_everywhere():
    feedback = Feedback(False, "a < b & c")
    assert repr(feedback) == str(feedback) == "Not yet. a < b & c"
    html = feedback._repr_html_()
    assert "a &lt; b &amp; c" in html
    assert "Not yet." in html
    assert 'role="status"' in html
    assert "Right." in Feedback(True, "x")._repr_html_()
    with pytest.raises(FrozenInstanceError):
        feedback.correct = True


def test_the_registry():
    assert len(names(1)) >= 6
    assert len(names(2)) >= 4
    assert len(names(3)) >= 4
    assert names() == [name for chapter in CHAPTERS for name in names(chapter)]
    assert len(set(names())) == len(names())
    for name in names():
        assert question(name) == _BY_NAME[name].question
        assert hint(name) == _BY_NAME[name].hint


@pytest.mark.parametrize("ask", [question, hint, lambda name: check(name, 0.5)])
def test_an_unknown_name_lists_those_there_are(ask):
    with pytest.raises(
        ValueError, match=r"no exercise 'tree_acu'.*Did you mean 'tree_auc'"
    ) as error:
        ask("tree_acu")
    assert all(name in str(error.value) for name in names())
    with pytest.raises(ValueError, match="There is no exercise 3"):
        ask(3)
    with pytest.raises(ValueError, match="There is no exercise"):
        ask(["tree_auc"])


def test_an_unknown_chapter():
    with pytest.raises(ValueError, match=r"chapter must be one of 1, 2, 3.*; got 99"):
        names(99)


def test_where_there_is_no_place_to_answer_nobody_is_asked_to(monkeypatch):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.13")
    assert "rocviz lab" in Feedback(False, "Put it where the dots are.")._repr_html_()
    assert "dots" not in Feedback(False, "Put it where the dots are.")._repr_html_()
    assert "Right." in Feedback(True, "x")._repr_html_()
