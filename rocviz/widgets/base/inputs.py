"""Inputs that several explorers have: what draws their data anew, what a miss costs.

Declares; knows states and controls, nothing of what is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from rocviz.widgets.base.controls import Action, Slider, Whole
from rocviz.widgets.base.state import ExplorerState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocviz.widgets.base.controls import Control, Grid

DRAW_ANEW = Action("draw anew", "draw_anew", hint="Other samples of the same kind", sandbox=True)


class ExplorerInputs(TypedDict, total=False):
    """Inputs of every explorer, for type checkers."""

    preset: str
    panels: Sequence[str]
    focus: str
    unfolded: Sequence[str]


class SandboxState(ExplorerState):
    """A state that draws its data, from a seed, where one has none of one's own."""

    seed = Whole(0, min=0, help="Which sample of this kind is drawn.").tag(input=True, sandbox=True)

    def controls(self) -> dict[str, Control]:
        """Return every control by the name of its trait, or its own, as they were declared."""
        return {**super().controls(), "draw_anew": DRAW_ANEW}

    def draw_anew(self) -> None:
        """Draw another sample of the same kind."""
        self.seed += 1


def miss_cost(grid: Grid, **more: Any) -> Slider:
    """Return the control of a cost of a miss, whose false alarm costs 1."""
    hint = "What one missed positive costs, when a false alarm costs 1"
    return Slider("a miss, in false alarms", grid, **{"hint": hint, "thing": "optimum", **more})
