"""The exact curve of a ranking in every space, and the maps of points and lines of ROC space.

Edges that bend are not replaced by chords.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import trapezoid

from rocviz.core.base.blocks import blocks, repeat_steps, running_totals
from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.validation import (
    MAX_WEIGHT,
    Floats,
    Weights,
    check_choice,
    check_flag,
    check_integer,
    check_number,
    check_prevalence,
    check_probabilities,
)
from rocviz.core.roc.segments import RankedSegments, ranked

#: Spaces in which a threshold is a point and the curve of a ranking an image of its ROC curve.
POINT_SPACES = ("roc", "precision_recall", "pr_gain", "gain", "lift")
#: All spaces. The last three show costs: the first of them by the best threshold at each cost, the
#: other two by scores that are probabilities.
SPACES = (*POINT_SPACES, "cost", "brier", "decision")

_SPACES_OF_BENT_EDGES = ("precision_recall", "lift")
_POINTS_PER_BENT_EDGE = 64  # of the longest; shorter edges get fewer
_POINTS_PER_LINE = 101  # of a line that is straight in ROC space and bent elsewhere
_MAX_THRESHOLD_PROBABILITY = 0.99  # of a decision curve, which has no bound at 1
_MIN_COMPLEMENT = 0.01  # one minus that
# Below this, a difference would lose digits, and two terms of the power series suffice to 1e-10.
_SMALL_GROWTH = 1e-5


@dataclass(frozen=True, eq=False)
class SpaceCurve(Frozen):
    """The curve of a ranking in one space.

    Parameters
    ----------
    space : str
        One of :data:`SPACES`.
    x, y : ndarray of float, shape (n_points,)
        The curve as a polygon. Bent edges have points enough to look bent.
    threshold_index : ndarray of float, shape (n_points,)
        Threshold of each point: the number of segments predicted positive, with a fraction where
        a part of the last one is. In cost space the best threshold from the point before on.
    threshold_x, threshold_y : ndarray of float, shape (n_segments + 1,)
        Point of each threshold, in the order of the ROC vertices; ``nan`` where it has no value. In
        cost space a threshold is a line (see :func:`cost_lines`), and this is where it comes
        nearest to the curve: of a best threshold the middle of its stretch.
    area : float
        Exact area under the curve, not that of the polygon. Its meaning is
        listed in :func:`space_curve`.
    """

    space: str
    x: Floats
    y: Floats
    threshold_index: Floats
    threshold_x: Floats
    threshold_y: Floats
    area: float

    def nearest_threshold_index(self, x: float, y: float, *, unit_y: float = 1.0) -> float:
        """Find the threshold whose point is nearest to a point of the space.

        Parameters
        ----------
        x, y : float
            Any point; it need not lie on the curve.
        unit_y : float, default=1.0
            Distance in y that counts as much as 1 in x.

        Returns
        -------
        float
            As in ``threshold_index``: 2.5 is half of the third segment. In cost space a whole
            number.

        Raises
        ------
        ValueError
            If a coordinate is no finite number.

        Examples
        --------
        >>> segments = RankedSegments(score=[2, 1], pos=[1, 1], neg=[0, 2])
        >>> space_curve(segments).nearest_threshold_index(0.1, 0.5)
        1.08
        """
        x = check_number(x, "x")
        y = check_number(y, "y")
        unit_y = check_number(unit_y, "unit_y", above=0.0)
        if max(abs(x), abs(y) / unit_y) > MAX_WEIGHT:
            raise ValueError(f"x and y must be within {MAX_WEIGHT:g} units; got {x:g} and {y:g}.")
        if self.space == "cost":  # where a threshold is a line, represented by one point
            edge_x = self.threshold_x
            edge_y = self.threshold_y
            width = height = np.zeros(edge_x.size)
        else:
            edge_x = self.x[:-1]
            edge_y = self.y[:-1]
            width = np.diff(self.x)
            height = np.diff(self.y)
        start = np.array((edge_x - x, (edge_y - y) / unit_y))
        step = np.array((width, height / unit_y))
        length = (step**2).sum(axis=0)
        along = np.zeros_like(length)
        np.divide(-(start * step).sum(axis=0), length, out=along, where=length > 0)
        along = np.clip(along, 0.0, 1.0)
        edge = int(((start + along * step) ** 2).sum(axis=0).argmin())
        if self.space == "cost":
            return float(edge)
        index = self.threshold_index
        return float(index[edge] + along[edge] * (index[edge + 1] - index[edge]))

    def thin(self, columns: int = 400) -> tuple[Floats, Floats]:
        """Reduce the curve to the points that a picture needs.

        Parameters
        ----------
        columns : int, default=400
            Of pixels across; at least 1. Of each, the first, the last, the highest and the lowest
            point are kept.

        Returns
        -------
        x, y : ndarray of float
            At most four points for each column.

        Raises
        ------
        ValueError
            If ``columns`` is no such number.
        """
        columns = check_integer(columns, "columns", minimum=1)
        if self.x.size <= 4 * columns:
            return self.x, self.y
        if columns not in self._thinned:
            outline = self._outline(columns)
            self._thinned[columns] = read_only(self.x[outline]), read_only(self.y[outline])
        return self._thinned[columns]

    @cached_property
    def _thinned(self) -> dict[int, tuple[Floats, Floats]]:
        return {}

    def _outline(self, columns: int) -> NDArray[np.intp]:
        """Find the first, last, lowest and highest point of each column."""
        finite = self.x[np.isfinite(self.x)]
        # a space may reach beyond 0 and 1, and curves to infinity
        low = min(float(finite.min(initial=0.0)), 0.0)
        high = max(float(finite.max(initial=1.0)), 1.0)
        share = np.clip((self.x - low) / (high - low), 0.0, 1.0)
        column = np.minimum(share * columns, columns - 1).astype(np.intp)
        starts = np.flatnonzero(np.diff(column, prepend=-1)).tolist()
        outline = []
        for first, after in pairwise([*starts, column.size]):
            y = self.y[first:after]
            outline += [first, first + int(y.argmin()), first + int(y.argmax()), after - 1]
        return np.unique(outline)


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
    0.99, since it has no bound at 1.

    References
    ----------
    Davis and Goadrich (2006); Flach and Kull (2015); Drummond and Holte (2006);
    Hernández-Orallo, Flach and Ferri (2011); Vickers and Elkin (2006).

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
    check_choice(space, "space", SPACES)
    hull = check_flag(hull, "hull")
    used = ranked(y_true, y_score, sample_weight, pos_label)
    if prevalence is not None:
        used = at_prevalence(used, prevalence=prevalence)
    if space in POINT_SPACES:
        return _image(used.hull() if hull else used, space)
    if space == "cost":
        return _cost(used)
    if hull:
        used = used.hull()
        used = used.with_scores(used.empirical_probability)
    check_probabilities(used.score, "segments.score" if y_score is None else "y_score")
    return _brier(used) if space == "brier" else _decision(used)


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


def _image(segments: RankedSegments, space: str) -> SpaceCurve:
    """Map the ROC curve vertex by vertex, with extra points on bent edges."""
    if space in _SPACES_OF_BENT_EDGES:
        return SpaceCurve(space, *_bent_curve(segments, space), _bent_area(segments, space))
    if space == "pr_gain":
        return _gain_curve(segments)
    pi, rest = _class_shares(segments)
    x, y = _points(space, segments.fpr, segments.tpr, pi, rest)
    area = segments.auc if space == "roc" else pi / 2 + rest * segments.auc
    return SpaceCurve(space, x, y, np.arange(x.size, dtype=np.float64), x, y, area)


def _class_shares(segments: RankedSegments) -> tuple[float, float]:
    """Compute the shares of positives and of negatives."""
    return segments.prevalence, segments.n_neg / segments.n_samples


def _in_blocks(segments: RankedSegments) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield the indices of segments and both cumulative counts in blocks.

    Counts have shape (n_segments_of_the_block + 1,): from above the first to below the last.
    """
    pos = neg = np.zeros(1)
    for block in blocks(len(segments)):
        pos = running_totals(segments.pos[block], pos[-1])
        neg = running_totals(segments.neg[block], neg[-1])
        yield block, pos, neg


def _bent_curve(
    segments: RankedSegments, space: str
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Compute points and threshold index of the curve, then the points of the thresholds alone."""
    vertex_x, vertex_y, n_points = _bent_vertices(segments, space)
    pi, rest = _class_shares(segments)
    size = 1 + int(n_points.sum(dtype=np.intp))
    x = np.empty(size)
    y = np.empty(size)
    index = np.empty(size)
    x[0] = vertex_x[0]
    y[0] = vertex_y[0]
    index[0] = 0.0
    last = 0
    for block, pos, neg in _in_blocks(segments):
        edge_points = n_points[block].astype(np.intp)
        end = last + np.cumsum(edge_points)
        last = int(end[-1])
        ends = slice(block.start + 1, block.stop + 1)
        x[end] = vertex_x[ends]
        y[end] = vertex_y[ends]
        index[end] = np.arange(ends.start, ends.stop)
        edge, step = repeat_steps(edge_points - 1)  # points within an edge
        share = (step + 1) / edge_points[edge]
        fpr = neg / segments.n_neg
        tpr = pos / segments.n_pos
        inner = end[edge] - edge_points[edge] + step + 1
        x[inner], y[inner] = _points(
            space,
            fpr[edge] + share * np.diff(fpr)[edge],
            tpr[edge] + share * np.diff(tpr)[edge],
            pi,
            rest,
        )
        index[inner] = block.start + edge + share
    for array in (x, y, index, vertex_x, vertex_y):
        read_only(array)
    return x, y, index, vertex_x, vertex_y


def _bent_vertices(
    segments: RankedSegments, space: str
) -> tuple[Floats, Floats, NDArray[np.uint8]]:
    """Compute the points of the thresholds, and how many points each edge between them needs."""
    size = len(segments)
    pi, rest = _class_shares(segments)
    x = np.empty(size + 1)
    y = np.empty(size + 1)
    n_points = np.empty(size, dtype=np.uint8)
    for block, pos, neg in _in_blocks(segments):
        vertices = slice(block.start, block.stop + 1)
        x[vertices], y[vertices] = _points(
            space, neg / segments.n_neg, pos / segments.n_pos, pi, rest
        )
        if block.start == 0:
            # without predicted positives: the limit, which is the first segment's precision
            x[0] = 0.0
            y[0] = segments.pos[0] / (segments.pos[0] + segments.neg[0])
            if space == "lift":
                y[0] /= pi
        length = np.hypot(np.diff(x[vertices]), np.diff(y[vertices]))
        n_points[block] = np.maximum(np.ceil(_POINTS_PER_BENT_EDGE * np.minimum(length, 1.0)), 1)
    n_points[0] = 1  # along an edge from the origin precision is constant
    return x, y, n_points


def _bent_area(segments: RankedSegments, space: str) -> float:
    """Compute the area under the curve in closed form.

    On an edge TP = a + p t and TP + FP = s + m t; ∫ (a + p t) / (s + m t) dt over [0, 1] is a mean
    of a/s and p/m with the weights c = log(1 + m/s) s/m and 1 - c. From the origin precision does
    not change.
    """
    area = 0.0
    for block, pos, neg in _in_blocks(segments):
        a = pos[:-1]
        s = pos[:-1] + neg[:-1]
        p = segments.pos[block]
        m = segments.n[block]
        with np.errstate(divide="ignore", invalid="ignore"):
            growth = m / s
            start = a / s * np.log1p(growth) / growth
            mean = np.where(s > 0, start + p / m * _bend_of_log(growth), p / m)
        width = p if space == "precision_recall" else m
        area += float(np.sum(width * mean))
    if space == "precision_recall":
        return area / segments.n_pos
    return area / segments.n_samples / segments.prevalence


def _bend_of_log(r: Floats) -> Floats:
    """Compute ``1 - log(1 + r) / r`` of positive numbers, small ones by their series."""
    return np.asarray(np.where(r < _SMALL_GROWTH, r / 2 - r**2 / 3, 1 - np.log1p(r) / r))


def _gain_curve(segments: RankedSegments) -> SpaceCurve:
    """Compute the curve of gains of precision over those of recall, from where the latter are 0."""
    tpr = segments.tpr
    fpr = segments.fpr
    fnr = segments.fnr
    pi, rest = _class_shares(segments)
    with np.errstate(divide="ignore", invalid="ignore"):
        # near 1 use the complements of the rates
        youden = np.where(tpr + fpr > 1, segments.tnr - fnr, tpr - fpr)
        lacking = segments.prior_odds * (fnr / tpr)
        threshold_x = 1 - lacking
        threshold_y = youden / tpr
    has_gain = tpr > pi if pi < 0.5 else fnr < rest
    # the last threshold whose recall is at most the prevalence, and the next
    before = int(np.count_nonzero(~has_gain)) - 1
    after = before + 1
    # counted from the end whose rate is known to more digits
    if pi > 0.5:
        share = (rest - fnr[after]) / (fnr[before] - fnr[after])
        first = youden[after] + share * (youden[before] - youden[after])
        first_index = after - share
    else:
        share = (pi - tpr[before]) / (tpr[after] - tpr[before])
        first = youden[before] + share * (youden[after] - youden[before])
        first_index = before + share
    x = np.concatenate(([0.0], threshold_x[has_gain]))
    y = np.concatenate(([first / pi], threshold_y[has_gain]))
    index = np.concatenate(([first_index], np.flatnonzero(has_gain)))
    area = _area_under(x, np.concatenate(([1.0], lacking[has_gain])), y)
    return SpaceCurve("pr_gain", x, y, index, threshold_x, threshold_y, area)


def _area_under(x: Floats, rest: Floats, y: Floats) -> float:
    """Compute the area under a polygon whose ``x`` runs from 0 to 1; ``rest`` is ``1 - x``."""
    width = np.where(x[:-1] < 0.5, np.diff(x), -np.diff(rest))
    return float(width @ (y[:-1] + y[1:])) / 2


def _cost(segments: RankedSegments) -> SpaceCurve:
    """Lower envelope of all thresholds' lines: neighbours on the hull cross where it turns."""
    vertices = segments.hull_vertices
    # slopes, since differences of rates may underflow; and complements of the rates
    slope = segments.hull().slope
    with np.errstate(divide="ignore"):
        x = np.concatenate(([0.0], 1 / (1 + slope), [1.0]))
        rest = np.concatenate(([1.0], 1 / (1 + 1 / slope), [0.0]))
    index = np.append(vertices, vertices[-1])  # of the best threshold from each point on
    y = segments.fnr[index] * x + segments.fpr[index] * rest
    # Above a best threshold its stretch is nearest, above others the turn between its neighbours.
    thresholds = np.arange(len(segments) + 1)
    turn = np.searchsorted(vertices, thresholds)
    is_best = vertices[turn] == thresholds
    threshold_x = np.where(is_best, (x[turn] + x[turn + 1]) / 2, x[turn])
    left, right = cost_lines(segments)
    threshold_y = right * threshold_x + left * (1 - threshold_x)
    area = _area_under(x, rest, y)
    return SpaceCurve("cost", x, y, index.astype(np.float64), threshold_x, threshold_y, area)


def _loss(segments: RankedSegments, c: Floats, index: NDArray[np.intp]) -> Floats:
    """Compute ``L(c)`` when the samples above a threshold are predicted positive."""
    pi, rest = _class_shares(segments)
    fpr = segments.fpr[index]
    fnr = segments.fnr[index]
    return np.asarray(2 * (c * rest * fpr + (1 - c) * pi * fnr))


def _stretches(segments: RankedSegments) -> tuple[Floats, NDArray[np.intp]]:
    """List the rising cost proportions at both ends of each threshold's stretch, and its index."""
    edges = np.concatenate(([0.0], segments.score[::-1], [1.0]))
    index = np.arange(len(segments), -1, -1)
    return np.repeat(edges, 2)[1:-1], np.repeat(index, 2)


def _brier(segments: RankedSegments) -> SpaceCurve:
    """Loss over the cost proportion, with the score there as the threshold."""
    x, index = _stretches(segments)
    y = _loss(segments, x, index)
    c = np.minimum(segments.thresholds, 1.0)
    loss = _loss(segments, c, np.arange(c.size))
    return SpaceCurve("brier", x, y, index.astype(np.float64), c, loss, float(trapezoid(y, x)))


def _decision(segments: RankedSegments) -> SpaceCurve:
    """Net benefit, up to a threshold probability of 0.99."""
    ends, index = _stretches(segments)
    low = ends[::2]
    high = np.minimum(ends[1::2], _MAX_THRESHOLD_PROBABILITY)
    is_shown = low < high
    low = low[is_shown]
    high = high[is_shown]
    index = index[::2][is_shown]
    # the curve bends most near 1: even steps of log(1 - t) keep chords close
    growth = (high - low) / (1 - high)
    bend = np.log1p(growth)
    n_steps = 1 + np.ceil(_POINTS_PER_BENT_EDGE * bend).astype(np.intp)
    edge, step = repeat_steps(n_steps + 1)
    x = 1 - (1 - low[edge]) * np.exp(-bend[edge] * step / n_steps[edge])
    x = np.clip(x, 0.0, high[edge])
    pi, rest = _class_shares(segments)
    true_positives = pi * segments.tpr
    false_positives = rest * segments.fpr
    point_index = index[edge]
    y = true_positives[point_index] - false_positives[point_index] * x / (1 - x)
    # ∫ t / (1 - t) dt = -t - log(1 - t), without cancellation for small t
    odds = growth * (high - _bend_of_log(growth))
    area = float(np.sum(true_positives[index] * (high - low) - false_positives[index] * odds))
    t = np.where(segments.thresholds < 1, segments.thresholds, np.nan)
    threshold_y = true_positives - false_positives * t / (1 - t)
    return SpaceCurve("decision", x, y, point_index.astype(np.float64), t, threshold_y, area)


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
        ``nan`` where a ratio is 0 / 0, ``-inf`` for the gains without true positives.

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
    fpr, tpr, pi = _check_rates(space, POINT_SPACES, fpr, tpr, prevalence)
    return _points(space, fpr, tpr, pi, 1 - pi)


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


def _points(space: str, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
    """Map checked rates; ``rest`` is the share of negatives, ``1 - pi``."""
    if space == "roc":
        return fpr, tpr
    predicted = pi * tpr + rest * fpr
    if space == "gain":
        return predicted, tpr
    with np.errstate(divide="ignore", invalid="ignore"):
        if space == "precision_recall":
            return tpr, pi * tpr / predicted
        if space == "lift":
            return predicted, tpr / predicted
        return 1 - pi / rest * (1 - tpr) / tpr, 1 - fpr / tpr


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
    fprs, tprs, pi = _check_rates(space, SPACES, [fpr], [tpr], prevalence)
    if space in POINT_SPACES:
        return _points(space, fprs, tprs, pi, 1 - pi)
    if space == "decision":
        # denser near 1, where lines bend most
        x = 1 - _MIN_COMPLEMENT ** np.linspace(0.0, 1.0, _POINTS_PER_LINE)
        return x, pi * tprs - (1 - pi) * fprs * x / (1 - x)
    x = np.array([0.0, 1.0])
    if space == "cost":
        return x, np.append(fprs, 1 - tprs)
    return x, 2 * np.append(pi * (1 - tprs), (1 - pi) * fprs)


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
    fprs, tprs, pi = _check_rates(space, SPACES, fpr, tpr, prevalence)
    if (np.diff(fprs) < 0).any():
        raise ValueError("fpr must not decrease.")
    if space == "roc":
        return fprs, tprs
    if space in POINT_SPACES:
        if fprs.size == 2:
            # denser where precision changes fastest
            share = np.linspace(0.0, 1.0, _POINTS_PER_LINE) ** 2
            fprs = fprs[0] + share * (fprs[1] - fprs[0])
            tprs = tprs[0] + share * (tprs[1] - tprs[0])
        x, y = _points(space, fprs, tprs, pi, 1 - pi)
        is_finite = np.isfinite(x) & np.isfinite(y)
        return x[is_finite], y[is_finite]
    width = np.diff(fprs)
    height = np.diff(tprs)
    is_rising = (width + height > 0) & (height >= 0)
    width = width[is_rising]
    height = height[is_rising]
    # on the piece tpr = a + (height / width) fpr all points cost the same where a step in fpr costs
    # as much as that in tpr
    x = width / (width + height)
    rest = height / (width + height)
    y = (1 - tprs[:-1][is_rising]) * x + fprs[:-1][is_rising] * rest
    if space == "cost":
        return x, y
    odds = (1 - pi) / pi * x
    c = rest / (rest + odds)
    of_miss = odds / (rest + odds)
    loss = 2 * y * (pi * of_miss + (1 - pi) * c)
    if space == "brier":
        return c, loss
    is_shown = c <= _MAX_THRESHOLD_PROBABILITY
    return c[is_shown], pi - loss[is_shown] / (2 * of_miss[is_shown])
