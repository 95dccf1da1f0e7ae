"""How the ranking loss explorer's samples and links are drawn with bqplot.

Draws; computes nothing that is shown. What is dragged is handed to the callbacks it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.parts import Handle, Words, dots, line, show, update_mark
from rocviz.widgets.ranking_loss.layout import LETTER, ROW, block_size, covered, dense, free_place
from rocviz.widgets.ranking_loss.result import REACH, RankingLossResult
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.words import direction_rows, link_rows
from rocviz.words import amount, shorten

# what each method is drawn in: role of the colour table, dash, marker, words for the dash
LOOKS: dict[str, tuple[str, str, str, str]] = {
    "linear": ("reference", "dotted", "triangle-down", "┈"),
    "linear + isotonic": ("third", "dashed", "plus", "╌"),
    "combined": ("optimum", "dash_dotted", "triangle-up", "┄"),
    "logistic": ("second", "dash_dotted", "square", "┄"),
    "logistic + isotonic": ("hull", "dashed", "diamond", "╌"),
    "rank + isotonic": ("ranking", "solid", "circle", "—"),
}
MARKS = {"truth": "▬", "seen": "○"} | {name: look[3] for name, look in LOOKS.items()}
EDGE = 3.6  # of the plane, in standard deviations
LEFT, RIGHT = REACH
FEW = 120  # samples drawn in a small picture
LENGTHS = {"truth": 3.25, "logistic": 2.55, "rank": 1.85}  # of the arrows


def method_lines(fig: Any, **looks: Any) -> dict[str, Any]:
    """Return one line per method; a pale one has a dark line beneath, under "under <method>"."""
    made = {}
    for name, (role, dash, _marker, _words) in LOOKS.items():
        if role == "third":
            made[f"under {name}"] = line(fig, "text", stroke_width=4.5, **looks)
        made[name] = line(fig, role, line_style=dash, **looks)
    return made


def arrow(direction: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the path of an arrow from the origin."""
    tip, across = length * direction, np.array([-direction[1], direction[0]])
    barbs = [tip - 0.24 * direction + side * 0.13 * across for side in (1, -1)]
    path = np.array([np.zeros(2), tip, barbs[0], tip, barbs[1]])
    return path[:, 0], path[:, 1]


def plain_words(words: Words, theme: Theme) -> None:
    """Write a block in small, plain type: in half of a screen it has half of the room."""
    update_mark(words.mark, default_size=round(0.86 * theme.font, 1), font_weight="normal")


def write_block(
    words: Words,
    panel: FigurePanel,
    rows: Sequence[tuple[str, str]],
    taken: Sequence[tuple[np.ndarray, np.ndarray]],
    grow: float = 1.0,
) -> None:
    """Write rows of (words, colour) below each other where they cover no data."""
    if not rows:
        words.write([])
        return
    width, height = block_size([text for text, _ in rows], grow)
    width *= 1.16 if words.mark.font_weight == "bold" else 0.91
    x, y = free_place(taken, width, height)
    scales = panel.figure.scale_x, panel.figure.scale_y
    low, span = zip(*((s.min, s.max - s.min) for s in scales), strict=True)
    words.write(
        [
            (low[0] + x * span[0], low[1] + (y - grow * ROW * (k + 0.5)) * span[1], text, role)
            for k, (text, role) in enumerate(rows)
        ]
    )


def show_handle(handle: Handle, shown: bool, large: bool) -> None:
    """Show a handle that is about the truth, or hide it where that is unknown."""
    for mark in (handle.seen, handle.hit_area):
        show(mark, shown)
    if not shown:
        show(handle.arrow, False)
    handle.show_hint(shown and large)


def sample_places(result: RankingLossResult) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return samples and arrows as shares of the square that is drawn."""
    plane = result.plane
    paths = [plane.points.T]
    for name, way in plane.directions.items():
        paths.append(np.array(dense(*np.array([[0.0, 0.0], LENGTHS[name] * way]).T)))
    return [((x + EDGE) / (2 * EDGE), (y + EDGE) / (2 * EDGE)) for x, y in paths]


class SamplesPanel(FigurePanel):
    """The samples, the true direction and the learned ones."""

    def __init__(self) -> None:
        ticks = [-3, -2, -1, 0, 1, 2, 3]
        super().__init__(
            "x1",
            "x2",
            x_range=(-EDGE, EDGE),
            y_range=(-EDGE, EDGE),
            x_ticks=ticks,
            y_ticks=ticks,
            pad=0.0,
        )
        fig = self.figure
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
        self.words = Words(fig, "start")
        self.add_marks()

    def draw(self, state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        samples, plane = result.samples, result.plane
        some = slice(None) if self.is_large else slice(None, None, -(-len(plane.points) // FEW))
        points, positive = plane.points[some], plane.positive[some]
        for mark, wanted in ((self.positive, positive), (self.negative, ~positive)):
            if wanted.any():
                update_mark(mark, x=points[wanted, 0], y=points[wanted, 1])
            show(mark, bool(wanted.any()))
        known = samples.truth is not None
        n = samples.positive.size
        shown = f", {len(points)} of {amount(n)} samples" if n > len(points) else ""
        for axis, text in enumerate(plane.labels):
            self.set_label(axis, shorten(text, 45) + (shown if axis == 0 else ""))
        places = sample_places(result)
        if samples.truth is not None:
            w = samples.truth.direction
            ends = np.outer([-2, 2], [-w[1], w[0]]) * EDGE + state.border * w
            update_mark(self.border, x=ends[:, 0], y=ends[:, 1])
            x, y = dense(*ends.T)
            places.append(((x + EDGE) / (2 * EDGE), (y + EDGE) / (2 * EDGE)))
        show(self.border, known)
        for name, mark in self.arrows.items():
            show(mark, name in plane.directions)
            if name in plane.directions:
                x, y = arrow(plane.directions[name], LENGTHS[name])
                update_mark(mark, x=x, y=y)
        rows = direction_rows(result) if self.is_large else []
        write_block(self.words, self, rows, places)


def link_places(result: RankingLossResult) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return every link as shares of the picture."""
    across = (result.position - LEFT) / (RIGHT - LEFT)
    links = [method.link for method in result.methods.values()]
    links += [result.truth] if result.truth is not None else []
    places = [dense(across, 0.02 + 0.96 * link) for link in links]
    if result.seen is not None:
        places.append(((result.seen[0] - LEFT) / (RIGHT - LEFT), 0.02 + 0.96 * result.seen[1]))
    return places


def place_of_floor(state: RankingLossState) -> tuple[float, float]:
    """Return where the floor is in the picture of the links: what can be dragged."""
    if state.link == "sigmoid":
        return float(np.clip(state.border - 1, LEFT + 0.1, RIGHT - 0.1)), state.a
    return float(min(state.border - 0.5, 0.0) / 2 - 1.6), state.a


class LinkPanel(FigurePanel):
    """Probability against the score: the truth, and what each method makes of it."""

    def __init__(self, on_floor: Callable[[float], None]) -> None:
        super().__init__(
            "true score, w · x",
            "probability of a positive",
            x_range=REACH,
            x_ticks=[-3, -2, -1, 0, 1, 2, 3],
            square=False,
            pad=0.02,
        )
        fig = self.figure
        self.truth = line(fig, "held", stroke_width=5.0, opacities=[0.75])
        self.step = line(fig, "text", stroke_width=1.6)
        self.lines = method_lines(fig)
        self.seen = dots(fig, "text", fill="paper", default_size=90, stroke_width=1.8)
        self.step_words = Words(fig, "end")
        self.words = Words(fig, "start")
        self.handle = Handle(fig, lambda _x, y: on_floor(y), restrict_y=True)
        self.add_marks()

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for, in the room there is."""
        super().fit(theme)
        plain_words(self.words, theme)

    def draw(self, state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        known = result.truth is not None
        show(self.truth, known)
        if known:
            update_mark(self.truth, x=result.position, y=result.truth)
        for name, mark in self.lines.items():
            method = result.methods.get(name.removeprefix("under "))
            if method is not None:
                update_mark(mark, x=result.position, y=method.link)
            show(mark, method is not None)
        show(self.seen, result.seen is not None)
        if result.seen is not None:
            update_mark(self.seen, x=np.clip(result.seen[0], LEFT, RIGHT), y=result.seen[1])
        self.set_label(0, "true score, w · x" if known else "the ranker's score, standardised")
        show_handle(self.handle, known, self.is_large)
        if known:
            self.handle.place(*place_of_floor(state))
        places = link_places(result)
        if known:
            x, y = place_of_floor(state)
            at = (x - LEFT) / (RIGHT - LEFT) + np.linspace(0, 0.14, 8)  # the handle and its word
            places.append((at, np.full(8, y)))
        rows = [(f"{MARKS[name]} {text}", role) for name, text, role in link_rows(result, state.a)]
        write_block(self.words, self, rows if self.is_large else [], places)
        self._draw_step(result, places)

    def _draw_step(
        self, result: RankingLossResult, places: list[tuple[np.ndarray, np.ndarray]]
    ) -> None:
        """Put a bracket under the top step of the fit on the ranker's scores."""
        top = result.top
        start = top.start
        shown = "rank + isotonic" in result.methods and start < 3.0 and self.is_large
        # below everything that is said there
        right = result.position >= start
        links = [method.link[right] for method in result.methods.values()]
        links += [result.truth[right]] if result.truth is not None else []
        y = min((float(link.min()) for link in links if link.size), default=top.says)
        y = max(min(top.says, y) - 0.035, 0.08)
        update_mark(
            self.step,
            x=np.array([start, start, 3.17, 3.17]),
            y=np.array([y + 0.02, y, y, y + 0.02]),
        )
        few = f"{amount(top.n)} {'sample' if top.n == 1 else 'samples'}"
        x, up = (np.concatenate(part) for part in zip(*places, strict=True))
        for text in (f"top step: {few}", few, ""):  # as long as there is room for
            width = 1.5 * LETTER * len(text)  # in half of a screen letters take more of it
            if not covered(x, up, (0.985 - width, 0.02 + 0.96 * y - 0.01), width, ROW):
                break
        show(self.step, shown and bool(text))
        self.step_words.write([(3.17, y - 0.05, text, "text")] if shown and text else [])
