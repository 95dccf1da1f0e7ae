"""The linear scorer finds the least loss, whatever the scale, the weights and the ties."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import check_grad, minimize
from scipy.special import expit

from rocviz import pairwise_loss
from rocviz.core.ranking_loss import linear_scorer
from rocviz.core.ranking_loss.linear_scorer import (
    Objective,
    fit_linear_scorer,
    tie_within_rounding,
)

LOSSES = ("logistic", "squared_hinge")
PAIRS = {"mix": 0.0, "regression_loss": None}


def draw(n, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.arange(1, p + 1) + 5
    return X, (rng.random(n) < expit(X @ np.ones(p) - 5 * p)).astype(int)


@pytest.fixture(scope="module")
def data():
    return draw(150)


def plain_objective(X, y, *, loss, alpha, mix=0.0, regression_loss="logistic"):
    """Compute the objective of coefficients and intercept from its definition."""

    def value(w):
        coef = w[:-1]
        t = X @ coef + w[-1]
        sample_loss = np.logaddexp(0, np.where(y == 1, -t, t))
        if regression_loss == "squared":
            sample_loss = (y - t) ** 2
        pair_loss = 0.0
        if mix < 1:
            pair_loss, _ = pairwise_loss(y, X @ coef, loss=loss)
        return mix * sample_loss.mean() + (1 - mix) * pair_loss + alpha / 2 * (coef @ coef)

    return value


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    ("mix", "regression_loss"),
    [(0.0, None), (0.3, "logistic"), (0.7, "squared"), (1.0, "logistic")],
)
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix])
def test_gradient_and_curvature_of_the_objective(data, loss, mix, regression_loss, container):
    X, y = data
    weight = np.random.default_rng(0).integers(0, 3, y.size).astype(float)
    objective = Objective(
        container(X), y == 1, weight, loss=loss, alpha=0.1, mix=mix, regression_loss=regression_loss
    )
    point, step = np.random.default_rng(1).normal(size=(2, X.shape[1] + 1))
    plain = plain_objective(
        X.repeat(weight.astype(int), axis=0),
        y.repeat(weight.astype(int)),
        loss=loss,
        alpha=0.1,
        mix=mix,
        regression_loss=regression_loss,
    )

    def gradient(point):
        return objective.derivatives(point)[0]

    def value(point):
        coef, intercept = objective.coefficients(point)
        return plain(np.append(coef, intercept))

    assert check_grad(value, gradient, point) < 1e-6
    h = 1e-6
    rise = gradient(point + h * step) - gradient(point - h * step)
    _, hessian_product = objective.derivatives(point)
    np.testing.assert_allclose(hessian_product(step), rise / (2 * h), atol=1e-5)
    np.testing.assert_allclose(objective.point(*objective.coefficients(point)), point)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("mix", "regression_loss"), [(0.4, "logistic"), (0.4, "squared")])
def test_finds_the_minimum(data, loss, mix, regression_loss):
    X, y = data
    options = {"loss": loss, "alpha": 0.01, "mix": mix, "regression_loss": regression_loss}
    scorer = fit_linear_scorer(X, y == 1, **options)
    assert scorer.converged
    value = plain_objective(X, y, **options)
    solution = minimize(value, np.zeros(4), options={"gtol": 1e-8})
    ours = np.append(scorer.coef, scorer.intercept)
    assert value(ours) <= solution.fun + 1e-12
    np.testing.assert_allclose(ours, solution.x, atol=1e-4)


@pytest.mark.parametrize("regression_loss", ["logistic", "squared"])
def test_the_intercept_is_found_however_little_the_regression_says(data, regression_loss):
    X, y = data
    options = {"alpha": 0.01, "regression_loss": regression_loss}
    limit = fit_linear_scorer(X, y == 1, mix=0.0, **options)
    for mix in (1e-12, 1e-9, 1e-7):
        scorer = fit_linear_scorer(X, y == 1, mix=mix, **options)
        assert scorer.intercept == pytest.approx(limit.intercept, rel=1e-4)
        line = scorer.decision(X)
        probability = expit(line) if regression_loss == "logistic" else line + 0.5
        assert probability.mean() == pytest.approx(y.mean(), abs=1e-9)


@pytest.mark.parametrize("halvings", [1, 30])
def test_many_pairs_on_the_kink(halvings, monkeypatch):
    monkeypatch.setattr(linear_scorer, "_MAX_LINE_SEARCH_STEPS", halvings)
    # more features than samples: the minimum lies where pairs are exactly 1 apart
    rng = np.random.default_rng(42)
    X = rng.random((15, 30)).repeat(2, axis=0)
    positive = (np.arange(15) < 7).repeat(2)
    scorer = fit_linear_scorer(X, positive, loss="squared_hinge", **PAIRS)
    assert scorer.converged
    assert scorer.n_iter < 40
    assert scorer.rank(X, positive).auc == 1


@pytest.mark.parametrize("loss", LOSSES)
def test_separable_data_without_penalty_converge(loss):
    X = np.arange(12.0)[:, None]
    scorer = fit_linear_scorer(X, X[:, 0] > 5, loss=loss, alpha=0.0, **PAIRS)
    assert scorer.rank(X, X[:, 0] > 5).auc == 1
    assert np.isfinite(scorer.coef).all()


@pytest.mark.parametrize(
    "options", [PAIRS, {"mix": 0.5, "regression_loss": "logistic"}], ids=["pairs", "both"]
)
def test_a_start_from_some_samples_leads_to_the_same_minimum(options, monkeypatch):
    X, y = draw(3000)
    coef = fit_linear_scorer(X, y == 1, **options).coef
    monkeypatch.setattr(linear_scorer, "_MAX_SUBSAMPLE_PER_CLASS", 200)
    for weight in (None, np.ones(y.size)):
        scorer = fit_linear_scorer(
            X, y == 1, sample_weight=weight, random_state=np.random.default_rng(0), **options
        )
        np.testing.assert_allclose(scorer.coef, coef, rtol=1e-7)


def test_a_small_class_is_used_entirely(monkeypatch):
    X, _ = draw(3000)
    positive = np.arange(3000) % 50 == 0
    coef = fit_linear_scorer(X, positive, **PAIRS).coef
    monkeypatch.setattr(linear_scorer, "_MAX_SUBSAMPLE_PER_CLASS", 200)
    np.testing.assert_allclose(fit_linear_scorer(X, positive, **PAIRS).coef, coef, rtol=1e-6)


def test_equal_samples_stay_tied():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (997, 7)).astype(float)
    positive = rng.random(997) < expit(X @ np.linspace(-1, 1, 7))
    for table in (X, sparse.csr_matrix(X)):
        scorer = fit_linear_scorer(table, positive, alpha=0.01, **PAIRS)
        assert len(scorer.rank(table, positive)) == len(np.unique(X, axis=0))


def test_decisions_and_probabilities_of_each_link(data):
    X, y = data
    squared = fit_linear_scorer(X, y == 1, mix=1.0, regression_loss="squared", alpha=0.1)
    line = X @ squared.coef + squared.intercept
    np.testing.assert_allclose(squared.decision(X), line - 0.5)
    np.testing.assert_allclose(squared.probability(X), np.clip(line, 0, 1))
    logistic = fit_linear_scorer(X, y == 1, mix=1.0, regression_loss="logistic")
    np.testing.assert_allclose(logistic.probability(X), expit(logistic.decision(X)))
    ranked = logistic.rank(X, y == 1)
    np.testing.assert_allclose(ranked.score, np.unique(logistic.decision(X))[::-1])
    pairs = fit_linear_scorer(X, y == 1, **PAIRS)
    np.testing.assert_array_equal(pairs.decision(X), X @ pairs.coef)
    with pytest.raises(ValueError, match="trained on pairs alone has no probabilities"):
        pairs.probability(X)


def test_ties_within_rounding():
    score = np.array([1.0, 2.0, 1.0 + 2e-16, 0.5, 2.0 - 4e-16])
    np.testing.assert_array_equal(
        tie_within_rounding(score, 1.0), [1.0, 2.0 - 4e-16, 1.0, 0.5, 2.0 - 4e-16]
    )
    np.testing.assert_array_equal(tie_within_rounding(np.array([1.0]), 1.0), [1.0])


@pytest.mark.parametrize("loss", LOSSES)
def test_rare_features_do_not_slow_the_descent_down(loss):
    X = sparse.random(1000, 2500, density=8e-4, format="csr", random_state=0)
    rng = np.random.default_rng(0)
    y = np.asarray(X[:, :125].sum(axis=1)).ravel() + 0.1 * rng.normal(size=1000) > 0.05
    scorer = fit_linear_scorer(X, y, loss=loss, alpha=1e-3, **PAIRS)
    assert scorer.converged
    assert scorer.n_iter < 20


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_column_that_varies_below_rounding_is_refused_by_name(form):
    positive = np.array([True, False, True])
    X = np.array([[1.0, 1e9, 0.3], [2, 1e9 + 1, 0.1 + 0.2], [3, 1e9 + 2, 0.3]])
    with pytest.raises(ValueError, match=r"^X must be centred .* column 1 varies from 1000000000 "):
        fit_linear_scorer(form(X), positive, mix=0.0, regression_loss=None)
    # nor does it depend on samples without weight, and rounding is no variation
    weight = np.array([1.0, 1, 0])
    X[:2, 1] = 1e9
    fitted = fit_linear_scorer(
        form(X), positive, mix=0.0, regression_loss=None, sample_weight=weight
    )
    assert (fitted.coef != 0).tolist() == [True, False, False]
