"""The result of a scoring list explorer at one setting, put together from the core's numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, Frozen
from rocviz.core.scoring_lists.scoring_list import ScoringList, StageScores
from rocviz.core.scoring_lists.stage import predicts_positive
from rocviz.widgets.scoring_lists.data import AS_GIVEN_PRESET, ListData, Samples
from rocviz.widgets.scoring_lists.stopping import (
    Bands,
    Limits,
    Stops,
    only_answer,
    question_points,
)

Counts = list[tuple["NDArray[np.float64]", "NDArray[np.float64]"]]

#: What is computed by stage from samples.
LOSSES = ("entropy", "brier", "auc", "expected_loss", "loss")


@dataclass(frozen=True)
class Rule(Frozen):
    """When one stops asking, and what one decides then."""

    # limits of the probability; without one, that side never stops
    lower: float | None
    upper: float | None
    by_interval: bool  # whether the whole interval must be beyond a limit
    cost_fn: float  # cost of a miss, in false alarms
    risk_averse: bool  # whether the upper end of the interval decides where no limit was reached

    @property
    def limits(self) -> dict[str, Any]:
        """The limits, as the core names them."""
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
    is_confident : bool
        Whether a limit was reached at the last of these stages.
    positive : bool
        The class that would be predicted now.
    next_question : int or None
        Position of the question that is next; None when confident, or when all are answered.
    n_asked : int
        Features looked at.
    cost : float
        Cost of these.
    n : float
        Samples that had the last of these totals; NaN without counts.
    is_narrow : bool
        Whether a limit was reached by the probability, but not by its whole interval.
    """

    totals: NDArray[np.int64]
    probability: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    is_confident: bool
    positive: bool
    next_question: int | None
    n_asked: int
    cost: float
    n: float
    is_narrow: bool

    @property
    def stage(self) -> int:
        """The number of questions asked."""
        return int(self.totals.size) - 1


@dataclass(frozen=True, eq=False)
class EvaluatedList(Frozen):
    """A list's losses on what it was counted on, and on other samples."""

    train: StageScores | None
    test: StageScores | None

    def curve(self, side: str, quantity: str) -> NDArray[np.float64] | None:
        """Look up a quantity by stage; None where there are no samples."""
        scores = getattr(self, side)
        return None if scores is None else np.asarray(getattr(scores, quantity))


@dataclass(frozen=True, eq=False)
class ScoringListResult(Frozen):
    """Everything the scoring list explorer shows at one setting.

    Parameters
    ----------
    scoring_list : ScoringList
        As it is shown, with the selected points and calibration.
    learned : ScoringList
        With the points it came with.
    bands : Bands or None
        One per stage; None without counts.
    walk : Walk
        The case's.
    evaluated, evaluated_original : EvaluatedList
        Losses of both lists.
    stops : Stops or None
        Of the samples that evaluate it; without any, of all ways to answer.
    decisions : tuple of ndarray of int
        For each stage, at each total in decreasing order: 1 where the case is ruled in, -1
        where it is ruled out, 0 where the next question is asked.
    n_asked, cost : ndarray, shape (K + 1,)
        What has been looked at by each stage, and its cost.
    limits : tuple of float or None
        The probabilities at which the questions stop; with a guarantee, those that keep it.
    """

    scoring_list: ScoringList
    original: ScoringList
    bands: Bands | None
    walk: Walk
    evaluated: EvaluatedList
    evaluated_original: EvaluatedList
    stops: Stops | None
    decisions: tuple[NDArray[np.int8], ...]
    n_asked: NDArray[np.int64]
    cost: NDArray[np.float64]
    limits: Limits

    def to_frame(self) -> DataFrame:
        """Tabulate the stages: question, the case's way, and losses."""
        import pandas as pd

        scoring_list = self.scoring_list
        way = self.walk
        size = len(scoring_list) + 1

        def padded(values: NDArray[Any]) -> list[Any]:
            missing = [None] * (size - values.size)
            return [*values.tolist(), *missing]

        columns: dict[str, Any] = {
            "after": ["", *scoring_list.questions()],
            "points": pd.array([None, *scoring_list.scores.tolist()], dtype="Int64"),
            "cost": self.cost,
            "total": pd.array(padded(way.totals), dtype="Int64"),
        }
        for name in ("probability", "lower", "upper"):
            columns[name] = np.array(padded(getattr(way, name)), dtype=float)
        for side in ("train", "test"):
            for name in LOSSES:
                curve = self.evaluated.curve(side, name)
                if curve is not None:
                    columns[f"{name}, {side}"] = curve
        if self.stops is not None:
            columns["stop here"] = self.stops.share
            columns["ruled out"] = self.stops.negative
            columns["ruled in"] = self.stops.positive
        return pd.DataFrame(columns).rename_axis("stage")

    @property
    def is_edited(self) -> bool:
        """Whether points differ from those it came with."""
        return self.scoring_list.scores.tolist() != self.original.scores.tolist()


def effective_answers(scoring_list: ScoringList, answers: Sequence[int | None]) -> list[int]:
    """Find the answers that count, in the core's code: 1 yes, 0 no, -1 missing.

    They end where an answer is unknown; a list that takes missing values goes on as long as
    a later question is answered.
    """
    known = [only_answer(scoring_list, k) if a is None else a for k, a in enumerate(answers)]
    if scoring_list.missing == "error":
        end = known.index(None) if None in known else len(known)
    else:
        end = max((k + 1 for k, a in enumerate(known) if a is not None), default=0)
    return [-1 if a is None else int(a) for a in known[:end]]


def answers_to(
    scoring_list: ScoringList,
    answers: Sequence[int | None],
    decisions: Sequence[NDArray[np.int8]],
    stage: int,
    total: int,
) -> tuple[int, ...]:
    """Find answers that lead to a total after so many questions, as near to ``answers`` as can be.

    Ways on which the questions stop before are taken only where there are no others.
    """
    ways: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}
    for k in range(stage):
        further: dict[int, tuple[int, int, tuple[int, ...]]] = {}
        totals = scoring_list.stages[k].totals
        points = question_points(scoring_list, k)
        fixed = only_answer(scoring_list, k)
        for here, (n_stops, n_changes, given) in ways.items():
            stops = bool(decisions[k][np.flatnonzero(totals == here)[0]])
            for answer in (1, 0) if fixed is None else (fixed,):
                change = int(answer != answers[k])
                way = (n_stops + stops, n_changes + change, (*given, answer))
                there = here + int(points[answer])
                if there not in further or way[:2] < further[there][:2]:
                    further[there] = way
        ways = further
    if total not in ways:
        raise ValueError(
            f"total must be one that yes and no lead to after {stage} questions; got {total}."
        )
    return ways[total][2]


def next_totals(scoring_list: ScoringList, k: int, total: int) -> list[int]:
    """List the totals that the answers to question ``k``, no and yes, can lead to."""
    points = question_points(scoring_list, k)
    fixed = only_answer(scoring_list, k)
    answers = (0, 1) if fixed is None else (fixed,)
    return sorted({total + int(points[answer]) for answer in answers})


def reachable_totals(
    scoring_list: ScoringList,
    decisions: Sequence[NDArray[np.int8]],
    totals: Sequence[int],
) -> list[list[int]]:
    """List, by stage, the totals that a case can still have; of past stages those it had.

    ``totals`` are those of the case so far. Ways end where the questions stop.
    """
    reachable = [[int(total)] for total in totals]
    for k in range(len(totals) - 1, len(scoring_list)):
        further: set[int] = set()
        for total in reachable[k]:
            if not decisions[k][np.flatnonzero(scoring_list.stages[k].totals == total)[0]]:
                further.update(next_totals(scoring_list, k, total))
        reachable.append(sorted(further))
    return reachable


def walk(
    scoring_list: ScoringList,
    answers: Sequence[int | None],
    rule: Rule,
    bands: Bands | None,
    decisions: Sequence[NDArray[np.int8]],
    effort: tuple[NDArray[np.int64], NDArray[np.float64]],
) -> Walk:
    """Follow a case down a list until a limit is reached or its answers, in list order, end.

    ``decisions`` are those of :func:`stage_decisions`, ``effort`` that of :func:`efforts`.
    """
    counted_answers = effective_answers(scoring_list, answers)
    rows = []
    total = 0
    for k, stage in enumerate(scoring_list.stages):
        index = int(np.flatnonzero(stage.totals == total)[0])
        probability = float(stage.probability[index])
        decision = int(decisions[k][index])
        lower = upper = np.nan
        if bands is not None:
            lower = float(bands[k].lower[index])
            upper = float(bands[k].upper[index])
        rows.append((total, probability, lower, upper))
        if decision or k == len(counted_answers):
            break
        total += int(question_points(scoring_list, k)[counted_answers[k]])
    totals = [row[0] for row in rows]
    path = np.array(rows)
    is_confident = decision != 0
    if is_confident:
        positive = decision > 0
        limit = rule.upper if positive else rule.lower
        assert limit is not None
        crosses_limit = lower < limit if positive else upper > limit
    else:
        decisive = upper if rule.risk_averse else probability
        positive = bool(predicts_positive(decisive, rule.cost_fn))
        crosses_limit = False
    n_asked, cost = effort
    return Walk(
        np.array(totals),
        path[:, 1],
        path[:, 2],
        path[:, 3],
        is_confident=is_confident,
        positive=positive,
        next_question=None if is_confident or k == len(scoring_list) else k,
        n_asked=int(n_asked[k]),
        cost=float(cost[k]),
        n=float(stage.n[index]) if stage.has_counts else np.nan,
        is_narrow=crosses_limit,
    )


def list_shown(data: ListData, scores: tuple[int, ...], calibration: str) -> ScoringList:
    """Give a list other points or another calibration; the one it came as where nothing differs."""
    original = data.scoring_list
    is_edited = scores != tuple(original.scores.tolist())
    if not is_edited and calibration == AS_GIVEN_PRESET:
        return original
    if not is_edited and original.stages[0].has_counts:
        return original.with_calibration(calibration)
    fit = data.fit
    assert fit is not None
    return original.with_scores(
        scores, fit.X, fit.positive, sample_weight=fit.weight, calibration=calibration
    )


def count_samples(scoring_list: ScoringList, samples: Samples) -> Counts:
    """Count positives and negatives of some samples by each stage's totals."""
    return scoring_list.count(samples.X, samples.positive, sample_weight=samples.weight)


def evaluate(
    data: ListData,
    scoring_list: ScoringList,
    count: Callable[[ScoringList, Samples], Counts],
    **options: Any,
) -> EvaluatedList:
    """Compute losses by stage on the list's own counts and on the test samples.

    ``count`` is :func:`count_samples`, or remembers what it gave; options are as for
    ``ScoringList.stage_scores``.
    """
    train: StageScores | None = None
    if scoring_list.stages[0].has_counts:
        train = scoring_list.stage_scores(**options)
    elif data.fit is not None:
        train = scoring_list.scores_of(count(scoring_list, data.fit), **options)
    test = None
    if data.test is not None:
        test = scoring_list.scores_of(count(scoring_list, data.test), **options)
    return EvaluatedList(train, test)
