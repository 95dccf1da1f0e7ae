"""Colours and dashes of several models."""

from __future__ import annotations

#: Colour, dash and ink of each model, in the order they were given.
_MODELS = (
    ("ranking", "solid", "text"),
    ("second", "dash_dotted", "negative-text"),
    ("positive", "dotted", "positive-text"),
    ("third", "dash_dotted", "muted"),
    ("negative", "dotted", "negative-text"),
    ("reference", "dash_dotted", "muted"),
)
_PALE = 0.5  # what repeats a colour, which is dashed too


def model_look(i: int) -> tuple[str, str, str, float]:
    """Choose colour, dash, ink and opacity of model ``i``, from 0."""
    role, style, ink = _MODELS[i % len(_MODELS)]
    return (role, style, ink, 1.0) if i // len(_MODELS) % 2 == 0 else (role, "dashed", ink, _PALE)
