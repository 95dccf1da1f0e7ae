"""Closing frees every widget, the state behind it and the data."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import textwrap
import weakref

import pytest
from ipywidgets.widgets.widget import _instances

import rocviz
from rocviz import stories
from rocviz.theme import listeners

NAMES = [name for name in rocviz.__all__ if name.endswith("Explorer")]


def alive(references):
    gc.collect()
    objects = [reference() for reference in references]
    return [living for living in objects if living is not None]


@pytest.mark.parametrize("name", NAMES)
def test_a_closed_explorer_is_freed_with_its_widgets_data_and_tasks(name, on_own_data):
    async def used():
        explorer = on_own_data(name)
        parts = (explorer, explorer._own, explorer.result)
        references = [weakref.ref(part) for part in parts]
        references.append(weakref.ref(explorer.record(**{explorer.main_control: 3})))
        explorer.static_figure()
        for task in explorer._tasks:
            task.start()
        explorer.preset = list(explorer.presets)[-1]
        explorer.close()
        explorer.close()
        for task in explorer._tasks:
            task.wait()
        return references

    on_own_data(name).close()  # whatever a first use leaves behind
    widgets = set(_instances)
    count = len(listeners)
    references = asyncio.run(used())
    assert set(_instances) <= widgets
    assert len(listeners) == count
    assert alive(references) == []


#: Two stories after each change, the others before a merge.
STORIES = list(stories.NAMES[:2])
for slow_name in stories.NAMES[2:]:
    STORIES.append(pytest.param(slow_name, marks=pytest.mark.slow))


@pytest.mark.parametrize("name", STORIES)
def test_a_closed_story_frees_its_explorer(name):
    async def close_story():
        story = stories.open_story(name)
        story.go(1, still=False)  # closed while it glides, or asks
        parts = (story, story.explorer)
        references = [weakref.ref(part) for part in parts]
        story.close()
        return references

    assert alive(asyncio.run(close_story())) == []


def test_a_closed_gallery_frees_all_that_it_opened():
    gallery = stories.Gallery()
    references = [weakref.ref(gallery)]
    for place in (0, len(stories.NAMES), len(stories.NAMES) + len(NAMES) - 1, -1, 1):
        gallery.choose(place)
        references.append(weakref.ref(gallery.shown or gallery))
    gallery.close()
    del gallery
    assert alive(references) == []


@pytest.mark.slow
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
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    sizes = [float(line) for line in output.split()]
    assert len(sizes) == 5
    # three explorers that are held take 420; malloc may keep 100 that were freed, but only once
    assert sizes[-1] - sizes[1] < 210
