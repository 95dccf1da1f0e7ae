"""Long work in steps: shown while it goes on, and stopped between two of them.

Knows nothing of what the steps do, or of how progress is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

#: Wraps an iterable and yields what it yields, as ``tqdm.tqdm`` does.
Progress: TypeAlias = Callable[[Iterable[int]], Iterable[int]]
#: Called between two steps; true ends the work.
ShouldStop: TypeAlias = Callable[[], bool]


class SimulationStopped(Exception):
    """Raised by a simulation that was asked to stop; there are no results then."""


def steps(
    sizes: Iterable[int], progress: Progress | None, should_stop: ShouldStop | None, what: str
) -> Iterator[int]:
    """Yield ``sizes``, or raise :class:`SimulationStopped` before the next of them."""
    for size in sizes if progress is None else progress(sizes):
        if should_stop is not None and should_stop():
            raise SimulationStopped(f"The {what} was stopped; there is no result.")
        yield size


def block_sizes(total: int, most: int) -> list[int]:
    """Return the sizes of blocks of at most ``most`` that make up ``total``."""
    return [min(most, total - at) for at in range(0, total, most)]
