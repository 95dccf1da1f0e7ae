"""Style matplotlib figures: the theme's sizes and colours, unit axes, headings.

Global settings of matplotlib are never changed: sizes and colours are set on each artist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colors as mcolors
from matplotlib import patheffects
from matplotlib.cbook import normalize_kwargs
from matplotlib.lines import Line2D

from rocviz.core.base.validation import check_choice, check_sequence, describe, reason
from rocviz.theme import Theme, get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocviz.theme import Theme


#: Properties of every text: names are no formulas, and need no LaTeX, whatever the user's settings.
AS_IT_IS = {"parse_math": False, "usetex": False}
# the theme's pixels are 96 to the inch; matplotlib's points are 72
POINTS_PER_PIXEL = 72 / 96


def curve_styles(
    curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None, n_curves: int
) -> list[dict[str, Any]]:
    """Check matplotlib's properties of curves: one mapping for all of them, or one for each."""
    if curve_kwargs is None or isinstance(curve_kwargs, Mapping):
        styles = [dict(curve_kwargs or {}) for _ in range(n_curves)]
    else:
        rows = check_sequence(curve_kwargs, "curve_kwargs", "a mapping or a list of them")
        styles = [dict(row) if isinstance(row, Mapping) else {"": row} for row in rows]
    if len(styles) != n_curves:
        raise ValueError(
            f"curve_kwargs must be one mapping, or one for each of the {n_curves} curves; "
            f"got {len(styles)}."
        )
    for i, style in enumerate(styles):
        try:
            Line2D([], []).set(**style)
            # expand aliases, so that "c" is found as "color"
            styles[i] = style = normalize_kwargs(style, Line2D)
            if "color" in style:  # samples in the legend need a hexadecimal colour
                style["color"] = mcolors.to_hex(style["color"], keep_alpha=True)
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(
                f"curve_kwargs must hold properties of matplotlib's Line2D; got "
                f"{describe(style)} ({reason(error)})."
            ) from error
    return styles


def named_styles(
    names: Sequence[str], curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
) -> dict[str, dict[str, Any]]:
    """Check matplotlib's properties of curves, and map them to the names of the lines."""
    if curve_kwargs is not None and not names:
        raise ValueError("curve_kwargs are for curves; this kind of picture has none.")
    return dict(zip(names, curve_styles(curve_kwargs, len(names)), strict=True))


def resolve_theme(theme: Theme | str | None) -> Theme:
    """Resolve the ``theme`` keyword of the displays.

    None is the theme in force (:func:`rocviz.get_theme`); ``"light"`` and ``"dark"`` change its
    colours only, ``"lecture"`` its sizes only. What is returned is either dark or light: a figure
    is a file, and files are light by default.
    """
    now = get_theme()
    if isinstance(theme, str):
        check_choice(theme, "theme", ("light", "dark", "lecture"))
        now = (
            replace(now, lecture=True) if theme == "lecture" else replace(now, dark=theme == "dark")
        )
    elif isinstance(theme, Theme):
        now = theme
    elif theme is not None:
        raise ValueError(f"theme must be a Theme, its name or None; got {describe(theme)}.")
    return replace(now, dark=bool(now.dark))


def rc(theme: Theme) -> dict[str, Any]:
    """Make the matplotlib settings of a theme, for ``rc_context``."""
    paper = theme.colour("paper")
    text = theme.colour("text")
    return {
        "axes.axisbelow": True,
        "axes.facecolor": paper,
        "axes.grid": False,
        "axes.labelcolor": text,
        "axes.labelsize": font(theme),
        "figure.facecolor": paper,
        "font.size": font(theme),
        "hatch.color": theme.colour("muted"),
        "savefig.facecolor": "auto",
        "text.color": text,
        "text.usetex": False,
    }


def font(theme: Theme, scale: float = 1.0) -> float:
    """Compute the size of ordinary text in points, times ``scale``."""
    return theme.font * POINTS_PER_PIXEL * scale


def stroke(theme: Theme, scale: float = 1.0) -> float:
    """Compute the width of a line in points, times ``scale``."""
    return theme.stroke * POINTS_PER_PIXEL * scale


def halo(theme: Theme) -> list[Any]:
    """Make the outline in the background colour that keeps text legible over lines and bands."""
    rim = patheffects.Stroke(linewidth=font(theme, 0.3), foreground=theme.colour("paper"))
    return [rim, patheffects.Normal()]


def style_axes(ax: Axes, theme: Theme) -> None:
    """Apply the theme's colours and font sizes to axes and their figure."""
    ax.figure.set_facecolor(theme.colour("paper"))
    ax.set_facecolor(theme.colour("paper"))
    ax.spines[:].set_visible(False)
    ax.tick_params(
        length=0,
        pad=font(theme, 0.35),
        labelsize=font(theme, 0.9),
        labelcolor=theme.colour("muted"),
    )
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set_size(font(theme))
        label.set_color(theme.colour("text"))
    ax.set_axisbelow(True)
    ax.grid(True, color=theme.colour("grid"), linewidth=stroke(theme, 0.4), linestyle="-")


def title(ax: Axes, text: str, theme: Theme) -> None:
    """Set a bold heading over the left edge of the axes."""
    ax.set_title(
        text,
        loc="left",
        fontsize=font(theme, 1.15),
        fontweight="bold",
        color=theme.colour("text"),
        pad=font(theme, 0.8),
        **AS_IT_IS,
    )


@dataclass(frozen=True)
class Pen:
    """Axes in a theme, with sizes of text and lines."""

    ax: Axes
    theme: Theme

    def font(self, scale: float = 1.0) -> float:
        """Compute the size of ordinary text in points, times ``scale``."""
        return font(self.theme, scale)

    def title(self, text: str) -> None:
        """Set a bold heading over the left edge of the axes."""
        title(self.ax, text, self.theme)

    def settle(self) -> None:
        """Apply the layout, so that the size of the axes can be measured in pixels."""
        figure = self.ax.figure.figure  # a subfigure's layout is that of the whole figure
        engine = figure.get_layout_engine()
        if engine is not None:
            engine.execute(figure)
        locator = self.ax.get_axes_locator()
        self.ax.apply_aspect(locator(self.ax, None) if locator else None)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the axes in points."""
        box = self.ax.get_window_extent()
        return box.width / self.ax.figure.dpi * 72, box.height / self.ax.figure.dpi * 72

    @property
    def scale(self) -> float:
        """Factor by which text on small axes shrinks: 1 for a width of 26 ems or more."""
        return float(np.clip(self.size[0] / self.font() / 26, 0.72, 1.0))
