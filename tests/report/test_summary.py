"""The first page of a report: one row for each model, the verdict, and the counts as cards."""

import re

import numpy as np
import pandas as pd
import pytest

from rocviz import RankedSegments, compare_classifiers, evaluation_report
from rocviz.core.curve_spaces import average_precision
from rocviz.core.roc import ConfusionTable, predictive_values
from rocviz.report.cards import rate_at_threshold
from rocviz.report.section import Estimate, Measure, Picture, Section, Table, result_and_appendix
from rocviz.report.summary import phrase_of_differences

pytestmark = pytest.mark.usefixtures("few_resamples")


@pytest.fixture(scope="module")
def samples():
    """Labels of 400 samples, and three models that rank them well, nearly as well, and not."""
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.3
    scores = {}
    for name, separation in (("random", 0.0), ("good", 2.0), ("rival", 1.9)):
        scores[name] = 1 / (1 + np.exp(-rng.normal(separation * y - 1.2)))
    return y, scores


@pytest.fixture(scope="module")
def report(samples):
    return evaluation_report(*samples, cost_fn=4)


@pytest.fixture(scope="module")
def page(report):
    """The page as a notebook shows it."""
    return report._repr_html_()


def ends(frame, name, key):
    row = frame.set_index("model").loc[name]
    return [row[key], row[f"{key}_lower"], row[f"{key}_upper"]]


def test_the_primary_model_comes_first_with_the_numbers_of_the_core(samples, report):
    y, scores = samples
    frame = report.to_frame("summary")
    assert frame["model"].tolist()[0] == report.data.primary_model == "good"
    assert list(report.data.rankings) == frame["model"].tolist() == ["good", "random", "rival"]
    ranking = report.to_frame("ranking").set_index("model")
    benefit = report.to_frame("net_benefit").set_index("model")
    for name, score in scores.items():
        expected = average_precision(y, score)
        assert ends(frame, name, "average_precision") == pytest.approx(
            [expected.value, expected.lower, expected.upper]
        )
        area = ranking.loc[name, ["auc", "lower", "upper"]].tolist()
        assert ends(frame, name, "auc") == pytest.approx(area)
        net = benefit.loc[name, ["net_benefit", "lower", "upper"]].tolist()
        assert ends(frame, name, "net_benefit") == pytest.approx(net)


def test_brier_scores_have_the_intervals_of_a_mean(samples, report):
    y, scores = samples
    square = (scores["good"] - y) ** 2
    half = 1.96593 * square.std(ddof=1) / np.sqrt(y.size)  # Student's quantile, 399 degrees
    assert ends(report.to_frame("summary"), "good", "brier") == pytest.approx(
        [square.mean(), square.mean() - half, square.mean() + half], rel=1e-5
    )


def test_the_scaled_brier_score_varies_as_over_resamples(samples, report):
    y, scores = samples
    rng = np.random.default_rng(0)
    resampled = []
    for _ in range(2000):
        rows = rng.integers(y.size, size=y.size)
        share = y[rows].mean()
        resampled.append(1 - ((scores["good"][rows] - y[rows]) ** 2).mean() / (share * (1 - share)))
    value, lower, upper = ends(report.to_frame("summary"), "good", "scaled_brier")
    share = y.mean()
    assert value == pytest.approx(1 - ((scores["good"] - y) ** 2).mean() / (share * (1 - share)))
    assert (upper - lower) / 3.93 == pytest.approx(np.std(resampled), rel=0.1)


def test_counts_by_score_give_the_same_row_as_samples(samples):
    y, scores = samples
    times = 1 + np.arange(y.size) % 3
    weighted = evaluation_report(y, scores["good"], sample_weight=times)
    ranking = RankedSegments.from_scores(y, scores["good"], sample_weight=times)
    counted = evaluation_report({"score": ranking})
    repeated = evaluation_report(np.repeat(y, times), np.repeat(scores["good"], times))
    for other in (counted, repeated):
        pd.testing.assert_frame_equal(weighted.to_frame("summary"), other.to_frame("summary"))


def test_differences_stand_at_the_names_with_corrected_p(samples, report):
    y, scores = samples
    (table,) = [table for table in report.sections[0].tables if table.name == "summary"]
    assert table.remarks["good"] == "chosen: best AUC"
    pairs = compare_classifiers(y, {name: scores[name] for name in ("good", "random")}).pairs()
    gap = abs(pairs["difference"].iloc[0])
    assert table.remarks["random"] == f"−{gap:.3f}, p < 0.001"
    assert re.fullmatch(r"−0\.\d+, p = 0\.\d+", table.remarks["rival"])
    named = evaluation_report(y, scores, primary="random")
    (table,) = named.sections[0].tables
    assert table.remarks["random"] == "named as primary"
    assert table.remarks["good"] == f"+{gap:.3f}, p < 0.001"


@pytest.mark.parametrize(
    ("differences", "p_values", "expected", "refused"),
    [
        ([-0.1, -0.2], [0.01, 0.02], "ranks better than all others", "clearly"),
        ([-0.1, -0.2], [0.01, 0.2], "is not clearly better or worse than b", "all others"),
        ([-0.1], [0.01], "ranks better than a", "all"),
        ([0.1, -0.2], [0.01, 0.01], "ranks better than b and ranks worse than a", "clearly"),
        ([-0.1, -0.2], [np.nan, 0.01], "ranks better than b", "all others"),
        ([-0.1], [np.nan], "was not tested", "better"),
        ([-0.1, -0.2], [0.3, 0.4], "is not clearly better or worse than a and b", "all"),
    ],
)
def test_better_than_all_others_needs_every_test(differences, p_values, expected, refused):
    frame = pd.DataFrame({"model": list("ab")[: len(p_values)], "difference": differences})
    phrase = phrase_of_differences(frame.assign(p_holm=p_values))
    assert expected in phrase
    assert refused not in phrase


def test_the_verdict_names_the_models_that_are_clearly_worse(samples, report):
    verdict = report.sections[0].verdict
    assert "ranks better than random and is not clearly better or worse than rival" in verdict
    point = report.data.operating_points["good"]
    assert f"of {point.n_pos:.0f} positives {point.tp:.0f} are found" in verdict
    y, scores = samples
    assert "predicting nobody positive costs least" in (
        evaluation_report(y, scores["random"], cost_fn=0.01).sections[0].verdict
    )
    lowest = scores["random"].copy()
    lowest[np.flatnonzero(y)[0]] = 1e-3
    everybody = evaluation_report(y, lowest, cost_fn=1000).sections[0].verdict
    assert "predicting everybody positive costs least" in everybody


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: p**3, "too low on average"),
        (lambda p: p ** (1 / 3), "too high on average"),
        (lambda p: 1 / (1 + ((1 - p) / p) ** 3), "too extreme"),
        (lambda p: 1 / (1 + ((1 - p) / p) ** 0.3), "too close together"),
        (lambda p: p, "no sign of miscalibration"),
        (lambda p: 9 * p, "no probabilities"),
    ],
)
def test_the_verdict_judges_calibration(change, words):
    rng = np.random.default_rng(1)
    p = rng.beta(1, 1, 1000)
    y = rng.random(1000) < p
    assert words in evaluation_report(y, change(p)).sections[0].verdict


# ---------------------------------------------------------------------- cards


def cards_of(report):
    (section,) = [section for section in report.sections if section.title == "The decision"]
    return section


def test_cards_count_every_sample_once(samples, report):
    y, _ = samples
    counts = [float(card.count.split()[0]) for card in cards_of(report).cards]
    point = report.data.operating_points["good"]
    assert counts == [point.tp, point.fn, point.fp, point.tn]
    assert sum(counts) == y.size


def test_rates_are_corrected_only_where_these_samples_chose_the_threshold(samples, report):
    y, scores = samples
    section = cards_of(report)
    chosen = " ".join(line for card in section.cards for line in card.lines)
    assert chosen.count("on new samples") == 4
    assert any("chosen on these samples" in warning for warning in section.warnings)
    given = cards_of(evaluation_report(y, scores["good"], threshold=0.4))
    lines = " ".join(line for card in given.cards for line in card.lines)
    assert "new samples" not in lines
    assert lines.count("95 % CI") == 4
    assert list(given.warnings) == []


def test_predictive_values_are_corrected_with_both_rates(samples):
    y, scores = samples
    data = evaluation_report(y, {"good": scores["good"]}, cost_fn=4).data
    point = data.operating_points["good"]
    rate = rate_at_threshold(data, "good", "ppv")
    assert rate.apparent == point.tp / (point.tp + point.fp)
    sensitivity = data.corrected_rate("good", "tpr").corrected
    specificity = data.corrected_rate("good", "tnr").corrected
    found = sensitivity * point.n_pos
    alarms = (1 - specificity) * point.n_neg
    assert rate.corrected == pytest.approx(found / (found + alarms))
    assert rate.lower < rate.corrected < rate.apparent < rate.upper


def test_predictive_values_are_those_of_the_intended_prevalence(samples):
    y, scores = samples
    data = evaluation_report(y, {"good": scores["good"]}, threshold=0.4, prevalence=0.05).data
    predicted = scores["good"] >= 0.4
    table = ConfusionTable(
        tp=(predicted & y).sum(),
        fp=(predicted & ~y).sum(),
        fn=(~predicted & y).sum(),
        tn=(~predicted & ~y).sum(),
    )
    expected = predictive_values(table, prevalence=0.05)
    rate = rate_at_threshold(data, "good", "npv")
    assert (rate.apparent, rate.lower, rate.upper) == pytest.approx(
        (expected.npv, expected.npv_lower, expected.npv_upper)
    )


# ---------------------------------------------------------------------- tables, and the page


def test_ends_of_intervals_stand_beside_their_value():
    frame = pd.DataFrame({"a": [0.5], "lower": [0.25], "upper": [np.nan], "p": [0.1]})
    headings = {"a": "value", "lower": "", "upper": "", "p": "p"}
    assert Table("t", "T", frame, headings).rows() == [["value (95 % CI)", "p"], ["0.500", "0.100"]]
    full = frame.assign(upper=0.75)
    assert Table("t", "T", full, headings).rows()[1] == ["0.500 (0.250 to 0.750)", "0.100"]


def test_measures_share_a_scale_and_ratios_are_no_shares():
    frame = pd.DataFrame(
        {"m": ["a", "b"], "x": [0.996, 2.0], "x_lower": [0.5, np.nan], "x_upper": [1.5, np.nan]}
    )
    table = Table("t", "T", frame, {"m": "model"}, measures={"x": Measure("ratio", 2, ideal=1.0)})
    (_, first), (_, second) = table.cells()
    assert isinstance(first, Estimate)
    assert first.limits == second.limits == (0.5, 2.0)
    assert table.rows() == [["model", "ratio"], ["a", "1.00 (0.50 to 1.50)"], ["b", "2.00"]]


def test_the_page_draws_a_mark_for_each_interval(report, page):
    results, appendix = result_and_appendix(report.sections)
    n_intervals = 0
    for section in [*results, *appendix]:
        for table in section.tables:
            for row in table.cells():
                n_intervals += sum(isinstance(cell, Estimate) and cell.ends != "" for cell in row)
    assert n_intervals > 20
    assert page.count('<svg class="mark"') == n_intervals
    for x in re.findall(r'<circle cx="([-\d.]+)"', page):
        assert 0 <= float(x) <= 110


def test_sections_are_divided_into_results_and_appendix(report, page):
    results, appendix = result_and_appendix(report.sections)
    for kind in ("tables", "pictures"):
        parts = [*results, *appendix]
        shown = [one.name for section in parts for one in getattr(section, kind)]
        made = [one.name for section in report.sections for one in getattr(section, kind)]
        assert sorted(shown) == sorted(made)
        assert len(set(shown)) == len(shown)
    closed = page.index("<details")
    assert page.index("For the paper") < closed < page.index("Ranking</h2>")
    assert "<script" not in page  # of a notebook's output


def test_a_section_without_details_has_no_appendix():
    picture = Picture("p", "P", lambda _: None, is_appendix=True)
    assert Section("A", ["words"]).in_appendix is None
    assert Section("A", [], is_appendix=True).in_result is None
    both = Section("A", ["words"], pictures=[picture], details=["more"])
    assert list(both.in_result.pictures) == []
    assert (list(both.in_appendix.text), both.in_appendix.pictures) == (["more"], [picture])
