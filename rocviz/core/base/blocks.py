"""Long arrays a block at a time, so that what is made on the way fits the processor's cache.

Knows sizes only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

#: Numbers in a block: half a megabyte.
BLOCK = 2**16


def blocks(size: int) -> Iterator[slice]:
    """Return the places of an array of that size, a block after the other; one if it is empty."""
    for start in range(0, max(size, 1), BLOCK):
        yield slice(start, min(start + BLOCK, size))


def sum_in_blocks(size: int, terms: Callable[[slice], Any]) -> float:
    """Return the sum of the terms of all blocks, of which there is one at a time."""
    return float(sum(float(terms(part).sum()) for part in blocks(size)))
