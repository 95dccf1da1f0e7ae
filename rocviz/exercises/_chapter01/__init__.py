"""Exercises of notebook 01, classification, ranking and probability.

Answers come from the core and the data sets, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter01 import _hull, _probability, _ranking

EXERCISES = (
    _ranking.OPERATING_POINT,
    _ranking.TREE_AUC,
    _ranking.LEXICOGRAPHIC_AUC,
    _hull.HULL_SEGMENTS,
    _hull.PROBABILITIES,
    _probability.REFINEMENT,
    _ranking.TREE_MOVE,
    _ranking.LEXICOGRAPHIC_MOVE,
    _probability.MISCALIBRATION,
    _probability.CUBED,
    _probability.THRESHOLD,
)
