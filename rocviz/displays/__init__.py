"""matplotlib displays in scikit-learn's manner; knows nothing of widgets."""

from rocviz.displays._reliability import ReliabilityDisplay
from rocviz.displays._roc import ROCHullDisplay

__all__ = ["ROCHullDisplay", "ReliabilityDisplay"]
