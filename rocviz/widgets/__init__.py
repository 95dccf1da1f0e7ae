"""Explorers: one interactive picture of one idea each, as a state and its views."""

from rocviz.widgets.decision import DecisionExplorer
from rocviz.widgets.ensemble import EnsembleExplorer
from rocviz.widgets.fermi_dirac import FermiDiracExplorer
from rocviz.widgets.lexicographic import LexicographicExplorer
from rocviz.widgets.own_data import data_of
from rocviz.widgets.ranking_loss import RankingLossExplorer
from rocviz.widgets.roc import ROCExplorer
from rocviz.widgets.scoring_list import ScoringListExplorer

__all__ = [
    "DecisionExplorer",
    "EnsembleExplorer",
    "FermiDiracExplorer",
    "LexicographicExplorer",
    "ROCExplorer",
    "RankingLossExplorer",
    "ScoringListExplorer",
    "data_of",
]
