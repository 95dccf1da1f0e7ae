"""Answer checkers for the notebooks: a wrong answer gets a hint, not the solution."""

from rocviz.exercises._base import Feedback
from rocviz.exercises._moodle import export_moodle
from rocviz.exercises._progress import Progress, export_progress, import_progress, progress
from rocviz.exercises._registry import check, hint, names, question

__all__ = [
    "Feedback",
    "Progress",
    "check",
    "export_moodle",
    "export_progress",
    "hint",
    "import_progress",
    "names",
    "progress",
    "question",
]
