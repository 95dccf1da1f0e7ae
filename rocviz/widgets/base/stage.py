"""The stage of an explorer: the widget that receives all changes, and the panels on it.

A panel describes one picture to the stage, by its marks; the page draws them.
"""

from __future__ import annotations

import base64
import pickle
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from html import escape
from operator import is_
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from rocviz.pictures import (
    Axis,
    Draggable,
    Handle,
    Knobs,
    Mark,
    Picture,
    PlacementCache,
    place_hints,
    place_words,
)
from rocviz.theme import DESK, Theme
from rocviz.widgets.base.widget import OneWidget, script, shipped, style_sheet
from rocviz.words import amount, score_text

with warnings.catch_warnings():
    # its scales use a deprecated declaration of traits, which fails where warnings are errors
    warnings.filterwarnings("ignore", "metadata .'args'", DeprecationWarning)
    import bqplot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def tables_html(explorer: Any, digits: int, rows: int) -> str:
    """Write the first rows of an explorer's tables, each below its heading.

    What the data call the classes, the score and the model stands above them.
    """
    written = []
    names = explorer.table_names
    if names:
        row = " · ".join(f"{what}: {name}" for what, name in names.items())
        written.append(f"<p>{escape(row)}</p>")
    for heading, frame in explorer.tables().items():
        if heading:
            written.append(f"<p>{escape(heading)}</p>")
        first = frame if len(frame) <= rows else frame.head(rows)
        written.append(_table_html(pickle.dumps(first), digits))
    return "".join(written)


def _are_counts(column: Any) -> bool:
    """Test whether all numbers of a column are whole, and some not only 0 or 1."""
    if column.dtype.kind != "f":
        return False
    values = column.to_numpy()
    values = values[np.isfinite(values)]
    return bool((values == np.round(values)).all() and (values > 1).any())


@lru_cache(maxsize=64)  # of the tables in a recording, few are new in each state
def _table_html(pickled: bytes, digits: int) -> str:
    """Write a table, which comes pickled, as one in memory cannot be looked up."""
    frame = pickle.loads(pickled)
    if frame.index.nlevels == 1:  # the index name goes into the row of the column names
        frame = frame.rename_axis(index=None, columns=frame.index.name)
    write = partial(score_text, digits=digits)
    counts = [i for i in range(frame.shape[1]) if _are_counts(frame.iloc[:, i])]
    formatters = [amount if i in counts else None for i in range(frame.shape[1])]
    table: str = frame.to_html(border=0, float_format=write, formatters=formatters, na_rep="–")
    return table.replace("<th></th>", "<td></td>")  # an empty heading is left out


# ------------------------------------------------------------------ the stage

#: Tools below the pictures, each with its tooltip.
TOOLS = (
    ("notes", "More about these results"),
    ("code", "Python that gives these numbers"),
    ("table", "The numbers on screen as a table"),
    ("save", "Save the picture as a file"),
    ("undo", "Back to before the last change (Ctrl+Z; forward again with Shift+Ctrl+Z)"),
    ("reset", "Back to the opening state"),
)
#: Versions of the packages that draw pictures in the page.
MODULE_VERSIONS = {
    "bqplot": bqplot.Figure._model_module_version.default_value,
    "bqscales": bqplot.LinearScale._model_module_version.default_value,
}
#: Fields of marks that are not sent to the page.
NOT_SENT_FIELDS = ("name", "keys", "own", "is_shown", "may_be_covered", "blocks_text", "is_hinted")


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
    described: dict[str, Any] = {"kind": type(value).__name__}
    for name, field in vars(value).items():
        if name in NOT_SENT_FIELDS:
            continue
        if isinstance(field, np.ndarray):
            described[name] = {"shape": list(field.shape), "data": put(field.astype(float))}
        else:
            described[name] = field
    return described


def in_json(value: Any) -> Any:
    """Describe a value of the stage in pure JSON, with arrays as text in single precision."""
    return encoded(value, _text)


def _text(numbers: NDArray[np.float64]) -> str:
    return base64.b64encode(numbers.astype("<f4").tobytes()).decode("ascii")


@cache
def stage_script(*, with_drawing: bool) -> str:
    """Read the stage's script, for marimo with the scripts that draw.

    It answers no message of the page while cells run, and serves the script once for all explorers.
    """
    alone = script("stage.js")
    if not with_drawing:
        return alone
    from rocviz.widgets.base.recording.recording import drawing_script

    return drawing_script() + alone


class Stage(OneWidget):
    """The widget of an explorer: sentence, controls, and each mark of each picture, by name."""

    _esm = shipped("")
    _css = shipped(style_sheet())
    _anywidget_id = shipped("rocviz.Explorer")

    #: Raised by pages whose host runs code again only when they set a trait.
    _moves = traitlets.Int().tag(sync=True)
    _modules = traitlets.Dict(MODULE_VERSIONS).tag(sync=True)
    #: All values, for a page that opens; open pages receive changes only.
    _shown = traitlets.Any().tag(
        sync=True,
        to_json=lambda _none, stage: {
            key: encoded(value, np.ndarray.tobytes) for key, value in stage._values.items()
        },
    )

    @traitlets.default("_esm")
    def _script(self) -> str:
        marimo = sys.modules.get("marimo")
        return stage_script(with_drawing=marimo is not None and marimo.running_in_notebook())

    def __init__(self) -> None:
        #: What is shown, by the page's names: marks, or what JSON can say.
        self._values: dict[str, Any] = {}
        #: Names of the parts in the states that were sent ahead: the page may show other values
        #: of them, even of parts that the explorer itself has never shown.
        self._sent_ahead: set[str] = set()
        #: The inputs and the view that the page knows.
        self._inputs_on_page: dict[str, Any] = {}
        super().__init__()

    def _note_values(self, values: Mapping[str, Any]) -> set[str]:
        """Store values, and return the names of the parts that the page may show otherwise."""
        now = self._values
        changed = self._sent_ahead & now.keys()
        for key, value in values.items():
            if key not in now or (now[key] is not value and now[key] != value):
                changed.add(key)
                now[key] = value
        return changed

    def _send_states(self, control: str, parts: Iterable[str], states: bytes) -> None:
        """Send states of a control ahead, and note the parts that the page may change by them."""
        self._sent_ahead.update(parts)
        self.send({"recording": control}, [states])

    def _note_inputs(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Store inputs that the page is sent, and return those that differ from what it knows."""
        known = self._inputs_on_page
        changed = {
            name: value
            for name, value in inputs.items()
            if name not in known or known[name] != value
        }
        known |= changed
        return changed

    def _send_values(
        self, keys: Iterable[str], inputs: Mapping[str, Any] = MappingProxyType({}), **about: Any
    ) -> None:
        """Send values and inputs to the page in one message, which it applies at once.

        Thirty messages would be thirty chances for the browser to paint a picture that is half new.
        The page sets the inputs on its model, whose synced traits they are.
        """
        buffers: list[bytes] = []
        put = partial(_put, buffers)
        shown = {key: encoded(self._values[key], put) for key in keys}
        if inputs:
            about["inputs"] = self.get_state(list(inputs))
        self.send({"shown": shown, **about}, buffers)

    def _should_send_property(self, key: str, value: Any) -> bool:
        """Leave inputs to the message that shows their result."""
        return key not in self._inputs_on_page and super()._should_send_property(key, value)


def _put(buffers: list[bytes], numbers: NDArray[np.float64]) -> int:
    buffers.append(numbers.tobytes())
    return len(buffers) - 1


# ------------------------------------------------------------------ pictures on the stage

#: A function that draws: called with state, result, and whether the picture is large.
Draw = Callable[[Any, Any, bool], Picture]


def of_scene(scene: Callable[[Any, Any], Any]) -> Callable[[Callable[[Any, bool], Picture]], Draw]:
    """Turn functions that draw a scene into functions of state and result."""

    def drawer(picture: Callable[[Any, bool], Picture]) -> Draw:
        return lambda state, result, is_large: picture(scene(state, result), is_large)

    return drawer


class Panel:
    """One picture, below a heading that enlarges it.

    Parameters
    ----------
    picture : callable
        Called with state, result, and whether it is large; returns a :class:`.Picture`. A small one
        has fewer ticks and words instead of being scaled down.
    drags : mapping of str to (str, callable), optional
        By the name of a handle, the control that it moves, whose states are sent ahead over a slow
        connection, and the function called with the point that it is dragged to.
    on_click : mapping of str to callable, optional
        By the name of a mark up to its colon, the function called with the key of the point that is
        clicked, or its number, which is 0 for a line.
    on_press : callable, optional
        Called while the user draws on the picture: with "press", "sweep" (while the button is
        down), "release", or "leave" (where it is released outside of the axes), and the point.
    is_drawn_on : callable, optional
        Says whether the user may draw on the picture now.
    note : callable, optional
        Returns HTML that stands beside the figure, under it when it is large; called as
        ``picture`` is.
    caption : callable, optional
        Returns the line that stands in place of the note in a file; called with the result.
    parts : sequence of str, default=()
        Attributes of the result on which alone the picture depends, without handles: it is drawn
        again only where one of them is another object. By default it is drawn for each result.
    """

    #: The panel's name, and whether it is the large one.
    name = ""
    is_large = True
    #: The picture shown.
    picture: Picture | None = None

    def __init__(
        self,
        picture: Draw,
        *,
        drags: Mapping[str, tuple[str, Callable[..., None]]] | None = None,
        on_click: Mapping[str, Callable[[Any], object]] | None = None,
        on_press: Callable[[str, float, float], object] | None = None,
        is_drawn_on: Callable[[], bool] = bool,
        note: Callable[[Any, Any, bool], str] | None = None,
        caption: Callable[[Any], str] | None = None,
        parts: Sequence[str] = (),
    ) -> None:
        self._draw = picture
        self._note = note
        self.caption = caption
        self._parts = parts
        self.drags = drags or {}
        self.on_press = on_press
        self.is_drawn_on = is_drawn_on
        self.on_click = on_click or {}
        #: Handles that have been dragged once, and so need no hint.
        self.known: set[str] = set()
        self._keys: Any = ()
        self._result: Any = None
        self._made: dict[Any, tuple[dict[str, Any], Picture | None]] = {}
        #: The side of each handle on which "drag" stood last.
        self._sides: dict[str, str] = {}
        #: The last picture, large and small, before and after its words are placed, the parts of
        #: the result in it, and the handles that had been dragged.
        self._drawn: dict[bool, tuple[Picture, Picture, list[Any], set[str]]] = {}
        self._found = {True: PlacementCache(), False: PlacementCache()}
        self._frame: tuple[Any, dict[str, Any]] = (None, {})

    @property
    def handles(self) -> list[Draggable]:
        """The handles that can be dragged now."""
        marks = self.picture.marks if self.picture else ()
        return [mark for mark in marks if isinstance(mark, Draggable)]

    def shown(self, state: Any, result: Any, theme: Theme) -> dict[str, Any]:
        """Describe the picture of a result by the page's names, once for each result and size."""
        if self._result is not result:
            self._result = result
            self._made = {}
        size = self.is_large, theme
        if size not in self._made:
            self._made[size] = self._values(state, result, theme), self.picture
        values, self.picture = self._made[size]
        return values

    def forget(self) -> None:
        """Clear the cache, so that the same result is drawn again."""
        self._result = None

    def on_event(
        self, mark: str, event: str, index: int = 0, x: float = 0.0, y: float = 0.0
    ) -> None:
        """Handle the user's action on the picture.

        Parameters
        ----------
        mark : str
            Name of the mark; "" if the picture itself is meant.
        event : {"click", "drag_start", "drag", "drag_end", "press", "sweep", "release", "leave"}
        index : int
            Number of the point that is clicked or dragged.
        x, y : float
            Where it is dragged to.
        """
        assert self.picture is not None
        if not mark:
            if self.on_press is not None and self.is_drawn_on():
                self.on_press(event, x, y)
            return
        drawn = self.picture[mark]
        if event == "click":
            key = drawn.keys[index] if len(drawn.keys) else index
            self.on_click[kind_of(drawn)](key)
        elif event == "drag_start":
            self.known.add(mark)
            self._keys = drawn.keys  # a point keeps its key while it is dragged
        else:
            _control, drag = self.drags[mark]
            drag(self._keys[index] if isinstance(drawn, Knobs) else x, y)

    def _values(self, state: Any, result: Any, theme: Theme) -> dict[str, Any]:
        name = self.name
        size = self.is_large
        parts = [getattr(result, part) for part in self._parts]
        before, picture, seen, known = self._drawn.get(size, (None, None, [], set()))
        if picture is None or not parts or not all(map(is_, parts, seen)):
            drawn = self._draw(state, result, size).reuse_marks(before)
            is_same = before is not None and drawn.shows_the_same(before) and known == self.known
            if picture is None or not is_same:
                picture = self._placed(drawn, self._found[size])
            self._drawn[size] = drawn, picture, parts, set(self.known)
        self.picture = picture
        values: dict[str, Any] = {f"mark {name} {mark.name}": mark for mark in picture.marks}
        values[f"figure {name}"] = self._framed(picture, theme)
        if self._note:
            values[f"html {name}"] = self._note(state, result, size)
        return values

    def _placed(self, picture: Picture, cache: PlacementCache) -> Picture:
        """Place the words, and "drag" beside handles not used before."""
        hinted = {}
        if picture.is_large:
            handles = [mark for mark in picture.marks if isinstance(mark, Handle)]
            for handle in handles:
                if handle.is_hinted and handle.name not in self.known:
                    hinted[handle.name] = self._sides.get(handle.name, "right")
        placed = place_hints(place_words(picture, cache), hinted, cache)
        self._sides |= hinted
        return placed.with_arrows()

    def _framed(self, picture: Picture, theme: Theme) -> dict[str, Any]:
        """Describe axes, frame and order of the marks."""
        order = [mark.name for mark in picture.marks]
        frame = picture.x, picture.y, picture.is_large, picture.is_square, theme, order
        if frame != self._frame[0]:
            size = theme.font * (1.0 if picture.is_large else 0.86)
            axes = [
                _axis(picture.x, 2.4 * size, large=picture.is_large, level=True),
                _axis(picture.y, 2.7 * size, large=picture.is_large, level=False),
            ]
            scaling = {
                "font": theme.font,
                "stroke": theme.stroke / DESK.stroke,
                "handle": theme.handle / DESK.handle,
                "shrink": 1.0 if picture.is_large else 0.8,
                "margin": _margin(picture, size),
                "shape": "rocviz-square" if picture.is_square else "rocviz-wide",
            }
            self._frame = frame, {"order": order, "axes": axes, "scaling": scaling}
        return self._frame[1]


def kind_of(mark: Mark) -> str:
    """Extract the kind from a mark's name, such as "model" from "model:1"."""
    return mark.name.split(":")[0]


def _axis(axis: Axis, offset: float, *, large: bool, level: bool) -> dict[str, Any]:
    """Describe an axis to the page; ``offset`` is the distance of its label in pixels."""
    return {
        "limits": list(axis.limits),
        "visible": axis.is_shown,
        "label": axis.label if large else "",
        "offset": f"{offset:.0f}px",
        "ticks": [list(tick) for tick in axis.labels(large=large, level=level).items()],
    }


def _margin(picture: Picture, size: float) -> dict[str, int]:
    """Compute the margin for tick labels and axis labels around a picture, in pixels."""
    large = picture.is_large
    square = picture.is_square
    if not (picture.x.is_shown or picture.y.is_shown):
        return dict.fromkeys(("left", "right", "bottom", "top"), round(0.3 * size))
    near, far = (3.4, 0.6) if large else (1.9, 0.5)
    wide = 0.0
    if not large:  # numbers of four digits
        wide = 0.7 if square else 1.0
    right = round((far + 0.2 + (0.0 if square else 0.8)) * size)
    return {
        "left": round((near + 0.2 + wide) * size) if picture.y.is_shown else right,
        "right": right,
        "bottom": round(near * size),
        "top": round((far + 0.4) * size),
    }


def free_name(name: str) -> Path:
    """Find a path where no file exists yet, by a number if necessary."""
    path = Path(name)
    stem = path.stem
    count = 1
    while path.exists():
        count += 1
        path = path.with_name(f"{stem}-{count}{path.suffix}")
    return path
