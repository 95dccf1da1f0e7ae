"""Layout of figures: new ones in the theme's sizes, panels side by side, strips."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np

from rocviz.displays.base.style import Pen, font, rc, style_axes
from rocviz.files import write_file

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme


def figure_scale(theme: Theme) -> float:
    """Compute the factor by which a figure grows in the lecture theme."""
    return 1.15 if theme.lecture else 1.0


def panels(
    theme: Theme,
    mosaic: str,
    width: float,
    height: float,
    *,
    left: float = 4.4,
    right: float = 1.6,
    bottom: float = 3.8,
    top: float = 1.6,
    ratios: tuple[Any, Any] = (None, None),
    **between: float,
) -> list[Axes]:
    """Make the axes of a new pyplot figure whose margins fit the font.

    ``mosaic`` says which axes stand where: ``"AB"`` are two side by side, ``"AA;BC"`` one above
    two. Width and height are in inches, before :func:`figure_scale`, margins in heights of ordinary
    type, ``ratios`` those of the widths of columns and of the heights of rows; ``between`` are
    ``wspace`` and ``hspace``.
    """
    import matplotlib.pyplot as plt

    em = font(theme) / 72
    width, height = figure_scale(theme) * width, figure_scale(theme) * height
    with matplotlib.rc_context(rc(theme)):
        figure, axes = plt.subplot_mosaic(
            mosaic, figsize=(width, height), width_ratios=ratios[0], height_ratios=ratios[1]
        )
    for ax in axes.values():
        ax.set_label("")
    figure.subplots_adjust(
        left=left * em / width,
        right=1 - right * em / width,
        bottom=bottom * em / height,
        top=1 - top * em / height,
        **between,
    )
    return list(axes.values())


def given_axes(ax: Any, *counts: int) -> list[Axes]:
    """List the axes of the user, who may give one of several ``counts`` of them, or None."""
    axes = [] if ax is None else list(np.ravel(np.asarray(ax)))
    if len(axes) not in (0, *counts):
        raise ValueError(f"ax must be {' or '.join(map(str, counts))} Axes; got {len(axes)}.")
    return axes


def pair_of_panels(ax: Any, theme: Theme, *, height: float, wspace: float) -> list[Axes]:
    """Check a pair of axes, or make one on a new figure with room for titles."""
    return given_axes(ax, 2) or panels(theme, "AB", 10.8, height, top=2.6, wspace=wspace)


def pen_on(
    ax: Axes | None,
    theme: Theme,
    *,
    width: float = 5.6,
    height: float = 5.4,
    lines: float | None = None,
    heading: str | None = None,
    **margins: Any,
) -> Pen:
    """Make a pen for ``ax``, or for the axes of a new pyplot figure.

    Width and height are in inches, before :func:`figure_scale`; ``lines`` gives the height in lines
    of ordinary type instead, which is not scaled. With a ``heading`` over the axes, those of a new
    figure make room for names of any length. Margins are as for :func:`panels`.
    """
    if ax is None:
        if lines is not None:
            height = lines * font(theme) / 72 / figure_scale(theme)
        (ax,) = panels(theme, "A", width, height, **margins)
        if heading is not None:
            pad = font(theme, 0.7) / 72
            ax.figure.set_layout_engine("compressed", w_pad=pad, h_pad=pad)
    pen = Pen(ax, theme)
    if heading is not None:
        pen.title(heading)
    return pen


def strip_below(above: Pen) -> Pen:
    """Make a pen for new low axes below others that share their x axis."""
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    ax = above.ax
    theme = above.theme
    # stored on the axes, since all strips must come from the same divider
    divider = vars(ax).get("_rocviz_divider")
    if divider is None:
        divider = vars(ax)["_rocviz_divider"] = make_axes_locatable(ax)
    inches = above.size[0] / 72
    ems = font(theme) / 72
    size = min(5.6 * ems, 0.26 * inches + 1.0 * ems)
    strip: Axes = divider.new_vertical(size, pad=1.2 * ems, pack_start=True, sharex=ax)
    # a child, so that layouts also make room for its axis label
    ax.add_child_axes(strip)
    pen = Pen(strip, theme)
    style_axes(strip, theme)
    strip.patch.set_visible(False)
    pen.settle()
    return pen


def axes_beside(pen: Pen, share: float, *, pad: float) -> Pen:
    """Make a pen for new axes to the right of others, which lose a share of their width.

    ``share`` is that of the width they keep, ``pad`` the space between in heights of type.
    """
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    divider = make_axes_locatable(pen.ax)
    ax = divider.append_axes("right", size=f"{100 * share:g}%", pad=pen.font(pad) / 72)
    return Pen(ax, pen.theme)


def save_figure(figure: Figure, path: Path, *, dpi: float) -> Path:
    """Write a figure to a file in the format of its ending, and return its path."""
    file = BytesIO()
    figure.savefig(file, format=path.suffix[1:].lower(), dpi=dpi)
    return write_file(path, file.getvalue())
