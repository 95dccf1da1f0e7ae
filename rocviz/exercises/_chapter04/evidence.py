"""Exercises on the evidence in a rank, and on adding it up."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import expit

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.exercises._base import Choice, Exercise, Quantity

_POS, _NEG = 40, 60
_SHARP, _BLUNT, _WRONG = 0.8, 0.6, 0.3
_RANK_SHARP, _RANK_BLUNT = 30, 85


@lru_cache
def _law(auc: float) -> FermiDirac:
    return FermiDirac.from_auc(auc, _POS, _NEG)


def _sharp() -> float:
    return float(_law(_SHARP).log_likelihood_ratio(_RANK_SHARP))


def _blunt() -> float:
    return float(_law(_BLUNT).log_likelihood_ratio(_RANK_BLUNT))


def _prior() -> float:
    return _law(_SHARP).prior_log_odds


TWO_WITNESSES = Quantity(
    name="two_witnesses",
    question=(
        "Of a hundred validation items 40 are positive. One classifier has an AUC of 0.8 and "
        "gives a new item rank 30; another has 0.6 and gives it rank 85. What is the item's "
        "log-likelihood ratio by FiDEL?"
    ),
    solve=lambda: _sharp() + _blunt(),
    tolerance=5e-3,
    hint=(
        "FermiDirac.from_auc(auc, n_pos, n_neg) is the law of one classifier; ask it for the "
        "log_likelihood_ratio of its rank. Then add."
    ),
    why=(
        "The second classifier's rank is further from its threshold, but a rank of the first "
        "one counts for more."
    ),
    mistakes={
        "That is what the first classifier says. Add the second.": _sharp,
        "That is what the second classifier says. Add the first.": _blunt,
        "Each contribution brings its own sign. Add them.": lambda: _sharp() - _blunt(),
        "That is the mean. Independent evidence adds up.": lambda: (_sharp() + _blunt()) / 2,
        "You multiplied. Likelihoods are multiplied, and their logarithms are added.": lambda: (
            _sharp() * _blunt()
        ),
        "That is the likelihood ratio. Its logarithm is asked for.": lambda: float(
            np.exp(_sharp() + _blunt())
        ),
        "That is a probability. "
        "The question asks for the evidence before it becomes one.": lambda: float(
            expit(_sharp() + _blunt())
        ),
        "Those are probabilities, and they do not add up. Add log-likelihood ratios.": lambda: sum(
            _each_by_itself()
        ),
        "You added the prior as well. That comes when you want a probability.": lambda: (
            _sharp() + _blunt() + _prior()
        ),
        "You gave each classifier the other's rank.": lambda: float(
            _law(_SHARP).log_likelihood_ratio(_RANK_BLUNT)
            + _law(_BLUNT).log_likelihood_ratio(_RANK_SHARP)
        ),
    },
)


def _each_by_itself() -> tuple[float, ...]:
    return tuple(
        float(_law(auc).probability(rank))
        for auc, rank in ((_SHARP, _RANK_SHARP), (_BLUNT, _RANK_BLUNT))
    )


PRIOR = Exercise(
    name="prior_term",
    question=(
        "The item of the two witnesses once more (40 positives and 60 negatives among the "
        "validation items). With which probability is it positive?"
    ),
    solve=lambda: expit(_sharp() + _blunt() + _prior()),
    hint="Add the log odds of the prior to the evidence, then turn log odds into a probability.",
    why=(
        "The evidence speaks for the item, and it is still more likely negative: most items "
        "are. Without the prior term one would have said the opposite."
    ),
    mistakes={
        "That would be right for as many positives as negatives. "
        "The prior term is missing.": lambda: expit(_sharp() + _blunt()),
        "The prior has the wrong sign: positives are the rarer class.": lambda: expit(
            _sharp() + _blunt() - _prior()
        ),
        "You counted the prior twice, once per classifier. "
        "There is one item and one prior.": lambda: expit(_sharp() + _blunt() + 2 * _prior()),
        "That is the probability of being negative.": lambda: (
            1 - expit(_sharp() + _blunt() + _prior())
        ),
        "Those are log odds. Turn them into a probability.": lambda: _sharp() + _blunt() + _prior(),
        "Those are odds. A probability is odds / (1 + odds).": lambda: float(
            np.exp(_sharp() + _blunt() + _prior())
        ),
        "That is the evidence. "
        "Add the log odds of the prior, then turn the sum into a probability.": lambda: (
            _sharp() + _blunt()
        ),
        "You added the logarithm of the share of positives. The prior term is the logarithm "
        "of their odds, positives to negatives.": (
            lambda: float(expit(_sharp() + _blunt() + np.log(_POS / (_POS + _NEG))))
        ),
        "That is the mean of two probabilities. Evidence adds up; probabilities do not.": lambda: (
            np.mean(_each_by_itself())
        ),
        "You multiplied two probabilities. Add their evidence and one prior.": lambda: np.prod(
            _each_by_itself()
        ),
        "That is the probability by the first witness alone.": lambda: _each_by_itself()[0],
        "That is the prior by itself. What do the ranks add?": lambda: _POS / (_POS + _NEG),
    },
)


def _last_rank_moves() -> str:
    evidence = float(_law(_WRONG).log_likelihood_ratio(_POS + _NEG))
    if evidence == 0:
        return "leaves"
    return "raises" if evidence > 0 else "lowers"


REVERSED = Choice(
    name="reversed_witness",
    question=(
        "A classifier with an AUC of 0.3 on the validation data puts a new item last. What does "
        "that do to the item's FiDEL score: it raises, lowers or leaves it?"
    ),
    choices=("raises", "lowers", "leaves"),
    solve=_last_rank_moves,
    hint="What is the sign of its beta? And what is the sign of r* minus the last rank?",
    why=(
        "A classifier that is wrong more often than right is a good witness, if one believes the "
        "opposite of what it says."
    ),
    mistakes={
        "From a classifier that is better than a coin it would. Is this one?": lambda: "lowers",
        "Only a classifier that ranks like a coin has nothing to say.": lambda: "leaves",
    },
)

# ---------------------------------------------------------------------- the same one three times

_RANK_THRICE, _TIMES = 10, 3


def _evidence(times: int) -> float:
    return times * float(_law(_SHARP).log_likelihood_ratio(_RANK_THRICE))


SAME_THRICE = Exercise(
    name="same_witness_thrice",
    question=(
        "Again 40 positives and 60 negatives. A classifier with an AUC of 0.8 gives an item rank "
        "10. By mistake it is entered into the ensemble three times. Which probability does FiDEL "
        "give the item?"
    ),
    solve=lambda: expit(_evidence(_TIMES) + _prior()),
    hint="Three times the evidence of one, and one prior.",
    why=(
        "Nothing has been learned from the two copies, but FiDEL takes them for independent "
        "witnesses and is nearly certain."
    ),
    mistakes={
        "That is what it should say. But FiDEL does not know that the three are one.": lambda: (
            expit(_evidence(1) + _prior())
        ),
        "You counted the prior once for each copy. There is one item and one prior.": lambda: expit(
            _TIMES * (_evidence(1) + _prior())
        ),
        "The prior term is missing.": lambda: expit(_evidence(_TIMES)),
        "Probabilities are not multiplied here: add log-likelihood ratios.": lambda: (
            expit(_evidence(1) + _prior()) ** _TIMES
        ),
        "That is how often at least one of three would be right. "
        "FiDEL adds log-likelihood ratios.": lambda: (
            1 - (1 - expit(_evidence(1) + _prior())) ** _TIMES
        ),
        "That is the evidence. "
        "Add the log odds of the prior, then turn the sum into a probability.": lambda: _evidence(
            _TIMES
        ),
        "Those are log odds. Turn them into a probability.": lambda: _evidence(_TIMES) + _prior(),
    },
)
