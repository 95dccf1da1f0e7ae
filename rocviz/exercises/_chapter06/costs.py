"""Exercises on deciding when mistakes differ in price."""

from __future__ import annotations

import numpy as np

from rocviz.core.scoring_lists.stage import predicts_positive
from rocviz.exercises._base import Quantity
from rocviz.exercises._chapter05.certainty import TOTALS, upper_end

_MISS = 10.0


def _healthy(confidence: float = 0.5, at_once: int = TOTALS) -> float:
    """Return the smallest n without an ill one whose upper end lets one be sent home."""
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
    mistakes={
        "That is a single interval. Here six hold together.": lambda: _healthy(at_once=1),
        "That is the 95 % band; the doctor uses the 50 % one.": lambda: _healthy(confidence=0.95),
        "You gave one side of the interval all that it may err. Each side has half.": lambda: (
            _healthy(confidence=0.0)
        ),
        "Nearly: with this number the upper end is still just above the threshold.": lambda: (
            _healthy() - 1
        ),
        "That solves the equation, but n counts patients. Which is the first whole number?": (
            lambda: float(np.log((1 - 0.5) / 2 / TOTALS) / np.log(_MISS / (1 + _MISS)))
        ),
        "The threshold is not one in M. Home is the better choice if 1 - q is at least M q.": (
            lambda: float(next(n for n in range(1, 1000) if upper_end(n, 0.5) <= 1 / _MISS))
        ),
    },
)
