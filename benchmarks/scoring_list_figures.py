"""Scoring lists by stage, as in the paper's figures: ``python benchmarks/scoring_list_figures.py``.

Without options it draws a synthetic cohort. ``--name coimbra`` or ``--name liver`` fetches data,
``--data file.csv`` reads any file of numbers whose last column is 1 for a positive; ``--reference
file.json`` compares split by split with lists learned by another program. 100 splits of Coimbra
take a few minutes.
"""

from __future__ import annotations

import argparse
import csv
import json
import warnings
from itertools import combinations, product
from math import comb
from pathlib import Path

import numpy as np
import scoring_list_drawing
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import ShuffleSplit
from tqdm import tqdm

from rocviz import ProbabilisticScoringList, ScoringListRanker
from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.core.scoring_lists.search.stage_loss import stage_loss
from rocviz.core.scoring_lists.stage import predicts_positive
from rocviz.datasets import fetch_coimbra, fetch_indian_liver, make_chest_pain

MISS_COST = 10.0
SCORES_PER_PART = 20_000


def logistic(C, X, y, X_test, features):
    """Compute test probabilities of logistic regression on the first k features, k = 0, 1, ..."""
    prob = [np.full(len(X_test), y.mean())]
    for k in range(1, len(features) + 1):
        model = LogisticRegression(C=C, max_iter=2000)
        with warnings.catch_warnings():
            # without a penalty, data that can be separated have no best coefficients
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X[:, features[:k]], y)
        prob.append(model.predict_proba(X_test[:, features[:k]])[:, 1])
    return prob


def losses(prob, y):
    """Compute the mean cost of the optimal decisions by probabilities, by stage."""
    costs = []
    for stage in prob:
        predictions = predicts_positive(stage, MISS_COST)
        costs.append(np.where(y == 1, MISS_COST * ~predictions, predictions).mean())
    return costs


def all_pairs(y):
    """List every pair of a positive row and a negative one."""
    return np.array(list(product(np.flatnonzero(y == 1), np.flatnonzero(y == 0))))


def one_split(X, y, train, test):
    """Find ``{(figure, curve): values by stage}`` and the lists learned."""
    X_train = X[train]
    y_train = y[train]
    X_test = X[test]
    y_test = y[test]
    ways = {
        "in search, brute": {},
        "in search, bisect": {"thresholds": "bisect"},
        "before": {"binarize": "preprocess"},
        "before, beta": {"binarize": "preprocess", "calibration": "beta"},
        "held out": {"calibration_data": 0.33, "random_state": 0},
        "crosswise": {"calibration_data": 5, "random_state": 0},
        "m-estimate": {"calibration": "m-estimate", "m": 10.0},
        "before, ±1": {"binarize": "preprocess", "score_set": (-1, 1)},
        "before, ±1, ±2": {"binarize": "preprocess", "score_set": (-2, -1, 1, 2)},
    }
    models = {}
    scores = {}
    wary = {}
    for way, options in ways.items():
        model = ProbabilisticScoringList(missing="zero", **options).fit(X_train, y_train)
        decided = model.scoring_list_.evaluate(X_test, y_test, cost_fn=MISS_COST, use="upper")
        models[way] = model
        scores[way] = model.evaluate(X_test, y_test)
        wary[way] = decided.loss
    before = models["before"]
    thresholds = entropy_thresholds(X_train, y_train, missing="ignore")
    bits = above(X_train, thresholds)
    bits_test = above(X_test, thresholds)
    ridge = logistic(1.0, bits, y_train, bits_test, before.features_)
    plain = logistic(np.inf, bits, y_train, bits_test, before.features_)
    ranker = ScoringListRanker(missing="zero").fit(X_train, pairs=all_pairs(y_train))
    pair_scores = [ranker.decision_function(X_test, k) for k in range(len(ranker.features_) + 1)]
    pair_aucs = [roc_auc_score(y_test, score) for score in pair_scores]
    curves = {
        ("entropy", "before the search"): before.stage_losses_,
        ("entropy", "in it, halving"): models["in search, bisect"].stage_losses_,
        ("entropy", "in it, all"): models["in search, brute"].stage_losses_,
        ("brier", "PSL, isotonic"): scores["before"].brier,
        ("brier", "PSL, beta"): scores["before, beta"].brier,
        ("brier", "logistic, L2"): [brier_score_loss(y_test, p) for p in ridge],
        ("brier", "logistic"): [brier_score_loss(y_test, p) for p in plain],
        ("brier", "PSL, in search"): scores["in search, brute"].brier,
        ("fit", "in search, new data"): scores["in search, brute"].brier,
        ("fit", "before, new data"): scores["before"].brier,
        ("fit", "before, own data"): before.scoring_list_.stage_scores().brier,
        ("fit", "in search, own data"): models["in search, brute"]
        .scoring_list_.stage_scores()
        .brier,
        ("cures", "in search"): scores["in search, brute"].brier,
        ("cures", "five folds crosswise"): scores["crosswise"].brier,
        ("cures", "a third held out"): scores["held out"].brier,
        ("cures", "m-estimate, m = 10"): scores["m-estimate"].brier,
        ("auc", "from labels"): scores["in search, brute"].auc,
        ("auc", "from pairs"): pair_aucs,
        ("auc", "thresholds before"): scores["before"].auc,
        ("auc", "logistic, L2"): [roc_auc_score(y_test, p) for p in ridge],
        ("loss", "PSL, ±1"): wary["before, ±1"],
        ("loss", "PSL, ±1, ±2"): wary["before, ±1, ±2"],
        ("loss", "PSL, ±1, ±2, ±3"): wary["before"],
        ("loss", "logistic, L2"): losses(ridge, y_test),
    }
    return curves, models


def every_list(X, y, score_set, max_lists, rng):
    """Compute train entropies of lists with 0, 1, ... features, and how many lists there are.

    A stage's loss depends on the features and scores, not on their order. Thresholds
    are chosen before. Where there are more than ``most`` lists of a length, so many are drawn.
    """
    thresholds = entropy_thresholds(X, y, missing="ignore")
    rows, place = np.unique(above(X, thresholds), axis=0, return_inverse=True)
    counts = [np.bincount(place.ravel(), y == label, len(rows)) for label in (1, 0)]
    scores = np.array(score_set)
    size = X.shape[1]
    number = [comb(size, k) * len(scores) ** k for k in range(size + 1)]
    results = []
    for k in tqdm(range(size + 1), desc="all lists", leave=False):
        if number[k] <= max_lists:
            values = np.array(list(product(score_set, repeat=k)), dtype=scores.dtype)
            parts = (spread(subset, values, size) for subset in combinations(range(size), k))
        else:
            drawn = rng.permuted(np.tile(np.arange(size), (max_lists, 1)), axis=1)[:, :k]
            points = np.zeros((max_lists, size), dtype=np.int64)
            np.put_along_axis(points, drawn, rng.choice(scores, (max_lists, k)), axis=1)
            parts = [points]
        results.append(np.concatenate([entropies(points, rows, counts) for points in parts]))
    return results, number


def above(X, thresholds):
    """Mark with 1 where a value is above its threshold; what is missing is not."""
    return np.greater(X, thresholds).astype(np.int64)


def spread(subset, values, size):
    """Extend the points of some features to all features, one row per list."""
    points = np.zeros((len(values), size), dtype=np.int64)
    points[:, list(subset)] = values
    return points


def entropies(points, rows, counts):
    """Compute the train entropy of each row of points."""
    results = []
    top = int(np.abs(points).sum(axis=1).max())
    for part in np.array_split(points, len(points) // SCORES_PER_PART + 1):
        cell = top - part @ rows.T + (2 * top + 1) * np.arange(len(part))[:, None]
        n_cells = len(part) * (2 * top + 1)
        sides = []
        for weight in counts:
            side = np.bincount(cell.ravel(), np.tile(weight, len(part)), n_cells)
            sides.append(side.reshape(len(part), -1))
        results.append(stage_loss(*sides))
    return np.concatenate(results)


def summary(runs):
    """Write mean and half width of its 95 % confidence interval, by stage."""
    longest = max(map(len, runs))
    # a list that stopped early stays where it is
    table = np.array(
        [np.append(r, np.full(longest - len(r), r[-1])) for r in map(np.asarray, runs)]
    )
    error = table.std(axis=0, ddof=1) / np.sqrt(len(table)) if len(table) > 1 else 0 * table[0]
    return table.mean(axis=0), 1.96 * error


def show(results):
    """Print one line per curve: its mean at every stage."""
    for figure in dict.fromkeys(figure for figure, _ in results):
        print(f"\n{figure} by stage, mean (± 95 % at the last)")
        for (of, curve), (mean, error) in results.items():
            if of == figure:
                print(f"{curve:30}", *(f"{value:.3f}" for value in mean), f"± {error[-1]:.3f}")


def compare(X, y, reference):
    """Print how lists learned on the same splits compare with those of a reference file."""
    cases = {
        "psl_prebin|isotonic": {"binarize": "preprocess"},
        "psl_prebin|beta": {"binarize": "preprocess", "calibration": "beta"},
        "psl|isotonic": {},
    }
    for key, theirs in json.loads(Path(reference).read_text()).items():
        options = cases.get(key.split("|", 1)[1])
        if options is None:
            continue
        runs = []
        for model in tqdm(theirs["models"], desc=key, leave=False):
            split = ShuffleSplit(1, test_size=0.33, random_state=model["fold"])
            train, test = next(split.split(X))
            mine = ProbabilisticScoringList(**options).fit(X[train], y[train])
            entropy = mine.scoring_list_.stage_scores().entropy
            gap = entropy - np.array(model["train_ent"])
            alike = stages_alike(mine, model)
            after = gap[alike + 1] if alike < len(gap) - 1 else 0.0
            runs.append((entropy, mine.evaluate(X[test], y[test]).brier, gap, alike, after))
        entropy, brier, gap, alike, after = map(np.array, zip(*runs, strict=True))
        print(f"\n{key}, {len(runs)} splits, means by stage")
        row("train entropy, theirs", np.mean([m["train_ent"] for m in theirs["models"]], axis=0))
        row("train entropy, ours", entropy.mean(axis=0))
        row(
            "test Brier score, theirs", np.mean([m["test_brier"] for m in theirs["models"]], axis=0)
        )
        row("test Brier score, ours", brier.mean(axis=0))
        print(f"first stage: ours minus theirs from {gap[:, 1].min():.2g} to {gap[:, 1].max():.2g}")
        print(f"the same stages for the first {alike.mean():.1f} on average")
        print(f"the stage after these: from {after.min():.2g} to {after.max():.2g}")


def row(name, values, digits=3):
    """Print a name and values."""
    print(f"{name:30}", *(f"{value:.{digits}f}" for value in values))


def stages_alike(mine, model):
    """Count how many stages, from the first on, have the same feature, score and threshold."""
    thresholds = np.array(model["thresholds"], dtype=float)
    theirs = zip(model["features"], model["scores"], thresholds, strict=True)
    ours = zip(mine.features_, mine.scores_, mine.thresholds_, strict=True)
    for k, (their, our) in enumerate(zip(theirs, ours, strict=True)):
        close = np.isclose(their[2], our[2], rtol=1e-9, equal_nan=True)
        if their[:2] != our[:2] or not close:
            return k
    return len(mine.features_)


def load(arguments):
    """Find ``X, y, title``."""
    if arguments.data:
        table = np.genfromtxt(arguments.data, delimiter=",", skip_header=1)
        return (
            table[:, :-1],
            (table[:, -1] == table[:, -1].max()).astype(int),
            Path(arguments.data).stem.replace("_", " ").title(),
        )
    if arguments.name == "coimbra":
        return *fetch_coimbra(return_X_y=True), "Breast Cancer Coimbra"
    if arguments.name == "liver":
        return *fetch_indian_liver(return_X_y=True), "Indian liver patients"
    return *make_chest_pain(arguments.samples, return_X_y=True), "Chest pain (synthetic)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="CSV file of numbers, header line, label last")
    parser.add_argument("--name", choices=("chest-pain", "coimbra", "liver"), default="chest-pain")
    parser.add_argument("--samples", type=int, default=1199, help="of the synthetic cohort")
    parser.add_argument("--splits", type=int, default=100, help="default: 100")
    parser.add_argument(
        "--scores", type=int, nargs="+", default=[-2, -1, 1, 2], help="of all lists"
    )
    parser.add_argument("--lists", type=int, default=200_000, help="most lists of a length")
    parser.add_argument("--reference", help="JSON file of lists by split to compare with")
    parser.add_argument("--out", type=Path, help="folder for the picture, light and dark")
    parser.add_argument("--table", type=Path, help="CSV file for the means of all curves by stage")
    arguments = parser.parse_args()

    X, y, title = load(arguments)
    X = np.asarray(X, dtype=float)
    if arguments.reference:
        compare(X, y, arguments.reference)
        return
    runs = {}
    for fold in tqdm(range(arguments.splits), desc="splits"):
        train, test = next(ShuffleSplit(1, test_size=0.33, random_state=fold).split(X))
        curves, _ = one_split(X, y, train, test)
        for key, values in curves.items():
            runs.setdefault(key, []).append(values)
    results = {key: summary(values) for key, values in runs.items()}
    print(f"{title}: {len(X)} x {X.shape[1]}, {y.sum()} positive, {arguments.splits} splits")
    show(results)

    rng = np.random.default_rng(0)
    every, number = every_list(X, y, arguments.scores, arguments.lists, rng)
    greedy = ProbabilisticScoringList(arguments.scores, binarize="preprocess", missing="zero")
    chosen = greedy.fit(X, y).stage_losses_
    below = [(v < loss - 1e-9).mean() for v, loss in zip(every, chosen, strict=True)]
    looked = f"{sum(map(len, every)):,} of {sum(number):,}"
    print(f"\ngreedy among {looked} lists, scores {arguments.scores}, by stage")
    row("greedy", chosen)
    row("best of its length", [values.min() for values in every])
    row("share of lists below greedy", below, 5)
    if arguments.table:
        least = [values.min() for values in every]
        rows = [(figure, curve, mean) for (figure, curve), (mean, _) in results.items()]
        rows += [("all lists", "greedy", chosen), ("all lists", "best of its length", least)]
        with arguments.table.open("w", newline="", encoding="utf-8") as file:
            write = csv.writer(file, lineterminator="\n").writerow
            write(["figure", "curve", *range(len(chosen))])
            for figure, curve, mean in rows:
                write([figure, curve, *(f"{value:.3f}" for value in mean)])
    if arguments.out:
        scoring_list_drawing.draw(title, results, every, chosen, arguments.out)


if __name__ == "__main__":
    main()
