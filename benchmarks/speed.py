"""One row of docs/speed.md for each idea: ``python benchmarks/speed.py`` measures and writes it.

What is compared is in ``speed_rows.py``; here is how. Processor time, the median of several runs
that take turns, so that other work on the machine hits both sides; after one run of each that
is not counted, whose results are compared. A side goes to ten times the samples only while the
next run promises to stay below ``--seconds``;
where one has to stop, the table says which, and the other goes on alone. Where ours holds more
memory than it is meant to, the table is written all the same, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import platform
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

SAMPLE_SIZES = (1_000, 10_000, 100_000, 1_000_000)
VERSIONED_PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "confidenceinterval",
    "MLstatkit",
    "pauc",
    "betacal",
)
TABLE_HEADER = (
    "idea",
    "peer",
    "samples",
    "rocviz",
    "peer's",
    "ratio",
    "differ by",
    "growth",
    "peer's growth",
    "MiB",
    "peer's MiB",
    "beyond",
)
_EMPTY_CELL = "—"


@dataclass(frozen=True)
class Row:
    """Two functions for data of a size, and the tolerance for the difference of their results.

    ``make`` prepares the data and returns ours and the peer's. ``largest`` is the most samples
    that are asked for; ``differ`` takes both results. Where ``is_light``, ours must not hold more
    memory at a time than the peer.
    """

    idea: str
    peer: str
    make: Callable[[int], tuple[Callable[[], Any], Callable[[], Any]]]
    differ: Callable[[Any, Any], float] | None = None
    largest: int = SAMPLE_SIZES[-1]
    is_light: bool = False


@dataclass(frozen=True)
class Measured:
    """Seconds by side, and other measurements of a row; ``None`` if not measured."""

    idea: str
    peer: str
    samples: int | None
    ours: float
    theirs: float
    difference: float | None = None
    growth: tuple[float, float] | None = None
    mebibytes: tuple[float, float] | None = None
    beyond: str = ""
    is_light: bool = False

    @property
    def is_heavy(self) -> bool:
        """Whether a promise of memory is broken."""
        return (
            self.is_light and self.mebibytes is not None and self.mebibytes[0] > self.mebibytes[1]
        )

    def cells(self) -> tuple[str, ...]:
        """Write the row of the table."""
        ratio = self.ours / self.theirs
        difference = _EMPTY_CELL
        if self.difference is not None:
            difference = f"{self.difference:.0e}" if self.difference else "0"
        return (
            self.idea,
            self.peer,
            _EMPTY_CELL if self.samples is None else f"{self.samples:,}",
            format_seconds(self.ours),
            format_seconds(self.theirs),
            f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.2g}",
            difference,
            *format_pair(self.growth, 1),
            *format_pair(self.mebibytes, 0),
            self.beyond or _EMPTY_CELL,
        )


def format_pair(values: tuple[float, float] | None, digits: int) -> list[str]:
    """Write two numbers, either of which may be missing."""
    if values is None:
        return [_EMPTY_CELL, _EMPTY_CELL]
    return [_EMPTY_CELL if math.isnan(value) else f"{value:.{digits}f}" for value in values]


def format_seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.9995 else f"{1e3 * seconds:.3g} ms"


def processor_seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def in_turns(repeat: int, *sides: Callable[[], Any], max_seconds: float = math.inf) -> list[float]:
    """Measure the median processor time of each side, of runs that take turns.

    Each side has run before, so that nothing is loaded or compiled meanwhile. No round begins
    once a side has taken ``max_seconds`` in all.
    """
    runs: list[list[float]] = [[] for _ in sides]
    while len(runs[0]) < repeat and max(map(sum, runs)) < max_seconds:
        for seconds, side in zip(runs, sides, strict=True):
            seconds.append(processor_seconds(side))
    return list(map(median, runs))


def peak(run: Callable[[], Any]) -> float:
    """Measure the most MiB that NumPy and Python hold while a function runs."""
    tracemalloc.start()
    result = run()
    n_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del result
    return n_bytes / 2**20


def slope(sizes: list[int], seconds: list[float]) -> float:
    """Fit the exponent of the power law of seconds by samples."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def measure(row: Row, sizes: tuple[int, ...], repeat: int, max_seconds: float) -> Measured:
    """Measure both sides at growing sizes; the ratio is of the largest that both reached."""
    done: list[int] = []
    beyond = ""
    medians: tuple[list[float], list[float]] = ([], [])
    difference = None
    for size in sizes:
        if size > row.largest:
            break
        sides = row.make(size)
        if done:
            expected = [expected_seconds(seconds) for seconds in medians]
            if max(expected) > max_seconds:
                beyond = stop_reason(sides, size, expected, max_seconds)
                break
        results = [side() for side in sides]
        if row.differ is not None:
            difference = row.differ(*results)
        del results
        for side_medians, seconds in zip(
            medians, in_turns(repeat, *sides, max_seconds=max_seconds), strict=True
        ):
            side_medians.append(seconds)
        done.append(size)
    ours, theirs = row.make(done[-1])
    return Measured(
        idea=row.idea,
        peer=row.peer,
        samples=done[-1],
        ours=medians[0][-1],
        theirs=medians[1][-1],
        difference=difference,
        growth=(slope(done, medians[0]), slope(done, medians[1])) if len(done) > 1 else None,
        mebibytes=(peak(ours), peak(theirs)),
        beyond=beyond,
        is_light=row.is_light,
    )


def expected_seconds(seconds: list[float]) -> float:
    """Expect the next tenfold to take longer by the last step, and tenfold at least."""
    step = seconds[-1] / seconds[-2] if len(seconds) > 1 else 10.0
    return seconds[-1] * max(step, 10.0)


def stop_reason(
    sides: tuple[Callable[[], Any], Callable[[], Any]],
    size: int,
    expected: list[float],
    max_seconds: float,
) -> str:
    """Write which side is too slow for a size, with the time of the other if that is not."""
    slow, quick = (1, 0) if expected[1] > expected[0] else (0, 1)
    names = ("rocviz", "peer")
    if expected[quick] > max_seconds:
        return f"{names[slow]} stopped"
    seconds = format_seconds(processor_seconds(sides[quick]))
    return f"{names[slow]} stopped; {names[quick]} at {size:,}: {seconds}"


def versions() -> Iterator[str]:
    for name in VERSIONED_PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} not installed"


def processor() -> str:
    """Read the name of the processor, if the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.machine()


def priority() -> str:
    """Write the note of the table on real-time priority, see ``chrt``."""
    try:
        is_first = os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR)
    except (AttributeError, OSError):  # no such thing here
        is_first = False
    return " with real-time priority" if is_first else ""


def write(folder: Path, rows: list[Measured], repeat: int, max_seconds: float) -> None:
    """Write the table and a description of the machine, which docs/speed.md includes."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "table.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [TABLE_HEADER, *(row.cells() for row in rows)]
        )
    largest = max((row.samples for row in rows if row.samples is not None), default=0)
    text = (
        f"The table goes up to {largest:,} samples, with up to {repeat} runs of each side, and "
        f"to the next size only where a run promised to take less than {max_seconds:g} s. "
        f"Measured on {date.today():%-d %B %Y}{priority()}, "
        f"with Python {platform.python_version()}, "
        f"{', '.join(versions())}, on {processor()}.\n"
    )
    (folder / "machine.txt").write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    from speed_rows import fresh_interpreters, rows, scoring_list_peer, two_workers

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--samples", type=int, default=SAMPLE_SIZES[-1], help="the most; default: 1e6"
    )
    parser.add_argument("--repeat", type=int, default=5, help="runs per side (default: 5)")
    parser.add_argument("--seconds", type=float, default=10.0, help="the most for one run")
    parser.add_argument("--only", nargs="*", default=[""], help="ideas whose name has one of these")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).resolve().parents[1] / "docs" / "speed",
        help="folder that is written to",
    )
    options = parser.parse_args(arguments)
    sizes = tuple(size for size in SAMPLE_SIZES if size <= options.samples)
    waiting: list[tuple[str, Callable[[], Measured | None]]] = []
    for row in rows():
        waiting.append((row.idea, partial(measure, row, sizes, options.repeat, options.seconds)))
    waiting += scoring_list_peer(sizes, options.seconds)
    waiting += two_workers()
    waiting += fresh_interpreters(min(options.repeat, 3))
    done = []
    for idea, run in waiting:
        if any(part in idea for part in options.only):
            print(f"  {idea} ...", file=sys.stderr, flush=True)
            measured = run()
            if measured is not None:
                done.append(measured)
                print(" | ".join(measured.cells()), flush=True)
    write(options.output, done, options.repeat, options.seconds)
    for row in done:
        if row.is_heavy:
            print(f"MISSED: {row.idea} holds more memory than {row.peer}", file=sys.stderr)
    return int(any(row.is_heavy for row in done))


if __name__ == "__main__":
    sys.exit(main())
