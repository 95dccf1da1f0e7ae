"""A row of the table: two functions that do comparable work, timed in turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def wall_seconds(run: Callable[[], Any]) -> float:
    """Measure how long a call takes by the clock."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@dataclass(frozen=True)
class Comparison:
    """Two functions to time against each other.

    ``limit`` is the greatest ratio of our time to the peer's that is promised, if any is.
    ``seconds`` times one run, and ``summary`` makes one number of several.
    """

    what: str
    ours: Callable[[], Any]
    peer: str
    theirs: Callable[[], Any]
    limit: float | None = None
    seconds: Callable[[Callable[[], Any]], float] = wall_seconds
    summary: Callable[[list[float]], float] = min


@dataclass(frozen=True)
class Timing:
    comparison: Comparison
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    @property
    def kept(self) -> bool:
        return self.comparison.limit is None or self.ratio <= self.comparison.limit


def measure(comparison: Comparison, repeat: int) -> Timing:
    """Time both sides in turn, so that a slow spell of the machine hits both."""
    runs: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeat):
        for side, function in zip(runs, (comparison.ours, comparison.theirs), strict=True):
            side.append(comparison.seconds(function))
    return Timing(comparison, *map(comparison.summary, runs))


def table(timings: list[Timing]) -> str:
    """Lay timings out in columns, ratios side by side."""
    rows = [("what", "rocviz", "peer", "ratio", "promised", "peer is")]
    for timing in timings:
        limit = timing.comparison.limit
        promise = "" if limit is None else f"<= {limit:g} {'ok' if timing.kept else 'MISSED'}"
        rows.append(
            (
                timing.comparison.what,
                f"{1e3 * timing.ours:.1f} ms",
                f"{1e3 * timing.theirs:.1f} ms",
                f"{timing.ratio:.2f}",
                promise,
                timing.comparison.peer,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            text.rjust(width) if 1 <= i <= 3 else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
