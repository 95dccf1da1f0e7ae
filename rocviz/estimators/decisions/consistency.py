"""Experiment on consistency: the regret of decisions by learned probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.progress import Progress
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_integer,
    check_random_state,
    check_vector,
    describe,
)
from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.decisions.label_utility import expected_utility
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric
from rocviz.estimators.base.repeats import mean_and_error, run_fits
from rocviz.estimators.base.scores import response_of

_COMPARED_RULES = ("dta", "half")
# of the true log odds
_SLOPE = 2.0
_INTERCEPT = -1.5


@dataclass(frozen=True, eq=False)
class ConsistencyExperiment(Frozen):
    """Regret of learned probabilities against the true ones, by the size of the training set.

    The result of :func:`consistency_experiment`.

    Parameters
    ----------
    n_train : ndarray of int, shape (n_sizes,)
        Training samples, increasing.
    rules : tuple of str
        ``"dta"``: the labels that would be best if the learned probabilities were true;
        ``"half"``: positive from one half up.
    regret : ndarray of float, shape (n_sizes, n_rules, n_repeats)
        How much worse the expected metric of the rule's labels is than that of the best, both by
        the *true* probabilities; not negative.
    n_test : int
        Samples in a batch.
    metric : Metric
        Metric that is maximised.
    """

    n_train: NDArray[np.intp]
    rules: tuple[str, ...]
    regret: Floats
    n_test: int
    metric: Metric

    @property
    def mean(self) -> Floats:
        """Mean regret over the repetitions, shape (n_sizes, n_rules)."""
        return mean_and_error(self.regret, -1)[0]

    @property
    def standard_error(self) -> Floats:
        """Standard error of :attr:`mean`, shape (n_sizes, n_rules)."""
        return mean_and_error(self.regret, -1)[1]

    def to_frame(self) -> DataFrame:
        """Make a table by size and rule: columns ``n_train, rule, regret, standard_error``."""
        return to_frame(
            n_train=self.n_train.repeat(len(self.rules)),
            rule=self.rules * self.n_train.size,
            regret=self.mean.ravel(),
            standard_error=self.standard_error.ravel(),
        )


def consistency_experiment(
    metric: MetricLike = "f",
    *,
    n_train: ArrayLike = (50, 200, 800, 3200),
    n_test: int = 30,
    estimator: Any = None,
    n_repeats: int = 30,
    random_state: Seed = None,
    progress: Progress | None = None,
    **options: Unpack[MetricOptions],
) -> ConsistencyExperiment:
    """Measure what decisions lose because their probabilities were learned from few samples.

    Points are normal in the plane and positive with probability
    ``1 / (1 + exp(1.5 - 2 * x[0]))``. In every repetition a batch is decided with
    probabilities learned from the first samples of one long training set, more and more of them,
    and each decision is evaluated by the true probabilities. If the classifier is consistent, the
    loss tends to 0 for every bounded metric that does not fall with true positives.

    Raises ``ValueError`` for bad input.

    Parameters
    ----------
    metric : str, LinearFractional or callable, default="f"
        As in :func:`rocviz.core.decisions.resolve_metric`.
    n_train : array-like of int, default=(50, 200, 800, 3200)
        Sizes of the training set, increasing, each at least 2.
    n_test : int, default=30
        Samples in a batch; at least 1.
    estimator : classifier, optional
        With ``predict_proba``; by default logistic regression without a penalty, which is
        consistent here. Where all training labels are alike, their class is taken for certain.
    n_repeats : int, default=30
        At least 2.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.
    progress : callable, optional
        Wraps the repetitions, such as ``tqdm.tqdm``.
    **options : float
        As in :func:`rocviz.core.decisions.resolve_metric`.

    References
    ----------
    Natarajan et al. (2015), Theorem 13 and Corollary 14.

    Examples
    --------
    >>> done = consistency_experiment("f1", n_train=[50, 2000], n_repeats=5, random_state=0)
    >>> done.mean.round(3)
    array([[0.019, 0.11 ],
           [0.   , 0.041]])
    """
    measure = resolve_metric(metric, **options)
    sizes = check_vector(n_train, "n_train")
    if sizes.size == 0 or (sizes != np.rint(sizes)).any() or sizes[0] < 2:
        raise ValueError(f"n_train must be whole numbers of at least 2; got {describe(n_train)}.")
    if (np.diff(sizes) <= 0).any():
        raise ValueError(f"n_train must increase; got {describe(n_train)}.")
    n_test = check_integer(n_test, "n_test", minimum=1)
    n_repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    rng = check_random_state(random_state)
    model = LogisticRegression(C=np.inf) if estimator is None else estimator
    response_of(model, methods=("predict_proba",))
    largest = float(sizes[-1])
    check_draws(
        n_repeats,
        10 * largest + n_test,
        8 * (largest + n_test) + 10 * n_repeats,
        n_repeats=n_repeats,
        n_train=n_train,
        n_test=n_test,
    )
    lengths = sizes.astype(int).tolist()

    def draw() -> tuple[Any, ...]:
        X = rng.normal(size=(lengths[-1] + n_test, 2))
        true_prob = expit(_INTERCEPT + _SLOPE * X[:, 0])
        y = rng.random(lengths[-1]) < true_prob[: lengths[-1]]
        return X, true_prob, y, lengths, model, measure

    inputs = (draw() for _ in range(n_repeats))
    regrets = list(run_fits(_regret, inputs, range(n_repeats), progress, None, "experiment"))
    regret = np.stack(regrets, axis=-1)
    return ConsistencyExperiment(
        n_train=sizes.astype(np.intp),
        rules=_COMPARED_RULES,
        # rounding may have made the best a little worse than what equals it
        regret=np.maximum(regret, 0.0),
        n_test=n_test,
        metric=measure,
    )


def _regret(
    X: Floats, true_prob: Floats, y: Any, lengths: list[int], model: Any, metric: Metric
) -> Floats:
    """Compute the regret, shape (n_sizes, n_rules); the batch comes after the samples."""
    batch = X[lengths[-1] :]
    batch_prob = true_prob[lengths[-1] :]
    best = metric.sign * optimal_decision(batch_prob, metric).utility
    regret = np.empty((len(lengths), len(_COMPARED_RULES)))
    for i, n in enumerate(lengths):
        learned = _learned_probabilities(model, X[:n], y[:n], batch)
        for j, labels in enumerate((optimal_decision(learned, metric).labels, learned >= 0.5)):
            regret[i, j] = best - metric.sign * expected_utility(labels, batch_prob, metric)
    return regret


def _learned_probabilities(model: Any, X: Floats, y: Any, batch: Floats) -> Floats:
    """Estimate the probabilities of a batch from training samples."""
    if y.all() or not y.any():
        return np.full(len(batch), float(y[0]))
    return np.asarray(clone(model).fit(X, y).predict_proba(batch)[:, 1])
