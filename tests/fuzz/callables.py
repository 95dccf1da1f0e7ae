"""Every public callable with valid arguments, so that each can be made invalid in turn.

Found by looking: all of ``rocviz.__all__`` and ``rocviz.datasets``, methods and
constructors included, functions that docs/api.md writes with their module, and what asks and
answers exercises. Arguments are found by their names; only what
a name does not tell stands in :data:`ARGUMENTS`.
A new callable whose arguments nobody told of fails ``test_every_callable_is_known``.
"""

import inspect
import re
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import rocviz
from rocviz import datasets, exercises
from rocviz.core.calibration import calibration_summary, flexible_calibration
from rocviz.core.comparison import (
    compare_folds,
    compare_net_benefit,
    fold_average,
    hull_over_models,
)
from rocviz.core.curve_spaces import net_benefit_band
from rocviz.core.decisions import (
    LinearFractional,
    best_empirical_threshold,
    parse_formula,
    resolve_metric,
    threshold_interval,
    utility_distribution,
)
from rocviz.core.ensembles import ensemble_experiment
from rocviz.core.fermi_dirac import fermi_dirac_experiment, fermi_dirac_surface
from rocviz.core.groups import (
    GroupRule,
    abroca,
    cost_optimal_policy,
    criterion_curve,
    cross_auc,
    group_summary,
)
from rocviz.core.lexicographic import lexicographic_tree
from rocviz.core.multiclass import batch_labels, confusion_matrix, multiclass_brier, simplex_map
from rocviz.core.practice import compare_sites, random_effects, referral_policy, update_model
from rocviz.core.ranking_loss import PairwiseLoss, simulate_capped_link
from rocviz.core.roc import ScoreCounts, rank_pairs
from rocviz.core.scoring_lists import learn_scoring_list
from rocviz.estimators.decisions import compare_decisions, consistency_experiment
from rocviz.estimators.ensembles import compare_strategies
from rocviz.estimators.ranking_loss import compare_ranking_methods, synthetic_ranking_experiment

Y = np.array([0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0])
SCORE = np.array([0.1, 0.7, 0.3, 0.4, 0.9, 0.5, 0.8, 0.2, 0.6, 0.6, 0.35, 0.15])
G = np.repeat(["a", "b"], 6)
OTHER = np.array([0.3, 0.5, 0.2, 0.8, 0.7, 0.1, 0.4, 0.6, 0.35, 0.9, 0.25, 0.45])
X = np.column_stack((SCORE, OTHER))
BITS = (X > 0.5).astype(int)
KINDS = np.arange(12) % 3
SHARES = np.column_stack((SCORE, OTHER * (1 - SCORE), (1 - OTHER) * (1 - SCORE)))
TABLE = [{0: 0.4}, {0: 0.2, 1: 0.6}, {0: 0.1, 1: 0.5, 2: 0.7, 3: 0.9}]


def segments():
    return rocviz.RankedSegments.from_scores(Y, SCORE)


def model():
    return LogisticRegression().fit(X, Y)


def classes_model():
    return LogisticRegression().fit(X, KINDS)


def members():
    return [("bayes", GaussianNB()), ("logistic", LogisticRegression())]


def law():
    return rocviz.FermiDirac.from_auc(0.8, 10, 15)


def learned():
    return learn_scoring_list(BITS, Y)


def scoring_list():
    return rocviz.ScoringList.from_table([1, 2], TABLE, feature_names=["a", "b"])


def counted_list():
    return rocviz.ScoringList.from_counts([0, 1], [1, 2], BITS, Y)


def lex_order():
    return rocviz.lex_order(BITS, Y)


def tree():
    return lexicographic_tree(BITS, Y, lex_order())


def written():
    return rocviz.ProbabilisticScoringList.from_table([1, 2], TABLE)


def surface():
    return fermi_dirac_surface([0.7, 0.8], [0.4, 0.5])


def experiment_of_ensembles():
    return ensemble_experiment((2,), (0.0,), n_repeats=2, random_state=0)


def compared():
    return rocviz.compare_classifiers(Y, {"a": SCORE, "b": OTHER}, n_resamples=0)


def averaged():
    return fold_average([segments(), segments()])


def cross_validated():
    halves = [np.arange(6), np.arange(6, 12)]
    return {"estimator": [model(), model()], "indices": {"test": halves, "train": halves[::-1]}}


def rankings():
    return {
        name: rocviz.RankedSegments.from_scores(Y[name == G], SCORE[name == G]) for name in "ab"
    }


def law_experiment():
    return fermi_dirac_experiment(
        40, prevalence=[0.4, 0.5], auc=[0.7, 0.8], n_repeats=2, random_state=0
    )


def ranking_experiment():
    return synthetic_ranking_experiment(
        [0.1], n_samples=60, n_test=60, n_repeats=2, methods=["linear"], random_state=0
    )


def comparison():
    return rocviz.compare_classifiers(Y, {"a": SCORE, "b": OTHER}, n_resamples=50)


def consistency():
    return consistency_experiment(n_train=[20], n_test=5, n_repeats=2, random_state=0)


def strategies():
    return compare_strategies(members(), np.tile(X, (9, 1)), np.tile(Y, 9), n_repeats=2)


def compared_decisions():
    return compare_decisions(
        LogisticRegression(), np.tile(X, (4, 1)), np.tile(Y, 4), metrics=("f",), n_repeats=2
    )


def explorer():
    return rocviz.ROCExplorer(panels=["roc"], n_samples=60, show_band=False)


def steps():
    return [rocviz.Step("a", "{result.table.tp:n}"), rocviz.Step("b", "c", {"threshold": 0.3})]


def given(**values):
    """Wrap constant values in functions that return a fresh copy."""
    return {
        name: value if callable(value) else partial(deepcopy, value)
        for name, value in values.items()
    }


#: Functions that make a valid value for each name of an argument.
NAMED = {
    **dict.fromkeys(("y_true", "y", "labels"), Y.copy),
    **dict.fromkeys(("y_score", "y_prob", "true_prob", "score", "x"), SCORE.copy),
    **dict.fromkeys(("scores", "X"), X.copy),
    **given(segments=segments, estimator=model, estimators=members, experiment=law_experiment),
    **given(random_state=0, n_resamples=50, n_repeats=2, n_samples=60, n_train=[20], n_test=30),
    **given(n_splits=2, auc=0.8, prevalence=0.4, n_pos=10, n_neg=15, fpr=0.25, tpr=0.75),
    **given(metric="f", space="precision_recall", text="2*u / (p + v)"),
    **given(order=[1, 0], preferred=[1, 0]),
}

#: Labels, scores and the group of each sample.
BY_GROUP = given(y_true=Y, y_score=SCORE, groups=G)

#: Labels of three classes, and a probability of each.
OF_CLASSES = given(y_true=KINDS, y_prob=SHARES, metric="accuracy")

#: Valid values of single callables, where the name of the argument does not determine them.
ARGUMENTS: dict[str, dict[str, Callable[[], Any]]] = {
    "AUCIntervalDisplay": given(intervals=lambda: [rocviz.auc_interval(Y, SCORE)]),
    "EnsembleDisplay": given(results=experiment_of_ensembles),
    "compare_folds": given(fold=lambda: np.repeat([0, 1], 6)),
    "average_precision": given(y_score=SCORE),
    "predictive_values": given(
        table=lambda: rocviz.ConfusionTable(tp=4, fp=2, fn=2, tn=4), prevalence=0.2
    ),
    "sensitivity_at_specificity": given(y_score=SCORE, specificity=0.7),
    "specificity_at_sensitivity": given(y_score=SCORE, sensitivity=0.7),
    "fold_average": given(y_score=SCORE, fold=lambda: np.repeat([0, 1], 6)),
    "CrossValidationDisplay": given(average=averaged),
    "CrossValidationDisplay.from_predictions": given(fold=lambda: np.repeat([0, 1], 6)),
    "CrossValidationDisplay.from_cv_results": given(cv_results=cross_validated),
    "ModelComparisonDisplay": given(results=compared),
    "EnsembleDisplay.from_estimator": given(
        estimator=lambda: rocviz.FiDELClassifier(members()).fit(np.tile(X, (3, 1)), np.tile(Y, 3))
    ),
    "EnsembleDisplay.from_experiment": given(experiment=experiment_of_ensembles),
    "EnsembleExplorer.from_estimators": given(
        estimators=lambda: [(name, one.fit(X, Y)) for name, one in members()]
    ),
    "RankingExperimentDisplay": given(experiment=ranking_experiment),
    "RankingExperimentDisplay.from_experiment": given(experiment=ranking_experiment),
    "FermiDiracSurfaceDisplay": given(surface=surface),
    "DecisionDisplay": given(decisions=lambda: rocviz.optimal_decision(SCORE)),
    "LexicographicDisplay": given(order=lex_order, tree=tree, segments=segments),
    "LexicographicDisplay.from_estimator": given(
        estimator=lambda: rocviz.LexRank(categorical_features=[]).fit(X, Y)
    ),
    "LexicographicExplorer": given(X=BITS, y=Y),
    "LexicographicExplorer.from_estimator": given(estimator=lambda: rocviz.LexRank().fit(X, Y)),
    "RankingLossExplorer": given(X=X, y=Y),
    "StageDisplay": given(scoring_list=counted_list),
    "StageDisplay.from_estimator": given(
        estimator=lambda: rocviz.ProbabilisticScoringList().fit(X, Y)
    ),
    "ScoreCardDisplay": given(scoring_list=counted_list),
    "ScoreCardDisplay.from_estimator": given(
        estimator=lambda: rocviz.ProbabilisticScoringList().fit(X, Y)
    ),
    "ScoringListExplorer": given(scoring_list=counted_list),
    "ScoringListExplorer.from_estimator": given(
        estimator=lambda: rocviz.ProbabilisticScoringList().fit(X, Y)
    ),
    "CalibrationMapDisplay.from_stage": given(stage=lambda: counted_list().stages[2]),
    "ConfusionTable": given(tp=3, fp=1, fn=2, tn=5),
    "ConfusionTable.proportion": given(name="precision"),
    "ConfusionTable.interval": given(name="precision"),
    "ConfusionTable.metric": given(name="f1"),
    **dict.fromkeys(
        (
            *("at_prevalence", "cost_lines", "isotonic_loss", "partial_auc", "roc_band"),
            *("space_curve", "threshold_interval"),
        ),
        given(y_score=SCORE),
    ),
    **dict.fromkeys(("brier_bounds", "net_benefit_band"), given(y_prob=SCORE)),
    "best_empirical_threshold": given(y_prob=SCORE),
    "brier_decomposition": given(y_prob=SCORE),
    "RankingComparison.difference": given(method="linear"),
    "StrategyComparison.difference": given(strategy="disjoint"),
    "calibration_map": given(y_score=SCORE),
    "calibration_summary": given(y_prob=SCORE),
    "evaluation_report": given(y_score=SCORE),
    "flexible_calibration": given(y_prob=SCORE),
    "auc_interval": given(y_score=SCORE),
    "LexicographicOrder.rank": given(X=BITS),
    "LexicographicOrder.segments": given(X=BITS),
    "LexicographicTree.counts": given(depth=1),
    "LinearFractional": given(c=(2.0, 0.0, 0.0, 0.0), d=(0.0, 1.0, 1.0, 0.0)),
    "PairwiseLossAt.curvature": given(step=SCORE),
    "RankEnsemble.combine": given(new_scores=X),
    "RankEnsemble.ranks": given(new_scores=X),
    "RankEnsemble.select": given(members=[0]),
    "FermiDirac.from_parameters": given(beta=0.3, chemical_potential=8.0, n_samples=20),
    "FermiDirac.from_temperature": given(temperature=3.0),
    "RankedSegments": given(score=[0.9, 0.5, 0.1], pos=[2.0, 1.0, 0.0], neg=[0.0, 1.0, 2.0]),
    "RankedSegments.from_partitions": given(partitions=[(Y, SCORE), (Y, OTHER)]),
    "RowCounts.from_rows": given(X=BITS),
    "RowCounts.add": given(
        other=lambda: rocviz.core.scoring_lists.RowCounts.from_partitions([(BITS, Y)])
    ),
    "RowCounts.from_partitions": given(partitions=[(BITS, Y), (BITS, Y)]),
    "RankedSegments.coarsen": given(segment=1),
    "RankedSegments.merge": given(other=segments),
    "RankedSegments.with_scores": given(score=lambda: np.arange(len(segments()))[::-1]),
    "ScoreCounts.add": given(other=lambda: ScoreCounts.from_scores(Y, OTHER)),
    "ScoringList.from_table": given(scores=[1, 2], table=TABLE),
    "ScoringList.from_counts": given(features=[0, 1], scores=[1, 2], X=BITS),
    "ScoringList.with_scores": given(scores=[1, 1], X=BITS),
    "ScoringList.with_calibration": given(method="beta"),
    "ScoringList.evaluate": given(X=BITS),
    "ScoringList.from_dict": given(source=lambda: scoring_list().to_dict()),
    "ScoringList.predict_proba": given(X=BITS),
    "ScoringList.decide": given(X=BITS, lower=0.2, upper=0.8),
    "ScoringList.guaranteed_limit": given(X=BITS, npv=0.4),
    "ScoringList.guaranteed_limits": given(X=BITS, npv=0.4, ppv=0.4),
    "ScoringStage": given(totals=[1, 0], probability=[0.8, 0.2]),
    "ScoringStage.fit": given(totals=[1, 0], pos=[3, 1], neg=[2, 4]),
    "ScoringStage.with_counts": given(pos=[1] * 4, neg=[2] * 4),
    "ScoringStage.probability_at": given(totals=[0, 3]),
    "ScoringList.binarize": given(X=BITS),
    "ScoringList.count": given(X=BITS),
    "ScoringList.interval": given(X=BITS),
    "ScoringList.predict": given(X=BITS),
    "ScoringList.risk_averse": given(X=BITS),
    "ScoringList.total_scores": given(X=BITS),
    "ScoringList.stage_number": given(stage=1),
    "ProbabilisticScoringList.stage": given(k=1),
    "ProbabilisticScoringList.guaranteed_limit": given(npv=0.4),
    "ProbabilisticScoringList.guaranteed_limits": given(npv=0.4, ppv=0.4),
    "ProbabilisticScoringList.stage_number": given(stage=1),
    "ProbabilisticScoringList.from_dict": given(source=lambda: written().to_dict()),
    "ProbabilisticScoringList.from_table": given(scores=[1, 2], table=TABLE),
    "GroupSummary.interval": given(group="a", rate="tpr"),
    "ScoringListRanker.fit": given(y=Y),
    "ScoringListRanker.score": given(y=Y),
    "RankedSegments.at_threshold": given(threshold=0.5),
    "map_from_roc": given(fpr=[0.1, 0.5], tpr=[0.4, 0.9]),
    "map_isometric": given(fpr=[0.1, 0.5], tpr=[0.4, 0.9]),
    "SpaceCurve.nearest_threshold_index": given(x=0.3, y=0.4),
    "auc_sample_size": given(width=0.1),
    "calibration_sample_size": given(auc=0.8, prevalence=0.4, width=0.2),
    "net_benefit_sample_size": given(threshold=0.2, auc=0.8, width=0.2),
    "auc_test": given(y_score_a=SCORE, y_score_b=OTHER),
    "binomial_interval": given(successes=[3, 4], trials=[9, 9]),
    "ensemble_experiment": given(n_classifiers=[2], correlation=[0.1], n_validation=50, n_test=50),
    "fermi_dirac_experiment": given(prevalence=[0.4], auc=[0.8]),
    "fermi_dirac_surface": given(prevalence=[0.4], auc=[0.8]),
    "FermiDiracSurfaceDisplay.from_grid": given(prevalence=[0.4, 0.5], auc=[0.7, 0.8]),
    "abroca": given(**BY_GROUP, n_permutations=100),
    "referral_policy": given(y_true=Y, y_score=SCORE, cost_referral=0.2),
    "compare_sites": given(sites=G),
    "ReferralDisplay": given(
        segments=segments, policy=lambda: referral_policy(segments(), cost_referral=0.2)
    ),
    "ReferralDisplay.from_predictions": given(y_true=Y, y_score=SCORE, cost_referral=0.2),
    "ReferralDisplay.from_estimator": given(y=Y, cost_referral=0.2),
    "RankedPairs": given(
        pos_score=[0.9, 0.4], neg_score=[0.6, 0.1], pos_weight=[1, 1], neg_weight=[1, 2]
    ),
    "PairsDisplay": given(pairs=lambda: rank_pairs(Y, SCORE)),
    "SitesDisplay": given(comparison=lambda: compare_sites(Y, SCORE, G)),
    "SitesDisplay.from_predictions": given(sites=G),
    "SitesDisplay.from_estimator": given(y=Y, sites=G),
    "random_effects": given(estimate=[0.1, 0.4, 0.3], standard_error=[0.1, 0.2, 0.1]),
    "cost_optimal_policy": BY_GROUP,
    "criterion_curve": BY_GROUP,
    "cross_auc": BY_GROUP,
    "group_summary": BY_GROUP,
    "common_region": BY_GROUP,
    "policy_at": BY_GROUP | given(points={"a": (0.2, 0.5), "b": (0.4, 0.6)}),
    "policy_through": BY_GROUP | given(group="a"),
    "fpr_of_precision": given(precision=[0.7], tpr=[0.5]),
    "GroupRule": given(upper_threshold=0.7, lower_threshold=0.4),
    "GroupPolicy.probability": given(groups=G),
    "datasets.load_class_scores": given(name="iris"),
    "datasets.make_groups": given(n_samples=(30, 30)),
    "GroupsDisplay": given(rankings=rankings, policy=lambda: cost_optimal_policy(rankings())),
    "GroupsDisplay.from_predictions": BY_GROUP,
    "GroupsDisplay.from_estimator": given(groups=G),
    "GroupsExplorer": BY_GROUP,
    "GroupsExplorer.from_predictions": BY_GROUP,
    "GroupsExplorer.from_estimator": given(y=Y, groups=G),
    "ROCExplorer.from_estimator": given(y=Y),
    "FermiDiracExplorer.from_estimator": given(y=Y),
    **dict.fromkeys(
        (
            *("hand_till_auc", "best_simplex_point", "one_vs_rest", "MulticlassDisplay"),
            *("multiclass_brier", "classwise_calibration_error", "simplex_map"),
        ),
        OF_CLASSES,
    ),
    "MulticlassDisplay.from_predictions": OF_CLASSES,
    "MulticlassExplorer": OF_CLASSES,
    "MulticlassExplorer.from_predictions": OF_CLASSES,
    "MulticlassExplorer.from_estimator": given(estimator=classes_model, y=KINDS),
    "MulticlassDisplay.from_estimator": given(estimator=classes_model, y=KINDS),
    "hand_till_covariance": given(y_true=KINDS, y_probs=lambda: {"a": SHARES.copy()}),
    "ordered_volume": given(y_true=KINDS, classes=[0, 1, 2]),
    "batch_labels": given(y_prob=SHARES, metric="macro_f1"),
    "label_at_point": given(y_prob=SHARES, point=[0.2, 0.3, 0.5]),
    "label_regions": given(point=[0.2, 0.3, 0.5]),
    "cost_optimal_labels": given(y_prob=SHARES, cost_matrix=lambda: 1 - np.eye(3)),
    "point_of_costs": given(costs=[1.0, 2.0, 3.0]),
    "shift_point": given(point=[0.2, 0.3, 0.5], prior=[0.2, 0.3, 0.5], new_prior=[0.4, 0.3, 0.3]),
    "shift_priors": given(y_prob=SHARES, prior=[0.2, 0.3, 0.5], new_prior=[0.4, 0.3, 0.3]),
    "confusion_matrix": given(y_true=KINDS, y_pred=KINDS[::-1]),
    "ConfusionMatrix": given(classes=("a", "b"), counts=[[3.0, 1], [2, 4]]),
    "ConfusionMatrix.metric": given(name="mcc"),
    "ConfusionMatrix.table": given(label=1),
    "holm": given(p_values=[0.01, 0.2]),
    "hull_over_models": given(scores={"a": OTHER, "b": [*OTHER[1:], OTHER[0]]}),
    "isometric": given(metric="precision", value=0.6),
    "isometric_through": given(metric="precision"),
    "metric_value": given(metric="precision"),
    "learn_scoring_list": given(X=BITS, y=Y),
    "lex_order": given(X=BITS),
    "odds_ratios": given(X=BITS),
    "lexicographic_rank": given(X=BITS),
    "lexicographic_tree": given(X=BITS, order=lex_order),
    "simulate_classifiers": given(auc=[0.6, 0.7]),
    "simulate_coverage": given(methods=["delong"]),
    "synthetic_ranking_experiment": given(a_values=[0.1], methods=["linear"]),
    "compare_ranking_methods": given(
        X=lambda: np.tile(X, (9, 1)), y=lambda: np.tile(Y, 9), methods=["linear"], prevalence=0.2
    ),
    "Question": given(choices=["a", "b"], answer=0, text="?"),
    "Step": given(title="a", text="{state.threshold:.2f}"),
    "Story": given(explorer=explorer, steps=steps),
    "Story.frames": given(index=1),
    "Story.go": given(index=1),
    "Story.show": given(index=1),
    "Story.record": given(most=3),
    "compare_decisions": given(
        X=lambda: np.tile(X, (4, 1)),
        y=lambda: np.tile(Y, 4),
        metrics=("f",),
        estimator=LogisticRegression,
    ),
    "compare_strategies": given(X=lambda: np.tile(X, (9, 1)), y=lambda: np.tile(Y, 9)),
    "consistency_experiment": given(n_test=5),
    "is_monotonic": given(n=5),
    "midpoints": given(values=SCORE),
    "algorithm_2": given(y_prob=SCORE[:6]),
    "stops": given(stage=lambda: counted_list().stages[2], lower=0.2, upper=0.8),
    "stage_loss": given(pos=[1.0, 2.0, 3.0], neg=[2.0, 2.0, 0.0]),
    "predicts_positive": given(probability=SCORE),
    "exercises.check": given(name=lambda: exercises.names()[0], answer=0.5),
    "exercises.hint": given(name=lambda: exercises.names()[0]),
    "exercises.question": given(name=lambda: exercises.names()[0]),
    "exercises.import_progress": given(line=exercises.export_progress),
}

#: One of each class whose methods are called; an estimator is fitted.
INSTANCES: dict[str, Callable[[], Any]] = {
    "AUCCovariance": lambda: comparison().areas,
    "BrierDecomposition": lambda: rocviz.brier_decomposition(Y, SCORE),
    "CalibrationMap": lambda: rocviz.calibration_map(segments()),
    "CalibrationSummary": lambda: calibration_summary(Y, SCORE, n_resamples=0),
    "CappedLinkSamples": lambda: simulate_capped_link(20, random_state=0),
    "ClassifierComparison": comparison,
    "ConfusionTable": lambda: rocviz.ConfusionTable(3, 1, 2, 5),
    "ConsistencyExperiment": consistency,
    "CoverageResult": lambda: rocviz.simulate_coverage(
        30, 0.4, 0.8, methods=["delong"], n_repeats=5, random_state=0
    ),
    "Decision": lambda: rocviz.optimal_decision(SCORE),
    "DecisionComparison": compared_decisions,
    "EmpiricalThreshold": lambda: best_empirical_threshold(Y, SCORE),
    "EnsembleExperiment": experiment_of_ensembles,
    "EnsembleScores": lambda: rocviz.fidel_combine(Y, X),
    "FermiDirac": law,
    "FermiDiracExperiment": law_experiment,
    "FermiDiracSurface": lambda: fermi_dirac_surface([0.7], [0.4]),
    "Formula": lambda: parse_formula("u + v + p"),
    "ABROCA": lambda: abroca(rankings(), n_permutations=100, random_state=0),
    "CriterionCurve": lambda: criterion_curve(rankings()),
    "CrossAUC": lambda: cross_auc(rankings()),
    "GroupPolicy": lambda: cost_optimal_policy(rankings(), criterion="equalized_odds"),
    "ReferralPolicy": lambda: referral_policy(segments(), max_referred=0.2),
    "ModelUpdate": lambda: update_model(Y, SCORE, method="intercept"),
    "SiteComparison": lambda: compare_sites(Y, SCORE, G),
    "RandomEffects": lambda: random_effects([0.1, 0.4, 0.3], [0.1, 0.2, 0.1]),
    "GroupRule": lambda: GroupRule(0.7, 0.4, 0.5),
    "GroupSummary": lambda: group_summary(rankings()),
    "ConfusionMatrix": lambda: confusion_matrix(KINDS, KINDS[::-1]),
    "MulticlassAUC": lambda: rocviz.hand_till_auc(KINDS, SHARES),
    "BatchLabels": lambda: batch_labels(SHARES),
    "MulticlassBrier": lambda: multiclass_brier(KINDS, SHARES),
    "SimplexMap": lambda: simplex_map(KINDS, SHARES),
    "SimplexPoint": lambda: rocviz.best_simplex_point(KINDS, SHARES),
    "LearnedList": learned,
    "LexicographicOrder": lex_order,
    "LexicographicTree": tree,
    "LinearFractional": lambda: LinearFractional((2.0, 0, 0, 0), (0.0, 1, 1, 0)),
    "Metric": resolve_metric,
    "ModelHull": lambda: hull_over_models({"a": segments()}),
    "FlexibleCalibration": lambda: flexible_calibration(Y, SCORE, n_resamples=0),
    "FoldAverage": averaged,
    "NetBenefitBand": lambda: net_benefit_band(segments(), thresholds=0.3),
    "FoldComparison": lambda: compare_folds(Y, X, np.arange(len(Y)) * 2 // len(Y)),
    "NetBenefitComparison": lambda: compare_net_benefit(Y, X, 0.3),
    "PairwiseLoss": lambda: PairwiseLoss(Y),
    "PairwiseLossAt": lambda: PairwiseLoss(Y).at(SCORE),
    "ROCBand": lambda: rocviz.roc_band(segments(), n_resamples=50),
    "RankEnsemble": lambda: rocviz.fidel_combine(Y, X).ensemble,
    "RankedSegments": segments,
    "RankingComparison": lambda: compare_ranking_methods(
        np.tile(X, (9, 1)),
        np.tile(Y, 9),
        methods=["linear", "logistic"],
        n_repeats=2,
        random_state=0,
    ),
    "RankingExperiment": ranking_experiment,
    "RowCounts": lambda: rocviz.core.scoring_lists.RowCounts.from_partitions([(BITS, Y)]),
    "ScoreCounts": lambda: ScoreCounts.from_scores(Y, SCORE),
    "ScoringList": counted_list,
    "ScoringStage": lambda: counted_list().stages[2],
    "SimulatedClassifiers": lambda: rocviz.simulate_classifiers(20, [0.7], random_state=0),
    "SimulatedScores": lambda: rocviz.binormal_scores(20, random_state=0),
    "SpaceCurve": lambda: rocviz.space_curve(segments(), space="precision_recall"),
    "Story": lambda: rocviz.Story(explorer(), steps()),
    "StrategyComparison": strategies,
    "ThresholdInterval": lambda: threshold_interval(Y, SCORE, n_resamples=50),
    "ThinnedCurve": lambda: segments().thin(4),
    "UtilityDistribution": lambda: utility_distribution(Y, SCORE),
    "CalibrationMapDisplay": lambda: rocviz.CalibrationMapDisplay(segments()),
    "RankingBoundDisplay": lambda: rocviz.RankingBoundDisplay(),
    "ScoreCardDisplay": lambda: rocviz.ScoreCardDisplay(
        rocviz.ProbabilisticScoringList().fit(X, Y).scoring_list_
    ),
}

#: Classes that users are given and do not make: their constructors take what the core has checked.
GIVEN = {
    name
    for name in INSTANCES
    if name
    not in {
        "ConfusionMatrix",
        "ConfusionTable",
        "GroupRule",
        "LinearFractional",
        "PairwiseLoss",
        "RankedSegments",
        "ScoringStage",
        "Story",
        "CalibrationMapDisplay",
        "RankingBoundDisplay",
        "ScoreCardDisplay",
    }
} | {
    "AUCInterval", "AUCTest", "AveragePrecision", "BootstrapInterval", "CalibrationError",
    "FixedRate", "PredictiveValues",
    "DependentErrorsWarning", "Estimate", "PartialAUC", "RankingBoundExample", "RankingRegret",
    "OrderedVolume", "SampleSize", "SimulationStopped",
    "Monotonicity", "ReferralDraw", "UpdateMeasures",
}  # fmt: skip

#: Not asked: counts, bits and bands of what has been checked before; Dask's own arguments, which
#: need a cluster; files, which are the work of ``loaders.py``.
LEFT_OUT = {
    "Decisions",
    "ExhaustiveDecision",
    "MetricOption",
    "MetricOption.check",
    "MetricRow",
    "StageBand",
    "StageScores",
    "Story.to_html",
    "read_steps",
    "LexicographicOrder.check_columns",
    "LinearFractional.at_counts",
    "Metric.at_cells",
    "Metric.at_counts",
    "Metric.best",
    "RankedSegments.from_dask",
    "RankedSegments.from_files",
    "ScoreCardDisplay.save",
    "datasets.fetch_coimbra",
    "datasets.fetch_indian_liver",
    "read_partitions",
}
#: Matplotlib's axes, and a folder that files would be fetched into.
UNASKED = {"self", "ax", "data_home"}
#: Words that a message may use instead of the name of the argument.
ALSO = {
    "decision": "decisions",
    "k": "stage",
    "name": "exercise",
    "counts": "pos",
    "y": "y_true",
    "metrics": "metric",
    "estimator": "scoring_list",
    "text": "formula",
}


@dataclass
class Callable_:
    """One public callable: what to call, and with what."""

    name: str
    function: Callable[..., Any]
    right: dict[str, Callable[[], Any]]
    asked: tuple[str, ...]
    required: tuple[str, ...]
    words: frozenset[str]

    def arguments(self, **wrong):
        """List all arguments; the given ones replace the valid ones."""
        return {name: make() for name, make in {**self.right, **wrong}.items()}


def _options(function):
    """List the names of keywords that a signature takes as ``Unpack[...]``."""
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            kind = re.search(r"Unpack\[(\w+)\]", str(parameter.annotation))
            for module in list(sys.modules.values()) if kind else ():
                if module.__name__.startswith("rocviz.") and kind[1] in vars(module):
                    return tuple(vars(module)[kind[1]].__annotations__)
    return ()


def _described(name, function, call=None):
    parameters = list(inspect.signature(function).parameters.values())
    right, asked = {}, []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        if parameter.name in UNASKED:
            continue
        asked.append(parameter.name)
        own = ARGUMENTS.get(name, {}).get(parameter.name)
        if own is not None:
            right[parameter.name] = own
        elif parameter.name in NAMED and (
            parameter.default is parameter.empty or parameter.name.startswith(("n_", "random"))
        ):
            right[parameter.name] = NAMED[parameter.name]
    asked += _options(function)
    words = frozenset((*asked, *(ALSO[one] for one in asked if one in ALSO)))
    required = tuple(one.name for one in parameters if one.default is one.empty)
    required = tuple(one for one in required if one in asked)
    return Callable_(name, call or function, right, tuple(asked), required, words)


def _fitting(kind):
    """Make a function that constructs an estimator, fits it and predicts."""

    def fitted(**parameters):
        made = kind(**parameters).fit(X, Y)
        for method in (
            "predict_proba",
            "decision_function",
            "transform",
            "predicted_positive_probability",
        ):
            if hasattr(made, method):
                return getattr(made, method)(X)
        raise AssertionError(f"{kind.__name__} predicts nothing")

    return fitted


def _method(make, method):
    return lambda **arguments: getattr(make(), method)(**arguments)


def _of_class(name, kind):
    is_estimator = hasattr(kind, "get_params")
    make = INSTANCES.get(name)
    if is_estimator:
        described = _described(name, kind, _fitting(kind))
        # scikit-learn checks estimators inside, and says what they lack
        described.words |= {"X", "y"}
        yield described
        right = dict(described.right)
        make = make or (lambda: kind(**{key: value() for key, value in right.items()}).fit(X, Y))
    elif name not in GIVEN:
        yield _described(name, kind)
    methods = [
        method
        for method in dir(kind)
        if not method.startswith("_") and callable(inspect.getattr_static(kind, method, None))
    ]
    methods += [m for m in dir(kind) if isinstance(inspect.getattr_static(kind, m), classmethod)]
    if name == "CalibrationMap":
        methods.append("__call__")
    for method in dict.fromkeys(methods):
        function = getattr(kind, method)
        if method.startswith("_") and method != "__call__":
            continue
        if method in ("scores_of", "set_state"):
            continue  # an explorer's own; called by ipywidgets alone
        if not (getattr(function, "__module__", "") or "").startswith("rocviz"):
            continue
        static = inspect.getattr_static(kind, method)
        if name.endswith("Explorer") and not method.startswith("from_"):
            continue  # what an explorer does once it is open is that of its state, states.py
        if isinstance(static, classmethod | staticmethod):
            yield _described(f"{name}.{method}", function)
        elif make:
            # results are frozen, one serves all cases
            kept = make if is_estimator else cache(make)
            yield _described(f"{name}.{method}", function, _method(kept, method))


@cache
def public_callables():
    """List every public callable by name."""
    found = []
    ideas = [
        getattr(getattr(rocviz, layer), idea)
        for layer in ("core", "estimators")
        for idea in getattr(rocviz, layer).__all__
        if idea != "base"
    ]
    ideas.append(rocviz.displays.practice)  # of which the top level has no names
    public = {name: getattr(room, name) for room in [*ideas, rocviz] for name in room.__all__}
    for name, value in public.items():
        if inspect.isclass(value):
            found += _of_class(name, value)
        elif inspect.isfunction(value):
            found.append(_described(name, value))
    for name in datasets.__all__:
        found.append(_described(f"datasets.{name}", getattr(datasets, name)))
    for name in ("check", "hint", "names", "question", "import_progress"):
        found.append(_described(f"exercises.{name}", getattr(exercises, name)))
    return {one.name: one for one in found if one.name not in LEFT_OUT}
