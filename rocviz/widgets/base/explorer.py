"""The stage every explorer is: sentence, rail, pictures, tools, and how it goes away."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets
import traitlets

from rocviz import theme
from rocviz.widgets.base.background import import_soon, opening, step
from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.parts import (
    Outermost,
    make_layout,
    make_widget,
    open_comms,
    owned,
    set_classes,
    shared_looks,
    tables_html,
    without_front_end,
)
from rocviz.widgets.base.picture import Picture, ThemeListener, free_name
from rocviz.widgets.base.rail import Rail
from rocviz.widgets.base.recording.ahead import Ahead
from rocviz.widgets.base.signature import list_inputs
from rocviz.widgets.base.state import ONE_AT_A_TIME, ExplorerState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import pandas as pd
    from matplotlib.figure import Figure

    from rocviz.widgets.base.background import Background
    from rocviz.widgets.base.panel import Panel
    from rocviz.widgets.base.recording.recording import Recording
    from rocviz.widgets.base.still import Draw

TOOLS = (
    ("notes", "What else there is to say"),
    ("code", "Python that gives these numbers"),
    ("table", "The numbers on screen as a table"),
    ("save", "Save the picture as a file"),
    ("reset", "Back to how it opened"),
)

MAIN_VALUES = 31  # of its main control that a page of an explorer has

PLACES = ("place-0", "place-1", "place-2", "place-3", "place-4")  # of pictures, in their order


class Explorer(ExplorerState, Outermost):
    """A state on the screen.

    A subclass inherits from its state and from this class and says what its pictures are
    (:meth:`_make_panels`), and the module ``still`` how those that are HTML are drawn for a file.
    Everything else is here: the rail is made from the controls that stand beside the traits.
    """

    #: The fold of the rail that opens with it.
    opened: str = ""

    #: Attributes with what long experiments have found, which a recording keeps.
    copied_attributes: tuple[str, ...] = ()
    #: Attributes that note where it has been, which in a recording is nowhere.
    cleared_attributes: tuple[str, ...] = ()

    ahead = traitlets.Bool(
        True,
        help="Whether a page far from the kernel is sent ahead what the control in hand will show.",
    )

    _opens_later = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        list_inputs(cls)

    def __init__(self, data: Any = None, **inputs: Any) -> None:
        self._tasks: list[Background] = []
        self._alike: dict[str, ipywidgets.Widget] = {}
        #: Pictures that have been shown; each is made when it is first to be seen.
        self._panels: dict[str, Panel] = {}
        self._is_announced = False
        self._is_arranged = True
        #: Of an explorer that a story leads: what it says, in HTML, in place of the sentence.
        self._narrator: Callable[[], str] | None = None
        self._arranged: Any = None
        self._picture: Picture | None = None
        try:
            with opening(getattr(data, "steps_to_open", 1)):
                super().__init__(data, **inputs)
                step("drawing")
                with self.hold_sync():
                    with without_front_end(), shared_looks(self._alike):
                        self._build()
                    open_comms(self._widgets)
            self._is_announced = self._is_open = True
        except BaseException:
            self.close()
            raise

    def _build(self) -> None:
        self.exact = self._task("exact", self._prepare_exact, self._on_exact)
        self.observe(lambda _change: self.exact.stop(), names=["result"])
        self._makers = self._make_panels()
        self._sentence = make_widget(ipywidgets.HTML, "rocviz-sentence")
        self._rail = make_widget(
            Rail,
            "rocviz-rail",
            state=self,
            on_focus=self._focus_number,
            on_picture=self._on_picture,
            opened=self.opened,
        )
        self._pictures = make_widget(ipywidgets.Box, "rocviz-pictures")
        self._about = make_widget(ipywidgets.HTML, "rocviz-about")
        self._tool_buttons = {name: self._tool(name, hint) for name, hint in TOOLS}
        tools = [*self._tool_buttons.values(), self._about]
        stage = [self._sentence, self._rail, self._pictures]
        stage.append(make_widget(ipywidgets.Box, "rocviz-tools", children=tools))
        self._stage = make_widget(ipywidgets.Box, "rocviz-stage", children=stage)
        self._drawer = make_widget(
            ipywidgets.HTML, "rocviz-drawer", layout=make_layout(display="none")
        )
        self._rail.ahead = Ahead(self, self._rail.send)
        self._drawn: dict[str, Any] = {}
        self._drawer_shows: str | None = None
        self.children = [self._stage, self._drawer]
        self._widgets: list[ipywidgets.Widget] = []
        self.add_class("rocviz")
        self._picture = Picture(self)
        self._use_theme(theme.get_theme())
        theme.on_change(ThemeListener(self))
        self.observe(lambda _change: self._render(), names=["result"])
        self.observe(lambda _change: self._view_changed(), names=[*self.view_names()])
        self._render()

    # ------------------------------------------------------------------ for subclasses

    def _make_panels(self) -> Mapping[str, Callable[[], Panel]]:
        """Map names of :attr:`pictures` to the panels that make them."""
        raise NotImplementedError

    def _stills(self) -> Mapping[str, Draw]:
        """Return how pictures of HTML are drawn for a file."""
        return {}

    def _task(self, text: str, job: Any, done: Callable[[Any], None]) -> Background:
        """Make the long work that a control starts; its bar is in the rail."""
        from rocviz.widgets.base.background import Background

        task = Background(text, job, done, self._note, lambda: self._rail.refresh())
        self._tasks.append(task)
        return task

    def _rest(self) -> None:
        """Prepare the exact result beside the kernel; the next step of a hand ends that."""
        self.exact.start()

    def _prepare_exact(self, progress: Any, should_stop: Any) -> Any:
        """Compute, in a thread, what the exact result is made of."""
        raise NotImplementedError

    def _on_exact(self, _prepared: Any) -> None:
        self.finish()

    # ------------------------------------------------------------------ arranging

    def _focus_number(self, index: int) -> None:
        if index < len(self.panels):
            self.focus = self.panels[index]

    def _on_picture(self, picture: str, **what: Any) -> None:
        panel = self._panels.get(picture)
        if isinstance(panel, FigurePanel):
            panel.hand(**what)

    def _view_changed(self) -> None:
        """Rearrange: at once, or with the result of the inputs that are being set."""
        self._is_arranged = False
        if not self._depth and not self._restoring:
            self._arrange()

    def _refresh(self) -> None:
        super()._refresh()
        if not self._is_arranged and not self._depth:
            self._arrange()

    def _arrange(self) -> None:
        """Give every picture its place and its size."""
        self._is_arranged = True
        with self._rail.frame(self._widgets):
            self._rail.regroup()
            # what a picture makes when it is first drawn is told of with the picture
            with without_front_end():
                self._make_shown()
                self._place()
                if self.result is not None:
                    self._draw_panels()
            self._widgets = owned(self)
            if self._is_announced:  # else all are told of together
                open_comms(self._widgets)
        if self.result is not None and self._picture is not None:
            self._picture.is_stale()

    def _make_shown(self, others: Iterable[str] = ()) -> None:
        """Make the pictures that are shown for the first time, and others if they are wanted."""
        new = [name for name in (*self.panels, *others) if name not in self._panels]
        with shared_looks(self._alike):
            for name in new:
                panel = self._panels[name] = self._makers[name]()
                panel.name = name
                panel.heading.on_click(lambda _button, name=name: setattr(self, "focus", name))
        if new:
            self._arranged = None
            self._panels = {n: self._panels[n] for n in self.pictures if n in self._panels}
            self._pictures.children = [panel.box for panel in self._panels.values()]

    def _be_led(self, narrator: Callable[[], str] | None) -> None:
        """Let a story say what stands in place of the sentence, or no longer."""
        self._narrator, self._arranged = narrator, None
        self._arrange()

    def _place(self) -> None:
        chosen = theme.get_theme()
        count = len(self.panels)
        # with the same pictures, only those that change places with each other are drawn again
        same, self._arranged = self._arranged == (self.panels, chosen), (self.panels, chosen)
        many = ("many",) if count > 2 else ()
        set_classes(self._pictures, "rocviz-pictures", f"n{count}", *many)
        # in a story one is large, beside words and controls
        shared = 1 if self._narrator else 2
        below = ("rail-below",) if count <= 2 == shared and not self._rail.has_rows else ()
        set_classes(self._stage, "rocviz-stage", *below)
        # below the pictures a fold opens over them, so none is open at first
        self._rail.opened = "" if below or self.unfolded else self.opened
        for name, panel in self._panels.items():
            was_large, panel.is_large = panel.is_large, count <= shared or name == self.focus
            if same and was_large == panel.is_large:
                continue
            self._drawn.pop(name, None)
            if name in self.panels:
                size = "is-large" if panel.is_large else "is-small"
                set_classes(panel.box, "rocviz-panel", PLACES[self.panels.index(name)], size)
            else:
                set_classes(panel.box, "rocviz-panel", "is-away")
            panel.heading.disabled = count <= shared

    # ------------------------------------------------------------------ showing

    def _draw_panels(self) -> None:
        for name in self.panels:
            if self._drawn.get(name) is not self.result:
                panel, title = self._panels[name], self.title(name)
                if panel.heading.description != title:
                    panel.heading.description = title
                panel.draw(self, self.result)
                self._drawn[name] = self.result

    def _render(self) -> None:
        """Show the result: its sentence, its pictures and the controls, all of them at once."""
        if self.result is not None:
            with self._rail.frame(self._widgets):
                self._show()

    def _say(self) -> None:
        """Write the sentence, or what is said in place of it."""
        words = self._narrator() if self._narrator else f"<p>{self.sentences[0].html}</p>"
        html = f'<div role="status" aria-live="polite">{words}</div>'
        if self._sentence.value != html:
            self._sentence.value = html

    def _show(self) -> None:
        self._say()
        self._drawn = {}
        (self._draw_panels if self._is_arranged else self._arrange)()
        self._rail.refresh()
        about = f"<span>{escape(self.about)}</span>"
        if self._about.value != about:
            self._about.value = about
        self._fill_drawer()
        if self._picture is not None:
            self._picture.is_stale()

    def _was_restored(self) -> None:
        if self.children:
            self._arrange()
            self._render()

    def _tool(self, name: str, hint: str) -> ipywidgets.Button:
        button = make_widget(ipywidgets.Button, "rocviz-tool", description=name, tooltip=hint)
        acts = {"save": self._save_picture, "reset": self.reset}
        button.on_click(lambda _button: acts.get(name, lambda: self._toggle(name))())
        return button

    def _toggle(self, what: str) -> None:
        self._drawer_shows = None if self._drawer_shows == what else what
        self._fill_drawer()
        self._drawer.layout.display = "none" if self._drawer_shows is None else None

    def _fill_drawer(self) -> None:
        if self._drawer_shows in ("notes", "code", "table"):
            self._drawer.value = self._drawer_html(self._drawer_shows)

    def _drawer_html(self, what: str) -> str:
        if what == "notes":
            notes = "".join(f"<p>{sentence.html}</p>" for sentence in self.sentences[1:])
            return notes or "<p>There is nothing to add.</p>"
        if what == "code":
            return f'<pre tabindex="0"><code>{escape(self.code())}</code></pre>'
        return tables_html(self, 3, 200)

    def _note(self, text: str) -> None:
        """Put a line of text into the drawer."""
        self._drawer_shows = "note"
        self._drawer.value = f'<p role="status">{escape(text)}</p>'
        self._drawer.layout.display = None

    def _save_picture(self) -> None:
        try:
            path = self.save(free_name(f"{type(self).__name__}.png")).resolve()
        except OSError as error:
            self._note(str(error))
        else:
            self._note(f"Saved as {path}.")

    def _try(self, act: Callable[[], object]) -> None:
        """Do what a hand asked for; if it cannot be, say why."""
        try:
            act()
        except (ValueError, traitlets.TraitError, OSError) as error:
            self._note(str(error))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Make the tables of the tool *table* by their headings; a single one has no heading."""
        return {"": self.to_frame()}

    # ------------------------------------------------------------------ themes

    def _use_theme(self, chosen: theme.Theme) -> None:
        self._dress(chosen)
        with ONE_AT_A_TIME:
            self._arrange()

    # ------------------------------------------------------------------ files

    def static_figure(self, theme_: theme.Theme | None = None) -> Figure:
        """Draw the pictures that are shown as a matplotlib figure.

        Parameters
        ----------
        theme_ : Theme, optional
            By default the one in force; undecided colours are light.

        Returns
        -------
        matplotlib.figure.Figure
            Of no window and no global state.
        """
        from rocviz.widgets.base.still import compose

        with ONE_AT_A_TIME:
            self.finish()
            return compose(self, self._panels, self._stills(), theme_)

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

    def to_html(self, path: str | Path, *, live: Any = True, scripts: str | None = None) -> Path:
        """Write a page with the explorer in it that needs neither Python nor a network.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``.
        live : bool, str, sequence of str, mapping or Recording, default=True
            Which controls move in the page: names, or names with values as for :meth:`record`.
            True is the explorer's main control, such as the threshold of a ROC curve; with False
            the page is a picture with its words, numbers and code.
        scripts : str, optional
            Folder for the scripts of a live page: see :meth:`.Recording.to_html`.

        Returns
        -------
        Path
            Where the page was written.

        Raises
        ------
        ValueError
            If the path ends otherwise, or a control cannot be recorded.
        """
        path = Path(path)
        if path.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"path must end in .html; got {path.name!r}.")
        if live is False:
            from rocviz.widgets.base.still import write_page

            with ONE_AT_A_TIME:
                return write_page(self, path)
        if live is True:
            live = {self.main_control: MAIN_VALUES}
        if not hasattr(live, "to_html"):
            names = (live,) if isinstance(live, str) else live
            live = self.record(**dict(live if hasattr(live, "keys") else dict.fromkeys(names, ...)))
        return Path(live.to_html(path, scripts=scripts))

    def record(
        self,
        *,
        progress: Callable[[Iterable[Any]], Iterable[Any]] | None = None,
        **controls: Any,
    ) -> Recording:
        """Record what the explorer shows while controls move, so that pages can play it.

        The explorer itself is not moved. Every picture is recorded as the large one, too. A page
        says so when something is touched in it that is not recorded.

        Parameters
        ----------
        progress : callable, optional
            Wraps the states, as ``tqdm.tqdm`` does; by default a bar, if it takes long.
        **controls
            What is recorded of each control, by its name: ``...`` for its values, at most 101 of
            them; a number, for at most so many; or the values. Several controls make a grid. Of
            an input that buttons or clicks set, such as the answers in a scoring list, the values
            are those that they lead to, so that they work in the page.

        Returns
        -------
        Recording

        Raises
        ------
        ValueError
            If there is no such control, a value cannot be set, or the states are too many.

        Examples
        --------
        >>> from rocviz import FermiDiracExplorer
        >>> explorer = FermiDiracExplorer(panels=["levels", "roc"])
        >>> explorer.record(temperature=11, prevalence=[0.3, 0.5]).n_states
        33
        >>> explorer.close()
        """
        from rocviz.widgets.base.recording.recorder import record

        return record(self, controls, progress)

    # ------------------------------------------------------------------ life cycle

    def _ipython_display_(self, **_kwargs: Any) -> None:
        if self._picture is not None:
            self._picture.show()
            import_soon("sklearn")  # presets and bands take half a second longer without it

    def __repr__(self) -> str:
        if self.result is None:
            return type(self).__name__
        return f"{type(self).__name__}: {self.sentence}"

    def close(self) -> None:
        """Take the explorer off the screen and release every model it made."""
        if self.comm is None:
            return
        theme.off_change(ThemeListener(self))
        self._forget_preview()
        if self._panels and self._rail.ahead:
            self._rail.ahead.close()
        for task in self._tasks:
            task.close()
        if self._picture is not None:
            self._picture.close()
        for widget in owned(self):
            widget.unobserve_all()
            if widget is not self:
                widget.close()
        super().close()
