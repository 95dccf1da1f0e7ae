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


def _read(path: Path) -> tuple[Exercise, ...]:
    module = import_module(f"rocviz.exercises._{path.stem}")
    texts = tomllib.loads(path.read_text(encoding="utf-8"))
    kinds = vars(_base) | vars(module)
    return tuple(
        kinds[text.pop("kind")](name=name, compute=getattr(module, name), **text)
        for name, text in texts.items()
    )


#: By the number of the notebook.
CHAPTERS = {
    int(path.stem.removeprefix("chapter")): _read(path)
    for path in sorted(Path(__file__).parent.glob("chapter*.toml"))
}

#: Solved in their notebooks as a model, so they do not count as progress.
EXAMPLES = frozenset({"operating_point"})
