"""The volume under the surface: all sets counted, two classes, and coverage."""

from __future__ import annotations

from itertools import groupby, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import auc_interval
from rocviz.core.multiclass import ordered_volume


def counted(y, score, many):
    """Go through all sets of one sample per class."""
    value = np.zeros(y.size)
    places = [np.flatnonzero(y == k) for k in range(many)]
    for chosen in product(*places):
        scores = score[list(chosen)]
        if (np.diff(scores) >= 0).all():
            ties = [factorial(len(list(same))) for _, same in groupby(scores)]
            value[list(chosen)] += 1 / np.prod(ties)
    sets = np.prod([len(place) for place in places])
    size = np.bincount(y, minlength=many)
    return value.sum() / many / sets, value / sets * size[y]


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 12))
def test_all_sets_are_counted(seed, many, distinct):
    rng = np.random.default_rng(seed)
    y = np.append(np.tile(np.arange(many), 2), rng.integers(0, many, 5))
    score = rng.integers(0, distinct, y.size) + 0.3 * y.astype(int)
    score = np.floor(score)
    volume, contributed = counted(y, score, many)
    found = ordered_volume(y, score, range(many), method="delong")
    assert found.volume == pytest.approx(volume, abs=1e-12)
    variance = sum(np.var(contributed[y == k], ddof=1) / (y == k).sum() for k in range(many))
    if found.is_fallback:
        assert variance == pytest.approx(0, abs=1e-20) or volume in (0, 1)
    else:
        assert found.standard_error**2 == pytest.approx(variance, rel=1e-9)


@pytest.mark.parametrize("method", ["logit-delong", "delong"])
@given(seed=st.integers(0, 10**6), shift=st.floats(-2, 9))
def test_two_classes_are_the_auc(method, seed, shift):
    rng = np.random.default_rng(seed)
    y = np.append([0, 0, 1, 1], rng.integers(0, 2, 20))
    score = np.round(rng.normal(size=24) + shift * y, 1)
    weight = rng.integers(1, 4, 24)
    ours = ordered_volume(y, score, [0, 1], method=method, sample_weight=weight)
    theirs = auc_interval(y, score, method=method, sample_weight=weight)
    assert ours.volume == pytest.approx(theirs.auc, abs=1e-12)
    for name in ("lower", "upper", "standard_error"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-7, nan_ok=True)
    assert ours.is_fallback == theirs.is_fallback


def test_the_order_of_the_classes_is_given():
    y = ["s", "s", "m", "m", "l", "l"]
    score = [1, 2, 3, 4, 5, 6]
    up = ordered_volume(y, score, ["s", "m", "l"])
    down = ordered_volume(y, score, ["l", "m", "s"])
    assert (up.volume, up.is_fallback, up.upper) == (1, True, 1)
    assert (down.volume, down.lower) == (0, 0)
    assert up.chance == pytest.approx(1 / 6)
    assert ordered_volume(y, np.zeros(6), ["s", "m", "l"]).volume == pytest.approx(1 / 6)
    assert ordered_volume([0, 1, 1, 2, 2], [1, 3, 2, 2, 5], range(3)).is_fallback


def test_the_interval_covers():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 40)
    truth = ordered_volume(np.tile(y, 500), rng.normal(size=60_000) + np.tile(y, 500), range(3))
    inside = 0
    for _ in range(400):
        volume = ordered_volume(y, rng.normal(size=120) + y, range(3))
        inside += volume.lower <= truth.volume <= volume.upper
    assert 0.92 <= inside / 400 <= 0.98


def test_unbounded_work_is_refused_before_it_begins():
    y = np.resize(np.arange(2000), 1_000_000)
    with pytest.raises(ValueError, match=r"classes of 2000 classes would take about"):
        ordered_volume(y, np.arange(y.size), range(2000))
