"""Every list there is: the loss of each set of items, and the best order through them.

Lists that hold the same items have the same last stage, so sets of items are counted once,
and the best list follows from the best rest of a list for each set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import NumberColumns
from rocviz.core.scoring_lists.search._items import Item, margin
from rocviz.core.scoring_lists.search._labels import CELLS, Totals
from rocviz.core.scoring_lists.search._plan import Path, Plan, Stopped, Watch

Subset = tuple[int, ...]


def n_sets(n_options: Sequence[int], max_items: int) -> list[int]:
    """Count the sets of k items, k = 0, 1, ..., one item per feature."""
    ways = [1, *[0] * max_items]
    for options in n_options:
        for k in range(max_items, 0, -1):
            ways[k] += ways[k - 1] * options
    return ways


@dataclass
class Space:
    """The loss of every set of items, by its features.

    ``losses[features]`` has one axis per feature, in the order of ``items[feature]``.
    """

    plan: Plan
    features: list[int]
    items: dict[int, list[Item]]
    losses: dict[Subset, Floats]
    depth: int

    def longer(self, subset: Subset) -> Iterator[tuple[int, int, Subset]]:
        """Yield features that may follow, their place, and the subset with them."""
        for j in self.features if len(subset) < self.depth else []:
            with_j = tuple(sorted((*subset, j)))
            if j not in subset and with_j in self.losses:
                yield j, with_j.index(j), with_j


def explore(plan: Plan, watch: Watch, max_states: int) -> tuple[Space, bool]:
    """Compute the loss of every set of items, and say whether that are all.

    A search that is stopped knows all sets up to some number of items.
    """
    space = _empty_space(plan)
    n_states = _check_size(space, max_states)
    start = plan.start
    used = [item.feature for item in start.items]
    rows = [plan.problem.adds(item) for j in space.features for item in space.items[j]]
    groups, losses_of = plan.problem.grouped(np.stack([start.totals, *rows]))
    added = {}
    at = 1
    for j in space.features:
        added[j] = groups[at : at + len(space.items[j])]
        at += len(space.items[j])
    done = 1
    try:
        for size in range(1, space.depth + 1):
            level: dict[Subset, Floats] = {}
            for subset in combinations(space.features, size):
                watch.check()
                watch.report(done, n_states)
                if plan.limits.affords([*used, *subset]):
                    level[subset] = _losses(groups[0], [added[j] for j in subset], losses_of)
                    done += level[subset].size
            space.losses.update(level)
    except (Stopped, KeyboardInterrupt):
        space.depth = size - 1
        return space, False
    watch.report(n_states, n_states)
    return space, True


def _empty_space(plan: Plan) -> Space:
    start = plan.start
    used = [item.feature for item in start.items]
    features = [j for j in plan.choices if j not in used]
    items = {j: _every_item(plan, j) for j in features}
    depth = plan.limits.max_stages - len(used)
    return Space(plan, features, items, {(): np.array(start.losses[-1])}, depth)


def _every_item(plan: Plan, feature: int) -> list[Item]:
    choice = plan.choices[feature]
    columns = plan.problem.columns
    thresholds = [np.nan]
    if isinstance(columns, NumberColumns):
        thresholds = columns.thresholds[feature].tolist()
        if not columns.has_missing(feature):
            thresholds = thresholds[:-1]  # "always" moves all totals alike: the same as "never"
    return [
        Item(feature, score, threshold, default)
        for score, threshold, default in product(choice.scores, thresholds, choice.missing_scores)
    ]


def _check_size(space: Space, max_states: int) -> int:
    options = [len(space.items[j]) for j in space.features]
    sets = n_sets(options, space.depth)
    if sum(sets) > max_states:
        lists = factorial(space.depth) * sets[-1]
        raise ValueError(
            f"search='exhaustive' would have to count {sum(sets):.3g} sets of items (for "
            f"{lists:.3g} lists), more than max_states={max_states:.3g}. Allow fewer stages, "
            "features or scores, or use search='beam'."
        )
    return sum(sets)


def _losses(
    start: Totals, added: Sequence[Totals], losses_of: Callable[[NDArray[Any]], Floats]
) -> Floats:
    """Compute the losses of all ways to choose one row of each, one axis for each."""
    shape = tuple(len(rows) for rows in added)
    inner = len(shape)
    size = start.size
    while inner and size * shape[inner - 1] <= CELLS:
        inner -= 1
        size *= shape[inner]
    block = np.zeros((1, start.size), dtype=np.int32)
    for rows in added[inner:]:
        block = (block[:, None] + rows).reshape(-1, start.size)
    losses = [losses_of(block + start + sum(chosen)) for chosen in product(*added[:inner])]
    return np.concatenate(losses).reshape(shape)


# ---------------------------------------------------------------------- the best list


def best_path(space: Space) -> Path:
    """Find the list with the least objective."""
    plan = space.plan
    ends = {s: loss for s, loss in space.losses.items() if len(s) <= space.depth}
    rest: dict[Subset, Floats] = {}
    least = min(
        float(loss.min()) for s, loss in ends.items() if not any(True for _ in space.longer(s))
    )
    for subset in sorted(ends, key=len, reverse=True):
        loss = ends[subset]
        after = [
            (ends[more] + rest[more]).min(axis=place) for _, place, more in space.longer(subset)
        ]
        if after:
            rest[subset] = np.minimum.reduce(after)
        elif plan.objective == "last":
            rest[subset] = np.where(loss <= least + margin(least), 0.0, np.inf)
        else:
            rest[subset] = (space.depth - len(subset)) * loss
    return _walk(space, rest)


def _walk(space: Space, rest: dict[Subset, Floats]) -> Path:
    """Go from the empty set along the best rests; of tied ways the first in order."""
    plan = space.plan
    path = plan.start
    subset: Subset = ()
    chosen: tuple[int, ...] = ()
    while True:
        ways: list[tuple[float, Item, float, Subset, tuple[int, ...]]] = []
        for j, place, more in space.longer(subset):
            for option, item in enumerate(space.items[j]):
                at = (*chosen[:place], option, *chosen[place:])
                loss = float(space.losses[more][at])
                ways.append((loss + float(rest[more][at]), item, loss, more, at))
        if not ways:
            return path
        least = min(way[0] for way in ways)
        good = [way for way in ways if way[0] <= least + margin(least)]
        _, item, loss, subset, chosen = min(good, key=lambda way: way[1].order)
        path = path.grown(plan.problem, item, loss)


def random_curves(space: Space, n_curves: int, rng: np.random.Generator) -> Floats:
    """Draw losses along random lists, shape (n_curves, depth + 1), if there is no budget."""
    curves = np.empty((n_curves, space.depth + 1))
    for curve in curves:
        subset: Subset = ()
        chosen: tuple[int, ...] = ()
        curve[:] = space.losses[()]
        for k in range(1, space.depth + 1):
            ways = list(space.longer(subset))
            j, place, subset = ways[int(rng.integers(len(ways)))]
            option = int(rng.integers(len(space.items[j])))
            chosen = (*chosen[:place], option, *chosen[place:])
            curve[k] = space.losses[subset][chosen]
    return curves
