"""Build the course as a JupyterLite site, where Python runs in the reader's browser: ``make lite``.

The site holds the notebooks, a wheel of rocviz and JupyterLab's own files. Python itself (Pyodide,
with NumPy, SciPy, pandas, scikit-learn and matplotlib) comes from cdn.jsdelivr.net when a page is
opened, and ipywidgets, bqplot, anywidget and small packages from pypi.org. Needs the ``lite``
extra.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "dist" / "lite"

#: Packages that the first cell of a chapter installs in the browser; the wheel is on the site.
INSTALL_LINE = (
    "%pip install -q ipywidgets bqplot anywidget tqdm lazy-loader markdown-it-py tomli-w rocviz"
)


def prepared(text: str) -> str:
    """Prepend a cell that installs rocviz to a notebook."""
    book = json.loads(text)
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"tags": ["install"]},
        "outputs": [],
        "source": f"# Python runs in this page: the first time it takes a minute.\n{INSTALL_LINE}",
    }
    if book.get("nbformat_minor", 0) >= 5:
        cell["id"] = "install"
    book["cells"].insert(1, cell)  # below the title
    book["metadata"]["kernelspec"] = {
        "display_name": "Python (Pyodide)",
        "language": "python",
        "name": "python",
    }
    return json.dumps(book, indent=1, ensure_ascii=False)


def build(out: Path, wheel: Path) -> None:
    """Build the site, replacing an earlier one."""
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        contents = Path(folder, "contents")
        contents.mkdir()
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            text = prepared(path.read_text("utf-8"))
            (contents / path.name).write_text(text, "utf-8")
        command = [sys.executable, "-m", "jupyter", "lite", "build", f"--lite-dir={folder}"]
        command += [f"--contents={contents}", f"--piplite-wheels={wheel}", f"--output-dir={out}"]
        subprocess.run(command, check=True, cwd=folder)


def faults(out: Path, wheel: str) -> list[str]:
    """List the faults of a built site."""
    names = [f"files/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")]
    names += ["lab/index.html", "api/contents/all.json", "jupyter-lite.json"]
    complaints = [f"no {name}" for name in names if not (out / name).is_file()]
    if not list(out.rglob(wheel)):
        complaints.append(f"no {wheel}")
    settings = "".join(path.read_text("utf-8") for path in out.glob("jupyter-lite.json"))
    for extension in ("bqplot", "anywidget", "@jupyter-widgets/jupyterlab-manager"):
        if f'"{extension}"' not in settings:
            complaints.append(f"{extension} is not among its extensions")
    for path in out.glob("files/*.ipynb"):
        if INSTALL_LINE not in path.read_text("utf-8"):
            complaints.append(f"{path.name} does not install rocviz")
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path, help="of rocviz, as make dist builds it")
    parser.add_argument("--out", type=Path, default=OUT, help="default: %(default)s")
    options = parser.parse_args()
    build(options.out.resolve(), options.wheel.resolve())
    lacking = faults(options.out, options.wheel.name)
    for fault in lacking:
        print(fault, file=sys.stderr)
    size = sum(path.stat().st_size for path in options.out.rglob("*") if path.is_file())
    print(f"{options.out}: {size / 1e6:.0f} MB. Any web server can show it, for example")
    print(f"  python -m http.server --directory {options.out}")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
