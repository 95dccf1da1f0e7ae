"""What a story's words name is in sight when they name it."""

import re

import numpy as np
import pytest

from rocviz import ROCExplorer, stories
from rocviz.pictures import Areas, Band, Bars, Dots, Handle, Knobs, Line, People
from rocviz.pictures.marks import TRANSPARENT, ring
from rocviz.widgets.base.stories.prose import prose

DRAWN = (Areas, Band, Bars, Dots, Handle, Knobs, Line, People)
PICTURE_PIXELS = 400.0  # of the axes of a picture that fills its half of a laptop
HANDLE_RADIUS = 12.0  # with its rim
NAMES_OF_RINGS = re.compile(r"\b(?:rings?|amber|diamond)\b")


def in_limits(picture, x, y):
    """Tell of each point whether it is within the axes."""
    inside = np.ones(np.broadcast(x, y).shape, dtype=bool)
    for axis, values in ((picture.x, x), (picture.y, y)):
        low, high = sorted(axis.limits)
        room = 0.02 * (high - low)
        inside &= (values >= low - room) & (values <= high + room)
    return inside


def distance(picture, mark, other):
    """Compute how far a mark's first point is from another's, in pixels."""
    sizes = [abs(np.diff(axis.limits)[0]) for axis in (picture.x, picture.y)]
    across = (mark.x[0] - other.x[0]) / sizes[0]
    up = (mark.y[0] - other.y[0]) / sizes[1]
    return PICTURE_PIXELS * np.hypot(across, up)


def is_covered(picture, place, mark):
    """Whether a single dot, or a ring, lies under a handle."""
    if not isinstance(mark, Dots) or mark.x.size != 1:
        return False
    radius = np.sqrt(mark.size / np.pi) + mark.width / 2
    for above in picture.marks[place + 1 :]:
        is_handle = isinstance(above, Handle) and above.is_shown
        if is_handle and distance(picture, mark, above) + radius <= HANDLE_RADIUS:
            return True
    return False


def visible_roles(picture):
    """Collect the roles of all marks of a picture that can be seen."""
    roles = set()
    for place, mark in enumerate(picture.marks):
        if not isinstance(mark, DRAWN) or not mark.is_shown or mark.name.startswith("key:"):
            continue
        x, y = np.broadcast_arrays(mark.x, mark.y)
        inside = in_limits(picture, x, y)
        if not inside.any() or is_covered(picture, place, mark):
            continue
        parts = list(mark.roles)
        if isinstance(mark, Dots) and mark.role in (TRANSPARENT, "paper"):
            parts = [mark.rim]
        if inside.ndim == 2 and len(parts) == len(inside):  # of several areas those in sight
            parts = [part for part, seen in zip(parts, inside.any(axis=1), strict=True) if seen]
        roles.update(parts)
    return roles


def roles_on_stage(explorer):
    """Collect the roles that can be seen in all pictures of an explorer."""
    explorer._on_stage()  # draws them
    return set().union(*(visible_roles(explorer._panels[name].picture) for name in explorer.panels))


@pytest.fixture(scope="module", params=stories.NAMES)
def story(request):
    opened = stories.open_story(request.param)
    yield opened
    opened.close()


def test_each_coloured_word_has_a_mark_in_sight(story):
    named = set()
    for place, (step, scene) in enumerate(zip(story.steps, story._scenes, strict=True)):
        if step.kind == "words":
            assert not scene.prose.roles, f"{place + 1}, {step.title}: there is no picture"
            continue
        story.show(place)
        seen = roles_on_stage(story.explorer)
        roles = {*scene.prose.roles, *scene.moved.roles}
        assert roles <= seen, f"{place + 1}, {step.title}: {roles - seen} cannot be seen"
        for text in (scene.prose, scene.moved):
            if NAMES_OF_RINGS.search(text.plain):
                assert "optimum" in text.roles, f"{place + 1}, {step.title}: no colour"
        named |= roles
    assert named


def test_a_mark_that_cannot_be_seen_is_found():
    explorer = ROCExplorer(panels=["roc"], show_best=True, show_hull=False, threshold=0.5)
    best = explorer.result.optimum
    explorer.threshold = best.threshold
    explorer._on_stage()
    picture = explorer._panels["roc"].picture
    place = [mark.name for mark in picture.marks].index("ring")
    # around a handle at its place, a ring is seen; a smaller one lay under it
    assert distance(picture, picture["ring"], picture["point"]) < 1
    assert not is_covered(picture, place, picture["ring"])
    small = ring("ring", "optimum", [best.fpr], [best.tpr], size=260.0)
    assert is_covered(picture, place, small)
    roles = roles_on_stage(explorer)
    assert {"optimum", "selected"} <= roles
    assert not roles & {"hull", "positive", "negative"}
    explorer.close()


def test_words_have_the_colour_of_a_role():
    read = prose("Of [{result.k} *ill* ones]{positive} [the ring]{optimum}.", lambda text: "3")
    assert read.roles == ("positive", "optimum")
    assert '<b class="rocviz-positive">' in read.html
    assert "<em>" in read.html
    # other names are no roles, and add no markup
    unknown = prose('[x]{paper" onclick="y}')
    assert unknown.roles == ()
    assert "<b" not in unknown.html
