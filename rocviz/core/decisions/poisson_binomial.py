"""The distribution of a sum of independent binary outcomes with different probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import read_only
from rocviz.core.base.validation import Floats, check_probabilities

_LEAF_SIZE = 64  # outcomes added one by one, in all leaves at once
_MIN_PROBABILITY = 1e-100  # smaller entries at the ends are dropped


def poisson_binomial_pmf(y_prob: ArrayLike) -> Floats:
    """Compute the probability of each number of positives among independent samples.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class, from 0 to 1; may be empty.

    Returns
    -------
    ndarray of float, shape (n_samples + 1,)
        Probability of 0, 1, ..., n positives. Only positive numbers are multiplied and added, so
        that small entries are as accurate as large ones. With more than 64 samples, tails below
        1e-100 come out as 0.

    Raises
    ------
    ValueError
        If an entry of ``y_prob`` lies outside [0, 1].

    Examples
    --------
    >>> poisson_binomial_pmf([0.5, 0.5])
    array([0.25, 0.5 , 0.25])
    """
    prob = check_probabilities(y_prob)
    start, law = pmf_window(prob)
    out = np.zeros(prob.size + 1)
    out[start : start + law.size] = law
    return read_only(out)


def pmf_window(prob: Floats, negligible: float = _MIN_PROBABILITY) -> tuple[int, Floats]:
    """Compute the law without ends of at most ``negligible`` probabilities, and its first count.

    Halves are combined by convolution, the shorter the tails the cheaper: O(n log n) in practice.
    """
    laws = [_trim(0, row, 0.0) for row in _leaves(prob)]
    while len(laws) > 1:
        pairs = zip(laws[::2], laws[1::2], strict=False)
        joined = [_convolve(first, second, negligible) for first, second in pairs]
        laws = joined + laws[2 * len(joined) :]
    return laws[0]


def _convolve(
    first: tuple[int, Floats], second: tuple[int, Floats], negligible: float
) -> tuple[int, Floats]:
    """Convolve the laws of two counts."""
    first_start, first_law = first
    second_start, second_law = second
    total = np.convolve(first_law, second_law)
    start, law = _trim(first_start + second_start, total, negligible)
    # a rounded probability and its complement do not sum to 1, and the error would accumulate
    return start, law / law.sum()


def ends(chance: Floats, mass: float) -> tuple[int, int]:
    """Find the slice of a law outside which each end has at most this mass."""
    low = int(np.searchsorted(np.cumsum(chance), mass, side="right"))
    high = int(np.searchsorted(np.cumsum(chance[::-1]), mass, side="right"))
    return low, chance.size - high


def _trim(start: int, law: Floats, negligible: float) -> tuple[int, Floats]:
    """Drop the entries at the ends of a law that are not above ``negligible``."""
    large = np.flatnonzero(law > negligible)
    return start + int(large[0]), law[large[0] : large[-1] + 1]


def _leaves(prob: Floats) -> Floats:
    """Compute the laws of runs of samples, a row each; impossible samples pad the last run."""
    rows = max(1, -(-prob.size // _LEAF_SIZE))
    width = _LEAF_SIZE if rows > 1 else prob.size
    padded = np.zeros(rows * width)
    padded[: prob.size] = prob
    laws = np.zeros((width + 1, rows))
    laws[0] = 1.0
    for i, positive in enumerate(padded.reshape(rows, width).T.copy()):
        with_positive = laws[: i + 1] * positive
        laws[: i + 1] *= 1 - positive
        laws[1 : i + 2] += with_positive
    return laws.T.copy()


def prefix_laws(prob: Floats) -> Floats:
    """Compute the laws of the first 0, 1, ..., m samples of each row of shape (..., m).

    Entry ``[..., i, j]`` of the result, of shape (..., m + 1, m + 1), is the probability of j
    positives among the first i.
    """
    m = prob.shape[-1]
    laws = np.zeros((*prob.shape[:-1], m + 1, m + 1))
    laws[..., 0, 0] = 1.0
    for i in range(m):
        positive = prob[..., i, None]
        laws[..., i + 1, : i + 1] = laws[..., i, : i + 1] * (1 - positive)
        laws[..., i + 1, 1 : i + 2] += laws[..., i, : i + 1] * positive
    return laws
