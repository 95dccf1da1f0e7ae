"""Labels and probabilities as people have them: lists with gaps, mixed types, single precision."""

import numpy as np
import pandas as pd
import polars
import pytest

import rocviz
from rocviz.core.base.classes import check_class_samples, check_simplex
from rocviz.core.base.validation import (
    check_clusters,
    check_labels,
    check_numbers,
    check_probabilities,
    clipped_probabilities,
    number_labels,
)
from rocviz.core.calibration import brier_decomposition, calibration_summary
from rocviz.core.comparison import compare_classifiers, fold_average
from rocviz.core.curve_spaces import space_curve
from rocviz.core.groups import group_summary
from rocviz.core.multiclass import confusion_matrix
from rocviz.report import evaluation_report

SCORE = [0.1, 0.4, 0.35, 0.8, 0.6, 0.7]
Y = [0, 0, 1, 1, 0, 1]


@pytest.mark.parametrize("gap", [None, np.nan, float("nan"), pd.NA, pd.NaT])
def test_a_gap_in_a_list_of_labels_is_refused(gap):
    # it was the label "nan" or "None"
    labels = ["ill", gap, "ill", gap, "ill", gap]
    with pytest.raises(ValueError, match="y_true must not hold missing labels"):
        rocviz.auc_interval(labels, SCORE, pos_label="ill")
    with pytest.raises(ValueError, match="groups must not hold missing labels"):
        group_summary(Y, SCORE, ["a", "a", "b", gap, "b", "b"], threshold=0.5)
    with pytest.raises(ValueError, match="groups must not hold missing labels"):
        evaluation_report(Y, SCORE, groups=["a", "a", "b", gap, "b", "b"])
    with pytest.raises(ValueError, match="fold must not hold missing labels"):
        fold_average(Y, SCORE, ["a", "a", "b", gap, "b", "b"])
    with pytest.raises(ValueError, match="clusters must name the cluster of every sample"):
        calibration_summary(Y, SCORE, clusters=["a", "a", "b", gap, "b", "b"])


@pytest.mark.parametrize(
    "groups",
    [
        np.array([1, 1, 2, np.nan, 3, np.nan]),
        [1.0, 1.0, 2.0, np.nan, 3.0, np.nan],
        pd.array([1, 1, 2, None, 3, None], dtype="Int64"),
        pd.Series(["a", "a", "b", None, "c", None], dtype="string"),
        pd.Categorical(["a", "a", "b", None, "c", None]),
        np.array(["2020-01-01", "2020-01-01", "2021-01-01", "NaT", "2022-01-01", "NaT"], "M8[D]"),
        polars.Series([1, 1, 2, None, 3, None]),
    ],
)
def test_missing_clusters_are_no_cluster(groups):
    with pytest.raises(ValueError, match=r"clusters (must name the cluster|has masked)"):
        check_clusters(groups, 6)
    with pytest.raises(ValueError, match=r"fold (must not hold missing|has masked)"):
        number_labels(groups, 6, "fold")


def test_labels_of_two_types_are_not_merged():
    # 1 and "1" were one label
    with pytest.raises(ValueError, match="y_true mixes labels of types"):
        check_labels([0, 0, 1, "1"], 1)
    with pytest.raises(ValueError, match="fold mixes labels of types"):
        number_labels([0, 0, 1, "1"], 4, "fold")
    with pytest.raises(ValueError, match="clusters must be of one type"):
        check_clusters([0, 0, 1, "1"], 4)
    with pytest.raises(ValueError, match="y_true mixes labels"):
        check_class_samples([0, 1, "2"], np.eye(3))
    assert number_labels(["b", "a", "b"], 3, "fold").tolist() == [1, 0, 1]
    assert number_labels([[2], [1]], 2, "fold").tolist() == [1, 0]
    assert check_labels(["b", "a"], "b").tolist() == [True, False]
    with pytest.raises(ValueError, match="x must be numbers"):
        check_numbers([1, "2"], "x")


# ---------------------------------------------------------------------- rounding


def test_single_precision_is_clipped_at_every_door():
    prob = np.array([0.1, 0.4, 0.35, 0.8, 0.6, 1.0000001], dtype=np.float32)
    assert prob.max() > 1
    exact = np.minimum(prob.astype(float), 1.0)
    segments = rocviz.RankedSegments.from_scores(Y, prob)
    assert check_probabilities(prob).max() == 1
    for result in (brier_decomposition(Y, prob), brier_decomposition(segments)):
        assert result.brier == brier_decomposition(Y, exact).brier
    table = compare_classifiers(Y, {"a": prob}, n_resamples=50).to_frame()
    same = compare_classifiers(Y, {"a": exact}, n_resamples=50).to_frame()
    pd.testing.assert_frame_equal(table, same)
    summary = group_summary(Y * 2, np.tile(prob, 2), ["a"] * 6 + ["b"] * 6, threshold=0.5)
    assert np.isfinite(summary.to_frame()["brier"]).all()
    assert space_curve(segments, space="brier").area == pytest.approx(
        space_curve(Y, exact, space="brier").area
    )
    assert calibration_summary(segments).n_samples == 6
    for method in ("beta", "identity"):
        single = rocviz.calibration_map(Y, prob, method=method)(prob)
        assert single.tolist() == rocviz.calibration_map(Y, exact, method=method)(exact).tolist()


def test_single_precision_is_clipped_in_displays_explorers_and_reports():
    prob = np.array([*SCORE[:5], 1.0000001] * 10, dtype=np.float32)
    y = Y * 10
    explorer = rocviz.ROCExplorer(y, prob)
    assert explorer.calibration == rocviz.ROCExplorer(y, np.minimum(prob, 1)).calibration
    assert explorer.threshold == 0.5
    segments = rocviz.RankedSegments.from_scores(y, prob)
    assert rocviz.ReliabilityDisplay(segments).prob_pred.max() == 1
    report = evaluation_report(y, prob)
    assert "Brier" in report.to_markdown()


def test_values_that_clipping_makes_equal_are_tied():
    segments = rocviz.RankedSegments([1.0000002, 1.0000001, 1.0, 0.5], [1, 0, 2, 1], [0, 1, 0, 3])
    tied = brier_decomposition(segments)
    joined = rocviz.RankedSegments([1.0, 0.5], [3, 1], [1, 3])
    assert tied == brier_decomposition(joined)


def test_scores_beyond_rounding_are_no_probabilities():
    assert clipped_probabilities(np.array([0.2, 1.001])) is None
    assert clipped_probabilities(np.array([-0.001, 0.5])) is None
    # nothing but rounding: scores of their own scale
    assert clipped_probabilities(np.array([-3e-7, 5e-7])) is None
    assert clipped_probabilities(np.array([-1e-9, 0.5])).tolist() == [0, 0.5]
    with pytest.raises(ValueError, match=r"found values from 0\.2 to 1\.00001"):
        check_probabilities([0.2, 1.00001])


def test_half_precision_is_clipped_by_its_own_steps():
    half = np.array([0.2, 1.002], dtype=np.float16)
    assert check_probabilities(half).max() == 1
    with pytest.raises(ValueError, match="found values"):
        check_probabilities(half.astype(np.float32))
    rng = np.random.default_rng(0)
    prob = rng.dirichlet(np.ones(4), 200).astype(np.float16)
    assert np.abs(prob.astype(float).sum(axis=1) - 1).max() > 1e-4
    assert check_simplex(prob).shape == (200, 4)
    with pytest.raises(ValueError, match="rows that sum to 1"):
        check_simplex(prob.astype(np.float32))


# ---------------------------------------------------------------------- order


AGES = ["under 10", "10 to 64", "65 and over"]


@pytest.mark.parametrize(
    "groups",
    [
        pd.Categorical(AGES * 40, categories=AGES, ordered=True),
        pd.Series(pd.Categorical(AGES * 40, categories=[*AGES, "unknown"], ordered=True)),
        polars.Series(AGES * 40, dtype=polars.Enum(AGES)),
    ],
)
def test_ordered_categories_keep_their_order(groups):
    rng = np.random.default_rng(0)
    y = rng.random(120) < 0.5
    score = rng.random(120)
    assert list(group_summary(y, score, groups, threshold=0.5).rankings) == AGES
    assert list(rocviz.GroupsExplorer(y, score, groups).data.names) == AGES
    report = evaluation_report(y, score, groups=groups).to_markdown()
    places = [report.index(f"| {age}") for age in AGES]
    assert places == sorted(places)
    weight = np.tile([1.0, 0.0, 1.0], 40)
    assert (
        "10 to 64"
        not in evaluation_report(y, score, groups=groups, sample_weight=weight).to_markdown()
    )


def test_a_confusion_matrix_has_ordered_categories_in_their_order():
    stages = pd.Categorical(["mild", "severe", "mild"], categories=["mild", "severe"], ordered=True)
    assert confusion_matrix(stages, ["mild", "mild", "severe"]).classes == ("mild", "severe")
    later = pd.Categorical(["early", "late"], categories=["late", "early"], ordered=True)
    assert confusion_matrix(later, ["late", "early"]).classes == ("late", "early")
    # a label that is no category: sorted
    assert confusion_matrix(later, ["late", "dead"]).classes == ("dead", "early", "late")


def test_categories_without_an_order_are_sorted():
    rng = np.random.default_rng(0)
    y = rng.random(120) < 0.5
    for groups in (AGES * 40, pd.Categorical(AGES * 40, categories=AGES)):
        summary = group_summary(y, rng.random(120), groups, threshold=0.5)
        assert list(summary.rankings) == sorted(AGES)


def test_groups_may_be_a_table_of_one_column():
    rng = np.random.default_rng(0)
    y = rng.random(40) < 0.5
    column = pd.DataFrame({"sex": ["f", "m"] * 20})
    assert list(group_summary(y, rng.random(40), column, threshold=0.5).rankings) == ["f", "m"]
    assert check_clusters(column, 40).tolist() == [0, 1] * 20
    assert check_clusters([["b"], ["a"]], 2).tolist() == [1, 0]
