"""Estimate time and memory from the size of the work, and refuse work that is far too large.

The estimates are rough: they are meant for work that takes days or fills the memory. Where the
work grows with the pairs of groups, classes, models or folds, many of them are mostly a mistake,
such as a column of identifiers, so the limit is lower there.
"""

from __future__ import annotations

from typing import Any

from rocviz.core.base.validation import describe

#: Limits of the estimates for one call: seconds, and bytes in memory.
MAX_SECONDS = 24 * 3600.0
MAX_BYTES = 8 * 2**30
#: Limits for work on many groups, classes, models or folds, for draws for each of them, and for a
#: picture or a page of them.
MAX_SECONDS_OF_CATEGORIES = 300.0
MAX_SECONDS_OF_DRAWS = 3600.0
MAX_SECONDS_OF_PICTURE = 60.0

# To rank and evaluate it.
_SECONDS_PER_DRAW = 1e-5
_SECONDS_PER_SAMPLE = 1e-7


def check_effort(
    *,
    seconds: float = 0.0,
    numbers: float = 0.0,
    max_seconds: float = MAX_SECONDS,
    advice: str = "ask for less at a time",
    **causes: object,
) -> None:
    """Raise before work that takes too long or more than 8 GiB, with the estimate and its causes.

    ``seconds`` are on one core, by a rough estimate; ``numbers`` of eight bytes are in memory.
    ``causes`` are the arguments that cause it, by name; text describes a long one.
    """
    needs = []
    if seconds > max_seconds:
        unit, length = ("hours", 3600) if max_seconds >= 3600 else ("minutes", 60)
        needs.append(f"about {seconds / length:.3g} {unit} (at most {max_seconds / length:g})")
    if 8 * numbers > MAX_BYTES:
        needs.append(
            f"about {8 * numbers / 2**30:.3g} GiB of memory (at most {MAX_BYTES / 2**30:g})"
        )
    if needs:
        arguments = []
        for name, value in causes.items():
            if isinstance(value, str):
                arguments.append(f"{name} of {value}")
            else:
                arguments.append(f"{name}={describe(value)}")
        raise ValueError(f"{', '.join(arguments)} would take {' and '.join(needs)}; {advice}.")


def check_draws(draws: int, samples: float, in_memory: float, **causes: Any) -> None:
    """Check the effort of drawing data sets, see :func:`check_effort`.

    ``in_memory`` numbers are in memory at a time, results included.
    """
    seconds = draws * (_SECONDS_PER_DRAW + _SECONDS_PER_SAMPLE * samples)
    check_effort(seconds=seconds, numbers=in_memory, **causes)
