"""Colours and dashes of several models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rocviz.pictures.marks import Line


class ModelLook(NamedTuple):
    """Roles of a model's line, of its name, and of the outline of a pale line."""

    role: str
    dash: str
    ink: str
    opacity: float = 1.0
    rim: str = ""


#: Appearance of the models, in the order they were given.
_MODELS = (
    ModelLook("ranking", "solid", "text"),
    ModelLook("second", "dash_dotted", "negative-text"),
    ModelLook("positive", "dotted", "positive-text"),
    ModelLook("third", "dashed", "muted", rim="text"),
    ModelLook("negative", "dotted", "negative-text"),
    ModelLook("reference", "dash_dotted", "muted"),
)
_PALE = 0.5  # dashes of repeated colours


def model_look(i: int) -> ModelLook:
    """Choose the appearance of model ``i``, from 0; it repeats after the twelfth."""
    look = _MODELS[i % len(_MODELS)]
    return look if i // len(_MODELS) % 2 == 0 else look._replace(dash="dashed", opacity=_PALE)


def model_line(
    name: str, i: int, x: Any, y: Any, own: Mapping[str, Any] | None = None, **looks: Any
) -> Line:
    """Draw the line of model ``i``, with the user's ``own`` properties."""
    role, dash, _, opacity, rim = model_look(i)
    own = own or {}
    shared = {"dash": dash, "opacities": (opacity,), "rim": "" if "color" in own else rim}
    return Line(name, role, x, y, own=own, **{**shared, **looks})
