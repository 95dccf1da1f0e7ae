"""User-defined metrics, evaluated stably where rates cancel.

As in formulas, u, v and p are the rates of true positives, predicted positives and positives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from rocviz.core.base.validation import Floats, check_numbers

Function: TypeAlias = Callable[[Floats, Floats, Floats], Any]

_EPS = float(np.finfo(np.float64).eps)
_GRID = 2.0**52
_STEP = 2.0**-30  # step to the side of a rate, a multiple of the grid's
_STEEP = 1000.0  # steepest slope at which a limit is accepted
_RESIDUE = 1e-6  # larger than the square root of a rounding error


def custom_values(
    measure: Function, a: Floats, k: Floats, pos: Floats, n: float, zero_division: float
) -> Floats:
    """Evaluate a function of rates at counts; it is ``spare`` where it is 0/0 and ``a`` is forced.

    ``measure`` is given the rates of true positives, predicted positives and positives among ``n``
    samples; ``a``, ``k`` and ``pos`` are their counts there, broadcast against each other. It
    raises ``ValueError`` if the function fails, returns another shape, or is not finite somewhere.
    """
    a, k, pos = np.broadcast_arrays(a, k, pos)
    u, v, p = a / n, k / n, pos / n
    value = _call(measure, u, v, p)
    # rates cancel to a rounding error only with the 1 of a formula; their differences are exact
    odd = (n - k - pos + a <= 4 * _EPS * n) | ~np.isfinite(value)
    if odd.any():
        value = value.copy()
        value[odd] = _on_grid(measure, a[odd], k[odd], pos[odd], n, value[odd], zero_division)
        bad = ~np.isfinite(value)
        if bad.any():
            i = np.unravel_index(int(np.argmax(bad)), bad.shape)
            raise ValueError(
                f"metric must be a finite number everywhere; it is {value[i]} at "
                f"u={u[i]:.6g}, v={v[i]:.6g}, p={p[i]:.6g}."
            )
    return value


def _call(measure: Function, u: Floats, v: Floats, p: Floats) -> Floats:
    """Call the user's function and check the result's shape."""
    with np.errstate(all="ignore"):
        try:
            value = check_numbers(measure(u, v, p), "what it returns")
        except (TypeError, ValueError, ArithmeticError) as error:
            raise ValueError(
                f"metric failed on arrays u, v, p of shape {u.shape}: {error}. It must "
                f"take arrays and return one number for each entry."
            ) from error
    if value.shape not in ((), u.shape):
        raise ValueError(
            f"metric must return one number for each entry of u, v and p; got shape "
            f"{value.shape} for shape {u.shape}."
        )
    return np.broadcast_to(value, u.shape)


def _on_grid(
    measure: Function,
    a: Floats,
    k: Floats,
    pos: Floats,
    n: float,
    plain: Floats,
    zero_division: float,
) -> Floats:
    """Evaluate at rates that cancel exactly; ``plain`` holds the values at the given rates."""
    u, v, p = _exact_rates(a, k, pos, n)
    value = _call(measure, u, v, p)
    # a small difference is the square root of a rounding error; a large one comes from a jump of
    # the function: then the given rates count
    with np.errstate(invalid="ignore"):
        jumps = np.isfinite(plain) & (np.abs(plain - value) >= _RESIDUE)
    value = np.where(jumps, plain, value)
    undefined = np.isnan(value)
    # where u is forced, any constant gives the same decisions
    forced = undefined & ((p <= 0) | (p >= 1) | (v <= 0) | (v >= 1))
    value[forced] = zero_division
    inside = undefined & ~forced
    if inside.any():
        value[inside] = _limit(measure, u[inside], v[inside], p[inside])
    return value


def _exact_rates(a: Floats, k: Floats, pos: Floats, n: float) -> tuple[Floats, Floats, Floats]:
    """Round rates so that their sums and differences are exact, such as ``1 - v - p + u``.

    The four cells of the table are whole multiples of 2**-52 with sum 1, so that a
    combination that should vanish is 0 rather than a rounding error.
    """
    cells = np.rint(np.stack([a, k - a, pos - a, n - k - pos + a]) * (_GRID / n))
    cells[cells.argmax(axis=0), np.arange(a.size)] += _GRID - cells.sum(axis=0)
    tp, fp, fn, _ = cells / _GRID
    return tp, tp + fp, tp + fn


def _limit(measure: Function, u: Floats, v: Floats, p: Floats) -> Floats:
    """Compute the limit of a function as u falls to where it is 0/0; ``nan`` if there is none."""
    near, far = (_call(measure, u + i * _STEP, v, p) for i in (1, 2))
    with np.errstate(all="ignore"):
        smooth = np.abs(far - near) <= _STEEP * _STEP * np.maximum(np.abs(near), 1.0)
        return np.where(smooth, 2 * near - far, np.nan)
