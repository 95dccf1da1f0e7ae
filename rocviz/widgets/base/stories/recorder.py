"""Records a story: a scene for each step, with the controls around it that the step lets move."""

from __future__ import annotations

from typing import Any

from rocviz.widgets.base.recording.axes import axis_of
from rocviz.widgets.base.recording.recorder import Recorder, bar, silent_copy
from rocviz.widgets.base.recording.recording import Recording


def record_story(story: Any, most: int, progress: Any = None) -> Recording:
    """Return the recording of a story; see :meth:`.Story.record`."""
    with silent_copy(story.explorer) as twin:
        twin.go_back(**story._opening)
        copy = type(story)(twin, story.steps)
        try:
            recorder, prompts = Recorder(twin, copy), []
            wrap = bar if progress is None else progress
            for at in wrap(list(range(len(copy.steps)))):
                step = copy.steps[at]
                prompts.append(_question(copy, at))
                copy.show(at)
                controls: dict[str, Any] = {
                    # there are many more ways to answer questions than places of a slider
                    name: 3 * most if isinstance(getattr(twin, name, None), tuple) else most
                    for name in step.move
                }
                glide = None
                way = copy.way(at)
                if len(way) > 1:
                    values = {*way, *axis_of(twin, step.glide, most).values}
                    grid = twin.controls()[step.glide].grid_of(twin)
                    controls[step.glide] = sorted(values, key=grid.position)
                axes = recorder.scene(controls)
                if len(way) > 1:
                    names = [axis.name for axis in axes]
                    k = names.index(step.glide)
                    glide = [k, axes[k].values.index(way[0])]
                recorder.describe(glide=glide)
            return recorder.finish(
                title=step_title(copy), story={"bar": copy.bar.model_id, "asked": prompts}
            )
        finally:
            copy.close()


def step_title(story: Any) -> str:
    """Return what a page of a story is called."""
    return str(story.steps[0].title)


def _question(copy: Any, at: int) -> dict[str, Any] | None:
    """Return the bar as it is while a step's question waits."""
    if copy.steps[at].ask is None:
        return None
    copy.go(at)
    return {name: getattr(copy.bar, name) for name in ("at", "ask", "asking")}
