"""Expected utility of every prefix of a ranking, for any metric: sums over windows of counts.

Negligible tails of both laws are dropped, and their mass is added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.progress import Progress, ShouldStop, steps
from rocviz.core.base.validation import Bools, Floats
from rocviz.core.decisions._integral_utility import absent_class
from rocviz.core.decisions._smooth_utility import smooth_utilities
from rocviz.core.decisions.poisson_binomial import ends, pmf_window, prefix_laws
from rocviz.core.decisions.utility import Metric

_PREFIXES_PER_BLOCK = 64  # that are evaluated together
_BLOCKS_PER_LAW = 32  # blocks between stored laws of the remaining samples
_MAX_DROPPED_MASS = 1e-20  # at each end whenever samples are added
_MIN_PROBABILITY = 1e-30  # smaller ones are dropped while many samples are added at once
_MAX_SKIPPED_MASS = 1e-16  # at each end, for which the metric is not evaluated
_CELLS_PER_BLOCK = 2**15  # values of the metric at a time

# If the metric is smooth, the sum over every m-th count, times m, is right but for a part
# exp(-2 (sigma sin(pi / m))**2); at this value of sigma sin(pi / m) that is 3e-15.
_STRIDE_PRECISION = 4.1


@dataclass(frozen=True)
class Law:
    """Probabilities of the counts ``start``, ``start + 1``, ...; ``lost`` is the dropped mass."""

    start: int = 0
    chance: Floats = field(default_factory=lambda: np.ones(1))
    lost: float = 0.0

    def plus(self, start: int, chance: Floats) -> Law:
        """Add an independent count, and drop negligible ends."""
        total = np.convolve(self.chance, chance)
        low, high = ends(total, _MAX_DROPPED_MASS)
        lost = self.lost + float(total[:low].sum() + total[high:].sum())
        # rounding drifts as samples are added, but the remaining mass is known
        remaining = total[low:high] * ((1 - lost) / total[low:high].sum())
        return Law(self.start + start + low, remaining, lost)

    def window(self) -> tuple[int, int]:
        """Find the range of counts that matter."""
        low, high = ends(self.chance, _MAX_SKIPPED_MASS)
        return self.start + low, self.start + high


@dataclass(frozen=True)
class _Count:
    """The laws of one count at successive prefixes: of a common law plus that of some samples."""

    law: Law
    rows: Floats
    window: tuple[int, int]
    stride: int

    def with_stride(self, stride: int) -> _Count:
        """Copy the laws with another stride."""
        return _Count(self.law, self.rows, self.window, stride)

    def lattice(self, offset: int) -> tuple[Floats, Floats]:
        """Select every ``stride``-th count and its probabilities at each prefix."""
        low, high = self.window
        counts = np.arange(low + offset, high, self.stride)
        index = counts - self.law.start - np.arange(self.rows.shape[1])[:, None]
        inside = (index >= 0) & (index < self.law.chance.size)
        chance = np.where(inside, self.law.chance[np.where(inside, index, 0)], 0.0)
        return counts.astype(np.float64), self.stride * (self.rows @ chance)


def windowed_utilities(
    probability: Floats,
    measure: Metric,
    tol: float,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
    *,
    has_bends: bool = True,
) -> tuple[Floats, float]:
    """Compute the expected utility of each prefix, and a bound on the error besides rounding.

    Probabilities decrease. Without bends most prefixes come from moments, see
    :func:`smooth_utilities`. At the others the laws of true positives and of misses are built
    forward and backward, never by deconvolution. Where they are wide, the double sum runs over four
    strided lattices, in each other's gaps; if they do not agree to ``tol``, in units of the
    metric's greatest value or of :func:`_unit`, their strides are halved, in the end to 1, which is
    the full sum. The error is the mass outside the windows times the metric's greatest size, plus
    the greatest difference between lattices. A step of ``progress`` is a block of prefixes.
    """
    n = probability.size
    unit = _unit(probability, measure)
    out = np.full(n + 1, np.nan)
    error = 0.0
    if not has_bends:
        out, error = smooth_utilities(probability, measure, tol, unit)
    requested = _blocks_with(np.isnan(out))
    progress_steps = steps(requested, progress, should_stop, "sum over counts")
    for k, tp, fn, lost in _laws(probability, set(requested)):
        next(progress_steps)
        out[k], block_error = _sum_block(tp, fn, k.astype(np.float64), n, measure, lost, tol, unit)
        error = max(error, block_error)
    next(progress_steps, None)  # completes the progress bar
    if measure.name in ("g_mean", "h_mean"):
        out += absent_class(probability, measure.zero_division)
    return out, error


def _unit(probability: Floats, measure: Metric) -> float:
    """Estimate a function's greatest value at expected tables, at most 1."""
    if measure.function is None:
        return 1.0
    k = np.arange(probability.size + 1.0)
    tp = np.minimum(np.concatenate(([0.0], np.cumsum(probability))), k)
    try:
        greatest = float(np.abs(measure.at_counts(tp, k, tp[-1], probability.size)).max())
    except ValueError:
        return 1.0  # between counts; at counts it may be finite
    return min(greatest, 1.0) or 1.0


def _blocks_with(requested: Bools) -> list[int]:
    """List the first prefix of every block with a requested prefix."""
    starts = range(0, requested.size - 1, _PREFIXES_PER_BLOCK)
    return [start for start in starts if requested[start : start + _PREFIXES_PER_BLOCK + 1].any()]


@dataclass(frozen=True)
class _Part:
    """Successive samples from the place ``start`` on, and whether a prefix among them is requested.

    ``first_count`` and ``law`` are of the number of positives among them.
    """

    start: int
    probability: Floats
    is_requested: bool
    first_count: int
    law: Floats


def _divide(probability: Floats, requested: set[int]) -> list[_Part]:
    """Divide a ranking into parts; those without a requested prefix are as long as possible."""
    size = _PREFIXES_PER_BLOCK * _BLOCKS_PER_LAW

    def is_requested(start: int) -> bool:
        return not requested.isdisjoint(range(start, start + size, _PREFIXES_PER_BLOCK))

    parts = []
    for requests, group in groupby(range(0, probability.size, size), is_requested):
        starts = list(group)
        length = size
        if not requests:
            length = size * len(starts)
            starts = starts[:1]
        for start in starts:
            part = probability[start : start + length]
            parts.append(_Part(start, part, requests, *pmf_window(part, _MIN_PROBABILITY)))
    return parts


def _laws(
    probability: Floats, requested: set[int]
) -> Iterator[tuple[NDArray[np.int64], _Count, _Count, float]]:
    """Yield for requested blocks the prefixes, the laws of both counts, and their dropped mass."""
    n = probability.size
    variance = np.concatenate(([0.0], np.cumsum(probability * (1 - probability))))
    parts = _divide(probability, requested)
    laws_after = [Law()]
    for part in parts[:0:-1]:
        laws_after.append(laws_after[-1].plus(part.first_count, part.law))
    above = Law()
    for part in parts:
        law_after_part = laws_after.pop()
        if not part.is_requested:
            above = above.plus(part.first_count, part.law)
            continue
        # impossible samples pad the last block; their prefixes are left out
        n_blocks = -(-part.probability.size // _PREFIXES_PER_BLOCK)
        blocks = np.zeros((n_blocks, _PREFIXES_PER_BLOCK))
        blocks.flat[: part.probability.size] = part.probability
        prefixes_of_blocks = prefix_laws(blocks)
        suffixes_of_blocks = prefix_laws(blocks[:, ::-1])[:, ::-1]
        laws_from_block = [law_after_part]
        for block_law in prefixes_of_blocks[::-1, -1]:
            laws_from_block.append(laws_from_block[-1].plus(0, block_law))
        start = part.start
        for prefixes, suffixes in zip(prefixes_of_blocks, suffixes_of_blocks, strict=True):
            k = np.arange(start, min(start + _PREFIXES_PER_BLOCK, n) + 1)
            before = above
            above = above.plus(0, prefixes[-1])
            from_block = laws_from_block.pop()
            after_block = laws_from_block[-1]
            if start in requested:
                tp = _Count(
                    before,
                    prefixes[: k.size],
                    (before.window()[0], above.window()[1]),
                    _stride(variance[k[0]]),
                )
                fn = _Count(
                    after_block,
                    suffixes[: k.size],
                    (after_block.window()[0], from_block.window()[1]),
                    _stride(variance[n] - variance[k[-1]]),
                )
                yield k, tp, fn, before.lost + after_block.lost + 4 * _MAX_SKIPPED_MASS
            start = int(k[-1])


def _stride(variance: float) -> int:
    """Choose the stride of a sum over a law of this variance."""
    if variance <= _STRIDE_PRECISION**2:
        return 1
    return _round_to_odd(int(np.pi / np.arcsin(_STRIDE_PRECISION / np.sqrt(variance))))


def _round_to_odd(stride: int) -> int:
    """Round down to an odd number, so that even and odd counts are sampled alike."""
    return max(1, stride - 1 + stride % 2)


def _sum_block(
    tp: _Count, fn: _Count, k: Floats, n: int, measure: Metric, lost: float, tol: float, unit: float
) -> tuple[Floats, float]:
    """Compute expected utilities at successive prefixes, and a bound on the error."""
    while True:
        offsets = product({0, tp.stride // 2}, {0, fn.stride // 2})
        values = []
        greatest = 0.0
        for tp_offset, fn_offset in offsets:
            tp_lattice = tp.lattice(tp_offset)
            fn_lattice = fn.lattice(fn_offset)
            value, size = lattice_sums(*tp_lattice, *fn_lattice, k, n, measure)
            values.append(value)
            greatest = max(greatest, size)
        difference = float(np.ptp(values, axis=0).max())
        if difference <= tol * max(greatest, unit):
            return np.mean(values, axis=0), lost * greatest + difference
        tp = tp.with_stride(_round_to_odd(tp.stride // 2))
        fn = fn.with_stride(_round_to_odd(fn.stride // 2))


# ---------------------------------------------------------------------- sums of a metric


def lattice_sums(
    tp: Floats, tp_weight: Floats, fn: Floats, fn_weight: Floats, k: Floats, n: int, measure: Metric
) -> tuple[Floats, float]:
    """Compute the weighted sum of the metric for each prefix, and its greatest size.

    The G-Mean and the H-Mean count as 0 here where a class is absent. Of n samples ``tp`` are the
    counts of true positives and ``fn`` of misses; ``tp_weight`` and ``fn_weight`` their weights at
    each prefix, shape (n_prefixes, n_counts), zero where a count is impossible; ``k`` the predicted
    positives.
    """
    if measure.name in ("g_mean", "h_mean"):
        pos = tp[:, None] + fn
        tn = np.maximum(n - k[:, None] - fn, 0.0)
        sum_mean = _sum_g_mean if measure.name == "g_mean" else _sum_h_mean
        return sum_mean(tp, tp_weight, tn, fn_weight, pos, n - pos), 1.0
    out = np.zeros(k.size)
    greatest = 0.0
    possible_fn = np.minimum(fn, n - k[:, None])
    columns = max(1, min(tp.size, _CELLS_PER_BLOCK // fn.size))
    rows = max(1, _CELLS_PER_BLOCK // (columns * fn.size))
    for i in range(0, k.size, rows):
        prefixes = slice(i, i + rows)
        predicted = k[prefixes, None, None]
        for j in range(0, tp.size, columns):
            part = slice(j, j + columns)
            possible_tp = np.minimum(tp[part, None], predicted)
            positives = possible_tp + possible_fn[prefixes, None, :]
            value = measure.at_counts(possible_tp, predicted, positives, n)
            greatest = max(greatest, float(np.abs(value).max()))
            by_tp = (value @ fn_weight[prefixes, :, None])[..., 0]
            out[prefixes] += (by_tp * tp_weight[prefixes, part]).sum(axis=1)
    return out, greatest


def _sum_g_mean(
    tp: Floats, tp_weight: Floats, tn: Floats, fn_weight: Floats, pos: Floats, neg: Floats
) -> Floats:
    """Sum the square root of TP TN / (P N): true negatives do not depend on true positives."""
    both = pos * neg
    root = np.sqrt(tp[:, None] / np.where(both > 0, both, np.inf))
    return np.asarray(((tp_weight @ root) * (np.sqrt(tn) * fn_weight)).sum(axis=1))


def _sum_h_mean(
    tp: Floats, tp_weight: Floats, tn: Floats, fn_weight: Floats, pos: Floats, neg: Floats
) -> Floats:
    """Sum 2 TP TN / (TP N + TN P)."""
    out = np.empty(tp_weight.shape[0])
    tp_neg = tp[:, None] * neg
    weighted_tn = 2 * tn * fn_weight
    rows = max(1, _CELLS_PER_BLOCK // pos.size)
    for i in range(0, out.size, rows):
        prefixes = slice(i, i + rows)
        denominator = tn[prefixes, None, :] * pos
        denominator += tp_neg
        # whole numbers: below 1 only where the numerator is 0 too, or the weight
        np.maximum(denominator, 1.0, out=denominator)
        np.reciprocal(denominator, out=denominator)
        by_tp = (denominator @ weighted_tn[prefixes, :, None])[..., 0]
        out[prefixes] = (by_tp * (tp * tp_weight[prefixes])).sum(axis=1)
    return out
