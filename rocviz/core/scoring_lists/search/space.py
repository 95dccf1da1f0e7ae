"""The losses of all scoring lists by stage, and the position of the greedy one among them.

Small data only: the number of lists grows faster than exponentially.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.progress import SimulationStopped
from rocviz.core.base.validation import Floats, Seed, Weights, check_integer, check_random_state
from rocviz.core.scoring_lists.search._exhaustive import best_path, explore, random_curves
from rocviz.core.scoring_lists.search._items import margin
from rocviz.core.scoring_lists.search._plan import Progress, Watch, make_plan
from rocviz.core.scoring_lists.search._strategies import greedy
from rocviz.core.scoring_lists.search.search import (
    DEFAULT_SCORES,
    LearnedList,
    as_learned,
    label_problem,
)
from rocviz.core.scoring_lists.search.stage_loss import StageLoss


@dataclass(frozen=True, eq=False)
class SearchSpace(Frozen):
    """The losses of all scoring lists of some data.

    The loss of a stage depends on its features and scores, not on their order; so each set is
    counted once for all orders.

    Parameters
    ----------
    losses : tuple of ndarray of float
        For every stage, from 0 on, the losses of all its sets of features and scores, rising.
    greedy : LearnedList
        The list that greedy search finds.
    optimal : LearnedList
        The list with the least mean loss over its stages.
    curves : ndarray of float, shape (n_curves, n_stages + 1)
        Losses along lists drawn at random.
    n_lists : int
        How many lists there are.
    """

    losses: tuple[Floats, ...]
    greedy: LearnedList
    optimal: LearnedList
    curves: Floats
    n_lists: int

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "losses", tuple(read_only(x.copy()) for x in self.losses))

    @property
    def n_sets(self) -> int:
        """Number of sets of features and scores over all stages."""
        return sum(stage.size for stage in self.losses)

    @property
    def lower_envelope(self) -> Floats:
        """Least loss of each stage, shape (n_stages + 1,); no single list may attain all of it."""
        return np.array([stage[0] for stage in self.losses])

    @property
    def share_better(self) -> Floats:
        """Share of each stage's sets that lose less than greedy, shape (n_stages + 1,)."""
        return np.array(
            [
                np.searchsorted(stage, loss - margin(loss)) / stage.size
                for stage, loss in zip(self.losses, self.greedy.stage_losses, strict=True)
            ]
        )

    def to_frame(self) -> DataFrame:
        """Tabulate the stages, one row each.

        Columns ``stage, n_sets, least, median, greatest, greedy, optimal, share_better``.
        """
        return to_frame(
            stage=np.arange(len(self.losses)),
            n_sets=[stage.size for stage in self.losses],
            least=self.lower_envelope,
            median=[float(np.median(stage)) for stage in self.losses],
            greatest=[stage[-1] for stage in self.losses],
            greedy=self.greedy.stage_losses,
            optimal=self.optimal.stage_losses,
            share_better=self.share_better,
        )


def search_space(
    X: ArrayLike,
    y: ArrayLike,
    *,
    score_set: Iterable[int] = DEFAULT_SCORES,
    loss: StageLoss = "entropy",
    cost_fn: float = 1.0,
    thresholds: str | None = None,
    prefix: Iterable[Sequence[Any]] | None = None,
    allowed_scores: Mapping[int, Iterable[int]] | None = None,
    max_stages: int | None = None,
    missing: str = "error",
    sample_weight: Weights = None,
    pos_label: Any = None,
    n_curves: int = 200,
    random_state: Seed = None,
    max_states: int = 5_000_000,
    progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> SearchSpace:
    """Compute the losses of all scoring lists, and of the greedy one among them.

    Parameters
    ----------
    X, y, score_set, loss, cost_fn, thresholds, prefix, allowed_scores, max_stages, missing, \
    sample_weight, pos_label, max_states, progress, should_stop
        As for :func:`rocviz.core.scoring_lists.search.search.learn_scoring_list`.
    n_curves : int, default=200
        Lists to draw at random, each next feature and score being equally likely.
    random_state : int, RandomState, Generator or None, default=None
        Source of the random numbers of these lists.

    Raises
    ------
    ValueError
        If anything is invalid, or there are too many lists.
    SimulationStopped
        If ``should_stop`` said so. There are never results of some of the lists.

    References
    ----------
    Hanselle et al. (2024), Figures 2 and 3.

    Examples
    --------
    >>> X = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 0, 1]]
    >>> space = search_space(X, [1, 1, 1, 0], score_set=(-1, 1), n_curves=0)
    >>> space.n_lists, space.n_sets
    (48, 27)
    >>> space.share_better
    array([0., 0., 0., 0.])
    """
    n_drawn = check_integer(n_curves, "n_curves", minimum=0)
    max_states = check_integer(max_states, "max_states", minimum=1)
    rng = check_random_state(random_state)
    problem = label_problem(X, y, loss, cost_fn, thresholds, missing, sample_weight, pos_label)
    plan = make_plan(
        problem,
        score_set=score_set,
        allowed_scores=allowed_scores,
        missing=missing,
        prefix=prefix,
        max_stages=max_stages,
    )
    most = plan.limits.max_stages + 1
    check_effort(seconds=2e-5 * n_drawn * most, numbers=3 * n_drawn * most, n_curves=n_drawn)
    space = explore(plan, Watch(progress, should_stop), max_states)
    if not space.is_whole:
        raise SimulationStopped("The search was stopped; there is no result.")
    levels: list[list[Floats]] = [[] for _ in range(space.depth + 1)]
    for subset, loss_of_sets in space.losses.items():
        levels[len(subset)].append(loss_of_sets.ravel())
    losses = [np.array([loss]) for loss in plan.start.losses[:-1]]
    losses += [np.sort(np.concatenate(level)) for level in levels]
    best = best_path(space)
    forced = np.tile(plan.start.losses[:-1], (n_drawn, 1))
    return SearchSpace(
        losses=tuple(losses),
        greedy=as_learned(*greedy(plan, Watch())),
        optimal=as_learned(best, plan.why_ended(best.items)),
        curves=np.hstack((forced, random_curves(space, n_drawn, rng))),
        n_lists=factorial(space.depth) * losses[-1].size,
    )
