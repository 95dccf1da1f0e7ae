"""Models of several classes side by side: M, sums over classes, and two classes as before."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from rocviz import compare_classifiers, hand_till_auc
from rocviz.core.multiclass import classwise_calibration_error, multiclass_brier

RNG = np.random.default_rng(0)
Y = np.resize([0, 1, 2], 120)
P = RNG.dirichlet([1, 1, 1], 120) + 0.7 * np.eye(3)[Y]
Q = RNG.dirichlet([1, 1, 1], 120) + 0.3 * np.eye(3)[Y]
BOTH = {"a": P / 1.7, "b": Q / 1.3}


def test_the_table_has_the_numbers_of_each_model():
    comparison = compare_classifiers(Y, BOTH, n_resamples=50)
    for i, prob in enumerate(BOTH.values()):
        interval = hand_till_auc(Y, prob)
        parts = multiclass_brier(Y, prob)
        assert comparison.auc[i] == pytest.approx(roc_auc_score(Y, prob, multi_class="ovo"))
        assert [comparison.auc_low[i], comparison.auc_high[i]] == pytest.approx(
            [interval.lower, interval.upper]
        )
        for name in ("brier", "miscalibration", "discrimination"):
            assert getattr(comparison, name)[i] == pytest.approx(getattr(parts, name))
        assert comparison.refinement[i] == pytest.approx(parts.uncertainty - parts.discrimination)
        assert comparison.log_loss[i] == pytest.approx(log_loss(Y, prob))
        assert comparison.calibration_error[i] ** 2 == pytest.approx(parts.miscalibration)
        assert comparison.uncertainty == pytest.approx(parts.uncertainty)
    error = classwise_calibration_error(Y, BOTH["a"], n_resamples=50)
    assert comparison.calibration_p[0] == error.p_value
    assert np.isnan(comparison.cost).all()
    assert list(comparison.rank) == [1, 2]
    assert comparison.pairs()["p_holm"][0] < 0.05
    assert "--" in comparison.to_latex()
    assert list(comparison.to_frame().index) == ["a", "b"]


def test_a_table_of_two_classes_equals_a_column():
    y = Y % 2
    p = RNG.random(120)
    q = RNG.random(120)
    clusters = np.arange(120) // 4
    weight = np.resize([1.0, 2, 0], 120)
    weight[4:16] = 0  # whole clusters are left out
    for more in ({}, {"clusters": clusters}, {"sample_weight": weight, "clusters": clusters}):
        table = {"p": np.column_stack((1 - p, p)), "q": np.column_stack((1 - q, q))}
        plain = compare_classifiers(y, table, n_resamples=50, **more)
        ours = compare_classifiers(y, table, classes=[0, 1], n_resamples=50, **more)
        theirs = compare_classifiers(y, {"p": p, "q": q}, n_resamples=50, **more)
        for name in ("auc", "auc_low", "auc_high", "log_loss", "calibration_p"):
            np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9)
        np.testing.assert_allclose(ours.brier, 2 * theirs.brier)
        for name in ("auc", "brier", "cost", "calibration_error"):
            np.testing.assert_allclose(getattr(plain, name), getattr(theirs, name), rtol=1e-9)
        np.testing.assert_allclose(
            ours.areas.difference_error, theirs.areas.difference_error, rtol=1e-9
        )


def test_classes_are_named_by_columns_or_in_order():
    names = np.array(["x", "y", "z"])
    comparison = compare_classifiers(names[Y], BOTH, classes=names, n_resamples=0)
    frames = {key: pd.DataFrame(prob, columns=names) for key, prob in BOTH.items()}
    other = compare_classifiers(names[Y], frames, n_resamples=0)
    np.testing.assert_array_equal(comparison.auc, other.auc)


def test_tables_may_name_the_classes_in_different_orders():
    first, second = BOTH
    names = np.array(["x", "y", "z"])
    frames = {key: pd.DataFrame(prob, columns=names) for key, prob in BOTH.items()}
    alike = compare_classifiers(names[Y], frames, n_resamples=0).to_frame()
    mixed = {first: frames[first], second: frames[second][["z", "x", "y"]]}
    pd.testing.assert_frame_equal(
        compare_classifiers(names[Y], mixed, n_resamples=0).to_frame(), alike
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_fp": 2}, "cost_fp is for two classes"),
        ({"prevalence": 0.2}, "prevalence is for two classes"),
        ({"pos_label": 1}, "pos_label is for two classes"),
        ({"scores": {"a": P / 1.7, "b": Q[:, 0]}}, r"scores\['b'\].*one column for each"),
        ({"scores": P, "classes": [0, 1, 2]}, "scores must map names of models to tables"),
        ({"scores": {"a": P / 2}}, r"scores\['a'\].*rows that sum to 1"),
        ({"scores": {1: BOTH["a"], "1": BOTH["b"]}}, "two models of the same name"),
    ],
)
def test_bad_input_is_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        compare_classifiers(Y, **{"scores": BOTH, **options})
