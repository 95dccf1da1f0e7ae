"""The scoring list explorer's pictures: one stage, and all stages beside each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.pictures.marks import Band, Dots, Handle, Line, Mark, words
from rocviz.pictures.picture import Axis, Picture
from rocviz.pictures.ticks import round_ticks
from rocviz.widgets.scoring_lists.words import QUANTITY_NAMES
from rocviz.words import letters, number, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.core.scoring_lists.stage import ScoringStage
    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

    Curve = tuple[str, NDArray[np.float64], str, str]

MOST = 150  # totals that can be distinguished
HANDLES_FROM = 0.9  # of the width, at the right
ZONES = (("negative", "lower", 0.0), ("positive", "upper", 1.0))

#: Ticks of an axis of probabilities; the list and the rail are in per cent too.
PERCENT = {0.0: "0", 0.25: "25", 0.5: "50", 0.75: "75", 1.0: "100"}


def zones(state: ScoringListState, left: float, right: float) -> list[Mark]:
    """Draw the zones beyond each limit, and the limits as lines."""
    marks: list[Mark] = []
    for role, name, end in ZONES:
        x, level = (left, right), getattr(state, name)
        marks.append(Band(f"{name} zone", role, x, ((level, level), (end, end)), opacity=0.13))
        marks.append(Line(f"{name} limit", role, x, (level, level), width=1.8))
    return marks


# ---------------------------------------------------------------------- one stage


def stage_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw probability with its intervals against the total, and two limits to drag."""
    stages, k = result.scoring_list.stages, state.stage
    stage, walk = stages[k], result.walk
    low = min(int(each.totals[-1]) for each in stages)
    high = max(int(each.totals[0]) for each in stages)
    # room at the right for what is dragged
    left, right = low - 0.5, high + 0.5 + 0.08 * (high - low)
    x = Axis(
        "total score",
        left,
        right,
        round_ticks(low, high, 11 if is_large else 3, integer=True),
        0.03,
    )
    turn = 1 / (1 + state.cost_fn)
    some = np.unique(np.linspace(0, len(stage) - 1, MOST).round().astype(int))
    totals, p = stage.totals[some].astype(float), stage.probability[some]
    seen = stage.n[some] > 0 if stage.has_counts else np.ones(p.size, dtype=bool)
    intervals, happened = (
        Line("intervals", "hull", in_the_way=False),
        Line("happened", "ranking", width=3.0),
    )
    if result.bands is not None:
        ends = np.column_stack((result.bands[k].lower[some], result.bands[k].upper[some]))
        pairs = np.column_stack((totals, totals))
        intervals = replace(intervals, x=pairs, y=ends, opacities=(0.35,), width=9.0)
    if stage.has_counts:
        half = 0.28 if high - low < 30 else 0.01 * (high - low)
        at, share = totals[seen], stage.counts[0][some][seen] / stage.n[some][seen]
        happened = replace(
            happened, x=np.column_stack((at - half, at + half)), y=np.column_stack((share, share))
        )
    here = k <= walk.stage
    case = ([float(walk.totals[k])], [float(walk.probability[k])]) if here else ((), ())
    picture = Picture(
        x,
        Axis("probability of a positive, %", ticks=PERCENT, pad=0.03),
        (
            *zones(state, *x.limits),
            Line(
                "cost",
                "optimum",
                x.limits if is_large else (),
                (turn, turn),
                dash="dashed",
                width=1.8,
            ),
            intervals,
            Line(
                "column",
                "text",
                np.repeat(case[0], 2),
                (0.0, 1.0),
                width=1.2,
                yields=True,
                in_the_way=False,
            ),
            Line("curve", "hull", totals, p, dash="dashed", width=2.0),
            Dots("unseen", "paper", totals[~seen], p[~seen], rim="hull", size=70, width=1.8),
            Dots("seen", "hull", totals[seen], p[seen], size=90),
            happened,
            Dots("case", "hull", *case, rim="text", size=230, width=3.5),
            *(
                Handle(
                    name,
                    "held",
                    [right],
                    [getattr(state, name)],
                    along="y",
                    is_hinted=name == "upper",
                )
                for name in ("lower", "upper")
            ),
        ),
        is_square=False,
        is_large=is_large,
    )
    return picture.with_marks(words("words", _stage_words(picture, state, stage, result.bands)))


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


def _stage_words(
    picture: Picture, state: ScoringListState, stage: ScoringStage, bands: Any
) -> list[tuple[float, float, str, str]]:
    """Write what the lines and marks mean where nothing else is: in short, if not at length."""
    (left, end), (low, high) = picture.x.limits, picture.y.limits
    room = picture.room(share=1.15)
    for row in picture["intervals"].rows if bands is not None else ():
        room.take(*row.T, spare=True)  # better on a bar than unsaid
    right = left + HANDLES_FROM * (end - left)
    room.take([right, right], [low, high], spare=True)
    step = room.row * (high - low)
    blocks = [
        (level, 0.25, [[(text, role)], [(text.split()[0], role)]])
        for level, text, role in limit_rows(state, large=picture.is_large)
    ]
    if picture.is_large:
        # first, because it needs most room
        blocks.insert(0, (high, 1.5, _stage_key(state, stage, bands is not None)))
    written = []
    for level, far, wordings in blocks:
        for lines in wordings:
            longest = max((text for text, _ in lines), key=letters)
            half = room.width(longest) / 2
            sides = np.repeat([left + 1.1 * half, right - 1.1 * half], 2)
            heights = level + 0.75 * step * np.tile([1.0, -1.0], 2)
            place = room.place(longest, sides, heights, rows=len(lines), far=far)
            if place:
                start, top = place[0] - half, place[1]
                written += [(start, top - i * step, *line) for i, line in enumerate(lines)]
                break
        else:
            # rows that have no room together may have it one by one
            blocks += [(level, far, [[line]]) for line in lines if len(lines) > 1]
    return written


def _stage_key(
    state: ScoringListState, stage: ScoringStage, has_bands: bool
) -> list[list[tuple[str, str]]]:
    """Explain the marks, at length and in short."""
    rows = [("● what the list says", "● the list", "hull-text")]
    if stage.has_counts:
        rows.append(("— what happened", "— happened", "text"))
        if not (stage.n > 0).all():
            rows.append(("○ no samples", "○ none", "muted"))
    if has_bands:
        sure = percent(state.confidence)
        rows.append((f"bars: {sure} intervals", f"bars: {sure}", "muted"))
    return [[(row[i], row[2]) for row in rows] for i in (0, 1)]


# ---------------------------------------------------------------------- all stages


def curves_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw the case's probability from stage to stage, or how good the list is."""
    size = len(result.scoring_list)
    x = Axis("questions asked", 0, size, round_ticks(0, size, 12 if is_large else 3, integer=True))
    draw = _path if state.quantity == "probability" else _qualities
    low, high, ticks, marks = draw(state, result, x.limits, is_large)
    special = {"probability": "probability of a positive, %", "entropy": "entropy (bits)"}
    label = special.get(state.quantity, QUANTITY_NAMES[state.quantity])
    # all are there from the start, in the order they are drawn in
    empty: list[Mark] = [
        *(Band(f"{name} zone", role) for role, name, _ in ZONES),
        *(Line(f"{name} limit", role) for role, name, _ in ZONES),
        Line("held", "held", [state.stage] * 2, (low, high), width=1.8),
        Line("came", "reference", dash="dotted", width=2.0),
        Line("came test", "reference", dash="dotted", width=2.0),
        Dots("reached", "hull-soft"),
        Line("intervals", "hull"),
        Line("train", "ranking"),
        Line("test", "second", dash="dashed"),
        Dots("path", "text"),
        words("words", []),
    ]
    grip = low + (0.055 if is_large else 0.1) * (high - low)
    return Picture(
        x, Axis(label, low, high, ticks, pad=0.0), tuple(empty), is_square=False, is_large=is_large
    ).with_marks(*marks, Handle("stage", "held", [state.stage], [grip], along="x"))


def _path(
    state: ScoringListState, result: ScoringListResult, ends: tuple[float, float], is_large: bool
) -> tuple[float, float, Any, list[Mark]]:
    """Draw every probability the list can give, and the case's way through them."""
    stages, way = result.scoring_list.stages, result.walk
    # dots less than a third of a per cent apart are one
    levels = [np.unique((300 * stage.probability).round()) / 300 for stage in stages]
    at = np.arange(way.stage + 1.0)
    marks = [
        *zones(state, *ends),
        Dots(
            "reached",
            "hull-soft",
            np.repeat(np.arange(float(len(levels))), [level.size for level in levels]),
            np.concatenate(levels),
            rim="hull",
            size=60,
            width=0.5,
        ),
        Line("train", "ranking", at if way.stage else (), way.probability),
        Dots("path", "text", at, way.probability, size=120),
    ]
    if result.bands is not None:
        pairs, bars = np.column_stack((at, at)), np.column_stack((way.lower, way.upper))
        marks.append(Line("intervals", "hull", pairs, bars, opacities=(0.35,), width=9.0))
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
    state: ScoringListState, _result: ScoringListResult, ends: tuple[float, float], is_large: bool
) -> tuple[float, float, Any, list[Mark]]:
    """Draw a quantity by stage where the list was counted and elsewhere, now and as it came.

    The limits leave room for words, and the handle, where the curves are not.
    """
    rows = curve_rows(state, large=is_large)
    looks: dict[str, Any] = {
        "train": ("ranking", "solid", 2.5),
        "test": ("second", "dashed", 2.5),
        "came": ("reference", "dotted", 2.0),
        "came test": ("reference", "dotted", 2.0),
    }
    marks: list[Mark] = []
    for name, values, *_ in rows:
        role, dash, width = looks[name]
        marks.append(Line(name, role, np.arange(values.size), values, dash=dash, width=width))
    every = np.concatenate([values for _, values, *_ in rows])
    low, high = float(np.nanmin(every)), float(np.nanmax(every))
    height = 0.062 if is_large else 0.125
    room = len(rows) * height + 0.03
    grip = 0.11 if is_large else 0.2
    reach = max(high - low, 0.02)
    low, high = low - 0.04 * reach, high + 0.04 * reach
    span = (high - low) / (1 - room - grip)
    rises = state.quantity == "auc"
    low, high = (high - span, high) if rises else (low - grip * span, low + (1 - grip) * span)
    # words over the handle's row where the curves rise, else at the top
    top = low + span * (room + grip - 0.6 * height) if rises else high - span * 0.6 * height
    written = [(ends[1], top - i * height * span, *row[2:]) for i, row in enumerate(rows)]
    marks.append(words("words", written, "end"))
    return low, high, round_ticks(low, high, 6 if is_large else 3), marks
