"""AUCs of samples that come in clusters: Obuchowski's variance, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from scipy.stats import t

from rocviz.core.base.validation import check_clusters
from rocviz.core.comparison import bootstrap_interval, compare_classifiers
from rocviz.core.roc import RankedSegments, auc_interval, auc_test


def patients(n_patients, rng, separation=1.2, rows=6):
    """Draw rows of patients, whose outcome they share, with scores that vary together."""
    patient = np.repeat(np.arange(n_patients), rows)
    y = rng.permutation(n_patients) < n_patients / 2
    shared = np.sqrt(0.6) * rng.normal(size=n_patients)
    score = shared[patient] + np.sqrt(0.4) * rng.normal(size=patient.size)
    return y[patient], score + separation * y[patient], patient


def obuchowski(y, score, cluster):
    """AUC and variance from the matrix of all pairs, as in the paper."""
    psi = np.heaviside(score[y][:, None] - score[~y], 0.5)
    auc = psi.mean()
    names = np.unique(cluster)
    a = np.array([(psi.mean(1) - auc)[cluster[y] == name].sum() for name in names])
    b = np.array([(psi.mean(0) - auc)[cluster[~y] == name].sum() for name in names])
    n_pos = y.sum()
    n_neg = (~y).sum()
    i = names.size
    i10 = np.unique(cluster[y]).size
    i01 = np.unique(cluster[~y]).size
    variance = i10 / (i10 - 1) * (a**2).sum() / n_pos**2
    variance += i01 / (i01 - 1) * (b**2).sum() / n_neg**2
    variance += 2 * i / (i - 1) * (a * b).sum() / n_pos / n_neg
    return auc, variance, min(i10, i01)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_interval_of_clusters_is_obuchowskis_on_the_scale_of_log_odds(seed, mixed):
    rng = np.random.default_rng(seed)
    y, score, patient = patients(14, rng)
    if mixed:  # both classes in most patients
        patient = rng.permutation(patient)
    auc, variance, fewest = obuchowski(y, score, patient)
    interval = auc_interval(y, score, clusters=patient, confidence=0.9)
    assert interval.n_clusters == fewest
    assert interval.standard_error**2 == pytest.approx(variance)
    half = t.ppf(0.95, fewest - 1) * np.sqrt(variance) / auc / (1 - auc)
    ends = expit(logit(auc) - half), expit(logit(auc) + half)
    assert (interval.lower, interval.upper) == pytest.approx(ends)
    row = compare_classifiers(
        y, {"m": score}, clusters=patient, confidence=0.9, n_resamples=0
    ).to_frame()
    assert row.loc["m", ["auc_low", "auc_high"]].tolist() == pytest.approx(ends)


def test_clusters_of_one_row_have_delongs_variance():
    y, score, _ = patients(20, np.random.default_rng(0))
    single = auc_interval(y, score, clusters=np.arange(y.size))
    assert single.standard_error == pytest.approx(auc_interval(y, score).standard_error)
    other = score + np.random.default_rng(1).normal(size=y.size)
    tests = [auc_test(y, score, other, clusters=c) for c in (None, np.arange(y.size))]
    assert tests[0].standard_error == pytest.approx(tests[1].standard_error)


def test_rows_of_patients_are_no_independent_samples():
    rng = np.random.default_rng(4)
    n_covered = n_covered_by_rows = 0
    truth = 0.8023  # of normal scores with unit variance, 1.2 apart
    for _ in range(100):
        y, score, patient = patients(30, rng)
        interval = auc_interval(y, score, clusters=patient)
        n_covered += interval.lower <= truth <= interval.upper
        interval = auc_interval(y, score)
        n_covered_by_rows += interval.lower <= truth <= interval.upper
    assert n_covered >= 88
    assert n_covered_by_rows < 80


def test_paired_tests_of_clusters():
    rng = np.random.default_rng(5)
    y, score, patient = patients(20, rng)
    other = score + rng.normal(size=20)[patient]
    by_rows = auc_test(y, score, other)
    by_patients = auc_test(y, score, other, clusters=patient)
    assert by_patients.difference == by_rows.difference
    assert by_patients.standard_error > by_rows.standard_error
    assert by_patients.p_value > by_rows.p_value
    table = compare_classifiers(
        y, {"a": score, "b": other}, clusters=patient, n_resamples=0
    ).pairs()
    assert table.loc[0, "p_value"] == pytest.approx(by_patients.p_value)
    assert table.loc[0, "lower"] == pytest.approx(by_patients.lower)


def test_repeated_rows_of_a_cluster_are_weights():
    rng = np.random.default_rng(6)
    y, score, patient = patients(12, rng)
    times = rng.integers(1, 4, y.size)
    repeated = [np.repeat(values, times) for values in (y, score, patient)]
    weighted = auc_interval(y, score, sample_weight=times, clusters=patient)
    plain = auc_interval(repeated[0], repeated[1], clusters=repeated[2])
    assert weighted.standard_error == pytest.approx(plain.standard_error)
    assert (weighted.lower, weighted.upper) == pytest.approx((plain.lower, plain.upper))


def test_a_perfect_ranking_counts_its_clusters():
    patient = np.repeat(np.arange(10), 5)
    y = patient >= 6
    interval = auc_interval(y, np.arange(50), clusters=patient)
    assert interval.is_fallback
    assert interval.n_clusters == 4
    # four pairs of patients that share none
    assert (interval.lower, interval.upper) == pytest.approx((0.025 ** (1 / 4), 1))


def test_one_cluster_of_a_class_shows_nothing():
    y = np.array([1, 1, 0, 0, 0, 0])
    interval = auc_interval(y, [3, 2, 2, 1, 0, 4], clusters=list("aabbcc"))
    assert np.isnan([interval.lower, interval.upper, interval.standard_error]).all()
    assert interval.is_fallback
    with pytest.raises(ValueError, match="at least two clusters with samples of each class"):
        auc_test(y, [3, 2, 2, 1, 0, 4], [1, 2, 3, 4, 5, 6], clusters=list("aabbcc"))


def test_a_variance_that_is_not_positive_leaves_out_the_products_of_classes():
    # the positive of a cluster is as much easier than others as its negative is harder
    y = np.tile([1, 0], 6)
    shift = np.repeat([0.0, 10, 20, 30, 40, 50], 2)
    score = shift + np.tile([1.0, 0.0], 6)
    cluster = np.repeat(np.arange(6), 2)
    auc, variance, _ = obuchowski(y == 1, score, cluster)
    assert abs(variance) < 1e-15
    psi = np.heaviside(score[y == 1][:, None] - score[y == 0], 0.5)
    of_pos = ((psi.mean(1) - auc) ** 2).sum() / 36 * 6 / 5
    of_neg = ((psi.mean(0) - auc) ** 2).sum() / 36 * 6 / 5
    interval = auc_interval(y, score, clusters=cluster)
    assert interval.standard_error**2 == pytest.approx(of_pos + of_neg)


def test_differences_that_cancel_within_clusters_are_not_certain():
    y = np.tile([1, 1, 0, 0], 5)
    cluster = np.repeat(np.arange(5), 4)
    # each cluster has a positive that is better, and one that is as much worse, by the other score
    a = np.tile([3.0, 1.0, 2.0, 0.0], 5)
    b = np.tile([1.0, 3.0, 2.0, 0.0], 5)
    test = auc_test(y, a, b, clusters=cluster)
    assert (test.difference, test.p_value) == (0, 1)
    assert test.is_fallback
    assert test.lower < -0.1
    assert test.upper > 0.1
    same = auc_test(y, a, 2 * a, clusters=cluster)
    assert (same.lower, same.upper, same.p_value, same.is_fallback) == (0, 0, 1, False)


MISSING = {
    "floats": np.array([1.0, np.nan, 2.0, np.nan]),
    "objects": np.array(["a", None, "b", "b"], dtype=object),
    "list with NaN": ["a", float("nan"), "b", "b"],
    "list with None": ["a", None, "b", "b"],
    "nullable integers": pd.Series([1, 2, 2, None], dtype="Int64"),
    "categories": pd.Series(pd.Categorical(["a", "b", None, "b"])),
    "dates": np.array(["2020-01-01", "NaT", "2020-01-02", "2020-01-02"], dtype="datetime64[D]"),
    "strings": pd.Series(["a", None, "b", "b"], dtype="string"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing_names_of_clusters_are_refused(kind):
    for function in (auc_interval, bootstrap_interval):
        with pytest.raises(ValueError, match=r"clusters must name .*; \d of 4 are missing"):
            function([0, 1, 0, 1], [1, 2, 3, 4], clusters=MISSING[kind])


def test_clusters_are_numbered_in_their_order():
    numbers = [3, 7, 3, 5, 7]
    for names in (
        np.array(numbers, dtype=np.int8),
        np.array(numbers, dtype=np.uint64) + 2**63,
        np.array(numbers) * 10**12 - 10**15,
        np.array([f"patient {number}" for number in numbers]),
        np.array(numbers, dtype=float),
        np.array(numbers, dtype=np.float16),
        np.array(numbers, dtype=np.longdouble),
        np.array(numbers, dtype="datetime64[D]"),
        pd.Series([f"patient {number}" for number in numbers], dtype="string"),
        pd.Series([f"patient {number}" for number in numbers], dtype=object),
        np.array([-128 + 85 * (number - 3) // 4 * 3 for number in numbers], dtype=np.int8),
    ):
        assert check_clusters(names, 5).tolist() == [0, 2, 0, 1, 2]
    assert check_clusters(None, 5) is None


def test_what_clusters_are_not_for():
    y, score, patient = patients(6, np.random.default_rng(0))
    segments = RankedSegments.from_scores(y, score)
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        auc_interval(segments, clusters=patient)
    with pytest.raises(ValueError, match="method='bootstrap' knows no clusters; widened-delong"):
        auc_interval(y, score, clusters=patient, method="bootstrap")
    with pytest.raises(ValueError, match="method must be one of"):
        auc_interval(y, score, clusters=patient, method="?")
    with pytest.raises(ValueError, match="clusters must be one-dimensional"):
        auc_interval(y, score, clusters=np.stack((patient, patient), axis=1))
