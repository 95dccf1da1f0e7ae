"""Columns of words as yes/no questions, one for each category; numbers stay what they are.

Knows data frames and names of questions; nothing of scores or of how a list is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing, check_array

from rocviz.core.base.validation import Floats, describe
from rocviz.estimators.base.table import Table


class NominalColumns:
    """What each column of the table that a list asks is made of.

    ``made_of`` has the column of X, and its category whose question it is, or None for numbers.
    """

    def __init__(self, names: Sequence[str], made_of: Sequence[tuple[int, Any]]) -> None:
        self.columns = list(names)
        self.made_of: list[tuple[int, Any]] = []
        for pair in made_of:
            if not isinstance(pair, Sequence) or len(pair) != 2 or pair[0] not in range(len(names)):
                raise ValueError(
                    f"categories must be pairs of a column from 0 to {len(names) - 1} and one of "
                    f"its categories, or None; got {describe(pair)}."
                )
            self.made_of.append((pair[0], pair[1]))
        self.names = [
            names[column] if category is None else f"{names[column]} = {category}"
            for column, category in self.made_of
        ]

    @classmethod
    def of(cls, X: Any, names: list[str]) -> NominalColumns | None:
        """Return how to read a data frame; None if all of its columns are numbers.

        Of two categories the second in order is asked for; of more, each.
        """
        if not hasattr(X, "columns"):
            return None
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
        return cls(names, made_of)

    def transform(self, X: Any) -> Floats:
        """Return numbers as they are, and 0 or 1 for each category; NaN where a value is missing.

        The data frame has the columns it had in fit.
        """
        if not hasattr(X, "columns"):
            raise ValueError(
                "X must be a data frame, as in fit: some of its columns hold categories."
            )
        table = Table(X, self.columns)
        asked = np.empty((table.n_samples, len(self.made_of)))
        numeric = [j for j, category in self.made_of if category is None]
        if numeric:
            asked[:, [category is None for _, category in self.made_of]] = check_array(
                _safe_indexing(X, numeric, axis=1),
                dtype=np.float64,
                ensure_all_finite="allow-nan",
            )
        words: dict[int, Any] = {}
        for at, (j, category) in enumerate(self.made_of):
            if category is None:
                continue
            if j not in words:
                words[j] = table.words([j])[:, 0]
            asked[:, at] = words[j] == category
            asked[words[j] != words[j], at] = np.nan
        return asked


def _in_order(word: Any) -> tuple[str, Any]:
    """Return a key that orders words, numbers and truth values of one column."""
    return ("number", word) if isinstance(word, (int, float)) else ("text", str(word))
