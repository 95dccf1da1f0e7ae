"""The law at a given temperature: counts kept, AUC implied, both signs and all limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac

counts = st.tuples(st.integers(1, 60), st.integers(1, 60))


@given(counts, st.floats(0.2, 1e6), st.sampled_from([1, -1]))
def test_counts_are_kept_and_the_auc_leads_back(n, warmth, sign):
    law = FermiDirac.from_temperature(sign * warmth, *n)
    assert law.temperature == pytest.approx(sign * warmth, rel=1e-12)
    assert (law.n_pos, law.n_neg) == n
    assert law.probability().sum() == pytest.approx(n[0], rel=1e-10)
    assert (law.auc > 0.5) == (sign > 0)
    back = FermiDirac.from_auc(law.auc, *n)
    assert back.beta == pytest.approx(law.beta, rel=1e-5, abs=1e-12)


def test_rounding_that_is_larger_than_the_slope_does_not_keep_it_from_an_answer():
    law = FermiDirac.from_temperature(0.01426, 1, 2)
    assert law.probability() == pytest.approx([1, 0, 0], abs=1e-12)
    assert law.chemical_potential == pytest.approx(1.5, abs=0.02)


@given(counts, st.floats(0.5, 1e4))
def test_below_zero_is_the_ranking_read_backwards(n, warmth):
    law = FermiDirac.from_temperature(warmth, *n)
    backwards = FermiDirac.from_temperature(-warmth, *n)
    assert backwards.auc == law.one_minus_auc
    assert backwards.probability() == pytest.approx(law.probability()[::-1], rel=1e-9)


@pytest.mark.parametrize(
    ("temperature", "auc"), [(0.0, 1.0), (-0.0, 0.0), (np.inf, 0.5), (-np.inf, 0.5), (1e-5, 1.0)]
)
def test_limits(temperature, auc):
    law = FermiDirac.from_temperature(temperature, 7, 13)
    assert law.auc == auc
    assert (law.n_pos, law.n_neg) == (7, 13)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((float("nan"), 5, 5), "temperature must be a number"),
        (("hot", 5, 5), "temperature must be a number"),
        ((True, 5, 5), "temperature must be a number"),
        ((1.0, 0, 5), "n_pos must be an integer of at least 1"),
        ((1.0, 5, 2.5), "n_neg must be an integer"),
    ],
)
def test_bad_input(arguments, match):
    with pytest.raises(ValueError, match=match):
        FermiDirac.from_temperature(*arguments)
