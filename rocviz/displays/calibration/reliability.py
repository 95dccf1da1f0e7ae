"""ReliabilityDisplay: what a model says against what happens, with the scores below.

Holds results; drawing is :mod:`rocviz.displays.calibration.draw_reliability`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocviz.core.base.validation import check_choice, check_fraction, check_probabilities
from rocviz.core.roc.binomial_interval import METHODS
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.roc.summary import reliability_points
from rocviz.displays.base.data import as_named, estimator_scores, named_segments, one_or_list
from rocviz.displays.base.figure import axes_of
from rocviz.displays.base.registry import count
from rocviz.displays.base.style import resolve_theme
from rocviz.displays.calibration.draw_reliability import (
    draw_reliability,
    draw_strip,
    label_reliability,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme

_FEW = 25  # distinct probabilities that are still drawn one by one


class ReliabilityDisplay:
    """Predicted against observed frequencies, without bins, and the scores of both classes below.

    Use :meth:`from_estimator` or :meth:`from_predictions` to make one from data; the
    constructor takes results.

    Parameters
    ----------
    segments : RankedSegments, or mapping of str to RankedSegments
        Segments whose scores are probabilities, of one model or of several under their names.
    name : str, optional
        Of the one model.
    by : {"auto", "hull", "score"}, default="auto"
        What a point stands for: a segment of the convex hull (the isotonic fit, drawn with
        its step function), or the samples with exactly one predicted probability. ``"auto"``:
        by score where every model has at most 25 distinct ones, else by hull.
    pos_label : label, optional
        The positive class; a string is used in the label that counts the samples.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Of the diagram.
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
        Of the scores below the diagram.

    See Also
    --------
    BrierDisplay : How much the distance from the diagonal costs.
    HullCalibratedClassifier : Predict what the hull observed.
    sklearn.calibration.CalibrationDisplay : The diagram with bins.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), "Stable reliability diagrams for probabilistic
    classifiers", PNAS 118(8).

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
        self.segments = segments
        self.name = name
        self.by = by
        self.pos_label = pos_label

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
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        **looks: Any,
    ) -> ReliabilityDisplay:
        """Draw the reliability diagram of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes, with ``predict_proba``.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; by default ``estimator.classes_[1]``.
        name : str, optional
            By default the name of the estimator's class.
        **looks
            As in :meth:`from_predictions`, from ``by`` on.

        Returns
        -------
        ReliabilityDisplay

        Raises
        ------
        ValueError
            If ``estimator`` is no fitted classifier of two classes with probabilities, or data
            are bad. No figure has been made then.
        """
        scores, pos_label, name = estimator_scores(
            estimator, X, response_method="predict_proba", pos_label=pos_label, name=name
        )
        return cls.from_predictions(
            y, scores, sample_weight=sample_weight, pos_label=pos_label, name=name, **looks
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: Any,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        by: str = "auto",
        ax: Axes | None = None,
        **looks: Any,
    ) -> ReliabilityDisplay:
        """Draw the reliability diagram of predicted probabilities.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_prob : array-like of float, shape (n_samples,), or mapping of str to array-like
            Probabilities of the positive class; a mapping gives those of several models.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; by default the larger label in sorted order.
        name : str, optional
            Of the one model.
        by : {"auto", "hull", "score"}, default="auto"
            What a point stands for, see the class.
        ax : matplotlib Axes, optional
            Where to draw; the ``ax_`` of another display puts both models on one axes.
        **looks
            As in :meth:`plot`.

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
        models = named_segments(
            y_true,
            y_prob,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            probabilities=True,
        )
        several = isinstance(y_prob, Mapping)
        segments = models if several else models[name]
        made = cls(segments, name=name, by=by, pos_label=pos_label)
        return made.plot(ax, **looks)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        interval: str | None = "auto",
        confidence: float = 0.95,
        theme: Theme | str | None = None,
    ) -> ReliabilityDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure. They give up some height for the scores below.
        name : str, optional
            Of the one model, instead of the display's own.
        interval : {"auto", "wilson", "clopper-pearson", "jeffreys"} or None, default="auto"
            Kind of binomial interval at each point. ``"auto"``: Wilson's for a model that is
            alone on its axes, and none where there are several. Intervals of hull segments
            take the segments as given, though the data chose them.
        confidence : float, default=0.95
            Of the intervals.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        ReliabilityDisplay
            Itself.

        Raises
        ------
        ValueError
            If a choice is unknown or ``confidence`` out of range. No figure has been made then.
        """
        look = resolve_theme(theme)
        several = len(self._models) > 1
        if name is not None and several:
            raise ValueError("name must not be given for several models: they have their own.")
        if interval is not None:
            check_choice(interval, "interval", ("auto", *METHODS))
        check_fraction(confidence, "confidence")
        ax = axes_of(ax, look, height=5.4 + 0.95 * len(self._models))
        if interval == "auto":
            interval = None if several or count(ax, "curve") else "wilson"
        self.ax_, self.figure_ = ax, ax.figure
        strips, artists = [], []
        for key, segments in self._models.items():
            shown = key if name is None else name
            strips.append(
                draw_strip(ax, segments, name=shown, pos_label=self.pos_label, theme=look)
            )
        for key, segments in self._models.items():
            artists.append(
                draw_reliability(
                    ax,
                    segments,
                    name=key if name is None else name,
                    by=self._by,
                    interval=interval,
                    confidence=confidence,
                    label=False,
                    theme=look,
                )
            )
        ax.set_xlabel("")
        label_reliability(ax, theme=look)
        self.histogram_ax_ = one_or_list(strips)
        self.line_ = one_or_list([a.line for a in artists])
        self.points_ = one_or_list([a.points for a in artists])
        self.intervals_ = one_or_list([a.intervals for a in artists])
        self.ref_line_ = artists[0].identity
        return self
