"""The six compared methods for probabilities: regression, ranking, and isotonic regression.

Trains and predicts; splits, repetitions and tables are left to the comparisons.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_choice,
    check_fraction,
    check_number,
    check_sequence,
    describe,
)
from rocviz.core.calibration.calibration import HullMap, fit_isotonic
from rocviz.core.ranking_loss.linear_scorer import LinearScorer, fit_linear_scorer
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES

#: Names of the methods, in the order of the paper's tables.
METHODS = (
    "linear",
    "linear + isotonic",
    "logistic",
    "logistic + isotonic",
    "combined",
    "rank + isotonic",
)

#: Maps from scores to probabilities.
MAPS: dict[str, Callable[..., HullMap]] = {
    "isotonic": fit_isotonic,
    "laplace-hull": partial(fit_isotonic, m=2.0),
}

#: Lowest probabilities of the capped link, those of the paper's figure 1.
FLOORS = tuple(2.0**k for k in (-9, -7, -5, -3, -1))

#: Suffix of the methods that map another method's scores.
ISOTONIC_SUFFIX = " + isotonic"


def scorer_name(method: str) -> str:
    """Name the scorer behind a method: linear, logistic, combined or rank."""
    return method.removesuffix(ISOTONIC_SUFFIX)


def check_methods(methods: Sequence[str]) -> tuple[str, ...]:
    """Check the methods: a tuple without repetitions, of at least one."""
    names = check_sequence(methods, "methods", "a sequence of names of methods")
    if not names:
        raise ValueError(
            f"methods must be a sequence of names of methods; got {describe(methods)}."
        )
    return tuple(dict.fromkeys(check_choice(name, "methods", METHODS) for name in names))


def check_training(
    alpha: float, loss: str, mix: float, calibration: str = "isotonic"
) -> dict[str, Any]:
    """Check the parameters of :func:`predict_by_methods` and return them by name."""
    return {
        "calibration": check_choice(calibration, "calibration", tuple(MAPS)),
        "loss": check_choice(loss, "loss", PAIR_LOSSES),
        "alpha": check_number(alpha, "alpha", minimum=0.0),
        "mix": check_fraction(mix, "mix", ends=True),
    }


def train_scorer(
    name: str, X: Any, positive: Bools, *, alpha: float, loss: str, mix: float, tol: float = 1e-9
) -> LinearScorer:
    """Train the scorer behind a method, deterministically.

    ``mix`` is that of "combined", ``loss`` that of pairs; see :func:`fit_linear_scorer`.
    """
    regression_mix, regression_loss = {
        "linear": (1.0, "squared"),
        "logistic": (1.0, "logistic"),
        "combined": (mix, "logistic"),
        "rank": (0.0, None),
    }[name]
    scorer = fit_linear_scorer(
        X,
        positive,
        mix=regression_mix,
        regression_loss=regression_loss,
        loss=loss,
        alpha=alpha,
        tol=tol,
        random_state=np.random.default_rng(0),
    )
    if not scorer.converged:
        warnings.warn(
            f"The scorer {name!r} has not converged after {scorer.n_iter} steps; raise alpha.",
            RuntimeWarning,
            stacklevel=2,
        )
    return scorer


def predict_by_methods(
    methods: Sequence[str],
    X: Any,
    positive: Bools,
    X_new: Any,
    *,
    alpha: float,
    loss: str,
    mix: float,
    calibration: str,
) -> tuple[Floats, Floats]:
    """Predict scores and probabilities of new samples, each of shape (n_methods, n_new)."""
    scorers: dict[str, LinearScorer] = {}
    score = np.empty((len(methods), X_new.shape[0]))
    prob = np.empty_like(score)
    for k, method in enumerate(methods):
        name = scorer_name(method)
        if name not in scorers:
            scorers[name] = train_scorer(name, X, positive, alpha=alpha, loss=loss, mix=mix)
        scorer = scorers[name]
        score[k] = scorer.decision(X_new)
        if method == name:
            prob[k] = scorer.probability(X_new)
        else:
            prob[k] = MAPS[calibration](scorer.rank(X, positive))(score[k])
    return score, prob
