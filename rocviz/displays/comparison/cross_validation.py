"""CrossValidationDisplay: the ROC curves of folds, their average, and a labelled band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.blocks import rows_by_number
from rocviz.core.base.classes import positive_column
from rocviz.core.base.effort import MAX_SECONDS_OF_PICTURE, check_effort
from rocviz.core.base.naming import by_name, entry_names, prefix_error_with
from rocviz.core.base.validation import (
    as_array,
    check_aligned,
    check_choice,
    check_flag,
    check_fraction,
    check_labels,
    check_same_length,
    check_vector,
    check_weights,
    describe,
)
from rocviz.core.comparison.comparison import check_scores
from rocviz.core.comparison.fold_average import BANDS, FoldAverage, fold_average
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import as_named, one_or_list, response_values
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import first_of
from rocviz.displays.base.style import curve_styles
from rocviz.displays.roc.curves import Curve, CurvesScene, curves_scene, show_curves
from rocviz.pictures import Entry, Line, model_style
from rocviz.theme import Theme
from rocviz.words import number, percent, short_names

_SECONDS_PER_FOLD = 1e-3  # of a model: ranked, averaged and drawn
_MAX_NAME_LETTERS = 40  # letters of a name in a legend


class CrossValidationDisplay(Display):
    """ROC curves of the folds of a cross-validation, with their average, for one or more models.

    The average is vertical: at each false positive rate the mean of the true positive rates; the
    area under it is the mean AUC. The band says in words what it is: one standard deviation over
    folds, where about the curve of a single fold lies, or the interval of the mean, which allows
    for learning sets that overlap. All folds in one ranking is another curve: it asks whether
    scores of different folds' models can be compared.

    Use a ``from_`` method to make one from data; the constructor takes results.

    Parameters
    ----------
    average : FoldAverage, or mapping of str to FoldAverage
        Made by :func:`rocviz.core.comparison.fold_average`; a mapping gives those of several
        models.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Where it was drawn last.
    line_ : Line2D, or list of Line2D
        The average; as all that follow, a list when there are several models.
    fold_lines_ : list of Line2D, or list of such lists
    band_ : PolyCollection or None, or list
    pooled_line_ : Line2D or None, or list

    Raises
    ------
    ValueError
        If ``average`` is something else, or an empty mapping.

    See Also
    --------
    rocviz.core.comparison.fold_average : The numbers.
    ROCHullDisplay : One ranking with its simultaneous band.

    References
    ----------
    Macskassy, Provost and Rosset (2005). Nadeau and Bengio (2003).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from rocviz import CrossValidationDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> kept = {"return_estimator": True, "return_indices": True}
    >>> done = cross_validate(GaussianNB(), X[:, :2], y, cv=4, **kept)
    >>> display = CrossValidationDisplay.from_cv_results(done, X[:, :2], y)
    >>> len(display.fold_lines_), display.average.auc.mean().round(3)
    (4, np.float64(0.953))
    """

    def __init__(self, average: FoldAverage | Mapping[str, FoldAverage]) -> None:
        self._models = as_named(average, None, "average", FoldAverage, "fold_average")
        self.average = average

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        band: str = "spread",
        confidence: float = 0.95,
        folds: bool | None = None,
        pooled: bool = False,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the results of scikit-learn's ``cross_validate``.

        Parameters
        ----------
        cv_results : dict, or mapping of str to dict
            Of :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``; a mapping of such gives several models, whose folds may differ.
        X : array-like, shape (n_samples, n_features)
            What was cross-validated.
        y : array-like, shape (n_samples,)
            True labels.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            ``"auto"`` takes probabilities where the classifier has them.
        sample_weight, pos_label, curve_kwargs, band, confidence, folds, pooled, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        CrossValidationDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        from sklearn.utils.validation import _num_samples

        if not isinstance(cv_results, Mapping):
            kind = type(cv_results).__name__
            raise ValueError(f"cv_results must be the result of cross_validate; got {kind}.")
        # a result of cross_validate has arrays and lists, and at most one mapping
        several = len(cv_results) > 0 and all(isinstance(v, Mapping) for v in cv_results.values())
        results = {"cv_results": cv_results}
        if several:
            results = dict(
                zip(entry_names("cv_results", cv_results), cv_results.values(), strict=True)
            )
        for key, result in results.items():
            missing = [part for part in ("estimator", "indices") if part not in result]
            if missing:
                raise ValueError(
                    f"{key} has no {' and no '.join(map(repr, missing))}: run "
                    "cross_validate with return_estimator=True and return_indices=True."
                )
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        labels = as_array(y, "y", "one label per sample")
        check_labels(labels, pos_label, "y")
        with prefix_error_with("X"):
            n_rows = _num_samples(X)
        if n_rows != labels.size:
            raise ValueError(f"X must have one row per label, {labels.size}; got {n_rows}.")
        weight = check_weights(sample_weight, labels.size)
        scored = []
        for result in results.values():
            parts, pos_label, ratio = _scored(result, X, labels, response_method, pos_label)
            scored.append((parts, pos_label, ratio))
        return cls(_averages(cv_results if several else None, scored, weight)).plot(
            ax=ax,
            band=band,
            confidence=confidence,
            folds=folds,
            pooled=pooled,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: Any,
        fold: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        band: str = "spread",
        confidence: float = 0.95,
        folds: bool | None = None,
        pooled: bool = False,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw out-of-fold scores, each from a model not trained on its sample.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,), mapping of str to such, or data frame
            As of :func:`sklearn.model_selection.cross_val_predict`; higher means more positive.
            A mapping or a data frame gives the scores of several models.
        fold : array-like, shape (n_samples,)
            Which fold each sample was tested in.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        curve_kwargs, band, confidence, folds, pooled, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        CrossValidationDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.

        Examples
        --------
        >>> from rocviz import CrossValidationDisplay
        >>> scores = {"new": [1, 3, 2, 4, 1, 2, 3, 4], "old": [2, 1, 3, 4, 3, 1, 2, 4]}
        >>> display = CrossValidationDisplay.from_predictions(
        ...     [0, 1, 0, 1, 0, 0, 1, 1], scores, [0, 0, 0, 0, 1, 1, 1, 1]
        ... )
        >>> {name: float(one.auc.mean()) for name, one in display.average.items()}
        {'new': 1.0, 'old': 0.625}
        """
        positive = check_labels(y_true, pos_label)
        check_aligned(y_true=y_true, y_score=y_score, fold=fold, sample_weight=sample_weight)
        y_score = positive_column(y_score, y_true, pos_label, "y_score")
        named = by_name(y_score)
        several = isinstance(named, Mapping)
        scores: dict[Any, Any] = {}
        if several:
            scores |= check_scores(
                named, positive.size, "y_score", y_true=y_true, pos_label=pos_label
            )
        else:
            scores[None] = check_vector(y_score, "y_score")
        which = as_array(fold, "fold", "one fold per sample")
        if which.ndim != 1:
            raise ValueError(f"fold must be one-dimensional; got shape {which.shape}.")
        if not several:
            check_same_length(positive.size, y_score=scores[None])
        check_same_length(positive.size, fold=which)
        weight = check_weights(sample_weight, positive.size)
        with prefix_error_with("fold"):
            _, number = np.unique(which, return_inverse=True)
        rows_of_folds = rows_by_number(number)
        check_effort(
            seconds=_SECONDS_PER_FOLD * len(rows_of_folds) * len(scores),
            max_seconds=MAX_SECONDS_OF_PICTURE,
            advice="join them into fewer folds",
            fold=f"{len(rows_of_folds)} values",
        )
        scored: list[Any] = []
        for score in scores.values():
            parts = [(positive[rows], score[rows], rows) for rows in rows_of_folds]
            scored.append((parts, True, None))
        return cls(_averages(scores if several else None, scored, weight)).plot(
            ax=ax,
            band=band,
            confidence=confidence,
            folds=folds,
            pooled=pooled,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        band: str = "spread",
        confidence: float = 0.95,
        folds: bool | None = None,
        pooled: bool = False,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        band : {"spread", "interval", "none"}, default="spread"
            One standard deviation over folds either way, or the interval of the mean.
        confidence : float, default=0.95
            Of the interval, at each false positive rate by itself; strictly between 0 and 1.
        folds : bool, optional
            Draw the curve of each fold, thin; by default where there is one model.
        pooled : bool, default=False
            Draw the curve of all folds in one ranking.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each model.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        CrossValidationDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        check_choice(band, "band", (*BANDS, "none"))
        about = _FoldBand(band, check_fraction(confidence, "confidence"))
        with_folds = len(self._models) == 1 if folds is None else check_flag(folds, "folds")
        check_flag(pooled, "pooled")
        styles = curve_styles(curve_kwargs, len(self._models))
        scene = _fold_scene(self._models, about, styles, folds=with_folds, pooled=pooled)
        drawn, artists = show_curves(self, scene, ax, theme, "ROC curves of the folds")
        self.line_, self.band_ = map(one_or_list, map(artists, ("curve", "band")))
        fold_lines = []
        for curve in scene.curves:
            names = [line.name for line in curve.behind if line.name.startswith("fold")]
            fold_lines.append([drawn[name][0] for name in names])
        self.fold_lines_ = one_or_list(fold_lines)
        pooled_names = (f"pooled:{i}" for i in range(len(styles)))
        self.pooled_line_ = one_or_list(first_of(drawn, *pooled_names))
        return self


def _scored(
    results: Mapping[str, Any], X: Any, labels: Any, method: str, label: Any
) -> tuple[list[tuple[Any, Any, Any]], Any, float]:
    """Collect labels, scores and rows of each fold, positive class, and test-to-train ratio."""
    from sklearn.utils import _safe_indexing

    tested = results["indices"]["test"]
    parts = []
    for model, rows in zip(results["estimator"], tested, strict=True):
        fold = _safe_indexing(X, rows)
        score, label = response_values(model, fold, response_method=method, pos_label=label)
        parts.append((labels[rows], score, rows))
    learned = np.mean([len(rows) for rows in results["indices"]["train"]])
    return parts, label, float(np.mean([len(rows) for rows in tested]) / learned)


def _averages(names: Mapping[Any, Any] | None, scored: list[Any], weight: Any) -> Any:
    """Get the average of a single model, or those of several models by name."""
    if names is None:
        (parts, label, ratio) = scored[0]
        return _average(parts, weight, label, ratio)
    averages = {}
    for name, (parts, label, ratio) in zip(names, scored, strict=True):
        with prefix_error_with(f"model {describe(name)}"):
            averages[name] = _average(parts, weight, label, ratio)
    return averages


def _average(
    parts: list[tuple[Any, Any, Any]], weight: Any, pos_label: Any, ratio: float | None
) -> FoldAverage:
    """Average folds, each with labels, scores and rows."""
    segments = []
    for i, (labels, score, rows) in enumerate(parts):
        part = None if weight is None else weight[rows]
        about = {"sample_weight": part, "pos_label": pos_label}
        with prefix_error_with(f"fold {i}"):
            segments.append(RankedSegments.from_scores(labels, score, **about))
    return fold_average(segments, test_train_ratio=ratio)


@dataclass(frozen=True)
class _FoldBand:
    """The kind of band of each average."""

    kind: str  # {"spread", "interval", "none"}
    confidence: float  # of the interval

    @property
    def words(self) -> str:
        """The kind of band in words; empty if there is none."""
        interval = f"{percent(self.confidence)} interval of the mean"
        return {"spread": "standard deviation over folds", "interval": interval}.get(self.kind, "")

    def auc(self, average: FoldAverage) -> tuple[float, str]:
        """Write the mean AUC and describe its band."""
        kind = "spread" if self.kind == "none" else self.kind
        mean, low, high = average.auc_band(kind, confidence=self.confidence)
        if kind == "spread":
            return mean, f"± {number(average.auc.std(ddof=1))} over folds"
        return mean, f"{number(low)} to {number(high)}"


def _fold_scene(
    averages: Mapping[str | None, FoldAverage],
    band: _FoldBand,
    styles: Sequence[Mapping[str, Any]],
    *,
    folds: bool,
    pooled: bool,
) -> CurvesScene:
    """Collect the average of each model, with its folds' curves and the pooled one."""
    one_model = len(averages) == 1
    curves = []
    for i, ((name, average), own) in enumerate(zip(averages.items(), styles, strict=True)):
        fold_role = "reference"
        pooled_role = "second"
        opacity = 1.0
        own_colour = {}
        if not one_model:
            fold_role = pooled_role = model_style(i).role
            opacity = 0.4
            own_colour = {key: own[key] for key in own.keys() & {"color"}}
        style: dict[str, Any] = {"width": 1.1, "own": own_colour, "opacities": (opacity,)}
        behind = []
        for k, fold in enumerate(average.folds if folds else ()):
            behind.append(Line(f"fold:{i}:{k}", fold_role, fold.fpr, fold.tpr, **style))
        if pooled:
            pooled_curve = average.pooled
            style |= {"dash": "dashed", "width": 1.8, "opacities": (1.0,)}
            behind.append(
                Line(f"pooled:{i}", pooled_role, pooled_curve.fpr, pooled_curve.tpr, **style)
            )
        ends = None
        if band.words:
            ends = (average.fpr, *average.band(band.kind, confidence=band.confidence))
        shown_name = "mean of the folds" if name is None else name
        points = average.fpr, average.tpr
        curves.append(Curve(shown_name, i, points, band=ends, own=own, behind=behind))
    write = _rows_of_one if one_model else _rows
    rows = write(averages, band, curves, pooled)
    return curves_scene(curves, rows=rows)


def _rows_of_one(
    averages: Mapping[str | None, FoldAverage],
    band: _FoldBand,
    curves: Sequence[Curve],
    pooled: bool,
) -> list[Entry]:
    ((name, average),) = averages.items()
    mean, about = band.auc(average)
    label = curves[0].own.get("label", name)
    head = "mean" if label is None else f"{label}, mean"
    rows = [Entry(f"{head} of {len(average.folds)} folds, AUC {number(mean)}", of="curve")]
    rows.append(Entry(about, bold=False))
    if pooled:
        text = f"all in one ranking, AUC {number(average.pooled.auc)}"
        rows.append(Entry(text, "negative-text", "pooled:0", bold=False))
    if band.words:
        rows.append(Entry(band.words, "muted", "band", bold=False))
    return rows


def _rows(
    averages: Mapping[str | None, FoldAverage],
    band: _FoldBand,
    curves: Sequence[Curve],
    pooled: bool,
) -> list[Entry]:
    """Write the legend: each model's line, then the notes common to all."""
    short = short_names([curve.shown_name for curve in curves], _MAX_NAME_LETTERS)
    rows = []
    for i, (curve, average) in enumerate(zip(curves, averages.values(), strict=True)):
        mean, about = band.auc(average)
        ends = about.removesuffix(" over folds") if about[0] == "±" else f"({about})"
        text = f"{short[curve.shown_name]}, AUC {number(mean)} {ends}"
        if pooled:
            text += f", in one {number(average.pooled.auc)}"
        ink = "text" if "color" in curve.own else model_style(i).ink
        rows.append(Entry(text, ink, f"model:{i}" if i else "curve"))
    below = [("means of the folds", "")]
    if pooled:
        below.append(("dashed and thin: all folds in one ranking", "pooled:0"))
    # without a band, the number after ± still needs a name
    words = f"bands: {band.words}" if band.words else "±: standard deviation over folds"
    below.append((words, "band" if band.words else ""))
    return rows + [Entry(text, "muted", of, bold=False) for text, of in below]
