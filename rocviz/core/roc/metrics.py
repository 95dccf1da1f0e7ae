"""The one table of metrics: their names, and their values at confusion tables.

Decisions, isometrics, confusion tables, explorers and the documentation read it. To add a metric is
to add a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Floats, check_costs, check_number, describe

_LARGEST_BETA = 1e6
_NOISE = 1e-12  # tolerance for a fall of a metric by rounding


@dataclass(frozen=True, eq=False)
class MetricRow:
    """A metric of confusion tables: a row of :data:`rocviz.core.roc.metrics.METRICS`.

    Parameters
    ----------
    name : str
        As in :data:`rocviz.core.roc.metrics.METRICS`.
    function : callable
        Takes arrays ``tp, fp, fn, tn`` and, by name, the ``options``; returns the metric, or, for
        a ratio of linear functions, its numerator and denominator. Divisions may be 0/0.
    label : str, optional
        What it is called in pictures and sentences; by default its name with spaces.
    by_class : bool, default=False
        Whether the function is given each class's shares (TPR, FPR, FNR and TNR), so that the
        prevalence does not matter.
    higher_is_better : bool, default=True
    options : tuple of str
        Which of ``beta``, ``cost_fp`` and ``cost_fn`` it takes.
    aliases : mapping of str to mapping
        Its other names, each with the options that the name implies.
    is_objective : bool, default=False
        Whether it weighs both kinds of errors, so that its best cut is worth asking for.
    undefined : float, optional
        What it counts as in decisions where it is 0/0, whatever ``zero_division`` says.
    lines_of : str, optional
        The metric whose isometrics are its own too, if several of its own belong to one value.
    """

    name: str
    function: Callable[..., Any]
    label: str = ""
    by_class: bool = False
    higher_is_better: bool = True
    options: tuple[str, ...] = ()
    aliases: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    is_objective: bool = False
    undefined: float | None = None
    lines_of: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name.replace("_", " "))

    def __call__(
        self, tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike, **options: float
    ) -> Floats:
        """Compute the metric at counts or rates: ``nan`` for 0/0, ``inf`` for other ratios to 0.

        Parameters
        ----------
        tp, fp, fn, tn : array-like of float
            True positives, false positives, false negatives and true negatives; broadcast.
        **options : float
            Those that are not the metric's are ignored.

        Returns
        -------
        ndarray of float, of the cells' common shape
        """
        cells = [np.asarray(cell, dtype=np.float64) for cell in (tp, fp, fn, tn)]
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.by_class:
                pos, neg = cells[0] + cells[2], cells[1] + cells[3]
                cells = [cell / size for cell, size in zip(cells, (pos, neg) * 2, strict=True)]
            value = self.function(*cells, **(self._own(options) if self.options else {}))
            return np.asarray(value[0] / value[1] if isinstance(value, tuple) else value)

    def _own(self, options: Mapping[str, float]) -> dict[str, float]:
        """Select the metric's own options, 1 where they are not given."""
        return {name: options.get(name, 1.0) for name in self.options}

    def coefficients(self, **options: float) -> tuple[Floats, Floats] | None:
        """Find the coefficients of TP, FP, FN and TN in a ratio of linear functions.

        Parameters
        ----------
        **options : float
            As for the metric itself.

        Returns
        -------
        numerator, denominator : ndarray of float, shape (4,)
            ``None`` for all other metrics.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            pair = self.function(*np.eye(4), **self._own(options))
        if not isinstance(pair, tuple):
            return None
        top, bottom = (np.broadcast_to(np.asarray(part, dtype=np.float64), 4) for part in pair)
        return top, bottom

    @cached_property
    def fixed_coefficients(self) -> tuple[Floats, Floats] | None:
        """The :meth:`coefficients`, if they depend on no option and no class size."""
        return None if self.by_class or self.options else self.coefficients()

    @cached_property
    def is_proportion(self) -> bool:
        """Whether it is the share of some cells of the table among others."""
        pair = self.fixed_coefficients
        return pair is not None and bool(np.isin(pair, (0, 1)).all() and (pair[0] <= pair[1]).all())

    @cached_property
    def is_bounded(self) -> bool:
        """Whether it is finite for every table."""
        corners = np.array(list(product((0.0, 1.0), repeat=4))).T
        return not np.isinf(self(*corners)).any()

    @cached_property
    def has_isometrics(self) -> bool:
        """Whether it depends on how samples are labelled."""
        tp, fp = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
        corners = self(tp, fp, 1 - tp, 1 - fp)
        return bool(np.nanmin(corners) < np.nanmax(corners))

    @cached_property
    def rises(self) -> bool:
        """Whether it improves with TPR and worsens with FPR."""
        rate = np.linspace(0.05, 0.95, 10)
        fpr, tpr = np.meshgrid(rate, rate)
        grid = self(tpr, fpr, 1 - tpr, 1 - fpr) * (1 if self.higher_is_better else -1)
        falls = np.diff(grid, axis=0).min() < -_NOISE or np.diff(grid, axis=1).max() > _NOISE
        return not falls


def _also(*names: str, **options: float) -> dict[str, Mapping[str, float]]:
    return dict.fromkeys(names, options)


_ROWS = (
    MetricRow(
        "tpr",
        lambda tp, fp, fn, tn: (tp, tp + fn),
        "true positive rate",
        aliases=_also("recall", "sensitivity", "recall_score"),
    ),
    MetricRow(
        "fpr",
        lambda tp, fp, fn, tn: (fp, fp + tn),
        "false positive rate",
        higher_is_better=False,
        aliases=_also("false_positive_rate"),
    ),
    MetricRow(
        "tnr",
        lambda tp, fp, fn, tn: (tn, fp + tn),
        "true negative rate",
        aliases=_also("specificity"),
    ),
    MetricRow(
        "fnr",
        lambda tp, fp, fn, tn: (fn, tp + fn),
        "false negative rate",
        higher_is_better=False,
        aliases=_also("miss_rate"),
    ),
    MetricRow(
        "precision",
        lambda tp, fp, fn, tn: (tp, tp + fp),
        aliases=_also("ppv", "positive_predictive_value", "precision_score"),
    ),
    MetricRow(
        "npv",
        lambda tp, fp, fn, tn: (tn, fn + tn),
        "negative predictive value",
        aliases=_also("negative_predictive_value"),
    ),
    MetricRow("false_discovery_rate", lambda tp, fp, fn, tn: (fp, tp + fp), higher_is_better=False),
    MetricRow("false_omission_rate", lambda tp, fp, fn, tn: (fn, fn + tn), higher_is_better=False),
    MetricRow(
        "accuracy",
        lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
        aliases=_also("accuracy_score"),
        is_objective=True,
    ),
    MetricRow(
        "error_rate",
        lambda tp, fp, fn, tn: (fp + fn, tp + fp + fn + tn),
        higher_is_better=False,
        aliases=_also("zero_one_loss"),
    ),
    MetricRow("prevalence", lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn)),
    MetricRow("predicted_positive_rate", lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn)),
    MetricRow(
        "cost",
        lambda tp, fp, fn, tn, cost_fp, cost_fn: (cost_fp * fp + cost_fn * fn, tp + fp + fn + tn),
        higher_is_better=False,
        options=("cost_fp", "cost_fn"),
        aliases=_also("expected_cost"),
        is_objective=True,
    ),
    MetricRow(
        "f",
        lambda tp, fp, fn, tn, beta: ((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp),
        "F measure",
        options=("beta",),
        aliases=(
            _also("fbeta_score", "f_beta")
            | _also("f1", "f1_score", beta=1.0)
            | _also("f2", beta=2.0)
            | _also("f0.5", beta=0.5)
        ),
        is_objective=True,
    ),
    MetricRow(
        "jaccard",
        lambda tp, fp, fn, tn: (tp, tp + fp + fn),
        "Jaccard",
        aliases=_also("jaccard_score"),
        is_objective=True,
    ),
    MetricRow(
        "balanced_accuracy",
        lambda tpr, fpr, fnr, tnr: (tpr + tnr, tpr + fpr + fnr + tnr),
        by_class=True,
        aliases=_also("am", "balanced_accuracy_score"),
        is_objective=True,
    ),
    MetricRow(
        "informedness",
        lambda tpr, fpr, fnr, tnr: (tpr - fpr, (tpr + fpr + fnr + tnr) / 2),
        by_class=True,
        aliases=_also("youden_j"),
    ),
    MetricRow(
        "g_tp_pr",
        # 0, not 0/0, if all labels or all predictions are negative
        lambda tp, fp, fn, tn: tp / np.sqrt(np.where(tp > 0, (tp + fp) * (tp + fn), fp + fn)),
        "G-TP/PR",
        aliases=_also("fowlkes_mallows"),
        is_objective=True,
    ),
    MetricRow(
        "g_mean",
        lambda tpr, fpr, fnr, tnr: np.sqrt(tpr * tnr),
        "G-Mean",
        by_class=True,
        is_objective=True,
    ),
    MetricRow(
        "h_mean",
        # the harmonic mean of 0 and 0 is 0
        lambda tpr, fpr, fnr, tnr: 2 * tpr * tnr / np.where(tpr + tnr == 0, 1.0, tpr + tnr),
        "H-Mean",
        by_class=True,
        is_objective=True,
    ),
    MetricRow(
        "q_mean",
        lambda tpr, fpr, fnr, tnr: 1 - (fnr**2 + fpr**2) / 2,
        "Q-Mean",
        by_class=True,
        is_objective=True,
    ),
    MetricRow(
        "mcc",
        lambda tp, fp, fn, tn: (
            (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        ),
        "MCC",
        aliases=_also("matthews_corrcoef"),
        is_objective=True,
        undefined=0.0,
    ),
    MetricRow(
        "sec",
        lambda tp, fp, fn, tn: -(((fp - fn) / (tp + fp + fn + tn)) ** 2),
        "minus SEC",
        is_objective=True,
        lines_of="predicted_positive_rate",
    ),
    MetricRow("odds_ratio", lambda tp, fp, fn, tn: tp * tn / (fp * fn)),
    MetricRow(
        "likelihood_ratio",
        lambda tpr, fpr, fnr, tnr: (tpr, fpr),
        by_class=True,
        aliases=_also("lr_positive", "positive_likelihood_ratio"),
    ),
    MetricRow(
        "lr_negative",
        lambda tpr, fpr, fnr, tnr: (fnr, tnr),
        "negative likelihood ratio",
        by_class=True,
        higher_is_better=False,
        aliases=_also("negative_likelihood_ratio"),
    ),
)

#: Every metric by its name.
METRICS: dict[str, MetricRow] = {row.name: row for row in _ROWS}


def ordered_metrics() -> list[MetricRow]:
    """List all rows; those that depend on both kinds of errors come first."""
    return sorted(METRICS.values(), key=attrgetter("is_objective"), reverse=True)


def metric_label(metric: str, beta: float = 1.0) -> str:
    """Name a metric in pictures and sentences."""
    row = find_metric(metric)[0]
    return f"F{beta:g}" if row.name == "f" else row.label


def find_metric(metric: Any, or_else: str = "") -> tuple[MetricRow, Mapping[str, float]]:
    """Find a metric by any of its names, with the implied options.

    Raises
    ------
    ValueError
        If no metric has that name; ``or_else`` says what else would do.
    """
    if isinstance(metric, str):
        if metric in METRICS:
            return METRICS[metric], {}
        for row in METRICS.values():
            if metric in row.aliases:
                return row, row.aliases[metric]
    rows = ordered_metrics()
    names = [row.name for row in rows] + [alias for row in rows for alias in row.aliases]
    raise ValueError(f"metric must be one of {', '.join(names)}{or_else}; got {describe(metric)}.")


def check_metric_options(
    beta: float = 1.0, cost_fp: float = 1.0, cost_fn: float = 1.0
) -> dict[str, float]:
    """Check the options of metrics.

    Raises
    ------
    ValueError
        If ``beta`` is not 0 or from 1e-6 to 1e6, or as :func:`check_costs`.
    """
    weight = check_number(beta, "beta", minimum=0.0)
    if weight and not 1 / _LARGEST_BETA <= weight <= _LARGEST_BETA:
        raise ValueError(
            f"beta must be 0 or from {1 / _LARGEST_BETA:g} to {_LARGEST_BETA:g}; got {weight:g}."
        )
    alarm, miss = check_costs(cost_fp, cost_fn)
    return {"beta": weight, "cost_fp": alarm, "cost_fn": miss}
