"""Stories of about ten minutes each, for a hall: one for the course's start, one per explorer."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocviz.stories._decisions import decisions as decisions
    from rocviz.stories._ensembles import ensembles as ensembles
    from rocviz.stories._fermi_dirac import fermi_dirac as fermi_dirac
    from rocviz.stories._lexicographic import lexicographic as lexicographic
    from rocviz.stories._ranking_loss import ranking_loss as ranking_loss
    from rocviz.stories._roc import roc as roc
    from rocviz.stories._scoring_lists import scoring_lists as scoring_lists
    from rocviz.stories._start import start as start
else:
    from rocviz._lazy import attach

    __getattr__, __dir__, __all__ = attach(__name__)
