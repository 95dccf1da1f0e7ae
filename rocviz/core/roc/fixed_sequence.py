"""Fixed-sequence testing: how far along a fixed order of thresholds a promise is kept.

A promise is that a share of samples (of those ruled out, say) is right. Each threshold's bound is
Clopper and Pearson's, and a walk ends at the first threshold whose bound breaks the promise. Where
the order depends on scores alone, not on classes, the chance that any threshold that is found
breaks the promise is at most one minus the guarantee.
"""

from __future__ import annotations

from math import ceil, log

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.roc.metrics import interval_of_counts

#: Walks that begin at zones of growing size, and share the error between them.
MAX_WALKS = 5

_MAX_BOUNDS = 64  # bounds that are computed to find the highest of them
_BOUND_TOLERANCE = 1e-9
_FIRST_BLOCK = 256  # bounds that are computed at once; twice as many each time


def lower_bounds(successes: Floats, trials: Floats, guarantee: float) -> Floats:
    """Compute one-sided lower bounds of shares, Clopper and Pearson's; 0 without trials.

    Examples
    --------
    >>> lower_bounds(np.array([59.0]), np.array([59.0]), 0.95).round(3)
    array([0.95])
    """
    outside = 2 * (1 - guarantee)
    return interval_of_counts(successes, trials, 1 - outside, outside, "clopper-pearson")[0]


def is_bound_below(successes: Floats, trials: Floats, share: float, guarantee: float) -> Bools:
    """Tell which lower bounds are below a share, by one tail each instead of a search for each.

    Examples
    --------
    >>> is_bound_below(np.array([58.0, 59.0]), np.array([58.0, 59.0]), 0.95, 0.95)
    array([ True, False])
    """
    tail = betainc(np.maximum(successes, 1.0), trials - successes + 1, share)
    return np.asarray((successes == 0) | (tail > 1 - guarantee))


def highest_bound(successes: Floats, trials: Floats, guarantee: float) -> float:
    """Compute the highest of many lower bounds.

    The shares that it may have are halved, and the bounds below left out, until few are left.

    Examples
    --------
    >>> round(highest_bound(np.array([30.0, 59.0]), np.array([30.0, 70.0]), 0.95), 3)
    0.905
    """
    low = 0.0
    high = 1.0
    while successes.size > _MAX_BOUNDS and high - low > _BOUND_TOLERANCE:
        share = (low + high) / 2
        is_reached = ~is_bound_below(successes, trials, share, guarantee)
        if is_reached.any():
            low = share
            successes, trials = successes[is_reached], trials[is_reached]
        else:
            high = share
    few = slice(_MAX_BOUNDS)
    return float(lower_bounds(successes[few], trials[few], guarantee).max())


def least_trials(share: float, guarantee: float) -> int:
    """Count the trials that must all succeed for a lower bound to reach a share.

    Examples
    --------
    >>> least_trials(0.95, 0.95)
    59
    """
    return ceil(log(1 - guarantee) / log(share) - 1e-9)


def walk_starts(trials: Floats, share: float, guarantee: float) -> NDArray[np.intp]:
    """Choose where walks along an order of growing zones begin, by the zones' sizes alone.

    Smaller zones than the first cannot keep the promise even without an error. There is none if
    no zone is large enough.
    """
    most = float(trials.max(initial=0.0))
    for walks in (MAX_WALKS, 1):
        least = least_trials(share, 1 - (1 - guarantee) / walks)
        if least <= most:
            sizes = least * (most / least) ** (np.arange(walks) / walks)
            return np.unique(np.searchsorted(trials, np.ceil(sizes - 1e-9)))
    return np.empty(0, dtype=np.intp)


def fixed_sequence(
    successes: Floats,
    trials: Floats,
    share: float,
    guarantee: float,
    starts: NDArray[np.intp],
) -> Bools:
    """Mark the thresholds whose share of successes is at least the one that is promised.

    Parameters
    ----------
    successes, trials : ndarray of float, shape (n_thresholds,)
        Counts in the fixed order of the thresholds.
    share : float
        The promise, strictly between 0 and 1.
    guarantee : float
        Probability that every marked threshold keeps the promise.
    starts : ndarray of int
        Where walks begin; they share the error.

    Returns
    -------
    ndarray of bool, shape (n_thresholds,)

    References
    ----------
    Angelopoulos et al. (2021), section on fixed-sequence testing.

    Examples
    --------
    >>> right, of = np.array([60.0, 99.0, 150.0]), np.array([60.0, 100.0, 180.0])
    >>> fixed_sequence(right, of, 0.95, 0.95, np.array([0]))
    array([ True,  True, False])
    """
    is_kept = np.zeros(trials.size, dtype=np.bool_)
    if not starts.size:
        return is_kept
    of_walk = 1 - (1 - guarantee) / starts.size
    # with the same number of errors, a larger zone keeps a promise that a smaller one keeps
    has_more_errors = np.flatnonzero(np.diff(trials - successes) > 0) + 1
    end = 0
    for start in starts.tolist():
        if start >= end:
            later = has_more_errors[np.searchsorted(has_more_errors, start, side="right") :]
            places = np.append(start, later)
            end = _first_broken(successes, trials, share, of_walk, places)
            is_kept[start:end] = True
    return is_kept


def _first_broken(
    successes: Floats, trials: Floats, share: float, guarantee: float, places: NDArray[np.intp]
) -> int:
    """Find the first of some places whose bound breaks the promise; the end if none does."""
    first = 0
    size = _FIRST_BLOCK
    while first < places.size:
        block = places[first : first + size]
        broken = is_bound_below(successes[block], trials[block], share, guarantee)
        if broken.any():
            return int(block[broken.argmax()])
        first += size
        size *= 2
    return trials.size
