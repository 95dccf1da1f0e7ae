"""The ranking loss explorer's pictures: samples, links, errors by floor, and the bound."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np

from rocviz.core.ranking_loss.methods import FLOORS
from rocviz.displays.ranking_loss import pictures
from rocviz.displays.ranking_loss.pictures import STYLES, fraction, mean_marks, method_lines
from rocviz.pictures import (
    NOWHERE,
    ROW,
    Axis,
    Dots,
    Entry,
    Handle,
    Labels,
    Legend,
    Line,
    Mark,
    Picture,
    PointLabel,
    has_room,
    round_ticks,
    sheet,
    words,
)
from rocviz.widgets.ranking_loss.result import REACH, RankingLossResult
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.words import direction_rows, error_rows, link_rows
from rocviz.words import amount, shorten

EDGE = 3.6  # of the plane, in standard deviations
LEFT, RIGHT = REACH
FEW = 120  # samples drawn in a small picture
#: Length and width of each arrow, and its role.
ARROWS = {
    "truth": (3.25, 4.0, "selected"),
    "logistic": (2.55, 3.0, "second"),
    "rank": (1.85, 3.0, "ranking"),
}
TICKS = (-3, -2, -1, 0, 1, 2, 3)


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
    some = slice(None) if is_large else slice(None, None, -(-len(plane.points) // FEW))
    points = plane.points[some]
    positive = plane.positive[some]
    n = samples.positive.size
    shown = f", {len(points)} of {amount(n)} samples" if n > len(points) else ""
    labels = [
        shorten(text, 45) + more for text, more in zip(plane.labels, (shown, ""), strict=True)
    ]
    border: Any = ((), ())
    if samples.truth is not None:
        w = samples.truth.direction
        border = (np.outer([-2, 2], [-w[1], w[0]]) * EDGE + state.border * w).T
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
        Line("border", "selected", *border, dash="dotted", width=2.0),
    ]
    for name, (length, width, role) in ARROWS.items():
        way = plane.directions.get(name)
        path: Any = ((), ()) if way is None else arrow(way, length)
        marks.append(Line(f"{name} arrow", role, *path, width=width))
    x, y = (Axis(label, -EDGE, EDGE, TICKS, pad=0.0) for label in labels)
    rows = direction_rows(result) if is_large else []
    choices = [rows, [row._replace(of="") for row in rows]]  # in a crowd colours have to do
    legend = Legend("words", "text", choices=choices, corner=(0.0, 1.0), is_small=True)
    return Picture(x, y, (*marks, legend), is_large=is_large)


def place_of_floor(state: RankingLossState) -> tuple[float, float]:
    """Place the handle of the floor in the picture of the links."""
    if state.link == "sigmoid":
        return float(np.clip(state.border - 1, LEFT + 0.1, RIGHT - 0.1)), state.a
    return float(min(state.border - 0.5, 0.0) / 2 - 1.6), state.a


def link_picture(state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw probability against the score: the truth, and what each method makes of it."""
    known = result.truth is not None
    truth: Any = (result.position, result.truth) if known else ((), ())
    floor: Any = np.transpose([place_of_floor(state)]) if known else ((), ())
    seen: Any = ((), ())
    if result.seen is not None:
        seen = (np.clip(result.seen[0], LEFT, RIGHT), result.seen[1])
    links = {name: (result.position, method.link) for name, method in result.methods.items()}
    rows = link_rows(result, state.a) if is_large else []
    label = "true score, w · x" if known else "the ranker's score, standardised"
    style: dict[str, Any] = {"corner": (0.0, 1.0), "left_out": ["floor"], "is_small": True}
    return Picture(
        Axis(label, LEFT, RIGHT, TICKS, pad=0.02),
        Axis("probability of a positive", pad=0.02),
        (
            Line("truth", "selected", *truth, width=5.0, opacities=(0.75,)),
            *method_lines(links),
            Dots("seen", "paper", *seen, rim="text", size=90, width=1.8),
            Handle("floor", "selected", *floor, along="y"),
            Legend("words", "text", choices=[rows], **style),
            *(_step_marks(result) if is_large else ()),
        ),
        is_square=False,
        is_large=is_large,
    )


def _step_marks(result: RankingLossResult) -> list[Mark]:
    """Put a bracket under the top step of the fit on the ranker's scores."""
    top = result.top
    right = result.position >= result.top.start
    if "rank + isotonic" not in result.methods or top.start >= 3.0:
        return []
    # below everything that is said there
    links = [method.link for method in result.methods.values()]
    links += [result.truth] if result.truth is not None else []
    lowest = min((float(link[right].min()) for link in links if right.any()), default=top.says)
    y = max(min(top.says, lowest) - 0.035, 0.08)
    x = np.array([top.start, top.start, 3.17, 3.17])
    few = f"{amount(top.n)} {'sample' if top.n == 1 else 'samples'}"
    wish = PointLabel(
        (f"top step: {few}", few), "text", np.linspace(top.start, 3.17, 9), y - 0.05, 0.05
    )
    bracket = Line("step", "text", x, (y + 0.02, y, y, y + 0.02), width=1.6)
    return [bracket, Labels("step words", "text", wishes=[wish])]


BELOW = -0.1  # of the height lies below zero, where the handle is
PLACES = [float(np.log2(floor)) for floor in FLOORS]
FLOORS_LEFT = PLACES[0] - 0.4
FLOORS_RIGHT = PLACES[-1] + 0.4
UNKNOWN = "The true probabilities of your samples are not known, so there is no error to show."
#: Below it, where there is room.
MORE = (
    "To measure the squared error on the labels of held-out samples, use compare_ranking_methods "
    "of rocviz.estimators.ranking_loss."
)


def error_picture(state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw the error to the true probability against the floor; mark the current floor."""
    if result.samples.truth is None:
        lines = [*wrap(UNKNOWN, 34), "", *wrap(MORE, 34)] if is_large else wrap(UNKNOWN, 22)
        step = ROW if is_large else 2 * ROW
        written = [(0.0, 0.9 - step * k, line, "muted") for k, line in enumerate(lines)]
        return sheet([words("words", written, bold=False)], 1.0, 1.0, is_large=is_large)
    place = float(np.clip(np.log2(max(state.a, 1e-9)), PLACES[0], PLACES[-1]))
    highest = max(result.errors.values())
    curves = _curves(result)
    tops = [float((error + spread).max()) for _, error, spread in curves.values()]
    top = 1.06 * _nice(max([highest, *tops]))
    rows = [Entry(text, "muted", bold=False) for text in ("run the", "experiment")]
    rows = error_rows(result, state.a) if is_large else rows * (result.experiment is None)
    legend = Legend("words", "text", choices=[rows], corner=(float(is_large), 1.0), is_small=True)
    ticks = {at: fraction(floor) for at, floor in zip(PLACES, FLOORS, strict=True)}
    marks: list[Mark] = mean_marks(curves)
    for name, (role, _, marker) in STYLES.items():
        at: Any = ([place], [result.errors[name]]) if name in result.errors else NOWHERE
        style: dict[str, Any] = {"rim": "selected", "marker": marker, "size": 150, "width": 2.2}
        marks.append(Dots(f"{name} here", role, *at, **style))

    def drawn(top: float) -> Picture:
        low = BELOW * top if is_large else -0.04 * top
        held = Line("selected", "selected", (place, place), (low, highest), width=1.8)
        grip: Any = ([place], [BELOW / 2 * top]) if is_large else ((), ())
        return Picture(
            Axis("floor a of the true probability", FLOORS_LEFT, FLOORS_RIGHT, ticks, pad=0.0),
            Axis("squared error to the truth", low, top, round_ticks(0.0, top), pad=0.0),
            (held, *marks, Handle("floor", "selected", *grip, along="x"), legend),
            is_square=False,
            is_large=is_large,
        )

    picture = drawn(top)
    if is_large and not has_room(picture, legend):
        return drawn(top / (1 - ROW * (len(rows) + 1)))  # above everything
    return picture


def _curves(result: RankingLossResult) -> dict[str, tuple[Any, Any, Any]]:
    """Collect each method's places, errors and two standard errors from the experiment."""
    experiment = result.experiment
    if experiment is None:
        return {}
    columns = {name: experiment.methods.index(name) for name in STYLES if name in result.methods}
    return {
        name: (np.log2(experiment.a), experiment.error[:, k], 2 * experiment.standard_error[:, k])
        for name, k in columns.items()
    }


def _nice(top: float) -> float:
    """Round up to a round number, so that the picture's scale seldom changes."""
    top = max(top, 0.002)
    power = 10.0 ** np.floor(np.log10(top))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(power * next(k for k in steps if k * power >= 1.02 * top or k == 10))


def bound_picture(_state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw how much squared loss an AUC allows: the most, simply, and as printed; and rankings."""
    mine, *against = result.examples
    return pictures.bound_picture(mine.prevalence, against, is_large, mine=mine)
