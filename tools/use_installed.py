"""Use an installed rocviz as its readers do; ``tools/dist.py`` runs this in an empty environment.

Run it with the interpreter of that environment, in an empty folder; what it writes stays there.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import rocviz

Y_TRUE = [0, 1, 0, 1, 1, 0, 0, 1, 0, 1]
Y_SCORE = [0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.5, 0.7, 0.3, 0.6]


def check_place() -> None:
    """Check that this environment's rocviz is used, and no other."""
    place = Path(rocviz.__file__).resolve()
    if not place.is_relative_to(Path(sys.prefix).resolve()):
        raise SystemExit(f"rocviz was imported from {place}, which is not in {sys.prefix}")


def explore() -> None:
    """Open an explorer, move it, and write a page and a picture."""
    assert rocviz.RankedSegments.from_scores(Y_TRUE, Y_SCORE).auc == 0.96
    explorer = rocviz.ROCExplorer(Y_TRUE, Y_SCORE)
    explorer.threshold = 0.4
    assert explorer.result.table.tpr == 1
    explorer.to_html("page.html", live={"threshold": 3})
    explorer.close()
    rocviz.ROCHullDisplay.from_predictions(Y_TRUE, Y_SCORE).figure_.savefig("roc.svg")


def run(*arguments: str) -> None:
    """Run the command ``rocviz`` of this environment."""
    subprocess.run([Path(sysconfig.get_path("scripts"), "rocviz"), *arguments], check=True)


def report_and_copy_the_course() -> None:
    """Write a report about a file of predictions, and copy the course."""
    rows = [f"{y},{score}" for y, score in zip(Y_TRUE, Y_SCORE, strict=True)]
    Path("predictions.csv").write_text("\n".join(["ill,score", *rows]), encoding="utf-8")
    run("report", "predictions.csv", "--label", "ill", "-o", "report.html")
    run("notebooks", "course")


if __name__ == "__main__":
    check_place()
    explore()
    report_and_copy_the_course()
    print(f"used rocviz {rocviz.__version__} in {sys.prefix}")
