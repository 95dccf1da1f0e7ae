"""The interval of a chosen threshold: by hand, coverage, and the cost of a poor choice."""

from importlib import import_module

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm

from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.core.decisions.threshold_interval import threshold_interval
from rocviz.core.roc.metrics import binomial_interval
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
    assert (interval.gap[1], interval.utility) == (best.threshold, best.utility)
    assert interval.gap[0] == prob[prob < best.threshold].max()
    assert interval.gap[0] < interval.threshold < interval.gap[1]
    assert logit(interval.threshold) == pytest.approx(logit(interval.gap).mean())
    assert interval.lower <= interval.gap[0]
    assert interval.gap[1] <= interval.upper
    assert 0 <= interval.regret <= interval.regret_upper
    # the data flatter the threshold that they chose
    assert interval.metric.sign * (interval.utility - interval.corrected) > 0
    frame = interval.to_frame()
    assert frame.shape == (1, 17)
    assert frame["sensitivity_lower"].to_list() == [interval.sensitivity.lower]
    assert np.isnan(frame["corrected_lower"][0]) == (metric != "cost")
    assert frame["regret"].to_list() == [interval.regret]


def test_each_resample_agrees_with_its_definition():
    y, prob = draw_samples(40)
    interval = threshold_interval(y, prob, cost_fn=3.0, smooth=False, n_resamples=50)
    # the same draws: counts of positives and negatives from the highest score down
    order = np.argsort(-prob)
    counts = np.concatenate((y[order], ~y[order])).astype(float)
    rng = np.random.default_rng(0)
    regret = []
    optimism = []
    rate_optimism = []

    def cost(pos, neg):
        tp = np.append(0, np.cumsum(pos))
        fp = np.append(0, np.cumsum(neg))
        return (fp + 3 * (pos.sum() - tp)) / (pos.sum() + neg.sum())

    cost_on_data = cost(counts[:40], counts[40:])
    positive = y[order]
    for gap in interval.resampled:
        times = rng.multinomial(40, counts / 40)
        cost_on_resample = cost(times[:40], times[40:])
        k = int(cost_on_resample.argmin())
        drawn = times[:40] + times[40:] > 0
        assert gap[1] == min(prob[order][:k][drawn[:k]], default=np.inf)
        assert gap[0] == max(prob[order][k:][drawn[k:]], default=-np.inf)
        on_resample = times[:k].sum() / times[:40].sum()
        rate_optimism.append(on_resample - positive[:k].sum() / positive.sum())
        regret.append(cost_on_data[k] - cost_on_data.min())
        optimism.append(cost_on_data[k] - cost_on_resample[k])
    assert interval.regret == pytest.approx(np.mean(regret))
    assert interval.regret_upper == pytest.approx(np.quantile(regret, 0.95))
    assert interval.corrected == pytest.approx(cost_on_data.min() + np.mean(optimism))
    low = np.sort(interval.resampled[:, 0])[1]
    high = np.sort(interval.resampled[:, 1])[48]
    assert (interval.lower, interval.upper) == (
        min(low, interval.gap[0]),
        max(high, interval.gap[1]),
    )
    rate = interval.sensitivity
    assert rate.apparent == (prob[y] >= interval.threshold).mean()
    assert rate.corrected == pytest.approx(np.clip(rate.apparent - np.mean(rate_optimism), 0, 1))
    ends = sorted((rate.apparent, rate.corrected))
    lower, upper = binomial_interval(np.array(ends) * y.sum(), y.sum())
    assert (rate.lower, rate.upper) == pytest.approx((lower[0], upper[1]))
    # the cost at the prevalence of the data
    z = 1.959964
    variances = []
    for rate, n in ((interval.sensitivity, y.sum()), (interval.specificity, (~y).sum())):
        variances.append((rate.corrected * (1 - rate.corrected) + z**2 / (4 * n)) / n)
    half = z * np.sqrt((3 * y.mean()) ** 2 * variances[0] + (1 - y.mean()) ** 2 * variances[1])
    assert interval.corrected_upper == pytest.approx(interval.corrected + half)
    assert interval.corrected_lower == pytest.approx(max(interval.corrected - half, 0))


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
    assert interval.gap == ((-prob).max(), np.inf)
    interval = threshold_interval(y, prob, cost_fn=1e6, n_resamples=60)
    assert interval.gap[1] == prob[y].min()
    everyone = threshold_interval(~y, prob, cost_fn=1e6, n_resamples=60)
    assert everyone.gap[0] < everyone.threshold


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
    assert interval.resampled.shape == (50, 2)
    smoothed = threshold_interval(y, prob, clusters=[1, 2, 1, 2], smooth=True, n_resamples=50)
    assert smoothed.resampled.shape == (50, 2)


def test_clusters_need_samples():
    y, prob = draw_samples(60, 0)
    segments = RankedSegments.from_scores(y, prob)
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        threshold_interval(segments, clusters=np.arange(60))


def draw_normal(n_pos, n_neg, auc, rng):
    """Draw normal scores of equal variance with this AUC."""
    y = np.arange(n_pos + n_neg) < n_pos
    return y, rng.normal(size=y.size) + np.sqrt(2) * norm.ppf(auc) * y


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "auc", "cost_fn", "at_least"),
    # one edge of each gap alone covers 41, and 40, of 100; unsmoothed gaps 99, and 54
    [(25, 25, 0.998, 1.0, 94), (10, 190, 0.983, 19.0, 78)],
)
def test_the_interval_holds_the_best_threshold(n_pos, n_neg, auc, cost_fn, at_least):
    rng = np.random.default_rng(3)
    shift = np.sqrt(2) * norm.ppf(auc)
    # where the ratio of the densities is that of the costs
    truth = shift / 2 + np.log(n_neg / n_pos / cost_fn) / shift
    n_covered = 0
    for _ in range(100):
        y, score = draw_normal(n_pos, n_neg, auc, rng)
        interval = threshold_interval(y, score, cost_fn=cost_fn, n_resamples=100, random_state=rng)
        n_covered += interval.lower <= truth <= interval.upper
    assert n_covered >= at_least


def test_rates_and_costs_are_corrected_for_the_choice_of_the_threshold():
    # of a useless score whose threshold is chosen among 50 samples
    rng = np.random.default_rng(4)
    apparent = []
    corrected = []
    n_covered = n_covered_by_wilson = n_costs = 0
    for _ in range(150):
        y = np.arange(50) < 25
        score = rng.normal(size=50)
        interval = threshold_interval(y, score, prevalence=0.5, n_resamples=100, random_state=rng)
        rate = interval.sensitivity
        truth = norm.sf(interval.threshold)
        apparent.append(rate.apparent - truth)
        corrected.append(rate.corrected - truth)
        n_covered += rate.lower <= truth <= rate.upper
        low, high = binomial_interval(rate.apparent * 25, 25)
        n_covered_by_wilson += low <= truth <= high
        n_costs += interval.corrected_lower <= 0.5 <= interval.corrected_upper
    assert abs(np.mean(corrected)) < abs(np.mean(apparent)) / 1.5
    assert n_covered >= 0.91 * 150
    assert n_covered_by_wilson < n_covered
    assert n_costs >= 0.93 * 150


def test_resamples_are_smoothed_where_the_dearer_class_is_rare():
    rng = np.random.default_rng(5)
    y, score = draw_normal(20, 180, 0.9, rng)
    few = {"n_resamples": 50}
    assert threshold_interval(y, score, cost_fn=9, **few).is_smoothed
    assert not threshold_interval(y, score, cost_fp=9, **few).is_smoothed
    assert threshold_interval(y, score, **few).is_smoothed
    assert not threshold_interval(y, score, cost_fn=9, smooth=False, **few).is_smoothed
    balanced = draw_normal(60, 60, 0.9, rng)
    assert not threshold_interval(*balanced, **few).is_smoothed
    assert threshold_interval(*balanced, smooth=True, **few).is_smoothed
    # a scoring list has few thresholds
    assert not threshold_interval(y, score.round(), cost_fn=9, **few).is_smoothed
    tied = np.where(np.arange(200) < 30, 0.0, score)
    assert not threshold_interval(y, tied, cost_fn=9, **few).is_smoothed
    weight = np.where(np.arange(200) < 100, 1.0, 1.5)
    assert not threshold_interval(y, score, cost_fn=9, sample_weight=weight, **few).is_smoothed
    with pytest.raises(ValueError, match="sample_weight must be whole numbers for smooth=True"):
        threshold_interval(y, score, sample_weight=weight, smooth=True, **few)
    with pytest.raises(ValueError, match="smooth must be True or False"):
        threshold_interval(y, score, smooth="much", **few)


def test_smoothed_intervals_depend_on_ranks_only():
    y, score = draw_normal(20, 180, 0.9, np.random.default_rng(6))
    interval = threshold_interval(y, score, cost_fn=9, n_resamples=50)
    other = threshold_interval(y, score, cost_fn=9, n_resamples=50, smooth=True)
    assert (interval.resampled == other.resampled).all()
    # ends beyond the scores are open
    extreme = threshold_interval(y, -score, cost_fn=1e4, n_resamples=50, smooth=True)
    assert np.isneginf(extreme.resampled).any()
    assert np.isposinf(
        threshold_interval(y, -score, cost_fp=50.0, n_resamples=50, smooth=True).resampled
    ).any()
    weighted = threshold_interval(
        y, score, cost_fn=9, n_resamples=50, sample_weight=np.full(200, 2.0)
    )
    assert weighted.is_smoothed
    assert np.ptp(weighted.resampled[np.isfinite(weighted.resampled)]) < np.ptp(score)


def test_clusters_count_for_less_than_their_rows():
    y, prob = draw_samples(100)
    group = np.arange(100)
    rows = np.repeat(group, 4)
    options = {"cost_fn": 5.0, "n_resamples": 100, "smooth": False}
    single = threshold_interval(y, prob, clusters=group, **options)
    copies = threshold_interval(y[rows], prob[rows], clusters=rows, **options)
    assert copies.sensitivity.lower == pytest.approx(single.sensitivity.lower, abs=0.01)
    by_rows = threshold_interval(y[rows], prob[rows], **options)
    assert by_rows.sensitivity.lower > copies.sensitivity.lower
    perfect = threshold_interval(y, y.astype(float), clusters=group, **options)
    assert perfect.sensitivity.apparent == perfect.specificity.apparent == 1


def test_the_middle_of_a_gap_gives_its_predictions():
    y = [0, 1, 0, 1]
    scores = {
        "probabilities": ([0.1, 0.8, 0.2, 0.9], 0.5),
        "a probability of 0": ([0.0, 0.8, 0.0, 0.9], 0.4),
        "log odds": ([-1.0, 3.0, 0.0, 4.0], 1.5),
        "neighbours": ([0.1, np.nextafter(0.2, 1), 0.2, 0.9], np.nextafter(0.2, 1)),
    }
    for score, middle in scores.values():
        interval = threshold_interval(y, score, n_resamples=50)
        assert interval.threshold == pytest.approx(middle, abs=1e-12)
        assert interval.gap[0] < interval.threshold <= interval.gap[1]


def test_smoothed_resamples_of_one_class_are_refused_in_the_end():
    class Stubborn(np.random.Generator):
        """A source that draws the first sample only."""

        def integers(self, high, size=None):
            return np.zeros(size, dtype=int)

    y, score = draw_normal(20, 30, 0.8, np.random.default_rng(7))
    with pytest.raises(ValueError, match="resamples hold one class only"):
        threshold_interval(
            y,
            score,
            smooth=True,
            n_resamples=50,
            random_state=Stubborn(np.random.PCG64(0)),
        )
