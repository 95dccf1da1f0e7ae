"""The scoring list explorer's pictures: the list, one stage, all stages, where samples stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.displays.scoring_lists import pictures
from rocviz.displays.scoring_lists.pictures import PERCENT_TICKS, zones
from rocviz.pictures import (
    NO_POINTS,
    Axis,
    Dots,
    Entry,
    Handle,
    Line,
    Picture,
    round_ticks,
    uprights,
    words,
)
from rocviz.widgets.scoring_lists.result import reachable_totals
from rocviz.widgets.scoring_lists.words import QUANTITY_NAMES, stage_text
from rocviz.words import number, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState


def list_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw the list as a table, with the case's path through it."""
    path = result.walk.totals.tolist()
    return pictures.list_picture(
        result.scoring_list,
        state.questions,
        result.decisions,
        path,
        state.stage,
        is_large,
        reachable=reachable_totals(result.scoring_list, result.decisions, path),
    )


def stops_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw how many are ruled out and ruled in after each question."""
    where = result.stops
    if where is None:
        text = "No samples stand behind this list."
        return pictures.stops_picture([], [], text, 0, is_large)
    shares = [where.stopped_share_by(stage) for stage in range(len(where.share))]
    text = stops_words(state, result)
    if not is_large:  # the rest is text where there is room
        text = text.split(". ")[0] + "."
    return pictures.stops_picture(shares, state.questions, text, state.stage, is_large)


# ---------------------------------------------------------------------- one stage


def stage_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw probability with its intervals against the total, and two limits to drag."""
    stages = result.scoring_list.stages
    k = state.stage
    stage = stages[k]
    walk = result.walk
    band = None if result.bands is None else result.bands[k]
    low = min(int(each_stage.totals[-1]) for each_stage in stages)
    high = max(int(each_stage.totals[0]) for each_stage in stages)
    # room at the right for what is dragged
    ends = low - 0.5, high + 0.5 + 0.08 * (high - low)
    case: Any = NO_POINTS
    if k <= walk.stage:
        case = [float(walk.totals[k])], [float(walk.probability[k])]
    style: dict[str, Any] = {"width": 1.2, "may_be_covered": True, "blocks_text": False}
    # small where the token of the list is the large one
    limit: dict[str, Any] = {"along": "y", "scale": 1.0 if is_large else 0.7}
    return pictures.stage_picture(
        stage,
        band,
        is_large,
        ends=ends,
        levels=result.limits,
        cost_fn=state.cost_fn,
        classes=state.class_names.shortened(),
        more=(
            Line("column", "text", np.repeat(case[0], 2), (0.0, 1.0), **style),
            Dots("case", "hull", *case, rim="text", size=230, width=3.5),
            Handle("lower", "selected", [ends[1]], [state.lower], is_hinted=False, **limit),
            Handle("upper", "selected", [ends[1]], [state.upper], **limit),
        ),
    )


# ---------------------------------------------------------------------- all stages


def curves_picture(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw the case's probability from stage to stage, or how good the list is."""
    if state.quantity == "probability":
        picture = _path(state, result, is_large)
    else:
        special = {"entropy": "entropy (bits)"}
        picture = pictures.measure_picture(
            *curves_and_words(state, is_large),
            state.stage,
            is_large,
            label=special.get(state.quantity, QUANTITY_NAMES[state.quantity]),
            rises=state.quantity == "auc",
            grip=0.11 if is_large else 0.2,
        )
    low, high = picture.y.limits
    grip = low + (0.055 if is_large else 0.1) * (high - low)
    return picture.with_marks(Handle("stage", "selected", [state.stage], [grip], along="x"))


def _path(state: ScoringListState, result: ScoringListResult, is_large: bool) -> Picture:
    """Draw every probability the list can give, and the case's way through them."""
    stages = result.scoring_list.stages
    way = result.walk
    size = len(stages) - 1
    low = -0.04
    high = 1.1 if is_large else 1.04
    # dots less than a third of a per cent apart are one
    levels = [np.unique((300 * stage.probability).round()) / 300 for stage in stages]
    reached = np.repeat(np.arange(size + 1.0), [level.size for level in levels])
    stage_numbers = np.arange(way.stage + 1.0)
    bars: Any = NO_POINTS
    if result.bands is not None:
        bars = uprights(stage_numbers, way.lower, way.upper)
    x = Axis("questions asked", 0, size, round_ticks(0, size, 8 if is_large else 3, integer=True))
    note = []
    classes = state.class_names.shortened()
    if is_large:
        note.append((x.limits[1], 1.06, "dots: every probability of the list", "muted"))
    style: dict[str, Any] = {"rim": "hull", "size": 60, "width": 0.5}
    return Picture(
        x,
        Axis(f"{classes.probability}, %", low, high, PERCENT_TICKS, pad=0.0),
        (
            Line("selected", "selected", [state.stage] * 2, (low, high), width=1.8),
            *zones(result.limits, *x.limits),
            Dots("reached", "hull-soft", reached, np.concatenate(levels), **style),
            Line("intervals", "hull", *bars, opacities=(0.35,), width=9.0),
            Line("train", "ranking", stage_numbers if way.stage else (), way.probability),
            Dots("path", "text", stage_numbers, way.probability, size=120),
            words("words", note, "end"),
        ),
        is_square=False,
        is_large=is_large,
    )


def curves_and_words(
    state: ScoringListState, is_large: bool
) -> tuple[dict[str, NDArray[np.float64]], list[Entry]]:
    """List the curves by stage and their legend.

    "came" is how the list came, where its points have been changed.
    """
    result = state.result
    curves = {}
    entries = []
    own = "its own samples" if is_large else "own"
    held_out = "held-out samples" if is_large else "held-out"
    for name, side, evaluated, ink, text in (
        ("train", "train", result.evaluated, "ranking", own),
        ("came", "train", result.evaluated_original, "muted", "as learned"),
        ("test", "test", result.evaluated, "negative-text", held_out),
        ("came test", "test", result.evaluated_original, "muted", "as learned"),
    ):
        curve = evaluated.curve(side, state.quantity)
        if curve is not None and (name == side or result.is_edited):
            curves[name] = curve
            entries.append(Entry(f"{text} {number(float(curve[state.stage]))}", ink, name))
    return curves, entries


def stops_words(state: ScoringListState, result: ScoringListResult) -> str:
    """State the share of cases decided at this stage, and the mean number of questions."""
    where = result.stops
    assert where is not None
    negative_share, positive_share = where.stopped_share_by(state.stage)
    negative = percent(negative_share).replace(" ", "\u00a0")
    positive = percent(positive_share).replace(" ", "\u00a0")
    verb = "would be" if where.sample_kind == "ways to answer" else "are"
    start = stage_text(state, state.stage).capitalize()
    shares = []
    if negative_share:
        shares.append(f"{negative} of the {where.sample_kind} {verb} ruled out")
    if positive_share:
        of = "" if shares else f" of the {where.sample_kind} {verb}"
        shares.append(f"{positive}{of} ruled in")
    decided = f", {' and '.join(shares)}" if shares else " nothing is decided"
    return f"{start}{decided}. On average {_asked(result)}."


def _asked(result: ScoringListResult) -> str:
    """Write the mean number of features that are asked."""
    where = result.stops
    assert where is not None
    verb = "would be" if where.sample_kind == "ways to answer" else "are"
    return f"{where.n_asked:.1f} of {int(result.n_asked[-1])} features {verb} asked"
