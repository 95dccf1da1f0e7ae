"""Take the pictures of the README and the docs from a real explorer in a real browser.

``python tools/screenshots.py`` opens JupyterLab in Chromium, runs one cell, and saves the
explorer in light and in dark under ``docs/_static``. Needs the ``test`` extra.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import find_chromium
from lab import FLAGS, Lab, Notebook
from playwright.sync_api import sync_playwright

#: File name and the cell whose explorer it shows.
SHOTS = {
    "roc-explorer": """
from rocviz import ROCExplorer, datasets
scores = datasets.load_breast_cancer_scores()
explorer = ROCExplorer(scores.y_true, scores.y_prob, threshold=0.42, cost_ratio=5.0,
                       deployment_prevalence=0.1)
explorer
""",
    "fermi-dirac-explorer": """
from rocviz import FermiDiracExplorer
explorer = FermiDiracExplorer()
explorer
""",
    "ensemble-explorer": """
from rocviz import EnsembleExplorer
explorer = EnsembleExplorer(preset="one reversed", correlation=0.2)
explorer.hold_place(60)
explorer.compare()
explorer
""",
    "scoring-list-explorer": """
from rocviz import ScoringListExplorer
explorer = ScoringListExplorer(preset="synthetic chest pain", answers=(1, 0, 1))
explorer
""",
    "decision-explorer": """
from rocviz import DecisionExplorer
explorer = DecisionExplorer(k=4)
explorer
""",
    "ranking-loss-explorer": """
from rocviz import RankingLossExplorer
explorer = RankingLossExplorer()
explorer.run_experiment()
explorer
""",
    "lexicographic-explorer": """
from rocviz import LexicographicExplorer
explorer = LexicographicExplorer()
for ranker in explorer.result.rankers[:3]:
    explorer.choose(ranker)
explorer.restore()
explorer
""",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder))
        try:
            browser = playwright.chromium.launch(executable_path=find_chromium.find(), args=FLAGS)
            for name, cell in SHOTS.items():
                page = browser.new_page(viewport={"width": 1280, "height": 2000})
                book = Notebook(page, lab, lab.write(f"{name}.ipynb", cell))
                book.run_all()
                page.locator(".rocviz .plotarea_events").last.wait_for()
                for dark in (False, True):
                    book.theme(dark)
                    path = ROOT / "docs" / "_static" / f"{name}-{'dark' if dark else 'light'}.png"
                    page.locator(".rocviz").screenshot(path=path, animations="disabled")
                    print(path.relative_to(ROOT))
                page.close()
        finally:
            lab.stop()


if __name__ == "__main__":
    main()
