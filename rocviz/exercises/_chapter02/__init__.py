"""Exercises of notebook 02, the Fermi-Dirac law of a ranking and intervals of its AUC.

Answers come from the core and the data sets, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter02._intervals import LOWER_END, RARE_POSITIVES
from rocviz.exercises._chapter02._law import (
    BETWEEN_MARKS,
    LADDER,
    LOGISTIC,
    MEAN_BALANCED_ACCURACY,
    TEMPERATURE,
)

EXERCISES = (
    LADDER,
    TEMPERATURE,
    LOGISTIC,
    BETWEEN_MARKS,
    MEAN_BALANCED_ACCURACY,
    LOWER_END,
    RARE_POSITIVES,
)
