import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from rocviz import (
    CombinedRegressionRanking,
    DecisionTheoreticClassifier,
    EmpiricalUtilityClassifier,
    EntropyBinarizer,
    FiDELClassifier,
    GroupThresholdClassifier,
    HullCalibratedClassifier,
    HullCalibrator,
    LexProb,
    LexRank,
    ProbabilisticScoringList,
    RankIsotonicClassifier,
    ScoringListRanker,
    SimplexCalibratedClassifier,
    SimplexThresholdClassifier,
)
from rocviz.estimators.practice import ReferralClassifier, UpdatedClassifier

# What is inside is quick to fit: that sparse data reach it is asked in test_at_home.py.
LOGISTIC = LogisticRegression(solver="newton-cholesky")
BAYES = GaussianNB()
MARGIN = LinearSVC(random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)

BATCH_REASON = "the label of a sample depends on its batch, unless the metric is an average"
HALF_REASON = "labels are the best for the metric, not the more probable ones"
CERTAIN_REASON = (
    "with one class for certain the metric is the same for all labels, so none is positive"
)

DRAWN_REASON = "parts are drawn by row, and a row of weight two is one row"


def expected_to_fail(estimator):
    """List the checks that cannot hold, each with the reason."""
    if getattr(estimator, "rank_context", None) == "batch":
        return {"check_methods_subset_invariance": "ranks within a batch depend on the batch"}
    if isinstance(estimator, DecisionTheoreticClassifier) and estimator.metric == "f":
        return {
            "check_methods_subset_invariance": BATCH_REASON,
            "check_classifiers_train": HALF_REASON,
        }
    if isinstance(estimator, DecisionTheoreticClassifier) and estimator.metric == "am":
        return {
            "check_methods_subset_invariance": BATCH_REASON,
            "check_classifiers_one_label_sample_weights": CERTAIN_REASON,
        }
    if isinstance(estimator, EmpiricalUtilityClassifier) and estimator.metric == "f":
        return {"check_classifiers_train": HALF_REASON}
    if getattr(estimator, "calibration_data", "train") != "train":
        return {"check_sample_weight_equivalence_on_dense_data": DRAWN_REASON}
    return {}


ESTIMATORS = [
    HullCalibratedClassifier(LOGISTIC),
    DecisionTheoreticClassifier(LOGISTIC, "accuracy"),
    EmpiricalUtilityClassifier(BAYES, "f", cv=2),
    GroupThresholdClassifier(LOGISTIC),
    ReferralClassifier(LOGISTIC),
    UpdatedClassifier(LOGISTIC),
    SimplexCalibratedClassifier(LOGISTIC),
    SimplexThresholdClassifier(LOGISTIC),
    EntropyBinarizer(),
    FiDELClassifier([("bayes", BAYES), ("tree", TREE)]),
    LexRank(),
    LexProb(),
    HullCalibrator(),
    RankIsotonicClassifier(),
    CombinedRegressionRanking(),
    ProbabilisticScoringList(),
    ScoringListRanker(),
]
VARIANTS = [
    HullCalibratedClassifier(BAYES, cv=2, m=0, interpolation="linear"),
    DecisionTheoreticClassifier(LOGISTIC, "f"),
    DecisionTheoreticClassifier(BAYES, "am"),
    EmpiricalUtilityClassifier(MARGIN, "jaccard", cv=2),
    GroupThresholdClassifier(BAYES, "equalized_odds", cv=2, tolerance=0.1),
    ReferralClassifier(MARGIN, cv=2, max_referred=0.2, cost_referral=None, random_state=0),
    ReferralClassifier(BAYES, cv=2, npv=0.9, ppv=0.9),
    UpdatedClassifier(BAYES, "slope", cv=2, n_folds=2),
    SimplexCalibratedClassifier(BAYES, "hull", cv=2),
    SimplexCalibratedClassifier(BAYES, "temperature", cv=2),
    SimplexThresholdClassifier(BAYES, "mcc", cv=2),
    EntropyBinarizer(missing="keep"),
    FiDELClassifier(
        [("margin", MARGIN), ("bayes", BAYES), ("tree", TREE)],
        **{"strategy": "shared", "method": "woc", "rank_context": "batch"},
        random_state=0,
    ),
    RankIsotonicClassifier("squared_hinge", calibration="isotonic"),
    ProbabilisticScoringList(
        **{"thresholds": "bisect", "missing": "score", "calibration": "sigmoid"}, max_stages=3
    ),
    ProbabilisticScoringList(
        **{"binarize": "preprocess", "missing": "zero", "calibration": "m-estimate"},
        **{"calibration_data": 2, "random_state": 0},
    ),
    ScoringListRanker(binarize="preprocess", missing="score"),
]

# one check casts labels that are too large on purpose
TOO_LARGE = pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")


@TOO_LARGE
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_to_fail)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.slow
@TOO_LARGE
@parametrize_with_checks(VARIANTS, expected_failed_checks=expected_to_fail)
def test_checks_of_scikit_learn_with_other_parameters(estimator, check):
    check(estimator)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize(
    "make", [RankIsotonicClassifier, LexProb, EntropyBinarizer, HullCalibrator]
)
def test_labels_that_are_no_numbers_are_refused_without_a_warning(make, bad):
    y = np.array([0.0, 1.0, 0.0, 1.0, bad, 1.0])
    with pytest.raises(ValueError, match=r"Input y contains (NaN|infinity)"):
        make().fit(np.arange(6.0)[:, None], y)  # warnings are errors
