"""Exercises of notebook 07, probabilities that are made from rankings.

Answers come from the core, at the moment of asking; none is typed here.
"""

from rocviz.exercises._chapter07._pairs import BY_PAIRS, POOLED, STRETCHED
from rocviz.exercises._chapter07._promises import REFUTED, TOP_PULLED, UNLABELLED

EXERCISES = (BY_PAIRS, POOLED, STRETCHED, TOP_PULLED, REFUTED, UNLABELLED)
