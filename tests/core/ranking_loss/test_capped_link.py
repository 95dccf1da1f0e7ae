import numpy as np
import pytest

from rocviz.core.ranking_loss import simulate_capped_link
from rocviz.core.ranking_loss.capped_link import true_probability


def test_labels_follow_the_step():
    data = simulate_capped_link(40_000, 0.1, random_state=0)
    above = data.X @ data.direction >= 0
    np.testing.assert_array_equal(data.true_prob, np.where(above, 0.9, 0.1))
    assert data.y_true[above].mean() == pytest.approx(0.9, abs=0.01)
    assert data.y_true[~above].mean() == pytest.approx(0.1, abs=0.01)
    np.testing.assert_allclose(np.cov(data.X.T), np.eye(2), atol=0.03)
    assert np.linalg.norm(data.direction) == pytest.approx(1)


def test_another_floor_leaves_the_points():
    low_floor = simulate_capped_link(500, 0.1, random_state=3)
    high_floor = simulate_capped_link(500, 0.12, random_state=3)
    np.testing.assert_array_equal(low_floor.X, high_floor.X)
    assert 0 < (low_floor.y_true != high_floor.y_true).sum() < 30


def test_the_ends_of_the_range():
    assert (simulate_capped_link(50, 0, random_state=0).true_prob % 1 == 0).all()
    assert (simulate_capped_link(50, 0.5, random_state=0).true_prob == 0.5).all()


def test_a_sigmoid_is_the_floor_one_unit_below_its_border():
    data = simulate_capped_link(300, 0.2, link="sigmoid", border=1.5, random_state=0)
    slope = np.log(0.8 / 0.2)
    score = data.X @ data.direction
    np.testing.assert_allclose(data.true_prob, 1 / (1 + np.exp(-slope * (score - 1.5))))
    assert true_probability(np.array([0.5, 2.5]), 0.2, link="sigmoid", border=1.5) == pytest.approx(
        [0.2, 0.8]
    )


def test_the_border_moves_the_step():
    data = simulate_capped_link(300, 0.2, border=0.7, random_state=0)
    np.testing.assert_array_equal(data.true_prob == 0.8, data.X @ data.direction >= 0.7)
