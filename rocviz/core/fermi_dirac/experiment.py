"""The Fermi-Dirac law compared with simulated data, and over a grid of AUCs and prevalences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import nan

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from rocviz.core.base.effort import check_draws, check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.progress import Progress, ShouldStop, run_steps
from rocviz.core.base.validation import (
    Floats,
    Seed,
    as_array,
    check_integer,
    check_random_state,
    check_share,
    check_vector,
    describe,
)
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_variance import delong_variance
from rocviz.core.roc.segments import RankedSegments

_MEASURES = ("threshold_rank", "best_rank", "law_deviation", "delong_deviation")
_COLUMNS = ("prevalence", "auc", *_MEASURES, *(f"{name}_error" for name in _MEASURES))


@dataclass(frozen=True, eq=False)
class FermiDiracExperiment(Frozen):
    """Means over simulated data sets, one row per setting; ranks are shares of the samples.

    Parameters
    ----------
    prevalence, auc : ndarray, shape (n_settings,)
        Prevalence and AUC of the population that data sets are drawn from.
    threshold_rank : ndarray, shape (n_settings,)
        Mean of the law's rank r* divided by the number of samples, from 0 to 1.
    best_rank : ndarray, shape (n_settings,)
        Mean rank of the threshold with the best balanced accuracy in the data, likewise.
    law_deviation, delong_deviation : ndarray, shape (n_settings,)
        Mean standard deviation of the AUC, by the law and by DeLong.
    threshold_rank_error, best_rank_error : ndarray, shape (n_settings,)
        Standard errors of the means.
    law_deviation_error, delong_deviation_error : ndarray, shape (n_settings,)
        Standard errors of the means.
    n_samples : int
        Samples of a data set.
    n_repeats : int
        Data sets per setting.
    """

    prevalence: Floats
    auc: Floats
    threshold_rank: Floats
    best_rank: Floats
    law_deviation: Floats
    delong_deviation: Floats
    threshold_rank_error: Floats
    best_rank_error: Floats
    law_deviation_error: Floats
    delong_deviation_error: Floats
    n_samples: int
    n_repeats: int

    @property
    def rank_correlation(self) -> float:
        """Pearson correlation of both ranks over the settings; NaN unless both vary."""
        return _correlation(self.threshold_rank, self.best_rank)

    @property
    def deviation_correlation(self) -> float:
        """Pearson correlation of both standard deviations over the settings; NaN likewise."""
        return _correlation(self.law_deviation, self.delong_deviation)

    def to_frame(self) -> DataFrame:
        """Tabulate one row per setting.

        Columns ``prevalence, auc``, the four means and, with ``_error`` added, their errors.
        """
        return to_frame({name: getattr(self, name) for name in _COLUMNS})


def fermi_dirac_experiment(
    n_samples: int = 1000,
    *,
    prevalence: ArrayLike = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    auc: ArrayLike = (0.55, 0.65, 0.75, 0.85, 0.95),
    n_repeats: int = 20,
    random_state: Seed = None,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> FermiDiracExperiment:
    """Compare the law with simulated data sets.

    The rank r* of the law is compared with the threshold with the best balanced accuracy, and the
    law's standard deviation of the AUC with DeLong's. Scores are normal with equal variance in both
    classes, and each data set has the same number of positives.

    Raises :class:`SimulationStopped` if ``should_stop`` said so, ``ValueError`` for bad input.

    Parameters
    ----------
    n_samples : int, default=1000
        Samples of a data set; at least 4.
    prevalence : array-like, shape (n_prevalences,)
        From 1e-9 to 1 - 1e-9; at least two samples of each class are drawn.
    auc : array-like, shape (n_aucs,)
        AUC of the population, from 1e-9 to 1 - 1e-9. Every prevalence meets every AUC.
    n_repeats : int, default=20
        Data sets per setting; at least 2.
    random_state : int, RandomState, Generator or None, default=None
    progress, should_stop : callable, optional
        As for :func:`rocviz.simulate_coverage`, at every setting.

    References
    ----------
    Kim et al. (2021), figure 3.

    Examples
    --------
    >>> experiment = fermi_dirac_experiment(prevalence=[0.2, 0.5], n_repeats=5, random_state=0)
    >>> experiment.rank_correlation > 0.9
    True
    """
    n = check_integer(n_samples, "n_samples", minimum=4)
    shares = _check_shares(prevalence, "prevalence")
    areas = _check_shares(auc, "auc")
    repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    rng = check_random_state(random_state)
    check_draws(
        repeats * shares.size * areas.size, 10 * n, 3 * repeats * n, n_samples=n, n_repeats=repeats
    )
    settings = list(product(shares.tolist(), areas.tolist()))

    def draw() -> Iterator[tuple[Floats, int, float]]:
        for share, area in settings:
            yield rng.normal(size=(repeats, n)), min(max(round(n * share), 2), n - 2), area

    steps = run_steps(
        _measure_setting, draw(), range(len(settings)), progress, should_stop, "simulation"
    )
    values = np.array(list(steps))
    errors = values.std(axis=1, ddof=1) / np.sqrt(repeats)
    columns = np.hstack((settings, values.mean(axis=1), errors)).T
    return FermiDiracExperiment(
        **dict(zip(_COLUMNS, columns, strict=True)), n_samples=n, n_repeats=repeats
    )


def _correlation(x: Floats, y: Floats) -> float:
    """Compute Pearson's correlation, NaN where one does not vary."""
    if not (np.ptp(x) and np.ptp(y)):
        return nan
    return float(np.corrcoef(x, y)[0, 1])


def _check_shares(values: ArrayLike, name: str) -> Floats:
    """Check one or more numbers from 1e-9 to 1 - 1e-9."""
    checked = check_vector(np.atleast_1d(as_array(values, name, "numbers")), name)
    if not checked.size:
        raise ValueError(f"{name} is empty; at least one number is needed.")
    return np.array([check_share(value, name) for value in checked.tolist()])


def _measure_setting(noise: Floats, n_pos: int, auc: float) -> list[list[float]]:
    """Measure data sets, one per row, with the positives first."""
    return [_measure_data_set(row, n_pos, auc) for row in noise]


def _measure_data_set(noise: Floats, n_pos: int, auc: float) -> list[float]:
    """Compute the measures of one data set, in the order of ``_MEASURES``."""
    n = noise.size
    positive = np.arange(n) < n_pos
    segments = RankedSegments.from_scores(positive, noise + np.sqrt(2) * ndtri(auc) * positive)
    law = FermiDirac.from_segments(segments)
    index = int((segments.tpr - segments.fpr).argmax())
    best_rank = segments.tpr[index] * n_pos + segments.fpr[index] * (n - n_pos) + 0.5
    return [
        law.threshold_rank / n,
        best_rank / n,
        float(np.sqrt(law.auc_variance())),
        float(np.sqrt(delong_variance(segments.pos, segments.neg))),
    ]


@dataclass(frozen=True, eq=False)
class FermiDiracSurface(Frozen):
    """Temperature and chemical potential of the rescaled law over AUC and prevalence.

    Parameters
    ----------
    auc : ndarray, shape (n_aucs,)
        Increasing.
    prevalence : ndarray, shape (n_prevalences,)
        Increasing.
    temperature : ndarray, shape (n_prevalences, n_aucs)
        Per sample, T / N; infinite at AUC one half, negative below.
    chemical_potential : ndarray, shape (n_prevalences, n_aucs)
        Per sample, mu / N.
    """

    auc: Floats
    prevalence: Floats
    temperature: Floats
    chemical_potential: Floats


def fermi_dirac_surface(
    auc: ArrayLike | None = None, prevalence: ArrayLike | None = None
) -> FermiDiracSurface:
    """Solve the rescaled law on a grid of AUCs and prevalences.

    Parameters
    ----------
    auc : array-like, shape (n_aucs,), optional
        From 1e-9 to 1 - 1e-9; by default 41 from 0.55 to 0.99.
    prevalence : array-like, shape (n_prevalences,), optional
        From 1e-9 to 1 - 1e-9; by default 41 from 0.02 to 0.98.

    Raises
    ------
    ValueError
        If a value is out of range or they do not increase.

    References
    ----------
    Kim et al. (2021), figure 2.

    Examples
    --------
    >>> surface = fermi_dirac_surface([0.8, 0.9], [0.5])
    >>> surface.temperature.round(3)
    array([[0.228, 0.132]])
    """
    areas = _check_grid(np.linspace(0.55, 0.99, 41) if auc is None else auc, "auc")
    shares = _check_grid(
        np.linspace(0.02, 0.98, 41) if prevalence is None else prevalence, "prevalence"
    )
    check_effort(seconds=1e-3 * areas.size * shares.size, auc=areas, prevalence=shares)
    temperature = np.empty((shares.size, areas.size))
    chemical_potential = np.empty((shares.size, areas.size))
    for i, share in enumerate(shares):
        for j, area in enumerate(areas):
            law = FermiDirac.rescaled(area, prevalence=share)
            temperature[i, j] = law.temperature
            chemical_potential[i, j] = law.chemical_potential
    return FermiDiracSurface(areas, shares, temperature, chemical_potential)


def _check_grid(values: ArrayLike, name: str) -> Floats:
    """Check increasing numbers from 1e-9 to 1 - 1e-9."""
    grid = _check_shares(values, name)
    if (np.diff(grid) <= 0).any():
        raise ValueError(f"{name} must increase; got {describe(grid)}.")
    return grid
