"""What ``help()`` and an editor show of an explorer: each input as a parameter of its own.

Type checkers read the inputs from a ``TypedDict`` in the constructor; people read them from the
signature and the list of inputs in the docstring, which are made here from the traits.
"""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["with_inputs"]


def with_inputs(cls: type) -> None:
    """Spell out an explorer's ``**inputs`` in its signature and its docstring.

    Parameters
    ----------
    cls : type
        A subclass of ``Explorer`` with a state; the constructor and the class methods that
        end in ``**inputs`` are spelled out.
    """
    inputs = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(trait))
        for name, trait in sorted(cls.class_traits().items(), key=_order(cls))  # type: ignore[attr-defined]
        if trait.metadata.get("input") or trait.metadata.get("view")
    ]
    for name in ("__init__", "from_predictions", "from_estimator", "from_estimators"):
        found = cls.__dict__.get(name)
        function = getattr(found, "__func__", found)
        if function is None:
            continue
        signature = inspect.signature(function)
        if "inputs" in signature.parameters:
            plain = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
            function.__signature__ = signature.replace(parameters=[*plain, *inputs])
            if name == "__init__":
                cls.__signature__ = signature.replace(parameters=[*plain[1:], *inputs])  # type: ignore[attr-defined]
    if cls.__doc__ and "**inputs\n" in cls.__doc__:
        lines = "\n".join(_described(cls, parameter.name) for parameter in inputs)
        before, _, after = cls.__doc__.partition("    **inputs\n")
        skipped = after.split("\n\n", 1)
        cls.__doc__ = f"{before}{lines}\n\n{skipped[1]}"


def _default(trait: Any) -> Any:
    value = trait.default_value
    return value if isinstance(value, bool | int | float | str | tuple) else None


def _order(cls: type) -> Any:
    places = {name: i for i, base in enumerate(cls.__mro__[::-1]) for name in vars(base)}
    within = {name: i for base in cls.__mro__[::-1] for i, name in enumerate(vars(base))}
    return lambda item: (-places.get(item[0], 0), within.get(item[0], 0))


def _described(cls: type, name: str) -> str:
    trait = cls.class_traits()[name]  # type: ignore[attr-defined]
    kind = type(trait).__name__.lower()
    values = getattr(trait, "values", None)
    if values:
        kind = "{" + ", ".join(repr(value) for value in values) + "}"
    low, high = getattr(trait, "min", None), getattr(trait, "max", None)
    finite = [v for v in (low, high) if v is not None and abs(v) != float("inf")]
    text = trait.help or "An input."
    if len(finite) == 2:
        text += f" From {low:g} to {high:g}."
    return f"    {name} : {kind}, optional\n        {text}"
