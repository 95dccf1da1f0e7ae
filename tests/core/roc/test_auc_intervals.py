"""AUC intervals: variances against their definitions, and the promises of each method."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import norm

from rocviz.core.base.progress import SimulationStopped
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_intervals import METHODS, auc_interval, auc_spread
from rocviz.core.roc.auc_variance import bootstrap, hanley_mcneil_variance, resampled_aucs
from rocviz.core.roc.segments import RankedSegments

QUICK_METHODS = [method for method in METHODS if method != "bootstrap"]
METHODS_OF_FRACTIONAL_WEIGHTS = ["widened-delong", "logit-delong", "delong", "hanley-mcneil"]


def data(n=80, seed=0, decimals=1, prevalence=0.4):
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) < prevalence * n
    return y, (rng.normal(size=n) + 1.2 * y).round(decimals)


def by_pairs(y, score, weight=None):
    """AUC and DeLong's variance from the matrix of all pairs."""
    weight = np.ones(y.size) if weight is None else weight
    w_pos = weight[y]
    w_neg = weight[~y]
    psi = np.heaviside(score[y][:, None] - score[~y], 0.5)
    n_pos = w_pos.sum()
    n_neg = w_neg.sum()
    auc = w_pos @ psi @ w_neg / n_pos / n_neg
    rows = psi @ w_neg / n_neg
    columns = w_pos @ psi / n_pos
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = w_pos @ (rows - auc) ** 2 / (n_pos - 1) / n_pos
        return auc, variance + w_neg @ (columns - auc) ** 2 / (n_neg - 1) / n_neg


def ends(interval):
    return interval.lower, interval.upper


rankings = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=25).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)


@given(rankings, st.lists(st.sampled_from([1.0, 0.75, 2.5]), min_size=25, max_size=25))
def test_delong_is_the_variance_over_all_pairs(rows, weights):
    y = np.array([row[0] for row in rows])
    score = np.array([row[1] for row in rows])
    weight = np.array(weights[: y.size])
    if min(weight[y].sum(), weight[~y].sum()) < 1:
        return
    interval = auc_interval(y, score, method="delong", sample_weight=weight)
    auc, variance = by_pairs(y, score, weight)
    assert interval.auc == pytest.approx(auc, abs=1e-14)
    if interval.is_fallback:
        assert min(weight[y].sum(), weight[~y].sum()) == 1 or variance < 1e-30
    else:
        assert interval.standard_error**2 == pytest.approx(variance, rel=1e-10)


@given(rankings)
def test_every_interval_is_ordered_and_within_0_and_1(rows):
    y = np.array([row[0] for row in rows])
    score = np.array([row[1] for row in rows])
    for method in METHODS:
        interval = auc_interval(y, score, method=method, n_resamples=50, random_state=0)
        assert 0 <= interval.lower < interval.upper <= 1
        assert interval.method == method
        if method != "bootstrap":
            assert interval.lower <= interval.auc + 1e-15
            assert interval.auc <= interval.upper + 1e-15
        assert np.isnan(interval.standard_error) == interval.is_fallback


@pytest.mark.parametrize("method", METHODS)
def test_whole_weights_are_repetitions(method):
    y, score = data()
    times = np.random.default_rng(0).integers(0, 4, y.size)
    once = auc_interval(y, score, method=method, sample_weight=times, random_state=0)
    again = auc_interval(
        np.repeat(y, times), np.repeat(score, times), method=method, random_state=0
    )
    assert once == again


def test_delong_and_its_logit():
    y, score = data(200)
    plain = auc_interval(y, score, method="delong", confidence=0.9)
    auc, variance = by_pairs(y, score)
    z = norm.ppf(0.95)
    error = np.sqrt(variance)
    assert ends(plain) == pytest.approx((auc - z * error, auc + z * error), rel=1e-12)
    bent = auc_interval(y, score, method="logit-delong", confidence=0.9)
    assert bent.method == "logit-delong"
    assert bent.standard_error == plain.standard_error
    half = z * error / auc / (1 - auc)
    assert ends(bent) == pytest.approx((expit(logit(auc) - half), expit(logit(auc) + half)))
    assert bent.confidence == 0.9
    wide = auc_interval(y, score, method="logit-delong", confidence=0.99)
    assert wide.lower < bent.lower < bent.upper < wide.upper


def score_interval(auc, n_pos, n_neg, z):
    """Newcombe's interval: where his variance, written as in the paper, allows for the AUC."""

    def variance(theta):
        theta = max(theta, 1 - theta)
        both = theta * (1 - theta)
        mean = (n_pos + n_neg) / 2 - 1
        above = both * (1 - theta) / (2 - theta)
        below = both * theta / (1 + theta)
        return (both + mean * (above + below)) / n_pos / n_neg

    def beyond(theta):
        return abs(auc - theta) - z * np.sqrt(variance(theta))

    return brentq(beyond, 1e-9, auc), brentq(beyond, auc, 1 - 1e-9)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(
    ("n_pos", "n_neg", "separation"), [(10, 190, 2.4), (190, 10, 2.4), (8, 9, 0)]
)
def test_few_errors_of_the_smaller_class_widen_the_default(n_pos, n_neg, separation, confidence):
    y = np.arange(n_pos + n_neg) < n_pos
    score = np.random.default_rng(8).normal(size=y.size) + separation * y
    interval = auc_interval(y, score, confidence=confidence)
    alone = auc_interval(y, score, method="logit-delong", confidence=confidence)
    low, high = score_interval(interval.auc, n_pos, n_neg, norm.ppf(0.5 + confidence / 2))
    assert interval.method == "widened-delong"
    assert interval.is_widened
    assert not interval.is_fallback
    assert ends(interval) == pytest.approx(
        (min(low, alone.lower), max(high, alone.upper)), rel=1e-9
    )
    assert interval.standard_error == alone.standard_error


def test_with_enough_errors_of_the_smaller_class_the_default_is_logit_delong():
    y, score = data(200)
    interval = auc_interval(y, score)
    assert not interval.is_widened
    assert ends(interval) == ends(auc_interval(y, score, method="logit-delong"))
    # 20 positives with an AUC of 0.75 show five errors, with more they show fewer
    y = np.arange(120) < 20
    enough = np.r_[np.full(15, 2.0), np.zeros(5), np.full(100, 1.0)]
    assert not auc_interval(y, enough).is_widened
    fewer = np.r_[np.full(16, 2.0), np.zeros(4), np.full(100, 1.0)]
    assert auc_interval(y, fewer).is_widened


@pytest.mark.parametrize(("n_pos", "n_neg", "auc"), [(10, 190, 0.95), (50, 950, 0.99)])
def test_the_default_covers_where_one_class_is_rare(n_pos, n_neg, auc):
    # exponential scores: DeLong's interval on the scale of log odds covers 74 to 78 % of them
    rng = np.random.default_rng(5)
    y = np.arange(n_pos + n_neg) < n_pos
    odds = auc / (1 - auc)
    n_covered = {"widened-delong": 0, "logit-delong": 0}
    for _ in range(200):
        # a positive has a smaller delay than a negative with these odds
        score = -rng.exponential(size=y.size) * np.where(y, 1, odds)
        for method in n_covered:
            interval = auc_interval(y, score, method=method)
            n_covered[method] += interval.lower <= auc <= interval.upper
    assert n_covered["widened-delong"] >= 0.9 * 200
    assert n_covered["logit-delong"] < n_covered["widened-delong"]


def test_hanley_and_mcneil():
    y, score = data(120)
    interval = auc_interval(y, score, method="hanley-mcneil")
    a = interval.auc
    n_pos = y.sum()
    n_neg = (~y).sum()
    q1 = a / (2 - a)
    q2 = 2 * a**2 / (1 + a)
    variance = a * (1 - a) + (n_pos - 1) * (q1 - a**2) + (n_neg - 1) * (q2 - a**2)
    assert interval.standard_error**2 == pytest.approx(variance / n_pos / n_neg)
    # the example of their paper: 51 abnormal and 58 normal images, area .893
    assert np.sqrt(hanley_mcneil_variance(0.893, 0.107, 51, 58)) == pytest.approx(0.032, abs=6e-4)


@pytest.mark.parametrize("flip", [False, True])
def test_fermi_dirac_is_the_model_s_variance(flip):
    y, score = data(60, decimals=2)
    interval = auc_interval(y, -score if flip else score, method="fermi-dirac")
    model = FermiDirac.from_auc(interval.auc, int(y.sum()), int((~y).sum()))
    assert interval.standard_error**2 == pytest.approx(model.auc_variance(), rel=1e-9)
    z = norm.ppf(0.975)
    assert ends(interval) == pytest.approx(
        (interval.auc - z * interval.standard_error, interval.auc + z * interval.standard_error)
    )


@pytest.mark.parametrize("long", [0, 5])  # samples are drawn themselves, or counts of segments
def test_the_bootstrap_draws_every_resample_equally_often(monkeypatch, long):
    monkeypatch.setattr("rocviz.core.base.resamples._MIN_CELLS_OF_SINGLE_DRAWS", long)
    # + - + - from the top; of 16 resamples the pairs of draws give these areas
    pos = np.array([1.0, 0, 1, 0])
    neg = np.array([0.0, 1, 0, 1])
    score = {"p": (4, 2), "n": (3, 1)}
    expected = {}
    for i in range(16):
        p = [score["p"][i & 1], score["p"][i >> 1 & 1]]
        n = [score["n"][i >> 2 & 1], score["n"][i >> 3 & 1]]
        auc = np.greater.outer(p, n).mean()
        expected[auc] = expected.get(auc, 0) + 1 / 16
    drawn = bootstrap(resampled_aucs, pos, neg, 16000, np.random.default_rng(0))
    values, counts = np.unique(drawn, return_counts=True)
    assert values.tolist() == sorted(expected)
    for value, count in zip(values, counts, strict=True):
        share = expected[value]
        assert count / 16000 == pytest.approx(share, abs=4 * np.sqrt(share / 16000))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (1, 30), (30, 1), (8, 12), (40, 3)])
def test_perfect_rankings(method, n_pos, n_neg):
    y = np.arange(n_pos + n_neg) >= n_neg
    m = min(n_pos, n_neg)
    best = auc_interval(y, np.arange(y.size), method=method, confidence=0.9)
    assert best.is_fallback
    assert best.auc == best.upper == 1
    # as many disjoint pairs, every one ranked right, are this improbable below the bound
    assert best.lower**m == pytest.approx(0.05)
    worst = auc_interval(y, -np.arange(y.size), method=method, confidence=0.9)
    assert worst.auc == worst.lower == 0
    assert worst.upper == pytest.approx(1 - best.lower)


@pytest.mark.parametrize("method", ["widened-delong", "delong", "logit-delong", "fermi-dirac"])
def test_reversing_scores_or_labels_mirrors_the_interval(method):
    y, score = data(90, seed=4)
    there = auc_interval(y, score, method=method)
    for back in (auc_interval(y, -score, method=method), auc_interval(~y, score, method=method)):
        assert back.auc == pytest.approx(1 - there.auc)
        assert back.standard_error == pytest.approx(there.standard_error)
        assert ends(back) == pytest.approx((1 - there.upper, 1 - there.lower))
    both = auc_interval(y, -score, method=method, pos_label=False)
    assert ends(both) == pytest.approx(ends(there))


@pytest.mark.parametrize("method", METHODS)
def test_only_the_ranking_matters(method):
    y, score = data()
    interval = auc_interval(y, score, method=method, random_state=0)
    assert auc_interval(y, np.exp(score), method=method, random_state=0) == interval
    names = np.where(y, "ill", "well")
    named = auc_interval(names, score, method=method, pos_label="ill", random_state=0)
    assert named == interval
    segments = RankedSegments.from_scores(y, score)
    assert auc_interval(segments, method=method, random_state=0) == interval
    spread = auc_spread(segments.pos, segments.neg, method=method, random_state=0)
    assert spread.interval() == interval
    wider = auc_interval(y, score, method=method, confidence=0.99, random_state=0)
    assert spread.interval(0.99) == wider


def test_a_bootstrap_can_be_stopped():
    segments = RankedSegments.from_scores(*data())
    with pytest.raises(SimulationStopped, match="bootstrap was stopped"):
        auc_spread(segments.pos, segments.neg, method="bootstrap", should_stop=lambda: True)


@pytest.mark.parametrize("method", QUICK_METHODS)
def test_an_interval_with_one_reversed_pair(method):
    n = 3000
    y = np.arange(2 * n) >= n
    score = np.arange(2 * n)
    score[[n - 1, n]] = score[[n, n - 1]]
    interval = auc_interval(y, score, method=method)
    assert 1 - interval.auc == pytest.approx(1 / n**2, rel=1e-6)
    assert not interval.is_fallback
    assert interval.lower < interval.auc <= interval.upper <= 1
    if method == "logit-delong":
        assert interval.upper < 1
        assert (1 - interval.upper) * (1 - interval.lower) == pytest.approx(1 / n**4, rel=1e-4)


def test_weights_must_be_numbers_of_samples():
    y, score = data(20)
    share = np.full(20, 1 / 20)
    for method in METHODS_OF_FRACTIONAL_WEIGHTS:
        with pytest.raises(ValueError, match=r"must sum to at least 1 in each class.*got 0\.4"):
            auc_interval(y, score, method=method, sample_weight=share)
        auc_interval(y, score, method=method, sample_weight=30 * share)
    for method in set(METHODS) - set(METHODS_OF_FRACTIONAL_WEIGHTS):
        with pytest.raises(ValueError, match=f"must be whole numbers for method='{method}'"):
            auc_interval(y, score, method=method, sample_weight=30 * share)


def test_weights_count_repetitions_up_to_what_floats_count():
    many = RankedSegments([2, 1], [1e16, 1], [1, 1e16])
    with pytest.raises(ValueError, match=r"^sample_weight must sum to at most 2\*\*53"):
        auc_interval(many)
