"""Means and standard errors over random splits of the same data."""

import numpy as np

from rocviz.core.base.validation import Floats


def error_of_splits(values: Floats, n_train: float, n_test: float, axis: int = 0) -> Floats:
    """Compute the standard error of a mean over splits, allowing for the samples they share.

    The variance over the splits is multiplied by ``1 / n_splits + n_test / n_train`` (Nadeau and
    Bengio, 2003). As splits of the same data are not independent, ``1 / n_splits`` alone is far
    too small.
    """
    shared = 1 / values.shape[axis] + n_test / n_train
    return np.asarray(np.sqrt(shared * values.var(axis=axis, ddof=1)))
