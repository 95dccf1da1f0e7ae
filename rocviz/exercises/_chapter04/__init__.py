"""Exercises of notebook 04, scoring lists: asking until one is sure.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter04 import _certainty, _learning, _walk

EXERCISES = (
    _walk.CARD,
    _walk.MINUTES,
    _certainty.NONE_ILL,
    _certainty.NOTHING_LEFT,
    _certainty.HOW_MANY_HEALTHY,
    _learning.THREE_OR_TEN,
    _learning.TWO_QUESTIONS,
)
