"""Limits of a scoring list that keep a promise on new data: zones, coverage, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from rocviz import ScoringList
from rocviz.core.practice import referral_policy
from rocviz.core.roc.fixed_sequence import lower_bounds

FEATURES = [0, 1, 2]
SCORES = [2, -1, 1]


def draw(rng, n):
    """Answers to three questions, and labels that depend on them."""
    X = (rng.random((n, 3)) < [0.3, 0.6, 0.5]).astype(float)
    log_odds = X @ [2.5, -1.5, 1.2] - 2.2
    return X, rng.random(n) < 1 / (1 + np.exp(-log_odds))


RNG = np.random.default_rng(3)
LIST = ScoringList.from_counts(FEATURES, SCORES, *draw(RNG, 2000))
POPULATION = draw(RNG, 200_000)


def ruled(scoring_list, X, **limits):
    """Mark the rows that stop as negative, and those that stop as positive."""
    decisions = scoring_list.decide(X, **limits)
    return (
        decisions.is_confident & ~decisions.positive,
        decisions.is_confident & decisions.positive,
    )


@pytest.mark.parametrize("upper", [None, 0.6])
def test_the_zone_is_that_of_the_rows_that_stop_there(upper):
    X, y = draw(np.random.default_rng(1), 500)
    lower = LIST.guaranteed_limit(X, y, npv=0.85, guarantee=0.9, upper=upper)
    out, _ = ruled(LIST, X, lower=lower, upper=upper)
    assert out.sum() > 59
    # the bound of the zone is above the promise, so its share is
    assert (~y[out]).mean() > 0.85
    # one limit looser, and the zone is larger
    levels = np.unique(np.concatenate([stage.probability for stage in LIST.stages]))
    looser = levels[levels > lower]
    more = [ruled(LIST, X, lower=limit, upper=upper)[0].sum() for limit in looser[:3]]
    assert max(more) > out.sum()


@pytest.mark.parametrize("lower", [None, 0.1])
def test_rule_in_mirrors_rule_out(lower):
    X, y = draw(np.random.default_rng(2), 2000)
    upper = LIST.guaranteed_limit(X, y, ppv=0.5, lower=lower)
    _, into = ruled(LIST, X, lower=lower, upper=upper)
    assert into.any()
    assert y[into].mean() > 0.5
    table = [{-t: 1 - p for t, p in zip(s.totals, s.probability, strict=True)} for s in LIST.stages]
    mirror = ScoringList.from_table([-score for score in SCORES], table, features=FEATURES)
    other = None if lower is None else 1 - lower
    limit = mirror.guaranteed_limit(X, ~y, npv=0.5, upper=other)
    assert limit == pytest.approx(1 - upper)


def test_one_question_is_a_score_with_two_values():
    one = ScoringList.from_table([1], [{0: 0.2}, {0: 0.05, 1: 0.7}])
    X = np.repeat([[0.0], [1.0]], [300, 100], axis=0)
    y = np.repeat([False, True, False, True], [295, 5, 20, 80])
    for share in (0.95, 0.99):
        policy = referral_policy(y, X[:, 0], npv=share, guarantee=0.95)
        limit = one.guaranteed_limit(X, y, npv=share)
        # the score's zone is that of a limit, unless there is none
        assert (limit is None) == (policy.lower_threshold == -np.inf)
    assert one.guaranteed_limit(X, y, npv=0.95) == 0.05


@pytest.mark.parametrize(("promise", "share"), [("npv", 0.9), ("ppv", 0.6)])
def test_the_promise_is_kept_as_often_as_is_guaranteed(promise, share):
    rng = np.random.default_rng(7)
    X_all, y_all = POPULATION
    n_broken = n_found = 0
    n_trials = 300
    known = {}
    for _ in range(n_trials):
        limit = LIST.guaranteed_limit(*draw(rng, 300), **{promise: share}, guarantee=0.8)
        if limit is None:
            continue
        n_found += 1
        if limit not in known:
            side = "lower" if promise == "npv" else "upper"
            out, into = ruled(LIST, X_all, **{side: limit})
            known[limit] = (~y_all[out]).mean() if promise == "npv" else y_all[into].mean()
        n_broken += known[limit] < share
    assert n_found > n_trials / 3
    # three standard errors above a fifth
    assert n_broken <= n_trials * (0.2 + 3 * np.sqrt(0.2 * 0.8 / n_trials))


def test_weights_are_counts_of_samples():
    X, y = draw(np.random.default_rng(4), 400)
    twice = LIST.guaranteed_limit(np.tile(X, (2, 1)), np.tile(y, 2), npv=0.85)
    assert LIST.guaranteed_limit(X, y, npv=0.85, sample_weight=np.full(400, 2.0)) == twice


def test_there_may_be_no_such_limit():
    X, y = draw(np.random.default_rng(5), 50)
    assert LIST.guaranteed_limit(X, y, npv=0.99) is None
    # everybody reaches the other limit before any question
    assert LIST.guaranteed_limit(X, y, npv=0.5, upper=0.0) is None
    assert LIST.guaranteed_limit(X, y, ppv=0.01, lower=1.0) is None


def test_values_after_the_other_limit_are_not_asked_for():
    X, y = draw(np.random.default_rng(6), 400)
    expected = LIST.guaranteed_limit(X, y, npv=0.8, upper=0.35)
    stage = LIST.decide(X, upper=0.35).stage
    for k in range(3):
        X[stage <= k, k] = np.nan
    assert LIST.guaranteed_limit(X, y, npv=0.8, upper=0.35) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "exactly one of npv and ppv must be promised; got none"),
        ({"npv": 0.9, "ppv": 0.9}, "exactly one .* got npv and ppv"),
        ({"npv": 1.0}, "npv must be strictly between 0 and 1"),
        ({"npv": 0.9, "guarantee": 1}, "guarantee must be strictly between 0 and 1"),
        ({"npv": 0.9, "lower": 0.1}, "lower is what npv is promised for"),
        ({"ppv": 0.9, "upper": 0.1}, "upper is what ppv is promised for"),
        ({"npv": 0.9, "upper": 1.1}, "upper must be from 0 to 1"),
        ({"npv": 0.9, "sample_weight": [0.5] * 20}, "sample_weight to be whole numbers"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    X, y = draw(np.random.default_rng(8), 20)
    with pytest.raises(ValueError, match=message):
        LIST.guaranteed_limit(X, y, **arguments)


def test_labels_that_are_words_need_pos_label():
    X, y = draw(np.random.default_rng(9), 400)
    words = np.where(y, "ill", "well")
    with pytest.raises(ValueError, match="pos_label"):
        LIST.guaranteed_limit(X, words, npv=0.8)
    limit = LIST.guaranteed_limit(X, words, npv=0.8, pos_label="ill")
    assert limit == LIST.guaranteed_limit(X, y, npv=0.8)


# ------------------------------------------------------------------ both promises


def kept_counts(scoring_list, X, y, lower, upper):
    """Counts of those ruled out and in, and of the right ones among them."""
    out, into = ruled(scoring_list, X, lower=lower, upper=upper)
    return (~y[out]).sum(), out.sum(), y[into].sum(), into.sum()


def test_both_zones_keep_their_bounds():
    X, y = draw(np.random.default_rng(11), 1500)
    lower, upper = LIST.guaranteed_limits(X, y, npv=0.9, ppv=0.6)
    right_out, n_out, right_in, n_in = kept_counts(LIST, X, y, lower, upper)
    # Clopper and Pearson's bounds, each by itself
    assert lower_bounds(np.array([right_out]), np.array([n_out]), 0.95)[0] >= 0.9
    assert lower_bounds(np.array([right_in]), np.array([n_in]), 0.95)[0] >= 0.6


def test_both_promises_are_kept_as_often_as_is_guaranteed():
    rng = np.random.default_rng(12)
    X_all, y_all = POPULATION
    is_broken = {}
    n_broken = n_found = 0
    n_trials = 150
    for _ in range(n_trials):
        pair = LIST.guaranteed_limits(*draw(rng, 1000), npv=0.9, ppv=0.6, guarantee=0.8)
        n_found += None not in pair
        if pair not in is_broken:
            right_out, n_out, right_in, n_in = kept_counts(LIST, X_all, y_all, *pair)
            is_broken[pair] = right_out < 0.9 * n_out or right_in < 0.6 * n_in
        n_broken += is_broken[pair]
    assert n_found > n_trials / 2
    assert n_broken <= n_trials * (0.2 + 3 * np.sqrt(0.2 * 0.8 / n_trials))


@pytest.mark.parametrize(
    ("promises", "is_none"),
    [
        ({"npv": 0.9, "ppv": 0.99}, (False, True)),
        ({"npv": 0.999, "ppv": 0.6}, (True, False)),
        ({"npv": 0.999, "ppv": 0.99}, (True, True)),
    ],
)
def test_a_promise_that_cannot_be_kept_costs_only_its_own_limit(promises, is_none):
    X, y = draw(np.random.default_rng(13), 1500)
    limits = LIST.guaranteed_limits(X, y, **promises)
    assert tuple(limit is None for limit in limits) == is_none


def test_limits_stay_within_the_loosest_ones():
    X, y = draw(np.random.default_rng(14), 1500)
    loose = LIST.guaranteed_limits(X, y, npv=0.85, ppv=0.5)
    lower, upper = LIST.guaranteed_limits(
        X, y, npv=0.85, ppv=0.5, max_lower=loose[0] - 0.01, min_upper=loose[1] + 0.01
    )
    assert lower < loose[0]
    assert upper > loose[1]
    assert LIST.guaranteed_limits(X, y, npv=0.85, ppv=0.5, max_lower=0.0, min_upper=1.0) == (
        None,
        None,
    )


def test_weights_of_both_are_counts_of_samples():
    X, y = draw(np.random.default_rng(15), 700)
    promises = {"npv": 0.85, "ppv": 0.5}
    twice = LIST.guaranteed_limits(np.tile(X, (2, 1)), np.tile(y, 2), **promises)
    assert LIST.guaranteed_limits(X, y, sample_weight=np.full(700, 2), **promises) == twice
    with pytest.raises(ValueError, match="sample_weight to be whole numbers"):
        LIST.guaranteed_limits(X, y, sample_weight=np.full(700, 0.5), **promises)


@pytest.mark.parametrize("name", ["npv", "ppv", "guarantee", "max_lower", "min_upper"])
def test_shares_of_both_are_checked(name):
    X, y = draw(np.random.default_rng(16), 20)
    with pytest.raises(ValueError, match=f"{name} must be"):
        LIST.guaranteed_limits(X, y, **{"npv": 0.9, "ppv": 0.9, name: 1.5})
