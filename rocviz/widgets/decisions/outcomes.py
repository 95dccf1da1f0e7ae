"""What a metric may turn out to be at one cut, drawn with bqplot.

Draws; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.theme import get_theme
from rocviz.widgets.base.layout import round_ticks
from rocviz.widgets.base.parts import colour, figure, line, panel, put
from rocviz.widgets.decisions.view import ROW
from rocviz.widgets.decisions.words import utility_text
from rocviz.widgets.scoring_lists.view import Words, show
from rocviz.words import amount, number

if TYPE_CHECKING:
    from rocviz.widgets.decisions.result import DecisionResult
    from rocviz.widgets.decisions.state import DecisionState

__all__ = ["OutcomesPanel"]


class OutcomesPanel:
    """How likely each value of the metric is, at the cut that is held."""

    def __init__(self) -> None:
        fig = self.figure = figure("metric", "probability", x_ticks=None, y_ticks=None)
        self.stems = line(fig, "ranking", stroke_width=6.0, opacities=[0.55])
        self.mean = line(fig, "held")
        self.got = line(fig, "positive", line_style="dashed")
        self.words = Words(fig, "start")
        fig.marks = [self.stems, self.mean, self.got, self.words.mark]
        self.box = panel("What may happen at this cut", fig)

    def draw(self, _state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        law, fig = result.outcomes, self.figure
        name = result.label
        if fig.axes[0].label != name:
            fig.axes[0].label = name
        realised = result.realised
        got = None if realised is None else float(realised[result.k])
        points = law.values if got is None else np.append(law.values, got)
        low, high = limits(float(points.min()), float(points.max()))
        x = fig.scale_x
        if (x.min, x.max) != (low, high):
            with x.hold_sync():
                x.min, x.max = low, high
            fig.axes[0].tick_values = round_ticks(low, high)
        rows = [(f"mean {utility_text(law.mean)} ± {number(law.std)}", "held-text")]
        if got is not None:
            rows.append((f"on the labels {utility_text(got)}", "positive-text"))
        how = "exact: all outcomes weighed"
        if law.n_draws:
            how = f"{amount(law.n_draws)} outcomes, drawn"
        rows.append((how, "muted"))
        height = ROW * get_theme().font / 14
        peak = float(law.chances.max())
        top = 1.04 * peak / (1 - height * (len(rows) + 0.4))
        if fig.scale_y.max != top:
            fig.scale_y.max = top
            fig.axes[1].tick_values = round_ticks(0.0, 1.04 * peak)
        put(
            self.stems,
            x=np.column_stack((law.values, law.values)),
            y=np.column_stack((np.zeros(law.values.size), law.chances)),
            colors=[colour("ranking")] * law.values.size,
            opacities=[0.55] * law.values.size,
        )
        put(self.mean, x=np.full(2, law.mean), y=np.array([0.0, 1.04 * peak]))
        show(self.got, got is not None)
        if got is not None:
            put(self.got, x=np.full(2, got), y=np.array([0.0, 1.04 * peak]))
        self.words.write(
            [
                (low + 0.03 * (high - low), top * (1 - (i + 0.6) * height), text, thing)
                for i, (text, thing) in enumerate(rows)
            ]
        )


def limits(low: float, high: float) -> tuple[float, float]:
    """Return the range of an axis: of rates all of it, unless values are close together."""
    if low >= -1e-9 and high <= 1 + 1e-9 and high - low > 0.25:
        return -0.02, 1.02
    room = 0.12 * (high - low) if high > low else 0.1 * max(abs(high), 0.5)
    # whole steps, so that the axis holds still while a cut moves a little
    step = 10.0 ** np.floor(np.log10(max(high - low, room)))
    return (
        float(np.floor((low - room) / step) * step),
        float(np.ceil((high + room) / step) * step),
    )
