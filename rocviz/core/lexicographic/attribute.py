"""The meaning of a binary attribute, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Attribute:
    """The meaning of one bit."""

    feature: int  # column it is made of
    name: str  # name of that column
    # text after the name for the values 0 and 1, such as `"= red"` or `"> 3.5"`
    zero: str
    one: str
