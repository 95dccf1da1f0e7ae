"""The exercises of each chapter, in the order of the course.

Answers come from the core and the data sets, at the moment of asking; none is typed here.
"""

from rocviz.exercises._base import Exercise
from rocviz.exercises._chapter01.hull import HULL_SEGMENTS, PROBABILITIES
from rocviz.exercises._chapter01.probability import CUBED, MISCALIBRATION, REFINEMENT, THRESHOLD
from rocviz.exercises._chapter01.ranking import (
    LEXICOGRAPHIC_AUC,
    LEXICOGRAPHIC_MOVE,
    OPERATING_POINT,
    TREE_AUC,
    TREE_MOVE,
)
from rocviz.exercises._chapter02.intervals import LOWER_END, RARE_POSITIVES
from rocviz.exercises._chapter02.law import (
    BETWEEN_MARKS,
    LADDER,
    LOGISTIC,
    MEAN_BALANCED_ACCURACY,
    TEMPERATURE,
)
from rocviz.exercises._chapter03.crowd import EQUAL_AND_FEW, THREE_AGAINST_ONE
from rocviz.exercises._chapter03.evidence import PRIOR, REVERSED, SAME_THRICE, TWO_WITNESSES
from rocviz.exercises._chapter04.certainty import HOW_MANY_HEALTHY, NONE_ILL, NOTHING_LEFT
from rocviz.exercises._chapter04.learning import THREE_OR_TEN, TWO_QUESTIONS
from rocviz.exercises._chapter04.walk import CARD, MINUTES
from rocviz.exercises._chapter05.batch import ALONE, FIRST_ONLY, TRIPLED
from rocviz.exercises._chapter05.ranking import CLIMBER, HOW_MANY_CUTS, WHICH_BREAKS
from rocviz.exercises._chapter06.order import BETTER_FLIGHTS, RARE_VALUE, SAME_ISOMETRIC
from rocviz.exercises._chapter06.probability import JOINED_LEAVES, SMALLEST_WEIGHT, UNSEEN_PATTERN
from rocviz.exercises._chapter07.pairs import BY_PAIRS, POOLED, STRETCHED
from rocviz.exercises._chapter07.promises import REFUTED, TOP_PULLED, UNLABELLED

#: By the number of the notebook.
CHAPTERS: dict[int, tuple[Exercise, ...]] = {
    1: (
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
    ),
    2: (
        LADDER,
        TEMPERATURE,
        LOGISTIC,
        BETWEEN_MARKS,
        MEAN_BALANCED_ACCURACY,
        LOWER_END,
        RARE_POSITIVES,
    ),
    3: (TWO_WITNESSES, REVERSED, PRIOR, SAME_THRICE, EQUAL_AND_FEW, THREE_AGAINST_ONE),
    4: (CARD, MINUTES, NONE_ILL, NOTHING_LEFT, HOW_MANY_HEALTHY, THREE_OR_TEN, TWO_QUESTIONS),
    5: (FIRST_ONLY, ALONE, HOW_MANY_CUTS, CLIMBER, TRIPLED, WHICH_BREAKS),
    6: (BETTER_FLIGHTS, RARE_VALUE, SAME_ISOMETRIC, JOINED_LEAVES, SMALLEST_WEIGHT, UNSEEN_PATTERN),
    7: (BY_PAIRS, POOLED, STRETCHED, TOP_PULLED, REFUTED, UNLABELLED),
}

#: Solved in their notebooks to show how it is done, so they are nobody's own progress.
EXAMPLES = frozenset({OPERATING_POINT.name})
