"""Differences of net benefit: sample by sample, in clusters, and how often intervals hold them."""

from itertools import combinations

import numpy as np
import pytest

from rocviz.core.comparison.net_benefit import compare_net_benefit
from rocviz.core.curve_spaces.net_benefit import net_benefit_band

T = np.array([0.1, 0.3, 0.6])


def drawn(n=120, seed=0):
    rng = np.random.default_rng(seed)
    prob = rng.beta(1, 3, n)
    noisy = np.clip(prob + rng.normal(0, 0.15, n), 0, 1)
    return rng.random(n) < prob, {"true": prob, "noisy": noisy}


def by_sample(y, prob, t, prevalence=None):
    """Compute the net benefit of each sample, whose mean it is, (n_samples, n_thresholds)."""
    pi = y.mean() if prevalence is None else prevalence
    value = np.where(y[:, None], pi / y.mean(), -(1 - pi) / (~y).mean() * t / (1 - t))
    return np.where(prob[:, None] >= t, value, 0.0)


def test_differences_are_those_of_each_sample():
    y, scores = drawn()
    comparison = compare_net_benefit(y, scores, T)
    benefits = {name: by_sample(y, prob, T) for name, prob in scores.items()}
    benefits["treat all"] = by_sample(y, np.ones(y.size), T)
    table = comparison.pairs().set_index(["model_a", "model_b"])
    assert len(comparison.pairs()) == 9
    least = (1 + (T / (1 - T)) ** 2) / y.size**2
    for a, b in combinations(benefits, 2):
        gap = benefits[a] - benefits[b]
        rows = table.loc[(a, b)]
        assert rows["difference"].to_numpy() == pytest.approx(gap.mean(axis=0))
        error = np.sqrt(gap.var(axis=0) / y.size + least)
        assert rows["standard_error"].to_numpy() == pytest.approx(error)
        assert (rows["upper"] - rows["lower"]).to_numpy() == pytest.approx(2 * 1.95996398 * error)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_each_model_has_its_own_band(prevalence):
    y, scores = drawn()
    table = compare_net_benefit(y, scores, T, prevalence=prevalence).to_frame()
    for name, prob in scores.items():
        band = net_benefit_band(y, prob, thresholds=T, prevalence=prevalence)
        rows = table[table["model"] == name]
        for column in ("threshold", "net_benefit", "lower", "upper", "standard_error"):
            assert rows[column].to_numpy() == pytest.approx(getattr(band, column)), column


def test_a_known_prevalence_fixes_the_benefit_of_treating_all():
    y, scores = drawn()
    comparison = compare_net_benefit(y, scores, T, prevalence=0.1)
    gap = by_sample(y, scores["true"], T, 0.1) - by_sample(y, scores["noisy"], T, 0.1)
    of_class = [gap[side].var(axis=0) * (side.mean() ** 2) / side.sum() for side in (y, ~y)]
    least = 0.1**2 / y.sum() ** 2 + (0.9 * T / (1 - T)) ** 2 / (~y).sum() ** 2
    assert comparison.difference_error[0, 1] == pytest.approx(np.sqrt(sum(of_class) + least))
    assert comparison.standard_error[2] == pytest.approx(np.sqrt(least))


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_clusters_of_one_are_samples_and_copies_add_nothing(prevalence):
    y, scores = drawn()
    how = {"thresholds": T, "prevalence": prevalence}
    alone = compare_net_benefit(y, scores, **how)
    single = compare_net_benefit(y, scores, clusters=np.arange(y.size), **how)
    assert single.net_benefit == pytest.approx(alone.net_benefit)
    assert single.difference_error == pytest.approx(alone.difference_error, rel=0.005)
    copies = compare_net_benefit(
        np.tile(y, 5),
        {name: np.tile(prob, 5) for name, prob in scores.items()},
        clusters=np.tile(np.arange(y.size), 5),
        **how,
    )
    assert copies.difference_error == pytest.approx(single.difference_error)
    assert copies.standard_error == pytest.approx(single.standard_error)


def test_weights_are_repetitions_and_zero_leaves_out():
    y, scores = drawn()
    weight = np.random.default_rng(1).integers(0, 4, y.size)
    group = np.arange(y.size) // 2
    repeated = {name: np.repeat(prob, weight) for name, prob in scores.items()}
    for clusters in (None, group):
        weighted = compare_net_benefit(y, scores, T, sample_weight=weight, clusters=clusters)
        repeated_clusters = None if clusters is None else np.repeat(clusters, weight)
        plain = compare_net_benefit(np.repeat(y, weight), repeated, T, clusters=repeated_clusters)
        assert weighted.net_benefit == pytest.approx(plain.net_benefit)
        assert weighted.difference_error == pytest.approx(plain.difference_error)


@pytest.mark.parametrize("clusters", [None, np.arange(120) // 2])
def test_models_with_equal_decisions_do_not_differ(clusters):
    y, scores = drawn()
    comparison = compare_net_benefit(
        y, {"one": scores["true"], "same": scores["true"] + 0.0}, T, clusters=clusters
    )
    assert (comparison.difference_error[0, 1] == 0).all()
    assert comparison.pairs()["difference"].iloc[0] == 0


def test_intervals_of_differences_cover_as_stated():
    y, scores = drawn(10**6)
    true = compare_net_benefit(y, scores, T).net_benefit
    n_covered = np.zeros(3)
    for seed in range(1, 201):
        comparison = compare_net_benefit(*drawn(300, seed), T)
        gap = (comparison.net_benefit[0] - comparison.net_benefit[1]) - (true[0] - true[1])
        n_covered += np.abs(gap) <= 1.96 * comparison.difference_error[0, 1]
    # of 200 intervals 190 are expected; 180 or fewer of 95 % happen once in 300 times
    assert n_covered.min() > 180
