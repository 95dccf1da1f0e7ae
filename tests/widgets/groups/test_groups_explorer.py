"""The groups explorer: all groups follow the dragged one, in pictures and sentences."""

from __future__ import annotations

import json
import zlib

import numpy as np
import pandas as pd
import pytest

from rocviz import GroupsExplorer, RankedSegments, binormal_scores
from rocviz.core.groups import cost_optimal_policy
from rocviz.core.groups.policy import CRITERIA, EQUALISED_RATES
from rocviz.displays.groups.pictures import curves_picture
from rocviz.displays.roc.crowd import CELLS_STARTS, LINE_SHARES
from rocviz.pictures import People
from rocviz.widgets.groups import GroupsState
from rocviz.widgets.groups.result import nearest_on
from rocviz.widgets.groups.view import scene_of

RATE = {
    "demographic_parity": lambda policy, name: policy.predicted_positive_rate[name],
    "equal_opportunity": lambda policy, name: policy.points[name][1],
    "predictive_equality": lambda policy, name: policy.points[name][0],
    "predictive_parity": lambda policy, name: policy.precision[name],
}
PRESETS = list(GroupsState.presets)


@pytest.fixture(scope="module", params=PRESETS)
def state(request):
    return GroupsState(preset=request.param)


@pytest.mark.parametrize("criterion", RATE)
def test_all_groups_follow_the_dragged_one(state, criterion):
    state.update(criterion=criterion, group=state.data.names[-1])
    for share in (0.2, 0.5, 0.8):
        state.set_share(share)
        policy = state.result.policy
        rates = [RATE[criterion](policy, name) for name in state.data.names]
        assert np.ptp(rates) < 1e-9
        assert state.result.value == pytest.approx(rates[0])
        assert state.predicted_positive_rates == pytest.approx(
            tuple(policy.predicted_positive_rate.values())
        )
        assert state.result.extra_cost >= -1e-12
    if criterion != "predictive_parity":
        assert state.predicted_positive_rates[-1] == pytest.approx(0.8)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_promise_opens_at_its_cost_optimal_policy(state, criterion):
    state.criterion = "none" if criterion != "none" else "equal_opportunity"
    state.criterion = criterion
    best = cost_optimal_policy(state.data.rankings, criterion=criterion)
    assert state.result.policy.cost == pytest.approx(best.cost, abs=1e-9)
    state.set_share(0.9)
    state.select_cost_optimal()
    assert state.result.policy.cost == pytest.approx(best.cost, abs=1e-9)


def test_nobody_selected_is_a_policy_of_equal_precision():
    """Where no precision that all groups can have pays, the cost-optimal policy selects nobody."""
    state = GroupsState(preset="a perfect score", separation_b=0.35)
    state.update(criterion="predictive_parity", cost_fn=0.316)
    assert state.predicted_positive_rates == (0.0, 0.0)
    assert state.result.policy is state.result.best
    assert "nobody is predicted positive in both groups" in state.sentence
    opened = GroupsState(**state.inputs())
    assert opened.inputs() == state.inputs()
    assert opened.sentence == state.sentence
    state.set_share(0.5)
    assert any(state.predicted_positive_rates)
    state.select_cost_optimal()
    assert state.predicted_positive_rates == (0.0, 0.0)


@pytest.mark.parametrize("criterion", [*RATE, "equalized_odds"])
def test_almost_the_same_is_cheaper_and_stays_within_the_tolerance(state, criterion):
    state.update(criterion=criterion, tolerance=0.0)
    exact = state.result.policy.cost
    state.tolerance = 0.06
    policy = state.result.policy
    best = cost_optimal_policy(state.data.rankings, criterion=criterion, tolerance=0.06)
    assert policy.cost == pytest.approx(best.cost, abs=1e-7)
    assert policy.cost <= exact + 1e-7
    for share in (0.2, 0.5, 0.8):
        state.set_share(share)
        policy = state.result.policy
        names = ("equal_opportunity", "predictive_equality")
        for rate in names if criterion == "equalized_odds" else (criterion,):
            known = [RATE[rate](policy, name) for name in state.data.names]
            assert np.nanmax(known) - np.nanmin(known) <= 0.06 + 1e-7
        assert policy.tolerance == 0.06
        if criterion != "predictive_parity":
            assert policy.predicted_positive_rate[state.group] == pytest.approx(share, abs=1e-7)
        assert policy.cost >= best.cost - 1e-7
    assert "within 6 %" in state.sentence
    assert len(state.sentence) <= 185
    assert state.groups["almost"](state) == "within 6 %"
    # each has a point of its own now, and a line of what it is promised
    picture = curves_picture(scene_of(state, state.result), True)
    assert all(picture[f"point:{i}"].letter for i in range(len(state.data.names)))
    state.select_cost_optimal()
    assert state.result.policy.cost == pytest.approx(best.cost, abs=1e-7)
    state.tolerance = 0.0
    assert state.result.policy.cost == pytest.approx(exact, abs=1e-9)


def test_a_promise_of_no_rate_has_no_tolerance():
    state = GroupsState(criterion="single_threshold", tolerance=0.1)
    assert state.result.policy.tolerance == 0
    assert not state.controls()["tolerance"].enabled(state)
    assert state.groups["almost"](state) == ""
    state.update(criterion="equal_opportunity", tolerance=0.0)
    assert state.groups["almost"](state) == "exactly"


@pytest.mark.parametrize("criterion", CRITERIA)
def test_dragged_points_stay_on_allowed_lines(state, criterion):
    state.criterion = criterion
    state.move_to("B", 0.3, 0.6)
    assert state.group == "B"
    fpr, tpr = state.result.policy.points["B"]
    if criterion in ("none", "demographic_parity", "equal_opportunity", "predictive_equality"):
        segments = state.data.rankings["B"]
        vertices = segments.hull_vertices
        expected = nearest_on(segments.fpr[vertices], segments.tpr[vertices], (0.3, 0.6))
        assert (fpr, tpr) == pytest.approx(expected, abs=1e-6)
    state.set_rate(state.result.curve.value[-1])
    state.set_threshold("A", 0.5)
    assert state.group == "A"


def test_without_a_promise_each_group_stays_where_it_is():
    state = GroupsState(criterion="none")
    state.set_share(0.7, "A")
    state.set_share(0.2, "B")
    assert state.predicted_positive_rates == pytest.approx((0.7, 0.2))
    before = state.result.policy.cost
    state.set_rate(0.4)
    assert state.predicted_positive_rates == pytest.approx((0.7, 0.4))
    assert state.result.policy.cost != before
    on_curve = np.interp(0.4, state.result.curve.value, state.result.curve.cost)
    assert state.result.policy.cost == pytest.approx(on_curve)


def test_equalized_odds_are_below_all_hulls():
    state = GroupsState(criterion="equalized_odds")
    state.set_share(0.6)
    points = set(state.result.policy.points.values())
    assert len(points) == 1
    assert state.result.common is not None
    fpr, tpr = points.pop()
    assert tpr == pytest.approx(np.interp(fpr, *state.result.common))


def test_prevalence_can_be_moved_and_breaks_another_promise():
    state = GroupsState(preset="one curve, two prevalences", criterion="equalized_odds")
    before = list(state.result.policy.precision.values())
    state.group = "B"
    state.prevalences = (state.prevalences[0],) * 2
    after = list(state.result.policy.precision.values())
    assert np.ptp(after) < 1e-9 < np.ptp(before)
    assert state.groups["prevalence"](state) == "50 %"


def test_own_data_of_any_labels_and_many_groups(run_code):
    rng = np.random.default_rng(0)
    y = rng.choice(["ill", "well"], 900)
    groups = rng.integers(0, 8, 900)
    score = np.where(y == "ill", 1.0, 0.0) + rng.normal(size=900)
    explorer = GroupsExplorer(y, score, groups, pos_label="ill", criterion="demographic_parity")
    assert len(explorer.predicted_positive_rates) == 8
    assert len(explorer.data.shown) == 6
    first = [group.name for group in explorer.data.shown[:3]]
    sizes = ", ".join(f"{name} {(groups == int(name)).sum()}" for name in first)
    assert explorer.about == f"own data · {sizes} and 5 more"
    assert explorer.sentences[1].text.endswith("The table has all 8 groups.")
    assert len(explorer.to_frame()) == 8
    explorer.group = "7"
    namespace, _ = run_code(explorer.code(), __name__="__main__")
    assert namespace["policy"].cost == pytest.approx(explorer.result.policy.cost)
    frame = pd.DataFrame({"y": y, "s": score, "g": groups})
    again = GroupsExplorer(frame["y"], frame["s"], frame["g"], pos_label="ill")
    assert again.data.names == explorer.data.names
    explorer.close()
    again.close()


def test_segments_by_group_are_taken_as_they_are(run_code):
    a = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    b = RankedSegments(score=[3, 2, 1], pos=[3, 1, 1], neg=[1, 4, 10])
    explorer = GroupsExplorer({"one": a, "other": b})
    assert explorer.data.letters == {"one": "A", "other": "B"}
    namespace, _ = run_code(explorer.code())
    assert namespace["policy"].points == explorer.result.policy.points
    explorer.close()


@pytest.mark.parametrize("tolerance", [0.0, 0.05])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_code_gives_the_numbers_on_screen(criterion, tolerance, run_code):
    state = GroupsState(criterion=criterion, tolerance=tolerance, n_samples=200)
    state.set_share(0.4)
    namespace, _ = run_code(state.code())
    assert namespace["policy"].cost == pytest.approx(state.result.policy.cost, abs=1e-9)
    assert namespace["best"].cost == pytest.approx(state.result.best.cost)
    assert state.to_frame().equals(state.result.policy.to_frame())


ONE = RankedSegments(score=[2, 1], pos=[1, 1], neg=[1, 1])
BAD = {
    "a group alone": (lambda: GroupsExplorer(y_score=[1]), "go together"),
    "two labels alike": (lambda: GroupsExplorer({1: ONE, "1": ONE}), "written alike"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_data_are_refused(case):
    act, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        act()


def test_a_new_state_keeps_the_best_policy_among_those_that_cost_as_much():
    state = GroupsState(n_samples=600)
    state.tolerance = 0.19
    assert GroupsState(**state.inputs()).inputs() == state.inputs()


@pytest.mark.parametrize("picture", ["people", "scores"])
def test_a_press_in_the_row_of_a_group_is_for_its_own_handle(picture):
    explorer = GroupsExplorer(n_samples=200)
    drawn = explorer._panels[picture]._draw(explorer, explorer.result, True)
    first, second = (drawn[f"threshold:{i}"] for i in range(2))
    for handle, other in ((first, second), (second, first)):
        low, high = handle.row
        assert low < handle.y[0] < high
        assert not low < other.y[0] < high
    explorer.close()


def people_of(explorer):
    """Draw the large picture of people."""
    return explorer._panels["people"]._draw(explorer, explorer.result, True)


def test_each_group_has_its_errors_marked_and_dots_that_can_be_seen():
    explorer = GroupsExplorer(preset="one curve, two prevalences")
    picture = people_of(explorer)
    for i, group in enumerate(explorer.data.shown):
        fpr, tpr = explorer.result.policy.points[group.name]
        n_pos, n_neg = group.segments.n_pos, group.segments.n_neg
        found, missed, alarms, cleared = picture[f"counts:{i}"].text
        assert [found, missed] == [f"{tpr * n_pos:.0f}", f"{(1 - tpr) * n_pos:.0f} ✗"]
        assert [alarms, cleared] == [f"{fpr * n_neg:.0f} ✗", f"{(1 - fpr) * n_neg:.0f}"]
        assert len(picture[f"errors:{i}"].x) == 2
        left = [text.split("% ")[-1] for text in picture[f"cell names:{i}"].text]
        assert left == ["found", "alarms"]
        assert list(picture[f"other cells:{i}"].text) == ["missed", "left alone"]
    (text,) = picture["each dot"].text
    assert "✗ missed, false alarms" in text
    dots = [mark for mark in picture.marks if " people:" in mark.name]
    assert 50 < sum(mark.x.size for mark in dots) <= 160
    explorer.close()


@pytest.mark.parametrize("n_groups", [2, 3, 6])
def test_dots_and_bars_of_many_groups_stay_in_their_rows(n_groups):
    drawn = binormal_scores(40 * n_groups, random_state=0)
    explorer = GroupsExplorer(drawn.y_true, drawn.y_prob, np.arange(40 * n_groups) % n_groups)
    for criterion in CRITERIA:
        explorer.criterion = criterion
        picture = people_of(explorer)
        for i in range(n_groups):
            low, high = picture[f"threshold:{i}"].row
            for mark in picture.marks:
                if mark.name.endswith(f":{i}") and mark.is_shown:
                    assert low <= mark.y.min() <= mark.y.max() <= high, mark.name
        pitches = [mark.pitch[1] for mark in picture.marks if isinstance(mark, People)]
        assert min(pitches) > 0.01
    explorer.close()


def test_dots_stand_on_their_side_of_the_threshold():
    explorer = GroupsExplorer()
    picture = people_of(explorer)
    for i, rule in enumerate(explorer.result.policy.rules.values()):
        for role in ("positive", "negative"):
            people = picture[f"{role} people:{i}"]
            assert people.x[: people.n_filled].min() > rule.lower_threshold - people.pitch[0]
            assert people.x[people.n_filled :].max() < rule.upper_threshold + people.pitch[0]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_bars_end_together_where_a_rate_is_promised_to_be_equal(criterion, tolerance):
    explorer = GroupsExplorer(criterion=criterion, tolerance=tolerance)
    is_rate = criterion in CRITERIA[2:]
    policy = explorer.result.policy
    picture = people_of(explorer)
    low, high = explorer.data.bounds
    width = (high - low) * (1 - CELLS_STARTS[False]) / LINE_SHARES[False]
    right = low + (high - low) / LINE_SHARES[False]
    rates = EQUALISED_RATES.get(criterion, ("tpr",))
    ends = {}
    for i, name in enumerate("AB"):
        bars = picture[f"bars:{i}"]
        filled = np.array(bars.opacities) == 1
        pieces = (bars.x[:, 1] - bars.x[:, 0]) / width
        found = bars.y[:, 0] == bars.y[0, 0]
        for k, rate in enumerate(rates):
            of_rate = found if k == 0 else ~found
            share = pieces[of_rate & filled].sum()
            if rate == "precision":
                assert share == pytest.approx(1)
                share = pieces[0]
            assert share == pytest.approx(policy.rate(rate)[name])
            ends.setdefault(rate, []).append(right - share * width)
    names = [mark.name for mark in picture.marks]
    assert ("shared" in names) == is_rate
    if is_rate:
        lines = picture["shared"].x[:, 0]
        for both in ends.values():
            assert [np.abs(lines - end).min() for end in both] == pytest.approx([0, 0])
        # the lines pass through the bars of both groups
        assert picture["shared"].y.max() > picture["bars:0"].y.max()
        assert picture["shared"].y.min() < picture["bars:1"].y.min()
        if not tolerance:
            assert len(lines) == len(rates)
    explorer.close()


def test_a_line_joins_thresholds_that_move_together():
    explorer = GroupsExplorer(criterion="none")
    assert "link" not in [mark.name for mark in people_of(explorer).marks]
    explorer.criterion = "equal_opportunity"
    for share in (0.2, 0.6):
        explorer.set_share(share, "A")
        picture = people_of(explorer)
        first, second = (picture[f"threshold:{i}"] for i in range(2))
        link = picture["link"]
        assert (link.x[0] == first.x).all()
        assert (link.x[-1] == second.x).all()
        assert link.y[0, 0] == picture["threshold line:0"].y.min()
        assert link.y[-1, 1] == second.y[0]
        assert link.dash == "solid"
    explorer.tolerance = 0.1
    assert people_of(explorer)["link"].dash == "dashed"
    explorer.update(criterion="single_threshold", tolerance=0.0)
    assert len(np.unique(people_of(explorer)["link"].x)) == 1
    explorer.close()


def test_a_class_and_a_group_with_long_names_fit_on_one_line():
    y = np.array(["very malignant", "rather benign"])[np.arange(80) % 2]
    groups = np.array(["Vermont Medical Center", "Coimbra University Hospital"])[
        np.arange(80) // 40
    ]
    score = np.arange(80) % 7
    explorer = GroupsExplorer(y, score, groups, pos_label="very malignant")
    picture = people_of(explorer)
    for i in range(2):
        (name_of_class,) = picture[f"classes:{i}"].text
        (name,) = picture[f"ends:{i}"].text
        assert len(name_of_class) + len(name) <= 26
    explorer.close()


def test_promises_and_shares_are_recorded_together():
    explorer = GroupsExplorer(n_samples=100)
    recording = explorer.record(progress=iter, criterion=..., predicted_positive_rates=3)
    (data,) = json.loads(zlib.decompress(recording.packed))["parts"].values()
    axes = data["scenes"][0]["axes"]
    promise = axes[0]
    rates = axes[1]
    assert promise["size"] == len(CRITERIA)
    assert rates["size"] >= 3
    assert all(-1 not in places for places in promise["moves"].values())
    explorer.close()


def test_what_each_group_gets_says_which_promises_hold():
    explorer = GroupsExplorer(criterion="predictive_equality")

    def marks():
        picture = explorer._panels["rates"]._draw(explorer, explorer.result, True)
        return {text.rsplit(" ", 1)[0]: text[-1] for text in picture["labels"].text}

    assert marks() == {
        "predicted positive": "≠",
        "of the positives": "≠",
        "of the negatives": "✓",
        "precision": "≠",
    }
    # a perfect score keeps two of them together
    explorer.update(preset="a perfect score", criterion="equal_opportunity")
    explorer.select_cost_optimal()
    assert marks()["of the positives"] == "✓"
    assert marks()["of the negatives"] == "="
    explorer.close()
