"""ReliabilityDisplay: observed against predicted frequencies, with the scores below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import rows_by_number
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_flag,
    check_fraction,
    check_probabilities,
)
from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.calibration.flexible import flexible_calibration
from rocviz.core.roc.clustered_rates import effective_trials
from rocviz.core.roc.metrics import INTERVAL_METHODS, binomial_interval
from rocviz.core.roc.segments import (
    RankedSegments,
    ranked,
    reliability_points,
    score_histogram,
)
from rocviz.displays.base.data import one_or_list, ranking_arguments
from rocviz.displays.base.display import ModelsDisplay
from rocviz.displays.base.draw_picture import first_of, scene_on, show_picture
from rocviz.displays.base.figure import figure_scale, strip_below
from rocviz.displays.base.style import curve_styles, font, resolve_theme
from rocviz.displays.calibration.pictures import (
    Calibrated,
    ReliabilityScene,
    name_of,
    reliability_picture,
    strip_picture,
)
from rocviz.pictures import NO_POINTS, Picture
from rocviz.theme import Theme
from rocviz.words import ClassNames, amount

_MAX_DISTINCT = 25  # most distinct probabilities that are drawn one by one
_N_BINS = 40  # bins of the scores below


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
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

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
    flexible_line_ : Line2D or None, or list
        The smooth curve; ``band_`` is its band.
    band_ : PolyCollection or None, or list
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
        labels: Any = None,
    ) -> None:
        super().__init__(segments, name=name, pos_label=pos_label)
        clipped = {}
        for key, ranking in self._models.items():
            clipped[key] = ranked(ranking, None, check=check_probabilities)
        self._models = clipped
        check_choice(by, "by", ("auto", "hull", "score"))
        self.by = by
        self._by = by
        if by == "auto":
            n_distinct = max(map(len, self._models.values()))
            self._by = "score" if n_distinct <= _MAX_DISTINCT else "hull"
        self._name_classes(labels)

    @property
    def prob_pred(self) -> Any:
        """Mean predicted probability at each point (a list of arrays for several models)."""
        models = self._models.values()
        return one_or_list(
            [reliability_points(segments, self._by).predicted for segments in models]
        )

    @property
    def prob_true(self) -> Any:
        """Proportion of positives at each point (a list of arrays for several models)."""
        models = self._models.values()
        return one_or_list([reliability_points(segments, self._by).observed for segments in models])

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
        clusters: ArrayLike | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        interval: str | None = "auto",
        confidence: float = 0.95,
        flexible: bool = False,
        by: str = "auto",
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the reliability diagram of a fitted classifier's ``predict_proba``.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        name : str, optional
            By default the name of the estimator's class.
        labels
            As for :meth:`from_predictions`.
        sample_weight, clusters, curve_kwargs, interval, confidence, flexible, by, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        ReliabilityDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        return cls._from_classifier(
            estimator,
            X,
            y,
            response_method="predict_proba",
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            clusters=clusters,
            curve_kwargs=curve_kwargs,
            interval=interval,
            confidence=confidence,
            flexible=flexible,
            by=by,
            labels=labels,
            ax=ax,
            theme=theme,
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
        clusters: ArrayLike | None = None,
        by: str = "auto",
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        interval: str | None = "auto",
        confidence: float = 0.95,
        flexible: bool = False,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
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
            Name of the model.
        clusters : array-like, shape (n_samples,), optional
            Samples of one cluster (one patient's, say) vary together, which intervals and the
            band of the flexible curve allow for.
        by : {"auto", "hull", "score"}, default="auto"
            What a point stands for, see the class.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        curve_kwargs, interval, confidence, flexible, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        ReliabilityDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.

        Examples
        --------
        >>> from rocviz import ReliabilityDisplay
        >>> display = ReliabilityDisplay.from_predictions(
        ...     [0, 1, 1, 0], {"bold": [0.1, 0.9, 0.9, 0.9], "meek": [0.4, 0.6, 0.6, 0.6]}
        ... )
        >>> [len(line.get_xdata()) for line in display.line_]
        [2, 2]
        """
        samples = cls._samples(
            y_true,
            y_prob,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            clusters=clusters,
            probabilities=True,
            labels=labels,
        )
        return cls._of_samples(samples, by=by).plot(
            ax=ax,
            interval=interval,
            confidence=confidence,
            flexible=flexible,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        interval: str | None = "auto",
        confidence: float = 0.95,
        flexible: bool = False,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the diagram; the axes lose some height to the scores below.

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
            Confidence level of the intervals and of the band.
        flexible : bool, default=False
            Draw a smooth calibration curve with its band, too; with fewer than 30 samples of the
            rarer class that of logistic recalibration, and none where a threshold separates the
            classes. See :func:`rocviz.core.calibration.flexible_calibration`.
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
            If an argument is invalid. Then no figure is made.
        """
        names = self._names(name)
        styles = curve_styles(curve_kwargs, len(names))
        if interval is not None:
            check_choice(interval, "interval", ("auto", *INTERVAL_METHODS))
        confidence = check_fraction(confidence, "confidence")
        flexible = check_flag(flexible, "flexible")
        theme_in_use = resolve_theme(theme)
        strip_height = 6.5 * font(theme_in_use) / 72 / figure_scale(theme_in_use)
        pen = self._pen(ax, theme_in_use, height=5.4 + strip_height * len(self._models))
        before = scene_on(pen.ax)
        n_before = len(before.models) if isinstance(before, ReliabilityScene) else 0
        if interval == "auto":
            interval = None if len(names) > 1 or n_before else "wilson"
        models = self._models.values()
        # the caller's axes may have no room for a strip for each model
        low = ax is not None and pen.size[1] < (7 * len(names) + 12) * pen.font()
        strips = []
        for model_name, segments in zip(names, models, strict=True):
            if not low or len(names) < 3:
                strips.append(strip_below(pen))
                show_picture(_strip(segments, model_name, self._classes), strips[-1])
        for above in [pen.ax, *pen.ax.child_axes[:-1]] if strips else []:
            above.set_xlabel("")
            above.tick_params(labelbottom=False)
        shown = []
        of_models = [self._clustered.get(key) for key in self._models]
        for model_name, segments, samples, own in zip(
            names, models, of_models, styles, strict=True
        ):
            shown.append(
                self._calibrated(
                    segments, samples, model_name, interval, confidence, own, flexible=flexible
                )
            )
        label = "" if pen.ax.child_axes else "predicted probability"
        scene = ReliabilityScene(tuple(shown), label).joined(before)
        picture = reliability_picture(scene)
        self.picture_, drawn = show_picture(picture, pen, scene=scene, joins=n_before > 0)

        def artists(kind: str) -> Any:
            several = (name_of(kind, n_before + i) for i in range(len(names)))
            return one_or_list(first_of(drawn, *several))

        self.histogram_ax_ = one_or_list([strip.ax for strip in strips])
        self.line_, self.points_, self.intervals_ = map(artists, ("steps", "circles", "intervals"))
        self.flexible_line_, self.band_ = map(artists, ("smooth", "band"))
        self.ref_line_ = None if n_before else drawn["diagonal"][0]
        return self

    def _calibrated(
        self,
        segments: RankedSegments,
        samples: Samples | None,
        name: str | None,
        interval: str | None,
        confidence: float,
        own: Mapping[str, Any],
        *,
        flexible: bool,
    ) -> Calibrated:
        """Collect a model's points, curve and interval."""
        points = reliability_points(segments, self._by)
        ends = None
        words = ""
        if interval is not None:
            n = points.n if samples is None else _effective_sizes(segments, samples, self._by)
            pos = points.observed * n
            ends = binomial_interval(pos, n, confidence=confidence, method=interval)
            words = f"{100 * confidence:g} % intervals, {interval.title()}"
        steps: Any = NO_POINTS
        parts = "exact scores" if segments.is_exact else "scores, some joined"
        if self._by == "hull":
            steps = _steps(segments)
            parts = "hull segments"
        smooth = None
        if flexible:
            ranking, more = ranking_arguments(segments, samples)
            smooth = flexible_calibration(*ranking, **more, confidence=confidence, n_resamples=0)
        return Calibrated(
            points,
            name,
            steps=steps,
            parts=parts,
            intervals=ends,
            interval_words=words,
            own=own,
            smooth=smooth,
        )


def _effective_sizes(segments: RankedSegments, samples: Samples, by: str) -> Floats:
    """Count how many independent samples would say as much of each point as its clusters do."""
    point = np.searchsorted(-segments.score, -samples.scores[0])
    if by == "hull":
        point = np.searchsorted(segments.hull_vertices, point, side="right") - 1
    sizes = []
    for rows in rows_by_number(point):
        w = samples.w[rows]
        unit = np.unique(cast("NDArray[np.intp]", samples.unit)[rows], return_inverse=True)[1]
        sizes.append(effective_trials(w * samples.positive[rows], w, unit))
    return np.array(sizes)


def _steps(segments: RankedSegments) -> tuple[Any, Any]:
    """Compute the corners of the hull's step function."""
    step = fit_hull(segments)
    edges = np.clip(step.low[::-1], 0.0, 1.0)
    x = np.concatenate(([0.0], np.repeat(edges[1:], 2), [1.0]))
    return x, np.repeat(step.probability[::-1], 2)


def _strip(segments: RankedSegments, name: str | None, classes: ClassNames) -> Picture:
    """Draw the scores of a model by class."""
    above = f"{amount(segments.n_pos)} {classes.positives}"
    return strip_picture(
        score_histogram(segments, _N_BINS),
        above if name is None else f"{name}: {above}",
        f"{amount(segments.n_neg)} {classes.negatives}",
    )
