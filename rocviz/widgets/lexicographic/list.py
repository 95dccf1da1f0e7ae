"""The order of the attributes as rows of native buttons, and the rankers there are to try.

Shows a result and hands what is pressed to the callbacks it was given; computes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets

from rocviz.widgets.base.parts import control
from rocviz.widgets.lexicographic.words import ranker_text, rankers_heading, ratio_text
from rocviz.words import number

if TYPE_CHECKING:
    from rocviz.widgets.lexicographic.state import LexicographicResult, LexicographicState

__all__ = ["SHOWN", "OrderPanel", "Row"]

SHOWN = 20  # rows; of hundreds of attributes the first so many can be rearranged
LONG = 12  # letters of an attribute for which a narrow row has no room

Act = Callable[[int], None]


class Row:
    """One place in the list: the attribute that stands there, and what can be done with it.

    Parameters
    ----------
    k : int
        Its place.
    acts : mapping of str to callable
        ``up``, ``down``, ``flip`` and ``drop``; each is called with the place.
    """

    def __init__(self, k: int, acts: dict[str, Act]) -> None:
        def button(act: str) -> ipywidgets.Button:
            made = control(ipywidgets.Button(), f"rocviz-{act}", "rocviz-act")
            made.on_click(lambda _button: acts[act](k))
            return made

        self.up, self.down, self.flip, self.drop = map(button, ("up", "down", "flip", "drop"))
        self.ratio = ipywidgets.HTML()
        parts = [self.up, self.down, self.flip, self.ratio, self.drop]
        self.box = control(ipywidgets.Box(parts), "rocviz-place")

    def show(self, name: str, preferred: str, other: str, ratio: str, *, inside: bool) -> None:
        """Show an attribute; one that was dropped is grey and can only be taken in again."""
        put(self.up, description=f"move {name} up", disabled=not inside)
        put(self.down, description=f"move {name} down", disabled=not inside)
        put(
            self.flip,
            description=preferred,
            tooltip=f"{preferred} is preferred; press to prefer {other}",
            disabled=not inside,
        )
        put(self.ratio, value=f"<span>{ratio}</span>")
        act = "leave out" if inside else "take in"
        put(self.drop, description=f"{act} {name}", tooltip=act)
        dress(self.box, "is-dropped", not inside)


def put(widget: ipywidgets.Widget, **values: Any) -> None:
    """Give a widget values, but only where they differ."""
    for name, value in values.items():
        if getattr(widget, name) != value:
            setattr(widget, name, value)


def dress(widget: ipywidgets.Widget, name: str, on: bool) -> None:
    """Give a widget a class or take it away."""
    if (name in widget._dom_classes) != on:
        (widget.add_class if on else widget.remove_class)(name)


class OrderPanel:
    """The attributes in their order; below them, the rankers that two attributes allow."""

    def __init__(self, acts: dict[str, Act], front: Act, choose: Act) -> None:
        self._acts, self._choose = acts, choose
        self.rows: list[Row] = []
        self.listing: list[int] = []
        self.head = ipywidgets.HTML(
            '<div class="rocviz-listhead muted"><span>preferred value</span>'
            "<span>odds ratio</span></div>"
        )
        self.list = control(ipywidgets.Box(), "rocviz-order")
        self.rest = ipywidgets.Dropdown(description="bring to the front", options=[("…", None)])
        self.rest.observe(lambda change: front(change["new"]), names=["value"])
        self.tried = control(ipywidgets.HTML(), "rocviz-tried")
        self.rankers: list[ipywidgets.Button] = []
        self.chips = control(ipywidgets.Box(), "rocviz-rankers")
        heading = ipywidgets.HTML('<h3 class="flush">The first difference decides</h3>')
        wide = control(ipywidgets.VBox([self.head, self.list]), "rocviz-orderbox")
        parts = [heading, wide, self.rest, self.tried, self.chips]
        self.box = control(ipywidgets.VBox(parts), "rocviz-panel")

    def draw(self, state: LexicographicState, result: LexicographicResult) -> None:
        """Show a result; the menu is set by :meth:`follow`."""
        order = result.order
        self.listing = [*order.order.tolist(), *order.dropped.tolist()]
        shown = self.listing[:SHOWN]
        if len(self.rows) < len(shown):
            self.rows += [Row(k, self._acts) for k in range(len(self.rows), len(shown))]
            self.list.children = tuple(row.box for row in self.rows)
        for k, row in enumerate(self.rows):
            put(row.box.layout, display="" if k < len(shown) else "none")
        ratios = order.odds_ratio.tolist()
        long = max(len(state.condition(j)) for j in shown) > LONG
        for widget in (self.list, *(row.box for row in self.rows)):
            dress(widget, "is-long", long)
        for k, (row, j) in enumerate(zip(self.rows, shown, strict=False)):
            inside = k < len(order)
            row.show(
                state.data.labels[j] if self._repeats(state, j) else state.data.attributes[j].name,
                state.condition(j),
                state.condition(j, 1 - state.preferred[j]),
                ratio_text(ratios[k]) if inside else "left out",
                inside=inside,
            )
        put(self.tried, value=f'<div class="muted">{rankers_heading(state, result)}.</div>')
        if len(self.rankers) < len(result.rankers):
            self.rankers = [self._chip(k) for k in range(len(result.rankers))]
            self.chips.children = tuple(self.rankers)
        put(self.chips.layout, display="" if result.rankers else "none")
        held = tuple(order.order.tolist()), tuple(order.preferred.tolist())
        for chip, ranker in zip(self.rankers, result.rankers, strict=False):
            known = (ranker.order, ranker.chosen) in result.tried
            auc = number(ranker.auc) if known else "?"
            put(chip, description=f"{ranker_text(state, ranker)}: {auc}")
            dress(chip, "mod-active", (ranker.order, ranker.chosen) == held)

    @staticmethod
    def _repeats(state: LexicographicState, column: int) -> bool:
        """Whether a feature became more attributes than this one."""
        feature = state.data.attributes[column].feature
        return sum(a.feature == feature for a in state.data.attributes) > 1

    def _chip(self, k: int) -> ipywidgets.Button:
        chip = control(ipywidgets.Button(tooltip="look at this ranker"), "rocviz-chip")
        chip.on_click(lambda _button: self._choose(k))
        return chip

    def follow(self, state: LexicographicState) -> None:
        """Let the menu offer what the list has no room for."""
        rest = self.listing[SHOWN:]
        options = (("…", None), *((state.condition(j), j) for j in rest))
        put(self.rest.layout, display="" if rest else "none")
        if self.rest.options != options:
            self.rest.options = options
        put(self.rest, value=None)

    def focus(self, place: int, act: str) -> None:
        """Let the keyboard's focus follow an attribute that has moved."""
        if 0 <= place < min(len(self.listing), SHOWN):
            getattr(self.rows[place], act).focus()
