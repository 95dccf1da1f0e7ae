"""What is offered to compare can be used: maps rise with the score, floors can be drawn from."""

import numpy as np
import pytest

from rocviz.core.ranking_loss.capped_link import simulate_capped_link
from rocviz.core.ranking_loss.methods import FLOORS, MAPS, METHODS
from rocviz.core.roc.segments import RankedSegments


@pytest.mark.parametrize("name", MAPS)
def test_a_map_gives_probabilities_that_rise_with_the_score(name):
    rng = np.random.default_rng(0)
    score = rng.normal(size=200)
    segments = RankedSegments.from_scores(rng.random(200) < 0.2 + 0.6 * (score > 0), score)
    prob = MAPS[name](segments)(np.sort(score))
    assert (np.diff(prob) >= 0).all()
    assert 0 <= prob[0] < prob[-1] <= 1


@pytest.mark.parametrize("floor", FLOORS)
def test_no_true_probability_lies_below_its_floor(floor):
    drawn = simulate_capped_link(500, a=floor, random_state=0)
    assert drawn.eta.min() >= floor * (1 - 1e-12)


def test_a_method_with_isotonic_regression_follows_the_one_without():
    for name in METHODS:
        if name.endswith(" + isotonic") and name != "rank + isotonic":
            assert METHODS.index(name) == METHODS.index(name.removesuffix(" + isotonic")) + 1
