"""Pictures of several classes as values: triangle, confusion matrix, curves and reliability.

They are shared by the display and the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.classes import ClassSamples
from rocviz.core.base.validation import Floats
from rocviz.core.multiclass.confusion import ConfusionMatrix
from rocviz.core.multiclass.simplex import label_regions
from rocviz.core.roc.geometry import ThinnedCurve
from rocviz.core.roc.segments import RankedSegments
from rocviz.pictures import (
    Areas,
    Axis,
    Bars,
    Dots,
    Entry,
    Handle,
    Legend,
    Line,
    Mark,
    Picture,
    boxes,
    diagonal,
    ring,
    round_ticks,
    words,
)
from rocviz.words import amount, letters, number, percent, short_names

#: Colours and markers of the classes drawn, in order.
CLASS_STYLES = (
    ("positive", "circle"),
    ("negative", "square"),
    ("group-2", "triangle-up"),
    ("group-3", "diamond"),
    ("group-4", "triangle-down"),
    ("ranking", "plus"),
)
OTHER_CLASS_STYLE = ("muted", "circle")  # of classes without a colour of their own
MAX_COLOURED_CLASSES = len(CLASS_STYLES)
MAX_CURVES = 20
MAX_DOTS = 500  # samples in a triangle
MAX_READ_LETTERS = 12  # of the name of a class in what is read out
#: Classes of which a large and a small confusion matrix show numbers.
MAX_WRITTEN_CLASSES = 12
MAX_WRITTEN_CLASSES_IN_SMALL = 5
#: Least entry of a dragged point.
MIN_SHARE = 0.002
TRIANGLE_HEIGHT = sqrt(3) / 2  # of sides of length 1
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, TRIANGLE_HEIGHT]])
NO_POINTS: Any = ((), ())


def to_plane(prob: ArrayLike) -> Floats:
    """Place probabilities of three classes in the triangle, shape (n, 2)."""
    return np.asarray(np.asarray(prob, dtype=np.float64) @ CORNERS)


def _inside(x: Any, y: Any) -> Floats:
    """Compute the probabilities at places, shape (3,) or (3, n); outside, some are negative."""
    top = y / TRIANGLE_HEIGHT
    return np.array([1 - x - top / 2, x - top / 2, top])


def from_plane(x: float, y: float, least: float = MIN_SHARE) -> Floats:
    """Compute the three probabilities at a place; outside, those of the nearest place inside.

    No probability is less than ``least``.
    """
    inside = _inside(x, y)
    # the nearest point of the simplex, which is an equilateral triangle in these coordinates too
    falling = np.sort(inside)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, 4)
    inside = np.maximum(inside - over[np.flatnonzero(falling > over)[-1]], 0.0)
    return np.asarray(least + (1 - 3 * least) * inside)


def among(prob: Floats, shown: Sequence[int]) -> Floats:
    """Condition probabilities, or a point, on the classes shown."""
    part = np.asarray(prob)[..., list(shown)]
    total = part.sum(axis=-1, keepdims=True)
    return np.asarray(np.where(total > 0, part / np.where(total > 0, total, 1.0), 1 / len(shown)))


@dataclass(frozen=True, eq=False)
class ClassPicture:
    """The ranking of a class against all others, with its curve."""

    segments: RankedSegments

    @cached_property
    def thinned(self) -> ThinnedCurve:
        """The curve, reduced to the vertices that a picture needs."""
        return self.segments.thin(400)

    @cached_property
    def reliability(self) -> tuple[Floats, Floats, Floats]:
        """Mean probability, share of the class and weight of each hull segment, in rising order."""
        segments = self.segments
        hull = segments.hull()
        start = segments.hull_vertices[:-1]
        predicted = np.add.reduceat(segments.score * segments.n, start) / hull.n
        return predicted[::-1], (hull.pos / hull.n)[::-1], hull.n[::-1]


@dataclass(frozen=True, eq=False)
class Shown:
    """The part of the data that is drawn: three classes, or two.

    Parameters
    ----------
    samples : ClassSamples
    ranked : tuple of RankedSegments
    The ranking of each class against all others.
    names : tuple of str
    classes : tuple of int
        Numbers of the classes in the corners.
    """

    samples: ClassSamples
    ranked: tuple[RankedSegments, ...]
    names: tuple[str, ...]
    classes: tuple[int, ...]

    @cached_property
    def of_class(self) -> tuple[ClassPicture, ...]:
        """The picture of each class."""
        return tuple(map(ClassPicture, self.ranked))

    @cached_property
    def dots(self) -> tuple[Floats, ...]:
        """Positions of samples of each corner's class in the triangle, chosen reproducibly."""
        code = self.samples.code
        rows = np.flatnonzero(np.isin(code, self.classes))
        if rows.size > MAX_DOTS:
            rows = np.sort(np.random.default_rng(0).choice(rows, MAX_DOTS, replace=False))
        places = to_plane(among(self.samples.prob[rows], self.classes))
        codes = code[rows]
        return tuple(places[codes == k] for k in self.classes)

    @cached_property
    def drawn(self) -> list[int]:
        """Classes with curves; those with their own colours are last, and so on top."""
        others = [k for k in range(len(self.names)) if k not in self.classes]
        first = [*self.classes, *others]
        drawn = sorted(first[:MAX_CURVES])
        return sorted(drawn, key=lambda k: self.styles[k] != OTHER_CLASS_STYLE)

    @cached_property
    def styles(self) -> list[tuple[str, str]]:
        """Colour and marker of each class, or only of the corners if there are too many classes."""
        n = len(self.names)
        if n == 2:  # the second class is the positive one
            return [CLASS_STYLES[1], CLASS_STYLES[0]]
        coloured = range(n) if n <= MAX_COLOURED_CLASSES else self.classes
        own = dict(zip(coloured, CLASS_STYLES, strict=False))
        return [own.get(k, OTHER_CLASS_STYLE) for k in range(n)]

    @property
    def coloured(self) -> list[int]:
        """The classes with their own colours."""
        return [k for k, style in enumerate(self.styles) if style != OTHER_CLASS_STYLE]

    @property
    def all_coloured(self) -> bool:
        """Whether all classes have their own colours."""
        return OTHER_CLASS_STYLE not in self.styles

    def ink(self, k: int) -> str:
        """Choose the text colour of class k."""
        role = self.styles[k][0]
        if role in ("positive", "negative"):
            return f"{role}-text"
        return "text" if role == "ranking" else role


@dataclass(frozen=True, eq=False)
class MulticlassScene:
    """The contents of pictures of several classes.

    Parameters
    ----------
    shown : Shown
    point : ndarray of float, shape (n_classes,)
        The current point.
    matrix : ConfusionMatrix
        Of the labels predicted at the point.
    best : ndarray of float, shape (n_classes,), optional
    costs : ndarray of float, shape (n_classes,), optional
        The point that costs ask for if probabilities are calibrated.
    cost_matrix : ndarray of float, shape (n_classes, n_classes), optional
        Costs that no point fits, whose regions are outlined.
    auc : tuple of float, optional
        M and the ends of its interval.
    """

    shown: Shown
    point: Floats
    matrix: ConfusionMatrix
    best: Floats | None = None
    costs: Floats | None = None
    cost_matrix: Floats | None = None
    auc: tuple[float, float, float] | None = None
    short: Mapping[bool, Mapping[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        names = self.shown.names
        object.__setattr__(
            self,
            "short",
            {large: short_names(names, 14 if large else 8) for large in (True, False)},
        )

    def name(self, k: int, is_large: bool) -> str:
        """Write the name of class k."""
        return self.short[is_large][self.shown.names[k]]


def padded(polygons: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Pad the corners of several polygons to rows of one length."""
    longest = max(map(len, polygons))
    rows = []
    for polygon in polygons:
        rows.append(np.pad(polygon, ((0, longest - len(polygon)), (0, 0)), "edge"))
    x, y = np.stack(rows).transpose(2, 0, 1)
    return x, y


def triangle_picture(scene: MulticlassScene, is_large: bool) -> Picture:
    """Draw samples in the triangle of three classes, with the points and the labels' regions."""
    shown = scene.shown
    corners = shown.classes
    point = among(scene.point, corners)
    regions = [(k, r) for k, r in zip(corners, label_regions(point), strict=True) if len(r)]
    marks: list[Mark] = [
        Areas(
            "regions",
            "reference",
            *padded([to_plane(region) for _, region in regions]),
            part_roles=[scene.shown.styles[k][0] for k, _ in regions],
            opacities=(0.1,),
        ),
        Line("outline", "reference", *np.append(CORNERS, CORNERS[:1], axis=0).T, width=2.0),
    ]
    x, y = np.array([_border(point, k) for k in range(3)]).transpose(2, 0, 1)
    border = Line("borders", "selected", x, y, width=2.5)
    of_costs = NO_POINTS
    if scene.cost_matrix is not None:
        part = np.ix_(corners, corners)
        of_costs = _inner_edges(label_regions(cost_matrix=scene.cost_matrix[part]))
    marks.append(Line("cost borders", "optimum", *of_costs, dash="dashed", width=2.0))
    short = short_names(shown.names, MAX_READ_LETTERS)
    names = [short[shown.names[k]] for k in corners]
    size = (46.0 if is_large else 30.0) * (1.0 if sum(map(len, shown.dots)) < 250 else 0.6)
    for k, places in zip(corners, shown.dots, strict=True):
        role, shape = scene.shown.styles[k]
        x_y = places.T if len(places) else NO_POINTS
        marks.append(
            Dots(
                f"class:{k}",
                role,
                *x_y,
                marker=shape,
                rim="paper",
                width=0.8,
                size=size,
                readings=_readings(names, short[shown.names[k]], places),
            )
        )
    wrong = _errors(shown.dots, point)
    marks.append(
        Dots("errors", "transparent", *wrong.T, rim="text", width=1.6, size=2.6 * size, readings=())
    )
    best: Any = NO_POINTS
    costs: Any = NO_POINTS
    rows = []
    if len(wrong):
        rows.append(Entry("wrong", "text", "errors"))
    if scene.best is not None:
        best = to_plane(among(scene.best, corners)[None]).T
        rows.append(Entry("best here", "optimum-text", "best"))
    if scene.costs is not None:
        costs = to_plane(among(scene.costs, corners)[None]).T
        rows.append(Entry("by the costs", "optimum-text", "costs"))
    if scene.cost_matrix is not None:
        rows.append(Entry("by the costs", "optimum-text", "cost borders"))
    marks += [
        border,
        Dots("costs", "optimum", *costs, marker="diamond", rim="text", width=2.0, size=170.0),
        ring("best", "optimum", *best),
        *_corner_names(scene, is_large),
    ]
    if is_large and rows:
        marks.append(Legend("legend", "text", choices=[rows], corner=(0.0, 1.0)))
    place = to_plane(point[None]).T
    # the sides of the triangle have length 1; leave room for the corners' names
    high = TRIANGLE_HEIGHT + (1 - TRIANGLE_HEIGHT) / 2
    return Picture(
        Axis("", 0.0, 1.0, (), pad=0.06, is_shown=False),
        Axis("", high - 1, high, (), pad=0.06, is_shown=False),
        (*marks, Handle("point", "selected", *place)),
        is_square=True,
        is_large=is_large,
    )


def _readings(names: Sequence[str], name: str, places: Floats) -> list[str]:
    """Say of each sample of a class at its place which class it is of, and its probabilities."""
    texts = []
    for prob in _inside(*places.T).T if len(places) else ():
        shares = zip(names, np.clip(prob, 0.0, 1.0), strict=True)
        listed = ", ".join(f"{other} {number(share, 2)}" for other, share in shares)
        texts.append(f"{name}: probabilities {listed}")
    return texts


def _errors(dots: Sequence[Floats], point: Floats) -> Floats:
    """Find the places of samples that are predicted to be of another class, shape (n, 2)."""
    wrong = [np.empty((0, 2))]
    for k, places in enumerate(dots):
        if len(places):
            predicted = (_inside(*places.T) / point[:, None]).argmax(axis=0)
            wrong.append(places[predicted != k])
    return np.concatenate(wrong)


def line_picture(scene: MulticlassScene, is_large: bool) -> Picture:
    """Draw the probabilities of the second of two classes by class, with the threshold."""
    shown = scene.shown
    edges = np.linspace(0.0, 1.0, 21)
    marks: list[Mark] = []
    heights = []
    for k in (0, 1):
        code = shown.samples.code == k
        weight = shown.samples.weight
        prob = shown.samples.prob[code, 1]
        counts, _ = np.histogram(prob, edges, weights=None if weight is None else weight[code])
        heights.append(counts)
    highest = float(max(map(np.max, heights))) or 1.0
    top = (1.22 if is_large else 1.5) * highest
    for k, height in enumerate(heights):
        role = shown.styles[k][0]
        marks.append(Bars(f"class:{k}", role, (edges[1:] + edges[:-1]) / 2, height))
    threshold = float(scene.point[1])
    high = 0.84 * top
    names = [
        (0.01, 0.94 * top, scene.name(0, is_large), shown.ink(0)),
        (0.99, 0.94 * top, scene.name(1, is_large), shown.ink(1)),
    ]
    best = NO_POINTS if scene.best is None else ([float(scene.best[1])], [0.0])
    costs = NO_POINTS if scene.costs is None else ([float(scene.costs[1])], [0.0])
    marks += [
        words("first", names[:1]),
        words("second", names[1:], "end"),
        Line("borders", "selected", (threshold, threshold), (0.0, high), width=2.5),
        Dots("costs", "optimum", *costs, marker="diamond", rim="text", width=2.0, size=170.0),
        ring("best", "optimum", *best),
    ]
    return Picture(
        Axis(f"probability of {scene.name(1, True)}", pad=0.03),
        Axis("samples", 0.0, top, round_ticks(0, top, 4 if is_large else 2), pad=0.03),
        (*marks, Handle("point", "selected", (threshold,), (high,), along="x")),
        is_large=is_large,
    )


def _inner_edges(regions: Sequence[Floats]) -> Any:
    """Draw the borders between regions, without the sides of the triangle."""
    edges = {}
    for region in regions:
        for edge in np.stack((region, np.roll(region, -1, axis=0)), axis=1):
            is_side = (edge < 1e-9).all(axis=0).any()
            if not is_side:  # each border has a region on either side, and is drawn once
                key = tuple(map(tuple, sorted(edge.round(9).tolist())))
                edges[key] = edge
    return to_plane(list(edges.values())).transpose(2, 0, 1) if edges else NO_POINTS


def _border(point: Floats, k: int) -> Floats:
    """Draw the border between the two classes other than k, from the point to the edge."""
    end = np.where(np.arange(3) == k, 0.0, point)
    return to_plane(np.stack((point, end / end.sum())))


#: Letters of a name that stands at a corner with a word before it; the lower two share a line.
MAX_CORNER_LETTERS = 12


def _corner_names(scene: MulticlassScene, is_large: bool) -> list[Mark]:
    """Write the class of each corner; the lower names are flush with the triangle."""
    away = 0.065 if is_large else 0.09
    marks: list[Mark] = []
    names = [scene.name(scene.shown.classes[i], is_large) for i in range(3)]
    has_room = is_large and max(map(letters, names)) <= MAX_CORNER_LETTERS
    for i, align in enumerate(("start", "end", "middle")):
        k = scene.shown.classes[i]
        x, y = CORNERS[i]
        text = f"surely {names[i]}" if has_room else names[i]
        text_y = y + away if i == 2 else y - away
        marks.append(words(f"corner:{i}", [(x, text_y, text, scene.shown.ink(k))], align))
    return marks


def matrix_picture(scene: MulticlassScene, is_large: bool) -> Picture:
    """Draw the confusion matrix: a row for each true class, a column for each predicted one."""
    shown = scene.shown
    n_classes = len(shown.names)
    marks: list[Mark] = [*_matrix_cells(scene), *_matrix_numbers(scene, is_large)]
    away = 0.0
    if n_classes <= MAX_WRITTEN_CLASSES:
        away = (0.1 if is_large else 0.15) * n_classes
        marks += _matrix_markers(scene, away, size=100.0 if is_large else 70.0)
    rows, columns = _matrix_names(scene)
    if is_large:
        from_cells = away if away and shown.coloured else 0.02 * n_classes
        if len(set(columns.values())) < len(columns):  # columns are in the order of the rows
            columns = {}
        marks += _names_beside_matrix(rows, columns, n_classes, from_cells)
        # width of a letter as a share of the picture
        part = 0.024 * max(map(letters, (*rows.values(), "predicted")))
        left = from_cells + n_classes * part / (1 - part)
        top = 0.08 * n_classes
        return Picture(
            Axis("predicted", -left, float(n_classes), (), pad=0.0, is_shown=False),
            Axis("true class", top - left, n_classes + top, (), pad=0.0, is_shown=False),
            tuple(marks),
            is_square=True,
        )
    ticks = {} if shown.all_coloured else {k + 0.5: name for k, name in columns.items()}
    upward = {n_classes - place: name for place, name in reversed(ticks.items())}
    low = -away if away else 0.0
    return Picture(
        Axis("predicted", low, float(n_classes), ticks, pad=0.0, is_shown=bool(ticks)),
        Axis("true class", low, float(n_classes), upward, pad=0.0, is_shown=bool(ticks)),
        tuple(marks),
        is_large=False,
    )


def _matrix_cells(scene: MulticlassScene) -> list[Mark]:
    """Draw the cells, darker for larger shares of a class, those of the diagonal in its colour."""
    n = len(scene.shown.names)
    row, column = np.indices((n, n)).reshape(2, -1)
    left = column + 0.03
    bottom = n - 1 - row + 0.03
    is_right = row == column
    shares = np.nan_to_num(scene.matrix.shares).ravel()
    roles = ["reference"] * n**2
    for k in range(n):
        roles[k * (n + 1)] = scene.shown.styles[k][0]
    opacities = 0.08 + np.where(is_right, 0.6, 0.8) * shares
    corners = boxes(left, left + 0.94, bottom, bottom + 0.94)
    return [
        Areas("paper", "paper", *boxes(-n, n, -n, n)),  # hides the gridlines
        Areas("cells", "reference", *corners, part_roles=roles, opacities=opacities.tolist()),
    ]


def _matrix_numbers(scene: MulticlassScene, is_large: bool) -> list[Mark]:
    """Write the count of each cell, and its share of the true class, where they have room."""
    matrix = scene.matrix
    n = len(scene.shown.names)
    if n > (MAX_WRITTEN_CLASSES if is_large else MAX_WRITTEN_CLASSES_IN_SMALL):
        return []
    has_shares = is_large and n <= 6
    shift = 0.13 if has_shares else 0.0
    counts = []
    shares = []
    for k in range(n):
        middle = n - 0.5 - k
        for j in range(n):
            centre = j + 0.5
            counts.append((centre, middle + shift, amount(matrix.counts[k, j]), "text"))
            if has_shares:
                shares.append((centre, middle - 0.2, percent(matrix.shares[k, j]), "text"))
    return [
        words("counts", counts, "middle"),
        words("shares", shares, "middle", bold=False, size=0.86),
    ]


def _matrix_markers(scene: MulticlassScene, away: float, size: float) -> list[Mark]:
    """Draw the markers of the classes beside their rows and columns."""
    n = len(scene.shown.names)
    marks: list[Mark] = []
    for k in scene.shown.coloured:
        role, shape = scene.shown.styles[k]
        x = [-away / 2, k + 0.5]
        y = [n - 0.5 - k, -away / 2]
        marks.append(Dots(f"class:{k}", role, x, y, marker=shape, width=0.0, size=size))
    return marks


def _matrix_names(scene: MulticlassScene) -> tuple[dict[int, str], dict[int, str]]:
    """Shorten the names of rows and of columns; of very many classes only some are named."""
    all_names = scene.shown.names
    step = -(-len(all_names) // MAX_WRITTEN_CLASSES)
    named = range(0, len(all_names), step)
    names = [all_names[k] for k in named]
    of_rows = short_names(names, 12)
    of_columns = short_names(names, max(40 // len(names), 3))
    rows = {k: of_rows[all_names[k]] for k in named}
    columns = {k: of_columns[all_names[k]] for k in named}
    return rows, columns


def _names_beside_matrix(
    rows: Mapping[int, str], columns: Mapping[int, str], n_classes: int, away: float
) -> list[Mark]:
    """Write names to the left of rows and below columns of a matrix, with headings."""
    line = 0.04 * n_classes  # from the middle of a line of text to its start
    below_y = -away - line
    left = [(-away, n_classes - 0.5 - k, name, "text") for k, name in rows.items()]
    below = [(k + 0.5, below_y, name, "text") for k, name in columns.items()]
    titles = [(-away, n_classes + line, "true", "muted"), (-away, below_y, "predicted", "muted")]
    return [
        words("rows", left, "end", bold=False),
        words("columns", below, "middle", bold=False),
        words("sides", titles, "end", bold=False),
    ]


def curves_picture(scene: MulticlassScene, is_large: bool) -> Picture:
    """Draw the ROC curve of each class against all others, with the operating points."""
    drawn = scene.shown.drawn
    lines: list[Mark] = []
    points: list[Mark] = []
    counts = scene.matrix.counts
    for k in drawn:
        role, shape = scene.shown.styles[k]
        is_other = k not in scene.shown.coloured
        curve = scene.shown.of_class[k].thinned
        width = 1.0 if is_other else 2.2
        lines.append(Line(f"curve:{k}", role, curve.fpr, curve.tpr, width=width))
        n_class = scene.matrix.true[k]
        n_others = scene.matrix.true.sum() - n_class
        tpr = counts[k, k] / n_class
        fpr = (counts[:, k].sum() - counts[k, k]) / n_others
        size = (190.0 if is_large else 110.0) * (0.25 if is_other else 1.0)
        points.append(
            Dots(
                f"selected:{k}",
                role,
                [fpr],
                [tpr],
                marker=shape,
                rim="selected",
                size=size,
                width=3.0,
            )
        )
    rows = []
    if is_large:
        if scene.auc is not None:
            value, low, high = map(number, scene.auc)
            rows.append(Entry(f"M {value} ({low} to {high})", "text"))
        for k in scene.shown.coloured:
            text = f"{scene.name(k, True)}, AUC {number(scene.shown.ranked[k].auc)}"
            rows.append(Entry(text, scene.shown.ink(k), f"curve:{k}"))
        if not scene.shown.all_coloured:
            rows.append(Entry("others", "muted", f"curve:{drawn[0]}", bold=False))
        rows.append(Entry("as predicted now", "selected-text", f"selected:{drawn[-1]}"))
    elif scene.auc is not None:
        rows.append(Entry(f"M {number(scene.auc[0], 2)}", "text"))
    legend = [Legend("legend", "text", choices=[rows], corner=(1.0, 0.0))] if rows else []
    return Picture(
        Axis("false positive rate"),
        Axis("true positive rate"),
        (diagonal(), *lines, *points, *legend),
        is_large=is_large,
    )


def reliability_picture(scene: MulticlassScene, is_large: bool) -> Picture:
    """Draw the observed share of each class against its predicted probability."""
    drawn = scene.shown.drawn
    marks: list[Mark] = []
    for k in drawn:
        role, shape = scene.shown.styles[k]
        predicted, observed, weight = scene.shown.of_class[k].reliability
        sizes = np.clip(np.sqrt(weight / weight.max()), 0.3, 1.0)
        is_other = k not in scene.shown.coloured
        marks.append(Line(f"line:{k}", role, predicted, observed, width=1.0 if is_other else 2.0))
        if is_other:
            continue
        marks.append(
            Dots(
                f"dots:{k}",
                role,
                predicted,
                observed,
                marker=shape,
                rim="paper",
                width=1.0,
                size=110.0 if is_large else 70.0,
                sizes=sizes,
            )
        )
    if is_large:
        rows = []
        for k in scene.shown.coloured:
            rows.append(Entry(scene.name(k, True), scene.shown.ink(k), f"dots:{k}"))
        if not scene.shown.all_coloured:
            rows.append(Entry("others", "muted", f"line:{drawn[0]}", bold=False))
        marks.append(Legend("legend", "text", choices=[rows], corner=(1.0, 0.0)))
    return Picture(
        Axis("predicted probability", pad=0.06),
        Axis("observed frequency", pad=0.06),
        (diagonal(), *marks),
        is_large=is_large,
    )


def shown_of(
    samples: ClassSamples, names: tuple[str, ...], classes: Sequence[int] | None = None
) -> Shown:
    """Rank each class of checked samples, and choose three for the corners."""
    corners = largest_classes(samples) if classes is None else tuple(classes)
    weight = samples.weight
    ranked = []
    for k in range(samples.n_classes):
        prob = samples.prob[:, k]
        ranked.append(RankedSegments.from_scores(samples.is_class(k), prob, sample_weight=weight))
    return Shown(samples, tuple(ranked), names, corners)


def largest_classes(samples: ClassSamples) -> tuple[int, ...]:
    """Choose the three classes with most samples, in order."""
    return tuple(np.sort(np.argsort(-samples.size, kind="stable")[:3]).tolist())
