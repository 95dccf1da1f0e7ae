import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from rocviz.estimators.decisions import consistency_experiment


@pytest.mark.parametrize("metric", ["f1", "am", "sec"])
def test_regret_vanishes_by_expectation_but_not_at_one_half(metric):
    experiment = consistency_experiment(
        metric, n_train=[40, 2000], n_test=20, n_repeats=8, random_state=0
    )
    assert experiment.regret.shape == (2, 2, 8)
    assert (experiment.regret >= 0).all()
    (early, _), (late, at_half) = experiment.mean
    assert late < early / 4
    assert late < 0.002
    assert at_half > max(10 * late, 2 * experiment.standard_error[1, 1])


def test_a_classifier_that_learns_nothing_is_not_consistent():
    experiment = consistency_experiment(
        n_train=[40, 2000],
        n_test=20,
        n_repeats=4,
        estimator=DummyClassifier(),
        random_state=0,
        progress=lambda repeats: repeats,
    )
    assert (experiment.mean[:, 0] > 0.05).all()
    frame = experiment.to_frame()
    assert list(frame.columns) == ["n_train", "rule", "regret", "standard_error"]
    assert frame.regret.tolist() == experiment.mean.ravel().tolist()
    assert (experiment.metric.name, experiment.n_test, experiment.n_train.tolist()) == (
        "f",
        20,
        [40, 2000],
    )


def test_one_class_in_the_training_samples():
    # the labels of two samples are often alike, and then their class is taken for certain
    experiment = consistency_experiment("accuracy", n_train=[2], n_repeats=8, random_state=0)
    assert np.isfinite(experiment.regret).all()
    assert (experiment.regret[0, 0] == experiment.regret[0, 1]).all()
