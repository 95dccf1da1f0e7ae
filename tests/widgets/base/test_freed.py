"""Closing frees every widget, the state behind it and the data."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import textwrap
import weakref

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import rocviz
from rocviz import stories
from rocviz.theme import listeners

NAMES = [name for name in rocviz.__all__ if name.endswith("Explorer")]


def alive(references):
    gc.collect()
    return [one() for one in references if one() is not None]


@pytest.mark.parametrize("name", NAMES)
def test_a_closed_explorer_frees_all_its_widgets(name):
    getattr(rocviz, name)().close()  # whatever a first use leaves behind
    widgets, count = {*_instances}, len(listeners)
    explorer = getattr(rocviz, name)()
    explorer.preset = list(explorer.presets)[-1]
    references = [weakref.ref(one) for one in (explorer, explorer.result, explorer._stage)]
    explorer.static_figure()
    explorer.close()
    explorer.close()
    assert {*_instances} <= widgets
    assert len(listeners) == count
    del explorer
    assert alive(references) == []


def own_data(name):
    """Open an explorer on own data."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (300, 3)), np.repeat([0, 1], 150)
    score = rng.random(300)
    kind = getattr(rocviz, name)
    if name in ("LexicographicExplorer", "RankingLossExplorer"):
        return kind(X, y)
    if name == "ScoringListExplorer":
        return kind(rocviz.ScoringList.from_counts([0, 1], [1, 2], X, y))
    if name == "MulticlassExplorer":
        return kind(np.arange(300) % 3, rng.dirichlet([1, 1, 1], 300))
    if name == "GroupsExplorer":
        return kind(y, score, np.tile(["a", "b"], 150))
    return kind(y, {"one": score, "other": X[:, 0]} if name == "EnsembleExplorer" else score)


@pytest.mark.parametrize("name", NAMES)
def test_own_data_are_freed_with_recordings_and_jobs(name):
    async def used():
        explorer = own_data(name)
        own = weakref.ref(explorer._own)
        references = [weakref.ref(one) for one in (explorer, explorer.result, explorer._stage)]
        recording = explorer.record(**{explorer.main_control: 3})
        references += [weakref.ref(recording), own]
        for task in explorer._tasks:
            task.start()
        explorer.close()
        for task in explorer._tasks:
            task.wait()
        return references

    references = asyncio.run(used())
    assert alive(references) == []


@pytest.mark.parametrize("name", stories.NAMES)
def test_a_closed_story_frees_its_explorer(name):
    async def told():
        story = stories.open_story(name)
        story.go(1, still=False)  # closed while it glides, or asks
        references = [weakref.ref(one) for one in (story, story.bar, story.explorer)]
        references.append(weakref.ref(story.explorer._stage))
        story.close()
        return references

    assert alive(asyncio.run(told())) == []


def test_a_closed_gallery_frees_all_that_it_opened():
    gallery = stories.Gallery()
    references = [weakref.ref(one) for one in (gallery, gallery.menu)]
    for place in (0, len(stories.NAMES), len(stories.NAMES) + len(NAMES) - 1, -1, 1):
        gallery.choose(place)
        references.append(weakref.ref(gallery.shown or gallery))
    gallery.close()
    del gallery
    assert alive(references) == []


def test_a_million_rows_are_freed_on_close():
    """What weak references do not see, such as memory that a library keeps, the system does."""
    if sys.platform != "linux":
        pytest.skip("reads the size of the process as Linux tells it")
    script = """
        import gc
        import numpy as np
        from rocviz import ROCExplorer

        rng = np.random.default_rng(0)
        y, score = rng.integers(0, 2, 1_000_000), rng.random(1_000_000)

        def megabytes():
            with open("/proc/self/statm") as told:
                return int(told.read().split()[1]) * 4096 / 1e6

        for i in range(5):
            explorer = ROCExplorer(y, score, panels=["roc", "scores"], show_band=False)
            explorer.threshold = 0.4
            explorer.close()
            del explorer
            gc.collect()
            print(megabytes())
        """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    sizes = [float(line) for line in told.split()]
    assert len(sizes) == 5
    # three explorers that are held take 420; malloc may keep 100 that were freed, but only once
    assert sizes[-1] - sizes[1] < 210
