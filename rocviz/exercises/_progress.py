"""Remembers which exercises were solved, in a small file beside the notebooks.

A folder that cannot be written or a file that cannot be read never stops the work: the
exercise is marked as always, and the reason is given once.
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
FILE_VARIABLE = "ROCVIZ_PROGRESS"
_LOST_NOTE = "Your progress is lost when you close this notebook:"
#: What Binder sets in its sessions.
_BINDER_VARIABLES = ("BINDER_LAUNCH_HOST", "BINDER_REPO_URL")


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
        n_exercises = len(self.solved) + len(self.open)
        return f"Chapter {self.chapter}: {len(self.solved)} of {n_exercises} exercises solved."


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
        names: list[str] = []
        for chapter in self.chapters:
            names += chapter.solved
        return tuple(names)

    @property
    def open(self) -> tuple[str, ...]:
        """Names of the exercises that are not, in the order of the course."""
        names: list[str] = []
        for chapter in self.chapters:
            names += chapter.open
        return tuple(names)

    def __repr__(self) -> str:
        lines = [_chapter_line(chapter) for chapter in self.chapters]
        if self.note:
            lines.append(self.note)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        solved_colour = COLOURS["hull"][0]
        open_colour = COLOURS["reference"][0]
        parts = []
        for chapter in self.chapters:
            solved = "&#9632;" * len(chapter.solved)
            still_open = "&#9633;" * len(chapter.open)
            parts.append(
                f'<div><span aria-hidden="true"><span style="color: {solved_colour}">{solved}'
                f'</span><span style="color: {open_colour}">{still_open}</span></span> '
                f"{escape(_chapter_line(chapter))}</div>"
            )
        if self.note:
            parts.append(f"<p>{escape(self.note)}</p>")
        return "".join(parts)


def _chapter_line(chapter: ChapterProgress) -> str:
    """Write the progress in a chapter, with the open exercises if some are solved."""
    if chapter.solved and chapter.open:
        return f"{chapter} Still open: {', '.join(chapter.open)}."
    return str(chapter)


#: What was solved in this session, and which notes on the file were shown.
_solved: set[str] = set()
_notes_shown: set[str] = set()


def forget_session() -> None:
    """Forget what was solved in this session, as a new kernel does; the file stays as it is."""
    _solved.clear()
    _notes_shown.clear()


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
    >>> [part.chapter for part in progress().chapters][:3]
    [1, 2, 3]
    """
    saved, note = _load(_path())
    current = _tally(saved | _solved)
    keep = f'Keep this line for next time: import_progress("{" ".join(current.solved)}")'
    sentences = [note, _binder_note(current.solved, keep)]
    return replace(current, note=" ".join(sentence for sentence in sentences if sentence))


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
    known = _tally(set()).open
    names = line.split() if isinstance(line, str) else [line]
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise ValueError(
                "line must be a result of export_progress(), names of exercises separated by "
                f"spaces; there is no exercise {describe(name)}."
            )
    note = _keep(set(names))
    return _tally(set(progress().solved), note)


def record(name: str) -> str:
    """Remember that an exercise was solved, and describe the progress in its chapter."""
    if name in EXAMPLES or _path() is None:
        return ""
    note = _keep({name})
    sentences = [str(chapter) for chapter in progress().chapters if name in chapter.solved]
    if note and note not in _notes_shown:
        _notes_shown.add(note)
        sentences.append(note)
    binder_note = _binder_note((name,), "Keep the line that export_progress() returns.")
    if binder_note:
        sentences.append(binder_note)
    return " ".join(sentences)


def _binder_note(solved: tuple[str, ...], keep: str) -> str:
    """Advise how to keep the answers of a session on Binder, if there are any."""
    if not solved or not any(os.environ.get(name) for name in _BINDER_VARIABLES):
        return ""
    return (
        "This Binder server stops after a few minutes without activity, or when you close the "
        f"window, and forgets everything. {keep}"
    )


def _keep(names: set[str]) -> str:
    """Add names to those saved; return why the file cannot be used, if it cannot."""
    path = _path()
    if path is None:
        return ""
    _solved.update(names)
    saved, note = _load(path)
    if not note and not _solved <= saved:
        try:
            solved = sorted(saved | _solved)
            write_file(path, json.dumps({"solved": solved}, indent=1))
        except OSError:
            note = f"{_LOST_NOTE} {path.name} cannot be written."
    return note


def _load(path: Path | None) -> tuple[set[str], str]:
    """Read the names in a file of any version, with a note if it cannot be read."""
    if path is None:
        return set(), ""
    try:
        solved = json.loads(path.read_text(encoding="utf-8"))["solved"]
        if not all(isinstance(name, str) for name in solved):
            raise TypeError
        return set(solved), ""
    except FileNotFoundError:
        return set(), ""
    except (OSError, ValueError, TypeError, KeyError):
        return set(), f"{_LOST_NOTE} {path.name} cannot be read and was left as it is."


def _tally(solved: set[str], note: str = "") -> Progress:
    """Divide the exercises of each chapter into those that are solved and the others."""
    chapters = []
    for number, exercises in CHAPTERS.items():
        names = [exercise.name for exercise in exercises if exercise.name not in EXAMPLES]
        chapters.append(
            ChapterProgress(
                chapter=number,
                solved=tuple(name for name in names if name in solved),
                open=tuple(name for name in names if name not in solved),
            )
        )
    return Progress(tuple(chapters), note)


def _path() -> Path | None:
    """Find the file of the progress; ``None`` if nothing is kept."""
    file_name = os.environ.get(FILE_VARIABLE)
    if file_name is None and get_ipython() is not None:
        file_name = FILE_NAME
    if file_name is None or not file_name.strip():
        return None
    return Path(file_name)
