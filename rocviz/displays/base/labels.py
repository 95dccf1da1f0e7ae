"""Words on axes: the legend of what is drawn, and labels that find room beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from rocviz.displays.base.registry import drawn, note_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    from rocviz.displays.base.pen import Pen

Floats = NDArray[np.float64]

_STEP = 3.0  # pixels between samples of a line that text must not touch
_TOUCHES = 3.0  # how much a text at a fixed place may touch before it is left out
_CROWDED = 6.0  # how much a block of text may touch before it is taken apart
_SPACING = 1.35  # from line to line of a block, in heights of the text
_COVERS = 600.0  # words over words are worse than words over as many curves as there may be
_MANY = 1000  # text keeps clear of so many points; more of them fill the plane anyway


@dataclass(frozen=True)
class Obstacles:
    """What is in the way of text: weighted points in pixels, and boxes it must not touch."""

    points: Floats
    weights: Floats
    boxes: Floats

    def cost(self, box: Floats, pad: float, inside: Bbox) -> float:
        """Score the overlap of a box ``(x0, y0, x1, y1)``; 0 is free."""
        x0, y0, x1, y1 = box + np.array([-pad, -pad, pad, pad])
        x, y = self.points[:, 0], self.points[:, 1]
        hit = (x > x0) & (x < x1) & (y > y0) & (y < y1)
        cost = float(self.weights[hit].sum())
        if self.boxes.size:
            b = self.boxes
            wide = np.minimum(b[:, 2], x1) - np.maximum(b[:, 0], x0)
            high = np.minimum(b[:, 3], y1) - np.maximum(b[:, 1], y0)
            cost += _COVERS * float(((wide > 0) & (high > 0)).sum())
        out = max(inside.x0 - box[0], inside.y0 - box[1], box[2] - inside.x1, box[3] - inside.y1)
        return cost + (1000.0 + out if out > 0 else 0.0)

    def with_box(self, box: Floats) -> Obstacles:
        """Add a box to these obstacles."""
        return Obstacles(self.points, self.weights, np.vstack((self.boxes.reshape(-1, 4), box)))


def sample_line(ax: Axes, x: Any, y: Any) -> Floats:
    """Sample a polyline in data units every few pixels."""
    xy = ax.transData.transform(np.column_stack((x, y)).astype(float))
    if len(xy) < 2:
        return xy
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))))
    at = np.linspace(0.0, along[-1], max(2, int(along[-1] / _STEP)))
    return np.column_stack([np.interp(at, along, column) for column in xy.T])


def in_the_way(ax: Axes) -> Obstacles:
    """Collect the obstacles for text on axes: lines, bands, bubbles, markers."""
    lines, boxes = [], []
    for line in ax.lines:
        found = note_of(line)
        if line.get_transform() != ax.transData or len(line.get_xdata()) == 0:
            continue
        x, y = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        if len(x) == 1:
            boxes.append(line.get_window_extent())
        else:
            lines.append((sample_line(ax, x, y), 1.0 if found is None else found.touch))
    for role in ("band", "intervals"):
        for edges, found in drawn(ax, role):
            for path in edges.get_paths()[:_MANY]:
                lines.append((sample_line(ax, *path.vertices.T), found.touch))
    for collection, found in drawn(ax, "bubbles"):
        # offsets are masked arrays, which are slow; none of ours is masked
        centres = ax.transData.transform(np.asarray(collection.get_offsets()[:_MANY]))
        radii = np.sqrt(np.ravel(collection.get_sizes())[:_MANY]) / 2 * ax.figure.dpi / 72
        around = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        circle = np.stack((np.cos(around), np.sin(around)), axis=1)
        rim = centres[:, None] + radii[:, None, None] * circle
        lines.append((np.vstack((centres, rim.reshape(-1, 2))), found.touch))
    points = np.vstack([part for part, _ in lines] or [np.empty((0, 2))])
    weights = np.repeat([touch for _, touch in lines], [len(part) for part, _ in lines])
    return Obstacles(points, weights, np.array([box.extents for box in boxes]).reshape(-1, 4))


def text_box(text: Text) -> Floats:
    """Measure the box of a text in pixels, ``(x0, y0, x1, y1)``."""
    return np.asarray(text.get_window_extent().extents, dtype=float)


def _free_place(
    ax: Axes, size: Floats, taken: Obstacles, prefer: tuple[float, float], em: float
) -> tuple[Floats, float]:
    """Find the box that touches least, in pixels; of free places the one nearest to ``prefer``.

    The middle of the box should be at ``prefer``, in fractions of the axes. What the box touches is
    0 where it is free.
    """
    inside = ax.get_window_extent()
    most = np.maximum(np.array(inside.size) - size - [0.3 * em, 0.4 * em], [0.5 * em, 0.4 * em])
    grids = np.linspace(0.5 * em, most[0], 25), np.linspace(0.4 * em, most[1], 25)
    shifts = np.stack(np.meshgrid(*grids, indexing="ij"), axis=-1).reshape(-1, 2)
    away = 0.1 * np.hypot(*((shifts + size / 2) / inside.size - prefer).T)
    best, best_cost = np.zeros(4), np.inf
    # the nearest first: when the distance alone is worse than the best, so are all that follow
    for k in np.argsort(away, kind="stable"):
        if away[k] >= best_cost:
            break
        corner = inside.p0 + shifts[k]
        box = np.concatenate((corner, corner + size))
        cost = away[k] + taken.cost(box, 0.55 * em, inside)
        if cost < best_cost:
            best, best_cost = box, cost
    return best, best_cost


class Row(NamedTuple):
    """A row of a legend: words, and the artist they are about."""

    words: str
    artist: Any = None  # for words about all that is drawn, None
    thing: str = "text"
    bold: bool = True


def legend(
    pen: Pen,
    rows: Sequence[Row],
    prefer: tuple[float, float],
    *,
    own: bool = False,
    taken: Obstacles | None = None,
) -> Obstacles:
    """Say what is drawn, where there is most room near ``prefer``, or right of the axes.

    The words stand beside a sample of the artist, which follows its colours. Right of the axes they
    are where no room is left on them, if the figure's layout makes room or the figure is the
    display's ``own`` and may grow. Words keep off what is ``taken``, by default all that is drawn;
    returns that and the legend.
    """
    pen.settle()
    ax, scale = pen.ax, pen.scale
    nothing = Line2D([], [], linestyle="none")
    made = ax.legend(
        [nothing if row.artist is None else row.artist for row in rows],
        [" "] * len(rows),  # the words follow: a name may begin with "_", which is left out here
        loc="lower left",
        fontsize=pen.font(0.95 * scale),
        handlelength=2.0 if any(row.artist is not None for row in rows) else 0,
        handletextpad=0.6,
        borderaxespad=0,
        borderpad=0.2,
        labelspacing=0.35,
        facecolor=pen.colour("paper"),
        edgecolor="none",
        framealpha=0.75,
    )
    for text, row in zip(made.get_texts(), rows, strict=True):
        text.set(text=row.words, color=pen.colour(row.thing))
        text.set_fontweight("bold" if row.bold else "normal")
        text.set_parse_math(False)  # two dollar signs in a name are no formula
    made.set_zorder(7)
    if taken is None:
        taken = in_the_way(ax)
    size = np.array(made.get_window_extent().size)
    box, cost = _free_place(ax, size, taken, prefer, pen.em)
    figure = ax.figure
    if cost >= _CROWDED and (own or figure.get_layout_engine() is not None):
        made.set_bbox_to_anchor((1.02, 1.0), ax.transAxes)
        made.set_loc("upper left")
        if own:
            width, height = figure.get_size_inches()
            beyond = made.get_window_extent().x1 - ax.get_window_extent().x1
            figure.set_size_inches(width + beyond / figure.dpi, height)
            if figure.get_layout_engine() is None:
                figure.set_layout_engine("compressed")
        pen.settle()
        return in_the_way(ax)
    across, up = (ends > 0.5 for ends in prefer)
    # anchored at the corner nearest to one of the axes, it stays inside should they change size
    corner = ax.transAxes.inverted().transform((box[2 * across], box[1 + 2 * up]))
    made.set_bbox_to_anchor(corner, ax.transAxes)
    made.set_loc(f"{'upper' if up else 'lower'} {'right' if across else 'left'}")
    return taken.with_box(box)


def place_near(
    text: Text,
    anchor: tuple[float, float],
    taken: Obstacles,
    *,
    reach: tuple[float, ...] = (0.9, 1.5, 2.4),
    angles: Sequence[float] = (135, 160, 110, 180, 90, -45, -20, -70, 0, 45, -90, -135, -160),
) -> tuple[Obstacles, float]:
    """Put a text beside a point in data units: the first free of several places around it.

    ``reach`` are the distances to try, in heights of the text, and ``angles`` the directions in
    degrees, the most wanted first. Returns what is taken with the text in it, and what the text
    touches: 0 where it is free.
    """
    ax = text.axes
    inside = ax.get_window_extent()
    em = text.get_fontsize() * ax.figure.dpi / 72
    x0, y0, x1, y1 = text_box(text)
    half = np.array([x1 - x0, y1 - y0]) / 2
    start = ax.transData.transform(anchor)
    best_cost, best = np.inf, start
    for distance in reach:
        for angle in angles:
            way = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
            centre = start + way * distance * em + np.clip(way * 1.6, -1, 1) * half
            cost = taken.cost(np.concatenate((centre - half, centre + half)), 0.2 * em, inside)
            if cost < best_cost:
                best_cost, best = cost, centre
        if best_cost < 0.5:
            break
    x, y = ax.transAxes.inverted().transform(best)
    text.set(x=x, y=y, ha="center", va="center")
    return taken.with_box(text_box(text)), best_cost


def place_if_free(text: Text, taken: Obstacles) -> Obstacles:
    """Leave a text where it is, or remove it where it touches something."""
    box = text_box(text)
    if taken.cost(box, 0.0, text.axes.get_window_extent()) > _TOUCHES:
        text.remove()
        return taken
    return taken.with_box(box)
