"""Data in pieces: labels and weights of a piece are checked, and counts are added up."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import (
    Floats,
    as_array,
    check_iterable,
    check_same_length,
    check_sequence,
    check_spread,
    check_vector,
    describe,
    is_same,
    label_column,
)


def add_up(
    partitions: Iterable[Any],
    kind: type,
    count: Callable[..., Any],
    how: Mapping[str, Any],
    begin: Callable[[Any], Any] = lambda first: first,
) -> Any:
    """Add up the counts of all pieces, each counted by ``count`` unless it is of the kind."""
    total: Any = None
    check_iterable(partitions, "partitions", "pieces of data")
    for i, piece in enumerate(partitions):
        try:
            counted = piece if isinstance(piece, kind) else count(*_columns(piece, count), **how)
            total = begin(counted) if total is None else total.add(counted)
        except (TypeError, ValueError) as error:
            raise ValueError(f"partitions[{i}]: {error}") from error
    if total is None:
        raise ValueError("partitions is empty; at least one piece of data is needed.")
    return total


def _columns(piece: Any, count: Callable[..., Any]) -> list[Any]:
    """Split a piece into its two or three columns, the first parameters of ``count``."""
    names = ", ".join([*signature(count).parameters][:3])
    what = f"two or three arrays ({names}) or counts"
    if hasattr(piece, "keys"):  # a mapping or a table is no row of columns, but of names
        raise ValueError(f"a piece must be {what}; got {type(piece).__name__}.")
    columns = check_sequence(piece, "a piece", what)
    if not 2 <= len(columns) <= 3:
        raise ValueError(f"a piece must be {what}; got {len(columns)} values.")
    return columns


def check_piece_weights(sample_weight: ArrayLike, n_samples: int) -> Floats:
    """Check the weights of a piece, all of which may be zero."""
    weight = check_vector(sample_weight, "sample_weight")
    check_same_length(n_samples, sample_weight=weight)
    if (weight < 0).any():
        raise ValueError(f"sample_weight must not be negative; the smallest is {weight.min():.6g}.")
    check_spread("sample_weight", weight)
    return weight


def common_label(one: Hashable | None, other: Hashable | None, name: str) -> Hashable | None:
    """Check that two pieces took the same label as negative."""
    labels = {one, other} - {None}
    if len(labels) > 1:
        first, second = sorted(map(repr, labels))
        raise ValueError(
            f"{name} holds more than one label besides pos_label: {first} and {second}."
        )
    return next(iter(labels), None)


def split_labels(
    y_true: ArrayLike, pos_label: Any, name: str = "y_true"
) -> tuple[NDArray[np.bool_], Hashable | None]:
    """Mark the positive labels of a piece, and find its one other label."""
    labels = label_column(y_true, name)
    distinct = _distinct(labels, name)
    if pos_label is None:
        pos_label = 1
        if not (distinct <= {0, 1} or distinct <= {-1, 1}):
            raise ValueError(
                f"pos_label is needed where labels are not 0 and 1, -1 and 1 or booleans; "
                f"{name} holds {_list(distinct)}."
            )
    if np.size(as_array(pos_label, "pos_label", "one label")) != 1:
        raise ValueError(f"pos_label must be one label; got {describe(pos_label)}.")
    same = {label for label in distinct if is_same(pos_label, label)}
    others = distinct - same
    if len(others) > 1:
        raise ValueError(f"{name} holds more than one label besides pos_label: {_list(others)}.")
    positive = labels == next(iter(same)) if same else np.zeros(labels.size)
    return np.asarray(positive, dtype=np.bool_), next(iter(others), None)


def _distinct(labels: NDArray[Any], name: str) -> set[Any]:
    if labels.dtype.kind in "biu" and labels.size:
        low, high = labels.min(), labels.max()
        if ((labels == low) | (labels == high)).all():
            return {low.item(), high.item()}
    found = set(labels.tolist())
    if any(label is None or label != label for label in found):
        raise ValueError(f"{name} must not hold missing labels (None or NaN).")
    return found


def _list(labels: set[Any]) -> str:
    shown = sorted(map(repr, labels))
    return ", ".join(shown[:5]) + (", ..." if len(shown) > 5 else "")
