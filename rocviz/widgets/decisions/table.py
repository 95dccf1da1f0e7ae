"""Where each metric cuts, and what each rule is worth: the tables of the decision explorer.

Draws; computes nothing.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import ipywidgets
import numpy as np

from rocviz.widgets.base.parts import control
from rocviz.widgets.decisions.words import RULE_NAMES, threshold_text, utility_text
from rocviz.words import amount

if TYPE_CHECKING:
    from rocviz.widgets.decisions.result import DecisionResult
    from rocviz.widgets.decisions.state import DecisionState

__all__ = ["ThresholdPanel"]

MARKS = {
    "dta": ("○", "optimum"),
    "eum": ("□", "negative"),
    "half": ("◇", ""),
    "held": ("●", "held"),
}
FEW = 7  # rows that may be taller
AXIS = '<div class="rocviz-scale"><span>0</span><span>½</span><span>1</span></div>'


class ThresholdPanel:
    """Each metric's threshold on one axis; below, the rules for the metric that is held."""

    def __init__(self) -> None:
        self.html = ipywidgets.HTML()
        self.box = control(ipywidgets.VBox([self.html]), "rocviz-panel")

    def draw(self, _state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        self.html.value = self._metrics(result) + self._rules(result)

    def _metrics(self, result: DecisionResult) -> str:
        rows = []
        for i, (name, decision) in enumerate(result.decisions.items()):
            at = 100 * min(decision.threshold, 1.0)
            shown = f"<b>{escape(result.label)}</b>" if i == 0 else escape(name)
            none = "" if decision.k_star else ' class="muted"'
            rows.append(
                f'<tr{" class=is-first" if i == 0 else ""}><th title="{escape(name)}">{shown}</th>'
                f'<td class="track"><div class="rocviz-track">'
                f'<span class="neg" style="left:0;width:{at:.2f}%"></span>'
                f'<span class="pos" style="left:{at:.2f}%;width:{100 - at:.2f}%"></span>'
                f'<i style="left:{at:.2f}%"></i></div></td>'
                f"<td{none}>{threshold_text(decision.threshold)}</td>"
                f"<td>{amount(decision.k_star)}</td></tr>"
            )
        few = " is-few" if len(rows) < FEW else ""
        start = _from(result)
        return (
            '<h3 class="flush">Where each metric cuts</h3>'
            f'<table class="rocviz-confusion rocviz-intervals rocviz-cuts{few}">'
            f"<tr><th></th><th>{AXIS}</th><th>{start}</th><th>positive</th></tr>"
            f"{''.join(rows)}</table>"
        )

    def _rules(self, result: DecisionResult) -> str:
        realised = result.realised
        last = "" if realised is None else "<th>on labels</th>"
        rows = []
        for rule, k in result.rules():
            sign, thing = MARKS[rule]
            got = "" if realised is None else f"<td>{utility_text(float(realised[k]))}</td>"
            inked = f'<b class="rocviz-{thing}">{sign}</b>' if thing else f"<b>{sign}</b>"
            rows.append(
                f"<tr><th>{inked} {RULE_NAMES[rule]}</th>"
                f"<td>{threshold_text(result.believed.threshold(k))}</td><td>{amount(k)}</td>"
                f"<td>{utility_text(float(result.paid[k]))}</td>{got}</tr>"
            )
        name = escape(result.label)
        worth = "really" if result.is_miscalibrated else "expected"
        loss = float(np.max(result.paid)) - float(result.paid[result.k_star])
        note = ""
        if result.is_miscalibrated:
            note = (
                f'<p class="muted rocviz-legend">Chosen by the wrong probabilities, paid at the '
                f"true ones: {utility_text(loss)} is lost.</p>"
            )
        return (
            f'<h3 class="flush">Four rules for {name}</h3>'
            '<table class="rocviz-confusion rocviz-rules">'
            f"<tr><th></th><th>{_from(result)}</th><th>positive</th><th>{worth}</th>{last}</tr>"
            f"{''.join(rows)}</table>{note}"
        )


def _from(result: DecisionResult) -> str:
    """Return the heading of thresholds: decisions are made by what is believed."""
    return "believed" if result.is_miscalibrated else "from"
