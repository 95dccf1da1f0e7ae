"""Simulated scores: their truth is the truth."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.segments import RankedSegments


def segments(**parameters):
    data = binormal_scores(random_state=0, **parameters)
    return RankedSegments.from_scores(data.y_true, data.y_prob)


@pytest.mark.parametrize("separation", [0.5, 1.5, 3.0, -1.0])
def test_area_is_that_of_two_normals(separation):
    auc = segments(n_samples=100_000, separation=separation).auc
    assert auc == pytest.approx(norm.cdf(separation / np.sqrt(2)), abs=0.005)


@pytest.mark.parametrize("prevalence", [0.1, 0.5, 0.8])
def test_calibrated_when_the_model_is_right(prevalence):
    data = binormal_scores(100_000, prevalence=prevalence, random_state=0)
    np.testing.assert_allclose(data.y_prob, data.true_prob, atol=1e-12)
    parts = brier_decomposition(data.y_true, data.y_prob)
    assert parts.miscalibration < 0.001


@pytest.mark.parametrize("spread_ratio", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("separation", [-1.0, 1.0])
def test_eta_is_the_true_probability(spread_ratio, separation):
    data = binormal_scores(
        200_000, prevalence=0.3, separation=separation, spread_ratio=spread_ratio, random_state=1
    )
    bins = np.digitize(data.true_prob, np.linspace(0.05, 0.95, 10))
    for b in np.unique(bins):
        here = bins == b
        if here.sum() > 2_000:
            assert data.y_true[here].mean() == pytest.approx(data.true_prob[here].mean(), abs=0.03)


def test_over_confidence_keeps_the_ranking_and_stretches_log_odds():
    plain = binormal_scores(1_000, random_state=0)
    bold = binormal_scores(1_000, over_confidence=3.0, random_state=0)
    np.testing.assert_allclose(bold.y_prob, expit(3 * logit(plain.y_prob)), atol=1e-12)
    assert (
        brier_decomposition(bold.y_true, bold.y_prob).miscalibration
        > brier_decomposition(plain.y_true, plain.y_prob).miscalibration + 0.01
    )


@pytest.mark.parametrize(
    ("n", "prevalence", "n_pos"), [(100, 0.3, 30), (2, 0.01, 1), (2, 0.99, 1), (7, 0.5, 4)]
)
def test_number_of_positives(n, prevalence, n_pos):
    data = binormal_scores(n, prevalence=prevalence, random_state=0)
    assert data.y_true.sum() == n_pos
    assert data.y_true.size == data.y_prob.size == data.true_prob.size == n


def test_small_steps_change_little():
    base = binormal_scores(1_000, prevalence=0.30, random_state=5)
    shifted = binormal_scores(1_000, prevalence=0.31, random_state=5)
    assert (base.y_true != shifted.y_true).sum() == 10
    far = binormal_scores(1_000, prevalence=0.30, random_state=6)
    assert (base.y_true != far.y_true).sum() > 100


def test_table():
    frame = binormal_scores(50, random_state=np.random.default_rng(0)).to_frame()
    assert frame.columns.tolist() == ["y_true", "y_prob", "true_prob"]


def test_a_separation_whose_square_overflows_is_refused():
    with pytest.raises(ValueError, match="separation must be at most 1e\\+100 in size; got 1e"):
        binormal_scores(50, separation=1e150)
