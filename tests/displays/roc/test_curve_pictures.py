"""Spaces to draw curves in: an entry for each, and one with ticks and infinite ends of its own."""

import numpy as np
from matplotlib.figure import Figure
from scipy.special import ndtri

from rocviz.core.curve_spaces.space_curve import SPACES as CORE_SPACES
from rocviz.core.curve_spaces.space_curve import SpaceCurve, space_curve
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.draw_picture import draw_picture
from rocviz.displays.roc.curves import Curve, curves_picture, curves_scene
from rocviz.displays.roc.spaces import SPACES, Space
from rocviz.pictures import NOWHERE, place_words
from rocviz.theme import Theme

RATES = np.array([0.0, 0.05, 0.2, 0.5, 0.8, 1.0])
DEVIATES = ndtri(RATES)  # from -inf to inf
TICKS = {float(ndtri(rate)): text for rate, text in ((0.05, "5 %"), (0.2, "20 %"), (0.5, "50 %"))}

ERROR_TRADE_OFF = Space(
    "error trade-off",
    title="Error trade-off",
    x_label="false positive rate",
    y_label="false negative rate",
    baselines=lambda x, prevalence: [-x],
    x_limits=lambda prevalence: (-2.0, 0.5),
    y_limits=lambda highest, prevalence: (-2.0, highest),
    x_ticks=TICKS,
    y_ticks=TICKS,
)


def test_every_space_of_the_core_can_be_drawn():
    assert tuple(SPACES) == CORE_SPACES
    for name, space in SPACES.items():
        (x, y), *_ = space.without_skill(0.3, space.x_limits(0.3))
        assert (np.isfinite(x).all(), np.isfinite(y).all()) == (True, True), name
        curve = space_curve(RankedSegments([0.8, 0.2], [2, 1], [1, 3]), space=name)
        low, high = space.limits_of_y([curve], 0.3, space.x_limits(0.3))
        assert low < high, name


def test_a_space_may_have_its_own_ticks_infinite_ends_and_no_area():
    curve = SpaceCurve(
        "error trade-off", DEVIATES, -DEVIATES, np.arange(6.0), DEVIATES, -DEVIATES, np.inf
    )
    x_limits = ERROR_TRADE_OFF.x_limits(0.3)
    y_limits = ERROR_TRADE_OFF.limits_of_y([curve], 0.3, x_limits)
    assert y_limits == (-2.0, -ndtri(0.05))  # the greatest finite height
    scene = curves_scene(
        [Curve("model", 0, (DEVIATES, -DEVIATES), hull=NOWHERE)],
        ERROR_TRADE_OFF,
        0.3,
        (x_limits, y_limits),
    )
    picture = place_words(curves_picture(scene))
    assert list(picture.x.labels(large=True, level=True).values()) == ["5 %", "20 %", "50 %"]
    assert "model" in picture["words"].text
    figure = Figure()
    draw_picture(picture, figure.add_subplot(), Theme())
    figure.draw_without_rendering()


def test_a_curve_beyond_0_and_1_keeps_its_shape_when_thinned():
    x = np.concatenate(([-np.inf], np.linspace(-3, 3, 4001), [np.inf]))
    y = np.sin(4 * x[1:-1])
    y = np.concatenate(([-np.inf], y, [np.inf]))
    curve = SpaceCurve("error trade-off", x, y, np.arange(4003.0), x, y, np.nan)
    thin_x, thin_y = curve.thin(200)
    assert thin_x.size <= 800
    assert (thin_x[0], thin_x[-1]) == (-np.inf, np.inf)
    inside = np.isfinite(thin_x)
    gaps = np.diff(thin_x[inside])
    assert gaps.max() < 0.05
    np.testing.assert_allclose(thin_y[inside], np.sin(4 * thin_x[inside]))
