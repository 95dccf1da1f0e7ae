"""ROC curves, rankings and probabilities: exact numbers, displays and interactive explorers.

This module only knows where the public names live. It imports them on first use, so that
``import rocviz`` loads no widget library, no plotting library and no scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocviz import core, datasets, displays, estimators, exercises, widgets
    from rocviz.core.base.progress import SimulationStopped
    from rocviz.core.calibration.binarize import entropy_threshold, entropy_thresholds
    from rocviz.core.calibration.brier import (
        BrierDecomposition,
        brier_decomposition,
        brier_of_segments,
    )
    from rocviz.core.calibration.calibration import (
        CalibrationMap,
        beta_map,
        hull_map,
        identity_map,
        isotonic_map,
        sigmoid_map,
    )
    from rocviz.core.calibration.shrunken_hull import (
        shrunken_hull_map,
    )
    from rocviz.core.decisions.decision import (
        Decision,
        UtilityDistribution,
        expected_utility,
        optimal_decision,
        plug_in_utilities,
        prefix_utilities,
        utility_distribution,
    )
    from rocviz.core.decisions.empirical_utility import EmpiricalThreshold, best_empirical_threshold
    from rocviz.core.decisions.formula import Formula, parse_formula
    from rocviz.core.decisions.linear_fractional import LinearFractional
    from rocviz.core.decisions.poisson_binomial import poisson_binomial_pmf
    from rocviz.core.decisions.utility import (
        Metric,
        TPMonotonicity,
        is_tp_monotonic,
        resolve_metric,
    )
    from rocviz.core.ensembles.experiment import (
        EnsembleExperiment,
        ensemble_experiment,
        ensemble_subsets,
    )
    from rocviz.core.ensembles.fidel import fidel_combine
    from rocviz.core.ensembles.rank_ensemble import EnsembleScores, RankEnsemble
    from rocviz.core.ensembles.simulate_classifiers import (
        SimulatedClassifiers,
        simulate_classifiers,
    )
    from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
    from rocviz.core.lexicographic.lexicographic import (
        LexicographicOrder,
        lex_order,
        lexicographic_rank,
        odds_ratios,
    )
    from rocviz.core.lexicographic.tree import LexicographicTree, lexicographic_tree
    from rocviz.core.ranking_loss.bound import (
        RankingBoundExample,
        isotonic_loss,
        printed_ranking_bound,
        ranking_bound,
        ranking_bound_examples,
        worst_ranking,
    )
    from rocviz.core.ranking_loss.capped_link import (
        CappedLinkSamples,
        simulate_capped_link,
    )
    from rocviz.core.ranking_loss.ranking_loss import (
        PairwiseLoss,
        PairwiseLossAt,
        pairwise_loss,
    )
    from rocviz.core.ranking_loss.results import (
        RankingComparison,
        RankingExperiment,
    )
    from rocviz.core.roc.auc_intervals import AUCInterval, auc_interval, auc_interval_of_segments
    from rocviz.core.roc.auc_test import AUCTest, auc_test
    from rocviz.core.roc.bands import ROCBand, roc_band
    from rocviz.core.roc.binomial_interval import binomial_interval
    from rocviz.core.roc.binormal import SimulatedScores, binormal_scores
    from rocviz.core.roc.confusion import ConfusionTable
    from rocviz.core.roc.coverage import CoverageResult, simulate_coverage
    from rocviz.core.roc.isometrics import isometric, isometric_through, metric_value
    from rocviz.core.roc.segments import RankedSegments, ThinnedCurve
    from rocviz.core.scoring_lists.scoring_list import ScoringList
    from rocviz.core.scoring_lists.search.search import (
        LearnedList,
        learn_from_pairs,
        learn_scoring_list,
    )
    from rocviz.core.scoring_lists.search.space import SearchSpace, search_space
    from rocviz.core.scoring_lists.stage import ScoringStage
    from rocviz.displays import (
        AUCIntervalDisplay,
        BrierDisplay,
        DecisionDisplay,
        EnsembleDisplay,
        FermiDiracDisplay,
        LexicographicDisplay,
        RankingBoundDisplay,
        RankingExperimentDisplay,
        ReliabilityDisplay,
        ROCHullDisplay,
        ScoreCardDisplay,
        StageDisplay,
    )
    from rocviz.estimators import (
        CombinedRegressionRanking,
        DecisionComparison,
        DecisionTheoreticClassifier,
        EmpiricalUtilityClassifier,
        EntropyBinarizer,
        FiDELClassifier,
        HullCalibratedClassifier,
        HullCalibrator,
        LexProb,
        LexRank,
        ProbabilisticScoringList,
        RankIsotonicClassifier,
        ScoringListRanker,
        StrategyComparison,
        compare_decisions,
        compare_ranking_methods,
        compare_strategies,
        synthetic_ranking_experiment,
    )
    from rocviz.theme import get_theme, set_theme
    from rocviz.widgets import (
        DecisionExplorer,
        EnsembleExplorer,
        FermiDiracExplorer,
        LexicographicExplorer,
        RankingLossExplorer,
        ROCExplorer,
        ScoringListExplorer,
    )

__version__ = "0.1.0"

_PUBLIC = {
    "AUCInterval": "rocviz.core.roc.auc_intervals",
    "AUCIntervalDisplay": "rocviz.displays",
    "AUCTest": "rocviz.core.roc.auc_test",
    "BrierDecomposition": "rocviz.core.calibration.brier",
    "BrierDisplay": "rocviz.displays",
    "CalibrationMap": "rocviz.core.calibration.calibration",
    "CappedLinkSamples": "rocviz.core.ranking_loss.capped_link",
    "CombinedRegressionRanking": "rocviz.estimators",
    "ConfusionTable": "rocviz.core.roc.confusion",
    "CoverageResult": "rocviz.core.roc.coverage",
    "Decision": "rocviz.core.decisions.decision",
    "DecisionComparison": "rocviz.estimators",
    "DecisionDisplay": "rocviz.displays",
    "DecisionExplorer": "rocviz.widgets",
    "DecisionTheoreticClassifier": "rocviz.estimators",
    "EmpiricalThreshold": "rocviz.core.decisions.empirical_utility",
    "EmpiricalUtilityClassifier": "rocviz.estimators",
    "EnsembleDisplay": "rocviz.displays",
    "EnsembleExperiment": "rocviz.core.ensembles.experiment",
    "EnsembleExplorer": "rocviz.widgets",
    "EnsembleScores": "rocviz.core.ensembles.rank_ensemble",
    "EntropyBinarizer": "rocviz.estimators",
    "FermiDirac": "rocviz.core.fermi_dirac.fermi_dirac",
    "FermiDiracDisplay": "rocviz.displays",
    "FermiDiracExplorer": "rocviz.widgets",
    "FiDELClassifier": "rocviz.estimators",
    "Formula": "rocviz.core.decisions.formula",
    "HullCalibratedClassifier": "rocviz.estimators",
    "HullCalibrator": "rocviz.estimators",
    "LearnedList": "rocviz.core.scoring_lists.search.search",
    "LexProb": "rocviz.estimators",
    "LexRank": "rocviz.estimators",
    "LexicographicDisplay": "rocviz.displays",
    "LexicographicExplorer": "rocviz.widgets",
    "LexicographicOrder": "rocviz.core.lexicographic.lexicographic",
    "LexicographicTree": "rocviz.core.lexicographic.tree",
    "LinearFractional": "rocviz.core.decisions.linear_fractional",
    "Metric": "rocviz.core.decisions.utility",
    "PairwiseLoss": "rocviz.core.ranking_loss.ranking_loss",
    "PairwiseLossAt": "rocviz.core.ranking_loss.ranking_loss",
    "ProbabilisticScoringList": "rocviz.estimators",
    "ROCBand": "rocviz.core.roc.bands",
    "ROCExplorer": "rocviz.widgets",
    "ROCHullDisplay": "rocviz.displays",
    "RankEnsemble": "rocviz.core.ensembles.rank_ensemble",
    "RankIsotonicClassifier": "rocviz.estimators",
    "RankedSegments": "rocviz.core.roc.segments",
    "RankingBoundDisplay": "rocviz.displays",
    "RankingBoundExample": "rocviz.core.ranking_loss.bound",
    "RankingComparison": "rocviz.core.ranking_loss.results",
    "RankingExperiment": "rocviz.core.ranking_loss.results",
    "RankingExperimentDisplay": "rocviz.displays",
    "RankingLossExplorer": "rocviz.widgets",
    "ReliabilityDisplay": "rocviz.displays",
    "ScoreCardDisplay": "rocviz.displays",
    "ScoringList": "rocviz.core.scoring_lists.scoring_list",
    "ScoringListExplorer": "rocviz.widgets",
    "ScoringListRanker": "rocviz.estimators",
    "ScoringStage": "rocviz.core.scoring_lists.stage",
    "SearchSpace": "rocviz.core.scoring_lists.search.space",
    "SimulatedClassifiers": "rocviz.core.ensembles.simulate_classifiers",
    "SimulatedScores": "rocviz.core.roc.binormal",
    "SimulationStopped": "rocviz.core.base.progress",
    "StageDisplay": "rocviz.displays",
    "StrategyComparison": "rocviz.estimators",
    "TPMonotonicity": "rocviz.core.decisions.utility",
    "ThinnedCurve": "rocviz.core.roc.segments",
    "UtilityDistribution": "rocviz.core.decisions.decision",
    "auc_interval": "rocviz.core.roc.auc_intervals",
    "auc_interval_of_segments": "rocviz.core.roc.auc_intervals",
    "auc_test": "rocviz.core.roc.auc_test",
    "best_empirical_threshold": "rocviz.core.decisions.empirical_utility",
    "beta_map": "rocviz.core.calibration.calibration",
    "binomial_interval": "rocviz.core.roc.binomial_interval",
    "binormal_scores": "rocviz.core.roc.binormal",
    "brier_decomposition": "rocviz.core.calibration.brier",
    "brier_of_segments": "rocviz.core.calibration.brier",
    "compare_decisions": "rocviz.estimators",
    "compare_ranking_methods": "rocviz.estimators",
    "compare_strategies": "rocviz.estimators",
    "ensemble_experiment": "rocviz.core.ensembles.experiment",
    "ensemble_subsets": "rocviz.core.ensembles.experiment",
    "entropy_threshold": "rocviz.core.calibration.binarize",
    "entropy_thresholds": "rocviz.core.calibration.binarize",
    "expected_utility": "rocviz.core.decisions.decision",
    "fidel_combine": "rocviz.core.ensembles.fidel",
    "get_theme": "rocviz.theme",
    "hull_map": "rocviz.core.calibration.calibration",
    "identity_map": "rocviz.core.calibration.calibration",
    "is_tp_monotonic": "rocviz.core.decisions.utility",
    "isometric": "rocviz.core.roc.isometrics",
    "isometric_through": "rocviz.core.roc.isometrics",
    "isotonic_loss": "rocviz.core.ranking_loss.bound",
    "isotonic_map": "rocviz.core.calibration.calibration",
    "learn_from_pairs": "rocviz.core.scoring_lists.search.search",
    "learn_scoring_list": "rocviz.core.scoring_lists.search.search",
    "lex_order": "rocviz.core.lexicographic.lexicographic",
    "lexicographic_rank": "rocviz.core.lexicographic.lexicographic",
    "lexicographic_tree": "rocviz.core.lexicographic.tree",
    "metric_value": "rocviz.core.roc.isometrics",
    "odds_ratios": "rocviz.core.lexicographic.lexicographic",
    "optimal_decision": "rocviz.core.decisions.decision",
    "pairwise_loss": "rocviz.core.ranking_loss.ranking_loss",
    "parse_formula": "rocviz.core.decisions.formula",
    "plug_in_utilities": "rocviz.core.decisions.decision",
    "poisson_binomial_pmf": "rocviz.core.decisions.poisson_binomial",
    "prefix_utilities": "rocviz.core.decisions.decision",
    "printed_ranking_bound": "rocviz.core.ranking_loss.bound",
    "ranking_bound": "rocviz.core.ranking_loss.bound",
    "ranking_bound_examples": "rocviz.core.ranking_loss.bound",
    "resolve_metric": "rocviz.core.decisions.utility",
    "roc_band": "rocviz.core.roc.bands",
    "search_space": "rocviz.core.scoring_lists.search.space",
    "set_theme": "rocviz.theme",
    "shrunken_hull_map": "rocviz.core.calibration.shrunken_hull",
    "sigmoid_map": "rocviz.core.calibration.calibration",
    "simulate_capped_link": "rocviz.core.ranking_loss.capped_link",
    "simulate_classifiers": "rocviz.core.ensembles.simulate_classifiers",
    "simulate_coverage": "rocviz.core.roc.coverage",
    "synthetic_ranking_experiment": "rocviz.estimators",
    "utility_distribution": "rocviz.core.decisions.decision",
    "worst_ranking": "rocviz.core.ranking_loss.bound",
}
_SUBPACKAGES = ("core", "datasets", "displays", "estimators", "exercises", "widgets")

__all__ = [
    "AUCInterval",
    "AUCIntervalDisplay",
    "AUCTest",
    "BrierDecomposition",
    "BrierDisplay",
    "CalibrationMap",
    "CappedLinkSamples",
    "CombinedRegressionRanking",
    "ConfusionTable",
    "CoverageResult",
    "Decision",
    "DecisionComparison",
    "DecisionDisplay",
    "DecisionExplorer",
    "DecisionTheoreticClassifier",
    "EmpiricalThreshold",
    "EmpiricalUtilityClassifier",
    "EnsembleDisplay",
    "EnsembleExperiment",
    "EnsembleExplorer",
    "EnsembleScores",
    "EntropyBinarizer",
    "FermiDirac",
    "FermiDiracDisplay",
    "FermiDiracExplorer",
    "FiDELClassifier",
    "Formula",
    "HullCalibratedClassifier",
    "HullCalibrator",
    "LearnedList",
    "LexProb",
    "LexRank",
    "LexicographicDisplay",
    "LexicographicExplorer",
    "LexicographicOrder",
    "LexicographicTree",
    "LinearFractional",
    "Metric",
    "PairwiseLoss",
    "PairwiseLossAt",
    "ProbabilisticScoringList",
    "ROCBand",
    "ROCExplorer",
    "ROCHullDisplay",
    "RankEnsemble",
    "RankIsotonicClassifier",
    "RankedSegments",
    "RankingBoundDisplay",
    "RankingBoundExample",
    "RankingComparison",
    "RankingExperiment",
    "RankingExperimentDisplay",
    "RankingLossExplorer",
    "ReliabilityDisplay",
    "ScoreCardDisplay",
    "ScoringList",
    "ScoringListExplorer",
    "ScoringListRanker",
    "ScoringStage",
    "SearchSpace",
    "SimulatedClassifiers",
    "SimulatedScores",
    "SimulationStopped",
    "StageDisplay",
    "StrategyComparison",
    "TPMonotonicity",
    "ThinnedCurve",
    "UtilityDistribution",
    "__version__",
    "auc_interval",
    "auc_interval_of_segments",
    "auc_test",
    "best_empirical_threshold",
    "beta_map",
    "binomial_interval",
    "binormal_scores",
    "brier_decomposition",
    "brier_of_segments",
    "compare_decisions",
    "compare_ranking_methods",
    "compare_strategies",
    "core",
    "datasets",
    "displays",
    "ensemble_experiment",
    "ensemble_subsets",
    "entropy_threshold",
    "entropy_thresholds",
    "estimators",
    "exercises",
    "expected_utility",
    "fidel_combine",
    "get_theme",
    "hull_map",
    "identity_map",
    "is_tp_monotonic",
    "isometric",
    "isometric_through",
    "isotonic_loss",
    "isotonic_map",
    "learn_from_pairs",
    "learn_scoring_list",
    "lex_order",
    "lexicographic_rank",
    "lexicographic_tree",
    "metric_value",
    "odds_ratios",
    "optimal_decision",
    "pairwise_loss",
    "parse_formula",
    "plug_in_utilities",
    "poisson_binomial_pmf",
    "prefix_utilities",
    "printed_ranking_bound",
    "ranking_bound",
    "ranking_bound_examples",
    "resolve_metric",
    "roc_band",
    "search_space",
    "set_theme",
    "shrunken_hull_map",
    "sigmoid_map",
    "simulate_capped_link",
    "simulate_classifiers",
    "simulate_coverage",
    "synthetic_ranking_experiment",
    "utility_distribution",
    "widgets",
    "worst_ranking",
]


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return import_module(f"rocviz.{name}")
    try:
        module = _PUBLIC[name]
    except KeyError:
        raise AttributeError(f"module 'rocviz' has no attribute {name!r}") from None
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
