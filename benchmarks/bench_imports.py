"""From a fresh interpreter to the first explorer, beside the libraries that every explorer needs.

Processor time, not the clock's, so that other work on the machine does not count.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from statistics import median

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


def processor_seconds(code: str) -> float:
    """Measure the processor time of a fresh interpreter from its start to the end of the code."""
    code += "\nimport time\nprint(time.process_time())"
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    return float(process.stdout)


def comparisons(n_samples: int) -> Iterator[Comparison]:
    """Yield a comparison for each explorer on its opening state."""
    for name, data in EXPLORER_ARGUMENTS.items():
        code = f"{ARRAYS_SOURCE}\nfrom rocviz import {name}\n{name}({data})"
        yield Comparison(
            f"first {name}",
            lambda code=code: processor_seconds(code),
            LIBRARY_IMPORTS,
            lambda: processor_seconds(LIBRARY_IMPORTS),
            1.3,
            seconds=lambda run: run(),
            summary=median,
        )
