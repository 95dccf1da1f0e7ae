"""Explorers: one interactive picture of one idea each, as a state and its views."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocviz.widgets.base.own_data import data_of as data_of
    from rocviz.widgets.base.stories.steps import Question as Question
    from rocviz.widgets.base.stories.steps import Step as Step
    from rocviz.widgets.base.stories.steps import read_steps as read_steps
    from rocviz.widgets.base.stories.story import Story as Story
    from rocviz.widgets.decisions.explorer import DecisionExplorer as DecisionExplorer
    from rocviz.widgets.ensembles.explorer import EnsembleExplorer as EnsembleExplorer
    from rocviz.widgets.fermi_dirac.explorer import FermiDiracExplorer as FermiDiracExplorer
    from rocviz.widgets.lexicographic.explorer import LexicographicExplorer as LexicographicExplorer
    from rocviz.widgets.ranking_loss.explorer import RankingLossExplorer as RankingLossExplorer
    from rocviz.widgets.roc.explorer import ROCExplorer as ROCExplorer
    from rocviz.widgets.scoring_lists.explorer import ScoringListExplorer as ScoringListExplorer
else:
    from rocviz._lazy import attach

    __getattr__, __dir__, __all__ = attach(__name__)
