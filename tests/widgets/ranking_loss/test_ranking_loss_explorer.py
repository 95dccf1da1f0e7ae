"""The ranking loss explorer's controls and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from page import Page

from rocviz import RankingLossExplorer
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


def test_before_the_experiment_the_picture_names_the_button(explorer, page):
    assert list(page.marks("errors")["words notes"].text) == ["run the", "experiment"]
    explorer.focus = "errors"
    marks = page.marks("errors")
    assert "run the experiment" in marks["words notes"].text
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
    assert "run the experiment" not in marks["words notes"].text
    assert page.title("errors").endswith("Means ± 2 s.e.")
    assert page.summaries["experiment"] == "5 of 5 floors"


def test_own_samples_hide_controls_of_the_truth():
    explorer = RankingLossExplorer(X, Y)
    page = Page(explorer)
    assert "not known" in " ".join(page.marks("errors")["words"].text)
    assert "floor" not in page.marks("links")
    for name in ("a", "n_samples", "run", "n_repeats", "link", "border", "new_sample"):
        assert page.control(name) == {"hidden": True}
    explorer.preset = "the paper's step"
    assert "logistic here" in page.marks("errors")
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
