"""The exercises of each chapter, in the order of the course.

Answers are computed by the core from the data sets when an exercise is checked; none is typed here.
"""

from importlib import import_module

from rocviz.exercises._base import Exercise

#: By the number of the notebook.
CHAPTERS: dict[int, tuple[Exercise, ...]] = {
    number: import_module(f"rocviz.exercises._chapter{number:02}").EXERCISES
    for number in range(1, 12)
}

#: Solved in their notebooks as a model, so they do not count as progress.
EXAMPLES = frozenset({"operating_point"})
