"""Exercises of notebook 05, scoring lists: asking until one is sure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.search.search import learn_scoring_list
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.datasets import load_scoring_list_example, make_chest_pain
from rocviz.exercises._base import Choice, Exercise, Quantity

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
    mistakes=lambda: {
        "That is a total of 0 in the row of f4, or of -1 in the row of f2. Which question was "
        "asked last, and what do the points of all three answers add up to?": (_probability(4)),
        "That is a total of -2, the points of f1 alone. Add those of f3 and f2, which got a yes as "
        "well.": _probability(3, -2),
        "That is a total of 1. Each of the three answers was a yes, so each brings its points.": (
            _probability(3, 1)
        ),
        "That is what the list says after f3. Two more questions were asked.": (_probability(1, 1)),
        "The total is right, but it is read in the row of f1. "
        "One more question was asked.": _probability(2, 0),
        "The yes to f1 takes points away; its points have a minus.": _probability(4, 4),
        "That is what the list says before any question.": _probability(0),
        "That is the total. Which probability stands below it?": 0.0,
    },
)


# ---------------------------------------------------------------------- minutes

_LOWER, _UPPER = 0.03, 0.5


@lru_cache(maxsize=1)
def _doctor() -> tuple[ScoringList, Any, Any]:
    """Build the list of notebook 05, the rows it was learned from, and minutes by column."""
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
    mistakes=lambda: {
        "Those are questions. How many minutes do they take?": (
            _spent("n_asked", lower=_LOWER, upper=_UPPER)
        ),
        "Those are the first doctor's limits.": _spent("cost", lower=0.02, upper=0.4),
        "You left out the upper limit.": _spent("cost", lower=_LOWER),
        "You left out the lower limit.": _spent("cost", upper=_UPPER),
        "That is everything asked of everybody. When may she stop?": _spent("cost"),
        "You waited for the whole interval to be beyond the limit; the probability "
        "is enough.": _spent("cost", lower=_LOWER, upper=_UPPER, use="interval"),
        "That is for all patients together. How many minutes is that for one?": (
            _spent("cost", lower=_LOWER, upper=_UPPER) * len(_doctor()[1])
        ),
    },
)


# ---------------------------------------------------------------------- certainty

TOTALS = 6
_N = 40


def upper_end(n: int, confidence: float, at_once: int = TOTALS) -> float:
    """Compute the upper end for n patients of whom none is ill, one of several at once."""
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
        "Find the p at which nobody would be ill with probability alpha. What is alpha: 5 %, "
        "halved for two sides, and divided by six totals?"
    ),
    why=(
        "Forty patients of whom none is ill cannot rule out, with this confidence, that one in "
        "eight is."
    ),
    mistakes=lambda: {
        "Nobody was ill. Does that mean that nobody can be?": 0.0,
        "That is right for a single interval. Here six have to hold together.": (
            upper_end(_N, 0.95, 1)
        ),
        "Bonferroni is in it. But an interval may err on two sides, each with half.": upper_end(
            _N, 0.90
        ),
        "That is one side of a single interval: halve what it may err, and share it out among the "
        "totals.": upper_end(_N, 0.90, 1),
        "A good rule of thumb, for one side of one interval. Here there are six.": 3 / _N,
        "That is the probability of being well.": 1 - upper_end(_N, 0.95),
    },
)


@lru_cache(maxsize=1)
def _meaning_of_empty() -> str:
    """Name the property of the counts behind an empty interval."""
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
    mistakes=lambda: {
        "Many patients make an interval narrow. Can they alone make it vanish?": "settled",
        "A total without samples starts with everything from 0 to 1. "
        "What cuts that away?": "unseen",
    },
)

#: In the order of the notebook.
EXERCISES = (
    CARD,
    MINUTES,
    NONE_ILL,
    NOTHING_LEFT,
)
