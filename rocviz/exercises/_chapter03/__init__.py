"""Exercises of notebook 03, classifiers that are combined by what their ranks say.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter03._crowd import EQUAL_AND_FEW, THREE_AGAINST_ONE
from rocviz.exercises._chapter03._evidence import (
    PRIOR,
    REVERSED,
    SAME_THRICE,
    TWO_WITNESSES,
)

EXERCISES = (
    TWO_WITNESSES,
    REVERSED,
    PRIOR,
    SAME_THRICE,
    EQUAL_AND_FEW,
    THREE_AGAINST_ONE,
)
