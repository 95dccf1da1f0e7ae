"""The calibration error lies in its interval, which covers the truth; chance is drawn in rows."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.comparison.calibration_error import TestedModel, calibration_error
from rocviz.core.comparison.comparison import compare_classifiers


def drawn(n, seed, steep=1.0, shift=0.0):
    rng = np.random.default_rng(seed)
    prob = rng.beta(1, 2, n)
    return rng.random(n) < prob, expit(steep * logit(prob) + shift)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**20), st.integers(4, 60), st.booleans(), st.booleans(), st.booleans())
def test_the_error_lies_in_its_interval(seed, n, coarse, weighted, grouped):
    rng = np.random.default_rng(seed)
    prob = rng.random(n).round(1 if coarse else 6)
    y = rng.random(n) < rng.random() * prob
    y[:2] = 0, 1
    error = calibration_error(
        y,
        prob,
        sample_weight=rng.integers(1, 4, n) if weighted else None,
        clusters=np.arange(n) // 2 if grouped else None,
        n_resamples=50,
        random_state=seed,
    )
    assert 0 <= error.lower <= error.error <= error.upper <= 1


@pytest.mark.parametrize(
    ("how", "true"),
    # the last from a million samples: the root of the mean of (q - p)**2
    [({}, 0.0), ({"steep": 1.2}, 0.0295), ({"shift": 0.3}, 0.0558), ({"steep": 2.0}, 0.1069)],
)
@pytest.mark.parametrize("n", [100, 1000])
def test_intervals_cover_the_error_of_the_population(how, true, n):
    many = np.random.default_rng(1).beta(1, 2, 10**6)
    moved = expit(how.get("steep", 1.0) * logit(many) + how.get("shift", 0.0))
    assert np.sqrt(np.mean((moved - many) ** 2)) == pytest.approx(true, abs=2e-4)
    n_covered = 0
    for seed in range(60):
        error = calibration_error(*drawn(n, seed, **how), n_resamples=50)
        n_covered += error.lower <= true <= error.upper
    # the bounds are those of 97.5 % each, and the bias of both makes them safer
    assert n_covered >= 57


def test_intervals_by_group_cover_copied_samples():
    n_covered = n_covered_without_clusters = 0
    for seed in range(60):
        y, prob = drawn(150, seed, steep=2.0)
        y = np.tile(y, 8)
        prob = np.tile(prob, 8)
        group = np.tile(np.arange(150), 8)
        error = calibration_error(y, prob, clusters=group, n_resamples=50)
        n_covered += error.lower <= 0.1069 <= error.upper
        alone = calibration_error(y, prob, n_resamples=50)
        n_covered_without_clusters += alone.lower <= 0.1069 <= alone.upper
    assert n_covered >= 57
    assert n_covered_without_clusters < 40


def test_the_upper_end_takes_weights_for_repetitions():
    y, prob = drawn(80, 0)
    weight = np.random.default_rng(1).integers(1, 4, 80)
    weighted = calibration_error(y, prob, sample_weight=weight)
    repeated = calibration_error(np.repeat(y, weight), np.repeat(prob, weight))
    assert weighted.error == pytest.approx(repeated.error)
    assert weighted.upper == pytest.approx(repeated.upper)


def test_one_group_or_one_sample_s_weight_gives_the_whole_interval():
    y, prob = drawn(60, 0)
    error = calibration_error(y, prob, clusters=np.zeros(60))
    assert (error.lower, error.upper) == (0, 1)
    error = calibration_error(y, prob, sample_weight=np.full(60, 1 / 60))
    assert (error.lower, error.upper) == (0, 1)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("decimals", [1, 6])
def test_simulated_rows_are_fitted_one_by_one(decimals, weighted):
    rng = np.random.default_rng(0)
    prob = rng.random(50).round(decimals)
    weight = rng.random(50) + 0.5 if weighted else None
    model = TestedModel.of(prob, rng.random(50) < prob, weight)
    chance = rng.random((40, 50))
    errors = model.errors_by_chance(chance)
    ranked = np.sort(prob)
    w = None if weight is None else weight[np.argsort(prob, kind="stable")]
    for row, error in zip(chance, errors, strict=True):
        label = row < ranked
        hull = IsotonicRegression().fit(ranked, label, sample_weight=w).predict(ranked)
        lost = (ranked - label) ** 2 - (hull - label) ** 2
        assert error == pytest.approx(np.sqrt(np.average(lost, weights=w)), abs=1e-7)
        if label.any() and not label.all():
            parts = brier_decomposition(label, ranked, sample_weight=w)
            assert error**2 == pytest.approx(parts.miscalibration, abs=1e-12)


def test_the_test_of_a_model_does_not_depend_on_others():
    y, prob = drawn(300, 0)
    other = {"steep": drawn(300, 0, steep=2.0)[1], "rank": np.argsort(prob)}
    alone = calibration_error(y, prob, n_resamples=100)
    table = compare_classifiers(y, {**other, "own": prob}, n_resamples=100).to_frame()
    row = table.loc["own"]
    assert row["calibration_p"] == alone.p_value
    assert (row["calibration_low"], row["calibration_high"]) == (alone.lower, alone.upper)
    assert np.isnan(table.loc["rank", ["calibration_low", "calibration_p"]]).all()
    none = compare_classifiers(y, {"rank": np.argsort(prob)}, n_resamples=50)
    assert np.isnan(none.calibration_p[0])


def test_p_values_of_calibrated_models_are_uniform():
    p = np.empty(200)
    for k in range(200):
        p[k] = calibration_error(*drawn(100, k), n_resamples=99, random_state=k).p_value
    assert abs((p <= 0.1).mean() - 0.1) < 0.07
    assert abs((p <= 0.5).mean() - 0.5) < 0.11


def test_predictions_without_an_error_are_not_certain():
    y = np.arange(10) >= 5
    error = calibration_error(y, y.astype(float), n_resamples=50)
    assert (error.error, error.lower) == (0, 0)
    assert error.upper == pytest.approx(1 - 0.025 ** (1 / 10))
    by_pairs = calibration_error(y, y.astype(float), clusters=np.arange(10) // 2, n_resamples=50)
    assert by_pairs.upper == pytest.approx(1 - 0.025 ** (1 / 5))


@pytest.mark.parametrize("weighted", [False, True])
def test_changed_signs_are_fitted_one_by_one(weighted):
    rng = np.random.default_rng(0)
    prob = rng.random(50).round(1)
    y = rng.random(50) < prob
    weight = rng.random(50) + 0.5 if weighted else None
    sign = rng.choice([-1.0, 1.0], (40, 50))
    errors = TestedModel.of(prob, y, weight).errors_of_signs(sign)
    w = np.ones(50) if weight is None else weight
    for row, error in zip(sign, errors, strict=True):
        changed = prob + row * (y - prob)
        hull = IsotonicRegression().fit(prob, changed, sample_weight=w).predict(prob)
        lost = w @ ((prob - changed) ** 2 - (hull - changed) ** 2) / w.sum()
        assert error == pytest.approx(np.sqrt(max(lost, 0.0)), abs=1e-7)


def test_the_p_value_of_clusters_keeps_its_level():
    n_rejected = n_rejected_by_rows = 0
    for seed in range(30):
        y, prob = drawn(40, seed)
        rows = np.repeat(np.arange(40), 6)
        options = {"n_resamples": 99, "random_state": seed}
        error = calibration_error(y[rows], prob[rows], clusters=rows, **options)
        n_rejected += error.p_value <= 0.05
        n_rejected_by_rows += calibration_error(y[rows], prob[rows], **options).p_value <= 0.05
    assert n_rejected <= 4
    assert n_rejected_by_rows >= 20
    y, prob = drawn(300, 0, steep=3.0)
    rows = np.repeat(np.arange(300), 2)
    assert calibration_error(y[rows], prob[rows], clusters=rows).p_value < 0.05
