"""The confusion table at one cut of a ranking, with every usual rate and its interval.

Knows counts only; nothing of scores, curves or drawing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isnan
from numbers import Integral
from typing import Any, Self, overload

import numpy as np

from rocviz.core.base.exactness import ratio, root
from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.naming import naming
from rocviz.core.base.validation import (
    check_choice,
    check_flag,
    check_fraction,
    check_number,
    check_spread,
)
from rocviz.core.roc.binomial_interval import METHODS, interval_of_counts

# rate -> (successes, failures): each is a proportion of counts, so each has an interval
_PROPORTIONS = {
    "tpr": (("tp",), ("fn",)),
    "fpr": (("fp",), ("tn",)),
    "tnr": (("tn",), ("fp",)),
    "fnr": (("fn",), ("tp",)),
    "precision": (("tp",), ("fp",)),
    "npv": (("tn",), ("fn",)),
    "false_discovery_rate": (("fp",), ("tp",)),
    "false_omission_rate": (("fn",), ("tn",)),
    "accuracy": (("tp", "tn"), ("fp", "fn")),
    "error_rate": (("fp", "fn"), ("tp", "tn")),
    "prevalence": (("tp", "fn"), ("fp", "tn")),
    "predicted_positive_rate": (("tp", "fp"), ("tn", "fn")),
}

# Smaller counts have lost digits, or all of them.
_LEAST = float(np.finfo(np.float64).tiny)


class _Rate(property):
    """A proportion of counts, by the name it is given in the class."""

    def __init__(self, doc: str) -> None:
        super().__init__(lambda table: ratio(*table.proportion(self.name)))
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    # told to type checkers, for whom a property's value could be anything
    @overload
    def __get__(self, table: None, owner: type, /) -> Self: ...
    @overload
    def __get__(self, table: Any, owner: type | None = None, /) -> float: ...
    def __get__(self, table: Any, owner: type | None = None, /) -> Any:
        return super().__get__(table, owner)


@dataclass(frozen=True)
class ConfusionTable:
    """Counts (or weights) of right and wrong decisions.

    Parameters
    ----------
    tp, fp, fn, tn : float
        True positives, false positives, false negatives, true negatives; not negative.
        Fractions arise from weights and from ties that are split at random.
    threshold : float, default=nan
        Samples with a score of at least this are called positive.
    is_expected : bool, default=False
        Whether nobody counted the samples, as in :meth:`at_prevalence`: rates have no interval.

    Raises
    ------
    ValueError
        If a count is negative or not finite.

    Notes
    -----
    A rate whose denominator is zero is ``nan`` (``inf`` for ratios such as ``lr_positive``
    whose numerator is not zero); no convention is imposed.

    Examples
    --------
    >>> table = ConfusionTable(tp=40, fp=10, fn=10, tn=40)
    >>> table.tpr, table.precision, table.f1
    (0.8, 0.8, 0.8)
    >>> table.at_prevalence(0.1).precision
    0.3076923076923077
    """

    tp: float
    fp: float
    fn: float
    tn: float
    threshold: float = float("nan")
    is_expected: bool = False

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            value = getattr(self, name)
            number = check_number(value, name, minimum=0.0)
            # NumPy's small integers would overflow in sums, its short floats round products
            own = int(value) if isinstance(value, Integral) else number
            object.__setattr__(self, name, own)
        if not (isinstance(self.threshold, float) and isnan(self.threshold)):
            check_number(self.threshold, "threshold", finite=False)
        check_flag(self.is_expected, "is_expected")
        cells = (self.tp, self.fp, self.fn, self.tn)
        check_spread("tp, fp, fn and tn", np.array(cells, dtype=np.float64))

    @property
    def n_pos(self) -> float:
        """Positives."""
        return self.tp + self.fn

    @property
    def n_neg(self) -> float:
        """Negatives."""
        return self.fp + self.tn

    @property
    def n_samples(self) -> float:
        """All samples."""
        return self.n_pos + self.n_neg

    @property
    def predicted_pos(self) -> float:
        """Samples called positive."""
        return self.tp + self.fp

    @property
    def predicted_neg(self) -> float:
        """Samples called negative."""
        return self.fn + self.tn

    @property
    def _cells(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """The four counts, which may be so far apart that no float is their product or sum."""
        return Fraction(self.tp), Fraction(self.fp), Fraction(self.fn), Fraction(self.tn)

    def proportion(self, name: str) -> tuple[float, float]:
        """Return how many of how many a rate counts.

        Parameters
        ----------
        name : str
            One of ``tpr, fpr, tnr, fnr, precision, npv, false_discovery_rate,
            false_omission_rate, accuracy, error_rate, prevalence, predicted_positive_rate``.

        Returns
        -------
        successes, trials : float

        Raises
        ------
        ValueError
            If no rate has that name.
        """
        check_choice(name, "name", tuple(_PROPORTIONS))
        yes, no = _PROPORTIONS[name]
        successes = sum(getattr(self, cell) for cell in yes)
        return successes, successes + sum(getattr(self, cell) for cell in no)

    def interval(
        self, name: str, *, confidence: float = 0.95, method: str = "wilson"
    ) -> tuple[float, float]:
        """Return a confidence interval of a rate.

        Parameters
        ----------
        name : str
            See :meth:`proportion`.
        confidence, method
            As for :func:`rocviz.core.roc.binomial_interval`.

        Returns
        -------
        lower, upper : float
            Within [0, 1]; (0, 1) where nothing was counted.

        Raises
        ------
        ValueError
            If an argument is not as said above, or it is no table of counts up to 2**53.

        Examples
        --------
        >>> low, high = ConfusionTable(tp=40, fp=10, fn=10, tn=40).interval("tpr")
        >>> round(low, 3), round(high, 3)
        (0.67, 0.888)
        """
        x, n = (np.asarray(count, dtype=np.float64) for count in self.proportion(name))
        if self.is_expected:
            raise ValueError("an interval needs counts; those of this table are only expected.")
        level, _ = check_fraction(confidence, "confidence"), check_choice(method, "method", METHODS)
        cells = "counts of the table (tp, fp, fn, tn)"
        lower, upper = interval_of_counts(x, n, level, 1 - level, method, cells)
        return float(lower), float(upper)

    tpr = _Rate("True positive rate: share of the positives that are found (recall, sensitivity).")
    fpr = _Rate("False positive rate: share of the negatives that raise a false alarm.")
    tnr = _Rate("True negative rate (specificity).")
    fnr = _Rate("False negative rate: share of the positives that are missed.")
    precision = _Rate("Share of those called positive that are (positive predictive value).")
    npv = _Rate("Share of those called negative that are (negative predictive value).")
    false_discovery_rate = _Rate("One minus precision.")
    false_omission_rate = _Rate("One minus the negative predictive value.")
    accuracy = _Rate("Share of right decisions.")
    error_rate = _Rate("Share of wrong decisions.")
    prevalence = _Rate("Share of positives.")
    predicted_positive_rate = _Rate("Share of samples called positive.")

    @property
    def balanced_accuracy(self) -> float:
        """Mean of the true positive and the true negative rate."""
        return (self.tpr + self.tnr) / 2

    @property
    def youden_j(self) -> float:
        """True positive rate minus false positive rate (informedness)."""
        tp, fp, fn, tn = self._cells
        return ratio(tp * tn - fp * fn, (tp + fn) * (fp + tn))

    def f_beta(self, beta: float = 1.0) -> float:
        """Return the F measure, the weighted harmonic mean of precision and recall.

        Parameters
        ----------
        beta : float, default=1.0
            How many times recall counts as much as precision.

        Returns
        -------
        float
            Within [0, 1]; ``nan`` with no positive and none predicted.

        Raises
        ------
        ValueError
            If ``beta`` is negative.
        """
        b2 = Fraction(check_number(beta, "beta", minimum=0.0)) ** 2
        tp, fp, fn, _ = self._cells
        return ratio((1 + b2) * tp, (1 + b2) * tp + b2 * fn + fp)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return self.f_beta(1.0)

    @property
    def jaccard(self) -> float:
        """True positives among all that are positive or called so."""
        return ratio(self.tp, self.tp + self.fp + self.fn)

    @property
    def mcc(self) -> float:
        """Matthews correlation coefficient, from -1 to 1."""
        tp, fp, fn, tn = self._cells
        product = (tp + fn) * (fp + tn) * (tp + fp) * (fn + tn)
        if not product:
            return float("nan")
        more = tp * tn - fp * fn
        return float(np.copysign(float(root(more * more / product)), -1.0 if more < 0 else 1.0))

    @property
    def lr_positive(self) -> float:
        """Likelihood ratio of a positive call: ``tpr / fpr``."""
        tp, fp, fn, tn = self._cells
        return ratio(tp * (fp + tn), fp * (tp + fn))

    @property
    def lr_negative(self) -> float:
        """Likelihood ratio of a negative call: ``fnr / tnr``."""
        tp, fp, fn, tn = self._cells
        return ratio(fn * (fp + tn), tn * (tp + fn))

    @property
    def odds_ratio(self) -> float:
        """Odds ratio ``tp tn / (fp fn)``."""
        tp, fp, fn, tn = self._cells
        return ratio(tp * tn, fp * fn)

    def expected_cost(
        self, cost_fp: float = 1.0, cost_fn: float = 1.0, prevalence: float | None = None
    ) -> float:
        """Return the mean cost of a decision.

        Parameters
        ----------
        cost_fp, cost_fn : float, default=1.0
            Costs of a false alarm and of a miss; not negative.
        prevalence : float, optional
            Prevalence where the classifier is used; by default that of the data.

        Raises
        ------
        ValueError
            If a cost is negative, or ``prevalence`` not from 0 to 1.
        """
        tp, fp, fn, tn = self._cells
        alarms = fp * Fraction(check_number(cost_fp, "cost_fp", minimum=0.0))
        misses = fn * Fraction(check_number(cost_fn, "cost_fn", minimum=0.0))
        pos, neg = tp + fn, fp + tn
        if prevalence is None:
            return ratio(alarms + misses, pos + neg)
        pi = Fraction(check_fraction(prevalence, "prevalence", ends=True))
        return ratio((1 - pi) * alarms * pos + pi * misses * neg, pos * neg)

    def at_prevalence(self, prevalence: float, total: float = 1000.0) -> ConfusionTable:
        """Return the table to expect among ``total`` samples at another prevalence.

        Parameters
        ----------
        prevalence : float
            From 0 to 1.
        total : float, default=1000
            Samples to share out; positive.

        Returns
        -------
        ConfusionTable
            Expected counts, not rounded. Rates have the intervals of the table of the data.

        Raises
        ------
        ValueError
            If a class is absent here, so that its rate is unknown, or a count would be less than
            floats hold.
        """
        pi = check_fraction(prevalence, "prevalence", ends=True)
        total = check_number(total, "total", above=0.0)
        if not (self.n_pos and self.n_neg):
            raise ValueError("The table must have samples of both classes, or a rate is unknown.")
        tp, fp, fn, tn = self._cells
        of_pos = Fraction(total) * Fraction(pi) / (tp + fn)
        of_neg = Fraction(total) * (1 - Fraction(pi)) / (fp + tn)
        counts = {"tp": of_pos * tp, "fp": of_neg * fp, "fn": of_pos * fn, "tn": of_neg * tn}
        for name, count in counts.items():
            if 0 < count < _LEAST:
                raise ValueError(
                    f"prevalence and total must leave counts that floats can hold; at "
                    f"{prevalence!r} of {total:g} samples {name} would be less than {_LEAST:.3g}."
                )
        with naming("total"):
            cells = {name: float(count) for name, count in counts.items()}
            return ConfusionTable(**cells, threshold=self.threshold, is_expected=True)

    def to_frame(self, *, confidence: float = 0.95, method: str = "wilson") -> DataFrame:
        """Return every proportion with its counts and interval as a table.

        Parameters
        ----------
        confidence, method
            As for :meth:`interval`.

        Returns
        -------
        pandas.DataFrame
            Indexed by rate; columns ``value, count, of, lower, upper``, the last two ``nan`` for
            counts that are only expected.
        """
        import pandas as pd

        how: Any = {"confidence": confidence, "method": method}
        rows = {
            name: (
                *(getattr(self, name), *self.proportion(name)),
                *((np.nan, np.nan) if self.is_expected else self.interval(name, **how)),
            )
            for name in _PROPORTIONS
        }
        columns = ["value", "count", "of", "lower", "upper"]
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
        frame.index.name = "rate"
        return frame

    def _repr_html_(self) -> str:
        cells = [f"{value:.10g}" for value in (self.tp, self.fn, self.fp, self.tn)]
        return (
            "<table><tr><th></th><th>said +</th><th>said &minus;</th></tr>"
            f"<tr><th>is +</th><td>{cells[0]}</td><td>{cells[1]}</td></tr>"
            f"<tr><th>is &minus;</th><td>{cells[2]}</td><td>{cells[3]}</td></tr></table>"
        )
