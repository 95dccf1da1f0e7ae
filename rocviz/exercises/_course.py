"""The exercises of each chapter, in the order of the course.

Answers are computed by the core from the data sets when an exercise is checked; none is typed here.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from rocviz.exercises._base import Exercise

#: By the number of the notebook.
CHAPTERS: dict[int, tuple[Exercise, ...]] = {
    int(module.name.removeprefix("_chapter")): import_module(
        f"rocviz.exercises.{module.name}"
    ).EXERCISES
    for module in iter_modules([str(Path(__file__).parent)])
    if module.name.startswith("_chapter")
}

#: Solved in their notebooks as a model, so they do not count as progress.
EXAMPLES = frozenset({"operating_point"})
