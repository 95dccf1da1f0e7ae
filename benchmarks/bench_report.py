"""``rocviz report`` on a file of three models, beside opening the first explorer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from bench_imports import ARRAYS_SOURCE, EXPLORER_ARGUMENTS, run
from comparison import Comparison

#: Rows of a file, and how many times as long as opening an explorer the command may take.
PROMISED_RATIOS = {500: 2.5, 100_000: 5.0}
EXPLORER_SOURCE = (
    f"{ARRAYS_SOURCE}\nfrom rocviz import ROCExplorer\n"
    f"ROCExplorer({EXPLORER_ARGUMENTS['ROCExplorer']})"
)

_folder = TemporaryDirectory(prefix="rocviz-")  # of files and pages, until the interpreter ends


@cache
def report_source(n_samples: int) -> str:
    """Write a file of probabilities by three models, and the code that makes a page about it."""
    rng = np.random.default_rng(1)
    prob = rng.beta(1, 2, n_samples)
    label = rng.random(n_samples) < prob
    scores = [
        np.clip(prob + rng.normal(0, sd, n_samples), 0.001, 0.999) for sd in (0.05, 0.15, 0.3)
    ]
    path = Path(_folder.name) / f"{n_samples}.csv"
    np.savetxt(
        path,
        np.column_stack([label, *scores]),
        fmt=["%d", "%.6f", "%.6f", "%.6f"],
        delimiter=",",
        header="label,good,fair,poor",
        comments="",
    )
    words = ["report", str(path), "--label", "label", "-o", str(path.with_suffix(".html"))]
    return f"from rocviz.cli import main\nassert main({words!r}) == 0"


def comparisons(n_samples: int) -> Iterator[Comparison]:
    """Yield a comparison for each number of rows up to ``n_samples``, and one at least."""
    for size, limit in PROMISED_RATIOS.items():
        if size <= n_samples or size == min(PROMISED_RATIOS):
            source = report_source(min(size, n_samples))
            yield Comparison(
                f"report on {size:,} rows, 3 models",
                partial(run, source),
                "first ROCExplorer",
                partial(run, EXPLORER_SOURCE),
                limit,
            )
