"""Still forms of an explorer, for files: a figure, a page without a kernel, and a link preview.

The large picture stands at the left, small ones in a column beside it, as on the stage. The page
is one file that needs no network. A picture is drawn from the value on the screen, so a saved
picture always agrees with it.
"""

from __future__ import annotations

import base64
import io
from functools import cache
from html import escape
from itertools import groupby
from operator import itemgetter
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib import image
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.offsetbox import AnnotationBbox, DrawingArea, HPacker, TextArea, VPacker

from rocviz.displays.base.draw_picture import draw_picture
from rocviz.displays.base.lines import SPACE_WIDTH, break_lines, fit_text, text_width
from rocviz.displays.base.style import font, rc, resolve_theme, title
from rocviz.files import write_file
from rocviz.theme import COLOURS, Theme
from rocviz.widgets.base.stage import Panel, tables_html
from rocviz.widgets.base.widget import style_sheet, variables
from rocviz.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.text import Text
    from numpy.typing import NDArray


# ------------------------------------------------------------------ figure and page

_STYLE = """
body.rocviz { margin: 0 auto; max-width: 1300px; padding: 1.2em; font-size: 16px; }
h1 { font-size: 1.5em; font-weight: 400; margin: 0 0 .3em; } h1 + p { color: var(--rocviz-muted); }
img { width: 100%; height: auto; } summary { cursor: pointer; }
.rocviz .rocviz-drawer { max-height: none; margin: .8em 0; }
"""


#: Heights of figures with one, two and three or more pictures, in inches.
FIGURE_HEIGHTS = {1: 7.6, 2: 7.1, 3: 9.4}


def compose(explorer: Any, theme: Theme | None, words: str | None = None) -> Figure:
    """Draw the pictures of an explorer as they are on the screen, the one in ``focus`` large.

    ``words`` stand above; by default they are the sentence, and without any the pictures fill the
    figure. All texts are broken into lines that fit; a long sentence makes the figure higher.
    """
    for part in composing(explorer, theme, words):
        figure = part
    return figure


def composing(explorer: Any, theme: Theme | None, words: str | None = None) -> Iterator[Figure]:
    """Draw as :func:`compose` does, but only one part of the figure each time it is asked."""
    resolved_theme = resolve_theme(theme)
    settings = {**rc(resolved_theme), "text.parse_math": False}
    parts = _compose(explorer, resolved_theme, words)
    while True:
        with mpl.rc_context(settings):  # in which nothing else is drawn between two parts
            figure = next(parts, None)
        if figure is None:
            return
        yield figure


def _compose(explorer: Any, theme: Theme, words: str | None) -> Iterator[Figure]:
    grow = 0.4 + 0.6 * theme.font / 14
    count = len(explorer.panels)
    wide = grow * (7.2 if count == 1 else 12.6)
    high = grow * FIGURE_HEIGHTS.get(count, FIGURE_HEIGHTS[3] + 2.3 * max(count - 4, 0))
    figure = Figure(figsize=(wide, high), facecolor=theme.colour("paper"))
    FigureCanvasAgg(figure)
    sentence = explorer.first_sentence if words is None else Sentence(" ".join(words.split()))
    top = _write(figure, sentence, theme) if sentence.text else 1.0
    yield figure
    rows = [list(explorer.panels)]
    ratios = [1.0] * count
    if count > 2:  # the large one beside all others
        rows = [[explorer.focus, name] for name in explorer.panels if name != explorer.focus]
        ratios = [1.75, 1.0]
    pads = {"w_pad": 0.15 * grow, "h_pad": 0.15 * grow, "wspace": 0.03, "hspace": 0.04}
    layout = ConstrainedLayoutEngine(rect=(0.0, 0.0, 1.0, top), **pads)
    figure.set_layout_engine(layout)
    drawn = figure.subplot_mosaic(rows, width_ratios=ratios)
    yield figure
    captions = {}
    for name, ax in drawn.items():
        captions[name] = _draw_panel(explorer._panels[name], ax, explorer.result, theme)
        title(ax, explorer.title(name), theme)
        ax.set_anchor("NW")
        yield figure
    layout.execute(figure)
    yield figure
    are_broken = [_fit(ax, captions[name], theme) for name, ax in drawn.items()]
    if any(are_broken):
        layout.execute(figure)
    figure.set_layout_engine("none")  # what was measured stays
    yield figure


STILL_DPI = 64
#: Written below the still picture, for pages without a kernel.
STILL_NOTE = "Run this cell to make the picture move."


def still_picture(explorer: Any, words: str | None = None) -> Iterator[bytes]:
    """Draw the still picture of a saved notebook, a part each time it is asked.

    Parameters
    ----------
    explorer : Explorer
        Shows an exact result.
    words : str, optional
        Above the pictures, by default its sentence.

    Yields
    ------
    bytes
        Empty until the last, which is the picture as a PNG, with a note below it.
    """
    for part in composing(explorer, None, words):
        figure = part
        yield b""
    figure.set_dpi(STILL_DPI)
    canvas = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()
    artists = [artist for artist in figure.get_children() if artist is not figure.patch]
    for artist in [figure.patch, *sorted(artists, key=Artist.get_zorder)]:
        artist.draw(renderer)
        yield b""
    theme = resolve_theme(None)
    below = _note(STILL_NOTE, canvas.get_width_height()[0], theme)
    file = io.BytesIO()
    pixels = np.vstack([np.asarray(canvas.buffer_rgba()), below])
    image.imsave(file, pixels, format="png", dpi=STILL_DPI)
    yield file.getvalue()


@cache
def _note(text: str, wide: int, theme: Theme) -> NDArray[np.uint8]:
    """Draw a line of text at the right, as wide as a picture."""
    size = font(theme)
    high = np.ceil(1.6 * size / 72 * STILL_DPI)
    with mpl.rc_context(rc(theme)):
        figure = Figure((wide / STILL_DPI, high / STILL_DPI), facecolor=theme.colour("paper"))
        figure.set_dpi(STILL_DPI)
        canvas = FigureCanvasAgg(figure)
        figure.text(0.99, 1, text, ha="right", va="top", fontsize=size, color=theme.colour("text"))
        canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def _write(figure: Figure, sentence: Sentence, theme: Theme) -> float:
    """Write the sentence above all pictures, with its numbers in their colours.

    Returns the height up to which pictures may reach, as a share of the figure's.
    """
    size = font(theme, 1.3)
    text = sentence.text
    roles = [role for role, part in sentence.parts for _ in part]
    edge = 0.03 * figure.get_figwidth() * 72

    def runs(start: int, stop: int) -> Iterator[tuple[str, str]]:
        """List the parts of the same role between two letters."""
        letters = zip(roles[start:stop], text[start:stop], strict=True)
        for role, run in groupby(letters, itemgetter(0)):
            yield role, "".join(letter for _, letter in run)

    def width(start: int, stop: int) -> float:
        """Measure the text between two letters."""
        return sum(text_width(part, size, is_bold=bool(role)) for role, part in runs(start, stop))

    lines = break_lines(text, figure.get_figwidth() * 72 - 2 * edge, SPACE_WIDTH * size, width)
    more = 1.4 * size / 72 * max(len(lines) - 2, 0)
    figure.set_figheight(figure.get_figheight() + more)
    rows = []
    for line in lines:
        row: list[TextArea | DrawingArea] = []
        for role, piece in runs(*line):
            ink = theme.colour(f"{role}-text" if f"{role}-text" in COLOURS else role or "text")
            style = {"fontsize": size, "color": ink, "weight": "bold" if role else "normal"}
            spaces = len(piece) - len(piece.lstrip()), len(piece) - len(piece.rstrip())
            gaps = [DrawingArea(SPACE_WIDTH * size * count, 0) for count in spaces]
            row += [gaps[0], TextArea(piece.strip(), textprops=style), gaps[1]]
        rows.append(HPacker(children=row, align="baseline", pad=0, sep=0))
    block = VPacker(children=rows, align="left", pad=0, sep=0.2 * size)
    corner = 0.03, 1 - 0.15 / figure.get_figheight()
    # not "figure fraction", which matplotlib takes of a file that is larger than the figure
    place = {"xycoords": figure.transFigure, "box_alignment": (0, 1), "frameon": False, "pad": 0}
    written = figure.add_artist(AnnotationBbox(block, corner, **place))
    below = written.get_window_extent(figure.canvas.get_renderer()).y0 - size
    return below / figure.bbox.height


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


def _draw_panel(panel: Panel, ax: Axes, result: Any, theme: Theme) -> Text | None:
    """Draw the present picture of a panel, and return the caption below it."""
    assert panel.picture is not None
    draw_picture(panel.picture, ax, theme)
    if panel.caption is None:
        return None
    size = font(theme, 0.9)
    return ax.annotate(
        panel.caption(result),
        (0, 0),
        xycoords=(ax.transAxes, ax.xaxis.label),
        xytext=(0, -0.5 * size),
        textcoords="offset points",
        fontsize=size,
        color=theme.colour("text"),
        ha="left",
        va="top",
    )


def _fit(ax: Axes, caption: Text | None, theme: Theme) -> bool:
    """Break a title and a caption that are wider than the axes may be; say whether any was."""
    wide = ax.get_position(original=True).width * ax.figure.get_figwidth() * 72
    heading = ax.get_title(loc="left")
    fitting = fit_text(heading, wide, font(theme, 1.15), is_bold=True)
    if fitting != heading:
        title(ax, fitting, theme)
    is_broken = fitting != heading
    if caption is not None:
        words = caption.get_text()
        caption.set_text(fit_text(words, wide, font(theme, 0.9)))
        is_broken = is_broken or caption.get_text() != words
    return is_broken


# ------------------------------------------------------------------ link preview

PREVIEW_SIZE = 12.0, 6.3  # inches; the aspect ratio that link previews require
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

    theme = Theme(lecture=True, dark=False)
    with mpl.rc_context({**rc(theme), "text.parse_math": False}), silent_copy(explorer) as copied:
        if inputs is not None:
            copied.go_back(**inputs)
        copied.panels = [copied.focus]
        copied._on_stage()
        drawn = compose(copied, theme, "")
        picture = image.imread(io.BytesIO(_bytes(drawn, "png")))
        figure = Figure(figsize=PREVIEW_SIZE, facecolor=theme.colour("paper"))
        texts = {"va": "top", "ha": "left"}
        lines = fill(title, 20)
        figure.text(0.04, 0.9, lines, size=34, weight="bold", color=theme.colour("text"), **texts)
        below = 0.86 - 0.105 * (lines.count("\n") + 1)
        more = fill(words, 29, max_lines=6, placeholder=" …")
        figure.text(0.04, below, more, size=24, color=theme.colour("text"), **texts)
        figure.text(0.04, 0.06, "rocviz", size=18, color=theme.colour("muted"), ha="left")
        room = figure.add_axes((0.46, 0.03, 0.53, 0.94))
        room.axis("off")
        room.imshow(picture, interpolation="antialiased")
        return _bytes(figure, "png")


def _bytes(figure: Figure, form: str) -> bytes:
    """Draw a figure as a file of a form, such as "png"."""
    file = io.BytesIO()
    figure.savefig(file, format=form, dpi=DPI)
    return file.getvalue()
