"""Draw the Fermi-Dirac law of a ranking: levels and who fills them, the law, its ROC curve.

Takes computed results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import rank_frequencies
from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.labels import (
    Obstacles,
    Row,
    in_the_way,
    legend,
    place_if_free,
    place_near,
)
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import unit_ticks
from rocviz.displays.fermi_dirac.draw_levels import draw_levels
from rocviz.theme import Theme
from rocviz.words import amount, area_text, number, rank_text, sample_counts

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
    """Make a wide and a square axes side by side, on a new pyplot figure."""
    scale = figure_scale(theme)
    axes = panels(theme, "AB", 11.2 * scale, 5.4 * scale, ratios=((1.2, 1.0), None), wspace=0.2)
    # the levels below the left one leave room below the right one
    axes[1].set_anchor("N")
    return axes


def draw_occupation(
    pen: Pen,
    segments: RankedSegments,
    law: FermiDirac,
    *,
    name: str | None = None,
    pos_label: Any = None,
    n_slices: int | None = None,
    confidence: float = 0.95,
    alone: bool = True,
    style: Mapping[str, Any],
) -> OccupationArtists:
    """Draw the law over the ranks, the data's frequencies, and the levels below.

    The axes give up some height for the levels. Weights are whole; a ``pos_label`` that is a string
    is used in the labels; each slice has its frequency with Wilson's interval. ``alone`` writes
    name, AUC and counts too, which a ROC curve beside it would say.
    """
    pen.frame()
    n = law.ranks.size
    slices = rank_frequencies(segments, n_slices)
    lower, upper = binomial_interval(slices.pos, slices.n, confidence=confidence, method="wilson")
    ends = law.probability([0.5, n + 0.5])
    _height(pen.ax, max(float(upper.max()), float(ends.max())))
    pen.ax.set(xlim=(0.5, n + 0.5), ylabel="probability of a positive")
    levels = draw_levels(pen, segments)
    pen.settle()
    bars = pen.ax.vlines(
        slices.rank,
        lower,
        upper,
        color=pen.colour("ranking"),
        alpha=0.35,
        linewidth=pen.stroke(0.5),
        zorder=2,
        label="_intervals",
    )
    note(bars, "intervals", touch=0.25)
    points = pen.ax.scatter(
        slices.rank,
        slices.frequency,
        s=pen.handle(0.45) ** 2,
        facecolor=pen.colour("ranking"),
        linewidth=0,
        clip_on=False,
        zorder=3.5,
        label="_frequencies",
    )
    note(points, "bubbles", touch=0.5)
    line = _curve(pen, law, n)
    line.set(**style)
    threshold, potential = _marks(pen, law, n)
    sizes = " or ".join(amount(k) for k in np.unique(slices.n))
    heat = f"T = {_heat(law.temperature)} ranks"
    # small axes have no room for what can be read in the documentation
    cramped = pen.scale < _CRAMPED
    small: list[Row] = []
    if not cramped:
        ranks = f"{sizes} {'rank' if sizes == '1' else 'ranks'}"
        small.append(Row(f"positives among {ranks}", points, "muted", bold=False))
        small.append(Row(f"{100 * confidence:g} % intervals, Wilson", bars, "muted", bold=False))
    called = style.get("label", "" if cramped else "Fermi-Dirac law")
    bold = [Row(f"{called}, {heat}" if called else heat, line, "hull-text")]
    if alone:
        area = area_text(segments, lambda one: one.auc)
        bold.insert(0, Row(f"{name or 'data'}, AUC {area}"))
        small.append(Row(sample_counts(segments, pos_label), thing="muted", bold=False))
    _label(pen, law, bold, small)
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


def _curve(pen: Pen, law: FermiDirac, n: int) -> Line2D:
    near = np.clip(law.threshold_rank, 0.5, n + 0.5)
    middle = np.clip(law.chemical_potential, 0.5, n + 0.5)
    scale = min(abs(law.temperature), n)
    step = np.linspace(-12, 12, 121) * scale
    x = np.concatenate((np.linspace(0.5, n + 0.5, 601), middle + step, near + step))
    if not scale:
        x = np.concatenate((x, middle + np.array([-1e-9, 1e-9]) * n))
    x = np.unique(np.clip(x, 0.5, n + 0.5))
    return pen.line(
        x,
        law.probability(x),
        "hull",
        solid_joinstyle="round",
        clip_on=False,
        label=f"Fermi-Dirac (T = {law.temperature:.4g})",
        zorder=3,
    )


def _marks(pen: Pen, law: FermiDirac, n: int) -> tuple[Line2D | None, Line2D | None]:
    """Draw r* where the law crosses the prevalence, and mu where it crosses one half."""
    made: list[Line2D | None] = []
    top = pen.ax.get_ylim()[1]
    for thing, rank, height in (
        ("optimum", law.threshold_rank, law.prevalence),
        ("held", law.chemical_potential, 0.5),
    ):
        if height > top:
            made.append(None)
            continue
        looks = {"role": "guide", "label": "_guide", "zorder": 1.5}
        pen.level(height, thing, 0.4, (0, (1, 3)), **looks)
        if not 0.5 <= rank <= n + 0.5:
            made.append(None)
            continue
        looks = {"markevery": [1], "linestyle": "-", "linewidth": pen.stroke(0.8)}
        looks |= {"role": thing, "label": f"_{thing}", "zorder": 5}
        drop = pen.dots([rank, rank], [0, height], thing, 0.62, "paper", 0.6, **looks)
        made.append(drop)
    return made[0], made[1]


def _heat(temperature: float) -> str:
    if np.isinf(temperature):
        return "∞"
    text = f"{temperature:{',.0f' if 1000 <= abs(temperature) < 1e9 else '.3g'}}"
    return text.replace("-", "−").removeprefix("−0") or "0"


def _label(pen: Pen, law: FermiDirac, bold: list[Row], small: list[Row]) -> None:
    scale = pen.scale
    taken = _label_prevalence(pen, law, in_the_way(pen.ax), 0.85 * scale)
    marks = [
        ("held", law.chemical_potential, 0.5, "μ"),
        ("optimum", law.threshold_rank, law.prevalence, "r*"),
    ]
    if law.n_pos == law.n_neg:
        marks = [("held", law.chemical_potential, 0.5, "μ = r*")]
    low, high = pen.ax.get_xlim()
    falls = law.auc >= 0.5
    for thing, rank, height, symbol in marks:
        words = f"{symbol} = {rank_text(rank)}"
        if not low <= rank <= high:
            away = "after" if rank > high else "before"
            bold.append(Row(f"{words}, {away} all ranks", thing=f"{thing}-text"))
        else:
            text = pen.text(words, f"{thing}-text", scale, bold=True)
            outer = (45, 20, 70, 0) if falls else (135, 160, 110, 180)
            inner = (-150, 180, -120) if falls else (-30, 0, -60)
            reach = (0.9, 1.4, 2.0, 3.0, 4.5)
            angles = (*outer, *inner, 90, -90)
            taken, _ = place_near(text, (rank, height), taken, reach=reach, angles=angles)
    legend(pen, [*bold, *small], (0.8, 0.85) if falls else (0.2, 0.85), taken=taken)


def _label_prevalence(pen: Pen, law: FermiDirac, taken: Obstacles, scale: float) -> Obstacles:
    """Write what the guide through r* is, at the end that the law leaves free."""
    lift = ScaledTranslation(0, 0.2 * pen.font(scale) / 72, pen.ax.figure.dpi_scale_trans)
    looks = {"va": "bottom", "transform": pen.ax.get_yaxis_transform() + lift}
    looks |= {"x": 0.99, "ha": "right"} if law.auc >= 0.5 else {"x": 0.01, "ha": "left"}
    words = f"prevalence {number(law.prevalence)}"
    return place_if_free(pen.text(words, "muted", scale, y=law.prevalence, **looks), taken)


# ---------------------------------------------------------------------- ROC


def draw_implied_roc(pen: Pen, law: FermiDirac) -> Line2D:
    """Draw the ROC curve of the law beside the data's; labels are written by ``label_roc``."""
    fpr, tpr = law.roc_curve()
    # far more vertices than a picture has pixels add nothing
    along = fpr + tpr
    at = np.unique(np.searchsorted(along, np.linspace(0, along[-1], 2000)))
    line = pen.line(
        fpr[at],
        tpr[at],
        "hull",
        0.85,
        (0, (4, 2)),
        clip_on=False,
        zorder=4,
        label=f"Fermi-Dirac (AUC = {law.auc:0.2f})",
    )
    note(line, "hull", text="Fermi-Dirac law, same AUC")
    return line
