"""Repetitions of an experiment that fits models, and their mean."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn import config_context, get_config

from rocviz.core.base.progress import Result, run_steps
from rocviz.core.base.validation import Floats


def run_fits(
    function: Callable[..., Result], inputs: Iterable[tuple[Any, ...]], *options: Any
) -> Iterator[Result]:
    """Do :func:`run_steps`, with scikit-learn's settings in the workers as they are here."""
    return run_steps(partial(_configured, get_config(), function), inputs, *options)


def _configured(settings: dict[str, Any], function: Callable[..., Result], *args: Any) -> Result:
    with config_context(**settings):
        return function(*args)


def mean_and_error(values: Floats, axis: int) -> tuple[Floats, Floats]:
    """Compute the mean over repetitions, and its standard error."""
    error = values.std(axis=axis, ddof=1) / np.sqrt(values.shape[axis])
    return values.mean(axis=axis), error
