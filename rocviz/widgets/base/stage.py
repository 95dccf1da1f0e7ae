"""What is displayed of an explorer or a story: its box, the stage in it, and a still picture.

The stage is one widget, which receives all changes. The still picture is what a saved notebook
keeps: a widget needs a kernel, and sites that only show notebooks have none. So an explorer
displays two outputs: itself and, after it, a PNG, which the style sheet of a live explorer hides.
Only the PNG is replaced when the state changes, so the handle that a user drags is never drawn
again.
"""

from __future__ import annotations

import asyncio
import base64
import io
import warnings
import weakref
from contextlib import suppress
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets
import numpy as np
import traitlets
from IPython import get_ipython
from IPython.display import display, publish_display_data, update_display

from rocviz import theme
from rocviz.pictures import Mark
from rocviz.theme import COLOURS, Theme
from rocviz.words import score_text

with warnings.catch_warnings():
    # its scales use a deprecated declaration of traits, which fails where warnings are errors
    warnings.filterwarnings("ignore", "metadata .'args'", DeprecationWarning)
    import bqplot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

#: The page's scripts, built from ``js/src``.
BUNDLES = Path(__file__).with_name("bundles")


def script(name: str) -> str:
    """Read a script of the page; anywidget would watch a path and keep every widget alive."""
    return (BUNDLES / name).read_text(encoding="utf-8")


THEMES = ("rocviz-lecture", "rocviz-dark", "rocviz-light")  # classes of the style sheet


def theme_classes(chosen: Theme) -> list[str]:
    """List the classes of the style sheet that a theme asks for."""
    holds = chosen.lecture, chosen.dark, chosen.dark is False
    return [name for name, on in zip(THEMES, holds, strict=True) if on]


class Outermost(ipywidgets.VBox):
    """Outermost box of a widget; without children, as in a copy, it opens no connection."""

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
        for name in THEMES:
            (self.add_class if name in classes else self.remove_class)(name)

    _use_theme = _dress

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
            super(Outermost, widget).close() if widget is self else widget.close()


def tables_html(explorer: Any, digits: int, rows: int) -> str:
    """Write the first rows of an explorer's tables, each below its heading."""
    write, written = partial(score_text, digits=digits), []
    for heading, frame in explorer.tables().items():
        shown = frame.head(rows)
        if shown.index.nlevels == 1:  # the index name goes into the row of the column names
            shown = shown.rename_axis(index=None, columns=shown.index.name)
        table = shown.to_html(border=0, float_format=write, na_rep="–")
        written.append(f"<p>{escape(heading)}</p>" * bool(heading))
        written.append(table.replace("<th></th>", "<td></td>"))  # an empty heading is left out
    return "".join(written)


# ------------------------------------------------------------------ the stage

EDGE = ("#D7DBE0", "#3A4149")
#: Tools below the pictures, each with its tooltip.
TOOLS = (
    ("notes", "More about these results"),
    ("code", "Python that gives these numbers"),
    ("table", "The numbers on screen as a table"),
    ("save", "Save the picture as a file"),
    ("reset", "Back to the opening state"),
)
#: Versions of the packages that draw pictures in the page.
VERSIONS = {
    "bqplot": bqplot.Figure._model_module_version.default_value,
    "bqscales": bqplot.LinearScale._model_module_version.default_value,
}
#: Fields of marks that are not sent to the page.
UNTOLD = ("name", "keys", "own", "is_shown", "yields", "in_the_way", "is_hinted")


def variables(*, dark: bool) -> str:
    """Write the colours of a theme as variables of a style sheet."""
    side = int(dark)
    colours = "".join(f"--rocviz-{name}:{pair[side]};" for name, pair in COLOURS.items())
    soft = "--rocviz-hull-soft:color-mix(in srgb,var(--rocviz-hull) 45%,transparent);"
    return f"{colours}{soft}--rocviz-edge:{EDGE[side]};"


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
    for name, one in vars(value).items():
        if name in UNTOLD:
            continue
        if isinstance(one, np.ndarray):
            one = {"shape": list(one.shape), "data": put(one.astype(float))}
        described[name] = one
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
            if key not in now or (now[key] is not value and now[key] != value):
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


def _put(buffers: list[bytes], numbers: NDArray[np.float64]) -> int:
    buffers.append(numbers.tobytes())
    return len(buffers) - 1


# ------------------------------------------------------------------ the still picture

QUIET = 12.0  # seconds without a change before the picture is drawn again
WIDGET = "application/vnd.jupyter.widget-view+json"
#: Written below the still picture, for pages without a kernel.
STILL = "Run this cell to make the picture move."


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
        publish_display_data({WIDGET: view, "text/plain": text})
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
                timer = asyncio.get_running_loop().call_later(QUIET, self.refresh)
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
        from rocviz.displays.base.style import font, resolve_theme

        self._stale = False
        file = io.BytesIO()
        figure = explorer.static_figure()
        look = resolve_theme(None)
        words = {"fontsize": font(look), "color": look.colour("text")}
        figure.text(0.99, 0.01, STILL, ha="right", va="bottom", **words)
        figure.savefig(file, format="png", dpi=64)
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
    stem, count = path.stem, 1
    while path.exists():
        count += 1
        path = path.with_name(f"{stem}-{count}{path.suffix}")
    return path
