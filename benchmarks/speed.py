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
import os
import platform
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
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
TABLE_HEADER = ("idea", "peer", "samples", "rocviz", "peer's", "ratio", "differ by")
TABLE_HEADER += ("growth", "peer's growth", "MiB", "peer's MiB", "beyond")
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
    apart: float | None = None
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
        def pair(values: tuple[float, float] | None, digits: int) -> tuple[str, str]:
            return (
                (_EMPTY_CELL, _EMPTY_CELL)
                if values is None
                else tuple(_EMPTY_CELL if v != v else f"{v:.{digits}f}" for v in values)
            )

        ratio = self.ours / self.theirs
        return (
            self.idea,
            self.peer,
            _EMPTY_CELL if self.samples is None else f"{self.samples:,}",
            *(_time(seconds) for seconds in (self.ours, self.theirs)),
            f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.2g}",
            _EMPTY_CELL if self.apart is None else f"{self.apart:.0e}" if self.apart else "0",
            *pair(self.growth, 1),
            *pair(self.mebibytes, 0),
            self.beyond or _EMPTY_CELL,
        )


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.9995 else f"{1e3 * seconds:.3g} ms"


def processor_seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def peak(run: Callable[[], Any]) -> float:
    """Measure the most MiB that NumPy and Python hold while a function runs."""
    tracemalloc.start()
    kept = run()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del kept
    return most / 2**20


def slope(sizes: list[int], seconds: list[float]) -> float:
    """Fit the exponent of the power law of seconds by samples."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def measure(row: Row, sizes: tuple[int, ...], repeat: int, most: float) -> Measured:
    """Measure both sides at growing sizes; the ratio is of the largest that both reached."""
    done: list[int] = []
    beyond = ""
    medians: tuple[list[float], list[float]] = ([], [])
    apart = None
    for size in (n for n in sizes if n <= row.largest):
        sides = row.make(size)
        if done:
            # the next tenfold, by the growth so far and not by less than in proportion
            steps = [m[-1] / m[-2] if len(m) > 1 else 10.0 for m in medians]
            ahead = [m[-1] * max(step, 10.0) for m, step in zip(medians, steps, strict=True)]
            if max(ahead) > most:
                slow = ["rocviz", "peer"][ahead[1] > ahead[0]]
                beyond = f"{slow} stopped"
                if min(ahead) <= most:
                    alone = sides[ahead[0] > ahead[1]]
                    other = ["rocviz", "peer"][ahead[0] > ahead[1]]
                    beyond += f"; {other} at {size:,}: {_time(processor_seconds(alone))}"
                break
        first = [side() for side in sides]
        apart = None if row.differ is None else row.differ(*first)
        del first
        runs: tuple[list[float], list[float]] = ([], [])
        while len(runs[0]) < repeat and max(map(sum, runs)) < most:
            for times, side in zip(runs, sides, strict=True):
                times.append(processor_seconds(side))
        done.append(size)
        for found, times in zip(medians, runs, strict=True):
            found.append(median(times))
    ours, theirs = row.make(done[-1])
    return Measured(
        idea=row.idea,
        peer=row.peer,
        samples=done[-1],
        ours=medians[0][-1],
        theirs=medians[1][-1],
        apart=apart,
        growth=(slope(done, medians[0]), slope(done, medians[1])) if len(done) > 1 else None,
        mebibytes=(peak(ours), peak(theirs)),
        beyond=beyond,
        is_light=row.is_light,
    )


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


def write(folder: Path, rows: list[Measured], repeat: int, most: float) -> None:
    """Write the table and a description of the machine, which docs/speed.md includes."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "table.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [TABLE_HEADER, *(row.cells() for row in rows)]
        )
    largest = max((row.samples for row in rows if row.samples is not None), default=0)
    text = (
        f"The table goes up to {largest:,} samples, with up to {repeat} runs of each side, and "
        f"to the next size only where a run promised to take less than {most:g} s. "
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
    waiting = [
        (row.idea, lambda row=row: measure(row, sizes, options.repeat, options.seconds))
        for row in rows()
    ]
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
