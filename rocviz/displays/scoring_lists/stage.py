"""StageDisplay: the probabilities of one stage of a scoring list, and measures of all stages.

Its pictures are those of :class:`rocviz.ScoringListExplorer`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Floats, check_choice, check_number, describe
from rocviz.core.scoring_lists.decisions import check_limits
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.displays.base.data import check_fitted, check_kind, class_names_of, own_positive_class
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import first_of, show_picture
from rocviz.displays.base.figure import given_axes, panels
from rocviz.displays.base.style import Pen, named_styles, resolve_theme
from rocviz.displays.scoring_lists.pictures import measure_picture, stage_picture
from rocviz.pictures import Entry, Picture
from rocviz.theme import Theme

#: Measures of a stage, with their headings; lower is better for all but the AUC.
MEASURES = {
    "entropy": "Expected entropy (bits)",
    "brier": "Brier score",
    "auc": "AUC",
    "loss": "Loss per case (a miss costs {cost_fn:g})",
    "width": "Width of the {confidence:g} % interval",
}
#: Roles of the names of both data sets.
_TEXT_ROLES = {"train": "ranking", "test": "negative-text"}


class StageDisplay(Display):
    """Probability against total score at one stage of a scoring list, with its band.

    A dot is the list's probability at a total, and a stroke across it the share of positives among
    its cases. The cases are drawn below, as in Hanselle et al. (2024), figure 5.
    :meth:`plot_curves` draws how good each stage is. Use :meth:`from_estimator` to make one from a
    fitted estimator; the constructor takes a list.

    Parameters
    ----------
    scoring_list : ScoringList
    stage : int, default=-1
        From 0 (nothing asked) to K; negative numbers count from the end.
    test : tuple (X, y) or (X, y, sample_weight), optional
        Data that the list was not learned from.
    pos_label : label, optional
        The positive class of ``test``; a string is used in words.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the probabilities, and of the cases below.
    figure_ : matplotlib Figure
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.
    line_ : Line2D
        Through the probabilities.
    observed_ : LineCollection or None
        Strokes at the shares of positives.
    intervals_ : LineCollection or None
        The band, one interval per total.
    limit_lines_ : dict of str to Line2D
        Those of ``"lower"``, ``"upper"``, ``"cost"`` and ``"prior"`` that are drawn.
    axes_, pictures_ : list of matplotlib Axes, list of rocviz.pictures.Picture
        Of :meth:`plot_curves`.
    curves_ : dict of str to list of Line2D
        Of :meth:`plot_curves`: for ``"train"`` and ``"test"`` a line per measure.

    Raises
    ------
    ValueError
        If ``scoring_list`` is of another type, or ``test`` no pair or triple.

    See Also
    --------
    ScoringList : The numbers.
    ScoreCardDisplay : The whole list on one page.

    Examples
    --------
    >>> from rocviz import StageDisplay
    >>> from rocviz.datasets import load_scoring_list_example
    >>> display = StageDisplay(load_scoring_list_example(), stage=3).plot(upper=0.9)
    >>> display.ax_.get_title(loc="left")
    'After f3, f1, f2: 3 of 4 questions'
    """

    def __init__(
        self,
        scoring_list: ScoringList,
        *,
        stage: int = -1,
        test: tuple[Any, ...] | None = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        self.scoring_list = check_list(scoring_list)
        self.stage = scoring_list.stage_number(stage)
        self.pos_label = pos_label
        self._name_classes(labels)
        self.test = test
        self._counts = None
        if test is not None:
            if not isinstance(test, tuple) or len(test) not in (2, 3):
                raise ValueError("test must be (X, y) or (X, y, sample_weight).")
            X, y, *weight = test
            self._counts = scoring_list.count(
                X, y, sample_weight=weight[0] if weight else None, pos_label=pos_label
            )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        stage: int = -1,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        lower: float | None = None,
        upper: float | None = None,
        cost_fn: float | None = None,
        band: bool = True,
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
        data: str = "train",
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw a stage of a fitted scoring list.

        Parameters
        ----------
        estimator : fitted ProbabilisticScoringList, or ScoringList
        X, y : array-like, optional
            Data that it was not fitted to, for :meth:`plot_curves` and ``data="test"``.
        sample_weight : array-like of float, shape (n_samples,), optional
            Weights of those samples.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        stage : int, default=-1
            From 0 (nothing asked) to K; negative numbers count from the end.
        cost_fn, curve_kwargs, lower, upper, band, confidence, method, correction, data, ax
            As for :meth:`plot`.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        theme
            As for :meth:`plot`.

        Returns
        -------
        StageDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        scoring_list, pos_label = list_of(estimator, pos_label)
        if not isinstance(estimator, ScoringList):
            labels = class_names_of(estimator, pos_label, labels)
        test = None
        if not (X is None and y is None and sample_weight is None):
            test = (X, y, sample_weight)
        display = cls(scoring_list, stage=stage, test=test, pos_label=pos_label, labels=labels)
        return display.plot(
            ax=ax,
            lower=lower,
            upper=upper,
            cost_fn=cost_fn,
            band=band,
            confidence=confidence,
            method=method,
            correction=correction,
            data=data,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        stage: int | None = None,
        lower: float | None = None,
        upper: float | None = None,
        cost_fn: float | None = None,
        band: bool = True,
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
        data: str = "train",
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw one stage.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        stage : int, optional
            Instead of the display's own.
        lower, upper : float, optional
            Limits up to which a case is ruled out and from which it is ruled in, within [0, 1];
            what lies beyond them is shaded.
        cost_fn : float, optional
            Cost M of a miss, in false alarms: draws the probability above which that predicts
            positive, ``1 / (1 + M)``.
        band : bool, default=True
            Draw intervals, if the list has counts.
        confidence, method, correction
            Of the intervals, as for :meth:`rocviz.core.scoring_lists.ScoringStage.band`.
        data : {"train", "test"}, default="train"
            Whose cases are drawn; probabilities and intervals are always the list's own.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        StageDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        scoring_list = self.scoring_list
        k = self.stage if stage is None else scoring_list.stage_number(stage)
        check_limits(lower, upper)
        if cost_fn is not None:
            cost_fn = check_number(cost_fn, "cost_fn", above=0.0)
        check_choice(data, "data", ("train", "test"))
        shown = scoring_list.stages[k]
        limits = None
        if band and shown.has_counts:
            limits = shown.band(confidence, method=method, correction=correction)
        if data == "test":
            if self._counts is None:
                raise ValueError("data='test' needs test data; the display has none.")
            shown = shown.with_counts(*self._counts[k])
        prior = float(scoring_list.stages[0].probability[0]) if k else None
        draw = partial(
            stage_picture,
            shown,
            limits,
            levels=(lower, upper),
            cost_fn=cost_fn,
            prior=prior,
            classes=self._classes,
            has_counts=True,
        )
        heading = title_of(scoring_list, k)
        if data == "test":
            heading += ", new data"
        style: dict[str, Any] = {"own": named_styles(["curve"], curve_kwargs), "heading": heading}
        drawn = self._show(draw, ax, theme, width=8.2, height=6.2, **style)
        self.line_, self.observed_, self.intervals_ = first_of(
            drawn, "curve", "happened", "intervals"
        )
        names = {"lower": "negative limit", "upper": "positive limit"}
        names |= {mark: mark for mark in ("cost", "prior")}
        self.limit_lines_ = {key: drawn[mark][0] for key, mark in names.items() if drawn[mark]}
        return self

    def plot_curves(
        self,
        ax: Sequence[Axes] | None = None,
        *,
        measures: Sequence[str] = ("entropy", "brier", "auc", "loss"),
        cost_fn: float = 1.0,
        use: str = "point",
        confidence: float = 0.5,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw entropy, Brier score, AUC and loss after each question, on train and test data.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        measures : sequence of {"entropy", "brier", "auc", "loss", "width"}
            What to draw. "width" is the mean width of the intervals, see ``confidence``; it is
            known for the list's own cases only.
        cost_fn : float, default=1
            Cost M of a miss, in false alarms, for the loss.
        use : {"point", "upper"}, default="point"
            Whether decisions go by the probability, or by the upper end of its interval
            (risk-averse).
        confidence : float, default=0.5
            Confidence level of that interval, and of those whose width is drawn.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        StageDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid, or a list written by hand comes without test
            data, or is asked for the width of its intervals. Then no figure is made.
        """
        resolved_theme = resolve_theme(theme)
        scoring_list = self.scoring_list
        if isinstance(measures, str) or not len(measures):
            raise ValueError(
                f"measures must be a sequence of names of measures; got {describe(measures)}."
            )
        for measure in measures:
            check_choice(measure, "measures", tuple(MEASURES))
        options: dict[str, Any] = {"cost_fn": cost_fn, "use": use, "confidence": confidence}
        scores = {}
        if scoring_list.stages[0].has_counts or self._counts is None:
            scores["train"] = scoring_list.stage_scores(**options)
        if self._counts is not None:
            scores["test"] = scoring_list.scores_of(self._counts, **options)
        shown: list[dict[str, Floats]] = []
        for measure in measures:
            if measure == "width":
                shown.append({"train": scoring_list.band_widths(confidence)})
            else:
                shown.append(
                    {name: np.asarray(getattr(row, measure)) for name, row in scores.items()}
                )
        self.axes_ = given_axes(ax, len(shown)) or new_panels(len(shown), resolved_theme)
        self.pictures_: list[Picture] = []
        self.curves_: dict[str, list[Any]] = {}
        for panel, measure, curves in zip(self.axes_, measures, shown, strict=True):
            pen = Pen(panel, resolved_theme)
            pen.title(MEASURES[measure].format(cost_fn=cost_fn, confidence=100 * confidence))
            entries = [Entry(f"stage {self.stage}", "selected-text")]
            if len(curves) > 1:
                entries = [Entry(name, _TEXT_ROLES[name], name) for name in curves] + entries
            draw = partial(measure_picture, curves, entries, self.stage, rises=measure == "auc")
            picture, artists = show_picture(draw, pen)
            self.pictures_.append(picture)
            for name in curves:
                self.curves_.setdefault(name, []).extend(artists[name])
        self.figure_ = self.axes_[0].figure
        return self


def new_panels(n: int, theme: Theme) -> list[Axes]:
    """Make ``n`` axes on a new pyplot figure, two in a row."""
    names = "ABCDE"[:n]
    rows = -(-n // 2)
    mosaic = ";".join(f"{names[2 * row :]:.2}".ljust(min(n, 2), ".") for row in range(rows))
    width = 5.2 * min(n, 2)
    height = 3.4 * rows + 0.4
    return panels(theme, mosaic, width, height, left=4.0, top=2.8, wspace=0.24, hspace=0.42)


def list_of(estimator: Any, pos_label: Any) -> tuple[ScoringList, Any]:
    """Get the list of a fitted estimator, or a list itself, with the positive class."""
    if isinstance(estimator, ScoringList):
        return estimator, pos_label
    if hasattr(estimator, "fit"):
        check_fitted(estimator)
    scoring_list = getattr(estimator, "scoring_list_", None)
    if not isinstance(scoring_list, ScoringList):
        raise ValueError(
            "estimator must be a fitted ProbabilisticScoringList or a ScoringList; got "
            f"{type(estimator).__name__}."
        )
    return scoring_list, own_positive_class(estimator, pos_label)


def check_list(scoring_list: Any) -> ScoringList:
    """Check that ``scoring_list`` is a ScoringList."""
    checked: ScoringList = check_kind(scoring_list, "scoring_list", ScoringList, "from_estimator")
    return checked


def title_of(scoring_list: ScoringList, k: int) -> str:
    """Write the heading of a stage, with its number of questions."""
    size = len(scoring_list)
    if k == 0:
        return f"Before the first of {size} questions"
    names = ", ".join(scoring_list.feature_names[:k])
    if len(names) > 32:
        names = scoring_list.feature_names[k - 1]
    return f"After {names}: {k} of {size} questions"
