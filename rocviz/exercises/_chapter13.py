"""Answers to the exercises of notebook 13, on what practice asks, and to the exam."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.fermi_dirac.sample_size import auc_sample_size
from rocviz.core.groups.policy import fpr_of_precision
from rocviz.core.roc.metrics import binomial_interval
from rocviz.exercises._base import Solution
from rocviz.exercises._chapter01 import auc_of, ranked


def rare_precision() -> Solution:
    """Compute the precision of a test at a prevalence of 1 in 200."""
    rare = 0.005
    tpr = 0.9
    fpr = 0.03

    def precision(prevalence: float) -> float:
        return prevalence * tpr / (prevalence * tpr + (1 - prevalence) * fpr)

    return precision(rare), {
        "recall": tpr,
        "equal_classes": precision(0.5),
        "of_all": rare * tpr,
        "false_alarms": 1 - precision(rare),
        "ratio": rare * tpr / ((1 - rare) * fpr),
    }


def what_may_come_first() -> str:
    """Name the one step that uses one row at a time."""
    return "computing a body mass index from height and weight"


def best_of_twenty() -> Solution:
    """Compute the mean of the largest of twenty normal AUCs around one half."""
    spread = 0.05
    z = np.linspace(-9, 9, 20_001)
    largest = norm.cdf(z) ** 20
    return 0.5 + spread * float(np.sum((z[1:] + z[:-1]) / 2 * np.diff(largest))), {
        "mean": 0.5,
        "one_deviation": 0.5 + spread,
        "end_of_interval": 0.5 + 1.96 * spread,
        "three_deviations": 0.5 + 3 * spread,
    }


def enough_patients() -> Solution:
    """Compute the number of patients for an interval that is 0.1 wide."""
    size = auc_sample_size(0.8, 0.05, width=0.1)
    return size.n_samples, {
        "ill": size.n_pos,
        "half_ill": auc_sample_size(0.8, 0.5, width=0.1).n_samples,
        "standard_error": auc_sample_size(0.8, 0.05, standard_error=0.1).n_samples,
        "half_width": auc_sample_size(0.8, 0.05, width=0.2).n_samples,
    }


def _moved(p: float, old: float, new: float) -> float:
    """Correct a probability for another prevalence."""
    return float(expit(logit(p) + logit(new) - logit(old)))


def moved_prior() -> Solution:
    """Correct 50 % of a model for 40 % positives where 10 % are positive."""
    return _moved(0.5, 0.4, 0.1), {
        "not_moved": 0.5,
        "probabilities": 0.5 * 0.1 / 0.4,
        "prior": 0.1,
        "wrong_way": _moved(0.5, 0.1, 0.4),
    }


def what_is_missing() -> str:
    """Name the information that is missing most."""
    return "how the best was judged after it was chosen"


def exam_auc() -> Solution:
    """Compute the AUC of three groups."""
    answer, wrong = auc_of(ranked([5, 3, 2], [1, 3, 6]))
    return answer, {**wrong, "best_group": 5 / 6}


def exam_hull() -> Solution:
    """Compute the probability of the first segment of a hull."""
    hull = ranked([3, 5, 1], [3, 1, 7]).hull()
    return float((hull.pos[0] + 1) / (hull.n[0] + 2)), {
        "not_corrected": 8 / 12,
        "first_group": 3 / 6,
        "second_group": (5 + 1) / (6 + 2),
        "denominator_by_one": (8 + 1) / (12 + 1),
    }


def exam_calibration() -> Solution:
    """Compute the calibration loss of two groups."""
    y = np.repeat([1, 0, 1, 0], [6, 4, 2, 8])
    loss = brier_decomposition(y, np.repeat([0.8, 0.3], 10))
    return loss.calibration_loss, {
        "refinement": loss.refinement_loss,
        "brier": loss.brier,
        "not_squared": (0.2 + 0.1) / 2,
        "sum": 0.2**2 + 0.1**2,
    }


def exam_interval() -> str:
    """Name the interval that misses most often where positives are rare, as in chapter 3."""
    return "Fermi-Dirac"


def exam_crowd() -> Solution:
    """Add up the evidence of two classifiers and a prior of 20 %."""
    first = 1.0
    second = 0.5
    prior = logit(0.2)
    return expit(prior + first + second), {
        "no_prior": expit(first + second),
        "mean": expit(prior + (first + second) / 2),
        "first_alone": expit(prior + first),
        "log_of_prior": expit(np.log(0.2) + first + second),
    }


def exam_none_ill() -> Solution:
    """Compute the upper end for 30 patients of whom none is ill."""

    def upper_end(confidence: float) -> float:
        method = "clopper-pearson"
        return float(binomial_interval([0], [30], confidence=confidence, method=method)[1][0])

    return upper_end(0.95), {
        "share": 0.0,
        "one_sided": upper_end(0.9),
        "rule_of_three": 3 / 30,
        "laplace": 1 / 32,
    }


def exam_f1() -> Solution:
    """Compute the threshold at which the best F1 is reached."""
    best = 0.46
    return best / 2, {"accuracy": 0.5, "f1": best, "above_half": 1 - best / 2}


def exam_order() -> str:
    """Find the log odds ratios with which naive Bayes ranks like an order."""
    patterns = np.array(list(product((1, 0), repeat=3)))
    ratios = {"5, 2, 1": (5, 2, 1), "4, 3, 2": (4, 3, 2), "3, 2, 1": (3, 2, 1)}
    return next(text for text in ratios if (np.diff(patterns @ ratios[text]) < 0).all())


def exam_fair() -> Solution:
    """Compute the false positive rate that precision, prevalence and recall leave."""
    tpr = 0.7
    precision = 0.6
    prevalence = 0.2
    return float(fpr_of_precision(precision, tpr, prevalence)), {
        "healthy_of_invited": 1 - precision,
        "of_everybody": prevalence * tpr * (1 - precision) / precision,
        "invited": prevalence * tpr / precision,
        "half_ill": float(fpr_of_precision(precision, tpr, 0.5)),
    }


def exam_threshold() -> Solution:
    """Compute the probability by a model for 50 % if the right one at 10 % is 1 / 5."""
    return _moved(1 / 5, 0.1, 0.5), {
        "corrected": 1 / 5,
        "wrong_way": _moved(1 / 5, 0.5, 0.1),
        "half": 0.5,
        "costs_swapped": _moved(4 / 5, 0.1, 0.5),
        "odds": _moved(1 / 4, 0.1, 0.5),
    }
