import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from stand_ins import ByProbability

from rocviz import DecisionTheoreticClassifier, EmpiricalUtilityClassifier, HullCalibratedClassifier
from rocviz.core.decisions import parse_formula
from rocviz.estimators.decisions import DecisionComparison, compare_decisions


def data(n_samples=400, **changes):
    options = {"n_features": 5, "weights": [0.8], "flip_y": 0.1, "random_state": 0}
    return make_classification(n_samples, **{**options, **changes})


def test_each_cell_is_what_the_estimators_give():
    X, y = data()
    comparison = compare_decisions(
        GaussianNB(), X, y, metrics=["f", "am"], n_repeats=3, test_size=0.25, random_state=0
    )
    assert comparison.utility.shape == (2, 2, 3, 3)
    assert (comparison.n_train, comparison.n_test, comparison.n_repeats) == (300, 100, 3)
    scores = {"f": f1_score, "am": balanced_accuracy_score}
    splits = StratifiedShuffleSplit(3, test_size=0.25, random_state=0).split(X, y)
    for s, (train, test) in enumerate(splits):
        X_test = X[test]
        truth = y[test]
        hull = HullCalibratedClassifier(GaussianNB(), cv=5, response_method="predict_proba")
        for i, (metric, score) in enumerate(scores.items()):
            for j, base in enumerate((GaussianNB(), hull)):
                batch = DecisionTheoreticClassifier(base, metric).fit(X[train], y[train])
                assert comparison.utility[i, j, 0, s] == pytest.approx(
                    score(truth, batch.predict(X_test))
                )
                half = batch.predict_proba(X_test)[:, 1] > 0.5
                assert comparison.utility[i, j, 2, s] == pytest.approx(score(truth, half))
            threshold = EmpiricalUtilityClassifier(GaussianNB(), metric, cv=5)
            threshold.fit(X[train], y[train])
            assert comparison.utility[i, 0, 1, s] == pytest.approx(
                score(truth, threshold.predict(X_test))
            )


def test_batches_are_evaluated_one_by_one():
    rng = np.random.default_rng(0)
    X = rng.random((90, 1))
    y = (rng.random(90) < X[:, 0]).astype(int)
    comparison = compare_decisions(
        ByProbability(), X, y, metrics=["f"], n_repeats=2, batch_size=7, random_state=1
    )
    for s, (_, test) in enumerate(
        StratifiedShuffleSplit(2, test_size=0.5, random_state=1).split(X, y)
    ):
        model = DecisionTheoreticClassifier(ByProbability()).fit(X, y)
        whole = test[: len(test) // 7 * 7].reshape(-1, 7)
        scores = [f1_score(y[part], model.predict(X[part]), zero_division=0.0) for part in whole]
        assert len(scores) == 6
        assert comparison.utility[0, 0, 0, s] == pytest.approx(np.mean(scores))


def test_standard_errors_allow_for_overlapping_test_sets():
    utility = np.random.default_rng(0).random((1, 2, 3, 5))
    options = {"metrics": ("f",), "utility": utility, "n_train": 30, "n_test": 10}
    comparison = DecisionComparison(higher_is_better=(True,), **options)
    variance = utility[0, 0].var(axis=1, ddof=1)
    np.testing.assert_allclose(comparison.standard_error[0, 0] ** 2, (1 / 5 + 10 / 30) * variance)
    np.testing.assert_allclose(comparison.mean[0, 0], utility[0, 0].mean(axis=1))
    gain, error = comparison.difference()
    gains = utility[0, 0, 0] - utility[0, 0, 1]
    assert gain[0, 0] == pytest.approx(gains.mean())
    assert error[0, 0] ** 2 == pytest.approx((1 / 5 + 10 / 30) * gains.var(ddof=1))
    back, same = comparison.difference("eum", "dta")
    assert (back[0, 0], same[0, 0]) == (-gain[0, 0], error[0, 0])
    cost_saved, _ = DecisionComparison(higher_is_better=(False,), **options).difference()
    assert cost_saved[0, 0] == -gain[0, 0]
    with pytest.raises(ValueError, match="other must be one of dta, eum, half; got 'best'"):
        comparison.difference("dta", "best")


def test_tables():
    X, y = data(120)
    metrics = {"my own": parse_formula("u / p"), "G": "g_mean"}
    comparison = compare_decisions(GaussianNB(), X, y, metrics=metrics, n_repeats=2, random_state=0)
    frame = comparison.to_frame()
    names = "metric probabilities method mean standard_error n_repeats"
    assert list(frame) == names.split()
    assert frame["metric"].tolist() == ["my own"] * 6 + ["G"] * 6
    assert frame["method"].tolist() == ["dta", "eum", "half"] * 4
    assert frame["probabilities"].tolist() == [*["raw"] * 3, *["hull"] * 3] * 2
    assert frame["mean"].tolist() == comparison.mean.ravel().tolist()
    assert set(frame["n_repeats"]) == {2}
    # everything is found where nothing but recall counts
    assert frame["mean"][0] == 1.0


def test_seeds_and_names_of_classes():
    X, y = data(120)

    def utility(labels, seed=3, pos_label=None):
        comparison = compare_decisions(
            GaussianNB(),
            X,
            labels,
            metrics="f",
            n_repeats=2,
            random_state=seed,
            pos_label=pos_label,
        )
        return comparison.utility

    plain = utility(y)
    np.testing.assert_array_equal(utility(np.where(y, "yes", "no"), pos_label="yes"), plain)
    assert (utility(y, seed=4) != plain).any()
    turned = utility(y, pos_label=0)
    np.testing.assert_array_equal(utility(np.where(y, "b", "a"), pos_label="a"), turned)


def test_miscalibration_ruins_decisions_by_batch_and_the_hull_repairs_them():
    rng = np.random.default_rng(0)
    eta = rng.beta(0.5, 6, 3000)
    y = (rng.random(3000) < eta).astype(int)
    too_high = eta**0.25
    how = {"metrics": ["f"], "n_repeats": 5, "test_size": 0.3, "batch_size": 300, "random_state": 0}
    comparison = compare_decisions(ByProbability(), too_high[:, None], y, **how)
    gain, error = comparison.difference()
    raw, hull = gain[0]
    raw_error, hull_error = error[0]
    assert raw < -3 * raw_error
    assert abs(hull) < 3 * hull_error
    exact = compare_decisions(ByProbability(), eta[:, None], y, **how)
    exact_gain, exact_error = exact.difference()
    assert exact_gain[0, 0] > -3 * exact_error[0, 0]
    assert exact_gain[0, 0] > raw + 0.08


def test_progress():
    X, y = data(120)
    seen = []
    how = {"metrics": ["f"], "n_repeats": 2}
    compare_decisions(GaussianNB(), X, y, progress=lambda steps: seen.extend(steps) or steps, **how)
    assert seen == [0, 1]
