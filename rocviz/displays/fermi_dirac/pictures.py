"""Pictures of the Fermi-Dirac law as values: filled levels, samples in columns, the ROC curve.

The display and the explorer share the curve; the explorer has the columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import RankFrequencies
from rocviz.pictures import (
    NO_POINTS,
    UNIT_TICKS,
    Axis,
    Band,
    Dots,
    Entry,
    Labels,
    Legend,
    Line,
    Mark,
    People,
    Picture,
    PointLabel,
    Words,
    diagonal,
    ring,
    round_ticks,
    uprights,
    words,
)
from rocviz.words import UNNAMED, ClassNames, amount, number, rank_text

MAX_DOTS = 160  # most levels that are drawn one by one
DOT_HEIGHTS = (
    -0.09,
    -0.15,
    -0.21,
    -0.27,
)  # heights of the dots below the law, as shares of its height
AXIS_LIMITS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # possible upper ends of an axis of probabilities
MAX_POINTS = 400  # vertices of an ROC curve


def law_points(law: FermiDirac) -> tuple[Floats, Floats]:
    """Compute ranks and probabilities that draw the law, denser where it is steep."""
    n = law.ranks.size
    width = min(abs(law.temperature), n) or 1e-9 * n
    steep = np.linspace(-12, 12, 121) * width
    middles = np.clip((law.chemical_potential, law.threshold_rank), 0.5, n + 0.5)
    x = np.concatenate((np.linspace(0.5, n + 0.5, 201), *np.add.outer(middles, steep)))
    x = np.unique(np.clip(x, 0.5, n + 0.5))
    return x, law.probability(x)


def law_roc(law: FermiDirac) -> tuple[Floats, Floats]:
    """Compute the ROC curve of the law with no more vertices than are visible."""
    fpr, tpr = law.roc_curve()
    along = fpr + tpr
    kept = np.unique(np.searchsorted(along, np.linspace(0, along[-1], MAX_POINTS)))
    return fpr[kept], tpr[kept]


def _rank_label(classes: ClassNames) -> str:
    """Say of an axis of ranks which class its beginning is likely to be of."""
    if classes.is_named:
        return f"rank (1: most likely {classes.positive})"
    return "rank (1 is the most positive)"


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
    classes: ClassNames = UNNAMED,
) -> Picture:
    """Draw levels as dots, filled where a positive stands, with the law above.

    ``intervals`` are the ends of those of the frequencies of the ``slices``, ``top`` is where
    probabilities end, ``rows`` say what the marks are, as there is room, ``own`` is for the law's
    line, and ``classes`` are the names of the classes.
    """
    n = law.ranks.size
    step = -(-n // MAX_DOTS)
    shown = np.arange((step - 1) // 2, n, step)
    heights = top * np.array(DOT_HEIGHTS)[np.arange(shown.size) % len(DOT_HEIGHTS)]
    best = _upright(law.threshold_rank, n)
    middle = _upright(law.chemical_potential, n)
    ticks = round_ticks(0, n, 4)
    ticks = np.unique(np.append(1, ticks[(ticks > 1) & (ticks % 1 == 0)]))
    short = classes.shortened()
    label = _rank_label(short)
    if step > 1:
        label = f"rank; a dot for every {amount(step)} ranks"
    prior = (0.0, n + 1.0), [law.prevalence] * 2
    bars = uprights(slices.rank, *intervals) if intervals else NO_POINTS
    x, probability = law_points(law)
    positives = is_positive[shown]
    level_style: dict[str, Any] = {"size": 40, "width": 1.2}
    n_rows = max(map(len, rows), default=0)
    legend = []
    if rows:
        corner = (1.0 if law.auc >= 0.5 else 0.0, 1.0)
        legend.append(Legend("legend", "text", choices=rows, corner=corner))
    return Picture(
        Axis(label, high=n + 1.0, ticks=ticks, pad=0.01),
        Axis(
            f"P({short.positive} | rank)",
            -0.3 * top,
            (1.1 + 0.11 * n_rows) * top,
            UNIT_TICKS if top == 1 else round_ticks(0.0, top),
            pad=0.01,
        ),
        (
            Line("prior", "reference", *prior, dash="dotted", width=1.5),
            Line("middle", "selected", middle, (0.0, top), width=1.8),
            Line("best", "optimum", best, (0.0, top), width=2.0),
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
            Dots(
                "empty",
                "transparent",
                shown[~positives] + 1.0,
                heights[~positives],
                rim="negative",
                **level_style,
            ),
            Dots(
                "filled",
                "positive",
                shown[positives] + 1.0,
                heights[positives],
                rim="positive",
                **level_style,
            ),
            *legend,
            Labels(
                "words",
                "text",
                point_labels=_names(law, x, probability, top, is_named=not rows)
                if is_large
                else (),
            ),
        ),
        is_large=is_large,
    )


#: Rows of dots in a column of samples, of which each may be several.
MAX_DOT_ROWS = 10
MAX_COLUMN_LETTERS = 14  # of the name of a class
COLUMNS_BOTTOM, COLUMNS_TOP = -0.2, 1.22  # ends of the axis of the large picture of columns
COLUMN_NAMES_Y, COLUMN_BEST_Y, COLUMN_BELOW_Y = 1.16, 1.07, -0.15  # heights of its words
COLUMN_FOOT = -0.06  # height at which the mark of the chemical potential stands
SMALL_COLUMNS_BOTTOM = -0.1


# Of more, the law takes longer than a step may; two more are drawn where there are fewer.
MAX_SAMPLES_WITH_NEIGHBOURS = 10_000


def columns_picture(
    law: FermiDirac,
    slices: RankFrequencies,
    is_large: bool,
    *,
    has_best: bool,
    classes: ClassNames = UNNAMED,
) -> Picture:
    """Stack samples in columns of neighbouring ranks, positives below, with the law over them.

    The law divides the square into what it expects of each class, as the dots are divided. With
    ``has_best`` its threshold rank is marked, and the prevalence that it comes from. ``classes``
    are the names of the classes.
    """
    n = law.ranks.size
    x, probability = law_points(law)
    short = classes.shortened(MAX_COLUMN_LETTERS)
    dots, per_dot = _column_dots(slices, short)
    label = _rank_label(short)
    if per_dot > 1:
        label = f"rank; a dot is {amount(per_dot)} samples"
    ticks = round_ticks(0, n, 4)
    best: Any = ()
    prior: Any = NO_POINTS
    if has_best:
        best = _upright(law.threshold_rank, n)
        prior = (0.0, n + 1.0), [law.prevalence] * 2
    low, high = (COLUMNS_BOTTOM, COLUMNS_TOP) if is_large else (SMALL_COLUMNS_BOTTOM, 1.0)
    middle = _upright(law.chemical_potential, n)
    expected = np.stack((np.zeros(x.size), probability)), np.stack((probability, np.ones(x.size)))
    marks: list[Mark] = [
        Band("expected positives", "positive", x, expected[0], opacity=0.14),
        Band("expected negatives", "negative", x, expected[1], opacity=0.08),
        Line("prior", "text", *prior, dash="dotted", width=2.0, readings=()),
        Line("middle", "selected", middle, (COLUMN_FOOT, 1.0), readings=()),
        Line("best", "optimum", best, (0.0, 1.0), readings=()),
        *(_neighbours(law) if is_large else ()),
        Line("curve", "hull", x, probability, width=4.0, clipped=False),
        *dots,  # whole, so that each is seen to be of one class
    ]
    if is_large:
        marks += _column_words(law, short, has_best=has_best)
    return Picture(
        Axis(label, high=n + 1.0, ticks=np.unique(np.append(1, ticks[ticks > 1])), pad=0.01),
        Axis(f"P({short.positive} | rank)", low, high, UNIT_TICKS, pad=0.01),
        tuple(marks),
        is_square=False,
        is_large=is_large,
    )


def has_neighbours(law: FermiDirac) -> bool:
    """Whether the law is drawn at half and twice its temperature, too."""
    n = law.ranks.size
    return n <= MAX_SAMPLES_WITH_NEIGHBOURS and 1e-6 * n < abs(law.temperature) < 1e6 * n


def _neighbours(law: FermiDirac) -> list[Line]:
    """Draw where the law goes when it is cooled and heated: at half and twice its temperature."""
    if not has_neighbours(law):
        return []
    n = law.ranks.size
    n_pos = round(law.prevalence * n)
    style: Any = {"opacities": (0.5,), "dash": "dashed", "width": 1.5, "may_be_covered": True}
    lines = []
    for name, factor in (("half", 0.5), ("twice", 2.0)):
        reading = f"the law at {name} the temperature"
        other = FermiDirac.from_temperature(factor * law.temperature, n_pos, n - n_pos)
        lines.append(
            Line(f"{name} temperature", "hull", *law_points(other), readings=[reading], **style)
        )
    return lines


def _column_dots(slices: RankFrequencies, classes: ClassNames) -> tuple[list[Mark], float]:
    """Place the dots of each column, its positives below; and count the samples of a dot."""
    n_rows = int(min(slices.n.max(), MAX_DOT_ROWS))
    row = np.tile(np.arange(n_rows), slices.n.size)
    rank = np.repeat(slices.rank, n_rows)
    is_positive = row < np.repeat(np.floor(slices.frequency * n_rows + 0.5), n_rows)
    marks: list[Mark] = []
    for role, is_of, name in (
        ("positive", is_positive, classes.positive),
        ("negative", ~is_positive, classes.negative),
    ):
        dots = People(
            f"{role} samples",
            role,
            rank[is_of],
            (row[is_of] + 0.5) / n_rows,
            n_filled=int(is_of.sum()) if role == "positive" else 0,
            pitch=(float(slices.n.max()), 1 / n_rows),
            readings=[f"{name}, rank about {{x}}"] * 3,
        )
        marks.append(dots)
    return marks, float(np.round(slices.n.max() / n_rows))


def _column_words(law: FermiDirac, short: ClassNames, *, has_best: bool) -> list[Mark]:
    """Name classes and law above the columns, and the ranks that are marked."""
    n = law.ranks.size
    middle = law.chemical_potential
    is_one = has_best and law.n_pos == law.n_neg
    text = f"μ = r* = {rank_text(middle)}" if is_one else f"μ = {rank_text(middle)}"
    if middle < 0:
        text = f"← {text}"
    elif middle > n + 1:
        text = f"{text} →"
    inside = 0.14 * n, 0.86 * n  # for the middle of words
    at = float(np.clip(middle, *inside))
    right = n + 1.0
    marks: list[Mark] = [
        words("positives", [(0.0, COLUMN_NAMES_Y, short.positives, "positive-text")]),
        words("negatives", [(right, COLUMN_NAMES_Y, short.negatives, "negative-text")], "end"),
        words("potential words", [(at, COLUMN_BELOW_Y, text, "selected-text")], "middle"),
        _opposite("law", at, n, COLUMN_BELOW_Y, "the law", "hull-text"),
    ]
    if not has_best:
        return marks
    best = float(np.clip(law.threshold_rank, *inside))
    marks.append(_opposite("prevalence words", best, n, COLUMN_BEST_Y, "prevalence", "muted"))
    if not is_one:
        text = f"r* = {rank_text(law.threshold_rank)}"
        marks.append(words("best words", [(best, COLUMN_BEST_Y, text, "optimum-text")], "middle"))
    return marks


def _opposite(name: str, x: float, n: int, y: float, text: str, role: str) -> Words:
    """Write words at the end of a row that is further from x."""
    if x < 0.7 * n:
        return words(name, [(n + 1.0, y, text, role)], "end")
    return words(name, [(0.0, y, text, role)])


def _upright(rank: float, n: int) -> Sequence[float]:
    """Compute x of a vertical line at a rank; nothing where it is outside of the axis."""
    return (rank, rank) if 0 <= rank <= n + 1 else ()


def _names(
    law: FermiDirac, x: Floats, probability: Floats, top: float, *, is_named: bool
) -> list[PointLabel]:
    """Write the name of each line beside it."""
    n = law.ranks.size
    middle = law.chemical_potential
    best = law.threshold_rank
    ends = np.clip((best, middle), 0, n + 1)
    is_one = law.n_pos == law.n_neg
    middle_text = f"μ = r* = {rank_text(middle)}" if is_one else f"μ = {rank_text(middle)}"
    if middle < 0:
        middle_text = f"← {middle_text}"
    elif middle > n + 1:
        middle_text = f"{middle_text} →"
    falls = law.auc >= 0.5
    ranks_of_law = n * (np.linspace(0.75, 0.95, 5) if falls else np.linspace(0.05, 0.25, 5))
    law_there = np.interp(ranks_of_law, x, probability)
    ranks_of_prior = np.linspace(0.1, 0.9, 5) * n
    prior_texts = f"prevalence {number(law.prevalence)}", "prevalence"
    names = []
    if not is_one:
        best_text = f"r* = {rank_text(best)}"
        names.append(PointLabel([best_text], "optimum-text", ends[0], 1.07 * top, 0.4))
    names.append(PointLabel([middle_text], "selected-text", ends[1], 0.6 * top, 0.8))
    if is_named:
        names.append(
            PointLabel(["the law"], "hull-text", ranks_of_law, law_there + 0.06 * top, 0.4)
        )
    names.append(PointLabel(prior_texts, "muted", ranks_of_prior, law.prevalence + 0.04 * top, 0.4))
    return names


def roc_picture(
    law: FermiDirac,
    data: tuple[Floats, Floats],
    curve: tuple[Floats, Floats],
    is_large: bool,
    rows: Sequence[tuple[str, str]],
    *,
    has_best: bool = True,
) -> Picture:
    """Draw the ROC curves of the law and of the data, with the legend ``rows``.

    A ring marks the threshold rank of the law, unless not ``has_best``.
    """
    fpr, tpr = curve
    gain = tpr - fpr
    above = law.auc >= 0.5  # the curves leave the lower right corner free
    best = [int(gain.argmax() if above else gain.argmin())] if has_best else []
    choices = [[Entry(*row) for row in rows if is_large]]
    corner = (1.0, 0.0) if above else (0.0, 1.0)
    return Picture(
        Axis("false positive rate"),
        Axis("true positive rate"),
        (
            diagonal(),
            Line("data", "ranking", *data),
            Line("law", "hull", fpr, tpr, dash="dashed"),
            ring("best", "optimum", fpr[best], tpr[best]),
            Legend("words", "text", choices=choices, corner=corner),
        ),
        is_large=is_large,
    )
