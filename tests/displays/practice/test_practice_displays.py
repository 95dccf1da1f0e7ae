"""ReferralDisplay and SitesDisplay: each picture, its numbers, bad input before any figure."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression

from rocviz import RankedSegments, binormal_scores
from rocviz.core.practice import compare_sites, referral_policy
from rocviz.core.roc import metric_value
from rocviz.displays.practice import ReferralDisplay, SitesDisplay

DATA = binormal_scores(600, prevalence=0.3, separation=1.5, random_state=0)
GIVEN = np.asarray(DATA.y_true), np.asarray(DATA.y_prob)
SITE = np.repeat(["A", "B", "C", "D"], 150)
KINDS = ("curve", "scores", "price")
WANTED = {
    "cost": {"cost_fn": 3.0, "cost_referral": 0.2},
    "dear": {"cost_referral": 0.9},
    "free": {"cost_referral": 0.0},
    "one cost": {"cost_fp": 0.0, "cost_referral": 0.1},
    "promise": {"npv": 0.95, "ppv": 0.8},
    "vain promise": {"npv": 0.9999},
    "capacity": {"max_referred": 0.1},
    "elsewhere": {"cost_referral": 0.2, "prevalence": 0.05},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wanted", WANTED)
def test_each_picture_is_drawn_and_legible(kind, wanted, legible):
    display = ReferralDisplay.from_predictions(*GIVEN, kind=kind, **WANTED[wanted])
    legible(display.figure_, display.ax_, apart=False)
    assert display.ax_.get_title(loc="left")
    plt.close(display.figure_)


def test_isometrics_touch_the_hull_at_both_points():
    display = ReferralDisplay.from_predictions(*GIVEN, **WANTED["cost"])
    policy = display.policy
    hull = display.segments.hull()
    price = policy.price
    costs = {
        "isometric:upper": {"cost_fp": 1 - price, "cost_fn": price},
        "isometric:lower": {"cost_fp": price, "cost_fn": 3 - price},
    }
    for name, of in costs.items():
        line = display.picture_[name]
        options = {"prevalence": policy.prevalence, **of}
        values = metric_value("cost", line.x, line.y, **options)
        assert values[0] == pytest.approx(values[-1])
        # no point of the hull costs less
        assert metric_value("cost", hull.fpr, hull.tpr, **options).min() == pytest.approx(values[0])
    upper = display.picture_["upper"]
    table = display.segments.at_threshold(policy.upper_threshold)
    assert (upper.x[0], upper.y[0]) == pytest.approx((table.fpr, table.tpr))


def test_one_threshold_has_one_isometric_and_a_promise_none():
    one = ReferralDisplay.from_predictions(*GIVEN, cost_referral=0.9).picture_
    names = [mark.name for mark in one.marks]
    assert "isometric" in names
    promised = ReferralDisplay.from_predictions(*GIVEN, npv=0.95).picture_
    assert not any(mark.name.startswith("isometric") for mark in promised.marks)


def test_zones_end_at_the_thresholds():
    display = ReferralDisplay.from_predictions(*GIVEN, kind="scores", **WANTED["cost"])
    policy = display.policy
    middle = display.picture_["zone:1"]
    assert np.min(middle.x) == pytest.approx(policy.lower_threshold)
    assert np.max(middle.x) == pytest.approx(policy.upper_threshold)


def test_the_price_curve_is_the_lowest_cost_and_touches_the_policy():
    display = ReferralDisplay.from_predictions(*GIVEN, kind="price", **WANTED["cost"])
    policy = display.policy
    curve = display.picture_["cost"]
    own = display.picture_["policy"]
    on_line = np.interp(curve.x, own.x, own.y)
    shown = curve.x <= own.x.max()
    assert (curve.y[shown] <= on_line[shown] + 1e-12).all()
    at = np.flatnonzero(curve.x == policy.price)[0]
    assert curve.y[at] == pytest.approx(policy.cost)
    beyond = curve.x >= policy.break_even_price
    assert curve.y[beyond] == pytest.approx(policy.cost_without)


def test_a_classifier_is_drawn_by_its_scores():
    X = GIVEN[1][:, None]
    model = LogisticRegression().fit(X, GIVEN[0])
    display = ReferralDisplay.from_estimator(model, X, GIVEN[0], npv=0.95)
    assert display.name == "LogisticRegression"
    assert display.ax_.get_title(loc="left").startswith("LogisticRegression: two thresholds")
    sites = SitesDisplay.from_estimator(model, X, GIVEN[0], SITE, kind="slope")
    assert sites.comparison.sites == ("A", "B", "C", "D")


@pytest.mark.parametrize("kind", ["auc", "observed_expected", "slope"])
def test_a_row_for_each_site_the_mean_and_a_new_site(kind, legible):
    display = SitesDisplay.from_predictions(*GIVEN, SITE, kind=kind)
    legible(display.figure_, display.ax_, apart=False)
    combined = display.comparison.measures[kind]
    frame = combined.to_frame()
    for k, (_, row) in enumerate(frame.iterrows()):
        assert tuple(display.picture_[f"row:{k}"].x) == pytest.approx((row["lower"], row["upper"]))
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels == ["A", "B", "C", "D", "mean", "a new site"]


def test_two_sites_have_no_interval_and_many_are_cut():
    two = SitesDisplay.from_predictions(*GIVEN, SITE > "B")
    assert "no interval" in str(two.picture_)
    many = compare_sites(*GIVEN, np.arange(600) // 12)
    display = SitesDisplay(many).plot()
    assert "40 of" in display.ax_.get_title(loc="left")


SEGMENTS = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
BAD = {
    "policy": (lambda: ReferralDisplay(SEGMENTS, 3), "policy must be a ReferralPolicy"),
    "kind": (
        lambda: ReferralDisplay(SEGMENTS, referral_policy(SEGMENTS, npv=0.8)).plot(kind="zones"),
        "kind must be one of",
    ),
    "comparison": (lambda: SitesDisplay(3), "comparison must be a SiteComparison"),
    "no number": (
        lambda: SitesDisplay.from_predictions(GIVEN[0], 5 * GIVEN[1], SITE, kind="slope"),
        "no site has this number",
    ),
    "several models": (
        lambda: SitesDisplay.from_estimator({"a": 1}, [[1]], [1], ["a"]),
        "one classifier",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_makes_no_figure(case):
    act, words = BAD[case]
    plt.close("all")
    with pytest.raises(ValueError, match=words):
        act()
    assert plt.get_fignums() == []
