"""What the loaders share: tables, and arrays nobody can write to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


def to_frame(columns: dict[str, NDArray[Any]]) -> pd.DataFrame:
    """Return copies of the columns as a pandas table."""
    import pandas as pd

    return pd.DataFrame({name: np.array(values) for name, values in columns.items()})


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Lock an array that was made for the caller just now."""
    array.flags.writeable = False
    return array
