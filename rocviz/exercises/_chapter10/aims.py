"""Exercises on stating an aim: costs, other clinics, and the F1 of a short list."""

from __future__ import annotations

from rocviz.core.decisions.decision import optimal_decision
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
    mistakes={
        "A place is wasted only if the patient stays well, which has probability 1 - p.": lambda: (
            _PLACE / _MISS
        ),
        "The wrong way round: missing costs more than a place.": lambda: _MISS / (_PLACE + _MISS),
        "That is right if both mistakes cost the same.": lambda: 0.5,
        "A miss costs more, so one should invite sooner, not later.": lambda: 1 - _PLACE / _MISS,
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
    why="That is how every cost in this chapter is computed, also that of inviting everybody.",
    mistakes={
        "You left out those who were missed.": lambda: (_ALARMS * _PLACE) / (_N_POS + _N_NEG),
        "That is the cost of all patients together. Divide it by their number.": lambda: (
            _ALARMS * _PLACE + (_N_POS - _FOUND) * _MISS
        ),
        "You took those who were found for those who were missed.": lambda: (
            (_ALARMS * _PLACE + _FOUND * _MISS) / (_N_POS + _N_NEG)
        ),
        "You left out the false alarms.": lambda: (_N_POS - _FOUND) * _MISS / (_N_POS + _N_NEG),
        "You swapped the two costs.": (
            lambda: (_ALARMS * _MISS + (_N_POS - _FOUND) * _PLACE) / (_N_POS + _N_NEG)
        ),
        "A place for somebody who needed it is not counted as a cost.": (
            lambda: (_ALARMS + _FOUND + (_N_POS - _FOUND) * _MISS) / (_N_POS + _N_NEG)
        ),
        "You added up the rates of two classes of different size. Count patients.": (
            lambda: _ALARMS * _PLACE / _N_NEG + (_N_POS - _FOUND) * _MISS / _N_POS
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
    mistakes={
        "That is the cost in Dr. Noor's clinic. "
        "Fewer patients get worse in the other one.": lambda: _elsewhere(
            _N_POS / (_N_POS + _N_NEG)
        ),
        "You left out the false alarms.": lambda: _RARE * (1 - _TPR) * _MISS,
        "You swapped the two costs.": lambda: (
            _RARE * (1 - _TPR) * _PLACE + (1 - _RARE) * _FPR * _MISS
        ),
        "You left out those who were missed.": lambda: (1 - _RARE) * _FPR * _PLACE,
        "A miss is somebody who was not found.": lambda: (
            _RARE * _TPR * _MISS + (1 - _RARE) * _FPR * _PLACE
        ),
        "You gave the two classes each other's share.": lambda: _elsewhere(1 - _RARE),
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
    mistakes={
        "That is the list by Dr. Noor's own costs. The insurer does not know them.": lambda: float(
            sum(p >= INVITE_FROM.solve() for p in _JANUARY)
        ),
        "That is the list for accuracy.": lambda: float(sum(p > 0.5 for p in _JANUARY)),
        "Inviting everybody has full recall. And the precision?": lambda: float(len(_JANUARY)),
    },
)
