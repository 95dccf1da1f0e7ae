"""The volume under the surface: all sets counted, two classes, and coverage."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import auc_interval
from rocviz.core.multiclass import ordered_volume


def volume_of_all_sets(y, score, n_classes):
    """Go through all sets of one sample per class: the volume, and what each sample adds to it."""
    value = np.zeros(y.size)
    members = [np.flatnonzero(y == k) for k in range(n_classes)]
    for samples in map(list, product(*members)):
        if (np.diff(score[samples]) >= 0).all():
            _, tie_sizes = np.unique(score[samples], return_counts=True)
            value[samples] += 1 / np.prod([factorial(size) for size in tie_sizes])
    size = np.bincount(y, minlength=n_classes)
    n_sets = size.prod()
    return value.sum() / n_classes / n_sets, value / n_sets * size[y]


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 12))
def test_all_sets_are_counted(seed, n_classes, n_distinct):
    rng = np.random.default_rng(seed)
    y = np.append(np.tile(np.arange(n_classes), 2), rng.integers(0, n_classes, 5))
    score = np.floor(rng.integers(0, n_distinct, y.size) + 0.3 * y)
    volume, contributions = volume_of_all_sets(y, score, n_classes)
    result = ordered_volume(y, score, range(n_classes), method="delong")
    assert result.volume == pytest.approx(volume, abs=1e-12)
    variance = 0
    for k in range(n_classes):
        of_class = contributions[y == k]
        variance += np.var(of_class, ddof=1) / of_class.size
    if result.is_fallback:
        assert variance == pytest.approx(0, abs=1e-20) or volume in (0, 1)
    else:
        assert result.standard_error**2 == pytest.approx(variance, rel=1e-9)


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
