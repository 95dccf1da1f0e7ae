"""Exercises of notebook 10, one data set and every idea of the course."""

from __future__ import annotations

from scipy.special import expit, logit

from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_variance import hanley_mcneil_variance
from rocviz.exercises._base import Exercise, Quantity

_PLACE, _MISS = 1.0, 5.0


# ---------------------------------------------------------------------- a threshold from costs

INVITE_FROM = Exercise(
    name="invite_from",
    question=(
        "A place that was not needed costs 1, a patient who is missed costs 5. From which "
        "calibrated probability on is inviting the cheaper choice?"
    ),
    solve=lambda: _PLACE / (_PLACE + _MISS),
    hint="Write down the expected cost of both choices for a probability p. Where are they equal?",
    why="Nothing about the model is needed for this, if its probabilities mean what they say.",
    mistakes=lambda: {
        "A place is wasted only if the patient stays well, which has probability 1 - p.": (
            _PLACE / _MISS
        ),
        "The wrong way round: missing costs more than a place.": _MISS / (_PLACE + _MISS),
        "That is right if both mistakes cost the same.": 0.5,
        "A miss costs more, so one should invite sooner, not later.": 1 - _PLACE / _MISS,
    },
)


# ---------------------------------------------------------------------- what a model costs

_N_POS, _N_NEG, _FOUND, _ALARMS = 75, 225, 60, 45


def _cost_per_patient() -> float:
    return (_ALARMS * _PLACE + (_N_POS - _FOUND) * _MISS) / (_N_POS + _N_NEG)


COST_OF_LIST = Exercise(
    name="cost_of_list",
    question=(
        "Of 300 patients 75 got much worse. A model finds 60 of these and raises 45 false alarms. "
        "A false alarm costs 1, a miss costs 5. What does the model cost per patient?"
    ),
    solve=_cost_per_patient,
    hint="How many patients were missed? Add up all costs and share them out among everybody.",
    why="Section 5 computes the costs of all models in this way, and that of inviting everybody.",
    mistakes=lambda: {
        "You left out those who were missed.": (_ALARMS * _PLACE) / (_N_POS + _N_NEG),
        "That is the cost of all patients together. Divide it by their number.": (
            _ALARMS * _PLACE + (_N_POS - _FOUND) * _MISS
        ),
        "You let a miss cost as much as a false alarm. It costs five times as much.": (
            (_ALARMS + _N_POS - _FOUND) * _PLACE / (_N_POS + _N_NEG)
        ),
        "You took those who were found for those who were missed.": (
            (_ALARMS * _PLACE + _FOUND * _MISS) / (_N_POS + _N_NEG)
        ),
        "You left out the false alarms.": (_N_POS - _FOUND) * _MISS / (_N_POS + _N_NEG),
        "You swapped the two costs.": (
            (_ALARMS * _MISS + (_N_POS - _FOUND) * _PLACE) / (_N_POS + _N_NEG)
        ),
        "A place for a patient who needed it is not counted as a cost.": (
            (_ALARMS + _FOUND + (_N_POS - _FOUND) * _MISS) / (_N_POS + _N_NEG)
        ),
        "You added up the rates of two classes of different size. Count patients.": (
            _ALARMS * _PLACE / _N_NEG + (_N_POS - _FOUND) * _MISS / _N_POS
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
    mistakes=lambda: {
        "That is right if the five are copies. Here they count as independent.": _PROBABILITY,
        "You added up what they say. Their evidence is what they say minus the prior.": float(
            expit(_MODELS * logit(_PROBABILITY))
        ),
        "The evidence is right. The prior has to be added to it once.": (
            float(expit(_MODELS * (logit(_PROBABILITY) - logit(_PRIOR))))
        ),
        "That is how likely it is that one of five independent events happens.": (
            1 - (1 - _PROBABILITY) ** _MODELS
        ),
        "That is the evidence of a single model, without the prior.": (
            float(expit(logit(_PROBABILITY) - logit(_PRIOR)))
        ),
        "That is how likely it is that five independent events happen.": _PROBABILITY**_MODELS,
    },
)


# ---------------------------------------------------------------------- the insurer's list

_JANUARY = (0.6, 0.4, 0.3, 0.2, 0.1, 0.1)

JANUARY = Quantity(
    name="january",
    question=(
        "Six patients have calibrated probabilities 0.6, 0.4, 0.3, 0.2, 0.1 and 0.1. How many of "
        "them should be invited to have the highest expected F1?"
    ),
    solve=lambda: float(optimal_decision(_JANUARY, "f1").n_predicted_positive),
    hint="Ask optimal_decision for the metric f1. How many does it call positive?",
    why="F1 has a threshold of its own, which depends on who else is on the list.",
    mistakes=lambda: {
        "That is the list by Dr. Noor's own costs. The insurer does not know them.": (
            float(sum(p >= INVITE_FROM.solve() for p in _JANUARY))
        ),
        "That is the list for accuracy.": float(sum(p > 0.5 for p in _JANUARY)),
        "Inviting everybody has full recall. And the precision?": float(len(_JANUARY)),
    },
)


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
    mistakes=lambda: {
        "That is the variance. Its square root is the standard error.": _variance(),
        "That is the standard error of Hanley and McNeil.": (
            float(hanley_mcneil_variance(_AUC, 1 - _AUC, _POS, _NEG)) ** 0.5
        ),
        "That is the error of a share of patients. The AUC is a share of pairs.": (
            (_AUC * (1 - _AUC) / (_POS + _NEG)) ** 0.5
        ),
        "That is half the width of an interval. The standard error itself is asked for.": (
            1.959964 * _variance() ** 0.5
        ),
    },
)


# ---------------------------------------------------------------------- in another clinic

_TPR, _FPR, _RARE = _FOUND / _N_POS, _ALARMS / _N_NEG, 0.1


def _elsewhere(prevalence: float = _RARE) -> float:
    return prevalence * (1 - _TPR) * _MISS + (1 - prevalence) * _FPR * _PLACE


OTHER_CLINIC = Exercise(
    name="other_clinic",
    question=(
        "The model finds 80 % of those who get much worse and invites 20 % of the others. Another "
        "clinic uses it at the same threshold, and there 10 % get much worse. What does it cost "
        "per patient there, at the same costs of 1 and 5?"
    ),
    solve=_elsewhere,
    hint="Think of a thousand patients of that clinic. How many are missed, how many are alarms?",
    why="The rates stay what they were, but the mix of patients changes what they cost.",
    mistakes=lambda: {
        "That is the cost in Dr. Noor's clinic. Fewer patients get worse in the other one.": (
            _elsewhere(_N_POS / (_N_POS + _N_NEG))
        ),
        "You left out the false alarms.": _RARE * (1 - _TPR) * _MISS,
        "You swapped the two costs.": _RARE * (1 - _TPR) * _PLACE + (1 - _RARE) * _FPR * _MISS,
        "You let a miss cost as much as a false alarm. It costs five times as much.": (
            (_RARE * (1 - _TPR) + (1 - _RARE) * _FPR) * _PLACE
        ),
        "You left out those who were missed.": (1 - _RARE) * _FPR * _PLACE,
        "A miss is a patient who was not found.": _RARE * _TPR * _MISS
        + (1 - _RARE) * _FPR * _PLACE,
        "You gave the two classes each other's share.": _elsewhere(1 - _RARE),
    },
)

#: In the order of the notebook.
EXERCISES = (
    INVITE_FROM,
    COST_OF_LIST,
    FIVE_AGREE,
    JANUARY,
    ABSTRACT_ERROR,
    OTHER_CLINIC,
)
