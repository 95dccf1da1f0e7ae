"""What a scoring list explorer shows at one setting, put together from the core's numbers.

Knows lists, samples and one case; nothing of traits, widgets or drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.scoring_lists.decisions import effort
from rocviz.core.scoring_lists.decisions import stops as stops_at
from rocviz.core.scoring_lists.stage import calls_positive
from rocviz.core.scoring_lists.totals import points
from rocviz.widgets.scoring_lists.data import AS_GIVEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.core.scoring_lists.scoring_list import ScoringList
    from rocviz.core.scoring_lists.stage_band import StageBand
    from rocviz.core.scoring_lists.stage_scores import StageScores
    from rocviz.widgets.scoring_lists.data import ListData, Samples

__all__ = [
    "Judged",
    "Rule",
    "ScoringListResult",
    "Stops",
    "Walk",
    "calls",
    "effective",
    "efforts",
    "forced",
    "judge",
    "shown",
    "stops",
    "walk",
]

Bands = tuple["StageBand", ...] | None


@dataclass(frozen=True)
class Rule:
    """When one stops asking, and what one decides then.

    Parameters
    ----------
    lower, upper : float
        Limits of the probability.
    by_interval : bool
        Whether the whole interval must be beyond a limit.
    cost_fn : float
        Cost of a miss, in false alarms.
    risk_averse : bool
        Whether the upper end of the interval decides where no limit was reached.
    """

    lower: float
    upper: float
    by_interval: bool
    cost_fn: float
    risk_averse: bool

    @property
    def limits(self) -> dict[str, Any]:
        """What the core calls the limits."""
        use = "interval" if self.by_interval else "point"
        return {"lower": self.lower, "upper": self.upper, "use": use}


@dataclass(frozen=True, eq=False)
class Walk(Frozen):
    """One case's way down a list; arrays of shape (n_reached + 1,), from before any question.

    Parameters
    ----------
    totals : ndarray of int
        Total score at each stage.
    probability, lower, upper : ndarray of float
        What the list says there; the ends of the interval are NaN without counts.
    is_sure : bool
        Whether a limit was reached at the last of these stages.
    positive : bool
        The class it would be called now.
    next_question : int or None
        Position of the question that is next; None when sure, or when all are answered.
    n_asked : int
        Features looked at.
    cost : float
        Of these.
    """

    totals: NDArray[np.int64]
    probability: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    is_sure: bool
    positive: bool
    next_question: int | None
    n_asked: int
    cost: float

    @property
    def stage(self) -> int:
        """How many questions it has gone through."""
        return int(self.totals.size) - 1


@dataclass(frozen=True, eq=False)
class Stops(Frozen):
    """Where the samples stop.

    Parameters
    ----------
    share : ndarray of float, shape (K + 1,)
        Of the samples, by the stage where they stop.
    sure : float
        Share of those that reach a limit.
    n_asked, cost : float
        Means over the samples.
    """

    share: NDArray[np.float64]
    sure: float
    n_asked: float
    cost: float


@dataclass(frozen=True, eq=False)
class Judged:
    """A list's losses on what it was counted on, and on other samples."""

    train: StageScores | None
    test: StageScores | None

    def curve(self, side: str, quantity: str) -> NDArray[np.float64] | None:
        """Return a quantity by stage, or None where there are no samples."""
        scores = getattr(self, side)
        return None if scores is None else np.asarray(getattr(scores, quantity))


@dataclass(frozen=True, eq=False)
class ScoringListResult:
    """Everything the scoring list explorer shows at one setting.

    Parameters
    ----------
    scoring_list : ScoringList
        As it is shown, with the points and the calibration held.
    learned : ScoringList
        With the points it came with.
    bands : tuple of StageBand, or None
        One per stage; None without counts.
    walk : Walk
        The case's.
    judged, judged_learned : Judged
        Of both lists.
    stops : Stops or None
        Of the samples it is judged on.
    calls : tuple of ndarray of int
        For each stage, at each total in decreasing order: 1 where one stops as positive, -1
        where as negative, 0 where one goes on.
    n_asked, cost : ndarray, shape (K + 1,)
        What has been looked at by each stage, and its cost.
    """

    scoring_list: ScoringList
    learned: ScoringList
    bands: Bands
    walk: Walk
    judged: Judged
    judged_learned: Judged
    stops: Stops | None
    calls: tuple[NDArray[np.int8], ...]
    n_asked: NDArray[np.int64]
    cost: NDArray[np.float64]

    @property
    def is_edited(self) -> bool:
        """Whether points differ from those it came with."""
        return self.scoring_list.scores.tolist() != self.learned.scores.tolist()


def forced(scoring_list: ScoringList, k: int) -> int | None:
    """Return 1 or 0 where the k-th question has the same answer for everybody, else None."""
    threshold = float(scoring_list.thresholds[k])
    if np.isinf(threshold) and scoring_list.missing == "error":
        return int(threshold < 0)
    return None


def effective(scoring_list: ScoringList, answers: Sequence[int | None]) -> list[int]:
    """Return the answers that count, in the core's code: 1 yes, 0 no, -1 missing.

    They end where an answer is unknown; a list that takes missing values goes on as long as
    a later question is answered.
    """
    known = [forced(scoring_list, k) if a is None else a for k, a in enumerate(answers)]
    if scoring_list.missing == "error":
        end = known.index(None) if None in known else len(known)
    else:
        end = max((k + 1 for k, a in enumerate(known) if a is not None), default=0)
    return [-1 if a is None else int(a) for a in known[:end]]


def calls(scoring_list: ScoringList, bands: Bands, rule: Rule) -> tuple[NDArray[np.int8], ...]:
    """Return where one stops, and as what, at every total of every stage."""
    made = []
    for k, stage in enumerate(scoring_list.stages):
        no, yes = stops_at(stage, None if bands is None else bands[k], **rule.limits)
        made.append(read_only(yes.astype(np.int8) - no.astype(np.int8)))
    return tuple(made)


def walk(
    scoring_list: ScoringList,
    answers: Sequence[int | None],
    rule: Rule,
    bands: Bands,
    called: Sequence[NDArray[np.int8]],
    spent: tuple[NDArray[np.int64], NDArray[np.float64]],
) -> Walk:
    """Follow a case down a list until a limit is reached or its answers end.

    Parameters
    ----------
    scoring_list : ScoringList
    answers : sequence of {1, 0, None}
        In list order.
    rule : Rule
    bands : tuple of StageBand, or None
    called : sequence of ndarray
        What :func:`calls` gave.
    spent : tuple of ndarray
        What :func:`efforts` gave.

    Returns
    -------
    Walk
    """
    given = effective(scoring_list, answers)
    worth = scoring_list.scores.tolist(), scoring_list.missing_scores.tolist()
    rows, total = [], 0
    for k, stage in enumerate(scoring_list.stages):
        at = int(np.flatnonzero(stage.totals == total)[0])
        p, call = float(stage.probability[at]), int(called[k][at])
        ends = (np.nan, np.nan)
        if bands is not None:
            ends = float(bands[k].lower[at]), float(bands[k].upper[at])
        rows.append((total, p, *ends))
        if call or k == len(given):
            break
        total += int(points(np.array([given[k]]), worth[0][k], worth[1][k])[0])
    totals, probability, lower, upper = (np.array(c) for c in zip(*rows, strict=True))
    basis = ends[1] if rule.risk_averse else p
    return Walk(
        totals,
        probability,
        lower,
        upper,
        is_sure=bool(call),
        positive=call > 0 or (call == 0 and bool(calls_positive(basis, rule.cost_fn))),
        next_question=None if call or k == len(scoring_list) else k,
        n_asked=int(spent[0][k]),
        cost=float(spent[1][k]),
    )


def efforts(scoring_list: ScoringList, costs: Sequence[float]) -> tuple[Any, Any]:
    """Return features looked at, and their cost, by stage; ``costs`` are in list order."""
    return effort(
        scoring_list, by_column(scoring_list, costs), int(scoring_list.features.max()) + 1
    )


def by_column(
    scoring_list: ScoringList, costs: Sequence[float], n_columns: int | None = None
) -> NDArray[np.float64]:
    """Return the costs of questions as costs of columns."""
    size = int(scoring_list.features.max()) + 1 if n_columns is None else n_columns
    price = np.ones(size)
    # of a column that is asked for twice, the first question pays
    price[scoring_list.features[::-1]] = costs[::-1]
    return read_only(price)


def shown(data: ListData, scores: tuple[int, ...], calibration: str) -> ScoringList:
    """Return a list with some points and calibration; the one it came as where nothing differs."""
    given = data.scoring_list
    edited = scores != tuple(given.scores.tolist())
    if not edited and calibration == AS_GIVEN:
        return given
    if not edited and given.stages[0].has_counts:
        return given.with_calibration(calibration)
    fit = data.fit
    assert fit is not None
    return given.with_scores(
        scores, fit.X, fit.positive, sample_weight=fit.weight, calibration=calibration
    )


def judge(data: ListData, scoring_list: ScoringList, **options: Any) -> Judged:
    """Return losses by stage on the list's own counts and on the samples to judge by."""
    train: StageScores | None = None
    if scoring_list.stages[0].has_counts:
        train = scoring_list.stage_scores(**options)
    elif data.fit is not None:
        train = _evaluate(scoring_list, data.fit, options)
    test = None if data.judge is None else _evaluate(scoring_list, data.judge, options)
    return Judged(train, test)


def _evaluate(scoring_list: ScoringList, samples: Samples, options: Any) -> StageScores:
    return scoring_list.evaluate(
        samples.X, samples.positive, sample_weight=samples.weight, **options
    )


def stops(
    scoring_list: ScoringList, samples: Samples, costs: Sequence[float], **options: Any
) -> Stops:
    """Return where samples stop."""
    made = scoring_list.decide(
        samples.X,
        feature_costs=by_column(scoring_list, costs, samples.X.shape[1]),
        **options,
    )
    weight = samples.weight / samples.n_samples
    return Stops(
        share=np.asarray(
            np.bincount(made.stage, weights=weight, minlength=len(scoring_list) + 1), dtype=float
        ),
        sure=float(weight @ made.is_confident),
        n_asked=float(weight @ made.n_asked),
        cost=float(weight @ made.cost),
    )
