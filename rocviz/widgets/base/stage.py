"""What is displayed of an explorer or a story: its box, the stage in it, and a still picture.

The stage is one widget, which receives all changes; a panel describes one picture to it. The still
picture is what a saved notebook keeps: a widget needs a kernel, and sites that only show notebooks
have none. So an explorer displays two outputs: itself and, after it, a PNG, which the style sheet
of a live explorer hides. Only the PNG is replaced when the state changes, so the handle that a user
drags is never drawn again.
"""

from __future__ import annotations

import asyncio
import base64
import io
import pickle
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from html import escape
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets
import numpy as np
import traitlets
from IPython import get_ipython
from IPython.display import display, publish_display_data, update_display

from rocviz import theme
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
from rocviz.theme import COLOURS, DESK, Theme
from rocviz.widgets.base.terminal import in_ipython
from rocviz.words import amount, score_text

with warnings.catch_warnings():
    # its scales use a deprecated declaration of traits, which fails where warnings are errors
    warnings.filterwarnings("ignore", "metadata .'args'", DeprecationWarning)
    import bqplot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

#: The page's scripts, built from ``js/src``.
BUNDLES = Path(__file__).with_name("bundles")


def script(name: str) -> str:
    """Read a script of the page; anywidget would watch a path and keep every widget alive."""
    return (BUNDLES / name).read_text(encoding="utf-8")


THEME_CLASSES = ("rocviz-lecture", "rocviz-dark", "rocviz-light")  # classes of the style sheet


def theme_classes(chosen: Theme) -> list[str]:
    """List the classes of the style sheet that a theme asks for."""
    applies = (chosen.lecture, chosen.dark, chosen.dark is False)
    return [name for name, on in zip(THEME_CLASSES, applies, strict=True) if on]


class WidgetBox(ipywidgets.VBox):
    """Box of a whole widget; without children, as in a copy, it opens no connection."""

    _picture: StillPicture | None = None

    def open(self) -> None:
        """Open the connection to the front end, once there are children."""
        if self.children:
            super().open()

    def _present(self, children: Sequence[ipywidgets.Widget], *classes: str) -> None:
        """Fill the box, and open it in the present theme, which it follows from now on."""
        self._picture = StillPicture(self)
        self.children = children
        for name in ("rocviz", *classes):
            self.add_class(name)
        self._dress(theme.get_theme())
        self.open()
        theme.listeners.add(self)

    def _dress(self, chosen: Theme) -> None:
        """Set the classes of the style sheet for a theme."""
        classes = theme_classes(chosen)
        for name in THEME_CLASSES:
            if name in classes:
                self.add_class(name)
            else:
                self.remove_class(name)

    _use_theme = _dress

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """Describe the widget to a front end; a terminal of IPython 7 asks for this, too."""
        if in_ipython():
            return {"text/plain": repr(self)}
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return bundle

    def close(self) -> None:
        """Close the box and its children, and release all models."""
        theme.listeners.discard(self)
        if self._picture is not None:
            self._picture.close()
        if self.comm is None:
            return
        for widget in (*self.children, self):
            widget.unobserve_all()
            widget.layout.close()
            if widget is not self:
                widget.close()
        super().close()


def tables_html(explorer: Any, digits: int, rows: int) -> str:
    """Write the first rows of an explorer's tables, each below its heading."""
    written = []
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

EDGE_COLOURS = ("#D7DBE0", "#3A4149")
#: Tools below the pictures, each with its tooltip.
TOOLS = (
    ("notes", "More about these results"),
    ("code", "Python that gives these numbers"),
    ("table", "The numbers on screen as a table"),
    ("save", "Save the picture as a file"),
    ("reset", "Back to the opening state"),
)
#: Versions of the packages that draw pictures in the page.
MODULE_VERSIONS = {
    "bqplot": bqplot.Figure._model_module_version.default_value,
    "bqscales": bqplot.LinearScale._model_module_version.default_value,
}
#: Fields of marks that are not sent to the page.
NOT_SENT_FIELDS = ("name", "keys", "own", "is_shown", "may_be_covered", "blocks_text", "is_hinted")


def variables(*, dark: bool) -> str:
    """Write the colours of a theme as variables of a style sheet."""
    side = int(dark)
    colours = "".join(f"--rocviz-{name}:{pair[side]};" for name, pair in COLOURS.items())
    soft = "--rocviz-hull-soft:color-mix(in srgb,var(--rocviz-hull) 45%,transparent);"
    return f"{colours}{soft}--rocviz-edge:{EDGE_COLOURS[side]};"


def style_sheet() -> str:
    """Read the style sheet as text."""
    layout = Path(__file__).with_name("explorer.css").read_text(encoding="utf-8")
    return (
        f".rocviz{{{variables(dark=False)}}}"
        f'body[data-jp-theme-light="false"] .rocviz:not(.rocviz-light),'
        f".rocviz.rocviz-dark{{{variables(dark=True)}}}{layout}"
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

    modules = traitlets.Dict(MODULE_VERSIONS).tag(sync=True)
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
        #: Names of the parts in the states that were sent ahead: the page may show other values
        #: of them, even of parts that the explorer itself has never shown.
        self.sent_ahead: set[str] = set()
        super().__init__()
        self.on_msg(lambda _stage, content, _buffers: on_message(content))

    def note(self, values: Mapping[str, Any]) -> set[str]:
        """Store values, and return the names of the parts that the page may show otherwise."""
        now = self.values
        changed = self.sent_ahead & now.keys()
        for key, value in values.items():
            if key not in now or (now[key] is not value and now[key] != value):
                changed.add(key)
                now[key] = value
        return changed

    def send_ahead(self, control: str, parts: Iterable[str], states: bytes) -> None:
        """Send states of a control, and note the parts that the page may change by them."""
        self.sent_ahead.update(parts)
        self.send({"recording": control}, [states])

    def send_values(self, keys: Iterable[str], **about: Any) -> None:
        """Send values to the page in one message, which it applies at once.

        Thirty messages would be thirty chances for the browser to paint a picture that is half new.
        """
        buffers: list[bytes] = []
        put = partial(_put, buffers)
        shown = {key: encoded(self.values[key], put) for key in keys}
        self.send({"shown": shown, **about}, buffers)


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
        note: Callable[[Any, Any, bool], str] | None = None,
        caption: Callable[[Any], str] | None = None,
        parts: Sequence[str] = (),
    ) -> None:
        self._draw = picture
        self._note = note
        self.caption = caption
        self._parts = parts
        self.drags = drags or {}
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
            Name of the mark.
        event : {"click", "drag_start", "drag", "drag_end"}
        index : int
            Number of the point that is clicked or dragged.
        x, y : float
            Where it is dragged to.
        """
        assert self.picture is not None
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


# ------------------------------------------------------------------ the still picture

STILL_SECONDS = 12.0  # without a change, after which the picture is drawn again
WIDGET_MIME_TYPE = "application/vnd.jupyter.widget-view+json"
#: Written below the still picture, for pages without a kernel.
STILL_NOTE = "Run this cell to make the picture move."


class StillPicture:
    """The still picture of one explorer, kept up to date."""

    def __init__(self, explorer: Any) -> None:
        self._explorer = weakref.ref(explorer)
        self._name: str | None = None
        self._stale = True
        self._timer: asyncio.TimerHandle | None = None
        self._shell: Any = None

    def show(self) -> None:
        """Display the explorer and, beside it, its picture."""
        explorer = self._explorer()
        assert explorer is not None
        view = {"version_major": 2, "version_minor": 0, "model_id": explorer.model_id}
        text = f"{type(explorer).__name__}: run this cell to make the picture move"
        publish_display_data({WIDGET_MIME_TYPE: view, "text/plain": text})
        if self._name is None:
            self._name = f"rocviz-{explorer.model_id}"
            self._shell = get_ipython()
            if self._shell is not None:
                self._shell.events.register("post_run_cell", self.refresh)
        self._draw(explorer, display)

    def is_stale(self) -> None:
        """Draw the picture again once the state has not changed for a while."""
        self._stale = True
        if self._name is not None:
            with suppress(RuntimeError):  # where no event loop runs, the next cell does it
                timer = asyncio.get_running_loop().call_later(STILL_SECONDS, self.refresh)
                self._cancel()
                self._timer = timer

    def refresh(self, _result: Any = None) -> None:
        """Replace the picture on the page if the state has changed since."""
        explorer = self._explorer()
        # after a preview wait for the exact result
        is_exact = explorer is not None and not getattr(explorer, "is_preview", False)
        if self._stale and self._name is not None and is_exact:
            self._draw(explorer, update_display)

    def _draw(self, explorer: Any, put: Callable[..., object]) -> None:
        """Draw the picture, and put it on the page with its alternative text."""
        from matplotlib.transforms import Bbox

        from rocviz.displays.base.style import font, resolve_theme

        self._stale = False
        file = io.BytesIO()
        figure = explorer.static_figure()
        theme = resolve_theme(None)
        words = {"fontsize": font(theme), "color": theme.colour("text")}
        (wide, high) = figure.get_size_inches()
        line = 1.6 * font(theme) / 72
        figure.text(0.99, 0, STILL_NOTE, ha="right", va="top", **words)
        with_line = Bbox([[0, -line], [wide, high]])
        figure.savefig(file, format="png", dpi=64, bbox_inches=with_line)
        png = base64.b64encode(file.getvalue()).decode("ascii")
        # the sentence changes with every drag; as plain text it would make each comparison of
        # saved outputs fail, as the picture's alternative text it does not
        bundle = {"image/png": png, "text/plain": f"{type(explorer).__name__} as it last stood"}
        alt = {"image/png": {"alt": explorer.sentence}}
        put(bundle, metadata=alt, raw=True, display_id=self._name)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Stop following the explorer."""
        self._cancel()
        if self._shell is not None:
            self._shell.events.unregister("post_run_cell", self.refresh)
            self._shell = None
        self._name = None


def free_name(name: str) -> Path:
    """Find a path where no file exists yet, by a number if necessary."""
    path = Path(name)
    stem = path.stem
    count = 1
    while path.exists():
        count += 1
        path = path.with_name(f"{stem}-{count}{path.suffix}")
    return path
