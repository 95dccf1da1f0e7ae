"""Stages of a scoring list: fitted probabilities, and losses on these and other data."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, roc_auc_score

from rocviz.core.scoring_lists.stage import ScoringStage, predicts_positive


def fit(*counts, **options):
    return ScoringStage.fit(*counts, **options).probability


METHODS = ("isotonic", "beta", "sigmoid", "m-estimate")

# The greedy list of ten thousand synthetic rows after three features (scikit-psl 0.7.2):
# total, negatives, positives, probability.
REFERENCE = [
    (3, 111, 581, 0.8395953757225434),
    (1, 281, 639, 0.6945652173913044),
    (0, 762, 1455, 0.6562922868741543),
    (-2, 1707, 1250, 0.42547363615612876),
    (-3, 810, 614, 0.42547363615612876),
    (-5, 1380, 410, 0.22905027932960895),
]

COUNTS = st.lists(
    st.tuples(
        st.integers(-9, 9),
        st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0, 40.0]),
        st.sampled_from([0.0, 0.25, 1.0, 3.0, 40.0]),
    ),
    min_size=1,
    max_size=9,
    unique_by=lambda row: row[0],
).filter(lambda rows: any(p + n for _, p, n in rows))


def columns(rows):
    return np.array(sorted(rows, reverse=True), dtype=float).T


def reference():
    totals, neg, pos, prob = np.array(REFERENCE).T
    return totals, pos.copy(), neg.copy(), prob


# ---------------------------------------------------------------- fitting


@given(COUNTS, st.sampled_from(METHODS))
def test_probabilities_never_fall_with_the_total(rows, method):
    totals, pos, neg = columns(rows)
    prob = fit(totals, pos, neg, method=method)
    assert prob.shape == totals.shape
    assert (np.diff(prob) <= 0).all()
    assert prob.min() >= 0
    assert prob.max() <= 1


def test_reference_values():
    totals, pos, neg, prob = reference()
    stage = ScoringStage.fit(totals, pos, neg)
    np.testing.assert_allclose(stage.probability, prob, rtol=1e-12)
    assert stage.entropy == pytest.approx(0.9014707334943396, rel=1e-12)
    assert stage.brier == pytest.approx(0.2175469163070101, rel=1e-12)


@given(COUNTS)
def test_isotonic_is_isotonic_regression_with_lines_between(rows):
    totals, pos, neg = columns(rows)
    peer = IsotonicRegression(out_of_bounds="clip")
    some = pos + neg > 0
    share = pos[some] / (pos + neg)[some]
    peer.fit(totals[some], share, sample_weight=(pos + neg)[some])
    fitted = fit(totals, pos, neg)
    np.testing.assert_allclose(fitted, peer.predict(totals), atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("pos", "neg", "expected"),
    [([0, 0, 5], [0, 0, 15], 0.25), ([3, 0, 4], [0, 0, 0], 1.0), ([0, 0, 0], [1, 2, 0], 0.0)],
)
def test_one_total_or_one_class_gives_one_probability(method, pos, neg, expected):
    np.testing.assert_allclose(fit([2, 1, 0], pos, neg, method=method), expected)
    assert fit([0], [sum(pos)], [sum(neg)], method=method) == [expected]


def test_beta_solves_the_constrained_problem():
    totals = np.array([4.0, 3, 2, 1, 0, -1])
    pos, neg = np.array([9.0, 30, 14, 0, 6, 1]), np.array([1.0, 12, 15, 0, 11, 4])
    n = (pos + neg).sum()
    tau = np.clip((totals + 1) / 5, 0.5 / n, 1 - 0.5 / n)
    x = np.column_stack((np.log(tau), -np.log1p(-tau), np.ones(6)))

    def loss(w):
        z = x @ w
        return pos @ np.logaddexp(0, -z) + neg @ np.logaddexp(0, z)

    best = minimize(loss, [1, 1, 0], bounds=[(0, None), (0, None), (None, None)], tol=1e-14)
    fitted = fit(totals, pos, neg, method="beta")
    np.testing.assert_allclose(fitted, expit(x @ best.x), atol=1e-5)


@pytest.mark.parametrize(("m", "prior"), [(2, 0.25), (4, None)])
def test_m_estimate_by_hand(m, prior):
    pos, neg = np.array([3, 2, 1]), np.array([1, 2, 5])
    fitted = fit([2, 1, 0], pos, neg, method="m-estimate", m=m, prior=prior)
    pulled_to = 6 / 14 if prior is None else prior
    np.testing.assert_allclose(fitted, (pos + m * pulled_to) / (pos + neg + m))


def test_m_estimate_is_pooled_after_it_was_pulled():
    # a single sample above a hundred is pulled below them, and then pooled with them
    pos, neg = np.array([1.0, 90]), np.array([0.0, 10])
    m = 10.0
    prior = 0.1
    shrunk = (pos + m * prior) / (pos + neg + m)
    assert shrunk[0] < shrunk[1]
    fitted = fit([1, 0], pos, neg, method="m-estimate", m=m, prior=prior)
    np.testing.assert_allclose(fitted, (91 + 2 * m * prior) / (101 + 2 * m))


@given(COUNTS, st.sampled_from(["isotonic", "m-estimate"]), st.sampled_from([2.0, 3.0]))
def test_weights_are_repeated_samples(rows, method, times):
    totals, pos, neg = columns(rows)
    once = fit(totals, pos * times, neg * times, method=method, m=times)
    np.testing.assert_allclose(fit(totals, pos, neg, method=method, m=1.0), once, atol=1e-12)


# ---------------------------------------------------------------- losses


@pytest.fixture
def rows():
    rng = np.random.default_rng(3)
    total = rng.integers(-2, 5, 300)
    y = rng.random(300) < expit(0.6 * total - 0.8)
    return total, y


def counted(total, y, totals):
    pos = np.array([np.sum(y & (total == t)) for t in totals])
    neg = np.array([np.sum(~y & (total == t)) for t in totals])
    return pos, neg


def test_losses_are_those_of_the_rows(rows):
    total, y = rows
    totals = np.arange(4, -3, -1)
    stage = ScoringStage.fit(totals, *counted(total, y, totals))
    p = stage.probability_at(total)
    assert stage.n_samples == 300
    assert stage.brier == pytest.approx(brier_score_loss(y, p))
    assert stage.auc == pytest.approx(roc_auc_score(y, p))
    inside = p[(p > 0) & (p < 1)]
    bits = -(inside * np.log2(inside) + (1 - inside) * np.log2(1 - inside)).sum() / 300
    assert stage.entropy == pytest.approx(bits)
    assert stage.expected_loss(10) == pytest.approx(np.minimum(1 - p, 10 * p).mean())
    np.testing.assert_array_equal(stage.segments.score, totals)


def test_negative_only_if_it_is_m_times_as_probable():
    assert predicts_positive([0.5, 0.5001, 0.4999]).tolist() == [False, True, False]
    assert predicts_positive([1 / 11, 0.0910, 0.0909], cost_fn=10).tolist() == [False, True, False]
    # a tie stays a tie whatever M is, although 1 / (1 + M) is rounded
    for cost_fn in (*range(1, 60), 0.1, 1e6):
        assert not predicts_positive(1 / (1 + cost_fn), cost_fn)


# ---------------------------------------------------------------- the object


def test_probability_between_and_beyond_totals():
    stage = ScoringStage([4, 2, 0], [0.9, 0.5, 0.1])
    np.testing.assert_allclose(stage.probability_at([9, 4, 3, 2, 0.5, 0, -1]), [
        0.9, 0.9, 0.7, 0.5, 0.2, 0.1, 0.1
    ])  # fmt: skip


def test_a_stage_keeps_its_own_counts():
    totals, pos, neg, _ = reference()
    stage = ScoringStage.fit(totals, pos, neg)
    pos[0] = 0
    assert stage.pos[0] == 581
    assert stage.totals.dtype == np.int64
    assert len(stage) == 6
    assert list(stage.to_frame()) == ["total", "probability", "pos", "neg"]


def test_a_stage_by_hand_has_no_counts():
    stage = ScoringStage([1, 0], [0.5, 0.5])
    assert not stage.has_counts
    assert list(stage.to_frame()) == ["total", "probability"]
    for ask in ("n", "n_samples", "segments", "entropy", "brier", "auc", "counts"):
        with pytest.raises(ValueError, match="written by hand and has no counts"):
            getattr(stage, ask)
    for call in (stage.band, stage.expected_loss):
        with pytest.raises(ValueError, match="written by hand"):
            call()


def test_one_class_has_no_auc():
    stage = ScoringStage([1, 0], [1, 1], [2, 3], [0, 0])
    assert np.isnan(stage.auc)
    with pytest.raises(ValueError, match="a ranking needs both classes"):
        stage.segments  # noqa: B018 (it is the property that raises)


def test_invalid_costs_and_probabilities_are_refused():
    with pytest.raises(ValueError, match=r"^cost_fp and cost_fn must have positive values within"):
        predicts_positive([0.5], 1e13)
    with pytest.raises(ValueError, match=r"^probability must lie within \[0, 1\]; got"):
        predicts_positive([0.5, 2.0])
