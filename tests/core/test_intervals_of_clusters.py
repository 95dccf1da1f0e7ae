"""Every function and display that gives an interval or a test takes clusters, or says why not."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest

import rocviz
from rocviz.core.comparison import compare_classifiers
from rocviz.core.curve_spaces import partial_auc
from rocviz.core.decisions import threshold_interval
from rocviz.core.groups import group_summary
from rocviz.core.multiclass import (
    classwise_calibration_error,
    hand_till_auc,
    hand_till_covariance,
    ordered_volume,
)
from rocviz.core.roc import (
    auc_interval,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
)
from rocviz.core.roc.clustered_rates import (
    cells_of_samples,
    clustered_draws,
    clustered_rate_interval,
    effective_trials,
)
from rocviz.core.roc.segments import RankedSegments, samples_in_clusters

#: Functions that give an interval or a p-value without clusters, and why.
NO_CLUSTERS = {
    "abroca": "no test by permutation of clusters is known for curves",
    "auc_sample_size": "there are no samples yet",
    "binomial_interval": "counts do not tell whose they are",
    "calibration_sample_size": "there are no samples yet",
    "compare_folds": "folds are the unit, which hold whole clusters",
    "net_benefit_sample_size": "there are no samples yet",
    "predictive_values": "a table of counts does not tell whose they are",
    "random_effects": "estimates are given, with their errors",
    "simulate_coverage": "it draws independent samples",
}

#: Fields of results that are an interval or a test.
CONCLUSIONS = {"lower", "upper", "p_value", "confidence"}


def functions():
    """Find every public function whose result has an interval or a p-value."""
    by_name = {}
    for idea in rocviz.core.__all__:
        package = getattr(rocviz.core, idea)
        for name in package.__all__:
            function = getattr(package, name)
            if not inspect.isfunction(function):
                continue
            result = vars(inspect.getmodule(function)).get(function.__annotations__["return"])
            fields = set(getattr(result, "__dataclass_fields__", ()))
            parameters = set(inspect.signature(function).parameters)
            if "confidence" in parameters or CONCLUSIONS & fields:
                by_name[name] = function
    return by_name


FUNCTIONS = functions()


def test_all_are_found():
    assert len(FUNCTIONS) >= 25
    assert {"auc_interval", "group_summary", "abroca", "hand_till_auc"} <= set(FUNCTIONS)


def test_what_gives_an_interval_takes_clusters_or_says_why_not():
    without = {
        name
        for name, function in FUNCTIONS.items()
        if "clusters" not in inspect.signature(function).parameters
    }
    assert without == set(NO_CLUSTERS)


@pytest.mark.parametrize("name", sorted(NO_CLUSTERS))
def test_docstrings_say_why_there_are_no_clusters(name):
    takes_samples = {"y_true", "table", "successes"} & set(
        inspect.signature(FUNCTIONS[name]).parameters
    )
    assert not takes_samples or re.search("cluster", inspect.getdoc(FUNCTIONS[name]))


RNG = np.random.default_rng(0)
N_PATIENTS = 60
ROWS = 6
PATIENT = np.repeat(np.arange(N_PATIENTS), ROWS)
Y = (RNG.random(N_PATIENTS) < 0.4)[PATIENT]
SCORE = 1.2 * Y + RNG.normal(size=N_PATIENTS)[PATIENT] + 0.6 * RNG.normal(size=PATIENT.size)
GROUP = np.array(["a", "b"])[PATIENT % 2]
CLASS = Y.astype(int) + (RNG.random(N_PATIENTS) < 0.4)[PATIENT]
PROB = (RNG.dirichlet([1, 1, 1], N_PATIENTS)[PATIENT] + 0.4 * np.eye(3)[CLASS]) / 1.4
CLASSES = [0, 1, 2]


def of_fixed_rate(function, **fixed):
    def ends(rows, **more):
        result = function(Y[rows], SCORE[rows], **fixed, **more)
        return result.rate, result.lower, result.upper

    return ends


def of_area(rows, **more):
    result = partial_auc(Y[rows], SCORE[rows], high=0.3, n_resamples=200, **more)
    return result.area, result.lower, result.upper


def of_classes(method):
    def ends(rows, **more):
        result = hand_till_auc(CLASS[rows], PROB[rows], method=method, **more)
        return result.auc, result.lower, result.upper

    return ends


def of_volume(rows, **more):
    result = ordered_volume(CLASS[rows], SCORE[rows], CLASSES, **more)
    return result.volume, result.lower, result.upper


def of_group(quantity):
    def ends(rows, **more):
        table = group_summary(Y[rows], SCORE[rows], GROUP[rows], threshold=0.5, **more).to_frame()
        return tuple(table.loc[0, [quantity, f"{quantity}_lower", f"{quantity}_upper"]])

    return ends


def of_difference(quantity):
    def ends(rows, **more):
        summary = group_summary(Y[rows], SCORE[rows], GROUP[rows], threshold=0.5, **more)
        table = summary.differences().set_index("quantity")
        return tuple(table.loc[quantity, ["difference", "lower", "upper"]])

    return ends


INTERVALS = {
    "sensitivity": of_fixed_rate(sensitivity_at_specificity, specificity=0.8, n_resamples=200),
    "specificity": of_fixed_rate(specificity_at_sensitivity, sensitivity=0.8, n_resamples=200),
    "partial AUC": of_area,
    "Hand and Till": of_classes("widened-delong"),
    "Hand and Till, logit": of_classes("logit-delong"),
    "ordered volume": of_volume,
    "AUC of a group": of_group("auc"),
    "rate of a group": of_group("tpr"),
    "precision of a group": of_group("precision"),
    "difference of AUCs": of_difference("auc"),
    "difference of rates": of_difference("fpr"),
}
EXACT = set(INTERVALS) - {"sensitivity", "specificity"}  # whose quantile depends on the number


@pytest.mark.parametrize("name", INTERVALS)
def test_rows_that_repeat_a_patient_say_no_more_than_the_patient(name):
    ends = INTERVALS[name]
    once = np.arange(0, PATIENT.size, ROWS)
    twice = np.sort(np.concatenate((once, once)))
    of_patients = ends(once, clusters=PATIENT[once])
    repeated = ends(twice, clusters=PATIENT[twice])
    tolerance = 1e-9 if name in EXACT else 0.06
    np.testing.assert_allclose(repeated, of_patients, atol=tolerance)
    value, lower, upper = ends(twice)
    assert upper - lower < 0.95 * (repeated[2] - repeated[1])
    assert value == pytest.approx(repeated[0])


@pytest.mark.parametrize("name", INTERVALS)
def test_clusters_of_one_row_hardly_change_the_interval(name):
    once = np.arange(0, PATIENT.size, ROWS)
    ends = INTERVALS[name]
    np.testing.assert_allclose(ends(once, clusters=PATIENT[once]), ends(once), atol=0.08)


@pytest.mark.parametrize("name", INTERVALS)
def test_clusters_stay_beside_their_rows(name):
    ends = INTERVALS[name]
    order = np.random.default_rng(1).permutation(PATIENT.size)
    rows = np.arange(PATIENT.size)
    names = np.char.add("patient ", PATIENT.astype(str))
    padded = pd.Series([f"patient {number:03}" for number in PATIENT], dtype="category")
    expected = ends(rows, clusters=PATIENT)
    np.testing.assert_allclose(ends(order, clusters=PATIENT[order]), expected, atol=1e-9)
    np.testing.assert_allclose(ends(rows, clusters=padded), expected, atol=1e-9)
    if name not in {"sensitivity", "specificity", "partial AUC"}:  # drawn in the order of the names
        np.testing.assert_allclose(ends(rows, clusters=names), expected, atol=1e-9)


@pytest.mark.parametrize("name", INTERVALS)
def test_samples_of_weight_zero_leave_their_clusters(name):
    ends = INTERVALS[name]
    rows = np.arange(PATIENT.size)
    kept = np.flatnonzero(PATIENT != 3)
    weight = (PATIENT != 3).astype(float)
    weighted = ends(rows, clusters=PATIENT, sample_weight=weight)
    np.testing.assert_allclose(weighted, ends(kept, clusters=PATIENT[kept]), atol=1e-9)


def test_two_classes_give_the_interval_of_an_auc():
    auc = auc_interval(Y, SCORE, method="logit-delong", clusters=PATIENT)
    volume = ordered_volume(Y, SCORE, [False, True], clusters=PATIENT)
    assert volume.lower == pytest.approx(auc.lower)
    assert volume.upper == pytest.approx(auc.upper)
    assert volume.n_clusters == auc.n_clusters
    prob = 1 / (1 + np.exp(-SCORE))
    both = hand_till_auc(Y.astype(int), np.column_stack((1 - prob, prob)), clusters=PATIENT)
    auc = auc_interval(Y, SCORE, clusters=PATIENT)
    assert (both.lower, both.upper) == pytest.approx((auc.lower, auc.upper))


def test_models_of_several_classes_are_tested_by_cluster():
    sharp = PROB**3 / (PROB**3).sum(axis=1, keepdims=True)
    models = {"plain": PROB, "sharp": sharp}
    rows = hand_till_covariance(CLASS, models).pairs()
    clustered = hand_till_covariance(CLASS, models, clusters=PATIENT).pairs()
    comparison = compare_classifiers(CLASS, models, clusters=PATIENT, n_resamples=0)
    width = (clustered["upper"] - clustered["lower"])[0]
    assert width > 1.5 * (rows["upper"] - rows["lower"])[0]
    assert comparison.pairs()["lower"][0] == pytest.approx(clustered["lower"][0])


def test_one_cluster_of_a_class_has_no_interval():
    alone = np.where(CLASS == 2, -1, PATIENT)
    for method in ("widened-delong", "logit-delong"):
        result = hand_till_auc(CLASS, PROB, method=method, clusters=alone)
        assert result.n_clusters == 1
        assert np.isnan([result.lower, result.upper]).all()
    volume = ordered_volume(CLASS, SCORE, CLASSES, clusters=alone)
    assert np.isnan([volume.lower, volume.upper]).all()
    perfect = ordered_volume(CLASS, CLASS, CLASSES, clusters=PATIENT)
    assert perfect.is_fallback
    assert 0 < perfect.lower < 1
    with pytest.raises(ValueError, match="at least two clusters"):
        hand_till_covariance(CLASS, {"a": PROB}, clusters=alone)


def test_perfect_rankings_are_judged_by_their_clusters():
    rate = sensitivity_at_specificity(Y, Y, specificity=0.9, clusters=PATIENT, n_resamples=60)
    assert rate.n_effective == np.unique(PATIENT[Y]).size
    area = partial_auc(Y, Y, high=0.2, n_resamples=60, clusters=PATIENT)
    assert area.is_fallback
    assert area.lower < partial_auc(Y[::ROWS], Y[::ROWS], high=0.2, n_resamples=60).upper
    chosen = threshold_interval(Y, Y.astype(float), clusters=PATIENT, n_resamples=60)
    of_patients = threshold_interval(Y[::ROWS], Y[::ROWS].astype(float), n_resamples=60)
    assert chosen.sensitivity.lower == pytest.approx(of_patients.sensitivity.lower)


def test_few_clusters_beyond_the_threshold_make_a_rate_doubtful():
    of_rows = sensitivity_at_specificity(Y, SCORE, specificity=0.97)
    of_patients = sensitivity_at_specificity(
        Y, SCORE, specificity=0.97, clusters=PATIENT, n_resamples=60
    )
    assert not of_rows.is_doubtful
    assert of_patients.is_doubtful


def test_resamples_need_both_classes():
    y = np.array([0, 0, 0, 1, 1, 0])
    with pytest.raises(ValueError, match="at least two clusters with samples of each class"):
        sensitivity_at_specificity(
            y, [1, 2, 3, 4, 5, 6], specificity=0.5, clusters=[1, 2, 3, 4, 4, 5]
        )
    rare = np.zeros(40, dtype=int)
    rare[:2] = 1
    area = partial_auc(rare, np.arange(40), clusters=np.arange(40), n_resamples=100)
    assert 0 <= area.lower <= area.upper
    samples = samples_in_clusters(rare, np.arange(40.0), np.arange(40))
    segments = RankedSegments.from_scores(rare, np.arange(40))
    nobody = samples._replace(positive=np.zeros(40, dtype=bool))
    with pytest.raises(ValueError, match="resamples hold one class only"):
        next(clustered_draws(segments, nobody, 1, np.random.default_rng(0)))


def test_a_rate_has_the_interval_that_groups_have():
    samples = samples_in_clusters(Y, SCORE, PATIENT)
    cells = cells_of_samples(samples, (SCORE >= 0.5).astype(float))
    summary = group_summary(Y, SCORE, np.zeros(Y.size, dtype=int), clusters=PATIENT)
    for rate in ("tpr", "fpr", "precision"):
        ends = clustered_rate_interval(cells, PATIENT, rate, 0.95)
        assert ends == pytest.approx(summary.interval(0, rate))
    assert clustered_rate_interval(0 * cells, PATIENT, "tpr", 0.95) == (0, 1)


def test_groups_that_share_clusters_are_not_compared():
    mixed = np.resize(["a", "b"], PATIENT.size)
    summary = group_summary(Y, SCORE, mixed, clusters=PATIENT)
    assert summary.to_frame()["auc_lower"].notna().all()
    with pytest.raises(ValueError, match="clusters must not have samples of several groups"):
        summary.differences()
    rankings = group_summary(Y, SCORE, mixed).rankings
    with pytest.raises(ValueError, match="clusters can only be given with labels"):
        group_summary(rankings, clusters=PATIENT)


def test_groups_of_few_clusters_are_not_tested():
    few = PATIENT % 12
    summary = group_summary(Y, SCORE, np.where(few < 6, "a", "b"), clusters=few)
    assert not summary.to_frame()["tested"].any()
    assert summary.differences()["p_value"].isna().all()
    nobody = group_summary(Y, SCORE, GROUP, threshold=1e9, clusters=PATIENT).to_frame()
    assert nobody["precision_lower"].tolist() == [0, 0]


def test_effective_trials_are_at_most_the_trials():
    unit = np.array([0, 0, 1, 1])
    same = effective_trials(np.array([1.0, 1, 0, 0]), np.ones(4), unit)
    opposite = effective_trials(np.array([1.0, 0, 1, 0]), np.ones(4), unit)
    assert (same, opposite) == (1, 4)
    drawn = np.array([1.0, 1, 0, 0]) / 2 + 0.25
    assert 1 < effective_trials(drawn, np.ones(4), unit) < 4
    assert effective_trials(np.ones(4), np.ones(4), unit) == 2
    assert effective_trials(np.zeros(4), np.zeros(4), unit) == 0
    assert effective_trials(np.array([1.0, 0, 0, 0]), np.array([1.0, 1, 0, 0]), unit) == 1


MISSING = {
    "None in a list": ["a", None, "b"],
    "NaN in a list": ["a", float("nan"), "b"],
    "NaN": [1.0, np.nan, 2.0],
    "NaT": np.array(["2020-01-01", "NaT", "2021-01-01"], dtype="datetime64[D]"),
    "pandas' NA": pd.array([1, None, 2], dtype="Int64"),
    "NA of a column": pd.Series(["a", None, "b"], dtype="string"),
    "a category": pd.Series(["a", None, "b"], dtype="category"),
    "times of pandas": pd.Series(pd.to_datetime(["2020-01-01", None, "2021-01-01"])),
    "times with a zone": pd.Series(pd.to_datetime(["2020-01-01", None, "2021-01-01"], utc=True)),
    "empty text": ["a", "", "b"],
    "blank text": np.array(["a", " ", "b"]),
    "empty bytes": np.array([b"a", b"", b"b"]),
    "objects": np.array([1, None, 2], dtype=object),
    "not a time": np.array([1, pd.NaT, 2], dtype=object),
}


def rows_of(values, n_times):
    """Repeat rows, keeping the type of a column."""
    rows = np.tile(np.arange(len(values)), n_times)
    if isinstance(values, list):
        return [values[row] for row in rows]
    return values.iloc[rows].reset_index(drop=True) if hasattr(values, "iloc") else values[rows]


@pytest.mark.parametrize("kind", MISSING)
def test_missing_clusters_are_refused_whatever_their_type(kind):
    clusters = rows_of(MISSING[kind], PATIENT.size // 3)
    message = "clusters must name the cluster of every sample; 120 of 360 are missing"
    for ends in INTERVALS.values():
        with pytest.raises(ValueError, match=message):
            ends(np.arange(PATIENT.size), clusters=clusters)
    with pytest.raises(ValueError, match=message):
        classwise_calibration_error(CLASS, PROB, clusters=clusters)


def test_clusters_of_unlike_types_are_refused():
    rows = np.arange(PATIENT.size)
    with pytest.raises(ValueError, match="clusters must be of one type"):
        of_volume(rows, clusters=["a", 1, "b"] * 120)
    with pytest.raises(ValueError, match="clusters must hold names"):
        of_volume(rows, clusters=np.array([[]] * 360 + [None], dtype=object)[:360])
    with pytest.raises(ValueError, match="one entry per sample; got 3"):
        of_volume(rows, clusters=pd.Series(["a", "b", "c"], dtype="category"))
