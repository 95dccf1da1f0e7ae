"""Explorers: one interactive picture of one idea each, as a state and its views."""

from rocviz.widgets.base.own_data import data_of
from rocviz.widgets.decisions.explorer import DecisionExplorer
from rocviz.widgets.ensembles.explorer import EnsembleExplorer
from rocviz.widgets.fermi_dirac.explorer import FermiDiracExplorer
from rocviz.widgets.lexicographic.explorer import LexicographicExplorer
from rocviz.widgets.ranking_loss.explorer import RankingLossExplorer
from rocviz.widgets.roc.explorer import ROCExplorer
from rocviz.widgets.scoring_lists.explorer import ScoringListExplorer

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
