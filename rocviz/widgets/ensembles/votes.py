"""The votes of the classifiers on one sample, as weights on a beam, and what the crowd gains.

Each block is as high as its classifier's evidence. Those that speak for negative lie on the left
end of the beam, those for positive on the right one, and the heavier end sinks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.displays.ensembles.pictures import evidence_limit
from rocviz.pictures import (
    NO_POINTS,
    Areas,
    Dots,
    Handle,
    Line,
    Mark,
    Picture,
    boxes,
    sheet,
    spread,
    tick_text,
    uprights,
    words,
)
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.words import (
    alike_words,
    crowd_votes,
    gain_words,
    verdict_words,
)
from rocviz.words import signed

MAX_LABELS = 6  # labelled blocks in a pile; the lightest have no label
MIN_GAP = 0.3  # between blocks
#: From left to right: values, circles, and the two sides of a pile, of negatives.
VALUE_X, CIRCLE_X, OUTER_X, INNER_X = 17.0, 21.0, 26.0, 42.0
BEAM_ENDS = (24.5, 75.5)  # labels stand beyond them
CIRCLE_STEP = 6.5  # from one circle to the next


class Heights(NamedTuple):
    """Heights of the parts of the picture, which is 100 high and 100 wide."""

    heading: float
    top: float  # of the highest pile
    pivot: float
    fall: float  # of the end that sinks as far as it can
    verdict: float
    foot: float  # of the support of the beam


LARGE = Heights(heading=96.0, top=91.0, pivot=57.0, fall=5.0, verdict=46.0, foot=47.0)
SMALL = Heights(heading=94.0, top=86.0, pivot=30.0, fall=8.0, verdict=6.0, foot=16.0)

#: Heights of the track of the handle and of its words, and of the line of AUCs and its words.
TRACK_Y, TRACK_WORDS_Y = 27.0, 34.5
AUC_Y, CROWD_WORDS_Y, BEST_WORDS_Y = 11.0, 18.0, 4.0
TRACK = (4.0, 96.0)
AUC_LINE = (14.0, 86.0)


def votes_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw the votes on a beam; if large, a handle below them, and the crowd beside the best."""
    at = LARGE if is_large else SMALL
    values = result.item.contributions[0]
    total = float(result.item.log_likelihood_ratio[0])
    fall = -at.fall * float(np.tanh(total / 2))  # of the right end; as far as the odds are clear
    marks: list[Mark] = [*_beam_marks(at, fall), _block_marks(at, fall, values)]
    negative, positive = crowd_votes(state, brief=not is_large)
    marks.append(words("negative votes", [(0.0, at.heading, negative, "negative-text")]))
    marks.append(words("positive votes", [(100.0, at.heading, positive, "positive-text")], "end"))
    crowd, (truth, role) = verdict_words(state, brief=not is_large)
    if is_large:
        marks.append(words("crowd", [(43.0, at.verdict, crowd, "text")], "end"))
        marks.append(words("truth", [(57.0, at.verdict, truth, role)]))
        marks += _classifier_marks(at, fall, values, result)
        marks += handle_marks(state, result)
        marks += gain_marks(state, result)
    else:
        marks.append(words("crowd", [(50.0, at.verdict, crowd, "text")], "middle"))
    return sheet(marks, is_large=is_large)


# ---------------------------------------------------------------------- the beam


def _height(at: Heights, fall: float, x: Any) -> Any:
    """Find how high the beam is at places along it."""
    return at.pivot + fall * (np.asarray(x) - 50.0) / (BEAM_ENDS[1] - 50.0)


def _beam_marks(at: Heights, fall: float) -> list[Mark]:
    """Draw the beam, and what it rests on."""
    support = [[50.0, 43.5, 56.5]], [[at.pivot, at.foot, at.foot]]
    return [
        Areas("support", "reference", *support),
        Line("beam", "text", BEAM_ENDS, _height(at, fall, BEAM_ENDS), width=7.0),
    ]


def _piles(at: Heights, values: Floats) -> tuple[Floats, Floats]:
    """Compute the lower and the upper end of each block above the beam, the first one on top."""
    heaviest = max(values[values > 0].sum(), -values[values < 0].sum())
    unit = (at.top - at.pivot - 2.0) / evidence_limit([heaviest])
    low = np.empty_like(values)
    high = np.empty_like(values)
    for side in (values > 0, values <= 0):
        heights = unit * np.abs(values[side])[::-1]
        ends = np.cumsum(heights)
        high[side] = ends[::-1]
        low[side] = (ends - heights)[::-1]
    return low + 1.0, high + 1.0


def _block_marks(at: Heights, fall: float, values: Floats) -> Areas:
    """Draw a block for each vote, on its end of the beam."""
    low, high = _piles(at, values)
    is_positive = values > 0
    left = np.where(is_positive, 100.0 - INNER_X, OUTER_X)
    right = np.where(is_positive, 100.0 - OUTER_X, INNER_X)
    x, y = boxes(left, right, np.minimum(low + MIN_GAP, high), high)
    roles = ["positive" if positive else "negative" for positive in is_positive]
    y = y + _height(at, fall, x)
    return Areas("blocks", "ranking", x, y, part_roles=roles, opacities=(0.85,))


def _classifier_marks(
    at: Heights, fall: float, values: Floats, result: EnsembleResult
) -> list[Mark]:
    """Draw a circle with the number of each classifier: beside its block, or, if out, between."""
    low, high = _piles(at, values)
    members = np.array(result.members)
    numbers: list[tuple[float, float, str, str]] = []
    circles: list[tuple[float, float, int]] = []
    leaders = []
    written: dict[str, list[Any]] = {"start": [], "end": []}
    for is_positive, align in ((True, "start"), (False, "end")):
        inside = np.flatnonzero((values > 0) == is_positive)
        heaviest = np.sort(inside[np.argsort(-np.abs(values[inside]), kind="stable")[:MAX_LABELS]])
        if not heaviest.size:
            continue
        edge, circle_x, value_x = OUTER_X, CIRCLE_X, VALUE_X
        if is_positive:
            edge, circle_x, value_x = 100.0 - edge, 100.0 - circle_x, 100.0 - value_x
        middle = (low[heaviest] + high[heaviest]) / 2 + _height(at, fall, edge)
        places = spread(middle, CIRCLE_STEP, at.verdict + 2.0, at.top + 2.0)
        for k, block_y, y in zip(heaviest.tolist(), middle.tolist(), places.tolist(), strict=True):
            circles.append((circle_x, y, int(members[k])))
            leaders.append(((circle_x, edge), (y, block_y)))
            written[align].append((value_x, y, signed(float(values[k])), "text"))
    out = [k for k in range(len(result.ensemble.names)) if k not in result.members]
    out_circles = []
    for index, k in enumerate(out[: 2 * MAX_LABELS]):
        column, row = divmod(index, MAX_LABELS)
        x = 50.0
        if len(out) > MAX_LABELS:
            x = 47.0 + 6.0 * column
        out_circles.append((x, at.top - CIRCLE_STEP * row, k))
    for shown, role in ((circles, "text"), (out_circles, "muted")):
        numbers += [(x, y, str(k + 1), role) for x, y, k in shown]
    lines: Any = np.swapaxes(leaders, 0, 1) if leaders else NO_POINTS
    return [
        Line("leaders", "reference", *lines, width=1.5),
        _circles("members", circles, "text"),
        _circles("left out", out_circles, "reference"),
        words("numbers", numbers, "middle"),
        words("out", [(50.0, at.heading, "out", "muted")] if out else [], "middle", bold=False),
        words("values start", written["start"], "start", bold=False),
        words("values end", written["end"], "end", bold=False),
    ]


def _circles(name: str, circles: list[tuple[float, float, int]], rim: str) -> Dots:
    x, y, keys = zip(*circles, strict=True) if circles else ((), (), ())
    return Dots(name, "paper", x, y, rim=rim, size=300, width=1.5, keys=keys)


# ---------------------------------------------------------------------- the handle


def handle_marks(
    state: EnsembleState,
    result: EnsembleResult,
    track_y: float = TRACK_Y,
    words_y: float = TRACK_WORDS_Y,
    ends: tuple[float, float] = TRACK,
) -> list[Mark]:
    """Draw the track of the handle: how alike classifiers err, or the rank of an own sample."""
    share = alike_share(state, result)
    x = ends[0] + share * (ends[1] - ends[0])
    left, right = alike_words(state)
    words_x = 0.0 if ends == TRACK else ends[0]
    return [
        Line("track", "reference", ends, (track_y, track_y), width=6.0),
        Line("passed", "selected", (ends[0], x), (track_y, track_y), width=6.0),
        words("track left", [(words_x, words_y, left, "text")], bold=False),
        words("track right", [(100.0 - words_x, words_y, right, "text")], "end", bold=False),
        Handle(
            "alike" if state.is_sandbox else "item",
            "selected",
            [x],
            [track_y],
            along="x",
            letter="↔",
            scale=1.4,
        ),
    ]


def alike_share(state: EnsembleState, result: EnsembleResult) -> float:
    """Compute where the handle is: 0 at the left end of its track, 1 at the right one."""
    if state.is_sandbox:
        return float(state.correlation)
    return 1.0 - (result.place - 1) / max(result.n_items - 1, 1)


def share_at(x: float, ends: tuple[float, float] = TRACK) -> float:
    """Compute which share of its track the handle has passed at a place."""
    return float(np.clip((x - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0))


# ---------------------------------------------------------------------- what the crowd gains


def gain_marks(state: EnsembleState, result: EnsembleResult) -> list[Mark]:
    """Draw the AUCs of all classifiers, of the best one and of the crowd on one line."""
    low, high = auc_ends(result)

    def place(auc: Any) -> Any:
        share = (np.asarray(auc) - low) / (high - low)
        return AUC_LINE[0] + share * (AUC_LINE[1] - AUC_LINE[0])

    singles = place(result.base_auc[list(result.members)])
    best = float(place(result.auc["best"]))
    crowd = float(place(result.auc[state.method]))
    crowd_text, best_text = gain_words(state)
    gain: Any = NO_POINTS
    if state.method in result.intervals:
        gain = place(result.intervals[state.method]), (AUC_Y, AUC_Y)
    ends = [(7.0, AUC_Y, tick_text(low), "muted"), (93.0, AUC_Y, tick_text(high), "muted")]
    return [
        Line("auc line", "grid", AUC_LINE, (AUC_Y, AUC_Y), width=2.0),
        Line("best", "second", *uprights([best], AUC_Y - 4.0, AUC_Y + 4.0)),
        Line("gain", "muted", *gain),
        Dots("singles", "second", singles, np.full(singles.size, AUC_Y), rim="text", size=60),
        Dots("of best", "second", [best], [AUC_Y], rim="text", size=170, width=1.2),
        Dots("of crowd", "text", [crowd], [AUC_Y], rim="paper", size=260, width=1.5),
        words("auc ends", ends, "middle", bold=False),
        words("crowd auc", [(_inside(crowd), CROWD_WORDS_Y, crowd_text, "text")], "middle"),
        words(
            "best auc",
            [(_inside(best), BEST_WORDS_Y, best_text, "negative-text")],
            "middle",
            bold=False,
        ),
    ]


def auc_ends(result: EnsembleResult) -> tuple[float, float]:
    """Choose the ends of the line of AUCs: the same, however alike classifiers err."""
    lowest = result.auc_limits[0]
    return (0.4, 1.0) if lowest >= 0.4 else (0.0, 1.0)


def _inside(x: float) -> float:
    """Keep words, which are centred, inside of the picture."""
    return float(np.clip(x, 25.0, 75.0))
