"""Whether classifiers err independently given the class, as FiDEL takes for granted.

Knows what classifiers have shown on validation data; nothing of new items.
"""

from __future__ import annotations

import warnings

import numpy as np

from rocviz.core.ensembles._classifiers import RankedClassifiers

# Evidence overstated by a quarter, and by more than three standard errors of chance.
_MATERIAL, _SURE = 1.25, 3.0


class DependentErrorsWarning(UserWarning):
    """FiDEL adds up evidence of classifiers that do not err independently given the class.

    Raised by :func:`rocviz.fidel_combine` and ``FiDELClassifier.fit`` with ``method="fidel"`` if
    :attr:`RankEnsemble.design_effect` is above 1.25, and by more than chance would have it in
    so many validation samples. The message says how strongly ranks are correlated within the
    classes, and how many times too large the summed evidence is for that.
    """


def warn_of_dependence(classifiers: RankedClassifiers, calibration: str | None) -> None:
    """Warn whoever called the caller if errors are alike, more than by chance."""
    effect = classifiers.design_effect
    if effect <= _MATERIAL:
        return
    part = np.abs(classifiers.beta) * np.sqrt(np.diag(classifiers.scatter))
    alone = float((part**2).sum())
    # under independence each covariance has the variance of a product over N
    chance = np.sqrt(2 * (alone**2 - float((part**4).sum())) / classifiers.n_samples)
    if (effect - 1) * alone <= _SURE * chance:
        return
    correlation = np.triu(classifiers.correlation, 1)
    i, j = np.unravel_index(np.abs(correlation).argmax(), correlation.shape)
    names = classifiers.names
    mean = f"{classifiers.mean_correlation:.2f}"
    if len(names) > 2:
        mean += f" on average (most: {names[i]} and {names[j]}, {correlation[i, j]:.2f})"
    rest = (
        "Probabilities are calibrated for it"
        if calibration
        else "So probabilities are too near 0 and 1; calibration='sigmoid' corrects them"
    )
    warnings.warn(
        "FiDEL adds up evidence as if the classifiers erred independently given the class. On "
        f"these {classifiers.n_samples} validation samples they do not: within the classes their "
        f"ranks correlate by {mean}, so the sum varies {effect:.1f} times as much as "
        "independent evidence would, and log_likelihood_ratio and contributions are about so "
        f"many times too large. {rest}.",
        DependentErrorsWarning,
        stacklevel=3,
    )
