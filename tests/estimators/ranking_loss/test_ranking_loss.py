"""Classifiers trained on pairs: RankIsotonicClassifier and CombinedRegressionRanking."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.optimize import check_grad, minimize
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from rocviz import CombinedRegressionRanking, RankIsotonicClassifier, pairwise_loss
from rocviz.estimators.ranking_loss import _objective
from rocviz.estimators.ranking_loss._objective import Objective
from rocviz.estimators.ranking_loss.rank_isotonic import tie_within_rounding

LOSSES = ("logistic", "squared_hinge")


def made(n, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.arange(1, p + 1) + 5
    return X, (rng.random(n) < expit(X @ np.ones(p) - 5 * p)).astype(int)


@pytest.fixture(scope="module")
def data():
    return made(150)


def plain_objective(X, y, *, loss, alpha, mix=0.0, regression_loss="logistic"):
    """Return the objective of coefficients and intercept, written down once more."""

    def value(w):
        t = X @ w[:-1] + w[-1]
        of_sample = np.logaddexp(0, np.where(y == 1, -t, t))
        if regression_loss == "squared":
            of_sample = (y - t) ** 2
        pairs = pairwise_loss(y, X @ w[:-1], loss=loss)[0] if mix < 1 else 0
        return mix * of_sample.mean() + (1 - mix) * pairs + alpha / 2 * (w[:-1] @ w[:-1])

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
        container(X),
        y == 1,
        weight,
        loss=loss,
        alpha=0.1,
        mix=mix,
        regression_loss=regression_loss,
    )
    z, step = np.random.default_rng(1).normal(size=(2, X.shape[1] + 1))
    at = objective._evaluate
    error = check_grad(lambda z: at(z).value, lambda z: at(z).gradient, z)
    assert error < 1e-6
    h = 1e-6
    rise = at(z + h * step).gradient - at(z - h * step).gradient
    np.testing.assert_allclose(at(z).curvature(step), rise / (2 * h), atol=1e-5)
    fit = objective.linear_fit(z)
    np.testing.assert_allclose(objective.place(fit), z)
    if mix > 0:
        again = plain_objective(
            X.repeat(weight.astype(int), axis=0),
            y.repeat(weight.astype(int)),
            loss=loss,
            alpha=0.1,
            mix=mix,
            regression_loss=regression_loss,
        )
        assert at(z).value == pytest.approx(again(np.append(fit.coef, fit.intercept)))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("mix", "regression_loss"), [(0.4, "logistic"), (0.4, "squared")])
def test_finds_the_minimum(data, loss, mix, regression_loss):
    X, y = data
    model = CombinedRegressionRanking(mix, 0.01, loss=loss, regression_loss=regression_loss).fit(
        X, y
    )
    value = plain_objective(X, y, loss=loss, alpha=0.01, mix=mix, regression_loss=regression_loss)
    found = minimize(value, np.zeros(4), options={"gtol": 1e-8})
    ours = np.append(model.coef_, model.intercept_)
    assert value(ours) <= found.fun + 1e-12
    np.testing.assert_allclose(ours, found.x, atol=1e-4)


@pytest.mark.parametrize("regression_loss", ["logistic", "squared"])
def test_the_intercept_is_found_however_little_the_regression_says(data, regression_loss):
    X, y = data
    limit = CombinedRegressionRanking(0.0, 0.01, regression_loss=regression_loss).fit(X, y)
    for mix in (1e-12, 1e-9, 1e-7):
        model = CombinedRegressionRanking(mix, 0.01, regression_loss=regression_loss).fit(X, y)
        np.testing.assert_allclose(model.intercept_, limit.intercept_, rtol=1e-4)
        line = model.decision_function(X)
        said = expit(line) if regression_loss == "logistic" else line + 0.5
        assert said.mean() == pytest.approx(y.mean(), abs=1e-9)


def test_regression_alone_is_logistic_regression(data):
    X, y = data
    ours = CombinedRegressionRanking(1.0, 1e-3).fit(X, y)
    peer = LogisticRegression(C=1 / (y.size * 1e-3), tol=1e-10, max_iter=1000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-6)


def test_squared_regression_alone_is_ridge_regression(data):
    X, y = data
    ours = CombinedRegressionRanking(1.0, 0.1, regression_loss="squared").fit(X, y)
    centred, target = X - X.mean(axis=0), y - y.mean()
    w = np.linalg.solve(
        centred.T @ centred * 2 / y.size + 0.1 * np.eye(3), centred.T @ target * 2 / y.size
    )
    np.testing.assert_allclose(ours.coef_[0], w, rtol=1e-8)
    line = X @ w + y.mean() - X.mean(axis=0) @ w
    np.testing.assert_allclose(ours.predict_proba(X)[:, 1], np.clip(line, 0, 1), atol=1e-9)
    np.testing.assert_allclose(ours.decision_function(X), line - 0.5, atol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("regression_loss", ["logistic", "squared"])
def test_ranking_alone_is_the_scorer_of_rank_isotonic(data, loss, regression_loss):
    X, y = data
    how = {"loss": loss, "regression_loss": regression_loss}
    none = CombinedRegressionRanking(0.0, 0.01, **how).fit(X, y)
    ranker = RankIsotonicClassifier(loss, 0.01).fit(X, y)
    np.testing.assert_allclose(none.coef_, ranker.coef_, rtol=1e-6)
    little = CombinedRegressionRanking(1e-6, 0.01, tol=1e-13, **how).fit(X, y)
    np.testing.assert_allclose(none.intercept_, little.intercept_, rtol=1e-3)


@pytest.mark.parametrize("loss", LOSSES)
def test_probabilities_are_isotonic_regression_on_the_score(data, loss):
    X, y = data
    new = made(400, seed=1)[0] * 1.2
    model = RankIsotonicClassifier(loss).fit(X, y)
    score = X @ model.coef_[0]
    peer = IsotonicRegression(out_of_bounds="clip").fit(score, y)
    np.testing.assert_allclose(
        model.predict_proba(new)[:, 1], peer.predict(new @ model.coef_[0]), atol=1e-12
    )
    decision = model.decision_function(new)
    np.testing.assert_allclose(decision - model.intercept_, new @ model.coef_[0])
    np.testing.assert_array_equal(decision > 0, model.predict(new) == 1)
    assert (np.diff(model.predict_proba(new)[np.argsort(decision), 1]) >= 0).all()
    assert model.segments_.auc == pytest.approx(roc_auc_score(y, model.decision_function(X)))


def test_the_gap_and_its_repair():
    rng = np.random.default_rng(0)
    X = np.append(rng.normal(size=200), 9.0)[:, None]
    y = np.append(rng.random(200) < expit(X[:200, 0]), True)
    plain = RankIsotonicClassifier().fit(X, y)
    repaired = RankIsotonicClassifier(calibration="laplace-hull").fit(X, y)
    assert plain.predict_proba([[10.0]])[0, 1] == 1
    assert 0.7 < repaired.predict_proba([[10.0]])[0, 1] < 0.98
    grid = np.linspace(-5, 12, 200)[:, None]
    assert (np.diff(repaired.predict_proba(grid)[:, 1]) >= 0).all()
    np.testing.assert_array_equal(plain.predict(grid), repaired.predict(grid))


@pytest.mark.parametrize(
    "model",
    [
        RankIsotonicClassifier(),
        RankIsotonicClassifier("squared_hinge"),
        CombinedRegressionRanking(),
        CombinedRegressionRanking(0.5, regression_loss="squared", loss="squared_hinge"),
    ],
)
class TestBoth:
    @pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix])
    def test_sparse_equals_dense(self, model, kind):
        X, y = made(200, 6)
        X = np.where(np.random.default_rng(0).random(X.shape) < 0.6, 0, X)
        dense, thin = clone(model).fit(X, y), clone(model).fit(kind(X), y)
        np.testing.assert_allclose(thin.coef_, dense.coef_, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(thin.predict_proba(kind(X)), dense.predict_proba(X), atol=1e-7)

    def test_data_frames_keep_their_names(self, model, data):
        X = pd.DataFrame(data[0], columns=["a", "b", "c"])
        y = pd.Series(np.where(data[1] == 1, "yes", "no"))
        fitted = clone(model).fit(X, y)
        assert fitted.feature_names_in_.tolist() == ["a", "b", "c"]
        assert fitted.classes_.tolist() == ["no", "yes"]
        assert set(fitted.predict(X)) == {"no", "yes"}
        with pytest.raises(ValueError, match="feature names"):
            fitted.predict(X[["c", "b", "a"]])

    def test_three_classes_are_refused(self, model, data):
        with pytest.raises(ValueError, match="Only binary classification is supported"):
            clone(model).fit(data[0], np.arange(150) % 3)

    def test_weights_are_repetitions(self, model, data):
        X, y = data
        weight = np.random.default_rng(0).integers(0, 4, y.size)
        weighted = clone(model).fit(X, y, weight)
        repeated = clone(model).fit(X.repeat(weight, axis=0), y.repeat(weight))
        np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-6)
        np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-7)

    def test_input_stays_as_it_is(self, model, data):
        X, y = (array.copy() for array in data)
        X.flags.writeable = y.flags.writeable = False
        clone(model).fit(X, y).predict_proba(X)
        np.testing.assert_array_equal(X, data[0])

    def test_a_start_from_some_samples_leads_to_the_same_minimum(self, model, monkeypatch):
        X, y = made(3000)
        monkeypatch.setattr(_objective, "_START", 200)
        some = [clone(model).set_params(random_state=seed).fit(X, y).coef_ for seed in (0, 0, 1)]
        np.testing.assert_array_equal(some[0], some[1])
        monkeypatch.undo()
        for coef in some[1:]:
            np.testing.assert_allclose(coef, clone(model).fit(X, y).coef_, rtol=1e-7)

    def test_columns_without_variation_and_on_any_scale(self, model, data):
        X, y = data
        plain = clone(model).set_params(alpha=0.0).fit(X, y)
        wide = (
            clone(model)
            .set_params(alpha=0.0)
            .fit(np.column_stack((X * [1e6, 1e-6, 1], np.full(y.size, 7.0))), y)
        )
        np.testing.assert_allclose(wide.coef_[0, :3] * [1e6, 1e-6, 1], plain.coef_[0], rtol=1e-6)
        assert wide.coef_[0, 3] == 0

    def test_says_when_it_has_not_converged(self, model, data):
        with pytest.warns(ConvergenceWarning, match=r"has not converged after 1 steps; raise"):
            assert clone(model).set_params(max_iter=1, alpha=1e-4).fit(*data).n_iter_ == 1

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"loss": "hinge"}, "loss must be one of"),
            ({"alpha": -1}, "alpha must be at least 0"),
            ({"max_iter": 0}, "max_iter"),
            ({"tol": 0}, "tol must be greater than 0"),
        ],
    )
    def test_bad_parameters(self, model, data, parameters, message):
        with pytest.raises(ValueError, match=message):
            clone(model).set_params(**parameters).fit(*data)


def test_bad_choices_of_one(data):
    for model, message in (
        (RankIsotonicClassifier(calibration="beta"), "calibration must be one of isotonic"),
        (CombinedRegressionRanking(1.5), "mix must be from 0 to 1"),
        (CombinedRegressionRanking(regression_loss="hinge"), "regression_loss must be one of"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(*data)


def test_weight_for_one_class_only(data):
    X, y = data
    with pytest.raises(ValueError, match="sample_weight leaves one class"):
        RankIsotonicClassifier().fit(X, y, (y == 1).astype(float))


def test_many_pairs_on_the_kink():
    # more features than samples: the minimum lies where pairs are exactly 1 apart
    rng = np.random.default_rng(42)
    X, y = rng.random((15, 30)).repeat(2, axis=0), (np.arange(15) < 7).repeat(2)
    model = RankIsotonicClassifier("squared_hinge").fit(X, y)
    assert model.n_iter_ < 40
    assert model.segments_.auc == 1


def test_without_penalty_separable_data_come_to_an_end():
    X = np.arange(12.0)[:, None]
    for loss in LOSSES:
        model = RankIsotonicClassifier(loss, 0.0).fit(X, X[:, 0] > 5)
        assert model.segments_.auc == 1
        assert np.isfinite(model.coef_).all()


def test_equal_samples_stay_tied():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (997, 7)).astype(float)
    y = rng.random(997) < expit(X @ np.linspace(-1, 1, 7))
    model = RankIsotonicClassifier(alpha=0.01).fit(X, y)
    assert len(model.segments_) == len(np.unique(X, axis=0))


def test_ties_within_rounding():
    score = np.array([1.0, 2.0, 1.0 + 2e-16, 0.5, 2.0 - 4e-16])
    np.testing.assert_array_equal(
        tie_within_rounding(score, 1.0), [1.0, 2.0 - 4e-16, 1.0, 0.5, 2.0 - 4e-16]
    )
    np.testing.assert_array_equal(tie_within_rounding(np.array([1.0]), 1.0), [1.0])


def test_on_real_data():
    X, y = load_breast_cancer(return_X_y=True)
    train, test = slice(0, None, 2), slice(1, None, 2)
    for model in (RankIsotonicClassifier(alpha=1e-3), CombinedRegressionRanking(alpha=1e-3)):
        fitted = model.fit(X[train], y[train])
        assert roc_auc_score(y[test], fitted.decision_function(X[test])) > 0.985


@pytest.mark.parametrize("loss", LOSSES)
def test_rare_features_do_not_slow_the_descent_down(loss):
    X = sparse.random(4000, 10_000, density=2e-4, format="csr", random_state=0)
    rng = np.random.default_rng(0)
    y = np.asarray(X[:, :500].sum(axis=1)).ravel() + 0.1 * rng.normal(size=4000) > 0.05
    # no warning that it has not converged
    model = RankIsotonicClassifier(loss, 1e-3).fit(X, y)
    assert model.n_iter_ < 20
