"""Flach and Matsubara: the numbers of the examples, and LexRank beside naive Bayes.

The paper says that LexRank's bias "does not result in a loss of ranking performance" and refers to
another paper for experiments. Here ten stratified folds, the rarer class positive, and the same
binary attributes for both, made on the training folds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations, product

import numpy as np
from data import load
from report import Run, Table, mean_and_error, number
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import BernoulliNB

from rocviz import LexRank, brier_decomposition, lex_order
from rocviz.datasets import load_flach_matsubara

FETCHED_NAMES = ("wisconsin", "ionosphere", "sonar", "pima", "haberman", "heart", "coimbra")


def shipped():
    """Yield name, attributes and labels of data sets that come with scikit-learn."""
    cancer = load_breast_cancer()
    wine = load_wine()
    digits = load_digits()
    yield "tumours, malignant", cancer.data, (cancer.target == 0).astype(int)
    yield "wine, third cultivar", wine.data, (wine.target == 2).astype(int)
    yield "digits, odd", digits.data, digits.target % 2


def one_fold(smoothing, case):
    """Compute test AUCs of LexRank and naive Bayes."""
    X, y, train, test = case
    ranker = LexRank(smoothing=smoothing).fit(X[train], y[train])
    bits = ranker.binarize(X)
    bayes = BernoulliNB().fit(bits[train], y[train])
    scores = ranker.decision_function(X[test]), bayes.predict_log_proba(bits[test])
    return roc_auc_score(y[test], scores[0]), roc_auc_score(y[test], np.diff(scores[1])[:, 0])


def compared(run: Run) -> Iterator[Table]:
    sets = list(shipped())
    if not run.quick:
        sets += [(name, *load(name, run.data)) for name in FETCHED_NAMES]
    rows = []
    for name, X, y in sets:
        folds = StratifiedKFold(run.times(10), shuffle=True, random_state=0).split(X, y)
        cases = [(X, y, *fold) for fold in folds]
        shown = f"Flach and Matsubara, {name}"
        auc = np.array(run.map(partial(one_fold, 1.0), cases, shown))
        smooth = np.array(run.map(partial(one_fold, 10.0), cases, f"{shown}, smoothed"))[:, 0]
        columns = (*auc.T, smooth, auc[:, 0] - auc[:, 1])
        rows.append((name, str(len(y)), str(X.shape[1]), *map(mean_and_error, columns)))
    yield Table(
        "flach_lexrank",
        (
            "data",
            "samples",
            "columns",
            "LexRank",
            "naive Bayes",
            "LexRank, smoothing 10",
            "LexRank − naive Bayes",
        ),
        rows,
    )


def examples(run: Run) -> Iterator[Table]:
    """Compare the hand-computed examples of the paper with rocviz."""
    X, y = load_flach_matsubara(return_X_y=True)
    _, place = np.unique(X, axis=0, return_inverse=True)
    place = place.ravel()
    share = np.bincount(place, y) / np.bincount(place)
    brier = brier_decomposition(y, share[place])
    ratio = {}
    for column, value in product((0, 1), repeat=2):
        has_value = X[:, column] == value
        ratio[column, value] = has_value[y == 1].mean() / has_value[y == 0].mean()
    convex = 0
    for order, preferred in product(permutations(range(2)), product((0, 1), repeat=2)):
        convex += lex_order(X, y, order=order, preferred=preferred).segments(X, y).is_convex
    rows = [
        ("Example 4: likelihood ratio of A1 = 0", "5/6 = .833", ratio[0, 0]),
        ("Example 4: likelihood ratio of A1 = 1", "5/4 = 1.25", ratio[0, 1]),
        ("Example 4: likelihood ratio of A2 = 0", "6/4 = 1.5", ratio[1, 0]),
        ("Example 4: likelihood ratio of A2 = 1", "4/6 = .667", ratio[1, 1]),
        ("Example 5: calibration loss of the tree", "0", brier.calibration_loss),
        ("Example 5: refinement loss of the tree", ".18", brier.refinement_loss),
    ]
    yield Table(
        "flach_examples",
        ("what", "published", "here"),
        [
            *((what, printed, number(value)) for what, printed, value in rows),
            ("Section 4: lexicographic rankers with a convex curve", "0 of 8", f"{convex} of 8"),
        ],
    )


EXPERIMENTS = (examples, compared)
