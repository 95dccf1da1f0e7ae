"""Exercises on intervals: what a few patients can tell, and what an empty one says."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.scoring_lists.stage import ScoringStage, calls_positive
from rocviz.exercises._base import Choice, Exercise, Quantity

_N, _TOTALS, _MISS = 40, 6, 10.0


def _upper(n: int, confidence: float, at_once: int = _TOTALS) -> float:
    alpha = (1 - confidence) / at_once
    return float(binomial_interval([0], [n], confidence=1 - alpha, method="clopper-pearson")[1][0])


NONE_ILL = Exercise(
    name="none_ill",
    question=(
        "A stage has six totals. At one of them were 40 patients, none of them ill. What is the "
        "upper end of its Clopper-Pearson interval when all six are to hold together with 95 %?"
    ),
    solve=lambda: _upper(_N, 0.95),
    hint=(
        "Find the p with which none of the patients would be ill no more often than one side of "
        "one interval may err. How often is that, shared out among all totals?"
    ),
    why="More than one in ten could be ill, and one would still often see no ill one among so few.",
    mistakes=(
        (lambda: 0.0, "Nobody was ill. Does that mean that nobody can be?"),
        (
            lambda: _upper(_N, 0.95, 1),
            "That is right for a single interval. Here six have to hold together.",
        ),
        (
            lambda: _upper(_N, 0.90),
            "Bonferroni is in it. But an interval may err on two sides, each with half.",
        ),
        (
            lambda: _upper(_N, 0.90, 1),
            "That is one side of a single interval: halve what it may err, and share it out "
            "among the totals.",
        ),
        (lambda: 3 / _N, "A good rule of thumb, for one side of one interval. Here there are six."),
        (lambda: 1 - _upper(_N, 0.95), "That is the probability of being well."),
    ),
)


def _healthy(confidence: float = 0.5, at_once: int = _TOTALS) -> float:
    """Return the smallest n without an ill one whose upper end lets one be sent home."""
    return float(
        next(
            n
            for n in range(1, 1000)
            if not calls_positive(_upper(n, confidence, at_once), _MISS).any()
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
    why="All that for a confidence of 50 % only. Caution costs much while data are few.",
    mistakes=(
        (lambda: _healthy(at_once=1), "That is a single interval. Here six hold together."),
        (lambda: _healthy(confidence=0.95), "That is the 95 % band; the doctor uses the 50 % one."),
        (
            lambda: _healthy(confidence=0.0),
            "You gave one side of the interval all that it may err. Each side has half.",
        ),
        (lambda: _healthy() - 1, "Nearly: with so few the upper end is still just above."),
        (
            lambda: float(np.log((1 - 0.5) / 2 / _TOTALS) / np.log(_MISS / (1 + _MISS))),
            "That solves the equation, but n counts patients. Which is the first whole number?",
        ),
        (
            lambda: float(next(n for n in range(1, 1000) if _upper(n, 0.5) <= 1 / _MISS)),
            "The limit is not one in M. Ask when a sure false alarm and a likely miss cost alike.",
        ),
    ),
)


@lru_cache(maxsize=1)
def _empty_says() -> str:
    """Return what counts behind an empty interval have in common."""
    enough = ScoringStage.fit([1, 0], [100, 0], [0, 100]).band()
    unseen = ScoringStage.fit([2, 1, 0], [9, 0, 1], [1, 0, 9]).band()
    against = ScoringStage.fit([1, 0], [0, 100], [100, 0]).band()
    says = {"settled": enough, "unseen": unseen, "contradicted": against}
    return next(word for word, band in says.items() if np.any(band.is_empty))


NOTHING_LEFT = Choice(
    name="nothing_left",
    question=(
        "After the monotone correction nothing is left of an interval. What does that say of its "
        "total: is it settled, contradicted or unseen?"
    ),
    choices=("settled", "contradicted", "unseen"),
    solve=_empty_says,
    hint="How can the lower end of one total come to lie above the upper end of another?",
    why=(
        "The counts are sure enough, but they run against the order of the totals. Somebody should "
        "look at the points, not at the probability."
    ),
    mistakes=(
        (
            lambda: "settled",
            "Many patients make an interval narrow. Can they alone make it vanish?",
        ),
        (
            lambda: "unseen",
            "A total that nobody had starts with everything from 0 to 1. What cuts that away?",
        ),
    ),
)
