"""Pictures drawn with matplotlib: for files, pages without a kernel, and documents.

Draws what :mod:`rocviz.pictures` describes, in the colours and sizes of a theme.
"""

from __future__ import annotations

from collections.abc import Callable
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
from rocviz.theme import DESK, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocviz.pictures.picture import Picture

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


def draw_picture(picture: Picture, ax: Axes, theme: Theme) -> None:
    """Draw a picture on axes."""
    style_axes(ax, theme)
    ax.set(xlim=picture.x.limits, ylim=picture.y.limits)
    for axis, drawn in ((picture.x, ax.xaxis), (picture.y, ax.yaxis)):
        drawn.set_visible(axis.is_shown)
        drawn.set_label_text(axis.label if picture.is_large else "")
        low, high = axis.limits
        labels = axis.labels(large=picture.is_large, level=drawn is ax.xaxis)
        labels = {at: text for at, text in labels.items() if low <= at <= high}
        drawn.set_ticks(list(labels), list(labels.values()))
    if picture.is_square:
        ax.set_box_aspect(1)
    for spine in ax.spines.values():
        spine.set_visible(False)
    for order, mark in enumerate(picture.marks):
        if mark.is_shown and type(mark) in KINDS:
            KINDS[type(mark)](
                mark, ax, theme, 1.0 if picture.is_large else 0.8, zorder=2 + order / 100
            )


def ink(role: str, theme: Theme, alpha: float = 1.0) -> Any:
    """Resolve the colour of a role; one that ends in "-soft" lets the one beneath through."""
    if role == "transparent":
        return "none"
    soft = role.endswith("-soft")
    colour = role if role.startswith("#") else theme.colour(role.removesuffix("-soft"))
    return to_rgba(colour, alpha * (SOFT if soft else 1.0))


def _stroke(width: float, theme: Theme, shrink: float) -> float:
    return width * theme.stroke / DESK.stroke * shrink * POINTS_PER_PIXEL


def _line(mark: Line, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> None:
    rows = mark.rows
    inks, alphas = (repeated(each, len(rows)) for each in (mark.roles, mark.opacities))
    for row, role, alpha in zip(rows, inks, alphas, strict=True):
        ax.plot(
            *row.T,
            color=ink(role, theme),
            alpha=alpha,
            linestyle=DASHES[mark.dash],
            linewidth=_stroke(mark.width, theme, shrink),
            solid_capstyle="butt",
            **looks,
        )


def _band(mark: Band, ax: Axes, theme: Theme, _shrink: float, **looks: Any) -> None:
    x = np.atleast_2d(mark.x)[0]
    colour = ink(mark.role, theme)
    ax.fill_between(x, *mark.y, color=colour, alpha=mark.opacity, linewidth=0, **looks)


def _dots(mark: Dots, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> None:
    n = len(mark.x)
    roles, alphas = (repeated(each, n) for each in (mark.roles, mark.opacities or (1.0,)))
    fills = [ink(role, theme, alpha) for role, alpha in zip(roles, alphas, strict=True)]
    sizes = 1.0 if mark.sizes is None else np.asarray(mark.sizes, dtype=float)
    dot = (theme.handle / DESK.handle * POINTS_PER_PIXEL) ** 2 * shrink
    ax.scatter(
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


def _handle(mark: Handle, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> None:
    if mark.arrow:
        words = Words("", f"{mark.role}-text", mark.x, mark.y, text=[mark.arrow], align=mark.align)
        _words(words, ax, theme, shrink, **looks)
        return
    size = np.pi / 4 * DESK.handle**2
    dot = Dots("", mark.role, mark.x, mark.y, rim="paper", size=size, width=2.5)
    _dots(dot, ax, theme, shrink, **looks)
    if mark.letter:
        paper = theme.colour("paper")
        words = Words("", paper, mark.x, mark.y, text=[mark.letter], align="middle")
        _words(words, ax, theme, shrink, **looks)


def _knobs(mark: Knobs, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> None:
    sizes = np.where(np.arange(len(mark.x)) == mark.chosen, 230, 110) / 230
    dots = Dots("", mark.role, mark.x, mark.y, rim="paper", size=230, sizes=sizes)
    _dots(dots, ax, theme, shrink, **looks)


def _words(mark: Words, ax: Axes, theme: Theme, shrink: float, **looks: Any) -> None:
    size = font(theme, mark.size * (1.0 if shrink == 1.0 else 0.86))
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
            **looks,
        )
        if not role.startswith("#"):  # an ink of its own stands on a dot
            made.set_path_effects(halo(theme))


def _bars(mark: Bars, ax: Axes, theme: Theme, _shrink: float, **looks: Any) -> None:
    x = np.asarray(mark.x, dtype=float)
    wide = float(np.diff(x).min()) if len(x) > 1 else 1.0
    looks |= {"alpha": mark.opacity, "linewidth": 0}
    ax.bar(x, mark.y, wide * (1 - mark.gap), color=ink(mark.role, theme), **looks)


#: What draws each kind of mark.
KINDS: dict[type[Mark], Callable[..., None]] = {
    Line: _line,
    Band: _band,
    Dots: _dots,
    Bars: _bars,
    Words: _words,
    Handle: _handle,
    Knobs: _knobs,
}
