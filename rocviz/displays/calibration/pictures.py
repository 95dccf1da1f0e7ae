"""Pictures of probabilities: reliability diagrams, histograms of scores, parts of the Brier score.

They are shared by the displays and the ROC explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.calibration.brier import BrierDecomposition
from rocviz.core.calibration.flexible import FlexibleCalibration
from rocviz.core.roc.segments import ReliabilityPoints, ScoreHistogram
from rocviz.pictures import (
    NO_POINTS,
    Axis,
    Band,
    Bars,
    Dots,
    Entry,
    Legend,
    Line,
    Mark,
    Picture,
    Runs,
    diagonal,
    model_line,
    model_style,
    some_of,
    uprights,
    words,
)
from rocviz.words import amount, number, percent, short_names

MAX_POINTS = 250  # more circles would be slow to draw and indistinguishable
_AXIS_PAD = 0.08  # margin for circles at the border
_NAME_LETTERS = (40, 18, 12)  # letters of a name, from long to short


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A model's probabilities in a reliability diagram.

    Parameters
    ----------
    points : ReliabilityPoints
    name : str, optional
    steps : (ndarray, ndarray)
        The line that the hull fits, if it is shown.
    parts : str
        The meaning of a point, in words.
    intervals : (ndarray, ndarray), optional
        Ends of an interval at each point, see ``interval_words``.
    own : mapping
        The user's properties of matplotlib's line.
    smooth : FlexibleCalibration, optional
        A smooth curve with its band.
    """

    points: ReliabilityPoints
    name: str | None = None
    steps: Any = NO_POINTS
    parts: str = "hull segments"
    intervals: tuple[Floats, Floats] | None = None
    interval_words: str = ""
    own: Mapping[str, Any] = field(default_factory=dict)
    smooth: FlexibleCalibration | None = None


@dataclass(frozen=True, eq=False)
class ReliabilityScene:
    """Contents of a reliability diagram."""

    models: tuple[Calibrated, ...]
    label: str = "predicted probability"

    def joined(self, other: Any) -> ReliabilityScene:
        """Add the models to those of another diagram."""
        models = other.models if isinstance(other, ReliabilityScene) else ()
        return replace(self, models=(*models, *self.models))


def name_of(kind: str, i: int) -> str:
    """Name a mark of model ``i``; the first model's marks are named by their kind alone."""
    return f"{kind}:{i}" if i else kind


def reliability_picture(scene: ReliabilityScene, is_large: bool = True) -> Picture:
    """Draw observed against predicted; a circle's area shows its number of samples."""
    marks: list[Mark] = [diagonal()]
    max_samples = max(float(model.points.n.max()) for model in scene.models)
    size = 240
    if is_large:
        size = 900 if len(scene.models) == 1 else 500
    for i, model in enumerate(scene.models):
        marks += _model_marks(model, i, max_samples, size)
    if is_large:
        choices = [_rows(scene, n) for n in _NAME_LETTERS]
        n_main_rows = len(scene.models) + len(_smooth_rows(scene)) + 1
        choices += [choices[-1][:n_main_rows], choices[-1][: len(scene.models) + 1]]
        is_whole = all(len(model.points.n) <= MAX_POINTS for model in scene.models)
        shortest = "area = samples" if is_whole else _parts(scene)
        circle = Entry(shortest, "muted", name_of("circles", 0), bold=False)
        choices.append([*choices[-1][: len(scene.models)], circle])
        marks.append(Legend("words", "text", choices=choices))
    return Picture(
        Axis(scene.label, pad=_AXIS_PAD), Axis("observed frequency", pad=_AXIS_PAD), tuple(marks),
        is_large=is_large,
    )  # fmt: skip


def _model_marks(model: Calibrated, i: int, max_samples: float, size: float) -> list[Mark]:
    """Draw the steps, circles, intervals and smooth curve of a model.

    The circle of ``max_samples`` samples has the ``size``.
    """
    points = model.points
    by_hull = len(model.steps[0]) > 0
    shown = some_of(len(points.n), MAX_POINTS)
    order = shown[np.argsort(-points.n[shown], kind="stable")]  # small circles on top
    predicted = points.predicted[order]
    observed = points.observed[order]
    # the hull of the first model is green
    role = "hull" if by_hull and not i else model_style(i).role
    style: dict[str, Any] = {"role": "hull", "dash": "dashed"} if role == "hull" else {}
    x, y = model.steps
    if not by_hull:
        x = predicted
        y = observed
        style["dash"] = "none"
    own_colour = {key: model.own[key] for key in model.own.keys() & {"color"}}
    marks: list[Mark] = []
    if model.smooth is not None and exists(model.smooth):
        smooth = model.smooth
        ends = smooth.lower, smooth.upper
        marks.append(
            Band(name_of("band", i), model_style(i).role, smooth.predicted, ends, own=own_colour)
        )
        name = name_of("smooth", i)
        marks.append(model_line(name, i, smooth.predicted, smooth.observed, model.own, width=2.0))
    if model.intervals is not None:
        low, high = model.intervals
        bars = uprights(points.predicted[shown], low[shown], high[shown])
        name = name_of("intervals", i)
        marks.append(Line(name, role, *bars, width=1.25, opacities=(0.45,), own=own_colour))
    marks.append(model_line(name_of("steps", i), i, x, y, model.own, width=2.0, **style))
    colour = model.own.get("color", role)
    circles = Dots(
        name_of("circles", i),
        f"{colour[:7] if colour.startswith('#') else colour}-soft",
        predicted,
        observed,
        rim="hull-text" if colour == "hull" else colour,
        sizes=np.maximum(points.n[order] / max_samples, 0.02),
        size=size,
        keys=order.tolist(),
    )
    marks.append(circles)
    return marks


def _name_in_legend(model: Calibrated, number: int | None) -> str:
    """Choose the name of a model, which has a ``number`` if there are several."""
    name = model.name
    if not name:
        name = "" if number is None else f"model {number}"
    name = str(model.own.get("label", name))
    if not name and len(model.steps[0]):
        return "convex hull"
    return name


def _rows(scene: ReliabilityScene, length: int) -> list[Entry]:
    """Write the legend of circles, lines and intervals."""
    models = scene.models
    several = len(models) > 1
    names = [_name_in_legend(model, i if several else None) for i, model in enumerate(models, 1)]
    short = short_names(names, length)
    rows = []
    for i, (model, name) in enumerate(zip(models, names, strict=True)):
        by_hull = len(model.steps[0]) > 0
        ink = "hull-text" if by_hull and not i else model_style(i).ink
        of = name_of("steps" if by_hull else "circles", i)
        if name:
            rows.append(Entry(short[name], "text" if "color" in model.own else ink, of))
    rows += _smooth_rows(scene)
    circles = f"{_parts(scene)}, area = samples"
    rows.append(Entry(circles, "muted", name_of("circles", 0), bold=False))
    last_with_words = {model.interval_words: i for i, model in enumerate(models)}
    for text, i in last_with_words.items():
        if text:
            rows.append(Entry(text, "muted", name_of("intervals", i), bold=False))
    return [*rows, Entry("perfectly calibrated", "muted", "diagonal", bold=False)]


def _parts(scene: ReliabilityScene) -> str:
    """Name what the circles stand for."""
    return " and ".join(dict.fromkeys(model.parts for model in scene.models))


def _smooth_rows(scene: ReliabilityScene) -> list[Entry]:
    """Write the legend of smooth curves and their bands."""
    curves = [model.smooth for model in scene.models]
    smooth = [(i, curve) for i, curve in enumerate(curves) if curve is not None]
    if not smooth:
        return []
    drawn = [(i, curve) for i, curve in smooth if exists(curve)]
    if not drawn:
        text = "no smooth curve: the classes are separated"
        return [Entry(text, "muted", "diagonal", bold=False)]
    i, first = drawn[0]
    band = f"{percent(first.confidence)} band"
    if len(smooth) > 1:
        text = f"flexible curves, {band}s"
        return [Entry(text, "muted", name_of("smooth", i), bold=False)]
    kind = "logistic" if first.method == "logistic" else "flexible"
    text = f"{kind} curve, ICI {number(first.ici.value)}"
    extent = "of the whole curve" if first.simultaneous else "pointwise"
    return [
        Entry(text, "muted", name_of("smooth", i), bold=False),
        Entry(f"{band}, {extent}", "muted", name_of("band", i), bold=False),
    ]


def exists(curve: FlexibleCalibration) -> bool:
    """Whether there is a curve to draw; there is none of separated classes."""
    return bool(np.isfinite(curve.observed).all())


def strip_picture(
    histogram: ScoreHistogram, above: str, below: str, *, label: str = "predicted probability"
) -> Picture:
    """Draw a low histogram: positives upwards, negatives downwards, each to its own scale.

    The highest bar of each class has its height at the axis, so that few positives among many
    negatives can be seen. ``above`` and ``below`` are words about the classes.
    """
    pos = histogram.pos
    neg = histogram.neg
    ticks = {-1.0: amount(float(neg.max())), 1.0: amount(float(pos.max()))}
    style: dict[str, Any] = {"opacity": 1.0, "gap": 0.1}
    return Picture(
        Axis(label, pad=_AXIS_PAD),
        Axis("", -1.85, 1.85, ticks, pad=0.0),
        (
            Bars("positive", "positive", histogram.centres, pos / pos.max(), **style),
            Bars("negative", "negative", histogram.centres, -neg / neg.max(), **style),
            Line("axis", "reference", (0.0, 1.0), (0.0, 0.0), width=1.0),
            words("positives", [(0.5, 1.5, above, "positive-text")], "middle", size=0.9),
            words("negatives", [(0.5, -1.5, below, "negative-text")], "middle", size=0.9),
        ),
    )


# heights in lines of text
_HEADER_HEIGHT = 1.5
_BAR_HEIGHT = 1.5
_GAP_HEIGHT = 0.9
_NAME_HEIGHT = 1.7
_BRACKET_HEIGHT = 2.0
_NOTE_HEIGHT = 1.25


#: A piece of a bar: its term, text, value and role.
Piece = tuple[str, str, float, str]


class BarRow(NamedTuple):
    """A bar: its heading and its pieces."""

    heading: str
    parts: Sequence[Piece]
    name: str | None = None  # heading of a new block; if empty, a gap alone
    brackets: Sequence[tuple[str, float]] = ()  # gains, drawn back from the end of the bar


def brier_pieces(parts: BrierDecomposition, *texts: str) -> tuple[list[Piece], list[Piece]]:
    """List the pieces of a Brier score: its two losses, and its two parts against the hull.

    The four ``texts`` stand before their values.
    """
    values = {
        "calibration_loss": (parts.calibration_loss, "selected"),
        "refinement_loss": (parts.refinement_loss, "negative"),
        "miscalibration": (parts.miscalibration, "selected"),
        "hull": (parts.brier - parts.miscalibration, "hull"),
    }
    pieces = []
    for (term, (value, role)), text in zip(values.items(), texts, strict=True):
        pieces.append((term, text, abs(round(value, 15)), role))  # without rounding errors
    return pieces[:2], pieces[2:]


def bars_height(rows: Sequence[BarRow], lines_of_note: int) -> float:
    """Compute the height of all rows in lines of text."""
    height = 0.0
    for row in rows:
        height += _HEADER_HEIGHT + _BAR_HEIGHT + _GAP_HEIGHT + _BRACKET_HEIGHT * len(row.brackets)
        if row.name is not None:
            height += _NAME_HEIGHT if row.name else _GAP_HEIGHT
    if lines_of_note:
        height += _NOTE_HEIGHT * (lines_of_note + 0.6)
    return height


def _length(row: BarRow) -> float:
    """Add the values of a bar's pieces."""
    return sum(value for _, _, value, _ in row.parts)


def bars_picture(
    rows: Sequence[BarRow],
    note: Sequence[Sequence[tuple[str, str]]] = (),
    *,
    least: float = 0.0,
    is_large: bool = True,
) -> Picture:
    """Draw bars of pieces below each other, each under its labels, with a note at the bottom.

    Each line of the note has pieces of (text, role). The x axis is at least as long as ``least``.
    """
    right = max(least, *map(_length, rows))
    marks: list[Mark] = []
    texts: list[tuple[float, float, Sequence[tuple[str, str]], str]] = []
    y = 0.0
    for i, row in enumerate(rows):
        if row.name is not None:
            if row.name:
                texts.append((0.0, y - _NAME_HEIGHT / 2, [(row.name, "ranking")], "start"))
            y -= _NAME_HEIGHT if row.name else _GAP_HEIGHT
        pieces = [(row.heading, "text")]
        left = 0.0
        y -= _HEADER_HEIGHT
        for term, text, value, role in row.parts:
            across = (left, left + value)
            heights = np.repeat([[y - _BAR_HEIGHT], [y]], 2, axis=1)
            marks.append(Band(f"{term}:{i}", role, across, heights, opacity=0.8))
            left += value
            ink = "muted" if role == "reference" else f"{role}-text"
            pieces.append((f"{text} {number(value)}".strip(), ink))
        texts.append(
            (0.0, y + _HEADER_HEIGHT / 2, [piece for piece in pieces if piece[0]], "start")
        )
        y -= _BAR_HEIGHT
        for k, (text, start) in enumerate(row.brackets):
            foot = y - _BRACKET_HEIGHT * (k + 0.85)
            up = [foot - 0.3, foot + 0.3]
            x = [[start, left], [start, start], [left, left]]
            y_of_lines = [[foot, foot], up, up]
            marks.append(Line(f"bracket {text}:{i}", "muted", x, y_of_lines, width=1.25))
            text_x = min(start, left)
            align = "start"
            if max(start, left) > right / 2:
                text_x = max(start, left)
                align = "end"
            texts.append(
                (text_x, foot + 0.75, [(f"{text} {number(left - start)}", "muted")], align)
            )
        y -= _BRACKET_HEIGHT * len(row.brackets) + _GAP_HEIGHT
    texts += [(0.0, y - _NOTE_HEIGHT * (k + 0.5), line, "start") for k, line in enumerate(note)]
    return Picture(
        Axis("", 0.0, right, (), pad=0.0, is_shown=False),
        Axis("", -bars_height(rows, len(note)), 0.0, (), pad=0.0, is_shown=False),
        (*marks, Runs("words", "text", rows=texts, height=1.3)),
        is_large=is_large,
        grow=(0.85, 0.8) if is_large else (1.1, 2.0),  # it fills its panel
    )
