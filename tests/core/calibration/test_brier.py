"""Brier score and its decompositions: parity, exact fractions, the facts to teach."""

from fractions import Fraction as F

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.roc.segments import RankedSegments

PROB = st.one_of(st.integers(0, 8).map(lambda k: k / 8), st.floats(0, 1, allow_subnormal=False))


@st.composite
def predictions(draw):
    rows = draw(
        st.lists(
            st.tuples(st.booleans(), PROB, st.sampled_from([0.25, 1.0, 3.0])),
            min_size=2,
            max_size=40,
        ).filter(lambda rows: len({y for y, _, _ in rows}) == 2)
    )
    y = np.array([row[0] for row in rows])
    prob = np.array([row[1] for row in rows])
    weight = np.array([row[2] for row in rows])
    return y, prob, weight if draw(st.booleans()) else None


def segments_of(data):
    y, prob, weight = data
    return RankedSegments.from_scores(y, prob, sample_weight=weight)


@given(predictions())
def test_the_three_sums_hold_and_no_term_is_negative(data):
    parts = brier_decomposition(data[0], data[1], sample_weight=data[2])
    assert parts.calibration_loss + parts.refinement_loss == pytest.approx(parts.brier, abs=1e-14)
    assert parts.uncertainty - parts.resolution == pytest.approx(parts.refinement_loss, abs=1e-14)
    assert parts.miscalibration - parts.discrimination + parts.uncertainty == pytest.approx(
        parts.brier, abs=1e-14
    )
    for name in vars(parts):
        assert getattr(parts, name) >= 0, name
    assert parts.refinement_loss <= parts.uncertainty + 1e-15
    assert parts.uncertainty <= 0.25


def exact(cells):
    """List every term of integer counts and eighths as predictions, in fractions."""
    n = sum(p + q for _, p, q in cells)
    pi = F(sum(p for _, p, _ in cells), n)
    blocks = []
    for _, p, q in cells:
        blocks.append([p, q])
        while len(blocks) > 1 and blocks[-1][0] * blocks[-2][1] >= blocks[-2][0] * blocks[-1][1]:
            last = blocks.pop()
            blocks[-1] = [blocks[-1][0] + last[0], blocks[-1][1] + last[1]]
    brier = sum(p * (1 - s) ** 2 + q * s**2 for s, p, q in cells) / n
    hull = sum(F(p * q, p + q) for p, q in blocks) / n
    refinement = sum(F(p * q, p + q) for _, p, q in cells) / n
    unc = pi * (1 - pi)
    return [brier, brier - refinement, refinement, unc, unc - refinement, brier - hull, unc - hull]


@given(
    st.dictionaries(
        st.integers(0, 8), st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any), min_size=1
    ).filter(lambda d: all(any(side) for side in zip(*d.values(), strict=True)))
)
def test_every_term_in_fractions(table):
    cells = [(F(k, 8), *table[k]) for k in sorted(table, reverse=True)]
    score, pos, neg = zip(*cells, strict=True)
    parts = brier_decomposition(RankedSegments([float(s) for s in score], pos, neg))
    actual = [getattr(parts, name) for name in vars(parts)]
    np.testing.assert_allclose(actual, [float(x) for x in exact(cells)], atol=1e-15)


def test_no_cancellation_in_small_terms():
    # predictions a millionth off: the losses are 1e-12, far below the rounding of a difference
    n = 10**6
    off = 1e-6
    segments = RankedSegments([0.7 + off, 0.3 + off], [0.7 * n, 0.3 * n], [0.3 * n, 0.7 * n])
    parts = brier_decomposition(segments)
    assert parts.calibration_loss == pytest.approx(off**2, rel=1e-6)
    assert parts.miscalibration == pytest.approx(off**2, rel=1e-6)
    near = RankedSegments([0.6, 0.4], [n + 1, n], [n, n + 1])
    want = F(1, 2 * (2 * n + 1)) ** 2
    assert brier_decomposition(near).resolution == pytest.approx(float(want), rel=1e-12)
    assert brier_decomposition(near).discrimination == pytest.approx(float(want), rel=1e-12)


# ---------------------------------------------------------------- facts of the text


@given(predictions())
def test_fact_1_no_calibration_loss_means_a_convex_curve(data):
    segments = segments_of(data)
    calibrated = segments.with_scores(segments.empirical_probability)
    assert brier_decomposition(calibrated).calibration_loss == 0
    assert calibrated.is_convex


def test_fact_1_the_converse_fails():
    segments = RankedSegments([0.9, 0.2], [3, 1], [1, 3])
    assert segments.is_convex
    assert brier_decomposition(segments).calibration_loss > 0.01


@given(predictions())
def test_fact_2_empirical_probabilities_of_a_convex_curve(data):
    segments = segments_of(data).hull()  # any convex curve with strictly falling slopes
    probs = np.linspace(0.9, 0.1, len(segments))
    before = brier_decomposition(segments.with_scores(probs))
    calibrated = segments.with_scores(segments.empirical_probability)
    after = brier_decomposition(calibrated)
    assert calibrated.auc == pytest.approx(segments.auc, abs=1e-14)
    # never raised (section 5); lowered by the whole calibration loss, if there is any (Theorem 3)
    assert after.calibration_loss == 0
    assert after.brier == pytest.approx(before.brier - before.calibration_loss, abs=1e-14)
    assert before.calibration_loss >= 0
    largest_gap = np.abs(probs - segments.empirical_probability).max()
    assert (before.calibration_loss > 0) == (largest_gap > 0)


@given(predictions())
def test_fact_3_going_to_the_hull(data):
    segments = segments_of(data)
    hull = segments.hull()
    before = brier_decomposition(segments)
    after = brier_decomposition(hull.with_scores(hull.empirical_probability))
    assert after.refinement_loss >= before.refinement_loss - 1e-15
    assert after.calibration_loss == 0
    assert after.brier <= before.brier + 1e-15
    assert after.brier == pytest.approx(before.brier - before.miscalibration, abs=1e-14)


@given(predictions())
def test_fact_5_calibrated_predictions_are_not_miscalibrated(data):
    hull = segments_of(data).hull()
    parts = brier_decomposition(hull.with_scores(hull.empirical_probability))
    assert parts.miscalibration <= 1e-30
    assert parts.discrimination == pytest.approx(parts.resolution, abs=1e-15)


# ---------------------------------------------------------------- object and input


def test_table_and_html():
    parts = brier_decomposition([0, 1], [0.25, 0.75])
    frame = parts.to_frame()
    assert frame.loc["brier", "value"] == 0.0625
    assert frame.index.tolist() == list(vars(parts))
    assert "calibration_loss" in parts._repr_html_()
