"""Six ways to probabilities on given data: as they are, imbalanced, or partly unlabelled.

Splits, hides labels, measures and tabulates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_array

from rocviz.core.base.effort import check_draws
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    check_aligned,
    check_choice,
    check_fraction,
    check_integer,
    check_labels,
    check_prevalence,
    check_random_state,
    check_same_length,
)
from rocviz.core.ranking_loss.methods import (
    METHODS,
    check_methods,
    check_training,
    predict_by_methods,
)
from rocviz.core.ranking_loss.results import RankingComparison
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.base.repeats import run_fits
from rocviz.estimators.ranking_loss._pairwise import PairLoss

SETTINGS = ("plain", "imbalanced", "positive-unlabelled")
CORRECTIONS = ("all", "unlabelled", "none")

Indices = NDArray[np.intp]


def compare_ranking_methods(
    X: Any,
    y: ArrayLike,
    *,
    setting: Literal["plain", "imbalanced", "positive-unlabelled"] = "plain",
    methods: Sequence[str] = METHODS,
    prevalence: float = 0.05,
    labelled: float = 0.3,
    correction: Literal["all", "unlabelled", "none"] = "all",
    test_size: float = 0.2,
    validation_size: float = 0.2,
    n_repeats: int = 20,
    alpha: float = 1e-4,
    loss: PairLoss = "logistic",
    mix: float = 0.5,
    pos_label: Any = None,
    random_state: Seed = None,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> RankingComparison:
    """Train every method on random parts of given data and measure it on the rest.

    Features are brought to unit variance by the training part.

    Parameters
    ----------
    X : array-like or sparse matrix, shape (n_samples, n_features)
    y : array-like, shape (n_samples,)
        Labels of exactly two classes.
    setting : {"plain", "imbalanced", "positive-unlabelled"}, default="plain"
        ``"imbalanced"``: in each repetition, positives are left out at random until their share is
        ``prevalence``. ``"positive-unlabelled"``: a share ``labelled`` of the positives keeps its
        label; of all other samples the training part holds those that are not test samples,
        without labels. Methods learn to tell labelled from unlabelled, and are judged by how they
        tell positive from negative.
    methods : sequence of str, optional
        See :class:`RankingExperiment`; by default all six.
    prevalence : float, default=0.05
        Share of positives among all samples in "imbalanced".
    labelled : float, default=0.3
        Share of positives that keep their label in "positive-unlabelled".
    correction : {"all", "unlabelled", "none"}, default="all"
        For "positive-unlabelled": how the probability g of a label becomes that of the positive
        class, with c the mean of g over labelled validation samples (too small where the classes
        overlap). ``"all"``: ``g / c``, as in the paper, meant for samples mixed as in training.
        ``"unlabelled"``: ``(1 - c) / c * g / (1 - g)``, meant for samples known to be unlabelled,
        as the test samples here are. ``"none"``: g.
    test_size : float, default=0.2
        Share of either class (of what is not labelled, in the last setting) to test on.
    validation_size : float, default=0.2
        For "positive-unlabelled": share of the training part that only measures c.
    n_repeats : int, default=20
        At least 2.
    alpha : float, default=1e-4
        Strength of the L2 penalty of every method, against mean losses.
    loss : {"logistic", "squared_hinge"}, default="logistic"
        Loss of a pair.
    mix : float, default=0.5
        Share of the regression loss in "combined".
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    random_state : int, RandomState, Generator or None, default=None
        Source of the splits.
    progress : callable, optional
        Wraps the repetitions, such as ``tqdm.tqdm``.
    should_stop : callable, optional
        Called without arguments before every repetition; when it says true, the comparison ends.

    Returns
    -------
    RankingComparison
        Squared errors and AUCs of every split, with standard errors that allow for the samples
        that splits share, and differences of two methods split by split.

    Raises
    ------
    ValueError
        If the input is invalid, or a class has too few samples.
    SimulationStopped
        If ``should_stop`` said so.

    References
    ----------
    Menon et al. (2012), section 5.3. Elkan and Noto (2008).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> done = compare_ranking_methods(X, y, n_repeats=3, alpha=1e-3, random_state=0)
    >>> bool((done.mse < 0.07).all() and (done.auc > 0.97).all())
    True
    """
    check_choice(setting, "setting", SETTINGS)
    chosen = check_methods(methods)
    share = check_prevalence(prevalence)
    known = check_fraction(labelled, "labelled")
    check_choice(correction, "correction", CORRECTIONS)
    test_share = check_fraction(test_size, "test_size")
    held_share = check_fraction(validation_size, "validation_size")
    n_repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    training = check_training(alpha, loss, mix)
    check_aligned(X=X, y=y)
    with prefix_error_with("X"):
        X = check_array(X, accept_sparse="csr", dtype=np.float64, input_name="X")
    positive = check_labels(y, pos_label, "y")
    check_same_length(positive.size, X=X)
    check_draws(n_repeats, 10 * X.shape[0], 40 * n_repeats, n_repeats=n_repeats)
    rng = check_random_state(random_state)

    def draw() -> tuple[Any, ...]:
        classes = [np.flatnonzero(~positive), np.flatnonzero(positive)]
        if setting == "imbalanced":
            n_pos = round(share / (1 - share) * classes[0].size)
            classes[1] = _some(classes[1], n_pos, "prevalence", rng)[0]
        target, labels = positive, np.empty(0, dtype=np.intp)
        if setting == "positive-unlabelled":
            n_labelled = round(known * classes[1].size)
            labels, classes[1] = _some(classes[1], n_labelled, "labelled", rng)
            target = np.zeros(positive.size, dtype=np.bool_)
            target[labels] = True
        test, train = _split(classes, test_share, "test_size", rng)
        probe = None
        if setting == "positive-unlabelled":
            held, train = _split([train, labels], held_share, "validation_size", rng)
            probe = held[target[held]]
        return X, positive, target, train, test, probe, chosen, training, correction

    inputs = (draw() for _ in range(n_repeats))
    rows = list(run_fits(_measure, inputs, range(n_repeats), progress, should_stop, "comparison"))
    errors, areas, frequencies, prevalences, sizes = (
        np.array(part) for part in zip(*rows, strict=True)
    )
    return RankingComparison(
        setting=setting,
        methods=chosen,
        errors=errors,
        areas=areas,
        label_frequency=frequencies.mean(axis=0),
        test_prevalence=float(prevalences.mean()),
        n_train=int(sizes[0, 0]),
        n_test=int(sizes[0, 1]),
    )


def _measure(
    X: Any,
    positive: Bools,
    target: Bools,
    train: Indices,
    test: Indices,
    probe: Indices | None,
    methods: tuple[str, ...],
    training: Any,
    correction: str,
) -> tuple[Floats, Floats, Floats, float, tuple[int, int]]:
    """Measure errors, AUCs and label frequencies of each method, the test prevalence, and sizes.

    ``target`` is learned, ``positive`` is true; ``probe`` are labelled samples that say how many
    of the positives are labelled, if only some are.
    """
    new = test if probe is None else np.append(test, probe)
    X_train, X_new = _scaled(X, train, new)
    score, prob = predict_by_methods(methods, X_train, target[train], X_new, **training)
    score, of_probe, prob = score[:, : test.size], prob[:, test.size :], prob[:, : test.size]
    frequency = np.ones(len(methods))
    if probe is not None:
        frequency = np.maximum(of_probe.mean(axis=1), np.finfo(np.float64).tiny)
        prob = _corrected(prob, frequency[:, None], correction)
    truth = positive[test]
    areas = [RankedSegments.from_scores(truth, one).auc for one in score]
    errors, sizes = ((prob - truth) ** 2).mean(axis=1), (train.size, test.size)
    return errors, np.array(areas), frequency, float(truth.mean()), sizes


def _some(members: Indices, n: int, name: str, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Draw ``n`` of the members at random; return them and the others."""
    if not 4 <= n < members.size:
        raise ValueError(
            f"{name} asks for {n} of the {members.size} positives of y; at least 4, and not all, "
            "can be taken."
        )
    order = rng.permutation(members)
    return order[:n], order[n:]


def _split(
    classes: Sequence[Indices], share: float, name: str, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """Split a share off each class, at least one sample, keeping the order of the data."""
    one, other = [], []
    for members in classes:
        if members.size < 2:
            raise ValueError(f"{name} splits a class of {members.size} samples; 2 are needed.")
        n = min(max(round(share * members.size), 1), members.size - 1)
        order = rng.permutation(members)
        one.append(order[:n])
        other.append(order[n:])
    return np.sort(np.concatenate(one)), np.sort(np.concatenate(other))


def _scaled(X: Any, train: Indices, new: Indices) -> tuple[Any, Any]:
    scaler = StandardScaler(with_mean=not issparse(X)).fit(X[train])
    return scaler.transform(X[train]), scaler.transform(X[new])


def _corrected(g: Floats, c: Floats, correction: str) -> Floats:
    """Correct probabilities of a label into those of the positive class (Elkan and Noto)."""
    if correction == "none":
        return g
    if correction == "all":
        return np.minimum(g / c, 1.0)
    with np.errstate(divide="ignore"):
        return np.minimum(np.maximum(1 - c, 0.0) / c * g / (1 - g), 1.0)
