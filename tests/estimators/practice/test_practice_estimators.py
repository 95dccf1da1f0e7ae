"""The classifier that refers and the one that is updated: the core's numbers, answers, errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from stand_ins import ByProbability, ByScore, column, logistic, noisy

from rocviz.core.practice import referral_policy, update_model
from rocviz.estimators.practice import ReferralClassifier, UpdatedClassifier

X, Y = noisy()
SCORE = cross_val_predict(logistic(), X, Y, cv=3, method="predict_proba")[:, 1]
WANTED = [
    {"cost_referral": 0.3, "cost_fn": 2.0},
    {"npv": 0.8, "ppv": 0.8},
    {"max_referred": 0.1, "cost_referral": None},
    {"sensitivity": 0.7, "specificity": 0.7, "guarantee": 0.9},
]


@pytest.mark.parametrize("wanted", WANTED)
def test_the_policy_is_that_of_scores_by_copies_that_did_not_see_them(wanted):
    model = ReferralClassifier(logistic(), cv=3, **wanted).fit(X, Y)
    policy = referral_policy(Y, SCORE, **wanted)
    assert model.policy_.lower_threshold == pytest.approx(policy.lower_threshold)
    assert model.policy_.upper_threshold == pytest.approx(policy.upper_threshold)
    assert model.to_frame()["n"].tolist() == pytest.approx(policy.to_frame()["n"].tolist())
    assert model._html_repr().count("<tr>") >= 3


@pytest.mark.parametrize("wanted", WANTED)
def test_predictions_agree_with_zones(wanted):
    model = ReferralClassifier(logistic(), random_state=0, **wanted).fit(X, Y)
    zone = model.zone(X)
    predicted = model.predict(X)
    assert (predicted[zone == "rule_out"] == 0).all()
    assert (predicted[zone == "rule_in"] == 1).all()
    assert ((model.decision_function(X) > 0) == predicted).all()
    assert (zone == model.zone(X)).all()
    third = model.set_params(refer_label=-1).predict(X)
    assert (third[zone == "refer"] == -1).all()
    assert (third[zone != "refer"] == predicted[zone != "refer"]).all()


def test_the_third_answer_may_be_of_another_type():
    names = np.where(Y == 1, "ill", "well")
    model = ReferralClassifier(logistic(), pos_label="ill", cost_referral=0.3)
    words = model.set_params(refer_label="ask a colleague").fit(X, names).predict(X)
    assert set(words) == {"ill", "well", "ask a colleague"}
    mixed = ReferralClassifier(logistic(), cost_referral=0.3, refer_label="refer").fit(X, Y)
    assert set(mixed.predict(X)) == {0, 1, "refer"}
    assert model.pos_label_ == "ill"


def test_a_third_answer_takes_one_scoring(monkeypatch):
    model = ReferralClassifier(logistic(), cost_referral=0.3, refer_label=-1).fit(X, Y)
    scorings = []
    predict_proba = model.estimator_.predict_proba

    def counted(features):
        scorings.append(len(features))
        return predict_proba(features)

    monkeypatch.setattr(model.estimator_, "predict_proba", counted)
    model.predict(X)
    assert scorings == [len(X)]


def test_one_answer_for_all_keeps_thresholds_finite():
    score = column(np.linspace(0.2, 0.8, 40))
    y = np.tile([1, 0], 20)
    for cost_fp, cost_fn in ((1, 100), (100, 1)):
        model = ReferralClassifier(
            ByProbability(), cost_fp=cost_fp, cost_fn=cost_fn, cost_referral=5.0, cv=2
        ).fit(score, y)
        assert len(set(model.predict(score))) == 1
        assert np.isfinite(model.decision_function(score)).all()
        of_score = ReferralClassifier(
            ByScore(), cost_fp=cost_fp, cost_fn=cost_fn, cost_referral=5.0, cv=2
        ).fit(score, y)
        assert np.isfinite(of_score.threshold_)


def test_searches_take_it():
    grid = {"cost_referral": [0.1, 0.4]}
    search = GridSearchCV(ReferralClassifier(logistic()), grid, cv=2).fit(X, Y)
    assert set(search.predict(X)) == {0, 1}


BAD = {
    "label of a class": ({"refer_label": 1}, "refer_label must not be one of the classes 0, 1"),
    "nothing wanted": ({"cost_referral": None}, "One of cost_referral"),
    "promise": ({"npv": 2}, "npv must be strictly between"),
    "capacity": ({"max_referred": -1}, "max_referred must be from 0 to 1"),
    "guarantee": ({"guarantee": 0.9}, "guarantee needs a promise"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_parameters_are_refused_before_work(case):
    parameters, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        ReferralClassifier(logistic(), **parameters).fit(X, Y)


@pytest.mark.parametrize("act", [lambda m: m.to_frame(), lambda m: m.zone(X)])
def test_an_unfitted_model_has_no_zones(act):
    with pytest.raises(NotFittedError):
        act(ReferralClassifier(logistic()))


# ---------------------------------------------------------------------- another place


def elsewhere():
    """Make a model of one place, and data of another with fewer positives."""
    rng = np.random.default_rng(2)
    features = rng.normal(size=(3000, 2))
    shift = np.repeat([0.0, -1.2], 1500)
    y = (features.sum(axis=1) + shift + rng.logistic(size=3000) > 0).astype(int)
    return LogisticRegression().fit(features[:1500], y[:1500]), features[1500:], y[1500:]


def test_a_fitted_model_is_updated_as_in_the_core():
    model, features, y = elsewhere()
    updated = UpdatedClassifier(FrozenEstimator(model)).fit(features, y)
    prob = model.predict_proba(features)[:, 1]
    expected = update_model(y, prob)
    assert updated.update_.chosen == expected.chosen == "intercept"
    assert updated.predict_proba(features)[:, 1] == pytest.approx(expected.apply(prob))
    assert updated.predict_proba(features).sum(axis=1) == pytest.approx(1)
    assert updated.predict_proba(features)[:, 1].mean() == pytest.approx(y.mean(), abs=0.001)
    assert (updated.predict(features) == (expected.apply(prob) > 0.5)).all()
    assert "Update: intercept" in updated._html_repr()


def test_the_first_class_may_be_the_positive_one():
    model, features, y = elsewhere()
    plain = UpdatedClassifier(model, "slope", cv="prefit").fit(features, y)
    turned = UpdatedClassifier(model, "slope", cv="prefit", pos_label=0).fit(features, y)
    assert turned.predict_proba(features) == pytest.approx(plain.predict_proba(features))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"method": "refit"}, "method must be one of"),
        ({"significance_level": 1}, "significance_level"),
        ({"threshold_probability": 0}, "threshold_probability"),
        ({"n_folds": 1}, "n_folds"),
        ({"random_state": "one"}, "random_state"),
        ({"estimator": ByScore()}, "predict_proba"),
    ],
)
def test_bad_parameters_of_updates_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        UpdatedClassifier(**{"estimator": logistic(), **parameters}).fit(X, Y)


# ------------------------------------------------------------------------ clusters of updates


def rows_of_patients():
    """Two rows of each of 200 patients, which differ little, in random order."""
    rng = np.random.default_rng(5)
    of_patient = rng.normal(size=(200, 2))
    is_ill = of_patient.sum(axis=1) + rng.logistic(size=200) > 0.7
    patient = rng.permutation(np.repeat(np.arange(200), 2))
    features = of_patient[patient] + rng.normal(0, 0.05, (400, 2))
    return features, is_ill[patient], patient


def test_clusters_of_a_fitted_model_are_those_of_the_core():
    features, y, patient = rows_of_patients()
    model = LogisticRegression().fit(features[:100], y[:100])
    updated = UpdatedClassifier(model, cv="prefit").fit(features, y, clusters=patient)
    prob = model.predict_proba(features)[:, 1]
    expected = update_model(y, prob, clusters=patient)
    pd.testing.assert_frame_equal(updated.update_.to_frame(), expected.to_frame())
    without = UpdatedClassifier(model, cv="prefit").fit(features, y).update_
    assert without.before.slope.lower > expected.before.slope.lower


@pytest.mark.parametrize("cv", [None, 4])
def test_clusters_stay_together_where_the_model_is_cross_fitted(cv):
    features, y, patient = rows_of_patients()
    nearest = KNeighborsClassifier(1)  # it knows a patient whose other row it has seen
    apart = UpdatedClassifier(nearest, cv=cv).fit(features, y)
    together = UpdatedClassifier(nearest, cv=cv).fit(features, y, clusters=patient)
    assert together.cv == cv
    assert apart.update_.before.brier < 0.8 * together.update_.before.brier
    splits = list(GroupKFold(5).split(features, y, patient))
    given = UpdatedClassifier(nearest, cv=splits).fit(features, y, clusters=patient)
    assert given.update_.before.brier > 1.2 * apart.update_.before.brier


def test_clusters_that_fit_nothing_are_refused():
    features, y, patient = rows_of_patients()
    with pytest.raises(ValueError, match="clusters"):
        UpdatedClassifier(LogisticRegression()).fit(features, y, clusters=patient[:-1])
    with pytest.raises(ValueError, match="cv"):
        UpdatedClassifier(LogisticRegression(), cv=500).fit(features, y, clusters=patient)
