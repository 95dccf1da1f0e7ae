"""The spaces in which the curve of a ranking is drawn, each a class with all that is its own.

A space knows its words, the ends and ticks of its axes, its curve, and the maps from ROC space to
it; the core, displays and explorers read them here. To add a space, write a class and list an
instance of it in :data:`SPACES`. Edges that bend are not replaced by chords.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import floor, log10
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid
from scipy.special import ndtr, ndtri

from rocviz.core.base.blocks import blocks, repeat_steps, running_totals
from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.validation import (
    MAX_WEIGHT,
    Floats,
    check_integer,
    check_number,
    check_numbers,
    describe,
)
from rocviz.core.roc.segments import RankedSegments

Limits = tuple[float, float]

# corners of a picture, as shares of width and height
LOWER_LEFT = (0.0, 0.0)
LOWER_MIDDLE = (0.5, 0.0)
LOWER_RIGHT = (1.0, 0.0)
UPPER_RIGHT = (1.0, 1.0)

_POINTS_PER_BENT_EDGE = 64  # of the longest; shorter edges get fewer
_POINTS_PER_LINE = 101  # of a line that is straight in ROC space and bent elsewhere
_MAX_THRESHOLD_PROBABILITY = 0.99  # of a decision curve, which has no bound at 1
_MIN_COMPLEMENT = 0.01  # one minus that
# Below this, a difference would lose digits, and two terms of the power series suffice to 1e-10.
_SMALL_GROWTH = 1e-5
# Of normal deviates: the length of a chord, and where the curve towards an infinite end stops.
_DEVIATE_STEP = 0.1
_MAX_DEVIATE = 5.0
_MAX_RATE_OF_LIMIT = 0.01  # an axis of normal deviates shows at least this rate
_DEVIATE_TICKS = (1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999, 0.99999)


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

    def nearest_threshold_index(
        self,
        x: float,
        y: float,
        *,
        unit_y: float = 1.0,
        limits: tuple[Limits, Limits] | None = None,
    ) -> float:
        """Find the threshold whose point is nearest to a point of the space.

        Parameters
        ----------
        x, y : float
            Any point; it need not lie on the curve.
        unit_y : float, default=1.0
            Distance in y that counts as much as 1 in x.
        limits : tuple of (float, float), optional
            Ends of the axes of a picture, on whose border points of "det" lie that are beyond.

        Returns
        -------
        float
            As in ``threshold_index``: 2.5 is half of the third segment. In cost space a whole
            number.

        Raises
        ------
        ValueError
            If a coordinate is no finite number, or limits are not two pairs of such numbers, the
            lower one first.

        Examples
        --------
        >>> from rocviz import space_curve
        >>> segments = RankedSegments(score=[2, 1], pos=[1, 1], neg=[0, 2])
        >>> space_curve(segments).nearest_threshold_index(0.1, 0.5)
        1.08
        """
        x = check_number(x, "x")
        y = check_number(y, "y")
        unit_y = check_number(unit_y, "unit_y", above=0.0)
        if max(abs(x), abs(y) / unit_y) > MAX_WEIGHT:
            raise ValueError(f"x and y must be within {MAX_WEIGHT:g} units; got {x:g} and {y:g}.")
        space = SPACES[self.space]
        if limits is not None:
            limits = _check_limits(limits)
        if space.is_lower_envelope:  # where a threshold is a line, represented by one point
            edge_x = self.threshold_x
            edge_y = self.threshold_y
            width = height = np.zeros(edge_x.size)
        else:
            if limits is None:
                limits = space.limits([self], 0.5)
            curve_x, curve_y = space.within(self.x, self.y, limits)
            edge_x = curve_x[:-1]
            edge_y = curve_y[:-1]
            width = np.diff(curve_x)
            height = np.diff(curve_y)
        start = np.array((edge_x - x, (edge_y - y) / unit_y))
        step = np.array((width, height / unit_y))
        length = (step**2).sum(axis=0)
        along = np.zeros_like(length)
        np.divide(-(start * step).sum(axis=0), length, out=along, where=length > 0)
        along = np.clip(along, 0.0, 1.0)
        edge = int(((start + along * step) ** 2).sum(axis=0).argmin())
        if space.is_lower_envelope:
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


class Space(ABC):
    """A space: its words, its axes, the curve of a ranking in it, and the maps from ROC space.

    A threshold is a point or, in spaces of costs, a line: see :class:`PointSpace`.

    Attributes
    ----------
    name : str
        As arguments and results call it.
    label : str
        Its name in controls.
    title, x_label, y_label : str
        Words of a picture. Labels, like ``no_skill`` and ``sentence``, are formats with fields for
        the names of the classes, such as ``positive``: see ``ClassNames`` of :mod:`rocviz.words`.
    area_name : str
        What the area under the curve is called; empty where it has no meaning.
    no_skill : str
        What the lines without skill are called; empty if they need no words.
    hull_name : str
        What the hull is called.
    sentence : str
        What the curve shows, as a format with the fields ``area``, ``hull_area``,
        ``miscalibration``, ``prevalence``, ``half_prevalence``, ``complement``, ``auc``, and of the
        selected threshold ``x``, ``y``, ``fpr`` and ``fnr``; empty in ROC space.
    legend_corner : tuple of float
        Where a legend covers least, as shares of width and height.
    has_points : bool
        Whether a threshold is a point, and the curve an image of the ROC curve.
    has_bent_baselines : bool
        Whether a line without skill is not straight.
    has_infinite_ends : bool
        Whether rates of 0 and 1 are infinitely far away; in pictures they lie on the border.
    has_band : bool
        Whether there is a band of the curve, that of net benefit.
    follows_prevalence : bool
        Whether the curve of a ranking depends on the prevalence where it is used.
    needs_probabilities : bool
        Whether scores have to be probabilities; then the prevalence is that of the data.
    lower_is_better : bool
        Whether a smaller area is better, as in spaces of costs.
    is_lower_envelope : bool
        Whether each threshold is a line of its own, and the curve always that of the hull.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    title: ClassVar[str]
    x_label: ClassVar[str]
    y_label: ClassVar[str]
    area_name: ClassVar[str] = ""
    no_skill: ClassVar[str] = ""
    hull_name: ClassVar[str] = "convex hull"
    sentence: ClassVar[str] = ""
    legend_corner: ClassVar[tuple[float, float]] = LOWER_RIGHT
    has_points: ClassVar[bool] = False
    has_bent_baselines: ClassVar[bool] = False
    has_infinite_ends: ClassVar[bool] = False
    has_band: ClassVar[bool] = False
    follows_prevalence: ClassVar[bool] = False
    needs_probabilities: ClassVar[bool] = False
    lower_is_better: ClassVar[bool] = False
    is_lower_envelope: ClassVar[bool] = False

    # ------------------------------------------------------------------ numbers

    @abstractmethod
    def curve(self, segments: RankedSegments) -> SpaceCurve:
        """Compute the curve of a ranking, at the prevalence that its weights give."""

    @abstractmethod
    def operating_point(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        """Map rates of shape (1,) to a point, or to the line of a threshold."""

    @abstractmethod
    def isometric(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        """Map a line of ROC space, which does not fall."""

    # ------------------------------------------------------------------ axes

    @abstractmethod
    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        """Compute the height of each line without skill above ``x``."""

    def x_limits(self, prevalence: float) -> Limits:
        """Choose the ends of the x axis."""
        return 0.0, 1.0

    def y_limits(self, highest: float, prevalence: float) -> Limits:
        """Choose the ends of the y axis for the greatest finite height that is shown."""
        return 0.0, 1.0

    def limits(
        self, curves: Iterable[SpaceCurve], prevalence: float, x_limits: Limits | None = None
    ) -> tuple[Limits, Limits]:
        """Choose the ends of both axes so that all curves and the lines without skill are shown.

        Parameters
        ----------
        curves : iterable of SpaceCurve
            At least one of them has a point in between the ends of the x axis.
        prevalence : float
        x_limits : tuple of float, optional
            The ends of the x axis, if they are given.
        """
        left, right = self.x_limits(prevalence) if x_limits is None else x_limits
        highest = -np.inf
        for curve in curves:
            is_shown = (curve.x >= left) & (curve.x <= right) & np.isfinite(curve.y)
            highest = float(curve.y[is_shown].max(initial=highest))
        return (left, right), self.y_limits(highest, prevalence)

    def x_of_limit(self, limit: float) -> float:
        """Map an end of the x axis, as users state it, to its place."""
        return limit

    def x_ticks(self, limits: Limits) -> Mapping[float, str] | None:
        """Choose the ticks of the x axis and their texts; None for round numbers."""
        return None

    def y_ticks(self, limits: Limits) -> Mapping[float, str] | None:
        """Choose the ticks of the y axis and their texts; None for round numbers."""
        return None

    def within(self, x: Floats, y: Floats, limits: tuple[Limits, Limits]) -> tuple[Floats, Floats]:
        """Move points beyond the limits to the border if the space has infinite ends.

        Parameters
        ----------
        x, y : ndarray of float
        limits : tuple of (float, float)
            The ends of both axes.
        """
        if not self.has_infinite_ends:
            return x, y
        return np.clip(x, *limits[0]), np.clip(y, *limits[1])

    def joined_limits(
        self, limits: tuple[Limits, Limits], others: tuple[Limits, Limits]
    ) -> tuple[Limits, Limits]:
        """Choose the ends of both axes for curves that join others."""
        (low, high), (_, other_high) = limits[1], others[1]
        return limits[0], (low, max(high, other_high))

    def without_skill(self, prevalence: float, x_limits: Limits) -> list[tuple[Floats, Floats]]:
        """Compute the lines without skill between two ends of the x axis."""
        x = np.linspace(*x_limits, 201 if self.has_bent_baselines else 2)
        return [(x, y) for y in self.baselines(x, prevalence)]


class PointSpace(Space):
    """A space in which a threshold is a point and the curve of a ranking an image of its ROC curve.

    The edges of the curve are straight, and its threshold indices whole, unless a space computes
    its curve itself.
    """

    has_points = True

    @abstractmethod
    def points(self, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
        """Map rates; ``rest`` is the share of negatives, ``1 - pi``."""

    def area(self, segments: RankedSegments) -> float:
        """Compute the area under the curve; nan if it has none."""
        return np.nan

    def curve(self, segments: RankedSegments) -> SpaceCurve:
        """Map the ROC curve vertex by vertex."""
        x, y = self.points(segments.fpr, segments.tpr, *_class_shares(segments))
        index = np.arange(x.size, dtype=np.float64)
        return SpaceCurve(self.name, x, y, index, x, y, self.area(segments))

    def operating_point(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        """Map rates to points."""
        return self.points(fpr, tpr, pi, 1 - pi)

    def isometric(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        """Map a line of ROC space, with more points if it has two; infinite ones are left out."""
        if fpr.size == 2:
            fpr, tpr = self.line(fpr, tpr)
        x, y = self.points(fpr, tpr, pi, 1 - pi)
        is_finite = np.isfinite(x) & np.isfinite(y)
        return x[is_finite], y[is_finite]

    def line(self, fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
        """Choose points of a straight line of ROC space by its two ends."""
        # denser where precision changes fastest
        share = np.linspace(0.0, 1.0, _POINTS_PER_LINE) ** 2
        return fpr[0] + share * (fpr[1] - fpr[0]), tpr[0] + share * (tpr[1] - tpr[0])


class BentSpace(PointSpace):
    """A space in which the edges of the curve are hyperbolas, as those of precision over recall."""

    is_over_recall: ClassVar[bool]  # or over the share predicted positive

    def curve(self, segments: RankedSegments) -> SpaceCurve:
        """Map the ROC curve, with extra points on its edges."""
        return SpaceCurve(self.name, *_bent_curve(segments, self), self.area(segments))

    def area(self, segments: RankedSegments) -> float:
        """Compute the area under the curve in closed form.

        On an edge TP = a + p t and TP + FP = s + m t; ∫ (a + p t) / (s + m t) dt over [0, 1] is a
        mean of a/s and p/m with the weights c = log(1 + m/s) s/m and 1 - c. From the origin
        precision does not change.
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
            width = p if self.is_over_recall else m
            area += float(np.sum(width * mean))
        if self.is_over_recall:
            return area / segments.n_pos
        return area / segments.n_samples / segments.prevalence


class CostSpace(Space):
    """A space of costs, in which a threshold is a line and an isometric a point.

    All points along a rising straight line of ROC space are lines through one point: costs at which
    none of them is better than another.
    """

    lower_is_better = True

    @abstractmethod
    def meeting(self, x: Floats, rest: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        """Map points of cost space to this one; ``rest`` is ``1 - x``."""

    def isometric(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        """Map each straight piece of a line of ROC space to a point, if it rises."""
        width = np.diff(fpr)
        height = np.diff(tpr)
        is_rising = (width + height > 0) & (height >= 0)
        width = width[is_rising]
        height = height[is_rising]
        # on the piece tpr = a + (height / width) fpr all points cost the same where a step in fpr
        # costs as much as that in tpr
        x = width / (width + height)
        rest = height / (width + height)
        y = (1 - tpr[:-1][is_rising]) * x + fpr[:-1][is_rising] * rest
        return self.meeting(x, rest, y, pi)


# ---------------------------------------------------------------------- spaces of points


class _ROCSpace(PointSpace):
    """ROC space itself."""

    name = "roc"
    label = "ROC"
    title = "ROC curve"
    x_label = "false positive rate"
    y_label = "true positive rate"
    area_name = "AUC"

    def points(self, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
        return fpr, tpr

    def area(self, segments: RankedSegments) -> float:
        return segments.auc

    def isometric(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        return fpr, tpr

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [x]


class _PrecisionRecallSpace(BentSpace):
    """Precision over recall (Davis and Goadrich, 2006)."""

    name = "precision_recall"
    label = "precision-recall"
    title = "Precision and recall"
    x_label = "recall"
    y_label = "precision"
    area_name = "mean precision"
    no_skill = "at random: the prevalence"
    sentence = (
        "The area {area} is the mean precision over all recalls, where {prevalence} are "
        "{are_positive}; between thresholds the curve is bent, so straight lines would make it too "
        "large."
    )
    legend_corner = LOWER_LEFT
    follows_prevalence = True
    is_over_recall = True

    def points(self, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return tpr, pi * tpr / (pi * tpr + rest * fpr)

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [np.full_like(x, prevalence)]


class _GainsOfPrecisionSpace(PointSpace):
    """Precision gain over recall gain (Flach and Kull, 2015); harmonic means become arithmetic."""

    name = "pr_gain"
    label = "PR gain"
    title = "Gains of precision and recall"
    x_label = "recall gain"
    y_label = "precision gain"
    area_name = "mean gain"
    no_skill = "F1 of {predicting_all}"
    sentence = (
        "The area {area} is the mean precision gain over all recall gains, where {prevalence} are "
        "{are_positive}; lines of equal F are straight, and the hull has every best threshold."
    )
    legend_corner = LOWER_LEFT
    follows_prevalence = True

    def points(self, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return 1 - pi / rest * (1 - tpr) / tpr, 1 - fpr / tpr

    def curve(self, segments: RankedSegments) -> SpaceCurve:
        """Compute the curve from where the gain of recall is 0."""
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
        return SpaceCurve(self.name, x, y, index, threshold_x, threshold_y, area)

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [1 - x]


class _GainSpace(PointSpace):
    """True positive rate over the share predicted positive."""

    name = "gain"
    label = "gain"
    title = "Cumulative gain"
    x_label = "share predicted {positive}"
    y_label = "true positive rate"
    area_name = "area"
    no_skill = "at random"
    sentence = (
        "The area {area} is half the prevalence plus its complement times the AUC: "
        "{half_prevalence} + {complement} times {auc}."
    )
    follows_prevalence = True

    def points(self, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
        return pi * tpr + rest * fpr, tpr

    def area(self, segments: RankedSegments) -> float:
        pi, rest = _class_shares(segments)
        return pi / 2 + rest * segments.auc

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [x]


class _LiftSpace(BentSpace):
    """True positive rate in units of the share predicted positive, over that share."""

    name = "lift"
    label = "lift"
    title = "Lift"
    x_label = "share predicted {positive}"
    y_label = "times more than at random"
    area_name = "mean lift"
    no_skill = "at random"
    sentence = (
        "The area {area} is the mean lift: how many times more {positives} are among those "
        "predicted {positive} than at random, where {prevalence} are."
    )
    legend_corner = UPPER_RIGHT
    follows_prevalence = True
    is_over_recall = False

    def points(self, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
        predicted = pi * tpr + rest * fpr
        with np.errstate(divide="ignore", invalid="ignore"):
            return predicted, tpr / predicted

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [np.ones_like(x)]

    def y_limits(self, highest: float, prevalence: float) -> Limits:
        return 0.0, 1.08 * max(highest, 1.0)


class _ErrorTradeOffSpace(PointSpace):
    """False negative over false positive rate, both as normal deviates (Martin et al., 1997).

    Where scores are normal in each class, the curve is straight. Rates of 0 and 1 are infinitely
    far away; in pictures they lie on the border.
    """

    name = "det"
    label = "DET curve"
    title = "Detection error trade-off"
    x_label = "false positive rate (%)"
    y_label = "false negative rate (%)"
    no_skill = "at random"
    hull_name = "hull in ROC space"
    sentence = (
        "On the axes of a DET curve, normal scores give a straight line. At this threshold {fpr} "
        "of {the_negatives} are false alarms and {fnr} of {the_positives} are missed; rates of 0 "
        "and 100 % lie on the border."
    )
    legend_corner = UPPER_RIGHT
    has_infinite_ends = True

    def points(self, fpr: Floats, tpr: Floats, pi: float, rest: float) -> tuple[Floats, Floats]:
        return _deviates(fpr, 1 - fpr), _deviates(1 - tpr, tpr)

    def curve(self, segments: RankedSegments) -> SpaceCurve:
        """Map the ROC curve, with extra points on its edges, which are bent."""
        fpr = segments.fpr
        tnr = segments.tnr
        fnr = segments.fnr
        tpr = segments.tpr
        threshold_x = _deviates(fpr, tnr)
        threshold_y = _deviates(fnr, tpr)
        edge, share = _steps_of_deviates(threshold_x, threshold_y, fpr, fnr)

        def along(rate: Floats) -> Floats:
            return rate[edge] + share * (rate[edge + 1] - rate[edge])

        index = np.concatenate((np.arange(fpr.size, dtype=np.float64), edge + share))
        x = np.concatenate((threshold_x, _deviates(along(fpr), along(tnr))))
        y = np.concatenate((threshold_y, _deviates(along(fnr), along(tpr))))
        order = np.argsort(index, kind="stable")
        area = self.area(segments)
        return SpaceCurve(
            self.name, x[order], y[order], index[order], threshold_x, threshold_y, area
        )

    def line(self, fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
        fnr = 1 - tpr
        x = _deviates(fpr, 1 - fpr)
        y = _deviates(fnr, tpr)
        share = np.sort(_steps_of_deviates(x, y, fpr, fnr)[1])
        return fpr[0] + share * (fpr[1] - fpr[0]), tpr[0] + share * (tpr[1] - tpr[0])

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [-x]

    def limits(
        self, curves: Iterable[SpaceCurve], prevalence: float, x_limits: Limits | None = None
    ) -> tuple[Limits, Limits]:
        """Choose the same ends for both axes; they show the smallest rates but 0."""
        if x_limits is not None:
            return x_limits, x_limits
        largest = 0.0
        for curve in curves:
            for deviate in (curve.threshold_x, curve.threshold_y):
                is_finite = np.isfinite(deviate)
                largest = float(np.abs(deviate[is_finite]).max(initial=largest))
        # a power of ten, so that limits seldom change
        decade = 10.0 ** floor(log10(ndtr(-largest)) + 1e-9)
        end = -float(ndtri(min(decade, _MAX_RATE_OF_LIMIT)))
        return (-end, end), (-end, end)

    def x_of_limit(self, limit: float) -> float:
        return float(ndtri(limit))

    def x_ticks(self, limits: Limits) -> Mapping[float, str]:
        low, high = limits
        tolerance = 1e-9 * (high - low)
        ticks = {}
        for rate in _DEVIATE_TICKS:
            place = float(ndtri(rate))
            if low - tolerance <= place <= high + tolerance:
                ticks[place] = f"{100 * rate:g}".removeprefix("0")
        return ticks

    def y_ticks(self, limits: Limits) -> Mapping[float, str]:
        return self.x_ticks(limits)

    def joined_limits(
        self, limits: tuple[Limits, Limits], others: tuple[Limits, Limits]
    ) -> tuple[Limits, Limits]:
        low = min(limits[0][0], others[0][0])
        high = max(limits[0][1], others[0][1])
        return (low, high), (low, high)


# ---------------------------------------------------------------------- spaces of costs


class _CostCurveSpace(CostSpace):
    """Expected cost of the best threshold over the probability cost (Drummond and Holte, 2006)."""

    name = "cost"
    label = "cost curve"
    title = "Cost curve"
    x_label = "probability cost"
    y_label = "expected cost, best threshold"
    area_name = "mean cost"
    no_skill = "none or all {positive}"
    sentence = (
        "The area {area} is the expected cost when every probability cost is as likely as any "
        "other and the best threshold is taken at each; without skill it is 0.250."
    )
    legend_corner = LOWER_MIDDLE
    is_lower_envelope = True

    def curve(self, segments: RankedSegments) -> SpaceCurve:
        """Lower envelope of all thresholds' lines: neighbours on the hull cross where it turns."""
        vertices = segments.hull_vertices
        # slopes, since differences of rates may underflow; and complements of the rates
        slope = segments.hull().slope
        with np.errstate(divide="ignore"):
            x = np.concatenate(([0.0], 1 / (1 + slope), [1.0]))
            rest = np.concatenate(([1.0], 1 / (1 + 1 / slope), [0.0]))
        index = np.append(vertices, vertices[-1])  # of the best threshold from each point on
        y = segments.fnr[index] * x + segments.fpr[index] * rest
        # Above a best threshold its stretch is nearest, above others the turn between its
        # neighbours.
        thresholds = np.arange(len(segments) + 1)
        turn = np.searchsorted(vertices, thresholds)
        is_best = vertices[turn] == thresholds
        threshold_x = np.where(is_best, (x[turn] + x[turn + 1]) / 2, x[turn])
        threshold_y = segments.fnr * threshold_x + segments.fpr * (1 - threshold_x)
        area = _area_under(x, rest, y)
        return SpaceCurve(self.name, x, y, index.astype(np.float64), threshold_x, threshold_y, area)

    def operating_point(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        return np.array([0.0, 1.0]), np.append(fpr, 1 - tpr)

    def meeting(self, x: Floats, rest: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        return x, y

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [x, 1 - x]

    def y_limits(self, highest: float, prevalence: float) -> Limits:
        return 0.0, 0.56


class _BrierSpace(CostSpace):
    """Loss over the cost proportion, with the score there as the threshold.

    See Hernández-Orallo, Flach and Ferri (2011).
    """

    name = "brier"
    label = "Brier curve"
    title = "Brier curve"
    x_label = "cost proportion = threshold"
    y_label = "expected loss"
    area_name = "Brier score"
    no_skill = "saying the prevalence"
    hull_name = "hull's probabilities"
    sentence = (
        "The area {area} is the Brier score: the expected loss when every cost proportion is as "
        "likely as any other and the threshold lies there. With the hull's probabilities it is "
        "{hull_area}; what lies between the curves is the miscalibration, {miscalibration}."
    )
    legend_corner = UPPER_RIGHT
    has_bent_baselines = True
    needs_probabilities = True

    def curve(self, segments: RankedSegments) -> SpaceCurve:
        x, index = _stretches(segments)
        y = _loss(segments, x, index)
        c = np.minimum(segments.thresholds, 1.0)
        loss = _loss(segments, c, np.arange(c.size))
        return SpaceCurve(
            self.name, x, y, index.astype(np.float64), c, loss, float(trapezoid(y, x))
        )

    def operating_point(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        return np.array([0.0, 1.0]), 2 * np.append(pi * (1 - tpr), (1 - pi) * fpr)

    def meeting(self, x: Floats, rest: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        c, _, loss = _cost_proportions(x, rest, y, pi)
        return c, loss

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        return [2 * np.minimum(x * (1 - prevalence), (1 - x) * prevalence)]

    def y_limits(self, highest: float, prevalence: float) -> Limits:
        return 0.0, 1.25 * max(highest, prevalence * (1 - prevalence) * 2)


class _DecisionSpace(CostSpace):
    """Net benefit over the threshold probability, up to 0.99 (Vickers and Elkin, 2006)."""

    name = "decision"
    label = "decision curve"
    title = "Decision curve"
    x_label = "threshold probability"
    y_label = "net benefit in found {positives}"
    no_skill = "none or all {positive}"
    hull_name = "hull's probabilities"
    sentence = (
        "The height is the net benefit: {positives} found per sample, less false alarms at the "
        "odds of the threshold probability; here {y} at {x}, and at most {prevalence}, the "
        "prevalence."
    )
    legend_corner = UPPER_RIGHT
    has_bent_baselines = True
    has_band = True
    needs_probabilities = True
    lower_is_better = False

    def curve(self, segments: RankedSegments) -> SpaceCurve:
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
        return SpaceCurve(self.name, x, y, point_index.astype(np.float64), t, threshold_y, area)

    def operating_point(self, fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
        # denser near 1, where lines bend most
        x = 1 - _MIN_COMPLEMENT ** np.linspace(0.0, 1.0, _POINTS_PER_LINE)
        return x, pi * tpr - (1 - pi) * fpr * x / (1 - x)

    def meeting(self, x: Floats, rest: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        c, of_miss, loss = _cost_proportions(x, rest, y, pi)
        is_shown = c <= _MAX_THRESHOLD_PROBABILITY
        return c[is_shown], pi - loss[is_shown] / (2 * of_miss[is_shown])

    def baselines(self, x: Floats, prevalence: float) -> list[Floats]:
        all_positive = prevalence - (1 - prevalence) * x / np.maximum(1 - x, 1e-9)
        return [np.zeros_like(x), all_positive]

    def x_limits(self, prevalence: float) -> Limits:
        """Choose threshold probabilities up to twice the prevalence, at least up to a half."""
        return 0.0, min(max(2 * prevalence, 0.5), 0.99)

    def y_limits(self, highest: float, prevalence: float) -> Limits:
        return -0.15 * prevalence, 1.08 * max(highest, prevalence)


#: All spaces by their names.
SPACES: dict[str, Space] = {
    space.name: space
    for space in (
        _ROCSpace(),
        _PrecisionRecallSpace(),
        _GainsOfPrecisionSpace(),
        _GainSpace(),
        _LiftSpace(),
        _ErrorTradeOffSpace(),
        _CostCurveSpace(),
        _BrierSpace(),
        _DecisionSpace(),
    )
}
#: Names of the spaces in which a threshold is a point.
POINT_SPACES = tuple(name for name, space in SPACES.items() if space.has_points)


# ---------------------------------------------------------------------- what spaces share


def _check_limits(limits: tuple[Limits, Limits]) -> tuple[Limits, Limits]:
    """Check the ends of two axes."""
    what = "two pairs of finite numbers, the ends of x and those of y, the lower end first"
    ends = check_numbers(limits, "limits", what)
    if ends.shape != (2, 2) or not np.isfinite(ends).all() or (ends[:, 0] > ends[:, 1]).any():
        raise ValueError(f"limits must be {what}; got {describe(limits)}.")
    (left, right), (bottom, top) = ends.tolist()
    return (left, right), (bottom, top)


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
    segments: RankedSegments, space: BentSpace
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
        x[inner], y[inner] = space.points(
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
    segments: RankedSegments, space: BentSpace
) -> tuple[Floats, Floats, NDArray[np.uint8]]:
    """Compute the points of the thresholds, and how many points each edge between them needs."""
    size = len(segments)
    pi, rest = _class_shares(segments)
    x = np.empty(size + 1)
    y = np.empty(size + 1)
    n_points = np.empty(size, dtype=np.uint8)
    for block, pos, neg in _in_blocks(segments):
        vertices = slice(block.start, block.stop + 1)
        x[vertices], y[vertices] = space.points(
            neg / segments.n_neg, pos / segments.n_pos, pi, rest
        )
        if block.start == 0:
            # without predicted positives: the limit, which is the first segment's precision
            x[0] = 0.0
            y[0] = segments.pos[0] / (segments.pos[0] + segments.neg[0])
            if not space.is_over_recall:
                y[0] /= pi
        length = np.hypot(np.diff(x[vertices]), np.diff(y[vertices]))
        n_points[block] = np.maximum(np.ceil(_POINTS_PER_BENT_EDGE * np.minimum(length, 1.0)), 1)
    n_points[0] = 1  # along an edge from the origin precision is constant
    return x, y, n_points


def _bend_of_log(r: Floats) -> Floats:
    """Compute ``1 - log(1 + r) / r`` of positive numbers, small ones by their series."""
    return np.asarray(np.where(r < _SMALL_GROWTH, r / 2 - r**2 / 3, 1 - np.log1p(r) / r))


def _area_under(x: Floats, rest: Floats, y: Floats) -> float:
    """Compute the area under a polygon whose ``x`` runs from 0 to 1; ``rest`` is ``1 - x``."""
    width = np.where(x[:-1] < 0.5, np.diff(x), -np.diff(rest))
    return float(width @ (y[:-1] + y[1:])) / 2


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


def _deviates(rate: Floats, complement: Floats) -> Floats:
    """Compute the normal deviates of rates, from -inf at 0 to inf at 1."""
    # from the smaller of the two, which has more digits
    return np.asarray(np.where(rate < 0.5, ndtri(rate), -ndtri(complement)))


def _steps_of_deviates(
    x: Floats, y: Floats, fpr: Floats, fnr: Floats
) -> tuple[NDArray[np.intp], Floats]:
    """Choose points on edges so that chords between the deviates of both rates are short.

    Parameters
    ----------
    x, y : ndarray of float, shape (n_vertices,)
        Deviates of the vertices.
    fpr, fnr : ndarray of float, shape (n_vertices,)
        Their rates.

    Returns
    -------
    edge : ndarray of int, shape (n_points,)
        Number of the edge of each point, in no order.
    share : ndarray of float, shape (n_points,)
        How far along that edge it is, above 0 and below 1.
    """
    edges = []
    shares = []
    for deviate, rate in ((x, fpr), (y, fnr)):
        finite = np.clip(deviate, -_MAX_DEVIATE, _MAX_DEVIATE)
        length = np.diff(finite)
        n_steps = np.ceil(np.abs(length) / _DEVIATE_STEP).astype(np.intp)
        n_steps[n_steps == 1] = 0  # which need no point between their ends
        edge, step = repeat_steps(np.where(n_steps > 0, n_steps + 1, 0))
        inner = ndtr(finite[edge] + length[edge] * step / n_steps[edge])
        share = (inner - rate[edge]) / (rate[edge + 1] - rate[edge])
        is_inside = (share > 0) & (share < 1)
        edges.append(edge[is_inside])
        shares.append(share[is_inside])
    return np.concatenate(edges), np.concatenate(shares)


def _cost_proportions(
    x: Floats, rest: Floats, y: Floats, pi: float
) -> tuple[Floats, Floats, Floats]:
    """Map points of cost space to cost proportions, their complements, and the losses there."""
    odds = (1 - pi) / pi * x
    c = rest / (rest + odds)
    of_miss = odds / (rest + odds)
    return c, of_miss, 2 * y * (pi * of_miss + (1 - pi) * c)
