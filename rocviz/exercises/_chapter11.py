"""Exercises of notebook 11, one score for several groups of people."""

from __future__ import annotations

import numpy as np

from rocviz.core.groups.policy import fpr_of_precision, policy_at, policy_through
from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Choice, Exercise, Quantity

# ---------------------------------------------------------------------- shares invited

_A, _B = (400, 600, 300, 120), (100, 400, 50, 40)  # ill, healthy; invited of either


def _invited(town: tuple[int, ...]) -> float:
    return sum(town[2:]) / sum(town[:2])


FOUR_FIFTHS = Quantity(
    name="four_fifths",
    question=(
        "Town A has 400 ill and 600 healthy people, of whom 300 and 120 are invited. Town B has "
        "100 ill and 400 healthy people, of whom 50 and 40 are invited. Divide the smaller share "
        "of people invited by the larger one."
    ),
    solve=lambda: _invited(_B) / _invited(_A),
    hint="For each town, add up all who are invited, and divide by all who live there.",
    why=(
        "A rule of thumb of American labour law, the four-fifths rule, asks for at least 0.8. It "
        "does not ask how many people of either town are ill."
    ),
    mistakes=lambda: {
        "That looks like per cent. Give a fraction between 0 and 1.": (
            100 * _invited(_B) / _invited(_A)
        ),
        "The other way round: divide the smaller share by the larger one.": (
            _invited(_A) / _invited(_B)
        ),
        "You compared the ill alone. The question is about everybody who is invited.": (
            (_B[2] / _B[0]) / (_A[2] / _A[0])
        ),
        "That is the difference of the shares. Divide instead.": _invited(_A) - _invited(_B),
        "You divided numbers of people. Town B is smaller: take shares of each town.": (
            sum(_B[2:]) / sum(_A[2:])
        ),
    },
)

# ---------------------------------------------------------------------- one cheapest threshold

_MISS, _ILL = 3.0, 0.2


SAME_CUT = Exercise(
    name="same_cut",
    question=(
        "The score is a calibrated probability in both towns. A miss costs as much as three false "
        "alarms. In town B 20 % are ill. Above what score is it cheapest to invite people of town "
        "B?"
    ),
    solve=lambda: 1 / (1 + _MISS),
    hint=(
        "Take somebody with the score p. What does an invitation cost on average, and what does "
        "it cost to leave the person out?"
    ),
    why=(
        "The prevalence is not needed: a calibrated score holds it already. So the same threshold "
        "is cheapest in both towns."
    ),
    mistakes=lambda: {
        "The wrong way round: a miss is dear, so invite early.": _MISS / (1 + _MISS),
        "An invitation in vain has the probability 1 - p.": 1 / _MISS,
        "That is right if both mistakes cost the same.": 0.5,
        "That is the prevalence. Does one person's cost depend on it, once the score is known?": (
            _ILL
        ),
        "You used the prevalence a second time. The score holds it already.": (
            (1 - _ILL) / (1 - _ILL + _MISS * _ILL)
        ),
    },
)

# ---------------------------------------------------------------------- a draw of thresholds

_TOP, _LOW, _FOUND = (0.2, 0.6), (0.5, 0.85), 0.7  # fpr and tpr of two thresholds, tpr wanted


def _by_lot() -> float:
    """Compute the share of the healthy who are invited, of a hull of two vertices."""
    town = RankedSegments(
        score=np.array([3.0, 2.0, 1.0]),
        pos=np.array([_TOP[1], _LOW[1] - _TOP[1], 1 - _LOW[1]]),
        neg=np.array([_TOP[0], _LOW[0] - _TOP[0], 1 - _LOW[0]]),
    )
    towns = {"A": town, "B": town}
    policy = policy_through(towns, "A", _LOW[0], _FOUND, criterion="equal_opportunity")
    return policy.points["B"][0]


BY_LOT = Exercise(
    name="by_lot",
    question=(
        "In town B a high threshold finds 60 % of the ill and invites 20 % of the healthy; a low "
        "one finds 85 % and invites 50 %. Of those in between, so many are drawn by lot that 70 % "
        "of the ill are found. Which share of the healthy of B is invited?"
    ),
    solve=_by_lot,
    hint="How far is 70 % on the way from 60 % to 85 %? The false alarms go as far.",
    why=(
        "A draw between two thresholds lies on the straight line between their points. That is "
        "why the hull, and not the curve, is what a group can have."
    ),
    mistakes=lambda: {
        "That is the share of people who are drawn. The healthy above the high threshold are "
        "invited, too.": (_FOUND - _TOP[1]) / (_LOW[1] - _TOP[1]),
        "You went half the way.": (_TOP[0] + _LOW[0]) / 2,
        "With the low threshold for everybody, B finds 85 %.": _LOW[0],
        "With the high threshold alone, B finds 60 %.": _TOP[0],
        "You forgot the healthy above the high threshold.": (
            (_FOUND - _TOP[1]) / (_LOW[1] - _TOP[1]) * (_LOW[0] - _TOP[0])
        ),
    },
)

# ---------------------------------------------------------------------- a coin

_ALARMS, _OWN, _COMMON = 0.25, 0.9, 0.72


def _coin() -> float:
    """Compute how many are called by a coin, so that a point lies below its hull."""
    columns = ([2.0, 1.0], [_OWN, 1 - _OWN], [_ALARMS, 1 - _ALARMS])
    town = RankedSegments(*(np.array(column) for column in columns))
    return policy_at({"A": town}, {"A": (_ALARMS, _COMMON)}).rules["A"].coin


COIN_SHARE = Exercise(
    name="coin_share",
    question=(
        "At 25 % false alarms town A would find 90 % of its ill, but is to find 72 %, as town B. "
        "So the score of some people of A is ignored: a coin invites 25 % of them. For which share "
        "of the people of A does the coin decide?"
    ),
    solve=_coin,
    hint=(
        "Let the share be c. Of the ill, the coin finds 25 % of its part, and the threshold 90 % "
        "of the rest. Together that is 72 %."
    ),
    why=(
        "These people are treated as if nothing were known of them, so that town A is no better "
        "off than town B. Town B gains nothing by it."
    ),
    mistakes=lambda: {
        "So many more of the ill would be found. The coin finds some of its part, too.": (
            _OWN - _COMMON
        ),
        "A coin invites some people. You counted it as inviting nobody.": 1 - _COMMON / _OWN,
        "For that share the score decides.": (_COMMON - _ALARMS) / (_OWN - _ALARMS),
        "That is the share of the threshold, if a coin invited nobody.": _COMMON / _OWN,
    },
)

# ---------------------------------------------------------------------- the rate that is left

_PRECISION, _TPR, _FEW = 0.8, 0.6, 0.3


def _alarms(prevalence: float) -> float:
    return float(fpr_of_precision(_PRECISION, _TPR, prevalence))


FORCED_ALARMS = Exercise(
    name="forced_alarms",
    question=(
        "In each town 60 % of the ill are found, and 80 % of the people invited are ill. In town "
        "A half of the people are ill, so 15 % of its healthy are invited. In town B 30 % are ill. "
        "Which share of the healthy of B is invited?"
    ),
    solve=lambda: _alarms(_FEW),
    hint="Count 1000 people of B. How many ill are invited? How many people are invited in all?",
    why="Two of the three rates and the prevalence fix the third one. Nothing is left to choose.",
    mistakes=lambda: {
        "That is the share in town A. Town B has fewer ill people among its 1000.": _alarms(0.5),
        "That is their share of everybody in B. Divide by the healthy alone.": (
            _alarms(_FEW) * (1 - _FEW)
        ),
        "So many of the people invited are healthy. Divide by all healthy people.": 1 - _PRECISION,
        "That is the share of everybody in B who is invited.": _TPR * _FEW / _PRECISION,
        "You took 80 % of the ill for the people invited. Of those invited 80 % are ill.": (
            (1 - _PRECISION) * _TPR * _FEW / (1 - _FEW)
        ),
    },
)

# ---------------------------------------------------------------------- ways out

_MORE, _PERFECT, _OTHER, _LOT = (
    "more data",
    "a perfect score",
    "another threshold for each town",
    "a coin",
)


def _way_out() -> str:
    """Name the way in which all rates are equal though prevalences differ."""
    perfect = {
        name: RankedSegments(*np.array([[2.0, 1.0], [ill, 0.0], [0.0, 1000.0 - ill]]))
        for name, ill in (("A", 500.0), ("B", 200.0))
    }
    policy = policy_at(perfect, 1.5)
    rates = {(*policy.points[name], policy.precision[name]) for name in perfect}
    return _PERFECT if len(rates) == 1 else _OTHER


WAY_OUT = Choice(
    name="way_out",
    question=(
        "Half of town A is ill, and a fifth of town B. What would let the clinic keep all three "
        "promises, with equal shares of the ill found, equal shares of false alarms and equal "
        "precision?"
    ),
    choices=(_MORE, _PERFECT, _OTHER, _LOT),
    solve=_way_out,
    hint="Put the three rates into the formula. For which values is it right in both towns?",
    why=(
        "Precision 1 makes the right side zero, whatever the prevalence is. Nobody has such a "
        "score, so one has to choose."
    ),
    mistakes=lambda: {
        "More data makes the rates better known. Does it change the prevalence?": _MORE,
        "Thresholds move the points along the curves. The formula holds at each of them.": _OTHER,
        "A coin moves a point below its curve. The formula holds there, too.": _LOT,
    },
)

#: In the order of the notebook.
EXERCISES = (FOUR_FIFTHS, SAME_CUT, BY_LOT, COIN_SHARE, FORCED_ALARMS, WAY_OUT)
