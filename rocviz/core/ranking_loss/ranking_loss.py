"""The pairwise ranking loss of scores, exact over all pairs, with gradient and curvature.

It is a convex surrogate of 1 - AUC: every positive should score higher than every negative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from rocviz.core.base.frozen import read_only
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_labels,
    check_same_length,
    check_vector,
    check_weights,
)

#: Names of the losses of a pair.
PAIR_LOSSES = ("logistic", "squared_hinge")

_MAX_SCORE_RANGE = 1e150  # whose square is still finite
# The loss has its singularities at a distance of pi from the real line, so the coefficients on
# a panel of half-width 1/2 fall by a factor of 12.6 from one degree to the next.
_N_TERMS = 14
_ASYMPTOTE_DISTANCE = 40  # panels: from here on the loss is its asymptote
_SCORES_PER_BLOCK = 4096  # so that arrays stay in the cache
_MAX_CACHED_SCORES = 65_536  # whose polynomials are stored, 7 MB
_MAX_DENSE_PAIRS = 1600  # of panels, in one matrix

_KERNELS: dict[str, Callable[[Floats], Floats]] = {
    "loss": lambda d: np.logaddexp(0.0, d),
    "slope": expit,
    "curvature": lambda d: expit(d) * expit(-d),
}


class PairwiseLoss:
    """Mean loss over all pairs of a positive and a negative, as a function of their scores.

    With the difference ``d = s_i - s_j`` of a positive's and a negative's score a pair costs
    ``log(1 + exp(-d))`` (logistic) or ``max(0, 1 - d)^2`` (squared hinge). Both are convex, and
    they are smooth substitutes for 1 - AUC, which counts the pairs with ``d < 0``.

    Parameters
    ----------
    y_true, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    loss : {"logistic", "squared_hinge"}, default="logistic"
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; not negative. A pair counts as the product.

    Raises
    ------
    ValueError
        If an argument is invalid, or a class has no weight.

    Notes
    -----
    No pair is sampled and none is visited: sorting and running sums give the squared hinge to
    the last digits, and Chebyshev series on panels of unit width give the logistic loss with a
    relative error below 1e-13, both in O(n log n) time and O(n) memory. That is the rounding error
    of the sum over all pairs, so there is no other way for few samples. It holds as well for what
    is left of the logistic loss and of its gradient when all pairs are far apart in the right
    order, down to 1e-308: beyond, as 710 apart, floats have few digits or only 0.

    References
    ----------
    Menon et al. (2012), equation 5.

    Examples
    --------
    >>> loss = PairwiseLoss([1, 0, 1], loss="squared_hinge")
    >>> at_scores = loss.at([2.0, 1.5, 1.0])
    >>> at_scores.value, at_scores.gradient
    (1.25, array([-0.5,  2. , -1.5]))
    """

    def __init__(
        self,
        y_true: ArrayLike,
        *,
        loss: str = "logistic",
        sample_weight: Weights = None,
        pos_label: Any = None,
    ) -> None:
        check_aligned(y_true=y_true, sample_weight=sample_weight)
        positive = check_labels(y_true, pos_label)
        self.loss = check_choice(loss, "loss", PAIR_LOSSES)
        weight = check_weights(sample_weight, positive.size)
        if weight is None:
            weight = np.ones(positive.size)
        pos = np.flatnonzero(positive & (weight > 0))
        neg = np.flatnonzero(~positive & (weight > 0))
        if not (pos.size and neg.size):
            raise ValueError("sample_weight leaves one class without weight; both are needed.")
        self._samples = _SamplesByClass(positive.size, pos, neg, weight[pos], weight[neg])

    def at(self, y_score: ArrayLike) -> PairwiseLossAt:
        """Compute the loss of scores.

        Parameters
        ----------
        y_score : array-like of float, shape (n_samples,)
            Finite; higher means more positive.

        Raises
        ------
        ValueError
            If there is not one finite score per label.
        """
        score = check_vector(y_score, "y_score")
        check_same_length(self._samples.n, y_score=score)
        low = float(score.min())
        high = float(score.max())
        if high / 2 - low / 2 > _MAX_SCORE_RANGE / 2:
            raise ValueError(
                f"y_score must span at most {_MAX_SCORE_RANGE:g}, whose square is still finite; "
                f"found values from {low:g} to {high:g}."
            )
        return PairwiseLossAt(self, score)


@dataclass(frozen=True, eq=False)
class _SamplesByClass:
    """Indices and weights of positives and negatives among ``n`` samples."""

    n: int
    pos: NDArray[np.intp]
    neg: NDArray[np.intp]
    pos_weight: Floats
    neg_weight: Floats

    @cached_property
    def total(self) -> float:
        """Weight of all pairs."""
        return float(self.pos_weight.sum()) * float(self.neg_weight.sum())


class PairwiseLossAt:
    """A pairwise loss at given scores, with its derivatives; made by :meth:`PairwiseLoss.at`.

    Parameters
    ----------
    pairwise_loss : PairwiseLoss
    y_score : ndarray of float, shape (n_samples,)
    """

    def __init__(self, pairwise_loss: PairwiseLoss, y_score: Floats) -> None:
        samples = pairwise_loss._samples
        self._samples = samples
        self._pairs = _PAIRS[pairwise_loss.loss](
            y_score[samples.pos], y_score[samples.neg], samples.pos_weight, samples.neg_weight
        )

    @cached_property
    def value(self) -> float:
        """Mean loss of a pair."""
        return self._pairs.value / self._samples.total

    @cached_property
    def gradient(self) -> Floats:
        """Derivative of the value with respect to each score, shape (n_samples,); sums to 0."""
        return self._on_samples(*self._pairs.slopes)

    def curvature(self, step: ArrayLike) -> Floats:
        """Multiply the matrix of second derivatives by a step of the scores.

        Parameters
        ----------
        step : array-like of float, shape (n_samples,)

        Returns
        -------
        ndarray of float, shape (n_samples,)
            The squared hinge has no second derivative where a difference is exactly 1; there it
            is that towards larger differences.

        Raises
        ------
        ValueError
            If there is not one finite step per label.
        """
        samples = self._samples
        vector = check_vector(step, "step")
        check_same_length(samples.n, step=vector)
        return self._on_samples(*self._pairs.curvature(vector[samples.pos], vector[samples.neg]))

    def _on_samples(self, pos_values: Floats, neg_values: Floats) -> Floats:
        """Bring sums over pairs into the order of the samples, and divide them into means."""
        values = np.zeros(self._samples.n)
        values[self._samples.pos] = pos_values
        values[self._samples.neg] = neg_values
        values /= self._samples.total
        return values


def pairwise_loss(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    loss: str = "logistic",
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> tuple[float, Floats]:
    """Compute the mean loss over all pairs of a positive and a negative, and its gradient.

    Parameters
    ----------
    y_true, loss, sample_weight, pos_label
        As for :class:`PairwiseLoss`.
    y_score : array-like of float, shape (n_samples,)
        Finite; higher means more positive.

    Returns
    -------
    value : float
        Not negative.
    gradient : ndarray of float, shape (n_samples,)
        With respect to the scores.

    Raises
    ------
    ValueError
        As :class:`PairwiseLoss` does, or if rows of pandas are in different orders.

    See Also
    --------
    PairwiseLoss : The same for many scores of the same samples, with second derivatives.

    References
    ----------
    Menon et al. (2012), equation 5.

    Examples
    --------
    >>> value, gradient = pairwise_loss([0, 1], [0.0, 0.0])
    >>> round(value, 4), gradient
    (0.6931, array([ 0.5, -0.5]))
    """
    check_aligned(y_true=y_true, y_score=y_score)
    pairwise = PairwiseLoss(y_true, loss=loss, sample_weight=sample_weight, pos_label=pos_label)
    at_scores = pairwise.at(y_score)
    return at_scores.value, at_scores.gradient


# ---------------------------------------------------------------------- squared hinge


class _HingePairs:
    """``sum of u_i v_j max(0, 1 + b_j - a_i)^2`` over positives at a_i and negatives at b_j.

    Exact up to rounding: every sum is one of terms that are not negative. O(n log n) time.
    Scores are finite and weights positive.
    """

    def __init__(
        self, pos_score: Floats, neg_score: Floats, pos_weight: Floats, neg_weight: Floats
    ) -> None:
        # a pair has a loss while the positive is less than 1 above the negative; seen from
        # the negatives everything is upside down
        self._pos = _RankedScores(pos_score, pos_weight)
        self._neg = _RankedScores(-neg_score, neg_weight)
        # how many of the opposite class are inside the margin of each sample, by rank
        self._n_near_pos = self._neg.n_below(-self._pos.score)
        self._n_near_neg = self._pos.n_below(-self._neg.score)
        self._pos_weight = pos_weight
        self._neg_weight = neg_weight

    @cached_property
    def _pos_gaps(self) -> tuple[Floats, Floats]:
        """Sums of gaps, and of their squares, inside the margin of each positive, by rank."""
        return self._neg.gaps(-self._pos.score, self._n_near_pos)

    @cached_property
    def value(self) -> float:
        """The sum."""
        _, squares = self._pos_gaps
        return float(self._pos_weight @ self._pos.unsort(squares))

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """Derivatives with respect to the scores of positives and negatives."""
        pos_gaps, _ = self._pos_gaps
        neg_gaps, _ = self._pos.gaps(-self._neg.score, self._n_near_neg)
        return (
            -2 * self._pos_weight * self._pos.unsort(pos_gaps),
            2 * self._neg_weight * self._neg.unsort(neg_gaps),
        )

    @cached_property
    def _weights_inside(self) -> tuple[Floats, Floats]:
        """Opposite-class weight inside the margin of each positive and of each negative."""
        return (
            self._pos.unsort(self._neg.total[self._n_near_pos]),
            self._neg.unsort(self._pos.total[self._n_near_neg]),
        )

    def curvature(self, pos_step: Floats, neg_step: Floats) -> tuple[Floats, Floats]:
        """Multiply the Hessian by a step of the scores."""
        from_neg = self._neg.running_totals(self._neg_weight * neg_step)[self._n_near_pos]
        from_pos = self._pos.running_totals(self._pos_weight * pos_step)[self._n_near_neg]
        inside_pos, inside_neg = self._weights_inside
        return (
            2 * self._pos_weight * (inside_pos * pos_step - self._pos.unsort(from_neg)),
            2 * self._neg_weight * (inside_neg * neg_step - self._neg.unsort(from_pos)),
        )


class _RankedScores:
    """Weighted scores in increasing order, and running sums over them.

    ``total[k]`` is the weight of the lowest k.
    """

    def __init__(self, score: Floats, weight: Floats) -> None:
        self.order = np.argsort(score)
        self.score = score[self.order]
        self.total = self.running_totals(weight)

    def running_totals(self, values: Floats) -> Floats:
        """Sum over the lowest k scores for every k, shape (n + 1,)."""
        return np.concatenate(([0.0], np.cumsum(values[self.order])))

    def unsort(self, ranked: Floats) -> Floats:
        """Bring values of sorted scores into the order of the samples."""
        values = np.empty_like(ranked)
        values[self.order] = ranked
        return values

    @cached_property
    def _distances(self) -> tuple[Floats, Floats]:
        """Sums over the lowest k of their distances to the k-th score, and of the squares."""
        # From one score to the next all distances grow by the gap. Adding that up keeps every
        # term positive; moments about a fixed point would cancel.
        gap = np.diff(self.score)
        sums = np.concatenate(([0.0, 0.0], np.cumsum(gap * self.total[1:-1])))
        squares = np.concatenate(([0.0, 0.0], np.cumsum(gap * (sums[1:-1] + sums[2:]))))
        return sums, squares

    def n_below(self, falling: Floats) -> NDArray[np.intp]:
        """Count the scores below 1 plus each of a non-increasing sequence."""
        limit = 1 + falling
        # the rounding error decides where the limit equals a score
        is_large = np.abs(falling) > 1
        rounded_down = np.where(is_large, 1 - (limit - falling) > 0, falling - (limit - 1) > 0)
        n_below = np.searchsorted(self.score, limit[::-1], side="left")[::-1]
        n_up_to = np.searchsorted(self.score, limit[::-1], side="right")[::-1]
        return np.where(rounded_down, n_up_to, n_below)

    def gaps(self, falling: Floats, k: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Sum the distances of the lowest ``k`` scores to 1 plus ``falling``, and their squares."""
        sums, squares = self._distances
        # subtract first, since a large score would swallow the 1
        beyond = (falling - self.score[np.maximum(k, 1) - 1]) + 1
        gaps = sums[k] + beyond * self.total[k]
        return gaps, squares[k] + beyond * (sums[k] + gaps)


# ---------------------------------------------------------------------- logistic


class _LogisticPairs:
    """``sum of u_i v_j log(1 + exp(b_j - a_i))`` over positives at a_i and negatives at b_j.

    The error is below 1e-13 of the sum, be it ever so small. Takes O(n log n) time.

    A sum of smooth functions of a score is smooth: on panels one unit wide it is a short Chebyshev
    series, and so is each term as a function of the other score. Beyond 40 units the loss is linear
    or an exponential, to the last bit. Scores are finite and weights positive.
    """

    def __init__(
        self, pos_score: Floats, neg_score: Floats, pos_weight: Floats, neg_weight: Floats
    ) -> None:
        self._pos = _Panels(pos_score)
        self._neg = _Panels(neg_score)
        self._pos_weight = pos_weight
        self._neg_weight = neg_weight
        self._pos_moments = self._pos.moments(pos_weight)
        self._neg_moments = self._neg.moments(neg_weight)
        self._kernels = {name: _Kernel(name, self._pos.panel, self._neg.panel) for name in _KERNELS}

    @cached_property
    def value(self) -> float:
        """The sum."""
        series = self._kernels["loss"].series_on_pos(self._neg_moments)
        return float((self._pos_moments * series).sum())

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """Derivatives with respect to the scores of positives and negatives."""
        slope = self._kernels["slope"]
        pos_slope = self._pos.evaluate(slope.series_on_pos(self._neg_moments))
        neg_slope = self._neg.evaluate(slope.series_on_neg(self._pos_moments))
        return -self._pos_weight * pos_slope, self._neg_weight * neg_slope

    @cached_property
    def _second_derivatives(self) -> tuple[Floats, Floats]:
        """Second derivatives, without the weight of the score itself."""
        kernel = self._kernels["curvature"]
        return (
            self._pos.evaluate(kernel.series_on_pos(self._neg_moments)),
            self._neg.evaluate(kernel.series_on_neg(self._pos_moments)),
        )

    def curvature(self, pos_step: Floats, neg_step: Floats) -> tuple[Floats, Floats]:
        """Multiply the Hessian by a step of the scores."""
        kernel = self._kernels["curvature"]
        pos_bend, neg_bend = self._second_derivatives
        from_neg = kernel.series_on_pos(self._neg.moments(self._neg_weight * neg_step))
        from_pos = kernel.series_on_neg(self._pos.moments(self._pos_weight * pos_step))
        return (
            self._pos_weight * (pos_bend * pos_step - self._pos.evaluate(from_neg)),
            self._neg_weight * (neg_bend * neg_step - self._neg.evaluate(from_pos)),
        )


class _Panels:
    """Scores sorted into panels [k, k + 1), and the Chebyshev polynomials at their places there.

    ``panel`` are the occupied ones in increasing order, as floats: scores may be huge.
    """

    def __init__(self, score: Floats) -> None:
        self.order = np.argsort(score)
        ranked = score[self.order]
        panel = np.floor(ranked)
        start = np.concatenate(([0], np.flatnonzero(np.diff(panel)) + 1))
        self.panel = panel[start]
        ends = [*start[1:].tolist(), score.size]
        self._parts = [slice(a, b) for a, b in zip(start.tolist(), ends, strict=True)]
        self._place = 2 * (ranked - panel) - 1

    def _blocks(self, part: slice) -> Iterator[tuple[slice, Floats]]:
        """Yield the polynomials in blocks, since those of many scores are not stored."""
        is_cached = self._place.size <= _MAX_CACHED_SCORES
        for start in range(part.start, part.stop, _SCORES_PER_BLOCK):
            block = slice(start, min(start + _SCORES_PER_BLOCK, part.stop))
            if is_cached:
                yield block, self._basis[:, block]
            else:
                yield block, _polynomials(self._place[block])

    @cached_property
    def _basis(self) -> Floats:
        return _polynomials(self._place)

    def moments(self, weight: Floats) -> Floats:
        """Sum the weighted polynomials in each panel, shape (n_panels, n_terms)."""
        ranked = weight[self.order]
        moments = np.zeros((len(self._parts), _N_TERMS))
        for row, part in zip(moments, self._parts, strict=True):
            for block, basis in self._blocks(part):
                row += basis @ ranked[block]
        return moments

    def evaluate(self, series: Floats) -> Floats:
        """Evaluate each panel's series at its scores, in the order of the samples."""
        ranked = np.empty(self.order.size)
        for part, terms in zip(self._parts, series, strict=True):
            for block, basis in self._blocks(part):
                ranked[block] = terms @ basis
        values = np.empty_like(ranked)
        values[self.order] = ranked
        return values


def _polynomials(place: Floats) -> Floats:
    """Evaluate the Chebyshev polynomials at places from -1 to 1, shape (n_terms, n_places)."""
    basis = np.empty((_N_TERMS, place.size))
    basis[0] = 1.0
    basis[1] = place
    twice = 2 * place
    for k in range(2, _N_TERMS):
        np.multiply(twice, basis[k - 1], out=basis[k])
        basis[k] -= basis[k - 2]
    return basis


class _Kernel:
    """A function of ``negative - positive`` between panels: from moments to series."""

    def __init__(self, name: str, pos_panel: Floats, neg_panel: Floats) -> None:
        self._name = name
        self._pos = pos_panel
        self._neg = neg_panel

    @cached_property
    def _matrix(self) -> Floats | None:
        """All blocks as one matrix, if there are not too many."""
        if self._pos.size * self._neg.size > _MAX_DENSE_PAIRS:
            return None
        distance = self._neg - self._pos[:, None]
        near = np.clip(distance, -_ASYMPTOTE_DISTANCE, _ASYMPTOTE_DISTANCE).astype(np.intp)
        blocks = _table(self._name)[near + _ASYMPTOTE_DISTANCE]
        fall, rise = _exponentials()
        for side in self._exponential_sides(-1):
            far = side * distance >= _ASYMPTOTE_DISTANCE
            terms = np.outer(fall, rise) if side < 0 else np.outer(rise, fall)
            blocks[far] = np.exp(-np.abs(distance[far]))[:, None, None] * terms
        if self._name == "loss":
            blocks[:, :, 0, 0] += np.maximum(distance - _ASYMPTOTE_DISTANCE, 0.0)
        by_panel = blocks.transpose(0, 2, 1, 3)
        return by_panel.reshape(self._pos.size * _N_TERMS, self._neg.size * _N_TERMS)

    def _exponential_sides(self, low: int) -> tuple[int, ...]:
        """List the sides with an exponential tail: ``low``, and both for the curvature."""
        return (low, -low) if self._name == "curvature" else (low,)

    def _near_blocks(self) -> Iterator[tuple[int, Floats]]:
        """Yield the distances below the asymptote's with their double series."""
        distances = range(1 - _ASYMPTOTE_DISTANCE, _ASYMPTOTE_DISTANCE)
        return zip(distances, _table(self._name)[1:-1], strict=True)

    def series_on_pos(self, moments: Floats) -> Floats:
        """Turn the negatives' moments into series on the positives' panels."""
        if self._matrix is not None:
            return (self._matrix @ moments.ravel()).reshape(-1, _N_TERMS)
        series = np.zeros((self._pos.size, _N_TERMS))
        for side in self._exponential_sides(-1):
            series += _exponential_tails(self._pos, self._neg, moments, side)
        for distance, block in self._near_blocks():
            pos, neg = _pairs_at_distance(self._pos, self._neg, distance)
            series[pos] += moments[neg] @ block.T
        first = self._neg.size - _n_far_below(-self._neg[::-1], -self._pos)
        if self._name == "slope":
            series[:, 0] += _sums_from(moments[:, 0])[first]
        elif self._name == "loss":
            weight = _sums_from(moments[:, 0])
            total = weight[first]
            # Panel by panel the distances of all above grow by the gap: sums of positive terms.
            # Moments about a fixed point would cancel where scores are far from it.
            growth = np.append(np.diff(self._neg) * weight[1:-1], [0.0, 0.0])
            nearest = self._neg[np.minimum(first, self._neg.size - 1)]
            linear = _sums_from(growth)[:-1][first] + (nearest - self._pos) * total
            series[:, 0] += linear + 0.5 * _sums_from(moments[:, 1])[first]
            series[:, 1] -= 0.5 * total
        return series

    def series_on_neg(self, moments: Floats) -> Floats:
        """Turn the positives' moments into series on the negatives' panels."""
        if self._matrix is not None:
            return (moments.ravel() @ self._matrix).reshape(-1, _N_TERMS)
        series = np.zeros((self._neg.size, _N_TERMS))
        for side in self._exponential_sides(1):
            series += _exponential_tails(self._neg, self._pos, moments, side)
        for distance, block in self._near_blocks():
            pos, neg = _pairs_at_distance(self._pos, self._neg, distance)
            series[neg] += moments[pos] @ block
        if self._name == "slope":
            n_far = _n_far_below(self._pos, self._neg)
            series[:, 0] += np.concatenate(([0.0], np.cumsum(moments[:, 0])))[n_far]
        return series


def _exponential_tails(panels: Floats, others: Floats, moments: Floats, side: int) -> Floats:
    """Expand ``exp(-|d|)`` summed over the other panels far below (``side`` is -1) or above (1).

    A running sum decays from one panel to the next, so that no exponential is more than 1.
    """
    near, far = _exponentials()
    if side > 0:  # the same from the other side
        mirrored = _exponential_tails_below(
            -panels[::-1], -others[::-1], moments[::-1], near=far, far=near
        )
        return mirrored[::-1]
    return _exponential_tails_below(panels, others, moments, near=near, far=far)


def _exponential_tails_below(
    panels: Floats, others: Floats, moments: Floats, *, near: Floats, far: Floats
) -> Floats:
    """Expand ``exp(-|d|)`` summed over the other panels far below."""
    total = 0.0
    sums: list[float] = []
    decays = [0.0, *np.exp(others[:-1] - others[1:]).tolist()]
    for decay, added in zip(decays, (moments @ far).tolist(), strict=True):
        total = total * decay + added
        sums.append(total)
    last = _n_far_below(others, panels) - 1
    size = np.exp(np.minimum(others[last] - panels, 0.0)) * np.array(sums)[last]
    return np.outer(np.where(last < 0, 0.0, size), near)


def _pairs_at_distance(
    lower: Floats, upper: Floats, distance: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find the index pairs at which ``upper`` exceeds ``lower`` by exactly ``distance``."""
    target = lower + distance
    index = np.searchsorted(upper, target)
    # numbers near 1e16 do not have a neighbour at every distance: a rounded one does not count
    is_exact = target - lower == distance
    matches = is_exact & (upper[np.minimum(index, upper.size - 1)] == target)
    pairs = np.flatnonzero((index < upper.size) & matches)
    return pairs, index[pairs]


def _n_far_below(increasing: Floats, values: Floats) -> NDArray[np.intp]:
    """Count the increasing numbers that are 40 or more below each value."""
    limit = values - _ASYMPTOTE_DISTANCE
    n_below = np.searchsorted(increasing, limit, side="left")
    n_up_to = np.searchsorted(increasing, limit, side="right")
    is_rounded_up = values - limit < _ASYMPTOTE_DISTANCE
    return np.where(is_rounded_up, n_below, n_up_to)


def _sums_from(values: Floats) -> Floats:
    """Sum the entries from each position on; the last sum, of no entries, is 0."""
    return np.concatenate((np.cumsum(values[::-1])[::-1], [0.0]))


def _to_series() -> tuple[Floats, Floats]:
    """Compute Chebyshev nodes, from a panel's middle, and the matrix from values to series."""
    angle = np.pi * (np.arange(_N_TERMS) + 0.5) / _N_TERMS
    to_series = np.cos(np.outer(np.arange(_N_TERMS), angle)) * 2 / _N_TERMS
    to_series[0] /= 2
    return np.cos(angle) / 2, to_series


@cache
def _exponentials() -> tuple[Floats, Floats]:
    """Expand ``exp(-x)`` and ``exp(x)`` on a panel, x from 0 to 1."""
    node, to_series = _to_series()
    fall = to_series @ np.exp(-(node + 0.5))
    rise = to_series @ np.exp(node + 0.5)
    return read_only(fall), read_only(rise)


@cache
def _table(name: str) -> Floats:
    """Tabulate double Chebyshev series for panels -40 to 40 apart, shape (81, terms, terms)."""
    node, to_series = _to_series()
    distance = np.arange(-_ASYMPTOTE_DISTANCE, _ASYMPTOTE_DISTANCE + 1.0)[:, None, None]
    # the ends represent everything farther out, so they are the asymptote itself
    distance[0] = -np.inf
    if name != "loss":
        distance[-1] = np.inf
    return read_only(to_series @ _KERNELS[name](distance + node - node[:, None]) @ to_series.T)


_PAIRS: dict[str, type[_LogisticPairs] | type[_HingePairs]] = {
    "logistic": _LogisticPairs,
    "squared_hinge": _HingePairs,
}
