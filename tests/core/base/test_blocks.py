"""Computing in blocks gives the same as computing at once."""

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.base.blocks import blocks, running_totals, weight_by_cell
from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.decisions import parse_formula, resolve_metric
from rocviz.core.decisions._windowed_utility import windowed_utilities
from rocviz.core.roc.auc_variance import delong_variance
from rocviz.core.roc.segments import RankedSegments

COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40)


def looked_at(pos, neg):
    """Compute all sums over the blocks of a ranking."""
    segments = RankedSegments(np.linspace(1, 0, pos.size), pos, neg)
    curves = [space_curve(segments, space=space) for space in ("precision_recall", "lift")]
    numbers = [segments.auc, *asdict(brier_decomposition(segments)).values()]
    numbers.append(np.nan_to_num(delong_variance(segments.pos, segments.neg)))
    drawn = [array for c in curves for array in (c.x, c.y, c.cut, c.at_x, c.at_y, [c.area])]
    return np.concatenate((numbers, *drawn))


@given(COUNTS)
def test_blocks_change_nothing(counts):
    pos, neg = np.array([(1, 0), *counts, (0, 1)], dtype=float).T
    some = pos + neg > 0
    pos, neg = pos[some], neg[some]
    numbers = looked_at(pos, neg)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocviz.core.base.blocks.BLOCK", 3)
        in_blocks = looked_at(pos, neg)
    np.testing.assert_allclose(in_blocks, numbers, rtol=1e-13, atol=1e-15)


def test_an_empty_array_is_one_block():
    assert [*blocks(0)] == [slice(0, 0)]


def test_many_fractional_weights_add_up_to_all_digits():
    n = 10**6
    totals = running_totals(np.full(n, 0.1))
    np.testing.assert_allclose(totals, 0.1 * np.arange(n + 1), rtol=1e-12)
    assert (np.diff(totals) > 0).all()
    np.testing.assert_array_equal(running_totals(np.full(2500, 0.125), 7.5)[[0, -1]], [7.5, 320])

    pos = np.arange(n) % 3 < 1
    one, tenth = (
        RankedSegments(np.arange(n, 0, -1), w * pos, w * ~pos)
        for w in (np.ones(n), np.full(n, 0.1))
    )
    assert tenth.auc == pytest.approx(one.auc, rel=1e-12)
    assert tenth.n_neg == pytest.approx(one.n_neg / 10, rel=1e-12)
    np.testing.assert_allclose(tenth.fnr, one.fnr, rtol=1e-12)
    wanted = 0.0
    for own, other in ((pos, ~pos), (~pos, pos)):
        n_own, n_other = own.sum(), other.sum()
        place = (np.cumsum(other) - other / 2)[own] / n_other
        wanted += place.var() / (n_own / 10 - 1)
    assert delong_variance(tenth.pos, tenth.neg) == pytest.approx(wanted, rel=1e-12)


def test_weights_in_shared_cells_add_up_exactly():
    n = 10**6
    sums = weight_by_cell(np.arange(n) % 4 // 3, np.full(n, 0.1), 2)
    np.testing.assert_allclose(sums, [75_000, 25_000], rtol=1e-12)
    every = weight_by_cell(np.arange(5000), np.full(5000, 0.1), 5000)
    assert (every == 0.1).all()


def test_blocks_computed_from_moments_are_skipped():
    eta = np.full(6000, 0.3)
    smooth = resolve_metric(parse_formula("u + 0.2*p"))
    found, _ = windowed_utilities(eta, smooth, 1e-13, has_bends=False)
    np.testing.assert_allclose(found, 0.3 * np.arange(6001) / 6000 + 0.2 * 0.3, atol=1e-13)
