"""Simulated scores of several groups of people, with given differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.log_odds import miscalibrated
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_integer,
    check_number,
    check_random_state,
    check_sequence,
    check_share,
    describe,
)
from rocviz.core.roc.binormal import binormal_scores


@dataclass(frozen=True, eq=False)
class GroupedScores(Frozen):
    """Simulated samples of several groups.

    Parameters
    ----------
    y_true : ndarray of int, shape (n_samples,)
        Class, 0 or 1.
    y_score : ndarray of float, shape (n_samples,)
        Score from 0 to 1: the true probability of class 1, where nothing is shifted.
    groups : ndarray of str, shape (n_samples,)
        "A", "B", ..., in this order.
    """

    y_true: NDArray[np.int64]
    y_score: Floats
    groups: NDArray[np.str_]

    def to_frame(self) -> DataFrame:
        """Tabulate one row per sample: columns ``y_true, y_score, group``."""
        return to_frame({"y_true": self.y_true, "y_score": self.y_score, "group": self.groups})


def make_groups(
    n_samples: Sequence[int] = (500, 500),
    *,
    prevalence: Sequence[float] | float = (0.5, 0.2),
    separation: Sequence[float] | float = 1.5,
    shift: Sequence[float] | float = 0.0,
    random_state: Seed = None,
) -> GroupedScores:
    """Simulate one score for several groups of people. No row is a person.

    In each group the score is the probability that a calibrated model gives, from two normal
    distributions (:func:`rocviz.core.roc.binormal_scores`); ``shift`` moves its log odds.

    Parameters
    ----------
    n_samples : sequence of int, shape (n_groups,)
        Samples of each group, from 2; up to 26 groups.
    prevalence : float or sequence of float, shape (n_groups,)
        Share of positives in each group, from 1e-9 to 1 - 1e-9; a number stands for all groups.
    separation : float or sequence of float, shape (n_groups,)
        Distance of the means of its classes in standard deviations: how well the score ranks the
        group.
    shift : float or sequence of float, shape (n_groups,)
        Added to the log odds of its scores: above 0 they promise too much.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.

    Returns
    -------
    GroupedScores

    Raises
    ------
    ValueError
        If an argument is invalid, or they are of different lengths.

    Examples
    --------
    >>> data = make_groups((300, 100), random_state=0)
    >>> data.to_frame().groupby("group")["y_true"].mean().to_dict()
    {'A': 0.5, 'B': 0.2}
    """
    sizes = _check_per_group(n_samples, "n_samples", _check_size)
    n_groups = len(sizes)
    if not 1 <= n_groups <= len(ascii_uppercase):
        raise ValueError(
            f"n_samples must have from 1 to 26 entries, one per group; got {n_groups}."
        )
    prevalences = _check_per_group(prevalence, "prevalence", check_share, n_groups)
    separations = _check_per_group(separation, "separation", check_number, n_groups)
    shifts = _check_per_group(shift, "shift", check_number, n_groups)
    rng = check_random_state(random_state)
    y_true = []
    y_score = []
    for k, size in enumerate(sizes):
        group = binormal_scores(
            size, prevalence=prevalences[k], separation=separations[k], random_state=rng
        )
        y_true.append(group.y_true)
        y_score.append(miscalibrated(group.y_prob, 1.0, shifts[k]))
    return GroupedScores(
        y_true=np.concatenate(y_true),
        y_score=np.concatenate(y_score),
        groups=np.repeat(list(ascii_uppercase[:n_groups]), sizes),
    )


def _check_size(size: Any, name: str) -> int:
    return check_integer(size, name, minimum=2)


def _check_per_group(values: Any, name: str, check: Any, n_groups: int | None = None) -> list[Any]:
    """Check a value for each group; a number stands for all."""
    if n_groups is not None and isinstance(values, int | float | np.number):
        value = check(values, name)
        return [value for _ in range(n_groups)]
    listed = check_sequence(values, name, "a sequence with a value for each group")
    if n_groups is not None and len(listed) != n_groups:
        raise ValueError(
            f"{name} must have a value for each of {n_groups} groups; got {describe(values)}."
        )
    return [check(value, f"{name}[{i}]") for i, value in enumerate(listed)]
