"""Exercises of notebook 07, probabilities that are made from rankings.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter07 import _pairs, _promises

EXERCISES = (
    _pairs.BY_PAIRS,
    _pairs.POOLED,
    _pairs.STRETCHED,
    _promises.TOP_PULLED,
    _promises.REFUTED,
    _promises.UNLABELLED,
)
