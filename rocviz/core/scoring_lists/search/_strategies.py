"""Search strategies: greedy, with lookahead, and beam search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocviz.core.scoring_lists.search._items import Item, first, less, smallest, tied
from rocviz.core.scoring_lists.search._plan import Path, Plan, Watch


def greedy(plan: Plan, watch: Watch, lookahead: int = 1) -> tuple[Path, str]:
    """Add the best item, again and again; with ``lookahead`` the first of the best few."""
    path = plan.start
    try:
        while plan.open_choices(path.items):
            at = len(path.items)
            watch.check()
            watch.report(at, plan.max_stages)
            # stages beyond the end of the list must not count
            ahead = _ahead(plan, path, min(lookahead, plan.max_stages - at), watch)
            if reason := plan.stop_reason(path.losses[-1], min(ahead.losses[at + 1 :])):
                return path, reason
            path = path.extended(ahead.items[at], ahead.losses[at + 1])
    except KeyboardInterrupt:
        return path, "stopped"
    watch.report(plan.max_stages, plan.max_stages)
    return path, plan.exhausted_reason(path.items)


def _ahead(plan: Plan, path: Path, depth: int, watch: Watch) -> Path:
    """Find the best list with ``depth`` more items, or as many as possible."""
    choices = plan.open_choices(path.items)
    if not choices:
        return path.repeat_last_loss(depth)
    # the best gain per cost need not be the least loss
    every = depth > 1 or plan.per_cost
    items, loss = candidates = plan.problem.candidates(
        path.totals, choices, keep=None if every else 1
    )
    if depth > 1:
        paths = []
        for item, loss_then in zip(items, loss.tolist(), strict=True):
            watch.check()
            paths.append(_ahead(plan, path.extended(item, loss_then), depth - 1, watch))
        return _best(plan, paths)
    value = loss
    if plan.per_cost:
        gain = path.losses[-1] - loss
        # in units of the cheapest: gains that are equal up to rounding are of the size of losses
        price = plan.feature_costs
        cost = price[[item.feature for item in items]] / price.min()
        # if all losses rise, the cheapest item does least harm
        value = -np.where(gain > 0, gain / cost, gain * cost)
    best = candidates.best(value)
    return path.extended(items[best], float(loss[best]))


def beam(plan: Plan, beam_width: int, watch: Watch) -> tuple[Path, str]:
    """Keep the best lists of each length; return the greedy one if it is better."""
    paths = [plan.start]
    rival = plan.start
    start = len(plan.start.items)
    total = plan.n_stages() * beam_width
    reason = ""
    try:
        for at in range(start, plan.max_stages):
            longer: dict[frozenset[Item], Path] = {}
            for i, path in enumerate(paths):
                watch.check()
                watch.report((at - start) * beam_width + i, total)
                for more in _extended(plan, path, beam_width):
                    # the same items in another order give the same totals
                    known = longer.get(items := frozenset(more.items))
                    if known is None or less(more.value, known.value):
                        longer[items] = more
            kept = _kept(plan, list(longer.values()), beam_width)
            paths, rival = kept, _ahead(plan, rival, 1, watch)
    except KeyboardInterrupt:
        reason = "stopped"
    else:
        watch.report(total, total)
    best = _best(plan, [*paths, rival])
    return shortened(plan, best, reason or plan.exhausted_reason(best.items))


def _extended(plan: Plan, path: Path, count: int) -> list[Path]:
    """Add each of the best items; a list that cannot grow stays as it is."""
    choices = plan.open_choices(path.items)
    if not choices:
        return [path.repeat_last_loss(1)]
    items, loss = plan.problem.candidates(path.totals, choices, keep=count)
    best = smallest(loss, lambda i: items[i].order, count)
    return [path.extended(items[i], float(loss[i])) for i in best]


def _kept(plan: Plan, paths: Sequence[Path], count: int) -> list[Path]:
    last = plan.objective == "last"
    value = np.array([path.losses[-1] if last else path.value for path in paths])
    return [paths[i] for i in smallest(value, lambda i: paths[i].order, count)]


def _best(plan: Plan, paths: Sequence[Path]) -> Path:
    """Find the best list: by mean loss, or by the last loss and then by the mean."""
    if plan.objective == "last":
        good = np.flatnonzero(tied(np.array([path.losses[-1] for path in paths])))
        paths = [paths[i] for i in good.tolist()]
    return paths[first(np.array([path.value for path in paths]), lambda i: paths[i].order)]


def shortened(plan: Plan, path: Path, reason: str) -> tuple[Path, str]:
    """Cut the list where it should end, and explain why."""
    for k in range(len(plan.start.items), len(path.items)):
        if stop := plan.stop_reason(*path.losses[k : k + 2]):
            return path.cut(k), stop
    return path, reason
