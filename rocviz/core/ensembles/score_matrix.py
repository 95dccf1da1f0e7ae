"""A matrix of scores with one column per classifier: checks, and ranks within columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocviz.core.base.naming import check_column_names, column_names, name_texts
from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_same_length,
    check_sequence,
    check_vector,
    collected,
    describe,
    list_labels,
)
from rocviz.core.calibration.binarize import check_matrix


def score_matrix(scores: Any, name: str) -> tuple[list[str] | None, Floats]:
    """Check a matrix of finite scores, and get the names of its columns, if any."""
    scores = collected(scores)
    check_column_names(scores, name)
    keys = list(scores) if isinstance(scores, Mapping) else column_names(scores)
    if keys is None:
        return None, check_matrix(scores, nan=False, name=name)
    names = name_texts(keys, name)
    columns = [check_vector(scores[key], f"{name}[{describe(key)}]") for key in keys]
    if not columns:
        raise ValueError(f"{name} is empty; at least one classifier is needed.")
    for key, column in zip(keys, columns, strict=True):
        check_same_length(columns[0].size, **{f"{name}[{describe(key)}]": column})
    return names, np.column_stack(columns)


def check_names(names: Sequence[str] | None, n_classifiers: int) -> tuple[str, ...]:
    """Check for the given number of distinct names; ``None`` gives "classifier 1" and so on."""
    if names is None:
        return tuple(f"classifier {k}" for k in range(1, n_classifiers + 1))
    values = check_sequence(names, "names", "a sequence of words")
    if any(np.ndim(value) for value in values):
        raise ValueError(f"names must be a sequence of strings; got {describe(names)}.")
    texts = tuple(name_texts(values, "names"))
    if len(texts) != n_classifiers or len(set(texts)) != n_classifiers:
        raise ValueError(
            f"names must be {n_classifiers} different names, one per classifier; "
            f"got {list_labels(texts)}."
        )
    return texts


def auc_of_columns(positive: Bools, scores: Floats) -> Floats:
    """Compute the AUC of every column of scores, ties counting one half."""
    wrong = misordered(positive, decreasing_ranks(scores))
    return np.asarray(1 - wrong / (positive.sum() * (~positive).sum()))


def decreasing_ranks(scores: Floats) -> Floats:
    """Compute midranks down each column; 1 is the highest score."""
    ranks = np.empty(scores.shape)
    for column, values in enumerate(np.ascontiguousarray(scores.T)):
        order = np.argsort(-values)
        ranked = values[order]
        tie_start = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
        tie_size = np.diff(tie_start, append=ranked.size)
        ranks[order, column] = np.repeat(np.cumsum(tie_size) - (tie_size - 1) / 2, tie_size)
    return ranks


def misordered(positive: Bools, ranks: Floats) -> Floats:
    """Count the pairs whose negative is ranked above the positive, ties one half."""
    n_pos = int(positive.sum())
    return np.asarray(ranks[positive].sum(axis=0) - n_pos * (n_pos + 1) / 2)
