"""Signatures of explorers with one parameter for each input, for ``help`` and completion.

Type checkers read the inputs from a ``TypedDict`` in the constructor; people read them from the
signature, which is made here from the traits. The docstrings stand in the files, written by
``tools/docstrings.py``.
"""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any

MAKERS = ("from_predictions", "from_estimator", "from_estimators")


def list_inputs(cls: Any) -> None:
    """Expand ``**inputs`` in the signatures of an explorer's constructor and class methods."""
    constructor = vars(cls).get("__init__")
    if constructor is None or "inputs" not in signature(constructor).parameters:
        return
    traits = [
        trait
        for _, trait in sorted(cls.class_traits().items(), key=_order(cls))
        if trait.metadata.get("input") or trait.metadata.get("view")
    ]
    inputs = [Parameter(t.name, Parameter.KEYWORD_ONLY, default=_default(t)) for t in traits]
    itself, *data, _ = signature(constructor).parameters.values()
    cls.__signature__ = Signature([*data, *inputs])
    constructor.__signature__ = Signature([itself, *data, *inputs])
    for name in MAKERS:
        maker = getattr(getattr(cls, name, None), "__func__", None)
        if maker is not None and {"inputs", "options"} & signature(maker).parameters.keys():
            setattr(cls, name, classmethod(_listing(maker, data, inputs)))


def _listing(maker: Any, data: list[Parameter], inputs: list[Parameter]) -> Any:
    """Copy a class method for one class, with the constructor's parameters in its signature.

    The data come first; a method with other arguments in their place gets only the rest.
    """

    @wraps(maker)
    def listed(cls: type, *args: Any, **options: Any) -> Any:
        return maker(cls, *args, **options)

    *own, keywords = signature(maker).parameters.values()
    if own[-1].kind is Parameter.VAR_POSITIONAL:
        *own, _ = own
        if len(own) == 1:  # for this class alone
            data = [
                one if one.kind is one.KEYWORD_ONLY else one.replace(default=one.empty)
                for one in data
            ]
        else:  # it takes something else instead of labels and scores
            data = data[2:]
        own += data
    elif keywords.name == "options":  # which include the constructor's keywords
        own += [one for one in data if one.kind is one.KEYWORD_ONLY]
    listed.__signature__ = Signature([*own, *inputs])  # type: ignore[attr-defined]
    return listed


def _default(trait: Any) -> Any:
    value = trait.default_value
    return value if isinstance(value, bool | int | float | str | tuple) else None


def _order(cls: type) -> Any:
    """Sort traits as they are declared, those of the class itself before those of its bases."""
    bases = cls.__mro__[::-1]
    places = {name: i for i, base in enumerate(bases) for name in vars(base)}
    within = {name: i for base in bases for i, name in enumerate(vars(base))}
    return lambda item: (-places.get(item[0], 0), within.get(item[0], 0))
