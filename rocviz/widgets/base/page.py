"""A page of its own for an explorer: one file that asks the network for nothing.

Shows the picture (light or dark, as the reader's device asks), the words, the numbers and the
code. What needs a kernel is not in it.
"""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING, Any

from rocviz.theme import COLOURS, Theme

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_page"]

_STYLE = """
body { margin: 0 auto; max-width: 1300px; padding: 1.2em; font: 16px/1.45 system-ui, sans-serif;
  color: var(--text); background: var(--paper); }
h1 { font-size: 1.5em; font-weight: 400; margin: 0 0 .3em; } h1 + p { color: var(--muted); }
img { width: 100%; height: auto; } details { margin: .8em 0; } summary { cursor: pointer; }
pre { background: var(--grid); padding: 1em; overflow-x: auto; border-radius: 6px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .2em .9em; text-align: right; border-bottom: 1px solid var(--grid); }
"""


def _variables(side: int) -> str:
    names = ("text", "muted", "paper", "grid")
    inks = ("positive", "negative", "hull", "held", "optimum")
    plain = "".join(f"--{name}:{COLOURS[name][side]};" for name in names)
    return plain + "".join(f"--{name}:{COLOURS[f'{name}-text'][side]};" for name in inks)


def _svg(explorer: Any, *, dark: bool) -> str:
    file = io.BytesIO()
    explorer.static_figure(Theme(dark=dark)).savefig(file, format="svg")
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def write_page(explorer: Any, path: Path) -> Path:
    """Write an explorer's page to a file.

    Parameters
    ----------
    explorer : Explorer
        As it stands.
    path : Path
        Ending in ``.html``.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    ValueError
        If the ending is another one.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"path must end in .html; got {path.name!r}.")
    first, *rest = explorer.sentences
    more = "".join(f"<p>{sentence.html}</p>" for sentence in rest)
    inks = "".join(
        f"b.rocviz-{name}{{color:var(--{name})}}"
        for name in ("positive", "negative", "hull", "held", "optimum")
    )
    table = explorer.to_frame().head(1000).to_html(border=0, float_format="{:.4f}".format)
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(type(explorer).__name__)}</title><style>"
        f":root{{{_variables(0)}}}"
        f"@media (prefers-color-scheme: dark){{:root{{{_variables(1)}}}}}"
        f"{_STYLE}{inks}</style></head><body><h1>{first.html}</h1>{more}"
        f'<picture><source media="(prefers-color-scheme: dark)" '
        f'srcset="{_svg(explorer, dark=True)}">'
        f'<img src="{_svg(explorer, dark=False)}" alt="{escape(first.text)}"></picture>'
        f"<details><summary>The numbers</summary>{table}</details>"
        f"<details><summary>The code</summary><pre>{escape(explorer.code())}</pre></details>"
        "</body></html>\n"
    )
    path.write_text(page, encoding="utf-8")
    return path
