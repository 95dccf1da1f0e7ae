"""Menon et al.: figure 1, squared error to the true probability over the floor of a capped link.

The paper's protocol: 1000 normal points in the plane, new points to test on, floors 2^-9 to 2^-1.
It prints curves without numbers, and not how strong the penalty was; hence three settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from report import Run, Table, mean_and_error

from rocviz.estimators.ranking_loss import synthetic_ranking_experiment

METHODS = ("logistic", "logistic + isotonic", "rank + isotonic", "combined")
SETTINGS = (
    ("logistic, penalty 0.0001", {"alpha": 1e-4}),
    ("logistic, penalty 0.1", {"alpha": 0.1}),
    ("squared hinge, penalty 0.1", {"alpha": 0.1, "loss": "squared_hinge"}),
)


def errors(options, seed):
    """Compute 1000 times the squared error by floor and method, the mean of two repetitions."""
    done = synthetic_ranking_experiment(n_repeats=2, methods=METHODS, random_state=seed, **options)
    return done.a, 1e3 * done.error


def tables(run: Run) -> Iterator[Table]:
    rows = []
    for name, options in SETTINGS:
        found = run.map(partial(errors, options), range(run.times(50)), f"Menon et al., {name}")
        a, error = found[0][0], np.array([each for _, each in found])
        boost = (
            error[:, :, METHODS.index("logistic + isotonic")]
            - error[:, :, METHODS.index("rank + isotonic")]
        )
        for i, floor in enumerate(a):
            cells = (mean_and_error(error[:, i, j], 1) for j in range(len(METHODS)))
            rows.append((name, f"1/{1 / floor:.0f}", *cells, mean_and_error(boost[:, i], 2)))
    yield Table(
        "menon_figure_1",
        ("loss of pairs", "floor", *METHODS, "gain of ranking first"),
        rows,
    )
