"""Exercises on the ranking principle, and on the curve of expected utilities."""

from __future__ import annotations

import numpy as np

from rocviz.core.decisions.decision import prefix_utilities
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.exercises._base import Choice, Exercise, Quantity

# ---------------------------------------------------------------------- what is left to compare

_SAMPLES = 20

HOW_MANY_CUTS = Quantity(
    name="how_many_cuts",
    question=(
        "A batch has 20 samples with different probabilities, and the metric never falls with "
        "more true positives. How many labellings have to be compared to find the best?"
    ),
    solve=lambda: prefix_utilities(np.arange(1, _SAMPLES + 1) / (_SAMPLES + 1)).size,
    hint="Rank the samples. Who is called positive, if k are? And which values can k have?",
    why="Calling no sample positive is a labelling, too: k goes from 0 to 20.",
    mistakes={
        "There are so many labellings. But the best one is among those that call the most probable "
        "samples positive.": lambda: 2**_SAMPLES,
        "Nearly: you left out one of the two ends of the ranking.": lambda: _SAMPLES,
        "You left out both ends: everybody, and nobody.": lambda: _SAMPLES - 1,
        "Those are all runs of neighbours. "
        "The best labels begin at the most probable sample.": lambda: (
            _SAMPLES * (_SAMPLES + 1) // 2
        ),
        "Those are all pairs that could be swapped. "
        "How many labellings have nothing to swap?": lambda: _SAMPLES * (_SAMPLES - 1) // 2,
    },
)

# ---------------------------------------------------------------------- climbing

_FEW, _MANY = 14, 0.25


def _curve() -> np.ndarray:
    return np.asarray(prefix_utilities([1.0] + [_MANY] * _FEW, "f1"))


def _stops(curve: np.ndarray) -> int:
    """Return where somebody stops who goes on as long as it goes up."""
    falls = np.flatnonzero(np.diff(curve) <= 0)
    return int(falls[0]) if falls.size else curve.size - 1


CLIMBER = Exercise(
    name="climber",
    question=(
        "One sample is certainly positive, fourteen others are with probability 0.25 each. "
        "Somebody raises k from 0 as long as the expected F1 goes up. How much lower than the best "
        "is the F1 where they stop?"
    ),
    solve=lambda: _curve().max() - _curve()[_stops(_curve())],
    hint="Look at all of prefix_utilities. Where is the first step down? Where is the top?",
    why="The first step down is small, and after it the curve rises up to its right end.",
    mistakes={
        "That is the F1 where they stop. How much is lost?": lambda: _curve()[_stops(_curve())],
        "That is the best F1. How much lower is it where they stop?": lambda: _curve().max(),
        "That is the loss as a share of what they have. The question "
        "asks for the difference.": lambda: _curve().max() / _curve()[_stops(_curve())] - 1,
        "That is the loss as a share of the best. The question asks for the difference.": lambda: (
            1 - _curve()[_stops(_curve())] / _curve().max()
        ),
        "They do lose something. Is the curve higher anywhere after the first step down?": lambda: (
            0.0
        ),
        "That is the first step down. How much higher is the curve at its highest point?": lambda: (
            _curve()[_stops(_curve())] - _curve()[_stops(_curve()) + 1]
        ),
    },
)

# ---------------------------------------------------------------------- which one breaks it

_RATIOS = {
    "first": LinearFractional((0, 1, 1), (1, 0, 0)),
    "second": LinearFractional((1, 2, 0), (1, 1, 0)),
    "third": LinearFractional((3, 2, 0), (1, 1, 0)),
}


def _breaks() -> str:
    (name,) = (name for name, ratio in _RATIOS.items() if not is_monotonic(ratio))
    return name


WHICH_BREAKS = Choice(
    name="which_breaks",
    question=(
        "Three metrics: the first is u + v, the second (1 + 2u) / (1 + u), the third "
        "(3 + 2u) / (1 + u). For one of them the best labels need not be the most probable "
        "samples. For which?"
    ),
    choices=tuple(_RATIOS),
    solve=_breaks,
    hint="In all three c1 is above d1. Compare c1 D with d1 N: which of them falls with u?",
    why=(
        "It falls from 3 towards 2.5 as u goes from 0 to 1, so true positives hurt. The "
        "condition c1 > d1 compares 2 with 1, so it does not notice this."
    ),
    mistakes={
        "It counts false alarms as a merit, which is odd, but does it fall with u?": lambda: (
            "first"
        ),
        "Put in u = 0 and u = 1: does it fall?": lambda: "second",
    },
)
