"""No callable guesses which of two text labels is positive; each asks for pos_label."""

import callables
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import rocviz
from rocviz.estimators.practice import ReferralClassifier, UpdatedClassifier

WORDS = np.where(callables.Y == 1, "well", "ill")
EVERY = callables.public_callables()
LABELS = ("y", "y_true")
#: Callables that know the two classes already, or whose y is a coordinate.
METHODS_OF_FITTED = (
    "evaluate",
    "score",
    "nearest_threshold_index",
    "guaranteed_limit",
    "guaranteed_limits",
)
ESTIMATORS = [
    kind
    for kind in (getattr(rocviz, name) for name in rocviz.__all__)
    if "pos_label" in getattr(kind, "_get_param_names", list)()
]


def of_several(one):
    """Whether a callable takes more than two classes, so that no label is positive."""
    return {"classes", "shown", "cost_matrix", "average", "miss_costs"} & set(one.asked)


def asked():
    """List the callables that take labels of two classes, with the names of these arguments."""
    results = {}
    for name, one in EVERY.items():
        given = [label for label in LABELS if label in one.asked]
        # without pos_label an estimator takes the larger label
        if given and name.split(".")[-1] not in (*METHODS_OF_FITTED, "fit") and not of_several(one):
            results[name] = given
    return results


def test_there_are_many_callables_with_labels():
    assert len(asked()) > 50
    assert len(ESTIMATORS) > 9


@pytest.mark.parametrize("name", asked())
def test_text_labels_need_pos_label(name):
    one = EVERY[name]
    # what goes with labels, also where one may do without both
    given = set(one.asked) & {"y_score", "y_prob", "scores", "X"}
    words = {key: one.right.get(key, callables.NAMED[key]) for key in given}
    for label in asked()[name]:
        make = one.right.get(label, callables.Y.copy)
        words[label] = lambda make=make: np.where(np.asarray(make()) == 1, "well", "ill")
    if one.right.get("estimator") is callables.model:
        words["estimator"] = lambda: LogisticRegression().fit(callables.X, WORDS)
    with pytest.raises(ValueError, match=r"(?s)(?=.*'ill')(?=.*'well')(?=.*pos_label)"):
        one.function(**one.arguments(**words))


SEVERAL = {"classes", "y_true", "y_prob"}


@pytest.mark.parametrize("name", [name for name in EVERY if {*EVERY[name].asked} >= SEVERAL])
def test_text_labels_of_several_classes_need_an_order(name):
    one = EVERY[name]
    words = np.array(["a", "b", "c"])[callables.KINDS]
    with pytest.raises(ValueError, match=r"'a', 'b', 'c'.*write classes="):
        one.function(**one.arguments(y_true=lambda: words))


def make_estimator(kind, **parameters):
    estimators = {}
    if kind is rocviz.FiDELClassifier:
        estimators = {"estimators": callables.members(), "random_state": 0}
    if kind in (
        rocviz.DecisionTheoreticClassifier,
        rocviz.EmpiricalUtilityClassifier,
        rocviz.GroupThresholdClassifier,
        ReferralClassifier,
        UpdatedClassifier,
    ):
        estimators = {"estimator": LogisticRegression()}
    return kind(**estimators, **parameters)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_estimators_take_the_larger_label_for_the_positive_class(kind):
    X = np.tile(callables.X, (3, 1))
    y, words = np.tile(callables.Y, 3), np.tile(WORDS, 3)
    larger = clone(make_estimator(kind)).fit(X, words)
    plain = make_estimator(kind).fit(X, y)
    for method in ("predict_proba", "decision_function", "transform"):
        if hasattr(plain, method):
            np.testing.assert_array_equal(getattr(larger, method)(X), getattr(plain, method)(X))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_either_class_can_be_positive(kind):
    X = np.tile(callables.X, (3, 1))
    y, words = np.tile(callables.Y, 3), np.tile(WORDS, 3)
    named = make_estimator(kind, pos_label="ill").fit(X, words)
    if kind is rocviz.FiDELClassifier:  # which samples it sets aside hangs on the order of labels
        well = make_estimator(kind, pos_label="well").fit(X, words)
        np.testing.assert_allclose(named.predict_proba(X), well.predict_proba(X))
        np.testing.assert_allclose(named.decision_function(X), well.decision_function(X))
        np.testing.assert_allclose(named.contributions(X), -well.contributions(X))
        return
    # the positive class in first place, and in second
    other = make_estimator(kind).fit(X, 1 - y)
    if hasattr(named, "predict_proba"):
        assert named.classes_.tolist() == ["ill", "well"]
        assert named.pos_label_ == "ill"
        near = {"rtol": 1e-7, "atol": 1e-9}  # scikit-learn's own classifiers minimise from one side
        np.testing.assert_allclose(
            named.predict_proba(X)[:, 0], other.predict_proba(X)[:, 1], **near
        )
    if hasattr(named, "classes_") and hasattr(named, "predict"):
        np.testing.assert_array_equal(named.predict(X) == "ill", other.predict(X) == 1)
    if hasattr(named, "decision_function") and hasattr(named, "classes_"):
        score = named.decision_function(X)
        np.testing.assert_array_equal(score > 0, named.predict(X) == "well")
        np.testing.assert_allclose(score, -other.decision_function(X), rtol=1e-6, atol=1e-6)
    elif hasattr(named, "decision_function"):
        np.testing.assert_array_equal(named.decision_function(X), other.decision_function(X))
        assert named.score(X, words) == other.score(X, 1 - y)
    if hasattr(named, "transform"):
        np.testing.assert_array_equal(named.transform(X), other.transform(X))


@pytest.mark.parametrize("inside", [LogisticRegression(), LinearSVC(random_state=0)])
def test_displays_follow_the_class_that_the_estimator_calls_positive(inside):
    X, y = np.tile(callables.X, (3, 1)), np.tile(callables.Y, 3)
    model = rocviz.HullCalibratedClassifier(inside, pos_label=0).fit(X, y)
    segments = rocviz.RankedSegments.from_scores(y, model.predict_proba(X)[:, 0], pos_label=0)
    search = GridSearchCV(make_pipeline(model), {}, cv=2, error_score="raise").fit(X, y)
    for one in (model, make_pipeline(model), search):
        shown = rocviz.ReliabilityDisplay.from_estimator(one, X, y)
        assert shown.pos_label == 0
        assert shown.segments.auc == segments.auc
    with pytest.raises(ValueError, match="pos_label=2 is not one of the labels 0 and 1"):
        rocviz.ROCHullDisplay.from_estimator(model, X, y, pos_label=2)
