"""scikit-learn estimators over the core; knows nothing of plots or widgets."""

from rocviz.estimators.fidel import FiDELClassifier
from rocviz.estimators.hull import HullCalibratedClassifier
from rocviz.estimators.strategies import StrategyComparison, compare_strategies

__all__ = [
    "FiDELClassifier",
    "HullCalibratedClassifier",
    "StrategyComparison",
    "compare_strategies",
]
