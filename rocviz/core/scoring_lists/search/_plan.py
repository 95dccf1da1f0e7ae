"""The task of a search: possible items, limits of a list, and growing lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial, gcd
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Floats,
    check_callback,
    check_choice,
    check_integer,
    check_iterable,
    check_number,
    check_sequence,
    check_spread,
    check_vector,
    describe,
)
from rocviz.core.scoring_lists.search._columns import Columns, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item
from rocviz.core.scoring_lists.search._labels import Problem, Totals

#: Called with the steps done and all steps.
Progress = Callable[[int, int], object]

# Totals are counted one by one, so scores must be small.
_LARGEST_SCORE = 1000

# Estimates are cut off here.
_ENOUGH = 10**30


@dataclass(frozen=True)
class Watch:
    """Reports the progress of a search, and stops it on request."""

    progress: Progress | None = None
    should_stop: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        check_callback(self.progress, "progress")
        check_callback(self.should_stop, "should_stop")

    def check(self) -> None:
        """Interrupt the search, as Ctrl-C does, if a stop was requested."""
        if self.should_stop is not None and self.should_stop():
            raise KeyboardInterrupt

    def report(self, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(done, total)


@dataclass(frozen=True, eq=False)
class Path:
    """A growing list: its items and the loss after each.

    ``value`` is the sum of the losses a search compares, with the last one repeated for stages
    that could not be afforded.
    """

    problem: Problem
    losses: tuple[float, ...]
    items: tuple[Item, ...] = ()
    value: float = 0.0
    before: Path | None = None

    @cached_property
    def totals(self) -> Totals:
        """Total of each unit, computed only on demand."""
        if self.before is None:
            return self.problem.start()
        return self.before.totals + self.problem.adds(self.items[-1])

    @property
    def order(self) -> tuple[Any, ...]:
        return tuple(item.order for item in self.items)

    def grown(self, item: Item, loss: float) -> Path:
        items = (*self.items, item)
        return Path(self.problem, (*self.losses, loss), items, self.value + loss, self)

    def padded(self, stages: int) -> Path:
        """Count the last loss again for each stage that a list that cannot grow lacks."""
        return replace(self, value=self.value + stages * self.losses[-1])

    def cut(self, stages: int) -> Path:
        """Keep the first stages."""
        return Path(self.problem, self.losses[: stages + 1], self.items[:stages])


@dataclass(frozen=True)
class Limits:
    """Limits of a list, and the costs of its features."""

    max_stages: int
    loss_cutoff: float | None
    tol: float | None
    feature_costs: Floats
    budget: float | None
    per_cost: bool

    def affords(self, features: Sequence[int]) -> bool:
        """Test whether features stay within the budget, up to rounding."""
        if self.budget is None:
            return True
        return bool(self.feature_costs[[*features]].sum() <= self.budget * (1 + 1e-12))


@dataclass(frozen=True)
class Plan:
    """Everything a search needs to know."""

    problem: Problem
    choices: dict[int, Choice]
    limits: Limits
    objective: str
    start: Path

    def open_choices(self, items: Iterable[Item]) -> list[Choice]:
        """List the choices of unused features within the budget."""
        used = [item.feature for item in items]
        if len(used) >= self.limits.max_stages:
            return []
        return [
            choice
            for j, choice in self.choices.items()
            if j not in used and self.limits.affords([*used, j])
        ]

    def why_ended(self, items: Sequence[Item]) -> str:
        """Explain why no item could follow."""
        if len(items) == len(self.choices):
            return "all features"
        return "max_stages" if len(items) == self.limits.max_stages else "budget"

    # ------------------------------------------------------------------ effort

    def check_greedy(self, lookahead: int, max_states: int) -> None:
        """Raise if this lookahead evaluates more lists than ``max_states``."""
        options, stages = self._n_options(), self._n_stages()
        if lookahead == 1:
            return
        sets = n_sets(options, min(lookahead, stages))
        n_lists = 0
        for at in range(min(stages, len(options))):
            length = min(lookahead, stages - at)
            n_lists += factorial(length) * sets[len(options) - at][length]
        _check_states(
            n_lists,
            max_states,
            f"lookahead={lookahead} would have to count about {{}} lists of the next stages",
            "Look less far ahead, or allow fewer stages, features or scores.",
        )

    def check_beam(self, beam_width: int, max_states: int) -> None:
        """Raise if a beam of this width evaluates more items than ``max_states``."""
        options, stages = self._n_options(), self._n_stages()
        lists = n_sets(options, stages)[-1]
        _check_states(
            sum(
                min(beam_width, lists[k]) * sum(options[: len(options) - k]) for k in range(stages)
            ),
            max_states,
            f"beam_width={beam_width} would have to count about {{}} items",
            "Use a narrower beam, or allow fewer stages, features or scores.",
        )

    def check_exhaustive(self, options: Sequence[int], max_states: int) -> int:
        """Count all sets of items; raise if there are more than ``max_states``."""
        stages = self._n_stages()
        sets = n_sets(options, stages)[-1]
        _check_states(
            sum(sets),
            max_states,
            "search='exhaustive' would have to count {} sets of items (for "
            f"{_written(factorial(stages) * sets[-1])} lists)",
            "Allow fewer stages, features or scores, or use search='beam'.",
        )
        return sum(sets)

    def _n_options(self) -> list[int]:
        """Count the possible items of each open feature, most first."""
        choices = self.open_choices(self.start.items)
        return sorted((len(choice.points) for choice in choices), reverse=True)

    def _n_stages(self) -> int:
        """Count the stages that may still follow."""
        return self.limits.max_stages - len(self.start.items)


def n_sets(options: Sequence[int], most: int) -> list[list[int]]:
    """Count the sets of 0 to ``most`` items, one per feature, of the first 0, 1, ... features."""
    ways = [[1, *[0] * most]]
    for n_items in options:
        last = ways[-1]
        ways.append([1, *(last[k] + n_items * last[k - 1] for k in range(1, most + 1))])
    return ways


def _check_states(n_states: int, max_states: int, what: str, advice: str) -> None:
    if n_states > max_states:
        raise ValueError(
            f"{what.format(_written(n_states))}, more than max_states={max_states:.3g}. {advice}"
        )


def _written(count: int) -> str:
    """Write a count that may exceed floats."""
    return f"{min(count, _ENOUGH):.3g}"


def make_plan(
    problem: Problem,
    *,
    score_set: Iterable[int],
    allowed_scores: Mapping[int, Iterable[int]] | None = None,
    missing: str = "error",
    prefix: Iterable[Sequence[Any]] | None = None,
    objective: str = "mean",
    per_cost: bool = False,
    **ends: Any,
) -> Plan:
    """Check a task; ``per_cost`` says whether the search weighs gains by cost."""
    check_choice(objective, "objective", ("mean", "last"))
    columns = problem.columns
    choices = _choices(columns, score_set, allowed_scores, missing)
    forced = _check_prefix(prefix, choices, isinstance(columns, NumberColumns))
    limits = _check_limits(columns.n_features, len(forced), per_cost=per_cost, **ends)
    # totals are multiples of the scores' greatest common divisor
    problem.step = gcd(
        *(s for c in (*choices.values(), *forced) for s in (*c.scores, *c.missing_scores))
    )
    return Plan(problem, choices, limits, objective, _begin(problem, forced))


def _begin(problem: Problem, prefix: Sequence[Choice]) -> Path:
    """Learn the start of a search: the prefix, with its open parts."""
    path = Path(problem, (float(problem.losses(problem.start()[None])[0]),))
    for choice in prefix:
        if np.isnan(choice.threshold):
            candidates = problem.candidates(path.totals, [choice])
        else:
            totals = np.stack([path.totals + problem.adds(item) for item in choice.items])
            candidates = Candidates(choice.items, problem.losses(totals))
        best = candidates.best(candidates.loss)
        path = path.grown(candidates.items[best], float(candidates.loss[best]))
    return path


def _check_scores(scores: Any, name: str) -> tuple[int, ...]:
    """Check distinct small integers, none of them 0."""
    given = check_sequence(scores, name, "integers other than 0")
    distinct = dict.fromkeys(
        check_integer(score, name, -_LARGEST_SCORE, _LARGEST_SCORE) for score in given
    )
    if not distinct or 0 in distinct:
        raise ValueError(
            f"{name} must be integers other than 0, at least one; got {describe(scores)}."
        )
    return tuple(distinct)


def _choices(
    columns: Columns, score_set: Any, allowed_scores: Mapping[int, Any] | None, missing: str
) -> dict[int, Choice]:
    """List the possible scores of each feature."""
    common = _check_scores(score_set, "score_set")
    if allowed_scores is not None and not isinstance(allowed_scores, Mapping):
        raise ValueError(
            f"allowed_scores must map features to scores; got {type(allowed_scores).__name__}."
        )
    own = {
        check_integer(j, "allowed_scores: feature", 0, columns.n_features - 1): _check_scores(
            scores, f"allowed_scores[{j}]"
        )
        for j, scores in (allowed_scores or {}).items()
    }
    choices = {}
    for j in range(columns.n_features):
        scores = own.get(j, common)
        learned = missing == "score" and columns.missing[j].size
        choices[j] = Choice(j, scores, (0, *scores) if learned else (0,))
    return choices


def _check_prefix(
    prefix: Iterable[Any] | None, choices: Mapping[int, Choice], has_thresholds: bool
) -> list[Choice]:
    """Check the given items."""
    lines: Any = () if prefix is None else prefix
    check_iterable(lines, "prefix", "a list of (feature, score, ...) tuples")
    forced: list[Choice] = []
    for line in lines:
        if isinstance(line, (str, bytes)) or not isinstance(line, Sequence):
            raise ValueError(
                f"prefix must be a list of (feature, score, ...) tuples; got {describe(line)}."
            )
        if not 1 <= len(line) <= 4:
            raise ValueError(
                "prefix must be a list of (feature, score, threshold, missing score) tuples, of "
                f"which all but the feature may be left out or None; got {describe(line)}."
            )
        feature, score, threshold, default = [*line, None, None, None][:4]
        j = check_integer(feature, "prefix: feature", 0, len(choices) - 1)
        if any(other.feature == j for other in forced):
            raise ValueError(f"prefix must not name a feature twice; {j} is repeated.")
        choice = choices[j]
        if score is not None:
            choice = replace(choice, scores=_check_scores([score], "prefix: score"))
        if default is not None:
            default = check_integer(
                default, "prefix: missing score", -_LARGEST_SCORE, _LARGEST_SCORE
            )
            choice = replace(choice, missing_scores=(default,))
        if threshold is not None and threshold == threshold:  # NaN also leaves a value open
            if not has_thresholds:
                raise ValueError(
                    "prefix must not have thresholds where X is 0 or 1; "
                    f"feature {j} has {threshold}."
                )
            threshold = check_number(threshold, "prefix: threshold", finite=False)
            choice = replace(choice, threshold=threshold)
        forced.append(choice)
    return forced


def _check_limits(
    n_features: int,
    n_forced: int,
    *,
    max_stages: int | None = None,
    loss_cutoff: float | None = None,
    tol: float | None = None,
    feature_costs: ArrayLike | None = None,
    budget: float | None = None,
    per_cost: bool,
) -> Limits:
    most = n_features
    if max_stages is not None:
        most = min(check_integer(max_stages, "max_stages", minimum=0), n_features)
    if most < n_forced:
        raise ValueError(
            f"max_stages must allow for the prefix; got {max_stages} for {n_forced} lines."
        )
    if loss_cutoff is not None:
        loss_cutoff = check_number(loss_cutoff, "loss_cutoff")
    if tol is not None:
        tol = check_number(tol, "tol", minimum=0.0)
    if feature_costs is None:
        if budget is not None:
            raise ValueError("budget needs feature_costs.")
        return Limits(most, loss_cutoff, tol, np.ones(n_features), None, False)
    price = check_vector(feature_costs, "feature_costs")
    if price.size != n_features or (price <= 0).any():
        raise ValueError(
            f"feature_costs must be positive, one per feature; got {price.size} for {n_features} "
            f"features, the smallest {price.min(initial=np.inf):.6g}; give a free feature a small "
            "cost."
        )
    check_spread("feature_costs", price)
    if budget is not None:
        budget = check_number(budget, "budget", minimum=0.0)
    elif not per_cost:
        raise ValueError(
            "feature_costs without a budget are for search='greedy' with lookahead=1, which "
            "chooses the largest decrease of the loss per unit of cost."
        )
    return Limits(most, loss_cutoff, tol, price, budget, per_cost)
