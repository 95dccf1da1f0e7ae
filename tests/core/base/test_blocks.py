"""What is computed a block at a time is what is computed at once."""

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.base.blocks import blocks
from rocviz.core.calibration.brier import brier_of_segments
from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.roc.auc_variance import delong_variance
from rocviz.core.roc.segments import RankedSegments

COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40)


def looked_at(pos, neg):
    """Everything of a ranking that is summed or sought in blocks."""
    segments = RankedSegments(np.linspace(1, 0, pos.size), pos, neg)
    curves = [space_curve(segments, space) for space in ("precision_recall", "lift")]
    numbers = [segments.auc, *asdict(brier_of_segments(segments)).values()]
    numbers.append(np.nan_to_num(delong_variance(segments.pos, segments.neg)))
    drawn = [array for c in curves for array in (c.x, c.y, c.cut, c.at_x, c.at_y, [c.area])]
    return segments.hull_vertices, np.concatenate((numbers, *drawn))


@given(COUNTS)
def test_blocks_change_nothing(counts):
    pos, neg = np.array([(1, 0), *counts, (0, 1)], dtype=float).T
    some = pos + neg > 0
    pos, neg = pos[some], neg[some]
    vertices, numbers = looked_at(pos, neg)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("rocviz.core.base.blocks", "rocviz.core.roc._geometry"):
            patch.setattr(f"{module}.BLOCK", 3)
        again, in_blocks = looked_at(pos, neg)
    np.testing.assert_array_equal(again, vertices)
    np.testing.assert_allclose(in_blocks, numbers, rtol=1e-13, atol=1e-15)


def test_an_empty_array_is_one_block():
    assert [*blocks(0)] == [slice(0, 0)]
