"""What bad input gets: a ValueError that names the argument, what came and what is wanted."""

import numpy as np
import pandas as pd
import pytest

from rocviz.core.base.validation import (
    check_fraction,
    check_integer,
    check_labels,
    check_number,
)
from rocviz.core.roc.segments import RankedSegments

GOOD = ([0, 1, 1], [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("y_true", "y_score", "more", "message"),
    [
        (GOOD[0], [0.1, np.nan, 0.3], {}, "^y_score must be finite; 1 of 3 values are NaN or inf"),
        (GOOD[0], [0.1, np.inf, -np.inf], {}, "^y_score must be finite; 2 of 3"),
        ([0, 1, np.nan], GOOD[1], {}, "^y_true must not hold NaN or inf; 1 values do"),
        ([0, 1, np.inf], GOOD[1], {}, "^y_true must not hold NaN or inf; 1"),
        (["a", "b", None], GOOD[1], {}, "^y_true must not hold missing labels"),
        (np.array(["a", "b", np.nan], object), GOOD[1], {}, "^y_true must not hold missing labels"),
        (GOOD[0], [0.1, 0.2], {}, "^y_score must have one entry per sample; got 2 for 3 labels"),
        ([1, 1, 1], GOOD[1], {}, "^y_true must hold exactly two classes; found 1: 1"),
        (["x"] * 3, GOOD[1], {}, "^y_true must hold exactly two classes; found 1: 'x'"),
        ([True] * 3, GOOD[1], {}, "^y_true must hold exactly two classes; found 1: True"),
        ([0, 1, 2], GOOD[1], {}, "^y_true must hold exactly two classes; found 3: 0, 1, 2"),
        (list("abcdefg"), range(7), {}, r"found 7: 'a', 'b', 'c', 'd', 'e', \.\.\."),
        (["a", 1, "b"], GOOD[1], {}, "^y_true must hold exactly two classes; found 3"),
        (np.array(["a", 1, 1], object), GOOD[1], {}, "^y_true mixes labels of kinds"),
        (GOOD[0], GOOD[1], {"pos_label": 2}, "^pos_label=2 is not one of the labels 0 and 1"),
        (list("aab"), GOOD[1], {"pos_label": "c"}, "^pos_label='c' is not one .* 'a' and 'b'"),
        (
            GOOD[0],
            GOOD[1],
            {"sample_weight": [1, -2, 1]},
            "^sample_weight must not be negative; the smallest is -2",
        ),
        (GOOD[0], GOOD[1], {"sample_weight": [0, 0, 0]}, "^sample_weight is zero for every"),
        (GOOD[0], GOOD[1], {"sample_weight": [1, 0, 0]}, "^sample_weight leaves one class"),
        (GOOD[0], GOOD[1], {"sample_weight": [1, 1]}, "^sample_weight must have one entry"),
        (GOOD[0], GOOD[1], {"sample_weight": [1, np.nan, 1]}, "^sample_weight must be finite"),
        (GOOD[0], list("abc"), {}, "^y_score must be numbers; got"),
        (GOOD[0], [1j, 2, 3], {}, "^y_score must be numbers; got"),
        (GOOD[0], [[1, 2], [3, 4], [5, 6]], {}, r"^y_score must be one-dim.*shape \(3, 2\)"),
        (GOOD[0], [["a"] * 40] * 3, {}, r"^y_score must be numbers; got .*\.\.\.\.$"),
        (GOOD[0], 3.0, {}, r"^y_score must be one-dimensional.*shape \(\)"),
        ([[0, 1], [1, 0]], [1, 2], {}, r"^y_true must be one-dimensional.*shape \(2, 2\)"),
        (1, GOOD[1], {}, r"^y_true must be one-dimensional.*shape \(\)"),
        ([], [], {}, "^y_true is empty"),
    ],
)
def test_samples(y_true, y_score, more, message):
    with pytest.raises(ValueError, match=message):
        RankedSegments.from_scores(y_true, y_score, **more)


@pytest.mark.parametrize(
    ("score", "pos", "neg", "message"),
    [
        ([], [], [], "^score is empty"),
        ([1, 2], [1, 1], [1, 1], "^score must strictly decrease"),
        ([1, 1], [1, 1], [1, 1], "^score must strictly decrease"),
        ([2, 1], [1, 1, 1], [1, 1], "^pos must have one entry per segment; got 3 for 2"),
        ([2, 1], [1, 1], [1], "^neg must have one entry per segment; got 1 for 2"),
        ([2, 1], [1, -1], [1, 1], "^pos and neg must not be negative"),
        ([2, 1], [1, 0], [1, 0], "no segment may be empty"),
        ([2, 1], [0, 0], [1, 1], "^pos and neg must both have weight"),
        ([2, np.nan], [1, 1], [1, 1], "^score must be finite"),
        ([2, 1], [1, np.inf], [1, 1], "^pos must be finite"),
        ([2, 1], ["a", "b"], [1, 1], "^pos must be numbers"),
    ],
)
def test_segments(score, pos, neg, message):
    with pytest.raises(ValueError, match=message):
        RankedSegments(score, pos, neg)


def test_numbers():
    assert check_number(np.float32(0.5), "x") == 0.5
    assert check_number(3, "x", minimum=3) == 3.0
    for bad in (True, "1", None, np.nan, [1.0]):
        with pytest.raises(ValueError, match="x must be a finite number"):
            check_number(bad, "x")
    with pytest.raises(ValueError, match="x must be at least 3; got 2"):
        check_number(2, "x", minimum=3)
    with pytest.raises(ValueError, match="x must be greater than 0; got 0"):
        check_number(0, "x", above=0)


def test_fractions():
    assert check_fraction(1, "x", ends=True) == 1.0
    for bad in (0, 1, -1):
        with pytest.raises(ValueError, match="x must be strictly between 0 and 1"):
            check_fraction(bad, "x")
    with pytest.raises(ValueError, match="x must be from 0 to 1"):
        check_fraction(1.1, "x", ends=True)


def test_integers():
    assert check_integer(np.int64(4), "x", 4, 4) == 4
    assert check_integer(-4, "x") == -4
    for bad in (4.0, True, "4", None):
        with pytest.raises(ValueError, match=r"x must be an integer; got"):
            check_integer(bad, "x")
    with pytest.raises(ValueError, match="x must be an integer of at least 1 and at most 3; got 4"):
        check_integer(4, "x", 1, 3)
    with pytest.raises(ValueError, match="x must be an integer of at most 3; got 4"):
        check_integer(4, "x", maximum=3)
    with pytest.raises(ValueError, match="x must be an integer of at least 1; got 0"):
        check_integer(0, "x", 1)


def test_labels_by_any_true_name():
    assert check_labels(["b", "a"], "b").tolist() == [True, False]
    assert check_labels([3, 7, 3], pos_label=3.0).tolist() == [True, False, True]
    assert check_labels(np.array([[0], [1]])).tolist() == [False, True]


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (["good", "bad"], "'bad' and 'good'.* pos_label='good' or pos_label='bad'"),
        ([1, 2], "1 and 2.* pos_label=2 or pos_label=1"),
        ([0.0, 2.0], "0.0 and 2.0.*"),
        (["0", "1"], "'0' and '1'.*"),
        (pd.Categorical(["good", "bad"], ["good", "bad"], ordered=True), "'bad' and 'good'.*"),
    ],
)
def test_which_label_is_positive_is_not_guessed(labels, shown):
    with pytest.raises(ValueError, match=rf"^y_true holds the labels {shown}"):
        check_labels(labels)
    assert check_labels(labels, labels[0]).tolist() == [True, False]


@pytest.mark.parametrize("low", [0, -1, False])
@pytest.mark.parametrize("kind", [None, object, float])
def test_labels_whose_positive_class_is_known(low, kind):
    high = type(low)(1)
    assert check_labels(np.array([low, high], dtype=kind)).tolist() == [False, True]
