import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.model_selection import (
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from stand_ins import ByProbability, column, logistic, noisy

from rocviz import DecisionTheoreticClassifier, EmpiricalUtilityClassifier
from rocviz.core.decisions import parse_formula
from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.utility import resolve_metric
from rocviz.core.roc.metrics import METRICS

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]

BOTH = [DecisionTheoreticClassifier, EmpiricalUtilityClassifier]


def of_column(kind, *how, **options):
    return kind(ByProbability(), *how, **options).fit(column([0.2, 0.8] * 5), [0, 1] * 5)


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
    decisions = model.decide(column(prob))
    assert (decisions.n_predicted_positive, decisions.threshold) == (
        decision.n_predicted_positive,
        decision.threshold,
    )
    np.testing.assert_array_equal(decisions.utilities, decision.utilities)


def test_decisions_depend_on_the_batch():
    model = of_column(DecisionTheoreticClassifier, "f")
    alone = model.predict(column([0.05]))
    company = model.predict(column([0.9, 0.8, 0.9, 0.05]))
    assert alone.tolist() == [1]
    assert company.tolist() == [1, 1, 1, 0]
    # alone a false alarm costs nothing
    assert model.decide(column([0.05])).utilities.tolist() == [0.0, 0.05]


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


def test_cross_fitting_uses_copies_that_did_not_see_the_sample():
    X, y = noisy()
    folds = StratifiedKFold(4, shuffle=True, random_state=3)
    model = EmpiricalUtilityClassifier(GaussianNB(), "f", cv=folds).fit(X, y)
    out_of_fold = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_proba")[:, 1]
    assert model.utility_ == pytest.approx(f1_score(y, out_of_fold >= model.threshold_))
    every = [f1_score(y, out_of_fold >= threshold) for threshold in np.unique(out_of_fold)]
    assert model.utility_ == pytest.approx(max(every))
    alone = GaussianNB().fit(X, y)
    prob = alone.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(model.estimator_.predict_proba(X)[:, 1], prob)
    np.testing.assert_array_equal(model.predict(X) == 1, prob >= model.threshold_)


def test_all_thresholds_are_at_least_as_good_as_a_hundred():
    X, y = noisy(400, weights=[0.93], flip_y=0.1)
    base = logistic(class_weight="balanced")
    folds = StratifiedKFold(3)
    exact = EmpiricalUtilityClassifier(base, "f", cv=folds).fit(X, y)
    tuned = TunedThresholdClassifierCV(base, scoring="f1", cv=folds).fit(X, y)
    prob = cross_val_predict(base, X, y, cv=folds, method="predict_proba")[:, 1]
    assert exact.utility_ > f1_score(y, prob >= tuned.best_threshold_)


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
    nothing = EmpiricalUtilityClassifier(
        ByProbability().fit(certain, [0, 1, 0, 1]), "cost", cost_fp=9.0
    )
    nothing.set_params(cv="prefit").fit(certain, [0, 1, 0, 1])
    assert nothing.predict(certain).sum() == 0


def test_a_classifier_that_takes_no_weights():
    X, y = noisy()
    weight = np.where(y == 1, 5.0, 1.0)
    with pytest.warns(UserWarning, match="KNeighborsClassifier takes no sample_weight"):
        EmpiricalUtilityClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=weight)
    with pytest.raises(TypeError, match="sample_weight"):
        DecisionTheoreticClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=weight)


# ---------------------------------------------------------------------- among the others


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


def test_unsuitable_classifiers_are_refused():
    X, y = noisy(40)
    with pytest.raises(ValueError, match="predict_proba"):
        EmpiricalUtilityClassifier(LinearSVC(), response_method="predict_proba").fit(X, y)
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
