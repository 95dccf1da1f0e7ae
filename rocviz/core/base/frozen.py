"""The base of every result, a frozen dataclass with read-only arrays; tables of results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

DataFrame: TypeAlias = "pd.DataFrame"


@dataclass(frozen=True, eq=False)
class Frozen:
    """Base of results: holds read-only copies of arrays, and pickles its fields only.

    An array that is read-only and no view of another is not copied, which saves memory where
    large results arise.
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray) and (value.flags.writeable or value.base is not None):
                object.__setattr__(self, field.name, read_only(value.copy()))

    def __reduce__(self) -> tuple[Any, ...]:
        # unpickled arrays are writable, so the constructor must run again
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only; it must not belong to a caller."""
    array.flags.writeable = False
    return array


def to_frame(rows: Any = None, /, **columns: Any) -> DataFrame:
    """Tabulate named columns, or rows; pandas is imported only here."""
    import pandas as pd

    return pd.DataFrame(columns if rows is None else rows)
