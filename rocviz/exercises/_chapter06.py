"""Answers to the exercises of notebook 06, scoring lists that are learned from data."""

from __future__ import annotations

from itertools import product

import numpy as np

from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.search.search import learn_scoring_list
from rocviz.core.scoring_lists.stage import predicts_positive
from rocviz.datasets import make_chest_pain
from rocviz.exercises._base import Solution
from rocviz.exercises._chapter01 import auc_of, ranked
from rocviz.exercises._chapter05 import upper_end


def how_many_healthy() -> Solution:
    """Find the smallest n of healthy patients whose upper end lets a patient be sent home."""
    cost_fn = 10

    def smallest_n(confidence: float = 0.5, at_once: int = 6) -> int:
        n = 1
        while predicts_positive(upper_end(n, confidence, at_once), cost_fn).any():
            n += 1
        return n

    answer = smallest_n()
    return answer, {
        "single": smallest_n(at_once=1),
        "of_95": smallest_n(confidence=0.95),
        "one_sided": smallest_n(confidence=0.0),
        "one_less": answer - 1,
        "not_whole": np.log((1 - 0.5) / 2 / 6) / np.log(cost_fn / (1 + cost_fn)),
        "one_in_ten": next(n for n in range(1, 1000) if upper_end(n, 0.5) <= 1 / cost_fn),
    }


def three_or_ten() -> str:
    """Evaluate lists of few synthetic patients on all possible patients."""
    n_patients = 120
    marginals = make_chest_pain(n_patients).marginals.values()
    p_well, p_ill = np.array([[m["no_chd"], m["chd"]] for m in marginals]).T
    X = np.array(list(product((0, 1), repeat=p_ill.size)))
    prevalence = 135 / 1199
    well = (1 - prevalence) * np.where(X, p_well, 1 - p_well).prod(axis=1)
    ill = prevalence * np.where(X, p_ill, 1 - p_ill).prod(axis=1)
    weight = np.concatenate([well, ill])
    y = np.repeat([0, 1], len(X))
    brier = []
    for seed in range(30):
        cohort = make_chest_pain(n_patients, random_state=seed)
        learned = learn_scoring_list(cohort.data, cohort.target, score_set=(-1, 1))
        scoring_list = ScoringList.from_counts(
            learned.features, learned.scores, cohort.data, cohort.target
        )
        scores = scoring_list.evaluate(np.vstack([X, X]), y, sample_weight=weight)
        brier.append(scores.brier[[3, -1]])
    three, ten = np.mean(brier, axis=0)
    if abs(ten - three) < 0.001:
        return "about equal"
    return "lower" if ten < three else "higher"


def two_questions_auc() -> Solution:
    """Compute the AUC of the totals 2, 1 and 0."""
    return auc_of(ranked([12, 6, 2], [20, 15, 45]), first_question=(1 + 12 / 20 - 20 / 80) / 2)
