"""Texts of a story: some Markdown and formulas, converted to safe HTML.

A file may be untrusted, so unknown markup is shown as plain text. Numbers and names are filled in
after the Markdown is parsed, so that they cannot add markup.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

from rocviz.core.base.validation import describe, reason

if TYPE_CHECKING:
    from collections.abc import Callable

    Fill = Callable[[str], str]

#: Inline markup; the name of the matching group is its kind.
INLINE = re.compile(
    r"""
      \\(?P<literal>[\\*`$\[\]])
    | (?P<field>\{(?:[^{}]|\{[^{}]*\})*\})
    | \$\$(?P<display>.+?)\$\$
    | \$(?=\S)(?P<formula>[^$]+?)(?<=\S)\$(?!\d)
    | `(?P<code>[^`]+)`
    | \*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*
    | \*(?=\S)(?P<em>.+?)(?<=\S)\*
    | \[(?P<link>[^\[\]]+)\]\((?P<address>https?://[^\s()<>"']+)\)
    """,
    re.VERBOSE,
)
FIELD = re.compile(r"\{(?:result|state)[.\[][^{}]*\}")
MOST = 5000  # letters of a text
MOST_OF_A_FORMULA = 300
MOST_ROOM = 100.0  # width and height of a formula, in sizes of the text around it


@dataclass(frozen=True)
class Prose:
    """A text, as HTML and without markup."""

    html: str
    plain: str


def prose(text: str, fill: Fill | None = None) -> Prose:
    """Read Markdown: paragraphs, lists, bold, italic, code, links to the web, and formulas.

    Parameters
    ----------
    text : str
        What was written.
    fill : callable, optional
        Given words and fields such as ``{result.k}``, returns them with the fields filled in;
        without it braces are braces.

    Returns
    -------
    Prose

    Raises
    ------
    ValueError
        If it is too long, a formula cannot be read, or a field cannot be filled in.
    """
    _check_length(text)
    blocks = [_block(block, fill) for block in re.split(r"\n\s*\n", text.strip())]
    return Prose("".join(one.html for one in blocks), "\n".join(one.plain for one in blocks))


def _check_length(text: str) -> None:
    if len(text) > MOST:
        raise ValueError(f"at most {MOST:,} letters can be shown; got {len(text):,}.")


def _block(block: str, fill: Fill | None) -> Prose:
    lines = [line.strip() for line in block.splitlines()]
    if lines and all(line.startswith("- ") for line in lines):
        items = [_inline(line[2:], fill) for line in lines]
        html = "".join(f"<li>{item.html}</li>" for item in items)
        return Prose(f"<ul>{html}</ul>", "\n".join(f"- {item.plain}" for item in items))
    inside = _inline(" ".join(lines), fill)
    return Prose(f"<p>{inside.html}</p>", inside.plain)


def inline(text: str, fill: Fill | None = None) -> Prose:
    """Read one line of Markdown, such as a choice; otherwise as :func:`prose`."""
    _check_length(text)
    return _inline(" ".join(text.split()), fill)


def _inline(text: str, fill: Fill | None) -> Prose:
    parts = []
    at = 0
    for match in INLINE.finditer(text):
        parts += [_words(text[at : match.start()], fill), _marked(match, fill)]
        at = match.end()
    parts.append(_words(text[at:], fill))
    return Prose("".join(part.html for part in parts), "".join(part.plain for part in parts))


def _words(text: str, fill: Fill | None) -> Prose:
    filled = fill(text) if fill else text
    return Prose(escape(filled).replace(" %", "\u00a0%"), filled)


def _marked(match: re.Match[str], fill: Fill | None) -> Prose:
    kind = str(match.lastgroup)
    text = match[kind]
    if kind == "literal":
        return Prose(escape(text), text)
    if kind == "field":
        return _words(text, fill)
    if kind in ("formula", "display"):
        tex = FIELD.sub(lambda field: fill(field[0]), text) if fill else text
        return Prose(formula(tex, kind == "display"), tex)
    if kind == "code":
        inside = _words(text, fill)
        return Prose(f"<code>{inside.html}</code>", inside.plain)
    if kind == "address":
        inside = _inline(match["link"], fill)
        safe = escape(text)
        link = f'<a href="{safe}" target="_blank" rel="noopener noreferrer">{inside.html}</a>'
        return Prose(link, inside.plain)
    inside = _inline(text, fill)
    return Prose(f"<{kind}>{inside.html}</{kind}>", inside.plain)


def _outline(tex: str) -> tuple[Any, float, float, float]:
    """Compute the path of a formula, and its width, height and depth, at a size of 100."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath, text_to_path

    font = FontProperties(size=100, math_fontfamily="dejavusans")
    path = TextPath((0, 0), f"${tex}$", size=100, prop=font)
    return path, *text_to_path.get_text_width_height_descent(f"${tex}$", font, True)


@lru_cache(maxsize=512)
def formula(tex: str, is_display: bool = False) -> str:
    r"""Draw a formula as an SVG in the size and colour of the text around it.

    Matplotlib reads it, so no script and no network are needed.

    Parameters
    ----------
    tex : str
        LaTeX that matplotlib's mathtext knows, without dollar signs.
    is_display : bool, default=False
        Whether it stands in a line of its own.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it is too long, cannot be read, draws nothing, or takes too much room.

    Examples
    --------
    >>> formula(r"\pi")[:27]
    '<svg role="img" aria-label='
    """
    if len(tex) > MOST_OF_A_FORMULA:
        raise ValueError(
            f"a formula must have at most {MOST_OF_A_FORMULA} letters; got {describe(tex)}."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of signs that the font lacks
            path, width, height, depth = _outline(tex)
    except Exception as error:  # matplotlib raises whatever its lines run into, such as for "~"
        why = reason(error).splitlines()[-1:] if isinstance(error, ValueError) else []
        said = why[0] if why else f"matplotlib fails with {type(error).__name__}"
        raise ValueError(f"the formula {describe(tex)} cannot be read: {said}") from None
    if not (0 < width < 100 * MOST_ROOM and height < 100 * MOST_ROOM):
        raise ValueError(f"the formula {describe(tex)} draws nothing, or takes too much room.")
    letters = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}
    drawn = []
    for points, code in path.iter_segments(simplify=False):
        ends = (
            ""
            if code == 79
            else " ".join(f"{(-y if i % 2 else y):.0f}" for i, y in enumerate(points))
        )
        drawn.append(f"{letters[int(code)]}{ends}")
    # at the same size DejaVu's letters are larger than those of the surrounding text
    scale = 0.0095
    box = f"0 {depth - height:.0f} {width:.0f} {height:.0f}"
    sizes = f"width:{width * scale:.2f}em;height:{height * scale:.2f}em"
    sizes += (
        ";display:block;margin:.3em auto"
        if is_display
        else (f";vertical-align:{-depth * scale:.2f}em")
    )
    return (
        f'<svg role="img" aria-label="{escape(tex)}" viewBox="{box}" style="{sizes}">'
        f'<path fill="currentColor" d="{"".join(drawn)}"/></svg>'
    )
