"""Refusals of other libraries, whose words do not always say which argument they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def naming(*names: str) -> Iterator[None]:
    """Put the arguments' names before what is refused within this block, if none is in it."""
    try:
        yield
    except OverflowError as error:
        raise ValueError(f"{' or '.join(names)}: {error}") from error
    except (ValueError, TypeError) as error:
        known = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", str(error)) for name in names)
        # what is raised as a kind of its own may take more than words
        if known or type(error) not in (ValueError, TypeError):
            raise
        raise type(error)(f"{' or '.join(names)}: {error}") from error
