"""Words and axes of every space: lines without skill, limits that show the curve, ticks."""

import numpy as np
import pytest
from scipy.special import ndtr

from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.core.roc.segments import RankedSegments
from rocviz.words import UNNAMED

GOOD = RankedSegments([0.9, 0.6, 0.5, 0.2], [4, 1, 2, 1], [1, 2, 1, 8])
# one score for all, which is the prevalence
USELESS = RankedSegments([0.4], [8], [12])


@pytest.mark.parametrize("name", SPACES)
def test_a_ranking_without_skill_lies_on_its_baseline(name):
    space = SPACES[name]
    curve = space_curve(USELESS, space=name)
    x_limits, _ = space.limits([curve], 0.4)
    lines = space.without_skill(0.4, x_limits)
    inside = (curve.x > x_limits[0]) & (curve.x < min(x_limits[1], 0.98))
    heights = [np.interp(curve.x[inside], x, y) for x, y in lines]
    # a space of costs has a line for each trivial classifier, and one where 0.4 is a threshold
    best = np.min if space.lower_is_better else np.max
    if name == "pr_gain":  # its line is that of equal F1, where the gain of recall is 1
        assert [y[-1] for _, y in lines] == [0.0]
    else:
        np.testing.assert_allclose(best(heights, axis=0), curve.y[inside], atol=2e-3)


@pytest.mark.parametrize("name", SPACES)
def test_limits_show_the_curve(name):
    space = SPACES[name]
    curve = space_curve(GOOD, space=name)
    (left, right), (low, high) = space.limits([curve], GOOD.prevalence)
    x, y = space.within(curve.x, curve.y, ((left, right), (low, high)))
    if name != "decision":  # up to the threshold probabilities that are used
        assert ((left <= x) & (x <= right)).all()
    assert (y[(left <= x) & (x <= right)] <= high).all()
    if space.has_points:
        assert (low <= y).all()
    narrow = (0.1, 0.3)
    assert space.limits([curve], GOOD.prevalence, narrow)[0] == narrow
    joined_y = space.joined_limits(((0, 3), (0, 2)), ((0, 3), (0, 3)))[1]
    assert joined_y == (0, 3)


@pytest.mark.parametrize("name", SPACES)
def test_ticks_are_round_numbers_unless_a_space_writes_others(name):
    space = SPACES[name]
    ticks = space.x_ticks((-1.7, 0.1)), space.y_ticks((-1.7, 0.1))
    if not space.has_infinite_ends:
        assert ticks == (None, None)
        assert space.x_of_limit(0.2) == 0.2
    else:
        for texts in ticks:
            shares = [float(text) / 100 for text in texts.values()]
            np.testing.assert_allclose(ndtr(list(texts)), shares)
            assert shares == [0.05, 0.2, 0.5]
        assert ndtr(space.x_of_limit(0.2)) == pytest.approx(0.2)


@pytest.mark.parametrize("name", SPACES)
def test_every_space_has_its_words(name):
    space = SPACES[name]
    assert space.name == name
    assert all([space.label, space.title, space.x_label, space.y_label])
    fields = dict.fromkeys(
        ("area", "hull_area", "miscalibration", "prevalence", "half_prevalence", "complement"), "1"
    )
    fields |= dict.fromkeys(("auc", "x", "y", "fpr", "fnr"), "1")
    assert "{" not in UNNAMED.name_in(space.sentence, **fields)
