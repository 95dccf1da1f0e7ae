"""PairsDisplay: every pair of a positive and a negative, whose border is the ROC curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.classes import positive_column
from rocviz.core.base.naming import by_name
from rocviz.core.base.validation import labels_of_classes
from rocviz.core.roc.pairs import RankedPairs, rank_pairs
from rocviz.displays.base.data import check_kind
from rocviz.displays.base.display import ModelDisplay
from rocviz.displays.base.draw_picture import first_of, show_picture
from rocviz.displays.base.style import curve_styles
from rocviz.displays.roc.pairs_picture import (
    PairsScene,
    can_have_cells,
    pairs_picture,
    pairs_title,
)
from rocviz.theme import Theme
from rocviz.words import ClassNames


class PairsDisplay(ModelDisplay):
    """A square with a cell for each pair of a positive and a negative: its border is the ROC curve.

    A cell has the colour of the class that scores higher, and half of it where both tie, so the
    coloured share is the AUC. Of more than 120 samples of a class only the areas are drawn. Use
    :meth:`from_predictions` or :meth:`from_estimator` to make one from data.

    Parameters
    ----------
    pairs : RankedPairs
        See :func:`rocviz.core.roc.rank_pairs`. Rows and columns are as high and as wide as samples
        weigh.
    name : str, optional
        Of the model, for the title.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.
    line_ : Line2D
        The ROC curve.
    hull_line_ : Line2D or None
        The convex hull.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    ROCHullDisplay : The curve over rates, with its band.

    References
    ----------
    Hanley and McNeil (1982).

    Examples
    --------
    >>> from rocviz import PairsDisplay
    >>> display = PairsDisplay.from_predictions([0, 0, 1, 0, 1], [0.1, 0.3, 0.35, 0.4, 0.6])
    >>> display.ax_.get_title(loc="left")
    '6 pairs, 83 % in order'
    """

    def __init__(self, pairs: RankedPairs, *, name: str | None = None, labels: Any = None) -> None:
        self.pairs = check_kind(pairs, "pairs", RankedPairs, "rank_pairs")
        self.name = name
        self._name_classes(labels)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        hull: bool = False,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the pairs of labels and scores.

        Parameters
        ----------
        y_true, y_score, sample_weight, pos_label
            As for :func:`rocviz.core.roc.rank_pairs`.
        name : str, optional
            Of the model, for the title.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        hull, curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        PairsDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        y_score = positive_column(y_score, y_true, pos_label, "y_score")
        if isinstance(by_name(y_score), Mapping):
            raise ValueError("y_score must be the scores of one model; make one display for each.")
        pairs = rank_pairs(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        classes = labels_of_classes(y_true, pos_label)
        display = cls(pairs, name=name, labels=ClassNames.of(*classes, labels))
        return display.plot(ax=ax, hull=hull, curve_kwargs=curve_kwargs, theme=theme)

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
        hull: bool = False,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the pairs of a fitted classifier's scores.

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
        sample_weight, hull, curve_kwargs, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        PairsDisplay

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
            sample_weight=sample_weight,
            hull=hull,
            curve_kwargs=curve_kwargs,
            labels=labels,
            ax=ax,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        hull: bool = False,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        hull : bool, default=False
            Draw the convex hull, which adds the pairs that joining segments puts in order.
        curve_kwargs : dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curve.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        PairsDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        (own,) = curve_styles(curve_kwargs, 1)
        pairs = self.pairs
        segments = pairs.segments
        has_cells = can_have_cells(pairs.pos_score.size, pairs.neg_score.size)
        scene = PairsScene(
            segments,
            pairs=pairs if has_cells else None,
            hull=segments.hull() if hull else None,
            names=self._classes.shortened(),
        )
        pen = self._pen(ax, theme, top=2.6)
        title = pairs_title(segments)
        pen.title(title if self.name is None else f"{self.name}: {title}")
        drawn: Any = {"own": {"curve": own}}
        self.picture_, artists = show_picture(lambda size: pairs_picture(scene, size), pen, **drawn)
        self.line_, self.hull_line_ = first_of(artists, "curve", "hull")
        return self
