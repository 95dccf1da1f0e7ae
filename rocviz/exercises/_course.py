"""The exercises of each chapter, in the order of the course.

Answers come from the core and the data sets, at the moment of asking; none is typed here.
"""

from rocviz.exercises._base import Exercise
from rocviz.exercises._chapter01.hull import HULL_AUC, HULL_SEGMENTS
from rocviz.exercises._chapter01.ranking import (
    LEXICOGRAPHIC_AUC,
    OPERATING_POINT,
    TREE_AUC,
    TREE_MOVE,
)
from rocviz.exercises._chapter02.costs import THRESHOLD
from rocviz.exercises._chapter02.losses import CUBED, MISCALIBRATION, PROBABILITIES, REFINEMENT
from rocviz.exercises._chapter03.intervals import LOWER_END, RARE_POSITIVES
from rocviz.exercises._chapter03.law import (
    BETWEEN_MARKS,
    LADDER,
    MEAN_BALANCED_ACCURACY,
    NINE_IN_TEN,
    TEMPERATURE,
)
from rocviz.exercises._chapter04.crowd import EQUAL_AND_FEW, THREE_AGAINST_ONE
from rocviz.exercises._chapter04.evidence import PRIOR, REVERSED, SAME_THRICE, TWO_WITNESSES
from rocviz.exercises._chapter05.certainty import NONE_ILL, NOTHING_LEFT
from rocviz.exercises._chapter05.walk import CARD, MINUTES
from rocviz.exercises._chapter06.costs import HOW_MANY_HEALTHY
from rocviz.exercises._chapter06.learning import THREE_OR_TEN, TWO_QUESTIONS
from rocviz.exercises._chapter07.batch import ALONE, FIRST_ONLY, TRIPLED
from rocviz.exercises._chapter07.ranking import CLIMBER, HOW_MANY_CUTS, WHICH_BREAKS
from rocviz.exercises._chapter08.order import BETTER_FLIGHTS, RARE_VALUE, SAME_ISOMETRIC
from rocviz.exercises._chapter08.probability import JOINED_LEAVES, SMALLEST_WEIGHT, UNSEEN_PATTERN
from rocviz.exercises._chapter09.pairs import BY_PAIRS, POOLED, STRETCHED
from rocviz.exercises._chapter09.promises import REFUTED, TOP_PULLED, UNLABELLED
from rocviz.exercises._chapter10.aims import COST_OF_LIST, INVITE_FROM, JANUARY, OTHER_CLINIC
from rocviz.exercises._chapter10.evidence import ABSTRACT_ERROR, FIVE_AGREE

#: By the number of the notebook.
CHAPTERS: dict[int, tuple[Exercise, ...]] = {
    1: (OPERATING_POINT, TREE_AUC, LEXICOGRAPHIC_AUC, HULL_SEGMENTS, HULL_AUC, TREE_MOVE),
    2: (REFINEMENT, PROBABILITIES, CUBED, MISCALIBRATION, THRESHOLD),
    3: (
        LADDER,
        TEMPERATURE,
        NINE_IN_TEN,
        BETWEEN_MARKS,
        LOWER_END,
        RARE_POSITIVES,
        MEAN_BALANCED_ACCURACY,
    ),
    4: (TWO_WITNESSES, REVERSED, PRIOR, EQUAL_AND_FEW, SAME_THRICE, THREE_AGAINST_ONE),
    5: (CARD, MINUTES, NONE_ILL, NOTHING_LEFT),
    6: (HOW_MANY_HEALTHY, THREE_OR_TEN, TWO_QUESTIONS),
    7: (FIRST_ONLY, ALONE, HOW_MANY_CUTS, CLIMBER, TRIPLED, WHICH_BREAKS),
    8: (BETTER_FLIGHTS, RARE_VALUE, SAME_ISOMETRIC, JOINED_LEAVES, SMALLEST_WEIGHT, UNSEEN_PATTERN),
    9: (BY_PAIRS, POOLED, STRETCHED, TOP_PULLED, REFUTED, UNLABELLED),
    10: (INVITE_FROM, COST_OF_LIST, FIVE_AGREE, JANUARY, ABSTRACT_ERROR, OTHER_CLINIC),
}

#: Solved in their notebooks to show how it is done, so they are nobody's own progress.
EXAMPLES = frozenset({OPERATING_POINT.name})
