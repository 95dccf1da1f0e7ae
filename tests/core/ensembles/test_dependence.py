"""Evidence of classifiers with correlated errors: its excess, the warning, and the correction."""

import numpy as np
import pytest
from scipy.special import expit, logit

from rocviz import fidel_combine, simulate_classifiers
from rocviz.core.ensembles import DependentErrorsWarning, RankEnsemble
from rocviz.core.ensembles.rank_ensemble import METHODS

AUCS = [0.6, 0.65, 0.7, 0.75]


def draw(correlation, seed, n=400, areas=AUCS):
    return simulate_classifiers(n, areas, correlation=correlation, random_state=seed)


def log_loss(y, prob):
    return -np.mean(np.log(np.where(y == 1, prob, 1 - prob)))


def test_copies_count_as_often_as_they_occur():
    y, scores = draw(0.0, 0)
    for m in (1, 2, 5):
        ensemble = RankEnsemble.from_scores(y, np.repeat(scores[:, 3:], m, axis=1))
        assert ensemble.design_effect == pytest.approx(m)
    nobody = RankEnsemble.from_scores([0, 1, 0, 1], np.ones((4, 2)))
    assert nobody.design_effect == 1


def test_the_design_effect_is_a_ratio_of_variances():
    y, scores = draw(0.5, 1)
    ensemble = RankEnsemble.from_scores(y, scores)
    parts = ensemble.beta * (ensemble.threshold_rank - ensemble.validation_ranks)
    within = parts - np.where(
        ensemble.positive[:, None],
        parts[ensemble.positive].mean(0),
        parts[~ensemble.positive].mean(0),
    )
    assert ensemble.design_effect == pytest.approx(
        within.sum(axis=1).var() / within.var(axis=0).sum(), rel=1e-9
    )
    equal = RankEnsemble.from_scores(*draw(0.5, 2, 20_000, [0.7, 0.7, 0.7]))
    c = equal.mean_correlation
    assert equal.design_effect == pytest.approx(1 + 2 * c, rel=0.01)


@pytest.mark.parametrize("correlation", [0.4, 0.8])
def test_the_slope_offsets_the_design_effect(correlation):
    new = draw(correlation, 3, 4000)
    combined = fidel_combine(*draw(correlation, 2, 4000), new.scores)
    assert combined.slope == pytest.approx(1 / combined.ensemble.design_effect, rel=0.15)
    raw = fidel_combine(*draw(correlation, 2, 4000), new.scores, calibration=None)
    assert log_loss(new.y_true, combined.probability) < log_loss(new.y_true, raw.probability) - 0.02
    np.testing.assert_array_equal(combined.score, raw.score)
    np.testing.assert_array_equal(combined.contributions, raw.contributions)
    assert (np.argsort(combined.probability) == np.argsort(raw.probability)).all()


@pytest.mark.parametrize("method", METHODS)
def test_without_calibration_it_is_the_method_of_the_paper(method):
    y, scores = draw(0.3, 4, 60)
    combined = fidel_combine(y, scores, method=method, calibration=None)
    prior = logit(y.mean())
    assert (combined.slope, combined.intercept) == (1.0, pytest.approx(prior))
    np.testing.assert_allclose(combined.probability, expit(combined.log_likelihood_ratio + prior))
    calibrated = fidel_combine(y, scores, method=method)
    odds = calibrated.slope * calibrated.log_likelihood_ratio + calibrated.intercept
    np.testing.assert_allclose(calibrated.probability, expit(odds))
    assert calibrated.probability.mean() == pytest.approx(y.mean(), abs=0.01)


def test_crowds_without_evidence_keep_prior_and_order():
    combined = fidel_combine([0, 1, 0, 1, 1], np.zeros((5, 2)))
    np.testing.assert_allclose(combined.probability, 0.6)
    # a crowd that is worse than its weights promise is still ranked as it was
    y = np.array([1, 1, 1, 0, 0, 0] * 20)
    score = np.tile([0, 0, 9, 8, 2, 1.0], 20)
    wrong = RankEnsemble.from_scores(y, np.column_stack((score, score, -score, score)))
    assert wrong.combine(wrong.sorted_scores, method="woc").slope > 0


def test_the_warning_states_the_size_of_the_effect():
    y, scores = draw(0.5, 5)
    with pytest.warns(DependentErrorsWarning) as caught:
        combined = fidel_combine(y, scores, names=["a", "b", "c", "d"])
    message = str(caught[0].message)
    assert caught[0].filename == __file__
    ensemble = combined.ensemble
    assert f"correlate by {ensemble.mean_correlation:.2f} on average (most: " in message
    assert f"varies {ensemble.design_effect:.1f} times as much" in message
    assert "400 validation samples" in message
    assert message.endswith("Probabilities are calibrated for it.")
    with pytest.warns(DependentErrorsWarning, match="too near 0 and 1; calibration='sigmoid'"):
        fidel_combine(y, scores, calibration=None)
    with pytest.warns(DependentErrorsWarning, match=r"ranks correlate by 1\.00, so"):
        fidel_combine(y, scores[:, [0, 0]])


@pytest.mark.filterwarnings("error")
def test_chance_and_other_methods_do_not_warn():
    for seed in range(10):
        fidel_combine(*draw(0.0, seed, 60))
    for method in ("woc", "correlation-aware"):
        fidel_combine(*draw(0.7, 0), method=method)
    fidel_combine(*draw(0.7, 0, areas=[0.7]))
    # four samples prove nothing, even of copies
    copies = fidel_combine([1, 0, 1, 0], np.repeat([[3.0], [2], [1], [0]], 2, axis=1))
    assert copies.ensemble.design_effect == pytest.approx(2)
    # a fifth too much may be sure, and is little
    fidel_combine(*draw(0.05, 0, 5000))
