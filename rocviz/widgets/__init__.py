"""Explorers: one interactive picture of one idea each, as a state and its views."""

from rocviz.widgets.ensemble import EnsembleExplorer
from rocviz.widgets.fermi_dirac import FermiDiracExplorer
from rocviz.widgets.own_data import data_of
from rocviz.widgets.roc import ROCExplorer
from rocviz.widgets.scoring_list import ScoringListExplorer

__all__ = [
    "EnsembleExplorer",
    "FermiDiracExplorer",
    "ROCExplorer",
    "ScoringListExplorer",
    "data_of",
]
