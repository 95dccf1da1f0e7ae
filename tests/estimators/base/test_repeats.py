"""Repetitions that fit models give the same on workers as in this process."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn import config_context, get_config
from sklearn.naive_bayes import GaussianNB

import rocviz
from rocviz.estimators.base.repeats import run_fits
from rocviz.estimators.decisions import compare_decisions, consistency_experiment
from rocviz.estimators.ensembles import compare_strategies
from rocviz.estimators.ranking_loss import compare_ranking_methods, synthetic_ranking_experiment

Y = np.arange(120) % 3 == 0
X = np.random.default_rng(0).normal(size=(120, 2)) + Y[:, None]
TWO = [("one", GaussianNB()), ("two", GaussianNB(var_smoothing=0.5))]


def strategies():
    return compare_strategies(TWO, X, Y, n_repeats=3, random_state=0).auc


def synthetic_ranking():
    experiment = synthetic_ranking_experiment(
        [0.1, 0.2], n_samples=40, n_test=20, n_repeats=2, random_state=0
    )
    return experiment.error


def ranking_methods():
    comparison = compare_ranking_methods(
        X, Y, setting="positive-unlabelled", n_repeats=2, random_state=0
    )
    return comparison.mse


def decisions():
    comparison = compare_decisions(
        GaussianNB(), X, Y, metrics=["f1"], n_repeats=3, cv=2, random_state=0
    )
    return comparison.utility


def folds_of_a_scoring_list():
    model = rocviz.ProbabilisticScoringList(calibration_data=3, random_state=0).fit(X > 0, Y)
    return model.predict_proba(X > 0)


def cross_fitted_scores():
    model = rocviz.HullCalibratedClassifier(GaussianNB(), cv=3).fit(X, Y)
    return model.predict_proba(X)


def consistency():
    return consistency_experiment("f1", n_train=[20, 40], n_repeats=3, random_state=0).regret


@pytest.mark.parametrize(
    "repeat",
    [
        strategies,
        synthetic_ranking,
        ranking_methods,
        decisions,
        folds_of_a_scoring_list,
        cross_fitted_scores,
        consistency,
    ],
)
def test_threads_give_the_same(repeat, two_threads):
    in_one_process = repeat()
    with two_threads():
        in_threads = repeat()
    np.testing.assert_array_equal(in_threads, in_one_process)


def test_workers_keep_the_settings_of_scikit_learn():
    with config_context(assume_finite=True), parallel_config(backend="threading", n_jobs=2):
        results = list(run_fits(get_config, [()] * 3, range(3), None, None, "work"))
    assert [settings["assume_finite"] for settings in results] == [True] * 3


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("n_repeats", lambda: compare_strategies(TWO, X, Y, n_repeats=2**31)),
        ("n_repeats", lambda: synthetic_ranking_experiment([0.1], n_repeats=2**31)),
        ("n_repeats", lambda: compare_ranking_methods(X, Y, n_repeats=2**31)),
        ("n_repeats", lambda: compare_decisions(GaussianNB(), X, Y, n_repeats=2**31)),
        ("n_repeats", lambda: consistency_experiment(n_train=[2**31])),
        ("n_samples", lambda: rocviz.datasets.make_chest_pain(2**31)),
    ],
)
def test_too_much_work_is_refused_with_an_estimate(name, call):
    with pytest.raises(ValueError, match=f"^{name}=.* would take about .* GiB of memory"):
        call()
