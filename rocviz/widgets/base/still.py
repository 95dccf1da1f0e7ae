"""The frame of every explorer's still picture: its sentences over four square panels."""

from __future__ import annotations

from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from rocviz.displays.base.style import font, rc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocviz.theme import Theme
    from rocviz.widgets.base.state import Sentence

__all__ = ["frame"]


@contextmanager
def frame(sentences: Sequence[Sentence], theme: Theme) -> Iterator[tuple[Figure, Any]]:
    """Lend a figure with its sentences on it and two by two axes, and the theme's settings.

    Parameters
    ----------
    sentences : sequence of Sentence
        The first is written large.
    theme : Theme
        Light or dark, not undecided.

    Yields
    ------
    figure : matplotlib.figure.Figure
        Of no window and no global state.
    panels : ndarray of Axes, shape (2, 2)
        To draw on, before the frame closes.
    """
    grow = theme.font / 14
    wide, high = 12.4 * (0.4 + 0.6 * grow), 12.3 * (0.4 + 0.6 * grow)
    with mpl.rc_context(rc(theme)):
        figure = Figure(figsize=(wide, high), facecolor=theme.colour("paper"))
        FigureCanvasAgg(figure)
        first, *rest = (sentence.text for sentence in sentences)
        y = 0.985
        for text, size, thing in (
            (first, font(theme, 1.35), "text"),
            (" ".join(rest), font(theme, 0.95), "muted"),
        ):
            lines = fill(text, int(0.94 * wide * 72 / (0.55 * size)))
            figure.text(0.03, y, lines, va="top", fontsize=size, color=theme.colour(thing))
            y -= 1.4 * size * (lines.count("\n") + 1) / 72 / high
        room = 2.9 * font(theme) / 72 / high  # for the panels' headings
        panels = figure.subplots(
            2,
            2,
            gridspec_kw={
                "left": 0.075,
                "right": 0.975,
                "top": y - room,
                "bottom": 0.065,
                "wspace": 0.24,
                "hspace": 0.27,
            },
        )
        yield figure, panels
