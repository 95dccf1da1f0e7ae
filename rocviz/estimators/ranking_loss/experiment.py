"""Does ranking first give better probabilities? The paper's synthetic experiment in one call.

Draws, trains, measures and tabulates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_draws
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_integer,
    check_random_state,
    check_vector,
    describe,
)
from rocviz.core.ranking_loss.capped_link import simulate_capped_link
from rocviz.core.ranking_loss.methods import (
    FLOORS,
    METHODS,
    check_methods,
    check_training,
    predict_by_methods,
)
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.estimators.base.repeats import mean_and_error, run_fits
from rocviz.estimators.ranking_loss._pairwise import PairLoss
from rocviz.estimators.ranking_loss.rank_isotonic import Calibration


def synthetic_ranking_experiment(
    a_values: ArrayLike = FLOORS,
    *,
    n_samples: int = 1000,
    n_test: int = 10_000,
    n_repeats: int = 20,
    methods: Sequence[str] = METHODS,
    alpha: float = 1e-4,
    loss: PairLoss = "logistic",
    mix: float = 0.5,
    calibration: Calibration = "isotonic",
    link: Literal["step", "sigmoid"] = "step",
    border: float = 0.0,
    random_state: Seed = None,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> RankingExperiment:
    """Train every method on labels whose true probability is a step, and measure how far it is.

    Points are normal in the plane, and the probability is ``a`` on one side of a line and ``1 - a``
    on the other (see :func:`rocviz.core.ranking_loss.simulate_capped_link`). The error is the mean
    squared difference of predicted and *true* probability on new points.

    Parameters
    ----------
    a_values : array-like of float, default=(2**-9, 2**-7, 2**-5, 2**-3, 2**-1)
        Floors, from 0 to 1/2.
    n_samples : int, default=1000
        Samples to train on; at least 10.
    n_test : int, default=10000
        New points in each repetition; at least 1.
    n_repeats : int, default=20
        At least 2. In each repetition all floors and methods see the same points.
    methods : sequence of str, optional
        See :class:`RankingExperiment`; by default all six.
    alpha, loss, mix
        As for :func:`compare_ranking_methods`.
    calibration : {"isotonic", "laplace-hull"}, default="isotonic"
        See :class:`RankIsotonicClassifier`; used for every "+ isotonic".
    link : {"step", "sigmoid"}, default="step"
    border : float, default=0.0
        See :func:`rocviz.core.ranking_loss.simulate_capped_link`; by default the paper's.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.
    progress : callable, optional
        Wraps an iterable and yields what it yields, as ``tqdm.tqdm`` does. It is given the
        trainings, one for each floor and repetition.
    should_stop : callable, optional
        Called without arguments before every training; when it returns true, the experiment ends.

    Raises
    ------
    ValueError
        If the input is invalid, or training samples drawn are of one class only.
    SimulationStopped
        If ``should_stop`` returned true.

    References
    ----------
    Menon et al. (2012), section 5.2 and Figure 1.

    Examples
    --------
    >>> done = synthetic_ranking_experiment([2**-3], n_repeats=3, random_state=0)
    >>> error = dict(zip(done.methods, done.error[0], strict=True))
    >>> bool(error["rank + isotonic"] < error["logistic"] / 3)
    True
    """
    floors = check_vector(a_values, "a_values")
    if not floors.size or floors.min() < 0 or floors.max() > 0.5:
        raise ValueError(
            f"a_values must be numbers from 0 to 1/2; got {describe(floors.tolist())}."
        )
    n_samples = check_integer(n_samples, "n_samples", minimum=10)
    n_test = check_integer(n_test, "n_test", minimum=1)
    n_repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    methods = check_methods(methods)
    training = check_training(alpha, loss, mix, calibration)
    n = n_samples + n_test
    n_trainings = n_repeats * floors.size
    check_draws(
        n_trainings,
        10 * n,
        20 * (n + n_trainings),
        n_repeats=n_repeats,
        n_samples=n_samples,
        n_test=n_test,
    )
    seeds = check_random_state(random_state).integers(2**63, size=(n_repeats, 2)).tolist()
    sizes = (n_samples, n_test)
    settings = (link, border, methods, training)
    draws = product(seeds, floors.tolist())
    inputs = ((floor, sizes, pair_of_seeds, *settings) for pair_of_seeds, floor in draws)
    trainings = range(n_trainings)
    errors = list(run_fits(_errors, inputs, trainings, progress, should_stop, "experiment"))
    values = np.reshape(errors, (n_repeats, floors.size, len(methods)))
    error, standard_error = mean_and_error(values, axis=0)
    return RankingExperiment(
        a=floors,
        methods=methods,
        error=error,
        standard_error=standard_error,
        n_samples=n_samples,
        n_repeats=n_repeats,
    )


def _errors(
    floor: float,
    sizes: tuple[int, int],
    seeds: Sequence[int],
    link: Any,
    border: float,
    methods: Sequence[str],
    training: Mapping[str, Any],
) -> Floats:
    """Compute the mean squared error of each method on new samples."""
    n_samples, n_test = sizes
    train_seed, test_seed = seeds
    train = simulate_capped_link(
        n_samples, floor, link=link, border=border, random_state=train_seed
    )
    test = simulate_capped_link(n_test, floor, link=link, border=border, random_state=test_seed)
    if train.y_true.min() == train.y_true.max():
        raise ValueError(
            f"n_samples={n_samples} and border={border:g} gave training samples of one class; "
            "take more samples, or a border nearer to 0."
        )
    _, prob = predict_by_methods(methods, train.X, train.y_true == 1, test.X, **training)
    return np.asarray(((prob - test.true_prob) ** 2).mean(axis=1))
