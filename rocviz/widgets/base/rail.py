"""The rail: all controls of an explorer, made from the declarations of its traits.

In the page they are native, labelled inputs that show the values of the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

if TYPE_CHECKING:
    from collections.abc import Mapping

MORE = "more"  # the fold of visible controls that `unfolded` leaves out


class Rail:
    """The controls of an explorer, by fold, with their present values."""

    #: While a recording is made, each recorded control's place among the values recorded, and
    #: their number; all others cannot be moved.
    recorded: Mapping[str, tuple[int, int]] | None = None

    def __init__(self, explorer: Any) -> None:
        self._state = explorer
        self._problems: dict[str, str] = {}
        self.controls = explorer.controls()
        #: Last description of each control, by name.
        self.values: dict[str, dict[str, Any]] = {}
        self.summaries: dict[str, str] = {}
        self.regroup()

    def regroup(self) -> None:
        """Assign every control to its fold again, after a change of the visible ones."""
        self._folds = {name: self._fold_of(name) for name in self.controls}
        groups: dict[str, list[dict[str, Any]]] = {
            group: [] for group in ("", MORE, *self._state.groups)
        }
        for name, fold in self._folds.items():
            if fold in groups:
                groups[fold].append(self.controls[name].declare(name))
        #: Descriptions of the controls for the page, by fold.
        self.groups = [{"name": name, "controls": each} for name, each in groups.items() if each]
        #: Whether a list is always visible, which needs the height of the stage.
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
        """Handle the user's action on a control; true if there is a problem to explain."""
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
