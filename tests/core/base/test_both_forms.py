"""Functions on two classes take labels with scores, or segments, and give the same results."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

import rocviz
from rocviz.core.roc.segments import RankedSegments

RNG = np.random.default_rng(0)
Y = np.where(RNG.random(60) < 0.4, "ill", "well")
SCORE = np.clip(RNG.normal(np.where(Y == "ill", 0.7, 0.5), 0.2), 0, 1).round(2)
WEIGHT = RNG.integers(0, 3, 60)
GROUPS = np.repeat(["a", "b", "c"], 20)
LABELS = {"sample_weight": WEIGHT, "pos_label": "ill"}


def functions():
    """Find every public function whose first argument may be segments."""
    by_name = {}
    for idea in rocviz.core.__all__:
        package = getattr(rocviz.core, idea)
        for name in package.__all__:
            function = getattr(package, name)
            if inspect.isfunction(function):
                first = next(iter(inspect.signature(function).parameters.values()), None)
                if first is not None and "RankedSegments" in str(first.annotation):
                    by_name[name] = function
    return by_name


FUNCTIONS = functions()
#: Arguments that have no default.
NEEDED = {
    "at_prevalence": {"prevalence": 0.2},
    "auc_interval": {"method": "bootstrap", "n_resamples": 60, "random_state": 0},
    "abroca": {"random_state": 0},
    "policy_at": {"points": 0.5},
    "sensitivity_at_specificity": {"specificity": 0.5},
    "specificity_at_sensitivity": {"sensitivity": 0.5},
    "referral_policy": {"cost_referral": 0.2},
    "policy_through": {"group": "b", "fpr": 0.2, "tpr": 0.5},
}


#: Functions on labels and scores of two classes for which a ranking is too little, and why.
SAMPLES_NEEDED = {
    "auc_test": "the same sample has a place in two rankings",
    "bootstrap_interval": "samples, or clusters of them, are drawn",
    "calibration_error": "samples, or clusters of them, are put into folds",
    "compare_sites": "each sample is from one of the sites",
    "pairwise_loss": "the gradient has an entry for each sample, in the caller's order",
    "rank_pairs": "each sample is a row or a column of the square",
    "read_partitions": "they are names of columns",
    "update_model": "samples, or clusters of them, are put into folds",
}


def functions_of_labels_and_scores():
    """Find every public function whose first arguments are labels and one score or probability."""
    names = set()
    for idea in rocviz.core.__all__:
        package = getattr(rocviz.core, idea)
        for name in package.__all__:
            function = getattr(package, name)
            if not inspect.isfunction(function):
                continue
            parameters = inspect.signature(function).parameters
            scores = {"y_score", "y_score_a", "y_prob"} & set(parameters)
            if "y_true" in parameters and scores and "classes" not in parameters:
                names.add(name)
    return names


def takes_one_ranking(function):
    """Whether its first argument is no collection of segments, of groups, models or folds."""
    first = next(iter(inspect.signature(function).parameters.values()))
    return not re.search("Mapping|Sequence", str(first.annotation))


def takes_groups(function):
    """Whether its first arguments are labels, scores and groups, or segments by group."""
    return list(inspect.signature(function).parameters)[:3] == ["y_true", "y_score", "groups"]


GROUPED = [name for name, function in FUNCTIONS.items() if takes_groups(function)]
RANKED = [name for name, function in FUNCTIONS.items() if takes_one_ranking(function)]


def assert_same(result, expected):
    """Compare results, which may be tuples of results, with all their arrays."""
    assert type(result) is type(expected)
    if isinstance(result, tuple | list):
        assert len(result) == len(expected)
        for entry, expected_entry in zip(result, expected, strict=True):
            assert_same(entry, expected_entry)
    elif isinstance(result, Mapping):
        assert_same(list(result), list(expected))
        assert_same(list(result.values()), list(expected.values()))
    elif is_dataclass(result):
        for field in fields(result):
            assert_same(getattr(result, field.name), getattr(expected, field.name))
    else:
        np.testing.assert_array_equal(result, expected)


def test_all_are_found():
    assert {"space_curve", "roc_band", "partial_auc", "net_benefit_band"} <= set(RANKED)
    assert len(RANKED) >= 12
    assert {"common_region", "policy_at", "policy_through"} <= set(GROUPED)
    assert {"fold_average", "hull_over_models"} == set(FUNCTIONS) - {*RANKED, *GROUPED}


def test_whatever_takes_labels_and_scores_takes_segments_or_says_why_not():
    without_segments = functions_of_labels_and_scores() - set(FUNCTIONS)
    assert without_segments == set(SAMPLES_NEEDED)


@pytest.mark.parametrize("name", RANKED)
def test_labels_and_segments_give_the_same(name):
    function = FUNCTIONS[name]
    arguments = NEEDED.get(name, {})
    segments = RankedSegments.from_scores(Y, SCORE, **LABELS)
    assert_same(function(Y, SCORE, **LABELS, **arguments), function(segments, **arguments))


@pytest.mark.parametrize("name", RANKED)
def test_misuse_is_refused_by_name(name):
    function = FUNCTIONS[name]
    arguments = NEEDED.get(name, {})
    first, second = list(inspect.signature(function).parameters)[:2]
    assert first == "y_true"
    assert second in ("y_score", "y_prob")
    segments = RankedSegments.from_scores(Y, SCORE, **LABELS)
    for wrong in ({second: SCORE}, {"sample_weight": WEIGHT}, {"pos_label": "ill"}):
        with pytest.raises(ValueError, match=f"{second}, sample_weight and pos_label"):
            function(segments, **wrong, **arguments)
    with pytest.raises(ValueError, match=f"{second} is needed .* y_true must be RankedSegments"):
        function(Y, **arguments)
    with pytest.raises(ValueError, match="y_true"):
        function(None, SCORE, **arguments)
    with pytest.raises(ValueError, match=second):
        function(Y, SCORE[1:], **LABELS, **arguments)
    with pytest.raises(ValueError, match="sample_weight"):
        function(Y, SCORE, pos_label="ill", sample_weight=WEIGHT[1:], **arguments)
    with pytest.raises(ValueError, match="pos_label"):
        function(Y, SCORE, pos_label="healthy", **arguments)


@pytest.mark.parametrize("name", GROUPED)
def test_groups_of_labels_and_of_segments_give_the_same(name):
    function = FUNCTIONS[name]
    arguments = NEEDED.get(name, {})
    rankings = {}
    for group in "abc":
        rows = np.flatnonzero(group == GROUPS)
        rankings[group] = RankedSegments.from_scores(Y[rows], SCORE[rows], pos_label="ill")
    of_labels = function(Y, SCORE, GROUPS, pos_label="ill", **arguments)
    assert_same(of_labels, function(rankings, **arguments))
    with pytest.raises(ValueError, match="y_score and groups are needed with labels"):
        function(Y, **arguments)
    with pytest.raises(ValueError, match="pos_label go with labels"):
        function(rankings, pos_label="ill", **arguments)
