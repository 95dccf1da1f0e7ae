"""The columns that a list asks: numbers as they are, and one for each category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing, check_array

from rocviz.core.base.validation import (
    Floats,
    check_number,
    check_prices,
    check_sequence,
    check_vector,
    describe,
)
from rocviz.estimators.base.table import Table


class ListColumns:
    """Columns that a list asks, by name and by number.

    ``made_of`` has for each the column of X, and the category whose question it is, or None for
    numbers; by default X itself is asked.
    """

    def __init__(
        self, n_given: int, given: Any = None, made_of: Sequence[tuple[int, Any]] | None = None
    ) -> None:
        self.given = None if given is None else [str(name) for name in given]
        self.made_of: list[tuple[int, Any]] = []
        for pair in [(j, None) for j in range(n_given)] if made_of is None else made_of:
            if not isinstance(pair, Sequence) or len(pair) != 2 or pair[0] not in range(n_given):
                raise ValueError(
                    f"categories must be pairs of a column from 0 to {n_given - 1} and one of "
                    f"its categories, or None; got {describe(pair)}."
                )
            self.made_of.append((pair[0], pair[1]))
        self.n = len(self.made_of)
        self.has_categories = any(category is not None for _, category in self.made_of)
        self.names = self.given and [
            self.given[j] if category is None else f"{self.given[j]} = {category}"
            for j, category in self.made_of
        ]

    @classmethod
    def of_frame(cls, X: Any, names: list[str]) -> ListColumns | None:
        """Find the questions to ask of a data frame; None if all of its columns are numbers.

        Of two categories the second in order is asked for; of more, each.
        """
        table = Table(X, names)
        nominal = [j for j in range(len(names)) if table.is_nominal(j)]
        if not nominal:
            return None
        made_of: list[tuple[int, Any]] = []
        for j in range(len(names)):
            if j not in nominal:
                made_of.append((j, None))
                continue
            words = table.words([j])[:, 0]
            known = sorted({word for word in words.tolist() if word == word}, key=_in_order)
            made_of += [(j, word) for word in (known[1:] if len(known) == 2 else known)]
        return cls(len(names), names, made_of)

    def transform(self, X: Any) -> Floats:
        """Keep numbers, and answer 0 or 1 for each category; NaN where a value is missing.

        The data frame has the columns it had in fit.
        """
        if not hasattr(X, "columns"):
            raise ValueError(
                "X must be a data frame, as in fit: some of its columns hold categories."
            )
        table = Table(X, self.given or [])
        asked = np.empty((table.n_samples, self.n))
        numeric = [j for j, category in self.made_of if category is None]
        if numeric:
            asked[:, [category is None for _, category in self.made_of]] = check_array(
                _safe_indexing(X, numeric, axis=1), dtype=np.float64, ensure_all_finite="allow-nan"
            )
        words = {j: table.words([j])[:, 0] for j, category in self.made_of if category is not None}
        for at, (j, category) in enumerate(self.made_of):
            if category is not None:
                asked[:, at] = words[j] == category
                asked[words[j] != words[j], at] = np.nan
        return asked

    # ------------------------------------------------------------------ names and numbers

    def numbers(self, feature: Any, what: str) -> list[int]:
        """Find the columns that a name or a number stands for: several for a name of categories."""
        if self.has_categories and self.given is not None:
            if isinstance(feature, Integral):
                raise ValueError(
                    f"{what}: some columns of X hold categories, so name features by name, such "
                    f"as {self.of([0])[0]!r}; got {describe(feature)}."
                )
            if feature in self.given:
                source = self.given.index(feature)
                return [column for column, (j, _) in enumerate(self.made_of) if j == source]
        if isinstance(feature, Integral) and not isinstance(feature, bool):
            if 0 <= int(feature) < self.n:
                return [int(feature)]
            raise ValueError(f"{what}: there is no column {feature}; X has {self.n} columns.")
        if self.names is None:
            raise ValueError(
                f"{what}: {describe(feature)} is not a column number, and X has no column names."
            )
        if feature not in self.names:
            raise self._unknown(feature, what)
        return [self.names.index(feature)]

    def _unknown(self, feature: Any, what: str) -> ValueError:
        return ValueError(f"{what}: there is no feature {describe(feature)}; X has {self.names}.")

    def of(self, features: Any) -> tuple[str, ...]:
        """Name columns; ``x0`` and so on if they have no names."""
        names = self.names or [f"x{column}" for column in range(self.n)]
        return tuple(names[column] for column in features)

    def prefix(self, prefix: Any) -> list[tuple[Any, ...]] | None:
        """Replace the names of forced stages by columns."""
        if prefix is None:
            return None
        what = "a list of (feature, score, ...) tuples"
        lines = []
        for line in check_sequence(prefix, "prefix", what):
            if not check_sequence(line, "prefix", what):
                raise ValueError(f"prefix must be {what}; got {describe(line)}.")
            columns = self.numbers(line[0], "prefix")
            if len(columns) != 1:
                raise self._unknown(line[0], "prefix")
            lines.append((columns[0], *line[1:]))
        return lines

    def scores(self, allowed: Any) -> Any:
        """Find the allowed scores of each column."""
        if not isinstance(allowed, Mapping):
            return allowed  # which the search refuses
        return {
            column: value
            for key, value in allowed.items()
            for column in self.numbers(key, "allowed_scores")
        }

    def costs(self, feature_costs: Any) -> Floats | None:
        """Find the cost of each column: 1 where a mapping has none."""
        if feature_costs is None:
            return None
        if isinstance(feature_costs, Mapping):
            price = np.ones(self.n)
            for key, value in feature_costs.items():
                for column in self.numbers(key, "feature_costs"):
                    price[column] = check_number(value, f"feature_costs of {describe(key)}")
        else:
            price = check_vector(feature_costs, "feature_costs")
            if self.given is not None and price.size == len(self.given) != self.n:
                price = price[[j for j, _ in self.made_of]]
        return check_prices(price, "feature_costs", self.n)


def _in_order(word: Any) -> tuple[str, Any]:
    """Order words, numbers and truth values of one column."""
    return ("number", word) if isinstance(word, (int, float)) else ("text", str(word))
