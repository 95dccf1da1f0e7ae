"""Take the pictures of the README and the docs: ``make pictures``.

Explorers are shown in JupyterLab in Chromium, one after the other, and saved in light and in dark
under ``docs/_static``. Displays are drawn by the code that stands beside them in the docs. Names
of explorers, displays or files choose some of them. Needs the ``test`` extra.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Of the page, the file browser closed: what an explorer gets on a small laptop.
WINDOW_SIZE = {"width": 1280, "height": 800}

#: File names of pictures of explorers, and the code that makes each.
EXPLORERS = {
    "roc-explorer": """
from rocviz import ROCExplorer, datasets
scores = datasets.load_breast_cancer_scores()
ex = ROCExplorer(scores.y_true, scores.y_prob, threshold=0.42, cost_fn=5.0,
                 deployment_prevalence=0.1)
""",
    "fermi-dirac-explorer": """
from rocviz import FermiDiracExplorer
ex = FermiDiracExplorer()
""",
    "ensemble-explorer": """
from rocviz import EnsembleExplorer
ex = EnsembleExplorer()
""",
    "scoring-list-explorer": """
from rocviz import ScoringListExplorer
ex = ScoringListExplorer(answers=(1, 0, 1))
""",
    "decision-explorer": """
from rocviz import DecisionExplorer
ex = DecisionExplorer(k=4)
""",
    "lexicographic-explorer": """
from rocviz import LexicographicExplorer
ex = LexicographicExplorer()
""",
    "ranking-loss-explorer": """
from rocviz import RankingLossExplorer
ex = RankingLossExplorer()
""",
    "groups-explorer": """
from rocviz import GroupsExplorer
ex = GroupsExplorer()
""",
    "multiclass-explorer": """
from rocviz import MulticlassExplorer
ex = MulticlassExplorer()
""",
}

#: File names of pictures of displays, the page whose code draws each, and the class.
DISPLAYS = {
    "auc-intervals": ("auc_intervals.md", "AUCIntervalDisplay"),
    "calibration-maps": ("scoring_lists.md", "CalibrationMapDisplay"),
    "curve-spaces": ("curve_spaces.md", "CurveSpaceDisplay"),
    "decisions": ("decisions.md", "DecisionDisplay"),
    "fermi-dirac-surface": ("fermi_dirac.md", "FermiDiracSurfaceDisplay"),
    "fermi-dirac-experiment": ("fermi_dirac.md", "FermiDiracExperimentDisplay"),
    "lexicographic": ("lexicographic.md", "LexicographicDisplay"),
    "scoring-list-stage": ("scoring_lists.md", "StageDisplay"),
    "scoring-list-card": ("scoring_lists.md", "ScoreCardDisplay"),
}

FENCED = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def places(name: str) -> Iterator[tuple[bool, Path]]:
    """Yield whether the theme is dark, and the file."""
    for dark in (False, True):
        path = DOCS / "_static" / f"{name}-{'dark' if dark else 'light'}.png"
        yield dark, path
        print(path.relative_to(ROOT), flush=True)


def displays(names: list[str]) -> None:
    """Draw displays by the code on their pages."""
    from rocviz import set_theme

    for name in names:
        for dark, path in places(name):
            set_theme(dark=dark)
            figure = drawn_in(*DISPLAYS[name]).figure_
            figure.savefig(path, dpi=110)


def drawn_in(page: str, kind: str) -> Any:
    """Run the first code block of a page that names a display, and return the display."""
    code = next(part for part in FENCED.findall((DOCS / page).read_text("utf-8")) if kind in part)
    names: dict[str, Any] = {}
    seen = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(None):
        for statement in ast.parse(code).body:
            text = ast.unparse(statement)
            if isinstance(statement, ast.Expr):
                seen.append(eval(text, names))
            else:
                exec(text, names)
    return next(thing for thing in (*seen, *names.values()) if type(thing).__name__ == kind)


def explorers(names: list[str]) -> None:
    """Photograph explorers in JupyterLab."""
    sys.path.insert(0, str(ROOT / "tests" / "browser"))
    import find_chromium
    from lab import CHROMIUM_FLAGS, Lab, Notebook
    from pictures import drawn, into_sight, laid_out, screenshot
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder))
        try:
            chromium = playwright.chromium.launch(
                executable_path=find_chromium.find(), args=CHROMIUM_FLAGS
            )
            page = chromium.new_page(viewport=WINDOW_SIZE)
            for name in names:
                book = Notebook(page, lab, lab.write(f"{name}.ipynb", f"{EXPLORERS[name]}\nex"))
                book.run_all()
                drawn(book)
                book.wait_for_value("not any(task.is_running for task in ex._tasks)")
                for dark, path in places(name):
                    book.theme(dark)
                    into_sight(book)
                    laid_out(book)
                    screenshot(book, path)
                book.close()
        finally:
            lab.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="name", help="default: every picture")
    names = parser.parse_args().names or [*DISPLAYS, *EXPLORERS]
    unknown = sorted(set(names) - {*DISPLAYS, *EXPLORERS})
    if unknown:
        parser.error(
            f"unknown picture {', '.join(unknown)}; there are {', '.join([*DISPLAYS, *EXPLORERS])}"
        )
    os.environ.setdefault("MPLBACKEND", "agg")
    displays([name for name in DISPLAYS if name in names])
    explorers([name for name in EXPLORERS if name in names])
    if set(names) == {*DISPLAYS, *EXPLORERS}:
        subprocess.run([sys.executable, DOCS / "draw_house.py"], check=True)


if __name__ == "__main__":
    main()
