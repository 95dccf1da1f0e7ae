"""The picture of ``scoring_list_figures.py``: six panels, curves named at their ends."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from rocviz.displays.base.draw_picture import DASHES, ink
from rocviz.displays.base.style import (
    font,
    halo,
    rc,
    stroke,
    style_axes,
)
from rocviz.displays.base.style import title as heading
from rocviz.pictures import model_style
from rocviz.theme import Theme

PANELS = (
    ("entropy", "Thresholds", "entropy of own data, bits"),
    ("brier", "Probabilities", "Brier score, new data"),
    ("fit", "Overfitting", "Brier score"),
    ("auc", "Ranking", "AUC, new data"),
    ("loss", "A miss costs ten false alarms", "cost per person, new data"),
)


def draw(name, results, every, greedy, folder):
    """Save the picture as ``scoring-lists-<name>-light.png`` and ``-dark.png``."""
    folder.mkdir(parents=True, exist_ok=True)
    slug = "-".join(name.lower().replace("(", "").replace(")", "").split())
    for theme in (Theme(dark=False), Theme(dark=True)):
        with plt.rc_context(rc(theme)):
            figure, axes = plt.subplots(3, 2, figsize=(10.4, 12.4))
        for ax, (panel, text, ylabel) in zip(axes.flat[1:], PANELS, strict=True):
            curves = {curve: values for (of, curve), values in results.items() if of == panel}
            lines(ax, curves, theme)
            label(ax, text, ylabel, theme)
        among(axes.flat[0], every, greedy, theme)
        label(axes.flat[0], "Greedy among all lists", "entropy of own data, bits", theme)
        figure.suptitle(
            name, x=0.03, y=0.988, ha="left", fontsize=font(theme, 1.5), color=theme.colour("text")
        )
        figure.subplots_adjust(
            left=0.075, right=0.835, top=0.92, bottom=0.05, wspace=0.72, hspace=0.4
        )
        for ax in axes.flat:
            spread(ax, theme)
        figure.savefig(
            folder / f"scoring-lists-{slug}-{'dark' if theme.dark else 'light'}.png", dpi=96
        )
        plt.close(figure)


TEXT_ROLES = {
    "positive": "positive-text",
    "selected": "selected-text",
    "hull": "hull-text",
    "second": "negative-text",
    "reference": "muted",
}

# style of each curve, the same in all panels
CURVE_STYLES = {
    "in it, all": 0,
    "PSL, in search": 0,
    "in search, new data": 0,
    "in search, own data": 0,
    "from labels": 0,
    "before the search": 1,
    "PSL, isotonic": 1,
    "before, new data": 1,
    "before, own data": 1,
    "thresholds before": 1,
    "PSL, ±1, ±2, ±3": 1,
    "logistic, L2": 3,
    "logistic": 4,
    "from pairs": 4,
    "PSL, ±1, ±2": 4,
    "PSL, beta": 5,
    "in it, halving": 5,
    "PSL, ±1": 5,
}


def label(ax, text, ylabel, theme):
    style_axes(ax, theme)
    heading(ax, text, theme)
    ax.set(xlabel="features asked", ylabel=ylabel)
    last = int(max(line.get_xdata()[-1] for line in ax.lines))
    ax.set_xticks(range(0, last + 1, 1 if last < 7 else 2))
    ax.set_xlim(-0.15, last + 0.15)


def lines(ax, curves, theme):
    """Draw mean curves with their confidence bands, and remember their names."""
    for curve, (mean, error) in curves.items():
        style = model_style(CURVE_STYLES[curve])
        stages = np.arange(len(mean))
        own = curve.endswith("own data")
        colour = theme.colour(style.role)
        dash, width = ((0, (1.2, 1.4)), 0.6) if own else (DASHES[style.dash], 0.9)
        ax.fill_between(stages, mean - error, mean + error, color=colour, alpha=0.13, lw=0)
        (line,) = ax.plot(stages, mean, color=colour, ls=dash, lw=stroke(theme, width))
        line.set_gid(curve)


def among(ax, every, greedy, theme):
    """Draw the range of all lists by stage, and the greedy list among them."""
    stages = np.arange(len(every))
    for low, high, strength in ((0, 1, 0.15), (0.05, 0.95, 0.18), (0.25, 0.75, 0.29)):
        edges = [np.quantile(values, [low, high]) for values in every]
        ax.fill_between(stages, *np.transpose(edges), color=ink("second", theme, strength), lw=0)
    best = [values.min() for values in every]
    for curve, values, thing in (
        ("greedy", greedy, "ranking"),
        ("best of its length", best, "hull"),
    ):
        dash = "-" if thing == "ranking" else (0, (6, 1.6))
        colour = theme.colour(thing)
        (line,) = ax.plot(stages, values, color=colour, ls=dash, lw=stroke(theme, 0.9))
        line.set_gid(curve)
    place = len(every) - 3
    for words, low, high in (("half of all", 0.25, 0.75), ("best 5 %", 0, 0.05)):
        text = ax.text(
            place,
            np.quantile(every[place], [low, high]).mean(),
            words,
            ha="center",
            va="center",
            fontsize=font(theme, 0.85),
            color=theme.colour("text"),
        )
        text.set_path_effects(halo(theme))


def spread(ax, theme):
    """Name curves at their right ends, moved apart where they would overlap."""
    low, high = ax.get_ylim()
    named = sorted(
        (line for line in ax.lines if line.get_gid()), key=lambda line: line.get_ydata()[-1]
    )
    height = ax.get_window_extent().height
    step = font(theme, 1.25) * ax.figure.dpi / 72 / height * (high - low)
    ends = np.array([line.get_ydata()[-1] for line in named])
    places = ends.copy()
    for _ in range(200):
        gap = step - np.diff(places)
        if (gap <= 1e-12).all():
            break
        for i in np.flatnonzero(gap > 0):
            places[i] -= gap[i] / 2
            places[i + 1] += gap[i] / 2
    # text needs more contrast than lines
    ink = {theme.colour(of): theme.colour(word) for of, word in TEXT_ROLES.items()}
    for line, end, place in zip(named, ends, places, strict=True):
        x = line.get_xdata()[-1]
        ax.annotate(
            line.get_gid(),
            xy=(x, end),
            xytext=(x + 0.055 * ax.get_xlim()[1], place),
            va="center",
            fontsize=font(theme, 0.9),
            color=ink.get(line.get_color(), line.get_color()),
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": theme.colour("reference"),
                "lw": stroke(theme, 0.3),
                "shrinkA": 0,
                "shrinkB": 1,
            },
        )
    ax.set_ylim(low, high)
