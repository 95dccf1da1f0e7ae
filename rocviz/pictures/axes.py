"""Axes of a picture: limits that seldom change, round ticks, and their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# letters of tick labels that fit at the ends of an axis, and between
MAX_END_LETTERS = 7
MAX_INNER_LETTERS = 12
UNIT_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def tick_text(value: float, digits: int = 6) -> str:
    """Write the label of a tick: short, without a zero before the decimal point."""
    text = f"{value:.{digits}g}".replace("-", "−").replace("e+", "e")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


@lru_cache(256)
def tick_texts(ticks: tuple[float, ...]) -> Sequence[str]:
    """Write the labels of ticks, with enough digits to distinguish them."""
    n_digits = [6, 9, 12, 17]
    if any("e" in f"{value:.6g}" for value in ticks):
        n_digits.insert(0, 3)
    for digits in n_digits:
        texts = [tick_text(value, digits) for value in ticks]
        if len(set(texts)) == len(set(ticks)):
            return texts
    return []


def rounded(ticks: Floats) -> Floats:
    """Remove rounding errors from ticks of any size."""
    largest = float(np.abs(ticks).max())
    digits = 9 - floor(log10(largest)) if largest else 9
    return np.array([round(float(value), digits) for value in ticks])


def round_ticks(low: float, high: float, most: int = 5, *, integer: bool = False) -> Floats:
    """Choose a few round numbers inside the limits."""
    from matplotlib.ticker import MaxNLocator

    steps = None if integer else [1, 2, 5, 10]
    ticks = rounded(MaxNLocator(most, steps=steps, integer=integer).tick_values(low, high))
    tolerance = 1e-9 * (high - low)
    return ticks[(ticks >= low - tolerance) & (ticks <= high + tolerance)]


def ticks_around(low: float, high: float, most: int = 4) -> Floats:
    """Choose a few round numbers, the first not above and the last not below the limits."""
    from matplotlib.ticker import MaxNLocator

    return rounded(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))


def round_limits(values: Floats) -> tuple[float, float]:
    """Round limits around values, so that they seldom change during a drag."""
    low = float(values.min())
    high = float(values.max())
    room = 0.06 * max(high - low, 0.05)
    steps = 20 if high - low > 0.12 else 50
    return (
        max(0.0, float(np.floor((low - room) * steps)) / steps),
        min(1.0, float(np.ceil((high + room) * steps)) / steps),
    )


def count_ticks(n: int, most: int = 5) -> dict[float, str]:
    """Choose a few whole numbers from 0 to n, with thousands abbreviated."""
    ticks = round_ticks(0, n, most, integer=True).tolist()
    if n < 10_000:
        return {tick: f"{tick:g}" for tick in ticks}
    return {tick: f"{tick / 1000:g}k" if tick else "0" for tick in ticks}


def some_of(n: int, most: int) -> NDArray[np.intp]:
    """Choose at most so many of ``n`` indices, evenly, with the first and the last."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))


def spread(positions: Floats, gap: float, low: float, high: float) -> Floats:
    """Move positions at least ``gap`` apart, as little as possible, in order and within limits."""
    from scipy.optimize import isotonic_regression

    order = np.argsort(positions, kind="stable")
    steps = gap * np.arange(positions.size)
    packed = isotonic_regression(positions[order] - steps).x
    places = np.empty_like(packed)
    places[order] = packed.clip(low + gap / 2, high - gap / 2 - steps[-1]) + steps
    return places


@dataclass(frozen=True)
class Axis:
    """An axis: its limits, ticks and label.

    Parameters
    ----------
    label : str
        Written where the picture is large.
    low, high : float
        Range of the data.
    ticks : sequence of float, or mapping of float to str, optional
        Positions of numbers, or of texts; a small picture has fewer. By default round numbers.
    pad : float
        Room around the range, as a share of it, so that data at the border is not cut.
    is_shown : bool
        Whether it is drawn at all.
    """

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    ticks: Sequence[float] | Mapping[float, str] | Any = None
    pad: float = 0.04
    is_shown: bool = True

    def __post_init__(self) -> None:
        ticks = self.ticks
        ends = (self.low, self.high)
        if ticks is None:
            ticks = UNIT_TICKS if ends == (0.0, 1.0) else round_ticks(*ends)
        # plain values, so that axes can be compared
        plain = dict(ticks) if isinstance(ticks, Mapping) else tuple(np.asarray(ticks).tolist())
        object.__setattr__(self, "ticks", plain)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The range with its padding."""
        room = self.pad * (self.high - self.low)
        return self.low - room, self.high + room

    def labels(self, *, large: bool, level: bool) -> dict[float, str]:
        """Write the text of each tick; ``level`` is for the x axis."""
        ticks = self.ticks
        has_texts = isinstance(ticks, Mapping)
        texts: Any = ticks if has_texts else dict(zip(ticks, tick_texts(ticks), strict=True))
        shown = np.array(list(texts), dtype=float)
        if not large and shown.size > 3:
            last = shown.size - 1
            shown = shown[[0, last // 2, last] if last % 2 == 0 else [0, last]]
        longest = max((len(text) for text in texts.values()), default=0)
        if level and not has_texts and longest > MAX_END_LETTERS and shown.size > 2:
            # long numbers would be cut off at the ends, or touch each other
            is_inner = longest <= MAX_INNER_LETTERS
            shown = shown[1:-1] if is_inner else shown[shown.size // 2][None]
        return {value: texts[value] for value in shown.tolist()}
