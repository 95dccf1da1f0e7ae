"""Exercises of notebook 06, scoring lists that are learned from data."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.search.search import learn_scoring_list
from rocviz.core.scoring_lists.stage import predicts_positive
from rocviz.datasets import make_chest_pain
from rocviz.exercises._base import Choice, Exercise, Quantity
from rocviz.exercises._chapter05 import TOTALS, upper_end

# ---------------------------------------------------------------------- costs

_MISS = 10.0


def _healthy(confidence: float = 0.5, at_once: int = TOTALS) -> float:
    """Find the smallest n of healthy patients whose upper end lets a patient be sent home."""
    return float(
        next(
            n
            for n in range(1, 1000)
            if not predicts_positive(upper_end(n, confidence, at_once), _MISS).any()
        )
    )


HOW_MANY_HEALTHY = Quantity(
    name="how_many_healthy",
    question=(
        "A stage of six totals, at one of them n patients and none of them ill. A miss costs as "
        "much as 10 false alarms, and the upper end of the 50 % band (with Bonferroni's "
        "correction) decides. From which n on is such a patient sent home?"
    ),
    solve=lambda: _healthy(),
    hint="Up to which probability is one sent home? Let n grow until the upper end is no higher.",
    why="So many patients are needed although the confidence is only 50 %: caution needs data.",
    mistakes=lambda: {
        "That is a single interval. Here six hold together.": _healthy(at_once=1),
        "That is the 95 % band; the doctor uses the 50 % one.": _healthy(confidence=0.95),
        "You gave one side of the interval all that it may err. Each side has half.": _healthy(
            confidence=0.0
        ),
        "Nearly: with this number the upper end is still just above the threshold.": _healthy() - 1,
        "That solves the equation, but n counts patients. Which is the first whole number?": float(
            np.log((1 - 0.5) / 2 / TOTALS) / np.log(_MISS / (1 + _MISS))
        ),
        "The threshold is not one in M. Home is the better choice if 1 - q is at least M q.": float(
            next(n for n in range(1, 1000) if upper_end(n, 0.5) <= 1 / _MISS)
        ),
    },
)


_REPEATS, _PATIENTS = 30, 120


@lru_cache(maxsize=1)
def _three_or_ten() -> str:
    """Judge lists of few synthetic patients by all possible patients."""
    first = make_chest_pain(_PATIENTS)
    p_well, p_ill = np.array([[m["no_chd"], m["chd"]] for m in first.marginals.values()]).T
    X = np.array(list(product((0, 1), repeat=p_ill.size)))
    share = 135 / 1199
    weight = np.concatenate(
        [
            part * np.where(X, p, 1 - p).prod(axis=1)
            for part, p in ((1 - share, p_well), (share, p_ill))
        ]
    )
    y = np.repeat([0, 1], len(X))
    brier = []
    for seed in range(_REPEATS):
        some = make_chest_pain(_PATIENTS, random_state=seed)
        learned = learn_scoring_list(some.data, some.target, score_set=(-1, 1))
        made = ScoringList.from_counts(learned.features, learned.scores, some.data, some.target)
        brier.append(made.evaluate(np.vstack([X, X]), y, sample_weight=weight).brier[[3, -1]])
    three, ten = np.mean(brier, axis=0)
    if abs(ten - three) < 0.001:
        return "about equal"
    return "lower" if ten < three else "higher"


THREE_OR_TEN = Choice(
    name="three_or_ten",
    question=(
        "Lists are learned from 120 synthetic patients, with points -1 and 1. Judged by everybody: "
        "is the mean Brier score after all ten questions lower or higher than after three, or "
        "about equal (within 0.001)?"
    ),
    choices=("lower", "higher", "about equal"),
    solve=_three_or_ten,
    hint="Draw some cohorts of that size and evaluate each list on all possible patients.",
    why=(
        "A yes-or-no question has no threshold that could be overfitted. The list is "
        "over-confident, and each further question still makes it better."
    ),
    mistakes=lambda: {
        "So it was with the tumours. "
        "But there a threshold was chosen with each question.": "higher",
        "Seven more questions are asked, and some of them are informative. "
        "Judge some lists.": "about equal",
    },
)


# ---------------------------------------------------------------------- splitting ties

_SPLIT = ((2, 12, 20), (1, 6, 15), (0, 2, 45))


def _groups() -> RankedSegments:
    return RankedSegments(*(np.array(column, dtype=float) for column in zip(*_SPLIT, strict=True)))


def _auc() -> float:
    return _groups().auc


def _ties() -> float:
    found = _groups()
    return float(found.pos @ found.neg / (found.pos.sum() * found.neg.sum()))


TWO_QUESTIONS = Exercise(
    name="two_questions_auc",
    question=(
        "Twenty patients are ill and eighty well. The first question (2 points) has a yes from 12 "
        "of the ill and 20 of the well. Of the others, the second (1 point) has a yes from 6 ill "
        "and 15 well; of the first group, from none. What is the AUC after both?"
    ),
    solve=_auc,
    hint=(
        "There are three totals now. Count the pairs of an ill and a well patient in the right "
        "order, and half of those within a group."
    ),
    why="The second question moved nothing between the two first groups. It only split a tie.",
    mistakes=lambda: {
        "You gave tied pairs nothing. They count one half.": _auc() - _ties() / 2,
        "You counted tied pairs as won. They count one half.": _auc() + _ties() / 2,
        "That is the ranking upside down: most points come first.": 1 - _auc(),
        "That is after the first question. Split the group of those who said no.": (
            (1 + 12 / 20 - 20 / 80) / 2
        ),
    },
)

#: In the order of the notebook.
EXERCISES = (
    HOW_MANY_HEALTHY,
    THREE_OR_TEN,
    TWO_QUESTIONS,
)
