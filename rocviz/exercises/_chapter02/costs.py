"""Exercises on what a model is used for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocviz.core.roc.confusion import ConfusionTable
from rocviz.exercises._base import Exercise
from rocviz.exercises._chapter02.data import cancer

_COST_FN, _PREVALENCE = 5, 0.05


@dataclass(frozen=True)
class _Threshold(Exercise):
    """A question with a threshold for an answer: right if no other is cheaper."""

    @property
    def wanted(self) -> str:
        return "one number, the threshold"

    def read(self, answer: Any) -> float:
        cut = answer.threshold if isinstance(answer, ConfusionTable) else answer
        return float(super().read(cut))

    def same(self, given: float, expected: float) -> bool:
        """Whether both thresholds call the same tumours positive."""
        ours, theirs = cancer().at_threshold(given), cancer().at_threshold(expected)
        return (ours.tp, ours.fp) == (theirs.tp, theirs.fp)

    def remark(self, given: float, expected: float) -> str | None:
        if not 0 <= given <= 1:
            return "The scores lie between 0 and 1, and so does the threshold."
        if abs(given - expected) < 0.005:
            return (
                "Very close, but rounding moved a tumour to the other side. Hand over the "
                "threshold as it is computed."
            )
        return None


def _cheapest(cost_fp: float, cost_fn: float, prevalence: float | None) -> float:
    return cancer().optimal_point(cost_fp, cost_fn, prevalence).threshold


THRESHOLD = _Threshold(
    name="cancer_threshold",
    question=(
        "You use these naive Bayes scores where 5% of the tumours are malignant, and a missed "
        "one costs five times as much as a false alarm. From which score on should you raise "
        "the alarm?"
    ),
    solve=lambda: _cheapest(1, _COST_FN, _PREVALENCE),
    hint=(
        "cancer_ranking.optimal_point takes both costs and the prevalence where the model is used. "
        "Its answer knows its threshold."
    ),
    why=(
        "Misses are costly, but malignant tumours are so rare here that false alarms would cost "
        "more in total: the alarm has to wait for a high score."
    ),
    mistakes={
        "You swapped the costs: it is the miss that is costly.": lambda: _cheapest(
            _COST_FN, 1, _PREVALENCE
        ),
        "That is the best threshold for the prevalence in this data set. The model is used where "
        "malignant tumours are rarer.": lambda: _cheapest(1, _COST_FN, None),
        "That is the best threshold if both errors cost the same.": lambda: _cheapest(
            1, 1, _PREVALENCE
        ),
        "That is the threshold with the fewest errors in this data set. Neither costs nor "
        "prevalence are the stated ones yet.": lambda: _cheapest(1, 1, None),
        "That is a line of the table above: "
        "a miss costs ten there, and 10% are malignant.": lambda: _cheapest(1, 10, 0.1),
        "One half would be right for equal costs, the prevalence of the data and probabilities "
        "that can be believed. None of the three holds.": lambda: 0.5,
        "That follows from the costs alone, for probabilities that can be believed. These are too "
        "sure of themselves, and the prevalence is another one.": lambda: 1 / (1 + _COST_FN),
    },
)
