"""Draw what every cut of a batch is expected to be worth: one curve per metric, its optimum ringed.

Takes decisions that were computed and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.decision import plug_in_utilities
from rocviz.displays.base.labels import (
    add_text,
    in_the_way,
    place_near,
    place_texts,
    settle,
    text_box,
    type_scale,
)
from rocviz.displays.base.line_ends import label_ends
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import (
    font,
    handle,
    model_look,
    outline,
    resolve_theme,
    stroke,
    style_axes,
)
from rocviz.words import amount, number, rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    from rocviz.core.decisions.decision import Decision
    from rocviz.theme import Theme

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


def value_text(value: float) -> str:
    """Write a utility: as a rate if it can be one, else with its sign."""
    return rate(value) if 0 <= value <= 1 else number(value)


def draw_utilities(
    ax: Axes,
    decisions: Mapping[str, Decision],
    *,
    plug_in: bool = True,
    theme: Theme | str | None = None,
) -> dict[str, UtilityArtists]:
    """Draw the expected utility of every cut, its optimum, and what the plug-in rule takes it for.

    Parameters
    ----------
    ax : matplotlib Axes
    decisions : mapping of str to Decision
        By the name of the metric; for the same probabilities.
    plug_in : bool, default=True
        Draw the utilities of the expected confusion tables too, dashed.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    dict of str to UtilityArtists
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    first = next(iter(decisions.values()))
    n = first.n_samples
    ax.set_xlim(-0.02 * n, 1.02 * n)
    made, low, high = {}, np.inf, -np.inf
    for i, (name, decision) in enumerate(decisions.items()):
        made[name] = _curve(ax, name, decision, i, plug_in, theme)
        shown = [made[name].line, *([made[name].plug_in] if plug_in else [])]
        values = np.concatenate([np.asarray(line.get_ydata(), float) for line in shown if line])
        low, high = min(low, values.min()), max(high, values.max())
    scale = max(abs(low), abs(high), 1.0)
    room = 0.09 * (high - low if high - low > 1e-9 * scale else scale)
    ax.set_ylim(0 if 0 <= low < 0.5 * high else low - room, high + room)
    ax.xaxis.set_major_locator(MaxNLocator(**TICKS))
    what = next(iter(decisions)) if len(decisions) == 1 else "utility"
    ax.set(xlabel=f"called positive, k of {amount(n)}", ylabel=f"expected {what}")
    _label_utilities(ax, decisions, made, plug_in, theme)
    return made


def _curve(
    ax: Axes, name: str, decision: Decision, i: int, plug_in: bool, theme: Theme
) -> UtilityArtists:
    look = model_look(_LOOKS[i % len(_LOOKS)], theme)
    n, best = decision.n_samples, decision.k_star
    k = np.unique(np.append(np.linspace(0, n, min(n + 1, POINTS)).round().astype(int), best))
    dashed = None
    if plug_in:
        utilities = plug_in_utilities(decision.y_prob, decision.metric)
        (dashed,) = ax.plot(
            k,
            utilities[k],
            color=look.outline or look.colour,
            linestyle=_DASH,
            linewidth=stroke(theme, 0.6),
            zorder=2.5,
            label=f"_plug-in {name}",
        )
        note(dashed, "plug-in", touch=0.4)
    (line,) = ax.plot(
        k,
        decision.utilities[k],
        color=look.colour,
        linewidth=stroke(theme),
        solid_joinstyle="round",
        marker="o" if n <= _FEW else "",
        markersize=handle(theme, 0.3),
        zorder=3,
        label=name,
    )
    outline(line, look.outline, stroke(theme, 1.6))
    note(line, "utilities")
    (ring,) = ax.plot(
        [best],
        [decision.utility],
        marker="o",
        linestyle="none",
        markersize=handle(theme, 0.62),
        markerfacecolor=theme.colour("paper"),
        markeredgecolor=theme.colour("optimum"),
        markeredgewidth=stroke(theme),
        clip_on=False,
        zorder=5,
        label=f"_optimum {name}",
    )
    note(ring, "optimum")
    return UtilityArtists(line, ring, dashed)


def _label_utilities(
    ax: Axes,
    decisions: Mapping[str, Decision],
    made: Mapping[str, UtilityArtists],
    plug_in: bool,
    theme: Theme,
) -> None:
    settle(ax)
    size = font(theme, type_scale(ax, theme))
    bold = {"color": theme.colour("text"), "fontsize": size, "fontweight": "bold"}
    taken = in_the_way(ax)
    if len(decisions) == 1:
        ((name, decision),) = decisions.items()
        best = f"{name} {value_text(decision.utility)} at k = {amount(decision.k_star)}"
        text = add_text(ax, best, theme, **bold)
        note(text, "label")
        at = (float(decision.k_star), decision.utility)
        angles = (45, 20, 70, 90, 135, 160, -45, -20, -90, 0, 180, -135, -160)
        taken, _ = place_near(ax, text, at, taken, reach=(1.0, 1.6, 2.4, 3.6, 5.0), angles=angles)
    else:
        names = _name_curves(ax, {name: one.line for name, one in made.items()}, theme)
        taken = in_the_way(ax)
        for text in names:
            taken = taken.with_box(text_box(text))
    if plug_in:
        seen = any(_differ(ax, one.line, one.plug_in, theme) for one in made.values())
        said = add_text(
            ax,
            "dashed: metric of the expected counts"
            if seen
            else "the metric of the expected counts looks the same",
            theme,
            color=theme.colour("muted"),
            fontsize=0.85 * size,
        )
        note(said, "label")
        place_texts(ax, [said], taken, (0.85 if len(decisions) == 1 else 0.4, 0.06))


def _differ(ax: Axes, line: Line2D, other: Line2D | None, theme: Theme) -> bool:
    """Return whether one can see that two curves over the same k are two."""
    if other is None:
        return False
    (x, y), (_, behind) = (ax.transData.transform(one.get_xydata()).T for one in (line, other))
    apart = width_between(x, y, behind)
    return apart * 72 / ax.figure.dpi > stroke(theme)


def width_between(x: Floats, y: Floats, other: Floats) -> float:
    """Return how far apart two curves over the same x get, across their direction."""
    return float((np.abs(y - other) / np.hypot(1.0, np.gradient(y, x))).max())


def _name_curves(ax: Axes, lines: Mapping[str, Line2D], theme: Theme) -> list[Text]:
    """Write the curves' names behind their ends; the axis of counts ends where they do."""
    n = float(next(iter(lines.values())).get_xdata()[-1])
    texts = label_ends(ax, lines, theme)
    for text in texts:
        note(text, "label")
    ticks = MaxNLocator(**TICKS).tick_values(0, n)
    ax.set_xticks(ticks[(ticks >= 0) & (ticks <= n)])
    ax.xaxis.label.set_x(0.5 * n / ax.get_xlim()[1])
    return texts
