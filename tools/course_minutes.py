"""Estimate how long a chapter of the course takes a student in the second year.

What is counted: words of prose (folds that most readers leave closed, sources and appendices are
not), lines of code, questions to predict (each one, where several are asked at once; one that an
exercise asks again counts once), exercises, explorers, and the processor time of the cells. How
long each of them takes is assumed, and said below; no student was timed. Sections that the chapter
says may be left out (``MAY_WAIT``) are counted apart.

Without an argument the table is printed, with ``--sections`` that of all sections. ``--measure``
runs the notebooks given, or all of them,
one after the other, and writes the seconds of each cell that takes longer than ``LONG``, and of the
other cells together, to ``docs/measured/course_seconds.csv``. Processor time, so that it does not
matter what else the machine does; it is that of one thread.
"""

import csv
import math
import os
import re
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import nbformat

from rocviz.exercises._base import Choice
from rocviz.exercises._registry import EXERCISES

ROOT = Path(__file__).resolve().parents[1]
COURSE = ROOT / "notebooks"
SECONDS = ROOT / "docs" / "measured" / "course_seconds.csv"
#: Half of the 238 words a minute with which adults read non-fiction (Brysbaert, 2019): every
#: sentence of a lesson wants a thought.
WORDS_PER_MINUTE = 119
LINES_OF_CODE_PER_MINUTE = 20  # to understand the result of a cell; its code need not be read
MINUTES_PER_QUESTION = 1  # so does an exercise with answers to choose from
MINUTES_PER_EXERCISE = 3  # to compute
MINUTES_PER_EXPLORER = 2
#: How the first line below a heading says that its section may be left out.
MAY_WAIT_MARK = "*This section may be left out"
OTHER_CELLS = "other cells"
MIN_LONG_SECONDS = 2.0  # seconds after which a cell needs a progress bar

_APPENDED = re.compile(r"^## (Sources|Appendix|For those).*", re.MULTILINE | re.DOTALL)
_FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
_CLOSED = re.compile(r"<details><summary>(?!What you can see).*?</details>", re.DOTALL)
_UNREAD = re.compile(r"```.*?```|<[^>]*>|\]\([^)]*\)|[|#*`$\[\]]|^---.*$", re.DOTALL | re.MULTILINE)
_CHECKED = re.compile(r'^check\("(\w+)"', re.MULTILINE)
_WORD = re.compile(r"\w[\w'’.-]*")


def read_part(book):
    """Find the cells that come before sources and appendices."""
    cells = []
    for cell in book.cells:
        appended = _APPENDED.search(cell.source) if cell.cell_type == "markdown" else None
        if appended:
            source = cell.source[: appended.start()]
            cells.append({"cell_type": "markdown", "source": source})
            break
        cells.append(cell)
    return cells


def sections(cells):
    """Split cells at headings of the second level."""
    parts = [[]]
    for cell in cells:
        if cell["cell_type"] == "markdown" and cell["source"].startswith("## "):
            parts.append([])
        parts[-1].append(cell)
    return parts


def may_wait(part):
    """Whether a section is optional."""
    return bool(part) and MAY_WAIT_MARK in part[0]["source"]


def predictions(source):
    """Count the predictions that a text cell asks for."""
    open_ = _FOLD.sub("", source)
    return sum(max(1, part.count("?")) for part in open_.split("**Predict")[1:])


def is_read(line):
    """Whether a line of code is one to read: neither empty nor an import."""
    return bool(line.strip()) and not line.startswith(("import ", "from "))


def count(cells):
    """Count the tasks in some cells."""
    prose = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    prose = _CLOSED.sub("", prose)
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    exercises = [source for source in code if source.startswith("answer = ...")]
    names = [_CHECKED.search(source)[1] for source in exercises]
    chosen = sum(isinstance(EXERCISES[name], Choice) for name in names)
    questions = 0
    for cell, after in pairwise([*cells, {"source": ""}]):
        if cell["cell_type"] == "markdown":
            n_predictions = predictions(cell["source"])
            if n_predictions and after["source"] in exercises:
                n_predictions -= 1  # the exercise asks for it
            questions += n_predictions
    lines = 0
    for source in code:
        if source not in exercises:
            lines += sum(map(is_read, source.splitlines()))
    return {
        "words": len(_WORD.findall(_UNREAD.sub(" ", prose))),
        "lines": lines,
        "questions": questions + chosen,
        "exercises": len(exercises) - chosen,
        "explorers": sum("Explorer(" in source or "Explorer.from" in source for source in code),
    }


def seconds():
    """Read {chapter: {first line of a cell, or OTHERS: seconds}}."""
    measured = {}
    with SECONDS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            measured.setdefault(row["chapter"], {})[row["cell"]] = float(row["seconds"])
    return measured


def how_long(cells):
    """Estimate the minutes that a student needs for some cells, without their running time."""
    here = count(cells)
    return (
        here["words"] / WORDS_PER_MINUTE
        + here["lines"] / LINES_OF_CODE_PER_MINUTE
        + here["questions"] * MINUTES_PER_QUESTION
        + here["exercises"] * MINUTES_PER_EXERCISE
        + here["explorers"] * MINUTES_PER_EXPLORER
    )


def minutes(name, book):
    """Estimate the minutes of a chapter and of its optional sections, rounded up to five."""
    parts = sections(read_part(book))
    wait = sum(how_long(part) for part in parts if may_wait(part))
    read = sum(how_long(part) for part in parts if not may_wait(part))
    return tuple(5 * math.ceil(m / 5) for m in (read + sum(seconds()[name].values()) / 60, wait))


def measure(path):
    """Yield (first line of a cell, seconds) of the long cells, then of the others together."""
    from nbclient import NotebookClient

    book = nbformat.read(path, as_version=4)
    book.cells = [cell for cell in book.cells if cell.cell_type == "code"]
    first_lines = [cell.source.partition("\n")[0] for cell in book.cells]
    for cell in book.cells:
        cell.source += "\n__import__('time').process_time()"
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(book, timeout=600, kernel_name="python3", resources=resources).execute()
    until = [0.0]
    for cell in book.cells:
        for output in cell.outputs:
            if output.output_type == "execute_result":
                until.append(float(output.data["text/plain"]))
    took = [after - before for before, after in pairwise(until)]
    rest = 0.0
    for line, time in zip(first_lines, took, strict=True):
        if time > MIN_LONG_SECONDS and not line.startswith(("import ", "from ")):
            yield line, time
        else:
            rest += time
    yield OTHER_CELLS, rest


def main(arguments):
    """Print the table, or measure."""
    if "--measure" in arguments:
        os.environ |= {
            "TQDM_DELAY": "1000000000",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        paths = [Path(name) for name in arguments if not name.startswith("-")]
        measured = seconds() if SECONDS.exists() else {}
        for path in paths or sorted(COURSE.glob("*.ipynb")):
            measured[path.stem] = {line: round(time, 1) for line, time in measure(path)}
            print(path.stem, measured[path.stem], flush=True)
        with SECONDS.open("w", encoding="utf-8", newline="") as file:
            write = csv.writer(file, lineterminator="\n").writerow
            write(["chapter", "cell", "seconds"])
            for name in sorted(measured):
                for line, time in measured[name].items():
                    write([name, line, time])
        return
    for path in sorted(COURSE.glob("*.ipynb")):
        book = nbformat.read(path, as_version=4)
        read, wait = minutes(path.stem, book)
        print(f"{path.stem:32} {read:3} minutes, {wait:2} may wait: {count(read_part(book))}")
        if "--sections" in arguments:
            for part in sections(read_part(book))[1:]:
                heading = part[0]["source"].partition("\n")[0]
                note = "(may wait) " if may_wait(part) else ""
                print(f"    {how_long(part):5.1f} {note}{heading}")


if __name__ == "__main__":
    main(sys.argv[1:])
