"""The decision explorer's controls, handles and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from rocviz import DecisionExplorer
from rocviz.core.roc.metrics import METRICS
from rocviz.pictures import Words

P = np.array([0.9, 0.2, 0.55, 0.4, 0.1, 0.7])
Y = np.array([1, 0, 1, 0, 0, 1])


@pytest.fixture(scope="module")
def opened():
    made = DecisionExplorer()
    yield made
    made.close()


@pytest.fixture
def explorer(opened):
    """As it opens; the tests take turns with one, since making it costs more than most of them."""
    yield opened
    opened.reset()


def shown(explorer, name):
    """Collect the values that the rail shows of a control."""
    return explorer._rail.values[name]


def written(panel):
    """List all words on a picture."""
    marks = [mark for mark in panel.picture.marks if isinstance(mark, Words) and mark.is_shown]
    return [str(text) for mark in marks for text in mark.text if text]


# ---------------------------------------------------------------------- data


def test_opens_on_an_estimator_without_labels():
    X = np.column_stack((P, 1 - P))
    made = DecisionExplorer.from_estimator(LogisticRegression().fit(X, Y), X, pos_label=1)
    assert made.result.realised is None
    assert shown(made, "n_samples") == shown(made, "new_sample") == {"hidden": True}
    made.close()


# ---------------------------------------------------------------------- the rail


def test_the_cut_is_typed_dragged_and_optimised(explorer):
    explorer._rail.move("k", position=4)
    assert explorer.k == 4
    assert shown(explorer, "k")["text"] == "4"
    assert not shown(explorer, "select_best")["disabled"]
    explorer._rail.move("select_best")
    assert explorer.k == explorer.result.n_predicted_positive
    assert shown(explorer, "select_best")["disabled"]
    explorer._rail.move("k", typed="99")
    assert "k must be from 0 to 12" in shown(explorer, "k")["problem"]
    explorer.n_samples = 100
    assert shown(explorer, "k")["steps"] == 100


def test_options_are_shown_where_they_matter(explorer):
    names = ("beta", "cost_fn", "formula")

    def visible():
        return [name for name in names if "hidden" not in shown(explorer, name)]

    assert visible() == ["beta"]
    explorer.metric = "cost"
    assert visible() == ["cost_fn"]
    explorer._rail.move("cost_fn", typed="5")
    assert explorer.cost_fn == 5
    explorer.update(metric="formula", compared_metrics=("f",))
    assert visible() == ["beta", "formula"]


def test_a_typed_formula_is_taken_and_judged(explorer):
    explorer.metric = "formula"
    explorer._rail.move("formula", typed="u / (p + v - u)")
    assert explorer.formula == "u / (p + v - u)"
    assert shown(explorer, "formula")["note"] == "TP monotonic: the best labels are a prefix."
    explorer._rail.move("formula", typed="v - 2*u")
    assert shown(explorer, "formula")["note"].startswith("Not TP monotonic")
    text = " ".join(sentence.text for sentence in explorer.sentences)
    assert "the best is not a prefix" in text
    assert "falls from" in text


@pytest.mark.parametrize(
    ("text", "why"), [("<b>u</b>", "<"), ("9**9**9", "power"), ("1/(u-u+v-v)", "finite")]
)
def test_a_refused_formula_is_explained_and_the_picture_stays(explorer, text, why):
    explorer.metric = "formula"
    values = explorer._stage.values
    inputs, result, sentence = explorer.inputs(), explorer.result, values["sentence"]
    explorer._rail.move("formula", typed=text)
    assert explorer.result is result
    assert explorer.inputs() == inputs
    assert values["sentence"] == sentence
    assert why in shown(explorer, "formula")["problem"]
    explorer._rail.move("k", position=2)
    assert shown(explorer, "formula")["problem"] == ""


def test_metrics_are_ticked_to_be_compared(explorer):
    panel = explorer._panels["utilities"]
    for name in ("jaccard", "g_mean"):
        explorer._rail.move("compared_metrics", key=name, value=True)
    assert explorer.compared_metrics == ("jaccard", "g_mean")
    curves = {"curve:1", "curve:2"}
    assert curves <= {mark.name for mark in panel.picture.marks}
    assert explorer._rail.summaries["compare"] == "Jaccard, G-Mean"
    ticked = {row["key"]: row["value"] for row in shown(explorer, "compared_metrics")["rows"]}
    assert [name for name, on in ticked.items() if on] == ["jaccard", "g_mean"]
    assert "f" not in ticked
    explorer.metric = "jaccard"
    assert curves & {mark.name for mark in panel.picture.marks} == {"curve:1"}
    explorer._rail.move("compared_metrics", key="g_mean", value=False)
    assert not curves & {mark.name for mark in panel.picture.marks}
    explorer._rail.move("compared_metrics", key="cost", value=True)
    assert "cost" in explorer.result.decisions


def test_one_probability_is_changed_by_its_slider(explorer):
    explorer._rail.move("sample", position=4)
    assert explorer.sample == 5
    assert shown(explorer, "sample_probability")["text"] == f"{explorer.y_prob[4]:.2f}"
    explorer._rail.move("sample_probability", typed="0.8")
    assert explorer.y_prob[4] == 0.8
    assert explorer._rail.summaries["probabilities"] == "by hand"
    explorer.update(over_confidence=1.03, shift=5.0)
    assert explorer._rail.summaries["probabilities"] == "× 1.03, +5"
    explorer._rail.move("sample_probability", typed="1.5")
    assert "from 0 to 1" in shown(explorer, "sample_probability")["problem"]
    explorer.n_samples = 100
    assert shown(explorer, "sample") == shown(explorer, "sample_probability") == {"hidden": True}


# ---------------------------------------------------------------------- handles


@pytest.mark.parametrize("name", ["probabilities", "utilities"])
def test_the_cut_is_dragged_in_both_pictures(explorer, name):
    panel = explorer._panels[name]
    cut = panel.handles[-1].name
    panel.on_event(cut, "drag", x=2.3, y=0.4)
    assert explorer.k == 2
    panel.on_event(cut, "drag_end", x=99.0, y=0.4)
    assert explorer.k == 12
    assert panel.picture[cut].x[0] == 12


def test_a_probability_is_dragged_past_its_neighbours(explorer):
    panel = explorer._panels["probabilities"]
    assert panel.picture["items"].hint is not None
    panel.on_event("items", "drag_start", index=11)
    panel.on_event("items", "drag", index=11, x=11.5, y=0.994)
    assert explorer.probabilities[11] == 0.99
    assert panel.picture["items"].chosen == 0  # it has become the most probable one
    panel.on_event("items", "drag", index=11, x=11.5, y=0.5)
    assert explorer.probabilities[11] == 0.5  # still the same sample
    panel.on_event("items", "drag_end", index=11, x=11.5, y=-3.0)
    assert explorer.probabilities[11] == 0.0


def test_draggable_dots_look_so_in_large_pictures_only(explorer):
    panel = explorer._panels["probabilities"]
    assert panel.picture["items"].role == "selected"
    assert panel.picture["items"].is_shown
    explorer.focus = "utilities"
    assert not panel.picture["items"].is_shown
    explorer.update(focus="probabilities", n_samples=31)
    assert not panel.picture["items"].is_shown


# ---------------------------------------------------------------------- pictures


@pytest.mark.parametrize("preset", list(DecisionExplorer.presets))
def test_every_curve_lies_between_its_ticks(explorer, preset):
    explorer.preset = preset
    explorer.update(focus="utilities", compared_metrics=("am",))
    axis = explorer._stage.values["figure utilities"]["axes"][1]
    ticks = [value for value, _ in axis["ticks"]]
    result = explorer.result
    curves = [result.paid, *(one.utilities for one in list(result.decisions.values())[:1])]
    assert ticks[0] <= min(c.min() for c in curves)
    assert ticks[-1] >= max(c.max() for c in curves)
    assert axis["limits"][0] <= ticks[0] <= ticks[-1] <= axis["limits"][1]


def test_small_thresholds_have_only_names_that_fit():
    explorer = DecisionExplorer(Y, P, compared_metrics=("accuracy", "am", "jaccard", "g_mean"))
    panel = explorer._panels["thresholds"]
    assert len(panel.picture["names"].text) == 5
    explorer.compared_metrics = (
        *(row.name for row in METRICS.values() if row.is_objective),
        "formula",
    )
    few = list(panel.picture["names"].text)
    assert 5 <= len(few) <= 9
    explorer.focus = "thresholds"
    every = list(panel.picture["names"].text)
    assert len(every) == len(explorer.result.decisions) > 9
    assert every[::2] == few
    explorer.close()


# ---------------------------------------------------------------------- previews


def test_bent_formulas_and_very_many_cuts_take_long(explorer, monkeypatch):
    monkeypatch.setattr("rocviz.widgets.decisions.explorer.MOST_BENT", 10)
    explorer.formula = "u / (p + 2*v)"
    assert not explorer.finishes_late()
    explorer.formula = "max(u, 0.3*v) / (p + v)"
    assert explorer.finishes_late()
    explorer.metric = "f"
    assert not explorer.finishes_late()
    monkeypatch.setattr("rocviz.widgets.decisions.explorer.MOST_CUTS", 10)
    assert explorer.finishes_late()


def test_names_of_curves_and_labels_do_not_overlap():
    explorer = DecisionExplorer(
        preset="overconfident", focus="utilities", compared_metrics=("am", "jaccard")
    )
    panel = explorer._panels["utilities"]
    assert set(panel.picture["names"].text) == {
        "balanced accuracy",
        "Jaccard",
        "believed",
        "really",
    }
    assert len(set(np.round(panel.picture["names"].y, 2))) == 4
    assert panel.picture["names"].x.min() > 100
    assert (panel.picture["words"].x < 100).all()
    assert not {"believed", "really"} & set(panel.picture["words"].text)
    explorer.over_confidence = 1.0
    assert set(panel.picture["names"].text) == {"balanced accuracy", "Jaccard", "F1"}
    explorer.close()
