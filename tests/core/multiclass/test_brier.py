"""The Brier score of several classes is the sum over the classes, and so are its parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss

from rocviz import brier_decomposition
from rocviz.core.comparison import calibration_error
from rocviz.core.multiclass import classwise_calibration_error, multiclass_brier

SEEDS = st.integers(0, 10**6)


def draw(seed, n_classes=3, n=40, digits=2):
    rng = np.random.default_rng(seed)
    prob = np.floor(10**digits * rng.dirichlet(np.ones(n_classes), n)) / 10**digits
    prob[:, -1] = 1 - prob[:, :-1].sum(axis=1)
    y = (rng.random(n)[:, None] > prob.cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    y[:n_classes] = np.arange(n_classes)
    return y, prob.clip(0, 1)


@pytest.mark.parametrize("weighted", [False, True])
@given(seed=SEEDS, n_classes=st.integers(2, 5))
def test_the_decomposition_is_exact(weighted, seed, n_classes):
    y, prob = draw(seed, n_classes)
    weight = np.random.default_rng(seed).uniform(0.5, 2, y.size) if weighted else None
    parts = multiclass_brier(y, prob, sample_weight=weight)
    squares = ((prob - np.eye(n_classes)[y]) ** 2).sum(axis=1)
    assert parts.brier == pytest.approx(np.average(squares, weights=weight))
    assert parts.brier == pytest.approx(
        parts.miscalibration - parts.discrimination + parts.uncertainty
    )
    prior = np.bincount(y, weight) / (y.size if weight is None else weight.sum())
    assert parts.uncertainty == pytest.approx((prior * (1 - prior)).sum())
    for k, decomposition in parts.by_class.items():
        assert decomposition == brier_decomposition(y == k, prob[:, k], sample_weight=weight)
    assert parts.log_loss == pytest.approx(
        log_loss(y, prob.clip(1e-15), sample_weight=weight), rel=1e-6
    ) or np.isinf(parts.log_loss)


def test_the_table_ends_with_the_sum():
    parts = multiclass_brier(*draw(0))
    table = parts.to_frame()
    assert list(table.index) == [0, 1, 2, "sum"]
    assert table["brier"][:3].sum() == pytest.approx(table.loc["sum", "brier"])
    assert multiclass_brier([0, 1], [[0, 1.0], [0, 1]]).log_loss == np.inf


@given(SEEDS)
def test_two_classes_have_twice_the_score(seed):
    y, prob = draw(seed, 2)
    ours = multiclass_brier(y, prob)
    theirs = brier_decomposition(y, prob[:, 1])
    for name in ("brier", "miscalibration", "discrimination", "uncertainty"):
        assert getattr(ours, name) == pytest.approx(2 * getattr(theirs, name))


@pytest.mark.parametrize("more", [{}, {"clusters": np.arange(40) // 3}])
def test_two_classes_have_the_test_of_two(more):
    y, prob = draw(5, 2)
    weight = 1.0 + np.arange(40) % 3
    options = {"n_resamples": 99, "random_state": 3, **more}
    for weights in (
        {},
        {"sample_weight": weight},
        {"sample_weight": np.where(weight > 2, 0, weight)},
    ):
        ours = classwise_calibration_error(y, prob, **options, **weights)
        theirs = calibration_error(y, prob[:, 1], **options, **weights)
        assert ours.p_value == theirs.p_value
        for name in ("error", "lower", "upper"):
            assert getattr(ours, name) == pytest.approx(np.sqrt(2) * getattr(theirs, name))


def test_the_error_is_the_root_of_the_miscalibration():
    y, prob = draw(1, 4)
    error = classwise_calibration_error(y, prob, n_resamples=50)
    assert error.error**2 == pytest.approx(multiclass_brier(y, prob).miscalibration)


def test_true_probabilities_are_rejected_as_often_as_the_level_says():
    p_values = np.empty(80)
    for seed in range(80):
        y, prob = draw(seed, 3, 120, 6)
        error = classwise_calibration_error(y, prob, n_resamples=99, random_state=seed)
        p_values[seed] = error.p_value
    assert 0.02 < np.mean(p_values <= 0.1) < 0.18
    assert 0.4 < p_values.mean() < 0.6


def test_unbounded_work_is_refused_before_it_begins():
    y, prob = draw(0)
    with pytest.raises(ValueError, match=r"n_resamples=1000000000, y_prob of 3 classes would take"):
        classwise_calibration_error(y, prob, n_resamples=10**9)
