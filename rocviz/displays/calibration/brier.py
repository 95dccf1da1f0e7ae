"""BrierDisplay: what a Brier score is made of, as stacked bars."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any, NamedTuple, Self, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from rocviz.core.base.validation import check_number
from rocviz.core.calibration.brier import BrierDecomposition, brier_bounds, brier_decomposition
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import as_named, n_used, one_or_list
from rocviz.displays.base.display import ModelsDisplay, SampleLook
from rocviz.displays.base.pen import Pen
from rocviz.theme import Theme
from rocviz.words import between, number

_UNIQUE = 0.9  # distinct scores per sample from which on the split per score says nothing
# heights in lines of text
_HEADER, _BAR, _GAP, _NAME, _BRACKET, _NOTE = 1.5, 1.5, 0.9, 1.7, 2.0, 1.25
UNIQUE = (
    "Nearly every score occurs once, so a “segment” is a single sample: the split per score calls "
    "all of it calibration loss. Read the one against the hull."
)


class BrierDisplay(ModelsDisplay):
    """The Brier score as bars: in two parts, against the hull, and without any scores.

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
        What is drawn; a list when there are several models.
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
        self._models = as_named(segments, name)
        if n_samples is not None:
            check_number(n_samples, "n_samples", minimum=1)
        self._parts = {key: brier_decomposition(one) for key, one in self._models.items()}
        self.decomposition = one_or_list(list(self._parts.values()))
        self.segments, self.name, self.pos_label = segments, name, pos_label
        self.n_samples = n_samples

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, **options: Unpack[SampleLook]
    ) -> Self:
        """Draw what the Brier score of a fitted classifier's ``predict_proba`` is made of.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        name : str, optional
            By default the name of the estimator's class.
        ax : matplotlib Axes, optional
            By default those of a new figure. The bars fill them: several models on one axes
            are given as a mapping, not by drawing twice.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        BrierDisplay

        Raises
        ------
        ValueError
            If ``estimator`` is not as said above, or data are bad. No figure has been made then.
        """
        return cls._from_classifier(estimator, X, y, options, method="predict_proba")

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_prob: Any, **options: Unpack[SampleLook]
    ) -> Self:
        """Draw what the Brier score of predicted probabilities is made of.

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
            Of the one model.
        ax : matplotlib Axes, optional
            By default those of a new figure. The bars fill them: several models on one axes
            are given as a mapping, not by drawing twice.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        BrierDisplay

        Raises
        ------
        ValueError
            If data are bad. No figure has been made then.

        Examples
        --------
        >>> from rocviz import BrierDisplay
        >>> display = BrierDisplay.from_predictions(
        ...     [0, 1, 1, 0], {"bold": [0.1, 0.9, 0.9, 0.9], "meek": [0.4, 0.6, 0.6, 0.6]}
        ... )
        >>> [round(parts.brier, 2) for parts in display.decomposition]
        [0.21, 0.21]
        """
        found = cls._samples(y_true, y_prob, options, probabilities=True)
        return cls(
            found.as_given(found.models),
            name=found.name,
            pos_label=found.pos_label,
            n_samples=n_used(y_true, options.get("sample_weight")),
        ).plot(**found.looks)

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
            If an argument is not as said above. No figure has been made then.
        """
        (who, *others) = self._names(name)
        unique = any(
            len(one) >= _UNIQUE * (one.n_samples if self.n_samples is None else self.n_samples)
            for one in self._models.values()
        )
        prevalence = {key: one.prevalence for key, one in self._models.items()}
        rows = _rows(self._parts, prevalence)
        lines = _height(rows, 3 * unique) + 4.2
        pen = self._pen(ax, theme, lines=lines, left=1.6, bottom=0.6, top=3.4)
        drawn = _draw(pen, rows, unique=unique)
        joined = "" if all(one.is_exact for one in self._models.values()) else ", of joined scores"
        title = f"Brier scores{joined}"
        if not others:
            ((key, one),) = self._models.items()
            found = number(self._parts[key].brier)
            if joined:
                bounds = (bound.brier for bound in brier_bounds(one))
                found = f"{between(*bounds)}{joined} {found}"
            title = f"Brier score{'' if who is None else f' of {who}'} {found}"
        pen.title(title)
        self.bars_ = one_or_list(list(drawn.values()))
        return self


class _Row(NamedTuple):
    """A bar: its heading, and term, words, value and colour of each of its pieces."""

    model: Any
    heading: str
    parts: tuple[tuple[str, str, float, str], ...]
    name: str | None = None  # a heading of its own; only a gap where it is empty
    brackets: tuple[tuple[str, float], ...] = ()  # gains that end where the bar ends

    @property
    def height(self) -> float:
        """Compute the height in lines of text, without that of the name."""
        return _HEADER + _BAR + _GAP + _BRACKET * len(self.brackets)


def _rows(
    named: Mapping[str | None, BrierDecomposition], prevalence: Mapping[str | None, float]
) -> list[_Row]:
    """Order the bars from top to bottom; the last is shared if the data are the same."""
    rows = []
    same = len({round(one.uncertainty, 12) for one in named.values()}) == 1
    several = len(named) > 1
    for i, (name, one) in enumerate(named.items()):
        leaves = one.brier - one.miscalibration
        losses = (
            ("calibration_loss", "calibration", one.calibration_loss, "held"),
            ("refinement_loss", "refinement", one.refinement_loss, "negative"),
        )
        parts = (
            ("miscalibration", "miscalibration", one.miscalibration, "held"),
            ("hull", "hull leaves", leaves, "hull"),
        )
        heading = f"{name}: {number(one.brier)}" if several else None
        rows.append(_Row(name, "per score", losses, heading))
        rows.append(_Row(name, "against the hull", parts))
        if not same or i == len(named) - 1:
            always = f"always say {number(prevalence[name], 2)}:"
            last = (("uncertainty", always, one.uncertainty, "reference"),)
            gains = (("resolution", one.refinement_loss), ("discrimination", leaves))
            gap = "" if several and same else None
            about = "knowing only the prevalence"
            rows.append(_Row(name, about, last, gap, () if several else gains))
    return rows


def _height(rows: list[_Row], lines_of_note: int) -> float:
    """Compute the height of all rows in lines of text."""
    names = sum(_NAME if row.name else _GAP for row in rows if row.name is not None)
    note = _NOTE * (lines_of_note + 0.6) if lines_of_note else 0.0
    return sum(row.height for row in rows) + names + note


def _draw(pen: Pen, rows: list[_Row], *, unique: bool) -> dict[Any, dict[str, Rectangle]]:
    """Draw rows of bars below each other, with a note where every score is ``unique``.

    Returns the bars of each model by their term.
    """
    pen.ax.figure.set_facecolor(pen.colour("paper"))
    pen.ax.set_axis_off()
    pen.settle()
    wide, high = pen.size
    scale = float(np.clip(wide / pen.font() / 28, 0.65, 1.0))
    for _ in range(2):  # a smaller type may need fewer lines for the note
        note = fill(UNIQUE, max(int(wide / pen.font(0.52 * scale)), 20)) if unique else ""
        lines = _height(rows, len(note.splitlines()))
        scale = min(scale, high / (lines * pen.font()))
    right = max(sum(part[2] for part in row.parts) for row in rows)
    pen.ax.set(xlim=(0, right), ylim=(high / pen.font(scale), 0))
    made: dict[Any, dict[str, Rectangle]] = {row.model: {} for row in rows}
    y = 0.0
    for row in rows:
        if row.name is not None:
            _write(pen, row.name, 0, y + _NAME / 2, scale, bold=True)
            y += _NAME if row.name else _GAP
        made[row.model] |= _draw_row(pen, row, y, scale)
        for k, (words, start) in enumerate(row.brackets):
            bottom = y + _HEADER + _BAR + _BRACKET * (k + 0.85)
            _bracket(pen, words, start, row.parts[0][2], bottom, scale)
        y += row.height
    _write(pen, note, 0, y, 0.88 * scale, "muted", va="top", linespacing=1.3)
    return made


def _write(
    pen: Pen, words: str, x: float, y: float, scale: float, thing: str = "text", **looks: Any
) -> Any:
    looks = {"transform": pen.ax.transData, "va": "center", "path_effects": [], **looks}
    return pen.text(words, thing, scale, x=x, y=y, **looks)


def _draw_row(pen: Pen, row: _Row, y: float, scale: float) -> dict[str, Rectangle]:
    """Draw a bar below its heading, which says in its colours what its pieces are."""
    beside = _write(pen, row.heading, 0, y + _HEADER / 2, scale)
    made, left = {}, 0.0
    for term, words, value, thing in row.parts:
        looks = {"edgecolor": pen.colour("paper"), "linewidth": pen.stroke(0.6)}
        looks |= {"left": left, "color": pen.tint(thing, 0.8), "label": f"_{term}"}
        (made[term],) = pen.ax.barh(y + _HEADER + _BAR / 2, value, _BAR, **looks)
        left += value
        ink = "muted" if thing == "reference" else f"{thing}-text"
        looks = {"xycoords": beside, "path_effects": [], "bold": True}
        shift = (0.9 * pen.font(scale), 0)
        beside = pen.beside(f"{words} {number(value)}", (1, 0.5), shift, ink, scale, **looks)
    return made


def _bracket(pen: Pen, words: str, start: float, end: float, y: float, scale: float) -> None:
    """Draw from where to where a gain reaches, with its name above."""
    looks = {"marker": "|", "markersize": pen.font(0.6 * scale), "clip_on": False}
    pen.line([start, end], [y, y], "muted", 0.5, label=f"_{words}", **looks)
    low, high = sorted((start, end))
    is_right = high > pen.ax.get_xlim()[1] / 2
    x, side = (high, "right") if is_right else (low, "left")
    words = f"{words} {number(end - start)}"
    _write(pen, words, x, y - 0.75, 0.9 * scale, "muted", ha=side)
