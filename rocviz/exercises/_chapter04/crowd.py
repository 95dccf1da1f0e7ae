"""Exercises on when a crowd beats its best member."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rocviz.core.ensembles.experiment import ensemble_experiment
from rocviz.exercises._base import Choice

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
    mistakes={
        "Its weights come from measured AUCs. How different do those of equal classifiers look on "
        "so few items?": lambda: _FIDEL,
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
    mistakes={
        "It would with independent errors. Here evidence that is shared gets counted more than "
        "once.": lambda: _FIDEL,
        "That lets the weakest of the three have as much say as the strongest.": lambda: _MEAN,
    },
)
