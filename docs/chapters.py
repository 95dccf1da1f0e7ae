"""Run a chapter as a reader would, and write a live page for each explorer.

``python docs/chapters.py CHAPTER.ipynb FOLDER`` writes ``FOLDER/CHAPTER-CELL.html`` for every cell
that ends in an explorer, and prints their names. A chapter runs in a process of its own, so that
nothing it does stays.
"""

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

#: Recorded controls of an explorer by its class and its first picture, or by its class alone.
CONTROLS = {
    "ROCExplorer": {"threshold": 31},
    "ROCExplorer reliability": {"calibration": ...},
    "FermiDiracExplorer": {"temperature": 31},
    "EnsembleExplorer": {"members": 32},
    "EnsembleExplorer item": {"item": 21},
    "EnsembleExplorer crowd": {"correlation": 11},
    "ScoringListExplorer": {"answers": 63},
    "DecisionExplorer": {"k": 41},
    "LexicographicExplorer": {"order": 16, "preferred": 4, "leaves": 9},
    "RankingLossExplorer": {"a": 9, "wipe": 15},
    "GroupsExplorer": {"criterion": ..., "predicted_positive_rates": 21},
    "MulticlassExplorer": {"point": 31},
}


def controls_of(explorer):
    """Choose the recorded controls of an explorer: those of its chapter that can be moved."""
    kind = type(explorer).__name__
    wanted = CONTROLS.get(f"{kind} {explorer.focus}", CONTROLS[kind])
    controls = explorer.controls()
    # own data have no controls of the sandbox
    if any(name in controls and not controls[name].is_shown(explorer) for name in wanted):
        return CONTROLS[kind]
    return wanted


def explorers(path):
    """Yield (number of the cell, explorer) for every cell of a notebook that ends in one."""
    from IPython.core.inputtransformer2 import TransformerManager

    cells = json.loads(Path(path).read_text("utf-8"))["cells"]
    shows = [
        number
        for number, cell in enumerate(cells)
        for output in cell.get("outputs", ())
        if "application/vnd.jupyter.widget-view+json" in output.get("data", {})
    ]
    names = {"__name__": "__main__", "display": lambda *_shown, **_how: None}
    for number, cell in enumerate(cells[: max(shows, default=-1) + 1]):
        if cell["cell_type"] != "code":
            continue
        body = ast.parse(TransformerManager().transform_cell("".join(cell["source"]))).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        shown = None
        # exercises without an answer may end in an error, here as in a notebook
        with contextlib.suppress(Exception):
            exec(compile(ast.Module(body, []), path, "exec"), names)
            if last is not None:
                shown = eval(compile(ast.Expression(last.value), path, "eval"), names)
        if number in shows and hasattr(shown, "record"):
            yield number, shown


def main():
    """Record a chapter; the names of the pages are printed."""
    path, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    made = []
    quiet = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
    with tempfile.TemporaryDirectory() as place, quiet[0], quiet[1]:
        os.chdir(place)
        for number, explorer in explorers(str(path)):
            name = f"{path.stem}-{number}"
            recording = explorer.record(progress=iter, **controls_of(explorer))
            recording.to_html(folder / f"{name}.html", scripts="scripts")
            made.append(name)
        os.chdir(folder)
    print("\n".join(made))


if __name__ == "__main__":
    main()
