"""Metrics of a confusion table as functions of true positives, predicted and actual positives.

What decision theory maximises in expectation. Knows nothing of probabilities or of data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_costs,
    check_number,
    check_numbers,
    describe,
)
from rocviz.core.decisions._custom_metric import Function, custom_values
from rocviz.core.decisions.linear_fractional import LinearFractional, check_rates

#: The metrics that have a name; :data:`ALIASES` are other names of some of them.
METRICS = (
    "accuracy",
    "cost",
    "am",
    "f",
    "jaccard",
    "g_tp_pr",
    "g_mean",
    "h_mean",
    "q_mean",
    "mcc",
    "sec",
)
#: The F measures whose name says ``beta``.
BETAS_OF_NAMES = {"f1": 1.0, "f2": 2.0, "f0.5": 0.5, "f1_score": 1.0}
#: What metrics are called elsewhere, by scikit-learn above all.
ALIASES = {
    **dict.fromkeys((*BETAS_OF_NAMES, "fbeta_score"), "f"),
    "balanced_accuracy": "am",
    "balanced_accuracy_score": "am",
    "accuracy_score": "accuracy",
    "jaccard_score": "jaccard",
    "matthews_corrcoef": "mcc",
    "fowlkes_mallows": "g_tp_pr",
}
# Of these the spare value may be NaN: leave out the rate of the class that is absent.
_OF_CLASSES = ("am", "g_mean", "h_mean", "q_mean")

_LARGEST_BETA = 1e100  # its square times a count is a number still
_LARGEST_COST = 1e150  # so is the square of a cost
_EPS = float(np.finfo(np.float64).eps)
_TIE = 1e-12  # of their size: utilities that differ by less are the same


@dataclass(frozen=True)
class Metric:
    """A metric with its options: what :func:`resolve_metric` makes of a name.

    Parameters
    ----------
    name : str
        One of :data:`METRICS`, ``"linear_fractional"`` or ``"custom"``.
    beta, cost_fp, cost_fn, zero_division : float
        As in :func:`resolve_metric`.
    function : LinearFractional or callable, optional
        What is computed, if the metric has no name.
    """

    name: str
    beta: float = 1.0
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    zero_division: float = 0.0
    function: LinearFractional | Function | None = None

    def __call__(self, u: ArrayLike, v: ArrayLike, p: ArrayLike) -> Floats:
        """Return the metric at rates.

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
        a, k, pos = check_rates(u, v, p)
        if (a > np.minimum(k, pos) * (1 + _TIE)).any():
            raise ValueError(f"u must be at most v and p; got {describe(u)}.")
        return self.at_counts(a, k, pos, 1.0)

    def at_counts(
        self, tp: ArrayLike, predicted: ArrayLike, positives: ArrayLike, n: float
    ) -> Floats:
        """Return the metric at counts of ``n`` samples; they need not be whole.

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
            If a callable returns another shape, or anything that is not a finite number.
        """
        a, k, pos = (
            check_numbers(values, name)
            for values, name in ((tp, "tp"), (predicted, "predicted"), (positives, "positives"))
        )
        if isinstance(self.function, LinearFractional):
            return self.function.at_counts(a, k, pos, n, self.zero_division)
        if self.function is not None:
            return custom_values(self.function, a, k, pos, n, self.zero_division)
        if self.name == "accuracy":
            return np.asarray(1 - (k + pos - 2 * a) / n)
        if self.name == "cost":
            return np.asarray(-(self.cost_fp * (k - a) + self.cost_fn * (pos - a)) / n)
        if self.name == "sec":
            return np.asarray(-(((k - pos) / n) ** 2) + 0 * a)
        if self.name == "f":
            b2 = self.beta**2
            return self._ratio((1 + b2) * a, b2 * pos + k)
        if self.name == "jaccard":
            return self._ratio(a, pos + k - a)
        if self.name == "g_tp_pr":
            mean = _geometric_mean(_share(a, pos), _share(a, k))
            return np.where(pos + k > 0, mean, self.zero_division)
        if self.name == "mcc":
            root = _root_of_odds(k, n) * _root_of_odds(pos, n)
            top = np.asarray(a * n - k * pos)
            return np.divide(top, root, out=np.zeros(top.shape), where=root > 0)
        neg = n - pos
        tn = neg - k + a
        # rates that cancel leave rounding, whose square root is no longer small
        return self._of_classes(a, np.where(np.abs(tn) <= 4 * _EPS * n, 0.0, tn), pos, neg)

    def best(self, utilities: Floats) -> Bools:
        """Return which utilities are the greatest, up to 1e-12 of what the metric's values are.

        They are shares of one, or of the greater cost. Those of a function are compared with the
        greatest, and differ by rounding as the farthest from 0 may.

        Parameters
        ----------
        utilities : ndarray of float, shape (n_cuts,)
            Values of this metric, or their expectations.

        Returns
        -------
        ndarray of bool, shape (n_cuts,)
        """
        greatest = utilities.max()
        slack = _TIE * (max(self.cost_fp, self.cost_fn) if self.name == "cost" else 1.0)
        if self.function is not None:
            slack = max(_TIE * abs(greatest), 4 * _EPS * np.abs(utilities).max())
        return np.asarray(utilities >= greatest - slack)

    def at_cells(self, tp: Floats, fp: Floats, fn: Floats, tn: Floats) -> Floats:
        """Return the metric at tables of which each count is known by itself, however small it is.

        Parameters
        ----------
        tp, fp, fn, tn : ndarray of float
            Of one shape.

        Returns
        -------
        ndarray of float, of that shape

        Raises
        ------
        ValueError
            As :meth:`at_counts`.
        """
        if self.name in _OF_CLASSES:
            return self._of_classes(tp, tn, tp + fn, tn + fp)
        pos, neg = tp + fn, fp + tn
        if self.name == "accuracy":
            return np.asarray((tp + tn) / (pos + neg))
        if self.name == "cost":
            return np.asarray(-(self.cost_fp * fp + self.cost_fn * fn) / (pos + neg))
        if self.name == "sec":
            return np.asarray(-(((fp - fn) / (pos + neg)) ** 2))
        if self.name == "mcc":
            k, rest = tp + fp, tn + fn
            right = _geometric_mean(_share(tp, k), _share(tn, rest))
            right *= _geometric_mean(_share(tp, pos), _share(tn, neg))
            wrong = _geometric_mean(_share(fp, k), _share(fn, rest))
            wrong *= _geometric_mean(_share(fn, pos), _share(fp, neg))
            return np.where((k > 0) & (rest > 0), right - wrong, 0.0)
        return self.at_counts(tp, tp + fp, pos, float(pos.max() + neg.max()))

    def _ratio(self, top: Any, bottom: Any) -> Floats:
        top, bottom = np.broadcast_arrays(top, bottom)
        out = np.full(top.shape, self.zero_division)
        np.divide(top, bottom, out=out, where=bottom > 0)
        return out

    def _of_classes(self, tp: Floats, tn: Floats, pos: Floats, neg: Floats) -> Floats:
        """Return a mean of the rates of both classes."""
        tpr = tp / np.where(pos > 0, pos, 1.0)
        tnr = tn / np.where(neg > 0, neg, 1.0)
        if self.name == "am":
            value = (tpr + tnr) / 2
        elif self.name == "g_mean":
            value = _geometric_mean(tpr, np.maximum(tnr, 0.0))
        elif self.name == "h_mean":
            both = tpr + tnr
            value = 2 * tpr * (tnr / np.where(both > 0, both, 1.0))
        else:
            value = 1 - ((1 - tpr) ** 2 + (1 - tnr) ** 2) / 2
        spare: Any = self.zero_division
        if np.isnan(spare):
            spare = np.where(pos > 0, tpr, tnr)
            if self.name == "q_mean":
                spare = 1 - (1 - spare) ** 2
        return np.where((pos > 0) & (neg > 0), value, spare)

    @property
    def linear_fractional(self) -> LinearFractional | None:
        """The same metric as a ratio of linear functions, if it is one."""
        if isinstance(self.function, LinearFractional):
            return self.function
        if self.name == "accuracy":
            return LinearFractional((1, 2, -1, -1), (1, 0, 0, 0))
        if self.name == "cost":
            fp, fn = self.cost_fp, self.cost_fn
            return LinearFractional((0, fp + fn, -fp, -fn), (1, 0, 0, 0))
        if self.name == "f":
            b2 = self.beta**2
            return LinearFractional((0, 1 + b2, 0, 0), (0, 0, 1, b2))
        if self.name == "jaccard":
            return LinearFractional((0, 1, 0, 0), (0, -1, 1, 1))
        return None


def _share(part: Any, whole: Any) -> Floats:
    """Return a part over the whole, 0 where there is nothing."""
    return np.asarray(part / np.where(whole > 0, whole, 1.0))


def _geometric_mean(one: Floats, other: Floats) -> Floats:
    """Return the root of a product that may be less than floats hold."""
    return np.asarray(np.sqrt(one) * np.sqrt(other))


def _root_of_odds(count: Floats, n: float) -> Floats:
    """Return the root of ``count * (n - count)``, in which rounding leaves nothing behind."""
    rest = n - count
    return np.sqrt(count * np.where(rest <= 4 * _EPS * n, 0.0, rest))


#: Whatever :func:`resolve_metric` takes for a metric.
MetricLike: TypeAlias = "str | LinearFractional | Function | Metric"


class MetricOptions(TypedDict, total=False):
    """What may be said of a metric besides its name, see :func:`resolve_metric`."""

    beta: float
    cost_fp: float
    cost_fn: float
    zero_division: float


def resolve_metric(
    metric: MetricLike = "f",
    *,
    beta: float = 1.0,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    zero_division: float = 0.0,
) -> Metric:
    r"""Return a metric as a function of rates.

    Parameters
    ----------
    metric : str, LinearFractional or callable, default="f"
        ``"accuracy"``; ``"cost"``, which is minus the mean cost of a decision, so that higher
        is better; ``"am"``, the mean of TPR and TNR (balanced accuracy); ``"f"`` (also
        ``"f1"``, ``"f2"``, ``"f0.5"``); ``"jaccard"``; ``"g_tp_pr"``, the geometric mean of
        TPR and precision; ``"g_mean"`` and ``"h_mean"``, the geometric and harmonic means of
        TPR and TNR; ``"q_mean"``, one minus the mean square of 1 - TPR and 1 - TNR; ``"sec"``,
        minus the squared error of counts, ``-(p - v)**2``, which depends only on how many are
        called positive; ``"mcc"``, Matthews' correlation of labels and truth. scikit-learn's names
        are taken too: ``"balanced_accuracy"``, ``"f1_score"``, ``"matthews_corrcoef"`` and so on,
        see :data:`ALIASES`. Or a :class:`LinearFractional`, or a function ``phi(u, v, p)`` of three
        arrays of one shape that returns an array of that shape: ``u`` is the rate of true
        positives, ``v`` of predicted and ``p`` of actual positives, all among all samples. A
        :class:`Metric` is returned as it is.
    beta : float, default=1.0
        Of the F measure: how many times recall counts as much as precision; from 1e-100 to
        1e100.
    cost_fp, cost_fn : float, default=1.0
        Of ``"cost"``: of a false alarm and of a miss; not negative, the greater one from 1e-150
        to 1e150.
    zero_division : float, default=0.0
        The value where the metric is 0/0: F, Jaccard and G-TP/PR if nothing is positive and
        nothing predicted so (G-TP/PR is 0 if one of both is empty); AM, G-, H- and Q-Mean
        if one class does not occur, and for these ``nan`` leaves out the rate of that class,
        as scikit-learn's balanced accuracy does; a callable where it returns ``nan`` and ``v``
        or ``p`` is 0 or 1. An H-Mean of two rates that are both 0 is 0, and so is
        Matthews' correlation where labels or truth are all of one class; a callable that is
        ``nan`` for other tables has there what it tends to as ``u`` falls to that of the table.

    Returns
    -------
    Metric
        Callable with ``(u, v, p)``.

    Raises
    ------
    ValueError
        If the metric is unknown, or ``beta`` or a cost out of its range.

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
    'am'
    """
    if isinstance(metric, Metric):
        return metric
    b = check_number(beta, "beta", above=0.0)
    if not 1 / _LARGEST_BETA <= b <= _LARGEST_BETA:
        raise ValueError(
            f"beta must be from {1 / _LARGEST_BETA:g} to {_LARGEST_BETA:g}; got {b:g}."
        )
    fp, fn = check_costs(cost_fp, cost_fn)
    if not 1 / _LARGEST_COST <= max(fp, fn) <= _LARGEST_COST:
        raise ValueError(
            f"the greater of cost_fp and cost_fn must be from {1 / _LARGEST_COST:g} to "
            f"{_LARGEST_COST:g}; got {max(fp, fn):g}."
        )
    name, function = _name(metric)
    drops = (
        name in _OF_CLASSES and isinstance(zero_division, float) and zero_division != zero_division
    )
    spare = float("nan") if drops else check_number(zero_division, "zero_division")
    if isinstance(metric, str):
        b = BETAS_OF_NAMES.get(metric, b)
    return Metric(name, b, fp, fn, spare, function)


def _name(metric: Any) -> tuple[str, LinearFractional | Function | None]:
    if isinstance(metric, LinearFractional):
        return "linear_fractional", metric
    if isinstance(metric, str) and metric in (*METRICS, *ALIASES):
        return ALIASES.get(metric, metric), None
    if callable(metric):
        return "custom", metric
    raise ValueError(
        f"metric must be one of {', '.join((*METRICS, *ALIASES))}, a LinearFractional or a "
        f"function of u, v and p; got {describe(metric)}."
    )
