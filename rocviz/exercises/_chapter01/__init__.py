"""Exercises of notebook 01, classification, ranking and probability.

Answers come from the core and the data sets, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter01._hull import HULL_SEGMENTS, PROBABILITIES
from rocviz.exercises._chapter01._probability import (
    CUBED,
    MISCALIBRATION,
    REFINEMENT,
    THRESHOLD,
)
from rocviz.exercises._chapter01._ranking import (
    LEXICOGRAPHIC_AUC,
    LEXICOGRAPHIC_MOVE,
    OPERATING_POINT,
    TREE_AUC,
    TREE_MOVE,
)

EXERCISES = (
    OPERATING_POINT,
    TREE_AUC,
    LEXICOGRAPHIC_AUC,
    HULL_SEGMENTS,
    PROBABILITIES,
    REFINEMENT,
    TREE_MOVE,
    LEXICOGRAPHIC_MOVE,
    MISCALIBRATION,
    CUBED,
    THRESHOLD,
)
