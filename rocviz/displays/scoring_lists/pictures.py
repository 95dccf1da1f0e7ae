"""Pictures of scoring lists as values: a stage, measures by stage, the whole list, stops.

They are shared by the displays and the explorer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.pictures import (
    LETTER,
    NOWHERE,
    ROW,
    Areas,
    Axis,
    Band,
    Dots,
    Entry,
    Labels,
    Legend,
    Line,
    Mark,
    Picture,
    PointLabel,
    Words,
    boxes,
    round_ticks,
    sheet,
    some_of,
    tick_text,
    uprights,
    words,
)
from rocviz.words import amount, letters, percent, shorten

#: Names of the kinds of intervals.
METHODS = {"clopper-pearson": "Clopper–Pearson", "wilson": "Wilson", "jeffreys": "Jeffreys"}
#: Ticks of an axis of probabilities, in per cent as in the list and the rail.
PERCENT = {0.0: "0", 0.25: "25", 0.5: "50", 0.75: "75", 1.0: "100"}
ZONES = (("negative", "lower", 0.0), ("positive", "upper", 1.0))
PLAIN = 0.75  # width of a regular letter, as a share of a bold one
Row = tuple[float, float, str, str]

# ---------------------------------------------------------------------- one stage

MOST = 150  # most totals that can be distinguished
WRITTEN = 16  # most totals with written counts
FOOT = -0.54  # lower end of the counts below a stage


def zones(levels: Sequence[float | None], left: float, right: float) -> list[Mark]:
    """Draw the zones beyond each limit, and the limits as lines."""
    marks: list[Mark] = []
    for (role, _, end), level in zip(ZONES, levels, strict=True):
        x, at = ((), ()) if level is None else ((left, right), (level, level))
        y: Any = () if level is None else (at, (end, end))
        marks.append(Band(f"{role} zone", role, x, y, opacity=0.13))
        marks.append(Line(f"{role} limit", role, x, at, width=1.8))
    return marks


def stage_picture(
    stage: ScoringStage,
    band: StageBand | None,
    is_large: bool,
    *,
    ends: tuple[float, float] | None = None,
    levels: Sequence[float | None] = (None, None),
    cost_fn: float | None = None,
    prior: float | None = None,
    pos_label: str | None = None,
    more: Sequence[Mark] = (),
) -> Picture:
    """Draw probability with its intervals against the total.

    ``ends`` are those of the axis, and ``levels`` the limits at which one stops. A large picture
    has a line where the cost of a miss, ``cost_fn``, calls positive, and one at the probability
    before the first question, ``prior``. With a ``pos_label`` the cases are counted below.
    ``more`` marks stand on top.
    """
    low, high = int(stage.totals[-1]), int(stage.totals[0])
    ticks = round_ticks(low, high, 11 if is_large else 3, integer=True) if high > low else [low]
    left, right = ends or (low - 0.75, high + 0.75)
    some = some_of(len(stage), MOST)
    totals = stage.totals[some].astype(float)
    p = stage.probability[some]
    seen = stage.n[some] > 0 if stage.has_counts else np.ones(p.size, dtype=bool)
    pairs: Any = NOWHERE
    empty: list[Row] = []
    if band is not None:
        pairs = uprights(totals, band.lower[some], band.upper[some])
        bad = band.is_empty[some]
        empty = [(x, y, "×", "text") for x, y in zip(totals[bad], p[bad], strict=True)]
    happened: Any = NOWHERE
    if stage.has_counts:
        half = 0.28 if right - left < 30 else 0.01 * (right - left)
        at = totals[seen]
        share = stage.counts[0][some][seen] / stage.n[some][seen]
        happened = uprights(share, at - half, at + half)[::-1]
    counts = _counts(stage, pos_label, (left, right)) if stage.has_counts and pos_label else []
    turn = None if cost_fn is None or not is_large else 1 / (1 + cost_fn)
    level_lines = [
        Line(name, role, *at, dash=dash, width=1.8, may_be_covered=name == "prior")
        for name, role, level, dash in (
            ("cost", "optimum", turn, "dashed"),
            ("prior", "reference", prior, "dotted"),
        )
        for at in [NOWHERE if level is None else ((left, right), (level, level))]
    ]
    name = pos_label or "positive"
    other = "negative" if name == "positive" else f"not {name}"
    costly = f"a miss costs {cost_fn or 0:g}: {name}"
    across, beside = np.meshgrid(np.linspace(left, right, 7)[1:-1], [0.05, -0.05])
    wishes = [
        PointLabel(
            texts if is_large else texts[-1:], role, across.ravel(), level + beside.ravel(), 0.3
        )
        for level, role, *starts, short in (
            (levels[1], "positive-text", f"stop: {name} from", f"{name} from", name),
            (levels[0], "negative-text", f"stop: {other} up to", f"{other} up to", other),
            (turn, "optimum-text", f"{costly} above", "cut at the end:", "cut"),
            (prior, "muted", "before the first question", "before"),
        )
        if level is not None
        for texts in [[*(f"{text} {percent(level)}" for text in starts), short]]
    ]
    whom = "a positive" if name == "positive" else name
    return Picture(
        Axis("total score", left, right, ticks, 0.03),
        Axis(f"probability of {whom}, %", FOOT if counts else 0.0, 1.0, PERCENT, pad=0.03),
        (
            *zones(levels, left - 0.03 * (right - left), right + 0.03 * (right - left)),
            *level_lines,
            Line("intervals", "hull", *pairs, opacities=(0.35,), width=9.0),
            Line("curve", "hull", totals, p, dash="dashed", width=2.0),
            Dots("unseen", "paper", totals[~seen], p[~seen], rim="hull", size=70, width=1.8),
            Dots("seen", "hull", totals[seen], p[seen], size=90),
            Line("happened", "ranking", *happened, width=3.0),
            words("contradictions", empty, "middle"),
            *counts,
            *more,
            Legend("key", "text", choices=_key(stage, band) * is_large, corner=(0.0, 1.0)),
            Labels("words", "text", wishes=wishes),
        ),
        is_large=is_large,
    )


def _counts(stage: ScoringStage, pos_label: str, ends: tuple[float, float]) -> list[Mark]:
    """Draw the numbers of positives (up) and negatives (down) at each total, on one scale."""
    middle = 0.56 * FOOT
    reach = 0.24 * -FOOT
    pos, neg = stage.counts
    most = max(float(pos.max()), float(neg.max()))
    step = float(-np.diff(stage.totals).max()) if len(stage) > 1 else 1.0
    marks: list[Mark] = [Line("middle", "reference", ends, (middle, middle), width=1.0)]
    names = ("positives", "negatives")
    if pos_label != "positive":
        names = pos_label, "others"
    aside = 0.31 * step
    heads = (
        (ends[0], middle + reach + 0.085, "start"),
        (ends[1], middle - reach - 0.085, "end"),
    )
    for role, side, way, name, head in zip(
        ("positive", "negative"), (pos, neg), (1, -1), names, heads, strict=True
    ):
        top = middle + way * reach * side / most
        at = stage.totals[side > 0]
        bars = boxes(at - aside, at + aside, middle, top[side > 0])
        marks.append(Areas(f"{role}s", role, *bars))
        rows = [
            (float(total), float(end) + 0.033 * way, amount(n), f"{role}-text")
            for total, end, n in zip(stage.totals, top, side, strict=True)
            if n and len(stage) <= WRITTEN
        ]
        marks.append(words(f"{role} counts", rows, "middle", bold=False, size=0.8))
        across, up, align = head
        head_row = [(across, up, f"{amount(side.sum())} {name}", f"{role}-text")]
        marks.append(words(f"{role} sum", head_row, align, size=0.9))
    return marks


def _key(stage: ScoringStage, band: StageBand | None) -> list[list[Entry]]:
    """Write the legend of a stage, in full and in short."""
    rows = [("what the list says", "the list", "hull-text", "seen")]
    if stage.has_counts:
        rows.append(("what happened", "happened", "text", "happened"))
        if not (stage.n > 0).all():
            rows.append(("no samples", "none", "muted", "unseen"))
    if band is not None:
        sure = percent(band.confidence)
        together = " together" * (band.correction is not None)
        full = f"{sure} intervals{together}, {METHODS[band.method]}"
        rows.append((full, f"{sure} intervals", "muted", "intervals"))
        if band.is_empty.any():
            rows.append(("× counts contradict the order", "× contradiction", "muted", ""))
    return [[Entry(row[i], *row[2:], bold=row[2] != "muted") for row in rows] for i in (0, 1)]


# ---------------------------------------------------------------------- measures by stage

#: Role, dash and width of a measure's curve on each data.
CURVES = {
    "train": ("ranking", "solid", 2.5),
    "test": ("second", "dashed", 2.5),
    "came": ("reference", "dotted", 2.0),
    "came test": ("reference", "dotted", 2.0),
}


def measure_picture(
    curves: Mapping[str, Floats],
    entries: Sequence[Entry],
    stage: int,
    is_large: bool,
    *,
    label: str = "",
    rises: bool = False,
    grip: float = 0.0,
) -> Picture:
    """Draw a measure from stage to stage on each data set, with the chosen stage marked.

    The limits leave room where the curves are not for the legend's ``entries``, and for a handle
    that takes a share ``grip`` of the height.
    """
    size = max([values.size - 1 for values in curves.values()], default=1)
    every = np.concatenate([*curves.values(), []])
    every = every[np.isfinite(every)]
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
    room = len(entries) * (0.062 if is_large else 0.125) + 0.03
    reach = max(high - low, 0.02)
    low, high = low - 0.04 * reach, high + 0.04 * reach
    span = (high - low) / (1 - room - grip)
    low, high = (high - span, high) if rises else (low - grip * span, low + (1 - grip) * span)
    lines = []
    dots = []
    for name, values in curves.items():
        role, dash, width = CURVES[name]
        lines.append(Line(name, role, np.arange(values.size), values, dash=dash, width=width))
        dots.append(Dots(f"{name} dots", role, np.arange(values.size), values, size=60))
    rows = entries if is_large else [one._replace(of="") for one in entries]
    corner = (1.0, 0.0 if rises else 1.0)
    ticks = round_ticks(0, size, 8 if is_large else 3, integer=True)
    return Picture(
        Axis("questions asked", 0.0, float(max(size, 1)), ticks),
        Axis(label, low, high, round_ticks(low, high, 6 if is_large else 3), pad=0.0),
        (
            Line(
                "selected", "selected", [stage] * 2, (low, high), width=1.8, may_be_covered=not grip
            ),
            *lines,
            *dots,
            Legend("words", "text", choices=[rows], corner=corner, left_out=["selected"]),
        ),
        is_large=is_large,
    )


# ---------------------------------------------------------------------- the list as a table

#: Share of a class's colour in a cell of probability 0 or 1; with more of it, the text would not
#: stand out in the dark theme.
STRONGEST = {"negative": 0.3, "positive": 0.7}
COLUMNS = 120  # most totals in a table
NAMES = 39.0  # least share of the questions in the width of a large table, in per cent
SMALLEST = 0.72  # font size, as a share


def shading(p: float, prior: float) -> tuple[str, float]:
    """Choose the colour of a cell, and its strength.

    Cells as likely as before any question have none of it.
    """
    if p >= prior:
        return "positive", STRONGEST["positive"] * (p - prior) / max(1 - prior, 1e-9)
    return "negative", STRONGEST["negative"] * (prior - p) / prior


def cell_text(p: float) -> str:
    """Write a probability in per cent without the sign."""
    return percent(p).removesuffix(" %").replace(" ", "")


def points(score: int) -> str:
    """Write points with their sign; 0 without one."""
    return f"{score:+d}".replace("-", "−") if score else "0"


class _Table:
    """Layout of a table: rows from the top, in per cent of width and height."""

    def __init__(self, n_rows: int, is_large: bool) -> None:
        grow = 1 if is_large else 2
        self.is_large = is_large
        self.row = 100 / n_rows
        full = 100 * grow * ROW
        self.size = float(np.clip(1.3 * self.row / full, SMALLEST, 1.0))
        self.letter = 100 * grow * LETTER * PLAIN * self.size
        #: Rows from one written name to the next.
        self.every = max(1, int(np.ceil(0.5 * full / self.row)))

    def y(self, k: Any) -> Any:
        """Compute the middle of a row."""
        return 100 - self.row * (np.asarray(k, dtype=float) + 0.5)

    def names(self, texts: Sequence[str], here: int, room: float, first: int) -> list[Mark]:
        """Write names at the left, the chosen one in bold."""
        rows: list[list[Row]] = [[], []]
        for k, name in enumerate(texts):
            text = name
            if self.is_large and (k % self.every == 0 or k == here):
                most = int(room / self.letter * (0.85 if k == here else 1))
                if letters(text) > most:  # drop the condition before cutting the name
                    text = re.sub(r" [<>=≤≥] \S+$", "", text)
                row = 0.0, float(self.y(k + first)), shorten(text, most), "text"
                rows[k == here].append(row)
        return [
            words("names", rows[0], bold=False, size=self.size),
            words("name here", rows[1], size=self.size),
        ]


def list_picture(
    scoring_list: ScoringList,
    questions: Sequence[str],
    calls: Sequence[Any],
    path: Sequence[int],
    here: int,
    is_large: bool,
) -> Picture:
    """Draw the list as a table: stages as rows, totals as columns, a case's path through them.

    ``calls`` are 1, -1 and 0 at the totals of each stage where one stops as positive, as negative,
    or goes on; ``path`` has the case's totals, and ``here`` is the stage that is looked at.
    """
    stages = scoring_list.stages
    totals = np.unique(np.concatenate([stage.totals for stage in stages]))
    table = _Table(len(stages) + (2 if is_large else 1), is_large)
    if totals.size > COLUMNS:
        return _no_table(table, totals.size)
    start = max(NAMES, min(100 - 6.2 * totals.size, 54.0)) if is_large else 0.0
    wide = (100 - start) / totals.size
    every = next(n for n in (1, 2, 5, 10, 20) if totals.size <= (14 if is_large else 6) * n)
    shown = np.flatnonzero(totals % every == 0)
    prior = float(stages[0].probability[0])
    rows, columns, p, called = (
        np.concatenate(each)
        for each in (
            [np.full(len(stage), k) for k, stage in enumerate(stages)],
            [np.searchsorted(totals, stage.totals) for stage in stages],
            [stage.probability for stage in stages],
            calls,
        )
    )
    up = table.y(rows + 1)
    left, right = start + (columns + 0.04) * wide, start + (columns + 0.96) * wide
    corners = boxes(left, right, up - 0.44 * table.row, up + 0.44 * table.row)
    shades = [shading(value, prior) for value in p.tolist()]
    on_path = np.isin(np.arange(rows.size), _path_cells(stages, path))
    last = on_path & (rows == len(path) - 1)
    ends = np.column_stack((left, right))[called != 0]
    foot = np.repeat(up[:, None] - 0.4 * table.row, 2, axis=1)[called != 0]
    texts = [cell_text(value) for value in p.tolist()]
    longest = max(map(len, texts)), max(len(str(total)) for total in totals.tolist())
    size, head = (min(table.size, 0.95 * wide / n / table.letter * table.size) for n in longest)
    fits = is_large and size >= SMALLEST and table.every == 1
    numbers = ((left + right) / 2, up) if fits else NOWHERE
    heads = [
        (start + (i + 0.5) * wide, float(table.y(0)), tick_text(totals[i]), "muted") for i in shown
    ]
    margin = [
        (start - 1.5, float(table.y(k + 2)), points(s), "muted")
        for k, s in enumerate(scoring_list.scores.tolist())
        if is_large and k % table.every == 0
    ]
    title = [(0.0, float(table.y(0)), "total", "muted")]
    frame = "frame: this case" + " · underlined: stop" * bool(called.any())
    note = [(0.0, 0.4 * table.row, frame, "muted")]
    small: dict[str, Any] = {"size": table.size, "bold": False}
    rings = [np.column_stack((one[mask], one[mask][:, :1])) for mask in (on_path, last)
             for one in corners]  # fmt: skip
    marks = (
        Areas("cells", "grid", *corners),
        Areas(
            "shades",
            "positive",
            *corners,
            each=[role for role, _ in shades],
            opacities=[share for _, share in shades],
        ),
        Line(
            "stops",
            "positive-text",
            ends,
            foot,
            each=[f"{'positive' if call > 0 else 'negative'}-text" for call in called[called != 0]],
            width=3.0,
        ),
        Line("path", "text", *rings[:2], width=2.2),
        Line("now", "text", *rings[2:], width=3.4),
        *table.names(["before", *questions], here, start - 9, 1),
        words("points", margin, "end", **small),
        words("totals", heads, "middle", bold=False, size=max(head, SMALLEST)),
        words("titles", title * is_large, **small),
        Words(
            "numbers", "text", *numbers, text=texts * fits, align="middle", bold=False, size=size
        ),
        words("note", note * is_large, bold=False, size=0.9),
    )
    return sheet(marks, is_large=is_large)


def _path_cells(stages: Sequence[ScoringStage], path: Sequence[int]) -> list[int]:
    """Find the cells of a path, counted through all stages."""
    firsts = np.cumsum([0, *(len(stage) for stage in stages)])
    pairs = zip(firsts.tolist(), stages, path, strict=False)
    return [first + int(np.flatnonzero(stage.totals == total)[0]) for first, stage, total in pairs]


def too_many(n_totals: int) -> str:
    """Explain why there is no table."""
    return (
        f"{n_totals} totals are too many for a table; the next picture shows them stage by stage."
    )


def _no_table(table: _Table, n_totals: int) -> Picture:
    lines = wrap(too_many(n_totals), 40 if table.is_large else 20)
    step = 7 if table.is_large else 13
    rows = [(0.0, 95.0 - step * k, text, "muted") for k, text in enumerate(lines)]
    return sheet([words("note", rows, bold=False)], is_large=table.is_large)


# ---------------------------------------------------------------------- where samples stop


def stops_picture(
    sure: Sequence[tuple[float, float]],
    questions: Sequence[str],
    text: str,
    here: int,
    is_large: bool,
) -> Picture:
    """Draw the shares decided by each stage, from both ends of a bar.

    ``sure`` are those of negatives and positives; the ``text`` stands above.
    """
    step = 85 * ROW if is_large else 170 * ROW
    lines = wrap(text, 50 if is_large else 30)
    shown = list(range(len(sure))) if is_large else [here] * bool(sure)
    table = _Table(max(len(shown) + 1, 2), is_large)
    scale = 1 - (len(lines) + 0.5) * step / 100  # below the words
    names = ["before", *questions]
    left, right = (NAMES, 78.0) if is_large else (0.0, 100.0)
    bars: list[Mark] = []
    shares: dict[str, list[Row]] = {"negative": [], "positive": []}
    at = np.array([float(table.y(row + is_large)) * scale for row in range(len(shown))])
    no, yes = np.array([sure[k] for k in shown]).reshape(-1, 2).T
    wide = right - left
    half = 0.3 * table.row * scale
    for role, start, end in (
        ("negative", np.zeros(no.size), no),
        ("grid", no, 1 - yes),
        ("positive", 1 - yes, np.ones(no.size)),
    ):
        corners = boxes(left + wide * start, left + wide * end, at - half, at + half)
        bars.append(Areas(f"{role} bars", role, *corners))
    for role, values, x in (("negative", no, 88.0), ("positive", yes, 100.0)):
        if is_large and at.size:
            shares[role] = [(x, float(table.y(0)) * scale, role[:3] + ".", f"{role}-text")]
            shares[role] += [
                (x, y, percent(value), f"{role}-text")
                for y, value in zip(at.tolist(), values.tolist(), strict=True)
            ]
    top = [(0.0, 100 - step * (0.6 + k), line, "text") for k, line in enumerate(lines)]
    written = table.names(names if at.size else [], here, NAMES - 3, 1)
    marks = (
        *bars,
        *(replace(mark, y=mark.y * scale) for mark in written),
        *(
            words(f"{role} shares", rows, "end", bold=False, size=table.size)
            for role, rows in shares.items()
        ),
        words("words", top, bold=False),
    )
    return sheet(marks, is_large=is_large)
