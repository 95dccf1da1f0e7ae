"""Results of an experiment that was repeated.

Knows nothing of what was repeated.
"""

import numpy as np

from rocviz.core.base.validation import Floats


def mean_and_error(values: Floats, axis: int) -> tuple[Floats, Floats]:
    """Return the mean over repetitions, and its standard error."""
    error = values.std(axis=axis, ddof=1) / np.sqrt(values.shape[axis])
    return values.mean(axis=axis), error
