"""What a report concludes: only what intervals and tests of its numbers support."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score

from rocviz import RankedSegments, evaluation_report
from rocviz.core.decisions import threshold_interval
from rocviz.report import data
from rocviz.report.folds import pool_folds
from rocviz.report.section import Table, difference_table

pytestmark = pytest.mark.usefixtures("few_resamples")


def words_of(report, title):
    """Join the paragraphs of a section."""
    (section,) = [section for section in report.sections if section.title == title]
    return " ".join([section.verdict, *section.warnings, *section.text, *section.details])


def logistic(values):
    return 1 / (1 + np.exp(-values))


@pytest.fixture(scope="module")
def rng_samples():
    """Labels of 300 samples, and a score that ranks them well."""
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.3
    return y, logistic(rng.normal(2.0 * y - 1.5))


def test_groups_that_are_not_tested_are_not_explained_by_chance():
    y = np.array([0, 0, 0, 1, 1, 1] * 3)
    score = np.linspace(0, 1, 18)
    report = evaluation_report(y, score, groups=np.repeat(["a", "b"], 9))
    text = words_of(report, "Groups")
    assert report.to_frame("group_differences")["p_holm"].isna().all()
    assert "Chance alone" not in text
    assert "too few to test any difference" in text


@pytest.mark.parametrize(
    ("p_values", "expected", "refused"),
    [
        ([np.nan], "too few to test any", "Chance alone can"),
        ([0.4, np.nan], "that could be tested", "does not explain"),
        ([0.01, np.nan, np.nan], "2 differences could not be tested", "Chance alone can"),
        ([0.4], "Chance alone can explain", "could not be tested"),
        ([0.01], "does not explain the difference in AUC", "1 of"),
        ([0.01, 0.4], "does not explain 1 of the 2 differences in AUC", "could not be tested"),
    ],
)
def test_pairs_without_a_p_value_count_as_untested(p_values, expected, refused):
    pairs = pd.DataFrame({"model_a": "a", "model_b": "b", "difference": 0.1, "p_holm": p_values})
    pairs = pairs.assign(lower=0.0, upper=0.2, p_value=p_values)
    (text,), _ = difference_table(pairs, "AUC")
    assert expected in text
    assert refused not in text


def test_counts_are_written_without_decimals(rng_samples):
    y, score = rng_samples
    groups = np.where(np.cumsum(y) <= 8, "few", "many")
    (section,) = [
        part
        for part in evaluation_report(y, score, groups=groups).sections
        if part.title == "Groups"
    ]
    head, *rows = section.tables[0].rows()
    many = dict(zip(head, rows[0], strict=True))
    assert many["positives"] == f"{(groups[y] == 'many').sum()}"
    assert "few (8 positives," in " ".join(section.text)
    weights = Table("a", "A", pd.DataFrame({"n": [8.0, 7.5]}), {"n": "n"}, counts=("n",))
    assert weights.rows() == [["n"], ["8"], ["7.5"]]


def test_equal_costs_are_not_once_as_much(rng_samples):
    text = words_of(evaluation_report(*rng_samples, cost_fp=2, cost_fn=2), "The decision")
    assert "1 times" not in text
    assert "A miss costs as much as a false alarm" in text


@pytest.fixture(scope="module")
def several_models(rng_samples):
    """Four models, of which another one is best by AUC, Brier score and cost."""
    y, score = rng_samples
    rng = np.random.default_rng(5)
    other = logistic(rng.normal(1.8 * y - 1.5))
    return y, {"overconfident": score**5, "ranks well": score, "rival": other, "raw": 9 * other}


@pytest.mark.parametrize("primary", ["overconfident", "rival", "raw"])
def test_every_section_speaks_of_the_model_that_was_named(several_models, primary):
    y, scores = several_models
    report = evaluation_report(y, scores, primary=primary, folds=np.arange(y.size) % 5, cost_fn=3)
    others = set(scores) - {primary}
    assert primary in words_of(report, "The data")
    for title in ("Ranking", "The decision", "Net benefit", "Stability over folds"):
        (section,) = [section for section in report.sections if section.title == title]
        first_words = section.text[0]
        assert primary in first_words, title
        assert not any(name in first_words for name in others), title
    assert f"of {primary} " in words_of(report, "For the paper")
    calibration = report.to_frame("calibration").set_index("model")
    first_words = words_of(report, "Calibration")
    if primary in calibration.index:
        assert f"Brier score of {primary} is {calibration.loc[primary, 'brier']:.3f}" in first_words
    else:
        assert "cannot be read as probabilities" in first_words


def test_without_a_name_the_best_by_auc_is_primary_and_said_to_be_chosen(several_models):
    y, scores = several_models
    chosen = evaluation_report(y, scores, cost_fn=3)
    best = chosen.to_frame("ranking").set_index("model")["auc"].idxmax()
    assert chosen.data.primary_model == best
    assert f"{best}, which has the greatest AUC" in words_of(chosen, "The data")
    named = evaluation_report(y, scores, cost_fn=3, primary="rival")
    assert "greatest AUC" not in words_of(named, "The data")
    alone = evaluation_report(y, scores["rival"])
    assert "primary" not in words_of(alone, "The data")


def test_a_primary_model_that_is_missing_is_refused(several_models):
    y, scores = several_models
    with pytest.raises(ValueError, match=r"primary must be one of .*rival.*got 'river'"):
        evaluation_report(y, scores, primary="river")


def test_a_primary_model_of_several_classes():
    rng = np.random.default_rng(2)
    labels = np.array(["cat", "dog", "owl"])
    code = np.arange(240) % 3
    tables = {}
    for name, weight in (("clear", 1.0), ("vague", 0.4)):
        prob = rng.dirichlet([1, 1, 1], 240) + weight * np.eye(3)[code]
        tables[name] = pd.DataFrame(prob / (1 + weight), columns=labels)
    report = evaluation_report(labels[code], tables, primary="vague")
    accuracy = report.to_frame("predictions").set_index("model").loc["vague", "accuracy"]
    assert f"by vague is right for {100 * accuracy:.1f} %" in words_of(report, "The predictions")
    assert "clear, which has the greatest" in words_of(
        evaluation_report(labels[code], tables), "The data"
    )


# ---------------------------------------------------------------------- differences of models


def test_costs_least_only_where_paired_intervals_say_so(several_models):
    y, scores = several_models
    alike = {"first": scores["ranks well"], "second": scores["rival"]}
    text = words_of(evaluation_report(y, alike, cost_fn=3), "The decision")
    assert "costs least" not in text.replace("nobody positive costs least", "")
    assert "Chance alone can explain how the expected cost" in text
    rng = np.random.default_rng(0)
    apart = {"good": scores["ranks well"], "random": rng.random(y.size)}
    report = evaluation_report(y, apart, cost_fn=3)
    assert "Of the two models, good costs least" in words_of(report, "The decision")
    assert "good has the lowest Brier score" in words_of(report, "Calibration")
    assert "good has the greatest net benefit" in words_of(report, "Net benefit")
    worse = evaluation_report(y, apart, cost_fn=3, primary="random")
    assert "random costs least" not in words_of(worse, "The decision")
    assert "that of good is lower by" in words_of(worse, "The decision")


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_differences_of_costs_are_those_of_the_table_with_paired_intervals(
    several_models, prevalence
):
    y, scores = several_models
    report = evaluation_report(
        y, scores, cost_fp=2, cost_fn=6, prevalence=prevalence, primary="rival"
    )
    cost = report.to_frame("decision").set_index("model")["cost_per_1000"]
    differences = report.to_frame("cost_differences").set_index("model")
    primary = report.data.primary_model
    for name, row in differences.iterrows():
        assert row["difference"] == pytest.approx(cost[name] - cost[primary], abs=1e-9)
        assert row["lower"] <= row["difference"] <= row["upper"]
    resampled = []
    rng = np.random.default_rng(0)
    name = "overconfident"
    thresholds = report.to_frame("decision").set_index("model")["threshold"]
    pi = y.mean() if prevalence is None else prevalence
    for _ in range(2000):
        rows = rng.integers(y.size, size=y.size)
        share = y[rows].mean() if prevalence is None else pi
        costs = []
        for model in (name, primary):
            predicted = scores[model][rows] >= thresholds[model]
            misses = (~predicted[y[rows]]).mean()
            alarms = predicted[~y[rows]].mean()
            costs.append(1000 * (6 * share * misses + 2 * (1 - share) * alarms))
        resampled.append(costs[0] - costs[1])
    width = differences.loc[name, "upper"] - differences.loc[name, "lower"]
    assert width / 3.92 == pytest.approx(np.std(resampled), rel=0.15)


def test_differences_of_brier_scores_are_paired(several_models):
    y, scores = several_models
    differences = (
        evaluation_report(y, scores, primary="rival")
        .to_frame("brier_differences")
        .set_index("model")
    )
    loss = (scores["overconfident"] - y) ** 2 - (scores["rival"] - y) ** 2
    row = differences.loc["overconfident"]
    assert row["difference"] == pytest.approx(loss.mean())
    assert row["upper"] - row["lower"] == pytest.approx(
        2 * 1.968 * loss.std(ddof=1) / np.sqrt(y.size), rel=1e-3
    )
    times = 1 + np.arange(y.size) % 2
    repeated = {name: np.repeat(score, times) for name, score in scores.items()}
    weighted = evaluation_report(y, scores, primary="rival", sample_weight=times)
    rows = evaluation_report(np.repeat(y, times), repeated, primary="rival")
    for name in ("brier_differences", "cost_differences", "benefit_differences"):
        pd.testing.assert_frame_equal(weighted.to_frame(name), rows.to_frame(name))


def test_folds_are_compared_fold_by_fold():
    """Of German credit: a model whose folds are on several scales is only worse when pooled."""
    rng = np.random.default_rng(0)
    y = rng.random(1000) < 0.3
    fold = np.arange(1000) % 10
    score = y + rng.normal(0, 1.2, 1000)
    shifted = y + rng.normal(0, 1.2, 1000) + rng.normal(0, 2, 10)[fold]
    scores = {"steady": score, "shifted": shifted}
    report = evaluation_report(y, scores, folds=fold)
    text = words_of(report, "Differences between models")
    assert "Chance alone can explain" in text
    row = report.to_frame("differences").iloc[0]
    assert row["lower"] < 0 < row["upper"]
    stability = words_of(report, "Stability over folds")
    assert "Of shifted both AUCs differ by more than chance" in stability
    folds = report.to_frame("folds").set_index("model")
    assert folds.loc["shifted", "pooled"] < folds.loc["shifted", "mean_auc"] - 0.05
    named = evaluation_report(y, scores, folds=fold, primary="shifted")
    assert "not on one scale" in words_of(named, "Ranking")
    assert "not on one scale" not in words_of(report, "Ranking")


def test_few_folds_are_not_tested(several_models):
    y, scores = several_models
    text = words_of(
        evaluation_report(y, scores, folds=np.arange(y.size) % 3), "Differences between models"
    )
    assert "folds are too few" in text
    assert "Chance" not in text


def test_areas_of_folds_are_those_of_the_core_with_ties_and_weights():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.3
    score = np.round(rng.normal(y), 1)
    fold = np.arange(300) % 4
    weight = rng.integers(1, 4, 300) / 7
    pooled = pool_folds(y, score, fold, weight)
    areas = []
    for rows in (fold >= 0, *(fold == k for k in range(4))):
        segments = RankedSegments.from_scores(y[rows], score[rows], sample_weight=weight[rows])
        areas.append(segments.auc)
    assert pooled.pooled == pytest.approx(areas[0], rel=1e-12)
    assert pooled.mean == pytest.approx(np.mean(areas[1:]), rel=1e-12)
    # useless scores are 0.5 in every fold: equal, whatever the rounding of the weights
    assert pool_folds(y, np.zeros(300), fold, weight).p_value == 1.0


@pytest.mark.slow  # a simulation
def test_folds_on_one_scale_rarely_warn():
    n_warnings = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = rng.random(200) < 0.3
        n_warnings += pool_folds(y, rng.normal(y), np.arange(200) % 5).differ
    assert n_warnings <= 8


# ---------------------------------------------------------------------- chosen on the same data


def test_rates_at_a_chosen_threshold_are_corrected(several_models):
    y, scores = several_models
    report = evaluation_report(y, scores, cost_fn=5, primary="rival")
    decision = report.to_frame("decision").set_index("model")
    chosen = threshold_interval(y, scores["rival"], cost_fn=5, n_resamples=data.N_RESAMPLES)
    row = decision.loc["rival"]
    assert row["tpr"] == chosen.sensitivity.apparent
    assert row["tpr_corrected"] == chosen.sensitivity.corrected < row["tpr"]
    assert row["fpr_upper"] == 1 - chosen.specificity.lower
    assert row["fpr_corrected"] > row["fpr"]
    assert row["cost_corrected"] == pytest.approx(1000 * chosen.corrected)
    assert row["cost_lower"] < row["cost_corrected"] < row["cost_upper"]
    assert (decision["tpr_corrected"] <= decision["tpr"]).all()
    for title in ("The decision", "For the paper"):
        text = words_of(report, title)
        assert "chosen on these" in text
        assert f"{100 * chosen.sensitivity.corrected:.1f} % " in text
        assert f"{100 * chosen.sensitivity.apparent:.1f} %" in text


def test_rates_of_segments_are_said_to_be_uncorrected(rng_samples):
    y, score = rng_samples
    report = evaluation_report({"a": RankedSegments.from_scores(y, score)}, cost_fn=5)
    assert report.to_frame("decision")["tpr_corrected"].isna().all()
    assert "uncorrected" in words_of(report, "For the paper")


def test_few_samples_of_the_dearer_class_hardly_determine_a_threshold():
    rng = np.random.default_rng(0)
    y = np.arange(200) < 8
    score = logistic(rng.normal(2.0 * y - 2))
    assert "Only 8 samples are of" in words_of(
        evaluation_report(y, score, cost_fn=9), "The decision"
    )
    assert "Only 8" not in words_of(evaluation_report(y, score, cost_fn=0.1), "The decision")


# ---------------------------------------------------------------------- clusters


def test_clusters_widen_every_interval(rng_samples):
    y, score = rng_samples
    patients = np.repeat(np.arange(y.size), 4)
    y, score = np.repeat(y, 4), np.repeat(score, 4)
    rng = np.random.default_rng(0)
    scores = {"a": score, "b": np.repeat(logistic(rng.normal(y[::4] - 1)), 4)}
    rows = evaluation_report(y, scores)
    clustered = evaluation_report(y, scores, clusters=patients)
    for name, ends in (
        ("ranking", ("lower", "upper")),
        ("differences", ("lower", "upper")),
        ("calibration", ("slope_lower", "slope_upper")),
        ("decision", ("tpr_lower", "tpr_upper")),
        ("net_benefit", ("lower", "upper")),
        ("brier_differences", ("lower", "upper")),
        ("cost_differences", ("lower", "upper")),
        ("benefit_differences", ("lower", "upper")),
    ):
        lower, upper = ends
        frames = [report.to_frame(name).iloc[0] for report in (rows, clustered)]
        width, of_clusters = (frame[upper] - frame[lower] for frame in frames)
        assert of_clusters > 1.6 * width, name
    assert "300 clusters" in words_of(clustered, "The data")
    assert "300 clusters" in words_of(clustered, "For the paper")
    assert "clusters" not in words_of(rows, "The data")


def test_clusters_of_one_class_are_refused(rng_samples):
    y, score = rng_samples
    with pytest.raises(ValueError, match="at least two clusters with samples of each class"):
        evaluation_report(y, score, clusters=y.astype(int))
    with pytest.raises(ValueError, match="at least two clusters with samples of each class"):
        evaluation_report(np.arange(6) % 3, np.full((6, 3), 1 / 3), clusters=np.arange(6) % 3)


# ---------------------------------------------------------------------- warnings


def test_reversed_scores_are_warned_of(several_models):
    y, scores = several_models
    both = {"right": scores["rival"], "wrong": 1 - scores["ranks well"]}
    text = words_of(evaluation_report(y, both), "Summary")
    assert "Scores of wrong rank worse than chance" in text
    reversed_ = words_of(evaluation_report(y, both, primary="wrong"), "Calibration")
    assert "too extreme" not in reversed_
    assert "Of samples with higher predictions fewer are positive" in reversed_
    assert "worse than chance" not in words_of(evaluation_report(y, scores), "Summary")
    rng = np.random.default_rng(0)
    random = evaluation_report(y, {"coin": rng.random(y.size)})
    assert "worse than chance" not in words_of(random, "Summary")


def test_predictions_are_no_probabilities(several_models):
    y, scores = several_models
    report = evaluation_report(y, (scores["rival"] > 0.5).astype(int))
    assert "0 or 1: predictions" in words_of(report, "Summary")
    (section,) = [part for part in report.sections if part.title == "Calibration"]
    assert "slope" not in " ".join(section.text)
    assert report.to_frame("summary")[["slope", "observed_expected"]].isna().all(axis=None)
    assert "predictions, no" not in words_of(evaluation_report(y, scores), "Summary")


def test_few_errors_and_few_positives_are_named():
    y = np.arange(60) < 12
    score = np.arange(60)[::-1].astype(float)
    score[11], score[14] = score[14], score[11]
    text = words_of(evaluation_report(y, score), "Ranking")
    assert "Errors of the ranking amount to only about" in text
    assert "With 12 positives the average precision tends to be too high" in text


@pytest.mark.parametrize("n_levels", [5, 1000])
def test_average_precision_is_that_of_scikit_learn(rng_samples, n_levels):
    y, score = rng_samples
    score = np.round(score * n_levels)
    times = 1 + np.arange(y.size) % 3
    report = evaluation_report(y, score, sample_weight=times)
    expected = average_precision_score(y, score, sample_weight=times)
    assert report.to_frame("ranking").loc[0, "average_precision"] == pytest.approx(expected)


def test_accuracy_stands_beside_that_of_the_largest_class():
    code = np.r_[np.zeros(80, int), np.ones(10, int), np.full(10, 2)]
    prob = np.full((100, 3), 0.1) + 0.7 * np.eye(3)[code]
    labels = np.array(["normal", "ill", "odd"])
    report = evaluation_report(labels[code], pd.DataFrame(prob, columns=labels))
    text = words_of(report, "The predictions")
    assert "right for 100.0 % of the samples; always predicting normal is right for 80.0 %" in text


# ---------------------------------------------------------------------- groups


@pytest.fixture(scope="module")
def report_of_groups():
    """Six groups as of COMPAS: of the smallest, with the highest AUC, there are eleven people."""
    rng = np.random.default_rng(1)
    sizes = {"A": 500, "B": 400, "C": 200, "D": 150, "E": 120, "tiny": 11}
    groups = np.repeat(list(sizes), list(sizes.values()))
    y = rng.random(groups.size) < 0.4
    y[groups == "tiny"] = np.arange(11) < 5
    prob = logistic(rng.normal(1.2 * y - 1))
    prob[groups == "tiny"] = np.linspace(0.9, 0.1, 11)
    prob[groups == "B"] **= 2
    return evaluation_report(y, prob, groups=groups)


def test_groups_too_small_for_a_test_are_not_in_the_headline(report_of_groups):
    (section,) = [part for part in report_of_groups.sections if part.title == "Groups"]
    assert "tiny" not in section.text[0]
    assert "tiny" in " ".join(section.text[1:])
    frame = report_of_groups.to_frame("groups").set_index("group")
    tested = frame[frame["tested"]]
    assert f"{tested['auc'].max():.3f} ({tested['auc'].idxmax()}, 95 %" in section.text[0]
    assert f"and {100 * tested['tpr'].max():.0f} % of" in section.text[0]


def test_groups_have_calibration_and_rates_with_intervals(report_of_groups):
    groups = report_of_groups.to_frame("groups").set_index("group")
    assert groups.loc["B", "observed_expected_lower"] > 1.2  # too few are predicted for B alone
    assert groups.loc["A", "observed_expected_upper"] < 1.2
    assert groups.loc["tiny", ["observed_expected", "slope"]].isna().all()
    (section,) = [part for part in report_of_groups.sections if part.title == "Groups"]
    shown = [row[0] for row in section.tables[0].rows()[1:]]
    assert shown == ["A", "B", "C", "D", "E"]  # the smallest is folded into a sentence
    assert "tiny (5 positives, 6 negatives)" in " ".join(section.text)
    rates = report_of_groups.to_frame("group_rates")
    frame = report_of_groups.to_frame("groups")
    found = rates[rates["measure"] == "true positive rate"]
    assert found["value"].tolist() == frame["tpr"].tolist()
    assert found["upper"].tolist() == frame["tpr_upper"].tolist()


def test_the_page_shows_the_differences_between_groups_that_matter(report_of_groups):
    pairs = report_of_groups.to_frame("group_differences")
    assert len(pairs) == 75
    (section,) = [part for part in report_of_groups.sections if part.title == "Groups"]
    (table,) = [table for table in section.tables if table.name == "group_differences"]
    head, *rows = table.rows()
    assert len(rows) <= 20
    names = head.index("group"), head.index("compared with")
    assert not any("tiny" in (row[names[0]], row[names[1]]) for row in rows)
    n_significant = int((pairs["p_holm"] < 0.05).sum())
    shown = table.on_page["p_holm"]
    assert (shown < 0.05).sum() == min(n_significant, len(rows))
