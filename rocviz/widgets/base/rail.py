"""The rail: every control of an explorer, made from what stands beside its traits.

In the page they are the browser's own inputs, named and spoken; they show what the state holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

if TYPE_CHECKING:
    from collections.abc import Mapping

MORE = "more"  # the fold of what would be in sight, were not something else asked to be


class Rail:
    """The controls of an explorer: in which fold each of them is, and what it shows."""

    #: While a recording is made, each recorded control's place among the values recorded, and
    #: their number; all others cannot be moved.
    recorded: Mapping[str, tuple[int, int]] | None = None

    def __init__(self, explorer: Any) -> None:
        self._state = explorer
        self._problems: dict[str, str] = {}
        self.controls = explorer.controls()
        #: What was shown last, by the name of the control.
        self.values: dict[str, dict[str, Any]] = {}
        self.summaries: dict[str, str] = {}
        self.regroup()

    def regroup(self) -> None:
        """Put every control where it belongs, now that other ones are to be in sight."""
        self._folds = {name: self._fold_of(name) for name in self.controls}
        groups: dict[str, list[dict[str, Any]]] = {
            group: [] for group in ("", MORE, *self._state.groups)
        }
        for name, fold in self._folds.items():
            if fold in groups:
                groups[fold].append(self.controls[name].declare(name))
        #: What the page makes its controls of, fold by fold.
        self.groups = [{"name": name, "controls": each} for name, each in groups.items() if each]
        #: Whether a list is always in sight, which needs the height of the stage.
        self.has_rows = any(
            control.needs_height and not self._folds[name]
            for name, control in self.controls.items()
        )

    def _fold_of(self, name: str) -> str:
        """Get the fold of a control; "" if it is always visible."""
        unfolded = self._state.unfolded
        control = self.controls[name]
        if name in unfolded or control.in_sight:
            return ""
        return control.group or (MORE if unfolded else "")

    def shown(self) -> dict[str, Any]:
        """Describe the controls, by the page's names."""
        state = self._state
        self.values = {
            name: control.tell(state, name, self._problems.get(name, ""))
            for name, control in self.controls.items()
        }
        if self.recorded is not None:
            self._show_recorded(self.recorded)
        self.summaries = {group: words(state) for group, words in state.groups.items()}
        self.summaries[MORE] = ", ".join(
            self.controls[name].label
            for name, fold in self._folds.items()
            if fold == MORE and not self.values[name].get("hidden")
        )
        values: dict[str, Any] = {f"control {name}": one for name, one in self.values.items()}
        return {**values, "groups": self.groups, "summaries": self.summaries}

    def _show_recorded(self, recorded: Mapping[str, tuple[int, int]]) -> None:
        for name, value in self.values.items():
            place, size = recorded.get(name, (0, 0))
            unrecorded = {"disabled": True, "unrecorded": True}
            if not value.get("hidden"):
                shown = self.controls[name].show_recorded(place, size) if size else unrecorded
                value |= shown

    def apply(self, name: str, content: Mapping[str, Any]) -> bool:
        """Apply an action on a control; return whether there is a problem to explain."""
        state, control, self._problems = self._state, self.controls[name], {}
        try:
            with state.by_hand():
                self._problems[name] = control.apply(state, name, content)
        except (ValueError, traitlets.TraitError, OSError) as error:
            self._problems[name] = control.explain(state, name, error)
        return bool(self._problems[name])

    def move(self, name: str, **content: Any) -> None:
        """Move a control, for tests and benchmarks: ``move("threshold", position=3)``."""
        self._state._received({"control": name, **content})
