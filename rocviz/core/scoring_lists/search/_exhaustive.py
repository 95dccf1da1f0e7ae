"""Exhaustive search: the loss of each set of items, and the best order of adding them.

Lists that hold the same items have the same last stage, so sets of items are counted once,
and the best list follows from the best rest of a list for each set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import NumberColumns
from rocviz.core.scoring_lists.search._items import Item, margin
from rocviz.core.scoring_lists.search._labels import CELLS, LossProblem, Totals
from rocviz.core.scoring_lists.search._plan import Path, Plan, Watch

Subset = tuple[int, ...]


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
    is_whole: bool = True

    def longer(self, subset: Subset) -> Iterator[tuple[int, int, Subset]]:
        """Yield features that may follow, their place, and the subset with them."""
        for j in self.features if len(subset) < self.depth else []:
            with_j = tuple(sorted((*subset, j)))
            if j not in subset and with_j in self.losses:
                yield j, with_j.index(j), with_j


def explore(plan: Plan, watch: Watch, max_states: int) -> Space:
    """Compute the loss of every set of items.

    A search that is stopped returns all sets up to some number of items.
    """
    start, problem = plan.start, plan.problem
    used = [item.feature for item in start.items]
    features = [j for j in plan.choices if j not in used]
    items = {j: _every_item(plan, j) for j in features}
    n_states = plan.check_exhaustive([len(items[j]) for j in features], max_states)
    space = Space(
        plan,
        features,
        items,
        {(): np.array(start.losses[-1])},
        depth=plan.n_stages(),
    )
    rows = [problem.adds(item) for j in features for item in items[j]]
    groups, sides = problem.grouped(np.stack([start.totals, *rows]))
    ends = np.cumsum([1, *(len(items[j]) for j in features)])
    added = dict(zip(features, np.split(groups, ends[:-1])[1:], strict=True))
    done = 1
    try:
        for size in range(1, space.depth + 1):
            level: dict[Subset, Floats] = {}
            for subset in combinations(features, size):
                watch.check()
                watch.report(done, n_states)
                if plan.within_budget([*used, *subset]):
                    level[subset] = _losses(problem, sides, groups[0], [added[j] for j in subset])
                    done += level[subset].size
            space.losses.update(level)
    except KeyboardInterrupt:
        space.depth, space.is_whole = size - 1, False
    else:
        watch.report(n_states, n_states)
    return space


def _every_item(plan: Plan, feature: int) -> list[Item]:
    choice = plan.choices[feature]
    columns = plan.problem.columns
    if not isinstance(columns, NumberColumns):
        return choice.items
    thresholds = columns.thresholds[feature].tolist()
    if not columns.missing[feature].size:
        thresholds = thresholds[:-1]  # "always" shifts all totals equally, as "never" does
    return [
        Item(feature, score, threshold, default)
        for score, threshold, default in product(choice.scores, thresholds, choice.missing_scores)
    ]


def _losses(problem: LossProblem, sides: Floats, start: Totals, added: Sequence[Totals]) -> Floats:
    """Compute the losses of all combinations of one row each, with one axis each."""
    shape = tuple(len(rows) for rows in added)
    inner = len(shape)
    size = start.size
    while inner and size * shape[inner - 1] <= CELLS:
        inner -= 1
        size *= shape[inner]
    block = start[None]
    for rows in added[inner:]:
        block = (block[:, None] + rows).reshape(-1, start.size)
    losses = [problem.losses(block + sum(chosen), sides) for chosen in product(*added[:inner])]
    return np.concatenate(losses).reshape(shape)


# ---------------------------------------------------------------------- the best list


def best_path(space: Space) -> Path:
    """Find the list with the least objective."""
    losses = space.losses
    longer = {subset: list(space.longer(subset)) for subset in losses}
    least = min(float(loss.min()) for subset, loss in losses.items() if not longer[subset])
    rest: dict[Subset, Floats] = {}
    for subset in sorted(losses, key=len, reverse=True):
        if longer[subset]:
            rest[subset] = np.minimum.reduce(
                [(losses[more] + rest[more]).min(axis=at) for _, at, more in longer[subset]]
            )
        elif space.plan.objective == "last":
            rest[subset] = np.where(losses[subset] <= least + margin(least), 0.0, np.inf)
        else:
            rest[subset] = (space.depth - len(subset)) * losses[subset]
    return _walk(space, rest)


def _walk(space: Space, rest: dict[Subset, Floats]) -> Path:
    """Follow the best continuations from the empty set; in a tie the first in order."""
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
        path = path.extended(item, loss)
