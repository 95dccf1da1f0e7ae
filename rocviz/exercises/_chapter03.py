"""Answers to the exercises of notebook 03, the Fermi-Dirac law and intervals of an AUC."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import logit

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_intervals import AUCInterval, auc_interval
from rocviz.core.roc.coverage import simulate_coverage
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises._base import Exercise, Solution
from rocviz.exercises._chapter02 import cancer


@lru_cache(maxsize=1)
def law() -> FermiDirac:
    """Fit the law of naive Bayes on the breast cancer data."""
    scores = load_breast_cancer_scores()
    return FermiDirac.from_scores(scores.y_true, scores.y_prob)


def ladder_auc() -> Solution:
    """Compute the AUC of three positives on seven rungs."""
    rungs = np.arange(1, 8)
    positive_rungs = (1, 3, 4)
    ladder = RankedSegments.from_scores(np.isin(rungs, positive_rungs), -rungs)
    pairs = ladder.n_pos * ladder.n_neg
    return ladder.auc, {
        "wrong_share": 1 - ladder.auc,
        "wrong_pairs": (1 - ladder.auc) * pairs,
        "right_pairs": ladder.auc * pairs,
        "sum_of_rungs": sum(positive_rungs),
        "one_wrong_pair": 1 - 1 / pairs,
        "sum_over_pairs": sum(positive_rungs) / pairs,
    }


def cancer_temperature() -> Solution:
    """Compute the temperature of naive Bayes, as a share of the ranks."""
    n = float(np.sum(cancer().n))
    return law().temperature / n, {
        "in_ranks": law().temperature,
        "beta": law().beta,
        "inverse": law().beta * n,
        "potential": law().chemical_potential / n,
        "threshold": law().threshold_rank / n,
    }


def nine_in_ten() -> Solution:
    """Find the rank at which the probability is nine in ten."""
    mu = law().chemical_potential
    temperature = law().temperature
    return mu - logit(0.9) * temperature, {
        "potential": mu,
        "nine_in_ten_benign": mu - logit(0.1) * temperature,
        "probability": mu - 0.9 * temperature,
        "log_of_probability": mu - np.log(0.9) * temperature,
        "sign": logit(0.1) * temperature - mu,
        "odds": mu - 9 * temperature,
        "base_ten": mu - np.log10(9) * temperature,
        "intercept": law().beta * mu,
        "threshold": law().threshold_rank,
    }


def between_marks() -> str:
    """Name the statement that is true of rank 230."""
    first = law().probability(230) > 0.5
    second = law().log_likelihood_ratio(230) > 0
    if first and second:
        return "both"
    if first:
        return "only the first"
    return "only the second" if second else "neither"


class LowerEnd(Exercise):
    """A question with the lower end of an interval for an answer; the interval will do as well."""

    def read(self, answer: Any) -> float:
        """Read the answer as a number, or take the lower end of an interval."""
        if isinstance(answer, AUCInterval):
            answer = answer.lower
        return float(super().read(answer))


def cancer_lower_end() -> Solution:
    """Compute the lower end of the 90 % logit-DeLong interval."""
    scores = load_breast_cancer_scores()

    def interval(method: str = "logit-delong", confidence: float = 0.9) -> AUCInterval:
        return auc_interval(scores.y_true, scores.y_prob, method=method, confidence=confidence)

    return interval().lower, {
        "of_95": interval(confidence=0.95).lower,
        "upper": interval().upper,
        "auc": interval().auc,
        "delong": interval("delong").lower,
        "delong_of_95": interval("delong", 0.95).lower,
        "fermi_dirac": interval("fermi-dirac").lower,
        "hanley_mcneil": interval("hanley-mcneil").lower,
        "standard_error": interval().standard_error,
    }


def rare_positives() -> str:
    """Find the interval that misses the truth most often."""
    simulation = simulate_coverage(1000, 0.02, 0.99, n_repeats=300, random_state=0)
    return simulation.methods[int(simulation.coverage.argmin())]


def cancer_mean_bac() -> Solution:
    """Compute the mean of the balanced accuracies of all ranks."""
    mean = float(law().balanced_accuracy().mean())
    return mean, {
        "auc": law().auc,
        "auc_as_mean": 2 * law().auc - 0.5,
        "without_constant": law().auc / 2,
        "highest": (cancer().tpr + 1 - cancer().fpr).max() / 2,
        "highest_expected": law().balanced_accuracy().max(),
    }
