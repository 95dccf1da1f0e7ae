"""Exercises of notebook 02, the Fermi-Dirac law of a ranking and intervals of its AUC.

Answers come from the core and the data sets, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter02 import _intervals, _law

EXERCISES = (
    _law.LADDER,
    _law.TEMPERATURE,
    _law.LOGISTIC,
    _law.BETWEEN_MARKS,
    _law.MEAN_BALANCED_ACCURACY,
    _intervals.LOWER_END,
    _intervals.RARE_POSITIVES,
)
