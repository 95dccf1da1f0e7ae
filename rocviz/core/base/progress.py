"""Long work in steps, with progress, stopping between steps, and joblib's workers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import check_callback

Result = TypeVar("Result")


#: Wraps an iterable and yields its items, as ``tqdm.tqdm`` does.
Progress: TypeAlias = Callable[[Iterable[int]], Iterable[int]]
#: Called between two steps; true ends the work.
ShouldStop: TypeAlias = Callable[[], bool]


class SimulationStopped(Exception):
    """A simulation was asked to stop, and has no results."""


def steps(
    sizes: Iterable[int], progress: Progress | None, should_stop: ShouldStop | None, what: str
) -> Iterator[int]:
    """Yield ``sizes``, or raise :class:`SimulationStopped` before the next of them."""
    check_callback(progress, "progress")
    check_callback(should_stop, "should_stop")
    for size in sizes if progress is None else progress(sizes):
        if should_stop is not None and should_stop():
            raise SimulationStopped(f"The {what} was stopped; there is no result.")
        yield size


def run_steps(
    function: Callable[..., Result],
    inputs: Iterable[tuple[Any, ...]],
    sizes: Sequence[int],
    progress: Progress | None,
    should_stop: ShouldStop | None,
    what: str,
) -> Iterator[Result]:
    """Call a function on each of the ``inputs`` and yield the results in their order.

    joblib calls it in this process or in the workers of ``joblib.parallel_config``, so it must be
    defined in a module. Inputs are prepared here, one after another, so that their random numbers
    do not depend on the number of workers. A single step is done here, as it may draw from the
    caller's own generator, of which a worker would have a copy. The rest is as for :func:`steps`,
    with one size for each call; calls that have begun are finished before the work ends.
    """
    ended = False

    def inputs_until_end() -> Iterator[tuple[Any, ...]]:
        for arguments in inputs:
            if ended:
                return
            yield arguments

    # joblib takes as long to import as numpy; who has not imported it has asked for no workers
    if len(sizes) == 1 or "joblib" not in sys.modules:
        results = (function(*arguments) for arguments in inputs_until_end())
    else:
        from joblib import Parallel, delayed

        tasks = (delayed(function)(*arguments) for arguments in inputs_until_end())
        results = Parallel(return_as="generator")(tasks)
    try:
        for _ in steps(sizes, progress, should_stop, what):
            yield next(results)
    finally:
        ended = True
        for _ in results:  # joblib warns of results that are not consumed
            pass


def run_draws(
    function: Callable[..., NDArray[np.float64]],
    *inputs: Any,
    draws: int,
    max_rows: int,
    rng: np.random.Generator,
    watch: tuple[Progress | None, ShouldStop | None] = (None, None),
    axis: int = 0,
) -> NDArray[np.float64]:
    """Call ``function(*inputs, rows, rng)`` for ``max_rows`` draws at a time; join the results."""
    sizes = block_sizes(draws, max_rows)
    sources = zip(sizes, generators(rng, len(sizes)), strict=True)
    batches = ((*inputs, rows, source) for rows, source in sources)
    results = run_steps(function, batches, sizes, *watch, "bootstrap")
    return np.concatenate(list(results), axis=axis)


def generators(rng: np.random.Generator, n: int) -> list[np.random.Generator]:
    """Spawn a generator for each of ``n`` steps; a single step uses ``rng`` itself."""
    if n == 1:
        return [rng]
    return [np.random.default_rng(seed) for seed in rng.integers(2**63, size=n)]


def block_sizes(total: int, max_size: int) -> list[int]:
    """Divide a total into blocks of at most ``max_size``."""
    return [min(max_size, total - start) for start in range(0, total, max_size)]
