"""The scoring list explorer's pictures: the list, one stage, all stages, where samples stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.displays.scoring_lists import pictures
from rocviz.displays.scoring_lists.pictures import PERCENT, measure_marks, zones
from rocviz.pictures import (
    NOWHERE,
    Axis,
    Dots,
    Entry,
    Handle,
    Line,
    Mark,
    Picture,
    round_ticks,
    words,
)
from rocviz.widgets.scoring_lists.words import QUANTITY_NAMES, stage_text
from rocviz.words import number, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

    Curve = tuple[str, NDArray[np.float64], str, str]


def list_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw the list as a table, with the case's path through it."""
    way = result.walk
    path = way.totals.tolist()
    return pictures.list_picture(
        result.scoring_list, state.questions, result.calls, path, state.stage, is_large
    )


def stops_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw how many are sure after each question."""
    where = result.stops
    if where is None:
        said = "No samples stand behind this list."
        return pictures.stops_picture([], [], said, 0, is_large)
    sure = [where.sure_by(stage) for stage in range(len(where.share))]
    said = stops_words(state, result)
    if not is_large:  # the rest is said where there is room
        said = said.split(". ")[0] + "."
    return pictures.stops_picture(sure, state.questions, said, state.stage, is_large)


# ---------------------------------------------------------------------- one stage


def stage_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw probability with its intervals against the total, and two limits to drag."""
    stages, k = result.scoring_list.stages, state.stage
    stage, walk, band = stages[k], result.walk, None if result.bands is None else result.bands[k]
    low = min(int(each.totals[-1]) for each in stages)
    high = max(int(each.totals[0]) for each in stages)
    # room at the right for what is dragged
    ends = low - 0.5, high + 0.5 + 0.08 * (high - low)
    turn = 1 / (1 + state.cost_fn)
    case: Any = NOWHERE
    if k <= walk.stage:
        case = [float(walk.totals[k])], [float(walk.probability[k])]
    sure = percent(state.confidence)
    bars = None if band is None else (f"{sure} intervals", sure)
    looks: dict[str, Any] = {"width": 1.2, "yields": True, "in_the_way": False}
    return pictures.stage_picture(
        stage,
        band,
        is_large,
        ends=ends,
        levels=(state.lower, state.upper),
        turn=turn if is_large else None,
        rows=limit_rows(state, large=is_large),
        key=pictures.stage_key(stage, bars) if is_large else [],
        more=(
            Line("column", "text", np.repeat(case[0], 2), (0.0, 1.0), **looks),
            Dots("case", "hull", *case, rim="text", size=230, width=3.5),
            *(
                Handle(
                    name,
                    "held",
                    [ends[1]],
                    [getattr(state, name)],
                    along="y",
                    is_hinted=name == "upper",
                )
                for name in ("lower", "upper")
            ),
        ),
    )


def limit_rows(state: ScoringListState, *, large: bool) -> list[tuple[float, str, str]]:
    """Label the lines of a stage: level, words, colour of the words."""
    if not large:
        return [
            (state.upper, "positive", "positive-text"),
            (state.lower, "negative", "negative-text"),
        ]
    turn = 1 / (1 + state.cost_fn)
    return [
        (state.upper, f"positive from {percent(state.upper)}", "positive-text"),
        (state.lower, f"negative up to {percent(state.lower)}", "negative-text"),
        (turn, f"cut at the end: {percent(turn)}", "optimum-text"),
    ]


# ---------------------------------------------------------------------- all stages


def curves_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw the case's probability from stage to stage, or how good the list is."""
    size = len(result.scoring_list)
    x = Axis("questions asked", 0, size, round_ticks(0, size, 12 if is_large else 3, integer=True))
    draw = _path if state.quantity == "probability" else _qualities
    low, high, ticks, marks = draw(state, result, x.limits, is_large)
    special = {"probability": "probability of a positive, %", "entropy": "entropy (bits)"}
    label = special.get(state.quantity, QUANTITY_NAMES[state.quantity])
    grip = low + (0.055 if is_large else 0.1) * (high - low)
    held = Line("held", "held", [state.stage] * 2, (low, high), width=1.8)
    handle = Handle("stage", "held", [state.stage], [grip], along="x")
    up = Axis(label, low, high, ticks, pad=0.0)
    return Picture(x, up, (held, *marks, handle), is_square=False, is_large=is_large)


def _path(
    state: ScoringListState, result: ScoringListResult, ends: tuple[float, float], is_large: bool
) -> tuple[float, float, Any, list[Mark]]:
    """Draw every probability the list can give, and the case's way through them."""
    stages, way = result.scoring_list.stages, result.walk
    # dots less than a third of a per cent apart are one
    levels = [np.unique((300 * stage.probability).round()) / 300 for stage in stages]
    at = np.arange(way.stage + 1.0)
    marks = [
        *zones((state.lower, state.upper), *ends),
        Dots(
            "reached",
            "hull-soft",
            np.repeat(np.arange(float(len(levels))), [level.size for level in levels]),
            np.concatenate(levels),
            rim="hull",
            size=60,
            width=0.5,
        ),
    ]
    if result.bands is not None:
        pairs, bars = np.column_stack((at, at)), np.column_stack((way.lower, way.upper))
        marks.append(Line("intervals", "hull", pairs, bars, opacities=(0.35,), width=9.0))
    marks += [
        Line("train", "ranking", at if way.stage else (), way.probability),
        Dots("path", "text", at, way.probability, size=120),
    ]
    if is_large:
        marks.append(
            words("words", [(ends[1], 1.06, "dots: all that the list can say", "muted")], "end")
        )
    return -0.04, 1.1 if is_large else 1.04, PERCENT, marks


def curve_rows(state: ScoringListState, *, large: bool = True) -> list[Curve]:
    """List the curves: whose, values by stage, words, and the role that colours them.

    "came" is how the list came, where its points have been changed.
    """
    result, rows = state.result, []
    for side, came, role, samples in (
        ("train", "came", "ranking", "its own samples" if large else "own"),
        ("test", "came test", "negative-text", "held-out samples" if large else "held-out"),
    ):
        curve = result.judged.curve(side, state.quantity)
        then = result.judged_learned.curve(side, state.quantity)
        if curve is not None:
            rows.append((side, curve, f"{samples} {number(float(curve[state.stage]))}", role))
        if result.is_edited and then is not None:
            value = number(float(then[state.stage]))
            rows.append((came, then, f"as learned {value}", "muted"))
    return rows


def _qualities(
    state: ScoringListState, _result: ScoringListResult, _ends: tuple[float, float], is_large: bool
) -> tuple[float, float, Any, list[Mark]]:
    """Draw a quantity by stage where the list was counted and elsewhere, now and as it came."""
    rows = curve_rows(state, large=is_large)
    return measure_marks(
        {name: values for name, values, *_ in rows},
        [Entry(text, role, name) for name, _, text, role in rows],
        is_large,
        rises=state.quantity == "auc",
        grip=0.11 if is_large else 0.2,
    )


def stops_words(state: ScoringListState, result: ScoringListResult) -> str:
    """State the share of cases decided at this stage, and the mean number of questions."""
    where = result.stops
    assert where is not None
    no, yes = (percent(share).replace(" ", "\u00a0") for share in where.sure_by(state.stage))
    each = "would be" if where.whose == "ways to answer" else "are"
    start = f"{stage_text(state, state.stage)} {no} negative".capitalize()
    return (
        f"{start} and {yes} positive of the {where.whose} are sure. On average "
        f"{where.n_asked:.1f} of {int(result.n_asked[-1])} features {each} asked."
    )
