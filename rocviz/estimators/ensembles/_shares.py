"""Samples split into shares: some set aside, the others for training, classes mixed alike.

Handles labels and indices only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.estimators.base.classifier import source_of


def split_into_shares(
    X: Any, y: Any, known: Any, n_shares: int, *, validation_size: float, random_state: Any
) -> tuple[Any, list[Any]]:
    """Return the samples set aside and those of each share, in the order of the data.

    At least one sample of each class is set aside, and goes to each share; ``known`` are the
    samples to split. It raises ``ValueError`` if a class has too few; the message names the shape
    of ``X``.
    """
    rng = source_of(random_state)
    validation = []
    shares: list[list[Any]] = [[] for _ in range(n_shares)]
    for label in np.unique(y):
        members = rng.permutation(known[y[known] == label])
        if members.size < n_shares + 1:
            shape: tuple[int, ...] = getattr(X, "shape", ())
            columns = f", n_features={shape[1]}" if len(shape) == 2 else ""
            raise ValueError(
                f"The data (n_samples={len(known)}{columns}) hold {members.size} of class "
                f"{np.asarray(label).item()!r}; to validate, and to train on {n_shares} "
                f"separate share{'s' * (n_shares > 1)}, takes {n_shares + 1} of each class."
            )
        n_held = min(max(round(validation_size * members.size), 1), members.size - n_shares)
        held, rest = np.split(members, [n_held])
        validation.append(held)
        for k, share in enumerate(shares):
            share.append(rest[k::n_shares])
    # in the order of the data, so that the order of the draw leaves no trace in the fits
    return np.sort(np.concatenate(validation)), [np.sort(np.concatenate(s)) for s in shares]
