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
    LARGEST_WEIGHT,
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

# Spaces whose edges are bent.
_BENT = ("precision_recall", "lift")

# Points of the longest bent edge; shorter edges get fewer.
_BEND = 64

# Points of a line that is straight in ROC space and bent elsewhere.
_LINE = 101

# Below this, a difference would lose digits, and two terms of the power series suffice to 1e-10.
_SERIES = 1e-5


@dataclass(frozen=True, eq=False)
class SpaceCurve(Frozen):
    """The curve of a ranking in one space.

    Parameters
    ----------
    space : str
        One of :data:`SPACES`.
    x, y : ndarray of float, shape (n_points,)
        The curve as a polygon. Bent edges have points enough to look bent.
    cut : ndarray of float, shape (n_points,)
        Cut of each point: the number of segments predicted positive, with a fraction where
        a part of the last one is. In cost space the best cut from the point before on.
    at_x, at_y : ndarray of float, shape (n_segments + 1,)
        Point of the cut below each segment, in the order of the ROC vertices; ``nan`` where
        it has no value. In cost space a cut is a line (see :func:`cost_lines`), and this is where
        it comes nearest to the curve: of a best cut the middle of its stretch.
    area : float
        Exact area under the curve, not that of the polygon. Its meaning is
        listed in :func:`space_curve`.
    """

    space: str
    x: Floats
    y: Floats
    cut: Floats
    at_x: Floats
    at_y: Floats
    area: float

    def nearest_cut(self, x: float, y: float, *, unit_y: float = 1.0) -> float:
        """Find the cut whose point is nearest to a point of the space.

        Parameters
        ----------
        x, y : float
            Any point; it need not lie on the curve.
        unit_y : float, default=1.0
            Distance in y that counts as much as 1 in x.

        Returns
        -------
        float
            As in ``cut``: 2.5 is half of the third segment. In cost space a whole number.

        Raises
        ------
        ValueError
            If a coordinate is no finite number.

        Examples
        --------
        >>> segments = RankedSegments(score=[2, 1], pos=[1, 1], neg=[0, 2])
        >>> space_curve(segments).nearest_cut(0.1, 0.5)
        1.08
        """
        px, py = check_number(x, "x"), check_number(y, "y")
        unit = check_number(unit_y, "unit_y", above=0.0)
        if max(abs(px), abs(py) / unit) > LARGEST_WEIGHT:
            raise ValueError(
                f"x and y must be within {LARGEST_WEIGHT:g} units; got {px:g} and {py:g}."
            )
        if self.space == "cost":  # where a cut is a line, represented by one point
            points, step = np.array((self.at_x, self.at_y)), np.zeros((2, self.at_x.size))
        else:
            points, step = np.array((self.x[:-1], self.y[:-1])), np.diff((self.x, self.y))
        start, step = (points - [[px], [py]]) / [[1.0], [unit]], step / [[1.0], [unit]]
        length = (step**2).sum(axis=0)
        along = np.zeros_like(length)
        np.divide(-(start * step).sum(axis=0), length, out=along, where=length > 0)
        along = np.clip(along, 0.0, 1.0)
        squared = ((start + along * step) ** 2).sum(axis=0)
        i = int(squared.argmin())
        if self.space == "cost":
            return float(i)
        return float(self.cut[i] + along[i] * (self.cut[i + 1] - self.cut[i]))

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
        many = check_integer(columns, "columns", minimum=1)
        if self.x.size <= 4 * many:
            return self.x, self.y
        if many not in self._thinned:
            kept = self._outline(many)
            self._thinned[many] = read_only(self.x[kept]), read_only(self.y[kept])
        return self._thinned[many]

    @cached_property
    def _thinned(self) -> dict[int, tuple[Floats, Floats]]:
        return {}

    def _outline(self, many: int) -> NDArray[np.intp]:
        """Find the first, last, lowest and highest point of each column."""
        ends = self.x[np.isfinite(self.x)]
        # a space may reach beyond 0 and 1, and curves to infinity
        low = min(float(ends.min(initial=0.0)), 0.0)
        high = max(float(ends.max(initial=1.0)), 1.0)
        share = np.clip((self.x - low) / (high - low), 0.0, 1.0)
        column = np.minimum(share * many, many - 1).astype(np.intp)
        start = np.flatnonzero(np.diff(column, prepend=-1)).tolist()
        kept = []
        for first, after in pairwise([*start, column.size]):
            y = self.y[first:after]
            kept += [first, first + int(y.argmin()), first + int(y.argmax()), after - 1]
        return np.unique(kept)


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
    cost                probability cost        expected cost, best cut      expected cost
    brier               cost proportion         expected loss, cut there     the Brier score
    decision            threshold probability   net benefit, cut there       mean net benefit
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
        probabilities, that is with the best cut at each cost proportion. In cost space the curve is
        that of the hull always.
    sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    Between two cuts, precision over recall runs along a hyperbola; its area has a closed form with
    a logarithm. Gains are straight there. The curve of gains is cut at a recall gain of 0,
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
    """Compute the two ends of each cut's line in cost space.

    The expected cost of a cut is straight in the probability cost
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
    if space in _BENT:
        return SpaceCurve(space, *_bent_curve(segments, space), _bent_area(segments, space))
    if space == "pr_gain":
        return _gain_curve(segments)
    pi, rest = segments.prevalence, segments.n_neg / segments.n_samples
    at_x, at_y = _points(space, segments.fpr, segments.tpr, pi, rest)
    area = segments.auc if space == "roc" else pi / 2 + rest * segments.auc
    cut = np.arange(at_x.size, dtype=np.float64)
    return SpaceCurve(space, at_x, at_y, cut, at_x, at_y, area)


def _in_blocks(segments: RankedSegments) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield the indices of segments and both cumulative counts in blocks.

    Counts have shape (n_segments_of_the_block + 1,): from above the first to below the last.
    """
    pos, neg = np.zeros(1), np.zeros(1)
    for part in blocks(len(segments)):
        pos = running_totals(segments.pos[part], pos[-1])
        neg = running_totals(segments.neg[part], neg[-1])
        yield part, pos, neg


def _bent_curve(
    segments: RankedSegments, space: str
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Compute the curve's points and their cuts, then the points of the cuts alone."""
    size = len(segments)
    pi, rest = segments.prevalence, segments.n_neg / segments.n_samples
    at_x, at_y = np.empty(size + 1), np.empty(size + 1)
    count = np.empty(size, dtype=np.uint8)  # points of each edge
    for part, pos, neg in _in_blocks(segments):
        vertices = slice(part.start, part.stop + 1)
        at_x[vertices], at_y[vertices] = _points(
            space, neg / segments.n_neg, pos / segments.n_pos, pi, rest
        )
        if part.start == 0:
            # without predicted positives: the limit, which is the first segment's precision
            at_x[0], at_y[0] = 0.0, segments.pos[0] / (segments.pos[0] + segments.neg[0])
            if space == "lift":
                at_y[0] /= pi
        length = np.hypot(np.diff(at_x[vertices]), np.diff(at_y[vertices]))
        count[part] = np.maximum(np.ceil(_BEND * np.minimum(length, 1.0)), 1)
    count[0] = 1  # along an edge from the origin precision is constant
    x, y, cut = (np.empty(1 + int(count.sum(dtype=np.intp))) for _ in range(3))
    x[0], y[0], cut[0], last = at_x[0], at_y[0], 0.0, 0
    for part, pos, neg in _in_blocks(segments):
        many = count[part].astype(np.intp)
        end = last + np.cumsum(many)
        last = int(end[-1])
        x[end], y[end] = at_x[part.start + 1 : part.stop + 1], at_y[part.start + 1 : part.stop + 1]
        cut[end] = np.arange(part.start + 1, part.stop + 1)
        edge, step = repeat_steps(many - 1)  # points within an edge
        share = (step + 1) / many[edge]
        fpr, tpr = neg / segments.n_neg, pos / segments.n_pos
        inner = end[edge] - many[edge] + step + 1
        x[inner], y[inner] = _points(
            space,
            fpr[edge] + share * np.diff(fpr)[edge],
            tpr[edge] + share * np.diff(tpr)[edge],
            pi,
            rest,
        )
        cut[inner] = part.start + edge + share
    for array in (x, y, cut, at_x, at_y):
        read_only(array)
    return x, y, cut, at_x, at_y


def _bent_area(segments: RankedSegments, space: str) -> float:
    """Compute the area under the curve in closed form.

    On an edge TP = a + p t and TP + FP = s + m t; ∫ (a + p t) / (s + m t) dt over [0, 1] is a mean
    of a/s and p/m with the weights c = log(1 + m/s) s/m and 1 - c. From the origin precision does
    not change.
    """
    area = 0.0
    for part, pos, neg in _in_blocks(segments):
        a, before = pos[:-1], pos[:-1] + neg[:-1]
        p, m = segments.pos[part], segments.n[part]
        with np.errstate(divide="ignore", invalid="ignore"):
            growth = m / before
            start = a / before * np.log1p(growth) / growth
            mean = np.where(before > 0, start + p / m * _bend_of_log(growth), p / m)
        area += float(np.sum((p if space == "precision_recall" else m) * mean))
    if space == "precision_recall":
        return area / segments.n_pos
    return area / segments.n_samples / segments.prevalence


def _bend_of_log(r: Floats) -> Floats:
    """Compute ``1 - log(1 + r) / r`` of positive numbers, small ones by their series."""
    return np.asarray(np.where(r < _SERIES, r / 2 - r**2 / 3, 1 - np.log1p(r) / r))


def _gain_curve(segments: RankedSegments) -> SpaceCurve:
    """Compute the curve of gains of precision over those of recall, from where the latter are 0."""
    tpr, fpr, tnr, fnr = segments.tpr, segments.fpr, segments.tnr, segments.fnr
    pi, rest = segments.prevalence, segments.n_neg / segments.n_samples
    with np.errstate(divide="ignore", invalid="ignore"):
        # near 1 use the complements of the rates
        better = np.where(tpr + fpr > 1, tnr - fnr, tpr - fpr)
        lacking = segments.prior_odds * (fnr / tpr)
        at_x, at_y = 1 - lacking, better / tpr
    later = tpr > pi if pi < 0.5 else fnr < rest
    # the last cut whose recall is at most the prevalence, and the next
    k = int(np.count_nonzero(~later)) - 1
    one, other, part = k, k + 1, (pi - tpr[k]) / (tpr[k + 1] - tpr[k])
    if pi > 0.5:
        one, other, part = other, one, (rest - fnr[k + 1]) / (fnr[k] - fnr[k + 1])
    first = (better[one] + part * (better[other] - better[one])) / pi
    x, y = np.concatenate(([0.0], at_x[later])), np.concatenate(([first], at_y[later]))
    cut = np.concatenate(([one + part * (other - one)], np.flatnonzero(later)))
    area = _area_under(x, np.concatenate(([1.0], lacking[later])), y)
    return SpaceCurve("pr_gain", x, y, cut, at_x, at_y, area)


def _area_under(x: Floats, rest: Floats, y: Floats) -> float:
    """Compute the area under a polygon whose ``x`` runs from 0 to 1; ``rest`` is ``1 - x``."""
    width = np.where(x[:-1] < 0.5, np.diff(x), -np.diff(rest))
    return float(width @ (y[:-1] + y[1:])) / 2


def _cost(segments: RankedSegments) -> SpaceCurve:
    """Lower envelope of the lines of all cuts: neighbours on the hull cross where it turns."""
    at = segments.hull_vertices
    fpr, miss = segments.fpr[at], segments.fnr[at]
    # slopes, since differences of rates may underflow; and complements of the rates
    slope = segments.hull().slope
    with np.errstate(divide="ignore"):
        x = np.concatenate(([0.0], 1 / (1 + slope), [1.0]))
        rest = np.concatenate(([1.0], 1 / (1 + 1 / slope), [0.0]))
    line = np.concatenate((np.arange(at.size), [at.size - 1]))
    y = miss[line] * x + fpr[line] * rest
    # Above a best cut its stretch is nearest, above others the turn between its neighbours.
    k = np.arange(len(segments) + 1)
    after = np.searchsorted(at, k)
    at_x = np.where(at[after] == k, (x[after] + x[after + 1]) / 2, x[after])
    left, right = cost_lines(segments)
    at_y = right * at_x + left * (1 - at_x)
    cut = at[line].astype(np.float64)
    return SpaceCurve("cost", x, y, cut, at_x, at_y, _area_under(x, rest, y))


def _loss(segments: RankedSegments, c: Floats, cut: np.ndarray) -> Floats:
    """Compute ``L(c)`` when the samples above a cut are predicted positive."""
    n, fpr, miss = segments.n_samples, segments.fpr[cut], segments.fnr[cut]
    of_neg, of_pos = segments.n_neg / n, segments.n_pos / n
    return np.asarray(2 * (c * of_neg * fpr + (1 - c) * of_pos * miss))


def _stretches(segments: RankedSegments) -> tuple[Floats, np.ndarray]:
    """List the rising cost proportions at both ends of each cut's stretch, and the cuts."""
    edges = np.concatenate(([0.0], segments.score[::-1], [1.0]))
    cut = np.arange(len(segments), -1, -1)
    return np.repeat(edges, 2)[1:-1], np.repeat(cut, 2)


def _brier(segments: RankedSegments) -> SpaceCurve:
    x, cut = _stretches(segments)
    y = _loss(segments, x, cut)
    c = np.minimum(segments.thresholds, 1.0)
    loss = _loss(segments, c, np.arange(c.size))
    return SpaceCurve("brier", x, y, cut.astype(np.float64), c, loss, float(trapezoid(y, x)))


def _decision(segments: RankedSegments) -> SpaceCurve:
    """Net benefit, up to a threshold probability of 0.99."""
    ends, cut = (part.reshape(-1, 2) for part in _stretches(segments))
    low, high = ends[:, 0], np.minimum(ends[:, 1], 0.99)
    some = low < high
    low, high, cut = low[some], high[some], cut[some, 0]
    # the curve bends most near 1: even steps of log(1 - t) keep chords close
    grown = (high - low) / (1 - high)
    bend = np.log1p(grown)
    count = 1 + np.ceil(_BEND * bend).astype(np.intp)
    edge, step = repeat_steps(count + 1)
    x = np.clip(1 - (1 - low[edge]) * np.exp(-bend[edge] * step / count[edge]), 0.0, high[edge])
    pi, rest = segments.prevalence, segments.n_neg / segments.n_samples
    hit, alarm = pi * segments.tpr, rest * segments.fpr
    y = hit[cut[edge]] - alarm[cut[edge]] * x / (1 - x)
    # ∫ t / (1 - t) dt = -t - log(1 - t), without cancellation for small t
    odds = grown * (high - _bend_of_log(grown))
    area = float(np.sum(hit[cut] * (high - low) - alarm[cut] * odds))
    c = segments.thresholds
    at_x, at_y = np.full((2, c.size), np.nan)
    some = c < 1
    at_x[some], at_y[some] = c[some], hit[some] - alarm[some] * c[some] / (1 - c[some])
    return SpaceCurve("decision", x, y, cut[edge].astype(np.float64), at_x, at_y, area)


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
    f, t, pi = _check_rates(space, POINT_SPACES, fpr, tpr, prevalence)
    return _points(space, f, t, pi, 1 - pi)


def _check_rates(
    space: str, spaces: tuple[str, ...], fpr: ArrayLike, tpr: ArrayLike, prevalence: float
) -> tuple[Floats, Floats, float]:
    """Check the arguments of the maps from ROC space."""
    check_choice(space, "space", spaces)
    pi = check_prevalence(prevalence)
    f, t = check_probabilities(fpr, "fpr"), check_probabilities(tpr, "tpr")
    if f.size != t.size:
        raise ValueError(f"fpr and tpr must have the same length; got {f.size} and {t.size}.")
    return f, t, pi


def _points(space: str, f: Floats, t: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
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
    f, t, pi = _check_rates(space, SPACES, [fpr], [tpr], prevalence)
    if space in POINT_SPACES:
        return _points(space, f, t, pi, 1 - pi)
    if space == "decision":
        x = 1 - 0.01 ** np.linspace(0.0, 1.0, _LINE)  # denser near 1, where lines bend most
        return x, pi * t - (1 - pi) * f * x / (1 - x)
    x = np.array([0.0, 1.0])
    if space == "cost":
        return x, np.append(f, 1 - t)
    return x, 2 * np.append(pi * (1 - t), (1 - pi) * f)


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
    f, t, pi = _check_rates(space, SPACES, fpr, tpr, prevalence)
    if (np.diff(f) < 0).any():
        raise ValueError("fpr must not decrease.")
    if space == "roc":
        return f, t
    if space in POINT_SPACES:
        if f.size == 2:
            # denser where precision changes fastest
            part = np.linspace(0.0, 1.0, _LINE) ** 2
            f, t = f[0] + part * (f[1] - f[0]), t[0] + part * (t[1] - t[0])
        x, y = _points(space, f, t, pi, 1 - pi)
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
