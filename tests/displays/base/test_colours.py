"""Text is legible: its contrast with the background in the light and the dark theme."""

import numpy as np
import pytest
from matplotlib import colors as mcolors

from rocviz.displays.scoring_lists.pictures import shading
from rocviz.theme import COLOURS, Theme, set_theme


def luminance(colour):
    """Compute the relative luminance of a colour as WCAG 2 defines it, from 0 to 1."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in mcolors.to_rgb(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, other):
    """Compute the contrast ratio of two colours as WCAG 2 defines it, from 1 to 21."""
    high, low = sorted((luminance(first), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


WORDS = [name for name in COLOURS if name.endswith("-text") or name in ("text", "muted")]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("thing", WORDS)
def test_text_has_enough_contrast(thing, side):
    assert contrast(COLOURS[thing][side], COLOURS["paper"][side]) >= 4.5


@pytest.mark.parametrize("name", ["lecture", "dark"])
@pytest.mark.parametrize("value", ["x", 1, float("nan"), []])
def test_a_theme_is_on_or_off(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be True, False or None"):
        set_theme(**{name: value})


def test_contrast_is_that_of_wcag():
    assert contrast("white", "black") == pytest.approx(21)
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("prior", [0.05, 0.5, 0.95])
def test_text_is_legible_on_every_shade_of_a_scoring_list(dark, prior):
    theme = Theme(dark=dark)
    empty = np.array(mcolors.to_rgb(theme.colour("grid")))
    for p in np.linspace(0, 1, 21):
        role, share = shading(p, prior)
        mixed = share * np.array(mcolors.to_rgb(theme.colour(role))) + (1 - share) * empty
        assert contrast(mixed, theme.colour("text")) >= 4.5
    assert shading(prior, prior)[1] == 0
