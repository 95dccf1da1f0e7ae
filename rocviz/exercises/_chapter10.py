"""Answers to the exercises of notebook 10, one data set and every idea of the course."""

from __future__ import annotations

from scipy.special import expit, logit

from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_variance import hanley_mcneil_variance
from rocviz.exercises._base import Solution

_PLACE, _MISS = 1, 5  # costs of a place that was not needed, and of a patient who is missed
_POS, _NEG, _FOUND, _ALARMS = 75, 225, 60, 45


def invite_from() -> Solution:
    """Compute the threshold of these costs."""
    return _PLACE / (_PLACE + _MISS), {
        "odds": _PLACE / _MISS,
        "wrong_way_round": _MISS / (_PLACE + _MISS),
        "equal_costs": 0.5,
        "later": 1 - _PLACE / _MISS,
    }


def cost_of_list() -> Solution:
    """Compute the cost per patient of a model that finds 60 of 75 and raises 45 alarms."""
    n, missed = _POS + _NEG, _POS - _FOUND
    total = _ALARMS * _PLACE + missed * _MISS
    return total / n, {
        "no_misses": _ALARMS * _PLACE / n,
        "total": total,
        "equal_costs": (_ALARMS + missed) * _PLACE / n,
        "found_for_missed": (_ALARMS * _PLACE + _FOUND * _MISS) / n,
        "no_alarms": missed * _MISS / n,
        "costs_swapped": (_ALARMS * _MISS + missed * _PLACE) / n,
        "found_cost_too": (total + _FOUND * _PLACE) / n,
        "sum_of_rates": _ALARMS * _PLACE / _NEG + missed * _MISS / _POS,
    }


def five_agree() -> Solution:
    """Add up the evidence of five models that say 60 % where the prior is 25 %."""
    said, prior = logit(0.6), logit(0.25)
    return expit(prior + 5 * (said - prior)), {
        "copies": 0.6,
        "no_prior_subtracted": expit(5 * said),
        "no_prior_added": expit(5 * (said - prior)),
        "at_least_one": 1 - (1 - 0.6) ** 5,
        "single_evidence": expit(said - prior),
        "all_five": 0.6**5,
    }


def january() -> Solution:
    """Count who is invited for the highest expected F1."""
    probabilities = [0.6, 0.4, 0.3, 0.2, 0.1, 0.1]
    (threshold, _) = invite_from()
    return optimal_decision(probabilities, "f1").n_predicted_positive, {
        "own_costs": sum(p >= threshold for p in probabilities),
        "accuracy": sum(p > 0.5 for p in probabilities),
        "everybody": len(probabilities),
    }


def abstract_error() -> Solution:
    """Compute the standard error of an AUC of 0.85 with 40 positives and 110 negatives."""
    auc, pos, neg = 0.85, 40, 110
    variance = FermiDirac.from_auc(auc, n_pos=pos, n_neg=neg).auc_variance()
    return variance**0.5, {
        "variance": variance,
        "hanley_mcneil": float(hanley_mcneil_variance(auc, 1 - auc, pos, neg)) ** 0.5,
        "of_share": (auc * (1 - auc) / (pos + neg)) ** 0.5,
        "half_width": 1.959964 * variance**0.5,
    }


def other_clinic() -> Solution:
    """Compute the cost per patient where 10 % get much worse."""
    rare, tpr, fpr = 0.1, _FOUND / _POS, _ALARMS / _NEG
    common = _POS / (_POS + _NEG)

    def cost(
        ill: float = rare, missed: float = 1 - tpr, miss: int = _MISS, place: int = _PLACE
    ) -> float:
        return ill * missed * miss + (1 - ill) * fpr * place

    return cost(), {
        "own_clinic": cost(common),
        "no_alarms": cost(place=0),
        "swapped": cost(miss=_PLACE, place=_MISS),
        "equal_costs": cost(miss=_PLACE),
        "no_misses": cost(miss=0),
        "found_for_missed": cost(missed=tpr),
    }
