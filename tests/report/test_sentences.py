"""Sentences and cells of a report that a reader recomputes: each holds only where it is printed."""

import re

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PolyCollection

from rocviz import RankedSegments, evaluation_report
from rocviz.core.calibration import calibration_summary
from rocviz.core.curve_spaces import net_benefit_band
from rocviz.core.groups.ranking import rank_groups
from rocviz.displays.base.style import resolve_theme
from rocviz.report.section import Table
from rocviz.words import amount

pytestmark = pytest.mark.usefixtures("few_resamples")


def words_of(report, title):
    """Join the paragraphs of a section."""
    (section,) = [section for section in report.sections if section.title == title]
    parts = [section.verdict, section.cards_heading, *section.warnings, *section.text]
    return " ".join([*parts, *section.details, *section.notes])


def picture_of(report, name):
    """Draw a figure of a report."""
    for section in report.sections:
        for picture in section.pictures:
            if picture.name == name:
                return picture.draw(resolve_theme(None))
    raise AssertionError(name)


@pytest.fixture(scope="module")
def samples():
    """Labels of 400 samples, 30 % positive, and probabilities of two models."""
    rng = np.random.default_rng(5)
    y = rng.random(400) < 0.3
    scores = {}
    for name, strength in (("good", 2.5), ("weak", 0.8)):
        scores[name] = 1 / (1 + np.exp(-rng.normal(strength * y - 1.5)))
    return y, scores


@pytest.fixture(scope="module")
def rare():
    """A rare outcome, for which predicting nobody positive costs least by a useless model."""
    rng = np.random.default_rng(0)
    y = np.arange(600) < 30
    good = 1 / (1 + np.exp(-rng.normal(3.0 * y - 3)))
    return y, {"good": good, "useless": np.where(y, 0.2, 0.4), "constant": np.full(600, 0.3)}


# ---------------------------------------------------------------------- names of classes


@pytest.mark.parametrize(
    ("labels", "positive", "positives", "negatives"),
    [
        (("benign", "malignant"), "malignant", "malignant", "benign"),
        ((1, 2), 2, "labelled 2", "labelled 1"),
        ((0, 1), None, "positives", "negatives"),
    ],
)
def test_a_report_names_both_classes(samples, labels, positive, positives, negatives):
    y, scores = samples
    groups = np.where(np.arange(y.size) < 15, "tiny", "large")
    named = np.where(y, labels[1], labels[0])
    report = evaluation_report(named, scores["good"], pos_label=positive, groups=groups, cost_fn=3)
    decision = words_of(report, "The decision")
    n_pos = round(1000 * y.mean())
    assert re.search(rf"finds \d+ of {n_pos} {positives} and raises \d+ false alarm", decision)
    among = f" among {1000 - n_pos} {negatives}"
    assert (among in decision) == (positive is not None)
    parts = words_of(report, "Groups")
    assert f"({y[:15].sum()} {positives}, {(~y[:15]).sum()} {negatives})" in parts
    (section,) = [section for section in report.sections if section.title == "Groups"]
    assert {positives, negatives} <= set(section.tables[0].headings.values())
    verdict = report.sections[0].verdict
    assert re.search(
        rf"of {y.sum()} {positives} \d+ are found, and of {(~y).sum()} {negatives}", verdict
    )


def test_labels_name_the_classes_where_the_data_do_not(samples):
    y, scores = samples
    data = {"y_score": scores["good"], "groups": np.arange(y.size) % 2, "cost_fn": 3}
    kinds = np.where(y, "malignant", "benign")
    by_data = evaluation_report(kinds, pos_label="malignant", **data)
    for labels in (("benign", "malignant"), {1: "malignant", 0: "benign"}):
        assert (
            evaluation_report(y.astype(int), labels=labels, **data).to_markdown()
            == by_data.to_markdown()
        )
    counted = {"model": RankedSegments.from_scores(y, scores["good"])}
    report = evaluation_report(counted, labels=("benign", "malignant"))
    assert f"of {y.sum()} malignant " in report.sections[0].verdict
    # figures do, too
    for section in by_data.sections:
        for picture in section.pictures:
            drawn = picture.draw(resolve_theme(None))
            for ax in drawn.axes:
                said = [text.get_text() for text in ax.texts]
                said += [ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()]
                of_rates = r"(?i)(true|false) (positive|negative) rate"
                rest = re.sub(of_rates, "", " | ".join(said))
                assert not re.findall(r"(?i).{0,20}\b(?:positives?|negatives?)\b", rest)
            plt.close(drawn)
    # every sentence does; names of rates do not
    sites = np.where(np.arange(y.size) % 3, "North", "South")
    for more in ({}, {"sites": sites}, {"new_site": True}):
        said = evaluation_report(kinds, pos_label="malignant", **data, **more).to_markdown()
        rest = re.sub("(?i)(true|false) (positive|negative)|predicted positive rate", "", said)
        assert not re.findall(r"(?i).{20}\b(?:positives?|negatives?)\b", rest)


def test_names_of_other_classes_are_refused(samples):
    y, scores = samples
    with pytest.raises(ValueError, match="labels names 2, which is not one of the labels 0, 1"):
        evaluation_report(y.astype(int), scores["good"], labels={0: "benign", 2: "malignant"})
    frame = pd.DataFrame(np.eye(3)[np.arange(30) % 3], columns=["a", "b", "c"])
    with pytest.raises(ValueError, match="labels must not be given for more than two classes"):
        evaluation_report(frame.columns[np.arange(30) % 3], frame, labels=("a", "b"))


# ---------------------------------------------------------------------- nobody positive


def test_a_report_is_written_where_a_model_predicts_nobody_positive(rare, tmp_path):
    report = evaluation_report(*rare)
    assert report.to_frame("decision")["threshold"].isin([np.inf]).any()
    text = report.to_markdown(tmp_path / "report.md")
    assert "nan" not in text.lower().replace("covariance", "")


def test_predicting_nobody_positive_is_said_in_words_and_its_rates_are_certain(rare):
    y, scores = rare
    report = evaluation_report(y, {"useless": scores["useless"]}, groups=np.arange(600) % 2)
    assert "If nobody is predicted positive" in words_of(report, "The decision")
    assert "widened by the optimism" not in words_of(report, "The decision")
    assert "no threshold had a lower expected cost" in words_of(report, "For the paper")
    assert "In no group is anybody predicted positive" in words_of(report, "Groups")
    for title in ("Groups", "The decision", "For the paper"):
        assert "∞" not in words_of(report, title)
    names = [table.words for section in report.sections for table in section.tables]
    assert not any("∞" in name for name in names)
    row = report.to_frame("decision").iloc[0]
    assert row["tpr"] == 0
    assert np.isnan([row["tpr_lower"], row["tpr_upper"]]).all()


def test_models_that_cost_the_same_differ_by_nothing_that_chance_explains(rare):
    y, scores = rare
    report = evaluation_report(y, {name: scores[name] for name in ("useless", "constant")})
    text = words_of(report, "The decision")
    assert "is the same as that of" in text
    assert "Chance alone" not in text
    assert "-0" not in "".join(map(str, report.to_frame("cost_differences")["difference"]))


def test_predicting_everybody_positive_is_said_as_in_the_verdict(rare):
    y, scores = rare
    report = evaluation_report(y, scores["constant"], cost_fn=100, groups=np.arange(600) % 2)
    text = words_of(report, "The decision")
    assert "where everybody is predicted positive" in text
    assert "predicting everybody positive costs least" in text
    assert "100 % of the positives in a group are found" in words_of(report, "Groups")
    assert "separates both classes" not in words_of(report, "Calibration")
    assert "one point, and no curve" in words_of(report, "Calibration")


def test_costs_are_compared_as_if_thresholds_had_been_given(samples):
    caveat = "as if it had been given"
    assert caveat in words_of(evaluation_report(*samples, cost_fn=3), "The decision")
    given = evaluation_report(*samples, cost_fn=3, threshold=0.3)
    assert caveat not in words_of(given, "The decision")


def test_an_interval_stands_beside_a_value_only():
    frame = pd.DataFrame({"value": [np.nan], "lower": [0.1], "upper": [0.2]})
    table = Table("t", "T", frame, {"value": "value", "lower": "", "upper": ""})
    assert table.rows()[1] == ["–"]


@pytest.mark.parametrize(
    ("value", "expected"), [(np.nan, "–"), (-44.6, "−44.6"), (-0.0, "0"), (np.inf, "∞")]
)
def test_amounts_without_a_value_or_below_zero(value, expected):
    assert amount(value) == expected


# ---------------------------------------------------------------------- thresholds


def test_net_benefit_is_taken_at_a_given_threshold(samples):
    y, scores = samples
    report = evaluation_report(y, scores, threshold=0.4, cost_fn=9)
    expected = net_benefit_band(y, scores["good"], thresholds=0.4)
    row = report.to_frame("net_benefit").iloc[0]
    assert row["net_benefit"] == pytest.approx(float(expected.net_benefit[0]))
    difference = report.to_frame("benefit_differences")["difference"].iloc[0]
    other = net_benefit_band(y, scores["weak"], thresholds=0.4)
    assert difference == pytest.approx(float(other.net_benefit[0] - expected.net_benefit[0]))
    assert report.to_frame("summary")["net_benefit"].iloc[0] == pytest.approx(row["net_benefit"])
    text = words_of(report, "Net benefit")
    assert "The given threshold, 40.0 %, is taken as the threshold probability" in text
    assert "that of the given costs would be 10.0 %" in text
    assert "At a threshold probability of 40.0 %" in words_of(report, "For the paper")


def test_net_benefit_of_scores_stays_at_the_threshold_of_the_costs(samples):
    y, scores = samples
    both = {"score": 10 * scores["good"], "weak": scores["weak"]}
    report = evaluation_report(y, both, threshold=4.0, cost_fn=9, primary="score")
    assert "These costs correspond to a threshold probability of 10.0 %" in words_of(
        report, "Net benefit"
    )


def test_the_threshold_is_the_same_number_in_every_table(samples):
    report = evaluation_report(*samples, cost_fn=3)
    used = report.to_frame("decision")["threshold"].iloc[0]
    assert report.to_frame("threshold")["threshold"].iloc[0] == used


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_costs_give_a_threshold_to_calibrated_probabilities_only(prevalence):
    rng = np.random.default_rng(0)
    y = np.arange(200) < 8
    score = 1 / (1 + np.exp(-rng.normal(2.0 * y - 2)))
    report = evaluation_report(y, score, cost_fn=9, prevalence=prevalence)
    share = 0.04 if prevalence is None else prevalence
    # of calibrated probabilities p, the odds of the data are moved to those of the population
    odds = 1 / 9 * (1 - share) / share * 0.04 / 0.96
    said = re.search(r"the costs give one: (\S+) %", words_of(report, "The decision"))[1]
    assert float(said) == pytest.approx(100 * odds / (1 + odds), abs=0.05)
    no_probabilities = evaluation_report(y, 10 * score, cost_fn=9)
    assert "the costs give one" not in words_of(no_probabilities, "The decision")


# ---------------------------------------------------------------------- prevalence


def test_predictive_values_name_their_prevalence(samples):
    y, scores = samples
    report = evaluation_report(y, scores, prevalence=0.05, threshold=0.3)
    predicted = scores["good"] >= 0.3
    text = words_of(report, "The decision")
    assert "for a prevalence of 5.0 %, taken as known" in text
    assert f"PPV {100 * y[predicted].mean():.1f} %" in text
    assert "at a prevalence of 5.0 %" in words_of(report, "Net benefit")
    assert "a prevalence of 5.0 %" in words_of(report, "For the paper")
    without = evaluation_report(y, scores, threshold=0.3)
    assert "taken as known" not in words_of(without, "The decision")


# ---------------------------------------------------------------------- clusters and folds


@pytest.fixture(scope="module")
def clustered(samples):
    """Each sample four times, in clusters, and the same rows without clusters."""
    y, scores = samples
    y = np.repeat(y, 4)
    scores = {name: np.repeat(score, 4) for name, score in scores.items()}
    groups = np.repeat(np.arange(400) % 2, 4)
    more = {"groups": groups, "threshold": 0.3}
    return (
        evaluation_report(y, scores, **more),
        evaluation_report(y, scores, clusters=np.repeat(np.arange(400), 4), **more),
    )


def test_bands_of_figures_are_those_of_clusters(clustered):
    for name in ("reliability_1", "net_benefit"):
        areas = []
        for report in clustered:
            bands = []
            for axes in picture_of(report, name).axes:
                for band in axes.collections:
                    if isinstance(band, PolyCollection):
                        x, y = band.get_paths()[0].vertices.T
                        bands.append(abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2)
            areas.append(max(bands))
        assert areas[1] > 1.3 * areas[0], name


def test_rates_of_groups_in_figures_have_intervals_of_clusters(clustered):
    frames = [report.to_frame("groups") for report in clustered]
    width, of_clusters = (frame["tpr_upper"] - frame["tpr_lower"] for frame in frames)
    assert (of_clusters > 1.6 * width).all()
    lengths = []
    for report in clustered:
        axes = picture_of(report, "group_rates").axes[0]
        spans = [np.ptp(line.get_xdata().astype(float)) for line in axes.lines]
        for lines in axes.collections:
            if hasattr(lines, "get_segments"):
                spans += [np.ptp(segment[:, 0]) for segment in lines.get_segments()]
        lengths.append([span for span in spans if 0 < span < 0.5])
    assert np.median(lengths[1]) > 1.3 * np.median(lengths[0])


def test_methods_are_named_as_clusters_need_them(clustered):
    rows, report = clustered
    assert "DeLong" in words_of(rows, "Differences between models")
    for title in ("Differences between models", "For the paper"):
        assert "DeLong" not in words_of(report, title)
        assert "Obuchowski" in words_of(report, title)
    assert "clusters are worth" in words_of(report, "The decision")
    assert "clusters are worth" in words_of(report, "For the paper")
    assert "clusters are worth" not in words_of(rows, "The decision")
    assert "treat each row as one" not in words_of(report, "The data")


def test_methods_of_differences_are_named_only_where_there_are_some(samples):
    y, scores = samples
    more = {"groups": np.arange(400) % 2, "clusters": np.arange(400) // 2}
    assert "Newcombe" not in words_of(evaluation_report(y, scores, **more), "Groups")
    more["clusters"] = np.arange(400)
    assert "Newcombe" in words_of(evaluation_report(y, scores, **more), "Groups")
    prob = np.column_stack((scores["good"], scores["weak"], np.ones(400)))
    frame = pd.DataFrame(prob / prob.sum(axis=1, keepdims=True), columns=["a", "b", "c"])
    labels = np.array(["a", "b", "c"])[np.arange(400) % 3]
    for unit, is_named in ((np.arange(400) // 2, False), (np.arange(400), True)):
        report = evaluation_report(labels, frame, groups=more["groups"], clusters=unit)
        assert ("Newcombe" in words_of(report, "Groups")) == is_named
        assert "clusters are worth" in words_of(report, "The predictions")


def test_clusters_are_what_is_too_few_for_a_fixed_rate(samples):
    y, scores = samples
    clusters = np.arange(400) % 5
    report = evaluation_report(y, scores, at={"specificity": 0.9}, clusters=clusters)
    text = words_of(report, "Fixed sensitivity or specificity")
    assert "The clusters with negatives are too few" in text


def test_differences_over_folds_are_not_taken_from_the_pooled_area(samples):
    y, scores = samples
    folds = np.arange(400) % 5
    shifted = {name: score + 3 * (folds == 0) for name, score in scores.items()}
    report = evaluation_report(y, shifted, folds=folds)
    text = words_of(report, "For the paper")
    assert "On average of folds, the AUC differed from that of good" in text
    assert "The AUC differed" not in text
    assert "On average of folds" not in words_of(evaluation_report(y, scores), "For the paper")


# ---------------------------------------------------------------------- words


def test_items_of_the_checklist_are_those_that_the_page_answers(samples):
    y, scores = samples
    report = evaluation_report(y, scores)
    items = report.to_frame("tripod_ai")
    assert items["item"].tolist() == ["12e", "15", "21", "23a"]
    groups = np.arange(400) % 2
    more = evaluation_report(y, scores, groups=groups, describe={"age": np.arange(400)})
    items = more.to_frame("tripod_ai").set_index("item")["where"]
    assert "Groups" in items["23a"]
    assert items["20b"] == "Participants"
    sites = np.arange(400) % 4
    updated = evaluation_report(y, scores, sites=sites, new_site=True).to_frame("tripod_ai")
    found = ["12d", "12e", "12f", "15", "21", "23a", "23b", "24"]
    assert updated["item"].tolist() == found
    no_probabilities = evaluation_report(y, 10 * scores["good"]).to_frame("tripod_ai")
    assert not no_probabilities["where"].str.contains("Calibration|Net benefit").any()


def test_one_difference_between_groups_is_one():
    rng = np.random.default_rng(0)
    y = np.tile([False, True], 200)
    groups = np.repeat(["a", "b"], 200)
    score = rng.normal(np.where(groups == "a", 4.0, 0.2) * y)
    text = words_of(evaluation_report(y, score, groups=groups, threshold=-9.0), "Groups")
    assert "does not explain the difference in AUC of a and b" in text


def test_errors_of_a_ranking_are_of_a_number_of_samples():
    y = np.arange(60) < 12
    score = np.arange(60)[::-1].astype(float)
    score[10], score[35] = score[35], score[10]
    text = words_of(evaluation_report(y, score), "Ranking")
    assert "of the 12 samples of the smaller class" in text
    assert "1 samples" not in text


def test_what_the_same_samples_chose_will_not_surely_cost_more(samples):
    y, scores = samples
    text = words_of(evaluation_report(y, scores, threshold=0.9, cost_fn=3), "The decision")
    assert "is expected to cost more on new ones" in text


def test_moved_log_odds_have_a_minus():
    prob = np.array([0.0, 0.2, 0.4, 0.3, 0.8, 0.7, 1.0, 0.6])
    summary = calibration_summary([0, 0, 1, 0, 1, 0, 1, 1], prob)
    assert "-" not in " ".join(summary.reasons).replace("log-odds", "")


@pytest.mark.parametrize("blank", ["", "  "])
def test_blank_names_of_groups_are_missing(blank):
    y = np.tile([0, 1], 20)
    groups = np.where(np.arange(40) < 20, "a", blank)
    with pytest.raises(ValueError, match="groups must not hold missing labels; 20 do"):
        evaluation_report(y, np.linspace(0, 1, 40), groups=groups)
    with pytest.raises(ValueError, match="groups must not hold missing labels; 20 do"):
        rank_groups(y, np.linspace(0, 1, 40), groups)
