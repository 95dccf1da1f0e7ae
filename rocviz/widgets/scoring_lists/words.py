"""The sentences of the scoring list explorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.widgets.scoring_lists.code import code as code
from rocviz.widgets.scoring_lists.result import Judged, ScoringListResult
from rocviz.words import Sentence, Words, amount, number, percent, plain, shorten

NO_COUNTS = (
    "This list was written by hand. Its numbers do not come from samples, so it has no intervals, "
    "no losses and no other calibration."
)
AS_WRITTEN = (
    "Its probabilities are as they were written. For intervals choose a calibration, which "
    "estimates the probabilities from the samples."
)
NO_SAMPLES = (
    "To change the points, pass the samples from which the probabilities are estimated: "
    "ScoringListExplorer(scoring_list, X, y)."
)

METHOD_NAMES = {"clopper-pearson": "Clopper-Pearson", "wilson": "Wilson", "jeffreys": "Jeffreys"}

QUANTITY_NAMES = {
    "probability": "probability of the case",
    "entropy": "entropy",
    "brier": "Brier score",
    "auc": "AUC",
    "expected_loss": "expected loss",
    "loss": "loss that happens",
}

LONGEST = 28  # letters of a question's name in a sentence


def total_text(total: int) -> str:
    """Write a total score."""
    return f"{total}".replace("-", "−")


def span(lower: float, upper: float) -> str:
    """Write an interval in per cent."""
    return f"{percent(lower).removesuffix(' %')} to {percent(upper)}"


def stage_text(state: Any, k: int) -> str:
    """Name a stage by the number of questions asked."""
    return f"after {k} of {len(state.questions)} questions" if k else "before any question"


def sentences(state: Any) -> Iterator[Sentence]:
    """Describe the case; then, as notes, the quality of the list and the effect of limits."""
    result = state.result
    yield Sentence(*_case(state, result))
    notes = [
        _counted(state, result),
        _cut(state, result),
        _losses(state, result),
        _stops(result),
        _edits(result),
    ]
    yield from (Sentence(*words) for words in notes if words)


def verdict(state: Any) -> str:
    """Write the next step for the case in a few words."""
    way = state.result.walk
    if way.is_sure:
        sure = "sure enough" if way.stage else "sure before any question"
        return f"{sure}: call it {_kind(way)}"
    if way.next_question is None:
        return f"no limit reached: call it {_kind(way)}"
    return "between the limits: go on asking"


def _kind(way: Any) -> str:
    return "positive" if way.positive else "negative"


def _is_free(result: ScoringListResult) -> bool:
    """Whether a feature's cost says no more than that it was asked."""
    return bool(np.array_equal(result.cost, result.n_asked))


def _case(state: Any, result: ScoringListResult) -> Words:
    way = result.walk
    p = ("hull", percent(float(way.probability[-1])))
    interval = ""
    if result.bands is not None:
        ends = span(float(way.lower[-1]), float(way.upper[-1]))
        interval = f" ({ends}, {percent(state.confidence)} interval)"
    kind = (_kind(way), _kind(way))
    at = f"at total {total_text(int(way.totals[-1]))}"
    chance = "the probability of a positive is "
    if way.is_sure:
        spent = "" if _is_free(result) else f", cost {amount(way.cost)}"
        asked = ("held", f"{way.n_asked} of {int(result.n_asked[-1])} features asked{spent}")
        start: Words = ["Stop here, ", asked, f": {at} {chance}" if way.stage else f": {chance}"]
        limit = percent(state.upper if way.positive else state.lower)
        if way.is_narrow:
            ends = f" ({span(float(way.lower[-1]), float(way.upper[-1]))}). Call it "
            crosses = f", though the {percent(state.confidence)} interval crosses the limit, "
            return [*start, p, ends, kind, f"{crosses}{limit}."]
        beyond = f"; the limit is {limit}, so call it "
        if state.by_interval:
            beyond = f"; the whole interval is beyond {limit}, so call it "
        return [*start, p, interval, beyond, kind, "."]
    if way.next_question is not None:
        ask = ("held", shorten(state.questions[way.next_question], LONGEST))
        if not way.stage:
            return [f"Before any question {chance}", p, interval, ". Ask ", ask, " first."]
        when = f"After {way.stage} of {len(state.questions)} questions, {at}, "
        return [when, chance, p, interval, ": not yet sure. Ask ", ask, " next."]
    asked_all = f"After all {len(state.questions)} questions no limit is reached: {at} "
    return [f"{asked_all}the probability is ", p, interval, f". {_why(state)}: call it ", kind, "."]


def _why(state: Any) -> str:
    ratio = state.cost_fn
    same = "one false alarm" if ratio == 1 else f"{plain(ratio)} false alarms"
    judged = ", judged by the upper end" if state.risk_averse else ""
    return f"A miss costs {same}{judged}"


def _counted(state: Any, result: ScoringListResult) -> Words:
    """Count the samples behind the probability of the case."""
    synthetic = (
        "" if not state.is_sandbox or "synthetic" not in state.preset else "Synthetic data. "
    )
    if result.bands is None:
        return [synthetic + (AS_WRITTEN if state.data.has_scores else NO_COUNTS)]
    way = result.walk
    has = "has" if way.n == 1 else "have"
    where = f"{total_text(int(way.totals[-1]))} {stage_text(state, way.stage)}"
    return [
        f"{synthetic}Of the samples behind its probabilities, {amount(way.n)} {has} the total "
        f"that the case has now: {where}."
    ]


def _cut(state: Any, result: ScoringListResult) -> Words:
    """Describe the cut by costs if no limit is reached, and a conflict with a limit."""
    cut = 1 / (1 + state.cost_fn)
    share = percent(cut) if cut > 0.005 else f"{100 * cut:.1g} %"
    basis = "the upper end of the interval" if state.risk_averse else "the probability"
    words: Words = [
        f"{_why(state)}: a case that answers all questions without reaching a limit is called "
        f"positive if {basis} is above ",
        ("optimum", share),
        ".",
    ]
    if not state.lower <= cut <= state.upper:
        high = cut > state.upper
        now, then = ("positive", "negative") if high else ("negative", "positive")
        words += [
            f" That lies beyond the limit of {percent(state.upper if high else state.lower)}: "
            f"a case that stops early as {now} might be called {then} at the end with the same "
            "probability. The limits and the costs contradict each other."
        ]
    return words


def _losses(state: Any, result: ScoringListResult) -> Words:
    k = state.stage
    places: list[str] = []
    for side, where in (("train", "its own samples"), ("test", "held-out ones")):
        if (scores := getattr(result.judged, side)) is not None:
            e, b, a = (number(getattr(scores, name)[k]) for name in ("entropy", "brier", "auc"))
            if places:
                places.append(f"{e}, {b} and {a} on {where}")
            else:
                where = "its own samples" if side == "train" else "held-out samples"
                places.append(
                    f"the entropy is {e} bits, the Brier score {b} and the AUC {a} on {where}"
                )
    stage = stage_text(state, k)
    return [f"{stage[0].upper()}{stage[1:]} {'; '.join(places)}."] if places else []


def _stops(result: ScoringListResult) -> Words:
    where = result.stops
    if where is None:
        return []
    every = int(result.n_asked[-1])
    if where.whose == "ways to answer":
        return [
            f"With these limits {percent(where.sure)} of all ways to answer reach a limit; were "
            f"all of them equally likely, {where.n_asked:.1f} of {every} features would be asked "
            "on average."
        ]
    spent = ""
    if not _is_free(result):
        spent = f" (cost {amount(where.cost)} of {amount(float(result.cost[-1]))})"
    return [
        f"With these limits {percent(where.sure)} of the {where.whose} reach a limit; on average "
        f"{where.n_asked:.1f} of {every} features are asked{spent}."
    ]


def _edits(result: ScoringListResult) -> Words:
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
