"""What ``help()`` and an editor show of an explorer: each input as a parameter of its own.

Type checkers read the inputs from a ``TypedDict`` in the constructor; people read them from the
signature and the list of inputs in the docstring, which are made here from the traits. What all
explorers say alike of their parameters and errors is written here once.
"""

from __future__ import annotations

import inspect
import re
from functools import update_wrapper
from textwrap import indent
from types import FunctionType
from typing import TYPE_CHECKING, Any

import traitlets

if TYPE_CHECKING:
    from collections.abc import Iterable

MAKERS = ("from_predictions", "from_estimator", "from_estimators")

# what parameters of ``from_estimator`` mean where it does not say itself
_SHARED = {
    "estimator": "estimator : fitted classifier\n    With ``predict_proba`` or "
    "``decision_function``; the ROC explorer takes several as well, ``{name: classifier}``.",
    "X": "X : array-like, shape (n_samples, n_features)\n    Samples.",
    "y": "y : array-like, shape (n_samples,)\n    Their labels.",
    "sample_weight": "sample_weight : array-like of float, shape (n_samples,), optional\n"
    "    Weights.",
    "pos_label": "pos_label : label, optional\n    The positive class; by default the estimator's "
    "``pos_label_``, and needed where it\n    has none and classes are not 0 and 1, -1 and 1, or "
    "booleans.",
}
_RAISES = """ValueError
    If the data is not as said above; nothing is drawn then.
TypeError
    If an input is unknown; the message lists the ones there are."""


def with_inputs(cls: type) -> None:
    """Spell out the ``**inputs`` of an explorer with a state in signatures and docstrings.

    That is in the constructor, and in the class methods that end in ``**inputs``. Those of a mixin
    that take what the constructor takes are its own from then on.
    """
    inputs = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(trait))
        for name, trait in sorted(cls.class_traits().items(), key=_order(cls))  # type: ignore[attr-defined]
        if trait.metadata.get("input") or trait.metadata.get("view")
    ]
    constructor = vars(cls).get("__init__")
    if constructor is None or "inputs" not in inspect.signature(constructor).parameters:
        return
    _, *data, _ = inspect.signature(constructor).parameters.values()
    _expand(constructor, (), inputs)
    cls.__signature__ = inspect.Signature([*data, *inputs])  # type: ignore[attr-defined]
    if cls.__doc__:  # python -OO leaves none
        described = "\n".join(_described(cls, parameter.name) for parameter in inputs)
        before, sections = _sections(cls.__doc__.replace("**inputs", ""))
        sections["Parameters"] = f"{sections['Parameters'].rstrip()}\n{described}"
        _document(cls, before, sections)
        cls.__doc__ = indent(cls.__doc__, "    ").strip()
    for name in MAKERS:
        function = getattr(getattr(cls, name, None), "__func__", None)
        if function is None:
            continue
        if "args" in inspect.signature(function).parameters:
            function = _copy(function)
            setattr(cls, name, classmethod(function))
        elif name not in vars(cls):
            continue
        _expand(function, data, inputs)
        if function.__doc__:
            _document_maker(function, cls.__name__, {one.name for one in inputs})


def _copy(function: Any) -> Any:
    made: Any = FunctionType(function.__code__, function.__globals__)
    update_wrapper(made, function)
    del made.__wrapped__
    return made


def _expand(function: Any, data: Iterable[Any], inputs: list[inspect.Parameter]) -> None:
    """Give a function a signature without ``*args`` and ``**inputs``.

    ``*args`` are what the constructor takes, the data first; a function that takes something else
    instead of the data has only the rest.
    """
    own = [*inspect.signature(function).parameters.values()][:-1]
    if own[-1].kind is inspect.Parameter.VAR_POSITIONAL:
        *own, _ = own
        has_data = [one.name for one in own] == ["cls"]
        own += [
            one if one.kind is one.KEYWORD_ONLY else one.replace(default=one.empty)
            for one in data
            if one.kind is one.KEYWORD_ONLY or has_data
        ]
    function.__signature__ = inspect.Signature([*own, *inputs])


def _sections(doc: str) -> tuple[str, dict[str, str]]:
    """Return what stands above the first section, and the sections."""
    before, *parts = re.split(r"\n\n(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(doc))
    return before, dict(zip(parts[::2], parts[1::2], strict=True))


def _document(thing: Any, before: str, sections: dict[str, str]) -> None:
    first = ("Parameters", "Attributes", "Returns")
    ordered = {name: sections[name] for name in first if name in sections}
    ordered["Raises"] = sections.get("Raises", _RAISES)
    ordered |= {name: text for name, text in sections.items() if name not in ordered}
    thing.__doc__ = "\n\n".join(
        [before, *(f"{name}\n{'-' * len(name)}\n{text}" for name, text in ordered.items())]
    )


def _document_maker(function: Any, explorer: str, inputs: set[str]) -> None:
    """Complete what a ``from_...`` says of its parameters, and what it returns."""
    before, sections = _sections(function.__doc__)
    described: dict[str, str] = {}
    for entry in filter(None, re.split(r"\n(?=\S)", sections.get("Parameters", ""))):
        described.update(dict.fromkeys(entry.split("\n")[0].split(" : ")[0].split(", "), entry))
    if function.__name__ == "from_estimator":
        described = {**_SHARED, **described}
    names = [n for n in function.__signature__.parameters if n != "cls" and n not in inputs]
    others = ", ".join([*(name for name in names if name not in described), "**inputs"])
    see = described.get("**inputs", f"{others}\n    See :class:`{explorer}`.")
    entries = dict.fromkeys([*(described[name] for name in names if name in described), see])
    sections["Parameters"] = "\n".join(entries)
    sections["Returns"] = explorer
    _document(function, before, sections)


def _default(trait: Any) -> Any:
    value = trait.default_value
    return value if isinstance(value, bool | int | float | str | tuple) else None


def _order(cls: type) -> Any:
    places = {name: i for i, base in enumerate(cls.__mro__[::-1]) for name in vars(base)}
    within = {name: i for base in cls.__mro__[::-1] for i, name in enumerate(vars(base))}
    return lambda item: (-places.get(item[0], 0), within.get(item[0], 0))


def _described(cls: type, name: str) -> str:
    trait = cls.class_traits()[name]  # type: ignore[attr-defined]
    kind = "str" if isinstance(trait, traitlets.Unicode) else type(trait).__name__.lower()
    values = getattr(trait, "values", None)
    if values:
        kind = "{" + ", ".join(repr(value) for value in values) + "}"
    low, high = getattr(trait, "min", None), getattr(trait, "max", None)
    finite = [v for v in (low, high) if v is not None and abs(v) != float("inf")]
    text = trait.help or "An input."
    if len(finite) == 2:
        text += f" From {low:g} to {high:g}."
    return f"{name} : {kind}, optional\n    {text}"
