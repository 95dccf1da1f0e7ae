"""The Fermi-Dirac explorer's pictures: levels, curve, intervals, coldness."""

from __future__ import annotations

import numpy as np

from rocviz.core.roc.auc_intervals import METHODS, AUCInterval
from rocviz.pictures.marks import Dots, Handle, Line, diagonal, ring, words
from rocviz.pictures.picture import Axis, Picture
from rocviz.pictures.ticks import round_ticks
from rocviz.widgets.fermi_dirac.result import FermiDiracResult
from rocviz.widgets.fermi_dirac.state import FermiDiracState, coldness_curve
from rocviz.words import INTERVAL_NAMES, number, rank_text

MOST_DOTS = 150  # a dot for each level where there are so few, else for slices of the ranking
ROWS = (-0.09, -0.15, -0.21, -0.27)  # heights of the dots, below the law


def levels_picture(state: FermiDiracState, result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw levels as dots, filled where a positive stands, and the law's curve over them."""
    n, law, slices = state.n_samples, result.law, result.slices
    shown = np.unique(np.linspace(0, n - 1, min(n, MOST_DOTS)).round().astype(int))
    is_positive = result.ranked.label[shown]
    rows = np.array(ROWS)[np.arange(shown.size) % len(ROWS)]
    uprights = {"best": law.threshold_rank, "middle": law.chemical_potential}
    upright = {name: [at, at] if 0 <= at <= n + 1 else () for name, at in uprights.items()}
    ticks = round_ticks(0, n, 4, integer=True)
    picture = Picture(
        Axis(
            "rank (1 is the most positive)",
            high=n + 1.0,
            ticks=np.unique(np.append(1, ticks[ticks > 1])),
            pad=0.01,
        ),
        Axis("P(positive | rank)", -0.3, 1.1, pad=0.01),
        (
            Line(
                "prior",
                "reference",
                (0.0, n + 1.0),
                (state.prevalence, state.prevalence),
                dash="dotted",
                width=1.5,
            ),
            Line("middle", "held", upright["middle"], (0.0, 1.0), width=1.8),
            Line("best", "optimum", upright["best"], (0.0, 1.0), width=2.0),
            Line("curve", "hull", result.rank, result.probability),
            Dots(
                "slices",
                "paper",
                slices.rank,
                slices.frequency,
                rim="ranking",
                sizes=slices.n / slices.n.max(),
                size=130,
            ),
            *(
                Dots(name, fill, shown[wanted] + 1.0, rows[wanted], rim=kind, size=40, width=1.2)
                for name, fill, kind, wanted in (
                    ("empty", "transparent", "negative", ~is_positive),
                    ("filled", "positive", "positive", is_positive),
                )
            ),
            # an arrow at the edge stands for anything beyond
            Handle(
                "potential",
                "held",
                [np.clip(law.chemical_potential, -10 * n, 10 * n)],
                [0.5],
                along="x",
            ),
        ),
        is_square=False,
        is_large=is_large,
    )
    return picture.with_marks(words("words", _level_names(picture, state, result), "middle"))


def _level_names(
    picture: Picture, state: FermiDiracState, result: FermiDiracResult
) -> list[tuple[float, float, str, str]]:
    """Name the lines, each near its own and clear of everything drawn."""
    if not picture.is_large:
        return []
    n, law = state.n_samples, result.law
    best, middle = (
        float(np.clip(x, 0, n + 1)) for x in (law.threshold_rank, law.chemical_potential)
    )
    room = picture.room()
    word = middle + (0.14 if middle < 0.8 * n else -0.14) * n
    room.take([middle, word], [0.5, 0.5])  # the handle and its word
    held = f"μ = {rank_text(law.chemical_potential)}"
    if not 0 <= law.chemical_potential <= n + 1:
        held = f"← {held}" if law.chemical_potential < 0 else f"{held} →"
    ends = np.linspace(0.75, 0.95, 5) * n if state.auc >= 0.5 else np.linspace(0.05, 0.25, 5) * n
    along = np.interp(ends, result.rank, result.probability)
    names = []
    for text, role, x, y, far in (
        (f"r* = {rank_text(law.threshold_rank)}", "optimum-text", best, 1.07, 0.4),
        (held, "held-text", middle, 0.6, 0.8),
        ("the law", "hull-text", ends, along + 0.06, 0.4),
        ("prevalence", "muted", np.linspace(0.1, 0.9, 5) * n, state.prevalence + 0.04, 0.4),
    ):
        if place := room.place(text, x, y, far=far):
            names.append((*place, text, role))
    return names


def roc_picture(state: FermiDiracState, result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw the ROC curve that the law implies, with the data's."""
    thinned = result.ranked.thinned
    fpr, tpr = result.roc
    is_good = state.auc >= 0.5
    at = [int((tpr - fpr).argmax() if is_good else (tpr - fpr).argmin())]
    names = (
        (f"data, AUC {number(result.ranked.segments.auc)}", "ranking"),
        (f"the law, AUC {number(state.auc)}", "hull-text"),
        ("ring: the cut at rank r*", "optimum-text"),
    )
    x, top = (0.985, 0.14) if is_good else (0.02, 0.96)
    rows = [(x, top - 0.056 * i, *name) for i, name in enumerate(names)]
    return Picture(
        Axis("false positive rate"),
        Axis("true positive rate"),
        (
            diagonal(),
            Line("data", "ranking", thinned.fpr, thinned.tpr),
            Line("law", "hull", fpr, tpr, dash="dashed"),
            ring("best", "optimum", fpr[at], tpr[at]),
            words("words", rows if is_large else [], "end" if is_good else "start"),
        ),
        is_large=is_large,
    )


def coldness_picture(state: FermiDiracState, _result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw coldness against AUC at this prevalence, with the point that is set."""
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
            words("words", rows if is_large else [], "middle"),
            Handle("point", "held", [state.auc], [state.coldness]),
        ),
        is_large=is_large,
    )


def interval_picture(state: FermiDiracState, result: FermiDiracResult, is_large: bool) -> Picture:
    """Draw the AUC's confidence intervals, a row per method, and their simulated coverage."""
    intervals = result.intervals
    at = -np.arange(len(intervals), dtype=float)
    low = np.floor(100 * max(0.0, min(i.lower for i in intervals) - 0.01)) / 100
    high = np.ceil(100 * min(1.0, max(i.upper for i in intervals) + 0.01)) / 100
    # a small picture has room for words only
    track, text = (at - 0.2, at + 0.2) if is_large else ((), at)
    tracks = np.column_stack((track, track))
    ends = np.array([(i.lower, i.upper) for i in intervals])
    names = ["exact" if i.is_fallback else INTERVAL_NAMES[i.method] for i in intervals]
    said = [_ends(state, i, is_large) for i in intervals]
    if len(intervals) < len(METHODS):  # in a preview
        text = np.append(text, text[-1] - 1)
        names.append(INTERVAL_NAMES[METHODS[-1]])
        said.append("follows when the slider rests" if is_large else "follows later")
    rows = {"names": (low, names, "start"), "words": (high, said, "end")}
    return Picture(
        Axis("intervals of the AUC of the data", low, high, [low, high], pad=0.02),
        Axis("", 0.4 - len(METHODS), 0.6, (), pad=0.02, is_shown=False),
        (
            Line("tracks", "grid", [[low, high]] * len(track), tracks, width=2.0),
            Line("bars", "hull", ends if is_large else (), tracks, width=6.0),
            Dots("points", "text", [i.auc for i in intervals] if is_large else (), track, size=60),
            *(
                words(
                    name,
                    [(x, y, each, "text") for y, each in zip(text, texts, strict=True)],
                    align,
                    bold=False,
                )
                for name, (x, texts, align) in rows.items()
            ),
        ),
        is_square=False,
        is_large=is_large,
    )


def _ends(state: FermiDiracState, interval: AUCInterval, is_large: bool) -> str:
    """Write the ends of an interval, and its simulated coverage once there is one."""
    ends = f"{number(interval.lower)} to {number(interval.upper)}"
    covered = state.coverage_of(interval.method)
    if not covered:
        return ends
    return f"{ends}, covers {covered}" if is_large else f"covers {covered}"
