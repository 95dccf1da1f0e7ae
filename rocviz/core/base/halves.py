"""Samples shared out to two halves, each with its share of every class; always the same way.

The indices are those of scikit-learn's ``train_test_split``, which users are shown, but nobody has
to load scikit-learn for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]


def stratified_halves(labels: NDArray[Any]) -> tuple[Indices, Indices]:
    """Return the indices of two halves with the same shares of the classes, two or more of each.

    They are what ``train_test_split(np.arange(n_samples), test_size=0.5, stratify=labels,
    random_state=0)`` returns: the second has one more where the number is odd, and a class of one
    sample only raises ``ValueError``.

    Examples
    --------
    >>> first, second = stratified_halves(np.array([0, 0, 0, 0, 1, 1]))
    >>> first.size, second.size
    (3, 3)
    """
    rng = np.random.RandomState(0)
    _, number, count = np.unique(labels, return_inverse=True, return_counts=True)
    if count.min() < 2:
        raise ValueError("labels must hold two or more of each class; there is one of some class.")
    members = np.split(np.argsort(number, kind="stable"), np.cumsum(count)[:-1])
    first = _share_out(count, number.size // 2, rng)
    second = _share_out(count - first, number.size - number.size // 2, rng)
    mixed = [of_class[rng.permutation(of_class.size)] for of_class in members]
    halves = (
        [order[:a] for order, a in zip(mixed, first, strict=True)],
        [order[a : a + b] for order, a, b in zip(mixed, first, second, strict=True)],
    )
    one, other = (rng.permutation(np.concatenate(half)) for half in halves)
    return one, other


def _share_out(count: NDArray[np.int_], total: int, rng: np.random.RandomState) -> NDArray[np.int_]:
    """Return how many of each class make up the total; ties for the last ones are drawn."""
    exact = count / count.sum() * total
    whole = np.floor(exact)
    rest = exact - whole
    missing = int(total - whole.sum())
    for value in np.unique(rest)[::-1]:
        if missing:
            tied = np.flatnonzero(rest == value)
            lucky = rng.choice(tied, size=min(tied.size, missing), replace=False)
            whole[lucky] += 1
            missing -= lucky.size
    return np.asarray(whole, dtype=np.int_)
