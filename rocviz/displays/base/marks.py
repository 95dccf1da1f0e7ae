"""Marks that the displays of several ideas have: the diagonal, means, rows of intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

    from rocviz.displays.base.pen import Pen


def diagonal(pen: Pen, label: str, role: str, *, width: float = 0.6, touch: float = 0.01) -> Line2D:
    """Draw the dotted diagonal of square axes from 0 to 1, and note what it stands for."""
    looks = {"label": label, "role": role, "touch": touch, "zorder": 1.5}
    return pen.line([0, 1], [0, 1], "reference", width, (0, (1, 3)), **looks)
