"""The ranking loss explorer's controls and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from page import Page

from rocviz import RankingLossExplorer
from rocviz.core.ranking_loss.methods import METHODS
from rocviz.pictures import LETTER_WIDTH, ROW_HEIGHT

RNG = np.random.default_rng(2)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60) > 0


@pytest.fixture
def explorer():
    explorer = RankingLossExplorer(n_samples=200, n_repeats=2)
    yield explorer
    explorer.close()


@pytest.fixture
def page(explorer):
    return Page(explorer)


def test_rows_and_methods_move_each_other(explorer, page):
    page.move("methods", key="linear", value=True)
    assert explorer.methods[0] == "linear"
    assert "linear" in page.marks("links")
    ticked = [row["key"] for row in page.control("methods")["rows"] if row["value"]]
    assert set(ticked) == set(explorer.methods)


def test_the_dragged_floor_stops_at_steps_of_the_slider(explorer, page):
    explorer.focus = "errors"
    for floor, expected in ((0.031, 2.0**-5), (3.0, 0.5), (1e-9, 2.0**-9)):
        page.drag("errors", "floor", np.log2(floor))
        assert explorer.a == expected


def test_the_floor_is_dragged_in_the_large_picture(explorer, page):
    for link in ("step", "sigmoid"):
        explorer.link = link
        page.drag("links", "floor", 0.0, 0.2)
        assert explorer.a == 0.2
        handle = page.marks("links")["floor"]
        assert handle.y.tolist() == [0.2]
        truth = np.interp(handle.x, explorer.result.position, explorer.result.truth)
        assert truth == pytest.approx(0.2, abs=2e-3)
    page.drag("links", "floor", 0.0, -1.0)
    assert explorer.a == round(2.0**-9, 3)
    assert "floor" not in page.marks("errors")  # it is small


def test_the_wipe_is_dragged_from_one_fit_to_the_other(explorer, page):
    position, truth = explorer.result.position, explorer.result.truth
    left, right = "rank + isotonic", "logistic"
    for x, wipe in ((-1.23, -1.2), (2.0, 2.0)):
        page.drag("links", "wipe", x, 0.4)
        assert explorer.wipe == wipe
        marks = page.marks("links")
        assert marks["wipe"].x == [wipe]
        assert marks[left].x.max() == marks[right].x.min() == wipe
        for name in (left, right):
            link = np.interp(marks[name].x, position, explorer.result.methods[name].link)
            np.testing.assert_allclose(marks[name].y, link)
        low, high = marks["left error 1"].y
        expected = np.abs(marks[left].y - np.interp(marks[left].x, position, truth))
        np.testing.assert_allclose(high - low, expected)
        assert marks["left fit"].text[0] == left
        assert marks["right fit"].text[1] == f"error {explorer.result.errors[right]:.4f}"
    page.drag("links", "wipe", 9.0, 0.4)  # the right fit is wiped away
    marks = page.marks("links")
    assert marks[left].x.max() == position[-1]
    assert "right error 1" not in marks
    page.move("wipe", position=0)
    assert explorer.wipe == position[0]


def shaded_words(marks):
    """The words beside the bar, at whichever end of the picture they are."""
    return [mark.text[0] for name, mark in marks.items() if name.startswith("shaded at ")]


def test_the_bar_is_as_long_as_the_errors_that_are_seen(explorer, page):
    result = explorer.result
    left, right = "rank + isotonic", "logistic"
    new = result.samples.new
    score = new.X @ new.direction
    lengths = {}
    for wipe in (-3.6, 0.3, 3.2):
        explorer.wipe = wipe
        side = score < wipe
        squared = {}
        for name in (left, right):
            method = result.methods[name]
            probability = method.scorer.probability(new.X, method.calibration)
            squared[name] = (probability - new.true_prob) ** 2
        marks = page.marks("links")
        if wipe == 0.3:
            expected = squared[left][side].sum() + squared[right][~side].sum()
            assert shaded_words(marks) == [f"shaded {expected / side.size:.4f}"]
        bar = marks["error bar"].x
        assert bar[0].max() == bar[1].min() == pytest.approx(wipe)  # the parts meet at the wipe
        lengths[wipe] = [float(np.ptp(piece)) for piece in bar]
    # all of one fit, some of both, all of the other
    assert lengths[-3.6][0] == lengths[3.2][1] == 0.0
    assert min(lengths[0.3]) > 0
    ratio = lengths[3.2][0] / lengths[-3.6][1]
    assert ratio == pytest.approx(result.errors[left] / result.errors[right])


@pytest.mark.parametrize("preset", RankingLossExplorer.presets)
def test_the_bar_and_its_words_have_room_wherever_the_wipe_is(preset):
    explorer = RankingLossExplorer(preset=preset)
    page = Page(explorer)
    for wipe in np.linspace(-3.6, 3.2, 9) if explorer.wiped else ():
        explorer.wipe = float(wipe)
        marks = page.marks("links")
        bar = marks["error bar"].x
        assert bar.min() >= -3.6 - 1e-9
        assert bar.max() <= 3.2 + 1e-9
        room = {"left": bar.min() + 3.6, "right": 3.2 - bar.max()}
        (side,) = (name for name in room if f"shaded at {name}" in marks)
        assert room[side] > 1.2
    explorer.close()


def test_the_truth_is_drawn_alike_and_pink_is_what_is_dragged(explorer, page):
    explorer.focus = "samples"
    marks = page.marks("samples")
    assert {marks[name].role for name in ("truth arrow", "border")} == {"text"}
    # a method has one colour in all pictures
    assert marks["rank arrow"].role == page.marks("links")["rank + isotonic"].role
    for methods in (("logistic",), explorer.methods, METHODS):
        explorer.update(methods=methods, focus="links")
        marks = page.marks("links")
        assert marks["truth"].role == "text"
        assert all(marks[name].role != marks["truth"].role for name in methods)
        pink = {name for name, mark in marks.items() if mark.role == "selected"}
        assert pink <= {"floor", "wipe", "border"}


def test_a_fit_is_pale_where_it_is_wiped_away(explorer, page):
    marks = page.marks("links")
    for side, name in (("left", "rank + isotonic"), ("right", "logistic")):
        pale = marks[f"{side} whole"]
        np.testing.assert_array_equal(pale.y, explorer.result.methods[name].link)
        assert pale.role == marks[name].role
        assert max(pale.opacities) < 1


def test_samples_stand_above_and_below_the_fits_by_their_labels(explorer, page):
    few = RankingLossExplorer(n_samples=40)
    samples = few.result.samples
    score = samples.X @ samples.truth.direction
    marks = Page(few).marks("links")
    few.close()
    for name, is_of in (("positive", samples.positive), ("negative", ~samples.positive)):
        x = marks[f"{name} samples"].x
        np.testing.assert_array_equal(x[:, 0], x[:, 1])
        np.testing.assert_allclose(np.sort(x[:, 0]), np.sort(score[is_of]))
    assert marks["positive samples"].y.min() > 1
    assert marks["negative samples"].y.max() < 0
    explorer.focus = "samples"
    marks = page.marks("links")
    assert "positive samples" not in marks  # a small picture has no room
    assert marks["border"].y.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("preset", ["the gap at the top", "the gap, repaired"])
def test_the_samples_of_the_top_step_are_counted_below_it(preset):
    explorer = RankingLossExplorer(preset=preset)
    marks = Page(explorer).marks("links")
    (text,) = marks["step words"].text
    assert text.endswith("1 sample")
    assert marks["step words"].y[0] < marks["step"].y.min()
    explorer.close()


def test_one_fit_or_many_have_no_wipe(explorer, page):
    explorer.methods = ("logistic",)
    marks = page.marks("links")
    assert "wipe" not in marks
    assert np.array_equal(marks["left error 1"].x, explorer.result.position)
    explorer.methods = ("linear", "logistic", "rank + isotonic")
    marks = page.marks("links")
    assert "wipe" not in marks
    assert "left error 1" not in marks
    assert page.control("wipe") == {"hidden": True}
    for name in explorer.methods:
        assert np.array_equal(marks[name].x, explorer.result.position)


def test_a_small_picture_has_the_errors_as_bars(explorer, page):
    errors = explorer.result.errors
    marks = page.marks("errors")
    assert list(marks["names"].text) == ["rank + isotonic", "logistic"]
    whole = np.ptp(marks["whole"].x, axis=1)
    assert whole[0] / whole[1] == pytest.approx(errors["rank + isotonic"] / errors["logistic"])
    explorer.wipe = 3.2
    # all of the left fit is shaded, nothing of the right one
    np.testing.assert_allclose(np.ptp(page.marks("errors")["bars"].x, axis=1), [whole[0], 0.0])
    explorer.methods = METHODS
    marks = page.marks("errors")
    assert len(marks["bars"].x) == len(marks["values"].text) == 6
    assert "names" not in marks


def test_before_the_experiment_the_picture_says_what_measures_other_floors(explorer, page):
    explorer.focus = "errors"
    marks = page.marks("errors")
    assert "by the experiment" in marks["words notes"].text
    assert "floor" in marks
    for name, error in explorer.result.errors.items():
        assert marks[f"{name} here"].y == [error]


def test_the_experiment_fills_the_picture(explorer, page):
    explorer.focus = "errors"
    page.move("run")
    explorer.experiment.wait(60)
    assert explorer.result.experiment.a.size == 5
    marks = page.marks("errors")
    assert marks["logistic"].x.size == 5
    assert "by the experiment" not in marks["words notes"].text
    assert page.title("errors").endswith("Means ± 2 s.e.")
    assert page.summaries["experiment"] == "5 of 5 floors"


def test_own_samples_hide_controls_of_the_truth():
    explorer = RankingLossExplorer(X, Y)
    page = Page(explorer)
    assert "not known" in " ".join(page.marks("errors")["words"].text)
    assert "floor" not in page.marks("links")
    page.drag("links", "wipe", 1.0)  # two fits can be compared without the truth
    assert explorer.wipe == 1.0
    for name in ("a", "n_samples", "run", "n_repeats", "link", "border", "new_sample"):
        assert page.control(name) == {"hidden": True}
    explorer.preset = "the paper's step"
    assert "logistic" in page.marks("errors")["names"].text
    assert "floor" in page.marks("links")
    explorer.reset()
    assert explorer.preset == "own data"
    explorer.close()


def test_the_names_of_counterexamples_lie_on_no_curve(explorer, page):
    explorer.update(preset="few positives", focus="bound")
    marks = page.marks("bound")
    _, upright = page.axes("bound")
    top = upright["limits"][1]
    names = marks["names"]
    assert any(text.startswith("evenly spread") for text in names.text)
    for text, x, y in zip(names.text, names.x, names.y, strict=True):
        half_width = LETTER_WIDTH * len(text) / 2
        for name in ("simple", "printed", "sharp"):
            curve = marks[name]
            is_inside = abs(curve.x - x) < half_width
            heights = (curve.y[is_inside] - y) / top
            assert not ((heights > 0) & (heights < ROW_HEIGHT / 2)).any()
