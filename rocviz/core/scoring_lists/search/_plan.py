"""What a search is asked to do, checked and put in one place, and the lists it grows.

Knows nothing of the order in which lists are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Floats,
    check_callback,
    check_integer,
    check_iterable,
    check_number,
    check_sequence,
    check_spread,
    check_vector,
    describe,
)
from rocviz.core.scoring_lists.search._columns import BinaryColumns, NumberColumns
from rocviz.core.scoring_lists.search._items import Choice, Item, collect
from rocviz.core.scoring_lists.search._labels import Problem, Totals

#: Called with what is done and what there is to do.
Progress = Callable[[int, int], object]

# Totals are counted one by one, so scores are to be small.
_LARGEST = 1000
_LEAST_COST = 1e-300  # beside the greatest, so that ratios are floats


class Stopped(Exception):
    """Raised inside a search when it shall end."""


@dataclass(frozen=True)
class Watch:
    """Reports how far a search is, and asks whether to go on."""

    progress: Progress | None
    should_stop: Callable[[], bool] | None

    def __post_init__(self) -> None:
        check_callback(self.progress, "progress")
        check_callback(self.should_stop, "should_stop")

    def check(self) -> None:
        if self.should_stop is not None and self.should_stop():
            raise Stopped

    def report(self, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(done, total)


@dataclass(frozen=True)
class Path:
    """A list as it grows: its items, the loss after each, and everybody's total.

    ``value`` is the sum of the losses a search compares, with the last one repeated for stages
    that could not be afforded.
    """

    totals: Totals
    losses: tuple[float, ...]
    items: tuple[Item, ...] = ()
    value: float = 0.0

    @property
    def order(self) -> tuple[Any, ...]:
        return tuple(item.order for item in self.items)

    def grown(self, problem: Problem, item: Item, loss: float) -> Path:
        return Path(
            self.totals + problem.adds(item),
            (*self.losses, loss),
            (*self.items, item),
            self.value + loss,
        )


@dataclass(frozen=True)
class Forced:
    """A line of the list that is given."""

    choice: Choice
    threshold: float | None


@dataclass(frozen=True)
class Limits:
    """When a list ends, and what its features cost."""

    max_stages: int
    loss_cutoff: float | None
    tol: float | None
    costs: Floats
    budget: float | None
    per_cost: bool


@dataclass(frozen=True)
class Plan:
    """Everything a search needs to know; losses are in units of 2 to the power of ``exponent``."""

    problem: Problem
    choices: dict[int, Choice]
    forced: tuple[Forced, ...]
    limits: Limits
    objective: str = "mean"
    exponent: int = 0
    start: Path = field(init=False)

    def __post_init__(self) -> None:
        totals = self.problem.start()
        path = Path(totals, (float(self.problem.losses(totals[None])[0]),))
        for line in self.forced:
            path = self._forced(path, line)
        object.__setattr__(self, "start", path)

    def _forced(self, path: Path, line: Forced) -> Path:
        choice, threshold = line.choice, line.threshold
        if threshold is None:
            found = self.problem.candidates(path.totals, [choice])
        else:
            items = [
                Item(choice.feature, score, threshold, default)
                for score in choice.scores
                for default in choice.missing_scores
            ]
            totals = np.stack([path.totals + self.problem.adds(item) for item in items])
            found = collect(items, self.problem.losses(totals))
        best = found.best(found.loss)
        return path.grown(self.problem, found.item(best), float(found.loss[best]))

    def open_choices(self, items: Iterable[Item]) -> list[Choice]:
        """Return what may still be learned of features that are not used and can be paid."""
        used = [item.feature for item in items]
        left = [choice for j, choice in self.choices.items() if j not in used]
        if self.limits.budget is None or len(used) >= self.limits.max_stages:
            return left if len(used) < self.limits.max_stages else []
        rest = self.limits.budget - self.limits.costs[used].sum()
        slack = 1e-12 * self.limits.budget  # sums of costs are rounded
        return [c for c in left if self.limits.costs[c.feature] <= rest + slack]

    def why_ended(self, items: Sequence[Item]) -> str:
        """Return why nothing could follow."""
        if len(items) == len(self.choices):
            return "all features"
        return "max_stages" if len(items) == self.limits.max_stages else "budget"


def check_scores(scores: Any, name: str) -> tuple[int, ...]:
    """Return distinct small integers, none of them 0."""
    given = check_sequence(scores, name, "integers other than 0")
    found = tuple(dict.fromkeys(check_integer(s, name, -_LARGEST, _LARGEST) for s in given))
    if not found or 0 in found:
        raise ValueError(
            f"{name} must be integers other than 0, at least one; got {describe(scores)}."
        )
    return found


def make_choices(
    columns: BinaryColumns | NumberColumns,
    score_set: Any,
    allowed_scores: Mapping[int, Any] | None,
    missing: str,
) -> dict[int, Choice]:
    """Return what may be learned of each feature."""
    common = check_scores(score_set, "score_set")
    if allowed_scores is not None and not isinstance(allowed_scores, Mapping):
        raise ValueError(
            f"allowed_scores must map features to scores; got {type(allowed_scores).__name__}."
        )
    own = {
        check_integer(j, "allowed_scores: feature", 0, columns.n_features - 1): check_scores(
            scores, f"allowed_scores[{j}]"
        )
        for j, scores in (allowed_scores or {}).items()
    }
    choices = {}
    for j in range(columns.n_features):
        scores = own.get(j, common)
        learned = missing == "score" and columns.has_missing(j)
        choices[j] = Choice(j, scores, (0, *scores) if learned else (0,))
    return choices


def check_prefix(
    prefix: Iterable[Any] | None, choices: Mapping[int, Choice], has_thresholds: bool
) -> tuple[Forced, ...]:
    """Return the lines that are given."""
    lines: Any = () if prefix is None else prefix
    check_iterable(lines, "prefix", "a list of (feature, score, ...) tuples")
    found: list[Forced] = []
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
        padded: list[Any] = [*line, None, None, None]
        feature, score, threshold, default = padded[:4]
        j = check_integer(feature, "prefix: feature", 0, len(choices) - 1)
        if any(other.choice.feature == j for other in found):
            raise ValueError(f"prefix must not name a feature twice; {j} comes again.")
        choice = choices[j]
        if score is not None:
            choice = choice._replace(scores=check_scores([score], "prefix: score"))
        if default is not None:
            at_missing = check_integer(default, "prefix: missing score", -_LARGEST, _LARGEST)
            choice = choice._replace(missing_scores=(at_missing,))
        if threshold is not None and threshold != threshold:
            threshold = None
        if threshold is not None and not has_thresholds:
            raise ValueError(
                f"prefix must not have thresholds where X is 0 or 1; feature {j} has {threshold}."
            )
        if threshold not in (None, np.inf, -np.inf):
            threshold = check_number(threshold, "prefix: threshold")
        found.append(Forced(choice, threshold))
    return tuple(found)


class End(NamedTuple):
    """When a list ends, and what it may cost, as it came in."""

    max_stages: int | None
    loss_cutoff: float | None
    tol: float | None
    costs: ArrayLike | None
    budget: float | None


def check_limits(n_features: int, n_forced: int, end: End, *, per_cost: bool) -> Limits:
    """Return limits; ``per_cost`` says whether the search weighs gains by cost."""
    max_stages, loss_cutoff, tol, costs, budget = end
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
    if costs is None:
        if budget is not None:
            raise ValueError("budget needs costs, one per feature.")
        return Limits(most, loss_cutoff, tol, np.ones(n_features), None, False)
    price = check_vector(costs, "costs")
    if price.size != n_features or (price <= 0).any():
        raise ValueError(
            f"costs must be positive, one per feature; got {price.size} for {n_features} "
            f"features, the smallest {price.min() if price.size else np.nan:.6g}."
        )
    check_spread("costs", price)
    if price.min() < _LEAST_COST * price.max():
        raise ValueError(
            f"costs must be at least {_LEAST_COST:g} of the greatest; got {price.min():.3g} and "
            f"{price.max():.3g}."
        )
    if budget is not None:
        budget = check_number(budget, "budget", minimum=0.0)
    elif not per_cost:
        raise ValueError(
            "costs without a budget are for search='greedy' with lookahead=1, where the loss "
            "falls by most per unit of cost."
        )
    return Limits(most, loss_cutoff, tol, price, budget, per_cost)


def step_of(choices: Mapping[int, Choice], forced: Iterable[Forced]) -> int:
    """Return the greatest number that divides all scores."""
    every = [*choices.values(), *(line.choice for line in forced)]
    return gcd(*(s for choice in every for s in (*choice.scores, *choice.missing_scores)))
