from . import base as base
from . import calibration as calibration
from . import decisions as decisions
from . import ensembles as ensembles
from . import groups as groups
from . import lexicographic as lexicographic
from . import ranking_loss as ranking_loss
from . import scoring_lists as scoring_lists
