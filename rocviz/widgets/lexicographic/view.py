"""The lexicographic explorer's pictures of rankings and of attributes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocviz.pictures.marks import Dots, Line, Words, diagonal, words
from rocviz.pictures.picture import Axis, Picture
from rocviz.widgets.lexicographic.result import LexicographicResult
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.lexicographic.words import ratio_kind
from rocviz.words import letters, number, ratio_text, shorten

MOST = 160  # points of a curve, and attributes
MOST_LETTERS = (15, 8, 0)  # of a name below the diagonal, as there is room
STEP = 0.056  # from one line of words to the next, as a share of the height

AXES = Axis("false positive rate"), Axis("true positive rate")

#: Of each curve: role, dash and width, its place among the names, and its ranking.
CURVES = {
    "rim": ("text", "solid", 4.5, 3, "decision_tree"),  # yellow on white needs a rim
    "tree": ("third", "solid", 2.5, 3, "decision_tree"),
    "curve": ("ranking", "solid", 2.5, 0, "segments"),
    "bayes": ("second", "dash_dotted", 2.0, 2, "naive_bayes"),
    "hull": ("hull", "dashed", 2.5, 1, "hull"),
}


def curve_rows(result: LexicographicResult) -> list[tuple[str, str, float]]:
    """List each curve's name, the role of its words, and its AUC."""
    return [
        ("this order", "ranking", result.segments.auc),
        ("its hull", "hull-text", result.hull.auc),
        ("naive Bayes", "negative-text", result.naive_bayes.auc),
        ("decision tree", "text", result.decision_tree.auc),
    ]


def curves_picture(
    _state: LexicographicState, result: LexicographicResult, is_large: bool
) -> Picture:
    """Draw the order's ROC curve and hull, naive Bayes' and a decision tree's."""
    good = result.segments.auc >= 0.5  # its curve leaves the lower right corner free
    step = 0.056 if is_large else 0.095
    first = 0.02 + 3 * step if good else 0.97 - 0.4 * step
    names = curve_rows(result)
    heights = first - step * np.arange(len(names))
    long = 0.075 if is_large else 0.12
    edge = np.array([0.995 - long, 0.995]) if good else np.array([0.005, 0.005 + long])
    beside = float(edge[0] - 0.015 if good else edge[1] + 0.015)
    kinds = ("",) * (len(names) - 1) + ("AUC ",)  # once, where the curves leave most room
    rows = [
        (beside, float(y), f"{name}, {kind}{number(auc)}" if is_large else name, role)
        for (name, role, auc), y, kind in zip(names, heights, kinds, strict=True)
    ]
    curves, samples = [], []
    for name, (role, dash, width, row, ranking) in CURVES.items():
        thin = getattr(result, ranking).thin(MOST)
        curves.append(Line(name, role, thin.fpr, thin.tpr, dash=dash, width=width))
        # a piece of each curve beside its name
        at = np.full(2, heights[row])
        samples.append(Line(f"{name} sample", role, edge, at, dash=dash, width=width))
    vertices = result.hull.thin(MOST) if len(result.hull) <= 40 else None
    corners = ((), ()) if vertices is None else (vertices.fpr, vertices.tpr)
    dots = Dots("vertices", "hull", *corners, size=50)
    side = "end" if good else "start"
    marks = (diagonal(), *curves, dots, *samples, words("words", rows, side))
    return Picture(*AXES, marks, is_large=is_large)


def attributes_picture(
    state: LexicographicState, result: LexicographicResult, is_large: bool
) -> Picture:
    """Draw attributes as points in ROC space, on the isometrics of their odds ratios."""
    order, count = result.order, len(result.isometrics)
    named = np.column_stack((order.fpr[:count], order.tpr[:count]))
    isometrics = result.isometrics.transpose(1, 0, 2) if count else ((), ())
    gap = 0.07 if is_large else 0.13
    at = numbers_at(order.fpr[:MOST], order.tpr[:MOST], count, gap, result.isometrics)
    away = at - named  # a line to a number ends before it
    far = np.maximum(np.hypot(*away.T), 1e-9)[:, None]
    ends = at - away * np.minimum(0.5 * gap / far, 1.0)
    rest = slice(count, count + MOST)
    picture = Picture(
        *AXES,
        (
            diagonal(),
            Line("isometrics", "reference", *isometrics, width=1.6, yields=True),
            Line(
                "leaders", "muted", *np.stack((named, ends), axis=-1).transpose(1, 0, 2), width=1.0
            ),
            Dots("points", "muted", order.fpr[rest], order.tpr[rest], size=36),
            Dots("named", "held", *named.T, size=110),
            Words(
                "numbers",
                "held-text",
                *at.T,
                text=[str(k + 1) for k in range(count)],
                align="middle",
            ),
        ),
        is_large=is_large,
    )
    return picture.with_marks(_ratios(picture, state, result, count))


def _ratios(
    picture: Picture, state: LexicographicState, result: LexicographicResult, count: int
) -> Words:
    """Write odds ratios below the curves, with as much of the names as has room."""
    order = result.order
    above = bool((order.tpr[:count] >= order.fpr[:count]).mean() >= 0.5) if count else True
    x, align = (0.985, "end") if above else (0.02, "start")
    room = picture.room("isometrics", "diagonal")
    placed: list[tuple[float, float, str, str]] = []
    for length in (*MOST_LETTERS, -1) if picture.is_large else ():
        rows = [(_ratio(state, result, k, length), "held-text") for k in range(count)]
        rows = rows if length >= 0 else []
        rows += [(ratio_kind(result), "muted"), ("grey: equal", "muted")]
        first = 0.02 + STEP * (len(rows) - 1) if above else 0.96
        heights = first - STEP * np.arange(len(rows))
        placed = [(x, y, *row) for y, row in zip(heights.tolist(), rows, strict=True)]
        if not room.covers([text for text, _ in rows], x, heights, align):
            break
    return words("words", placed, align)


def _ratio(state: LexicographicState, result: LexicographicResult, k: int, length: int) -> str:
    """Write number, name and odds ratio of an attribute; the rail has the whole name."""
    column = int(result.order.order[k])
    name = state.condition(column)
    if letters(name) > length:
        name = shorten(state.data.attributes[column].name, length) if length > 0 else ""
    ratio = ratio_text(float(result.order.odds_ratio[k]))
    return f"{k + 1}. {name}: {ratio}" if name else f"{k + 1}: {ratio}"


def numbers_at(
    fpr: NDArray[np.float64],
    tpr: NDArray[np.float64],
    count: int,
    gap: float,
    lines: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Find places beside the first points where numbers cover neither points nor numbers.

    Nor do they cover the diagonal, each other's leaders, or ``lines``, of shape (n_lines, 2,
    n_points), where there is room beside them.
    """
    points = np.column_stack((fpr, tpr))
    along = np.linspace(0.0, 1.0, 65)[:, None]
    drawn = along * [1.0, 1.0]
    if lines is not None:
        drawn = np.concatenate((drawn, lines.transpose(0, 2, 1).reshape(-1, 2)))
    turns = np.arange(12) / 12 * 2 * np.pi + 3 * np.pi / 4
    around = np.column_stack((np.cos(turns), np.sin(turns)))
    placed: list[NDArray[np.float64]] = []
    for point in points[:count]:
        spots = np.concatenate(
            [point + r * gap * around for r in (1.0, 1.4, 1.9, 2.5, 3.2, 4.2, 5.5)]
        )
        clear = ((spots > 0.03) & (spots < 0.97)).all(axis=1)
        taken = np.concatenate((points, np.array(placed).reshape(-1, 2)))
        room = np.full(len(taken), 0.8)
        room[count : len(points)] = 0.75
        away = np.hypot(*(spots[:, None] - taken).transpose(2, 0, 1))
        clear &= (away >= room * gap).all(axis=1)
        off = np.hypot(*(spots[:, None] - drawn).transpose(2, 0, 1)).min(axis=1)
        leaders = point + along[:-16, None] * (spots - point)
        for other in placed:
            near = np.hypot(*(leaders - other).transpose(2, 0, 1)).min(axis=0)
            off = np.minimum(off, near)
        good = np.flatnonzero(clear & (off > 0.5 * gap))
        if not good.size:
            good = np.flatnonzero(clear)
        placed.append(spots[good[0]] if good.size else spots[away.min(axis=1).argmax()])
        drawn = np.concatenate((drawn, point + along[:-16] * (placed[-1] - point)))
    return np.array(placed).reshape(-1, 2)
