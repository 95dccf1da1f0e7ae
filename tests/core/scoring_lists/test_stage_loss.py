"""Losses of a stage: pooling against its definition, batches against single rows."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.stats import entropy

from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.search.stage_loss import STAGE_LOSSES, stage_loss

weights = st.one_of(st.just(0.0), st.integers(1, 9).map(float), st.floats(0.01, 5.0))
rows = (
    st.integers(1, 8)
    .flatmap(lambda m: st.tuples(*[st.lists(weights, min_size=m, max_size=m)] * 2))
    .filter(lambda row: any(row[0]) and any(row[1]))
)


def pooled_by_definition(pos, neg):
    """The least of the greatest means: what isotonic regression is, written down."""
    n = pos + neg
    q = np.full(pos.size, np.nan)
    cells = np.flatnonzero(n).tolist()

    def greatest_mean(start, i):
        ends = [cell + 1 for cell in cells if cell >= i]
        return max(pos[start:end].sum() / n[start:end].sum() for end in ends)

    for i in cells:
        q[i] = min(greatest_mean(start, i) for start in cells if start <= i)
    return q


@given(rows, st.sampled_from([0.0, 0.5, 1.0, 10.0]))
def test_losses_match_their_definitions(row, cost):
    pos, neg = map(np.array, row)
    n = pos + neg
    some = n > 0
    q = pooled_by_definition(pos, neg)[some]
    share = (n / n.sum())[some]
    expected = {
        "entropy": share @ entropy([q, 1 - q], base=2),
        "brier": (pos[some] @ (1 - q) ** 2 + neg[some] @ q**2) / n.sum(),
        "cost": share @ np.minimum(1 - q, cost * q),
    }
    for name, value in expected.items():
        assert float(stage_loss(pos, neg, name, cost)) == pytest.approx(value, abs=1e-9)
    segments = RankedSegments(np.arange(pos.size, 0, -1)[some], pos[some], neg[some])
    assert float(stage_loss(pos, neg, "raw_rank")) == pytest.approx(1 - segments.auc, abs=1e-12)
    # equation 14 on the probabilities: every positive against every negative
    apart = np.round(q[:, None] - q, 12)
    wrong = pos[some] @ ((1 - np.sign(apart)) / 2) @ neg[some] / (pos.sum() * neg.sum())
    assert float(stage_loss(pos, neg, "rank")) == pytest.approx(wrong, abs=1e-12)
    assert wrong == pytest.approx(1 - segments.hull().auc, abs=1e-12)


def test_a_batch_of_any_shape_is_its_rows():
    rng = np.random.default_rng(0)
    pos, neg = rng.integers(0, 6, (2, 2, 1250, 7)).astype(float)
    pos[..., 0] += 1
    neg[..., -1] += 1
    for name in (*STAGE_LOSSES, lambda segments: 1 - segments.auc):
        batch = stage_loss(pos, neg, name)
        assert batch.shape == (2, 1250)
        for i in ((0, 0), (0, 1024), (1, 1249)):
            assert batch[i] == pytest.approx(float(stage_loss(pos[i], neg[i], name)), abs=1e-13)


@pytest.mark.parametrize(
    ("pos", "neg", "message"),
    [
        ([1, -1], [1, 1], "pos must be finite and not negative"),
        ([1, 1], [1, np.nan], "neg must be finite"),
        ([1, 1], [1, 1, 1], "same shape"),
        (1.0, 1.0, "one entry per total"),
        ([], [], "one entry per total"),
        ([1e-20, 1], [1e-20, 1e20], "pos and neg must have positive values within a factor"),
        ([[1, 0], [0, 0]], [[1, 0], [0, 0]], "in (a whole|every) row"),
    ],
)
@pytest.mark.parametrize("loss", STAGE_LOSSES)
def test_bad_counts(loss, pos, neg, message):
    with pytest.raises(ValueError, match=message):
        stage_loss(pos, neg, loss)


@pytest.mark.parametrize("returned", [np.nan, np.inf, [0.5], None, "low"])
def test_a_user_s_loss_must_return_a_number(returned):
    with pytest.raises(ValueError, match="loss must return a finite number; it returned"):
        stage_loss([3.0, 1.0], [1.0, 4.0], lambda segments: returned)


def test_a_function_gets_the_observed_totals():
    seen = []

    def loss(segments):
        seen.append(segments)
        return 0.125

    assert stage_loss([2, 0, 1], [1, 0, 2], loss) == 0.125
    assert seen[0].score.tolist() == [0, -2]
    assert seen[0].pos.tolist() == [2, 1]


@given(rows, st.data())
def test_no_loss_rises_when_a_positive_moves_up_or_a_negative_down(row, data):
    pos, neg = np.array(row, dtype=float)
    moved_pos = pos.copy()
    moved_neg = neg.copy()
    side = data.draw(st.sampled_from(["pos", "neg"]))
    part = moved_pos if side == "pos" else moved_neg
    start = data.draw(st.sampled_from(np.flatnonzero(part).tolist()))
    # the first total is the highest
    reach = (0, start) if side == "pos" else (start, part.size - 1)
    moved = part[start] * data.draw(st.sampled_from([0.3, 1.0]))
    part[start] -= moved
    part[data.draw(st.integers(*reach))] += moved
    for name in STAGE_LOSSES:
        before = stage_loss(pos, neg, name, cost_fn=3.0)
        assert stage_loss(moved_pos, moved_neg, name, cost_fn=3.0) <= before + 1e-12, name


def test_stages_of_a_large_batch_keep_the_digits_of_rare_positives():
    # shares of one in a million that differ by 1e-13; both totals pooled would lose 0.5
    pos = np.tile([30.0, 31.0], (2048, 1))
    neg = np.tile([3e7, 31e6 + 3], (2048, 1))
    np.testing.assert_allclose(0.5 - stage_loss(pos, neg, "rank"), 1.209352265167572e-08, rtol=1e-8)
    np.testing.assert_allclose(stage_loss(neg, pos, "rank"), 0.5, rtol=1e-15)


def test_weights_far_apart_within_the_contract():
    # a share of 1e-12 positives: beside it the other logarithm would lose its digits
    q = 1e-12
    bits = (q * np.log(1 / q) + q - q * q / 2) / np.log(2)
    assert float(stage_loss([1.0], [1e12 - 1])) == pytest.approx(bits, rel=1e-13, abs=0)
    # not pooled, though both shares of positives are next to nothing
    pos, neg = [[2e-12, 1e-12, 3e-12]], [[1.0, 1.0, 1.0]]
    assert stage_loss(pos, neg, "rank") == pytest.approx(
        stage_loss([[2.0, 1, 3]], neg, "rank"), rel=1e-12
    )
