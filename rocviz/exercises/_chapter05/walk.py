"""Exercises on walking down a list: reading the card, and what stopping saves."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.search.search import learn_scoring_list
from rocviz.datasets import load_scoring_list_example, make_chest_pain
from rocviz.exercises._base import Exercise, Quantity

_ALL_YES = [[1, 1, 1, 0]]


def _probability(stage: int, total: int | None = None) -> float:
    card = load_scoring_list_example()
    if total is None:
        return float(card.predict_proba(_ALL_YES, stage)[0])
    return float(card.stages[stage].probability_at([total])[0])


CARD = Exercise(
    name="card_after_three",
    question=(
        "The card of the first section: a patient says yes to f3, f1 and f2, and f4 has not been "
        "asked yet. Which probability does the list give?"
    ),
    solve=lambda: _probability(3),
    hint="Add the points of the three answers, then look in the row of the question asked last.",
    why="The points take each other away. The same total means other things at other stages.",
    mistakes={
        "That is a total of 0 in the row of f4, or of -1 in the row of f2. Which question was "
        "asked last, and what do the points of all three answers add up to?": lambda: _probability(
            4
        ),
        "That is a total of -2, the points of f1 alone. Add those of f3 and f2, which got a yes as "
        "well.": lambda: _probability(3, -2),
        "That is a total of 1. "
        "Each of the three answers was a yes, so each brings its points.": lambda: _probability(
            3, 1
        ),
        "That is what the list says after f3. Two more questions were asked.": lambda: _probability(
            1, 1
        ),
        "The total is right, but it is read in the row of f1. "
        "One more question was asked.": lambda: _probability(2, 0),
        "The yes to f1 takes points away; its points have a minus.": lambda: _probability(4, 4),
        "That is what the list says before any question.": lambda: _probability(0),
        "That is the total. Which probability stands below it?": lambda: 0.0,
    },
)

# ---------------------------------------------------------------------- minutes

_LOWER, _UPPER = 0.03, 0.5


@lru_cache(maxsize=1)
def _doctor() -> tuple[ScoringList, Any, Any]:
    """Return the list of notebook 05, the rows it was learned from, and minutes by column."""
    cohort = make_chest_pain()
    X, y = cohort.data, cohort.target
    minutes = np.array([cohort.feature_costs[name] for name in cohort.feature_names])
    learned = learn_scoring_list(X, y, score_set=(-1, 1), feature_costs=minutes, tol=0.0)
    return ScoringList.from_counts(learned.features, learned.scores, X, y), X, minutes


def _spent(measure: str, **limits: Any) -> float:
    made, X, minutes = _doctor()
    walked = made.decide(X, feature_costs=minutes, **limits)
    return float(np.mean(getattr(walked, measure)))


MINUTES = Quantity(
    name="mean_minutes",
    question=(
        "The doctor's list, and a colleague who stops at 3 % as negative and at 50 % as positive. "
        "How many minutes does she need per patient, on average over the 1199?"
    ),
    solve=lambda: _spent("cost", lower=_LOWER, upper=_UPPER),
    tolerance=5e-3,
    hint=(
        "Let doctor.decide walk all patients with her two limits. Each walk has a cost; take "
        "the mean."
    ),
    why="Most patients are done before the slow question, which comes last.",
    mistakes={
        "Those are questions. How many minutes do they take?": lambda: _spent(
            "n_asked", lower=_LOWER, upper=_UPPER
        ),
        "Those are the first doctor's limits.": lambda: _spent("cost", lower=0.02, upper=0.4),
        "You left out the upper limit.": lambda: _spent("cost", lower=_LOWER),
        "You left out the lower limit.": lambda: _spent("cost", upper=_UPPER),
        "That is everything asked of everybody. When may she stop?": lambda: _spent("cost"),
        "You waited for the whole interval to be beyond the limit; the probability "
        "is enough.": lambda: _spent("cost", lower=_LOWER, upper=_UPPER, use="interval"),
        "That is for all patients together. How many minutes is that for one?": (
            lambda: _spent("cost", lower=_LOWER, upper=_UPPER) * len(_doctor()[1])
        ),
    },
)
