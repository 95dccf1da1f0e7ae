"""Direct labels: where text finds room on axes, and lines that lead from it to a curve.

Knows pixels of what is already drawn; nothing of what it means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.transforms import ScaledTranslation
from numpy.typing import NDArray

from rocviz.displays.base.registry import drawn, note_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
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
        """Return how bad a box ``(x0, y0, x1, y1)`` is; 0 is free."""
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
        """Return these obstacles and one more box."""
        return Obstacles(self.points, self.weights, np.vstack((self.boxes.reshape(-1, 4), box)))


def sample_line(ax: Axes, x: Any, y: Any) -> Floats:
    """Return points in pixels every few pixels along a polyline given in data units."""
    xy = ax.transData.transform(np.column_stack((x, y)).astype(float))
    if len(xy) < 2:
        return xy
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))))
    at = np.linspace(0.0, along[-1], max(2, int(along[-1] / _STEP)))
    return np.column_stack([np.interp(at, along, column) for column in xy.T])


def obstacles(lines: Iterable[tuple[Floats, float]], boxes: Sequence[Bbox] = ()) -> Obstacles:
    """Collect sampled lines, each with the weight of touching one of its points, and boxes."""
    parts = list(lines)
    points = np.vstack([p for p, _ in parts] or [np.empty((0, 2))])
    weights = np.concatenate([np.full(len(p), w) for p, w in parts] or [np.empty(0)])
    return Obstacles(points, weights, np.array([b.extents for b in boxes]).reshape(-1, 4))


def in_the_way(ax: Axes) -> Obstacles:
    """Return what text on these axes must keep clear of: lines, bands, bubbles, markers."""
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
    for shade, found in drawn(ax, "band"):
        for path in shade.get_paths():
            lines.append((sample_line(ax, *path.vertices.T), found.touch))
    for bars, found in drawn(ax, "intervals"):
        for ends in bars.get_segments()[:_MANY]:
            lines.append((sample_line(ax, *ends.T), found.touch))
    for collection, found in drawn(ax, "bubbles"):
        # offsets are masked arrays, which are slow; none of ours is masked
        centres = ax.transData.transform(np.asarray(collection.get_offsets()[:_MANY]))
        radii = np.sqrt(np.ravel(collection.get_sizes())[:_MANY]) / 2 * ax.figure.dpi / 72
        around = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        circle = np.stack((np.cos(around), np.sin(around)), axis=1)
        rim = centres[:, None] + radii[:, None, None] * circle
        lines.append((np.vstack((centres, rim.reshape(-1, 2))), found.touch))
    return obstacles(lines, boxes)


def text_box(text: Text) -> Floats:
    """Return the box of a text in pixels, ``(x0, y0, x1, y1)``."""
    return np.asarray(text.get_window_extent().extents, dtype=float)


def place_block(
    texts: Sequence[Text], taken: Obstacles, prefer: tuple[float, float]
) -> tuple[Obstacles, float]:
    """Stack texts, left-aligned, where they touch least; of free places the one nearest.

    The middle of the block should be at ``prefer``, in fractions of the axes. Returns what is taken
    with the texts in it, and what the block touches: 0 where it is free.
    """
    ax = texts[0].axes
    inside = ax.get_window_extent()
    em = max(t.get_fontsize() for t in texts) * ax.figure.dpi / 72
    rows = [t.get_fontsize() * ax.figure.dpi / 72 * _SPACING for t in texts]
    width = max(float(np.diff(text_box(t)[[0, 2]])[0]) for t in texts)
    height = sum(rows)
    best: tuple[float, float, float] | None = None
    best_cost = np.inf
    across = np.linspace(0.5 * em, max(inside.width - width - 0.3 * em, 0.5 * em), 25)
    up = np.linspace(0.4 * em, max(inside.height - height - 0.4 * em, 0.4 * em), 25)
    x, y = (grid.ravel() for grid in np.meshgrid(across, up, indexing="ij"))
    away = 0.1 * np.hypot(
        (x + width / 2) / inside.width - prefer[0], (y + height / 2) / inside.height - prefer[1]
    )
    # the nearest first: when the distance alone is worse than the best, so are all that follow
    for k in np.argsort(away, kind="stable"):
        if away[k] >= best_cost:
            break
        left, bottom = inside.x0 + x[k], inside.y0 + y[k]
        box = np.array([left, bottom, left + width, bottom + height])
        cost = taken.cost(box, 0.55 * em, inside)
        if cost + away[k] < best_cost:
            best_cost, best = cost + away[k], (left, bottom, cost)
    if best is None:
        raise AssertionError("a grid of places is never empty")
    left, bottom, cost = best
    # anchored at the corner of the block nearest to a corner of the axes, the rest in inches:
    # should the axes change size later, the block stays together and inside
    corner = np.array([left, bottom])
    corner += [width * (prefer[0] > 0.5), height * (prefer[1] > 0.5)]
    at_x, at_y = ax.transAxes.inverted().transform(corner)
    top = bottom + height
    for text, row in zip(texts, rows, strict=True):
        shift = (np.array([left, top - row / 2]) - corner) / ax.figure.dpi
        move = ScaledTranslation(*shift, ax.figure.dpi_scale_trans)
        text.set(x=at_x, y=at_y, transform=ax.transAxes + move, ha="left", va="center_baseline")
        top -= row
        taken = taken.with_box(text_box(text))
    return taken, cost


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


def place_texts(texts: Sequence[Text], taken: Obstacles, prefer: tuple[float, float]) -> Obstacles:
    """Place texts as one block, or one by one where no block fits, as :func:`place_block`."""
    with_all, cost = place_block(texts, taken, prefer)
    if cost < _CROWDED:
        return with_all
    for text in texts:
        taken, _ = place_block([text], taken, prefer)
    return taken


def place_names(
    pen: Pen,
    texts: Sequence[Text],
    taken: Obstacles,
    prefer: tuple[float, float],
    *,
    own: bool,
) -> Obstacles:
    """Place texts on the axes as one block, or right of them where no block fits.

    ``own`` says whether the figure holds nothing else, so it may grow. Axes that were given need a
    layout that makes room beside them; without one the texts are placed one by one. Returns what is
    taken with the texts in it that stand on the axes.
    """
    figure = pen.ax.figure
    with_all, cost = place_block(texts, taken, prefer)
    if cost < _CROWDED:
        return with_all
    if not own and figure.get_layout_engine() is None:
        return place_texts(texts, taken, prefer)
    _place_right(texts)
    if own:
        beyond = max(text_box(text)[2] for text in texts) - pen.ax.get_window_extent().x1
        width, height = figure.get_size_inches()
        figure.set_size_inches(width + beyond / figure.dpi, height)
        if figure.get_layout_engine() is None:
            figure.set_layout_engine("compressed")
    pen.settle()
    return taken


def _place_right(texts: Sequence[Text]) -> None:
    """Stack texts right of the axes, from the top down."""
    ax = texts[0].axes
    down = 0.0
    for text in texts:
        em = text.get_fontsize() / 72
        down += em * _SPACING
        move = ScaledTranslation(1.2 * em, em * _SPACING / 2 - down, ax.figure.dpi_scale_trans)
        text.set(x=1, y=1, transform=ax.transAxes + move, ha="left", va="center_baseline")


def place_if_free(text: Text, taken: Obstacles) -> Obstacles:
    """Leave a text where it is, or remove it where it touches something."""
    box = text_box(text)
    if taken.cost(box, 0.0, text.axes.get_window_extent()) > _TOUCHES:
        text.remove()
        return taken
    return taken.with_box(box)


def room_for_sample(words: str) -> str:
    """Return words with room before them for :func:`draw_sample`."""
    return " " * 9 + words


def draw_sample(pen: Pen, text: Text, line: Line2D, dash: Any) -> None:
    """Draw a piece of a model's line into the room before its name."""
    figure = pen.ax.figure
    x0, y0, _, y1 = text_box(text)
    at = text.get_transform().transform(text.get_position())
    # in inches from where the text stands: together they follow axes that a layout moves later
    x, y = (np.array([x0, (y0 + y1) / 2]) - at) / figure.dpi
    beside = figure.dpi_scale_trans + ScaledTranslation(*text.get_position(), text.get_transform())
    wide = 2.2 * pen.em * pen.scale / figure.dpi
    looks = {"transform": beside, "clip_on": False, "label": "_sample"}
    made = pen.line([x, x + wide], [y, y], line.get_color(), 1.0, dash, role="label", **looks)
    made.set_path_effects(line.get_path_effects())


def lead_to_curves(pen: Pen, texts: Sequence[Text], curves: Sequence[Any]) -> None:
    """Lead from each text to its curve, the uppermost to the far end, so that none cross.

    Texts are placed, and there is one for each curve.
    """
    ax = pen.ax
    paths = [sample_line(ax, line.get_xdata(), line.get_ydata()) for line, _ in curves]
    part = 0.8 / len(paths)
    from_top = sorted(range(len(paths)), key=lambda k: -text_box(texts[k])[1])
    for place, k in enumerate(from_top):
        others = np.vstack([path for j, path in enumerate(paths) if j != k])
        first, last = (
            int(share * (len(paths[k]) - 1))
            for share in (0.9 - (place + 1) * part, 0.9 - place * part)
        )
        boxes = np.array([text_box(text) for text in ax.texts if text is not texts[k]])
        ends = _leader(texts[k], paths[k][first : last + 1], others, boxes)
        (xs, xe), (ys, ye) = ax.transData.inverted().transform(ends).T
        looks = {"role": "label", "touch": 0.3, "label": "_leader"}
        pen.line([xs, xe], [ys, ye], "muted", 0.4, zorder=6, **looks)
        dot = curves[k][0].get_color()
        looks["markersize"] = pen.font(0.7)
        pen.dots([xe], [ye], dot, 1.0, "text", 0.5, zorder=7, **looks)


def _leader(text: Text, points: Floats, others: Floats, texts: Floats) -> Floats:
    """Return the ends of a line from a text to a point of its own curve, apart from others.

    All is in pixels; the line must not cross the boxes of other ``texts``.
    """
    x0, y0, x1, y1 = text_box(text)
    em = text.get_fontsize() * text.axes.figure.dpi / 72
    sides = np.array([[x0 - 0.3 * em, (y0 + y1) / 2], [x1 + 0.3 * em, (y0 + y1) / 2]])
    gaps = np.array([np.hypot(*(others - point).T).min() for point in points])
    ways = points[:, None, :] - sides[None]
    cost = np.hypot(ways[..., 0], ways[..., 1]) - 4 * np.minimum(gaps, 3 * em)[:, None]
    x, y = (sides[:, None] + np.linspace(0, 1, 40)[:, None] * ways[:, :, None]).transpose(
        3, 0, 1, 2
    )
    for left, bottom, right, top in texts:
        cost += 1e4 * ((x > left) & (x < right) & (y > bottom) & (y < top)).any(axis=-1)
    at, side = np.unravel_index(int(cost.argmin()), cost.shape)
    return np.vstack((sides[side], points[at]))
