import re
import warnings
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import HTMLFormatter

from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises import Feedback, check, hint, names, question
from rocviz.exercises._base import Choice, Quantity
from rocviz.exercises._registry import CHAPTERS, EXERCISES

by_name = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))


def test_an_interval_of_an_auc_counts_as_its_lower_end():
    scores = load_breast_cancer_scores()
    y = scores.y_true
    prob = scores.y_prob
    right = auc_interval(y, prob, method="logit-delong", confidence=0.9)
    assert check("cancer_lower_end", right).correct
    other = auc_interval(y, prob, method="hanley-mcneil", confidence=0.9)
    assert "Hanley" in check("cancer_lower_end", other).message


def test_a_quantity_need_not_lie_between_0_and_1():
    exercise = Quantity("a", "A?", "Think.", "So it is.", lambda: (-30.0, {}), tolerance=0.1)
    assert exercise.mark(-30.09).correct
    assert exercise.mark(30).message.startswith("The size is right")
    assert exercise.mark(-31).message == "Think."
    assert exercise.mark(-32).message == "Think."


@by_name
def test_the_computed_answer_is_right(exercise):
    assert exercise.mark(exercise.solution[0]) == Feedback(True, exercise.why)


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
    exercise = Quantity(
        "a", "A?", "Think.", "So it is.", lambda: (12.3456, {"half": 0.626}), {"half": "Half."}
    )
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
def test_choices_may_be_given_in_other_words(name, answer):
    assert check(name, answer).correct


def test_ambiguous_words_are_not_accepted():
    assert "in quotation marks" in check("stretched", "probabilities").message
    assert "in quotation marks" in check("alone", 1).message


# ---------------------------------------------------------------------- wrong answers


@by_name
def test_every_known_mistake_gets_its_own_hint(exercise):
    _, mistakes = exercise.solution
    assert mistakes.keys() == exercise.mistakes.keys() != set()
    for name, wrong in mistakes.items():
        assert exercise.mark(wrong) == Feedback(False, exercise.mistakes[name])


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
def test_an_unchanged_cell_asks_for_an_answer(exercise):
    for untouched in (None, ...):
        assert "where the dots are" in check(exercise.name, untouched).message


@by_name
def test_text_and_numbers_are_distinguished(exercise):
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


@cache
def remarks(name):
    """Collect the remarks on wrong answers to an exercise, and on the right one."""
    exercise = EXERCISES[name]
    answers = [*NONSENSE, 0.33, 0.123, [0.4, 0.6], [(5, 5), (5, 5)], *range(2, 100, 9)]
    texts = {exercise.mark(answer).message for answer in answers}
    texts |= set(exercise.mistakes.values())
    return texts | {exercise.hint, exercise.why}


def test_numbers_in_texts_are_found():
    assert list(numbers_in("from 0.62 or 43/240, at 5% of 9")) == [0.62, 43 / 240, 0.05, 9]


@by_name
def test_no_text_contains_the_answer(exercise):
    texts = {*remarks(exercise.name), exercise.question}
    if isinstance(exercise, Choice):
        texts -= {text for text in texts if f"one of '{exercise.choices[0]}'" in text}
        texts -= {exercise.question}
        for text in texts:
            assert not re.search(rf"\b{exercise.solution[0]}\b", text, re.IGNORECASE)
        return
    expected = np.ravel(exercise.solution[0])
    for text in texts:
        for number in numbers_in(re.sub(r"A[12]( = [01])?|0 and 1|prefer 0", "", text)):
            assert np.abs(expected - number).min() > 0.005, text
            assert np.abs(100 * expected - number).min() > 0.5, text


@by_name
def test_feedback_can_be_read_aloud(exercise):
    for text in (*remarks(exercise.name), exercise.question):
        assert text[0].isupper() or text.startswith(("brier_", "cancer_ranking."))
        assert text[-1] in ".?"
        assert "  " not in text
        assert len(text) < 280


# ---------------------------------------------------------------------- feedback and registry


def html_of(feedback):
    """Write feedback as notebooks show it."""
    return HTMLFormatter()(feedback)


def test_feedback_shows_the_same_text_everywhere():
    feedback = Feedback(False, "a < b & c")
    assert repr(feedback) == str(feedback) == "Not yet. a < b & c"
    html = html_of(feedback)
    assert "a &lt; b &amp; c" in html
    assert "Not yet." in html
    assert 'role="status"' in html
    assert "Right." in html_of(Feedback(True, "x"))
    with pytest.raises(FrozenInstanceError):
        feedback.correct = True


def test_the_registry():
    assert len(names(1)) >= 6
    assert len(names(2)) >= 4
    assert len(names(3)) >= 4
    assert names() == [name for chapter in CHAPTERS for name in names(chapter)]
    assert len(set(names())) == len(names())
    for name in names():
        assert question(name) == EXERCISES[name].question
        assert hint(name) == EXERCISES[name].hint


@pytest.mark.parametrize("ask", [question, hint, lambda name: check(name, 0.5)])
def test_an_unknown_name_lists_the_known_ones(ask):
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


def test_exercises_outside_notebooks_ask_for_no_answer(monkeypatch):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.13")
    wrong = html_of(Feedback(False, "Put it where the dots are."))
    assert "rocviz lab" in wrong
    assert "dots" not in wrong
    assert "Right." in html_of(Feedback(True, "x"))
