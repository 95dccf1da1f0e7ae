"""Kim et al.: figures 1 and 3, FiDEL on a bank's customers, and the effect of correlation.

The text at hand has lost some numbers of the figures; what is left of them is said beside ours. The
settings of the last experiment are those of the authors' script: AUCs from .55 to .75, 500
samples, 40 % positive. That script judges an ensemble on the samples its AUCs were measured on.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np
from data import load_bank
from report import Run, Table, mean_and_error, number
from scipy.stats import norm
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit

from rocviz import FermiDirac, RankedSegments, auc_interval, simulate_classifiers
from rocviz.core.ensembles.experiment import compare_methods
from rocviz.core.ensembles.rank_ensemble import RankEnsemble

PREVALENCES = np.arange(1, 10) / 10
AUCS = (0.55, 0.65, 0.75, 0.85, 0.95)
CORRELATIONS = (0.0, 0.2, 0.4, 0.6)
CLASSIFIER_COUNTS = (2, 4, 7, 10, 15, 20, 25)
# places in what compare_methods returns
WOC_COLUMN = 2
FIDEL_COLUMN = 3


def gaussian(auc, prevalence, n_samples, rng):
    """Draw labels, positives first, and scores that are normal with unit spread in each class."""
    y = (np.arange(n_samples) < round(prevalence * n_samples)).astype(int)
    return y, rng.standard_normal(n_samples) + np.sqrt(2) * norm.ppf(auc) * y


def one_tally(seed, n_sets=1000):
    """Compute the correlation of law and tally of so many test sets, and the law's beta."""
    rng = np.random.default_rng(seed)
    tally = np.zeros(100)
    areas = []
    for _ in range(n_sets):
        y, score = gaussian(0.9, 0.5, 100, rng)
        tally += y[np.argsort(-score)]
        areas.append(RankedSegments.from_scores(y, score).auc)
    law = FermiDirac.from_auc(np.mean(areas), n_pos=50, n_neg=50)
    return correlation(tally / n_sets, law.probability()), law.beta


def one_grid(seed):
    """Compute thresholds and spreads of all 45 settings, by the law and from the data."""
    rng = np.random.default_rng(seed)
    rows = []
    for prevalence, auc in product(PREVALENCES, AUCS):
        ranked = RankedSegments.from_scores(*gaussian(auc, prevalence, 1000, rng))
        law = FermiDirac.from_segments(ranked)
        scanned = np.argmax(ranked.tpr - ranked.fpr)
        spread = auc_interval(ranked, method="delong").standard_error
        rows.append((law.threshold_rank, scanned, np.sqrt(law.auc_variance()), spread))
    return np.array(rows)


def correlation(x, y):
    """Compute the correlation of two columns."""
    return np.corrcoef(x, y)[0, 1]


def figures(run: Run) -> Iterator[Table]:
    n_sets = 20 if run.quick else 1000
    tallies = run.map(
        partial(one_tally, n_sets=n_sets), range(run.times(20)), "Kim et al., figure 1"
    )
    likeness, beta = np.transpose(tallies)
    grids = np.array(run.map(one_grid, range(run.times(20)), "Kim et al., figure 3"))
    threshold = [correlation(grid[:, 0], grid[:, 1]) for grid in grids]
    spread = [correlation(grid[:, 2], grid[:, 3]) for grid in grids]
    average = grids.mean(axis=0)
    ratio = (grids[:, :, 2] / grids[:, :, 3]).reshape(-1, len(PREVALENCES), len(AUCS))
    rows = [
        (
            "Figure 1: correlation of law and simulated frequencies",
            ".99",
            mean_and_error(likeness, 5),
        ),
        ("Figure 1: β of one simulation, mean ± its spread", ".0759", spread_of(beta)),
        (
            "Figure 3A: correlation of r* and the scanned threshold",
            "“excellent”",
            mean_and_error(threshold),
        ),
        (
            "Figure 3A: the same, mean of the test sets",
            "“excellent”",
            number(correlation(average[:, 0], average[:, 1])),
        ),
        (
            "Figure 3B: correlation of both σ of the AUC",
            "“almost identical”",
            mean_and_error(spread),
        ),
        (
            "Figure 3B: the same, mean of the test sets",
            "“almost identical”",
            number(correlation(average[:, 2], average[:, 3])),
        ),
    ]
    for k in (0, 4, 8):
        what = f"Figure 3B: σ of the law over DeLong's, AUC .95, prevalence .{k + 1}"
        printed = "“almost identical”" if k == 4 else "“minor deviations”"
        rows.append((what, printed, mean_and_error(ratio[:, k, -1])))
    yield Table("kim_figures", ("what", "published", "here"), rows)


def spread_of(values):
    """Write the mean and the standard deviation, not of the mean, as text."""
    return f"{number(np.mean(values), 4)} ± {number(np.std(values, ddof=1), 4)}"


def one_subset(y, scores, n_classifiers, seed):
    """Compute test AUCs of the best at validation, of the best in the test, WoC and FiDEL."""
    rng = np.random.default_rng(seed)
    chosen = scores[:, rng.permutation(scores.shape[1])[:n_classifiers]]
    halves = StratifiedShuffleSplit(1, test_size=0.5, random_state=seed).split(chosen, y)
    first, second = next(halves)
    ensemble = RankEnsemble.from_scores(y[first] == 1, chosen[first])
    comparison = compare_methods(ensemble, y[second] == 1, chosen[second], "batch")
    base = [roc_auc_score(y[second], column) for column in chosen[second].T]
    return comparison[0], max(base), comparison[WOC_COLUMN], comparison[FIDEL_COLUMN]


def bank(run: Run) -> Iterator[Table]:
    scores, y = load_bank(run.data)
    rows = []
    for m in (3, 5, 7):
        seeds = range(run.times(200))
        results = np.array(
            run.map(partial(one_subset, y, scores, m), seeds, f"Kim et al., bank, {m}")
        )
        chosen, best, woc, fidel = results.T
        shares = (f"{(fidel > other).mean():.1%}" for other in (chosen, best, woc))
        rows.append((str(m), *map(mean_and_error, results.T), *shares))
    columns = (
        "classifiers",
        "best at validation",
        "best of the test",
        "WoC",
        "FiDEL",
        "above best at validation",
        "above best of the test",
        "above WoC",
    )
    yield Table("kim_bank", columns, rows)


def one_crowd(case):
    """Compute AUCs of the best, WoC and FiDEL on the samples they learned from, and on new ones."""
    (dependence, m), seed = case
    rng = np.random.default_rng([seed, m, round(10 * dependence)])
    draw = partial(
        simulate_classifiers,
        500,
        np.linspace(0.55, 0.75, m),
        correlation=dependence,
        random_state=rng,
    )
    y, scores = draw()
    y_new, scores_new = draw()
    ensemble = RankEnsemble.from_scores(y == 1, scores)
    columns = [0, WOC_COLUMN, FIDEL_COLUMN]
    return (
        compare_methods(ensemble, y == 1, scores, "batch")[columns],
        compare_methods(ensemble, y_new == 1, scores_new, "batch")[columns],
    )


def crowds(run: Run) -> Iterator[Table]:
    settings = list(product(CORRELATIONS, CLASSIFIER_COUNTS))
    seeds = range(run.times(100))
    every = run.map(one_crowd, product(settings, seeds), "Kim et al., correlation")
    every = np.reshape(every, (len(settings), len(seeds), 2, 3))
    rows = []
    for setting, areas in zip(settings, every, strict=True):
        cells = []
        for part in np.moveaxis(areas, 1, 0):
            cells.append(" / ".join(map(number, part.mean(axis=0))))
            cells += [mean_and_error(part[:, 2] - part[:, k], 4) for k in (0, 1)]
        rows.append((f"{setting[0]:.1f}", str(setting[1]), *cells))
    columns = []
    for which in ("same samples", "new samples"):
        columns += [f"{which}: best / WoC / FiDEL", f"{which}: FiDEL − best"]
        columns.append(f"{which}: FiDEL − WoC")
    yield Table("kim_correlation", ("correlation", "M", *columns), rows)


EXPERIMENTS = (figures, crowds, bank)
