"""Probabilities of more than two classes: simulated in the plane, or of a model on real data.

Computed when asked for, from the data that scikit-learn brings along; nothing is downloaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_choice,
    check_integer,
    check_number,
    check_random_state,
    check_share,
)

#: Means of the three classes at a separation of 1.
TRIANGLE_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
CLASS_NAMES = ("A", "B", "C")
MAX_SEPARATION = 1e100  # so that its square does not overflow


@dataclass(frozen=True, eq=False)
class ClassScores(Frozen):
    """Labels of several classes with probabilities of each, and two features of each sample.

    Parameters
    ----------
    y_true : ndarray of str, shape (n_samples,)
    y_prob : ndarray of float, shape (n_samples, n_classes)
        Each row sums to 1.
    classes : tuple of str
        In the order of the columns.
    X : ndarray of float, shape (n_samples, 2)
    feature_names : tuple of str
    means : ndarray of float, shape (n_classes, 2), optional
        Means of the classes.
    """

    y_true: NDArray[np.str_]
    y_prob: Floats
    classes: tuple[str, ...]
    X: Floats
    feature_names: tuple[str, ...] = ("x", "y")
    means: Floats | None = None

    def to_frame(self) -> DataFrame:
        """Tabulate one row per sample: ``y_true``, and the probability of each class."""
        columns = {name: self.y_prob[:, k] for k, name in enumerate(self.classes)}
        return to_frame({"y_true": self.y_true, **columns})


def class_means(separation: float, nearness: float) -> Floats:
    """Place the means of the three classes; of nearness 1, B and C are at the same place."""
    means = separation * TRIANGLE_CORNERS
    means[2] = means[2] + nearness * (means[1] - means[2])
    return means


def make_classes(
    n_samples: int = 300,
    *,
    separation: float = 2.0,
    nearness: float = 0.0,
    share_c: float = 1 / 3,
    over_confidence: float = 1.0,
    random_state: Seed = None,
) -> ClassScores:
    """Simulate three classes in the plane, and the probabilities of a model. No row is real.

    Each class is normal with a standard deviation of 1 around a corner of a triangle. The
    probabilities are the true ones, raised to a power that makes them too sure, or not sure enough.

    Parameters
    ----------
    n_samples : int, default=300
        At least 9; of each class at least one is drawn.
    separation : float, default=2.0
        Side of the triangle, in standard deviations; from 0 to 1e100.
    nearness : float, default=0.0
        From 0 to 1: how far C is moved towards B.
    share_c : float, default=1/3
        Share of C, strictly between 0 and 1; A and B share the rest equally.
    over_confidence : float, default=1.0
        The power; above 1 probabilities are too near 0 and 1. From 0.05 to 20.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.

    Returns
    -------
    ClassScores
        Of the classes "A", "B" and "C".

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> data = make_classes(90, random_state=0)
    >>> data.classes, data.y_prob.shape, float((data.y_prob.argmax(axis=1) == 0).mean().round(2))
    (('A', 'B', 'C'), (90, 3), 0.34)
    """
    n_samples = check_integer(n_samples, "n_samples", minimum=9)
    separation = check_number(separation, "separation", minimum=0.0)
    nearness = check_number(nearness, "nearness", minimum=0.0)
    power = check_number(over_confidence, "over_confidence", minimum=0.05)
    if separation > MAX_SEPARATION:
        raise ValueError(f"separation must be at most {MAX_SEPARATION:g}; got {separation:g}.")
    if nearness > 1 or power > 20:
        raise ValueError(
            f"nearness must be at most 1 and over_confidence at most 20; got {nearness:g}, "
            f"{power:g}."
        )
    share_c = check_share(share_c, "share_c")
    prior = np.array([(1 - share_c) / 2, (1 - share_c) / 2, share_c])
    rng = check_random_state(random_state)
    sizes = np.maximum(np.round(n_samples * prior).astype(int), 1)
    sizes[0] += n_samples - sizes.sum()
    code = np.repeat(np.arange(3), sizes)
    means = class_means(separation, nearness)
    X = means[code] + rng.normal(size=(n_samples, 2))
    log_prob = power * (X @ means.T - (means**2).sum(axis=1) / 2 + np.log(prior))
    prob = np.exp(log_prob - log_prob.max(axis=1, keepdims=True))
    prob /= prob.sum(axis=1, keepdims=True)
    return ClassScores(np.array(CLASS_NAMES)[code], prob, CLASS_NAMES, X, means=means)


def load_class_scores(name: str) -> ClassScores:
    """Load out-of-fold probabilities of a model on data of several classes.

    Parameters
    ----------
    name : {"iris", "wine", "digits"}
        Fisher's iris, three species, by linear discriminants from the sepals alone; the 178 wines
        of Forina et al. (1986), Barolo, Grignolino and Barbera, by logistic regression from alcohol
        and malic acid; 1,797 images of the ten digits, by linear discriminants from five principal
        components.

    Returns
    -------
    ClassScores
        Each probability is by a model that has not seen the sample: five stratified folds,
        shuffled with seed 0. The two features are those of the model, for the digits its first
        two components.

    Raises
    ------
    ValueError
        If there are no such data.

    Examples
    --------
    >>> wine = load_class_scores("wine")
    >>> wine.classes, round(float((wine.y_prob.max(axis=1) > 0.9).mean()), 2)
    (('Barolo', 'Grignolino', 'Barbera'), 0.3)
    """
    return _scores(check_choice(name, "name", ("iris", "wine", "digits")))


@lru_cache(maxsize=3)
def _scores(name: str) -> ClassScores:
    from sklearn import datasets
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    raw: Any = getattr(datasets, f"load_{name}")()
    if name == "iris":
        X = raw.data[:, :2]
        X_plane = X
        model = LinearDiscriminantAnalysis()
        classes = tuple(map(str, raw.target_names))
        feature_names = ("sepal length (cm)", "sepal width (cm)")
    elif name == "wine":
        X = raw.data[:, :2]
        X_plane = X
        model = make_pipeline(StandardScaler(), LogisticRegression())
        classes = ("Barolo", "Grignolino", "Barbera")
        feature_names = ("alcohol (%)", "malic acid (g/l)")
    else:
        X = raw.data
        X_plane = PCA(2, random_state=0).fit_transform(X)
        model = make_pipeline(PCA(5, random_state=0), LinearDiscriminantAnalysis())
        classes = tuple(map(str, range(10)))
        feature_names = ("first component", "second component")
    folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
    prob = cross_val_predict(model, X, raw.target, cv=folds, method="predict_proba")
    return ClassScores(
        y_true=np.array(classes)[raw.target],
        y_prob=read_only(prob),
        classes=classes,
        X=read_only(X_plane.copy()),
        feature_names=feature_names,
    )
