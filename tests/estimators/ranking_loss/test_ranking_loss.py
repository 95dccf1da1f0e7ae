"""Classifiers trained on pairs: RankIsotonicClassifier and CombinedRegressionRanking."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import scale

from rocviz import CombinedRegressionRanking, RankIsotonicClassifier
from rocviz.core.ranking_loss import linear_scorer

LOSSES = ("logistic", "squared_hinge")


def draw(n, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.arange(1, p + 1) + 5
    return X, (rng.random(n) < expit(X @ np.ones(p) - 5 * p)).astype(int)


@pytest.fixture(scope="module")
def data():
    return draw(150)


def test_regression_alone_is_logistic_regression(data):
    X, y = data
    ours = CombinedRegressionRanking(1.0, 1e-3).fit(X, y)
    peer = LogisticRegression(C=1 / (y.size * 1e-3), tol=1e-10, max_iter=1000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-6)


def test_squared_regression_alone_is_ridge_regression(data):
    X, y = data
    ours = CombinedRegressionRanking(1.0, 0.1, regression_loss="squared").fit(X, y)
    centred = X - X.mean(axis=0)
    target = y - y.mean()
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
    new = draw(400, seed=1)[0] * 1.2
    model = RankIsotonicClassifier(loss, calibration="isotonic").fit(X, y)
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
    plain = RankIsotonicClassifier(calibration="isotonic").fit(X, y)
    repaired = RankIsotonicClassifier().fit(X, y)
    assert plain.predict_proba([[10.0]])[0, 1] == 1
    assert 0.7 < repaired.predict_proba([[10.0]])[0, 1] < 0.98
    grid = np.linspace(-5, 12, 200)[:, None]
    assert (np.diff(repaired.predict_proba(grid)[:, 1]) >= 0).all()
    np.testing.assert_array_equal(plain.predict(grid), repaired.predict(grid))


@pytest.mark.parametrize(
    "model",
    [
        RankIsotonicClassifier(),
        RankIsotonicClassifier("squared_hinge", calibration="isotonic"),
        CombinedRegressionRanking(),
        CombinedRegressionRanking(0.5, regression_loss="squared", loss="squared_hinge"),
    ],
)
class TestBoth:
    def test_a_start_from_some_samples_is_drawn_with_the_random_state(self, model, monkeypatch):
        X, y = draw(3000)
        monkeypatch.setattr(linear_scorer, "_MAX_SUBSAMPLE_PER_CLASS", 200)
        some = [clone(model).set_params(random_state=seed).fit(X, y).coef_ for seed in (0, 0)]
        np.testing.assert_array_equal(*some)

    def test_columns_without_variation_and_on_any_scale(self, model, data):
        X, y = data
        scales = np.array([1e6, 1e-6, 1])
        wide_X = np.column_stack((X * scales, np.full(y.size, 7.0)))
        plain = clone(model).set_params(alpha=0.0).fit(X, y)
        wide = clone(model).set_params(alpha=0.0).fit(wide_X, y)
        np.testing.assert_allclose(wide.coef_[0, :3] * scales, plain.coef_[0], rtol=1e-6)
        assert wide.coef_[0, 3] == 0

    def test_missing_convergence_is_reported(self, model, data):
        with pytest.warns(ConvergenceWarning, match=r"has not converged after 1 steps; raise"):
            assert clone(model).set_params(max_iter=1, alpha=1e-4).fit(*data).n_iter_ == 1


def test_weight_for_one_class_only(data):
    X, y = data
    with pytest.raises(ValueError, match="sample_weight leaves one class"):
        RankIsotonicClassifier().fit(X, y, (y == 1).astype(float))


def test_on_real_data():
    X, y = load_breast_cancer(return_X_y=True)
    X = scale(X)
    train = slice(0, None, 2)
    test = slice(1, None, 2)
    for model in (RankIsotonicClassifier(alpha=1e-3), CombinedRegressionRanking(alpha=1e-3)):
        fitted = model.fit(X[train], y[train])
        assert roc_auc_score(y[test], fitted.decision_function(X[test])) > 0.985


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e-150, 1e-20, 1e-12, 1e160, 1e200])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_features_far_from_one_are_refused(scale, kind):
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    y = [0, 0, 1, 1]
    with pytest.raises(ValueError, match=r"^X must be scaled first"):
        RankIsotonicClassifier().fit(kind(X * scale), y)


@pytest.mark.parametrize("scale", [1e-8, 1e-3, 1e8, 1e140])
def test_features_that_are_not_scaled_are_ranked(scale):
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    y = [0, 0, 1, 1]
    assert RankIsotonicClassifier().fit(X * scale, y).segments_.auc == 1.0
