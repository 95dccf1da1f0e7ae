"""Six ways to probabilities on given data: as they are, imbalanced, or partly unlabelled.

Splits, hides labels, measures and tabulates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

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
        label; the training part consists of these and, without labels, of all other samples that
        are not test samples. Methods learn to distinguish labelled from unlabelled samples, and
        are evaluated by how they distinguish positive from negative ones.
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
        Called without arguments before every repetition; when it returns true, the comparison ends.

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
        If ``should_stop`` returned true.

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
    methods = check_methods(methods)
    prevalence = check_prevalence(prevalence)
    labelled = check_fraction(labelled, "labelled")
    check_choice(correction, "correction", CORRECTIONS)
    test_size = check_fraction(test_size, "test_size")
    validation_size = check_fraction(validation_size, "validation_size")
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
        negatives = np.flatnonzero(~positive)
        positives = np.flatnonzero(positive)
        if setting == "positive-unlabelled":
            n_labelled = round(labelled * positives.size)
            labelled_rows, others = _draw(positives, n_labelled, "labelled", rng)
            target = np.zeros(positive.size, dtype=np.bool_)
            target[labelled_rows] = True
            test, train = _split([negatives, others], test_size, "test_size", rng)
            validation, train = _split(
                [train, labelled_rows], validation_size, "validation_size", rng
            )
            probe = validation[target[validation]]
            return X, positive, target, train, test, probe, methods, training, correction
        if setting == "imbalanced":
            n_pos = round(prevalence / (1 - prevalence) * negatives.size)
            positives, _ = _draw(positives, n_pos, "prevalence", rng)
        test, train = _split([negatives, positives], test_size, "test_size", rng)
        return X, positive, positive, train, test, None, methods, training, correction

    inputs = (draw() for _ in range(n_repeats))
    results = list(
        run_fits(_measure, inputs, range(n_repeats), progress, should_stop, "comparison")
    )
    return RankingComparison(
        setting=setting,
        methods=methods,
        errors=np.array([result.errors for result in results]),
        areas=np.array([result.areas for result in results]),
        label_frequency=np.mean([result.label_frequency for result in results], axis=0),
        test_prevalence=float(np.mean([result.test_prevalence for result in results])),
        n_train=results[0].n_train,
        n_test=results[0].n_test,
    )


class _SplitResult(NamedTuple):
    """Errors, AUCs and label frequencies of each method, the test prevalence, and sizes."""

    errors: Floats
    areas: Floats
    label_frequency: Floats
    test_prevalence: float
    n_train: int
    n_test: int


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
) -> _SplitResult:
    """Train each method on one split, and measure it.

    ``target`` is learned, ``positive`` is true; ``probe`` are labelled samples that say how many
    of the positives are labelled, if only some are.
    """
    new = test if probe is None else np.append(test, probe)
    X_train, X_new = _scaled(X, train, new)
    score, prob = predict_by_methods(methods, X_train, target[train], X_new, **training)
    test_score = score[:, : test.size]
    test_prob = prob[:, : test.size]
    frequency = np.ones(len(methods))
    if probe is not None:
        probe_prob = prob[:, test.size :]
        frequency = np.maximum(probe_prob.mean(axis=1), np.finfo(np.float64).tiny)
        test_prob = correct_for_labels(test_prob, frequency[:, None], correction)
    truth = positive[test]
    areas = [RankedSegments.from_scores(truth, method_score).auc for method_score in test_score]
    return _SplitResult(
        errors=((test_prob - truth) ** 2).mean(axis=1),
        areas=np.array(areas),
        label_frequency=frequency,
        test_prevalence=float(truth.mean()),
        n_train=train.size,
        n_test=test.size,
    )


def _draw(members: Indices, n: int, name: str, rng: np.random.Generator) -> tuple[Indices, Indices]:
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
    chosen = []
    others = []
    for members in classes:
        if members.size < 2:
            raise ValueError(f"{name} splits a class of {members.size} samples; 2 are needed.")
        n = min(max(round(share * members.size), 1), members.size - 1)
        order = rng.permutation(members)
        chosen.append(order[:n])
        others.append(order[n:])
    return np.sort(np.concatenate(chosen)), np.sort(np.concatenate(others))


def _scaled(X: Any, train: Indices, new: Indices) -> tuple[Any, Any]:
    scaler = StandardScaler(with_mean=not issparse(X)).fit(X[train])
    return scaler.transform(X[train]), scaler.transform(X[new])


def correct_for_labels(g: Floats, c: Floats, correction: str) -> Floats:
    """Correct probabilities of a label into those of the positive class (Elkan and Noto)."""
    if correction == "none":
        return g
    if correction == "all":
        return np.minimum(g / c, 1.0)
    with np.errstate(divide="ignore"):
        return np.minimum(np.maximum(1 - c, 0.0) / c * g / (1 - g), 1.0)
