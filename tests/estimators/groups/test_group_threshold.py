"""The classifier with thresholds by group: promises, draws, routing, errors."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocviz import GroupThresholdClassifier
from rocviz.core.groups import cost_optimal_policy
from rocviz.datasets import make_groups

DATA = make_groups((1500, 500), prevalence=(0.5, 0.3), separation=(2.0, 1.0), random_state=0)
X = np.column_stack((DATA.y_score, np.random.default_rng(0).normal(size=DATA.y_score.size)))
Y = DATA.y_true
G = DATA.groups


def test_the_policy_is_that_of_scores_by_copies_that_did_not_see_them():
    model = GroupThresholdClassifier(LogisticRegression(), cost_fn=2.0, cv=3).fit(X, Y, groups=G)
    score = cross_val_predict(LogisticRegression(), X, Y, cv=3, method="predict_proba")[:, 1]
    policy = cost_optimal_policy(Y, score, G, criterion="equal_opportunity", cost_fn=2.0)
    assert model.policy_.points == policy.points
    assert model.policy_.cost == policy.cost


@pytest.mark.parametrize("criterion", ["demographic_parity", "equalized_odds"])
def test_predictions_keep_the_promise_up_to_chance(criterion):
    fitted = LogisticRegression().fit(X, Y)
    model = GroupThresholdClassifier(fitted, criterion, cv="prefit", random_state=0)
    model.fit(X, Y, groups=G)
    predicted = [model.set_params(random_state=i).predict(X, groups=G) for i in range(20)]
    share = np.mean(predicted, axis=0)
    assert share == pytest.approx(model.predicted_positive_probability(X, groups=G), abs=0.5)
    for name, (fpr, tpr) in model.policy_.points.items():
        assert share[(name == G) & (Y == 1)].mean() == pytest.approx(tpr, abs=0.02)
        assert share[(name == G) & (Y == 0)].mean() == pytest.approx(fpr, abs=0.02)


def test_draws_repeat_with_a_seed_and_differ_without():
    model = GroupThresholdClassifier(LogisticRegression(), "equalized_odds", random_state=3)
    model.fit(X, Y, groups=G)
    probability = model.predicted_positive_probability(X, groups=G)
    assert ((probability > 0) & (probability < 1)).any()
    assert np.array_equal(model.predict(X, groups=G), model.predict(X, groups=G))
    model.set_params(random_state=None)
    assert not np.array_equal(model.predict(X, groups=G), model.predict(X, groups=G))


def test_weights_and_the_positive_class_count():
    weight = np.where(Y == 1, 3.0, 1.0)
    model = GroupThresholdClassifier(LogisticRegression(), "none", pos_label="no")
    names = np.where(Y == 1, "yes", "no")
    model.fit(X, names, sample_weight=weight, groups=G)
    assert model.pos_label_ == "no"
    assert model.policy_.prevalence["A"] == pytest.approx(0.25)
    assert set(model.predict(X, groups=G)) == {"yes", "no"}


def test_without_groups_all_are_one_group():
    model = GroupThresholdClassifier(LogisticRegression()).fit(X, Y)
    assert len(model.policy_.points) == 1
    assert model.predict(X).shape == Y.shape
    assert not hasattr(model, "decision_function")


def test_groups_are_routed():
    with config_context(enable_metadata_routing=True):
        model = GroupThresholdClassifier(LogisticRegression(), random_state=0)
        model.set_fit_request(groups=True).set_predict_request(groups=True)
        pipeline = make_pipeline(StandardScaler(), model).fit(X, Y, groups=G)
        assert set(pipeline[-1].policy_.points) == {"A", "B"}
        assert pipeline.predict(X, groups=G).shape == Y.shape


BAD = {
    "unknown": (lambda m: m.fit(X, Y, groups=G).predict(X[:1], groups=["Z"]), "groups holds 'Z'"),
    "none at predict": (lambda m: m.fit(X, Y, groups=G).predict(X), "one of 'A', 'B'"),
    "missing": (lambda m: m.fit(X, Y, groups=[None, *G[1:]]), "groups"),
    "one name": (lambda m: m.fit(X, Y, groups="A"), "groups must be one-dimensional"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    act, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        act(GroupThresholdClassifier(LogisticRegression()))


def test_a_fit_that_fails_changes_nothing():
    model = GroupThresholdClassifier(LogisticRegression(), random_state=0)
    with pytest.raises(NotFittedError):
        model.predict(X, groups=G)
    model.fit(X, Y, groups=G)
    before = model.policy_
    with pytest.raises(ValueError, match="Group"):
        model.fit(X[:, :1], Y, groups=np.where(Y, "p", "n"))
    assert model.policy_ is before
    assert model.predict(X, groups=G).shape == Y.shape
