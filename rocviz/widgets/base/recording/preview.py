"""Link preview of a page: its title, a few words and a picture, as other sites show it."""

from __future__ import annotations

import io
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rocviz.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

SIZE = 12.0, 6.3  # inches; the aspect ratio that link previews require
DPI = 100


def preview(
    explorer: Any, title: str, words: str, inputs: Mapping[str, Any] | None = None
) -> bytes:
    """Draw text beside the large picture of an explorer, as a PNG of 1200 x 630 pixels.

    Parameters
    ----------
    explorer : Explorer
        It is not moved; its pictures are drawn light.
    title, words : str
        The title has one line or two, the words some more.
    inputs : mapping of str to object, optional
        What it is to show, by default what it shows.

    Returns
    -------
    bytes
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from rocviz.displays.base.style import rc
    from rocviz.widgets.base.recording.recorder import silent_copy

    look = Theme(lecture=True, dark=False)
    with mpl.rc_context({**rc(look), "text.parse_math": False}), silent_copy(explorer) as copied:
        copied.go_back(**(inputs or {}))
        copied.panels = [copied.focus]
        copied._on_stage()
        picture = _drawn(copied, look)
        figure = Figure(figsize=SIZE, facecolor=look.colour("paper"))
        FigureCanvasAgg(figure)
        texts = {"va": "top", "ha": "left"}
        lines = fill(title, 20)
        figure.text(0.04, 0.9, lines, size=34, weight="bold", color=look.colour("text"), **texts)
        below = 0.86 - 0.105 * (lines.count("\n") + 1)
        more = fill(words, 29, max_lines=6, placeholder=" …")
        figure.text(0.04, below, more, size=24, color=look.colour("text"), **texts)
        figure.text(0.04, 0.06, "rocviz", size=18, color=look.colour("muted"), ha="left")
        room = figure.add_axes((0.46, 0.03, 0.53, 0.94))
        room.axis("off")
        room.imshow(picture, interpolation="antialiased")
        return _png(figure)


def _drawn(explorer: Any, look: Theme) -> Any:
    from matplotlib import image

    from rocviz.widgets.base.still import compose

    figure = compose(explorer, look, "")
    return image.imread(io.BytesIO(_png(figure)))


def _png(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=DPI)
    return file.getvalue()
