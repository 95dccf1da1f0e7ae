"""matplotlib displays in scikit-learn's manner; knows nothing of widgets."""

from rocviz.displays._auc_interval import AUCIntervalDisplay
from rocviz.displays._brier import BrierDisplay
from rocviz.displays._decision import DecisionDisplay
from rocviz.displays._ensemble import EnsembleDisplay
from rocviz.displays._fermi_dirac import FermiDiracDisplay
from rocviz.displays._lexicographic import LexicographicDisplay
from rocviz.displays._ranking_bound import RankingBoundDisplay
from rocviz.displays._ranking_experiment import RankingExperimentDisplay
from rocviz.displays._reliability import ReliabilityDisplay
from rocviz.displays._roc import ROCHullDisplay
from rocviz.displays._score_card import ScoreCardDisplay
from rocviz.displays._scoring_stage import StageDisplay

__all__ = [
    "AUCIntervalDisplay",
    "BrierDisplay",
    "DecisionDisplay",
    "EnsembleDisplay",
    "FermiDiracDisplay",
    "LexicographicDisplay",
    "ROCHullDisplay",
    "RankingBoundDisplay",
    "RankingExperimentDisplay",
    "ReliabilityDisplay",
    "ScoreCardDisplay",
    "StageDisplay",
]
