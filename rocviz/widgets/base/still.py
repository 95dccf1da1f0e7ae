"""Still forms of an explorer, for files: a figure, a page without a kernel, and a link preview.

The large picture stands at the left, small ones in a column beside it, as on the stage. The page
is one file that needs no network. A picture is drawn from the value on the screen, so a saved
picture always agrees with it.
"""

from __future__ import annotations

import base64
import io
from html import escape
from itertools import groupby
from operator import itemgetter
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib import image
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, DrawingArea, HPacker, TextArea, VPacker

from rocviz.displays.base.draw_picture import draw_picture
from rocviz.displays.base.style import font, rc, resolve_theme, title
from rocviz.files import write_file
from rocviz.theme import COLOURS, Theme
from rocviz.widgets.base.stage import Panel, style_sheet, tables_html, variables
from rocviz.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from matplotlib.axes import Axes


# ------------------------------------------------------------------ figure and page

_STYLE = """
body.rocviz { margin: 0 auto; max-width: 1300px; padding: 1.2em; font-size: 16px; }
h1 { font-size: 1.5em; font-weight: 400; margin: 0 0 .3em; } h1 + p { color: var(--rocviz-muted); }
img { width: 100%; height: auto; } summary { cursor: pointer; }
.rocviz .rocviz-drawer { max-height: none; margin: .8em 0; }
"""


def compose(explorer: Any, theme: Theme | None, words: str | None = None) -> Figure:
    """Draw the pictures of an explorer as they are on the screen, the one in ``focus`` large.

    ``words`` stand above; by default they are the sentence, and without any the pictures fill the
    figure.
    """
    look = resolve_theme(theme)
    grow = 0.4 + 0.6 * look.font / 14
    count = len(explorer.panels)
    small = [name for name in explorer.panels if name != explorer.focus]
    wide = (7.2, 12.6)[count > 1] * grow
    high = (7.6, 7.1, 9.4)[min(count, 3) - 1] * grow
    with mpl.rc_context({**rc(look), "text.parse_math": False}):
        figure = Figure(figsize=(wide, high), facecolor=look.colour("paper"))
        FigureCanvasAgg(figure)
        size = font(look, 1.3)
        sentence = explorer.first_sentence if words is None else Sentence(words)
        lines = fill(sentence.text, int(0.94 * wide * 72 / (0.53 * size)))
        if lines:
            _write(figure, sentence, lines, size, look)
        top = 1 - (0.3 + 1.4 * size * len(lines.splitlines()) / 72 + 2.6 * font(look) / 72) / high
        edges = {"left": 0.9 * grow / wide, "right": 1 - 0.35 * grow / wide}
        edges |= {"top": top, "bottom": 0.75 * grow / high}
        rows = [[*explorer.panels]]
        gaps: dict[str, Any] = {"wspace": 0.2}
        if count > 2:  # the large one beside all others
            rows = [[explorer.focus, name] for name in small]
            gaps = {"wspace": 0.16, "hspace": 0.55, "width_ratios": (1.75, 1)}
        for name, ax in figure.subplot_mosaic(rows, gridspec_kw={**edges, **gaps}).items():
            _draw_panel(explorer._panels[name], ax, explorer.result, look)
            title(ax, explorer.title(name), look)
    return figure


def _write(figure: Figure, sentence: Sentence, lines: str, size: float, look: Theme) -> None:
    """Write the sentence above all pictures, with its numbers in their colours.

    ``lines`` are its text, broken into lines.
    """
    roles = [role for role, text in sentence.parts for _ in text]
    at, text = 0, sentence.text
    rows = []
    for line in lines.split("\n"):
        at = text.index(line[:1], at)
        row: list[TextArea | DrawingArea] = []
        here = zip(line, roles[at : at + len(line)], strict=True)
        for role, run in groupby(here, itemgetter(1)):
            piece = "".join(letter for letter, _ in run)
            ink = look.colour(f"{role}-text" if f"{role}-text" in COLOURS else role or "text")
            style = {"fontsize": size, "color": ink, "weight": "bold" if role else "normal"}
            spaces = len(piece) - len(piece.lstrip()), len(piece) - len(piece.rstrip())
            gaps = [DrawingArea(0.32 * size * count, 0) for count in spaces]
            row += [gaps[0], TextArea(piece.strip(), textprops=style), gaps[1]]
        rows.append(HPacker(children=row, align="baseline", pad=0, sep=0))
        at += len(line)
    block = VPacker(children=rows, align="left", pad=0, sep=0.2 * size)
    corner = 0.03, 1 - 0.15 / figure.get_figheight()
    place = {"xycoords": "figure fraction", "box_alignment": (0, 1), "frameon": False, "pad": 0}
    figure.add_artist(AnnotationBbox(block, corner, **place))


def _svg(explorer: Any, *, dark: bool) -> str:
    explorer.finish()
    figure = compose(explorer, Theme(dark=dark), words="")
    return "data:image/svg+xml;base64," + base64.b64encode(_bytes(figure, "svg")).decode("ascii")


def write_page(explorer: Any, path: Path) -> Path:
    """Write an explorer's page to a file and return its path."""
    first, *rest = explorer.sentences
    more = "".join(f"<p>{sentence.html}</p>" for sentence in rest)
    table = tables_html(explorer, 4, 1000)
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(type(explorer).__name__)}</title><style>{style_sheet()}"
        f"@media (prefers-color-scheme: dark) {{ .rocviz {{ {variables(dark=True)} }} }}{_STYLE}"
        f'</style></head><body class="rocviz"><h1>{first.html}</h1>{more}'
        f'<picture><source media="(prefers-color-scheme: dark)" '
        f'srcset="{_svg(explorer, dark=True)}">'
        f'<img src="{_svg(explorer, dark=False)}" alt="{escape(first.text)}"></picture>'
        f'<details class="rocviz-drawer"><summary>The numbers</summary>{table}</details>'
        '<details class="rocviz-drawer"><summary>The code</summary>'
        f"<pre>{escape(explorer.code())}</pre></details></body></html>\n"
    )
    return write_file(path, page)


def _draw_panel(panel: Panel, ax: Axes, result: Any, theme: Theme) -> None:
    """Draw the present picture of a panel, with its caption below."""
    assert panel.picture is not None
    draw_picture(panel.picture, ax, theme)
    if panel.caption:
        size = font(theme, 0.9)
        box, up = ax.get_position(), 1.6 * size / 72 / ax.figure.get_figheight()
        ax.set_position((box.x0, box.y0 + up, box.width, box.height - up))
        at: dict[str, Any] = {"xycoords": ax.xaxis.label, "textcoords": "offset points"}
        style = {"fontsize": size, "color": theme.colour("text"), "ha": "center", "va": "top"}
        ax.annotate(panel.caption(result), (0.5, 0), xytext=(0, -0.5 * size), **at, **style)


# ------------------------------------------------------------------ link preview

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
        Inputs to show, by default the present ones.

    Returns
    -------
    bytes
    """
    from rocviz.widgets.base.recording.recorder import silent_copy

    look = Theme(lecture=True, dark=False)
    with mpl.rc_context({**rc(look), "text.parse_math": False}), silent_copy(explorer) as copied:
        copied.go_back(**(inputs or {}))
        copied.panels = [copied.focus]
        copied._on_stage()
        drawn = compose(copied, look, "")
        picture = image.imread(io.BytesIO(_bytes(drawn, "png")))
        figure = Figure(figsize=SIZE, facecolor=look.colour("paper"))
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
        return _bytes(figure, "png")


def _bytes(figure: Figure, form: str) -> bytes:
    """Draw a figure as a file of a form, such as "png"."""
    file = io.BytesIO()
    figure.savefig(file, format=form, dpi=DPI)
    return file.getvalue()
