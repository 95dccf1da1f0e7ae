"""Samples of the ROC sandbox that are drawn by hand: from Python, and by the pencil."""

import pickle

import numpy as np
import pytest
import traitlets
from page import Page

from rocviz import ROCExplorer
from rocviz.widgets.roc.state import MAX_DRAWN


@pytest.fixture
def explorer():
    made = ROCExplorer(draw=True, drawn_positives=[0.8, 0.6], drawn_negatives=[0.5, 0.2, 0.1])
    yield made
    made.close()


def drawn(explorer):
    return list(explorer.drawn_positives), list(explorer.drawn_negatives)


def people(explorer):
    """Find the picture of people, and the dots of either class by their scores."""
    panel = explorer._panels["people"]
    panel.shown(explorer, explorer.result, explorer._theme)
    picture = panel.picture
    places = {}
    for name, scores in (
        ("positive", explorer.drawn_positives),
        ("negative", explorer.drawn_negatives),
    ):
        mark = picture[f"{name} people"]
        for score, x, y in zip(sorted(scores, reverse=True), mark.x, mark.y, strict=True):
            places[name, score] = (x, y)
    return panel, places, float(picture["ground"].y[0])


def test_what_is_drawn_is_the_data(explorer):
    frame = explorer.data.to_frame()
    assert frame["y_true"].tolist() == [1, 1, 0, 0, 0]
    assert frame["y_score"].tolist() == [0.8, 0.6, 0.5, 0.2, 0.1]
    assert explorer.result.segments.auc == 1.0
    assert explorer.about.startswith("drawn by hand · 2 positives, 3 negatives")
    explorer.add_sample(0.9, positive=False)
    assert explorer.result.segments.auc == 0.75
    assert explorer.title("pairs") == "8 pairs, 75 % in order"
    explorer.move_sample(0.9, 0.7, positive=False)
    assert explorer.result.segments.auc == 0.875
    explorer.remove_sample(0.7, positive=False)
    assert drawn(explorer) == ([0.8, 0.6], [0.5, 0.2, 0.1])


def test_what_is_drawn_says_what_it_is(explorer):
    n_pos, n_neg = len(explorer.drawn_positives), len(explorer.drawn_negatives)
    said = f"labels and scores of {n_pos} positives, {n_neg} negatives: see to_frame()"
    assert repr(explorer.data) == said
    segments = explorer.result.segments
    counted = ROCExplorer(segments, show_band=False)
    assert repr(counted.data) == f"counts of {n_pos + n_neg} samples by score"
    counted.close()


def test_what_was_drawn_can_be_put_back(explorer):
    explorer.add_sample(0.65, positive=False)
    again = ROCExplorer(*explorer.data)
    assert again.result.segments.auc == explorer.result.segments.auc
    assert again.data.to_frame().equals(explorer.data.to_frame())
    again.close()
    copied = pickle.loads(pickle.dumps(explorer))
    assert drawn(copied) == drawn(explorer)
    copied.close()
    names = {}
    exec(explorer.code(), names)
    assert names["segments"].auc == explorer.result.segments.auc


def test_data_give_labels_and_scores_of_all_models():
    y_true = [0, 1, 1]
    scores = {"one": [0.1, 0.2, 0.3], "other": [0.3, 0.2, 0.1]}
    explorer = ROCExplorer(y_true, scores, sample_weight=[1, 2, 3])
    labels, named = explorer.data
    assert list(labels) == y_true
    assert list(named) == ["one", "other"]
    assert list(explorer.data.to_frame()) == ["y_true", "one", "other", "sample_weight"]
    explorer.close()


def test_presets_and_reset_leave_the_drawing():
    explorer = ROCExplorer(n_samples=100)
    explorer.draw = True
    assert explorer.panels[0] == explorer.focus == "people"
    assert "pairs" in explorer.panels
    assert explorer.sentence.startswith("Press above the line to add a positive sample")
    rail = explorer._rail.shown()
    assert "hidden" in rail["control separation"]
    assert "hidden" in rail["control new_sample"]
    explorer.add_sample(0.5, positive=True)
    assert explorer.sentence.startswith("At threshold")
    explorer.preset = "random"
    assert not explorer.draw
    assert explorer.result.segments.n_samples == 500
    explorer.draw = True
    explorer.add_sample(0.5, positive=True)
    explorer.clear_drawing()
    assert drawn(explorer) == ([0.85, 0.7, 0.45], [0.6, 0.35, 0.2])
    explorer.reset()
    assert not explorer.draw
    assert explorer.n_samples == explorer.result.segments.n_samples == 100
    explorer.close()


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"drawn_positives": ()}, "drawn_positives must have at least one score"),
        ({"drawn_negatives": (0.5, 1.5)}, "drawn_negatives must be numbers from 0 to 1; got 1.5"),
        ({"drawn_negatives": (0.5,) * MAX_DRAWN}, f"at most {MAX_DRAWN} scores together"),
    ],
)
def test_what_cannot_be_drawn_is_refused(explorer, inputs, message):
    before = drawn(explorer)
    with pytest.raises(traitlets.TraitError, match=message):
        explorer.update(**inputs)
    assert drawn(explorer) == before
    with pytest.raises(ValueError, match=r"score must be one of drawn_positives; got 0\.1"):
        explorer.remove_sample(0.1, positive=True)


def test_a_page_without_python_does_not_show_the_switch():
    explorer = ROCExplorer(draw=True, show_band=False, panels=["people"])
    assert explorer.record(threshold=3).n_states == 3
    explorer._rail.recorded = {"threshold": (0, 3)}
    shown = explorer._rail.shown()
    assert shown["control draw"] == shown["control clear_drawing"] == {"hidden": True}
    explorer.close()


# ------------------------------------------------------------------ by hand


def test_a_press_adds_one_and_a_sweep_a_cloud(explorer):
    panel, _, ground = people(explorer)
    panel.on_event("", "press", x=0.403, y=ground + 0.3)
    panel.on_event("", "release", x=0.403, y=ground + 0.3)
    assert drawn(explorer) == ([0.8, 0.6, 0.4], [0.5, 0.2, 0.1])
    panel.on_event("", "press", x=0.7, y=ground - 0.35)
    for x in np.linspace(0.7, 0.9, 9):
        panel.on_event("", "sweep", x=float(x), y=ground - 0.35)
    panel.on_event("", "release", x=0.9, y=ground - 0.35)
    positives, negatives = drawn(explorer)
    assert positives == [0.8, 0.6, 0.4]
    cloud = negatives[3:]
    assert 7 <= len(cloud) <= 10
    assert all(0.55 <= score <= 1 for score in cloud)
    assert explorer.result.segments.n_samples == explorer.n_drawn
    # beside the scores are the cells, where nothing is drawn
    panel.on_event("", "press", x=1.3, y=ground + 0.2)
    assert drawn(explorer) == (positives, negatives)


def test_a_press_and_each_sweep_are_one_step_to_undo(explorer):
    *_, ground = people(explorer)
    page = Page(explorer)

    def sweep(start, end, side):
        y = ground + 0.35 * side
        for event, x in [
            ("press", start),
            *(("sweep", float(x)) for x in np.linspace(start, end, 9)[1:]),
            ("release", end),
        ]:
            page.send(picture="people", mark="", event=event, x=x, y=y)
        return drawn(explorer)

    before = drawn(explorer)
    one = sweep(0.4, 0.7, -1)
    assert len(one[1]) > len(before[1]) + 5
    # at once after the first, and on the same picture
    both = sweep(0.6, 0.9, 1)
    assert len(both[0]) > len(one[0]) + 5
    for expected in (one, before):
        page.send(tool="undo")
        assert drawn(explorer) == expected
    for expected in (one, both):
        page.send(tool="redo")
        assert drawn(explorer) == expected
    page.send(tool="undo")
    page.send(picture="people", mark="", event="press", x=0.05, y=ground + 0.35)
    page.send(picture="people", mark="", event="press", x=0.15, y=ground + 0.35)
    page.send(tool="undo")
    assert drawn(explorer)[0] == [*one[0], 0.05]


def test_a_drag_moves_one_and_out_of_the_picture_removes_it(explorer):
    panel, places, ground = people(explorer)
    x, y = places["negative", 0.5]
    panel.on_event("", "press", x=x, y=y)
    assert drawn(explorer) == ([0.8, 0.6], [0.5, 0.2, 0.1])
    panel.on_event("", "sweep", x=0.9, y=y)
    assert drawn(explorer) == ([0.8, 0.6], [0.2, 0.1, 0.9])
    # across the line it joins the other class
    panel.on_event("", "release", x=0.7, y=ground + 0.2)
    assert drawn(explorer) == ([0.8, 0.6, 0.7], [0.2, 0.1])
    for score in (0.2, 0.1):
        panel, places, ground = people(explorer)
        x, y = places["negative", score]
        panel.on_event("", "press", x=x, y=y)
        panel.on_event("", "sweep", x=1.2, y=y)
        if score == 0.2:
            panel.on_event("", "leave", x=1.9, y=-0.2)
            assert drawn(explorer) == ([0.8, 0.6, 0.7], [0.1])
        else:
            with pytest.raises(ValueError, match="The last of a class stays"):
                panel.on_event("", "release", x=1.2, y=y)
    assert drawn(explorer) == ([0.8, 0.6, 0.7], [0.1])


def test_nothing_is_drawn_unless_it_is_switched_on(explorer):
    explorer.draw = False
    panel = explorer._panels["people"]
    panel.shown(explorer, explorer.result, explorer._theme)
    before = explorer.result
    panel.on_event("", "press", x=0.4, y=0.9)
    assert explorer.result is before
    assert not explorer._on_stage()["panel people"]["drawn_on"]
