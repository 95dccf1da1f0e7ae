"""The Brier score and the log loss of several classes, and calibration of each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from rocviz.core.base.classes import ClassSamples, check_class_samples, class_clusters
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Seed,
    Weights,
    check_aligned,
    check_fraction,
    check_integer,
    check_random_state,
    label_column,
)
from rocviz.core.calibration.brier import BrierDecomposition, brier_decomposition
from rocviz.core.comparison.calibration_error import (
    CalibrationError,
    TestedModel,
    errors_of_models,
)
from rocviz.core.roc.segments import RankedSegments

_TERMS = ("brier", "miscalibration", "discrimination", "uncertainty")


@dataclass(frozen=True)
class MulticlassBrier(Frozen):
    """The Brier score of several classes with its exact decomposition by class.

    ``brier = miscalibration - discrimination + uncertainty``, as for each class against the rest.

    Parameters
    ----------
    brier : float
        Mean over samples of the sum over classes of the squared difference of probability and
        class, from 0 to 2; with two classes twice that of :func:`rocviz.brier_decomposition`.
    miscalibration : float
        What it loses against the probabilities of each class's hull.
    discrimination : float
        What those gain over always predicting how frequent each class is.
    uncertainty : float
        The score of always predicting that.
    log_loss : float
        Mean negative log-likelihood in nats; infinite where a true class had probability 0.
    by_class : dict of label to BrierDecomposition
        Of each class against the rest; the terms above are their sums.
    """

    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    log_loss: float
    by_class: dict[Any, BrierDecomposition]

    def to_frame(self) -> DataFrame:
        """Tabulate the terms: a row for each class, and their sum."""
        decompositions = [*self.by_class.values(), self]
        rows = [{name: getattr(terms, name) for name in _TERMS} for terms in decompositions]
        frame = to_frame(rows)
        frame.index = [*self.by_class, "sum"]
        return frame


def multiclass_brier(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    sample_weight: Weights = None,
) -> MulticlassBrier:
    """Compute the Brier score of several classes and its decomposition by the hull of each class.

    Parameters
    ----------
    y_true, y_prob, classes
        As for :func:`rocviz.hand_till_auc`.
    sample_weight : array-like of float, shape (n_samples,), optional

    Raises
    ------
    ValueError
        As for :func:`rocviz.hand_till_auc`.

    Notes
    -----
    The score is the sum of those of each class against the rest, and so is its decomposition.
    Calibration is classwise here: of the samples that get a probability q of class k, a share q is
    of class k. Probabilities that are calibrated in this sense may still be wrong together.

    References
    ----------
    Kull et al. (2019), on classwise calibration. Dimitriadis, Gneiting and Jordan (2021).

    Examples
    --------
    >>> p = [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]
    >>> parts = multiclass_brier([1, 0, 1, 2], p)
    >>> round(parts.brier, 4), round(parts.miscalibration, 4), round(parts.uncertainty, 4)
    (0.475, 0.1833, 0.625)
    """
    return brier_of(check_class_samples(y_true, y_prob, classes, sample_weight))


def brier_of(samples: ClassSamples) -> MulticlassBrier:
    """Compute :func:`multiclass_brier` for checked samples."""
    by_class = {}
    for k, label in enumerate(samples.classes):
        segments = RankedSegments.from_scores(
            samples.is_class(k), samples.prob[:, k], sample_weight=samples.weight
        )
        by_class[label] = brier_decomposition(segments)
    decompositions = by_class.values()
    return MulticlassBrier(
        brier=sum(terms.brier for terms in decompositions),
        miscalibration=sum(terms.miscalibration for terms in decompositions),
        discrimination=sum(terms.discrimination for terms in decompositions),
        uncertainty=sum(terms.uncertainty for terms in decompositions),
        log_loss=samples.log_loss,
        by_class=by_class,
    )


def classwise_calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> CalibrationError:
    """Compute the calibration error of several classes, its interval, and a test of calibration.

    Parameters
    ----------
    y_true, y_prob, classes
        As for :func:`rocviz.hand_till_auc`.
    sample_weight, clusters, confidence, n_resamples, random_state
        As for :func:`rocviz.core.comparison.calibration_error`.

    Returns
    -------
    CalibrationError
        The root of the miscalibration of :func:`multiclass_brier`, which is above zero for true
        probabilities too; ``p_value`` says how often labels that are drawn from the probabilities
        themselves have an error as large. With two classes the error is greater than that of
        :func:`rocviz.core.comparison.calibration_error` by the root of 2, and the p-value the same.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Kull et al. (2019). Dimitriadis, Gneiting and Jordan (2021).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.dirichlet([1, 1, 1], 300)
    >>> y = (rng.random(300)[:, None] > prob.cumsum(axis=1)).sum(axis=1)
    >>> sharp = prob**3 / (prob**3).sum(axis=1, keepdims=True)
    >>> fair = classwise_calibration_error(y, prob, n_resamples=99)
    >>> bold = classwise_calibration_error(y, sharp, n_resamples=99)
    >>> fair.p_value > 0.05, bold.p_value
    (True, 0.01)
    """
    check_aligned(y_true=y_true, y_prob=y_prob, sample_weight=sample_weight, clusters=clusters)
    samples = check_class_samples(y_true, y_prob, classes, sample_weight)
    unit = class_clusters(clusters, len(label_column(y_true, "y_true")), sample_weight)
    level = check_fraction(confidence, "confidence")
    draws = check_integer(n_resamples, "n_resamples", minimum=50)
    rng = check_random_state(random_state)
    models = [TestedModel.of_classes(samples)]
    return errors_of_models(models, unit, level, draws, rng)[0]
