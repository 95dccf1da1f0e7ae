"""The AUC of several classes, with intervals and paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import ClassSamples, check_class_samples, class_clusters
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_fraction,
    describe,
    label_column,
)
from rocviz.core.comparison.auc_covariance import AUCCovariance
from rocviz.core.comparison.hand_till import (
    AVERAGES,
    area_covariance,
    class_areas,
    fewest_clusters,
    influence_covariance,
    widened_ends,
)
from rocviz.core.roc.auc_variance import interval_ends

#: Ways to an interval, the default first.
INTERVAL_METHODS = ("widened-delong", "logit-delong", "delong")

# The least weight of a class: one sample, up to rounding.
_MIN_CLASS_WEIGHT = 1 - 1e-9


@dataclass(frozen=True, eq=False)
class MulticlassAUC(Frozen):
    """An AUC of several classes with its interval.

    Parameters
    ----------
    classes : tuple of label
    auc : float
        The mean of the areas; ties count one half.
    lower, upper : float
        Ends of the interval, within [0, 1].
    standard_error : float
        NaN where it cannot be estimated.
    average : str
        One of ``"hand-till"``, ``"ovr-macro"`` and ``"ovr-weighted"``.
    method : str
    confidence : float
        Nominal coverage.
    is_fallback : bool
        Whether Clopper and Pearson's interval takes the method's place, see :func:`hand_till_auc`.
    is_widened : bool
        Whether the smallest class shows so few errors that ``"widened-delong"`` allows for more
        variance than the data show.
    pairs : ndarray of float, shape (n_classes, n_classes)
        Row i, column j: how often a sample of class i has more of p_i than one of class j; NaN on
        the diagonal.
    one_vs_rest : ndarray of float, shape (n_classes,)
        AUC of each class against all others.
    n_clusters : int or None
        Clusters that hold the class which the fewest of them hold, where samples come in clusters.
        With fewer than ten the coverage is uncertain; with one the ends are NaN.
    """

    classes: tuple[Any, ...]
    auc: float
    lower: float
    upper: float
    standard_error: float
    average: str
    method: str
    confidence: float
    is_fallback: bool
    is_widened: bool
    pairs: Floats
    one_vs_rest: Floats
    n_clusters: int | None = None

    def to_frame(self) -> DataFrame:
        """Tabulate one row per class: its AUC against each other class and against all."""
        columns = {name: self.pairs[:, j] for j, name in enumerate(self.classes)}
        frame = to_frame({**columns, "one_vs_rest": self.one_vs_rest})
        frame.index = list(self.classes)
        return frame


def hand_till_auc(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    average: str = "hand-till",
    method: str = "widened-delong",
    confidence: float = 0.95,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
) -> MulticlassAUC:
    r"""Compute Hand and Till's AUC of several classes, or a one-vs-rest mean, with its interval.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels, of each class at least one.
    y_prob : array-like of float, shape (n_samples, n_classes)
        Probabilities of the classes; each row sums to 1. Columns of a data frame may carry the
        labels as their names.
    classes : sequence of label, optional
        The labels in the order of the columns, such as a classifier's ``classes_``; needed unless
        columns are named after them or labels are 0, 1, 2, ...
    average : {"hand-till", "ovr-macro", "ovr-weighted"}, default="hand-till"
        - ``"hand-till"``: the mean over all ordered pairs of classes i and j of A(i|j), the chance
          that a sample of class i has more of p_i than one of class j. It does not depend on how
          frequent classes are.
        - ``"ovr-macro"``: the mean of the AUCs of each class against all others.
        - ``"ovr-weighted"``: the same, weighted by how frequent the classes are.
    method : {"widened-delong", "logit-delong", "delong"}, default="widened-delong"
        - ``"logit-delong"``: an interval that is symmetric on the scale of
          ``log(AUC / (1 - AUC))``, by the normal distribution.
        - ``"delong"``: one that is symmetric around the AUC.
        - ``"widened-delong"``: as ``"logit-delong"``, by Student's distribution. Where the m
          samples of the smallest class show fewer than five errors, ``m * min(AUC, 1 - AUC) < 5``,
          the variance is at least that of exponential scores. With two classes that of
          :func:`rocviz.auc_interval`.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; each class must weigh at least 1.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together: what they contribute is summed,
        and the quantile is Student's by every method.

    Raises
    ------
    ValueError
        If an argument is invalid, a class has no sample, a row does not sum to 1, or
        nothing says which column belongs to which class.

    Notes
    -----
    With placements, a sample x of class k contributes

    .. math::

        V_k(x) = \frac{1}{K(K-1)} \left[\sum_{j \ne k} \overline\psi(p_k(x), p_k(\text{class }
        j)) + \sum_{i \ne k} \overline\psi(p_i(\text{class } i), p_i(x))\right],

    and the variance of M is the sum over classes of the variances of the means of these. For a
    mean of one class against the rest, the sizes of the classes vary from sample to sample too.
    With two classes all three are :func:`auc_interval`.

    The normal interval of DeLong's variance is too short where a class is small and the AUC near 1.
    In simulations of three and five classes, the smallest 5 % of 50 to 1,000 samples, and of three
    equal ones, with M from .5 to .999, 95 % intervals by ``"logit-delong"`` cover the truth in 80
    to 99 % of the data sets, those by ``"widened-delong"`` in 93 to 100 %.

    Where a class has a single sample or the data do not show how much the AUC varies, Clopper and
    Pearson's interval takes the method's place, for ``AUC * m`` successes in m trials, m the size
    of the smallest class: so many sets of one sample per class can be formed that share none. With
    clusters m is the least number of clusters that hold a class, and there is one degree of freedom
    less; that was simulated for two classes only, see :func:`rocviz.auc_interval`.

    References
    ----------
    Hand and Till (2001). DeLong, DeLong and Clarke-Pearson (1988). Pepe (2003), section 5.2 (logit
    scale). Satterthwaite (1946). Hanley and McNeil (1982) (exponential scores). Obuchowski (1997)
    (clusters).

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[.7, .2, .1], [.4, .4, .2], [.2, .6, .2], [.5, .3, .2], [.1, .2, .7], [.3, .2, .5]]
    >>> result = hand_till_auc(y, p, classes=["a", "b", "c"])
    >>> print(f"{result.auc:.3f}, {result.lower:.2f} to {result.upper:.2f}")
    0.917, 0.01 to 1.00
    >>> result.to_frame()
          a     b    c  one_vs_rest
    a   NaN  0.75  1.0        0.875
    b  0.75   NaN  1.0        0.875
    c  1.00  1.00  NaN        1.000
    """
    check_choice(average, "average", AVERAGES)
    check_choice(method, "method", INTERVAL_METHODS)
    level = check_fraction(confidence, "confidence")
    check_aligned(y_true=y_true, y_prob=y_prob, clusters=clusters)
    samples = check_class_samples(y_true, y_prob, classes, sample_weight)
    unit = class_clusters(clusters, len(label_column(y_true, "y_true")), sample_weight)
    return interval_of(samples, average, method, level, unit)


def interval_of(
    samples: ClassSamples,
    average: str = "hand-till",
    method: str = "widened-delong",
    confidence: float = 0.95,
    clusters: NDArray[np.intp] | None = None,
) -> MulticlassAUC:
    """Compute :func:`hand_till_auc` for checked samples, whose clusters are numbered."""
    check_class_weights(samples)
    areas = class_areas(samples, average)
    covariance, degrees = influence_covariance(samples, areas.influence[None], clusters)
    variance = float(covariance[0, 0])
    n_clusters = None
    if clusters is not None:
        n_clusters = fewest_clusters(samples.code, samples.n_classes, clusters)
    is_widened = False
    if method == "widened-delong":
        lower, upper, is_fallback, is_widened = widened_ends(
            areas, samples, variance, float(degrees[0]), confidence, clusters=clusters
        )
    else:
        low, high, missing = interval_ends(
            areas.auc,
            areas.wrong,
            variance,
            float(samples.size.min() if n_clusters is None else n_clusters),
            confidence,
            on_logit=method == "logit-delong",
            degrees=None if n_clusters is None else degrees[0],
        )
        lower, upper, is_fallback = float(low), float(high), bool(missing)
    if n_clusters is not None and n_clusters < 2:
        lower = upper = float("nan")
    return MulticlassAUC(
        classes=samples.classes,
        auc=areas.auc,
        lower=lower,
        upper=upper,
        standard_error=float("nan") if is_fallback else float(np.sqrt(variance)),
        average=average,
        method=method,
        confidence=confidence,
        is_fallback=is_fallback,
        is_widened=is_widened,
        pairs=areas.pairs,
        one_vs_rest=areas.one_vs_rest,
        n_clusters=n_clusters,
    )


def check_class_weights(samples: ClassSamples) -> None:
    """Raise unless each class weighs at least one sample."""
    lightest = int(samples.size.argmin())
    if samples.size[lightest] < _MIN_CLASS_WEIGHT:
        raise ValueError(
            "sample_weight must sum to at least 1 in each class, as it says how often a sample is "
            f"repeated; class {describe(samples.classes[lightest])} has "
            f"{samples.size[lightest]:.6g}."
        )


def hand_till_covariance(
    y_true: ArrayLike,
    y_probs: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Any] | None = None,
    average: str = "hand-till",
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
) -> AUCCovariance:
    """Compute the AUCs of several models on the same samples and their covariance, for tests.

    Parameters
    ----------
    y_true, classes, average, sample_weight, clusters
        As for :func:`hand_till_auc`; each class must weigh more than 1.001, and have samples in at
        least two clusters.
    y_probs : mapping of str to array-like of float, shape (n_samples, n_classes)
        Probabilities by each model.

    Returns
    -------
    AUCCovariance
        Its method ``pairs`` tests all pairs of models, and corrects the p-values after Holm.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Hand and Till (2001). DeLong, DeLong and Clarke-Pearson (1988). Obuchowski (1997). Holm (1979).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(150) % 3
    >>> good = (rng.dirichlet([1, 1, 1], 150) + 0.6 * np.eye(3)[y]) / 1.6
    >>> poor = (rng.dirichlet([1, 1, 1], 150) + 0.2 * np.eye(3)[y]) / 1.2
    >>> covariance = hand_till_covariance(y, {"good": good, "poor": poor})
    >>> covariance.auc.round(3), bool(covariance.pairs()["p_holm"][0] < 0.001)
    (array([0.971, 0.758]), True)
    """
    check_choice(average, "average", AVERAGES)
    if not isinstance(y_probs, Mapping) or not y_probs:
        raise ValueError(
            f"y_probs must map at least one name to probabilities; got {describe(y_probs)}."
        )
    models = {}
    for name, prob in zip(name_texts(y_probs, "y_probs"), y_probs.values(), strict=True):
        models[name] = check_class_samples(
            y_true, prob, classes, sample_weight, name=f"y_probs[{describe(name)}]"
        )
    check_aligned(y_true=y_true, clusters=clusters)
    unit = class_clusters(clusters, len(label_column(y_true, "y_true")), sample_weight)
    covariance, *_ = area_covariance(models, average, unit)
    return covariance
