import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.model_selection import (
    GroupKFold,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from rocviz import DecisionTheoreticClassifier, EmpiricalUtilityClassifier
from rocviz.core.decisions import parse_formula
from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.utility import resolve_metric
from rocviz.core.roc.metrics import METRICS

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]

# with few columns this solver takes a tenth of the default's time
logistic = partial(LogisticRegression, solver="newton-cholesky")

BOTH = [DecisionTheoreticClassifier, EmpiricalUtilityClassifier]


class ByColumn(ClassifierMixin, BaseEstimator):
    """Its only column is the probability: nothing is learned."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        prob = np.asarray(X, dtype=float)[:, 0]
        return np.column_stack((1 - prob, prob))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def column(values):
    return np.asarray(values, dtype=float)[:, None]


def noisy(n_samples=300, **changes):
    options = {"n_features": 6, "flip_y": 0.2, "class_sep": 0.7, "random_state": 1}
    return make_classification(n_samples, **{**options, **changes})


def of_column(kind, *how, **options):
    return kind(ByColumn(), *how, **options).fit(column([0.2, 0.8] * 5), [0, 1] * 5)


# ---------------------------------------------------------------------- a batch


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.77, 1.0]), min_size=1, max_size=12),
    st.sampled_from(OBJECTIVES),
)
def test_labels_of_a_batch_are_the_core_s(prob, metric):
    model = of_column(DecisionTheoreticClassifier, metric, beta=2.0, cost_fn=3.0)
    decision = optimal_decision(prob, metric, beta=2.0, cost_fn=3.0)
    np.testing.assert_array_equal(model.predict(column(prob)), decision.labels)
    made = model.decide(column(prob))
    assert (made.n_predicted_positive, made.threshold) == (
        decision.n_predicted_positive,
        decision.threshold,
    )
    np.testing.assert_array_equal(made.utilities, decision.utilities)


def test_decisions_depend_on_the_batch():
    model = of_column(DecisionTheoreticClassifier, "f")
    alone = model.predict(column([0.05]))
    company = model.predict(column([0.9, 0.8, 0.9, 0.05]))
    assert alone.tolist() == [1]
    assert company.tolist() == [1, 1, 1, 0]
    # alone a false alarm costs nothing
    assert model.decide(column([0.05])).utilities.tolist() == [0.0, 0.05]


@pytest.mark.parametrize("metric", ["accuracy", "cost"])
def test_averages_need_no_batch(metric):
    prob = column(np.linspace(0.03, 0.98, 20))
    model = of_column(DecisionTheoreticClassifier, metric, cost_fp=1.0, cost_fn=3.0)
    one_by_one = np.concatenate([model.predict(row[None]) for row in prob])
    np.testing.assert_array_equal(model.predict(prob), one_by_one)
    limit = 0.5 if metric == "accuracy" else 0.25
    np.testing.assert_array_equal(one_by_one, prob[:, 0] > limit)


def test_batches_leave_no_trace():
    X, y = noisy()
    model = DecisionTheoreticClassifier(logistic()).fit(X, y)
    before = set(vars(model))
    first = model.predict(X[:50])
    model.predict(X[50:60])
    model.decide(X[50:60])
    np.testing.assert_array_equal(model.predict(X[:50]), first)
    assert set(vars(model)) == before


def test_of_equal_probabilities_the_first_are_called_positive():
    model = of_column(DecisionTheoreticClassifier, "g_mean")
    prob = [0.3] * 9
    made = model.decide(column(prob))
    assert 0 < made.n_predicted_positive < 9
    np.testing.assert_array_equal(
        model.predict(column(prob)), np.arange(9) < made.n_predicted_positive
    )


@pytest.mark.parametrize(
    "metric",
    [
        "f0.5",
        LinearFractional((0, 1.25, 0, 0), (0, 0, 1, 0.25)),
        parse_formula("1.25 * u / (0.25 * p + v)"),
        resolve_metric("f", beta=0.5),
    ],
)
@pytest.mark.parametrize("kind", BOTH)
def test_a_metric_may_be_given_in_any_form(metric, kind):
    X, y = noisy(60)
    model = kind(GaussianNB(), metric).fit(X[:40], y[:40])
    plain = kind(GaussianNB(), "f", beta=0.5).fit(X[:40], y[:40])
    np.testing.assert_array_equal(model.predict(X[40:]), plain.predict(X[40:]))
    again = clone(pickle.loads(pickle.dumps(model))).fit(X[:40], y[:40])
    np.testing.assert_array_equal(again.predict(X[40:]), plain.predict(X[40:]))


def test_probabilities_are_the_classifier_s():
    X, y = noisy()
    inner = logistic().fit(X, y)
    for kind in BOTH:
        model = kind(logistic()).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), inner.predict_proba(X))
    assert not hasattr(EmpiricalUtilityClassifier(LinearSVC()), "predict_proba")


# ---------------------------------------------------------------------- a threshold


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=4, max_size=20).filter(
        lambda rows: len({label for _, label in rows}) == 2
    ),
    st.sampled_from(OBJECTIVES),
)
def test_no_threshold_is_better(rows, metric):
    score, y = map(np.array, zip(*rows, strict=True))
    X, y = column(score / 6), y.astype(int)
    model = EmpiricalUtilityClassifier(ByColumn().fit(X, y), metric, cv="prefit").fit(X, y)
    phi = resolve_metric(metric)

    def utility(positive):
        counts = (positive & (y == 1)).sum(), positive.sum(), (y == 1).sum()
        return float(phi.at_counts(*counts, y.size))

    assert utility(model.predict(X) == 1) == pytest.approx(model.utility_)
    for cut in np.arange(8) / 6:
        assert phi.sign * (utility(X[:, 0] >= cut) - model.utility_) <= 1e-12
    np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X))
    assert (X[:, 0][model.predict(X) == 1] >= model.threshold_).all()


def test_cross_fitting_uses_copies_that_did_not_see_the_sample():
    X, y = noisy()
    folds = StratifiedKFold(4, shuffle=True, random_state=3)
    model = EmpiricalUtilityClassifier(GaussianNB(), "f", cv=folds).fit(X, y)
    out_of_fold = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_proba")[:, 1]
    assert model.utility_ == pytest.approx(f1_score(y, out_of_fold >= model.threshold_))
    every = [f1_score(y, out_of_fold >= cut) for cut in np.unique(out_of_fold)]
    assert model.utility_ == pytest.approx(max(every))
    alone = GaussianNB().fit(X, y)
    prob = alone.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(model.estimator_.predict_proba(X)[:, 1], prob)
    np.testing.assert_array_equal(model.predict(X) == 1, prob >= model.threshold_)


def test_all_cuts_are_at_least_as_good_as_a_hundred():
    X, y = noisy(400, weights=[0.93], flip_y=0.1)
    base, folds = logistic(class_weight="balanced"), StratifiedKFold(3)
    exact = EmpiricalUtilityClassifier(base, "f", cv=folds).fit(X, y)
    tuned = TunedThresholdClassifierCV(base, scoring="f1", cv=folds).fit(X, y)
    prob = cross_val_predict(base, X, y, cv=folds, method="predict_proba")[:, 1]
    assert exact.utility_ > f1_score(y, prob >= tuned.best_threshold_)


def test_only_the_order_of_the_scores_matters():
    X, y = noisy()
    for base in (logistic(), GaussianNB()):
        prob = base.fit(X[:200], y[:200]).predict_proba(X)[:, 1]
        made = [
            EmpiricalUtilityClassifier(ByColumn().fit(X, y), "jaccard", cv="prefit")
            .fit(column(squeezed[:200]), y[:200])
            .predict(column(squeezed))
            for squeezed in (prob, prob**3, 0.5 + prob / 4)
        ]
        np.testing.assert_array_equal(made[0][:200], made[1][:200])
        np.testing.assert_array_equal(made[0], made[2])


def test_scores_that_are_no_probabilities():
    X, y = noisy()
    model = EmpiricalUtilityClassifier(LinearSVC(random_state=0), "am").fit(X, y)
    score = model.estimator_.decision_function(X)
    np.testing.assert_array_equal(model.predict(X) == 1, score >= model.threshold_)
    np.testing.assert_allclose(model.decision_function(X), score - model.threshold_)
    by_score = EmpiricalUtilityClassifier(
        logistic(), "am", response_method="decision_function"
    ).fit(X, y)
    by_prob = EmpiricalUtilityClassifier(logistic(), "am").fit(X, y)
    assert by_score.utility_ == by_prob.utility_
    np.testing.assert_array_equal(by_score.predict(X), by_prob.predict(X))


def test_it_can_be_best_to_call_nothing_positive():
    X, y = noisy()
    model = EmpiricalUtilityClassifier(logistic(), "cost", cost_fn=0.0).fit(X, y)
    assert model.predict(X).sum() == 0
    assert np.unique(model.decision_function(X)).size > 250
    margin = EmpiricalUtilityClassifier(LinearSVC(), "cost", cost_fn=0.0).fit(X, y)
    values = cross_val_predict(LinearSVC(), X, y, method="decision_function")
    assert margin.threshold_ == np.nextafter(values.max(), np.inf)
    certain = column([1.0, 1.0, 0.2, 0.2])
    nothing = EmpiricalUtilityClassifier(ByColumn().fit(certain, [0, 1, 0, 1]), "cost", cost_fp=9.0)
    nothing.set_params(cv="prefit").fit(certain, [0, 1, 0, 1])
    assert nothing.predict(certain).sum() == 0


def test_frozen_is_prefit():
    X, y = noisy()
    inner = logistic().fit(X[:100], y[:100])
    frozen = EmpiricalUtilityClassifier(FrozenEstimator(inner)).fit(X[100:], y[100:])
    prefit = EmpiricalUtilityClassifier(inner, cv="prefit").fit(X[100:], y[100:])
    assert frozen.threshold_ == prefit.threshold_
    prob = inner.predict_proba(X[100:])[:, 1]
    assert frozen.utility_ == pytest.approx(f1_score(y[100:], prob >= frozen.threshold_))
    again = clone(frozen).fit(X[100:], y[100:])
    np.testing.assert_array_equal(again.predict(X), frozen.predict(X))
    batch = DecisionTheoreticClassifier(FrozenEstimator(inner)).fit(X[100:], y[100:])
    np.testing.assert_array_equal(batch.predict_proba(X), inner.predict_proba(X))


def test_weights_are_repetitions_where_the_threshold_is_chosen():
    X, y = noisy(80)
    weight = np.random.default_rng(0).integers(0, 4, y.size)
    inner = FrozenEstimator(GaussianNB().fit(X, y))
    weighted = EmpiricalUtilityClassifier(inner, "g_mean").fit(X, y, sample_weight=weight)
    repeated = EmpiricalUtilityClassifier(inner, "g_mean")
    repeated.fit(X.repeat(weight, axis=0), y.repeat(weight))
    assert weighted.threshold_ == repeated.threshold_
    assert weighted.utility_ == pytest.approx(repeated.utility_)


def test_weights_reach_the_classifier():
    X, y = noisy()
    weight = np.where(y == 1, 5.0, 1.0)
    alone = logistic().fit(X, y, sample_weight=weight)
    for kind in BOTH:
        model = kind(logistic()).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(model.estimator_.coef_, alone.coef_)
    with pytest.warns(UserWarning, match="KNeighborsClassifier takes no sample_weight"):
        EmpiricalUtilityClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=weight)
    with pytest.raises(TypeError, match="sample_weight"):
        DecisionTheoreticClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=weight)


# ---------------------------------------------------------------------- among the others


def test_metadata_is_routed():
    X, y = noisy()
    weight = np.where(y == 1, 5.0, 1.0)
    groups = np.arange(y.size) // 30
    alone = logistic().fit(X, y, sample_weight=weight)
    with config_context(enable_metadata_routing=True):
        base = logistic().set_fit_request(sample_weight=True)
        model = DecisionTheoreticClassifier(base).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(model.estimator_.coef_, alone.coef_)
        model = EmpiricalUtilityClassifier(base, cv=GroupKFold(3))
        model.set_fit_request(sample_weight=True).fit(X, y, sample_weight=weight, groups=groups)
        np.testing.assert_allclose(model.estimator_.coef_, alone.coef_)
    folds = list(GroupKFold(3).split(X, y, groups))
    by_hand = EmpiricalUtilityClassifier(logistic(), cv=folds)
    assert by_hand.fit(X, y, sample_weight=weight).threshold_ == model.threshold_


def test_deciding_for_a_metric_helps_that_metric():
    X, y = noisy(3000, weights=[0.9], flip_y=0.1)
    half = cross_val_score(logistic(), X, y, scoring="f1").mean()
    balanced_half = cross_val_score(logistic(), X, y, scoring="balanced_accuracy").mean()
    for kind in BOTH:
        f = cross_val_score(kind(logistic(), "f"), X, y, scoring="f1").mean()
        am = kind(logistic(), "am").fit(X[::2], y[::2]).predict(X[1::2])
        assert f > half + 0.02
        assert balanced_accuracy_score(y[1::2], am) > balanced_half + 0.05


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize("kind", BOTH)
def test_parameters_are_checked_before_anything(kind):
    model = kind(logistic(), metric="f3")
    with pytest.raises(ValueError, match="metric must be one of"):
        model.fit(None, None)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("kind", BOTH)
def test_unsuitable_data_are_refused(kind):
    X, y = noisy(40)
    with pytest.raises(NotFittedError):
        kind(FrozenEstimator(GaussianNB())).fit(X, y)
    with pytest.raises(ValueError, match="was fitted on"):
        kind(FrozenEstimator(GaussianNB().fit(X, y)), pos_label=2).fit(X, y + 1)


def test_unsuitable_classifiers_are_refused():
    X, y = noisy(40)
    with pytest.raises(ValueError, match="predict_proba"):
        DecisionTheoreticClassifier(LinearSVC()).fit(X, y)
    with pytest.raises(ValueError, match="predict_proba"):
        EmpiricalUtilityClassifier(LinearSVC(), response_method="predict_proba").fit(X, y)
    with pytest.raises(ValueError, match="decision_function"):
        EmpiricalUtilityClassifier(StandardScaler()).fit(X, y)
    inner = FrozenEstimator(GaussianNB().fit(X, y))
    with pytest.raises(ValueError, match="cannot be used"):
        EmpiricalUtilityClassifier(inner).fit(X, y, groups=y)


# ---------------------------------------------------------------------- which class is positive


@pytest.mark.parametrize("cv", [None, "prefit"])
def test_the_threshold_is_on_the_score_of_the_class_that_is_named(cv):
    X, y = noisy()
    inside = GaussianNB().fit(X, np.where(y == 0, "bad", "good"))
    model = EmpiricalUtilityClassifier(inside, "am", cv=cv, pos_label="bad")
    model.fit(X, np.where(y == 0, "bad", "good"))
    score = model.predict_proba(X)[:, 0]
    np.testing.assert_array_equal(score >= model.threshold_, model.predict(X) == "bad")
