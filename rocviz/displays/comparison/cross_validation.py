"""CrossValidationDisplay: the ROC curves of folds, their average, and a band that says what it is.

Holds results; draws them itself, as they are few.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, Unpack

import numpy as np

from rocviz.core.base.naming import naming
from rocviz.core.base.validation import (
    by_name,
    check_choice,
    check_flag,
    check_fraction,
    check_labels,
    check_same_length,
    check_vector,
    check_weights,
)
from rocviz.core.comparison.fold_average import BANDS, FoldAverage, fold_average
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import check_kind, response_values
from rocviz.displays.base.display import Display, Look
from rocviz.displays.base.labels import in_the_way, place_texts
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.registry import note
from rocviz.words import percent, rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from rocviz.displays.base.pen import Pen
    from rocviz.theme import Theme


class _Look(Look, total=False):
    band: str
    confidence: float
    folds: bool
    pooled: bool


class _Options(_Look, total=False):
    sample_weight: ArrayLike | None
    pos_label: Any


class _All(_Options, total=False):
    response_method: str


class CrossValidationDisplay(Display):
    """The ROC curves of the folds of a cross-validation, and their average.

    The average is vertical: at each false positive rate the mean of the true positive rates; the
    area under it is the mean AUC. The band says in words what it is: one standard deviation over
    folds, where about the curve of a single fold lies, or the interval of the mean, which allows
    for learning sets that overlap. All folds in one ranking is another curve: it asks whether
    scores of different folds' models can be compared.

    Use a ``from_`` method to make one from data; the constructor takes results.

    Parameters
    ----------
    average : FoldAverage
        Made by :func:`rocviz.fold_average`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Where it was drawn last.
    line_ : Line2D
        The average.
    fold_lines_ : list of Line2D
    band_ : PolyCollection or None
    pooled_line_ : Line2D or None

    Raises
    ------
    ValueError
        If ``average`` is something else.

    See Also
    --------
    rocviz.fold_average : The numbers.
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

    def __init__(self, average: FoldAverage) -> None:
        self.average = check_kind(average, "average", FoldAverage, "rocviz.fold_average")

    @classmethod
    def from_cv_results(
        cls, cv_results: Mapping[str, Any], X: Any, y: ArrayLike, **options: Unpack[_All]
    ) -> Self:
        """Draw what scikit-learn's ``cross_validate`` has found.

        Parameters
        ----------
        cv_results : dict
            Of :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``.
        X : array-like, shape (n_samples, n_features)
            What was cross-validated.
        """
        from sklearn.utils import _safe_indexing
        from sklearn.utils.validation import _num_samples

        cls._check_keywords("from_cv_results", options)
        more: dict[str, Any] = dict(options)
        if not isinstance(cv_results, Mapping):
            kind = type(cv_results).__name__
            raise ValueError(f"cv_results must be what cross_validate returns; got {kind}.")
        missing = [k for k in ("estimator", "indices") if k not in cv_results]
        if missing:
            raise ValueError(
                f"cv_results has no {' and no '.join(map(repr, missing))}: run cross_validate "
                "with return_estimator=True and return_indices=True."
            )
        method = more.pop("response_method", "auto")
        labels = np.asarray(y)
        check_labels(labels, more.get("pos_label"), "y")
        with naming("X"):
            n_rows = _num_samples(X)
        if n_rows != labels.size:
            raise ValueError(f"X must have one row per label, {labels.size}; got {n_rows}.")
        estimators, tested = cv_results["estimator"], cv_results["indices"]["test"]
        label = more.pop("pos_label", None)
        parts = []
        for one, rows in zip(estimators, tested, strict=True):
            fold = _safe_indexing(X, rows)
            score, label = response_values(one, fold, response_method=method, pos_label=label)
            parts.append((labels[rows], score, rows))
        weight = check_weights(more.pop("sample_weight", None), labels.size)
        learned = np.mean([len(rows) for rows in cv_results["indices"]["train"]])
        ratio = float(np.mean([len(rows) for rows in tested]) / learned)
        return cls(_average(parts, weight, label, ratio)).plot(**more)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_score: ArrayLike, fold: ArrayLike, **options: Unpack[_Options]
    ) -> Self:
        """Draw scores that each come from a model that has not seen the sample.

        Parameters
        ----------
        y_score : array-like of float, shape (n_samples,)
            As of :func:`sklearn.model_selection.cross_val_predict`; higher means more positive.
        fold : array-like, shape (n_samples,)
            Which fold each sample was tested in.
        """
        cls._check_keywords("from_predictions", options)
        more: dict[str, Any] = dict(options)
        label = more.pop("pos_label", None)
        positive = check_labels(y_true, label)
        if isinstance(by_name(y_score), Mapping):
            raise ValueError("y_score must be of one model; make one display for each.")
        score = check_vector(y_score, "y_score")
        which = np.asarray(fold)
        if which.ndim != 1:
            raise ValueError(f"fold must be one-dimensional; got shape {which.shape}.")
        check_same_length(positive.size, y_score=score, fold=which)
        weight = check_weights(more.pop("sample_weight", None), positive.size)
        rows = [np.flatnonzero(which == one) for one in np.unique(which)]
        parts = [(positive[part], score[part], part) for part in rows]
        return cls(_average(parts, weight, True, None)).plot(**more)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        band: str = "spread",
        confidence: float = 0.95,
        folds: bool = True,
        pooled: bool = False,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        band : {"spread", "interval", "none"}, default="spread"
            One standard deviation over folds either way, or the interval of the mean.
        confidence : float, default=0.95
            Of the interval, at each false positive rate by itself; strictly between 0 and 1.
        folds : bool, default=True
            Draw the curve of each fold, thin.
        pooled : bool, default=False
            Draw the curve of all folds in one ranking.
        """
        check_choice(band, "band", (*BANDS, "none"))
        level = check_fraction(confidence, "confidence")
        with_folds, with_pooled = check_flag(folds, "folds"), check_flag(pooled, "pooled")
        found = self.average
        everything = found.pooled if with_pooled else None
        pen = self._pen(ax, theme, heading="ROC curves of the folds")
        pen.unit_frame("false positive rate", "true positive rate")
        diagonal(pen, "_chance", "chance")
        self.fold_lines_ = [
            pen.line(one.fpr, one.tpr, "reference", 0.45, label=f"_fold {i}", role="fold", zorder=2)
            for i, one in enumerate(found.folds if with_folds else ())
        ]
        self.band_, said = None, []
        if band != "none":
            low, high = found.band(band, confidence=level)
            colour = pen.tint("negative", 0.35)
            self.band_ = pen.ax.fill_between(
                found.fpr, low, high, color=colour, alpha=0.6, linewidth=0, zorder=1.8
            )
            note(self.band_, "band", touch=0.05)
            words = f"{percent(level)} interval of the mean"
            said = ["standard deviation over folds" if band == "spread" else words]
        self.pooled_line_ = None
        if everything is not None:
            self.pooled_line_ = pen.line(
                *(everything.fpr, everything.tpr, "positive", 0.9, (0, (4, 2))),
                label="all folds in one ranking",
                role="pooled",
                zorder=3,
            )
        self.line_ = pen.line(
            found.fpr, found.tpr, "ranking", 1.1, label="mean of the folds", role="curve", zorder=4
        )
        self._write(pen, said, everything, band, level)
        return self

    def _write(
        self,
        pen: Pen,
        said: list[str],
        everything: RankedSegments | None,
        band: str,
        confidence: float,
    ) -> None:
        """Say what each line and the band are, where there is room."""
        found = self.average
        kind = "spread" if band == "none" else band
        mean, low, high = found.auc_band(kind, confidence=confidence)
        about = f"{rate(low)} to {rate(high)}"
        if kind == "spread":
            about = f"± {found.auc.std(ddof=1):.3f} over folds"
        texts = [(f"mean of {len(found.folds)} folds, AUC {rate(mean)}", "text"), (about, "text")]
        if everything is not None:
            texts.append((f"all in one ranking, AUC {rate(everything.auc)}", "positive-text"))
        texts += [(words, "negative-text") for words in said]
        made = [pen.text(words, thing, 0.9, bold=i == 0) for i, (words, thing) in enumerate(texts)]
        pen.settle()
        place_texts(made, in_the_way(pen.ax), (0.65, 0.2))


def _average(
    parts: list[tuple[Any, Any, Any]], weight: Any, pos_label: Any, ratio: float | None
) -> FoldAverage:
    """Return the average of folds, of which each has labels, scores and rows."""
    segments = []
    for i, (labels, score, rows) in enumerate(parts):
        part = None if weight is None else weight[rows]
        try:
            made = RankedSegments.from_scores(
                labels, score, sample_weight=part, pos_label=pos_label
            )
        except ValueError as error:
            raise ValueError(f"fold {i}: {error}") from error
        segments.append(made)
    return fold_average(segments, test_train_ratio=ratio)
