"""Summaries by group, differences between groups, and the area between their curves."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import norm, t
from sklearn.metrics import roc_auc_score

from rocviz import RankedSegments, auc_interval
from rocviz.core.groups import abroca, cost_optimal_policy, cross_auc, group_summary


def draw(seed, n=200, groups="abc"):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    g = rng.choice(list(groups), n)
    score = np.clip(0.5 + 0.2 * y + 0.25 * rng.normal(size=n), 0, 1)
    return y, np.round(score, 2), g


def test_a_summary_has_the_numbers_of_each_group_alone():
    y, score, g = draw(0)
    frame = group_summary(y, score, g, threshold=0.6).to_frame().set_index("group")
    for name in "abc":
        own = g == name
        interval = auc_interval(y[own], score[own])
        row = frame.loc[name]
        assert row["auc"] == pytest.approx(roc_auc_score(y[own], score[own]))
        assert (row["auc_lower"], row["auc_upper"]) == (interval.lower, interval.upper)
        assert row["tpr"] == pytest.approx((score[own & (y == 1)] >= 0.6).mean())
        assert row["precision"] == pytest.approx(y[own & (score >= 0.6)].mean())
        assert row["brier"] == pytest.approx(np.mean((score[own] - y[own]) ** 2))
        assert row["calibration_error"] == pytest.approx(np.sqrt(row["miscalibration"]))
        assert row["tpr_lower"] < row["tpr"] < row["tpr_upper"]


def hull_of_groups(groups):
    """Compute both intervals of a difference of AUCs from the matrices of all pairs."""
    aucs = []
    below = []
    above = []
    variances = []
    sizes = []
    for y, score in groups:
        psi = np.heaviside(score[y][:, None] - score[~y], 0.5)
        auc = psi.mean()
        own = np.array([psi.mean(1).var(ddof=1) / y.sum(), psi.mean(0).var(ddof=1) / (~y).sum()])
        n = np.array([y.sum(), (~y).sum()])
        degrees = own.sum() ** 2 / (own**2 / (n - 1)).sum()
        half = t.ppf(0.975, degrees) * np.sqrt(own.sum()) / auc / (1 - auc)
        aucs.append(auc)
        below.append(auc - expit(logit(auc) - half))
        above.append(expit(logit(auc) + half) - auc)
        variances += own.tolist()
        sizes += n.tolist()
    v = np.array(variances)
    degrees = v.sum() ** 2 / (v**2 / (np.array(sizes) - 1)).sum()
    half = t.ppf(0.975, degrees) * np.sqrt(v.sum())
    d = aucs[0] - aucs[1]
    low = min(d - half, d - np.hypot(below[0], above[1]))
    high = max(d + half, d + np.hypot(above[0], below[1]))
    return low, high


def test_perfect_groups_may_differ():
    y = np.arange(24) % 12 >= 6
    table = group_summary(y, np.arange(24) % 12, np.arange(24) // 12).differences()
    auc = table.set_index("quantity").loc["auc"]
    assert auc["difference"] == 0
    # each AUC is at least .025 ** (1 / 6)
    assert (auc["lower"], auc["upper"]) == pytest.approx((0.5407 - 1, 1 - 0.5407), abs=1e-4)


def test_differences_are_those_of_independent_groups():
    y, score, g = draw(1)
    summary = group_summary(y, score, g, threshold={"a": 0.5, "b": 0.6, "c": 0.7})
    table = summary.differences().set_index(["group_a", "group_b", "quantity"])
    row = table.loc[("a", "b", "auc")]
    low, high = hull_of_groups([(y[g == name] == 1, score[g == name]) for name in "ab"])
    assert (row["lower"], row["upper"]) == pytest.approx((low, high), rel=1e-9)
    # all pairs of a quantity are one family
    auc = table.xs("auc", level="quantity").sort_values("p_value")
    corrected = np.maximum.accumulate(auc["p_value"] * np.array([3, 2, 1])).clip(upper=1)
    assert auc["p_holm"].to_numpy() == pytest.approx(corrected.to_numpy())


def test_the_example_of_newcombe():
    # Newcombe (1998), table II, case (a): 56/70 - 48/80, 95 % by method 10: .0524 to .3339
    x = RankedSegments(score=[0.9, 0.1], pos=[56, 14], neg=[30, 40])
    y = RankedSegments(score=[0.9, 0.1], pos=[48, 32], neg=[20, 60])
    table = group_summary({"x": x, "y": y}).differences().set_index("quantity")
    numbers = table.loc["tpr", ["difference", "lower", "upper"]].astype(float)
    assert numbers.round(4).tolist() == [0.2, 0.0524, 0.3339]


def test_small_groups_are_shown_and_not_tested():
    y, score, g = draw(2)
    g[:12] = "t"
    y[:4] = [0, 1, 0, 1]
    summary = group_summary(y, score, g)
    assert not summary.to_frame().set_index("group").loc["t", "tested"]
    table = summary.differences()
    small = (table["group_a"] == "t") | (table["group_b"] == "t")
    assert table.loc[small, ["p_value", "p_holm"]].isna().all(axis=None)
    assert table.loc[small, "difference"].notna().any()
    assert table.loc[~small & (table["quantity"] == "auc"), "p_holm"].notna().all()


def test_a_policy_has_its_own_rates():
    y, score, g = draw(3)
    policy = cost_optimal_policy(y, score, g, criterion="equalized_odds")
    frame = group_summary(y, score, g, threshold=policy).to_frame()
    for _, row in frame.iterrows():
        assert (row["fpr"], row["tpr"]) == pytest.approx(policy.points[row["group"]])


@pytest.mark.slow  # a simulation
def test_p_values_of_equal_groups_are_uniform():
    is_low = []
    for seed in range(100):
        table = group_summary(*draw(seed, groups="ab")).differences()
        is_low.append(table.set_index("quantity")["p_value"] < 0.1)
    shares = np.mean(is_low, axis=0)
    assert (shares < 0.19).all()
    assert (shares > 0.03).all()


def test_undefined_rates_are_not_compared():
    segments = RankedSegments(score=[0.9, 0.1], pos=[20, 10], neg=[10, 20])
    summary = group_summary({"x": segments, "y": segments}, threshold=2.0)
    table = summary.differences().set_index("quantity")
    assert np.isnan(table.loc["precision", "p_value"])
    assert table.loc["tpr", "p_value"] == 1.0
    assert np.isnan(table.loc["tpr", "ratio"])


def test_one_group_whose_scores_are_no_probabilities():
    segments = RankedSegments(score=[3, -1], pos=[20, 10], neg=[10, 20])
    summary = group_summary({"x": segments})
    assert "brier" not in summary.to_frame()
    assert summary.differences().empty


@given(seed=st.integers(0, 10_000))
def test_a_cross_auc_counts_pairs(seed):
    y, score, g = draw(seed, 60, "ab")
    area = cross_auc(y, score, g)
    for (i, a), (j, b) in itertools.product(enumerate("ab"), repeat=2):
        positives = score[(g == a) & (y == 1)]
        negatives = score[(g == b) & (y == 0)]
        signs = np.sign(np.subtract.outer(positives, negatives))
        assert area.auc[i, j] == pytest.approx((signs / 2 + 0.5).mean())
    assert area.to_frame().loc["a", "b"] == area.auc[0, 1]


def test_the_error_of_a_cross_auc_is_that_of_simulations():
    rng = np.random.default_rng(0)
    aucs = []
    errors = []
    for _ in range(300):
        y = rng.integers(0, 2, 150)
        g = rng.choice(["a", "b"], 150)
        area = cross_auc(y, y + rng.normal(size=150), g)
        aucs.append(area.auc[0, 1])
        errors.append(area.standard_error[0, 1])
    assert np.mean(errors) == pytest.approx(np.std(aucs), rel=0.15)


def test_errors_of_cross_aucs_are_those_of_clusters():
    y, score, g = draw(3, 200, "ab")
    patient = np.arange(200) // 2
    found = cross_auc(y, score, g, clusters=patient)
    for k, name in enumerate("ab"):
        own = g == name
        alone = auc_interval(y[own], score[own], clusters=patient[own])
        assert found.auc[k, k] == pytest.approx(alone.auc)
        assert found.standard_error[k, k] == pytest.approx(alone.standard_error)
    # samples that each are a cluster are independent ones
    rows = cross_auc(y, score, g)
    each = cross_auc(y, score, g, clusters=np.arange(200), sample_weight=np.ones(200))
    assert each.standard_error == pytest.approx(rows.standard_error)
    twice = cross_auc(
        np.tile(y, 2), np.tile(score, 2), np.tile(g, 2), clusters=np.tile(np.arange(200), 2)
    )
    assert twice.standard_error == pytest.approx(rows.standard_error)


def test_cross_aucs_without_variance_have_no_error():
    perfect = cross_auc([0, 0, 1, 1] * 2, [1, 2, 3, 4] * 2, ["a"] * 4 + ["b"] * 4)
    assert (perfect.auc == 1).all()
    assert np.isnan(perfect.standard_error).all()
    one = cross_auc([0, 1, 0, 1] * 2, [1, 2, 3, 1] * 2, ["a"] * 4 + ["b"] * 4, clusters=[0] * 8)
    assert np.isnan(one.standard_error).all()


def height(segments, x):
    # vertical edges get almost no width
    fpr = segments.fpr + 1e-12 * np.arange(segments.fpr.size)
    return np.interp(x, fpr, segments.tpr)


@given(seed=st.integers(0, 10_000), decimals=st.integers(0, 2))
def test_the_area_between_two_curves_is_exact(seed, decimals):
    y, score, g = draw(seed, 50, "ab")
    score = np.round(score, decimals)
    y[:4] = [0, 1, 0, 1]
    g[:4] = list("aabb")
    x = (np.arange(200_001) + 0.5) / 200_001
    a = RankedSegments.from_scores(y[g == "a"], score[g == "a"])
    b = RankedSegments.from_scores(y[g == "b"], score[g == "b"])
    expected = np.abs(height(a, x) - height(b, x)).mean()
    result = abroca(y, score, g, n_permutations=100, random_state=0)
    assert result.area[0] == pytest.approx(expected, abs=2e-5)


@pytest.mark.slow  # a simulation
def test_the_permutation_test_keeps_its_level_and_sees_a_difference():
    p_values = np.empty(80)
    for seed in range(80):
        result = abroca(*draw(seed, 120, "ab"), n_permutations=100, random_state=0)
        p_values[seed] = result.p_value[0]
    assert np.mean(p_values < 0.1) < 0.18
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    g = np.repeat(["a", "b", "c"], [200, 100, 100])
    score = np.where(g == "a", 2.0, 0.2) * y + rng.normal(size=400)
    frame = abroca(y, score, g, n_permutations=200, random_state=0).to_frame()
    assert frame["p_holm"].round(3).tolist()[:2] == pytest.approx([0.015, 0.015], abs=0.001)
    assert frame["p_value"][2] > 0.05


A = RankedSegments(score=[2, 1], pos=[1, 1], neg=[1, 1])
BAD_INPUT = {
    "threshold of a group": (lambda: group_summary({"a": A}, threshold={"b": 1}), "'a'"),
    "one group": (lambda: abroca({"a": A}), "at least two groups"),
    "permutations": (lambda: abroca({"a": A, "b": A}, n_permutations=5), "n_permutations"),
    "weights": (
        lambda: abroca({"a": A, "b": RankedSegments(score=[1], pos=[0.5], neg=[1])}),
        r"y_true\['b'\] must have whole",
    ),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_refused_by_name(case):
    function, message = BAD_INPUT[case]
    with pytest.raises(ValueError, match=message):
        function()


def shifted(rng, sizes_a, sizes_b, shift, auc=0.8, other_auc=0.8):
    """Draw two groups of normal scores, of which the second scores higher."""
    parts = []
    groups = ((sizes_a, 0.0, auc, "a"), (sizes_b, shift, other_auc, "b"))
    for (n_pos, n_neg), higher, own_auc, name in groups:
        y = np.arange(n_pos + n_neg) < n_pos
        score = rng.normal(size=y.size) + np.sqrt(2) * norm.ppf(own_auc) * y + higher
        parts.append((y, score, np.repeat(name, y.size)))
    return tuple(map(np.concatenate, zip(*parts, strict=True)))


@pytest.mark.slow  # a simulation
def test_abroca_tests_equal_curves_not_equal_laws_of_scores():
    # exchanging the scores themselves rejects a fifth of these, whose curves are equal
    rng = np.random.default_rng(1)
    n_rejected = 0
    for _ in range(100):
        data = shifted(rng, (15, 60), (60, 15), 2.0)
        n_rejected += abroca(*data, n_permutations=100, random_state=rng).p_value[0] <= 0.05
    assert n_rejected <= 10


def test_abroca_finds_curves_that_differ():
    rng = np.random.default_rng(2)
    n_rejected = 0
    for _ in range(40):
        data = shifted(rng, (60, 60), (60, 60), 1.0, 0.9, 0.65)
        n_rejected += abroca(*data, n_permutations=100, random_state=rng).p_value[0] <= 0.05
    assert n_rejected >= 34


def test_abroca_does_not_depend_on_the_scale_of_a_group():
    y, score, g = shifted(np.random.default_rng(3), (20, 30), (25, 25), 0.0)
    moved = np.where(g == "b", np.exp(score) + 7, score)
    results = [abroca(y, s, g, n_permutations=100, random_state=0) for s in (score, moved)]
    assert results[0].p_value == results[1].p_value
    assert results[0].area == pytest.approx(results[1].area)
    constant = abroca(y, np.zeros(y.size), g, n_permutations=100, random_state=0)
    assert (constant.area[0], constant.p_value[0]) == (0, 1)


def test_blank_names_of_groups_are_missing():
    groups = ["a", " ", "a", " ", "a", ""]
    with pytest.raises(ValueError, match="groups must not hold missing labels; 3 do"):
        group_summary([0, 0, 1, 1, 0, 1], np.arange(6.0), groups, threshold=2.0)


@pytest.mark.parametrize(
    ("group", "rate", "message"),
    [
        ("a", "speed", "rate must be one of .*; got 'speed'"),
        ("c", "tpr", "group must be one of .*; got 'c'"),
    ],
)
def test_intervals_of_unknown_groups_and_rates_are_refused(group, rate, message):
    ranking = RankedSegments(score=[0.8, 0.2], pos=[6, 4], neg=[3, 7])
    with pytest.raises(ValueError, match=message):
        group_summary({"a": ranking, "b": ranking}).interval(group, rate)
