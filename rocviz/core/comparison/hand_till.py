"""Areas under the curves of several classes, and the covariance of several models' areas.

Each column of the probabilities is sorted once. In column i a sample of class i is placed among the
others, and a sample of another class among those of class i. From these placements follow the
area of each pair of classes, and what each sample adds to the error of a mean of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.blocks import running_totals
from rocviz.core.base.classes import ClassSamples
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats
from rocviz.core.comparison.auc_covariance import AUCCovariance
from rocviz.core.roc.auc_intervals import AUCSpread
from rocviz.core.roc.auc_variance import (
    MAX_WEIGHT_OF_ONE_SAMPLE,
    MIN_ERRORS_OF_SMALLER_CLASS,
    interval_ends,
)
from rocviz.core.roc.placements import MAX_ROUNDING_ERROR, satterthwaite_degrees

#: Means of the areas: Hand and Till's M, and two of those of one class against the rest.
AVERAGES = ("hand-till", "ovr-macro", "ovr-weighted")


@dataclass(frozen=True, eq=False)
class ClassAreas(Frozen):
    """A mean of areas, with each sample's influence on it.

    Parameters
    ----------
    auc, wrong : float
        The mean, and 1 less the mean, each to full precision.
    pairs : ndarray of float, shape (n_classes, n_classes)
        Row i, column j: how often a sample of class i has more of p_i than one of class j.
    one_vs_rest : ndarray of float, shape (n_classes,)
    influence : ndarray of float, shape (n_samples,)
        Contribution of a sample to the error of the mean each time it is repeated.
    """

    auc: float
    wrong: float
    pairs: Floats
    one_vs_rest: Floats
    influence: Floats


def class_areas(samples: ClassSamples, average: str = "hand-till") -> ClassAreas:
    """Compute one of the :data:`AVERAGES` of checked samples; no class may be empty.

    References
    ----------
    Hand and Till (2001). DeLong, DeLong and Clarke-Pearson (1988), for the placements.
    """
    n_classes = samples.n_classes
    size = samples.size
    code = samples.code
    rest = size.sum() - size
    of_pairs = average == "hand-till"
    # weight of a sample of class j in column i, and of the column in the mean
    if of_pairs:
        share = np.broadcast_to(1 / ((n_classes - 1) * size), (n_classes, n_classes))
    else:
        share = np.broadcast_to(1 / rest[:, None], (n_classes, n_classes))
    column = samples.prior if average == "ovr-weighted" else np.full(n_classes, 1 / n_classes)

    wrong = np.full((n_classes, n_classes), np.nan)
    right = np.full((n_classes, n_classes), np.nan)
    influence = np.zeros(code.size)
    lost = np.empty(n_classes)  # complements of the columns' areas
    for i in range(n_classes):
        order, label, below, above = _placed(samples, i, share[i])
        own = label == i
        # pairs of class i below class j, half of the tied ones: whole numbers without weights
        n_pairs_below = below if samples.weight is None else below * samples.weight[order]
        swapped = np.bincount(label, np.where(own, 0.0, n_pairs_below), n_classes)
        pairs = size[i] * size
        wrong[i] = swapped / pairs
        right[i] = (pairs - swapped) / pairs
        wrong[i, i] = right[i, i] = np.nan
        of_others = np.delete(share[i] * size * wrong[i], i)
        lost[i] = of_others.sum()
        centre = wrong[i] if of_pairs else np.full(n_classes, lost[i])
        factor = share[i] / size[i]
        middle = centre * share[i]
        factor[i] = middle[i] = 0.0
        term = below * factor[label] - middle[label]
        np.copyto(term, (above - lost[i]) / size[i], where=own)
        influence[order] -= column[i] * term
    right[right < MAX_ROUNDING_ERROR] = 0.0  # up to rounding of weights
    if average == "ovr-weighted":
        influence -= ((lost - column @ lost) / size.sum())[code]
    of_rest = np.nansum(right * size, axis=1) / rest
    mean = np.nanmean(right, axis=1) if of_pairs else of_rest
    return ClassAreas(
        auc=float(column @ mean),
        wrong=float(column @ lost),
        pairs=right,
        one_vs_rest=of_rest,
        influence=influence,
    )


def _placed(
    samples: ClassSamples, i: int, share: Floats
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]:
    """Place the samples in column i: their order, classes, and misordered weight.

    That is the weight of class i below each sample, and above it the shares of the others; half of
    what is tied counts.
    """
    prob = np.ascontiguousarray(samples.prob[:, i])
    order = np.argsort(prob)
    prob = prob[order]
    label = samples.code[order]
    share_of_others = share.copy()
    share_of_others[i] = 0.0
    own = (label == i).astype(np.float64)
    other = share_of_others[label]
    if samples.weight is not None:
        own *= samples.weight[order]
        other = other * samples.weight[order]
    first = np.append(True, prob[1:] != prob[:-1])
    if first.all():
        below = running_totals(own)[:-1] + own / 2
        above = (running_totals(other[::-1])[:-1] + other[::-1] / 2)[::-1]
        return order, label, below, above
    start = np.flatnonzero(first)
    group = np.cumsum(first) - 1
    own = np.add.reduceat(own, start)
    other = np.add.reduceat(other, start)[::-1]
    below = running_totals(own)[:-1] + own / 2
    above = (running_totals(other)[:-1] + other / 2)[::-1]
    return order, label, below[group], above[group]


def influence_covariance(
    samples: ClassSamples, influences: Floats, clusters: NDArray[np.intp] | None = None
) -> tuple[Floats, Floats]:
    """Compute the covariance of estimates from the samples' influences, and degrees of freedom.

    ``influences`` has a row per estimate; ``clusters`` number samples that vary together. For two
    classes the covariance is DeLong's, and with clusters Obuchowski's. NaN if a class weighs 1.001
    or less, or there are fewer than two clusters of a class. The degrees of freedom of each
    variance are Satterthwaite's over the classes, or one less than the clusters of the class that
    the fewest hold.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Obuchowski (1997). Satterthwaite (1946).
    """
    n_estimates = len(influences)
    if samples.size.min() <= MAX_WEIGHT_OF_ONE_SAMPLE:
        return np.full((n_estimates, n_estimates), np.nan), np.full(n_estimates, np.inf)
    largest = np.abs(influences * samples.size[samples.code]).max(axis=1)
    influences = np.where(largest[:, None] >= MAX_ROUNDING_ERROR, influences, 0.0)
    weighted = influences if samples.weight is None else influences * samples.weight
    if clusters is not None:
        return clustered_covariance(samples.code, samples.n_classes, weighted, clusters)
    by_class = np.empty((samples.n_classes, n_estimates, n_estimates))
    for k, size in enumerate(samples.size):
        of_class = samples.is_class(k)
        mean = weighted[:, of_class].sum(axis=1) / size
        away = influences[:, of_class] - mean[:, None]
        repeated = away if samples.weight is None else away * samples.weight[of_class]
        by_class[k] = size / (size - 1) * (repeated @ away.T) + size * np.outer(mean, mean)
    variances = np.diagonal(by_class, axis1=1, axis2=2)
    return by_class.sum(axis=0), satterthwaite_degrees(variances, samples.size[:, None])


def clustered_covariance(
    code: NDArray[np.intp], n_classes: int, weighted: Floats, clusters: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Compute the covariance where the samples of a cluster vary together.

    ``weighted`` has the influences of all samples, times their weights, in a row per estimate;
    ``code`` numbers their classes, each of which varies by itself.

    References
    ----------
    Obuchowski (1997).
    """
    n_clusters = int(clusters.max()) + 1
    n_estimates = len(weighted)
    sums_of_all = np.zeros((n_estimates, n_clusters))
    of_classes = np.zeros((n_estimates, n_estimates))
    correction = np.zeros_like(of_classes)
    sizes = _clusters_by_class(code, n_classes, clusters)
    fewest = min(sizes)
    if fewest < 2:
        return np.full((n_estimates, n_estimates), np.nan), np.full(n_estimates, np.inf)
    factor = n_clusters / (n_clusters - 1)
    for k, n_class_clusters in enumerate(sizes):
        of_class = code == k
        cluster = clusters[of_class]
        sums = np.array([np.bincount(cluster, row[of_class], n_clusters) for row in weighted])
        sums_of_all += sums
        # corrections for a small number of clusters of a class
        class_factor = n_class_clusters / (n_class_clusters - 1)
        of_classes += class_factor * (sums @ sums.T)
        correction += (class_factor - factor) * (sums @ sums.T)
    total = correction + factor * (sums_of_all @ sums_of_all.T)
    # an estimate that is not positive leaves out the products of different classes
    is_diagonal = np.eye(n_estimates, dtype=np.bool_)
    is_lost = is_diagonal & (total <= MAX_ROUNDING_ERROR * of_classes)
    return np.where(is_lost, of_classes, total), np.full(n_estimates, fewest - 1.0)


def fewest_clusters(code: NDArray[np.intp], n_classes: int, clusters: NDArray[np.intp]) -> int:
    """Count the clusters that hold each class, and find the least number."""
    return min(_clusters_by_class(code, n_classes, clusters))


def _clusters_by_class(
    code: NDArray[np.intp], n_classes: int, clusters: NDArray[np.intp]
) -> list[int]:
    """Count the clusters that hold each class."""
    return [np.unique(clusters[code == k]).size for k in range(n_classes)]


def _independent_sizes(samples: ClassSamples, clusters: NDArray[np.intp] | None) -> Floats:
    """List the weight of each class, or the number of clusters that hold it."""
    if clusters is None:
        return samples.size
    sizes = _clusters_by_class(samples.code, samples.n_classes, clusters)
    return np.array(sizes, dtype=np.float64)


def area_covariance(
    models: Mapping[str, ClassSamples],
    average: str = "hand-till",
    clusters: NDArray[np.intp] | None = None,
) -> tuple[AUCCovariance, list[ClassAreas]]:
    """Compute a mean area of each of several models of the same samples, and their covariance.

    It raises ``ValueError`` if a class has a weight of 1.001 or less, or there are fewer than two
    clusters of a class.
    """
    areas = [class_areas(samples, average) for samples in models.values()]
    samples = next(iter(models.values()))
    influences = np.array([area.influence for area in areas])
    covariance, degrees = influence_covariance(samples, influences, clusters)
    if np.isnan(covariance).any():
        if clusters is not None:
            raise ValueError("clusters must give each class at least two clusters.")
        raise ValueError(
            "y_true and sample_weight must give each class a weight of more than "
            f"{MAX_WEIGHT_OF_ONE_SAMPLE}."
        )
    auc = np.array([area.auc for area in areas])
    difference = np.subtract.outer(auc, auc)
    difference[np.abs(difference) < MAX_ROUNDING_ERROR] = 0.0
    error = np.zeros_like(covariance)
    difference_degrees = np.full_like(covariance, np.inf)
    is_same = np.eye(auc.size, dtype=np.bool_)
    for i, j in combinations(range(auc.size), 2):
        gap = influences[i] - influences[j]
        variance, freedom = influence_covariance(samples, gap[None], clusters)
        error[i, j] = error[j, i] = sqrt(max(float(variance[0, 0]), 0.0))
        difference_degrees[i, j] = difference_degrees[j, i] = freedom[0]
        largest = np.abs(gap * samples.size[samples.code]).max()
        is_same[i, j] = is_same[j, i] = largest < MAX_ROUNDING_ERROR and difference[i, j] == 0
    sizes = _independent_sizes(samples, clusters)
    covariances = AUCCovariance(
        names=tuple(models),
        auc=auc,
        wrong=np.array([area.wrong for area in areas]),
        covariance=covariance,
        difference=difference,
        difference_error=error,
        degrees=degrees,
        difference_degrees=difference_degrees,
        is_same=is_same,
        smaller=float(sizes.min()),
        min_variance=np.array([min_variance(area.auc, area.wrong, sizes) for area in areas]),
    )
    return covariances, areas


def min_variance(auc: float, wrong: float, sizes: Floats) -> float:
    """Compute the least variance of a mean area of several classes that intervals allow for.

    ``sizes`` are the weights of the classes, or the numbers of clusters that hold them.

    Where the smallest class shows fewer than five errors, a sample may have missed the tail of its
    scores. Then placements vary as those of exponential scores do, the smallest class on the heavy
    side; 0 elsewhere, and for two classes, which have an interval of their own.
    """
    size = np.sort(sizes)
    larger = max(auc, wrong)
    lacking = min(auc, wrong)
    if size.size == 2 or size[0] * lacking >= MIN_ERRORS_OF_SMALLER_CLASS:
        return 0.0
    heavy = larger**2 * lacking / (1 + larger) / size[0]
    light = larger * lacking**2 / (2 - larger) * float((1 / size[1:]).sum())
    return float(2 / size.size**2 * (heavy + light))


def widened_ends(
    area: ClassAreas,
    samples: ClassSamples,
    variance: float,
    degrees: float,
    confidence: float,
    *,
    clusters: NDArray[np.intp] | None = None,
) -> tuple[float, float, bool, bool]:
    """Compute the default interval of a mean area of several classes.

    It is symmetric on the scale of log odds, by Student's distribution, with a variance of at least
    :func:`min_variance`; of two classes it is that of :func:`rocviz.auc_interval`. ``clusters``
    number samples that vary together. Also whether Clopper and Pearson's interval stands in, and
    whether the interval is widened.
    """
    sizes = _independent_sizes(samples, clusters)
    smaller = float(sizes.min())
    if samples.n_classes == 2:
        n_neg, n_pos = (float(size) for size in samples.size)
        spread = AUCSpread(area.auc, area.wrong, variance, n_pos, n_neg, np.empty(0))
        if clusters is not None:
            spread = replace(spread, degrees=degrees, n_clusters=int(smaller))
        interval = spread.interval(confidence)
        return interval.lower, interval.upper, interval.is_fallback, interval.is_widened
    least = min_variance(area.auc, area.wrong, sizes)
    is_widened = 0 < variance < least
    lower, upper, is_fallback = interval_ends(
        area.auc,
        area.wrong,
        least if is_widened else variance,
        smaller,
        confidence,
        on_logit=True,
        degrees=degrees,
    )
    return float(lower), float(upper), bool(is_fallback), is_widened and not is_fallback
