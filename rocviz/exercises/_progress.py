"""Remembers which exercises were solved, in a small file beside the notebooks.

A folder that cannot be written or a file that cannot be read never stops the work: the
exercise is marked as always, and the reason is said once.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from IPython import get_ipython

from rocviz.core.base.validation import describe
from rocviz.exercises._course import CHAPTERS, EXAMPLES
from rocviz.files import write_file
from rocviz.theme import COLOURS

FILE_NAME = "rocviz-progress.json"
#: Names another file; if it is empty, nothing is kept. Outside Jupyter nothing is kept without it.
VARIABLE = "ROCVIZ_PROGRESS"
_LOST = "Your progress is lost when you close this notebook:"
#: What Binder sets in its sessions.
_BINDER = ("BINDER_LAUNCH_HOST", "BINDER_REPO_URL")


@dataclass(frozen=True)
class ChapterProgress:
    """Progress in a chapter.

    Parameters
    ----------
    chapter : int
        Number of the notebook.
    solved, open : tuple of str
        Names of exercises, in the order of the chapter. The one that the course solves as an
        example is in neither.
    """

    chapter: int
    solved: tuple[str, ...]
    open: tuple[str, ...]

    def __str__(self) -> str:
        total = len(self.solved) + len(self.open)
        return f"Chapter {self.chapter}: {len(self.solved)} of {total} exercises solved."


@dataclass(frozen=True)
class Progress:
    """Progress in the course. Shows itself in a notebook.

    Parameters
    ----------
    chapters : tuple of ChapterProgress
        In the order of the course.
    note : str
        Why the file cannot be used, if it cannot.
    """

    chapters: tuple[ChapterProgress, ...]
    note: str = ""

    @property
    def solved(self) -> tuple[str, ...]:
        """Names of the exercises that are solved, in the order of the course."""
        return tuple(name for each in self.chapters for name in each.solved)

    @property
    def open(self) -> tuple[str, ...]:
        """Names of the exercises that are not, in the order of the course."""
        return tuple(name for each in self.chapters for name in each.open)

    def _lines(self) -> list[str]:
        return [
            f"{each} Still open: {', '.join(each.open)}."
            if each.solved and each.open
            else f"{each}"
            for each in self.chapters
        ]

    def __repr__(self) -> str:
        return "\n".join([*self._lines(), *filter(None, [self.note])])

    def _repr_html_(self) -> str:
        done, grey = COLOURS["hull"][0], COLOURS["reference"][0]
        shown = [
            f'<div><span aria-hidden="true"><span style="color: {done}">'
            f'{"&#9632;" * len(each.solved)}</span><span style="color: {grey}">'
            f"{'&#9633;' * len(each.open)}</span></span> {escape(line)}</div>"
            for each, line in zip(self.chapters, self._lines(), strict=True)
        ]
        return "".join(shown) + (f"<p>{escape(self.note)}</p>" if self.note else "")


#: What was solved in this session, and which faults of the file were told.
_solved: set[str] = set()
_notes_shown: set[str] = set()


def progress() -> Progress:
    """List the exercises solved here and in earlier sessions.

    Jupyter and IPython keep them in ``rocviz-progress.json`` beside the notebook, or in the file
    that the environment variable ``ROCVIZ_PROGRESS`` names. Elsewhere nothing is kept without it.

    Returns
    -------
    Progress
        Its ``solved`` and ``open`` are names of exercises.

    Examples
    --------
    >>> [each.chapter for each in progress().chapters][:3]
    [1, 2, 3]
    """
    path = _path()
    kept, note = (set(), "") if path is None else _load(path)
    here = _tally(kept | _solved)
    keep = f'Keep this line for next time: import_progress("{" ".join(here.solved)}")'
    return replace(here, note=" ".join([*filter(None, [note]), *_closing_words(here.solved, keep)]))


def export_progress() -> str:
    """Write the names of all solved exercises as one line of text, to keep elsewhere.

    Returns
    -------
    str
        Give it to :func:`import_progress` in another session or on another computer.

    Examples
    --------
    >>> line = export_progress()
    >>> import_progress(line).solved == tuple(line.split())
    True
    """
    return " ".join(progress().solved)


def import_progress(line: str) -> Progress:
    """Add the exercises that were solved elsewhere to those solved here.

    Parameters
    ----------
    line : str
        What :func:`export_progress` returned there.

    Returns
    -------
    Progress
        Both together.

    Raises
    ------
    ValueError
        If ``line`` is no such line; then nothing is added.
    """
    every = _tally(set()).open
    names = line.split() if isinstance(line, str) else [line]
    strangers = [name for name in names if not isinstance(name, str) or name not in every]
    if strangers:
        raise ValueError(
            "line must be a result of export_progress(), names of exercises separated by spaces; "
            f"there is no exercise {describe(strangers[0])}."
        )
    note = _keep(set(names))
    return _tally(set(progress().solved), note)


def record(name: str) -> str:
    """Remember that an exercise was solved and return what to say of its chapter."""
    if name in EXAMPLES or _path() is None:
        return ""
    note = _keep({name})
    (here,) = (each for each in progress().chapters if name in each.solved)
    sentences = [str(here)]
    if note and note not in _notes_shown:
        _notes_shown.add(note)
        sentences.append(note)
    keep = "Keep the line that export_progress() returns."
    return " ".join(sentences + _closing_words((name,), keep))


def _closing_words(solved: tuple[str, ...], keep: str) -> list[str]:
    """Advise how to keep the answers of a session on Binder, if there are any."""
    if not solved or not any(os.environ.get(name) for name in _BINDER):
        return []
    return [
        "This Binder server stops after a few minutes without activity, or when you close the "
        f"window, and forgets everything. {keep}"
    ]


def _keep(names: set[str]) -> str:
    """Add names to those kept; return why the file cannot be used, if it cannot."""
    path = _path()
    if path is None:
        return ""
    _solved.update(names)
    kept, note = _load(path)
    if not note and not _solved <= kept:
        try:
            solved = sorted(kept | _solved)
            write_file(path, json.dumps({"solved": solved}, indent=1))
        except OSError:
            note = f"{_LOST} {path.name} cannot be written."
    return note


def _load(path: Path) -> tuple[set[str], str]:
    """Read the names in a file of any version, or say why it cannot be read."""
    try:
        solved = json.loads(path.read_text(encoding="utf-8"))["solved"]
        if not all(isinstance(name, str) for name in solved):
            raise TypeError
        return set(solved), ""
    except FileNotFoundError:
        return set(), ""
    except (OSError, ValueError, TypeError, KeyError):
        return set(), f"{_LOST} {path.name} cannot be read and was left as it is."


def _tally(solved: set[str], note: str = "") -> Progress:
    return Progress(
        tuple(
            ChapterProgress(
                number,
                tuple(name for name in open_ if name in solved),
                tuple(name for name in open_ if name not in solved),
            )
            for number, part in CHAPTERS.items()
            for open_ in [[each.name for each in part if each.name not in EXAMPLES]]
        ),
        note,
    )


def _path() -> Path | None:
    given = os.environ.get(VARIABLE)
    if given is not None:
        return Path(given) if given.strip() else None
    return Path(FILE_NAME) if get_ipython() is not None else None
