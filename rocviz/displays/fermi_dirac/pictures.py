"""Pictures of the Fermi-Dirac law as values: filled levels, and the ROC curve.

They are shared by the display and the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import RankFrequencies
from rocviz.pictures import (
    NOWHERE,
    UNIT_TICKS,
    Axis,
    Dots,
    Entry,
    Labels,
    Legend,
    Line,
    Picture,
    PointLabel,
    diagonal,
    ring,
    round_ticks,
    uprights,
)
from rocviz.words import amount, number, rank_text

MAX_DOTS = 160  # most levels that are drawn one by one
DOT_HEIGHTS = (
    -0.09,
    -0.15,
    -0.21,
    -0.27,
)  # heights of the dots below the law, as shares of its height
AXIS_TOPS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # possible upper ends of an axis of probabilities
MAX_POINTS = 400  # vertices of an ROC curve


def law_points(law: FermiDirac) -> tuple[Floats, Floats]:
    """Compute ranks and probabilities that draw the law, denser where it is steep."""
    n = law.ranks.size
    steep = np.linspace(-12, 12, 121) * (min(abs(law.temperature), n) or 1e-9 * n)
    middles = np.clip((law.chemical_potential, law.threshold_rank), 0.5, n + 0.5)
    x = np.concatenate((np.linspace(0.5, n + 0.5, 201), *np.add.outer(middles, steep)))
    x = np.unique(np.clip(x, 0.5, n + 0.5))
    return x, law.probability(x)


def law_roc(law: FermiDirac) -> tuple[Floats, Floats]:
    """Compute the ROC curve of the law with no more vertices than are visible."""
    fpr, tpr = law.roc_curve()
    along = fpr + tpr
    at = np.unique(np.searchsorted(along, np.linspace(0, along[-1], MAX_POINTS)))
    return fpr[at], tpr[at]


def levels_picture(
    law: FermiDirac,
    is_positive: Bools,
    slices: RankFrequencies,
    is_large: bool,
    *,
    intervals: Any = (),
    top: float = 1.0,
    rows: Sequence[Sequence[Entry]] = (),
    own: Mapping[str, Any] | None = None,
) -> Picture:
    """Draw levels as dots, filled where a positive stands, with the law above.

    ``intervals`` are the ends of those of the frequencies of the ``slices``, ``top`` is where
    probabilities end, ``rows`` say what the marks are, as there is room, and ``own`` is for the
    law's line.
    """
    n = law.ranks.size
    every = -(-n // MAX_DOTS)
    shown = np.arange((every - 1) // 2, n, every)
    heights = top * np.array(DOT_HEIGHTS)[np.arange(shown.size) % len(DOT_HEIGHTS)]
    ranks = {"best": law.threshold_rank, "middle": law.chemical_potential}
    upright = {name: [at, at] if 0 <= at <= n + 1 else () for name, at in ranks.items()}
    ticks = round_ticks(0, n, 4)
    ticks = np.unique(np.append(1, ticks[(ticks > 1) & (ticks % 1 == 0)]))
    label = "rank (1 is the most positive)"
    if every > 1:
        label = f"rank; a dot for every {amount(every)} ranks"
    prior = (0.0, n + 1.0), [law.prevalence] * 2
    bars = uprights(slices.rank, *intervals) if intervals else NOWHERE
    x, probability = law_points(law)
    corner = (1.0 if law.auc >= 0.5 else 0.0, 1.0)
    return Picture(
        Axis(label, high=n + 1.0, ticks=ticks, pad=0.01),
        Axis(
            "P(positive | rank)",
            -0.3 * top,
            (1.1 + 0.11 * max(map(len, rows), default=0)) * top,
            UNIT_TICKS if top == 1 else round_ticks(0.0, top),
            pad=0.01,
        ),
        (
            Line("prior", "reference", *prior, dash="dotted", width=1.5),
            Line("middle", "selected", upright["middle"], (0.0, top), width=1.8),
            Line("best", "optimum", upright["best"], (0.0, top), width=2.0),
            Line("intervals", "ranking", *bars, width=1.3, opacities=(0.35,)),
            Line("curve", "hull", x, probability, clipped=False, own=own or {}),
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
                Dots(name, fill, shown[chosen] + 1.0, heights[chosen], rim=kind, size=40, width=1.2)
                for name, fill, kind, chosen in (
                    ("empty", "transparent", "negative", ~is_positive[shown]),
                    ("filled", "positive", "positive", is_positive[shown]),
                )
            ),
            *([Legend("legend", "text", choices=rows, corner=corner)] if rows else []),
            Labels(
                "words",
                "text",
                wishes=_names(law, x, probability, top, is_named=not rows) if is_large else (),
            ),
        ),
        is_large=is_large,
    )


def _names(
    law: FermiDirac, x: Floats, probability: Floats, top: float, *, is_named: bool
) -> list[PointLabel]:
    """Write the name of each line beside it."""
    n = law.ranks.size
    middle = law.chemical_potential
    best = law.threshold_rank
    ends = np.clip((best, middle), 0, n + 1)
    is_one = law.n_pos == law.n_neg
    held = f"μ = {'r* = ' * is_one}{rank_text(middle)}"
    if not 0 <= middle <= n + 1:
        held = f"← {held}" if middle < 0 else f"{held} →"
    falls = law.auc >= 0.5
    late = n * (np.linspace(0.75, 0.95, 5) if falls else np.linspace(0.05, 0.25, 5))
    along = np.interp(late, x, probability)
    wide = np.linspace(0.1, 0.9, 5) * n
    shown = f"prevalence {number(law.prevalence)}", "prevalence"
    names = [
        PointLabel([f"r* = {rank_text(best)}"], "optimum-text", ends[0], 1.07 * top, 0.4),
        PointLabel([held], "selected-text", ends[1], 0.6 * top, 0.8),
        PointLabel(["the law"], "hull-text", late, along + 0.06 * top, 0.4),
        PointLabel(
            shown,
            "muted",
            wide,
            law.prevalence + 0.04 * top,
            0.4,
        ),
    ]
    return [*names[is_one:2], *names[2 if is_named else 3 :]]


def roc_picture(
    law: FermiDirac,
    data: tuple[Floats, Floats],
    curve: tuple[Floats, Floats],
    is_large: bool,
    rows: Sequence[tuple[str, str]],
) -> Picture:
    """Draw the ROC curves of the law and of the data, with the legend ``rows``."""
    fpr, tpr = curve
    gain = tpr - fpr
    above = law.auc >= 0.5  # the curves leave the lower right corner free
    at = [int(gain.argmax() if above else gain.argmin())]
    choices = [[Entry(*row) for row in rows if is_large]]
    corner = (1.0, 0.0) if above else (0.0, 1.0)
    return Picture(
        Axis("false positive rate"),
        Axis("true positive rate"),
        (
            diagonal(),
            Line("data", "ranking", *data),
            Line("law", "hull", fpr, tpr, dash="dashed"),
            ring("best", "optimum", fpr[at], tpr[at]),
            Legend("words", "text", choices=choices, corner=corner),
        ),
        is_large=is_large,
    )
