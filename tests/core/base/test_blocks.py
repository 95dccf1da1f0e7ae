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
    arrays = [numbers]
    for curve in curves:
        arrays += [curve.x, curve.y, curve.threshold_index, curve.threshold_x, curve.threshold_y]
        arrays.append([curve.area])
    return np.concatenate(arrays)


@given(COUNTS)
def test_blocks_change_nothing(counts):
    pos, neg = np.array([(1, 0), *counts, (0, 1)], dtype=float).T
    has_weight = pos + neg > 0
    pos = pos[has_weight]
    neg = neg[has_weight]
    numbers = looked_at(pos, neg)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocviz.core.base.blocks.BLOCK_SIZE", 3)
        in_blocks = looked_at(pos, neg)
    np.testing.assert_allclose(in_blocks, numbers, rtol=1e-13, atol=1e-15)


def test_an_empty_array_is_one_block():
    assert list(blocks(0)) == [slice(0, 0)]


def test_many_fractional_weights_add_up_to_all_digits():
    n = 10**6
    totals = running_totals(np.full(n, 0.1))
    np.testing.assert_allclose(totals, 0.1 * np.arange(n + 1), rtol=1e-12)
    assert (np.diff(totals) > 0).all()
    np.testing.assert_array_equal(running_totals(np.full(2500, 0.125), 7.5)[[0, -1]], [7.5, 320])

    pos = np.arange(n) % 3 < 1
    weight = np.full(n, 0.1)
    whole = RankedSegments(np.arange(n, 0, -1), pos, ~pos)
    tenth = RankedSegments(np.arange(n, 0, -1), weight * pos, weight * ~pos)
    assert tenth.auc == pytest.approx(whole.auc, rel=1e-12)
    assert tenth.n_neg == pytest.approx(whole.n_neg / 10, rel=1e-12)
    np.testing.assert_allclose(tenth.fnr, whole.fnr, rtol=1e-12)
    variance = 0.0
    for own, other in ((pos, ~pos), (~pos, pos)):
        place = (np.cumsum(other) - other / 2)[own] / other.sum()
        variance += place.var() / (own.sum() / 10 - 1)
    assert delong_variance(tenth.pos, tenth.neg) == pytest.approx(variance, rel=1e-12)


def test_weights_in_shared_cells_add_up_exactly():
    n = 10**6
    sums = weight_by_cell(np.arange(n) % 4 // 3, np.full(n, 0.1), 2)
    np.testing.assert_allclose(sums, [75_000, 25_000], rtol=1e-12)
    every = weight_by_cell(np.arange(5000), np.full(5000, 0.1), 5000)
    assert (every == 0.1).all()


def test_blocks_computed_from_moments_are_skipped():
    eta = np.full(6000, 0.3)
    smooth = resolve_metric(parse_formula("u + 0.2*p"))
    utilities, _ = windowed_utilities(eta, smooth, 1e-13, has_bends=False)
    np.testing.assert_allclose(utilities, 0.3 * np.arange(6001) / 6000 + 0.2 * 0.3, atol=1e-13)
