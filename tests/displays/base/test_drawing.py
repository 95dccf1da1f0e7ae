"""The drawing functions on their own."""

from functools import partial

import pytest

from rocviz.displays.base.style import resolve_theme
from rocviz.pictures import model_style
from rocviz.words import (
    amount,
    difference,
    number,
    p_value,
    percent,
    ratio_text,
    short_score,
    signed,
)


def test_models_look_different():
    styles = [model_style(i) for i in range(12)]
    assert len({look.role for look in styles}) == 6
    assert len({(look.role, look.dash, look.opacity) for look in styles}) == 12
    assert model_style(12) == styles[0]


def test_theme_names_change_one_thing_only():
    for name, want in (("lecture", (True, False)), ("dark", (False, True)), (None, (False, False))):
        look = resolve_theme(name)
        assert (look.lecture, look.dark) == want


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (number, 0.8844, "0.884"),
        (number, 0.99999, "> 0.999"),
        (number, 0.0, "0.000"),
        (number, 1e-5, "< 0.001"),
        (percent, 0.774, "77 %"),
        (percent, 0.001, "< 1 %"),
        (percent, float("nan"), "–"),
        (amount, 12345.0, "12,345"),
        (amount, 2.25, "2.2"),
        (number, -1e-300, "> −0.001"),
        (number, float("inf"), "∞"),
        (signed, -1e300, "−1e+300"),
        (amount, 1e-14, "1e−14"),
        (amount, 2.0**53, "9,007,199,254,740,992"),
        (short_score, 2.0**53 + 2, "9007199254740994"),
        (partial(percent, digits=1), 1 - 1e-16, "> 99.9 %"),
        (difference, 1e-14, "< 0.001"),
        (difference, -1e-14, "> −0.001"),
        (difference, 0.0, "0.000"),
        (p_value, 0.9999, "p > 0.999"),
        (p_value, 0.25, "p = 0.250"),
        (ratio_text, 1e300, "1e300"),
        (ratio_text, 0.001, "< 0.01"),
        (ratio_text, 12.34, "12.3"),
        (ratio_text, 1234.0, "1,234"),
        (ratio_text, float("inf"), "∞"),
        (short_score, 0.0, "0"),
        (short_score, -3.14159, "−3.142"),
        (short_score, 1.234567e-6, "1.23e−06"),
    ],
)
def test_numbers_as_written(write, value, text):
    assert write(value) == text
