"""The container every explorer is: sentence, controls, pictures, tools, and how it goes away.

Knows ipywidgets and a state; the pictures themselves are a subclass's business.
"""

from __future__ import annotations

import weakref
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import ipywidgets
import traitlets

from rocviz import theme
from rocviz.widgets.base.parts import control, enlarge, on_grid
from rocviz.widgets.base.picture import Picture
from rocviz.widgets.base.state import ExplorerState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


__all__ = ["Explorer"]

_CSS = Path(__file__).with_name("explorer.css").read_text(encoding="utf-8")


def _variables(side: int) -> str:
    edge = ("#D7DBE0", "#3A4149")[side]
    colours = "".join(f"--rocviz-{name}:{pair[side]};" for name, pair in theme.COLOURS.items())
    soft = "--rocviz-hull-soft:color-mix(in srgb,var(--rocviz-hull) 45%,transparent);"
    return f"{colours}{soft}--rocviz-grid-strong:{edge};"


def style_sheet() -> str:
    """Return the style sheet of all explorers: colours from the theme table, then layout."""
    return (
        "<style>"
        f".rocviz{{--rocviz-size:14px;{_variables(0)}}}"
        f'body[data-jp-theme-light="false"] .rocviz:not(.rocviz-light),'
        f".rocviz.rocviz-dark{{{_variables(1)}}}"
        ".rocviz.rocviz-lecture{--rocviz-size:21px}"
        f"{_CSS}</style>"
    )


class Part(Protocol):
    """What goes away with an explorer."""

    def close(self) -> None:
        """Let go of everything."""


class Panel(Protocol):
    """One picture of an explorer: a box on the screen that can draw a result."""

    box: ipywidgets.Widget

    def draw(self, state: Any, result: Any) -> None:
        """Show a result; compute nothing."""


class Explorer(ExplorerState, ipywidgets.VBox):
    """A state on the screen.

    A subclass inherits from its state and from this class and says what its controls are
    (:meth:`_controls`), what its pictures are (:meth:`_make_panels`) and how its controls
    follow a result (:meth:`_follow`). Everything else is here.
    """

    def __init__(self, **inputs: Any) -> None:
        self._parts: list[Part] = []
        self._shows = 0
        try:
            super().__init__(**inputs)
            self._build()
        except BaseException:
            self.close()
            raise

    def _build(self) -> None:
        self._says = control(ipywidgets.HTML(), "rocviz-sentence")
        self._drawer = control(ipywidgets.HTML(layout={"display": "none"}), "rocviz-drawer")
        self._open: str | None = None
        self._panels = tuple(self._make_panels())
        self._parts += [each.handle for each in self._panels if hasattr(each, "handle")]
        self.children = [
            ipywidgets.HTML(style_sheet(), layout={"display": "none"}),
            self._says,
            control(ipywidgets.Box(self._controls()), "rocviz-controls"),
            control(ipywidgets.Box([each.box for each in self._panels]), "rocviz-panels"),
            control(ipywidgets.Box(self._tools()), "rocviz-tools"),
            self._drawer,
        ]
        self.add_class("rocviz")
        self._picture = Picture(self)
        self._parts.append(self._picture)
        self._wear(theme.get_theme())
        theme.on_change(_Forwarder(self))
        self.observe(self._show, names=["result"])
        self._show()

    # ------------------------------------------------------------------ for subclasses

    def _controls(self) -> Sequence[ipywidgets.Widget]:
        raise NotImplementedError

    def _make_panels(self) -> Sequence[Panel]:
        raise NotImplementedError

    def _follow(self, result: Any) -> None:
        """Let controls that hang on the data follow it."""

    def static_figure(self, theme_: theme.Theme | None = None) -> Any:
        """Return the picture as a matplotlib figure, drawn from the same result."""
        raise NotImplementedError

    # ------------------------------------------------------------------ controls

    def _link(
        self,
        widget: ipywidgets.Widget,
        name: str,
        clip: Callable[[float], float] = lambda value: value,
    ) -> ipywidgets.Widget:
        """Let a control and an input move each other.

        A slider is shown the nearest of its steps: shown anything else, the browser would
        round and send the rounded value back, late, as if a hand had moved it.
        """

        def show(_change: Any = None) -> None:
            with self._showing():
                widget.value = on_grid(widget, clip(getattr(self, name)))

        def hear(change: Any) -> None:
            held = on_grid(widget, clip(getattr(self, name)))
            # a browser adds steps up: 0.35 comes back as 0.35000000000000003
            wish = on_grid(widget, change["new"])
            if not self._shows and wish != held:
                self._try(lambda: setattr(self, name, wish))
                show()

        show()
        self.observe(show, names=[name])
        widget.observe(hear, names=["value"])
        return widget

    @contextmanager
    def _showing(self) -> Iterator[None]:
        """While controls are set to what is held, what they say is nobody's wish."""
        self._shows += 1
        try:
            yield
        finally:
            self._shows -= 1

    def _try(self, act: Callable[[], object]) -> None:
        """Do what a hand asked for; if it cannot be, say why where the hand's owner looks."""
        try:
            act()
        except (ValueError, traitlets.TraitError, OSError) as error:
            self._note(str(error))

    def _chip(self, text: str, name: str, what: str) -> ipywidgets.Widget:
        chip = ipywidgets.ToggleButton(description=text, tooltip=what)
        return control(self._link(chip, name), "rocviz-chip")

    def _menu(self, text: str, name: str, options: list[Any]) -> ipywidgets.Widget:
        menu = ipywidgets.Dropdown(options=options, value=getattr(self, name), description=text)
        return self._link(menu, name)

    def _button(
        self, text: str, what: str, act: Callable[[], object], dress: str = "rocviz-chip"
    ) -> ipywidgets.Button:
        button = control(ipywidgets.Button(description=text, tooltip=what), dress)
        button.on_click(lambda _button: self._try(act))
        return button

    # ------------------------------------------------------------------ showing

    def _draw(self, result: Any) -> None:
        for each in self._panels:
            each.draw(self, result)
        with self._showing():
            self._follow(result)

    def _show(self, _change: Any = None) -> None:
        if self.result is None:
            return
        self._draw(self.result)
        first, *rest = self.sentences
        more = "".join(f"<p>{s.html}</p>" for s in rest)
        self._picture.is_stale()
        self._says.value = f'<div role="status" aria-live="polite"><p>{first.html}</p>{more}</div>'
        self._fill_drawer()

    def _tools(self) -> list[ipywidgets.Widget]:
        tools = []
        for text, act, what in (
            ("show code", self._toggle_code, "Python that gives these numbers"),
            ("table", self._toggle_table, "The numbers on screen as a table"),
            ("save", self._save_picture, "Save the picture as a file"),
            ("reset", self.reset, "Back to how it opened"),
        ):
            tools.append(self._button(text, what, act, "rocviz-tool"))
        return tools

    def _toggle_code(self) -> None:
        self._toggle("code")

    def _toggle_table(self) -> None:
        self._toggle("table")

    def _toggle(self, what: str) -> None:
        self._open = None if self._open == what else what
        self._fill_drawer()
        self._drawer.layout.display = "none" if self._open is None else ""

    def _fill_drawer(self) -> None:
        if self._open == "code":
            self._drawer.value = f"<pre><code>{escape(self.code())}</code></pre>"
        elif self._open == "table":
            self._drawer.value = (
                self.to_frame().head(200).to_html(border=0, float_format="{:.3f}".format)
            )

    def _note(self, text: str) -> None:
        """Put a line of text under the tools."""
        self._open = "note"
        self._drawer.value = f'<p role="status">{escape(text)}</p>'
        self._drawer.layout.display = ""

    def _save_picture(self) -> None:
        self._note(f"Saved as {self.save(_free_name(f'{type(self).__name__}.png')).resolve()}.")

    # ------------------------------------------------------------------ themes

    def _wear(self, chosen: theme.Theme) -> None:
        for name, on in (
            ("rocviz-lecture", chosen.lecture),
            ("rocviz-dark", chosen.dark is True),
            ("rocviz-light", chosen.dark is False),
        ):
            (self.add_class if on else self.remove_class)(name)
        for widget in owned(self):
            enlarge(widget, chosen)
        if self.result is not None:
            self._draw(self.result)

    # ------------------------------------------------------------------ files

    def save(self, path: str | Path) -> Path:
        """Save the picture as it stands; no browser is needed.

        Parameters
        ----------
        path : str or Path
            Ending in ``.svg``, ``.pdf`` or ``.png``.

        Returns
        -------
        Path
            Where it is.

        Raises
        ------
        ValueError
            If the ending is another one.
        """
        path = Path(path)
        if path.suffix.lower() not in (".svg", ".pdf", ".png"):
            raise ValueError(f"path must end in .svg, .pdf or .png; got {path.name!r}.")
        self.static_figure().savefig(path, dpi=150)
        return path

    def to_html(self, path: str | Path) -> Path:
        """Write a page that shows the picture, the words, the numbers and the code anywhere.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``. The page is one file and asks the network for nothing.

        Returns
        -------
        Path
            Where it is.
        """
        from rocviz.widgets.base.page import write_page

        return write_page(self, Path(path))

    # ------------------------------------------------------------------ life cycle

    def _ipython_display_(self, **_kwargs: Any) -> None:
        self._picture.show()

    def __repr__(self) -> str:
        if self.result is None:
            return type(self).__name__
        return f"{type(self).__name__}: {self.sentence}"

    def close(self) -> None:
        """Take the explorer off the screen and release every model it made."""
        if self.comm is None:
            return
        theme.off_change(_Forwarder(self))
        for part in self._parts:
            part.close()
        for widget in owned(self):
            widget.unobserve_all()
            if widget is not self:
                widget.close()
        super().close()


class _Forwarder:
    """Tell an explorer of a new theme without keeping it alive."""

    def __init__(self, explorer: Explorer) -> None:
        self._ref = weakref.ref(explorer)
        self._id = id(explorer)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Forwarder) and self._id == other._id

    def __hash__(self) -> int:
        return hash(self._id)

    def __call__(self, chosen: theme.Theme) -> None:
        explorer = self._ref()
        if explorer is None:
            theme.off_change(self)
        else:
            explorer._wear(chosen)


def owned(root: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Return a widget and every widget it reaches through its synced traits."""
    seen: dict[str, ipywidgets.Widget] = {}
    waiting: list[Any] = [root]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, ipywidgets.Widget):
            if thing.comm is None or thing.model_id in seen:
                continue
            seen[thing.model_id] = thing
            waiting.extend(getattr(thing, name, None) for name in thing.keys)
        elif isinstance(thing, dict):
            waiting.extend(thing.values())
        elif isinstance(thing, list | tuple):
            waiting.extend(thing)
    return list(seen.values())


def _free_name(name: str) -> Path:
    path = Path(name)
    stem, count = path.stem, 1
    while path.exists():
        count += 1
        path = path.with_name(f"{stem}-{count}{path.suffix}")
    return path
