"""The judgement of a call with hostile arguments.

It may return what holds no NaN where the well-meant call has none, or raise an error of
:data:`REFUSALS` that names an argument. It must not warn, raise anything else, take long, or change
what it was given.
"""

import pickle
import re
import signal
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from itertools import islice

import numpy as np
import pytest
import traitlets
from values import OwnError

#: Exceptions with which explorers refuse inputs, and stories files.
REFUSALS = (ValueError, TypeError, traitlets.TraitError, OSError)
#: Seconds of processor time that a case may take.
MAX_PROCESSOR_SECONDS = 10.0
#: Letters of the longest refusal: values in it are shortened, but all names of metrics are listed.
MAX_MESSAGE_LETTERS = 2000

#: Warnings of other libraries, and those that say what to raise; all others are errors.
ignore_warnings_of_others = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning",
    "ignore:Glyph .* missing from font",
    "ignore:A column-vector y was passed",
    "ignore:.* has not converged after .* steps; raise",
    "ignore:X (has|does not have valid) feature names",
)


@contextmanager
def limited(seconds=MAX_PROCESSOR_SECONDS):
    """Fail after so many seconds of processor time, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number, _frame):
        # no ``except Exception`` on the way stops it
        pytest.fail(f"more than {seconds:g} seconds of processor time")

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


def nan_places(value, place="result", depth=0):
    """Yield the places of NaN in a result: fields and entries, without the keys of mappings."""
    if depth > 6:
        return
    if isinstance(value, float | np.floating | np.ndarray):
        if np.asarray(value).dtype.kind == "f" and np.isnan(value).any():
            yield place
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from nan_places(getattr(value, field.name), f"{place}.{field.name}", depth + 1)
    elif isinstance(value, Mapping | tuple | list):
        entries = value.values() if isinstance(value, Mapping) else value[:50]
        for entry in entries:
            yield from nan_places(entry, f"{place}[]", depth + 1)


def all_of(result):
    """Get a result; generators become lists."""
    return list(islice(result, 1000)) if isinstance(result, Iterator) else result


def raised_by_a_library(error):
    """Whether a library such as scikit-learn or pandas raised the error."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    last_of_ours = max((i for i, file in enumerate(files) if "/rocviz/" in file), default=-1)
    libraries = ("sklearn", "pandas", "polars", "pyarrow")
    return any(f"/{name}/" in file for file in files[last_of_ours + 1 :] for name in libraries)


def check_length(error):
    """Require that there is a message, which repeats no long value."""
    letters = len(str(error))
    assert 0 < letters <= MAX_MESSAGE_LETTERS, f"a message of {letters:,} letters"


def check_refusal(error, names):
    """Require that an error of rocviz is short and names an argument."""
    if raised_by_a_library(error):
        return
    check_length(error)
    patterns = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in names]
    is_named = any(re.search(pattern, str(error)) for pattern in patterns)
    assert is_named, f"no argument named: {type(error).__name__}: {error}"


def judge(call, arguments, names, nan_allowed=frozenset(), seconds=MAX_PROCESSOR_SECONDS):
    """Require that a call handles its arguments correctly.

    ``names`` are the words that a refusal may name, ``nan_allowed`` the places of NaN in the
    result of the well-meant call.
    """
    before = {name: frozen(value) for name, value in arguments.items()}
    try:
        with limited(seconds):
            result = all_of(call(**arguments))
    except REFUSALS as error:
        check_refusal(error, names)
    except OwnError:
        return
    else:
        unexpected = set(nan_places(result)) - nan_allowed
        assert not unexpected, f"NaN in {', '.join(sorted(unexpected))}"
        if callable(getattr(result, "close", None)):
            result.close()
    for name, value in arguments.items():
        is_changed = before[name] is not None and frozen(value) != before[name]
        assert not is_changed, f"{name} was changed"
