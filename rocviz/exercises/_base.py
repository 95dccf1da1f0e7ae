"""What every exercise is: a question, an answer computed from data, hints for likely mistakes.

Knows nothing of any one exercise, nor where the answers come from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from rocviz.theme import COLOURS

# A right answer may be off by this much: three decimals, rounded.
TOLERANCE = 5e-4
_NEARLY = 5.5e-3

#: A wrong answer somebody is likely to give (how to compute it), and what to tell them.
Mistake = tuple[Callable[[], Any], str]


@dataclass(frozen=True)
class Feedback:
    """What an answer is told.

    Parameters
    ----------
    correct : bool
        Whether the answer is right.
    message : str
        Why it is right in a sentence, or a hint. Never the solution.
    """

    correct: bool
    message: str

    def __str__(self) -> str:
        return f"{'Right.' if self.correct else 'Not yet.'} {self.message}"

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        grey = COLOURS["reference"][0]
        line = "solid currentColor" if self.correct else f"dashed {grey}"
        verdict = "&#10003; Right." if self.correct else "Not yet."
        return (
            f'<div role="status" style="border-left: 4px {line}; padding: .3em 1em; '
            f'margin: .5em 0; max-width: 46em"><b>{verdict}</b> {escape(self.message)}</div>'
        )


class Unreadable(Exception):
    """The answer is not of the kind asked for; the text says what is."""


@dataclass(frozen=True)
class Exercise:
    """A question with one number for an answer.

    Parameters
    ----------
    name : str
        What one types to be checked.
    question : str
        In full.
    solve : callable
        Computes the answer from data.
    hint : str
        A first step, for whoever asks and for wrong answers of no known kind.
    why : str
        What there is to learn from the right answer.
    mistakes : tuple of (callable, str)
        Likely wrong answers and a hint for each.
    """

    name: str
    question: str
    solve: Callable[[], Any]
    hint: str
    why: str
    mistakes: tuple[Mistake, ...] = ()

    @property
    def wanted(self) -> str:
        """What kind of answer is asked for, to be read after "Give"."""
        return "one number"

    def mark(self, answer: Any) -> Feedback:
        """Return the feedback to an answer."""
        try:
            given = self.read(answer)
        except Unreadable as error:
            return Feedback(False, str(error))
        if self.same(given, self.solve()):
            return Feedback(True, self.why)
        for mistake, message in self.mistakes:
            if self.same(given, mistake()):
                return Feedback(False, message)
        return Feedback(False, self.remark(given, self.solve()) or self.hint)

    def read(self, answer: Any) -> Any:
        """Return the answer in the form to compare; raise Unreadable if it has none."""
        numbers = self._numbers(answer)
        if numbers.size != 1:
            raise Unreadable(f"Give {self.wanted}; this is {numbers.size} numbers.")
        return float(numbers.reshape(()))

    def _numbers(self, answer: Any) -> Any:
        """Return a finite float array of whatever shape came."""
        if answer is None or answer is Ellipsis:
            raise Unreadable("Put your answer where the dots are, then run the cell again.")
        if isinstance(answer, str):
            raise Unreadable(f"Give {self.wanted}, without quotation marks.")
        try:
            given = np.asarray(answer)
            if given.dtype.kind in "bcSUmM":
                raise Unreadable(f"Give {self.wanted}; this is something else.")
            numbers = np.asarray(answer, dtype=np.float64)
        except Unreadable:
            raise
        except Exception:
            # whatever a student's object does when asked for numbers, it is not an answer
            raise Unreadable(f"Give {self.wanted}; this is something else.") from None
        if not np.isfinite(numbers).all():
            raise Unreadable(f"Give {self.wanted}; there is a NaN or an infinity in this.")
        return numbers

    def same(self, given: Any, expected: Any) -> bool:
        """Whether two answers are the same but for rounding."""
        given, expected = np.asarray(given), np.asarray(expected)
        return given.shape == expected.shape and bool(
            np.allclose(given, expected, rtol=0, atol=TOLERANCE)
        )

    def remark(self, given: Any, expected: Any) -> str | None:
        """Return a hint that fits any number between 0 and 1."""
        given, expected = np.asarray(given), np.asarray(expected)
        if np.allclose(given / 100, expected, rtol=0, atol=_NEARLY):
            return "That looks like per cent. Give a fraction between 0 and 1."
        if given.max() > 1 or given.min() < 0:
            return "The answer lies between 0 and 1; yours does not."
        if np.allclose(given, expected, rtol=0, atol=_NEARLY):
            return "Very close: give at least three decimals, or do not round at all."
        return None


@dataclass(frozen=True)
class Quantity(Exercise):
    """A question with one number for an answer that need not lie between 0 and 1."""

    tolerance: float = TOLERANCE

    def same(self, given: Any, expected: Any) -> bool:
        """Whether two answers are the same but for rounding."""
        return bool(abs(given - expected) <= self.tolerance)

    def remark(self, given: Any, expected: Any) -> str | None:
        """Return a hint that fits any number."""
        if self.same(-given, expected):
            return "The size is right, the sign is not."
        if abs(given - expected) <= 11 * self.tolerance:
            return "Very close: give more digits, or do not round at all."
        return None


@dataclass(frozen=True)
class Vector(Exercise):
    """A question with a few numbers in a fixed order for an answer."""

    parts: str = ""

    @property
    def wanted(self) -> str:
        """Name the parts."""
        return self.parts

    def read(self, answer: Any) -> Any:
        """Return a vector."""
        numbers = np.squeeze(self._numbers(answer))
        if numbers.ndim != 1:
            raise Unreadable(f"Give {self.wanted}.")
        return numbers

    def remark(self, given: Any, expected: Any) -> str | None:
        """Say how many numbers are wanted if that is what is wrong."""
        if given.shape != np.shape(expected):
            return f"Give {self.wanted}."
        return super().remark(given, expected)


@dataclass(frozen=True)
class Choice(Exercise):
    """A question with given answers to choose from."""

    choices: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """List the choices."""
        quoted = [repr(choice) for choice in self.choices]
        return f"one of {', '.join(quoted[:-1])} or {quoted[-1]}"

    def read(self, answer: Any) -> str:
        """Return one of the choices."""
        if answer is None or answer is Ellipsis:
            raise Unreadable(f"Put your answer where the dots are: {self.wanted}.")
        if isinstance(answer, str):
            for choice in self.choices:
                if answer.strip().lower() == choice.lower():
                    return choice
        raise Unreadable(f"Give {self.wanted}, in quotation marks.")

    def same(self, given: Any, expected: Any) -> bool:
        """Whether it is the same choice."""
        return bool(given == expected)

    def remark(self, given: Any, expected: Any) -> None:
        """Have nothing to add to the hint."""
