"""FermiDiracDisplay: labels by rank, the law that the AUC implies, and its ROC curve.

:class:`rocviz.FermiDiracExplorer` draws the same with its samples in columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import check_fraction, check_integer
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import rank_frequencies, rank_labels
from rocviz.core.roc.metrics import binomial_interval
from rocviz.core.roc.segments import RankedSegments, check_segments
from rocviz.displays.base.display import ModelDisplay
from rocviz.displays.base.draw_picture import first_of, show_picture
from rocviz.displays.base.figure import given_axes, panels
from rocviz.displays.base.style import Pen, curve_styles, resolve_theme
from rocviz.displays.fermi_dirac.pictures import AXIS_LIMITS, law_roc, levels_picture, roc_picture
from rocviz.pictures import Entry
from rocviz.theme import Theme
from rocviz.words import amount, area_text, sample_counts


class FermiDiracDisplay(ModelDisplay):
    """Levels of a ranking filled by positives, with the Fermi-Dirac law and its ROC curve.

    The law is the probability of a positive at each rank that the AUC and the class counts
    alone imply; where the dots lie off it, the ranking has another shape. Use
    :meth:`from_estimator` or :meth:`from_predictions` to make one from data; the constructor
    takes results.

    Parameters
    ----------
    segments : RankedSegments
        One ranking with whole weights.
    name : str, optional
        Name of the model.
    pos_label : label, optional
        The positive class; a string is used in the label that counts the samples.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    law : FermiDirac
        Law of the ranking.
    ax_ : matplotlib Axes
        The axes of the law, the frequencies and the levels below: dots, filled where a rank holds
        a positive. Of very many ranks every k-th is drawn.
    roc_ax_ : matplotlib Axes or None
        The axes of both ROC curves.
    figure_ : matplotlib Figure
    picture_ : rocviz.pictures.Picture
        What was drawn on ``ax_``, as a value.
    line_ : Line2D
        The law.
    points_ : PathCollection
        Shares of positives in slices of the ranking.
    intervals_ : LineCollection
        Their binomial intervals (Wilson).
    threshold_line_, potential_line_ : Line2D or None
        At r*, where the law is equal to the prevalence, and at the chemical potential, where
        it is 1/2; ``None`` if that is beyond all ranks.
    roc_line_, roc_law_line_ : Line2D or None
        ROC curves of the data and of the law.

    Raises
    ------
    ValueError
        If the segments hold weights, where the law needs counts.

    See Also
    --------
    FermiDirac : The numbers.
    ROCHullDisplay : ROC curve with hull and band.

    References
    ----------
    Kim et al. (2021), Figure 1.

    Examples
    --------
    >>> from rocviz import FermiDiracDisplay
    >>> y_true = [0, 0, 1, 0, 1, 1]
    >>> y_score = [0.1, 0.3, 0.35, 0.4, 0.6, 0.9]
    >>> display = FermiDiracDisplay.from_predictions(y_true, y_score)
    >>> round(display.law.temperature, 3), display.law.threshold_rank
    (0.824, 3.5)
    """

    def __init__(
        self,
        segments: RankedSegments,
        *,
        name: str | None = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        self.law = FermiDirac.from_segments(check_segments(segments))
        self.segments = segments
        self.name = name
        self.pos_label = pos_label
        self._name_classes(labels)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        n_slices: int | None = None,
        confidence: float = 0.95,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | tuple[Axes, Axes] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the ranking of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
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
        labels
            As for :meth:`from_predictions`.
        n_slices, confidence, curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        FermiDiracDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        return cls._from_classifier(
            estimator,
            X,
            y,
            response_method=response_method,
            pos_label=pos_label,
            name=name,
            n_slices=n_slices,
            confidence=confidence,
            curve_kwargs=curve_kwargs,
            labels=labels,
            ax=ax,
            theme=theme,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        name: str | None = None,
        n_slices: int | None = None,
        confidence: float = 0.95,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | tuple[Axes, Axes] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the ranking by scores.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,)
            Higher means more positive.
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        n_slices, confidence, curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        FermiDiracDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.

        Examples
        --------
        >>> from rocviz import FermiDiracDisplay
        >>> display = FermiDiracDisplay.from_predictions([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6])
        >>> display.law.auc
        0.75
        """
        segments, samples = cls._sample(
            y_true, y_score, pos_label=pos_label, name=name, labels=labels
        )
        display = cls(
            segments,
            name=samples.name,
            pos_label=samples.pos_label,
            labels=samples.class_names,
        )
        return display.plot(
            ax=ax, n_slices=n_slices, confidence=confidence, curve_kwargs=curve_kwargs, theme=theme
        )

    def plot(
        self,
        ax: Axes | tuple[Axes, Axes] | None = None,
        *,
        name: str | None = None,
        n_slices: int | None = None,
        confidence: float = 0.95,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes or pair of Axes, optional
            One takes the law and the levels, which stand below it; a second one the ROC
            curves. By default both, of a new figure.
        name : str, optional
            Of the one model, instead of the display's own.
        n_slices : int, optional
            Slices of the ranking whose share of positives is drawn; by default up to 20, of
            20 ranks or more, but 4 where there are 20 ranks at all.
        confidence : float, default=0.95
            Confidence level of the intervals of those shares.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each model.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        FermiDiracDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        resolved_theme = resolve_theme(theme)
        (style,) = curve_styles(curve_kwargs, 1)
        confidence = check_fraction(confidence, "confidence")
        if n_slices is not None:
            n_slices = check_integer(n_slices, "n_slices", 1, self.law.ranks.size)
        axes = given_axes(ax, 1, 2) or panels(
            resolved_theme, "AB", 11.2, 5.4, ratios=((1.2, 1.0), None), wspace=0.2
        )
        law = self.law
        segments = self.segments
        shown = self.name if name is None else name
        slices = rank_frequencies(segments, n_slices)
        ends = binomial_interval(slices.pos, slices.n, confidence=confidence, method="wilson")
        highest = max(float(ends[1].max()), *law.probability([0.5, law.ranks.size + 0.5]))
        auc_text = f"{shown or 'data'}, AUC {area_text(segments, attrgetter('auc'))}"
        counts = sample_counts(segments, self._classes)
        sizes = " or ".join(amount(n) for n in np.unique(slices.n))
        ranks = "rank" if sizes == "1" else "ranks"
        heat = Entry(
            f"{style.pop('label', 'Fermi-Dirac law')}, T = {_heat(law.temperature)} ranks",
            "text" if "color" in style else "hull-text",
            "curve",
        )
        notes = (
            Entry(f"{self._classes.positives} among {sizes} {ranks}", "muted", "slices", False),
            Entry(f"{100 * confidence:g} % intervals, Wilson", "muted", "intervals", False),
        )
        alone = len(axes) == 1
        rows = [heat]
        if alone:
            rows.insert(0, Entry(auc_text))
        full = [*rows, *notes]
        if alone:
            full.append(Entry(counts, "muted", bold=False))
        draw = partial(
            levels_picture,
            law,
            rank_labels(segments),
            slices,
            intervals=ends,
            top=next(end for end in AXIS_LIMITS if highest <= 0.9 * end or end == 1),
            rows=(full, rows),
            own=style,
            classes=self._classes,
        )
        artists = self._show(draw, axes[0], resolved_theme)
        self.line_, self.points_, self.intervals_ = first_of(
            artists, "curve", "slices", "intervals"
        )
        self.threshold_line_, self.potential_line_ = first_of(artists, "best", "middle")
        self.roc_ax_ = self.roc_line_ = self.roc_law_line_ = None
        if not alone:
            self.roc_ax_ = axes[1]
            thinned = segments.thin(2000)
            words = (
                (auc_text, "ranking"),
                ("Fermi-Dirac law, same AUC", "hull-text"),
                (counts, "muted"),
            )
            draw = partial(roc_picture, law, (thinned.fpr, thinned.tpr), law_roc(law), rows=words)
            _, artists = show_picture(draw, Pen(axes[1], resolved_theme))
            self.roc_line_, self.roc_law_line_ = first_of(artists, "data", "law")
        return self


def _heat(temperature: float) -> str:
    if np.isinf(temperature):
        return "∞"
    text = f"{temperature:{',.0f' if 1000 <= abs(temperature) < 1e9 else '.3g'}}"
    return text.replace("-", "−").removeprefix("−0") or "0"
