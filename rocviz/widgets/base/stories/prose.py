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

from markdown_it import MarkdownIt

from rocviz.core.base.validation import describe, reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    Fill = Callable[[str], str]

#: Roles in whose colour words may stand, as keys of :data:`rocviz.theme.COLOURS`.
ROLES = ("positive", "negative", "selected", "optimum", "hull", "group-2", "group-3", "group-4")
#: What a text may hold besides Markdown: words in the colour of a role, fields, and formulas
#: between dollar signs.
OWN_MARKUP_PATTERN = re.compile(
    rf"""
      \[(?P<words>(?:[^\[\]{{}}]|\{{[^{{}}]*\}})+)\]\{{(?P<role>{"|".join(ROLES)})\}}
    | (?P<field>\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}})
    | \$\$(?P<display>.+?)\$\$
    | \$(?=\S)(?P<formula>[^$]+?)(?<=\S)\$(?!\d)
    """,
    re.VERBOSE | re.DOTALL,
)
FIELD_PATTERN = re.compile(r"\{(?:result|state)[.\[][^{}]*\}")
MAX_LETTERS = 5000  # of a text
MAX_FORMULA_LETTERS = 300
MAX_FORMULA_SIZE = 100.0  # width and height of a formula, in sizes of the text around it


@dataclass(frozen=True)
class Prose:
    """A text, as HTML and without markup, and the roles in whose colour words of it stand."""

    html: str
    plain: str
    roles: tuple[str, ...] = ()


def prose(text: str, fill: Fill | None = None) -> Prose:
    """Read Markdown: paragraphs, lists, bold, italic, code, links to the web, and formulas.

    ``[words]{positive}`` are words in the colour of one of the :data:`ROLES`.

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
    return _filled(_parser().parse(text), fill)


def inline(text: str, fill: Fill | None = None) -> Prose:
    """Read one line of Markdown, such as a choice; otherwise as :func:`prose`."""
    _check_length(text)
    return _filled(_parser().parseInline(" ".join(text.split())), fill)


def _check_length(text: str) -> None:
    if len(text) > MAX_LETTERS:
        raise ValueError(f"at most {MAX_LETTERS:,} letters can be shown; got {len(text):,}.")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """Make the parser; what is not enabled here, HTML and pictures too, is shown as written."""
    parser = MarkdownIt("zero", {"html": False})
    parser.enable(["list", "newline", "escape", "backticks", "emphasis", "link"])
    parser.disable("text_join")  # so that an escaped brace stays a brace
    parser.inline.ruler.before("escape", "own_markup", _own_markup)
    parser.validateLink = _is_web_address  # type: ignore[assignment, method-assign]
    for kind, render in (
        ("text", _render_text),
        ("text_special", _render_text),
        ("field", _render_text),
        ("formula", _render_formula),
        ("display", _render_formula),
    ):
        parser.add_render_rule(kind, render)
    return parser


def _is_web_address(address: str) -> bool:
    return address.startswith(("https://", "http://"))


def _own_markup(state: StateInline, silent: bool) -> bool:
    """Read one's own markup at the present place of a text (a rule of markdown-it)."""
    match = OWN_MARKUP_PATTERN.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    kind = str(match.lastgroup)
    if kind == "role" and not silent:
        state.push("role_open", "b", 1).attrs = {"class": f"rocviz-{match[kind]}"}
        end = state.posMax
        state.pos, state.posMax = match.span("words")
        state.md.inline.tokenize(state)
        state.posMax = end
        state.push("role_close", "b", -1)
    elif not silent:
        state.push(kind, "", 0).content = match[kind]
    state.pos = match.end()
    return True


def _render_text(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, _env: Any
) -> str:
    return escape(tokens[index].content).replace(" %", "\u00a0%")


def _render_formula(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, _env: Any
) -> str:
    return formula(tokens[index].content, tokens[index].type == "display")


def _filled(tokens: Sequence[Token], fill: Fill | None) -> Prose:
    """Fill the fields of a text in, and write it as HTML and without markup."""
    plain = []
    roles = []
    for token in tokens:
        if token.type == "list_item_open":
            plain.append(f"{token.info}{token.markup} ")
        for part in token.children or ():
            _complete(part, fill)
            if part.type == "role_open":
                roles.append(str(part.attrs["class"]).removeprefix("rocviz-"))
            plain.append(" " if part.type in ("softbreak", "hardbreak") else part.content)
        if token.type == "inline":
            plain.append("\n")
    parser = _parser()
    html = parser.renderer.render(tokens, parser.options, {})
    return Prose(html.strip(), "".join(plain).rstrip("\n"), tuple(roles))


def _complete(token: Token, fill: Fill | None) -> None:
    """Fill fields into a part of a text, and open links in another window."""
    if token.type == "link_open":
        token.attrs = {
            "href": token.attrs["href"],
            "target": "_blank",
            "rel": "noopener noreferrer",
        }
    elif fill is None:
        return
    elif token.type in ("text", "code_inline", "field"):
        token.content = fill(token.content)
    elif token.type in ("formula", "display"):
        token.content = FIELD_PATTERN.sub(lambda field: fill(field[0]), token.content)


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
    if len(tex) > MAX_FORMULA_LETTERS:
        raise ValueError(
            f"a formula must have at most {MAX_FORMULA_LETTERS} letters; got {describe(tex)}."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of signs that the font lacks
            path, width, height, depth = _outline(tex)
    except Exception as error:  # matplotlib raises whatever its lines run into, such as for "~"
        why = reason(error).splitlines()[-1:] if isinstance(error, ValueError) else []
        message = why[0] if why else f"matplotlib fails with {type(error).__name__}"
        raise ValueError(f"the formula {describe(tex)} cannot be read: {message}") from None
    if not (0 < width < 100 * MAX_FORMULA_SIZE and height < 100 * MAX_FORMULA_SIZE):
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
