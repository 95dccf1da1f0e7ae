"""Calibration maps: parity with peers, optimality, and properties of all maps."""

import pickle
from functools import partial

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.calibration.calibration import CalibrationMap, calibration_map
from rocviz.core.roc.segments import RankedSegments

PROB = st.one_of(st.integers(0, 8).map(lambda k: k / 8), st.floats(0, 1, allow_subnormal=False))
ROWS = st.lists(
    st.tuples(st.booleans(), PROB, st.sampled_from([1.0, 1.25, 3.0])), min_size=2, max_size=40
).filter(lambda rows: len({y for y, _, _ in rows}) == 2)
GRID = np.linspace(0, 1, 401)
FITS = {
    **{name: partial(calibration_map, method=name) for name in ("identity", "beta", "sigmoid")},
    "hull": calibration_map,
    "laplace": partial(calibration_map, m=2),
    "isotonic": partial(calibration_map, method="isotonic"),
    "shrunken": partial(calibration_map, method="isotonic", m=2),
}


def columns(rows):
    return tuple(np.array(column) for column in zip(*rows, strict=True))


def ranked(rows):
    y, prob, weight = columns(rows)
    return RankedSegments.from_scores(y, prob, sample_weight=weight)


def overlapping(n=400, seed=0, sharpness=1.0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, expit(sharpness * (rng.normal(size=n) + 1.5 * y - 1))


# ---------------------------------------------------------------- all of them


@given(ROWS)
def test_maps_are_probabilities_that_never_decrease(rows):
    segments = ranked(rows)
    for name, fit in FITS.items():
        prob = fit(segments)(GRID)
        assert (prob >= 0).all(), name
        assert (prob <= 1).all(), name
        if name != "laplace":
            assert (np.diff(prob) >= -1e-12).all(), name


@pytest.mark.parametrize("name", FITS)
def test_maps_can_be_pickled(name):
    y, prob = overlapping()
    fitted = FITS[name](RankedSegments.from_scores(y, prob))
    assert isinstance(fitted, CalibrationMap)
    assert fitted.kind == (name if name in ("identity", "beta", "sigmoid") else "hull")
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again(GRID), fitted(GRID))


@pytest.mark.parametrize("name", FITS)
def test_maps_refuse_invalid_scores(name):
    fitted = FITS[name](RankedSegments([0.8, 0.2], [3, 1], [1, 3]))
    with pytest.raises(ValueError, match="score must be finite"):
        fitted([0.5, np.nan])
    if name in ("identity", "beta"):
        with pytest.raises(ValueError, match="score must be probabilities"):
            fitted([0.5, 1.5])
        with pytest.raises(ValueError, match=r"segments.score must be probabilities"):
            FITS[name](RankedSegments([3, 2], [1, 1], [1, 1]))


@pytest.mark.parametrize("name", FITS)
def test_fits_want_segments(name):
    with pytest.raises(ValueError, match="y_true must be RankedSegments, not"):
        FITS[name]([0.1, 0.2])
    with pytest.raises(ValueError, match="pos_label can only be given with labels"):
        FITS[name](RankedSegments([0.8, 0.2], [3, 1], [1, 3]), pos_label=1)


@pytest.mark.parametrize("name", FITS)
def test_one_segment_gets_one_probability(name):
    fitted = FITS[name](RankedSegments([0.5], [30], [70]))
    want = {
        "identity": 0.5,
        "laplace": 31 / 102,
        "shrunken": 31 / 102,
        "sigmoid": (30 * 31 / 32 + 70 / 72) / 100,
    }
    assert fitted([0.5])[0] == pytest.approx(want.get(name, 0.3), abs=1e-9)


@pytest.mark.parametrize("name", ["beta", "sigmoid"])
@pytest.mark.parametrize("gap", [1.0, 0.1, 1e-3])
def test_separable_data_get_a_finite_increasing_map(name, gap):
    rng = np.random.default_rng(0)
    y = rng.random(100) < 0.5
    prob = np.where(y, 0.5 + gap / 2, 0.5 - gap / 2)
    fitted = FITS[name](RankedSegments.from_scores(y, prob))
    assert all(np.isfinite(value) for value in vars(fitted).values())
    low, high = fitted([0.5 - gap / 2, 0.5 + gap / 2])
    assert 0 < low < 0.2
    assert 0.8 < high < 1
    hair = FITS[name](RankedSegments([0.5 + 1e-6, 0.5], [30, 0], [0, 30]))
    low, high = hair([0.5, 0.5 + 1e-6])
    assert 0 < low < 0.5 < high < 1


@pytest.mark.parametrize("name", ["beta", "sigmoid"])
def test_a_reversed_ranking_gets_a_constant(name):
    y, prob = overlapping()
    fitted = FITS[name](RankedSegments.from_scores(y, 1 - prob))
    assert np.ptp(fitted(GRID)) == 0
    assert fitted([0.5])[0] == pytest.approx(y.mean(), abs=0.01)


# ---------------------------------------------------------------- hull


@given(ROWS)
def test_hull_map_gives_training_scores_the_hull(rows):
    segments = ranked(rows)
    fitted = calibration_map(segments)
    mapped = fitted(segments.score)
    hull = segments.hull()
    vertices = segments.hull_vertices
    np.testing.assert_array_equal(fitted.high, segments.score[vertices[:-1]])
    np.testing.assert_array_equal(fitted.low, hull.score)
    np.testing.assert_array_equal(fitted.n, hull.n)
    np.testing.assert_array_equal(mapped, np.repeat(hull.empirical_probability, np.diff(vertices)))
    assert brier_decomposition(segments.with_scores(mapped)).calibration_loss <= 1e-30


@given(ROWS, st.lists(st.floats(-1, 2), min_size=1, max_size=20))
def test_step_rule(rows, scores):
    segments = ranked(rows)
    fitted = calibration_map(segments)
    for score, got in zip(scores, fitted(scores), strict=True):
        reached = np.flatnonzero(fitted.low <= score)
        segment = reached[0] if reached.size else fitted.low.size - 1
        assert got == fitted.probability[segment]


@given(ROWS, st.lists(st.floats(-1, 2), min_size=1, max_size=20))
def test_isotonic_map_is_that_of_scikit_learn(rows, scores):
    # scikit-learn takes scores for equal that differ by less than it can resolve
    rows = [(y, round(prob, 6), weight) for y, prob, weight in rows]
    y, prob, weight = columns(rows)
    peer = IsotonicRegression(out_of_bounds="clip").fit(prob, y, sample_weight=weight)
    np.testing.assert_allclose(
        FITS["isotonic"](ranked(rows))(scores), peer.predict(scores), atol=1e-9
    )


def test_m_estimate():
    segments = RankedSegments([0.8, 0.2], [3, 1], [1, 3])
    assert calibration_map(segments, m=2)([0.9, 0.1]).tolist() == [4 / 6, 2 / 6]
    assert calibration_map(segments, m=4, prior=0.25)([0.9, 0.1]).tolist() == [4 / 8, 2 / 8]
    far = calibration_map(segments, m=1e11, prior=0.25)([0.9, 0.1])
    np.testing.assert_allclose(far, 0.25, atol=1e-9)


# ---------------------------------------------------------------- beta


def conditions(segments, fitted):
    """Measure how far a beta map is from the conditions of the constrained optimum."""
    p = np.clip(segments.score, fitted.margin, 1 - fitted.margin)
    rest = np.clip(1 - segments.score, fitted.margin, 1 - fitted.margin)
    z = np.column_stack((np.log(p), -np.log(rest), np.ones_like(p)))
    q = expit(z @ [fitted.a, fitted.b, fitted.c])
    gradient = z.T @ (segments.n * (q - segments.empirical_probability)) / segments.n_samples
    gradient[:2] += 1e-6 / segments.n_samples * np.array([fitted.a, fitted.b])
    distances = [abs(gradient[2])]
    for g, slope in zip(gradient, (fitted.a, fitted.b), strict=False):
        distances.append(max(-g, 0) if slope == 0 else abs(g))
    return max(distances)


@given(ROWS)
def test_beta_map_is_the_constrained_optimum(rows):
    segments = ranked(rows)
    fitted = FITS["beta"](segments)
    assert min(fitted.a, fitted.b) >= 0
    assert conditions(segments, fitted) < 1e-9


@pytest.mark.parametrize("sharpness", [0.1, 1, 3, 20, 100])
@pytest.mark.parametrize("scale", [0.1, 1.0, 1e6])
def test_beta_map_is_the_optimum_for_any_sharpness_and_weight(sharpness, scale):
    y, prob = overlapping(300, 1, sharpness)
    weight = scale * np.random.default_rng(2).random(300)
    segments = RankedSegments.from_scores(y, prob, sample_weight=weight)
    assert conditions(segments, FITS["beta"](segments)) < 1e-9


def test_small_risks_keep_their_ranking():
    # all below half a sample: they were .002 each
    prob = np.geomspace(1e-6, 4.9e-4, 1000)
    y = np.isin(np.arange(1000), [700, 930])
    fitted = FITS["beta"](RankedSegments.from_scores(y, prob))
    low, high = fitted([1e-5, 4.9e-4])
    assert low < 0.001 < 0.005 < high
    assert fitted.margin == prob[0]
    # exact 0 is moved by half a sample, or to the nearest other probability
    far = FITS["beta"](RankedSegments.from_scores([0, 1, 0, 1], [0.0, 0.3, 0.4, 1.0]))
    assert far.margin == 0.125


def test_scaled_weights_leave_the_beta_map_and_small_sums_are_refused():
    y, prob = overlapping(300, 1, 1.0)
    whole = calibration_map(y, prob, method="beta")(GRID)
    scaled = calibration_map(y, prob, method="beta", sample_weight=np.full(300, 0.1))(GRID)
    inside = slice(20, -20)  # a sample is more, so its half is farther from 0 and 1
    assert scaled[inside] == pytest.approx(whole[inside], rel=1e-4)
    share = np.full(300, 1 / 300)
    for method in ("beta", "sigmoid"):
        with pytest.raises(ValueError, match="sample_weight must sum to at least 1 in each class"):
            calibration_map(y, prob, method=method, sample_weight=share)
    hull = calibration_map(y, prob, sample_weight=share)(GRID)
    assert hull == pytest.approx(calibration_map(y, prob)(GRID))


# ---------------------------------------------------------------- sigmoid


def platt_targets(segments):
    high = (segments.n_pos + 1) / (segments.n_pos + 2)
    low = 1 / (segments.n_neg + 2)
    return (segments.pos * high + segments.neg * low) / segments.n


@given(ROWS, st.floats(0.01, 100), st.floats(-100, 100))
def test_sigmoid_map_is_the_constrained_optimum(rows, stretch, shift):
    segments = ranked(rows)
    segments = segments.with_scores(stretch * segments.score + shift)
    fitted = FITS["sigmoid"](segments)
    q = expit(fitted.slope * segments.score + fitted.intercept)
    off = segments.n * (q - platt_targets(segments)) / segments.n_samples
    assert fitted.slope >= 0
    assert abs(off.sum()) < 1e-9
    gradient = off @ (segments.score - shift) / stretch
    assert gradient > -1e-9 if fitted.slope == 0 else abs(gradient) < 1e-9


def test_sigmoid_map_where_newton_oversteps():
    rng = np.random.default_rng(662)
    for _ in range(300):
        weight = 10.0 ** rng.uniform(0, 12, 4)
        y = np.array([True, False, True, False])
        segments = RankedSegments.from_scores(y, rng.random(4), sample_weight=weight)
        fitted = FITS["sigmoid"](segments)
        q = fitted(segments.score)
        off = segments.n * (q - platt_targets(segments)) / segments.n_samples
        assert abs(off.sum()) < 1e-9


@pytest.mark.parametrize(
    ("score", "pos", "neg", "slope", "intercept"),
    [  # Newton's method with 60 digits
        ([3, 2, 1], [6e8, 3e8, 1e8], [1e8, 2e8, 7e8], 1.8856581302626838, -3.647355181029411),
        # great weights that lie close together, in whose rounding the others' slope may get lost
        (
            [1, 1e-5, 0, -1],
            [3e3, 2e6, 2e6, 1],
            [1, 1e6, 1e6, 2e3],
            7.918210348689538,
            0.6931069075406023,
        ),
    ],
)
def test_sigmoid_against_typed_values(score, pos, neg, slope, intercept):
    fitted = FITS["sigmoid"](RankedSegments(score, pos, neg))
    assert fitted.slope == pytest.approx(slope, rel=1e-12)
    assert fitted.slope * -fitted.origin + fitted.intercept == pytest.approx(intercept, rel=1e-12)


def test_scores_too_close_together_have_no_slope():
    with pytest.raises(ValueError, match="score must span between 1e-150 and 1e"):
        FITS["sigmoid"](RankedSegments([2e-310, 1e-310], [1, 2], [2, 1]))


# ---------------------------------------------------------------- isotonic, pulled to a prior


@given(ROWS, st.floats(0.01, 20))
def test_pulled_steps_are_in_order_and_on_the_same_side_of_one_half(rows, m):
    segments = ranked(rows)
    pulled = FITS["isotonic"](segments, m=m)
    plain = FITS["isotonic"](segments)
    assert (np.diff(pulled(GRID)) >= -1e-12).all()
    assert ((pulled.probability > 0.5 + 1e-9) <= (plain(pulled.low) > 0.5)).all()
    assert pulled.n.sum() == pytest.approx(segments.n_samples)


def test_a_single_positive_on_top_does_not_get_probability_one():
    segments = RankedSegments(score=[9, 3, 1], pos=[1, 90, 10], neg=[0, 10, 90])
    assert FITS["isotonic"](segments)([20])[0] == 1
    repaired = FITS["shrunken"](segments)
    assert repaired([20])[0] == pytest.approx(93 / 105)
    assert (repaired.low.tolist(), repaired.high.tolist()) == ([3.0, 1.0], [9.0, 1.0])
