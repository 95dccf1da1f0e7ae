"""The stories that ship with rocviz, each a file of steps in this folder."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path

from rocviz.core.base.validation import check_choice
from rocviz.widgets.base.stories.story import Story

#: The names of the stories: the course's start, then one for each explorer, and on referral.
NAMES = (
    "start",
    "roc",
    "referral",
    "fermi_dirac",
    "ensembles",
    "scoring_lists",
    "decisions",
    "lexicographic",
    "ranking_loss",
    "groups",
    "classes",
)


def open_story(name: str) -> Story:
    """Open a story that ships with rocviz.

    Parameters
    ----------
    name : {"start", "roc", "referral", "fermi_dirac", "ensembles", "scoring_lists", \
"decisions", "lexicographic", "ranking_loss", "groups", "classes"}
        ``"start"`` is about a threshold and the ROC curve; each of the others shows an explorer.

    Returns
    -------
    Story

    Raises
    ------
    ValueError
        If there is no story of that name.

    Examples
    --------
    >>> story = open_story("ranking_loss")
    >>> story.show(4)
    >>> story.text
    'Now any increasing step function is allowed. The error falls from 0.0283 to 0.0037.'
    >>> story.close()
    """
    check_choice(name, "name", NAMES)
    path = Path(__file__).with_name(f"{name}.toml")
    story = tomllib.loads(path.read_text(encoding="utf-8"))
    explorer = getattr(import_module("rocviz"), story["explorer"])
    first = next(step["panels"] for step in story["step"] if step.get("panels"))
    return Story(explorer(panels=first), path)
