"""scikit-learn estimators over the core; knows nothing of plots or widgets."""

from rocviz.estimators.binarizer import EntropyBinarizer
from rocviz.estimators.calibrator import HullCalibrator
from rocviz.estimators.combined_ranking import CombinedRegressionRanking
from rocviz.estimators.decision import DecisionTheoreticClassifier
from rocviz.estimators.decision_comparison import DecisionComparison, compare_decisions
from rocviz.estimators.empirical_utility import EmpiricalUtilityClassifier
from rocviz.estimators.fidel import FiDELClassifier
from rocviz.estimators.hull import HullCalibratedClassifier
from rocviz.estimators.lexicographic import LexProb, LexRank
from rocviz.estimators.rank_isotonic import RankIsotonicClassifier
from rocviz.estimators.ranking_comparison import compare_ranking_methods
from rocviz.estimators.ranking_experiment import synthetic_ranking_experiment
from rocviz.estimators.scoring_list import ProbabilisticScoringList
from rocviz.estimators.scoring_ranker import ScoringListRanker
from rocviz.estimators.strategies import StrategyComparison, compare_strategies

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
