"""The style sheet of all explorers: colours from the theme's table, then the layout."""

from __future__ import annotations

from pathlib import Path

from rocviz.theme import COLOURS

__all__ = ["style_sheet"]

EDGE = ("#D7DBE0", "#3A4149")


def _variables(side: int) -> str:
    colours = "".join(f"--rocviz-{name}:{pair[side]};" for name, pair in COLOURS.items())
    soft = "--rocviz-hull-soft:color-mix(in srgb,var(--rocviz-hull) 45%,transparent);"
    return f"{colours}{soft}--rocviz-edge:{EDGE[side]};"


def style_sheet() -> str:
    """Return the style sheet as text."""
    layout = Path(__file__).with_name("explorer.css").read_text(encoding="utf-8")
    return (
        f".rocviz{{{_variables(0)}}}"
        f'body[data-jp-theme-light="false"] .rocviz:not(.rocviz-light),'
        f".rocviz.rocviz-dark{{{_variables(1)}}}{layout}"
    )
