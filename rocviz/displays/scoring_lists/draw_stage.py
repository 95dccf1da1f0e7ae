"""Draw one stage of a scoring list: probability against total score, its band, who had it.

Takes a stage and draws it; computes no number that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.displays.base.figure import strip_below
from rocviz.displays.base.labels import Obstacles, Row, in_the_way, legend, text_box
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import unit_ticks
from rocviz.words import amount, number, percent

#: What the intervals are called.
METHODS = {"clopper-pearson": "Clopper–Pearson", "wilson": "Wilson", "jeffreys": "Jeffreys"}

_ZONE = 0.13  # opacity of the zones beyond the limits
_BAR = 0.62  # width of bars and intervals, in steps of the smallest distance of totals
_NUMBERS = 16  # most totals whose counts are written at their bars


@dataclass(frozen=True)
class StageArtists:
    """What :func:`draw_stage` put on the axes; ``None`` for what there is not."""

    line: Line2D
    observed: Line2D | None
    intervals: LineCollection | None
    limits: dict[str, Line2D]
    counts_ax: Axes | None


def draw_stage(
    pen: Pen,
    stage: ScoringStage,
    band: StageBand | None = None,
    *,
    lower: float | None = None,
    upper: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    pos_label: str = "positive",
) -> StageArtists:
    """Draw what a stage says of each total, and how many had it below.

    The axes give up some height for the counts. What lies beyond the limits at which one stops is
    shaded. With the cost of a miss, in false alarms, the probability is drawn from which it calls
    positive; ``prior`` is that before the first question, and all are probabilities of
    ``pos_label``.
    """
    pen.frame()
    totals = stage.totals.astype(float)
    step = float(-np.diff(totals).max()) if len(stage) > 1 else 1.0
    pen.ax.set(xlim=(totals[-1] - 0.75 * step, totals[0] + 0.75 * step), ylim=(0, 1))
    unit_ticks(pen.ax.yaxis)
    of_whom = "" if pos_label == "positive" else f" of {pos_label}"
    pen.ax.set_ylabel(f"probability{of_whom}", parse_math=False)
    pen.ax.grid(False, axis="x")
    limits = _limits(pen, lower, upper, cost_fn)
    if prior is not None:
        looks = {"role": "prior", "touch": 0.2, "label": "_prior", "zorder": 1.5}
        limits["prior"] = pen.level(prior, "reference", 0.8, (0, (1, 2)), **looks)
    intervals = None if band is None else _intervals(pen, stage, band, step)
    line = _line(pen, stage)
    observed = _observed(pen, stage) if stage.has_counts else None
    below = _counts(pen, stage, step, pos_label) if stage.has_counts else None
    lowest = pen if below is None else below
    lowest.ax.set_xlabel("total score")
    _ticks(lowest, stage)
    pen.settle()
    _label(pen, stage, band, (lower, upper, cost_fn, prior), pos_label)
    return StageArtists(line, observed, intervals, limits, below and below.ax)


def _ticks(pen: Pen, stage: ScoringStage) -> None:
    """Write as many totals as there is room for."""
    pen.settle()
    ems = pen.size[0] / pen.font()
    low, high = int(stage.totals[-1]), int(stage.totals[0])
    room = max(2, int(ems / 2.2))
    every = next(e for e in (1, 2, 5, 10, 20, 50, 100, 10**6) if (high - low) / e <= room)
    ticks = [t for t in range(low, high + 1) if t % every == 0]
    pen.ax.set_xticks(ticks, [f"{t}".replace("-", "−") for t in ticks])


def _limits(
    pen: Pen, lower: float | None, upper: float | None, cost_fn: float | None
) -> dict[str, Line2D]:
    made: dict[str, Line2D] = {}
    for name, thing, level, end in (
        ("lower", "negative", lower, 0.0),
        ("upper", "positive", upper, 1.0),
    ):
        if level is None:
            continue
        zone = {"color": pen.colour(thing), "alpha": _ZONE * (1.6 if pen.theme.dark else 1.0)}
        pen.ax.axhspan(*sorted((level, end)), linewidth=0, zorder=0.5, **zone)
        made[name] = pen.level(level, thing, 0.7, role=name, touch=0.4, zorder=1.6)
    if cost_fn is not None:
        looks = {"role": "cost", "touch": 0.4, "zorder": 1.7}
        made["cost"] = pen.level(1 / (1 + cost_fn), "optimum", 0.8, (0, (6, 2)), **looks)
    return made


def _intervals(pen: Pen, stage: ScoringStage, band: StageBand, step: float) -> LineCollection:
    colour = pen.colour("hull")
    pen.ax.bar(
        stage.totals,
        band.upper - band.lower,
        _BAR * step,
        band.lower,
        color=colour,
        alpha=0.3 if pen.theme.dark else 0.2,
        linewidth=0,
        zorder=2,
        label="_band",
    )
    some = ~band.is_empty
    half = 0.5 * _BAR * step
    ends = np.concatenate((band.lower[some], band.upper[some]))
    at = np.concatenate((stage.totals[some], stage.totals[some]))
    caps = pen.ax.hlines(
        ends, at - half, at + half, color=colour, linewidth=pen.stroke(0.7), zorder=2.2
    )
    note(caps, "intervals", touch=0.3)
    bars = pen.ax.vlines(
        stage.totals[some], band.lower[some], band.upper[some], color=colour, alpha=0.0, zorder=2
    )
    note(bars, "intervals", touch=0.3)
    if band.is_empty.any():
        looks = {"marker": "x", "markersize": pen.font(1.1), "role": "contradiction", "zorder": 6}
        where = stage.totals[band.is_empty], stage.probability[band.is_empty]
        pen.dots(*where, "text", 1.0, "text", 0.9, label="_contradiction", **looks)
    return bars


def _line(pen: Pen, stage: ScoringStage) -> Line2D:
    looks = {"role": "curve", "label": "_probability", "clip_on": False, "zorder": 3}
    line = pen.line(stage.totals, stage.probability, "hull", 0.8, (0, (4, 2)), **looks)
    seen = stage.n > 0 if stage.has_counts else np.ones(len(stage), dtype=bool)
    for which, inks in ((seen, ("hull", "paper")), (~seen, ("paper", "hull"))):
        if which.any():
            at, (face, rim) = (stage.totals[which], stage.probability[which]), inks
            pen.dots(*at, face, 0.5, rim, 0.55, role="totals", label="_totals", zorder=4)
    return line


def _observed(pen: Pen, stage: ScoringStage) -> Line2D:
    """Draw what happened as a short stroke across each total."""
    pos, neg = stage.counts
    seen = pos + neg > 0
    at = stage.totals[seen], pos[seen] / (pos + neg)[seen]
    looks = {"marker": "_", "markersize": pen.font(1.5), "label": "_observed", "zorder": 5}
    return pen.dots(*at, "ranking", 1.0, "ranking", 0.9, role="observed", **looks)


# ---------------------------------------------------------------------- counts below


def _counts(pen: Pen, stage: ScoringStage, step: float, pos_label: str) -> Pen:
    """Draw how many positives (up) and negatives (down) had each total, to one scale."""
    below = strip_below(pen)
    pos, neg = stage.counts
    most = max(pos.max(), neg.max())
    scale = below.scale
    for thing, side, sign in (("positive", pos, 1), ("negative", neg, -1)):
        looks = {"color": pen.colour(thing), "linewidth": 0, "label": f"_{thing}s", "zorder": 2}
        below.ax.bar(stage.totals, sign * side / most, _BAR * step, **looks)
        end = {"va": "bottom" if sign > 0 else "top"}
        for total, n in zip(stage.totals, side, strict=True):
            if len(stage) <= _NUMBERS and n:
                at, shift = (total, sign * n / most), (0, sign * pen.font(0.25))
                below.beside(amount(n), at, shift, f"{thing}-text", 0.8 * scale, ha="center", **end)
        called = f"{thing}s"
        if pos_label != "positive":
            called = pos_label if sign > 0 else "others"
        place = {"x": 0.0, "y": 0.99, "ha": "left", "va": "top"}
        if sign < 0:
            place = {"x": 1.0, "y": 0.01, "ha": "right", "va": "bottom"}
        words = f"{amount(side.sum())} {called}"
        below.text(words, f"{thing}-text", 0.9 * scale, bold=True, **place)
    below.level(0, "reference", 0.4, zorder=3)
    below.ax.set_ylim(-1.9, 1.9)
    below.ax.set_yticks([])
    below.ax.grid(False)
    below.ax.spines["left"].set_visible(False)
    pen.ax.tick_params(labelbottom=False)
    return below


# ---------------------------------------------------------------------- words


def _label(
    pen: Pen,
    stage: ScoringStage,
    band: StageBand | None,
    levels: tuple[float | None, ...],
    pos_label: str,
) -> None:
    scale = pen.scale
    taken = in_the_way(pen.ax)
    lower, upper, cost_fn, prior = levels
    other = "negative" if pos_label == "positive" else f"not {pos_label}"
    lines = [
        (upper, "positive-text", f"stop: {pos_label}, from {_level(upper)}", True),
        (lower, "negative-text", f"stop: {other}, up to {_level(lower)}", False),
    ]
    if cost_fn is not None:
        words = f"a miss costs {cost_fn:g}: {pos_label} above {percent(1 / (1 + cost_fn))}"
        lines.append((1 / (1 + cost_fn), "optimum-text", words, True))
    lines.append((prior, "muted", f"before the first question {_rate(prior)}", True))
    for level, thing, words, above in lines:
        if level is not None:
            taken = _along(pen, words, level, above, taken, thing, 0.85 * scale)
    strong, weak = ["● what it says"], []
    if stage.has_counts:
        strong.append("— what happened")
        weak += ["○ no samples"] * bool((stage.n == 0).any())
    if band is not None:
        weak.append(band_words(band))
        weak += ["× counts contradict the order"] * bool(band.is_empty.any())
    inks = ("hull-text", "text")
    rows = [Row(words, thing=thing) for words, thing in zip(strong, inks, strict=False)]
    rows += [Row(words, thing="muted", bold=False) for words in weak]
    legend(pen, rows, (0.15, 0.75), taken=taken)


def _rate(level: float | None) -> str:
    return "" if level is None else number(level)


def _level(level: float | None) -> str:
    return "" if level is None else percent(level)


def band_words(band: StageBand) -> str:
    """Describe the intervals of a band in words."""
    together = " together" if band.correction else ""
    return f"{percent(band.confidence)} intervals{together}, {METHODS[band.method]}"


def _along(
    pen: Pen, words: str, level: float, above: bool, taken: Obstacles, thing: str, scale: float
) -> Obstacles:
    """Write on a level line, at the end and on the side where that touches least."""
    lift = 0.25 * pen.font(scale) / 72
    best, best_cost = None, np.inf
    for x, ha in ((0.01, "left"), (0.99, "right"), (0.5, "center")):
        for up in (above, not above):
            move = ScaledTranslation(0, lift if up else -lift, pen.ax.figure.dpi_scale_trans)
            looks = {"x": x, "y": level, "ha": ha, "va": "bottom" if up else "top"}
            looks["transform"] = pen.ax.get_yaxis_transform() + move
            text = pen.text(words, thing, scale, bold=thing != "muted", **looks)
            cost = taken.cost(text_box(text), 0.0, pen.ax.get_window_extent())
            if cost < best_cost - 0.5:
                if best is not None:
                    best.remove()
                best, best_cost = text, cost
            else:
                text.remove()
    if best is None:
        raise AssertionError("one of several places costs least")
    return taken.with_box(text_box(best))
