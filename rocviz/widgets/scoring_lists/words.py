"""What the scoring list explorer says: its sentences.

Turns a state into text. It computes nothing and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.widgets.base.state import Sentence
from rocviz.words import number, percent

if TYPE_CHECKING:
    from rocviz.widgets.scoring_lists.result import Judged, ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

__all__ = [
    "AS_WRITTEN",
    "METHOD_NAMES",
    "NO_COUNTS",
    "NO_SAMPLES",
    "QUANTITY_NAMES",
    "points_text",
    "price",
    "sentences",
    "span",
    "total_text",
    "verdict",
]

NO_COUNTS = (
    "This list was written by hand. No samples stand behind its numbers, so it has no intervals, "
    "no losses and no other calibration."
)
AS_WRITTEN = (
    "Its probabilities are as they were written. For intervals choose a calibration: it counts "
    "them on the samples."
)
NO_SAMPLES = (
    "Points can be changed where the samples are at hand that probabilities are counted on: "
    "ScoringListExplorer(scoring_list, X, y)."
)

METHOD_NAMES = {
    "clopper-pearson": "Clopper-Pearson",
    "wilson": "Wilson",
    "jeffreys": "Jeffreys",
}

QUANTITY_NAMES = {
    "probability": "probability of the case",
    "entropy": "entropy",
    "brier": "Brier score",
    "auc": "AUC",
    "expected_loss": "expected loss",
    "loss": "loss that happens",
}

Words = list[str | tuple[str, str]]


def total_text(total: int) -> str:
    """Write a total score."""
    return f"{total}".replace("-", "−")


def points_text(score: int) -> str:
    """Write the points of a question with their sign."""
    return f"{score:+d}".replace("-", "−") if score else "0"


def price(cost: float) -> str:
    """Write a cost with at most one decimal."""
    return f"{cost:,.1f}".removesuffix(".0")


def span(lower: float, upper: float) -> str:
    """Write an interval in per cent."""
    return f"{percent(lower).removesuffix(' %')} to {percent(upper)}"


def sentences(state: ScoringListState) -> tuple[Sentence, ...]:
    """Return where the case stands; then how good the list is at the stage held."""
    result = state.result
    made = [] if state.is_own or "synthetic" not in state.preset else ["Synthetic data. "]
    parts = [*made, *_losses(state, result), *_stops(result), *_edits(state, result)]
    return (Sentence(tuple(_case(state, result))), Sentence(tuple(parts)))


def verdict(state: ScoringListState) -> Words:
    """Return what to do with the case now."""
    way, result = state.result.walk, state.result
    every = int(result.n_asked[-1])
    kind = "positive" if way.positive else "negative"
    spent = "" if _is_free(result) else f", cost {price(way.cost)}"
    if way.is_sure:
        asked = f"{way.n_asked} of {every} features asked{spent}"
        return ["Stop here, ", ("held", asked), ": call it ", (kind, kind), "."]
    if way.next_question is None:
        return [f"All {every} features asked{spent}: call it ", (kind, kind), "."]
    ask = state.questions[way.next_question]
    return ["Ask ", ("held", ask), " first." if not way.stage else " next."]


def _is_free(result: ScoringListResult) -> bool:
    """Whether a feature's cost says no more than that it was asked."""
    return bool(np.array_equal(result.cost, result.n_asked))


def _case(state: ScoringListState, result: ScoringListResult) -> Words:
    way = result.walk
    p = ("hull", percent(float(way.probability[-1])))
    spread = ""
    if result.bands is not None:
        interval = span(float(way.lower[-1]), float(way.upper[-1]))
        spread = f" ({interval} with {percent(state.confidence)} confidence)"
    total = total_text(int(way.totals[-1]))
    chance = "the probability of a positive is "
    if way.is_sure:
        start = verdict(state)
        start[-2:] = []
        start[-1] = f": at total {total} {chance}" if way.stage else f": {chance}"
        kind = "positive" if way.positive else "negative"
        limit = percent(state.upper if way.positive else state.lower)
        what = "whole interval" if state.by_interval else "limit"
        beyond = f" the {what} is beyond {limit}" if state.by_interval else f" the limit is {limit}"
        return [*start, p, spread, ";", beyond, ", so call it ", (kind, kind), "."]
    if way.next_question is not None:
        when = f"After {way.stage} of {len(state.questions)} questions, at total {total}, "
        start = [when if way.stage else "Before any question ", chance]
        return [*start, p, spread, ". ", *verdict(state)]
    kind = "positive" if way.positive else "negative"
    asked = f"All {len(state.questions)} questions asked and no limit reached"
    return [
        f"{asked}: at total {total} {chance}",
        p,
        spread,
        f". {_why(state)}, call it ",
        (kind, kind),
        ".",
    ]


def _why(state: ScoringListState) -> str:
    ratio = state.cost_fn
    same = "as much as a false alarm" if ratio == 1 else f"{ratio:.3g} false alarms"
    judged = ", judged by the upper end" if state.risk_averse else ""
    return f"Where a miss costs {same}{judged}"


def _losses(state: ScoringListState, result: ScoringListResult) -> Words:
    k = state.stage
    judged = result.judged
    parts: Words = []
    if result.bands is None:
        parts.append(f"{AS_WRITTEN if state.data.has_scores else NO_COUNTS} ")
    if judged.train is None and judged.test is None:
        return parts
    stage = "Before any question" if k == 0 else f"After {k} of {len(state.questions)} questions"
    said: list[str] = []
    for side, where in (("train", "its own samples"), ("test", "held-out ones")):
        if (scores := getattr(judged, side)) is not None:
            e, b, a = (number(getattr(scores, name)[k]) for name in ("entropy", "brier", "auc"))
            if said:
                said.append(f"{e}, {b} and {a} on {where}")
            else:
                where = "its own samples" if side == "train" else "held-out samples"
                said.append(
                    f"the entropy is {e} bits, the Brier score {b} and the AUC {a} on {where}"
                )
    return [*parts, f"{stage} {'; '.join(said)}. "]


def _stops(result: ScoringListResult) -> Words:
    where = result.stops
    if where is None:
        return []
    whose = "samples" if result.judged.test is None else "held-out samples"
    spent = ""
    if not _is_free(result):
        spent = f" (cost {price(where.cost)} of {price(float(result.cost[-1]))})"
    return [
        f"With these limits {percent(where.sure)} of the {whose} become sure; on average "
        f"{where.n_asked:.1f} of {int(result.n_asked[-1])} features are asked{spent}. "
    ]


def _edits(state: ScoringListState, result: ScoringListResult) -> Words:
    if not result.is_edited:
        return []
    ends = [
        f"{number(now)} bits on {where} ({number(then)} as learned)"
        for side, where in (("train", "its own samples"), ("test", "held-out ones"))
        if (now := _last(result.judged, side)) is not None
        and (then := _last(result.judged_learned, side)) is not None
    ]
    return [
        "Points were ",
        ("held", "changed by hand"),
        f": with all questions asked the entropy is {', '.join(ends)}.",
    ]


def _last(judged: Judged, side: str) -> float | None:
    curve = judged.curve(side, "entropy")
    return None if curve is None else float(curve[-1])
