"""Reports for practice: several sites, models from another place, referrals."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit

from rocviz import RankedSegments, cli, evaluation_report
from rocviz.core.practice import compare_sites, referral_policy, update_model
from rocviz.report.files import Columns, read_predictions

pytestmark = pytest.mark.usefixtures("few_resamples")

SITES = ["north", "south", "east", "west"]


def section_of(report, title):
    (section,) = [section for section in report.sections if section.title == title]
    return section


def words_of(report, title):
    """Join the paragraphs and warnings of a section."""
    section = section_of(report, title)
    return " ".join([*section.warnings, *section.text])


def draw(n=800, *, shift=0.0, slope=1.0, seed=0):
    """Draw labels, probabilities that are wrong by shift and slope, and sites."""
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(-0.5, 1.5, n)
    y = rng.random(n) < expit(shift + slope * log_odds)
    return y, expit(log_odds), rng.choice(SITES, n)


@pytest.fixture(scope="module")
def table():
    """Predictions of a file, with sites, patients and two models."""
    y, prob, site = draw(400, shift=-0.8)
    other = expit(logit(prob) + np.random.default_rng(1).normal(size=400))
    columns = {"y": y.astype(int), "a": prob, "b": other, "hospital": site}
    return pd.DataFrame({**columns, "patient": np.arange(400) // 2})


# ------------------------------------------------------------------------ sites


def test_sites_are_those_of_compare_sites():
    y, prob, site = draw()
    other = expit(logit(prob) + np.random.default_rng(1).normal(size=y.size))
    order = pd.Categorical(site, SITES, ordered=True)
    report = evaluation_report(y, {"a": prob, "b": other}, sites=order)
    expected = compare_sites(y, prob, order)
    shown = report.to_frame("sites").set_index("site")
    pd.testing.assert_frame_equal(shown, expected.to_frame(), check_index_type=False)
    assert shown.index.tolist() == SITES
    means = report.to_frame("site_means")
    assert means["model"].tolist() == ["a"] * 3 + ["b"] * 3
    of_b = compare_sites(y, other, site).means_to_frame()
    for name in ("mean", "lower", "upper", "prediction_lower", "prediction_upper"):
        np.testing.assert_allclose(means[name][3:], of_b[name])
    assert set(report.figures) >= {"sites_auc", "sites_observed_expected", "sites_slope"}
    value, lower, upper = expected.auc.average
    new = expected.auc.prediction
    for number in (value, lower, upper, *new, expected.mean_within_auc, expected.pooled_auc):
        assert f"{number:.3f}" in words_of(report, "Sites")


def test_weights_and_clusters_of_sites_count():
    y, prob, site = draw(400)
    weight = np.random.default_rng(3).integers(0, 4, y.size)
    patient = np.arange(y.size) // 2
    report = evaluation_report(y, prob, sites=site, sample_weight=weight, clusters=patient)
    expected = compare_sites(y, prob, site, sample_weight=weight, clusters=patient)
    shown = report.to_frame("sites").set_index("site")
    np.testing.assert_allclose(shown.to_numpy(float), expected.to_frame().loc[shown.index])
    assert any("cluster" in note for note in section_of(report, "Sites").notes)


def test_two_sites_have_no_interval():
    y, prob, site = draw(400)
    two = np.where(np.isin(site, SITES[:2]), "one", "other")
    words = words_of(evaluation_report(y, prob, sites=two), "Sites")
    assert "Two sites are too few for an interval" in words
    assert "interval for a new site" not in words


def test_one_site_of_both_classes_is_compared_with_nothing():
    y, prob, site = draw(400)
    words = words_of(evaluation_report(y & (site == "east"), prob, sites=site), "Sites")
    assert "in one ranking" not in words
    assert "One site is too few for an interval" in words


def test_a_site_of_one_class_is_named_once():
    y, prob, site = draw(400)
    y = y & (site != "west")
    report = evaluation_report(y, prob, sites=site)
    assert words_of(report, "Sites").count("west") == 1
    assert not any("west" in words for words in section_of(report, "Sites").details)
    assert np.isnan(report.to_frame("sites").set_index("site").loc["west", "auc"])


def test_intervals_of_few_sites_that_differ_are_cut():
    y, prob, site = draw(600)
    three = np.where(site == "west", "south", site)
    apart = np.select([three == "north", three == "south"], [-4.0, 0.0], 4.0)
    report = evaluation_report(y, expit(logit(prob) + apart), sites=three)
    means = report.to_frame("site_means").set_index("measure")
    assert means.loc["observed_expected", "prediction_upper"] > 100
    assert "to > 100)" in words_of(report, "Sites")


def test_a_site_that_is_ranked_without_a_mistake_is_explained():
    y, prob, site = draw(400)
    prob = np.where(site == "west", np.where(y, 0.9, 0.2), prob)
    report = evaluation_report(y, prob, sites=site)
    assert any("west" in words for words in section_of(report, "Sites").details)


def test_both_aucs_are_told_from_chance_and_explained():
    y, prob, site = draw(800)
    apart = 4.0 * np.array([SITES.index(name) for name in site])
    not_on_one_scale = evaluation_report(y, expit(logit(prob) + apart), sites=site)
    assert "not on one scale" in words_of(not_on_one_scale, "Sites")
    rng = np.random.default_rng(2)
    base = np.array([-3.0, -1.0, 1.0, 3.0])[[SITES.index(name) for name in site]]
    knows_sites = base + rng.normal(0, 0.5, y.size)
    often = rng.random(y.size) < expit(base)
    report = evaluation_report(often, expit(knows_sites), sites=site)
    assert "tell sites with many positives" in words_of(report, "Sites")
    same = evaluation_report(y, prob, sites=site)
    assert "chance alone can explain" in words_of(same, "Sites")


def test_scores_that_are_no_probabilities_have_sites_without_calibration():
    y, prob, site = draw(400)
    report = evaluation_report(y, logit(prob), sites=site)
    assert set(report.to_frame("site_means")["measure"]) == {"auc"}


# ------------------------------------------------------------------------ another place


@pytest.mark.parametrize(
    ("shift", "slope", "chosen"), [(0.0, 1.0, "none"), (-1.0, 1.0, "intercept"), (-1, 0.5, "slope")]
)
def test_models_from_another_place_are_updated(shift, slope, chosen):
    y, prob, _ = draw(1500, shift=shift, slope=slope, seed=4)
    report = evaluation_report(y, prob, new_site=True, cost_fn=4)
    expected = update_model(y, prob, threshold_probability=0.2)
    assert expected.chosen == chosen
    frame = report.to_frame("update")
    for row, when in zip(frame.to_dict("records"), ("before", "after"), strict=True):
        for name in ("observed_expected", "slope", "brier", "net_benefit"):
            assert row[name] == pytest.approx(expected.to_frame().loc[name, when])
    words = words_of(report, "Update for this place")
    assert ("ln(p / (1 − p))" in words) == (chosen != "none")
    assert report.to_frame("update_formulas").loc[0, "chosen"] == chosen


def test_the_formula_on_the_page_gives_the_updated_probabilities():
    y, prob, _ = draw(1500, shift=-1, slope=0.5, seed=4)
    words = words_of(evaluation_report(y, prob, new_site=True), "Update for this place")
    multiplied, verb, added = re.search(r"multiply them by (\S+), (\w+) (\S+),", words).groups()
    intercept = float(added) if verb == "add" else -float(added)
    by_hand = expit(intercept + float(multiplied) * logit(0.3))
    assert by_hand == pytest.approx(update_model(y, prob).apply([0.3])[0], abs=1e-3)
    assert f"30 % become {100 * by_hand:.1f} %" in words


def test_all_models_with_probabilities_are_updated_and_others_named():
    y, prob, _ = draw(400, shift=-1)
    report = evaluation_report(
        y, {"a": prob, "b": prob**2, "c": logit(prob)}, new_site=True, primary="a"
    )
    assert report.to_frame("update")["model"].tolist() == ["a", "a", "b", "b"]
    assert "c are no probabilities" in words_of(report, "Update for this place")


def test_weights_and_clusters_of_an_update_count():
    y, prob, _ = draw(400, shift=-1)
    weight = np.random.default_rng(3).integers(0, 4, y.size)
    patient = np.arange(y.size) // 2
    report = evaluation_report(y, prob, new_site=True, sample_weight=weight, clusters=patient)
    expected = update_model(y, prob, sample_weight=weight, clusters=patient).to_frame()
    frame = report.to_frame("update")
    assert frame["brier"].tolist() == pytest.approx(expected.loc["brier", ["before", "after"]])
    assert frame.loc[0, "slope_lower"] == pytest.approx(expected.loc["slope", "before_lower"])


def test_a_slope_of_few_samples_is_warned_of():
    y, prob, _ = draw(90, shift=-1, slope=0.2, seed=1)
    assert update_model(y, prob).chosen == "slope"
    report = evaluation_report(y, prob, new_site=True)
    assert "fitted to noise" in words_of(report, "Update for this place")
    y, prob, _ = draw(1500, shift=-1, slope=0.5, seed=4)
    report = evaluation_report(y, prob, new_site=True)
    assert "fitted to noise" not in words_of(report, "Update for this place")


def test_a_choice_that_depends_on_few_samples_and_gains_nothing_is_said():
    y, prob, _ = draw(120, shift=-0.45, seed=8)
    update = update_model(y, prob)
    assert update.chosen_in_folds == {"intercept": 5, "none": 5}
    assert update.after.brier >= update.before.brier
    report = evaluation_report(y, prob, new_site=True)
    assert "no gain" in words_of(report, "Update for this place")
    details = " ".join(section_of(report, "Update for this place").details)
    assert "to keep it (5 of 10)" in details


def test_without_a_threshold_probability_there_is_no_net_benefit():
    y, prob, site = draw(400, shift=-1)
    report = evaluation_report(y, prob, new_site=True, cost_fp=0, cost_fn=1, sites=site)
    assert "net benefit at" not in words_of(report, "Update for this place")


def test_predictions_of_one_value_are_updated_by_a_shift():
    y, _, _ = draw(400, shift=-1)
    report = evaluation_report(y, np.full(y.size, 0.7), new_site=True)
    assert report.to_frame("update_formulas").loc[0, "chosen"] == "intercept"
    details = section_of(report, "Update for this place").details
    assert any("no slope to fit" in words for words in details)


# ------------------------------------------------------------------------ referrals


def test_referrals_are_those_of_the_policy_and_corrected():
    y, prob, _ = draw(600)
    report = evaluation_report(y, prob, cost_fn=3, cost_referral=0.3)
    policy = referral_policy(y, prob, cost_fn=3, cost_referral=0.3, n_resamples=200, random_state=0)
    words = words_of(report, "The decision")
    assert f"rule out below {policy.lower_threshold:.3f}" in words
    assert f"rule in from {policy.upper_threshold:.3f}" in words
    corrected = policy.corrected
    # beside the cost of the single threshold that the section has, not another estimate of it
    single = report.to_frame("threshold")["corrected"].iloc[0]
    assert f"in place of {1000 * single:.0f} at the best" in words
    assert f"about {1000 * (single - corrected['saving']):.0f} per 1,000" in words
    assert policy.corrected["cost"] > policy.cost
    limit = 0.3 + corrected["saving"] / policy.share_referred
    assert f"less than {limit:.3g} false alarms" in words


def test_referrals_that_cannot_pay_and_none():
    y, prob, _ = draw(400)
    words = words_of(evaluation_report(y, prob, cost_fn=3, cost_referral=2), "The decision")
    assert "one threshold is best" in words
    assert "0.75 false alarms" in words
    assert "referral" not in words_of(evaluation_report(y, prob, cost_fn=3), "The decision")
    no_alarms = evaluation_report(y, prob, cost_fp=0, cost_fn=1, cost_referral=0.1)
    assert "If a referral costs 0.1, one threshold" in words_of(no_alarms, "The decision")


def test_everybody_is_referred_for_nothing():
    y = np.array([0, 1] * 30)
    same = np.array([0.0, 0.0, 1.0, 1.0] * 15)
    words = words_of(evaluation_report(y, same, cost_referral=0), "The decision")
    assert "refer everybody (100 %)" in words


def test_referrals_of_counted_scores_are_not_corrected():
    y, prob, _ = draw(400)
    segments = RankedSegments.from_scores(y, prob)
    report = evaluation_report({"a": segments}, cost_fn=3, cost_referral=0.3)
    assert "new ones will cost more" in words_of(report, "The decision")


def test_a_referral_that_saves_nothing_on_new_samples():
    rng = np.random.default_rng(13)
    y = rng.random(60) < 0.4
    report = evaluation_report(y, rng.normal(size=60) + y, cost_referral=0.49)
    assert "no less than the best single threshold" in words_of(report, "The decision")


# ------------------------------------------------------------------------ the paper


def test_the_paper_names_practice_and_the_items_it_answers():
    y, prob, site = draw(800, shift=-1)
    report = evaluation_report(y, prob, sites=site, new_site=True, cost_fn=3, cost_referral=0.3)
    words = words_of(report, "For the paper")
    for method in ("Vergouwe et al., 2017", "Hartung and Knapp (2001)", "Chow, 1970"):
        assert method in words
    assert {"23b", "24"} <= set(report.to_frame("tripod_ai")["item"])
    update = update_model(y, prob, threshold_probability=0.25)
    assert f"to {update.after.brier:.4f} and" in words
    plain = evaluation_report(y, prob, sites=site == "west", cost_fn=3)
    words = words_of(plain, "For the paper")
    assert "site" not in words
    assert "referral" not in words
    assert "24" not in set(plain.to_frame("tripod_ai")["item"])


def test_the_paper_says_that_no_update_was_chosen_and_that_nobody_is_referred():
    y, prob, _ = draw(1500, seed=4)
    report = evaluation_report(y, prob, new_site=True, cost_referral=0.9)
    words = words_of(report, "For the paper")
    assert "chose no update." in words
    assert "referr" not in words


# ------------------------------------------------------------------------ refusals, files


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sites": ["a"] * 400}, "sites must have at least two different values"),
        ({"sites": ["a", "b"]}, "sites"),
        ({"sites": [f"p{i}" for i in range(400)]}, "sites has 400 different values.*clusters"),
        ({"new_site": "yes"}, "new_site must be"),
        ({"new_site": True, "folds": [0, 1] * 200}, "new_site and folds"),
        ({"new_site": True, "y_score": np.arange(400.0)}, "new_site needs probabilities"),
        ({"cost_referral": -1}, "cost_referral must be at least 0"),
        (
            {"sites": SITES * 100, "sample_weight": np.full(400, 0.001)},
            "sites: '.*sample_weight",
        ),
    ],
)
def test_what_practice_cannot_do_is_refused_by_name(change, message):
    y, prob, _ = draw(400)
    with pytest.raises((ValueError, TypeError), match=message):
        evaluation_report(y, **{"y_score": prob, **change})


def test_counted_scores_and_three_classes_are_refused():
    y, prob, site = draw(400)
    segments = {"a": RankedSegments.from_scores(y, prob)}
    with pytest.raises(ValueError, match="sites and describe"):
        evaluation_report(segments, sites=site)
    with pytest.raises(ValueError, match="new_site needs samples"):
        evaluation_report(segments, new_site=True)
    classes = np.array(["x", "y", "z"])[np.arange(400) % 3]
    of_classes = pd.DataFrame(np.random.default_rng(0).dirichlet([1, 1, 1], 400), columns=[*"xyz"])
    for name, value in (("sites", site), ("new_site", True), ("cost_referral", 0.1)):
        with pytest.raises(ValueError, match=f"{name} must not be given for more than two classes"):
            evaluation_report(classes, of_classes, **{name: value})


def run(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    return cli.main(["report", "t.csv", "--label", "y", "-o", "t.md", *words])


def test_options_of_practice(table, tmp_path, monkeypatch, undrawn):
    table.to_csv(tmp_path / "t.csv", index=False)
    words = ["--site", "hospital", "--new-site", "--cost-fn", "5", "--cost-referral", ".3"]
    assert run(tmp_path, monkeypatch, words) == 0
    text = (tmp_path / "t.md").read_text(encoding="utf-8")
    assert "## Sites" in text
    assert "## Update for this place" in text
    assert "If a referral costs 0.3 false alarms" in text
    assert (tmp_path / "t_figures" / "sites_auc.png").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--site", "patient"], "column 'patient' has 200 different values"),
        (["--site", "clinic"], "has no column 'clinic'"),
        (["--cost-referral=-1"], "cost_referral must be at least 0"),
    ],
)
def test_wrong_options_of_practice_are_one_line(
    table, tmp_path, monkeypatch, capsys, words, message
):
    table.to_csv(tmp_path / "t.csv", index=False)
    assert run(tmp_path, monkeypatch, words) != 0
    assert message in capsys.readouterr().err
    assert not (tmp_path / "t.md").exists()


def test_columns_of_sites_are_no_models(table, tmp_path):
    numbered = table.assign(hospital=pd.factorize(table["hospital"])[0] + 0.5)
    numbered.to_csv(tmp_path / "t.csv", index=False)
    columns = Columns("y", cluster="patient")
    predictions = read_predictions(str(tmp_path / "t.csv"), columns)
    assert predictions.models == ["a", "b"]
    assert any("'hospital' (sites, as for --site)" in remark for remark in predictions.remarks)
    named = read_predictions(str(tmp_path / "t.csv"), Columns("y", site="hospital"))
    assert named.models == ["a", "b"]
    assert len(set(named.arguments["sites"])) == 4


def test_files_that_are_only_counted_have_no_sites(table, tmp_path):
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(ValueError, match="--site and --describe"):
        read_predictions(str(tmp_path / "t.csv"), Columns("y", site="hospital"), max_rows=100)
