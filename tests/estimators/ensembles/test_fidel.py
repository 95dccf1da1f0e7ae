"""FiDELClassifier: the core's combination, honest splits, and VotingClassifier's habits."""

import warnings

import numpy as np
import pytest
import sklearn
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from stand_ins import logistic

from rocviz import FiDELClassifier, fidel_combine
from rocviz.core.ensembles import DependentErrorsWarning


def three():
    return [
        ("linear", logistic()),
        ("bayes", GaussianNB()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]


@pytest.fixture
def data():
    return make_classification(400, n_features=8, flip_y=0.1, class_sep=0.8, random_state=1)


@pytest.mark.parametrize("strategy", ["disjoint", "shared"])
@pytest.mark.parametrize("method", ["fidel", "woc", "correlation-aware"])
@pytest.mark.parametrize("context", ["validation", "batch"])
def test_predictions_combine_the_classifiers(data, strategy, method, context):
    X, y = data
    model = FiDELClassifier(
        three(), strategy=strategy, method=method, rank_context=context, random_state=3
    ).fit(X[:300], y[:300])

    def scores(X):
        return {
            "linear": model.estimators_[0].decision_function(X),
            "bayes": model.estimators_[1].predict_proba(X)[:, 1],
            "tree": model.estimators_[2].predict_proba(X)[:, 1],
        }

    validation = model.validation_indices_
    expected = fidel_combine(
        y[validation], scores(X[validation]), scores(X[300:]), method=method, rank_context=context
    )
    np.testing.assert_array_equal(model.contributions(X[300:]), expected.contributions)
    np.testing.assert_allclose(model.predict_proba(X[300:])[:, 1], expected.probability)
    np.testing.assert_array_equal(model.predict(X[300:]), expected.probability > 0.5)
    np.testing.assert_allclose(expit(model.decision_function(X[300:])), expected.probability)
    assert model.ensemble_.names == ("linear", "bayes", "tree")
    raw = model.set_params(calibration=None).predict_proba(X[300:])[:, 1]
    odds = model.ensemble_.n_pos / model.ensemble_.n_neg
    np.testing.assert_allclose(raw, expit(expected.log_likelihood_ratio + np.log(odds)))


@pytest.mark.parametrize("strategy", ["disjoint", "shared"])
def test_samples_are_split_as_documented(data, strategy):
    X, y = data
    model = FiDELClassifier(three(), strategy=strategy, validation_size=0.3, random_state=0)
    model.fit(X, y)
    validation = model.validation_indices_
    parts = model.train_indices_
    assert y[validation].size == pytest.approx(120, abs=1)
    for k, part in enumerate(parts):
        assert np.intersect1d(part, validation).size == 0
        assert y[part].mean() == pytest.approx(y.mean(), abs=0.01)
        own = clone(three()[k][1]).fit(X[part], y[part])
        np.testing.assert_array_equal(own.predict_proba(X), model.estimators_[k].predict_proba(X))
    shares = parts if strategy == "disjoint" else parts[:1]
    together = np.concatenate([validation, *shares])
    np.testing.assert_array_equal(np.sort(together), np.arange(400))


def test_random_state_repeats_and_matters(data):
    X, y = data

    def prob(seed):
        return FiDELClassifier(three(), random_state=seed).fit(X, y).predict_proba(X)

    first = prob(1)
    np.testing.assert_array_equal(prob(1), first)
    np.testing.assert_array_equal(prob(np.random.RandomState(1)), first)
    assert (prob(np.random.default_rng(2)) != first).any()


def test_one_sample_at_a_time_is_as_in_a_batch(data):
    X, y = data
    model = FiDELClassifier(three(), random_state=0).fit(X[:300], y[:300])
    together = model.predict_proba(X)[::6]
    alone = np.vstack([model.predict_proba(x[None]) for x in X[::6]])
    np.testing.assert_allclose(alone, together, rtol=1e-12)


def test_scores_a_rounding_away_from_a_validation_score_are_tied_with_it():
    from rocviz.estimators.base.scores import snap_to_context

    context = np.array([-2.0, 0.0, 0.1, 0.3])
    score = np.array([-2.0, 0.1 + 2e-17, np.nextafter(0.3, 0), np.nextafter(0.3, 1), 0.2, 9, -9, 0])
    np.testing.assert_array_equal(
        snap_to_context(score, context), [-2.0, 0.1, 0.3, 0.3, 0.2, 9, -9, 0]
    )


# ---------------------------------------------------------------------- VotingClassifier's habits


def test_dropping_and_nested_parameters(data):
    X, y = data
    model = FiDELClassifier(three(), random_state=0)
    assert model.named_estimators["tree"].max_depth == 3
    model.set_params(bayes="drop", tree__max_depth=1, method="woc")
    model.fit(X, y)
    assert model.ensemble_.names == ("linear", "tree")
    assert model.contributions(X).shape == (400, 2)
    assert model.named_estimators_["bayes"] == "drop"
    assert model.named_estimators_["tree"].get_depth() == 1
    assert "linear__C" in model.get_params()
    assert clone(model).get_params()["method"] == "woc"


def test_frozen_classifiers_stay_as_they_are(data):
    X, y = data
    fitted = GaussianNB().fit(X[:100], y[:100])
    model = FiDELClassifier([("old", FrozenEstimator(fitted)), *three()[:1]], random_state=0)
    model.fit(X[100:], y[100:])
    np.testing.assert_array_equal(model.estimators_[0].predict_proba(X), fitted.predict_proba(X))


def test_weights_reach_the_classifiers_and_zeros_leave_samples_out(data):
    X, y = data
    weight = np.arange(400) % 4
    model = FiDELClassifier(three(), strategy="shared", random_state=0)
    model.fit(X, y, sample_weight=weight)
    part = model.train_indices_[0]
    own = logistic().fit(X[part], y[part], sample_weight=weight[part])
    np.testing.assert_array_equal(model.estimators_[0].coef_, own.coef_)
    assert weight[np.concatenate([part, model.validation_indices_])].min() == 1
    without = FiDELClassifier(
        [("near", KNeighborsClassifier()), ("bayes", GaussianNB())], random_state=0
    )
    with pytest.warns(UserWarning, match="near: sample_weight is not accepted"):
        without.fit(X, y, sample_weight=weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        without.set_params(method="woc").fit(X, y, sample_weight=None)


def test_metadata_routing(data):
    X, y = data
    weight = 1 + np.arange(400) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        model = FiDELClassifier(
            [
                ("linear", logistic().set_fit_request(sample_weight=True)),
                ("bayes", GaussianNB().set_fit_request(sample_weight=False)),
                ("gone", "drop"),
            ],
            random_state=0,
        ).fit(X, y, sample_weight=weight)
    first, second = model.train_indices_
    linear = logistic().fit(X[first], y[first], sample_weight=weight[first])
    np.testing.assert_array_equal(model.estimators_[0].coef_, linear.coef_)
    np.testing.assert_array_equal(
        model.estimators_[1].theta_, GaussianNB().fit(X[second], y[second]).theta_
    )


def test_fit_parameters_other_than_arrays_are_passed_on_whole(data):
    X, y = data

    class WithNote(GaussianNB):
        def fit(self, X, y, note=None, sample_weight=None):
            self.note_ = note
            return super().fit(X, y)

    with sklearn.config_context(enable_metadata_routing=True):
        inside = WithNote().set_fit_request(note=True)
        model = FiDELClassifier([("bayes", inside)], random_state=0).fit(X, y, note="a text")
    assert model.estimators_[0].note_ == "a text"
    with pytest.raises(ValueError, match="note can be given with metadata routing only"):
        FiDELClassifier([("bayes", WithNote())]).fit(X, y, note="a text")


# ---------------------------------------------------------------------- ends of the range


def test_few_samples():
    X = np.arange(8.0)[:, None]
    y = np.tile([0, 1], 4)
    model = FiDELClassifier(three(), validation_size=0.9, random_state=0).fit(X, y)
    assert model.validation_indices_.size == 2
    assert [part.size for part in model.train_indices_] == [2, 2, 2]
    assert np.isfinite(model.decision_function(X)).all()


def test_a_tie_in_the_odds_is_negative():
    X = np.zeros((40, 2))
    y = np.tile([0, 1], 20)
    model = FiDELClassifier([("tree", DecisionTreeClassifier())], random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), 0)
    np.testing.assert_array_equal(model.predict_proba(X), 0.5)
    np.testing.assert_array_equal(model.predict(X), 0)


def test_missing_values_are_refused_unless_supported(data):
    X = data[0].copy()
    y = data[1]
    X[::40] = np.nan
    tree = [("tree", DecisionTreeClassifier(random_state=0)), ("twig", DecisionTreeClassifier())]
    FiDELClassifier(tree, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        FiDELClassifier([*tree, ("linear", logistic())]).fit(X, y)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"estimators": []}, "estimators"),
        ({"estimators": [("a", LinearRegression())]}, "should be a classifier"),
        ({"estimators": [("a", "drop")]}, "dropped"),
        ({"estimators": [("a", GaussianNB()), ("a", GaussianNB())]}, "unique"),
        ({"estimators": [("a", np.arange(3)), ("b", np.arange(3))]}, "estimators must be pairs"),
    ],
)
def test_refuses(data, how, message):
    with pytest.raises(ValueError, match=message):
        FiDELClassifier(**{"estimators": three(), **how}).fit(*data)


class Mute(KNeighborsClassifier):
    """A classifier without any score."""

    @property
    def predict_proba(self):
        raise AttributeError


def test_refuses_classifiers_without_scores_and_too_few_samples(data):
    with pytest.raises(ValueError, match=r"estimator 'mute' must be .* Mute does not"):
        FiDELClassifier([("mute", Mute())]).fit(*data)
    X = data[0][:9]
    y = [0, 0, 1, 1, 1, 1, 1, 1, 1]
    with pytest.raises(ValueError, match=r"n_samples=9, n_features=8\) hold 2 of class 0.* take 4"):
        FiDELClassifier(three()).fit(X, y)
    with pytest.raises(ValueError, match=r"n_samples=9\) hold 2 of class 0.* take 4"):
        FiDELClassifier(three()).fit(X.tolist(), y)
    with pytest.raises(ValueError, match="training on 1 separate share take 2 of each"):
        FiDELClassifier(three(), strategy="shared").fit(X, [0, 1, 1, 1, 1, 1, 1, 1, 1])
    with pytest.raises(ValueError, match="sample_weight leaves one class"):
        FiDELClassifier(three()).fit(X, y, sample_weight=np.array(y))


def test_correlated_errors_of_classifiers_cause_a_warning(data):
    X, y = data
    twice = [("one", GaussianNB()), ("other", GaussianNB())]
    for how in ({"strategy": "shared"}, {"strategy": "shared", "calibration": None}):
        with pytest.warns(
            DependentErrorsWarning, match=r"correlate by 1\.00, .* 2\.0 times"
        ) as record:
            FiDELClassifier(twice, random_state=0, **how).fit(X, y)
        assert record[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FiDELClassifier(twice, strategy="shared", method="woc").fit(X, y)
