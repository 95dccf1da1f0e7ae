"""Visit the states of an explorer and record the differences between them.

This is done on a copy that no page displays; the explorer itself is never changed. An axis is a
recorded control: its values, and the page's messages that lead to each value.
"""

from __future__ import annotations

import json
import re
import zlib
from contextlib import AbstractContextManager, closing, nullcontext
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from html import escape
from itertools import count, product
from math import isclose, prod
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import traitlets
from tqdm.auto import tqdm

from rocviz.core.base.validation import describe, shortened
from rocviz.pictures import Dots
from rocviz.theme import get_theme
from rocviz.widgets.base.controls import Control
from rocviz.widgets.base.recording.recording import Recording
from rocviz.widgets.base.stage import MODULE_VERSIONS, TOOLS, in_json, kind_of
from rocviz.widgets.base.widget import style_sheet, theme_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from rocviz.widgets.base.state import ExplorerState


# ------------------------------------------------------------------ axes

MAX_VALUES = 101  # values of a control that are recorded by default
ACROSS = " across"  # ends the name of the axis of the other way in which a handle moves
MAX_VALUES_ACROSS = 9


@dataclass
class Axis:
    """One control and its recorded values, in order."""

    name: str  # of the input, or of a control without a single input
    values: tuple[Any, ...]  # recorded values
    start: int  # index of the first one shown
    # by a message of the page: for every value the index of the one that follows, or -1 if that
    # is not recorded
    moves: dict[str, list[int]] = field(default_factory=dict)
    # largest number of values to reach by buttons and clicks; 0 for other controls
    most: int = 0

    def assign(self, state: Any, value: Any) -> None:
        """Set a value as the rail would."""
        control_of(state, self.name).assign(state, self.name, value)

    def is_at(self, state: Any, place: int) -> bool:
        """Test whether the state has one of the values; another control may have moved it."""
        now = control_of(state, self.name).value_of(state, self.name)
        value = self.values[place]
        if isinstance(now, float) and isinstance(value, float):
            return isclose(now, value, rel_tol=1e-9)  # shares were divided by their sum
        return bool(now == value)

    def to_json(self) -> dict[str, Any]:
        """Describe the axis to a page."""
        numbers = all(isinstance(v, int | float) and np.isfinite(v) for v in self.values)
        return {
            "name": self.name,
            "size": len(self.values),
            "values": list(map(float, self.values)) if numbers else None,
            "moves": self.moves,
        }


def control_of(state: Any, name: str) -> Control:
    """Find a control of a state; for an input without one, make one that sets it."""
    control = cast(Control, state.controls().get(name.removesuffix(ACROSS), Control(name)))
    if name.endswith(ACROSS):
        assert control.across is not None
        return control.across
    return control


def axis_of(state: ExplorerState, name: str, values: Any) -> Axis:
    """Make the axis of a control, of one input or of several, around its value.

    ``values`` are values themselves; at most so many of those of its control; or, with an
    Ellipsis, all of them, thinned to at most :data:`MAX_VALUES`. Where buttons or clicks set it,
    they are those that these lead to. It raises ``ValueError`` if there is no such control, or it
    has no values of its own and none are given.
    """
    moving = (n for n, c in state.controls().items() if c.recorded_by == "values")
    known = {*state.input_names(), *moving}
    if name not in known:
        raise ValueError(
            f"{shortened(str(name))} is not a control to record; choose among "
            f"{', '.join(sorted(known))}."
        )
    control = control_of(state, name)
    present = control.value_of(state, name)
    most = 0
    if values is ... or (isinstance(values, int) and not isinstance(values, bool)):
        most = MAX_VALUES if values is ... else int(values)
        if most < 2:
            raise ValueError(f"{name} must be recorded at 2 values or more; got {most}.")
        values = control.values(state, name, most)
        if values:
            most = 0
        elif isinstance(present, tuple):
            values = [present]
        else:
            raise ValueError(f"{name} has no list of values; give the values to record.")
    elif isinstance(values, str) or not np.iterable(values):
        raise ValueError(
            f"{name} must be ..., a number of values or a list of values; got {describe(values)}."
        )
    else:
        values = list(values)
        if not values:
            raise ValueError(f"{name} has no values to record.")
    if present not in values:
        values = [present, *values]
    moves = {}
    if control.recorded_by == "values" and control.grid_of(state) is None:
        options = control.values(state, name, MAX_VALUES)
        for option, (content, _) in zip(options, control.gestures(state, name), strict=True):
            if option in values:
                moves[message_of(control=name, **content)] = [values.index(option)] * len(values)
    return Axis(name, tuple(values), values.index(present), moves, most)


def _axes_across(state: Any, axes: Sequence[Axis]) -> list[Axis]:
    """Make the axes of the other ways in which handles move whose controls are recorded."""
    found = []
    for axis in axes:
        control = control_of(state, axis.name).across
        if control is None or not control.is_shown(state) or len(axis.values) < 2:
            continue
        name = axis.name + ACROSS
        most = min(max(len(axis.values) // 3, 2), MAX_VALUES_ACROSS)
        values = control.values(state, name, most)
        found.append(Axis(name, tuple(values), values.index(control.value_of(state, name))))
    return found


def find_moves(state: Any, axis: Axis, others: Collection[str]) -> None:
    """Find the value to which each press of a button and each click leads.

    This is for inputs set by lists of the rail or by clicks, such as the answers to a scoring
    list's questions. An axis that may grow gains the values that presses lead to: first those due
    next, then those after the fewest presses.
    """
    is_list = isinstance(axis.values[0], tuple)
    if axis.name not in state.input_names() or not (is_list or axis.moves):
        return
    led: dict[Any, dict[str, Any]] = {}
    waiting = [(0, place, value) for place, value in enumerate(axis.values)]
    serial = count(len(waiting))
    while waiting and len(led) < max(axis.most, len(axis.values)):
        presses, _, value = heappop(waiting)
        if value in led:
            continue
        axis.assign(state, value)
        led[value] = {}
        for message, press in presses_of(state, is_list=is_list).items():
            after = led[value][message] = _after(state, axis.name, others, press)
            if axis.most and after is not None and after not in led:
                further = presses if press.is_due else presses + 1
                heappush(waiting, (further, next(serial), after))
    axis.values = tuple(led)
    places = {value: place for place, value in enumerate(led)}
    messages = dict[str, None]()  # in the order in which they were found
    for after_press in led.values():
        messages |= dict.fromkeys(after_press)
    for message in messages:
        after = [places.get(after_press.get(message), -1) for after_press in led.values()]
        if any(to not in (-1, place) for place, to in enumerate(after)):
            axis.moves[message] = after


class Press(NamedTuple):
    """A button, row or point that the user can press."""

    of: str  # the control, or the mark, as the page reports it
    act: Callable[[], object]
    is_due: bool = False
    needs_result: bool = False


def presses_of(state: Any, *, is_list: bool = True) -> dict[str, Press]:
    """List the points, and for a list the buttons and rows, that can be pressed, by message."""
    state._on_stage()  # draws the pictures of a copy
    presses = {}
    for name, control in state.controls().items():
        if not is_list or control.recorded_by != "presses" or not control.is_shown(state):
            continue
        for content, is_due in control.gestures(state, name):
            act = partial(control.apply, state, name, content)
            message = message_of(control=name, **content)
            # what a separate button sets may depend on the result
            presses[message] = Press(name, act, is_due, needs_result=not content)
    for name in state.panels:
        panel = state._panels[name]
        for mark in panel.picture.marks:
            size = mark.x.size if isinstance(mark, Dots) else min(mark.x.size, 1)
            is_pressed = kind_of(mark) in panel.on_click and size <= MAX_VALUES
            for index in range(size if is_pressed else 0):
                clicked = {"mark": mark.name, "event": "click", "index": index}
                act = partial(panel.on_event, **clicked)
                presses[message_of(picture=name, **clicked)] = Press(f"{name} {mark.name}", act)
    return presses


def message_of(**content: Any) -> str:
    """Write the rail's message in the form that the player looks up."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _after(state: Any, name: str, others: Collection[str], press: Press) -> Any:
    """Find the value of an input that a press leads to, or None, and restore the state."""
    before = state.inputs()
    vars(state).pop("_clicked", None)  # where a step takes two clicks, count each as the first
    computing = nullcontext() if press.needs_result else state.without_result()
    with computing:
        try:
            press.act()
        except (ValueError, traitlets.TraitError):
            return None
        finally:
            after = state.inputs()
            for other, value in before.items():
                if after[other] != value:
                    setattr(state, other, value)
    changed = {other for other, value in before.items() if after[other] != value}
    if press.needs_result and name in changed:
        return after[name]  # the other changed inputs depend on it
    return after[name] if changed <= {name, *others} else None


def _axes_of_handles(state: Any, axes: Sequence[Axis]) -> dict[str, list[int]]:
    """Find the axes along which each handle is dragged, by the page's name of its mark.

    One whose input is not recorded has none. One that sets no input of its own name, but others, is
    left out: the page finds out which axis moves it.
    """
    numbers: dict[str, list[int]] = {}
    for number, axis in enumerate(axes):
        numbers.setdefault(axis.name.removesuffix(ACROSS), []).append(number)
    found = {}
    for name in state.panels:
        for mark, (control, _) in state._panels[name].drags.items():
            if control in numbers or control in state.inputs():
                found[f"mark {name} {mark}"] = numbers.get(control, [])
    return found


# ------------------------------------------------------------------ scenes

MAX_STATES = 20_000
MAX_RECORDING_BYTES = 8_000_000
DRAWERS = ("notes", "code", "table")
#: Code in HTML that gets data from an open explorer.
DATA_OF_PATTERN = re.compile(r"data_of\(\d+(?:, [^)]*)?\)(?:\[&#x27;(?P<name>\w+)&#x27;\])?")


def _recorded_tools() -> list[list[Any]]:
    """List name, hint and whether it is disabled of each tool on a page without Python."""
    tools: list[list[Any]] = []
    for name, hint in TOOLS:
        if name == "save":
            tools.append([name, "Not recorded: needs Python", True])
        else:
            tools.append([name, hint, False])
    return tools


#: Texts of a page without Python that differ from an explorer's.
UNRECORDED_RAIL = {
    "note": "Grey controls are not recorded; with Python all of them move.",
    "tools": _recorded_tools(),
}


def copy_of(explorer: Any) -> Any:
    """Copy an explorer without its widgets, so that no page displays the copy."""
    explorer.finish()
    make, arguments = explorer.__reduce__()
    copied = make(*arguments, _is_copy=True)
    # the copy shows results of long experiments as well
    for name in explorer.copied_attributes:
        setattr(copied, name, copy(getattr(explorer, name)))
    if explorer.copied_attributes:
        copied.set_trait("result", copied.compute())
    return copied


def silent_copy(explorer: Any) -> AbstractContextManager[Any]:
    """Copy an explorer, as :func:`copy_of`, for a block at whose end the copy is closed."""
    return closing(copy_of(explorer))


class Column:
    """The distinct values of one part of the stage."""

    def __init__(self) -> None:
        #: As the explorer describes them, and in JSON.
        self.shown: list[Any] = []
        self.values: list[Any] = []
        self._known: dict[str, int] = {}
        self._last = 0

    def put(self, value: Any) -> int:
        """Get the number of a value, from 0; store it if it is new."""
        if self.shown and self.shown[self._last] == value:
            return self._last
        described = in_json(value)
        key = json.dumps(described, sort_keys=True)
        if key not in self._known:
            self._known[key] = len(self.values)
            self.values.append(described)
            self.shown.append(value)
        self._last = self._known[key]
        return self._last


#: The description of a grid for the player, and the numbers of the values in each of its states.
Recorded = tuple[dict[str, Any], list[dict[str, int]]]


class Columns(dict[str, Column]):
    """The parts of a stage by their names."""

    def put(self, values: Mapping[str, Any]) -> dict[str, int]:
        """Get the numbers of a state's values; store those that are new."""
        return {name: self.setdefault(name, Column()).put(value) for name, value in values.items()}

    @property
    def changing(self) -> list[str]:
        """Names of the parts with several values."""
        return [name for name, column in self.items() if len(column.values) > 1]

    def encode(self, scenes: Sequence[Recorded]) -> dict[str, Any]:
        """Describe the changing parts, and scenes of these columns, to the player."""
        names = self.changing
        for about, states in scenes:
            table = np.array([[state.get(name, 0) for name in names] for state in states])
            sizes = [axis["size"] for axis in about["axes"]]
            table = table.reshape(*sizes, len(about["views"]), len(names))
            about["columns"] = [_reduced(table[..., k]) for k in range(len(names))]
        columns = [{"name": name, "values": self[name].values} for name in names]
        return {"columns": columns, "scenes": [about for about, _ in scenes]}


class Recorder:
    """Records scenes, each a grid of states around an explorer's present one.

    The explorer is moved; use a copy.
    """

    def __init__(self, explorer: Any) -> None:
        self._explorer = explorer
        self._columns = Columns()
        self.scenes: list[Recorded] = []

    def scene(
        self,
        controls: Mapping[str, Any],
        *,
        progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    ) -> dict[str, Any]:
        """Record a grid of states around the present one, and return its description.

        The values of controls are as for :func:`.axis_of`; every picture is recorded as the large
        one, too.
        """
        explorer = self._explorer
        axes = [axis_of(explorer, name, values) for name, values in controls.items()]
        axes += _axes_across(explorer, axes)
        start = explorer.inputs()
        view = explorer.focus
        views = list(explorer.panels) if len(explorer.panels) > explorer._shared else [view]
        for axis in axes:
            find_moves(explorer, axis, controls)
        explorer._drawer = None  # it may hold the message of a refused press
        size = prod(len(axis.values) for axis in axes) * len(views)
        if size > MAX_STATES:
            raise ValueError(
                f"{', '.join(controls)} make {size:,} states; at most {MAX_STATES:,} can be "
                "recorded: give fewer values of each."
            )
        pressed = {}
        for axis in axes:
            for message in map(json.loads, axis.moves):
                if "control" in message:
                    pressed[message["control"]] = (0, 1)
        states = []
        outer: tuple[int, ...] | None = None
        grid = list(product(*(range(len(axis.values)) for axis in axes)))
        for places in progress(grid):
            moved = list(zip(axes, places, strict=True))
            recorded = {axis.name: (place, len(axis.values)) for axis, place in moved}
            is_outer_kept = outer == places[:-1]
            if is_outer_kept and all(axis.is_at(explorer, place) for axis, place in moved[:-1]):
                moved = moved[-1:]
            else:  # an outer axis has moved: begin again from the start of the scene
                self._back(start, view)
                outer = places[:-1]
            self._assign(moved)
            explorer._rail.recorded = {**pressed, **recorded}
            drawers = {
                f"drawer {name}": _for_readers(explorer._drawer_html(name)) for name in DRAWERS
            }
            for name in views:
                explorer.focus = name
                states.append(self._columns.put(explorer._on_stage() | drawers))
        self._back(start, view)
        about = {
            "axes": [axis.to_json() for axis in axes],
            "drags": _axes_of_handles(explorer, axes),
            "panels": list(explorer.panels),
            "views": views,
            "start": [*(axis.start for axis in axes), views.index(view)],
        }
        self.scenes.append((about, states))
        return about

    def _back(self, inputs: Mapping[str, Any], focus: str) -> None:
        self._explorer.go_back(**inputs, focus=focus)
        self._forget()

    def _forget(self) -> None:
        """Clear the explorer's visited states."""
        explorer = self._explorer
        for name in explorer.cleared_attributes:
            getattr(explorer, name).clear()
            explorer.set_trait("result", explorer.compute())

    def _assign(self, moved: list[tuple[Axis, int]]) -> None:
        try:
            for axis, place in moved:
                axis.assign(self._explorer, axis.values[place])
        except traitlets.TraitError as error:
            values = ", ".join(
                f"{axis.name}={describe(axis.values[place])}" for axis, place in moved
            )
            raise ValueError(f"{values} cannot be recorded: {error}") from None
        self._forget()

    def part(self) -> dict[str, Any]:
        """Describe all scenes to the player."""
        columns = self._columns
        shown = {}
        for name, column in columns.items():
            if len(column.values) == 1:
                shown[name] = column.values[0]
        return {"shown": {**shown, **UNRECORDED_RAIL}, **columns.encode(self.scenes)}


def assembled(
    recorders: Mapping[str, Recorder], title: str, sentence: str, style: str = "", **about: Any
) -> Recording:
    """Assemble a recording of one or several named explorers; ``about`` is for the page."""
    data = {
        **about,
        "parts": {name: recorder.part() for name, recorder in recorders.items()},
        "classes": ["rocviz", *theme_classes(get_theme())],
        "style": style_sheet() + style,
        "modules": MODULE_VERSIONS,
    }
    n_states = 0
    for recorder in recorders.values():
        n_states += sum(len(states) for _, states in recorder.scenes)
    recording = Recording(title=title, sentence=sentence, n_states=n_states, packed=packed(data))
    if len(recording.packed) > MAX_RECORDING_BYTES:
        raise ValueError(
            f"The recording has {len(recording.packed):,} bytes, compressed; at most "
            f"{MAX_RECORDING_BYTES:,} are kept: record fewer values."
        )
    return recording


def _reduced(table: Any) -> Any:
    """Reduce a column to a constant, or to the axes it depends on and the numbers along them."""
    matter = []
    for axis in range(table.ndim):
        first = np.take(table, [0], axis=axis)
        if (table == first).all():
            table = first
        else:
            matter.append(axis)
    if not matter:
        return int(table.ravel()[0])
    return [matter, [table.shape[axis] for axis in matter], table.ravel().tolist()]


def packed(data: Any, level: int = 9) -> bytes:
    """Compress data as JSON."""
    return zlib.compress(json.dumps(data, separators=(",", ":")).encode("utf-8"), level)


def _for_readers(html: str) -> str:
    """Replace data of this session, which a reader does not have, in a drawer's code."""
    missing: dict[str, None] = {}

    def named(match: re.Match[str]) -> str:
        name = match["name"] or "scores[name]"
        missing.update(dict.fromkeys([name] if match["name"] else ["y_true", "scores"]))
        return name if match["name"] else escape('{"y_true": y_true, "y_score": scores[name]}')

    html = DATA_OF_PATTERN.sub(named, html)
    note = f"# The data of this page are not in it; give yours: {', '.join(missing)}\n"
    return html.replace("from rocviz.widgets import data_of\n", note) if missing else html


def record(explorer: Any, controls: Mapping[str, Any], progress: Any = None) -> Recording:
    """Record controls of an explorer; see :meth:`.Explorer.record`."""
    with silent_copy(explorer) as copied:
        recorder = Recorder(copied)
        recorder.scene(controls, progress=progress or bar)
        return assembled({"": recorder}, type(copied).__name__, copied.sentence)


def bar(states: Iterable[Any]) -> Iterable[Any]:
    """Show a progress bar if recording takes long."""
    return tqdm(states, desc="recording", leave=False, delay=3.0)
