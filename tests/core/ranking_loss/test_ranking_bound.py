from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import RankedSegments, brier_decomposition, calibration_map
from rocviz.core.ranking_loss import (
    RankingBoundExample,
    isotonic_loss,
    ranking_bound,
    ranking_bound_examples,
    worst_ranking,
)
from rocviz.core.ranking_loss.bound import simple_bound_reach
from rocviz.core.scoring_lists.search.stage_loss import stage_loss


def test_loss_is_the_brier_score_of_the_isotonic_fit():
    y = np.random.default_rng(0).integers(0, 2, 80)
    score = np.arange(80) // 3
    segments = RankedSegments.from_scores(y, score)
    fitted = calibration_map(segments, method="isotonic")(score)
    assert isotonic_loss(segments) == pytest.approx(brier_decomposition(y, fitted).brier)


def test_the_two_counterexamples():
    four, even = ranking_bound_examples()
    assert (four.auc, four.loss, four.prevalence) == (0.25, 0.25, 0.5)
    assert four.printed_bound == pytest.approx(0.2165, abs=5e-5)
    assert even.auc == pytest.approx(5 / 6, abs=1e-7)
    assert even.loss == pytest.approx(1 / 6, abs=1e-7)
    assert even.printed_bound == pytest.approx(0.102, abs=5e-4)
    for example in (four, even):
        assert example.printed_bound < example.loss <= example.bound <= example.simple_bound
    assert even.loss == pytest.approx(even.bound, rel=1e-7)


def test_evenly_spread_probabilities_have_the_extremal_curve():
    _, even = ranking_bound_examples()
    f = even.segments.fpr
    t = even.segments.tpr
    np.testing.assert_allclose(t, 2 * np.sqrt(f) - f, atol=1e-12)
    steps = np.diff(even.segments.empirical_probability)
    np.testing.assert_allclose(steps, steps[0])


def test_the_bound_holds_for_all_labellings_but_the_printed_one_fails():
    n_labellings = n_above_printed = 0
    for n in range(2, 13):
        labels = np.array(list(product((0.0, 1.0), repeat=n)))[1:-1]
        # one total per sample: what is pooled is the isotonic fit, what is not is the ranking
        loss = stage_loss(labels, 1 - labels, "brier")
        auc = 1 - stage_loss(labels, 1 - labels, "raw_rank")
        share = labels.mean(axis=1)
        bounds = np.vectorize(ranking_bound)
        sharp = bounds(auc, share, method="sharp")
        assert (loss <= sharp + 1e-12).all()
        assert (sharp <= bounds(auc, share, method="simple") + 1e-12).all()
        assert (sharp <= share * (1 - share) + 1e-12).all()
        n_labellings += loss.size
        n_above_printed += (loss > bounds(auc, share, method="printed") + 1e-12).sum()
    assert (n_labellings, n_above_printed) == (8166, 6445)


WEIGHTS = st.just(0.0) | st.floats(1e-6, 10)


@given(st.lists(st.tuples(st.integers(0, 6), WEIGHTS, WEIGHTS), min_size=1, max_size=9))
def test_the_bound_holds_for_ties_and_weights(rows):
    score = [score for score, _, _ in rows]
    pos = [weight for _, weight, _ in rows]
    neg = [weight for _, _, weight in rows]
    if min(sum(pos), sum(neg)) < 1e-3:
        return
    segments = RankedSegments.from_scores(
        np.repeat([1, 0], len(rows)), score + score, sample_weight=pos + neg
    )
    bound = ranking_bound(segments.auc, segments.prevalence)
    assert isotonic_loss(segments) <= bound + 1e-12


@pytest.mark.parametrize("prevalence", [0.02, 0.1, 0.3, 0.5, 0.6, 0.95])
def test_the_extremal_curves_reach_the_bound(prevalence):
    for auc in (0.51, 0.6, 0.75, 0.9, 0.97, 0.99, 0.9999):
        worst = worst_ranking(auc, prevalence, 2000)
        assert worst.prevalence == pytest.approx(prevalence)
        assert auc - 2 * (1 - auc) / 2000**2 - 1e-14 <= worst.auc < auc + 1e-12
        bound = ranking_bound(worst.auc, prevalence)
        assert bound * (1 - 1e-5) < isotonic_loss(worst) <= bound * (1 + 1e-12)
        assert worst.is_convex


@pytest.mark.parametrize("prevalence", [0.1, 0.5, 0.7])
def test_up_to_one_half_nothing_better_than_the_prevalence_is_promised(prevalence):
    for auc in (0.0, 0.2, 0.5):
        worst = worst_ranking(auc, prevalence)
        assert worst.auc == pytest.approx(auc)
        assert isotonic_loss(worst) == pytest.approx(prevalence * (1 - prevalence))
        assert ranking_bound(auc, prevalence) == pytest.approx(prevalence * (1 - prevalence))


@given(st.floats(0.001, 0.5), st.floats(0, 1), st.floats(0, 1))
def test_the_bound_falls_with_the_auc_and_is_symmetric(p, auc, other_auc):
    low, high = sorted((auc, other_auc))
    assert ranking_bound(high, p) <= ranking_bound(low, p) + 1e-15
    assert ranking_bound(auc, 1 - p) == pytest.approx(ranking_bound(auc, p), rel=1e-9)
    odds = p / (1 - p)
    for form_change in (1 - odds / 6, 2 / 3 + odds / 6, 0.5):
        before = ranking_bound(form_change - 1e-10, p)
        after = ranking_bound(form_change + 1e-10, p)
        assert before == pytest.approx(after, rel=1e-5)
    reach = simple_bound_reach(p)
    assert reach == pytest.approx(1 - odds / 6)
    assert ranking_bound((1 + reach) / 2, p) == ranking_bound((1 + reach) / 2, p, method="simple")
    assert ranking_bound(reach - 0.01, p) < ranking_bound(reach - 0.01, p, method="simple")


def test_with_ties_counted_as_right_no_bound_holds():
    # equation 4 of the paper prints "at least as high": all tied, every pair is right
    score = np.zeros(2)
    y = np.array([0, 1])
    printed_auc = np.mean(score[1:] >= score[:1])
    segments = RankedSegments.from_scores(y, score)
    assert (printed_auc, segments.auc) == (1.0, 0.5)
    assert ranking_bound(printed_auc, 0.5, method="printed") == ranking_bound(printed_auc, 0.5) == 0
    assert isotonic_loss(segments) == ranking_bound(segments.auc, 0.5) == 0.25


def test_one_segment_ties_all():
    segments = worst_ranking(5 / 6, 0.5, 1)
    assert (len(segments), segments.auc) == (1, 0.5)


def test_the_ends_of_the_range():
    assert ranking_bound(1, 0.3) == ranking_bound(1, 0.3, method="printed") == 0
    assert ranking_bound(0.7, 0.2, method="simple") == pytest.approx(
        np.sqrt(8 / 3) * ranking_bound(0.7, 0.2, method="printed")
    )
    perfect = worst_ranking(1, 0.3)
    assert (perfect.pos.tolist(), perfect.neg.tolist()) == ([0.3, 0.0], [0.0, 0.7])


def test_an_example_is_a_ranking():
    with pytest.raises(ValueError, match="segments must be RankedSegments"):
        RankingBoundExample("x", [1, 2])
