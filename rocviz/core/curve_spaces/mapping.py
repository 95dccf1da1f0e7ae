"""Map points, cuts and isometrics of ROC space to other spaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_prevalence,
    check_probabilities,
)

#: Spaces in which a threshold is a point and the curve of a ranking an image of its ROC curve.
POINT_SPACES = ("roc", "precision_recall", "pr_gain", "gain", "lift")
#: The spaces a ranking's curve can be had in. The last three are about costs: the first of them
#: asks for the best threshold at each cost, the other two for scores that are probabilities.
SPACES = (*POINT_SPACES, "cost", "brier", "decision")

# Points of a line that is straight in ROC space and bent elsewhere.
_BEND = 101


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
        raise ValueError(f"fpr and tpr must have the same length; got {f.size} and {t.size}.")
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


def map_cut(space: str, fpr: float, tpr: float, *, prevalence: float) -> tuple[Floats, Floats]:
    """Map a cut, a point of ROC space, to another space.

    Parameters
    ----------
    space : str
        One of :data:`SPACES`.
    fpr, tpr : float
        In [0, 1].
    prevalence : float
        From 1e-9 to 1 - 1e-9.

    Returns
    -------
    x, y : ndarray of float
        Of shape (1,), a point, as :func:`map_from_roc` returns it. In "cost", "brier" and
        "decision" the line that it is: its cost, loss or net benefit if it is kept whatever
        errors cost; a decision curve is given up to 0.99.

    Raises
    ------
    ValueError
        If the space is unknown, or the prevalence out of its range.

    Examples
    --------
    >>> x, y = map_cut("cost", 0.1, 0.8, prevalence=0.5)
    >>> x, y.round(3)
    (array([0., 1.]), array([0.1, 0.2]))
    """
    check_choice(space, "space", SPACES)
    pi = check_prevalence(prevalence)
    f, t = check_fraction(fpr, "fpr", ends=True), check_fraction(tpr, "tpr", ends=True)
    if space in POINT_SPACES:
        return points_from_roc(space, np.array([f]), np.array([t]), pi, 1 - pi)
    if space == "decision":
        x = 1 - 0.01 ** np.linspace(0.0, 1.0, _BEND)  # denser near 1, where lines bend most
        return x, pi * t - (1 - pi) * f * x / (1 - x)
    x = np.array([0.0, 1.0])
    if space == "cost":
        return x, np.array([f, 1 - t])
    return x, 2 * np.array([pi * (1 - t), (1 - pi) * f])


def map_isometric(
    space: str, fpr: ArrayLike, tpr: ArrayLike, *, prevalence: float
) -> tuple[Floats, Floats]:
    """Map a line of ROC space, such as an isometric, to another space.

    In a cost space all cuts along a rising straight line are lines through one point: costs at
    which none of them is better than another. A bent isometric becomes the curve of its tangents'
    points.

    Parameters
    ----------
    space : str
        One of :data:`SPACES`.
    fpr, tpr : array-like of float, shape (n_points,)
        Vertices of the line, from left to right, as :func:`isometric_through` returns them.
    prevalence : float
        From 1e-9 to 1 - 1e-9.

    Returns
    -------
    x, y : ndarray of float
        A bent line has points enough to look bent. In "cost", "brier" and "decision" one point
        for each straight piece; of an empty or falling piece none.

    Raises
    ------
    ValueError
        If the space is unknown, the prevalence is out of its range, or ``fpr`` falls.

    References
    ----------
    Drummond and Holte (2006). Flach (2003).

    Examples
    --------
    >>> from rocviz.core.roc import isometric_through
    >>> line = isometric_through("accuracy", 0.1, 0.8, prevalence=0.5)
    >>> x, y = map_isometric("cost", *line, prevalence=0.5)
    >>> x, y.round(3)
    (array([0.5]), array([0.15]))
    """
    check_choice(space, "space", SPACES)
    pi = check_prevalence(prevalence)
    f, t = check_probabilities(fpr, "fpr"), check_probabilities(tpr, "tpr")
    if f.size != t.size or (np.diff(f) < 0).any():
        raise ValueError("fpr and tpr must have the same length, and fpr must not decrease.")
    if space == "roc":
        return f, t
    if space in POINT_SPACES:
        if f.size == 2:
            # denser where precision changes fastest
            part = np.linspace(0.0, 1.0, _BEND) ** 2
            f, t = f[0] + part * (f[1] - f[0]), t[0] + part * (t[1] - t[0])
        x, y = points_from_roc(space, f, t, pi, 1 - pi)
        some = np.isfinite(x) & np.isfinite(y)
        return x[some], y[some]
    on, up = np.diff(f), np.diff(t)
    some = (on + up > 0) & (up >= 0)
    # t = a + (up / on) f: all its cuts cost the same where a step in f costs as much as that in t
    on, up, f, t = on[some], up[some], f[:-1][some], t[:-1][some]
    x, rest = on / (on + up), up / (on + up)
    y = (1 - t) * x + f * rest
    if space == "cost":
        return x, y
    odds = (1 - pi) / pi * x
    c, of_miss = rest / (rest + odds), odds / (rest + odds)
    loss = 2 * y * (pi * of_miss + (1 - pi) * c)
    if space == "brier":
        return c, loss
    inside = c <= 0.99
    return c[inside], pi - loss[inside] / (2 * of_miss[inside])
