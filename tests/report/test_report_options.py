"""Options of a report: fixed rates, a given threshold, a table of participants."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from sklearn.metrics import average_precision_score

from rocviz import RankedSegments, cli, evaluation_report
from rocviz.core.calibration import calibration_summary
from rocviz.core.curve_spaces import average_precision
from rocviz.core.groups import group_summary
from rocviz.core.roc import (
    binomial_interval,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
)
from rocviz.core.roc.clustered_rates import effective_trials
from rocviz.report.data import check_evaluation

pytestmark = pytest.mark.usefixtures("few_resamples")


def words_of(report, title):
    """Join the paragraphs of a section."""
    (section,) = [section for section in report.sections if section.title == title]
    return " ".join(section.text)


def logistic(values):
    return 1 / (1 + np.exp(-values))


@pytest.fixture(scope="module")
def samples():
    """Labels of 400 samples, two models, and columns that describe the samples."""
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    scores = {"a": logistic(rng.normal(2.0 * y - 1)), "b": logistic(rng.normal(1.0 * y - 1))}
    table = pd.DataFrame(
        {
            "age": np.where(rng.random(400) < 0.1, np.nan, rng.normal(60, 10, 400)),
            "sex": rng.choice(["female", "male", None], 400),
            "income": rng.lognormal(10, 1, 400),
            "smoker": rng.integers(0, 2, 400),
        }
    )
    return y, scores, table


@pytest.fixture(scope="module")
def report(samples):
    y, scores, table = samples
    return evaluation_report(
        y,
        scores,
        threshold=0.3,
        cost_fn=5,
        at={"specificity": [0.9, 0.95], "sensitivity": 0.8},
        describe=table,
    )


# ---------------------------------------------------------------------- fixed rates


def test_the_other_rate_is_reported_where_one_is_fixed(report, samples):
    y, scores, _ = samples
    frame = report.to_frame("fixed_rates").set_index(["fixed", "fixed_value", "model"])
    assert len(frame) == 6
    for name, score in scores.items():
        for q in (0.9, 0.95):
            expected = sensitivity_at_specificity(y, score, specificity=q)
            row = frame.loc[("specificity", q, name)]
            assert row[["rate", "lower", "upper", "threshold"]].tolist() == [
                expected.rate,
                expected.lower,
                expected.upper,
                expected.threshold,
            ]
        expected = specificity_at_sensitivity(y, score, sensitivity=0.8)
        row = frame.loc[("sensitivity", 0.8, name)]
        assert (row["rate"], row["lower"]) == (expected.rate, expected.lower)
    text = words_of(report, "Fixed sensitivity or specificity")
    rate = frame.loc[("specificity", 0.9, "a"), "rate"]
    assert f"At a specificity of 90 % the sensitivity of a is {100 * rate:.1f} %" in text


def test_too_few_samples_for_a_rate_are_named():
    y = np.repeat([0, 1], [12, 30])
    report = evaluation_report(
        y, np.arange(42) % 17, at={"specificity": [0.9, 0.97], "sensitivity": 0.5}
    )
    text = words_of(report, "Fixed sensitivity or specificity")
    assert "interval is doubtful" in text
    assert "The negatives are too few for a specificity of 97 %" in text
    assert report.to_frame("fixed_rates")["is_doubtful"].tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"at": {"recall": 0.9}}, "a key of at must be"),
        ({"at": 0.9}, "at must be a mapping"),
        ({"at": {"specificity": 90}}, r"at\['specificity'\] must be strictly between 0 and 1"),
        ({"at": {"specificity": "90 %"}}, r"at\['specificity'\] must be"),
        ({"threshold": "low"}, "threshold must be a finite number"),
        ({"threshold": 20}, "threshold must be from 0 to 1, as the scores of 'a' are"),
        ({"describe": [1, 2]}, "describe must be a data frame or a mapping"),
        ({"describe": {}}, "describe has no columns"),
        ({"describe": {"age": [1, 2]}}, r"describe\['age'\] must have one entry per sample"),
        ({"describe": {"age": np.ones((400, 2))}}, r"describe\['age'\] must have one value"),
    ],
)
def test_bad_options_are_refused_by_name(samples, change, message):
    y, scores, _ = samples
    with pytest.raises(ValueError, match=message):
        evaluation_report(y, scores, **change)


def test_options_that_need_samples_or_two_classes_are_refused(samples):
    y, scores, table = samples
    segments = {"a": RankedSegments.from_scores(y, scores["a"])}
    with pytest.raises(ValueError, match="describe must not be given beside ranked segments"):
        evaluation_report(segments, describe=table)
    counted = evaluation_report(segments, at={"specificity": 0.9}, threshold=0.3)
    expected = sensitivity_at_specificity(y, scores["a"], specificity=0.9)
    assert counted.to_frame("fixed_rates").loc[0, "upper"] == expected.upper
    labels = np.array(["x", "y", "z"])[np.arange(30) % 3]
    prob = pd.DataFrame(np.random.default_rng(0).dirichlet([1, 1, 1], 30), columns=list("xyz"))
    for option in ({"threshold": 0.3}, {"at": {"specificity": 0.9}}):
        with pytest.raises(ValueError, match="must not be given for more than two classes"):
            evaluation_report(labels, prob, **option)


# ---------------------------------------------------------------------- a given threshold


def test_a_given_threshold_is_used_and_not_corrected(report, samples):
    y, scores, _ = samples
    frame = report.to_frame("decision").set_index("model")
    assert frame["threshold"].tolist() == [0.3, 0.3]  # probabilities are on one scale
    for name, score in scores.items():
        table = RankedSegments.from_scores(y, score).at_threshold(0.3)
        row = frame.loc[name]
        assert (row["tpr"], row["fpr"]) == (table.tpr, table.fpr)
        assert (row["tpr_lower"], row["tpr_upper"]) == pytest.approx(table.interval("tpr"))
        assert row["cost_per_1000"] == pytest.approx(1000 * table.expected_cost(1, 5))
    assert frame["tpr_corrected"].isna().all()
    assert "threshold" not in report.tables
    text = words_of(report, "The decision")
    assert "was given" in text
    assert "new ones sensitivity" not in text
    ends = f"{frame.loc['a', 'cost_lower']:.0f} to {frame.loc['a', 'cost_upper']:.0f}"
    assert f"costs {frame.loc['a', 'cost_per_1000']:.0f} ({ends}) per 1,000 samples" in text
    paper = words_of(report, "For the paper")
    assert "At the given threshold of 0.300" in paper
    assert "chosen on these data" not in paper


def test_the_cost_at_a_given_threshold_covers():
    rng = np.random.default_rng(0)
    absent = ("groups", "sample_weight", "cost_fp", "folds", "clusters", "primary", "pos_label")
    truth = 0.3 * 3 * ndtr(-0.5) + 0.7 * ndtr(-1.0)  # of normal scores above 0
    n_covering = 0
    for _ in range(400):
        y = rng.random(80) < 0.3
        score = logistic(rng.normal(1.5 * y - 1))
        settings = {"threshold": 0.5, "cost_fn": 3, "prevalence": 0.3, **dict.fromkeys(absent)}
        lower, upper = check_evaluation(y, score, **settings).cost_interval("score")
        n_covering += lower <= truth <= upper
    assert 0.93 <= n_covering / 400 <= 0.98


def test_a_threshold_is_for_the_scale_of_the_primary_model(samples):
    y, scores, _ = samples
    mixed = {"points": np.round(10 * scores["a"]) - 3, "b": scores["b"]}
    report = evaluation_report(y, mixed, threshold=2, primary="points")
    frame = report.to_frame("decision").set_index("model")
    best = RankedSegments.from_scores(y, mixed["b"]).optimal_point()
    assert frame["threshold"].to_dict() == {"points": 2, "b": best.threshold}
    assert frame["tpr_corrected"].isna().to_dict() == {"points": True, "b": False}
    (section,) = [part for part in report.sections if part.title == "The decision"]
    assert "b are on another scale" in section.notes[0]
    assert "given threshold costs" not in words_of(report, "The decision")


# ---------------------------------------------------------------------- participants


def test_participants_are_described_by_outcome(report, samples):
    y, _, table = samples
    frame = report.to_frame("participants").set_index(["variable", "kind", "category", "outcome"])
    for outcome, chosen in (("positive", y), ("negative", ~y), ("all", y | True)):
        part = table[chosen]
        age = frame.loc[("age", "mean", "", outcome)]
        assert (age["n"], age["mean"], age["sd"]) == (
            part["age"].count(),
            part["age"].mean(),
            part["age"].std(),
        )
        assert frame.loc[("age", "missing", "", outcome), "n"] == part["age"].isna().sum()
        income = frame.loc[("income", "median", "", outcome)]
        assert income["median"] == part["income"].median()
        assert income["upper_quartile"] == part["income"].quantile(0.75)
        n_female = (part["sex"] == "female").sum()
        female = frame.loc[("sex", "category", "female", outcome)]
        assert (female["n"], female["share"]) == (n_female, n_female / part["sex"].count())
        assert frame.loc[("smoker", "category", "1", outcome), "n"] == part["smoker"].sum()
    (section,) = [part for part in report.sections if part.title == "Participants"]
    head, *rows = section.tables[0].rows()
    assert head == ["", "", f"negative ({(~y).sum()})", f"positive ({y.sum()})", "all (400)"]
    assert rows[0][:2] == ["age", "mean (SD)"]
    assert f"{table['age'].isna().sum()} (" in rows[1][4]


def test_categories_keep_their_order_and_rare_ones_are_joined():
    y = np.arange(200) % 2
    stage = pd.Categorical(np.array(["low", "high", None])[np.arange(200) % 3], ["low", "high"])
    table = pd.DataFrame({"stage": stage, "site": [f"s{k * k % 37:02}" for k in range(200)]})
    report = evaluation_report(y, np.arange(200) % 13, describe=table)
    frame = report.to_frame("participants")
    everybody = frame[frame["outcome"] == "all"]
    assert everybody.loc[everybody["variable"] == "stage", "category"].tolist()[:2] == [
        "low",
        "high",
    ]
    sites = everybody[everybody["variable"] == "site"]
    assert len(sites) == 12
    assert sites["n"].sum() == 200
    assert sites["category"].iloc[-1] == f"{table['site'].nunique() - 11} others"


def test_weights_repeat_participants_if_they_are_whole(samples):
    y, scores, table = samples
    times = np.arange(400) % 3
    rows = np.repeat(np.arange(400), times)
    weighted = evaluation_report(y, scores["a"], describe=table, sample_weight=times)
    repeated = evaluation_report(y[rows], scores["a"][rows], describe=table.iloc[rows])
    pd.testing.assert_frame_equal(
        weighted.to_frame("participants"), repeated.to_frame("participants")
    )
    halves = evaluation_report(y, scores["a"], describe=table, sample_weight=times + 0.5)
    (section,) = [part for part in halves.sections if part.title == "Participants"]
    assert "rows are counted" in section.notes[0]


def test_classes_are_described_too():
    labels = np.array(["cat", "dog", "all"])[np.arange(90) % 3]
    prob = pd.DataFrame(
        np.random.default_rng(0).dirichlet([1, 1, 1], 90), columns=["cat", "dog", "all"]
    )
    weight = (np.arange(90) % 4).astype(float)
    report = evaluation_report(
        labels, prob, describe={"age": np.arange(90.0)}, sample_weight=weight
    )
    frame = report.to_frame("participants").set_index("outcome")
    assert frame.index.tolist() == ["cat", "dog", "all", "all samples"]
    of_dogs = np.arange(90.0)[labels == "dog"]
    expected = np.average(of_dogs, weights=weight[labels == "dog"])
    assert frame.loc["dog", "mean"] == pytest.approx(expected)


# ---------------------------------------------------------------------- average precision


def test_average_precision_is_scikit_learns_whatever_the_prevalence(samples):
    y, scores, _ = samples
    row = evaluation_report(y, scores["a"], prevalence=0.05).to_frame("ranking").iloc[0]
    expected = average_precision(y, scores["a"])
    assert row["average_precision"] == pytest.approx(average_precision_score(y, scores["a"]))
    assert row["average_precision_lower"] == expected.lower
    assert row["average_precision_upper"] == expected.upper
    weight = np.where(y, 0.05 / y.mean(), 0.95 / (1 - y.mean()))
    assert row["precision_at_prevalence"] == pytest.approx(
        average_precision_score(y, scores["a"], sample_weight=weight)
    )


def test_average_precision_by_clusters(samples):
    y, scores, _ = samples
    patients = np.repeat(np.arange(400), 3)
    y, score = np.repeat(y, 3), np.repeat(scores["a"], 3)
    row = evaluation_report(y, score, clusters=patients).to_frame("ranking").iloc[0]
    expected = average_precision(y, score, clusters=patients)
    assert row["average_precision_lower"] == expected.lower
    assert row["average_precision_lower"] < average_precision(y, score).lower


# ---------------------------------------------------------------------- the command


def test_options_of_the_command(samples, tmp_path, monkeypatch, capsys, undrawn):
    y, scores, table = samples
    monkeypatch.chdir(tmp_path)
    file = pd.DataFrame({"y": y.astype(int), **scores}).join(table)
    file.to_csv("d.csv", index=False, sep=";", decimal=",")
    words = ["report", "d.csv", "--label", "y", "--describe", "age,sex", "income"]
    words += ["--at", "specificity=.9", "--at", "sensitivity=0.95", "--threshold", ".3"]
    assert cli.main([*words, "-o", "r.md"]) == 0
    assert "Scores: a, b\n" in capsys.readouterr().err.replace("\r", "\n")
    expected = evaluation_report(
        y,
        scores,
        threshold=0.3,
        at={"specificity": 0.9, "sensitivity": 0.95},
        describe=table[["age", "sex", "income"]],
    )
    written = (tmp_path / "r.md").read_text("utf-8")
    for title in ("Participants", "Fixed sensitivity or specificity", "The decision"):
        (section,) = [part for part in expected.sections if part.title == title]
        for row in section.tables[0].rows()[1:]:
            assert f"| {' | '.join(row)} |" in written


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--at", "recall=.9"], "--at must be sensitivity= or specificity="),
        (["--at", "specificity=90"], "got 'specificity=90'"),
        (["--at", "specificity"], "such as --at specificity=.9"),
        (["--describe", "agee"], "did you mean 'age'?"),
        (["--threshold", "inf"], "threshold must be a finite number"),
    ],
)
def test_bad_options_are_one_line(samples, tmp_path, monkeypatch, capsys, words, message):
    y, scores, table = samples
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"y": y.astype(int), **scores}).join(table).to_csv("d.csv", index=False)
    assert cli.main(["report", "d.csv", "--label", "y", *words]) == 1
    assert message in capsys.readouterr().err


def test_codes_in_a_later_piece_make_a_column_of_words(monkeypatch, tmp_path):
    from rocviz.report import reading
    from rocviz.report.files import Columns, read_predictions

    monkeypatch.setattr(reading, "ROWS_PER_PIECE", 50)
    file = pd.DataFrame({"y": np.arange(100) % 2, "p": np.linspace(0, 1, 100), "age": "40"})
    file.loc[80, "age"] = "over 90"
    file.to_csv(tmp_path / "d.csv", index=False)
    columns = Columns("y", scores=["p"], described=["age"])
    table = read_predictions(str(tmp_path / "d.csv"), columns).arguments["describe"]
    assert table["age"].iloc[80] == "over 90"
    assert len(table) == 100


# ---------------------------------------------------------------------- clusters


@pytest.fixture(scope="module")
def clustered():
    """Rows of 150 patients, whose outcome, score and group all rows share."""
    rng = np.random.default_rng(2)
    patients = np.repeat(np.arange(150), 4)
    y = np.repeat(rng.random(150) < 0.4, 4)
    score = logistic(np.repeat(rng.normal(1.5 * y[::4] - 1), 4) + rng.normal(0, 0.1, 600))
    groups = np.repeat(np.array(["old", "young"])[np.arange(150) % 2], 4)
    return y, score, groups, patients


def test_rates_at_a_given_threshold_and_fixed_rates_are_of_clusters(clustered):
    y, score, _, patients = clustered
    report = evaluation_report(y, score, threshold=0.5, at={"specificity": 0.8}, clusters=patients)
    row = report.to_frame("decision").iloc[0]
    predicted = score >= 0.5
    trials = effective_trials(1.0 * (y & predicted), 1.0 * y, patients)
    lower, upper = map(float, binomial_interval(row["tpr"] * trials, trials))
    assert (row["tpr_lower"], row["tpr_upper"]) == pytest.approx((lower, upper))
    by_rows = evaluation_report(y, score, threshold=0.5).to_frame("decision").iloc[0]
    width = by_rows["cost_upper"] - by_rows["cost_lower"]
    assert row["cost_upper"] - row["cost_lower"] > 1.6 * width
    words = words_of(report, "The decision")
    assert f"sensitivity is {100 * row['tpr']:.1f} % (95 % interval {100 * lower:.1f} %" in words
    expected = sensitivity_at_specificity(y, score, specificity=0.8, clusters=patients)
    rate = report.to_frame("fixed_rates").iloc[0]
    assert (rate["lower"], rate["upper"]) == (expected.lower, expected.upper)
    assert expected.lower < sensitivity_at_specificity(y, score, specificity=0.8).lower


def test_groups_are_compared_by_clusters(clustered):
    y, score, groups, patients = clustered
    report = evaluation_report(y, score, groups=groups, clusters=patients, threshold=0.5)
    summary = group_summary(y, score, groups, threshold=0.5, clusters=patients)
    of_groups = report.to_frame("groups")
    pd.testing.assert_frame_equal(of_groups[summary.to_frame().columns], summary.to_frame())
    pairs = report.to_frame("group_differences")
    expected = summary.differences()
    np.testing.assert_allclose(pairs["p_holm"], expected["p_holm"])
    np.testing.assert_allclose(pairs["lower"], expected["lower"])
    of_old = calibration_summary(
        y[groups == "old"], score[groups == "old"], clusters=patients[groups == "old"]
    )
    assert of_groups.set_index("group").loc["old", "slope_lower"] == of_old.slope.lower


def test_groups_that_share_clusters_have_no_differences(clustered):
    y, score, _, patients = clustered
    groups = np.array(["first", "later"])[np.arange(600) % 2]
    report = evaluation_report(y, score, groups=groups, clusters=patients)
    assert "group_differences" not in report.tables
    assert "not independent" in words_of(report, "Groups")
    threshold = report.to_frame("decision").loc[0, "threshold"]
    summary = group_summary(y, score, groups, threshold=threshold, clusters=patients)
    assert report.to_frame("groups")["auc_lower"].tolist() == (
        summary.to_frame()["auc_lower"].tolist()
    )


def test_groups_by_clusters_keep_their_order_and_weights(clustered):
    y, score, groups, patients = clustered
    ordered = pd.Categorical(np.where(groups == "old", "65 and over", "under 65"))
    ordered = ordered.set_categories(["under 65", "65 and over"], ordered=True)
    weight = 1.0 + np.arange(600) % 2
    report = evaluation_report(
        y, score, groups=pd.Series(ordered), clusters=patients, sample_weight=weight, threshold=0.5
    )
    frame = report.to_frame("groups")
    assert frame["group"].tolist() == ["under 65", "65 and over"]
    summary = group_summary(
        y, score, groups, threshold=0.5, clusters=patients, sample_weight=weight
    )
    assert frame["tpr_lower"].tolist() == summary.to_frame()["tpr_lower"].tolist()[::-1]


def test_few_clusters_of_a_group_are_no_test(clustered):
    y, score, _, patients = clustered
    groups = np.where(patients < 10, "few", "many")
    report = evaluation_report(y, score, groups=groups, clusters=patients)
    assert "fewer than ten clusters of a class: few" in words_of(report, "Groups")


def test_folds_that_share_clusters_are_warned_of(clustered):
    y, score, _, patients = clustered
    apart = evaluation_report(y, score, folds=np.arange(600) % 5, clusters=patients)
    whole = evaluation_report(y, score, folds=patients % 5, clusters=patients)
    assert "seen other rows" in words_of(apart, "Stability over folds")
    assert "seen other rows" not in words_of(whole, "Stability over folds")


def test_few_clusters_of_positives_are_named(clustered):
    y, score, _, patients = clustered
    few = patients // 10
    report = evaluation_report(y, score, clusters=few)
    n_clusters = len(set(few[y].tolist()))
    assert f"With {n_clusters} clusters that hold positives" in words_of(report, "Ranking")
