"""The values of a slider: evenly spaced, spaced by a constant ratio, or listed.

Plain data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import floor, log10
from typing import Any, Protocol


class Grid(Protocol):
    """The values at which a slider stops, numbered from 0."""

    @property
    def steps(self) -> int:
        """The last position."""

    def value(self, position: int) -> Any:
        """Compute the value at a position."""

    def position(self, value: Any) -> int:
        """Find the position nearest to a value."""


@dataclass(frozen=True)
class Linear:
    """Evenly spaced values from ``low`` to ``high``; whole numbers if ``step`` is one."""

    low: float
    high: float
    step: float

    @cached_property
    def steps(self) -> int:
        """The last position."""
        return max(round((self.high - self.low) / self.step), 0)

    def value(self, position: int) -> float:
        """Compute the value at a position, without accumulated rounding."""
        if position >= self.steps:
            return self.high
        if position <= 0:
            return self.low
        value = self.low + position * self.step
        if isinstance(self.step, int):
            return int(value)
        return round(value, max(10, 4 - floor(log10(self.step))))

    def position(self, value: float) -> int:
        """Find the position nearest to a value."""
        return min(max(round((value - self.low) / self.step), 0), self.steps)


@dataclass(frozen=True)
class Log:
    """Values spaced evenly in their logarithm, rounded to three digits."""

    low: float
    high: float
    per_decade: int = 20

    @cached_property
    def steps(self) -> int:
        """The last position."""
        return round(self.per_decade * log10(self.high / self.low))

    def value(self, position: int) -> float:
        """Compute the value at a position."""
        if position in (0, self.steps):
            return self.high if position else self.low
        return float(f"{self.low * 10 ** (position / self.per_decade):.3g}")

    def position(self, value: float) -> int:
        """Find the position nearest to a value."""
        at = round(self.per_decade * log10(max(value, self.low) / self.low))
        return min(max(at, 0), self.steps)


@dataclass(frozen=True)
class Values:
    """Given values in increasing order."""

    values: tuple[Any, ...]

    @cached_property
    def steps(self) -> int:
        """The last position."""
        return len(self.values) - 1

    def value(self, position: int) -> Any:
        """Compute the value at a position."""
        return self.values[position]

    def position(self, value: Any) -> int:
        """Find the position nearest to a value; by ratio if all values are positive."""
        if value in self.values:
            return self.values.index(value)

        def scale(v: float) -> float:
            return log10(v) if self.values[0] > 0 and value > 0 else v

        near = [abs(scale(v) - scale(value)) for v in self.values]
        return near.index(min(near))
