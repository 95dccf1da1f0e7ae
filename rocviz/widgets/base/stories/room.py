"""Estimate whether the texts of a story fit a projector's screen in a legible size.

A page shrinks a text that does not fit beside the picture; below some size the last row cannot
read them. The lengths are those of the style sheet ``story.css``, at the sizes of projectors.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rocviz.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocviz.widgets.base.stories.steps import Question, Step

#: Resolutions of projectors, in pixels.
SIZES = ((1280, 720), (1366, 768), (1920, 1080))
#: Least size of text, as a share of its intended size.
LEAST = 0.8
TITLE, TEXT, VERDICT = (1.12, 1.2, True), (1.0, 1.32, False), (0.92, 1.3, False)
QUESTION, CHOICE = (1.12, 1.25, True), (1.0, 1.7, False)

#: Number of lines returned for a word wider than a line.
TOO_WIDE = 1000

Line = tuple[str, tuple[float, float, bool]]


@lru_cache(maxsize=4096)
def _width(word: str, bold: bool) -> float:
    """Measure the width of a word, in units of the font size."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    looks = FontProperties(size=100, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(word, looks, False)[0]) / 100


def _lines(text: str, width: float, bold: bool) -> int:
    """Count the lines of a text; ``width`` is in units of the font size."""
    count = 0
    for line in text.split("\n"):
        count, left = count + 1, width
        for word in line.split():
            size = _width(word + " ", bold)
            if size > width:
                return TOO_WIDE
            if size > left:
                count, left = count + 1, width
            left -= size
    return count


def too_long(step: Step, plain: str, moved: str, pictures: int) -> Iterator[tuple[str, str]]:
    """Yield the entries of a step that are too long for a hall, with the reason.

    Parameters
    ----------
    step : Step
    plain, moved : str
        Its texts with numbers filled in, without Markdown.
    pictures : int
        Number shown; the large one is assumed to be wide, which leaves the text least room.
    """
    says: list[Line] = [(step.title, TITLE), (plain, TEXT)]
    parts: list[tuple[str, Sequence[Line]]] = [("text", says)]
    if step.ask is not None:
        parts = [("ask", _asked(step.ask)), ("text", [*says, (_verdict(step.ask), VERDICT)])]
    parts.append(("moved", [(step.title, TITLE), (moved, TEXT)]))
    for width, height in SIZES:
        for entry, lines in parts:
            share = _share(lines, step, pictures, (width, height))
            if share < LEAST:
                seen = f"at {width} x {height} it would be written at {share:.0%} of its size"
                yield entry, f"too long for a hall: {seen}"
                return


def _asked(ask: Question) -> list[Line]:
    return [(ask.text, QUESTION), *((choice, CHOICE) for choice in ask.choices)]


def _verdict(ask: Question) -> str:
    choices = sorted(ask.choices, key=len)[-2:]
    return f"Not {choices[0]}, but {choices[-1]}. {max(ask.why, key=len, default='')}"


def _share(lines: Sequence[Line], step: Step, pictures: int, size: tuple[int, int]) -> float:
    """Estimate the size at which a text fits, as a share of its intended size."""
    width, height = size[0] - 28.0, float(size[1])
    font = Theme(lecture=True).font
    letter = max(1.25 * font, 0.035 * height)
    room = height - 60 - 3.3 * font * len(step.move)
    if step.kind == "words":
        letter = max(1.3 * font, 0.05 * height)
        width, room = min(width, 28 * letter), height - 60 - 0.08 * height
    else:
        width -= min(0.62 * width, 1.3 * height) + 20
        room -= 0.3 * height * (pictures == 2)
    for percent in range(100, 0, -5):
        share = percent / 100
        at = share * letter
        used = 2.2 * at  # margins
        for text, (scale, leading, bold) in lines:
            used += _lines(text, width / (scale * at), bold) * scale * leading * at
        if used <= room:
            return share
    return 0.0
