"""People as dots: their number, places and fill, and the cells that they stand in."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgba

from rocviz import RankedSegments, binormal_scores
from rocviz.displays.roc import PeopleDisplay
from rocviz.displays.roc.crowd import (
    MAX_DOTS,
    PeopleScene,
    Queue,
    Row,
    people_per_dot,
    people_picture,
    threshold_at,
)


def picture_of(segments, threshold, **part):
    table = segments.at_threshold(threshold, **part)
    queue = Queue.of(segments)
    scene = PeopleScene((Row(queue, (threshold_at(table),)),), queue.per_dot)
    return people_picture(scene, is_large=True)


@pytest.fixture(scope="module")
def segments():
    drawn = binormal_scores(150, separation=1.2, decimals=2, random_state=3)
    return RankedSegments.from_scores(drawn.y_true, drawn.y_prob)


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 0.77, 1.0, np.inf])
def test_as_many_dots_are_filled_as_are_predicted_positive(segments, threshold):
    picture = picture_of(segments, threshold)
    table = segments.at_threshold(threshold)
    for role, predicted, total in (
        ("positive", table.tp, segments.n_pos),
        ("negative", table.fp, segments.n_neg),
    ):
        for mark in (picture[f"{role} people"], picture[f"{role} cells"]):
            assert (mark.n_filled, mark.x.size) == (predicted, total)
        # the same people fly from their place on the line to their cell
        assert (picture[f"{role} cells"].start_x == picture[f"{role} people"].x).all()
    counts = list(picture["counts"].text)
    assert counts == [
        f"{table.tp:.0f}",
        f"{table.fn:.0f} ✗",
        f"{table.fp:.0f} ✗",
        f"{table.tn:.0f}",
    ]


def test_the_cells_of_errors_have_frames(segments):
    picture = picture_of(segments, 0.5)
    frames = picture["errors"]
    for row, role in enumerate(("positive", "negative")):
        cells = picture[f"{role} cells"]
        is_wrong = np.arange(cells.x.size) >= cells.n_filled
        if role == "negative":
            is_wrong = ~is_wrong
        left, right = frames.x[row].min(), frames.x[row].max()
        low, high = frames.y[row].min(), frames.y[row].max()
        is_inside = (left < cells.x) & (cells.x < right) & (low < cells.y) & (cells.y < high)
        assert 0 < is_inside.sum() < is_inside.size
        assert (is_inside == is_wrong).all()


def test_a_part_of_a_tie_fills_as_many_of_its_dots(segments):
    tied = segments.score[np.argmax(segments.pos)]
    picture = picture_of(segments, tied, random_part=0.5)
    above = segments.pos[segments.score > tied].sum()
    at = segments.pos[segments.score == tied].sum()
    assert picture["positive people"].n_filled == above + int(at / 2)


def test_a_dot_stands_where_its_score_is_and_no_two_in_one_place(segments):
    picture = picture_of(segments, 0.5)
    people = picture["positive people"]
    scores = np.repeat(segments.score, segments.pos.astype(int))
    width = people.pitch[0]
    assert np.abs(people.x - scores).max() <= 4 * width
    for role in ("positive", "negative"):
        for part in ("people", "cells"):
            mark = picture[f"{role} {part}"]
            places = np.column_stack((mark.x, mark.y)).round(9)
            assert len(np.unique(places, axis=0)) == mark.x.size
    ground = picture["ground"].y[0]
    assert (people.y > ground).all()
    assert (picture["negative people"].y < ground).all()
    # everybody is within the picture, and in the right cell, which lies as the scores do
    cells = picture["positive cells"]
    table = segments.at_threshold(0.5)
    assert cells.x[: int(table.tp)].min() > cells.x[int(table.tp) :].max()
    assert cells.y.min() > picture["negative cells"].y.max()
    for name in ("positive people", "negative people", "positive cells", "negative cells"):
        assert 0 < picture[name].y.min() <= picture[name].y.max() < 1


def test_one_more_positive_moves_one_dot(segments):
    before = picture_of(segments, 0.5)
    lower = segments.score[segments.score < 0.5][0]
    after = picture_of(segments, lower)
    moved = 0
    for role in ("positive", "negative"):
        one, other = before[f"{role} cells"], after[f"{role} cells"]
        moved += int(((one.x != other.x) | (one.y != other.y)).sum())
        assert (before[f"{role} people"].x == after[f"{role} people"].x).all()
    assert moved == segments.n[segments.score == lower][0]


@pytest.mark.parametrize("n", [301, 4000, 123_456])
def test_of_many_people_a_dot_is_several(n):
    drawn = binormal_scores(n, prevalence=0.01, random_state=0)
    segments = RankedSegments.from_scores(drawn.y_true, drawn.y_prob)
    queue = Queue.of(segments)
    sizes = [crowd.scores.size for crowd in queue.crowds]
    assert min(sizes) >= 1
    assert sum(sizes) <= MAX_DOTS + 1
    assert queue.per_dot == people_per_dot(n)
    picture = picture_of(segments, 0.2)
    assert any(f"{queue.per_dot:,.0f} samples" in text for text in picture["each dot"].text)
    table = segments.at_threshold(0.2)
    filled = picture["negative people"].n_filled
    assert filled == pytest.approx(sizes[1] * table.fp / segments.n_neg, abs=0.5 + 1e-9)


def test_weights_that_sum_to_one_have_dots_too():
    segments = RankedSegments([3.0, 2.0, 1.0], [0.2, 0.1, 0.1], [0.1, 0.2, 0.3])
    queue = Queue.of(segments)
    assert 0 < queue.per_dot < 0.01
    assert 100 <= sum(crowd.scores.size for crowd in queue.crowds) <= MAX_DOTS
    equal = RankedSegments([2.0], [1.0], [1.0])
    assert picture_of(equal, 2.0)["positive people"].n_filled == 1


def test_the_display_draws_what_the_table_counts():
    y = np.array(["healthy", "ill"])[[0, 0, 1, 0, 1, 1]]
    display = PeopleDisplay.from_predictions(y, [0.1, 0.3, 0.35, 0.4, 0.6, 0.9], pos_label="ill")
    filled = display.people_["positive"].get_facecolor()[:, 3]
    assert list(filled) == [1, 1, 0]
    assert list(display.cells_["negative"].get_facecolor()[:, 3]) == [0, 0, 0]
    rim = display.people_["positive"].get_edgecolor()[0]
    assert tuple(rim) == to_rgba("#D55E00")
    texts = [text.get_text() for text in display.ax_.texts]
    assert {"ill", "healthy", "2", "1 ✗", "0 ✗", "3", "missed"} <= set(texts)
    lower = PeopleDisplay(display.segments, threshold=0.3, labels=("well", "ill")).plot(display.ax_)
    assert (lower.table.fp, lower.ax_) == (2, display.ax_)
    # scores beyond 1: the threshold with the highest accuracy
    assert PeopleDisplay(RankedSegments([5.0, 4.0], [1, 0], [0, 1])).threshold == 5.0
    plt.close("all")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"threshold": "high"}, "threshold"),
        ({"threshold": np.nan}, "threshold"),
        ({"labels": ("one",)}, "labels"),
    ],
)
def test_bad_arguments_make_no_figure(more, message):
    with pytest.raises((ValueError, TypeError), match=message):
        PeopleDisplay.from_predictions([0, 1], [0.2, 0.8], **more)
    assert plt.get_fignums() == []
