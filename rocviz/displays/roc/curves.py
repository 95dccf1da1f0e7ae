"""Pictures of rankings as curves, in ROC space or in any other.

They are shared by the displays and the ROC explorer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from rocviz.core.curve_spaces.spaces import SPACES, Limits, Space
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import Artists, first_of, scene_on
from rocviz.pictures import (
    NO_POINTS,
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
    model_style,
    ring,
)
from rocviz.theme import Theme
from rocviz.words import UNNAMED, ClassNames, short_names

CURVE_PIXELS = 2000.0  # printed, across a curve
MAX_VERTICES = 40
NAME_LETTERS = (40, 18, 12)  # letters of a name, from long to short
MAX_MODEL_ROWS = 6  # rows about models where a table lists all of them


class Best(NamedTuple):
    """The best threshold: its point, with its isometric and its rows in the legend."""

    point: Any
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
    points : (ndarray, ndarray)
        Of the line.
    area : str
        The area below it, in words.
    hull : (ndarray, ndarray)
        Its hull, or the one over all rankings; ``hull_area`` is the area below.
    vertices : (ndarray, ndarray)
        Of the hull, each in the role of ``owners`` if these are given.
    band : (ndarray, ndarray, ndarray), optional
        A band from a lower to an upper end, see ``band_words``.
    best : Best, optional
    best_lower : Best, optional
        The best lower threshold, where those between two thresholds are referred.
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
    points: Any
    area: str = ""
    hull: Any = NO_POINTS
    hull_area: str = ""
    vertices: Any = NO_POINTS
    owners: Sequence[str] = ()
    band: Any = None
    band_words: str = ""
    best: Best | None = None
    best_lower: Best | None = None
    counts: str = ""
    own: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    behind: Sequence[Mark] = ()

    @property
    def shown_name(self) -> str:
        """The user's label, or the name."""
        return str(self.own.get("label", self.name))

    @property
    def bests(self) -> dict[str, Best]:
        """The best points by the kind of their rings."""
        named = {"ring": self.best, "ring lower": self.best_lower}
        return {kind: best for kind, best in named.items() if best is not None}


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
    cost_lines : (ndarray, ndarray)
        Lines of single thresholds in cost space.
    isometrics : sequence of (ndarray, ndarray)
        Lines of equal metric, or points.
    rows : sequence of Entry, optional
        The legend, if it is not made from the curves; then no other curves can join these.
    selected, selected_line, isometric : optional
        The point that can be dragged, the line of its threshold and that of its metric, or a
        point; ``helps`` are the words about these.
    corners : (ndarray, ndarray)
        Of the curve in front, which can be clicked.
    on_top : sequence of Mark
        More marks, drawn above everything else.
    has_table : bool
        Whether a table names rankings for which there is no room here.
    hull_name, legend_corner : optional
        Instead of those of the space.
    classes : ClassNames
        Names of the classes.
    """

    x: Axis
    y: Axis
    curves: tuple[Curve, ...]
    space: Space
    chance: Sequence[Any] = ()
    stretches: Sequence[tuple[int, Any]] = ()
    cost_lines: Any = NO_POINTS
    isometrics: Sequence[Any] = ()
    rows: Sequence[Entry] = ()
    selected: Any = None
    selected_line: Any = NO_POINTS
    isometric: Any = NO_POINTS
    helps: Sequence[Entry] = ()
    corners: Any = NO_POINTS
    on_top: Sequence[Mark] = ()
    has_table: bool = False
    hull_name: str = ""
    legend_corner: tuple[float, float] | None = None
    classes: ClassNames = UNNAMED

    @property
    def has_isometric_point(self) -> bool:
        """Whether the isometric of the selected point is a point, as in spaces of costs."""
        return len(self.isometric[0]) == 1

    @property
    def by_number(self) -> list[Curve]:
        """The curves in the order of their colours."""
        return sorted(self.curves, key=attrgetter("number"))

    @property
    def limits(self) -> tuple[Limits, Limits]:
        """The ends of both axes."""
        return (self.x.low, self.x.high), (self.y.low, self.y.high)

    def within(self, points: Any) -> Any:
        """Move points beyond the limits to the border in a space with infinite ends."""
        x, y = points
        return self.space.within(x, y, self.limits)

    def inside(self, points: Any) -> Any:
        """Leave out the points of a line that are outside of the frame."""
        x = np.asarray(points[0])
        y = np.asarray(points[1])
        (left, right), (low, high) = self.x.limits, self.y.limits
        is_inside = (x >= left) & (x <= right) & (y >= low) & (y <= high)
        return x[is_inside], y[is_inside]

    def within_limits(self) -> CurvesScene:
        """Move points of curves to the border, and cut lines there, if ends are infinite."""
        if not self.space.has_infinite_ends:
            return self
        curves = []
        for curve in self.curves:
            moved = replace(
                curve,
                points=self.within(curve.points),
                hull=self.within(curve.hull),
                vertices=self.within(curve.vertices),
            )
            if curve.best is not None:
                moved = replace(moved, best=self._best_within(curve.best))
            if curve.best_lower is not None:
                moved = replace(moved, best_lower=self._best_within(curve.best_lower))
            curves.append(moved)
        return replace(
            self,
            curves=tuple(curves),
            stretches=[(number, self.within(points)) for number, points in self.stretches],
            selected=None if self.selected is None else self.within(self.selected),
            isometric=self.inside(self.isometric),
            isometrics=[self.inside(points) for points in self.isometrics],
        )

    def _best_within(self, best: Best) -> Best:
        """Move a best point to the border, and cut its line there."""
        return best._replace(point=self.within(best.point), line=self.inside(best.line))

    def name(self, kind: str, curve: Curve) -> str:
        """Name a mark of a curve; the front curve's marks are named by their kind alone."""
        if curve is self.curves[0]:
            return kind
        return f"{'model' if kind == 'curve' else kind}:{curve.number}"

    def joined(self, other: Any) -> CurvesScene:
        """Add the curves to those of another picture of the same space."""
        if not isinstance(other, CurvesScene) or other.space.name != self.space.name or other.rows:
            return self
        n_before = len(other.curves)
        renumbered = [replace(curve, number=n_before + curve.number) for curve in self.curves]
        limits = self.space.joined_limits(self.limits, other.limits)
        x, y = _axes(self.space, limits, self.classes)
        return replace(self, curves=(*other.curves, *renumbered), x=x, y=y)


def curves_scene(
    curves: Sequence[Curve],
    space: Space = SPACES["roc"],
    prevalence: float = 0.5,
    limits: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 1.0), (0.0, 1.0)),
    classes: ClassNames = UNNAMED,
    **others: Any,
) -> CurvesScene:
    """Collect curves in a space, with its axes and its no-skill baselines.

    ``limits`` are those of the two axes; ``others`` are more fields of the scene.
    """
    x, y = _axes(space, limits, classes)
    chance = space.without_skill(prevalence, limits[0])
    return CurvesScene(x, y, tuple(curves), space, chance, classes=classes, **others)


def _axes(space: Space, limits: tuple[Limits, Limits], classes: ClassNames) -> tuple[Axis, Axis]:
    """Make the axes of a picture in a space."""
    x_limits, y_limits = limits
    short = classes.shortened()
    x = Axis(short.name_in(space.x_label), *x_limits, space.x_ticks(x_limits))
    y = Axis(short.name_in(space.y_label), *y_limits, space.y_ticks(y_limits))
    return x, y


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
    joined = scene.joined(scene_on(ax))
    style: dict[str, Any] = {"heading": heading, "scene": joined, "joins": joined is not scene}
    drawn = display._show(curves_picture(joined), ax, theme, **style)
    new_curves = joined.curves[-len(scene.curves) :]

    def of_kind(kind: str) -> list[Any]:
        return first_of(drawn, *(joined.name(kind, curve) for curve in new_curves))

    return drawn, of_kind


#: Marks that move during a drag, which words may cover.
MOVING_MARKS = (
    "cost line",
    "cost line lower",
    "selected line",
    "isometric",
    "meeting",
    "ring",
    "ring lower",
    "point",
    "referred",
    "lower",
    "upper",
)


def curves_picture(scene: CurvesScene, is_large: bool = True) -> Picture:
    """Draw curves with their hulls and bands, the operating point and the best point."""
    scene = scene.within_limits()
    front = scene.curves[0]
    curves = [curve for curve in scene.by_number if curve is not front]
    curves.append(front)
    marks = [
        *_marks_behind(scene, curves),
        *_aids(scene, curves),
        *(_line(scene, curve) for curve in curves),
        *_points(scene, curves),
    ]
    marks = [mark for mark in marks if mark.is_shown]
    if is_large:
        marks.append(
            Legend(
                "words",
                "text",
                choices=list(_choices(scene)),
                corner=scene.legend_corner or scene.space.legend_corner,
                is_clicked=len(curves) > 1,
                left_out=() if scene.selected is None and not scene.on_top else MOVING_MARKS,
            )
        )
    for curve in curves:
        for kind, best in curve.bests.items():
            (x, y) = best.point
            marks.append(ring(scene.name(kind, curve), "optimum", [x], [y]))
    if scene.selected is not None:
        (x, y) = scene.selected
        marks.append(Handle("point", "selected", [x], [y]))
    marks.extend(scene.on_top)
    return Picture(scene.x, scene.y, tuple(marks), is_square=True, is_large=is_large)


def _marks_behind(scene: CurvesScene, curves: Sequence[Curve]) -> list[Mark]:
    """Draw bands, baselines, isometrics and stretches, which lie behind the curves."""
    marks: list[Mark] = [_band(scene, curve) for curve in curves if curve.band]
    marks.append(
        Line(
            "cost lines",
            "ranking",
            *scene.cost_lines,
            width=1.0,
            opacities=(0.16,),
            may_be_covered=True,
        )
    )
    for index, points in enumerate(scene.chance):
        name = f"chance {index}"
        marks.append(
            Line(name, "reference", *points, dash="dotted", width=1.5, may_be_covered=True)
        )
    for index, points in enumerate(scene.isometrics):
        marks.append(_isometric(index, points))
    for curve in curves:
        marks.extend(curve.behind)
    marks.append(_stretches(scene))
    return marks


def _aids(scene: CurvesScene, curves: Sequence[Curve]) -> list[Mark]:
    """Draw the lines of the best and of the selected point, which words may cover."""
    style: dict[str, Any] = {"may_be_covered": True, "width": 1.8}
    marks: list[Mark] = []
    for curve in curves:
        for kind, best in curve.bests.items():
            name = scene.name(kind.replace("ring", "cost line"), curve)
            marks.append(Line(name, "optimum", *best.line, **style))
    isometric = NO_POINTS if scene.has_isometric_point else scene.isometric
    marks.append(Line("selected line", "selected", *scene.selected_line, dash="dashed", **style))
    marks.append(Line("isometric", "selected", *isometric, **style))
    return marks


def _points(scene: CurvesScene, curves: Sequence[Curve]) -> list[Mark]:
    """Draw hulls with their vertices, and the points that can be clicked."""
    meeting = scene.isometric if scene.has_isometric_point else NO_POINTS
    return [
        *(_hull(scene, curve) for curve in curves),
        *(_vertices(scene, curve) for curve in curves),
        Dots("corners", "paper", *scene.corners, rim="ranking", size=60, width=1.8),
        Dots("meeting", "selected", *meeting, size=70),
    ]


def _hull(scene: CurvesScene, curve: Curve) -> Line:
    """Draw a hull, which stretches over its curve as a rubber band in ROC space."""
    snaps_from = scene.name("curve", curve) if scene.space.name == "roc" else ""
    name = scene.name("hull", curve)
    return Line(name, "hull", *curve.hull, dash="dashed", snaps_from=snaps_from)


def _line(scene: CurvesScene, curve: Curve) -> Line:
    (x, y) = curve.points
    name = scene.name("curve", curve)
    width = 2.5 if curve is scene.curves[0] else 2.0
    own = {"label": curve.label or curve.shown_name, **curve.own}
    return model_line(name, curve.number, x, y, own, keys=(curve.name,), width=width)


def _stretches(scene: CurvesScene) -> Line:
    """Draw the stretches where a single curve is best as wide lines."""
    longest = max((len(x) for _, (x, _) in scene.stretches), default=0)
    rows_x = []
    rows_y = []
    roles = []
    for number, (x, y) in scene.stretches:
        missing = (0, longest - len(x))  # lines of one mark have the same number of points
        rows_x.append(np.pad(x, missing, mode="edge"))
        rows_y.append(np.pad(y, missing, mode="edge"))
        roles.append(model_style(number).role)
    style: dict[str, Any] = {"opacities": (0.45,), "width": 9.0, "blocks_text": False}
    return Line("stretches", "hull", np.array(rows_x), np.array(rows_y), part_roles=roles, **style)


def _band(scene: CurvesScene, curve: Curve) -> Band:
    x, *ends = curve.band
    own = {"color": curve.own["color"]} if "color" in curve.own else {}
    return Band(scene.name("band", curve), model_style(curve.number).role, x, ends, own=own)


def _vertices(scene: CurvesScene, curve: Curve) -> Dots:
    points = curve.vertices if len(curve.vertices[0]) <= MAX_VERTICES else NO_POINTS
    return Dots(scene.name("vertices", curve), "hull", *points, part_roles=curve.owners, size=34)


def _isometric(index: int, points: Any) -> Mark:
    """Draw an isometric, which in some spaces is a point."""
    name = f"isometric {index}"
    if len(points[0]) == 1:
        return Dots(name, "reference", *points, size=24, clipped=True)
    return Line(name, "reference", *points, width=0.9, may_be_covered=True)


# ---------------------------------------------------------------------- words


def _choices(scene: CurvesScene) -> Iterator[Sequence[Entry]]:
    """List versions of the legend, from longest to shortest."""
    if scene.rows:
        yield scene.rows
        return
    named = [curve for curve in scene.curves if len(curve.points[0])]
    counts = [len(named)]
    lengths: Sequence[int] = NAME_LETTERS
    if scene.has_table:  # as many names, and as much of each, as fit; "1 more" takes a name's
        max_names = len(named) if len(named) <= MAX_MODEL_ROWS else MAX_MODEL_ROWS - 1
        counts = [n for n in range(max_names, 0, -1) if n != len(named) - 1]
        lengths = NAME_LETTERS[1:]
    for n, helps, length in product(counts, (True, False), lengths):
        yield _rows(scene, named[:n], length, len(named) - n, helps=helps)


def _rows(
    scene: CurvesScene, named: Sequence[Curve], length: int, more: int = 0, *, helps: bool = True
) -> list[Entry]:
    """Write the legend: each line, then notes on all of them."""
    hulls = [curve for curve in scene.curves if len(curve.hull[0])]
    tallies = list(dict.fromkeys(curve.counts for curve in scene.curves if curve.counts))
    short = short_names([curve.shown_name for curve in scene.curves], length)
    rows = []
    for curve in named:
        text = short[curve.shown_name]
        if curve.area:
            # where room is scarce, the first says what the numbers are
            is_explained = curve is scene.curves[0] or length == NAME_LETTERS[0]
            area = f"{scene.space.area_name} {curve.area}" if is_explained else curve.area
            text += f", {area}"
        if len(hulls) > 1 and curve.hull_area:
            text += f", of its hull {curve.hull_area}"
        if len(tallies) > 1:
            text += f", {curve.counts}"
        role = "text" if "color" in curve.own else model_style(curve.number).ink
        rows.append(Entry(text, role, scene.name("curve", curve)))
    if more:
        rows.append(Entry(f"{more} more: see the table", "muted"))
    if len(hulls) == 1:
        (curve,) = hulls
        area = f", {scene.space.area_name} {curve.hull_area}" if curve.hull_area else ""
        rows.append(
            Entry(
                f"{scene.hull_name or scene.space.hull_name}{area}",
                "hull-text",
                scene.name("hull", curve),
            )
        )
    elif hulls:
        rows.append(
            Entry(
                f"{scene.hull_name or scene.space.hull_name}s",
                "hull-text",
                scene.name("hull", hulls[0]),
            )
        )
    if not helps:
        return rows
    rows += _band_rows(scene, short)
    rows += _best_rows(scene)
    rows += scene.helps
    if scene.space.no_skill and scene.chance:
        no_skill = scene.classes.shortened().name_in(scene.space.no_skill)
        rows.append(Entry(no_skill, "muted", "chance 0", bold=False))
    if len(tallies) == 1:
        rows.append(Entry(tallies[0], "muted", bold=False))
    return rows


def _band_rows(scene: CurvesScene, short: Mapping[str, str]) -> list[Entry]:
    """Write which bands are drawn, each kind once."""
    with_band = [curve for curve in scene.curves if curve.band]
    # of several curves with the same kind of band, the first stands for all
    kinds = {curve.band_words: curve for curve in reversed(with_band)}
    rows = []
    for words, curve in kinds.items():
        text = words
        if len(with_band) > 1:
            text = words.replace("band", "bands")
        elif len(scene.curves) > 1 and not scene.has_table:
            text = f"{words} of {short[curve.shown_name]}"
        rows.append(Entry(text, "muted", scene.name("band", curve), bold=False))
    return rows


def _best_rows(scene: CurvesScene) -> list[Entry]:
    """Write what the best points are, the first row beside a sample of the mark."""
    rows = []
    for curve in scene.curves:
        for kind, best in curve.bests.items():
            if np.isnan(best.point[0]):
                kind = kind.replace("ring", "cost line")
            name = scene.name(kind, curve)
            for text in best.rows:
                rows.append(Entry(text, "optimum-text", name))
                name = ""
    return rows
