"""Thresholds of a ranking: scores, random parts, and the best one for given costs."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rocviz.core.roc.segments import RankedSegments

SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=30).filter(
    lambda rows: len({y for y, _ in rows}) == 2
)


def columns(rows):
    y, score = zip(*rows, strict=True)
    return np.array(y), np.array(score, dtype=float)


@given(SAMPLES, st.floats(-1, 7))
def test_a_threshold_gives_the_counts_on_both_sides(rows, t):
    y, score = columns(rows)
    segments = RankedSegments.from_scores(y, score)
    for threshold in (t, float(round(t)), -np.inf, np.inf):
        table = segments.at_threshold(threshold)
        predicted = np.array(score) >= threshold
        assert (table.tp, table.fp) == (predicted[y].sum(), predicted[~y].sum())
        assert (table.fn, table.tn) == ((~predicted)[y].sum(), (~predicted)[~y].sum())
        assert table.threshold == threshold


@given(SAMPLES, st.integers(0, 6), st.floats(0, 1))
def test_a_random_part_moves_along_the_edge(rows, t, part):
    segments = RankedSegments.from_scores(*columns(rows))
    none = segments.at_threshold(t, random_part=0)
    some = segments.at_threshold(t, random_part=part)
    full = segments.at_threshold(t, random_part=1)
    for name in ("tp", "fp", "fn", "tn"):
        mixed = (1 - part) * getattr(none, name) + part * getattr(full, name)
        assert getattr(some, name) == pytest.approx(mixed, abs=1e-12)
    assert none.tp == segments.at_threshold(np.nextafter(t, np.inf)).tp
    assert some.n_pos == pytest.approx(segments.n_pos)


COST = st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0])


@given(SAMPLES, COST, COST, st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])))
def test_optimal_point_is_the_best_of_all_cuts(rows, cost_fp, cost_fn, prevalence):
    if cost_fp == cost_fn == 0:
        return
    segments = RankedSegments.from_scores(*columns(rows))
    best = segments.optimal_point(cost_fp, cost_fn, prevalence)
    costs = []
    for threshold in segments.thresholds:
        table = segments.at_threshold(threshold)
        costs.append(table.expected_cost(cost_fp, cost_fn, prevalence))
    lowest = min(costs)
    assert best.expected_cost(cost_fp, cost_fn, prevalence) == pytest.approx(lowest, abs=1e-14)
    # of equally good thresholds, the first: the fewest samples predicted positive
    first = next(i for i, c in enumerate(costs) if c <= lowest + 1e-13)
    assert best.threshold == segments.thresholds[first]
    assert np.isin(first, segments.hull_vertices)
