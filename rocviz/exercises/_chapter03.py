"""Exercises of notebook 03, the Fermi-Dirac law of a ranking and intervals of its AUC."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import logit

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_intervals import AUCInterval, auc_interval
from rocviz.core.roc.coverage import simulate_coverage
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises._base import Choice, Exercise, Quantity


@lru_cache(maxsize=1)
def law() -> FermiDirac:
    """Fit the law of naive Bayes on the breast cancer data."""
    scores = load_breast_cancer_scores()
    return FermiDirac.from_scores(scores.y_true, scores.y_prob)


def _best_balanced_accuracy() -> float:
    scores = load_breast_cancer_scores()
    segments = RankedSegments.from_scores(scores.y_true, scores.y_prob)
    return float((segments.tpr + 1 - segments.fpr).max() / 2)


# ---------------------------------------------------------------------- a ladder of seven

_RUNGS, _TAKEN = np.arange(1, 8), (1, 3, 4)


@lru_cache(maxsize=1)
def _ladder() -> RankedSegments:
    return RankedSegments.from_scores(np.isin(_RUNGS, _TAKEN), -_RUNGS)


def _pairs() -> float:
    return _ladder().n_pos * _ladder().n_neg


LADDER = Exercise(
    name="ladder_auc",
    question=(
        "A ladder has seven rungs. Positives sit on rungs 1, 3 and 4, negatives on the others. "
        "What is the AUC of this ranking?"
    ),
    solve=lambda: _ladder().auc,
    hint=(
        "Add up the positives' rungs. How much higher is that than for a perfect ranking? Each "
        "step is one pair in the wrong order."
    ),
    why="The energy above the lowest counts the pairs in the wrong order, one by one.",
    mistakes=lambda: {
        "That is the share of pairs in the wrong order. The AUC is the share of the others.": (
            1 - _ladder().auc
        ),
        "That many pairs are in the wrong order. Out of how many?": (1 - _ladder().auc) * _pairs(),
        "That is a number of pairs. Divide by how many there are.": _ladder().auc * _pairs(),
        "That is the sum of the positives' rungs. Compare with the lowest sum there can be.": float(
            sum(_TAKEN)
        ),
        "You counted one wrong pair. The negative on rung 2 stands before two positives, and each "
        "of them makes a wrong pair with it.": 1 - 1 / _pairs(),
        "Take the lowest possible sum of rungs away first, then divide; and those pairs are the "
        "wrong ones.": sum(_TAKEN) / _pairs(),
    },
)


# ---------------------------------------------------------------------- a real model

TEMPERATURE = Exercise(
    name="cancer_temperature",
    question=(
        "What is the temperature of naive Bayes on the breast cancer data, in units of the "
        "number of tumours?"
    ),
    solve=lambda: law().temperature / (law().n_samples or 1),
    hint=(
        "FermiDirac.from_scores(y_true, y_prob) fits the law, and its temperature is counted in "
        "ranks. Divide by the number of ranks."
    ),
    why=(
        "Along so large a part of the ranking the odds of a malignant tumour fall by a factor e, "
        "whatever the size of the data set."
    ),
    mistakes=lambda: {
        "That is the temperature in ranks. Divide by how many ranks there are.": law().temperature,
        "That is beta, the inverse of the temperature, per rank.": law().beta,
        "That is the inverse of what is asked.": law().beta * (law().n_samples or 1),
        "That is the chemical potential, the place where the probability is one half.": (
            law().chemical_potential / (law().n_samples or 1)
        ),
        "That is the threshold. The temperature says how fast the probability falls.": (
            law().threshold_rank / (law().n_samples or 1)
        ),
    },
)


def _rank_of(probability: float) -> float:
    return law().chemical_potential - float(logit(probability)) * law().temperature


NINE_IN_TEN = Quantity(
    name="nine_in_ten",
    question=(
        "Logistic regression says: log odds = intercept + slope * rank. From the intercept and "
        "the slope printed above, at which rank is the probability of a malignant tumour nine in "
        "ten?"
    ),
    solve=lambda: _rank_of(0.9),
    tolerance=0.5,  # the nearest rank is an answer, too
    hint="What are the odds where the probability is nine in ten? Solve for the rank.",
    why="From there on the odds fall by the same factor at every rank, until they are even at mu.",
    mistakes=lambda: {
        "That is the chemical potential, where the probability is one half.": (
            law().chemical_potential
        ),
        "That is where nine in ten are benign. Look at the sign of the log odds.": (_rank_of(0.1)),
        "You put the probability where the log odds go. Turn it into odds first.": (
            law().chemical_potential - 0.9 * law().temperature
        ),
        "You took the logarithm of the probability. Take that of the odds, 0.9 to 0.1.": (
            law().chemical_potential - float(np.log(0.9)) * law().temperature
        ),
        "A rank is positive. When you solve for the rank, the intercept goes to the other side "
        "with a minus.": -_rank_of(0.1),
        "Those are the odds. The line gives their logarithm.": (
            law().chemical_potential - 9 * law().temperature
        ),
        "You took the logarithm to base ten. Here it is the natural one.": (
            law().chemical_potential - float(np.log10(9)) * law().temperature
        ),
        "That is the intercept, the log odds in front of the first rank.": (
            law().beta * law().chemical_potential
        ),
        "That is where a tumour is as likely malignant as before it was ranked.": (
            law().threshold_rank
        ),
    },
)


# ---------------------------------------------------------------------- between mu and r*

_RANK = 230


def _true_between_marks() -> str:
    first = law().probability(_RANK) > 0.5
    second = law().log_likelihood_ratio(_RANK) > 0
    return {
        (True, True): "both",
        (True, False): "only the first",
        (False, True): "only the second",
        (False, False): "neither",
    }[bool(first), bool(second)]


BETWEEN_MARKS = Choice(
    name="between_marks",
    question=(
        "A tumour has rank 230. First: is it more likely malignant than benign? Second: is it "
        "more likely malignant than a tumour of which nothing is known? Which of the two is true?"
    ),
    choices=("both", "only the first", "only the second", "neither"),
    solve=_true_between_marks,
    hint="On which side of the chemical potential is this rank? On which side of the threshold?",
    why=(
        "Its rank is evidence for malignant, but not enough to outweigh that most tumours are "
        "benign."
    ),
    mistakes=lambda: {
        "A tumour is more likely malignant than benign if its rank is smaller than the chemical "
        "potential. Is the rank of this one?": "both",
        "Compare the rank with the chemical potential and with the threshold once more: which of "
        "the two is it smaller than?": "only the first",
        "Without the ranking one would go by the share of malignant tumours. Is the probability at "
        "this rank below that?": "neither",
    },
)


# ---------------------------------------------------------------------- how sure an AUC is

_ASKED = "logit-delong"


def _interval(method: str = _ASKED, confidence: float = 0.9) -> AUCInterval:
    scores = load_breast_cancer_scores()
    return auc_interval(scores.y_true, scores.y_prob, method=method, confidence=confidence)


@dataclass(frozen=True)
class _LowerEnd(Exercise):
    """A question with the lower end of an interval for an answer; the interval will do as well."""

    def read(self, answer: Any) -> float:
        return float(super().read(answer.lower if isinstance(answer, AUCInterval) else answer))


LOWER_END = _LowerEnd(
    name="cancer_lower_end",
    question=(
        "Naive Bayes on the breast cancer data: where does the 90 % logit-DeLong interval of "
        "the AUC begin?"
    ),
    solve=lambda: _interval().lower,
    hint="The function auc_interval takes a confidence, and what it returns has a lower end.",
    why="An interval that may miss the truth twice as often can be shorter.",
    mistakes=lambda: {
        "That is where the interval of 95 % begins. Ask for less confidence.": _interval(
            confidence=0.95
        ).lower,
        "That is where it ends.": _interval().upper,
        "That is the AUC itself, which lies inside the interval.": _interval().auc,
        "That is DeLong's interval as it is, without the logit scale.": _interval("delong").lower,
        "That is DeLong's interval of 95 %, without the logit scale.": _interval(
            "delong", 0.95
        ).lower,
        "That is the interval from the variance of the Fermi-Dirac law.": _interval(
            "fermi-dirac"
        ).lower,
        "That is the interval of Hanley and McNeil, with 90 %.": _interval("hanley-mcneil").lower,
        "That is the standard error of the AUC.": _interval().standard_error,
    },
)


@lru_cache(maxsize=1)
def _least_often() -> str:
    found = simulate_coverage(1000, 0.02, 0.99, n_repeats=300, random_state=0)
    return found.methods[int(found.coverage.argmin())]


RARE_POSITIVES = Choice(
    name="rare_positives",
    question=(
        "A thousand items, twenty of them positive, a true AUC of 0.99. Which of the 95 % "
        "intervals misses the truth most often?"
    ),
    choices=("logit-delong", "delong", "hanley-mcneil", "fermi-dirac"),
    solve=_least_often,
    hint=(
        "Which of them takes its variance from a curve that changes with the share of positives, "
        "as no classifier's does?"
    ),
    why=(
        "Its law lets the ranks of rare positives vary too little, so that the interval is far "
        "too short."
    ),
    mistakes=lambda: {
        "Its variance, that of exponential scores, is too large here rather than too small, so "
        "that the interval is long rather than short.": "hanley-mcneil",
        "It does miss often here, but another one is shorter still.": "delong",
        "The logit scale helps near an AUC of 1. Others do without it.": "logit-delong",
    },
)


# ---------------------------------------------------------------------- shortcuts

MEAN_BALANCED_ACCURACY = Exercise(
    name="cancer_mean_bac",
    question=(
        "Cut the tumours' ranking after each rank in turn and take the mean of all those "
        "balanced accuracies. What is it for naive Bayes?"
    ),
    solve=lambda: float(law().balanced_accuracy().mean()),
    hint="You need not cut anything: solve AUC = 2 * mean - 1/2 for the mean.",
    why=(
        "Each can be computed from the other for any ranking, not only for one that follows the "
        "law."
    ),
    mistakes=lambda: {
        "That is the AUC.": law().auc,
        "You put the AUC where the mean goes. The mean is what you want to know.": (
            2 * law().auc - 0.5
        ),
        "Nearly: look at the term that stands alone in AUC = 2 * mean - 1/2.": law().auc / 2,
        "That is the highest of the balanced accuracies. "
        "The question asks for their mean.": _best_balanced_accuracy(),
        "That is the highest balanced accuracy the law expects. "
        "The question asks for the mean.": float(law().balanced_accuracy().max()),
    },
)

#: In the order of the notebook.
EXERCISES = (
    LADDER,
    TEMPERATURE,
    NINE_IN_TEN,
    BETWEEN_MARKS,
    LOWER_END,
    RARE_POSITIVES,
    MEAN_BALANCED_ACCURACY,
)
