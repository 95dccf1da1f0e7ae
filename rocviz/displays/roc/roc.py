"""ROCHullDisplay: ROC curves with hull, band and the optimal threshold for given costs.

The picture is made in :mod:`rocviz.displays.roc.curves`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Self

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Seed,
    check_choice,
    check_fraction,
    check_prevalence,
    describe,
    list_labels,
)
from rocviz.core.roc.bands import ROCBand, roc_band
from rocviz.core.roc.isometrics import isometric_through, metric_value
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import one_or_list, ranking_arguments
from rocviz.displays.base.display import ModelsDisplay
from rocviz.displays.base.style import curve_styles
from rocviz.displays.roc.curves import (
    CURVE_PIXELS,
    Best,
    Curve,
    curves_on,
    curves_scene,
    show_curves,
)
from rocviz.pictures import NO_POINTS
from rocviz.theme import Theme
from rocviz.words import area_text, percent, sample_counts, short_score

BANDS = ("auto", "none", "bootstrap", "kolmogorov-smirnov")


class ROCHullDisplay(ModelsDisplay):
    """ROC curve with its convex hull, a confidence band and the best threshold for given costs.

    Use :meth:`from_estimator` or :meth:`from_predictions` to make one from data; the
    constructor takes results. Ties are drawn as the diagonal edges they are, and a curve of
    any size with the few vertices that draw the same picture.

    Parameters
    ----------
    segments : RankedSegments, or mapping of str to RankedSegments
        One ranking, or several under their names.
    name : str, optional
        Name of the one ranking.
    band : ROCBand, or mapping of str to ROCBand, optional
        Simultaneous confidence band of the ranking, or of some of several.
    pos_label : label, optional
        The positive class; a string is used in the label that counts the samples.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
    line_ : Line2D, or list of Line2D
        The empirical curve; as all that follow, a list when there are several models.
    hull_line_ : Line2D or None, or list
        The convex hull.
    band_ : PolyCollection or None, or list
        The band.
    chance_level_ : Line2D or None
        The diagonal; ``None`` where another display had drawn it.
    optimal_point_ : ConfusionTable or None
        The best threshold for the costs given to :meth:`plot`; its ``threshold`` says where.
    optimal_name_ : str or None
        Which model has it.
    optimal_line_ : Line2D or None
        The isometric of the costs.
    optimal_marker_ : PathCollection or None
        The ring.

    Raises
    ------
    ValueError
        If bands of several models are not a mapping with their names.

    See Also
    --------
    ReliabilityDisplay : Predicted against observed frequencies.
    BrierDisplay : The Brier score taken apart.
    sklearn.metrics.RocCurveDisplay : Curve without hull and band.

    References
    ----------
    Provost and Fawcett (2001), for the hull and its isometrics.

    Examples
    --------
    >>> from rocviz import ROCHullDisplay
    >>> y_true = [0, 0, 1, 0, 1, 1]
    >>> y_score = [0.1, 0.3, 0.35, 0.4, 0.6, 0.9]
    >>> display = ROCHullDisplay.from_predictions(y_true, y_score, cost_fn=5)
    >>> round(display.roc_auc, 3)
    0.889
    >>> display.optimal_point_.threshold
    0.35
    """

    def __init__(
        self,
        segments: RankedSegments | Mapping[Any, RankedSegments],
        *,
        name: str | None = None,
        band: ROCBand | Mapping[Any, ROCBand] | None = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        super().__init__(segments, name=name, pos_label=pos_label)
        if isinstance(band, ROCBand) and len(self._models) > 1:
            raise ValueError("band must be a mapping of names to bands for several models.")
        bands: Any = {} if band is None else band
        if isinstance(band, ROCBand):
            bands = {next(iter(self._models)): band}
        if not isinstance(bands, Mapping):
            raise ValueError(
                f"band must be a ROCBand or a mapping of names to them; got {describe(band)}."
            )
        unknown = [key for key in bands if key not in self._models]
        if unknown:
            raise ValueError(f"band has names that segments does not have: {list_labels(unknown)}.")
        self.band = band
        self._bands = bands
        self._name_classes(labels)

    @property
    def fpr(self) -> Any:
        """False positive rates of the whole curve (a list of arrays for several models)."""
        return one_or_list([segments.fpr for segments in self._models.values()])

    @property
    def tpr(self) -> Any:
        """True positive rates of the whole curve (a list of arrays for several models)."""
        return one_or_list([segments.tpr for segments in self._models.values()])

    @property
    def thresholds(self) -> Any:
        """Thresholds of its vertices, the first infinite (a list for several models)."""
        return one_or_list([segments.thresholds for segments in self._models.values()])

    @property
    def roc_auc(self) -> Any:
        """Area under the curve (a list for several models)."""
        return one_or_list([segments.auc for segments in self._models.values()])

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
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        hull: bool | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prevalence: float | None = None,
        band: str = "auto",
        confidence: float = 0.95,
        random_state: Seed = 0,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the ROC curve of a fitted classifier.

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
        cost_fp, cost_fn, sample_weight, curve_kwargs, hull, prevalence, band, confidence
            As for :meth:`from_predictions`.
        labels
            As for :meth:`from_predictions`.
        clusters, random_state, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        ROCHullDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from rocviz import ROCHullDisplay
        >>> X, y = make_classification(random_state=0)
        >>> display = ROCHullDisplay.from_estimator(GaussianNB().fit(X, y), X, y)
        >>> display.name
        'GaussianNB'
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
            curve_kwargs=curve_kwargs,
            hull=hull,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            prevalence=prevalence,
            band=band,
            confidence=confidence,
            random_state=random_state,
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
        band: str = "auto",
        confidence: float = 0.95,
        random_state: Seed = 0,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        hull: bool | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prevalence: float | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the ROC curve of scores.

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
            Samples of one cluster (one patient's, say) belong together; the band by bootstrap draws
            whole clusters.
        band : {"auto", "none", "bootstrap", "kolmogorov-smirnov"}, default="auto"
            How to compute the confidence band. ``"auto"``: by bootstrap for a model that is
            alone on its axes, and none where there are several.
        confidence : float, default=0.95
            Confidence level of the band.
        random_state : int, RandomState, Generator or None, default=0
            For the bootstrap.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        cost_fp, cost_fn, curve_kwargs, hull, prevalence, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        ROCHullDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.

        Examples
        --------
        >>> from rocviz import ROCHullDisplay
        >>> y_true = ["ill", "well", "ill", "well"]
        >>> scores = {"new test": [0.9, 0.2, 0.8, 0.4], "old test": [0.7, 0.6, 0.2, 0.4]}
        >>> display = ROCHullDisplay.from_predictions(y_true, scores, pos_label="ill")
        >>> display.roc_auc
        [1.0, 0.5]
        """
        check_choice(band, "band", BANDS)
        confidence = check_fraction(confidence, "confidence")
        samples = cls._samples(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            clusters=clusters,
            labels=labels,
        )
        alone = len(samples.models) == 1 and not curves_on(ax)
        method = band
        if band == "auto":
            method = "bootstrap" if alone else "none"
        settings: dict[str, Any] = {
            "method": method,
            "confidence": confidence,
            "random_state": random_state,
        }
        bands = {}
        if method != "none":
            for key, segments in samples.models.items():
                ranking, more = ranking_arguments(segments, samples.clustered.get(key))
                bands[key] = roc_band(*ranking, **{**settings, **more})
        return cls._of_samples(samples, band=samples.as_given(bands)).plot(
            ax=ax,
            hull=hull,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            prevalence=prevalence,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        hull: bool | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prevalence: float | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure; the ``ax_`` of another display puts both models
            on one axes.
        name : str, optional
            Of the one model, instead of the display's own.
        hull : bool, optional
            Draw the convex hull; by default that of a model that is alone on its axes.
        cost_fp, cost_fn : float, optional
            Costs of a false alarm and of a miss. If one of them or ``prevalence`` is given
            (the other cost is then 1), the best threshold is marked: of all models the one with the
            lowest expected cost.
        prevalence : float, optional
            Prevalence where the classifier is used, from 1e-9 to 1 - 1e-9; by default that
            of the data.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each model.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        ROCHullDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        names = self._names(name)
        styles = curve_styles(curve_kwargs, len(names))
        optimum = self._optimum(cost_fp, cost_fn, prevalence)
        best_name, point, best = optimum or (None, None, None)
        self.optimal_point_: ConfusionTable | None = point
        self.optimal_name_ = best_name
        others = len(curves_on(ax))
        alone = len(names) == 1 and not others
        with_hull = alone if hull is None else hull
        curves = []
        for i, (key, model_name, own) in enumerate(zip(self._models, names, styles, strict=True)):
            if model_name is None:
                position = others + i + 1
                model_name = "curve" if position == 1 else f"curve {position}"
            best_point = best if key == best_name else None
            curves.append(self._curve(key, i, model_name, hull=with_hull, best=best_point, own=own))
        drawn, artists = show_curves(self, curves_scene(curves), ax, theme)
        self.line_, self.hull_line_, self.band_ = map(
            one_or_list, map(artists, ("curve", "hull", "band"))
        )
        self.chance_level_ = None if others else drawn["chance 0"][0]
        self.optimal_line_ = next(filter(None, artists("cost line")), None)
        self.optimal_marker_ = next(filter(None, artists("ring")), None)
        return self

    def _curve(
        self,
        key: Any,
        number: int,
        name: str,
        *,
        hull: bool,
        best: Best | None,
        own: Mapping[str, Any],
    ) -> Curve:
        """Collect a model's curve, hull and band."""
        segments = self._models[key]
        band = self._bands.get(key)
        area = area_text(segments, attrgetter("auc"))
        mean = f"{segments.auc:0.2f}" if segments.is_exact else area
        thin = segments.thin(size=CURVE_PIXELS)
        vertices: Any = NO_POINTS
        hull_area = ""
        if hull:
            above = segments.hull()
            vertices = above.fpr, above.tpr
            hull_area = area_text(segments, _hull_auc)
        return Curve(
            name,
            number,
            (thin.fpr, thin.tpr),
            area,
            hull=vertices,
            hull_area=hull_area,
            vertices=vertices,
            band=None if band is None else (band.fpr, band.lower, band.upper),
            band_words="" if band is None else f"{percent(band.confidence)} band, {band.method}",
            best=best,
            counts=sample_counts(segments, self._classes),
            own=own,
            label=f"{own.get('label', name)} (AUC = {mean})",
        )

    def _optimum(
        self, cost_fp: float | None, cost_fn: float | None, prevalence: float | None
    ) -> tuple[str | None, ConfusionTable, Best] | None:
        """Find the model with the lowest expected cost, and its best threshold."""
        if cost_fp is None and cost_fn is None and prevalence is None:
            return None
        c_fp = 1.0 if cost_fp is None else cost_fp
        c_fn = 1.0 if cost_fn is None else cost_fn
        if prevalence is not None:
            prevalence = check_prevalence(prevalence)
        optima = []
        for key, segments in self._models.items():
            pi = segments.prevalence if prevalence is None else prevalence
            table = segments.optimal_point(c_fp, c_fn, pi)
            costs: dict[str, Any] = {"prevalence": pi, "cost_fp": c_fp, "cost_fn": c_fn}
            value = float(metric_value("cost", table.fpr, table.tpr, **costs))
            optima.append((value, key, table, costs))
        _, key, table, costs = min(optima, key=lambda item: item[0])
        isometric = isometric_through("cost", table.fpr, table.tpr, **costs)
        model_prefix = f"{key}, " if len(self._models) > 1 else ""
        if table.threshold == float("inf"):
            threshold = "never positive"
        else:
            threshold = f"threshold {short_score(table.threshold)}"
        rows = ("best for these costs:", model_prefix + threshold)
        return key, table, Best((table.fpr, table.tpr), isometric, rows)


def _hull_auc(segments: RankedSegments) -> float:
    """Compute the area below the convex hull of a ranking."""
    return segments.hull().auc
