"""The paper's algorithms and the exhaustive search: their own edges."""

import numpy as np
import pytest

from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.core.decisions.reference import algorithm_1, algorithm_2, exhaustive_decision


def test_both_algorithms_on_paper():
    # the three positives' chances .9, .5, .1: F1 of the first two is .9 * .5 * (.9 + .1 * .8) ...
    want = [0, 0.7275, 0.766, 0.6365]
    np.testing.assert_allclose(algorithm_1([0.1, 0.9, 0.5], "f1"), want, atol=1e-15)
    np.testing.assert_allclose(algorithm_2([0.1, 0.9, 0.5], "f1"), want, atol=1e-15)


def test_the_table_of_the_paper_lacks_k_equal_0():
    # with the common value of 0/0 at 1, predicting nothing is best for rare positives
    utilities = algorithm_2([0.05, 0.01], "jaccard", zero_division=1.0)
    assert utilities.argmax() == 0
    assert utilities[0] == pytest.approx(0.95 * 0.99)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("am", "^Algorithm 2 needs a linear-fractional metric; got 'balanced_accuracy'"),
        (lambda u, v, p: u, "^Algorithm 2 needs a linear-fractional metric; got 'custom'"),
        ("accuracy", "^Algorithm 2 needs a numerator without p"),
        (LinearFractional((0, 1, 0), (0, 0, 1, np.pi)), "coefficients d are integer multiples"),
        (
            LinearFractional((0, 1, 0), (0, 0, 0, 1)),
            "^Algorithm 2 needs a denominator that is never zero for k > 0",
        ),
    ],
)
def test_metrics_unsuitable_for_algorithm_2_are_refused(metric, message):
    with pytest.raises(ValueError, match=message):
        algorithm_2([0.5, 0.2], metric)


@pytest.mark.parametrize("algorithm", [algorithm_1, algorithm_2])
def test_empty_batches_are_refused(algorithm):
    with pytest.raises(ValueError, match=r"^y_prob is empty"):
        algorithm([])


def test_of_equally_good_labels_few_and_probable_ones():
    # any one label is as good as any other: of these the most probable sample, and the first
    decision = exhaustive_decision([0.3, 0.6, 0.6], lambda u, v, p: -np.abs(v - 1 / 3))
    np.testing.assert_array_equal(decision.labels, [0, 1, 0])
    decision = exhaustive_decision([0.5, 0.5], "accuracy")
    np.testing.assert_array_equal(decision.labels, [0, 0])


def test_the_papers_experiment():
    # ten Gaussian points in the plane, a random direction: the optimum is a prefix of the ranking
    rng = np.random.default_rng(0)
    for metric in ("am", "jaccard", "f1", "g_tp_pr"):
        prob = 1 / (1 + np.exp(-rng.standard_normal((10, 2)) @ rng.standard_normal(2)))
        labels = exhaustive_decision(prob, metric).labels
        assert is_monotonic(metric, n=10)
        assert labels.any()
        n_predicted_positive = labels.sum()
        prefix = np.argsort(-prob)[:n_predicted_positive]
        np.testing.assert_array_equal(np.sort(prefix), np.flatnonzero(labels))


@pytest.mark.parametrize("n", [0, 13])
def test_size_of_the_search_is_bounded(n):
    with pytest.raises(ValueError, match=rf"^y_prob must have from 1 to 12 samples .*; got {n}\."):
        exhaustive_decision(np.full(n, 0.5))
