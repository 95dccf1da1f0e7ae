"""Exercises of notebook 06, attributes in an order of preference.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter06._order import BETTER_FLIGHTS, RARE_VALUE, SAME_ISOMETRIC
from rocviz.exercises._chapter06._probability import (
    JOINED_LEAVES,
    SMALLEST_WEIGHT,
    UNSEEN_PATTERN,
)

EXERCISES = (
    BETTER_FLIGHTS,
    RARE_VALUE,
    SAME_ISOMETRIC,
    JOINED_LEAVES,
    SMALLEST_WEIGHT,
    UNSEEN_PATTERN,
)
