"""Greedy learning of scoring lists: against the slow and obvious way, known lists, bad input."""

from itertools import pairwise, product

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.stats import entropy

from rocviz.core.scoring_lists.search.search import learn_scoring_list

# ---------------------------------------------------------------------- the slow way


def answers(x, threshold):
    """1 for yes, 0 for no, NaN where missing."""
    if np.isnan(threshold):
        return x
    return np.where(np.isnan(x), x, (x > threshold).astype(float))


def totals_of(X, items):
    total = np.zeros(len(X))
    for feature, score, threshold, default in items:
        yes = answers(X[:, feature], threshold)
        total += np.where(np.isnan(yes), default, score * yes)
    return total


def soft_rank_loss(value, y, w):
    """Hanselle et al., equation 14, pair by pair; values that differ by rounding are equal."""
    wrong = 0.0
    total = 0.0
    for i, j in product(np.flatnonzero(y), np.flatnonzero(~y)):
        weight = w[i] * w[j]
        total += weight
        wrong += weight * (1 - np.sign(np.round(value[i] - value[j], 12))) / 2
    return wrong / total


def slow_loss(total, y, w, loss, cost):
    if loss == "raw_rank":
        return soft_rank_loss(total, y, w)
    # q(T) is the greatest of all V <= T of the least mean from V to some U >= T
    values = np.unique(total)
    pos = np.array([w[(total == t) & y].sum() for t in values])
    n = np.array([w[total == t].sum() for t in values])
    k = values.size

    def least_mean(start, i):
        return min(pos[start:end].sum() / n[start:end].sum() for end in range(i + 1, k + 1))

    q = np.array([max(least_mean(start, i) for start in range(i + 1)) for i in range(k)])
    if loss == "rank":
        return soft_rank_loss(q[np.searchsorted(values, total)], y, w)
    if loss == "entropy":
        loss_of_total = entropy([1 - q, q], base=2)
    elif loss == "brier":
        loss_of_total = q * (1 - q)
    else:
        loss_of_total = np.minimum(1 - q, cost * q)
    return float(loss_of_total @ n / n.sum())


def thresholds_of(x, how):
    if how is None:
        return [np.nan]
    values = np.unique(x[~np.isnan(x)])
    return [-np.inf, *((a + b) / 2 for a, b in pairwise(values)), np.inf]


def slow_greedy(X, y, w, scores, loss, cost, how, missing):
    """Compute items and losses; ties go by the order that is documented."""
    some = w > 0
    X = X[some]
    y = y[some]
    w = w[some]
    items = []
    losses = [slow_loss(np.zeros(len(X)), y, w, loss, cost)]
    while len(items) < X.shape[1]:
        candidates = []
        for j in set(range(X.shape[1])) - {item[0] for item in items}:
            gaps = np.isnan(X[:, j]).any()
            defaults = (0, *scores) if missing == "score" and gaps else (0,)
            for s, t, d in product(scores, thresholds_of(X[:, j], how), defaults):
                item = (j, s, t, d)
                value = slow_loss(totals_of(X, [*items, item]), y, w, loss, cost)
                order = (j, -abs(s), s < 0, abs(d), d < 0, t != np.inf, t != -np.inf, t)
                candidates.append((value, order, item))
        least = min(value for value, _, _ in candidates)
        tied = [row for row in candidates if row[0] <= least + 1e-12 * max(least, 1e-3)]
        best = min(tied, key=lambda row: row[1])
        items.append(best[2])
        losses.append(best[0])
    return items, losses


def items_of(learned):
    return list(
        zip(
            learned.features.tolist(),
            learned.scores.tolist(),
            learned.thresholds.tolist(),
            learned.missing_scores.tolist(),
            strict=True,
        )
    )


def assert_same(learned, items, losses):
    np.testing.assert_allclose(learned.stage_losses, losses, atol=1e-12)
    np.testing.assert_array_equal(np.array(items_of(learned)), np.array(items, dtype=float))


# ---------------------------------------------------------------------- fast equals slow


@st.composite
def problems(draw, binary):
    n = draw(st.integers(4, 12))
    d = draw(st.integers(1, 3))
    seed = draw(st.integers(0, 2**31))
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2 if binary else 4, (n, d)).astype(float)
    if draw(st.booleans()):
        is_missing = rng.random((n, d)) < 0.2
        X[is_missing] = np.nan
    y = rng.random(n) < 0.5
    y[:2] = [False, True]
    kind = draw(st.sampled_from(["equal", "whole", "real"]))
    w = {
        "equal": np.ones(n),
        "whole": rng.integers(0, 4, n).astype(float),
        "real": np.where(rng.random(n) < 0.9, rng.random(n), 0.0),
    }[kind]
    w[:2] = 1.0
    scores = draw(st.sampled_from([(-2, -1, 1, 2), (1, 3), (2, -4), (-1, 5, 2)]))
    return X, y, w, scores, kind


losses_and_costs = st.sampled_from(
    [
        ("entropy", 1.0),
        ("brier", 1.0),
        ("rank", 1.0),
        ("raw_rank", 1.0),
        ("cost", 1.0),
        ("cost", 3.0),
    ]
)
gap_ways = st.sampled_from(["zero", "score"])


def check(problem, how, loss, cost, missing):
    X, y, w, scores, kind = problem
    learned = learn_scoring_list(
        X,
        y,
        score_set=scores,
        loss=loss,
        cost_fn=cost,
        thresholds=how,
        missing=missing,
        sample_weight=None if kind == "equal" else w,
    )
    assert_same(learned, *slow_greedy(X, y, w, scores, loss, cost, how, missing))
    assert learned.stop_reason == "all features"


@given(problems(binary=True), losses_and_costs, gap_ways)
def test_greedy_on_binary_data_is_the_best_of_all_tried(problem, loss, missing):
    check(problem, None, *loss, missing)


@given(problems(binary=False), losses_and_costs, gap_ways)
def test_greedy_with_thresholds_is_the_best_of_all_tried(problem, loss, missing):
    check(problem, "brute", *loss, missing)


@given(problems(binary=False), st.sampled_from([None, "brute", "bisect"]))
def test_a_function_as_loss(problem, how):
    X, y, w, scores, _ = problem
    if how is None:
        X = np.where(np.isnan(X), X, X > 1)
    options = {"score_set": scores, "thresholds": how, "missing": "zero", "sample_weight": w}
    for name, own_loss in (
        ("rank", lambda segments: 1 - segments.hull().auc),
        ("raw_rank", lambda segments: 1 - segments.auc),
    ):
        own = learn_scoring_list(X, y, loss=own_loss, **options)
        named = learn_scoring_list(X, y, loss=name, **options)
        assert_same(own, items_of(named), named.stage_losses)


@pytest.mark.parametrize("cells", [60, 400])
@pytest.mark.parametrize("loss", ["entropy", "rank"])
def test_work_in_blocks_is_the_same_work(monkeypatch, cells, loss):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 4)).round(1)
    y = rng.random(80) < 0.4
    whole = learn_scoring_list(X, y, loss=loss, thresholds="brute")
    monkeypatch.setattr("rocviz.core.scoring_lists.search._losses.MAX_CELLS", cells)
    assert_same(
        learn_scoring_list(X, y, loss=loss, thresholds="brute"), items_of(whole), whole.stage_losses
    )


# ---------------------------------------------------------------------- halving


def test_halving_is_exact_where_losses_fall_and_then_rise():
    x = np.arange(200.0)[:, None]
    y = x[:, 0] > 61.5
    both = [learn_scoring_list(x, y, thresholds=how) for how in ("brute", "bisect")]
    for learned in both:
        assert items_of(learned) == [(0, 3, 61.5, 0)]
        assert learned.stage_losses[1] == 0


# ---------------------------------------------------------------------- what ties mean


def test_a_stage_at_which_nothing_helps_ignores_its_feature():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    X = np.column_stack((x, x))
    learned = learn_scoring_list(X, [0, 0, 1, 1], thresholds="brute")
    assert items_of(learned) == [(0, 3, 2.5, 0), (1, 3, np.inf, 0)]
    assert learned.stage_losses.tolist() == [1, 0, 0]


def test_real_weights_tie_as_counts_do():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 6))
    y = rng.random(40) < 0.5
    plain = learn_scoring_list(X, y)
    for weight in (0.1, 1 / 3, 1e-7, 1e9):
        weighted = learn_scoring_list(X, y, sample_weight=np.full(40, weight))
        assert_same(weighted, items_of(plain), plain.stage_losses)


# ---------------------------------------------------------------------- weights and data


def test_forms_of_x():
    X = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
    y = ["ill", "ill", "well", "well"]
    expected = items_of(learn_scoring_list(X, y, pos_label="ill"))
    assert expected[0][:2] == (0, 3)
    for form in (X.tolist(), X.astype(bool), X.astype(np.uint8), X.astype(object), X[:, ::1]):
        scoring_list = learn_scoring_list(form, y, pos_label="ill")
        np.testing.assert_array_equal(items_of(scoring_list), expected)


# ---------------------------------------------------------------------- what is missing


def test_missing_values_need_a_setting():
    X = np.array([[1.0], [np.nan], [0.0]])
    for how in (None, "brute"):
        with pytest.raises(ValueError, match=r"1 missing values \(NaN\) in column 0.*'zero'"):
            learn_scoring_list(X, [1, 0, 0], thresholds=how)


@pytest.mark.parametrize("how", [None, "brute", "bisect"])
def test_a_default_score_is_learned_with_the_score(how):
    # who was not asked is as ill as who says yes
    X = np.array([[1.0], [1], [np.nan], [np.nan], [0], [0]])
    y = [1, 1, 1, 1, 0, 0]
    zero = learn_scoring_list(X, y, missing="zero", thresholds=how)
    learned = learn_scoring_list(X, y, missing="score", thresholds=how)
    assert (learned.missing_scores[0], learned.stage_losses[1]) == (1, 0)
    assert (zero.missing_scores[0], zero.stage_losses[1] > 0) == (0, True)


def test_a_column_of_missing_values():
    X = np.array([[1.0, np.nan], [0, np.nan], [1, np.nan], [0, np.nan]])
    for how in (None, "brute", "bisect"):
        for missing in ("zero", "score"):
            learned = learn_scoring_list(X, [1, 0, 1, 0], thresholds=how, missing=missing)
            assert learned.features.tolist() == [0, 1]
            assert learned.missing_scores.tolist() == [0, 0]


# ---------------------------------------------------------------------- reference lists


def synthetic():
    """Ten thousand samples of twenty binary features, as scikit-psl was timed on."""
    rng = np.random.default_rng(0)
    p = rng.uniform(0.2, 0.8, 20)
    X = rng.random((10_000, 20)) < p
    z = X @ (rng.choice([-3, -2, -1, 0, 1, 2, 3], 20) * 0.5)
    return X, rng.random(10_000) < 1 / (1 + np.exp(np.median(z) - z))


def test_the_same_list_as_scikit_psl_on_binary_data():
    learned = learn_scoring_list(*synthetic())
    features = (8, 6, 4, 17, 12, 10, 3, 9, 18, 0, 19, 14, 16, 2, 11, 13, 1, 7, 15, 5)
    scores = (3, -2, -3, 2, -3, -3, 3, 3, 3, -3, -3, 3, 3, -3, -1, 1, -1, -1, -1, -1)
    assert tuple(learned.features) == features
    assert tuple(learned.scores) == scores
    np.testing.assert_allclose(
        learned.stage_losses[[0, 1, 2, 3, 4, 10, 20]],
        [
            0.9999249497025692,
            0.9660977832156493,
            0.9342848733670218,
            0.9014707334943396,
            0.8678068772326069,
            0.70381939540649,
            0.6455999630781327,
        ],
        rtol=1e-12,
    )


# expected entropies of scikit-psl 0.7.2 by stage, breast cancer data, thresholds halved
PSL_BREAST_CANCER_ENTROPIES = [
    0.9526351224018599,
    0.39064823727530884,
    0.24970791349865762,
    0.1986410779421767,
    0.16652400826570896,
    0.14250904309328769,
    0.12985931345770846,
    0.11956134515661704,
    0.10746984492554024,
    0.0988679243633108,
    0.08951798594571381,
    0.08234515860605045,
]


def test_the_same_list_as_scikit_psl_with_thresholds_halved():
    data = pytest.importorskip("sklearn.datasets").load_breast_cancer()
    learned = learn_scoring_list(data.data, data.target, thresholds="bisect", max_stages=11)
    assert learned.features.tolist() == [22, 27, 1, 7, 17, 24, 9, 12, 21, 14, 28]
    assert learned.scores.tolist() == [-3, -3, -2, -2, 1, -3, 2, -2, -2, 1, -1]
    np.testing.assert_allclose(learned.stage_losses, PSL_BREAST_CANCER_ENTROPIES, rtol=1e-12)
    np.testing.assert_allclose(
        learned.thresholds[:5], [105.95, 0.15075, 18.04, 0.04923, 0.0099225], rtol=1e-3
    )


def test_no_stage_loses_more_with_every_threshold():
    data = pytest.importorskip("sklearn.datasets").load_breast_cancer()
    learned = learn_scoring_list(data.data, data.target, thresholds="brute", max_stages=11)
    # what scikit-psl finds with method="brute" in its first ten minutes
    assert learned.features[:6].tolist() == [22, 27, 21, 7, 23, 1]
    assert learned.scores[:6].tolist() == [-3, -3, -2, -2, -3, -3]
    np.testing.assert_allclose(
        learned.stage_losses[3:7], [0.198326, 0.162874, 0.135160, 0.115059], atol=1e-6
    )
    np.testing.assert_allclose(
        learned.stage_losses[:3], PSL_BREAST_CANCER_ENTROPIES[:3], rtol=1e-12
    )
    assert (learned.stage_losses[3:] < PSL_BREAST_CANCER_ENTROPIES[3:]).all()


# ---------------------------------------------------------------------- pairs


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("missing", ["zero", "score"])
@pytest.mark.parametrize("how", [None, "brute", "bisect"])
def test_pairs_made_from_labels_are_the_raw_rank_loss(how, missing, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2 if how is None else 5, (14, 3)).astype(float)
    is_missing = rng.random(X.shape) < 0.15
    X[is_missing] = np.nan
    w = None
    y = rng.random(14) < 0.5
    y[:2] = [False, True]
    pairs = np.array(list(product(np.flatnonzero(y), np.flatnonzero(~y))))
    if seed % 2:
        w = rng.integers(0, 3, 14)
        w[:2] = 1
    options = {"score_set": (-1, 2, 4), "missing": missing}
    from_pairs = learn_scoring_list(
        X,
        pairs=pairs,
        loss="rank",
        thresholds=how,
        sample_weight=None if w is None else w[pairs].prod(axis=1),
        **options,
    )
    from_labels = learn_scoring_list(
        X, y, loss="raw_rank", thresholds=how and "brute", sample_weight=w, **options
    )
    assert_same(from_pairs, items_of(from_labels), from_labels.stage_losses)


def test_pairs_need_no_labels():
    # stones, scissors, paper: nobody can be above everybody
    X = np.eye(3)
    learned = learn_scoring_list(X, pairs=[[0, 1], [1, 2], [2, 0]], loss="rank")
    assert learned.stage_losses[0] == 0.5
    assert learned.stage_losses.min() == pytest.approx(1 / 3)


def test_samples_in_no_pair_are_ignored():
    X = np.array([[1.0], [5.0], [np.nan], [2.0]])
    learned = learn_scoring_list(
        X, pairs=[[1, 0], [2, 3]], loss="rank", thresholds="brute", sample_weight=[1, 0]
    )
    assert items_of(learned) == [(0, 3, 3.0, 0)]


@pytest.mark.parametrize("thresholds", [None, "brute"])
@pytest.mark.parametrize("unit", [1.0, 1 / 3])
def test_light_samples_are_not_lost_beside_heavy_ones(unit, thresholds):
    X = np.array([[1], [0], [0]])
    weight = np.array([1e6, 1.0, 1.0]) * unit
    learned = learn_scoring_list(
        X, [1, 1, 0], sample_weight=weight, loss="brier", thresholds=thresholds
    )
    assert learned.stage_losses[1] == pytest.approx(0.5 / (1e6 + 2), rel=1e-9, abs=0)


def test_an_interrupt_causes_a_warning():
    def interrupt(done, _total):
        if done == 2:
            raise KeyboardInterrupt

    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 5))
    y = np.arange(60) % 2
    with pytest.warns(UserWarning, match="interrupted: the list has the 2 stages"):
        scoring_list = learn_scoring_list(X, y, progress=interrupt)
    assert (scoring_list.stop_reason, len(scoring_list.features)) == ("stopped", 2)
