"""matplotlib displays in scikit-learn's manner; knows nothing of widgets."""

from rocviz.displays.calibration.brier import BrierDisplay
from rocviz.displays.calibration.reliability import ReliabilityDisplay
from rocviz.displays.decisions.decision import DecisionDisplay
from rocviz.displays.ensembles.ensemble import EnsembleDisplay
from rocviz.displays.fermi_dirac.fermi_dirac import FermiDiracDisplay
from rocviz.displays.lexicographic.lexicographic import LexicographicDisplay
from rocviz.displays.ranking_loss.bound import RankingBoundDisplay
from rocviz.displays.ranking_loss.experiment import RankingExperimentDisplay
from rocviz.displays.roc.auc_interval import AUCIntervalDisplay
from rocviz.displays.roc.roc import ROCHullDisplay
from rocviz.displays.scoring_lists.score_card import ScoreCardDisplay
from rocviz.displays.scoring_lists.stage import StageDisplay

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
