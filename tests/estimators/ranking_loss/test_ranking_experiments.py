"""The synthetic experiment and the comparison on real data."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer

from rocviz import RankIsotonicClassifier
from rocviz.core.base import SimulationStopped
from rocviz.core.ranking_loss import simulate_capped_link
from rocviz.core.ranking_loss.methods import METHODS
from rocviz.estimators.ranking_loss import compare_ranking_methods, synthetic_ranking_experiment
from rocviz.estimators.ranking_loss.comparison import correct_for_labels


@pytest.fixture(scope="module")
def done():
    return synthetic_ranking_experiment(n_samples=600, n_test=1000, n_repeats=4, random_state=0)


def column(result, method):
    return result.error[:, result.methods.index(method)]


def test_shape_of_the_figure(done):
    logistic = column(done, "logistic")
    repaired = column(done, "logistic + isotonic")
    ranked = column(done, "rank + isotonic")
    middle = slice(2, 4)  # 2**-5 and 2**-3
    # in between logistic regression is clearly worst of the three, and isotonic regression repairs
    # most of it
    assert (logistic[middle] > 3 * repaired[middle]).all()
    assert (logistic[middle] > 3 * ranked[middle]).all()
    # at both ends the methods come together
    gap = logistic - repaired
    assert abs(gap[0]) < gap[middle].max() / 2
    assert abs(gap[-1]) < gap[middle].max() / 5
    # ranking first is where isotonic regression on logistic scores is: what divides them is
    # small beside what divides both from logistic regression
    assert (abs(ranked - repaired)[middle] < gap[middle] / 8).all()
    assert abs(ranked - repaired).max() < 0.006
    assert (done.standard_error < 0.2 * done.error.max()).all()


def test_with_a_strong_penalty_ranking_first_is_slightly_better():
    strong = synthetic_ranking_experiment(
        [2**-9, 2**-7],
        methods=["logistic + isotonic", "rank + isotonic"],
        n_repeats=12,
        n_test=4000,
        alpha=0.3,
        loss="squared_hinge",
        random_state=0,
    )
    assert (column(strong, "rank + isotonic") < column(strong, "logistic + isotonic")).all()


def test_published_numbers_for_a_weak_penalty():
    methods = ["logistic", "logistic + isotonic", "rank + isotonic"]
    experiment = synthetic_ranking_experiment(
        [2**-7], methods=methods, n_repeats=15, random_state=0
    )
    apart = abs(experiment.error[0] - np.array([0.0159, 0.0030, 0.0054]))  # of 100 repetitions
    assert (apart < 2 * experiment.standard_error[0]).all()
    assert (experiment.standard_error[0] < 0.001).all()


def test_the_same_seed_gives_the_same_numbers_in_any_order():
    how = {"n_samples": 100, "n_test": 100, "n_repeats": 2}
    both = synthetic_ranking_experiment([0.1, 0.4], random_state=5, **how)
    again = synthetic_ranking_experiment([0.1, 0.4], random_state=5, **how)
    np.testing.assert_array_equal(both.error, again.error)
    alone = synthetic_ranking_experiment([0.4], methods=["logistic"], random_state=5, **how)
    assert alone.error[0, 0] == both.error[1, METHODS.index("logistic")]


def test_progress_and_stopping():
    seen = []

    def progress(steps):
        for step in steps:
            seen.append(step)
            yield step

    how = {"n_samples": 50, "n_test": 10, "n_repeats": 2, "random_state": 0}
    synthetic_ranking_experiment([0.1, 0.4], progress=progress, **how)
    assert seen == [0, 1, 2, 3]
    with pytest.raises(SimulationStopped, match="experiment was stopped"):
        synthetic_ranking_experiment(should_stop=lambda: len(seen) > 3, **how)
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(SimulationStopped, match="comparison was stopped"):
        compare_ranking_methods(X, y, n_repeats=2, progress=progress, should_stop=lambda: True)


# ---------------------------------------------------------------------- real data


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :8], 1 - y


def test_real_data_as_they_are(cancer):
    comparison = compare_ranking_methods(*cancer, n_repeats=4, alpha=1e-3, random_state=0)
    assert comparison.methods == METHODS
    assert (comparison.mse < 0.08).all()
    assert (comparison.auc > 0.95).all()
    assert comparison.auc[2] == comparison.auc[3]
    assert (comparison.mse_error > 0).all()
    assert comparison.test_prevalence == pytest.approx(cancer[1].mean(), abs=0.01)
    assert (comparison.label_frequency == 1).all()
    frame = comparison.to_frame()
    names = "setting method mse mse_error auc auc_error label_frequency"
    assert frame.columns.tolist() == names.split()
    again = compare_ranking_methods(*cancer, n_repeats=4, alpha=1e-3, random_state=0)
    np.testing.assert_array_equal(comparison.mse, again.mse)


def test_imbalanced_subsample(cancer):
    comparison = compare_ranking_methods(
        *cancer, setting="imbalanced", prevalence=0.1, n_repeats=3, random_state=0
    )
    assert comparison.test_prevalence == pytest.approx(0.1, abs=0.01)
    assert comparison.setting == "imbalanced"


def step_data(n, seed=0):
    """Draw samples whose probability is a step: the classes overlap on either side."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, rng.random(n) < np.where(X[:, 0] > 0, 0.9, 0.05)


def test_elkan_and_noto_s_correction():
    X, y = step_data(20_000)
    how = {"setting": "positive-unlabelled", "methods": ["rank + isotonic"], "n_repeats": 2}
    comparison = {}
    for kind in ("all", "none"):
        comparison[kind] = compare_ranking_methods(X, y, correction=kind, random_state=0, **how)
    # 30 % of the positives are labelled; of the other 70 % four fifths are in the training part
    c = 0.3 / (0.3 + 0.8 * 0.7)
    # were every positive certain, the mean of g over the labelled would be c; it is less by the
    # mean probability of a positive
    of_positives = (0.9**2 + 0.05**2) / (0.9 + 0.05)
    assert comparison["all"].label_frequency[0] == pytest.approx(c * of_positives, rel=0.05)
    assert comparison["none"].mse[0] > comparison["all"].mse[0] + 0.02
    prevalence = 0.7 * y.mean() / (1 - 0.3 * y.mean())
    assert comparison["all"].test_prevalence == pytest.approx(prevalence, abs=0.005)


def test_corrections_are_exact_for_exact_probabilities():
    # a sample is positive with probability p; c of the positives are labelled
    p = np.array([0.0, 0.1, 0.5, 0.9])
    c = 0.4
    g = c * p
    np.testing.assert_allclose(correct_for_labels(g, c, "all"), p)
    np.testing.assert_allclose(correct_for_labels(g, c, "unlabelled"), (1 - c) * p / (1 - c * p))
    np.testing.assert_array_equal(correct_for_labels(g, c, "none"), g)
    assert correct_for_labels(np.array([1.0]), c, "unlabelled") == 1
    assert correct_for_labels(np.array([0.9]), c, "all") == 1


def test_sparse_data_and_named_classes(cancer):
    X, y = cancer
    named = np.where(y == 1, "ill", "well")
    dense = compare_ranking_methods(
        X, named, pos_label="ill", n_repeats=2, alpha=0.01, random_state=0
    )
    thin = compare_ranking_methods(
        sparse.csr_matrix(X), named, pos_label="ill", n_repeats=2, alpha=0.01, random_state=0
    )
    np.testing.assert_allclose(dense.mse, thin.mse, atol=1e-3)
    plain = compare_ranking_methods(X, y, n_repeats=2, alpha=0.01, random_state=0)
    np.testing.assert_array_equal(dense.mse, plain.mse)


def test_where_a_sigmoid_is_the_truth_logistic_regression_is_right():
    experiment = synthetic_ranking_experiment(
        [0.1],
        n_samples=300,
        n_test=2000,
        n_repeats=4,
        methods=["logistic", "rank + isotonic"],
        calibration="laplace-hull",
        link="sigmoid",
        border=1.0,
        random_state=0,
    )
    assert experiment.error[0, 0] < experiment.error[0, 1] / 2
    known = simulate_capped_link(300, 0.1, link="sigmoid", border=1.0, random_state=0)
    model = RankIsotonicClassifier()
    prob = model.fit(known.X, known.y_true).predict_proba(10 * known.X)[:, 1]
    assert 0 < prob.min() < prob.max() < 1


def test_samples_of_one_class_are_reported():
    with pytest.raises(ValueError, match="n_samples=10 and border=3 gave training samples of one"):
        synthetic_ranking_experiment([0.0], n_samples=10, n_repeats=2, border=3.0, random_state=0)
