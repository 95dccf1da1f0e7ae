"""Bounds of many zones: those that are tested rather than searched for, and the highest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.roc import fixed_sequence as walks


@pytest.mark.parametrize("guarantee", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("most", [40, 3_000, 10**8])
def test_a_bound_is_below_a_share_exactly_where_it_is_when_searched_for(guarantee, most):
    rng = np.random.default_rng(0)
    trials = np.floor(rng.uniform(0, most, 300))
    successes = np.floor(trials * rng.choice([0, 0.9, 0.97, 0.99, 1], 300))
    bound = walks.lower_bounds(successes, trials, guarantee)
    for share in (0.5, 0.9, 0.97):
        found = walks.is_bound_below(successes, trials, share, guarantee)
        away = np.abs(bound - share) > 1e-9
        assert (found == (bound < share))[away].all()
        assert away.sum() > 290


@pytest.mark.parametrize("n", [1, 64, 65, 5_000])
def test_the_highest_bound_is_the_largest_of_all(n):
    rng = np.random.default_rng(1)
    trials = np.floor(rng.uniform(0, 500, n)) + 1
    successes = np.floor(trials * rng.uniform(0, 1, n))
    bounds = walks.lower_bounds(successes, trials, 0.95)
    assert walks.highest_bound(successes, trials, 0.95) == pytest.approx(bounds.max(), abs=1e-9)


@pytest.mark.parametrize("n_right", [0.0, 30.0])
def test_the_highest_of_many_equal_bounds(n_right):
    right, of = np.full(100, n_right), np.full(100, 40.0)
    one = walks.lower_bounds(right[:1], of[:1], 0.9)[0]
    assert walks.highest_bound(right, of, 0.9) == pytest.approx(one, abs=1e-9)


def test_a_walk_through_very_many_zones_searches_for_no_bound(monkeypatch):
    monkeypatch.setattr(walks, "lower_bounds", None)
    of = np.arange(1.0, 100_001)
    kept = walks.fixed_sequence(np.floor(0.98 * of), of, 0.97, 0.95, np.array([50_000]))
    assert kept[50_000:].all()
    assert not kept[:50_000].any()


@given(st.integers(0, 2**32 - 1), st.floats(0.3, 0.99), st.floats(0.3, 0.99))
def test_walks_end_where_testing_every_threshold_ends_them(seed, share, guarantee):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 2000))
    of_each = rng.integers(0, 4, size)
    error_share = np.sort(rng.uniform(0, 0.6, size) ** rng.uniform(1, 3))
    trials = np.cumsum(of_each).astype(float)
    successes = trials - np.cumsum(rng.binomial(of_each, error_share))
    starts = np.unique(rng.integers(0, size, 3))
    expected = np.zeros(size, dtype=bool)
    broken = walks.is_bound_below(successes, trials, share, 1 - (1 - guarantee) / starts.size)
    for start in starts:
        expected[start : start + np.append(broken[start:], True).argmax()] = True
    kept = walks.fixed_sequence(successes, trials, share, guarantee, starts)
    np.testing.assert_array_equal(kept, expected)
