"""Methods of a comparison: maps rise with the score, and floors can be drawn from."""

import numpy as np
import pytest

from rocviz.core.ranking_loss.capped_link import simulate_capped_link
from rocviz.core.ranking_loss.methods import (
    FLOORS,
    MAPS,
    METHODS,
    check_methods,
    check_training,
    predict_by_methods,
    train_scorer,
)
from rocviz.core.roc.segments import RankedSegments


@pytest.mark.parametrize("name", MAPS)
def test_a_map_gives_probabilities_that_rise_with_the_score(name):
    rng = np.random.default_rng(0)
    score = rng.normal(size=200)
    y = rng.random(200) < np.where(score > 0, 0.8, 0.2)
    segments = RankedSegments.from_scores(y, score)
    prob = MAPS[name](segments)(np.sort(score))
    assert (np.diff(prob) >= 0).all()
    assert 0 <= prob[0] < prob[-1] <= 1


@pytest.mark.parametrize("floor", FLOORS)
def test_no_true_probability_lies_below_its_floor(floor):
    drawn = simulate_capped_link(500, a=floor, random_state=0)
    assert drawn.true_prob.min() >= floor * (1 - 1e-12)


def test_a_method_with_isotonic_regression_follows_the_one_without():
    for name in METHODS:
        if name.endswith(" + isotonic") and name != "rank + isotonic":
            assert METHODS.index(name) == METHODS.index(name.removesuffix(" + isotonic")) + 1


def test_each_method_predicts_from_its_own_scorer():
    drawn = simulate_capped_link(400, a=2**-3, random_state=0)
    new = simulate_capped_link(300, a=2**-3, random_state=1)
    positive = drawn.y_true == 1
    training = check_training(1e-3, "logistic", 0.5)
    assert check_methods(METHODS + METHODS) == METHODS
    score, prob = predict_by_methods(METHODS, drawn.X, positive, new.X, **training)
    assert score.shape == prob.shape == (6, 300)
    assert ((prob >= 0) & (prob <= 1)).all()
    np.testing.assert_array_equal(score[0], score[1])
    error = dict(zip(METHODS, ((prob - new.true_prob) ** 2).mean(axis=1), strict=True))
    assert error["rank + isotonic"] < error["logistic"] / 2
    scorer = train_scorer("logistic", drawn.X, positive, alpha=1e-3, loss="logistic", mix=0.5)
    np.testing.assert_array_equal(prob[METHODS.index("logistic")], scorer.probability(new.X))


def test_missing_convergence_of_a_scorer_is_reported():
    drawn = simulate_capped_link(12, a=0.25, random_state=0)
    with pytest.warns(RuntimeWarning, match="'rank' has not converged after 100 steps"):
        train_scorer(
            "rank", drawn.X, drawn.y_true == 1, alpha=0.1, loss="logistic", mix=0.5, tol=1e-300
        )


@pytest.mark.parametrize("methods", ["rank", (), ("ranks",)])
def test_unknown_methods_are_refused(methods):
    with pytest.raises(ValueError, match="methods must be"):
        check_methods(methods)
