"""Reports on more than two classes, from arrays and from files."""

import numpy as np
import pandas as pd
import pytest

from rocviz import cli, evaluation_report
from rocviz.core.comparison.fold_differences import nadeau_bengio_test
from rocviz.core.multiclass import (
    cost_optimal_labels,
    hand_till_auc,
    hand_till_covariance,
    label_at_point,
    multiclass_brier,
)
from rocviz.core.roc import binomial_interval

CLASS_LABELS = ["cat", "dog", "owl"]


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(2)
    code = np.arange(240) % 3
    tables = {}
    for name, weight in (("clear", 1.0), ("vague", 0.4)):
        prob = rng.dirichlet([1, 1, 1], 240) + weight * np.eye(3)[code]
        tables[name] = pd.DataFrame(prob / (1 + weight), columns=CLASS_LABELS)
    return np.array(CLASS_LABELS)[code], tables


def test_tables_have_the_numbers_of_the_core(samples):
    y, tables = samples
    report = evaluation_report(y, tables)
    assert repr(report) == "EvaluationReport: 240 samples, 2 models, 7 sections"
    ranking = report.to_frame("ranking").set_index("model")
    for name, table in tables.items():
        auc = hand_till_auc(y, table)
        assert ranking.loc[name, ["auc", "lower", "upper"]].tolist() == pytest.approx(
            [auc.auc, auc.lower, auc.upper]
        )
        assert ranking.loc[name, "macro"] == hand_till_auc(y, table, average="ovr-macro").auc
        right = (table.to_numpy().argmax(axis=1) == np.arange(240) % 3).mean()
        assert report.to_frame("predictions").set_index("model").loc[name, "accuracy"] == right
        calibration = report.to_frame("calibration").set_index("model")
        assert calibration.loc[name, "brier"] == pytest.approx(multiclass_brier(y, table).brier)
    pairs = hand_till_covariance(y, tables).pairs()
    np.testing.assert_allclose(report.to_frame("differences")["p_holm"], pairs["p_holm"])
    text_of_report = " ".join(text for section in report.sections for text in section.text)
    assert f"probability {ranking['auc'].max():.3f}" in text_of_report
    assert "clear ranks better than vague" in text_of_report
    assert "cat (80), dog (80) and owl (80)" in text_of_report


def test_tables_may_name_the_classes_in_different_orders(samples):
    y, tables = samples
    costs = pd.DataFrame(1.0 - np.eye(3), CLASS_LABELS, CLASS_LABELS)
    costs.loc["owl", "cat"] = 5.0
    mixed = {"clear": tables["clear"], "vague": tables["vague"][["owl", "cat", "dog"]]}
    for primary in tables:
        alike = evaluation_report(y, tables, cost_matrix=costs, primary=primary)
        other = evaluation_report(y, mixed, cost_matrix=costs, primary=primary)
        assert other.to_markdown() == alike.to_markdown()


def test_one_model_page_and_figures(samples, tmp_path):
    y, tables = samples
    report = evaluation_report(y, tables["clear"])
    assert set(report.figures) == {"curves", "matrix", "triangle", "reliability"}
    page = report.to_html(tmp_path / "report.html").read_text("utf-8")
    assert page.count("<figure") == 4
    assert "Differences between models" not in page


def test_weights_count_as_repetitions(samples):
    y, tables = samples
    times = 1 + np.arange(240) % 3
    weighted = evaluation_report(y, tables["vague"], sample_weight=times)
    rows = np.repeat(np.arange(240), times)
    repeated = evaluation_report(y[rows], tables["vague"].iloc[rows].reset_index(drop=True))
    for name in ("ranking", "predictions", "calibration"):
        pd.testing.assert_frame_equal(weighted.to_frame(name), repeated.to_frame(name))
    assert "weighted: 240 rows" in weighted.sections[0].facts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_score": np.full((240, 3), 1 / 3)}, "classes"),
        ({"y_score": {}}, "y_score is an empty mapping"),
        ({"groups": ["a"] * 240}, "groups must have at least two different values"),
        ({"groups": np.arange(240) % 30}, "groups has 30 different values"),
        ({"folds": [1.0] * 239 + [np.nan]}, "folds"),
        ({"clusters": np.arange(240) % 3}, "at least two clusters with samples of each class"),
        ({"clusters": np.arange(239)}, "clusters"),
        ({"cost_matrix": np.ones((3, 3))}, "cost_matrix must have a wrong prediction"),
        ({"cost_matrix": np.ones((2, 2))}, "3 by 3"),
        ({"cost_matrix": pd.DataFrame(np.eye(3), list("abc"), list("abc"))}, "got rows 'a'"),
        ({"cost_fp": 1.0, "prevalence": 0.5}, "cost_fp and prevalence must not be given"),
        ({"pos_label": "cat"}, "exactly two classes"),
    ],
)
def test_bad_input_is_refused_by_name(samples, change, message):
    y, tables = samples
    with pytest.raises(ValueError, match=message):
        evaluation_report(**{"y_true": y, "y_score": tables["clear"], **change})
    if "y_score" not in change:
        wrong = tables["clear"].assign(cat=0.9)
        with pytest.raises(ValueError, match="y_score"):
            evaluation_report(y, wrong)


def test_a_file_with_a_column_for_each_class(samples, tmp_path, monkeypatch, capsys, undrawn):
    y, tables = samples
    monkeypatch.chdir(tmp_path)
    table = tables["clear"].add_prefix("prob_").assign(kind=y, size=1.5)
    table.to_csv("animals.csv", index=False)
    assert cli.main(["report", "animals.csv", "--label", "kind", "-o", "page.md"]) == 0
    expected = evaluation_report(y, tables["clear"])
    written = (tmp_path / "page.md").read_text("utf-8")
    for section in expected.sections:
        for words in section.text:
            assert words in written
    for words, message in (
        (["--positive", "cat"], "leave out --positive"),
        (["--score", "prob_cat", "prob_dog"], "none is for 'owl'"),
        (["--cost-fn", "3"], "more than two classes; their costs are cost_matrix, or a file after"),
        (["--threshold", ".3"], "threshold must not be given for more than two classes."),
    ):
        capsys.readouterr()
        assert cli.main(["report", "animals.csv", "--label", "kind", *words]) == 1
        assert message in capsys.readouterr().err


# ---------------------------------------------------------------------- costs, groups, folds


COSTS = pd.DataFrame(
    [[0, 9.0, 9], [1, 0, 1], [1, 2, 0]], ["owl", "cat", "dog"], ["owl", "cat", "dog"]
)


def words_of(report, title):
    """Join the paragraphs of a section."""
    (section,) = [section for section in report.sections if section.title == title]
    return " ".join(section.text)


def test_costs_are_those_of_the_cheapest_class(samples):
    y, tables = samples
    report = evaluation_report(y, tables, cost_matrix=COSTS)
    matrix = COSTS.loc[CLASS_LABELS, CLASS_LABELS].to_numpy()
    code = np.arange(240) % 3
    cost = {}
    frame = report.to_frame("costs").set_index("model")
    for name, table in tables.items():
        cost[name] = matrix[code, cost_optimal_labels(table.to_numpy(), matrix)]
        row = frame.loc[name]
        assert row["cost_per_1000"] == pytest.approx(1000 * cost[name].mean())
        error = 1000 * cost[name].std(ddof=1) / np.sqrt(240)
        assert row["upper"] - row["cost_per_1000"] == pytest.approx(1.97 * error, rel=0.001)
        most_probable = matrix[code, table.to_numpy().argmax(axis=1)]
        assert row["most_probable"] == pytest.approx(1000 * most_probable.mean())
    difference = report.to_frame("cost_differences").iloc[0]
    expected = 1000 * (cost["vague"] - cost["clear"]).mean()
    assert difference["difference"] == pytest.approx(expected)
    text = words_of(report, "The decision")
    assert f"costs {frame.loc['clear', 'cost_per_1000']:.0f} per 1,000 samples" in text
    single = 1000 * np.full(3, 1 / 3) @ matrix
    assert f"always predicting owl, the least costly of all classes, {single.min():.0f}" in text
    listed = evaluation_report(y, tables, cost_matrix=matrix.tolist())
    pd.testing.assert_frame_equal(listed.to_frame("costs"), report.to_frame("costs"))
    assert "costs" not in evaluation_report(y, tables).tables


def test_costs_of_a_useless_model_are_not_called_lower(samples):
    y, _ = samples
    prob = np.random.default_rng(0).dirichlet([1, 1, 1], 240)
    table = pd.DataFrame(prob, columns=CLASS_LABELS)
    report = evaluation_report(y, table, cost_matrix=COSTS)
    assert "not clear that this is less" in words_of(report, "The decision")
    assert "right more often" not in words_of(report, "The predictions")


def test_two_classes_have_no_cost_matrix():
    with pytest.raises(ValueError, match="cost_matrix is for more than two classes"):
        evaluation_report([0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8], cost_matrix=np.eye(2))


def test_accuracy_is_compared_with_the_most_frequent_class():
    rng = np.random.default_rng(1)
    code = rng.choice(3, 500, p=[0.7, 0.2, 0.1])
    prob = rng.dirichlet([1, 1, 1], 500) + np.eye(3)[code]
    table = pd.DataFrame(prob / 2, columns=CLASS_LABELS)
    report = evaluation_report(np.array(CLASS_LABELS)[code], table)
    is_right = (prob.argmax(axis=1) == code).astype(float)
    gain = is_right - (code == 0)
    half = 1.9647 * gain.std(ddof=1) / np.sqrt(500)
    ends = f"{100 * (gain.mean() - half):.1f} % to {100 * (gain.mean() + half):.1f} %"
    assert f"more often by {100 * gain.mean():.1f} % of the samples (95 % interval {ends})" in (
        words_of(report, "The predictions")
    )


def test_groups_have_accuracy_and_ranking_with_intervals(samples):
    y, tables = samples
    rng = np.random.default_rng(3)
    groups = rng.choice(["north", "south", "tiny"], 240, p=[0.5, 0.47, 0.03])
    table = tables["vague"]
    flat = np.full((240, 3), 1 / 3)
    mixed = np.where((groups == "south")[:, None], flat, table.to_numpy())
    report = evaluation_report(
        y, pd.DataFrame(mixed, columns=CLASS_LABELS), groups=groups, cost_matrix=COSTS
    )
    frame = report.to_frame("groups").set_index("group")
    is_right = label_at_point(mixed, [1 / 3] * 3) == np.arange(240) % 3
    for group in ("north", "south"):
        part = groups == group
        row = frame.loc[group]
        lower, upper = map(float, binomial_interval(is_right[part].sum(), part.sum()))
        assert row["accuracy"] == is_right[part].mean()
        assert (row["accuracy_lower"], row["accuracy_upper"]) == pytest.approx((lower, upper))
        area = hand_till_auc(y[part], mixed[part], classes=CLASS_LABELS)
        assert (row["auc"], row["auc_upper"]) == (area.auc, area.upper)
    assert frame["tested"].to_dict() == {"north": True, "south": True, "tiny": False}
    (pair,) = report.to_frame("group_differences").to_dict("records")
    north, south = frame.loc["north"], frame.loc["south"]
    below = np.hypot(
        north["accuracy"] - north["accuracy_lower"], south["accuracy_upper"] - south["accuracy"]
    )
    assert pair["lower"] == pytest.approx(pair["difference"] - below)
    text = words_of(report, "Groups")
    assert "does not explain" in text
    assert "Too small to be tested, with fewer than 10 samples: tiny" in text


def test_groups_that_are_alike_or_small_are_not_told_apart(samples):
    y, tables = samples
    alike = np.array(["a", "b"])[np.arange(240) // 3 % 2]
    report = evaluation_report(y, tables["clear"], groups=alike)
    assert "of every group" in words_of(report, "Groups")
    assert "Chance alone can explain" in words_of(report, "Groups")
    small = np.where(np.arange(240) < 6, "few", "many")
    assert "too few for a comparison" in words_of(
        evaluation_report(y, tables["clear"], groups=small), "Groups"
    )


def test_folds_are_compared_one_by_one(samples):
    y, tables = samples
    folds = np.arange(240) // 3 % 8
    report = evaluation_report(y, tables, folds=folds)
    areas = {}
    for name, table in tables.items():
        areas[name] = np.array(
            [hand_till_auc(y[folds == k], table[folds == k]).auc for k in range(8)]
        )
    frame = report.to_frame("folds").set_index("model")
    assert frame.loc["vague", "mean_auc"] == pytest.approx(areas["vague"].mean())
    expected = nadeau_bengio_test(areas["clear"] - areas["vague"], 1 / 7, 0.95)
    difference = report.to_frame("differences").iloc[0]
    for key in ("difference", "lower", "upper", "p_value"):
        assert difference[key] == pytest.approx(expected[key])
    assert difference["p_holm"] == difference["p_value"]
    assert "mean M of folds" in words_of(report, "Differences between models")


def test_folds_without_a_class_are_left_out(samples):
    y, tables = samples
    folds = np.array(["one class"] * 240)
    folds[y == "owl"] = "other"
    report = evaluation_report(y, tables, folds=folds)
    assert "Fewer than two folds" in words_of(report, "Stability over folds")
    assert "of folds" not in words_of(report, "Differences between models")
    folds = np.where(np.arange(240) < 2, "tiny", np.array(["a", "b"])[np.arange(240) // 3 % 2])
    report = evaluation_report(y, tables["clear"], folds=folds)
    assert "Left out, with fewer than two samples of a class: tiny" in words_of(
        report, "Stability over folds"
    )


def test_intervals_of_classes_are_of_clusters(samples):
    y, tables = samples
    patients = np.repeat(np.arange(240), 4)
    rows = np.repeat(np.arange(240), 4)
    repeated = {name: table.iloc[rows].reset_index(drop=True) for name, table in tables.items()}
    plain = evaluation_report(y[rows], repeated, cost_matrix=COSTS)
    report = evaluation_report(y[rows], repeated, cost_matrix=COSTS, clusters=patients)
    for name, lower, upper in (
        ("ranking", "lower", "upper"),
        ("predictions", "lower", "upper"),
        ("summary", "accuracy_lower", "accuracy_upper"),
        ("summary", "brier_lower", "brier_upper"),
        ("costs", "lower", "upper"),
        ("cost_differences", "lower", "upper"),
        ("differences", "lower", "upper"),
    ):
        row = -1  # the vague model, of which some predictions are wrong
        of_rows = plain.to_frame(name).iloc[row]
        of_clusters = report.to_frame(name).iloc[row]
        assert of_clusters[upper] - of_clusters[lower] > 1.6 * (of_rows[upper] - of_rows[lower])
    area = hand_till_auc(y[rows], repeated["vague"], clusters=patients)
    assert report.to_frame("ranking").loc[1, "lower"] == area.lower
    assert "240 clusters" in words_of(report, "The data")
    assert "240 clusters of rows" in words_of(report, "For the paper")
    groups = np.array(["a", "b"])[np.arange(960) % 2]
    shared = evaluation_report(
        y[rows], repeated["vague"], groups=groups, folds=groups, clusters=patients
    )
    assert "not independent" in words_of(shared, "Groups")
    assert "seen other rows" in words_of(shared, "Stability over folds")
    few = evaluation_report(y, tables["vague"], clusters=np.arange(240) // 40)
    assert "in 6 clusters only" in words_of(few, "The data")


def test_weights_count_in_costs_groups_and_folds(samples):
    y, tables = samples
    groups = np.array(["a", "b"])[np.arange(240) // 3 % 2]
    folds = np.arange(240) // 9 % 3
    options = {"cost_matrix": COSTS}
    times = 1 + np.arange(240) // 3 % 3
    times[::30] = 0
    rows = np.repeat(np.arange(240), times)
    weighted = evaluation_report(
        y, tables["vague"], sample_weight=times, groups=groups, folds=folds, **options
    )
    repeated = evaluation_report(
        y[rows],
        tables["vague"].iloc[rows].reset_index(drop=True),
        groups=groups[rows],
        folds=folds[rows],
        **options,
    )
    for name in ("costs", "groups", "group_differences", "folds"):
        pd.testing.assert_frame_equal(weighted.to_frame(name), repeated.to_frame(name))


def test_a_file_of_costs(samples, tmp_path, monkeypatch, capsys, undrawn):
    y, tables = samples
    monkeypatch.chdir(tmp_path)
    table = tables["clear"].add_prefix("prob_").assign(kind=y, site=np.arange(240) // 3 % 2)
    table.to_csv("animals.csv", index=False)
    COSTS.to_csv("costs.csv", sep=";", decimal=",")
    words = ["report", "animals.csv", "--label", "kind", "--group", "site", "-o", "page.md"]
    assert cli.main([*words, "--costs", "costs.csv"]) == 0
    expected = evaluation_report(
        y, tables["clear"], cost_matrix=COSTS, groups=np.arange(240) // 3 % 2
    )
    assert words_of(expected, "The decision") in (tmp_path / "page.md").read_text("utf-8")
    for text, message in (
        ("true,cat,dog,owl\ncat,0,1,1\ndog,1,0,?\nowl,1,1,0\n", "no number for predicting 'owl'"),
        ("true,cat\ncat,0\n", "must have a row for each true class"),
        ("true,cat,dog\ncat,0,1\ndog,1,0\n", "a column for each predicted one"),
    ):
        (tmp_path / "costs.csv").write_text(text)
        capsys.readouterr()
        assert cli.main([*words, "--costs", "costs.csv"]) == 1
        assert message in capsys.readouterr().err
