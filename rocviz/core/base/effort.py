"""Estimate time and memory from the size of the work, and refuse work that is far too large.

The estimates are rough: they are meant for work that takes days or fills the memory.
"""

from __future__ import annotations

from rocviz.core.base.validation import describe

#: Limits of the estimates for one call: seconds, and bytes in memory.
MOST_SECONDS = 24 * 3600.0
MOST_BYTES = 8 * 2**30

# Seconds to rank and evaluate a draw, and per sample of it.
_DRAW, _SAMPLE = 1e-5, 1e-7


def check_effort(*, seconds: float = 0.0, numbers: float = 0.0, **asked: object) -> None:
    """Raise before work that takes more than a day or 8 GiB, with the estimate and its causes.

    ``seconds`` are on one core, by a rough estimate; ``numbers`` of eight bytes are in memory.
    ``asked`` are the arguments that cause it, by name; text describes a long one.
    """
    needs = []
    if seconds > MOST_SECONDS:
        needs.append(f"about {seconds / 3600:.3g} hours (at most {MOST_SECONDS / 3600:g})")
    if 8 * numbers > MOST_BYTES:
        needs.append(
            f"about {8 * numbers / 2**30:.3g} GiB of memory (at most {MOST_BYTES / 2**30:g})"
        )
    if needs:
        request = ", ".join(
            f"{name} of {value}" if isinstance(value, str) else f"{name}={describe(value)}"
            for name, value in asked.items()
        )
        raise ValueError(f"{request} would take {' and '.join(needs)}; ask for less at a time.")


def check_draws(draws: int, samples: float, in_memory: float, **asked: object) -> None:
    """Check the effort of drawing data sets, see :func:`check_effort`.

    ``in_memory`` numbers are in memory at a time, results included.
    """
    check_effort(seconds=draws * (_DRAW + _SAMPLE * samples), numbers=in_memory, **asked)
