"""Answers to the exercises of notebook 05, scoring lists: asking until one is sure."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.core.roc.metrics import binomial_interval
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.search.search import learn_scoring_list
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.datasets import load_scoring_list_example, make_chest_pain
from rocviz.exercises._base import Solution


def card_after_three() -> Solution:
    """Read the card after a yes to f3, f1 and f2."""
    card = load_scoring_list_example()

    def all_yes(stage: int) -> float:
        return float(card.predict_proba([[1, 1, 1, 0]], stage)[0])

    def probability(stage: int, total: int) -> float:
        return float(card.stages[stage].probability_at([total])[0])

    return all_yes(3), {
        "stage_of_f4": all_yes(4),
        "f1_alone": probability(3, -2),
        "one_no": probability(3, 1),
        "after_f3": probability(1, 1),
        "stage_of_f1": probability(2, 0),
        "sign_of_f1": probability(4, 4),
        "before": all_yes(0),
        "total": 0.0,
    }


def mean_minutes() -> Solution:
    """Compute the mean cost of asking until 3 % or 50 % is reached."""
    cohort = make_chest_pain()
    X = cohort.data
    y = cohort.target
    minutes = np.array([cohort.feature_costs[name] for name in cohort.feature_names])
    learned = learn_scoring_list(X, y, score_set=(-1, 1), feature_costs=minutes, tol=0.0)
    doctor = ScoringList.from_counts(learned.features, learned.scores, X, y)

    def mean_cost(**limits: Any) -> float:
        return float(np.mean(doctor.decide(X, feature_costs=minutes, **limits).cost))

    limits: dict[str, Any] = {"lower": 0.03, "upper": 0.5}
    return mean_cost(**limits), {
        "questions": np.mean(doctor.decide(X, feature_costs=minutes, **limits).n_asked),
        "first_doctor": mean_cost(lower=0.02, upper=0.4),
        "no_upper_limit": mean_cost(lower=0.03),
        "no_lower_limit": mean_cost(upper=0.5),
        "no_limit": mean_cost(),
        "intervals": mean_cost(use="interval", **limits),
        "all_patients": mean_cost(**limits) * len(X),
    }


def upper_end(n: int, confidence: float, at_once: int = 6) -> float:
    """Compute the upper end for n patients of whom none is ill, one of several at once."""
    alpha = (1 - confidence) / at_once
    return float(binomial_interval([0], [n], confidence=1 - alpha, method="clopper-pearson")[1][0])


def none_ill() -> Solution:
    """Compute the upper end for 40 patients of whom none is ill, at one of six totals."""
    answer = upper_end(40, 0.95)
    return answer, {
        "zero": 0.0,
        "single": upper_end(40, 0.95, 1),
        "one_sided": upper_end(40, 0.90),
        "single_one_sided": upper_end(40, 0.90, 1),
        "rule_of_three": 3 / 40,
        "of_well": 1 - answer,
    }


def nothing_left() -> str:
    """Name the property of the counts behind an empty interval."""
    bands = {
        "settled": ScoringStage.fit([1, 0], [100, 0], [0, 100]).band(),
        "unseen": ScoringStage.fit([2, 1, 0], [9, 0, 1], [1, 0, 9]).band(),
        "contradicted": ScoringStage.fit([1, 0], [0, 100], [100, 0]).band(),
    }
    return next(choice for choice, band in bands.items() if np.any(band.is_empty))
