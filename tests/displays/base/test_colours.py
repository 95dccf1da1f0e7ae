"""Words can be read: the colours of text against the paper, light and dark."""

import pytest

from rocviz.displays.base.style import contrast
from rocviz.theme import COLOURS, set_theme

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
