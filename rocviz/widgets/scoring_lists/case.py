"""Rows of the rail: the case's questions and answers, the points, and the costs of asking."""

from __future__ import annotations

from functools import partial
from typing import Any

from rocviz.widgets.base.controls import Action, Control, Row, Rows, read_number
from rocviz.widgets.scoring_lists.stopping import forced
from rocviz.widgets.scoring_lists.words import NO_SAMPLES, verdict
from rocviz.words import percent

ANSWERS = {"yes": 1, "no": 0, "?": None}
ESTIMATED_AGAIN = "Points of a yes; the probabilities are estimated again."
NAME_OF = {answer: name for name, answer in ANSWERS.items()}


def case_rows(state: Any) -> list[Row]:
    """Make a row for each question: its answer, and the probability after it."""
    result = state.result
    way = result.walk
    scoring_list = result.scoring_list
    rows = []
    for k, question in enumerate(state.questions):
        fixed = forced(scoring_list, k)
        answer = state.answers[k] if fixed is None else fixed
        counts = k < way.stage
        is_last = k + 1 == max(way.stage, 1)
        bar = None
        text = ""
        note = ""
        role = "hull"
        if counts:
            p = float(way.probability[k + 1])
            ends = (float(way.lower[k + 1]), float(way.upper[k + 1]))
            bar = (p, p, p) if result.bands is None else (*ends, p)
            text = percent(p)
        elif answer is not None and not way.is_sure:
            note = "waits for the questions above"
        decided = way.next_question is None
        if is_last and (way.stage or decided):
            note = verdict(state)
        if is_last and decided:
            role = "positive" if way.positive else "negative"
        rows.append(
            Row(
                key=k,
                label=question,
                value=NAME_OF[answer],
                text=text,
                note=note,
                bar=bar,
                marked=k == way.next_question,
                muted=not counts and k != way.next_question,
                role="muted" if bar is None and not (is_last and decided) else role,
            )
        )
    return rows


def _answer(state: Any, k: int, name: str) -> None:
    fixed = forced(state.result.scoring_list, k)
    if fixed is not None and ANSWERS[name] != fixed:
        raise ValueError(
            f"{state.questions[k]}: the answer is {NAME_OF[fixed]} for every sample, so it is "
            "never asked."
        )
    state.answer(k, ANSWERS[name])


def _number(state: Any, k: int, value: Any, what: str) -> float:
    return read_number(f"{what} of {state.questions[k]}", str(value))


def _can_count(state: Any) -> bool:
    return state.data.fit is not None


def _number_rows(name: str, step: float, spoken: str, state: Any) -> list[Row]:
    return [
        Row(key=k, label=question, number=(getattr(state, name)[k], step, spoken))
        for k, question in enumerate(state.questions)
    ]


def _set_points(state: Any, k: int, value: Any) -> None:
    points = _number(state, k, value, "points")
    if points != round(points):
        raise ValueError(f"points of {state.questions[k]} must be a whole number.")
    state.set_points(k, int(points))


#: Controls of no single trait.
CONTROLS: dict[str, Control] = {
    "case": Rows(
        "the case",
        case_rows,
        _answer,
        choices=(("yes", "yes", "yes"), ("no", "no", "no"), ("?", "?", "unknown")),
    ),
    "clear_case": Action(
        "another case",
        "clear_case",
        hint="Clear all answers",
        enabled=lambda state: any(answer is not None for answer in state.answers),
    ),
    "costs": Rows(
        "what it costs to ask",
        partial(_number_rows, "feature_costs", 0.5, "cost of asking"),
        lambda state, k, value: state.set_cost(k, _number(state, k, value, "cost")),
        note="What it costs to ask:",
        group="limits, costs",
    ),
    "points": Rows(
        "points of a yes",
        partial(_number_rows, "scores", 1, "points"),
        _set_points,
        group="points",
        note=lambda state: ESTIMATED_AGAIN if _can_count(state) else NO_SAMPLES,
        enabled=_can_count,
    ),
    "restore_points": Action(
        "original points",
        "restore_points",
        hint="Undo every change of the points",
        group="points",
        enabled=lambda state: state.result.is_edited,
    ),
}
