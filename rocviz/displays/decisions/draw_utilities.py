"""Draw what every cut of a batch is expected to be worth: a curve per metric, its best ringed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.decision import Decision, plug_in_utilities
from rocviz.displays.base.labels import Row, legend
from rocviz.displays.base.pen import Pen
from rocviz.words import amount, number

POINTS = 1500  # of a curve; more than a picture has pixels
TICKS = {"nbins": 5, "integer": True, "steps": [1, 2, 5, 10]}
_DASH = (0, (3, 2))
_LOOKS = (0, 1, 2, 4, 5, 3)  # of models, for metrics: the colour of positives comes last
_FEW = 30  # samples; only whole k have a meaning, which is shown where it can be seen


class UtilityArtists(NamedTuple):
    """What :func:`draw_utilities` drew for one metric; ``plug_in`` may be ``None``."""

    line: Line2D
    optimum: Line2D
    plug_in: Line2D | None


def draw_utilities(
    pen: Pen,
    decisions: Mapping[str, Decision],
    *,
    plug_in: bool = True,
    styles: Sequence[Mapping[str, Any]],
) -> dict[str, UtilityArtists]:
    """Draw the expected utility of every cut, its optimum, and what the plug-in rule takes it for.

    All decide on the same probabilities; the utilities of the plug-in rule are dashed.
    """
    pen.frame()
    n = next(iter(decisions.values())).n_samples
    made, rows = {}, []
    for i, ((name, decision), style) in enumerate(zip(decisions.items(), styles, strict=True)):
        look = pen.look(_LOOKS[i % len(_LOOKS)], style)
        made[name] = _curve(pen, name, decision, look, plug_in)
        best = f" {number(decision.utility)} at k = {amount(decision.n_predicted_positive)}"
        rows.append(Row(look.named(name) + best, made[name].line))
    heights = np.concatenate(
        [line.get_ydata() for one in made.values() for line in (one.line, one.plug_in) if line]
    )
    low, high = heights.min(), heights.max()
    scale = max(abs(low), abs(high), 1.0)
    room = 0.09 * (high - low if high - low > 1e-9 * scale else scale)
    low = 0 if 0 <= low < 0.5 * high else low - room
    pen.ax.set(xlim=(-0.02 * n, 1.02 * n), ylim=(low, high + room))
    pen.ax.xaxis.set_major_locator(MaxNLocator(**TICKS))
    what = next(iter(decisions)) if len(decisions) == 1 else "utility"
    pen.ax.set_xlabel(f"called positive, k of {amount(n)}")
    pen.ax.set_ylabel(f"expected {what}", parse_math=False)
    if plug_in:
        dashed = next(iter(made.values())).plug_in
        seen = any(_differ(pen, one.line, one.plug_in) for one in made.values())
        words = "of the expected counts" + ("" if seen else ": looks the same")
        rows.append(Row(words, dashed, "muted", bold=False))
    legend(pen, rows, (0.6, 0.1))
    return made


def _curve(pen: Pen, name: str, decision: Decision, look: Any, plug_in: bool) -> UtilityArtists:
    n, best = decision.n_samples, decision.n_predicted_positive
    k = np.unique(np.append(np.linspace(0, n, min(n + 1, POINTS)).round().astype(int), best))
    dashed = None
    if plug_in:
        utilities = plug_in_utilities(decision.y_prob, decision.metric)
        looks = {"role": "plug-in", "touch": 0.4, "label": f"_plug-in {name}", "zorder": 2.5}
        dashed = pen.line(k, utilities[k], look.outline or look.colour, 0.6, _DASH, **looks)
    looks = {"solid_joinstyle": "round", "markersize": pen.handle(0.3), "label": name}
    looks |= {"dash": "-", "marker": "o" if n <= _FEW else "", "role": "utilities", "zorder": 3}
    line = pen.curve(k, decision.utilities[k], look, **looks)
    looks = {"role": "optimum", "label": f"_optimum {name}", "zorder": 5}
    ring = pen.dots([best], [decision.utility], "paper", 0.62, "optimum", 1.0, **looks)
    return UtilityArtists(line, ring, dashed)


def _differ(pen: Pen, line: Line2D, other: Line2D) -> bool:
    """Return whether one can see that two curves over the same k are two."""
    (x, y), (_, behind) = (pen.ax.transData.transform(one.get_xydata()).T for one in (line, other))
    return width_between(x, y, behind) * 72 / pen.ax.figure.dpi > pen.stroke()


def width_between(x: Floats, y: Floats, other: Floats) -> float:
    """Return how far apart two curves over the same x get, across their direction."""
    return float((np.abs(y - other) / np.hypot(1.0, np.gradient(y, x))).max())
