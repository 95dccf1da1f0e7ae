"""Exercises of notebook 07, which samples to call positive for the sake of a metric."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from rocviz.core.decisions.decision import optimal_decision, plug_in_utilities, prefix_utilities
from rocviz.core.decisions.label_utility import expected_utility, utility_distribution
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.exercises._base import Choice, Exercise, Quantity

# ---------------------------------------------------------------------- two samples

_TWO = (0.8, 0.3)


def _only(metric: str = "f1") -> float:
    return expected_utility([1, 0], _TWO, metric)


FIRST_ONLY = Exercise(
    name="first_of_two",
    question=(
        "Two samples are positive with probability 0.8 and 0.3, independently. Only the first is "
        "called positive. What is the expected F1?"
    ),
    solve=_only,
    hint=(
        "There are four outcomes. Write down the F1 of each, 2 TP / (called + actual positives), "
        "and its probability. Multiply and add up."
    ),
    why=(
        "Where both are positive, one was missed and F1 is lower; where the first is negative, "
        "F1 is zero whatever the second is."
    ),
    mistakes=lambda: {
        "You put the expected counts into the formula. The mean of a ratio is not the ratio of the "
        "means.": plug_in_utilities(_TWO, "f1")[1],
        "That is what calling both positive gives.": prefix_utilities(_TWO, "f1")[2],
        "That would be right if a hit always gave an F1 of one. What if the other sample is "
        "positive too?": _TWO[0],
        "You counted only the outcome in which F1 is one. What is it if both are positive?": (
            _TWO[0] * (1 - _TWO[1])
        ),
        "That is the expected Jaccard index: TP counts twice in F1.": _only("jaccard"),
        "You left out the outcome without positives. "
        "It has a probability, and an F1 of zero.": _only() / (1 - (1 - _TWO[0]) * (1 - _TWO[1])),
        "You gave all values of F1 the same weight. Some outcomes are more probable.": float(
            utility_distribution([1, 0], _TWO, "f1").values.mean()
        ),
    },
)


# ---------------------------------------------------------------------- a batch of one

_RARE = 0.02


def _is_called() -> str:
    return "yes" if optimal_decision([_RARE], "f1").n_predicted_positive else "no"


ALONE = Choice(
    name="alone",
    question=(
        "A batch of one sample, which is positive with probability 0.02. The metric is F1, which "
        "counts as 0 where it is 0/0. Should the sample be called positive?"
    ),
    choices=("yes", "no", "it does not matter"),
    solve=_is_called,
    hint="There are two outcomes. What is F1 in each, for either label?",
    why=(
        "If the sample is negative, F1 is 0 with either label, so a false alarm costs nothing. If "
        "it is positive, only the label positive gives an F1 of 1."
    ),
    mistakes=lambda: {
        "For accuracy that is right, since it is most likely negative. What is F1 if it is "
        "negative and not called positive?": "no",
        "It does not matter if the sample is negative. And if it is positive?": (
            "it does not matter"
        ),
    },
)


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
    mistakes=lambda: {
        "There are so many labellings. But the best one is among those that call the most probable "
        "samples positive.": 2**_SAMPLES,
        "Nearly: you left out one of the two ends of the ranking.": _SAMPLES,
        "You left out both ends: everybody, and nobody.": _SAMPLES - 1,
        "Those are all runs of neighbours. "
        "The best labels begin at the most probable sample.": _SAMPLES * (_SAMPLES + 1) // 2,
        "Those are all pairs that could be swapped. "
        "How many labellings have nothing to swap?": _SAMPLES * (_SAMPLES - 1) // 2,
    },
)


# ---------------------------------------------------------------------- climbing

_FEW, _MANY = 14, 0.25


def _curve() -> np.ndarray:
    return np.asarray(prefix_utilities([1.0] + [_MANY] * _FEW, "f1"))


def _stops(curve: np.ndarray) -> int:
    """Find where a climb stops that goes on as long as the value rises."""
    falls = np.flatnonzero(np.diff(curve) <= 0)
    return int(falls[0]) if falls.size else curve.size - 1


CLIMBER = Exercise(
    name="climber",
    question=(
        "One sample is certainly positive, fourteen others are with probability 0.25 each. "
        "Suppose we raise k from 0 as long as the expected F1 goes up. How much lower than the "
        "best is the F1 where we stop?"
    ),
    solve=lambda: _curve().max() - _curve()[_stops(_curve())],
    hint="Look at all of prefix_utilities. Where is the first step down? Where is the top?",
    why="The first step down is small, and after it the curve rises up to its right end.",
    mistakes=lambda: {
        "That is the F1 where they stop. How much is lost?": _curve()[_stops(_curve())],
        "That is the best F1. How much lower is it where they stop?": _curve().max(),
        "That is the loss as a share of what they have. The question "
        "asks for the difference.": _curve().max() / _curve()[_stops(_curve())] - 1,
        "That is the loss as a share of the best. The question asks for the difference.": (
            1 - _curve()[_stops(_curve())] / _curve().max()
        ),
        "They do lose something. Is the curve higher anywhere after the first step down?": 0.0,
        "That is the first step down. How much higher is the curve at its highest point?": (
            _curve()[_stops(_curve())] - _curve()[_stops(_curve()) + 1]
        ),
    },
)


# ---------------------------------------------------------------------- believing too much

_TRUE = (0.7, 0.6, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1)
_TIMES = 3


def _probabilities() -> np.ndarray:
    return np.asarray(expit(_TIMES * logit(np.array(_TRUE))))


TRIPLED = Exercise(
    name="tripled",
    question=(
        "Ten samples have probabilities .7, .6, .4, .4, .3, .3, .2, .2, .1, .1. A model reports "
        "their log-odds three times too large. A user believes it and picks the best labels for "
        "F1. What is their expected F1 in truth?"
    ),
    solve=lambda: expected_utility(optimal_decision(_probabilities(), "f1").labels, _TRUE, "f1"),
    hint=(
        "Decide with optimal_decision by the reported probabilities; then ask expected_utility "
        "what those labels give by the true ones."
    ),
    why=(
        "The order is right, but too few samples are called positive, since the model takes the "
        "less probable ones for hopeless."
    ),
    mistakes=lambda: {
        "That is what they expect. The labels are theirs, but outcomes follow the true "
        "probabilities.": optimal_decision(_probabilities(), "f1").utility,
        "That is the F1 with the true probabilities.": optimal_decision(_TRUE, "f1").utility,
        "It is the other way round: the labels follow the reported probabilities, the "
        "outcomes the true ones.": expected_utility(
            optimal_decision(_TRUE, "f1").labels, _probabilities(), "f1"
        ),
        "That is what they lose. The question asks for what is left.": (
            optimal_decision(_TRUE, "f1").utility
            - expected_utility(optimal_decision(_probabilities(), "f1").labels, _TRUE, "f1")
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
    mistakes=lambda: {
        "It counts false alarms as a merit, which is odd, but does it fall with u?": "first",
        "Put in u = 0 and u = 1: does it fall?": "second",
    },
)

#: In the order of the notebook.
EXERCISES = (
    FIRST_ONLY,
    ALONE,
    HOW_MANY_CUTS,
    CLIMBER,
    TRIPLED,
    WHICH_BREAKS,
)
