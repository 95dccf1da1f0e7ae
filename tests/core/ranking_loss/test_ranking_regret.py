import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from rocviz import RankedSegments
from rocviz.core.ranking_loss import (
    isotonic_loss,
    ranking_bound,
    ranking_regret,
    simulate_capped_link,
    worst_ranking,
)

PROBS = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
CASES = st.lists(st.tuples(PROBS, st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=9)


def by_pairs(eta, score, weight):
    """The definition, pair by pair."""
    share = weight / weight.sum()
    pi = weight @ eta / weight.sum()
    gap = np.subtract.outer(eta, eta)
    order = np.sign(np.subtract.outer(score, score))
    wrong = np.where(order == 0, 0.5, np.sign(gap) * order < 0)
    return share @ (np.abs(gap) * wrong) @ share / (2 * pi * (1 - pi))


@given(CASES)
def test_regret_agrees_with_its_definition_and_bounds(rows):
    eta, score, weight = np.array(rows, dtype=float).T
    pi = weight @ eta / weight.sum()
    if not 1e-6 < pi < 1 - 1e-6:
        return
    regret = ranking_regret(eta, score, sample_weight=weight)
    assert regret.prevalence == pytest.approx(pi)
    assert regret.ranking_regret == pytest.approx(by_pairs(eta, score, weight), abs=1e-12)
    assert regret.probability_regret <= regret.level_bound + 1e-12
    assert regret.level_bound <= regret.bound * (1 + 1e-9)
    simple = ranking_bound(max(1 - regret.ranking_regret, 0), pi, method="simple")
    assert regret.bound == pytest.approx(simple, abs=1e-12)


def test_three_samples_by_hand():
    # one wrong pair of .5 and .1, counted in both orders, over 9 pairs; best fit .9, .3, .3
    regret = ranking_regret([0.9, 0.5, 0.1], [3, 1, 2])
    assert regret.ranking_regret == pytest.approx(2 * 0.4 / 9 / (2 * 0.25))
    assert regret.probability_regret == pytest.approx(2 * 0.2**2 / 3)


def test_regret_is_the_difference_of_two_expected_areas():
    rng = np.random.default_rng(0)
    eta = rng.random(200)
    score = np.round(eta + rng.normal(size=200), 1)

    def expected_auc(score):
        return RankedSegments.from_scores(
            np.repeat([1, 0], 200), np.tile(score, 2), sample_weight=np.append(eta, 1 - eta)
        ).auc

    regret = ranking_regret(eta, score)
    assert regret.ranking_regret == pytest.approx(expected_auc(eta) - expected_auc(score))


@pytest.mark.parametrize("prevalence", [0.02, 0.3, 0.5, 0.8])
def test_extremal_rankings_reach_the_bound(prevalence):
    # true probabilities 0 and 1: the regret is the isotonic loss of the labels
    rarer = min(prevalence, 1 - prevalence)
    for auc in (0.999, 0.97):
        worst = worst_ranking(auc, prevalence, 2000)
        y_true, y_score, weight = worst.to_samples()
        regret = ranking_regret(y_true, y_score, sample_weight=weight)
        assert regret.ranking_regret == pytest.approx(1 - worst.auc, rel=1e-9)
        assert regret.probability_regret == pytest.approx(isotonic_loss(worst), rel=1e-9)
        assert regret.level_bound == pytest.approx(regret.probability_regret, rel=1e-5)
        is_reached = auc >= 1 - rarer / (1 - rarer) / 6
        assert (regret.bound == pytest.approx(regret.probability_regret, rel=1e-5)) == is_reached


def test_monotone_scores_have_no_regret():
    eta = np.random.default_rng(1).random(50)
    regret = ranking_regret(eta, np.exp(3 * eta))
    assert (regret.ranking_regret, regret.probability_regret) == (0, 0)
    assert (regret.bound, regret.level_bound) == (0, 0)
    constant = ranking_regret([0.3, 0.3], [1, 2])
    assert (constant.ranking_regret, constant.probability_regret) == (0, 0)


def test_weights_are_repetitions_and_zero_leaves_a_sample_out():
    eta = np.array([0.2, 0.9, 0.4, 0.0])
    score = np.array([1, 1, 3, 5])
    weight = np.array([3, 1, 2, 0])
    repeated = ranking_regret(np.repeat(eta, weight), np.repeat(score, weight))
    weighted = ranking_regret(eta, score, sample_weight=weight)
    for name in ("ranking_regret", "probability_regret", "bound", "level_bound"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-12)


def test_a_step_ranked_by_its_direction_has_no_regret():
    data = simulate_capped_link(500, 0.1, random_state=0)
    assert ranking_regret(data.true_prob, data.X @ data.direction).bound == 0
    assert ranking_regret(data.true_prob, data.X[:, 0]).probability_regret > 0.01


@given(st.permutations(range(8)), st.lists(st.integers(0, 7), min_size=8, max_size=8))
def test_corollary_for_real_outcomes(outcome, score):
    # outcomes on the rank scale: y = 1/n, ..., 1; the levels between them are all thresholds
    n = 8
    outcome = np.array(outcome)
    score = np.array(score)
    _, score_index = np.unique(score, return_inverse=True)
    tied = np.bincount(score_index)
    crps = level_bound = discordant = pairs = 0.0
    for level in range(1, n):
        above = (outcome >= level).astype(float)
        mean = np.bincount(score_index, above) / tied
        fitted = isotonic_regression(mean, weights=tied).x[score_index]
        crps += np.mean((above - fitted) ** 2) / n
        segments = RankedSegments.from_scores(above, score)
        pairs_at_level = segments.prevalence * (1 - segments.prevalence)
        discordant_at_level = pairs_at_level * (1 - segments.auc)
        level_bound += np.sqrt(2 / 3 * discordant_at_level) / n
        discordant += discordant_at_level
        pairs += pairs_at_level
    cpa = 1 - discordant / pairs
    assert crps <= level_bound + 1e-12
    assert level_bound <= np.sqrt(1 - cpa) / 3 + 1e-12
