"""Areas under the curves of several classes, and the covariance of several models' areas.

Each column of the probabilities is sorted once. In column i a sample of class i is placed among the
others, and a sample of another class among those of class i. From these placements follow the
area of each pair of classes, and what each sample adds to the error of a mean of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.blocks import running_totals
from rocviz.core.base.classes import ClassSamples
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats
from rocviz.core.comparison.auc_covariance import AUCCovariance
from rocviz.core.roc.auc_variance import MAX_WEIGHT_OF_ONE_SAMPLE
from rocviz.core.roc.delong_test import MAX_ROUNDING_ERROR

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
    samples: ClassSamples, influences: Floats, groups: NDArray[np.intp] | None = None
) -> Floats:
    """Compute the covariance of estimates from the samples' influences.

    ``influences`` has a row per estimate; ``groups`` number samples that vary together. For two
    classes it is DeLong's, and with groups Obuchowski's. NaN if a class weighs 1.001 or less, or
    there are fewer than two groups of a class.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Obuchowski (1997).
    """
    n_estimates = len(influences)
    if samples.size.min() <= MAX_WEIGHT_OF_ONE_SAMPLE:
        return np.full((n_estimates, n_estimates), np.nan)
    largest = np.abs(influences * samples.size[samples.code]).max(axis=1)
    influences = np.where(largest[:, None] >= MAX_ROUNDING_ERROR, influences, 0.0)
    weighted = influences if samples.weight is None else influences * samples.weight
    if groups is not None:
        return _of_groups(samples, weighted, groups)
    total = np.zeros((n_estimates, n_estimates))
    for k, size in enumerate(samples.size):
        of_class = samples.is_class(k)
        mean = weighted[:, of_class].sum(axis=1) / size
        away = influences[:, of_class] - mean[:, None]
        repeated = away if samples.weight is None else away * samples.weight[of_class]
        total += size / (size - 1) * (repeated @ away.T) + size * np.outer(mean, mean)
    return total


def _of_groups(samples: ClassSamples, weighted: Floats, groups: NDArray[np.intp]) -> Floats:
    """Compute the covariance where the samples of a group vary together."""
    n_groups = int(groups.max()) + 1
    n_estimates = len(weighted)
    sums_of_all = np.zeros((n_estimates, n_groups))
    total = np.zeros((n_estimates, n_estimates))
    for k in range(samples.n_classes):
        of_class = samples.is_class(k)
        group = groups[of_class]
        n_class_groups = np.unique(group).size
        if n_class_groups < 2:
            return np.full((n_estimates, n_estimates), np.nan)
        sums = np.array([np.bincount(group, row[of_class], n_groups) for row in weighted])
        sums_of_all += sums
        # correction for a small number of groups of a class
        correction = n_class_groups / (n_class_groups - 1) - n_groups / (n_groups - 1)
        total += correction * (sums @ sums.T)
    return np.asarray(total + n_groups / (n_groups - 1) * (sums_of_all @ sums_of_all.T))


def area_covariance(
    models: Mapping[str, ClassSamples],
    average: str = "hand-till",
    groups: NDArray[np.intp] | None = None,
) -> tuple[AUCCovariance, list[ClassAreas]]:
    """Compute a mean area of each of several models of the same samples, and their covariance.

    It raises ``ValueError`` if a class has a weight of 1.001 or less, or there are fewer than two
    groups of a class.
    """
    areas = [class_areas(samples, average) for samples in models.values()]
    samples = next(iter(models.values()))
    influences = np.array([area.influence for area in areas])
    covariance = influence_covariance(samples, influences, groups)
    if np.isnan(covariance).any():
        if groups is not None:
            raise ValueError("groups must give each class at least two groups.")
        raise ValueError(
            "y_true and sample_weight must give each class a weight of more than "
            f"{MAX_WEIGHT_OF_ONE_SAMPLE}."
        )
    auc = np.array([area.auc for area in areas])
    difference = np.subtract.outer(auc, auc)
    difference[np.abs(difference) < MAX_ROUNDING_ERROR] = 0.0
    error = np.zeros_like(covariance)
    for i, j in combinations(range(auc.size), 2):
        gap = (influences[i] - influences[j])[None]
        variance = float(influence_covariance(samples, gap, groups)[0, 0])
        error[i, j] = error[j, i] = sqrt(max(variance, 0.0))
    return AUCCovariance(tuple(models), auc, covariance, difference, error), areas
