"""Expected utility of every cut of a ranking, for any metric: sums over windows of counts.

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
from rocviz.core.decisions._expected_rates import absent_class
from rocviz.core.decisions._smooth_utility import smooth_utilities
from rocviz.core.decisions.poisson_binomial import ends, pmf_window, prefix_laws
from rocviz.core.decisions.utility import Metric

_BLOCK = 64  # cuts that are evaluated together
_BLOCKS = 32  # blocks between stored laws of the remaining samples
_DROP = 1e-20  # mass dropped at each end whenever samples are added
_FAR = 1e-30  # probabilities that are dropped while many samples are added at once
_SKIP = 1e-16  # mass at each end for which the metric is not evaluated
_CELLS = 2**15  # values of the metric at a time

# If the metric is smooth, the sum over every m-th count, times m, is right but for a part
# exp(-2 (sigma sin(pi / m))**2); at this value of sigma sin(pi / m) that is 3e-15.
_FINE = 4.1


@dataclass(frozen=True)
class Law:
    """Probabilities of the counts ``start``, ``start + 1``, ...; ``lost`` is the dropped mass."""

    start: int = 0
    chance: Floats = field(default_factory=lambda: np.ones(1))
    lost: float = 0.0

    def plus(self, start: int, chance: Floats) -> Law:
        """Add an independent count, and drop negligible ends."""
        total = np.convolve(self.chance, chance)
        low, high = ends(total, _DROP)
        lost = self.lost + float(total[:low].sum() + total[high:].sum())
        # rounding drifts as samples are added, but the remaining mass is known
        kept = total[low:high] * ((1 - lost) / total[low:high].sum())
        return Law(self.start + start + low, kept, lost)

    def window(self) -> tuple[int, int]:
        """Find the range of counts that matter."""
        low, high = ends(self.chance, _SKIP)
        return self.start + low, self.start + high


@dataclass(frozen=True)
class _Count:
    """The laws of one count at successive cuts: of a common law plus that of some samples."""

    law: Law
    rows: Floats
    window: tuple[int, int]
    stride: int

    def at(self, offset: int) -> tuple[Floats, Floats]:
        """Select every ``stride``-th count and its probabilities at each cut."""
        counts = np.arange(self.window[0] + offset, self.window[1], self.stride)
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

    Probabilities decrease. Without bends most cuts come from moments, see
    :func:`smooth_utilities`. At the others the laws of true positives and of misses are built
    forward and backward, never by deconvolution. Where they are wide, the double sum runs over four
    strided lattices, in each other's gaps; if they do not agree to ``tol``, in units of the
    metric's greatest value or of :func:`_unit`, their strides are halved, in the end to 1, which is
    the full sum. The error is the mass outside the windows times the metric's greatest size, plus
    the greatest difference between lattices. A step of ``progress`` is a block of cuts.
    """
    n, unit = probability.size, _unit(probability, measure)
    if has_bends:
        out, error = np.full(n + 1, np.nan), 0.0
    else:
        out, error = smooth_utilities(probability, measure, tol, unit)
    left = [*_blocks_with(np.isnan(out))]
    waiting = steps(left, progress, should_stop, "sum over counts")
    for k, tp, fn, lost in _laws(probability, {*left}):
        next(waiting)
        out[k], off = _block(tp, fn, k.astype(np.float64), n, measure, lost, tol, unit)
        error = max(error, off)
    next(waiting, None)  # completes the progress bar
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


def _blocks_with(requested: Bools) -> Iterator[int]:
    """Yield the first cut of every block with a requested cut."""
    for start in range(0, requested.size - 1, _BLOCK):
        if requested[start : start + _BLOCK + 1].any():
            yield start


def _laws(
    probability: Floats, requested: set[int]
) -> Iterator[tuple[NDArray[np.int64], _Count, _Count, float]]:
    """Yield for the requested blocks the cuts, the laws of both counts, and their dropped mass."""
    n = probability.size
    spread = np.concatenate(([0.0], np.cumsum(probability * (1 - probability))))
    size = _BLOCK * _BLOCKS
    # samples without a requested cut between them are added all at once
    parts: list[tuple[bool, int, Floats]] = []
    for idle, some in groupby(
        range(0, n, size), lambda start: requested.isdisjoint(range(start, start + size, _BLOCK))
    ):
        starts = [*some]
        for start in starts[:1] if idle else starts:
            end = (starts[-1] if idle else start) + size
            parts.append((idle, start, probability[start:end]))
    laws = [pmf_window(here, _FAR) for *_, here in parts]
    after = [Law()]
    for law in laws[:0:-1]:
        after.append(after[-1].plus(*law))
    above = Law()
    for (idle, start, here), law in zip(parts, laws, strict=True):
        if idle:
            above = above.plus(*law)
            after.pop()
            continue
        # impossible samples pad the last block; their cuts are left out
        blocks = np.zeros((-(-here.size // _BLOCK), _BLOCK))
        blocks.flat[: here.size] = here
        firsts, rests = prefix_laws(blocks), prefix_laws(blocks[:, ::-1])[:, ::-1]
        below = [after.pop()]
        for rows in firsts[::-1, -1]:
            below.append(below[-1].plus(0, rows))
        for first, rest in zip(firsts, rests, strict=True):
            k = np.arange(start, min(start + _BLOCK, n) + 1)
            before, above = above, above.plus(0, first[-1])
            whole, after_all = below.pop(), below[-1]
            if start in requested:
                tp = _Count(
                    before,
                    first[: k.size],
                    (before.window()[0], above.window()[1]),
                    _stride(spread[k[0]]),
                )
                fn = _Count(
                    after_all,
                    rest[: k.size],
                    (after_all.window()[0], whole.window()[1]),
                    _stride(spread[n] - spread[k[-1]]),
                )
                yield k, tp, fn, before.lost + after_all.lost + 4 * _SKIP
            start = int(k[-1])


def _stride(variance: float) -> int:
    """Choose the stride of a sum over a law of this variance."""
    ratio = _FINE / np.sqrt(variance) if variance > 0 else np.inf
    return _odd(int(np.pi / np.arcsin(ratio))) if ratio < 1 else 1


def _odd(stride: int) -> int:
    """Round down to an odd number, so that even and odd counts are sampled alike."""
    return max(1, stride - 1 + stride % 2)


def _block(
    tp: _Count, fn: _Count, k: Floats, n: int, measure: Metric, lost: float, tol: float, unit: float
) -> tuple[Floats, float]:
    """Compute expected utilities at successive cuts, and a bound on the error."""
    while True:
        offsets = product({0, tp.stride // 2}, {0, fn.stride // 2})
        sums = [lattice_sums(*tp.at(i), *fn.at(j), k, n, measure) for i, j in offsets]
        values, sizes = zip(*sums, strict=True)
        apart = float(np.ptp(values, axis=0).max())
        greatest = max(sizes)
        if apart <= tol * max(greatest, unit):
            return np.mean(values, axis=0), lost * greatest + apart
        tp, fn = (_Count(x.law, x.rows, x.window, _odd(x.stride // 2)) for x in (tp, fn))


# ---------------------------------------------------------------------- sums of a metric


def lattice_sums(
    tp: Floats, of_tp: Floats, fn: Floats, of_fn: Floats, k: Floats, n: int, measure: Metric
) -> tuple[Floats, float]:
    """Compute the weighted sum of the metric for each cut, and its greatest size.

    The G-Mean and the H-Mean count as 0 here where a class is absent. Of n samples ``tp`` are the
    counts of true positives and ``fn`` of misses; ``of_tp`` and ``of_fn`` their weights at each
    cut, shape (n_cuts, n_counts), zero where a count is impossible; ``k`` the predicted positives.
    """
    if measure.name in ("g_mean", "h_mean"):
        pos = tp[:, None] + fn
        tn = np.maximum(n - k[:, None] - fn, 0.0)
        sums = _g_mean if measure.name == "g_mean" else _h_mean
        return sums(tp, of_tp, tn, of_fn, pos, n - pos), 1.0
    out, greatest = np.zeros(k.size), 0.0
    possible = np.minimum(fn, n - k[:, None])
    columns = max(1, min(tp.size, _CELLS // fn.size))
    rows = max(1, _CELLS // (columns * fn.size))
    for i in range(0, k.size, rows):
        cuts, cut = slice(i, i + rows), k[i : i + rows, None, None]
        for j in range(0, tp.size, columns):
            part = slice(j, j + columns)
            hit = np.minimum(tp[part, None], cut)
            value = measure.at_counts(hit, cut, hit + possible[cuts, None, :], n)
            greatest = max(greatest, float(np.abs(value).max()))
            by_tp = (value @ of_fn[cuts, :, None])[..., 0]
            out[cuts] += (by_tp * of_tp[cuts, part]).sum(axis=1)
    return out, greatest


def _g_mean(
    tp: Floats, of_tp: Floats, tn: Floats, of_fn: Floats, pos: Floats, neg: Floats
) -> Floats:
    """Sum the square root of TP TN / (P N): true negatives do not depend on true positives."""
    both = pos * neg
    root = np.sqrt(tp[:, None] / np.where(both > 0, both, np.inf))
    return np.asarray(((of_tp @ root) * (np.sqrt(tn) * of_fn)).sum(axis=1))


def _h_mean(
    tp: Floats, of_tp: Floats, tn: Floats, of_fn: Floats, pos: Floats, neg: Floats
) -> Floats:
    """Sum 2 TP TN / (TP N + TN P)."""
    out = np.empty(of_tp.shape[0])
    hit = tp[:, None] * neg
    top = 2 * tn * of_fn
    rows = max(1, _CELLS // pos.size)
    for i in range(0, out.size, rows):
        cuts = slice(i, i + rows)
        bottom = tn[cuts, None, :] * pos
        bottom += hit
        # whole numbers: below 1 only where the numerator is 0 too, or the weight
        np.maximum(bottom, 1.0, out=bottom)
        np.reciprocal(bottom, out=bottom)
        by_tp = (bottom @ top[cuts, :, None])[..., 0]
        out[cuts] = (by_tp * (tp * of_tp[cuts])).sum(axis=1)
    return out
