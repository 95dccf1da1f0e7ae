"""Validation of several classes: refusals, and no guesses about the order of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rocviz.core.base.classes import check_class_samples, check_classes, class_codes

P = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.3, 0.5], [0.4, 0.3, 0.3]])
ABC = ["a", "b", "c"]


def test_columns_belong_to_the_classes_in_their_order():
    for labels, classes in ((["c", "b", "a", "c"], ["c", "b", "a"]), ([0, 1, 2, 0], None)):
        samples = check_class_samples(labels, P, classes)
        assert samples.code.tolist() == [0, 1, 2, 0]
        assert samples.size.tolist() == [2, 1, 1]
        assert samples.prior.tolist() == [0.5, 0.25, 0.25]
    assert samples.is_class(0).tolist() == [True, False, False, True]
    assert check_class_samples([False, True], P[:2, :2] / 0.9 * [[1], [9 / 7]]).n_classes == 2


@pytest.mark.parametrize("names", [["c", "a", "b"], [2, 0, 1]])
def test_columns_of_a_data_frame_carry_the_labels(names):
    labels = [names[0], names[1], names[2], names[0]]
    samples = check_class_samples(labels, pd.DataFrame(P, columns=names))
    assert samples.classes == tuple(names)
    assert samples.code.tolist() == [0, 1, 2, 0]
    with pytest.raises(ValueError, match=r"columns of y_prob are named.*give both in one order"):
        check_class_samples(labels, pd.DataFrame(P, columns=names), sorted(names))
    texts = pd.DataFrame(P, columns=list(map(str, names)))
    assert check_class_samples(labels, texts).classes == tuple(names)


def test_columns_with_other_names_are_as_if_they_had_none():
    table = pd.DataFrame(P, columns=["p1", "p2", "p3"])
    assert check_class_samples([0, 1, 2, 0], table).classes == (0, 1, 2)
    with pytest.raises(ValueError, match="nothing says which"):
        check_class_samples(["a", "b", "c", "a"], table)


@pytest.mark.parametrize(
    ("labels", "prob", "classes", "message"),
    [
        (["a", "b", "c", "a"], P, None, r"y_true holds the 3 labels.*write classes="),
        ([1, 2, 3, 1], P, None, "nothing says which of the 3 columns"),
        (["a", "b", "c", "d"], P, ABC, r"y_true holds the label 'd', which is not one of the cl"),
        (["a", "b", "c", "a"], P, ["a", "b"], r"one column per class; got 3 for 2 classes"),
        (["a", "b", "b", "a"], P, ABC, r"y_true has no sample of the class 'c'"),
        ([0, 1, 1, 0], P, None, r"y_true has no sample of the class 2"),
        (["a", "b", "c"], P, ABC, r"y_prob must have one entry per sample; got 4 for 3"),
        ([], np.empty((0, 3)), ABC, "y_true is empty"),
        ([0, 1, 2, 0], P * 0.9, None, r"rows that sum to 1; that of row 0 is 0.9"),
        ([0, 1, 2, 0], P + [[0, 0, 0], [0.1, 0, 0]] * 2, None, r"that of row 1 is 1.1"),
        ([0, 1, 2, 0], P - 0.2, None, "within"),
        ([0, 1, 2, 0], np.where(P == 0.7, np.nan, P), None, r"finite; 1 of 12"),
        ([0, 1, 2, 0], P[:, 0], None, r"one column for each.*stack 1 - p and p"),
        ([0, 1, 2, 0], P[:, :1], None, r"at least two classes; got shape \(4, 1\)"),
        ([0, 1, 2, 0], P, ["a", "a", "b"], "classes names 'a' twice"),
        ([0, 1, 2, 0], P, ["a"], "classes must hold at least two labels"),
        ([0, 1, 2, 0], P, "abc", "classes must be the labels"),
        ([0, 1, 2, 0], P, [[0], [1], [2]], "classes must hold labels"),
    ],
)
def test_invalid_tables_are_refused_by_name(labels, prob, classes, message):
    with pytest.raises(ValueError, match=message):
        check_class_samples(labels, prob, classes)


def test_samples_of_no_weight_are_left_out():
    samples = check_class_samples([0, 1, 2, 0], P, sample_weight=[0, 1, 2, 3])
    assert samples.code.tolist() == [1, 2, 0]
    assert samples.size.tolist() == [3, 1, 2]
    with pytest.raises(ValueError, match="no sample of positive weight of the class 1"):
        check_class_samples([0, 1, 2, 0], P, sample_weight=[1, 0, 2, 3])
    assert check_class_samples([0, 1, 1, 0], P, all_occur=False).size.tolist() == [2, 2, 0]


def test_single_precision_passes_and_rounding_is_cut():
    check_class_samples([0, 1, 2, 0], P.astype(np.float32))
    rounded = np.array([[1 + 1e-7, 0, -1e-13], [0.5, 0.5, 0], [0, 0, 1]])
    assert check_class_samples([0, 1, 2], rounded).prob[0].tolist() == [1, 0, 0]


def test_labels_are_numbered():
    assert class_codes(np.array(["b", "a"]), ["b", "a"]).tolist() == [0, 1]
    with pytest.raises(ValueError, match="y_pred holds the label 'x'"):
        class_codes(np.array(["x"]), ["b", "a"], "y_pred")
    with pytest.raises(ValueError, match="y_true holds the label 5"):
        class_codes(np.array([0, 5]), [0, 1])
    assert check_classes(np.array([3, 1])) == [3, 1]


@pytest.mark.parametrize("classes", [["a", None], [1.0, np.nan], pd.Series(["a", pd.NA])])
def test_no_class_may_be_missing(classes):
    with pytest.raises(ValueError, match="classes must not hold missing labels"):
        check_classes(classes)
