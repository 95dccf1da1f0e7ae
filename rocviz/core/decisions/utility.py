"""Metrics as utilities of decisions: rows of the table, ratios and functions.

A metric is a function of true positives, predicted positives and positives; as rates these are u, v
and p.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_number,
    check_numbers,
    describe,
    reason,
)
from rocviz.core.decisions.linear_fractional import LinearFractional, check_rates
from rocviz.core.roc.metrics import (
    METRICS,
    MetricRow,
    RowOptions,
    check_metric_options,
    find_metric,
)

#: A user's function of the rates of true positives, predicted positives and positives.
Function: TypeAlias = Callable[[Floats, Floats, Floats], Any]

_EPS = float(np.finfo(np.float64).eps)
_TIE_TOLERANCE = 1e-12  # relative difference below which utilities are equal
# Rates of user-defined functions are rounded to multiples of 1 / _GRID_SIZE.
_GRID_SIZE = 2.0**52
_RATE_STEP = 2.0**-30  # step to the side of a rate, a multiple of the grid's
_MAX_SLOPE = 1000.0  # at which a limit is accepted
_MIN_JUMP = 1e-6  # larger than the square root of a rounding error


@dataclass(frozen=True)
class Metric(Frozen):
    """A metric with its options, as :func:`resolve_metric` makes it.

    Parameters
    ----------
    name : str
        A key of :data:`rocviz.core.roc.metrics.METRICS`, ``"linear_fractional"`` or ``"custom"``.
    options : mapping of str to float
        The options that the metric takes.
    zero_division : float, default=0.0
        The value where the metric is 0/0.
    function : LinearFractional or callable, optional
        The function, if the metric is no row of the table.
    """

    name: str
    options: Mapping[str, float] = field(default_factory=dict)
    zero_division: float = 0.0
    function: LinearFractional | Function | None = None

    def __hash__(self) -> int:
        options = tuple(sorted(self.options.items()))
        return hash((self.name, options, self.zero_division, self.function))

    @property
    def row(self) -> MetricRow:
        """The metric's row of the table, if it has one."""
        return METRICS[self.name]

    @property
    def higher_is_better(self) -> bool:
        """Whether it is maximised; costs and errors are minimised."""
        return self.function is not None or self.row.higher_is_better

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.higher_is_better else -1.0

    def __call__(self, u: ArrayLike, v: ArrayLike, p: ArrayLike) -> Floats:
        """Compute the metric at rates.

        Parameters
        ----------
        u, v, p : array-like of float
            Rates of true positives, predicted positives and positives among all samples;
            broadcast against each other.

        Raises
        ------
        ValueError
            If rates are not from 0 to 1, or ``u`` is above ``v`` or ``p``; as :meth:`at_counts`.
        """
        tp, predicted, positives = check_rates(u, v, p)
        if (tp > np.minimum(predicted, positives) * (1 + _TIE_TOLERANCE)).any():
            raise ValueError(f"u must be at most v and p; got {describe(u)}.")
        return self.at_counts(tp, predicted, positives, 1.0)

    def at_counts(
        self, tp: ArrayLike, predicted: ArrayLike, positives: ArrayLike, n: float
    ) -> Floats:
        """Compute the metric at counts of ``n`` samples; they need not be whole.

        Parameters
        ----------
        tp, predicted, positives : array-like of float
            True positives, predicted positives and positives; broadcast.
        n : float
            All samples.

        Returns
        -------
        ndarray of float, of the counts' common shape

        Raises
        ------
        ValueError
            If a callable returns another shape, or the metric is not a finite number.
        """
        tp = check_numbers(tp, "tp")
        predicted = check_numbers(predicted, "predicted")
        positives = check_numbers(positives, "positives")
        if isinstance(self.function, LinearFractional):
            return self.function.at_counts(tp, predicted, positives, n, self.zero_division)
        if self.function is not None:
            return _custom_values(self.function, tp, predicted, positives, n, self.zero_division)
        fp = np.maximum(predicted - tp, 0.0)
        fn = np.maximum(positives - tp, 0.0)
        tn = n - predicted - positives + tp
        # cancelling rates leave rounding, whose square root is not small
        tn = np.where(np.abs(tn) <= 4 * _EPS * n, 0.0, tn)
        return self.at_cells(tp, fp, fn, tn)

    def at_cells(self, tp: Any, fp: Any, fn: Any, tn: Any) -> Floats:
        """Compute the metric from the cells of tables, each of which may be relatively small.

        Parameters
        ----------
        tp, fp, fn, tn : ndarray of float
            Broadcast against each other.

        Returns
        -------
        ndarray of float, of the cells' common shape

        Raises
        ------
        ValueError
            As :meth:`at_counts`.
        """
        if self.function is not None:
            return self.at_counts(tp, tp + fp, tp + fn, float(np.max(tp + fp + fn + tn)))
        row = self.row
        value = row(tp, fp, fn, tn, **self.options)
        if np.isfinite(value).all():
            return value
        zero_division = self.zero_division if row.undefined is None else row.undefined
        value = np.where(np.isnan(value), zero_division, value)
        if not np.isfinite(value).all():
            raise ValueError(
                f"metric must be a finite number everywhere; {self.name} is infinite for some "
                "confusion tables, so it has no expected value."
            )
        return value

    def best(self, utilities: Floats) -> Bools:
        """Mark the best utilities, up to 1e-12 of the size of the metric's values.

        That size is 1, or the greater cost, see :meth:`MetricRow.size`. Those of a function are
        compared with the greatest, and differ by rounding as the farthest from 0 may.

        Parameters
        ----------
        utilities : ndarray of float, shape (n_values,)
            Values of this metric, or their expectations.

        Returns
        -------
        ndarray of bool, shape (n_values,)
        """
        utilities = self.sign * utilities
        greatest = utilities.max()
        if self.function is not None:
            slack = max(_TIE_TOLERANCE * abs(greatest), 4 * _EPS * np.abs(utilities).max())
        else:
            slack = _TIE_TOLERANCE * self._size
        return np.asarray(utilities >= greatest - slack)

    @cached_property
    def _size(self) -> float:
        """Size of the values, which is asked for in each resample."""
        return self.row.size(self.options)

    @property
    def linear_fractional(self) -> LinearFractional | None:
        """The same metric as a ratio of linear functions of the rates, if it is one."""
        if self.function is not None:
            return self.function if isinstance(self.function, LinearFractional) else None
        pair = self.row.coefficients(**self.options)
        if pair is None or self.row.by_class:
            return None
        numerator, denominator = pair
        return LinearFractional(
            _coefficients_of_rates(numerator), _coefficients_of_rates(denominator)
        )


def _coefficients_of_rates(cells: Floats) -> tuple[float, ...]:
    """Convert coefficients of the cells TP, FP, FN and TN into those of 1, u, v and p."""
    # tp = u, fp = v - u, fn = p - u and tn = 1 - v - p + u
    rates_of_cells = np.array([[0, 1, 0, 0], [0, -1, 1, 0], [0, -1, 0, 1], [1, 1, -1, -1]])
    rates = cells @ rates_of_cells
    rates[np.abs(rates) <= 8 * _EPS * np.abs(cells).max()] = 0
    return tuple(rates.tolist())


#: Anything that :func:`resolve_metric` accepts as a metric.
MetricLike: TypeAlias = "str | LinearFractional | Function | Metric"


class MetricOptions(RowOptions, total=False):
    """Options of a metric, see :func:`resolve_metric`."""

    zero_division: float


def resolve_metric(
    metric: MetricLike = "f",
    *,
    zero_division: float = 0.0,
    **options: Unpack[RowOptions],
) -> Metric:
    """Find a metric by name, or take a function of rates as one.

    Parameters
    ----------
    metric : str, LinearFractional or callable, default="f"
        Any name of a metric, scikit-learn's among them, see
        :data:`rocviz.core.roc.metrics.METRICS`.
        Metrics that weigh both kinds of errors are: ``"accuracy"``, the share of right labels;
        ``"cost"``, the mean cost of a decision; ``"net_benefit"``, the share of true positives less
        that of false ones times the odds of acting; ``"f"``, the weighted harmonic mean of TPR and
        precision; ``"jaccard"``, true positives as a share of the positives and those predicted
        positive; ``"balanced_accuracy"``, the mean of TPR and TNR; ``"g_tp_pr"``, the geometric
        mean of TPR and precision; ``"g_mean"``, the geometric mean of TPR and TNR; ``"h_mean"``,
        the harmonic mean of TPR and TNR; ``"q_mean"``, one minus the mean square of 1 - TPR and 1 -
        TNR; ``"mcc"``, Matthews' correlation of labels and truth; ``"macro_f1"``, the mean of F1 of
        the classes; ``"kappa"``, Cohen's agreement of labels and truth beyond that of chance;
        ``"sec"``, minus the squared error of counts, of numbers predicted positive alone.
        Or a :class:`LinearFractional`, or a function
        ``phi(u, v, p)`` of three arrays of one shape that returns an array of that shape: ``u`` is
        the rate of true positives, ``v`` of predicted and ``p`` of actual positives, all among all
        samples; higher is better. A :class:`Metric` is returned as it is.
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
    zero_division : float, default=0.0
        The value where the metric is 0/0: F, Jaccard and G-TP/PR if nothing is positive and
        nothing predicted so (G-TP/PR is 0 if one of both is empty); balanced accuracy, G-, H- and
        Q-Mean if one class does not occur; a callable where it returns ``nan`` and ``v`` or ``p``
        is 0 or 1. An H-Mean of two rates that are both 0 is 0, and so is
        Matthews' correlation where labels or truth are all of one class; a callable that is
        ``nan`` for other tables has there what it tends to as ``u`` falls to that of the table.

    Returns
    -------
    Metric
        Callable with ``(u, v, p)``.

    Raises
    ------
    ValueError
        If the metric is unknown, or an option out of its range.

    References
    ----------
    Natarajan et al. (2015), Table 1 and, for ``"sec"``, Proposition 7; Lewis (1995).

    Examples
    --------
    >>> f = resolve_metric("f", beta=2.0)
    >>> float(f(0.2, 0.4, 0.25))  # recall 0.8, precision 0.5
    0.7142857142857143
    >>> bool(f(0.2, 0.4, 0.25) == resolve_metric("f2")(0.2, 0.4, 0.25))
    True
    >>> resolve_metric("balanced_accuracy").name
    'balanced_accuracy'
    """
    if isinstance(metric, Metric):
        return metric
    checked = check_metric_options(options, "zero_division")
    zero_division = check_number(zero_division, "zero_division")
    if callable(metric):
        kind = "linear_fractional" if isinstance(metric, LinearFractional) else "custom"
        return Metric(kind, zero_division=zero_division, function=metric)
    row, implied = find_metric(metric, ", a LinearFractional or a function of u, v and p")
    return Metric(row.name, row.own_options({**checked, **implied}), zero_division)


# ---------------------------------------------------------------------- user-defined functions


def _custom_values(
    function: Function,
    tp: Floats,
    predicted: Floats,
    positives: Floats,
    n: float,
    zero_division: float,
) -> Floats:
    """Evaluate a function of rates at counts of ``n`` samples, stably where rates cancel.

    The counts are broadcast against each other. The value is ``zero_division`` where the function
    is 0/0 and the other counts determine ``tp``. Raises ``ValueError`` if the function fails,
    returns another shape, or is not finite somewhere.
    """
    tp, predicted, positives = np.broadcast_arrays(tp, predicted, positives)
    u = tp / n
    v = predicted / n
    p = positives / n
    value = _evaluate(function, u, v, p)
    # rates cancel to a rounding error only with the 1 of a formula; their differences are exact
    no_negatives = n - predicted - positives + tp <= 4 * _EPS * n
    unsure = no_negatives | ~np.isfinite(value)
    if unsure.any():
        value = value.copy()
        value[unsure] = _values_on_grid(
            function,
            tp[unsure],
            predicted[unsure],
            positives[unsure],
            n,
            value[unsure],
            zero_division,
        )
        bad = ~np.isfinite(value)
        if bad.any():
            i = np.unravel_index(int(np.argmax(bad)), bad.shape)
            raise ValueError(
                f"metric must be a finite number everywhere; it is {value[i]} at "
                f"u={u[i]:.6g}, v={v[i]:.6g}, p={p[i]:.6g}."
            )
    return value


def _evaluate(function: Function, u: Floats, v: Floats, p: Floats) -> Floats:
    """Evaluate the user's function and check the result's shape."""
    with np.errstate(all="ignore"):
        try:
            value = check_numbers(function(u, v, p), "what it returns")
        except (TypeError, ValueError, ArithmeticError) as error:
            raise ValueError(
                f"metric failed on arrays u, v, p of shape {u.shape}: {reason(error)}. It must "
                f"take arrays and return one number for each entry."
            ) from error
    if value.shape not in ((), u.shape):
        raise ValueError(
            f"metric must return one number for each entry of u, v and p; got shape "
            f"{value.shape} for shape {u.shape}."
        )
    return np.broadcast_to(value, u.shape)


def _values_on_grid(
    function: Function,
    tp: Floats,
    predicted: Floats,
    positives: Floats,
    n: float,
    unrounded: Floats,
    zero_division: float,
) -> Floats:
    """Evaluate at rates that cancel exactly; ``unrounded`` are the values at the rates as given."""
    u, v, p = _exact_rates(tp, predicted, positives, n)
    value = _evaluate(function, u, v, p)
    # a small difference is the square root of a rounding error; a large one comes from a jump of
    # the function: then the rates as given count
    with np.errstate(invalid="ignore"):
        jumps = np.isfinite(unrounded) & (np.abs(unrounded - value) >= _MIN_JUMP)
    value = np.where(jumps, unrounded, value)
    undefined = np.isnan(value)
    # where v and p determine u, any constant gives the same decisions
    determined = undefined & ((p <= 0) | (p >= 1) | (v <= 0) | (v >= 1))
    value[determined] = zero_division
    inside = undefined & ~determined
    if inside.any():
        value[inside] = _limit(function, u[inside], v[inside], p[inside])
    return value


def _exact_rates(
    tp: Floats, predicted: Floats, positives: Floats, n: float
) -> tuple[Floats, Floats, Floats]:
    """Round rates so that their sums and differences are exact, such as ``1 - v - p + u``.

    The four cells of the table are whole multiples of 2**-52 with sum 1, so that a
    combination that should vanish is 0 rather than a rounding error.
    """
    tn = n - predicted - positives + tp
    counts = np.stack([tp, predicted - tp, positives - tp, tn])
    cells = np.rint(counts * (_GRID_SIZE / n))
    cells[cells.argmax(axis=0), np.arange(tp.size)] += _GRID_SIZE - cells.sum(axis=0)
    u, fp, fn, _ = cells / _GRID_SIZE
    return u, u + fp, u + fn


def _limit(function: Function, u: Floats, v: Floats, p: Floats) -> Floats:
    """Compute the limit of a function as u falls to where it is 0/0; ``nan`` if there is none."""
    near = _evaluate(function, u + _RATE_STEP, v, p)
    far = _evaluate(function, u + 2 * _RATE_STEP, v, p)
    with np.errstate(all="ignore"):
        smooth = np.abs(far - near) <= _MAX_SLOPE * _RATE_STEP * np.maximum(np.abs(near), 1.0)
        return np.where(smooth, 2 * near - far, np.nan)
