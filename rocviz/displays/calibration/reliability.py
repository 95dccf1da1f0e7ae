"""ReliabilityDisplay: what a model says against what happens, with the scores below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import check_choice, check_fraction, check_probabilities
from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.roc.binomial_interval import METHODS, binomial_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.roc.summary import reliability_points, score_histogram
from rocviz.displays.base.data import as_named, one_or_list
from rocviz.displays.base.display import CurveLook, ModelsDisplay
from rocviz.displays.base.figure import figure_scale, strip_below
from rocviz.displays.base.labels import Row, legend
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import count, drawn, erase, note
from rocviz.displays.base.style import curve_styles, font, resolve_theme, unit_ticks
from rocviz.theme import Theme
from rocviz.words import amount

_FEW = 25  # distinct probabilities that are still drawn one by one
_AREA = 0.014  # of the axes' area, what all bubbles of one model have together
Floats = NDArray[np.float64]


class _Look(CurveLook, total=False):
    interval: str | None
    confidence: float


class _All(_Look, total=False):
    by: str


class ReliabilityDisplay(ModelsDisplay):
    """Predicted against observed frequencies, without bins, and the scores of both classes below.

    Use :meth:`from_estimator` or :meth:`from_predictions` to make one from data; the
    constructor takes results.

    Parameters
    ----------
    segments : RankedSegments, or mapping of str to RankedSegments
        Segments whose scores are probabilities, of one model or of several under their names.
    name : str, optional
        Name of the one model.
    by : {"auto", "hull", "score"}, default="auto"
        What a point stands for: a segment of the convex hull (the isotonic fit, drawn with
        its step function), or the samples with exactly one predicted probability. ``"auto"``:
        by score where every model has at most 25 distinct ones, else by hull.
    pos_label : label, optional
        The positive class; a string is used in the label that counts the samples.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the diagram.
    figure_ : matplotlib Figure
    line_ : Line2D, or list of Line2D
        The step function (invisible by score); as all that follow, a list for several models.
    points_ : PathCollection, or list
        Bubbles whose area is the weight of their samples.
    intervals_ : LineCollection or None, or list
        Binomial intervals.
    ref_line_ : Line2D or None
        The diagonal; ``None`` where another display had drawn it.
    histogram_ax_ : matplotlib Axes, or list
        The axes of the scores below the diagram.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1], or ``by`` is unknown.

    See Also
    --------
    BrierDisplay : How much the distance from the diagonal costs.
    HullCalibratedClassifier : Predict what the hull observed.
    sklearn.calibration.CalibrationDisplay : The diagram with bins.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021).

    Examples
    --------
    >>> from rocviz import ReliabilityDisplay
    >>> display = ReliabilityDisplay.from_predictions([0, 1, 0, 1, 1], [0.2, 0.2, 0.6, 0.6, 0.6])
    >>> display.prob_pred
    array([0.6, 0.2])
    >>> display.prob_true.round(3)
    array([0.667, 0.5  ])
    """

    def __init__(
        self,
        segments: RankedSegments | Mapping[Any, RankedSegments],
        *,
        name: str | None = None,
        by: str = "auto",
        pos_label: Any = None,
    ) -> None:
        self._models = as_named(segments, name)
        for one in self._models.values():
            check_probabilities(one.score, "segments.score")
        check_choice(by, "by", ("auto", "hull", "score"))
        few = all(len(one) <= _FEW for one in self._models.values())
        self._by = ("score" if few else "hull") if by == "auto" else by
        self.segments, self.name, self.pos_label = segments, name, pos_label
        self.by = by

    @property
    def prob_pred(self) -> Any:
        """Mean predicted probability at each point (a list of arrays for several models)."""
        models = self._models.values()
        return one_or_list([reliability_points(one, self._by).predicted for one in models])

    @property
    def prob_true(self) -> Any:
        """Proportion of positives at each point (a list of arrays for several models)."""
        models = self._models.values()
        return one_or_list([reliability_points(one, self._by).observed for one in models])

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: ArrayLike, **options: Unpack[_All]) -> Self:
        """Draw the reliability diagram of a fitted classifier's ``predict_proba``.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        name : str, optional
            By default the name of the estimator's class.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each model.
        interval : {"auto", "wilson", "clopper-pearson", "jeffreys"} or None, default="auto"
            Kind of binomial interval at each point. ``"auto"``: Wilson's for a model that is
            alone on its axes, and none where there are several. Intervals of hull segments
            take the segments as given, though the data chose them.
        confidence : float, default=0.95
            Confidence level of the intervals.
        by : {"auto", "hull", "score"}, default="auto"
            What a point stands for, see the class.
        ax : matplotlib Axes, optional
            By default those of a new figure; the ``ax_`` of another display puts both models
            on one axes.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        ReliabilityDisplay

        Raises
        ------
        ValueError
            If ``estimator`` is not as said above, or data are bad. No figure has been made then.
        """
        return cls._from_classifier(estimator, X, y, options, method="predict_proba")

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_prob: Any, *, by: str = "auto", **options: Unpack[_Look]
    ) -> Self:
        """Draw the reliability diagram of predicted probabilities.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_prob : array-like of float, shape (n_samples,), or mapping of str to array-like
            Probabilities of the positive class; a mapping gives those of several models.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Of the one model.
        by : {"auto", "hull", "score"}, default="auto"
            What a point stands for, see the class.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each model.
        interval : {"auto", "wilson", "clopper-pearson", "jeffreys"} or None, default="auto"
            Kind of binomial interval at each point. ``"auto"``: Wilson's for a model that is
            alone on its axes, and none where there are several. Intervals of hull segments
            take the segments as given, though the data chose them.
        confidence : float, default=0.95
            Confidence level of the intervals.
        ax : matplotlib Axes, optional
            By default those of a new figure; the ``ax_`` of another display puts both models
            on one axes.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        ReliabilityDisplay

        Raises
        ------
        ValueError
            If data are bad. No figure has been made then.

        Examples
        --------
        >>> from rocviz import ReliabilityDisplay
        >>> display = ReliabilityDisplay.from_predictions(
        ...     [0, 1, 1, 0], {"bold": [0.1, 0.9, 0.9, 0.9], "meek": [0.4, 0.6, 0.6, 0.6]}
        ... )
        >>> [len(line.get_xdata()) for line in display.line_]
        [2, 2]
        """
        found = cls._samples(y_true, y_prob, options, probabilities=True)
        made = cls(found.as_given(found.models), name=found.name, by=by, pos_label=found.pos_label)
        return made.plot(**found.looks)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        interval: str | None = "auto",
        confidence: float = 0.95,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw; the axes give up some height for the scores below.

        Several displays can share their axes. Of three models and more, scores are left out where
        the axes that are given have no room for them.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure; the ``ax_`` of another display puts both models
            on one axes.
        name : str, optional
            Of the one model, instead of the display's own.
        interval : {"auto", "wilson", "clopper-pearson", "jeffreys"} or None, default="auto"
            Kind of binomial interval at each point. ``"auto"``: Wilson's for a model that is
            alone on its axes, and none where there are several. Intervals of hull segments
            take the segments as given, though the data chose them.
        confidence : float, default=0.95
            Confidence level of the intervals.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each model.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        ReliabilityDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is not as said above. No figure has been made then.
        """
        names = self._names(name)
        styles = curve_styles(curve_kwargs, len(names))
        if interval is not None:
            check_choice(interval, "interval", ("auto", *METHODS))
        confidence = check_fraction(confidence, "confidence")
        used = resolve_theme(theme)
        strip_height = 6.5 * font(used) / 72 / figure_scale(used)
        pen = self._pen(ax, used, height=5.4 + strip_height * len(self._models))
        if interval == "auto":
            interval = None if len(names) > 1 or count(pen.ax, "curve") else "wilson"
        models = self._models.values()
        # axes that were given may have no room for a strip of each model
        low = ax is not None and pen.size[1] < (7 * len(names) + 12) * pen.font()
        strips = [
            draw_strip(pen, one, name=who, pos_label=self.pos_label)
            for who, one in zip(names, models, strict=True)
            if not low or len(names) < 3
        ]
        look: dict[str, Any] = {"by": self._by, "interval": interval, "confidence": confidence}
        artists = [
            draw_reliability(pen, one, name=who, style=style, **look)
            for who, one, style in zip(names, models, styles, strict=True)
        ]
        pen.ax.set_xlabel("" if strips else "predicted probability")
        label_reliability(pen)
        self.histogram_ax_ = one_or_list(strips)
        self.line_ = one_or_list([a.line for a in artists])
        self.points_ = one_or_list([a.points for a in artists])
        self.intervals_ = one_or_list([a.intervals for a in artists])
        self.ref_line_ = artists[0].identity
        return self


class ReliabilityArtists(NamedTuple):
    """What :func:`draw_reliability` put on the axes; ``None`` for what was not asked for."""

    line: Line2D
    points: PathCollection
    intervals: LineCollection | None
    identity: Line2D | None


def draw_reliability(
    pen: Pen,
    segments: RankedSegments,
    *,
    name: str | None = None,
    by: str = "hull",
    interval: str | None = "wilson",
    confidence: float = 0.95,
    style: Mapping[str, Any] | None = None,
) -> ReliabilityArtists:
    """Draw what a model says against what happens, beside models that are there already.

    The axes are square, from 0 to 1, and so are scores. Points and the step function are those of
    the hull's segments, or there is one point for each score, with a binomial interval or none.
    Labels are written by :func:`label_reliability`, once all is drawn.
    """
    pen.unit_frame("predicted probability", "observed frequency")
    pen.settle()
    i = count(pen.ax, "curve")
    is_hull = by == "hull"
    identity = bars = None
    if not i:
        identity = diagonal(pen, "_perfectly calibrated", "identity", width=0.7, touch=0.2)
    look = pen.look(i, style)
    if is_hull and not i:
        look = replace(look, dash=(0, (4, 2)), colour=look.own.get("color", pen.colour("hull")))
    dots = reliability_points(segments, by)
    if interval is not None:
        ends = binomial_interval(dots.pos, dots.n, confidence=confidence, method=interval)
        looks = {"color": look.colour, "alpha": 0.45, "linewidth": pen.stroke(0.5), "zorder": 2}
        bars = pen.ax.vlines(dots.predicted, *ends, label="_intervals", **looks)
        text = f"{100 * confidence:g} % intervals, {interval.title()}"
        note(bars, "intervals", text=text, touch=0.25)
    x, y = _steps(segments) if is_hull else (dots.predicted, dots.observed)
    looks = {"label": "_observed frequency", "clip_on": False, "zorder": 3}
    line = pen.curve(x, y, look, width=0.8, dash=look.dash if is_hull else "none", **looks)
    scores = "exact scores" if segments.is_exact else "scores, some joined"
    parts = "hull segments" if is_hull else scores
    area = _AREA * pen.size[0] ** 2 * dots.n / dots.n.sum() * 4 / np.pi
    points = pen.ax.scatter(
        dots.predicted,
        dots.observed,
        s=np.maximum(area, pen.stroke(1.8) ** 2),
        facecolor=[to_rgba(look.colour, 0.4)],
        edgecolor=look.outline or look.colour,
        linewidth=pen.stroke(0.45),
        clip_on=False,
        zorder=4,
        label="_points",
    )
    note(points, "bubbles")
    who = look.own.get("label", name if name is not None else (f"model {i + 1}" if i else None))
    sample = Line2D([], [])
    sample.update_from(line)
    sample.set(
        marker="o",
        markersize=pen.handle(0.5),
        markerfacecolor=to_rgba(look.colour, 0.4),
        markeredgecolor=look.outline or look.colour,
    )
    data = {"name": who, "parts": parts, "sample": sample}
    note(line, "curve", touch=1.0 if is_hull else 0.0, data=data)
    return ReliabilityArtists(line, points, bars, identity)


def _steps(segments: RankedSegments) -> tuple[Any, Any]:
    """Compute the corners of the step function that the hull fits."""
    step = fit_hull(segments)
    edges = np.clip(step.low[::-1], 0.0, 1.0)
    x = np.concatenate(([0.0], np.repeat(edges[1:], 2), [1.0]))
    return x, np.repeat(step.probability[::-1], 2)


def label_reliability(pen: Pen) -> None:
    """Say what :func:`draw_reliability` put on the axes."""
    erase(pen.ax, "label")
    curves = [found.data for _, found in drawn(pen.ax, "curve")]
    several = len(curves) > 1
    rows = [
        Row(one["name"] or ("model 1" if several else one["parts"]), one["sample"])
        for one in curves
    ]
    parts = " and ".join(dict.fromkeys(one["parts"] for one in curves))
    named = several or curves[0]["name"] is not None
    small = {f"{parts}, area = samples" if named else "area = samples": None}
    small |= {found.text: bars for bars, found in drawn(pen.ax, "intervals")}
    small["perfectly calibrated"] = next(drawn(pen.ax, "identity"))[0]
    rows += [Row(words, artist, "muted", bold=False) for words, artist in small.items()]
    legend(pen, rows, (0.7, 0.2))


def draw_strip(
    pen: Pen, segments: RankedSegments, *, name: str | None = None, pos_label: Any = None
) -> Axes:
    """Draw the scores under a diagram that gives up height, below those of models already there."""
    below = strip_below(pen)
    strip = below.ax
    draw_score_strip(below, segments, name=name, pos_label=pos_label)
    strip.set_xlabel("predicted probability")
    for above in [pen.ax, *pen.ax.child_axes[:-1]]:
        above.set_xlabel("")
        above.tick_params(labelbottom=False)
    return strip


def draw_score_strip(
    pen: Pen,
    segments: RankedSegments,
    *,
    name: str | None = None,
    pos_label: Any = None,
    bins: int = 40,
) -> dict[str, Any]:
    """Draw a low histogram: positives upward, negatives downward, each to its own scale.

    The highest bar of each class has its height at the axis, so that few positives among many
    negatives can be seen. Returns the ``"positive"`` and ``"negative"`` bars; heights are shares of
    the highest.
    """
    scale = pen.scale
    counted = score_histogram(segments, bins)
    edges, pos, neg = counted.edges, counted.pos, counted.neg
    width = np.diff(edges)
    made: dict[str, Any] = {}
    named = isinstance(pos_label, str)
    before = "" if name is None else f"{name}: "
    for thing, height, sign in (("positive", pos, 1), ("negative", neg, -1)):
        made[thing] = pen.ax.bar(
            edges[:-1],
            sign * height / height.max(),
            width * 0.9,
            align="edge",
            color=pen.colour(thing),
            linewidth=0,
            zorder=2,
            label=f"_{thing}s",
        )
        n = segments.n_pos if sign > 0 else segments.n_neg
        called = {True: (pos_label, "others"), False: ("positives", "negatives")}[named]
        words = f"{before if sign > 0 else ''}{amount(n)} {called[sign < 0]}"
        looks = {"x": 0.5, "y": 1.66 * sign, "transform": pen.ax.get_yaxis_transform()}
        looks |= {"ha": "center", "va": "top" if sign > 0 else "bottom"}
        pen.text(words, f"{thing}-text", 0.9 * scale, bold=True, **looks)
    pen.level(0, "reference", 0.4, zorder=3)
    pen.ax.set_xlim(edges[0], edges[-1])
    if edges[0] == 0 and edges[-1] == 1:
        unit_ticks(pen.ax.xaxis)
    pen.ax.set_ylim(-1.85, 1.85)
    pen.ax.set_yticks([-1, 1], [amount(float(neg.max())), amount(float(pos.max()))])
    return made
