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

    ``sources`` has for each the column of X, and the category whose question it is, or None for
    numbers; by default the columns of X are asked. ``names_in`` are the names of X's columns.
    """

    def __init__(
        self,
        n_columns_in: int,
        names_in: Any = None,
        sources: Sequence[tuple[int, Any]] | None = None,
    ) -> None:
        self.names_in = None if names_in is None else [str(name) for name in names_in]
        if sources is None:
            sources = [(j, None) for j in range(n_columns_in)]
        self.sources: list[tuple[int, Any]] = []
        for pair in sources:
            is_pair = isinstance(pair, Sequence) and len(pair) == 2
            if not is_pair or pair[0] not in range(n_columns_in):
                raise ValueError(
                    f"categories must be pairs of a column from 0 to {n_columns_in - 1} and one of "
                    f"its categories, or None; got {describe(pair)}."
                )
            self.sources.append((pair[0], pair[1]))
        self.n = len(self.sources)
        self.has_categories = any(category is not None for _, category in self.sources)
        self.names: list[str] | None = None
        if self.names_in is not None:
            self.names = []
            for j, category in self.sources:
                name = self.names_in[j]
                self.names.append(name if category is None else f"{name} = {category}")

    @classmethod
    def of_frame(cls, X: Any, names: list[str]) -> ListColumns | None:
        """Find the questions to ask of a data frame; None if all of its columns are numbers.

        Of two categories the second in order is asked for; of more, each.
        """
        table = Table(X, names)
        nominal = [j for j in range(len(names)) if table.is_nominal(j)]
        if not nominal:
            return None
        sources: list[tuple[int, Any]] = []
        for j in range(len(names)):
            if j not in nominal:
                sources.append((j, None))
                continue
            words = table.words([j])[:, 0]
            # NaN, which is missing, is not equal to itself
            known = {word for word in words.tolist() if word == word}
            categories = sorted(known, key=_category_order)
            if len(categories) == 2:
                categories = categories[1:]
            sources += [(j, category) for category in categories]
        return cls(len(names), names, sources)

    def transform(self, X: Any) -> Floats:
        """Keep numbers, and answer 0 or 1 for each category; NaN where a value is missing.

        The data frame has the columns it had in fit.
        """
        if not hasattr(X, "columns"):
            raise ValueError(
                "X must be a data frame, as in fit: some of its columns hold categories."
            )
        table = Table(X, self.names_in or [])
        answers = np.empty((table.n_samples, self.n))
        is_number = [category is None for _, category in self.sources]
        numeric = [j for j, category in self.sources if category is None]
        if numeric:
            numbers = _safe_indexing(X, numeric, axis=1)
            answers[:, is_number] = check_array(
                numbers, dtype=np.float64, ensure_all_finite="allow-nan"
            )
        words: dict[int, Any] = {}
        for column, (j, category) in enumerate(self.sources):
            if category is None:
                continue
            if j not in words:
                words[j] = table.words([j])[:, 0]
            is_missing = words[j] != words[j]
            answers[:, column] = words[j] == category
            answers[is_missing, column] = np.nan
        return answers

    # ------------------------------------------------------------------ names and numbers

    def numbers(self, feature: Any, what: str) -> list[int]:
        """Find the columns that a name or a number means: several for a name of categories."""
        if self.has_categories and self.names_in is not None:
            if isinstance(feature, Integral):
                raise ValueError(
                    f"{what}: some columns of X hold categories, so name features by name, such "
                    f"as {describe(self.of([0])[0])}; got {describe(feature)}."
                )
            if feature in self.names_in:
                source = self.names_in.index(feature)
                return [column for column, (j, _) in enumerate(self.sources) if j == source]
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
        scores = {}
        for feature, values in allowed.items():
            for column in self.numbers(feature, "allowed_scores"):
                scores[column] = values
        return scores

    def costs(self, feature_costs: Any) -> Floats | None:
        """Find the cost of each column: 1 where a mapping has none."""
        if feature_costs is None:
            return None
        if isinstance(feature_costs, Mapping):
            costs = np.ones(self.n)
            for feature, value in feature_costs.items():
                for column in self.numbers(feature, "feature_costs"):
                    costs[column] = check_number(value, f"feature_costs of {describe(feature)}")
        else:
            costs = check_vector(feature_costs, "feature_costs")
            if self.names_in is not None and costs.size == len(self.names_in) != self.n:
                costs = costs[[j for j, _ in self.sources]]
        return check_prices(costs, "feature_costs", self.n)


def _category_order(category: Any) -> tuple[str, Any]:
    """Sort key for words, numbers and truth values of one column."""
    if isinstance(category, (int, float)):
        return "number", category
    return "text", str(category)
