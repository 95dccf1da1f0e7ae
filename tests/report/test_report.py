"""The report: it has the numbers of the core, names them in sentences, and is a single file."""

import re

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import rocviz
from rocviz import evaluation_report
from rocviz.core.calibration import calibration_summary
from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.comparison import compare_folds
from rocviz.core.curve_spaces import net_benefit_band
from rocviz.core.decisions import threshold_interval
from rocviz.core.groups import group_summary

MARKUP_NAME = "<b>a & b</b>"


@pytest.fixture(scope="module")
def samples():
    """Three models on 400 samples, two of them with probabilities, in two groups and five folds."""
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    first, second = (1 / (1 + np.exp(-rng.normal(2.0 * y - 1.5, 1.2))) for _ in range(2))
    return {
        "y_true": np.where(y, "ill", "well"),
        "y_score": {"forest": first, MARKUP_NAME: second**2, "raw": 10 * rng.normal(y)},
        "groups": np.where(rng.random(400) < 0.4, "young", "old"),
        "folds": np.arange(400) % 5,
        "pos_label": "ill",
    }


@pytest.fixture(scope="module")
def report(samples):
    return evaluation_report(**samples, cost_fp=1, cost_fn=4, prevalence=0.2)


def test_tests_of_calibration_are_not_drawn_for_the_comparison_of_areas(report):
    assert np.isnan(report.data.comparison.calibration_p).all()
    assert report.to_frame("differences")["p_value"].notna().all()


def test_sections_follow_the_arguments(report, samples):
    titles = [section.title for section in report.sections]
    assert titles == [
        "Summary",
        "The decision",
        "Calibration",
        "Net benefit",
        "Groups",
        "For the paper",
        "The data",
        "Ranking",
        "Differences between models",
        "Stability over folds",
    ]
    is_appendix = [section.is_appendix for section in report.sections]
    assert is_appendix == [False] * 6 + [True] * 4
    alone = evaluation_report(samples["y_true"], samples["y_score"]["raw"], pos_label="ill")
    assert [section.title for section in alone.sections] == [
        "Summary",
        "The decision",
        "Calibration",
        "For the paper",
        "The data",
        "Ranking",
    ]
    assert repr(alone) == "EvaluationReport: 400 samples, 1 model, 6 sections"
    names = {"summary", "scores", "ranking", "decision", "threshold", "tripod_ai"}
    assert set(alone.tables) == names


def test_tables_have_the_numbers_of_the_core(report, samples):
    y = samples["y_true"] == "ill"
    scores = samples["y_score"]
    ranked = {name: rocviz.RankedSegments.from_scores(y, score) for name, score in scores.items()}
    ranking = report.to_frame("ranking").set_index("model")
    for name, segments in ranked.items():
        interval = rocviz.auc_interval(segments)
        row = ranking.loc[name]
        assert row[["auc", "lower", "upper"]].tolist() == pytest.approx(
            [interval.auc, interval.lower, interval.upper], rel=1e-12
        )
    decision = report.to_frame("decision").set_index("model")
    for name, segments in ranked.items():
        point = segments.optimal_point(1, 4, 0.2)
        assert decision.loc[name, "threshold"] == point.threshold
        assert decision.loc[name, "cost_per_1000"] == 1000 * point.expected_cost(1, 4, 0.2)
    calibration = report.to_frame("calibration").set_index("model")
    assert set(calibration.index) == {"forest", MARKUP_NAME}
    assert calibration.loc["forest", "brier"] == brier_decomposition(ranked["forest"]).brier
    best = ranking["auc"].idxmax()
    chosen = threshold_interval(y, scores[best], cost_fn=4, prevalence=0.2)
    expected = chosen.to_frame().assign(threshold=decision.loc[best, "threshold"])
    assert report.to_frame("threshold").iloc[0].to_dict() == expected.iloc[0].to_dict()
    band = net_benefit_band(ranked["forest"], thresholds=0.2, prevalence=0.2)
    benefit = report.to_frame("net_benefit").set_index("model").loc["forest"]
    assert (benefit["net_benefit"], benefit["upper"]) == (band.net_benefit[0], band.upper[0])
    slope = calibration_summary(ranked["forest"]).slope
    assert calibration.loc["forest", ["slope", "slope_lower"]].tolist() == [
        slope.value,
        slope.lower,
    ]
    scores = {name: scores[name] for name in report.data.names}  # the primary model first
    pairs = compare_folds(y, scores, samples["folds"]).pairs()
    np.testing.assert_allclose(report.to_frame("differences")["p_holm"], pairs["p_holm"])
    together = evaluation_report(y, scores)
    pairs = rocviz.compare_classifiers(y, scores, n_resamples=0).pairs()
    np.testing.assert_allclose(together.to_frame("differences")["p_holm"], pairs["p_holm"])
    summary = group_summary(
        y, scores[best], samples["groups"], threshold=decision.loc[best, "threshold"]
    )
    of_groups = report.to_frame("groups")
    pd.testing.assert_frame_equal(of_groups[summary.to_frame().columns], summary.to_frame())
    assert of_groups.columns[-1] == "slope_upper"
    with pytest.raises(ValueError, match=r"name must be one of summary, .*'rank'"):
        report.to_frame("rank")


def test_sentences_name_the_numbers(report, samples):
    texts = {section.title: " ".join(section.text) for section in report.sections}
    n_ill = int((samples["y_true"] == "ill").sum())
    assert f"400 samples, of which {n_ill} are ill" in texts["The data"]
    ranking = report.to_frame("ranking")
    assert f"probability {ranking['auc'].max():.3f}" in texts["Ranking"]
    decision = report.to_frame("decision").set_index("model")
    best = ranking.set_index("model")["auc"].idxmax()
    assert "A miss costs 4 times as much" in texts["The decision"]
    threshold = decision.loc[best, "threshold"]
    assert f"best threshold of {best} is {threshold:.3f}" in texts["The decision"]
    assert f"probability of {100 / 5:.1f} %" in texts["Net benefit"]
    paper = texts["For the paper"]
    assert f"({ranking.set_index('model').loc[best, 'lower']:.3f}" not in paper
    assert f"interval {ranking.set_index('model').loc[best, 'lower']:.3f} to" in paper
    assert f"sensitivity was {100 * decision.loc[best, 'tpr_corrected']:.1f} %" in paper


def test_costs_that_were_not_stated_are_reported_as_equal(samples):
    report = evaluation_report(samples["y_true"], samples["y_score"]["forest"], pos_label="ill")
    sections = {section.title: section for section in report.sections}
    assert "No costs were stated" in sections["The decision"].text[0]
    assert "equal costs, as none were stated" in sections["Summary"].verdict
    none = evaluation_report(
        samples["y_true"], 1 - samples["y_score"]["forest"], pos_label="ill", cost_fn=0.01
    )
    assert "predicting ill for nobody costs least" in none.sections[0].verdict
    # the page is written all the same, and says it as the verdict does
    page = none._repr_html_()
    assert "If a false alarm costs 100 times as much as a miss" in page
    assert "A false alarm costs 100 times as much as a miss." in page


def test_weights_count_as_repetitions(samples):
    y = samples["y_true"]
    score = samples["y_score"]["forest"]
    times = np.arange(400) % 3
    weighted = evaluation_report(y, score, sample_weight=times, pos_label="ill")
    repeated = evaluation_report(np.repeat(y, times), np.repeat(score, times), pos_label="ill")
    columns = ["auc", "lower", "upper", "average_precision"]
    pd.testing.assert_frame_equal(
        weighted.to_frame("ranking")[columns], repeated.to_frame("ranking")[columns]
    )
    assert "weighted: " in " ".join(weighted.sections[0].facts)


def test_parts_with_one_class_are_named_and_left_out(samples):
    groups = samples["groups"].astype(object)
    groups[np.flatnonzero(samples["y_true"] == "well")[:3]] = "tiny"
    folds = np.where(samples["y_true"] == "well", 0, 1)
    arguments = {**samples, "groups": groups, "folds": folds}
    sections = {section.title: section for section in evaluation_report(**arguments).sections}
    assert "one class only: tiny." in sections["Groups"].text[-1]
    assert sections["Stability"].text == ["Fewer than two folds hold samples of both classes."]


def test_segments_without_samples_are_reported(samples):
    y = samples["y_true"] == "ill"
    scores = samples["y_score"]
    pieces = {
        name: rocviz.RankedSegments.from_partitions(
            (y[part], scores[name][part]) for part in (slice(0, 150), slice(150, 400))
        )
        for name in ("forest", "raw")
    }
    report = evaluation_report(pieces, cost_fn=4)
    assert "counted by score" in " ".join(report.sections[0].facts)
    whole = evaluation_report(y, {name: scores[name] for name in pieces}, cost_fn=4)
    columns = ["auc", "lower", "upper"]
    pd.testing.assert_frame_equal(
        report.to_frame("ranking")[columns], whole.to_frame("ranking")[columns]
    )
    coarse = {
        name: rocviz.RankedSegments.from_partitions([(y, scores[name])], max_segments=20)
        for name in pieces
    }
    row = evaluation_report(coarse).to_frame("ranking").iloc[0]
    low, high = (float(end) for end in row["auc_text"].split(" to "))
    assert low <= pieces["forest"].auc <= high
    assert np.isnan(row["lower"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_score": None}, "y_score must be given"),
        ({"y_score": {}}, "y_score is empty"),
        ({"y_score": {"a": [1.0, 2.0]}}, r"y_score\['a'\]"),
        ({"groups": ["a"] * 400}, "groups must have at least two different values"),
        ({"folds": [None] * 400}, "folds"),
        ({"folds": np.ones((400, 2))}, "folds must be one-dimensional"),
        ({"y_true": {}, "y_score": None, "groups": None, "folds": None}, "empty mapping"),
        ({"y_true": {"a": 1}, "y_score": None, "groups": None, "folds": None}, "RankedSegments"),
        ({"y_true": {"a": 1}}, "must not be given beside ranked segments"),
    ],
)
def test_bad_input_is_refused_by_name(samples, change, message):
    with pytest.raises(ValueError, match=message):
        evaluation_report(**{**samples, **change})


# ---------------------------------------------------------------------- pages


def test_the_page_needs_no_other_file(report, tmp_path):
    path = report.to_html(tmp_path / "report.html", live=False)
    page = path.read_text("utf-8").replace("\u00a0", " ")
    assert not re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', page)
    assert "http" not in re.sub(r"data:image/svg\+xml;base64,[^\"]*", "", page)
    assert MARKUP_NAME not in page
    assert "&lt;b&gt;a &amp; b&lt;/b&gt;" in page
    assert "<script" not in page  # where nothing moves
    pictures = [picture for section in report.sections for picture in section.pictures]
    assert page.count("<figure") == len(pictures)
    for picture in pictures:
        assert picture.words.split(" of ")[0] in page
    assert f"rocviz {rocviz.__version__}" in page
    with pytest.raises(ValueError, match=r"path must end in \.html"):
        report.to_html(tmp_path / "report.pdf")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_markdown_has_all_tables_and_figures(report, tmp_path):
    text = report.to_markdown(tmp_path / "report.md")
    assert text == (tmp_path / "report.md").read_text("utf-8")
    assert MARKUP_NAME not in text
    linked = re.findall(r"\]\((report_figures/\S+\.png)\)", text)
    assert sorted(linked) == sorted(
        f"report_figures/{file.name}" for file in (tmp_path / "report_figures").iterdir()
    )
    rows = [line for line in text.splitlines() if line.startswith("|")]
    tables = [table for section in report.sections for table in section.tables]
    assert len(rows) == sum(len(table.rows()) + 1 for table in tables)  # and a rule
    assert {table.name for table in tables} == set(report.tables)
    assert "![" not in report.to_markdown()
    with pytest.raises(ValueError, match=r"path must end in \.md"):
        report.to_markdown(tmp_path / "report.txt")


@pytest.mark.slow  # draws all figures with another setting
def test_no_figure_needs_latex(samples, monkeypatch, tmp_path):
    """The user's settings may ask for LaTeX, which takes names for commands and may be missing."""

    def no_latex(*_arguments):
        raise RuntimeError("Failed to process string with tex because latex could not be found")

    monkeypatch.setattr("matplotlib.texmanager.TexManager.make_dvi", no_latex)
    report = evaluation_report(**{**samples, "y_score": {"$x_{$": samples["y_score"]["forest"]}})
    with mpl.rc_context({"text.usetex": True}):
        report.to_html(tmp_path / "a.html", live=False)
        report.to_markdown(tmp_path / "a.md")
        for figure in report.figures.values():
            figure.canvas.draw()


def test_figures_are_drawn_by_name(samples):
    report = evaluation_report(samples["y_true"], samples["y_score"]["forest"], pos_label="ill")
    assert set(report.figures) == {"roc", "reliability_1", "net_benefit"}


def test_figures_and_tables_have_the_same_prevalence(report):
    """The curves of the figures pass through the values that the tables give."""
    drawn = report.figures
    benefit = report.to_frame("net_benefit").set_index("model")["net_benefit"]
    lines = drawn["net_benefit"].axes[0].get_lines()
    shares = [
        float(np.interp(0.2, *line.get_data())) for line in lines if len(line.get_xdata()) > 9
    ]
    for value in benefit:
        assert min(abs(value - share) for share in shares) < 0.005
    texts = " ".join(text.get_text() for text in drawn["group_rates"].axes[0].texts)
    assert "young" in texts
    assert "old" in texts


def test_few_samples_are_explained_by_chance():
    report = evaluation_report([0, 0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.1, 0.3, 0.3, 0.7, 0.8])
    texts = {section.title: " ".join(section.text) for section in report.sections}
    assert "Chance alone can explain" in texts["Calibration"]
    assert "∞" not in texts["For the paper"]  # the slope of classes that a score separates
    assert "inf" not in report.to_markdown()


@pytest.mark.slow  # draws all figures twice
def test_long_names_make_no_figure_wider(samples):
    """A figure as wide as the page is read on a telephone and on paper."""
    long = {f"{name} of all variables of the hospital": s for name, s in samples["y_score"].items()}
    groups = np.where(samples["groups"] == "old", "old people of all hospitals", "young")
    report = evaluation_report(**{**samples, "y_score": long, "groups": groups}, prevalence=0.1)
    assert {"groups", "group_rates"} <= set(report.figures)
    for name, figure in report.figures.items():
        assert figure.get_figwidth() < 7.5, name


def test_calibration_says_what_limits_its_numbers():
    rng = np.random.default_rng(0)
    p = rng.beta(1, 20, 150)
    y = rng.random(150) < p
    p[:2] = 0
    y[:2] = [True, False]
    text = evaluation_report(y, p).to_markdown()
    assert "2 predictions of exactly 0 or 1 were moved" in text
    assert "A prediction of exactly 0 proved wrong" in text
    assert "only a shift and a slope of calibration can be judged" in text
    plain = rng.beta(1, 2, 300)
    text = evaluation_report(rng.random(300) < plain, plain).to_markdown()
    assert "moved to log-odds" not in text
    assert "can be judged" not in text


def test_the_slope_of_separated_classes_is_bounded_in_words():
    p = np.array([0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
    text = evaluation_report(p > 0.5, p).to_markdown()
    assert "separates both classes: the slope is at least" in text
    assert "slope is inf" not in text
    assert "slope was inf" not in text
    assert "fewer than five of the rarer class" in text.lower()
