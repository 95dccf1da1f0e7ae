"""Ticks of an axis: their positions and labels."""

from __future__ import annotations

from functools import lru_cache
from math import floor, log10
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

UNIT_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def tick_text(value: float, digits: int = 6) -> str:
    """Write the label of a tick: short, without a zero before the decimal point."""
    text = f"{value:.{digits}g}".replace("-", "−").replace("e+", "e")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


def tick_texts(values: Iterable[float]) -> list[str]:
    """Write the labels of ticks, with enough digits to tell them apart."""
    return [*_tick_texts(tuple(values))]


@lru_cache(256)
def _tick_texts(at: tuple[float, ...]) -> Sequence[str]:
    is_far = any("e" in f"{value:.6g}" for value in at)
    every = (3,) * is_far + (6, 9, 12, 17)
    written = ([tick_text(value, digits) for value in at] for digits in every)
    return next((texts for texts in written if len(set(texts)) == len(set(at))), [])


def rounded(ticks: Floats) -> Floats:
    """Remove rounding errors from ticks of any size."""
    most = float(np.abs(ticks).max())
    digits = 9 - floor(log10(most)) if most else 9
    return np.array([round(float(value), digits) for value in ticks])


def round_ticks(low: float, high: float, most: int = 5, *, integer: bool = False) -> Floats:
    """Choose a few round numbers inside the limits."""
    from matplotlib.ticker import MaxNLocator

    steps = None if integer else [1, 2, 5, 10]
    ticks = rounded(MaxNLocator(most, steps=steps, integer=integer).tick_values(low, high))
    least = 1e-9 * (high - low)
    return ticks[(ticks >= low - least) & (ticks <= high + least)]


def ticks_around(low: float, high: float, most: int = 4) -> Floats:
    """Choose a few round numbers, the first not above and the last not below the limits."""
    from matplotlib.ticker import MaxNLocator

    return rounded(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))


def round_limits(values: Floats) -> tuple[float, float]:
    """Round limits around values, so that they seldom change during a drag."""
    low, high = float(values.min()), float(values.max())
    room = 0.06 * max(high - low, 0.05)
    steps = 20 if high - low > 0.12 else 50
    return (
        max(0.0, float(np.floor((low - room) * steps)) / steps),
        min(1.0, float(np.ceil((high + room) * steps)) / steps),
    )


def count_ticks(n: int, most: int = 5) -> dict[float, str]:
    """Choose a few whole numbers from 0 to n, with thousands abbreviated."""
    ticks = round_ticks(0, n, most, integer=True).tolist()
    return {t: f"{t / 1000:g}k" if n >= 10_000 and t else f"{t:g}" for t in ticks}


def spread(at: Floats, gap: float, low: float, high: float) -> Floats:
    """Move positions at least ``gap`` apart, as little as possible, in order and within limits."""
    from scipy.optimize import isotonic_regression

    order = np.argsort(at, kind="stable")
    steps = gap * np.arange(at.size)
    packed = isotonic_regression(at[order] - steps).x
    places = np.empty_like(packed)
    places[order] = packed.clip(low + gap / 2, high - gap / 2 - steps[-1]) + steps
    return places
