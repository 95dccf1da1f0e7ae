"""Losses of a stage: pooling against its definition, batches against single rows."""

import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import isotonic_regression
from scipy.stats import entropy

from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.search.stage_loss import (
    STAGE_LOSSES,
    batch_loss,
    brier_loss,
    cost_loss,
    entropy_loss,
    pool,
    rank_loss,
    raw_rank_loss,
    stage_loss,
)

weights = st.one_of(st.just(0.0), st.integers(1, 9).map(float), st.floats(0.01, 5.0))
rows = st.integers(1, 8).flatmap(
    lambda m: st.tuples(
        st.lists(weights, min_size=m, max_size=m), st.lists(weights, min_size=m, max_size=m)
    )
)


def pooled_by_definition(pos, neg):
    """The least of the greatest means: what isotonic regression is, written down."""
    pos, neg = np.array(pos), np.array(neg)
    q = np.full(pos.size, np.nan)
    some = np.flatnonzero(pos + neg)
    for i in some:
        q[i] = min(
            max(pos[a : b + 1].sum() / (pos + neg)[a : b + 1].sum() for b in some[some >= i])
            for a in some[some <= i]
        )
    return q


@given(rows)
def test_pooling_is_the_least_of_the_greatest_means(row):
    pos, neg = row
    np.testing.assert_allclose(pool(pos, neg), pooled_by_definition(pos, neg), atol=1e-12)


@given(rows)
def test_pooling_is_isotonic_regression_of_the_proportions(row):
    pos, neg = map(np.array, row)
    some = pos + neg > 0
    q = pool(pos, neg)[some]
    assert (np.diff(q) <= 0).all()
    if some.any():
        p = (pos / np.maximum(pos + neg, 1e-300))[some]
        expected = isotonic_regression(p, weights=(pos + neg)[some], increasing=False).x
        np.testing.assert_allclose(q, expected, atol=1e-12)


def counts(shape, seed=0):
    rng = np.random.default_rng(seed)
    pos, neg = rng.integers(0, 6, (2, *shape)).astype(float)
    pos[..., 0] += 1
    neg[..., -1] += 1
    return pos, neg


def test_a_batch_is_its_rows():
    pos, neg = counts((5000, 7))
    together = pool(pos, neg)
    for i in (0, 1, 2047, 2048, 2049, 4999):
        np.testing.assert_array_equal(together[i], pool(pos[i], neg[i]))
    for name, loss in STAGE_LOSSES.items():
        batch = loss(pos, neg)
        assert batch.shape == (5000,)
        for i in (0, 2047, 2048, 4999):
            assert batch[i] == pytest.approx(float(loss(pos[i], neg[i])), abs=1e-13), name


def test_any_shape_of_batch():
    pos, neg = counts((2, 3, 4))
    for loss in STAGE_LOSSES.values():
        assert loss(pos, neg).shape == (2, 3)
        assert loss(pos[0, 0], neg[0, 0]).shape == ()
    assert pool(pos, neg).shape == (2, 3, 4)


@given(rows.filter(lambda row: any(row[0]) and any(row[1])), st.sampled_from([0.0, 0.5, 1.0, 10.0]))
def test_losses_are_what_their_names_say(row, cost):
    pos, neg = map(np.array, row)
    n, q = pos + neg, pooled_by_definition(pos, neg)
    some = n > 0
    n_all, q, share = n.sum(), q[some], (n / n.sum())[some]
    bits = entropy([q, 1 - q], base=2)
    assert float(entropy_loss(pos, neg)) == pytest.approx(share @ bits, abs=1e-9)
    brier = (pos[some] @ (1 - q) ** 2 + neg[some] @ q**2) / n_all
    assert float(brier_loss(pos, neg)) == pytest.approx(brier, abs=1e-9)
    cheaper = np.minimum(1 - q, cost * q)
    assert float(cost_loss(pos, neg, cost)) == pytest.approx(share @ cheaper, abs=1e-9)
    totals = np.arange(pos.size, 0, -1)
    segments = RankedSegments(totals[some], pos[some], neg[some])
    assert float(raw_rank_loss(pos, neg)) == pytest.approx(1 - segments.auc, abs=1e-12)
    # equation 14 on the probabilities: every positive against every negative
    apart = np.round(q[:, None] - q, 12)
    wrong = pos[some] @ ((1 - np.sign(apart)) / 2) @ neg[some]
    expected = wrong / (pos.sum() * neg.sum())
    assert float(rank_loss(pos, neg)) == pytest.approx(expected, abs=1e-12)
    assert expected == pytest.approx(1 - segments.hull().auc, abs=1e-12)


@given(rows.filter(lambda row: any(row[0]) or any(row[1])))
def test_pooling_never_loses_less_than_the_totals_by_themselves(row):
    pos, neg = map(np.array, row)
    some = pos + neg > 0
    p = (pos[some]) / (pos + neg)[some]
    raw = (pos + neg)[some] @ entropy([p, 1 - p], base=2) / (pos + neg).sum()
    assert float(entropy_loss(pos, neg)) >= raw - 1e-9


def test_rounding_leaves_no_step_up():
    # one hundred million and one third of it: the quotients differ in the last digit
    pos = np.array([1e8 / 3, 1.0, 1 / 3, 7.0])
    neg = 2 * pos
    assert (np.diff(pool(pos, neg)) <= 0).all()


def test_nobody_anywhere():
    assert np.isnan(pool([0.0, 0.0], [0.0, 0.0])).all()
    for name in ("entropy", "brier", "cost"):
        with pytest.raises(ValueError, match="zero in a whole row"):
            STAGE_LOSSES[name]([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    for loss in (rank_loss, raw_rank_loss):
        with pytest.raises(ValueError, match="weight in every row"):
            loss([[1, 1], [1, 1]], [[1, 0], [0, 0]])


@pytest.mark.parametrize(
    ("pos", "neg", "message"),
    [
        ([1, -1], [1, 1], "pos must be finite and not negative"),
        ([1, 1], [1, np.nan], "neg must be finite"),
        ([1, 1], [1, 1, 1], "same shape"),
        (1.0, 1.0, "one entry per total"),
        ([], [], "one entry per total"),
    ],
)
def test_bad_counts(pos, neg, message):
    for function in (pool, entropy_loss, rank_loss, raw_rank_loss):
        with pytest.raises(ValueError, match=message):
            function(pos, neg)


# ---------------------------------------------------------------------- one stage


def test_a_stage_may_come_in_several_forms():
    pos, neg = [3.0, 1.0], [1.0, 3.0]
    segments = RankedSegments([5, 2], pos, neg)
    for name in STAGE_LOSSES:
        assert stage_loss((pos, neg), name) == stage_loss(segments, name)
    assert stage_loss(segments, "cost", cost_fn=10) == 0.5


class Stage:
    totals = np.array([3, 1, 0])
    pos = np.array([2.0, 0.0, 1.0])
    neg = np.array([1.0, 0.0, 2.0])


def test_a_function_gets_the_observed_totals():
    seen = []

    def loss(segments):
        seen.append(segments)
        return 0.125

    assert stage_loss(Stage(), loss) == 0.125
    assert seen[0].score.tolist() == [3, 0]
    assert seen[0].pos.tolist() == [2, 1]
    assert stage_loss(([1, 0, 1], [0, 0, 1]), loss) == 0.125
    assert seen[1].score.tolist() == [0, -2]


def test_a_table_without_counts_has_no_loss():
    class Table(Stage):
        pos = neg = None

    with pytest.raises(ValueError, match="table of probabilities only"):
        stage_loss(Table())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((([1, 1], [1, 1]), "gini"), "loss must be one of entropy, brier, rank, raw_rank, cost"),
        ((([1, 1], [1, 1]), "cost", -1), "cost_fn must be at least 0"),
        (([1, 2, 3],), "counts of positives and negatives; got list"),
        ((([[1, 1]], [[1, 1]]),), "one row of counts"),
    ],
)
def test_bad_stages(arguments, message):
    with pytest.raises(ValueError, match=message):
        stage_loss(*arguments)


@given(st.integers(0, 1000))
def test_losses_of_a_search_are_the_public_ones(seed):
    pos, neg = counts((4, 5), seed)
    totals = np.arange(5, 0, -1)
    for name, loss in STAGE_LOSSES.items():
        found = batch_loss(name, 3.0)(pos, neg, totals)
        expected = loss(pos, neg, 3.0) if name == "cost" else loss(pos, neg)
        np.testing.assert_allclose(found, expected, atol=1e-13)
    auc = batch_loss(lambda segments: 1 - segments.auc, 1.0)(pos, neg, totals)
    np.testing.assert_allclose(auc, raw_rank_loss(pos, neg), atol=1e-13)


@given(rows.filter(lambda row: any(row[0]) and any(row[1])), st.data())
def test_no_loss_rises_when_a_positive_moves_up_or_a_negative_down(row, data):
    pos, neg = np.array(row, dtype=float)
    moved_pos, moved_neg = pos.copy(), neg.copy()
    side = data.draw(st.sampled_from(["pos", "neg"]))
    part = moved_pos if side == "pos" else moved_neg
    start = data.draw(st.sampled_from(np.flatnonzero(part).tolist()))
    # the first total is the highest
    reach = (0, start) if side == "pos" else (start, part.size - 1)
    moved = part[start] * data.draw(st.sampled_from([0.3, 1.0]))
    part[start] -= moved
    part[data.draw(st.integers(*reach))] += moved
    for name in STAGE_LOSSES:
        before = stage_loss((pos, neg), name, cost_fn=3.0)
        assert stage_loss((moved_pos, moved_neg), name, cost_fn=3.0) <= before + 1e-12, name


@pytest.mark.parametrize("returned", [np.nan, np.inf, [0.5], None, "low"])
def test_a_loss_of_ones_own_must_return_a_number(returned):
    with pytest.raises(ValueError, match="loss must return a finite number; it returned"):
        stage_loss(([3.0, 1.0], [1.0, 4.0]), lambda segments: returned)


@pytest.mark.parametrize("unit", [5e-324, 1e-200, 1e-160, 1e160, 1e300])
def test_losses_of_pairs_do_not_depend_on_the_unit_of_weight(unit):
    pos, neg = np.array([3.0, 1.0, 2.0]), np.array([0.0, 2.0, 2.0])
    for loss in (rank_loss, raw_rank_loss):
        assert loss(pos * unit, neg * unit) == pytest.approx(loss(pos, neg), abs=1e-12)


def test_the_rank_loss_of_classes_far_apart():
    # of one class 1e20 times as much: its shares are all 1 to a float, pairs are not
    pos, neg = np.array([3.0, 1.0, 2.0]), np.array([0.0, 2.0, 2.0])
    for scale in (1e-300, 1e-20, 1e20):
        for counts in ((pos, scale * neg), (scale * pos, neg)):
            assert rank_loss(*counts) == pytest.approx(0.25, rel=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cost_loss([2e150, 0.0], [2e150, 1.0], cost_fn=1e300) == 0.5


@pytest.mark.parametrize(
    ("pos", "neg", "cost", "expected"),
    [
        ([1e-20, 0.0], [2.0, 2.0], 1e300, 0.5),  # not pooled, though both shares round to 0
        ([0.0, 2.0, 0.0], [2e-20, 2e150, 2e150], 1e308, 0.5),
        ([3e-300], [2e-300], 1e-300, 6e-301),
        ([1e-300], [1e300], 1e308, 1e-292),
    ],
)
def test_costs_of_classes_and_cells_far_apart(pos, neg, cost, expected):
    assert cost_loss(pos, neg, cost_fn=cost) == pytest.approx(expected, rel=1e-12, abs=0)


def test_stages_of_a_large_batch_keep_the_digits_of_rare_positives():
    # shares of one in a million that differ by 1e-13; both totals pooled would lose 0.5
    pos, neg = np.tile([30.0, 31.0], (2048, 1)), np.tile([3e7, 31e6 + 3], (2048, 1))
    np.testing.assert_allclose(0.5 - rank_loss(pos, neg), 1.209352265167572e-08, rtol=1e-8)
    np.testing.assert_allclose(rank_loss(neg, pos), 0.5, rtol=1e-15)
    np.testing.assert_allclose(pool(pos, neg)[-1], [9.99999000001e-7, 9.99998903227e-7], rtol=1e-12)


def test_losses_of_cells_far_apart():
    assert rank_loss([3e-150], [1e300]) == 0.5
    assert rank_loss([2e20, 1e-300], [3e-300, 1e-300]) == pytest.approx(0.375, rel=1e-12)
    # a share of 1e-12 positives: beside it the other logarithm would lose its digits
    q = 1e-12
    bits = (q * np.log(1 / q) + q - q * q / 2) / np.log(2)
    assert entropy_loss([1.0], [1e12 - 1]) == pytest.approx(bits, rel=1e-13, abs=0)
    assert entropy_loss([1e-300], [(1e12 - 1) * 1e-300]) == pytest.approx(bits, rel=1e-12, abs=0)
    with pytest.raises(ValueError, match="pos and neg must add up to at most"):
        brier_loss([1e308], [1e308])
