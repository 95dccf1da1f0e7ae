"""ModelComparisonDisplay: several classifiers, their differences, and which to use where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Seed, check_aligned, check_choice, label_column
from rocviz.core.comparison.comparison import (
    ClassifierComparison,
    check_scores,
    compare_classifiers,
)
from rocviz.core.comparison.model_hull import ModelHull, hull_over_models
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import (
    check_kind,
    class_probabilities,
    estimator_scores,
    fitted_classes,
)
from rocviz.displays.base.display import Display
from rocviz.displays.base.rows import IntervalRow, check_rows, rows_picture
from rocviz.displays.base.style import curve_styles
from rocviz.displays.roc.curves import CURVE_PIXELS, Curve, CurvesScene, curves_scene, show_curves
from rocviz.pictures import Picture, model_style
from rocviz.theme import Theme
from rocviz.words import difference, number, p_value, percent, short_names

KINDS = ("auc", "differences", "hull")

_MAX_NAME_LETTERS = 20  # in a row
_ROW_HEIGHT = 2.3  # in lines of text


class ModelComparisonDisplay(Display):
    """Several classifiers on the same samples, in one of three pictures.

    ``"auc"``: each AUC with its interval, best first. ``"differences"``: the difference of each
    pair with its interval and its p-value after Holm's correction; what stays significant is in
    ink, the rest grey. ``"hull"``: the ROC curves with the hull over all of them, and in a model's
    colour the stretches where it alone is best. Of several classes AUCs are Hand and Till's M, and
    there is no hull.

    Use a ``from_`` method to make one from data; the constructor takes results.

    Parameters
    ----------
    results : ClassifierComparison
        Made by :func:`rocviz.compare_classifiers`.
    models : mapping of str to RankedSegments, optional
        For "hull".

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Where it was drawn last.
    lines_ : list of Line2D
        Intervals, best or first pair first, or ROC curves.
    hull_, hull_line_ : ModelHull, Line2D, or None
        The hull and its line in the picture "hull".

    Raises
    ------
    ValueError
        If ``results`` are not a ClassifierComparison.

    See Also
    --------
    rocviz.compare_classifiers : The numbers, and tables for papers.
    rocviz.core.comparison.hull_over_models : Which model to use at which costs.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Holm (1979). Provost and Fawcett (2001).

    Examples
    --------
    >>> from rocviz import ModelComparisonDisplay
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1]
    >>> scores = {"new": [1, 2, 3, 4, 5, 6, 7, 8], "old": [2, 5, 1, 3, 6, 4, 8, 7]}
    >>> display = ModelComparisonDisplay.from_predictions(y, scores)
    >>> display.results.to_frame()["auc"].round(3).to_dict()
    {'new': 0.938, 'old': 0.75}
    """

    _handed_to = staticmethod(compare_classifiers)

    def __init__(
        self,
        results: ClassifierComparison,
        models: Mapping[str, RankedSegments] | None = None,
    ) -> None:
        self.results = check_kind(
            results, "results", ClassifierComparison, "rocviz.compare_classifiers"
        )
        self.models = models

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
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "auc",
        clusters: ArrayLike | None = None,
        classes: Sequence[Any] | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        prevalence: float | None = None,
        confidence: float = 0.95,
        random_state: Seed = 0,
        n_resamples: int = 0,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Compare fitted classifiers.

        Parameters
        ----------
        estimator : mapping of str to fitted classifier, or fitted classifier
            One classifier, or several under their names, of the same classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            ``"auto"`` takes probabilities where the classifier has them.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        cost_fp, cost_fn, sample_weight, curve_kwargs, kind, clusters, classes, prevalence
            As for :meth:`from_predictions`.
        confidence, random_state, n_resamples, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        ModelComparisonDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        check_aligned(X=X, y=y)
        several = isinstance(estimator, Mapping)
        models = estimator if several else {type(estimator).__name__: estimator}
        if any(len(fitted_classes(model)) > 2 for model in models.values()):
            if response_method == "decision_function":
                raise ValueError("response_method must be predict_proba for several classes.")
            tables = {name: class_probabilities(model, X) for name, model in models.items()}
            known = [classes for _, classes in tables.values()]
            if any(classes != known[0] for classes in known):
                raise ValueError("estimator must be classifiers of the same classes.")
            scores: Mapping[Any, Any] = {name: prob for name, (prob, _) in tables.items()}
            if classes is None:
                classes = known[0]
        else:
            scores, pos_label, _ = estimator_scores(
                models, X, response_method=response_method, pos_label=pos_label, name=None
            )
        return cls.from_predictions(
            y,
            scores,
            sample_weight=sample_weight,
            pos_label=pos_label,
            kind=kind,
            clusters=clusters,
            classes=classes,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            prevalence=prevalence,
            confidence=confidence,
            random_state=random_state,
            n_resamples=n_resamples,
            curve_kwargs=curve_kwargs,
            ax=ax,
            theme=theme,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        scores: Any,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        n_resamples: int = 0,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "auc",
        clusters: ArrayLike | None = None,
        classes: Sequence[Any] | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        prevalence: float | None = None,
        confidence: float = 0.95,
        random_state: Seed = 0,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Compare the scores of several classifiers.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of two classes, or of several if scores are tables of probabilities.
        scores : mapping of str to array-like, data frame, or array-like
            As in :func:`rocviz.compare_classifiers`.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        classes, clusters, cost_fp, cost_fn, prevalence, confidence, n_resamples, random_state
            As in :func:`rocviz.compare_classifiers`; by default there are no resamples, because
            calibration errors are not drawn.
        curve_kwargs, kind, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        ModelComparisonDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        check_choice(kind, "kind", KINDS)
        results = compare_classifiers(
            y_true,
            scores,
            sample_weight=sample_weight,
            pos_label=pos_label,
            clusters=clusters,
            classes=classes,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            prevalence=prevalence,
            confidence=confidence,
            n_resamples=n_resamples,
            random_state=random_state,
        )
        if results.classes is not None:
            return cls(results).plot(ax=ax, kind=kind, curve_kwargs=curve_kwargs, theme=theme)
        models = {}
        n_samples = label_column(y_true, "y_true").size
        checked = check_scores(scores, n_samples, y_true=y_true, pos_label=pos_label)
        for name, score in checked.items():
            models[name] = RankedSegments.from_scores(
                y_true, score, sample_weight=sample_weight, pos_label=pos_label
            )
        return cls(results, models).plot(ax=ax, kind=kind, curve_kwargs=curve_kwargs, theme=theme)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "auc",
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        kind : {"auc", "differences", "hull"}, default="auc"
            What to draw.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the intervals or
            curves of models, not for differences; a list gives those of each model.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        ModelComparisonDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        check_choice(kind, "kind", KINDS)
        n = len(self.results.names)
        styles = curve_styles(curve_kwargs, n)
        self.hull_ = None
        self.hull_line_ = None
        if kind == "hull":
            if self.results.classes is not None:
                raise ValueError("kind='hull' is for two classes; the results are of several.")
            if self.models is None:
                raise ValueError(
                    "kind='hull' needs models; make the display with from_predictions."
                )
            hull = hull_over_models(self.models)
            scene = _hull_scene(self.models, hull, styles)
            drawn, artists = show_curves(self, scene, ax, theme, "Which model to use where")
            self.lines_ = artists("curve")
            self.hull_line_ = drawn["hull"][0]
            self.hull_ = hull
            return self
        if kind == "differences" and n < 2:
            raise ValueError("kind='differences' needs at least two models.")
        rows = n if kind == "auc" else n * (n - 1) // 2
        check_rows(rows, results=f"{n} classifiers in {rows} rows")
        heading = "Which model ranks best" if kind == "auc" else "Which differences are sure"
        results = self.results
        picture = _aucs_picture(results, styles) if kind == "auc" else _differences_picture(results)
        style: dict[str, Any] = {
            "heading": heading,
            "width": 7.2,
            "lines": _ROW_HEIGHT * rows + 7.5,
        }
        drawn = self._show(picture, ax, theme, **style)
        self.lines_ = [drawn[f"row:{k}"][0] for k in range(rows)]
        return self


def _hull_scene(
    models: Mapping[str, RankedSegments],
    hull: ModelHull,
    styles: Sequence[Mapping[str, Any]],
) -> CurvesScene:
    """Collect ROC curves and the hull over all, with the stretches where one model is best."""
    curves = []
    for i, ((name, segments), own) in enumerate(zip(models.items(), styles, strict=True)):
        thin = segments.thin(size=CURVE_PIXELS)
        curves.append(Curve(name, i, (thin.fpr, thin.tpr), number(segments.auc), own=own))
    curves[0] = replace(curves[0], hull=(hull.fpr, hull.tpr), hull_area=number(hull.segments().auc))
    order = list(models)
    stretches = []
    for k, (model, next_model) in enumerate(pairwise(hull.model)):
        if model == next_model:
            ends = hull.fpr[k : k + 2], hull.tpr[k : k + 2]
            stretches.append((order.index(model), ends))
    return curves_scene(curves, stretches=stretches, hull_name="hull over all")


def _aucs_picture(results: ClassifierComparison, styles: Sequence[Mapping[str, Any]]) -> Picture:
    """Draw a row for each model, best first: its AUC, the interval, and both as numbers."""
    short = short_names(results.names, _MAX_NAME_LETTERS)
    rows = []
    for k, i in enumerate(np.argsort(results.rank, kind="stable").tolist()):
        ends = (results.auc[i], results.auc_low[i], results.auc_high[i])
        own = styles[i]
        auc, low, high = map(number, ends)
        name = str(own.get("label", short[results.names[i]]))
        style = {"role": model_style(i).role, "own": own}
        rows.append(IntervalRow(k + 0.6, name, *ends, f"{auc}  [{low}, {high}]", **style))
    label = f"AUC with {percent(results.confidence)} interval"
    return rows_picture(label, rows, len(rows) + 0.2)


def _differences_picture(results: ClassifierComparison) -> Picture:
    """Draw a row for each pair: its difference of AUCs, the interval, and Holm's p-value.

    What stays significant after the correction is drawn in ink, the rest in grey.
    """
    short = short_names(results.names, _MAX_NAME_LETTERS)
    rows = []
    for k, pair in enumerate(results.pairs().itertuples()):
        is_sure = pair.p_holm <= 1 - results.confidence
        ends = pair.difference, pair.lower, pair.upper
        text = f"{difference(pair.difference)}  ({p_value(pair.p_holm)})"
        name = _pair(short[pair.model_a], short[pair.model_b])
        role = "text" if is_sure else "reference"
        rows.append(IntervalRow(k + 0.6, name, *ends, text, role))
    label = "difference of AUCs; p after Holm's correction"
    height = len(rows) + 0.2
    return rows_picture(label, rows, height, references=[(0.0, 0.0, height)])


def _pair(first: str, second: str) -> str:
    """Write the label of a difference of two models, in two lines if the names are long."""
    minus = " − " if len(first) + len(second) < 26 else "\n− "
    return f"{first}{minus}{second}"
