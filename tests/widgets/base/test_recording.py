"""Recordings: their contents, their pages, and that they leave the explorer unchanged."""

import asyncio
import base64
import html
import json
import re
import zlib
from itertools import product

import numpy as np
import pytest
from page import Page

from rocviz import (
    DecisionExplorer,
    EnsembleExplorer,
    FermiDiracExplorer,
    GroupsExplorer,
    LexicographicExplorer,
    MulticlassExplorer,
    RankingLossExplorer,
    ROCExplorer,
    ScoringListExplorer,
)
from rocviz.pictures import Handle
from rocviz.widgets.base.recording import recording as pages
from rocviz.widgets.base.recording.recorder import MAX_STATES, silent_copy

EXPLORERS = (
    ROCExplorer,
    FermiDiracExplorer,
    EnsembleExplorer,
    ScoringListExplorer,
    DecisionExplorer,
    LexicographicExplorer,
    RankingLossExplorer,
    GroupsExplorer,
    MulticlassExplorer,
)
LABELS = np.array([0, 1, 0, 1, 1, 0, 0, 1])
SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.6, 0.7])
#: A name that would end a script and open another one, or a comment, were it not escaped.
HOSTILE_TEXT = "</script><!--<script>document.title='hurt'</script>\u2028\u2029]]>\\"


def unpacked(recording):
    """Read the data of a recording of one explorer."""
    data = json.loads(zlib.decompress(recording.packed))
    (part,) = data["parts"].values()
    return part


def played(data, name, place, *, scene=0):
    """Get the values that the player shows for a part of the stage in a state."""
    for column, entry in zip(data["columns"], data["scenes"][scene]["columns"], strict=True):
        if column["name"] == name:
            if not isinstance(entry, int):
                axes, shape, places = entry
                entry = places[np.ravel_multi_index([place[axis] for axis in axes], shape)]
            return column["values"][entry]
    return data["shown"][name]


def test_every_state_of_a_grid_is_what_the_explorer_shows(no_model_left):
    with no_model_left():
        explorer = ROCExplorer(LABELS, SCORES, panels=["roc", "scores", "brier"], threshold=0.4)
        recording = explorer.record(threshold=[0.2, 0.4, 0.7], cost_fn=[1.0, 5.0])
        data = unpacked(recording)
        scene = data["scenes"][0]
        assert recording.n_states == 3 * 2 * 3
        assert scene["start"] == [1, 0, 0]
        page = Page(explorer)
        for i, threshold in enumerate((0.2, 0.4, 0.7)):
            for k, cost_fn in enumerate((1.0, 5.0)):
                explorer.update(threshold=threshold, cost_fn=cost_fn)
                assert explorer.sentences[0].html in played(data, "sentence", (i, k, 0))
                for tool in ("notes", "code", "table"):
                    page.press(tool)
                    assert played(data, f"drawer {tool}", (i, k, 0)) == page.drawer
        explorer.close()


def test_each_handle_is_dragged_along_the_axis_of_its_own_control():
    explorer = ROCExplorer(LABELS, SCORES, panels=["roc", "scores"], refer=True)
    recording = explorer.record(cost_fn=[1.0, 2.0], lower_threshold=[0.2], upper_threshold=[0.5])
    drags = unpacked(recording)["scenes"][0]["drags"]
    explorer.close()
    assert drags == {
        "mark roc point": [],  # the single threshold is not recorded
        "mark scores threshold": [],
        "mark roc lower": [1],
        "mark roc upper": [2],
        "mark scores lower": [1],
        "mark scores upper": [2],
    }


def test_a_handle_on_a_plane_is_recorded_in_both_of_its_ways():
    explorer = MulticlassExplorer(n_samples=60)
    data = unpacked(explorer.record(point=9))
    (scene,) = data["scenes"]
    assert [axis["size"] for axis in scene["axes"]] == [9, 3]
    assert scene["drags"] == {"mark triangle point": [0, 1]}
    places = set()
    for first, second in product(range(9), range(3)):
        mark = played(data, "mark triangle point", (first, second, 0))
        places.add((mark["x"]["data"], mark["y"]["data"]))
    assert len(places) == 27
    # in the middle, and at each height one to the left and one to the right
    assert len({x for x, _ in places}) == 2 * 9 + 1
    # where a line is all that there is, there is no other way
    explorer.one_vs_rest = "A"
    assert explorer.record(point=9).n_states == 9 * len(explorer.panels)
    explorer.close()


@pytest.mark.parametrize(
    ("kind", "inputs", "controls", "drags"),
    [
        (
            EnsembleExplorer,
            {"panels": ["samples", "votes"]},
            {"correlation": 3},
            {"samples alike": [0], "votes alike": [0]},
        ),
        (
            RankingLossExplorer,
            {"panels": ["links"], "n_samples": 60},
            {"a": 2, "wipe": 3},
            {"links floor": [0], "links wipe": [1]},
        ),
    ],
)
def test_the_handles_of_a_picture_are_recorded_where_their_controls_are(
    kind, inputs, controls, drags
):
    explorer = kind(**inputs)
    data = unpacked(explorer.record(**controls))
    explorer.close()
    (scene,) = data["scenes"]
    places = dict(zip((one["name"] for one in data["columns"]), scene["columns"], strict=True))
    counts = list(controls.values())
    for name, axes in drags.items():
        assert scene["drags"][f"mark {name}"] == axes
        on, shape, which = places[f"mark {name}"]
        (axis,) = axes
        # it stands at another place for each value of its control
        assert axis in on
        assert shape[on.index(axis)] == counts[axis]
        assert len(set(which)) >= counts[axis]


@pytest.mark.parametrize("kind", EXPLORERS)
def test_a_page_records_what_the_handle_of_its_large_picture_moves(kind):
    explorer = kind()
    marks = explorer._panels[explorer.focus].picture.marks
    handles = [mark for mark in marks if isinstance(mark, Handle) and mark.is_shown]
    main = max(handles, key=lambda mark: mark.scale)
    name = f"mark {explorer.focus} {main.name}"
    few = dict.fromkeys(explorer.controls_of_page(), 3)
    data = unpacked(explorer.record(**few))
    explorer.close()
    (scene,) = data["scenes"]
    places = dict(zip((one["name"] for one in data["columns"]), scene["columns"], strict=True))
    # a handle of its own control has an axis for it; another one follows what is recorded
    assert scene["drags"].get(name) != []
    on, shape, which = places[name]
    assert len(set(which)) >= max(shape[on.index(axis)] for axis in scene["drags"].get(name, on))


def test_leaves_beyond_a_shorter_tree_are_recorded_as_all_of_them():
    explorer = LexicographicExplorer(panels=["tree"])
    data = unpacked(explorer.record(order=[(0, 1, 2), (0,)], leaves=[0, 3, 8]))
    explorer.close()
    texts = [played(data, "control leaves", (1, k, 0))["text"] for k in range(3)]
    assert texts == ["0", "2", "2"]
    texts = [played(data, "control leaves", (0, k, 0))["text"] for k in range(3)]
    assert texts == ["0", "3", "8"]


def test_recordings_store_changes_once():
    explorer = ROCExplorer(LABELS, SCORES, panels=["roc"])
    data = unpacked(explorer.record(threshold=[0.3, 0.5, 0.82, 0.85]))
    columns = data["columns"]
    assert all(len({json.dumps(v) for v in c["values"]}) == len(c["values"]) for c in columns)
    assert len(columns) < 30
    # 0.82 and 0.85 hold the same point: the handle is there once
    assert explorer.record(threshold=2).n_states == 2
    (point,) = [c for c in columns if c["name"] == "mark roc point"]
    assert len({(value["x"]["data"], value["y"]["data"]) for value in point["values"]}) < 4
    explorer.close()


def test_recording_does_not_change_the_explorer():
    explorer = FermiDiracExplorer(temperature=0.3, focus="roc")
    changes = []
    explorer.observe(changes.append)
    before = explorer.inputs()
    result = explorer.result

    def breaks(states):
        yield next(iter(states))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explorer.record(temperature=5, progress=breaks)
    explorer.record(temperature=2)
    assert (explorer.inputs(), explorer.focus) == (before, "roc")
    assert explorer.result is result
    assert changes == []
    explorer.close()


@pytest.mark.parametrize(
    ("controls", "words"),
    [
        ({"treshold": ...}, "treshold is not a control to record; choose among .*threshold"),
        ({"panels": ...}, "panels is not a control to record"),
        ({"threshold": 1}, "threshold must be recorded at 2 values or more; got 1"),
        (
            {"threshold": "all"},
            "threshold must be ..., a number of values or a list of values; got 'all'",
        ),
        ({"threshold": []}, "threshold has no values"),
        ({"threshold": [7.0]}, r"threshold=7\.0 cannot be recorded: threshold must be from"),
        ({"threshold": 1000, "cost_fn": 41}, f"at most {MAX_STATES:,} can be"),
    ],
)
def test_unsuitable_controls_are_refused_by_name(controls, words):
    explorer = ROCExplorer(LABELS, SCORES, panels=["roc"])
    with pytest.raises(ValueError, match=words):
        explorer.record(**controls)
    explorer.close()


def test_controls_that_are_not_recorded_say_so():
    explorer = ROCExplorer(LABELS, SCORES, panels=["roc", "scores"])
    data = unpacked(explorer.record(threshold=3, show_hull=...))
    assert data["shown"]["note"].startswith("Grey controls are not recorded")
    start = data["scenes"][0]["start"]
    values = {name: played(data, f"control {name}", start) for name in explorer.controls()}
    kept = {name for name, value in values.items() if not value.get("unrecorded")}
    shown = {name for name, value in values.items() if not value.get("hidden")}
    assert kept & shown == {"threshold", "show_hull"}
    assert values["threshold"]["steps"] == 2
    assert values["metric"]["disabled"]
    # the handles move with the threshold, and with another input they do not
    handles = {"mark roc point", "mark scores threshold"}
    assert handles <= {column["name"] for column in data["columns"]}
    assert handles <= unpacked(explorer.record(metric=...))["shown"].keys()
    assert not Page(explorer).control("metric").get("disabled")
    explorer.close()


@pytest.mark.parametrize(
    ("kind", "control", "fold"),
    [
        (EnsembleExplorer, "auc_low", "other data"),
        (EnsembleExplorer, "method", "combine by"),
        (ROCExplorer, "threshold", ""),
        (LexicographicExplorer, "order", ""),
    ],
)
def test_a_page_opens_with_its_control_visible(kind, control, fold):
    explorer = kind()
    data = unpacked(explorer.record(**{control: 3}))
    assert played(data, "stage", (0, 0))["opened"] == fold
    explorer.close()


def test_answers_lead_from_state_to_state():
    explorer = ScoringListExplorer(preset="worked example", panels=["list"])
    answers = [(None,) * 4, (1, None, None, None), (0, None, None, None), (1, 1, None, None)]
    data = unpacked(explorer.record(answers=answers))
    moves = data["scenes"][0]["axes"][0]["moves"]
    assert moves['{"control":"case","key":0,"value":"yes"}'] == [1, 1, 1, 3]
    assert moves['{"control":"case","key":1,"value":"yes"}'] == [-1, 3, -1, 3]
    assert moves['{"control":"clear_case"}'] == [0, 0, 0, 0]
    assert not any("points" in message for message in moves)
    # without values: those that the buttons lead to, those of whose turn it is first
    axis = unpacked(explorer.record(answers=31))["scenes"][0]["axes"][0]
    assert axis["size"] == 31
    index = 0
    for key in range(4):
        index = axis["moves"][f'{{"control":"case","key":{key},"value":"no"}}'][index]
        assert index > 0
    assert axis["moves"]['{"control":"clear_case"}'][index] == 0
    explorer.close()


def test_a_recorded_token_stands_in_each_recorded_cell():
    explorer = ScoringListExplorer(panels=["list"])
    data = unpacked(explorer.record(answers=63))
    names = [column["name"] for column in data["columns"]]
    values = data["columns"][names.index("mark list token")]["values"]
    assert len(values) > 10
    explorer.close()


def test_clicks_lead_to_recorded_states():
    explorer = ROCExplorer(LABELS, SCORES, panels=["roc", "scores"], reliability_by="score")
    data = unpacked(explorer.record(joined=9))
    axis = data["scenes"][0]["axes"][0]
    corners = Page(explorer).marks("roc")["corners"]
    clicks = {json.loads(m)["index"]: to[0] for m, to in axis["moves"].items() if "corners" in m}
    assert axis["size"] == 9
    assert sorted(clicks) == list(range(corners.x.size))
    assert len(set(clicks.values()) - {-1}) == corners.x.size > 3
    assert explorer.joined == ()
    explorer.close()


@pytest.mark.parametrize("name", ["joined", "calibration"])
def test_clicks_are_those_of_the_picture_at_each_value(name):
    explorer = ROCExplorer(
        LABELS, SCORES, panels=["roc", "reliability"], reliability_by="score", show_band=False
    )
    assert explorer.record(**{name: 4}).n_states >= 4
    explorer.close()


def test_a_press_that_sets_two_inputs_moves_both():
    explorer = LexicographicExplorer(preset="twenty instances", panels=["tree"])
    recording = explorer.record(order=24, preferred=4)
    data = unpacked(recording)
    order, preferred = data["scenes"][0]["axes"]
    assert recording.n_states == order["size"] * 4
    message = '{"control":"rankers","key":0,"value":"try"}'
    explorer.select_ranker(explorer.result.rankers[0])
    place = [axis["moves"][message][0] for axis in (order, preferred)]
    assert explorer.sentences[0].html in played(data, "sentence", place)
    # it looks at one ranker at a time, whatever else was recorded before
    (shown,) = [c["values"] for c in data["columns"] if c["name"] == "control rankers"]
    notes = {value["note"] for value in shown}
    assert notes == {"0 of 8 tried.", "1 of 8 tried, none convex."}
    explorer.close()


def test_slow_results_are_recorded_exactly_where_an_event_loop_runs(monkeypatch):
    explorer = DecisionExplorer(panels=["outcomes"])
    previews = []
    shown = DecisionExplorer._on_stage

    def on_stage(self):
        previews.append(self.is_preview)
        return shown(self)

    monkeypatch.setattr(DecisionExplorer, "_on_stage", on_stage)
    for name in ("takes_long", "needs_preview"):
        monkeypatch.setattr(DecisionExplorer, name, lambda _self, _changed: True)

    async def record():  # as in a notebook
        return explorer.record(metric=["f1", "accuracy"])

    asyncio.run(record())
    assert previews
    assert not any(previews)
    explorer.close()


def test_results_of_a_long_experiment_are_recorded():
    crowd = EnsembleExplorer(n_classifiers=3, n_samples=60, panels=["crowd"])
    crowd.n_resamples = 2
    crowd.show_comparison(crowd.compare_crowds(None, None))
    experiment = crowd.result.experiment
    with silent_copy(crowd) as twin:
        assert twin.result.experiment is experiment is not None
    crowd.close()


def test_code_on_a_page_asks_for_the_reader_s_data():
    y_true = np.tile(LABELS, 40)
    scores = np.tile(SCORES, 40)
    explorer = ROCExplorer(y_true, scores, panels=["roc"])
    assert "data_of" in explorer.code()
    data = unpacked(explorer.record(threshold=[0.5, 0.6]))
    code = html.unescape(re.sub("<[^>]*>", "", played(data, "drawer code", (0, 0))))
    assert "give yours: y_true, y_score" in code
    names = {"y_true": y_true, "y_score": scores}
    exec(code, names)
    assert "data_of" not in names
    explorer.close()


def test_inputs_and_view_go_together():
    # the pictures were once drawn in the middle of an update, of old results and new inputs
    explorer = LexicographicExplorer()
    last = explorer.preset_names[-1]
    explorer.update(preset=last, focus="roc")
    assert (explorer.preset, explorer.focus) == (last, "roc")
    assert Page(explorer).large_pictures() == ["roc"]
    explorer.reset()
    assert Page(explorer).large_pictures() == ["tree"]
    explorer.close()


def test_a_page_is_one_file_or_stands_beside_its_scripts(tmp_path):
    explorer = ROCExplorer(LABELS, {HOSTILE_TEXT: SCORES, "other": -SCORES}, model=HOSTILE_TEXT)
    recording = explorer.record(threshold=2)
    whole_page = explorer.to_html(tmp_path / "one.html", live=recording).read_text("utf-8")
    more = explorer.to_html(tmp_path / "more.html", live={"threshold": 2}, scripts="js")
    beside = more.read_text("utf-8")
    assert len(beside) < len(whole_page) / 5
    assert {p.name for p in (tmp_path / "js").iterdir()} == set(pages.all_scripts())
    for text in (whole_page, beside):
        assert HOSTILE_TEXT not in text
        assert "<!--" not in text
        assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    assert beside.count("</script>") == beside.count("<script")
    assert whole_page.count("</script>") == 1 + len(pages.all_scripts())
    packed = re.search(r'<script id="recording"[^>]*>([^<]*)<', whole_page)[1]
    assert base64.b64decode(packed) == recording.packed
    explorer.close()


def test_invalid_paths_are_refused(tmp_path):
    explorer = ROCExplorer(LABELS, SCORES, panels=["roc"])
    with pytest.raises(ValueError, match=r"path must end in \.html"):
        explorer.to_html(tmp_path / "page.txt", live="threshold")
    recording = explorer.record(threshold=2)
    for folder in ("/etc", "a b", "", "..", "a/../../b", "../a", 3):
        with pytest.raises(ValueError, match="scripts must name a folder beside the page"):
            recording.to_html(tmp_path / "page.html", scripts=folder)
    explorer.close()


def test_scripts_of_other_packages_match_their_table():
    folder = pages.HERE / "scripts"
    rows = [line.split("\t") for line in (folder / "versions.tsv").read_text().splitlines()[1:]]
    assert {row[0] for row in rows} == {p.stem for p in folder.glob("*.gz")}
    assert pages.framework_script().startswith('define("@jupyter-widgets/base"')
    assert "MIT" in (folder / "LICENSES.txt").read_text("utf-8")


def test_a_package_without_its_script_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(pages.sys, "prefix", str(tmp_path))
    monkeypatch.setattr(pages.metadata, "files", lambda _package: None)
    with pytest.raises(FileNotFoundError, match="bqplot was installed without"):
        pages.installed_script("bqplot")
