"""Metrics at points of ROC space, and their isometrics, the curves of equal value.

Isometrics of ratios of linear functions are straight. The others are solved for along the falling
diagonals ``fpr + tpr = w``, where a metric that rises with TPR and falls with FPR takes a value
once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import read_only
from rocviz.core.base.validation import (
    Floats,
    check_fraction,
    check_integer,
    check_number,
    check_numbers,
    check_prevalence,
    describe,
)
from rocviz.core.roc.metrics import (
    METRICS,
    MetricRow,
    RowOptions,
    check_metric_options,
    find_metric,
)

_BORDER_TOLERANCE = (
    1e-12  # distance by which rounding may put the end of a line outside of the square
)
_N_HALVINGS = 46
_HALVING_SHARE = 0.498  # keeps paths from ending in the corner, where ratios are 0/0


class MetricConditions(RowOptions, total=False):
    """Conditions of a metric in ROC space, see :func:`metric_value`."""

    prevalence: float


def metric_value(
    metric: str, fpr: ArrayLike, tpr: ArrayLike, **options: Unpack[MetricConditions]
) -> Floats:
    """Compute a metric at points of ROC space.

    Parameters
    ----------
    metric : str
        Any name of a metric, see :data:`rocviz.core.roc.metrics.METRICS`.
    fpr, tpr : array-like of float
        In [0, 1]; broadcast against each other.
    prevalence : float, default=0.5
        From 1e-9 to 1 - 1e-9.
    cost_fp : float, default=1.0
        Of the cost: that of a false alarm; not both costs are zero. At least 0.
    cost_fn : float, default=1.0
        Of the cost: that of a miss; not both costs are zero. At least 0.
    threshold_probability : float, default=0.5
        Of the net benefit: the probability from which on acting is worth it; its odds are the true
        positives that one false positive costs. From 1e-06 to 0.999999.
    beta : float, default=1.0
        Of the F measure: how many times recall counts as much as precision. 0 or from 1e-06 to
        1e+06.

    Returns
    -------
    ndarray of float
        Of the broadcast shape. Ratios are ``inf`` where only the denominator is 0, and ``nan``
        for 0/0 (precision at the origin, for example).

    Raises
    ------
    ValueError
        If the metric is unknown.

    References
    ----------
    Flach (2003).

    Examples
    --------
    >>> float(metric_value("precision", 0.1, 0.8, prevalence=0.5).round(4))
    0.8889
    """
    return _plane(metric, **options).value(_rates(fpr, "fpr"), _rates(tpr, "tpr"))[()]


def isometric(
    metric: str, value: float, *, n_points: int = 101, **options: Unpack[MetricConditions]
) -> tuple[Floats, Floats]:
    """Trace the points of ROC space where a metric has a given value.

    Parameters
    ----------
    metric : str
        As in :func:`metric_value`.
    value : float
        One that the metric takes; ``inf`` for some ratios.
    prevalence, **options
        As in :func:`metric_value`.
    n_points : int, default=101
        Vertices of a curved isometric; at least 3. Straight ones have two.

    Returns
    -------
    fpr, tpr : ndarray of float
        Vertices of the isometric within the unit square, the first and last on its border. Those
        of ``"predicted_positive_rate"`` fall; all others go from lower left to upper right.

    Raises
    ------
    ValueError
        If the metric does not take that value or has no single isometric of it, or as in
        :func:`metric_value`.

    References
    ----------
    Flach (2003).

    Examples
    --------
    >>> fpr, tpr = isometric("precision", 0.8, prevalence=0.5)
    >>> fpr, tpr
    (array([0.  , 0.25]), array([0., 1.]))
    """
    plane = _plane(metric, **options)
    count = _vertices(n_points)
    if plane.row.isometrics_of:
        raise ValueError(
            f"{plane.row.name} may have two isometrics of the same value; use isometric_through "
            f"for the one through a point, or the isometrics of {plane.row.isometrics_of}."
        )
    low, high = plane.range()
    is_infinite = isinstance(value, Real) and high == value == np.inf
    number = value if is_infinite else check_number(value, "value")
    if not low <= number <= high:
        raise ValueError(
            f"value of {plane.row.name} must be from {low:g} to {high:g}; got {describe(value)}."
        )
    if (pair := plane.row.coefficients(**plane.options)) is not None:
        top, bottom = pair
        return plane.line(-bottom if number == np.inf else top - number * bottom)
    return plane.curve(number, count)


def isometric_through(
    metric: str, fpr: float, tpr: float, *, n_points: int = 101, **options: Unpack[MetricConditions]
) -> tuple[Floats, Floats]:
    """Trace the isometric of a metric through a point of ROC space.

    Where several do, as all precision isometrics meet at the origin, it is the one along the
    rising diagonal, the value of a ranking at random.

    Parameters
    ----------
    metric, prevalence, n_points, **options
        As for :func:`isometric`.
    fpr, tpr : float
        The point, in [0, 1].

    Returns
    -------
    fpr, tpr : ndarray of float
        As from :func:`isometric`; first and last are the same where it only touches a corner. A
        curved isometric has the point itself as one more vertex.

    Raises
    ------
    ValueError
        If the metric is the same everywhere, or as in :func:`metric_value`.

    Examples
    --------
    >>> fpr, tpr = isometric_through("accuracy", 0.25, 0.5, prevalence=0.5)
    >>> fpr, tpr
    (array([0.  , 0.75]), array([0.25, 1.  ]))
    """
    plane = _plane(metric, **options)
    f = check_fraction(fpr, "fpr", ends=True)
    t = check_fraction(tpr, "tpr", ends=True)
    count = _vertices(n_points)
    if plane.row.isometrics_of:
        plane = _Plane(METRICS[plane.row.isometrics_of], plane.options, plane.prevalence)
    if (pair := plane.row.coefficients(**plane.options)) is not None:
        plane.range()
        top, bottom = pair
        # coefficients of top - value * bottom, times the denominator, without cancellation
        level = (np.outer(top, bottom) - np.outer(bottom, top)) @ plane.cells(f, t)
        return plane.line(level, (f, t))
    value = float(plane.value(f, t))
    if np.isnan(value):  # a corner where isometrics meet: take the limit along a random ranking
        near_f = f + _BORDER_TOLERANCE * (0.5 - f)
        near_t = t + _BORDER_TOLERANCE * (0.5 - t)
        value = float(plane.value(near_f, near_t))
    return plane.curve(value, count, (f, t))


@dataclass(frozen=True)
class _Plane:
    """A metric over ROC space."""

    row: MetricRow
    options: dict[str, float]
    prevalence: float

    def cells(self, f: Any, t: Any) -> tuple[Any, Any, Any, Any]:
        """Compute the shares of true and false positives, false and true negatives at points."""
        pi = 0.5 if self.row.by_class else self.prevalence
        return pi * t, (1 - pi) * f, pi * (1 - t), (1 - pi) * (1 - f)

    def value(self, f: Any, t: Any) -> Floats:
        """Compute the metric at points."""
        f, t = np.broadcast_arrays(f, t)
        return self.row(*self.cells(f, t), **self.options)

    def range(self) -> tuple[float, float]:
        """Compute the least and the greatest value, which are at corners of the square."""
        corners = self.value(np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0]))
        low = float(np.nanmin(corners))
        high = float(np.nanmax(corners))
        if low == high:
            raise ValueError(
                f"{self.row.name} is the same at every point of ROC space, so it has no isometrics."
            )
        return low, high

    def line(
        self, level: Floats, through: tuple[float, float] | None = None
    ) -> tuple[Floats, Floats]:
        """Clip the line where a linear function is 0, or its parallel ``through`` a point.

        Where the function vanishes at all points nearby, it is the rising diagonal.
        """
        tp, fp, fn, tn = level
        # level = up * tpr + across * fpr + rest
        pi, rho, _, _ = self.cells(1.0, 1.0)
        up = pi * (tp - fn)
        across = rho * (fp - tn)
        rest = pi * fn + rho * tn
        if up == across == 0:
            up = 1.0
            across = -1.0
            rest = 0.0
        if through is not None:
            rest = -(up * through[1] + across * through[0])
        with np.errstate(all="ignore"):
            f = np.array([0.0, 1.0, -rest / across, -(rest + up) / across])
            t = np.array([-rest / up, -(rest + across) / up, 0.0, 1.0])
        largest = 0.5 + _BORDER_TOLERANCE
        inside = (np.abs(f - 0.5) <= largest) & (np.abs(t - 0.5) <= largest)
        f = np.abs(np.clip(f[inside], 0.0, 1.0))
        t = np.abs(np.clip(t[inside], 0.0, 1.0))
        along = f - t if up * across > 0 else f + t
        ends = [int(along.argmin()), int(along.argmax())]
        return read_only(f[ends]), read_only(t[ends])

    def curve(
        self, value: float, count: int, through: tuple[float, float] | None = None
    ) -> tuple[Floats, Floats]:
        """Trace a rising isometric evenly along the falling diagonals, with a point."""
        if self.row.name == "odds_ratio":  # faster than solving
            f, t = _odds_ratio_curve(value, count)
        else:
            f, t = self._solved(value, count)
        if through is not None:
            place = int(np.searchsorted(f + t, sum(through)))
            # rounding may put the vertex at the point itself slightly before it
            f = np.maximum.accumulate(np.minimum(np.insert(f, place, through[0]), 1.0))
            t = np.maximum.accumulate(np.minimum(np.insert(t, place, through[1]), 1.0))
        return read_only(f), read_only(t)

    def _solved(self, value: float, count: int) -> tuple[Floats, Floats]:
        """Find a rising isometric by halving paths from (0, 1), the best point, to (1, 0)."""
        if not self.row.rises:
            raise ValueError(
                f"{self.row.name} does not get better whenever TPR rises and FPR falls, so its "
                "isometrics cannot be traced."
            )
        sign = 1.0 if self.row.higher_is_better else -1.0

        def points(w: Floats, u: Floats) -> tuple[Floats, Floats]:
            return np.clip((w + u) / 2, 0, 1), np.clip((w - u) / 2, 0, 1)

        def crossing(path: Callable[[Floats], Floats], reach: Floats, past: Any) -> Floats:
            """Find ``fpr - tpr`` where paths first reach the value, or, if ``past``, leave it.

            ``path`` is their ``fpr + tpr`` at a difference from ``-reach`` to ``reach``.
            """
            low = -reach
            high = reach
            for _ in range(_N_HALVINGS):
                u = low + _HALVING_SHARE * (high - low)
                gain = sign * (self.value(*points(path(u), u)) - value)
                above = np.where(past, gain >= 0, gain > 0)
                low = np.where(above, u, low)
                high = np.where(above, high, u)
            return high

        def border(u: Floats) -> Floats:
            """Follow the border by the lower left and by the upper right corner."""
            return np.where([0, 0, 1, 1], 2 - np.abs(u), np.abs(u))

        with np.errstate(invalid="ignore"):
            # along a stretch of the border the metric may be constant
            ends = border(crossing(border, np.ones(4), [False, True, False, True]))
            w = np.linspace(ends[:2].min(), ends[2:].max(), count)
            u = crossing(lambda _: w, np.minimum(w, 2 - w), past=True)
        f, t = points(w, u)
        return np.maximum.accumulate(f), np.maximum.accumulate(t)


def _plane(metric: str, prevalence: float = 0.5, **options: float) -> _Plane:
    """Check the arguments of a metric in ROC space."""
    row, implied = find_metric(metric)
    checked = check_metric_options({**options, **implied}, "prevalence")
    return _Plane(row, checked, check_prevalence(prevalence))


def _vertices(n_points: int) -> int:
    """Check the number of vertices."""
    count = check_integer(n_points, "n_points", minimum=3)
    check_effort(numbers=10 * count, n_points=count)
    return count


def _odds_ratio_curve(value: float, count: int) -> tuple[Floats, Floats]:
    """Trace ``t (1 - f) / (f (1 - t)) = value``, evenly on both legs."""
    root = np.sqrt(1 / value if value >= 1 else value)
    knee = 1 / (1 + root)  # tpr where tpr + fpr = 1
    first = count // 2 + 1
    rising = np.linspace(0.0, knee, first)
    falling = np.linspace(root * knee, 1.0, count - first + 1)[1:]
    # the same formula on both legs, each in the coordinate that moves faster there
    fpr = np.concatenate((_other(rising, root**2), falling))
    tpr = np.concatenate((rising, 1 - _other(1 - falling, root**2)))
    return (fpr, tpr) if value >= 1 else (tpr, fpr)  # the mirror image is below the diagonal


def _other(x: Floats, ratio: float) -> Floats:
    """Solve for y with ``odds(y) = ratio * odds(x)``; 0 stays 0 and, for ratio > 0, 1 stays 1."""
    bottom = (1 - x) + ratio * x
    return np.divide(ratio * x, bottom, out=np.zeros_like(x), where=bottom > 0)


def _rates(values: ArrayLike, name: str) -> Floats:
    array = check_numbers(values, name)
    if not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"{name} must be within [0, 1]; got {describe(values)}.")
    return array
