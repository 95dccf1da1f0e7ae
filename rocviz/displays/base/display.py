"""Shared behaviour of all displays, so that a new one adds only its own idea.

This covers making displays from predictions or fitted classifiers, naming models, and keywords. A
method declares the keywords that it passes on by a ``TypedDict``, such as
``**options: Unpack[AxesKeywords]``, for type checkers; the signature that ``help`` and Jupyter show
lists them one by one, with their defaults.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Self, TypedDict

from rocviz.core.base.classes import positive_column
from rocviz.core.base.naming import by_name
from rocviz.core.base.validation import check_aligned, check_flag, check_text, describe
from rocviz.core.roc.metrics import metric_options
from rocviz.displays.base.data import as_named, estimator_scores, named_segments
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.base.figure import pen_on
from rocviz.displays.base.style import Pen, resolve_theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from rocviz.core.roc.segments import RankedSegments
    from rocviz.displays.base.draw_picture import Artists
    from rocviz.pictures import Picture
    from rocviz.theme import Theme


# defaults of keywords that no method lists; all others are None
_DEFAULTS: dict[str, Any] = {"response_method": "auto", "zero_division": 0.0}
_DEFAULTS |= {option.name: option.default for option in metric_options().values()}
# by type: the check of an argument, and whether it may be None
_KINDS = {
    "bool": (check_flag, False),
    "bool | None": (check_flag, True),
    "str": (check_text, False),
    "str | None": (check_text, True),
}
# methods to which others pass their keywords
_TARGETS = ("plot", "from_predictions")
# first and last of the keywords, in the order of scikit-learn's displays
_FIRST_KEYWORDS = ("sample_weight", "response_method", "pos_label", "name")
_LAST_KEYWORDS = ("ax", "theme")


class Theming(TypedDict, total=False):
    """Keyword of every method that draws."""

    theme: Theme | str | None


class AxesKeywords(Theming, total=False):
    """Keywords of methods that draw on one axes."""

    ax: Axes | None


class SampleKeywords(AxesKeywords, total=False):
    """Keywords of every display of samples, besides those for drawing."""

    sample_weight: ArrayLike | None
    pos_label: Any
    name: str | None


class LineKeywords(AxesKeywords, total=False):
    """Keywords of methods that draw curves on one axes."""

    curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class CurveKeywords(SampleKeywords, LineKeywords, total=False):
    """Keywords of displays of samples that draw curves."""


@dataclass(frozen=True)
class Samples:
    """The segments of each model, and the keywords for plotting them."""

    models: dict[str | None, RankedSegments]
    several: bool
    pos_label: Any
    style: dict[str, Any]

    @property
    def name(self) -> str | None:
        """Name of the one model."""
        return None if self.several else next(iter(self.models))

    def as_given(self, results: Mapping[str | None, Any]) -> Any:
        """Get the result of a single model, or a mapping of several models' results."""
        return results if self.several else results.get(self.name)


def _list_keywords(cls: type) -> None:
    """List and check the keywords of a display's ``plot...``, ``from_...`` and constructor."""
    # `_handed_to` is the function that takes the keywords that no method of the display lists
    target = getattr(cls, "_handed_to", None)
    known = dict(inspect.signature(target).parameters) if target else {}
    methods = [name for name in vars(cls) if name.startswith(("plot", "from_"))]
    for name in dict.fromkeys([*_TARGETS, *methods, "__init__"]):
        if name in vars(cls):
            method = vars(cls)[name]
            function = getattr(method, "__func__", method)
            if name != "__init__":
                function.__signature__ = _expanded(function, known)
            if name in _TARGETS:
                known.update(function.__signature__.parameters)
            checked = _checked(function)
            setattr(cls, name, classmethod(checked) if function is not method else checked)


def _checked(function: Any) -> Any:
    """Check a function's arguments annotated as bool or str before it runs."""
    signature = inspect.signature(function)
    kinds = {name: str(parameter.annotation) for name, parameter in signature.parameters.items()}
    checks = {name: _KINDS[kind] for name, kind in kinds.items() if kind in _KINDS}
    if not checks:
        return function

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        with suppress(TypeError):  # the method itself raises for missing or unknown arguments
            bound = signature.bind(*args, **options).arguments
            for name in checks.keys() & bound.keys():
                check, is_optional = checks[name]
                if not (is_optional and bound[name] is None):
                    check(bound[name], name)
        return function(*args, **options)

    return checked


def _expanded(function: Any, known: dict[str, inspect.Parameter]) -> inspect.Signature:
    """List the keywords of an unpacked ``TypedDict`` one by one."""
    signature = inspect.signature(function)
    *own, last = signature.parameters.values()
    if last.kind is not inspect.Parameter.VAR_KEYWORD:
        return signature
    # the annotation is a string: "Unpack[AxesKeywords]"
    keywords = function.__globals__[last.annotation.removeprefix("Unpack[").removesuffix("]")]
    listed = {parameter.name for parameter in own}
    for key, annotation in keywords.__annotations__.items():
        if key not in listed:
            default = known[key].default if key in known else _DEFAULTS.get(key)
            kind = inspect.Parameter.KEYWORD_ONLY
            text = annotation.__forward_arg__
            own.append(inspect.Parameter(key, kind, default=default, annotation=text))
    order = {key: i for i, key in enumerate((*_FIRST_KEYWORDS, "", *_LAST_KEYWORDS))}

    def position(parameter: inspect.Parameter) -> int:
        if parameter.kind is not parameter.KEYWORD_ONLY:
            return -1
        return order.get(parameter.name, len(_FIRST_KEYWORDS))

    own.sort(key=position)
    return signature.replace(parameters=own)


class Display:
    """Base of all displays; a subclass defines ``plot`` and its ``from_...`` class methods."""

    ax_: Axes
    figure_: Figure
    picture_: Picture

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _list_keywords(cls)

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
    def _check_keywords(cls, method: str, keywords: Iterable[str]) -> None:
        """Refuse misspelt keywords before any work, as Python does for listed ones."""
        known = getattr(cls, method).__signature__.parameters
        for key in keywords:
            if key not in known:
                raise TypeError(
                    f"{cls.__name__}.{method}() got an unexpected keyword argument {describe(key)}"
                )

    @classmethod
    def _from_classifier(
        cls, estimator: Any, X: Any, y: Any, options: Mapping[str, Any], *, method: str = "auto"
    ) -> Self:
        """Make the display of the scores of one or several classifiers."""
        cls._check_keywords("from_estimator", options)
        check_aligned(X=X, y=y)
        more = dict(options)
        scores, pos_label, name = estimator_scores(
            estimator,
            X,
            response_method=more.pop("response_method", method),
            pos_label=options.get("pos_label"),
            name=options.get("name"),
        )
        more |= {"pos_label": pos_label, "name": name}
        maker: Any = cls  # each subclass has its own keywords
        display: Self = maker.from_predictions(y, scores, **more)
        return display

    @classmethod
    def _samples(
        cls, y_true: Any, scores: Any, options: Mapping[str, Any], *, probabilities: bool = False
    ) -> Samples:
        """Check the arguments of ``from_predictions``."""
        cls._check_keywords("from_predictions", options)
        scores = positive_column(scores, y_true, options.get("pos_label"), "y_score")
        scores = by_name(scores)
        about = {key: options.get(key) for key in ("sample_weight", "pos_label", "name")}
        style = {key: value for key, value in options.items() if key not in about}
        models = named_segments(y_true, scores, **about, probabilities=probabilities)
        return Samples(models, isinstance(scores, Mapping), about["pos_label"], style)


class ModelDisplay(Display):
    """A display of one model only."""

    @classmethod
    def _from_classifier(
        cls, estimator: Any, X: Any, y: Any, options: Mapping[str, Any], *, method: str = "auto"
    ) -> Self:
        if isinstance(estimator, Mapping):
            raise ValueError("estimator must be one classifier; make one display for each.")
        return super()._from_classifier(estimator, X, y, options, method=method)

    @classmethod
    def _sample(
        cls, y_true: Any, score: Any, options: Mapping[str, Any]
    ) -> tuple[RankedSegments, Samples]:
        """Make the segments of the one model from the arguments of ``from_predictions``."""
        score = positive_column(score, y_true, options.get("pos_label"), "y_score")
        if isinstance(by_name(score), Mapping):
            raise ValueError("y_score must be the scores of one model; make one display for each.")
        samples = cls._samples(y_true, score, options)
        (segments,) = samples.models.values()
        return segments, samples


class ModelsDisplay(Display):
    """A display of one model, or of several named models."""

    _models: Mapping[Any, Any]

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
        """Make the display of samples, and draw it."""
        about: dict[str, Any] = {"name": samples.name, "pos_label": samples.pos_label, **results}
        maker: Any = cls(
            samples.as_given(samples.models), **about
        )  # each subclass has its own plot
        drawn: Self = maker.plot(**samples.style)
        return drawn

    def _names(self, name: str | None) -> list[Any]:
        """Get the label of each model in a picture."""
        if name is None:
            return list(self._models)
        if len(self._models) > 1:
            raise ValueError("name must not be given for several models: they have their own.")
        return [name]
