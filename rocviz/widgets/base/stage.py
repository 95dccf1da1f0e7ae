"""The stage of an explorer in the page: one widget that receives all changes."""

from __future__ import annotations

import base64
import warnings
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from rocviz.pictures import Mark
from rocviz.theme import COLOURS
from rocviz.widgets.base.parts import script

with warnings.catch_warnings():
    # its scales use a deprecated declaration of traits, which fails where warnings are errors
    warnings.filterwarnings("ignore", "metadata .'args'", DeprecationWarning)
    import bqplot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

EDGE = ("#D7DBE0", "#3A4149")
#: Tools below the pictures, each with its tooltip.
TOOLS = (
    ("notes", "What else there is to say"),
    ("code", "Python that gives these numbers"),
    ("table", "The numbers on screen as a table"),
    ("save", "Save the picture as a file"),
    ("reset", "Back to how it opened"),
)
#: Versions of the packages that draw pictures in the page.
VERSIONS = {
    "bqplot": bqplot.Figure._model_module_version.default_value,
    "bqscales": bqplot.LinearScale._model_module_version.default_value,
}
#: Fields of marks that are not sent to the page.
UNTOLD = ("name", "keys", "own", "is_shown", "yields", "in_the_way", "is_hinted")


def _variables(side: int) -> str:
    colours = "".join(f"--rocviz-{name}:{pair[side]};" for name, pair in COLOURS.items())
    soft = "--rocviz-hull-soft:color-mix(in srgb,var(--rocviz-hull) 45%,transparent);"
    return f"{colours}{soft}--rocviz-edge:{EDGE[side]};"


def style_sheet() -> str:
    """Read the style sheet as text."""
    layout = Path(__file__).with_name("explorer.css").read_text(encoding="utf-8")
    return (
        f".rocviz{{{_variables(0)}}}"
        f'body[data-jp-theme-light="false"] .rocviz:not(.rocviz-light),'
        f".rocviz.rocviz-dark{{{_variables(1)}}}{layout}"
    )


def encoded(value: Any, put: Callable[[NDArray[np.float64]], Any]) -> Any:
    """Describe a value of the stage to the page.

    Parameters
    ----------
    value : object
        Of the kinds of JSON, or a mark.
    put : callable
        Returns what stands for the numbers of an array.
    """
    if not isinstance(value, Mark):
        return value
    told: dict[str, Any] = {"kind": type(value).__name__}
    for name in _told(type(value)):
        one = getattr(value, name)
        if isinstance(one, np.ndarray):
            one = {"shape": list(one.shape), "data": put(one.astype(float))}
        told[name] = one
    return told


_NAMES: dict[type[Mark], list[str]] = {}


def _told(kind: type[Mark]) -> list[str]:
    """List the fields of a kind of mark that are sent to the page."""
    if kind not in _NAMES:
        _NAMES[kind] = [field.name for field in fields(kind) if field.name not in UNTOLD]
    return _NAMES[kind]


def in_json(value: Any) -> Any:
    """Describe a value of the stage in pure JSON, with arrays as text in single precision."""
    return encoded(value, _text)


def _text(numbers: NDArray[np.float64]) -> str:
    return base64.b64encode(numbers.astype("<f4").tobytes()).decode("ascii")


class Stage(anywidget.AnyWidget):
    """The parts of an explorer by name: sentence, controls, and each mark of each picture.

    Parameters
    ----------
    values : mapping of str to object
        What is shown at first; marks, or what JSON can say.
    on_message : callable
        Told of the actions of the user.
    """

    _esm = script("stage.js")
    _css = style_sheet()

    modules = traitlets.Dict(VERSIONS).tag(sync=True)
    #: All values, for a page that opens; open pages receive changes only.
    shown = traitlets.Any().tag(
        sync=True,
        to_json=lambda _none, stage: {
            key: encoded(value, np.ndarray.tobytes) for key, value in stage.values.items()
        },
    )

    def __init__(
        self, values: Mapping[str, Any], on_message: Callable[[dict[str, Any]], None]
    ) -> None:
        self.values = dict(values)
        super().__init__()
        self.on_msg(lambda _stage, content, _buffers: on_message(content))

    def note(self, values: Mapping[str, Any]) -> set[str]:
        """Store values, and return the names of those that have changed."""
        now = self.values
        changed = set()
        for key, value in values.items():
            before = now.get(key, _NOTHING)
            if before is not value and before != value:
                changed.add(key)
                now[key] = value
        return changed

    def tell(self, keys: Iterable[str], **about: Any) -> None:
        """Send values to the page in one message, which it applies at once.

        Thirty messages would be thirty chances for the browser to paint a picture that is half new.
        """
        buffers: list[bytes] = []
        put = partial(_put, buffers)
        shown = {key: encoded(self.values[key], put) for key in keys}
        self.send({"shown": shown, **about}, buffers)


_NOTHING = object()


def _put(buffers: list[bytes], numbers: NDArray[np.float64]) -> int:
    buffers.append(numbers.tobytes())
    return len(buffers) - 1
