"""Properties of all explorers."""

from __future__ import annotations

import asyncio
import html
import inspect
import itertools
import re
from contextlib import closing
from html.parser import HTMLParser
from io import BytesIO

import comm
import ipywidgets
import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import traitlets
from matplotlib.text import Text
from page import Page
from sklearn.linear_model import LogisticRegression

import rocviz
from rocviz.pictures import Dots, Handle, Knobs, Line, People, Words
from rocviz.widgets.base.recording.ahead import without_unseen
from rocviz.widgets.base.recording.recorder import silent_copy

NAMES = (
    "ROCExplorer",
    "FermiDiracExplorer",
    "EnsembleExplorer",
    "ScoringListExplorer",
    "DecisionExplorer",
    "LexicographicExplorer",
    "RankingLossExplorer",
    "GroupsExplorer",
    "MulticlassExplorer",
)
#: Two lines at the width that JupyterLab leaves on a laptop.
MAX_SENTENCE_LENGTH = 175


def class_of(name):
    return getattr(rocviz, name)


def state_of(name):
    """Find the class of the explorer's state, which has no front end."""
    return class_of(name).__bases__[0]


def same(first, second):
    """Whether two sets of inputs are equal."""
    return first.keys() == second.keys() and all(
        np.array_equal(np.asarray(first[k], dtype=object), np.asarray(second[k], dtype=object))
        for k in first
    )


@pytest.fixture(scope="module", params=NAMES)
def explorer(request):
    opened = class_of(request.param)()
    yield opened
    opened.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_does_not_depend_on_earlier_states(name):
    state = state_of(name)()
    state.compute = object  # the rules of the inputs alone are tested here
    expected = {}
    for target in state.presets:
        state.preset = target
        expected[target] = state.inputs()
    for start, target in itertools.permutations(state.presets, 2):
        state.preset = start
        state.preset = target
        assert same(state.inputs(), expected[target]), (start, target)


def messages_of(explorer):
    """Collect all messages to the page of an explorer when it opens, with arrays as bytes."""
    return explorer.get_state("_shown")["_shown"]


def with_numbers(values, buffers):
    """Insert the buffers of a message at their places."""
    for value in values.values():
        for field in value.values() if isinstance(value, dict) and "kind" in value else ():
            if isinstance(field, dict) and "shape" in field:
                field["data"] = buffers[field["data"]]
    return values


def test_a_step_is_one_message_with_all_that_changed(explorer, monkeypatch):
    sent = []
    monkeypatch.setattr(
        ipywidgets.Widget, "_send", lambda w, m, buffers=None: sent.append((w, m, buffers))
    )
    shown = messages_of(explorer)
    explorer.preset = list(explorer.presets)[-1]
    ((widget, message, buffers),) = sent
    assert widget is explorer
    changed = with_numbers(message["content"]["shown"], buffers)
    assert all(shown.get(name) != value for name, value in changed.items())
    assert shown | changed == messages_of(explorer)
    monkeypatch.undo()
    explorer.reset()


MODELS = {"one": [0.1, 0.4, 0.35, 0.8], "other": [0.3, 0.2, 0.6, 0.7]}


@pytest.mark.parametrize("data", [(), ([0, 0, 1, 1], MODELS)], ids=["sandbox", "two models"])
def test_opening_takes_few_messages_without_hidden_pictures(monkeypatch, data):
    opened = []
    sent = []
    create = comm.create_comm

    def watched(**message):
        # a model that holds others comes after them
        children = re.findall("IPY_MODEL_([0-9a-f]+)", repr(message["data"]["state"]))
        assert set(children) <= {connection.comm_id for connection in opened}
        opened.append(create(**message))
        return opened[-1]

    monkeypatch.setattr(comm, "create_comm", watched)

    def note(widget, message, buffers=None):
        if widget.comm is not None:
            sent.append((widget, message))

    monkeypatch.setattr(ipywidgets.Widget, "_send", note)
    explorer = rocviz.ROCExplorer(*data)
    # itself and its layout
    assert len({connection.comm_id for connection in opened}) == len(opened) == 2
    assert sent == []
    assert messages_of(explorer)["panel space"] is None
    assert "figure space" not in messages_of(explorer)
    explorer.panels = ("roc", "space")
    assert len(opened) == 2
    ((widget, message),) = sent
    assert widget is explorer
    assert {"panel space", "figure space"} <= set(message["content"]["shown"])
    explorer.close()


@pytest.mark.parametrize(
    ("name", "panel"), [("FermiDiracExplorer", "coldness"), ("RankingLossExplorer", "links")]
)
def test_the_hint_beside_a_handle_covers_no_mark(name, panel):
    explorer = class_of(name)(panels=[panel])
    page = Page(explorer)
    for preset in explorer.presets:
        explorer.preset = preset
        low, high = page.limits(explorer.focus)
        span = high - low
        handle = next(h for h in page.handles(explorer.focus) if h.is_hinted)
        if not handle.hint:  # it stands outside, at an edge
            assert handle.arrow
            continue
        word = (np.array(handle.hint) - low) / span
        away = word - (np.array([handle.x[0], handle.y[0]]) - low) / span
        assert np.hypot(*away) < 0.3, preset
        for mark in page.marks(explorer.focus).values():
            if mark is handle or not isinstance(mark, Line | Dots):
                continue
            rows = mark.rows if isinstance(mark, Line) else [np.column_stack((mark.x, mark.y))]
            for row in rows:
                places = np.arange(len(row))
                along = places
                if isinstance(mark, Line):
                    along = np.linspace(0, len(row) - 1, 20 * len(row))
                points = [np.interp(along, places, ends) for ends in row.T]
                gap = np.abs((np.column_stack(points) - low) / span - word)
                assert not ((gap < (0.05, 0.01)).all(axis=1)).any(), (preset, mark)
    explorer.close()


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_fits_on_two_lines(name):
    state = state_of(name)()
    for preset in state.presets:
        state.preset = preset
        assert 10 < len(state.sentence) <= MAX_SENTENCE_LENGTH, (preset, state.sentence)
        assert state.sentence.endswith(".")
        text = " ".join(sentence.text for sentence in state.sentences)
        assert re.search(r"\bnan\b", text) is None
        assert state.about


@pytest.mark.parametrize("name", NAMES)
def test_every_input_is_explained_and_every_control_is_named(name):
    cls = class_of(name)
    for trait_name in cls.input_names():
        assert cls.class_traits()[trait_name].help.endswith("."), trait_name
    state = state_of(name)()
    for control_name, control in state.controls().items():
        assert control.label, control_name
        assert control.group in ("", *state.groups), control_name


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_documented_and_listed(name):
    cls = class_of(name)
    expected = {*cls.input_names(), *cls.view_names()}
    assert expected <= set(inspect.signature(cls).parameters)
    for parameter in expected:
        assert f"\n    {parameter} : " in cls.__doc__
    for method in ("from_predictions", "from_estimator", "from_estimators"):
        if hasattr(cls, method):
            assert expected <= set(inspect.signature(getattr(cls, method)).parameters)


def test_an_explorer_of_the_user_lists_its_own_parameters():
    class Own(rocviz.ROCExplorer):
        def __init__(self, y_true, y_score, extra=1, **inputs):
            super().__init__(y_true, y_score, **inputs)

    plain = list(inspect.signature(rocviz.ROCExplorer.from_predictions).parameters)
    own = list(inspect.signature(Own.from_predictions).parameters)
    assert own[:4] == ["y_true", "y_score", "extra", "threshold"]
    assert own[3:] == plain[6:]
    estimator = list(inspect.signature(Own.from_estimator).parameters)
    assert estimator[:5] == ["estimator", "X", "y", "extra", "threshold"]


def gestures_of(explorer, name, control):
    """Collect the gestures of a control that change its value."""
    if not control.is_shown(explorer) or not control.is_enabled(explorer):
        return []
    grid = control.grid_of(explorer)
    gestures = [content for content, _ in control.gestures(explorer, name)]
    if not grid:
        return gestures
    position = Page(explorer).control(name)["position"]
    return [content for content in gestures if content["position"] != position]


def test_every_control_moves_its_input_and_shows_its_value(explorer):
    page = Page(explorer)
    for name, control in explorer.controls().items():
        gestures = gestures_of(explorer, name, control)
        # the last of what it can do, and few samples for all that come after it
        for content in gestures[:1] if name in ("preset", "n_samples") else gestures[-1:]:
            before = explorer.inputs()
            options = list(control.options_of(explorer)) if "index" in content else []
            page.move(name, **content)
            shown = page.control(name)
            if name in explorer.input_names() and not shown.get("problem"):
                value = getattr(explorer, name)
                assert "on" not in content or value is content["on"], name
                assert "index" not in content or value == options[content["index"]], name
            if control.grid_of(explorer) and not shown.get("hidden"):
                assert not same(explorer.inputs(), before) or shown["problem"], name
                assert shown["text"] == control.words(control.value_of(explorer, name)), name
    explorer.reset()


def test_every_handle_moves_the_control_that_it_names(explorer):
    explorer.reset()
    page = Page(explorer)
    controls = explorer.controls()
    for picture in explorer.pictures:
        explorer.update(panels=[picture])
        for handle in [mark for mark in page.handles(picture) if isinstance(mark, Handle)]:
            name, _ = explorer._panels[picture].drags[handle.name]
            before = controls[name].value_of(explorer, name)
            low, high = page.limits(picture)
            page.drag(picture, handle.name, *(low + 0.3 * (high - low)).tolist())
            assert controls[name].value_of(explorer, name) != before, (picture, handle.name)
            explorer.reset()
            explorer.update(panels=[picture])
    explorer.reset()


def test_results_do_not_depend_on_earlier_states(explorer):
    explorer.reset()
    page = Page(explorer)
    for name, control in explorer.controls().items():
        for content in gestures_of(explorer, name, control)[:2]:
            page.move(name, **content)
        explorer.focus = explorer.panels[-1]
        explorer.focus = explorer.panels[0]
        explorer.finish()
        with silent_copy(explorer) as copied:
            fresh = copied._on_stage()
        shown = page.shown
        assert set(fresh) <= set(shown)
        other = {n for n, part in fresh.items() if without_unseen(shown[n]) != without_unseen(part)}
        # where words of refusal may stand, or of where one has been
        assert all(n == "drawer" or n.split()[0] in ("control", "summaries") for n in other), name
        explorer.reset()


def in_sight(explorer):
    """Collect the visible marks and texts."""
    shown = Page(explorer).shown
    marks = set()
    for n in explorer.panels:
        for m in shown[f"figure {n}"]["order"]:
            marks.add(f"mark {n} {m}")
    return {name: part for name, part in shown.items() if name[:5] != "mark " or name in marks}


@pytest.mark.parametrize("watched", ["inputs", "result"])
def test_an_observer_that_raises_changes_nothing(explorer, watched):
    explorer.reset()

    def refuse(_change):
        raise KeyboardInterrupt("no")

    names = list(explorer.input_names()) if watched == "inputs" else ["result"]
    before = explorer.inputs()
    result = explorer.result
    sentence = explorer.sentence
    shown = in_sight(explorer)
    page = Page(explorer)
    explorer.observe(refuse, names=names)
    try:
        for name, control in explorer.controls().items():
            if not control.grid_of(explorer):
                continue
            for content in gestures_of(explorer, name, control)[:1]:
                with pytest.raises(KeyboardInterrupt, match="no"):
                    page.move(name, **content)
            assert same(explorer.inputs(), before), name
            assert explorer.result is result
            assert explorer.sentence == sentence
            now = in_sight(explorer)
            drawer = now.pop("drawer")
            assert drawer is None or "interrupted" in drawer
            assert now == {key: shown[key] for key in now}, name
        presets = [p for p in explorer.presets if p != explorer.preset]
        if presets:
            with pytest.raises(KeyboardInterrupt, match="no"):
                explorer.preset = presets[-1]
            assert same(explorer.inputs(), before)
            assert explorer.result is result
    finally:
        explorer.unobserve(refuse, names=names)


LABELS = np.array([0, 1] * 4)
SCORES = np.array([0.1, 0.3, 0.6, 0.5, 0.2, 0.9, 0.7, 0.8])
BITS = pd.DataFrame({"a": LABELS, "b": LABELS[::-1]})


def test_an_unexpected_error_is_shown_and_the_page_gets_everything_again(explorer, monkeypatch):
    explorer.reset()
    before = explorer.inputs()
    page = Page(explorer)
    messages = []
    monkeypatch.setattr(explorer, "send", lambda content, _buffers=None: messages.append(content))

    def fail(_change):
        raise ZeroDivisionError("of <b>somebody</b>")

    explorer.observe(fail, names=["result"])
    actions = []
    for name, control in explorer.controls().items():
        for gesture in gestures_of(explorer, name, control):
            actions.append({"control": name, "serial": "7", **gesture})
    for action in actions:
        page.send(may_fail=True, **action)
        if "error" in str(messages):  # of the first action that changes anything
            break
    explorer.unobserve(fail, names=["result"])
    assert same(explorer.inputs(), before)
    *_, whole, answer = messages
    assert set(whole["shown"]) == set(page.shown)
    assert whole["error"] == "ZeroDivisionError: of <b>somebody</b>"
    assert answer["ack"] == "7"  # the page may send its next message
    drawer = whole["shown"]["drawer"]
    assert "Try it once more" in drawer
    assert 'href="https://' in drawer
    assert "<b>" not in drawer
    explorer.reset()
    monkeypatch.undo()
    page.press("notes")
    page.press("notes")


@pytest.mark.parametrize("name", NAMES)
def test_a_message_that_arrives_after_closing_is_ignored(name):
    explorer = class_of(name)()
    page = Page(explorer)
    contents = []
    for control, declared in explorer.controls().items():
        for gesture, _ in list(declared.gestures(explorer, control))[:1]:
            contents.append({"control": control, **gesture})
    explorer.close()
    before = explorer.inputs()
    for content in (*contents, {"ahead": explorer.main_control}, {"tool": "notes"}, {"focus": 1}):
        page.send(**content)
    assert explorer.inputs() == before


class Tags(HTMLParser):
    """What a page is made of that it should not be."""

    def __init__(self, page):
        super().__init__()
        self.hurts = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "img") or any(name.startswith("on") for name, _ in attributes):
            self.hurts.append((tag, attributes))


@pytest.mark.parametrize("name", NAMES)
def test_names_are_escaped_everywhere(name, on_own_data):
    with closing(on_own_data(name)) as explorer:
        page = Page(explorer)
        for tool in ("notes", "code", "table"):
            page.press(tool)
            texts = [page.sentence, page.drawer]
            texts += [text for part, text in page.shown.items() if part.startswith("html ")]
            assert [Tags(text).hurts for text in texts] == [[]] * len(texts)
        compile(explorer.code(), "code", "exec")
        static = explorer.static_figure()
        assert not any(text.get_parse_math() for text in static.findobj(Text) if text.get_text())


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
def test_the_signs_that_mark_numbers_mark_nothing_in_a_name():
    """Sentences mark numbers by signs of a private range, around the class of their colour."""
    name = '\ue000" onclick="\ue001b\ue002'
    for explorer in (
        rocviz.ROCExplorer(LABELS, {name: SCORES, "b": SCORES[::-1]}, panels=["roc"]),
        rocviz.EnsembleExplorer(LABELS, {name: SCORES, "b": SCORES[::-1]}),
        rocviz.GroupsExplorer(LABELS, SCORES, np.where(np.arange(8) < 4, name, "b")),
    ):
        with closing(explorer):
            assert Tags(Page(explorer).sentence).hurts == []


@pytest.mark.parametrize("name", NAMES)
def test_no_text_needs_latex(name, on_own_data, monkeypatch):
    def no_latex(*_arguments):
        raise RuntimeError("Failed to process string with tex because latex could not be found")

    monkeypatch.setattr("matplotlib.texmanager.TexManager.make_dvi", no_latex)
    with closing(on_own_data(name)) as explorer, mpl.rc_context({"text.usetex": True}):
        explorer.static_figure().savefig(BytesIO(), format="svg")


#: Explorers whose data are labels and scores, which one estimator gives.
OF_SCORES = [n for n in NAMES if {"from_predictions", "from_estimator"} <= set(dir(class_of(n)))]


@pytest.mark.parametrize("name", OF_SCORES)
def test_an_estimator_is_shown_by_its_scores(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    arguments = {"pos_label": "no"}
    y = np.where(X[:, 0] + rng.normal(size=90) > 0, "yes", "no")
    model = LogisticRegression().fit(X, y)
    score = model.predict_proba(X)[:, 0]
    if name == "GroupsExplorer":
        arguments["groups"] = np.arange(90) % 2
    if name == "MulticlassExplorer":
        score = model.predict_proba(X)
        arguments = {"classes": model.classes_}
    of_estimator = {key: value for key, value in arguments.items() if key != "classes"}
    explorer = class_of(name).from_estimator(model, X, y, **of_estimator)
    other = class_of(name).from_predictions(y, score, **arguments)
    sentence = explorer.sentence.replace("LogisticRegression", "the classifier")
    assert (sentence, explorer.about) == (other.sentence, other.about)
    explorer.close()
    other.close()


#: Data that do not go together, and what is said of them.
BAD = {
    "ROCExplorer": ((LABELS, SCORES[:-1]), "y_score must have one entry per sample"),
    "FermiDiracExplorer": ((LABELS,), "y_true and y_score go together"),
    "EnsembleExplorer": ((LABELS * 0, SCORES[:, None]), "exactly two classes"),
    "ScoringListExplorer": ((None, BITS, LABELS), "scoring_list must be given with samples"),
    "DecisionExplorer": ((LABELS,), "y_prob must be given"),
    "LexicographicExplorer": ((BITS,), "X and y go together"),
    "RankingLossExplorer": ((SCORES[:, None], LABELS), "X must have at least two columns"),
    "GroupsExplorer": (([0, 1, 1], [1, 2, 3], ["a", "a", "b"]), "Group 'b'"),
    "MulticlassExplorer": (([0, 1, 1], np.full((3, 3), 1 / 3)), "no sample of the class"),
}


@pytest.mark.parametrize("name", NAMES)
def test_bad_data_makes_no_widget(name, no_model_left):
    data, words = BAD[name]
    with no_model_left(), pytest.raises(ValueError, match=words):
        class_of(name)(*data)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("argument", ["sample_weight", "pos_label"])
def test_arguments_about_data_are_refused_without_data(name, argument, no_model_left):
    explorer = class_of(name)
    if argument in inspect.signature(explorer).parameters:
        with no_model_left(), pytest.raises(ValueError, match=r"give|must come with"):
            explorer(**{argument: 1})


BATCH = np.random.default_rng(0).integers(0, 2, size=(200, 4))
#: Data so large that a hand sees a preview, a control, and limits of what takes long, made small.
LARGE_INPUTS = {
    "ROCExplorer": ({"n_samples": 20_000}, "separation", {"roc.state.MIN_SAMPLES_OF_PREVIEW": 1}),
    "FermiDiracExplorer": (
        {"n_samples": 6000},
        "auc",
        {"fermi_dirac.explorer.MAX_SAMPLES_OF_QUICK_BOOTSTRAP": 1},
    ),
    "EnsembleExplorer": (
        {"n_samples": 3000},
        "correlation",
        {"ensembles.state.MIN_ITEMS_OF_LATE_RESULT": 1},
    ),
    "ScoringListExplorer": (
        {
            "scoring_list": rocviz.ScoringList.from_counts(
                [0, 1], [1, 2], BATCH[:, :3], BATCH[:, 3]
            ),
            "X": BATCH[:, :3],
            "y": BATCH[:, 3],
        },
        "confidence",
        {
            f"scoring_lists.state.{name}": 1
            for name in (
                "MAX_ANSWERS_WITHOUT_PREVIEW",
                "MIN_ANSWERS_OF_LATE_RESULT",
                "N_PREVIEW_KINDS",
            )
        },
    ),
    "DecisionExplorer": (
        {"n_samples": 1000},
        "over_confidence",
        {"decisions.explorer.MAX_SAMPLES_WITHOUT_PREVIEW": 1},
    ),
    "LexicographicExplorer": (
        {"X": BATCH[:, :3], "y": BATCH[:, 3]},
        "smoothing",
        {
            "lexicographic.state.MAX_KINDS_WITHOUT_PREVIEW": 1,
            "lexicographic.state.MIN_KINDS_OF_LATE_RESULT": 1,
        },
    ),
    "RankingLossExplorer": (
        {"n_samples": 5000},
        "a",
        {"ranking_loss.explorer.MAX_SAMPLES_WITHOUT_PREVIEW": 1},
    ),
    "GroupsExplorer": ({"n_samples": 20_000}, "prevalence_b", {}),
    "MulticlassExplorer": ({"n_samples": 6001}, "separation", {}),
}


@pytest.mark.parametrize("name", LARGE_INPUTS)
def test_dragging_shows_a_preview_until_the_exact_result(name, monkeypatch):
    data, control, limits = LARGE_INPUTS[name]
    for place, limit in {"base.state.REST_SECONDS": 0.0, **limits}.items():
        monkeypatch.setattr(f"rocviz.widgets.{place}", limit)
    explorer = class_of(name)(**data)
    page = Page(explorer)
    exact = explorer.exact
    assert not explorer.is_preview  # where nothing runs that could make it exact

    def refuse(_change):
        raise KeyboardInterrupt

    async def drag():
        for position in (4, 5):  # the second step ends the wait of the first
            page.move(control, position=position)
            assert explorer.is_preview
            text = page.shown["about"] + explorer.sentence
            assert re.search("review|when the slider rests", text)
        while not exact.is_running:
            await asyncio.sleep(0)
        assert explorer.controls()["exact"].is_shown(explorer) == bool(limits)
        page.move("exact")  # stops it
        assert explorer.is_preview
        assert not exact.is_running
        exact.start()
        page.move(control, position=6)  # and so does a step
        assert not exact.is_running
        while explorer.is_preview:
            await asyncio.sleep(0)
        fresh = state_of(name)(explorer._own, **explorer.inputs())
        assert (explorer.sentence, explorer.about) == (fresh.sentence, fresh.about)
        assert page.shown["about"] == explorer.about
        assert not explorer.controls()["exact"].is_shown(explorer)
        # a step that fails leaves what was exact exact, and a preview a preview
        for is_preview in (False, True):
            shown = explorer.result
            explorer.observe(refuse, names=["result"])
            with pytest.raises(KeyboardInterrupt):
                page.move(control, position=7)
            explorer.unobserve(refuse, names=["result"])
            assert (explorer.result, explorer.is_preview) == (shown, is_preview)
            page.move(control, position=4)
        # what Python asks for is exact
        assert explorer.static_figure().axes
        assert not explorer.is_preview

    asyncio.run(drag())
    explorer.close()


def test_panels_and_focus_choose_the_pictures(explorer):
    page = Page(explorer)
    names = explorer.panels
    explorer.focus = names[-1]
    assert page.large_pictures() == [names[-1]]
    explorer.panels = [names[1]]
    assert explorer.focus == names[1]
    assert page.shown[f"panel {names[0]}"] is None
    assert len(explorer.static_figure().axes) >= 1
    explorer.panels = (names[1], names[0])
    assert names[0] in page.large_pictures()
    assert page.shown[f"panel {names[1]}"]["place"] == 0
    page.send(focus=1)
    assert explorer.focus == names[0]
    page.send(focus=0)
    page.send(focus=8)
    assert explorer.focus == names[1]
    for bad in ((), ("nothing",), (names[0], names[0])):
        with pytest.raises(traitlets.TraitError, match="panels must name"):
            explorer.panels = bad
    with pytest.raises(traitlets.TraitError, match="focus must be one of"):
        explorer.focus = names[-1]
    explorer.reset()
    assert explorer.panels == names
    assert explorer.focus == names[0]


def test_named_controls_stay_and_all_others_fold(explorer):
    explorer.reset()
    page = Page(explorer)
    shipped = page.folds
    opened = page.opened_fold
    controls = explorer.controls()
    pressed = {name: "" for name, control in controls.items() if control.in_sight}
    for name in (min(shipped, key=shipped.get), max(shipped, key=shipped.get)):
        explorer.unfolded = [name]
        others = {n: fold or "more" for n, fold in shipped.items()}
        assert page.folds == {**others, **pressed, name: ""}
        assert page.opened_fold == ""
        more = [n for n, fold in page.folds.items() if fold == "more"]
        more = [n for n in more if not page.control(n).get("hidden")]
        assert page.summaries["more"] == ", ".join(controls[n].label for n in more)
    for bad in (("nothing",), (name, name), (1,)):
        with pytest.raises(traitlets.TraitError, match="unfolded must name some of"):
            explorer.unfolded = bad
    assert explorer.unfolded == (name,)
    explorer.reset()
    assert (page.folds, page.opened_fold) == (shipped, opened)


@pytest.mark.parametrize("many", [True, False])
def test_saved_pictures_have_the_sentence_of_the_screen(explorer, many):
    explorer.reset()
    page = Page(explorer)
    if explorer.has_trait("space"):
        explorer.space = "lift"  # so that the picture of a space is not the ROC curve once more
    if many:
        explorer.panels = tuple(explorer.pictures)
        together = explorer.static_figure().axes
    for name in explorer.pictures:
        if not many:
            explorer.panels = (name,)
        shown = together if many else explorer.static_figure().axes
        axes = {ax.get_title(loc="left"): ax for ax in shown}
        assert set(axes) == {explorer.title(shown) for shown in explorer.panels}
        ax = axes[explorer.title(name)]
        beside = html.unescape(re.sub(r"<[^>]+>", " ", page.shown.get(f"html {name}", "")))
        across, up = page.axes(name)
        assert (ax.get_xlabel(), ax.get_ylabel()) == (across["label"], up["label"])
        for drawn, axis in ((across, ax.xaxis), (up, ax.yaxis)):
            if drawn["visible"]:
                ticks = [text.get_text() for text in axis.get_ticklabels()]
                assert set(ticks) <= {text for _, text in drawn["ticks"]}
        on_screen = set()
        for mark in page.marks(name).values():
            if isinstance(mark, Words):
                on_screen.update(map(str, mark.text))
            elif isinstance(mark, Handle):
                on_screen.add(mark.letter)
        on_screen.discard("")
        in_file = {text.get_text() for text in ax.texts}
        assert on_screen <= in_file
        more_words = re.findall(r"\w+", " ".join(in_file - on_screen))
        assert set(more_words) <= set(re.findall(r"\w+", beside))
    explorer.reset()


def test_the_drawer_shows_notes_code_and_table(explorer):
    explorer.reset()
    page = Page(explorer)
    for tool, part in (("notes", "<p"), ("code", "import"), ("table", "<table")):
        page.press(tool)
        assert part in page.drawer
        assert not re.search(r"<th[^>]*></th>", page.drawer)  # a heading of nothing
        page.press(tool)
        assert page.drawer is None


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_input_is_refused_with_the_list_and_leaves_no_model(name, no_model_left):
    with no_model_left(), pytest.raises(TypeError, match="has no input 'treshold'; it has"):
        class_of(name)(treshold=1)


def test_lecture_mode_changes_open_explorers(explorer):
    page = Page(explorer)
    shown = page.shown
    figure = next(name for name in shown if name.startswith("figure "))
    before = shown[figure]["scaling"]["margin"]["left"]
    rocviz.set_theme(lecture=True, dark=True)
    assert {"rocviz-lecture", "rocviz-dark"} <= page.classes
    assert shown[figure]["scaling"]["margin"]["left"] > before
    rocviz.set_theme(lecture=False)
    assert shown[figure]["scaling"]["margin"]["left"] == before
    assert "rocviz-dark" not in page.classes


@pytest.mark.parametrize("name", NAMES)
def test_something_is_read_out_in_the_opening_picture(name):
    with closing(class_of(name)()) as explorer:
        panel = explorer._panels[next(iter(explorer.panels))]
        picture = panel._draw(explorer, explorer.result, True)
        has_axes = picture.x.is_shown or picture.y.is_shown
        texts = []
        for mark in picture.marks:
            if mark.is_shown and isinstance(mark, Line | Dots | Knobs | People):
                if mark.readings is not None:
                    texts += mark.readings
                elif has_axes:
                    texts += [picture.x.label or picture.y.label]
        assert any(texts)
