"""The Fermi-Dirac explorer's pictures: levels, curve, intervals, coldness."""

from __future__ import annotations

import numpy as np

from rocviz.core.roc.auc_intervals import METHODS, AUCInterval
from rocviz.displays.fermi_dirac import pictures
from rocviz.pictures import Axis, Dots, Handle, Line, Picture, words
from rocviz.widgets.fermi_dirac.result import FermiDiracResult
from rocviz.widgets.fermi_dirac.state import FermiDiracState, coldness_curve, grip_rank
from rocviz.words import INTERVAL_NAMES, number


def levels_picture(state: FermiDiracState, result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw samples in columns of neighbouring ranks, and the law's curve over them."""
    law = result.law
    n = state.n_samples
    picture = pictures.columns_picture(
        law, result.slices, is_large, has_best=state.show_best, classes=state.class_names
    )
    # an arrow at the edge stands for anything beyond
    rank = float(np.clip(law.chemical_potential, -10 * n, 10 * n))
    grip = grip_rank(state.n_pos, n)
    height = law.probability([grip])
    return picture.with_marks(
        # there is no free place for the word "drag"; the arrows say it
        Handle(
            "heat",
            "selected",
            [grip],
            height,
            along="y",
            letter="↕",
            is_hinted=False,
            scale=1.5 if is_large else 1.0,
        ),
        Handle(
            "potential",
            "selected",
            [rank],
            [pictures.COLUMN_FOOT],
            along="x",
            is_hinted=False,
            scale=0.7,
        ),
    )


def roc_picture(state: FermiDiracState, result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw the ROC curve that the law implies, with the data's."""
    thinned = result.ranked.thinned
    rows: tuple[tuple[str, str], ...] = (
        (f"data, AUC {number(result.ranked.segments.auc)}", "ranking"),
        (f"the law, AUC {number(state.auc)}", "hull-text"),
    )
    if state.show_best:
        rows = (*rows, ("ring: the threshold at rank r*", "optimum-text"))
    data = thinned.fpr, thinned.tpr
    return pictures.roc_picture(
        result.law, data, result.roc, is_large, rows, has_best=state.show_best
    )


def coldness_picture(state: FermiDiracState, _result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw coldness against AUC at this prevalence, with the point that is set."""
    rows = [
        (0.72, 30.0, "cold", "muted"),
        (0.5, 13.0, "hot", "muted"),
        (0.5, -30.0, "below zero", "muted"),
    ]
    if is_large:
        rows = [
            (0.72, -8.0, "cold: sure and right", "muted"),
            (0.5, 8.0, "hot: random", "muted"),
            (0.5, -34.0, "below zero: sure and wrong", "muted"),
        ]
    ticks = {-40.0: "−40", -20.0: "−20", 0.0: "0", 20.0: "20", 40.0: "40"}
    return Picture(
        Axis("AUC"),
        Axis("coldness N / T", -40.0, 40.0, ticks),
        (
            Line("axis", "reference", (0.0, 1.0), (0.0, 0.0), dash="dotted", width=1.5),
            Line("curve", "ranking", *coldness_curve(state.prevalence)),
            words("words", rows, "middle", bold=is_large),
            Handle("point", "selected", [state.auc], [state.coldness]),
        ),
        is_square=True,
        is_large=is_large,
    )


def interval_picture(state: FermiDiracState, result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw the AUC's confidence intervals, a row per method, and their simulated coverage.

    A small picture has the coverage in place of an interval.
    """
    intervals = result.intervals
    lower = np.array([interval.lower for interval in intervals])
    upper = np.array([interval.upper for interval in intervals])
    auc = np.array([interval.auc for interval in intervals])
    low = np.floor(100 * max(0.0, lower.min() - 0.01)) / 100
    high = np.ceil(100 * min(1.0, upper.max() + 0.01)) / 100
    names = []
    values = []
    for interval in intervals:
        names.append("exact" if interval.is_fallback else INTERVAL_NAMES[interval.method])
        values.append(_value(state, interval, is_large))
    if len(intervals) < len(METHODS):  # in a preview
        names.append(INTERVAL_NAMES[METHODS[-1]])
        values.append("follows when the slider rests" if is_large else "follows later")
    row_y = -np.arange(len(names), dtype=float)
    if is_large:
        left = low
        text_y = row_y + 0.2
        drawn = np.arange(len(intervals))
        bar_y = row_y[drawn] - 0.2
    else:
        left = low - SMALL_NAMES_WIDTH * (high - low)
        text_y = row_y
        drawn = np.array([k for k in range(len(intervals)) if not values[k]], dtype=int)
        bar_y = row_y[drawn]
    ends_y = np.column_stack((bar_y, bar_y))
    at_left = [(left, y, name, "text") for y, name in zip(text_y, names, strict=True)]
    at_right = [(high, y, value, "text") for y, value in zip(text_y, values, strict=True) if value]
    return Picture(
        Axis(
            "intervals of the AUC of the data", left, high, [low, high], pad=0.02, is_shown=is_large
        ),
        Axis("", 0.4 - len(METHODS), 0.6, (), pad=0.02, is_shown=False),
        (
            Line("tracks", "grid", np.tile([low, high], (drawn.size, 1)), ends_y, width=2.0),
            Line("bars", "hull", np.column_stack((lower, upper))[drawn], ends_y, width=6.0),
            Dots("points", "text", auc[drawn], bar_y, size=60),
            words("names", at_left, bold=False),
            words("words", at_right, "end", bold=False),
        ),
        is_square=False,
        is_large=is_large,
    )


#: Of the names of methods beside small bars, as a share of the width of the bars.
SMALL_NAMES_WIDTH = 0.7


def _value(state: FermiDiracState, interval: AUCInterval, is_large: bool) -> str:
    """Write the ends of an interval in a large picture, and its simulated coverage, if any."""
    covered = state.coverage_of(interval.method)
    if not is_large:
        return f"covers {covered}" if covered else ""
    ends = f"{number(interval.lower)} to {number(interval.upper)}"
    return f"{ends}, covers {covered}" if covered else ends
