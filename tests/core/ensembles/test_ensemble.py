"""Combined rankings: against explicit sums, and invariances of every combination."""

import warnings
from functools import partial
from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import rankdata

from rocviz.core.ensembles import fidel
from rocviz.core.ensembles.experiment import compare_methods
from rocviz.core.ensembles.rank_ensemble import METHODS, RankEnsemble, round_evidence
from rocviz.core.ensembles.simulate_classifiers import simulate_classifiers
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac

# as in the paper; test_dependence.py has what calibration adds
fidel_combine = partial(fidel.fidel_combine, calibration=None)


@pytest.fixture
def data():
    """Validation labels and scores of four classifiers (one worse than chance), and new scores."""
    options = {"auc": [0.3, 0.6, 0.75, 0.9], "correlation": 0.3, "prevalence": 0.3}
    y, scores = simulate_classifiers(120, random_state=4, **options)
    return y, scores, simulate_classifiers(40, random_state=5, **options).scores


def pairs_wrong(y, score):
    """Count pairs in the wrong order one by one, ties one half."""
    signs = np.sign(np.subtract.outer(score[y == 1], score[y == 0]))
    return (0.5 - signs / 2).sum()


def rank_among(scores, value):
    """Compute 1 plus how many are above, ties one half (one of them would be itself)."""
    return 0.5 + (np.sign(scores - value) / 2 + 0.5).sum()


def logistic_on_ranks(y):
    """Compute slope and intercept of maximum likelihood for labels in order of rank."""
    r = np.arange(1, y.size + 1) - (y.size + 1) / 2
    a = b = 0.0
    for _ in range(100):
        p = expit(a + b * r)
        w = p * (1 - p)
        hessian = np.array([[w.sum(), (w * r).sum()], [(w * r).sum(), (w * r * r).sum()]])
        a, b = np.array([a, b]) + np.linalg.solve(hessian, [(y - p).sum(), ((y - p) * r).sum()])
    return a, b


# ---------------------------------------------------------------------- against sums written out


def test_evidence_is_that_of_logistic_regression_on_ranks(data):
    y, scores, new = data
    expected = np.zeros(len(new))
    for known, column in zip(scores.T, new.T, strict=True):
        a, b = logistic_on_ranks(y[np.argsort(-known)])
        ranks = np.array([rank_among(known, value) for value in column])
        expected += a + b * (ranks - (y.size + 1) / 2) - logit(y.mean())
    combined = fidel_combine(y, scores, new)
    np.testing.assert_allclose(combined.log_likelihood_ratio, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(combined.probability, expit(expected + logit(y.mean())), rtol=1e-9)
    np.testing.assert_array_equal(combined.score, combined.log_likelihood_ratio)


def test_members_are_fermi_dirac_distributions(data):
    y, scores, _ = data
    ensemble = RankEnsemble.from_scores(y, scores)
    n_pos = int(y.sum())
    n_neg = int((1 - y).sum())
    assert (ensemble.n_pos, ensemble.n_neg, ensemble.n_samples) == (n_pos, n_neg, 120)
    assert ensemble.prevalence == y.mean()
    for k in range(4):
        u = pairs_wrong(y, scores[:, k])
        fit = FermiDirac.from_auc(1 - u / (n_pos * n_neg), n_pos, n_neg)
        assert ensemble.auc[k] == pytest.approx(1 - u / (n_pos * n_neg), abs=1e-15)
        assert ensemble.beta[k] == pytest.approx(fit.beta, rel=1e-9)
        assert ensemble.threshold_rank[k] == pytest.approx(fit.threshold_rank, rel=1e-9)
    assert ensemble.beta[0] < 0 < ensemble.beta[1] < ensemble.beta[3]


def test_ranks_by_counting(data):
    y, scores, new = data
    scores = np.round(scores, 1)
    new = np.round(new, 1)
    ensemble = RankEnsemble.from_scores(y, scores)
    ranks = ensemble.ranks(new)
    for i, k in np.ndindex(new.shape):
        assert ranks[i, k] == rank_among(scores[:, k], new[i, k])
    own = np.column_stack([121 - rankdata(column) for column in scores.T])
    np.testing.assert_array_equal(ensemble.ranks(scores), own)
    np.testing.assert_array_equal(ensemble.ranks(scores, rank_context="batch"), own)
    batch = ensemble.ranks(new, rank_context="batch")
    scaled = np.column_stack([(40.5 - rankdata(column)) * 3 + 0.5 for column in new.T])
    np.testing.assert_allclose(batch, scaled)
    extremes = ensemble.ranks([[99.0] * 4, [-99.0] * 4])
    np.testing.assert_array_equal(extremes, [[0.5] * 4, [120.5] * 4])
    np.testing.assert_array_equal(ensemble.ranks([[7.0] * 4], rank_context="batch"), [[60.5] * 4])
    assert ensemble.ranks(np.empty((0, 4)), rank_context="batch").shape == (0, 4)


def test_wisdom_of_crowds_is_the_mean_rank(data):
    y, scores, new = data
    combined = fidel_combine(y, scores, new, method="woc")
    np.testing.assert_allclose(combined.score, 60.5 - combined.ranks.mean(axis=1))
    slope, offset = np.polyfit(combined.score, combined.log_likelihood_ratio, 1)
    assert slope > 0
    np.testing.assert_allclose(combined.log_likelihood_ratio, slope * combined.score + offset)


def test_correlation_and_its_weights(data):
    y, scores, _ = data
    ensemble = RankEnsemble.from_scores(y, scores)
    ranks = ensemble.ranks(scores)
    residual = ranks - np.array([ranks[y == c].mean(axis=0) for c in (0, 1)])[y]
    expected = np.corrcoef(residual.T)
    np.testing.assert_allclose(ensemble.correlation, expected, atol=1e-12)
    pairs = expected[np.tril_indices(4, -1)]
    assert ensemble.mean_correlation == pytest.approx(pairs.mean())
    noise = ((1 - pairs**2) ** 2 / 120).sum()
    assert ensemble.shrinkage == pytest.approx(noise / (pairs**2).sum())
    for shrinkage in (0, 0.2, 1, "auto"):
        amount = ensemble.shrinkage if shrinkage == "auto" else shrinkage
        weight, _ = ensemble.weights("correlation-aware", shrinkage=shrinkage)
        direction = np.linalg.solve(
            (1 - amount) * expected + amount * np.eye(4), ensemble.auc - 0.5
        )
        assert np.corrcoef(weight, direction)[0, 1] == pytest.approx(1)
        np.testing.assert_allclose(weight / weight[3], direction / direction[3])


@pytest.mark.parametrize("method", ["woc", "correlation-aware"])
def test_linear_methods_are_discriminant_analysis_on_ranks(data, method):
    y, scores, _ = data
    combined = fidel_combine(y, scores, method=method, shrinkage=0)
    evidence = combined.log_likelihood_ratio
    neg_mean = evidence[y == 0].mean()
    pos_mean = evidence[y == 1].mean()
    assert neg_mean == pytest.approx(-pos_mean, abs=1e-9)
    within = ((evidence - np.where(y == 1, pos_mean, neg_mean)) ** 2).mean()
    # for normal densities of variance v and means that differ by d, v = d; and a twelfth of a rank
    rounding = (combined.weight**2).sum() / 12
    assert pos_mean - neg_mean == pytest.approx(within + rounding)


def test_the_neutral_rank_is_between_the_class_means(data):
    y, scores, _ = data
    ensemble = RankEnsemble.from_scores(y, np.round(scores, 1))
    ranks = ensemble.ranks(np.round(scores, 1))
    _, neutral = ensemble.weights("woc")
    np.testing.assert_allclose(
        neutral, (ranks[y == 1].mean(axis=0) + ranks[y == 0].mean(axis=0)) / 2
    )


# ---------------------------------------------------------------------- what must not matter

SCORE = st.integers(-6, 6)
RANKS = st.lists(st.tuples(st.booleans(), SCORE, SCORE, SCORE), min_size=2, max_size=25).filter(
    lambda rows: len({label for label, *_ in rows}) == 2
)


def unpack(rows):
    table = np.array(rows, dtype=float)
    return table[:, 0].astype(int), table[:, 1:]


@given(RANKS, st.sampled_from(METHODS), st.sampled_from(["validation", "batch"]))
def test_increasing_changes_of_scores_change_nothing(rows, method, context):
    y, scores = unpack(rows)
    options = {"method": method, "rank_context": context}
    plain = fidel_combine(y, scores, **options)
    increasing = np.column_stack((np.exp(scores[:, 0]), scores[:, 1] ** 3, 5 * scores[:, 2] - 9))
    changed = fidel_combine(y, increasing, **options)
    np.testing.assert_array_equal(plain.contributions, changed.contributions)


@given(RANKS, st.sampled_from(METHODS))
def test_one_at_a_time_is_as_in_a_batch(rows, method):
    y, scores = unpack(rows)
    ensemble = RankEnsemble.from_scores(y, scores)
    together = ensemble.combine(scores + 0.5, method=method)
    for i, item in enumerate(scores + 0.5):
        alone = ensemble.combine([item], method=method)
        np.testing.assert_array_equal(alone.contributions[0], together.contributions[i])
        assert alone.probability[0] == together.probability[i]
        assert alone.score[0] == together.score[i]


@given(RANKS, st.sampled_from(METHODS))
def test_everything_is_finite_and_adds_up(rows, method):
    y, scores = unpack(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        combined = fidel_combine(y, scores, method=method)
    for values in (
        combined.score,
        combined.contributions,
        combined.probability,
        combined.ranks,
        combined.weight,
    ):
        assert np.isfinite(values).all()
    np.testing.assert_allclose(
        combined.log_likelihood_ratio,
        combined.weight @ (combined.neutral_rank - combined.ranks).T,
        rtol=1e-9,
        atol=1e-9,
    )
    np.testing.assert_allclose(combined.contributions.sum(axis=1), combined.log_likelihood_ratio)
    odds = np.log(y.sum() / (1 - y).sum())
    np.testing.assert_allclose(combined.probability, expit(combined.log_likelihood_ratio + odds))


@given(RANKS, st.sampled_from(["fidel", "correlation-aware"]))
def test_a_reversed_classifier_gives_the_same_evidence(rows, method):
    y, scores = unpack(rows)
    plain = fidel_combine(y, scores, method=method, shrinkage=0.3)
    signs = np.array([-1, 1, -1])
    turned = fidel_combine(y, scores * signs, method=method, shrinkage=0.3)
    np.testing.assert_allclose(plain.contributions, turned.contributions, rtol=1e-7, atol=1e-7)


@given(RANKS, st.sampled_from(METHODS))
def test_exchanging_the_classes_reverses_the_evidence(rows, method):
    y, scores = unpack(rows)
    plain = fidel_combine(y, scores, method=method)
    turned = fidel_combine(1 - y, -scores, method=method)
    np.testing.assert_allclose(plain.contributions, -turned.contributions, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(plain.probability, 1 - turned.probability, atol=1e-7)


# ---------------------------------------------------------------------- ends of the range


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 30])
def test_perfect_reversed_and_random_classifiers(n, method):
    y = np.repeat([0, 1], n)
    perfect = np.arange(2.0 * n)
    scores = np.column_stack((perfect, -perfect, np.zeros(2 * n)))
    combined = fidel_combine(y, scores, method=method)
    np.testing.assert_array_equal(combined.ensemble.auc, [1, 0, 0.5])
    assert combined.ensemble.beta[0] == pytest.approx(-combined.ensemble.beta[1])
    assert combined.ensemble.beta[2] == 0
    assert np.isfinite(combined.contributions).all()
    assert not combined.contributions[:, 2].any() or method == "woc"
    if method == "fidel":
        # of a single pair, half is all that an AUC of 1/2 has wrong as well
        expected = (y == 1) if n > 1 else [False, False]
        np.testing.assert_array_equal(combined.log_likelihood_ratio > 0, expected)
        half_a_pair = FermiDirac.from_auc(1 - 0.5 / n**2, n, n)
        assert combined.ensemble.beta[0] == pytest.approx(half_a_pair.beta, rel=1e-9)
    if method == "woc":
        np.testing.assert_array_equal(combined.log_likelihood_ratio, 0)


@pytest.mark.parametrize("method", METHODS)
def test_one_classifier_keeps_its_order(data, method):
    y, scores, new = data
    combined = fidel_combine(y, scores[:, [3]], new[:, [3]], method=method)
    ensemble = RankEnsemble.from_scores(y, scores[:, [3]])
    np.testing.assert_array_equal(rankdata(-combined.score), rankdata(ensemble.ranks(new[:, [3]])))
    assert ensemble.mean_correlation == 0
    assert ensemble.shrinkage == 1
    np.testing.assert_array_equal(ensemble.correlation, [[1]])


def test_copies_of_a_classifier_share_its_weight(data):
    y, scores, new = data
    once = fidel_combine(y, scores[:, [3]], new[:, [3]], method="correlation-aware")
    thrice = fidel_combine(
        y, scores[:, [3] * 3], new[:, [3] * 3], method="correlation-aware", shrinkage=0
    )
    np.testing.assert_allclose(
        thrice.log_likelihood_ratio, once.log_likelihood_ratio, rtol=1e-3, atol=1e-3
    )
    naive = fidel_combine(y, scores[:, [3] * 3], new[:, [3] * 3])
    single = fidel_combine(y, scores[:, [3]], new[:, [3]])
    np.testing.assert_allclose(naive.log_likelihood_ratio, 3 * single.log_likelihood_ratio)


def test_probabilities_are_calibrated_when_errors_are_independent():
    areas = [0.6, 0.65, 0.7, 0.7]
    y, scores = simulate_classifiers(4_000, areas, prevalence=0.2, random_state=0)
    y_new, new = simulate_classifiers(40_000, areas, prevalence=0.2, random_state=1)
    probability = fidel_combine(y, scores, new).probability
    for low in np.arange(0, 0.8, 0.1):
        inside = (probability >= low) & (probability < low + 0.1)
        assert y_new[inside].mean() == pytest.approx(probability[inside].mean(), abs=0.04)
    assert probability.mean() == pytest.approx(0.2, abs=0.01)


# ---------------------------------------------------------------------- ties


def test_evidence_that_cancels_is_tied():
    terms = np.array([[0.1, 0.2, -0.3], [0.3, -0.1, -0.2], [0.0, 0.0, 0.0]])
    assert len(set(terms.sum(axis=1))) > 1
    assert round_evidence(terms.sum(axis=1), np.full(3, 0.1), 10).tolist() == [0, 0, 0]


def test_distinct_evidence_stays_distinct():
    total = np.array([1.25, 1.0, 1.0 + 1e-9])
    np.testing.assert_allclose(round_evidence(total, np.ones(2), 100), total, rtol=0, atol=1e-10)
    assert round_evidence(np.zeros(2), np.zeros(3), 10).tolist() == [0, 0]


def test_a_crowd_that_is_wrong_as_often_as_right_has_no_evidence():
    # of six pairs one, four and four are wrong: nine of eighteen
    scores = np.array([[5, 3, 1, 2, 4], [3, 2, 1, 4, 5], [3, 2, 1, 4, 5]]).T
    ensemble = RankEnsemble.from_scores([1, 1, 0, 0, 0], scores)
    assert (ensemble.auc * 6).round().tolist() == [5, 2, 2]
    assert ensemble.weights("woc")[0].tolist() == [0, 0, 0]
    assert ensemble.combine(scores, method="woc").log_likelihood_ratio.tolist() == [0] * 5


def test_items_that_tie_are_tied_when_methods_are_compared():
    column = np.arange(12.0)
    ensemble = RankEnsemble.from_scores(column % 7 > 3, np.column_stack([column] * 3))
    orders = np.array(list(permutations((1.2, 4.4, 9.3))))
    woc, fidel, aware = compare_methods(ensemble, np.arange(6) < 3, orders, "validation")[2:]
    assert (woc, fidel, aware) == (0.5, 0.5, 0.5)


# ---------------------------------------------------------------------- names, tables, subsets


@pytest.mark.parametrize("table", [dict, pd.DataFrame, pl.DataFrame])
def test_tables_and_mappings_go_by_name(data, table):
    y, scores, new = data
    names = ["a", "b", "c", "d"]
    known = table(dict(zip(names, scores.T, strict=True)))
    items = table(dict(zip(names[::-1], new.T[::-1], strict=True)))
    plain = fidel_combine(y, scores, new)
    combined = fidel_combine(y, known, items)
    assert combined.ensemble.names == tuple(names)
    np.testing.assert_array_equal(combined.contributions, plain.contributions)
    assert plain.ensemble.names[0] == "classifier 1"
    renamed = RankEnsemble.from_scores(y, known, names=["p", "q", "r", "s"])
    assert renamed.names == ("p", "q", "r", "s")


def test_select_is_fitting_to_fewer(data):
    y, scores, new = data
    all_four = RankEnsemble.from_scores(y, scores, names=list("abcd"))
    for members in ([2, 0], np.array([2, 0])):
        selected = all_four.select(members)
        direct = RankEnsemble.from_scores(y, scores[:, [2, 0]], names=["c", "a"])
        assert selected.names == ("c", "a")
        for method in METHODS:
            np.testing.assert_allclose(
                selected.combine(new[:, [2, 0]], method=method).contributions,
                direct.combine(new[:, [2, 0]], method=method).contributions,
                rtol=1e-12,  # BLAS multiplies two columns and four in an order of its own
            )


def test_tables_of_results(data):
    y, scores, new = data
    combined = fidel_combine(
        y, np.column_stack((scores, np.zeros(120))), np.column_stack((new, new[:, 0]))
    )
    members = combined.ensemble.to_frame()
    assert members.columns.tolist() == [
        "classifier",
        "auc",
        "beta",
        "temperature",
        "threshold_rank",
    ]
    assert members.temperature.iloc[4] == np.inf
    assert members.temperature.iloc[3] == 1 / combined.ensemble.beta[3]
    items = combined.to_frame()
    assert items.shape == (40, 8)
    np.testing.assert_array_equal(items["contribution_classifier 2"], combined.contributions[:, 1])


def test_weights_are_copies(data):
    y, scores, _ = data
    ensemble = RankEnsemble.from_scores(y, scores)
    weight, neutral = ensemble.weights()
    weight += 1
    neutral += 1
    assert (ensemble.beta != weight).all()
    assert (ensemble.threshold_rank != neutral).all()
