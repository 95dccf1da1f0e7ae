"""Keywords of the methods that make and draw displays: checked by type, and listed by ``help``.

A method declares the keywords that it passes on by a ``TypedDict``, such as
``**options: Unpack[AxesKeywords]``; the signature that ``help`` and Jupyter show lists them one by
one, with their defaults.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from functools import wraps
from typing import Any

from rocviz.core.base.validation import check_flag, check_text
from rocviz.core.roc.metrics import metric_options

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


def list_keywords(cls: type) -> None:
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
