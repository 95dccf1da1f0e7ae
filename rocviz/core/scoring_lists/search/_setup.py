"""From a user's data and wishes to a problem and a plan, checked.

Knows nothing of how a search proceeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import frexp
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    as_array,
    check_choice,
    check_samples,
    check_weights,
)
from rocviz.core.scoring_lists.search._columns import BinaryColumns, NumberColumns, as_matrix
from rocviz.core.scoring_lists.search._labels import BinaryLabels, Problem
from rocviz.core.scoring_lists.search._pairs import BinaryPairs, NumberPairs
from rocviz.core.scoring_lists.search._plan import (
    End,
    Plan,
    check_limits,
    check_prefix,
    make_choices,
    step_of,
)
from rocviz.core.scoring_lists.search._thresholds import NumberLabels
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss, StageLoss, batch_loss

DEFAULT_SCORES = (-3, -2, -1, 1, 2, 3)

_THRESHOLDS = ("brute", "bisect")
_MISSING = ("error", "zero", "score")
_OBJECTIVES = ("mean", "last")
_LEAST_ODDS = 1e-290  # of a class beside the other, whose products are floats
_LITTLE = 1e-3  # a loss below this needs a unit, lest all that it falls by counts as tied

Columns: TypeAlias = BinaryColumns | NumberColumns


class AnyProblem(NamedTuple):
    """Checked data, and the problem they make once the step of the scores is known.

    Its losses are in units of 2 to the power of ``exponent``.
    """

    columns: Columns
    with_step: Callable[[int], Problem]
    exponent: int = 0


class Ask(NamedTuple):
    """What may be learned."""

    score_set: Iterable[int]
    allowed_scores: Mapping[int, Iterable[int]] | None
    missing: str
    prefix: Iterable[Sequence[Any]] | None
    objective: str


def label_problem(
    X: ArrayLike,
    y: ArrayLike,
    loss: StageLoss,
    cost_fn: float,
    thresholds: str | None,
    missing: str,
    sample_weight: Weights,
    pos_label: Any,
) -> AnyProblem:
    """Return the problem of labels."""
    measure = batch_loss(loss, cost_fn)
    matrix = as_matrix(X)
    positive, weight = check_samples(y, sample_weight, pos_label, "y", X=matrix)
    rows = None
    if weight is not None and not weight.all():
        rows = weight > 0
        positive, weight = positive[rows], weight[rows]
        if positive.all() or not positive.any():
            raise ValueError("sample_weight leaves one class without weight; both are needed.")
    if weight is not None:
        low, high = sorted(float(weight[positive == kind].sum()) for kind in (True, False))
        if low < _LEAST_ODDS * high:
            raise ValueError(
                "sample_weight must not leave one class next to nothing beside the other; its "
                f"classes weigh {low:.3g} and {high:.3g}."
            )
    columns = _columns(matrix, thresholds, missing, rows)
    exponent = 0 if callable(loss) else _exponent(measure, positive, weight)

    def in_unit(pos: Floats, neg: Floats, totals: NDArray[Any]) -> Floats:
        return np.ldexp(measure(pos, neg, totals), -exponent)

    if isinstance(columns, BinaryColumns):
        return AnyProblem(
            columns, lambda step: BinaryLabels(columns, positive, weight, in_unit, step), exponent
        )
    return AnyProblem(
        columns,
        lambda step: NumberLabels(
            columns,
            positive,
            weight,
            in_unit,
            step,
            monotone=not callable(loss),
            bisect=thresholds == "bisect",
        ),
        exponent,
    )


def _exponent(measure: BatchLoss, positive: Bools, weight: Floats | None) -> int:
    """Return the power of 2 near the loss of the empty list where that is little, else 0."""
    each = np.ones(positive.size) if weight is None else weight
    pos, neg = (np.array([[each[side].sum()]]) for side in (positive, ~positive))
    loss = float(measure(pos, neg, np.zeros(1, dtype=np.intp))[0])
    return frexp(loss)[1] if 0 < loss < _LITTLE else 0


def pair_problem(
    X: ArrayLike, pairs: ArrayLike, thresholds: str | None, missing: str, sample_weight: Weights
) -> AnyProblem:
    """Return the problem of pairs."""
    matrix = as_matrix(X)
    row = _check_pairs(pairs, len(matrix))
    weight = np.ones(len(row))
    if sample_weight is not None:
        weight = _check_pair_weights(sample_weight, len(row))
        row, weight = row[weight > 0], weight[weight > 0]
    used = np.zeros(len(matrix), dtype=np.bool_)
    used[row] = True
    columns = _columns(matrix, thresholds, missing, used)
    row = (np.cumsum(used) - 1)[row]
    if isinstance(columns, BinaryColumns):
        return AnyProblem(columns, lambda step: BinaryPairs(columns, row, weight))
    return AnyProblem(columns, lambda step: NumberPairs(columns, row, weight))


def make_plan(problem: AnyProblem, ask: Ask, end: End, *, per_cost: bool) -> Plan:
    """Return the plan of a search; ``per_cost`` says whether it weighs gains by cost."""
    check_choice(ask.objective, "objective", _OBJECTIVES)
    columns = problem.columns
    choices = make_choices(columns, ask.score_set, ask.allowed_scores, ask.missing)
    forced = check_prefix(ask.prefix, choices, isinstance(columns, NumberColumns))
    limits = check_limits(columns.n_features, len(forced), end, per_cost=per_cost)
    if problem.exponent:
        with np.errstate(over="ignore"):  # no loss is so great
            cutoff, tol = (
                None if limit is None else float(np.ldexp(limit, -problem.exponent))
                for limit in (limits.loss_cutoff, limits.tol)
            )
        limits = replace(limits, loss_cutoff=cutoff, tol=tol)
    step = step_of(choices, forced)
    return Plan(problem.with_step(step), choices, forced, limits, ask.objective, problem.exponent)


def _columns(
    matrix: NDArray[Any], thresholds: str | None, missing: str, rows: Bools | None
) -> Columns:
    check_choice(missing, "missing", _MISSING)
    kind: type[Columns] = BinaryColumns
    if thresholds is not None:
        check_choice(thresholds, "thresholds", _THRESHOLDS)
        kind = NumberColumns
    return kind(matrix, nan=missing != "error", rows=rows)


def _check_pairs(pairs: ArrayLike, n_samples: int) -> NDArray[np.intp]:
    row = as_array(pairs, "pairs", "row numbers of X")
    if row.dtype.kind not in "iu" or row.ndim != 2 or row.shape[1] != 2 or not len(row):
        raise ValueError(
            "pairs must be row numbers of X, shape (n_pairs, 2), at least one pair; "
            f"got {row.dtype} of shape {row.shape}."
        )
    if row.min() < 0 or row.max() >= n_samples:
        raise ValueError(
            f"pairs must be row numbers from 0 to {n_samples - 1}; found {row.min()} to "
            f"{row.max()}."
        )
    if (row[:, 0] == row[:, 1]).any():
        raise ValueError("pairs must be of two different samples; some hold one sample twice.")
    return row.astype(np.intp)


def _check_pair_weights(sample_weight: ArrayLike, n_pairs: int) -> NDArray[np.float64]:
    """Return non-negative weights, not all zero, one per pair."""
    size = as_array(sample_weight, "sample_weight", "one weight per pair").shape[:1]
    if size != (n_pairs,):
        raise ValueError(
            f"sample_weight must have one entry per pair; got {size} for {n_pairs} pairs."
        )
    return np.asarray(check_weights(sample_weight, n_pairs), dtype=np.float64)
