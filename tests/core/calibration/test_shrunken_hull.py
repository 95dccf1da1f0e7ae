import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import RankedSegments, hull_map
from rocviz.core.calibration import isotonic_map, shrunken_hull_map

COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12)


def segments_of(counts):
    counts = [pair for pair in counts if sum(pair)]
    pos, neg = zip(*counts, strict=True) if counts else ((0,), (0,))
    if not (sum(pos) and sum(neg)):
        return None
    return RankedSegments(score=np.arange(len(pos), 0, -1), pos=pos, neg=neg)


@given(COUNTS, st.floats(0, 20, allow_subnormal=False).filter(lambda m: not 0 < m < 1e-290))
def test_in_order_and_on_the_same_side_of_one_half(counts, m):
    segments = segments_of(counts)
    if segments is None:
        return
    at = np.linspace(0, len(segments) + 1, 50)
    shrunken, plain = shrunken_hull_map(segments, m=m), isotonic_map(segments)
    assert (np.diff(shrunken(at)) >= -1e-12).all()
    assert ((shrunken.probability > 0.5 + 1e-9) <= (plain(shrunken.low) > 0.5)).all()
    assert shrunken.n.sum() == pytest.approx(segments.n_samples)


def test_without_weight_it_is_isotonic_regression():
    segments = RankedSegments(score=[4, 3, 2, 1], pos=[2, 4, 3, 1], neg=[3, 1, 1, 5])
    at = np.linspace(0, 5, 41)
    np.testing.assert_allclose(shrunken_hull_map(segments, m=0)(at), isotonic_map(segments)(at))


def test_is_the_plain_correction_where_that_keeps_the_order():
    segments = RankedSegments(score=[3, 2, 1], pos=[30, 10, 1], neg=[1, 10, 30])
    plain = hull_map(segments, m=2, interpolation="linear")
    np.testing.assert_allclose(shrunken_hull_map(segments).probability, plain.probability)
    np.testing.assert_array_equal(shrunken_hull_map(segments).high, plain.high)


def test_a_single_positive_on_top_no_longer_says_one():
    segments = RankedSegments(score=[9, 3, 1], pos=[1, 90, 10], neg=[0, 10, 90])
    assert isotonic_map(segments)([20])[0] == 1
    repaired = shrunken_hull_map(segments)
    assert repaired([20])[0] == pytest.approx(93 / 105)
    assert (repaired.low.tolist(), repaired.high.tolist()) == ([3.0, 1.0], [9.0, 1.0])


def test_bad_input():
    segments = RankedSegments(score=[2, 1], pos=[1, 1], neg=[1, 1])
    with pytest.raises(ValueError, match="m must be at least 0"):
        shrunken_hull_map(segments, m=-1)
    with pytest.raises(ValueError, match="prior must be strictly between"):
        shrunken_hull_map(segments, prior=1)
    with pytest.raises(ValueError, match=r"m \* prior 0 or at least 1e-300"):
        shrunken_hull_map(segments, m=5e-324)
    with pytest.raises(ValueError, match="segments must not have weights"):
        shrunken_hull_map(RankedSegments(score=[2, 1], pos=[1, 1e-300], neg=[1, 1]))
    with pytest.raises(ValueError, match="segments must be"):
        shrunken_hull_map(3)
