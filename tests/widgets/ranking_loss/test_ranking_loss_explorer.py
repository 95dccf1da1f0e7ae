"""The ranking loss explorer's controls and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pytest

from rocviz import RankingLossExplorer
from rocviz.pictures import LETTER, ROW

RNG = np.random.default_rng(2)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60) > 0


@pytest.fixture
def explorer():
    made = RankingLossExplorer(n_samples=200, n_repeats=2)
    yield made
    made.close()


def test_rows_and_methods_move_each_other(explorer):
    rail = explorer._rail
    rail.move("methods", key="linear", value=True)
    assert explorer.methods[0] == "linear"
    assert explorer._panels["links"].picture["linear"].is_shown
    shown = {row["key"]: row["value"] for row in rail.values["methods"]["rows"]}
    assert {name for name, value in shown.items() if value} == {*explorer.methods}


def test_the_dragged_floor_stops_at_steps_of_the_slider(explorer):
    explorer._drag_floor(np.log2(0.031), 0.0)
    assert explorer.a == 2.0**-5
    explorer._drag_floor(np.log2(3.0), 0.0)
    assert explorer.a == 0.5
    explorer._drag_floor(np.log2(1e-9), 0.0)
    assert explorer.a == 2.0**-9


def test_the_floor_is_dragged_in_the_large_picture(explorer):
    links = explorer._panels["links"]
    for link in ("step", "sigmoid"):
        explorer.link = link
        explorer._drag_level(0.0, 0.2)
        assert explorer.a == 0.2
        x, y = float(links.handles[0].x[0]), float(links.handles[0].y[0])
        truth = explorer.result.truth
        assert y == 0.2
        assert np.interp(x, explorer.result.position, truth) == pytest.approx(0.2, abs=2e-3)
    explorer._drag_level(0.0, -1.0)
    assert explorer.a == round(2.0**-9, 3)
    assert not explorer._panels["errors"].handles[0].is_shown  # it is small


def test_before_the_experiment_the_picture_names_the_button(explorer):
    errors = explorer._panels["errors"]
    assert list(errors.picture["words notes"].text) == ["run the", "experiment"]
    explorer.focus = "errors"
    assert "run the experiment" in errors.picture["words notes"].text
    assert errors.handles[0].is_shown
    for name, error in explorer.result.errors.items():
        assert errors.picture[f"{name} here"].y == [error]


def test_the_experiment_fills_the_picture(explorer):
    explorer.focus = "errors"
    explorer._rail.move("run")
    explorer.experiment.wait(60)
    assert explorer.result.experiment.a.size == 5
    errors = explorer._panels["errors"]
    assert errors.picture["logistic"].x.size == 5
    assert "run the experiment" not in errors.picture["words notes"].text
    assert explorer.title("errors").endswith("Means ± 2 s.e.")
    assert explorer._rail.summaries["experiment"] == "5 of 5 floors"


def test_own_samples_hide_controls_of_the_truth():
    made = RankingLossExplorer(X, Y)
    errors, links, rail = made._panels["errors"], made._panels["links"], made._rail

    assert "not known" in " ".join(errors.picture["words"].text)
    assert not links.handles[0].is_shown
    for name in ("a", "n_samples", "run", "n_repeats", "link", "border", "new_sample"):
        assert rail.values[name] == {"hidden": True}
    made.preset = "the paper's step"
    assert errors.picture["logistic here"].is_shown
    assert links.handles[0].is_shown
    made.reset()
    assert made.preset == "own data"
    made.close()


def test_the_names_of_counterexamples_lie_on_no_curve(explorer):
    explorer.preset = "few positives"
    explorer.focus = "bound"
    bound = explorer._panels["bound"].picture
    top = bound.y.limits[1]
    words = bound["names"]
    assert any(text.startswith("evenly spread") for text in words.text)
    for text, x, y in zip(words.text, words.x, words.y, strict=True):
        half = LETTER * len(text) / 2
        for curve in map(bound.__getitem__, ("simple", "printed", "sharp")):
            inside = abs(curve.x - x) < half
            heights = (curve.y[inside] - y) / top
            assert not ((heights > 0) & (heights < ROW / 2)).any()
