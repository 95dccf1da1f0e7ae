"""The pictures of the groups explorer, which are those of the display."""

from __future__ import annotations

from rocviz.displays.groups.pictures import GroupsScene
from rocviz.widgets.base.stage import of_scene
from rocviz.widgets.groups.result import GroupsResult
from rocviz.widgets.groups.state import GroupsState


def scene_of(state: GroupsState, result: GroupsResult) -> GroupsScene:
    """Collect the contents of the pictures."""
    data = state.data
    return GroupsScene(
        shown=data.shown,
        letters=data.letters,
        bounds=data.bounds,
        criterion=state.criterion,
        policy=result.policy,
        free=result.free,
        curve=result.curve,
        value=result.value,
        group=state.group,
        common=result.common,
        show_hulls=state.show_hulls,
        classes=data.class_names,
        score=data.axis_name,
    )


of_state = of_scene(scene_of)
