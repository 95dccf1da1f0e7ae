"""Many models: DeLong's covariance, clusters, corrections, and a table that agrees with peers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.comparison.auc_covariance import auc_covariance, holm
from rocviz.core.comparison.calibration_error import calibration_error
from rocviz.core.comparison.comparison import check_scores, compare_classifiers
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.delong_test import auc_test


def models(n=200, seed=0):
    rng = np.random.default_rng(seed)
    prob = rng.beta(1, 2, n)
    y = rng.random(n) < prob
    return y, {
        "true": prob,
        "rough": np.clip(prob + rng.normal(0, 0.2, n), 0, 1).round(2),
        "score": np.log(prob / (1 - prob)),
        "sharp": prob**3 / (prob**3 + (1 - prob) ** 3),
    }


def test_columns_of_a_data_frame_are_models_of_distinct_names():
    scores = pd.DataFrame({"a": [0.1, 0.4, 0.3, 0.9], "b": [0.2, 0.1, 0.7, 0.8]})
    comparison = compare_classifiers([0, 0, 1, 1], scores, n_resamples=0)
    assert comparison.names == ("a", "b")
    scores.columns = ["a", "a"]
    with pytest.raises(ValueError, match="two columns of the scores have the same name"):
        compare_classifiers([0, 0, 1, 1], scores)


def test_pairs_are_those_of_the_test_of_two():
    y, scores = models()
    covariance = auc_covariance(y, scores)
    table = covariance.pairs()
    assert len(table) == 6
    for row in table.itertuples():
        two = auc_test(y, scores[row.model_a], scores[row.model_b])
        assert row.difference == pytest.approx(two.difference, abs=1e-14)
        assert row.standard_error == pytest.approx(two.standard_error, abs=1e-9)
        assert row.p_value == pytest.approx(two.p_value, abs=1e-6)
    assert (table["p_holm"] >= table["p_value"]).all()


def test_rankings_that_place_all_samples_alike_do_not_differ():
    rng = np.random.default_rng(0)
    for n in range(20, 220, 5):
        y = np.arange(n) % 3 == 0
        score = rng.random(n)
        same = {f"to the power of {i}": score**i for i in range(1, 8)}
        for weight in (None, 1 + rng.random(n)):
            pairs = auc_covariance(y, same, weight).pairs()
            assert (pairs["difference"] == 0).all()
            assert (pairs["p_value"] == 1).all(), n
        assert auc_test(y, score, score**7, sample_weight=weight).p_value == 1


def test_nearly_equal_rankings_have_the_test_of_two():
    rng = np.random.default_rng(0)
    y = np.arange(20_000) % 2 == 0
    score = np.sort(rng.normal(size=y.size))
    swapped = score.copy()
    swapped[[9_000, 9_001]] = score[[9_001, 9_000]]  # one pair of 100 million
    (row,) = auc_covariance(y, {"a": score, "b": swapped}).pairs().itertuples()
    two = auc_test(y, score, swapped)
    assert row.standard_error == pytest.approx(two.standard_error, rel=1e-9)
    assert row.p_value == pytest.approx(two.p_value, rel=1e-6)


@pytest.mark.parametrize("clusters", [None, np.arange(40) % 9])
def test_pairs_taken_together_are_those_taken_one_by_one(clusters, monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2 == 0
    weight = 1 + rng.random(40)
    scores = {f"{i}": rng.random(40) for i in range(5)}
    scores["as 0"] = scores["0"] ** 3
    together = auc_covariance(y, scores, weight, clusters).difference_error
    monkeypatch.setattr("rocviz.core.comparison.auc_covariance.BLOCK_SIZE", 80)
    by_two = auc_covariance(y, scores, weight, clusters).difference_error
    np.testing.assert_allclose(together, by_two, rtol=1e-12)
    # weighted sums of what is placed alike are rounded otherwise, and that is no difference
    assert together[0, 5] == 0
    assert (together == 0).sum() == 8  # and the diagonal
    for i, j in [(0, 1), (2, 4), (4, 5)]:
        two = {name: scores[name] for name in (list(scores)[i], list(scores)[j])}
        alone = auc_covariance(y, two, weight, clusters).difference_error
        assert together[i, j] == together[j, i] == pytest.approx(alone[0, 1], rel=1e-12)


def test_clusters_without_variation_give_no_certain_difference():
    rng = np.random.default_rng(0)
    for _ in range(20):
        y = rng.permutation(20) % 2
        clusters = np.arange(20) // 4
        scores = {"perfect": y + rng.random(20) / 2, "reversed": -y, "tied": np.full(20, 0.3)}
        weight = 0.6 + 3 * rng.random(20)
        comparison = compare_classifiers(
            y, scores, sample_weight=weight, clusters=clusters, n_resamples=0
        )
        assert comparison.auc.tolist() == pytest.approx([1, 0, 0.5], abs=1e-15)
        assert comparison.auc.max() <= 1
        assert (comparison.areas.standard_error == 0).all()
        assert (comparison.auc_low + 0.1 < comparison.auc_high).all()


def test_weights_repeat_and_clusters_of_one_are_samples():
    y, scores = models(60)
    weight = np.random.default_rng(1).integers(1, 4, y.size).astype(float)
    again = np.repeat(np.arange(y.size), weight.astype(int))
    weighted = auc_covariance(y, scores, weight)
    repeated = auc_covariance(y[again], {name: score[again] for name, score in scores.items()})
    np.testing.assert_allclose(weighted.covariance, repeated.covariance, rtol=1e-12)
    alone = auc_covariance(y, scores, None, np.arange(y.size))
    np.testing.assert_allclose(alone.covariance, auc_covariance(y, scores).covariance, rtol=1e-12)
    assert alone.standard_error == pytest.approx(np.sqrt(np.diag(alone.covariance)))


def test_clusters_have_the_spread_of_new_clusters():
    def draw(seed):
        rng = np.random.default_rng(seed)
        patient = np.repeat(np.arange(60), 4)
        mood = rng.normal(size=60)[patient]
        y = rng.random(240) < 0.4
        return y, {"a": rng.normal(size=240) + y + mood}, patient

    areas = []
    errors_with_clusters = []
    errors_without = []
    for seed in range(150):
        y, scores, patient = draw(seed)
        clustered = auc_covariance(y, scores, None, patient)
        areas.append(clustered.auc[0])
        errors_with_clusters.append(clustered.standard_error[0])
        errors_without.append(auc_covariance(y, scores).standard_error[0])
    with_clusters = np.mean(errors_with_clusters)
    without = np.mean(errors_without)
    spread = np.std(areas, ddof=1)
    # the standard deviation of 150 areas has a relative standard error of 6 %
    assert abs(with_clusters / spread - 1) < 0.2
    assert abs(with_clusters / spread - 1) < abs(without / spread - 1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_by_its_definition(p):
    order = np.argsort(p, kind="stable")
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for step, i in enumerate(order):
            if p[i] > level / (len(p) - step):
                break
            rejected.add(i)
        corrected = holm(p)
        sure = {i for i in range(len(p)) if corrected[i] < level * (1 - 1e-12)}
        maybe = {i for i in range(len(p)) if corrected[i] <= level * (1 + 1e-12)}
        assert sure <= rejected <= maybe


def test_the_table_agrees_with_scikit_learn():
    y, scores = models()
    comparison = compare_classifiers(y, scores, n_resamples=60)
    table = comparison.to_frame()
    for name, score in scores.items():
        row = table.loc[name]
        assert row["auc"] == pytest.approx(roc_auc_score(y, score))
        interval = auc_interval(y, score)
        assert (row["auc_low"], row["auc_high"]) == (interval.lower, interval.upper)
        if name == "score":
            assert np.isnan(row[["brier", "log_loss", "calibration_error", "calibration_p"]]).all()
            continue
        assert row["brier"] == pytest.approx(brier_score_loss(y, score))
        assert row["brier"] == pytest.approx(row["miscalibration"] + row["refinement"])
        if name != "rough":  # it says 0 and 1
            assert row["log_loss"] == pytest.approx(log_loss(y, score))
    assert table["rank"].tolist() == sorted(table["rank"])
    assert table.loc["true", "rank"] == table.loc["sharp", "rank"] == table.loc["score", "rank"]
    assert table.loc["true", "calibration_p"] > 0.05
    assert table.loc["sharp", "calibration_p"] < 0.05
    assert len(comparison.pairs()) == 6
    assert comparison.pairs()["p_value"].max() == 1


def test_the_cost_is_that_of_the_best_threshold():
    y, scores = models()
    comparison = compare_classifiers(
        y, {"true": scores["true"]}, cost_fp=1, cost_fn=5, prevalence=0.1, n_resamples=0
    )
    costs = []
    for t in [np.inf, *scores["true"]]:
        predicted = scores["true"] >= t
        costs.append(0.9 * 1 * predicted[~y].mean() + 0.1 * 5 * (~predicted[y]).mean())
    assert comparison.cost[0] == pytest.approx(min(costs))
    assert np.isnan(comparison.calibration_p[0])
    assert (
        comparison.calibration_low[0]
        <= comparison.calibration_error[0]
        <= comparison.calibration_high[0]
    )


def test_weights_of_zero_are_left_out_and_clusters_widen():
    y, scores = models(120)
    scores = {"true": scores["true"]}
    weight = np.ones(y.size)
    weight[:20] = 0
    group = np.arange(120) // 3
    weighted = compare_classifiers(y, scores, sample_weight=weight, clusters=group, n_resamples=200)
    left = compare_classifiers(
        y[20:], {"true": scores["true"][20:]}, clusters=group[20:], n_resamples=200
    )
    assert weighted.to_frame().equals(left.to_frame())
    assert weighted.auc_low[0] < weighted.auc[0] < weighted.auc_high[0]
    assert weighted.calibration_low[0] < weighted.calibration_high[0]


@pytest.mark.parametrize("weighted", [False, True])
def test_calibration_error_is_the_miscalibration_of_the_brier_score(weighted):
    y, scores = models(150)
    weight = np.random.default_rng(1).random(150) if weighted else None
    for prob in (scores["true"], scores["rough"]):
        parts = brier_decomposition(y, prob, sample_weight=weight)
        error = calibration_error(y, prob, sample_weight=weight, n_resamples=50).error
        assert error**2 == pytest.approx(parts.miscalibration, rel=1e-9)


def test_resamples_of_one_class_count():
    comparison = compare_classifiers(
        [0, 0, 0, 1, 1], {"a": [0.1, 0.2, 0.3, 0.6, 0.9]}, n_resamples=300
    )
    assert 0 < comparison.calibration_p[0] <= 1


def test_comparisons_are_shown_as_html_and_latex():
    y, scores = models(80)
    comparison = compare_classifiers(
        y, {"A_1 & <b>": scores["rough"], "s": scores["score"]}, n_resamples=0
    )
    assert "&lt;b&gt;" in comparison.to_html()
    assert "&lt;b&gt;" in comparison._repr_html_()
    latex = comparison.to_latex()
    assert r"A\_1 \& <b>" in latex
    assert latex.count(r"\\") == 3
    assert "--" in latex
    with_ends = compare_classifiers(y, {"a": scores["true"]}, n_resamples=50).to_latex()
    assert with_ends.count("[") == 2
    certain = compare_classifiers([0, 1, 0, 1], {"a": [1, 0, 0, 1]}, n_resamples=0)
    assert r"$\infty$" in certain.to_latex()


@pytest.mark.parametrize(
    "table", [pd.DataFrame({"a": [0.1, 0.2], "b": [1, 2]}), {"a": [0.1, 0.2], "b": [1, 2]}]
)
def test_scores_come_as_tables_and_mappings(table):
    assert {name: score.tolist() for name, score in check_scores(table, 2).items()} == {
        "a": [0.1, 0.2],
        "b": [1, 2],
    }
    assert list(check_scores([0.1, 0.2], 2)) == ["model 1"]
    assert list(check_scores(np.zeros((2, 3)), 2)) == ["model 1", "model 2", "model 3"]
