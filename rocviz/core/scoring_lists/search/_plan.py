"""The task of a search: possible items, limits of a list, and growing lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial, gcd, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_effort
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
from rocviz.core.scoring_lists.search._items import Choice, Item, is_less
from rocviz.core.scoring_lists.search._losses import LossProblem, Totals

#: Called with the steps done and all steps.
Progress = Callable[[int, int], object]

# Totals are counted one by one, so scores must be small.
_MAX_SCORE = 1000

# Estimated counts are capped here.
_MAX_COUNT = 10**30

# Seconds to evaluate an item.
_SECONDS_PER_ITEM = 1e-5


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

    problem: LossProblem
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

    def extended(self, item: Item, loss: float) -> Path:
        items = (*self.items, item)
        return Path(self.problem, (*self.losses, loss), items, self.value + loss, self)

    def repeat_last_loss(self, stages: int) -> Path:
        """Count the last loss again for each stage that a list that cannot grow lacks."""
        return replace(self, value=self.value + stages * self.losses[-1])

    def first_stages(self, stages: int) -> Path:
        """Keep the first stages."""
        return Path(self.problem, self.losses[: stages + 1], self.items[:stages])


@dataclass(frozen=True)
class Plan:
    """Everything a search needs to know: the possible items, and where a list ends.

    ``per_cost`` says whether gains are weighed by the costs of features.
    """

    problem: LossProblem
    choices: dict[int, Choice]
    start: Path
    objective: str
    max_stages: int
    loss_cutoff: float
    tol: float | None
    feature_costs: Floats
    budget: float
    per_cost: bool

    def within_budget(self, features: Sequence[int]) -> bool:
        """Test whether features stay within the budget, up to rounding."""
        total_cost = self.feature_costs[list(features)].sum()
        return bool(total_cost <= self.budget * (1 + 1e-12))

    def open_choices(self, items: Iterable[Item]) -> list[Choice]:
        """List the choices of unused features within the budget."""
        used = [item.feature for item in items]
        if len(used) >= self.max_stages:
            return []
        choices = []
        for j, choice in self.choices.items():
            if j not in used and self.within_budget([*used, j]):
                choices.append(choice)
        return choices

    def exhausted_reason(self, items: Sequence[Item]) -> str:
        """Explain why no item could follow."""
        if len(items) == len(self.choices):
            return "all features"
        if len(items) == self.max_stages:
            return "max_stages"
        return "budget"

    def stop_reason(self, loss: float, next_loss: float) -> str:
        """Explain why the next stage is not worth adding; empty if it is."""
        if loss <= self.loss_cutoff:
            return "loss_cutoff"
        if self.tol is not None and not is_less(next_loss, loss - self.tol):
            return "tol"
        return ""

    # ------------------------------------------------------------------ effort

    def n_stages(self) -> int:
        """Count the stages that may still follow."""
        return self.max_stages - len(self.start.items)

    def n_items(self, stages: int) -> list[int]:
        """Count the items from which each of the next stages can choose, at most."""
        choices = self.open_choices(self.start.items)
        options = sorted((len(choice.points) for choice in choices), reverse=True)
        return [sum(options[: len(options) - k]) for k in range(min(stages, len(options)))]

    def check_lookahead(self, lookahead: int) -> None:
        """Raise if looking so far ahead takes too long."""
        n_lists = self.n_stages() * prod(self.n_items(min(lookahead, self.n_stages())))
        check_effort(seconds=_SECONDS_PER_ITEM * min(n_lists, _MAX_COUNT), lookahead=lookahead)

    def check_beam(self, beam_width: int) -> None:
        """Raise if a beam of this width takes too long."""
        n_evaluated = 0
        n_lists = 1
        for n_items in self.n_items(self.n_stages()):
            n_evaluated += min(beam_width, n_lists) * n_items
            n_lists *= n_items
        seconds = _SECONDS_PER_ITEM * min(n_evaluated, _MAX_COUNT)
        check_effort(seconds=seconds, beam_width=beam_width)

    def check_exhaustive(self, options: Sequence[int], max_states: int) -> int:
        """Count all sets of items; raise if there are more than ``max_states``."""
        stages = self.n_stages()
        # number of sets of 0, 1, ... items, one per feature
        n_sets = [1] + [0] * stages
        for n_items in options:
            for size in range(stages, 0, -1):
                n_sets[size] += n_items * n_sets[size - 1]
        n_states = min(sum(n_sets), _MAX_COUNT)
        n_lists = min(factorial(stages) * n_sets[-1], _MAX_COUNT)
        if n_states > max_states:
            raise ValueError(
                f"search='exhaustive' would have to count {n_states:.3g} sets of items (for "
                f"{n_lists:.3g} lists), more than max_states={max_states:.3g}. Allow fewer stages, "
                "features or scores, or use search='beam'."
            )
        return n_states


def make_plan(
    problem: LossProblem,
    *,
    score_set: Iterable[int],
    allowed_scores: Mapping[int, Iterable[int]] | None = None,
    missing: str = "error",
    prefix: Iterable[Sequence[Any]] | None = None,
    objective: str = "mean",
    **ends: Any,
) -> Plan:
    """Check a task."""
    check_choice(objective, "objective", ("mean", "last"))
    columns = problem.columns
    choices = _choices(columns, score_set, allowed_scores, missing)
    forced = _check_prefix(prefix, choices, isinstance(columns, NumberColumns))
    limits = _check_limits(columns.n_features, len(forced), **ends)
    # totals are multiples of the scores' greatest common divisor
    step = 0
    for choice in (*choices.values(), *forced):
        step = gcd(step, *choice.scores, *choice.missing_scores)
    problem.step = step
    return Plan(problem, choices, _begin(problem, forced), objective, **limits)


def _begin(problem: LossProblem, prefix: Sequence[Choice]) -> Path:
    """Learn the start of a search: the prefix, with its open parts."""
    path = Path(problem, (float(problem.losses(problem.start()[None])[0]),))
    for choice in prefix:
        if np.isnan(choice.threshold):
            candidates = problem.candidates(path.totals, [choice])
        else:
            candidates = problem.evaluate(path.totals, choice.items)
        best = candidates.best(candidates.loss)
        path = path.extended(candidates.items[best], float(candidates.loss[best]))
    return path


def _check_scores(scores: Any, name: str) -> tuple[int, ...]:
    """Check distinct small integers, none of them 0."""
    numbers = check_sequence(scores, name, "integers other than 0")
    distinct = dict.fromkeys(
        check_integer(score, name, -_MAX_SCORE, _MAX_SCORE) for score in numbers
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
    scores_of = dict.fromkeys(range(columns.n_features), common)
    for feature, scores in (allowed_scores or {}).items():
        j = check_integer(feature, "allowed_scores: feature", 0, columns.n_features - 1)
        scores_of[j] = _check_scores(scores, f"allowed_scores[{feature}]")
    choices = {}
    for j, scores in scores_of.items():
        missing_scores: tuple[int, ...] = (0,)
        if missing == "score" and columns.missing[j].size:
            missing_scores = (0, *scores)
        choices[j] = Choice(j, scores, missing_scores)
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
        whole_line: list[Any] = list(line) + [None] * (4 - len(line))
        feature, score, threshold, missing_score = whole_line
        j = check_integer(feature, "prefix: feature", 0, len(choices) - 1)
        if any(other.feature == j for other in forced):
            raise ValueError(f"prefix must not name a feature twice; {j} is repeated.")
        choice = choices[j]
        if score is not None:
            choice = replace(choice, scores=_check_scores([score], "prefix: score"))
        if missing_score is not None:
            missing_score = check_integer(
                missing_score, "prefix: missing score", -_MAX_SCORE, _MAX_SCORE
            )
            choice = replace(choice, missing_scores=(missing_score,))
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
) -> dict[str, Any]:
    """Check where a list ends, and the costs of its features."""
    n_stages = n_features
    if max_stages is not None:
        n_stages = min(check_integer(max_stages, "max_stages", minimum=0), n_features)
    if n_stages < n_forced:
        raise ValueError(
            f"max_stages must allow for the prefix; got {max_stages} for {n_forced} lines."
        )
    costs = np.ones(n_features)
    if feature_costs is not None:
        costs = check_vector(feature_costs, "feature_costs")
        if costs.size != n_features or (costs <= 0).any():
            raise ValueError(
                f"feature_costs must be positive, one per feature; got {costs.size} for "
                f"{n_features} features, the smallest {costs.min(initial=np.inf):.6g}; give a free "
                "feature a small cost."
            )
        check_spread("feature_costs", costs)
        if budget is None and not per_cost:
            raise ValueError(
                "feature_costs without a budget are for search='greedy' with lookahead=1, which "
                "chooses the largest decrease of the loss per unit of cost."
            )
    elif budget is not None:
        raise ValueError("budget needs feature_costs.")
    return {
        "max_stages": n_stages,
        "loss_cutoff": -np.inf if loss_cutoff is None else check_number(loss_cutoff, "loss_cutoff"),
        "tol": None if tol is None else check_number(tol, "tol", minimum=0.0),
        "feature_costs": costs,
        "budget": np.inf if budget is None else check_number(budget, "budget", minimum=0.0),
        "per_cost": per_cost and feature_costs is not None,
    }
