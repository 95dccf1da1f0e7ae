"""Learn a scoring list: the order, scores and thresholds of its features.

Greedy, some stages ahead, by beam or exhaustively, from labels or from pairs. In an exhaustive
search lists that contain the same items have the same last stage, so sets of items are counted
once, and the best list follows from the best rest of a list for each set.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    Floats,
    Weights,
    as_array,
    check_aligned,
    check_choice,
    check_integer,
    check_samples,
    check_weights,
    describe,
)
from rocviz.core.scoring_lists.search._columns import BinaryColumns, NumberColumns, as_matrix
from rocviz.core.scoring_lists.search._items import (
    Item,
    first_in_order,
    is_less,
    is_tied_with_least,
    margin,
    smallest_in_order,
)
from rocviz.core.scoring_lists.search._losses import (
    MAX_CELLS,
    BinaryLabels,
    LossProblem,
    PairLossProblem,
    Totals,
)
from rocviz.core.scoring_lists.search._plan import Path, Plan, Progress, Watch, make_plan
from rocviz.core.scoring_lists.search._thresholds import NumberLabels, NumberPairs
from rocviz.core.scoring_lists.search.stage_loss import StageLoss, batch_loss

DEFAULT_SCORES = (-3, -2, -1, 1, 2, 3)


@dataclass(frozen=True, eq=False)
class LearnedList(Frozen):
    """A learned scoring list without probabilities.

    Parameters
    ----------
    features : ndarray of int, shape (n_stages,)
        Columns of X in the order in which they are asked.
    scores : ndarray of int, shape (n_stages,)
        Points that a yes adds to the total.
    thresholds : ndarray of float, shape (n_stages,)
        The answer is yes where ``x > threshold``. NaN means that the column is 0 or 1 already. With
        an infinite threshold the stage ignores its feature, whose answer is never (``inf``) or
        always (``-inf``) yes.
    missing_scores : ndarray of int, shape (n_stages,)
        Points of a missing value.
    stage_losses : ndarray of float, shape (n_stages + 1,)
        Loss on the training data after each stage; the first is that of the prior.
    stop_reason : {"all features", "max_stages", "loss_cutoff", "tol", "budget", "stopped"}
        Why the list ends where it does.
    """

    features: NDArray[np.intp]
    scores: NDArray[np.intp]
    thresholds: Floats
    missing_scores: NDArray[np.intp]
    stage_losses: Floats
    stop_reason: str

    def __len__(self) -> int:
        return int(self.features.size)


def learn_scoring_list(
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    pairs: ArrayLike | None = None,
    score_set: Iterable[int] = DEFAULT_SCORES,
    loss: StageLoss = "entropy",
    cost_fn: float = 1.0,
    thresholds: str | None = None,
    search: str = "greedy",
    lookahead: int = 1,
    beam_width: int = 10,
    objective: str = "mean",
    prefix: Iterable[Sequence[Any]] | None = None,
    allowed_scores: Mapping[int, Iterable[int]] | None = None,
    feature_costs: ArrayLike | None = None,
    budget: float | None = None,
    max_stages: int | None = None,
    loss_cutoff: float | None = None,
    tol: float | None = None,
    missing: str = "error",
    sample_weight: Weights = None,
    pos_label: Any = None,
    max_states: int = 5_000_000,
    progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> LearnedList:
    """Learn a scoring list from class labels, or from pairs of samples.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features)
        0 and 1 (or booleans); any finite numbers if ``thresholds`` is set.
    y : array-like, shape (n_samples,), optional
        Labels of two classes. Not with ``pairs``.
    pairs : array-like of int, shape (n_pairs, 2), optional
        Rows of X in place of labels; the first of a pair is to rank above the second. Rows that
        are in no pair are ignored.
    score_set : iterable of int, default=(-3, -2, -1, 1, 2, 3)
        Scores a feature may get: other than 0, from -1000 to 1000. Without negative ones,
        features that speak against the positive class are of no use.
    loss : {"entropy", "brier", "rank", "raw_rank", "cost"} or callable, default="entropy"
        Loss of a stage, which the search makes small, see
        :func:`rocviz.core.scoring_lists.search.stage_loss.stage_loss`. All but "raw_rank", which
        compares the totals as they are, are of isotonic probabilities. A callable gets the
        stage's observed totals as :class:`RankedSegments`. Pairs have no labels to calibrate by:
        from them "rank" and "raw_rank" both mean the loss of the totals, and there is no other.
    cost_fn : float, default=1.0
        Cost of a false negative for ``loss="cost"``; a false positive costs 1.
    thresholds : {"brute", "bisect"} or None, default=None
        How thresholds are chosen together with feature and score: the best of all midpoints,
        or of some, always halving the way to the best one's neighbours. Never and always are
        among them, and a column of 0 and 1 has 0.5. Of pairs both names try all, in one pass.
        ``None``: X is 0 or 1.
    search : {"greedy", "beam", "exhaustive"}, default="greedy"
        The best item stage by stage; the ``beam_width`` best lists of each length; all lists.
    lookahead : int, default=1
        How many stages greedy search looks ahead before it adds one.
    beam_width : int, default=10
        Lists that a beam keeps at each stage.
    objective : {"mean", "last"}, default="mean"
        How lists of several stages are compared: by the mean of their losses, or by the last
        loss. Greedy search with ``lookahead=1`` need not ask.
    prefix : iterable of tuple, optional
        Lines the list begins with: ``(feature, score, threshold, missing score)``, of which
        all but the feature may be left out or ``None`` and are learned then.
    allowed_scores : mapping from int to iterable of int, optional
        Scores of single features, in place of ``score_set``.
    feature_costs : array-like of float, shape (n_features,), optional
        Positive. Greedy search with ``lookahead=1`` then takes the item by which the loss falls
        most per unit of cost; elsewhere they only count for the budget.
    budget : float, optional
        The most all features of the list may cost together.
    max_stages : int, optional
        The most stages, prefix and all.
    loss_cutoff : float, optional
        End when the loss is not above this.
    tol : float, optional
        End when no item (no list, looking ahead) lowers the loss by more than this. By default
        all features are added, whether they help or not.
    missing : {"error", "zero", "score"}, default="error"
        NaN is refused, adds nothing to a total, or adds a default score that is
        learned with the feature's score: one of the feature's scores, or 0.
    sample_weight : array-like of float, shape (n_samples,) or (n_pairs,), optional
        Of the samples, or of the pairs; not negative.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    max_states : int, default=5_000_000
        The most sets of items that an exhaustive search counts; more are refused at once, with an
        estimate.
    progress : callable, optional
        Called as ``progress(done, total)`` now and then.
    should_stop : callable, optional
        Called now and then; when it returns true, or at a KeyboardInterrupt, the best list so far
        is returned: the stages there are, or those an exhaustive search knows all lists of.
        An interrupt that nobody asked for by ``should_stop`` is a warning.

    Raises
    ------
    ValueError
        If anything is invalid, or the search is too large.

    Notes
    -----
    Losses are tied if they differ by less than 1e-12 of themselves, or by less than 1e-15. Of tied
    items comes the lowest feature, then the largest score in size, then the positive one, then
    the smallest default score; then the threshold that ignores the feature (never, then always),
    then the smallest threshold. So the first feature gets the largest score of its sign, and a
    stage at which nothing helps ignores its feature.

    In a beam, looking ahead and exhaustively, of each feature and score only the stage's best
    threshold is followed (exhaustively: every threshold).

    The loss of a pair is 0 if the total of its first sample is greater, 1/2 if both are equal and 1
    if it is less. All pairs of a positive and a negative sample give the same list as labels with
    ``loss="raw_rank"``, which does not list them.

    References
    ----------
    Hanselle et al. (2024), sections 4.1 and 4.3, equation 14.

    Examples
    --------
    >>> X = [[1, 0], [1, 0], [0, 1], [0, 0]]
    >>> learned = learn_scoring_list(X, [1, 1, 1, 0], score_set=(-1, 1, 2))
    >>> learned.features, learned.scores, learned.stage_losses.round(3)
    (array([0, 1]), array([2, 2]), array([0.811, 0.5  , 0.   ]))
    >>> pairs = [[0, 1], [1, 2], [0, 2]]
    >>> learned = learn_scoring_list([[1, 0], [0, 1], [0, 0]], pairs=pairs, loss="rank")
    >>> learned.scores, learned.stage_losses.round(3)
    (array([3, 2]), array([0.5  , 0.167, 0.   ]))
    """
    check_choice(search, "search", ("greedy", "beam", "exhaustive"))
    lookahead = check_integer(lookahead, "lookahead", minimum=1)
    beam_width = check_integer(beam_width, "beam_width", minimum=1)
    max_states = check_integer(max_states, "max_states", minimum=1)
    if lookahead > 1 and search != "greedy":
        raise ValueError(f"lookahead={lookahead} is for search='greedy'; got {describe(search)}.")
    watch = Watch(progress, should_stop)
    if (y is None) == (pairs is None):
        raise ValueError("give either y or pairs.")
    problem: LossProblem
    if pairs is not None:
        if not isinstance(loss, str) or loss not in ("rank", "raw_rank"):
            raise ValueError(
                f"loss must be 'rank' or 'raw_rank' to learn from pairs; got {describe(loss)}."
            )
        problem = _pair_problem(X, pairs, thresholds, missing, sample_weight)
    else:
        problem = _label_problem(X, y, loss, cost_fn, thresholds, missing, sample_weight, pos_label)
    plan = make_plan(
        problem,
        score_set=score_set,
        allowed_scores=allowed_scores,
        missing=missing,
        prefix=prefix,
        objective=objective,
        max_stages=max_stages,
        loss_cutoff=loss_cutoff,
        tol=tol,
        feature_costs=feature_costs,
        budget=budget,
        per_cost=search == "greedy" and lookahead == 1,
    )
    if search == "greedy":
        plan.check_lookahead(lookahead)
        path, reason = _greedy(plan, watch, lookahead)
    elif search == "beam":
        plan.check_beam(beam_width)
        path, reason = _beam(plan, beam_width, watch)
    else:
        space = _explore(plan, watch, max_states)
        path = _best_list(space)
        reason = plan.exhausted_reason(path.items) if space.is_whole else "stopped"
        path, reason = _shortened(plan, path, reason)
    if reason == "stopped" and should_stop is None:
        warnings.warn(
            f"The search was interrupted: the list has the {len(path.items)} stages found so far.",
            stacklevel=2,
        )
    return LearnedList(
        features=np.array([item.feature for item in path.items], dtype=np.intp),
        scores=np.array([item.score for item in path.items], dtype=np.intp),
        thresholds=np.array([item.threshold for item in path.items], dtype=np.float64),
        missing_scores=np.array([item.missing_score for item in path.items], dtype=np.intp),
        stage_losses=np.array(path.losses),
        stop_reason=reason,
    )


def _label_problem(
    X: ArrayLike,
    y: Any,
    loss: StageLoss,
    cost_fn: float,
    thresholds: str | None,
    missing: str,
    sample_weight: Weights,
    pos_label: Any,
) -> LossProblem:
    """Check labelled samples; leave out samples of weight 0."""
    nan = _check_handling(thresholds, missing)
    measure = batch_loss(loss, cost_fn)
    matrix = as_matrix(X)
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    positive, weight = check_samples(y, sample_weight, pos_label, "y", X=matrix)
    if weight is not None and not weight.all():
        has_weight = weight > 0
        matrix = matrix[has_weight]
        positive = positive[has_weight]
        weight = weight[has_weight]
        if positive.all() or not positive.any():
            raise ValueError("sample_weight leaves one class without weight; both are needed.")
    if thresholds is None:
        return BinaryLabels(BinaryColumns(matrix, nan=nan), positive, weight, measure)
    return NumberLabels(
        NumberColumns(matrix, nan=nan),
        positive,
        weight,
        measure,
        monotone=not callable(loss),
        bisect=thresholds == "bisect",
    )


def _pair_problem(
    X: ArrayLike, pairs: ArrayLike, thresholds: str | None, missing: str, sample_weight: Weights
) -> LossProblem:
    nan = _check_handling(thresholds, missing)
    matrix = as_matrix(X)
    rows = check_pairs(pairs, len(matrix))
    weight = check_weights(sample_weight, len(rows))
    if weight is None:
        weight = np.ones(len(rows))
    has_weight = weight > 0
    rows = rows[has_weight]
    weight = weight[has_weight]
    # samples that are in no pair are left out
    used, rows = np.unique(rows, return_inverse=True)
    matrix = matrix[used]
    rows = rows.reshape(-1, 2)
    if thresholds is None:
        return PairLossProblem(BinaryColumns(matrix, nan=nan), rows, weight)
    return NumberPairs(NumberColumns(matrix, nan=nan), rows, weight)


def _check_handling(thresholds: str | None, missing: str) -> bool:
    """Check the treatment of numbers and missing values; return whether NaN is allowed."""
    if thresholds is not None:
        check_choice(thresholds, "thresholds", ("brute", "bisect"))
    return check_choice(missing, "missing", ("error", "zero", "score")) != "error"


def check_pairs(pairs: Any, n_samples: int) -> NDArray[np.intp]:
    """Check pairs of rows: valid row numbers, and no row paired with itself."""
    rows = as_array(pairs, "pairs", "row numbers of X")
    if rows.dtype.kind not in "iu" or rows.ndim != 2 or rows.shape[1] != 2 or not len(rows):
        raise ValueError(
            "pairs must be row numbers of X, shape (n_pairs, 2), at least one pair; "
            f"got {rows.dtype} of shape {rows.shape}."
        )
    if rows.min() < 0 or rows.max() >= n_samples:
        raise ValueError(
            f"pairs must be row numbers from 0 to {n_samples - 1}; found {rows.min()} to "
            f"{rows.max()}."
        )
    if (rows[:, 0] == rows[:, 1]).any():
        raise ValueError(
            "pairs must consist of two different samples; some contain the same sample twice."
        )
    return rows.astype(np.intp)


# ---------------------------------------------------------------------- greedy


def _greedy(plan: Plan, watch: Watch, lookahead: int = 1) -> tuple[Path, str]:
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


def _beam(plan: Plan, beam_width: int, watch: Watch) -> tuple[Path, str]:
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
    return _shortened(plan, best, reason or plan.exhausted_reason(best.items))


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


def _shortened(plan: Plan, path: Path, reason: str) -> tuple[Path, str]:
    """Shorten the list to where it should end, and explain why."""
    for k in range(len(plan.start.items), len(path.items)):
        stop_reason = plan.stop_reason(path.losses[k], path.losses[k + 1])
        if stop_reason:
            return path.first_stages(k), stop_reason
    return path, reason


# ---------------------------------------------------------------------- exhaustive

Subset = tuple[int, ...]


@dataclass
class _SearchSpace:
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


def _explore(plan: Plan, watch: Watch, max_states: int) -> _SearchSpace:
    """Compute the loss of every set of items.

    A search that is stopped returns all sets up to some number of items.
    """
    start = plan.start
    problem = plan.problem
    used = [item.feature for item in start.items]
    features = [j for j in plan.choices if j not in used]
    items = {j: _every_item(plan, j) for j in features}
    n_states = plan.check_exhaustive([len(items[j]) for j in features], max_states)
    space = _SearchSpace(
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


def _best_list(space: _SearchSpace) -> Path:
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


def _follow_best(space: _SearchSpace, rest: dict[Subset, Floats]) -> Path:
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
    space: _SearchSpace, rest: dict[Subset, Floats], subset: Subset, options: tuple[int, ...]
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
