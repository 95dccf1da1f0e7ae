"""MulticlassDisplay: the triangle of three classes, confusion matrix, curves and reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.classes import check_class_samples, class_clusters
from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import (
    check_aligned,
    check_choice,
    check_same_length,
    check_sequence,
    describe,
    is_same,
    label_column,
    list_labels,
)
from rocviz.core.multiclass.best_point import SimplexPoint, find_best
from rocviz.core.multiclass.confusion import ConfusionMatrix, matrix_of_codes
from rocviz.core.multiclass.hand_till import MulticlassAUC, interval_of
from rocviz.core.multiclass.metrics import check_metric
from rocviz.core.multiclass.simplex import (
    check_cost_matrix,
    check_point,
    costs_of_misses,
    point_of_costs,
    predicted_codes,
)
from rocviz.displays.base.data import class_probabilities
from rocviz.displays.base.display import Display
from rocviz.displays.base.style import named_styles
from rocviz.displays.multiclass.pictures import (
    MulticlassScene,
    curves_picture,
    largest_classes,
    matrix_picture,
    reliability_picture,
    shown_of,
    triangle_picture,
)
from rocviz.theme import Theme
from rocviz.words import shown_names

#: The pictures, with their titles.
KINDS = {
    "triangle": (triangle_picture, "Who is predicted to be what"),
    "matrix": (matrix_picture, "Confusion matrix"),
    "curves": (curves_picture, "One class against all others"),
    "reliability": (reliability_picture, "Predicted and observed"),
}


class MulticlassDisplay(Display):
    """Three classes in a triangle with the labels' regions, or more classes in other pictures.

    The pictures are those of the explorer of several classes.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels; each class needs at least one sample.
    y_prob : array-like of float, shape (n_samples, n_classes)
        Probabilities of the classes; each row sums to 1.
    classes : sequence of label, optional
        The labels in the order of the columns; needed unless columns of a data frame are named
        after them or labels are 0, 1, 2, ...
    point : array-like of float, shape (n_classes,), optional
        Class k is predicted where ``p_k / point_k`` is largest; by default the most probable is.
    metric : str, optional
        The metric whose best point is ringed, as for :func:`rocviz.best_simplex_point`; by default
        ``"accuracy"``.
    cost_matrix : array-like of float, shape (n_classes, n_classes), optional
        Instead of a metric: the cost of predicting class a (column) for a sample of class k (row).
    shown : sequence of three labels, optional
        Classes in the corners of the triangle; by default the largest. Samples of others are not
        drawn there, and probabilities are conditioned on these three.
    sample_weight : array-like of float, shape (n_samples,), optional
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together, which the interval allows for.
    labels : mapping of label to str, or sequence of str, optional
        Names of the classes: by label, or in their order. By default the labels themselves.

    Attributes
    ----------
    best_ : SimplexPoint
        The best point on the data, see :func:`rocviz.best_simplex_point`.
    matrix_ : ConfusionMatrix
        The confusion matrix of the predictions at the point.
    auc_ : MulticlassAUC
        Hand and Till's M with its interval.
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    rocviz.hand_till_auc, rocviz.best_simplex_point : The numbers.

    References
    ----------
    Hand and Till (2001). Lachiche and Flach (2003).

    Examples
    --------
    >>> from rocviz import MulticlassDisplay
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianNB().fit(X[::2, :2], y[::2])
    >>> display = MulticlassDisplay.from_estimator(model, X[1::2, :2], y[1::2])
    >>> int(display.matrix_.counts.trace()), int(display.best_.matrix.counts.trace())
    (61, 61)
    """

    def __init__(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        classes: Sequence[Any] | None = None,
        point: ArrayLike | None = None,
        metric: str | None = None,
        cost_matrix: ArrayLike | None = None,
        shown: Sequence[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        labels: Any = None,
    ) -> None:
        check_aligned(y_true=y_true, clusters=clusters)
        self.samples = check_class_samples(y_true, y_prob, classes, sample_weight)
        n_samples = len(label_column(y_true, "y_true"))
        self._unit = class_clusters(clusters, n_samples, sample_weight)
        self.classes = self.samples.classes
        n_classes = self.samples.n_classes
        self._class_texts = tuple(name_texts(self.classes, "classes"))
        if labels is not None:
            self._class_texts = shown_names(self.classes, labels)
        if point is None:
            self.point = np.full(n_classes, 1 / n_classes)
        else:
            self.point = check_point(point, n_classes)
        if metric is not None and cost_matrix is not None:
            raise ValueError("give either metric or cost_matrix, not both.")
        self.metric = check_metric("accuracy" if metric is None else metric)
        self.cost_matrix = None
        if cost_matrix is not None:
            self.cost_matrix = check_cost_matrix(cost_matrix, n_classes)
        self.shown = self._corners(shown)

    def _corners(self, shown: Sequence[Any] | None) -> tuple[int, ...]:
        """Find the indices of the classes in the corners."""
        if shown is None:
            return largest_classes(self.samples)
        named = check_sequence(shown, "shown", "three of the classes")
        corners = []
        for name in named:
            corners += [k for k, label in enumerate(self.classes) if is_same(name, label)]
        if not (len(named) == len(corners) == len(set(corners)) == 3):
            raise ValueError(
                f"shown must be three of the classes {list_labels(list(self.classes))}; got "
                f"{describe(shown)}."
            )
        return tuple(corners)

    @cached_property
    def best_(self) -> SimplexPoint:
        """The point that is best on the data."""
        metric = self.metric if self.cost_matrix is None else "cost"
        return find_best(self.samples, metric, self.cost_matrix)

    @cached_property
    def matrix_(self) -> ConfusionMatrix:
        """Confusion matrix of the predictions at the point."""
        predicted = predicted_codes(self.samples.prob, self.point)
        return matrix_of_codes(self.samples.code, predicted, self.samples.weight, self.classes)

    @cached_property
    def auc_(self) -> MulticlassAUC:
        """Hand and Till's M with its interval."""
        return interval_of(self.samples, clusters=self._unit)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        classes: Sequence[Any] | None = None,
        point: ArrayLike | None = None,
        metric: str | None = None,
        cost_matrix: ArrayLike | None = None,
        shown: Sequence[Any] | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "triangle",
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw labels and probabilities.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels; each class needs at least one sample.
        y_prob : array-like of float, shape (n_samples, n_classes)
            Probabilities of the classes; each row sums to 1.
        sample_weight : array-like of float, shape (n_samples,), optional
        clusters : array-like, shape (n_samples,), optional
            Samples of one cluster (one patient's, say) vary together, which the interval allows
            for.
        classes : sequence of label, optional
            The labels in the order of the columns; needed unless columns of a data frame are named
            after them or labels are 0, 1, 2, ...
        point : array-like of float, shape (n_classes,), optional
            Class k is predicted where ``p_k / point_k`` is largest; by default the most probable
            is.
        metric : str, optional
            For which the best point is ringed, as for :func:`rocviz.best_simplex_point`; by
            default ``"accuracy"``.
        cost_matrix : array-like of float, shape (n_classes, n_classes), optional
            Instead of a metric: the cost of predicting class a (column) for a sample of class k
            (row).
        shown : sequence of three labels, optional
            Classes in the corners of the triangle; by default the largest.
        labels : mapping of label to str, or sequence of str, optional
            Names of the classes: by label, or in the order of the classes. By default the labels
            themselves.
        curve_kwargs, kind, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        MulticlassDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        display = cls(
            y_true,
            y_prob,
            classes=classes,
            point=point,
            metric=metric,
            cost_matrix=cost_matrix,
            shown=shown,
            sample_weight=sample_weight,
            clusters=clusters,
            labels=labels,
        )
        return display.plot(ax=ax, kind=kind, curve_kwargs=curve_kwargs, theme=theme)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "triangle",
        point: ArrayLike | None = None,
        metric: str | None = None,
        cost_matrix: ArrayLike | None = None,
        shown: Sequence[Any] | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the probabilities of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            With ``predict_proba``; its ``classes_`` are in the order of the columns.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        sample_weight, clusters, curve_kwargs, kind, point, metric, cost_matrix
            As for :meth:`from_predictions`.
        shown, labels, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        MulticlassDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        if isinstance(estimator, Mapping):
            raise ValueError("estimator must be one classifier; make one display for each.")
        check_aligned(X=X, y=y, sample_weight=sample_weight, clusters=clusters)
        prob, classes = class_probabilities(estimator, X)
        check_same_length(len(prob), y=label_column(y, "y"))
        return cls.from_predictions(
            y,
            prob,
            classes=classes,
            point=point,
            metric=metric,
            cost_matrix=cost_matrix,
            shown=shown,
            sample_weight=sample_weight,
            clusters=clusters,
            kind=kind,
            labels=labels,
            curve_kwargs=curve_kwargs,
            ax=ax,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "triangle",
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        kind : {"triangle", "matrix", "curves", "reliability"}, default="triangle"
            What is drawn: samples in the triangle of three classes, with the regions of
            predictions, the best point (a ring) and the one that costs ask for; the confusion
            matrix; the ROC curve of each class against all others, with the operating point of the
            predictions; or how often each class occurs where its probability is so large.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        MulticlassDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        picture, title = KINDS[check_choice(kind, "kind", tuple(KINDS))]
        if kind == "triangle" and len(self.classes) < 3:
            raise ValueError(
                "kind='triangle' needs three classes; of two classes the threshold is a point on a "
                "line, see ROCHullDisplay."
            )
        if kind == "triangle" and len(self.classes) > 3:
            title = "Three of the classes"
        scene = self._scene(kind)
        names = [f"curve:{k}" for k in scene.shown.drawn] if kind == "curves" else []
        style: dict[str, Any] = {"own": named_styles(names, curve_kwargs), "heading": title}
        self._show(partial(picture, scene), ax, theme, width=6.8, height=6.0, **style)
        return self

    def _scene(self, kind: str) -> MulticlassScene:
        best = costs = cost_matrix = auc = None
        if kind == "triangle":
            best = self.best_.point
            if self.cost_matrix is not None:
                of_misses = costs_of_misses(self.cost_matrix)
                costs = None if of_misses is None else point_of_costs(of_misses)
                cost_matrix = self.cost_matrix if of_misses is None else None
        elif kind == "curves":
            auc = self.auc_.auc, self.auc_.lower, self.auc_.upper
        return MulticlassScene(
            shown=shown_of(self.samples, self._class_texts, self.shown),
            point=self.point,
            matrix=self.matrix_,
            best=best,
            costs=costs,
            cost_matrix=cost_matrix,
            auc=auc,
        )
