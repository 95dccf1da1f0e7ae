"""Controls of the lexicographic explorer besides its inputs: attributes and rankers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocviz.widgets.base.controls import Action, Choice, Control, Row, Rows
from rocviz.widgets.lexicographic.words import ranker_text, rankers_heading
from rocviz.words import number, ratio_text, shorten

MOST_LETTERS = 44  # of a name in the rail, where it has two lines or three
SHOWN = 40  # rows; of hundreds of attributes the first so many can be rearranged by hand


def attribute_rows(state: Any) -> list[Row]:
    """Make a row for each attribute, the most important first."""
    ratios = state.result.order.odds_ratio.tolist()
    rows: list[Row] = []
    names: list[str] = []
    for k, j in enumerate(state.listing[:SHOWN]):
        inside = k < len(ratios)
        names.append(f"{k + 1}. {state.condition(j)}" if inside else state.condition(j))
        rows.append(
            Row(
                key=j,
                label=shorten(names[k], MOST_LETTERS),
                full=names[k],
                value=inside,
                text=f"odds ratio {ratio_text(ratios[k])}" if inside else "left out",
                muted=not inside,
                role="muted",
            )
        )
    return rows


def ranker_rows(state: Any) -> list[Row]:
    """Make a row for each of the eight rankers of two attributes, with its AUC if tried."""
    result = state.result
    held = tuple(result.order.order.tolist()), tuple(result.order.preferred.tolist())
    return [
        Row(
            key=k,
            label=ranker_text(state, ranker),
            text=number(ranker.auc) if (ranker.order, ranker.chosen) in result.tried else "?",
            marked=(ranker.order, ranker.chosen) == held,
            role="muted",
        )
        for k, ranker in enumerate(result.rankers)
    ]


def press(state: Any, column: int, act: str | bool) -> None:
    """Do what a row's button asks for: a place up or down, the other value, or to be in it."""
    if act == "flip":
        state.flip(column)
    elif act is False:
        state.drop(column)
    elif column not in state.order:
        if act != "down":
            state.move(column, len(state.order))
    elif act is not True:
        place = state.order.index(column) + (-1 if act == "up" else 1)
        state.move(column, max(place, 0))


CONTROLS: Mapping[str, Control] = {
    "attributes": Rows(
        "order of the attributes",
        attribute_rows,
        press,
        note="The first difference decides.",
        choices=((True, "in", "in the order"),),
        buttons=(
            ("up", "↑", "more important"),
            ("down", "↓", "less important"),
            ("flip", "⇄", "prefer the other value"),
        ),
        in_two_lines=True,
    ),
    "front": Choice(
        "to the front",
        lambda state: {None: "…"} | {j: state.condition(j) for j in state.listing[SHOWN:]},
        shown=lambda state: len(state.listing) > SHOWN,
        get=lambda state: None,
        set=lambda state, column: None if column is None else state.move(column, 0),
    ),
    "restore": Action(
        "LexRank's order",
        "restore",
        hint="Use the order and preferred values that LexRank learns",
        enabled=lambda state: not state.result.is_own,
    ),
    "rankers": Rows(
        "rankers",
        ranker_rows,
        lambda state, k, _value: state.select_ranker(state.result.rankers[k]),
        group="rankers tried",
        note=rankers_heading,
        buttons=(("try", "try", "look at this ranker"),),
    ),
}
