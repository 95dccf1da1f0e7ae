"""How much a search would have to count; refused before it starts where that is too much.

Knows how many choices there are; nothing of losses.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from rocviz.core.scoring_lists.search._plan import Plan

# Beyond this an estimate says no more.
_ENOUGH = 10**30


def check_greedy(plan: Plan, lookahead: int, max_states: int) -> None:
    """Raise if looking so far ahead counts more items than ``max_states``."""
    options, stages = _options(plan), _stages(plan)
    found = 0
    for at in range(stages if lookahead > 1 else 0):
        left = options[: len(options) - at]
        found += _n_sequences(left, min(lookahead, stages - at))
        if found > _ENOUGH:
            break
    if found > max_states:
        raise ValueError(
            f"lookahead={lookahead} would have to count about {found:.3g} lists of the next "
            f"stages, more than max_states={max_states:.3g}. Look less far ahead, or allow fewer "
            "stages, features or scores."
        )


def check_beam(plan: Plan, width: int, max_states: int) -> None:
    """Raise if a beam of this width counts more items than ``max_states``."""
    options, found = _options(plan), 0
    for at in range(_stages(plan)):
        kept = width
        sets = _n_sequences(options, at)
        if sets < _ENOUGH:
            kept = min(width, -(-sets // factorial(at)))
        found += kept * sum(options[: len(options) - at])
    if found > max_states:
        raise ValueError(
            f"width={width} would have to count about {found:.3g} items, more than "
            f"max_states={max_states:.3g}. Use a narrower beam, or allow fewer stages, features "
            "or scores."
        )


def _options(plan: Plan) -> list[int]:
    """Return in how many ways each open feature may follow, most first."""
    choices = plan.open_choices(plan.start.items)
    return sorted((len(c.scores) * len(c.missing_scores) for c in choices), reverse=True)


def _stages(plan: Plan) -> int:
    return plan.limits.max_stages - len(plan.start.items)


def _n_sequences(options: Sequence[int], length: int) -> int:
    """Return about how many ordered lists of that length there are, or that it is enough."""
    found = 1
    mean = sum(options) / max(len(options), 1)
    for i in range(min(length, len(options))):
        found *= round(mean * (len(options) - i))
        if found > _ENOUGH:
            return _ENOUGH
    return found
