"""Rows of pandas in another order are refused; tests/fuzz/test_aligned.py tries every callable."""

import numpy as np
import pandas as pd
import pytest

from rocviz.core.base.validation import check_aligned

Y = pd.Series(np.tile([0, 1], 6), [f"row {i}" for i in range(12)])


def test_the_same_labels_in_another_order_are_refused_by_name():
    with pytest.raises(ValueError, match=r"w has the index labels of y in another order\. Align"):
        check_aligned(y=Y, n=None, w=Y.iloc[::-1])


def test_other_rows_and_lists_are_accepted():
    check_aligned(a=Y, b=Y.iloc[:3], c=[1], d=None, e=Y.to_numpy(), f=Y.copy())
    check_aligned(a=Y, b=Y.rename({"row 0": "new"}).iloc[::-1])
