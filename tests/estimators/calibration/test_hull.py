import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from stand_ins import ByProbability, ByScore, column, logistic, noisy

from rocviz import HullCalibratedClassifier
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara


def worked_example():
    X, y = load_flach_matsubara(return_X_y=True)
    # A2 = 0 is preferred first, then A1 = 1
    score = 2 * (1 - X[:, [1]]) + X[:, [0]]
    return score.astype(float), y


def prefit(ranker, X, y, **parameters):
    return HullCalibratedClassifier(ranker.fit(X, y), cv="prefit", **parameters).fit(X, y)


# ---------------------------------------------------------------------- the worked example


def test_the_worked_example_with_laplace_correction():
    X, y = worked_example()
    model = prefit(ByScore(), X, y)
    assert list(zip(model.hull_.pos, model.hull_.neg, strict=True)) == [(9, 5), (1, 5)]
    assert model.segments_.auc == pytest.approx(62 / 100)
    assert model.predict_proba(column([3, 2, 1, 0]))[:, 1] == pytest.approx(
        [10 / 16, 10 / 16, 10 / 16, 2 / 8]
    )
    assert model.threshold_ == 1
    assert model.predict(column([3, 1, 0])).tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    ("score", "step", "linear"),
    [
        (9, 9 / 14, 9 / 14),
        (1, 9 / 14, 9 / 14),
        (0.99, 1 / 6, 1 / 6 + 0.99 * (9 / 14 - 1 / 6)),
        (0.5, 1 / 6, (9 / 14 + 1 / 6) / 2),
        (0, 1 / 6, 1 / 6),
        (-9, 1 / 6, 1 / 6),
    ],
)
def test_scores_that_were_not_seen(score, step, linear):
    X, y = worked_example()
    for interpolation, expected in (("step", step), ("linear", linear)):
        model = prefit(ByScore(), X, y, m=0, interpolation=interpolation)
        assert model.predict_proba([[score]])[0, 1] == pytest.approx(expected)


# ---------------------------------------------------------------------- what it must equal


@given(
    st.lists(st.tuples(st.integers(-5, 5), st.booleans(), st.integers(1, 4)), min_size=4).filter(
        lambda rows: len({label for _, label, _ in rows}) == 2
    )
)
def test_prefit_without_correction_is_isotonic_regression(rows):
    score, y, weight = map(np.array, zip(*rows, strict=True))
    y = y.astype(int)
    X = column(score)
    model = HullCalibratedClassifier(ByScore().fit(X, y), cv="prefit", m=0, interpolation="linear")
    model.fit(X, y, sample_weight=weight)
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(score, y, sample_weight=weight)
    np.testing.assert_allclose(
        model.predict_proba(X)[:, 1], isotonic.predict(score), rtol=0, atol=1e-12
    )
    new = np.linspace(-7, 7, 50)
    np.testing.assert_allclose(
        model.predict_proba(column(new))[:, 1], isotonic.predict(new), rtol=0, atol=1e-12
    )


@given(
    st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=4).filter(
        lambda rows: len({label for _, label in rows}) == 2
    ),
    st.sampled_from([0.0, 2.0, 9.0]),
    st.sampled_from(["step", "linear"]),
    st.sampled_from([(ByScore, 1), (ByScore, 1e-200), (ByProbability, 1 / 30)]),
)
def test_prediction_probability_and_decision_agree(rows, m, interpolation, ranker):
    kind, unit = ranker
    score, y = map(np.array, zip(*rows, strict=True))
    X = column(score * unit)
    y = y.astype(int)
    model = prefit(kind(), X, y, m=m, interpolation=interpolation)
    inside = column(np.linspace(X.min(), X.max(), 41))
    near = column([model.threshold_, np.nextafter(model.threshold_, -np.inf)]).clip(
        X.min(), X.max()
    )
    for scores in (X, inside, near):
        prob = model.predict_proba(scores)
        decision = model.decision_function(scores)
        np.testing.assert_array_equal(model.predict(scores), prob[:, 1] > 0.5)
        np.testing.assert_array_equal(model.predict(scores), prob.argmax(axis=1))
        np.testing.assert_array_equal(model.predict(scores), decision > 0)
        assert np.isfinite(decision).all()


def test_the_ranking_is_kept():
    X, y = noisy()
    for base in (logistic(), GaussianNB(), SVC()):
        model = HullCalibratedClassifier(base).fit(X[:200], y[:200])
        alone = clone(base).fit(X[:200], y[:200])
        scorer = getattr(alone, "decision_function", lambda X, m=alone: m.predict_proba(X)[:, 1])
        expected = roc_auc_score(y[200:], scorer(X[200:]))
        assert roc_auc_score(y[200:], model.decision_function(X[200:])) == expected
        calibrated = roc_auc_score(y[200:], model.predict_proba(X[200:])[:, 1])
        assert calibrated != expected


# ---------------------------------------------------------------------- one class at every score


@pytest.mark.parametrize("kind", [ByScore, ByProbability])
@pytest.mark.parametrize("label", [0, 1])
def test_one_class_at_every_score(kind, label):
    y = np.full(12, label)
    y[[3, 8]] = 1 - label
    X = column(np.tile([0.2, 0.4, 0.6], 4))
    model = prefit(kind(), X, y)
    assert (model.predict(X) == label).all()
    assert ((model.decision_function(X) > 0) == label).all()
    assert len(np.unique(model.decision_function(X))) == 3


def test_a_correction_to_a_low_prior_can_reorder_the_probabilities():
    y = np.array([1] * 9 + [0] + [1] * 40 + [0] * 10)
    X = column([2] * 10 + [1] * 50)
    model = prefit(ByScore(), X, y, m=20, prior=0.1)
    top, second = model.predict_proba(column([2, 1]))[:, 1]
    assert top == pytest.approx(11 / 30)
    assert second == pytest.approx(42 / 70)
    assert model.predict(column([2, 1])).tolist() == [0, 1]
    assert model.threshold_ == 1


# ---------------------------------------------------------------------- how it is fitted


def test_cross_fitting_uses_copies_that_did_not_see_the_sample():
    X, y = noisy()
    folds = StratifiedKFold(4, shuffle=True, random_state=3)
    model = HullCalibratedClassifier(GaussianNB(), cv=folds).fit(X, y)
    out_of_fold = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_proba")[:, 1]
    expected = RankedSegments.from_scores(y, out_of_fold)
    np.testing.assert_array_equal(model.segments_.score, expected.score)
    np.testing.assert_array_equal(model.segments_.pos, expected.pos)
    np.testing.assert_array_equal(
        model.estimator_.predict_proba(X), GaussianNB().fit(X, y).predict_proba(X)
    )


def test_the_default_is_a_linear_machine():
    X, y = noisy()
    model = HullCalibratedClassifier().fit(X, y)
    assert type(model.estimator_).__name__ == "LinearSVC"
    assert HullCalibratedClassifier().estimator is None


def test_few_samples_get_fewer_folds():
    X, y = noisy(20)
    few = np.concatenate((np.flatnonzero(y == 1)[:3], np.flatnonzero(y == 0)))
    model = HullCalibratedClassifier(GaussianNB()).fit(X[few], y[few])
    folds = StratifiedKFold(3)
    expected = cross_val_predict(GaussianNB(), X[few], y[few], cv=folds, method="predict_proba")
    np.testing.assert_array_equal(model.segments_.score, np.unique(expected[:, 1])[::-1])


def test_a_classifier_without_weights_causes_a_warning():
    X, y = noisy()
    weight = np.arange(len(y)) % 3.0
    with pytest.warns(UserWarning, match="KNeighborsClassifier takes no sample_weight"):
        model = HullCalibratedClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=weight)
    assert model.segments_.n_samples == weight.sum()


@pytest.mark.parametrize("response", ["decision_function", "predict_proba"])
def test_the_response_can_be_chosen(response):
    X, y = noisy()
    ranker = logistic().fit(X, y)
    model = HullCalibratedClassifier(ranker, cv="prefit", response_method=response).fit(X, y)
    expected = getattr(ranker, response)(X)
    expected = expected[:, 1] if expected.ndim == 2 else expected
    assert model.segments_.score[0] == expected.max()


# ---------------------------------------------------------------------- among other estimators


def test_metadata_routing():
    import sklearn

    X, y = noisy()
    groups = np.arange(len(y)) % 6
    weight = 1.0 + (np.arange(len(y)) % 2)
    with sklearn.config_context(enable_metadata_routing=True):
        model = HullCalibratedClassifier(
            logistic().set_fit_request(sample_weight=True),
            cv=GroupKFold(3).set_split_request(groups=True),
        )
        model.fit(X, y, sample_weight=weight, groups=groups)
        HullCalibratedClassifier().fit(X, y, sample_weight=weight)
    splits = list(GroupKFold(3).split(X, y, groups=groups))
    plain = HullCalibratedClassifier(logistic(), cv=splits)
    plain.fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.segments_.score, plain.segments_.score)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_fit_parameters_reach_the_classifier():
    class Curious(ByScore):
        def fit(self, X, y, favourite=None):
            self.favourite_ = favourite
            return super().fit(X, y)

    X, y = worked_example()
    model = HullCalibratedClassifier(Curious()).fit(X, y, favourite=7)
    assert model.estimator_.favourite_ == 7
    with pytest.raises(ValueError, match="favourite cannot be used"):
        HullCalibratedClassifier(Curious().fit(X, y), cv="prefit").fit(X, y, favourite=7)


# ---------------------------------------------------------------------- bad input


def test_a_classifier_without_the_response_is_refused():
    model = HullCalibratedClassifier(GaussianNB(), response_method="decision_function")
    with pytest.raises(ValueError, match="with decision_function; GaussianNB does not"):
        model.fit(*noisy())
    assert not hasattr(model, "classes_")


def test_weights_that_leave_nothing_to_train_on_are_refused():
    y = np.arange(12) % 2
    with pytest.raises(
        ValueError, match="cv leaves no sample of the class 0 to train on in split 0"
    ):
        HullCalibratedClassifier(GaussianNB()).fit(column(range(12)), y, sample_weight=y)


def test_scores_that_are_no_numbers():
    X, y = worked_example()
    X = X.copy()
    X[4] = np.nan
    with pytest.raises(ValueError, match="score must be finite"):
        prefit(ByScore(), X, y)
