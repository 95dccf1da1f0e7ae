"""The lecture of ninety minutes: its plan, its own steps, and the answers of exercises."""

import pytest

from rocviz.exercises._registry import EXERCISES
from rocviz.stories import open_lecture


@pytest.fixture(scope="module")
def lecture():
    opened = open_lecture()
    yield opened
    opened.close()


def step_titled(lecture, title):
    """Show a step, and return it with what its explorer shows."""
    place = [step.title for step in lecture.steps].index(title)
    lecture.show(place)
    return lecture.steps[place], lecture.explorer


def test_the_parts_take_ninety_minutes(lecture):
    parts = [step for step in lecture.steps if step.part]
    assert lecture.steps[0].part
    assert sum(step.minutes for step in parts) == 90
    assert all(step.minutes > 0 for step in parts)
    assert len({step.part for step in parts}) == len(parts)


def test_it_begins_with_a_question_ends_with_a_take_home_and_can_be_shortened(lecture):
    assert lecture.steps[0].ask
    assert lecture.steps[-1].title == "Take home"
    optional = [step for step in lecture.steps if step.is_optional]
    assert optional
    # no part vanishes when it is shortened, and none begins with a step that is left out
    assert not any(step.part for step in optional)
    lecture.check()


def test_every_step_has_notes_for_the_speaker(lecture):
    assert [step.title for step in lecture.steps if not step.notes] == []


def test_every_step_fits_a_hall(lecture):
    for place in range(len(lecture.steps)):
        lecture.show(place)
        assert len(lecture.text) < 300, lecture.steps[place].title
        assert "{" not in lecture.text


def test_the_pairs_on_the_board_are_those_of_the_first_chapter(lecture):
    _, people = step_titled(lecture, "79 pairs of the 100")
    assert people.result.segments.auc == pytest.approx(EXERCISES["tree_auc"].solution[0])
    assert people.result.segments.auc == pytest.approx(0.79)
    segments = people.result.segments
    assert segments.pos.tolist() == [4, 3, 2, 1]
    assert segments.neg.tolist() == [1, 1, 3, 5]
    _, dictionary = step_titled(lecture, "She knows less and ranks better")
    before = dictionary.result.segments.auc
    assert before == pytest.approx(EXERCISES["lexicographic_auc"].solution[0])
    assert 100 * (dictionary.result.curve.hull.auc - before) == pytest.approx(8)


def test_calibrated_probabilities_would_reach_the_lowest_cost(lecture):
    _, tumours = step_titled(lecture, "What a model that is too sure costs")
    size = tumours.result.segments.n_pos + tumours.result.segments.n_neg
    # as in chapter 2: 337 at 1/11 of the raw scores, 209 at best
    assert tumours.result.cost * size == pytest.approx(337, abs=1)
    assert tumours.result.optimal_cost * size == pytest.approx(209, abs=1)


@pytest.mark.parametrize(
    ("title", "name", "unit"),
    [
        ("79 pairs of the 100", "tree_auc", 100),
        ("Question 1: an area by hand", "exam_auc", 1),
        ("Question 2: one promise fixes another", "exam_fair", 100),
    ],
)
def test_the_right_choice_is_the_answer_of_the_exercise(lecture, title, name, unit):
    step, _ = step_titled(lecture, title)
    values = [float(choice.removesuffix(" %")) for choice in step.ask.choices]
    right = unit * EXERCISES[name].solution[0]
    assert values[step.ask.answer] == pytest.approx(right, abs=0.5 if unit == 100 else 0.005)
