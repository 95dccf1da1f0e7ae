"""Answers to the exercises of notebook 02, probabilities and calibration."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises._base import Exercise, Solution
from rocviz.exercises._chapter01 import lexicographic, tree


@lru_cache(maxsize=1)
def cancer() -> RankedSegments:
    """Rank by naive Bayes on the breast cancer data."""
    scores = load_breast_cancer_scores()
    return RankedSegments.from_scores(scores.y_true, scores.y_prob)


def _cubed() -> RankedSegments:
    return cancer().with_scores(cancer().score ** 3)


def tree_refinement_loss() -> Solution:
    """Compute the refinement loss of the tree."""
    leaves = tree()
    loss = brier_decomposition(leaves)
    p = leaves.empirical_probability
    other = lexicographic().hull()
    other_loss = brier_decomposition(other.with_scores(other.empirical_probability))
    return loss.refinement_loss, {
        "mean_of_leaves": (p * (1 - p)).mean(),
        "sum_of_leaves": (p * (1 - p)).sum(),
        "gini": 2 * loss.refinement_loss,
        "sum_of_people": (p * (1 - p) * leaves.n).sum(),
        "uncertainty": loss.uncertainty,
        "resolution": loss.resolution,
        "lexicographic": other_loss.refinement_loss,
    }


def cubed_miscalibration() -> Solution:
    """Compute the excess of the cubed probabilities' Brier score over the hull's."""
    plain = brier_decomposition(cancer())
    cubed = brier_decomposition(_cubed())
    return cubed.miscalibration, {
        "brier": cubed.calibration_loss,
        "of_hull": cubed.brier - cubed.miscalibration,
        "not_cubed": plain.miscalibration,
        "added_by_cubing": cubed.brier - plain.brier,
        "brier_not_cubed": plain.brier,
        "discrimination": cubed.discrimination,
        "sign": -cubed.miscalibration,
        "share": cubed.miscalibration / cubed.brier,
        "refinement": cubed.refinement_loss,
    }


def cubed_probabilities() -> str:
    """Name the score that cubing changes."""
    plain = cancer()
    cubed = _cubed()
    changes_auc = abs(plain.auc - cubed.auc) > 1e-9
    changes_brier = abs(brier_decomposition(plain).brier - brier_decomposition(cubed).brier) > 1e-9
    if changes_auc and changes_brier:
        return "both"
    if changes_auc:
        return "AUC"
    return "Brier score" if changes_brier else "neither"


def hull_probabilities() -> Solution:
    """Read the hull's own map off at the segments it was made from."""
    ranking = lexicographic()
    hull = ranking.hull()
    answer = calibration_map(ranking, m=2)(hull.score)
    return answer, {
        "not_corrected": hull.empirical_probability,
        "reversed": answer[::-1],
        "of_negatives": 1 - answer,
        "denominator_by_one": (hull.pos + 1) / (hull.n + 1),
        "positives_only": (hull.pos + 1) / hull.n,
        "halves": (hull.pos + 0.5) / (hull.n + 1),
        "counts": hull.pos + 1,
        "not_joined": (ranking.pos + 1) / (ranking.n + 2),
        "not_joined_nor_corrected": ranking.empirical_probability,
    }


class Threshold(Exercise):
    """A question with a threshold for an answer: right if no other costs less."""

    @property
    def answer_form(self) -> str:
        """Name the number."""
        return "one number, the threshold"

    def read(self, answer: Any) -> float:
        """Read the answer as a threshold, or take that of a confusion table."""
        if isinstance(answer, ConfusionTable):
            answer = answer.threshold
        return float(super().read(answer))

    def same(self, answer: float, expected: float) -> bool:
        """Whether the same tumours are predicted positive at both thresholds."""
        table = cancer().at_threshold(answer)
        expected_table = cancer().at_threshold(expected)
        return (table.tp, table.fp) == (expected_table.tp, expected_table.fp)

    def remark(self, answer: float, expected: float) -> str | None:
        """Explain that the threshold is no score, or that it was rounded."""
        if not 0 <= answer <= 1:
            return "The scores lie between 0 and 1, and so does the threshold."
        if abs(answer - expected) < 0.005:
            return (
                "Very close, but rounding moved a tumour to the other side. Hand over the "
                "threshold as it is computed."
            )
        return None


def cancer_threshold() -> Solution:
    """Find the cost-optimal threshold for a miss that costs 5 and a prevalence of 5 %."""

    def cost_optimal(cost_fp: float, cost_fn: float, prevalence: float | None) -> float:
        return cancer().optimal_point(cost_fp, cost_fn, prevalence).threshold

    return cost_optimal(1, 5, 0.05), {
        "costs_swapped": cost_optimal(5, 1, 0.05),
        "own_prevalence": cost_optimal(1, 5, None),
        "equal_costs": cost_optimal(1, 1, 0.05),
        "fewest_errors": cost_optimal(1, 1, None),
        "line_of_table": cost_optimal(1, 10, 0.1),
        "half": 0.5,
        "costs_alone": 1 / (1 + 5),
    }
