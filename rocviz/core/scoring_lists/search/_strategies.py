"""Search strategies: greedy, with lookahead, by beam, and exhaustive.

Exhaustively, lists that hold the same items have the same last stage, so sets of items are counted
once, and the best list follows from the best rest of a list for each set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import NumberColumns
from rocviz.core.scoring_lists.search._items import (
    Item,
    first_in_order,
    is_less,
    is_tied_with_least,
    margin,
    smallest_in_order,
)
from rocviz.core.scoring_lists.search._labels import MAX_CELLS, LossProblem, Totals
from rocviz.core.scoring_lists.search._plan import Path, Plan, Watch

# ---------------------------------------------------------------------- greedy


def greedy(plan: Plan, watch: Watch, lookahead: int = 1) -> tuple[Path, str]:
    """Add the best item, again and again; with ``lookahead`` the first of the best few."""
    path = plan.start
    try:
        while plan.open_choices(path.items):
            stage = len(path.items)
            watch.check()
            watch.report(stage, plan.max_stages)
            # stages beyond the end of the list must not count
            depth = min(lookahead, plan.max_stages - stage)
            ahead = _look_ahead(plan, path, depth, watch)
            reason = plan.stop_reason(path.losses[-1], min(ahead.losses[stage + 1 :]))
            if reason:
                return path, reason
            path = path.extended(ahead.items[stage], ahead.losses[stage + 1])
    except KeyboardInterrupt:
        return path, "stopped"
    watch.report(plan.max_stages, plan.max_stages)
    return path, plan.exhausted_reason(path.items)


def _look_ahead(plan: Plan, path: Path, depth: int, watch: Watch) -> Path:
    """Find the best list with ``depth`` more items, or as many as possible."""
    choices = plan.open_choices(path.items)
    if not choices:
        return path.repeat_last_loss(depth)
    # the best gain per cost need not be the least loss
    keep = None if depth > 1 or plan.per_cost else 1
    candidates = plan.problem.candidates(path.totals, choices, keep=keep)
    items = candidates.items
    loss = candidates.loss
    if depth > 1:
        paths = []
        for item, next_loss in zip(items, loss.tolist(), strict=True):
            watch.check()
            paths.append(_look_ahead(plan, path.extended(item, next_loss), depth - 1, watch))
        return _best_path(plan, paths)
    value = loss
    if plan.per_cost:
        gain = path.losses[-1] - loss
        # in units of the lowest cost: gains that are equal up to rounding are of the size of losses
        feature_costs = plan.feature_costs
        cost = feature_costs[[item.feature for item in items]] / feature_costs.min()
        # if all losses rise, the item of the lowest cost does least harm
        value = -np.where(gain > 0, gain / cost, gain * cost)
    best = candidates.best(value)
    return path.extended(items[best], float(loss[best]))


# ---------------------------------------------------------------------- beam


def beam(plan: Plan, beam_width: int, watch: Watch) -> tuple[Path, str]:
    """Keep the best lists of each length; return the greedy one if it is better."""
    paths = [plan.start]
    greedy_path = plan.start
    n_forced = len(plan.start.items)
    n_steps = plan.n_stages() * beam_width
    reason = ""
    try:
        for stage in range(n_forced, plan.max_stages):
            longer: dict[frozenset[Item], Path] = {}
            for i, path in enumerate(paths):
                watch.check()
                watch.report((stage - n_forced) * beam_width + i, n_steps)
                for extended in _extensions(plan, path, beam_width):
                    # the same items in another order give the same totals
                    items = frozenset(extended.items)
                    if items not in longer or is_less(extended.value, longer[items].value):
                        longer[items] = extended
            next_paths = _best_paths(plan, list(longer.values()), beam_width)
            greedy_path = _look_ahead(plan, greedy_path, 1, watch)
            paths = next_paths
    except KeyboardInterrupt:
        reason = "stopped"
    else:
        watch.report(n_steps, n_steps)
    best = _best_path(plan, [*paths, greedy_path])
    return shortened(plan, best, reason or plan.exhausted_reason(best.items))


def _extensions(plan: Plan, path: Path, count: int) -> list[Path]:
    """Add each of the best items; a list that cannot grow stays as it is."""
    choices = plan.open_choices(path.items)
    if not choices:
        return [path.repeat_last_loss(1)]
    items, loss = plan.problem.candidates(path.totals, choices, keep=count)
    best = smallest_in_order(loss, lambda i: items[i].order, count)
    return [path.extended(items[i], float(loss[i])) for i in best]


def _best_paths(plan: Plan, paths: Sequence[Path], count: int) -> list[Path]:
    """Keep the best lists of one length."""
    if plan.objective == "last":
        value = np.array([path.losses[-1] for path in paths])
    else:
        value = np.array([path.value for path in paths])
    return [paths[i] for i in smallest_in_order(value, lambda i: paths[i].order, count)]


def _best_path(plan: Plan, paths: Sequence[Path]) -> Path:
    """Find the best list: by mean loss, or by the last loss and then by the mean."""
    if plan.objective == "last":
        is_best = is_tied_with_least(np.array([path.losses[-1] for path in paths]))
        paths = [paths[i] for i in np.flatnonzero(is_best).tolist()]
    value = np.array([path.value for path in paths])
    return paths[first_in_order(value, lambda i: paths[i].order)]


def shortened(plan: Plan, path: Path, reason: str) -> tuple[Path, str]:
    """Shorten the list to where it should end, and explain why."""
    for k in range(len(plan.start.items), len(path.items)):
        stop_reason = plan.stop_reason(path.losses[k], path.losses[k + 1])
        if stop_reason:
            return path.first_stages(k), stop_reason
    return path, reason


# ---------------------------------------------------------------------- exhaustive

Subset = tuple[int, ...]


@dataclass
class SearchSpace:
    """The loss of every set of items, by its features.

    ``losses[features]`` has one axis per feature, in the order of ``items[feature]``.
    """

    plan: Plan
    features: list[int]
    items: dict[int, list[Item]]
    losses: dict[Subset, Floats]
    depth: int
    is_whole: bool = True

    def larger_subsets(self, subset: Subset) -> Iterator[tuple[int, int, Subset]]:
        """Yield features that may follow, their axis, and the subset with them."""
        if len(subset) == self.depth:
            return
        for j in self.features:
            larger = tuple(sorted((*subset, j)))
            if j not in subset and larger in self.losses:
                yield j, larger.index(j), larger


class _Continuation(NamedTuple):
    """An item that may follow a set of items: the set with it, and what it leads to."""

    item: Item
    loss: float
    objective: float
    subset: Subset
    options: tuple[int, ...]


def explore(plan: Plan, watch: Watch, max_states: int) -> SearchSpace:
    """Compute the loss of every set of items.

    A search that is stopped returns all sets up to some number of items.
    """
    start = plan.start
    problem = plan.problem
    used = [item.feature for item in start.items]
    features = [j for j in plan.choices if j not in used]
    items = {j: _every_item(plan, j) for j in features}
    n_states = plan.check_exhaustive([len(items[j]) for j in features], max_states)
    space = SearchSpace(
        plan,
        features,
        items,
        {(): np.array(start.losses[-1])},
        depth=plan.n_stages(),
    )
    rows = [start.totals]
    for j in features:
        rows += [problem.adds(item) for item in items[j]]
    groups, sides = problem.grouped(np.stack(rows))
    ends = np.cumsum([1, *(len(items[j]) for j in features)])
    added = dict(zip(features, np.split(groups, ends[:-1])[1:], strict=True))
    n_done = 1
    try:
        for size in range(1, space.depth + 1):
            losses: dict[Subset, Floats] = {}
            for subset in combinations(features, size):
                watch.check()
                watch.report(n_done, n_states)
                if plan.within_budget([*used, *subset]):
                    subset_added = [added[j] for j in subset]
                    losses[subset] = _subset_losses(problem, sides, groups[0], subset_added)
                    n_done += losses[subset].size
            space.losses.update(losses)
    except KeyboardInterrupt:
        space.depth = size - 1
        space.is_whole = False
    else:
        watch.report(n_states, n_states)
    return space


def _every_item(plan: Plan, feature: int) -> list[Item]:
    """List the items of a feature, with each of its thresholds."""
    choice = plan.choices[feature]
    columns = plan.problem.columns
    if not isinstance(columns, NumberColumns):
        return choice.items
    thresholds = columns.thresholds[feature].tolist()
    if not columns.missing[feature].size:
        thresholds = thresholds[:-1]  # "always" shifts all totals equally, as "never" does
    combined = product(choice.scores, thresholds, choice.missing_scores)
    return [Item(feature, score, threshold, default) for score, threshold, default in combined]


def _subset_losses(
    problem: LossProblem, sides: Floats, start: Totals, added: Sequence[Totals]
) -> Floats:
    """Compute the losses of all combinations of one row each, with one axis each."""
    shape = tuple(len(rows) for rows in added)
    # the last axes are added up together, as many as fit
    n_outer = len(shape)
    size = start.size
    while n_outer and size * shape[n_outer - 1] <= MAX_CELLS:
        n_outer -= 1
        size *= shape[n_outer]
    block = start[None]
    for rows in added[n_outer:]:
        block = (block[:, None] + rows).reshape(-1, start.size)
    losses = [problem.losses(block + sum(chosen), sides) for chosen in product(*added[:n_outer])]
    return np.concatenate(losses).reshape(shape)


def best_list(space: SearchSpace) -> Path:
    """Find the list with the least objective."""
    losses = space.losses
    larger = {subset: list(space.larger_subsets(subset)) for subset in losses}
    last_losses = [loss for subset, loss in losses.items() if not larger[subset]]
    least = min(float(loss.min()) for loss in last_losses)
    # what the best rest of a list adds to the objective, for each set of items
    rest: dict[Subset, Floats] = {}
    for subset in sorted(losses, key=len, reverse=True):
        if larger[subset]:
            by_feature = []
            for _, axis, larger_subset in larger[subset]:
                total = losses[larger_subset] + rest[larger_subset]
                by_feature.append(total.min(axis=axis))
            rest[subset] = np.minimum.reduce(by_feature)
        elif space.plan.objective == "last":
            rest[subset] = np.where(losses[subset] <= least + margin(least), 0.0, np.inf)
        else:
            rest[subset] = (space.depth - len(subset)) * losses[subset]
    return _follow_best(space, rest)


def _follow_best(space: SearchSpace, rest: dict[Subset, Floats]) -> Path:
    """Follow the best continuations from the empty set; in a tie the first in order."""
    path = space.plan.start
    subset: Subset = ()
    options: tuple[int, ...] = ()
    while True:
        continuations = _continuations(space, rest, subset, options)
        if not continuations:
            return path
        least = min(continuation.objective for continuation in continuations)
        limit = least + margin(least)
        tied = [continuation for continuation in continuations if continuation.objective <= limit]
        best = min(tied, key=lambda continuation: continuation.item.order)
        subset = best.subset
        options = best.options
        path = path.extended(best.item, best.loss)


def _continuations(
    space: SearchSpace, rest: dict[Subset, Floats], subset: Subset, options: tuple[int, ...]
) -> list[_Continuation]:
    """List all items that may follow a set, which is given by features and their options."""
    continuations = []
    for j, axis, larger_subset in space.larger_subsets(subset):
        for option, item in enumerate(space.items[j]):
            index = (*options[:axis], option, *options[axis:])
            loss = float(space.losses[larger_subset][index])
            objective = loss + float(rest[larger_subset][index])
            continuations.append(_Continuation(item, loss, objective, larger_subset, index))
    return continuations
