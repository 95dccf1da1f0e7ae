"""Draw ensembles on given matplotlib axes: AUC by size, one item's evidence, correlations.

Takes results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocviz.core.ensembles.experiment import EnsembleExperiment
from rocviz.core.ensembles.rank_ensemble import EnsembleScores, RankEnsemble
from rocviz.displays.base.labels import Row, legend
from rocviz.displays.base.marks import means
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import ink_on
from rocviz.words import letters, number, short_names, signed

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
    pen: Pen, experiment: EnsembleExperiment, *, correlation: float | None = None
) -> dict[str, Any]:
    """Draw mean AUCs against the number of classifiers, with two standard errors either way.

    Without a correlation it is the experiment's first. Returns one line per method.
    """
    pen.frame()
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
        made[method] = means(pen, sizes, auc, error, look, label=f"_{name}")
    room = 0.06 * max(high - low, 0.01)
    pen.ax.set_ylim(low - room, high + room)
    pen.ax.set_xticks(sizes, [str(m) for m in sizes])
    pen.ax.set(xlabel="number of classifiers", ylabel="AUC on held-out samples")
    pen.ax.set_xlim(left=sizes[0] - 0.03 * max(sizes[-1] - sizes[0], 1))
    lines = {method: made[method] for method in METHODS}
    legend(pen, [Row(METHODS[method][0], line) for method, line in lines.items()], (0.7, 0.2))
    return lines


# ---------------------------------------------------------------------- one item's evidence


def contributions_height(n_classifiers: int) -> float:
    """Compute the height of the bars and their sum, in lines of text."""
    return 1.7 * (n_classifiers + 2.7) + 5.5


def draw_contributions(pen: Pen, scores: EnsembleScores, *, item: int = 0) -> list[Any]:
    """Draw what each classifier says of one item as signed bars, then the bar of their sum."""
    pen.row_frame()
    ensemble = scores.ensemble
    parts, total = scores.contributions[item], float(scores.log_likelihood_ratio[item])
    n_bars = len(parts) + 1
    values = np.append(parts, total)
    rows = np.append(np.arange(len(parts)), len(parts) + 0.35)
    colours = [pen.tint("positive" if value > 0 else "negative", _STRENGTH) for value in parts] + [
        pen.colour("ranking")
    ]
    bars = pen.ax.barh(rows, values, 0.72, color=colours, linewidth=0, zorder=2, label="_evidence")
    pen.ax.set_ylim(n_bars + 0.1, -1.6)
    pen.level(len(parts) - 0.35, "reference", 0.4, zorder=1)
    pen.line([0, 0], [-0.6, n_bars + 0.1], "reference", 0.6, zorder=3)
    pen.ax.xaxis.set_major_locator(MaxNLocator(5))
    pen.ax.set_xlabel("evidence (log-likelihood ratio)")
    ranks = [f"{rank:.1f}".removesuffix(".0") for rank in scores.ranks[item]]
    names = [
        f"{name}, rank {rank} of {ensemble.n_samples}"
        for name, rank in zip(_names(ensemble), ranks, strict=True)
    ]
    names.append(f"sum, probability {number(float(scores.probability[item]))}")
    pen.ax.set_yticks(rows, names, parse_math=False)
    pen.ax.get_yticklabels()[-1].set_fontweight("bold")
    pen.settle()
    high = pen.size[1]
    scale = float(np.clip(high / (1.6 * pen.font() * (n_bars + 1.7)), 0.6, 1.0))
    pen.ax.tick_params(axis="y", labelsize=pen.font(0.9 * scale), labelcolor=pen.colour("text"))
    pen.settle()
    _write_values(pen, values, rows, scale)
    return list(bars)


def _write_values(pen: Pen, values: Floats, rows: Floats, scale: float) -> None:
    """Write each value behind the end of its bar, and both directions above; make room."""
    texts = []
    for value, row in zip(values, rows, strict=True):
        shift, bold = pen.font(0.3) * (1 if value >= 0 else -1), bool(row == rows[-1])
        looks = {"ha": "left" if value >= 0 else "right", "va": "center_baseline"}
        at = value, row
        texts.append(
            pen.beside(signed(value), at, (shift, 0), "text", 0.9 * scale, bold=bold, **looks)
        )
    wide = max(text.get_window_extent().width for text in texts)
    share = min((wide + 0.9 * scale * pen.em) / pen.ax.get_window_extent().width, 0.3)
    # room for a number on either side, so that the directions above have theirs too
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    span = max(high - low, 1e-9) / (1 - 2 * share)
    pen.ax.set_xlim(low - share * span, high + share * span)
    for x, ha, thing in ((0.0, "left", "negative"), (1.0, "right", "positive")):
        words = f"← {thing}" if ha == "left" else f"{thing} →"
        place = {"x": x, "y": -1.05, "transform": pen.ax.get_yaxis_transform()}
        looks = {"ha": ha, "va": "center_baseline"}
        pen.text(words, f"{thing}-text", 0.9 * scale, bold=True, **place, **looks)


# ---------------------------------------------------------------------- correlations


def _names(ensemble: RankEnsemble) -> list[str]:
    """Shorten names so that they leave room for the bars."""
    short = short_names(ensemble.names, 24)
    return [short[name] for name in ensemble.names]


def draw_correlation(pen: Pen, ensemble: RankEnsemble) -> list[list[Any]]:
    """Draw the class-conditioned rank correlation as a square of cells, darker where stronger.

    Negative correlations have another hue. Where there is room the number is written. Returns the
    cells, row by row.
    """
    from matplotlib.patches import Rectangle

    pen.frame()
    c, names = ensemble.correlation, _names(ensemble)
    n = len(names)
    pen.ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), aspect="equal")
    pen.ax.grid(False)
    for spine in pen.ax.spines.values():
        spine.set_visible(False)
    pen.ax.xaxis.tick_top()
    pen.ax.set_xticks(range(n), names, parse_math=False)
    pen.ax.set_yticks(range(n), names, parse_math=False)
    pen.ax.tick_params(labelcolor=pen.colour("text"))
    for _ in range(2):  # names that turn upright or shrink change the room that the cells have
        pen.settle()
        cell = pen.size[0] / n
        label = min(pen.font(0.9), cell * 0.75)
        upright = max(map(letters, names)) * 0.62 * label > cell
        pen.ax.tick_params(labelsize=label)
        pen.ax.tick_params(axis="x", labelrotation=90 if upright else 0)
    pen.settle()
    size = min(pen.font(0.95), pen.size[0] / n / 2.5)
    cells = []
    for i in range(n):
        row = []
        for j in range(n):
            thing = "text" if c[i, j] >= 0 else "second"
            fill = pen.colour("paper") if i == j else pen.tint(thing, 0.85 * abs(c[i, j]))
            patch = Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=fill, linewidth=pen.stroke())
            patch.set_edgecolor(pen.colour("paper"))
            row.append(pen.ax.add_patch(patch))
            if i != j and size >= 6:
                looks = {"ha": "center", "va": "center", "fontsize": size}
                pen.ax.text(j, i, _two_digits(c[i, j]), color=ink_on(fill), **looks)
        cells.append(row)
    return cells


def _two_digits(value: float) -> str:
    """Write a correlation as it is printed in tables: two decimals, no zero before them."""
    return signed(value).removeprefix("+").replace("0.", ".", 1)
