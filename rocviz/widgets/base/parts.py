"""Parts explorers are made of: figures on unit axes, things to drag, labels, controls.

Knows bqplot and ipywidgets, nothing of what a picture means.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import bqplot
import ipywidgets
import numpy as np

from rocviz.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "DESK",
    "Handle",
    "LatestOnly",
    "colour",
    "control",
    "enlarge",
    "figure",
    "label",
    "line",
    "on_grid",
    "panel",
    "put",
]

DESK = Theme()  # sizes are built for a desk; `enlarge` makes them fit another theme


def colour(thing: str) -> str:
    """Return the colour of a thing as the page knows it: it follows light and dark by itself."""
    return f"var(--rocviz-{thing})"


def put(mark: bqplot.Mark, **values: Any) -> None:
    """Give a mark new values in one message, and only where they differ."""
    new = {
        name: value
        for name, value in values.items()
        if not np.array_equal(getattr(mark, name), value)
    }
    if new:
        with mark.hold_sync():
            for name, value in new.items():
                setattr(mark, name, value)


def control(widget: ipywidgets.Widget, *classes: str) -> ipywidgets.Widget:
    """Dress a native control."""
    for name in classes:
        widget.add_class(name)
    return widget


def on_grid(widget: ipywidgets.Widget, value: Any) -> Any:
    """Return the value that a control can show: for a slider, the nearest of its steps.

    Seven decimals are what the slider of the browser computes with.
    """
    if isinstance(widget, ipywidgets.FloatLogSlider):
        power = np.log(value) / np.log(widget.base)
        steps = round((power - widget.min) / widget.step)
        return float(widget.base ** round(widget.min + steps * widget.step, 7))
    if isinstance(widget, ipywidgets.FloatSlider):
        steps = round((value - widget.min) / widget.step)
        return float(round(min(widget.min + steps * widget.step, widget.max), 7))
    return value


UNIT_TICKS = [0, 0.25, 0.5, 0.75, 1]


def figure(
    x_label: str,
    y_label: str,
    *,
    x_range: tuple[float, float] = (0.0, 1.0),
    y_range: tuple[float, float] = (0.0, 1.0),
    x_ticks: Sequence[float] | None = UNIT_TICKS,
    y_ticks: Sequence[float] | None = UNIT_TICKS,
) -> bqplot.Figure:
    """Return an empty square figure; ``fig.scale_x`` and ``fig.scale_y`` place its marks."""
    x = bqplot.LinearScale(min=x_range[0], max=x_range[1], allow_padding=False)
    y = bqplot.LinearScale(min=y_range[0], max=y_range[1], allow_padding=False)
    axes = []
    for scale, text, side, ticks in (
        (x, x_label, "bottom", x_ticks),
        (y, y_label, "left", y_ticks),
    ):
        axes.append(
            bqplot.Axis(
                scale=scale,
                label=text,
                side=side,
                grid_lines="solid",
                grid_color=colour("grid"),
                color=colour("reference"),
                label_color=colour("text"),
                tick_format="~g",
                **({"num_ticks": 5} if ticks is None else {"tick_values": np.asarray(ticks)}),
            )
        )
    fig = bqplot.Figure(
        axes=axes,
        scale_x=x,
        scale_y=y,
        animation_duration=0,
        display_toolbar=False,
        background_style={"fill": "transparent"},
        padding_x=0,
        padding_y=0,
        min_aspect_ratio=0.9,
        max_aspect_ratio=1.1,
    )
    fig.layout.width = "100%"
    return fig


def enlarge(widget: ipywidgets.Widget, theme: Theme) -> None:
    """Give a part of an explorer the strokes, type and room that a theme asks for."""
    size = theme.font
    if isinstance(widget, bqplot.Figure):
        widget.fig_margin = {
            "top": round(size),
            "bottom": round(4.2 * size),
            "left": round(4.2 * size),
            "right": round(size),
        }
    elif isinstance(widget, bqplot.Axis):
        widget.label_offset = f"{2.6 * size if widget.side == 'bottom' else 2.95 * size:.0f}px"
    elif isinstance(widget, bqplot.Label):
        widget.default_size = size
    elif isinstance(widget, bqplot.Lines | bqplot.Scatter):
        names = [n for n in ("stroke_width", "default_size") if widget.has_trait(n)]
        plain = vars(widget).setdefault("_plain", {n: getattr(widget, n) for n in names})
        for name, value in plain.items():
            if name == "stroke_width":
                widget.stroke_width = value * theme.stroke / DESK.stroke
            else:
                widget.default_size = round(value * (theme.handle / DESK.handle) ** 2)


def line(fig: bqplot.Figure, thing: str, **looks: Any) -> bqplot.Lines:
    """Return a line on a figure in the colour of a thing; give it ``x`` and ``y`` with `put`."""
    return bqplot.Lines(
        x=np.array([0.0, 0.0]),
        y=np.array([0.0, 0.0]),
        scales={"x": fig.scale_x, "y": fig.scale_y},
        colors=[colour(thing)],
        stroke_width=looks.pop("stroke_width", DESK.stroke),
        **looks,
    )


def label(fig: bqplot.Figure, thing: str, **kwargs: Any) -> bqplot.Label:
    """Return a mark that writes words on a figure in the colour of a thing."""
    return bqplot.Label(
        scales={"x": fig.scale_x, "y": fig.scale_y},
        colors=[colour(thing)],
        font_weight=kwargs.pop("font_weight", "bold"),
        **kwargs,
    )


def panel(title: str, *children: ipywidgets.Widget, flush: bool = False) -> ipywidgets.VBox:
    """Return children under a heading."""
    heading = ipywidgets.HTML(f'<h3 class="{"flush" if flush else ""}">{title}</h3>')
    return control(ipywidgets.VBox([heading, *children]), "rocviz-panel")


class LatestOnly:
    """Call back with the newest arguments; whatever came before them is dropped.

    A mouse can send moves faster than a picture is drawn. The first move is handled at once;
    moves that arrive while the loop is behind replace one another, so a drag never queues up.
    """

    def __init__(self, callback: Callable[..., None], wait: float = 0.03) -> None:
        self._callback = callback
        self._wait = wait
        self._arguments: tuple[Any, ...] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, *arguments: Any) -> None:
        """Handle these arguments now or, right after others, as soon as their time is up."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._callback(*arguments)
            return
        self._arguments = arguments
        if self._timer is None:
            self.flush()
            self._timer = loop.call_later(self._wait, self._wake)

    def _wake(self) -> None:
        self._timer = None
        if self._arguments is not None:
            self(*self._arguments)

    def flush(self) -> None:
        """Handle what is waiting, now."""
        if self._arguments is not None:
            arguments, self._arguments = self._arguments, None
            self._callback(*arguments)

    def cancel(self) -> None:
        """Forget what is waiting."""
        self._arguments = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Handle:
    """A round thing to drag that stays where the state says it is.

    Two marks: the one that is seen follows the state, the one that is felt follows the mouse.
    The kernel never moves the felt one while it is being dragged (it would fight the cursor)
    and puts it back under the seen one when it is let go.
    """

    def __init__(
        self,
        fig: bqplot.Figure,
        on_move: Callable[[float, float], None],
        *,
        restrict_x: bool = False,
        restrict_y: bool = False,
        thing: str = "held",
    ) -> None:
        scales = {"x": fig.scale_x, "y": fig.scale_y}
        common = {"x": [0.5], "y": [0.5], "scales": scales, "apply_clip": False}
        self.seen = bqplot.Scatter(
            **common, colors=[colour(thing)], stroke=colour("paper"), stroke_width=2.5
        )
        self.felt = bqplot.Scatter(
            **common,
            colors=["transparent"],
            stroke="transparent",
            enable_move=True,
            restrict_x=restrict_x,
            restrict_y=restrict_y,
            update_on_move=False,
            drag_size=1.0,
        )
        self.dragged = False
        self._move = LatestOnly(on_move)
        self.felt.on_drag_start(self._start)
        self.felt.on_drag(self._drag)
        self.felt.on_drag_end(self._end)
        self.felt.observe(self._put_back, names=["x", "y"])
        for mark, grow in ((self.seen, 1.0), (self.felt, 1.7)):
            mark.default_size = round(np.pi / 4 * (grow * DESK.handle) ** 2)

    @property
    def marks(self) -> list[bqplot.Mark]:
        """Both marks, in drawing order."""
        return [self.seen, self.felt]

    def place(self, x: float, y: float) -> None:
        """Show the handle at a point of the picture."""
        put(self.seen, x=np.array([x]), y=np.array([y]))
        self._put_back()

    def _put_back(self, _change: Any = None) -> None:
        if not self.dragged:
            put(self.felt, x=self.seen.x, y=self.seen.y)

    def _start(self, _mark: Any, _event: Any) -> None:
        self.dragged = True

    def _drag(self, _mark: Any, event: dict[str, Any]) -> None:
        self._move(event["point"]["x"], event["point"]["y"])

    def _end(self, _mark: Any, event: dict[str, Any]) -> None:
        self._move(event["point"]["x"], event["point"]["y"])
        self._move.flush()
        self.dragged = False
        self._put_back()

    def close(self) -> None:
        """Forget any move that is waiting."""
        self._move.cancel()
