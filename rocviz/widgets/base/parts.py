"""Parts of explorers and stories: scripts, colours, tables, the box that is displayed."""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets

from rocviz.theme import Theme
from rocviz.words import score_text

#: The page's scripts, built from ``js/src``.
BUNDLES = Path(__file__).with_name("bundles")


def script(name: str) -> str:
    """Read a script of the page; anywidget would watch a path and keep every widget alive."""
    return (BUNDLES / name).read_text(encoding="utf-8")


def colour(role: str) -> str:
    """Name the CSS variable of a role's colour, which follows light and dark themes."""
    return role if role == "transparent" else f"var(--rocviz-{role})"


THEMES = ("rocviz-lecture", "rocviz-dark", "rocviz-light")  # classes of the style sheet


def theme_classes(chosen: Theme) -> list[str]:
    """List the classes of the style sheet that a theme asks for."""
    holds = chosen.lecture, chosen.dark, chosen.dark is False
    return [name for name, on in zip(THEMES, holds, strict=True) if on]


class Outermost(ipywidgets.VBox):
    """Outermost box of a widget; without children, as in a copy, it opens no connection."""

    def open(self) -> None:
        """Open the connection to the front end, once there are children."""
        if self.children:
            super().open()

    def _dress(self, chosen: Theme) -> None:
        """Set the classes of the style sheet for a theme."""
        wanted = theme_classes(chosen)
        for name in THEMES:
            (self.add_class if name in wanted else self.remove_class)(name)

    def close(self) -> None:
        """Close the box and its children, and release all models."""
        if self.comm is None:
            return
        for widget in (*self.children, self):
            widget.unobserve_all()
            widget.layout.close()
            super(Outermost, widget).close() if widget is self else widget.close()


def tables_html(explorer: Any, digits: int, rows: int) -> str:
    """Write the first rows of an explorer's tables, each below its heading."""
    write, written = partial(score_text, digits=digits), []
    for heading, frame in explorer.tables().items():
        shown = frame.head(rows)
        if shown.index.nlevels == 1:  # the index name goes into the row of the column names
            shown = shown.rename_axis(index=None, columns=shown.index.name)
        table = shown.to_html(border=0, float_format=write, na_rep="–")
        written.append(f"<p>{escape(heading)}</p>" * bool(heading))
        written.append(table.replace("<th></th>", "<td></td>"))  # an empty heading is left out
    return "".join(written)
