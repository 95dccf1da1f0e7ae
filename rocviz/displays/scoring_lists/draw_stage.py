"""Draw one stage of a scoring list: probability against total score, its band, who had it.

Takes a stage and draws it; computes no number that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.transforms import ScaledTranslation

from rocviz.displays.base.figure import axes_of, strip_below
from rocviz.displays.base.labels import (
    add_text,
    in_the_way,
    place_texts,
    settle,
    text_box,
    type_scale,
)
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import font, handle, resolve_theme, stroke, style_axes, unit_ticks
from rocviz.words import amount, percent, rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    from rocviz.core.scoring_lists.stage import ScoringStage
    from rocviz.core.scoring_lists.stage_band import StageBand
    from rocviz.theme import Theme

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


def stage_axes(theme: Theme) -> Axes:
    """Return the axes of a new pyplot figure with room for a heading."""
    return axes_of(None, theme, width=8.2, height=6.2, top=2.8)


def draw_stage(
    ax: Axes,
    stage: ScoringStage,
    band: StageBand | None = None,
    *,
    lower: float | None = None,
    upper: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    counts: bool = True,
    pos_label: str = "positive",
    theme: Theme | str | None = None,
) -> StageArtists:
    """Draw what a stage says of each total, and how many had it below.

    Parameters
    ----------
    ax : matplotlib Axes
        Gives up some height for the counts.
    stage : ScoringStage
    band : StageBand, optional
        Of the stage.
    lower, upper : float, optional
        Limits at which one stops; what lies beyond is shaded.
    cost_fn : float, optional
        Cost of a miss, in false alarms; the probability from which it calls positive is
        drawn.
    prior : float, optional
        Probability before the first question.
    counts : bool, default=True
        Draw the counts below, if the stage has any.
    pos_label : str, default="positive"
        What the probability is of.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    StageArtists
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    totals = stage.totals.astype(float)
    step = float(-np.diff(totals).max()) if len(stage) > 1 else 1.0
    ax.set(xlim=(totals[-1] - 0.75 * step, totals[0] + 0.75 * step), ylim=(0, 1))
    unit_ticks(ax.yaxis)
    ax.set_ylabel("probability" if pos_label == "positive" else f"probability of {pos_label}")
    ax.grid(False, axis="x")
    limits = _limits(ax, lower, upper, cost_fn, theme)
    if prior is not None:
        dots = ax.axhline(
            prior, color=theme.colour("reference"), linestyle=(0, (1, 2)),
            linewidth=stroke(theme, 0.8), zorder=1.5, label="_prior",
        )  # fmt: skip
        note(dots, "prior", touch=0.2)
        limits["prior"] = dots
    intervals = None if band is None else _intervals(ax, stage, band, step, theme)
    line = _line(ax, stage, theme)
    observed = _observed(ax, stage, theme) if stage.has_counts else None
    below = None
    if counts and stage.has_counts:
        below = _counts(ax, stage, step, pos_label, theme)
    lowest = ax if below is None else below
    lowest.set_xlabel("total score")
    _ticks(lowest, stage, theme)
    settle(ax)
    _label(ax, stage, band, (lower, upper, cost_fn, prior), pos_label, theme)
    return StageArtists(line, observed, intervals, limits, below)


def _ticks(ax: Axes, stage: ScoringStage, theme: Theme) -> None:
    """Write as many totals as there is room for."""
    settle(ax)
    ems = ax.get_window_extent().width / ax.figure.dpi * 72 / font(theme)
    low, high = int(stage.totals[-1]), int(stage.totals[0])
    room = max(2, int(ems / 2.2))
    every = next(e for e in (1, 2, 5, 10, 20, 50, 100, 10**6) if (high - low) / e <= room)
    ticks = [t for t in range(low, high + 1) if t % every == 0]
    ax.set_xticks(ticks, [f"{t}".replace("-", "−") for t in ticks])


def _limits(
    ax: Axes, lower: float | None, upper: float | None, cost_fn: float | None, theme: Theme
) -> dict[str, Line2D]:
    made: dict[str, Line2D] = {}
    for name, thing, level, end in (
        ("lower", "negative", lower, 0.0),
        ("upper", "positive", upper, 1.0),
    ):
        if level is None:
            continue
        ax.axhspan(
            min(level, end), max(level, end), color=theme.colour(thing),
            alpha=_ZONE * (1.6 if theme.dark else 1.0), linewidth=0, zorder=0.5,
        )  # fmt: skip
        made[name] = ax.axhline(
            level, color=theme.colour(thing), linewidth=stroke(theme, 0.7), zorder=1.6
        )
    if cost_fn is not None:
        made["cost"] = ax.axhline(
            1 / (1 + cost_fn), color=theme.colour("optimum"), linewidth=stroke(theme, 0.8),
            linestyle=(0, (6, 2)), zorder=1.7,
        )  # fmt: skip
    for name, line in made.items():
        note(line, name, touch=0.4)
    return made


def _intervals(
    ax: Axes, stage: ScoringStage, band: StageBand, step: float, theme: Theme
) -> LineCollection:
    colour = theme.colour("hull")
    ax.bar(
        stage.totals, band.upper - band.lower, _BAR * step, band.lower, color=colour,
        alpha=0.3 if theme.dark else 0.2, linewidth=0, zorder=2, label="_band",
    )  # fmt: skip
    some = ~band.is_empty
    half = 0.5 * _BAR * step
    ends = np.concatenate((band.lower[some], band.upper[some]))
    at = np.concatenate((stage.totals[some], stage.totals[some]))
    caps = ax.hlines(
        ends, at - half, at + half, color=colour, linewidth=stroke(theme, 0.7), zorder=2.2
    )
    note(caps, "intervals", touch=0.3)
    bars = ax.vlines(
        stage.totals[some], band.lower[some], band.upper[some], color=colour, alpha=0.0, zorder=2
    )
    note(bars, "intervals", touch=0.3)
    if band.is_empty.any():
        (crosses,) = ax.plot(
            stage.totals[band.is_empty], stage.probability[band.is_empty], "x",
            color=theme.colour("text"), markersize=font(theme, 1.1),
            markeredgewidth=stroke(theme, 0.9), zorder=6, clip_on=False, label="_contradiction",
        )  # fmt: skip
        note(crosses, "contradiction")
    return bars


def _line(ax: Axes, stage: ScoringStage, theme: Theme) -> Line2D:
    colour = theme.colour("hull")
    (line,) = ax.plot(
        stage.totals, stage.probability, color=colour, linestyle=(0, (4, 2)),
        linewidth=stroke(theme, 0.8), zorder=3, clip_on=False, label="_probability",
    )  # fmt: skip
    note(line, "curve")
    seen = stage.n > 0 if stage.has_counts else np.ones(len(stage), dtype=bool)
    for which, face in ((seen, colour), (~seen, theme.colour("paper"))):
        if which.any():
            (dots,) = ax.plot(
                stage.totals[which], stage.probability[which], "o", markerfacecolor=face,
                markeredgecolor=colour if face != colour else theme.colour("paper"),
                markeredgewidth=stroke(theme, 0.55), markersize=handle(theme, 0.5), zorder=4,
                clip_on=False, label="_totals",
            )  # fmt: skip
            note(dots, "totals")
    return line


def _observed(ax: Axes, stage: ScoringStage, theme: Theme) -> Line2D:
    """Draw what happened as a short stroke across each total."""
    pos, neg = stage.counts
    seen = pos + neg > 0
    (marks,) = ax.plot(
        stage.totals[seen], (pos / np.where(seen, pos + neg, 1))[seen], "_",
        color=theme.colour("ranking"), markersize=font(theme, 1.5),
        markeredgewidth=stroke(theme, 0.9), zorder=5, clip_on=False, label="_observed",
    )  # fmt: skip
    note(marks, "observed")
    return marks


# ---------------------------------------------------------------------- counts below


def _counts(ax: Axes, stage: ScoringStage, step: float, pos_label: str, theme: Theme) -> Axes:
    """Draw how many positives (up) and negatives (down) had each total, to one scale."""
    below = strip_below(ax, theme)
    style_axes(below, theme)
    below.patch.set_visible(False)
    pos, neg = stage.counts
    most = max(pos.max(), neg.max())
    settle(below)
    scale = type_scale(ax, theme)
    numbers = len(stage) <= _NUMBERS
    for thing, side, sign in (("positive", pos, 1), ("negative", neg, -1)):
        below.bar(
            stage.totals, sign * side / most, _BAR * step, color=theme.colour(thing), linewidth=0,
            zorder=2, label=f"_{thing}s",
        )  # fmt: skip
        for total, n in zip(stage.totals, side, strict=True):
            if numbers and n:
                below.annotate(
                    amount(n), (total, sign * n / most), (0, sign * font(theme, 0.25)),
                    textcoords="offset points", ha="center", va="bottom" if sign > 0 else "top",
                    size=font(theme, 0.8 * scale), color=theme.colour(f"{thing}-text"),
                )  # fmt: skip
        called = f"{thing}s"
        if pos_label != "positive":
            called = pos_label if sign > 0 else "others"
        text = add_text(
            below, f"{amount(side.sum())} {called}", theme, transform=below.transAxes,
            x=0.0 if sign > 0 else 1.0, y=0.99 if sign > 0 else 0.01,
            ha="left" if sign > 0 else "right",
            va="top" if sign > 0 else "bottom", color=theme.colour(f"{thing}-text"),
            fontweight="bold", fontsize=font(theme, 0.9 * scale),
        )  # fmt: skip
        note(text, "label")
    below.axhline(0, color=theme.colour("reference"), linewidth=stroke(theme, 0.4), zorder=3)
    below.set_ylim(-1.9, 1.9)
    below.set_yticks([])
    below.grid(False)
    below.spines["left"].set_visible(False)
    ax.tick_params(labelbottom=False)
    return below


# ---------------------------------------------------------------------- words


def _label(
    ax: Axes,
    stage: ScoringStage,
    band: StageBand | None,
    levels: tuple[float | None, ...],
    pos_label: str,
    theme: Theme,
) -> None:
    scale = type_scale(ax, theme)
    strong: dict[str, Any] = {"fontweight": "bold", "fontsize": font(theme, scale)}
    weak: dict[str, Any] = {"fontsize": font(theme, 0.85 * scale), "color": theme.colour("muted")}
    taken = in_the_way(ax)
    lower, upper, cost_fn, prior = levels
    other = "negative" if pos_label == "positive" else f"not {pos_label}"
    lines = [
        (upper, "positive", f"stop: {pos_label}, from {_level(upper)}", True),
        (lower, "negative", f"stop: {other}, up to {_level(lower)}", False),
    ]
    if cost_fn is not None:
        words = f"a miss costs {cost_fn:g}: {pos_label} above {percent(1 / (1 + cost_fn))}"
        lines.append((1 / (1 + cost_fn), "optimum", words, True))
    for level, thing, words, above in lines:
        if level is not None:
            looks = {**weak, "color": theme.colour(f"{thing}-text"), "fontweight": "bold"}
            taken = _along(ax, words, level, above, taken, looks, theme)
    if prior is not None:
        taken = _along(
            ax, f"before the first question {rate(prior)}", prior, True, taken, weak, theme
        )
    texts = [add_text(ax, "● what it says", theme, color=theme.colour("hull-text"), **strong)]
    if stage.has_counts:
        texts.append(add_text(ax, "— what happened", theme, color=theme.colour("text"), **strong))
        if (stage.n == 0).any():
            texts.append(add_text(ax, "○ nobody had it", theme, **weak))
    if band is not None:
        texts.append(add_text(ax, band_words(band), theme, **weak))
        if band.is_empty.any():
            texts.append(add_text(ax, "× counts contradict the order", theme, **weak))
    for text in texts:
        note(text, "label")
    place_texts(ax, texts, taken, (0.15, 0.75))


def _level(level: float | None) -> str:
    return "" if level is None else percent(level)


def band_words(band: StageBand) -> str:
    """Return in words what the intervals of a band are."""
    together = " together" if band.correction else ""
    return f"{percent(band.confidence)} intervals{together}, {METHODS[band.method]}"


def _along(
    ax: Axes, words: str, level: float, above: bool, taken: Any, looks: dict[str, Any], theme: Theme
) -> Any:
    """Write on a level line, at the end and on the side where that touches least."""
    lift = 0.25 * looks["fontsize"] / 72
    best, best_cost = None, np.inf
    for x, ha in ((0.01, "left"), (0.99, "right"), (0.5, "center")):
        for up in (above, not above):
            text = add_text(
                ax, words, theme, x=x, y=level, ha=ha, va="bottom" if up else "top",
                transform=ax.get_yaxis_transform()
                + ScaledTranslation(0, lift if up else -lift, ax.figure.dpi_scale_trans),
                **looks,
            )  # fmt: skip
            cost = taken.cost(text_box(text), 0.0, ax.get_window_extent())
            if cost < best_cost - 0.5:
                if best is not None:
                    best.remove()
                best, best_cost = text, cost
            else:
                text.remove()
    if best is None:
        raise AssertionError("one of several places costs least")
    note(best, "label")
    return taken.with_box(text_box(best))
