"""Data in pieces: checks of a piece's labels, and sums of the pieces' counts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import (
    as_array,
    check_iterable,
    check_sequence,
    describe,
    distinct_labels,
    is_same,
    label_column,
    list_labels,
)


def add_up(
    partitions: Iterable[Any],
    kind: type,
    count: Callable[..., Any],
    options: Mapping[str, Any],
) -> Any:
    """Add up the counts of all pieces; pieces that are not counts yet are passed to ``count``."""
    total: Any = None
    check_iterable(partitions, "partitions", "pieces of data")
    for i, piece in enumerate(partitions):
        try:
            counts = piece
            if not isinstance(piece, kind):
                counts = count(**_columns(piece, count), **options)
            total = counts if total is None else total.add(counts)
        except (TypeError, ValueError) as error:
            raise ValueError(f"partitions[{i}]: {error}") from error
    if total is None:
        raise ValueError("partitions is empty; at least one piece of data is needed.")
    return total


def _columns(piece: Any, count: Callable[..., Any]) -> dict[str, Any]:
    """Split a piece into its two or three columns, the first parameters of ``count``."""
    names = list(signature(count).parameters)[:3]
    what = f"two or three arrays ({', '.join(names)}) or counts"
    if hasattr(piece, "keys"):  # iterating over a mapping or a table would yield names, not columns
        raise ValueError(f"a piece must be {what}; got {type(piece).__name__}.")
    columns = check_sequence(piece, "a piece", what)
    if not 2 <= len(columns) <= 3:
        raise ValueError(f"a piece must be {what}; got {len(columns)} values.")
    return dict(zip(names, columns, strict=False))


def common_label(first: Hashable | None, second: Hashable | None, name: str) -> Hashable | None:
    """Check that two pieces have the same negative label."""
    labels = {first, second} - {None}
    if len(labels) > 1:
        texts = sorted(describe(label) for label in labels)
        raise ValueError(
            f"{name} holds more than one label besides pos_label: {' and '.join(texts)}."
        )
    return next(iter(labels), None)


def split_labels(
    y_true: ArrayLike, pos_label: Any, name: str = "y_true"
) -> tuple[NDArray[np.bool_], Hashable | None]:
    """Mark the positive labels of a piece, and find its one other label."""
    labels = label_column(y_true, name)
    classes = distinct_labels(labels, name)
    if pos_label is None:
        pos_label = 1
        if not (set(classes) <= {0, 1} or set(classes) <= {-1, 1}):
            raise ValueError(
                f"pos_label is needed where labels are not 0 and 1, -1 and 1 or booleans; "
                f"{name} holds {list_labels(classes)}."
            )
    if np.size(as_array(pos_label, "pos_label", "one label")) != 1:
        raise ValueError(f"pos_label must be one label; got {describe(pos_label)}.")
    same = [label for label in classes if is_same(pos_label, label)]
    others = [label for label in classes if label not in same]
    if len(others) > 1:
        raise ValueError(
            f"{name} holds more than one label besides pos_label: {list_labels(others)}."
        )
    positive = labels == same[0] if same else np.zeros(labels.size)
    return np.asarray(positive, dtype=np.bool_), next(iter(others), None)
