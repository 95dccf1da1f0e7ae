"""Calibration maps: parity with peers, optimality, and what holds for all of them."""

import pickle
from decimal import Decimal, localcontext

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from rocviz.core.calibration import _logistic
from rocviz.core.calibration.brier import brier_of_segments
from rocviz.core.calibration.calibration import (
    CALIBRATIONS,
    CalibrationMap,
    beta_map,
    hull_map,
    identity_map,
    isotonic_map,
    sigmoid_map,
)
from rocviz.core.roc.segments import RankedSegments

PROB = st.one_of(st.integers(0, 8).map(lambda k: k / 8), st.floats(0, 1, allow_subnormal=False))
ROWS = st.lists(
    st.tuples(st.booleans(), PROB, st.sampled_from([0.25, 1.0, 3.0])), min_size=2, max_size=40
).filter(lambda rows: len({y for y, _, _ in rows}) == 2)
GRID = np.linspace(0, 1, 401)


def columns(rows):
    return tuple(np.array(column) for column in zip(*rows, strict=True))


def made(rows):
    y, prob, weight = columns(rows)
    return RankedSegments.from_scores(y, prob, sample_weight=weight)


def overlapping(n=400, seed=0, sharpness=1.0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, expit(sharpness * (rng.normal(size=n) + 1.5 * y - 1))


# ---------------------------------------------------------------- all of them


@given(ROWS)
def test_maps_are_probabilities_that_never_decrease(rows):
    segments = made(rows)
    for name, fit in CALIBRATIONS.items():
        prob = fit(segments)(GRID)
        assert (prob >= 0).all(), name
        assert (prob <= 1).all(), name
        if name != "laplace":
            assert (np.diff(prob) >= -1e-12).all(), name


@pytest.mark.parametrize("name", CALIBRATIONS)
def test_maps_are_frozen_and_travel(name):
    y, prob = overlapping()
    fitted = CALIBRATIONS[name](RankedSegments.from_scores(y, prob))
    assert isinstance(fitted, CalibrationMap)
    assert fitted.kind == {"laplace": "hull", "isotonic": "hull"}.get(name, name)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again(GRID), fitted(GRID))
    with pytest.raises(AttributeError):
        fitted.extra = 1
    for value in vars(again).values():
        assert not (isinstance(value, np.ndarray) and value.flags.writeable)


@pytest.mark.parametrize("name", CALIBRATIONS)
def test_maps_refuse_what_they_cannot_map(name):
    fitted = CALIBRATIONS[name](RankedSegments([0.8, 0.2], [3, 1], [1, 3]))
    with pytest.raises(ValueError, match="score must be finite"):
        fitted([0.5, np.nan])
    if name in ("identity", "beta"):
        with pytest.raises(ValueError, match="score must be probabilities"):
            fitted([0.5, 1.5])
        with pytest.raises(ValueError, match=r"segments.score must be probabilities"):
            CALIBRATIONS[name](RankedSegments([3, 2], [1, 1], [1, 1]))


@pytest.mark.parametrize("name", CALIBRATIONS)
def test_fits_want_segments(name):
    with pytest.raises(ValueError, match="segments must be RankedSegments"):
        CALIBRATIONS[name]([0.1, 0.2])


@pytest.mark.parametrize("name", CALIBRATIONS)
def test_one_segment_gets_one_probability(name):
    fitted = CALIBRATIONS[name](RankedSegments([0.5], [30], [70]))
    want = {"identity": 0.5, "laplace": 31 / 102, "sigmoid": (30 * 31 / 32 + 70 / 72) / 100}
    assert fitted([0.5])[0] == pytest.approx(want.get(name, 0.3), abs=1e-9)


@pytest.mark.parametrize("name", ["beta", "sigmoid"])
@pytest.mark.parametrize("gap", [1.0, 0.1, 1e-3])
def test_separable_data_get_a_finite_increasing_map(name, gap):
    rng = np.random.default_rng(0)
    y = rng.random(100) < 0.5
    prob = np.where(y, 0.5 + gap / 2, 0.5 - gap / 2)
    fitted = CALIBRATIONS[name](RankedSegments.from_scores(y, prob))
    assert all(np.isfinite(value) for value in vars(fitted).values())
    low, high = fitted([0.5 - gap / 2, 0.5 + gap / 2])
    assert 0 < low < 0.2
    assert 0.8 < high < 1
    hair = CALIBRATIONS[name](RankedSegments([0.5 + 1e-6, 0.5], [30, 0], [0, 30]))
    low, high = hair([0.5, 0.5 + 1e-6])
    assert 0 < low < 0.5 < high < 1


@pytest.mark.parametrize("name", ["beta", "sigmoid"])
def test_a_reversed_ranking_gets_a_constant(name):
    y, prob = overlapping()
    fitted = CALIBRATIONS[name](RankedSegments.from_scores(y, 1 - prob))
    assert np.ptp(fitted(GRID)) == 0
    assert fitted([0.5])[0] == pytest.approx(y.mean(), abs=0.01)


# ---------------------------------------------------------------- hull


@given(ROWS)
def test_hull_map_gives_training_scores_the_hull(rows):
    segments = made(rows)
    mapped = hull_map(segments)(segments.score)
    hull = segments.hull()
    np.testing.assert_array_equal(
        mapped, np.repeat(hull.empirical_probability, np.diff(segments.hull_vertices))
    )
    assert brier_of_segments(segments.with_scores(mapped)).calibration_loss <= 1e-30


@given(ROWS, st.lists(st.floats(-1, 2), min_size=1, max_size=20))
def test_step_rule(rows, scores):
    segments = made(rows)
    fitted = hull_map(segments)
    for score, got in zip(scores, fitted(scores), strict=True):
        reached = np.flatnonzero(fitted.low <= score)
        segment = reached[0] if reached.size else fitted.low.size - 1
        assert got == fitted.probability[segment]


@given(ROWS)
def test_hull_map_tells_its_segments(rows):
    segments = made(rows)
    fitted = hull_map(segments)
    assert fitted.high[0] == segments.score[0]
    assert fitted.low[-1] == segments.score[-1]
    assert (fitted.low <= fitted.high).all()
    assert (fitted.high[1:] < fitted.low[:-1]).all()
    assert fitted.n.sum() == pytest.approx(segments.n_samples)
    for low, high, n in zip(fitted.low, fitted.high, fitted.n, strict=True):
        inside = (segments.score >= low) & (segments.score <= high)
        assert segments.n[inside].sum() == pytest.approx(n)


@given(ROWS, st.lists(st.floats(-1, 2), min_size=1, max_size=20))
def test_isotonic_map_is_that_of_scikit_learn(rows, scores):
    # scikit-learn takes scores for equal that differ by less than it can resolve
    rows = [(y, round(prob, 6), weight) for y, prob, weight in rows]
    y, prob, weight = columns(rows)
    peer = IsotonicRegression(out_of_bounds="clip").fit(prob, y, sample_weight=weight)
    np.testing.assert_allclose(isotonic_map(made(rows))(scores), peer.predict(scores), atol=1e-9)


def test_m_estimate():
    segments = RankedSegments([0.8, 0.2], [3, 1], [1, 3])
    assert hull_map(segments, m=2)([0.9, 0.1]).tolist() == [4 / 6, 2 / 6]
    assert hull_map(segments, m=4, prior=0.25)([0.9, 0.1]).tolist() == [4 / 8, 2 / 8]
    far = hull_map(segments, m=1e12, prior=0.25)([0.9, 0.1])
    np.testing.assert_allclose(far, 0.25, atol=1e-9)


def test_lines_between_scores_of_any_size_and_probabilities_that_fall():
    tiny = RankedSegments([1e308, 2e-323, 0.0], [4, 2, 1], [1, 2, 4])
    np.testing.assert_allclose(isotonic_map(tiny)([5e-324]), 0.2 + 0.3 / 4, rtol=1e-15)
    # pulled to 0, the small segment on top lies below: next to it, nearly its own probability
    falling = hull_map(
        RankedSegments([1, 0], [1, 1e6], [0, 1e6]), m=1e12, prior=0, interpolation="linear"
    )
    want = 1 / (1 + 1e12) + 2.0**-53 * 1e-6
    np.testing.assert_allclose(falling([1 - 2.0**-53]), want, rtol=1e-14)


def test_m_estimate_may_change_the_order_of_small_segments():
    segments = RankedSegments([0.9, 0.5, 0.1], [1, 95, 4], [0, 5, 95])
    plain, laplace = hull_map(segments)(segments.score), hull_map(segments, m=2)(segments.score)
    assert (np.diff(plain) < 0).all()
    assert laplace[0] < laplace[1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"m": -1}, "m must be at least 0"),
        ({"m": None}, "m must be a finite number"),
        ({"prior": 1.5}, "prior must be from 0 to 1"),
        ({"m": 1e306}, r"m must be at most 1e\+305"),
        ({"m": 1e-300, "prior": 0.25}, r"m \* prior 0 or at least 1e-300; got m=1e-300"),
        ({"interpolation": "cubic"}, "interpolation must be one of step, linear; got 'cubic'"),
    ],
)
def test_hull_map_refuses(more, message):
    with pytest.raises(ValueError, match=message):
        hull_map(RankedSegments([0.8, 0.2], [3, 1], [1, 3]), **more)


# ---------------------------------------------------------------- identity


def test_identity():
    np.testing.assert_array_equal(identity_map()(GRID), GRID)


# ---------------------------------------------------------------- beta


def conditions(segments, fitted):
    """Return how far a beta map is from the conditions of the constrained optimum."""
    both = segments.score, 1 - segments.score
    p, rest = (np.clip(one, fitted.margin, 1 - fitted.margin) for one in both)
    z = np.column_stack((np.log(p), -np.log(rest), np.ones_like(p)))
    q = expit(z @ [fitted.a, fitted.b, fitted.c])
    gradient = z.T @ (segments.n * (q - segments.empirical_probability)) / segments.n_samples
    gradient[:2] += 1e-6 / segments.n_samples * np.array([fitted.a, fitted.b])
    return max(
        abs(gradient[2]),
        *(
            max(-g, 0) if slope == 0 else abs(g)
            for g, slope in zip(gradient, (fitted.a, fitted.b), strict=False)
        ),
    )


@given(ROWS)
def test_beta_map_is_the_constrained_optimum(rows):
    segments = made(rows)
    fitted = beta_map(segments)
    assert min(fitted.a, fitted.b) >= 0
    assert conditions(segments, fitted) < 1e-9


@pytest.mark.parametrize("sharpness", [0.1, 1, 3, 20, 100])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_beta_map_is_the_optimum_for_any_sharpness_and_weight(sharpness, scale):
    y, prob = overlapping(300, 1, sharpness)
    weight = scale * np.random.default_rng(2).random(300)
    segments = RankedSegments.from_scores(y, prob, sample_weight=weight)
    assert conditions(segments, beta_map(segments)) < 1e-9


def test_beta_map_against_logistic_regression():
    y, prob = overlapping(2_000)
    fitted = beta_map(RankedSegments.from_scores(y, prob))
    z = np.column_stack((np.log(prob), -np.log1p(-prob)))
    peer = LogisticRegression(C=1e9, tol=1e-12, max_iter=10_000).fit(z, y)
    np.testing.assert_allclose([fitted.a, fitted.b], peer.coef_[0], atol=1e-4)
    assert fitted.c == pytest.approx(peer.intercept_[0], abs=1e-4)


def test_beta_map_with_an_active_bound_against_a_bounded_optimiser():
    rng = np.random.default_rng(0)
    eta = np.sort(rng.random(500))
    y = rng.random(500) < 0.3 + 0.4 * eta**6
    prob = 0.02 + 0.5 * eta
    segments = RankedSegments.from_scores(y, prob)
    fitted = beta_map(segments)
    assert min(fitted.a, fitted.b) == 0 < max(fitted.a, fitted.b)
    z = np.column_stack((np.log(prob), -np.log1p(-prob), np.ones(500)))

    def loss(x):
        return np.mean(np.logaddexp(0, z @ x) - y * (z @ x))

    peer = minimize(loss, [1, 1, 0], bounds=[(0, None), (0, None), (None, None)], tol=1e-14)
    assert loss([fitted.a, fitted.b, fitted.c]) <= peer.fun + 1e-9


def test_beta_map_of_calibrated_predictions_is_near_the_identity():
    rng = np.random.default_rng(0)
    prob = rng.random(50_000)
    y = rng.random(50_000) < prob
    np.testing.assert_allclose(beta_map(RankedSegments.from_scores(y, prob))(GRID), GRID, atol=0.02)


def test_beta_map_keeps_the_ends_finite():
    segments = RankedSegments([1.0, 0.5, 0.0], [9, 5, 1], [1, 5, 9])
    fitted = beta_map(segments)
    assert fitted.margin == 0.5 / 30
    ends = fitted([0.0, 1.0])
    assert 0 < ends[0] < ends[1] < 1
    light = RankedSegments([1.0, 0.0], [0.3, 0.1], [0.1, 0.3])
    assert beta_map(light).margin == 0.25


@pytest.mark.parametrize(
    ("prob", "pos", "neg", "log_odds"),
    [
        # q near 1, where probabilities say no more than nine digits of their log odds
        (
            [0.7896231589257826, 0.15102317386398778, 5e-324],
            [0.26962214085355807, 0.9819140701253054, 0.36090661134415847],
            [0.0, 0.47806466915102097, 0.933754079403403],
            {0: 11.524761406470823},
        ),
        (
            [0.4316837934902342, 0.25],
            [1e14, 0.47957477698068784],
            [1, 1e14],
            {1: -32.97068454306657},
        ),
        (
            [0.9341573716151204, 0.49952241057950975],
            [1e16, 1],
            [1e14, 1],
            {1: 2.04408474133683e-06},
        ),
        ([0.33834964154846336, 1e-16], [2**53, 3], [2**53, 2**60], {1: -40.49021853437424}),
    ],
)
def test_beta_map_of_weights_far_apart_is_the_optimum(prob, pos, neg, log_odds):
    # the optima come from Newton's method with a hundred digits
    fitted = beta_map(RankedSegments(prob, pos, neg))
    for i, want in log_odds.items():
        found = fitted.a * np.log(prob[i]) - fitted.b * np.log1p(-prob[i]) + fitted.c
        assert found == pytest.approx(want, rel=1e-12, abs=1e-14)


def test_beta_map_says_when_there_is_no_optimum_to_be_found(monkeypatch):
    far = RankedSegments(
        [0.999999999, 0.6351528335967875, 0.5845434818312052, 0.1, 1e-300],
        [1.4e248, 6.5e-42, 1.5e46, 2.6e191, 8.4e189],
        [3.0e242, 3.7e15, 0.0, 2.5e159, 0.0],
    )
    with pytest.raises(
        ValueError, match=r"weights from 6\.5e-42 to 1\.4e\+248 are more than 1e\+31"
    ):
        beta_map(far)
    monkeypatch.setattr(_logistic, "_FARTHEST", np.inf)
    with pytest.raises(ValueError, match="too far apart for a map: no line is found"):
        beta_map(far)


def test_beta_map_in_its_other_form():
    y, prob = overlapping(2_000)
    fitted = beta_map(RankedSegments.from_scores(y, prob))
    a, b = fitted.a, fitted.b
    m = brentq(lambda p: a * np.log(p) - b * np.log1p(-p) + fitted.c, 1e-12, 1 - 1e-12)
    inner = GRID[20:-20]
    other = 1 / (1 + m**a * (1 - m) ** -b * inner**-a * (1 - inner) ** b)
    np.testing.assert_allclose(fitted(inner), other, rtol=1e-9)


# ---------------------------------------------------------------- sigmoid


def platt_targets(segments):
    high = (segments.n_pos + 1) / (segments.n_pos + 2)
    low = 1 / (segments.n_neg + 2)
    return (segments.pos * high + segments.neg * low) / segments.n


@given(ROWS, st.floats(0.01, 100), st.floats(-100, 100))
def test_sigmoid_map_is_the_constrained_optimum(rows, stretch, shift):
    segments = made(rows)
    segments = segments.with_scores(stretch * segments.score + shift)
    fitted = sigmoid_map(segments)
    q = expit(fitted.slope * segments.score + fitted.intercept)
    off = segments.n * (q - platt_targets(segments)) / segments.n_samples
    assert fitted.slope >= 0
    assert abs(off.sum()) < 1e-9
    gradient = off @ (segments.score - shift) / stretch
    assert gradient > -1e-9 if fitted.slope == 0 else abs(gradient) < 1e-9


def test_sigmoid_map_of_two_scores_fits_both_targets_exactly():
    # the odds of both segments are so far apart that the first Newton step saturates
    segments = RankedSegments([1, 0], [10_000, 0], [0, 1_600_000])
    targets = platt_targets(segments)
    fitted = sigmoid_map(segments)
    assert fitted.intercept == pytest.approx(logit(targets[1]), abs=1e-6)
    assert fitted.slope == pytest.approx(logit(targets[0]) - logit(targets[1]), abs=1e-6)


def test_sigmoid_map_of_scores_whose_distance_is_no_float():
    ends = [1.7e308, -1e308]
    far = sigmoid_map(RankedSegments(ends, [1000000000.5, 1.0], [1.0, 1.5]))
    np.testing.assert_allclose(far(ends)[1], 0.5333333329333333, rtol=1e-12)
    flat = sigmoid_map(RankedSegments([1e308, -1e308], [0.5, 1e6], [646550139328.0, 1000000.5]))
    assert flat.slope == 0
    assert np.ptp(flat([1.7e308, 0.0, -1.7e308])) == 0


def test_a_line_is_found_from_any_start():
    x, target, weight = np.array([1.0, 0.0, -1.0]), np.array([0.9, 0.4, 0.2]), np.array([5.0, 2, 9])
    found = [
        _logistic.fit_line(x, target, 1 - target, weight, start)
        for start in ((0.0, 0.0), (9.0, 3.0))
    ]
    assert found[0] == found[1]
    # one that is good is kept
    slope, level, at = found[0]
    good = slope, level - slope * x[at]
    assert _logistic.fit_line(x, target, 1 - target, weight, good)[0] == slope


def test_sigmoid_map_where_newton_oversteps():
    rng = np.random.default_rng(662)
    for _ in range(300):
        weight = 10.0 ** rng.uniform(-6, 6, 4)
        y = np.array([True, False, True, False])
        segments = RankedSegments.from_scores(y, rng.random(4), sample_weight=weight)
        fitted = sigmoid_map(segments)
        q = fitted(segments.score)
        off = segments.n * (q - platt_targets(segments)) / segments.n_samples
        assert abs(off.sum()) < 1e-9


@pytest.mark.parametrize("far", [1e2, 1e4, 1e6])
def test_sigmoid_map_with_a_far_outlier_is_still_the_optimum(far):
    y, prob = overlapping()
    segments = RankedSegments.from_scores(np.append(y, False), np.append(logit(prob), -far))
    fitted = sigmoid_map(segments)
    target = platt_targets(segments)

    def loss(slope, intercept):
        eta = slope * segments.score + intercept
        return np.average(np.logaddexp(0, eta) - target * eta, weights=segments.n)

    best = loss(fitted.slope, fitted.intercept)
    for more in (0.9, 0.999, 1.001, 1.1):
        assert loss(fitted.slope * more, fitted.intercept) > best
        assert loss(fitted.slope, fitted.intercept * more) > best


def way_to_the_optimum(fitted, segments, digits=900):
    """How far Newton's next step would lead, in log odds: with many digits, by the definition."""
    with localcontext(prec=digits, Emax=10**9, Emin=-(10**9)):
        up, down = ([Decimal(w) for w in side.tolist()] for side in (segments.pos, segments.neg))
        high, low = (sum(up) + 1) / (sum(up) + 2), 1 / (sum(down) + 2)
        x = [Decimal(score) - Decimal(fitted.origin) for score in segments.score.tolist()]
        z = [Decimal(fitted.slope) * place + Decimal(fitted.intercept) for place in x]
        odds = [one.exp() for one in z]
        miss = [
            (a + b) * o / (1 + o) - a * high - b * low
            for a, b, o in zip(up, down, odds, strict=True)
        ]
        bend = [(a + b) * o / (1 + o) ** 2 for a, b, o in zip(up, down, odds, strict=True)]
        middle = sum(h * place for h, place in zip(bend, x, strict=True)) / sum(bend)
        spread = sum(h * (place - middle) ** 2 for h, place in zip(bend, x, strict=True))
        turn = sum(g * (place - middle) for g, place in zip(miss, x, strict=True)) / spread
        lift = sum(miss) / sum(bend)
        return float(max(abs(lift + turn * (place - middle)) for place in x) / max(1, *map(abs, z)))


@pytest.mark.parametrize(
    ("score", "pos", "neg"),
    [
        # Newton's method on sums missed these by up to 2.5
        ([0.87, 0.42, 5e-324], [3e20, 4e20, 0], [0, 0, 1e14]),
        ([0.5, 1e-12, 0], [1e-20, 5e-20, 5e-20], [0, 2e100, 5e100]),
        ([1e16 + 6, 1e16 + 4, 1e16 + 2], [2e-9, 2e-300, 1e-100], [1e-300, 1e9, 2]),
        ([1, 0.2, 0], [3e9, 3e9, 1e9], [0, 1e-100, 3e-100]),
        ([0.9, 0.7, 0.5, 0.4], [2e-100, 1e100, 0, 3e100], [1e-100, 0, 2e-270, 1e300]),
        # and finds this one
        ([3, 2, 1], [6e8, 3e8, 1e8], [1e8, 2e8, 7e8]),
    ],
)
def test_sigmoid_map_of_weights_far_apart_is_the_optimum(score, pos, neg):
    segments = RankedSegments(score, pos, neg)
    fitted = sigmoid_map(segments)
    assert fitted.slope > 0
    assert way_to_the_optimum(fitted, segments) < 1e-12


def test_sigmoid_map_of_weights_far_apart_that_would_fall_is_flat():
    flat = sigmoid_map(RankedSegments([2, 1], [1e-20, 1.0], [1e20, 1e-20]))
    assert flat.slope == 0
    assert flat([1, 2])[0] == pytest.approx((2 / 3 + 1e-20) / 1e20, rel=1e-9)


def test_sigmoid_map_of_many_scores_far_apart_is_the_optimum():
    pos, neg = np.tile([1.0, 0.0], 101), np.tile([1e-12, 1.0], 101)
    segments = RankedSegments(np.arange(202, 0, -1), pos, neg)
    assert way_to_the_optimum(sigmoid_map(segments), segments, digits=60) < 1e-12


def test_sigmoid_map_where_great_weights_lie_close_together(monkeypatch):
    # the small weights have a say in the slope: where sums of floats were small enough it was off
    # by 2e-8
    segments = RankedSegments([1, 1e-5, 0, -1], [3e3, 2e6, 2e6, 1], [1, 1e6, 1e6, 2e3])
    assert way_to_the_optimum(sigmoid_map(segments), segments) < 1e-12
    # and here no float would do
    segments = RankedSegments([1, 1e-4, 0, -1], [0.03, 6e5, 6e5, 1e-3], [1e-3, 3e5, 3e5, 0.02])
    assert way_to_the_optimum(sigmoid_map(segments), segments) < 1e-12
    monkeypatch.setattr(_logistic, "_MOST_WORK", 2e4)
    with pytest.raises(ValueError, match="for a map of 4 scores; at most 3 would do"):
        sigmoid_map(segments)


def test_sigmoid_map_says_when_there_is_no_line(monkeypatch):
    close = RankedSegments([1e-299, 2e-310, 1e-310], [1, 1e9, 0], [0, 0, 1e9])
    with pytest.raises(ValueError, match="score are too close together: their slope is beyond"):
        sigmoid_map(close)
    with pytest.raises(ValueError, match="too far apart for a map: no line is found"):
        sigmoid_map(
            RankedSegments([3e3, 4e-7, 3e-20], [8e281, 5e27, 1e-89], [1e-297, 1e-52, 4e158])
        )
    monkeypatch.setattr(_logistic, "_MOST_POLISHING", 0)
    with pytest.raises(ValueError, match="too far apart for a map: no line is found"):
        sigmoid_map(RankedSegments([0.5, 1e-12, 0], [1e-20, 5e-20, 5e-20], [0, 2e100, 5e100]))
