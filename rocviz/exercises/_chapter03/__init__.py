"""Exercises of notebook 03, classifiers that are combined by what their ranks say.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter03 import _crowd, _evidence

EXERCISES = (
    _evidence.TWO_WITNESSES,
    _evidence.REVERSED,
    _evidence.PRIOR,
    _evidence.SAME_THRICE,
    _crowd.EQUAL_AND_FEW,
    _crowd.THREE_AGAINST_ONE,
)
