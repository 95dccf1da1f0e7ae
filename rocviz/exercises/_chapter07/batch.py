"""Exercises on what labels are expected to give, and on believing the wrong probabilities."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from rocviz.core.decisions.decision import optimal_decision, plug_in_utilities, prefix_utilities
from rocviz.core.decisions.label_utility import expected_utility, utility_distribution
from rocviz.exercises._base import Choice, Exercise

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
    mistakes={
        "You put the expected counts into the formula. The mean of a ratio is not the ratio of the "
        "means.": lambda: plug_in_utilities(_TWO, "f1")[1],
        "That is what calling both positive gives.": lambda: prefix_utilities(_TWO, "f1")[2],
        "That would be right if a hit always gave an F1 of one. What if the other sample is "
        "positive too?": lambda: _TWO[0],
        "You counted only the outcome in which F1 is one. "
        "What is it if both are positive?": lambda: _TWO[0] * (1 - _TWO[1]),
        "That is the expected Jaccard index: TP counts twice in F1.": lambda: _only("jaccard"),
        "You left out the outcome without positives. "
        "It has a probability, and an F1 of zero.": lambda: (
            _only() / (1 - (1 - _TWO[0]) * (1 - _TWO[1]))
        ),
        "You gave all values of F1 the same weight. Some outcomes are more probable.": lambda: (
            float(utility_distribution([1, 0], _TWO, "f1").values.mean())
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
    mistakes={
        "For accuracy that is right, since it is most likely negative. What is F1 if it is "
        "negative and not called positive?": lambda: "no",
        "It does not matter if the sample is negative. And if it is positive?": lambda: (
            "it does not matter"
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
        "their log-odds three times too large. Somebody believes it and picks the best labels for "
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
    mistakes={
        "That is what they expect. The labels are theirs, but outcomes follow the true "
        "probabilities.": lambda: optimal_decision(_probabilities(), "f1").utility,
        "That is what somebody gets who knows the true probabilities.": lambda: (
            optimal_decision(_TRUE, "f1").utility
        ),
        "It is the other way round: the labels follow the reported probabilities, the "
        "outcomes the true ones.": (
            lambda: expected_utility(optimal_decision(_TRUE, "f1").labels, _probabilities(), "f1")
        ),
        "That is what they lose. The question asks for what is left.": lambda: (
            optimal_decision(_TRUE, "f1").utility
            - expected_utility(optimal_decision(_probabilities(), "f1").labels, _TRUE, "f1")
        ),
    },
)
