"""Shared behaviour of all displays, so that a new one adds only its own idea.

This covers making displays from predictions or fitted classifiers, naming models, and the checks of
arguments that are on or off, or one of some words.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Self

from rocviz.core.base.classes import positive_column
from rocviz.core.base.naming import by_name, score_name
from rocviz.core.base.validation import check_aligned, check_flag, check_text, labels_of_classes
from rocviz.displays.base.data import (
    as_named,
    clustered_samples,
    estimator_scores,
    named_segments,
)
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.base.figure import pen_on
from rocviz.displays.base.style import Pen, resolve_theme
from rocviz.words import ClassNames

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.core.base.samples import Samples as ClusteredSamples
    from rocviz.core.roc.segments import RankedSegments
    from rocviz.displays.base.draw_picture import Artists
    from rocviz.pictures import Picture
    from rocviz.theme import Theme


# by type: the check of an argument, and whether it may be None
_KINDS = {
    "bool": (check_flag, False),
    "bool | None": (check_flag, True),
    "str": (check_text, False),
    "str | None": (check_text, True),
}


@dataclass(frozen=True)
class Samples:
    """The segments of each model."""

    models: dict[str | None, RankedSegments]
    several: bool
    pos_label: Any
    #: Samples of each model that come in clusters; empty without clusters.
    clustered: dict[str | None, ClusteredSamples]
    class_names: ClassNames
    #: Name of the scores, which a column has.
    score_name: str

    @property
    def name(self) -> str | None:
        """Name of the one model."""
        return None if self.several else next(iter(self.models))

    def as_given(self, results: Mapping[str | None, Any]) -> Any:
        """Get the result of a single model, or a mapping of several models' results."""
        return results if self.several else results.get(self.name)


def _check_arguments(cls: type) -> None:
    """Let a display's ``plot...``, ``from_...`` and constructor check their arguments."""
    for name, method in list(vars(cls).items()):
        if name.startswith(("plot", "from_")) or name == "__init__":
            if isinstance(method, classmethod):
                setattr(cls, name, classmethod(_checked(method.__func__)))
            else:
                setattr(cls, name, _checked(method))


def _checked(function: Any) -> Any:
    """Check a function's arguments annotated as bool or str before it runs."""
    checks = {}
    for name, annotation in function.__annotations__.items():
        if annotation in _KINDS:
            checks[name] = _KINDS[annotation]
    if not checks:
        return function

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        with suppress(TypeError):  # the method itself raises for missing or unknown arguments
            bound = inspect.signature(function).bind(*args, **options).arguments
            for name in checks.keys() & bound.keys():
                check, is_optional = checks[name]
                if not (is_optional and bound[name] is None):
                    check(bound[name], name)
        return function(*args, **options)

    return checked


class Display:
    """Base of all displays; a subclass defines ``plot`` and its ``from_...`` class methods."""

    ax_: Axes
    figure_: Figure
    picture_: Picture

    #: Names of the two classes, where labels were given; see :attr:`_classes`.
    _class_names: ClassNames | None = None
    #: Name of the scores, at an axis.
    _score_name: str = "score"

    @property
    def _classes(self) -> ClassNames:
        """Names of the two classes; of the positive one alone where only that is known."""
        return self._class_names or ClassNames.of_positive(getattr(self, "pos_label", None))

    def _name_classes(self, labels: Any) -> None:
        """Name the classes of results, which do not hold their labels."""
        if labels is not None:
            self._class_names = ClassNames.of(0, 1, labels)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _check_arguments(cls)

    def _display_(self) -> Figure:
        """Return the figure for marimo; Jupyter shows it by itself."""
        return self.figure_

    def _show(
        self,
        draw: Picture | Callable[[bool], Picture],
        ax: Axes | None,
        theme: Theme | str | None,
        *,
        scene: Any = None,
        joins: bool = False,
        own: Mapping[str, Mapping[str, Any]] | None = None,
        **size: Any,
    ) -> Artists:
        """Draw a picture on axes, or on those of a new figure of the given size.

        The other arguments are those of :func:`.show_picture`; returns the artists of each mark.
        """
        pen = self._pen(ax, theme, **size)
        more: dict[str, Any] = {"scene": scene, "joins": joins, "own": own}
        self.picture_, artists = show_picture(draw, pen, grows=ax is None, **more)
        return artists

    def _pen(self, ax: Axes | None, theme: Theme | str | None, **size: Any) -> Pen:
        """Make a pen for axes, or for those of a new figure, and store them in the display."""
        pen = pen_on(ax, resolve_theme(theme), **size)
        self.ax_ = pen.ax
        self.figure_ = pen.ax.figure
        return pen

    @classmethod
    def _from_classifier(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        response_method: str,
        pos_label: Any,
        name: str | None,
        **options: Any,
    ) -> Self:
        """Make the display of the scores of one or several classifiers.

        ``options`` are further arguments of ``from_predictions``.
        """
        check_aligned(X=X, y=y)
        scores, pos_label, name = estimator_scores(
            estimator, X, response_method=response_method, pos_label=pos_label, name=name
        )
        maker: Any = cls  # each subclass has its own keywords
        display: Self = maker.from_predictions(y, scores, pos_label=pos_label, name=name, **options)
        return display

    @classmethod
    def _samples(
        cls,
        y_true: Any,
        scores: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any,
        name: str | None,
        clusters: Any = None,
        probabilities: bool = False,
        labels: Any = None,
    ) -> Samples:
        """Check the arguments of ``from_predictions``."""
        column = score_name(scores) or "score"
        scores = by_name(positive_column(scores, y_true, pos_label, "y_score"))
        models = named_segments(
            y_true,
            scores,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            probabilities=probabilities,
        )
        several = isinstance(scores, Mapping)
        clustered = clustered_samples(
            y_true,
            scores if several else {name: scores},
            clusters,
            sample_weight=sample_weight,
            pos_label=pos_label,
            probabilities=probabilities,
        )
        names = ClassNames.of(*labels_of_classes(y_true, pos_label), labels)
        return Samples(models, several, pos_label, clustered, names, column)


class ModelDisplay(Display):
    """A display of one model only."""

    @classmethod
    def _from_classifier(cls, estimator: Any, X: Any, y: Any, **options: Any) -> Self:
        if isinstance(estimator, Mapping):
            raise ValueError("estimator must be one classifier; make one display for each.")
        return super()._from_classifier(estimator, X, y, **options)

    @classmethod
    def _sample(
        cls, y_true: Any, score: Any, *, pos_label: Any, **about: Any
    ) -> tuple[RankedSegments, Samples]:
        """Make the segments of the one model from the arguments of ``from_predictions``."""
        score = positive_column(score, y_true, pos_label, "y_score")
        if isinstance(by_name(score), Mapping):
            raise ValueError("y_score must be the scores of one model; make one display for each.")
        samples = cls._samples(y_true, score, pos_label=pos_label, **about)
        (segments,) = samples.models.values()
        return segments, samples


class ModelsDisplay(Display):
    """A display of one model, or of several named models."""

    _models: Mapping[Any, Any]
    #: Samples of each model that come in clusters, for intervals.
    _clustered: Mapping[Any, ClusteredSamples] = {}

    def __init__(
        self,
        segments: RankedSegments | Mapping[Any, RankedSegments],
        *,
        name: str | None = None,
        pos_label: Any = None,
    ) -> None:
        self._models = as_named(segments, name)
        self.segments = segments
        self.name = name
        self.pos_label = pos_label

    @classmethod
    def _of_samples(cls, samples: Samples, **results: Any) -> Self:
        """Make the display of samples."""
        segments = samples.as_given(samples.models)
        display = cls(segments, name=samples.name, pos_label=samples.pos_label, **results)
        display._clustered = samples.clustered
        display._class_names = samples.class_names
        return display

    def _names(self, name: str | None) -> list[Any]:
        """Get the label of each model in a picture."""
        if name is None:
            return list(self._models)
        if len(self._models) > 1:
            raise ValueError("name must not be given for several models: they have their own.")
        return [name]
