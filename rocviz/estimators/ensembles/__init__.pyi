from .fidel import FiDELClassifier as FiDELClassifier
from .strategies import StrategyComparison as StrategyComparison
from .strategies import compare_strategies as compare_strategies
