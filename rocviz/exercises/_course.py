"""The exercises of each chapter, in the order of the course.

The file ``chapter01.toml`` has the texts of the first chapter's exercises. For each of them the
module ``_chapter01`` has a function of the same name, which computes the answer from data, and
likely wrong ones.
"""

import tomllib
from importlib import import_module
from pathlib import Path

from rocviz.exercises import _base
from rocviz.exercises._base import Exercise


def _read_chapter(path: Path) -> tuple[Exercise, ...]:
    """Read the texts of a chapter's exercises, and join them with the functions."""
    module = import_module(f"rocviz.exercises._{path.stem}")
    kinds = vars(_base) | vars(module)
    exercises = []
    for name, texts in tomllib.loads(path.read_text(encoding="utf-8")).items():
        kind = kinds[texts.pop("kind")]
        exercises.append(kind(name=name, compute=getattr(module, name), **texts))
    return tuple(exercises)


def _read_course() -> dict[int, tuple[Exercise, ...]]:
    chapters = {}
    for path in sorted(Path(__file__).parent.glob("chapter*.toml")):
        number = int(path.stem.removeprefix("chapter"))
        chapters[number] = _read_chapter(path)
    return chapters


#: By the number of the notebook.
CHAPTERS = _read_course()

#: Solved in their notebooks as a model, so they do not count as progress.
EXAMPLES = frozenset({"operating_point"})
