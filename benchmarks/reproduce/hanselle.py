"""Hanselle et al.: scoring lists stage by stage, on Breast Cancer Coimbra and liver patients.

The paper's protocol: 100 random splits, a third to test on, seeds 0 to 99, scores ±1, ±2, ±3. Its
curves are printed without numbers. Numbers to compare with come from the authors' release: of
20 splits (8 for thresholds in the search) every stage, of all 100 some stages.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from data import load
from report import Run, Table, mean_and_error, number, standard_error
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline

from rocviz import EntropyBinarizer, ProbabilisticScoringList
from rocviz.datasets import make_chest_pain

PUBLISHED_FILE = Path(__file__).with_name("hanselle_published.csv")
RANK_NAME = "in search, bisect, rank loss"
LIST_OPTIONS = {
    "before, bisect": {"binarize": "preprocess", "thresholds": "bisect"},
    "before, brute": {"binarize": "preprocess"},
    "in search, bisect": {"thresholds": "bisect"},
    "in search, brute": {},
    RANK_NAME: {"thresholds": "bisect", "loss": "rank"},
    "before, bisect, beta": {
        "binarize": "preprocess",
        "thresholds": "bisect",
        "calibration": "beta",
    },
}
MEASURES = ("train entropy", "test Brier", "test AUC")
# means in the authors' release: configuration, measure, stage, number of splits, value
RELEASE_RESULTS = (
    ("before, bisect", "train entropy", 9, 100, 0.480),
    ("before, brute", "train entropy", 9, 100, 0.449),
    ("in search, bisect", "train entropy", 9, 100, 0.309),
    ("in search, brute", "train entropy", 9, 100, 0.299),
    ("in search, bisect", "test Brier", 9, 100, 0.281),
    ("in search, brute", "test Brier", 9, 100, 0.285),
    ("in search, bisect", "test AUC", 1, 100, 0.613),
    ("in search, bisect", "test AUC", 9, 100, 0.696),
    ("in search, brute", "test AUC", 9, 100, 0.693),
    (RANK_NAME, "test AUC", 1, 100, 0.649),
    (RANK_NAME, "test AUC", 9, 100, 0.728),
    (RANK_NAME, "test AUC", 1, 25, 0.653),
    (RANK_NAME, "test AUC", 3, 25, 0.740),
    (RANK_NAME, "test AUC", 5, 25, 0.756),
    (RANK_NAME, "test AUC", 9, 25, 0.736),
)
# a miss costs as much as so many false alarms; stages 0 to 9
MISS_COST = 10.0
N_STAGES = 10
RULES = {"point": "estimate", "upper": "upper end of a 50 % interval"}
DATA_TITLES = {"coimbra": "Coimbra", "haberman": "Haberman", "pima": "Pima"}
LOGISTIC_BRIER = 0.218  # its test Brier score with an L2 penalty and all features, 100 splits


def one_split(X, y, fold):
    """Collect values by configuration, measure and stage; a list that ends early stays as it is."""
    train, test = next(ShuffleSplit(1, test_size=0.33, random_state=fold).split(X))
    stages = X.shape[1] + 1
    results = np.empty((len(LIST_OPTIONS), len(MEASURES), stages))
    for values, options in zip(results, LIST_OPTIONS.values(), strict=True):
        model = ProbabilisticScoringList(missing="zero", **options).fit(X[train], y[train])
        own = model.scoring_list_.stage_scores()
        new = model.evaluate(X[test], y[test])
        for row, curve in zip(values, (own.entropy, new.brier, new.auc), strict=True):
            row[:] = np.append(curve, np.full(stages - len(curve), curve[-1]))
    return results


def logistic(X, y, fold):
    """Compute the test Brier score of logistic regression on all features, at their thresholds."""
    train, test = next(ShuffleSplit(1, test_size=0.33, random_state=fold).split(X))
    model = make_pipeline(EntropyBinarizer(thresholds="bisect"), LogisticRegression())
    prob = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    return brier_score_loss(y[test], prob)


def published():
    """Find ``{configuration: {measure: {split: values by stage}}}`` of the authors' release."""
    known: dict = {}
    with PUBLISHED_FILE.open(encoding="utf-8") as file:
        for configuration, measure, fold, *values in list(csv.reader(file))[1:]:
            curves = known.setdefault(configuration, {}).setdefault(measure, {})
            curves[int(fold)] = np.array(values, dtype=float)
    return known


def coimbra(run: Run) -> Iterator[Table]:
    X, y = load("coimbra", run.data)
    yield from tables_of(X, y, run)


def liver(run: Run) -> Iterator[Table]:
    """Repeat figures 4, 6, 7 and 8 for the Indian liver patients."""
    X, y = load("liver", run.data)
    splits = run.times(100)
    results = np.array(run.map(partial(one_split, X, y), range(splits), "Hanselle et al., liver"))
    yield stages("hanselle_liver_stages", results)
    yield caution_table("hanselle_liver_caution", {"Indian liver patients": (X, y)}, run)


def caution(run: Run) -> Iterator[Table]:
    """Compare decisions by the upper bound with decisions by the estimate, on several data sets."""
    sets = {DATA_TITLES[name]: load(name, run.data) for name in ("coimbra", "haberman", "pima")}
    sets["chest pain (synthetic)"] = make_chest_pain(return_X_y=True)
    yield caution_table("hanselle_caution", sets, run)


def one_decided(X, y, fold):
    """Compute the test cost of a patient by stage, by the estimate and by the upper bound."""
    train, test = next(ShuffleSplit(1, test_size=0.33, random_state=fold).split(X))
    model = ProbabilisticScoringList(missing="zero", **LIST_OPTIONS["before, bisect"])
    scoring_list = model.fit(X[train], y[train]).scoring_list_
    costs = [
        scoring_list.evaluate(X[test], y[test], cost_fn=MISS_COST, use=use).loss for use in RULES
    ]
    shown = min(N_STAGES, X.shape[1] + 1)
    # a list that ends early stays as it is
    return [np.append(cost, np.full(N_STAGES, cost[-1]))[:shown] for cost in costs]


def caution_table(name, sets, run: Run) -> Table:
    """Compute mean costs and their difference, split by split."""
    rows = []
    for title, (X, y) in sets.items():
        task = partial(one_decided, X, y)
        shown = f"Hanselle et al., costs, {title}"
        cost = np.array(run.map(task, range(run.times(100)), shown))
        blank = ("",) * (N_STAGES - cost.shape[-1])
        for rule, values in zip(RULES.values(), cost.swapaxes(0, 1), strict=True):
            rows.append((title, rule, *map(number, values.mean(axis=0)), *blank))
        more = cost[:, 1] - cost[:, 0]
        rows.append((title, "difference", *map(mean_and_error, more.T), *blank))
    return Table(name, ("data", "decided by", *map(str, range(N_STAGES))), rows)


def tables_of(X, y, run: Run) -> Iterator[Table]:
    """Yield the tables for data of the paper's form."""
    splits = run.times(100)
    results = np.array(run.map(partial(one_split, X, y), range(splits), "Hanselle et al."))
    yield stages("hanselle_stages", results)
    if X.shape != (116, 9):
        return
    regression = run.map(partial(logistic, X, y), range(splits), "Hanselle et al., regression")
    rows = []
    for way, measure, stage, n_splits, value in RELEASE_RESULTS:
        here = mean_and_error(curve(results[:n_splits], way, measure)[:, stage])
        rows.append((way, measure, str(stage), str(n_splits), number(value), here))
    here = mean_and_error(regression)
    rows.append(
        ("logistic regression, bisect", "test Brier", "9", "100", number(LOGISTIC_BRIER), here)
    )
    yield Table(
        "hanselle_release",
        ("configuration", "measure", "stage", "splits", "published", "here"),
        rows,
    )
    yield same_splits(results)


def stages(name, results) -> Table:
    """Compute means by stage of every configuration."""
    columns = ("configuration", "measure", *map(str, range(results.shape[-1])), "error at most")
    rows = []
    for way, measure in product(LIST_OPTIONS, MEASURES):
        values = curve(results, way, measure)
        error = number(standard_error(values).max())
        rows.append((way, measure, *map(number, values.mean(axis=0)), error))
    return Table(name, columns, rows)


def curve(results, way, measure):
    """Collect values by split and stage."""
    return results[:, list(LIST_OPTIONS).index(way), MEASURES.index(measure)]


def same_splits(results) -> Table:
    """Compute published and own means over those splits whose numbers are known one by one."""
    rows = []
    for way, measures in published().items():
        for measure, curves in measures.items():
            folds = [fold for fold in curves if fold < len(results)]
            theirs = np.array([curves[fold] for fold in folds])
            ours = curve(results[folds], way, measure)
            alike = np.isclose(ours, theirs, rtol=0, atol=1e-5).all(axis=1).sum()
            error = number(standard_error(ours - theirs).max())
            for name, values in (("published", theirs), ("here", ours)):
                shown = (f"{alike} of {len(folds)}", error) if name == "here" else ("", "")
                rows.append((way, measure, name, *map(number, values.mean(axis=0)), *shown))
    stages = map(str, range(results.shape[-1]))
    columns = ("configuration", "measure", "", *stages, "alike", "error")
    return Table("hanselle_same_splits", columns, rows)


EXPERIMENTS = (coimbra, caution, liver)
