"""What a bit stands for cannot be changed, so that it may be shared."""

from dataclasses import FrozenInstanceError

import pytest

from rocviz.core.lexicographic.attribute import Attribute


def test_an_attribute_is_a_value():
    red = Attribute(2, "colour", "≠ red", "= red")
    assert {red} == {Attribute(2, "colour", "≠ red", "= red")}
    with pytest.raises(FrozenInstanceError):
        red.name = "shade"
