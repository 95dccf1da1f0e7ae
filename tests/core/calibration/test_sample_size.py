"""Sample sizes for calibration and net benefit: published numbers, simulations, limits."""

import numpy as np
import pytest
from scipy.special import expit, ndtri

from rocviz.core.calibration.sample_size import calibration_sample_size
from rocviz.core.calibration.summary import calibration_summary
from rocviz.core.curve_spaces.net_benefit import net_benefit_sample_size


def test_numbers_are_those_of_riley_s_program():
    # pmvalsampsize 0.2.1: prevalence=.018, cstatistic=.8, oeciwidth=1; it searches in steps of 1e-4
    size = calibration_sample_size("observed_expected", prevalence=0.018, width=1.0)
    assert size.n_samples == pytest.approx(905, abs=1)
    assert size.n_pos == 17
    # lpnormal=(-5, 2.5), then lpcstat=-4.7; it simulates a million log-odds
    normal = expit(-5 + 2.5 * ndtri((np.arange(10**5) + 0.5) / 10**5))
    slope = calibration_sample_size("slope", y_prob=normal, width=0.2)
    assert slope.n_samples == pytest.approx(4544, rel=0.005)
    slope = calibration_sample_size("slope", prevalence=0.018, auc=0.8, width=0.2)
    assert slope.n_samples == pytest.approx(17080, rel=0.005)
    assert slope.standard_error == pytest.approx(0.1 / 1.959964, rel=1e-4)


def test_the_more_predictions_explain_the_fewer_samples_a_ratio_needs():
    sizes = []
    for auc in (None, 0.501, 0.7, 0.9):
        sample = calibration_sample_size("observed_expected", prevalence=0.2, auc=auc, width=0.2)
        sizes.append(sample.n_samples)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[1] == pytest.approx(sizes[0], rel=1e-3)


@pytest.mark.parametrize("measure", ["slope", "in_the_large", "observed_expected"])
def test_the_sample_size_gives_the_promised_error(measure):
    auc = 0.8
    prevalence = 0.3
    rng = np.random.default_rng(0)
    sample = calibration_sample_size(measure, prevalence=prevalence, auc=auc, standard_error=0.1)
    gap = np.sqrt(2) * ndtri(auc)
    values = []
    for _ in range(150):
        y = rng.random(sample.n_samples) < prevalence
        side = np.where(y, 0.5, -0.5)
        log_odds = np.log(3 / 7) + side * gap**2 + gap * rng.normal(size=y.size)
        summary = calibration_summary(y, expit(log_odds), n_resamples=0)
        value = getattr(summary, measure).value
        values.append(np.log(value) if measure == "observed_expected" else value)
    assert np.std(values) == pytest.approx(0.1, rel=0.15)


def test_net_benefit_has_riley_s_number_and_the_error_that_is_promised():
    # Riley's formula by hand: w = 0.25 * 7 / 3
    w = 7 / 12
    by_hand = 0.9 * 0.1 / 0.3 + w**2 * 0.25 / 0.7 + w**2 * 0.25 / 0.21
    sample = net_benefit_sample_size(
        0.2, prevalence=0.3, sensitivity=0.9, specificity=0.5, standard_error=0.05
    )
    assert sample.n_samples == np.ceil(by_hand / 0.05**2)
    rng = np.random.default_rng(0)
    value = []
    for _ in range(2000):
        n_pos = rng.binomial(sample.n_samples, 0.3)
        tp = rng.binomial(n_pos, 0.9)
        fp = rng.binomial(sample.n_samples - n_pos, 0.5)
        value.append((tp - fp * 0.25) / n_pos)
    assert np.std(value) == pytest.approx(0.05, rel=0.06)
    # the AUC stands for the rates at the threshold of calibrated normal log-odds
    rates = net_benefit_sample_size(0.3, prevalence=0.3, auc=0.8, width=0.2)
    y = np.arange(200_000) % 10 < 3
    gap = np.sqrt(2) * ndtri(0.8)
    log_odds = np.where(y, 0.5, -0.5) * gap**2 + gap * rng.normal(size=y.size)
    own = {"sensitivity": (log_odds >= 0)[y].mean(), "specificity": (log_odds < 0)[~y].mean()}
    again = net_benefit_sample_size(0.3, prevalence=0.3, width=0.2, **own)
    assert rates.n_samples == pytest.approx(again.n_samples, rel=0.01)


@pytest.mark.parametrize("n", [2, 3, 7])
def test_equal_predictions_are_named_as_the_cause(n):
    # two of .3 were "1e+15 samples or more"
    with pytest.raises(ValueError, match=r"two different values for a slope; got only 0\.3"):
        calibration_sample_size("slope", y_prob=[0.3] * n, width=0.2)
