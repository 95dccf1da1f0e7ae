"""Rows of pandas in another order are refused at every door, in place of being read in it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import rocviz
from rocviz import core
from rocviz.core.base.validation import check_aligned

N = 40
RNG = np.random.default_rng(0)
ROWS = pd.Index([f"row {i}" for i in range(N)])
Y = pd.Series(np.tile([0, 1], N // 2), ROWS)
PROB = pd.Series(np.clip(0.3 * Y + 0.7 * RNG.random(N), 0, 1), ROWS)
OTHER = PROB.round(1)
X = pd.DataFrame({"a": PROB > 0.4, "b": PROB > 0.6, "c": OTHER > 0.5}, ROWS).astype(int)
WEIGHT, GROUP = pd.Series(1.0, ROWS), pd.Series(np.repeat([0, 1], N // 2), ROWS)
BOTH = pd.DataFrame({"one": PROB, "other": OTHER})
TWO = [("one", LogisticRegression()), ("other", GaussianNB())]

#: A call, its inputs by their names, and the first of them stays as it is.
DOORS = {
    "from_scores": (core.roc.RankedSegments.from_scores, {"y_true": Y, "y_score": PROB}),
    "weights": (
        lambda y_true, sample_weight: rocviz.RankedSegments.from_scores(
            y_true, PROB.to_numpy(), sample_weight=sample_weight
        ),
        {"y_true": Y, "sample_weight": WEIGHT},
    ),
    "brier": (rocviz.brier_decomposition, {"y_true": Y, "y_prob": PROB}),
    "auc_interval": (rocviz.auc_interval, {"y_true": Y, "y_score": PROB}),
    "auc_test": (core.roc.auc_test, {"y_true": Y, "y_score_a": PROB, "y_score_b": OTHER}),
    "policy": (
        core.groups.cheapest_policy,
        {"y_true": Y, "y_score": PROB, "groups": GROUP, "sample_weight": WEIGHT},
    ),
    "threshold": (
        lambda y_true, y_prob: core.decisions.best_empirical_threshold(y_true, y_prob, "f1"),
        {"y_true": Y, "y_prob": PROB},
    ),
    "comparison": (
        lambda y_true, scores, groups: rocviz.compare_classifiers(
            y_true, scores, groups=groups, n_resamples=0
        ),
        {"y_true": Y, "scores": BOTH, "groups": GROUP},
    ),
    "bootstrap": (
        core.comparison.bootstrap_interval,
        {"y_true": Y, "y_score": PROB, "groups": GROUP},
    ),
    "calibration error": (
        core.comparison.calibration_error,
        {"y_true": Y, "y_prob": PROB, "sample_weight": WEIGHT},
    ),
    "model hull": (core.comparison.hull_over_models, {"y_true": Y, "scores": BOTH}),
    "ensemble": (
        lambda y_true, scores: rocviz.fidel_combine(y_true, scores),
        {"y_true": Y, "scores": BOTH},
    ),
    "scoring list": (core.scoring_lists.learn_scoring_list, {"X": X, "y": Y}),
    "lexicographic": (core.lexicographic.lex_order, {"X": X, "y": Y, "sample_weight": WEIGHT}),
    "pairs": (rocviz.pairwise_loss, {"y_true": Y, "y_score": PROB}),
    "thresholds": (core.calibration.entropy_thresholds, {"X": X, "y": Y}),
    "display": (rocviz.ROCHullDisplay.from_predictions, {"y_true": Y, "y_score": PROB}),
    "reliability": (rocviz.ReliabilityDisplay.from_predictions, {"y_true": Y, "y_prob": PROB}),
    "ROCExplorer": (rocviz.ROCExplorer, {"y_true": Y, "y_score": PROB, "sample_weight": WEIGHT}),
    "DecisionExplorer": (rocviz.DecisionExplorer, {"y_true": Y, "y_prob": PROB}),
    "EnsembleExplorer": (rocviz.EnsembleExplorer, {"y_true": Y, "scores": BOTH}),
    "GroupsExplorer": (rocviz.GroupsExplorer, {"y_true": Y, "y_score": PROB, "groups": GROUP}),
    "LexicographicExplorer": (rocviz.LexicographicExplorer, {"X": X, "y": Y}),
    "RankingLossExplorer": (rocviz.RankingLossExplorer, {"X": BOTH, "y": Y}),
    "HullCalibratedClassifier": (
        rocviz.HullCalibratedClassifier(GaussianNB()).fit,
        {"X": BOTH, "y": Y, "sample_weight": WEIGHT},
    ),
    "DecisionTheoreticClassifier": (
        rocviz.DecisionTheoreticClassifier(GaussianNB()).fit,
        {"X": BOTH, "y": Y},
    ),
    "GroupThresholdClassifier": (
        rocviz.GroupThresholdClassifier(GaussianNB()).fit,
        {"X": BOTH, "y": Y, "groups": GROUP},
    ),
    "FiDELClassifier": (rocviz.FiDELClassifier(TWO).fit, {"X": BOTH, "y": Y}),
    "LexRank": (rocviz.LexRank().fit, {"X": X, "y": Y, "sample_weight": WEIGHT}),
    "RankIsotonicClassifier": (rocviz.RankIsotonicClassifier().fit, {"X": BOTH, "y": Y}),
    "ProbabilisticScoringList": (rocviz.ProbabilisticScoringList().fit, {"X": X, "y": Y}),
}
CASES = [(door, name) for door, (_, given) in DOORS.items() for name in list(given)[1:]]


@pytest.mark.parametrize(("door", "name"), CASES)
def test_rows_in_another_order_are_refused(door, name):
    call, given = DOORS[door]
    with pytest.raises(ValueError, match=rf"{name}.* in another order. Align it"):
        call(**{**given, name: given[name].iloc[::-1]})


@pytest.mark.parametrize("door", DOORS)
def test_rows_in_the_same_order_and_other_rows_are_matched_by_their_places(door):
    call, given = DOORS[door]
    name = list(given)[-1]
    numbered = given[name].reset_index(drop=True)
    for last in (given[name], numbered, numbered.iloc[::-1]):
        opened = call(**{**given, name: last})
        if hasattr(opened, "close"):
            opened.close()


def test_some_rows_of_others_and_lists_are_no_reason_to_refuse():
    check_aligned(a=Y, b=Y.iloc[:3], c=[1], d=None, e=Y.to_numpy())
    check_aligned(a=Y, b=Y.rename({"row 0": "new"}).iloc[::-1])
