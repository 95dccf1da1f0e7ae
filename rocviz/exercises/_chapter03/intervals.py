"""Exercises on how sure an AUC is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rocviz.core.roc.auc_intervals import AUCInterval, auc_interval
from rocviz.core.roc.coverage import simulate_coverage
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises._base import Choice, Exercise

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
    mistakes={
        "That is where the interval of 95 % begins. Ask for less confidence.": lambda: (
            _interval(confidence=0.95).lower
        ),
        "That is where it ends.": lambda: _interval().upper,
        "That is the AUC itself, which lies inside the interval.": lambda: _interval().auc,
        "That is DeLong's interval as it is, without the logit scale.": lambda: (
            _interval("delong").lower
        ),
        "That is DeLong's interval of 95 %, without the logit scale.": lambda: (
            _interval("delong", 0.95).lower
        ),
        "That is the interval from the variance of the Fermi-Dirac law.": lambda: (
            _interval("fermi-dirac").lower
        ),
        "That is the interval of Hanley and McNeil, with 90 %.": lambda: (
            _interval("hanley-mcneil").lower
        ),
        "That is the standard error of the AUC.": lambda: _interval().standard_error,
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
    mistakes={
        "Its variance, that of exponential scores, is too large here rather than too small, so "
        "that the interval is long rather than short.": lambda: "hanley-mcneil",
        "It does miss often here, but another one is shorter still.": lambda: "delong",
        "The logit scale helps near an AUC of 1. Others do without it.": lambda: "logit-delong",
    },
)
