"""scikit-learn estimators over the core; knows nothing of plots or widgets."""

from rocviz.estimators.calibration.calibrator import HullCalibrator
from rocviz.estimators.calibration.hull import HullCalibratedClassifier
from rocviz.estimators.decisions.comparison import DecisionComparison, compare_decisions
from rocviz.estimators.decisions.decision import DecisionTheoreticClassifier
from rocviz.estimators.decisions.empirical_utility import EmpiricalUtilityClassifier
from rocviz.estimators.ensembles.fidel import FiDELClassifier
from rocviz.estimators.ensembles.strategies import StrategyComparison, compare_strategies
from rocviz.estimators.lexicographic.lexicographic import LexProb, LexRank
from rocviz.estimators.ranking_loss.combined_ranking import CombinedRegressionRanking
from rocviz.estimators.ranking_loss.comparison import compare_ranking_methods
from rocviz.estimators.ranking_loss.experiment import synthetic_ranking_experiment
from rocviz.estimators.ranking_loss.rank_isotonic import RankIsotonicClassifier
from rocviz.estimators.scoring_lists.binarizer import EntropyBinarizer
from rocviz.estimators.scoring_lists.ranker import ScoringListRanker
from rocviz.estimators.scoring_lists.scoring_list import ProbabilisticScoringList

__all__ = [
    "CombinedRegressionRanking",
    "DecisionComparison",
    "DecisionTheoreticClassifier",
    "EmpiricalUtilityClassifier",
    "EntropyBinarizer",
    "FiDELClassifier",
    "HullCalibratedClassifier",
    "HullCalibrator",
    "LexProb",
    "LexRank",
    "ProbabilisticScoringList",
    "RankIsotonicClassifier",
    "ScoringListRanker",
    "StrategyComparison",
    "compare_decisions",
    "compare_ranking_methods",
    "compare_strategies",
    "synthetic_ranking_experiment",
]
