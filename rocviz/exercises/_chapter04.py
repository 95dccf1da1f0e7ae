"""Exercises of notebook 04, classifiers that are combined by what their ranks say."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import expit

from rocviz.core.ensembles.experiment import ensemble_experiment
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
    mistakes=lambda: {
        "That is what the first classifier says. Add the second.": _sharp(),
        "That is what the second classifier says. Add the first.": _blunt(),
        "Each contribution brings its own sign. Add them.": _sharp() - _blunt(),
        "That is the mean. Independent evidence adds up.": (_sharp() + _blunt()) / 2,
        "You multiplied. Likelihoods are multiplied, and their logarithms are added.": (
            _sharp() * _blunt()
        ),
        "That is the likelihood ratio. Its logarithm is asked for.": (
            float(np.exp(_sharp() + _blunt()))
        ),
        "That is a probability. The question asks for the evidence before it becomes one.": (
            float(expit(_sharp() + _blunt()))
        ),
        "Those are probabilities, and they do not add up. Add log-likelihood ratios.": (
            sum(_each_by_itself())
        ),
        "You added the prior as well. That comes when you want a probability.": (
            _sharp() + _blunt() + _prior()
        ),
        "You gave each classifier the other's rank.": (
            float(
                _law(_SHARP).log_likelihood_ratio(_RANK_BLUNT)
                + _law(_BLUNT).log_likelihood_ratio(_RANK_SHARP)
            )
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
    mistakes=lambda: {
        "That would be right for as many positives as negatives. The prior term is missing.": expit(
            _sharp() + _blunt()
        ),
        "The prior has the wrong sign: positives are the rarer class.": (
            expit(_sharp() + _blunt() - _prior())
        ),
        "You counted the prior twice, once per classifier. There is one item and one prior.": expit(
            _sharp() + _blunt() + 2 * _prior()
        ),
        "That is the probability of being negative.": 1 - expit(_sharp() + _blunt() + _prior()),
        "Those are log odds. Turn them into a probability.": _sharp() + _blunt() + _prior(),
        "Those are odds. A probability is odds / (1 + odds).": (
            float(np.exp(_sharp() + _blunt() + _prior()))
        ),
        "That is the evidence. "
        "Add the log odds of the prior, then turn the sum into a probability.": _sharp() + _blunt(),
        "You added the logarithm of the share of positives. The prior term is the logarithm "
        "of their odds, positives to negatives.": float(
            expit(_sharp() + _blunt() + np.log(_POS / (_POS + _NEG)))
        ),
        "That is the mean of two probabilities. Evidence adds up; probabilities do not.": np.mean(
            _each_by_itself()
        ),
        "You multiplied two probabilities. Add their evidence and one prior.": (
            np.prod(_each_by_itself())
        ),
        "That is the probability by the first witness alone.": _each_by_itself()[0],
        "That is the prior by itself. What do the ranks add?": _POS / (_POS + _NEG),
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
    mistakes=lambda: {
        "From a classifier that is better than a coin it would. Is this one?": "lowers",
        "Only a classifier that ranks like a coin has nothing to say.": "leaves",
    },
)


# ---------------------------------------------------------------------- crowds

_BEST, _MEAN, _FIDEL = "the best classifier", "the mean rank", "FiDEL"
_COLUMNS = {_BEST: "best", _MEAN: "woc", _FIDEL: "fidel"}
_REPEATS = 100


def _winner(choices: tuple[str, ...], **setting: Any) -> str:
    found = ensemble_experiment(n_repeats=_REPEATS, random_state=0, **setting)
    auc = dict(zip(found.methods, found.auc[0], strict=True))
    return max(choices, key=lambda choice: float(auc[_COLUMNS[choice]]))


@lru_cache(maxsize=1)
def _equal_and_few() -> str:
    return _winner(
        (_MEAN, _FIDEL),
        n_classifiers=[5],
        correlation=[0.0],
        auc_range=(0.65, 0.65),
        n_validation=50,
    )


@lru_cache(maxsize=1)
def _three_against_one() -> str:
    return _winner((_BEST, _MEAN, _FIDEL), n_classifiers=[3], correlation=[0.4])


EQUAL_AND_FEW = Choice(
    name="equal_and_few",
    question=(
        "Five independent classifiers are equally good, each with a true AUC of 0.65, but there "
        "are just 50 validation items to measure that. Which has the higher AUC on new items?"
    ),
    choices=(_MEAN, _FIDEL),
    solve=_equal_and_few,
    hint="Which weights would be right here? Which of the two has to guess them?",
    why=(
        "Equal weights are right here, and one of the two has them from the start. The other "
        "measures them, and each measurement has an error."
    ),
    mistakes=lambda: {
        "Its weights come from measured AUCs. How different do those of equal classifiers look on "
        "so few items?": _FIDEL,
    },
)

THREE_AGAINST_ONE = Choice(
    name="three_against_one",
    question=(
        "Three classifiers with AUCs spread from 0.55 to 0.75, a correlation of 0.4 within each "
        "class, plenty of validation items. Which has the highest AUC on new items?"
    ),
    choices=(_BEST, _MEAN, _FIDEL),
    solve=_three_against_one,
    hint=(
        "Compare what FiDEL and the mean rank reach without correlation (section 4) with what "
        "FiDEL reaches at 0.4 (section 5). Does correlation change a single classifier?"
    ),
    why=(
        "Two weaker classifiers that err alike add more noise than information. It takes a larger "
        "crowd."
    ),
    mistakes=lambda: {
        "It would with independent errors. Here evidence that is shared gets counted more than "
        "once.": _FIDEL,
        "That lets the weakest of the three have as much say as the strongest.": _MEAN,
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
    mistakes=lambda: {
        "That is what it should say. But FiDEL does not know that the three are one.": expit(
            _evidence(1) + _prior()
        ),
        "You counted the prior once for each copy. There is one item and one prior.": (
            expit(_TIMES * (_evidence(1) + _prior()))
        ),
        "The prior term is missing.": expit(_evidence(_TIMES)),
        "Probabilities are not multiplied here: add log-likelihood ratios.": (
            expit(_evidence(1) + _prior()) ** _TIMES
        ),
        "That is how often at least one of three would be right. "
        "FiDEL adds log-likelihood ratios.": 1 - (1 - expit(_evidence(1) + _prior())) ** _TIMES,
        "That is the evidence. "
        "Add the log odds of the prior, then turn the sum into a probability.": (_evidence(_TIMES)),
        "Those are log odds. Turn them into a probability.": _evidence(_TIMES) + _prior(),
    },
)

#: In the order of the notebook.
EXERCISES = (
    TWO_WITNESSES,
    REVERSED,
    PRIOR,
    EQUAL_AND_FEW,
    SAME_THRICE,
    THREE_AGAINST_ONE,
)
