"""The ranking loss explorer's pictures: the samples, and each method's link."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.displays.ranking_loss.pictures import method_lines
from rocviz.pictures import Axis, Dots, Handle, Labels, Legend, Line, Mark, Picture, PointLabel
from rocviz.widgets.ranking_loss.result import REACH, RankingLossResult
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.words import direction_rows, link_rows
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
