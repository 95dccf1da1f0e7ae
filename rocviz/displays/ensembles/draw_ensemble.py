"""Draw ensembles on given matplotlib axes: AUC by size, one item's evidence, correlations.

Takes results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocviz.displays.base.labels import settle
from rocviz.displays.base.line_ends import spread
from rocviz.displays.base.marks import means
from rocviz.displays.base.style import font, ink_on, resolve_theme, stroke, style_axes, tint
from rocviz.words import rate, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocviz.core.ensembles.experiment import EnsembleExperiment
    from rocviz.core.ensembles.rank_ensemble import EnsembleScores, RankEnsemble
    from rocviz.theme import Theme

Floats = NDArray[np.float64]

# what each method is called, and drawn in: thing of the colour table, dash, outlined
METHODS: dict[str, tuple[str, str, Any, bool]] = {
    "correlation-aware": ("correlation-aware", "optimum", (0, (9, 2.4)), False),
    "fidel": ("FiDEL", "ranking", "-", False),
    "woc": ("wisdom of crowds", "third", (0, (5, 1.6)), True),
    "best": ("best single", "second", (0, (6, 1.6)), False),
    "mean base": ("mean of all", "reference", (0, (1.4, 1.2)), False),
}

_STRENGTH = 0.8  # of the colour of a bar; ink on it is legible in both themes


# ---------------------------------------------------------------------- AUC by size


def draw_auc_by_size(
    ax: Axes,
    experiment: EnsembleExperiment,
    *,
    correlation: float | None = None,
    theme: Theme | str | None = None,
) -> dict[str, Any]:
    """Draw mean AUCs against the number of classifiers, with two standard errors either way.

    Parameters
    ----------
    ax : matplotlib Axes
    experiment : EnsembleExperiment
    correlation : float, optional
        Which of the experiment's correlations; by default its first.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    dict of str to Line2D
        One line per method.
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    wanted = experiment.correlation[0] if correlation is None else correlation
    rows = np.flatnonzero(experiment.correlation == wanted)
    rows = rows[np.argsort(experiment.n_classifiers[rows], kind="stable")]
    sizes = experiment.n_classifiers[rows]
    low, high = np.inf, -np.inf
    made: dict[str, Any] = {}
    for method in reversed(METHODS):  # the first lies on top
        name, thing, dash, outlined = METHODS[method]
        column = experiment.methods.index(method)
        auc, error = experiment.auc[rows, column], 2 * experiment.standard_error[rows, column]
        low, high = min(low, (auc - error).min()), max(high, (auc + error).max())
        look = (thing, dash, "o", outlined)
        made[method] = means(ax, sizes, auc, error, theme, look, label=f"_{name}")
    room = 0.06 * max(high - low, 0.01)
    ax.set_ylim(low - room, high + room)
    ax.set_xticks(sizes, [str(m) for m in sizes])
    ax.set(xlabel="number of classifiers", ylabel="AUC on held-out samples")
    _label_ends(ax, made, theme)
    return {method: made[method] for method in METHODS}


def _label_ends(ax: Axes, lines: dict[str, Any], theme: Theme) -> None:
    """Write each method's name behind the end of its line, in the order of the ends."""
    settle(ax)
    ends = {method: float(line.get_ydata()[-1]) for method, line in lines.items()}
    x_end = float(next(iter(lines.values())).get_xdata()[-1])
    x_start = float(next(iter(lines.values())).get_xdata()[0])
    order = sorted(ends, key=lambda method: ends[method])
    box = ax.get_window_extent()
    em = font(theme) * ax.figure.dpi / 72
    size = font(theme, float(np.clip(box.height / (8 * em), 0.7, 1.0)))
    texts = [ax.text(0, 0, METHODS[method][0], fontsize=size, zorder=8) for method in order]
    width = max(text.get_window_extent().width for text in texts)
    margin = 0.8 * em
    share = min((width + 2.6 * em) / box.width, 0.6)
    span = max(x_end - x_start, 1.0)
    per_pixel = span / (box.width * (1 - share) - margin)
    ax.set_xlim(x_start - margin * per_pixel, x_end + share * box.width * per_pixel)
    pixel = ax.transData.transform([(x_end, ends[method]) for method in order])
    places = spread(pixel[:, 1], 1.3 * size * ax.figure.dpi / 72, (box.y0, box.y1))
    back = ax.transData.inverted()
    for text, (x, y), place in zip(texts, pixel, places, strict=True):
        x_text, y_text = back.transform((x + 2.1 * em, place))
        text.set(x=x_text, y=y_text, va="center_baseline", color=theme.colour("text"))
        bend = back.transform([(x + 0.7 * em, y), (x + 1.8 * em, place)])
        ax.plot(
            *bend.T,
            color=theme.colour("muted"),
            linewidth=stroke(theme, 0.4),
            label="_leader",
            zorder=2,
        )


# ---------------------------------------------------------------------- one item's evidence


def contributions_height(n_classifiers: int) -> float:
    """Return the height that so many bars and their sum need, in lines of text."""
    return 1.7 * (n_classifiers + 2.7) + 5.5


def draw_contributions(
    ax: Axes, scores: EnsembleScores, *, item: int = 0, theme: Theme | str | None = None
) -> list[Any]:
    """Draw what each classifier says of one item as signed bars, and the sum below them.

    Parameters
    ----------
    ax : matplotlib Axes
    scores : EnsembleScores
    item : int, default=0
        Which item.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    list of Rectangle
        One bar per classifier, then that of the sum.
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    ensemble = scores.ensemble
    parts, total = scores.contributions[item], float(scores.log_likelihood_ratio[item])
    n_bars = len(parts) + 1
    values = np.append(parts, total)
    rows = np.append(np.arange(len(parts)), len(parts) + 0.35)
    colours = [
        tint("positive" if value > 0 else "negative", theme, _STRENGTH) for value in parts
    ] + [theme.colour("ranking")]
    bars = ax.barh(rows, values, 0.72, color=colours, linewidth=0, zorder=2, label="_evidence")
    ax.set_ylim(n_bars + 0.1, -1.6)
    looks = {"color": theme.colour("reference"), "zorder": 1}
    ax.axhline(len(parts) - 0.35, linewidth=stroke(theme, 0.4), **looks)
    ax.vlines(0, -0.6, n_bars + 0.1, linewidth=stroke(theme, 0.6), **{**looks, "zorder": 3})
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.set_xlabel("evidence (log-likelihood ratio)")
    ax.grid(False, axis="y")
    ax.spines["left"].set_visible(False)
    ranks = [f"{rank:.1f}".removesuffix(".0") for rank in scores.ranks[item]]
    names = [
        f"{name}, rank {rank} of {ensemble.n_samples}"
        for name, rank in zip(ensemble.names, ranks, strict=True)
    ]
    ax.set_yticks(rows, [*names, f"sum, probability {rate(float(scores.probability[item]))}"])
    ax.get_yticklabels()[-1].set_fontweight("bold")
    settle(ax)
    high = ax.get_window_extent().height / ax.figure.dpi * 72
    scale = float(np.clip(high / (1.6 * font(theme) * (n_bars + 1.7)), 0.6, 1.0))
    ax.tick_params(axis="y", labelsize=font(theme, 0.9 * scale), labelcolor=theme.colour("text"))
    settle(ax)
    _write_values(ax, values, rows, scale, theme)
    return list(bars)


def _write_values(ax: Axes, values: Floats, rows: Floats, scale: float, theme: Theme) -> None:
    """Write each value behind the end of its bar, and both directions above; make room."""
    size = font(theme, 0.9 * scale)
    texts = [
        ax.annotate(
            signed(value),
            (value, row),
            xytext=(font(theme, 0.3) * (1 if value >= 0 else -1), 0),
            textcoords="offset points",
            ha="left" if value >= 0 else "right",
            va="center_baseline",
            color=theme.colour("text"),
            fontsize=size,
            fontweight="bold" if row == rows[-1] else "normal",
            zorder=4,
        )
        for value, row in zip(values, rows, strict=True)
    ]
    wide = max(text.get_window_extent().width for text in texts)
    share = min((wide + size * ax.figure.dpi / 72) / ax.get_window_extent().width, 0.3)
    # room for a number on either side, so that the directions above have theirs too
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    span = max(high - low, 1e-9) / (1 - 2 * share)
    ax.set_xlim(low - share * span, high + share * span)
    for x, ha, thing in ((0.0, "left", "negative"), (1.0, "right", "positive")):
        ax.text(
            x,
            -1.05,
            f"← {thing}" if ha == "left" else f"{thing} →",
            transform=ax.get_yaxis_transform(),
            ha=ha,
            va="center_baseline",
            color=theme.colour(f"{thing}-text"),
            fontsize=font(theme, 0.9 * scale),
            fontweight="bold",
        )


# ---------------------------------------------------------------------- correlations


def draw_correlation(
    ax: Axes, ensemble: RankEnsemble, *, theme: Theme | str | None = None
) -> list[list[Any]]:
    """Draw the class-conditioned rank correlation as a square of cells, darker where stronger.

    Negative correlations have another hue. Where there is room the number is written.

    Parameters
    ----------
    ax : matplotlib Axes
    ensemble : RankEnsemble
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    list of list of Rectangle
        The cells, row by row.
    """
    from matplotlib.patches import Rectangle

    theme = resolve_theme(theme)
    style_axes(ax, theme)
    c, n = ensemble.correlation, len(ensemble.names)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), aspect="equal")
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.xaxis.tick_top()
    ax.set_xticks(range(n), ensemble.names)
    ax.set_yticks(range(n), ensemble.names)
    ax.tick_params(labelcolor=theme.colour("text"))
    for _ in range(2):  # names that turn upright or shrink change the room that the cells have
        settle(ax)
        cell = ax.get_window_extent().width / ax.figure.dpi * 72 / n
        label = min(font(theme, 0.9), cell * 0.75)
        upright = max(map(len, ensemble.names)) * 0.62 * label > cell
        ax.tick_params(labelsize=label)
        ax.tick_params(axis="x", labelrotation=90 if upright else 0)
    settle(ax)
    size = min(font(theme, 0.95), ax.get_window_extent().width / ax.figure.dpi * 72 / n / 2.5)
    cells = []
    for i in range(n):
        row = []
        for j in range(n):
            thing = "text" if c[i, j] >= 0 else "second"
            fill = theme.colour("paper") if i == j else tint(thing, theme, 0.85 * abs(c[i, j]))
            patch = Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=fill, linewidth=stroke(theme))
            patch.set_edgecolor(theme.colour("paper"))
            row.append(ax.add_patch(patch))
            if i != j and size >= 6:
                ax.text(
                    j,
                    i,
                    _two_digits(c[i, j]),
                    ha="center",
                    va="center",
                    fontsize=size,
                    color=ink_on(fill),
                )
        cells.append(row)
    return cells


def _two_digits(value: float) -> str:
    """Write a correlation as it is printed in tables: two decimals, no zero before them."""
    return signed(value).removeprefix("+").replace("0.", ".", 1)
