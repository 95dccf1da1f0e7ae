"""The ranking loss explorer's controls and pictures, without a browser."""

from __future__ import annotations

import asyncio
import gc

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import rocviz
from rocviz import RankingLossExplorer

RNG = np.random.default_rng(2)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60) > 0


@pytest.fixture
def explorer():
    made = RankingLossExplorer(n_samples=200, n_repeats=2)
    yield made
    made.close()


def test_explorers_leave_nothing_behind():
    gc.collect()
    before = set(_instances)
    for own in ((), (X, Y)) * 10:
        made = RankingLossExplorer(*own, n_samples=20)
        made.toggle("linear")
        made.close()
    assert set(_instances) == before


@pytest.mark.parametrize("bad", [(X, None), (X[:, :1], Y), (X, Y[:-1])])
def test_bad_samples_make_no_widget(bad):
    before = set(_instances)
    with pytest.raises(ValueError, match=r"go together|two columns|one entry"):
        RankingLossExplorer(*bad)
    assert set(_instances) == before


def test_boxes_and_methods_move_each_other(explorer):
    explorer._boxes["linear"].value = True
    assert explorer.methods[0] == "linear"
    assert explorer._panels[1].lines["linear"].visible
    for name in explorer.methods:
        explorer._boxes[name].value = False
    assert explorer.methods == ("rank + isotonic",)
    assert explorer._boxes["rank + isotonic"].value
    assert "one or more" in explorer._drawer.value


def test_the_dragged_floor_stops_at_steps_of_the_slider(explorer):
    explorer._drag_floor(0.031)
    assert explorer.a == 2.0**-5
    explorer._drag_floor(3.0)
    assert explorer.a == 0.5
    explorer._drag_floor(1e-9)
    assert explorer.a == 2.0**-9


def test_many_samples_are_trained_on_when_the_slider_is_let_go(explorer):
    assert all(slider.continuous_update for slider in explorer._refitting)
    explorer._size.value = 20_000
    assert explorer.n_samples == 20_000
    assert not any(slider.continuous_update for slider in explorer._refitting)
    explorer.n_samples = 970
    assert explorer._size.value == 1000
    assert explorer.n_samples == 970


def test_the_experiment_fills_the_picture(explorer):
    explorer._work.start()
    explorer._work.wait(120)
    assert explorer.result.experiment.a.size == 5
    assert explorer._errors.lines["logistic"].x.size == 5
    assert "mean of 2 repetitions" in explorer._errors.legend.value


def test_a_stopped_experiment_keeps_what_is_done():
    async def run():
        made = RankingLossExplorer(n_samples=100, n_repeats=3)
        made._work.start()
        while made.result.experiment is None:
            await asyncio.sleep(0.01)
        thread = made._work._thread
        made._work.stop()
        await asyncio.to_thread(thread.join)
        kept = made.result.experiment.a.size
        text = made._errors.legend.value
        made.close()
        return kept, text

    kept, text = asyncio.run(run())
    assert 1 <= kept < 5
    assert f"{kept} of 5 floors done" in text


def test_own_samples_hide_what_needs_the_truth():
    made = RankingLossExplorer(X, Y)
    errors = made._errors
    assert (errors.figure.layout.display, errors.note.layout.display) == ("none", "")
    assert all(widget.layout.display == "none" for widget in made._only_simulated)
    made.preset = "the paper's step"
    assert (errors.figure.layout.display, errors.note.layout.display) == ("", "none")
    made.reset()
    assert made.preset == "own data"
    made.close()


@pytest.mark.parametrize("lecture", [False, True])
@pytest.mark.parametrize("own", [False, True])
def test_saves_without_a_browser(explorer, tmp_path, own, lecture):
    made = RankingLossExplorer(X[:, :2], Y) if own else explorer
    if not own:
        explorer.update(methods=rocviz.estimators.ranking_loss.methods.METHODS)
        explorer.run_experiment()
    rocviz.set_theme(lecture=lecture, dark=lecture)
    try:
        assert made.save(tmp_path / "figure.png").stat().st_size > 20_000
    finally:
        rocviz.set_theme(lecture=False, dark=None)
        if own:
            made.close()
