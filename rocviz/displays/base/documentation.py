"""Signatures and documentation of the methods that make and draw displays, put together once.

A method lists the keywords it hands on as ``**looks: Unpack[Look]``, which type checkers and
editors read. What only looks at the running program (``help``, Jupyter, the API pages) finds them
spelled out here, each with its default and its documentation from where it is declared.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import wraps
from typing import Any

from rocviz.core.base.validation import check_flag, check_text

# of keywords that no method lists with its default; all others are None
_DEFAULTS = {"response_method": "auto"}
# what parameters mean in every display, unless `_meanings` of its base or its method say otherwise
_SHARED = {
    "estimator": "fitted classifier, or mapping of str to fitted classifier\n    Of two classes.",
    "X": "array-like, shape (n_samples, n_features)",
    "y": "array-like, shape (n_samples,)\n    True labels.",
    "y_true": "array-like, shape (n_samples,)\n    Labels of exactly two classes.",
    "y_score": """array-like of float, shape (n_samples,), or mapping of str to array-like
    Scores, higher means more positive; a mapping gives those of several models.""",
    "y_prob": """array-like of float, shape (n_samples,), or mapping of str to array-like
    Probabilities of the positive class; a mapping gives those of several models.""",
    "sample_weight": "array-like of float, shape (n_samples,), optional",
    "response_method": """{"auto", "predict_proba", "decision_function"}, default="auto"
    ``"auto"`` takes probabilities where the classifier has them.""",
    "pos_label": """label, optional
    The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.""",
    "name": "str, optional\n    Of the one model.",
    "ax": "matplotlib Axes, optional\n    Where to draw; by default on those of a new figure.",
    "theme": """Theme or {"light", "dark", "lecture"}, optional
    By default the theme in force, see :func:`rocviz.set_theme`.""",
}
# and where that depends on the method
_OF_METHOD = {
    "from_estimator": {
        "pos_label": """pos_label : label, optional
    By default the estimator's own ``pos_label_``; needed where it has none and its classes
    are not 0 and 1, -1 and 1, or booleans.""",
        "name": "name : str, optional\n    By default the name of the estimator's class.",
    },
    "plot": {"name": "name : str, optional\n    Of the one model, instead of the display's own."},
}
_RAISES = {
    "from_estimator": "``estimator`` is not as said above, or data are bad",
    "plot": "an argument is not as said above",
}
# what an argument is checked by, by its type; and whether it may be None
_KINDS = {
    "bool": (check_flag, False),
    "bool | None": (check_flag, True),
    "str": (check_text, False),
    "str | None": (check_text, True),
}
# methods that others hand their keywords on to
_TARGETS = ("plot", "from_predictions")
# first and last of the keywords, in the order of scikit-learn's displays
_FIRST, _LAST = ("sample_weight", "response_method", "pos_label", "name"), ("ax", "theme")


def complete(cls: type) -> None:
    """Spell out signature and documentation of ``plot...`` and ``from_...`` of a display.

    What they, and the constructor, are given where a flag or text is wanted is checked first.
    """
    # a display's `_handed_to` is the function that takes what no method of it lists
    target = getattr(cls, "_handed_to", None)
    known = dict(inspect.signature(target).parameters) if target else {}
    words: dict[str, str] = dict(vars(cls.__base__).get("_meanings", {}))
    methods = [name for name in vars(cls) if name.startswith(("plot", "from_"))]
    # what others hand their keywords on to comes first
    for name in dict.fromkeys([*_TARGETS, *methods]):
        if name in methods:
            function = getattr(vars(cls)[name], "__func__", vars(cls)[name])
            function.__signature__ = _expand(function, known)
            if function.__doc__ is not None:  # python -OO leaves none
                documented = {**words, **_OF_METHOD.get(name, {})}
                words = {**_document(function, documented, cls.__name__), **words}
            if name in _TARGETS:
                known.update(function.__signature__.parameters)
    for name in (*methods, "__init__"):
        if name in vars(cls):
            made = vars(cls)[name]
            if isinstance(made, classmethod):
                setattr(cls, name, classmethod(_checked(made.__func__)))
            else:
                setattr(cls, name, _checked(made))


def _checked(function: Any) -> Any:
    """Return a method that refuses by name what is no flag, or no text, where its types ask it."""
    signature = inspect.signature(function)
    kinds = {name: str(one.annotation) for name, one in signature.parameters.items()}
    wanted = {name: _KINDS[kind] for name, kind in kinds.items() if kind in _KINDS}
    if not wanted:
        return function

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        with suppress(TypeError):  # the method itself says what is missing, or unknown
            given = signature.bind(*args, **options).arguments
            for name in wanted.keys() & given.keys():
                check, is_optional = wanted[name]
                if not (is_optional and given[name] is None):
                    check(given[name], name)
        return function(*args, **options)

    return checked


def _expand(function: Any, known: Mapping[str, inspect.Parameter]) -> inspect.Signature:
    """Return the signature with the keywords of an unpacked TypedDict one by one."""
    signature = inspect.signature(function)
    *own, last = signature.parameters.values()
    if last.kind is not inspect.Parameter.VAR_KEYWORD:
        return signature
    # the annotation is a string: "Unpack[Look]"
    look = function.__globals__[last.annotation.removeprefix("Unpack[").removesuffix("]")]
    given = {each.name for each in own}
    for key, annotation in look.__annotations__.items():
        if key not in given:
            default = known[key].default if key in known else _DEFAULTS.get(key)
            kind = inspect.Parameter.KEYWORD_ONLY
            text = annotation.__forward_arg__
            own.append(inspect.Parameter(key, kind, default=default, annotation=text))
    order = {key: i for i, key in enumerate((*_FIRST, "", *_LAST))}
    own.sort(
        key=lambda one: order.get(one.name, len(_FIRST)) if one.kind is one.KEYWORD_ONLY else -1
    )
    return signature.replace(parameters=own)


def _document(function: Any, documented: Mapping[str, str], display: str) -> dict[str, str]:
    """Complete a docstring, and return what it says itself of parameters."""
    name = function.__name__
    before, *parts = re.split(r"\n\n(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(function.__doc__))
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    own: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", sections.get("Parameters", "")):
        names = entry.split("\n")[0].split(" : ")[0]
        own.update(dict.fromkeys(names.split(", "), entry))
    entries = [
        own.get(key) or documented.get(key) or f"{key} : {_SHARED[key]}"
        for key in function.__signature__.parameters
        if key not in ("self", "cls")
    ]
    bad = _RAISES.get(name, "data are bad")
    sections = {
        "Parameters": "\n".join(dict.fromkeys(entries)),
        "Returns": f"{display}\n    Itself." if name.startswith("plot") else display,
        "Raises": f"ValueError\n    If {bad}. No figure has been made then.",
        **{key: text for key, text in sections.items() if key != "Parameters"},
    }
    function.__doc__ = "\n\n".join(
        [before, *(f"{key}\n{'-' * len(key)}\n{text}" for key, text in sections.items())]
    )
    return own
