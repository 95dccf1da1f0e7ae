"""The interval of a chosen threshold: by hand, coverage, and the cost of a poor choice."""

from importlib import import_module

import numpy as np
import pytest
from scipy.special import expit

from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.core.decisions.threshold_interval import threshold_interval


def drawn(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    x = rng.normal(1.2 * y)
    return y, expit(1.2 * x - 0.72 + np.log(0.3 / 0.7))


@pytest.mark.parametrize(
    ("metric", "options"), [("cost", {"cost_fn": 5.0}), ("f1", {}), ("youden_j", {})]
)
def test_the_threshold_is_the_best_one_and_within_its_interval(metric, options):
    y, prob = drawn()
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
    y, prob = drawn(40)
    interval = threshold_interval(y, prob, cost_fn=3.0, n_resamples=50)
    # the same draws: counts of positives and negatives from the highest score down
    order = np.argsort(-prob)
    both = np.concatenate((y[order], ~y[order])).astype(float)
    rng = np.random.default_rng(0)
    regret = []
    optimism = []

    def cost(pos, neg):
        above = [np.append(0, np.cumsum(side)) for side in (pos, neg)]
        return (above[1] + 3 * (above[0][-1] - above[0])) / (pos.sum() + neg.sum())

    own = cost(both[:40], both[40:])
    for threshold in interval.resampled:
        times = rng.multinomial(40, both / 40)
        here = cost(times[:40], times[40:])
        cut = int(here.argmin())
        assert threshold == (np.inf if cut == 0 else prob[order][cut - 1])
        regret.append(own[cut] - own.min())
        optimism.append(own[cut] - here[cut])
    assert interval.regret == pytest.approx(np.mean(regret))
    assert interval.regret_upper == pytest.approx(np.quantile(regret, 0.95))
    assert interval.corrected == pytest.approx(own.min() + np.mean(optimism))
    low, high = np.sort(interval.resampled)[[1, 48]]
    assert (interval.lower, interval.upper) == (
        min(low, interval.threshold),
        max(high, interval.threshold),
    )


def test_the_interval_the_corrected_cost_and_the_regret_are_right_on_average():
    rng = np.random.default_rng(9)
    y = rng.random(10**5) < 0.3
    prob = expit(1.2 * rng.normal(1.2 * y) - 0.72 + np.log(0.3 / 0.7))
    sizes = [side.sum() for side in (y, ~y)]
    of_pos = np.sort(prob[y])
    of_neg = np.sort(prob[~y])

    def cost(t):
        missed = np.searchsorted(of_pos, t)
        alarms = sizes[1] - np.searchsorted(of_neg, t)
        return (alarms + 5 * missed) / 10**5

    held = 0
    lost = []
    within = 0
    apparent = []
    corrected = []
    true = []
    for seed in range(60):
        interval = threshold_interval(*drawn(300, seed), cost_fn=5.0, n_resamples=100)
        held += interval.lower <= 1 / 6 <= interval.upper
        lost.append(cost(interval.threshold) - cost(1 / 6))
        within += lost[-1] <= interval.regret_upper
        apparent.append(interval.utility)
        corrected.append(interval.corrected)
        true.append(cost(interval.threshold))
    assert held >= 50
    assert within >= 52
    assert np.mean(true) - np.mean(apparent) > 0.03
    assert abs(np.mean(true) - np.mean(corrected)) < 0.02


def test_groups_leave_out_samples_of_weight_zero_and_copies_say_no_more():
    y, prob = drawn(200)
    how = {"cost_fn": 5.0, "n_resamples": 60}
    group = np.arange(200) // 2
    weight = (np.arange(200) % 4 > 0).astype(float)
    some = weight > 0
    one = threshold_interval(y, prob, sample_weight=weight, groups=group, **how)
    two = threshold_interval(y[some], prob[some], groups=group[some], **how)
    assert (one.resampled == two.resampled).all()
    three = threshold_interval(np.tile(y, 3), np.tile(prob, 3), groups=np.tile(group, 3), **how)
    alone = threshold_interval(y, prob, groups=group, **how)
    assert (three.resampled == alone.resampled).all()


def test_weights_are_repetitions():
    y, prob = drawn(100)
    weight = np.random.default_rng(1).integers(0, 4, 100)
    one = threshold_interval(y, prob, sample_weight=weight, n_resamples=60)
    two = threshold_interval(np.repeat(y, weight), np.repeat(prob, weight), n_resamples=60)
    assert (one.resampled == two.resampled).all()
    assert one.regret == pytest.approx(two.regret)


def test_a_known_prevalence_moves_the_threshold():
    y, prob = drawn(2000)
    rare = threshold_interval(y, prob, cost_fn=5.0, prevalence=0.02, n_resamples=60)
    usual = threshold_interval(y, prob, cost_fn=5.0, n_resamples=60)
    assert rare.lower > usual.upper
    assert rare.utility < 0.1 < usual.utility


def test_where_no_positives_are_best_the_threshold_is_infinite():
    y, prob = drawn(100)
    interval = threshold_interval(y, -prob, cost_fp=50.0, n_resamples=60)
    assert interval.threshold == interval.upper == np.inf


def test_omitted_poor_cuts_change_little(monkeypatch):
    y, prob = drawn(1000)
    exact = threshold_interval(y, prob, cost_fn=5.0, n_resamples=1000)
    module = import_module("rocviz.core.decisions.threshold_interval")
    monkeypatch.setattr(module, "_N_BEST_THRESHOLDS", 700)
    monkeypatch.setattr(module, "_N_EVEN_THRESHOLDS", 20)
    for groups in (None, np.arange(1000)):
        few = threshold_interval(y, prob, cost_fn=5.0, groups=groups, n_resamples=1000)
        assert few.threshold == exact.threshold
        assert few.lower == pytest.approx(exact.lower, abs=0.02)
        assert few.upper == pytest.approx(exact.upper, abs=0.02)
        assert few.regret == pytest.approx(exact.regret, rel=0.15)


def test_resamples_of_one_class_are_drawn_again():
    y = [0, 1, 0, 1]
    prob = [0.1, 0.4, 0.3, 0.9]
    interval = threshold_interval(y, prob, groups=[1, 2, 1, 2], n_resamples=50)
    assert interval.resampled.size == 50
