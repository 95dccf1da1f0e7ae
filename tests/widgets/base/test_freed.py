"""What is closed is gone: every widget, the state behind it and the data."""

from __future__ import annotations

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import rocviz
from rocviz import ROCExplorer, Step, Story

NAMES = [name for name in rocviz.__all__ if name.endswith("Explorer")]


def alive(references):
    gc.collect()
    return [one() for one in references if one() is not None]


@pytest.mark.parametrize("name", NAMES)
def test_a_closed_explorer_is_gone_with_all_its_widgets(name):
    explorer = getattr(rocviz, name)()
    explorer.preset = list(explorer.presets)[-1]
    references = [weakref.ref(one) for one in (explorer, explorer.result, *explorer._widgets)]
    explorer.static_figure()
    explorer.close()
    del explorer
    assert alive(references) == []


def test_a_closed_story_is_gone_with_its_explorer():
    story = Story(ROCExplorer(n_samples=100), [Step("a", "b"), Step("c", "d", {"threshold": 0.3})])
    story.next()
    references = [weakref.ref(one) for one in (story, story.bar, story.explorer)]
    story.close()
    del story
    assert alive(references) == []


def test_a_closed_gallery_is_gone():
    gallery = rocviz.stories.Gallery()
    references = [weakref.ref(one) for one in (gallery, gallery.menu)]
    gallery.close()
    del gallery
    assert alive(references) == []


def test_one_explorer_after_the_other_takes_no_more_memory():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 2, 200_000), rng.random(200_000)

    def opened():
        explorer = ROCExplorer(y, score)
        explorer.threshold = 0.4
        explorer.close()

    opened()
    gc.collect()
    tracemalloc.start()
    try:
        sizes = []
        for _ in range(3):
            opened()
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[-1] - sizes[0] < score.nbytes / 4
