"""Several sites: random effects against reference values, numbers of sites, what is left out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from rocviz import RankedSegments, auc_interval
from rocviz.core.calibration import calibration_summary
from rocviz.core.practice import compare_sites, random_effects

# combine_effects(estimate, variance, method_re="iterated", use_t=True) of statsmodels 0.15.0: tau2,
# mean_effect_re, and the interval of the row "random effect", to the digits that its iteration
# reaches
REFERENCE = [
    (
        [1.2, 0.8, 1.9, 1.1, 0.4],
        [0.04, 0.09, 0.05, 0.16, 0.02],
        (0.266894752, 1.071406684, 0.355583389, 1.787229979),
    ),
    ([1.0, 1.05, 0.95], [0.2, 0.3, 0.1], (0.0, 0.981818182, -0.0230650004, 1.986701364)),
    (
        [-0.3, 0.1, 0.25, 0.9],
        [0.01, 0.02, 0.015, 0.05],
        (0.215901870, 0.212641404, -0.564782707, 0.990065514),
    ),
]


@pytest.mark.parametrize(("estimate", "variance", "expected"), REFERENCE)
def test_random_effects_are_those_of_statsmodels(estimate, variance, expected):
    found = random_effects(estimate, np.sqrt(variance))
    assert (found.tau_squared, found.mean, found.lower, found.upper) == pytest.approx(
        expected, abs=2e-6
    )
    # the definition: the weighted sum of squares has its expectation
    if found.tau_squared > 0:
        weight = 1 / (np.array(variance) + found.tau_squared)
        assert weight @ (np.array(estimate) - found.mean) ** 2 == pytest.approx(len(estimate) - 1)
    k = len(estimate)
    error = (found.upper - found.lower) / 2 / student.ppf(0.975, k - 1)
    half = student.ppf(0.975, k - 2) * np.hypot(np.sqrt(found.tau_squared), error)
    assert found.prediction_upper == pytest.approx(found.mean + half)
    assert found.weight.sum() == pytest.approx(1)


def test_sites_that_agree_have_an_interval_of_some_width():
    found = random_effects([0.5, 0.5, 0.5], [0.1, 0.1, 0.1])
    assert found.tau_squared == 0
    assert found.upper - found.lower == pytest.approx(2 * student.ppf(0.975, 2) * 0.1 / np.sqrt(3))


@pytest.mark.parametrize(("k", "words"), [(1, "One site is"), (2, "Two sites are")])
def test_fewer_than_three_sites_have_no_interval(k, words):
    found = random_effects([0.5, 1.5][:k], [0.1, 0.1][:k])
    assert found.reason.startswith(words)
    assert np.isnan([found.lower, found.upper, found.prediction_lower]).all()
    assert found.mean == pytest.approx(0.5 * k)


def test_the_variance_is_found_far_from_the_estimates():
    # errors so small that the first upper end is too low by rounding
    found = random_effects([0.0, 1.0], [1e-9, 1e-9])
    assert found.tau_squared == pytest.approx(0.5)
    apart = random_effects([0.0, 1.0, 1.0, 1.0, 0.0, 0.0], np.full(6, 1e-12))
    assert apart.tau_squared == pytest.approx(0.3)


def test_scales_are_converted_for_reading():
    found = random_effects([0.0, 0.1, 0.2], [0.1, 0.1, 0.1], scale="logit", sites=["a", "b", "c"])
    frame = found.to_frame()
    assert frame["site"].tolist()[:3] == ["a", "b", "c"]
    assert frame["row"].tolist()[3:] == ["mean", "new site"]
    assert frame["value"][0] == 0.5
    assert frame["value"][3] == pytest.approx(1 / (1 + np.exp(-0.1)))
    assert (frame["lower"] < frame["value"]).all()
    assert random_effects([0.0], [1.0], scale="log").average[0] == 1.0
    assert found.prediction[0] < found.average[1]


def made(sizes=(300, 200, 400, 250), seed=0, powers=(1, 1.4, 0.8, 1)):
    """Draw probabilities and outcomes of several sites."""
    rng = np.random.default_rng(seed)
    site = np.repeat(np.arange(len(sizes)), sizes)
    prob = rng.beta(1.2, 2, site.size)
    y = rng.random(site.size) < prob ** np.array(powers, dtype=float)[site]
    return y, prob, site


def test_numbers_of_a_site_are_those_of_its_samples_alone():
    y, prob, site = made()
    found = compare_sites(y, prob, site)
    assert found.sites == (0, 1, 2, 3)
    assert found.n_pos.tolist() == [y[site == k].sum() for k in range(4)]
    for k in range(4):
        of_site = site == k
        alone = auc_interval(y[of_site], prob[of_site], method="logit-delong")
        frame = found.to_frame().loc[k]
        assert frame["auc"] == pytest.approx(alone.auc)
        assert frame["auc_lower"] == pytest.approx(alone.lower)
        summary = calibration_summary(y[of_site], prob[of_site], n_resamples=0)
        assert frame["observed_expected"] == pytest.approx(summary.observed_expected.value)
        assert frame["slope"] == pytest.approx(summary.slope.value)
        assert frame["slope_upper"] == pytest.approx(summary.slope.upper)
        ends = summary.observed_expected
        assert np.log(frame["observed_expected_upper"]) == pytest.approx(
            np.log(ends.upper), abs=0.02
        )
    assert found.mean_within_auc == pytest.approx(found.to_frame()["auc"].mean())
    assert found.means_to_frame()["n_sites"].tolist() == [4, 4, 4]
    assert found.reasons == ()
    assert repr(found).startswith("<SiteComparison: 4 sites, mean auc 0.")
    assert "<table" in found._repr_html_()


def test_the_pooled_auc_differs_where_scores_are_not_on_one_scale():
    y, prob, site = made(powers=(1, 1, 1, 1))
    found = compare_sites(y, prob + 5.0 * site, site)
    assert found.pooled_auc < found.mean_within_auc - 0.1
    assert list(found.measures) == ["auc"]
    assert found.reasons == ("Scores that are no probabilities have no calibration.",)


def test_weights_and_clusters_count():
    y, prob, site = made()
    doubled = compare_sites(y, prob, site, sample_weight=np.full(y.size, 2.0))
    single = compare_sites(y, prob, site)
    ratio = single.auc.standard_error / doubled.auc.standard_error
    assert ratio == pytest.approx(np.full(4, np.sqrt(2)), rel=0.01)
    twice = [np.tile(column, 2) for column in (y, prob, site, np.arange(y.size))]
    clustered = compare_sites(*twice[:3], clusters=twice[3])
    for name in ("auc", "observed_expected", "slope"):
        expected = getattr(single, name).standard_error
        assert getattr(clustered, name).standard_error == pytest.approx(expected, rel=0.12)
    without = np.where(site == 3, 0.0, 1.0)
    assert compare_sites(y, prob, site, sample_weight=without).sites == (0, 1, 2)


def test_a_site_of_one_class_is_named_and_left_out():
    y, prob, site = made()
    y = np.where(site == 1, 0, y)
    found = compare_sites(y, prob, site)
    assert found.auc.sites == found.slope.sites == (0, 2, 3)
    assert found.observed_expected.sites == (0, 1, 2, 3)
    assert found.reasons == ("Site 1 has one class only, and so no AUC and no slope.",)
    assert np.isnan(found.to_frame().loc[1, "auc"])
    expected = prob[site == 1].sum()
    value, error = found.observed_expected.estimate[1], found.observed_expected.standard_error[1]
    assert value == pytest.approx(np.log(0.5 / (expected + 0.5)))
    assert error == pytest.approx(np.sqrt(2))


def test_sites_without_spread_are_replaced_and_named():
    y = [0, 0, 1, 1] * 2 + [0, 1, 0, 1]
    prob = [0.1, 0.2, 0.7, 0.8, 0.3, 0.3, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0]
    site = np.repeat(["perfect", "same", "zero"], 4)
    found = compare_sites(y, prob, site)
    assert found.slope is None
    text = " ".join(found.reasons)
    assert "Site perfect: its AUC of 1 shows no variance and enters as 0.8333." in text
    assert "Site perfect: a threshold separates its classes" in text
    assert "Site same: all predictions are the same" in text
    index = found.auc.sites.index("perfect")
    assert found.auc.standard_error[index] == pytest.approx(1 / np.sqrt(2 * 5 / 36))
    assert np.isfinite(found.observed_expected.estimate).all()


@pytest.mark.parametrize("prob", [0.0, 5e-324])
def test_a_site_in_which_none_is_expected_enters_with_half_a_sample(prob):
    rng = np.random.default_rng(0)
    site = np.repeat([0, 1, 2], 40)
    y = np.tile([0, 1], 60)
    found = compare_sites(y, np.where(site == 2, prob, rng.uniform(0.1, 0.9, 120)), site)
    assert found.observed_expected.estimate[2] == pytest.approx(np.log(20.5 / 0.5))
    assert found.observed_expected.standard_error[2] == pytest.approx(20.5**-0.5)


def test_sites_of_one_class_each_have_no_auc_at_all():
    found = compare_sites([0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0], ["a", "a", "b", "b"])
    assert found.auc is None
    assert found.measures == {}
    assert np.isnan(found.mean_within_auc)
    assert found.pooled_auc == 1
    assert "no numbers" in repr(found)
    assert "one class only, and so no AUC.</p>" in found._repr_html_()


def test_many_sites_without_spread_have_no_interval():
    # their substitutes are nearer to one half than the AUCs are, and would decide the mean
    rng = np.random.default_rng(0)
    site = np.repeat(np.arange(8), 20)
    y = np.tile(np.arange(20) % 2 == 1, 8)
    score = y + rng.normal(size=y.size)
    perfect = 3.0 * y + 0.001 * np.arange(y.size)
    few = compare_sites(y, np.where(site < 2, perfect, score), site)
    assert few.auc.lower < few.auc.mean < few.auc.upper
    many = compare_sites(y, np.where(site < 3, perfect, score), site)
    assert np.isnan([many.auc.lower, many.auc.upper, *many.auc.prediction]).all()
    assert np.isfinite(many.auc.mean)
    assert "AUC: 3 of 8 AUCs show no variance" in " ".join(many.reasons)


def test_two_sites_have_a_mean_without_interval_and_it_is_said():
    y, prob, site = made(sizes=(100, 100), powers=(1, 1))
    found = compare_sites(y, prob, site)
    assert found.reasons[0].startswith("AUC: Two sites are too few")
    assert found.means_to_frame()["lower"].isna().all()


SEGMENTS = RankedSegments(score=[2, 1], pos=[1, 0], neg=[0, 1])
BAD = {
    "length": (lambda: compare_sites([0, 1], [0.1, 0.9], ["a"]), "sites"),
    "missing": (lambda: compare_sites([0, 1], [0.1, 0.9], ["a", None]), "sites"),
    "blank": (lambda: compare_sites([0, 1], [0.1, 0.9], ["a", " "]), "sites must not hold missing"),
    "length with weights": (
        lambda: compare_sites([0, 1], [0.1, 0.9], ["a"], sample_weight=[1, 1]),
        "^sites must have one entry per",
    ),
    "segments": (lambda: compare_sites(SEGMENTS, [0.1], ["a"]), "y_true must be labels"),
    "no cluster": (
        lambda: compare_sites([0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8], [0, 0, 1, 1], clusters=[1] * 4),
        "sites: 0: clusters",
    ),
    "empty": (lambda: random_effects([], []), "estimate"),
    "error": (lambda: random_effects([1.0], [0.0]), "standard_error must be positive"),
    "scale": (lambda: random_effects([1.0], [1.0], scale="odds"), "scale must be one of"),
    "names": (lambda: random_effects([1.0], [1.0], sites=["a", "b"]), "sites"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    act, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        act()


def test_numbers_of_sites_stay_whole_numbers():
    combined = random_effects([0.5, 1.5, 1.0], [0.1, 0.1, 0.2], sites=[1, 2, 10])
    names = combined.to_frame()["site"].tolist()
    assert [str(name) for name in names] == ["1", "2", "10", "None", "None"]
