"""The best threshold on labelled samples: against trying every one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import expected_utility, optimal_decision
from rocviz.core.decisions.empirical_utility import (
    best_empirical_threshold,
)
from rocviz.core.decisions.utility import resolve_metric
from rocviz.core.roc.metrics import METRICS
from rocviz.core.roc.segments import RankedSegments

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]
SAMPLES = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.3, 0.30000001, 0.8, 1.0])),
    min_size=2,
    max_size=25,
).filter(lambda samples: len({y for y, _ in samples}) == 2)


@given(st.sampled_from(OBJECTIVES), SAMPLES)
def test_no_threshold_is_better(metric, samples):
    y = np.array([label for label, _ in samples])
    prob = np.array([p for _, p in samples])
    best = best_empirical_threshold(y, prob, metric)
    phi = resolve_metric(metric)
    thresholds = [np.inf, *sorted(set(prob), reverse=True)]
    values = []
    for threshold in thresholds:
        labels = prob >= threshold
        tp = (labels & y).sum()
        values.append(float(phi.at_counts(tp, labels.sum(), y.sum(), y.size)))
    np.testing.assert_array_equal(best.thresholds, thresholds)
    np.testing.assert_allclose(best.utilities, values, atol=1e-14)
    gains = phi.sign * np.array(values)
    assert phi.sign * best.utility == pytest.approx(gains.max(), abs=1e-14)
    first = np.flatnonzero(gains >= gains.max() - 1e-12)[0]
    assert best.threshold == thresholds[first]


def test_weights_are_repetitions():
    y = [0, 1, 1, 0, 1]
    prob = [0.2, 0.4, 0.4, 0.7, 0.9]
    weight = [1, 2, 0, 3, 1]
    weighted = best_empirical_threshold(y, prob, "jaccard", sample_weight=weight)
    repeated = best_empirical_threshold(np.repeat(y, weight), np.repeat(prob, weight), "jaccard")
    np.testing.assert_allclose(weighted.utilities, repeated.utilities, atol=1e-15)
    assert weighted.threshold == repeated.threshold


def test_other_labels_and_functions():
    best = best_empirical_threshold(
        ["ill", "well", "ill"], [0.9, 0.2, 0.3], lambda u, v, p: u - (v - u), pos_label="ill"
    )
    assert best.threshold == 0.3


def test_segments_are_accepted():
    segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    best = best_empirical_threshold(segments, metric="cost", cost_fp=1.0, cost_fn=1.0)
    assert best.threshold == segments.optimal_point().threshold


def test_the_result_is_a_table():
    best = best_empirical_threshold([0, 1], [0.2, 0.8])
    frame = best.to_frame()
    assert frame["threshold"].tolist() == [np.inf, 0.8, 0.2]
    assert frame["utility"].round(4).tolist() == [0, 1, 0.6667]


def test_by_batch_and_by_threshold_coincide_as_the_batch_grows():
    rng = np.random.default_rng(0)
    stream = np.sort(rng.beta(0.5, 2, 5_000))
    threshold = stream[::-1][optimal_decision(stream, "f1").n_predicted_positive - 1]
    mean_gains = []
    for n in (10, 100, 1000):
        gains = []
        for _ in range(20):
            prob = rng.beta(0.5, 2, n)
            fixed = expected_utility(prob >= threshold, prob, "f1")
            gains.append(optimal_decision(prob, "f1").utility - fixed)
        mean_gains.append(np.mean(gains))
    assert min(mean_gains) >= 0
    assert mean_gains[0] > 5 * mean_gains[1] > 25 * mean_gains[2]
