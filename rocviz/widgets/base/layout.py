"""Where things go in the ensemble's pictures so that none covers another.

Knows points and limits; nothing of what is drawn, or with what.
"""

from __future__ import annotations

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

__all__ = ["aside", "round_ticks", "spread", "temperature_ticks"]

Floats = NDArray[np.float64]

# round ones with round reciprocals
TEMPERATURES = (
    *(1.0, 0.5, 0.25, 0.2, 0.16, 0.125, 0.1, 0.08, 0.0625, 0.05, 0.04, 0.032, 0.025, 0.02, 0.016),
    *(0.0125, 0.01, 0.008, 0.005, 0.004, 0.0025, 0.002, 0.001),
)
ROOM = 0.075  # distance of two circles, in units of the square they are in


def temperature_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Return where round temperatures lie on an axis that is even in 1 / T, and their names."""
    ticks = [(0.0, "∞")] if low <= 0 <= high else []
    for side, sign in ((1, ""), (-1, "−")):
        last = 0.0
        for t in TEMPERATURES:
            if low <= side / t <= high and 1 / t - last >= 0.11 * (high - low):
                last = 1 / t
                ticks.append((side * last, sign + f"{t:g}".lstrip("0")))
    ticks.sort()
    return [at for at, _ in ticks], [text for _, text in ticks]


def round_ticks(low: float, high: float) -> Floats:
    """Return a few round numbers inside the limits."""
    ticks = np.asarray(MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high)).round(9)
    return ticks[(ticks >= low - 1e-9) & (ticks <= high + 1e-9)]


def aside(x: Floats, y: Floats, law: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """Return where circles go so that none covers another: off the curve where it is crowded."""
    (left, right), (low, high) = (law[0][0], law[0][-1]), (law[1][0], law[1][-1])
    at = np.column_stack(((x - left) / (right - left), (y - low) / (high - low)))
    across = np.array([0.7, -0.7])
    placed: list[Floats] = []
    for k in np.argsort(x, kind="stable"):
        for step in sorted(range(-10, 11), key=lambda n: (abs(n), n)):
            spot = at[k] + step * ROOM * 0.5 * across
            if all(np.hypot(*(spot - other)) >= ROOM for other in placed) and (
                step == 0 or ((spot > 0.04).all() and (spot < 0.96).all())
            ):
                break
        else:
            spot = at[k]
        placed.append(spot)
        at[k] = spot
    return left + at[:, 0] * (right - left), low + at[:, 1] * (high - low)


def spread(at: Floats, gap: float, low: float, high: float) -> Floats:
    """Return places in the order of ``at``, ``gap`` apart, inside the limits."""
    order = np.argsort(at, kind="stable")
    places = at[order].copy()
    for k in range(1, places.size):
        places[k] = max(places[k], places[k - 1] + gap)
    places -= (places - at[order]).max() / 2
    places -= max(0.0, places[-1] + gap / 2 - high)
    places += max(0.0, low + gap / 2 - places[0])
    back = np.empty_like(places)
    back[order] = places
    return back
