"""Where things go in the ensemble's pictures so that none covers another.

Knows points and limits; nothing of what is drawn, or with what.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# round ones with round reciprocals
TEMPERATURES = (
    *(1.0, 0.5, 0.25, 0.2, 0.16, 0.125, 0.1, 0.08, 0.0625, 0.05, 0.04, 0.032, 0.025, 0.02, 0.016),
    *(0.0125, 0.01, 0.008, 0.005, 0.004, 0.0025, 0.002, 0.001),
)
ROOM = 0.085  # distance of two circles, in units of the square they are in


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
