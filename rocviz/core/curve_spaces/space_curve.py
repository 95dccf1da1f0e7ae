"""The curve of a ranking in any space, and the maps of points and lines of ROC space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_choice,
    check_flag,
    check_prevalence,
    check_probabilities,
)
from rocviz.core.curve_spaces.spaces import POINT_SPACES, SPACES, SpaceCurve
from rocviz.core.roc.segments import RankedSegments, ranked


def space_curve(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    space: str = "roc",
    prevalence: float | None = None,
    hull: bool = False,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> SpaceCurve:
    """Compute the curve of a ranking in a space.

    ==================  ======================  ===========================  =======================
    space               x                       y                            area under the curve
    ==================  ======================  ===========================  =======================
    roc                 false positive rate     true positive rate           AUC
    precision_recall    recall                  precision                    mean precision
    pr_gain             recall gain             precision gain               mean gain of F
    gain                predicted positive      true positive rate           π/2 + (1 - π) AUC
    lift                predicted positive      times more than at random    mean lift
    det                 false positive rate     false negative rate          none: it is infinite
    cost                probability cost        lowest expected cost         expected cost
    brier               cost proportion         expected loss at it          the Brier score
    decision            threshold probability   net benefit at it            mean net benefit
    ==================  ======================  ===========================  =======================

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score : array-like of float, shape (n_samples,)
        Finite; higher means more positive. For "brier" and "decision" the scores are
        probabilities.
    space : str, default="roc"
        One of :data:`SPACES`.
    prevalence : float, optional
        Prevalence where the classifier is used, from 1e-9 to 1 - 1e-9; by default that of the
        data.
    hull : bool, default=False
        Whether the curve is that of the convex hull: for "brier" and "decision" with the hull's
        probabilities, that is with the best threshold at each cost proportion. In cost space the
        curve is that of the hull always.
    sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    Between two thresholds, precision over recall runs along a hyperbola; its area has a closed form
    with a logarithm. Gains are straight there. The curve of gains begins at a recall gain of 0,
    where recall is the prevalence. The Brier curve is straight between scores and jumps at
    each; net benefit is ``π - L / (2 (1 - t))`` of its height ``L``, and is given for ``t`` up to
    0.99, since it has no bound at 1. In "det" both rates are normal deviates, so that normal scores
    give a straight line; rates of 0 and 1 are ``-inf`` and ``inf``, and the area is ``nan``.

    References
    ----------
    Davis and Goadrich (2006); Flach and Kull (2015); Martin, Doddington, Kamm, Ordowski and
    Przybocki (1997); Drummond and Holte (2006); Hernández-Orallo, Flach and Ferri (2011); Vickers
    and Elkin (2006).

    Examples
    --------
    >>> from rocviz.core.calibration import brier_decomposition
    >>> space_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]).area
    0.875
    >>> segments = RankedSegments(score=[0.9, 0.6, 0.2], pos=[4, 2, 1], neg=[1, 2, 5])
    >>> round(space_curve(segments, space="brier").area, 6)
    0.182
    >>> round(brier_decomposition(segments).brier, 6)
    0.182
    """
    check_choice(space, "space", tuple(SPACES))
    hull = check_flag(hull, "hull")
    used = ranked(y_true, y_score, sample_weight, pos_label)
    if prevalence is not None:
        used = at_prevalence(used, prevalence=prevalence)
    drawn = SPACES[space]
    if hull and not drawn.is_lower_envelope:
        used = used.hull()
        if drawn.needs_probabilities:
            used = used.with_scores(used.empirical_probability)
    if drawn.needs_probabilities:
        check_probabilities(used.score, "segments.score" if y_score is None else "y_score")
        used = ranked(used, None, check=check_probabilities)
    return drawn.curve(used)


def at_prevalence(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    prevalence: float,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> RankedSegments:
    """Weight the negatives of a ranking to obtain another prevalence.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    prevalence : float
        From 1e-9 to 1 - 1e-9.

    Raises
    ------
    ValueError
        If the data are invalid, or ``prevalence`` is out of its range.

    Examples
    --------
    >>> segments = RankedSegments(score=[2, 1], pos=[3, 1], neg=[1, 3])
    >>> at_prevalence(segments, prevalence=0.2).neg
    array([ 4., 12.])
    """
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    pi = check_prevalence(prevalence)
    times = (1 - pi) / pi * segments.prior_odds
    return RankedSegments(segments.score, segments.pos, times * segments.neg, segments.highest)


def cost_lines(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> tuple[Floats, Floats]:
    """Compute the two ends of each threshold's line in cost space.

    The expected cost of a threshold is straight in the probability cost
    ``x = π c_fn / (π c_fn + (1 - π) c_fp)``, in units of the greatest cost there is.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.

    Returns
    -------
    left, right : ndarray of float, shape (n_segments + 1,)
        Height at ``x = 0``, the false positive rate, and at ``x = 1``, the miss rate.

    Raises
    ------
    ValueError
        If the data are invalid.
    """
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    return segments.fpr, segments.fnr


def map_from_roc(
    space: str, fpr: ArrayLike, tpr: ArrayLike, *, prevalence: float
) -> tuple[Floats, Floats]:
    """Compute the coordinates of points of ROC space in another space.

    Parameters
    ----------
    space : {"roc", "precision_recall", "pr_gain", "gain", "lift", "det"}
        ROC: true over false positive rate. Precision over recall. Precision gain over recall
        gain, on which harmonic means become arithmetic ones. Gain: true positive rate over the
        share predicted positive. Lift: the first divided by the second, over the second. DET:
        normal deviates of the false negative over the false positive rate.
    fpr, tpr : array-like of float, shape (n_points,)
        In [0, 1].
    prevalence : float
        From 1e-9 to 1 - 1e-9.

    Returns
    -------
    x, y : ndarray of float, shape (n_points,)
        ``nan`` where a ratio is 0 / 0, ``-inf`` for the gains without true positives. In "det"
        rates of 0 and 1 are ``-inf`` and ``inf``.

    Raises
    ------
    ValueError
        If the space is unknown, the prevalence is out of its range, or a rate is no number.

    References
    ----------
    Davis and Goadrich (2006). Flach and Kull (2015). Martin et al. (1997).

    Examples
    --------
    >>> x, y = map_from_roc("precision_recall", [0.1], [0.8], prevalence=0.5)
    >>> x, y.round(4)
    (array([0.8]), array([0.8889]))
    """
    fpr, tpr, pi = _check_rates(space, POINT_SPACES, fpr, tpr, prevalence)
    return SPACES[space].operating_point(fpr, tpr, pi)


def _check_rates(
    space: str, spaces: tuple[str, ...], fpr: ArrayLike, tpr: ArrayLike, prevalence: float
) -> tuple[Floats, Floats, float]:
    """Check the arguments of the maps from ROC space."""
    check_choice(space, "space", spaces)
    pi = check_prevalence(prevalence)
    fpr = check_probabilities(fpr, "fpr")
    tpr = check_probabilities(tpr, "tpr")
    if fpr.size != tpr.size:
        raise ValueError(f"fpr and tpr must have the same length; got {fpr.size} and {tpr.size}.")
    return fpr, tpr, pi


def map_operating_point(
    space: str, fpr: float, tpr: float, *, prevalence: float
) -> tuple[Floats, Floats]:
    """Map an operating point of ROC space to another space.

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
        "decision" a line: the cost, loss or net benefit of these rates, whatever errors cost; a
        decision curve is given up to 0.99.

    Raises
    ------
    ValueError
        If the space is unknown, or the prevalence out of its range.

    Examples
    --------
    >>> x, y = map_operating_point("cost", 0.1, 0.8, prevalence=0.5)
    >>> x, y.round(3)
    (array([0., 1.]), array([0.1, 0.2]))
    """
    fprs, tprs, pi = _check_rates(space, tuple(SPACES), [fpr], [tpr], prevalence)
    return SPACES[space].operating_point(fprs, tprs, pi)


def map_isometric(
    space: str, fpr: ArrayLike, tpr: ArrayLike, *, prevalence: float
) -> tuple[Floats, Floats]:
    """Map a line of ROC space, such as an isometric, to another space.

    In a cost space all points along a rising straight line are lines through one point: costs at
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
    fprs, tprs, pi = _check_rates(space, tuple(SPACES), fpr, tpr, prevalence)
    if (np.diff(fprs) < 0).any():
        raise ValueError("fpr must not decrease.")
    return SPACES[space].isometric(fprs, tprs, pi)
