"""CurveSpaceDisplay: precision-recall, gain, cost and decision curves.

The picture is made in :mod:`rocviz.displays.roc.curves`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_prevalence,
    check_share,
    describe,
)
from rocviz.core.calibration.brier import brier_bounds
from rocviz.core.curve_spaces.net_benefit import net_benefit_band
from rocviz.core.curve_spaces.space_curve import (
    at_prevalence,
    map_from_roc,
    map_isometric,
    space_curve,
)
from rocviz.core.curve_spaces.spaces import SPACES, Limits, Space, SpaceCurve
from rocviz.core.roc.isometrics import isometric, isometric_through, metric_value
from rocviz.core.roc.metrics import MetricRow, check_metric_options, find_metric
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import one_or_list, ranking_arguments
from rocviz.displays.base.display import ModelsDisplay
from rocviz.displays.base.style import curve_styles
from rocviz.displays.roc.curves import Best, Curve, curves_scene, show_curves
from rocviz.pictures import NO_POINTS
from rocviz.theme import Theme
from rocviz.words import area_text, between, number, percent

#: Bands of a decision curve.
BANDS = ("none", "pointwise", "simultaneous")
_N_BAND_THRESHOLDS = 201
_RATIO_LEVELS = (1.5, 2.0, 3.0, 5.0, 10.0, 20.0)  # levels of an unbounded metric


class CurveSpaceDisplay(ModelsDisplay):
    """Curves of one or several rankings in a space such as precision-recall or net benefit.

    Bent edges are drawn bent: between two thresholds, precision over recall runs along a hyperbola.
    Use :meth:`from_estimator` or :meth:`from_predictions` to make one from data; the constructor
    takes results.

    Parameters
    ----------
    segments : RankedSegments, or mapping of str to RankedSegments
        One ranking, or several under their names; for "brier" and "decision" scores must be
        probabilities.
    name : str, optional
        Name of the one ranking.
    pos_label : label, optional
        The positive class.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    curve_ : SpaceCurve, or list of SpaceCurve
        The curve drawn; like all that follow, a list when there are several models.
    hull_curve_ : SpaceCurve or None, or list
    line_ : Line2D, or list of Line2D
    hull_line_ : Line2D or None, or list
    band_ : PolyCollection or None, or list
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure

    See Also
    --------
    rocviz.space_curve : The curves, and what their areas are.
    ROCHullDisplay : The ROC curve with band and best threshold.

    References
    ----------
    Davis and Goadrich (2006). Flach and Kull (2015). Martin et al. (1997). Drummond and Holte
    (2006). Hernández-Orallo, Flach and Ferri (2011). Vickers and Elkin (2006).

    Examples
    --------
    >>> from rocviz import CurveSpaceDisplay
    >>> display = CurveSpaceDisplay.from_predictions(
    ...     [1, 0, 1, 0], [0.9, 0.6, 0.6, 0.2], space="brier"
    ... )
    >>> round(display.curve_.area, 4)
    0.1425
    """

    def __init__(
        self,
        segments: RankedSegments | Mapping[Any, RankedSegments],
        *,
        name: str | None = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        super().__init__(segments, name=name, pos_label=pos_label)
        self._name_classes(labels)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        clusters: ArrayLike | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        threshold_probability: float = 0.5,
        beta: float = 1.0,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        space: str = "precision_recall",
        hull: bool | None = None,
        prevalence: float | None = None,
        limits: tuple[float, float] | None = None,
        metric: str | None = None,
        band: str = "none",
        confidence: float = 0.95,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the curve of a fitted classifier in a space.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            ``"auto"`` takes probabilities where the classifier has them.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        name : str, optional
            By default the name of the estimator's class.
        cost_fp, cost_fn, threshold_probability, beta
            As for :meth:`from_predictions`.
        sample_weight, curve_kwargs, space, hull
            As for :meth:`from_predictions`.
        prevalence, limits, metric, band, confidence, clusters, labels, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        CurveSpaceDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        return cls._from_classifier(
            estimator,
            X,
            y,
            sample_weight=sample_weight,
            response_method=response_method,
            pos_label=pos_label,
            name=name,
            clusters=clusters,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            threshold_probability=threshold_probability,
            beta=beta,
            curve_kwargs=curve_kwargs,
            space=space,
            hull=hull,
            prevalence=prevalence,
            limits=limits,
            metric=metric,
            band=band,
            confidence=confidence,
            labels=labels,
            ax=ax,
            theme=theme,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: Any,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        clusters: ArrayLike | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        threshold_probability: float = 0.5,
        beta: float = 1.0,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        space: str = "precision_recall",
        hull: bool | None = None,
        prevalence: float | None = None,
        limits: tuple[float, float] | None = None,
        metric: str | None = None,
        band: str = "none",
        confidence: float = 0.95,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the curve of scores in a space.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,), or mapping of str to array-like
            Scores, higher means more positive; a mapping gives those of several models.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        clusters : array-like, shape (n_samples,), optional
            Samples of one cluster (one patient's, say) vary together, which the band allows for.
        cost_fp, cost_fn, threshold_probability, beta
            As for :meth:`plot`.
        curve_kwargs, space, hull, prevalence
            As for :meth:`plot`.
        limits, metric, band, confidence, ax, theme
            As for :meth:`plot`.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.

        Returns
        -------
        CurveSpaceDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.

        Examples
        --------
        >>> from rocviz import CurveSpaceDisplay
        >>> scores = {"new": [0.9, 0.2, 0.8, 0.4], "old": [0.7, 0.6, 0.2, 0.4]}
        >>> display = CurveSpaceDisplay.from_predictions([1, 0, 1, 0], scores, space="gain")
        >>> [round(curve.area, 3) for curve in display.curve_]
        [0.75, 0.5]
        """
        return cls._of_samples(
            cls._samples(
                y_true,
                y_score,
                sample_weight=sample_weight,
                pos_label=pos_label,
                name=name,
                clusters=clusters,
                labels=labels,
            )
        ).plot(
            ax=ax,
            space=space,
            hull=hull,
            prevalence=prevalence,
            limits=limits,
            metric=metric,
            band=band,
            confidence=confidence,
            curve_kwargs=curve_kwargs,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            threshold_probability=threshold_probability,
            beta=beta,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        space: str = "precision_recall",
        hull: bool | None = None,
        prevalence: float | None = None,
        limits: tuple[float, float] | None = None,
        metric: str | None = None,
        band: str = "none",
        confidence: float = 0.95,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        threshold_probability: float = 0.5,
        beta: float = 1.0,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            Of the one model, instead of the display's own.
        space : str, default="precision_recall"
            Where to draw: "roc", "precision_recall", "pr_gain", "gain", "lift", "det", "cost",
            "brier" or "decision", see :func:`rocviz.space_curve`.
        hull : bool, optional
            Draw the hull as well, dashed: in "brier" and "decision" that is the model after
            calibration by the hull, with the best threshold everywhere. By default that of one
            model alone. In "cost" the curve is the hull's always.
        prevalence : float, optional
            Prevalence where the classifier is used, from 1e-9 to 1 - 1e-9; by default that
            of the data.
        limits : tuple of float, optional
            Ends of the x axis, from 0 to 1. By default all of it; for "decision" up to twice the
            prevalence, at least 0.5: choose threshold probabilities that are used in practice. For
            "det" rates above 0 and below 1, the ends of both axes, by default such that only rates
            of 0 and 1 are beyond; what is beyond lies on the border.
        metric : str, optional
            Draw the isometrics of one of the metrics of :func:`rocviz.core.roc.isometric`, at even
            steps, and in amber that of the best threshold. In cost spaces an isometric is a point:
            there the lines of all its thresholds meet.
        cost_fp, cost_fn, threshold_probability, beta : float
            As in :func:`rocviz.core.roc.metric_value`.
        band : {"none", "pointwise", "simultaneous"}, default="none"
            Band of a decision curve, which covers each net benefit by itself, or the whole curve at
            once, see :func:`rocviz.core.curve_spaces.net_benefit_band`.
        confidence : float, default=0.95
            Confidence level of the band.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each model.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        CurveSpaceDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        check_choice(space, "space", tuple(SPACES))
        if prevalence is not None:
            prevalence = check_prevalence(prevalence)
        if metric is not None:
            find_metric(metric)
        metric_options = check_metric_options(
            {
                "cost_fp": cost_fp,
                "cost_fn": cost_fn,
                "threshold_probability": threshold_probability,
                "beta": beta,
            }
        )
        check_choice(band, "band", BANDS)
        level = check_fraction(confidence, "confidence")
        drawn_space = SPACES[space]
        if band != "none" and not drawn_space.has_band:
            raise ValueError(
                f"band must be 'none' in the space {describe(space)}; got {describe(band)}."
            )
        names = self._names(name)
        first = next(iter(self._models.values()))
        pi = first.prevalence if prevalence is None else prevalence
        given_limits = None if limits is None else _check_limits(limits, drawn_space)
        with_hull = len(self._models) == 1 if hull is None else bool(hull)
        with_hull &= not drawn_space.is_lower_envelope
        models = list(self._models.values())
        best = None
        others = list[Any]()
        if metric is not None:
            best, others = _isometrics(space, models, metric, pi, metric_options)

        curves = [space_curve(segments, space=space, prevalence=prevalence) for segments in models]
        ends, (low, high) = drawn_space.limits(curves, pi, given_limits)

        def points(curve: SpaceCurve) -> tuple[Floats, Floats]:
            if drawn_space.has_infinite_ends:  # the picture moves them to the border
                return curve.x, curve.y
            is_shown = (ends[0] <= curve.x) & (curve.x <= ends[1])
            return curve.x[is_shown], curve.y[is_shown]

        drawn = []
        hulls = list[SpaceCurve | None]()
        styles = curve_styles(curve_kwargs, len(models))
        of_models = [self._clustered.get(key) for key in self._models]
        for i, (model_name, segments, samples, curve, own) in enumerate(
            zip(names, models, of_models, curves, styles, strict=True)
        ):
            hull_curve = None
            hull_points: Any = NO_POINTS
            hull_area = ""
            if with_hull:
                hull_curve = space_curve(segments, space=space, prevalence=prevalence, hull=True)
                hull_points = points(hull_curve)
                hull_area = _area_text(segments, drawn_space, prevalence, hull_curve, hull=True)
            hulls.append(hull_curve)
            drawn.append(
                Curve(
                    "ranking" if model_name is None else str(model_name),
                    i,
                    points(curve),
                    _area_text(segments, drawn_space, prevalence, curve, hull=False),
                    hull_points,
                    hull_area,
                    best=None if i else best,
                    band=_band(segments, samples, ends, band, prevalence, level),
                    band_words=f"{percent(level)} band, {band}",
                    own=own,
                )
            )
        for shown in drawn:
            if shown.band:
                high = max(high, 1.02 * float(shown.band[2][0]))
        scene = curves_scene(
            drawn, drawn_space, pi, (ends, (low, high)), self._classes, isometrics=others
        )
        _, artists = show_curves(self, scene, ax, theme, drawn_space.title)
        self.curve_ = one_or_list(curves)
        self.hull_curve_ = one_or_list(hulls)
        kinds = ("curve", "hull", "band")
        self.line_, self.hull_line_, self.band_ = map(one_or_list, map(artists, kinds))
        return self


def _band(
    segments: RankedSegments,
    samples: Samples | None,
    ends: tuple[float, float],
    kind: str,
    prevalence: float | None,
    level: float,
) -> tuple[Floats, Floats, Floats] | None:
    """Compute the band of a decision curve between two thresholds."""
    if kind == "none":
        return None
    ranking, more = ranking_arguments(segments, samples)
    net_benefit = net_benefit_band(
        *ranking,
        **more,
        thresholds=np.linspace(max(ends[0], 1e-3), min(ends[1], 0.99), _N_BAND_THRESHOLDS),
        prevalence=prevalence,
        simultaneous=kind == "simultaneous",
        confidence=level,
    )
    return net_benefit.threshold, net_benefit.lower, net_benefit.upper


def _area_text(
    segments: RankedSegments,
    space: Space,
    prevalence: float | None,
    curve: SpaceCurve,
    *,
    hull: bool,
) -> str:
    """Write the area, or its bounds if scores are binned; empty if it has no meaning."""
    if not space.area_name:
        return ""
    if segments.is_exact:
        return number(curve.area)
    if space.needs_probabilities and not hull:  # the Brier score depends on the scores themselves
        if prevalence is not None:
            segments = at_prevalence(segments, prevalence=prevalence)
        return between(*(bound.brier for bound in brier_bounds(segments)))

    def area(ranking: RankedSegments) -> float:
        return space_curve(ranking, space=space.name, prevalence=prevalence, hull=hull).area

    return area_text(segments, area)


def _check_limits(limits: tuple[float, float], space: Space) -> Limits:
    """Check the ends of the x axis, and find their places."""
    try:
        low, high = limits
    except (TypeError, ValueError) as error:
        raise ValueError(f"limits must be two numbers; got {describe(limits)}.") from error
    has_ends = not space.has_infinite_ends
    low = check_share(low, "limits", ends=has_ends)
    high = check_share(high, "limits", ends=has_ends)
    if low >= high:
        raise ValueError(f"limits must increase; got {describe(limits)}.")
    return space.x_of_limit(low), space.x_of_limit(high)


def _isometrics(
    space: str,
    models: Iterable[RankedSegments],
    metric: str,
    prevalence: float,
    metric_options: Mapping[str, float],
) -> tuple[Best, list[tuple[Floats, Floats]]]:
    """Compute the best threshold of all models by a metric, and isometrics at even steps of it.

    An isometric may be one point. A best threshold that is a point of no isometric is ``nan``.
    """
    row, implied = find_metric(metric)
    own_options = row.own_options({**metric_options, **implied})
    options: dict[str, Any] = {"prevalence": prevalence, **own_options}
    sign = 1.0 if row.higher_is_better else -1.0
    best = -np.inf
    value = 0.0
    fpr = 0.0
    tpr = 0.0
    for segments in models:
        values = np.asarray(metric_value(row.name, segments.fpr, segments.tpr, **options))
        # undefined and infinite values are left out
        usable = np.where(np.isfinite(values), sign * values, -np.inf)
        k = int(usable.argmax())
        if usable[k] > best:
            best = float(usable[k])
            value = float(values[k])
            fpr = float(segments.fpr[k])
            tpr = float(segments.tpr[k])
    line = map_isometric(
        space, *isometric_through(row.name, fpr, tpr, **options), prevalence=prevalence
    )
    x, y = line if len(line[0]) == 1 else ([np.nan], [np.nan])
    if SPACES[space].has_points:
        x, y = map_from_roc(space, [fpr], [tpr], prevalence=prevalence)
    point = (np.nan, np.nan)
    if SPACES[space].has_infinite_ends or np.isfinite([x[0], y[0]]).all():
        point = (float(x[0]), float(y[0]))
    words = f"best {row.label_of(own_options)} {number(value)}"
    levels = _levels(row, options)
    others = [map_isometric(space, fpr, tpr, prevalence=prevalence) for fpr, tpr in levels]
    return Best(point, line, (words,)), others


def _levels(row: MetricRow, options: dict[str, Any]) -> list[tuple[Floats, Floats]]:
    """Compute isometrics at even steps of a metric, or at even steps along the diagonal."""
    parts = np.arange(1, 10) / 10
    if row.isometrics_of:
        return [isometric_through(row.name, part, part, **options) for part in parts]
    if not row.is_bounded:
        levels = list(_RATIO_LEVELS)
        if not row.higher_is_better:
            levels = [1 / ratio for ratio in _RATIO_LEVELS]
        return [isometric(row.name, level, **options) for level in levels]
    corners = metric_value(row.name, [0, 1, 0, 1], [0, 0, 1, 1], **options)
    low = float(np.nanmin(corners))
    high = float(np.nanmax(corners))
    return [isometric(row.name, low + part * (high - low), **options) for part in parts]
