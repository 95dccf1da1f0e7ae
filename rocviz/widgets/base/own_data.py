"""The user's own data: checks, preparation, and code that loads the data again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from inspect import signature
from itertools import count
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from rocviz.core.base.validation import Floats, check_aligned, label_column
from rocviz.core.roc.segments import RankedSegments
from rocviz.words import UNNAMED

P = ParamSpec("P")
Made = TypeVar("Made")

#: Samples that are written out in full in code.
MAX_VALUES_WRITTEN_OUT = 30


def remembered(most: int) -> Callable[[Callable[Concatenate[Any, P], Made]], cached_property[Any]]:
    """Cache the last ``most`` results of a method on each object."""

    def keep(method: Callable[Concatenate[Any, P], Made]) -> cached_property[Any]:
        return cached_property(lambda own: lru_cache(most)(partial(method, own)))

    return keep


class ClearsCaches:
    """Base of classes with :func:`remembered` methods; copies and unpickled objects start empty."""

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if not hasattr(v, "cache_parameters")}


MIN_SCORE_SPAN = 1e-290  # of scores; a narrower axis has no ticks


class OwnData(ClearsCaches):
    """Base of the data of explorers, which are numbered while they are open.

    ``arguments`` are the user's, by name and unchanged; None where one was omitted.
    """

    #: Segments that were given in place of samples, and the name of their scores in code.
    counted: RankedSegments | None = None
    score_name = "y_score"
    #: Names of the two classes, in sentences and pictures.
    class_names = UNNAMED

    def __init__(self, pos_label: Any = None, **arguments: Any) -> None:
        self.pos_label = pos_label
        self.given = arguments
        self._register()

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._register()

    def _register(self) -> None:
        self.number = next(_numbers)
        _instances[self.number] = self

    def arguments(self, name: str = "") -> Mapping[str, Any]:
        """Get the data by argument name; ``name`` chooses one of several models."""
        return self.given if self.counted is None else {"segments": self.counted}

    def code_lines(self, name: str = "") -> list[str]:
        """Write Python that loads the arguments into arrays of the same names."""
        if self.counted is not None:
            segments = name_of(self.counted) or f"data_of({self.number}, {name!r})['segments']"
            return [f"y_true, {self.score_name}, sample_weight = {segments}.to_samples()"]
        arguments = {k: v for k, v in self.arguments(name).items() if v is not None}
        names = {argument: name_of(value) for argument, value in arguments.items()}
        if all(_is_short(value) for value in arguments.values()):
            for argument, text in names.items():
                names[argument] = text or repr(np.asarray(arguments[argument]).tolist())
        if None in names.values():
            which = f"{self.number}, {name!r}" if name else str(self.number)
            names = {argument: f"data_of({which})[{argument!r}]" for argument in arguments}
        lines = []
        for argument, text in names.items():
            if isinstance(arguments[argument], Mapping):
                text = f"np.column_stack(list({text}.values()))"
            else:
                text = f"np.asarray({text})"
            lines.append(f"{argument} = {text}")
        return lines


def _is_short(value: Any) -> bool:
    """Test whether an argument is written out in full."""
    return not isinstance(value, Mapping) and len(value) <= MAX_VALUES_WRITTEN_OUT


_numbers = count(1)
_instances: WeakValueDictionary[int, OwnData] = WeakValueDictionary()


def data_of(number: int, name: str = "") -> Mapping[str, Any]:
    """Get the data of an open explorer of this session.

    Parameters
    ----------
    number : int
        The data's number, as "show code" prints it.
    name : str
        Name of the model, where the explorer shows several.

    Returns
    -------
    mapping of str to object
        Such as ``y_true``, ``y_score`` and ``sample_weight`` (None where none was given), as
        they came in.

    Raises
    ------
    KeyError
        If no explorer with that data is open.
    """
    if number not in _instances:
        raise KeyError(f"No explorer with data {number} is open; open it again first.")
    return _instances[number].arguments(name)


def name_of(value: object) -> str | None:
    """Find an object's name in the user's session: a variable, or a field of a named dict."""
    names = vars(sys.modules["__main__"])
    for name, named in list(names.items()):
        if name.startswith("_"):
            continue
        if named is value:
            return name
        if isinstance(named, dict):
            for key, field in named.items():
                if field is value:
                    return f"{name}[{key!r}]"
    return None


def both_given(beside: Mapping[str, Any] | None = None, **pair: Any) -> bool:
    """Test whether two arguments were given; one without the other is refused.

    So are arguments ``beside`` them, such as weights, where the two are missing.
    """
    are_given = {value is not None for value in pair.values()}
    if len(are_given) > 1:
        raise ValueError(f"{' and '.join(pair)} go together; give both or neither.")
    (both,) = are_given
    for name, value in (beside or {}).items():
        if value is not None and not both:
            raise ValueError(f"{name} must come with {' and '.join(pair)}.")
    return both


def check_span(score: Floats, argument: str) -> None:
    """Refuse scores so far apart, or so near to each other, that no axis can be drawn."""
    with np.errstate(over="ignore"):
        span = np.ptp(score)
    if not np.isfinite(span):
        raise ValueError(f"{argument} must not span more than a float can hold.")
    if 0 < span < MIN_SCORE_SPAN and not 0 <= score.min() <= score.max() <= 1:
        raise ValueError(
            f"{argument} must span at least {MIN_SCORE_SPAN:g}, or else lie in [0, 1]; it spans "
            f"{span:.3g}: multiply it by a constant."
        )


def refuse_beside_segments(*others: Any) -> None:
    """Refuse scores, weights or a positive class beside segments, which include them."""
    if any(other is not None for other in others):
        raise ValueError(
            "RankedSegments hold labels, scores and weights already; give nothing else with them."
        )


class FromPredictions:
    """An explorer whose constructor takes labels and scores first."""

    @classmethod
    def from_predictions(cls: Callable[P, Made], *args: P.args, **inputs: P.kwargs) -> Made:
        """Open on labels and scores; the same as calling the class.

        Parameters
        ----------
        *args, **inputs
            As the class takes them.

        Returns
        -------
        Explorer

        Raises
        ------
        ValueError
            If the data are invalid; nothing is drawn in that case.
        TypeError
            If data are missing, or an input is unknown; the message lists the ones there are.
        """
        data = list(signature(cls).parameters)[:2]
        missing = [name for name in data[len(args) :] if name not in inputs]
        if missing:
            raise TypeError(f"from_predictions is missing {' and '.join(missing)}.")
        return cls(*args, **inputs)


def _check_label_of_each(y: Any, scores: Any) -> None:
    """Refuse labels that are more or fewer than the rows for which there are scores."""
    if y is None:
        return
    labels = label_column(y, "y")
    columns = scores.values() if isinstance(scores, Mapping) else (scores,)
    for column in columns:
        n_rows = len(column)
        if n_rows != labels.size:
            raise ValueError(f"y must have a label for each of {n_rows} rows; got {labels.size}.")


class FromEstimator(FromPredictions):
    """An explorer that opens on the scores of a fitted classifier."""

    #: Response method of the classifier, and whether labels are required.
    response_method = "auto"
    needs_labels = True

    @classmethod
    def from_estimator(
        cls: Callable[Concatenate[Any, Any, P], Made],
        estimator: Any,
        X: Any,
        y: Any = None,
        *args: P.args,
        **inputs: P.kwargs,
    ) -> Made:
        """Open on the scores of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            With ``predict_proba`` or ``decision_function``; the decision explorer and that of
            several classes need ``predict_proba``. The ROC explorer takes several classifiers as
            well, ``{name: classifier}``.
        X : array-like, shape (n_samples, n_features)
            Samples.
        y : array-like, shape (n_samples,)
            Their labels; the decision explorer can do without.
        *args, **inputs
            As the class takes them. ``pos_label`` is by default the estimator's ``pos_label_``;
            it is needed where there is none and classes are not 0 and 1, -1 and 1, or booleans.

        Returns
        -------
        Explorer

        Raises
        ------
        ValueError
            If the data are invalid; nothing is drawn in that case.
        TypeError
            If an input is unknown; the message lists the ones there are.
        """
        maker: Any = cls
        if y is None and maker.needs_labels:
            raise TypeError("from_estimator is missing y.")
        check_aligned(X=X, y=y)
        options: dict[str, Any] = {**inputs}
        scores = maker.scores_of(estimator, X, options)
        _check_label_of_each(y, scores)
        explorer: Made = maker(y, scores, *args, **options)
        return explorer

    @classmethod
    def scores_of(cls, estimator: Any, X: Any, options: dict[str, Any]) -> Any:
        """Compute scores, and add the keywords that name their classes."""
        from rocviz.displays.base.data import response_values

        values, options["pos_label"] = response_values(
            estimator, X, response_method=cls.response_method, pos_label=options.get("pos_label")
        )
        return values
