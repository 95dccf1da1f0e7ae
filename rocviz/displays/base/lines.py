"""Break texts into lines by their measured widths, so that they fit beside what is drawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties

if TYPE_CHECKING:
    from collections.abc import Callable

SPACE_WIDTH = 0.32  # width of a space, in ems
MEASURING_DPI = 288  # pixels per inch at which texts are measured
HINTING_ALLOWANCE = (
    1.04  # in a coarser picture letters are moved to whole pixels, which widens some texts
)
#: A word; a per cent sign stays with its number.
WORD_PATTERN = re.compile(r"\S+(?: %\S*)?")


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Measure the width in points that a line of text takes at most, at any resolution.

    Parameters
    ----------
    text : str
    size : float
        Of the font, in points.
    is_bold : bool
    """
    properties = FontProperties(size=size, weight="bold" if is_bold else "normal")
    renderer: Any = RendererAgg(1, 1, MEASURING_DPI)
    pixels = renderer.get_text_width_height_descent(text, properties, False)[0]
    return HINTING_ALLOWANCE * float(pixels) * 72 / MEASURING_DPI


def break_lines(
    text: str, wide: float, space: float, width: Callable[[int, int], float]
) -> list[tuple[int, int]]:
    """Break a text at spaces into lines that are at most so wide; too long a word is broken, too.

    Parameters
    ----------
    text : str
    wide, space : float
        Width of a line and of a space.
    width : callable
        Measures a word, or a part of one, given where it starts and stops in the text.

    Returns
    -------
    list of (int, int)
        Where each line starts and stops.
    """
    lines: list[tuple[int, int]] = []
    used = 0.0
    for word in WORD_PATTERN.finditer(text):
        start, stop = word.span()
        takes = width(start, stop)
        if lines and used + space + takes <= wide:
            lines[-1] = lines[-1][0], stop
            used += space + takes
            continue
        while takes > wide and stop - start > 1:
            middle = start + 1
            while width(start, middle + 1) <= wide:
                middle += 1
            lines.append((start, middle))
            start = middle
            takes = width(middle, stop)
        lines.append((start, stop))
        used = takes
    return lines


def fit_text(text: str, wide: float, size: float, *, is_bold: bool = False) -> str:
    """Break the lines of a text into lines that are at most so many points wide.

    Parameters
    ----------
    text : str
    wide, size : float
        Width of a line and size of the font, in points.
    is_bold : bool

    Returns
    -------
    str
    """
    fitting = []
    for own_line in text.splitlines():
        line = " ".join(own_line.split())

        def width(start: int, stop: int, line: str = line) -> float:
            return text_width(line[start:stop], size, is_bold=is_bold)

        lines = break_lines(line, wide, SPACE_WIDTH * size, width)
        fitting += [line[start:stop] for start, stop in lines]
    return "\n".join(fitting)
