"""Two thresholds: against brute force, promises, capacity, guarantees, intervals, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import binom

from rocviz import RankedSegments
from rocviz.core.practice import ReferralPolicy, referral_policy
from rocviz.core.practice.referral import MEASURES, ZONES
from rocviz.core.roc import binomial_interval, predictive_values
from rocviz.core.roc.fixed_sequence import fixed_sequence, walk_starts

WORKED = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])


@st.composite
def rankings(draw):
    """Segments with ties and weights, both classes among them."""
    size = draw(st.integers(1, 7))
    count = st.integers(0, 4)
    table = np.array(draw(st.lists(st.tuples(count, count), min_size=size, max_size=size)), float)
    table *= draw(st.sampled_from([1.0, 0.3]))
    table[table.sum(axis=1) == 0] = 1.0
    table[0] += [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]][draw(st.integers(0, 2))]
    table[-1, table.sum(axis=0) == 0] = 1.0
    return RankedSegments(np.arange(size)[::-1], *table.T)


COSTS = st.sampled_from([0.0, 0.1, 0.5, 1.0, 1.5, 7.0])
PRICES = st.sampled_from([0.0, 0.01, 0.1, 0.25, 0.5, 0.51, 2.0])
PREVALENCES = st.sampled_from([None, 0.01, 0.3, 0.5, 0.9])


def pairs(segments, cost_fp, cost_fn, cost_referral, prevalence):
    """Compute the cost of every pair of thresholds, and the share it refers."""
    pi = segments.prevalence if prevalence is None else prevalence
    rows = []
    for upper in range(len(segments) + 1):
        for lower in range(upper, len(segments) + 1):
            referred = pi * (segments.tpr[lower] - segments.tpr[upper])
            referred += (1 - pi) * (segments.fpr[lower] - segments.fpr[upper])
            cost = cost_fn * pi * (1 - segments.tpr[lower])
            cost += cost_fp * (1 - pi) * segments.fpr[upper] + cost_referral * referred
            rows.append((cost, referred, upper, lower))
    return np.array(rows)


@given(rankings(), COSTS, COSTS, PRICES, PREVALENCES)
@example(WORKED, 1.0, 1.0, 0.2, None)
def test_no_pair_of_thresholds_costs_less(segments, cost_fp, cost_fn, price, prevalence):
    cost_fn = cost_fn or 1.0
    policy = referral_policy(
        segments,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        cost_referral=price,
        prevalence=prevalence,
    )
    table = pairs(segments, cost_fp, cost_fn, price, prevalence)
    assert policy.cost == pytest.approx(table[:, 0].min(), rel=1e-12, abs=1e-14)
    # the cost is that of the thresholds themselves
    scores, pos, neg = segments.score, segments.pos, segments.neg
    zone = policy.zone(scores)
    for k, name in enumerate(ZONES):
        assert policy.n_pos[k] == pytest.approx(pos[zone == name].sum())
        assert policy.n_neg[k] == pytest.approx(neg[zone == name].sum())
    # of pairs that cost the same, it is one that refers fewest
    least = table[table[:, 0] <= policy.cost * (1 + 1e-12) + 1e-15, 1].min()
    assert policy.share_referred == pytest.approx(least, abs=1e-9)
    assert policy.lower_threshold <= policy.upper_threshold
    assert policy.saving >= -1e-12
    if price > policy.break_even_price:
        assert not policy.is_referring
        assert policy.lower_threshold == policy.upper_threshold == policy.threshold_without
        assert "more than" in policy.reasons[0]


def test_thresholds_of_calibrated_probabilities():
    # each probability p has p of its samples positive: thresholds are c_R / c_FN, 1 - c_R / c_FP
    p = np.arange(1, 100) / 100
    segments = RankedSegments(p[::-1], (100 * p)[::-1], (100 - 100 * p)[::-1])
    policy = referral_policy(segments, cost_fp=2, cost_fn=5, cost_referral=0.655)
    assert policy.lower_threshold == pytest.approx(0.14)  # 0.131
    assert policy.upper_threshold == pytest.approx(0.68)  # 0.6725
    assert policy.break_even_price == pytest.approx(10 / 7)
    assert policy.price == 0.655


def test_the_ends_do_not_depend_on_each_other():
    rng = np.random.default_rng(1)
    y = rng.random(400) < 0.4
    score = y + rng.normal(size=400)
    low = {referral_policy(y, score, cost_fp=c, cost_referral=0.2).lower_threshold for c in (1, 3)}
    high = {referral_policy(y, score, cost_fn=c, cost_referral=0.2).upper_threshold for c in (1, 3)}
    assert len(low) == len(high) == 1


@given(rankings(), st.sampled_from([0.0, 0.05, 0.3, 0.5, 0.8, 1.0]), PREVALENCES, PRICES)
def test_a_capacity_is_used_at_the_lowest_cost(segments, share, prevalence, price):
    policy = referral_policy(
        segments,
        cost_fn=2.0,
        max_referred=share,
        prevalence=prevalence,
        cost_referral=price or None,
    )
    table = pairs(segments, 1.0, 2.0, price, prevalence)
    # a mixture of pairs of thresholds: a linear program
    best = linprog(
        table[:, 0],
        A_ub=[table[:, 1]],
        b_ub=[share],
        A_eq=[np.ones(len(table))],
        b_eq=[1.0],
    )
    assert policy.share_referred <= share + 1e-9
    assert policy.cost == pytest.approx(best.fun, abs=1e-9)
    if policy.draw is not None:
        assert 0 < policy.draw.share < 1
        assert "drawn at random" in policy.reasons[0]


def test_a_draw_refers_its_share():
    policy = referral_policy(WORKED, max_referred=0.1)
    draw = policy.draw
    assert (draw.lower, draw.upper, draw.otherwise) == (2.0, 3.0, "rule_in")
    assert draw.share == pytest.approx(0.1 / 0.25)
    assert policy.price == pytest.approx(0.4)  # two of five are negative
    scores = np.repeat([1.0, 2.0, 3.0], 4000)
    zone = policy.zone(scores, random_state=0)
    assert (zone[:4000] == "rule_out").all()
    assert (zone[8000:] == "rule_in").all()
    assert (zone[4000:8000] == "refer").mean() == pytest.approx(draw.share, abs=0.03)
    assert (zone == policy.zone(scores, random_state=0)).all()
    low = referral_policy(WORKED, max_referred=0.1, cost_fp=2).draw
    assert low.otherwise == "rule_out"


@given(
    rankings(),
    st.sampled_from(["npv", "sensitivity", None]),
    st.sampled_from(["ppv", "specificity", None]),
    st.sampled_from([0.3, 0.6, 0.9, 0.99]),
    PREVALENCES,
)
def test_promises_are_kept_by_the_largest_zones(segments, out, into, share, prevalence):
    names = [name for name in (out, into) if name is not None]
    if not names:
        return
    promises = dict.fromkeys(names, share)
    policy = referral_policy(segments, prevalence=prevalence, **promises)
    for name in names:
        value = getattr(policy, name)
        assert np.isnan(value) or value >= share - 1e-9
    assert np.isnan(policy.price)
    # brute force over pairs: no pair that keeps the promises refers fewer
    pi = policy.prevalence
    kept = []
    for _, referred, upper, lower in pairs(segments, 1, 1, 0, prevalence):
        u = int(upper)
        below = int(lower)
        zone_out = (pi * segments.fnr[below], (1 - pi) * segments.tnr[below])
        zone_in = (pi * segments.tpr[u], (1 - pi) * segments.fpr[u])
        values = {
            "npv": zone_out[1] / sum(zone_out) if sum(zone_out) > 0 else 1.0,
            "sensitivity": segments.tpr[below],
            "ppv": zone_in[0] / sum(zone_in) if sum(zone_in) > 0 else 1.0,
            "specificity": segments.tnr[u],
        }
        is_kept = all(values[name] >= share - 1e-12 for name in names)
        is_empty = (out is not None or below == len(segments)) and (into is not None or u == 0)
        if is_kept and is_empty:
            kept.append(referred)
    assert policy.share_referred == pytest.approx(min(kept), abs=1e-9)


def test_a_promise_that_cannot_be_kept_is_named_with_the_best_there_is():
    policy = referral_policy(WORKED, npv=0.99, ppv=0.9)
    assert policy.shares.tolist() == [0, 1, 0]
    assert (policy.lower_threshold, policy.upper_threshold) == (-np.inf, np.inf)
    assert policy.reasons == (
        "No threshold keeps npv=0.99: the best zone, below 2, has 0.875; nobody is ruled out.",
        "No threshold keeps ppv=0.9: the best zone, from 3 on, has 0.8571; nobody is ruled in.",
    )
    assert np.isnan(policy.npv)
    assert np.isnan(policy.ppv)
    assert policy.zone([-5.0, 9.0]).tolist() == ["refer", "refer"]
    missed = referral_policy(WORKED, sensitivity=0.95).reasons[0]
    assert missed.startswith("No threshold keeps sensitivity=0.95: the best zone, below 2, has 0.9")


def test_zones_that_overlap_refer_nobody():
    policy = referral_policy(WORKED, npv=0.6, ppv=0.6)
    assert not policy.is_referring
    assert policy.npv >= 0.6
    assert policy.ppv >= 0.6
    assert "overlap" in policy.reasons[0]


def test_a_guarantee_asks_for_more_than_the_estimate():
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.2
    score = 2 * y + rng.normal(size=2000)
    here = referral_policy(y, score, npv=0.97, ppv=0.8, sensitivity=0.9, specificity=0.9)
    sure = referral_policy(
        y, score, npv=0.97, ppv=0.8, sensitivity=0.9, specificity=0.9, guarantee=0.95
    )
    assert sure.lower_threshold < here.lower_threshold
    assert sure.upper_threshold > here.upper_threshold
    assert sure.guarantee == 0.95
    few = referral_policy(y[:30], score[:30], npv=0.97, ppv=0.9, guarantee=0.95)
    assert few.shares.tolist() == [0, 1, 0]
    assert "with a guarantee of 95 %" in few.reasons[0]
    assert "nobody is ruled in" in few.reasons[1]


@pytest.mark.parametrize("name", ["npv", "ppv", "sensitivity", "specificity"])
def test_the_guarantee_holds_in_simulations(name):
    # normal scores of unit variance at 0 and 1.5; the truth is known for every threshold
    from scipy.stats import norm

    rng = np.random.default_rng(7)
    pi = 0.3
    n_sets = 300
    promised = {"npv": 0.9, "ppv": 0.7, "sensitivity": 0.9, "specificity": 0.9}[name]
    broken = found = 0
    for _ in range(n_sets):
        y = rng.random(400) < pi
        score = 1.5 * y + rng.normal(size=400)
        policy = referral_policy(y, score, guarantee=0.9, **{name: promised})
        is_out = name in ("npv", "sensitivity")
        t = policy.lower_threshold if is_out else policy.upper_threshold
        if not np.isfinite(t):
            continue
        found += 1
        tpr, fpr = norm.sf(t - 1.5), norm.sf(t)
        truth = {
            "npv": (1 - pi) * (1 - fpr) / ((1 - pi) * (1 - fpr) + pi * (1 - tpr)),
            "ppv": pi * tpr / (pi * tpr + (1 - pi) * fpr),
            "sensitivity": tpr,
            "specificity": 1 - fpr,
        }[name]
        broken += truth < promised
    assert found > n_sets / 3
    # at most 10 % of the data sets, and chance of the simulation
    assert broken <= binom.ppf(0.999, n_sets, 0.1)


def test_walks_begin_by_size_alone():
    trials = np.arange(1.0, 501)
    starts = walk_starts(trials, 0.95, 0.95)
    assert trials[starts[0]] == 90  # .95 ** 90 is just below .05 / 5
    assert len(starts) == 5
    assert walk_starts(trials[:70], 0.95, 0.95).tolist() == [58]
    assert walk_starts(trials[:50], 0.95, 0.95).size == 0
    assert not fixed_sequence(trials, trials, 0.95, 0.95, starts[:0]).any()


def test_intervals_hold_the_value_and_follow_clusters():
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.4
    score = y + rng.normal(size=300)
    options = {"cost_referral": 0.2, "n_resamples": 100, "random_state": 0}
    policy = referral_policy(y, score, **options)
    frame = policy.measures_to_frame()
    assert frame.index.tolist() == list(MEASURES)
    assert (frame["lower"] <= frame["upper"]).all()
    lower, upper = policy.intervals["cost"]
    assert f"cost {policy.cost:.4g} ({lower:.4g} to {upper:.4g})" in policy._repr_html_()
    twice = np.tile(np.arange(300), 2)
    doubled = referral_policy(np.tile(y, 2), np.tile(score, 2), clusters=twice, **options)
    assert doubled.lower_threshold == policy.lower_threshold
    for name in MEASURES:
        assert doubled.intervals[name] == pytest.approx(policy.intervals[name], rel=0.02, abs=1e-3)
    # resamples that agree show no spread, but few samples do not show that nobody is ever wrong
    perfect = referral_policy([0] * 20 + [1] * 20, np.arange(40), **options)
    assert perfect.share_referred == 0
    for name, n in {"share_referred": 40, "sensitivity": 20, "specificity": 20}.items():
        lower, upper = perfect.intervals[name]
        wilson = binomial_interval(getattr(perfect, name) * n, n)
        assert lower <= wilson[0] + 1e-12
        assert upper >= wilson[1] - 1e-12
    # the choice on the same data flatters: corrected numbers are worse
    assert policy.corrected["cost"] > policy.cost
    assert frame.loc["cost", "corrected"] == policy.corrected["cost"]
    drawn = referral_policy(y, score, max_referred=0.1, n_resamples=50)
    lower, upper = drawn.intervals["share_referred"]
    assert lower < 0.1 < upper


@pytest.mark.slow  # a simulation
def test_intervals_are_about_the_thresholds_that_were_chosen():
    # percentiles of resamples cover the true cost in half of these data sets
    from scipy.stats import norm

    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(60):
        y = rng.random(300) < 0.3
        score = 1.5 * y + rng.normal(size=300)
        policy = referral_policy(
            y, score, cost_fn=3, cost_referral=0.25, n_resamples=100, random_state=rng
        )
        lower = policy.lower_threshold
        upper = policy.upper_threshold
        referred = 0.3 * (norm.sf(lower - 1.5) - norm.sf(upper - 1.5))
        referred += 0.7 * (norm.sf(lower) - norm.sf(upper))
        truth = 3 * 0.3 * norm.cdf(lower - 1.5) + 0.7 * norm.sf(upper) + 0.25 * referred
        low, high = policy.intervals["cost"]
        covered += low <= truth <= high
    assert covered >= 48


def test_results_are_short_and_tables_have_one_row_a_zone():
    policy = referral_policy(WORKED, cost_referral=0.2)
    assert repr(policy) == (
        "<ReferralPolicy: refer from 2 to below 3;\n"
        "    ruled out, referred, ruled in: 40 %, 25 %, 35 %>"
    )
    table = policy.to_frame().set_index("zone")
    assert table.loc["rule_out", "n"] == 8
    assert table.loc["rule_out", "error_rate"] == pytest.approx(1 / 8)
    assert table.loc["rule_in", "error_rate"] == pytest.approx(1 / 7)
    assert np.isnan(table.loc["refer", "error_rate"])
    assert table["share_pos"].sum() == pytest.approx(1)
    one = referral_policy(WORKED, cost_referral=0.6)
    assert "one threshold, 2" in repr(one)
    assert "more than the 0.5" in one._repr_html_()
    uncertain = referral_policy(WORKED, cost_referral=0.45).reasons[0]
    assert "no scores here are uncertain enough" in uncertain
    assert isinstance(policy, ReferralPolicy)


BAD = {
    "nothing wanted": ({}, "One of cost_referral, max_referred"),
    "two ways": ({"npv": 0.9, "max_referred": 0.1}, "max_referred cannot be combined with npv"),
    "free answers": ({"cost_fp": 0, "cost_fn": 0, "cost_referral": 0}, "both zero"),
    "guarantee of nothing": ({"cost_referral": 0.1, "guarantee": 0.9}, "guarantee needs a promise"),
    "guarantee elsewhere": (
        {"npv": 0.9, "guarantee": 0.9, "prevalence": 0.1},
        "another prevalence",
    ),
    "guarantee of clusters": ({"npv": 0.9, "guarantee": 0.9, "clusters": [1]}, "clusters"),
    "clusters of segments": ({"npv": 0.9, "clusters": [1]}, "clusters can only be given with"),
    "resamples of segments": ({"npv": 0.9, "n_resamples": 50}, "n_resamples can only be given"),
    "negative price": ({"cost_referral": -1}, "cost_referral must be at least 0"),
    "certain promise": ({"npv": 1.0}, "npv must be strictly between 0 and 1"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    arguments, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        referral_policy(WORKED, **arguments)


def test_weights_that_are_no_counts_have_no_guarantee():
    with pytest.raises(ValueError, match="whole numbers"):
        referral_policy([0, 1], [1, 2], sample_weight=[0.5, 1.5], npv=0.5, guarantee=0.9)


# ---------------------------------------------------------------------- given thresholds


@given(rankings(), COSTS, PRICES, PREVALENCES, st.data())
def test_given_thresholds_cost_what_their_zones_do(segments, cost_fn, price, prevalence, data):
    ends = st.sampled_from([-np.inf, *segments.score, *(segments.score - 0.5), np.inf])
    thresholds = tuple(sorted((data.draw(ends), data.draw(ends))))
    costs = {"cost_fn": cost_fn, "cost_referral": price, "prevalence": prevalence}
    policy = referral_policy(segments, thresholds=thresholds, **costs)
    assert (policy.lower_threshold, policy.upper_threshold) == thresholds
    zone = policy.zone(segments.score)
    totals = []
    for k, name in enumerate(ZONES):
        totals.append((segments.pos[zone == name].sum(), segments.neg[zone == name].sum()))
        assert (policy.n_pos[k], policy.n_neg[k]) == pytest.approx(totals[k])
    pi = segments.prevalence if prevalence is None else prevalence
    (missed, _), (pos, neg), (_, alarms) = totals
    share_pos, share_neg = pi / segments.n_pos, (1 - pi) / segments.n_neg
    cost = cost_fn * missed * share_pos + alarms * share_neg
    cost += price * (pos * share_pos + neg * share_neg)
    assert policy.cost == pytest.approx(cost, abs=1e-12)
    best = referral_policy(segments, **costs)
    assert policy.cost >= best.cost - 1e-12
    assert policy.cost_without == best.cost_without
    chosen = best.lower_threshold, best.upper_threshold
    assert referral_policy(segments, thresholds=chosen, **costs).cost == pytest.approx(best.cost)


def test_given_thresholds_stay_in_resamples():
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.4
    score = y + rng.normal(size=200)
    policy = referral_policy(y, score, thresholds=(0.0, 1.0), cost_referral=0.1, n_resamples=100)
    low, high = policy.intervals["share_referred"]
    assert low < policy.share_referred < high
    assert np.isnan(policy.price)
    # they were not chosen here, so nothing is to be corrected but the single threshold's cost
    for name in ("share_referred", "sensitivity", "specificity", "npv", "ppv", "cost"):
        assert policy.corrected[name] == getattr(policy, name)
    n = policy.n_pos[2] + policy.n_neg[2]
    assert list(policy.intervals["ppv"]) == pytest.approx(
        np.ravel(binomial_interval(policy.n_pos[2], n)).tolist()
    )
    n = policy.n_pos[0] + policy.n_neg[0]
    assert list(policy.intervals["npv"]) == pytest.approx(
        np.ravel(binomial_interval(policy.n_neg[0], n)).tolist()
    )


def test_zones_without_samples_have_no_interval():
    y = [0] * 20 + [1] * 20
    options = {"cost_referral": 0.1, "n_resamples": 50}
    nobody = referral_policy(y, np.arange(40), thresholds=(-np.inf, np.inf), **options)
    assert not {"npv", "ppv"} & set(nobody.intervals)
    assert nobody.intervals["sensitivity"] == pytest.approx((0.8389, 1), abs=1e-4)
    # one threshold separates all resamples: what is saved shows no spread
    perfect = referral_policy(y, y, thresholds=(1, 1), **options)
    assert perfect.saving == 0
    assert "saving" not in perfect.intervals
    assert perfect.intervals["cost"][1] > 0.05


def test_predictive_values_at_a_stated_prevalence_have_its_intervals():
    rng = np.random.default_rng(1)
    y = rng.random(300) < 0.4
    score = y + rng.normal(size=300)
    options = {"thresholds": (-1.0, 2.0), "cost_fn": 4.0, "n_resamples": 50}
    policy = referral_policy(y, score, prevalence=0.1, **options)
    below = RankedSegments.from_scores(y, score).at_threshold(-1.0)
    above = RankedSegments.from_scores(y, score).at_threshold(2.0)
    out = predictive_values(below, prevalence=0.1)
    into = predictive_values(above, prevalence=0.1)
    assert policy.intervals["npv"] == pytest.approx((out.npv_lower, out.npv_upper))
    assert policy.intervals["ppv"] == pytest.approx((into.ppv_lower, into.ppv_upper))
    lower, upper = policy.intervals["cost"]
    assert 0 <= lower < policy.cost < upper
    # no negative is ruled in: the odds have no upper end
    certain = referral_policy(y, score, prevalence=0.1, **{**options, "thresholds": (-1.0, 2.6)})
    assert certain.ppv == 1
    assert certain.intervals["ppv"][1] == 1
    assert certain.intervals["ppv"][0] < 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"thresholds": (0.4, 0.2)}, "thresholds must be two numbers, the lower one first"),
        ({"thresholds": (0.4, np.nan)}, "thresholds must be two numbers, the lower one first"),
        ({"thresholds": 0.4}, "thresholds must be two numbers, the lower one first"),
        ({"thresholds": (0, 1), "npv": 0.9}, "cannot be combined with npv, which"),
        (
            {"thresholds": (0, 1), "ppv": 0.9, "specificity": 0.9},
            "cannot be combined with ppv and specificity, which",
        ),
        ({"thresholds": (0, 1), "max_referred": 0.9}, "cannot be combined with max_referred"),
    ],
)
def test_thresholds_that_cannot_be_judged_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        referral_policy(WORKED, **arguments)
