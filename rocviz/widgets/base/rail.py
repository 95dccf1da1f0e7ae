"""The rail: every control of an explorer, made from what stands beside its traits.

One widget with native inputs: named and spoken in the browser, shown only what the state holds.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets
from ipywidgets.widgets.widget import _remove_buffers

from rocviz.theme import COLOURS
from rocviz.widgets.base.parts import script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import ipywidgets

    from rocviz.widgets.base.recording.ahead import Ahead
    from rocviz.widgets.base.state import ExplorerState

EDGE = ("#D7DBE0", "#3A4149")
MORE = "more"  # the fold of what would be in sight, were not something else asked to be


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


class Rail(anywidget.AnyWidget):
    """The controls of a state on the screen.

    Parameters
    ----------
    state : ExplorerState
        Declares the controls; is told what a hand does.
    on_focus : callable
        Given the number of a picture, from 0, when its number key is pressed.
    on_picture : callable
        Told of what a hand does on a picture: its name, and what :meth:`.FigurePanel.hand` takes.
    opened : str, default=""
        The fold that opens with it.
    **looks
        Layout and classes of the style sheet.
    """

    _esm = script("rail.js")
    _css = style_sheet()

    groups: Any = traitlets.List().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    summaries = traitlets.Dict().tag(sync=True)
    opened = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    #: What sends a page that is far away recordings; told what the hand asks for.
    ahead: Ahead | None = None

    #: While a recording is made, each recorded control's place among the values recorded, and
    #: their number; all others cannot be moved.
    recorded: Mapping[str, tuple[int, int]] | None = None

    def __init__(
        self,
        state: ExplorerState,
        on_focus: Callable[[int], None],
        on_picture: Callable[..., None],
        opened: str = "",
        **looks: Any,
    ) -> None:
        self._state, self._on_focus, self._on_picture = state, on_focus, on_picture
        self._controls = state.controls()
        self._problems: dict[str, str] = {}
        self._is_framing = self._is_fresh = False
        super().__init__(groups=self._declared(), opened=opened, **looks)
        self.on_msg(self._received)
        self.refresh()

    def _declared(self) -> list[dict[str, Any]]:
        self._folds = {name: self._fold_of(name) for name in self._controls}
        groups: dict[str, list[dict[str, Any]]] = {
            group: [] for group in ("", MORE, *self._state.groups)
        }
        for name, fold in self._folds.items():
            if fold in groups:
                groups[fold].append(self._controls[name].declare(name))
        return [{"name": name, "controls": inside} for name, inside in groups.items() if inside]

    def _fold_of(self, name: str) -> str:
        """Get the fold of a control; "" if it is always visible."""
        unfolded = self._state.unfolded
        control = self._controls[name]
        if name in unfolded or control.in_sight:
            return ""
        return control.group or (MORE if unfolded else "")

    def regroup(self) -> None:
        """Put every control where it belongs, now that other ones are to be in sight."""
        groups = self._declared()
        if groups != self.groups:
            self.groups = groups

    @property
    def has_rows(self) -> bool:
        """Whether a list is always in sight, which needs the height of the stage."""
        controls = self._controls.items()
        return any(control.needs_height and not self._folds[name] for name, control in controls)

    # ------------------------------------------------------------------ what is shown

    def refresh(self) -> None:
        """Show what the state holds; what has not changed is not sent."""
        self._is_fresh, state = True, self._state
        values: dict[str, dict[str, Any]] = {}
        for name, control in self._controls.items():
            if not control.shown(state):
                values[name] = {"hidden": True}
                continue
            values[name] = {
                **control.show(state, name),
                "disabled": not control.enabled(state),
                "problem": self._problems.get(name, ""),
            }
            if self.recorded is not None:
                place, size = self.recorded.get(name, (0, 0))
                values[name] |= (
                    control.show_recorded(place, size)
                    if size
                    else {"disabled": True, "unrecorded": True}
                )
        summaries = {group: state.summary(group) for group in state.groups}
        summaries[MORE] = ", ".join(
            control.label
            for name, control in self._controls.items()
            if self._folds[name] == MORE and not values[name].get("hidden")
        )
        with self.hold_sync():
            if values != self.values:
                self.values = values
            if summaries != self.summaries:
                self.summaries = summaries

    # ------------------------------------------------------------------ one message for a step

    @contextmanager
    def frame(self, widgets: Sequence[ipywidgets.Widget]) -> Iterator[None]:
        """Send all that changes inside as one message, which the page shows at once.

        Thirty messages are thirty chances for the browser to paint a picture that is half new.

        Parameters
        ----------
        widgets : sequence of Widget
            Those whose changes go together.
        """
        if self._is_framing:
            yield
            return
        # what the page is just setting, it is told of by itself
        waiting = [w for w in widgets if not (w._holding_sync or w._property_lock)]
        for widget in waiting:
            widget._holding_sync = True
        self._is_framing = True
        try:
            yield
        finally:
            self._is_framing = False
            changed = {}
            for widget in waiting:
                widget._holding_sync = False
                keys, widget._states_to_send = widget._states_to_send, set()
                if keys and widget.comm is not None:
                    changed[widget] = keys
            self._send_frame(changed)

    def _send_frame(self, changed: dict[ipywidgets.Widget, set[str]]) -> None:
        about = self.ahead.frame(changed) if self.ahead else {}
        if not changed:
            return
        frame = {widget.model_id: widget.get_state(keys) for widget, keys in changed.items()}
        frame, paths, buffers = _remove_buffers(frame)
        self.send({"frame": frame, "paths": paths, **about}, buffers)

    # ------------------------------------------------------------------ what a hand does

    def _received(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        begun, self._is_fresh = time.perf_counter(), False
        if self.ahead and "request" in content:
            self.ahead.requested(content["request"])
        try:
            self._do(content)
        finally:
            if not self._is_fresh and "ping" not in content:
                self.refresh()
            if self.ahead and "request" in content and self.ahead.is_unanswered():
                self._send_frame({})
            if "serial" in content:
                took = 1000 * (time.perf_counter() - begun)
                self.send({"ack": content["serial"], "took": took})

    def _do(self, content: dict[str, Any]) -> None:
        if self.ahead and "ahead" in content:
            self.ahead.prepare(str(content["ahead"]), code=bool(content.get("code")))
        if "focus" in content:
            self._on_focus(content["focus"])
        if "picture" in content:
            names = ("picture", "mark", "event", "index", "x", "y")
            self._on_picture(**{name: content[name] for name in names if name in content})
        if "control" not in content:
            return
        name, state = content["control"], self._state
        control, self._problems = self._controls[name], {}
        try:
            with state.by_hand():
                self._problems[name] = control.apply(state, name, content)
            self._is_fresh = self._is_fresh and not self._problems[name]
        except (ValueError, traitlets.TraitError, OSError) as error:
            self._problems[name], self._is_fresh = control.explain(state, name, error), False

    def move(self, name: str, **content: Any) -> None:
        """Do what a hand would, for tests and benchmarks: ``move("threshold", position=3)``."""
        self._received(self, {"control": name, **content}, [])
