"""Exercises of notebook 06, attributes in an order of preference.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter06 import _order, _probability

EXERCISES = (
    _order.BETTER_FLIGHTS,
    _order.RARE_VALUE,
    _order.SAME_ISOMETRIC,
    _probability.JOINED_LEAVES,
    _probability.SMALLEST_WEIGHT,
    _probability.UNSEEN_PATTERN,
)
