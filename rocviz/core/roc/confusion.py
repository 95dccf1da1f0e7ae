"""The confusion table at one cut of a ranking: every metric, and intervals of its proportions."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from numbers import Integral
from typing import Any

import numpy as np

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    check_choice,
    check_flag,
    check_fraction,
    check_number,
    check_share,
    check_spread,
)
from rocviz.core.roc.binomial_interval import METHODS, interval_of_counts
from rocviz.core.roc.metrics import METRICS, check_metric_options, find_metric


@dataclass(frozen=True)
class ConfusionTable:
    """Counts (or weights) of right and wrong decisions.

    Every metric is an attribute by any of its names: ``table.tpr``, ``table.precision``,
    ``table.f1``, ``table.informedness``, ``table.mcc`` and so on, see
    :data:`rocviz.core.roc.metrics.METRICS`.

    Parameters
    ----------
    tp, fp, fn, tn : float
        True positives, false positives, false negatives, true negatives; not negative.
        Fractions arise from weights and from ties that are split at random.
    threshold : float, default=nan
        Samples with a score of at least this are predicted positive.
    is_expected : bool, default=False
        Whether counts are expected ones, as from :meth:`at_prevalence`: rates have no interval.

    Raises
    ------
    ValueError
        If a count is negative or not finite, or positive counts are more than a factor of 1e12
        apart.

    Notes
    -----
    A metric whose denominator is zero is ``nan`` (``inf`` for ratios such as ``odds_ratio`` whose
    numerator is not zero); no convention is imposed.

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
            # NumPy's small integers would overflow in sums, and its short floats round products
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
        """Samples predicted positive."""
        return self.tp + self.fp

    @property
    def predicted_neg(self) -> float:
        """Samples predicted negative."""
        return self.fn + self.tn

    def __getattr__(self, name: str) -> float:
        try:
            value = self.metric(name)
        except ValueError:
            raise AttributeError(f"a ConfusionTable has no metric {name!r}") from None
        vars(self)[name] = value  # cached for the next access
        return value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *METRICS]

    def metric(
        self, name: str, *, beta: float = 1.0, cost_fp: float = 1.0, cost_fn: float = 1.0
    ) -> float:
        """Compute a metric.

        Parameters
        ----------
        name : str
            Any name of a metric, see :data:`rocviz.core.roc.metrics.METRICS`.
        beta : float, default=1.0
            Of the F measure: how many times recall counts as much as precision.
        cost_fp, cost_fn : float, default=1.0
            Of the expected cost: costs of a false alarm and of a miss.

        Raises
        ------
        ValueError
            If no metric has that name, or an option is out of its range.

        Examples
        --------
        >>> table = ConfusionTable(tp=40, fp=10, fn=10, tn=40)
        >>> table.metric("f", beta=2), table.metric("cost", cost_fn=5)
        (0.8, 0.6)
        """
        row, implied = find_metric(name)
        options = {"beta": beta, "cost_fp": cost_fp, "cost_fn": cost_fn, **implied}
        if row.options:
            options = check_metric_options(**options)
        return float(row(self.tp, self.fp, self.fn, self.tn, **options))

    def proportion(self, name: str) -> tuple[float, float]:
        """Count the successes and trials of a proportion.

        Parameters
        ----------
        name : str
            A metric that counts some cells of the table among more of them: ``tpr, fpr, tnr, fnr,
            precision, npv, false_discovery_rate, false_omission_rate, accuracy, error_rate,
            prevalence, predicted_positive_rate, jaccard``, or another name of one of these.

        Returns
        -------
        successes, trials : float

        Raises
        ------
        ValueError
            If no proportion has that name.
        """
        row = find_metric(name)[0]
        pair = row.fixed_coefficients
        if pair is None or not row.is_proportion:
            names = ", ".join(_proportions())
            raise ValueError(f"name must be one of {names}; got {name!r}.")
        cells = np.array([self.tp, self.fp, self.fn, self.tn], dtype=np.float64)
        return float(pair[0] @ cells), float(pair[1] @ cells)

    def interval(
        self, name: str, *, confidence: float = 0.95, method: str = "wilson"
    ) -> tuple[float, float]:
        """Compute a confidence interval of a rate.

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
            If an argument is invalid, or it is no table of counts up to 2**53.

        Examples
        --------
        >>> low, high = ConfusionTable(tp=40, fp=10, fn=10, tn=40).interval("tpr")
        >>> round(low, 3), round(high, 3)
        (0.67, 0.888)
        """
        x, n = (np.asarray(count, dtype=np.float64) for count in self.proportion(name))
        if self.is_expected:
            raise ValueError("an interval needs observed counts; this table holds expected ones.")
        level, _ = check_fraction(confidence, "confidence"), check_choice(method, "method", METHODS)
        cells = "counts of the table (tp, fp, fn, tn)"
        lower, upper = interval_of_counts(x, n, level, 1 - level, method, cells)
        return float(lower), float(upper)

    def expected_cost(
        self, cost_fp: float = 1.0, cost_fn: float = 1.0, prevalence: float | None = None
    ) -> float:
        """Compute the mean cost of a decision.

        Parameters
        ----------
        cost_fp, cost_fn : float, default=1.0
            Costs of a false alarm and of a miss; not negative.
        prevalence : float, optional
            Prevalence where the classifier is used; by default that of the data.

        Raises
        ------
        ValueError
            If a cost is negative, or ``prevalence`` out of its range.
        """
        costs = check_metric_options(1.0, cost_fp, cost_fn)
        if prevalence is None:
            return float(METRICS["cost"](self.tp, self.fp, self.fn, self.tn, **costs))
        pi = check_share(prevalence, "prevalence", ends=True)
        return (1 - pi) * costs["cost_fp"] * self.fpr + pi * costs["cost_fn"] * self.fnr

    def at_prevalence(self, prevalence: float, total: float = 1000.0) -> ConfusionTable:
        """Compute the expected table of ``total`` samples at another prevalence.

        Parameters
        ----------
        prevalence : float
            From 1e-9 to 1 - 1e-9, or exactly 0 or 1.
        total : float, default=1000
            Samples to share out; positive.

        Returns
        -------
        ConfusionTable
            Expected counts, not rounded. Rates have the intervals of the table of the data.

        Raises
        ------
        ValueError
            If a class is absent here, so that its rate is unknown.
        """
        pi = check_share(prevalence, "prevalence", ends=True)
        total = check_number(total, "total", above=0.0)
        if not (self.n_pos and self.n_neg):
            raise ValueError(
                "The table must have samples of both classes; otherwise a rate is undefined."
            )
        pos, neg = total * pi, total * (1 - pi)
        with prefix_error_with("total"):
            return ConfusionTable(
                tp=pos * self.tpr,
                fp=neg * self.fpr,
                fn=pos * self.fnr,
                tn=neg * self.tnr,
                threshold=self.threshold,
                is_expected=True,
            )

    def to_frame(self, *, confidence: float = 0.95, method: str = "wilson") -> DataFrame:
        """Tabulate every proportion with its counts and interval.

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
            for name in _proportions()
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


def _proportions() -> list[str]:
    """List the metrics that are proportions of counts, each of which has an interval."""
    return [name for name, row in METRICS.items() if row.is_proportion]
