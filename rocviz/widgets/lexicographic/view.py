"""How the lexicographic explorer's rankings and attributes are drawn with bqplot.

Draws; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bqplot
import numpy as np

from rocviz.core.roc.isometrics import isometric_through
from rocviz.theme import get_theme
from rocviz.widgets.base.parts import colour, figure, label, line, panel, put
from rocviz.widgets.lexicographic.words import ratio_kind, ratio_text
from rocviz.words import number, shorten

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.widgets.lexicographic.state import LexicographicResult, LexicographicState

__all__ = ["AttributesPanel", "CurvesPanel", "curve_rows", "numbers_at"]

NAMED = 5  # attributes with a number, as many as the tree shows
MOST = 400  # points
STEPS = 41  # of an isometric


def curve_rows(result: LexicographicResult) -> list[tuple[str, str]]:
    """Return what is written of each curve, and in the colour of which thing."""
    return [
        (f"— this order, AUC {number(result.segments.auc)}", "ranking"),
        (f"– – its convex hull {number(result.hull.auc)}", "hull-text"),
        (f"– · naive Bayes {number(result.naive_bayes.auc)}", "negative-text"),
        (f"═ decision tree {number(result.decision_tree.auc)}", "text"),
    ]


class CurvesPanel:
    """The order's ROC curve and hull, naive Bayes' and a decision tree's."""

    def __init__(self) -> None:
        fig = self.figure = figure("false positive rate", "true positive rate")
        diagonal = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        diagonal.x = diagonal.y = np.array([0.0, 1.0])
        self.rim = line(fig, "text", stroke_width=4.5)
        self.tree = line(fig, "third", stroke_width=2.5)
        self.bayes = line(fig, "second", line_style="dash_dotted", stroke_width=2.0)
        self.curve = line(fig, "ranking")
        self.hull = line(fig, "hull", line_style="dashed")
        self.vertices = bqplot.Scatter(
            x=[0.0],
            y=[0.0],
            scales={"x": fig.scale_x, "y": fig.scale_y},
            colors=[colour("hull")],
            default_size=50,
            apply_clip=False,
        )
        self.words = label(fig, "text", text=[""], align="end")
        fig.add_class("rocviz-halo")
        fig.marks = [
            diagonal,
            self.rim,
            self.tree,
            self.curve,
            self.bayes,
            self.hull,
            self.vertices,
            self.words,
        ]
        self.box = panel("ROC curves", fig)

    def draw(self, _state: LexicographicState, result: LexicographicResult) -> None:
        """Show a result."""
        for marks, ranking in (
            ((self.rim, self.tree), result.decision_tree),
            ((self.bayes,), result.naive_bayes),
            ((self.curve,), result.segments),
            ((self.hull, self.vertices), result.hull),
        ):
            thinned = ranking.thin(MOST)
            for mark in marks:
                put(mark, x=thinned.fpr, y=thinned.tpr)
        rows = curve_rows(result)
        step = 0.058 * get_theme().font / 14
        put(
            self.words,
            text=np.array([text for text, _ in rows]),
            colors=[colour(thing) for _, thing in rows],
            x=np.full(len(rows), 0.985),
            y=0.05 + step * np.arange(len(rows))[::-1],
        )


class AttributesPanel:
    """Every attribute as a point in ROC space, the first ones on their isometrics."""

    def __init__(self) -> None:
        fig = self.figure = figure("false positive rate", "true positive rate")
        diagonal = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        diagonal.x = diagonal.y = np.array([0.0, 1.0])
        common = {
            "x": np.array([0.0]),
            "y": np.array([0.0]),
            "scales": {"x": fig.scale_x, "y": fig.scale_y},
            "apply_clip": False,
        }
        self.isometrics = line(fig, "reference", stroke_width=1.6)
        self.points = bqplot.Scatter(**common, colors=[colour("muted")], default_size=36)
        self.named = bqplot.Scatter(**common, colors=[colour("held")], default_size=110)
        self.leaders = line(fig, "muted", stroke_width=1.0)
        self.numbers = label(fig, "held-text", text=[""], align="middle")
        self.words = label(fig, "text", text=[""], align="end")
        fig.add_class("rocviz-halo")
        fig.marks = [
            diagonal,
            self.isometrics,
            self.leaders,
            self.points,
            self.named,
            self.numbers,
            self.words,
        ]
        self.box = panel("The attributes in ROC space", fig)

    def draw(self, state: LexicographicState, result: LexicographicResult) -> None:
        """Show a result."""
        order = result.order
        count = min(len(order), NAMED)
        fpr, tpr = order.fpr[:count], order.tpr[:count]
        put(self.points, x=order.fpr[count : count + MOST], y=order.tpr[count : count + MOST])
        put(self.named, x=fpr, y=tpr)
        for mark, there in (
            (self.points, len(order) > count),
            *((mark, count > 0) for mark in (self.named, self.leaders, self.isometrics)),
        ):
            if mark.visible != there:
                mark.visible = there
        grow = get_theme().font / 14
        if count:
            curves = [
                _resampled(*isometric_through("odds_ratio", float(x), float(y), n_points=STEPS))
                for x, y in zip(fpr, tpr, strict=True)
            ]
            put(
                self.isometrics,
                x=np.array([x for x, _ in curves]),
                y=np.array([y for _, y in curves]),
            )
        at = numbers_at(order.fpr[:MOST], order.tpr[:MOST], count, 0.055 * grow)
        put(
            self.leaders,
            x=np.column_stack((fpr, at[:, 0])) if count else np.zeros((1, 2)),
            y=np.column_stack((tpr, at[:, 1])) if count else np.zeros((1, 2)),
        )
        put(
            self.numbers,
            x=at[:, 0] if count else np.array([0.0]),
            y=at[:, 1] if count else np.array([0.0]),
            text=np.arange(1, count + 1).astype(str) if count else np.array([""]),
        )
        self._write(state, result, count, grow)

    def _write(
        self, state: LexicographicState, result: LexicographicResult, count: int, grow: float
    ) -> None:
        order = result.order
        rows = []
        for k in range(count):
            name = shorten(state.condition(int(order.order[k])), 24)
            rows.append((f"{k + 1}\u2002{name}: {ratio_text(float(order.odds_ratio[k]))}", "text"))
        rows.append((f"{ratio_kind(result)}, equal along a curve", "muted"))
        above = bool((order.tpr[:count] >= order.fpr[:count]).mean() >= 0.5) if count else True
        step = 0.058 * grow
        first = 0.05 + step * (len(rows) - 1) if above else 0.95
        put(
            self.words,
            text=np.array([text for text, _ in rows]),
            colors=[colour(thing) for _, thing in rows],
            x=np.full(len(rows), 0.985 if above else 0.02),
            y=first - step * np.arange(len(rows)),
            align="end" if above else "start",
        )


def _resampled(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give every curve as many points; straight ones have fewer."""
    if x.size == STEPS:
        return x, y
    at, steps = np.linspace(0, 1, STEPS), np.linspace(0, 1, x.size)
    return np.interp(at, steps, x), np.interp(at, steps, y)


def numbers_at(
    fpr: NDArray[np.float64], tpr: NDArray[np.float64], count: int, gap: float
) -> NDArray[np.float64]:
    """Return places beside the first points; numbers there cover no point and no other number."""
    points = np.column_stack((fpr, tpr))
    turns = np.arange(12) / 12 * 2 * np.pi + 3 * np.pi / 4
    around = np.column_stack((np.cos(turns), np.sin(turns)))
    placed: list[NDArray[np.float64]] = []
    for point in points[:count]:
        spots = np.concatenate([point + r * gap * around for r in (1.0, 1.4, 1.9, 2.5, 3.2)])
        clear = ((spots > 0.03) & (spots < 0.97)).all(axis=1)
        for taken, room in ((points[:count], 0.75), (points[count:], 0.5), (placed, 0.75)):
            for other in taken:
                clear &= np.hypot(*(spots - other).T) >= room * gap
        good = np.flatnonzero(clear)
        placed.append(spots[good[0] if good.size else 0])
    return np.array(placed).reshape(-1, 2)
