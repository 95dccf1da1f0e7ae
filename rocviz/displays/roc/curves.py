"""Pictures of rankings as curves, in ROC space or in any other.

They are shared by the displays and the ROC explorer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from rocviz.core.base.validation import Floats
from rocviz.core.curve_spaces.space_curve import SpaceCurve
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import Artists, first_of, scene_on
from rocviz.pictures import (
    NOWHERE,
    Axis,
    Band,
    Dots,
    Entry,
    Handle,
    Legend,
    Line,
    Mark,
    Picture,
    model_line,
    model_look,
    ring,
)
from rocviz.theme import Theme
from rocviz.words import short_names

FINE = 2000.0  # printed pixels across a curve
MOST_VERTICES = 40
LENGTHS = (40, 18, 12)  # letters of a name, from long to short
MOST_ROWS = 6  # rows about models where a table lists all of them


@dataclass(frozen=True)
class Space:
    """Names of a space, its axes, its area, its no-skill line and its hull; "" for one without.

    ``corner`` is the best one for words, as shares of width and height.
    """

    name: str
    title: str
    x: str
    y: str
    area: str
    no_skill: str
    corner: tuple[float, float]
    hull: str = "convex hull"


_LEFT = (0.0, 0.0)
_RIGHT = (1.0, 0.0)
_ABOVE = (1.0, 1.0)

#: By the name of the space.
SPACES = {
    space.name: space
    for space in (
        Space("roc", "ROC curve", "false positive rate", "true positive rate", "AUC", "", _RIGHT),
        Space(
            *("precision_recall", "Precision and recall", "recall", "precision"),
            *("mean precision", "at random: the prevalence", _LEFT),
        ),
        Space(
            *("pr_gain", "Gains of precision and recall", "recall gain", "precision gain"),
            *("mean gain", "F1 of calling all positive", _LEFT),
        ),
        Space(
            *("gain", "Cumulative gain", "share called positive", "true positive rate"),
            *("area", "at random", _RIGHT),
        ),
        Space(
            *("lift", "Lift", "share called positive", "times more than at random"),
            *("mean lift", "at random", _ABOVE),
        ),
        Space(
            *("cost", "Cost curve", "probability cost", "expected cost, best cut"),
            *("mean cost", "none or all positive", (0.5, 0.0)),
        ),
        Space(
            *("brier", "Brier curve", "cost proportion = threshold", "expected loss"),
            *("Brier score", "saying the prevalence", _ABOVE, "hull's probabilities"),
        ),
        Space(
            *("decision", "Decision curve", "threshold probability"),
            *("net benefit in found positives", "", "none or all positive"),
            _ABOVE,
            "hull's probabilities",
        ),
    )
}
#: Spaces with both axes from 0 to 1.
UNIT_SPACES = ("roc", "precision_recall", "gain", "pr_gain")
#: Spaces whose lines without skill are bent.
BENT_SPACES = ("brier", "decision")


class Best(NamedTuple):
    """The best cut, with its isometric and its rows in the legend."""

    at: Any
    line: Any
    rows: Sequence[str] = ("best for these costs",)


@dataclass(frozen=True, eq=False)
class Curve:
    """A ranking in a curve space: its curve, hull and band.

    Parameters
    ----------
    name : str
        Its name in the legend.
    number : int
        Number of its colour, from 0.
    at : (ndarray, ndarray)
        The line.
    area : str
        The area below it, in words.
    hull : (ndarray, ndarray)
        Its hull, or the one over all rankings; ``hull_area`` is the area below.
    vertices : (ndarray, ndarray)
        Of the hull, each in the role of ``owners`` if these are given.
    band : (ndarray, ndarray, ndarray), optional
        A band from a lower to an upper end, see ``band_words``.
    best : Best, optional
    counts : str
        Its numbers of samples, in words.
    own : mapping
        The user's properties of matplotlib's line.
    label : str
        Of matplotlib's line, if it is not its name.
    behind : sequence of Mark
        More marks, drawn behind the curves.
    """

    name: str
    number: int
    at: Any
    area: str = ""
    hull: Any = NOWHERE
    hull_area: str = ""
    vertices: Any = NOWHERE
    owners: Sequence[str] = ()
    band: Any = None
    band_words: str = ""
    best: Best | None = None
    counts: str = ""
    own: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    behind: Sequence[Mark] = ()

    @property
    def called(self) -> str:
        """The user's label, or the name."""
        return str(self.own.get("label", self.name))


@dataclass(frozen=True, eq=False)
class CurvesScene:
    """The contents of a picture of curves.

    Parameters
    ----------
    x, y : Axis
    curves : tuple of Curve
        The first one is in front.
    space : Space
        Where they are, with its words.
    chance : sequence of (ndarray, ndarray)
        Baselines without skill.
    stretches : sequence of (int, (ndarray, ndarray))
        Number of a ranking, and a stretch where it alone is best.
    cuts : (ndarray, ndarray)
        Lines of single cuts.
    isometrics : sequence of (ndarray, ndarray)
        Lines of equal metric, or points.
    rows : sequence of Entry, optional
        The legend, if it is not made from the curves; then no other curves can join these.
    held, held_line, isometric : optional
        The point that can be dragged, the line of its cut and that of its metric, or a point;
        ``helps`` are the words about these.
    corners : (ndarray, ndarray)
        Of the curve in front, which can be clicked.
    has_table : bool
        Whether a table names rankings for which there is no room here.
    """

    x: Axis
    y: Axis
    curves: tuple[Curve, ...]
    space: Space
    chance: Sequence[Any] = ()
    stretches: Sequence[tuple[int, Any]] = ()
    cuts: Any = NOWHERE
    isometrics: Sequence[Any] = ()
    rows: Sequence[Entry] = ()
    held: Any = None
    held_line: Any = NOWHERE
    isometric: Any = NOWHERE
    helps: Sequence[Entry] = ()
    corners: Any = NOWHERE
    has_table: bool = False

    @property
    def by_number(self) -> list[Curve]:
        """The curves in the order of their colours."""
        return sorted(self.curves, key=lambda one: one.number)

    def name(self, kind: str, one: Curve) -> str:
        """Name a mark of a curve; the front curve's marks are named by their kind alone."""
        if one is self.curves[0]:
            return kind
        return f"{'model' if kind == 'curve' else kind}:{one.number}"

    def joined(self, other: Any) -> CurvesScene:
        """Add the curves to those of another picture of the same space."""
        if not isinstance(other, CurvesScene) or other.y.label != self.y.label or other.rows:
            return self
        more = [replace(one, number=len(other.curves) + one.number) for one in self.curves]
        y = replace(self.y, high=max(self.y.high, other.y.high))
        return replace(self, curves=(*other.curves, *more), y=y)


def curves_scene(
    curves: Sequence[Curve],
    space: Space = SPACES["roc"],
    prevalence: float = 0.5,
    limits: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 1.0), (0.0, 1.0)),
    **others: Any,
) -> CurvesScene:
    """Collect curves in a space, with its axes and its no-skill baselines.

    ``limits`` are those of the two axes; ``others`` are more fields of the scene.
    """
    x_ends, y_ends = limits
    x, y = Axis(space.x, *x_ends), Axis(space.y, *y_ends)
    chance = without_skill(space.name, prevalence, x_ends)
    return CurvesScene(x, y, tuple(curves), space, chance, **others)


def widths(space: str, prevalence: float) -> tuple[float, float]:
    """Choose the default limits of the x axis."""
    return (0.0, min(max(2 * prevalence, 0.5), 0.99)) if space == "decision" else (0.0, 1.0)


def heights(
    curves: Iterable[SpaceCurve], prevalence: float, limits: tuple[float, float]
) -> tuple[float, float]:
    """Choose limits of the y axis that show all curves and the no-skill baselines."""
    every = list(curves)
    name = every[0].space
    if name in UNIT_SPACES:
        return 0.0, 1.0
    inside = [curve.y[(curve.x >= limits[0]) & (curve.x <= limits[1])] for curve in every]
    top = max(float(y.max()) for y in inside if y.size)
    return {
        "lift": (0.0, 1.08 * max(top, 1.0)),
        "cost": (0.0, 0.56),
        "brier": (0.0, 1.25 * max(top, prevalence * (1 - prevalence) * 2)),
        "decision": (-0.15 * prevalence, 1.08 * max(top, prevalence)),
    }[name]


def without_skill(
    name: str, prevalence: float, limits: tuple[float, float]
) -> list[tuple[Floats, Floats]]:
    """Compute the no-skill baselines."""
    pi = prevalence
    x = np.linspace(*limits, 201 if name in BENT_SPACES else 2)
    heights: dict[str, Any] = {
        "roc": lambda: [x],
        "gain": lambda: [x],
        "precision_recall": lambda: [np.full_like(x, pi)],
        "pr_gain": lambda: [1 - x],
        "lift": lambda: [np.ones_like(x)],
        "cost": lambda: [x, 1 - x],
        "brier": lambda: [2 * np.minimum(x * (1 - pi), (1 - x) * pi)],
        "decision": lambda: [np.zeros_like(x), pi - (1 - pi) * x / np.maximum(1 - x, 1e-9)],
    }
    return [(x, y) for y in heights[name]()]


def curves_on(ax: Axes | None) -> Sequence[Curve]:
    """List the curves that displays have drawn on axes."""
    scene = scene_on(ax)
    return scene.curves if isinstance(scene, CurvesScene) else ()


def show_curves(
    display: Display,
    scene: CurvesScene,
    ax: Axes | None,
    theme: Theme | str | None,
    heading: str | None = None,
) -> tuple[Artists, Callable[[str], list[Any]]]:
    """Draw curves on axes, together with those of earlier displays on them.

    Returns the artists of each mark, and a function that lists those of a kind, of each new curve.
    """
    every = scene.joined(scene_on(ax))
    style: dict[str, Any] = {"heading": heading, "scene": every, "joins": every is not scene}
    drawn = display._show(curves_picture(every), ax, theme, **style)
    new = every.curves[-len(scene.curves) :]

    def of_kind(kind: str) -> list[Any]:
        return first_of(drawn, *(every.name(kind, one) for one in new))

    return drawn, of_kind


#: Marks that move during a drag, which words may cover.
MOVING = ("cost line", "selected line", "isometric", "meeting", "ring", "point")


def curves_picture(scene: CurvesScene, is_large: bool = True) -> Picture:
    """Draw curves with their hulls and bands, the operating point and the best point."""
    front = scene.curves[0]
    several = len(scene.curves) > 1
    order = [*(one for one in scene.by_number if one is not front), front]
    helps: dict[str, Any] = {"may_be_covered": True, "width": 1.8}
    thin: dict[str, Any] = {"dash": "dotted", "width": 1.5, "may_be_covered": True}
    one_point = len(scene.isometric[0]) == 1
    marks: list[Mark] = [
        *(_band(scene, one) for one in order if one.band),
        Line("cuts", "ranking", *scene.cuts, width=1.0, opacities=(0.16,), may_be_covered=True),
        *(Line(f"chance {k}", "reference", *at, **thin) for k, at in enumerate(scene.chance)),
        *(_isometric(k, at) for k, at in enumerate(scene.isometrics)),
        *(mark for one in order for mark in one.behind),
        _stretches(scene),
        *(
            Line(scene.name("cost line", one), "optimum", *one.best.line, **helps)
            for one in order
            if one.best
        ),
        Line("selected line", "selected", *scene.held_line, dash="dashed", **helps),
        Line("isometric", "selected", *(NOWHERE if one_point else scene.isometric), **helps),
        *(_line(scene, one) for one in order),
        *(Line(scene.name("hull", one), "hull", *one.hull, dash="dashed") for one in order),
        *(_vertices(scene, one) for one in order),
        Dots("corners", "paper", *scene.corners, rim="ranking", size=60, width=1.8),
        Dots("meeting", "selected", *(scene.isometric if one_point else NOWHERE), size=70),
    ]
    rings = [
        ring(scene.name("ring", one), "optimum", *np.transpose([one.best.at]))
        for one in order
        if one.best
    ]
    marks = [mark for mark in marks if mark.is_shown]
    if is_large:
        style: dict[str, Any] = {"corner": scene.space.corner, "is_clicked": several}
        style["left_out"] = MOVING if scene.held is not None else ()
        marks.append(Legend("words", "text", choices=list(_choices(scene)), **style))
    handle = (
        [] if scene.held is None else [Handle("point", "selected", *np.transpose([scene.held]))]
    )
    return Picture(scene.x, scene.y, (*marks, *rings, *handle), is_square=True, is_large=is_large)


def _line(scene: CurvesScene, one: Curve) -> Line:
    (x, y) = one.at
    name = scene.name("curve", one)
    width = 2.5 if one is scene.curves[0] else 2.0
    own = {"label": one.label or one.called, **one.own}
    return model_line(name, one.number, x, y, own, keys=(one.name,), width=width)


def _stretches(scene: CurvesScene) -> Line:
    """Draw the stretches where a single curve is best as wide lines."""
    most = max((len(x) for _, (x, _) in scene.stretches), default=0)
    x, y = (
        np.array([np.pad(at[k], (0, most - len(at[k])), mode="edge") for _, at in scene.stretches])
        for k in (0, 1)
    )
    inks = [model_look(i).role for i, _ in scene.stretches]
    style: dict[str, Any] = {"each": inks, "opacities": (0.45,), "width": 9.0, "blocks_text": False}
    return Line("stretches", "hull", x, y, **style)


def _band(scene: CurvesScene, one: Curve) -> Band:
    x, *ends = one.band
    own = {"color": one.own["color"]} if "color" in one.own else {}
    return Band(scene.name("band", one), model_look(one.number).role, x, ends, own=own)


def _vertices(scene: CurvesScene, one: Curve) -> Dots:
    at = one.vertices if len(one.vertices[0]) <= MOST_VERTICES else NOWHERE
    return Dots(scene.name("vertices", one), "hull", *at, each=one.owners, size=34)


def _isometric(k: int, at: Any) -> Mark:
    """Draw an isometric, which in some spaces is a point."""
    if len(at[0]) == 1:
        return Dots(f"isometric {k}", "reference", *at, size=24, clipped=True)
    return Line(f"isometric {k}", "reference", *at, width=0.9, may_be_covered=True)


# ---------------------------------------------------------------------- words


def _choices(scene: CurvesScene) -> Iterator[Sequence[Entry]]:
    """List versions of the legend, from longest to shortest."""
    if scene.rows:
        yield scene.rows
        return
    named = [one for one in scene.curves if len(one.at[0])]
    counts = [len(named)]
    if scene.has_table:  # as many names, and as much of each, as fit; "1 more" takes a name's
        most = len(named) if len(named) <= MOST_ROWS else MOST_ROWS - 1
        counts = [n for n in range(most, 0, -1) if n != len(named) - 1]
    lengths = LENGTHS[1:] if scene.has_table else LENGTHS
    for n, helps, length in product(counts, (True, False), lengths):
        yield _rows(scene, named[:n], length, len(named) - n, helps=helps)


def _rows(
    scene: CurvesScene, named: Sequence[Curve], length: int, more: int = 0, *, helps: bool = True
) -> list[Entry]:
    """Write the legend: each line, then notes on all of them."""
    front = scene.curves[0]
    several = len(scene.curves) > 1
    short = short_names([one.called for one in scene.curves], length)
    hulls = [one for one in scene.curves if len(one.hull[0])]
    bands = [one for one in scene.curves if one.band]
    tallies = {one.counts: None for one in scene.curves if one.counts}
    rows = []
    for one in named:
        # where room is scarce, the first says what the numbers are
        called = f"{scene.space.area} " if one is front or length == LENGTHS[0] else ""
        text = short[one.called] + (f", {called}{one.area}" if one.area else "")
        text += f", of its hull {one.hull_area}" if len(hulls) > 1 and one.hull_area else ""
        text += f", {one.counts}" if len(tallies) > 1 else ""
        ink = "text" if "color" in one.own else model_look(one.number).ink
        rows.append(Entry(text, ink, scene.name("curve", one)))
    if more:
        rows.append(Entry(f"{more} more: see the table", "muted"))
    if hulls:
        area = f", {scene.space.area} {hulls[0].hull_area}" if hulls[0].hull_area else ""
        text = scene.space.hull + (area if len(hulls) == 1 else "s")
        rows.append(Entry(text, "hull-text", scene.name("hull", hulls[0])))
    if not helps:
        return rows
    for text, one in {one.band_words: one for one in reversed(bands)}.items():
        if len(bands) > 1:
            text = text.replace("band", "bands")
        elif several and not scene.has_table:
            text += f" of {short[one.called]}"
        rows.append(Entry(text, "muted", scene.name("band", one), bold=False))
    for one in scene.curves:
        for k, text in enumerate(one.best.rows if one.best else ()):
            of = "cost line" if one.best and np.isnan(one.best.at[0]) else "ring"
            rows.append(Entry(text, "optimum-text", "" if k else scene.name(of, one)))
    rows += scene.helps
    if scene.space.no_skill:
        rows.append(Entry(scene.space.no_skill, "muted", "chance 0", bold=False))
    return [*rows, *(Entry(text, "muted", bold=False) for text in tallies if len(tallies) == 1)]
