"""The ranking loss explorer's pictures: samples, links, errors by floor, and the bound."""

from __future__ import annotations

from math import ceil
from textwrap import wrap
from typing import Any

import numpy as np

from rocviz.core.ranking_loss.methods import FLOORS
from rocviz.displays.ranking_loss import pictures
from rocviz.displays.ranking_loss.pictures import METHOD_STYLES, fraction, mean_marks, method_lines
from rocviz.pictures import (
    NO_POINTS,
    ROW_HEIGHT,
    UNIT_TICKS,
    Areas,
    Axis,
    Band,
    Dots,
    Entry,
    Handle,
    Labels,
    Legend,
    Line,
    Mark,
    Picture,
    PointLabel,
    boxes,
    has_room,
    round_ticks,
    sheet,
    uprights,
    words,
)
from rocviz.widgets.ranking_loss.result import LINK_RANGE, RankingLossResult
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.words import (
    METHOD_ROLES,
    direction_rows,
    error_rows,
    error_text,
    fit_rows,
    link_rows,
    truth_text,
)
from rocviz.words import amount, shorten

PLANE_EDGE = 3.6  # of the plane, in standard deviations
LINK_LEFT, LINK_RIGHT = LINK_RANGE
MAX_CLASS_LETTERS = 14  # of the name of a class in the large picture
MAX_DRAWN_SAMPLES_IN_SMALL = 120  # samples drawn in a small picture
#: Length and width of each arrow, and its role.
ARROW_STYLES = {
    "truth": (3.25, 4.0, "text"),
    "logistic": (2.55, 3.0, "second"),
    "rank": (1.85, 3.0, "hull"),
}
LINK_TICKS = (-3, -2, -1, 0, 1, 2, 3)


def arrow(direction: np.ndarray, length: float) -> np.ndarray:
    """Draw the path of an arrow from the origin: x and y."""
    tip = length * direction
    across = np.array([-direction[1], direction[0]])
    barbs = [tip - 0.24 * direction + side * 0.13 * across for side in (1, -1)]
    return np.array([np.zeros(2), tip, barbs[0], tip, barbs[1]]).T


def samples_picture(state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw the samples, the true direction and the learned ones."""
    samples = result.samples
    plane = result.plane
    every = 1 if is_large else ceil(len(plane.points) / MAX_DRAWN_SAMPLES_IN_SMALL)
    points = plane.points[::every]
    positive = plane.positive[::every]
    n_samples = samples.positive.size
    x_label = shorten(plane.labels[0], 45)
    y_label = shorten(plane.labels[1], 45)
    if n_samples > len(points):
        x_label += f", {len(points)} of {amount(n_samples)} samples"
    border: Any = ((), ())
    if samples.truth is not None:
        w = samples.truth.direction
        border = (np.outer([-2, 2], [-w[1], w[0]]) * PLANE_EDGE + state.border * w).T
    marks = [
        Dots(
            "negative",
            "paper",
            *points[~positive].T,
            rim="negative",
            marker="triangle-down",
            size=38,
            width=1.4,
            clipped=True,
        ),
        Dots("positive", "positive", *points[positive].T, size=30, width=0.5, clipped=True),
        Line("border", "text", *border, dash="dotted", width=2.0),
    ]
    for name, (length, width, role) in ARROW_STYLES.items():
        path: Any = NO_POINTS
        if name in plane.directions:
            path = arrow(plane.directions[name], length)
        marks.append(Line(f"{name} arrow", role, *path, width=width))
    x = Axis(x_label, -PLANE_EDGE, PLANE_EDGE, LINK_TICKS, pad=0.0)
    y = Axis(y_label, -PLANE_EDGE, PLANE_EDGE, LINK_TICKS, pad=0.0)
    rows = direction_rows(result) if is_large else []
    choices = [rows, [row._replace(of="") for row in rows]]  # in a crowd colours have to do
    legend = Legend("words", "text", choices=choices, corner=(0.0, 1.0), is_small=True)
    return Picture(x, y, (*marks, legend), is_large=is_large)


def place_of_floor(state: RankingLossState) -> tuple[float, float]:
    """Place the handle of the floor in the picture of the links."""
    if state.link == "sigmoid":
        return float(np.clip(state.border - 1, LINK_LEFT + 0.1, LINK_RIGHT - 0.1)), state.a
    return float(min(state.border - 0.5, 0.0) / 2 - 1.6), state.a


def link_picture(state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw probability against the score: the truth, and what each method makes of it.

    Around one fit or two, the large picture has samples: positives above, negatives below.
    """
    known = result.truth is not None
    truth: Any = (result.position, result.truth) if known else ((), ())
    floor: Any = np.transpose([place_of_floor(state)]) if known else ((), ())
    observed: Any = NO_POINTS
    if result.observed is not None:
        score, share = result.observed
        observed = np.clip(score, LINK_LEFT, LINK_RIGHT), share
    seen = seen_parts(state, result)
    links = {name: (x, link) for name, (x, link, _) in seen.items()}
    rows = link_rows(result, state.a) if is_large else []
    label = "true score, w · x" if known else "the ranker's score, standardised"
    style: dict[str, Any] = {
        "corner": (0.0, 1.0),
        "left_out": ["floor"],
        "is_small": True,
    }
    is_wiped = state.wiped is not None
    marks: list[Mark] = []
    bottom = 0.0
    top = 1.0
    has_headings = is_large and len(state.methods) <= 2
    if has_headings:
        bottom = -STRIP
        top = HEADING_TOP
        marks += _sample_marks(state, result)
    marks += [
        *_side_marks(state),
        *_fit_marks(state, result, seen, is_large),
        *_whole_marks(state, result),
        Line("truth", "text", *truth, width=TRUTH_WIDTH),
        *method_lines(links, FIT_WIDTH),
        Dots("observed", "paper", *observed, rim="text", size=90, width=1.8),
    ]
    if is_wiped:
        ends = (0.0, ERROR_BAR[1] if has_headings and known else 1.0)
        border = (state.wipe, state.wipe)
        marks.append(Line("border", "selected", border, ends, width=3.0, readings=()))
    scale = 0.6 if is_wiped else 1.0
    marks.append(
        Handle("floor", "selected", *floor, along="y", is_hinted=not is_wiped, scale=scale)
    )
    if is_wiped:
        at = [state.wipe], [WIPE_HANDLE_Y]
        scale = 1.5 if is_large else 1.0
        marks.append(Handle("wipe", "selected", *at, along="x", letter="↔", scale=scale))
    marks.append(Legend("words", "text", choices=[rows], **style))
    if is_large and "rank + isotonic" in seen and seen["rank + isotonic"][0][-1] >= LINK_RIGHT:
        marks += _step_marks(result)
    if has_headings:
        marks += _bar_marks(state, result)
        labels = _truth_labels(state, result)
        marks.append(Labels("truth words", "text", point_labels=labels, bold=False))
    return Picture(
        Axis(label, LINK_LEFT, LINK_RIGHT, LINK_TICKS, pad=0.02),
        Axis(state.class_names.shortened().probability, bottom, top, UNIT_TICKS, pad=0.02),
        tuple(marks),
        is_square=False,
        is_large=is_large,
    )


#: Of the error between two lines: how far from the middle each layer reaches, and its opacity.
ERROR_LAYERS = ((np.inf, 0.05), (2.2, 0.1), (1.6, 0.2), (1.0, 0.35), (0.5, 0.5))
TRUTH_WIDTH = 6.0
FIT_WIDTH = 3.0
PALE_OPACITY = 0.45  # of a fit beyond the wipe
SIDE_OPACITY = 0.1  # of the tint of each side of the wipe
#: Of a sample, a short line at its score: how far from the probabilities it begins and ends.
SAMPLE_ENDS = (0.02, 0.07)
SAMPLE_OPACITY = 0.6
STRIP = 0.1  # height of the room for the samples above and below the probabilities
#: Heights above the probabilities, in the large picture: of the ends of the bar of the errors that
#: are shaded, and of the name of a fit and of its whole error.
ERROR_BAR = (1.15, 1.23)
MAX_BAR_SHARE = 0.55  # of the width, so that words have room beside it
N_BAR_PLACES = 69  # places of the wipe at which the bar has to fit
HEADING_ROWS = (1.41, 1.32)
HEADING_TOP = 1.46
WIPE_HANDLE_Y = 0.5


def _sample_marks(state: RankingLossState, result: RankingLossResult) -> list[Mark]:
    """Draw a short line at the score of each sample: of positives above, of negatives below."""
    score, is_positive = result.fitted
    inside = (score > LINK_LEFT) & (score < LINK_RIGHT)
    names = state.class_names.shortened(MAX_CLASS_LETTERS)
    near, far = SAMPLE_ENDS
    marks: list[Mark] = []
    for role, chosen, low, high, name in (
        ("positive", inside & is_positive, 1.0 + near, 1.0 + far, names.positive),
        ("negative", inside & ~is_positive, -far, -near, names.negative),
    ):
        x = score[chosen]
        ends = uprights(x, np.full(x.size, low), np.full(x.size, high))
        # its words stand beside it, and no others in its strip
        style: dict[str, Any] = {
            "width": 2.0,
            "opacities": (SAMPLE_OPACITY,),
            "readings": [name] * 2,
            "blocks_text": False,
        }
        marks.append(Line(f"{role} samples", role, *ends, **style))
    # each class where it has fewest
    middle = (near + far) / 2
    above = [(LINK_LEFT, 1.0 + middle, names.positives, "positive-text")]
    below = [(LINK_RIGHT, -middle, names.negatives, "negative-text")]
    marks.append(words("positives", above, size=0.9))
    marks.append(words("negatives", below, "end", size=0.9))
    return marks


def _side_marks(state: RankingLossState) -> list[Mark]:
    """Tint both sides of the wipe in the colours of their fits."""
    marks: list[Mark] = []
    for index, side in enumerate(("left", "right")):
        area: Any = NO_POINTS
        role = "text"
        if state.wiped is not None:
            role = METHOD_STYLES[state.wiped[index]][0]
            x = (LINK_LEFT, state.wipe) if side == "left" else (state.wipe, LINK_RIGHT)
            if x[0] < x[1]:
                area = x, ((0.0, 0.0), (1.0, 1.0))
        marks.append(Band(f"{side} side", role, *area, opacity=SIDE_OPACITY))
    return marks


def _whole_marks(state: RankingLossState, result: RankingLossResult) -> list[Mark]:
    """Draw two fits whole and pale, so that each is seen beyond the wipe."""
    marks: list[Mark] = []
    for index, side in enumerate(("left", "right")):
        points: Any = NO_POINTS
        role = "text"
        if state.wiped is not None:
            name = state.wiped[index]
            points = result.position, result.methods[name].link
            role = METHOD_STYLES[name][0]
        style: dict[str, Any] = {"width": 2.0, "opacities": (PALE_OPACITY,), "readings": ()}
        marks.append(Line(f"{side} whole", role, *points, **style))
    return marks


def _bar_marks(state: RankingLossState, result: RankingLossResult) -> list[Mark]:
    """Draw a bar as long as the error that is shaded: of each fit, what lies on its side.

    Both parts meet at the wipe; the bar of one fit begins at the left end.
    """
    pieces = shaded_errors(state, result)
    lengths = np.array(list(pieces.values()))
    start = LINK_LEFT
    if pieces:
        lengths = lengths * _bar_scale(state, result)
        if state.wiped is not None:
            start = state.wipe - lengths[0]
    ends = start + np.append(0.0, np.cumsum(lengths))
    left_rows = []
    right_rows = []
    if pieces:
        text = f"shaded {error_text(sum(pieces.values()))}"
        middle = sum(ERROR_BAR) / 2
        if LINK_RIGHT - ends[-1] >= start - LINK_LEFT:
            right_rows.append((LINK_RIGHT, middle, text, "text"))
        else:
            left_rows.append((LINK_LEFT, middle, text, "text"))
    roles = [METHOD_STYLES[name][0] for name in pieces]
    return [
        Areas("error bar", "text", *boxes(ends[:-1], ends[1:], *ERROR_BAR), part_roles=roles),
        words("shaded at left", left_rows, size=0.9),
        words("shaded at right", right_rows, "end", size=0.9),
    ]


def _bar_scale(state: RankingLossState, result: RankingLossResult) -> float:
    """Compute the length of the bar for an error of one: the same wherever the wipe is.

    At none of its places does the bar reach beyond the picture.
    """
    width = LINK_RIGHT - LINK_LEFT
    if state.wiped is None:
        return MAX_BAR_SHARE * width / _round_top(max(result.errors.values()))
    wipe = np.linspace(LINK_LEFT, LINK_RIGHT, N_BAR_PLACES)
    left, right = _errors_around(state.wiped, result, wipe)
    scale = MAX_BAR_SHARE * width / _round_top(float((left + right).max()))
    for error, room in ((left, wipe - LINK_LEFT), (right, LINK_RIGHT - wipe)):
        is_seen = error > 0
        scale = min(scale, (room[is_seen] / error[is_seen]).min(initial=np.inf))
    return float(scale)


def shaded_errors(state: RankingLossState, result: RankingLossResult) -> dict[str, float]:
    """Compute the part of each fit's error on its side of the wipe, or the whole one of one fit."""
    if not result.errors:
        return {}
    if state.wiped is None:
        return result.errors if len(result.errors) == 1 else {}
    left, right = _errors_around(state.wiped, result, np.array(state.wipe))
    return dict(zip(state.wiped, (float(left), float(right)), strict=True))


def _errors_around(
    wiped: tuple[str, str], result: RankingLossResult, wipe: np.ndarray
) -> tuple[Any, Any]:
    """Compute the error of the left fit below each score, and that of the right one from there on.

    What lies beyond the ends of the picture counts at them.
    """
    score = np.where(wipe <= LINK_LEFT, -np.inf, np.where(wipe >= LINK_RIGHT, np.inf, wipe))
    left, right = wiped
    return result.error_parts(left, score)[0], result.error_parts(right, score)[1]


#: Scores, a method's probabilities and the true ones there, where the method is drawn.
Seen = tuple[np.ndarray, np.ndarray, np.ndarray | None]


def seen_parts(state: RankingLossState, result: RankingLossResult) -> dict[str, Seen]:
    """Cut two fits at the wipe, so that each is drawn on its side; one or many are whole."""
    position = result.position
    whole = np.ones(position.size, dtype=bool)
    sides = dict.fromkeys(result.methods, whole)
    if state.wiped is not None:
        left, right = state.wiped
        sides = {left: position <= state.wipe, right: position >= state.wipe}
    parts = {}
    for name, side in sides.items():
        link = result.methods[name].link
        x = position[side]
        if not side.all():
            x = np.unique(np.append(x, state.wipe))  # both fits end at the wipe
        truth = None
        if result.truth is not None:
            truth = np.interp(x, position, result.truth)
        parts[name] = x, np.interp(x, position, link), truth
    return parts


def _fit_marks(
    state: RankingLossState, result: RankingLossResult, seen: dict[str, Seen], is_large: bool
) -> list[Mark]:
    """Fill the error of one fit, or of two, each on its side; if large, name them above."""
    left = right = ""
    if state.wiped is not None:
        left, right = state.wiped
    elif len(state.methods) == 1:
        left = state.methods[0]
    marks: list[Mark] = []
    for side, name, x, align in (
        ("left", left, LINK_LEFT, "start"),
        ("right", right, LINK_RIGHT, "end"),
    ):
        rows = []
        if name and is_large:
            for y, (text, role) in zip(HEADING_ROWS, fit_rows(result, name), strict=False):
                rows.append((x, y, text, role))
        marks.append(words(f"{side} fit", rows, align, size=0.9))
        marks += _error_bands(side, name, seen.get(name))
    return marks


def _error_bands(side: str, name: str, seen: Seen | None) -> list[Mark]:
    """Fill what lies between a fit and the truth, in layers: darker where there are more samples.

    Scores are of the normal distribution.
    """
    bands: list[Mark] = []
    role = METHOD_STYLES[name][0] if name else "text"
    for index, (reach, opacity) in enumerate(ERROR_LAYERS):
        area: Any = NO_POINTS
        x, link, truth = seen or (np.empty(0), np.empty(0), None)
        if truth is not None:
            inside = np.abs(x) <= reach
            if inside.sum() > 1:
                ends = np.minimum(link, truth)[inside], np.maximum(link, truth)[inside]
                area = x[inside], np.stack(ends)
        bands.append(Band(f"{side} error {index + 1}", role, *area, opacity=opacity))
    return bands


def _truth_labels(state: RankingLossState, result: RankingLossResult) -> list[PointLabel]:
    """Name the truth, near its lower part."""
    if result.truth is None:
        return []
    x = np.linspace(LINK_LEFT + 0.2, -0.8, 9)
    y = np.interp(x, result.position, result.truth) + 0.05
    return [PointLabel((truth_text(state.a), "truth"), "text", x, y, 0.15)]


def _step_marks(result: RankingLossResult) -> list[Mark]:
    """Put a bracket under the top step of the fit on the ranker's scores."""
    top = result.top
    right = result.position >= result.top.start
    if top.start >= 3.0:
        return []
    # below everything that is drawn there
    lowest = top.probability
    if right.any():
        lines = [method.link for method in result.methods.values()]
        if result.truth is not None:
            lines.append(result.truth)
        lowest = min(lowest, *(float(line[right].min()) for line in lines))
    y = max(lowest - 0.035, 0.08)
    x = np.array([top.start, top.start, 3.17, 3.17])
    count = f"{amount(top.n)} {'sample' if top.n == 1 else 'samples'}"
    label_x = np.linspace(top.start, 3.17, 9)
    label = PointLabel((f"top step: {count}", count), "text", label_x, y - 0.05, 0.1)
    bracket = Line("step", "text", x, (y + 0.02, y, y, y + 0.02), width=1.6, readings=())
    return [bracket, Labels("step words", "text", point_labels=[label])]


# ---------------------------------------------------------------------- errors and the bound


HANDLE_ROOM_SHARE = -0.1  # of the height lies below zero, where the handle is
FLOOR_PLACES = [float(np.log2(floor)) for floor in FLOORS]
FLOORS_LEFT = FLOOR_PLACES[0] - 0.4
FLOORS_RIGHT = FLOOR_PLACES[-1] + 0.4
UNKNOWN_TRUTH_NOTE = (
    "The true probabilities of your samples are not known, so there is no error to show."
)
#: Below it, where there is room.
COMPARE_ADVICE = (
    "To measure the squared error on the labels of held-out samples, use compare_ranking_methods "
    "of rocviz.estimators.ranking_loss."
)


def error_picture(state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw the error to the true probability against the floor; mark the current floor."""
    if result.samples.truth is None:
        return _picture_of_unknown_truth(is_large)
    if not is_large and result.experiment is None:
        return _bars_of_errors(state, result)
    place = float(np.clip(np.log2(max(state.a, 1e-9)), FLOOR_PLACES[0], FLOOR_PLACES[-1]))
    highest = max(result.errors.values())
    curves = _curves(result)
    tops = [float((error + spread).max()) for _, error, spread in curves.values()]
    top = 1.06 * _round_top(max([highest, *tops]))
    rows: list[Entry] = []
    if is_large:
        rows = error_rows(result, state.a)
    legend = Legend("words", "text", choices=[rows], corner=(float(is_large), 1.0), is_small=True)
    ticks = {place: fraction(floor) for place, floor in zip(FLOOR_PLACES, FLOORS, strict=True)}
    marks: list[Mark] = mean_marks(curves)
    for name, (role, _, marker) in METHOD_STYLES.items():
        point: Any = ([place], [result.errors[name]]) if name in result.errors else NO_POINTS
        style: dict[str, Any] = {"rim": "selected", "marker": marker, "size": 150, "width": 2.2}
        marks.append(Dots(f"{name} here", role, *point, **style))

    def drawn(top: float) -> Picture:
        low = HANDLE_ROOM_SHARE * top if is_large else -0.04 * top
        line = Line("selected", "selected", (place, place), (low, highest), width=1.8)
        handle: Any = ([place], [HANDLE_ROOM_SHARE / 2 * top]) if is_large else NO_POINTS
        return Picture(
            Axis("floor a of the true probability", FLOORS_LEFT, FLOORS_RIGHT, ticks, pad=0.0),
            Axis("squared error to the truth", low, top, round_ticks(0.0, top), pad=0.0),
            (line, *marks, Handle("floor", "selected", *handle, along="x"), legend),
            is_square=False,
            is_large=is_large,
        )

    picture = drawn(top)
    if is_large and not has_room(picture, legend):
        return drawn(top / (1 - ROW_HEIGHT * (len(rows) + 1)))  # above everything
    return picture


#: Ends of a bar and height of its words in the small picture, as shares of the height of a row.
SMALL_BAR, SMALL_WORDS = (0.1, 0.45), 0.75
MAX_NAMED_BARS = 3


def _bars_of_errors(state: RankingLossState, result: RankingLossResult) -> Picture:
    """Draw each method's error as a bar; of two fits, what is shaded is filled, the rest pale."""
    shaded = shaded_errors(state, result)
    longest = _round_top(max(result.errors.values()))
    names = [name for name in reversed(METHOD_STYLES) if name in result.errors]
    n = len(names)
    lows = 100 * (n - 1 - np.arange(n) + SMALL_BAR[0]) / n
    highs = 100 * (n - 1 - np.arange(n) + SMALL_BAR[1]) / n
    whole = np.array([result.errors[name] for name in names])
    filled = np.array([shaded.get(name, result.errors[name]) for name in names])
    width = 100.0
    if n > MAX_NAMED_BARS:
        width = 72.0  # numbers stand beside the bars
    roles = [METHOD_STYLES[name][0] for name in names]
    left_words = []
    right_words = []
    for k, name in enumerate(names):
        y = 100 * (n - 1 - k + SMALL_WORDS) / n
        if n > MAX_NAMED_BARS:
            y = float(lows[k] + highs[k]) / 2
        else:
            left_words.append((0.0, y, name, METHOD_ROLES[name]))
        right_words.append((100.0, y, error_text(result.errors[name]), METHOD_ROLES[name]))
    pale: dict[str, Any] = {"part_roles": roles, "opacities": (0.25,)}
    return sheet(
        [
            Areas("track", "grid", *boxes(np.zeros(n), width, lows, highs)),
            Areas("whole", "text", *boxes(0.0, width * whole / longest, lows, highs), **pale),
            Areas(
                "bars", "text", *boxes(0.0, width * filled / longest, lows, highs), part_roles=roles
            ),
            words("names", left_words),
            words("values", right_words, "end"),
            Handle("floor", "selected", *NO_POINTS, along="x"),  # there when it is large
        ],
        is_large=False,
    )


def _picture_of_unknown_truth(is_large: bool) -> Picture:
    """Explain in place of errors that there are none, and what to do instead."""
    lines = wrap(UNKNOWN_TRUTH_NOTE, 22)
    step = 2 * ROW_HEIGHT
    if is_large:
        lines = [*wrap(UNKNOWN_TRUTH_NOTE, 34), "", *wrap(COMPARE_ADVICE, 34)]
        step = ROW_HEIGHT
    written = [(0.0, 0.9 - step * k, line, "muted") for k, line in enumerate(lines)]
    return sheet([words("words", written, bold=False)], 1.0, 1.0, is_large=is_large)


def _curves(result: RankingLossResult) -> dict[str, tuple[Any, Any, Any]]:
    """Collect each method's places, errors and two standard errors from the experiment."""
    experiment = result.experiment
    if experiment is None:
        return {}
    places = np.log2(experiment.a)
    curves = {}
    for name in METHOD_STYLES:
        if name in result.methods:
            k = experiment.methods.index(name)
            curves[name] = places, experiment.error[:, k], 2 * experiment.standard_error[:, k]
    return curves


def _round_top(top: float) -> float:
    """Round up to a round number, so that the picture's scale seldom changes."""
    top = max(top, 0.002)
    power = 10.0 ** np.floor(np.log10(top))
    for factor in (1, 1.5, 2, 3, 4, 5, 6, 8):
        if factor * power >= 1.02 * top:
            return float(factor * power)
    return float(10 * power)


def bound_picture(_state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw how much squared loss an AUC allows: the most, simply, and as printed; and rankings."""
    mine, *counterexamples = result.examples
    return pictures.bound_picture(mine.prevalence, counterexamples, is_large, mine=mine)
