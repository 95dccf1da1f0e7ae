"""Draw the Fermi-Dirac law of a ranking: levels and who fills them, the law, its ROC curve.

Takes computed results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.transforms import ScaledTranslation

from rocviz.core.fermi_dirac.rank_levels import rank_frequencies
from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.labels import (
    Obstacles,
    add_text,
    in_the_way,
    place_near,
    place_texts,
    settle,
    text_box,
    type_scale,
)
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import font, handle, stroke, style_axes, unit_ticks
from rocviz.displays.fermi_dirac.draw_levels import draw_levels
from rocviz.words import amount, rate, sample_counts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PathCollection
    from matplotlib.lines import Line2D

    from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
    from rocviz.core.roc.segments import RankedSegments
    from rocviz.theme import Theme

_CRAMPED = 0.9  # scale of type below which less is written


@dataclass(frozen=True)
class OccupationArtists:
    """What :func:`draw_occupation` put on the axes; ``None`` for what lies beyond them."""

    levels_ax: Axes
    line: Line2D
    points: PathCollection
    intervals: LineCollection
    threshold: Line2D | None
    potential: Line2D | None


def two_panels(theme: Theme) -> list[Axes]:
    """Return a wide and a square axes side by side, on a new pyplot figure."""
    scale = figure_scale(theme)
    axes = panels(theme, "AB", 11.2 * scale, 5.4 * scale, ratios=((1.2, 1.0), None), wspace=0.2)
    # the levels below the left one leave room below the right one
    axes[1].set_anchor("N")
    return axes


def draw_occupation(
    ax: Axes,
    segments: RankedSegments,
    law: FermiDirac,
    *,
    name: str | None = None,
    pos_label: Any = None,
    n_slices: int | None = None,
    confidence: float = 0.95,
    alone: bool = True,
    theme: Theme,
) -> OccupationArtists:
    """Draw the law over the ranks, the data's frequencies, and the levels below.

    Parameters
    ----------
    ax : matplotlib Axes
        Gives up some height for the levels.
    segments : RankedSegments
        With whole weights.
    law : FermiDirac
        Of these segments.
    name : str, optional
        Of the model.
    pos_label : label, optional
        If it is a string, the positives are called by it.
    n_slices : int, optional
        Of the ranking, each with its frequency.
    confidence : float, default=0.95
        Of Wilson's intervals of the frequencies.
    alone : bool, default=True
        Write name, AUC and counts too, which a ROC curve beside it would say.
    theme : Theme

    Returns
    -------
    OccupationArtists
    """
    style_axes(ax, theme)
    n = law.ranks.size
    slices = rank_frequencies(segments, n_slices)
    lower, upper = binomial_interval(slices.pos, slices.n, confidence=confidence, method="wilson")
    ends = law.probability([0.5, n + 0.5])
    _height(ax, max(float(upper.max()), float(ends.max())))
    ax.set(xlim=(0.5, n + 0.5), ylabel="probability of a positive")
    levels = draw_levels(ax, segments, theme)
    settle(ax)
    bars = ax.vlines(
        slices.rank,
        lower,
        upper,
        color=theme.colour("ranking"),
        alpha=0.35,
        linewidth=stroke(theme, 0.5),
        zorder=2,
        label="_intervals",
    )
    note(bars, "intervals", touch=0.25)
    points = ax.scatter(
        slices.rank,
        slices.frequency,
        s=handle(theme, 0.45) ** 2,
        facecolor=theme.colour("ranking"),
        linewidth=0,
        clip_on=False,
        zorder=3.5,
        label="_frequencies",
    )
    note(points, "bubbles", touch=0.5)
    line = _curve(ax, law, n, theme)
    threshold, potential = _marks(ax, law, n, theme)
    sizes = " or ".join(amount(k) for k in np.unique(slices.n))
    heat = f"T = {_heat(law.temperature)} ranks"
    # small axes have no room for what can be read in the documentation
    cramped = type_scale(ax, theme) < _CRAMPED
    small = []
    if not cramped:
        small.append(f"dots: positives among {sizes} {'rank' if sizes == '1' else 'ranks'}")
        small.append(f"{100 * confidence:g} % intervals, Wilson")
    bold = [(heat if cramped else f"Fermi-Dirac law, {heat}", "hull-text")]
    if alone:
        bold.insert(0, (f"{name or 'data'}, AUC {rate(segments.auc)}", "text"))
        small.append(sample_counts(segments, pos_label))
    _label(ax, law, bold, small, theme)
    return OccupationArtists(levels, line, points, bars, threshold, potential)


def _height(ax: Axes, highest: float) -> None:
    """Let the axis end at 1, or at a rounder part of it where all probabilities are small."""
    top = next(end for end in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if highest <= 0.9 * end or end == 1)
    ax.set_ylim(0, top)
    if top == 1:
        unit_ticks(ax.yaxis)
    else:
        ticks = np.linspace(0, top, 6 if top in (0.05, 0.1, 0.5) else 5)
        ax.set_yticks(ticks, [f"{t:g}".removeprefix("0") or "0" for t in ticks.round(6)])


def _curve(ax: Axes, law: FermiDirac, n: int, theme: Theme) -> Line2D:
    near = np.clip(law.threshold_rank, 0.5, n + 0.5)
    middle = np.clip(law.chemical_potential, 0.5, n + 0.5)
    scale = min(abs(law.temperature), n)
    step = np.linspace(-12, 12, 121) * scale
    x = np.concatenate((np.linspace(0.5, n + 0.5, 601), middle + step, near + step))
    if not scale:
        x = np.concatenate((x, middle + np.array([-1e-9, 1e-9]) * n))
    x = np.unique(np.clip(x, 0.5, n + 0.5))
    (line,) = ax.plot(
        x,
        law.probability(x),
        color=theme.colour("hull"),
        linewidth=stroke(theme),
        solid_joinstyle="round",
        clip_on=False,
        label=f"Fermi-Dirac (T = {law.temperature:.4g})",
        zorder=3,
    )
    return line


def _marks(ax: Axes, law: FermiDirac, n: int, theme: Theme) -> tuple[Line2D | None, Line2D | None]:
    """Draw r* where the law crosses the prevalence, and mu where it crosses one half."""
    made: list[Line2D | None] = []
    top = ax.get_ylim()[1]
    for thing, rank, height in (
        ("optimum", law.threshold_rank, law.prevalence),
        ("held", law.chemical_potential, 0.5),
    ):
        if height > top:
            made.append(None)
            continue
        guide = ax.axhline(
            height,
            color=theme.colour(thing),
            linewidth=stroke(theme, 0.4),
            linestyle=(0, (1, 3)),
            zorder=1.5,
            label="_guide",
        )
        note(guide, "guide", touch=0.05)
        if not 0.5 <= rank <= n + 0.5:
            made.append(None)
            continue
        (drop,) = ax.plot(
            [rank, rank],
            [0, height],
            color=theme.colour(thing),
            linewidth=stroke(theme, 0.8),
            marker="o",
            markevery=[1],
            markersize=handle(theme, 0.62),
            markeredgecolor=theme.colour("paper"),
            markeredgewidth=stroke(theme, 0.6),
            clip_on=False,
            zorder=5,
            label=f"_{thing}",
        )
        note(drop, thing, touch=1.0)
        made.append(drop)
    return made[0], made[1]


def _number(rank: float) -> str:
    """Write a rank with one decimal, or shortly where it is far away."""
    if np.isinf(rank):
        return "∞" if rank > 0 else "−∞"
    text = f"{rank:,.1f}" if abs(rank) < 1e6 else f"{rank:.1e}"
    return text.replace("-", "−")


def _heat(temperature: float) -> str:
    if np.isinf(temperature):
        return "∞"
    text = f"{temperature:.3g}" if abs(temperature) < 1000 else f"{temperature:,.0f}"
    return text.replace("-", "−").removeprefix("−0") or "0"


def _label(
    ax: Axes, law: FermiDirac, bold: list[tuple[str, str]], small: list[str], theme: Theme
) -> None:
    scale = type_scale(ax, theme)
    strong: dict[str, Any] = {"fontweight": "bold", "fontsize": font(theme, scale)}
    weak: dict[str, Any] = {"fontsize": font(theme, 0.85 * scale), "color": theme.colour("muted")}
    taken = _label_prevalence(ax, law, in_the_way(ax), weak, theme)
    marks = [
        ("held", law.chemical_potential, 0.5, "μ"),
        ("optimum", law.threshold_rank, law.prevalence, "r*"),
    ]
    if law.n_pos == law.n_neg:
        marks = [("held", law.chemical_potential, 0.5, "μ = r*")]
    low, high = ax.get_xlim()
    block = [(text, {**strong, "color": theme.colour(thing)}) for text, thing in bold]
    falls = law.auc >= 0.5
    for thing, rank, height, symbol in marks:
        words = f"{symbol} = {_number(rank)}"
        look = {**strong, "color": theme.colour(f"{thing}-text")}
        if not low <= rank <= high:
            block.append((f"{words}, {'after' if rank > high else 'before'} all ranks", look))
        else:
            text = add_text(ax, words, theme, **look)
            note(text, "label")
            outer = (45, 20, 70, 0) if falls else (135, 160, 110, 180)
            inner = (-150, 180, -120) if falls else (-30, 0, -60)
            reach = (0.9, 1.4, 2.0, 3.0, 4.5)
            angles = (*outer, *inner, 90, -90)
            taken, _ = place_near(ax, text, (rank, height), taken, reach=reach, angles=angles)
    texts = [add_text(ax, text, theme, **look) for text, look in block]
    texts += [add_text(ax, text, theme, **weak) for text in small]
    for text in texts:
        note(text, "label")
    place_texts(ax, texts, taken, (0.8, 0.85) if falls else (0.2, 0.85))


def _label_prevalence(
    ax: Axes, law: FermiDirac, taken: Obstacles, look: dict[str, Any], theme: Theme
) -> Obstacles:
    """Write what the guide through r* is, at the end that the law leaves free."""
    falls = law.auc >= 0.5
    lift = 0.2 * look["fontsize"] / 72
    text = add_text(
        ax,
        f"prevalence {rate(law.prevalence)}",
        theme,
        x=0.99 if falls else 0.01,
        y=law.prevalence,
        ha="right" if falls else "left",
        va="bottom",
        transform=ax.get_yaxis_transform() + ScaledTranslation(0, lift, ax.figure.dpi_scale_trans),
        **look,
    )
    box = text_box(text)
    if taken.cost(box, 0.0, ax.get_window_extent()) > 3:
        text.remove()
        return taken
    note(text, "label")
    return taken.with_box(box)


# ---------------------------------------------------------------------- ROC


def draw_implied_roc(ax: Axes, law: FermiDirac, *, theme: Theme) -> Line2D:
    """Draw the ROC curve of the law beside the data's; labels are written by ``label_roc``.

    Parameters
    ----------
    ax : matplotlib Axes
        With the data's curve.
    law : FermiDirac
    theme : Theme

    Returns
    -------
    Line2D
    """
    fpr, tpr = law.roc_curve()
    # far more vertices than a picture has pixels add nothing
    along = fpr + tpr
    at = np.unique(np.searchsorted(along, np.linspace(0, along[-1], 2000)))
    (line,) = ax.plot(
        fpr[at],
        tpr[at],
        color=theme.colour("hull"),
        linewidth=stroke(theme, 0.85),
        linestyle=(0, (4, 2)),
        clip_on=False,
        zorder=4,
        label=f"Fermi-Dirac (AUC = {law.auc:0.2f})",
    )
    note(line, "hull", text="Fermi-Dirac law, same AUC", colour=theme.colour("hull-text"), data="")
    return line
