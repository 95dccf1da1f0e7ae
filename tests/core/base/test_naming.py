"""Names and numbers as messages show them."""

import pandas as pd
import pytest

from rocviz.core.base.naming import score_name, threshold_text
from rocviz.core.base.validation import check_labels_of_classes, labels_of_classes


def test_thresholds_are_exact_unless_they_are_huge():
    assert threshold_text(0.5) == "0.5"
    assert threshold_text(123456789.5) == "123456789.5"
    assert threshold_text(2.0**53 + 2) == "9007199254740994"
    assert threshold_text(-1.5e300) == "-1.5e+300"


@pytest.mark.parametrize(
    ("scores", "name"),
    [
        (pd.Series([0.1], name="CA 125"), "CA 125"),
        (pd.Series([0.1], name=" two\nlines "), "two lines"),
        (pd.Series([0.1], name=" "), None),
        (pd.Series([0.1], name=3), None),
        (pd.Series([0.1]), None),
        ([0.1], None),
    ],
)
def test_the_name_of_scores_is_that_of_their_column(scores, name):
    assert score_name(scores) == name


@pytest.mark.parametrize(
    ("y", "pos_label", "negative", "positive"),
    [
        (["a", "b", "b"], "a", "b", "a"),
        (["a", "b", "b"], "b", "a", "b"),
        ([0, 1, 1], None, 0, 1),
        ([-1, 1, 1], -1, 1, -1),
        ([False, True, True], None, False, True),
    ],
)
def test_the_labels_of_both_classes(y, pos_label, negative, positive):
    assert labels_of_classes(y, pos_label) == (negative, positive)
    marked = check_labels_of_classes(y, pos_label)[0]
    assert marked.tolist() == [label == positive for label in y]
