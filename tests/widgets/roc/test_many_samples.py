"""Very many samples: dragging shows a preview, and the exact picture follows in the background."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from rocviz import RankedSegments, ROCExplorer
from rocviz.widgets.roc.data import Scored
from rocviz.widgets.roc.state import ROCState

RNG = np.random.default_rng(0)
Y = RNG.random(400) < 0.3
S = {name: np.clip(0.4 * Y + 0.6 * RNG.random(400), 0, 1) for name in ("one", "two")}


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    monkeypatch.setattr("rocviz.widgets.base.state.REST_SECONDS", 0.0)
    monkeypatch.setattr("rocviz.widgets.roc.state.MIN_SAMPLES_OF_PREVIEW", 300)
    monkeypatch.setattr("rocviz.widgets.roc.state.MAX_SAMPLES_OF_FIRST_CURVES", 300)
    monkeypatch.setattr("rocviz.widgets.roc.data.N_PREVIEW_SAMPLES", 60)
    monkeypatch.setattr("rocviz.widgets.roc.data.MIN_PREVIEW_SAMPLES_PER_CLASS", 5)


def by_hand(explorer, **inputs):
    """Set inputs as a user does; return whether a preview is shown."""
    with explorer.by_hand():
        explorer.update(**inputs)
    return explorer.is_preview


async def rested(explorer):
    while explorer.is_preview:
        await asyncio.sleep(0)


def test_new_results_are_previewed_and_then_exact():
    async def cell():
        explorer = ROCExplorer(Y, S)
        exact = explorer.controls()["exact"]
        assert not by_hand(explorer, threshold=0.4)  # costs nothing that was not there
        for inputs in (
            {"calibration": "isotonic"},
            {"held_out": True},
            {"model": "two", "held_out": False},
            {"space": "lift"},
            {"deployment_prevalence": 0.1},
            {"confidence": 0.9},
        ):
            assert by_hand(explorer, **inputs), inputs
            assert explorer.result.segments.n_samples == 60
            assert explorer.about.startswith("preview from 60 samples")
            assert exact.is_shown(explorer)
            await rested(explorer)
            assert explorer.result.segments.n_samples == 400
            assert not exact.is_shown(explorer)
        assert not by_hand(explorer, space="roc", confidence=0.95)  # was there before
        fresh = ROCState(Scored(Y, S), **explorer.inputs())
        assert explorer.result.calibrated.after == fresh.result.calibrated.after
        explorer.close()

    asyncio.run(cell())


def test_counts_are_shown_coarser():
    segments = RankedSegments.from_scores(Y, S["one"])

    async def cell():
        explorer = ROCExplorer(segments)
        assert by_hand(explorer, calibration="isotonic")
        few = explorer.result.segments
        assert (len(few), few.n_samples, few.prevalence) == (59, 400, segments.prevalence)
        assert explorer.about.startswith("preview from 59 segments")
        await rested(explorer)
        assert len(explorer.result.segments) == len(segments)
        explorer.close()

    asyncio.run(cell())


def test_joining_uses_the_exact_ranking():
    async def cell():
        explorer = ROCExplorer(Y, S)
        assert by_hand(explorer, calibration="hull")
        explorer.coarsen(0)
        assert explorer.joined == (1,)
        assert not explorer.is_preview
        assert not by_hand(explorer, calibration="isotonic")  # the joined are not among the few
        explorer.close()

    asyncio.run(cell())


def test_a_new_model_is_previewed_unlike_the_others(monkeypatch):
    monkeypatch.setattr("rocviz.widgets.roc.state.MIN_SAMPLES_OF_PREVIEW", 10**6)

    async def cell():
        explorer = ROCExplorer(Y, S)
        assert not by_hand(explorer, calibration="isotonic")
        assert by_hand(explorer, model="two")
        assert explorer.result.segments.n_samples == 60
        await rested(explorer)
        assert explorer.result.segments.n_samples == 400
        assert not by_hand(explorer, model="one")
        assert by_hand(explorer, space="lift")
        await rested(explorer)
        assert not by_hand(explorer, model="two", held_out=True)
        explorer.close()

    asyncio.run(cell())
