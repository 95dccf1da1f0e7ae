"""Exercises of notebook 05, which samples to call positive for the sake of a metric.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter05 import _batch, _ranking

EXERCISES = (
    _batch.FIRST_ONLY,
    _batch.ALONE,
    _ranking.HOW_MANY_CUTS,
    _ranking.CLIMBER,
    _batch.TRIPLED,
    _ranking.WHICH_BREAKS,
)
