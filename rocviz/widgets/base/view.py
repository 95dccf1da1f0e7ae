"""What a state shows of itself: its pictures, the controls in sight, and words about the result.

Knows names and text; nothing of what a picture or a control looks like.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from rocviz.widgets.base.controls import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocviz.widgets.base.controls import Control

#: Plain text, or a pair of a thing in :data:`rocviz.theme.COLOURS` and its text.
Part = str | tuple[str, str]
Words = list[Part]


@dataclass(frozen=True, init=False)
class Sentence:
    """Words whose numbers know what they count.

    Parameters
    ----------
    *parts : str or (str, str)
        Plain text, or a pair of a thing in :data:`rocviz.theme.COLOURS` and its text.

    Examples
    --------
    >>> Sentence("finds ", ("positive", "163 of 212"), " positives.").text
    'finds 163 of 212 positives.'
    """

    parts: tuple[Part, ...]

    def __init__(self, *parts: Part) -> None:
        object.__setattr__(self, "parts", parts)

    @property
    def text(self) -> str:
        """Without any markup."""
        return "".join(part if isinstance(part, str) else part[1] for part in self.parts)

    @property
    def html(self) -> str:
        """With every number in the colour of what it counts; a per cent sign stays with its own."""
        return "".join(
            escape(part)
            if isinstance(part, str)
            else f'<b class="rocviz-{part[0]}">{escape(part[1])}</b>'
            for part in self.parts
        ).replace(" %", "\u00a0%")


class Viewed(traitlets.HasTraits):
    """Which pictures and which controls are in sight; that changes no number."""

    panels = traitlets.Tuple(
        help="Names of the pictures that are shown, in their order; the first opens large."
    ).tag(view=True)

    focus = Text(help="Name of the large picture.").tag(view=True)

    unfolded = traitlets.Tuple(
        help="Names of the controls that are in sight, all others being in folds; where none is "
        "named, those that an explorer ships in no fold."
    ).tag(view=True)

    #: Every picture's name and title, in the order they open in.
    pictures: ClassVar[Mapping[str, str]] = {}

    def controls(self) -> dict[str, Control]:
        """Return every control by its name."""
        raise NotImplementedError

    @classmethod
    def view_names(cls) -> tuple[str, ...]:
        """Return the names of what is chosen here; the large picture is one of those shown."""
        return ("panels", "focus", "unfolded")

    def view(self) -> dict[str, Any]:
        """Return what is in sight, ``{name: value}``."""
        return {name: getattr(self, name) for name in self.view_names()}

    @traitlets.default("panels")
    def _all_panels(self) -> tuple[str, ...]:
        return tuple(self.pictures)

    @traitlets.default("focus")
    def _first_panel(self) -> str:
        return str(self.panels[0])

    @traitlets.validate("panels")
    def _known_panels(self, proposal: Any) -> tuple[str, ...]:
        names = _names(proposal["value"])
        if not names or not _are_some_of(self.pictures, names):
            raise traitlets.TraitError(
                f"panels must name one or more of {', '.join(self.pictures)}, each once; "
                f"got {proposal['value']!r}."
            )
        return names

    @traitlets.validate("focus")
    def _shown_focus(self, proposal: Any) -> str:
        if proposal["value"] not in self.panels:
            raise traitlets.TraitError(
                f"focus must be one of the panels shown, {', '.join(self.panels)}; "
                f"got {proposal['value']!r}."
            )
        return str(proposal["value"])

    @traitlets.observe("panels")
    def _keep_focus(self, change: Any) -> None:
        if change["new"] and self.focus not in change["new"]:
            self.focus = change["new"][0]

    @traitlets.validate("unfolded")
    def _known_controls(self, proposal: Any) -> tuple[str, ...]:
        names, known = _names(proposal["value"]), self.controls()
        if not _are_some_of(known, names):
            raise traitlets.TraitError(
                f"unfolded must name some of {', '.join(known)}, each once; "
                f"got {proposal['value']!r}."
            )
        return names


def _names(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return texts of any kind, such as NumPy's, as Python's own; else what came."""
    return tuple(str(value) if isinstance(value, str) else value for value in values)


def _are_some_of(known: Iterable[str], names: tuple[Any, ...]) -> bool:
    """Whether each of the names is a known one, and none stands there twice."""
    return all(isinstance(name, str) and name in known for name in names) and (
        len({*names}) == len(names)
    )
