"""Sentences with numbers in the colours of what they count."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

#: Plain text, or a pair of a role in :data:`rocviz.theme.COLOURS` and its text.
Part = str | tuple[str, str]
Words = list[Part]


@dataclass(frozen=True, init=False)
class Sentence:
    """A sentence in which numbers may have a role, which gives their colour.

    Parameters
    ----------
    *parts : str or (str, str)
        Plain text, or a pair of a role in :data:`rocviz.theme.COLOURS` and its text.

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
        """The text without markup."""
        return "".join([part if isinstance(part, str) else part[1] for part in self.parts])

    @property
    def html(self) -> str:
        """The HTML, with each number, and its per cent sign, in the colour of its role."""
        return "".join(
            [
                escape(part)
                if isinstance(part, str)
                else f'<b class="rocviz-{part[0]}">{escape(part[1])}</b>'
                for part in self.parts
            ]
        ).replace(" %", "\u00a0%")
