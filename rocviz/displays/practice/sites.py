"""SitesDisplay: a forest plot of a score in several sites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import (
    check_aligned,
    check_choice,
    describe,
    labels_of_classes,
)
from rocviz.core.practice.sites import MEASURES, TITLES, SiteComparison, compare_sites
from rocviz.displays.base.data import check_kind, estimator_scores
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.base.rows import IntervalRow, rows_picture
from rocviz.displays.base.style import curve_styles
from rocviz.theme import Theme
from rocviz.words import ClassNames, number, percent, shorten

#: Sites drawn, those of the largest weight.
MAX_SITES = 40

_LABELS = {
    "auc": "area under the ROC curve",
    "observed_expected": "observed over expected {positives}",
    "slope": "calibration slope",
}
_IDEALS = {"observed_expected": 1.0, "slope": 1.0}
_MAX_LETTERS = 16  # of a site's name
# in lines of text
_ROW_HEIGHT = 1.7
_GAP = 0.7


class SitesDisplay(Display):
    """A forest plot: a number of each site with its interval, the mean, and a new site.

    Use :meth:`from_predictions` or :meth:`from_estimator` to make one from data.

    Parameters
    ----------
    comparison : SiteComparison
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.
        See :func:`rocviz.core.practice.compare_sites`. The 40 sites of largest weight are drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Debray et al. (2017).

    Examples
    --------
    >>> from rocviz.datasets import make_groups
    >>> from rocviz.displays.practice import SitesDisplay
    >>> data = make_groups((200, 200, 200), prevalence=(0.5, 0.3, 0.4), separation=(1, 2, 1.5),
    ...     shift=(0, 0, 0), random_state=0)
    >>> display = SitesDisplay.from_predictions(data.y_true, data.y_score, data.groups)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['A', 'B', 'C', 'mean', 'a new site']
    """

    def __init__(self, comparison: SiteComparison, *, labels: Any = None) -> None:
        self.comparison = check_kind(comparison, "comparison", SiteComparison, "compare_sites")
        self._name_classes(labels)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        sites: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        confidence: float = 0.95,
        pos_label: Any = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "auc",
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw a number of each site.

        Parameters
        ----------
        y_true, y_score, sites, sample_weight, clusters, confidence, pos_label
            As for :func:`rocviz.core.practice.compare_sites`.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        curve_kwargs, kind, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        SitesDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        comparison = compare_sites(
            y_true,
            y_score,
            sites,
            sample_weight=sample_weight,
            clusters=clusters,
            confidence=confidence,
            pos_label=pos_label,
        )
        names = ClassNames.of(*labels_of_classes(y_true, pos_label), labels)
        display = cls(comparison, labels=names)
        return display.plot(ax=ax, kind=kind, curve_kwargs=curve_kwargs, theme=theme)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        sites: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        response_method: str = "auto",
        confidence: float = 0.95,
        pos_label: Any = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "auc",
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw a number of each site, for a fitted classifier's scores.

        Parameters
        ----------
        estimator : fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        sites : array-like, shape (n_samples,)
            Site of each sample; none may be missing.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            ``"auto"`` takes probabilities where the classifier has them.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        sample_weight, clusters, confidence, curve_kwargs, kind, labels, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        SitesDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        if isinstance(estimator, Mapping):
            raise ValueError("estimator must be one classifier; make one display for each.")
        check_aligned(X=X, y=y)
        scores, pos_label, _ = estimator_scores(
            estimator, X, response_method=response_method, pos_label=pos_label, name=None
        )
        return cls.from_predictions(
            y,
            scores,
            sites,
            sample_weight=sample_weight,
            clusters=clusters,
            confidence=confidence,
            pos_label=pos_label,
            kind=kind,
            curve_kwargs=curve_kwargs,
            labels=labels,
            ax=ax,
            theme=theme,
        )

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
            By default those of a new figure.
        kind : {"auc", "observed_expected", "slope"}, default="auc"
            The number.
        curve_kwargs : dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the intervals
            of the sites.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        SitesDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid, or no site has the number. Then no figure is made.
        """
        check_choice(kind, "kind", tuple(MEASURES))
        combined = self.comparison.measures.get(kind)
        if combined is None:
            raise ValueError(f"kind={describe(kind)} cannot be drawn: no site has this number.")
        (own,) = curve_styles(curve_kwargs, 1)
        largest = np.sort(np.argsort(-combined.weight, kind="stable")[:MAX_SITES])
        frame = combined.to_frame()
        sites = frame.iloc[largest]
        names = name_texts(sites["site"].tolist(), "sites")
        rows = []
        down = _ROW_HEIGHT / 2
        for name, (_, row) in zip(names, sites.iterrows(), strict=True):
            text = _numbers(row["value"], row["lower"], row["upper"])
            values = (float(row["value"]), float(row["lower"]), float(row["upper"]))
            rows.append(IntervalRow(down, shorten(name, _MAX_LETTERS), *values, text, own=own))
            down += _ROW_HEIGHT
        down += _GAP
        value, lower, upper = combined.average
        new_lower, new_upper = combined.prediction
        for name, low, high, dash in (
            ("mean", lower, upper, "solid"),
            ("a new site", new_lower, new_upper, "dotted"),
        ):
            ends = (low, high) if np.isfinite(low) else (value, value)
            text = _numbers(value, low, high)
            rows.append(IntervalRow(down, name, value, *ends, text, role="hull", dash=dash))
            down += _ROW_HEIGHT
        height = down - _ROW_HEIGHT / 2
        # the value of a perfect model, or the mean where none is perfect
        reference = _IDEALS.get(kind, value)
        title = f"{TITLES[kind]} by site"
        if len(combined.sites) > MAX_SITES:
            title = f"{title}, {MAX_SITES} of {len(combined.sites)} sites"
        pen = self._pen(ax, theme, width=7.2, lines=height + 6.0, left=8.6, bottom=3.4, top=2.6)
        pen.title(title)
        measure = self._classes.shortened().name_in(_LABELS[kind])
        label = f"{measure}, {percent(combined.confidence)} intervals"
        marked: Any = {"seen": [reference], "references": [(reference, 0.0, height)]}
        picture = rows_picture(label, rows, height, **marked)
        self.picture_, _ = show_picture(picture, pen)
        return self


def _numbers(value: float, low: float, high: float) -> str:
    """Write a number with its interval, if there is one."""
    if not np.isfinite(low):
        return f"{number(value)}, no interval"
    return f"{number(value)}  [{number(low)}, {number(high)}]"
