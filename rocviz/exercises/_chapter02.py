"""Exercises of notebook 02, probabilities and calibration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.calibration.brier import BrierDecomposition, brier_decomposition
from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises._base import Choice, Exercise, Vector
from rocviz.exercises._chapter01 import lexicographic, tree


@lru_cache(maxsize=1)
def cancer() -> RankedSegments:
    """Rank by naive Bayes on the breast cancer data."""
    scores = load_breast_cancer_scores()
    return RankedSegments.from_scores(scores.y_true, scores.y_prob)


@lru_cache(maxsize=1)
def cancer_brier() -> BrierDecomposition:
    """Take the Brier score of naive Bayes apart."""
    return brier_decomposition(cancer())


@lru_cache(maxsize=1)
def cubed_brier() -> BrierDecomposition:
    """Take the Brier score of its cubed probabilities apart."""
    return brier_decomposition(cancer().with_scores(cancer().score ** 3))


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
    solve=lambda: brier_decomposition(tree()).refinement_loss,
    hint=(
        "In each leaf work out p (1 - p), with p the share of positives. Then average over "
        "the people: a leaf counts by how many it holds."
    ),
    why=(
        "All of the Brier score is refinement loss here. Better probabilities cannot lower it; "
        "only leaves with fewer people of the other class could."
    ),
    mistakes=lambda: {
        "You averaged over leaves. They differ in size: average over people.": (
            _tree_mixture().mean()
        ),
        "You added up the leaves. Weight each by its share of the people.": _tree_mixture().sum(),
        "That is twice as much, as in the Gini impurity of a tree. "
        "The loss in a leaf is p (1 - p).": 2 * brier_decomposition(tree()).refinement_loss,
        "You added up over the people; divide by how many there are.": (
            (_tree_mixture() * tree().n).sum()
        ),
        "That is the loss of always predicting the overall share of positives. The leaves do "
        "better.": brier_decomposition(tree()).uncertainty,
        "That is the resolution, what the leaves gain over always predicting the overall share of "
        "positives. What is left?": brier_decomposition(tree()).resolution,
        "That is the loss of the hull of the lexicographic ranking; the tree has four leaves.": (
            brier_decomposition(
                lexicographic().hull().with_scores(lexicographic().hull().empirical_probability)
            ).refinement_loss
        ),
    },
)

MISCALIBRATION = Exercise(
    name="cubed_miscalibration",
    question=(
        "Naive Bayes on the breast cancer data, its probabilities raised to the third power: how "
        "much lower would the Brier score of these be if each were replaced by its hull segment's "
        "share of positives?"
    ),
    solve=lambda: cubed_brier().miscalibration,
    hint=(
        "brier_decomposition(y_true, y_prob ** 3) takes the score apart. Look for the part that "
        "compares the probabilities with those of the hull."
    ),
    why=(
        "The ranking is the same, and so is the hull's score. All that cubing costs is "
        "miscalibration."
    ),
    mistakes=lambda: {
        "That is the whole Brier score (and the calibration loss by segments: nearly every "
        "tumour has a score of its own, so each is a segment of one). "
        "Compare with the hull.": cubed_brier().calibration_loss,
        "That is the Brier score after the change. By how much did it fall?": (
            cubed_brier().brier - cubed_brier().miscalibration
        ),
        "That is the miscalibration of the probabilities as they are. Cube them first.": (
            cancer_brier().miscalibration
        ),
        "That is what cubing adds to the Brier score. The probabilities were not calibrated before "
        "either: compare with the hull.": cubed_brier().brier - cancer_brier().brier,
        "That is the Brier score of the probabilities as they are.": cancer_brier().brier,
        "That is what the ranking gains over always predicting the share of malignant cases. The "
        "question is about the probabilities.": cubed_brier().discrimination,
        "The size is right. Asked how much lower it is, answer with a positive number.": (
            -cubed_brier().miscalibration
        ),
        "That is the fall as a share of the Brier score. Give the difference itself.": (
            cubed_brier().miscalibration / cubed_brier().brier
        ),
        "That is the refinement loss by segments; with one tumour in almost every segment it says "
        "nothing. Use the form against the hull.": cubed_brier().refinement_loss,
    },
)


def _what_cubing_changes() -> str:
    segments, cubed = cancer(), cancer().with_scores(cancer().score ** 3)
    auc = abs(segments.auc - cubed.auc) > 1e-9
    brier = abs(brier_decomposition(segments).brier - brier_decomposition(cubed).brier) > 1e-9
    return {(0, 0): "neither", (1, 0): "AUC", (0, 1): "Brier score", (1, 1): "both"}[auc, brier]


CUBED = Choice(
    name="cubed_probabilities",
    question=(
        "Raise all probabilities of the naive Bayes model to the third power. What changes: "
        "the AUC, the Brier score, both or neither?"
    ),
    choices=("AUC", "Brier score", "both", "neither"),
    solve=_what_cubing_changes,
    hint="Does cubing change which of two tumours scores higher? Does it change the numbers?",
    why=(
        "Cubing keeps the order, on which one of the two depends, but it changes the numbers, on "
        "which the other depends."
    ),
    mistakes=lambda: {
        "The area depends on the order only. "
        "Which of two tumours scores higher after cubing?": "AUC",
        "One of them depends on the order only, and cubing keeps the order.": "both",
        "The order stays, but a probability of one half becomes one eighth. Which of the two "
        "scores depends on that?": "neither",
    },
)


# ---------------------------------------------------------------------- from the hull


def _lexprob(m: float, segments: RankedSegments | None = None) -> NDArray[np.float64]:
    segments = lexicographic().hull() if segments is None else segments
    return np.asarray((segments.pos + m / 2) / (segments.n + m))


PROBABILITIES = Vector(
    name="hull_probabilities",
    question=(
        "Which probability of being positive does each hull segment predict, with Laplace's "
        "correction (one more positive and one more negative in every segment)? Best segment "
        "first."
    ),
    parts="one number for each hull segment, in square brackets, best segment first",
    # the hull's own map, read off at the segments it was made from
    solve=lambda: calibration_map(lexicographic(), m=2)(lexicographic().hull().score),
    hint="Take the counts of each hull segment, add one to both, and then divide.",
    why=(
        "The correction pulls every proportion towards one half, and that of a small segment "
        "further than that of a large one, for few people are little evidence."
    ),
    mistakes=lambda: {
        "Those are the proportions as they are. The correction adds one positive and one negative "
        "to each segment first.": _lexprob(0),
        "The numbers are right; the best segment's comes first.": _lexprob(2)[::-1],
        "Those are the probabilities of being negative.": 1 - _lexprob(2),
        "The denominator grows as well, by the positive and the negative that were added.": (
            (lexicographic().hull().pos + 1) / (lexicographic().hull().n + 1)
        ),
        "You added to the positives only. "
        "One positive and one negative more make the whole segment larger by two.": (
            (lexicographic().hull().pos + 1) / lexicographic().hull().n
        ),
        "You added one half to both counts. Laplace's correction adds one to both.": _lexprob(1),
        "Those are the positives after the correction. Divide by the size of the segment after the "
        "correction.": lexicographic().hull().pos + 1,
        "Those are the ranking's own segments. Join them to the hull's first.": (
            _lexprob(2, lexicographic())
        ),
        "Those are the ranking's own segments, "
        "uncorrected. Join them to the hull's first.": _lexprob(0, lexicographic()),
    },
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
        "one costs five times as much as a false alarm. What is the lowest score at which you "
        "should raise the alarm?"
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
    mistakes=lambda: {
        "You swapped the costs: it is the miss that is costly.": (
            _cheapest(_COST_FN, 1, _PREVALENCE)
        ),
        "That is the best threshold for the prevalence in this data set. The model is used where "
        "malignant tumours are rarer.": _cheapest(1, _COST_FN, None),
        "That is the best threshold if both errors cost the same.": (_cheapest(1, 1, _PREVALENCE)),
        "That is the threshold with the fewest errors in this data set. Neither costs nor "
        "prevalence are the stated ones yet.": _cheapest(1, 1, None),
        "That is a line of the table above: "
        "a miss costs ten there, and 10% are malignant.": _cheapest(1, 10, 0.1),
        "One half would be right for equal costs, the prevalence of the data and probabilities "
        "that can be believed. None of the three holds.": 0.5,
        "That follows from the costs alone, for probabilities that can be believed. These are too "
        "sure of themselves, and the prevalence is another one.": 1 / (1 + _COST_FN),
    },
)

#: In the order of the notebook.
EXERCISES = (
    REFINEMENT,
    PROBABILITIES,
    CUBED,
    MISCALIBRATION,
    THRESHOLD,
)
