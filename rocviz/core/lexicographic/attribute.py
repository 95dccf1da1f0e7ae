"""The meaning of one bit of a row of 0 and 1, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Attribute:
    """The meaning of one bit."""

    feature: int  # column it is made of
    name: str  # name of that column
    # what follows the name where the bit is 0 or 1, such as `"= red"` or `"> 3.5"`
    zero: str
    one: str
