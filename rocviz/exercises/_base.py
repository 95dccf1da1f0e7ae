"""Exercises: a question, an answer computed from data, and hints for likely mistakes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from rocviz.theme import COLOURS

# A right answer may be off by this much: three decimals, rounded.
ANSWER_TOLERANCE = 5e-4
_PER_CENT_TOLERANCE = 5.5e-3
_CLOSE_MESSAGE = "Very close: give at least three decimals, or do not round at all."

#: The answer of an exercise, and likely wrong ones by the names that their hints have.
Solution = tuple[Any, Mapping[str, Any]]


@dataclass(frozen=True)
class Feedback:
    """The feedback to an answer.

    Parameters
    ----------
    correct : bool
        Whether the answer is right.
    message : str
        Why it is right in a sentence, or a hint. Never the solution.
    tally : str
        Number of solved exercises of the chapter, if it is kept.
    """

    correct: bool
    message: str
    tally: str = ""

    def __str__(self) -> str:
        verdict = "Right." if self.correct else "Not yet."
        sentences = [verdict, self.message]
        if self.tally:
            sentences.append(self.tally)
        return " ".join(sentences)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # a page of Voila hides code, so there is no place to answer
        if not self.correct and os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            return (
                "<p><small>An exercise: <code>rocviz lab</code> opens the chapter with a place "
                "to answer it.</small></p>"
            )
        if self.correct:
            border = "solid currentColor"
            verdict = "&#10003; Right."
        else:
            border = f"dashed {COLOURS['reference'][0]}"
            verdict = "Not yet."
        text = f"<b>{verdict}</b> {escape(self.message)}"
        if self.tally:
            text += f"<br><small>{escape(self.tally)}</small>"
        return (
            f'<div role="status" style="border-left: 4px {border}; padding: .3em 1em; '
            f'margin: .5em 0; max-width: 46em">{text}</div>'
        )


def _is_rounded(answer: Any, expected: Any) -> bool:
    """Whether an answer is another one, rounded to the two or more digits it is given with."""
    if isinstance(answer, str):
        return False
    numbers = np.atleast_1d(answer)
    expected_numbers = np.atleast_1d(expected)
    if numbers.shape != expected_numbers.shape:
        return False
    pairs = zip(numbers.ravel().tolist(), expected_numbers.ravel().tolist(), strict=True)
    return all(abs(a - b) <= _rounding_tolerance(a) for a, b in pairs)


def _rounding_tolerance(number: float) -> float:
    """Find how far a number is at most from one that it was rounded from."""
    number = float(number)
    decimals = 0
    while decimals < 17 and round(number, decimals) != number:
        decimals += 1
    has_two_digits = round(abs(number), decimals) * 10.0**decimals > 9.5
    return 0.5000001 / 10.0**decimals if has_two_digits else ANSWER_TOLERANCE


def _distance(answer: Any, expected: Any) -> float:
    """Measure the distance of two answers; words are never near each other."""
    if isinstance(answer, str):
        return 0.0
    return float(np.abs(np.subtract(answer, expected)).max())


class Unreadable(Exception):
    """The answer is not of the kind asked for; the text says what is."""


@dataclass(frozen=True)
class Exercise:
    """A question with one number for an answer.

    Parameters
    ----------
    name : str
        Name by which the answer is checked.
    question : str
        In full.
    hint : str
        A first step, for readers who ask and for wrong answers of no known kind.
    why : str
        Lesson of the right answer.
    compute : callable
        Computes the answer from data, and likely wrong answers by name.
    mistakes : mapping
        The hint for each of these.
    """

    name: str
    question: str
    hint: str
    why: str
    compute: Callable[[], Any]
    mistakes: Mapping[str, str] = field(default_factory=dict)

    @property
    def answer_form(self) -> str:
        """The kind of answer that is asked for, to be read after "Give"."""
        return "one number"

    def mark(self, answer: Any) -> Feedback:
        """Mark an answer and give the feedback."""
        try:
            answer = self.read(answer)
        except Unreadable as error:
            return Feedback(False, str(error))
        right, wrong = self.solution
        if self.same(answer, right):
            return Feedback(True, self.why)
        mistake = self._nearest_mistake(answer, wrong, self.same)
        if mistake is None and _is_rounded(answer, right):
            return Feedback(False, _CLOSE_MESSAGE)
        if mistake is None:
            mistake = self._nearest_mistake(answer, wrong, _is_rounded)
        if mistake is not None:
            return Feedback(False, self.mistakes[mistake])
        return Feedback(False, self.remark(answer, right) or self.hint)

    @staticmethod
    def _nearest_mistake(
        answer: Any, wrong: Mapping[str, Any], same: Callable[[Any, Any], bool]
    ) -> str | None:
        """Name the mistake that leads to an answer; of several, the nearest."""
        names = [name for name in wrong if same(answer, wrong[name])]
        return min(names, key=lambda name: _distance(answer, wrong[name]), default=None)

    @cached_property
    def solution(self) -> Solution:
        """The answer, and likely wrong answers by name."""
        answer: Solution = self.compute()
        return answer

    def read(self, answer: Any) -> Any:
        """Convert the answer to the form that is compared; raise Unreadable if that fails."""
        numbers = self._numbers(answer)
        if numbers.size != 1:
            raise Unreadable(f"Give {self.answer_form}; your answer has {numbers.size} numbers.")
        return float(numbers.reshape(()))

    def _numbers(self, answer: Any) -> Any:
        """Convert an answer of any shape to a finite float array."""
        if answer is None or answer is Ellipsis:
            raise Unreadable("Put your answer where the dots are, then run the cell again.")
        if isinstance(answer, str):
            raise Unreadable(f"Give {self.answer_form}, without quotation marks.")
        try:
            array = np.asarray(answer)
            if array.dtype.kind in "bcSUmM":
                raise Unreadable(f"Give {self.answer_form}; your answer is something else.")
            numbers = np.asarray(answer, dtype=np.float64)
        except Unreadable:
            raise
        except Exception:
            # whatever a student's object does when asked for numbers, it is not an answer
            raise Unreadable(f"Give {self.answer_form}; your answer is something else.") from None
        if not np.isfinite(numbers).all():
            raise Unreadable(f"Give {self.answer_form}; your answer contains a NaN or an infinity.")
        return numbers

    def same(self, answer: Any, expected: Any) -> bool:
        """Whether two answers are the same but for rounding."""
        if np.shape(answer) != np.shape(expected):
            return False
        return bool(np.allclose(answer, expected, rtol=0, atol=ANSWER_TOLERANCE))

    def remark(self, answer: Any, expected: Any) -> str | None:
        """Give a hint that fits any number between 0 and 1."""
        numbers = np.asarray(answer)
        if np.allclose(numbers / 100, expected, rtol=0, atol=_PER_CENT_TOLERANCE):
            return "That looks like a percentage. Give a fraction between 0 and 1."
        if numbers.max() > 1 or numbers.min() < 0:
            return "The answer lies between 0 and 1; yours does not."
        return None


@dataclass(frozen=True)
class Quantity(Exercise):
    """A question with one number for an answer that need not lie between 0 and 1."""

    tolerance: float = ANSWER_TOLERANCE

    def same(self, answer: Any, expected: Any) -> bool:
        """Whether two answers are the same but for rounding."""
        return bool(abs(answer - expected) <= self.tolerance)

    def remark(self, answer: Any, expected: Any) -> str | None:
        """Give a hint that fits any number."""
        if self.same(-answer, expected):
            return "The size is right, the sign is not."
        return None


@dataclass(frozen=True)
class Vector(Exercise):
    """A question with a few numbers in a fixed order for an answer."""

    parts: str = ""

    @property
    def answer_form(self) -> str:
        """Name the parts."""
        return self.parts

    def read(self, answer: Any) -> Any:
        """Read the answer as a vector."""
        numbers = np.squeeze(self._numbers(answer))
        if numbers.ndim != 1:
            raise Unreadable(f"Give {self.answer_form}.")
        return numbers

    def remark(self, answer: Any, expected: Any) -> str | None:
        """Ask for the right number of numbers, or name those that are right."""
        if answer.shape != np.shape(expected):
            return f"Give {self.answer_form}."
        right = [str(i + 1) for i in range(answer.size) if self.same(answer[i], expected[i])]
        if len(right) == 1:
            return f"Number {right[0]} is right, counted from the left. {self.hint}"
        if right:
            return f"Numbers {', '.join(right)} are right, counted from the left. {self.hint}"
        return super().remark(answer, expected)


#: What readers may give in place of a word.
_SYNONYMS = {"True": "yes", "False": "no", "1": "first", "2": "second", "3": "third"}


def _plainly(text: Any) -> str:
    """Normalise a text: case, hyphens and spaces do not count."""
    if not isinstance(text, str):
        return ""
    return " ".join(text.lower().replace("-", " ").split())


@dataclass(frozen=True)
class Choice(Exercise):
    """A question with given answers to choose from."""

    choices: Sequence[str] = ()

    @cached_property
    def solution(self) -> Solution:
        """The answer, and the other choices."""
        return self.compute(), {choice: choice for choice in self.mistakes}

    @property
    def answer_form(self) -> str:
        """List the choices."""
        quoted = [repr(choice) for choice in self.choices]
        return f"one of {', '.join(quoted[:-1])} or {quoted[-1]}"

    def read(self, answer: Any) -> str:
        """Read the answer as one of the choices."""
        if answer is None or answer is Ellipsis:
            raise Unreadable(f"Put your answer where the dots are: {self.answer_form}.")
        if isinstance(answer, int):
            answer = _SYNONYMS.get(repr(answer), answer)
        plain = _plainly(answer)
        matches = [choice for choice in self.choices if _plainly(choice) == plain]
        if not matches and len(plain) > 2:
            matches = [choice for choice in self.choices if plain in _plainly(choice)]
        if len(matches) == 1:
            return matches[0]
        raise Unreadable(f"Give {self.answer_form}, in quotation marks.")

    def same(self, answer: Any, expected: Any) -> bool:
        """Whether it is the same choice."""
        return bool(answer == expected)

    def remark(self, answer: Any, expected: Any) -> None:
        """Add nothing to the hint."""
