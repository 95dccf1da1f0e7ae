"""The worked example of Flach and Matsubara: twenty instances, two binary attributes.

Contains the counts of the paper's cells and nothing that is computed from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.datasets._tools import bunch_or_pair

# (A1, A2) -> (positives, negatives)
_CELLS = {(0, 0): (4, 1), (0, 1): (1, 5), (1, 0): (2, 3), (1, 1): (3, 1)}

_DESCRIPTION = """\
Twenty instances with two binary attributes
-------------------------------------------

Ten positives and ten negatives in four cells, small enough for every number to be worked out
by hand. Counts are positives, negatives:

==========  ==========  ==========
..          A2 = 0      A2 = 1
==========  ==========  ==========
A1 = 0      4, 1        1, 5
A1 = 1      2, 3        3, 1
==========  ==========  ==========

What the paper finds in them:

- The tree that splits on A2 and then on A1 has one leaf per cell. Ranked by their share of
  positives the leaves give an AUC of 0.79. Its ROC curve is convex. The refinement loss of
  its probabilities is 43/240 (0.18), their calibration loss 0.
- Likelihood ratios are 5/6 (A1 = 0), 5/4 (A1 = 1), 3/2 (A2 = 0) and 2/3 (A2 = 1); odds ratios
  are 3/2 for A1 and 9/4 for A2.
- The lexicographic ranker that compares A2 first, prefers A2 = 0 and then A1 = 1, ranks as
  naive Bayes does. Its AUC is 0.62 and its curve is not convex. The convex hull has two
  segments, of 9 positives with 5 negatives and of 1 with 5; with Laplace's correction they
  say 10/16 and 2/8.

Source: Flach and Matsubara (2008), Examples 1 to 5.
"""


def load_flach_matsubara(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load the 20-instance example of Flach and Matsubara (2008).

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` only.
    as_frame : bool, default=False
        As pandas objects; the bunch then has a ``frame`` with attributes and class together.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        ``data`` (read-only array of 0 and 1, shape (20, 2)), ``target`` (read-only array,
        shape (20,), 1 is positive), ``feature_names``, ``target_names``, ``DESCR``, ``frame``.

    References
    ----------
    Flach and Matsubara (2008), the running example.

    Examples
    --------
    >>> X, y = load_flach_matsubara(return_X_y=True)
    >>> X.shape, int(y.sum())
    ((20, 2), 10)
    """
    rows = []
    counts = []
    for (a1, a2), (n_pos, n_neg) in _CELLS.items():
        rows += [(a1, a2, 1), (a1, a2, 0)]
        counts += [n_pos, n_neg]
    table = np.repeat(np.array(rows, dtype=np.int64), counts, axis=0)
    return bunch_or_pair(
        table[:, :2].copy(),
        table[:, 2].copy(),
        return_X_y=return_X_y,
        as_frame=as_frame,
        feature_names=["A1", "A2"],
        target_names=["negative", "positive"],
        DESCR=_DESCRIPTION,
    )
