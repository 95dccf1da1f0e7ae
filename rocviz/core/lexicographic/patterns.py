"""Binary rows of any length as bit patterns that sort lexicographically.

Packs, sorts, ranks and locates patterns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, as_array

Bits = NDArray[np.uint8]
Bytes = NDArray[np.bytes_]

_ROWS_PER_BLOCK = 4096  # packed at a time, so that they fit the processor's cache
_MAX_EXACT_BITS = 52  # of a whole number that a double holds, half steps included
# leading zeros of each byte
_LEADING_ZEROS = np.array([8 - int(byte).bit_length() for byte in range(256)])


def check_bits(X: ArrayLike, name: str = "X") -> Bits:
    """Check a two-dimensional array of 0 and 1; bytes are not copied."""
    table = as_array(X, name, "0 and 1")
    if table.ndim != 2:
        raise ValueError(
            f"{name} must have shape (n_samples, n_attributes); got shape {table.shape}."
        )
    if table.dtype.kind == "b":
        return table.view(np.uint8)
    if table.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold 0 and 1 only; got values of type {table.dtype}.")
    if table.size:
        low = table.min()
        high = table.max()
        if not (low >= 0 and high <= 1):
            raise ValueError(f"{name} must hold 0 and 1 only; found values from {low} to {high}.")
        if table.dtype.kind == "f" and not ((table == 0) | (table == 1)).all():
            raise ValueError(f"{name} must hold 0 and 1 only; found values between them.")
    return table.astype(np.uint8, copy=False)


def pack(bits: Bits, columns: NDArray[np.intp], preferred: Bits) -> Bytes:
    """Pack each row into bytes, with one bit per column for the preferred value.

    All strings have the same length, and what is missing at the end is zero, the smallest
    byte. So they compare as the patterns do, the first bit before all others.
    """
    width = max(-(-columns.size // 8), 1)
    packed = np.zeros((bits.shape[0], width), np.uint8)
    if columns.size:
        flip = (1 - preferred).astype(np.uint8)
        for start in range(0, bits.shape[0], _ROWS_PER_BLOCK):
            rows = slice(start, start + _ROWS_PER_BLOCK)
            packed[rows] = np.packbits(np.take(bits[rows], columns, axis=1) ^ flip, axis=1)
    return packed.view(f"S{width}")[:, 0]


def dense_rank(patterns: Bytes) -> NDArray[np.intp]:
    """Rank patterns densely, the highest first, from 1."""
    order = np.argsort(patterns)[::-1]
    falling = patterns[order]
    is_new = np.ones(patterns.size, np.intp)
    is_new[1:] = falling[1:] != falling[:-1]
    rank = np.empty(patterns.size, np.intp)
    rank[order] = np.cumsum(is_new)
    return rank


@dataclass(frozen=True, eq=False)
class PatternScale(Frozen):
    """Numbers in the order of the patterns, which do not depend on the batch.

    Up to 52 bits the number is the pattern read as a whole number, and the order is exact for
    all patterns. Beyond, the known patterns are numbered 0, 1, ... and others lie between
    their neighbours, by as many of their bits as a double has room for, from the bit on in
    which the neighbours differ. No two patterns are ever in the wrong order; known ones are
    apart from all others; unknown ones tie only if they agree in all those bits too.
    """

    n_bits: int  # length of the patterns
    known: Bytes  # (n_known,): distinct, increasing; none are needed up to 52 bits

    @classmethod
    def of(cls, n_bits: int, patterns: Bytes) -> PatternScale:
        """Build the scale of these patterns."""
        return cls(n_bits, patterns[:0] if n_bits <= _MAX_EXACT_BITS else np.unique(patterns))

    @property
    def _depth(self) -> int:
        """Count the bits that distinguish an unknown pattern from others in the same gap."""
        return _MAX_EXACT_BITS - 1 - int(self.known.size + 1).bit_length()

    @property
    def resolution(self) -> float:
        """The least distance of two numbers that differ; halves of it are exact as well."""
        return 1.0 if self.n_bits <= _MAX_EXACT_BITS else 2.0 ** -(self._depth + 1)

    @property
    def ends(self) -> tuple[float, float]:
        """No number is below the first or above the second."""
        if self.n_bits <= _MAX_EXACT_BITS:
            return 0.0, 2.0**self.n_bits - 1
        return -1.0, float(self.known.size)

    def number(self, patterns: Bytes) -> Floats:
        """Assign each pattern its number, higher for higher ones, shape (n_samples,)."""
        if self.n_bits <= _MAX_EXACT_BITS:
            n_unused = 64 - self.n_bits if self.n_bits else 0
            whole = _big_endian(patterns)[:, 0] >> np.uint64(n_unused)
            return whole.astype(np.float64)
        order = np.argsort(patterns)
        after = np.empty(patterns.size, np.intp)
        # sorted patterns are located several times faster, as neighbours share cached paths
        after[order] = np.searchsorted(self.known, patterns[order])
        number = after.astype(np.float64)
        is_unknown = self.known[np.minimum(after, self.known.size - 1)] != patterns
        if is_unknown.any():
            number[is_unknown] -= 1 - self._fraction(patterns[is_unknown], after[is_unknown])
        return number

    def _fraction(self, patterns: Bytes, after: NDArray[np.intp]) -> Floats:
        """Locate each pattern between its neighbours, strictly from 0 to 1."""
        below = _bytes_of(self.known[np.maximum(after - 1, 0)])
        above = _bytes_of(self.known[np.minimum(after, self.known.size - 1)])
        # beyond the ends both neighbours are the same, so that every bit counts
        differ = below ^ above
        byte = (differ != 0).argmax(axis=1)
        first = 8 * byte + _LEADING_ZEROS[np.take_along_axis(differ, byte[:, None], axis=1)[:, 0]]
        first[(after == 0) | (after == self.known.size)] = 0
        words = np.pad(_big_endian(patterns), ((0, 0), (0, 1)))
        row = np.arange(first.size)
        word = first // 64
        shift = (first % 64).astype(np.uint64)
        high = words[row, word] << shift
        # a shift by all 64 bits is undefined, two shifts are not
        low = words[row, word + 1] >> np.uint64(1) >> (np.uint64(63) - shift)
        bits = (high | low) >> np.uint64(64 - self._depth)
        return np.asarray((bits.astype(np.float64) + 0.5) / 2.0**self._depth)


def _bytes_of(patterns: Bytes) -> Bits:
    return np.ascontiguousarray(patterns).view(np.uint8).reshape(patterns.size, patterns.itemsize)


def _big_endian(patterns: Bytes) -> NDArray[np.uint64]:
    """Pack patterns into rows of words, the first bit of each the highest of its word."""
    raw = _bytes_of(patterns)
    padded = np.pad(raw, ((0, 0), (0, -raw.shape[1] % 8)))
    return padded.view(">u8").astype(np.uint64)
