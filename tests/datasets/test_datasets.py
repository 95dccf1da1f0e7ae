import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.datasets import (
    load_breast_cancer_scores,
    load_flach_matsubara,
)


def test_the_cells_of_the_worked_example():
    bunch = load_flach_matsubara()
    assert bunch.feature_names == ["A1", "A2"]
    assert bunch.target_names == ["negative", "positive"]
    expected = {(0, 0): (4, 1), (0, 1): (1, 5), (1, 0): (2, 3), (1, 1): (3, 1)}
    for cell, counts in expected.items():
        here = (bunch.data == cell).all(axis=1)
        assert (bunch.target[here].sum(), (1 - bunch.target[here]).sum()) == counts


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
    y = scores.y_true
    prob = scores.y_prob
    assert (y.sum(), (1 - y).sum()) == (212, 357)
    assert scores.target_names[1] == "malignant"
    assert 0.88 < roc_auc_score(y, prob) < 0.93
    assert np.unique(prob).size > 500
    is_high = prob > 0.95
    is_low = prob < 0.05
    assert is_high.sum() > 80
    assert y[is_high].mean() < 0.9
    assert y[is_low].mean() > 2 * prob[is_low].mean()
    parts = brier_decomposition(y, prob)
    assert parts.miscalibration > 0.02


def test_the_probabilities_are_out_of_fold():
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    scores = load_breast_cancer_scores()
    X = scores.data
    y = scores.y_true
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        model = GaussianNB().fit(X[train], y[train])
        np.testing.assert_allclose(model.predict_proba(X[test])[:, 1], scores.y_prob[test])


@pytest.mark.parametrize("load", [load_flach_matsubara, load_breast_cancer_scores])
def test_data_sets_cannot_be_changed_for_the_next_caller(load):
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
