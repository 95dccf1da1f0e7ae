"""The order in which lists are looked at: stage by stage, some stages ahead, or in a beam."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._items import Item, less, margin
from rocviz.core.scoring_lists.search._plan import Path, Plan, Stopped, Watch


def greedy(plan: Plan, watch: Watch, lookahead: int = 1) -> tuple[Path, str]:
    """Add the best item, again and again; with ``lookahead`` the first of the best few."""
    path = plan.start
    limits = plan.limits
    try:
        while plan.open_choices(path.items):
            if limits.loss_cutoff is not None and path.losses[-1] <= limits.loss_cutoff:
                return path, "loss_cutoff"
            watch.check()
            watch.report(len(path.items), limits.max_stages)
            # no further than the list can go: stages that will not be count for nothing
            depth = min(lookahead, limits.max_stages - len(path.items))
            ahead = _next(plan, path) if depth == 1 else _ahead(plan, path, depth, watch)
            lowest = min(ahead.losses[len(path.losses) :])
            if limits.tol is not None and not less(lowest, path.losses[-1] - limits.tol):
                return path, "tol"
            at = len(path.items)
            if len(ahead.items) == at + 1:
                path = ahead
            else:
                path = path.grown(plan.problem, ahead.items[at], ahead.losses[at + 1])
    except (Stopped, KeyboardInterrupt):
        return path, "stopped"
    watch.report(limits.max_stages, limits.max_stages)
    return path, plan.why_ended(path.items)


def _next(plan: Plan, path: Path) -> Path:
    """Add the best item."""
    candidates = plan.problem.candidates(
        path.totals,
        plan.open_choices(path.items),
        # the best gain per cost need not be the least loss
        keep=None if plan.limits.per_cost else 1,
    )
    value = candidates.loss
    if plan.limits.per_cost:
        gain = path.losses[-1] - candidates.loss
        # in units of the cheapest: gains that are equal up to rounding are of the size of losses
        cost = plan.limits.feature_costs[candidates.feature] / plan.limits.feature_costs.min()
        # what does harm does least where it is cheap
        value = -np.where(gain > 0, gain / cost, gain * cost)
    best = candidates.best(value)
    return path.grown(plan.problem, candidates.item(best), float(candidates.loss[best]))


def _ahead(plan: Plan, path: Path, depth: int, watch: Watch) -> Path:
    """Find the best list with ``depth`` more items, or as many as there can be."""
    choices = plan.open_choices(path.items)
    if not choices:
        return _padded(path, depth)
    if depth == 1:
        return _next(plan, path)
    candidates = plan.problem.candidates(path.totals, choices, keep=None)
    paths = []
    for i, loss in enumerate(candidates.loss.tolist()):
        watch.check()
        paths.append(
            _ahead(plan, path.grown(plan.problem, candidates.item(i), loss), depth - 1, watch)
        )
    return paths[in_order(paths, plan.objective, 1)[0]]


def beam(plan: Plan, beam_width: int, watch: Watch) -> tuple[Path, str]:
    """Keep the best lists of each length; in the end the greedy one if it is better."""
    paths = [plan.start]
    rival = plan.start
    first = len(plan.start.items)
    total = (plan.limits.max_stages - first) * beam_width
    reason = ""
    try:
        for at in range(first, plan.limits.max_stages):
            longer: dict[Any, tuple[Path, Item | None, float]] = {}
            for i, path in enumerate(paths):
                watch.check()
                watch.report((at - first) * beam_width + i, total)
                for item, loss in _best_items(plan, path, beam_width):
                    key = frozenset((*path.items, item))
                    known = longer.get(key)
                    # the same items in another order: everybody has the same total
                    if known is None or less(path.value, known[0].value):
                        longer[key] = path, item, loss
            kept = _kept(plan, list(longer.values()), beam_width)
            can_grow = plan.open_choices(rival.items)
            paths, rival = kept, _next(plan, rival) if can_grow else _padded(rival, 1)
    except (Stopped, KeyboardInterrupt):
        reason = "stopped"
    else:
        watch.report(total, total)
    paths.append(rival)
    best = paths[in_order(paths, plan.objective, 1)[0]]
    return shortened(plan, best, reason or plan.why_ended(best.items))


def _best_items(plan: Plan, path: Path, beam_width: int) -> list[tuple[Item | None, float]]:
    choices = plan.open_choices(path.items)
    if not choices:
        return [(None, path.losses[-1])]
    candidates = plan.problem.candidates(path.totals, choices, keep=beam_width)
    best = sorted_with_ties(candidates.loss, lambda i: candidates.item(i).order, beam_width)
    return [(candidates.item(i), float(candidates.loss[i])) for i in best]


def _kept(
    plan: Plan, longer: Sequence[tuple[Path, Item | None, float]], beam_width: int
) -> list[Path]:
    values = np.array(
        [loss if plan.objective == "last" else path.value + loss for path, _, loss in longer]
    )

    def order(i: int) -> Any:
        path, item, _ = longer[i]
        return path.order if item is None else (*path.order, item.order)

    kept = []
    for i in sorted_with_ties(values, order, beam_width):
        path, item, loss = longer[i]
        kept.append(_padded(path, 1) if item is None else path.grown(plan.problem, item, loss))
    return kept


def _padded(path: Path, stages: int) -> Path:
    """Count the last loss of a list that cannot grow for the stages it does not have."""
    return Path(path.totals, path.losses, path.items, path.value + stages * path.losses[-1])


def shortened(plan: Plan, path: Path, reason: str) -> tuple[Path, str]:
    """Cut the list where it should have ended, and say why."""
    limits = plan.limits
    for k in range(len(plan.start.items), len(path.items)):
        ends = ""
        if limits.loss_cutoff is not None and path.losses[k] <= limits.loss_cutoff:
            ends = "loss_cutoff"
        elif limits.tol is not None and not less(path.losses[k + 1], path.losses[k] - limits.tol):
            ends = "tol"
        if ends:
            return Path(path.totals, path.losses[: k + 1], path.items[:k]), ends
    return path, reason


# ---------------------------------------------------------------------- comparing


def in_order(paths: Sequence[Path], objective: str, count: int) -> list[int]:
    """Find the first lists: by mean loss, or by the last loss and then by the mean."""
    value = np.array([path.value for path in paths])
    if objective == "last":
        last = np.array([path.losses[-1] for path in paths])
        good = np.flatnonzero(last <= last.min() + margin(last.min())).tolist()
        first = sorted_with_ties(value[good], lambda i: paths[good[i]].order, count)
        return [good[i] for i in first]
    return sorted_with_ties(value, lambda i: paths[i].order, count)


def sorted_with_ties(value: Floats, order: Callable[[int], Any], count: int) -> list[int]:
    """Find the ``count`` least values, tied ones as ``order`` says."""
    first: list[int] = []
    by_value = np.argsort(value, kind="stable")
    rising = value[by_value]
    at = 0
    while at < len(by_value) and len(first) < count:
        end = int(np.searchsorted(rising, rising[at] + margin(rising[at]), side="right"))
        first.extend(sorted(by_value[at:end].tolist(), key=order))
        at = end
    return first[:count]
