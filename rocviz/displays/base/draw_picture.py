"""Pictures drawn with matplotlib: for files, pages without a kernel, and documents.

Draws what :mod:`rocviz.pictures` describes, in the colours and sizes of a theme.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgba

from rocviz.displays.base.style import POINTS_PER_PIXEL, font, halo, style_axes
from rocviz.pictures.marks import (
    Band,
    Bars,
    Dots,
    Handle,
    Knobs,
    Line,
    Mark,
    Words,
    repeated,
)
from rocviz.pictures.room import LETTER, ROW
from rocviz.theme import DESK, Theme

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from rocviz.displays.base.pen import Pen
    from rocviz.pictures.picture import Picture

    Artists = dict[str, list[Artist]]

DASHES = {
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
SIDES = {"start": "left", "middle": "center", "end": "right"}
SOFT = 0.45  # of a colour that lets the one beneath through, as in the style sheet
ADVANCE, LEADING = 0.7, 1.4  # width of a bold letter and height of a row, in sizes of the type
CRAMPED = 20  # sizes of the type: axes that are narrower get a small picture


def show_picture(draw: Callable[[bool], Picture], pen: Pen) -> tuple[Picture, Artists]:
    """Draw a picture with words where these axes have room.

    ``draw`` is given whether the picture is large. Returns the picture and the artists of each
    mark.
    """
    ax, size = pen.ax, pen.font()
    pen.settle()
    picture = draw(pen.size[0] > CRAMPED * size)
    if picture.is_square:
        ax.set_box_aspect(1)
        pen.settle()
    wide, high = pen.size
    shares = ADVANCE * size / wide, LEADING * size / high
    grow = tuple(np.divide(shares, (LETTER, ROW)).tolist())
    picture = replace(picture, grow=grow).placed().with_gaps().with_arrows()
    return picture, draw_picture(picture, ax, pen.theme, is_labelled=True)


def draw_picture(picture: Picture, ax: Axes, theme: Theme, *, is_labelled: bool = False) -> Artists:
    """Draw a picture on axes, and return the artists of each mark.

    A small picture has no labels on its axes unless it ``is_labelled``.
    """
    style_axes(ax, theme)
    ax.set(xlim=picture.x.limits, ylim=picture.y.limits)
    for axis, drawn in ((picture.x, ax.xaxis), (picture.y, ax.yaxis)):
        drawn.set_visible(axis.is_shown)
        label = axis.label if picture.is_large or is_labelled else ""
        drawn.set_label_text(label, parse_math=False)
        low, high = axis.limits
        labels = axis.labels(large=picture.is_large, level=drawn is ax.xaxis)
        labels = {at: text for at, text in labels.items() if low <= at <= high}
        drawn.set_ticks(list(labels), list(labels.values()))
    if picture.is_square:
        ax.set_box_aspect(1)
    for spine in ax.spines.values():
        spine.set_visible(False)
    shrink = 1.0 if picture.is_large else 0.8
    return {
        mark.name: KINDS[type(mark)](mark, ax, theme, shrink, zorder=2 + order / 100)
        if mark.is_shown and type(mark) in KINDS
        else []
        for order, mark in enumerate(picture.marks)
    }


def ink(role: str, theme: Theme, alpha: float = 1.0) -> Any:
    """Resolve the colour of a role; one that ends in "-soft" lets the one beneath through."""
    if role == "transparent":
        return "none"
    soft = role.endswith("-soft")
    colour = role if role.startswith("#") else theme.colour(role.removesuffix("-soft"))
    return to_rgba(colour, alpha * (SOFT if soft else 1.0))


def _stroke(width: float, theme: Theme, shrink: float) -> float:
    return width * theme.stroke / DESK.stroke * shrink * POINTS_PER_PIXEL


def _line(mark: Line, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> list[Artist]:
    rows = mark.rows
    inks, alphas = (repeated(each, len(rows)) for each in (mark.roles, mark.opacities))
    looks |= {"linestyle": DASHES[mark.dash], "linewidth": _stroke(mark.width, theme, shrink)}
    looks |= {"solid_capstyle": "butt"}
    return [
        ax.plot(*row.T, color=ink(role, theme), alpha=alpha, **looks)[0]
        for row, role, alpha in zip(rows, inks, alphas, strict=True)
    ]


def _band(mark: Band, ax: Axes, theme: Theme, _shrink: float, **looks: Any) -> list[Artist]:
    x = np.atleast_2d(mark.x)[0]
    looks |= {"color": ink(mark.role, theme), "alpha": mark.opacity, "linewidth": 0}
    return [ax.fill_between(x, *mark.y, **looks)]


def _dots(mark: Dots, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> list[Artist]:
    n = len(mark.x)
    roles, alphas = (repeated(each, n) for each in (mark.roles, mark.opacities or (1.0,)))
    fills = [ink(role, theme, alpha) for role, alpha in zip(roles, alphas, strict=True)]
    sizes = 1.0 if mark.sizes is None else np.asarray(mark.sizes, dtype=float)
    dot = (theme.handle / DESK.handle * POINTS_PER_PIXEL) ** 2 * shrink
    made = ax.scatter(
        mark.x,
        mark.y,
        s=4 / np.pi * mark.size * dot * sizes,
        marker=MARKERS[mark.marker],
        facecolor=fills,
        edgecolor=ink(mark.rim or mark.role, theme),
        linewidth=_stroke(mark.width, theme, shrink),
        clip_on=mark.clipped,
        **looks,
    )
    return [made]


def _handle(mark: Handle, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> list[Artist]:
    if mark.arrow:
        words = Words("", f"{mark.role}-text", mark.x, mark.y, text=[mark.arrow], align=mark.align)
        return _words(words, ax, theme, shrink, **looks)
    size = np.pi / 4 * DESK.handle**2
    dot = Dots("", mark.role, mark.x, mark.y, rim="paper", size=size, width=2.5)
    made = _dots(dot, ax, theme, shrink, **looks)
    if mark.letter:
        paper = theme.colour("paper")
        words = Words("", paper, mark.x, mark.y, text=[mark.letter], align="middle")
        made += _words(words, ax, theme, shrink, **looks)
    return made


def _knobs(mark: Knobs, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> list[Artist]:
    sizes = np.where(np.arange(len(mark.x)) == mark.chosen, 230, 110) / 230
    dots = Dots("", mark.role, mark.x, mark.y, rim="paper", size=230, sizes=sizes)
    return _dots(dots, ax, theme, shrink, **looks)


def _words(mark: Words, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> list[Artist]:
    size = font(theme, mark.size * (1.0 if shrink == 1.0 else 0.86))
    written: list[Artist] = []
    roles = repeated(mark.roles, len(mark.text))
    for x, y, text, role in zip(mark.x, mark.y, mark.text, roles, strict=True):
        if not text:
            continue
        made = ax.text(
            x,
            y,
            text,
            color=ink(role, theme),
            fontsize=size,
            fontweight="bold" if mark.bold else "normal",
            rotation=mark.angle,
            rotation_mode="anchor",
            ha=SIDES[mark.align],
            va="center",
            parse_math=False,  # two dollar signs in a name are no formula
            **looks,
        )
        if not role.startswith("#"):  # an ink of its own stands on a dot
            made.set_path_effects(halo(theme))
        written.append(made)
    return written


def _bars(mark: Bars, ax: Axes, theme: Theme, _shrink: float, **looks: Any) -> list[Artist]:
    x = np.asarray(mark.x, dtype=float)
    wide = float(np.diff(x).min()) if len(x) > 1 else 1.0
    looks |= {"alpha": mark.opacity, "linewidth": 0}
    return list(ax.bar(x, mark.y, wide * (1 - mark.gap), color=ink(mark.role, theme), **looks))


#: What draws each kind of mark.
KINDS: dict[type[Mark], Callable[..., list[Artist]]] = {
    Line: _line,
    Band: _band,
    Dots: _dots,
    Bars: _bars,
    Words: _words,
    Handle: _handle,
    Knobs: _knobs,
}
