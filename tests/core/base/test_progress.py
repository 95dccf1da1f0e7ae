"""Loops on workers give the same as loops in this process, bit for bit."""

from itertools import count

import numpy as np
import pytest
from joblib import parallel_config

from rocviz.core.base.progress import SimulationStopped, generators, run_steps
from rocviz.core.comparison.bootstrap import bootstrap_interval
from rocviz.core.comparison.calibration_error import calibration_error
from rocviz.core.curve_spaces.partial_auc import partial_auc
from rocviz.core.ensembles.experiment import ensemble_experiment, ensemble_subsets
from rocviz.core.fermi_dirac.experiment import fermi_dirac_experiment
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.bands import roc_band
from rocviz.core.roc.coverage import simulate_coverage
from rocviz.core.roc.segments import RankedSegments

RNG = np.random.default_rng(0)
Y = np.arange(120) % 3 == 0
SCORES = RNG.normal(size=(120, 3)) + Y[:, None]
PROB = 1 / (1 + np.exp(-SCORES[:, 0]))
RANKED = RankedSegments.from_scores(Y, SCORES[:, 0])
FEW_RESAMPLES = {"n_resamples": 60, "random_state": 0}
REPEATS = {"n_repeats": 3, "random_state": 0}
BOTH_METHODS = {"methods": ["bootstrap", "delong"], "n_repeats": 6}
CROWD_SIZES = {"n_validation": 40, "n_test": 40}
LAW_GRID = {"prevalence": [0.3, 0.5], "auc": [0.8]}

LOOPS = {
    "coverage": lambda: simulate_coverage(60, 0.3, 0.8, **BOTH_METHODS, **FEW_RESAMPLES).mean_width,
    "AUC": lambda: auc_interval(RANKED, method="bootstrap", n_resamples=200, random_state=0).lower,
    "partial AUC": lambda: partial_auc(RANKED, n_resamples=200).lower,
    "calibration error": lambda: calibration_error(Y, PROB, n_resamples=50).upper,
    "band": lambda: roc_band(RANKED, n_resamples=60).upper,
    "any statistic": lambda: bootstrap_interval(Y, SCORES[:, 0], **FEW_RESAMPLES).resampled,
    "simulated ensembles": lambda: ensemble_experiment([2, 3], [0.2], **CROWD_SIZES, **REPEATS).auc,
    "subsets": lambda: ensemble_subsets(Y, SCORES, **REPEATS).auc,
    "Fermi-Dirac": lambda: fermi_dirac_experiment(60, **LAW_GRID, **REPEATS).delong_deviation,
}


@pytest.fixture(autouse=True)
def small_lots(monkeypatch):
    """Make several lots of resamples and blocks of data sets, so that there is work to share."""
    monkeypatch.setattr("rocviz.core.roc.auc_variance._CELLS_PER_BATCH", 4000)
    monkeypatch.setattr("rocviz.core.roc.coverage._CELLS_PER_BLOCK", 120)
    monkeypatch.setattr("rocviz.core.roc.bands._RESAMPLES_PER_TASK", 20)


@pytest.mark.parametrize("loop", LOOPS)
def test_threads_give_the_same(loop, two_threads):
    here = LOOPS[loop]()
    with two_threads():
        there = LOOPS[loop]()
    np.testing.assert_array_equal(there, here)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_stop_ends_unbounded_work(n_jobs):
    stops = count()
    with parallel_config(backend="threading", n_jobs=n_jobs):
        inputs = ((i, 2) for i in count())
        results = run_steps(pow, inputs, range(10**9), None, lambda: next(stops) >= 3, "work")
        assert [next(results) for _ in range(3)] == [0, 1, 4]
        with pytest.raises(SimulationStopped, match="The work was stopped"):
            next(results)


def test_a_single_step_draws_from_the_source_it_is_given():
    source = np.random.default_rng(0)
    assert generators(source, 1) == [source]
    first, second = generators(source, 2)
    assert first.random() != second.random()
