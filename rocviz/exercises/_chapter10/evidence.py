"""Exercises on what an abstract tells, and on five models that agree."""

from __future__ import annotations

from scipy.special import expit, logit

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_variance import hanley_mcneil_variance
from rocviz.exercises._base import Exercise

# ---------------------------------------------------------------------- read in an abstract

_AUC, _POS, _NEG = 0.85, 40, 110


def _variance() -> float:
    return FermiDirac.from_auc(_AUC, n_pos=_POS, n_neg=_NEG).auc_variance()


ABSTRACT_ERROR = Exercise(
    name="abstract_error",
    question=(
        "An abstract reports an AUC of 0.85; 40 patients got worse, 110 did not. What is the "
        "standard error of the AUC by the Fermi-Dirac law?"
    ),
    solve=lambda: _variance() ** 0.5,
    hint="Make the law with FermiDirac.from_auc and ask for its auc_variance.",
    why="Two counts and one number are enough for an interval, if a paper does not print one.",
    mistakes={
        "That is the variance. Its square root is the standard error.": lambda: _variance(),
        "That is the standard error of Hanley and McNeil.": (
            lambda: float(hanley_mcneil_variance(_AUC, 1 - _AUC, _POS, _NEG)) ** 0.5
        ),
        "That is the error of a share of patients. The AUC is a share of pairs.": lambda: (
            (_AUC * (1 - _AUC) / (_POS + _NEG)) ** 0.5
        ),
        "That is half the width of an interval. The standard error itself is asked for.": lambda: (
            1.959964 * _variance() ** 0.5
        ),
    },
)

# ---------------------------------------------------------------------- five that agree

_MODELS, _PROBABILITY, _PRIOR = 5, 0.6, 0.25


def _added_up() -> float:
    evidence = logit(_PROBABILITY) - logit(_PRIOR)
    return float(expit(logit(_PRIOR) + _MODELS * evidence))


FIVE_AGREE = Exercise(
    name="five_agree",
    question=(
        "A quarter of all patients get worse. Five models say 60 % of the same patient. Which "
        "probability results if their evidence is added up as if they were independent?"
    ),
    solve=_added_up,
    hint=(
        "In log-odds, each model's evidence is what it says minus what was known before. Add it "
        "five times to what was known before."
    ),
    why="If the five are copies of each other, only what a single one says is justified.",
    mistakes={
        "That is right if the five are copies. Here they count as independent.": lambda: (
            _PROBABILITY
        ),
        "You added up what they say. Their evidence is what they say minus the prior.": lambda: (
            float(expit(_MODELS * logit(_PROBABILITY)))
        ),
        "The evidence is right. The prior has to be added to it once.": lambda: float(
            expit(_MODELS * (logit(_PROBABILITY) - logit(_PRIOR)))
        ),
        "That is how likely it is that one of five independent events happens.": lambda: (
            1 - (1 - _PROBABILITY) ** _MODELS
        ),
        "That is the evidence of a single model, without the prior.": lambda: float(
            expit(logit(_PROBABILITY) - logit(_PRIOR))
        ),
        "That is how likely it is that five independent events happen.": lambda: (
            _PROBABILITY**_MODELS
        ),
    },
)
