"""Two functions that do comparable work: what ``promises.py`` times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Comparison:
    """Two functions to time against each other.

    ``limit`` is the greatest ratio of our time to the peer's that is promised, if any is.
    """

    what: str
    ours: Callable[[], Any]
    peer: str
    theirs: Callable[[], Any]
    limit: float | None = None
