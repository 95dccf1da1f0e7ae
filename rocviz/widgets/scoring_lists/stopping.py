"""The stages at which samples stop on a scoring list, and the questions asked by then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.roc.auc_intervals import has_whole_weights
from rocviz.core.scoring_lists.decisions import cumulative_costs
from rocviz.core.scoring_lists.decisions import stops as stops_at
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.widgets.scoring_lists.data import Samples

#: A promise of all or nothing is as one that is this close to it.
PROMISE_MARGIN = 1e-9

Limits = tuple[float | None, float | None]
StageDecisions = tuple[NDArray[np.int8], ...]


class Bands(Sequence[StageBand]):
    """The bands of all stages; each is worked out when it is first looked at."""

    def __init__(
        self, stages: Sequence[ScoringStage], band: Callable[[ScoringStage], StageBand]
    ) -> None:
        self._stages = stages
        self._band = band

    def __len__(self) -> int:
        return len(self._stages)

    def __getitem__(self, k: Any) -> Any:
        return self._band(self._stages[k])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bands themselves, not the function that works them out."""
        return tuple, (tuple(self),)


@dataclass(frozen=True, eq=False)
class Stops(Frozen):
    """The stages at which samples stop."""

    # (K + 1,): of the samples, by the stage where they stop; in the last one are also those that
    # have been asked to the end without reaching a limit
    share: NDArray[np.float64]
    # (K + 1,): of the samples, those that reach the one limit or the other at each stage
    negative: NDArray[np.float64]
    positive: NDArray[np.float64]
    # means over the samples
    n_asked: float
    cost: float
    sample_kind: str  # what the samples are

    @property
    def stopped_share(self) -> float:
        """Share of those that reach a limit."""
        return sum(self.stopped_share_by(len(self.share) - 1))

    @property
    def open_share(self) -> float:
        """Share of those that reach no limit."""
        # none of them are 0 %, not "< 1 %"
        return max(0.0, round(1 - self.stopped_share, 12))

    def stopped_share_by(self, stage: int) -> tuple[float, float]:
        """Sum the shares that have reached the lower, and the upper, limit by a stage."""
        negative = float(self.negative[: stage + 1].sum())
        positive = float(self.positive[: stage + 1].sum())
        # all of them are 100 %, not "> 99 %"
        return round(negative, 12), round(positive, 12)


def only_answer(scoring_list: ScoringList, k: int) -> int | None:
    """Find the only possible answer, 1 or 0, to the k-th question; None if there are two."""
    threshold = float(scoring_list.thresholds[k])
    if np.isinf(threshold) and scoring_list.missing == "error":
        return int(threshold < 0)
    return None


def efforts(scoring_list: ScoringList, costs: Sequence[float]) -> tuple[Any, Any]:
    """Count features looked at, and add up their cost, by stage; ``costs`` are in list order."""
    price = by_column(scoring_list, costs)
    return cumulative_costs(scoring_list, price, price.size)


def by_column(
    scoring_list: ScoringList, costs: Sequence[float], n_columns: int | None = None
) -> NDArray[np.float64]:
    """Turn the costs of questions into costs of columns."""
    size = int(scoring_list.features.max()) + 1 if n_columns is None else n_columns
    price = np.ones(size)
    # of a column that is asked for twice, the first question pays
    price[scoring_list.features[::-1]] = costs[::-1]
    return read_only(price)


def question_points(scoring_list: ScoringList, k: int) -> NDArray[np.int64]:
    """List the points of the answers 0, 1 and -1 (missing) to question k; -1 is the last."""
    return np.array([0, scoring_list.scores[k], scoring_list.missing_scores[k]])


def total_indices(scoring_list: ScoringList, samples: Samples) -> tuple[NDArray[np.int32], ...]:
    """Find the total, counted from 0, of every sample at each stage."""
    answers = scoring_list.binarize(samples.X)
    total = np.zeros(len(answers), dtype=np.int64)
    at_stages = []
    for k, stage in enumerate(scoring_list.stages):
        if k:
            total += question_points(scoring_list, k - 1)[answers[:, k - 1]]
        index = len(stage) - 1 - np.searchsorted(stage.totals[::-1], total)
        at_stages.append(read_only(index.astype(np.int32)))
    return tuple(at_stages)


def stage_decisions(
    scoring_list: ScoringList, bands: Bands | None, **limits: Any
) -> StageDecisions:
    """Mark at every total of every stage the answer: ruled in 1, ruled out -1, neither 0.

    Limits are ``lower``, ``upper`` and ``use``, as for ``ScoringList.decide``.
    """
    decisions = []
    for k, stage in enumerate(scoring_list.stages):
        band = None
        if bands is not None and limits["use"] == "interval":
            band = bands[k]
        negative, positive = stops_at(stage, band, **limits)
        decisions.append(read_only(positive.astype(np.int8) - negative.astype(np.int8)))
    return tuple(decisions)


def can_guarantee(samples: Samples | None) -> bool:
    """Whether there are held-out samples, and weights count them."""
    return samples is not None and has_whole_weights(samples.weight, samples.weight)


def guaranteed_limits(
    scoring_list: ScoringList, samples: Samples, lower: float, upper: float, guarantee: float
) -> Limits:
    """Make limits so strict that they keep their promises on new data.

    Of those ruled out at most a share ``lower`` is promised to be positive, of those ruled in at
    least a share ``upper``.
    """
    margin = PROMISE_MARGIN
    npv, ppv = (float(np.clip(share, margin, 1 - margin)) for share in (1 - lower, upper))
    return scoring_list.guaranteed_limits(
        samples.X,
        samples.positive,
        sample_weight=samples.weight,
        npv=npv,
        ppv=ppv,
        guarantee=guarantee,
        max_lower=lower,
        min_upper=upper,
    )


def ends_of_samples(
    scoring_list: ScoringList,
    samples: Samples,
    bands: Bands | None,
    indices_of: Callable[[ScoringList, Samples], tuple[NDArray[np.int32], ...]],
    **limits: Any,
) -> NDArray[np.float64]:
    """Compute the shares of samples by how and where their walks end, shape (3, K + 1).

    They end as negative, without having reached a limit, and as positive. ``indices_of`` is
    :func:`total_indices`, or remembers what it gave; limits are as for :func:`stage_decisions`.
    """
    indices = indices_of(scoring_list, samples)
    n_stages = len(indices)
    ends = np.zeros((3, n_stages))
    weight = samples.weight / samples.n_samples
    walking = np.arange(samples.weight.size)
    for k, decisions in enumerate(stage_decisions(scoring_list, bands, **limits)):
        decision = decisions[indices[k][walking]]
        ends[:, k] = np.bincount(decision + 1, weights=weight[walking], minlength=3)
        if k < n_stages - 1:
            ends[1, k] = 0.0
            goes_on = decision == 0
            walking = walking[goes_on]
    return read_only(ends)


def stops(ends: NDArray[np.float64], effort: tuple[Any, Any], sample_kind: str) -> Stops:
    """Summarize where samples stop, from how they end and what :func:`efforts` gave."""
    share = ends.sum(axis=0)
    n_asked, cost = effort
    return Stops(
        share=share,
        negative=ends[0],
        positive=ends[2],
        n_asked=float(share @ n_asked),
        cost=float(share @ cost),
        sample_kind=sample_kind,
    )


def ends_of_answers(
    scoring_list: ScoringList, decisions: StageDecisions
) -> NDArray[np.float64] | None:
    """Compute the shares of all ways to answer by how they end, as :func:`ends_of_samples`.

    None where a column is asked for twice, as its answers depend on each other.
    """
    if len(set(scoring_list.features.tolist())) < len(scoring_list):
        return None
    size = len(scoring_list)
    ends = np.zeros((3, size + 1))
    walking: dict[int, float] = {0: 1.0}
    for k, stage in enumerate(scoring_list.stages):
        if k:
            score = int(scoring_list.scores[k - 1])
            fixed = only_answer(scoring_list, k - 1)
            answers = (0, 1) if fixed is None else (fixed,)
            before = walking
            walking = defaultdict(float)
            for (total, weight), answer in product(before.items(), answers):
                walking[total + score * answer] += weight / len(answers)
        for total, decision in zip(stage.totals.tolist(), decisions[k].tolist(), strict=True):
            if total in walking and (decision or k == size):
                ends[decision + 1, k] += walking.pop(total)
    return ends
