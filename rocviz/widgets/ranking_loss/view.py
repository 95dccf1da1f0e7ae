"""How the ranking loss explorer's samples and links are drawn with bqplot.

Draws; computes nothing that is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from rocviz.theme import get_theme
from rocviz.widgets.base.layout import spread
from rocviz.widgets.base.parts import UNIT_TICKS, colour, figure, line, panel, put
from rocviz.widgets.ranking_loss.words import THINGS
from rocviz.widgets.scoring_lists.view import Words, dots, show
from rocviz.words import amount

if TYPE_CHECKING:
    from rocviz.widgets.ranking_loss.result import RankingLossResult
    from rocviz.widgets.ranking_loss.state import RankingLossState

__all__ = ["LOOKS", "LinkPanel", "SamplesPanel", "arrow", "method_lines", "row_height"]

# what each method is drawn in: thing of the colour table, dash, marker, words for the dash
LOOKS: dict[str, tuple[str, str, str, str]] = {
    "linear": ("reference", "dotted", "triangle-down", "····"),
    "linear + isotonic": ("third", "dashed", "plus", "– –"),
    "combined": ("optimum", "dash_dotted", "triangle-up", "– ·"),
    "logistic": ("second", "dash_dotted", "square", "– ·"),
    "logistic + isotonic": ("hull", "dashed", "diamond", "– –"),
    "rank + isotonic": ("ranking", "solid", "circle", "—"),
}
EDGE = 3.6  # of the plane, in standard deviations


def row_height() -> float:
    """Return the height of a row of words, as a share of a figure."""
    return 0.062 * get_theme().font / 14


def method_lines(fig: Any, **looks: Any) -> dict[str, Any]:
    """Return one line per method; a pale one has a dark line beneath, under "under <method>"."""
    made = {}
    for name, (thing, dash, _marker, _words) in LOOKS.items():
        if thing == "third":
            made[f"under {name}"] = line(fig, "text", stroke_width=4.5, **looks)
        made[name] = line(fig, thing, line_style=dash, **looks)
    return made


def arrow(direction: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the path of an arrow from the origin."""
    tip, across = length * direction, np.array([-direction[1], direction[0]])
    barbs = [tip - 0.24 * direction + side * 0.13 * across for side in (1, -1)]
    path = np.array([np.zeros(2), tip, barbs[0], tip, barbs[1]])
    return path[:, 0], path[:, 1]


class SamplesPanel:
    """The samples, the true direction and the learned ones."""

    def __init__(self) -> None:
        ticks = [-3, -2, -1, 0, 1, 2, 3]
        fig = self.figure = figure(
            "x1",
            "x2",
            x_range=(-EDGE, EDGE),
            y_range=(-EDGE, EDGE),
            x_ticks=ticks,
            y_ticks=ticks,
        )
        self.negative = dots(
            fig, "negative", fill="paper", marker="triangle-down", default_size=38, stroke_width=1.4
        )
        self.positive = dots(fig, "positive", default_size=30, stroke_width=0.5)
        for mark in (self.negative, self.positive):
            mark.apply_clip = True
        self.border = line(fig, "held", line_style="dotted", stroke_width=2.0)
        self.arrows = {
            "truth": line(fig, "held", stroke_width=4.0),
            "logistic": line(fig, "second", stroke_width=3.0),
            "rank": line(fig, "ranking", stroke_width=3.0),
        }
        self.words = Words(fig, "end")
        fig.marks = [
            self.negative,
            self.positive,
            self.border,
            *self.arrows.values(),
            self.words.mark,
        ]
        self.legend = ipywidgets.HTML()
        self.box = panel("Samples and directions", fig, self.legend)

    def draw(self, state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        samples, plane = result.samples, result.plane
        for mark, wanted in ((self.positive, plane.positive), (self.negative, ~plane.positive)):
            if wanted.any():
                put(mark, x=plane.points[wanted, 0], y=plane.points[wanted, 1])
            show(mark, bool(wanted.any()))
        known = samples.truth is not None
        for axis, text in zip(self.figure.axes, plane.labels, strict=True):
            if axis.label != text[:45]:
                axis.label = text[:45]
        if samples.truth is not None:
            w = samples.truth.direction
            ends = np.outer([-2, 2], [-w[1], w[0]]) * EDGE + state.border * w
            put(self.border, x=ends[:, 0], y=ends[:, 1])
        show(self.border, known)
        self._point(result)
        parts = [
            f'<span style="color:{colour("positive-text")}">● positive</span>',
            f'<span style="color:{colour("negative-text")}">▽ negative</span>',
        ]
        n = samples.positive.size
        if n > len(plane.points):
            parts.append(f"{len(plane.points)} of {amount(n)} shown")
        if known:
            parts.append("dotted: where the truth is one half")
        elif samples.X.shape[1] > 2:
            parts.append(f"the plane of both directions, of {samples.X.shape[1]} columns")
        self.legend.value = f'<div class="rocviz-legend inset muted">{", ".join(parts)}</div>'

    def _point(self, result: RankingLossResult) -> None:
        directions = result.plane.directions
        words = {"truth": "the truth", "logistic": "logistic", "rank": "pairs"}
        tips, rows = [], []
        for name, length in (("truth", 3.25), ("logistic", 2.55), ("rank", 1.85)):
            mark = self.arrows[name]
            show(mark, name in directions)
            if name not in directions:
                continue
            way = directions[name]
            x, y = arrow(way, length)
            put(mark, x=x, y=y)
            tips.append(length * way)
            scorer = result.ranker if name == "rank" else result.logistic
            off = result.angle(scorer) if name != "truth" else None
            thing = {"truth": "held-text", "logistic": "negative-text", "rank": "text"}[name]
            rows.append((words[name] + ("" if off is None else f", {off:.1f}° off"), thing))
        height = 2 * EDGE * row_height()
        wanted = np.array([tip[1] for tip in tips])
        places = spread(wanted, height, -EDGE + height, EDGE - height)
        reach = -0.6 * get_theme().font / 14  # farther left a word would be cut
        self.words.write(
            [
                (float(max(tip[0] - 0.3, reach)), float(y), *row)
                for tip, y, row in zip(tips, places, rows, strict=True)
            ]
        )


class LinkPanel:
    """Probability against the score: the truth, and what each method makes of it."""

    def __init__(self) -> None:
        fig = self.figure = figure(
            "true score",
            "probability of a positive",
            x_range=(-3.2, 3.2),
            x_ticks=[-3, -2, -1, 0, 1, 2, 3],
            y_range=(-0.02, 1.02),
            y_ticks=UNIT_TICKS,
        )
        self.truth = line(fig, "held", stroke_width=5.0, opacities=[0.75])
        self.lines = method_lines(fig)
        self.seen = dots(fig, "text", fill="paper", default_size=90, stroke_width=1.8)
        self.step = line(fig, "text", stroke_width=1.6)
        self.step_words = Words(fig, "end")
        self.words = Words(fig, "start")
        fig.marks = [
            self.truth,
            self.step,
            self.step_words.mark,
            *self.lines.values(),
            self.seen,
            self.words.mark,
        ]
        self.legend = ipywidgets.HTML()
        self.box = panel("From score to probability", fig, self.legend)

    def draw(self, state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        known = result.truth is not None
        show(self.truth, known)
        if known:
            put(self.truth, x=result.position, y=result.truth)
        for name, mark in self.lines.items():
            method = result.methods.get(name.removeprefix("under "))
            if method is not None:
                put(mark, x=result.position, y=method.link)
            show(mark, method is not None)
        show(self.seen, result.seen is not None)
        if result.seen is not None:
            put(self.seen, x=np.clip(result.seen[0], -3.2, 3.2), y=result.seen[1])
        axis = self.figure.axes[0]
        text = "true score, w · x" if known else "the ranker's score, standardised"
        if axis.label != text:
            axis.label = text
        rows = [("▬ the truth", "held-text")] if known else []
        rows += [(f"{LOOKS[name][3]} {name}", THINGS[name]) for name in result.methods]
        if not known:
            rows.append(("○ what happened, in slices", "text"))
        height = row_height()
        self.words.write(
            [(-3.1, 0.97 - k * height, text, thing) for k, (text, thing) in enumerate(rows)]
        )
        self._draw_step(result, height)
        where = "along the true direction" if known else "along the ranker's score"
        bracket = ", below the bracket: samples that the top step rests on"
        text = f"{where}{bracket if self.step.visible else ''}"
        self.legend.value = f'<div class="rocviz-legend inset muted">{text}</div>'

    def _draw_step(self, result: RankingLossResult, height: float) -> None:
        """Put a bracket under the top step of the fit on the ranker's scores."""
        top = result.top
        start = top.start
        shown = "rank + isotonic" in result.methods and start < 3.0
        show(self.step, shown)
        y = top.says - 0.035
        put(
            self.step,
            x=np.array([start, start, 3.17, 3.17]),
            y=np.array([y + 0.02, y, y, y + 0.02]),
        )
        text = f"{amount(top.n)} {'sample' if top.n == 1 else 'samples'}"
        self.step_words.write([(3.1, y - 0.75 * height, text, "text")] if shown else [])
