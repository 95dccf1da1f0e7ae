"""Options of ``pytest benchmarks``: which topics, and how many samples."""

from pathlib import Path

TOPICS = sorted(
    path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
)


def pytest_addoption(parser):
    group = parser.getgroup("rocviz")
    group.addoption(
        "--topic", action="append", choices=TOPICS, help="measure these alone; default: all"
    )
    group.addoption("--samples", type=int, default=1_000_000, help="default: a million")
