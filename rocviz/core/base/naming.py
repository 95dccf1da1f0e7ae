"""Names that can be written and drawn, and the argument's name before what others refuse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rocviz.core.base.validation import check_text


def name_texts(names: Iterable[Any], argument: str) -> list[str]:
    """Return names of models, columns or questions as text that can be written and drawn."""
    return [check_text(str(name), f"a name in {argument}") for name in names]


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
