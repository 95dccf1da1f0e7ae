"""Exercises of notebook 04, scoring lists: asking until one is sure.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter04._certainty import HOW_MANY_HEALTHY, NONE_ILL, NOTHING_LEFT
from rocviz.exercises._chapter04._learning import THREE_OR_TEN, TWO_QUESTIONS
from rocviz.exercises._chapter04._walk import CARD, MINUTES

EXERCISES = (
    CARD,
    MINUTES,
    NONE_ILL,
    NOTHING_LEFT,
    HOW_MANY_HEALTHY,
    THREE_OR_TEN,
    TWO_QUESTIONS,
)
