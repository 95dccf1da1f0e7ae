"""Find exercises by name, and have their answers marked."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from numbers import Integral
from typing import Any

from rocviz.core.base.validation import describe
from rocviz.exercises._base import Exercise, Feedback
from rocviz.exercises._course import CHAPTERS
from rocviz.exercises._progress import record


def _exercises_by_name() -> dict[str, Exercise]:
    by_name: dict[str, Exercise] = {}
    for exercises in CHAPTERS.values():
        by_name |= {exercise.name: exercise for exercise in exercises}
    return by_name


#: By name, in the order of the course.
EXERCISES = _exercises_by_name()


def names(chapter: int | None = None) -> list[str]:
    """List the names of all exercises, in the order of the course.

    Parameters
    ----------
    chapter : int, optional
        Number of a notebook, to have only the exercises of that one.

    Raises
    ------
    ValueError
        If there is no such chapter.

    Examples
    --------
    >>> names(1)[:2]
    ['operating_point', 'tree_auc']
    """
    if chapter is None:
        return list(EXERCISES)
    if not isinstance(chapter, Integral) or chapter not in CHAPTERS:
        known = ", ".join(map(str, CHAPTERS))
        raise ValueError(f"chapter must be one of {known}; got {describe(chapter)}.")
    return [exercise.name for exercise in CHAPTERS[chapter]]


def question(name: str) -> str:
    """Describe the answer that an exercise asks for.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Raises
    ------
    ValueError
        If there is no such exercise; the sentence lists those there are.
    """
    return _find(name).question


def hint(name: str) -> str:
    """Give a first step towards the answer.

    Takes and raises what :func:`question` does.
    """
    return _find(name).hint


def check(name: str, answer: Any) -> Feedback:
    """Check an answer.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    answer : object
        Answer to the question. An answer of another kind is no error: the feedback says
        what it should be.

    Returns
    -------
    Feedback
        Shows itself in a notebook; its ``correct`` is a bool. A wrong answer gets a hint for
        the likely mistake, never the solution. A right one is remembered by
        :func:`~rocviz.exercises.progress`.

    Raises
    ------
    ValueError
        If there is no such exercise; the sentence lists those there are.

    Examples
    --------
    >>> check("tree_auc", 0.5).correct
    False
    >>> check("tree_auc", "half")
    Not yet. Give one number, without quotation marks.
    """
    feedback = _find(name).mark(answer)
    if not feedback.correct:
        return feedback
    return replace(feedback, tally=record(name))


def _find(name: str) -> Exercise:
    if isinstance(name, str) and name in EXERCISES:
        return EXERCISES[name]
    sentences = [f"There is no exercise {describe(name)}."]
    if isinstance(name, str):
        similar_names = get_close_matches(name, EXERCISES, n=1)
        sentences += [f"Did you mean {similar!r}?" for similar in similar_names]
    sentences.append(f"There are: {', '.join(EXERCISES)}.")
    raise ValueError(" ".join(sentences))
