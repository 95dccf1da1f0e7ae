"""The drawing functions on their own, as the explorers' still pictures use them."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from rocviz import RankedSegments, brier_decomposition
from rocviz.core.roc.summary import score_histogram
from rocviz.displays.base.style import contrast, ink_on, model_look, resolve_theme, tint
from rocviz.displays.calibration.draw_brier import STRENGTH, draw_brier
from rocviz.displays.roc.draw_roc import draw_roc, label_roc
from rocviz.displays.roc.draw_scores import draw_scores
from rocviz.theme import Theme
from rocviz.words import amount, percent, rate, score_text


@pytest.fixture
def segments(data):
    return RankedSegments.from_scores(*data)


@pytest.fixture
def ax():
    return plt.subplots(figsize=(5, 5))[1]


def test_operating_point_and_isometrics(ax, segments):
    held, best = segments.at_threshold(0.4), segments.optimal_point()
    made = draw_roc(
        ax,
        segments,
        held=held,
        held_isometric=([0, 0.5], [0.2, 1]),
        optimum=best,
        isometric=([0, 0.4], [0.3, 1]),
        theme="dark",
    )
    assert tuple(made.held.get_xydata()[0]) == (held.fpr, held.tpr)
    assert tuple(made.optimum.get_xydata()[0]) == (best.fpr, best.tpr)
    assert made.isometric.get_xydata().tolist() == [[0, 0.3], [0.4, 1]]
    assert "best for these costs" in [text.get_text() for text in ax.texts]


def test_labels_can_wait(ax, segments):
    draw_roc(ax, segments, name="a", label=False)
    draw_roc(ax, segments, name="b", hull=False, label=False)
    assert not ax.texts
    label_roc(ax)
    said = [text.get_text() for text in ax.texts]
    assert any(text.startswith("a, AUC") for text in said)
    assert any(text.startswith("b, AUC") for text in said)


@pytest.mark.parametrize(
    ("threshold", "at", "said"),
    [(0.4, 0.4, "0.4"), (np.inf, 1, "never"), (-np.inf, 0, "always")],
)
def test_threshold_over_the_scores(ax, segments, threshold, at, said):
    made = draw_scores(ax, segments, threshold=threshold, bins=20)
    assert made["threshold"].get_xdata().tolist() == [at, at]
    assert said in [text.get_text() for text in ax.texts]
    counted = score_histogram(segments, 20)
    pos, neg = counted.pos, counted.neg
    np.testing.assert_array_equal([bar.get_height() for bar in made["positive"]], pos)
    np.testing.assert_array_equal([bar.get_height() for bar in made["negative"]], neg)


def test_share_of_each_class(ax, segments):
    made = draw_scores(ax, segments, share=True)
    for thing in ("positive", "negative"):
        assert sum(bar.get_height() for bar in made[thing]) == pytest.approx(1)
    assert made["threshold"] is None


def test_brier_without_prevalence(ax, data, words):
    bars = draw_brier(ax, brier_decomposition(*data))
    assert set(bars) == {None}
    assert "uncertainty" in words(ax)


def test_inks_on_bars_are_legible():
    for dark in (False, True):
        for thing in ("held", "negative", "hull", "reference"):
            colour = tint(thing, Theme(dark=dark), STRENGTH)
            assert contrast(ink_on(colour), colour) >= 4.5


def test_contrast_is_that_of_wcag():
    assert contrast("white", "black") == pytest.approx(21)
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.005)


def test_models_look_different():
    looks = [model_look(i, Theme()) for i in range(6)]
    assert len({look.colour for look in looks}) == 6
    assert len({str(look.dash) for look in looks}) == 6
    assert model_look(6, Theme()) == looks[0]


def test_theme_names_change_one_thing_only():
    assert resolve_theme("lecture") == Theme(lecture=True, dark=False)
    assert resolve_theme("dark") == Theme(lecture=False, dark=True)
    assert resolve_theme(None) == Theme(lecture=False, dark=False)


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (rate, 0.8844, "0.884"),
        (rate, 1.0, "1.000"),
        (rate, 0.99999, "> 0.999"),
        (rate, 0.0, "0.000"),
        (rate, 1e-5, "< 0.001"),
        (percent, 0.774, "77 %"),
        (percent, 0.001, "< 1 %"),
        (percent, 0.999, "> 99 %"),
        (percent, 1.0, "100 %"),
        (percent, float("nan"), "–"),
        (amount, 12345.0, "12,345"),
        (amount, 2.25, "2.2"),
        (score_text, 0.42, "0.42"),
        (score_text, 0.0, "0"),
        (score_text, -3.14159, "-3.142"),
        (score_text, 1.234567e-6, "1.23e-06"),
        (score_text, 123456.0, "1.23e+05"),
    ],
)
def test_numbers_as_written(write, value, text):
    assert write(value) == text
