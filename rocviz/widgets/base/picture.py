"""The still picture that a saved notebook keeps of an explorer.

A widget needs a kernel; sites that only show notebooks have none. So an explorer displays two
outputs: itself and, after it, a PNG, which the style sheet of a live explorer hides. Only the
PNG is replaced when the state changes, so the handle that a user drags is never drawn again.
"""

from __future__ import annotations

import asyncio
import base64
import io
import weakref
from pathlib import Path
from typing import Any

from IPython import get_ipython
from IPython.display import display, publish_display_data, update_display

from rocviz import theme

QUIET = 12.0  # seconds without a change before the picture is drawn again
WIDGET = "application/vnd.jupyter.widget-view+json"
#: Written below the still picture, for pages without a kernel.
STILL = "Run this cell to make the picture move."


class Picture:
    """The still picture of one explorer, kept up to date."""

    def __init__(self, explorer: Any) -> None:
        self._explorer = weakref.ref(explorer)
        self._name: str | None = None
        self._stale = True
        self._timer: asyncio.TimerHandle | None = None
        self._shell: Any = None

    def show(self) -> None:
        """Display the explorer and, beside it, its picture."""
        explorer = self._explorer()
        if explorer is None:
            return
        view = {"version_major": 2, "version_minor": 0, "model_id": explorer.model_id}
        text = f"{type(explorer).__name__}: run this cell to make the picture move"
        publish_display_data({WIDGET: view, "text/plain": text})
        if self._name is None:
            self._name = f"rocviz-{explorer.model_id}"
            self._shell = get_ipython()
            if self._shell is not None:
                self._shell.events.register("post_run_cell", self._after_cell)
        bundle, alt = self._bundle()
        display(bundle, metadata=alt, raw=True, display_id=self._name)

    def is_stale(self) -> None:
        """Draw the picture again once the state has not changed for a while."""
        self._stale = True
        if self._name is None:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(QUIET, self.refresh)

    def refresh(self) -> None:
        """Replace the picture on the page if the state has changed since."""
        explorer = self._explorer()
        # after a preview wait for the exact result
        if self._stale and self._name is not None and not getattr(explorer, "is_preview", False):
            bundle, alt = self._bundle()
            update_display(bundle, metadata=alt, raw=True, display_id=self._name)

    def _after_cell(self, _result: Any = None) -> None:
        self.refresh()

    def _bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Make the picture and its alternative text."""
        explorer = self._explorer()
        if explorer is None:
            return {"text/plain": ""}, {}
        self._stale = False
        from rocviz.displays.base.style import font, resolve_theme

        file = io.BytesIO()
        figure = explorer.static_figure()
        look = resolve_theme(None)
        words = {"fontsize": font(look), "color": look.colour("text")}
        figure.text(0.99, 0.01, STILL, ha="right", va="bottom", **words)
        figure.savefig(file, format="png", dpi=64)
        png = base64.b64encode(file.getvalue()).decode("ascii")
        # the sentence changes with every drag; as plain text it would make each comparison of
        # saved outputs fail, as the picture's alternative text it does not
        text = f"{type(explorer).__name__} as it last stood"
        return {"image/png": png, "text/plain": text}, {"image/png": {"alt": explorer.sentence}}

    def close(self) -> None:
        """Stop following the explorer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._shell is not None:
            self._shell.events.unregister("post_run_cell", self._after_cell)
            self._shell = None
        self._name = None


class ThemeListener:
    """Tell an explorer of a new theme without keeping it alive."""

    def __init__(self, explorer: Any) -> None:
        self._ref = weakref.ref(explorer)
        self._id = id(explorer)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ThemeListener) and self._id == other._id

    def __hash__(self) -> int:
        return hash(self._id)

    def __call__(self, chosen: theme.Theme) -> None:
        """Pass the theme on, or stop listening once the explorer no longer exists."""
        explorer = self._ref()
        if explorer is None:
            theme.off_change(self)
        else:
            explorer._use_theme(chosen)


def free_name(name: str) -> Path:
    """Find a path where no file exists yet, by a number if necessary."""
    path = Path(name)
    stem, count = path.stem, 1
    while path.exists():
        count += 1
        path = path.with_name(f"{stem}-{count}{path.suffix}")
    return path
