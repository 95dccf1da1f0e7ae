"""Exercises on losses, and on what a model is used for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.calibration.brier import brier_of_segments
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.exercises._base import Choice, Exercise
from rocviz.exercises._chapter01.data import cancer, cancer_brier, lexicographic, tree

# ---------------------------------------------------------------------- losses


def _tree_mixture() -> NDArray[np.float64]:
    p = tree().empirical_probability
    return np.asarray(p * (1 - p))


REFINEMENT = Exercise(
    name="tree_refinement_loss",
    question=(
        "The tree predicts in each leaf the share p of positives in it, so its calibration loss "
        "is zero. What is its refinement loss?"
    ),
    solve=lambda: brier_of_segments(tree()).refinement_loss,
    hint=(
        "In each leaf work out p (1 - p), with p the share of positives. Then average over "
        "the instances: a leaf counts by how many it holds."
    ),
    why=(
        "All of the Brier score is refinement loss here: only leaves with fewer instances of "
        "the other class could lower it, no better probabilities."
    ),
    mistakes=(
        (
            lambda: _tree_mixture().mean(),
            "You averaged over leaves. They differ in size: average over instances.",
        ),
        (
            lambda: _tree_mixture().sum(),
            "You added up the leaves. Weight each by its share of the instances.",
        ),
        (
            lambda: (_tree_mixture() * tree().n).sum(),
            "You added up over the instances; divide by how many there are.",
        ),
        (
            lambda: brier_of_segments(tree()).uncertainty,
            "That is the loss of always predicting the overall share of positives. The leaves "
            "do better.",
        ),
        (
            lambda: brier_of_segments(tree()).resolution,
            "That is the resolution, what the leaves gain over always predicting the overall "
            "share of positives. What is left?",
        ),
        (
            lambda: (
                brier_of_segments(
                    lexicographic().hull().with_scores(lexicographic().hull().empirical_probability)
                ).refinement_loss
            ),
            "That is the loss of the hull of the lexicographic ranking; the tree has four leaves.",
        ),
    ),
)

MISCALIBRATION = Exercise(
    name="cancer_miscalibration",
    question=(
        "Naive Bayes on the breast cancer data: how much lower would the Brier score of these "
        "probabilities be if each were replaced by its hull segment's share of positives?"
    ),
    solve=lambda: cancer_brier().miscalibration,
    hint=(
        "brier_decomposition(y_true, y_prob) takes the score apart. Look for the part that "
        "compares the probabilities with those of the hull."
    ),
    why=(
        "That is what being too sure costs this model; what is left of the score is the price "
        "of its ranking."
    ),
    mistakes=(
        (
            lambda: cancer_brier().calibration_loss,
            "That is the whole Brier score (and the calibration loss by segments: nearly every "
            "patient has a score of their own, so each is a segment of one). Compare with the "
            "hull.",
        ),
        (
            lambda: cancer_brier().brier - cancer_brier().miscalibration,
            "That is the Brier score after the change. By how much did it fall?",
        ),
        (
            lambda: cancer_brier().discrimination,
            "That is what the ranking gains over always predicting the share of malignant "
            "cases. The question is about the probabilities.",
        ),
        (
            lambda: -cancer_brier().miscalibration,
            "The size is right. Asked how much lower it is, answer with a positive number.",
        ),
        (
            lambda: cancer_brier().miscalibration / cancer_brier().brier,
            "That is the fall as a share of the Brier score. Give the difference itself.",
        ),
        (
            lambda: cancer_brier().refinement_loss,
            "That is the refinement loss by segments; with one patient in almost every segment "
            "it says nothing. Use the form against the hull.",
        ),
    ),
)


def _what_cubing_changes() -> str:
    segments, cubed = cancer(), cancer().with_scores(cancer().score ** 3)
    auc = abs(segments.auc - cubed.auc) > 1e-9
    brier = abs(brier_of_segments(segments).brier - brier_of_segments(cubed).brier) > 1e-9
    return {(0, 0): "neither", (1, 0): "AUC", (0, 1): "Brier score", (1, 1): "both"}[auc, brier]


CUBED = Choice(
    name="cubed_probabilities",
    question=(
        "Raise all probabilities of the naive Bayes model to the third power. What changes: "
        "the AUC, the Brier score, both or neither?"
    ),
    choices=("AUC", "Brier score", "both", "neither"),
    solve=_what_cubing_changes,
    hint="Does cubing change which of two patients scores higher? Does it change the numbers?",
    why="Cubing keeps the order, which is all that a ranking has, but not what the numbers say.",
    mistakes=(
        (
            lambda: "AUC",
            "The area depends on the order only. Which of two patients scores higher after cubing?",
        ),
        (lambda: "both", "One of them depends on the order only, and cubing keeps the order."),
        (
            lambda: "neither",
            "The order stays, but a probability of one half becomes one eighth. Who minds?",
        ),
    ),
)

# ---------------------------------------------------------------------- costs

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
        """Whether both thresholds call the same patients positive."""
        ours, theirs = cancer().at_threshold(given), cancer().at_threshold(expected)
        return (ours.tp, ours.fp) == (theirs.tp, theirs.fp)

    def remark(self, given: float, expected: float) -> str | None:
        if not 0 <= given <= 1:
            return "The scores lie between 0 and 1, and so does the threshold."
        if abs(given - expected) < 0.005:
            return (
                "Very close, but rounding moved a patient to the other side. Hand over the "
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
        "segments.optimal_point takes both costs and the prevalence where the model is used. "
        "Its answer knows its threshold."
    ),
    why=(
        "Misses are dear, but malignant tumours so rare here that false alarms, all told, "
        "would cost more: the alarm has to wait for a high score."
    ),
    mistakes=(
        (
            lambda: _cheapest(_COST_FN, 1, _PREVALENCE),
            "You swapped the costs: it is the miss that is dear.",
        ),
        (
            lambda: _cheapest(1, _COST_FN, None),
            "That is the best threshold for the prevalence in this data set. The model is used "
            "where malignant tumours are rarer.",
        ),
        (
            lambda: _cheapest(1, 1, _PREVALENCE),
            "That is the best threshold if both errors cost the same.",
        ),
        (
            lambda: _cheapest(1, 1, None),
            "That is the threshold with the fewest errors in this data set. Neither costs nor "
            "prevalence are the stated ones yet.",
        ),
        (
            lambda: 0.5,
            "One half would be right for equal costs, the prevalence of the data and "
            "probabilities that can be believed. None of the three holds.",
        ),
        (
            lambda: 1 / (1 + _COST_FN),
            "That follows from the costs alone, for probabilities that can be believed. These "
            "are too sure of themselves, and the prevalence is another one.",
        ),
    ),
)
