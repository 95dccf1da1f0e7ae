"""From a fresh interpreter to an explorer, beside the libraries that every explorer needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from comparison import Comparison

LIBRARY_IMPORTS = "import bqplot, matplotlib.figure, scipy.optimize"
ARRAYS_SOURCE = """
import numpy as np
X = np.random.default_rng(0).random((300, 3))
y = X.sum(axis=1) > X[::-1].sum(axis=1)
"""
#: Data of each explorer: labels with scores or columns, or none.
EXPLORER_ARGUMENTS = {
    "ROCExplorer": "y, X[:, 0]",
    "FermiDiracExplorer": "y, X[:, 0]",
    "EnsembleExplorer": "y, X",
    "ScoringListExplorer": "",
    "DecisionExplorer": "y, X[:, 0]",
    "LexicographicExplorer": "",
    "RankingLossExplorer": "",
    "GroupsExplorer": "",
    "MulticlassExplorer": "",
}


def run(code: str) -> None:
    """Run code in a fresh interpreter, to its end."""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, check=True)


def comparisons(n_samples: int) -> Iterator[Comparison]:
    """Yield a comparison for each explorer on its opening state."""
    for name, data in EXPLORER_ARGUMENTS.items():
        code = f"{ARRAYS_SOURCE}\nfrom rocviz import {name}\n{name}({data})"
        yield Comparison(
            f"first {name}",
            partial(run, code),
            LIBRARY_IMPORTS,
            partial(run, LIBRARY_IMPORTS),
            1.3,
        )
