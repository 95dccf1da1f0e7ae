"""Draw what every cut of a batch is expected to be worth: one curve per metric, its optimum ringed.

Takes decisions that were computed and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.decision import Decision, plug_in_utilities
from rocviz.displays.base.labels import in_the_way, place_near, place_texts, text_box
from rocviz.displays.base.line_ends import label_ends
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import outline
from rocviz.words import amount, number

POINTS = 1500  # of a curve; more than a picture has pixels
TICKS = {"nbins": 5, "integer": True, "steps": [1, 2, 5, 10]}
_DASH = (0, (3, 2))
_LOOKS = (0, 1, 2, 4, 5, 3)  # of models, for metrics: the colour of positives comes last
_FEW = 30  # samples; only whole k have a meaning, which is shown where it can be seen


@dataclass(frozen=True)
class UtilityArtists:
    """What :func:`draw_utilities` drew for one metric; ``plug_in`` may be ``None``."""

    line: Line2D
    optimum: Line2D
    plug_in: Line2D | None


def draw_utilities(
    pen: Pen, decisions: Mapping[str, Decision], *, plug_in: bool = True
) -> dict[str, UtilityArtists]:
    """Draw the expected utility of every cut, its optimum, and what the plug-in rule takes it for.

    All decide on the same probabilities; the utilities of the plug-in rule are dashed.
    """
    pen.frame()
    first = next(iter(decisions.values()))
    n = first.n_samples
    pen.ax.set_xlim(-0.02 * n, 1.02 * n)
    made, low, high = {}, np.inf, -np.inf
    for i, (name, decision) in enumerate(decisions.items()):
        made[name] = _curve(pen, name, decision, i, plug_in)
        shown = [made[name].line, *([made[name].plug_in] if plug_in else [])]
        values = np.concatenate([np.asarray(line.get_ydata(), float) for line in shown if line])
        low, high = min(low, values.min()), max(high, values.max())
    scale = max(abs(low), abs(high), 1.0)
    room = 0.09 * (high - low if high - low > 1e-9 * scale else scale)
    pen.ax.set_ylim(0 if 0 <= low < 0.5 * high else low - room, high + room)
    pen.ax.xaxis.set_major_locator(MaxNLocator(**TICKS))
    what = next(iter(decisions)) if len(decisions) == 1 else "utility"
    pen.ax.set_xlabel(f"called positive, k of {amount(n)}")
    pen.ax.set_ylabel(f"expected {what}", parse_math=False)
    _label_utilities(pen, decisions, made, plug_in)
    return made


def _curve(pen: Pen, name: str, decision: Decision, i: int, plug_in: bool) -> UtilityArtists:
    look = pen.look(_LOOKS[i % len(_LOOKS)])
    n, best = decision.n_samples, decision.n_predicted_positive
    k = np.unique(np.append(np.linspace(0, n, min(n + 1, POINTS)).round().astype(int), best))
    dashed = None
    if plug_in:
        utilities = plug_in_utilities(decision.y_prob, decision.metric)
        looks = {"role": "plug-in", "touch": 0.4, "label": f"_plug-in {name}", "zorder": 2.5}
        dashed = pen.line(k, utilities[k], look.outline or look.colour, 0.6, _DASH, **looks)
    line = pen.line(
        k,
        decision.utilities[k],
        look.colour,
        solid_joinstyle="round",
        marker="o" if n <= _FEW else "",
        markersize=pen.handle(0.3),
        zorder=3,
        label=name,
    )
    outline(line, look.outline, pen.stroke(1.6))
    note(line, "utilities")
    looks = {"role": "optimum", "label": f"_optimum {name}", "zorder": 5}
    ring = pen.dots([best], [decision.utility], "paper", 0.62, "optimum", 1.0, **looks)
    return UtilityArtists(line, ring, dashed)


def _label_utilities(
    pen: Pen, decisions: Mapping[str, Decision], made: Mapping[str, UtilityArtists], plug_in: bool
) -> None:
    pen.settle()
    scale = pen.scale
    taken = in_the_way(pen.ax)
    if len(decisions) == 1:
        ((name, decision),) = decisions.items()
        best = f"{name} {number(decision.utility)} at k = {amount(decision.n_predicted_positive)}"
        text = pen.text(best, "text", scale, bold=True)
        at = (float(decision.n_predicted_positive), decision.utility)
        angles = (45, 20, 70, 90, 135, 160, -45, -20, -90, 0, 180, -135, -160)
        taken, _ = place_near(text, at, taken, reach=(1.0, 1.6, 2.4, 3.6, 5.0), angles=angles)
    else:
        names = _name_curves(pen, {name: one.line for name, one in made.items()})
        taken = in_the_way(pen.ax)
        for text in names:
            taken = taken.with_box(text_box(text))
    if plug_in:
        seen = any(_differ(pen, one.line, one.plug_in) for one in made.values())
        caption = pen.text(
            "dashed: metric of the expected counts"
            if seen
            else "the metric of the expected counts looks the same",
            "muted",
            0.85 * scale,
        )
        place_texts([caption], taken, (0.85 if len(decisions) == 1 else 0.4, 0.06))


def _differ(pen: Pen, line: Line2D, other: Line2D | None) -> bool:
    """Return whether one can see that two curves over the same k are two."""
    if other is None:
        return False
    (x, y), (_, behind) = (pen.ax.transData.transform(one.get_xydata()).T for one in (line, other))
    apart = width_between(x, y, behind)
    return apart * 72 / pen.ax.figure.dpi > pen.stroke()


def width_between(x: Floats, y: Floats, other: Floats) -> float:
    """Return how far apart two curves over the same x get, across their direction."""
    return float((np.abs(y - other) / np.hypot(1.0, np.gradient(y, x))).max())


def _name_curves(pen: Pen, lines: Mapping[str, Line2D]) -> list[Text]:
    """Write the curves' names behind their ends; the axis of counts ends where they do."""
    n = float(next(iter(lines.values())).get_xdata()[-1])
    texts = label_ends(pen, lines)
    ticks = MaxNLocator(**TICKS).tick_values(0, n)
    pen.ax.set_xticks(ticks[(ticks >= 0) & (ticks <= n)])
    pen.ax.xaxis.label.set_x(0.5 * n / pen.ax.get_xlim()[1])
    return texts
