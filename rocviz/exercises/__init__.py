"""Answer checkers for the notebooks: a wrong answer gets a hint, not the solution."""

from rocviz.exercises._base import Feedback
from rocviz.exercises._registry import check, hint, names, question

__all__ = ["Feedback", "check", "hint", "names", "question"]
