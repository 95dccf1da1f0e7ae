import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from rocviz import pairwise_loss
from rocviz.core.ranking_loss import PairwiseLoss, ranking_loss

LOSSES = ("logistic", "squared_hinge")


def loss_of_difference(d, loss):
    """Compute loss, first and second derivative of differences."""
    if loss == "logistic":
        return np.logaddexp(0, -d), -expit(-d), expit(d) * expit(-d)
    gap = np.maximum(1 - d, 0)
    return gap**2, -2 * gap, np.where(gap > 0, 2.0, 0.0)


def over_all_pairs(y, score, loss, weight):
    """Compute value, gradient and Hessian, pair by pair."""
    pos = np.flatnonzero(y == 1)
    neg = np.flatnonzero(y == 0)
    w = np.outer(weight[pos], weight[neg]) / (weight[pos].sum() * weight[neg].sum())
    value, slope, curvature = loss_of_difference(score[pos][:, None] - score[neg], loss)
    gradient = np.zeros(y.size)
    hessian = np.zeros((y.size, y.size))
    gradient[pos] = (w * slope).sum(1)
    gradient[neg] = -(w * slope).sum(0)
    hessian[pos, pos] = (w * curvature).sum(1)
    hessian[neg, neg] = (w * curvature).sum(0)
    hessian[np.ix_(pos, neg)] = -(w * curvature)
    hessian[np.ix_(neg, pos)] = -(w * curvature).T
    return (w * value).sum(), gradient, hessian


def samples(n, scale, *, ties, seed=0):
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.integers(0, 2, n - 2))
    score = scale * rng.normal(size=n) + y
    if ties:
        score = np.round(score)
    return y, score, rng.integers(1, 4, n).astype(float)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 8.0, 60.0, 1e3, 1e7])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [2, 3, 40, 300])
def test_the_loss_equals_the_sum_over_all_pairs(loss, scale, ties, n):
    y, score, weight = samples(n, scale, ties=ties)
    value, gradient, hessian = over_all_pairs(y, score, loss, weight)
    at_scores = PairwiseLoss(y, loss=loss, sample_weight=weight).at(score)
    assert at_scores.value == pytest.approx(value, rel=1e-13)
    np.testing.assert_allclose(
        at_scores.gradient, gradient, rtol=0, atol=1e-16 + 1e-13 * abs(gradient).max()
    )
    step = np.random.default_rng(1).normal(size=n)
    np.testing.assert_allclose(
        at_scores.curvature(step),
        hessian @ step,
        rtol=0,
        atol=1e-16 + 3e-14 * (abs(hessian) @ abs(step)).max(),
    )


@given(
    st.lists(
        st.tuples(st.booleans(), st.floats(-50, 50), st.integers(0, 3)), min_size=2, max_size=12
    ),
    st.sampled_from(LOSSES),
)
def test_properties(rows, loss):
    y = np.array([label for label, _, _ in rows])
    score = np.array([score for _, score, _ in rows])
    weight = np.array([weight for _, _, weight in rows])
    included = weight > 0
    if len(set(y[included])) < 2:
        return
    value, gradient = pairwise_loss(y, score, loss=loss, sample_weight=weight)
    repeated_value, repeated_gradient = pairwise_loss(
        y.repeat(weight), score.repeat(weight), loss=loss
    )
    assert value == pytest.approx(repeated_value, rel=1e-12)
    first = np.cumsum(weight) - weight
    np.testing.assert_allclose(
        gradient[included],
        np.add.reduceat(repeated_gradient, first[included]),
        rtol=1e-11,
        atol=1e-15,
    )
    assert (gradient[~included] == 0).all()
    assert gradient.sum() == pytest.approx(0, abs=1e-12 * abs(gradient).sum() + 1e-300)
    shifted_value, _ = pairwise_loss(y, score + 0.37, loss=loss, sample_weight=weight)
    assert shifted_value == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_many_samples_against_rows_of_pairs(loss):
    y, score, _ = samples(60_000, 3.0, ties=False)
    value, gradient = pairwise_loss(y, score, loss=loss)
    pos = score[y == 1]
    neg = score[y == 0]
    rows = np.arange(0, pos.size, 997)
    _, slopes, _ = loss_of_difference(pos[rows, None] - neg, loss)
    slope = slopes.sum(1) / (pos.size * neg.size)
    np.testing.assert_allclose(gradient[y == 1][rows], slope, rtol=1e-12)
    total = 0
    for part in np.split(pos[:200], 10):
        losses, _, _ = loss_of_difference(part[:, None] - neg, loss)
        total += losses.sum()
    y_of_200 = np.append(np.ones(200), np.zeros(neg.size))
    value_of_200, _ = pairwise_loss(y_of_200, np.append(pos[:200], neg), loss=loss)
    assert value_of_200 == pytest.approx(total / (200 * neg.size), rel=1e-12)
    assert value > 0


def test_one_matrix_and_many_blocks_agree(monkeypatch):
    y, score, weight = samples(500, 25.0, ties=False)
    step = np.random.default_rng(3).normal(size=500)
    results = []
    for limit in (10**6, 0):
        monkeypatch.setattr(ranking_loss, "_MAX_DENSE_PAIRS", limit)
        monkeypatch.setattr(ranking_loss, "_MAX_CACHED_SCORES", limit)
        at_scores = PairwiseLoss(y, sample_weight=weight).at(score)
        results.append((at_scores.value, at_scores.gradient, at_scores.curvature(step)))
    for dense, blockwise in zip(*results, strict=True):
        atol = 1e-13 * np.abs(dense).max()
        np.testing.assert_allclose(blockwise, dense, rtol=0, atol=atol)


def test_bad_input():
    with pytest.raises(ValueError, match="leaves one class without weight"):
        pairwise_loss([0, 1], [1, 2], sample_weight=[1, 0])
    at_scores = PairwiseLoss([0, 1]).at([0, 1])
    with pytest.raises(ValueError, match="step must have one entry per sample; got 3"):
        at_scores.curvature([1, 2, 3])


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("offset", "gap"), [(1e16, 2.0), (-1e16, 2.0), (2.0**57, 32.0)])
def test_nearly_equal_scores_have_the_loss_of_their_differences(offset, gap, loss):
    steps = gap * np.arange(200.0)
    y = np.random.default_rng(0).integers(0, 2, 200)
    pairwise = PairwiseLoss(y, loss=loss)
    near = pairwise.at(steps)
    far = pairwise.at(offset + steps)
    assert far.value == pytest.approx(near.value, rel=1e-13)
    np.testing.assert_allclose(far.gradient, near.gradient, rtol=1e-12, atol=0)
    np.testing.assert_allclose(far.curvature(steps), near.curvature(steps), rtol=1e-11, atol=0)


def test_sums_over_many_samples_do_not_drift():
    y = np.zeros(700_000)
    y[0] = 1
    value, gradient = pairwise_loss(y, np.zeros(y.size), loss="squared_hinge")
    assert (value, gradient[0]) == pytest.approx((1, -2), rel=1e-14)


def test_scores_whose_square_overflows_are_refused():
    with pytest.raises(ValueError, match=r"^y_score must span at most 1e\+150"):
        PairwiseLoss([0, 1]).at([-1e150, 1e150])
