"""The six ways to probabilities that are compared: regression, ranking, with isotonic regression.

Trains and predicts; splits, repetitions and tables are left to the comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocviz.core.base.validation import Bools, Floats, check_choice, check_fraction, check_number
from rocviz.core.ranking_loss.methods import MAPS, METHODS
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.ranking_loss.combined_ranking import CombinedRegressionRanking
from rocviz.estimators.ranking_loss.rank_isotonic import RankIsotonicClassifier

_ISOTONIC = " + isotonic"


def check_methods(methods: Sequence[str]) -> tuple[str, ...]:
    """Return the methods as a tuple without repetitions; at least one."""
    if isinstance(methods, str) or not len(methods):
        raise ValueError(f"methods must be a sequence of names of methods; got {methods!r}.")
    return tuple(dict.fromkeys(check_choice(method, "methods", METHODS) for method in methods))


def make_models(
    alpha: float, loss: str, mix: float, calibration: str = "isotonic"
) -> dict[str, Any]:
    """Return the unfitted models behind the methods, after checking their parameters."""
    chosen_map: Any = check_choice(calibration, "calibration", tuple(MAPS))
    pair_loss: Any = check_choice(loss, "loss", PAIR_LOSSES)
    check_number(alpha, "alpha", minimum=0.0)
    check_fraction(mix, "mix", ends=True)
    return {
        "linear": CombinedRegressionRanking(1.0, alpha, regression_loss="squared"),
        "logistic": CombinedRegressionRanking(1.0, alpha),
        "combined": CombinedRegressionRanking(mix, alpha, loss=pair_loss),
        "rank": RankIsotonicClassifier(pair_loss, alpha, calibration=chosen_map),
    }


def predict_by_methods(
    models: dict[str, Any], methods: Sequence[str], X: Any, positive: Bools, X_new: Any
) -> tuple[Floats, Floats]:
    """Return scores and probabilities of new samples, shape (n_methods, n_new)."""
    fitted: dict[str, Any] = {}
    score, prob = np.empty((2, len(methods), X_new.shape[0]))
    for k, method in enumerate(methods):
        name = method.removesuffix(_ISOTONIC)
        if name not in fitted:
            fitted[name] = models[name].fit(X, positive)
        model = fitted[name]
        score[k] = model.decision_function(X_new)
        if method == name or name == "rank":
            prob[k] = model.predict_proba(X_new)[:, 1]
        else:
            segments = RankedSegments.from_scores(positive, model.decision_function(X))
            prob[k] = MAPS[models["rank"].calibration](segments)(score[k])
    return score, prob
