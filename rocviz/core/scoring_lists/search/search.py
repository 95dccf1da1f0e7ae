"""Learning a scoring list: which feature next, with which score and threshold.

Greedy, some stages ahead, by beam or exhaustively, from labels or from pairs. Knows nothing of
probabilities or of how a list is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, Frozen
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_choice,
    check_integer,
    check_sequence,
    describe,
)
from rocviz.core.scoring_lists.search._exhaustive import best_path, explore, n_sets
from rocviz.core.scoring_lists.search._guard import check_beam, check_greedy
from rocviz.core.scoring_lists.search._plan import End, Path, Plan, Progress, Watch
from rocviz.core.scoring_lists.search._setup import (
    DEFAULT_SCORES,
    AnyProblem,
    Ask,
    label_problem,
    make_plan,
    pair_problem,
)
from rocviz.core.scoring_lists.search._strategies import beam, greedy, shortened
from rocviz.core.scoring_lists.search.stage_loss import StageLoss

_SEARCHES = ("greedy", "beam", "exhaustive")


@dataclass(frozen=True, eq=False)
class LearnedList(Frozen):
    """A scoring list as it was learned, without probabilities.

    Parameters
    ----------
    features : ndarray of int, shape (n_stages,)
        Columns of X in the order in which they are asked.
    scores : ndarray of int, shape (n_stages,)
        What each adds to the total where its answer is yes.
    thresholds : ndarray of float, shape (n_stages,)
        The answer is yes where ``x > threshold``. NaN means that the column is 0 or 1 already. With
        an infinite threshold the stage ignores its feature, whose answer is never (``inf``) or
        always (``-inf``) yes.
    missing_scores : ndarray of int, shape (n_stages,)
        What each adds where it is missing.
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

    def to_frame(self) -> DataFrame:
        """Return one row per stage, the prior first.

        Columns ``stage, feature, threshold, score, missing_score, loss``; the prior has no feature
        and no score (NA).
        """
        import pandas as pd

        def after_prior(values: NDArray[Any]) -> Any:
            return pd.array([pd.NA, *values.tolist()], dtype="Int64")

        return pd.DataFrame(
            {
                "stage": np.arange(len(self) + 1),
                "feature": after_prior(self.features),
                "threshold": np.concatenate(([np.nan], self.thresholds)),
                "score": after_prior(self.scores),
                "missing_score": after_prior(self.missing_scores),
                "loss": self.stage_losses,
            }
        )


def learn_scoring_list(
    X: ArrayLike,
    y: ArrayLike,
    *,
    score_set: Iterable[int] = DEFAULT_SCORES,
    loss: StageLoss = "entropy",
    cost_fn: float = 1.0,
    thresholds: str | None = None,
    search: str = "greedy",
    lookahead: int = 1,
    width: int = 10,
    objective: str = "mean",
    prefix: Iterable[Sequence[Any]] | None = None,
    allowed_scores: Mapping[int, Iterable[int]] | None = None,
    costs: ArrayLike | None = None,
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
    """Learn a scoring list from class labels.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features)
        0 and 1 (or booleans); any finite numbers if ``thresholds`` is set.
    y : array-like, shape (n_samples,)
        Labels of two classes.
    score_set : iterable of int, default=(-3, -2, -1, 1, 2, 3)
        Scores a feature may get: other than 0, from -1000 to 1000. Without negative ones,
        features that speak against the positive class are of no use.
    loss : {"entropy", "brier", "rank", "raw_rank", "cost"} or callable, default="entropy"
        Loss of a stage, which the search makes small, see
        :func:`rocviz.core.scoring_lists.search.stage_loss.stage_loss`. All but "raw_rank", which
        compares the totals as they are, are of isotonic probabilities. A callable gets the
        stage's observed totals as :class:`RankedSegments`.
    cost_fn : float, default=1.0
        Cost of a false negative for ``loss="cost"``; a false positive costs 1.
    thresholds : {"brute", "bisect"} or None, default=None
        How thresholds are chosen together with feature and score: the best of all midpoints,
        or of some, always halving the way to the best one's neighbours. Never and always are
        among them, and a column of 0 and 1 has 0.5. ``None``: X is 0 or 1.
    search : {"greedy", "beam", "exhaustive"}, default="greedy"
        The best item stage by stage; the ``width`` best lists of each length; all lists.
    lookahead : int, default=1
        How many stages greedy search looks ahead before it adds one.
    width : int, default=10
        Width of the beam.
    objective : {"mean", "last"}, default="mean"
        By what lists of several stages are compared: the mean of their losses, or the last
        loss. Greedy search with ``lookahead=1`` need not ask.
    prefix : iterable of tuple, optional
        Lines the list begins with: ``(feature, score, threshold, missing score)``, of which
        all but the feature may be left out or ``None`` and are learned then.
    allowed_scores : mapping from int to iterable of int, optional
        Scores of single features, in place of ``score_set``.
    costs : array-like of float, shape (n_features,), optional
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
        What NaN does: it is refused, adds nothing to a total, or adds a default score that is
        learned with the feature's score: one of the feature's scores, or 0.
    sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    max_states : int, default=5_000_000
        The most sets of items that an exhaustive search counts, and the most items that a beam
        or looking ahead does; more are refused at once, with an estimate.
    progress : callable, optional
        Called as ``progress(done, total)`` now and then.
    should_stop : callable, optional
        Called now and then; when it says true, or at a KeyboardInterrupt, the best list so far
        is returned: the stages there are, or those an exhaustive search knows all lists of.

    Notes
    -----
    Losses are tied if they differ by less than 1e-12 of themselves, or by less than about 1e-15 of
    the loss of the empty list. Of tied items comes the
    lowest feature, then the largest score in size, then the positive one, then the smallest
    default score; then the threshold that ignores the feature (never, then always), then the
    smallest threshold. So the first feature gets the largest score of its sign, and a stage at
    which nothing helps ignores its feature.

    In a beam, looking ahead and exhaustively, of each feature and score only the stage's best
    threshold is followed (exhaustively: every threshold).

    References
    ----------
    Hanselle et al. (2024), sections 4.1 and 4.3.

    Examples
    --------
    >>> X = [[1, 0], [1, 0], [0, 1], [0, 0]]
    >>> learned = learn_scoring_list(X, [1, 1, 1, 0], score_set=(-1, 1, 2))
    >>> learned.features, learned.scores, learned.stage_losses.round(3)
    (array([0, 1]), array([2, 2]), array([0.811, 0.5  , 0.   ]))
    """
    problem = label_problem(X, y, loss, cost_fn, thresholds, missing, sample_weight, pos_label)
    return _learn(
        problem,
        Ask(score_set, allowed_scores, missing, prefix, objective),
        End(max_stages, loss_cutoff, tol, costs, budget),
        (search, lookahead, width, max_states),
        Watch(progress, should_stop),
    )


def learn_from_pairs(
    X: ArrayLike,
    pairs: ArrayLike,
    *,
    score_set: Iterable[int] = DEFAULT_SCORES,
    thresholds: str | None = None,
    search: str = "greedy",
    lookahead: int = 1,
    width: int = 10,
    objective: str = "mean",
    prefix: Iterable[Sequence[Any]] | None = None,
    allowed_scores: Mapping[int, Iterable[int]] | None = None,
    costs: ArrayLike | None = None,
    budget: float | None = None,
    max_stages: int | None = None,
    loss_cutoff: float | None = None,
    tol: float | None = None,
    missing: str = "error",
    sample_weight: Weights = None,
    max_states: int = 5_000_000,
    progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> LearnedList:
    """Learn a scoring list from pairs of samples, by the soft rank loss.

    The loss of a pair is 0 if the total of its first sample is greater, 1/2 if both are equal
    and 1 if it is less; the loss of a stage is the mean over the pairs.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features)
        See :func:`learn_scoring_list`. Samples that are in no pair are not looked at.
    pairs : array-like of int, shape (n_pairs, 2)
        Rows of X; the first of a pair is to rank above the second.
    thresholds : {"brute", "bisect"} or None, default=None
        Choose the best thresholds, or take X for 0 and 1. One pass over the pairs gives the
        loss of every threshold, so both names look at all of them.
    sample_weight : array-like of float, shape (n_pairs,), optional
        Of the pairs; not negative.
    score_set, search, lookahead, width, objective, prefix, allowed_scores, costs, budget, \
    max_stages, loss_cutoff, tol, missing, max_states, progress, should_stop
        As for :func:`learn_scoring_list`.

    Notes
    -----
    All pairs of a positive and a negative sample give the same list as labels with
    ``loss="raw_rank"``, which does not list them. ``loss="rank"`` needs the labels to calibrate.

    References
    ----------
    Hanselle et al. (2024), equation 14.

    Examples
    --------
    >>> learned = learn_from_pairs([[1, 0], [0, 1], [0, 0]], [[0, 1], [1, 2], [0, 2]])
    >>> learned.scores, learned.stage_losses.round(3)
    (array([3, 2]), array([0.5  , 0.167, 0.   ]))
    """
    problem = pair_problem(X, pairs, thresholds, missing, sample_weight)
    return _learn(
        problem,
        Ask(score_set, allowed_scores, missing, prefix, objective),
        End(max_stages, loss_cutoff, tol, costs, budget),
        (search, lookahead, width, max_states),
        Watch(progress, should_stop),
    )


class SearchSize(NamedTuple):
    """How large an exhaustive search is.

    Attributes
    ----------
    n_lists : int
        Lists there are.
    n_sets : int
        Sets of items that are counted to find the best of them.
    """

    n_lists: int
    n_sets: int


def n_lists(n_options: Iterable[int], max_stages: int | None = None) -> SearchSize:
    """Return how large an exhaustive search is.

    Parameters
    ----------
    n_options : iterable of int
        Of every feature: in how many ways it may enter the list, which is the number of its
        scores, times its thresholds if they are searched (distinct values, "never" being one
        of the thresholds), times its default scores if they are learned.
    max_stages : int, optional
        Length of the lists; by default all features.

    Returns
    -------
    SearchSize
        ``n_lists`` counts lists of just that length; ``n_sets`` the sets of items of any
        length up to it, which is what takes the time.

    Raises
    ------
    ValueError
        If ``max_stages`` or a number of options is negative or no integer.

    Examples
    --------
    >>> n_lists([3] * 10)
    SearchSize(n_lists=214277011200, n_sets=1048576)
    """
    each = check_sequence(n_options, "n_options", "whole numbers, one for each feature")
    options = [check_integer(n, "n_options", minimum=0) for n in each]
    stages = len(options)
    if max_stages is not None:
        stages = min(check_integer(max_stages, "max_stages", minimum=0), stages)
    sets = n_sets(options, stages)
    return SearchSize(factorial(stages) * sets[stages], sum(sets))


def _learn(
    problem: AnyProblem, ask: Ask, end: End, how: tuple[str, int, int, int], watch: Watch
) -> LearnedList:
    search, lookahead, width, max_states = how
    check_choice(search, "search", _SEARCHES)
    lookahead = check_integer(lookahead, "lookahead", minimum=1)
    width = check_integer(width, "width", minimum=1)
    max_states = check_integer(max_states, "max_states", minimum=1)
    if lookahead > 1 and search != "greedy":
        raise ValueError(f"lookahead={lookahead} is for search='greedy'; got {describe(search)}.")
    plan = make_plan(problem, ask, end, per_cost=search == "greedy" and lookahead == 1)
    if search == "greedy":
        check_greedy(plan, lookahead, max_states)
        return as_learned(plan, *greedy(plan, watch, lookahead))
    if search == "beam":
        check_beam(plan, width, max_states)
        return as_learned(plan, *beam(plan, width, watch))
    space, is_whole = explore(plan, watch, max_states)
    path = best_path(space)
    reason = plan.why_ended(path.items) if is_whole else "stopped"
    return as_learned(plan, *shortened(plan, path, reason))


def as_learned(plan: Plan, path: Path, reason: str) -> LearnedList:
    """Return a list without what was needed to find it."""
    return LearnedList(
        features=np.array([item.feature for item in path.items], dtype=np.intp),
        scores=np.array([item.score for item in path.items], dtype=np.intp),
        thresholds=np.array([item.threshold for item in path.items], dtype=np.float64),
        missing_scores=np.array([item.missing_score for item in path.items], dtype=np.intp),
        stage_losses=np.ldexp(path.losses, plan.exponent),
        stop_reason=reason,
    )
