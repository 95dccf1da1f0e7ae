"""AUCIntervalDisplay: confidence intervals of an AUC by several methods, in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Seed, check_choice, check_sequence
from rocviz.core.roc.auc_intervals import (
    METHODS,
    METHODS_OF_DELONG,
    METHODS_OF_FRACTIONAL_WEIGHTS,
    AUCInterval,
    auc_interval,
    has_whole_weights,
)
from rocviz.core.roc.coverage import CoverageResult
from rocviz.displays.base.data import check_kind, one_or_list, ranking_arguments, refuse_name
from rocviz.displays.base.display import ModelsDisplay
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.base.figure import axes_beside
from rocviz.displays.base.rows import IntervalRow, check_rows, rows_picture
from rocviz.displays.base.style import curve_styles
from rocviz.pictures import Picture, model_style
from rocviz.theme import Theme
from rocviz.words import INTERVAL_NAMES, amount, number, percent

# heights in lines of text
_ROW_HEIGHT = 2.3
_HEADING_HEIGHT = 2.0
_GAP_HEIGHT = 0.5
#: Width of the names of the methods, in ems.
LABELS_WIDTH = 8.6
# of the coverage, of that of the intervals
_LABELS_GAP = 0.5


class AUCIntervalDisplay(ModelsDisplay):
    """Confidence intervals of an AUC by several methods, one below the other.

    Use :meth:`from_estimator` or :meth:`from_predictions` to make one from data; the
    constructor takes results. A dashed interval is one of Clopper and Pearson that stands in for
    a method that cannot be applied to the data.

    Parameters
    ----------
    intervals : sequence of AUCInterval, or mapping of str to sequence of AUCInterval
        Of one model, or of several under their names.
    name : str, optional
        Name of the one model.
    coverage : CoverageResult, optional
        Drawn beside the intervals of the one model: how often such intervals hold the truth.

    Attributes
    ----------
    intervals : sequence or mapping
        As given.
    ax_ : matplotlib Axes
        The axes of the intervals.
    coverage_ax_ : matplotlib Axes or None
        The axes of the coverage.
    figure_ : matplotlib Figure
    lines_ : list of Line2D, or list of list
        The intervals; a list for each of several models.

    Raises
    ------
    ValueError
        If intervals differ in their confidence, or there are none.

    See Also
    --------
    rocviz.auc_interval : The numbers.
    rocviz.simulate_coverage : The coverage.

    Examples
    --------
    >>> from rocviz import AUCIntervalDisplay
    >>> display = AUCIntervalDisplay.from_predictions(
    ...     [0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], methods=["logit-delong", "hanley-mcneil"]
    ... )
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['logit DeLong', 'Hanley-McNeil']
    """

    def __init__(
        self,
        intervals: Sequence[AUCInterval] | Mapping[Any, Sequence[AUCInterval]],
        *,
        name: str | None = None,
        coverage: CoverageResult | None = None,
    ) -> None:
        self._models: dict[Any, list[AUCInterval]] = {}
        if isinstance(intervals, Mapping):
            refuse_name(name, "intervals")
            for key, rows in intervals.items():
                self._models[key] = _checked(rows)
        else:
            self._models[name] = _checked(intervals)
        if not self._models:
            raise ValueError("intervals is an empty mapping; at least one model is needed.")
        levels: set[float] = set()
        for rows in self._models.values():
            levels.update(interval.confidence for interval in rows)
        if len(levels) > 1:
            raise ValueError("intervals must all have the same confidence.")
        self.intervals = intervals
        self.name = name
        self.coverage = self._check_coverage(coverage)

    def _check_coverage(self, coverage: CoverageResult | None) -> CoverageResult | None:
        if coverage is None:
            return None
        check_kind(coverage, "coverage", CoverageResult, "simulate_coverage")
        if len(self._models) > 1:
            raise ValueError("coverage is of one setting; it cannot be drawn for several models.")
        ((interval, *_),) = self._models.values()
        if coverage.confidence != interval.confidence:
            raise ValueError(
                f"coverage must be that of intervals of the same confidence; got "
                f"{coverage.confidence:g} for {interval.confidence:g}."
            )
        return coverage

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
        methods: Sequence[str] | None = None,
        confidence: float = 0.95,
        n_resamples: int = 2000,
        random_state: Seed = 0,
        coverage: CoverageResult | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw intervals of the AUC of scores.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,), or mapping of str to array-like
            Scores, higher means more positive; a mapping gives those of several models.
        sample_weight : array-like of float, shape (n_samples,), optional
            How often each sample is repeated.
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        clusters : array-like, shape (n_samples,), optional
            Samples of one cluster (one patient's, say) vary together, which only methods that use
            DeLong's variance allow for.
        methods : sequence of str, optional
            As ``method`` of :func:`rocviz.auc_interval`, from top to bottom; by default all
            that weights and clusters allow.
        confidence : float, default=0.95
        n_resamples : int, default=2000
            Number of resamples of the bootstrap.
        random_state : int, RandomState, Generator or None, default=0
            Source of the random numbers of the bootstrap.
        coverage : CoverageResult, optional
            See the class.
        curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        AUCIntervalDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.

        Examples
        --------
        >>> from rocviz import AUCIntervalDisplay
        >>> display = AUCIntervalDisplay.from_predictions(
        ...     [0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]}, methods=["logit-delong"]
        ... )
        >>> [interval.auc for interval, in display.intervals.values()]
        [0.75, 1.0]
        """
        if methods is not None:
            methods = check_sequence(methods, "methods", "a sequence of methods")
            if not methods:
                raise ValueError("methods must be one or more methods; got none.")
            for method in methods:
                check_choice(method, "methods", METHODS)
        samples = cls._samples(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            clusters=clusters,
        )
        n_rows = len(samples.models) * len(METHODS if methods is None else methods)
        check_rows(n_rows, y_score=f"{len(samples.models)} classifiers")
        intervals: dict[Any, list[AUCInterval]] = {}
        for key, segments in samples.models.items():
            chosen: Sequence[str] = methods or ()
            if methods is None:
                has_counts = has_whole_weights(segments.pos, segments.neg)
                chosen = METHODS if has_counts else METHODS_OF_FRACTIONAL_WEIGHTS
                if clusters is not None:
                    chosen = METHODS_OF_DELONG
            ranking, more = ranking_arguments(segments, samples.clustered.get(key))
            intervals[key] = []
            for method in chosen:
                interval = auc_interval(
                    *ranking,
                    **more,
                    method=method,
                    confidence=confidence,
                    n_resamples=n_resamples,
                    random_state=random_state,
                )
                intervals[key].append(interval)
        display = cls(samples.as_given(intervals), name=samples.name, coverage=coverage)
        return display.plot(ax=ax, curve_kwargs=curve_kwargs, theme=theme)

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
        methods: Sequence[str] | None = None,
        confidence: float = 0.95,
        n_resamples: int = 2000,
        random_state: Seed = 0,
        coverage: CoverageResult | None = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw intervals of the AUC of a fitted classifier.

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
        sample_weight, curve_kwargs, methods, confidence, n_resamples, random_state, coverage
            As for :meth:`from_predictions`.
        clusters, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        AUCIntervalDisplay

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
            curve_kwargs=curve_kwargs,
            methods=methods,
            confidence=confidence,
            n_resamples=n_resamples,
            random_state=random_state,
            coverage=coverage,
            ax=ax,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Each interval is a row.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure. The rows fill them: several models on one axes are
            given as a mapping, not by drawing twice.
        name : str, optional
            Of the one model, instead of the display's own.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the intervals;
            a list gives those of each model.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        AUCIntervalDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        (model_name, *others) = self._names(name)
        n_rows = sum(len(rows) for rows in self._models.values())
        check_rows(n_rows, intervals=f"{len(self._models)} classifiers in {n_rows} rows")
        styles = curve_styles(curve_kwargs, len(self._models))
        rows = next(iter(self._models.values()))
        height = rows_height(self._models)
        below = 1 if self.coverage is None else 3  # lines of text below the axes
        level = f"{percent(rows[0].confidence)} intervals"
        prefix = "" if model_name is None else f"{model_name}: "
        alone = f"{prefix}AUC {number(rows[0].auc)}, {level}"
        pen = self._pen(
            ax,
            theme,
            width=7.2 if self.coverage is None else 9.8,
            lines=height + 4.4 + 1.3 * below,
            left=LABELS_WIDTH,
            bottom=1.8 + 1.3 * below,
            top=2.6,
        )
        pen.title(f"AUC with {level}" if others else alone)
        self.coverage_ax_ = None
        if self.coverage is not None:
            beside = axes_beside(pen, _LABELS_GAP, pad=3.0)
            covered = coverage_picture(rows, self.coverage, height)
            show_picture(covered, beside)
            self.coverage_ax_ = beside.ax
        picture, ends = interval_picture(self._models, styles)
        self.picture_, artists = show_picture(picture, pen)
        lines = [artists[f"row:{k}"][0] for k in range(ends[-1])]
        self.lines_ = one_or_list([lines[start:end] for start, end in pairwise([0, *ends])])
        return self


def _checked(rows: Any) -> list[AUCInterval]:
    """Convert the intervals of one model to a list."""
    if isinstance(rows, AUCInterval):
        return [rows]
    intervals = list(rows) if isinstance(rows, Sequence) and not isinstance(rows, str) else []
    if not intervals or not all(isinstance(row, AUCInterval) for row in intervals):
        raise ValueError(
            "intervals must be AUCInterval (see auc_interval), a sequence of them, or a mapping "
            f"of names to sequences; got {type(rows).__name__}."
        )
    return intervals


def rows_height(intervals: Mapping[Any, Sequence[AUCInterval]]) -> float:
    """Compute the height of the rows, in lines of text."""
    heading = _HEADING_HEIGHT + _GAP_HEIGHT if len(intervals) > 1 else 0.0
    return sum(heading + _ROW_HEIGHT * len(rows) for rows in intervals.values())


def interval_picture(
    intervals: Mapping[Any, Sequence[AUCInterval]], styles: Sequence[Mapping[str, Any]]
) -> tuple[Picture, list[int]]:
    """Draw one row per model and method with AUC and interval; substitutes are dashed.

    Returns the picture, and how many rows there are up to each model's last.
    """
    rows: list[IntervalRow] = []
    ends = []
    headings = []
    references = []
    top = 0.0
    several = len(intervals) > 1
    for i, ((name, of_model), own) in enumerate(zip(intervals.items(), styles, strict=True)):
        role = model_style(i).role
        auc = of_model[0].auc
        if several:
            heading = f"{own.get('label', name)}: {number(auc)}"
            headings.append((top + _HEADING_HEIGHT * 0.6, heading))
            top += _HEADING_HEIGHT
        below = top + _ROW_HEIGHT * len(of_model)
        references.append((auc, top + 0.3, below - 0.3))
        for k, interval in enumerate(of_model):
            text = f"{number(interval.auc)}  [{number(interval.lower)}, {number(interval.upper)}]"
            style: dict[str, Any] = {"role": role, "own": own}
            if interval.is_fallback:
                text = f"no variance: Clopper–Pearson\n{text}"
                style["dash"] = "dotted"
            values = interval.auc, interval.lower, interval.upper
            method = INTERVAL_NAMES[interval.method]
            rows.append(IntervalRow(top + _ROW_HEIGHT * (k + 0.5), method, *values, text, **style))
        ends.append(len(rows))
        top = below + _GAP_HEIGHT if several else below
    more: dict[str, Any] = {"headings": headings, "references": references}
    label = "area under the ROC curve"
    return rows_picture(label, rows, rows_height(intervals), **more), ends


def coverage_picture(
    rows: Sequence[AUCInterval], coverage: CoverageResult, height: float
) -> Picture:
    """Draw the simulated coverage of one model's intervals, one dot per row."""
    methods = list(coverage.methods)
    shown = []
    level = coverage.confidence
    for row, interval in enumerate(rows):
        if interval.method in methods:
            i = methods.index(interval.method)
            share = float(coverage.coverage[i])
            error = 2 * float(coverage.standard_error[i])
            ends = max(share - error, 0.0), min(share + error, 1.0)
            shown.append(
                IntervalRow(_ROW_HEIGHT * (row + 0.5), "", share, *ends, percent(share, 1))
            )
    label = (
        f"holds the truth, simulated\nwith AUC {number(coverage.auc)},\n"
        f"{amount(coverage.n_pos)} + {amount(coverage.n_neg)} samples"
    )
    ticks = {level: f"{percent(level)} meant"}
    line = [(level, 0.0, height)]
    return rows_picture(label, shown, height, seen=[level], ticks=ticks, references=line)
