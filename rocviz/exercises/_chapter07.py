"""Answers to the exercises of notebook 07, which samples to predict positive for a metric."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from rocviz.core.decisions.decision import optimal_decision, plug_in_utilities, prefix_utilities
from rocviz.core.decisions.label_utility import expected_utility, utility_distribution
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.exercises._base import Solution


def first_of_two() -> Solution:
    """Compute the expected F1 of predicting the first of two samples positive."""
    first = 0.8
    second = 0.3
    probabilities = (first, second)
    answer = expected_utility([1, 0], probabilities, "f1")
    return answer, {
        "ratio_of_means": plug_in_utilities(probabilities, "f1")[1],
        "both_predicted_positive": prefix_utilities(probabilities, "f1")[2],
        "true_positive_is_one": first,
        "both_positive_left_out": first * (1 - second),
        "jaccard": expected_utility([1, 0], probabilities, "jaccard"),
        "no_positives_left_out": answer / (1 - (1 - first) * (1 - second)),
        "not_weighted": utility_distribution([1, 0], probabilities, "f1").values.mean(),
    }


def alone() -> str:
    """Decide on a single sample of probability 0.02."""
    return "yes" if optimal_decision([0.02], "f1").n_predicted_positive else "no"


def how_many_thresholds() -> Solution:
    """Count the labellings by which the most probable of 20 samples are positive."""
    n = 20
    return prefix_utilities(np.arange(1, n + 1) / (n + 1)).size, {
        "all": 2**n,
        "one_end_left_out": n,
        "both_ends_left_out": n - 1,
        "runs": n * (n + 1) // 2,
        "swaps": n * (n - 1) // 2,
    }


def climber() -> Solution:
    """Compute the loss of stopping at the first step down of the expected F1."""
    curve = prefix_utilities([1.0] + [0.25] * 14, "f1")
    stop = int(np.argmax(np.diff(curve) <= 0))
    top = curve.max()
    reached = curve[stop]
    return top - reached, {
        "reached": reached,
        "top": top,
        "share_of_reached": top / reached - 1,
        "share_of_top": 1 - reached / top,
        "nothing": 0.0,
        "first_step_down": reached - curve[stop + 1],
    }


def tripled() -> Solution:
    """Compute the true value of the labels by log-odds that are three times too large."""
    true = np.array([0.7, 0.6, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1])
    reported = expit(3 * logit(true))
    believed = optimal_decision(reported, "f1")
    best = optimal_decision(true, "f1")
    answer = expected_utility(believed.labels, true, "f1")
    return answer, {
        "expected": believed.utility,
        "by_true_probabilities": best.utility,
        "other_way_round": expected_utility(best.labels, reported, "f1"),
        "loss": best.utility - answer,
    }


def which_breaks() -> str:
    """Find the one of three metrics that is not monotonic."""
    metrics = {
        "first": LinearFractional((0, 1, 1), (1, 0, 0)),
        "second": LinearFractional((1, 2, 0), (1, 1, 0)),
        "third": LinearFractional((3, 2, 0), (1, 1, 0)),
    }
    return next(name for name, metric in metrics.items() if not is_monotonic(metric))
