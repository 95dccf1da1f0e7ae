"""Draws, crowds and tables that would take days or fill the memory are refused with an estimate."""

import numpy as np
import pytest

from rocviz import (
    RankedSegments,
    auc_interval,
    binormal_scores,
    compare_classifiers,
    roc_band,
    simulate_classifiers,
    simulate_coverage,
)
from rocviz.core.base.effort import check_draws, check_effort
from rocviz.core.comparison import bootstrap_interval, calibration_error
from rocviz.core.comparison.auc_covariance import auc_covariance
from rocviz.core.curve_spaces import partial_auc
from rocviz.core.decisions import LinearFractional, is_monotonic, utility_distribution
from rocviz.core.decisions.reference import algorithm_1, algorithm_2
from rocviz.core.ensembles import RankEnsemble, ensemble_experiment, ensemble_subsets
from rocviz.core.fermi_dirac import fermi_dirac_experiment, fermi_dirac_surface
from rocviz.core.ranking_loss import simulate_capped_link, worst_ranking
from rocviz.core.roc.isometrics import isometric
from rocviz.core.roc.segments import score_histogram

Y = np.arange(12) % 2
SCORE = np.arange(12) % 7 / 10
SEGMENTS = RankedSegments.from_scores(Y, SCORE)
TOO_MANY = 2**31
THRESHOLD_GRID = np.linspace(0.1, 0.9, 10**5)
FINE_METRIC = LinearFractional((0.0, 1.0, 0, 0), (0.0, 0.1234, 0.8765, 0.1111))


def crowd(size):
    return np.broadcast_to(SCORE[:, None], (12, size))


TOO_MUCH = {
    "n_resamples=": [
        lambda: auc_interval(Y, SCORE, method="bootstrap", n_resamples=TOO_MANY),
        lambda: bootstrap_interval(Y, SCORE, n_resamples=TOO_MANY),
        lambda: calibration_error(Y, SCORE, n_resamples=TOO_MANY),
        lambda: compare_classifiers(Y, {"a": SCORE}, n_resamples=TOO_MANY),
        lambda: partial_auc(SEGMENTS, n_resamples=TOO_MANY),
        lambda: roc_band(SEGMENTS, n_resamples=TOO_MANY),
    ],
    "n_samples=": [
        lambda: binormal_scores(TOO_MANY),
        lambda: simulate_capped_link(TOO_MANY),
        lambda: simulate_classifiers(TOO_MANY, [0.6]),
        lambda: simulate_coverage(TOO_MANY, 0.4, 0.8, n_repeats=2),
        lambda: simulate_coverage(60, 0.4, 0.8, n_repeats=TOO_MANY),
        lambda: simulate_coverage(
            10**4, 0.4, 0.8, methods=["bootstrap"], n_repeats=10**4, n_resamples=10**5
        ),
        lambda: fermi_dirac_experiment(TOO_MANY),
        lambda: fermi_dirac_experiment(n_repeats=TOO_MANY),
    ],
    "n_repeats=": [
        lambda: ensemble_experiment([TOO_MANY]),
        lambda: ensemble_experiment(n_repeats=TOO_MANY),
        lambda: ensemble_experiment([10_000]),
        lambda: ensemble_subsets(Y, crowd(2), n_repeats=TOO_MANY),
        lambda: ensemble_subsets(Y, crowd(2000)),
    ],
    "auc=array": [lambda: fermi_dirac_surface(THRESHOLD_GRID, THRESHOLD_GRID)],
    "n=": [lambda: is_monotonic("f", TOO_MANY), lambda: is_monotonic("f", 20_000, by="tpr_tnr")],
    "n_points=": [lambda: isometric("odds_ratio", 2.0, n_points=TOO_MANY)],
    "n_segments=": [lambda: worst_ranking(0.8, 0.4, n_segments=TOO_MANY)],
    "bins=": [lambda: score_histogram(SEGMENTS, TOO_MANY)],
    "scores of 40000 classifiers": [lambda: RankEnsemble.from_scores(Y, crowd(40_000))],
    "n_resamples=.*, scores of 1000 classifiers": [
        lambda: compare_classifiers(Y, crowd(1000), n_resamples=10**7)
    ],
    "scores of 200 classifiers": [lambda: compare_classifiers(Y, crowd(200), n_resamples=0)],
    "names of 115 classifiers": [
        lambda: auc_covariance(Y == 1, {f"{i}": SCORE for i in range(115)}).pairs()
    ],
    "y_prob of 100000 samples": [
        lambda: algorithm_1(np.full(10**5, 0.5)),
        lambda: utility_distribution(np.arange(10**5) % 2, np.full(10**5, 0.5)),
    ],
    "d=.*, y_prob of 20000 samples": [lambda: algorithm_2(np.full(20_000, 0.5), FINE_METRIC)],
}

SMALL_PARTS = ("y_prob", "scores of 200 ", "names")


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_is_refused_before_it_begins(name, monkeypatch):
    if name.startswith(SMALL_PARTS):  # less memory, so that no test takes much
        monkeypatch.setattr("rocviz.core.base.effort.MAX_BYTES", 2**20)
    for call in TOO_MUCH[name]:
        with pytest.raises(ValueError, match=f"^{name}.* would take about .* at a time"):
            call()


def test_the_estimate_is_stated():
    with pytest.raises(ValueError, match=r"^n=3 would take about 48 hours \(at most 24\); ask"):
        check_effort(seconds=48 * 3600, n=3)
    message = r"^n=1, X of 5 rows would take about 27.8 hours .* and about 16 GiB of memory \(at"
    with pytest.raises(ValueError, match=message):
        check_draws(10**10, 0, 2**31, n=1, X="5 rows")
    check_effort(seconds=24 * 3600, numbers=2**30, n=1)
