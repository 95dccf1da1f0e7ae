"""Exercises of notebook 05, which samples to call positive for the sake of a metric.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter05._batch import ALONE, FIRST_ONLY, TRIPLED
from rocviz.exercises._chapter05._ranking import CLIMBER, HOW_MANY_CUTS, WHICH_BREAKS

EXERCISES = (
    FIRST_ONLY,
    ALONE,
    HOW_MANY_CUTS,
    CLIMBER,
    TRIPLED,
    WHICH_BREAKS,
)
