"""PeopleDisplay: each sample as a dot, filled if predicted positive, and the four cells.

The picture is made in :mod:`rocviz.displays.roc.crowd`.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import check_number
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.segments import RankedSegments, check_segments
from rocviz.displays.base.display import ModelDisplay
from rocviz.displays.roc.crowd import PeopleScene, Queue, Row, people_picture, threshold_at
from rocviz.theme import Theme


class PeopleDisplay(ModelDisplay):
    """Samples as dots at their scores, and in the cells that a threshold puts them into.

    Positives stand above a line and negatives below. A dot is filled if it is predicted positive;
    with more than 300 samples it stands for several, and the picture says for how many. Use
    :meth:`from_estimator` or :meth:`from_predictions` to make one from data; the constructor takes
    a ranking.

    Parameters
    ----------
    segments : RankedSegments
        The ranking.
    threshold : float, optional
        Samples that score at least this are predicted positive. By default 0.5 if all scores lie
        in [0, 1], else the threshold with the highest accuracy.
    name : str, optional
        Name of the model.
    labels : pair of str, optional
        Names of the negative and of the positive class.

    Attributes
    ----------
    table : ConfusionTable
        The numbers in the four cells.
    per_dot : float
        Number of samples, or their weight, that a dot stands for.
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    people_ : dict of str to PathCollection
        The dots of ``"positive"`` and of ``"negative"`` samples at their scores.
    cells_ : dict of str to PathCollection
        The same dots in their cells.
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    ROCHullDisplay : All thresholds at once.
    rocviz.ROCExplorer : The same picture, with a threshold to drag.

    References
    ----------
    Wattenberg, Viégas and Hardt (2016).

    Examples
    --------
    >>> from rocviz.displays.roc import PeopleDisplay
    >>> y_true = ["healthy", "healthy", "ill", "healthy", "ill", "ill"]
    >>> y_score = [0.1, 0.3, 0.35, 0.4, 0.6, 0.9]
    >>> display = PeopleDisplay.from_predictions(y_true, y_score, pos_label="ill")
    >>> display.table.tp, display.table.fn, display.table.fp, display.table.tn
    (2.0, 1.0, 0.0, 3.0)
    >>> display.per_dot
    1.0
    """

    def __init__(
        self,
        segments: RankedSegments,
        *,
        threshold: float | None = None,
        name: str | None = None,
        labels: Any = None,
    ) -> None:
        self.segments = check_segments(segments)
        self._name_classes(labels)
        self.name = name
        self._queue = Queue.of(segments)
        if threshold is None:
            threshold = 0.5
            if self._queue.bounds != (0.0, 1.0):
                best = segments.optimal_point().threshold
                threshold = best if np.isfinite(best) else float(segments.score[0])
        self.threshold = check_number(threshold, "threshold")

    @property
    def table(self) -> ConfusionTable:
        """The confusion table at the threshold."""
        return self.segments.at_threshold(self.threshold)

    @property
    def per_dot(self) -> float:
        """Number of samples, or their weight, that a dot stands for."""
        return self._queue.per_dot

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
        threshold: float | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the samples that a fitted classifier scores.

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
        sample_weight, threshold, labels, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        PeopleDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        return cls._from_classifier(
            estimator,
            X,
            y,
            sample_weight=sample_weight,
            response_method=response_method,
            pos_label=pos_label,
            name=name,
            threshold=threshold,
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
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        threshold: float | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw samples at their scores.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,)
            Scores, higher means more positive.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        threshold : float, optional
            Samples that score at least this are predicted positive. By default 0.5 if all scores
            lie in [0, 1], else the threshold with the highest accuracy.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        ax, theme
            As for :meth:`plot`.

        Returns
        -------
        PeopleDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        segments, samples = cls._sample(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            labels=labels,
        )
        display = cls(segments, threshold=threshold, name=samples.name, labels=samples.class_names)
        display._score_name = samples.score_name
        return display.plot(ax=ax, theme=theme)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        name : str, optional
            Of the one model, instead of the display's own.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        PeopleDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        name = name or self.name
        heading = f"Who is predicted {self._classes.positive}"
        if name is not None:
            heading = f"{name}: who is predicted {self._classes.positive}"
        row = Row(self._queue, (threshold_at(self.table),))
        scene = PeopleScene((row,), self.per_dot, self._classes, label=self._score_name)
        draw = partial(people_picture, scene)
        drawn = self._show(draw, ax, theme, width=7.6, height=5.6, heading=heading)
        self.people_ = {role: drawn[f"{role} people"][0] for role in ("positive", "negative")}
        self.cells_ = {role: drawn[f"{role} cells"][0] for role in ("positive", "negative")}
        return self
