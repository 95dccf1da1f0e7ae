"""Exercises on intervals: what a few patients can tell, and what an empty one says."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.exercises._base import Choice, Exercise

TOTALS = 6
_N = 40


def upper_end(n: int, confidence: float, at_once: int = TOTALS) -> float:
    """Return where the interval of n patients ends if none is ill, one of some at once."""
    alpha = (1 - confidence) / at_once
    return float(binomial_interval([0], [n], confidence=1 - alpha, method="clopper-pearson")[1][0])


NONE_ILL = Exercise(
    name="none_ill",
    question=(
        "A stage has six totals. At one of them were 40 patients, none of them ill. What is the "
        "upper end of its Clopper-Pearson interval when all six are to hold together with 95 %?"
    ),
    solve=lambda: upper_end(_N, 0.95),
    hint=(
        "Find the p with which none of the patients would be ill no more often than one side of "
        "one interval may err. How often is that, shared out among all totals?"
    ),
    why=(
        "Forty patients of whom none is ill cannot rule out, with this confidence, that one in "
        "eight is."
    ),
    mistakes={
        "Nobody was ill. Does that mean that nobody can be?": lambda: 0.0,
        "That is right for a single interval. Here six have to hold together.": lambda: upper_end(
            _N, 0.95, 1
        ),
        "Bonferroni is in it. But an interval may err on two sides, each with half.": lambda: (
            upper_end(_N, 0.90)
        ),
        "That is one side of a single interval: halve what it may err, and share it out among the "
        "totals.": lambda: upper_end(_N, 0.90, 1),
        "A good rule of thumb, for one side of one interval. Here there are six.": lambda: 3 / _N,
        "That is the probability of being well.": lambda: 1 - upper_end(_N, 0.95),
    },
)


@lru_cache(maxsize=1)
def _meaning_of_empty() -> str:
    """Return what counts behind an empty interval have in common."""
    enough = ScoringStage.fit([1, 0], [100, 0], [0, 100]).band()
    unseen = ScoringStage.fit([2, 1, 0], [9, 0, 1], [1, 0, 9]).band()
    against = ScoringStage.fit([1, 0], [0, 100], [100, 0]).band()
    meanings = {"settled": enough, "unseen": unseen, "contradicted": against}
    return next(word for word, band in meanings.items() if np.any(band.is_empty))


NOTHING_LEFT = Choice(
    name="nothing_left",
    question=(
        "After the monotone correction nothing is left of an interval. What does that say of its "
        "total: is it settled, contradicted or unseen?"
    ),
    choices=("settled", "contradicted", "unseen"),
    solve=_meaning_of_empty,
    hint="How can the lower end of one total come to lie above the upper end of another?",
    why=(
        "There are enough patients, but their counts run against the order of the totals. So the "
        "points are in doubt, and the probability should not be used."
    ),
    mistakes={
        "Many patients make an interval narrow. Can they alone make it vanish?": lambda: "settled",
        "A total that nobody had starts with everything from 0 to 1. "
        "What cuts that away?": lambda: "unseen",
    },
)
