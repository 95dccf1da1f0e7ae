"""DecisionDisplay: optimal labels of a batch, expected utility by size, thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import check_choice, check_sequence
from rocviz.core.decisions.decision import Decision, optimal_decision, plug_in_utilities
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.displays.base.data import check_kind, class_names_of, response_values
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.base.figure import figure_scale, given_axes, panels, pen_on
from rocviz.displays.base.style import Pen, curve_styles, font, resolve_theme
from rocviz.displays.decisions.pictures import (
    ThresholdUtilities,
    probability_picture,
    threshold_picture,
    utility_picture,
    utility_text,
)
from rocviz.pictures import Entry, Labels, Legend, Picture, PointLabel
from rocviz.theme import Theme
from rocviz.words import amount, metric_name, number, shorten

_HEADINGS = {
    "probabilities": "Who is predicted {positive}",
    "utilities": "What each threshold is worth",
    "thresholds": "Each metric has its threshold",
}
_KINDS = tuple(_HEADINGS)
_ROW_HEIGHT = 1.8  # of a metric, in lines of text
_ROLES = ("ranking", "second", "group-2", "group-3", "group-4", "reference")  # of each metric


class DecisionDisplay(Display):
    """Probabilities of a batch with each metric's optimal threshold, and the expected utilities.

    Three pictures: the probabilities in decreasing order, those predicted positive in the
    colour of positives; the expected utility of predicting the k most probable samples
    positive, for every k and metric, with the best k ringed and, dashed, the utility of the
    expected counts (the plug-in rule); the threshold of each metric on one axis. They are those of
    :class:`rocviz.DecisionExplorer`. The rules are
    those of section 4 of Natarajan et al. (2015). Use
    :meth:`from_predictions` or :meth:`from_estimator` to make one from data; the constructor
    takes results.

    Parameters
    ----------
    decisions : Decision, sequence of Decision, or mapping of str to Decision
        For the same probabilities; the keys of a mapping name the metrics.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    decisions : dict of str to Decision
    axes_ : dict of str to matplotlib Axes
        By the kind of picture, ``"probabilities"``, ``"utilities"`` and ``"thresholds"``.
    figure_ : matplotlib Figure
    pictures_ : dict of str to Picture
        What was drawn, as values, by the kind of picture.
    artists_ : dict of str to dict of str to list of Artist
        Likewise, the artists of each mark: the columns called "positive" and "negative", the
        "curve" of the first metric, "curve:1" of the next, and the "rings" at thresholds.

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

    def __init__(self, decisions: Any, *, labels: Any = None) -> None:
        if isinstance(decisions, Mapping):
            names = name_texts(decisions, "decisions")
            named = dict(zip(names, decisions.values(), strict=True))
        else:
            several = [decisions]
            if not isinstance(decisions, Decision):
                several = check_sequence(decisions, "decisions", "one or more Decision")
            several = [_check_decision(decision) for decision in several]
            named = {metric_name(decision.metric): decision for decision in several}
            if len(named) < len(several):
                raise ValueError(
                    "decisions has metrics of the same name; give a mapping of names to decisions."
                )
        if not named:
            raise ValueError("decisions is empty; at least one is needed.")
        probabilities = [_check_decision(decision).y_prob for decision in named.values()]
        if not all(np.array_equal(prob, probabilities[0]) for prob in probabilities):
            raise ValueError("decisions must be for the same probabilities.")
        self.decisions: dict[str, Decision] = named
        self._name_classes(labels)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        metrics: Any = ("f", "jaccard", "am", "g_mean"),
        *,
        pos_label: Any = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        threshold_probability: float = 0.5,
        beta: float = 1.0,
        zero_division: float = 0.0,
        kind: str | None = None,
        plug_in: bool = True,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | tuple[Axes, Axes, Axes] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the decisions for a batch of samples by a fitted classifier's probabilities.

        Parameters
        ----------
        estimator : fitted classifier
            A classifier of two classes, with ``predict_proba``.
        X : array-like, shape (n_samples, n_features)
        metrics : metric, sequence of metrics, or mapping of str to metric
            As in :func:`rocviz.optimal_decision`; the first is the one whose threshold is shown
            among the probabilities. Up to six can be distinguished.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        cost_fp, cost_fn, threshold_probability, beta, zero_division
            As for :meth:`from_predictions`.
        kind, plug_in
            As for :meth:`from_predictions`.
        labels
            As for :meth:`from_predictions`.
        curve_kwargs, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        prob, pos_label = response_values(
            estimator, X, response_method="predict_proba", pos_label=pos_label
        )
        return cls.from_predictions(
            prob,
            metrics,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            threshold_probability=threshold_probability,
            beta=beta,
            zero_division=zero_division,
            kind=kind,
            plug_in=plug_in,
            curve_kwargs=curve_kwargs,
            labels=class_names_of(estimator, pos_label, labels),
            ax=ax,
            theme=theme,
        )

    @classmethod
    def from_predictions(
        cls,
        y_prob: ArrayLike,
        metrics: Any = ("f", "jaccard", "am", "g_mean"),
        *,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        threshold_probability: float = 0.5,
        beta: float = 1.0,
        zero_division: float = 0.0,
        kind: str | None = None,
        plug_in: bool = True,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | tuple[Axes, Axes, Axes] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the decisions for probabilities.

        Parameters
        ----------
        y_prob : array-like of float, shape (n_samples,)
            Probability of the positive class, for one batch; true labels play no part.
        metrics : metric, sequence of metrics, or mapping of str to metric
            As in :func:`rocviz.optimal_decision`; the first is the one whose threshold is shown
            among the probabilities. Up to six can be distinguished.
        cost_fp, cost_fn, threshold_probability, beta, zero_division : float
            As in :func:`rocviz.optimal_decision`.
        labels : pair of str, or mapping of label to str, optional
            Names of the negative and of the positive class, or of 0 and 1.
        kind, plug_in, curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        if isinstance(metrics, str | LinearFractional | Metric) or callable(metrics):
            metrics = [metrics]
        named: Any = metrics
        if not isinstance(metrics, Mapping):
            named = dict(enumerate(check_sequence(metrics, "metrics", "one or more metrics")))
        if not named:
            raise ValueError("metrics is empty; at least one is needed.")
        of_metrics = {
            "cost_fp": cost_fp,
            "cost_fn": cost_fn,
            "threshold_probability": threshold_probability,
            "beta": beta,
            "zero_division": zero_division,
        }
        decisions = {}
        for name, metric in named.items():
            decisions[name] = optimal_decision(y_prob, resolve_metric(metric, **of_metrics))
        return cls(decisions if named is metrics else list(decisions.values()), labels=labels).plot(
            ax=ax, kind=kind, plug_in=plug_in, curve_kwargs=curve_kwargs, theme=theme
        )

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
            If an argument is invalid. Then no figure is made.
        """
        resolved_theme = resolve_theme(theme)
        styles = curve_styles(curve_kwargs, len(self.decisions))
        if kind is not None:
            check_choice(kind, "kind", _KINDS)
        axes = given_axes(ax, 1) if kind else given_axes(ax, 1, 3)
        if kind is None and len(axes) != 1:
            axes = axes or three_panels(resolved_theme, len(self.decisions))
            self.axes_ = dict(zip(_KINDS, axes, strict=True))
        else:
            kind = kind or "utilities"
            self.axes_ = {kind: axes[0] if axes else self._new_axes(kind, resolved_theme)}
        self.pictures_ = {}
        self.artists_ = {}
        for kind, panel in self.axes_.items():
            pen = Pen(panel, resolved_theme)
            if len(self.axes_) > 1:
                pen.title(_HEADINGS[kind].format(positive=self._classes.positive))
            draws: dict[str, Callable[[bool], Picture]] = {
                "probabilities": self._probabilities,
                "utilities": partial(self._utilities, plug_in=plug_in, styles=styles),
                "thresholds": partial(self._thresholds, letters=_letters(pen)),
            }
            self.pictures_[kind], self.artists_[kind] = show_picture(draws[kind], pen)
        self.figure_ = next(iter(self.axes_.values())).figure
        return self

    def _new_axes(self, kind: str, theme: Theme) -> Axes:
        if kind != "thresholds":
            return pen_on(None, theme, width=6.4, height=5.0).ax
        return pen_on(
            None, theme, width=9.0, lines=5.4 + _ROW_HEIGHT * (len(self.decisions) + 1)
        ).ax

    # ------------------------------------------------------------------ pictures

    def _probabilities(self, is_large: bool) -> Picture:
        name, first = next(iter(self.decisions.items()))
        prob = first.y_prob[first.order]
        k = first.n_predicted_positive
        threshold = f"threshold {number(prob[k - 1])}" if k else "nothing is predicted positive"
        rows = [
            Entry(f"best for {shorten(name, 20)}", "optimum-text"),
            Entry(threshold, "optimum-text"),
        ]
        picture = probability_picture(
            prob, k, is_large, threshold_role="optimum", classes=self._classes
        )
        return picture.with_marks(Legend("words", "text", choices=[rows], corner=(1.0, 1.0)))

    def _utilities(self, is_large: bool, *, plug_in: bool, styles: Sequence[Any]) -> Picture:
        alone = len(self.decisions) == 1
        curves = []
        for i, (name, decision) in enumerate(self.decisions.items()):
            own = dict(styles[i])
            label = own.pop("label", name)
            role = own.get("color", _ROLES[i % len(_ROLES)])
            on_counts = plug_in_utilities(decision.y_prob, decision.metric) if plug_in else None
            curves.append(
                ThresholdUtilities(
                    str(label),
                    decision.utilities,
                    decision.n_predicted_positive,
                    role,
                    plug_in=on_counts,
                    dashed="second" if alone else role,
                    own=own,
                )
            )
        picture = utility_picture(
            curves,
            f"expected {curves[0].name if alone else 'utility'}",
            is_large,
            classes=self._classes,
        )
        span = picture.y.high - picture.y.low
        point_labels = []
        for curve in curves:
            best = float(curve.utilities[curve.k])
            texts = f"{utility_text(best)} at k = {amount(curve.k)}", utility_text(best)
            beside = best + np.array([0.1, -0.1]) * span
            point_labels.append(PointLabel(texts, "optimum-text", curve.k, beside, 0.1))
        seen = [curve for curve in curves if curve.is_plug_in_seen(span)]
        if seen:
            utilities = seen[0].utilities
            texts_of_dashed = ("dashed: on expected counts", "on expected counts")
            k = np.arange(utilities.size)
            point_labels.append(PointLabel(texts_of_dashed, "muted", k, utilities, 0.5))
        return picture.with_marks(Labels("words", "text", point_labels=point_labels))

    def _thresholds(self, is_large: bool, *, letters: int) -> Picture:
        return threshold_picture(self.decisions, is_large, letters=letters, classes=self._classes)


def _letters(pen: Pen) -> int:
    """Count the letters of a metric's name that fit beside its row."""
    return int(0.36 * pen.size[0] / pen.font())


def _check_decision(decision: Any) -> Decision:
    checked: Decision = check_kind(decision, "decisions", Decision, "optimal_decision")
    return checked


def three_panels(theme: Theme, n_metrics: int) -> list[Axes]:
    """Make two axes side by side and a low one below, on a new pyplot figure."""
    scale = figure_scale(theme)
    em = font(theme) / 72
    heading = 2.6 * em
    names = 3.8 * em
    gap = 6.4 * em
    width = 11.2 * scale
    above = 4.4 * scale
    below = _ROW_HEIGHT * (n_metrics + 1) * em
    return panels(
        theme,
        "AB;CC",
        width / scale,
        (2 * (heading + names) + above + below) / scale,
        top=2.6,
        ratios=(None, (above, below)),
        hspace=2 * (names + heading) / (above + below),
        wspace=2 * gap / (width - 6.0 * em - gap),
    )
