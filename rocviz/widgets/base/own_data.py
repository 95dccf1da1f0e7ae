"""A user's own data, kept so that the code an explorer shows can get hold of it again.

Knows names of Python objects and nothing of what the data means.
"""

from __future__ import annotations

import sys
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OwnData", "data_of", "name_of"]

#: Data of at most this many samples is written out in full.
SHORT = 30


class OwnData:
    """Base of the data that explorers open on; every one has a number while it is open."""

    def __init__(self) -> None:
        self.number = next(_numbers)
        _alive[self.number] = self

    def arguments(self, name: str = "") -> Mapping[str, Any]:
        """Return the data as it came in.

        Parameters
        ----------
        name : str
            Of the model, where there are several.

        Returns
        -------
        mapping of str to object
            By the name of the argument; None where nothing was given.
        """
        raise NotImplementedError

    def code_lines(self, name: str = "") -> list[str]:
        """Return Python that gets hold of the arguments again, as arrays of those names."""
        wanted = {k: v for k, v in self.arguments(name).items() if v is not None}
        found = {argument: name_of(value) for argument, value in wanted.items()}
        if all(len(value) <= SHORT for value in wanted.values()):
            found = {
                argument: text or repr(np.asarray(wanted[argument]).tolist())
                for argument, text in found.items()
            }
        lines = []
        if None in found.values():
            which = f"{self.number}, {name!r}" if name else str(self.number)
            found = {argument: f"data_of({which})[{argument!r}]" for argument in wanted}
            lines = ["from rocviz.widgets import data_of", ""]
        return lines + [f"{argument} = np.asarray({text})" for argument, text in found.items()]


_numbers = count(1)
_alive: WeakValueDictionary[int, OwnData] = WeakValueDictionary()


def data_of(number: int, name: str = "") -> Mapping[str, Any]:
    """Return the data of an explorer that is open in this session.

    Parameters
    ----------
    number : int
        The data's number, as "show code" prints it.
    name : str
        Name of the model, where the explorer shows several.

    Returns
    -------
    mapping of str to object
        Such as ``y_true``, ``y_score`` and ``sample_weight`` (None where none was given), as
        they came in.

    Raises
    ------
    KeyError
        If no explorer with that data is open.
    """
    if number not in _alive:
        raise KeyError(f"No explorer with data {number} is open; make it again first.")
    return _alive[number].arguments(name)


def name_of(value: object) -> str | None:
    """Return what the user's session calls an object: a name, or a field of a named dict."""
    names = vars(sys.modules["__main__"])
    for name, thing in list(names.items()):
        if name.startswith("_"):
            continue
        if thing is value:
            return name
        if isinstance(thing, dict):
            for key, field in thing.items():
                if field is value:
                    return f"{name}[{key!r}]"
    return None
