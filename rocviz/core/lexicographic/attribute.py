"""What one bit of a row of 0 and 1 stands for, in words.

Knows nothing of data, nor of how a bit was made of it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Attribute:
    """What one bit stands for.

    Parameters
    ----------
    feature : int
        Column it is made of.
    name : str
        Name of that column.
    zero, one : str
        What follows the name where the bit is 0 or 1, such as ``"= red"`` or ``"> 3.5"``.
    """

    feature: int
    name: str
    zero: str
    one: str
