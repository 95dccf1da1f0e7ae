"""scikit-learn estimators over the core; knows nothing of plots or widgets."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocviz.estimators.calibration.calibrator import HullCalibrator as HullCalibrator
    from rocviz.estimators.calibration.hull import (
        HullCalibratedClassifier as HullCalibratedClassifier,
    )
    from rocviz.estimators.decisions.comparison import (
        DecisionComparison as DecisionComparison,
        compare_decisions as compare_decisions,
    )
    from rocviz.estimators.decisions.consistency import (
        ConsistencyExperiment as ConsistencyExperiment,
        consistency_experiment as consistency_experiment,
    )
    from rocviz.estimators.decisions.decision import (
        DecisionTheoreticClassifier as DecisionTheoreticClassifier,
    )
    from rocviz.estimators.decisions.empirical_utility import (
        EmpiricalUtilityClassifier as EmpiricalUtilityClassifier,
    )
    from rocviz.estimators.ensembles.fidel import FiDELClassifier as FiDELClassifier
    from rocviz.estimators.ensembles.strategies import (
        StrategyComparison as StrategyComparison,
        compare_strategies as compare_strategies,
    )
    from rocviz.estimators.lexicographic.lexicographic import LexRank as LexRank
    from rocviz.estimators.lexicographic.lexprob import LexProb as LexProb
    from rocviz.estimators.ranking_loss.combined_ranking import (
        CombinedRegressionRanking as CombinedRegressionRanking,
    )
    from rocviz.estimators.ranking_loss.comparison import (
        compare_ranking_methods as compare_ranking_methods,
    )
    from rocviz.estimators.ranking_loss.experiment import (
        synthetic_ranking_experiment as synthetic_ranking_experiment,
    )
    from rocviz.estimators.ranking_loss.rank_isotonic import (
        RankIsotonicClassifier as RankIsotonicClassifier,
    )
    from rocviz.estimators.scoring_lists.binarizer import EntropyBinarizer as EntropyBinarizer
    from rocviz.estimators.scoring_lists.ranker import ScoringListRanker as ScoringListRanker
    from rocviz.estimators.scoring_lists.scoring_list import (
        ProbabilisticScoringList as ProbabilisticScoringList,
    )
else:
    from rocviz._lazy import attach

    __getattr__, __dir__, __all__ = attach(__name__)
