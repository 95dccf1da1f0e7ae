import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import (
    load_breast_cancer_scores,
    load_flach_matsubara,
    load_scoring_list_example,
)


def test_the_cells_of_the_worked_example():
    bunch = load_flach_matsubara()
    assert bunch.feature_names == ["A1", "A2"]
    assert bunch.target_names == ["negative", "positive"]
    expected = {(0, 0): (4, 1), (0, 1): (1, 5), (1, 0): (2, 3), (1, 1): (3, 1)}
    for cell, counts in expected.items():
        here = (bunch.data == cell).all(axis=1)
        assert (bunch.target[here].sum(), (1 - bunch.target[here]).sum()) == counts


def test_the_numbers_told_of_the_worked_example():
    X, y = load_flach_matsubara(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    prob = tree.predict_proba(X)[:, 1]
    segments = RankedSegments.from_scores(y, prob)
    assert segments.auc == pytest.approx(79 / 100)
    assert segments.is_convex
    parts = brier_decomposition(y, prob)
    assert parts.refinement_loss == pytest.approx(43 / 240)
    assert parts.calibration_loss == pytest.approx(0, abs=1e-15)
    lexicographic = RankedSegments.from_scores(y, 2 * (X[:, 1] == 0) + (X[:, 0] == 1))
    assert lexicographic.auc == pytest.approx(62 / 100)
    assert not lexicographic.is_convex
    hull = lexicographic.hull()
    assert list(zip(hull.pos, hull.neg, strict=True)) == [(9, 5), (1, 5)]
    for told in ("0.79", "0.62", "43/240", "10/16", "2/8"):
        assert told in load_flach_matsubara().DESCR


@pytest.mark.parametrize("value", [0, 1])
def test_likelihood_ratios_told(value):
    X, y = load_flach_matsubara(return_X_y=True)
    told = {0: (5 / 6, 3 / 2), 1: (5 / 4, 2 / 3)}[value]
    ratio = (X[y == 1] == value).mean(axis=0) / (X[y == 0] == value).mean(axis=0)
    assert ratio == pytest.approx(told)


def test_frames():
    bunch = load_flach_matsubara(as_frame=True)
    assert list(bunch.frame.columns) == ["A1", "A2", "target"]
    assert bunch.data.shape == (20, 2)
    X, y = load_flach_matsubara(as_frame=True, return_X_y=True)
    assert X.equals(bunch.data)
    assert y.equals(bunch.target)
    scores = load_breast_cancer_scores(as_frame=True)
    assert list(scores.frame.columns) == [*scores.feature_names, "y_true", "y_prob"]
    assert (scores.frame["y_prob"] == scores.y_prob).all()


def test_naive_bayes_ranks_well_and_is_over_confident():
    scores = load_breast_cancer_scores()
    y, prob = scores.y_true, scores.y_prob
    assert (y.sum(), (1 - y).sum()) == (212, 357)
    assert scores.target_names[1] == "malignant"
    assert 0.88 < roc_auc_score(y, prob) < 0.93
    assert np.unique(prob).size > 500
    sure, sure_not = prob > 0.95, prob < 0.05
    assert sure.sum() > 80
    assert y[sure].mean() < 0.9
    assert y[sure_not].mean() > 2 * prob[sure_not].mean()
    parts = brier_decomposition(y, prob)
    assert parts.miscalibration > 0.02


def test_the_probabilities_are_out_of_fold():
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    scores = load_breast_cancer_scores()
    X, y = scores.data, scores.y_true
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        model = GaussianNB().fit(X[train], y[train])
        np.testing.assert_allclose(model.predict_proba(X[test])[:, 1], scores.y_prob[test])


@pytest.mark.parametrize("load", [load_flach_matsubara, load_breast_cancer_scores])
def test_nobody_can_spoil_the_data_of_the_next_caller(load):
    first = load()
    arrays = [value for value in first.values() if isinstance(value, np.ndarray)]
    assert len(arrays) >= 2
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    first.feature_names.clear()
    first.target_names.append("x")
    again = load()
    assert again.feature_names
    assert len(again.target_names) == 2


def test_frames_may_be_changed_without_harm():
    bunch = load_flach_matsubara(as_frame=True)
    bunch.frame.loc[0, "A1"] = 9
    assert load_flach_matsubara(as_frame=True).frame.loc[0, "A1"] == 0


def test_the_scoring_list_of_the_paper():
    example = load_scoring_list_example()
    assert example.features.tolist() == [2, 0, 1, 3]
    assert example.scores.tolist() == [1, -2, 1, 2]
    frame = example.to_frame()
    assert frame.loc["f1"].dropna().to_dict() == {-2: 0.1, -1: 0.2, 0: 0.5, 1: 0.6}
    assert frame.loc["f4"].tolist() == [0.1, 0.1, 0.2, 0.6, 0.7, 0.9, 0.9]
    everything = [[1, 1, 1, 1]]
    assert example.predict_proba(everything, stage=0) == 0.3
    assert example.predict_proba(everything) == 0.7
    stopped = example.decide([[0, 1, 1, 0], [0, 1, 1, 1]], upper=0.9)
    assert stopped.stage.tolist() == [3, 3]
    assert stopped.positive.all()
