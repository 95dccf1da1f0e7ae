"""Draws, crowds and tables that would take days or fill the memory are refused with an estimate."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from rocviz import (
    AUCIntervalDisplay,
    CrossValidationDisplay,
    ModelComparisonDisplay,
    RankedSegments,
    auc_interval,
    best_simplex_point,
    binormal_scores,
    compare_classifiers,
    evaluation_report,
    roc_band,
    simulate_classifiers,
    simulate_coverage,
)
from rocviz.core.base.effort import check_draws, check_effort
from rocviz.core.comparison import (
    FoldComparison,
    bootstrap_interval,
    calibration_error,
    compare_folds,
)
from rocviz.core.comparison.auc_covariance import auc_covariance
from rocviz.core.curve_spaces import partial_auc
from rocviz.core.decisions import LinearFractional, is_monotonic, utility_distribution
from rocviz.core.decisions.reference import algorithm_1, algorithm_2
from rocviz.core.ensembles import RankEnsemble, ensemble_experiment, ensemble_subsets
from rocviz.core.fermi_dirac import fermi_dirac_experiment, fermi_dirac_surface
from rocviz.core.groups import abroca, cross_auc, group_summary
from rocviz.core.multiclass import confusion_matrix, ordered_volume
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


def in_parts(n_parts, size=2):
    """Number samples, so many of each of many groups, folds or classes."""
    return np.arange(size * n_parts) // size


def classes_of(n_classes, n_samples):
    """Draw labels of many classes, with probabilities that are all equal."""
    prob = np.broadcast_to(1 / n_classes, (n_samples, n_classes))
    return np.arange(n_samples) % n_classes, prob


def alternating(n_samples):
    return np.arange(n_samples) % 2, np.linspace(0, 1, n_samples)


def identical_models(n_models, n_samples):
    return dict.fromkeys(map(str, range(n_models)), alternating(n_samples)[1])


#: By how a message begins: work that grows with the pairs of groups, classes, models or folds.
TOO_MANY_PARTS = {
    "groups of 1500 values would take about .* minutes .* fewer groups": (
        lambda: cross_auc(*alternating(3000), in_parts(1500))
    ),
    "n_permutations=1000, groups of 200 values would take about .* hours .* permutations": (
        lambda: abroca(*alternating(400), in_parts(200))
    ),
    "rankings of 400 groups would take about .* minutes .* fewer groups": (
        lambda: group_summary(*alternating(800), in_parts(400)).differences()
    ),
    "y_prob of 9000 rows of 500 classes would take about .* minutes .* join classes": (
        lambda: best_simplex_point(*classes_of(500, 9000))
    ),
    "classes of 20000 classes would take about .* GiB .* join classes": (
        lambda: confusion_matrix(np.arange(20_000), np.arange(20_000))
    ),
    "classes of 500 classes would take about .* minutes": (
        lambda: ordered_volume(np.arange(1000) % 500, np.arange(1000), range(500))
    ),
    "fold of 40000 values, scores of 40 classifiers would take about .* fewer folds": (
        lambda: compare_folds(
            alternating(160_000)[0], identical_models(40, 160_000), in_parts(40_000, 4)
        )
    ),
    "names of 6000 classifiers would take about .* minutes .* compare fewer": (
        FoldComparison(tuple(range(6000)), np.zeros((6000, 5)), 0.25, 0.95).pairs
    ),
    "results of 60 classifiers in 1770 rows would take about .* draw fewer": (
        lambda: ModelComparisonDisplay(compare_classifiers(Y, crowd(60), n_resamples=0), None).plot(
            kind="differences"
        )
    ),
    "y_score of 300 classifiers would take about .* draw fewer": (
        lambda: AUCIntervalDisplay.from_predictions(Y, identical_models(300, 12))
    ),
    "intervals of 1500 classifiers in 1500 rows would take about .* draw fewer": (
        lambda: AUCIntervalDisplay(
            dict.fromkeys(map(str, range(1500)), auc_interval(Y, SCORE))
        ).plot()
    ),
    "fold of 100000 values would take about .* fewer folds": (
        lambda: CrossValidationDisplay.from_predictions(*alternating(200_000), in_parts(100_000))
    ),
    "y_score of 200 models would take about .* report fewer": (
        lambda: evaluation_report(alternating(12)[0], identical_models(200, 12))
    ),
    "y_true of 500 classes would take about .* join classes": (
        lambda: evaluation_report(*classes_of(500, 5000))
    ),
}


@pytest.mark.parametrize("message", TOO_MANY_PARTS)
def test_identifiers_in_place_of_categories_are_refused(message):
    figures = plt.get_fignums()
    with pytest.raises(ValueError, match=f"^{message}"):
        TOO_MANY_PARTS[message]()
    assert plt.get_fignums() == figures


def test_the_estimate_is_stated():
    with pytest.raises(ValueError, match=r"^n=3 would take about 48 hours \(at most 24\); ask"):
        check_effort(seconds=48 * 3600, n=3)
    message = r"^n=1, X of 5 rows would take about 27.8 hours .* and about 16 GiB of memory \(at"
    with pytest.raises(ValueError, match=message):
        check_draws(10**10, 0, 2**31, n=1, X="5 rows")
    check_effort(seconds=24 * 3600, numbers=2**30, n=1)
    message = r"^groups of 9 values would take about 3 minutes \(at most 2\); join them\.$"
    with pytest.raises(ValueError, match=message):
        check_effort(seconds=180, max_seconds=120, advice="join them", groups="9 values")
