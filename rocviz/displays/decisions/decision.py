"""DecisionDisplay: who is called positive for a metric, what cuts are worth, the thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import Floats, check_choice, check_sequence
from rocviz.core.decisions.decision import Decision, optimal_decision, plug_in_utilities
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.displays.base.data import response_values
from rocviz.displays.base.display import Display, Theming
from rocviz.displays.base.figure import figure_scale, panels, pen_on
from rocviz.displays.base.labels import Row, legend, place_if_free
from rocviz.displays.base.marks import column
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import curve_styles, font, resolve_theme, unit_ticks
from rocviz.theme import Theme
from rocviz.words import amount, metric_name, number

_HEADINGS = {
    "probabilities": "Who is called positive",
    "utilities": "What every cut is worth",
    "thresholds": "Where each metric cuts",
}
_KINDS = tuple(_HEADINGS)
_ROW = 2.0  # height of a metric's row in lines of text
_POINTS = 1500  # of a curve; more than a picture has pixels
_TICKS = {"nbins": 5, "integer": True, "steps": [1, 2, 5, 10]}
_DASH = (0, (3, 2))
_LOOKS = (0, 1, 2, 4, 5, 3)  # of models, for metrics: the colour of positives comes last
_FEW = 30  # samples; only whole k have a meaning, which is shown where it can be seen


class _Look(Theming, total=False):
    ax: Axes | tuple[Axes, Axes, Axes] | None
    kind: str | None
    plug_in: bool
    curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class _Options(_Look, total=False):
    beta: float
    cost_fp: float
    cost_fn: float
    zero_division: float


class DecisionDisplay(Display):
    """Probabilities of a batch cut for the sake of metrics, and what each cut is expected to give.

    Three pictures: the probabilities in decreasing order, those called positive in the
    colour of positives; the expected utility of calling the k most probable samples
    positive, for every k and metric, with the best k ringed and, dashed, the utility of the
    expected counts (the plug-in rule); the threshold of each metric on one axis. The rules are
    those of section 4 of Natarajan et al. (2015). Use
    :meth:`from_predictions` or :meth:`from_estimator` to make one from data; the constructor
    takes results.

    Parameters
    ----------
    decisions : Decision, sequence of Decision, or mapping of str to Decision
        For the same probabilities; the keys of a mapping name the metrics.

    Attributes
    ----------
    decisions : dict of str to Decision
    axes_ : dict of str to matplotlib Axes
        By the kind of picture, ``"probabilities"``, ``"utilities"`` and ``"thresholds"``.
    figure_ : matplotlib Figure
    artists_ : dict
        By the kind of picture: the columns called positive and called negative; the lines of
        each metric; the mark at each threshold.

    Raises
    ------
    ValueError
        If decisions are for different probabilities, two have one name, or there are none.

    See Also
    --------
    rocviz.optimal_decision : The numbers.

    Examples
    --------
    >>> from rocviz import DecisionDisplay
    >>> y_prob = [0.95, 0.8, 0.6, 0.4, 0.4, 0.2, 0.1, 0.05]
    >>> display = DecisionDisplay.from_predictions(y_prob, ["f1", "am"])
    >>> {name: decision.n_predicted_positive for name, decision in display.decisions.items()}
    {'F1': 5, 'balanced accuracy': 3}
    """

    def __init__(self, decisions: Any) -> None:
        if isinstance(decisions, Mapping):
            names = name_texts(decisions, "decisions")
            named = dict(zip(names, decisions.values(), strict=True))
        else:
            several = [decisions]
            if not isinstance(decisions, Decision):
                several = check_sequence(decisions, "decisions", "one or more Decision")
            for decision in several:
                _check_decision(decision)
            named = {metric_name(decision.metric): decision for decision in several}
            if len(named) < len(several):
                raise ValueError(
                    "decisions has metrics of the same name; give a mapping of names to decisions."
                )
        if not named:
            raise ValueError("decisions is empty; at least one is needed.")
        first = _check_decision(next(iter(named.values())))
        for decision in named.values():
            if not np.array_equal(_check_decision(decision).y_prob, first.y_prob):
                raise ValueError("decisions must be for the same probabilities.")
        self.decisions: dict[str, Decision] = named

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        metrics: Any = ("f", "jaccard", "am", "g_mean"),
        *,
        pos_label: Any = None,
        **options: Unpack[_Options],
    ) -> Self:
        """Draw the decisions for a batch of samples by a fitted classifier's probabilities.

        Parameters
        ----------
        estimator : fitted classifier
            A classifier of two classes, with ``predict_proba``.
        X : array-like, shape (n_samples, n_features)
        metrics : metric, sequence of metrics, or mapping of str to metric
            As in :func:`rocviz.optimal_decision`; the first is the one whose cut is shown among
            the probabilities. Up to six can be distinguished.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        kind : {"probabilities", "utilities", "thresholds"}, optional
            The only picture to draw. By default all three, or "utilities" where there is one
            axes.
        plug_in : bool, default=True
            Draw the utilities of the expected counts too.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the utilities;
            a list gives those of each metric.
        beta, cost_fp, cost_fn, zero_division : float
            As in :func:`rocviz.optimal_decision`.
        ax : matplotlib Axes or three of them, optional
            Three take probabilities, utilities and thresholds, in this order; one takes the
            picture that ``kind`` says. By default those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        ValueError
            If ``estimator`` is not as said above, or data are bad. No figure has been made then.
        """
        cls._check_keywords("from_estimator", options)
        prob, _ = response_values(
            estimator, X, response_method="predict_proba", pos_label=pos_label
        )
        return cls.from_predictions(prob, metrics, **options)

    @classmethod
    def from_predictions(
        cls,
        y_prob: ArrayLike,
        metrics: Any = ("f", "jaccard", "am", "g_mean"),
        *,
        beta: float = 1.0,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        zero_division: float = 0.0,
        **looks: Unpack[_Look],
    ) -> Self:
        """Draw the decisions for probabilities.

        Parameters
        ----------
        y_prob : array-like of float, shape (n_samples,)
            Probability of the positive class, for one batch; true labels play no part.
        metrics : metric, sequence of metrics, or mapping of str to metric
            As in :func:`rocviz.optimal_decision`; the first is the one whose cut is shown among
            the probabilities. Up to six can be distinguished.
        beta, cost_fp, cost_fn, zero_division : float
            As in :func:`rocviz.optimal_decision`.
        kind : {"probabilities", "utilities", "thresholds"}, optional
            The only picture to draw. By default all three, or "utilities" where there is one
            axes.
        plug_in : bool, default=True
            Draw the utilities of the expected counts too.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the utilities;
            a list gives those of each metric.
        ax : matplotlib Axes or three of them, optional
            Three take probabilities, utilities and thresholds, in this order; one takes the
            picture that ``kind`` says. By default those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        ValueError
            If data are bad. No figure has been made then.
        """
        cls._check_keywords("from_predictions", looks)
        if isinstance(metrics, str | LinearFractional | Metric) or callable(metrics):
            metrics = [metrics]
        options = {
            "beta": beta,
            "cost_fp": cost_fp,
            "cost_fn": cost_fn,
            "zero_division": zero_division,
        }
        given: Any = metrics.items() if isinstance(metrics, Mapping) else None
        if given is None:
            given = [(None, m) for m in check_sequence(metrics, "metrics", "one or more metrics")]
        if not given:
            raise ValueError("metrics is empty; at least one is needed.")
        decisions = [
            (name, optimal_decision(y_prob, resolve_metric(metric, **options)))
            for name, metric in given
        ]
        named = dict(decisions) if isinstance(metrics, Mapping) else [d for _, d in decisions]
        return cls(named).plot(**looks)

    @classmethod
    def from_decision(cls, decision: Any, **looks: Unpack[_Look]) -> Self:
        """Draw one decision, or several for the same probabilities.

        Parameters
        ----------
        decision : Decision, sequence of Decision, or mapping of str to Decision
        kind : {"probabilities", "utilities", "thresholds"}, optional
            The only picture to draw. By default all three, or "utilities" where there is one
            axes.
        plug_in : bool, default=True
            Draw the utilities of the expected counts too.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the utilities;
            a list gives those of each metric.
        ax : matplotlib Axes or three of them, optional
            Three take probabilities, utilities and thresholds, in this order; one takes the
            picture that ``kind`` says. By default those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        ValueError
            If data are bad. No figure has been made then.
        """
        return cls(decision).plot(**looks)

    def plot(
        self,
        ax: Axes | tuple[Axes, Axes, Axes] | None = None,
        *,
        kind: str | None = None,
        plug_in: bool = True,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes or three of them, optional
            Three take probabilities, utilities and thresholds, in this order; one takes the
            picture that ``kind`` says. By default those of a new figure.
        kind : {"probabilities", "utilities", "thresholds"}, optional
            The only picture to draw. By default all three, or "utilities" where there is one
            axes.
        plug_in : bool, default=True
            Draw the utilities of the expected counts too.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the utilities;
            a list gives those of each metric.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        DecisionDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is not as said above. No figure has been made then.
        """
        look = resolve_theme(theme)
        styles = curve_styles(curve_kwargs, len(self.decisions))
        if kind is not None:
            check_choice(kind, "kind", _KINDS)
        given = [] if ax is None else list(np.ravel(np.asarray(ax)))
        if len(given) not in ((0, 1) if kind else (0, 1, 3)):
            raise ValueError(
                f"ax must be one Axes{'' if kind else ' or three of them'}; got {len(given)}."
            )
        if kind is None and len(given) != 1:
            axes = given or three_panels(look, len(self.decisions))
            self.axes_ = dict(zip(_KINDS, axes, strict=True))
        else:
            kind = kind or "utilities"
            self.axes_ = {kind: given[0] if given else self._new_axes(kind, look)}
        self.artists_ = {
            kind: self._draw(kind, Pen(one, look), plug_in, styles)
            for kind, one in self.axes_.items()
        }
        self.figure_ = next(iter(self.axes_.values())).figure
        return self

    def _new_axes(self, kind: str, look: Theme) -> Axes:
        if kind != "thresholds":
            return pen_on(None, look, width=6.4, height=5.0).ax
        return pen_on(None, look, width=9.0, lines=5.4 + 2.0 * len(self.decisions)).ax

    def _draw(self, kind: str, pen: Pen, plug_in: bool, styles: Sequence[Any]) -> Any:
        if len(self.axes_) > 1:
            pen.title(_HEADINGS[kind])
        if kind == "probabilities":
            name, first = next(iter(self.decisions.items()))
            return draw_probabilities(pen, first, name=name)
        if kind == "utilities":
            return draw_utilities(pen, self.decisions, plug_in=plug_in, styles=styles)
        return draw_thresholds(pen, self.decisions)


def _check_decision(decision: Any) -> Decision:
    if not isinstance(decision, Decision):
        raise ValueError(
            f"decisions must be Decision (see optimal_decision); got {type(decision).__name__}."
        )
    return decision


def three_panels(theme: Theme, n_metrics: int) -> list[Axes]:
    """Make two axes side by side and a low one below, on a new pyplot figure."""
    scale, em = figure_scale(theme), font(theme) / 72
    heading, names, gap = 2.6 * em, 3.8 * em, 6.4 * em
    width, above, below = 11.2 * scale, 4.4 * scale, _ROW * n_metrics * em
    return panels(
        theme,
        "AB;CC",
        width,
        heading + above + names + heading + below + names,
        top=2.6,
        ratios=(None, (above, below)),
        hspace=2 * (names + heading) / (above + below),
        wspace=2 * gap / (width - 6.0 * em - gap),
    )


# ---------------------------------------------------------------------- probabilities


def draw_probabilities(pen: Pen, decision: Decision, *, name: str = "") -> Any:
    """Draw the probabilities in decreasing order, and where they are cut for the metric of a name.

    Returns the steps of those called positive and negative; ``None`` for what is empty.
    """
    pen.frame()
    n, cut = decision.n_samples, decision.n_predicted_positive
    prob = decision.y_prob[decision.order]
    pen.ax.set(xlim=(0, n), ylim=(0, 1.02), ylabel="probability of a positive")
    pen.ax.set_xlabel(f"{amount(n)} sample{'s' if n > 1 else ''}, the most probable first")
    unit_ticks(pen.ax.yaxis)
    pen.ax.xaxis.set_major_locator(MaxNLocator(**_TICKS))
    pen.level(0.5, "reference", 0.7, (0, (1, 2)), zorder=2.6, label="_half", role="guide")
    parts = [
        _part(pen, prob, first, last, thing)
        for first, last, thing in ((0, cut, "positive"), (cut, n, "negative"))
    ]
    looks = {"label": "_cut", "clip_on": False, "zorder": 4}
    line = pen.line([cut, cut], [0, 1.02], "optimum", 1.0, **looks)
    lowest = f"threshold {number(prob[cut - 1])}" if cut else "nothing is called positive"
    rows = [
        Row(f"best for {name}:\n{lowest}" if name else lowest, line, "optimum-text"),
        Row(f"{amount(cut)} called positive", parts[0], "positive-text"),
        Row(f"{amount(n - cut)} called negative", parts[1], "negative-text"),
    ]
    taken = legend(pen, rows, (0.8, 0.85))
    looks = {"x": 0.99, "y": 0.5, "ha": "right", "va": "bottom"}
    looks["transform"] = pen.ax.get_yaxis_transform()
    place_if_free(pen.text("one half", "muted", 0.85 * pen.scale, **looks), taken)
    return tuple(parts)


def _part(pen: Pen, prob: Floats, first: int, last: int, thing: str) -> Any:
    """Draw one side of the cut as columns, each for one sample or, of very many, for a few."""
    if first == last:
        return None
    edges = np.unique(np.linspace(first, last, min(last - first, _POINTS) + 1).round().astype(int))
    height = np.add.reduceat(prob[first:last], edges[:-1] - first) / np.diff(edges)
    looks = {"facecolor": pen.tint(thing, 0.75), "linewidth": 0, "zorder": 2}
    columns = pen.ax.stairs(height, edges, fill=True, label=f"_{thing}", **looks)
    some = np.linspace(0, len(height) - 1, min(len(height), 60)).astype(int)
    comb = np.column_stack((edges[some].repeat(3), np.outer(height[some], [0, 1, 0]).ravel()))
    pen.line(comb[:, 0], comb[:, 1], thing, 0, label="_columns", role="columns", touch=0.3)
    return columns


# ---------------------------------------------------------------------- utilities


class UtilityArtists(NamedTuple):
    """What :func:`draw_utilities` drew for one metric; ``plug_in`` may be ``None``."""

    line: Line2D
    optimum: Line2D
    plug_in: Line2D | None


def draw_utilities(
    pen: Pen,
    decisions: Mapping[str, Decision],
    *,
    plug_in: bool = True,
    styles: Sequence[Mapping[str, Any]],
) -> dict[str, UtilityArtists]:
    """Draw the expected utility of every cut, its optimum, and what the plug-in rule takes it for.

    All decide on the same probabilities; the utilities of the plug-in rule are dashed.
    """
    pen.frame()
    n = next(iter(decisions.values())).n_samples
    made, rows = {}, []
    for i, ((name, decision), style) in enumerate(zip(decisions.items(), styles, strict=True)):
        look = pen.look(_LOOKS[i % len(_LOOKS)], style)
        made[name] = _curve(pen, name, decision, look, plug_in)
        best = f" {number(decision.utility)} at k = {amount(decision.n_predicted_positive)}"
        rows.append(Row(look.named(name) + best, made[name].line))
    heights = np.concatenate(
        [line.get_ydata() for one in made.values() for line in (one.line, one.plug_in) if line]
    )
    low, high = heights.min(), heights.max()
    scale = max(abs(low), abs(high), 1.0)
    room = 0.09 * (high - low if high - low > 1e-9 * scale else scale)
    low = 0 if 0 <= low < 0.5 * high else low - room
    pen.ax.set(xlim=(-0.02 * n, 1.02 * n), ylim=(low, high + room))
    pen.ax.xaxis.set_major_locator(MaxNLocator(**_TICKS))
    what = next(iter(decisions)) if len(decisions) == 1 else "utility"
    pen.ax.set_xlabel(f"called positive, k of {amount(n)}")
    pen.ax.set_ylabel(f"expected {what}", parse_math=False)
    if plug_in:
        dashed = next(iter(made.values())).plug_in
        seen = any(_differ(pen, one.line, one.plug_in) for one in made.values())
        words = "of the expected counts" + ("" if seen else ": looks the same")
        rows.append(Row(words, dashed, "muted", bold=False))
    legend(pen, rows, (0.6, 0.1))
    return made


def _curve(pen: Pen, name: str, decision: Decision, look: Any, plug_in: bool) -> UtilityArtists:
    n, best = decision.n_samples, decision.n_predicted_positive
    k = np.unique(np.append(np.linspace(0, n, min(n + 1, _POINTS)).round().astype(int), best))
    dashed = None
    if plug_in:
        utilities = plug_in_utilities(decision.y_prob, decision.metric)
        looks = {"role": "plug-in", "touch": 0.4, "label": f"_plug-in {name}", "zorder": 2.5}
        dashed = pen.line(k, utilities[k], look.outline or look.colour, 0.6, _DASH, **looks)
    looks = {"solid_joinstyle": "round", "markersize": pen.handle(0.3), "label": name}
    looks |= {"dash": "-", "marker": "o" if n <= _FEW else "", "role": "utilities", "zorder": 3}
    line = pen.curve(k, decision.utilities[k], look, **looks)
    looks = {"role": "optimum", "label": f"_optimum {name}", "zorder": 5}
    ring = pen.dots([best], [decision.utility], "paper", 0.62, "optimum", 1.0, **looks)
    return UtilityArtists(line, ring, dashed)


def _differ(pen: Pen, line: Line2D, other: Line2D) -> bool:
    """Test whether two curves over the same k can be told apart."""
    (x, y), (_, behind) = (pen.ax.transData.transform(one.get_xydata()).T for one in (line, other))
    return width_between(x, y, behind) * 72 / pen.ax.figure.dpi > pen.stroke()


def width_between(x: Floats, y: Floats, other: Floats) -> float:
    """Measure the largest distance of two curves over the same x, across their direction."""
    return float((np.abs(y - other) / np.hypot(1.0, np.gradient(y, x))).max())


# ---------------------------------------------------------------------- thresholds


def draw_thresholds(pen: Pen, decisions: Mapping[str, Decision]) -> dict[str, Line2D]:
    """Draw for each metric which probabilities are called positive, one row each.

    All decide on the same probabilities. Returns the mark at each threshold.
    """
    pen.frame()
    pen.ax.set(ylim=(len(decisions) - 0.4, -0.6), yticks=[])
    unit_ticks(pen.ax.xaxis)
    pen.ax.spines["left"].set_visible(False)
    pen.ax.spines["bottom"].set_bounds(0, 1)
    made, said = {}, []
    for row, (name, decision) in enumerate(decisions.items()):
        at, count = min(decision.threshold, 1.0), decision.n_predicted_positive
        for ends, thing in (((0.0, at), "negative"), ((at, 1.0), "positive")):
            if count or thing == "negative":
                looks = {"solid_capstyle": "butt", "label": f"_{thing}", "zorder": 2}
                pen.line(ends, [row, row], pen.tint(thing, 0.75), 2, **looks)
        looks = {"marker": "o" if count else "x", "label": f"_threshold {name}", "zorder": 4}
        made[name] = pen.dots([at], [row], "paper", 0.62, "optimum", 1.0, **looks)
        cut = f"from {number(decision.threshold)}, {amount(count)}" if count else "none"
        said.append(f"{name}: {cut} positive, expected {number(decision.utility)}")
    scale = float(np.clip(pen.size[0] / pen.font() / 40, 0.6, 1))
    column(pen, range(len(said)), said, 0.0, 1.0, scale)
    pen.ax.set_xlabel("probability of a positive", x=0.5 / pen.ax.get_xlim()[1])
    return made
