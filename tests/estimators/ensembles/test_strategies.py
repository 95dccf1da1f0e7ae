"""Separate or shared training samples: the strategies and their effects."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from stand_ins import logistic

from rocviz.datasets import load_breast_cancer_scores
from rocviz.estimators.ensembles import compare_strategies

FIVE = [
    ("linear", make_pipeline(StandardScaler(), logistic())),
    ("bayes", GaussianNB()),
    ("near", make_pipeline(StandardScaler(), KNeighborsClassifier(9))),
    ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
    ("kernel", make_pipeline(StandardScaler(), SVC())),
]


@pytest.fixture(scope="module")
def compared():
    data = load_breast_cancer_scores()
    return compare_strategies(FIVE, data.data, data.y_true, n_repeats=10, random_state=0)


def test_samples_per_classifier(compared):
    assert compared.strategies == ("disjoint", "same share", "shared")
    # of 569 samples 171 are for testing, a quarter of the others for validation
    assert compared.n_train == pytest.approx([298 / 5, 298 / 5, 298], abs=1)


def test_the_comparison_reproduces_the_claims(compared):
    disjoint, same, shared = compared.correlation
    assert disjoint + 0.03 < same < shared
    fidel = compared.methods.index("fidel")
    base = compared.methods.index("mean base")
    assert compared.auc[0, base] == pytest.approx(compared.auc[1, base], abs=0.02)
    assert compared.auc[2, base] > compared.auc[0, base] + 0.01
    assert (compared.auc[:, fidel] > compared.auc[:, base]).all()
    assert compared.auc[0, fidel] > compared.auc[1, fidel]


def test_standard_errors_allow_for_overlapping_splits(compared):
    assert compared.areas.shape == (10, 3, 5)
    assert (compared.n_known, compared.n_test) == (398, 171)
    inflated = np.sqrt(1 / 10 + 171 / 398)
    spread = compared.areas.std(axis=0, ddof=1)
    np.testing.assert_allclose(compared.standard_error, inflated * spread)
    mean, error = compared.difference("shared", "disjoint", method="mean base")
    base = compared.methods.index("mean base")
    apart = compared.areas[:, 2, base] - compared.areas[:, 0, base]
    assert mean == pytest.approx(apart.mean())
    assert error == pytest.approx(inflated * apart.std(ddof=1))
    assert compared.difference("disjoint")[0] == pytest.approx(
        compared.auc[0, 3] - compared.auc[1, 3]
    )


def test_results_are_reproducible(compared):
    data = load_breast_cancer_scores()
    labels = np.where(data.y_true == 1, "malignant", "benign")
    how = {"n_repeats": 2, "random_state": 1}
    named = {"pos_label": "malignant"}
    estimators = [*FIVE[:2], ("gone", "drop")]
    seen = []

    def progress(steps):
        seen.append(len(steps))
        return steps

    numbered = compare_strategies(estimators, data.data, data.y_true, progress=progress, **how)
    worded = compare_strategies(estimators, data.data, labels, **named, **how)
    np.testing.assert_array_equal(worded.auc, numbered.auc)
    assert seen == [2]
    for source in (None, np.random.RandomState(1), np.random.default_rng(1)):
        other = compare_strategies(
            estimators, data.data, labels, n_repeats=2, random_state=source, **named
        )
        assert np.isfinite(other.auc).all()
    benign = compare_strategies(estimators, data.data, labels, **how, pos_label="benign")
    np.testing.assert_allclose(benign.auc, numbered.auc)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"estimators": []}, "estimators"),
        ({"y": [0, 1, 2] * 10}, "Only binary"),
        ({"y": [0] * 25 + [1] * 5}, "take 6 of each class"),
    ],
)
def test_refuses(how, message):
    arguments = {"estimators": FIVE, "X": np.arange(30.0)[:, None], "y": [0, 1] * 15, **how}
    with pytest.raises(ValueError, match=message):
        compare_strategies(**arguments)
