"""The base of every result: a frozen dataclass whose arrays nobody can write to; tables of them.

Knows nothing of what the fields mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

DataFrame: TypeAlias = "pd.DataFrame"


@dataclass(frozen=True, eq=False)
class Frozen:
    """Own read-only copies of the arrays that came in; travel by pickle as fields only.

    An array that is locked, and no view of another, is taken as it is: large ones are not there
    twice while a result is made of them.
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray) and (value.flags.writeable or value.base is not None):
                object.__setattr__(self, field.name, read_only(value.copy()))

    def __reduce__(self) -> tuple[Any, ...]:
        # arrays come out of a pickle writable, so the constructor has to run again
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Lock an array that was made here just now; never one that a caller handed in."""
    array.flags.writeable = False
    return array


def to_frame(columns: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> DataFrame:
    """Return a table of columns by name, or of rows; only here a table needs pandas."""
    import pandas as pd

    return pd.DataFrame(columns)
