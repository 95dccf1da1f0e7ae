"""Samples in the plane whose true probability is a step: a link that no sigmoid fits.

Knows nothing of models, plots or widgets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocviz.core._frozen import Frozen
from rocviz.core._validation import (
    Floats,
    Seed,
    check_fraction,
    check_integer,
    check_random_state,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CappedLinkSamples", "simulate_capped_link"]


@dataclass(frozen=True, eq=False)
class CappedLinkSamples(Frozen):
    """Simulated samples with their true probabilities.

    Parameters
    ----------
    X : ndarray of float, shape (n_samples, 2)
        Features.
    y_true : ndarray of int, shape (n_samples,)
        Class, 0 or 1.
    eta : ndarray of float, shape (n_samples,)
        True probability of class 1: ``a`` or ``1 - a``.
    direction : ndarray of float, shape (2,)
        Of unit length; the true score is ``X @ direction``.
    """

    X: Floats
    y_true: NDArray[np.int64]
    eta: Floats
    direction: Floats

    def to_frame(self) -> pd.DataFrame:
        """Return one row per sample.

        Returns
        -------
        pandas.DataFrame
            Columns ``x1, x2, y_true, eta``.
        """
        import pandas as pd

        x1, x2 = self.X.T
        return pd.DataFrame({"x1": x1, "x2": x2, "y_true": self.y_true, "eta": self.eta})


def simulate_capped_link(
    n_samples: int = 1000, a: float = 0.125, *, random_state: Seed = None
) -> CappedLinkSamples:
    """Draw points from N(0, I) and labels with probability ``a`` or ``1 - a``.

    The probability depends on the side of a line through the origin on which a point lies.

    Parameters
    ----------
    n_samples : int, default=1000
        At least 2.
    a : float, default=0.125
        Floor of the probability; ``1 - a`` is its ceiling. From 0 to 1/2: at 0 labels are certain,
        at 1/2 the features say nothing.
    random_state : int, numpy.random.Generator or None, default=None
        Source of randomness. With the same integer another ``a`` leaves the points where they are
        and changes few labels.

    Returns
    -------
    CappedLinkSamples

    Raises
    ------
    ValueError
        If a parameter is not as said above.

    References
    ----------
    Menon et al. (2012), "Predicting accurate probabilities with a ranking loss", section 5.2.

    Examples
    --------
    >>> data = simulate_capped_link(1000, 0.1, random_state=0)
    >>> bool(((data.X @ data.direction >= 0) == (data.eta == 0.9)).all())
    True
    """
    n = check_integer(n_samples, "n_samples", minimum=2)
    floor = check_fraction(a, "a", ends=True)
    if floor > 0.5:
        raise ValueError(f"a must be at most 1/2; got {a!r}.")
    rng = check_random_state(random_state)
    direction = np.array([0.6, 0.8])
    X = rng.standard_normal((n, 2))
    eta = np.where(X @ direction >= 0, 1 - floor, floor)
    y_true = (rng.random(n) < eta).astype(np.int64)
    return CappedLinkSamples(X=X, y_true=y_true, eta=eta, direction=direction)
