"""Time rocviz beside its peers: ``make promises``, which is ``pytest benchmarks``.

pytest-benchmark repeats, counts, prints and saves; here is what it times. A topic is a file
``bench_<topic>.py`` with a function ``comparisons(n_samples)`` that yields
:class:`comparison.Comparison`. Each is a group of two benchmarks, first the peer and then rocviz.
Times are processor time. A ratio of the shortest times above the promised one fails.
"""

from __future__ import annotations

import os
import time
from functools import lru_cache
from importlib import import_module

import pytest
from comparison import Comparison
from conftest import TOPICS

#: Shortest time of the peer of each group.
peer_seconds: dict[str, float] = {}


def processor_seconds() -> float:
    """Read the processor time of this process, and of those that it started and that have ended.

    Other work on the machine does not count.
    """
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


@lru_cache(maxsize=1)  # the comparisons of a topic share its data
def comparisons(topic: str, n_samples: int) -> dict[str, Comparison]:
    """Make the comparisons of a topic by their names."""
    module = import_module(f"bench_{topic}")
    named = {}
    for comparison in module.comparisons(n_samples):
        name = f"{topic}: {comparison.what}, beside {comparison.peer}"
        assert name not in named, f"two comparisons are named {name}"
        named[name] = comparison
    return named


def pytest_generate_tests(metafunc):
    n_samples = metafunc.config.getoption("samples")
    cases = []
    for topic in metafunc.config.getoption("topic") or TOPICS:
        for name in comparisons(topic, n_samples):
            cases.append(pytest.param(topic, name, "peer", id=f"{name}, peer"))
            cases.append(pytest.param(topic, name, "rocviz", id=f"{name}, rocviz"))
    metafunc.parametrize(("topic", "name", "side"), cases)


@pytest.mark.benchmark(timer=processor_seconds)
def test_speed(benchmark, pytestconfig, topic, name, side):
    comparison = comparisons(topic, pytestconfig.getoption("samples"))[name]
    benchmark.group = name
    benchmark.name = side
    benchmark(comparison.theirs if side == "peer" else comparison.ours)
    if benchmark.stats is None:  # with --benchmark-disable it runs once and is not timed
        return
    seconds = benchmark.stats.stats.min
    if side == "peer":
        peer_seconds[name] = seconds
    elif comparison.limit is not None and name in peer_seconds:
        ratio = seconds / peer_seconds[name]
        assert ratio <= comparison.limit, (
            f"MISSED: rocviz takes {ratio:.2f} times as long, promised are {comparison.limit:g}"
        )
