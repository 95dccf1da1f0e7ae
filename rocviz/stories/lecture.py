"""The lecture of ninety minutes: parts of the stories, steps of its own, and a plan."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocviz.widgets.base.stories.steps import Step, read_steps
from rocviz.widgets.base.stories.story import Story

if TYPE_CHECKING:
    from rocviz.widgets.base.explorer import Explorer

FOLDER = Path(__file__).parent
PLAN_FILE = FOLDER / "lecture.toml"


def open_lecture() -> Story:
    """Open the lecture of ninety minutes.

    It is a story in seven parts: three of the shipped stories, pairs that are counted on the
    board, a pause, costs of over-confidence, and questions of the exam. Its bar has a clock; a part
    can be skipped, and the lecture shortened, by a click.

    Returns
    -------
    Story

    Examples
    --------
    >>> from rocviz.stories import open_lecture
    >>> lecture = open_lecture()
    >>> sum(step.minutes for step in lecture.steps)
    90
    >>> [step.part for step in lecture.steps if step.part][:2]
    ['A threshold and the ROC curve', 'A hundred pairs on the board']
    >>> lecture.close()
    """
    plan = tomllib.loads(PLAN_FILE.read_text(encoding="utf-8"))
    own = _own_steps()
    explorers = _explorers()
    steps: list[Step] = []
    for part in plan["part"]:
        steps_of_part = own.get(part["title"], [])
        if "story" in part:
            steps_of_part = [*_steps_of_story(part, explorers), *steps_of_part]
        first = replace(steps_of_part[0], part=part["title"], minutes=part["minutes"])
        steps += [first, *steps_of_part[1:]]
    return Story(explorers, steps)


def planned_minutes() -> float:
    """Compute how long the lecture is planned to last, in minutes."""
    plan = tomllib.loads(PLAN_FILE.read_text(encoding="utf-8"))
    return float(sum(part["minutes"] for part in plan["part"]))


def _own_steps() -> dict[str, list[Step]]:
    """Read the lecture's own steps, by the title of the part that they belong to."""
    by_part: dict[str, list[Step]] = {}
    for step in read_steps(PLAN_FILE):
        if step.part:
            steps = by_part[step.part] = []
        steps.append(replace(step, part=""))
    return by_part


def _steps_of_story(part: dict[str, Any], explorers: dict[str, Explorer]) -> list[Step]:
    """Read the steps of a story that a part shows, and open the story's explorer."""
    name = part["story"]
    path = FOLDER / f"{name}.toml"
    steps = read_steps(path)
    if name not in explorers:
        kind = tomllib.loads(path.read_text(encoding="utf-8"))["explorer"]
        panels = next(step.panels for step in steps if step.panels)
        explorers[name] = getattr(import_module("rocviz"), kind)(panels=panels)
    titles = [step.title for step in steps]
    first = titles.index(part.get("first", titles[0]))
    last = titles.index(part.get("last", titles[-1]))
    return [
        replace(step, explorer=name, is_optional=step.title in part.get("optional", ()))
        for step in steps[first : last + 1]
    ]


def _explorers() -> dict[str, Explorer]:
    """Open the explorers of the lecture's own steps."""
    rocviz = import_module("rocviz")
    X, y = rocviz.datasets.load_flach_matsubara(return_X_y=True)
    a1, a2 = X.T
    cell = 2 * a1 + a2
    plain: dict[str, Any] = {"show_band": False, "show_hull": False, "show_best": False}
    people: dict[str, Any] = {"labels": {1: "ill", 0: "healthy"}, **plain}
    tumours = rocviz.datasets.load_breast_cancer_scores()
    return {
        # the leaves of a tree, whose scores are their shares of positives
        "people": rocviz.ROCExplorer(y, _shares(y, cell), panels=["scores"], **people),
        # A2 = 0 comes first, then A1 = 1
        "dictionary": rocviz.ROCExplorer(
            y, (2 * (1 - a2) + a1 + 0.5) / 4, panels=["roc"], **people
        ),
        "tumours": rocviz.ROCExplorer(
            tumours.y_true,
            tumours.y_prob,
            labels={1: "malignant", 0: "benign"},
            panels=["roc", "scores"],
            cost_fn=10.0,
            threshold=1 / 11,
            show_band=False,
            show_hull=False,
        ),
    }


def _shares(y: Any, cell: Any) -> list[float]:
    """Compute the share of positives of each sample's cell."""
    share = {one: float(y[cell == one].mean()) for one in set(cell.tolist())}
    return [share[one] for one in cell.tolist()]
