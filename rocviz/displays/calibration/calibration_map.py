"""CalibrationMapDisplay: isotonic regression beside beta calibration of the same scores.

Both maps are fitted by :func:`rocviz.core.calibration.calibration.calibration_map`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import check_number, check_vector
from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.roc.segments import RankedSegments, check_segments
from rocviz.displays.base.display import ModelDisplay
from rocviz.displays.base.style import named_styles
from rocviz.pictures import UNIT_TICKS, Axis, Entry, Legend, Line, Mark, Picture, uprights, words
from rocviz.theme import Theme
from rocviz.words import amount

#: Role, dash, ink and words of each map.
_STYLES = {
    "isotonic": ("hull", "dashed", "hull-text", "isotonic regression"),
    "beta": ("ranking", "solid", "text", "beta calibration"),
}
_HISTOGRAM_HEIGHT = 0.1  # height of the highest column of samples


class CalibrationMapDisplay(ModelDisplay):
    """Probability against score by isotonic regression and by beta calibration, in one picture.

    Drawn as in Hanselle et al. (2024), figure 1: columns above are the positives at each score,
    columns below the negatives. Scores outside
    [0, 1], such as the totals of a scoring list, are scaled linearly for beta calibration. Use
    :meth:`from_predictions`, :meth:`from_estimator` or :meth:`from_stage` to make one; the
    constructor takes a ranking.

    Parameters
    ----------
    segments : RankedSegments
        At least two distinct scores.
    name : str, optional
        Name of the score.
    low, high : float, optional
        The scores that beta calibration takes for 0 and 1; by default 0 and 1 if all scores
        lie between, else the lowest and the highest score.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    maps : dict of str to CalibrationMap
        ``"isotonic"`` of the scores, ``"beta"`` of the scaled scores.
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    lines_ : dict of str to Line2D
        ``"isotonic"`` and ``"beta"``.

    Raises
    ------
    ValueError
        If ``segments`` are something else, or the ends of the range are not numbers that rise.

    See Also
    --------
    StageDisplay : One stage with its intervals.
    ReliabilityDisplay : Predicted probabilities against observed frequencies.

    Examples
    --------
    >>> from rocviz import CalibrationMapDisplay
    >>> display = CalibrationMapDisplay.from_predictions([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> display.probability([2.0, 5.0])["isotonic"]
    array([0., 1.])
    """

    def __init__(
        self,
        segments: RankedSegments,
        *,
        name: str | None = None,
        low: float | None = None,
        high: float | None = None,
        labels: Any = None,
    ) -> None:
        score = check_segments(segments).score
        ends = float(score.min()), float(score.max())
        if ends[0] >= 0 and ends[1] <= 1:
            ends = 0.0, 1.0
        self.low = check_number(ends[0] if low is None else low, "low")
        self.high = check_number(ends[1] if high is None else high, "high")
        if not self.low < self.high or score.min() < self.low or score.max() > self.high:
            raise ValueError(
                "low and high, by default the least and largest score (y_score), must differ and "
                "have all scores between them."
            )
        if self.high - self.low == np.inf:
            raise ValueError(
                "low and high, or scores (y_score), must not be so far apart that their "
                "difference overflows."
            )
        self.segments = segments
        self.name = name
        self._name_classes(labels)
        scaled = segments.with_scores((score - self.low) / (self.high - self.low))
        self.maps = {
            "isotonic": calibration_map(segments, method="isotonic"),
            "beta": calibration_map(scaled, method="beta"),
        }

    def probability(self, score: ArrayLike) -> dict[str, Any]:
        """Compute the probability at scores by each map.

        Parameters
        ----------
        score : array-like of float, shape (n_scores,)

        Returns
        -------
        dict of str to ndarray, shape (n_scores,)

        Raises
        ------
        ValueError
            If the scores are no finite numbers.
        """
        x = check_vector(score, "score")
        scaled = np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)
        return {"isotonic": self.maps["isotonic"](x), "beta": self.maps["beta"](scaled)}

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
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw both calibration maps of a fitted classifier's scores.

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
        sample_weight, curve_kwargs, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        CalibrationMapDisplay

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
            curve_kwargs=curve_kwargs,
            labels=labels,
            ax=ax,
            theme=theme,
        )

    @classmethod
    def from_stage(
        cls,
        stage: Any,
        *,
        name: str | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw both calibration maps of the totals of a scoring list's stage.

        Parameters
        ----------
        stage : ScoringStage
            With counts, such as one of :attr:`ScoringList.stages`.
        name : str, optional
            Name of the score; by default "total score".
        curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        CalibrationMapDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        if not (hasattr(stage, "totals") and hasattr(stage, "segments")):
            raise ValueError(f"stage must be a ScoringStage; got {type(stage).__name__}.")
        segments = stage.segments
        totals = stage.totals
        low = float(totals[-1])
        high = float(totals[0])
        return cls(segments, name=name or "total score", low=low, high=high).plot(
            ax=ax, curve_kwargs=curve_kwargs, theme=theme
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw both calibration maps of scores.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,)
            Higher means more positive.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        CalibrationMapDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        segments, samples = cls._sample(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            labels=labels,
        )
        display = cls(segments, name=samples.name, labels=samples.class_names)
        display._score_name = samples.score_name
        return display.plot(ax=ax, curve_kwargs=curve_kwargs, theme=theme)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        name : str, optional
            Of the one model, instead of the display's own.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        CalibrationMapDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        style: dict[str, Any] = {"heading": "Isotonic regression and beta calibration"}
        style["own"] = named_styles(list(_STYLES), curve_kwargs)
        picture = _picture(self, name or self.name or self._score_name)
        drawn = self._show(picture, ax, theme, width=7.2, height=5.4, **style)
        self.lines_ = {name: drawn[name][0] for name in _STYLES}
        return self


def _picture(display: CalibrationMapDisplay, label: str) -> Picture:
    """Make the picture: samples along the edges, maps between them."""
    segments = display.segments
    low = display.low
    high = display.high
    highest = max(float(segments.pos.max()), float(segments.neg.max()))
    marks: list[Mark] = []
    classes = display._classes.shortened()
    for role, kind, counts, start, direction in (
        ("positive", classes.positives, segments.pos, 1.02, 1),
        ("negative", classes.negatives, segments.neg, -0.02, -1),
    ):
        tops = start + direction * _HISTOGRAM_HEIGHT * counts / highest
        bars = uprights(segments.score, np.full(len(segments), start), tops)
        text = [(low, start + 0.16 * direction, f"{amount(counts.sum())} {kind}", f"{role}-text")]
        marks += [Line(f"{role}s", role, *bars, width=3.0), words(f"{role} words", text)]
    x = np.union1d(np.linspace(low, high, 401), segments.score)
    for name, y in display.probability(x).items():
        role, dash, *_ = _STYLES[name]
        marks.append(Line(name, role, x, y, dash=dash))
    rows = [Entry(text, ink, name) for name, (*_, ink, text) in _STYLES.items()]
    marks.append(Legend("words", "text", choices=[rows], corner=(0.0, 1.0)))
    return Picture(
        Axis(label, low, high, pad=0.03),
        Axis("probability", -0.2, 1.2, UNIT_TICKS, pad=0.0),
        tuple(marks),
    )
