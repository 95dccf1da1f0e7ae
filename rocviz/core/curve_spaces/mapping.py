"""Points of ROC space in the other spaces in which points stay points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_prevalence,
    check_probabilities,
)

#: Spaces in which a threshold is a point and the curve of a ranking an image of its ROC curve.
POINT_SPACES = ("roc", "precision_recall", "pr_gain", "gain", "lift")


def map_from_roc(
    space: str, fpr: ArrayLike, tpr: ArrayLike, *, prevalence: float
) -> tuple[Floats, Floats]:
    """Compute the coordinates of points of ROC space in another space.

    Parameters
    ----------
    space : {"roc", "precision_recall", "pr_gain", "gain", "lift"}
        ROC: true over false positive rate. Precision over recall. Precision gain over recall
        gain, on which harmonic means become arithmetic ones. Gain: true positive rate over the
        share predicted positive. Lift: the first divided by the second, over the second.
    fpr, tpr : array-like of float, shape (n_points,)
        In [0, 1].
    prevalence : float
        From 1e-9 to 1 - 1e-9.

    Returns
    -------
    x, y : ndarray of float, shape (n_points,)
        ``nan`` where a ratio is nothing over nothing, ``-inf`` for the gains of no true positive.

    Raises
    ------
    ValueError
        If the space is unknown, the prevalence is out of its range, or a rate is no number.

    References
    ----------
    Davis and Goadrich (2006). Flach and Kull (2015).

    Examples
    --------
    >>> x, y = map_from_roc("precision_recall", [0.1], [0.8], prevalence=0.5)
    >>> x, y.round(4)
    (array([0.8]), array([0.8889]))
    """
    check_choice(space, "space", POINT_SPACES)
    pi = check_prevalence(prevalence)
    f, t = check_probabilities(fpr, "fpr"), check_probabilities(tpr, "tpr")
    if f.size != t.size:
        raise ValueError(f"fpr and tpr must have one length; got {f.size} and {t.size}.")
    return points_from_roc(space, f, t, pi, 1 - pi)


def points_from_roc(
    space: str, f: Floats, t: Floats, pi: float, rest: float
) -> tuple[Floats, Floats]:
    """Map checked rates; ``rest`` is the share of negatives, ``1 - pi``."""
    if space == "roc":
        return f, t
    predicted = pi * t + rest * f
    if space == "gain":
        return predicted, t
    with np.errstate(divide="ignore", invalid="ignore"):
        if space == "precision_recall":
            return t, pi * t / predicted
        if space == "lift":
            return predicted, t / predicted
        return 1 - pi / rest * (1 - t) / t, 1 - f / t
