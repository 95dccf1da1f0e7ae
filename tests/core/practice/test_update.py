"""A model in another place: fits, the closed test, cross-fitting, predictions of 0 and 1."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from rocviz.core.calibration import calibration_summary
from rocviz.core.practice import update_model


def made(n=800, shift=0.0, slope=1.0, seed=0):
    """Draw predictions and outcomes of a place where log odds are shifted and stretched."""
    rng = np.random.default_rng(seed)
    prob = rng.beta(1.5, 3, n)
    return rng.random(n) < expit(shift + slope * logit(prob)), prob


def test_coefficients_are_those_of_logistic_regression():
    y, prob = made(shift=0.5, slope=0.6)
    update = update_model(y, prob, method="slope")
    fitted = LogisticRegression(C=np.inf, tol=1e-10).fit(logit(prob)[:, None], y)
    assert update.intercept == pytest.approx(fitted.intercept_[0], abs=1e-5)
    assert update.coefficient == pytest.approx(fitted.coef_[0, 0], abs=1e-5)
    expected = fitted.predict_proba(logit(prob)[:, None])[:, 1]
    assert update.apply(prob) == pytest.approx(expected, abs=1e-5)
    summary = calibration_summary(y, prob, n_resamples=0)
    assert update.before.slope.value == summary.slope.value
    assert update.before.observed_expected.lower == summary.observed_expected.lower


def test_a_shift_expects_as_many_as_there_are():
    y, prob = made(shift=-0.8)
    update = update_model(y, prob, method="intercept")
    assert update.coefficient == 1
    assert update.apply(prob).sum() == pytest.approx(y.sum())
    nothing = update_model(y, prob, method="none")
    assert nothing.apply(prob) == pytest.approx(prob)
    assert nothing.after == nothing.before
    assert nothing.chosen_in_folds == {}


def test_the_closed_test_is_that_of_likelihood_ratios():
    y, prob = made(shift=0.2, slope=0.9)
    update = update_model(y, prob)
    best = update_model(y, prob, method="slope").apply(prob)
    shifted = update_model(y, prob, method="intercept").apply(prob)
    full = log_loss(y, best, normalize=False)
    for name, degrees, loss in (
        ("none", 2, log_loss(y, prob, normalize=False)),
        ("intercept", 1, log_loss(y, shifted, normalize=False)),
    ):
        assert update.p_values[name] == pytest.approx(chi2.sf(2 * (loss - full), degrees))


@pytest.mark.parametrize(
    ("shift", "slope", "chosen"),
    [(0.0, 1.0, "none"), (-0.7, 1.0, "intercept"), (0.0, 0.4, "slope")],
)
def test_the_simplest_update_that_is_not_rejected(shift, slope, chosen):
    update = update_model(*made(3000, shift, slope))
    assert update.chosen == chosen
    assert max(update.chosen_in_folds, key=update.chosen_in_folds.get) == chosen
    assert sum(update.chosen_in_folds.values()) == 10


@pytest.mark.slow  # a simulation
def test_the_test_rejects_a_model_that_is_right_at_its_level():
    rejected = 0
    for seed in range(200):
        y, prob = made(300, seed=seed)
        rejected += update_model(y, prob, n_folds=2).chosen != "none"
    assert 2 <= rejected <= 22  # 10 expected


def test_numbers_after_are_of_other_folds():
    # few samples: fitted and judged on the same ones, an update of noise would always gain
    gains = []
    apparent = []
    for seed in range(60):
        y, prob = made(40, seed=seed)
        update = update_model(y, prob, method="slope")
        gains.append(update.before.brier - update.after.brier)
        apparent.append(update.before.brier - brier_score_loss(y, update.apply(prob)))
    assert np.mean(apparent) > 0
    assert np.mean(gains) < 0  # the model was right


def test_net_benefit_and_brier_by_hand():
    y = np.array([1, 0, 1, 0, 0, 1])
    prob = np.array([0.9, 0.6, 0.5, 0.3, 0.2, 0.1])
    update = update_model(y, prob, method="none", threshold_probability=0.25)
    assert update.before.brier == pytest.approx(np.mean((prob - y) ** 2))
    assert update.before.net_benefit == pytest.approx(2 / 6 - 2 / 6 / 3)
    assert update.threshold_probability == 0.25


def test_weights_repeat_samples():
    y, prob = made(200, shift=0.5)
    weight = np.random.default_rng(1).integers(0, 3, y.size)
    weighted = update_model(y, prob, method="slope", sample_weight=weight)
    repeated = update_model(np.repeat(y, weight), np.repeat(prob, weight), method="slope")
    assert weighted.coefficient == pytest.approx(repeated.coefficient)
    assert weighted.before.brier == pytest.approx(repeated.before.brier)


def test_clusters_stay_in_one_fold():
    # the two rows of a cluster are the same: a fold that had one of them would have learned it
    y, prob = made(60, shift=1.0)
    twice = [np.tile(column, 2) for column in (y, prob, np.arange(60))]
    update = update_model(*twice[:2], clusters=twice[2], method="slope")
    single = update_model(y, prob, method="slope")
    assert update.after.brier == pytest.approx(single.after.brier)
    assert update.before.slope.upper != single.before.slope.value
    mixed = update_model(
        [0, 1, 0, 1, 1, 0, 0, 1], [0.2, 0.3, 0.6, 0.4, 0.7, 0.1, 0.3, 0.6],
        clusters=[0, 0, 1, 1, 2, 3, 4, 5], method="intercept", n_folds=3,
    )  # fmt: skip
    assert mixed.chosen_in_folds == {"intercept": 3}


def test_predictions_of_0_and_1_are_moved():
    y = np.tile([0, 0, 1, 1, 0, 1], 20)
    prob = np.tile([0.0, 0.2, 0.4, 0.9, 0.6, 1.0], 20)
    update = update_model(y, prob, method="slope")
    assert update.moved_to == pytest.approx(np.log(2 * y.size - 1))
    assert 0 < update.apply([0.0])[0] < update.apply([1.0])[0] < 1
    assert any("exactly 0 or 1" in reason for reason in update.reasons)


def test_a_slope_that_cannot_be_fitted_leaves_the_intercept():
    separated = update_model([0, 0, 0, 1, 1, 1], [0.1, 0.1, 0.2, 0.3, 0.4, 0.4], method="slope")
    assert separated.chosen == "intercept"
    assert "separates both classes" in separated.reasons[0]
    same = update_model(np.tile([0, 1], 50), np.full(100, 0.1))
    assert same.chosen == "intercept"
    assert "all predictions are the same" in same.reasons[0]
    assert same.apply([0.1]) == pytest.approx([0.5])
    assert list(same.p_values) == ["none"]
    kept = update_model(np.tile([0, 1], 50), np.full(100, 0.5))
    assert kept.chosen == "none"


def test_an_order_that_is_turned_around_is_said():
    y, prob = made(500, slope=-1.0)
    update = update_model(y, prob)
    assert update.coefficient < 0
    assert "negative" in update.reasons[0]


def test_results_are_short_and_the_table_has_before_and_after():
    update = update_model(*made(shift=-0.7))
    assert repr(update).startswith("<ModelUpdate: intercept, log odds -0.")
    frame = update.to_frame()
    assert frame.index.tolist() == ["observed_expected", "slope", "brier", "net_benefit"]
    assert abs(frame.loc["observed_expected", "after"] - 1) < 0.05
    assert frame.loc["brier", "after"] < frame.loc["brier", "before"]
    assert "before" in update._repr_html_()


BAD = {
    "method": ({"method": "refit"}, "method must be one of none, intercept, slope, closed_test"),
    "level": ({"significance_level": 0}, "significance_level"),
    "folds": ({"n_folds": 1}, "n_folds must be an integer of at least 2"),
    "threshold": ({"threshold_probability": 1}, "threshold_probability must be from"),
    "scores": ({"y_prob": [1.0, 2.0]}, "y_prob"),
    "few": ({}, "y_true must hold at least two samples of each class"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    arguments, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        update_model(**{"y_true": [0, 1], "y_prob": [0.2, 0.6], **arguments})


def test_too_few_clusters_are_refused():
    with pytest.raises(ValueError, match="two clusters of each class"):
        update_model([0, 1, 0, 1], [0.2, 0.6, 0.4, 0.3], clusters=[0, 0, 1, 0])
