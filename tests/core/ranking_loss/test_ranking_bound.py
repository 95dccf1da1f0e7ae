from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import (
    RankedSegments,
    RankingBoundExample,
    brier_decomposition,
    isotonic_loss,
    isotonic_map,
    printed_ranking_bound,
    ranking_bound,
    ranking_bound_examples,
    worst_ranking,
)


def test_loss_is_the_brier_score_of_the_isotonic_fit():
    y, score = np.random.default_rng(0).integers(0, 2, 80), np.arange(80) // 3
    segments = RankedSegments.from_scores(y, score)
    fitted = isotonic_map(segments)(score)
    assert isotonic_loss(segments) == pytest.approx(brier_decomposition(y, fitted).brier)


def test_the_two_counterexamples():
    four, even = ranking_bound_examples()
    assert (four.auc, four.loss, four.prevalence) == (0.25, 0.25, 0.5)
    assert four.printed_bound == pytest.approx(0.2165, abs=5e-5)
    assert even.auc == pytest.approx(5 / 6, abs=1e-7)
    assert even.loss == pytest.approx(1 / 6, abs=1e-7)
    assert even.printed_bound == pytest.approx(0.102, abs=5e-4)
    for example in (four, even):
        assert example.printed_bound < example.loss <= example.bound
    assert even.loss == pytest.approx(even.bound, rel=1e-7)


def test_evenly_spread_probabilities_have_the_extremal_curve():
    _, even = ranking_bound_examples()
    f, t = even.segments.fpr, even.segments.tpr
    np.testing.assert_allclose(t, 2 * np.sqrt(f) - f, atol=1e-12)
    steps = np.diff(even.segments.empirical_probability)
    np.testing.assert_allclose(steps, steps[0])


def test_holds_for_all_label_sequences_and_the_printed_one_does_not():
    broken = 0
    for n in range(2, 11):
        for labels in product((0, 1), repeat=n):
            if 0 < sum(labels) < n:
                one = RankedSegments.from_scores(labels, range(n))
                loss = isotonic_loss(one)
                assert loss <= ranking_bound(one.auc, one.prevalence) + 1e-12
                broken += loss > printed_ranking_bound(one.auc, one.prevalence) + 1e-12
    assert broken > 100


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.floats(0, 10), st.floats(0, 10)), min_size=1, max_size=9
    )
)
def test_holds_for_ties_and_weights(rows):
    score, pos, neg = (np.array(column) for column in zip(*rows, strict=True))
    if min(pos.sum(), neg.sum()) < 1e-3:
        return
    one = RankedSegments.from_scores(
        np.repeat([1, 0], score.size), np.tile(score, 2), sample_weight=np.append(pos, neg)
    )
    assert isotonic_loss(one) <= ranking_bound(one.auc, one.prevalence) + 1e-12


@pytest.mark.parametrize("prevalence", [0.05, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("part", [1e-4, 0.5, 1.0])
def test_is_sharp(prevalence, part):
    least = min(prevalence, 1 - prevalence)
    auc = 1 - part * least / (6 * (1 - least))
    worst = worst_ranking(auc, prevalence, 2000)
    assert worst.prevalence == pytest.approx(prevalence)
    assert 1 - worst.auc == pytest.approx((1 - auc) * (1 + 2 / 2000**2), rel=1e-9)
    bound = ranking_bound(worst.auc, prevalence)
    assert 0.99999 * bound < isotonic_loss(worst) <= bound * (1 + 1e-12)
    assert worst.is_convex


def test_one_segment_ties_all():
    one = worst_ranking(5 / 6, 0.5, 1)
    assert (len(one), one.auc) == (1, 0.5)


def test_ends():
    assert ranking_bound(1, 0.3) == printed_ranking_bound(1, 0.3) == 0
    assert ranking_bound(0.7, 0.2) == pytest.approx(
        np.sqrt(8 / 3) * printed_ranking_bound(0.7, 0.2)
    )


def test_bad_input():
    for bound in (ranking_bound, printed_ranking_bound, worst_ranking):
        with pytest.raises(ValueError, match="auc must be from 0 to 1"):
            bound(1.1, 0.5)
        with pytest.raises(ValueError, match="prevalence must be strictly between"):
            bound(0.9, 1)
    with pytest.raises(ValueError, match=r"auc must be at least 0.833333 .* got 0.8"):
        worst_ranking(0.8, 0.5)
    with pytest.raises(ValueError, match=r"auc must be at least .* below 1; got 1"):
        worst_ranking(1, 0.5)
    with pytest.raises(ValueError, match="n_segments"):
        worst_ranking(0.9, 0.5, 0)
    with pytest.raises(ValueError, match="segments must be RankedSegments"):
        RankingBoundExample("x", [1, 2])
