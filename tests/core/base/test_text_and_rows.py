"""Text, and things one after the other, are checked for what they are."""

import numpy as np
import pytest

from rocviz.core.base.validation import check_iterable, check_text
from rocviz.core.decisions._windowed_utility import windowed_utilities
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.utility import resolve_metric


def test_text_and_rows():
    assert check_text("a", "here") == "a"
    check_iterable(iter([1]), "here", "numbers")
    for value in (1, None, "\ud800", b"a"):
        with pytest.raises(ValueError, match=r"^here must be text"):
            check_text(value, "here")
    for value in (1, None, "text"):
        with pytest.raises(ValueError, match=r"^here must be numbers"):
            check_iterable(value, "here", "numbers")


def test_limits_of_formulas_and_metrics():
    with pytest.raises(ValueError, match=r"^names must hold at least one"):
        parse_formula("1", names=[])
    with pytest.raises(ValueError, match=r"^beta must be at most"):
        resolve_metric("f", beta=1e200)


def test_blocks_that_moments_have_done_are_passed_over():
    eta = np.full(6000, 0.3)
    smooth = parse_formula("u + 0.2*p")
    found, _ = windowed_utilities(eta, resolve_metric(smooth), 1e-13, has_bends=False)
    k = np.arange(6001)
    np.testing.assert_allclose(found, (0.3 * k + 0.2 * 0.3 * 6000) / 6000, atol=1e-13)
