"""Signatures of explorers with one parameter for each input, for ``help`` and completion.

Traits are the one place where inputs are declared. People read them at run time, so the signatures
are made here; type checkers read ``inputs.pyi``, which ``tools/inputs.py`` writes.
"""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, Signature, signature, unwrap
from typing import Any

CONSTRUCTOR_NAMES = ("from_predictions", "from_estimator", "from_estimators")


def list_inputs(cls: Any) -> None:
    """Expand ``**inputs`` in the signatures of an explorer's constructor and class methods."""
    constructor = vars(cls).get("__init__")
    if constructor is None or "inputs" not in signature(constructor).parameters:
        return
    inputs = [
        Parameter(trait.name, Parameter.KEYWORD_ONLY, default=_default(trait))
        for trait in declared_traits(cls)
    ]
    itself, *data, _ = signature(constructor).parameters.values()
    cls.__signature__ = Signature([*data, *inputs])
    constructor.__signature__ = Signature([itself, *data, *inputs])
    for name in CONSTRUCTOR_NAMES:
        if hasattr(cls, name):
            maker = unwrap(getattr(cls, name).__func__)  # a base may have listed its own
            setattr(cls, name, classmethod(_listing(maker, data, inputs)))


def declared_traits(cls: Any) -> list[Any]:
    """List the inputs and settings of the view as they are declared, an explorer's own first."""
    traits = cls.class_traits()
    names = dict.fromkeys(name for base in cls.__mro__ for name in vars(base) if name in traits)
    metadata = {name: traits[name].metadata for name in names}
    return [traits[name] for name in names if {"input", "view"} & metadata[name].keys()]


def _listing(maker: Any, data: list[Parameter], inputs: list[Parameter]) -> Any:
    """Copy a class method for one class, with that class's parameters in its signature."""

    @wraps(maker)
    def listed(cls: type, *args: Any, **options: Any) -> Any:
        return maker(cls, *args, **options)

    *own, _ = signature(maker).parameters.values()
    if maker.__name__ == "from_predictions":  # (cls, *args, **inputs)
        own[1:] = [_required(parameter) for parameter in data]
    elif own[-1].kind is Parameter.VAR_POSITIONAL:  # a classifier in place of labels and scores
        own[-1:] = data[2:]
    listed.__signature__ = Signature([*own, *inputs])  # type: ignore[attr-defined]
    return listed


def _required(parameter: Parameter) -> Parameter:
    if parameter.kind is Parameter.KEYWORD_ONLY:
        return parameter
    return parameter.replace(default=Parameter.empty)


def _default(trait: Any) -> Any:
    value = trait.default_value
    return value if isinstance(value, bool | int | float | str | tuple) else None
