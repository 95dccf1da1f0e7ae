"""How the lexicographic explorer's rankings and attributes are drawn with bqplot.

Draws; computes nothing.
"""

from __future__ import annotations

import bqplot
import numpy as np
from numpy.typing import NDArray

from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.parts import Words, diagonal, dots, label, line, show, update_mark
from rocviz.widgets.lexicographic.result import LexicographicResult
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.lexicographic.words import ratio_kind
from rocviz.words import letters, number, ratio_text, shorten

MOST = 160  # points of a curve, and attributes
MOST_LETTERS = (15, 8, 0)  # of a name below the diagonal, as there is room
STEP = 0.056  # from one line of words to the next, as a share of the height


def curve_rows(result: LexicographicResult) -> list[tuple[str, str, float]]:
    """Return each curve's name, the colour of its words, and its AUC."""
    return [
        ("this order", "ranking", result.segments.auc),
        ("its hull", "hull-text", result.hull.auc),
        ("naive Bayes", "negative-text", result.naive_bayes.auc),
        ("decision tree", "text", result.decision_tree.auc),
    ]


class CurvesPanel(FigurePanel):
    """The order's ROC curve and hull, naive Bayes' and a decision tree's."""

    def __init__(self) -> None:
        super().__init__("false positive rate", "true positive rate")
        fig = self.figure
        self.diagonal = diagonal(fig)

        def made() -> list[bqplot.Lines]:
            return [
                line(fig, "text", stroke_width=4.5),  # yellow on white needs a rim
                line(fig, "third", stroke_width=2.5),
                line(fig, "ranking"),
                line(fig, "second", line_style="dash_dotted", stroke_width=2.0),
                line(fig, "hull", line_style="dashed"),
            ]

        self.rim, self.tree, self.curve, self.bayes, self.hull = made()
        self.vertices = dots(fig, "hull", default_size=50)
        #: A piece of each curve beside its name.
        self.samples = made()
        self.good, self.bad = Words(fig, "end"), Words(fig, "start")
        self._shown: dict[bqplot.Mark, RankedSegments] = {}
        self.add_marks()
        self.yielding = (self.diagonal,)

    def draw(self, _state: LexicographicState, result: LexicographicResult) -> None:
        """Show a result."""
        for marks, ranking in (
            ((self.rim, self.tree), result.decision_tree),
            ((self.bayes,), result.naive_bayes),
            ((self.curve,), result.segments),
            ((self.hull, self.vertices), result.hull),
        ):
            if self._shown.get(marks[0]) is ranking:
                continue
            self._shown[marks[0]] = ranking
            thinned = ranking.thin(MOST)
            for mark in marks:
                update_mark(mark, x=thinned.fpr, y=thinned.tpr)
        show(self.vertices, len(result.hull) <= 40)
        good = result.segments.auc >= 0.5  # its curve leaves the lower right corner free
        step = 0.056 if self.is_large else 0.095
        first = 0.02 + 3 * step if good else 0.97 - 0.4 * step
        names = curve_rows(result)
        heights = first - step * np.arange(len(names))
        long = 0.075 if self.is_large else 0.12
        edge = np.array([0.995 - long, 0.995]) if good else np.array([0.005, 0.005 + long])
        gap = -0.015 if good else 0.015
        kinds = ("",) * (len(names) - 1) + ("AUC ",)  # once, where the curves leave most room
        rows = [
            (
                float(edge[0 if good else 1] + gap),
                float(y),
                f"{name}, {kind}{number(auc)}" if self.is_large else name,
                role,
            )
            for (name, role, auc), y, kind in zip(names, heights, kinds, strict=True)
        ]
        self.good.write(rows if good else [])
        self.bad.write([] if good else rows)
        for mark, k in zip(self.samples, (3, 3, 0, 2, 1), strict=True):
            update_mark(mark, x=edge, y=np.full(2, heights[k]))


class AttributesPanel(FigurePanel):
    """Attributes as points in ROC space, on the isometrics of their odds ratios."""

    def __init__(self) -> None:
        super().__init__("false positive rate", "true positive rate")
        fig = self.figure
        self.diagonal = diagonal(fig)
        self.isometrics = line(fig, "reference", stroke_width=1.6)
        self.leaders = line(fig, "muted", stroke_width=1.0)
        self.points = dots(fig, "muted", default_size=36)
        self.named = dots(fig, "held", default_size=110)
        self.numbers = label(fig, "held-text", text=[""], align="middle")
        self.good, self.bad = Words(fig, "end"), Words(fig, "start")
        self.add_marks()
        self.yielding = (self.diagonal, self.isometrics)

    def draw(self, state: LexicographicState, result: LexicographicResult) -> None:
        """Show a result."""
        order, count = result.order, len(result.isometrics)
        fpr, tpr = order.fpr[:count], order.tpr[:count]
        update_mark(
            self.points, x=order.fpr[count : count + MOST], y=order.tpr[count : count + MOST]
        )
        show(self.points, len(order) > count)
        for mark in (self.named, self.leaders, self.isometrics, self.numbers):
            show(mark, count > 0)
        if count:
            update_mark(self.named, x=fpr, y=tpr)
            update_mark(self.isometrics, x=result.isometrics[:, 0], y=result.isometrics[:, 1])
            gap = 0.07 if self.is_large else 0.13
            at = numbers_at(order.fpr[:MOST], order.tpr[:MOST], count, gap, result.isometrics)
            away = at - np.column_stack((fpr, tpr))  # a line to a number ends before it
            far = np.maximum(np.hypot(*away.T), 1e-9)[:, None]
            ends = at - away * np.minimum(0.5 * gap / far, 1.0)
            update_mark(
                self.leaders,
                x=np.column_stack((fpr, ends[:, 0])),
                y=np.column_stack((tpr, ends[:, 1])),
            )
            update_mark(
                self.numbers,
                x=at[:, 0],
                y=at[:, 1],
                text=np.arange(1, count + 1).astype(str),
            )
        self._write(state, result, count)

    def _write(self, state: LexicographicState, result: LexicographicResult, count: int) -> None:
        """Write odds ratios below the curves, with as much of the names as has room."""
        order = result.order
        above = bool((order.tpr[:count] >= order.fpr[:count]).mean() >= 0.5) if count else True
        x, align = (0.985, "end") if above else (0.02, "start")
        room = self._room({self.good.mark, self.bad.mark, self.isometrics, self.diagonal})
        placed: list[tuple[float, float, str, str]] = []
        for length in (*MOST_LETTERS, -1) if self.is_large else ():
            rows = [(self._ratio(state, result, k, length), "held-text") for k in range(count)]
            rows = rows if length >= 0 else []
            rows += [(ratio_kind(result), "muted"), ("grey: equal", "muted")]
            first = 0.02 + STEP * (len(rows) - 1) if above else 0.96
            heights = first - STEP * np.arange(len(rows))
            placed = [(x, y, *row) for y, row in zip(heights.tolist(), rows, strict=True)]
            if not room.covers([text for text, _ in rows], x, heights, align):
                break
        self.good.write(placed if above else [])
        self.bad.write([] if above else placed)

    def _ratio(
        self, state: LexicographicState, result: LexicographicResult, k: int, length: int
    ) -> str:
        """Return number, name and odds ratio of an attribute; the rail has the whole name."""
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
    """Return places beside the first points; numbers there cover no point and no other number.

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
