"""What a notebook displays of rocviz: one anywidget, and beside it a still picture.

The still picture is what a saved notebook keeps: a widget needs a kernel, and sites that only show
notebooks have none. So an explorer displays two outputs: itself and, after it, a PNG, which the
style sheet of a live explorer hides. Only the PNG is replaced when the state changes, so the handle
that a user drags is never drawn again.
"""

from __future__ import annotations

import asyncio
import base64
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import anywidget
import traitlets
from IPython import get_ipython
from IPython.display import display, publish_display_data, update_display

from rocviz import theme
from rocviz.theme import COLOURS, Theme
from rocviz.widgets.base.terminal import in_ipython

#: The page's scripts, built from ``js/src``.
BUNDLES = Path(__file__).with_name("bundles")


def script(name: str) -> str:
    """Read a script of the page; anywidget would watch a path and keep every widget alive."""
    return (BUNDLES / name).read_text(encoding="utf-8")


def shipped(text: str) -> Any:
    """Declare what the page loads of a widget, a script or a style sheet, as a synced trait.

    anywidget would declare it for each widget, by a class for each.
    """
    return traitlets.Unicode(text).tag(sync=True)


_sending: set[asyncio.Task[None]] = set()


def send_soon() -> None:
    """Let a Shiny app send its messages even if nobody acts, as those of a timer or a thread."""
    reactive = getattr(sys.modules.get("shiny"), "reactive", None)
    if reactive is None:
        return

    async def flush() -> None:
        async with reactive.lock():
            await reactive.flush()

    with suppress(RuntimeError):  # no event loop runs
        task = asyncio.get_running_loop().create_task(flush())
        _sending.add(task)
        task.add_done_callback(_sending.discard)


# ------------------------------------------------------------------ the look

THEME_CLASSES = ("rocviz-lecture", "rocviz-dark", "rocviz-light")  # classes of the style sheet
EDGE_COLOURS = ("#D7DBE0", "#3A4149")


def theme_classes(chosen: Theme) -> list[str]:
    """List the classes of the style sheet that a theme asks for."""
    applies = (chosen.lecture, chosen.dark, chosen.dark is False)
    return [name for name, on in zip(THEME_CLASSES, applies, strict=True) if on]


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


# ------------------------------------------------------------------ the widget


class OneWidget(anywidget.AnyWidget):
    """A widget that is made before it is opened: explorer, story, gallery, maker of stories.

    Hosts read a widget when it opens its connection, so it is complete by then: a subclass makes
    all of it, and calls :meth:`_open_widget` last. A copy for a recording never does.
    """

    #: Its name, by which the page finds what anywidget hides from it.
    _own_id = traitlets.Unicode().tag(sync=True)
    #: Classes of the style sheet that the theme asks for.
    _theme_classes: Any = traitlets.List().tag(sync=True)

    _picture: StillPicture | None = None

    def __init__(self) -> None:
        traitlets.HasTraits.__init__(self)  # anywidget's constructor opens the connection

    def _open_widget(self, on_message: Callable[[dict[str, Any]], None]) -> None:
        """Open the connection to the page, in the present theme, which is followed from now on.

        ``on_message`` is told of the actions of the user.
        """
        self._picture = StillPicture(self)
        self._dress(theme.get_theme())
        self.on_msg(lambda _widget, content, _buffers: on_message(content))
        self._own_id = uuid4().hex
        anywidget.AnyWidget.__init__(self, model_id=self._own_id)
        theme.listeners.add(self)

    def _send(self, msg: Any, buffers: Any = None) -> None:
        super()._send(msg, buffers=buffers)
        send_soon()

    def add_traits(self, **traits: Any) -> None:
        """Add traits, but for those that are declared, as each addition makes a class."""
        added = {name: trait for name, trait in traits.items() if not self.has_trait(name)}
        if added:
            super().add_traits(**added)

    def _dress(self, chosen: Theme) -> None:
        """Set the classes of the style sheet for a theme."""
        self._theme_classes = theme_classes(chosen)

    _use_theme = _dress

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Describe the widget to a front end; a terminal of IPython 7 asks for this, too."""
        if in_ipython():
            return {"text/plain": repr(self)}
        return super()._repr_mimebundle_(**kwargs)

    def close(self) -> None:
        """Close the widget, and release its models."""
        theme.listeners.discard(self)
        if self._picture is not None:
            self._picture.close()
        if self.comm is None:
            return
        self.unobserve_all()
        self.layout.close()
        super().close()


def reference(widget: OneWidget) -> str:
    """Name a widget to the page of another one, which shows it by anywidget's ``getWidget``."""
    return f"anywidget:{widget.model_id}"


# ------------------------------------------------------------------ the still picture

STILL_SECONDS = 1.2  # without a change, after which the picture is drawn again
PART_SECONDS = 0.005  # from one part of it to the next, for what the page has sent meanwhile
WIDGET_MIME_TYPE = "application/vnd.jupyter.widget-view+json"


def in_component() -> bool:
    """Say whether a component of Solara displays something, which no notebook saves.

    It shows each output by a widget of its own, so the style sheet would hide no picture there.
    """
    core = sys.modules.get("reacton.core")
    return core is not None and core.get_render_context(required=False) is not None


class StillPicture:
    """The still picture of one explorer, kept up to date.

    While a page is open the picture is drawn part by part, so that a hand that goes on moving is
    answered between two parts, and what has been drawn by then is dropped.
    """

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
        if in_component():
            return
        if self._name is None:
            self._name = f"rocviz-{explorer.model_id}"
            self._shell = get_ipython()
            if self._shell is not None:
                self._shell.events.register("post_run_cell", self.refresh)
        self._draw(display)

    def is_stale(self) -> None:
        """Draw the picture again once the state has not changed for a while."""
        self._stale = True
        self._later(STILL_SECONDS, self._begin)

    def refresh(self, _result: Any = None) -> None:
        """Replace the picture on the page at once if the state has changed since."""
        if self._is_wanted():
            self._draw(update_display)

    def _is_wanted(self) -> bool:
        """Say whether the page has another picture, and this one would be exact."""
        explorer = self._explorer()
        is_exact = explorer is not None and not getattr(explorer, "is_preview", False)
        return self._stale and self._name is not None and is_exact

    def _draw(self, put: Callable[..., object]) -> None:
        """Draw the picture as a whole, and put it on the page."""
        self._cancel()
        for part in self._parts():
            png = part
        self._put(png, put)

    def _parts(self) -> Iterator[bytes]:
        """Draw the picture of the present state part by part; the last one is the whole."""
        explorer = self._explorer()
        assert explorer is not None
        self._stale = False
        return explorer._still_parts()

    def _begin(self) -> None:
        """Begin to draw the picture for the page."""
        if self._is_wanted():
            self._go_on(self._parts())

    def _go_on(self, parts: Iterator[bytes]) -> None:
        """Draw the next part, and the other ones after what the page has sent meanwhile."""
        if self._stale:  # the state has changed in a thread
            self._later(STILL_SECONDS, self._begin)
            return
        png = next(parts)
        if png:
            self._put(png, update_display)
        else:
            self._later(PART_SECONDS, lambda: self._go_on(parts))

    def _put(self, png: bytes, put: Callable[..., object]) -> None:
        """Put the picture on the page with its alternative text."""
        explorer = self._explorer()
        assert explorer is not None
        # the sentence changes with every drag; as plain text it would make each comparison of
        # saved outputs fail, as the picture's alternative text it does not
        bundle = {
            "image/png": base64.b64encode(png).decode("ascii"),
            "text/plain": f"{type(explorer).__name__} as it last stood",
        }
        alt = {"image/png": {"alt": explorer.sentence}}
        put(bundle, metadata=alt, raw=True, display_id=self._name)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        """Do something later, in place of what else was to be done."""
        if self._name is not None:
            with suppress(RuntimeError):  # where no event loop runs, the next cell does it
                timer = asyncio.get_running_loop().call_later(seconds, act)
                self._cancel()
                self._timer = timer

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
