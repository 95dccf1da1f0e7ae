"""What learning a scoring list takes besides the search: names, yes/no columns, a progress bar.

The search itself is the core's. Knows nothing of probabilities or of what a list is used for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from tqdm import tqdm

from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_flag,
    check_iterable,
    check_number,
    check_vector,
    describe,
)

# Rows that are looked at together: what is made of them stays in a fast memory.
_ROWS = 2**14


class Columns:
    """Names of columns and back.

    Where categories have made several columns of one, ``given`` are the names that X came with, and
    ``sources`` say of which of them each column was made.
    """

    def __init__(
        self,
        n_columns: int,
        names: Any = None,
        given: Sequence[str] | None = None,
        sources: Sequence[int] | None = None,
    ) -> None:
        self.n = n_columns
        self.names = None if names is None else [str(name) for name in names]
        self.given = given
        self.sources = sources

    def numbers(self, feature: Any, what: str) -> list[int]:
        """Return the columns that a name stands for: of categories, each that was made of it."""
        if self.given is not None and self.sources is not None and feature in self.given:
            of = self.given.index(feature)
            return [column for column, source in enumerate(self.sources) if source == of]
        return [self.number(feature, what)]

    def number(self, feature: Any, what: str) -> int:
        """Return the column that a name or a number stands for."""
        if self.given is not None:
            if isinstance(feature, Integral):
                raise ValueError(
                    f"{what}: some columns of X hold categories, so name features by name, such "
                    f"as {self.of([0])[0]!r}; got {describe(feature)}."
                )
            found = self.numbers(feature, what) if feature in self.given else []
            if len(found) == 1:
                return found[0]
        if isinstance(feature, Integral) and not isinstance(feature, bool):
            if 0 <= int(feature) < self.n:
                return int(feature)
            raise ValueError(f"{what}: there is no column {feature}; X has {self.n} columns.")
        if self.names is None:
            raise ValueError(
                f"{what}: {describe(feature)} is no column number, and X came without names of "
                "columns."
            )
        if feature not in self.names:
            raise ValueError(
                f"{what}: there is no feature {describe(feature)}; X has {self.names}."
            )
        return self.names.index(feature)

    def of(self, features: Any) -> tuple[str, ...]:
        """Return the names of columns; ``x0`` and so on if they have none."""
        names = self.names or [f"x{column}" for column in range(self.n)]
        return tuple(names[column] for column in features)

    def prefix(self, prefix: Any) -> list[tuple[Any, ...]] | None:
        """Return forced stages with columns in place of names."""
        if prefix is None:
            return None
        check_iterable(prefix, "prefix", "a list of (feature, score, ...) tuples")
        lines = []
        for line in prefix:
            if isinstance(line, (str, bytes)) or not isinstance(line, Sequence) or not line:
                raise ValueError(
                    f"prefix must be a list of (feature, score, ...) tuples; got {describe(line)}."
                )
            lines.append((self.number(line[0], "prefix"), *line[1:]))
        return lines

    def scores(self, allowed: Any) -> dict[int, Any] | None:
        """Return allowed scores by column."""
        if allowed is None:
            return None
        if not isinstance(allowed, Mapping):
            raise ValueError(
                f"allowed_scores must map features to scores; got {type(allowed).__name__}."
            )
        return {
            column: value
            for key, value in allowed.items()
            for column in self.numbers(key, "allowed_scores")
        }

    def costs(self, costs: Any, *, free: bool = True) -> Floats | None:
        """Return a cost for each column: 1 where a mapping has none."""
        if costs is None:
            return None
        if isinstance(costs, Mapping):
            price = np.ones(self.n)
            for key, value in costs.items():
                for column in self.numbers(key, "feature_costs"):
                    price[column] = check_number(value, f"feature_costs of {describe(key)}")
            costs = price
        price = check_vector(costs, "feature_costs")
        if self.given is not None and price.size == len(self.given) != self.n:
            price = price[self.sources]
        if price.size != self.n or (price < 0).any():
            raise ValueError(
                f"feature_costs must not be negative, and one per feature; got {price.size} for "
                f"{self.n} features, the smallest {price.min(initial=np.inf):.6g}."
            )
        if not (free or price.all()):
            raise ValueError(
                "feature_costs must be greater than 0 to learn by; give free features a small cost."
            )
        return price


def refuse_missing(X: Floats) -> None:
    """Raise if a value is missing; scikit-learn's own message would not say what to do."""
    gaps = int(np.count_nonzero(np.isnan(X)))
    if gaps:
        raise ValueError(
            f"Input X contains NaN: {gaps} missing values. Say what they add to a total: "
            "missing='zero' for nothing, missing='score' to learn it."
        )


def yes_or_no(X: Floats) -> Bools:
    """Return which columns hold both 0 and 1 and, apart from NaN, nothing else."""
    only, has_zero, has_one = np.array([[True], [False], [False]]).repeat(X.shape[1], axis=1)
    for first in range(0, len(X), _ROWS):
        some = X[first : first + _ROWS]
        zero, one = some == 0, some == 1
        only &= (zero | one | np.isnan(some)).all(axis=0)
        has_zero |= zero.any(axis=0)
        has_one |= one.any(axis=0)
    return np.asarray(only & has_zero & has_one)


def answers(X: Floats, cuts: Floats) -> Floats:
    """Return 0 and 1 by thresholds; what is missing stays missing."""
    with np.errstate(invalid="ignore"):
        yes = np.where(np.isnan(cuts), X == 1, np.greater(X, cuts)).astype(np.float64)
    yes[np.isnan(X)] = np.nan
    return yes


class ProgressBar:
    """A progress bar for a function that reports ``done`` of ``total``, if one is asked for."""

    def __init__(self, verbose: Any) -> None:
        self._verbose = check_flag(verbose, "verbose")
        self._bar: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def progress(self, done: int, total: int) -> None:
        """Show how much is done."""
        if self._bar is None:
            self._bar = tqdm(total=total, disable=not self._verbose, leave=False)
        self._bar.total = total
        self._bar.update(done - self._bar.n)
