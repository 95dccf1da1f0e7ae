"""The judgement of a case: whether a call handled hostile arguments correctly.

It may return what holds no NaN where the well-meant call has none, or raise a ``ValueError`` or
``TypeError`` that names an argument. It must not warn, raise anything else, take long, fill the
memory, or change what it was given.
"""

import pickle
import re
import signal
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from itertools import islice

import numpy as np

#: The message of the exception that the hostile object raises when it is used.
OWN_REFUSALS = ("do not look at me", "do not compare me")
#: Seconds of processor time that a case may take.
MAX_PROCESSOR_SECONDS = 10.0
#: Letters of the longest refusal: values in it are shortened, but all names of metrics are listed.
MAX_MESSAGE_LETTERS = 2000
#: Whether refusals of scikit-learn, pandas and polars have to name an argument too.
IS_STRICT = False


class TooLong(BaseException):
    """The case took longer than :data:`LIMIT`; no ``except Exception`` on the way stops it."""


@contextmanager
def limited(seconds=MAX_PROCESSOR_SECONDS):
    """Raise :class:`TooLong` after so many seconds of processor time, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number, _frame):
        raise TooLong(f"more than {seconds:g} seconds of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def frozen(value):
    """Serialise a value so that changes show, or return ``None`` if it cannot be serialised."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return bytes(str((value.shape, value.dtype)), "ascii") + value.tobytes()
    if hasattr(value, "to_numpy"):
        value = value.to_numpy().tolist()  # tables keep notes of what was asked of them
    if hasattr(value, "fit") or isinstance(value, np.random.Generator):
        return None  # fitting and drawing are what these are for
    try:
        return pickle.dumps(value)
    except Exception:
        return None


def nan_places(value, place="", depth=0):
    """Yield the places of NaN in a result: fields, entries, columns."""
    if depth > 6:
        return
    if isinstance(value, float | np.floating):
        if value != value:
            yield place
    elif isinstance(value, np.ndarray):
        if value.dtype.kind == "f" and np.isnan(value).any():
            yield place
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from nan_places(getattr(value, field.name), f"{place}.{field.name}", depth + 1)
    elif isinstance(value, Mapping):
        for name, entry in value.items():
            yield from nan_places(entry, f"{place}[{name!r}]", depth + 1)
    elif isinstance(value, tuple | list):
        for entry in value[:50]:
            yield from nan_places(entry, f"{place}[]", depth + 1)


def _without_keys(place):
    """Leave the keys of mappings out of a place: they may be the user's labels."""
    return re.sub(r"\[[^\]]*\]", "[]", place)


def all_of(result):
    """Get a result; generators become lists."""
    return list(islice(result, 1000)) if isinstance(result, Iterator) else result


def raised_by_a_library(error):
    """Whether a library such as scikit-learn or pandas raised the error."""
    calls = [call.filename for call in traceback.extract_tb(error.__traceback__)]
    ours = max((i for i, name in enumerate(calls) if "/rocviz/" in name), default=-1)
    libraries = ("sklearn", "pandas", "polars", "pyarrow")
    return any(f"/{name}/" in call for call in calls[ours + 1 :] for name in libraries)


def names_an_argument(error, names):
    """Whether an error's message contains one of the words."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", str(error)) for name in names)


def too_long(error):
    """Describe the fault of a message that repeats a long value, or return ``None``."""
    words = str(error)
    return (
        f"a message of {len(words):,} letters: {words[:200]}"
        if len(words) > MAX_MESSAGE_LETTERS
        else None
    )


def judge(
    call,
    arguments,
    names,
    nan_allowed=frozenset(),
    refusals=(ValueError, TypeError),
    seconds=MAX_PROCESSOR_SECONDS,
):
    """Describe the fault of a call in a line, or return ``None``.

    ``names`` are the words that a refusal may name, ``nan_allowed`` the places of NaN in the
    result of the well-meant call.
    """
    before = {name: frozen(value) for name, value in arguments.items()}
    try:
        with warnings.catch_warnings(), limited(seconds):
            warnings.simplefilter("error")
            # a library's own deprecations are not what is looked for
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            warnings.filterwarnings("ignore", "A column-vector y was passed")
            # which says what to raise
            warnings.filterwarnings("ignore", ".* has not converged after .* steps; raise")
            warnings.filterwarnings("ignore", "X (has|does not have valid) feature names")
            result = all_of(call(**arguments))
    except refusals as error:
        by_others = not IS_STRICT and raised_by_a_library(error)
        if not by_others and (wrong := too_long(error)):
            return f"{wrong}{_place(error)}"
        if not (names_an_argument(error, names) or by_others):
            return f"no argument named: {type(error).__name__}: {str(error)[:200]}{_place(error)}"
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        if str(error) in OWN_REFUSALS:
            return None  # the value's own exception, which goes on
        return f"{type(error).__name__}: {str(error)[:200]}{_place(error)}"
    else:
        allowed = {_without_keys(place) for place in nan_allowed}
        wrong = {place for place in nan_places(result) if _without_keys(place) not in allowed}
        if wrong:
            return f"NaN in result{', result'.join(sorted(wrong))}"
        if callable(getattr(result, "close", None)):
            result.close()
    for name, value in arguments.items():
        if before[name] is not None and frozen(value) != before[name]:
            return f"{name} was changed"
    return None


def _place(error):
    """Find the place in rocviz that raised an error."""
    calls = traceback.extract_tb(error.__traceback__)
    ours = [call for call in calls if "/rocviz/" in call.filename]
    if not ours:
        return ""
    return f" (rocviz/{ours[-1].filename.rpartition('/rocviz/')[2]}:{ours[-1].lineno})"
