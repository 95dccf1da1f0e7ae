"""The look: each role has one colour in every explorer, display and notebook.

Plain data, shared by displays and widgets. Must not import matplotlib, bqplot or ipywidgets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any
from weakref import WeakSet

__all__ = ["COLOURS", "Theme", "get_theme", "set_theme"]

#: Colour of each role, ``{role: (on light, on dark)}``; hues are those of Okabe and Ito.
COLOURS = MappingProxyType(
    {
        "positive": ("#D55E00", "#D55E00"),
        "negative": ("#0072B2", "#56B4E9"),
        "ranking": ("#1B1F24", "#E8EAED"),
        "hull": ("#009E73", "#2FC79B"),
        "selected": ("#CC79A7", "#E59CC6"),
        "optimum": ("#E69F00", "#E69F00"),
        "reference": ("#9AA4AF", "#5D6772"),
        "second": ("#56B4E9", "#56B4E9"),
        "third": ("#F0E442", "#F0E442"),
        # groups of people, after the first one, which is drawn as a ranking is
        "group-2": ("#7A52A3", "#B794DC"),
        "group-3": ("#7F5539", "#C9A27E"),
        "group-4": ("#4D6B2F", "#A3C585"),
        "text": ("#1B1F24", "#E8EAED"),
        "muted": ("#57606A", "#A3ABB4"),
        # the same hues at a contrast of at least 4.5:1, for words rather than marks
        "positive-text": ("#B34700", "#F0803C"),
        "negative-text": ("#0068A3", "#56B4E9"),
        "hull-text": ("#007A59", "#2FC79B"),
        "selected-text": ("#A3457A", "#E59CC6"),
        "optimum-text": ("#8A5F00", "#E69F00"),
        "grid": ("#ECEEF1", "#2A2F36"),
        "paper": ("#FFFFFF", "#111418"),
    }
)


@dataclass(frozen=True)
class Theme:
    """The look of pictures: sizes for a desk or a hall, colours for light or dark.

    Parameters
    ----------
    lecture : bool, default=False
        Type one and a half times as large, thicker strokes, larger handles.
    dark : bool or None, default=None
        Colours for a dark background. ``None`` lets the page decide in explorers (they follow
        the theme of JupyterLab live) and means light in figures that are files.
    """

    lecture: bool = False
    dark: bool | None = None

    @property
    def stroke(self) -> float:
        """Width of a line in pixels."""
        return 4.0 if self.lecture else 2.5

    @property
    def handle(self) -> float:
        """Diameter of handles, in pixels."""
        return 30.0 if self.lecture else 22.0

    @property
    def font(self) -> float:
        """Size of ordinary text in pixels."""
        return 21.0 if self.lecture else 14.0

    def colour(self, role: str) -> str:
        """Hex colour of a role named in :data:`COLOURS`.

        Parameters
        ----------
        role : str
            A key of :data:`COLOURS`.

        Examples
        --------
        >>> Theme(dark=True).colour("negative")
        '#56B4E9'
        """
        light, dark = COLOURS[role]
        return dark if self.dark else light


#: The theme that sizes of marks refer to; renderers enlarge them for another one.
DESK = Theme()

_theme = Theme()


def get_theme() -> Theme:
    """Get the theme in force."""
    return _theme


def set_theme(*, lecture: bool | None = None, dark: bool | None = None) -> Theme:
    """Choose the look of everything drawn from now on; explorers on screen change at once.

    Parameters
    ----------
    lecture : bool, optional
        ``True`` enlarges type and strokes for a hall. Not given: as it was.
    dark : bool, optional
        Force dark or light colours. Not given: explorers follow the page.

    Returns
    -------
    Theme
        The theme now in force.

    Raises
    ------
    ValueError
        If one is neither true, false nor left out; the theme is then as it was.

    Examples
    --------
    >>> set_theme(lecture=True).font
    21.0
    >>> set_theme(lecture=False).font
    14.0
    """
    global _theme
    for name, value in (("lecture", lecture), ("dark", dark)):
        if not isinstance(value, bool | None):
            raise ValueError(f"{name} must be True, False or None; got {type(value).__name__}.")
    _theme = replace(_theme, dark=dark, lecture=_theme.lecture if lecture is None else lecture)
    for widget in tuple(listeners):
        widget._use_theme(_theme)
    return _theme


#: Widgets on screen, which are dressed again when the theme changes.
listeners: WeakSet[Any] = WeakSet()
