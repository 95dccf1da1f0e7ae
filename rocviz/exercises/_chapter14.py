"""Answers to the exercises of notebook 14, on three answers and several places."""

from __future__ import annotations

import math

from scipy.special import expit, logit
from scipy.stats import norm, t

from rocviz.exercises._base import Solution


def rarer_positives() -> str:
    """Name the best threshold on calibrated probabilities that depends on the prevalence."""
    return "neither"


def price_limit() -> Solution:
    """Compute the price at which referring stops to pay."""
    alarm = 200.0
    miss = 1800.0
    return alarm * miss / (alarm + miss), {
        "alarm": alarm,
        "miss": miss,
        "mean": (alarm + miss) / 2,
        "difference": miss - alarm,
        "threshold": alarm / (alarm + miss),
        "at_half": miss / 2,
    }


def none_wrong() -> Solution:
    """Count the patients without an ill one after which 2 % can be excluded."""

    def patients(share: float, risk: float) -> int:
        return math.ceil(math.log(risk) / math.log(1 - share))

    return patients(0.02, 0.05), {
        "two_sided": patients(0.02, 0.025),
        "rule_of_three": 3 / 0.02,
        "one_expected": 1 / 0.02,
        "one_too_few": patients(0.02, 0.05) - 1,
        "five_per_cent": patients(0.05, 0.05),
    }


def updated_probability() -> Solution:
    """Update 80 % by an intercept of -1 and a slope of 0.5."""
    given = 0.8
    return expit(-1 + 0.5 * logit(given)), {
        "shift_alone": expit(-1 + logit(given)),
        "slope_alone": expit(0.5 * logit(given)),
        "shift_first": expit(0.5 * (logit(given) - 1)),
        "log_odds": -1 + 0.5 * logit(given),
        "not_updated": given,
    }


def next_hospital() -> Solution:
    """Compute the lower end of the interval for the AUC of an eleventh hospital."""
    mean = 1.4
    error = 0.1
    tau = 0.3
    spread = math.hypot(tau, error)
    quantile = float(t.ppf(0.975, 8))
    return expit(mean - quantile * spread), {
        "of_mean": expit(mean - float(t.ppf(0.975, 9)) * error),
        "of_mean_with_8": expit(mean - quantile * error),
        "normal": expit(mean - float(norm.ppf(0.975)) * spread),
        "tau_alone": expit(mean - quantile * tau),
        "upper": expit(mean + quantile * spread),
        "log_odds": mean - quantile * spread,
        "mean": expit(mean),
        "sum": expit(mean - quantile * (tau + error)),
    }
