"""Every callable refuses pandas rows in another order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from callables import public_callables
from matplotlib import pyplot as plt

pytestmark = pytest.mark.slow

N = 12
#: Optional arguments that many callables take.
MORE = {
    "sample_weight": lambda n: np.ones(n),
    "groups": lambda n: np.repeat(["a", "b"], n // 2),
    "clusters": lambda n: np.repeat(["a", "b"], n // 2),
}


def arguments_of(one):
    """Find the right arguments of a callable, and the names of those with a row for each sample."""
    given = one.arguments()
    rows = {
        name: len(value)
        for name, value in given.items()
        if isinstance(value, np.ndarray) and value.ndim in (1, 2) and len(value) % N == 0
    }
    n = max(rows.values(), default=0)
    for name, make in MORE.items():
        if n and name in one.asked and name not in given:
            given[name], rows[name] = make(n), n
    return given, [name for name, size in rows.items() if size == n > 0]


def as_pandas(value, order=slice(None)):
    index = pd.Index([f"row {i}" for i in range(len(value))])[order]
    if value.ndim == 1:
        return pd.Series(value, index)
    return pd.DataFrame(value, index, [f"column {i}" for i in range(value.shape[1])])


DOORS = {
    name: aligned
    for name, one in public_callables().items()
    if len(aligned := arguments_of(one)[1]) > 1
}


def test_all_kinds_of_aligned_arguments_are_covered():
    assert len(DOORS) > 80
    for kind in ("RankedSegments.", "Display.", "Explorer", "Classifier", "ScoringList"):
        assert any(kind in name for name in DOORS), kind


@pytest.mark.filterwarnings("ignore")  # of so few samples
@pytest.mark.parametrize("name", DOORS)
def test_rows_in_another_order_are_refused(name):
    one, aligned = public_callables()[name], DOORS[name]
    for other in aligned:
        given, _ = arguments_of(one)
        for each in aligned:
            order = slice(None, None, -1) if each == other else slice(None)
            given[each] = as_pandas(given[each], order)
        with pytest.raises(ValueError, match=r"in another order\. Align it"):
            one.function(**given)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DOORS)
def test_equal_and_unrelated_indices_are_accepted(name):
    one, aligned = public_callables()[name], DOORS[name]
    for last in (as_pandas, lambda value: as_pandas(value).reset_index(drop=True).iloc[::-1]):
        given, _ = arguments_of(one)
        given |= {each: as_pandas(given[each]) for each in aligned}
        given[aligned[-1]] = last(arguments_of(one)[0][aligned[-1]])
        try:
            opened = one.function(**given)
        except ValueError as error:
            # such as groups that a fitted model does not know
            assert "another order" not in str(error)  # noqa: PT017
        else:
            if hasattr(opened, "close"):
                opened.close()
        plt.close("all")
