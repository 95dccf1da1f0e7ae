"""The distribution of a metric at one cut, drawn with bqplot."""

from __future__ import annotations

import numpy as np

from rocviz.widgets.base.panel import ROW, round_ticks
from rocviz.widgets.base.parts import Words, colour, line, show, update_mark
from rocviz.widgets.decisions.marks import WidePanel, ticks_around
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.words import utility_text
from rocviz.words import amount, number


def outcome_limits(result: DecisionResult) -> tuple[float, float]:
    """Return the range of the axis: of rates all of it, unless values are close together."""
    law, realised = result.outcomes, result.realised
    points = law.values if realised is None else np.append(law.values, realised[result.k])
    low, high = float(points.min()), float(points.max())
    if low >= -1e-9 and high <= 1 + 1e-9 and high - low > 0.25:
        return 0.0, 1.0
    room = 0.12 * (high - low) if high > low else 0.1 * max(abs(high), 0.5)
    # whole steps, so that the axis holds still while a cut moves a little
    step = 10.0 ** np.floor(np.log10(max(high - low, room)))
    left = float(np.floor((low - room) / step) * step)
    return left if low < 0 else max(left, 0.0), float(np.ceil((high + room) / step) * step)


def outcome_rows(result: DecisionResult) -> list[tuple[str, str]]:
    """Return what is to be said of the law, and each row's colour."""
    law = result.outcomes
    rows = [(f"mean {utility_text(law.mean)} ± {number(law.std)}", "held-text")]
    if result.realised is not None:
        got = utility_text(float(result.realised[result.k]))
        rows.append((f"on the labels {got}", "positive-text"))
    how = f"{amount(law.n_draws)} outcomes, drawn" if law.n_draws else "all outcomes weighed"
    return [*rows, ("preview: normal counts" if result.is_preview else how, "muted")]


class OutcomesPanel(WidePanel):
    """Probability of each value of the metric, at the chosen cut."""

    def __init__(self) -> None:
        super().__init__("metric", "probability", pad=0.02)
        fig = self.figure
        self.stems = line(fig, "ranking", stroke_width=5.0, opacities=[0.55])
        self.mean = line(fig, "held")
        self.got = line(fig, "positive", line_style="dashed")
        self.words = Words(fig, "start")
        self.add_marks()

    def draw(self, _state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        law = result.outcomes
        self.set_label(0, result.label)
        low, high = outcome_limits(result)
        self.set_range(0, low, high)
        self.show_ticks(0, round_ticks(low, high))
        rows = outcome_rows(result) if self.is_large else []
        peak = float(law.chances.max())
        ticks = ticks_around(0.0, peak, 3)
        # the words stand above the highest stem
        top = float(ticks[-1]) / (1 - ROW * (len(rows) + 0.5) * bool(rows))
        self.set_range(1, 0.0, top)
        self.show_ticks(1, ticks)
        count = law.values.size
        update_mark(
            self.stems,
            x=np.column_stack((law.values, law.values)),
            y=np.column_stack((np.zeros(count), law.chances)),
            colors=[colour("ranking")] * count,
            opacities=[0.55] * count,
        )
        update_mark(self.mean, x=np.full(2, law.mean), y=np.array([0.0, ticks[-1]]))
        show(self.got, result.realised is not None)
        if result.realised is not None:
            got = float(result.realised[result.k])
            update_mark(self.got, x=np.full(2, got), y=np.array([0.0, ticks[-1]]))
        left = low + 0.02 * (high - low)
        self.words.write(
            [(left, top * (1 - (i + 0.6) * ROW), text, role) for i, (text, role) in enumerate(rows)]
        )
