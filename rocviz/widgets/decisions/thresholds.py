"""The threshold of each metric, and the metric of each rule, drawn with bqplot."""

from __future__ import annotations

from html import escape

import ipywidgets
import numpy as np

from rocviz.theme import Theme
from rocviz.widgets.base.parts import (
    Words,
    colour,
    dots,
    line,
    make_widget,
    set_classes,
    update_mark,
)
from rocviz.widgets.decisions.marks import WidePanel
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.words import RULE_NAMES, threshold_text, utility_text
from rocviz.words import amount, shorten

MARKS = {
    "dta": ("○", "optimum"),
    "eum": ("□", "negative"),
    "half": ("◇", ""),
    "held": ("●", "held"),
}
UNIT = (0.0, 0.5, 1.0)
# where names begin and two columns of numbers end beside a large picture
NAMES, CUT, MANY, WIDE = -0.66, 1.38, 1.81, 1.83
MOST_NAMES = 9  # one above the other beside a small picture


def rule_rows(result: DecisionResult) -> list[tuple[str, str, str, str, str]]:
    """Return a row for each rule: its key, threshold, number of positives and what it is worth."""
    realised = result.realised
    return [
        (
            rule,
            threshold_text(result.believed.threshold(k)),
            amount(k),
            utility_text(float(result.paid[k])),
            "" if realised is None else utility_text(float(realised[k])),
        )
        for rule, k in result.rules()
    ]


def rule_heads(result: DecisionResult) -> tuple[str, ...]:
    """Return the headings of the rows of rules."""
    start = "believed" if result.is_miscalibrated else "from"
    worth = "really" if result.is_miscalibrated else "expected"
    last = ("on labels",) if result.realised is not None else ()
    return (f"rules for {result.label}", start, "positive", worth, *last)


NAME = 10  # letters of a metric's name that have room beside its row


class ThresholdPanel(WidePanel):
    """Each metric's threshold on one axis; below, when it is large, four rules for the one held."""

    def __init__(self) -> None:
        self.rules = make_widget(ipywidgets.HTML)
        super().__init__(
            "probability of a positive", "", x_ticks=UNIT, y_ticks=(), pad=0.0, beside=[self.rules]
        )
        fig = self.figure
        fig.axes[1].visible = False
        self.parts = {
            role: line(fig, role, stroke_width=5.0, opacities=[0.6])
            for role in ("negative", "positive")
        }
        self.held = line(fig, "held", stroke_width=2.0)
        self.rings = dots(fig, "optimum", fill="paper", default_size=110, stroke_width=2.5)
        self.names = Words(fig, "end", font_weight="normal")
        self.numbers = Words(fig, "end", font_weight="normal")
        self.add_marks()

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for; a small picture has no rules below."""
        (self.body.add_class if self.is_large else self.body.remove_class)("with-note")
        set_classes(self.rules, *(() if self.is_large else ("is-away",)))
        super().fit(theme)
        margin = {**self.figure.fig_margin, "left": 6, "right": 6}
        if self.figure.fig_margin != margin:
            self.figure.fig_margin = margin

    def draw(self, _state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        rows = list(result.decisions.items())
        count = len(rows)
        at = np.array([min(decision.threshold, 1.0) for _, decision in rows])
        y = -np.arange(float(count))
        self.set_range(0, *((NAMES, WIDE) if self.is_large else (-0.62, 1.06)))
        self.set_range(1, 0.4 - count, 1.6 if self.is_large else 0.6)
        for role, ends in (
            ("negative", (np.zeros(count), at)),
            ("positive", (at, np.ones(count))),
        ):
            update_mark(
                self.parts[role],
                x=np.column_stack(ends),
                y=np.column_stack((y, y)),
                colors=[colour(role)] * count,
                opacities=[0.6] * count,
            )
        update_mark(self.rings, x=at, y=y)
        held = min(result.believed.threshold(result.k), 1.0)
        update_mark(self.held, x=np.full(2, held), y=np.array([0.5, 0.5 - count]))
        names = [
            (
                *(-0.06, float(level)),
                shorten(result.label if i == 0 else name, NAME),
                ("muted", "text")[i == 0],
            )
            for i, ((name, _), level) in enumerate(zip(rows, y, strict=True))
        ]
        # where there are more than have room, every second one; the first is that held
        self.names.write(names if self.is_large else names[:: -(-count // MOST_NAMES)])
        start = "believed" if result.is_miscalibrated else "from"
        numbers = [(CUT, 1.0, start, "muted"), (MANY, 1.0, "k", "muted")]
        for (_, decision), level in zip(rows, y, strict=True):
            cut, many = threshold_text(decision.threshold), amount(decision.n_predicted_positive)
            numbers += [(CUT, float(level), cut, "text"), (MANY, float(level), many, "text")]
        self.numbers.write(numbers if self.is_large else [])
        if self.is_large:
            self.rules.value = self._rules(result)

    @staticmethod
    def _rules(result: DecisionResult) -> str:
        heads = "".join(f"<th>{escape(text)}</th>" for text in rule_heads(result))
        rows = []
        for rule, *cells in rule_rows(result):
            sign, role = MARKS[rule]
            inked = f'<b class="rocviz-{role}">{sign}</b>' if role else f"<b>{sign}</b>"
            texts = "".join(f"<td>{text}</td>" for text in cells if text)
            rows.append(f"<tr><th>{inked} {RULE_NAMES[rule]}</th>{texts}</tr>")
        return (
            '<table class="rocviz-confusion" style="font-size:.86em">'  # five columns have to fit
            f"<tr>{heads}</tr>{''.join(rows)}</table>"
        )
