"""Answers to the exercises of notebook 10, one data set and every idea of the course."""

from __future__ import annotations

from scipy.special import expit, logit

from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_variance import hanley_mcneil_variance
from rocviz.exercises._base import Solution

_COST_FP = 1  # of a place that was not needed
_COST_FN = 5  # of a patient who is missed
_N_POS = 75
_N_NEG = 225
_N_FOUND = 60
_N_FALSE_ALARMS = 45


def invite_from() -> Solution:
    """Compute the threshold of these costs."""
    return _COST_FP / (_COST_FP + _COST_FN), {
        "odds": _COST_FP / _COST_FN,
        "wrong_way_round": _COST_FN / (_COST_FP + _COST_FN),
        "equal_costs": 0.5,
        "later": 1 - _COST_FP / _COST_FN,
    }


def cost_of_list() -> Solution:
    """Compute the cost per patient of a model that finds 60 of 75 and raises 45 alarms."""
    n = _N_POS + _N_NEG
    missed = _N_POS - _N_FOUND
    total = _N_FALSE_ALARMS * _COST_FP + missed * _COST_FN
    return total / n, {
        "no_misses": _N_FALSE_ALARMS * _COST_FP / n,
        "total": total,
        "equal_costs": (_N_FALSE_ALARMS + missed) * _COST_FP / n,
        "found_for_missed": (_N_FALSE_ALARMS * _COST_FP + _N_FOUND * _COST_FN) / n,
        "no_alarms": missed * _COST_FN / n,
        "costs_swapped": (_N_FALSE_ALARMS * _COST_FN + missed * _COST_FP) / n,
        "found_cost_too": (total + _N_FOUND * _COST_FP) / n,
        "sum_of_rates": _N_FALSE_ALARMS * _COST_FP / _N_NEG + missed * _COST_FN / _N_POS,
    }


def five_agree() -> Solution:
    """Add up the evidence of five models that give 60 % where the prior is 25 %."""
    log_odds = logit(0.6)
    prior = logit(0.25)
    return expit(prior + 5 * (log_odds - prior)), {
        "copies": 0.6,
        "no_prior_subtracted": expit(5 * log_odds),
        "no_prior_added": expit(5 * (log_odds - prior)),
        "at_least_one": 1 - (1 - 0.6) ** 5,
        "single_evidence": expit(log_odds - prior),
        "all_five": 0.6**5,
    }


def january() -> Solution:
    """Count who is invited for the highest expected F1."""
    probabilities = [0.6, 0.4, 0.3, 0.2, 0.1, 0.1]
    threshold, _ = invite_from()
    return optimal_decision(probabilities, "f1").n_predicted_positive, {
        "own_costs": len([p for p in probabilities if p >= threshold]),
        "accuracy": len([p for p in probabilities if p > 0.5]),
        "everybody": len(probabilities),
    }


def abstract_error() -> Solution:
    """Compute the standard error of an AUC of 0.85 with 40 positives and 110 negatives."""
    auc = 0.85
    n_pos = 40
    n_neg = 110
    variance = FermiDirac.from_auc(auc, n_pos=n_pos, n_neg=n_neg).auc_variance()
    return variance**0.5, {
        "variance": variance,
        "hanley_mcneil": float(hanley_mcneil_variance(auc, 1 - auc, n_pos, n_neg)) ** 0.5,
        "of_share": (auc * (1 - auc) / (n_pos + n_neg)) ** 0.5,
        "half_width": 1.959964 * variance**0.5,
    }


def other_clinic() -> Solution:
    """Compute the cost per patient where 10 % get much worse."""
    tpr = _N_FOUND / _N_POS
    fpr = _N_FALSE_ALARMS / _N_NEG

    def cost(
        prevalence: float = 0.1,
        fnr: float = 1 - tpr,
        cost_fn: int = _COST_FN,
        cost_fp: int = _COST_FP,
    ) -> float:
        return prevalence * fnr * cost_fn + (1 - prevalence) * fpr * cost_fp

    return cost(), {
        "own_clinic": cost(prevalence=_N_POS / (_N_POS + _N_NEG)),
        "no_alarms": cost(cost_fp=0),
        "swapped": cost(cost_fn=_COST_FP, cost_fp=_COST_FN),
        "equal_costs": cost(cost_fn=_COST_FP),
        "no_misses": cost(cost_fn=0),
        "found_for_missed": cost(fnr=tpr),
    }
