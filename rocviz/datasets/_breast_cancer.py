"""A real classifier's honest scores on real data, for explorers and notebooks.

Computed when asked for, from the data that scikit-learn brings along; nothing is downloaded.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import Bunch

from rocviz.core.base.frozen import read_only, to_frame
from rocviz.core.base.validation import check_flag

_FEATURES = ("mean texture", "worst texture", "mean compactness", "worst compactness")
_ESTIMATOR = "GaussianNB, each sample scored by the model of the four folds it is not in"

_DESCRIPTION = """\
Naive Bayes on the breast cancer data
-------------------------------------

569 tumours, 212 of them malignant (the positive class, 1) and 357 benign (0), from the
Wisconsin diagnostic data that come with scikit-learn. ``y_prob`` is the probability of
"malignant" by Gaussian naive Bayes from four measurements of the cell nuclei: how uneven their
grey values are (texture) and how far their outline is from a circle (compactness), each as the
mean over the image and as its worst value.

Mean and worst value of one measurement go up and down together, but naive Bayes takes them
for independent witnesses and counts the same evidence twice. So its probabilities are
over-confident, too near 0 and 1, though the ranking is a good one.

Each probability comes from a model that did not see the sample: five stratified folds,
shuffled with seed 0. Results do not depend on where or when they are computed.
"""


def load_breast_cancer_scores(*, as_frame: bool = False) -> Bunch:
    """Load out-of-fold probabilities of naive Bayes on scikit-learn's breast cancer data.

    Parameters
    ----------
    as_frame : bool, default=False
        Also give a ``frame``, a pandas table of the measurements, ``y_true`` and ``y_prob``.

    Returns
    -------
    sklearn.utils.Bunch
        ``y_true`` (read-only integers, shape (569,), 1 is malignant), ``y_prob`` (read-only,
        shape (569,), probability of malignant), ``data`` (read-only, shape (569, 4)),
        ``feature_names``, ``target_names`` (index is the label), ``estimator`` (what made the
        scores, in words), ``DESCR``, ``frame``.

    Raises
    ------
    ValueError
        If ``as_frame`` is neither true nor false.

    Examples
    --------
    >>> scores = load_breast_cancer_scores()
    >>> int(scores.y_true.sum()), len(scores.y_prob)
    (212, 569)
    """
    as_frame = check_flag(as_frame, "as_frame")
    data, y_true, y_prob = _scores()
    frame = None
    if as_frame:
        columns = dict(zip(_FEATURES, data.T, strict=True))
        frame = to_frame({**columns, "y_true": y_true, "y_prob": y_prob})
    return Bunch(
        y_true=y_true,
        y_prob=y_prob,
        data=data,
        frame=frame,
        feature_names=list(_FEATURES),
        target_names=["benign", "malignant"],
        estimator=_ESTIMATOR,
        DESCR=_DESCRIPTION,
    )


@lru_cache(maxsize=1)
def _scores() -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Load measurements, labels and probabilities as read-only arrays."""
    raw: Any = load_breast_cancer()
    columns = [list(raw.feature_names).index(name) for name in _FEATURES]
    data = raw.data[:, columns]
    y_true = (raw.target == list(raw.target_names).index("malignant")).astype(np.int64)
    folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
    prob = cross_val_predict(GaussianNB(), data, y_true, cv=folds, method="predict_proba")
    return read_only(data), read_only(y_true), read_only(prob[:, 1].copy())
