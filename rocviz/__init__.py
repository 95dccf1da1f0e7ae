"""ROC curves, rankings and probabilities: exact numbers, displays and interactive explorers.

This is the table of the public names. A name loads its module when it is first used, so that
``import rocviz`` loads no widget library, no plotting library and no scikit-learn.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocviz import (
        core as core,
        datasets as datasets,
        displays as displays,
        estimators as estimators,
        exercises as exercises,
        stories as stories,
        widgets as widgets,
    )
    from rocviz.core.base.progress import SimulationStopped as SimulationStopped
    from rocviz.core.calibration.binarize import (
        entropy_threshold as entropy_threshold,
        entropy_thresholds as entropy_thresholds,
    )
    from rocviz.core.calibration.brier import (
        BrierDecomposition as BrierDecomposition,
        brier_bounds as brier_bounds,
        brier_decomposition as brier_decomposition,
        brier_of_segments as brier_of_segments,
    )
    from rocviz.core.calibration.calibration import (
        CalibrationMap as CalibrationMap,
        beta_map as beta_map,
        hull_map as hull_map,
        identity_map as identity_map,
        isotonic_map as isotonic_map,
        sigmoid_map as sigmoid_map,
    )
    from rocviz.core.calibration.shrunken_hull import shrunken_hull_map as shrunken_hull_map
    from rocviz.core.comparison.auc_covariance import AUCCovariance as AUCCovariance, holm as holm
    from rocviz.core.comparison.bootstrap import (
        BootstrapInterval as BootstrapInterval,
        bootstrap_interval as bootstrap_interval,
    )
    from rocviz.core.comparison.calibration_error import (
        CalibrationError as CalibrationError,
        calibration_error as calibration_error,
    )
    from rocviz.core.comparison.comparison import (
        ClassifierComparison as ClassifierComparison,
        compare_classifiers as compare_classifiers,
    )
    from rocviz.core.comparison.fold_average import (
        FoldAverage as FoldAverage,
        fold_average as fold_average,
    )
    from rocviz.core.comparison.model_hull import (
        ModelHull as ModelHull,
        hull_over_models as hull_over_models,
    )
    from rocviz.core.curve_spaces.isometrics import (
        map_cut as map_cut,
        map_isometric as map_isometric,
    )
    from rocviz.core.curve_spaces.mapping import map_from_roc as map_from_roc
    from rocviz.core.curve_spaces.partial_auc import (
        PartialAUC as PartialAUC,
        partial_auc as partial_auc,
    )
    from rocviz.core.curve_spaces.prevalence import at_prevalence as at_prevalence
    from rocviz.core.curve_spaces.space_curve import (
        SpaceCurve as SpaceCurve,
        cost_lines as cost_lines,
        space_curve as space_curve,
    )
    from rocviz.core.decisions.decision import (
        Decision as Decision,
        optimal_decision as optimal_decision,
        plug_in_utilities as plug_in_utilities,
        prefix_utilities as prefix_utilities,
    )
    from rocviz.core.decisions.empirical_utility import (
        EmpiricalThreshold as EmpiricalThreshold,
        best_empirical_threshold as best_empirical_threshold,
    )
    from rocviz.core.decisions.formula import Formula as Formula, parse_formula as parse_formula
    from rocviz.core.decisions.label_utility import (
        UtilityDistribution as UtilityDistribution,
        expected_utility as expected_utility,
        utility_distribution as utility_distribution,
    )
    from rocviz.core.decisions.linear_fractional import LinearFractional as LinearFractional
    from rocviz.core.decisions.monotonicity import (
        TPMonotonicity as TPMonotonicity,
        TPRTNRMonotonicity as TPRTNRMonotonicity,
        is_tp_monotonic as is_tp_monotonic,
        is_tpr_tnr_monotonic as is_tpr_tnr_monotonic,
    )
    from rocviz.core.decisions.poisson_binomial import poisson_binomial_pmf as poisson_binomial_pmf
    from rocviz.core.decisions.utility import Metric as Metric, resolve_metric as resolve_metric
    from rocviz.core.ensembles.experiment import (
        EnsembleExperiment as EnsembleExperiment,
        ensemble_experiment as ensemble_experiment,
        ensemble_subsets as ensemble_subsets,
    )
    from rocviz.core.ensembles.dependence import (
        DependentErrorsWarning as DependentErrorsWarning,
    )
    from rocviz.core.ensembles.fidel import fidel_combine as fidel_combine
    from rocviz.core.ensembles.rank_ensemble import (
        EnsembleScores as EnsembleScores,
        RankEnsemble as RankEnsemble,
    )
    from rocviz.core.ensembles.simulate_classifiers import (
        SimulatedClassifiers as SimulatedClassifiers,
        simulate_classifiers as simulate_classifiers,
    )
    from rocviz.core.fermi_dirac.experiment import (
        FermiDiracExperiment as FermiDiracExperiment,
        FermiDiracSurface as FermiDiracSurface,
        fermi_dirac_experiment as fermi_dirac_experiment,
        fermi_dirac_surface as fermi_dirac_surface,
    )
    from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac as FermiDirac
    from rocviz.core.fermi_dirac.sample_size import (
        AUCSampleSize as AUCSampleSize,
        auc_sample_size as auc_sample_size,
    )
    from rocviz.core.lexicographic.lexicographic import (
        LexicographicOrder as LexicographicOrder,
        lex_order as lex_order,
        lexicographic_rank as lexicographic_rank,
        odds_ratios as odds_ratios,
    )
    from rocviz.core.lexicographic.tree import (
        LexicographicTree as LexicographicTree,
        lexicographic_tree as lexicographic_tree,
    )
    from rocviz.core.ranking_loss.bound import (
        RankingBoundExample as RankingBoundExample,
        isotonic_loss as isotonic_loss,
        printed_ranking_bound as printed_ranking_bound,
        ranking_bound as ranking_bound,
        ranking_bound_examples as ranking_bound_examples,
        simple_ranking_bound as simple_ranking_bound,
        worst_ranking as worst_ranking,
    )
    from rocviz.core.ranking_loss.capped_link import (
        CappedLinkSamples as CappedLinkSamples,
        simulate_capped_link as simulate_capped_link,
    )
    from rocviz.core.ranking_loss.ranking_loss import (
        PairwiseLoss as PairwiseLoss,
        PairwiseLossAt as PairwiseLossAt,
        pairwise_loss as pairwise_loss,
    )
    from rocviz.core.ranking_loss.results import (
        RankingComparison as RankingComparison,
        RankingExperiment as RankingExperiment,
    )
    from rocviz.core.roc.auc_intervals import (
        AUCInterval as AUCInterval,
        auc_interval as auc_interval,
        auc_interval_of_segments as auc_interval_of_segments,
    )
    from rocviz.core.roc.auc_test import AUCTest as AUCTest, auc_test as auc_test
    from rocviz.core.roc.bands import ROCBand as ROCBand, roc_band as roc_band
    from rocviz.core.roc.binomial_interval import binomial_interval as binomial_interval
    from rocviz.core.roc.binormal import (
        SimulatedScores as SimulatedScores,
        binormal_scores as binormal_scores,
    )
    from rocviz.core.roc.confusion import ConfusionTable as ConfusionTable
    from rocviz.core.roc.coverage import (
        CoverageResult as CoverageResult,
        simulate_coverage as simulate_coverage,
    )
    from rocviz.core.roc.files import read_partitions as read_partitions
    from rocviz.core.roc.isometrics import (
        isometric as isometric,
        isometric_through as isometric_through,
        metric_value as metric_value,
    )
    from rocviz.core.roc.partitions import ScoreCounts as ScoreCounts, count_scores as count_scores
    from rocviz.core.roc.segments import (
        RankedSegments as RankedSegments,
        ThinnedCurve as ThinnedCurve,
    )
    from rocviz.core.roc.unknown_order import (
        auc_bounds as auc_bounds,
        best_order as best_order,
        worst_order as worst_order,
    )
    from rocviz.core.scoring_lists.row_counts import (
        RowCounts as RowCounts,
        count_rows as count_rows,
    )
    from rocviz.core.scoring_lists.scoring_list import ScoringList as ScoringList
    from rocviz.core.scoring_lists.search.search import (
        LearnedList as LearnedList,
        learn_from_pairs as learn_from_pairs,
        learn_scoring_list as learn_scoring_list,
    )
    from rocviz.core.scoring_lists.search.space import (
        SearchSpace as SearchSpace,
        search_space as search_space,
    )
    from rocviz.core.scoring_lists.stage import ScoringStage as ScoringStage
    from rocviz.displays import *
    from rocviz.estimators import *
    from rocviz.theme import get_theme as get_theme, set_theme as set_theme
    from rocviz.widgets import (
        DecisionExplorer as DecisionExplorer,
        EnsembleExplorer as EnsembleExplorer,
        FermiDiracExplorer as FermiDiracExplorer,
        LexicographicExplorer as LexicographicExplorer,
        Question as Question,
        ROCExplorer as ROCExplorer,
        RankingLossExplorer as RankingLossExplorer,
        ScoringListExplorer as ScoringListExplorer,
        Step as Step,
        Story as Story,
        read_steps as read_steps,
    )
else:
    from rocviz._lazy import attach

    __getattr__, __dir__, __all__ = attach(__name__)
    __all__ += ["__version__"]

__version__ = "0.1.0"
