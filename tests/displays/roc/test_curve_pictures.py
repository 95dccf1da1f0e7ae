"""Spaces to draw curves in: an entry for each, and one with ticks and infinite ends of its own."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri

from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.curve_spaces.spaces import SPACES, SpaceCurve
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.draw_picture import draw_picture
from rocviz.displays.roc.curves import Curve, curves_picture, curves_scene
from rocviz.pictures import NO_POINTS, place_words
from rocviz.theme import Theme

RATES = np.array([0.0, 0.05, 0.2, 0.5, 0.8, 1.0])
DEVIATES = ndtri(RATES)  # from -inf to inf


def test_every_space_can_be_drawn():
    for name, space in SPACES.items():
        curve = space_curve(RankedSegments([0.8, 0.2], [2, 1], [1, 3]), space=name)
        x_limits, (low, high) = space.limits([curve], 0.3)
        (x, y), *_ = space.without_skill(0.3, x_limits)
        assert (np.isfinite(x).all(), np.isfinite(y).all()) == (True, True), name
        assert low < high, name


def test_points_beyond_the_limits_lie_on_the_border_where_ends_are_infinite():
    space = SPACES["det"]
    curve = SpaceCurve("det", DEVIATES, -DEVIATES, np.arange(6.0), DEVIATES, -DEVIATES, np.nan)
    limits = space.limits([curve], 0.3)
    end = -ndtri(0.01)
    assert limits == ((-end, end), (-end, end))
    scene = curves_scene(
        [Curve("model", 0, (DEVIATES, -DEVIATES), hull=NO_POINTS)],
        space,
        0.3,
        limits,
        selected=(-np.inf, np.inf),
    )
    picture = place_words(curves_picture(scene))
    assert (picture["curve"].x[0], picture["curve"].y[0]) == (-end, end)
    assert (picture["curve"].x[-1], picture["curve"].y[-1]) == (end, -end)
    assert (picture["point"].x[0], picture["point"].y[0]) == (-end, end)
    labels = picture.x.labels(large=True, level=True)
    assert list(labels.values()) == ["1", "5", "20", "50", "80", "95", "99"]
    np.testing.assert_allclose(ndtr(list(labels)), [0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99])
    assert "model" in picture["words"].text
    figure = Figure()
    draw_picture(picture, figure.add_subplot(), Theme())
    figure.draw_without_rendering()


def test_a_picture_without_the_line_of_no_skill_has_no_words_about_it():
    curve = Curve("model", 0, (np.array([0.0, 0.1, 1.0]), np.array([0.0, 0.9, 1.0])))
    scene = curves_scene([curve], SPACES["gain"])
    for shown, chance in ((True, scene.chance), (False, ())):
        picture = place_words(curves_picture(replace(scene, chance=chance)))
        texts = [text for mark in picture.marks for text in getattr(mark, "text", ())]
        assert "model" in texts
        assert ("at random" in texts) == shown


def test_a_curve_beyond_0_and_1_keeps_its_shape_when_thinned():
    x = np.concatenate(([-np.inf], np.linspace(-3, 3, 4001), [np.inf]))
    y = np.sin(4 * x[1:-1])
    y = np.concatenate(([-np.inf], y, [np.inf]))
    curve = SpaceCurve("det", x, y, np.arange(4003.0), x, y, np.nan)
    thin_x, thin_y = curve.thin(200)
    assert thin_x.size <= 800
    assert (thin_x[0], thin_x[-1]) == (-np.inf, np.inf)
    inside = np.isfinite(thin_x)
    gaps = np.diff(thin_x[inside])
    assert gaps.max() < 0.05
    np.testing.assert_allclose(thin_y[inside], np.sin(4 * thin_x[inside]))
