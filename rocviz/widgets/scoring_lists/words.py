"""Sentences of the scoring list explorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.widgets.scoring_lists.code import code as code
from rocviz.widgets.scoring_lists.result import ScoringListResult
from rocviz.widgets.scoring_lists.stopping import Stops
from rocviz.words import amount, ink, number, percent, plain, shorten

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


def sentences(state: Any) -> Iterator[str]:
    """Describe the case; then, as notes, the quality of the list and the effect of limits."""
    result = state.result
    yield _case(state, result)
    yield _counted(state, result)
    yield _cut(state)
    yield from _losses(state, result)
    if result.stops is not None:
        yield _stops(result, result.stops)
    if result.is_edited:
        yield _edits(result)


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
    """Whether costs equal the numbers of features asked."""
    return bool(np.array_equal(result.cost, result.n_asked))


def _case(state: Any, result: ScoringListResult) -> str:
    way = result.walk
    p = ink("hull", percent(float(way.probability[-1])))
    ends = ""
    confidence = f"{percent(state.confidence)} interval"
    interval = ""
    if result.bands is not None:
        ends = span(float(way.lower[-1]), float(way.upper[-1]))
        interval = f" ({ends}, {confidence})"
    kind = ink(_kind(way), _kind(way))
    at = f"at total {total_text(int(way.totals[-1]))}"
    chance = f"the probability of a positive is {p}"
    size = len(state.questions)
    if way.is_sure:
        spent = "" if _is_free(result) else f", cost {amount(way.cost)}"
        asked = ink("selected", f"{way.n_asked} of {int(result.n_asked[-1])} features asked{spent}")
        start = f"Stop here, {asked}: {f'{at} ' * (way.stage > 0)}{chance}"
        limit = percent(state.upper if way.positive else state.lower)
        if way.is_narrow:
            crosses = f"though the {confidence} crosses the limit, {limit}"
            return f"{start} ({ends}). Call it {kind}, {crosses}."
        beyond = f"the limit is {limit}"
        if state.by_interval:
            beyond = f"the whole interval is beyond {limit}"
        return f"{start}{interval}; {beyond}, so call it {kind}."
    if way.next_question is not None:
        ask = ink("selected", shorten(state.questions[way.next_question], LONGEST))
        if not way.stage:
            return f"Before any question {chance}{interval}. Ask {ask} first."
        when = f"After {way.stage} of {size} questions, {at}"
        return f"{when}, {chance}{interval}: not yet sure. Ask {ask} next."
    return (
        f"After all {size} questions no limit is reached: {at} the probability is {p}{interval}. "
        f"{_why(state)}: call it {kind}."
    )


def _why(state: Any) -> str:
    ratio = state.cost_fn
    same = "one false alarm" if ratio == 1 else f"{plain(ratio)} false alarms"
    judged = ", judged by the upper end" if state.risk_averse else ""
    return f"A miss costs {same}{judged}"


def _counted(state: Any, result: ScoringListResult) -> str:
    """Count the samples behind the probability of the case."""
    is_synthetic = state.is_sandbox and "synthetic" in state.preset
    synthetic = "Synthetic data. " * is_synthetic
    if result.bands is None:
        return synthetic + (AS_WRITTEN if state.data.has_scores else NO_COUNTS)
    way = result.walk
    has = "has" if way.n == 1 else "have"
    where = f"{total_text(int(way.totals[-1]))} {stage_text(state, way.stage)}"
    return (
        f"{synthetic}Of the samples behind its probabilities, {amount(way.n)} {has} the total "
        f"that the case has now: {where}."
    )


def _cut(state: Any) -> str:
    """Describe the cut by costs if no limit is reached, and a conflict with a limit."""
    cut = 1 / (1 + state.cost_fn)
    share = ink("optimum", percent(cut) if cut > 0.005 else f"{100 * cut:.1g} %")
    basis = "the upper end of the interval" if state.risk_averse else "the probability"
    text = (
        f"{_why(state)}: a case that answers all questions without reaching a limit is called "
        f"positive if {basis} is above {share}."
    )
    if state.lower <= cut <= state.upper:
        return text
    high = cut > state.upper
    now, then = ("positive", "negative") if high else ("negative", "positive")
    return (
        f"{text} That lies beyond the limit of {percent(state.upper if high else state.lower)}: "
        f"a case that stops early as {now} might be called {then} at the end with the same "
        "probability. The limits and the costs contradict each other."
    )


def _losses(state: Any, result: ScoringListResult) -> Iterator[str]:
    sides = (result.judged.train, "its own samples"), (result.judged.test, "held-out samples")
    values = [
        (
            *(number(getattr(scores, name)[state.stage]) for name in ("entropy", "brier", "auc")),
            where,
        )
        for scores, where in sides
        if scores is not None
    ]
    if not values:
        return
    (entropy, brier, auc, where), *others = values
    text = f"the entropy is {entropy} bits, the Brier score {brier} and the AUC {auc} on {where}"
    for entropy, brier, auc, _ in others:
        text += f"; {entropy}, {brier} and {auc} on held-out ones"
    stage = stage_text(state, state.stage)
    yield f"{stage[0].upper()}{stage[1:]} {text}."


def _stops(result: ScoringListResult, where: Stops) -> str:
    every = int(result.n_asked[-1])
    start = f"With these limits {percent(where.stopped_share)} of"
    if where.whose == "ways to answer":
        return (
            f"{start} all ways to answer reach a limit; were all of them equally likely, "
            f"{where.n_asked:.1f} of {every} features would be asked on average."
        )
    spent = ""
    if not _is_free(result):
        spent = f" (cost {amount(where.cost)} of {amount(float(result.cost[-1]))})"
    return (
        f"{start} the {where.whose} reach a limit; on average {where.n_asked:.1f} of {every} "
        f"features are asked{spent}."
    )


def _edits(result: ScoringListResult) -> str:
    ends = [
        f"{number(float(now[-1]))} bits on {where} ({number(float(then[-1]))} as learned)"
        for side, where in (("train", "its own samples"), ("test", "held-out ones"))
        if (now := result.judged.curve(side, "entropy")) is not None
        and (then := result.judged_learned.curve(side, "entropy")) is not None
    ]
    return (
        f"Points were {ink('selected', 'changed by hand')}: with all questions asked the entropy "
        f"is {', '.join(ends)}."
    )
