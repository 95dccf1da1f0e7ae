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
TOLERANCE = 5e-4
_PER_CENT = 5.5e-3
_CLOSE = "Very close: give at least three decimals, or do not round at all."

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
        verdict = f"{'Right.' if self.correct else 'Not yet.'} {self.message}"
        return f"{verdict} {self.tally}" if self.tally else verdict

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # a page of Voila hides code, so there is no place to answer
        if not self.correct and os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            return (
                "<p><small>An exercise: <code>rocviz lab</code> opens the chapter with a place "
                "to answer it.</small></p>"
            )
        grey = COLOURS["reference"][0]
        line = "solid currentColor" if self.correct else f"dashed {grey}"
        verdict = "&#10003; Right." if self.correct else "Not yet."
        return (
            f'<div role="status" style="border-left: 4px {line}; padding: .3em 1em; '
            f'margin: .5em 0; max-width: 46em"><b>{verdict}</b> {escape(self.message)}'
            + (f"<br><small>{escape(self.tally)}</small></div>" if self.tally else "</div>")
        )


def _rounded(given: Any, expected: Any) -> bool:
    """Whether an answer is another one, rounded to the two or more digits it is given with."""
    if isinstance(given, str):
        return False
    given, expected = np.atleast_1d(given), np.atleast_1d(expected)
    if given.shape != expected.shape:
        return False
    for a, b in zip(given.ravel(), expected.ravel(), strict=True):
        decimals = next((d for d in range(17) if round(float(a), d) == a), 17)
        two_digits = round(abs(float(a)), decimals) * 10.0**decimals > 9.5
        if abs(a - b) > (0.5000001 / 10.0**decimals if two_digits else TOLERANCE):
            return False
    return True


def _apart(given: Any, expected: Any) -> float:
    """Measure the distance of two answers; words are never near each other."""
    return 0.0 if isinstance(given, str) else float(np.abs(np.subtract(given, expected)).max())


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
    def wanted(self) -> str:
        """The kind of answer that is asked for, to be read after "Give"."""
        return "one number"

    def mark(self, given: Any) -> Feedback:
        """Mark an answer and give the feedback."""
        try:
            given = self.read(given)
        except Unreadable as error:
            return Feedback(False, str(error))
        answer, wrong = self.solution
        if self.same(given, answer):
            return Feedback(True, self.why)
        for same in (self.same, _rounded):
            if same is _rounded and _rounded(given, answer):
                return Feedback(False, _CLOSE)
            likely = [name for name in wrong if same(given, wrong[name])]
            if likely:
                nearest = min(likely, key=lambda name: _apart(given, wrong[name]))
                return Feedback(False, self.mistakes[nearest])
        return Feedback(False, self.remark(given, answer) or self.hint)

    @cached_property
    def solution(self) -> Solution:
        """The answer, and likely wrong answers by name."""
        answer: Solution = self.compute()
        return answer

    def read(self, answer: Any) -> Any:
        """Convert the answer to the form that is compared; raise Unreadable if that fails."""
        numbers = self._numbers(answer)
        if numbers.size != 1:
            raise Unreadable(f"Give {self.wanted}; your answer has {numbers.size} numbers.")
        return float(numbers.reshape(()))

    def _numbers(self, answer: Any) -> Any:
        """Convert an answer of any shape to a finite float array."""
        if answer is None or answer is Ellipsis:
            raise Unreadable("Put your answer where the dots are, then run the cell again.")
        if isinstance(answer, str):
            raise Unreadable(f"Give {self.wanted}, without quotation marks.")
        try:
            given = np.asarray(answer)
            if given.dtype.kind in "bcSUmM":
                raise Unreadable(f"Give {self.wanted}; your answer is something else.")
            numbers = np.asarray(answer, dtype=np.float64)
        except Unreadable:
            raise
        except Exception:
            # whatever a student's object does when asked for numbers, it is not an answer
            raise Unreadable(f"Give {self.wanted}; your answer is something else.") from None
        if not np.isfinite(numbers).all():
            raise Unreadable(f"Give {self.wanted}; your answer contains a NaN or an infinity.")
        return numbers

    def same(self, given: Any, expected: Any) -> bool:
        """Whether two answers are the same but for rounding."""
        given, expected = np.asarray(given), np.asarray(expected)
        return given.shape == expected.shape and bool(
            np.allclose(given, expected, rtol=0, atol=TOLERANCE)
        )

    def remark(self, given: Any, expected: Any) -> str | None:
        """Give a hint that fits any number between 0 and 1."""
        given, expected = np.asarray(given), np.asarray(expected)
        if np.allclose(given / 100, expected, rtol=0, atol=_PER_CENT):
            return "That looks like a percentage. Give a fraction between 0 and 1."
        if given.max() > 1 or given.min() < 0:
            return "The answer lies between 0 and 1; yours does not."
        return None


@dataclass(frozen=True)
class Quantity(Exercise):
    """A question with one number for an answer that need not lie between 0 and 1."""

    tolerance: float = TOLERANCE

    def same(self, given: Any, expected: Any) -> bool:
        """Whether two answers are the same but for rounding."""
        return bool(abs(given - expected) <= self.tolerance)

    def remark(self, given: Any, expected: Any) -> str | None:
        """Give a hint that fits any number."""
        return "The size is right, the sign is not." if self.same(-given, expected) else None


@dataclass(frozen=True)
class Vector(Exercise):
    """A question with a few numbers in a fixed order for an answer."""

    parts: str = ""

    @property
    def wanted(self) -> str:
        """Name the parts."""
        return self.parts

    def read(self, answer: Any) -> Any:
        """Read the answer as a vector."""
        numbers = np.squeeze(self._numbers(answer))
        if numbers.ndim != 1:
            raise Unreadable(f"Give {self.wanted}.")
        return numbers

    def remark(self, given: Any, expected: Any) -> str | None:
        """Ask for the right number of numbers, or name those that are right."""
        if given.shape != np.shape(expected):
            return f"Give {self.wanted}."
        right = [str(i + 1) for i in range(given.size) if self.same(given[i], expected[i])]
        if right:
            some = f"Number {right[0]} is" if len(right) == 1 else f"Numbers {', '.join(right)} are"
            return f"{some} right, counted from the left. {self.hint}"
        return super().remark(given, expected)


#: What readers may give in place of a word.
_SYNONYMS = {"True": "yes", "False": "no", "1": "first", "2": "second", "3": "third"}


def _plainly(text: Any) -> str:
    """Normalise a text: case, hyphens and spaces do not count."""
    return " ".join(text.lower().replace("-", " ").split()) if isinstance(text, str) else ""


@dataclass(frozen=True)
class Choice(Exercise):
    """A question with given answers to choose from."""

    choices: Sequence[str] = ()

    @cached_property
    def solution(self) -> Solution:
        """The answer, and the other choices."""
        return self.compute(), {choice: choice for choice in self.mistakes}

    @property
    def wanted(self) -> str:
        """List the choices."""
        quoted = [repr(choice) for choice in self.choices]
        return f"one of {', '.join(quoted[:-1])} or {quoted[-1]}"

    def read(self, answer: Any) -> str:
        """Read the answer as one of the choices."""
        if answer is None or answer is Ellipsis:
            raise Unreadable(f"Put your answer where the dots are: {self.wanted}.")
        plain = _plainly(_SYNONYMS.get(repr(answer), answer) if isinstance(answer, int) else answer)
        meant = [choice for choice in self.choices if _plainly(choice) == plain]
        if not meant and len(plain) > 2:
            meant = [choice for choice in self.choices if plain in _plainly(choice)]
        if len(meant) == 1:
            return meant[0]
        raise Unreadable(f"Give {self.wanted}, in quotation marks.")

    def same(self, given: Any, expected: Any) -> bool:
        """Whether it is the same choice."""
        return bool(given == expected)

    def remark(self, given: Any, expected: Any) -> None:
        """Add nothing to the hint."""
