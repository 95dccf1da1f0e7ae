"""BrierDisplay: the decompositions of the Brier score as stacked bars."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any, Self

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import check_number
from rocviz.core.calibration.brier import BrierDecomposition, brier_bounds, brier_decomposition
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import n_used, one_or_list
from rocviz.displays.base.display import ModelsDisplay
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.calibration.pictures import BarRow, bars_height, bars_picture, brier_pieces
from rocviz.theme import Theme
from rocviz.words import between, number

# share of distinct scores above which the decomposition by score is meaningless
_MAX_DISTINCT_SHARE = 0.9
TOO_DISTINCT_WARNING = (
    "Nearly every score occurs once, so a “segment” is a single sample: the split per score calls "
    "all of it calibration loss. Read the one against the hull."
)


class BrierDisplay(ModelsDisplay):
    """Brier score as bars: in two parts, against the hull, and against no scores at all.

    The first bar splits it over the samples with exactly the same prediction, the second
    against the convex hull (the best recalibration that keeps the order), the third is the
    score of always predicting the prevalence. Use :meth:`from_estimator` or
    :meth:`from_predictions` to make one from data; the constructor takes results.

    Parameters
    ----------
    segments, name
        As for :class:`ReliabilityDisplay`.
    pos_label : label, optional
        The positive class.
    n_samples : int, optional
        How many samples the segments hold, to tell whether nearly every score is unique; by
        default their total weight.

    Attributes
    ----------
    decomposition : BrierDecomposition, or list of BrierDecomposition
        The decomposition drawn; a list when there are several models.
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Where it was drawn.
    bars_ : dict of str to Rectangle, or list of dict
        The pieces: ``calibration_loss``, ``refinement_loss``, ``miscalibration``, ``hull``
        (the Brier score of the hull) and ``uncertainty``, which the last of several models on
        the same data has for all.

    Raises
    ------
    ValueError
        If ``n_samples`` is below 1.

    See Also
    --------
    rocviz.brier_decomposition : The numbers.
    ReliabilityDisplay : Where the calibration loss comes from.

    References
    ----------
    Flach and Matsubara (2008), Theorem 1.

    Examples
    --------
    >>> from rocviz import BrierDisplay
    >>> display = BrierDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.6, 0.2])
    >>> round(float(display.bars_["refinement_loss"].get_width()), 6)
    0.125
    """

    def __init__(
        self,
        segments: RankedSegments | Mapping[Any, RankedSegments],
        *,
        name: str | None = None,
        pos_label: Any = None,
        n_samples: int | None = None,
    ) -> None:
        super().__init__(segments, name=name, pos_label=pos_label)
        if n_samples is not None:
            check_number(n_samples, "n_samples", minimum=1)
        self._parts = {key: brier_decomposition(segments) for key, segments in self._models.items()}
        self.decomposition = one_or_list(list(self._parts.values()))
        self.n_samples = n_samples

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the decompositions of the Brier score of a classifier's ``predict_proba``.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        name : str, optional
            By default the name of the estimator's class.
        sample_weight, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        BrierDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        return cls._from_classifier(
            estimator,
            X,
            y,
            response_method="predict_proba",
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            ax=ax,
            theme=theme,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: Any,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the decompositions of the Brier score of predicted probabilities.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_prob : array-like of float, shape (n_samples,), or mapping of str to array-like
            Probabilities of the positive class; a mapping gives those of several models.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        ax, theme
            As for :meth:`plot`.

        Returns
        -------
        BrierDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.

        Examples
        --------
        >>> from rocviz import BrierDisplay
        >>> display = BrierDisplay.from_predictions(
        ...     [0, 1, 1, 0], {"bold": [0.1, 0.9, 0.9, 0.9], "meek": [0.4, 0.6, 0.6, 0.6]}
        ... )
        >>> [round(parts.brier, 2) for parts in display.decomposition]
        [0.21, 0.21]
        """
        samples = cls._samples(
            y_true,
            y_prob,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            probabilities=True,
        )
        n_samples = n_used(y_true, sample_weight)
        return cls._of_samples(samples, n_samples=n_samples).plot(ax=ax, theme=theme)

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, theme: Theme | str | None = None
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure. The bars fill them: several models on one axes
            are given as a mapping, not by drawing twice.
        name : str, optional
            Of the one model, instead of the display's own.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        BrierDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        (model_name, *others) = self._names(name)
        is_too_distinct = any(map(self._is_too_distinct, self._models.values()))
        prevalence = {key: segments.prevalence for key, segments in self._models.items()}
        keys, rows = _rows(self._parts, prevalence)
        lines = bars_height(rows, 3 if is_too_distinct else 0) + 4.2
        pen = self._pen(ax, theme, lines=lines, left=1.6, bottom=0.6, top=3.4)
        is_exact = all(segments.is_exact for segments in self._models.values())
        joined = "" if is_exact else ", of joined scores"
        title = f"Brier scores{joined}"
        if not others:
            ((key, segments),) = self._models.items()
            score = number(self._parts[key].brier)
            if joined:
                bounds = [bound.brier for bound in brier_bounds(segments)]
                score = f"{between(*bounds)}{joined} {score}"
            of_model = "" if model_name is None else f" of {model_name}"
            title = f"Brier score{of_model} {score}"
        pen.title(title)
        note = []
        if is_too_distinct:
            letters = max(int(pen.size[0] / pen.font(0.6)), 20)
            note = [[(line, "muted")] for line in wrap(TOO_DISTINCT_WARNING, letters)]
        self.picture_, artists = show_picture(bars_picture(rows, note), pen)
        bars: dict[Any, dict[str, Any]] = {key: {} for key in self._models}
        for i, (key, row) in enumerate(zip(keys, rows, strict=True)):
            bars[key] |= {term: artists[f"{term}:{i}"][0] for term, *_ in row.parts}
        self.bars_ = one_or_list(list(bars.values()))
        return self

    def _is_too_distinct(self, segments: RankedSegments) -> bool:
        """Check if nearly every sample has a score of its own."""
        n_samples = segments.n_samples if self.n_samples is None else self.n_samples
        return len(segments) >= _MAX_DISTINCT_SHARE * n_samples


def _rows(
    named: Mapping[str | None, BrierDecomposition], prevalence: Mapping[str | None, float]
) -> tuple[list[str | None], list[BarRow]]:
    """List the bars from top to bottom with their models; models on equal data share the last."""
    keys: list[str | None] = []
    rows: list[BarRow] = []
    same = len({round(parts.uncertainty, 12) for parts in named.values()}) == 1
    several = len(named) > 1
    for i, (name, parts) in enumerate(named.items()):
        losses, against_hull = brier_pieces(
            parts, "calibration", "refinement", "miscalibration", "hull leaves"
        )
        heading = f"{name}: {number(parts.brier)}" if several else None
        rows.append(BarRow("per score", losses, heading))
        rows.append(BarRow("against the hull", against_hull))
        if not same or i == len(named) - 1:
            always = f"always say {number(prevalence[name], 2)}:"
            last = (("uncertainty", always, parts.uncertainty, "reference"),)
            gains = (("resolution", parts.refinement_loss), ("discrimination", against_hull[1][2]))
            gap = "" if several and same else None
            about = "knowing only the prevalence"
            rows.append(BarRow(about, last, gap, () if several else gains))
        keys += [name] * (len(rows) - len(keys))
    return keys, rows
