"""What an explorer says in a terminal, where nothing shows its pictures."""

from __future__ import annotations

import sys
from typing import Any

from IPython import get_ipython

#: Whether the advice was given in this session.
_was_given = False


def in_ipython() -> bool:
    """Whether the user types into IPython in a terminal, so that no notebook shows a widget."""
    terminal = sys.modules.get("IPython.terminal.interactiveshell")
    return terminal is not None and isinstance(get_ipython(), terminal.TerminalInteractiveShell)


def advice(shown: Any) -> str:
    """Write how to see the pictures, once in a session in a terminal, and nothing elsewhere.

    Parameters
    ----------
    shown : Explorer or Story

    Returns
    -------
    str
        Lines to put after its words, or the empty string.
    """
    global _was_given
    in_python = get_ipython() is None and hasattr(sys, "ps1")
    if _was_given or not (in_python or in_ipython()):
        return ""
    _was_given = True
    lines = [
        "",
        "A terminal shows no pictures. In a notebook they move: the command rocviz lab opens",
        "JupyterLab, with the course. From here you can write them to files:",
        '  .to_html("page.html")    a page that moves in any browser',
    ]
    if hasattr(shown, "save"):
        lines.append('  .save("picture.png")     a picture; .svg and .pdf work too')
    return "\n".join(lines)
