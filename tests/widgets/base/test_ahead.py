"""States sent ahead to a page far from the kernel: when, how many, and without side effects."""

import json
import zlib

import numpy as np
import pytest
from page import Page

import rocviz
from rocviz import (
    EnsembleExplorer,
    LexicographicExplorer,
    ROCExplorer,
    ScoringListExplorer,
)
from rocviz.widgets.base.controls import Linear, Values
from rocviz.widgets.base.recording import ahead
from rocviz.widgets.base.recording.recorder import message_of
from rocviz.widgets.base.stage import in_json

LABELS = np.array([0, 1, 0, 1, 1, 0, 0, 1])
SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.6, 0.7])


class Loop:
    """An event loop whose time passes when a test says so."""

    def __init__(self):
        self.waiting = []

    def call_soon_threadsafe(self, act, *arguments):
        act(*arguments)

    def call_later(self, _seconds, act, *arguments):
        timer = Timer(self, act, arguments)
        self.waiting.append(timer)
        return timer

    def turn(self):
        """Run the next callback."""
        timer = self.waiting.pop(0)
        timer.act(*timer.arguments)

    def run(self):
        """Run all callbacks."""
        while self.waiting:
            self.turn()


class Timer:
    def __init__(self, loop, act, arguments):
        self.loop = loop
        self.act = act
        self.arguments = arguments

    def cancel(self):
        if self in self.loop.waiting:
            self.loop.waiting.remove(self)


@pytest.fixture
def loop(monkeypatch):
    event_loop = Loop()
    monkeypatch.setattr(ahead.asyncio, "get_running_loop", lambda: event_loop)
    return event_loop


@pytest.fixture
def far(monkeypatch):
    """Make a ROC explorer with one picture, and record the messages of its rail."""
    explorer = ROCExplorer(LABELS, SCORES, panels=["roc"], threshold=0.4)
    sent = []

    def send(content, buffers=None):
        sent.append({**content, "buffers": buffers})

    monkeypatch.setattr(explorer, "send", send)
    monkeypatch.setattr(ahead, "MAX_VALUES", 15)
    monkeypatch.setattr(ahead, "NEIGHBOUR_STEPS", 2)
    # a slice that lasts no time is never too long, on whatever machine
    monkeypatch.setattr(ahead.Ahead, "clock", lambda _self: 0.0)
    yield explorer, sent
    explorer.close()


def shows(explorer, data, place):
    """Whether an explorer shows the recorded values of a place; hidden marks may have others."""
    shown = Page(explorer).shown
    (scene_,) = data["scenes"]
    for column, entry in zip(data["columns"], scene_["columns"], strict=True):
        kind, *of = column["name"].split(" ", 2)
        if kind == "mark" and of[1] not in shown[f"figure {of[0]}"]["order"]:
            continue
        index = entry if isinstance(entry, int) else entry[2][place]
        now = json.loads(json.dumps(in_json(shown[column["name"]])))
        assert now == column["values"][index], column["name"]
    return True


def recordings(sent):
    """Collect the contents of the recordings that were sent."""
    messages = [message for message in sent if "recording" in message]
    return [json.loads(zlib.decompress(message["buffers"][0])) for message in messages]


def test_near_pages_get_no_states_ahead(far, loop):
    explorer, sent = far
    Page(explorer).send(ping=True, serial="1")
    Page(explorer).send(control="threshold", position=700, serial="2")
    loop.run()
    assert [sorted(message) for message in sent] == [
        ["ack", "buffers", "took"],
        ["buffers", "inputs", "shown"],
        ["ack", "buffers", "took"],
    ]


def test_states_sent_ahead_equal_those_shown_later(far, loop):
    explorer, sent = far
    noticed = []
    explorer.observe(noticed.append)
    before = explorer.inputs()
    result = explorer.result
    Page(explorer).send(ahead="threshold", code=True)
    loop.run()
    assert (explorer.inputs(), noticed) == (before, [])
    assert explorer.result is result
    assert "as Ahead" in next(m["code"] for m in sent if "code" in m)
    (data,) = recordings(sent)
    explorer.unobserve(noticed.append)
    axis = data["scenes"][0]["axes"][0]
    columns = data["columns"]
    assert len(axis["positions"]) == axis["size"] == 20  # all over, and finely around what holds
    assert all(len(column["values"]) > 1 for column in columns)
    grid = explorer.controls()["threshold"].grid_of(explorer)
    for place in range(0, axis["size"], 4):
        Page(explorer).send(control="threshold", position=axis["positions"][place])
        assert explorer.threshold == grid.value(axis["positions"][place]) == axis["values"][place]
        assert shows(explorer, data, place)
    assert "mark roc point" in {column["name"] for column in columns}  # the page finds it there


def test_recording_stops_at_its_limits(far, loop, monkeypatch):
    explorer, sent = far
    monkeypatch.setattr(ahead, "MAX_VALUES", 41)
    clock = iter(np.arange(1000) * 0.1)
    monkeypatch.setattr(ahead.Ahead, "clock", lambda _self: next(clock))
    Page(explorer).send(ahead="threshold")
    loop.run()
    first, last = (data["scenes"][0]["axes"][0]["size"] for data in recordings(sent))
    assert (first, last) == (3, round(ahead.MAX_SECONDS / 0.1) + 1)
    # what is far apart is there, not one side of it
    values = recordings(sent)[-1]["scenes"][0]["axes"][0]["values"]
    assert values[0] < 0.2
    assert values[-1] > 0.8

    sent.clear()
    monkeypatch.setattr(ahead, "MAX_MESSAGE_BYTES", 4000)
    explorer.threshold = 0.9
    loop.run()
    monkeypatch.setattr(ahead.Ahead, "clock", lambda _self: 0.0)
    Page(explorer).send(ahead="cost_fn")
    loop.run()
    texts = [len(m["buffers"][0]) for m in sent if "recording" in m]
    assert texts
    assert max(texts) <= 4000

    sent.clear()
    slow = iter(np.arange(1000.0))
    monkeypatch.setattr(ahead.Ahead, "clock", lambda _self: next(slow))
    Page(explorer).send(ahead="reliability_by")
    loop.run()
    assert recordings(sent) == []


def test_recording_continues_after_a_drag(far, loop):
    explorer, sent = far
    page = Page(explorer)
    page.send(ahead="threshold")
    start = page.control("threshold")["position"]
    for _ in range(10):
        loop.turn()
    assert recordings(sent) == []
    page.move("threshold", position=start + 1, request="a1")
    assert len(loop.waiting) == 1  # it waits until the hand rests
    loop.run()
    (data,) = recordings(sent)
    positions = data["scenes"][0]["axes"][0]["positions"]
    assert len(positions) == 20
    assert {start - 2, start - 1, start, start + 1, start + 2} <= set(positions)
    assert start + 3 not in positions  # those around the place where it was begun
    page.move("threshold", position=970, request="a2")
    loop.run()
    assert len(recordings(sent)) == 2
    loop.run()
    assert len(recordings(sent)) == 2


CHANGES = {
    "another input": lambda explorer: explorer.update(cost_fn=5.0),
    "with the control": lambda explorer: explorer.update(threshold=0.9, cost_fn=5.0),
    "the pictures": lambda explorer: setattr(explorer, "panels", ("roc", "scores")),
    "the large one": lambda explorer: explorer.update(panels=("scores", "roc"), focus="scores"),
    "the theme": lambda _explorer: rocviz.set_theme(lecture=True),
    "the switch": lambda explorer: explorer.set_trait("ahead", False) or explorer.update(seed=3),
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_changes_drop_the_states_and_correct_the_page(far, loop, change):
    explorer, sent = far
    Page(explorer).send(ahead="threshold")
    loop.run()
    (data,) = recordings(sent)
    moved = {column["name"] for column in data["columns"]}
    sent.clear()
    Page(explorer).move(
        "threshold",
        position=data["scenes"][0]["axes"][0]["positions"][5],
        request="b",
    )
    (frame,) = [message for message in sent if "shown" in message]
    assert frame["of"] == "b"
    assert not frame["preview"]
    assert "dropped" not in frame
    assert moved <= frame["shown"].keys()
    sent.clear()
    CHANGES[change](explorer)
    frames = [message for message in sent if "shown" in message]
    assert frames[0]["dropped"]
    assert moved <= frames[0]["shown"].keys()
    assert all("dropped" not in frame for frame in frames[1:])
    loop.run()  # nothing is recorded for nobody: the page asks again
    assert len(recordings(sent)) == 0


def test_every_request_is_answered_by_a_whole_frame(far, loop):
    explorer, sent = far
    Page(explorer).send(ahead="threshold")
    loop.run()
    sent.clear()
    page = Page(explorer)
    now = page.control("threshold")["position"]
    Page(explorer).send(
        control="threshold", position=now, request="1"
    )  # held already: nothing changes
    Page(explorer).send(picture="roc", mark="point", event="drag_start", request="2")
    Page(explorer).send(control="threshold", typed="?", request="3")
    frames = [message for message in sent if "shown" in message]
    assert [frame["of"] for frame in frames] == ["1", "2", "3"]
    shown = {"control threshold", "sentence", "mark roc point"}
    assert all(shown <= frame["shown"].keys() for frame in frames)


def test_a_dragged_handle_stands_for_its_control(far, loop):
    explorer, sent = far
    (handle,) = Page(explorer).handles("roc")
    Page(explorer).send(ahead=f"roc {handle.name}")
    loop.run()
    assert [message["recording"] for message in sent if "recording" in message] == ["threshold"]


PRESSES = {
    "a tick box": (EnsembleExplorer, "members", {"key": 1, "value": False}),
    "an answer": (ScoringListExplorer, "case", {"key": 2, "value": "yes"}),
    "an order": (LexicographicExplorer, "attributes", {"key": 0, "value": "down"}),
    "a button": (ROCExplorer, "join_next", {}),
    "a click": (ROCExplorer, "corners", {"index": 2}),
}


@pytest.mark.parametrize("press", PRESSES)
def test_presses_are_sent_ahead_in_order(press, loop, monkeypatch):
    cls, name, content = PRESSES[press]
    own = {"y_true": LABELS, "y_score": SCORES, "reliability_by": "score"}
    explorer = cls(**own, panels=["roc", "scores"]) if cls is ROCExplorer else cls()
    sent = []
    frames = []

    def send(content, buffers=None):
        if "recording" in content:
            sent.append((content, buffers))
        elif "shown" in content:
            frames.append(content)

    page = Page(explorer)
    monkeypatch.setattr(explorer, "send", send)
    monkeypatch.setattr(ahead.Ahead, "clock", lambda _self: 0.0)
    if press == "a click":
        content = {"picture": "roc", "mark": name, "event": "click", **content}
        name = f"roc {name}"
    else:
        content = {"control": name, **content}
    before = explorer.inputs()
    page.send(ahead=name)
    loop.run()
    assert explorer.inputs() == before
    data = json.loads(zlib.decompress(sent[-1][1][0]))
    (axis,) = data["scenes"][0]["axes"]
    assert "positions" not in axis  # no handle is moved by presses
    place = axis["moves"][message_of(**content)][0]
    assert place > 0
    # what was recorded is what is shown once the kernel has done it
    page.send(**content, request="a1")
    assert explorer.inputs() != before
    assert shows(explorer, data, place)
    # the next press begins where this one has led
    count = len(sent)
    loop.run()
    again = json.loads(zlib.decompress(sent[-1][1][0]))
    assert len(sent) > count
    assert again["scenes"][0]["axes"][0]["size"] > 1
    # whatever else changes makes it worthless
    explorer.update(focus=explorer.panels[-1])
    assert frames[-1]["dropped"]
    explorer.close()


@pytest.mark.parametrize("what", ["no such control", "joined", "calibration"])
def test_controls_that_cannot_be_sent_ahead_are_skipped(far, loop, monkeypatch, what):
    explorer, sent = far
    if what == "calibration":  # a state whose computation fails in a way that nobody foresaw
        monkeypatch.setattr(ahead.RecordedStates, "step", lambda _self: 1 / 0)
    Page(explorer).send(ahead=what)
    loop.run()
    assert recordings(sent) == []
    sent.clear()
    explorer.threshold = 0.8
    (message,) = sent
    assert set(message) == {"buffers", "inputs", "of", "preview", "shown"}


def test_states_that_are_refused_are_left_out(far, loop, monkeypatch):
    explorer, sent = far
    page = Page(explorer)
    refused = page.control("threshold")["position"] + 1
    value_at = ahead.value_at

    def beyond_the_threshold_s_range(grid, position):
        return 7.0 if position == refused else value_at(grid, position)

    monkeypatch.setattr(ahead, "value_at", beyond_the_threshold_s_range)
    page.send(ahead="threshold")
    loop.run()
    (data,) = recordings(sent)
    positions = data["scenes"][0]["axes"][0]["positions"]
    assert len(positions) == 19
    assert refused not in positions


def test_sending_ahead_can_be_switched_off(far, loop):
    explorer, sent = far
    explorer.ahead = False
    Page(explorer).send(ahead="threshold", code=True)
    assert (loop.waiting, sent) == ([], [])


def test_sending_ahead_leaves_nothing_behind(no_model_left, loop):
    with no_model_left():
        explorer = ROCExplorer(LABELS, SCORES, panels=["roc"])
        Page(explorer).send(ahead="threshold")
        for _ in range(5):
            loop.turn()
        (begun,) = loop.waiting
        explorer.close()
        assert loop.waiting == []
        begun.act(*begun.arguments)  # another thread had begun it
        assert loop.waiting == []


@pytest.mark.parametrize(("size", "start"), [(1, 0), (2, 1), (101, 40), (119, 118)])
def test_states_are_ordered_outwards_from_the_present_value(size, start):
    order = ahead.order_of(size, start)
    assert sorted(order) == list(range(size))
    assert order[0] == start
    half = sorted(order[: size // 2])
    gaps = np.diff([0, *half, size - 1])
    assert size < 10 or gaps.max() <= 8


def test_handles_get_values_between_those_of_a_coarse_slider():
    ratios = Values((0.25, 0.5, 1.0))
    whole = Linear(1, 9, 1)
    places = ahead.positions_of(ratios, 1)
    values = [ahead.value_at(ratios, place) for place in places]
    assert len(places) == 101
    assert [values[0], values[50], values[100]] == [0.25, 0.5, 1.0]
    assert np.allclose(np.diff(np.log2(values)), 0.02)
    assert ahead.value_at(Linear(-1.0, 1.0, 1.0), 0.5) == -0.5
    assert ahead.positions_of(whole, 4) == list(range(9))
    assert len(ahead.positions_of(Linear(0.0, 1.0, 0.001), 500)) == 119


class FarPage:
    """What a page far from the kernel shows of an explorer, by the names of parts, in JSON."""

    def __init__(self, explorer, monkeypatch):
        self.explorer = explorer
        self.shown = {}
        self.recording = None
        self.errors = []
        monkeypatch.setattr(self.explorer, "send", self.send)
        monkeypatch.setattr(self.explorer, "_send_values", self.send_values)
        self.send_values(self.explorer._values)

    def send(self, content, buffers=None):
        if "recording" in content:
            self.recording = json.loads(zlib.decompress(buffers[0]))

    def send_values(self, keys, _inputs=(), **about):
        for key in keys:
            self.shown[key] = json.loads(json.dumps(in_json(self.explorer._values[key])))
        self.errors += [about["error"]] if "error" in about else []

    def play(self, place):
        """Show a recorded state, as the page does before the kernel answers."""
        (scene,) = self.recording["scenes"]
        for column, entry in zip(self.recording["columns"], scene["columns"], strict=True):
            index = entry if isinstance(entry, int) else entry[2][place]
            self.shown[column["name"]] = column["values"][index]

    def differences(self):
        """List the parts that the page shows otherwise than the explorer; marks that are drawn."""
        drawn = set()
        for key, figure in self.explorer._values.items():
            if key.startswith("figure "):
                for name in figure["order"]:
                    drawn.add(f"mark {key.partition(' ')[2]} {name}")
        return [
            key
            for key, value in self.explorer._values.items()
            if (key in drawn or not key.startswith("mark "))
            and self.shown[key] != json.loads(json.dumps(in_json(value)))
        ]


def gestures_of(explorer):
    """List an action on every control that can be used now."""
    actions = {}
    for name, control in explorer.controls().items():
        if name != "exact" and control.is_shown(explorer) and control.is_enabled(explorer):
            contents = [content for content, _ in control.gestures(explorer, name)]
            if contents:
                actions[name] = {"control": name, **contents[-1]}
    return actions


#: Explorers with few pairs of controls; the pairs of all others are tried with the slow tests.
WITH_FEW_PAIRS = ("FermiDiracExplorer", "LexicographicExplorer", "ScoringListExplorer")
EXPLORERS = [
    pytest.param(name, marks=() if name in WITH_FEW_PAIRS else pytest.mark.slow)
    for name in rocviz.__all__
    if name.endswith("Explorer")
]


@pytest.mark.parametrize("name", EXPLORERS)
def test_an_action_after_any_control_was_sent_ahead_is_not_lost(name, loop, monkeypatch):
    """The page shows the last recorded state of a control; then something else is moved."""
    monkeypatch.setattr(ahead, "MAX_VALUES", 7)
    monkeypatch.setattr(ahead, "NEIGHBOUR_STEPS", 1)
    monkeypatch.setattr(ahead.Ahead, "clock", lambda _self: 0.0)
    explorer = getattr(rocviz, name)()
    near = Page(explorer)
    page = FarPage(explorer, monkeypatch)
    actions = gestures_of(explorer)
    expected = {}
    for control, action in actions.items():
        near.send(**action)
        expected[control] = explorer.inputs()
        explorer.reset()
    recorded_count = 0
    for control in actions:
        page.recording = None
        near.send(ahead=control)
        loop.run()
        helper = explorer._ahead
        parts = set(explorer._sent_ahead)
        recorded = helper.sent
        if page.recording is None:  # nothing changes while it moves
            continue
        recorded_count += 1
        for other in [name for name in actions if name != control]:
            helper.control = control
            helper.phase = ahead.Phase.SENT
            helper.sent = helper.recorded = recorded
            explorer._sent_ahead = set(parts)
            page.play(page.recording["scenes"][0]["axes"][0]["size"] - 1)
            near.send(**actions[other], request="1")
            assert explorer.inputs() == expected[other], (control, other)
            assert page.differences() == [], (control, other)
            explorer.reset()
        loop.waiting.clear()
    assert recorded_count > 3
    assert page.errors == []
    explorer.close()
