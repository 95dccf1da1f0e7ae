"""GroupsDisplay: each picture, its numbers, bad input before any figure."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression

from rocviz import GroupsDisplay, RankedSegments
from rocviz.core.groups import cost_optimal_policy, group_summary
from rocviz.core.groups.policy import CRITERIA
from rocviz.datasets import make_groups

DATA = make_groups(
    (300, 200, 100),
    prevalence=(0.5, 0.3, 0.4),
    separation=(2, 1, 1.5),
    shift=(0, 0, 0),
    random_state=0,
)
GIVEN = DATA.y_true, DATA.y_score, DATA.groups


@pytest.mark.parametrize("criterion", CRITERIA)
def test_each_picture_has_its_title_and_the_groups(criterion):
    for kind in ("curves", "scores", "rates", "price"):
        display = GroupsDisplay.from_predictions(*GIVEN, criterion=criterion, kind=kind)
        assert display.ax_.get_title(loc="left")
        if kind in ("curves", "rates"):
            legend = {"curves": "words", "rates": "names"}[kind]
            assert [text[0] for text in display.picture_[legend].text[:2]] == ["A", "B"]


def test_ticks_of_scores_are_round_numbers():
    display = GroupsDisplay.from_predictions(
        GIVEN[0], 1000 / 7 * GIVEN[1] + 1 / 3, GIVEN[2], kind="scores"
    )
    assert set(display.picture_.x.ticks) == {50, 100}


def test_rates_have_their_intervals():
    display = GroupsDisplay.from_predictions(*GIVEN, kind="rates")
    frame = group_summary(*GIVEN, threshold=display.policy).to_frame().set_index("group")
    ends = display.picture_["intervals:1"].x
    expected = frame.loc["B", ["tpr_lower", "tpr_upper"]]
    assert ends[1] == pytest.approx(expected.to_numpy(float))


def test_a_classifier_and_labels_of_any_kind():
    X = DATA.y_score[:, None]
    groups = np.where(DATA.groups == "A", 1, 2)
    model = LogisticRegression().fit(X, DATA.y_true)
    display = GroupsDisplay.from_estimator(model, X, DATA.y_true, groups, kind="price")
    assert list(display.policy.points) == [1, 2]


ONE = {"a": RankedSegments(score=[2, 1], pos=[1, 1], neg=[1, 1])}
BAD = {
    "other groups": (
        lambda: GroupsDisplay({"b": ONE["a"]}, cost_optimal_policy(ONE)),
        "a point for each group",
    ),
    "several models": (
        lambda: GroupsDisplay.from_estimator({"a": 1}, [[1]], [1], ["a"]),
        "one classifier",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_makes_no_figure(case):
    act, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        act()
    assert plt.get_fignums() == []
