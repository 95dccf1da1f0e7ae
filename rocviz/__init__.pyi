from . import core as core
from . import datasets as datasets
from . import displays as displays
from . import estimators as estimators
from . import exercises as exercises
from . import stories as stories
from . import widgets as widgets
from .core.calibration.brier import brier_decomposition as brier_decomposition
from .core.calibration.calibration import calibration_map as calibration_map
from .core.comparison.comparison import compare_classifiers as compare_classifiers
from .core.curve_spaces.space_curve import space_curve as space_curve
from .core.decisions.decision import optimal_decision as optimal_decision
from .core.decisions.label_utility import expected_utility as expected_utility
from .core.ensembles.fidel import fidel_combine as fidel_combine
from .core.ensembles.simulate_classifiers import simulate_classifiers as simulate_classifiers
from .core.fermi_dirac.fermi_dirac import FermiDirac as FermiDirac
from .core.lexicographic.lexicographic import lex_order as lex_order
from .core.multiclass.best_point import best_simplex_point as best_simplex_point
from .core.multiclass.hand_till import hand_till_auc as hand_till_auc
from .core.ranking_loss.ranking_loss import pairwise_loss as pairwise_loss
from .core.roc.auc_intervals import auc_interval as auc_interval
from .core.roc.bands import roc_band as roc_band
from .core.roc.binormal import binormal_scores as binormal_scores
from .core.roc.coverage import simulate_coverage as simulate_coverage
from .core.roc.metrics import ConfusionTable as ConfusionTable
from .core.roc.segments import RankedSegments as RankedSegments
from .core.scoring_lists.scoring_list import ScoringList as ScoringList
from .displays.calibration.brier import BrierDisplay as BrierDisplay
from .displays.calibration.calibration_map import CalibrationMapDisplay as CalibrationMapDisplay
from .displays.calibration.reliability import ReliabilityDisplay as ReliabilityDisplay
from .displays.comparison.comparison import ModelComparisonDisplay as ModelComparisonDisplay
from .displays.comparison.cross_validation import CrossValidationDisplay as CrossValidationDisplay
from .displays.curve_spaces.curve_space import CurveSpaceDisplay as CurveSpaceDisplay
from .displays.decisions.decision import DecisionDisplay as DecisionDisplay
from .displays.ensembles.ensemble import EnsembleDisplay as EnsembleDisplay
from .displays.fermi_dirac.experiment import (
    FermiDiracExperimentDisplay as FermiDiracExperimentDisplay,
)
from .displays.fermi_dirac.fermi_dirac import FermiDiracDisplay as FermiDiracDisplay
from .displays.fermi_dirac.surface import FermiDiracSurfaceDisplay as FermiDiracSurfaceDisplay
from .displays.groups.groups import GroupsDisplay as GroupsDisplay
from .displays.lexicographic.lexicographic import LexicographicDisplay as LexicographicDisplay
from .displays.multiclass.multiclass import MulticlassDisplay as MulticlassDisplay
from .displays.ranking_loss.bound import RankingBoundDisplay as RankingBoundDisplay
from .displays.ranking_loss.experiment import RankingExperimentDisplay as RankingExperimentDisplay
from .displays.roc.auc_interval import AUCIntervalDisplay as AUCIntervalDisplay
from .displays.roc.pairs import PairsDisplay as PairsDisplay
from .displays.roc.roc import ROCHullDisplay as ROCHullDisplay
from .displays.scoring_lists.score_card import ScoreCardDisplay as ScoreCardDisplay
from .displays.scoring_lists.stage import StageDisplay as StageDisplay
from .estimators.calibration.calibrator import HullCalibrator as HullCalibrator
from .estimators.calibration.hull import HullCalibratedClassifier as HullCalibratedClassifier
from .estimators.decisions.decision import (
    DecisionTheoreticClassifier as DecisionTheoreticClassifier,
)
from .estimators.decisions.empirical_utility import (
    EmpiricalUtilityClassifier as EmpiricalUtilityClassifier,
)
from .estimators.ensembles.fidel import FiDELClassifier as FiDELClassifier
from .estimators.groups.group_threshold import (
    GroupThresholdClassifier as GroupThresholdClassifier,
)
from .estimators.lexicographic.lexicographic import LexRank as LexRank
from .estimators.lexicographic.lexprob import LexProb as LexProb
from .estimators.multiclass.calibrated import (
    SimplexCalibratedClassifier as SimplexCalibratedClassifier,
)
from .estimators.multiclass.threshold import (
    SimplexThresholdClassifier as SimplexThresholdClassifier,
)
from .estimators.ranking_loss.combined_ranking import (
    CombinedRegressionRanking as CombinedRegressionRanking,
)
from .estimators.ranking_loss.rank_isotonic import RankIsotonicClassifier as RankIsotonicClassifier
from .estimators.scoring_lists.binarizer import EntropyBinarizer as EntropyBinarizer
from .estimators.scoring_lists.ranker import ScoringListRanker as ScoringListRanker
from .estimators.scoring_lists.scoring_list import (
    ProbabilisticScoringList as ProbabilisticScoringList,
)
from .report.report import evaluation_report as evaluation_report
from .theme import get_theme as get_theme
from .theme import set_theme as set_theme
from .widgets.base.stories.steps import Question as Question
from .widgets.base.stories.steps import Step as Step
from .widgets.base.stories.steps import read_steps as read_steps
from .widgets.base.stories.story import Story as Story
from .widgets.decisions.explorer import DecisionExplorer as DecisionExplorer
from .widgets.ensembles.explorer import EnsembleExplorer as EnsembleExplorer
from .widgets.fermi_dirac.explorer import FermiDiracExplorer as FermiDiracExplorer
from .widgets.groups.explorer import GroupsExplorer as GroupsExplorer
from .widgets.lexicographic.explorer import LexicographicExplorer as LexicographicExplorer
from .widgets.multiclass.explorer import MulticlassExplorer as MulticlassExplorer
from .widgets.ranking_loss.explorer import RankingLossExplorer as RankingLossExplorer
from .widgets.roc.explorer import ROCExplorer as ROCExplorer
from .widgets.scoring_lists.explorer import ScoringListExplorer as ScoringListExplorer

__version__: str
