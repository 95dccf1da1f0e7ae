"""Run the course from top to bottom and save the outputs, for ``make notebooks``.

Everything that depends on machine or time is left out of the files: widget state (the saved
pictures take its place), times, the version of Python.

Below a question JupyterLab hides the saved output until the cell is run (``outputs_hidden`` in the
cell's metadata), except for its first line. So a line that does not reveal the answer comes first.
"""

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

COURSE = Path(__file__).resolve().parents[1] / "notebooks"
# nbval_sanitize.cfg and docs/conf.py take this line away again.
HIDDEN_CELL_TEXT = "Predict first, then run this cell.\n"


def cover(cell: nbformat.NotebookNode) -> None:
    """Insert a first line before the output of an answer, because JupyterLab shows it."""
    output = cell.outputs[0]
    shown = output.get("data", output)
    for kind in {"text", "text/plain", "text/html"} & set(shown):
        if not shown[kind].startswith(HIDDEN_CELL_TEXT):
            shown[kind] = HIDDEN_CELL_TEXT + shown[kind]


def run(path: Path) -> None:
    """Run a notebook in its own empty folder, and write it back."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            notebook,
            timeout=120,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            store_widget_state=False,
            resources={"metadata": {"path": folder}},
        ).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    for cell in notebook.cells:
        if cell.metadata.get("jupyter", {}).get("outputs_hidden") and cell.outputs:
            cover(cell)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    # finished bars do not belong in saved notebooks; tqdm.notebook ignores TQDM_DISABLE
    os.environ["TQDM_DELAY"] = "1000000000"
    for name in sys.argv[1:] or sorted(COURSE.glob("*.ipynb")):
        print(f"running {Path(name).name}")
        run(Path(name))
