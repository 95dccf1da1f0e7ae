"""Pictures drawn with matplotlib: for files, pages without a kernel, and documents.

The pictures are those of :mod:`rocviz.pictures`, in the colours and sizes of a theme.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.container import BarContainer
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from rocviz.displays.base.style import AS_IT_IS, POINTS_PER_PIXEL, Pen, font, halo, style_axes
from rocviz.pictures import (
    LETTER_WIDTH,
    ROW_HEIGHT,
    Areas,
    Band,
    Bars,
    Cells,
    Dots,
    Handle,
    Knobs,
    Line,
    Mark,
    People,
    Picture,
    Words,
    place_words,
    repeated,
)
from rocviz.theme import DESK, Theme

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


MAX_FULL_LETTERS = 2  # on a handle, in the size of other words
SMALL_LETTERS_SHARE = 0.8  # font size of more letters, as a share

#: The artists of each mark, by its name.
Artists = dict[str, list["Artist"]]


def first_of(artists: Artists, *names: str) -> list[Any]:
    """List the first artist of each of some marks; None for a mark that is not drawn."""
    return [next(iter(artists.get(name, ())), None) for name in names]


DASHES = {
    "none": "none",
    "solid": "-",
    "dashed": (0, (5, 2.5)),
    "dotted": (0, (1, 2.5)),
    "dash_dotted": (0, (5, 2, 1, 2)),
}
MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "plus": "P",
}
ALIGNMENTS = {"start": "left", "middle": "center", "end": "right"}
SOFT_OPACITY = 0.45  # opacity of a soft colour, as in the style sheet
# width of a bold letter and height of a row, in ems
BOLD_LETTER_WIDTH = 0.63
LINE_HEIGHT = 1.4
SMALL_FONT_SHARE = 0.86  # font size of a small picture, as a share of a large one's
MIN_LARGE_WIDTH = 20  # width in ems below which axes get a small picture


def show_picture(
    draw: Picture | Callable[[bool], Picture],
    pen: Pen,
    *,
    grows: bool = False,
    scene: Any = None,
    joins: bool = False,
    own: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[Picture, Artists]:
    """Draw a picture with its words placed for the size of the axes.

    ``draw`` may be a function of whether the picture is large. If the figure ``grows``, it becomes
    wider where words do not fit on its axes, which must be its only ones. The ``scene`` is kept
    for a later display on the same axes, whose picture replaces this one. The result is the
    picture and the artists of each mark.
    """
    ax = pen.ax
    size = pen.font()
    pen.settle()
    is_large = bool(pen.size[0] > MIN_LARGE_WIDTH * size)
    picture = (draw if isinstance(draw, Picture) else draw(is_large)).with_own(own or {})
    frame_picture(picture, ax, pen.theme, is_labelled=True)
    pen.settle()
    scale = pen.scale if picture.is_large else SMALL_FONT_SHARE
    grow = tuple(np.divide(type_shares(pen, scale), (LETTER_WIDTH, ROW_HEIGHT)).tolist())
    beside = 2 if grows else int(ax.figure.get_layout_engine() is not None)
    picture = place_words(replace(picture, grow=grow, beside=beside)).with_arrows()
    artists = draw_picture(
        picture, ax, pen.theme, scale, is_labelled=True, scene=scene, joins=joins
    )
    if grows and picture.overflow:
        width, height = ax.figure.get_size_inches()
        ax.figure.set_size_inches(width + picture.overflow * pen.size[0] / 72, height)
        if ax.figure.get_layout_engine() is None:
            ax.figure.set_layout_engine("compressed")
        pen.settle()
    return picture, artists


def type_shares(pen: Pen, scale: float = 1.0) -> tuple[float, float]:
    """Compute the width of a bold letter and the height of a row, as shares of the axes."""
    (width, height) = pen.size
    size = scale * pen.font()
    return BOLD_LETTER_WIDTH * size / width, LINE_HEIGHT * size / height


class Brush(NamedTuple):
    """Axes and theme for marks; ``shrink`` scales their size, ``scale`` the font."""

    ax: Axes
    theme: Theme
    shrink: float = 1.0
    scale: float = 1.0

    def stroke(self, width: float) -> float:
        """Compute the width of a line in points."""
        return width * self.theme.stroke / DESK.stroke * self.shrink * POINTS_PER_PIXEL

    def ink(self, role: str, alpha: float = 1.0) -> Any:
        """Resolve the colour of a role."""
        return ink(role, self.theme, alpha)


@dataclass
class Drawn:
    """The marks drawn on axes, with their artists and scenes."""

    brush: Brush
    marks: dict[str, tuple[Mark, list[Any]]] = field(default_factory=dict)
    #: The scene of the picture, for a display that adds to it.
    scene: Any = None


def drawn_on(ax: Axes) -> Drawn | None:
    """Get the marks that rocviz has drawn on axes, unless these have been cleared since."""
    drawn = vars(ax).get("_rocviz")
    if drawn is None:
        return None
    for _, artists in drawn.marks.values():
        if any(artist.axes is ax for artist in artists):
            return drawn
    return None


def scene_on(ax: Axes | None) -> Any:
    """Get the scene of the picture on axes."""
    drawn = None if ax is None else drawn_on(ax)
    return drawn and drawn.scene


def draw_picture(
    picture: Picture,
    ax: Axes,
    theme: Theme,
    scale: float | None = None,
    *,
    is_labelled: bool = False,
    scene: Any = None,
    joins: bool = False,
) -> Artists:
    """Draw a picture on axes, and return each mark's artists.

    One that ``joins`` takes the place of the picture that stands there, of which marks that are
    alike keep their artists. ``scale`` is that of words. A small picture has no labels on its
    axes unless it ``is_labelled``. The ``scene`` is remembered.
    """
    frame_picture(picture, ax, theme, is_labelled=is_labelled)
    shrink = 1.0 if picture.is_large else 0.8
    brush = Brush(ax, theme, shrink, scale or (1.0 if picture.is_large else SMALL_FONT_SHARE))
    before = (drawn_on(ax) if joins else None) or Drawn(brush)
    now = vars(ax)["_rocviz"] = Drawn(brush, scene=scene)
    for order, mark in enumerate(picture.marks):
        if not mark.is_shown or type(mark) not in ARTIST_MAKERS:
            continue
        old, artists = before.marks.get(mark.name, (None, []))
        if old != mark or before.brush != brush or any(artist.axes is not ax for artist in artists):
            artists = ARTIST_MAKERS[type(mark)](mark, brush)
            for artist in artists:
                artist.set(label=f"_{mark.name}")
        else:
            del before.marks[mark.name]
        for artist in artists:
            artist.set(zorder=2 + order / 100)
            artist.set(**mark.own)
        now.marks[mark.name] = mark, artists
    for _, artists in before.marks.values():
        for artist in artists:
            if artist.axes is ax:
                artist.remove()
    shown = {name: artists for name, (_, artists) in now.marks.items()}
    return {mark.name: shown.get(mark.name, []) for mark in picture.marks}


def frame_picture(picture: Picture, ax: Axes, theme: Theme, *, is_labelled: bool = False) -> None:
    """Set limits, labels, ticks and aspect ratio of axes."""
    style_axes(ax, theme)
    ax.set(xlim=picture.x.limits, ylim=picture.y.limits)
    for axis, drawn in ((picture.x, ax.xaxis), (picture.y, ax.yaxis)):
        drawn.set_visible(axis.is_shown)
        label = axis.label if picture.is_large or is_labelled else ""
        drawn.set_label_text(label, **AS_IT_IS)
        low, high = axis.limits
        labels = axis.labels(large=picture.is_large, level=drawn is ax.xaxis)
        labels = {value: text for value, text in labels.items() if low <= value <= high}
        drawn.set_ticks(list(labels), list(labels.values()), **AS_IT_IS)
    if picture.is_square:
        x_low, x_high = picture.x.limits
        y_low, y_high = picture.y.limits
        ax.set_aspect((x_high - x_low) / (y_high - y_low))


def ink(role: str, theme: Theme, alpha: float = 1.0) -> Any:
    """Resolve the colour of a role; one that ends in "-soft" is translucent."""
    if role == "transparent":
        return "none"
    soft = role.endswith("-soft")
    role = role.removesuffix("-soft")
    colour = role if role.startswith("#") else theme.colour(role)
    alpha *= SOFT_OPACITY if soft else 1.0
    return colour if alpha == 1.0 else to_rgba(colour, alpha)


def _line(mark: Line, brush: Brush) -> list[Artist]:
    rows = mark.rows
    roles = repeated(mark.roles, len(rows))
    opacities = repeated(mark.opacities, len(rows))
    style: dict[str, Any] = {
        "linestyle": DASHES[mark.dash],
        "linewidth": brush.stroke(mark.width),
        "clip_on": mark.clipped,
    }
    if len(rows) == 1:
        style |= {"color": brush.ink(roles[0]), "alpha": opacities[0], "solid_capstyle": "butt"}
        line: Any = Line2D(*rows[0].T, **style)
        brush.ax.add_line(line)
    else:
        inks = list(map(brush.ink, roles, opacities))
        line = LineCollection(rows, colors=inks, **style)
        brush.ax.add_collection(line, autolim=False)
    return [line]


def _band(mark: Band, brush: Brush) -> list[Artist]:
    style = {"color": brush.ink(mark.role), "alpha": mark.opacity, "linewidth": 0}
    style |= {"clip_on": mark.clipped}
    x = np.atleast_2d(mark.x)[0]
    (low, high) = mark.y
    if len(x) == 2 and low[0] == low[1] and high[0] == high[1]:
        box = Rectangle((x[0], low[0]), x[1] - x[0], high[0] - low[0], **style)
        return [brush.ax.add_patch(box)]
    return [brush.ax.fill_between(x, low, high, **style)]


def _areas(mark: Areas, brush: Brush) -> list[Artist]:
    rows = np.stack((mark.x, mark.y), axis=-1)
    roles = repeated(mark.roles, len(rows))
    opacities = repeated(mark.opacities, len(rows))
    fills = list(map(brush.ink, roles, opacities))
    areas = PolyCollection(rows, facecolors=fills, linewidths=0)
    brush.ax.add_collection(areas, autolim=False)
    return [areas]


def _cells(mark: Cells, brush: Brush) -> list[Artist]:
    x, y = mark.lines
    line = Line2D(x, y, color=brush.ink(mark.role), linewidth=brush.stroke(mark.width))
    line.set_solid_joinstyle("miter")
    brush.ax.add_line(line)
    return [line]


def _dots(mark: Dots, brush: Brush) -> list[Artist]:
    n = len(mark.x)
    theme = brush.theme
    roles = repeated(mark.roles, n)
    opacities = repeated(mark.opacities or (1.0,), n)
    fills = list(map(brush.ink, roles, opacities))
    sizes = 1.0 if mark.sizes is None else np.asarray(mark.sizes, dtype=float)
    dot = (theme.handle / DESK.handle * POINTS_PER_PIXEL) ** 2 * min(brush.shrink, brush.scale**2)
    dots = brush.ax.scatter(
        mark.x,
        mark.y,
        s=4 / np.pi * mark.size * dot * sizes,
        marker=MARKERS[mark.marker],
        facecolor=fills,
        edgecolor=brush.ink(mark.rim or mark.role),
        linewidth=brush.stroke(mark.width),
        clip_on=mark.clipped,
    )
    return [dots]


PEOPLE_SHARE = 0.82  # diameter of a dot, as a share of the distance of neighbours
MAX_PEOPLE_SIZE = 22.0  # largest diameter of a dot, in pixels
PEOPLE_RIM = 0.14  # width of a rim, as a share of the diameter


def _people(mark: People, brush: Brush) -> list[Artist]:
    ax = brush.ax
    box = ax.get_window_extent()
    points = np.array([box.width, box.height]) * 72 / ax.figure.dpi
    spans = np.abs([np.diff(ax.get_xlim())[0], np.diff(ax.get_ylim())[0]])
    room = float(np.min(np.asarray(mark.pitch) / spans * points))
    largest = MAX_PEOPLE_SIZE * POINTS_PER_PIXEL * brush.theme.handle / DESK.handle
    diameter = min(PEOPLE_SHARE * room, largest)
    rim = max(PEOPLE_RIM * diameter, 0.5)
    n = len(mark.x)
    roles = repeated(mark.roles, n)
    opacities = np.zeros(n)
    opacities[: mark.n_pale] = SOFT_OPACITY
    opacities[: mark.n_filled] = 1.0
    if mark.fills.size:
        opacities = mark.fills
    dots = ax.scatter(
        mark.x,
        mark.y,
        s=(diameter - rim) ** 2,
        facecolor=list(map(to_rgba, map(brush.ink, roles), opacities)),
        edgecolor=list(map(brush.ink, roles)),
        linewidth=rim,
        clip_on=False,
    )
    return [dots]


def _handle(mark: Handle, brush: Brush) -> list[Artist]:
    if mark.arrow:
        return _words(
            Words("", f"{mark.role}-text", mark.x, mark.y, text=[mark.arrow], align=mark.align),
            brush,
        )
    size = np.pi / 4 * (DESK.handle * mark.scale) ** 2
    artists = _dots(Dots("", mark.role, mark.x, mark.y, rim="paper", size=size, width=2.5), brush)
    if mark.letter:
        paper = brush.theme.colour("paper")
        share = SMALL_LETTERS_SHARE if len(mark.letter) > MAX_FULL_LETTERS else 1.0
        letter = Words("", paper, mark.x, mark.y, text=[mark.letter], align="middle", size=share)
        artists += _words(letter, brush)
    return artists


def _knobs(mark: Knobs, brush: Brush) -> list[Artist]:
    sizes = np.where(np.arange(len(mark.x)) == mark.chosen, 230, 80) / 230
    return _dots(Dots("", mark.role, mark.x, mark.y, rim="paper", size=230, sizes=sizes), brush)


def _words(mark: Words, brush: Brush) -> list[Artist]:
    size = font(brush.theme, mark.size * brush.scale)
    roles = repeated(mark.roles, len(mark.text))
    artists = []
    for x, y, text, role in zip(mark.x, mark.y, mark.text, roles, strict=True):
        if not text:
            continue
        label = brush.ax.text(
            x,
            y,
            text,
            color=brush.ink(role),
            fontsize=size,
            fontweight="bold" if mark.bold else "normal",
            rotation=mark.angle,
            rotation_mode="anchor",
            ha=ALIGNMENTS[mark.align],
            va="center",
            **AS_IT_IS,
        )
        # a literal colour is for text on a dot, and that of the paper for text on a full colour
        if not role.startswith("#") and role != "paper":
            label.set_path_effects(halo(brush.theme))
        artists.append(label)
    return artists


def _bars(mark: Bars, brush: Brush) -> list[Artist]:
    x = np.asarray(mark.x, dtype=float)
    spacing = float(np.diff(x).min()) if len(x) > 1 else 1.0
    width = spacing * (1 - mark.gap)
    style = {"alpha": mark.opacity, "linewidth": 0, "color": brush.ink(mark.role)}
    bars: list[Any] = []
    for centre, height in zip(x, np.asarray(mark.y, dtype=float), strict=True):
        # the picture has its limits, which Axes.bar would compute from each bar
        bar = Rectangle((centre - width / 2, 0.0), width, height, **style)
        bars.append(brush.ax.add_artist(bar))
    brush.ax.add_container(BarContainer(bars))
    return bars


#: The function that draws each kind of mark.
ARTIST_MAKERS: dict[type[Mark], Callable[..., list[Artist]]] = {
    Line: _line,
    Band: _band,
    Areas: _areas,
    Cells: _cells,
    Dots: _dots,
    People: _people,
    Bars: _bars,
    Words: _words,
    Handle: _handle,
    Knobs: _knobs,
}
