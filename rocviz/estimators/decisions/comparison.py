"""Compare ways of choosing labels on given data: for each batch, by a threshold, at 1/2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit, cross_val_predict
from sklearn.utils import _safe_indexing

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.progress import Progress
from rocviz.core.base.splits import error_of_splits
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    check_choice,
    check_fraction,
    check_integer,
    check_labels,
    check_sequence,
)
from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.base.classifier import (
    as_random_state,
    check_same_rows,
    check_two_classes,
    positive_column,
)
from rocviz.estimators.base.repeats import run_fits
from rocviz.estimators.base.scores import positive_score, response_of


@dataclass(frozen=True, eq=False)
class DecisionComparison(Frozen):
    """Metrics on test samples, for each metric, kind of probabilities and method.

    Parameters
    ----------
    metrics : tuple of str
        Their names.
    utility : ndarray, shape (n_metrics, 2, 3, n_repeats)
        The metric of the test samples, on average over their batches, in every split.
    n_train, n_test : int
        Samples in each split.
    higher_is_better : tuple of bool
        Of each metric; not of costs and errors.

    Attributes
    ----------
    probabilities : tuple of str
        ``"raw"``: the classifier's own; ``"hull"``: calibrated by the convex hull, as by
        :class:`HullCalibratedClassifier`.
    methods : tuple of str
        ``"dta"``: the labels that are best for the batch in expectation; ``"eum"``: the
        threshold that was best on the training samples; ``"half"``: probability above 1/2.
    """

    probabilities: ClassVar[tuple[str, ...]] = ("raw", "hull")
    methods: ClassVar[tuple[str, ...]] = ("dta", "eum", "half")

    metrics: tuple[str, ...]
    utility: Floats
    n_train: int
    n_test: int
    higher_is_better: tuple[bool, ...]

    @property
    def n_repeats(self) -> int:
        """Random splits that were done."""
        return self.utility.shape[-1]

    @property
    def mean(self) -> Floats:
        """Mean over the splits, shape (n_metrics, 2, 3)."""
        return self.utility.mean(axis=-1)

    @property
    def standard_error(self) -> Floats:
        """Standard error of :attr:`mean`, which allows for the samples that splits share.

        The variance over the splits is multiplied by ``1 / n_repeats + n_test / n_train``.
        Splits of the same data are not independent, so that ``1 / n_repeats`` alone is far
        too small (Nadeau and Bengio, 2003, "Inference for the generalization error").
        """
        return self._error(self.utility)

    def difference(self, method: str = "dta", other: str = "eum") -> tuple[Floats, Floats]:
        """Compute how much better one method is than another, split by split.

        Parameters
        ----------
        method, other : str
            Two of ``methods``.

        Returns
        -------
        mean, standard_error : ndarray of float, shape (n_metrics, n_probabilities)
            Of the difference on the same test samples, which is much surer than the
            difference of two means.

        Raises
        ------
        ValueError
            If a method was not compared.
        """
        check_choice(method, "method", self.methods)
        check_choice(other, "other", self.methods)
        sign = np.where(self.higher_is_better, 1.0, -1.0)[:, None, None]
        utility = self.utility[:, :, self.methods.index(method)]
        other_utility = self.utility[:, :, self.methods.index(other)]
        gain = sign * (utility - other_utility)
        return gain.mean(axis=-1), self._error(gain)

    def _error(self, values: Floats) -> Floats:
        return error_of_splits(values, self.n_train, self.n_test, axis=-1)

    def to_frame(self) -> DataFrame:
        """Make a table with one row per metric, kind of probabilities and method.

        Columns ``metric, probabilities, method, mean, standard_error, n_repeats``.
        """
        rows = product(self.metrics, self.probabilities, self.methods)
        metric, probabilities, method = zip(*rows, strict=True)
        return to_frame(
            metric=metric,
            probabilities=probabilities,
            method=method,
            mean=self.mean.ravel(),
            standard_error=self.standard_error.ravel(),
            n_repeats=self.n_repeats,
        )


def compare_decisions(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    metrics: str | Iterable[str] | Mapping[str, Any] = ("f", "jaccard", "am", "g_mean"),
    n_repeats: int = 20,
    test_size: float = 0.5,
    batch_size: int | None = None,
    cv: int = 5,
    pos_label: Any = None,
    random_state: Seed = None,
    progress: Progress | None = None,
) -> DecisionComparison:
    """Compare decisions by batch, by empirical threshold and at one half on test samples.

    The data are split at random again and again, with the same mix of classes on either side.
    In each split the classifier is fitted to the training samples, and scores them by
    cross-fitting. Those scores choose the empirical threshold, and fit the hull. The test
    samples are then labelled by each method and evaluated by each metric.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``.
    X : array-like, shape (n_samples, n_features)
    y : array-like, shape (n_samples,)
        Labels of exactly two classes.
    metrics : sequence of metrics, or mapping of str to metric
        As in :func:`rocviz.optimal_decision`; functions need the name that a mapping
        gives them.
    n_repeats : int, default=20
        Random splits; at least 2.
    test_size : float, default=0.5
        Share of the samples to test on.
    batch_size : int, optional
        Test samples that are decided on, and evaluated, together; the metric is averaged over
        batches, and what is left over is not used. By default all test samples are one batch.
    cv : int, default=5
        Folds for cross-fitting.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    random_state : int, RandomState, Generator or None, default=None
        Source of the splits.
    progress : callable, optional
        Wraps the splits, such as ``tqdm.tqdm``.

    Returns
    -------
    DecisionComparison

    Raises
    ------
    ValueError
        If a metric is unknown, or a number out of range.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> done = compare_decisions(
    ...     GaussianNB(), X[:, :4], y == 0, metrics=["f"], n_repeats=3, random_state=0
    ... )
    >>> done.to_frame().round(3)
      metric probabilities method   mean  standard_error  n_repeats
    0      f           raw    dta  0.842           0.022          3
    1      f           raw    eum  0.828           0.018          3
    2      f           raw   half  0.846           0.025          3
    3      f          hull    dta  0.827           0.017          3
    4      f          hull    eum  0.828           0.018          3
    5      f          hull   half  0.839           0.018          3
    """
    resolved = _named_metrics(metrics)
    n_repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    cv = check_integer(cv, "cv", minimum=2)
    test_size = check_fraction(test_size, "test_size")
    response_of(estimator, methods=("predict_proba",))
    X, labels = check_same_rows(X, y)
    rng = as_random_state(random_state)
    labels, classes = check_two_classes(labels)
    positive = check_labels(labels, pos_label, "y")
    column = positive_column(classes, labels[positive][0])
    check_draws(n_repeats, 10 * len(labels), n_repeats * len(labels), n_repeats=n_repeats)
    splitter = StratifiedShuffleSplit(n_repeats, test_size=test_size, random_state=rng)
    splits = list(splitter.split(np.zeros(len(labels)), labels))
    train, test = splits[0]
    size = len(test)
    if batch_size is not None:
        size = check_integer(batch_size, "batch_size", minimum=1, maximum=len(test))
    train_positive = positive[train]
    if min(train_positive.sum(), (~train_positive).sum()) < cv:
        raise ValueError(f"cv: {cv} folds need {cv} training samples of each class.")
    data = (estimator, X, labels, positive, column)
    inputs = ((*data, *split, cv, resolved, size) for split in splits)
    utilities = list(run_fits(_utilities, inputs, range(n_repeats), progress, None, "comparison"))
    return DecisionComparison(
        metrics=tuple(resolved),
        utility=np.stack(utilities, axis=-1),
        n_train=len(train),
        n_test=len(test),
        higher_is_better=tuple(metric.higher_is_better for metric in resolved.values()),
    )


def _named_metrics(metrics: Any) -> dict[str, Metric]:
    """Resolve metrics, given as a mapping, as a list of names or as a single name."""
    if isinstance(metrics, Mapping):
        named = {str(name): resolve_metric(metric) for name, metric in metrics.items()}
    else:
        named = {}
        if isinstance(metrics, str):
            metrics = [metrics]
        for metric in check_sequence(metrics, "metrics", "one or more metrics"):
            if not isinstance(metric, str):
                raise ValueError(
                    "metrics that are functions need names: give a mapping of names to metrics."
                )
            named[metric] = resolve_metric(metric)
    if not named:
        raise ValueError("metrics is empty; at least one is needed.")
    return named


def _utilities(
    estimator: Any,
    X: Any,
    y: Any,
    positive: Bools,
    column: int,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    cv: int,
    metrics: dict[str, Metric],
    size: int,
) -> Floats:
    """Compute the metrics of the test samples of one split, shape (n_metrics, 2, 3)."""
    X_train = _safe_indexing(X, train)
    y_train = _safe_indexing(y, train)
    out_of_fold = cross_val_predict(
        clone(estimator), X_train, y_train, cv=cv, method="predict_proba"
    )
    fitted = clone(estimator).fit(X_train, y_train)
    raw_train = out_of_fold[:, column]
    raw_test = positive_score(fitted, _safe_indexing(X, test), "predict_proba", column)
    train_positive = positive[train]
    calibrate = fit_hull(RankedSegments.from_scores(train_positive, raw_train), m=2.0)
    by_kind = [(raw_train, raw_test), (calibrate(raw_train), calibrate(raw_test))]

    batches = np.arange(test.size // size * size).reshape(-1, size)
    truth = positive[test][batches]
    utility = np.empty((len(metrics), 2, 3))
    for j, (train_prob, test_prob) in enumerate(by_kind):
        prob = test_prob[batches]
        for i, metric in enumerate(metrics.values()):
            optimal = np.array([optimal_decision(batch, metric).labels for batch in prob])
            threshold = best_empirical_threshold(train_positive, train_prob, metric).threshold
            for k, predicted in enumerate((optimal == 1, prob >= threshold, prob > 0.5)):
                n_true_positive = (predicted & truth).sum(1)
                values = metric.at_counts(n_true_positive, predicted.sum(1), truth.sum(1), size)
                utility[i, j, k] = values.mean()
    return utility
