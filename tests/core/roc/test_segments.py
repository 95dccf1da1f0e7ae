"""Segments, curve and area: against scikit-learn, by algebra, and as an object."""

import copy
import gc
import pickle
import tracemalloc
import weakref

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from sklearn.metrics import roc_auc_score, roc_curve

from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.segments import RankedSegments

SCORES = st.one_of(
    st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)
)


@st.composite
def samples(draw, max_size=40):
    """Labels of both classes, scores with ties, and weights, some of them zero."""
    n = draw(st.integers(2, max_size))
    y = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda v: len(set(v)) == 2))
    score = draw(st.lists(SCORES, min_size=n, max_size=n))
    weight = draw(
        st.one_of(
            st.none(), st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.25]), min_size=n, max_size=n)
        )
    )
    y = np.array(y)
    score = np.array(score)
    if weight is not None:
        weight = np.array(weight)
        weight[y.argmax()] = 1.0
        weight[y.argmin()] = 1.0
    return y, score, weight


def segments_of(data):
    y, score, weight = data
    return RankedSegments.from_scores(y, score, sample_weight=weight)


@given(samples())
def test_curve_is_that_of_scikit_learn(data):
    y, score, weight = data
    segments = segments_of(data)
    fpr, tpr, thresholds = roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    if weight is not None:  # scikit-learn keeps scores that no weight stands for
        new = np.concatenate(([True], (np.diff(fpr) > 0) | (np.diff(tpr) > 0)))
        fpr = fpr[new]
        tpr = tpr[new]
        thresholds = thresholds[new]
    np.testing.assert_allclose(segments.fpr, fpr, atol=1e-14)
    np.testing.assert_allclose(segments.tpr, tpr, atol=1e-14)
    np.testing.assert_array_equal(segments.thresholds, thresholds)
    assert segments.fpr[0] == segments.tpr[0] == 0
    assert segments.fpr[-1] == segments.tpr[-1] == 1


@given(samples())
def test_area_is_that_of_scikit_learn(data):
    y, score, weight = data
    assert segments_of(data).auc == pytest.approx(
        roc_auc_score(y, score, sample_weight=weight), abs=1e-13
    )


@given(samples())
def test_slope_and_empirical_probability_agree(data):
    segments = segments_of(data)
    steep = np.isinf(segments.slope)
    slope = np.where(steep, 1.0, segments.slope)
    want = np.where(steep, 1.0, slope / (slope + 1 / segments.prior_odds))
    np.testing.assert_allclose(segments.empirical_probability, want, rtol=1e-13)
    np.testing.assert_array_equal(steep, segments.neg == 0)


# ---------------------------------------------------------------- coarser rankings


@given(samples(), st.data())
def test_coarsen_joins_two_neighbours_and_nothing_else(data, draw):
    segments = segments_of(data)
    if len(segments) < 2:
        with pytest.raises(ValueError, match=r"^segment must be"):
            segments.coarsen(0)
        return
    i = draw.draw(st.integers(0, len(segments) - 2))
    coarse = segments.coarsen(i)
    assert len(coarse) == len(segments) - 1
    np.testing.assert_array_equal(np.delete(segments.score, i), coarse.score)
    np.testing.assert_allclose(np.delete(segments.fpr, i + 1), coarse.fpr, atol=1e-14)
    np.testing.assert_allclose(np.delete(segments.tpr, i + 1), coarse.tpr, atol=1e-14)


@given(samples(), samples())
def test_merge_is_the_ranking_of_all_samples(first, second):
    merged = segments_of(first).merge(segments_of(second))
    weights = [np.ones(d[0].size) if d[2] is None else d[2] for d in (first, second)]
    together = RankedSegments.from_scores(
        np.concatenate((first[0], second[0])),
        np.concatenate((first[1], second[1])),
        sample_weight=np.concatenate(weights),
    )
    for name in ("score", "pos", "neg"):
        np.testing.assert_allclose(getattr(merged, name), getattr(together, name), rtol=1e-14)


@given(samples())
def test_new_scores_define_order_and_ties(data):
    y, score, weight = data
    segments = segments_of(data)
    function = lambda s: np.round(-s / 2)  # noqa: E731 - used on both sides
    again = segments.with_scores(function(segments.score))
    direct = RankedSegments.from_scores(y, function(score), sample_weight=weight)
    for name in ("score", "pos", "neg"):
        np.testing.assert_allclose(getattr(again, name), getattr(direct, name), rtol=1e-14)
    same = segments.with_scores(segments.score)
    np.testing.assert_array_equal(same.pos, segments.pos)
    with pytest.raises(ValueError, match="score must have one entry per segment"):
        segments.with_scores([0.0] * (len(segments) + 1))


# ---------------------------------------------------------------- what comes in

Y = [0, 1, 0, 1, 1]
S = [0.1, 0.4, 0.4, 0.8, 0.2]


def locked(values):
    array = np.array(values)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "wrap",
    [
        list,
        tuple,
        np.array,
        locked,
        pd.Series,
        pl.Series,
        lambda v: np.array(v)[:, None],
        lambda v: pd.DataFrame({"a": v}),
        lambda v: np.repeat(v, 2)[::2],
    ],
)
def test_any_kind_of_vector_works(wrap):
    segments = RankedSegments.from_scores(wrap(Y), wrap(S), sample_weight=wrap([1, 1, 1, 1, 1]))
    assert segments.score.tolist() == [0.8, 0.4, 0.2, 0.1]
    assert segments.pos.tolist() == [1, 1, 1, 0]
    assert segments.neg.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (["ill" if y else "fit" for y in Y], "ill"),
        ([bool(y) for y in Y], None),
        ([not y for y in Y], False),
        ([2 * y - 1 for y in Y], None),
        ([5.5 if y else 2.5 for y in Y], 5.5),
        (pd.Series(["p" if y else "n" for y in Y], dtype="category"), "p"),
        (pl.Series(["p" if y else "n" for y in Y]), "p"),
        (np.array(["p" if y else "n" for y in Y], dtype=object), np.str_("p")),
    ],
)
def test_any_kind_of_label_works(labels, pos_label):
    segments = RankedSegments.from_scores(labels, S, pos_label=pos_label)
    assert segments.pos.tolist() == [1, 1, 1, 0]


def test_samples_without_weight_are_left_out():
    kept = RankedSegments.from_scores([0, 1, 1], [1, 2, 3], sample_weight=[1, 1, 0])
    assert kept.score.tolist() == [2, 1]


def test_unused_rankings_are_freed_at_once():
    # resamples by the hundred would wait for the garbage collector, all of them in memory
    ranking = RankedSegments.from_scores([1, 0, 1, 0], [0.4, 0.3, 0.2, 0.1])
    assert ranking.auc < ranking.hull().auc
    gone = weakref.ref(ranking)
    gc.disable()
    try:
        del ranking
        assert gone() is None
    finally:
        gc.enable()


def test_constructor_neither_locks_nor_shares_the_callers_arrays():
    score = np.array([2.0, 1.0])
    pos = np.array([3.0, 1.0])
    neg = np.array([1.0, 2.0])
    frozen = locked([1.0, 2.0])
    segments = RankedSegments(score, pos, neg)
    RankedSegments(score, pos, frozen)
    frozen.flags.writeable = True
    for array in (score, pos, neg):
        assert array.flags.writeable
        array[:] = 99
    assert segments.score.tolist() == [2, 1]
    assert segments.pos.tolist() == [3, 1]
    assert segments.neg.tolist() == [1, 2]
    assert not np.shares_memory(segments.pos, pos)
    y = np.array(Y)
    score = np.array(S)
    weight = np.arange(1.0, 6.0)
    segments = RankedSegments.from_scores(y, score, sample_weight=weight)
    segments.with_scores(segments.score).merge(segments).hull()
    for array, before in ((y, Y), (score, S), (weight, np.arange(1.0, 6.0))):
        np.testing.assert_array_equal(array, before)
        assert array.flags.writeable


# ---------------------------------------------------------------- the object


COUNTS = ["score", "pos", "neg", "n", "cumulative_pos", "cumulative_neg"]
ARRAYS = [*COUNTS, "fpr", "tpr", "thresholds", "slope", "empirical_probability"]
ARRAYS += ["hull_vertices"]


def everything_is_locked(segments):
    for name in ARRAYS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(segments, name)[0] = 7


def test_immutable():
    segments = RankedSegments.from_scores(Y, S)
    everything_is_locked(segments)
    everything_is_locked(segments.hull())
    with pytest.raises(AttributeError):
        segments.pos = segments.neg
    with pytest.raises(AttributeError):
        segments.other = 1


@pytest.mark.parametrize(
    "travel", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]
)
def test_pickled_segments_stay_immutable(travel):
    segments = RankedSegments.from_scores(Y, S)
    assert segments.auc
    assert segments.hull_vertices.size
    there = travel(segments)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(there, name), getattr(segments, name))
    everything_is_locked(there)


def test_a_pickle_carries_no_derived_arrays():
    segments = RankedSegments.from_scores(np.arange(500) % 2, np.arange(500))
    small = len(pickle.dumps(segments))
    assert segments.auc
    assert len(segments.thresholds) == 501
    assert len(pickle.dumps(segments)) == small


def test_segments_have_a_short_representation():
    segments = RankedSegments.from_scores(Y, S)
    assert repr(segments) == "<RankedSegments: 4 segments, 3 positives, 2 negatives, AUC 0.7500>"
    assert "<table" in segments._repr_html_()
    assert "first 20" not in segments._repr_html_()
    again = RankedSegments.from_scores(*segments.to_samples()[:2], sample_weight=[1, 1, 1, 1, 1])
    assert repr(again) == repr(segments)
    long = RankedSegments(np.arange(25)[::-1], np.ones(25), np.ones(25))
    assert "first 20 of 25 segments" in long._repr_html_()
    assert long._repr_html_().count("<tr") == 21


def test_table():
    frame = RankedSegments.from_scores(Y, S).to_frame()
    assert " ".join(frame) == "score pos neg empirical_probability slope fpr tpr"
    assert frame["fpr"].iloc[-1] == 1
    assert frame["slope"].iloc[0] == np.inf


def test_weights_do_not_lift_the_area_above_one():
    rng = np.random.default_rng(0)
    for _ in range(200):
        y = np.arange(11) > 4
        weight = rng.random(11) + 0.01
        assert RankedSegments.from_scores(y, y, sample_weight=weight).auc <= 1
        ranked = RankedSegments.from_scores(y, np.arange(11), sample_weight=weight)
        assert 1 - 1e-12 < ranked.auc <= 1


@pytest.mark.parametrize("decimals", [17, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_more_memory_is_held_than_by_scikit_learn(decimals, weighted):
    rng = np.random.default_rng(0)
    y = rng.random(50_000) < 0.3
    score = (rng.normal(size=y.size) + y).round(decimals)
    weight = rng.integers(1, 4, y.size).astype(float) if weighted else None

    def peak(function):
        function(y, score, sample_weight=weight)  # whatever is imported or cached on first use
        tracemalloc.start()
        kept = function(y, score, sample_weight=weight)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert kept is not None
        return most

    assert peak(RankedSegments.from_scores) <= peak(roc_curve)
    assert peak(auc_interval) <= peak(roc_auc_score)


def test_sums_of_legal_weights_are_never_refused():
    n = 10**6
    y = np.arange(n) % 2
    score = np.zeros(n)
    weight = np.ones(n)
    weight[0] = 1e-8
    score[0] = 1.0
    segments = RankedSegments.from_scores(y, score, sample_weight=weight)
    assert segments.neg.tolist() == [1e-8, n / 2 - 1]
    assert len(pickle.loads(pickle.dumps(segments)).hull()) == 1
    pieces = [(y[part], score[part], weight[part]) for part in (slice(0, 9), slice(9, n))]
    assert RankedSegments.from_partitions(pieces).neg.tolist() == segments.neg.tolist()
    widest = RankedSegments.from_scores([0, 1, 1], [2, 1, 1], sample_weight=[1e-6, 1e6, 1e6])
    assert widest.slope.tolist() == [0, np.inf]
    assert widest.merge(widest).hull().auc == 0.5
    with pytest.raises(ValueError, match=r"^pos and neg must .* factor of 1e\+24"):
        RankedSegments([2, 1], [1e13, 1], [0, 1e-12])
    with pytest.raises(ValueError, match=r"^sample_weight must .* factor of 1e\+12"):
        RankedSegments.from_scores([0, 1, 1], [2, 1, 1], sample_weight=[1e-7, 1e6, 1e6])
