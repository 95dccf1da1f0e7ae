"""Time rocviz beside its peers: ``python benchmarks/run.py`` prints one table.

A topic is a file ``bench_<topic>.py`` beside this one with a function
``comparisons(n_samples)`` that yields :class:`comparison.Comparison`. Ratios are our time
over the peer's, best of several runs on the same data (of imports the median). A promise that is
missed is exit code 1.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import scipy
import sklearn
from comparison import measure, table

TOPICS = sorted(
    path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topics", nargs="*", metavar="topic", help=f"of {', '.join(TOPICS)}")
    parser.add_argument("--samples", type=int, default=1_000_000, help="default: a million")
    parser.add_argument("--repeat", type=int, default=5, help="runs per side (default: 5)")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.topics) - set(TOPICS))
    if unknown:
        parser.error(f"unknown topic {', '.join(unknown)}; there are {', '.join(TOPICS)}")

    print(
        f"{options.samples:,} samples, best of {options.repeat}; Python "
        f"{platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}, {os.cpu_count()} cores\n"
    )
    timings = []
    for topic in options.topics or TOPICS:
        for comparison in import_module(f"bench_{topic}").comparisons(options.samples):
            print(f"  {topic}: {comparison.what} ...", file=sys.stderr)
            timings.append(measure(comparison, options.repeat))
    print(table(timings))
    return 0 if all(timing.kept for timing in timings) else 1


if __name__ == "__main__":
    sys.exit(main())
