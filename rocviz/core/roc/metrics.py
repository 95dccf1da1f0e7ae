"""The one table of metrics, confusion tables, and intervals of the proportions in them.

Decisions, isometrics, explorers, reports and the documentation read the table. To add a metric, add
a row, with an option of its own if it has one, and let ``make format`` write what docstrings and
type checkers repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import inf, isnan
from operator import attrgetter
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import (
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    betaln,
    expit,
    log_expit,
    ndtri,
)

from rocviz.core.base.frozen import DataFrame, Frozen
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_costs,
    check_flag,
    check_fraction,
    check_number,
    check_numbers,
    check_share,
    check_spread,
    describe,
)

_ROUNDING_TOLERANCE = 1e-12  # tolerance for a fall of a metric by rounding

INTERVAL_METHODS = ("wilson", "clopper-pearson", "jeffreys")

# SciPy's quantiles of Beta distributions of more trials are off: of 1000 in 1e9, by a factor of 2.
_MAX_TRIALS_OF_SCIPY = 1e4
_MAX_TRIALS = 1e12


@dataclass(frozen=True)
class MetricOption:
    """A number that a metric asks for, such as beta of the F measure.

    Parameters
    ----------
    name : str
        The keyword of all functions and estimators that take metrics, and the input of explorers.
    default : float
    text : str
        What it means, for documentation; a sentence.
    low, high : float
        The least and the greatest value, both of which are allowed.
    or_zero : bool, default=False
        Whether 0 is allowed too.
    label : str, optional
        Of its slider in explorers, which otherwise keep the default.
    stops : tuple of float, optional
        Values of the slider; with it, explorers take values between ``limits``.
    limits : tuple of float, optional
        The least and the greatest value in explorers; by default the first and last stop.
    """

    name: str
    default: float
    text: str
    low: float = 0.0
    high: float = inf
    or_zero: bool = False
    label: str = ""
    stops: tuple[float, ...] = ()
    limits: tuple[float, float] | None = None

    @property
    def range_text(self) -> str:
        """The range in words: "0, or from 1e-06 to 1e+06"."""
        text = f"at least {self.low:g}"
        if self.high < inf:
            text = f"from {self.low:g} to {self.high:g}"
        return f"0 or {text}" if self.or_zero else text

    def check(self, value: Any) -> float:
        """Check a value.

        Parameters
        ----------
        value : float
            In the range of the option.

        Raises
        ------
        ValueError
            If it is not a number in the range.
        """
        number = check_number(value, self.name, minimum=None if self.low < 0 else 0.0)
        is_zero = self.or_zero and number == 0
        if not is_zero and not self.low <= number <= self.high:
            raise ValueError(f"{self.name} must be {self.range_text}; got {describe(value)}.")
        return number


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
        Its name in pictures and sentences; by default ``name`` with spaces.
    by_class : bool, default=False
        Whether the function is given each class's shares (TPR, FPR, FNR and TNR), so that the
        prevalence does not matter.
    higher_is_better : bool, default=True
    options : tuple of MetricOption
        The options that it takes, of which two rows may share one.
    check_options : callable, optional
        Checks the options together; takes them by name and raises ``ValueError``.
    label_with_options : str, optional
        Its name in pictures and sentences with options, such as ``"F{beta:g}"``.
    aliases : mapping of str to mapping
        Its other names, each with the options that the name implies.
    is_objective : bool, default=False
        Whether it weighs both kinds of errors, so that its best threshold is worth asking for.
    undefined : float, optional
        Its value in decisions where it is 0/0, in place of ``zero_division``.
    isometrics_of : str, optional
        The metric whose isometrics are its own too, if several of its own belong to one value.
    text : str, optional
        Its definition in a few words, for documentation.
    in_groups : str, optional
        Its label in pictures of groups, which compare it then, as do summaries and reports; only of
        a proportion.
    in_report : bool, default=False
        Whether the report gives it for the best threshold of each model; only of a proportion.
    of_classes : callable, optional
        The same metric of several classes, a function of
        :class:`rocviz.core.multiclass.metrics.Counts`.
    """

    name: str
    function: Callable[..., Any]
    label: str = ""
    by_class: bool = False
    higher_is_better: bool = True
    options: tuple[MetricOption, ...] = ()
    check_options: Callable[..., Any] | None = None
    label_with_options: str = ""
    aliases: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    is_objective: bool = False
    undefined: float | None = None
    isometrics_of: str = ""
    text: str = ""
    in_groups: str = ""
    in_report: bool = False
    of_classes: Callable[[Any], Any] | None = None

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
            Options that the metric does not take are ignored.

        Returns
        -------
        ndarray of float, of the cells' common shape
        """
        cells = [np.asarray(cell, dtype=np.float64) for cell in (tp, fp, fn, tn)]
        shapes = {cell.shape for cell in cells}
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.by_class:
                n_pos = cells[0] + cells[2]
                n_neg = cells[1] + cells[3]
                sizes = (n_pos, n_neg, n_pos, n_neg)
                cells = [cell / size for cell, size in zip(cells, sizes, strict=True)]
            value = self.function(*cells, **self.own_options(options))
            value = np.asarray(value[0] / value[1] if isinstance(value, tuple) else value)
        if shapes == {value.shape}:
            return value
        # a metric of some of the cells does not see the shapes of the others
        return np.broadcast_to(value, np.broadcast_shapes(*shapes))

    def own_options(self, options: Mapping[str, float]) -> dict[str, float]:
        """Select the metric's own options, the defaults where they are not given.

        Parameters
        ----------
        options : mapping of str to float
            Others are left out.

        Returns
        -------
        dict of str to float
        """
        return {option.name: options.get(option.name, option.default) for option in self.options}

    def label_of(self, options: Mapping[str, float]) -> str:
        """Name the metric with its options in pictures and sentences.

        Parameters
        ----------
        options : mapping of str to float
            Others are ignored.
        """
        if self.label_with_options:
            return self.label_with_options.format(**self.own_options(options))
        return self.label

    def size(self, options: Mapping[str, float]) -> float:
        """Compute the greatest absolute value where all samples are in one cell; 1 without any.

        Parameters
        ----------
        options : mapping of str to float
            Others are ignored.
        """
        values = np.abs(self(*np.eye(4), **options))
        finite = values[np.isfinite(values)]
        return float(finite.max()) if finite.size else 1.0

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
            pair = self.function(*np.eye(4), **self.own_options(options))
        if not isinstance(pair, tuple):
            return None
        numerator, denominator = pair
        return _four_numbers(numerator), _four_numbers(denominator)

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
    def depends_on_prevalence(self) -> bool:
        """Whether it has another value where positives are rarer and rates the same."""
        rates = np.array([0.7, 0.2, 0.3, 0.8])
        rare = rates * [0.1, 0.9, 0.1, 0.9]
        return bool(abs(self(*rates) - self(*rare)) > _ROUNDING_TOLERANCE)

    @cached_property
    def is_mean(self) -> bool:
        """Whether it is a mean over samples, so that each is labelled without the others."""
        pair = self.coefficients()
        return pair is not None and not self.by_class and bool((pair[1] == pair[1][0]).all())

    @cached_property
    def is_bounded(self) -> bool:
        """Whether it is finite for every table."""
        corners = np.array(list(product((0.0, 1.0), repeat=4))).T
        return not np.isinf(self(*corners)).any()

    @cached_property
    def has_isometrics(self) -> bool:
        """Whether it depends on how samples are labelled."""
        tp = np.array([0.0, 0.0, 1.0, 1.0])
        fp = np.array([0.0, 1.0, 0.0, 1.0])
        corners = self(tp, fp, 1 - tp, 1 - fp)
        return bool(np.nanmin(corners) < np.nanmax(corners))

    @cached_property
    def rises(self) -> bool:
        """Whether it improves with TPR and worsens with FPR."""
        rate = np.linspace(0.05, 0.95, 10)
        fpr, tpr = np.meshgrid(rate, rate)
        grid = self(tpr, fpr, 1 - tpr, 1 - fpr) * (1 if self.higher_is_better else -1)
        falls = (
            np.diff(grid, axis=0).min() < -_ROUNDING_TOLERANCE
            or np.diff(grid, axis=1).max() > _ROUNDING_TOLERANCE
        )
        return not falls


_BETA = MetricOption(
    "beta",
    1.0,
    "Of the F measure: how many times recall counts as much as precision.",
    low=1e-6,
    high=1e6,
    or_zero=True,
    label="β, the weight of recall",
    stops=(0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0),
    limits=(0.01, 100.0),
)
_COST_FP = MetricOption(
    "cost_fp", 1.0, "Of the cost: that of a false alarm; not both costs are zero."
)
_COST_FN = MetricOption("cost_fn", 1.0, "Of the cost: that of a miss; not both costs are zero.")
_THRESHOLD_PROBABILITY = MetricOption(
    "threshold_probability",
    0.5,
    "Of the net benefit: the probability from which on acting is worth it; its odds are the true "
    "positives that one false positive costs.",
    low=1e-6,
    high=1 - 1e-6,
    label="acting is worth it from",
    stops=(0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99),
    limits=(0.001, 0.999),
)


def _macro_f1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Compute the mean of F1 of both classes; 0 of one that does not occur and is not predicted."""
    errors = fp + fn
    f1_of_positives = 2 * tp / np.where(tp + errors == 0, 1.0, 2 * tp + errors)
    f1_of_negatives = 2 * tn / np.where(tn + errors == 0, 1.0, 2 * tn + errors)
    return (f1_of_positives + f1_of_negatives) / 2


def _mcc_of_classes(counts: Any) -> Any:
    """Compute Gorodkin's correlation; 0 where one class alone is predicted, or occurs."""
    variances = (counts.n**2 - counts.predicted_squared) * (counts.n**2 - counts.true @ counts.true)
    varies = variances > 0
    covariance = counts.correct * counts.n - counts.agreement
    return np.where(varies, covariance / np.sqrt(np.where(varies, variances, 1.0)), 0.0)


def _kappa_of_classes(counts: Any) -> Any:
    """Compute Cohen's kappa; 0 where chance agreement is certain."""
    chance = counts.agreement / counts.n**2
    varies = chance < 1
    return np.where(
        varies, (counts.correct / counts.n - chance) / np.where(varies, 1 - chance, 1), 0.0
    )


def _also(*names: str, **options: float) -> dict[str, Mapping[str, float]]:
    return dict.fromkeys(names, options)


_ROWS = (
    MetricRow(
        "tpr",
        lambda tp, fp, fn, tn: (tp, tp + fn),
        "true positive rate",
        aliases=_also("recall", "sensitivity", "recall_score"),
        text="the share of the positives that are predicted positive",
        in_groups="of the positives",
        in_report=True,
    ),
    MetricRow(
        "fpr",
        lambda tp, fp, fn, tn: (fp, fp + tn),
        "false positive rate",
        higher_is_better=False,
        aliases=_also("false_positive_rate"),
        text="the share of the negatives that are predicted positive",
        in_groups="of the negatives",
        in_report=True,
    ),
    MetricRow(
        "tnr",
        lambda tp, fp, fn, tn: (tn, fp + tn),
        "true negative rate",
        aliases=_also("specificity"),
        text="the share of the negatives that are predicted negative",
    ),
    MetricRow(
        "fnr",
        lambda tp, fp, fn, tn: (fn, tp + fn),
        "false negative rate",
        higher_is_better=False,
        aliases=_also("miss_rate"),
        text="the share of the positives that are predicted negative",
    ),
    MetricRow(
        "precision",
        lambda tp, fp, fn, tn: (tp, tp + fp),
        aliases=_also("ppv", "positive_predictive_value", "precision_score"),
        text="the share of positives among those predicted positive",
        in_groups="precision",
        in_report=True,
    ),
    MetricRow(
        "npv",
        lambda tp, fp, fn, tn: (tn, fn + tn),
        "negative predictive value",
        aliases=_also("negative_predictive_value"),
        text="the share of negatives among those predicted negative",
    ),
    MetricRow(
        "false_discovery_rate",
        lambda tp, fp, fn, tn: (fp, tp + fp),
        higher_is_better=False,
        text="the share of negatives among those predicted positive",
    ),
    MetricRow(
        "false_omission_rate",
        lambda tp, fp, fn, tn: (fn, fn + tn),
        higher_is_better=False,
        text="the share of positives among those predicted negative",
    ),
    MetricRow(
        "accuracy",
        lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
        aliases=_also("accuracy_score"),
        is_objective=True,
        text="the share of right labels",
        of_classes=lambda counts: counts.correct / counts.n,
    ),
    MetricRow(
        "error_rate",
        lambda tp, fp, fn, tn: (fp + fn, tp + fp + fn + tn),
        higher_is_better=False,
        aliases=_also("zero_one_loss"),
        text="the share of wrong labels",
    ),
    MetricRow(
        "prevalence",
        lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn),
        text="the share of positives",
    ),
    MetricRow(
        "predicted_positive_rate",
        lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
        text="the share of samples that are predicted positive",
        in_groups="predicted positive",
    ),
    MetricRow(
        "cost",
        lambda tp, fp, fn, tn, cost_fp, cost_fn: (cost_fp * fp + cost_fn * fn, tp + fp + fn + tn),
        higher_is_better=False,
        options=(_COST_FP, _COST_FN),
        check_options=check_costs,
        aliases=_also("expected_cost"),
        is_objective=True,
        text="the mean cost of a decision",
        of_classes=lambda counts: counts.cost / counts.n,
    ),
    MetricRow(
        "net_benefit",
        lambda tp, fp, fn, tn, threshold_probability: (
            tp - threshold_probability / (1 - threshold_probability) * fp,
            tp + fp + fn + tn,
        ),
        options=(_THRESHOLD_PROBABILITY,),
        label_with_options="net benefit at {threshold_probability:g}",
        is_objective=True,
        text="the share of true positives less that of false ones times the odds of acting",
    ),
    MetricRow(
        "f",
        lambda tp, fp, fn, tn, beta: ((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp),
        "F measure",
        options=(_BETA,),
        label_with_options="F{beta:g}",
        aliases=(
            _also("fbeta_score", "f_beta")
            | _also("f1", "f1_score", beta=1.0)
            | _also("f2", beta=2.0)
            | _also("f0.5", beta=0.5)
        ),
        is_objective=True,
        text="the weighted harmonic mean of TPR and precision",
    ),
    MetricRow(
        "jaccard",
        lambda tp, fp, fn, tn: (tp, tp + fp + fn),
        "Jaccard",
        aliases=_also("jaccard_score"),
        is_objective=True,
        text="true positives as a share of the positives and those predicted positive",
    ),
    MetricRow(
        "balanced_accuracy",
        lambda tpr, fpr, fnr, tnr: (tpr + tnr, tpr + fpr + fnr + tnr),
        by_class=True,
        aliases=_also("am", "balanced_accuracy_score"),
        is_objective=True,
        text="the mean of TPR and TNR",
        of_classes=lambda counts: counts.recall / counts.true.size,
    ),
    MetricRow(
        "informedness",
        lambda tpr, fpr, fnr, tnr: (tpr - fpr, (tpr + fpr + fnr + tnr) / 2),
        by_class=True,
        aliases=_also("youden_j"),
        text="TPR less FPR",
    ),
    MetricRow(
        "g_tp_pr",
        # 0, not 0/0, if all labels or all predictions are negative
        lambda tp, fp, fn, tn: tp / np.sqrt(np.where(tp > 0, (tp + fp) * (tp + fn), fp + fn)),
        "G-TP/PR",
        aliases=_also("fowlkes_mallows"),
        is_objective=True,
        text="the geometric mean of TPR and precision",
    ),
    MetricRow(
        "g_mean",
        lambda tpr, fpr, fnr, tnr: np.sqrt(tpr * tnr),
        "G-Mean",
        by_class=True,
        is_objective=True,
        text="the geometric mean of TPR and TNR",
    ),
    MetricRow(
        "h_mean",
        # the harmonic mean of 0 and 0 is 0
        lambda tpr, fpr, fnr, tnr: 2 * tpr * tnr / np.where(tpr + tnr == 0, 1.0, tpr + tnr),
        "H-Mean",
        by_class=True,
        is_objective=True,
        text="the harmonic mean of TPR and TNR",
    ),
    MetricRow(
        "q_mean",
        lambda tpr, fpr, fnr, tnr: 1 - (fnr**2 + fpr**2) / 2,
        "Q-Mean",
        by_class=True,
        is_objective=True,
        text="one minus the mean square of 1 - TPR and 1 - TNR",
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
        text="Matthews' correlation of labels and truth",
        of_classes=_mcc_of_classes,
    ),
    MetricRow(
        "macro_f1",
        _macro_f1,
        "macro F1",
        is_objective=True,
        text="the mean of F1 of the classes",
        of_classes=lambda counts: counts.f1 / counts.true.size,
    ),
    MetricRow(
        "kappa",
        lambda tp, fp, fn, tn: (
            2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
        ),
        aliases=_also("cohen_kappa_score"),
        is_objective=True,
        undefined=0.0,
        text="Cohen's agreement of labels and truth beyond that of chance",
        of_classes=_kappa_of_classes,
    ),
    MetricRow(
        "sec",
        lambda tp, fp, fn, tn: -(((fp - fn) / (tp + fp + fn + tn)) ** 2),
        "minus SEC",
        is_objective=True,
        isometrics_of="predicted_positive_rate",
        text="minus the squared error of counts, of numbers predicted positive alone",
    ),
    MetricRow(
        "odds_ratio",
        lambda tp, fp, fn, tn: tp * tn / (fp * fn),
        text="the odds of being predicted positive of positives, divided by those of negatives",
    ),
    MetricRow(
        "likelihood_ratio",
        lambda tpr, fpr, fnr, tnr: (tpr, fpr),
        by_class=True,
        aliases=_also("lr_positive", "positive_likelihood_ratio"),
        text="TPR divided by FPR",
    ),
    MetricRow(
        "lr_negative",
        lambda tpr, fpr, fnr, tnr: (fnr, tnr),
        "negative likelihood ratio",
        by_class=True,
        higher_is_better=False,
        aliases=_also("negative_likelihood_ratio"),
        text="FNR divided by TNR",
    ),
)

#: Every metric by its name.
METRICS: dict[str, MetricRow] = {row.name: row for row in _ROWS}


def ordered_metrics() -> list[MetricRow]:
    """List all rows; those that depend on both kinds of errors come first."""
    return sorted(METRICS.values(), key=attrgetter("is_objective"), reverse=True)


def metric_options() -> dict[str, MetricOption]:
    """Map names to the options of all metrics."""
    return {option.name: option for row in METRICS.values() for option in row.options}


def metric_label(metric: str, options: Mapping[str, float]) -> str:
    """Name a metric with its options in pictures and sentences."""
    return find_metric(metric)[0].label_of(options)


def find_metric(
    metric: Any, hint: str = "", *, argument: str = "metric"
) -> tuple[MetricRow, Mapping[str, float]]:
    """Find a metric by any of its names, with the implied options.

    ``argument`` is the name by which the caller was given it.

    Raises
    ------
    ValueError
        If no metric has that name; ``hint`` says what else would do.
    """
    if isinstance(metric, str):
        if metric in METRICS:
            return METRICS[metric], {}
        for row in METRICS.values():
            if metric in row.aliases:
                return row, row.aliases[metric]
    rows = ordered_metrics()
    names = [row.name for row in rows]
    for row in rows:
        names += row.aliases
    raise ValueError(f"{argument} must be one of {', '.join(names)}{hint}; got {describe(metric)}.")


class RowOptions(TypedDict, total=False):
    """Options of the rows of the table, for type checkers."""

    # options of metrics, written by tools/metrics.py
    cost_fp: float
    cost_fn: float
    threshold_probability: float
    beta: float
    # end


def check_metric_options(options: Mapping[str, object], *others: str) -> dict[str, float]:
    """Check options of metrics, and fill in the defaults.

    Parameters
    ----------
    options : mapping of str to object
    *others : str
        Keywords that the caller takes beside them, for errors.

    Raises
    ------
    TypeError
        If no metric has an option of that name.
    ValueError
        If an option is not in its range, or a metric refuses its options together.
    """
    known = metric_options()
    for name in options:
        if name not in known:
            names = ", ".join([*known, *others])
            raise TypeError(f"unexpected keyword {describe(name)}; options are {names}.")
    checked = {}
    for name, option in known.items():
        checked[name] = option.check(options[name]) if name in options else option.default
    for row in METRICS.values():
        if row.check_options is not None:
            row.check_options(**row.own_options(checked))
    return checked


@dataclass(frozen=True)
class ConfusionTable(Frozen):
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
            # NumPy's small integers would overflow in sums, and its short floats round products
            object.__setattr__(self, name, check_number(getattr(self, name), name, minimum=0.0))
        if not (isinstance(self.threshold, float) and isnan(self.threshold)):
            check_number(self.threshold, "threshold", finite=False)
        check_flag(self.is_expected, "is_expected")
        check_spread("tp, fp, fn and tn", [self.tp, self.fp, self.fn, self.tn])

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

    def __getattr__(self, name: str) -> float:
        try:
            value = self.metric(name)
        except ValueError:
            raise AttributeError(f"a ConfusionTable has no metric {describe(name)}") from None
        vars(self)[name] = value  # cached for the next access
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *METRICS})

    def metric(self, name: str, **options: Unpack[RowOptions]) -> float:
        """Compute a metric.

        Parameters
        ----------
        name : str
            Any name of a metric, see :data:`rocviz.core.roc.metrics.METRICS`.
        cost_fp : float, default=1.0
            Of the cost: that of a false alarm; not both costs are zero. At least 0.
        cost_fn : float, default=1.0
            Of the cost: that of a miss; not both costs are zero. At least 0.
        threshold_probability : float, default=0.5
            Of the net benefit: the probability from which on acting is worth it; its odds are the
            true positives that one false positive costs. From 1e-06 to 0.999999.
        beta : float, default=1.0
            Of the F measure: how many times recall counts as much as precision. 0 or from 1e-06 to
            1e+06.

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
        row, implied = find_metric(name, argument="name")
        checked = check_metric_options({**options, **implied}) if row.options or options else {}
        return float(row(self.tp, self.fp, self.fn, self.tn, **checked))

    def proportion(self, name: str) -> tuple[float, float]:
        """Count the successes and trials of a proportion.

        Parameters
        ----------
        name : str
            A metric that counts some cells of the table among more of them, by any of its names.
            Proportions are ``tpr``, ``fpr``, ``tnr``, ``fnr``, ``precision``, ``npv``,
            ``false_discovery_rate``, ``false_omission_rate``, ``accuracy``, ``error_rate``,
            ``prevalence``, ``predicted_positive_rate``, ``jaccard``.

        Returns
        -------
        successes, trials : float

        Raises
        ------
        ValueError
            If no proportion has that name.
        """
        row = find_metric(name, argument="name")[0]
        pair = row.fixed_coefficients
        if pair is None or not row.is_proportion:
            names = ", ".join(_proportions())
            raise ValueError(f"name must be one of {names}; got {describe(name)}.")
        cells = np.array([self.tp, self.fp, self.fn, self.tn])
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
        x, n = map(np.asarray, self.proportion(name))
        if self.is_expected:
            raise ValueError("an interval needs observed counts; this table holds expected ones.")
        level = check_fraction(confidence, "confidence")
        check_choice(method, "method", INTERVAL_METHODS)
        lower, upper = interval_of_counts(x, n, level, 1 - level, method, "counts of the table")
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
        c_fp, c_fn = check_costs(cost_fp, cost_fn)
        if prevalence is None:
            costs = {"cost_fp": c_fp, "cost_fn": c_fn}
            return float(METRICS["cost"](self.tp, self.fp, self.fn, self.tn, **costs))
        pi = check_share(prevalence, "prevalence", ends=True)
        return (1 - pi) * c_fp * self.fpr + pi * c_fn * self.fnr

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
        check_spread("total", total)
        if not (self.n_pos and self.n_neg):
            raise ValueError(
                "The table must have samples of both classes; otherwise a rate is undefined."
            )
        pos = total * pi
        neg = total * (1 - pi)
        cells = pos * self.tpr, neg * self.fpr, pos * self.fnr, neg * self.tnr
        return table_of_sums(*cells, self.threshold, is_expected=True)

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

        rows = {}
        for name in _proportions():
            ends = (np.nan, np.nan)
            if not self.is_expected:
                ends = self.interval(name, confidence=confidence, method=method)
            rows[name] = (getattr(self, name), *self.proportion(name), *ends)
        columns = ["value", "count", "of", "lower", "upper"]
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
        frame.index.name = "rate"
        return frame

    def _repr_html_(self) -> str:
        cells = [f"{value:.10g}" for value in (self.tp, self.fn, self.fp, self.tn)]
        return (
            "<table><tr><th></th><th>predicted +</th><th>predicted &minus;</th></tr>"
            f"<tr><th>actual +</th><td>{cells[0]}</td><td>{cells[1]}</td></tr>"
            f"<tr><th>actual &minus;</th><td>{cells[2]}</td><td>{cells[3]}</td></tr></table>"
        )


def table_of_sums(
    tp: float,
    fp: float,
    fn: float,
    tn: float,
    threshold: float = float("nan"),
    *,
    is_expected: bool = False,
) -> ConfusionTable:
    """Make a table of checked weights, whose sums may be farther apart than counts of a user."""
    table = object.__new__(ConfusionTable)
    cells = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    vars(table).update(cells, threshold=threshold, is_expected=is_expected)
    return table


def _four_numbers(coefficients: Any) -> Floats:
    """Convert the coefficients of the four cells, or one for all of them, to an array."""
    return np.broadcast_to(np.asarray(coefficients, dtype=np.float64), 4)


def _proportions() -> list[str]:
    """List the metrics that are proportions of counts, each of which has an interval."""
    return [name for name, row in METRICS.items() if row.is_proportion]


# ------------------------------------------------------------------ intervals of proportions


def binomial_interval(
    successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95, method: str = "wilson"
) -> tuple[Floats, Floats]:
    """Compute equal-tailed confidence intervals of binomial proportions.

    Parameters
    ----------
    successes, trials : array-like of float
        Broadcast against each other; ``0 <= successes <= trials``. Fractions (weights) are
        allowed and enter as if they were counts. At most 1e12 trials for the last two methods.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    method : {"wilson", "clopper-pearson", "jeffreys"}, default="wilson"
        Wilson's score interval has about the stated coverage on average, at 95 % not less than 82 %
        for any proportion (the least is that of proportions near 0 or 1); Clopper and Pearson's has
        at least the stated coverage whatever the proportion, and is wider; Jeffreys' is the
        credible interval of the Beta(1/2, 1/2) prior, its ends set to 0 and 1 where nothing or
        everything succeeded, and covers not less than 86 %.

    Returns
    -------
    lower, upper : ndarray of float
        Of the broadcast shape, within [0, 1]; (0, 1) where there were no trials.

    Raises
    ------
    ValueError
        If counts are negative, not finite, or more succeed than were tried; if ``confidence``
        or ``method`` is unknown.

    Notes
    -----
    Trials are independent. Those of clusters, such as a patient's rows, say less, and counts do not
    tell whose they are.

    References
    ----------
    Brown, Cai and DasGupta (2001).

    Examples
    --------
    >>> low, high = binomial_interval(8, 10, method="clopper-pearson")
    >>> round(float(low), 4), round(float(high), 4)
    (0.4439, 0.9748)
    """
    check_choice(method, "method", INTERVAL_METHODS)
    level = check_fraction(confidence, "confidence")
    counts = check_numbers(successes, "successes"), check_numbers(trials, "trials")
    try:
        x, n = np.broadcast_arrays(*counts)
    except ValueError as error:
        shapes = " and ".join(str(count.shape) for count in counts)
        raise ValueError(
            f"successes and trials must have shapes that broadcast; got shapes {shapes}."
        ) from error
    if not (np.isfinite(x).all() and np.isfinite(n).all() and (x >= 0).all() and (x <= n).all()):
        raise ValueError("successes and trials must be finite with 0 <= successes <= trials.")
    return interval_of_counts(x, n, level, 1 - level, method)


def interval_of_counts(
    x: Floats, n: Floats, confidence: float, outside: float, method: str, name: str = "trials"
) -> tuple[Floats, Floats]:
    """Compute :func:`binomial_interval` from checked counts and ``1 - confidence``.

    ``name`` names the caller's counts in an error.
    """
    if method == "wilson":
        z = normal_quantile(confidence, outside)
        z2 = z**2
        share = x / np.where(n > 0, n, 1.0)
        above = x + z2 / 2 + z * np.hypot(np.sqrt((n - x) * share), z / 2)
        # both ends are roots of a quadratic equation, whose product is x² / n / (n + z²)
        lower = share * np.divide(x, above, out=np.zeros(x.shape), where=above > 0)
        upper = np.divide(above, n + z2, out=np.ones(x.shape), where=n + z2 > 0)
    else:
        a, b = (0.0, 1.0) if method == "clopper-pearson" else (0.5, 0.5)
        if n.size and n.max() > _MAX_TRIALS:
            raise ValueError(
                f"{name} must be at most {_MAX_TRIALS:g} for method={describe(method)}; got "
                f"{n.max():.6g}."
            )
        lower = _beta_quantile(x + a, n - x + b, outside / 2, upper=False)
        upper = _beta_quantile(x + b, n - x + a, outside / 2, upper=True)
    lower = np.where(x == 0, 0.0, np.clip(lower, 0.0, 1.0))
    upper = np.where(x == n, 1.0, np.clip(upper, 0.0, 1.0))
    return lower, upper


def _beta_quantile(a: Floats, b: Floats, tail: float, *, upper: bool) -> Floats:
    """Find the Beta quantile with this lower tail, or upper tail (``upper``).

    Of many trials it is found by Newton's method on the logarithm of the tail's probability, which
    is concave in the log odds, from the normal approximation there.
    """
    quantile = np.asarray(betainccinv(a, b, tail) if upper else betaincinv(a, b, tail))
    many = (a + b > _MAX_TRIALS_OF_SCIPY) & (np.minimum(a, b) > 0)
    if not many.any():
        return quantile
    a, b = a[many], b[many]
    # the rarer outcome's share has full precision
    rare = np.minimum(a, b)
    rest = np.maximum(a, b)
    is_below = (a <= b) != upper
    sign = np.where(is_below, 1.0, -1.0)
    steps = max(float(ndtri(tail)), -4.0)  # farther out the tail may underflow
    log_odds = np.log(rare / rest) + sign * steps * np.sqrt(1 / rare + 1 / rest)
    for _ in range(12):  # ten steps suffice
        share = expit(log_odds)
        chance = np.where(is_below, betainc(rare, rest, share), betaincc(rare, rest, share))
        log_density = rare * log_expit(log_odds) + rest * log_expit(-log_odds) - betaln(rare, rest)
        step = sign * np.log(chance / tail) * chance * np.exp(-log_density)
        log_odds = log_odds - step
    quantile[many] = expit(np.where(a <= b, log_odds, -log_odds))
    return quantile
