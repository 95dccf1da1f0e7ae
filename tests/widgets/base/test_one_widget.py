"""An explorer is one anywidget, whose inputs are synced traits, and so is a story."""

from __future__ import annotations

import asyncio
import contextvars
import gzip
import json
import pickle
import sys
from types import SimpleNamespace

import anywidget
import comm
import ipywidgets
import pytest
import traitlets
from page import Page

import rocviz
from rocviz import ROCExplorer, Step, Story
from rocviz.stories import Gallery, StoryMaker
from rocviz.widgets.base import stage, widget
from rocviz.widgets.base.background import Background
from rocviz.widgets.base.recording.recorder import silent_copy
from rocviz.widgets.roc import ROCState

NAMES = [name for name in rocviz.__all__ if name.endswith("Explorer")]


def set_by_page(shown, **values):
    """Set synced traits as a host does when its page has set them."""
    data = {"method": "update", "state": values}
    shown.comm.handle_msg({"content": {"data": data}, "buffers": []})


@pytest.fixture
def explorer():
    opened = ROCExplorer(n_samples=60, show_band=False)
    yield opened
    opened.close()


@pytest.fixture
def sent(explorer, monkeypatch):
    """The messages that the explorer sends."""
    messages = []
    monkeypatch.setattr(
        ipywidgets.Widget, "_send", lambda _widget, message, buffers=None: messages.append(message)
    )
    return messages


# ---------------------------------------------------------------------- one widget


@pytest.mark.parametrize("name", NAMES)
def test_an_explorer_is_one_anywidget_of_its_own_class(name):
    kind = getattr(rocviz, name)
    explorer = kind()
    assert isinstance(explorer, anywidget.AnyWidget)
    assert type(explorer) is kind
    again = pickle.loads(pickle.dumps(explorer))
    assert type(again) is kind
    assert again.inputs() == explorer.inputs()
    again.close()
    explorer.close()


def test_a_story_the_gallery_and_the_maker_are_one_anywidget_each(explorer):
    maker = StoryMaker(explorer)
    gallery = Gallery()
    story = Story(ROCExplorer(n_samples=60, panels=["roc"]), [Step("One", "It says so.")])
    for one, kind in ((maker, StoryMaker), (gallery, Gallery), (story, Story)):
        assert isinstance(one, anywidget.AnyWidget)
        assert type(one) is kind
    # they name what they show, as anywidget's getWidget takes it
    assert maker._explorer == f"anywidget:{explorer.model_id}"
    assert story._explorers == [f"anywidget:{story.explorer.model_id}"]
    for one in (maker, gallery, story):
        one.close()


def test_a_widget_is_complete_when_a_host_is_told_of_it(monkeypatch):
    states = []

    def read(opened):
        if isinstance(opened, anywidget.AnyWidget):
            states.append(opened.get_state())

    monkeypatch.setattr(ipywidgets.Widget, "_widget_construction_callback", read)
    story = Story(ROCExplorer(n_samples=60, panels=["roc"]), [Step("One", "It says so.")])
    of_explorer, of_story = states
    assert of_explorer["threshold"] == 0.5
    assert {"sentence", "control threshold", "figure roc"} <= of_explorer["_shown"].keys()
    assert of_explorer["_esm"] == widget.script("stage.js")
    assert of_story["_explorers"] == [of_story["_explorer"]]
    assert of_story["_own_id"] == story.model_id
    story.close()


def test_copies_are_never_opened(explorer, monkeypatch):
    monkeypatch.setattr(comm, "create_comm", lambda **_message: pytest.fail("a comm was opened"))
    monkeypatch.setattr(
        ipywidgets.Widget, "_widget_construction_callback", lambda _: pytest.fail("it was built")
    )
    with silent_copy(explorer) as copied:
        copied.threshold = 0.3
        assert copied._snapshot().compute() is not None
    monkeypatch.undo()


# ---------------------------------------------------------------------- inputs


def test_a_step_is_one_message_with_the_inputs_that_changed(explorer, sent):
    explorer.threshold = 0.3
    (message,) = sent
    assert message["method"] == "custom"
    assert message["content"]["inputs"] == {"threshold": 0.3}
    assert "control threshold" in message["content"]["shown"]
    sent.clear()
    explorer.update(panels=("scores", "roc"), cost_fn=2.0)
    (message,) = sent
    assert message["content"]["inputs"] == {
        "panels": ("scores", "roc"),
        "cost_fn": 2.0,
        "focus": "scores",
    }


def test_what_the_page_sets_is_set_and_not_sent_back(explorer, sent):
    set_by_page(explorer, threshold=0.3, panels=["roc", "scores"])
    assert (explorer.threshold, explorer.panels) == (0.3, ("roc", "scores"))
    (message,) = sent
    assert not {"threshold", "panels"} & message["content"].get("inputs", {}).keys()
    assert Page(explorer).large_pictures() == ["roc", "scores"]


def test_what_the_page_sets_is_refused_in_words_and_put_back(explorer, sent):
    before = explorer.inputs()
    set_by_page(explorer, threshold="much")
    assert explorer.inputs() == before
    assert "threshold" in Page(explorer).drawer
    told = {}
    for message in sent:
        told |= message["content"].get("inputs", {})
    assert told == {"threshold": before["threshold"]}


@pytest.mark.parametrize("name", NAMES)
def test_inputs_go_through_json_and_back(name):
    explorer = getattr(rocviz, name)()
    if name == "FermiDiracExplorer":
        explorer.temperature = float("inf")
    before = explorer.inputs(), explorer.view()
    names = [*explorer.input_names(), "panels", "unfolded"]
    state = json.loads(json.dumps(explorer.get_state(names), allow_nan=False))
    set_by_page(explorer, **state)
    assert (explorer.inputs(), explorer.view()) == before
    assert set(names) <= set(explorer.keys)
    explorer.close()


def test_other_widgets_can_be_linked_to_an_input(explorer):
    slider = ipywidgets.FloatSlider(0.5, min=0, max=1, step=0.01)
    ipywidgets.jslink((explorer, "threshold"), (slider, "value")).close()  # it takes synced traits
    counts = []
    ipywidgets.link((slider, "value"), (explorer, "threshold"))
    shown = ipywidgets.interactive_output(
        lambda threshold: counts.append((threshold, explorer.result.table.threshold)),
        {"threshold": slider},
    )
    slider.value = 0.3
    explorer.threshold = 0.7
    assert [given for given, _ in counts] == [0.5, 0.3, 0.7]
    assert [shown for _, shown in counts] == [0.5, 0.3, 0.7]
    for one in (shown, slider):
        one.close()


# ---------------------------------------------------------------------- observers


def told(state, names):
    """Note what an observer of inputs reads: the input's name, and the threshold of the result."""
    seen = []
    state.observe(lambda change: seen.append((change["name"], state.result.table.threshold)), names)
    return seen


def test_an_observer_of_an_input_sees_its_result():
    state = ROCState(n_samples=60, show_band=False)
    seen = told(state, ["threshold", "cost_fn"])
    state.threshold = 0.3
    assert seen == [("threshold", 0.3)]
    state.update(cost_fn=2.0, threshold=0.7)
    assert sorted(seen[1:]) == [("cost_fn", 0.7), ("threshold", 0.7)]
    with state.batch():
        state.threshold = 0.1
        state.threshold = 0.2
        assert len(seen) == 3
    assert seen[3:] == [("threshold", 0.2)]


def test_an_observer_sees_the_result_of_inputs_that_others_have_adjusted():
    state = ROCState(n_samples=60, show_band=False, threshold=0.3)
    seen = told(state, ["threshold", "separation"])
    state.preset = list(state.presets)[-1]
    assert seen
    assert {threshold for _name, threshold in seen} == {state.threshold}


def test_nobody_is_told_of_a_change_that_was_put_back():
    state = ROCState(n_samples=60, show_band=False)
    seen = told(state, traitlets.All)
    with pytest.raises(traitlets.TraitError):
        state.update(threshold=0.3, cost_fn=-1.0)
    with state.batch():
        state.threshold = 0.3
        state.threshold = 0.5
    assert seen == []


# ---------------------------------------------------------------------- what draws


def test_a_page_that_cannot_draw_is_sent_the_installed_scripts(explorer, monkeypatch):
    answers = []
    monkeypatch.setattr(
        explorer, "send", lambda content, buffers=(): answers.append((content, buffers))
    )
    Page(explorer).send(scripts=True)
    ((content, packed),) = answers
    assert content == {"scripts": True}
    texts = [gzip.decompress(part).decode("utf-8") for part in packed]
    for text, name in zip(texts, ("WidgetModel", "LinearScaleModel", "FigureModel"), strict=True):
        assert "define(" in text
        assert name in text


def test_in_marimo_the_scripts_come_with_the_stage(monkeypatch):
    monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace(running_in_notebook=lambda: True))
    explorer = ROCExplorer(n_samples=60, panels=["roc"])
    first, _, alone = explorer._esm.partition(";\n")
    assert alone == widget.script("stage.js")
    assert len(json.loads(first.partition(" = ")[2])) == 3
    assert explorer._esm is stage.stage_script(with_drawing=True)
    explorer.close()


# ---------------------------------------------------------------------- hosts with turns


def test_work_in_a_thread_reports_in_the_session_that_began_it():
    session = contextvars.ContextVar("session", default="")
    seen = []

    async def work():
        session.set("mine")
        task = Background(
            "work", lambda _progress, _stop: 1, lambda _: seen.append(session.get()), print, list
        )
        task.start()
        task.wait()
        while not seen:
            await asyncio.sleep(0)

    asyncio.run(work())
    assert seen == ["mine"]


#: What is sent to a page, perhaps by a timer or a thread.
MESSAGES = {
    "values": lambda explorer: setattr(explorer, "threshold", 0.3),
    "states sent ahead": lambda explorer: explorer._send_states("threshold", [], b"states"),
    "a synced trait": lambda explorer: setattr(explorer, "_theme_classes", ["rocviz-dark"]),
}


@pytest.mark.parametrize("send", MESSAGES.values(), ids=MESSAGES)
def test_a_shiny_app_is_flushed_after_a_message(explorer, monkeypatch, send):
    flushed = []

    async def flush():
        flushed.append(lock.locked())
        told.set()

    told = asyncio.Event()
    lock = asyncio.Lock()
    reactive = SimpleNamespace(lock=lambda: lock, flush=flush)
    monkeypatch.setitem(sys.modules, "shiny", SimpleNamespace(reactive=reactive))

    async def move():
        send(explorer)
        assert flushed == []
        await asyncio.wait_for(told.wait(), 60)

    asyncio.run(move())
    assert flushed == [True]
