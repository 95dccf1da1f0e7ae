"""Menon et al.: figure 1, and table 3, news of one topic learned from positives and unlabelled.

Figure 1 is the squared error to the true probability over the floor of a capped link: 1000 normal
points in the plane, new points to test on, floors 2^-9 to 2^-1. The paper prints curves without
numbers, and not how strong the penalty was; hence three settings. Table 3 has 20 random splits of
GCAT, where 30 % of the positives are labelled and 80 % of all others are the unlabelled part.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from data import load_gcat
from report import Run, Table, mean_and_error, number

from rocviz.estimators.ranking_loss import compare_ranking_methods, synthetic_ranking_experiment

METHODS = ("logistic", "logistic + isotonic", "rank + isotonic", "combined")
SETTINGS = (
    ("logistic, penalty 0.0001", {"alpha": 1e-4}),
    ("logistic, penalty 0.1", {"alpha": 0.1}),
    ("squared hinge, penalty 0.1", {"alpha": 0.1, "loss": "squared_hinge"}),
)


def errors(options, seed):
    """Compute 1000 times the squared error by floor and method, the mean of two repetitions."""
    experiment = synthetic_ranking_experiment(
        n_repeats=2, methods=METHODS, random_state=seed, **options
    )
    return experiment.a, 1e3 * experiment.error


# table 3: squared error and AUC, each with the printed error
GCAT_RESULTS = {
    "linear": ((0.0550, 0.0015), (0.9824, 0.0017)),
    "linear + isotonic": ((0.0478, 0.0021), (0.9823, 0.0014)),
    "logistic": ((0.0579, 0.0021), (0.9836, 0.0007)),
    "logistic + isotonic": ((0.0423, 0.0024), (0.9836, 0.0007)),
    "combined": ((0.0557, 0.0020), (0.9825, 0.0015)),
    "rank + isotonic": ((0.0419, 0.0021), (0.9831, 0.0005)),
}


def figure_1(run: Run) -> Iterator[Table]:
    rows = []
    for name, options in SETTINGS:
        results = run.map(partial(errors, options), range(run.times(50)), f"Menon et al., {name}")
        a = results[0][0]
        error = np.array([squared_errors for _, squared_errors in results])
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


def with_error(value, error) -> str:
    """Write a number with its error as text, in the printed digits."""
    return f"{number(value, 4)} ± {number(error, 4)}"


def gcat(run: Run) -> Iterator[Table]:
    X, y = load_gcat(run.data)
    comparison = compare_ranking_methods(
        X,
        y,
        setting="positive-unlabelled",
        methods=tuple(GCAT_RESULTS),
        n_repeats=run.times(20),
        random_state=0,
    )
    rows = []
    for j, (method, published) in enumerate(GCAT_RESULTS.items()):
        here = (
            (comparison.mse[j], comparison.mse_error[j]),
            (comparison.auc[j], comparison.auc_error[j]),
        )
        for measure, printed, ours in zip(("squared error", "AUC"), published, here, strict=True):
            rows.append((method, measure, with_error(*printed), with_error(*ours)))
    yield Table("menon_gcat", ("method", "measure", "published", "here"), rows)


EXPERIMENTS = (figure_1, gcat)
