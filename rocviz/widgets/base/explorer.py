"""Base of every explorer: sentence, rail, pictures, tools and life cycle."""

from __future__ import annotations

import time
from contextlib import suppress
from html import escape
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets

from rocviz import theme
from rocviz.displays.base.figure import save_figure
from rocviz.files import output_path
from rocviz.widgets.base.background import import_soon, opening, step, stepping
from rocviz.widgets.base.controls import Rail
from rocviz.widgets.base.history import Gesture
from rocviz.widgets.base.signature import declared_traits, list_inputs
from rocviz.widgets.base.stage import (
    TOOLS,
    Panel,
    Stage,
    free_name,
    tables_html,
)
from rocviz.widgets.base.state import (
    ONE_AT_A_TIME,
    ExplorerState,
    Phase,
    _state_class,
    one_at_a_time,
)
from rocviz.widgets.base.terminal import advice, in_ipython

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pandas as pd
    from matplotlib.figure import Figure

    from rocviz.widgets.base.background import Background
    from rocviz.widgets.base.recording.ahead import Ahead
    from rocviz.widgets.base.recording.recording import Recording


class Explorer(ExplorerState, Stage):
    """Base of all explorers: a state with its pictures and controls.

    A subclass inherits from its state and from this class, and defines its pictures
    (:meth:`_make_panels`). The rail is made from the controls declared with the traits.
    """

    #: The fold of the rail that is open at first.
    opened: str = ""

    #: How many steps the exact result takes, about, for its bar.
    exact_steps = 6

    #: Attributes with results of long experiments, which a recording keeps.
    copied_attributes: tuple[str, ...] = ()
    #: Attributes with the visited states, which are empty in a recording.
    cleared_attributes: tuple[str, ...] = ()

    ahead = traitlets.Bool(
        True,
        help="Whether a page far from the kernel is sent the next states of the active control.",
    )

    #: Makes a preview exact in a thread; see :meth:`ExplorerState.finish`.
    exact: Any = None

    #: Whether it is a copy made for a recording, which no page displays.
    _is_copy = False

    _tasks: Sequence[Background] = ()
    _is_closed = False
    #: Sends recordings to the page, once that reports a slow connection.
    _ahead: Ahead | None = None
    #: How often a hand has been put down on a picture.
    _presses = 0

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        list_inputs(cls)
        for trait in declared_traits(cls):
            trait.tag(sync=True)

    def __init__(self, data: Any = None, **inputs: Any) -> None:
        #: The arrangement of the view that is shown.
        self._arranged: tuple[Any, ...] = ()
        self._is_fresh = False
        #: Content of the drawer: the name of a tool, or a note; and its HTML.
        self._drawer: tuple[str, str] | None = None
        #: In a story: a function that writes the HTML in place of the sentence.
        self._narrator: Callable[[], str] | None = None
        try:
            with opening(getattr(data, "steps_to_open", 1)):
                super().__init__(data, **inputs)
                step("drawing")
                self._build()
        except BaseException:
            self.close()
            raise

    def _open(self, data: Any, view: Mapping[str, Any]) -> None:
        """Construct the explorer past the constructor that takes what users have."""
        order: tuple[Any, ...] = type(self).__mro__
        above_the_state = order[order.index(_state_class(type(self))) - 1]
        super(above_the_state, self).__init__(data, **view)

    def _build(self) -> None:
        self._theme = theme.get_theme()
        self.exact = self._task("exact", self._prepare_exact, self._on_exact)
        self._panels = dict(self._make_panels())
        for name, panel in self._panels.items():
            panel.name = name
        self._rail = Rail(self)
        if self._is_copy:
            return
        self.observe(self._stop_exact, names=["result"])
        self._note_values(self._on_stage())
        self._note_inputs(self._synced())
        self._arranged = self._arrangement()
        self.observe(lambda _change: self._render(), names=["result"])
        self.observe(lambda _change: self._view_changed(), names=list(self.view_names()))
        self._open_widget(self._received)

    # ------------------------------------------------------------------ for subclasses

    def _make_panels(self) -> Mapping[str, Panel]:
        """Map names of :attr:`pictures` to the panels that make them."""
        raise NotImplementedError

    def _task(self, text: str, job: Any, done: Callable[[Any], None]) -> Background:
        """Make the background task of a control; its bar is in the rail."""
        from rocviz.widgets.base.background import Background

        task = Background(text, job, done, self._note, self._show_controls)
        self._tasks = (*self._tasks, task)
        return task

    def _may_preview(self, changed: set[str]) -> bool:
        # nobody waits for a copy, but one that is moved as by hand shows what the explorer would
        return bool(self._is_by_hand or not self._is_copy) and super()._may_preview(changed)

    def _rest_soon(self) -> None:
        if not self._is_copy:
            self._exact_wanted = self._snapshot()
            super()._rest_soon()

    def _rest(self) -> None:
        """Prepare the exact result in a thread; the next change stops it."""
        self.exact.start()

    def _stop_exact(self, _change: Any) -> None:
        if self.exact.thread is not None:
            self.exact.stop()

    def _prepare_exact(self, progress: Any, should_stop: Any) -> None:
        """Compute the exact result in a thread, so that its parts are in the caches."""
        with stepping(self.exact_steps, progress, should_stop):
            self._complete(self._exact_wanted.compute())

    def _complete(self, _result: Any) -> None:
        """Compute what takes long about a result and is computed only when it is drawn."""

    def _on_exact(self, _done: None) -> None:
        self.finish()

    # ------------------------------------------------------------------ showing

    def _on_stage(self) -> dict[str, Any]:
        """Describe everything shown, by the page's names."""
        values: dict[str, Any] = {
            "sentence": self._sentence(),
            "about": self.about,
            "tools": [list(tool) for tool in TOOLS],
            "drawer": self._drawn_drawer(),
            **self._rail.shown(),
        }
        count = len(self.panels)
        shared = self._shared
        below = count <= 2 == shared and not self._rail.has_rows
        opened = self._rail.recorded_fold or ("" if self.unfolded else self.opened)
        if below:  # a fold below the pictures opens over them, so all are closed at first
            opened = ""
        values["stage"] = {"count": count, "below": below, "opened": opened}
        for name, panel in self._panels.items():
            values[f"panel {name}"] = None
            if name in self.panels:
                panel.is_large = count <= shared or name == self.focus
                values[f"panel {name}"] = {
                    "title": self.title(name),
                    "place": self.panels.index(name),
                    "large": panel.is_large,
                    "fixed": count <= shared,
                    "clicked": list(panel.on_click),
                    "drawn_on": panel.is_drawn_on(),
                }
                values |= panel.shown(self, self.result, self._theme)
        return values

    @property
    def _shared(self) -> int:
        """Number of pictures up to which all are large: one in a story, else two."""
        return 1 if self._narrator else 2

    def _sentence(self) -> str:
        """Write the sentence, or the story's text in its place."""
        return self._narrator() if self._narrator else f"<p>{self.first_sentence.html}</p>"

    def _show_sentence(self) -> None:
        """Update the sentence."""
        self._show({"sentence": self._sentence()})

    def _set_narrator(self, narrator: Callable[[], str] | None) -> None:
        """Replace the sentence by a text of a story, or restore it."""
        self._narrator = narrator
        self._render()

    def _render(self) -> None:
        """Show the result: sentence, pictures and controls in one message."""
        self._arranged = self._arrangement()
        self._is_fresh = True
        if self._picture is not None and self.result is not None:
            self._show(self._on_stage())
            self._picture.is_stale()

    def _redraw(self) -> None:
        """Draw the same result again, after details were added to it."""
        for panel in self._panels.values():
            panel.forget()
        self._render()

    def _show(self, values: Mapping[str, Any]) -> None:
        """Send all changed values to the page."""
        if self.comm is None:
            return
        changed = self._note_values(values)
        inputs = self._note_inputs(self._synced())
        about = self._ahead.answer() if self._ahead is not None else {}
        if changed or inputs or about:
            if self.is_preview:
                about["preview"] = True
            self._send_values(changed, inputs, **about)

    def _synced(self) -> dict[str, Any]:
        """Collect the inputs and the view, which pages can read and set, by name."""
        return {name: getattr(self, name) for name in (*self.input_names(), *self.view_names())}

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Set what a page has set; it is told of inputs that are refused, and gets them back."""
        inputs = {name: sync_data[name] for name in sync_data if name in self._guarded}
        super().set_state({name: sync_data[name] for name in sync_data if name not in inputs})
        if inputs:
            values = {}
            for name, value in inputs.items():
                from_json = self.trait_metadata(name, "from_json", self._trait_from_json)
                values[name] = from_json(value, self)
            self._note_inputs(values)
            with self.by_hand():
                self._try(lambda: self.update(**values))

    def _show_controls(self) -> None:
        self._show(self._rail.shown())

    def _arrangement(self) -> tuple[Any, ...]:
        """Collect the pictures, the large one and the controls outside the folds."""
        return tuple(getattr(self, name) for name in self.view_names())

    def _view_changed(self) -> None:
        """Rearrange the pictures, unless the result has brought their new arrangement."""
        if self._phase is Phase.SETTLED and self._arranged != self._arrangement():
            self._render()

    def _was_restored(self) -> None:
        self._render()

    # ------------------------------------------------------------------ actions of the user

    def _received(self, content: dict[str, Any]) -> None:
        """Handle a message of the page, and answer it."""
        if self._is_closed:  # the message was under way
            return
        begun = time.perf_counter()
        self._is_fresh = False
        if self._ahead and "request" in content:
            self._ahead.request = content["request"]
        self._gesture = self._gesture_of(content)
        try:
            self._do(content)
            if not (self._is_fresh or content.keys() & {"ping", "ahead", "scripts"}):
                self._show_controls()
        except BaseException as error:
            self._show_error(error)
            raise
        finally:
            self._gesture = None
            if "serial" in content:
                took = 1000 * (time.perf_counter() - begun)
                self.send({"ack": content["serial"], "took": took})

    def _do(self, content: dict[str, Any]) -> None:
        if "scripts" in content:
            from rocviz.widgets.base.recording.recording import drawing_scripts

            self.send({"scripts": True}, list(drawing_scripts()))
        if "ahead" in content:
            self._send_ahead(str(content["ahead"]), code=bool(content.get("code")))
        if "focus" in content and content["focus"] < len(self.panels):
            self.focus = self.panels[content["focus"]]
        if "tool" in content:
            acts = {
                "save": self._save_picture,
                "undo": self._undo_step,
                "redo": self._redo_step,
                "reset": self.reset,
            }
            acts.get(content["tool"], lambda: self._toggle(content["tool"]))()
        if "picture" in content:
            names = ("mark", "event", "index", "x", "y")
            what = {name: content[name] for name in names if name in content}
            with self.by_hand():
                self._try(lambda: self._panels[content["picture"]].on_event(**what))
        if "control" in content and self._rail.apply(content["control"], content):
            self._is_fresh = False

    def _gesture_of(self, content: dict[str, Any]) -> Gesture | None:
        """Name what the hand is doing by a message: all of it is one step to be undone."""
        if content.get("event") in ("drag_start", "press"):
            self._presses += 1
        if "picture" in content and content.get("event") != "click":
            return Gesture((content["picture"], content.get("mark")), self._presses)
        if "position" in content or "press" in content:
            return Gesture(content["control"], content.get("press"))
        return None

    def _undo_step(self) -> None:
        if not self.undo():
            self._note("There is nothing to undo.")

    def _redo_step(self) -> None:
        if not self.redo():
            self._note("There is nothing to redo.")

    def _send_ahead(self, what: str, *, code: bool) -> None:
        """Send the next states of the active control to a page with a slow connection."""
        if self._ahead is None:
            from rocviz.widgets.base.recording.ahead import Ahead

            self._ahead = Ahead(self)
        self._ahead.prepare(what, code=code)

    def _try(self, act: Callable[[], object]) -> None:
        """Apply a request of the page, or explain why it is refused."""
        try:
            act()
        except (ValueError, traitlets.TraitError, OSError) as error:
            self._note(str(error))

    def _show_error(self, error: BaseException) -> None:
        """Put an unexpected error into the drawer, and show all else as the explorer has it.

        The page may have got a part of what was to be shown, so it gets everything, and drops the
        states that were sent ahead.
        """
        if self._ahead is not None:
            self._ahead.drop()
        about: dict[str, Any] = {"dropped": True}
        if isinstance(error, KeyboardInterrupt):
            html = '<p role="status">Python was interrupted, and the last action undone.</p>'
        else:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            html = _error_note(text)
            about["error"] = text
        self._drawer = "note", html
        with suppress(Exception):  # what cannot be drawn stays as it is shown
            self._note_values(self._on_stage())
        self._note_values({"drawer": html})
        self._send_values(self._values, self._note_inputs(self._synced()), **about)

    # ------------------------------------------------------------------ the drawer

    def _toggle(self, what: str) -> None:
        is_open = self._drawer is not None and self._drawer[0] == what
        self._drawer = None if is_open else (what, "")
        self._show({"drawer": self._drawn_drawer()})

    def _drawn_drawer(self) -> str | None:
        """Write the drawer's content in HTML; ``None`` if the drawer is closed."""
        if self._drawer is None:
            return None
        what, html = self._drawer
        return html or self._drawer_html(what)

    def _drawer_html(self, what: str) -> str:
        if what == "notes":
            notes = "".join(f"<p>{sentence.html}</p>" for sentence in self.sentences[1:])
            return notes or "<p>There is nothing to add.</p>"
        if what == "code":
            return f'<pre tabindex="0"><code>{escape(self.code())}</code></pre>'
        return tables_html(self, 3, 200)

    def _note(self, text: str) -> None:
        """Put a line of text into the drawer."""
        self._drawer = "note", f'<p role="status">{escape(text)}</p>'
        self._show({"drawer": self._drawn_drawer()})

    def _save_picture(self) -> None:
        try:
            path = self.save(free_name(f"{type(self).__name__}.png")).resolve()
        except OSError as error:
            self._note(str(error))
        else:
            self._note(f"Saved as {path}.")

    def tables(self) -> dict[str, pd.DataFrame]:
        """Make the tables of the tool *table*, by heading; a single table has none."""
        return {"": self.to_frame()}

    # ------------------------------------------------------------------ themes

    def _use_theme(self, chosen: theme.Theme) -> None:
        with ONE_AT_A_TIME:
            self._theme = chosen
            self._dress(chosen)
            self._render()

    # ------------------------------------------------------------------ files

    def static_figure(self, theme_: theme.Theme | None = None) -> Figure:
        """Draw the visible pictures as a matplotlib figure.

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
            return compose(self, theme_)

    def _still_parts(self) -> Iterator[bytes]:
        """Draw the still picture part by part; the last one is the whole, and the others empty."""
        from rocviz.widgets.base.still import still_picture

        self.finish()
        return one_at_a_time(still_picture(self))

    def save(self, path: str | Path) -> Path:
        """Save the present picture to a file; no browser is needed.

        Parameters
        ----------
        path : str or Path
            Ending in ``.svg``, ``.pdf`` or ``.png``.

        Returns
        -------
        Path
            Of the file.

        Raises
        ------
        ValueError
            If the path has another ending.
        OSError
            If the file cannot be written; an existing one is then as it was.
        """
        path = output_path(path, (".svg", ".pdf", ".png"), note=" (to_html writes pages)")
        return save_figure(self.static_figure(), path, dpi=150)

    def to_html(
        self,
        path: str | Path,
        *,
        live: Any = True,
        scripts: str | None = None,
        url: str | None = None,
    ) -> Path:
        """Write a page with the explorer that needs neither Python nor a network.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``.
        live : bool, str, sequence of str, mapping or Recording, default=True
            Which controls move in the page: names, or names with values as for :meth:`record`.
            True is the explorer's main control, such as the threshold of a ROC curve, and what the
            handle of its large picture moves; with False the page is a picture with its words,
            numbers and code.
        scripts : str, optional
            Folder for the scripts of a live page: see :meth:`.Recording.to_html`.
        url : str, optional
            The address that a live page is to have on the web. Links to it then show its title and
            a picture, which is written beside the page.

        Returns
        -------
        Path
            Where the page was written.

        Raises
        ------
        ValueError
            If the path has another ending, or a control cannot be recorded.
        OSError
            If a file cannot be written; existing ones are then as they were.
        """
        path = output_path(path, (".html", ".htm"))
        if live is False:
            from rocviz.widgets.base.still import write_page

            with ONE_AT_A_TIME:
                return write_page(self, path)
        if live is True:
            live = self.controls_of_page()
        if not hasattr(live, "to_html"):
            names = (live,) if isinstance(live, str) else live
            live = self.record(**dict(live if hasattr(live, "keys") else dict.fromkeys(names, ...)))
        picture = None
        if url is not None:
            from rocviz.widgets.base.still import preview

            picture = preview(self, self.title(self.focus), self.sentence)
        return Path(live.to_html(path, scripts=scripts, url=url, picture=picture))

    def record(
        self, *, progress: Callable[[Iterable[Any]], Iterable[Any]] | None = None, **controls: Any
    ) -> Recording:
        """Record the explorer while controls move, so that pages can play it without Python.

        The explorer itself is not moved. Every picture is recorded as the large one, too. A page
        says so when something is touched in it that is not recorded.

        Parameters
        ----------
        progress : callable, optional
            Wraps the states, as ``tqdm.tqdm`` does; by default a bar, if it takes long.
        **controls
            The values to record of each control, by its name: ``...`` for all of them, thinned to
            at most 101; a number, for at most so many; or the values themselves. Several controls
            make a grid. For an input that buttons or clicks set, such as the answers in a scoring
            list, they are the values to which these lead, so that they work in the page.

        Returns
        -------
        Recording

        Raises
        ------
        ValueError
            If there is no such control, a value cannot be set, or there are too many states.

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
        if in_ipython():
            print(self)
        elif self._picture is not None:
            self._picture.show()
            import_soon("sklearn")  # presets and bands take half a second longer without it

    def __repr__(self) -> str:
        if self.result is None:
            return type(self).__name__
        return f"{type(self).__name__}: {self.sentence}{advice(self)}"

    def close(self) -> None:
        """Close the explorer and release all its widget models."""
        self._is_closed = True
        self._cancel_exact()
        if self._ahead is not None:
            self._ahead.close()
        for task in self._tasks:
            task.close()
        super().close()


def _error_note(text: str) -> str:
    """Write in HTML what happened after an unexpected error, and what to do."""
    return (
        f'<p role="alert">The last action was undone because of an error: {escape(text)}</p>'
        "<p>Try it once more. If that does not help, press “reset”, or run the cell again. If the "
        f"error does not come from your own code, please report it{_where_to_report()}.</p>"
    )


def _where_to_report() -> str:
    """Write a link to the project's issues; empty where the package's metadata are missing."""
    try:
        urls = metadata("rocviz").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    for url in urls:
        name, _, address = url.partition(", ")
        if name == "Issues":
            return f' at <a href="{address}" target="_blank" rel="noopener">{address}</a>'
    return ""
