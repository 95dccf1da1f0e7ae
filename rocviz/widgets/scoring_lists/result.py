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
from rocviz.widgets.scoring_lists.data import AS_GIVEN, ListData, Samples
from rocviz.widgets.scoring_lists.stopping import Bands, Stops, forced, question_points

Counts = list[tuple["NDArray[np.float64]", "NDArray[np.float64]"]]

#: What is computed by stage from samples.
LOSSES = ("entropy", "brier", "auc", "expected_loss", "loss")


@dataclass(frozen=True)
class Rule(Frozen):
    """When one stops asking, and what one decides then."""

    # limits of the probability
    lower: float
    upper: float
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
    is_sure : bool
        Whether a limit was reached at the last of these stages.
    positive : bool
        The class it would be called now.
    next_question : int or None
        Position of the question that is next; None when sure, or when all are answered.
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
    is_sure: bool
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
        As it is shown, with the points and the calibration held.
    learned : ScoringList
        With the points it came with.
    bands : Bands or None
        One per stage; None without counts.
    walk : Walk
        The case's.
    judged, judged_learned : Judged
        Of both lists.
    stops : Stops or None
        Of the samples it is judged on; without any, of all ways to answer.
    calls : tuple of ndarray of int
        For each stage, at each total in decreasing order: 1 where one stops as positive, -1
        where as negative, 0 where one goes on.
    n_asked, cost : ndarray, shape (K + 1,)
        What has been looked at by each stage, and its cost.
    """

    scoring_list: ScoringList
    learned: ScoringList
    bands: Bands | None
    walk: Walk
    judged: EvaluatedList
    judged_learned: EvaluatedList
    stops: Stops | None
    calls: tuple[NDArray[np.int8], ...]
    n_asked: NDArray[np.int64]
    cost: NDArray[np.float64]

    def to_frame(self) -> DataFrame:
        """Tabulate the stages: question, the case's way, and losses."""
        import pandas as pd

        scoring_list = self.scoring_list
        way = self.walk
        size = len(scoring_list) + 1

        def padded(values: NDArray[Any]) -> list[Any]:
            return [*values.tolist(), *[None] * (size - values.size)]

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
                curve = self.judged.curve(side, name)
                if curve is not None:
                    columns[f"{name}, {side}"] = curve
        if self.stops is not None:
            columns["stop here"] = self.stops.share
            columns["sure: negative"] = self.stops.negative
            columns["sure: positive"] = self.stops.positive
        return pd.DataFrame(columns).rename_axis("stage")

    @property
    def is_edited(self) -> bool:
        """Whether points differ from those it came with."""
        return self.scoring_list.scores.tolist() != self.learned.scores.tolist()


def effective(scoring_list: ScoringList, answers: Sequence[int | None]) -> list[int]:
    """Find the answers that count, in the core's code: 1 yes, 0 no, -1 missing.

    They end where an answer is unknown; a list that takes missing values goes on as long as
    a later question is answered.
    """
    known = [forced(scoring_list, k) if a is None else a for k, a in enumerate(answers)]
    if scoring_list.missing == "error":
        end = known.index(None) if None in known else len(known)
    else:
        end = max((k + 1 for k, a in enumerate(known) if a is not None), default=0)
    return [-1 if a is None else int(a) for a in known[:end]]


def walk(
    scoring_list: ScoringList,
    answers: Sequence[int | None],
    rule: Rule,
    bands: Bands | None,
    called: Sequence[NDArray[np.int8]],
    spent: tuple[NDArray[np.int64], NDArray[np.float64]],
) -> Walk:
    """Follow a case down a list until a limit is reached or its answers, in list order, end.

    ``called`` is what :func:`calls` gave, and ``spent`` what :func:`efforts` gave.
    """
    counted_answers = effective(scoring_list, answers)
    rows = []
    total = 0
    for k, stage in enumerate(scoring_list.stages):
        at = int(np.flatnonzero(stage.totals == total)[0])
        p = float(stage.probability[at])
        call = int(called[k][at])
        ends = (np.nan, np.nan)
        if bands is not None:
            ends = float(bands[k].lower[at]), float(bands[k].upper[at])
        rows.append((total, p, *ends))
        if call or k == len(counted_answers):
            break
        total += int(question_points(scoring_list, k)[counted_answers[k]])
    totals, probability, lower, upper = (np.array(c) for c in zip(*rows, strict=True))
    basis = ends[1] if rule.risk_averse else p
    short = ends[0] < rule.upper if call > 0 else ends[1] > rule.lower
    return Walk(
        totals,
        probability,
        lower,
        upper,
        is_sure=bool(call),
        positive=call > 0 or (call == 0 and bool(predicts_positive(basis, rule.cost_fn))),
        next_question=None if call or k == len(scoring_list) else k,
        n_asked=int(spent[0][k]),
        cost=float(spent[1][k]),
        n=float(stage.n[at]) if stage.has_counts else np.nan,
        is_narrow=bool(call) and short,
    )


def shown(data: ListData, scores: tuple[int, ...], calibration: str) -> ScoringList:
    """Give a list other points or another calibration; the one it came as where nothing differs."""
    original = data.scoring_list
    edited = scores != tuple(original.scores.tolist())
    if not edited and calibration == AS_GIVEN:
        return original
    if not edited and original.stages[0].has_counts:
        return original.with_calibration(calibration)
    fit = data.fit
    assert fit is not None
    return original.with_scores(
        scores, fit.X, fit.positive, sample_weight=fit.weight, calibration=calibration
    )


def counted(scoring_list: ScoringList, samples: Samples) -> Counts:
    """Count positives and negatives of some samples by each stage's totals."""
    return scoring_list.count(samples.X, samples.positive, sample_weight=samples.weight)


def judge(
    data: ListData,
    scoring_list: ScoringList,
    count: Callable[[ScoringList, Samples], Counts],
    **options: Any,
) -> EvaluatedList:
    """Compute losses by stage on the list's own counts and on the samples to judge by.

    ``count`` is :func:`counted`, or remembers what it gave; options are as for
    ``ScoringList.stage_scores``.
    """
    train: StageScores | None = None
    if scoring_list.stages[0].has_counts:
        train = scoring_list.stage_scores(**options)
    elif data.fit is not None:
        train = scoring_list.scores_of(count(scoring_list, data.fit), **options)
    test = None
    if data.judge is not None:
        test = scoring_list.scores_of(count(scoring_list, data.judge), **options)
    return EvaluatedList(train, test)
