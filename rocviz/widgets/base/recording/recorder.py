"""Goes through the states of an explorer and keeps what changes between them.

It works on a copy of the explorer that no front end knows of: the explorer itself is not touched,
whatever happens meanwhile.
"""

from __future__ import annotations

import json
import re
import zlib
from contextlib import contextmanager
from copy import copy
from html import escape
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets
from tqdm.auto import tqdm

from rocviz.pictures.marks import Handle
from rocviz.widgets.base.panel import trait_of
from rocviz.widgets.base.parts import without_front_end
from rocviz.widgets.base.recording.axes import axis_of, moves_of, place_of, product_size
from rocviz.widgets.base.recording.capture import Capture, Column
from rocviz.widgets.base.recording.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import ipywidgets

    from rocviz.widgets.base.recording.axes import Axis

MOST_STATES = 20_000
MOST_BYTES = 8_000_000
DRAWERS = ("notes", "code", "table")
#: Where code asks an open explorer for its data, in HTML.
OPENED = re.compile(r"data_of\(\d+(?:, [^)]*)?\)(?:\[&#x27;(?P<name>\w+)&#x27;\])?")


@contextmanager
def silent_copy(explorer: Any) -> Iterator[Any]:
    """Hand out a copy of an explorer that no front end knows of, and close it in the end."""
    with without_front_end():
        twin = twin_of(explorer)
        try:
            yield twin
        finally:
            twin.close()


def twin_of(explorer: Any) -> Any:
    """Copy an explorer; call this :func:`.without_front_end`, and close the copy."""
    explorer.finish()
    make, arguments = explorer.__reduce__()
    twin = make(*arguments)
    if explorer._panels.keys() - twin._panels.keys():  # pictures that were shown before
        twin._make_shown(explorer._panels)
        twin._arrange()
    # what a long experiment found is shown there as well
    for name in explorer.copied_attributes:
        setattr(twin, name, copy(getattr(explorer, name)))
    if explorer.copied_attributes:
        twin.set_trait("result", twin.compute())
    return twin


class Recorder:
    """Records scenes: each a grid of states around one that an explorer opens with.

    The explorer is moved; use a copy. The root is what is shown, by default the explorer.
    """

    def __init__(self, explorer: Any, root: ipywidgets.Widget | None = None) -> None:
        self._explorer = explorer
        self._root = explorer if root is None else root
        self._capture: Capture | None = None
        self._scenes: list[dict[str, Any]] = []
        self._states: list[list[dict[tuple[str, str], int]]] = []
        explorer._tool_buttons["save"].disabled = True
        explorer._tool_buttons["save"].tooltip = "Not recorded: needs Python"

    def scene(
        self,
        controls: Mapping[str, Any],
        *,
        focus: bool = True,
        progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    ) -> list[Axis]:
        """Record a grid of states around the one that holds, and return its axes.

        The values of controls are as for :func:`.axis_of`; with ``focus`` every picture is recorded
        as the large one.
        """
        explorer = self._explorer
        axes = [axis_of(explorer, name, wanted) for name, wanted in controls.items()]
        views = [explorer.focus]
        if focus and any(not explorer._panels[name].is_large for name in explorer.panels):
            views = list(explorer.panels)
        start, view = explorer.inputs(), explorer.focus
        moves = {axis.name: moves_of(explorer, axis, controls) for axis in axes}
        self._back(start, view)
        explorer._toggle(explorer._drawer_shows)  # a press that was refused said so there
        size = product_size(axes) * len(views)
        if size > MOST_STATES:
            raise ValueError(
                f"{', '.join(controls)} make {size:,} states; at most {MOST_STATES:,} can be "
                "recorded: give fewer values of each."
            )
        held = [axis.start for axis in axes]
        rail = explorer._rail
        self._pressed = {
            content["control"]: (0, 1)
            for content in (json.loads(key) for found in moves.values() for key in found)
            if "control" in content
        }
        rail.note = "Grey controls are not recorded; with Python all of them move."
        self._set_rail(axes, held)
        if self._capture is None:
            self._capture = Capture(self._root)
        states = []
        outer: tuple[int, ...] | None = None
        for at in progress([*product(*(range(len(axis.values)) for axis in axes))]):
            before = zip(axes[:-1], at[:-1], strict=True)
            if outer != at[:-1] or not all(axis.is_at(explorer, place) for axis, place in before):
                # other values of the outer ones: begin where the scene does
                self._back(start, view)
                outer = at[:-1]
                moved = [*zip(axes, at, strict=True)]
            else:
                moved = [(axes[-1], at[-1])] if axes else []
            self._set_rail(axes, at, refresh=False)
            self._assign(moved)
            for drawer in DRAWERS:
                html = _for_readers(explorer._drawer_html(drawer))
                self._capture.put("drawer", drawer, html)
            for name in views:
                explorer.focus = name
                note_handles(self._capture, explorer)
                states.append(self._capture.state())
        self._back(start, view)
        self._set_rail(axes, held)
        self._states.append(states)
        self._scenes.append(
            {
                "axes": [{**axis.to_json(), "moves": moves[axis.name]} for axis in axes],
                "panels": list(explorer.panels),
                "views": views,
                "start": [*held, views.index(view)],
            }
        )
        return axes

    def _back(self, inputs: Mapping[str, Any], focus: str) -> None:
        self._explorer.go_back(**inputs, focus=focus)
        self._forget()

    def _forget(self) -> None:
        """Let the explorer forget in which states it has been."""
        explorer = self._explorer
        for name in explorer.cleared_attributes:
            getattr(explorer, name).clear()
            explorer.set_trait("result", explorer.compute())

    def _set_rail(self, axes: list[Axis], at: Sequence[int], *, refresh: bool = True) -> None:
        places = {a.name: (place, len(a.values)) for a, place in zip(axes, at, strict=True)}
        self._explorer._rail.recorded = {**self._pressed, **places}
        if refresh:
            self._explorer._rail.refresh()

    def _assign(self, moved: list[tuple[Axis, int]]) -> None:
        try:
            for axis, place in moved:
                axis.assign(self._explorer, axis.values[place])
        except traitlets.TraitError as error:
            values = ", ".join(f"{axis.name}={axis.values[place]!r}" for axis, place in moved)
            raise ValueError(f"{values} cannot be recorded: {error}") from None
        self._forget()
        self._explorer._rail.refresh()

    def describe(self, **about: Any) -> None:
        """Tell the player more of the last scene."""
        self._scenes[-1].update(about)

    def finish(self, title: str = "", **about: Any) -> Recording:
        """Assemble the recording, with the options of the player."""
        assert self._capture is not None
        explorer, capture = self._explorer, self._capture
        capture.close()
        keys = list(capture.columns)
        place = {key: i for i, key in enumerate(keys)}
        for scene, states in zip(self._scenes, self._states, strict=True):
            shape = [*(axis["size"] for axis in scene["axes"]), len(scene["views"])]
            scene["columns"] = tables(states, keys, shape)
        handles, fixed = self._handles(place)
        columns = [
            {"model": key[0], "name": key[1], "values": capture.columns[key].values} for key in keys
        ]
        data = {
            **about,
            "columns": columns + fixed,
            "scenes": self._scenes,
            "handles": handles,
            "rail": explorer._rail.model_id,
            "headings": {p.heading.model_id: name for name, p in explorer._panels.items()},
            "tools": {b.model_id: name for name, b in explorer._tool_buttons.items()},
            "drawer": [explorer._drawer.model_id, explorer._drawer.layout.model_id],
        }
        recording = Recording(
            title=title or type(explorer).__name__,
            sentence=explorer.sentence,
            n_states=sum(map(len, self._states)),
            packed=packed({"player": data, "models": capture.models, "root": self._root.model_id}),
        )
        if len(recording.packed) > MOST_BYTES:
            raise ValueError(
                f"The recording has {len(recording.packed):,} bytes, compressed; at most "
                f"{MOST_BYTES:,} are kept: record fewer values."
            )
        return recording

    def _handles(
        self, place: Mapping[tuple[str, str], int]
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Find the handles that move in a scene, and the columns of those that do not."""
        assert self._capture is not None
        found, columns = [], []
        for panel in self._explorer._panels.values():
            fixed: list[list[str]] = [[] for _ in self._scenes]
            for mark in panel.handles:
                handle = finding(panel, mark, place)
                moves = [finds(handle, scene) for scene in self._scenes]
                found += [handle] * any(moves)
                for names, moved in zip(fixed, moves, strict=True):
                    names += [trait_of(mark.name)] * (not moved)
            if any(fixed):
                column, model = Column(fixed[0]), panel.figure.model_id
                for scene, names in zip(self._scenes, fixed, strict=True):
                    scene["columns"].append(column.put(names))
                self._capture.models[model]["state"]["fixed"] = fixed[0]
                columns.append({"model": model, "name": "fixed", "values": column.values})
        return found, columns


#: A column of the places of a handle, rather than of a widget's trait, begins its name like this.
AT = "at "


def note_handles(capture: Capture, explorer: Any) -> None:
    """Note where the handles of all pictures are."""
    for panel in explorer._panels.values():
        for mark in panel.handles:
            if isinstance(mark, Handle) and mark.is_shown:
                for name in ("x", "y"):
                    capture.put(AT + place_of(panel, mark), name, float(getattr(mark, name)[0]))


def finding(panel: Any, mark: Any, place: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    """Describe handles, so that a page finds the recorded state nearest to a point."""
    at = AT + place_of(panel, mark)
    along = ["x" in mark.along, "y" in mark.along]
    return {
        "figure": panel.figure.model_id,
        "picture": panel.name,
        "mark": trait_of(mark.name),
        "columns": [place.get((at, name), -1) for name in ("x", "y")],
        "fixed": [float(value[0]) if value.size else 0.0 for value in (mark.x, mark.y)],
        # one that holds several things at once moves none that is recorded
        "along": along if isinstance(mark, Handle) else [False, False],
    }


def finds(handle: dict[str, Any], scene: dict[str, Any]) -> bool:
    """Test whether a handle moves along an axis of a scene."""

    def follows(column: int) -> bool:
        entry = 0 if column < 0 else scene["columns"][column]
        return not isinstance(entry, int) and min(entry[0]) < len(scene["axes"])

    return any(on and follows(k) for k, on in zip(handle["columns"], handle["along"], strict=True))


def tables(
    states: Sequence[Mapping[tuple[str, str], int]], keys: Sequence[tuple[str, str]], shape: Any
) -> list[Any]:
    """Find the number of each column's value in the states of a grid."""
    table = np.array([[state.get(key, 0) for key in keys] for state in states])
    table = table.reshape(*shape, len(keys))
    return [_reduced(table[..., k]) for k in range(len(keys))]


def _reduced(table: Any) -> Any:
    """Reduce a column to one number, or to the axes that matter and the numbers along them."""
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
    """Return a drawer whose code names no data of this session, which a reader does not have."""
    wanted: dict[str, None] = {}

    def named(found: re.Match[str]) -> str:
        name = found["name"] or "scores[name]"
        wanted.update(dict.fromkeys([name] if found["name"] else ["y_true", "scores"]))
        return name if found["name"] else escape('{"y_true": y_true, "y_score": scores[name]}')

    html = OPENED.sub(named, html)
    note = f"# The data of this page are not in it; give yours: {', '.join(wanted)}\n"
    return html.replace("from rocviz.widgets import data_of\n", note) if wanted else html


def record(explorer: Any, controls: Mapping[str, Any], progress: Any = None) -> Recording:
    """Record controls of an explorer; see :meth:`.Explorer.record`."""
    wrap = bar if progress is None else progress
    with silent_copy(explorer) as twin:
        recorder = Recorder(twin)
        recorder.scene(controls, progress=wrap)
        return recorder.finish()


def bar(states: Iterable[Any]) -> Iterable[Any]:
    """Show progress, if it takes long."""
    return tqdm(states, desc="recording", leave=False, delay=3.0)
