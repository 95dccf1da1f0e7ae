"""Answers to the exercises of notebook 04, classifiers that are combined by their ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

from rocviz.core.ensembles.experiment import ensemble_experiment
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.exercises._base import Solution

_N_POS = 40
_N_NEG = 60
_PRIOR_LOG_ODDS = np.log(_N_POS / _N_NEG)


def _law(auc: float) -> FermiDirac:
    return FermiDirac.from_auc(auc, _N_POS, _N_NEG)


def _evidence(auc: float, rank: int) -> float:
    return float(_law(auc).log_likelihood_ratio(rank))


def _two_probabilities() -> list[float]:
    return [float(_law(auc).probability(rank)) for auc, rank in ((0.8, 30), (0.6, 85))]


def two_witnesses() -> Solution:
    """Add up the evidence of rank 30 by an AUC of 0.8 and of rank 85 by one of 0.6."""
    sharp = _evidence(0.8, 30)
    blunt = _evidence(0.6, 85)
    both = sharp + blunt
    return both, {
        "first_alone": sharp,
        "second_alone": blunt,
        "difference": sharp - blunt,
        "mean": both / 2,
        "product": sharp * blunt,
        "likelihood_ratio": np.exp(both),
        "probability": expit(both),
        "sum_of_probabilities": sum(_two_probabilities()),
        "prior_added": both + _PRIOR_LOG_ODDS,
        "ranks_swapped": _evidence(0.8, 85) + _evidence(0.6, 30),
    }


def prior_term() -> Solution:
    """Compute the probability of the same item."""
    evidence = _evidence(0.8, 30) + _evidence(0.6, 85)
    answer = expit(evidence + _PRIOR_LOG_ODDS)
    return answer, {
        "no_prior": expit(evidence),
        "prior_sign": expit(evidence - _PRIOR_LOG_ODDS),
        "prior_twice": expit(evidence + 2 * _PRIOR_LOG_ODDS),
        "of_negative": 1 - answer,
        "log_odds": evidence + _PRIOR_LOG_ODDS,
        "odds": np.exp(evidence + _PRIOR_LOG_ODDS),
        "evidence": evidence,
        "log_of_share": expit(evidence + np.log(_N_POS / (_N_POS + _N_NEG))),
        "mean": np.mean(_two_probabilities()),
        "product": np.prod(_two_probabilities()),
        "first_alone": _two_probabilities()[0],
        "prior_alone": _N_POS / (_N_POS + _N_NEG),
    }


def reversed_witness() -> str:
    """Name the effect of the last rank by an AUC of 0.3 on the score."""
    evidence = _evidence(0.3, _N_POS + _N_NEG)
    if evidence == 0:
        return "leaves"
    return "raises" if evidence > 0 else "lowers"


def _winner(choices: dict[str, str], **setting: Any) -> str:
    """Name the choice whose method has the highest AUC in an experiment."""
    experiment = ensemble_experiment(n_repeats=100, random_state=0, **setting)
    auc = dict(zip(experiment.methods, experiment.auc[0], strict=True))
    return max(choices, key=lambda choice: float(auc[choices[choice]]))


def equal_and_few() -> str:
    """Compare FiDEL and the mean rank on five equal classifiers and 50 validation items."""
    return _winner(
        {"the mean rank": "woc", "FiDEL": "fidel"},
        n_classifiers=[5],
        correlation=[0.0],
        auc_range=(0.65, 0.65),
        n_validation=50,
    )


def three_against_one() -> str:
    """Compare the best classifier with two crowds of three correlated ones."""
    choices = {"the best classifier": "best", "the mean rank": "woc", "FiDEL": "fidel"}
    return _winner(choices, n_classifiers=[3], correlation=[0.4])


def same_witness_thrice() -> Solution:
    """Count the evidence of rank 10 by an AUC of 0.8 three times."""
    once = _evidence(0.8, 10)
    justified = expit(once + _PRIOR_LOG_ODDS)
    return expit(3 * once + _PRIOR_LOG_ODDS), {
        "counted_once": justified,
        "prior_thrice": expit(3 * (once + _PRIOR_LOG_ODDS)),
        "no_prior": expit(3 * once),
        "product": justified**3,
        "at_least_one": 1 - (1 - justified) ** 3,
        "evidence": 3 * once,
        "log_odds": 3 * once + _PRIOR_LOG_ODDS,
    }
