"""The interval of a chosen threshold: by hand, coverage, and the cost of a poor choice."""

from importlib import import_module

import numpy as np
import pytest
from scipy.special import expit

from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.core.decisions.threshold_interval import threshold_interval
from rocviz.core.roc.segments import RankedSegments


def draw_samples(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    x = rng.normal(1.2 * y)
    return y, expit(1.2 * x - 0.72 + np.log(0.3 / 0.7))


@pytest.mark.parametrize(
    ("metric", "options"), [("cost", {"cost_fn": 5.0}), ("f1", {}), ("youden_j", {})]
)
def test_the_threshold_is_the_best_one_and_within_its_interval(metric, options):
    y, prob = draw_samples()
    interval = threshold_interval(y, prob, metric, n_resamples=100, **options)
    best = best_empirical_threshold(y, prob, metric, **options)
    assert (interval.threshold, interval.utility) == (best.threshold, best.utility)
    assert interval.lower <= interval.threshold <= interval.upper
    assert 0 <= interval.regret <= interval.regret_upper
    # the data flatter the threshold that they chose
    assert interval.metric.sign * (interval.utility - interval.corrected) > 0
    frame = interval.to_frame()
    assert frame.shape == (1, 7)
    assert frame["regret"].to_list() == [interval.regret]


def test_each_resample_agrees_with_its_definition():
    y, prob = draw_samples(40)
    interval = threshold_interval(y, prob, cost_fn=3.0, n_resamples=50)
    # the same draws: counts of positives and negatives from the highest score down
    order = np.argsort(-prob)
    counts = np.concatenate((y[order], ~y[order])).astype(float)
    rng = np.random.default_rng(0)
    regret = []
    optimism = []

    def cost(pos, neg):
        tp = np.append(0, np.cumsum(pos))
        fp = np.append(0, np.cumsum(neg))
        return (fp + 3 * (pos.sum() - tp)) / (pos.sum() + neg.sum())

    cost_on_data = cost(counts[:40], counts[40:])
    for threshold in interval.resampled:
        times = rng.multinomial(40, counts / 40)
        cost_on_resample = cost(times[:40], times[40:])
        k = int(cost_on_resample.argmin())
        assert threshold == (np.inf if k == 0 else prob[order][k - 1])
        regret.append(cost_on_data[k] - cost_on_data.min())
        optimism.append(cost_on_data[k] - cost_on_resample[k])
    assert interval.regret == pytest.approx(np.mean(regret))
    assert interval.regret_upper == pytest.approx(np.quantile(regret, 0.95))
    assert interval.corrected == pytest.approx(cost_on_data.min() + np.mean(optimism))
    low, high = np.sort(interval.resampled)[[1, 48]]
    assert (interval.lower, interval.upper) == (
        min(low, interval.threshold),
        max(high, interval.threshold),
    )


def test_the_interval_the_corrected_cost_and_the_regret_are_right_on_average():
    rng = np.random.default_rng(9)
    y = rng.random(10**5) < 0.3
    prob = expit(1.2 * rng.normal(1.2 * y) - 0.72 + np.log(0.3 / 0.7))
    pos_prob = np.sort(prob[y])
    neg_prob = np.sort(prob[~y])

    def cost(threshold):
        misses = np.searchsorted(pos_prob, threshold)
        false_alarms = neg_prob.size - np.searchsorted(neg_prob, threshold)
        return (false_alarms + 5 * misses) / 10**5

    intervals = [
        threshold_interval(*draw_samples(300, seed), cost_fn=5.0, n_resamples=100)
        for seed in range(60)
    ]
    assert sum(interval.lower <= 1 / 6 <= interval.upper for interval in intervals) >= 50
    true_costs = np.array([cost(interval.threshold) for interval in intervals])
    bounds = np.array([interval.regret_upper for interval in intervals])
    assert (true_costs - cost(1 / 6) <= bounds).sum() >= 52
    apparent = np.mean([interval.utility for interval in intervals])
    corrected = np.mean([interval.corrected for interval in intervals])
    assert true_costs.mean() - apparent > 0.03
    assert abs(true_costs.mean() - corrected) < 0.02


def test_clusters_leave_out_samples_of_weight_zero_and_copies_say_no_more():
    y, prob = draw_samples(200)
    options = {"cost_fn": 5.0, "n_resamples": 60}
    group = np.arange(200) // 2
    included = np.arange(200) % 4 > 0
    weight = included.astype(float)
    weighted = threshold_interval(y, prob, sample_weight=weight, clusters=group, **options)
    subset = threshold_interval(y[included], prob[included], clusters=group[included], **options)
    assert (weighted.resampled == subset.resampled).all()
    tripled = threshold_interval(
        np.tile(y, 3), np.tile(prob, 3), clusters=np.tile(group, 3), **options
    )
    single = threshold_interval(y, prob, clusters=group, **options)
    assert (tripled.resampled == single.resampled).all()


def test_weights_are_repetitions():
    y, prob = draw_samples(100)
    weight = np.random.default_rng(1).integers(0, 4, 100)
    weighted = threshold_interval(y, prob, sample_weight=weight, n_resamples=60)
    repeated = threshold_interval(np.repeat(y, weight), np.repeat(prob, weight), n_resamples=60)
    assert (weighted.resampled == repeated.resampled).all()
    assert weighted.regret == pytest.approx(repeated.regret)


def test_a_known_prevalence_moves_the_threshold():
    y, prob = draw_samples(2000)
    rare = threshold_interval(y, prob, cost_fn=5.0, prevalence=0.02, n_resamples=60)
    usual = threshold_interval(y, prob, cost_fn=5.0, n_resamples=60)
    assert rare.lower > usual.upper
    assert rare.utility < 0.1 < usual.utility


def test_where_no_positives_are_best_the_threshold_is_infinite():
    y, prob = draw_samples(100)
    interval = threshold_interval(y, -prob, cost_fp=50.0, n_resamples=60)
    assert interval.threshold == interval.upper == np.inf


def test_omitted_poor_thresholds_change_little(monkeypatch):
    y, prob = draw_samples(1000)
    exact = threshold_interval(y, prob, cost_fn=5.0, n_resamples=1000)
    module = import_module("rocviz.core.decisions.threshold_interval")
    monkeypatch.setattr(module, "_N_BEST_THRESHOLDS", 700)
    monkeypatch.setattr(module, "_N_EVEN_THRESHOLDS", 20)
    for clusters in (None, np.arange(1000)):
        approximate = threshold_interval(y, prob, cost_fn=5.0, clusters=clusters, n_resamples=1000)
        assert approximate.threshold == exact.threshold
        assert approximate.lower == pytest.approx(exact.lower, abs=0.02)
        assert approximate.upper == pytest.approx(exact.upper, abs=0.02)
        assert approximate.regret == pytest.approx(exact.regret, rel=0.15)


def test_resamples_of_one_class_are_drawn_again():
    y = [0, 1, 0, 1]
    prob = [0.1, 0.4, 0.3, 0.9]
    interval = threshold_interval(y, prob, clusters=[1, 2, 1, 2], n_resamples=50)
    assert interval.resampled.size == 50


def test_clusters_need_samples():
    y, prob = draw_samples(60, 0)
    segments = RankedSegments.from_scores(y, prob)
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        threshold_interval(segments, clusters=np.arange(60))
